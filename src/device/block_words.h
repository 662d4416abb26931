/* block_words.h - pixels of 4 bytes between memory and the lanes of a block, for files that are compiled once per CPU
 * level. 16 lanes are 8x2 pixels: four quads side by side. Memory of lanes outside a mask is not touched. */
#ifndef WEFT_DEVICE_BLOCK_WORDS_H
#define WEFT_DEVICE_BLOCK_WORDS_H

#include "device/kernels.h"

#include <string.h>

#if defined(__AVX512VL__) && defined(__BMI2__)
#include <immintrin.h>
#endif

enum { WORDS_CHUNK = 16, WORDS_ROW = 8 };

/* The lanes of 16 that are in the upper and the lower row. */
enum { WORDS_LOW = 0x3333, WORDS_HIGH = 0xcccc };

#if defined(__AVX512VL__) && defined(__BMI2__)

/* 0 in lanes outside the mask. */
static inline __m512i load_vector(const uint8_t *pixels, size_t stride, unsigned mask)
{
    __m256i low, high;
    if (mask == 0xffff) {
        low = _mm256_loadu_si256((const __m256i *)(const void *)pixels);
        high = _mm256_loadu_si256((const __m256i *)(const void *)(pixels + stride));
    } else {
        low = _mm256_maskz_loadu_epi32((__mmask8)_pext_u32(mask, WORDS_LOW), pixels);
        high = _mm256_maskz_loadu_epi32((__mmask8)_pext_u32(mask, WORDS_HIGH), pixels + stride);
    }
    __m512i rows = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), rows);
}

static inline void load_chunk(const uint8_t *pixels, size_t stride, unsigned mask, uint32_t words[WORDS_CHUNK])
{
    _mm512_storeu_si512(words, load_vector(pixels, stride, mask));
}

/* Stores under a mask take some hosts longer. */
static inline void store_vector(uint8_t *pixels, size_t stride, unsigned mask, __m512i words)
{
    __m512i rows = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), words);
    __m256i low = _mm512_castsi512_si256(rows), high = _mm512_extracti64x4_epi64(rows, 1);
    if (mask == 0xffff) {
        _mm256_storeu_si256((__m256i *)(void *)pixels, low);
        _mm256_storeu_si256((__m256i *)(void *)(pixels + stride), high);
        return;
    }
    _mm256_mask_storeu_epi32(pixels, (__mmask8)_pext_u32(mask, WORDS_LOW), low);
    _mm256_mask_storeu_epi32(pixels + stride, (__mmask8)_pext_u32(mask, WORDS_HIGH), high);
}

static inline void store_chunk(uint8_t *pixels, size_t stride, unsigned mask, const uint32_t words[WORDS_CHUNK])
{
    store_vector(pixels, stride, mask, _mm512_loadu_si512(words));
}

/* 16 values held to 0..1, NaN as 0. */
static inline __m512 clamp_vector(const float *v)
{
    return _mm512_min_ps(_mm512_max_ps(_mm512_loadu_ps(v), _mm512_setzero_ps()), _mm512_set1_ps(1.0f));
}

/* unorm8_byte of values from 0 to 1. */
static inline __m512i unorm8_vector(__m512 v)
{
    return _mm512_cvtps_epi32(_mm512_mul_ps(v, _mm512_set1_ps(255.0f)));
}

/* unorm8_value of byte `c` of each word. Its product with the first factor is exact, and the second makes 1/255 of it,
 * which is 2^-8 (1 + 2^-8) (1 + 2^-16) (1 + 2^-32) ... */
static inline __m512 unorm8_values(__m512i words, unsigned c)
{
    const __m512i alone = _mm512_set4_epi32(~0xff | 12, ~0xff | 8, ~0xff | 4, ~0xff); /* the other bytes become 0 */
    __m512i byte = _mm512_shuffle_epi8(words, _mm512_add_epi32(alone, _mm512_set1_epi32((int32_t)c)));
    __m512 most = _mm512_mul_ps(_mm512_cvtepi32_ps(byte), _mm512_set1_ps(0x1.01p-8f));
    return _mm512_fmadd_ps(most, _mm512_set1_ps(0x1.0001p-16f), most);
}

/* 16 pixels of the bytes R, G, B, A. */
static inline __m512i pack_pixels(__m512i r, __m512i g, __m512i b, __m512i a)
{
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i rgba = _mm512_packus_epi16(_mm512_packs_epi32(r, g), _mm512_packs_epi32(b, a));
    return _mm512_shuffle_epi8(rgba, _mm512_broadcast_i32x4(order));
}

#else

/* The words as memory has them, the least byte first, and back; `out` holds them where they are others. */
static inline const uint32_t *turned_words(const uint32_t words[WORDS_CHUNK], uint32_t out[WORDS_CHUNK])
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)out;
    return words;
#else
    for (unsigned i = 0; i < WORDS_CHUNK; i++)
        out[i] = __builtin_bswap32(words[i]);
    return out;
#endif
}

static inline void load_chunk(const uint8_t *pixels, size_t stride, unsigned mask, uint32_t words[WORDS_CHUNK])
{
    if (mask == 0xffff) {
        for (unsigned q = 0; q < WORDS_CHUNK; q += 4) {
            memcpy(words + q, pixels + 2 * q, 8);
            memcpy(words + q + 2, pixels + stride + 2 * q, 8);
        }
        turned_words(words, words);
        return;
    }
    memset(words, 0, WORDS_CHUNK * sizeof *words);
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(words + i, pixels + lane_y(i) * stride + (size_t)lane_x(i) * 4, 4);
    }
    turned_words(words, words);
}

static inline void store_chunk(uint8_t *pixels, size_t stride, unsigned mask, const uint32_t values[WORDS_CHUNK])
{
    uint32_t turned[WORDS_CHUNK];
    const uint32_t *words = turned_words(values, turned);
    if (mask == 0xffff) {
        for (unsigned q = 0; q < WORDS_CHUNK; q += 4) {
            memcpy(pixels + 2 * q, words + q, 8);
            memcpy(pixels + stride + 2 * q, words + q + 2, 8);
        }
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(pixels + lane_y(i) * stride + (size_t)lane_x(i) * 4, words + i, 4);
    }
}

#endif

/* A float as it is stored: every NaN is the quiet one without payload. */
static inline float float_stored(float v)
{
    const uint32_t nan = 0x7fc00000u;
    if (v != v)
        memcpy(&v, &nan, 4);
    return v;
}

/* A byte of a unorm texel: exactly (float)byte / 255. The first factor has 16 bits, so that its product is exact. */
static inline float unorm8_value(uint32_t byte)
{
    float v = (float)(int32_t)byte;
#if defined(__FMA__)
    return __builtin_fmaf(v, 0x1.010102p-24f, v * 0x1.01p-8f);
#else
    return v * 0x1.01p-8f + v * 0x1.010102p-24f;
#endif
}

/* The byte of a value, format_unorm of 8 bits: clamped to 0..1, NaN to 0, rounded to nearest even. */
static inline uint32_t unorm8_byte(float v)
{
    v = v > 0.0f ? v : 0.0f;
    v = v < 1.0f ? v : 1.0f;
    v = v * 255.0f + 8388608.0f; /* 2^23: the sum's low bits are the integer */
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits & 255;
}

#endif
