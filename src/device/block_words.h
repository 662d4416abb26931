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
static inline void load_chunk(const uint8_t *pixels, size_t stride, unsigned mask, uint32_t words[WORDS_CHUNK])
{
    __m256i low = _mm256_maskz_loadu_epi32((__mmask8)_pext_u32(mask, WORDS_LOW), pixels);
    __m256i high = _mm256_maskz_loadu_epi32((__mmask8)_pext_u32(mask, WORDS_HIGH), pixels + stride);
    __m512i rows = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    _mm512_storeu_si512(words, _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), rows));
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

/* unorm8_byte of 16 values, in the low bytes of words. */
static inline __m512i unorm8_vector(const float *v)
{
    __m512 x = _mm512_max_ps(_mm512_loadu_ps(v), _mm512_setzero_ps()); /* NaN: 0 */
    x = _mm512_mul_ps(_mm512_min_ps(x, _mm512_set1_ps(1.0f)), _mm512_set1_ps(255.0f));
    return _mm512_castps_si512(_mm512_add_ps(x, _mm512_set1_ps(8388608.0f)));
}

/* 16 pixels of unorm8_byte from rows R, G, B, A. */
static inline __m512i unorm8_pixels(const float *r, const float *g, const float *b, const float *a)
{
    enum { CHOOSE = 0xca }; /* bits of the second where the first is set, of the third elsewhere */
    const __m512i byte = _mm512_set1_epi32(0xff), half = _mm512_set1_epi32(0xffff);
    __m512i gr = _mm512_slli_epi32(unorm8_vector(g), 8), ab = _mm512_slli_epi32(unorm8_vector(a), 8);
    gr = _mm512_ternarylogic_epi32(byte, unorm8_vector(r), gr, CHOOSE);
    ab = _mm512_ternarylogic_epi32(byte, unorm8_vector(b), ab, CHOOSE);
    return _mm512_ternarylogic_epi32(half, gr, _mm512_slli_epi32(ab, 16), CHOOSE);
}

#else

static inline void load_chunk(const uint8_t *pixels, size_t stride, unsigned mask, uint32_t words[WORDS_CHUNK])
{
    if (mask == 0xffff) {
        for (unsigned q = 0; q < WORDS_CHUNK; q += 4) {
            memcpy(words + q, pixels + 2 * q, 8);
            memcpy(words + q + 2, pixels + stride + 2 * q, 8);
        }
        return;
    }
    memset(words, 0, WORDS_CHUNK * sizeof *words);
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(words + i, pixels + lane_y(i) * stride + (size_t)lane_x(i) * 4, 4);
    }
}

static inline void store_chunk(uint8_t *pixels, size_t stride, unsigned mask, const uint32_t words[WORDS_CHUNK])
{
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
    return v * 0x1.01p-8f + v * 0x1.010102p-24f;
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
