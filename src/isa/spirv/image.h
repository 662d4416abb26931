/* image.h - what an OpTypeImage says, and operands of image instructions. */
#ifndef WEFT_ISA_SPIRV_IMAGE_H
#define WEFT_ISA_SPIRV_IMAGE_H

#include "isa/spirv/lift.h"

/* An image or sampled image of an operand. */
struct spirv_image {
    uint8_t dim;         /* enum ir_tex_dim */
    bool array, multisample, is_float;
    bool wide;           /* a storage image of integers of 64 bits */
    unsigned coordinates; /* without a layer */
    uint32_t format;     /* SpvImageFormat */
    uint16_t view, sampler;
    ir_value view_chosen, sampler_chosen; /* to add to them (i32); 0: nothing */
};

/* Optional operands, by their ids; 0: not there. */
struct spirv_image_operands {
    uint32_t bias, lod, dx, dy, offset, offsets, sample, min_lod;
    bool sign_extend, zero_extend;
};

bool spirv_image_of(struct spirv_lifter *l, uint32_t id, bool storage, struct spirv_image *out);
bool spirv_image_from(struct spirv_lifter *l, const struct spirv_opaque *o, const ir_value *chosen, bool storage,
                      struct spirv_image *out);
/* Of the words from w[at] on; false after an error. */
bool spirv_image_operands_of(struct spirv_lifter *l, unsigned at, struct spirv_image_operands *out);

#endif
