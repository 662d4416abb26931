/* select_narrow.c - ops of 8 and 16 bits: brought to 32 bits, worked on, and cut to size again. */
#include "exec/select.h"

#define NO HANDLER_COUNT

/* A 32-bit view of an argument: sign-extended where the op asks for it, halves as floats. */
static struct operand widened(struct compiler *c, struct operand o, enum ir_type t, bool sign, bool uniform)
{
    if (t == IR_F16) {
        uint32_t d = temp_take(c, !uniform, false);
        emit_simple(c, H_H2F, 0, d, &o, 1, uniform);
        return (struct operand){d, (uint8_t)(uniform ? 0 : EXEC_CHUNK)};
    }
    if (!sign)
        return o;
    uint32_t shift = 32 - ir_type_bits(t), d = temp_take(c, !uniform, false);
    struct operand s[3] = {o, const_operand(c, shift), const_operand(c, shift)};
    emit_simple(c, H_SHL_SHRS32, 0, d, s, 3, uniform);
    return (struct operand){d, (uint8_t)(uniform ? 0 : EXEC_CHUNK)};
}

static bool wants_sign(const struct ir_op *op)
{
    switch (op->code) {
    case IR_ADD:
    case IR_SUB:
        return op->attr & IR_SAT;
    case IR_MULHI_S:
    case IR_DIV_S:
    case IR_REM_S:
    case IR_ABS:
    case IR_MIN_S:
    case IR_MAX_S:
    case IR_SHR_S:
    case IR_LT_S:
    case IR_LE_S:
    case IR_SEXT:
    case IR_S2F:
        return true;
    default:
        return false;
    }
}

void cut_to_type(struct compiler *c, uint32_t d, enum ir_type t, bool uniform)
{
    struct operand o[3] = {{d, (uint8_t)(uniform ? 0 : EXEC_CHUNK)},
                           const_operand(c, ir_type_bits(t) == 8 ? 0xff : 0xffff)};
    if (t == IR_F16)
        emit_simple(c, H_F2H, 0, d, o, 1, uniform);
    else if (t == IR_I1) {
        /* bit 0 to all bits */
        o[1] = o[2] = const_operand(c, 31);
        emit_simple(c, H_SHL_SHRS32, 0, d, o, 3, uniform);
    } else
        emit_simple(c, H_AND32, 0, d, o, 2, uniform);
}

/* What is left to do to a 32-bit result before it is cut: the high half of a product, or clamping. */
static void shape_narrow(struct compiler *c, const struct ir_op *op, uint32_t d, unsigned bits)
{
    struct operand o[2] = {{d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)}};
    uint32_t ones = bits < 32 ? (1u << bits) - 1 : ~0u;
    if (op->code == IR_MULHI_S || op->code == IR_MULHI_U) {
        o[1] = const_operand(c, bits);
        emit_simple(c, H_SHR_U32, 0, d, o, 2, op->uniform);
    } else if (op->code == IR_ADD_SATU) {
        o[1] = const_operand(c, ones);
        emit_simple(c, H_MIN_U32, 0, d, o, 2, op->uniform);
    } else if (op->attr & IR_SAT) {
        o[1] = const_operand(c, ones >> 1);
        emit_simple(c, H_MIN_S32, 0, d, o, 2, op->uniform);
        o[1] = const_operand(c, ~(ones >> 1));
        emit_simple(c, H_MAX_S32, 0, d, o, 2, op->uniform);
    }
}

static struct operand first_operand(struct compiler *c, const struct ir_op *op)
{
    return operand_of(c, ir_args(c->p->ir, op)[0]);
}

/* An i1 is all ones: its lowest bit counts. */
static void zext_i1(struct compiler *c, const struct ir_op *op)
{
    enum handler_id extend = ir_type_bits((enum ir_type)op->type) == 64 ? H_ZEXT64 : H_COPY32;
    struct operand o[2] = {first_operand(c, op), const_operand(c, 1)};
    uint32_t d = result_row(c, op->res), bit = extend == H_ZEXT64 ? temp_take(c, !op->uniform, false) : d;
    emit_simple(c, H_AND32, 0, bit, o, 2, op->uniform);
    if (bit == d)
        return;
    o[0] = (struct operand){bit, o[0].stride};
    emit_simple(c, extend, 0, d, o, 1, op->uniform);
    temp_give(c, bit, !op->uniform, false);
}

static void sext_to_i32(struct compiler *c, const struct ir_op *op, unsigned bits)
{
    struct operand shift = const_operand(c, 32 - bits), o[3] = {{0, 0}, shift, shift};
    ir_value v = ir_args(c->p->ir, op)[0];
    if (info_of(c, v)->block == c->block && info_of(c, v)->fused) { /* a part of a register */
        const struct ir_reg *r = op_reg(c, &c->ops[info_of(c, v)->def]);
        o[0] = (struct operand){reg_row(c, r->file, r->elem), EXEC_CHUNK};
        o[1] = const_operand(c, 32 - bits - r->shift);
    } else {
        o[0] = first_operand(c, op);
    }
    emit_simple(c, H_SHL_SHRS32, 0, result_row(c, op->res), o, 3, op->uniform);
}

/* A bit above the others stops the count. */
static void count_trailing(struct compiler *c, const struct ir_op *op, unsigned bits)
{
    struct operand o[2] = {first_operand(c, op), const_operand(c, 1u << bits)};
    uint32_t d = result_row(c, op->res);
    emit_simple(c, H_OR32, 0, d, o, 2, op->uniform);
    o[0] = (struct operand){d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)};
    emit_simple(c, H_CTZ32, 0, d, o, 1, op->uniform);
}

