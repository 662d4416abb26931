/* select_float.c - float ops with attributes, halves, and conversions between floats and integers.
 *
 * Arithmetic that rounds is one operation, whatever its attributes: the lists in attribute_handlers.h. Everything else
 * is put together: arguments flushed and brought to 32 bits, the op without attributes, the result flushed, clamped,
 * made canonical and cut to size. */
#include "exec/select.h"

#define NO HANDLER_COUNT
#define ROUNDED_ATTRS (IR_ROUND_MASK | IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON | IR_NAN_X86)

struct rounded_row {
    uint16_t code;
    uint16_t h16, h32, h64;
};

static const struct rounded_row rounded_rows[] = {
    {IR_FADD, H_ADD_R16, H_ADD_R32, H_ADD_R64},
    {IR_FSUB, H_SUB_R16, H_SUB_R32, H_SUB_R64},
    {IR_FMUL, H_MUL_R16, H_MUL_R32, H_MUL_R64},
    {IR_FDIV, H_DIV_R16, H_DIV_R32, H_DIV_R64},
    {IR_FFMA, H_FMA_R16, H_FMA_R32, H_FMA_R64},
    {IR_FSQRT, H_SQRT_R16, H_SQRT_R32, H_SQRT_R64},
    {IR_FLDEXP, H_LDEXP_R16, H_LDEXP_R32, H_LDEXP_R64},
};

static enum handler_id of_width(unsigned bits, enum handler_id h16, enum handler_id h32, enum handler_id h64)
{
    return bits == 16 ? h16 : bits == 32 ? h32 : h64;
}

/* Integers of 32 or 64 bits to a float. */
static enum handler_id from_integer(uint16_t code, bool wide, unsigned to)
{
    if (code == IR_S2F)
        return wide ? of_width(to, H_SL2H_R, H_SL2F_R, H_SL2D_R) : of_width(to, H_S2H_R, H_S2F_R, H_S2F64);
    return wide ? of_width(to, H_UL2H_R, H_UL2F_R, H_UL2D_R) : of_width(to, H_U2H_R, H_U2F_R, H_U2F64);
}

/* The rounding and flushing of most chips; FLUSH_IN or not. Every NaN is the canonical one, or any where no attribute
 * asks for it. */
static enum handler_id chip_handler(uint16_t code, bool flush_in)
{
    switch (code) {
    case IR_FADD:
        return flush_in ? H_FADD_Z32 : H_FADD_N32;
    case IR_FSUB:
        return flush_in ? H_FSUB_Z32 : H_FSUB_N32;
    case IR_FMUL:
        return flush_in ? H_FMUL_Z32 : H_FMUL_N32;
    case IR_FFMA:
        return flush_in ? H_FFMA_Z32 : H_FFMA_N32;
    default:
        return NO;
    }
}

enum handler_id rounded_handler(const struct compiler *c, const struct ir_op *op)
{
    enum ir_type t = op->nargs ? arg_type(c, op, 0) : IR_VOID;
    unsigned bits = ir_type_bits(t), to = ir_type_bits((enum ir_type)op->type);
    if (op->attr & (unsigned)~ROUNDED_ATTRS)
        return NO;
    switch (op->code) {
    case IR_S2F:
    case IR_U2F:
        return bits < 32 ? NO : from_integer(op->code, bits == 64, to);
    case IR_F2F:
        return bits == 64 ? of_width(to, H_D2H_R, H_D2F_R, NO) : bits == 32 && to == 16 ? H_F2H_R : NO;
    default:
        break;
    }
    if (bits == 32 && (op->attr & ~(unsigned)(IR_FLUSH_IN | IR_NAN_CANON)) == (IR_RNE | IR_FLUSH_OUT)) {
        enum handler_id h = chip_handler(op->code, op->attr & IR_FLUSH_IN);
        if (h != NO)
            return h;
    }
    /* the host's own is much faster */
    if (op->code == IR_FFMA && bits == 32 && !(op->attr & ~(unsigned)(IR_NAN_CANON | IR_NAN_X86)))
        return NO;
    /* the host's own arithmetic is much faster in f64 */
    if (bits == 64 && !(op->attr & (IR_ROUND_MASK | IR_FLUSH_OUT)))
        return NO;
    for (size_t i = 0; i < sizeof rounded_rows / sizeof rounded_rows[0]; i++)
        if (rounded_rows[i].code == op->code)
            return of_width(bits, (enum handler_id)rounded_rows[i].h16, (enum handler_id)rounded_rows[i].h32,
                            (enum handler_id)rounded_rows[i].h64);
    return NO;
}

