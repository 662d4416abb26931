/* lift_float.c - float arithmetic, minima and maxima, selection and comparison of floats and integers, with clamps. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

enum { MINMAX = IR_MINMAX_NUMBER | IR_MINMAX_ZEROS };

unsigned valhall_rounding(const struct valhall_insn *insn)
{
    static const uint8_t modes[4] = {IR_RNE, IR_RUP, IR_RDN, IR_RTZ};
    return modes[valhall_mod(insn, VALHALL_MOD_ROUND)];
}

static ir_value one(struct valhall_lifter *l, enum ir_type type, bool negative)
{
    return type == IR_F16 ? ir_const(&l->b, IR_F16, negative ? 0xbc00 : 0x3c00)
                          : ir_const(&l->b, IR_F32, negative ? 0xbf800000 : 0x3f800000);
}

/* min(max(x, low), high), where a number is preferred to NaN and -0 is below +0: the identities of the description's
 * enumeration "Clamp". */
ir_value valhall_clamped(struct valhall_lifter *l, ir_value v)
{
    enum ir_type type = ir_type_of(&l->b, v);
    switch ((enum valhall_clamp)valhall_mod(l->insn, VALHALL_MOD_CLAMP)) {
    case VALHALL_CLAMP_0_INF:
        return ir_op2(&l->b, IR_FMAX, MINMAX, v, ir_const(&l->b, type, 0));
    case VALHALL_CLAMP_M1_1:
        return ir_op2(&l->b, IR_FMIN, MINMAX, ir_op2(&l->b, IR_FMAX, MINMAX, v, one(l, type, true)),
                      one(l, type, false));
    case VALHALL_CLAMP_0_1:
        return ir_op1(&l->b, IR_FSAT, 0, v);
    default:
        return v;
    }
}

/* ---- arithmetic, of f32 or of both halves ---- */

ir_value valhall_element_fadd(struct valhall_lifter *l, const ir_value *v)
{
    return ir_op2(&l->b, IR_FADD, 0, v[0], v[1]);
}

ir_value valhall_element_fmin(struct valhall_lifter *l, const ir_value *v)
{
    return ir_op2(&l->b, IR_FMIN, MINMAX, v[0], v[1]);
}

ir_value valhall_element_fmax(struct valhall_lifter *l, const ir_value *v)
{
    return ir_op2(&l->b, IR_FMAX, MINMAX, v[0], v[1]);
}

ir_value valhall_element_fma(struct valhall_lifter *l, const ir_value *v)
{
    return ir_op3(&l->b, IR_FFMA, 0, v[0], v[1], v[2]);
}

/* ---- conditions ---- */

static ir_value negated(struct valhall_lifter *l, ir_value v)
{
    return ir_op1(&l->b, IR_NOT, 0, v);
}

static ir_value float_condition(struct valhall_lifter *l, unsigned cmp, ir_value x, ir_value y)
{
    switch ((enum valhall_condition)cmp) {
    case VALHALL_CMP_EQ:
        return ir_op2(&l->b, IR_FEQ, 0, x, y);
    case VALHALL_CMP_GT:
        return ir_op2(&l->b, IR_FLT, 0, y, x);
    case VALHALL_CMP_GE:
        return ir_op2(&l->b, IR_FLE, 0, y, x);
    case VALHALL_CMP_NE:
        return ir_op2(&l->b, IR_FNE, 0, x, y);
    case VALHALL_CMP_LT:
        return ir_op2(&l->b, IR_FLT, 0, x, y);
    case VALHALL_CMP_LE:
        return ir_op2(&l->b, IR_FLE, 0, x, y);
    case VALHALL_CMP_GTLT: /* false where either is NaN: what tells it from ne */
        return ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_FLT, 0, x, y), ir_op2(&l->b, IR_FLT, 0, y, x));
    default: /* total: they are ordered */
        return negated(l, ir_op2(&l->b, IR_FUNORD, 0, x, y));
    }
}

static ir_value integer_condition(struct valhall_lifter *l, unsigned cmp, bool is_signed, ir_value x, ir_value y)
{
    enum ir_opcode less = is_signed ? IR_LT_S : IR_LT_U, most = is_signed ? IR_LE_S : IR_LE_U;
    switch ((enum valhall_condition)cmp) {
    case VALHALL_CMP_EQ:
        return ir_op2(&l->b, IR_EQ, 0, x, y);
    case VALHALL_CMP_GT:
        return ir_op2(&l->b, less, 0, y, x);
    case VALHALL_CMP_GE:
        return ir_op2(&l->b, most, 0, y, x);
    case VALHALL_CMP_LT:
        return ir_op2(&l->b, less, 0, x, y);
    case VALHALL_CMP_LE:
        return ir_op2(&l->b, most, 0, x, y);
    case VALHALL_CMP_TOTAL: /* integers always are */
        return ir_const(&l->b, IR_I1, 1);
    default:
        return ir_op2(&l->b, IR_NE, 0, x, y);
    }
}

