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
#include "device/sample_lanes.h"
#include "device/sample_math.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

enum { N = EXEC_CHUNK, QUADS = EXEC_MAX_LANES / 4 };
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

/* ---- wrap modes ---- */

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
        EACH out->v[i] = (int32_t)clampf(f->v[i], 0.0f, size->v[i] - 1.0f);
        break;
    case WEFT_WRAP_MIRROR_CLAMP_TO_EDGE:
        EACH out->v[i] = (int32_t)clampf(mirrored(f->v[i]), 0.0f, size->v[i] - 1.0f);
        break;
    case WEFT_WRAP_MIRROR_CLAMP:
    case WEFT_WRAP_MIRROR_CLAMP_TO_BORDER: /* texel -1 mirrors texel 0: there is no border there */
        EACH out->v[i] = (int32_t)clampf(mirrored(f->v[i]), 0.0f, size->v[i]);
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
    const float limit = SAMPLE_MAX_POSITION;
    if (p->has_offset) {
        EACH u->v[i] = clampf(p->coord[axis].v[i] * size->v[i] + p->offset[axis].v[i], -limit, limit);
    } else {
        EACH u->v[i] = clampf(p->coord[axis].v[i] * size->v[i], -limit, limit);
    }
    if (mode == WEFT_WRAP_MIRROR_CLAMP) {
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

#include "device/sample_words.h"

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
        float border = (format_lacks(p->t->format, c) ? (float)(c == 3) : p->s->border[c]) * scale;
        EACH out->c[c][i] = outside.v[i] ? border : out->c[c][i];
    }
}

/* ---- filters ---- */

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

