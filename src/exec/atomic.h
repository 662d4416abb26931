/* atomic.h - what an atomic leaves in memory: the one meaning of enum ir_atomic, for buffers and images alike. */
#ifndef WEFT_EXEC_ATOMIC_H
#define WEFT_EXEC_ATOMIC_H

#include "base/fmath.h"
#include "ir/ir.h"

/* The new word of `bits` bits, given the old one and the operands; compare is only looked at by CAS. */
#define ATOMIC_RESULT(name, bits)                                                                                      \
    static inline uint##bits##_t name(enum ir_atomic what, uint##bits##_t old, uint##bits##_t v,                       \
                                      uint##bits##_t compare)                                                          \
    {                                                                                                                  \
        switch (what) {                                                                                                \
        case IR_ATOMIC_ADD:                                                                                            \
            return old + v;                                                                                            \
        case IR_ATOMIC_MIN_S:                                                                                          \
            return (int##bits##_t)v < (int##bits##_t)old ? v : old;                                                    \
        case IR_ATOMIC_MAX_S:                                                                                          \
            return (int##bits##_t)v > (int##bits##_t)old ? v : old;                                                    \
        case IR_ATOMIC_MIN_U:                                                                                          \
            return v < old ? v : old;                                                                                  \
        case IR_ATOMIC_MAX_U:                                                                                          \
            return v > old ? v : old;                                                                                  \
        case IR_ATOMIC_AND:                                                                                            \
            return old & v;                                                                                            \
        case IR_ATOMIC_OR:                                                                                             \
            return old | v;                                                                                            \
        case IR_ATOMIC_XOR:                                                                                            \
            return old ^ v;                                                                                            \
        case IR_ATOMIC_CAS:                                                                                            \
            return old == compare ? v : old;                                                                           \
        case IR_ATOMIC_INC_WRAP:                                                                                       \
            return old >= v ? 0 : old + 1;                                                                             \
        case IR_ATOMIC_DEC_WRAP:                                                                                       \
            return old == 0 || old > v ? v : old - 1;                                                                  \
        case IR_ATOMIC_FADD:                                                                                           \
            return f##bits##_bits(f##bits##_from(old) + f##bits##_from(v));                                            \
        case IR_ATOMIC_XCHG:                                                                                           \
            break;                                                                                                     \
        }                                                                                                              \
        return v;                                                                                                      \
    }

ATOMIC_RESULT(atomic_result, 32)
ATOMIC_RESULT(atomic_result_64, 64)

#endif
