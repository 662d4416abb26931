/* alu.h - arithmetic of the chip that no IEEE operation gives: functions of bit patterns, and the same over arrays
 * of lanes, as IR's HELPER calls them. The rules are those of envytools' hardware-checked models (nvhw). */
#ifndef WEFT_ISA_TESLA_ALU_H
#define WEFT_ISA_TESLA_ALU_H

#include "isa/tesla/tesla.h"

/* How an operation is done: what `how` and the HELPER's imm hold. */
enum tesla_how {
    TESLA_HOW_ROUND = 3,          /* enum tesla_rounding */
    TESLA_HOW_SAT = 4,            /* clamp to 0..1 */
    TESLA_HOW_SAT_NAN = 8,        /* saturation turns NaN into 0 (control bit 19, from G200 on) */
    TESLA_HOW_SAT_NAN_INPUT = 16, /* ... only when an operand was NaN (G200 itself) */
    TESLA_HOW_ZERO_WINS = 32,     /* 0 times anything is +0 (control bit 1) */
    TESLA_HOW_RINT = 64,          /* conversions: round to an integral value */
    TESLA_HOW_NEG = 128,          /* conversions: the sign is changed ... */
    TESLA_HOW_ABS = 256,          /* ... after it was taken away */
    TESLA_HOW_WIDTH = 9           /* conversions: from this bit on, the types (struct below) */
};

enum { TESLA_NAN = 0x7fffffff };

static inline enum tesla_rounding tesla_how_rounds(uint64_t how)
{
    return (enum tesla_rounding)(how & TESLA_HOW_ROUND);
}

/* What is cut off a magnitude, against half of the last bit that is kept. */
enum tesla_rest { TESLA_REST_NONE, TESLA_REST_LESS, TESLA_REST_HALF, TESLA_REST_MORE };

/* What is added to the magnitude of a number with that sign, the last bit of which is `odd`. */
static inline unsigned tesla_round(enum tesla_rounding mode, bool negative, enum tesla_rest rest, bool odd)
{
    if (mode == TESLA_RN)
        return rest == TESLA_REST_MORE || (rest == TESLA_REST_HALF && odd);
    return rest != TESLA_REST_NONE && mode == (negative ? TESLA_RM : TESLA_RP);
}

/* Whether what is too large becomes the largest number instead of infinity. */
static inline bool tesla_stays_finite(enum tesla_rounding mode, bool negative)
{
    return mode == TESLA_RZ || mode == (negative ? TESLA_RP : TESLA_RM);
}

/* ---- f32 (alu_float.c): bit patterns ---- */

uint32_t tesla_fadd(uint32_t a, uint32_t b, uint64_t how);
uint32_t tesla_fmul(uint32_t a, uint32_t b, uint64_t how);
/* a * b, cut to 24 bits, plus c rounded to nearest. */
uint32_t tesla_fmad(uint32_t a, uint32_t b, uint32_t c, uint64_t how);
uint32_t tesla_fsat(uint32_t a, uint64_t how);

/* Over lanes: count elements of 4 bytes each; args are a, b, c in this order. Of the functions above: alu_lanes.h. */
typedef void tesla_lanes_fn(unsigned count, const void *const *args, void *const *results, uint64_t how);

/* Such a function: every d[i] is `call`, an expression of the first argument's a[i]. */
#define TESLA_OVER_LANES(name, to, from, call)                                                                         \
    void tesla_lanes_##name(unsigned count, const void *const *args, void *const *results, uint64_t how)              \
    {                                                                                                                  \
        const from *a = args[0];                                                                                       \
        to *d = results[0];                                                                                            \
        (void)how;                                                                                                     \
        for (unsigned i = 0; i < count; i++)                                                                           \
            d[i] = (to)(call);                                                                                         \
    }

/* ---- special functions (alu_sfu.c) ---- */

