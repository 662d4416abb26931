/* image_animation.c - animated PNGs (image_animation.h). */
#include "device/image_animation.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIGNATURE = 8, HEAD = 8 /* length and name of a chunk */, CHECK = 4 };

static void put32(uint8_t *to, uint32_t n)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(n >> (24 - 8 * i));
}

static uint32_t get32(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static uint8_t *more(struct image_animation *a, size_t size)
{
    if (a->room - a->size < size) {
        size_t room = a->room * 2 > a->size + size ? a->room * 2 : a->size + size;
        uint8_t *larger = realloc(a->bytes, room);
        if (!larger)
            return NULL;
        a->bytes = larger;
        a->room = room;
    }
    a->size += size;
    return a->bytes + a->size - size;
}

/* The check of a chunk is of its name and its data. */
static void put_check(uint8_t *chunk, size_t size)
{
    put32(chunk + HEAD + size, (uint32_t)crc32(0, chunk + 4, (uInt)(size + 4)));
}

/* A chunk whose data are two parts. */
static bool add_chunk(struct image_animation *a, const char name[4], const uint8_t *first, size_t first_size,
                      const uint8_t *second, size_t second_size)
{
    size_t size = first_size + second_size;
    uint8_t *to = more(a, HEAD + size + CHECK);
    if (!to)
        return false;
    put32(to, (uint32_t)size);
    memcpy(to + 4, name, 4);
    if (first_size)
        memcpy(to + HEAD, first, first_size);
    if (second_size)
        memcpy(to + HEAD + first_size, second, second_size);
    put_check(to, size);
    return true;
}

/* How a picture is shown: all of it, in place of the one before. */
static bool add_frame(struct image_animation *a, const uint8_t *size, uint16_t numerator, uint16_t denominator)
{
    uint8_t data[26] = {0};
    put32(data, a->sequence++);
    memcpy(data + 4, size, 8); /* width and height, as the heading has them */
    put32(data + 20, (uint32_t)numerator << 16 | denominator);
    return add_chunk(a, "fcTL", data, sizeof data, NULL, 0);
}

static bool begin(struct image_animation *a, const uint8_t *png)
{
    uint8_t *signature = more(a, SIGNATURE);
    if (!signature)
        return false;
    memcpy(signature, png, SIGNATURE);
    return true;
}

/* The first picture's heading and what else comes before its data are the file's. */
static bool take_chunk(struct image_animation *a, const uint8_t *chunk, uint32_t size)
{
    static const uint8_t counts[8] = {0}; /* pictures, set at the end; 0 plays: without end */
    const char *name = (const char *)chunk + 4;
    bool data = memcmp(name, "IDAT", 4) == 0, first = a->pictures == 0;
    if (data && !first) {
        uint8_t sequence[4];
        put32(sequence, a->sequence++);
        return add_chunk(a, "fdAT", sequence, sizeof sequence, chunk + HEAD, size);
    }
    if (!data && (!first || memcmp(name, "IEND", 4) == 0))
        return true;
    if (!add_chunk(a, name, chunk + HEAD, size, NULL, 0))
        return false;
    if (memcmp(name, "IHDR", 4) != 0)
        return true;
    a->control = a->size;
    return add_chunk(a, "acTL", counts, sizeof counts, NULL, 0);
}

bool image_animation_add(struct image_animation *a, const uint8_t *png, size_t size, uint16_t numerator,
                         uint16_t denominator)
{
    bool shown = false;
    if (a->pictures == 0 && !begin(a, png))
        return false;
    for (size_t at = SIGNATURE; at + HEAD + CHECK <= size;) {
        uint32_t length = get32(png + at);
        if (!shown && memcmp(png + at + 4, "IDAT", 4) == 0) {
            shown = true;
            if (!add_frame(a, png + SIGNATURE + HEAD, numerator, denominator))
                return false;
        }
        if (!take_chunk(a, png + at, length))
            return false;
        at += HEAD + length + CHECK;
    }
    a->pictures++;
    return true;
}

bool image_animation_end(struct image_animation *a)
{
    put32(a->bytes + a->control + HEAD, a->pictures);
    put_check(a->bytes + a->control, 8);
    return add_chunk(a, "IEND", NULL, 0, NULL, 0);
}
