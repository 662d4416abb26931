/* lift_sop.c - chapter 6: sums of products of halves. Every product and every sum is rounded to a half, as the unit is
 * one of F16 precision; what comes in as a float or a byte is made a half first. Bytes are parts of 255. */
#include "isa/rogue/lift.h"

enum { HALF_ONE = 0x3c00, BYTE_MOST = 255 };
enum { HALF_FLOAT = IR_NAN_CANON };

static ir_value half(struct rogue_lifter *l, uint16_t bits)
{
    return ir_const(&l->b, IR_F16, bits);
}

/* A NaN loses against a number, and -0 is below 0. */
static ir_value half_op(struct rogue_lifter *l, enum ir_opcode op, ir_value a, ir_value b)
{
    unsigned zeros = op == IR_FMIN || op == IR_FMAX ? IR_MINMAX_ZEROS : 0;
    return ir_op2(&l->b, op, HALF_FLOAT | zeros, a, b);
}

static ir_value one_minus(struct rogue_lifter *l, ir_value v)
{
    return half_op(l, IR_FSUB, half(l, HALF_ONE), v);
}

/* ---- arguments ---- */

/* Source Sn as a half. */
static ir_value to_half(struct rogue_lifter *l, unsigned n, const struct rogue_sop_source *s)
{
    ir_value word = rogue_source(l, n);
    if (s->type == ROGUE_SOP_F32)
        return ir_cvt(&l->b, IR_F2F, IR_F16, HALF_FLOAT, ir_as(&l->b, IR_F32, word));
    unsigned bits = s->type == ROGUE_SOP_U8 ? 8 : 16;
    word = ir_op2(&l->b, IR_SHR_U, 0, word, rogue_word(l, s->element * bits));
    if (s->type == ROGUE_SOP_F16)
        return ir_as(&l->b, IR_F16, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, word));
    ir_value byte = ir_op2(&l->b, IR_AND, 0, word, rogue_word(l, BYTE_MOST));
    ir_value part = ir_op2(&l->b, IR_FDIV, 0, ir_cvt(&l->b, IR_U2F, IR_F32, 0, byte), ir_const_f32(&l->b, BYTE_MOST));
    return ir_cvt(&l->b, IR_F2F, IR_F16, 0, part);
}

/* z = min(s1, 1 - s0); .zabs and .zclamp are of its operands. */
static ir_value z_operand(struct rogue_lifter *l, const struct rogue_insn *insn, unsigned n,
                          const struct rogue_sop_source *s)
{
    ir_value v = to_half(l, n, s);
    if (rogue_get(insn, ROGUE_F_ZABS))
        v = ir_op1(&l->b, IR_FABS, 0, v);
    return rogue_get(insn, ROGUE_F_ZCLAMP) ? ir_op1(&l->b, IR_FSAT, 0, v) : v;
}

static ir_value z_term(struct rogue_lifter *l, const struct rogue_insn *insn, const struct rogue_sop_source *s)
{
    ir_value a = z_operand(l, insn, 1, s);
    return half_op(l, IR_FMIN, a, one_minus(l, z_operand(l, insn, 0, s)));
}

/* Modifiers act in the order floor, absolute, clamp, negate or one minus (chapter 5). */
static ir_value argument(struct rogue_lifter *l, const struct rogue_insn *insn, enum rogue_field field)
{
    struct rogue_sop_source s = rogue_sop_get(insn, field);
    ir_value v = s.from == ROGUE_SOP_ZERO ? half(l, 0)
                 : s.from == ROGUE_SOP_Z  ? z_term(l, insn, &s)
                                          : to_half(l, s.from, &s);
    if (s.flr)
        v = ir_op1(&l->b, IR_FRINT, IR_RDN, v);
    if (s.abs)
        v = ir_op1(&l->b, IR_FABS, 0, v);
    if (s.clamp)
        v = ir_op1(&l->b, IR_FSAT, 0, v);
    if (s.neg)
        v = ir_op1(&l->b, IR_FNEG, 0, v);
    return s.oneminus ? one_minus(l, v) : v;
}

/* ---- destinations ---- */

/* Where a result goes: a destination, as a float, or into one of its halves or bytes. */
struct part {
    uint8_t w;
    uint8_t type; /* enum rogue_sop_type */
    uint8_t element;
};

