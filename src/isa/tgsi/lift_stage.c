/* lift_stage.c - geometry and tessellation programs (document: "Geometry ISA", "Declaration"): registers that are in
 * memory, laid out as io.h says, and the vertices that a geometry program emits.
 *
 * In these programs the slot of an input is its register, and that of a tessellation control program's output too, so
 * that a register chosen at run time is a slot chosen at run time. */
#include "isa/tgsi/lift.h"

#include <string.h>

enum { SLOT_BYTES = 16, NOWHERE = 0x80000000u /* beyond every buffer, whatever is added */ };

/* Whether a register is in memory, and in which space. */
static bool find_space(const struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned *which)
{
    if (o->file == TGSI_INPUT && o->dimensional && tgsi_has_vertices(l->m->processor)) {
        *which = TGSI_LIFT_STAGE_IN;
        return true;
    }
    if (o->file == TGSI_OUTPUT && l->m->processor == TGSI_TESS_CTRL) {
        *which = o->dimensional ? TGSI_LIFT_STAGE_OUT : TGSI_LIFT_STAGE_PATCH;
        return true;
    }
    *which = TGSI_LIFT_STAGE_PATCH;
    if (o->file != TGSI_INPUT || l->m->processor != TGSI_TESS_EVAL)
        return false;
    uint32_t first = (uint32_t)o->index.value, last = first;
    if (o->index.indirect)
        tgsi_lift_reach(l, o->file, o->index.array, &first, &last);
    return first < l->b.p->io.ninputs && l->b.p->io.inputs[first].patch;
}

bool tgsi_lift_in_memory(const struct tgsi_lifter *l, const struct tgsi_operand *o)
{
    unsigned which;
    return find_space(l, o, &which);
}

/* Bytes of one vertex. */
static uint32_t vertex_bytes(const struct tgsi_lifter *l, unsigned which)
{
    return (which == TGSI_LIFT_STAGE_OUT ? l->b.p->io.noutputs : l->b.p->io.ninputs) * (uint32_t)SLOT_BYTES;
}

static uint32_t space_of(struct tgsi_lifter *l, unsigned which)
{
    static const char *const names[] = {"IN", "OUT", "PATCH"};
    bool geometry = l->m->processor == TGSI_GEOM;
    const struct ir_io *io = &l->b.p->io;
    if (l->stage_space[which] != LIFT_NONE)
        return l->stage_space[which];
    struct ir_space space = {.name = names[which],
                             .kind = geometry ? IR_SPACE_INPUT : IR_SPACE_SHARED,
                             .bounds = IR_BOUNDS_ZERO,
                             .slot = (uint16_t)which};
    if (geometry)
        space.size = (uint64_t)tgsi_primitive_vertices(l->m) * vertex_bytes(l, which);
    else if (which == TGSI_LIFT_STAGE_OUT)
        space.size = (uint64_t)io->tcs_vertices_out * vertex_bytes(l, which);
    else if (which == TGSI_LIFT_STAGE_PATCH)
        space.size = (l->m->processor == TGSI_TESS_CTRL ? io->noutputs : io->ninputs) * (uint64_t)SLOT_BYTES;
    return l->stage_space[which] = ir_add_space(l->b.p, space);
}

/* A number chosen at run time times `bytes`; what is outside first..last goes nowhere. */
static ir_value scaled(struct tgsi_lifter *l, ir_value n, uint32_t first, uint32_t last, uint32_t bytes, ir_value *bad)
{
    struct ir_builder *b = &l->b;
    ir_value distance = ir_op2(b, IR_SUB, 0, n, ir_const_i32(b, first));
    ir_value outside = ir_op2(b, IR_LT_U, 0, ir_const_i32(b, last - first), distance);
    *bad = *bad ? ir_op2(b, IR_OR, 0, *bad, outside) : outside;
    return ir_op2(b, IR_MUL, 0, n, ir_const_i32(b, bytes));
}

