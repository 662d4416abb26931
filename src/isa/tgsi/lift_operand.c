/* lift_operand.c - operands: fetching sources, writing destinations (document: "Modifiers", "Declaration"). */
#include "isa/tgsi/lift.h"

#include <string.h>

#include "ir/program.h"

enum ir_type tgsi_lift_type(unsigned type)
{
    switch (type) {
    case TGSI_T_I32:
    case TGSI_T_U32:
        return IR_I32;
    case TGSI_T_F64:
        return IR_F64;
    case TGSI_T_I64:
    case TGSI_T_U64:
        return IR_I64;
    default: /* bits move as floats, whose modifiers they take */
        return IR_F32;
    }
}

ir_value tgsi_lift_number(struct tgsi_lifter *l, enum ir_type type, double value)
{
    uint64_t bits;
    switch (type) {
    case IR_F32:
        return ir_const_f32(&l->b, (float)value);
    case IR_F64:
        memcpy(&bits, &value, sizeof bits);
        return ir_const(&l->b, IR_F64, bits);
    default:
        return ir_const(&l->b, type, (uint64_t)(int64_t)value);
    }
}

ir_value tgsi_lift_to_integer(struct tgsi_lifter *l, ir_value v, unsigned round)
{
    return ir_cvt(&l->b, IR_F2S, IR_I32, IR_RTZ | IR_CVT_X86, ir_op1(&l->b, IR_FRINT, round, v));
}

/* ---- registers ---- */

static const char *file_name(unsigned file)
{
    return file < TGSI_FILES ? tgsi_file_names[file] : "?";
}

void tgsi_lift_reach(const struct tgsi_lifter *l, unsigned file, uint32_t array, uint32_t *first, uint32_t *last)
{
    *first = 0;
    *last = l->file[file].count - 1;
    for (uint32_t i = 0; array && i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        if (d->file == file && d->array == array && d->first <= d->last && d->last < l->file[file].count) {
            *first = d->first;
            *last = d->last;
            return;
        }
    }
}

ir_value tgsi_lift_index(struct tgsi_lifter *l, const struct tgsi_index *index)
{
    const struct tgsi_lift_file *f = &l->file[index->file < TGSI_FILES ? index->file : TGSI_NULL];
    ir_value at;
    if (index->file == TGSI_IMMEDIATE && index->reg >= 0 && (uint32_t)index->reg < l->m->nimms)
        at = ir_const_i32(&l->b, l->m->imms[index->reg].bits[index->component & 3]);
    else if (f->file != LIFT_NONE && index->reg >= 0 && (uint32_t)index->reg < f->count)
        at = ir_get(&l->b, f->file, (uint32_t)index->reg * 4 + (index->component & 3), IR_I32);
    else if (index->file == TGSI_SYSTEM_VALUE || index->file == TGSI_CONSTANT) {
        unsigned c = index->component & 3;
        const struct tgsi_operand o = {.file = index->file, .index = {.value = index->reg}, .swizzle = {(uint8_t)c}};
        at = tgsi_lift_source(l, &o, 0, TGSI_T_I32);
    } else {
        struct span where = l->m->ninsns ? l->m->insns[l->b.insn].where : (struct span){0, 0};
        lift_refuse_at(&l->lift, where, "an index in %s is not executed yet", file_name(index->file));
        at = ir_const_i32(&l->b, 0);
    }
    return index->value ? ir_op2(&l->b, IR_ADD, 0, at, ir_const_i32(&l->b, (uint32_t)index->value)) : at;
}

static struct ir_reg indirect_register(const struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                                       enum ir_type type)
{
    uint32_t first, last;
    tgsi_lift_reach(l, o->file, o->index.array, &first, &last);
    return (struct ir_reg){.file = (uint16_t)l->file[o->file].file,
                           .part = (uint8_t)type,
                           .elem = component,
                           .stride = 4,
                           .first = (int32_t)first,
                           .last = (int32_t)last};
}

static ir_value get_register(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, enum ir_type type)
{
    const struct tgsi_lift_file *f = &l->file[o->file];
    if (o->dimensional)
        lift_refuse_at(&l->lift, o->where, "two-dimensional %s is not executed yet", file_name(o->file));
    else if (f->file == LIFT_NONE)
        lift_error_at(&l->lift, o->where, "undeclared", "%s has no registers", file_name(o->file));
    else if (o->index.indirect)
        return ir_get_dyn(&l->b, indirect_register(l, o, component, type), tgsi_lift_index(l, &o->index), type);
    else if (o->index.value >= 0 && (uint32_t)o->index.value < f->count)
        return ir_get(&l->b, f->file, (uint32_t)o->index.value * 4 + component, type);
    else
        lift_error_at(&l->lift, o->where, "bad-register", "%s[%d] does not exist", file_name(o->file), o->index.value);
    return ir_const(&l->b, type, 0);
}

