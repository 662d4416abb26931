/* blend.c - blending of 8x8 blocks, and loading what is to be blended with. Compiled once per CPU level (kernels.h).
 *
 * The equations are those of "Blending" in Vulkan's chapter "The Framebuffer". A term whose factor is ZERO is 0
 * whatever the value, NaN and infinity included. */
#include "device/blend.h"

#include "device/block_words.h"

#include <stdalign.h>
#include <string.h>

typedef float block_row[BLOCK_LANES];

/* The first of x, low that is larger, then of that and high the smaller; NaN gives low. */
static void clamp_row(const float *x, float low, float high, float *out)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        float v = x[i] > low ? x[i] : low;
        out[i] = v < high ? v : high;
    }
}

static void fill(float *out, float v)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        out[i] = v;
}

static void complement(const float *x, float *out)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        out[i] = 1.0f - x[i];
}

struct inputs {
    const float *src[4], *src1[4], *dst[4];
    float constant[4];
};

/* The row of a factor for component c: one that is there, or made in `own`. */
static const float *factor_row(enum blend_factor factor, unsigned c, const struct inputs *in, float *own)
{
    switch (factor) {
    case BLEND_ZERO:
        fill(own, 0.0f);
        return own;
    case BLEND_ONE:
        fill(own, 1.0f);
        return own;
    case BLEND_SRC_COLOR:
        return in->src[c];
    case BLEND_ONE_MINUS_SRC_COLOR:
        complement(in->src[c], own);
        return own;
    case BLEND_DST_COLOR:
        return in->dst[c];
    case BLEND_ONE_MINUS_DST_COLOR:
        complement(in->dst[c], own);
        return own;
    case BLEND_SRC_ALPHA:
        return in->src[3];
    case BLEND_ONE_MINUS_SRC_ALPHA:
        complement(in->src[3], own);
        return own;
    case BLEND_DST_ALPHA:
        return in->dst[3];
    case BLEND_ONE_MINUS_DST_ALPHA:
        complement(in->dst[3], own);
        return own;
    case BLEND_CONSTANT_COLOR:
    case BLEND_CONSTANT_ALPHA:
        fill(own, in->constant[factor == BLEND_CONSTANT_ALPHA ? 3 : c]);
        return own;
    case BLEND_ONE_MINUS_CONSTANT_COLOR:
    case BLEND_ONE_MINUS_CONSTANT_ALPHA:
        fill(own, 1.0f - in->constant[factor == BLEND_ONE_MINUS_CONSTANT_ALPHA ? 3 : c]);
        return own;
    case BLEND_SRC_ALPHA_SATURATE:
        if (c == 3) {
            fill(own, 1.0f);
            return own;
        }
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            float room = 1.0f - in->dst[3][i];
            own[i] = in->src[3][i] < room ? in->src[3][i] : room;
        }
        return own;
    case BLEND_SRC1_COLOR:
        return in->src1[c];
    case BLEND_ONE_MINUS_SRC1_COLOR:
        complement(in->src1[c], own);
        return own;
    case BLEND_SRC1_ALPHA:
        return in->src1[3];
    case BLEND_ONE_MINUS_SRC1_ALPHA:
        complement(in->src1[3], own);
        return own;
    }
    return own;
}

static bool differs_by_component(enum blend_factor factor)
{
    switch (factor) {
    case BLEND_SRC_COLOR:
    case BLEND_ONE_MINUS_SRC_COLOR:
    case BLEND_DST_COLOR:
    case BLEND_ONE_MINUS_DST_COLOR:
    case BLEND_CONSTANT_COLOR:
    case BLEND_ONE_MINUS_CONSTANT_COLOR:
    case BLEND_SRC_ALPHA_SATURATE:
    case BLEND_SRC1_COLOR:
    case BLEND_ONE_MINUS_SRC1_COLOR:
        return true;
    default:
        return false;
    }
}

/* A factor's row for the component at work, kept where the next one has the same. */
struct factor {
    enum blend_factor what;
    const float *row; /* NULL: none yet */
    alignas(64) block_row own, limited;
};

