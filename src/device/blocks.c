/* blocks.c - coverage, depth and stores of 8x8 blocks. Compiled once per CPU level (kernels.h). */
#include "device/blend.h"
#include "device/block_words.h"
#include "device/texels.h"

#include <stdalign.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline uint8_t *pixel_of(uint8_t *pixels, size_t stride, unsigned lane, unsigned bytes)
{
    return pixels + lane_y(lane) * stride + (size_t)lane_x(lane) * bytes;
}

/* ---- coverage ---- */

#if defined(__AVX512F__)

static lane_mask cover(const struct block_edge *edges, unsigned count)
{
    const __m512i x = _mm512_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7);
    __m512i outside[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                          _mm512_setzero_si512()};
    for (unsigned k = 0; k < count; k++) {
        __m512i e =
            _mm512_add_epi32(_mm512_set1_epi32(edges[k].e), _mm512_mullo_epi32(_mm512_set1_epi32(edges[k].a), x));
        const __m512i b = _mm512_set1_epi32(edges[k].b), down = _mm512_add_epi32(b, b);
        e = _mm512_mask_add_epi32(e, WORDS_HIGH, e, b);
        for (unsigned y = 0; y < 4; y++) {
            outside[y] = _mm512_or_si512(outside[y], e);
            e = _mm512_add_epi32(e, down);
        }
    }
    lane_mask mask = 0;
    for (unsigned y = 0; y < 4; y++)
        mask |= (lane_mask)_mm512_movepi32_mask(outside[y]) << (16 * y);
    return ~mask;
}

#elif defined(__SSE2__)

static lane_mask cover(const struct block_edge *edges, unsigned count)
{
    __m128i row[3], across[3], down[3];
    for (unsigned k = 0; k < count; k++) {
        int32_t a = edges[k].a, b = edges[k].b, e = edges[k].e;
        row[k] = _mm_setr_epi32(e, e + a, e + b, e + a + b);
        across[k] = _mm_set1_epi32(2 * a);
        down[k] = _mm_set1_epi32(2 * b);
    }
    lane_mask outside = 0;
    for (unsigned y = 0; y < 4; y++) {
        __m128i q0 = _mm_setzero_si128(), q1 = q0, q2 = q0, q3 = q0;
        for (unsigned k = 0; k < count; k++) {
            __m128i e = row[k];
            q0 = _mm_or_si128(q0, e);
            e = _mm_add_epi32(e, across[k]);
            q1 = _mm_or_si128(q1, e);
            e = _mm_add_epi32(e, across[k]);
            q2 = _mm_or_si128(q2, e);
            e = _mm_add_epi32(e, across[k]);
            q3 = _mm_or_si128(q3, e);
            row[k] = _mm_add_epi32(row[k], down[k]);
        }
        /* The sign bytes of 16 lanes, in order. */
        __m128i words01 = _mm_packs_epi32(q0, q1), words23 = _mm_packs_epi32(q2, q3);
        unsigned bits = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(words01, words23));
        outside |= (lane_mask)bits << (16 * y);
    }
    return ~outside;
}

#else

static lane_mask cover(const struct block_edge *edges, unsigned count)
{
    lane_mask inside = ~(lane_mask)0;
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            if (edges[k].e + edges[k].a * (int32_t)lane_x(i) + edges[k].b * (int32_t)lane_y(i) < 0)
                inside &= ~((lane_mask)1 << i);
    return inside;
}

#endif

/* ---- depth ---- */

static void plane(const struct exec_plane *p, int32_t x, int32_t y, float low, float high, float z[BLOCK_LANES])
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float v = (p->a0 + p->dx * (float)(x + (int32_t)lane_x(i))) + p->dy * (float)(y + (int32_t)lane_y(i));
        v = v > low ? v : low;
        z[i] = v < high ? v : high;
    }
}

#if defined(__AVX512F__)

/* The planes of a chunk's lanes: those of the first piece, and of others in the lanes of a mask. */
struct chunk_planes {
    unsigned count;
    const struct exec_plane *planes[WORDS_CHUNK / 4];
    __mmask16 lanes[WORDS_CHUNK / 4];
};

static inline __m512 chunk_values(const struct chunk_planes *c, unsigned which, __m512 x, __m512 y)
{
    const struct exec_plane *p = &c->planes[0][which];
    __m512 a0 = _mm512_set1_ps(p->a0), dx = _mm512_set1_ps(p->dx), dy = _mm512_set1_ps(p->dy);
    for (unsigned i = 1; i < c->count; i++) {
        p = &c->planes[i][which];
        a0 = _mm512_mask_mov_ps(a0, c->lanes[i], _mm512_set1_ps(p->a0));
        dx = _mm512_mask_mov_ps(dx, c->lanes[i], _mm512_set1_ps(p->dx));
        dy = _mm512_mask_mov_ps(dy, c->lanes[i], _mm512_set1_ps(p->dy));
    }
    return _mm512_add_ps(_mm512_add_ps(a0, _mm512_mul_ps(dx, x)), _mm512_mul_ps(dy, y));
}

