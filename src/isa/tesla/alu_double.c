/* alu_double.c - f64 of the chips that have it: IEEE 754 in four rounding modes with denormals, and NaNs that carry
 * their payloads (envytools' models). In integers, because the host rounds one way only. */
#include "isa/tesla/alu.h"

#include <string.h>

typedef unsigned __int128 wide;

#define SIGN UINT64_C(0x8000000000000000)
#define INFINITE UINT64_C(0x7ff0000000000000)
#define QUIET UINT64_C(0x0008000000000000)
#define INVALID UINT64_C(0xfff8000000000000) /* 0 * infinity, infinity - infinity */
#define FRACTION UINT64_C(0x000fffffffffffff)

static bool is_nan(uint64_t x)
{
    return (x & ~SIGN) > INFINITE;
}

static bool is_infinite(uint64_t x)
{
    return (x & ~SIGN) == INFINITE;
}

static bool is_zero(uint64_t x)
{
    return (x & ~SIGN) == 0;
}

/* ---- numbers as sign * significand * 2^exponent ---- */

struct number {
    bool negative;
    int32_t exponent;
    wide significand; /* 0, or with its leading one in bit 126 */
};

static unsigned leading_zeros(wide v)
{
    return v >> 64 ? (unsigned)__builtin_clzll((uint64_t)(v >> 64)) : 64 + (unsigned)__builtin_clzll((uint64_t)v);
}

static struct number normal(bool negative, int32_t exponent, wide significand)
{
    if (!significand)
        return (struct number){negative, 0, 0};
    int shift = (int)leading_zeros(significand) - 1;
    if (shift < 0) /* bit 127: its last bit is remembered */
        return (struct number){negative, exponent + 1, significand >> 1 | (significand & 1)};
    return (struct number){negative, exponent - shift, significand << shift};
}

static struct number take_double(uint64_t x)
{
    int32_t e = (int32_t)(x >> 52 & 0x7ff);
    return normal(x >> 63, (e ? e : 1) - 1075, (x & FRACTION) | (e ? FRACTION + 1 : 0));
}

static struct number take_float(uint32_t x)
{
    int32_t e = (int32_t)(x >> 23 & 0xff);
    return normal(x >> 31, (e ? e : 1) - 150, (x & 0x7fffff) | (e ? 0x800000u : 0));
}

static wide shift_right(wide v, uint32_t count)
{
    if (count == 0)
        return v;
    if (count > 127)
        return v != 0;
    return v >> count | ((v & (((wide)1 << count) - 1)) != 0);
}

/* The whole number v >> shift, rounded. */
static wide round_shift(wide v, uint32_t shift, enum tesla_rounding mode, bool negative)
{
    if (shift == 0)
        return v;
    wide kept = shift > 127 ? 0 : v >> shift, half = shift > 127 ? 2 : (wide)1 << (shift - 1);
    wide rest = shift > 127 ? (wide)(v != 0) : v & (((wide)1 << shift) - 1);
    enum tesla_rest lost = !rest         ? TESLA_REST_NONE
                           : rest < half ? TESLA_REST_LESS
                                         : rest == half ? TESLA_REST_HALF : TESLA_REST_MORE;
    return kept + tesla_round(mode, negative, lost, kept & 1);
}

/* Round to a format of `bits` significant bits whose least denormal is 2^least and whose largest exponent field is
 * `top`. */
static uint64_t pack(const struct number *n, unsigned bits, int32_t least, uint64_t top, enum tesla_rounding mode)
{
    int32_t low = n->exponent + 127 - (int32_t)bits; /* of the last bit */
    if (low < least)
        low = least;
    uint64_t kept = (uint64_t)round_shift(n->significand, (uint32_t)(low - n->exponent), mode, n->negative);
    /* the leading one adds one to the exponent field */
    uint64_t result = ((uint64_t)(low - least) << (bits - 1)) + kept;
    uint64_t infinite = top << (bits - 1);
    if (result >= infinite)
        result = tesla_stays_finite(mode, n->negative) ? infinite - 1 : infinite;
    return result;
}

static uint64_t to_double(const struct number *n, enum tesla_rounding mode)
{
    return (n->negative ? SIGN : 0) | (n->significand ? pack(n, 53, -1074, 0x7ff, mode) : 0);
}

static uint32_t to_float(const struct number *n, enum tesla_rounding mode)
{
    return (n->negative ? 0x80000000u : 0) | (n->significand ? (uint32_t)pack(n, 24, -149, 0xff, mode) : 0);
}

/* ---- arithmetic ---- */

/* The sum, with what is too small to keep remembered in the last bit. */
static struct number sum_of(struct number a, struct number b, enum tesla_rounding mode)
{
    if (!a.significand && !b.significand)
        return normal(a.negative == b.negative ? a.negative : mode == TESLA_RM, 0, 0);
    if (!a.significand)
        return b;
    if (!b.significand)
        return a;
    if (a.exponent < b.exponent) {
        struct number swap = a;
        a = b;
        b = swap;
    }
    b.significand = shift_right(b.significand, (uint32_t)(a.exponent - b.exponent));
    if (a.negative == b.negative)
        return normal(a.negative, a.exponent, a.significand + b.significand);
    if (a.significand == b.significand)
        return normal(mode == TESLA_RM, 0, 0);
    bool larger = a.significand > b.significand;
    return normal(larger ? a.negative : b.negative, a.exponent,
                  larger ? a.significand - b.significand : b.significand - a.significand);
}

