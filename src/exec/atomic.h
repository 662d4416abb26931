/* atomic.h - what an atomic leaves in memory: the one meaning of enum ir_atomic, for buffers and images alike. */
#ifndef WEFT_EXEC_ATOMIC_H
#define WEFT_EXEC_ATOMIC_H

#include "base/fmath.h"
#include "ir/ir.h"

static inline float half_from(uint32_t bits)
{
    return f16_to_f32(bits);
}

static inline uint16_t half_bits(float v)
{
    return (uint16_t)f16_from_f32(v);
}

/* Whether v takes the place of old: the lower one does, or the higher one; a number before a NaN, -0 below +0. */
static inline bool atomic_takes(double v, double old, bool higher)
{
    double low = higher ? old : v, high = higher ? v : old;
    if (v != v || old != old)
        return v == v;
    return low < high || (low == high && __builtin_signbit(low) && !__builtin_signbit(high));
}

/* The new word of `bits` bits, given the old one and the operands; compare is only looked at by CAS. A sum of two
 * halves is rounded once, because a float has room enough. One that is not a number is `nan`: programs see its bits. */
#define ATOMIC_RESULT(name, bits, from, to, nan)                                                                       \
    static inline uint##bits##_t name(enum ir_atomic what, uint##bits##_t old, uint##bits##_t v,                       \
                                      uint##bits##_t compare)                                                          \
    {                                                                                                                  \
        int##bits##_t next;                                                                                            \
        switch (what) {                                                                                                \
        case IR_ATOMIC_ADD:                                                                                            \
            return (uint##bits##_t)(old + v);                                                                          \
        case IR_ATOMIC_MIN_S:                                                                                          \
            return (int##bits##_t)v < (int##bits##_t)old ? v : old;                                                    \
        case IR_ATOMIC_MAX_S:                                                                                          \
            return (int##bits##_t)v > (int##bits##_t)old ? v : old;                                                    \
        case IR_ATOMIC_MIN_U:                                                                                          \
            return v < old ? v : old;                                                                                  \
        case IR_ATOMIC_MAX_U:                                                                                          \
            return v > old ? v : old;                                                                                  \
        case IR_ATOMIC_AND:                                                                                            \
            return (uint##bits##_t)(old & v);                                                                          \
        case IR_ATOMIC_OR:                                                                                             \
            return (uint##bits##_t)(old | v);                                                                          \
        case IR_ATOMIC_XOR:                                                                                            \
            return (uint##bits##_t)(old ^ v);                                                                          \
        case IR_ATOMIC_CAS:                                                                                            \
            return old == compare ? v : old;                                                                           \
        case IR_ATOMIC_INC_WRAP:                                                                                       \
            return (uint##bits##_t)(old >= v ? 0 : old + 1);                                                           \
        case IR_ATOMIC_DEC_WRAP:                                                                                       \
            return (uint##bits##_t)(old == 0 || old > v ? v : old - 1);                                                \
        case IR_ATOMIC_INC_WRAP_S:                                                                                     \
            if ((int##bits##_t)v >= 0)                                                                                 \
                return (uint##bits##_t)(old >= v ? 0 : old + 1);                                                       \
            next = (int##bits##_t)(uint##bits##_t)(old + 1);                                                           \
            return next > 0 || (int##bits##_t)v > next ? v : (uint##bits##_t)next;                                     \
        case IR_ATOMIC_DEC_WRAP_S:                                                                                     \
            if ((int##bits##_t)v >= 0)                                                                                 \
                return (uint##bits##_t)(old == 0 || old > v ? v : old - 1);                                            \
            next = (int##bits##_t)(uint##bits##_t)(old - 1);                                                           \
            return (uint##bits##_t)(next > 0 || (int##bits##_t)v > next ? 0 : next);                                   \
        case IR_ATOMIC_FADD:                                                                                           \
            return from(old) + from(v) == from(old) + from(v) ? to(from(old) + from(v)) : (uint##bits##_t)(nan);       \
        case IR_ATOMIC_FMIN:                                                                                           \
        case IR_ATOMIC_FMAX:                                                                                           \
            return atomic_takes(from(v), from(old), what == IR_ATOMIC_FMAX) ? v : old;                                 \
        case IR_ATOMIC_XCHG:                                                                                           \
            break;                                                                                                     \
        }                                                                                                              \
        return v;                                                                                                      \
    }

ATOMIC_RESULT(atomic_result_16, 16, half_from, half_bits, 0xfe00)
ATOMIC_RESULT(atomic_result, 32, f32_from, f32_bits, 0xffc00000)
ATOMIC_RESULT(atomic_result_64, 64, f64_from, f64_bits, (uint64_t)0xfff8 << 48)

#endif
