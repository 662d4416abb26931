/* weft/draw.h - draw a picture with a fragment program.
 *
 * A fragment program is run for every pixel of a picture: over a quad that fills the picture, or over a
 * mesh; a vertex program may place either. What `weft draw` does, as a library call.
 *
 * Coordinates. Row 0 of a picture is its bottom row; clip space has x to the right, y up, and z from -1 (near)
 * to 1 (far), which the picture's POSITION.z shows as 0 to 1. POSITION.y of the fragment stage counts from
 * the top of the picture, or from its bottom when the program says so (TGSI: PROPERTY FS_COORD_ORIGIN
 * LOWER_LEFT); pixel centres are at .5 unless the program asks for integers.
 *
 * Inputs. Without a vertex program every GENERIC, TEXCOORD and COLOR input on the quad is (u, v, 0, 1), with (0, 0)
 * at the bottom left corner of the picture and (1, 1) at its top right. With a vertex program, stages meet by
 * the name and index of their semantics, and the vertex program's inputs are
 *   IN[0]  position: (x, y, 0, 1), corners (-1, -1) to (1, 1), of the quad; (x, y, z, 1) of a mesh,
 *   IN[1]  normal (x, y, z, 0); (0, 0, 1, 0) of the quad,
 *   IN[2]  texture coordinates (u, v, 0, 1).
 * A mesh without a vertex program is seen through a fixed perspective camera, and the fragment inputs are
 * GENERIC[0] and every TEXCOORD: texture coordinates; GENERIC[1] and NORMAL: the normal; GENERIC[2]: the position, both
 * in the space of the mesh, whose extent is -1 to 1; COLOR: the normal * 0.5 + 0.5. See weft_draw_camera.
 *
 * Meshes are drawn with a depth test (less), the quad without. Flat inputs come from the last vertex of
 * each triangle. Counter-clockwise triangles face the front. An input that nothing feeds is (0, 0, 0, 1).
 *
 * Constants. CONST[0][0] is (time, 1 / width, 1 / height, width / height) unless the caller gives CONST[0].
 */
#ifndef WEFT_DRAW_H
#define WEFT_DRAW_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_program weft_program; /* weft/program.h */

/* ---- pictures ---- */

/* What a pixel is in memory: R, G, B, A in this order. */
typedef enum weft_pixel_format {
    WEFT_RGBA8_UNORM,  /* 4 bytes; 0 to 255 are 0 to 1 */
    WEFT_RGBA32_SFLOAT /* 4 floats of the host's byte order */
} weft_pixel_format;

enum { WEFT_MAX_PICTURE_SIZE = 16384 /* pixels, each way */ };

/* A picture. The memory is the caller's, whether from weft_picture_new or elsewhere. */
typedef struct weft_picture {
    weft_pixel_format format;
    uint32_t width, height;
    size_t stride; /* bytes from a row to the next one above it */
    void *pixels;  /* row 0 is the bottom */
} weft_picture;

/* Fill in `picture` with zeroed memory of its own. WEFT_ERROR_USAGE: a size of 0 or above the limit;
 * WEFT_ERROR_MEMORY. Free the memory with weft_picture_free, which clears the struct. */
WEFT_API weft_status weft_picture_new(weft_pixel_format format, uint32_t width, uint32_t height, weft_picture *picture);
WEFT_API void weft_picture_free(weft_picture *picture);

/* ---- textures and samplers ---- */

/* A texture with its mip levels; read-only once made, so that draws may share it. weft_texture_new makes 2D ones. */
typedef struct weft_texture weft_texture;

/* Copy `pixels` (width * height pixels without padding, row 0 is t = 0). With `mipmaps` all smaller levels
 * down to 1x1 are made: each value the mean of 2x2, (a + b + c + d + 2) >> 2 in integers; an odd row or column at the
 * end is left out. WEFT_ERROR_USAGE: size 0 or above WEFT_MAX_PICTURE_SIZE; WEFT_ERROR_MEMORY. */
WEFT_API weft_status weft_texture_new(weft_pixel_format format, uint32_t width, uint32_t height, const void *pixels,
                                      int mipmaps, weft_texture **texture);
WEFT_API void weft_texture_free(weft_texture *texture);