/* Sizes of each lane's level. */
static void set_levels(const struct weft_texture *t, const struct i16 *level, bool same, struct lane_levels *l)
{
    if (same) {
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

/* The filter of sample_words.h, where it can do it and lanes agree about the level. */
static inline bool linear_by_words(const struct sampling *p, const struct i16 *level, struct rgba16 *out)
{
#if defined(SAMPLE_WORDS)
    const float *const coord[2] = {p->coord[0].v, p->coord[1].v};
    const float *const offset[2] = {p->has_offset ? p->offset[0].v : NULL, p->has_offset ? p->offset[1].v : NULL};
    __m512 sum[4];
    if (!words_fit(p->t, p->s))
        return false;
    words_linear(p->t, p->s, &p->t->level[level->v[0]], coord, offset, sum);
    for (unsigned c = 0; c < 4; c++)
        _mm512_store_ps(out->c[c], sum[c]);
    return true;
#else
    (void)p, (void)level, (void)out;
    return false;
#endif
}

/* Lanes mostly agree about the level. */
static void filter_level(const struct sampling *p, weft_filter filter, const struct i16 *level, struct rgba16 *out)
{
    struct lane_levels l;
    int32_t differ = 0;
    EACH differ |= level->v[i] ^ level->v[0];
    if (!differ && filter == WEFT_LINEAR && linear_by_words(p, level, out))
        return;
    set_levels(p->t, level, !differ, &l);
    if (filter == WEFT_LINEAR)
        filter_linear(p, &l, out);
    else
        filter_nearest(p, &l, out);
}

/* ---- level of detail ---- */

/* The level of detail of each lane from derivatives that the program gives: d/dx of s and t, then d/dy. */
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
            weight.v[i] = mip_weight(l - (float)level.v[i]);
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
struct rows_2d {
    const float *coord[2], *lod, *derivative[4];
    const int32_t *offset[2];
    alignas(64) float quad_lod[QUADS]; /* levels of detail, where they are implicit */
};

/* One level of detail for each quad from its differences; those of all quads of a warp at once. */
static void find_quad_lods(const struct weft_texture *texture, struct rows_2d *a, unsigned lanes)
{
    float width = (float)texture->level[0].width, height = (float)texture->level[0].height;
    alignas(64) float rho[QUADS] = {0};
#if defined(SAMPLE_WORDS)
    words_quad_sizes(a->coord, width, height, lanes, rho);
#else
    for (unsigned q = 0; q < lanes / 4; q++) {
        const float *s = a->coord[0] + 4 * q, *t = a->coord[1] + 4 * q;
        float ds = larger(magnitude(s[3] - s[2]), magnitude(s[0] - s[2]));
        float dt = larger(magnitude(t[3] - t[2]), magnitude(t[0] - t[2]));
        rho[q] = larger(ds * width, dt * height);
    }
#endif
    for (unsigned q = 0; q < QUADS; q++)
        a->quad_lod[q] = log2_lod(rho[q]);
}

/* The levels of detail of 16 lanes' quads, lane by lane. */
static inline void spread_quads(const struct rows_2d *a, unsigned base, struct f16 *restrict lod)
{
#if defined(SAMPLE_WORDS)
    const __m512i quad = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    __m512i from = _mm512_add_epi32(quad, _mm512_set1_epi32((int32_t)base / 4));
    _mm512_store_ps(lod->v, _mm512_permutexvar_ps(from, _mm512_load_ps(a->quad_lod)));
#else
    EACH lod->v[i] = a->quad_lod[base / 4 + (unsigned)i / 4];
#endif
}

static void name_args(const struct exec_texture_call *call, struct rows_2d *a)
{
    const struct ir_texture *op = call->op;
    const void *const *next = call->args;
    a->coord[0] = *next++;
    a->coord[1] = *next++;
    a->lod = op->op == IR_TEX_BIAS || (op->op == IR_TEX_LOD && !op->zero_lod) ? *next++ : NULL;
    for (unsigned i = 0; op->op == IR_TEX_GRAD && i < 4; i++)
        a->derivative[i] = *next++;
    for (unsigned i = 0; op->has_offset && i < 2; i++)
        a->offset[i] = *next++;
}

static void find_lod(const struct sampling *restrict p, const struct ir_texture *op, const struct rows_2d *a,
                     unsigned base, struct f16 *restrict lod)
{
    if (op->op == IR_TEX_GRAD)
        lod_explicit(p, a->derivative, base, lod);
    else if (op->op == IR_TEX_LOD)
        memset(lod, 0, sizeof *lod);
    else
        spread_quads(a, base, lod);
    float bias = p->s->lod_bias, low = p->s->min_lod, high = p->s->max_lod;
    if (a->lod) {
        EACH lod->v[i] = lod->v[i] + a->lod[base + i];
    }
    EACH lod->v[i] = clampf(lod->v[i] + bias, low, high);
}

/* Filter with the mips and the filters that lod asks for. */
static void filter_magnified(const struct sampling *p, const struct f16 *lod, struct rgba16 *restrict out)
{
    weft_filter mag = p->s->mag_filter, min = p->s->min_filter;
    int magnified = 0;
    EACH magnified += lod->v[i] <= 0.0f;
    filter_mips(p, magnified == N ? mag : min, lod, out);
    if (mag != min && magnified && magnified < N) {
        struct i16 level = {{0}};
        struct rgba16 big;
        filter_level(p, mag, &level, &big);
        for (unsigned c = 0; c < 4; c++)
            EACH out->c[c][i] = lod->v[i] <= 0.0f ? big.c[c][i] : out->c[c][i];
    }
}

/* ---- anisotropy ---- */

/* The samples that each lane takes: their number, the step of the coordinates across the footprint, the level. */
struct anisotropy {
    struct f16 count, step[2], lod;
};

static void find_anisotropy(const struct sampling *restrict p, const struct ir_texture *op, const struct rows_2d *a,
                            unsigned base, struct anisotropy *restrict out)
{
    const float *s = p->coord[0].v, *t = p->coord[1].v;
    float width = (float)p->t->level[0].width, height = (float)p->t->level[0].height;
    unsigned most = (unsigned)clampf(p->s->max_anisotropy, 1.0f, (float)SAMPLE_MAX_ANISOTROPY);
    struct f16 dx[2], dy[2], x2, y2;
    EACH
    {
        int q = i & ~3;
        bool given = op->op == IR_TEX_GRAD;
        dx[0].v[i] = given ? a->derivative[0][base + (unsigned)i] : s[q + 3] - s[q + 2];
        dx[1].v[i] = given ? a->derivative[1][base + (unsigned)i] : t[q + 3] - t[q + 2];
        dy[0].v[i] = given ? a->derivative[2][base + (unsigned)i] : s[q] - s[q + 2];
        dy[1].v[i] = given ? a->derivative[3][base + (unsigned)i] : t[q] - t[q + 2];
    }
    EACH
    {
        float sx = dx[0].v[i] * width, tx = dx[1].v[i] * height, sy = dy[0].v[i] * width, ty = dy[1].v[i] * height;
        x2.v[i] = sx * sx + tx * tx;
        y2.v[i] = sy * sy + ty * ty;
        bool x_longer = x2.v[i] >= y2.v[i];
        out->step[0].v[i] = x_longer ? dx[0].v[i] : dy[0].v[i];
        out->step[1].v[i] = x_longer ? dx[1].v[i] : dy[1].v[i];
    }
    struct f16 longest, shortest;
    EACH
    {
        longest.v[i] = larger(x2.v[i], y2.v[i]);
        shortest.v[i] = x2.v[i] < y2.v[i] ? x2.v[i] : y2.v[i];
        out->count.v[i] = 1.0f;
    }
    for (unsigned n = 1; n < most; n++)
        EACH out->count.v[i] += anisotropic_more(longest.v[i], shortest.v[i], (float)n);
    float low = p->s->min_lod, high = p->s->max_lod, bias = p->s->lod_bias;
    EACH out->lod.v[i] = anisotropic_lod(longest.v[i], out->count.v[i]);
    if (a->lod) {
        EACH out->lod.v[i] = out->lod.v[i] + a->lod[base + i];
    }
    EACH out->lod.v[i] = clampf(out->lod.v[i] + bias, low, high);
}

static void sample_footprint(const struct sampling *p, const struct f16 *lod, struct rgba16 *out)
{
#if defined(SAMPLE_WORDS)
    const float *const coord[2] = {p->coord[0].v, p->coord[1].v};
    __m512 sum[4];
    if (!p->has_offset && words_mips_fit(p->t, p->s) && words_mips(p->t, p->s, coord, lod->v, sum)) {
        for (unsigned c = 0; c < 4; c++)
            _mm512_store_ps(out->c[c], sum[c]);
        return;
    }
#endif
    filter_magnified(p, lod, out);
}

static void filter_anisotropic(const struct sampling *p, const struct anisotropy *a, unsigned active,
                               struct rgba16 *restrict out)
{
    float most = 1.0f;
    EACH most = larger(active >> i & 1 ? a->count.v[i] : 1.0f, most);
    memset(out, 0, sizeof *out);
    struct sampling at = *p;
    for (float n = 0.0f; n < most; n = n + 1.0f) {
        struct rgba16 one;
        EACH
        {
            float along = anisotropic_place(n, a->count.v[i]);
            at.coord[0].v[i] = p->coord[0].v[i] + a->step[0].v[i] * along;
            at.coord[1].v[i] = p->coord[1].v[i] + a->step[1].v[i] * along;
        }
        sample_footprint(&at, &a->lod, &one);
        for (unsigned c = 0; c < 4; c++)
            EACH out->c[c][i] = out->c[c][i] + (n < a->count.v[i] ? one.c[c][i] : 0.0f);
    }
    for (unsigned c = 0; c < 4; c++)
        EACH out->c[c][i] = out->c[c][i] / a->count.v[i];
}

/* ---- one chunk ---- */

static bool is_anisotropic(const weft_sampler *s, const struct ir_texture *op)
{
    return s->max_anisotropy > 1.0f && op->op != IR_TEX_LOD;
}

/* Whether filters depend on the level of detail. */
static bool reads_lod(const weft_sampler *s)
{
    return s->mip_filter != WEFT_MIP_NONE || s->mag_filter != s->min_filter;
}

static void sample_chunk(struct sampling *p, const struct exec_texture_call *call, const struct rows_2d *a,
                         unsigned base)
{
    struct rgba16 out;
    EACH p->coord[0].v[i] = a->coord[0][base + i];
    EACH p->coord[1].v[i] = a->coord[1][base + i];
    if (p->has_offset)
        for (unsigned axis = 0; axis < 2; axis++)
            EACH p->offset[axis].v[i] = (float)a->offset[axis][base + i];

    struct f16 lod;
    if (is_anisotropic(p->s, call->op)) {
        struct anisotropy anisotropy;
        find_anisotropy(p, call->op, a, base, &anisotropy);
        filter_anisotropic(p, &anisotropy, (unsigned)(call->active >> base & 0xffff), &out);
    } else if (!reads_lod(p->s)) {
        filter_mips(p, p->s->mag_filter, &lod, &out);
    } else {
        find_lod(p, call->op, a, base, &lod);
        filter_magnified(p, &lod, &out);
    }
    bool bytes = p->t->format->layout == FORMAT_BYTES4;
    for (unsigned c = 0; c < 4; c++) {
        float *to = (float *)call->results[c];
        if (!to)
            continue;
        if (!bytes && sampler_mixes(p->s)) {
            EACH to[base + i] = one_nan(out.c[c][i]);
        } else if (!bytes) {
            EACH to[base + i] = out.c[c][i];
        } else if (wrap_sees_border(p->s->wrap_s) || wrap_sees_border(p->s->wrap_t)) {
            EACH to[base + i] = out.c[c][i] / 255.0f; /* a border's colour may be anything */
        } else {
            EACH to[base + i] = divided_by_255(out.c[c][i]);
        }
    }
}

#if defined(SAMPLE_WORDS)
/* One chunk from rows to rows, where words_mips can. */
static inline bool mips_by_words(const struct sampling *p, const struct f16 *lod, const struct exec_texture_call *call,
                                 const struct rows_2d *a, unsigned base)
{
    const float *const coord[2] = {a->coord[0] + base, a->coord[1] + base};
    __m512 sum[4];
    if (!words_mips(p->t, p->s, coord, lod->v, sum))
        return false;
    words_store(call, base, sum);
    return true;
}
#endif

/* What this file does; sample_lanes.c does everything. */
static bool in_rows(const struct weft_texture *t, const weft_sampler *s, const struct ir_texture *op)
{
    static const uint8_t plain[4] = {SWIZZLE_R, SWIZZLE_G, SWIZZLE_B, SWIZZLE_A};
    bool sampled = op->op == IR_TEX_SAMPLE || op->op == IR_TEX_BIAS || op->op == IR_TEX_LOD || op->op == IR_TEX_GRAD;
    return sampled && op->dim == IR_TEX_2D && !op->array && !op->shadow && !op->multisample && !op->texel_coords &&
           !op->min_lod && t && !s->unnormalized && !memcmp(t->swizzle, plain, sizeof plain) &&
           format_class(t->format) == FORMAT_CLASS_FLOAT && (uintptr_t)t->data % 4 == 0;
}

void LEVEL(sample)(const struct weft_texture *t, const weft_sampler *s, const struct exec_texture_call *call)
{
    if (!in_rows(t, s, call->op)) {
        sample_lanes(t, s, call);
        return;
    }
#if defined(SAMPLE_WORDS)
    if (s->mag_filter == WEFT_LINEAR && !reads_lod(s) && !call->op->has_offset && !is_anisotropic(s, call->op) &&
        words_fit(t, s)) {
        words_call(t, s, call);
        return;
    }
    const bool mips = words_mips_fit(t, s) && !call->op->has_offset && !is_anisotropic(s, call->op);
#endif
    struct sampling p; /* coordinates come later */
    struct rows_2d a;
    p.t = t;
    p.s = s;
    p.has_offset = call->op->has_offset;
    name_args(call, &a);
    bool implicit = call->op->op == IR_TEX_SAMPLE || call->op->op == IR_TEX_BIAS;
    if (implicit && reads_lod(s) && !is_anisotropic(s, call->op))
        find_quad_lods(t, &a, call->lanes);
    for (unsigned base = 0; base < call->lanes; base += N) {
        if (!(call->active >> base & 0xffff))
            continue;
#if defined(SAMPLE_WORDS)
        struct f16 lod;
        if (mips) {
            find_lod(&p, call->op, &a, base, &lod);
            if (mips_by_words(&p, &lod, call, &a, base))
                continue;
        }
#endif
        sample_chunk(&p, call, &a, base);
    }
}
