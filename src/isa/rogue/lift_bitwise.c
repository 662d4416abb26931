/* lift_bitwise.c - chapter 10: the units of a bitwise group in their order. A phase that a group leaves out bypasses;
 * of the others all units are there (rogue_finish). */
#include "isa/rogue/lift.h"

static ir_value ft_or_source(struct rogue_lifter *l, unsigned ft, unsigned source)
{
    return l->ft[ft] ? l->ft[ft] : rogue_source(l, source);
}

/* (1 << count) - 1 where count is 0 to 63: all ones from 32 on. */
static ir_value low_ones(struct rogue_lifter *l, ir_value count)
{
    ir_value one = ir_op2(&l->b, IR_SHL, 0, rogue_word(l, 1), count);
    ir_value ones = ir_op2(&l->b, IR_SUB, 0, one, rogue_word(l, 1));
    return ir_select(&l->b, ir_op2(&l->b, IR_LT_U, 0, count, rogue_word(l, 32)), ones, rogue_word(l, UINT32_MAX));
}

/* MSK: width and position have 6 bits; a position from 32 on leaves no bit. */
static void make_mask(struct rogue_lifter *l)
{
    ir_value width = ir_op2(&l->b, IR_AND, 0, rogue_source(l, 0), rogue_word(l, 63));
    ir_value position = ir_op2(&l->b, IR_AND, 0, rogue_source(l, 1), rogue_word(l, 63));
    ir_value top = ir_op2(&l->b, IR_SUB, 0, ir_op2(&l->b, IR_ADD, 0, width, position), rogue_word(l, 1));
    l->ft[0] = ir_op2(&l->b, IR_AND, 0, top, rogue_word(l, 63));
    ir_value mask = ir_op2(&l->b, IR_SHL, 0, low_ones(l, width), position);
    l->ft[1] = ir_select(&l->b, ir_op2(&l->b, IR_LT_U, 0, position, rogue_word(l, 32)), mask, rogue_word(l, 0));
}

void rogue_lift_bitmask(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (rogue_argument(insn->row) == ROGUE_BITS_OF_MASK) {
        make_mask(l);
        return;
    }
    l->ft[0] = rogue_source(l, 0);
    l->ft[1] = rogue_argument(insn->row) == ROGUE_BITS_OF_NUMBER ? rogue_word(l, (uint32_t)rogue_get(insn, ROGUE_F_IMM))
                                                                 : rogue_source(l, 1);
}

/* The low 16 bits of v, with a zero above each. */
static ir_value spread(struct rogue_lifter *l, ir_value v)
{
    static const uint32_t masks[] = {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555};
    v = ir_op2(&l->b, IR_AND, 0, v, rogue_word(l, masks[0]));
    for (unsigned i = 1; i < 5; i++) {
        ir_value moved = ir_op2(&l->b, IR_SHL, 0, v, rogue_word(l, 16u >> i));
        v = ir_op2(&l->b, IR_AND, 0, ir_op2(&l->b, IR_OR, 0, v, moved), rogue_word(l, masks[i]));
    }
    return v;
}

void rogue_lift_shift1(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = rogue_source(l, 2);
    unsigned how = rogue_argument(insn->row);
    if (how == ROGUE_SHIFT1_SHFL)
        v = ir_op2(&l->b, IR_OR, 0, spread(l, v),
                   ir_op2(&l->b, IR_SHL, 0, spread(l, rogue_source(l, 1)), rogue_word(l, 1)));
    else if (how == ROGUE_SHIFT1_REV)
        v = ir_op1(&l->b, IR_BITREV, 0, v);
    else if (how == ROGUE_SHIFT1_LSL)
        v = ir_op2(&l->b, IR_SHL, 0, v, rogue_source(l, 1));
    l->ft[2] = v;
}

/* FTB counts from the LSB up, FTB_MSB from the MSB down; -1 without ones. */
void rogue_lift_count(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = rogue_get(insn, ROGUE_F_COUNT_SRC) ? l->ft[2] : rogue_source(l, 2);
    switch ((enum rogue_count)rogue_argument(insn->row)) {
    case ROGUE_COUNT_ONES:
        v = ir_op1(&l->b, IR_POPCOUNT, 0, v);
        break;
    case ROGUE_COUNT_SIGN:
        v = ir_op2(&l->b, IR_XOR, 0, v, ir_op2(&l->b, IR_SHR_S, 0, v, rogue_word(l, 31)));
        /* fall through */
    case ROGUE_COUNT_HIGHEST:
        v = ir_op2(&l->b, IR_SUB, 0, rogue_word(l, 31), ir_op1(&l->b, IR_CLZ, 0, v));
        break;
    case ROGUE_COUNT_MSB: {
        ir_value none = ir_op2(&l->b, IR_EQ, 0, v, rogue_word(l, 0));
        v = ir_select(&l->b, none, rogue_word(l, UINT32_MAX), ir_op1(&l->b, IR_CLZ, 0, v));
        break;
    }
    default:
        break;
    }
    l->ft[3] = v;
}

