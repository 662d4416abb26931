/* format.c - the table of pixel formats and the conversions that read it. */
#include "device/format.h"

#include "base/diag.h"
#include "base/fmath.h"
#include "ir/gallium.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "device/format_srgb.inc"

#define CH(kind, shift, bits) {FORMAT_##kind, shift, bits}
#define NONE                  {FORMAT_VOID, 0, 0}

const struct format formats[FORMATS] = {
    [FORMAT_NONE] = {"NONE", NULL, 0, FORMAT_ANY, false, NONE, {NONE, NONE, NONE, NONE}},
/* Inner loops that know a layout read and write memory as words; where those lie the other way, none is known. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LAYOUT(layout) FORMAT_##layout
#else
#define LAYOUT(layout) FORMAT_ANY
#endif
#define FORMAT(name, gallium, bytes, layout, depth, stencil, ...)                                                     \
    [FORMAT_##name] = {#name, gallium, bytes, LAYOUT(layout), depth, stencil, {__VA_ARGS__}},
#include "device/format_list.inc"
#undef FORMAT
};

const struct format *format_find(const char *name)
{
    for (unsigned i = FORMAT_NONE + 1; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

const struct format *format_find_gallium(const char *name)
{
    static const char prefix[] = "PIPE_FORMAT_";
    if (!strncmp(name, prefix, sizeof prefix - 1))
        name += sizeof prefix - 1;
    for (unsigned i = FORMAT_NONE + 1; i < FORMATS; i++)
        if (formats[i].gallium && !strcmp(formats[i].gallium, name))
            return &formats[i];
    return NULL;
}

const char *format_near(const char *name)
{
    static const char prefix[] = "VK_FORMAT_";
    const struct format *known = format_find_gallium(name);
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++)
        names[i] = i == FORMAT_NONE ? NULL : formats[i].name;
    if (!strncasecmp(name, prefix, sizeof prefix - 1))
        name += sizeof prefix - 1;
    return known ? known->name : nearest_word(name, strlen(name), names, FORMATS);
}

uint16_t format_gallium_number(const struct format *f)
{
    static const char prefix[] = "PIPE_FORMAT_";
    for (size_t i = 1; f->gallium && i < gallium_format_count; i++)
        if (!strcmp(gallium_format_names[i] + sizeof prefix - 1, f->gallium))
            return (uint16_t)i;
    return 0;
}

enum format_class format_class(const struct format *f)
{
    for (unsigned i = 0; i < 4; i++) {
        if (f->channel[i].kind == FORMAT_UINT)
            return FORMAT_CLASS_UINT;
        if (f->channel[i].kind == FORMAT_SINT)
            return FORMAT_CLASS_SINT;
    }
    return FORMAT_CLASS_FLOAT;
}

unsigned format_components(const struct format *f)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++)
        n += f->channel[i].kind != FORMAT_VOID;
    return n;
}

/* ---- bits ---- */

static uint64_t low_bits(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* Channels of 64 bits are whole bytes; narrower ones fit 64 bits with what is beside them in their bytes. */
uint64_t format_channel_get(const struct format_channel *c, const void *pixel)
{
    if (!c->bits)
        return 0;
    const uint8_t *p = pixel;
    unsigned first = c->shift / 8, last = (c->shift + c->bits - 1) / 8;
    uint64_t v = 0;
    for (unsigned i = first; i <= last; i++)
        v |= (uint64_t)p[i] << (8 * (i - first));
    return (v >> (c->shift % 8)) & low_bits(c->bits);
}

void format_channel_put(const struct format_channel *c, uint64_t bits, void *pixel)
{
    if (!c->bits)
        return;
    uint8_t *p = pixel;
    unsigned first = c->shift / 8, last = (c->shift + c->bits - 1) / 8;
    uint64_t mask = low_bits(c->bits) << (c->shift % 8), v = bits << (c->shift % 8);
    for (unsigned i = first; i <= last; i++) {
        unsigned s = 8 * (i - first);
        p[i] = (uint8_t)((p[i] & ~(mask >> s)) | ((v & mask) >> s));
    }
}

static int64_t sign_extend(uint64_t v, unsigned bits)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)((v ^ sign) - sign);
}