/* CLZ and BITREV of an element, less the bits above. */
static void from_the_top(struct compiler *c, const struct ir_op *op, unsigned bits)
{
    bool counts = op->code == IR_CLZ;
    struct operand o[2] = {first_operand(c, op), const_operand(c, 32 - bits)};
    uint32_t d = result_row(c, op->res);
    emit_simple(c, counts ? H_CLZ32 : H_BITREV32, 0, d, o, 1, op->uniform);
    o[0] = (struct operand){d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)};
    emit_simple(c, counts ? H_SUB_I32 : H_SHR_U32, 0, d, o, 2, op->uniform);
}

static void change_half_sign(struct compiler *c, const struct ir_op *op)
{
    bool negate = op->code == IR_FNEG;
    struct operand o[2] = {first_operand(c, op), const_operand(c, negate ? 0x8000 : 0x7fff)};
    emit_simple(c, negate ? H_XOR32 : H_AND32, 0, result_row(c, op->res), o, 2, op->uniform);
}

enum way { DONE, REFUSED, AS_ELEMENT /* by the handler of the op on elements */ };

/* Ops that have a way of their own. */
static enum way select_own_way(struct compiler *c, const struct ir_op *op, enum ir_type t)
{
    unsigned bits = ir_type_bits(t);
    switch (op->code) {
    case IR_ZEXT:
        if (t != IR_I1)
            return AS_ELEMENT;
        zext_i1(c, op);
        return DONE;
    case IR_SEXT:
        if (op->type != IR_I32)
            return AS_ELEMENT;
        sext_to_i32(c, op, bits);
        return DONE;
    case IR_CTZ:
        count_trailing(c, op, bits);
        return DONE;
    case IR_BITREV:
    case IR_CLZ:
        if (t != IR_I8 && t != IR_I16)
            return REFUSED;
        from_the_top(c, op, bits);
        return DONE;
    case IR_FNEG:
    case IR_FABS:
        if (t != IR_F16)
            return REFUSED;
        change_half_sign(c, op);
        return DONE;
    case IR_FEXP2:
    case IR_FLOG2:
    case IR_FPOW:
    case IR_FSIN:
    case IR_FCOS:
        return REFUSED;
    default:
        return AS_ELEMENT;
    }
}

/* The handler of an op on elements, and whether its result is to be cut. */
static enum handler_id element_handler(const struct ir_op *op, enum ir_type t, bool *cut)
{
    enum ir_type to = (enum ir_type)op->type;
    struct ir_op as32 = *op;
    *cut = type_is_narrow(to);
    switch (op->code) {
    case IR_ZEXT:
        *cut = false;
        return ir_type_bits(to) == 64 ? H_ZEXT64 : H_COPY32;
    case IR_SEXT:
        return ir_type_bits(to) == 64 ? H_SEXT64 : H_COPY32;
    case IR_TRUNC:
        *cut = to != IR_I32;
        return ir_type_bits(t) == 64 ? H_LO32 : H_COPY32;
    case IR_MULHI_S:
    case IR_MULHI_U:
        return H_MUL_I32;
    case IR_ADD_SATU:
        return H_ADD_I32;
    default:
        *cut = *cut && to != IR_I1;
        as32.attr = 0;
        as32.type = (uint8_t)(to == IR_F16 ? IR_F32 : to == IR_I8 || to == IR_I16 ? IR_I32 : to);
        return typed_handler(&as32, t == IR_F16 ? IR_F32 : IR_I32);
    }
}

/* Argument k as an element. What is made for it is in a row of its own. */
static struct operand element_operand(struct compiler *c, const struct ir_op *op, unsigned k, unsigned bits)
{
    ir_value a = ir_args(c->p->ir, op)[k];
    enum ir_type t = (enum ir_type)c->p->ir->value_type[a];
    bool u = c->p->ir->value_uniform[a];
    struct operand o = operand_of(c, a);
    if (type_is_narrow(t))
        return widened(c, o, t, wants_sign(op) && t != IR_F16, u);
    if (k != 1 || (op->code != IR_SHL && op->code != IR_SHR_S && op->code != IR_SHR_U))
        return o;
    struct operand count[2] = {o, const_operand(c, bits - 1)};
    uint32_t d = temp_take(c, !u, false);
    emit_simple(c, H_AND32, 0, d, count, 2, u);
    return (struct operand){d, (uint8_t)(u ? 0 : EXEC_CHUNK)};
}

/* Ops with narrow arguments or results. Returns false for those that have no such form yet. */
bool select_narrow(struct compiler *c, const struct ir_op *op)
{
    enum ir_type t = op->nargs ? arg_type(c, op, 0) : IR_VOID, to = (enum ir_type)op->type;
    enum way way = select_own_way(c, op, t);
    bool cut;
    if (way != AS_ELEMENT)
        return way == DONE;
    enum handler_id h = element_handler(op, t, &cut);
    if (h == NO || op->nargs > 3)
        return false;
    struct operand o[3], given[3];
    for (unsigned k = 0; k < op->nargs; k++) {
        given[k] = operand_of(c, ir_args(c->p->ir, op)[k]);
        o[k] = element_operand(c, op, k, ir_type_bits(t));
    }
    uint32_t d = result_row(c, op->res);
    emit_simple(c, h, 0, d, o, op->nargs, op->uniform);
    shape_narrow(c, op, d, ir_type_bits(t));
    if (cut)
        cut_to_type(c, d, to, op->uniform);
    else if (op->code == IR_TRUNC && to == IR_I1)
        cut_to_type(c, d, IR_I1, op->uniform);
    for (unsigned k = 0; k < op->nargs; k++)
        if (o[k].row != given[k].row)
            temp_give(c, o[k].row, o[k].stride != 0, false);
    return true;
}
