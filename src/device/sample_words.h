/* sample_words.h - the bilinear filter of textures of four bytes, where 16 lanes read one level, by AVX-512: a part of
 * sample.c, which alone includes it. The arithmetic is sample.c's, operation by operation.
 *
 * Texels come by rows rather than one by one: the footprints of 16 pixels side by side mostly lie in two rows of the
 * level for each of their two halves, and there within 32 texels. Rows are loaded whole, and lanes pick theirs by a
 * shuffle. Most lie within 16 texels that are inside the level, so that nothing goes round or is limited: words_near
 * finds that out with few operations. Where the footprints lie otherwise they are gathered. */
#ifndef WEFT_DEVICE_SAMPLE_WORDS_H
#define WEFT_DEVICE_SAMPLE_WORDS_H

#include "device/sample_math.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__BMI2__)

#include <immintrin.h>

#define SAMPLE_WORDS

/* The texels along one axis, and the weight of the second. */
struct axis_words {
    __m512i low, high;
    __m512 weight;
};

static inline bool words_wrap(weft_wrap mode, bool power_of_two)
{
    return mode == WEFT_WRAP_CLAMP_TO_EDGE || (mode == WEFT_WRAP_REPEAT && power_of_two);
}

static inline __m512 words_clamp(__m512 x, __m512 low, __m512 high)
{
    return _mm512_min_ps(_mm512_max_ps(x, low), high); /* NaN: low */
}

static inline __m512i words_limit(__m512i x, __m512i last)
{
    return _mm512_min_epi32(_mm512_max_epi32(x, _mm512_setzero_si512()), last);
}

/* Positions in texels; `offset` may be NULL. */
static inline __m512 words_position(const float *coord, const float *offset, int32_t texels)
{
    __m512 u = _mm512_mul_ps(_mm512_load_ps(coord), _mm512_set1_ps((float)texels));
    return offset ? _mm512_add_ps(u, _mm512_load_ps(offset)) : u;
}

/* As texels_linear. */
static inline struct axis_words words_axis(weft_wrap mode, __m512 u, int32_t texels)
{
    u = words_clamp(u, _mm512_set1_ps(-SAMPLE_MAX_POSITION), _mm512_set1_ps(SAMPLE_MAX_POSITION));
    __m512 centre = _mm512_sub_ps(u, _mm512_set1_ps(0.5f)), low = _mm512_floor_ps(centre);
    struct axis_words a = {.low = _mm512_cvttps_epi32(low), .weight = _mm512_sub_ps(centre, low)};
    const __m512i last = _mm512_set1_epi32(texels - 1);
    a.high = _mm512_add_epi32(a.low, _mm512_set1_epi32(1));
    if (mode == WEFT_WRAP_REPEAT) {
        a.low = _mm512_and_si512(a.low, last);
        a.high = _mm512_and_si512(a.high, last);
    } else {
        a.low = words_limit(a.low, last);
        a.high = words_limit(a.high, last);
    }
    return a;
}

/* The two rows that lanes read: of pixels side by side that of the upper ones and that of the lower ones; or else that
 * of lane 0, and that of the first lane which reads another. */
struct row_pair {
    int32_t first, second;
    __mmask16 in_second;
};

static inline bool words_rows(__m512i y, struct row_pair *out)
{
    const __m512i leftmost = _mm512_set4_epi32(2, 2, 0, 0);
    if (_mm512_cmpneq_epi32_mask(y, _mm512_permutexvar_epi32(leftmost, y)) == 0) {
        __m128i quad = _mm512_castsi512_si128(y);
        *out = (struct row_pair){_mm_cvtsi128_si32(quad), _mm_extract_epi32(quad, 2), 0xcccc};
        return true;
    }
    alignas(64) int32_t row[16];
    _mm512_store_si512(row, y);
    __mmask16 other = _mm512_cmpneq_epi32_mask(y, _mm512_set1_epi32(row[0]));
    int32_t second = row[_tzcnt_u32(other | 0x8000u)];
    *out = (struct row_pair){row[0], second, other};
    return _mm512_mask_cmpneq_epi32_mask(other, y, _mm512_set1_epi32(second)) == 0;
}

