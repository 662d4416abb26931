/* primitive.h - between vertices and pixels: what assembly, geometry stages and setup hand each other.
 *
 *   assemble.c   a topology's primitives, one by one
 *   tess.c, tess_domain.c     patches to vertices; geometry.c   primitives to strips; geometry_output.c   their results
 *   setup.c      primitives to pieces and planes; line.c, point.c   what is not a triangle
 */
#ifndef WEFT_DEVICE_PRIMITIVE_H
#define WEFT_DEVICE_PRIMITIVE_H

#include "device/pipeline.h"

/* ---- assemble.c ---- */

/* Consecutive vertices between restarts. */
struct run {
    uint32_t first, count;
    uint32_t primitive; /* number of the first one */
};

/* Primitives of vertices in order or of indices; of `instances` times the same, `stride` vertices apart. */
struct assembly {
    enum topology topology;
    bool provoking_first;
    uint32_t patch_vertices;
    const uint32_t *indices;    /* NULL: vertices in order */
    const uint32_t *ids;        /* of primitives; NULL: their numbers */
    struct run *runs;
    uint32_t nruns;
    uint32_t primitives;        /* of an instance */
    uint32_t stride;
    uint32_t vertices;          /* of an instance: primitives with others are dropped */
};

/* Corners of a primitive, adjacent vertices left out. */
struct primitive {
    uint32_t vertex[3];
    uint32_t provoking;
    uint8_t count;  /* 1, 2 or 3 */
    uint8_t edges;  /* edges that polygon mode draws: bit 0 from vertex 0 to vertex 1, ... */
    uint32_t id;
};

/* Find the runs of `count` vertices or indices. False without memory. */
bool assembly_init(struct assembly *a, uint32_t count, bool restart, uint32_t restart_index);
void assembly_free(struct assembly *a);
/* Primitive n, counted through the instances; false for one that names a vertex that is not there. */
bool assembly_primitive(const struct assembly *a, uint64_t n, struct primitive *out);
/* The same with all vertices, adjacent ones too, in the order that a geometry program or a patch has them. Returns how
 * many, 0 as above. */
unsigned assembly_vertices(const struct assembly *a, uint64_t n, uint32_t vertex[PIPELINE_PATCH_VERTICES],
                           uint32_t *id);

/* ---- geometry_output.c: what a geometry or tessellation stage made ---- */

/* A list of points, lines or triangles. */
struct expansion {
    float *values;     /* vertex by vertex, slots * 4 each */
    uint32_t *indices; /* corners, primitive by primitive; the provoking vertex is where the draw has it */
    uint32_t *ids;     /* of the primitives */
    size_t nvertices, nindices, nids;
    size_t values_cap, indices_cap, ids_cap;
};
/* Add a vertex whose component c is rows[c][lane]; SIZE_MAX without memory. */
size_t expansion_vertex(struct expansion *e, uint32_t components, void *const *rows, unsigned lane);
/* Add a primitive of 1 to 3 vertices, given in the order of its orientation with the provoking vertex at place
 * `provoking`. False without memory. */
bool expansion_primitive(struct expansion *e, const uint32_t *vertex, unsigned count, unsigned provoking,
                         bool provoking_first, uint32_t id);
/* Empty them; their memory is kept. */
void expansions_clear(struct expansion *e, size_t count);
void expansion_free(struct expansion *e);

/* Several of them, in order, as vertices and a list to assemble. `ids` and `indices` belong to the assembly. */
struct expanded {
    struct vertices vertices;
    struct assembly assembly;
    uint32_t *indices, *ids;
};
/* False without memory, or for more than 2^32 vertices. */
bool expanded_join(struct expanded *to, const struct expansion *e, size_t count, const struct ir_io *io,
                   enum topology topology, bool provoking_first);
void expanded_free(struct expanded *e);

/* Where an input slot of a stage comes from: by semantic and index. LINK_NONE: nowhere. */
uint32_t link_slot(const struct ir_slot *in, const struct ir_slot *out, uint32_t outs);

/* ---- geometry.c, tess.c: a thread's own stages ---- */

/* What they read: primitives of vertices. */
struct stage_input {
    const struct vertices *v;
    const struct assembly *a;
};

/* Lay out the inputs of a primitive: slot s of vertex v, component c, at (v * slots + s) * 16 + c * 4; what is not
 * linked is (0, 0, 0, 1). No more than `size` bytes. */
void stage_inputs(const struct vertices *v, const uint32_t *vertex, unsigned count, const uint32_t *link,
                  uint32_t slots, uint8_t *to, size_t size);

struct geometry_stage;
struct geometry_stage *geometry_stage_new(const struct pipeline *p, struct failure *f);
void geometry_stage_free(struct geometry_stage *s, struct pipeline_stats *stats);
/* Primitives that one warp takes. */
uint32_t geometry_batch(const struct pipeline *p);
/* Run primitives first to first + count - 1, at most a batch. */
void geometry_stage_run(struct geometry_stage *s, const struct stage_input *in, uint64_t first, uint32_t count,
                        struct expansion *out);