/* ---- numbers ---- */

/* v, which is not negative, rounded to nearest even. */
static uint64_t round_even(double v)
{
    uint64_t below = (uint64_t)v;
    double rest = v - (double)below;
    return below + (rest > 0.5 || (rest == 0.5 && (below & 1)));
}

uint32_t format_unorm(float value, unsigned bits)
{
    if (!(value > 0.0f))
        return 0;
    float max = (float)(uint32_t)low_bits(bits);
    float scaled = (value < 1.0f ? value : 1.0f) * max;
    uint32_t below = (uint32_t)scaled; /* exact: scaled < 2^16 */
    float rest = scaled - (float)below;
    return below + (rest > 0.5f || (rest == 0.5f && (below & 1)));
}

static uint64_t encode_unorm(float value, unsigned bits)
{
    if (bits <= 16)
        return format_unorm(value, bits);
    if (!(value > 0.0f))
        return 0;
    return round_even((value < 1.0f ? (double)value : 1.0) * (double)low_bits(bits));
}

static uint64_t encode_snorm(float value, unsigned bits)
{
    uint32_t magnitude = format_unorm(value < 0.0f ? -value : value, bits - 1);
    return value < 0.0f ? (uint64_t)0 - magnitude : magnitude;
}

static float decode_snorm(int64_t v, unsigned bits)
{
    double max = (double)low_bits(bits - 1), q = (double)v / max;
    return (float)(q < -1.0 ? -1.0 : q);
}

/* f32 to an integer of a channel's range. 2^bits of a range's end is exact in f32, its largest integer may not be. */
static uint64_t encode_unsigned(float value, unsigned bits)
{
    if (!(value > 0.0f))
        return 0;
    return (double)value >= ldexp(1.0, (int)bits) - 0.5 ? low_bits(bits) : round_even((double)value);
}

static uint64_t encode_signed(float value, unsigned bits)
{
    double magnitude = value < 0.0f ? -(double)value : (double)value, end = ldexp(1.0, (int)bits - 1);
    if (value < 0.0f)
        return (uint64_t)0 - (magnitude >= end ? (uint64_t)1 << (bits - 1) : round_even(magnitude));
    if (!(value > 0.0f))
        return 0;
    return magnitude >= end - 0.5 ? low_bits(bits - 1) : round_even(magnitude);
}

static uint64_t encode_srgb(float value)
{
    unsigned code = 0; /* thresholds before `code` are not above value; NaN is above none */
    for (unsigned step = 128; step; step /= 2)
        if (value >= srgb_from[code + step - 1])
            code += step;
    return code;
}

/* ---- floats of other sizes ---- */

enum { UFLOAT_EXPONENT_BITS = 5, UFLOAT_BIAS = 15 };

static float decode_ufloat(uint32_t v, unsigned bits)
{
    unsigned mantissa_bits = bits - UFLOAT_EXPONENT_BITS;
    uint32_t exponent = v >> mantissa_bits, mantissa = v & (uint32_t)low_bits(mantissa_bits);
    if (exponent == 31)
        return f32_from(mantissa ? 0x7fc00000u : 0x7f800000u);
    if (!exponent)
        return (float)ldexp((double)mantissa, 1 - UFLOAT_BIAS - (int)mantissa_bits);
    return f32_from((exponent - UFLOAT_BIAS + 127) << 23 | mantissa << (23 - mantissa_bits));
}

static uint32_t encode_ufloat(float value, unsigned bits)
{
    unsigned mantissa_bits = bits - UFLOAT_EXPONENT_BITS;
    uint32_t infinity = 31u << mantissa_bits, largest = infinity - 1;
    if (value != value)
        return infinity | 1u << (mantissa_bits - 1);
    if (!(value > 0.0f))
        return 0;
    if (f32_bits(value) == 0x7f800000u)
        return infinity;
    /* In units of the last place of its binade; a carry out of the mantissa is the next exponent's first number. */
    int exponent = (int)(f32_bits(value) >> 23) - 127;
    if (exponent > UFLOAT_BIAS)
        return largest;
    if (exponent < 1 - UFLOAT_BIAS)
        exponent = 1 - UFLOAT_BIAS;
    uint32_t units = (uint32_t)round_even(ldexp((double)value, (int)mantissa_bits - exponent));
    uint32_t code = units + ((uint32_t)(exponent + UFLOAT_BIAS - 1) << mantissa_bits);
    return code < largest ? code : largest;
}

