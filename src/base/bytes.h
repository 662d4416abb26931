/* bytes.h - numbers as bytes, the least byte first. */
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t bytes_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The low `count` bytes of a value. */
static inline void bytes_put(uint8_t *p, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

#endif
