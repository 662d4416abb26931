/* image.h - PNG pictures in memory and in files, as 8-bit RGBA with the top row first. */
#ifndef WEFT_DEVICE_IMAGE_H
#define WEFT_DEVICE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include <weft/diag.h>
#include <weft/status.h>

enum { IMAGE_MAX_SIZE = 16384 };

struct image {
    uint32_t width, height;
    uint8_t *rgba; /* width * height * 4 bytes, row 0 is the top of the picture */
};

/* Decode a PNG of any kind: palettes, greys and 16 bits become RGBA8. `name` is what diagnostics call it. An image
 * above IMAGE_MAX_SIZE either way, a damaged or truncated one is WEFT_ERROR_INPUT. */
weft_status image_decode_png(const void *bytes, size_t size, const char *name, struct image *out, weft_diags *diags);
/* The same from a file; WEFT_ERROR_FILE when it cannot be read. */
weft_status image_read_png(const char *path, struct image *out, weft_diags *diags);
void image_free(struct image *image);

/* Encode RGBA8 rows, the top one at `rgba` and the next `stride` bytes further (negative: before), on up to `threads`
 * threads; the file's bytes do not depend on their number. *bytes is malloc'd. WEFT_ERROR_MEMORY: there is no file. */
weft_status image_encode_png(uint32_t width, uint32_t height, const uint8_t *rgba, ptrdiff_t stride, unsigned threads,
                             uint8_t **bytes, size_t *size, weft_diags *diags);
/* The same into a file, which is not touched when encoding fails. */
weft_status image_write_png(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, ptrdiff_t stride,
                            weft_diags *diags);

#endif
