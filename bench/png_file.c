/* png_file.c - a PNG as RGBA bytes, by libpng's simplified interface. */
#include "png_file.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>

unsigned char *read_png(const char *path, unsigned *width, unsigned *height, char *message, unsigned size)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned char *pixels = NULL;
    if (png_image_begin_read_from_file(&image, path)) {
        image.format = PNG_FORMAT_RGBA;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        if (pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
            *width = image.width;
            *height = image.height;
            return pixels;
        }
    }
    snprintf(message, size, "%s", image.message[0] ? image.message : "no memory");
    free(pixels);
    png_image_free(&image);
    return NULL;
}
