/* pipeline.h - a draw, stage by stage: the state that the caller sets, and what the stages hand on.
 *
 *   vertex.c     vertices through the vertex program (or given ready)
 *   primitive.h  from there to setup: assembly, tessellation and geometry stages
 *   setup.c      primitives to window coordinates, edges and planes; clip.c where they leave the view
 *   draw.c       rounds of primitives, bins of 64x64-pixel tiles, threads
 *   raster.c     a triangle in a tile, as 8x8 blocks
 *   fragment.c   a block through tests, fragment program and colour store; depth_stencil.c, color_target.c and
 *                multisample.c do their parts, fragment_shared.c and fragment_few.c run the program where few quads
 *                of a block are covered,
 *                resolve.c what comes after draws
 *
 * Memory order. Pixel (0, 0) is the first of row 0; normalised device y = -1 is row 0 with the usual viewport. Whether
 * row 0 is the top or the bottom of the picture only matters to FACE (front_positive) and POSITION (origin_far_row).
 * The top-left rule takes row 0 as the top: a pixel centre on an edge belongs to the triangle that has it on its left
 * edge (smaller x), or on a horizontal edge with the smaller y. */
#ifndef WEFT_DEVICE_PIPELINE_H
#define WEFT_DEVICE_PIPELINE_H

#include "device/failure.h"
#include "device/kernels.h"
#include "device/pool.h"
#include "device/resources.h"
#include "device/targets.h"
#include "exec/exec.h"

enum {
    PIPELINE_TILE = 64,
    PIPELINE_ATTRIBUTES = 32,
    PIPELINE_COLORS = 8,
    PIPELINE_VIEWPORTS = 16,
    VIEWPORT_MOST = 1 << 15, /* twice the largest target */
    PIPELINE_PATCH_VERTICES = 32
};

/* A vertex attribute: element i at data + offset + i * stride. Reads past size give zeros. */
struct attribute {
    const struct format *format; /* NULL: (0, 0, 0, 1) */
    const uint8_t *data;
    size_t size, offset, stride;
    uint32_t divisor; /* 0: one element per vertex, n: one per n instances, from base_instance on */
};

/* Primitives of the vertices in order, by the names of OpenGL. */
enum topology {
    TRIANGLE_LIST,
    TRIANGLE_STRIP,
    TRIANGLE_FAN,
    POINT_LIST,
    LINE_LIST,
    LINE_STRIP,
    LINE_LOOP,
    QUAD_LIST,
    QUAD_STRIP,
    POLYGON,
    LINE_LIST_ADJACENCY,
    LINE_STRIP_ADJACENCY,
    TRIANGLE_LIST_ADJACENCY,
    TRIANGLE_STRIP_ADJACENCY,
    PATCH_LIST,
    TOPOLOGIES
};

enum polygon_mode { POLYGON_FILL, POLYGON_LINE, POLYGON_POINT };
enum cull_mode { CULL_NONE, CULL_FRONT, CULL_BACK, CULL_BOTH };

/* One stage: the program, compiled. */
struct stage {
    const struct ir_program *ir;
    const struct exec_program *program;
    const struct source *source;    /* its text, for diagnostics; may be NULL */
    const struct exec_program
        *few; /* the same for warps of STAGE_FEW_LANES, for fragments of small triangles; NULL: none */
    const struct exec_program
        *shared; /* instead of that: the same with inputs in rows, for warps of several triangles; NULL: none */
};

enum { STAGE_FEW_LANES = 16 };

/* stage.c: compile a program that has been checked, lifted and optimised, into the arena. */
weft_status stage_compile(const struct ir_program *ir, const struct source *source, const struct exec_options *options,
                          struct arena *arena, struct stage *out, weft_diags *diags);

/* Add who runs a stage's program. */
void stage_report(const struct stage *s, weft_engine_stats *sum);
enum exec_engine stage_engine(weft_engine engine);

/* Whether a program may run in lanes that nobody asked for: no control flow that might never end for them, and nothing
 * that counts bad accesses or acts outside. */
bool stage_runs_anywhere(const struct ir_program *ir);

struct rect {
    int32_t x0, y0, x1, y1; /* x1, y1 are outside */
};

/* From clip space over w to window coordinates: scale * v + translate. */
struct viewport {
    double scale[3], translate[3];
    struct rect area;         /* pixels whose centres are inside */
    float depth_min, depth_max; /* depth values of the near and the far plane */
};

/* x, y, width and height in pixels (negative sizes turn it over), no more than VIEWPORT_MOST, depth of the near and the
 * far plane, finite. half_z: as in struct pipeline. */
struct viewport viewport_make(double x, double y, double width, double height, double near, double far, bool half_z);

/* Vertices as the vertex stage leaves them: rows of 64, warp by warp, slot by slot. */
struct vertices {
    uint32_t count, slots;
    const struct ir_slot *slot; /* what the slots are */
    float *rows;
};

