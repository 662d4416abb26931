/* png_file.h - a PNG as RGBA bytes. */
#ifndef BENCH_PNG_FILE_H
#define BENCH_PNG_FILE_H

/* width * height pixels of R, G, B, A, first row of the file first; the caller frees them. NULL when the file
 * cannot be read, with the reason in message (size bytes). */
unsigned char *read_png(const char *path, unsigned *width, unsigned *height, char *message, unsigned size);

#endif
