/* sample.c - TEXTURE ops over rows of lanes, 16 lanes at a time. Compiled once per CPU level (kernels.h).
 *
 * Arithmetic is f32 in the order written here, so every level computes the same bits:
 *   position   u = s * size (+ texel offset), limited to +-2^22; NaN is the lower limit
 *   nearest    texel floor(u)
 *   linear     texels floor(u - 0.5) and the next, weight u - 0.5 - floor(u - 0.5)
 *   lerp       a + weight * (b - a): along s, then t, then between mip levels
 * Texels of unorm formats are filtered as their integers and divided by 2^bits - 1 at the end.
 *
 * The level of detail is one number per quad, as in Mesa's softpipe: log2 of the larger of
 * max(|ds/dx|, |ds/dy|) * width and max(|dt/dx|, |dt/dy|) * height, with differences along the quad's edges that meet
 * in lane 2. */
#include "device/kernels.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

enum { N = EXEC_CHUNK };
#define EACH for (int i = 0; i < N; i++)

struct f16 {
    alignas(64) float v[N];
};
struct i16 {
    alignas(64) int32_t v[N];
};
struct rgba16 {
    alignas(64) float c[4][N];
};

/* Sizes and places of the mip level that each lane reads. */
struct lane_levels {
    struct f16 size[2];
    struct i16 first, stride;
};

/* What one sampling of 16 lanes works on. */
struct sampling {
    const struct weft_texture *t;
    const weft_sampler *s;
    struct f16 coord[2];
    struct f16 offset[2]; /* texels */
    bool has_offset;
};

/* floor for |x| < 2^31: SSE2 has no rounding instruction, and this is the same everywhere. */
static inline float floor_small(float x)
{
    float t = (float)(int32_t)x;
    return t - (t > x ? 1.0f : 0.0f);
}

static inline float clampf(float x, float low, float high)
{
    x = x > low ? x : low; /* NaN: low */
    return x < high ? x : high;
}

/* ---- wrap modes ---- */

static bool wrap_sees_border(weft_wrap mode)
{
    return mode == WEFT_WRAP_CLAMP || mode == WEFT_WRAP_CLAMP_TO_BORDER || mode == WEFT_WRAP_MIRROR_CLAMP ||
           mode == WEFT_WRAP_MIRROR_CLAMP_TO_BORDER;
}

/* f modulo size for integers |f| <= 2^23: off by at most one period before the corrections. */
static inline float modulo(float f, float size)
{
    float r = f - floor_small(f / size) * size;
    r = r < 0.0f ? r + size : r;
    return r >= size ? r - size : r;
}

/* A texel's number as the wrap mode leaves it: 0 to size - 1, or -1 and size for the border. */
static inline void wrap_index(weft_wrap mode, const struct f16 *restrict f, const struct f16 *restrict size,
                              bool power_of_two, struct i16 *restrict out)
{
    switch (mode) {
    case WEFT_WRAP_REPEAT:
        if (power_of_two) {
            EACH out->v[i] = (int32_t)f->v[i] & ((int32_t)size->v[i] - 1);
        } else {
            EACH out->v[i] = (int32_t)modulo(f->v[i], size->v[i]);
        }
        break;
    case WEFT_WRAP_MIRROR_REPEAT:
        EACH
        {
            float m = modulo(f->v[i], 2.0f * size->v[i]);
            out->v[i] = (int32_t)(m < size->v[i] ? m : 2.0f * size->v[i] - 1.0f - m);
        }
        break;
    case WEFT_WRAP_CLAMP_TO_EDGE:
    case WEFT_WRAP_MIRROR_CLAMP_TO_EDGE:
        EACH out->v[i] = (int32_t)clampf(f->v[i], 0.0f, size->v[i] - 1.0f);
        break;
    case WEFT_WRAP_MIRROR_CLAMP:
    case WEFT_WRAP_MIRROR_CLAMP_TO_BORDER: /* texel -1 mirrors texel 0: there is no border there */
        EACH out->v[i] = (int32_t)clampf(f->v[i], 0.0f, size->v[i]);
        break;
    default:
        EACH out->v[i] = (int32_t)clampf(f->v[i], -1.0f, size->v[i]);
        break;
    }
}