typedef enum weft_filter { WEFT_NEAREST, WEFT_LINEAR } weft_filter;
typedef enum weft_mip_filter { WEFT_MIP_NONE, WEFT_MIP_NEAREST, WEFT_MIP_LINEAR } weft_mip_filter;

/* What happens to texture coordinates outside 0..1. The CLAMP modes of older OpenGL filter half way
 * into the border; MIRROR_CLAMP modes mirror once, about 0. */
typedef enum weft_wrap {
    WEFT_WRAP_REPEAT,
    WEFT_WRAP_CLAMP,
    WEFT_WRAP_CLAMP_TO_EDGE,
    WEFT_WRAP_CLAMP_TO_BORDER,
    WEFT_WRAP_MIRROR_REPEAT,
    WEFT_WRAP_MIRROR_CLAMP,
    WEFT_WRAP_MIRROR_CLAMP_TO_EDGE,
    WEFT_WRAP_MIRROR_CLAMP_TO_BORDER
} weft_wrap;

typedef enum weft_compare {
    WEFT_COMPARE_NEVER,
    WEFT_COMPARE_LESS,
    WEFT_COMPARE_EQUAL,
    WEFT_COMPARE_LESS_EQUAL,
    WEFT_COMPARE_GREATER,
    WEFT_COMPARE_NOT_EQUAL,
    WEFT_COMPARE_GREATER_EQUAL,
    WEFT_COMPARE_ALWAYS
} weft_compare;

typedef struct weft_sampler {
    weft_filter min_filter, mag_filter;
    weft_mip_filter mip_filter;
    weft_wrap wrap_s, wrap_t, wrap_r;
    float lod_bias, min_lod, max_lod;
    float border[4];
    int32_t border_int[4];   /* of textures of integers */
    float max_anisotropy;    /* up to 16; at most 1: isotropic */
    int compare;             /* shadow instructions compare their value with the texels: value op texel is 1 or 0 */
    weft_compare compare_op;
    int unnormalized;        /* coordinates are in texels */
    int separate_faces;      /* filters stay inside a face of a cube; else they go on across its edges */
} weft_sampler;

/* Nearest, no mip filter, repeat, levels 0 to 1000, border transparent black, all else off. */
WEFT_API void weft_sampler_init(weft_sampler *sampler);

/* ---- drawing ---- */

enum { WEFT_MAX_CONSTANT_BUFFERS = 16, WEFT_MAX_TEXTURES = 32, WEFT_MAX_THREADS = 256 };

typedef enum weft_mesh { WEFT_MESH_QUAD, WEFT_MESH_SPHERE, WEFT_MESH_CUBE, WEFT_MESH_TEAPOT } weft_mesh;

/* The mesh of that name ("quad", "sphere", "cube", "teapot"); -1: there is none. */
WEFT_API int weft_mesh_find(const char *name);

/* A mesh of the caller's: triangles, counter-clockwise from outside, that are drawn in order as WEFT_MESH_... are. */
typedef struct weft_geometry {
    const float *positions; /* x, y, z of each vertex */
    const float *normals;   /* x, y, z; NULL: (0, 0, 1) */
    const float *texcoords; /* u, v; NULL: (0, 0) */
    uint32_t vertices;
    const uint32_t *indices; /* three vertices for each triangle */
    uint32_t index_count;
} weft_geometry;

/* Which of the interpreter's sets of handlers runs; results are the same bits. */
typedef enum weft_cpu_level { WEFT_CPU_BEST, WEFT_CPU_BASELINE, WEFT_CPU_AVX2, WEFT_CPU_AVX512 } weft_cpu_level;

/* What runs programs; results are the same bits. INTERP: handlers of operations. JIT: machine code that LLVM makes of
 * them before the first invocation, as far as it can; a program that cannot be compiled is interpreted. AUTO: handlers
 * begin, and a program that has run long enough is compiled on a thread of its own meanwhile. */
typedef enum weft_engine { WEFT_ENGINE_AUTO, WEFT_ENGINE_INTERP, WEFT_ENGINE_JIT } weft_engine;

