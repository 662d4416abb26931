/* bytes.h - numbers as bytes, the least byte first. */
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t bytes_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The number that `count` bytes are, 8 at most. */
static inline uint64_t bytes_number(const uint8_t *p, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}

/* A number of so many bits as a word of memory has it, the least byte first, and back. */
static inline uint64_t bytes_turned(uint64_t value, unsigned bits)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) >> (64 - bits) : value;
}

/* Words in place as memory that programs read has them, and back. */
static inline void bytes_turn_words(void *words, size_t count)
{
    for (uint32_t *w = words; count && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; count--, w++)
        *w = __builtin_bswap32(*w);
}

/* The low `count` bytes of a value. */
static inline void bytes_put(uint8_t *p, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

#endif
