/* format.h - pixel formats as descriptions.
 *
 * A format is a row of one table: which bits of a pixel hold which component, and what the bits mean. Conversion is
 * generic code over the description; the inner loops that matter pick a fast path by its `layout`. */
#ifndef WEFT_DEVICE_FORMAT_H
#define WEFT_DEVICE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum format_id { FORMAT_NONE, FORMAT_R8G8B8A8_UNORM, FORMAT_R32G32B32A32_SFLOAT, FORMAT_D32_SFLOAT, FORMATS };

/* What the bits of a channel mean. */
enum format_kind { FORMAT_VOID, FORMAT_UNORM, FORMAT_SFLOAT };

/* Layouts that inner loops know. */
enum format_layout { FORMAT_ANY, FORMAT_BYTES4 /* R, G, B, A unorm bytes */, FORMAT_FLOATS4, FORMAT_FLOAT1 };

struct format_channel {
    uint8_t kind;  /* enum format_kind */
    uint8_t shift; /* lowest bit, the pixel being one little-endian number */
    uint8_t bits;
};

struct format {
    const char *name;                 /* as Vulkan and AmberScript spell it */
    uint8_t bytes;                    /* of a pixel */
    uint8_t layout;                   /* enum format_layout */
    bool depth;                       /* channel 0 is depth, not red */
    struct format_channel channel[4]; /* R, G, B, A */
};

extern const struct format formats[FORMATS];

/* One pixel to f32. Absent components are 0, absent alpha is 1. unorm values are correctly rounded quotients. */
void format_decode(const struct format *f, const void *pixel, float rgba[4]);

/* f32 to one pixel. unorm: NaN is 0, clamped to 0..1, the f32 product with 2^bits - 1 rounded to nearest even; floats:
 * NaN becomes 0x7fc00000. */
void format_encode(const struct format *f, const float rgba[4], void *pixel);

/* The unorm rule of format_encode, for up to 16 bits. */
uint32_t format_unorm(float value, unsigned bits);

#endif
