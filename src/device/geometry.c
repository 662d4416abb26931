/* geometry.c - the geometry stage: a lane per primitive and invocation, strips kept lane by lane.
 *
 * A program reads its inputs from a space of kind INPUT, where each lane has a part of the space's size: input slot s
 * of vertex v, component c, is at (v * inputs + s) * 16 + c * 4. EMIT keeps what the output rows hold; lanes' results
 * are joined in the order of primitives and invocations. Only stream 0 is rasterised. */
#include "base/bytes.h"
#include "base/diag.h"
#include "device/primitive.h"
#include "device/warps.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64 };

/* What a lane has emitted. */
struct emitted {
    uint32_t count;  /* vertices, all streams */
    uint32_t strip;  /* vertices of the strip so far */
    uint32_t last[2];
    uint32_t id;
    struct expansion made;
};

struct geometry_stage {
    const struct pipeline *p;
    struct failure *failure;
    struct exec_env env;
    struct warps warps;
    void **output; /* outputs * 4 */
    float *rows;
    const void *sysval[IR_SYSVALS * 4];
    uint32_t prim_id[LANES], invocation[LANES], vertices_in[LANES];
    uint8_t *inputs;   /* of all lanes */
    size_t input_size; /* of one */
    uint32_t *link;    /* by input slot */
    struct emitted lane[LANES];
    uint64_t dropped; /* vertices beyond the program's limit */
    bool out_of_memory;
};

/* ---- output ---- */

/* The topology of the lists that strips become. */
enum topology geometry_topology(const struct pipeline *p)
{
    switch (p->geometry.ir->io.gs_output) {
    case IR_PRIM_POINTS:
        return POINT_LIST;
    case IR_PRIM_LINES:
    case IR_PRIM_LINE_STRIP:
        return LINE_LIST;
    default:
        return TRIANGLE_LIST;
    }
}

/* A vertex joins the strip: the primitive that it completes. */
static bool join_strip(struct geometry_stage *s, struct emitted *e, uint32_t vertex)
{
    bool first = s->p->provoking_first, ok = true;
    uint32_t n = e->strip++;
    switch (geometry_topology(s->p)) {
    case POINT_LIST:
        return expansion_primitive(&e->made, &vertex, 1, 0, first, e->id);
    case LINE_LIST:
        if (n >= 1)
            ok = expansion_primitive(&e->made, (const uint32_t[]){e->last[1], vertex}, 2, 0, first, e->id);
        break;
    default:
        if (n >= 2) {
            bool odd = n & 1;
            const uint32_t v[3] = {e->last[odd], e->last[!odd], vertex};
            ok = expansion_primitive(&e->made, v, 3, first ? odd : 2, first, e->id);
        }
        break;
    }
    e->last[0] = e->last[1];
    e->last[1] = vertex;
    return ok;
}

static void emit(struct geometry_stage *s, unsigned lane, uint64_t stream)
{
    const struct ir_io *io = &s->p->geometry.ir->io;
    struct emitted *e = &s->lane[lane];
    if (e->count >= io->gs_max_vertices) {
        s->dropped++;
        return;
    }
    e->count++;
    if (stream)
        return;
    size_t vertex = expansion_vertex(&e->made, io->noutputs * 4, s->output, lane);
    s->out_of_memory |= vertex == SIZE_MAX || !join_strip(s, e, (uint32_t)vertex);
}

static void texture(void *device, const struct exec_texture_call *call)
{
    const struct geometry_stage *s = device;
    resource_texture(&s->p->resources, call);
}

static weft_status service(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                           void *const *results)
{
    struct geometry_stage *s = device;
    if (op->code != IR_EMIT && op->code != IR_CUT)
        return resource_service(&s->p->resources, w, op, args, results);
    for (lane_mask m = exec_active(w); m; m &= m - 1) {
        unsigned lane = exec_warp_env(w)->first_lane + (unsigned)__builtin_ctzll(m);
        if (op->code == IR_EMIT)
            emit(s, lane, op->imm);
        else if (op->imm == 0)
            s->lane[lane].strip = 0;
    }
    if (!s->out_of_memory)
        return WEFT_OK;
    failure_set(s->failure, WEFT_ERROR_MEMORY, NULL, 0, NULL); /* before the warp stops with a fault */
    return WEFT_ERROR_MEMORY;
}

