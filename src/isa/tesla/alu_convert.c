/* alu_convert.c - cvt between f16, f32 and integers of 8 to 32 bits (envytools' models). The rounding
 * modes are the chip's own: what IEEE would call the direction of a number's magnitude depends on its sign. */
#include "isa/tesla/alu.h"

enum { INFINITE = 0x7f800000, FRACTION = 0x7fffff, HALF_NAN = 0x7fff, HALF_INFINITE = 0x7c00, HALF_LARGEST = 0x7bff };

static inline bool is_nan(uint32_t x)
{
    return (x & 0x7fffffffu) > INFINITE;
}

static inline int32_t exponent(uint32_t x)
{
    return (int32_t)(x >> 23 & 0xff);
}

/* A magnitude cut at bit `shift`, rounded by the mode of a number with that sign. */
static uint64_t round_shift(uint64_t magnitude, unsigned shift, enum tesla_rounding mode, bool negative)
{
    if (shift == 0)
        return magnitude;
    uint64_t kept = shift < 64 ? magnitude >> shift : 0;
    uint64_t rest = shift < 64 ? magnitude & ((UINT64_C(1) << shift) - 1) : magnitude;
    uint64_t half = shift <= 64 ? UINT64_C(1) << (shift - 1) : UINT64_MAX;
    enum tesla_rest lost = !rest         ? TESLA_REST_NONE
                           : rest < half ? TESLA_REST_LESS
                                         : rest == half ? TESLA_REST_HALF : TESLA_REST_MORE;
    return kept + tesla_round(mode, negative, lost, kept & 1);
}

/* ---- types ---- */

static inline unsigned from_width(uint64_t how)
{
    return (unsigned)(how >> TESLA_HOW_WIDTH & 0xff);
}

static inline unsigned to_width(uint64_t how)
{
    return (unsigned)(how >> (TESLA_HOW_WIDTH + 8) & 0xff);
}

static inline bool from_signed(uint64_t how)
{
    return how >> (TESLA_HOW_WIDTH + 16) & 1;
}

static inline bool to_signed(uint64_t how)
{
    return how >> (TESLA_HOW_WIDTH + 17) & 1;
}

/* ---- floats ---- */

uint32_t tesla_half_to_float(uint32_t half)
{
    uint32_t sign = (half & 0x8000u) << 16, e = half >> 10 & 31, f = half & 0x3ff;
    if (e == 31)
        return f ? TESLA_NAN : sign | INFINITE;
    if (e)
        return sign | (e + 112) << 23 | f << 13;
    if (!f)
        return sign;
    unsigned shift = (unsigned)__builtin_clz(f) - 21; /* a denormal becomes a normal number */
    return sign | (113 - shift) << 23 | (f << (13 + shift) & FRACTION);
}

static uint32_t round_integral(uint32_t x, enum tesla_rounding mode)
{
    uint32_t sign = x & 0x80000000u;
    int32_t e = exponent(x) - 127;
    if (e >= 23 || !(x & 0x7fffffffu))
        return x;
    uint64_t m = (x & FRACTION) | 0x800000u;
    unsigned shift = e < -1 ? 25 : (unsigned)(23 - e);
    uint64_t whole = round_shift(m, shift, mode, sign != 0);
    if (!whole)
        return sign;
    unsigned top = 63 - (unsigned)__builtin_clzll(whole);
    return sign | (top + 127) << 23 | ((uint32_t)(whole << (23 - top)) & FRACTION);
}

uint32_t tesla_float_to_float(uint32_t x, uint64_t how)
{
    if (is_nan(x))
        x = TESLA_NAN;
    else if (!exponent(x))
        x &= 0x80000000u;
    if (how & TESLA_HOW_SAT)
        x = tesla_fsat(x, how);
    return how & TESLA_HOW_RINT && !is_nan(x) ? round_integral(x, tesla_how_rounds(how)) : x;
}

static uint32_t pack_half(uint32_t x, enum tesla_rounding overflow, enum tesla_rounding mode)
{
    uint32_t sign = x >> 16 & 0x8000u;
    bool negative = sign != 0;
    int32_t e = exponent(x) - 127;
    if (is_nan(x))
        return HALF_NAN;
    if (e == 128)
        return sign | HALF_INFINITE;
    if (exponent(x) <= 0x5d)
        return sign;
    uint64_t m = (x & FRACTION) | 0x800000u;
    unsigned shift = e >= -14 ? 13 : (unsigned)(-1 - e); /* down to the grid of 2^-24 */
    uint64_t kept = round_shift(m, shift, mode, negative);
    uint64_t half = e >= -14 ? ((uint64_t)(e + 14) << 10) + kept : kept; /* the leading one adds one to the exponent */
    if (half >= HALF_INFINITE)
        half = tesla_stays_finite(overflow, negative) ? HALF_LARGEST : HALF_INFINITE;
    return sign | (uint32_t)half;
}

uint32_t tesla_float_to_half(uint32_t x, uint64_t how)
{
    enum tesla_rounding mode = tesla_how_rounds(how);
    return pack_half(tesla_float_to_float(x, how), mode, how & TESLA_HOW_RINT ? TESLA_RZ : mode);
}

