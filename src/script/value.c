/* value.c - scalars in memory, and the initial contents of buffers. */
#include "script/script.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
    bool is_float;
} scalars[SCRIPT_SCALARS] = {
    [SCRIPT_INT8] = {"int8", 1, false},      [SCRIPT_INT16] = {"int16", 2, false},
    [SCRIPT_INT32] = {"int32", 4, false},    [SCRIPT_INT64] = {"int64", 8, false},
    [SCRIPT_UINT8] = {"uint8", 1, false},    [SCRIPT_UINT16] = {"uint16", 2, false},
    [SCRIPT_UINT32] = {"uint32", 4, false},  [SCRIPT_UINT64] = {"uint64", 8, false},
    [SCRIPT_FLOAT16] = {"float16", 2, true}, [SCRIPT_FLOAT] = {"float", 4, true},
    [SCRIPT_DOUBLE] = {"double", 8, true},
};

unsigned script_scalar_bytes(enum script_scalar s)
{
    return scalars[s].bytes;
}

bool script_scalar_is_float(enum script_scalar s)
{
    return scalars[s].is_float;
}

const char *script_scalar_name(enum script_scalar s)
{
    return scalars[s].name;
}

/* Round-to-nearest-even from the double itself: by way of a float, some would be rounded twice. */
static uint16_t half_from_double(double v)
{
    uint64_t u;
    memcpy(&u, &v, 8);
    uint16_t sign = (uint16_t)(u >> 48 & 0x8000);
    int exponent = (int)(u >> 52 & 0x7ff) - 1023;
    uint64_t fraction = u & (((uint64_t)1 << 52) - 1);
    if (exponent == 1024)
        return (uint16_t)(sign | (fraction ? 0x7e00 : 0x7c00));
    if (exponent < -25)
        return sign;
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00);
    unsigned shift = exponent < -14 ? (unsigned)(42 - 14 - exponent) : 42;
    uint64_t significand = fraction | (uint64_t)1 << 52;
    uint64_t kept = significand >> shift, rest = significand & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    if (rest > half || (rest == half && (kept & 1)))
        kept++;
    if (exponent >= -14)
        kept += (uint64_t)(exponent + 14) << 10; /* the leading bit adds the last one; a carry goes to infinity */
    return (uint16_t)(sign | kept);
}

static double half_to_double(uint16_t h)
{
    int exponent = h >> 10 & 31;
    uint64_t fraction = (uint64_t)(h & 0x3ff), u;
    double v;
    if (exponent == 0) {
        v = (double)fraction * 0x1p-24;
        return h & 0x8000 ? -v : v;
    }
    u = (uint64_t)(h & 0x8000) << 48 | (exponent == 31 ? (uint64_t)0x7ff : (uint64_t)(exponent + 1008)) << 52 |
        fraction << 42;
    memcpy(&v, &u, 8);
    return v;
}

void script_store(enum script_scalar s, const struct script_number *n, void *p)
{
    uint64_t bits = n->bits;
    if (s == SCRIPT_FLOAT16) {
        bits = half_from_double(n->real);
    } else if (s == SCRIPT_FLOAT) {
        float f = (float)n->real;
        uint32_t u;
        memcpy(&u, &f, 4);
        bits = u;
    } else if (s == SCRIPT_DOUBLE) {
        memcpy(&bits, &n->real, 8);
    }
    uint8_t *out = p;
    for (unsigned i = 0; i < scalars[s].bytes; i++)
        out[i] = (uint8_t)(bits >> (8 * i));
}

/* Whether an integer is beyond `bits` in either sign's reading. What has only digits has a size of at most 64 bits,
 * which `real` may have rounded. */
static bool is_beyond_integer(const struct script_number *n, unsigned bits)
{
    double limit = bits == 64 ? 0x1p64 : (double)((uint64_t)1 << bits);
    if (!n->integral)
        return n->real >= limit || n->real < -limit / 2;
    if (n->real < 0)
        return 0 - n->bits > (uint64_t)1 << (bits - 1);
    return bits < 64 && n->bits >> bits;
}