/* EXT_texture_shared_exponent, "Encoding a shared exponent": 9 bits of mantissa, bias 15. */
enum { SHARED_MANTISSA = 9, SHARED_BIAS = 15, SHARED_SHIFT = 27 };

static float decode_shared(uint32_t mantissa, const void *pixel)
{
    const struct format_channel e = {FORMAT_UINT, SHARED_SHIFT, 5};
    return (float)ldexp((double)mantissa, (int)format_channel_get(&e, pixel) - SHARED_BIAS - SHARED_MANTISSA);
}

static void encode_shared(const float rgb[3], void *pixel)
{
    const double limit = 65408.0; /* 511 / 512 * 2^16 */
    double c[3], largest = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        c[i] = rgb[i] > 0.0f ? (double)rgb[i] : 0.0;
        c[i] = c[i] < limit ? c[i] : limit;
        largest = c[i] > largest ? c[i] : largest;
    }
    int exponent = -SHARED_BIAS - 1;
    if (largest > ldexp(1.0, exponent))
        exponent = (int)(f64_bits(largest) >> 52) - 1023;
    exponent += 1 + SHARED_BIAS;
    if (ldexp(largest, SHARED_BIAS + SHARED_MANTISSA - exponent) + 0.5 >= ldexp(1.0, SHARED_MANTISSA))
        exponent++;
    uint32_t word = (uint32_t)exponent << SHARED_SHIFT;
    for (unsigned i = 0; i < 3; i++)
        word |= (uint32_t)(ldexp(c[i], SHARED_BIAS + SHARED_MANTISSA - exponent) + 0.5) << (SHARED_MANTISSA * i);
    const struct format_channel whole = {FORMAT_UINT, 0, 32};
    format_channel_put(&whole, word, pixel);
}

static float decode_sfloat(uint64_t v, unsigned bits)
{
    return bits == 16 ? f16_to_f32((uint32_t)v) : bits == 32 ? f32_from((uint32_t)v) : (float)f64_from(v);
}

static uint64_t encode_sfloat(float value, unsigned bits)
{
    bool nan = value != value;
    if (bits == 16)
        return nan ? 0x7e00 : f16_from_f32(value);
    if (bits == 32)
        return nan ? 0x7fc00000u : f32_bits(value);
    return nan ? 0x7ff8000000000000u : f64_bits((double)value);
}

/* ---- pixels ---- */

static float decode_channel(const struct format_channel *c, const void *pixel)
{
    uint64_t v = format_channel_get(c, pixel);
    switch ((enum format_kind)c->kind) {
    case FORMAT_VOID:
        break;
    case FORMAT_UNORM:
        return (float)((double)v / (double)low_bits(c->bits));
    case FORMAT_SNORM:
        return decode_snorm(sign_extend(v, c->bits), c->bits);
    case FORMAT_USCALED:
    case FORMAT_UINT:
        return (float)v;
    case FORMAT_SSCALED:
    case FORMAT_SINT:
        return (float)sign_extend(v, c->bits);
    case FORMAT_SFLOAT:
        return decode_sfloat(v, c->bits);
    case FORMAT_UFLOAT:
        return decode_ufloat((uint32_t)v, c->bits);
    case FORMAT_SRGB:
        return srgb_linear[v];
    case FORMAT_SHARED:
        return decode_shared((uint32_t)v, pixel);
    }
    return 0.0f;
}

