/* tess.c - the tessellation stages: a patch through its control program, the tessellator and its evaluation program.
 *
 * A control program runs as one warp, a lane for each vertex of the patch that it makes; what lanes share is in spaces
 * of kind SHARED: slot 0 the vertices it is given, slot 1 those it makes, slot 2 what it makes for the patch. An
 * evaluation program reads slot 0 and slot 2. Register s of vertex v, component c, is at (v * slots + s) * 16 +
 * c * 4. */
#include "device/tess.h"

#include "base/bytes.h"
#include "device/primitive.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64, SLOT_BYTES = 16, SHARED_IN = 0, SHARED_OUT = 1, SHARED_PATCH = 2, SHARED_SPACES = 3 };

/* A program with the memory that its warp shares. */
struct tess_program {
    const struct stage *stage;
    struct exec_env env;
    struct exec_warp *warp;
    const void *sysval[IR_SYSVALS * 4];
    void **output;
    float *rows;
    uint8_t *shared[SHARED_SPACES];
    size_t size[SHARED_SPACES];
    uint32_t *link; /* by input slot: output slot of the stage before */
};

struct tess_stage {
    const struct pipeline *p;
    struct failure *failure;
    struct tess_program ctrl, eval;
    struct tess_domain domain;
    uint32_t invocation[LANES], prim_id[LANES], vertices_in[LANES];
    float coord[3][LANES], outer[4][LANES], inner[2][LANES];
};

enum topology tess_topology(const struct pipeline *p)
{
    const struct ir_io *io = &p->tess_eval.ir->io;
    return io->tes_points ? POINT_LIST : io->tes_mode == IR_PRIM_LINES ? LINE_LIST : TRIANGLE_LIST;
}

/* ---- programs ---- */

static void free_program(struct tess_program *t, struct pipeline_stats *stats)
{
    if (t->warp && stats) {
        const struct exec_counts *counts = exec_warp_counts(t->warp);
        stats->instructions += counts->lane_insns;
        stats->bad_accesses += counts->bad_access;
        outside_add(&stats->outside, t->stage->ir, t->stage->source, counts, 0);
    }
    if (t->warp)
        exec_warp_free(t->warp);
    free(t->output);
    free(t->rows);
    free(t->link);
    for (unsigned i = 0; i < SHARED_SPACES; i++)
        free(t->shared[i]);
}

void tess_stage_free(struct tess_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    free_program(&s->ctrl, stats);
    free_program(&s->eval, stats);
    tess_domain_free(&s->domain);
    free(s);
}

static bool make_memory(struct tess_program *t, const struct ir_io *from)
{
    const struct ir_io *io = &t->stage->ir->io;
    size_t rows = ((size_t)io->noutputs * 4 + 1) * LANES * sizeof *t->rows;
    t->output = calloc((size_t)io->noutputs * 4 + 1, sizeof *t->output);
    t->rows = aligned_alloc(64, rows);
    t->link = calloc((size_t)io->ninputs + 1, sizeof *t->link);
    t->warp = exec_warp_new(t->stage->program);
    for (unsigned i = 0; i < SHARED_SPACES; i++)
        if (!(t->shared[i] = calloc(1, t->size[i] + 1)))
            return false;
    if (!t->output || !t->rows || !t->link || !t->warp)
        return false;
    memset(t->rows, 0, rows);
    for (uint32_t i = 0; i < io->noutputs * 4; i++)
        t->output[i] = t->rows + (size_t)i * LANES;
    for (uint32_t i = 0; i < io->ninputs; i++)
        t->link[i] = link_slot(&io->inputs[i], from->outputs, from->noutputs);
    return true;
}

/* False without memory. */
static bool make_program(struct tess_stage *s, struct tess_program *t, const struct ir_io *from)
{
    const struct ir_program *ir = t->stage->ir;
    if (!make_memory(t, from))
        return false;
    t->sysval[IR_SYS_PRIM_ID * 4] = s->prim_id;
    t->sysval[IR_SYS_INVOCATION_ID * 4] = s->invocation;
    t->sysval[IR_SYS_VERTICES_IN * 4] = s->vertices_in;
    for (unsigned c = 0; c < 4; c++)
        t->sysval[IR_SYS_TESS_OUTER * 4 + c] = s->outer[c];
    for (unsigned c = 0; c < 2; c++)
        t->sysval[IR_SYS_TESS_INNER * 4 + c] = s->inner[c];
    for (unsigned c = 0; c < 3; c++)
        t->sysval[IR_SYS_TESS_COORD * 4 + c] = s->coord[c];
    bind_resources(&s->p->resources, ir, &t->env);
    for (uint32_t i = 0; i < ir->nspaces && i < EXEC_MAX_SPACES; i++)
        if (ir->spaces[i].kind == IR_SPACE_SHARED && ir->spaces[i].slot < SHARED_SPACES)
            t->env.space[i] = (struct exec_buffer){t->shared[ir->spaces[i].slot], t->size[ir->spaces[i].slot]};
    t->env.output = t->output;
    t->env.sysval = t->sysval;
    weft_status status = exec_bind(t->warp, &t->env);
    if (status != WEFT_OK)
        failure_set(s->failure, status, ir, 0, NULL);
    return true;
}