enum script_fit script_fit(enum script_scalar s, const struct script_number *n)
{
    uint8_t bytes[8];
    if (script_scalar_is_float(s)) {
        script_store(s, n, bytes);
        bool beyond = n->too_large || (isfinite(n->real) && !isfinite(script_load(s, bytes).real));
        return beyond ? SCRIPT_BEYOND : SCRIPT_FITS;
    }
    if (n->too_large || is_beyond_integer(n, 8 * script_scalar_bytes(s)))
        return SCRIPT_BEYOND;
    bool whole = n->integral || n->real == (double)(int64_t)n->bits || n->real == (double)n->bits; /* of either sign */
    return whole ? SCRIPT_FITS : SCRIPT_FRACTION;
}

static double real_of_bits(enum script_scalar s, uint64_t bits)
{
    double d;
    float f;
    uint32_t u = (uint32_t)bits;
    switch (s) {
    case SCRIPT_FLOAT16:
        return half_to_double((uint16_t)bits);
    case SCRIPT_FLOAT:
        memcpy(&f, &u, 4);
        return (double)f;
    default:
        memcpy(&d, &bits, 8);
        return d;
    }
}

uint64_t script_truncate(double v)
{
    if (v >= 0x1p63 && v < 0x1p64)
        return (uint64_t)v;
    return v > -0x1p63 && v < 0x1p63 ? (uint64_t)(int64_t)v : 0;
}

struct script_number script_load(enum script_scalar s, const void *p)
{
    const uint8_t *in = p;
    unsigned bytes = scalars[s].bytes;
    struct script_number n = {.integral = !scalars[s].is_float};
    for (unsigned i = 0; i < bytes; i++)
        n.bits |= (uint64_t)in[i] << (8 * i);
    if (scalars[s].is_float) {
        n.real = real_of_bits(s, n.bits);
        n.bits = script_truncate(n.real);
    } else if (s <= SCRIPT_INT64) {
        unsigned unused = 64 - 8 * bytes;
        int64_t value = (int64_t)(n.bits << unused) >> unused;
        n.bits = (uint64_t)value;
        n.real = (double)value;
    } else {
        n.real = (double)n.bits;
    }
    return n;
}

/* ---- contents ---- */

uint64_t script_buffer_bytes(const struct script_buffer *b)
{
    uint64_t count = b->is_image ? (uint64_t)b->width * b->height * (b->depth ? b->depth : 1) : b->elements;
    return count * b->layout.stride;
}

/* The next value of a series: added in the type of the leaf, as the language has it. */
static void series_step(enum script_scalar s, struct script_number *value, const struct script_number *step)
{
    value->bits += step->bits;
    if (s == SCRIPT_FLOAT)
        value->real = (double)((float)value->real + (float)step->real);
    else if (s == SCRIPT_FLOAT16)
        value->real = half_to_double(half_from_double(value->real + step->real));
    else
        value->real += step->real;
}

void script_buffer_fill(const struct script_buffer *b, void *memory, size_t size)
{
    const struct script_layout *l = &b->layout;
    if (b->fill == SCRIPT_FILL_NONE || b->fill == SCRIPT_FILL_FILE || !l->nleaves || !l->stride)
        return;
    struct script_number value = b->value;
    size_t next = 0;
    uint8_t *element = memory;
    for (size_t left = size; left >= l->size; element += l->stride, left -= l->stride) {
        for (uint32_t i = 0; i < l->nleaves; i++) {
            if (b->fill == SCRIPT_FILL_DATA && next == b->ndata)
                return;
            script_store(l->leaves[i].scalar, b->fill == SCRIPT_FILL_DATA ? &b->data[next++] : &value,
                         element + l->leaves[i].offset);
            if (b->fill == SCRIPT_FILL_SERIES)
                series_step(l->leaves[i].scalar, &value, &b->step);
        }
        if (left < l->stride)
            return;
    }
}