/* FT2 op S3, the first masked by FT1 and the second by its complement where the instruction says so. */
void rogue_lift_logical(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (insn->row->traits & ROGUE_BYPASSES) {
        l->ft[4] = ft_or_source(l, 1, 1);
        return;
    }
    ir_value a = ft_or_source(l, 2, 2), b = rogue_source(l, 3);
    if (rogue_get(insn, ROGUE_F_MSKA))
        a = ir_op2(&l->b, IR_AND, 0, a, ft_or_source(l, 1, 1));
    if (rogue_get(insn, ROGUE_F_MSKB))
        b = ir_op2(&l->b, IR_AND, 0, b, ir_op1(&l->b, IR_NOT, 0, ft_or_source(l, 1, 1)));
    unsigned op = rogue_argument(insn->row);
    ir_value v = ir_op2(&l->b, (enum ir_opcode)(op & ~(unsigned)ROGUE_INVERTS), 0, a, b);
    l->ft[4] = op & ROGUE_INVERTS ? ir_op1(&l->b, IR_NOT, 0, v) : v;
}

/* (FT4 << (31 - sb)) >> (31 + S4 - sb), arithmetically. The amount reaches 62: what is shifted out further is the sign.
 */
static ir_value shift_arithmetic(struct rogue_lifter *l, ir_value v, ir_value amount, ir_value sign_bit)
{
    ir_value lead = ir_op2(&l->b, IR_SUB, 0, rogue_word(l, 31), sign_bit);
    ir_value total = ir_op2(&l->b, IR_ADD, 0, lead, ir_op2(&l->b, IR_AND, 0, amount, rogue_word(l, 31)));
    ir_value top = ir_op2(&l->b, IR_SHL, 0, v, lead);
    return ir_op2(&l->b, IR_SHR_S, 0, top, ir_op2(&l->b, IR_MIN_U, 0, total, rogue_word(l, 31)));
}

static ir_value sign_bit(struct rogue_lifter *l, unsigned how)
{
    switch ((enum rogue_shift2)how) {
    case ROGUE_SHIFT2_PWB:
        return rogue_word(l, 15);
    case ROGUE_SHIFT2_MTB:
        return ir_op2(&l->b, IR_AND, 0, ft_or_source(l, 0, 0), rogue_word(l, 31));
    case ROGUE_SHIFT2_FTB:
        return ir_op2(&l->b, IR_AND, 0, ft_or_source(l, 3, 2), rogue_word(l, 31));
    default:
        return rogue_word(l, 31);
    }
}

void rogue_lift_shift2(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = l->ft[4] ? l->ft[4] : ft_or_source(l, 1, 1), by = rogue_source(l, 4);
    switch ((enum rogue_shift2)rogue_argument(insn->row)) {
    case ROGUE_SHIFT2_LSL:
        l->ft[5] = ir_op2(&l->b, IR_SHL, 0, v, by);
        break;
    case ROGUE_SHIFT2_SHR:
        l->ft[5] = ir_op2(&l->b, IR_SHR_U, 0, v, by);
        break;
    case ROGUE_SHIFT2_ROL:
        l->ft[5] = ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_SHL, 0, v, by),
                          ir_op2(&l->b, IR_SHR_U, 0, v, ir_op1(&l->b, IR_NEG, 0, by)));
        break;
    case ROGUE_SHIFT2_CPS: { /* clear, then set where P0 is */
        ir_value cleared = ir_op2(&l->b, IR_AND, 0, by, ir_op1(&l->b, IR_NOT, 0, v));
        l->ft[5] = ir_op2(&l->b, IR_OR, 0, cleared, ir_select(&l->b, rogue_p0(l), v, rogue_word(l, 0)));
        break;
    }
    default:
        l->ft[5] = shift_arithmetic(l, v, by, sign_bit(l, rogue_argument(insn->row)));
        break;
    }
}

void rogue_lift_bit_test(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    ir_value v = rogue_get(insn, ROGUE_F_TST_SRC) ? ft_or_source(l, 3, 2) : l->ft[5];
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, ir_op2(&l->b, (enum ir_opcode)rogue_argument(insn->row), 0, v, rogue_word(l, 0)));
}