/* ---- constants ---- */

static uint32_t const_space(struct tgsi_lifter *l, const struct tgsi_operand *o, int32_t buffer)
{
    if (buffer < 0 || buffer >= TGSI_LIFT_CONST_BUFFERS) {
        lift_error_at(&l->lift, o->where, "constant-buffer", "there are %d constant buffers", TGSI_LIFT_CONST_BUFFERS);
        return LIFT_NONE;
    }
    uint32_t *space = &l->const_space[buffer];
    if (*space == LIFT_NONE) {
        const char *name = arena_printf(l->arena, "CONST%d", buffer);
        *space = ir_add_space(
            l->b.p, (struct ir_space){
                        .name = name, .kind = IR_SPACE_CONST, .bounds = IR_BOUNDS_ZERO, .slot = (uint16_t)buffer});
    }
    return *space;
}

/* Registers past this one would wrap round in a 32-bit byte address; none is in any buffer. */
static const uint32_t last_constant = 0x0ffffffe;

/* From one buffer, in lanes where `pred` holds (0: all); 0 elsewhere. */
static ir_value load_from(struct tgsi_lifter *l, const struct tgsi_operand *o, int32_t buffer, unsigned component,
                          enum ir_type type, ir_value pred)
{
    uint32_t space = const_space(l, o, buffer);
    if (space == LIFT_NONE)
        return ir_const(&l->b, type, 0);
    struct ir_mem mem = {.space = (uint16_t)space, .elem = (uint8_t)type, .count = 1, .align = 4};
    if (!o->index.indirect) {
        uint32_t reg = (uint32_t)o->index.value < last_constant ? (uint32_t)o->index.value : last_constant;
        ir_value at = ir_const_i32(&l->b, reg * 16 + component * 4);
        return ir_emit(&l->b, IR_LOAD, type, 0, 1, &at, 1, ir_add_mem(l->b.p, mem), 0, pred);
    }
    ir_value reg = ir_op2(&l->b, IR_MIN_U, 0, tgsi_lift_index(l, &o->index), ir_const_i32(&l->b, last_constant));
    mem.offset = (int64_t)component * 4;
    ir_value at = ir_op2(&l->b, IR_SHL, 0, reg, ir_const_i32(&l->b, 4));
    return ir_emit(&l->b, IR_LOAD, type, 0, 1, &at, 1, ir_add_mem(l->b.p, mem), 0, pred);
}

static bool is_declared_buffer(const struct tgsi_lifter *l, unsigned file, uint32_t buffer)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        if (d->file == file &&
            (d->dimensional ? d->dim == buffer || (d->dim < buffer && buffer <= d->dim_last) : buffer == 0))
            return true;
    }
    return false;
}

static ir_value load_constant(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                              enum ir_type type)
{
    if (!o->dimensional || !o->dim.indirect)
        return load_from(l, o, o->dimensional ? o->dim.value : 0, component, type, 0);
    /* Chosen at run time: one of those that are declared; no other one gives anything. */
    ir_value chosen = tgsi_lift_index(l, &o->dim), v = ir_const(&l->b, type, 0);
    for (uint32_t buffer = 0; buffer < TGSI_LIFT_CONST_BUFFERS; buffer++) {
        if (!is_declared_buffer(l, o->file, buffer))
            continue;
        ir_value is = ir_op2(&l->b, IR_EQ, 0, chosen, ir_const_i32(&l->b, buffer));
        v = ir_select(&l->b, is, load_from(l, o, (int32_t)buffer, component, type, is), v);
    }
    return v;
}

static ir_value immediate(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, enum ir_type type)
{
    if (o->index.indirect)
        return get_register(l, o, component, type);
    if (o->index.value >= 0 && (uint32_t)o->index.value < l->m->nimms)
        return ir_const(&l->b, type, l->m->imms[o->index.value].bits[component]);
    lift_error_at(&l->lift, o->where, "bad-register", "IMM[%d] does not exist", o->index.value);
    return ir_const(&l->b, type, 0);
}

/* ---- sources ---- */

