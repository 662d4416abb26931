/* lift_lanes.c - operations across the lanes of a warp: CLPER and WMASK. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

static ir_value lane_id(struct valhall_lifter *l)
{
    return ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
}

/* Lanes of a subgroup; the reserved numbers count as the whole warp. */
static unsigned subgroup_size(const struct valhall_insn *insn)
{
    unsigned size = 2u << valhall_mod(insn, VALHALL_MOD_SUBGROUP);
    return size < VALHALL_LANES ? size : VALHALL_LANES;
}

/* Which lane is looked at, and whether it is one of the subgroup.
 * none: lane b of the subgroup. xor: the own one ^ b. shift: the own one + b. accumulate: what the steps b = 1, 2, 4, 8
 * of a prefix sum take: lanes with bit b set take the last lane below their half, the others none. */
static ir_value looked_at(struct valhall_lifter *l, ir_value by, ir_value *inside)
{
    struct ir_builder *b = &l->b;
    unsigned size = subgroup_size(l->insn);
    ir_value own = lane_id(l), rest = valhall_i32(l, size - 1), target;
    ir_value base = ir_op2(b, IR_AND, 0, own, valhall_i32(l, ~(size - 1)));
    *inside = ir_op2(b, IR_LT_U, 0, by, valhall_i32(l, size));
    switch ((enum valhall_lane_op)valhall_mod(l->insn, VALHALL_MOD_LANE_OP)) {
    case VALHALL_LANE_XOR:
        return ir_op2(b, IR_XOR, 0, own, ir_op2(b, IR_AND, 0, by, rest));
    case VALHALL_LANE_SHIFT:
        target = ir_op2(b, IR_ADD, 0, own, by);
        *inside = ir_op2(b, IR_LT_U, 0, ir_op2(b, IR_SUB, 0, target, base), valhall_i32(l, size));
        return target;
    case VALHALL_LANE_ACCUMULATE: {
        ir_value bit = ir_op2(b, IR_AND, 0, by, rest);
        *inside = ir_op2(b, IR_NE, 0, ir_op2(b, IR_AND, 0, own, bit), valhall_i32(l, 0));
        ir_value low = ir_op2(b, IR_SUB, 0, ir_op2(b, IR_ADD, 0, bit, bit), valhall_i32(l, 1));
        target = ir_op2(b, IR_AND, 0, own, ir_op1(b, IR_NOT, 0, low));
        return ir_op2(b, IR_OR, 0, target, ir_op2(b, IR_AND, 0, ir_op2(b, IR_SUB, 0, bit, valhall_i32(l, 1)), rest));
    }
    default:
        return ir_op2(b, IR_OR, 0, base, ir_op2(b, IR_AND, 0, by, rest));
    }
}

static uint32_t inactive_bits(const struct valhall_insn *insn)
{
    static const uint32_t values[16] = {
        0x00000000, 0xFFFFFFFF, 0x00000001, 0x00010001, 0x80000000, 0x7FFFFFFF, 0x80008000, 0x7FFF7FFF,
        0x80808080, 0x7F7F7F7F, 0x3F800000, 0x3C003C00, 0xFF800000, 0x7F800000, 0xFC00FC00, 0x7C007C00,
    };
    return values[valhall_mod(insn, VALHALL_MOD_INACTIVE)];
}

/* The value that `v` (IR_I32) has in lane b, or `absent` where that lane is not active. */
static ir_value permute(struct valhall_lifter *l, ir_value v, ir_value by, uint32_t absent)
{
    struct ir_builder *b = &l->b;
    ir_value inside, lane = looked_at(l, by, &inside), yes = ir_const(b, IR_I1, 1);
    ir_value active = ir_cvt(b, IR_LO32, IR_I32, 0, ir_op1(b, IR_BALLOT, 0, yes));
    ir_value bit = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, active, lane), valhall_i32(l, 1));
    ir_value there = ir_op2(b, IR_NE, 0, bit, valhall_i32(l, 0));
    there = ir_op2(b, IR_AND, 0, there, inside);
    return ir_select(b, there, ir_op2(b, IR_SHUFFLE, 0, v, lane), valhall_i32(l, absent));
}

void valhall_lift_clper(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    bool is_signed = valhall_is_signed(insn);
    unsigned lanes = insn->row->lanes, bits = insn->row->size;
    uint32_t absent = inactive_bits(insn);
    if (bits == 64) {
        ir_value a = valhall_bits64(l, &insn->src[0]), by = valhall_whole(l, &insn->src[1], is_signed);
        by = ir_cvt(&l->b, IR_LO32, IR_I32, 0, by);
        ir_value low = permute(l, ir_cvt(&l->b, IR_LO32, IR_I32, 0, a), by, absent);
        ir_value high = permute(l, ir_cvt(&l->b, IR_HI32, IR_I32, 0, a), by, absent);
        valhall_write(l, ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, low, high));
        return;
    }
    if (lanes == 1) {
        valhall_write(l,
                      permute(l, valhall_bits(l, &insn->src[0]), valhall_whole(l, &insn->src[1], is_signed), absent));
        return;
    }
    ir_value v[4];
    enum ir_type type = valhall_integer(insn);
    for (unsigned lane = 0; lane < lanes; lane++) {
        ir_value a = ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, valhall_element(l, &insn->src[0], type, lane, false));
        ir_value by = ir_cvt(&l->b, is_signed ? IR_SEXT : IR_ZEXT, IR_I32, 0,
                             valhall_element(l, &insn->src[1], type, lane, is_signed));
        v[lane] = ir_cvt(&l->b, IR_TRUNC, type, 0, permute(l, a, by, absent >> (lane * bits)));
    }
    valhall_write_lanes(l, v, lanes);
}

/* The lanes that the warp began with, not only the active ones; bit 0 is the first lane of the subgroup. */
void valhall_lift_wmask(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct ir_builder *b = &l->b;
    unsigned size = subgroup_size(insn);
    ir_value set = ir_op2(b, IR_NE, 0, valhall_bits(l, &insn->src[0]), valhall_i32(l, 0));
    ir_value mask = ir_cvt(b, IR_LO32, IR_I32, 0, ir_op1(b, IR_BALLOT, IR_ALL_LANES, set));
    if (size < VALHALL_LANES) {
        ir_value base = ir_op2(b, IR_AND, 0, lane_id(l), valhall_i32(l, ~(size - 1)));
        mask = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, mask, base), valhall_i32(l, (1u << size) - 1));
    }
    valhall_write(l, mask);
}