static ir_value encode(struct rogue_lifter *l, const struct part *p, ir_value v)
{
    if (p->type == ROGUE_SOP_F32)
        return ir_as(&l->b, IR_I32, ir_cvt(&l->b, IR_F2F, IR_F32, 0, v));
    if (p->type == ROGUE_SOP_F16)
        return ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, ir_as(&l->b, IR_I16, v));
    ir_value part = ir_cvt(&l->b, IR_F2F, IR_F32, 0, ir_op1(&l->b, IR_FSAT, 0, v));
    return ir_cvt(&l->b, IR_F2U, IR_I32, 0, ir_op2(&l->b, IR_FMUL, 0, part, ir_const_f32(&l->b, BYTE_MOST)));
}

/* Bits outside a result keep what the destination had. */
static void put(struct rogue_lifter *l, const struct rogue_group *g, struct part p, ir_value v)
{
    ir_value bits = encode(l, &p, v);
    if (p.type == ROGUE_SOP_F32) {
        l->direct[p.w] = l->ft[p.w] = bits;
        return;
    }
    unsigned width = p.type == ROGUE_SOP_U8 ? 8 : 16, shift = p.element * width;
    uint32_t mask = ((UINT32_C(1) << width) - 1) << shift;
    ir_value old = l->direct[p.w] ? l->direct[p.w] : rogue_read(l, g->w[p.w], l->step);
    ir_value rest = ir_op2(&l->b, IR_AND, 0, old, rogue_word(l, ~mask));
    l->direct[p.w] = l->ft[p.w] = ir_op2(&l->b, IR_OR, 0, rest, ir_op2(&l->b, IR_SHL, 0, bits, rogue_word(l, shift)));
}

/* False for "_". The words of JDEST and KDEST: e0 e1 w0 _, bytes 0 to 3 of W0, W1.e0 W1.e1 W1. */
static bool part_of(unsigned code, struct part *out)
{
    enum { WHOLE_W0 = 2, NONE = 3, BYTES = 4, W1_HALVES = 8, WHOLE_W1 = 10 };
    bool whole = code == WHOLE_W0 || code == WHOLE_W1, bytes = code >= BYTES && code < W1_HALVES;
    *out = (struct part){.w = code >= W1_HALVES,
                         .type = whole   ? ROGUE_SOP_F32
                                 : bytes ? ROGUE_SOP_U8
                                         : ROGUE_SOP_F16,
                         .element = (uint8_t)(code & 3)};
    return code != NONE;
}

static uint32_t bits_of(const struct part *p)
{
    return p->type == ROGUE_SOP_F32  ? UINT32_MAX
           : p->type == ROGUE_SOP_U8 ? 0xffu << p->element * 8
                                     : 0xffffu << p->element * 16;
}

static void move_to_w1(struct rogue_lifter *l, unsigned source)
{
    if (l->direct[1])
        lift_refuse(&l->lift, "a sum of products and its move both give W1");
    l->direct[1] = rogue_source(l, source);
}

/* ---- sums of products ---- */

static ir_value combine(struct rogue_lifter *l, unsigned op, ir_value p, ir_value q)
{
    static const uint8_t codes[] = {IR_FADD, IR_FSUB, IR_FMIN, IR_FMAX, IR_FSUB};
    enum { REVERSED = 4 };
    return half_op(l, (enum ir_opcode)codes[op % 5], op == REVERSED ? q : p, op == REVERSED ? p : q);
}

/* j = a e jop b f or k = c g kop d h; .jouta, .joutb and so on give a factor instead. */
static ir_value sum(struct rogue_lifter *l, const struct rogue_insn *insn, enum rogue_field first, enum rogue_field op,
                    enum rogue_field out)
{
    enum { MULTIPLIER = ROGUE_F_ARG_E - ROGUE_F_ARG_A };
    enum rogue_field second = (enum rogue_field)(first + 1);
    unsigned selected = (unsigned)rogue_get(insn, out);
    if (selected)
        return argument(l, insn, selected == 1 ? first : second);
    ir_value p =
        half_op(l, IR_FMUL, argument(l, insn, first), argument(l, insn, (enum rogue_field)(first + MULTIPLIER)));
    ir_value q =
        half_op(l, IR_FMUL, argument(l, insn, second), argument(l, insn, (enum rogue_field)(second + MULTIPLIER)));
    return combine(l, (unsigned)rogue_get(insn, op), p, q);
}