/* ---- the stage ---- */

void geometry_stage_free(struct geometry_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    if (stats) {
        struct exec_counts counts = warps_counts(&s->warps);
        stats->instructions += counts.lane_insns;
        stats->bad_accesses += counts.bad_access;
        stats->dropped_vertices += s->dropped;
        outside_add(&stats->outside, s->p->geometry.ir, s->p->geometry.source, &counts, 0);
    }
    warps_free(&s->warps);
    for (unsigned i = 0; i < LANES; i++)
        expansion_free(&s->lane[i].made);
    free(s->output);
    free(s->rows);
    free(s->inputs);
    free(s->link);
    free(s);
}

void geometry_report(const struct pipeline *p, const struct pipeline_stats *stats, weft_diags *diags)
{
    if (stats->dropped_vertices)
        diag_add(
            diags, WEFT_WARNING, "dropped-vertices", p->geometry.source ? p->geometry.source->name : NULL, NULL,
            "%llu %s dropped: an invocation of the geometry program emits at most %u, which is the program's limit",
            (unsigned long long)stats->dropped_vertices, stats->dropped_vertices == 1 ? "vertex was" : "vertices were",
            p->geometry.ir->io.gs_max_vertices);
}

static uint32_t invocations(const struct pipeline *p)
{
    uint32_t n = p->geometry.ir->io.gs_invocations;
    return n ? n : 1;
}

uint32_t geometry_batch(const struct pipeline *p)
{
    uint32_t n = LANES / invocations(p);
    return n ? n : 1;
}

/* The space of the inputs; NULL when the program reads none. */
static const struct ir_space *input_space(const struct ir_program *ir, struct exec_env *env, uint8_t *data)
{
    for (uint32_t i = 0; i < ir->nspaces && i < EXEC_MAX_SPACES; i++)
        if (ir->spaces[i].kind == IR_SPACE_INPUT) {
            env->space[i] = (struct exec_buffer){data, ir->spaces[i].size};
            return &ir->spaces[i];
        }
    return NULL;
}

struct geometry_stage *geometry_stage_new(const struct pipeline *p, struct failure *f)
{
    const struct ir_io *io = &p->geometry.ir->io;
    const struct ir_space *space = input_space(p->geometry.ir, &(struct exec_env){0}, NULL);
    struct geometry_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    s->failure = f;
    s->input_size = space ? (size_t)space->size : 0;
    s->inputs = calloc(LANES, s->input_size + 1);
    s->output = calloc((size_t)io->noutputs * 4 + 1, sizeof *s->output);
    s->rows = aligned_alloc(64, ((size_t)io->noutputs * 4 + 1) * LANES * sizeof *s->rows);
    s->link = calloc((size_t)io->ninputs + 1, sizeof *s->link);
    bool warps = warps_new(&s->warps, p->geometry.program, p->geometry.ir);
    if (!warps || !s->inputs || !s->output || !s->rows || !s->link) {
        geometry_stage_free(s, NULL);
        return NULL;
    }
    memset(s->rows, 0, ((size_t)io->noutputs * 4 + 1) * LANES * sizeof *s->rows);
    for (uint32_t i = 0; i < io->noutputs * 4; i++)
        s->output[i] = s->rows + (size_t)i * LANES;
    const struct ir_io *from = p->tess_eval.program ? &p->tess_eval.ir->io : &p->vertex.ir->io;
    for (uint32_t i = 0; i < io->ninputs; i++)
        s->link[i] = link_slot(&io->inputs[i], from->outputs, from->noutputs);
    s->sysval[IR_SYS_PRIM_ID * 4] = s->prim_id;
    s->sysval[IR_SYS_INVOCATION_ID * 4] = s->invocation;
    s->sysval[IR_SYS_VERTICES_IN * 4] = s->vertices_in;
    bind_resources(&p->resources, p->geometry.ir, &s->env);
    input_space(p->geometry.ir, &s->env, s->inputs);
    s->env.output = s->output;
    s->env.sysval = s->sysval;
    s->env.device = s;
    s->env.texture = texture;
    s->env.service = service;
    weft_status status = warps_bind(&s->warps, &s->env);
    if (status != WEFT_OK)
        failure_set(f, status, p->geometry.ir, 0, NULL);
    return s;
}