/* What the JIT is ("LLVM 19.1.7"), which is loaded by this; NULL: weft was built without, or weft-jit.so is not where
 * it should be: next to the library or the program, or where it was installed, all of which may have been moved. The
 * text is static. */
WEFT_API const char *weft_jit(void);

/* Who ran the programs of a draw or a job. */
typedef struct weft_engine_stats {
    uint32_t programs, native;     /* made ready; of these, those that ran as machine code */
    uint64_t operations, compiled; /* of the former; of these, those in machine code */
    double seconds;                /* of a processor, that compiling took, whenever in this process it was done */
    const char *refused;           /* why a program was not compiled: the last one's reason, static; NULL: none */
} weft_engine_stats;

/* 32-bit words of a constant buffer: CONST[n][i].x is word 4 * i. Reads past the end give 0 and are counted. */
typedef struct weft_constants {
    const uint32_t *words;
    size_t count;
} weft_constants;

typedef struct weft_draw_params {
    size_t size; /* weft/api.h */
    const weft_program *fragment;
    const weft_program *vertex; /* NULL: see above */
    weft_mesh mesh;
    weft_constants constants[WEFT_MAX_CONSTANT_BUFFERS]; /* for both stages; words NULL: unbound */
    const weft_texture *textures[WEFT_MAX_TEXTURES];     /* by number of the sampler view; NULL: unbound */
    weft_sampler samplers[WEFT_MAX_TEXTURES];
    float time;
    float clear[4];   /* what the picture holds before the draw */
    uint32_t threads; /* 0: as many as there are processors */
    uint64_t budget;  /* instructions that one warp of 64 invocations may run; 0: no limit */
    uint32_t repeat;  /* draw that many times, for measuring; 0 is 1 */
    weft_cpu_level cpu_level;
    weft_engine engine;
    double seconds;   /* that one draw may take, by the clock; 0: no limit. Beyond: WEFT_ERROR_TIME */
    /* Drawn in place of `mesh`; NULL: that. An index beyond the vertices, or a number of indices that is not of whole
     * triangles, is WEFT_ERROR_USAGE. */
    const weft_geometry *geometry;
} weft_draw_params;

/* No programs, quad, nothing bound, time 0, clear to 0, all processors, budget WEFT_DEFAULT_BUDGET. The first takes the
 * size that the caller's struct has, in bytes, and is there for other languages; it is what the second calls. */
WEFT_API void weft_draw_params_init_sized(weft_draw_params *params, size_t size);
static inline void weft_draw_params_init(weft_draw_params *params)
{
    weft_draw_params_init_sized(params, sizeof *params);
}
#define WEFT_DEFAULT_BUDGET ((uint64_t)1 << 22) /* a few seconds of an endless loop */

/* What a draw did, over all repeats. */
typedef struct weft_draw_stats {
    uint64_t vertices, primitives; /* shaded; as assembled */
    uint64_t fragments;            /* covered pixels that were shaded */
    uint64_t instructions;         /* guest instructions of covered fragments and vertices, counted per invocation */
    uint64_t bad_accesses;         /* of registers or memory, outside their range */
    double seconds, cpu_seconds;   /* of drawing alone: elapsed, and of all threads */
    uint32_t threads;
    weft_engine_stats engine;
} weft_draw_stats;

/* Draw into `picture`, whose size and format are the target's. `stats` may be NULL. Programs are not changed.
 * The picture is the same bits for any number of threads and any CPU level.
 * WEFT_ERROR_INPUT: the programs do not fit each other or their stage, or fault; WEFT_ERROR_UNSUPPORTED: the diagnostic
 * names what weft does not do; WEFT_ERROR_BUDGET: a program ran too long, the diagnostic has the line it was in;
 * WEFT_ERROR_USAGE, WEFT_ERROR_MEMORY. After an error the picture's contents are undefined. */
WEFT_API weft_status weft_draw(const weft_draw_params *params, weft_picture *picture, weft_draw_stats *stats,
                               weft_diags *diags);

/* The matrix from a mesh's space to clip space (column by column) that meshes without a vertex program are
 * drawn with, for a picture of that width / height. */
WEFT_API void weft_draw_camera(float aspect, float matrix[16]);

#ifdef __cplusplus
}
#endif
#endif