static uint64_t encode_channel(const struct format_channel *c, float value)
{
    switch ((enum format_kind)c->kind) {
    case FORMAT_VOID:
    case FORMAT_SHARED:
        break;
    case FORMAT_UNORM:
        return encode_unorm(value, c->bits);
    case FORMAT_SNORM:
        return encode_snorm(value, c->bits);
    case FORMAT_USCALED:
    case FORMAT_UINT:
        return encode_unsigned(value, c->bits);
    case FORMAT_SSCALED:
    case FORMAT_SINT:
        return encode_signed(value, c->bits);
    case FORMAT_SFLOAT:
        return encode_sfloat(value, c->bits);
    case FORMAT_UFLOAT:
        return encode_ufloat(value, c->bits);
    case FORMAT_SRGB:
        return encode_srgb(value);
    }
    return 0;
}

void format_decode(const struct format *f, const void *pixel, float rgba[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const struct format_channel *c = &f->channel[i];
        rgba[i] = c->kind == FORMAT_VOID ? (i == 3 ? 1.0f : 0.0f) : decode_channel(c, pixel);
    }
}

void format_encode(const struct format *f, const float rgba[4], void *pixel)
{
    if (f->channel[0].kind == FORMAT_SHARED) {
        encode_shared(rgba, pixel);
        return;
    }
    /* From the last: where components share bits, the first of them is stored. */
    for (unsigned i = 4; i-- > 0;)
        format_channel_put(&f->channel[i], encode_channel(&f->channel[i], rgba[i]), pixel);
}

void format_decode_words(const struct format *f, const void *pixel, uint32_t words[4])
{
    enum format_class class = format_class(f);
    if (class == FORMAT_CLASS_FLOAT) {
        float rgba[4];
        format_decode(f, pixel, rgba);
        memcpy(words, rgba, sizeof rgba);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const struct format_channel *c = &f->channel[i];
        uint64_t v = format_channel_get(c, pixel);
        if (c->kind == FORMAT_SINT)
            v = (uint64_t)sign_extend(v, c->bits);
        words[i] = c->kind == FORMAT_VOID ? i == 3 : (uint32_t)v;
    }
}

static uint64_t clamp_integer(const struct format_channel *c, uint32_t word)
{
    if (c->kind != FORMAT_SINT)
        return c->bits < 32 && word > low_bits(c->bits) ? low_bits(c->bits) : word;
    int64_t v = (int32_t)word;
    if (c->bits < 32) {
        int64_t end = (int64_t)1 << (c->bits - 1);
        v = v < -end ? -end : v > end - 1 ? end - 1 : v;
    }
    return (uint64_t)v;
}

void format_encode_words(const struct format *f, const uint32_t words[4], void *pixel)
{
    if (format_class(f) == FORMAT_CLASS_FLOAT) {
        float rgba[4];
        memcpy(rgba, words, sizeof rgba);
        format_encode(f, rgba, pixel);
        return;
    }
    for (unsigned i = 4; i-- > 0;)
        format_channel_put(&f->channel[i], clamp_integer(&f->channel[i], words[i]), pixel);
}

/* ---- depth and stencil ---- */

float format_depth(const struct format *f, const void *pixel)
{
    return f->depth ? decode_channel(&f->channel[0], pixel) : 0.0f;
}

void format_set_depth(const struct format *f, float depth, void *pixel)
{
    if (f->depth)
        format_channel_put(&f->channel[0], encode_channel(&f->channel[0], depth), pixel);
}

uint8_t format_stencil(const struct format *f, const void *pixel)
{
    return (uint8_t)format_channel_get(&f->stencil, pixel);
}

void format_set_stencil(const struct format *f, uint8_t stencil, void *pixel)
{
    format_channel_put(&f->stencil, stencil, pixel);
}

void format_show(const struct format *f, const void *pixel, uint8_t rgba[4])
{
    bool grey = format_components(f) == 1 || f->depth, integers = !f->depth && format_class(f) != FORMAT_CLASS_FLOAT;
    float value[4];
    format_decode(f, pixel, value);
    if (grey)
        value[1] = value[2] = value[0];
    for (unsigned c = 0; c < 4; c++) {
        const struct format_channel *ch = &f->channel[c];
        float most = integers && (ch->kind != FORMAT_VOID || (grey && c < 3)) ? 255.0f : 1.0f;
        rgba[c] = ch->kind == FORMAT_SRGB ? (uint8_t)format_channel_get(ch, pixel)
                                          : (uint8_t)format_unorm(value[c] / most, 8);
    }
}