/* ---- integers ---- */

/* A number as sign and magnitude, clamped to a type of at most 32 bits; the result is extended to 32 bits. */
static uint32_t clamp(uint64_t magnitude, bool negative, unsigned width, bool is_signed)
{
    uint64_t most = is_signed ? (UINT64_C(1) << (width - 1)) - 1 : (UINT64_C(1) << width) - 1;
    if (!negative)
        return (uint32_t)(magnitude < most ? magnitude : most);
    if (!is_signed)
        return 0;
    return (uint32_t)-(int64_t)(magnitude < most + 1 ? magnitude : most + 1);
}

uint32_t tesla_float_to_int(uint32_t x, uint64_t how)
{
    bool negative = x >> 31;
    int32_t e = exponent(x) - 127;
    if (is_nan(x) || !exponent(x))
        return 0;
    uint64_t m = (x & FRACTION) | 0x800000u, whole;
    if (e >= 32)
        whole = UINT32_MAX;
    else if (e >= 23)
        whole = m << (e - 23);
    else
        whole = round_shift(m, e < -1 ? 25 : (unsigned)(23 - e), tesla_how_rounds(how), negative);
    return clamp(whole < UINT32_MAX ? whole : UINT32_MAX, negative, to_width(how), to_signed(how));
}

/* An operand of up to 32 bits as sign and magnitude, abs and neg done. */
static uint64_t take_integer(uint32_t x, uint64_t how, bool *negative, bool *was_negative)
{
    unsigned width = from_width(how);
    uint64_t v = width < 32 ? x & ((1u << width) - 1) : x;
    *was_negative = from_signed(how) && v >> (width - 1);
    uint64_t magnitude = *was_negative ? (UINT64_C(1) << width) - v : v;
    *negative = *was_negative && !(how & TESLA_HOW_ABS);
    if (how & TESLA_HOW_NEG)
        *negative = !*negative;
    return magnitude;
}

uint32_t tesla_int_to_int(uint32_t x, uint64_t how)
{
    bool negative, was;
    uint64_t magnitude = take_integer(x, how, &negative, &was);
    return clamp(magnitude, negative && magnitude, to_width(how), to_signed(how));
}

static uint32_t magnitude_to_float(uint64_t magnitude, bool negative, enum tesla_rounding mode)
{
    uint32_t sign = negative ? 0x80000000u : 0;
    if (!magnitude)
        return sign;
    unsigned top = 63 - (unsigned)__builtin_clzll(magnitude);
    uint64_t m = top <= 23 ? magnitude << (23 - top) : round_shift(magnitude, top - 23, mode, negative);
    return (sign | (uint32_t)(top + 126) << 23) + (uint32_t)m; /* the leading one adds one to the exponent */
}

uint32_t tesla_int_to_float(uint32_t x, uint64_t how)
{
    bool negative, was;
    uint64_t magnitude = take_integer(x, how, &negative, &was);
    uint32_t result = magnitude_to_float(magnitude, negative, tesla_how_rounds(how));
    return how & TESLA_HOW_SAT ? tesla_fsat(result, how) : result;
}

/* The hardware's conversion to f16 loses high bits of large numbers; this is how. */
static uint64_t lose_bits(uint64_t magnitude, bool negative, bool was_negative, enum tesla_rounding mode)
{
    bool away = mode == TESLA_RN || (mode == TESLA_RP && !negative) || (mode == TESLA_RM && negative);
    if (away && (magnitude & 0x3fffffe0u) == 0x3fffffe0u)
        magnitude = 0;
    uint32_t t = (uint32_t)(magnitude - (was_negative ? 1 : 0)) & 0xffff;
    unsigned n = 2;
    for (; t < 0x8000 && n < 7; n++)
        t = t << 1 & 0xffff;
    return magnitude & (UINT32_MAX >> n);
}

uint32_t tesla_int_to_half(uint32_t x, uint64_t how)
{
    bool negative, was;
    uint64_t magnitude = take_integer(x, how, &negative, &was);
    magnitude = lose_bits(magnitude, negative, was, tesla_how_rounds(how));
    uint32_t result = magnitude_to_float(magnitude, negative, tesla_how_rounds(how));
    if (how & TESLA_HOW_SAT)
        result = tesla_fsat(result, how);
    return pack_half(result, tesla_how_rounds(how), tesla_how_rounds(how));
}

/* ---- over lanes ---- */

#define LANES(name, call) TESLA_OVER_LANES(name, uint32_t, uint32_t, call)
LANES(half_to_float, tesla_half_to_float(a[i]))
LANES(float_to_float, tesla_float_to_float(a[i], how))
LANES(float_to_half, tesla_float_to_half(a[i], how))
LANES(float_to_int, tesla_float_to_int(a[i], how))
LANES(int_to_int, tesla_int_to_int(a[i], how))
LANES(int_to_float, tesla_int_to_float(a[i], how))
LANES(int_to_half, tesla_int_to_half(a[i], how))