uint64_t attribute_imm(enum handler_id h, const struct ir_op *op)
{
    bool chips = h == chip_handler(op->code, op->attr & IR_FLUSH_IN);
    return chips && !(op->attr & IR_NAN_CANON) ? CHIP_ANY_NAN : 0;
}

/* ---- put together ---- */

/* Temporaries of one op. */
struct pieces {
    struct compiler *c;
    bool uniform;
    unsigned count;
    struct {
        uint32_t row;
        bool lane, wide;
    } temp[16];
};

static struct operand piece(struct pieces *p, enum handler_id h, const struct operand *o, unsigned n, bool wide)
{
    bool lane = false;
    for (unsigned k = 0; k < n; k++)
        lane |= o[k].stride != 0;
    uint32_t d = temp_take(p->c, lane, wide);
    emit_simple(p->c, h, 0, d, o, n, !lane);
    p->temp[p->count].row = d;
    p->temp[p->count].lane = lane;
    p->temp[p->count++].wide = wide;
    return (struct operand){d, (uint8_t)(lane ? EXEC_CHUNK : 0)};
}

static struct operand piece1(struct pieces *p, enum handler_id h, struct operand a, bool wide)
{
    return piece(p, h, &a, 1, wide);
}

static struct operand piece2(struct pieces *p, enum handler_id h, struct operand a, uint32_t constant)
{
    struct operand o[2] = {a, const_operand(p->c, constant)};
    return piece(p, h, o, 2, false);
}

static void give_pieces(struct pieces *p)
{
    while (p->count) {
        p->count--;
        temp_give(p->c, p->temp[p->count].row, p->temp[p->count].lane, p->temp[p->count].wide);
    }
}

/* An argument flushed where the op asks for it, and a half as f32. */
static struct operand float_argument(struct pieces *p, ir_value a, unsigned attr)
{
    enum ir_type t = (enum ir_type)p->c->p->ir->value_type[a];
    struct operand o = operand_of(p->c, a);
    unsigned bits = ir_type_bits(t);
    if (t < IR_F16)
        return o;
    if (attr & IR_FLUSH_IN)
        o = piece1(p, of_width(bits, H_FLUSH16, H_FLUSH32, H_FLUSH64), o, bits == 64);
    return bits == 16 ? piece1(p, H_H2F, o, false) : o;
}

/* What follows the rounding, in the result's row. */
static void finish_float(struct compiler *c, uint32_t d, const struct ir_op *op, bool flush)
{
    unsigned bits = ir_type_bits((enum ir_type)op->type);
    struct operand o = {d, (uint8_t)(op->uniform ? 0 : EXEC_CHUNK)};
    if (flush)
        emit_simple(c, of_width(bits, H_FLUSH16, H_FLUSH32, H_FLUSH64), 0, d, &o, 1, op->uniform);
    if (op->attr & IR_SAT)
        emit_simple(c, op->attr & IR_SAT_KEEP_NAN ? of_width(bits, H_SAT_NAN16, H_FSAT_NAN32, H_FSAT_NAN64)
                                                  : of_width(bits, H_SAT16, H_FSAT32, H_FSAT64),
                    false, d, &o, 1, op->uniform);
    if (op->attr & IR_NAN_CANON)
        emit_simple(c, of_width(bits, H_CANON16, H_CANON32, H_CANON64), 0, d, &o, 1, op->uniform);
    if (op->attr & IR_NAN_X86)
        emit_simple(c, of_width(bits, H_X86_NAN16, H_X86_NAN32, H_X86_NAN64), 0, d, &o, 1, op->uniform);
}

/* Rounded arithmetic, then clamped. */
static bool rounded_and_clamped(struct compiler *c, const struct ir_op *op)
{
    struct ir_op plain = *op;
    plain.attr &= ROUNDED_ATTRS;
    enum handler_id h = rounded_handler(c, &plain);
    if (h == NO)
        return false;
    struct operand o[3];
    for (unsigned k = 0; k < op->nargs; k++)
        o[k] = operand_of(c, ir_args(c->p->ir, op)[k]);
    uint32_t d = result_row(c, op->res);
    struct lop *l = emit_simple(c, h, 0, d, o, op->nargs, op->uniform);
    l->aux = plain.attr;
    l->imm = attribute_imm(h, &plain);
    finish_float(c, d, op, false);
    return true;
}

