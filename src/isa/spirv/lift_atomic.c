/* lift_atomic.c - atomics on buffers, workgroup memory and texels, barriers, and what a geometry program emits. */
#include "isa/spirv/lift.h"

struct place {
    struct spirv_pointer p;
    ir_value dynamic;
    enum ir_type type;
};

static bool place_of(struct spirv_lifter *l, uint32_t id, struct place *out)
{
    if (!spirv_pointer_of(l, id, &out->p, &out->dynamic))
        return false;
    const struct spirv_type *t = spirv_type(l, out->p.type);
    bool memory = out->p.place == SPIRV_MEMORY && l->b.p->spaces[out->p.space].kind != IR_SPACE_CONST;
    bool number = (t->kind == SPIRV_T_INT && t->bits >= 32) || t->kind == SPIRV_T_FLOAT;
    out->type = (enum ir_type)t->ir;
    if ((memory || out->p.place == SPIRV_TEXEL) && number)
        return true;
    spirv_wrong(l, "an atomic of this type, or of this storage class, is not executed");
    return false;
}

static ir_value emit_atomic(struct spirv_lifter *l, const struct place *at, enum ir_atomic op, ir_value value,
                            ir_value compare)
{
    if (at->p.place == SPIRV_TEXEL)
        return spirv_texel_atomic(l, &at->p, at->dynamic, op, value, compare);
    struct ir_mem mem = {.space = at->p.space, .elem = (uint8_t)at->type, .count = 1, .offset = at->p.offset};
    ir_value args[3] = {at->p.dynamic ? at->dynamic : spirv_i32(l, 0), value, compare};
    return ir_emit(&l->b, IR_ATOMIC, at->type, 0, 1, args, compare ? 3 : 2, ir_add_mem(l->b.p, mem), op, 0);
}

static void result(struct spirv_lifter *l, ir_value old)
{
    if (old)
        spirv_result(l, &old, 1);
}

void spirv_lift_atomic(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    bool real = m->op == IR_ATOMIC_FADD || m->op == IR_ATOMIC_FMIN || m->op == IR_ATOMIC_FMAX;
    struct place at;
    if (!place_of(l, w[3], &at))
        return;
    if (m->op != IR_ATOMIC_XCHG && real != (at.type >= IR_F16)) {
        spirv_wrong(l, "an atomic of this type is not executed");
        return;
    }
    ir_value value = spirv_use_one(l, w[6], at.type);
    if (!value)
        return;
    value = m->attr ? spirv_1(l, IR_NEG, value) : value;
    result(l, emit_atomic(l, &at, (enum ir_atomic)m->op, value, 0));
}

void spirv_lift_atomic_step(struct spirv_lifter *l, const uint32_t *w)
{
    struct place at;
    if (!place_of(l, w[3], &at))
        return;
    if (at.type >= IR_F16) {
        spirv_wrong(l, "an atomic of this type is not executed");
        return;
    }
    uint64_t by = l->meaning->op == 1 ? 1 : UINT64_MAX;
    result(l, emit_atomic(l, &at, IR_ATOMIC_ADD, spirv_const(l, at.type, by), 0));
}

void spirv_lift_atomic_compare(struct spirv_lifter *l, const uint32_t *w)
{
    struct place at;
    if (!place_of(l, w[3], &at))
        return;
    ir_value value = spirv_use_one(l, w[7], at.type), compare = value ? spirv_use_one(l, w[8], at.type) : 0;
    if (compare)
        result(l, emit_atomic(l, &at, IR_ATOMIC_CAS, value, compare));
}

void spirv_lift_atomic_load(struct spirv_lifter *l, const uint32_t *w)
{
    struct place at;
    ir_value v;
    if (!place_of(l, w[3], &at))
        return;
    if (at.p.place == SPIRV_TEXEL)
        result(l, spirv_texel_load(l, &at.p, at.dynamic));
    else if (spirv_load_from(l, &at.p, at.dynamic, &v))
        result(l, v);
}

void spirv_lift_atomic_store(struct spirv_lifter *l, const uint32_t *w)
{
    struct place at;
    if (!place_of(l, w[1], &at))
        return;
    ir_value value = spirv_use_one(l, w[4], at.type);
    if (value && at.p.place == SPIRV_TEXEL)
        emit_atomic(l, &at, IR_ATOMIC_XCHG, value, 0);
    else if (value)
        spirv_store_to(l, &at.p, at.dynamic, &value);
}

/* ---- barriers ---- */

/* Of a subgroup nothing waits: its lanes run together, and a patch is one. */
void spirv_lift_barrier(struct spirv_lifter *l, const uint32_t *w)
{
    uint64_t scope = 0;
    if (!spirv_constant(l, w[1], &scope)) {
        spirv_wrong(l, "the scope is not a constant");
        return;
    }
    uint32_t next = spirv_label(l);
    if (scope == SpvScopeSubgroup || scope == SpvScopeInvocation || l->stage == IR_TESS_CTRL)
        spirv_goto(l, next);
    else
        ir_emit(&l->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next, 0, 0);
    spirv_place_label(l, next);
}

/* ---- geometry ---- */

void spirv_lift_emit_vertex(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    spirv_write_outputs(l);
    ir_emit(&l->b, IR_EMIT, IR_VOID, 0, 0, NULL, 0, 0, 0, 0);
}

void spirv_lift_end_primitive(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    ir_emit(&l->b, IR_CUT, IR_VOID, 0, 0, NULL, 0, 0, 0, 0);
}

/* ---- the clock ---- */

/* One number of 64 bits, or its two words. */
void spirv_lift_read_clock(struct spirv_lifter *l, const uint32_t *w)
{
    bool whole = spirv_type(l, w[1])->scalars == 1;
    ir_value now = ir_sysval(&l->b, IR_SYS_CLOCK, IR_I64, 0);
    ir_value v[2] = {whole ? now : ir_cvt(&l->b, IR_LO32, IR_I32, 0, now), ir_cvt(&l->b, IR_HI32, IR_I32, 0, now)};
    spirv_result(l, v, whole ? 1 : 2);
}
