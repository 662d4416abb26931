/* format.c - the table of pixel formats and the conversions that read it. */
#include "device/format.h"

#include <string.h>

#define CH(kind, shift, bits) {FORMAT_##kind, shift, bits}
#define NONE {FORMAT_VOID, 0, 0}

const struct format formats[FORMATS] = {
    [FORMAT_NONE] = {"NONE", 0, FORMAT_ANY, false, {NONE, NONE, NONE, NONE}},
    [FORMAT_R8G8B8A8_UNORM] = {"R8G8B8A8_UNORM", 4, FORMAT_BYTES4, false,
                               {CH(UNORM, 0, 8), CH(UNORM, 8, 8), CH(UNORM, 16, 8), CH(UNORM, 24, 8)}},
    [FORMAT_R32G32B32A32_SFLOAT] = {"R32G32B32A32_SFLOAT", 16, FORMAT_FLOATS4, false,
                                    {CH(SFLOAT, 0, 32), CH(SFLOAT, 32, 32), CH(SFLOAT, 64, 32), CH(SFLOAT, 96, 32)}},
    [FORMAT_D32_SFLOAT] = {"D32_SFLOAT", 4, FORMAT_FLOAT1, true, {CH(SFLOAT, 0, 32), NONE, NONE, NONE}},
};

/* Bits shift .. shift + bits - 1 of a pixel; no channel is wider than 32 bits. */
static uint32_t bits_get(const uint8_t *pixel, unsigned shift, unsigned bits)
{
    uint64_t v = 0;
    unsigned first = shift / 8, last = (shift + bits - 1) / 8;
    for (unsigned i = first; i <= last; i++)
        v |= (uint64_t)pixel[i] << (8 * (i - first));
    return (uint32_t)((v >> (shift % 8)) & (((uint64_t)1 << bits) - 1));
}

static void bits_put(uint8_t *pixel, unsigned shift, unsigned bits, uint32_t value)
{
    unsigned first = shift / 8, last = (shift + bits - 1) / 8;
    uint64_t mask = (((uint64_t)1 << bits) - 1) << (shift % 8), v = (uint64_t)value << (shift % 8);
    for (unsigned i = first; i <= last; i++) {
        unsigned s = 8 * (i - first);
        pixel[i] = (uint8_t)((pixel[i] & ~(mask >> s)) | ((v & mask) >> s));
    }
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static uint32_t channel_max(unsigned bits)
{
    return (uint32_t)(((uint64_t)1 << bits) - 1);
}

uint32_t format_unorm(float value, unsigned bits)
{
    if (!(value > 0.0f))
        return 0;
    float max = (float)channel_max(bits);
    float scaled = (value < 1.0f ? value : 1.0f) * max;
    uint32_t below = (uint32_t)scaled; /* exact: scaled < 2^16 */
    float rest = scaled - (float)below;
    return below + (rest > 0.5f || (rest == 0.5f && (below & 1)));
}

void format_decode(const struct format *f, const void *pixel, float rgba[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const struct format_channel *c = &f->channel[i];
        switch ((enum format_kind)c->kind) {
        case FORMAT_VOID:
            rgba[i] = i == 3 ? 1.0f : 0.0f;
            break;
        case FORMAT_UNORM:
            rgba[i] = (float)((double)bits_get(pixel, c->shift, c->bits) / (double)channel_max(c->bits));
            break;
        case FORMAT_SFLOAT:
            rgba[i] = float_of(bits_get(pixel, c->shift, c->bits));
            break;
        }
    }
}

void format_encode(const struct format *f, const float rgba[4], void *pixel)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct format_channel *c = &f->channel[i];
        switch ((enum format_kind)c->kind) {
        case FORMAT_VOID:
            break;
        case FORMAT_UNORM:
            bits_put(pixel, c->shift, c->bits, format_unorm(rgba[i], c->bits));
            break;
        case FORMAT_SFLOAT:
            bits_put(pixel, c->shift, c->bits, rgba[i] != rgba[i] ? 0x7fc00000u : bits_of(rgba[i]));
            break;
        }
    }
}
