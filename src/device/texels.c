/* texels.c - loads and stores of texels at integer places, 16 lanes at a time. Compiled once per CPU level. */
#include "device/texels.h"

#include "device/block_words.h"

#include <stdalign.h>

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

static void load_bytes4(const struct texels *t, const struct places *p, unsigned base, float *const rows[4])
{
    alignas(64) uint32_t words[N];
    load_words(t->data, p, words);
    for (unsigned c = 0; c < 4; c++) {
        float *restrict to = rows[c] + base;
        if (rows[c])
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