/* Vertices of a patch that the evaluation program is given. */
static uint32_t patch_size(const struct pipeline *p)
{
    uint32_t made = p->tess_ctrl.program ? p->tess_ctrl.ir->io.tcs_vertices_out : p->patch_vertices;
    return made < PIPELINE_PATCH_VERTICES ? made : PIPELINE_PATCH_VERTICES;
}

struct tess_stage *tess_stage_new(const struct pipeline *p, struct failure *f)
{
    struct tess_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    s->failure = f;
    for (uint32_t lane = 0; lane < LANES; lane++)
        s->invocation[lane] = lane;
    const struct ir_io *vertex = &p->vertex.ir->io, *ctrl = p->tess_ctrl.program ? &p->tess_ctrl.ir->io : NULL;
    const struct ir_io *eval = &p->tess_eval.ir->io;
    s->ctrl.stage = &p->tess_ctrl;
    s->eval.stage = &p->tess_eval;
    s->eval.size[SHARED_IN] = (size_t)patch_size(p) * eval->ninputs * SLOT_BYTES;
    s->eval.size[SHARED_PATCH] = (size_t)eval->ninputs * SLOT_BYTES;
    bool ok = make_program(s, &s->eval, ctrl ? ctrl : vertex);
    if (ok && ctrl) {
        s->ctrl.size[SHARED_IN] = (size_t)p->patch_vertices * ctrl->ninputs * SLOT_BYTES;
        s->ctrl.size[SHARED_OUT] = (size_t)patch_size(p) * ctrl->noutputs * SLOT_BYTES;
        s->ctrl.size[SHARED_PATCH] = (size_t)ctrl->noutputs * SLOT_BYTES;
        ok = make_program(s, &s->ctrl, vertex);
    }
    if (ok)
        return s;
    tess_stage_free(s, NULL);
    return NULL;
}

/* Run a warp through its barriers: lanes of one warp are at one together. */
static bool run_through(struct tess_stage *s, struct tess_program *t, unsigned lanes)
{
    lane_mask active = lanes >= LANES ? ~(lane_mask)0 : ((lane_mask)1 << lanes) - 1;
    enum exec_stop stop = exec_run(t->warp, active, active, s->p->budget);
    while (stop == EXEC_AT_BARRIER)
        stop = exec_resume(t->warp);
    if (failure_late(s->failure->until))
        failure_set(s->failure, WEFT_ERROR_TIME, t->stage->ir, exec_warp_insn(t->warp), NULL);
    failure_of_warp(s->failure, stop, t->warp, t->stage->ir);
    return stop == EXEC_DONE;
}

/* ---- a patch ---- */

/* Numbers that a program stored. */
static void read_levels(const uint8_t *at, float *levels, unsigned count)
{
    memcpy(levels, at, count * sizeof *levels);
    bytes_turn_words(levels, count);
}

/* The levels that a control program wrote, or those of the draw; in every lane. */
static void find_levels(struct tess_stage *s, float outer[4], float inner[2])
{
    const struct pipeline *p = s->p;
    memcpy(outer, p->tess_outer, 4 * sizeof *outer);
    memcpy(inner, p->tess_inner, 2 * sizeof *inner);
    const struct ir_io *io = p->tess_ctrl.program ? &p->tess_ctrl.ir->io : NULL;
    for (uint32_t i = 0; io && i < io->noutputs; i++) {
        const uint8_t *at = s->ctrl.shared[SHARED_PATCH] + (size_t)i * SLOT_BYTES;
        if (io->outputs[i].semantic == IR_SEM_TESSOUTER)
            read_levels(at, outer, 4);
        if (io->outputs[i].semantic == IR_SEM_TESSINNER)
            read_levels(at, inner, 2);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            s->outer[c][lane] = outer[c];
        for (unsigned c = 0; c < 2; c++)
            s->inner[c][lane] = inner[c];
    }
}

