/* texels.c - loads and stores of texels at integer places, 16 lanes at a time. Compiled once per CPU level. */
#include "device/texels.h"

#include "device/block_words.h"

#include <stdalign.h>

#if defined(__AVX512VL__) && defined(__BMI2__)
#define TEXEL_WINDOWS
#endif

enum { N = EXEC_CHUNK };

struct places {
    alignas(64) int32_t at[N]; /* texels from the start; 0 outside */
    unsigned inside;           /* lanes */
};

/* Where the lanes of a chunk are, of those in `lanes`. */
static inline void find_places(const struct texels *t, unsigned base, unsigned lanes, struct places *p)
{
    static const alignas(64) int32_t zeros[N];
    const struct texture_level *l = t->level;
    const int32_t *restrict x = t->x ? t->x + base : zeros, *restrict y = t->y ? t->y + base : zeros,
                            *restrict z = t->slice ? t->slice + base : zeros;
    const uint32_t width = (uint32_t)l->width, height = (uint32_t)l->height, depth = (uint32_t)l->depth;
    const uint32_t first = (uint32_t)l->first, stride = (uint32_t)l->stride, slice = (uint32_t)l->slice;
    alignas(64) uint32_t in[N];
    for (unsigned i = 0; i < N; i++) {
        uint32_t u = (uint32_t)x[i], v = (uint32_t)y[i], w = (uint32_t)z[i];
        in[i] = (u < width) & (v < height) & (w < depth) & (lanes >> i & 1) ? ~0u : 0u;
        p->at[i] = (int32_t)((first + w * slice + v * stride + u) & in[i]);
    }
#if defined(__AVX512DQ__)
    p->inside = _mm512_movepi32_mask(_mm512_load_si512(in));
#else
    p->inside = 0;
    for (unsigned i = 0; i < N; i++)
        p->inside |= (in[i] & 1) << i;
#endif
}

/* Words at the places; 0 outside. */
static inline void load_words(const uint8_t *data, const struct places *p, uint32_t words[N])
{
#if defined(__AVX512F__)
    _mm512_store_si512(words, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)p->inside,
                                                          _mm512_load_si512(p->at), (const void *)data, 4));
#else
    memset(words, 0, N * sizeof *words);
    for (unsigned m = p->inside; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        memcpy(words + i, data + (size_t)p->at[i] * 4, 4);
    }
#endif
}

/* ---- texels of four bytes, by windows ----
 *
 * Lanes side by side mostly read texels side by side, in one row of the level or in two. Each row's texels are loaded
 * as one window, and lanes pick theirs. Where texels lie otherwise, and at the level's end, they are gathered. */

#if defined(TEXEL_WINDOWS)

enum { HALF = N / 2 };

static inline int32_t first_of(__mmask16 lanes, __m512i row)
{
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(lanes, row)));
}

/* The words of two halves that each lie in a window of 8, as those of two rows of 8 invocations do. */
static inline bool halves_words(const uint8_t *data, __m512i at, int32_t last, __m512i *words)
{
    const __m512i leaders = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi32(HALF), 1);
    __m512i from = _mm512_sub_epi32(at, _mm512_permutexvar_epi32(leaders, at));
    int32_t a = _mm_cvtsi128_si32(_mm512_castsi512_si128(at));
    int32_t b = _mm_cvtsi128_si32(_mm512_extracti32x4_epi32(at, 2));
    if (_mm512_cmpge_epu32_mask(from, _mm512_set1_epi32(HALF)) || a > last - (HALF - 1) || b > last - (HALF - 1))
        return false;
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(data + (size_t)a * 4));
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(data + (size_t)b * 4));
    *words = _mm512_permutexvar_epi32(_mm512_or_si512(from, leaders),
                                      _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    return true;
}

/* Words at the places of the lanes inside; 0 in others. No place is above `last`. */
static inline __m512i window_words(const uint8_t *data, __m512i at, __mmask16 inside, int32_t last)
{
    __m512i words;
    if (inside == 0xffff && halves_words(data, at, last, &words))
        return words;
    const __m512i size = _mm512_set1_epi32(N);
    int32_t a = first_of(inside, at);
    __m512i from_a = _mm512_sub_epi32(at, _mm512_set1_epi32(a));
    __mmask16 others = (__mmask16)(inside & ~_mm512_cmplt_epu32_mask(from_a, size));
    int32_t b = others ? first_of(others, at) : a;
    __m512i from_b = _mm512_sub_epi32(at, _mm512_set1_epi32(b));
    if (_mm512_mask_cmplt_epu32_mask(others, from_b, size) != others || a > last - (N - 1) || b > last - (N - 1))
        return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), inside, at, (const void *)data, 4);
    __m512i first = _mm512_loadu_si512(data + (size_t)a * 4), second = _mm512_loadu_si512(data + (size_t)b * 4);
    __m512i from = _mm512_mask_add_epi32(from_a, others, from_b, size);
    return _mm512_maskz_permutex2var_epi32(inside, first, from, second);
}

