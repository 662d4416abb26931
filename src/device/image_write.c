/* image_write.c - writing PNG: rows are filtered and compressed in strips, side by side, by zlib; libpng writes the
 * chunks.
 *
 * A strip ends at a byte (zlib's sync flush), so that strips one after the other are one stream, which is what IDAT
 * holds (PNG specification, chapter 10). Strips depend on the picture alone: the file is the same for any number of
 * threads. */
#include "device/image.h"
#include "device/pool.h"

#include "base/diag.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    STRIP_BYTES = 1 << 19,   /* filtered bytes of a strip: enough that a new window for each costs nothing */
    LARGE_BYTES = 1 << 23,   /* pictures above this are compressed for speed */
    SMALL_LEVEL = 6, LARGE_LEVEL = 1,
    ZLIB_HEADER = 2, ZLIB_TRAILER = 4
};

struct strip {
    uint8_t *bytes;      /* compressed */
    size_t size, length; /* length: filtered bytes */
    uint32_t adler;      /* of the filtered bytes */
};

struct encoder {
    uint32_t width, height;
    const uint8_t *rgba;
    ptrdiff_t stride;
    uint32_t rows; /* of a strip */
    size_t nstrips;
    struct strip *strips;
    int level;
    atomic_bool failed;
};

/* ---- filters: PNG specification, chapter 9 ---- */

enum filter { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTERS };

static inline int16_t distance(int16_t a, int16_t b)
{
    return (int16_t)(a > b ? a - b : b - a);
}

/* In 16 bits, of which vectors hold twice as many; p - a is b - c, p - b is a - c. */
static inline uint8_t paeth(int16_t a, int16_t b, int16_t c)
{
    int16_t pa = distance(b, c), pb = distance(a, c), pc = distance((int16_t)(a + b), (int16_t)(2 * c));
    int16_t second = pb <= pc ? b : c, least = pb <= pc ? pb : pc;
    return (uint8_t)(pa <= least ? a : second);
}

/* Filter `size` bytes from `row`; `left` is the row one pixel earlier, `up` the row above, `corner` both. */
static void apply(enum filter filter, uint8_t *restrict to, const uint8_t *row, const uint8_t *left, const uint8_t *up,
                  const uint8_t *corner, size_t size)
{
    switch (filter) {
    case FILTER_SUB:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - left[i]);
        break;
    case FILTER_UP:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - up[i]);
        break;
    case FILTER_PAETH:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - paeth(left[i], up[i], corner[i]));
        break;
    default:
        memcpy(to, row, size);
    }
}

/* What a filtered row costs: the sum of its bytes as distances from 0, the specification's own heuristic. */
static uint32_t cost(const uint8_t *row, size_t size)
{
    enum { PART = 256 }; /* bytes of which the sum fits 16 bits */
    uint32_t sum = 0;
    for (size_t done = 0; done < size; done += PART) {
        size_t end = size - done < PART ? size : done + PART;
        uint16_t part = 0;
        for (size_t i = done; i < end; i++) {
            uint8_t other = (uint8_t)-row[i];
            part = (uint16_t)(part + (row[i] < other ? row[i] : other));
        }
        sum += part;
    }
    return sum;
}

/* A row that begins one pixel before its first, with zeros there. */
static void with_margin(uint8_t *to, const uint8_t *row, size_t size)
{
    memset(to, 0, 4);
    if (row)
        memcpy(to + 4, row, size);
    else
        memset(to + 4, 0, size);
}

/* Filter the rows of strip `s` into `to`; scratch holds three rows with their margins. */
static void filter_strip(const struct encoder *e, uint32_t first, uint32_t end, uint8_t *to, uint8_t *scratch)
{
    static const enum filter tried[] = {FILTER_SUB, FILTER_UP, FILTER_PAETH};
    size_t size = (size_t)e->width * 4;
    uint8_t *now = scratch, *above = now + size + 4, *trial = above + size + 4;
    with_margin(above, first ? e->rgba + (ptrdiff_t)(first - 1) * e->stride : NULL, size);
    for (uint32_t y = first; y < end; y++, to += size + 1) {
        with_margin(now, e->rgba + (ptrdiff_t)y * e->stride, size);
        uint32_t least = UINT32_MAX;
        for (unsigned i = 0; i < sizeof tried / sizeof tried[0] && least; i++) {
            apply(tried[i], trial, now + 4, now, above + 4, above, size);
            uint32_t sum = cost(trial, size);
            if (sum >= least)
                continue;
            least = sum;
            to[0] = (uint8_t)tried[i];
            memcpy(to + 1, trial, size);
        }
        uint8_t *swap = now;
        now = above;
        above = swap;
    }
}

/* ---- strips ---- */

/* Compress a strip's filtered bytes; the last one ends the stream. */
static bool compress_strip(const struct encoder *e, struct strip *s, const uint8_t *filtered, bool last)
{
    z_stream z = {0};
    if (deflateInit2(&z, e->level, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_FILTERED) != Z_OK)
        return false;
    size_t room = deflateBound(&z, s->length) + 16 + ZLIB_HEADER + ZLIB_TRAILER;
    s->bytes = malloc(room);
    z.next_in = (Bytef *)(uintptr_t)filtered;
    z.avail_in = (uInt)s->length;
    z.next_out = s->bytes + ZLIB_HEADER;
    z.avail_out = (uInt)(room - ZLIB_HEADER - ZLIB_TRAILER);
    bool fine =
        s->bytes && deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH) == (last ? Z_STREAM_END : Z_OK) && z.avail_in == 0;
    s->size = z.total_out;
    deflateEnd(&z);
    return fine;
}