static void plane_rows(const struct plane_rows *call)
{
    unsigned piece = 0, begun = 0; /* lanes of the piece that are done */
    for (unsigned base = 0; piece < call->pieces; base += WORDS_CHUNK) {
        struct chunk_planes c = {0};
        for (unsigned at = 0; at < WORDS_CHUNK && piece < call->pieces;) {
            const struct plane_lanes *p = &call->piece[piece];
            unsigned left = p->count - begun, here = left < WORDS_CHUNK - at ? left : WORDS_CHUNK - at;
            c.planes[c.count] = p->planes;
            c.lanes[c.count++] = (__mmask16)(0xffffu << at); /* pieces that come after take theirs */
            at += here;
            begun = left > here ? begun + here : 0;
            piece += left <= here;
        }
        __m512 x = _mm512_load_ps(call->x + base), y = _mm512_load_ps(call->y + base);
        for (unsigned k = 0; k < call->count; k++)
            _mm512_store_ps(call->rows + k * call->stride + base, chunk_values(&c, call->which[k], x, y));
    }
}

#else

static void plane_rows(const struct plane_rows *call)
{
    unsigned first = 0;
    for (unsigned piece = 0; piece < call->pieces; first += call->piece[piece++].count)
        for (unsigned i = first; i < first + call->piece[piece].count; i += 4) {
            float x[4], y[4], v[4];
            memcpy(x, call->x + i, sizeof x);
            memcpy(y, call->y + i, sizeof y);
            for (unsigned k = 0; k < call->count; k++) {
                const struct exec_plane p = call->piece[piece].planes[call->which[k]];
                for (unsigned l = 0; l < 4; l++)
                    v[l] = (p.a0 + p.dx * x[l]) + p.dy * y[l];
                memcpy(call->rows + k * call->stride + i, v, sizeof v);
            }
        }
}

#endif

static void divide_rows(const float *w, float *rows, size_t stride, unsigned count, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i += WORDS_CHUNK) {
        float by[WORDS_CHUNK];
        for (unsigned l = 0; l < WORDS_CHUNK; l++)
            by[l] = 1.0f / w[i + l];
        for (unsigned k = 0; k < count; k++) {
            float *row = rows + k * stride + i;
            for (unsigned l = 0; l < WORDS_CHUNK; l++)
                row[l] *= by[l];
        }
    }
}

#if !defined(__AVX512F__)

/* Lanes of 16 whose number is negative. */
static inline unsigned mask_of(const int32_t set[WORDS_CHUNK])
{
#if defined(__SSE2__)
    const __m128i *at = (const __m128i *)(const void *)set;
    __m128i low = _mm_packs_epi32(_mm_load_si128(at), _mm_load_si128(at + 1));
    __m128i high = _mm_packs_epi32(_mm_load_si128(at + 2), _mm_load_si128(at + 3));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < WORDS_CHUNK; i++)
        mask |= (unsigned)(set[i] < 0) << i;
    return mask;
#endif
}

#endif /* no AVX-512 */

/* Lanes whose z is less than what is stored, and equal to it; where `mask` has none of 16 lanes, nothing
 * is looked at. */
static void compare_depth(const uint8_t *pixels, size_t stride, const float z[BLOCK_LANES], lane_mask mask,
                          lane_mask *less, lane_mask *equal)
{
    *less = *equal = 0;
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        alignas(64) float stored[WORDS_CHUNK];
        unsigned here = (unsigned)(mask >> k & 0xffff);
        if (!here)
            continue;
        load_chunk(pixels + lane_y(k) * stride, stride, here, (uint32_t *)(void *)stored);
#if defined(__AVX512F__)
        __m512 a = _mm512_loadu_ps(z + k), b = _mm512_load_ps(stored);
        *less |= (lane_mask)_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ) << k;
        *equal |= (lane_mask)_mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ) << k;
#else
        alignas(64) int32_t lt[WORDS_CHUNK], eq[WORDS_CHUNK];
        for (unsigned i = 0; i < WORDS_CHUNK; i++) {
            lt[i] = z[k + i] < stored[i] ? -1 : 0;
            eq[i] = z[k + i] == stored[i] ? -1 : 0;
        }
        *less |= (lane_mask)mask_of(lt) << k;
        *equal |= (lane_mask)mask_of(eq) << k;
#endif
    }
}

static lane_mask depth_test(const uint8_t *pixels, size_t stride, const float z[BLOCK_LANES], enum compare_op op,
                            lane_mask mask)
{
    lane_mask lt, eq, pass = 0;
    compare_depth(pixels, stride, z, mask, &lt, &eq);
    switch (op) {
    case COMPARE_NEVER:
        pass = 0;
        break;
    case COMPARE_LESS:
        pass = lt;
        break;
    case COMPARE_EQUAL:
        pass = eq;
        break;
    case COMPARE_LESS_EQUAL:
        pass = lt | eq;
        break;
    case COMPARE_GREATER:
        pass = ~(lt | eq);
        break;
    case COMPARE_NOT_EQUAL:
        pass = ~eq;
        break;
    case COMPARE_GREATER_EQUAL:
        pass = ~lt;
        break;
    case COMPARE_ALWAYS:
        pass = ~(lane_mask)0;
        break;
    }
    return pass & mask;
}

