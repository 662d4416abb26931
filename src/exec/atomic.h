/* atomic.h - what an atomic leaves in memory: the one meaning of enum ir_atomic, for buffers and images alike. */
#ifndef WEFT_EXEC_ATOMIC_H
#define WEFT_EXEC_ATOMIC_H

#include "base/fmath.h"
#include "ir/ir.h"

/* The new word, given the old one and the operands; compare is only looked at by CAS. */
static inline uint32_t atomic_result(enum ir_atomic what, uint32_t old, uint32_t v, uint32_t compare)
{
    switch (what) {
    case IR_ATOMIC_ADD:
        return old + v;
    case IR_ATOMIC_MIN_S:
        return (int32_t)v < (int32_t)old ? v : old;
    case IR_ATOMIC_MAX_S:
        return (int32_t)v > (int32_t)old ? v : old;
    case IR_ATOMIC_MIN_U:
        return v < old ? v : old;
    case IR_ATOMIC_MAX_U:
        return v > old ? v : old;
    case IR_ATOMIC_AND:
        return old & v;
    case IR_ATOMIC_OR:
        return old | v;
    case IR_ATOMIC_XOR:
        return old ^ v;
    case IR_ATOMIC_CAS:
        return old == compare ? v : old;
    case IR_ATOMIC_INC_WRAP:
        return old >= v ? 0 : old + 1;
    case IR_ATOMIC_DEC_WRAP:
        return old == 0 || old > v ? v : old - 1;
    case IR_ATOMIC_FADD:
        return f32_bits(f32_from(old) + f32_from(v));
    case IR_ATOMIC_XCHG:
        break;
    }
    return v;
}

#endif