/* The position in texels, with what the mode does to it before texels are chosen. */
static inline void wrap_position(weft_wrap mode, const struct sampling *restrict p, unsigned axis,
                                 const struct f16 *restrict size, struct f16 *restrict u)
{
    const float limit = 4194304.0f;
    if (p->has_offset) {
        EACH u->v[i] = clampf(p->coord[axis].v[i] * size->v[i] + p->offset[axis].v[i], -limit, limit);
    } else {
        EACH u->v[i] = clampf(p->coord[axis].v[i] * size->v[i], -limit, limit);
    }
    if (mode == WEFT_WRAP_MIRROR_CLAMP || mode == WEFT_WRAP_MIRROR_CLAMP_TO_EDGE ||
        mode == WEFT_WRAP_MIRROR_CLAMP_TO_BORDER) {
        EACH u->v[i] = u->v[i] < 0.0f ? -u->v[i] : u->v[i];
    }
    if (mode == WEFT_WRAP_CLAMP || mode == WEFT_WRAP_MIRROR_CLAMP) {
        EACH u->v[i] = clampf(u->v[i], 0.0f, size->v[i]);
    }
}

static inline bool is_power_of_two(int32_t n)
{
    return (n & (n - 1)) == 0;
}

static inline weft_wrap wrap_of(const struct sampling *p, unsigned axis)
{
    return axis ? p->s->wrap_t : p->s->wrap_s;
}

static inline bool axis_power_of_two(const struct sampling *p, unsigned axis)
{
    return is_power_of_two(axis ? p->t->level[0].height : p->t->level[0].width);
}

static inline void texel_nearest(const struct sampling *restrict p, unsigned axis, const struct f16 *restrict size,
                                 struct i16 *restrict out)
{
    weft_wrap mode = wrap_of(p, axis);
    struct f16 u;
    wrap_position(mode, p, axis, size, &u);
    EACH u.v[i] = floor_small(u.v[i]);
    if (mode == WEFT_WRAP_CLAMP ||
        mode == WEFT_WRAP_MIRROR_CLAMP) /* never reaches the border: position 1.0 is the last texel */
        mode = WEFT_WRAP_CLAMP_TO_EDGE;
    wrap_index(mode, &u, size, axis_power_of_two(p, axis), out);
}

static inline void texels_linear(const struct sampling *restrict p, unsigned axis, const struct f16 *restrict size,
                                 struct i16 *restrict low, struct i16 *restrict high, struct f16 *restrict weight)
{
    weft_wrap mode = wrap_of(p, axis);
    struct f16 u, next;
    wrap_position(mode, p, axis, size, &u);
    EACH
    {
        float centre = u.v[i] - 0.5f, f = floor_small(centre);
        weight->v[i] = centre - f;
        u.v[i] = f;
        next.v[i] = f + 1.0f;
    }
    wrap_index(mode, &u, size, axis_power_of_two(p, axis), low);
    wrap_index(mode, &next, size, axis_power_of_two(p, axis), high);
}

/* ---- texels ---- */

static inline void positions(const struct lane_levels *restrict l, const struct i16 *restrict x,
                             const struct i16 *restrict y, struct i16 *restrict out)
{
    EACH out->v[i] = l->first.v[i] + y->v[i] * l->stride.v[i] + x->v[i];
}

static inline void gather_words(const uint32_t *restrict data, const struct i16 *restrict at, uint32_t out[restrict N])
{
#if defined(__AVX512F__)
    _mm512_store_si512(out, _mm512_i32gather_epi32(_mm512_load_si512(at->v), (const void *)data, 4));
#else
    EACH out[i] = data[at->v[i]];
#endif
}

/* Texels at positions, unorm ones as integers. */
static void fetch(const struct weft_texture *t, const struct i16 *restrict at, struct rgba16 *restrict out)
{
    if (t->format->layout == FORMAT_BYTES4) {
        alignas(64) uint32_t w[N];
        gather_words((const uint32_t *)(const void *)t->data, at, w);
        for (unsigned c = 0; c < 4; c++)
            EACH out->c[c][i] = (float)(int32_t)((w[i] >> (8 * c)) & 255);
    } else if (t->format->layout == FORMAT_FLOATS4) {
        const float *data = (const float *)(const void *)t->data;
        for (unsigned c = 0; c < 4; c++)
            EACH out->c[c][i] = data[4 * at->v[i] + (int32_t)c];
    } else {
        EACH
        {
            float rgba[4];
            format_decode(t->format, t->data + (size_t)at->v[i] * t->format->bytes, rgba);
            for (unsigned c = 0; c < 4; c++)
                out->c[c][i] = rgba[c];
        }
    }
}