static inline float *vertex_row(const struct vertices *v, uint32_t warp, uint32_t slot, unsigned component)
{
    return v->rows + (((size_t)warp * v->slots + slot) * 4 + component) * 64;
}

static inline float vertex_value(const struct vertices *v, uint32_t vertex, uint32_t slot, unsigned component)
{
    return vertex_row(v, vertex / 64, slot, component)[vertex % 64];
}

enum { LINK_NONE = UINT16_MAX };

/* A part of a draw or a dispatch: of pieces that are counted from 0, those whose number is `index` modulo `count`.
 * count 0: all of them. */
struct share {
    uint32_t index, count;
};

static inline bool share_has(const struct share *s, uint64_t piece)
{
    return s->count < 2 || piece % s->count == s->index;
}

struct pipeline {
    struct stage vertex; /* program NULL: `ready` holds the vertices */
    struct stage tess_ctrl, tess_eval, geometry; /* program NULL: none */
    struct stage fragment;
    const struct vertices *ready;
    /* By fragment input slot: the slot of the last vertex stage it is fed from, or LINK_NONE: (0, 0, 0, 1). NULL: they
     * meet by semantic and index. */
    const uint16_t *link;

    struct attribute attribute[PIPELINE_ATTRIBUTES];
    uint32_t first_vertex; /* without indices */
    uint32_t vertex_count; /* with indices: how many vertices there are, others are not drawn; 0: all that are named */
    const uint32_t *indices; /* NULL: vertices in order */
    uint32_t index_count;
    int32_t base_vertex; /* added to each index */
    bool restart;        /* index restart_index ends a strip */
    uint32_t restart_index;
    uint32_t instances, base_instance; /* instances: 0 counts as 1 */
    uint32_t draw_id;
    enum topology topology;
    uint32_t patch_vertices;            /* of a PATCH_LIST */
    float tess_outer[4], tess_inner[2]; /* levels where there is no tess_ctrl */
    bool provoking_first; /* flat inputs from the first vertex of a primitive, else the last */
    bool flat_colors;     /* inputs with the interpolation COLOR are flat, else smooth */
    bool front_positive;  /* front faces have a positive area in memory order: x to the right, y with the rows */
    bool half_z;          /* clip space is 0 <= z <= w, else -w <= z <= w */
    bool origin_far_row;  /* POSITION.y counts from the last row down, else from row 0 up */

    struct viewport viewport[PIPELINE_VIEWPORTS]; /* by VIEWPORT_INDEX; beyond: number 0 */
    struct rect scissor;                          /* inside the targets */
    bool depth_clamp;                             /* nothing is cut at the near and far planes */
    bool depth_unrestricted;                      /* depth values in floating formats may be outside 0 to 1 */
    enum polygon_mode polygon_mode;
    enum cull_mode cull;
    struct {
        bool enable;
        float constant, slope, clamp; /* clamp 0: none */
    } depth_bias;
    float line_width, point_size; /* 0 counts as 1; a PSIZE output comes before point_size */
    bool point_origin_lower_left; /* PCOORD.y grows with falling rows, else with rising ones */
    uint32_t sprite_texcoords;    /* bit i: TEXCOORD[i] of points is PCOORD */
    uint32_t sprite_generics;     /* the same of GENERIC[i] */

    bool depth_test, depth_write;
    enum compare_op depth_op;
    struct surface color[PIPELINE_COLORS], depth;
    struct target_state targets; /* the rest of the fragment operations */
    bool clear; /* clear the targets first */
    float clear_color[4], clear_depth;

    struct resources resources; /* for all stages */
    struct share share;         /* which of the tiles */
    uint64_t budget;
    double until; /* by failure_clock, when it must have ended; 0: no limit */
};

/* All targets have the same number of samples. */
static inline bool pipeline_multisampled(const struct pipeline *p)
{
    bool many = p->depth.samples > 1;
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        many = many || p->color[i].samples > 1;
    return many;
}

struct pipeline_stats {
    uint64_t vertices, primitives, fragments, instructions, bad_accesses;
    struct outside outside;    /* the first of bad_accesses */
    uint64_t dropped_vertices; /* that the geometry program emitted beyond its limit */
    uint64_t tile_instructions; /* those of fragments, among the instructions */
};

/* Draw. The stats are added to. Programs have been checked by the caller for what the device does not do. */
weft_status pipeline_draw(const struct pipeline *p, struct pool *pool, struct pipeline_stats *stats, weft_diags *diags);
/* Can several processes do it together, each all of its vertices and a share of its tiles? What they draw and write is
 * to be put together after. */
bool pipeline_divisible(const struct pipeline *p);
/* Warn of vertices that were dropped. */
void geometry_report(const struct pipeline *p, const struct pipeline_stats *stats, weft_diags *diags);

/* ---- between the stages ---- */


