/* texels.h - texels at integer places, loaded and stored in rows of lanes: what image accesses and texel fetches of the
 * usual kinds are. The inner loops are compiled once per CPU level (kernels.h). */
#ifndef WEFT_DEVICE_TEXELS_H
#define WEFT_DEVICE_TEXELS_H

#include "device/kernels.h"

struct texels {
    const struct format *format; /* one that texels_known accepts */
    uint8_t *data;
    const struct texture_level *level;
    const int32_t *x, *y, *slice; /* rows; NULL: 0 */
};

/* Formats whose texels the inner loops know. */
static inline bool texels_known(const struct format *f)
{
    return f->layout == FORMAT_BYTES4 || f->layout == FORMAT_FLOATS4;
}

#ifdef WEFT_LEVEL
void LEVEL(load_texels)(const struct texels *t, lane_mask lanes, float *const rows[4]);
void LEVEL(store_texels)(const struct texels *t, lane_mask lanes, const float *const rows[4]);
#endif

#endif