/* What fetch's numbers are to be divided by. */
static inline float texel_scale(const struct weft_texture *t)
{
    return t->format->layout == FORMAT_BYTES4 ? 255.0f : 1.0f;
}

/* fetch for positions that may be on the border. */
static void fetch_bordered(const struct sampling *p, const struct lane_levels *restrict l, const struct i16 *restrict x,
                           const struct i16 *restrict y, struct rgba16 *restrict out)
{
    struct i16 at, cx, cy, outside;
    EACH
    {
        int32_t w = (int32_t)l->size[0].v[i], h = (int32_t)l->size[1].v[i];
        outside.v[i] = x->v[i] < 0 || x->v[i] >= w || y->v[i] < 0 || y->v[i] >= h;
        cx.v[i] = outside.v[i] ? 0 : x->v[i];
        cy.v[i] = outside.v[i] ? 0 : y->v[i];
    }
    positions(l, &cx, &cy, &at);
    fetch(p->t, &at, out);
    float scale = texel_scale(p->t);
    for (unsigned c = 0; c < 4; c++) {
        float border = p->s->border[c] * scale;
        EACH out->c[c][i] = outside.v[i] ? border : out->c[c][i];
    }
}

/* ---- filters ---- */

static inline float lerp(float a, float b, float weight)
{
    return a + weight * (b - a);
}

static void filter_nearest(const struct sampling *p, const struct lane_levels *l, struct rgba16 *out)
{
    struct i16 x, y;
    texel_nearest(p, 0, &l->size[0], &x);
    texel_nearest(p, 1, &l->size[1], &y);
    if (wrap_sees_border(p->s->wrap_s) || wrap_sees_border(p->s->wrap_t)) {
        fetch_bordered(p, l, &x, &y, out);
        return;
    }
    struct i16 at;
    positions(l, &x, &y, &at);
    fetch(p->t, &at, out);
}

static void filter_linear(const struct sampling *p, const struct lane_levels *l, struct rgba16 *restrict out)
{
    struct i16 x[2], y[2];
    struct f16 wx, wy;
    texels_linear(p, 0, &l->size[0], &x[0], &x[1], &wx);
    texels_linear(p, 1, &l->size[1], &y[0], &y[1], &wy);
    bool border = wrap_sees_border(p->s->wrap_s) || wrap_sees_border(p->s->wrap_t);
    if (p->t->format->layout == FORMAT_BYTES4 && !border) {
        alignas(64) uint32_t w[4][N];
        for (unsigned k = 0; k < 4; k++) {
            struct i16 at;
            positions(l, &x[k & 1], &y[k >> 1], &at);
            gather_words((const uint32_t *)(const void *)p->t->data, &at, w[k]);
        }
        for (unsigned c = 0; c < 4; c++) {
            unsigned shift = 8 * c;
            EACH
            {
                float v0 = (float)(int32_t)((w[0][i] >> shift) & 255), v1 = (float)(int32_t)((w[1][i] >> shift) & 255);
                float v2 = (float)(int32_t)((w[2][i] >> shift) & 255), v3 = (float)(int32_t)((w[3][i] >> shift) & 255);
                out->c[c][i] = lerp(lerp(v0, v1, wx.v[i]), lerp(v2, v3, wx.v[i]), wy.v[i]);
            }
        }
        return;
    }
    struct rgba16 v[4];
    for (unsigned k = 0; k < 4; k++) {
        if (border) {
            fetch_bordered(p, l, &x[k & 1], &y[k >> 1], &v[k]);
        } else {
            struct i16 at;
            positions(l, &x[k & 1], &y[k >> 1], &at);
            fetch(p->t, &at, &v[k]);
        }
    }
    for (unsigned c = 0; c < 4; c++)
        EACH out->c[c][i] =
            lerp(lerp(v[0].c[c][i], v[1].c[c][i], wx.v[i]), lerp(v[2].c[c][i], v[3].c[c][i], wx.v[i]), wy.v[i]);
}