/* A component before modifiers; `type` is a 32-bit one. */
static ir_value fetch(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, enum ir_type type)
{
    unsigned c = o->swizzle[component] & 3;
    tgsi_lift_note_usage(l, o, c);
    switch (o->file) {
    case TGSI_CONSTANT:
    case TGSI_CONSTBUF:
        return load_constant(l, o, c, type);
    case TGSI_IMMEDIATE:
        return immediate(l, o, c, type);
    case TGSI_SYSTEM_VALUE:
        return tgsi_lift_system_value(l, o, c, type);
    case TGSI_INPUT:
    case TGSI_OUTPUT:
        if (tgsi_lift_in_memory(l, o))
            return tgsi_lift_memory_get(l, o, c, type);
        return get_register(l, o, c, type);
    case TGSI_TEMPORARY:
    case TGSI_ADDRESS:
    case TGSI_PREDICATE:
        return get_register(l, o, c, type);
    default:
        lift_error_at(&l->lift, o->where, "operand-file", "%s cannot be read as a number", file_name(o->file));
        return ir_const(&l->b, type, 0);
    }
}

/* Absolute value first, then negation ("Modifiers"). */
ir_value tgsi_lift_modify(struct tgsi_lifter *l, const struct tgsi_operand *o, ir_value v)
{
    bool real = ir_type_of(&l->b, v) == IR_F32 || ir_type_of(&l->b, v) == IR_F64;
    if (o->absolute)
        v = ir_op1(&l->b, real ? IR_FABS : IR_ABS, 0, v);
    if (o->negate)
        v = ir_op1(&l->b, real ? IR_FNEG : IR_NEG, 0, v);
    return v;
}

ir_value tgsi_lift_source(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, unsigned type)
{
    return tgsi_lift_modify(l, o, fetch(l, o, component, tgsi_lift_type(type)));
}

ir_value tgsi_lift_source_pair(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned pair, unsigned type)
{
    ir_value low = fetch(l, o, 2 * pair, IR_I32), high = fetch(l, o, 2 * pair + 1, IR_I32);
    return tgsi_lift_modify(l, o, ir_cvt2(&l->b, IR_PACK64, tgsi_lift_type(type), 0, low, high));
}

/* ---- destinations ---- */

static void set_register(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, ir_value v)
{
    const struct tgsi_lift_file *f = &l->file[o->file];
    tgsi_lift_note_usage(l, o, component);
    if (tgsi_lift_in_memory(l, o))
        tgsi_lift_memory_set(l, o, component, v);
    else if (o->index.indirect)
        ir_set_dyn(&l->b, indirect_register(l, o, component, ir_type_of(&l->b, v)), tgsi_lift_index(l, &o->index), v,
                   0);
    else
        ir_set(&l->b, f->file, (uint32_t)o->index.value * 4 + component, v, 0);
}

static bool can_write(struct tgsi_lifter *l, const struct tgsi_operand *o)
{
    const struct tgsi_lift_file *f = &l->file[o->file];
    switch (o->file) {
    case TGSI_OUTPUT:
    case TGSI_TEMPORARY:
    case TGSI_ADDRESS:
    case TGSI_PREDICATE:
        break;
    default:
        lift_error_at(&l->lift, o->where, "operand-file", "%s cannot be written", file_name(o->file));
        return false;
    }
    if (tgsi_lift_in_memory(l, o))
        return true;
    if (o->dimensional)
        lift_refuse_at(&l->lift, o->where, "two-dimensional %s is not executed yet", file_name(o->file));
    else if (f->file == LIFT_NONE)
        lift_error_at(&l->lift, o->where, "undeclared", "%s has no registers", file_name(o->file));
    else if (!o->index.indirect && (o->index.value < 0 || (uint32_t)o->index.value >= f->count))
        lift_error_at(&l->lift, o->where, "bad-register", "%s[%d] does not exist", file_name(o->file), o->index.value);
    else
        return true;
    return false;
}

static ir_value finish(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_operand *dst,
                       unsigned type, ir_value v)
{
    bool real = ir_type_of(&l->b, v) == IR_F32;
    if (insn->saturate && real)
        v = ir_op1(&l->b, IR_FSAT, 0, v);
    /* The document calls FLR identical to ARL: a float that is written to an address register becomes an integer. */
    if (dst->file == TGSI_ADDRESS && type == TGSI_T_F32 && real)
        v = tgsi_lift_to_integer(l, v, IR_RDN);
    return v;
}

void tgsi_lift_result(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_operand *dst,
                      unsigned type, const ir_value value[4])
{
    if (dst->file == TGSI_NULL || !can_write(l, dst))
        return;
    /* An indirect index is read before a component of its own register may be written. */
    ir_value done[4] = {0};
    for (unsigned c = 0; c < 4; c++)
        if (dst->mask >> c & 1 && value[c])
            done[c] = finish(l, insn, dst, type, value[c]);
    for (unsigned c = 0; c < 4; c++)
        if (done[c])
            set_register(l, dst, c, done[c]);
}