uint32_t tesla_rcp(uint32_t x);
uint32_t tesla_rsqrt(uint32_t x);
uint32_t tesla_lg2(uint32_t x);
uint32_t tesla_sin(uint32_t x); /* of what presin made */
uint32_t tesla_cos(uint32_t x);
uint32_t tesla_ex2(uint32_t x); /* of what preex2 made */
uint32_t tesla_presin(uint32_t x);
uint32_t tesla_preex2(uint32_t x);
tesla_lanes_fn tesla_lanes_rcp, tesla_lanes_rsqrt, tesla_lanes_lg2, tesla_lanes_sin, tesla_lanes_cos, tesla_lanes_ex2,
    tesla_lanes_presin, tesla_lanes_preex2;

/* ---- conversions (alu_convert.c) ---- */

/* Widths in bits and signs of a conversion's types: part of `how` from bit TESLA_HOW_WIDTH on. */
struct tesla_convert_types {
    uint8_t from, to;          /* 8, 16, 32, 64 */
    bool from_signed, to_signed;
};
static inline uint64_t tesla_how_types(struct tesla_convert_types t)
{
    return ((uint64_t)t.from | (uint64_t)t.to << 8 | (uint64_t)t.from_signed << 16 | (uint64_t)t.to_signed << 17)
           << TESLA_HOW_WIDTH;
}

uint32_t tesla_half_to_float(uint32_t half);
uint32_t tesla_float_to_float(uint32_t x, uint64_t how);       /* f32 to f32 */
uint32_t tesla_float_to_half(uint32_t x, uint64_t how);        /* the f32 is rounded as how says first */
uint32_t tesla_float_to_int(uint32_t x, uint64_t how);         /* to at most 32 bits */
uint32_t tesla_int_to_int(uint32_t x, uint64_t how);
uint32_t tesla_int_to_float(uint32_t x, uint64_t how);         /* from at most 32 bits */
uint32_t tesla_int_to_half(uint32_t x, uint64_t how);
tesla_lanes_fn tesla_lanes_half_to_float, tesla_lanes_float_to_float, tesla_lanes_float_to_half,
    tesla_lanes_float_to_int, tesla_lanes_int_to_int, tesla_lanes_int_to_float, tesla_lanes_int_to_half;

/* ---- f64 (alu_double.c); args and results of 8 bytes where they are 64-bit ---- */

uint64_t tesla_dadd(uint64_t a, uint64_t b, uint64_t how);
uint64_t tesla_dfma(uint64_t a, uint64_t b, uint64_t c, uint64_t how);
uint64_t tesla_dmul(uint64_t a, uint64_t b, uint64_t how);
uint64_t tesla_dmin(uint64_t a, uint64_t b);
uint64_t tesla_dmax(uint64_t a, uint64_t b);
uint64_t tesla_float_to_double(uint32_t x, uint64_t how);
uint32_t tesla_double_to_float(uint64_t x, uint64_t how);
uint64_t tesla_double_to_double(uint64_t x, uint64_t how);
/* To 64 bits, or to 32 from f64; *overflow: NaN or out of range. */
uint64_t tesla_double_to_int(uint64_t x, uint64_t how, bool *overflow);
uint64_t tesla_float_to_int64(uint32_t x, uint64_t how, bool *overflow);
uint64_t tesla_int_to_double(uint64_t x, uint64_t how);
uint32_t tesla_int64_to_float(uint64_t x, uint64_t how);
tesla_lanes_fn tesla_lanes_dadd, tesla_lanes_dfma, tesla_lanes_dmul, tesla_lanes_dmin, tesla_lanes_dmax,
    tesla_lanes_float_to_double, tesla_lanes_double_to_float, tesla_lanes_double_to_double, tesla_lanes_double_to_int,
    tesla_lanes_double_to_int_overflow, tesla_lanes_float_to_int64, tesla_lanes_float_to_int64_overflow,
    tesla_lanes_int_to_double, tesla_lanes_int64_to_float;

#endif