static void depth_write(uint8_t *pixels, size_t stride, const float z[BLOCK_LANES], lane_mask mask)
{
    for (unsigned i = 0; i < BLOCK_LANES; i += WORDS_CHUNK)
        if (mask >> i & 0xffff)
            store_chunk(pixels + lane_y(i) * stride, stride, (unsigned)(mask >> i & 0xffff),
                        (const uint32_t *)(const void *)(z + i));
}

/* ---- colour ---- */

static void store_some_floats4(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask)
{
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        float v[4];
        for (unsigned c = 0; c < 4; c++)
            v[c] = float_stored(rows[c][i]);
        memcpy(pixel_of(pixels, stride, i, 16), v, 16);
    }
}

#if defined(__AVX512VL__) && defined(__BMI2__)

static void store_bytes4(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask)
{
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        unsigned here = (unsigned)(mask >> k & 0xffff);
        if (here)
            store_vector(pixels + lane_y(k) * stride, stride, here,
                         pack_pixels(
                             unorm8_vector(clamp_vector(rows[0] + k)), unorm8_vector(clamp_vector(rows[1] + k)),
                             unorm8_vector(clamp_vector(rows[2] + k)), unorm8_vector(clamp_vector(rows[3] + k))));
    }
}

#else

static void store_bytes4(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask)
{
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        alignas(64) uint32_t words[WORDS_CHUNK];
        unsigned here = (unsigned)(mask >> k & 0xffff);
        if (!here)
            continue;
        const float *restrict r = rows[0] + k, *restrict g = rows[1] + k, *restrict b = rows[2] + k,
                              *restrict a = rows[3] + k;
        for (unsigned i = 0; i < WORDS_CHUNK; i++)
            words[i] = unorm8_byte(r[i]) | unorm8_byte(g[i]) << 8 | unorm8_byte(b[i]) << 16 | unorm8_byte(a[i]) << 24;
        store_chunk(pixels + lane_y(k) * stride, stride, here, words);
    }
}

#endif

#if defined(__SSE2__)

/* v with every NaN made canonical. */
static inline __m128 canonical4(__m128 v)
{
    __m128 nan = _mm_cmpunord_ps(v, v);
    return _mm_or_ps(_mm_andnot_ps(nan, v), _mm_and_ps(nan, _mm_castsi128_ps(_mm_set1_epi32(0x7fc00000))));
}

static void store_floats4(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask)
{
    if (mask != ~(lane_mask)0) {
        store_some_floats4(pixels, stride, rows, mask);
        return;
    }
    for (unsigned q = 0; q < BLOCK_LANES / 4; q++) {
        __m128 r = _mm_load_ps(rows[0] + 4 * q), g = _mm_load_ps(rows[1] + 4 * q);
        __m128 b = _mm_load_ps(rows[2] + 4 * q), a = _mm_load_ps(rows[3] + 4 * q);
        __m128 nan = _mm_or_ps(_mm_cmpunord_ps(r, g), _mm_cmpunord_ps(b, a));
        if (__builtin_expect(_mm_movemask_ps(nan), 0)) {
            r = canonical4(r);
            g = canonical4(g);
            b = canonical4(b);
            a = canonical4(a);
        }
        _MM_TRANSPOSE4_PS(r, g, b, a);
        float *low = (float *)(void *)(pixels + lane_y(4 * q) * stride + (size_t)lane_x(4 * q) * 16);
        float *high = (float *)(void *)((uint8_t *)low + stride);
        _mm_storeu_ps(low, r);
        _mm_storeu_ps(low + 4, g);
        _mm_storeu_ps(high, b);
        _mm_storeu_ps(high + 4, a);
    }
}

#else

static void store_floats4(uint8_t *pixels, size_t stride, const float *const rows[4], lane_mask mask)
{
    store_some_floats4(pixels, stride, rows, mask);
}

#endif

const struct device_kernels LEVEL(device_kernels) = {
    .cover = cover,
    .plane = plane,
    .plane_rows = plane_rows,
    .divide_rows = divide_rows,
    .depth_test = depth_test,
    .depth_write = depth_write,
    .store_bytes4 = store_bytes4,
    .store_floats4 = store_floats4,
    .load_bytes4 = LEVEL(load_bytes4),
    .load_floats4 = LEVEL(load_floats4),
    .blend = LEVEL(blend),
    .blend_over = LEVEL(blend_over),
    .sample = LEVEL(sample),
    .load_texels = LEVEL(load_texels),
    .store_texels = LEVEL(store_texels),
};