static void find_factor(struct factor *f, enum blend_factor what, unsigned c, const struct inputs *in, float low,
                        float high)
{
    if (f->row && f->what == what && !differs_by_component(what))
        return;
    f->what = what;
    f->row = factor_row(what, c, in, f->own);
    if (low < high) {
        clamp_row(f->row, low, high, f->limited);
        f->row = f->limited;
    }
}

/* value * factor */
static void term(const struct factor *f, const float *value, float *out)
{
    if (f->what == BLEND_ZERO) {
        fill(out, 0.0f);
        return;
    }
    if (f->what == BLEND_ONE) {
        memcpy(out, value, sizeof(block_row));
        return;
    }
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        out[i] = value[i] * f->row[i];
}

static bool is_constant(const struct factor *f)
{
    return f->what == BLEND_ZERO || f->what == BLEND_ONE;
}

/* The sum of two products, without rows in between. */
static void add_products(const float *s, const float *s_factor, const float *d, const float *d_factor,
                         float *restrict out)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        out[i] = s[i] * s_factor[i] + d[i] * d_factor[i];
}

static void combine(enum blend_op op, const float *s, const float *d, float *out)
{
    switch (op) {
    case BLEND_ADD:
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            out[i] = s[i] + d[i];
        break;
    case BLEND_SUBTRACT:
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            out[i] = s[i] - d[i];
        break;
    case BLEND_REVERSE_SUBTRACT:
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            out[i] = d[i] - s[i];
        break;
    case BLEND_MIN:
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            out[i] = s[i] < d[i] ? s[i] : d[i];
        break;
    case BLEND_MAX:
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            out[i] = s[i] > d[i] ? s[i] : d[i];
        break;
    }
}

void LEVEL(blend)(const struct blend_call *call)
{
    alignas(64) block_row src[4], src1[4], s, d;
    struct factor src_factor, dst_factor;
    struct inputs in;
    src_factor.row = dst_factor.row = NULL;
    bool clamped = call->low < call->high;
    for (unsigned c = 0; c < 4; c++) {
        in.src[c] = call->src[c];
        in.src1[c] = call->src1[c];
        in.dst[c] = call->dst[c];
        in.constant[c] = call->constant[c];
        if (!clamped)
            continue;
        clamp_row(call->src[c], call->low, call->high, src[c]);
        in.src[c] = src[c];
        float k = in.constant[c] > call->low ? in.constant[c] : call->low;
        in.constant[c] = k < call->high ? k : call->high;
        if (call->dual) {
            clamp_row(call->src1[c], call->low, call->high, src1[c]);
            in.src1[c] = src1[c];
        }
    }
    const struct blend_target *t = call->target;
    for (unsigned c = 0; c < 4; c++) {
        enum blend_op op = (enum blend_op)(c == 3 ? t->alpha_op : t->color_op);
        if (op == BLEND_MIN || op == BLEND_MAX) { /* without factors */
            combine(op, in.src[c], in.dst[c], call->out[c]);
            continue;
        }
        /* On 0..1 every factor is in range by itself. */
        bool wide = clamped && call->low < 0.0f;
        float low = wide ? call->low : 0, high = wide ? call->high : 0;
        find_factor(&src_factor, (enum blend_factor)(c == 3 ? t->alpha_src : t->color_src), c, &in, low, high);
        find_factor(&dst_factor, (enum blend_factor)(c == 3 ? t->alpha_dst : t->color_dst), c, &in, low, high);
        if (op == BLEND_ADD && !is_constant(&src_factor) && !is_constant(&dst_factor)) {
            add_products(in.src[c], src_factor.row, in.dst[c], dst_factor.row, call->out[c]);
            continue;
        }
        term(&src_factor, in.src[c], s);
        term(&dst_factor, in.dst[c], d);
        combine(op, s, d, call->out[c]);
    }
}

/* ---- the usual equation, without rows in between ---- */

#if defined(__AVX512VL__) && defined(__BMI2__)

/* Values of byte c: with `one` the source is taken as it is. */
static inline __m512i over_vector(const float *row, __m512i words, unsigned c, __m512 alpha, __m512 rest, bool one)
{
    __m512 s = clamp_vector(row);
    __m512 d = _mm512_mul_ps(unorm8_values(words, c), rest);
    if (one) /* may be more than 1 */
        return unorm8_vector(_mm512_min_ps(_mm512_add_ps(s, d), _mm512_set1_ps(1.0f)));
    return unorm8_vector(_mm512_add_ps(_mm512_mul_ps(s, alpha), d));
}

