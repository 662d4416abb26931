/* image_access.h - images that programs read, write and change: the services of struct ir_image. */
#ifndef WEFT_DEVICE_IMAGE_ACCESS_H
#define WEFT_DEVICE_IMAGE_ACCESS_H

#include "device/resources.h"

/* A level of a texture, with all its layers, as an image. */
struct image_view {
    const struct weft_texture *texture;
    uint32_t level;
};

/* Execute IMAGE_LOAD, IMAGE_STORE, IMAGE_ATOMIC and RESOURCE_SIZE for the lanes of exec_active, in ascending order;
 * helper lanes store nothing. Loads outside an image, or of one that is not bound, give 0, stores there are dropped,
 * atomics too (their result is 0). A format that the program names takes the place of the image's own if its pixels
 * have as many bytes; if they have not, the image counts as unbound. Atomics work on 4-byte pixels.
 *
 * WEFT_ERROR_UNSUPPORTED: another service. */
weft_status image_service(const struct resources *r, struct exec_warp *w, const struct ir_op *op,
                          const void *const *args, void *const *results);

#endif