/* The condition of two sources in one element. */
static ir_value condition(struct valhall_lifter *l, unsigned lane)
{
    const struct valhall_insn *insn = l->insn;
    const struct valhall_source *a = &insn->src[0], *b = &insn->src[1];
    unsigned cmp = valhall_mod(insn, VALHALL_MOD_CMP);
    bool is_signed = valhall_is_signed(insn);
    if (insn->row->kind == WEFT_TYPE_FLOAT)
        return float_condition(l, cmp, valhall_float(l, a, lane), valhall_float(l, b, lane));
    return integer_condition(l, cmp, is_signed, valhall_number(l, a, lane, is_signed),
                             valhall_number(l, b, lane, is_signed));
}

/* ---- selection ---- */

void valhall_lift_csel(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned lanes = insn->row->lanes;
    ir_value v[4] = {0};
    for (unsigned lane = 0; lane < lanes; lane++) {
        ir_value holds = condition(l, lane), c = valhall_number(l, &insn->src[2], lane, false);
        v[lane] = ir_select(&l->b, holds, c, valhall_number(l, &insn->src[3], lane, false));
    }
    valhall_write_lanes(l, v, lanes);
}

/* Whether a mask passes the test of MUX; bit by bit is another thing. */
static ir_value mask_passes(struct valhall_lifter *l, unsigned test, ir_value mask)
{
    enum ir_type type = ir_type_of(&l->b, mask);
    ir_value zero = ir_const(&l->b, type, 0);
    if (test == VALHALL_MUX_NEG)
        return ir_op2(&l->b, IR_LT_S, 0, mask, zero);
    if (test == VALHALL_MUX_FP_ZERO) { /* both zeros: nothing but the sign may be set */
        uint64_t magnitude = (UINT64_C(1) << (ir_type_bits(type) - 1)) - 1;
        mask = ir_op2(&l->b, IR_AND, 0, mask, ir_const(&l->b, type, magnitude));
    }
    return ir_op2(&l->b, IR_EQ, 0, mask, zero);
}

static ir_value mux(struct valhall_lifter *l, unsigned test, ir_value a, ir_value b, ir_value mask)
{
    if (test != VALHALL_MUX_BIT)
        return ir_select(&l->b, mask_passes(l, test, mask), a, b);
    return ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_AND, 0, a, mask),
                  ir_op2(&l->b, IR_AND, 0, b, ir_op1(&l->b, IR_NOT, 0, mask)));
}

void valhall_lift_mux(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned test = valhall_mod(insn, VALHALL_MOD_MUX), lanes = insn->row->lanes;
    ir_value v[4];
    for (unsigned lane = 0; lane < lanes; lane++)
        v[lane] = mux(l, test, valhall_number(l, &insn->src[0], lane, false),
                      valhall_number(l, &insn->src[1], lane, false), valhall_number(l, &insn->src[2], lane, false));
    valhall_write_lanes(l, v, lanes);
}

/* ---- comparison ---- */

/* 1, 1.0 or all ones of an element; bytes have no float 1 and get the integer. */
static ir_value truth(struct valhall_lifter *l, enum ir_type type, ir_value holds)
{
    unsigned result = valhall_mod(l->insn, VALHALL_MOD_RESULT_TYPE);
    uint64_t yes = 1;
    if (result == VALHALL_RESULT_M1)
        return ir_cvt(&l->b, IR_SEXT, type, 0, holds);
    if (result == VALHALL_RESULT_F1 && type != IR_I8)
        yes = type == IR_I16 ? 0x3c00 : 0x3f800000;
    return ir_select(&l->b, holds, ir_const(&l->b, type, yes), ir_const(&l->b, type, 0));
}

/* A step of a comparison of several words: the low word's .u1 is plain; a higher word decides, and where it is equal
 * the result so far does. */
static ir_value multi_step(struct valhall_lifter *l, ir_value holds, unsigned lane, ir_value so_far)
{
    const struct valhall_insn *insn = l->insn;
    bool is_signed = valhall_is_signed(insn);
    if (valhall_mod(insn, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_U1)
        return holds;
    ir_value x = valhall_number(l, &insn->src[0], lane, is_signed);
    ir_value y = valhall_number(l, &insn->src[1], lane, is_signed);
    return ir_select(&l->b, ir_op2(&l->b, IR_EQ, 0, x, y), so_far, holds);
}

void valhall_lift_compare(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned lanes = insn->row->lanes;
    enum ir_type type = valhall_integer(insn);
    ir_value v[4] = {0};
    for (unsigned lane = 0; lane < lanes; lane++) {
        ir_value holds = condition(l, lane), c = valhall_number(l, &insn->src[2], lane, false);
        ir_value so_far = ir_op2(&l->b, IR_NE, 0, c, ir_const(&l->b, type, 0));
        if (insn->row->arg == VALHALL_CHAIN_MULTI)
            holds = multi_step(l, holds, lane, so_far);
        else
            holds = ir_op2(&l->b, insn->row->arg == VALHALL_CHAIN_AND ? IR_AND : IR_OR, 0, holds, so_far);
        v[lane] = truth(l, type, holds);
    }
    valhall_write_lanes(l, v, lanes);
}

/* Fragments for which the condition holds are dropped: they draw nothing, and run on for their neighbours' derivatives
 * unless something in the program shows which lanes are active. */
void valhall_lift_discard(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    (void)insn;
    ir_value gone = condition(l, 0);
    ir_emit(&l->b, IR_DISCARD, IR_VOID, 0, 0, &gone, 1, 0, 0, 0);
    l->b.p->io.uses_discard = true;
}
