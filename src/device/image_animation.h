/* image_animation.h - an animated PNG, picture by picture (PNG specification, third edition: acTL, fcTL, fdAT). */
#ifndef WEFT_DEVICE_IMAGE_ANIMATION_H
#define WEFT_DEVICE_IMAGE_ANIMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_animation {
    uint8_t *bytes; /* the file so far; free() it */
    size_t size, room;
    uint32_t pictures, sequence;
    size_t control; /* where its chunk with the number of pictures is */
};

/* Add a picture, as image_encode_png makes it; all are of one size. It is shown for numerator / denominator seconds.
 * False without memory. The animation is all zero at first. */
bool image_animation_add(struct image_animation *a, const uint8_t *png, size_t size, uint16_t numerator,
                         uint16_t denominator);
/* Then it is a whole file, which plays without end. False without memory. */
bool image_animation_end(struct image_animation *a);

#endif