/* Integers of 8 and 16 bits are exact in f32. */
static bool narrow_to_float(struct compiler *c, const struct ir_op *op)
{
    unsigned bits = ir_type_bits(arg_type(c, op, 0)), to = ir_type_bits((enum ir_type)op->type);
    if (bits != 8 && bits != 16)
        return false;
    struct pieces p = {.c = c, .uniform = op->uniform};
    struct operand o = operand_of(c, ir_args(c->p->ir, op)[0]);
    if (op->code == IR_S2F)
        o = piece2(&p, H_SHR_S32, piece2(&p, H_SHL32, o, 32 - bits), 32 - bits);
    uint32_t d = result_row(c, op->res);
    emit_simple(c, from_integer(op->code, false, to), 0, d, &o, 1, op->uniform)->aux = op->attr & ROUNDED_ATTRS;
    finish_float(c, d, op, false);
    give_pieces(&p);
    return true;
}

/* The conversion that truncates, of f32 or f64. */
static enum handler_id truncating(bool is_signed, bool from64, bool to64, unsigned rule)
{
    /* by rule (clamp, wrap, x86), from f32 and f64, unsigned and signed */
    static const uint16_t to32[3][2][2] = {
        {{H_F2U32_CLAMP, H_F2S32_CLAMP}, {H_D2U32_CLAMP, H_D2S32_CLAMP}},
        {{H_F2U32_WRAP, H_F2U32_WRAP}, {H_D2U32_WRAP, H_D2U32_WRAP}},
        {{H_F2U32_X86, H_F2S32_X86}, {H_D2U32_X86, H_D2S32_X86}},
    };
    static const uint16_t to64s[3][2][2] = {
        {{H_F2UL_CLAMP, H_F2SL_CLAMP}, {H_D2UL_CLAMP, H_D2SL_CLAMP}},
        {{NO, NO}, {H_D2UL_WRAP, H_D2UL_WRAP}},
        {{NO, H_F2SL_X86}, {H_D2UL_X86, H_D2SL_X86}},
    };
    unsigned way = rule == IR_CVT_WRAP ? 1 : rule == IR_CVT_X86 ? 2 : 0;
    return (enum handler_id)(to64 ? to64s : to32)[way][from64][is_signed];
}

static bool float_to_integer(struct compiler *c, const struct ir_op *op)
{
    static const uint16_t rint[5][2] = {{H_FRINT_RNE32, H_FRINT_RNE64},
                                        {H_FRINT_RTZ32, H_FRINT_RTZ64},
                                        {H_FRINT_RUP32, H_FRINT_RUP64},
                                        {H_FRINT_RDN32, H_FRINT_RDN64},
                                        {H_FRINT_RNA32, H_FRINT_RNA64}};
    unsigned mode = op->attr & IR_ROUND_MASK, rule = op->attr & (IR_CVT_WRAP | IR_CVT_X86);
    unsigned bits = ir_type_bits((enum ir_type)op->type);
    bool wide = ir_type_bits(arg_type(c, op, 0)) == 64, is_signed = op->code == IR_F2S, to64 = bits == 64;
    if (mode > IR_RNA || (op->attr & IR_SAT) || (bits < 32 && rule == IR_CVT_X86))
        return false; /* no instruction set converts to bytes as x86 does */
    struct pieces p = {.c = c, .uniform = op->uniform};
    struct operand o = float_argument(&p, ir_args(c->p->ir, op)[0], op->attr);
    if (mode != IR_RTZ)
        o = piece1(&p, (enum handler_id)rint[mode][wide], o, wide);
    if (!wide && truncating(is_signed, wide, to64, rule) == NO) {
        o = piece1(&p, H_F2F64, o, true);
        wide = true;
    }
    enum handler_id h = truncating(is_signed, wide, to64, rule);
    if (bits < 32) {
        uint32_t high = is_signed ? (1u << (bits - 1)) - 1 : (1u << bits) - 1;
        o = piece1(&p, h, o, false);
        if (!rule && is_signed)
            o = piece2(&p, H_MAX_S32, piece2(&p, H_MIN_S32, o, high), ~high);
        else if (!rule)
            o = piece2(&p, H_MIN_U32, o, high);
        struct operand cut[2] = {o, const_operand(c, (1u << bits) - 1)};
        emit_simple(c, H_AND32, 0, result_row(c, op->res), cut, 2, op->uniform);
    } else {
        emit_simple(c, h, 0, result_row(c, op->res), &o, 1, op->uniform);
    }
    give_pieces(&p);
    return true;
}