/* setup.c */
struct edge {
    int64_t c; /* c + a * x + b * y of pixel (x, y) is not negative inside; the fill rule is in c */
    int32_t a, b;
    /* The same for samples: exact + (a * x + b * y) * 256 + a * sx + b * sy of the point sx, sy 256ths of a pixel from
     * the centre of pixel (x, y) is not negative inside. c is exact >> 8. */
    int64_t exact;
};

/* A piece of a primitive: a triangle, or with edges of zeros the rectangle `bounds`. */
struct triangle {
    struct edge edge[3];
    struct rect bounds; /* pixels, inside the scissor, that may have a sample inside */
    uint32_t shading;   /* index into the batch's */
    bool rectangle;
    bool small; /* all that it covers is in 8x8 pixels from (bounds.x0, bounds.y0) on, each rounded down to even */
};

/* What the fragment stage needs of a primitive. Its planes are at shading * inputs * 4 in the batch's. */
struct shading {
    struct exec_plane w_plane, z_plane;
    bool w_one, front;
    bool point;                 /* point_coord is there: PCOORD's planes, linear on the screen; else it is 0 */
    struct exec_plane point_coord[2];
    float z_low, z_high;        /* depth is held to it: with depth_clamp the viewport's range, else 0 to 1 or all */
    uint32_t prim_id, layer, viewport;
    struct rect clip; /* pixels */
};

/* Primitives set up together. Arrays grow and are kept from round to round. */
struct batch {
    struct triangle *triangles;
    struct shading *shadings;
    struct exec_plane *planes;
    uint32_t *pairs;     /* tile, triangle */
    uint32_t *bins;      /* triangles, tile by tile */
    uint32_t *bin_start; /* tiles + 1 */
    size_t ntriangles, nshadings, nplanes, npairs;
    size_t triangles_cap, shadings_cap, planes_cap, pairs_cap, bins_cap;
};

/* Room for `more` elements in a malloc'd array; false without memory. */
bool grow(void **array, size_t *cap, size_t count, size_t more, size_t size);
#define GROW(array, cap, count, more) grow((void **)&(array), &(cap), (count), (more), sizeof *(array))

/* clip.c: a point in homogeneous window coordinates: x and y are window coordinates times w, z is clip space z. */
struct clip_point {
    double x, y, z, w;
    bool cut; /* a clip distance is 0 from here to the next point of the polygon */
};
enum { CLIP_MAX_POINTS = 3 + 8 + 6 };
/* Windows coordinates up to this many pixels from the origin are rasterised without clipping. */
#define CLIP_GUARD 65536.0
/* Clip a convex polygon to near, far (unless depth_clamp) and the guard band; returns the number of points left, 0 or 3
 * to count + 6. */
unsigned clip_polygon(const struct clip_point *in, unsigned count, bool half_z, bool depth_clamp,
                      struct clip_point out[CLIP_MAX_POINTS]);

/* fragment.c: the fragment stage of one thread. */
struct fragment_stage;
struct fragment_stage *fragment_stage_new(const struct pipeline *p, struct failure *f);
void fragment_stage_free(struct fragment_stage *s, struct pipeline_stats *stats);
/* Begin the tile at (x, y). With `clear` its blocks are cleared before they are first drawn to, unless that draws all
 * of them, and the rest at the end. */
void fragment_tile(struct fragment_stage *s, int32_t x, int32_t y, bool clear);
void fragment_tile_end(struct fragment_stage *s);
/* Samples of a pixel of the targets: 1, 2, 4 or 8. */
uint32_t fragment_samples(const struct fragment_stage *s);
/* Shade block (x, y) of the tile where `mask` is covered. */
void fragment_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes, int32_t x,
                    int32_t y, lane_mask mask);
/* The same for 8x8 pixels from any even (x, y) on, of which those in `mask` are in the tile, where that serves. */
bool fragment_takes_windows(const struct fragment_stage *s);
void fragment_window(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                     int32_t x, int32_t y, lane_mask mask);
/* The same for multisampled targets: what each sample covers. */
void fragment_block_samples(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                            int32_t x, int32_t y, const lane_mask cover[TARGET_MAX_SAMPLES]);

/* raster.c: the part of a triangle that is inside a tile; raster_samples.c: the same for multisampled targets;
 * raster_window.c: a small one that is inside as a whole, where fragment_takes_windows; false: it is not so. */
void raster_triangle(const struct triangle *t, const struct rect *tile, const struct rect *scissor,
                     const struct device_kernels *kernels, struct fragment_stage *s, const struct shading *shading,
                     const struct exec_plane *planes);
void raster_samples(const struct triangle *t, const struct rect *tile, const struct rect *scissor,
                    const struct device_kernels *kernels, struct fragment_stage *s, const struct shading *shading,
                    const struct exec_plane *planes);
bool raster_window(const struct triangle *t, const struct rect *tile, const struct device_kernels *kernels,
                   struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes);

#endif