/* Sizes of each lane's level; lanes mostly agree. */
static void set_levels(const struct weft_texture *t, const struct i16 *level, struct lane_levels *l)
{
    int32_t differ = 0;
    EACH differ |= level->v[i] ^ level->v[0];
    if (!differ) {
        const struct texture_level *m = &t->level[level->v[0]];
        EACH
        {
            l->size[0].v[i] = (float)m->width;
            l->size[1].v[i] = (float)m->height;
            l->first.v[i] = m->first;
            l->stride.v[i] = m->stride;
        }
        return;
    }
    EACH
    {
        const struct texture_level *m = &t->level[level->v[i]];
        l->size[0].v[i] = (float)m->width;
        l->size[1].v[i] = (float)m->height;
        l->first.v[i] = m->first;
        l->stride.v[i] = m->stride;
    }
}

static void filter_level(const struct sampling *p, weft_filter filter, const struct i16 *level, struct rgba16 *out)
{
    struct lane_levels l;
    set_levels(p->t, level, &l);
    if (filter == WEFT_LINEAR)
        filter_linear(p, &l, out);
    else
        filter_nearest(p, &l, out);
}

/* ---- level of detail ---- */

/* log2 of x >= 0, within 2^-20; exact for powers of two; 0 and denormals give -127, infinity 128. The series is of
 * atanh((m - 1) / (m + 1)) for a significand m in sqrt(1/2) .. sqrt(2). */
static inline float log2_lod(float x)
{
    int32_t bits;
    memcpy(&bits, &x, 4);
    int32_t above = (bits & 0x7fffff) >= 0x3504f3; /* sqrt(2) */
    int32_t exponent = (bits >> 23) - 127 + above;
    int32_t mbits = (bits & 0x7fffff) | (above ? 0x3f000000 : 0x3f800000);
    float m;
    memcpy(&m, &mbits, 4);
    float t = (m - 1.0f) / (m + 1.0f), t2 = t * t;
    float series = t * (2.885390082f + t2 * (0.961796694f + t2 * (0.577078016f + t2 * 0.412198583f)));
    float r = (float)exponent + series;
    r = bits < 0x00800000 ? -127.0f : r;
    return bits >= 0x7f800000 ? 128.0f : r;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b; /* NaN in a: b */
}

static inline float magnitude(float a)
{
    return a < 0.0f ? -a : a;
}

/* One level of detail for each quad of 16 lanes, from its differences. */
static void lod_implicit(const struct sampling *restrict p, struct f16 *restrict lod)
{
    const float *s = p->coord[0].v, *t = p->coord[1].v;
    float width = (float)p->t->level[0].width, height = (float)p->t->level[0].height;
    float quad[N / 4];
    for (int q = 0; q < N / 4; q++) {
        float dsdx = magnitude(s[4 * q + 3] - s[4 * q + 2]), dsdy = magnitude(s[4 * q] - s[4 * q + 2]);
        float dtdx = magnitude(t[4 * q + 3] - t[4 * q + 2]), dtdy = magnitude(t[4 * q] - t[4 * q + 2]);
        quad[q] = log2_lod(larger(larger(dsdx, dsdy) * width, larger(dtdx, dtdy) * height));
    }
    EACH lod->v[i] = quad[i / 4];
}

/* The same for each lane from derivatives that the program gives: d/dx of s and t, then d/dy. */
static void lod_explicit(const struct sampling *restrict p, const float *const d[4], unsigned base,
                         struct f16 *restrict lod)
{
    float width = (float)p->t->level[0].width, height = (float)p->t->level[0].height;
    EACH
    {
        float ds = larger(magnitude(d[0][base + i]), magnitude(d[2][base + i])) * width;
        float dt = larger(magnitude(d[1][base + i]), magnitude(d[3][base + i])) * height;
        lod->v[i] = log2_lod(larger(ds, dt));
    }
}

/* ---- one chunk ---- */