void rogue_lift_sop(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    struct part j, k;
    bool has_j = part_of((unsigned)rogue_get(insn, ROGUE_F_JDEST), &j),
         has_k = part_of((unsigned)rogue_get(insn, ROGUE_F_KDEST), &k);
    bool bytes = rogue_argument(insn->row) == ROGUE_SUM_OF_BYTES;
    if (has_j && has_k && j.w == k.w && (bits_of(&j) & bits_of(&k))) {
        lift_refuse(&l->lift, "'%s' has both results in one place", insn->row->name);
        return;
    }
    if (!bytes && ((has_j && j.type == ROGUE_SOP_U8) || (has_k && k.type == ROGUE_SOP_U8))) {
        lift_refuse(&l->lift, "'%s' has no bytes as results: 'f16sop.u8' has", insn->row->name);
        return;
    }
    if (has_j)
        put(l, g, j, sum(l, insn, ROGUE_F_ARG_A, ROGUE_F_JOP, ROGUE_F_JOUT));
    if (has_k)
        put(l, g, k, sum(l, insn, ROGUE_F_ARG_C, ROGUE_F_KOP, ROGUE_F_KOUT));
    if (rogue_get(insn, ROGUE_F_MOVW1W))
        move_to_w1(l, 3);
}

/* The published code alone: an argument that is absent is 0 (chapter 6: "Sn|0"), and so is the sum. */
void rogue_lift_sop_code(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    (void)insn;
    l->ft[l->unit == ROGUE_P1] = rogue_word(l, 0);
}

/* Four of a e + v. The operands belong together by their numbers; the pseudo-code has w and x the other way round. */
void rogue_lift_sop_mad(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    static const struct {
        enum rogue_field multiplied, multiplier, added, clamp;
    } mads[] = {{ROGUE_F_ARG_A, ROGUE_F_ARG_E, ROGUE_F_ARG_V, ROGUE_F_CLAMP0},
                {ROGUE_F_ARG_C, ROGUE_F_ARG_G, ROGUE_F_ARG_X, ROGUE_F_CLAMP1},
                {ROGUE_F_ARG_B, ROGUE_F_ARG_F, ROGUE_F_ARG_W, ROGUE_F_CLAMP2},
                {ROGUE_F_ARG_D, ROGUE_F_ARG_H, ROGUE_F_ARG_Y, ROGUE_F_CLAMP3}};
    bool bytes = rogue_argument(insn->row) == ROGUE_SUM_OF_BYTES;
    l->direct[0] = rogue_word(l, 0); /* all of it is written, and all of W1 */
    l->direct[1] = bytes ? 0 : l->direct[0];
    for (uint8_t i = 0; i < 4; i++) {
        ir_value product =
            half_op(l, IR_FMUL, argument(l, insn, mads[i].multiplied), argument(l, insn, mads[i].multiplier));
        ir_value v = half_op(l, IR_FADD, product, argument(l, insn, mads[i].added));
        if (rogue_get(insn, mads[i].clamp))
            v = ir_op1(&l->b, IR_FSAT, 0, v);
        put(l, l->group, bytes ? (struct part){0, ROGUE_SOP_U8, i} : (struct part){i >> 1, ROGUE_SOP_F16, i & 1}, v);
    }
    if (rogue_get(insn, ROGUE_F_MOVW1W))
        move_to_w1(l, 0);
}

/* The moves alone. SOPMOV.U8 has no sum: W0 stays as it is. */
void rogue_lift_sop_move(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (rogue_argument(insn->row) == ROGUE_SOP_MOVE_ASKED && !rogue_get(insn, ROGUE_F_MOVW1W))
        return;
    if (insn->row->traits & ROGUE_KEEPS_W)
        l->direct[0] = rogue_read(l, l->group->w[0], l->step);
    move_to_w1(l, rogue_argument(insn->row) == ROGUE_SOP_MOVES_S0 ? 0 : 3);
}