uint64_t tesla_dfma(uint64_t a, uint64_t b, uint64_t c, uint64_t how)
{
    enum tesla_rounding mode = tesla_how_rounds(how);
    if (is_nan(b))
        return b | QUIET;
    if (is_nan(c))
        return c | QUIET;
    if (is_nan(a))
        return a | QUIET;
    bool negative = (a ^ b) >> 63;
    if (is_infinite(a) || is_infinite(b)) {
        if (is_zero(a) || is_zero(b) || (is_infinite(c) && (c >> 63) != negative))
            return INVALID;
        return INFINITE | (negative ? SIGN : 0);
    }
    if (is_infinite(c))
        return c;
    struct number x = take_double(a), y = take_double(b), z = take_double(c);
    /* 53 bits each, at the top of 127: their product is 106 bits */
    struct number product =
        normal(negative, x.exponent + y.exponent + 148, (x.significand >> 74) * (y.significand >> 74));
    struct number sum = sum_of(product, z, mode);
    return to_double(&sum, mode);
}

uint64_t tesla_dadd(uint64_t a, uint64_t b, uint64_t how)
{
    if (is_nan(b))
        return b | QUIET;
    if (is_nan(a))
        return a | QUIET;
    if (is_infinite(a) && is_infinite(b) && a != b)
        return INVALID;
    if (is_infinite(a))
        return a;
    if (is_infinite(b))
        return b;
    struct number sum = sum_of(take_double(a), take_double(b), tesla_how_rounds(how));
    return to_double(&sum, tesla_how_rounds(how));
}

uint64_t tesla_dmul(uint64_t a, uint64_t b, uint64_t how)
{
    return tesla_dfma(a, b, tesla_how_rounds(how) == TESLA_RM ? 0 : SIGN, how);
}

/* Order of numbers with -0 below +0. */
static int64_t ordered(uint64_t x)
{
    return x >> 63 ? -(int64_t)(x & ~SIGN) - 1 : (int64_t)x;
}

uint64_t tesla_dmin(uint64_t a, uint64_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(b) ? (is_nan(a) ? b | QUIET : a) : b;
    return ordered(a) < ordered(b) ? a : b;
}

uint64_t tesla_dmax(uint64_t a, uint64_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(b) ? (is_nan(a) ? b | QUIET : a) : b;
    return ordered(a) < ordered(b) ? b : a;
}

/* ---- conversions ---- */

uint64_t tesla_float_to_double(uint32_t x, uint64_t how)
{
    uint64_t sign = (uint64_t)(x >> 31) << 63;
    if ((x & 0x7fffffffu) > 0x7f800000u)
        return sign | INFINITE | QUIET | (uint64_t)(x & 0x7fffff) << 29;
    if ((x & 0x7fffffffu) == 0x7f800000u)
        return sign | INFINITE;
    struct number n = take_float(x);
    return to_double(&n, tesla_how_rounds(how));
}

uint32_t tesla_double_to_float(uint64_t x, uint64_t how)
{
    uint32_t sign = (uint32_t)(x >> 63) << 31;
    if (is_nan(x))
        return sign | 0x7fc00000u | (uint32_t)(x >> 29 & 0x3fffff);
    if (is_infinite(x))
        return sign | 0x7f800000u;
    struct number n = take_double(x);
    return to_float(&n, tesla_how_rounds(how));
}

/* The whole number of a magnitude; *large when it has more than 64 bits. */
static uint64_t whole_of(const struct number *n, enum tesla_rounding mode, bool *large)
{
    *large = n->significand && n->exponent + 126 >= 64;
    if (!n->significand || *large)
        return 0;
    wide whole = n->exponent >= 0 ? n->significand << n->exponent
                                  : round_shift(n->significand, (uint32_t)-n->exponent, mode, n->negative);
    *large = whole >> 64 != 0;
    return (uint64_t)whole;
}

uint64_t tesla_double_to_double(uint64_t x, uint64_t how)
{
    bool large;
    if (is_nan(x))
        return x | QUIET;
    if (!(how & TESLA_HOW_RINT) || is_infinite(x) || (x >> 52 & 0x7ff) >= 1075)
        return x;
    struct number n = take_double(x);
    struct number rounded = normal(n.negative, 0, whole_of(&n, tesla_how_rounds(how), &large));
    return to_double(&rounded, TESLA_RN);
}