/* Columns as distances from a common one, where they are near each other. It is the lesser of those of the first and
 * the last of 8 pixels; of a level with few columns, which coordinates often go round, the first there is. */
struct columns {
    int32_t base;
    uint32_t inside; /* bit i: base + i is in the row */
    __m512i low, high;
    bool narrow; /* all distances are below 16, or else below 32 */
};

static inline bool words_columns(const struct axis_words *x, int32_t width, struct columns *out)
{
    enum { NEAR = 16, FAR = 32 };
    int32_t left = _mm_cvtsi128_si32(_mm512_castsi512_si128(x->low));
    int32_t right = _mm_extract_epi32(_mm512_extracti32x4_epi32(x->low, 3), 1);
    out->base = width <= FAR ? 0 : left < right ? left : right;
    const __m512i base = _mm512_set1_epi32(out->base);
    out->low = _mm512_sub_epi32(x->low, base);
    out->high = _mm512_sub_epi32(x->high, base);
    __m512i both = _mm512_or_si512(out->low, out->high);
    out->inside = (uint32_t)_bzhi_u64(UINT32_MAX, (uint32_t)(width - out->base < FAR ? width - out->base : FAR));
    out->narrow = _mm512_cmpge_epu32_mask(both, _mm512_set1_epi32(NEAR)) == 0;
    return out->narrow || _mm512_cmpge_epu32_mask(both, _mm512_set1_epi32(FAR)) == 0;
}

/* The words of a footprint's upper or lower half: the left ones and the right ones. */
static inline void words_pick(const uint32_t *level, int32_t stride, const struct row_pair *rows,
                              const struct columns *x, __m512i *left, __m512i *right)
{
    const uint32_t *a = level + (ptrdiff_t)rows->first * stride + x->base;
    const uint32_t *b = level + (ptrdiff_t)rows->second * stride + x->base;
    __mmask16 inside = (__mmask16)x->inside;
    __m512i a0 = _mm512_maskz_loadu_epi32(inside, a), b0 = _mm512_maskz_loadu_epi32(inside, b);
    if (x->narrow) {
        const __m512i other = _mm512_maskz_set1_epi32(rows->in_second, 16);
        *left = _mm512_permutex2var_epi32(a0, _mm512_or_si512(x->low, other), b0);
        *right = _mm512_permutex2var_epi32(a0, _mm512_or_si512(x->high, other), b0);
        return;
    }
    __mmask16 beyond = (__mmask16)(x->inside >> 16);
    __m512i a1 = _mm512_maskz_loadu_epi32(beyond, a + 16), b1 = _mm512_maskz_loadu_epi32(beyond, b + 16);
    *left = _mm512_mask_blend_epi32(rows->in_second, _mm512_permutex2var_epi32(a0, x->low, a1),
                                    _mm512_permutex2var_epi32(b0, x->low, b1));
    *right = _mm512_mask_blend_epi32(rows->in_second, _mm512_permutex2var_epi32(a0, x->high, a1),
                                     _mm512_permutex2var_epi32(b0, x->high, b1));
}

static inline __m512i words_gather(const uint32_t *level, int32_t stride, __m512i x, __m512i y)
{
    __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(y, _mm512_set1_epi32(stride)), x);
    return _mm512_i32gather_epi32(at, (const void *)level, 4);
}

