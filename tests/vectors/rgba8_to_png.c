/* rgba8_to_png.c - rgba8_to_png WxH IN OUT.png: raw RGBA bytes as a PNG, first row first. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned w, h;
    if (argc != 4 || sscanf(argv[1], "%ux%u", &w, &h) != 2 || !w || !h || w > 16384 || h > 16384) {
        fputs("usage: rgba8_to_png WxH IN OUT.png\n", stderr);
        return 2;
    }
    size_t size = (size_t)w * h * 4;
    unsigned char *pixels = malloc(size);
    FILE *f = fopen(argv[2], "rb");
    if (!pixels || !f || fread(pixels, 1, size, f) != size) {
        fprintf(stderr, "rgba8_to_png: '%s' is not a file of %zu bytes\n", argv[2], size);
        return 1;
    }
    fclose(f);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = w, .height = h, .format = PNG_FORMAT_RGBA};
    int written = png_image_write_to_file(&image, argv[3], 0, pixels, 0, NULL);
    free(pixels);
    return !written;
}