void stage_inputs(const struct vertices *v, const uint32_t *vertex, unsigned count, const uint32_t *link,
                  uint32_t slots, uint8_t *to, size_t size)
{
    static const float absent[4] = {0, 0, 0, 1};
    for (unsigned i = 0; i < count; i++)
        for (uint32_t slot = 0; slot < slots; slot++) {
            size_t at = ((size_t)i * slots + slot) * sizeof absent;
            if (at + sizeof absent > size)
                return;
            memcpy(to + at, absent, sizeof absent);
            for (unsigned c = 0; link[slot] != LINK_NONE && c < 4; c++)
                memcpy(to + at + c * sizeof(float), vertex_row(v, vertex[i] / 64, link[slot], c) + vertex[i] % 64,
                       sizeof(float));
            bytes_turn_words(to + at, 4);
        }
}

/* Fill in a lane; false when its primitive is not there. */
static bool load_lane(struct geometry_stage *s, const struct stage_input *in, uint64_t primitive, unsigned lane,
                      uint32_t invocation)
{
    uint32_t vertex[PIPELINE_PATCH_VERTICES], id;
    unsigned count = assembly_vertices(in->a, primitive, vertex, &id);
    if (!count)
        return false;
    s->prim_id[lane] = s->lane[lane].id = id;
    s->invocation[lane] = invocation;
    s->vertices_in[lane] = count;
    stage_inputs(in->v, vertex, count, s->link, s->p->geometry.ir->io.ninputs, s->inputs + lane * s->input_size,
                 s->input_size);
    return true;
}

/* Add what a lane has made to the result. */
static bool take_lane(struct expansion *out, struct expansion *made, uint32_t components)
{
    size_t first = out->nvertices, values = made->nvertices * components;
    if (!GROW(out->values, out->values_cap, first * components, values) ||
        !GROW(out->indices, out->indices_cap, out->nindices, made->nindices) ||
        !GROW(out->ids, out->ids_cap, out->nids, made->nids))
        return false;
    if (values)
        memcpy(out->values + first * components, made->values, values * sizeof *made->values);
    for (size_t i = 0; i < made->nindices; i++)
        out->indices[out->nindices++] = made->indices[i] + (uint32_t)first;
    for (size_t i = 0; i < made->nids; i++)
        out->ids[out->nids++] = made->ids[i];
    out->nvertices += made->nvertices;
    return true;
}

void geometry_stage_run(struct geometry_stage *s, const struct stage_input *in, uint64_t first, uint32_t count,
                        struct expansion *out)
{
    const struct ir_program *ir = s->p->geometry.ir;
    uint64_t lanes = (uint64_t)count * invocations(s->p);
    expansions_clear(out, 1);
    /* More than one warp only where a primitive has more invocations than a warp has lanes. */
    for (uint64_t done = 0; done < lanes; done += LANES) {
        lane_mask active = 0;
        for (unsigned lane = 0; lane < LANES && done + lane < lanes; lane++) {
            uint64_t n = done + lane;
            struct emitted *e = &s->lane[lane];
            e->count = e->strip = 0;
            expansions_clear(&e->made, 1);
            if (load_lane(s, in, first + n / invocations(s->p), lane, (uint32_t)(n % invocations(s->p))))
                active |= (lane_mask)1 << lane;
        }
        if (active && !warps_run(&s->warps, active, active, s->p->budget, s->failure))
            return;
        for (lane_mask m = active; m; m &= m - 1)
            s->out_of_memory |= !take_lane(out, &s->lane[__builtin_ctzll(m)].made, ir->io.noutputs * 4);
        if (s->out_of_memory)
            failure_set(s->failure, WEFT_ERROR_MEMORY, NULL, 0, NULL);
    }
}