/* What the control program made becomes the evaluation program's input. */
static void hand_on(struct tess_stage *s)
{
    float absent[4] = {0, 0, 0, 1};
    bytes_turn_words(absent, 4);
    const struct ir_io *to = &s->p->tess_eval.ir->io, *from = &s->p->tess_ctrl.ir->io;
    for (uint32_t slot = 0; slot < to->ninputs; slot++) {
        uint32_t link = s->eval.link[slot];
        for (uint32_t v = 0; v < patch_size(s->p); v++) {
            const void *out = absent;
            if (link != LINK_NONE)
                out = s->ctrl.shared[SHARED_OUT] + ((size_t)v * from->noutputs + link) * SLOT_BYTES;
            memcpy(s->eval.shared[SHARED_IN] + ((size_t)v * to->ninputs + slot) * SLOT_BYTES, out, SLOT_BYTES);
        }
        const void *patch = absent;
        if (link != LINK_NONE)
            patch = s->ctrl.shared[SHARED_PATCH] + (size_t)link * SLOT_BYTES;
        memcpy(s->eval.shared[SHARED_PATCH] + (size_t)slot * SLOT_BYTES, patch, SLOT_BYTES);
    }
}

/* Evaluate the points of the domain, a warp at a time. */
static bool evaluate(struct tess_stage *s, struct expansion *out)
{
    uint32_t components = s->p->tess_eval.ir->io.noutputs * 4;
    size_t most = s->p->tess_eval.ir->lanes;
    for (size_t first = 0; first < s->domain.npoints; first += most) {
        unsigned lanes = (unsigned)(s->domain.npoints - first < most ? s->domain.npoints - first : most);
        for (unsigned lane = 0; lane < lanes; lane++)
            for (unsigned c = 0; c < 3; c++)
                s->coord[c][lane] = s->domain.points[first + lane].at[c];
        if (!run_through(s, &s->eval, lanes))
            return true;
        for (unsigned lane = 0; lane < lanes; lane++)
            if (expansion_vertex(out, components, s->eval.output, lane) == SIZE_MAX)
                return false;
    }
    bool provoking_first = s->p->provoking_first;
    for (size_t i = 0; i < s->domain.nindices; i += s->domain.corners)
        if (!expansion_primitive(out, s->domain.indices + i, s->domain.corners, provoking_first ? 0 : 2,
                                 provoking_first, s->prim_id[0]))
            return false;
    return true;
}

/* Give the patch to its control program, or its vertices to the evaluation program. False after a failure. */
static bool control(struct tess_stage *s, const struct stage_input *in, const uint32_t *vertex, unsigned count)
{
    struct tess_program *t = s->p->tess_ctrl.program ? &s->ctrl : &s->eval;
    for (unsigned lane = 0; lane < LANES; lane++)
        s->vertices_in[lane] = count;
    stage_inputs(in->v, vertex, count, t->link, t->stage->ir->io.ninputs, t->shared[SHARED_IN], t->size[SHARED_IN]);
    if (t == &s->eval)
        return true;
    memset(t->shared[SHARED_OUT], 0, t->size[SHARED_OUT]);
    memset(t->shared[SHARED_PATCH], 0, t->size[SHARED_PATCH]);
    if (!run_through(s, t, patch_size(s->p)))
        return false;
    hand_on(s);
    for (unsigned lane = 0; lane < LANES; lane++)
        s->vertices_in[lane] = patch_size(s->p);
    return true;
}

void tess_stage_run(struct tess_stage *s, const struct stage_input *in, uint64_t patch, struct expansion *out)
{
    uint32_t vertex[PIPELINE_PATCH_VERTICES], id;
    float outer[4], inner[2];
    expansions_clear(out, 1);
    unsigned count = assembly_vertices(in->a, patch, vertex, &id);
    if (!count)
        return;
    for (unsigned lane = 0; lane < LANES; lane++)
        s->prim_id[lane] = id;
    if (!control(s, in, vertex, count))
        return;
    find_levels(s, outer, inner);
    if (!tess_divide(&s->domain, &s->p->tess_eval.ir->io, outer, inner) || !evaluate(s, out))
        failure_set(s->failure, WEFT_ERROR_MEMORY, NULL, 0, NULL);
}
