/* alu_pack.c - pack formats (chapter 7): a row of fields for each, and the kinds of number in
 * them. */
#include "base/fmath.h"
#include "isa/rogue/alu.h"

#include <math.h>

enum kind {
    NONE,
    UNSIGNED,
    SIGNED,
    SIGNED_GL /* (2c + 1) / (2^n - 1) */,
    OFFSET /* signed, plus half the range */,
    HALF,
    SMALL_FLOAT /* no sign, 5 bits of exponent */,
    WHOLE_UNSIGNED,
    WHOLE_SIGNED,
    COPY,
    SHARED_EXPONENT,
    COVERAGE,
    CONSTANT_0,
    CONSTANT_1
};

enum { FIELDS = 6 };

static const struct format {
    uint8_t kind; /* of all fields */
    uint8_t count;
    uint8_t bits[FIELDS]; /* from bit 0 up */
    uint8_t whole;        /* bit n: field n is an unsigned integer with and without scale */
} formats[32] = {
    [0] = {UNSIGNED, 4, {8, 8, 8, 8}, 0},
    [1] = {SIGNED, 4, {8, 8, 8, 8}, 0},
    [2] = {OFFSET, 4, {8, 8, 8, 8}, 0},
    [3] = {UNSIGNED, 2, {16, 16}, 0},
    [4] = {SIGNED, 2, {16, 16}, 0},
    [5] = {OFFSET, 2, {16, 16}, 0},
    [6] = {WHOLE_UNSIGNED, 1, {32}, 0},
    [7] = {WHOLE_SIGNED, 1, {32}, 0},
    [8] = {UNSIGNED, 4, {10, 10, 10, 2}, 0},
    [9] = {SIGNED, 4, {10, 10, 10, 2}, 0},
    [10] = {UNSIGNED, 3, {11, 11, 10}, 0},
    [11] = {SIGNED, 3, {11, 11, 10}, 0},
    [12] = {SMALL_FLOAT, 3, {11, 11, 10}, 0},
    [13] = {SHARED_EXPONENT, 3, {9, 9, 9}, 0},
    [14] = {HALF, 2, {16, 16}, 0},
    [15] = {COPY, 1, {32}, 0},
    [16] = {COVERAGE, 1, {32}, 0},
    [17] = {UNSIGNED, 6, {5, 6, 5, 5, 6, 5}, 0},
    [18] = {UNSIGNED, 2, {24, 8}, 2},
    [19] = {UNSIGNED, 2, {8, 24}, 1},
    [20] = {COPY, 1, {32}, 0},
    [21] = {SMALL_FLOAT, 4, {10, 10, 10, 2}, 8},
    [22] = {SIGNED_GL, 4, {8, 8, 8, 8}, 0},
    [23] = {SIGNED_GL, 2, {16, 16}, 0},
    [30] = {CONSTANT_0, 1, {32}, 0},
    [31] = {CONSTANT_1, 1, {32}, 0},
};

unsigned rogue_pack_components(unsigned format)
{
    return format < 32 ? formats[format].count : 0;
}

bool rogue_pack_scales(unsigned format)
{
    return format < 32 && formats[format].kind >= UNSIGNED && formats[format].kind <= OFFSET;
}

bool rogue_pack_only(unsigned format)
{
    return formats[format & 31].kind >= COVERAGE;
}

/* ---- numbers ---- */

