/* mesh.h - shapes made by code: indexed triangles, counter-clockwise from outside, within -1 to 1, y up. */
#ifndef WEFT_DEVICE_MESH_H
#define WEFT_DEVICE_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include <weft/draw.h>

struct mesh_vertex {
    float position[4], normal[4], texcoord[4]; /* w: 1, 0, 1 */
};

struct mesh {
    struct mesh_vertex *vertices;
    uint32_t *indices;
    uint32_t nvertices, nindices;
};

/* The mesh of that number; WEFT_ERROR_USAGE for an unknown one, WEFT_ERROR_MEMORY. */
weft_status mesh_make(weft_mesh which, struct mesh *out);
/* A copy of the caller's. WEFT_ERROR_USAGE: its indices are wrong. */
weft_status mesh_of(const weft_geometry *g, struct mesh *out);
void mesh_free(struct mesh *m);

/* A point of a surface over (u, v) in 0..1, with its normal not yet of unit length. */
struct mesh_point {
    double position[3], normal[3];
};

/* Add a surface as a grid of rows x columns cells: v goes with the rows, u with the columns, and seen from outside u
 * goes right where v goes up. False without memory. */
bool mesh_add_surface(struct mesh *m, uint32_t rows, uint32_t columns,
                      struct mesh_point (*at)(const void *shape, double u, double v), const void *shape);

/* mesh_teapot.c */
bool mesh_add_teapot(struct mesh *m);

#endif
