/* lift_stage.c - programs of primitives and patches: geometry, tessellation. Vertices that they are given, and what a
 * tessellation control program makes, are in memory of the device (ir/io.h); the linkage says which component is in
 * which register. */
#include "isa/rogue/lift.h"

enum { SLOT_BYTES = 16, COMPONENT_BYTES = 4 };

bool rogue_stage_of_vertices(const struct rogue_lifter *l)
{
    return l->stage == IR_GEOMETRY || l->stage == IR_TESS_CTRL || l->stage == IR_TESS_EVAL;
}

/* ---- declaring ---- */

void rogue_declare_stage(struct rogue_lifter *l)
{
    struct ir_io *io = &l->b.p->io;
    for (unsigned i = 0; i < ROGUE_STAGE_SPACES; i++)
        l->stage_space[i] = LIFT_NONE;
    if (l->stage == IR_GEOMETRY) {
        io->gs_input = l->link.geometry.input;
        io->gs_output = l->link.geometry.output;
        io->gs_max_vertices = l->link.geometry.vertices;
        io->gs_invocations = l->link.geometry.invocations;
        io->gs_streams = rogue_uvsw_streams(l->m);
    }
    io->tcs_vertices_out = l->stage == IR_TESS_CTRL ? l->link.tessellation.vertices : 0;
    if (l->stage == IR_TESS_EVAL) {
        io->tes_mode = l->link.tessellation.mode;
        io->tes_spacing = l->link.tessellation.spacing;
        io->tes_cw = l->link.tessellation.cw;
        io->tes_points = l->link.tessellation.points;
    }
}

/* ---- memory ---- */

static uint32_t vertex_bytes(const struct rogue_lifter *l, enum rogue_stage_space which)
{
    const struct ir_io *io = &l->b.p->io;
    return (which == ROGUE_STAGE_OUT ? io->noutputs : io->ninputs) * (uint32_t)SLOT_BYTES;
}

static uint64_t space_bytes(const struct rogue_lifter *l, enum rogue_stage_space which)
{
    const struct ir_io *io = &l->b.p->io;
    switch (which) {
    case ROGUE_STAGE_OUT:
        return (uint64_t)io->tcs_vertices_out * vertex_bytes(l, which);
    case ROGUE_STAGE_PATCH:
        return (uint64_t)(l->stage == IR_TESS_CTRL ? io->noutputs : io->ninputs) * SLOT_BYTES;
    default: /* how many vertices a patch has, the draw says */
        return l->stage == IR_GEOMETRY ? (uint64_t)rogue_vertices_in(&l->link, l->stage) * vertex_bytes(l, which) : 0;
    }
}

static struct ir_mem memory(struct rogue_lifter *l, enum rogue_stage_space which, int64_t offset)
{
    static const char *const names[ROGUE_STAGE_SPACES] = {"vertices", "made", "patch"};
    if (l->stage_space[which] == LIFT_NONE) {
        struct ir_space space = {.name = names[which],
                                 .kind = l->stage == IR_GEOMETRY ? IR_SPACE_INPUT : IR_SPACE_SHARED,
                                 .bounds = IR_BOUNDS_ZERO,
                                 .slot = (uint16_t)which,
                                 .size = space_bytes(l, which)};
        l->stage_space[which] = ir_add_space(l->b.p, space);
    }
    return (struct ir_mem){(uint16_t)l->stage_space[which], IR_F32, 1, COMPONENT_BYTES, offset};
}

ir_value rogue_stage_input(struct rogue_lifter *l, uint32_t i)
{
    const struct rogue_place *p = &l->link.places[i];
    enum rogue_stage_space which = p->patch ? ROGUE_STAGE_PATCH : ROGUE_STAGE_IN;
    int64_t vertex = p->patch ? 0 : (int64_t)p->vertex * vertex_bytes(l, which);
    int64_t at = vertex + (int64_t)l->slot[i] * SLOT_BYTES + p->component * COMPONENT_BYTES;
    return ir_load(&l->b, memory(l, which, at), IR_F32, rogue_word(l, 0));
}

/* A control program's instance makes the vertex of its number; what is the patch's, all of them write. */
static void store_output(struct rogue_lifter *l, uint32_t i, unsigned component, ir_value f, ir_value pred)
{
    bool patch = l->link.places[i].patch;
    enum rogue_stage_space which = patch ? ROGUE_STAGE_PATCH : ROGUE_STAGE_OUT;
    ir_value to = rogue_word(l, 0);
    if (!patch)
        to = ir_op2(&l->b, IR_MUL, 0, ir_sysval(&l->b, IR_SYS_INVOCATION_ID, IR_I32, 0),
                    rogue_word(l, vertex_bytes(l, which)));
    int64_t at = (int64_t)l->slot[i] * SLOT_BYTES + (int64_t)component * COMPONENT_BYTES;
    ir_store(&l->b, memory(l, which, at), to, &f, pred);
}

void rogue_put_output(struct rogue_lifter *l, uint32_t i, unsigned component, ir_value v, ir_value pred)
{
    ir_value f = ir_as(&l->b, IR_F32, v);
    if (l->stage == IR_TESS_CTRL)
        store_output(l, i, component, f, pred);
    else
        ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &f, 1, l->slot[i], component, pred);
}