/* f16 to f32 and f64, f32 to f64: exact. */
static bool widening(struct compiler *c, const struct ir_op *op)
{
    unsigned bits = ir_type_bits(arg_type(c, op, 0)), to = ir_type_bits((enum ir_type)op->type);
    if (to <= bits)
        return false;
    struct pieces p = {.c = c, .uniform = op->uniform};
    struct operand o = float_argument(&p, ir_args(c->p->ir, op)[0], op->attr);
    uint32_t d = result_row(c, op->res);
    emit_simple(c, to == 64 ? H_F2F64 : H_COPY32, 0, d, &o, 1, op->uniform);
    finish_float(c, d, op, false);
    give_pieces(&p);
    return true;
}

/* COPY with one NaN for all. */
static bool copied(struct compiler *c, const struct ir_op *op)
{
    bool x86 = op->attr == IR_NAN_X86;
    if (op->code != IR_COPY || (!x86 && op->attr != IR_NAN_CANON))
        return false;
    struct operand o = operand_of(c, ir_args(c->p->ir, op)[0]);
    unsigned bits = ir_type_bits((enum ir_type)op->type);
    enum handler_id h = x86 ? of_width(bits, H_X86_NAN16, H_X86_NAN32, H_X86_NAN64)
                            : of_width(bits, H_CANON16, H_CANON32, H_CANON64);
    emit_simple(c, h, 0, result_row(c, op->res), &o, 1, op->uniform);
    return true;
}

bool select_float(struct compiler *c, const struct ir_op *op)
{
    enum ir_type t = op->nargs ? arg_type(c, op, 0) : IR_VOID, to = (enum ir_type)op->type;
    if (op->nres != 1 || op->nargs > 3 || (t < IR_F16 && to < IR_F16) || !(ir_op_info[op->code].flags & IR_OP_PURE))
        return false;
    if (copied(c, op) || rounded_and_clamped(c, op))
        return true;
    switch (op->code) {
    case IR_FNEG: /* bits, not numbers */
    case IR_FABS:
        return false;
    case IR_S2F:
    case IR_U2F:
        return narrow_to_float(c, op);
    case IR_F2S:
    case IR_F2U:
        return float_to_integer(c, op);
    case IR_F2F:
        return widening(c, op);
    case IR_FEXP2:
    case IR_FLOG2:
    case IR_FPOW:
    case IR_FSIN:
    case IR_FCOS:
        if (t != IR_F32 || (op->attr & IR_ROUND_MASK))
            return false;
        break;
    default:
        break;
    }
    struct ir_op plain = *op;
    unsigned kept = op->code == IR_FRINT                              ? IR_ROUND_MASK
                    : op->code == IR_FSAT                             ? IR_SAT_KEEP_NAN
                    : op->code == IR_FMIN || op->code == IR_FMAX ? IR_MINMAX_MASK | IR_MINMAX_ZEROS
                                                                      : 0;
    plain.attr &= (uint16_t)kept;
    bool half = t == IR_F16;
    plain.type = half && to == IR_F16 ? IR_F32 : op->type;
    enum handler_id h = typed_handler(&plain, half ? IR_F32 : t);
    if (h == NO)
        return false;
    struct pieces p = {.c = c, .uniform = op->uniform};
    struct operand o[3];
    for (unsigned k = 0; k < op->nargs; k++)
        o[k] = float_argument(&p, ir_args(c->p->ir, op)[k], op->attr);
    if (half && to == IR_F16)
        o[0] = piece(&p, h, o, op->nargs, false);
    uint32_t d = result_row(c, op->res);
    emit_simple(c, half && to == IR_F16 ? H_F2H : h, 0, d, o, half && to == IR_F16 ? 1 : op->nargs, op->uniform);
    if (to >= IR_F16)
        finish_float(c, d, op, op->attr & IR_FLUSH_OUT);
    give_pieces(&p);
    return true;
}
