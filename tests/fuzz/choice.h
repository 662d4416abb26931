/* choice.h - what a fuzzer of states makes of its bytes: choices, each of one or two bytes, so that a changed byte is a
 * changed choice; at the end of the bytes every choice is the first. Bulk data comes from a generator with a seed. */
#ifndef WEFT_FUZZ_CHOICE_H
#define WEFT_FUZZ_CHOICE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct choices {
    const uint8_t *data;
    size_t size, at;
};

/* What always holds, or the fuzzer has found something. */
#define must(holds) ((holds) ? (void)0 : broken(#holds, __LINE__))

static inline void broken(const char *what, int line)
{
    fprintf(stderr, "line %d: does not hold: %s\n", line, what);
    abort();
}

static inline uint8_t take_byte(struct choices *c)
{
    return c->at < c->size ? c->data[c->at++] : 0;
}

/* 0 to count - 1. */
static inline uint32_t take(struct choices *c, uint32_t count)
{
    uint32_t v = take_byte(c);
    if (count > 256)
        v = v << 8 | take_byte(c);
    return v % count;
}

static inline bool take_bool(struct choices *c)
{
    return take(c, 2) == 1;
}

/* One in n. */
static inline bool seldom(struct choices *c, uint32_t n)
{
    return take(c, n) == n - 1;
}

static inline int32_t take_between(struct choices *c, int32_t low, int32_t high)
{
    return low + (int32_t)take(c, (uint32_t)(high - low) + 1);
}

static const float odd_floats[] = {0,      -0.0f,  1,      -1,      0.5f,     -0.5f,     2,      0.25f,
                                   1e-3f,  64,     -64,    1e6f,    -1e6f,    1e20f,     -1e20f, 3.4e38f,
                                   -3e38f, 1e-30f, 1e-44f, -1e-44f, INFINITY, -INFINITY, NAN,    16777216};

/* The usual ones are -2 to 2 in steps of 64ths. */
static inline float float_of(uint32_t v)
{
    const uint32_t odd = sizeof odd_floats / sizeof *odd_floats;
    return v < 256 - odd ? (float)((int32_t)v - 116) / 58 : odd_floats[(v - (256 - odd)) % odd];
}

static inline float take_float(struct choices *c)
{
    return float_of(take_byte(c));
}

/* One that is finite and not beyond `most`. */
static inline float take_finite(struct choices *c, float most)
{
    float v = take_float(c);
    return isfinite(v) && fabsf(v) <= most ? v : 0;
}

/* ---- bulk data ---- */

static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Any bits, or floats of float_of. */
static inline void fill_random(struct choices *c, void *to, size_t bytes)
{
    uint32_t kind = take(c, 8), state = take(c, 65536) * 2654435761u + 1;
    if (kind == 0) {
        memset(to, (int)state, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word = next_random(&state);
        float f = float_of(kind == 1 ? word >> 8 & 255 : 58 + (word >> 8) % 117); /* 1: odd ones too */
        if (kind < 6)
            memcpy(&word, &f, 4);
        memcpy((uint8_t *)to + i, &word, bytes - i < 4 ? bytes - i : 4);
    }
}

/* Memory that ends where it ends; never NULL. */
static inline void *claim(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    must(p != NULL);
    return p;
}

#endif
