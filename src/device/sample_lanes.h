/* sample_lanes.h - TEXTURE ops of every kind on textures of every kind, one lane at a time; sample.c does the common
 * ones faster. */
#ifndef WEFT_DEVICE_SAMPLE_LANES_H
#define WEFT_DEVICE_SAMPLE_LANES_H

#include "device/texture.h"
#include "exec/exec.h"

/* The rows of a call by what they are (the order of struct ir_texture); NULL: the op has no such argument. */
struct texture_args {
    unsigned axes; /* coordinates */
    const void *coord[3];
    const void *layer, *compare, *sample, *level;
    const float *ddx[3], *ddy[3], *min_lod;
    const int32_t *offset[3];
    const int32_t *view, *sampler; /* numbers to be added to the op's */
};
void texture_args(const struct exec_texture_call *call, struct texture_args *args);

/* Execute a TEXTURE op for the active lanes. An unbound texture (NULL) gives zeros. */
void sample_lanes(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call);

/* A direction as a face (+x -x +y -y +z -z) and a place on it, s and t from 0 to 1: the axis of the largest component,
 * at ties x before y before z. */
unsigned cube_face(const float direction[3], float place[2]);

#endif
