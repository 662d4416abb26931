/* vertex.h - which vertices a draw shades, and the stage that does it. */
#ifndef WEFT_DEVICE_VERTEX_H
#define WEFT_DEVICE_VERTEX_H

#include "device/pipeline.h"

enum { RESTART = UINT32_MAX }; /* in indices that a vertex source made */

/* Vertices of one instance: numbers first, first + 1, ..., or a list. */
struct vertex_source {
    uint32_t first, count;
    uint32_t *elements;      /* numbers, NULL: in order */
    const uint32_t *indices; /* places among them; NULL: the draw has none */
    uint32_t *own_indices;
    uint32_t restart_index;
    uint32_t first_instance; /* of the vertices that are shaded next */
};

/* Find what a draw needs; false without memory. Free it in any case. */
bool vertex_source_init(struct vertex_source *source, const struct pipeline *p);
void vertex_source_free(struct vertex_source *source);

/* One warp of vertices of the thread's own; `out` has those of all instances, one after the other. */
struct vertex_stage;
struct vertex_stage *vertex_stage_new(const struct pipeline *p, const struct vertex_source *source,
                                      struct vertices *out, struct failure *f);
void vertex_stage_run(struct vertex_stage *s, uint32_t warp);
void vertex_stage_free(struct vertex_stage *s, struct pipeline_stats *stats);

#endif