enum topology geometry_topology(const struct pipeline *p);

struct tess_stage;
struct tess_stage *tess_stage_new(const struct pipeline *p, struct failure *f);
void tess_stage_free(struct tess_stage *s, struct pipeline_stats *stats);
/* One patch. */
void tess_stage_run(struct tess_stage *s, const struct stage_input *in, uint64_t patch, struct expansion *out);
enum topology tess_topology(const struct pipeline *p);

/* ---- outlets: what the device itself reads of the last vertex stage ---- */

enum { MAX_DISTANCES = 8 };
struct component {
    uint16_t slot;
    uint8_t component;
};
struct outlet {
    uint32_t position, psize, layer, viewport, viewport_mask, prim_id, edge_flag; /* slots; LINK_NONE: not written */
    struct component clip[MAX_DISTANCES], cull[MAX_DISTANCES];
    unsigned clips, culls;
    bool window_space;
};
/* Find them among the outputs of a stage; io NULL: of a ready mesh. */
struct outlet outlet_find(const struct ir_slot *slot, uint32_t slots, const struct ir_io *io);

/* ---- setup.c ---- */

struct point {
    int32_t x, y; /* in 1/256 of a pixel */
};

/* places.c: a vertex in the first viewport. */
struct vertex_place {
    struct clip_point point; /* homogeneous window coordinates */
    struct point at;
    bool inside; /* nothing clips it; otherwise the others may be anything */
};

struct setup {
    const struct pipeline *p;
    const struct vertices *v;
    const struct vertex_place *places; /* of the vertices; NULL: they are found corner by corner */
    const struct outlet *outlet;
    const uint16_t *link; /* of the fragment inputs */
    const uint16_t *back; /* the same for back faces: BCOLOR, where it is written, for COLOR; NULL: `link` */
    bool multisample;
    struct batch *out;
};

/* What the pieces of a primitive have in common. */
struct face {
    const struct viewport *view;
    struct rect clip;
    uint32_t prim_id, layer, viewport;
    uint32_t provoking;
    bool front;
    bool own_depth; /* of a triangle drawn as lines or points: its depth bias is added */
    double bias;
};

/* Set up a primitive; false without memory. */
bool setup_primitive(const struct setup *s, const struct primitive *primitive);

int32_t snap(double v);
struct rect intersect(struct rect a, struct rect b);
/* The vertex in homogeneous window coordinates; false when it is not finite. */
bool read_point(const struct setup *s, const struct viewport *view, uint32_t vertex, struct clip_point *point);
/* Pieces for the shading that comes next; false without memory. Bit i of `cuts`: a clip distance is 0 from v[i] to the
 * next corner, and pixels there are inside. */
bool add_triangle(const struct setup *s, const struct face *face, const struct point v[3], bool positive,
                  unsigned cuts);
bool add_rectangle(const struct setup *s, const struct face *face, struct rect bounds);
/* The shading of the pieces added since the batch had `before` of them, with planes through three points in homogeneous
 * window coordinates that have the inputs of vertex[0..2]. A face without pieces or on edge is left out. */
bool add_shading(const struct setup *s, const struct face *face, size_t before, const struct clip_point corner[3],
                 const uint32_t vertex[3]);

/* places.c: whether places of vertices serve a draw, and those of `count` vertices from `first` on. */
bool places_serve(const struct pipeline *p, const struct outlet *o);
void places_make(const struct setup *s, uint32_t first, uint32_t count, struct vertex_place *places);

/* line.c, point.c: false without memory. */
bool setup_line(const struct setup *s, const struct face *face, const uint32_t vertex[2]);
bool setup_point(const struct setup *s, const struct face *face, uint32_t vertex);

/* ---- clip.c ---- */

/* Clip distances of a primitive's corners. */
struct distances {
    unsigned count;
    double at[3][MAX_DISTANCES];
};
/* Read those of `n` vertices. False: nothing is left, by clip or by cull distances. */
bool read_distances(const struct setup *s, const uint32_t *vertex, unsigned n, struct distances *d);
/* What the clip distances leave of a triangle: returns the number of points, 0 or 3 to CLIP_MAX_POINTS - 6. */
unsigned clip_distances(const struct clip_point in[3], const struct distances *d, struct clip_point *out);
/* The part of a line that is left, from *t0 to *t1 of the way; false: nothing. */
bool clip_line(const struct clip_point in[2], const struct distances *d, bool half_z, bool depth_clamp, double *t0,
               double *t1);
/* Whether a point is inside near, far and the guard band. */
bool clip_inside(const struct clip_point *p, bool half_z, bool depth_clamp);

#endif