static inline void over_chunk(uint8_t *at, size_t stride, const float *const rows[4], unsigned k, const float *alpha,
                              unsigned ones, unsigned mask)
{
    __m512 a = clamp_vector(alpha + k), rest = _mm512_sub_ps(_mm512_set1_ps(1.0f), a);
    __m512i words = load_vector(at, stride, mask);
    __m512i byte[4];
    for (unsigned c = 0; c < 4; c++)
        byte[c] = over_vector(rows[c] + k, words, c, a, rest, ones >> c & 1);
    store_vector(at, stride, mask, pack_pixels(byte[0], byte[1], byte[2], byte[3]));
}

void LEVEL(blend_over)(uint8_t *pixels, size_t stride, const float *const rows[4], const float *alpha, unsigned ones,
                       lane_mask mask)
{
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        unsigned here = (unsigned)(mask >> k & 0xffff);
        if (here)
            over_chunk(pixels + lane_y(k) * stride, stride, rows, k, alpha, ones, here);
    }
}

#else

/* unorm8_byte of a sum of numbers in 0..1, without comparisons of floats: with these the loop becomes branches. */
static inline uint32_t sum_byte(float v)
{
    const int32_t most = 0x4b0000ff; /* 2^23 + 255 */
    int32_t bits;
    v = v * 255.0f + 8388608.0f;
    memcpy(&bits, &v, 4);
    return (uint32_t)(bits < most ? bits : most) & 255;
}

/* Byte c of the words of 16 pixels. */
static inline void over_byte(const float *restrict source, const float *restrict rest, unsigned c,
                             const uint32_t *restrict words, uint32_t *restrict out)
{
    for (unsigned i = 0; i < WORDS_CHUNK; i++)
        out[i] |= sum_byte(source[i] + unorm8_value(words[i] >> (8 * c) & 255) * rest[i]) << (8 * c);
}

void LEVEL(blend_over)(uint8_t *pixels, size_t stride, const float *const rows[4], const float *alpha, unsigned ones,
                       lane_mask mask)
{
    alignas(64) block_row source[4], a, rest;
    clamp_row(alpha, 0.0f, 1.0f, a);
    complement(a, rest);
    for (unsigned c = 0; c < 4; c++) {
        clamp_row(rows[c], 0.0f, 1.0f, source[c]);
        for (unsigned i = 0; !(ones >> c & 1) && i < BLOCK_LANES; i++)
            source[c][i] *= a[i];
    }
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        alignas(64) uint32_t words[WORDS_CHUNK], out[WORDS_CHUNK] = {0};
        unsigned here = (unsigned)(mask >> k & 0xffff);
        uint8_t *at = pixels + lane_y(k) * stride;
        if (!here)
            continue;
        load_chunk(at, stride, here, words);
        for (unsigned c = 0; c < 4; c++)
            over_byte(source[c] + k, rest + k, c, words, out);
        store_chunk(at, stride, here, out);
    }
}

#endif

/* ---- loading ---- */

void LEVEL(load_bytes4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4])
{
    for (unsigned k = 0; k < BLOCK_LANES; k += WORDS_CHUNK) {
        alignas(64) uint32_t words[WORDS_CHUNK];
        load_chunk(pixels + lane_y(k) * stride, stride, (unsigned)(mask >> k & 0xffff), words);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < WORDS_CHUNK; i++)
                rows[c][k + i] = unorm8_value(words[i] >> (8 * c) & 255);
    }
}

void LEVEL(load_floats4)(const uint8_t *pixels, size_t stride, lane_mask mask, float *const rows[4])
{
    for (unsigned c = 0; mask != ~(lane_mask)0 && c < 4; c++)
        fill(rows[c], 0.0f);
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        float v[4];
        memcpy(v, pixels + lane_y(i) * stride + (size_t)lane_x(i) * 16, 16);
        for (unsigned c = 0; c < 4; c++)
            rows[c][i] = v[c];
    }
}