/* Filter with the mip levels that lod asks for; lanes with lod <= 0 read level 0. */
static void filter_mips(const struct sampling *p, weft_filter filter, const struct f16 *lod,
                        struct rgba16 *restrict out)
{
    int32_t last = (int32_t)p->t->levels - 1;
    struct i16 level, next;
    struct f16 weight;
    float any = 0.0f;
    switch (p->s->mip_filter) {
    case WEFT_MIP_NEAREST:
        EACH
        {
            int32_t n = (int32_t)(clampf(lod->v[i], 0.0f, (float)TEXTURE_MAX_LEVELS) + 0.5f);
            level.v[i] = n < last ? n : last;
        }
        filter_level(p, filter, &level, out);
        break;
    case WEFT_MIP_LINEAR:
        EACH
        {
            float l = clampf(lod->v[i], 0.0f, (float)last);
            level.v[i] = (int32_t)l;
            weight.v[i] = l - (float)level.v[i];
            next.v[i] = level.v[i] < last ? level.v[i] + 1 : last;
        }
        EACH any = larger(weight.v[i], any);
        filter_level(p, filter, &level, out);
        if (any > 0.0f) {
            struct rgba16 smaller;
            filter_level(p, filter, &next, &smaller);
            for (unsigned c = 0; c < 4; c++)
                EACH out->c[c][i] = lerp(out->c[c][i], smaller.c[c][i], weight.v[i]);
        }
        break;
    default:
        memset(&level, 0, sizeof level);
        filter_level(p, filter, &level, out);
        break;
    }
}

/* The rows of a call, by what they are. */
struct texture_args {
    const float *coord[2], *lod, *derivative[4];
    const int32_t *offset[2];
};

static struct texture_args name_args(const struct exec_texture_call *call)
{
    const struct ir_texture *op = call->op;
    struct texture_args a = {0};
    unsigned n = 0;
    a.coord[0] = call->args[n++];
    a.coord[1] = call->args[n++];
    if (op->op == IR_TEX_BIAS || (op->op == IR_TEX_LOD && !op->zero_lod))
        a.lod = call->args[n++];
    if (op->op == IR_TEX_GRAD)
        for (unsigned i = 0; i < 4; i++)
            a.derivative[i] = call->args[n++];
    if (op->has_offset)
        for (unsigned i = 0; i < 2; i++)
            a.offset[i] = call->args[n++];
    return a;
}

static void find_lod(const struct sampling *restrict p, const struct ir_texture *op, const struct texture_args *a,
                     unsigned base, struct f16 *restrict lod)
{
    if (op->op == IR_TEX_GRAD)
        lod_explicit(p, a->derivative, base, lod);
    else if (op->op == IR_TEX_LOD)
        memset(lod, 0, sizeof *lod);
    else
        lod_implicit(p, lod);
    float bias = p->s->lod_bias, low = p->s->min_lod, high = p->s->max_lod;
    if (a->lod) {
        EACH lod->v[i] = lod->v[i] + a->lod[base + i];
    }
    EACH lod->v[i] = clampf(lod->v[i] + bias, low, high);
}

static void sample_chunk(struct sampling *p, const struct exec_texture_call *call, const struct texture_args *a,
                         unsigned base)
{
    struct rgba16 out;
    EACH p->coord[0].v[i] = a->coord[0][base + i];
    EACH p->coord[1].v[i] = a->coord[1][base + i];
    if (p->has_offset)
        for (unsigned axis = 0; axis < 2; axis++)
            EACH p->offset[axis].v[i] = (float)a->offset[axis][base + i];

    struct f16 lod;
    weft_filter mag = p->s->mag_filter, min = p->s->min_filter;
    if (p->s->mip_filter == WEFT_MIP_NONE && mag == min) {
        filter_mips(p, mag, &lod, &out);
    } else {
        find_lod(p, call->op, a, base, &lod);
        int magnified = 0;
        EACH magnified += lod.v[i] <= 0.0f;
        filter_mips(p, magnified == N ? mag : min, &lod, &out);
        if (mag != min && magnified && magnified < N) {
            struct i16 level = {{0}};
            struct rgba16 big;
            filter_level(p, mag, &level, &big);
            for (unsigned c = 0; c < 4; c++)
                EACH out.c[c][i] = lod.v[i] <= 0.0f ? big.c[c][i] : out.c[c][i];
        }
    }
    float scale = texel_scale(p->t);
    for (unsigned c = 0; c < 4; c++) {
        float *to = (float *)call->results[c];
        if (!to)
            continue;
        if (scale != 1.0f) {
            EACH to[base + i] = out.c[c][i] / scale;
        } else {
            EACH to[base + i] = out.c[c][i];
        }
    }
}

void LEVEL(sample)(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call)
{
    struct sampling p = {.t = t, .s = s, .has_offset = call->op->has_offset};
    struct texture_args a = name_args(call);
    for (unsigned base = 0; base < call->lanes; base += N)
        if (call->active >> base & 0xffff)
            sample_chunk(&p, call, &a, base);
}