static void encode_strip(void *context, unsigned thread, size_t number)
{
    struct encoder *e = context;
    struct strip *s = &e->strips[number];
    uint32_t first = (uint32_t)number * e->rows;
    uint32_t end = e->height - first < e->rows ? e->height : first + e->rows;
    size_t row = (size_t)e->width * 4 + 4;
    (void)thread;
    s->length = (end - first) * ((size_t)e->width * 4 + 1);
    uint8_t *filtered = malloc(s->length), *scratch = malloc(row * 3);
    bool fine = filtered && scratch;
    if (fine) {
        filter_strip(e, first, end, filtered, scratch);
        s->adler = (uint32_t)adler32_z(1, filtered, s->length);
        fine = compress_strip(e, s, filtered, number == e->nstrips - 1);
    }
    free(filtered);
    free(scratch);
    if (!fine)
        atomic_store(&e->failed, true);
}

/* zlib's header before the first strip, the sum of all bytes after the last. */
static void frame_stream(struct encoder *e)
{
    struct strip *last = &e->strips[e->nstrips - 1];
    uLong adler = 1;
    for (size_t i = 0; i < e->nstrips; i++)
        adler = adler32_combine(adler, e->strips[i].adler, (z_off_t)e->strips[i].length);
    e->strips[0].bytes[0] = 0x78;
    e->strips[0].bytes[1] = e->level == LARGE_LEVEL ? 0x01 : 0x9c;
    for (unsigned i = 0; i < ZLIB_TRAILER; i++)
        last->bytes[ZLIB_HEADER + last->size + i] = (uint8_t)(adler >> (24 - 8 * i));
}

/* ---- the file ---- */

struct file {
    uint8_t *data;
    size_t size, cap;
};

static void write_bytes(png_structp png, png_bytep from, size_t count)
{
    struct file *to = png_get_io_ptr(png);
    if (to->cap - to->size < count)
        png_error(png, "no memory for the PNG file");
    memcpy(to->data + to->size, from, count);
    to->size += count;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void keep_no_message(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void quiet_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

/* The part that libpng may leave by a jump. */
static bool write_chunks(png_structp png, png_infop info, const struct encoder *e)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, e->width, e->height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (size_t i = 0; i < e->nstrips; i++) {
        const struct strip *s = &e->strips[i];
        bool first = i == 0, last = i == e->nstrips - 1;
        png_write_chunk(png, (png_const_bytep) "IDAT", s->bytes + (first ? 0 : ZLIB_HEADER),
                        s->size + (first ? ZLIB_HEADER : 0) + (last ? ZLIB_TRAILER : 0));
    }
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    return true;
}

static bool write_file(const struct encoder *e, struct file *to)
{
    to->cap = 256; /* signature, IHDR and IEND take 57 bytes */
    for (size_t i = 0; i < e->nstrips; i++)
        to->cap += e->strips[i].size + 32;
    to->data = malloc(to->cap);
    png_structp png =
        to->data ? png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, keep_no_message, quiet_warning) : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool fine = false;
    if (info) {
        png_set_write_fn(png, to, write_bytes, flush_nothing);
        fine = write_chunks(png, info, e);
    }
    png_destroy_write_struct(&png, &info);
    return fine;
}

static void encode_strips(struct encoder *e, unsigned threads)
{
    struct pool *pool = threads > 1 && e->nstrips > 1 ? pool_new(threads) : NULL;
    if (pool)
        pool_run(pool, encode_strip, e, e->nstrips);
    else
        for (size_t i = 0; i < e->nstrips; i++)
            encode_strip(e, 0, i);
    pool_free(pool);
}

weft_status image_encode_png(uint32_t width, uint32_t height, const uint8_t *rgba, ptrdiff_t stride, unsigned threads,
                             uint8_t **bytes, size_t *size, weft_diags *diags)
{
    size_t row = (size_t)width * 4 + 1;
    struct encoder e = {.width = width, .height = height, .rgba = rgba, .stride = stride};
    struct file file = {0};
    e.rows = (uint32_t)(row < STRIP_BYTES ? STRIP_BYTES / row : 1);
    e.nstrips = (height + e.rows - 1) / e.rows;
    e.level = row * height > LARGE_BYTES ? LARGE_LEVEL : SMALL_LEVEL;
    e.strips = calloc(e.nstrips, sizeof *e.strips);
    bool fine = e.strips != NULL;
    if (fine) {
        encode_strips(&e, threads);
        fine = !atomic_load(&e.failed);
    }
    if (fine) {
        frame_stream(&e);
        fine = write_file(&e, &file);
    }
    for (size_t i = 0; e.strips && i < e.nstrips; i++)
        free(e.strips[i].bytes);
    free(e.strips);
    *bytes = fine ? file.data : NULL;
    *size = fine ? file.size : 0;
    if (fine)
        return WEFT_OK;
    free(file.data);
    diag_add(diags, WEFT_ERROR, "png", NULL, NULL, "no memory for the PNG file");
    return WEFT_ERROR_MEMORY;
}

weft_status image_write_png(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, ptrdiff_t stride,
                            weft_diags *diags)
{
    uint8_t *bytes;
    size_t size;
    weft_status status = image_encode_png(width, height, rgba, stride, 1, &bytes, &size, diags);
    if (status != WEFT_OK)
        return status;
    errno = 0;
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    if (f && fclose(f))
        ok = false;
    free(bytes);
    if (ok)
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "file", path, NULL, "cannot be written: %s", errno ? strerror(errno) : "write error");
    return WEFT_ERROR_FILE;
}
