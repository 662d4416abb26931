/* texel.h - one texel as programs see it: f32, or integers of integer formats; the layouts that matter without looking
 * at the description. */
#ifndef WEFT_DEVICE_TEXEL_H
#define WEFT_DEVICE_TEXEL_H

#include "device/format.h"

#include <string.h>

union texel {
    float f[4];
    uint32_t u[4];
    int32_t i[4];
};

static inline void texel_load(const struct format *f, const uint8_t *p, union texel *out)
{
    if (f->layout == FORMAT_FLOATS4)
        memcpy(out, p, sizeof *out);
    else if (f->layout == FORMAT_BYTES4)
        for (unsigned c = 0; c < 4; c++)
            out->f[c] = (float)p[c] / 255.0f;
    else
        format_decode_words(f, p, out->u);
}

static inline void texel_store(const struct format *f, const union texel *v, uint8_t *p)
{
    if (f->layout == FORMAT_BYTES4)
        for (unsigned c = 0; c < 4; c++)
            p[c] = (uint8_t)format_unorm(v->f[c], 8);
    else
        format_encode_words(f, v->u, p);
}

#endif
