/* lift_move.c - chapters 7 and 9: moves and tests. PCK is in lift.c, as it takes part in the repeats of its
 * group. */
#include "isa/rogue/lift.h"

/* W0 in the bytes of the mask from movW0, in the others from IS4. MOVC does so where the test passes, with W1 from
 * movW1, and elsewhere leaves both as IS4 and IS5 have them; MOV changes W0 alone ("modifies the multiplexer
 * assignments for W0"). */
void rogue_lift_mov(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    unsigned bytes = (unsigned)rogue_get(insn, ROGUE_F_MASKW0);
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= bytes >> i & 1 ? UINT32_C(0xff) << 8 * i : 0;
    ir_value w0 = rogue_feed(l, (unsigned)rogue_get(insn, ROGUE_F_MOVW0));
    if (mask != UINT32_MAX) {
        ir_value inside = ir_op2(&l->b, IR_AND, 0, w0, rogue_word(l, mask));
        w0 = ir_op2(&l->b, IR_OR, 0, inside, ir_op2(&l->b, IR_AND, 0, l->w[0], rogue_word(l, ~mask)));
    }
    if (!(insn->row->traits & ROGUE_WHERE_TRUE)) {
        l->w[0] = w0;
        return;
    }
    if (!l->ftt) {
        lift_refuse(&l->lift, "'movc' without a test in its group");
        return;
    }
    l->w[0] = ir_select(&l->b, l->ftt, w0, l->w[0]);
    l->w[1] = ir_select(&l->b, l->ftt, rogue_feed(l, (unsigned)rogue_get(insn, ROGUE_F_MOVW1)), l->w[1]);
}

/* Formats of one word that need no table. 0: other formats. Of whole numbers, the bit that scales others is
 * .roundzero. */
static ir_value unpacked_word(struct rogue_lifter *l, unsigned format, bool truncates)
{
    unsigned rounding = truncates ? IR_RTZ : IR_RNE;
    switch (format) {
    case ROGUE_PACK_U32:
    case ROGUE_PACK_S32:
        return ir_as(&l->b, IR_I32,
                     ir_cvt(&l->b, format == ROGUE_PACK_U32 ? IR_U2F : IR_S2F, IR_F32, rounding, rogue_source(l, 0)));
    case ROGUE_PACK_F32:
        return rogue_source(l, 0);
    default:
        return 0;
    }
}

/* Element e of the source, and with a repeat those after it. */
void rogue_lift_unpck(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    unsigned how =
        (unsigned)rogue_get(insn, ROGUE_F_PCK_FORMAT) | (rogue_get(insn, ROGUE_F_SCALE_RTZ) ? ROGUE_PACK_SCALE : 0u);
    unsigned element = (unsigned)rogue_get(insn, ROGUE_F_ELEM) + l->step;
    ir_value word = element ? 0 : unpacked_word(l, how & 31, how & ROGUE_PACK_SCALE);
    if (word) {
        l->ft[0] = word;
        return;
    }
    word = rogue_source(l, 0);
    l->ft[0] = lift_call(&l->b, "unpack", rogue_lanes_unpack, IR_I32, how | element << ROGUE_PACK_ELEMENT, &word, 1);
}

/* ---- tests ---- */

/* A side as the type sees it: a float, or an IR_I32 widened by its sign. One element field serves both sides. */
static ir_value side(struct rogue_lifter *l, const struct rogue_type *type, unsigned element, ir_value v)
{
    if (type->bits == 32)
        return type->is_float ? ir_as(&l->b, IR_F32, v) : v;
    v = ir_op2(&l->b, IR_SHR_U, 0, v, rogue_word(l, element * type->bits & 31));
    v = ir_cvt(&l->b, IR_TRUNC, type->bits == 16 ? IR_I16 : IR_I8, 0, v);
    return type->is_float ? ir_as(&l->b, IR_F16, v) : ir_cvt(&l->b, type->is_signed ? IR_SEXT : IR_ZEXT, IR_I32, 0, v);
}

/* How the sides are compared; above: with the right one first. */
#define EQUAL                                                                                                          \
    {                                                                                                                  \
        IR_FEQ, IR_EQ, IR_EQ, false                                                                                    \
    }
#define ABOVE                                                                                                          \
    {                                                                                                                  \
        IR_FLT, IR_LT_S, IR_LT_U, true                                                                                 \
    }
#define AT_LEAST                                                                                                       \
    {                                                                                                                  \
        IR_FLE, IR_LE_S, IR_LE_U, true                                                                                 \
    }
static const struct comparison {
    uint8_t of_floats, of_signed, of_unsigned; /* enum ir_opcode */
    bool swapped;
} comparisons[] = {[ROGUE_TEST_Z] = EQUAL,
                   [ROGUE_TEST_GZ] = ABOVE,
                   [ROGUE_TEST_GEZ] = AT_LEAST,
                   [ROGUE_TEST_E] = EQUAL,
                   [ROGUE_TEST_G] = ABOVE,
                   [ROGUE_TEST_GE] = AT_LEAST,
                   [ROGUE_TEST_NE] = {IR_FNE, IR_NE, IR_NE, false},
                   [ROGUE_TEST_L] = {IR_FLT, IR_LT_S, IR_LT_U, false},
                   [ROGUE_TEST_LE] = {IR_FLE, IR_LE_S, IR_LE_U, false},
                   [ROGUE_TEST_MIN] = {IR_FLT, IR_LT_S, IR_LT_U, false},
                   [ROGUE_TEST_MAX] = AT_LEAST};
#undef AT_LEAST
#undef ABOVE
#undef EQUAL

static ir_value compare(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_type *type = &rogue_types[rogue_get(insn, ROGUE_F_TYPE) & 7];
    const struct comparison *c = &comparisons[rogue_argument(insn->row)];
    unsigned element = (unsigned)rogue_get(insn, ROGUE_F_ELEM);
    bool of_zero = rogue_argument(insn->row) <= ROGUE_TEST_GEZ;
    ir_value a = side(l, type, element, rogue_feed(l, l->group->is1 ? ROGUE_FTE : ROGUE_FT0));
    ir_value b =
        side(l, type, element, of_zero ? rogue_word(l, 0) : rogue_feed(l, l->group->is2 ? ROGUE_FTE : ROGUE_FT1));
    enum ir_opcode code = type->is_float ? c->of_floats : type->is_signed ? c->of_signed : c->of_unsigned;
    unsigned attr = type->is_float && type->bits == 32 ? IR_FLUSH_IN : 0;
    return ir_op2(&l->b, code, attr, c->swapped ? b : a, c->swapped ? a : b);
}

void rogue_lift_test(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (insn->row->traits & ROGUE_TESTS_CARRY)
        l->ftt = l->carry ? l->carry : ir_const(&l->b, IR_I1, 0);
    else
        l->ftt = compare(l, insn);
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, l->ftt);
}