static ir_value add(struct tgsi_lifter *l, ir_value a, ir_value b)
{
    return a ? ir_op2(&l->b, IR_ADD, 0, a, b) : b;
}

/* The address of a component: what is known goes into the offset of the access. */
static ir_value address(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, enum ir_type type,
                        struct ir_mem *mem)
{
    unsigned which;
    find_space(l, o, &which);
    uint32_t space = space_of(l, which), bytes = vertex_bytes(l, which);
    bool geometry = l->m->processor == TGSI_GEOM;
    uint32_t vertices = geometry ? tgsi_primitive_vertices(l->m) : TGSI_PATCH_VERTICES;
    ir_value at = 0, bad = 0;
    *mem = (struct ir_mem){.space = (uint16_t)space, .elem = (uint8_t)type, .count = 1, .align = 4};
    mem->offset = (int64_t)component * 4;
    if (o->dimensional && o->dim.indirect)
        at = add(l, at, scaled(l, tgsi_lift_index(l, &o->dim), 0, vertices - 1, bytes, &bad));
    else if (o->dimensional && o->dim.value >= 0 && (uint32_t)o->dim.value < vertices)
        mem->offset += (int64_t)o->dim.value * bytes;
    else if (o->dimensional)
        lift_error_at(&l->lift, o->where, "vertex-range", "there is no vertex %d", o->dim.value);
    if (o->index.indirect) {
        uint32_t first, last;
        tgsi_lift_reach(l, o->file, o->index.array, &first, &last);
        at = add(l, at, scaled(l, tgsi_lift_index(l, &o->index), first, last, SLOT_BYTES, &bad));
    } else if (o->index.value >= 0 && (uint32_t)o->index.value < l->file[o->file].count) {
        mem->offset += (int64_t)o->index.value * SLOT_BYTES;
    } else {
        lift_error_at(&l->lift, o->where, "bad-register", "%s[%d] does not exist", tgsi_file_names[o->file],
                        o->index.value);
    }
    at = at ? at : ir_const_i32(&l->b, 0);
    return bad ? ir_select(&l->b, bad, ir_const_i32(&l->b, NOWHERE), at) : at;
}

ir_value tgsi_lift_memory_get(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                              enum ir_type type)
{
    struct ir_mem mem;
    ir_value at = address(l, o, component, type, &mem);
    return ir_load(&l->b, mem, type, at);
}

void tgsi_lift_memory_set(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, ir_value v)
{
    struct ir_mem mem;
    ir_value at = address(l, o, component, ir_type_of(&l->b, v), &mem);
    ir_store(&l->b, mem, at, &v, 0);
}

/* ---- geometry ---- */

/* The stream that EMIT and ENDPRIM name: none is stream 0. */
static unsigned stream_of(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    enum { STREAMS = 4 };
    const struct tgsi_operand *o = &insn->src[0];
    if (insn->nsrc == 0)
        return 0;
    uint32_t stream = 0;
    if (!tgsi_immediate(l->m, o, &stream))
        lift_refuse_at(&l->lift, o->where, "%s to a stream that is not an immediate is not executed yet",
                              tgsi_lift_row(insn)->name);
    if (stream >= STREAMS) {
        lift_error_at(&l->lift, o->where, "stream", "stream %u: there are %d", stream, STREAMS);
        stream = 0;
    }
    if (stream >= l->b.p->io.gs_streams)
        l->b.p->io.gs_streams = (uint8_t)(stream + 1);
    return stream;
}

void tgsi_lift_emit(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    unsigned stream = stream_of(l, insn);
    tgsi_lift_write_outputs(l);
    ir_emit(&l->b, IR_EMIT, IR_VOID, 0, 0, NULL, 0, 0, stream, 0);
}

void tgsi_lift_endprim(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    ir_emit(&l->b, IR_CUT, IR_VOID, 0, 0, NULL, 0, 0, stream_of(l, insn), 0);
}