/* ---- whole blocks ---- */

/* Where 64 lanes read: each half of a chunk has a window of 8 texels in one row. */
struct block_windows {
    __m512i from[EXEC_MAX_LANES / N]; /* of the two windows' 16 texels, the lane's */
    uint8_t *first[EXEC_MAX_LANES / HALF];
};

/* Find them for lanes that lie so, in a level's first slice. */
static inline bool find_windows(const struct texels *t, struct block_windows *w)
{
    const struct texture_level *l = t->level;
    const __m512i leaders = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi32(HALF), 1);
    __mmask16 others = 0;
    if (l->width < HALF)
        return false;
    for (unsigned n = 0; n < EXEC_MAX_LANES; n += N) {
        for (unsigned k = n; k < n + N; k += HALF) {
            uint32_t x = (uint32_t)t->x[k], y = (uint32_t)t->y[k];
            if (x > (uint32_t)l->width - HALF || y >= (uint32_t)l->height)
                return false;
            w->first[k / HALF] = t->data + (size_t)((uint32_t)l->first + y * (uint32_t)l->stride + x) * 4;
        }
        __m512i x = _mm512_loadu_si512(t->x + n), y = _mm512_loadu_si512(t->y + n);
        __m512i from = _mm512_sub_epi32(x, _mm512_permutexvar_epi32(leaders, x));
        others |= _mm512_cmpge_epu32_mask(from, _mm512_set1_epi32(HALF));
        others |= _mm512_cmpneq_epi32_mask(y, _mm512_permutexvar_epi32(leaders, y));
        w->from[n / N] = _mm512_or_si512(from, leaders);
    }
    return !others;
}

static inline bool load_block(const struct texels *t, float *const rows[4])
{
    struct block_windows w;
    if (!t->x || !t->y || t->slice || !rows[0] || !rows[1] || !rows[2] || !rows[3] || !find_windows(t, &w))
        return false;
    float *const r = rows[0], *const g = rows[1], *const b = rows[2], *const a = rows[3];
    for (unsigned n = 0; n < EXEC_MAX_LANES / N; n++) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)w.first[2 * n]);
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)w.first[2 * n + 1]);
        __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        __m512i words = _mm512_permutexvar_epi32(w.from[n], both);
        _mm512_storeu_ps(r + n * N, unorm8_values(words, 0));
        _mm512_storeu_ps(g + n * N, unorm8_values(words, 1));
        _mm512_storeu_ps(b + n * N, unorm8_values(words, 2));
        _mm512_storeu_ps(a + n * N, unorm8_values(words, 3));
    }
    return true;
}

/* Stores of lanes side by side, 8 of them in a row. Later lanes come later, as one by one. */
static inline bool store_block(const struct texels *t, const float *const rows[4])
{
    const __m512i in_order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    struct block_windows w;
    __mmask16 others = 0;
    if (!t->x || !t->y || t->slice || !find_windows(t, &w))
        return false;
    for (unsigned n = 0; n < EXEC_MAX_LANES / N; n++)
        others |= _mm512_cmpneq_epi32_mask(w.from[n], in_order);
    if (others)
        return false;
    for (unsigned n = 0; n < EXEC_MAX_LANES / N; n++) {
        __m512i byte[4];
        for (unsigned c = 0; c < 4; c++)
            byte[c] = unorm8_vector(clamp_vector(rows[c] + n * N));
        __m512i words = pack_pixels(byte[0], byte[1], byte[2], byte[3]);
        _mm256_storeu_si256((__m256i *)(void *)w.first[2 * n], _mm512_castsi512_si256(words));
        _mm256_storeu_si256((__m256i *)(void *)w.first[2 * n + 1], _mm512_extracti64x4_epi64(words, 1));
    }
    return true;
}

/* ---- chunks ---- */

static inline __m512i row_at(const int32_t *row, unsigned base)
{
    return row ? _mm512_loadu_si512(row + base) : _mm512_setzero_si512();
}

static inline void put_channel(float *const rows[4], unsigned c, unsigned base, __m512i words)
{
    if (rows[c])
        _mm512_storeu_ps(rows[c] + base, unorm8_values(words, c));
}

