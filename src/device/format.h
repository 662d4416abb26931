/* format.h - pixel formats as descriptions.
 *
 * A format is a row of one table (format_list.inc): which bits of a pixel hold which component, and what the bits mean.
 * Conversion is generic code over the description; the inner loops that matter pick a fast path by its `layout`. */
#ifndef WEFT_DEVICE_FORMAT_H
#define WEFT_DEVICE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum format_id {
    FORMAT_NONE,
#define FORMAT(name, ...) FORMAT_##name,
#include "device/format_list.inc"
#undef FORMAT
    FORMATS
};

/* What the bits of a channel mean. */
enum format_kind {
    FORMAT_VOID,
    FORMAT_UNORM,
    FORMAT_SNORM,
    FORMAT_USCALED,
    FORMAT_SSCALED,
    FORMAT_UINT,
    FORMAT_SINT,
    FORMAT_SFLOAT, /* 16, 32 or 64 bits */
    FORMAT_UFLOAT, /* no sign, 5 bits of exponent, the rest is mantissa */
    FORMAT_SRGB,   /* 8 bits */
    FORMAT_SHARED  /* a mantissa without hidden bit; the exponent is the top 5 of 32 bits */
};

/* Layouts that inner loops know. */
enum format_layout { FORMAT_ANY, FORMAT_BYTES4 /* R, G, B, A unorm bytes */, FORMAT_FLOATS4, FORMAT_FLOAT1 };

/* What a program sees of a format. */
enum format_class { FORMAT_CLASS_FLOAT, FORMAT_CLASS_UINT, FORMAT_CLASS_SINT };

struct format_channel {
    uint8_t kind;  /* enum format_kind */
    uint8_t shift; /* lowest bit, the pixel being one little-endian number */
    uint8_t bits;
};

struct format {
    const char *name;                 /* as Vulkan and AmberScript spell it */
    const char *gallium;              /* as Gallium does, after PIPE_FORMAT_; NULL: it has none */
    uint8_t bytes;                    /* of a pixel */
    uint8_t layout;                   /* enum format_layout */
    bool depth;                       /* channel 0 is depth, not red */
    struct format_channel stencil;    /* UINT or VOID */
    struct format_channel channel[4]; /* R, G, B, A */
};

extern const struct format formats[FORMATS];

/* The format of that name; NULL: none. The second takes Gallium's, with or without PIPE_FORMAT_. */
const struct format *format_find(const char *name);
const struct format *format_find_gallium(const char *name);
/* The name that may have been meant by one that no format has; NULL: none is near. */
const char *format_near(const char *name);
/* Its number there (ir/gallium.h); 0: it has none. */
uint16_t format_gallium_number(const struct format *f);

enum format_class format_class(const struct format *f);

/* Channels that are there, of the four. */
unsigned format_components(const struct format *f);

/* Whether texels lack that channel: they have 0 there, and 1 for alpha; so does a border, whatever its colour. */
static inline bool format_lacks(const struct format *f, unsigned channel)
{
    return f->channel[channel].kind == FORMAT_VOID;
}

/* One pixel to f32. Absent components are 0, absent alpha is 1. unorm and snorm values are correctly rounded quotients
 * (snorm's lowest code is -1 as the one above it), sRGB values the nearest of the exact ones, integers and scaled ones
 * the nearest f32. */
void format_decode(const struct format *f, const void *pixel, float rgba[4]);

/* f32 to one pixel.
 *   unorm        NaN is 0, clamped to 0..1, the f32 product with 2^bits - 1 rounded to nearest even (of more than 16
 *                bits the exact product)
 *   snorm        NaN is 0, clamped to -1..1, the product with 2^(bits - 1) - 1 as above
 *   uint, sint, uscaled, sscaled   NaN is 0, clamped to the range, rounded to nearest even
 *   sRGB         NaN is 0, clamped to 0..1, the code that is nearest on the encoded scale
 *   sfloat       NaN is the quiet NaN without payload (0x7fc00000); f16 is rounded to nearest even
 *   ufloat       NaN stays; below zero is 0; finite values above the largest are the largest; to nearest even
 *   shared exponent   as EXT_texture_shared_exponent says; NaN is 0 */
void format_encode(const struct format *f, const float rgba[4], void *pixel);

/* A pixel as a person sees it, in bytes: a single component is a grey, floats are clamped to 0..1, integers to
 * 0..255. */
void format_show(const struct format *f, const void *pixel, uint8_t rgba[4]);

/* The same in 32-bit words: f32 bits, and integers of integer formats (sign extended), absent alpha being 1. Integers
 * are clamped to the channel's range going in; of 64-bit channels coming out only the low 32 bits are seen. */
void format_decode_words(const struct format *f, const void *pixel, uint32_t words[4]);
void format_encode_words(const struct format *f, const uint32_t words[4], void *pixel);

/* Depth and stencil of one pixel, each leaving the other alone. Depth is encoded by the rules above. A format
 * without the one asked for reads 0 and is not written. */
float format_depth(const struct format *f, const void *pixel);
void format_set_depth(const struct format *f, float depth, void *pixel);
uint8_t format_stencil(const struct format *f, const void *pixel);
void format_set_stencil(const struct format *f, uint8_t stencil, void *pixel);

/* The bits of a channel as they are. */
uint64_t format_channel_get(const struct format_channel *c, const void *pixel);
void format_channel_put(const struct format_channel *c, uint64_t bits, void *pixel);

/* The unorm rule of format_encode, for up to 16 bits. */
uint32_t format_unorm(float value, unsigned bits);

#endif
