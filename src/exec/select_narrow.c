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

/* Ops with narrow arguments or results. Returns false for those that have no such form yet. */
bool select_narrow(struct compiler *c, const struct ir_op *op)
{
    enum ir_type t = op->nargs ? arg_type(c, op, 0) : IR_VOID, to = (enum ir_type)op->type;
    unsigned bits = ir_type_bits(t);
    struct ir_op as32 = *op;
    enum handler_id h = NO;
    bool cut_result = type_is_narrow(to);
    struct operand count_mask[2];
    switch (op->code) {
    case IR_ZEXT:
        h = ir_type_bits(to) == 64 ? H_ZEXT64 : H_COPY32;
        if (t == IR_I1) {
            struct operand o[2] = {operand_of(c, ir_args(c->p->ir, op)[0]), const_operand(c, 1)};
            uint32_t d = result_row(c, op->res), bit = h == H_ZEXT64 ? temp_take(c, !op->uniform, false) : d;
            emit_simple(c, H_AND32, 0, bit, o, 2, op->uniform);
            if (bit == d)
                return true;
            o[0] = (struct operand){bit, o[0].stride};
            emit_simple(c, h, 0, d, o, 1, op->uniform);
            temp_give(c, bit, !op->uniform, false);
            return true;
        }
        cut_result = false;
        break;
    case IR_SEXT:
        if (to == IR_I32) {
            struct operand shift = const_operand(c, 32 - bits);
            struct operand o[3] = {operand_of(c, ir_args(c->p->ir, op)[0]), shift, shift};
            emit_simple(c, H_SHL_SHRS32, 0, result_row(c, op->res), o, 3, op->uniform);
            return true;
        }
        h = ir_type_bits(to) == 64 ? H_SEXT64 : H_COPY32;
        break;
    case IR_TRUNC:
        h = bits == 64 ? H_LO32 : H_COPY32;
        cut_result = to != IR_I32;
        break;
    case IR_FEXP2:
    case IR_FLOG2:
    case IR_FPOW:
    case IR_FSIN:
    case IR_FCOS:
        return false;
    case IR_CTZ: { /* a bit above the others stops the count */
        struct operand o[2] = {operand_of(c, ir_args(c->p->ir, op)[0]), const_operand(c, 1u << bits)};
        uint32_t d = result_row(c, op->res);
        emit_simple(c, H_OR32, 0, d, o, 2, op->uniform);
        o[0] = (struct operand){d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)};
        emit_simple(c, H_CTZ32, 0, d, o, 1, op->uniform);
        return true;
    }
    case IR_BITREV:
    case IR_CLZ: {
        if (t != IR_I8 && t != IR_I16)
            return false;
        struct operand o[2] = {operand_of(c, ir_args(c->p->ir, op)[0]), const_operand(c, 32 - bits)};
        uint32_t d = result_row(c, op->res);
        emit_simple(c, op->code == IR_CLZ ? H_CLZ32 : H_BITREV32, 0, d, o, 1, op->uniform);
        o[0] = (struct operand){d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)};
        emit_simple(c, op->code == IR_CLZ ? H_SUB_I32 : H_SHR_U32, 0, d, o, 2, op->uniform);
        return true;
    }
    case IR_FNEG:
    case IR_FABS: {
        if (t != IR_F16)
            return false;
        struct operand o[2] = {operand_of(c, ir_args(c->p->ir, op)[0]),
                               const_operand(c, op->code == IR_FNEG ? 0x8000 : 0x7fff)};
        emit_simple(c, op->code == IR_FNEG ? H_XOR32 : H_AND32, 0, result_row(c, op->res), o, 2, op->uniform);
        return true;
    }
    case IR_MULHI_S:
    case IR_MULHI_U:
        h = H_MUL_I32;
        break;
    case IR_ADD_SATU:
        h = H_ADD_I32;
        break;
    default:
        as32.attr = 0;
        as32.type = (uint8_t)(to == IR_F16 ? IR_F32 : to == IR_I8 || to == IR_I16 ? IR_I32 : to);
        h = typed_handler(&as32, t == IR_F16 ? IR_F32 : IR_I32);
        if (to == IR_I1)
            cut_result = false;
        break;
    }
    if (h == NO || op->nargs > 3)
        return false;
    struct operand o[3];
    uint32_t taken[3];
    unsigned ntaken = 0;
    for (unsigned k = 0; k < op->nargs; k++) {
        ir_value a = ir_args(c->p->ir, op)[k];
        enum ir_type at = (enum ir_type)c->p->ir->value_type[a];
        o[k] = operand_of(c, a);
        if (type_is_narrow(at)) {
            struct operand w = widened(c, o[k], at, wants_sign(op) && at != IR_F16, c->p->ir->value_uniform[a]);
            if (w.row != o[k].row)
                taken[ntaken++] = w.row;
            o[k] = w;
        } else if (k == 1 && (op->code == IR_SHL || op->code == IR_SHR_S || op->code == IR_SHR_U)) {
            bool u = c->p->ir->value_uniform[a];
            count_mask[0] = o[k];
            count_mask[1] = const_operand(c, bits - 1);
            uint32_t d = temp_take(c, !u, false);
            emit_simple(c, H_AND32, 0, d, count_mask, 2, u);
            o[k] = (struct operand){d, (uint8_t)(u ? 0 : EXEC_CHUNK)};
        }
    }
    uint32_t d = result_row(c, op->res);
    emit_simple(c, h, 0, d, o, op->nargs, op->uniform);
    shape_narrow(c, op, d, bits);
    if (cut_result)
        cut_to_type(c, d, to, op->uniform);
    else if (op->code == IR_TRUNC && to == IR_I1)
        cut_to_type(c, d, IR_I1, op->uniform);
    for (unsigned k = 0, u = 0; k < op->nargs && u < ntaken; k++)
        if (o[k].row == taken[u])
            temp_give(c, taken[u++], o[k].stride != 0, false);
    return true;
}
