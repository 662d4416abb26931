/* workload.h - what is measured against llvmpipe besides the pictures of the gallery: meshes, texture filters,
 * blending, compute. A row of the table says everything about one; workload_weft.c makes it of weft's device,
 * gl_workload.c of OpenGL ES 3.1. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKLOAD_COMPONENTS = 8 /* floats of a vertex: position, normal */, WORKLOAD_GROUP = 256 };

enum workload_mesh { WORKLOAD_NO_MESH, WORKLOAD_QUAD, WORKLOAD_TORUS };

struct workload {
    const char *name;
    const char *shaders;     /* bench/tgsi/NAME.vert.tgsi and so on, bench/glsl/NAME.vert and so on */
    enum workload_mesh mesh; /* WORKLOAD_NO_MESH: a dispatch */
    unsigned width, height;  /* of the RGBA8 picture; of images 0 and 1 of a dispatch, in workgroups of 8x8 */
    unsigned instances;      /* of the mesh */
    unsigned numbers;        /* of a dispatch without images: in buffer 0, a sum of each WORKLOAD_GROUP to buffer 1 */
    bool depth;              /* tested, less, 32 bits, and cleared each time like the picture */
    bool blend;              /* source alpha, one minus source alpha */
    bool texture;            /* examples/textures/tiles.png, repeated, trilinear */
    float anisotropy;
    const char *unit;        /* of work, in millions */
    double work;             /* millions of them in each draw or dispatch */
    double goal;             /* times llvmpipe */
    double tolerance;        /* root mean square difference of the results, values 0 to 1 */
};

/* The rows; a NULL name ends them. */
extern const struct workload workloads[];

const struct workload *workload_find(const char *name);

/* Constants of vertex shaders: the camera's matrix, column by column. */
extern const float workload_camera[16];

/* The mesh: WORKLOAD_COMPONENTS floats a vertex, three indices a triangle. False without memory; free both. */
bool workload_make_mesh(enum workload_mesh mesh, float **vertices, size_t *nvertices, uint32_t **indices,
                        size_t *nindices);

/* Fill memory with what dispatches read: numbers without a pattern, the same on every run. */
void workload_fill(uint32_t *words, size_t count);

/* Bytes of the result: the picture, image 1 or buffer 1. */
size_t workload_result_size(const struct workload *w);

#endif
