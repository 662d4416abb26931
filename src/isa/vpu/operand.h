/* operand.h - vector operands and their 10 + 6 + 4 bits: chapter "Argument format" of the manual. */
#ifndef WEFT_ISA_VPU_OPERAND_H
#define WEFT_ISA_VPU_OPERAND_H

#include "isa/vpu/table.h"

/* A vector operand as encoded. Bits 9:6 of `place` are size, high bits of x and direction. */
struct vpu_operand_bits {
    uint32_t place; /* d:10, a:10, b:10 */
    uint32_t flags; /* f_d:6, f_a:6, f_b:6: register 5:2, increment 1, column base 0 */
    uint32_t low_x; /* Ra_x:4, of A in 80 bits */
};

enum { VPU_DASH_PLACE = 0x380, VPU_VERTICAL_PLACE = 0x40, VPU_NO_FLAGS = VPU_NO_REG << 2 };

/* Is it "-", or of B a scalar? */
static inline bool vpu_place_is_dash(uint32_t place)
{
    return (place & VPU_DASH_PLACE) == VPU_DASH_PLACE;
}

/* The flags of a discarded destination in 80 bits. Where no step is kept in them, the GNU port writes r0 and not r15
 * for "no register"; these two change places, so that "-" is what it writes. */
static inline uint32_t vpu_swap_no_register(uint32_t flags, unsigned op)
{
    uint32_t reg = flags >> 2;
    return vpu_is_store(op) || (reg != 0 && reg != VPU_NO_REG) ? flags : flags ^ VPU_NO_FLAGS;
}

/* What a place says of an operand in direction `vertical`. fine: x and y are given in full by the place and low_x (A of
 * the 80-bit forms). */
static inline struct vpu_operand vpu_operand_at(uint32_t place, bool vertical, bool fine)
{
    uint32_t high = place >> 7, low = place & 63;
    struct vpu_operand o = {.vertical = vertical, .y = (uint8_t)low, .reg = VPU_NO_REG};
    if (high == 7) {
        o.kind = VPU_DASH;
        return o;
    }
    o.kind = VPU_VREG;
    o.width = high < 4 ? VPU_8 : high < 6 ? VPU_16 : VPU_32;
    if (high < 4)
        o.x = (uint8_t)(high << 4);
    else if (high < 6)
        o.x = (uint8_t)((high & 1) << 5);
    if (vertical && !fine) {
        o.x = (uint8_t)(o.x + (low & 15));
        o.y = (uint8_t)(low & 48);
    }
    return o;
}

/* The same with the flags and the low bits of x, out of one of the tables coarse and fine. */
static inline struct vpu_operand vpu_get_operand(const struct vpu_operand *table, struct vpu_operand_bits bits,
                                                 bool vertical)
{
    struct vpu_operand o = table[(bits.place & ~(uint32_t)VPU_VERTICAL_PLACE) | (vertical ? VPU_VERTICAL_PLACE : 0u)];
    o.reg = (uint8_t)(bits.flags >> 2 & 15);
    o.inc = (bits.flags & 2) != 0;
    o.column = (bits.flags & 1) != 0;
    o.x = (uint8_t)(o.x + bits.low_x);
    return o;
}

/* The reverse; bit 6 of the place is o->vertical. */
static inline struct vpu_operand_bits vpu_put_operand(const struct vpu_operand *o, bool fine)
{
    struct vpu_operand_bits bits = {.flags = (uint32_t)(o->reg << 2 | o->inc << 1 | o->column), .low_x = o->x & 15u};
    uint32_t vertical = o->vertical ? VPU_VERTICAL_PLACE : 0;
    if (o->kind == VPU_DASH) {
        bits.place = VPU_DASH_PLACE | vertical | o->y;
        return bits;
    }
    static const uint32_t width[] = {0, 4, 6};
    uint32_t x = o->width == VPU_8 ? o->x >> 4 : o->width == VPU_16 ? o->x >> 5 : 0;
    uint32_t low = o->vertical && !fine ? (uint32_t)(o->y & 48) | (o->x & 15) : o->y;
    bits.place = (width[o->width] | x) << 7 | vertical | low;
    return bits;
}

/* Can the operand be where x and y are not given in full? */
static inline bool vpu_is_coarse(const struct vpu_operand *o)
{
    return o->kind == VPU_DASH || (o->vertical ? (o->y & 15) == 0 : (o->x & 15) == 0);
}

#endif