static uint64_t to_integer(const struct number *n, bool infinite, uint64_t how, bool *overflow)
{
    unsigned width = (unsigned)(how >> (TESLA_HOW_WIDTH + 8) & 0xff);
    bool is_signed = how >> (TESLA_HOW_WIDTH + 17) & 1, large;
    uint64_t magnitude = whole_of(n, tesla_how_rounds(how), &large);
    uint64_t most = is_signed ? (UINT64_C(1) << (width - 1)) - 1 : ~UINT64_C(0) >> (64 - width);
    if (n->negative && is_signed)
        most++;
    if (large || infinite)
        magnitude = UINT64_MAX; /* what is larger still counts as this: it overflows all types but u64 */
    if (n->negative && !is_signed) {
        *overflow = magnitude != 0;
        return 0;
    }
    large = magnitude > most;
    *overflow = large || magnitude == UINT32_MAX; /* of 64 bits too: the models' rule */
    magnitude = large ? most : magnitude;
    return n->negative ? (0 - magnitude) & ~UINT64_C(0) >> (64 - width) : magnitude;
}

uint64_t tesla_double_to_int(uint64_t x, uint64_t how, bool *overflow)
{
    struct number n = is_infinite(x) ? normal(x >> 63, 0, 0) : take_double(x);
    *overflow = true;
    if (is_nan(x))
        return UINT64_C(1) << ((how >> (TESLA_HOW_WIDTH + 8) & 0xff) - 1);
    return to_integer(&n, is_infinite(x), how, overflow);
}

uint64_t tesla_float_to_int64(uint32_t x, uint64_t how, bool *overflow)
{
    return tesla_double_to_int(tesla_float_to_double(x, 0), how, overflow);
}

/* An operand of 8 to 64 bits, abs and neg done. *mode: of unsigned numbers, neg does not turn the direction round. */
static struct number take_integer(uint64_t x, uint64_t how, enum tesla_rounding *mode)
{
    unsigned width = (unsigned)(how >> TESLA_HOW_WIDTH & 0xff);
    bool is_signed = how >> (TESLA_HOW_WIDTH + 16) & 1;
    x &= ~UINT64_C(0) >> (64 - width);
    bool negative = is_signed && x >> (width - 1);
    uint64_t magnitude = negative ? (0 - x) & ~UINT64_C(0) >> (64 - width) : x;
    if (how & TESLA_HOW_ABS)
        negative = false;
    *mode = tesla_how_rounds(how);
    if (how & TESLA_HOW_NEG) {
        negative = !negative;
        if (!is_signed && (*mode == TESLA_RM || *mode == TESLA_RP))
            *mode = *mode == TESLA_RM ? TESLA_RP : TESLA_RM;
    }
    return normal(negative, 0, magnitude);
}

uint64_t tesla_int_to_double(uint64_t x, uint64_t how)
{
    enum tesla_rounding mode;
    struct number n = take_integer(x, how, &mode);
    return to_double(&n, mode);
}

uint32_t tesla_int64_to_float(uint64_t x, uint64_t how)
{
    enum tesla_rounding mode;
    struct number n = take_integer(x, how, &mode);
    return to_float(&n, mode);
}

/* ---- over lanes ---- */

/* What of a conversion to integers says that it overflowed. */
static uint32_t double_overflows(uint64_t x, uint64_t how)
{
    bool overflow;
    tesla_double_to_int(x, how, &overflow);
    return overflow ? UINT32_MAX : 0;
}

#define B(i) ((const uint64_t *)args[1])[i]
#define C(i) ((const uint64_t *)args[2])[i]
TESLA_OVER_LANES(dadd, uint64_t, uint64_t, tesla_dadd(a[i], B(i), how))
TESLA_OVER_LANES(dfma, uint64_t, uint64_t, tesla_dfma(a[i], B(i), C(i), how))
TESLA_OVER_LANES(dmul, uint64_t, uint64_t, tesla_dmul(a[i], B(i), how))
TESLA_OVER_LANES(dmin, uint64_t, uint64_t, tesla_dmin(a[i], B(i)))
TESLA_OVER_LANES(dmax, uint64_t, uint64_t, tesla_dmax(a[i], B(i)))
TESLA_OVER_LANES(float_to_double, uint64_t, uint32_t, tesla_float_to_double(a[i], how))
TESLA_OVER_LANES(double_to_float, uint32_t, uint64_t, tesla_double_to_float(a[i], how))
TESLA_OVER_LANES(double_to_double, uint64_t, uint64_t, tesla_double_to_double(a[i], how))
TESLA_OVER_LANES(double_to_int, uint64_t, uint64_t, tesla_double_to_int(a[i], how, &(bool){false}))
TESLA_OVER_LANES(double_to_int_overflow, uint32_t, uint64_t, double_overflows(a[i], how))
TESLA_OVER_LANES(float_to_int64, uint64_t, uint32_t, tesla_float_to_int64(a[i], how, &(bool){false}))
TESLA_OVER_LANES(float_to_int64_overflow, uint32_t, uint32_t, double_overflows(tesla_float_to_double(a[i], 0), how))
TESLA_OVER_LANES(int_to_double, uint64_t, uint64_t, tesla_int_to_double(a[i], how))
TESLA_OVER_LANES(int64_to_float, uint32_t, uint64_t, tesla_int64_to_float(a[i], how))