static void load_windows(const struct texels *t, lane_mask lanes, float *const rows[4])
{
    const struct texture_level *l = t->level;
    const int32_t last = l->first + (l->depth - 1) * l->slice + (l->height - 1) * l->stride + l->width - 1;
    const __m512i width = _mm512_set1_epi32(l->width), height = _mm512_set1_epi32(l->height);
    const __m512i stride = _mm512_set1_epi32(l->stride), first = _mm512_set1_epi32(l->first);
    for (unsigned base = 0; base < EXEC_MAX_LANES; base += N) {
        __mmask16 inside = (__mmask16)(lanes >> base);
        if (!inside)
            continue;
        __m512i x = row_at(t->x, base), y = row_at(t->y, base), z = row_at(t->slice, base);
        inside = _mm512_mask_cmplt_epu32_mask(inside, x, width);
        inside = _mm512_mask_cmplt_epu32_mask(inside, y, height);
        inside = _mm512_mask_cmplt_epu32_mask(inside, z, _mm512_set1_epi32(l->depth));
        __m512i at = _mm512_add_epi32(_mm512_add_epi32(first, x), _mm512_mullo_epi32(y, stride));
        if (t->slice)
            at = _mm512_add_epi32(at, _mm512_mullo_epi32(z, _mm512_set1_epi32(l->slice)));
        __m512i words = _mm512_setzero_si512();
        if (inside)
            words = window_words(t->data, at, inside, last);
        put_channel(rows, 0, base, words);
        put_channel(rows, 1, base, words);
        put_channel(rows, 2, base, words);
        put_channel(rows, 3, base, words);
    }
}

#endif

/* ---- texels one by one ---- */

static void load_bytes4(const struct texels *t, const struct places *p, unsigned base, float *const rows[4])
{
    alignas(64) uint32_t words[N];
    load_words(t->data, p, words);
    for (unsigned c = 0; c < 4; c++) {
        if (!rows[c])
            continue;
        float *restrict to = rows[c] + base;
        for (unsigned i = 0; i < N; i++)
            to[i] = unorm8_value(words[i] >> (8 * c) & 255);
    }
}

static void load_floats4(const struct texels *t, const struct places *p, unsigned base, float *const rows[4])
{
    for (unsigned i = 0; i < N; i++) {
        float v[4] = {0, 0, 0, 0};
        if (p->inside >> i & 1)
            memcpy(v, t->data + (size_t)p->at[i] * sizeof v, sizeof v);
        for (unsigned c = 0; c < 4; c++)
            if (rows[c])
                rows[c][base + i] = v[c];
    }
}

void LEVEL(load_texels)(const struct texels *t, lane_mask lanes, float *const rows[4])
{
#if defined(TEXEL_WINDOWS)
    if (t->format->layout == FORMAT_BYTES4) {
        if (~lanes || !load_block(t, rows))
            load_windows(t, lanes, rows);
        return;
    }
#endif
    for (unsigned base = 0; base < EXEC_MAX_LANES; base += N) {
        unsigned here = (unsigned)(lanes >> base & 0xffff);
        struct places p;
        if (!here)
            continue;
        find_places(t, base, here, &p);
        (t->format->layout == FORMAT_BYTES4 ? load_bytes4 : load_floats4)(t, &p, base, rows);
    }
}

/* Lanes store in ascending order: of two at one place the higher one's texel stays. */
void LEVEL(store_texels)(const struct texels *t, lane_mask lanes, const float *const rows[4])
{
#if defined(TEXEL_WINDOWS)
    if (t->format->layout == FORMAT_BYTES4 && !~lanes && store_block(t, rows))
        return;
#endif
    for (unsigned base = 0; base < EXEC_MAX_LANES; base += N) {
        alignas(64) uint32_t words[N];
        struct places p;
        if (!(lanes >> base & 0xffff))
            continue;
        find_places(t, base, (unsigned)(lanes >> base & 0xffff), &p);
        const float *restrict r = rows[0] + base, *restrict g = rows[1] + base, *restrict b = rows[2] + base,
                              *restrict a = rows[3] + base;
        if (t->format->layout == FORMAT_BYTES4)
            for (unsigned i = 0; i < N; i++)
                words[i] =
                    unorm8_byte(r[i]) | unorm8_byte(g[i]) << 8 | unorm8_byte(b[i]) << 16 | unorm8_byte(a[i]) << 24;
        for (unsigned m = p.inside; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctz(m);
            if (t->format->layout == FORMAT_BYTES4) {
                memcpy(t->data + (size_t)p.at[i] * 4, words + i, 4);
            } else {
                const float rgba[4] = {float_stored(r[i]), float_stored(g[i]), float_stored(b[i]), float_stored(a[i])};
                memcpy(t->data + (size_t)p.at[i] * sizeof rgba, rgba, sizeof rgba);
            }
        }
    }
}