/* To an integer between low and high; NaN is 0. */
static int64_t whole(double v, bool truncate, double low, double high)
{
    if (v != v)
        return 0;
    v = truncate ? trunc(v) : nearbyint(v);
    return (int64_t)(v < low ? low : v > high ? high : v);
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* Floats without a sign: 5 bits of exponent, `bits` - 5 of significand; negative numbers are 0, ties go to even. */
static uint32_t small_float(float x, unsigned bits, bool truncate)
{
    uint32_t fraction = bits - 5, infinite = 31u << fraction, u = f32_bits(x);
    if (x != x)
        return (1u << bits) - 1;
    if (u >> 31)
        return 0;
    if (u == 0x7f800000)
        return infinite;
    int exponent;
    double d = x, mantissa = frexp(d, &exponent); /* [0.5, 1) */
    (void)mantissa;
    int least = exponent < -13 ? -14 : exponent - 1; /* of the unit's weight */
    double units = ldexp(d, (int)fraction - least);
    uint32_t n = (uint32_t)(truncate ? floor(units) : nearbyint(units));
    uint32_t r = d == 0.0 ? 0 : n + ((uint32_t)(least + 14) << fraction); /* a carry runs into the exponent */
    return r < infinite ? r : truncate ? infinite - 1 : infinite;
}

/* NaNs have one pattern in each width, all ones but for the sign. Truncated, a half that was rounded away from zero
 * steps back; the one below infinity is the largest number. */
static uint32_t half_float(uint32_t value, bool truncate)
{
    float x = f32_from(value);
    if (x != x)
        return 0x7fff;
    uint32_t h = f16_from_f32(x);
    bool beyond = fabs((double)f16_to_f32(h)) > fabs((double)x);
    return truncate && beyond ? h - 1 : h;
}

static float small_float_value(uint32_t v, unsigned bits)
{
    uint32_t fraction = bits - 5, exponent = v >> fraction, rest = v & ((1u << fraction) - 1);
    if (exponent == 31)
        return f32_from(rest ? ROGUE_NAN : 0x7f800000);
    return (float)(exponent ? ldexp((double)(rest | 1u << fraction), (int)exponent - 15 - (int)fraction)
                            : ldexp((double)rest, -14 - (int)fraction));
}

/* ---- fields ---- */

/* (n v - 1) / 2. What the subtraction would lose counts: without it numbers just below 0 would be the tie at -1/2. */
static double scaled_gl(double v, double n)
{
    const double least = 0x1p-40;
    double product = v * n;
    if (product != 0 && fabs(product) < least)
        product = copysign(least, product);
    return (product - 1) / 2;
}

/* As arithmetic has it: in the OGL formats what is just below 0 counts. */
static float without_denormals(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? 0 : x;
}

static uint32_t pack_field(unsigned kind, unsigned bits, unsigned how, uint32_t value)
{
    bool truncate = how & ROGUE_PACK_TRUNCATE, is_signed = kind != UNSIGNED && kind != WHOLE_UNSIGNED;
    double v = without_denormals(f32_from(value)), top = (double)((UINT64_C(1) << bits) - 1);
    double half = (double)(UINT64_C(1) << (bits - 1));
    if (kind == HALF)
        return half_float(value, truncate);
    if (kind == SMALL_FLOAT)
        return small_float(f32_from(value), bits, truncate);
    if (kind == COPY)
        return value;
    if (how & ROGUE_PACK_SCALE)
        v = kind == UNSIGNED                   ? clamp(v, 0, 1) * top
            : kind == SIGNED || kind == OFFSET ? clamp(v, -1, 1) * (half - 1)
            : kind == SIGNED_GL                ? scaled_gl(v, top)
                                               : v;
    int64_t n = is_signed ? whole(v, truncate, -half, half - 1) : whole(v, truncate, 0, top);
    return (uint32_t)(kind == OFFSET ? n + (int64_t)half : n);
}

static double unpack_field(unsigned kind, unsigned bits, bool scale, uint32_t v)
{
    double top = (double)((UINT64_C(1) << bits) - 1), half = (double)(UINT64_C(1) << (bits - 1));
    double number = v, with_sign = number >= half ? number - top - 1 : number;
    switch ((enum kind)kind) {
    case UNSIGNED:
        return scale ? number / top : number;
    case SIGNED:
        return scale ? clamp(with_sign / (half - 1), -1, 1) : with_sign;
    case SIGNED_GL:
        return scale ? (2 * with_sign + 1) / top : with_sign;
    case OFFSET:
        return scale ? clamp((number - half) / (half - 1), -1, 1) : number - half;
    case WHOLE_SIGNED:
        return with_sign;
    default:
        return number;
    }
}

/* ---- SE9995: three fractions of 9 bits with one exponent of 5 above them, as EXT_texture_shared_exponent defines it
 * ---- */

static uint32_t pack_shared_exponent(const uint32_t value[ROGUE_PACK_COMPONENTS], bool truncate)
{
    double v[3], most = 0, half = truncate ? 0 : 0.5;
    for (unsigned i = 0; i < 3; i++) {
        double d = f32_from(value[i]);
        v[i] = d > 0 ? d < 65408.0 ? d : 65408.0 : 0;
        most = v[i] > most ? v[i] : most;
    }
    int exponent;
    frexp(most, &exponent);
    exponent = most == 0 || exponent < -15 ? -15 : exponent;
    if (floor(ldexp(most, 9 - exponent) + half) == 512)
        exponent++;
    uint32_t word = (uint32_t)(exponent + 15) << 27;
    for (unsigned i = 0; i < 3; i++)
        word |= (uint32_t)floor(ldexp(v[i], 9 - exponent) + half) << 9 * i;
    return word;
}

/* ---- words ---- */

/* Alpha to coverage: as many of four samples, lowest first, as it covers. */
static uint32_t coverage(uint32_t alpha)
{
    return (1u << whole(clamp(f32_from(alpha), 0, 1) * 4, false, 0, 4)) - 1;
}

/* And back: the part of the four samples that is in it. */
static uint32_t covered_part(uint32_t mask)
{
    unsigned samples = 0;
    for (unsigned s = 0; s < 4; s++)
        samples += mask >> s & 1;
    return f32_bits((float)samples / 4);
}

uint32_t rogue_pack(unsigned how, const uint32_t value[ROGUE_PACK_COMPONENTS])
{
    const struct format *f = &formats[how & 31];
    uint32_t word = 0;
    switch ((enum kind)f->kind) {
    case SHARED_EXPONENT:
        return pack_shared_exponent(value, how & ROGUE_PACK_TRUNCATE);
    case COVERAGE:
        return coverage(value[0]);
    case CONSTANT_0:
    case CONSTANT_1:
        return f->kind == CONSTANT_1 ? 0x3f800000 : 0;
    default:
        break;
    }
    for (unsigned i = 0, at = 0; i < f->count && i < ROGUE_PACK_COMPONENTS; at += f->bits[i++]) {
        bool integer = f->whole >> i & 1;
        uint32_t field = pack_field(integer ? WHOLE_UNSIGNED : f->kind, f->bits[i], how, value[i]);
        word |= (f->bits[i] == 32 ? field : field & ((1u << f->bits[i]) - 1)) << at;
    }
    return word;
}

uint32_t rogue_unpack(unsigned how, unsigned element, uint32_t word)
{
    const struct format *f = &formats[how & 31];
    if (element >= f->count)
        return 0;
    unsigned at = 0, bits = f->bits[element];
    for (unsigned i = 0; i < element; i++)
        at += f->bits[i];
    uint32_t v = bits == 32 ? word : word >> at & ((1u << bits) - 1);
    switch ((enum kind)f->kind) {
    case COPY:
        return v;
    case COVERAGE:
        return covered_part(v);
    case CONSTANT_0:
    case CONSTANT_1:
        return f->kind == CONSTANT_1 ? 0x3f800000 : 0;
    case HALF:
        return (v & 0x7fff) > 0x7c00 ? ROGUE_NAN : f32_bits(f16_to_f32(v));
    case SHARED_EXPONENT:
        return f32_bits((float)ldexp((double)v, (int)(word >> 27) - 24));
    case SMALL_FLOAT:
        return f32_bits(f->whole >> element & 1 ? (float)v : small_float_value(v, bits));
    default:
        return f32_bits(
            (float)unpack_field(f->whole >> element & 1 ? WHOLE_UNSIGNED : f->kind, bits, how & ROGUE_PACK_SCALE, v));
    }
}

/* chosen: a format in the low bits of each; NULL: `how` has it. */
static void pack_lanes(unsigned count, const void *const *args, uint32_t *out, unsigned how, const uint32_t *chosen)
{
    uint32_t value[ROGUE_PACK_COMPONENTS];
    for (unsigned i = 0; i < count; i++) {
        for (unsigned c = 0; c < ROGUE_PACK_COMPONENTS; c++)
            value[c] = ((const uint32_t *)args[c])[i];
        out[i] = rogue_pack(how | (chosen ? chosen[i] & 31 : 0), value);
    }
}

void rogue_lanes_pack(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    pack_lanes(count, args, results[0], (unsigned)imm, NULL);
}

void rogue_lanes_pack_prog(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    pack_lanes(count, args, results[0], (unsigned)imm, args[ROGUE_PACK_COMPONENTS]);
}

void rogue_lanes_unpack(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    const uint32_t *word = args[0];
    uint32_t *out = results[0];
    for (unsigned i = 0; i < count; i++)
        out[i] = rogue_unpack((unsigned)(imm & 0xff), (unsigned)(imm >> ROGUE_PACK_ELEMENT), word[i]);
}