/* The texels of 16 footprints: upper left, upper right, lower left, lower right. */
static inline void words_fetch(const struct weft_texture *t, const struct texture_level *l, const struct axis_words *x,
                               const struct axis_words *y, __m512i w[4])
{
    const uint32_t *level = (const uint32_t *)(const void *)t->data + l->first;
    struct row_pair upper, lower;
    struct columns c;
    if (words_columns(x, l->width, &c) && words_rows(y->low, &upper) && words_rows(y->high, &lower)) {
        words_pick(level, l->stride, &upper, &c, &w[0], &w[1]);
        words_pick(level, l->stride, &lower, &c, &w[2], &w[3]);
        return;
    }
    w[0] = words_gather(level, l->stride, x->low, y->low);
    w[1] = words_gather(level, l->stride, x->high, y->low);
    w[2] = words_gather(level, l->stride, x->low, y->high);
    w[3] = words_gather(level, l->stride, x->high, y->high);
}

/* ---- footprints near each other ---- */

/* The first texels along one axis, where the lanes' positions are within SAMPLE_MAX_POSITION, and the weights of those
 * after them. */
struct near_axis {
    __m512i low;
    __m512 weight;
};

static inline struct near_axis near_axis(__m512 u)
{
    __m512 centre = _mm512_sub_ps(u, _mm512_set1_ps(0.5f));
    __m512i low = _mm512_cvt_roundps_epi32(centre, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return (struct near_axis){low, _mm512_sub_ps(centre, _mm512_cvtepi32_ps(low))};
}

/* Texel `at` of an axis in the level. */
static inline int32_t near_texel(weft_wrap mode, int32_t at, int32_t texels)
{
    if (mode == WEFT_WRAP_REPEAT)
        return at & (texels - 1);
    return at < 0 ? 0 : at < texels ? at : texels - 1;
}

/* What of footprints 0 to 15 in `x` and `y` is in one stretch of 16 texels of at most four rows, if it is: the words as
 * words_fetch has them. Lanes are four quads side by side. */
static inline bool words_near(const uint32_t *level, const struct texture_level *l, const weft_sampler *s,
                              const struct near_axis *x, const struct near_axis *y, __m512i w[4])
{
    enum { NEAR = 16, LAST = 13 };
    const int32_t limit = (int32_t)SAMPLE_MAX_POSITION - NEAR;
    alignas(64) int32_t columns[16], rows[16];
    _mm512_store_si512(columns, x->low);
    _mm512_store_si512(rows, y->low);
    int32_t base = columns[0] < columns[LAST] ? columns[0] : columns[LAST];
    int32_t first = near_texel(s->wrap_s, base, l->width);
    __m512i from = _mm512_sub_epi32(x->low, _mm512_set1_epi32(base));
    __m512i row = _mm512_permutexvar_epi32(_mm512_set4_epi32(2, 2, 0, 0), y->low);
    bool near = _mm512_cmplt_epu32_mask(from, _mm512_set1_epi32(NEAR - 1)) == 0xffff &&
                _mm512_cmpneq_epi32_mask(y->low, row) == 0 && first + NEAR <= l->width &&
                (s->wrap_s == WEFT_WRAP_REPEAT || first == base);
    if (!near || base < -limit || base > limit || rows[0] < -limit || rows[0] > limit || rows[2] < -limit ||
        rows[2] > limit)
        return false;
    from = _mm512_or_si512(from, _mm512_set4_epi32(NEAR, NEAR, 0, 0));
    __m512i after = _mm512_add_epi32(from, _mm512_set1_epi32(1));
    for (int32_t half = 0; half < 2; half++) {
        int32_t a = near_texel(s->wrap_t, rows[0] + half, l->height);
        int32_t b = near_texel(s->wrap_t, rows[2] + half, l->height);
        __m512i upper = _mm512_loadu_si512(level + (ptrdiff_t)a * l->stride + first);
        __m512i lower = _mm512_loadu_si512(level + (ptrdiff_t)b * l->stride + first);
        w[2 * half] = _mm512_permutex2var_epi32(upper, from, lower);
        w[2 * half + 1] = _mm512_permutex2var_epi32(upper, after, lower);
    }
    return true;
}

/* ---- filters ---- */

/* Byte `c` of each word as a number 2^23 too large: the byte is put into a float's low bits. */
static inline __m512 words_byte(__m512i w, unsigned c)
{
    const __m512i large = _mm512_set1_epi32(0x4b000000);
    const __m512i from = _mm512_add_epi32(_mm512_set4_epi32(12, 8, 4, 0), _mm512_set1_epi32((int32_t)c));
    return _mm512_castsi512_ps(_mm512_mask_shuffle_epi8(large, 0x1111111111111111u, w, from));
}

/* A byte, and the difference to another, are exact. */
static inline __m512 words_lerp(__m512 a, __m512 difference, __m512 weight)
{
    return _mm512_add_ps(a, _mm512_mul_ps(weight, difference));
}

static inline __m512 words_across(__m512i left, __m512i right, unsigned c, __m512 weight)
{
    __m512 a = words_byte(left, c), b = words_byte(right, c);
    return words_lerp(_mm512_sub_ps(a, _mm512_set1_ps(8388608.0f)), _mm512_sub_ps(b, a), weight);
}

static inline __m512 words_mix(const __m512i w[4], unsigned c, __m512 wx, __m512 wy)
{
    __m512 upper = words_across(w[0], w[1], c, wx), lower = words_across(w[2], w[3], c, wx);
    return words_lerp(upper, _mm512_sub_ps(lower, upper), wy);
}

/* Whether all texels' last byte is 255, and so what is between them, whatever the weights. */
static inline bool words_opaque(const __m512i w[4])
{
    enum { ALL = 0x80 };
    __m512i all = _mm512_and_si512(_mm512_ternarylogic_epi32(w[0], w[1], w[2], ALL), w[3]);
    return _mm512_cmplt_epu32_mask(all, _mm512_set1_epi32((int32_t)0xff000000u)) == 0;
}

/* Whether it is one that is done here. */
static inline bool words_fit(const struct weft_texture *t, const weft_sampler *s)
{
    const struct texture_level *l = &t->level[0];
    return t->format->layout == FORMAT_BYTES4 && words_wrap(s->wrap_s, is_power_of_two(l->width)) &&
           words_wrap(s->wrap_t, is_power_of_two(l->height));
}

/* Filter level `l` at these coordinates; channel c is in sum[c], as the bytes' numbers. Offsets may be NULL. */
static inline __attribute__((always_inline)) void words_linear(const struct weft_texture *t, const weft_sampler *s,
                                                               const struct texture_level *l,
                                                               const float *const coord[2],
                                                               const float *const offset[2], __m512 sum[4])
{
    __m512i w[4];
    __m512 u = words_position(coord[0], offset[0], l->width), v = words_position(coord[1], offset[1], l->height);
    struct near_axis near_x = near_axis(u), near_y = near_axis(v);
    __m512 weight_x = near_x.weight, weight_y = near_y.weight;
    if (!words_near((const uint32_t *)(const void *)t->data + l->first, l, s, &near_x, &near_y, w)) {
        struct axis_words x = words_axis(s->wrap_s, u, l->width), y = words_axis(s->wrap_t, v, l->height);
        words_fetch(t, l, &x, &y, w);
        weight_x = x.weight;
        weight_y = y.weight;
    }
    sum[0] = words_mix(w, 0, weight_x, weight_y);
    sum[1] = words_mix(w, 1, weight_x, weight_y);
    sum[2] = words_mix(w, 2, weight_x, weight_y);
    sum[3] = words_opaque(w) ? _mm512_set1_ps(255.0f) : words_mix(w, 3, weight_x, weight_y);
}

/* As divided_by_255. */
static inline __m512 words_scaled(__m512 x)
{
    __m512 rest = _mm512_mul_ps(x, _mm512_set1_ps(SAMPLE_255TH_REST));
    return _mm512_fmadd_ps(x, _mm512_set1_ps(SAMPLE_255TH), rest);
}

/* Whether words_mips may do it: both filters are linear, and so is what is between levels. */
static inline bool words_mips_fit(const struct weft_texture *t, const weft_sampler *s)
{
    return s->mip_filter == WEFT_MIP_LINEAR && s->mag_filter == WEFT_LINEAR && s->min_filter == WEFT_LINEAR &&
           words_fit(t, s);
}

/* filter_mips without offsets, where lanes agree about the level. */
static inline bool words_mips(const struct weft_texture *t, const weft_sampler *s, const float *const coord[2],
                              const float *lod, __m512 sum[4])
{
    const float *const none[2] = {NULL, NULL};
    __m512 l = words_clamp(_mm512_load_ps(lod), _mm512_setzero_ps(), _mm512_set1_ps((float)(t->levels - 1)));
    __m512i level = _mm512_cvttps_epi32(l);
    int32_t first = _mm_cvtsi128_si32(_mm512_castsi512_si128(level));
    __m512 weight = _mm512_sub_ps(l, _mm512_cvtepi32_ps(level)), next[4];
    if (_mm512_cmpneq_epi32_mask(level, _mm512_set1_epi32(first)))
        return false;
    words_linear(t, s, &t->level[first], coord, none, sum);
    __mmask16 between = _mm512_cmp_ps_mask(weight, _mm512_set1_ps(SAMPLE_LEAST_MIP_WEIGHT), _CMP_GE_OQ);
    if (!between)
        return true;
    weight = _mm512_maskz_mov_ps(between, weight); /* as mip_weight */
    words_linear(t, s, &t->level[first + 1], coord, none, next);
    for (unsigned c = 0; c < 4; c++)
        sum[c] = words_lerp(sum[c], _mm512_sub_ps(next[c], sum[c]), weight);
    return true;
}

/* Of 16 lanes, in each lane of a quad: the larger difference of coordinates along the edges that meet in its lane 2. */
static inline __m512 words_edges(const float *coord)
{
    const __m512 zero = _mm512_setzero_ps();
    __m512 x = _mm512_load_ps(coord), d = _mm512_sub_ps(x, _mm512_permute_ps(x, 0xaa));
    d = _mm512_mask_sub_ps(d, _mm512_cmp_ps_mask(d, zero, _CMP_LT_OQ), zero, d); /* a NaN keeps its sign */
    return _mm512_max_ps(_mm512_permute_ps(d, 0xff), _mm512_permute_ps(d, 0x00));
}

/* How many texels apart a quad's lanes are at most, by its number: of quads of whole groups of 16 lanes. */
static inline void words_quad_sizes(const float *const coord[2], float width, float height, unsigned lanes,
                                    float sizes[16])
{
    for (unsigned base = 0; base < lanes; base += 16) {
        __m512 ds = _mm512_mul_ps(words_edges(coord[0] + base), _mm512_set1_ps(width));
        __m512 dt = _mm512_mul_ps(words_edges(coord[1] + base), _mm512_set1_ps(height));
        __m512 first = _mm512_maskz_compress_ps(0x1111, _mm512_max_ps(ds, dt));
        _mm_store_ps(sizes + base / 4, _mm512_castps512_ps128(first));
    }
}

/* The results of 16 lanes of a call. */
static inline void words_store(const struct exec_texture_call *call, unsigned base, const __m512 sum[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (call->results[c])
            _mm512_store_ps((float *)call->results[c] + base, words_scaled(sum[c]));
}

/* A call that reads level 0 whatever the level of detail, without offsets. */
static void words_call(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call)
{
    const float *const none[2] = {NULL, NULL}, *const rows[2] = {call->args[0], call->args[1]};
    for (unsigned base = 0; base < call->lanes; base += 16) {
        const float *const coord[2] = {rows[0] + base, rows[1] + base};
        __m512 sum[4];
        if (!(call->active >> base & 0xffff))
            continue;
        words_linear(t, s, &t->level[0], coord, none, sum);
        words_store(call, base, sum);
    }
}

#endif
#endif
