/* Texture sampling against a plain model of one lane, in every CPU level. */
#include "test.h"

#include "levels.h"

#include <math.h>
#include <stdalign.h>

enum { LANES = 64 };

/* A call's rows. */
struct rows {
    alignas(64) float s[LANES], t[LANES], lod[LANES], d[4][LANES], out[4][LANES];
    alignas(64) int32_t offset[2][LANES];
};

/* ---- the model: integers and doubles, straight from the definitions of the wrap modes ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Texel number to texel number, or -1 for the border. */
static int64_t model_wrap(weft_wrap mode, int64_t i, int64_t n)
{
    switch (mode) {
    case WEFT_WRAP_REPEAT:
        return i - floor_div(i, n) * n;
    case WEFT_WRAP_MIRROR_REPEAT: {
        int64_t m = i - floor_div(i, 2 * n) * 2 * n;
        return m < n ? m : 2 * n - 1 - m;
    }
    case WEFT_WRAP_CLAMP_TO_EDGE:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    case WEFT_WRAP_MIRROR_CLAMP_TO_EDGE:
        i = i >= 0 ? i : -1 - i;
        return i >= n ? n - 1 : i;
    case WEFT_WRAP_MIRROR_CLAMP_TO_BORDER:
    case WEFT_WRAP_MIRROR_CLAMP:
        i = i >= 0 ? i : -1 - i;
        return i >= n ? -1 : i;
    default:
        return i < 0 || i >= n ? -1 : i;
    }
}

/* The position that texels are chosen around. */
static double model_position(weft_wrap mode, double u, double n)
{
    if (mode == WEFT_WRAP_CLAMP)
        return fmin(fmax(u, 0), n);
    if (mode == WEFT_WRAP_MIRROR_CLAMP)
        return fmin(fabs(u), n);
    return u;
}

static void model_texel(const struct weft_texture *t, const weft_sampler *s, unsigned level, int64_t i, int64_t j,
                        double out[4])
{
    int64_t x = model_wrap(s->wrap_s, i, t->level[level].width), y = model_wrap(s->wrap_t, j, t->level[level].height);
    float rgba[4];
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = t->format->channel[c].kind == FORMAT_VOID ? c == 3 : s->border[c];
    if (x >= 0 && y >= 0)
        format_decode(t->format, texture_texel(t, level, (uint32_t)x, (uint32_t)y), rgba);
    for (unsigned c = 0; c < 4; c++)
        out[c] = rgba[c];
}

static void model_level(const struct weft_texture *t, const weft_sampler *s, weft_filter filter, unsigned level,
                        double u, double v, double out[4])
{
    double w = t->level[level].width, h = t->level[level].height;
    u = model_position(s->wrap_s, u, w);
    v = model_position(s->wrap_t, v, h);
    if (filter == WEFT_NEAREST) {
        /* position 1.0 of the old clamp modes is the last texel */
        if (s->wrap_s == WEFT_WRAP_CLAMP || s->wrap_s == WEFT_WRAP_MIRROR_CLAMP)
            u = fmin(u, w - 0.5);
        if (s->wrap_t == WEFT_WRAP_CLAMP || s->wrap_t == WEFT_WRAP_MIRROR_CLAMP)
            v = fmin(v, h - 0.5);
        model_texel(t, s, level, (int64_t)floor(u), (int64_t)floor(v), out);
        return;
    }
    int64_t i = (int64_t)floor(u - 0.5), j = (int64_t)floor(v - 0.5);
    double a = u - 0.5 - (double)i, b = v - 0.5 - (double)j, texel[4][4];
    for (unsigned k = 0; k < 4; k++)
        model_texel(t, s, level, i + (k & 1), j + (k >> 1), texel[k]);
    for (unsigned c = 0; c < 4; c++)
        out[c] = (1 - b) * ((1 - a) * texel[0][c] + a * texel[1][c]) + b * ((1 - a) * texel[2][c] + a * texel[3][c]);
}

static void model(const struct weft_texture *t, const weft_sampler *s, double coord_s, double coord_t,
                  const int32_t offset[2], double lod, double out[4])
{
    lod = fmin(fmax(lod + s->lod_bias, s->min_lod), s->max_lod);
    weft_filter filter = lod <= 0 ? s->mag_filter : s->min_filter;
    int last = (int)t->levels - 1, level = 0;
    double weight = 0;
    if (s->mip_filter == WEFT_MIP_NEAREST)
        level = (int)fmin(floor(fmax(lod, 0) + 0.5), last);
    if (s->mip_filter == WEFT_MIP_LINEAR) {
        double clamped = fmin(fmax(lod, 0), last);
        level = (int)floor(clamped);
        weight = clamped - level;
    }
    double near[4], far[4] = {0};
    /* u = s * size in f32: where a texel boundary lies is part of the definition */
    float u = (float)coord_s * (float)t->level[level].width, v = (float)coord_t * (float)t->level[level].height;
    model_level(t, s, filter, (unsigned)level, (double)u + offset[0], (double)v + offset[1], near);
    if (weight > 0) {
        u = (float)coord_s * (float)t->level[level + 1].width, v = (float)coord_t * (float)t->level[level + 1].height;
        model_level(t, s, filter, (unsigned)level + 1, (double)u + offset[0], (double)v + offset[1], far);
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = near[c] + weight * (far[c] - near[c]);
}

/* ---- inputs ---- */

static struct weft_texture *random_texture(struct test_rng *rng, weft_pixel_format format, uint32_t w, uint32_t h)
{
    size_t bytes = (size_t)w * h * (format == WEFT_RGBA8_UNORM ? 4 : 16);
    uint8_t *pixels = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        pixels[i] = (uint8_t)test_next(rng);
    if (format == WEFT_RGBA32_SFLOAT)
        for (size_t i = 0; i < bytes / 4; i++)
            ((float *)(void *)pixels)[i] = (float)(test_next(rng) % 4096) / 1024 - 2;
    weft_texture *t;
    assert_int_equal(weft_texture_new(format, w, h, pixels, 1, &t), WEFT_OK);
    free(pixels);
    return t;
}

/* The last byte of each texel is 255, of one in `odd` another. */
static void make_opaque(struct weft_texture *t, struct test_rng *rng, uint32_t odd)
{
    for (uint32_t l = 0; l < t->levels; l++)
        for (int32_t y = 0; y < t->level[l].height; y++)
            for (int32_t x = 0; x < t->level[l].width; x++)
                texture_texel(t, l, (uint32_t)x, (uint32_t)y)[3] = test_next(rng) % odd ? 255 : 254;
}

static weft_sampler random_sampler(struct test_rng *rng)
{
    weft_sampler s;
    weft_sampler_init(&s);
    s.min_filter = (weft_filter)(test_next(rng) % 2);
    s.mag_filter = (weft_filter)(test_next(rng) % 2);
    s.mip_filter = (weft_mip_filter)(test_next(rng) % 3);
    s.wrap_s = (weft_wrap)(test_next(rng) % 8);
    s.wrap_t = (weft_wrap)(test_next(rng) % 8);
    if (test_next(rng) % 2)
        s.lod_bias = (float)(int)(test_next(rng) % 9) / 4 - 1;
    if (test_next(rng) % 4 == 0)
        s.min_lod = 0.75f, s.max_lod = 2.5f;
    const float border[4] = {0.25f, 1, 0, 0.5f};
    memcpy(s.border, border, sizeof border);
    return s;
}

static float random_coord(struct test_rng *rng)
{
    uint32_t r = test_next(rng);
    float f = (float)(r >> 8) / (float)(1 << 24);
    if ((r & 6) == 0) /* exactly between two texels, often */
        return (float)((int)(f * 384) - 192) / 64;
    return r & 1 ? f : f * 7 - 3;
}

static void call(const struct device_kernels *k, const struct weft_texture *t, const weft_sampler *s,
                 const struct ir_texture *op, struct rows *r)
{
    const void *args[8];
    unsigned n = 0;
    args[n++] = r->s;
    args[n++] = r->t;
    if (op->op == IR_TEX_BIAS || (op->op == IR_TEX_LOD && !op->zero_lod))
        args[n++] = r->lod;
    if (op->op == IR_TEX_GRAD)
        for (unsigned i = 0; i < 4; i++)
            args[n++] = r->d[i];
    if (op->has_offset)
        for (unsigned i = 0; i < 2; i++)
            args[n++] = r->offset[i];
    struct exec_texture_call c = {.op = op,
                                  .args = args,
                                  .nargs = n,
                                  .lanes = LANES,
                                  .active = ~(lane_mask)0,
                                  .results = {r->out[0], r->out[1], r->out[2], r->out[3]}};
    k->sample(t, s, &c);
}

/* Results of all levels are the same bits; they stay in r->out. */
static void call_all_levels(const struct weft_texture *t, const weft_sampler *s, const struct ir_texture *op,
                            struct rows *r)
{
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    float first[4][LANES];
    for (unsigned l = 0; l < levels; l++) {
        memset(r->out, 0xff, sizeof r->out);
        call(kernels[l], t, s, op, r);
        if (l == 0)
            memcpy(first, r->out, sizeof first);
        assert_memory_equal(first, r->out, sizeof first);
    }
}

static void every_sampler_matches_the_model(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("samplers");
    const uint32_t sizes[][2] = {{16, 16}, {48, 20}, {1, 1}, {5, 64}, {7, 3}};
    for (unsigned round = 0; round < 1500; round++) {
        const uint32_t *size = sizes[round % 5];
        struct weft_texture *t =
            random_texture(&rng, round & 8 ? WEFT_RGBA32_SFLOAT : WEFT_RGBA8_UNORM, size[0], size[1]);
        weft_sampler s = random_sampler(&rng);
        struct ir_texture op = {.op = IR_TEX_LOD, .dim = IR_TEX_2D, .has_offset = round % 3 == 0};
        struct rows r = {0};
        for (unsigned i = 0; i < LANES; i++) {
            r.s[i] = random_coord(&rng);
            r.t[i] = random_coord(&rng);
            r.lod[i] = (float)(test_next(&rng) % 64) / 8 - 1.5f;
            if (op.has_offset) {
                r.offset[0][i] = (int32_t)(test_next(&rng) % 16) - 8;
                r.offset[1][i] = (int32_t)(test_next(&rng) % 16) - 8;
            }
        }
        call_all_levels(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            double wanted[4];
            const int32_t offset[2] = {r.offset[0][i], r.offset[1][i]};
            model(t, &s, r.s[i], r.t[i], offset, r.lod[i], wanted);
            for (unsigned c = 0; c < 4; c++)
                if (!(fabs(r.out[c][i] - wanted[c]) < 2e-4))
                    fail_msg(
                        "round %u lane %u component %u: %g, wanted %g (s %g t %g lod %g wrap %d %d filters %d %d %d)",
                        round, i, c, r.out[c][i], wanted[c], r.s[i], r.t[i], r.lod[i], s.wrap_s, s.wrap_t, s.min_filter,
                        s.mag_filter, s.mip_filter);
        }
        weft_texture_free(t);
    }
}

/* The pixels of a block that see a texture magnified, minified or turned, also across its seam: filters may read their
 * texels row by row there. */
static void blocks_of_pixels_match_the_model(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("blocks of pixels");
    const uint32_t sizes[][2] = {{64, 64}, {256, 16}, {48, 20}, {8, 128}};
    for (unsigned round = 0; round < 1200; round++) {
        const uint32_t *size = sizes[round % 4];
        struct weft_texture *t = random_texture(&rng, WEFT_RGBA8_UNORM, size[0], size[1]);
        weft_sampler s = random_sampler(&rng);
        if (round % 3)
            make_opaque(t, &rng, round % 3 == 1 ? 100 : 1000000);
        s.min_filter = s.mag_filter = round % 16 ? WEFT_LINEAR : WEFT_NEAREST;
        if (round & 4)
            s.wrap_s = s.wrap_t = round & 8 ? WEFT_WRAP_REPEAT : WEFT_WRAP_CLAMP_TO_EDGE;
        struct ir_texture op = {.op = IR_TEX_LOD, .dim = IR_TEX_2D};
        struct rows r = {0};
        float scale = ldexpf(1.0f, (int)(test_next(&rng) % 6) - 3), turn = round % 5 ? 0 : random_coord(&rng);
        float x0 = random_coord(&rng), y0 = random_coord(&rng), lod = (float)(test_next(&rng) % 32) / 8 - 1;
        for (unsigned i = 0; i < LANES; i++) {
            float x = (float)lane_x(i), y = (float)lane_y(i);
            r.s[i] = x0 + scale * (x + turn * y) / (float)size[0];
            r.t[i] = y0 + scale * (y - turn * x) / (float)size[1];
            r.lod[i] = lod;
        }
        call_all_levels(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            double wanted[4];
            const int32_t offset[2] = {0, 0};
            model(t, &s, r.s[i], r.t[i], offset, r.lod[i], wanted);
            for (unsigned c = 0; c < 4 && s.min_filter == WEFT_LINEAR; c++)
                if (!(fabs(r.out[c][i] - wanted[c]) < 2e-4))
                    fail_msg("round %u lane %u component %u: %g, wanted %g (s %g t %g)", round, i, c, r.out[c][i],
                             wanted[c], r.s[i], r.t[i]);
        }
        weft_texture_free(t);
    }
}

/* Blocks of pixels where positions in texels are limited, go round, or are not numbers in some lanes; and levels of
 * detail that are hardly above 0. Only the levels of instructions are compared. */
static void odd_positions_are_the_same_in_every_level(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("odd positions");
    struct weft_texture *t = random_texture(&rng, WEFT_RGBA8_UNORM, 64, 32);
    struct weft_texture *dark = random_texture(&rng, WEFT_RGBA8_UNORM, 64, 32); /* at level 0 */
    memset(texture_texel(dark, 0, 0, 0), 0, 64 * 32 * 4);
    weft_sampler s;
    weft_sampler_init(&s);
    s.min_filter = s.mag_filter = WEFT_LINEAR;
    static const float origin[] = {4194304.0f,    -4194304.0f, 4194288.0f, -4194288.0f,
                                   2147483648.0f, 0.0f,        NAN,        INFINITY};
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 4194304.0f};
    for (unsigned round = 0; round < 4000; round++) {
        struct ir_texture op = {.op = IR_TEX_LOD, .dim = IR_TEX_2D, .has_offset = round % 5 == 0};
        struct rows r = {0};
        s.wrap_s = round & 1 ? WEFT_WRAP_REPEAT : WEFT_WRAP_CLAMP_TO_EDGE;
        s.wrap_t = round & 2 ? WEFT_WRAP_REPEAT : WEFT_WRAP_CLAMP_TO_EDGE;
        s.mip_filter = round & 4 ? WEFT_MIP_LINEAR : WEFT_MIP_NONE;
        float x0 = origin[test_next(&rng) % 8], y0 = origin[test_next(&rng) % 8];
        for (unsigned i = 0; i < LANES; i++) {
            r.s[i] = (x0 + (float)lane_x(i) + (float)(round % 32)) / 64;
            r.t[i] = (y0 + (float)lane_y(i) + (float)(round % 32)) / 32;
            r.lod[i] = ldexpf(1.0f, -(int)(test_next(&rng) % 148));
            if (round % 3 == 0 && test_next(&rng) % 8 == 0)
                r.s[i] = odd[test_next(&rng) % 6];
            if (round % 3 == 0 && test_next(&rng) % 8 == 0)
                r.t[i] = odd[test_next(&rng) % 6];
        }
        call_all_levels(round & 8 ? dark : t, &s, &op, &r);
    }
    weft_texture_free(dark);
    weft_texture_free(t);
}

static void nearest_gives_the_texel_exactly(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("nearest");
    struct weft_texture *t = random_texture(&rng, WEFT_RGBA8_UNORM, 16, 4);
    weft_sampler s;
    weft_sampler_init(&s);
    struct ir_texture op = {.op = IR_TEX_SAMPLE, .dim = IR_TEX_2D};
    struct rows r = {0};
    for (unsigned i = 0; i < LANES; i++) {
        r.s[i] = ((float)(i % 16) + 0.5f) / 16;
        r.t[i] = ((float)(i / 16) + 0.5f) / 4;
    }
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++)
            assert_true(r.out[c][i] == (float)texture_texel(t, 0, i % 16, i / 16)[c] / 255.0f);
    weft_texture_free(t);
}

/* A texture whose level n is n / 8 everywhere: what is read tells the level of detail. */
static struct weft_texture *level_texture(uint32_t w, uint32_t h)
{
    struct weft_texture *t;
    assert_int_equal(texture_new(&formats[FORMAT_R32G32B32A32_SFLOAT], w, h, 0, &t), WEFT_OK);
    for (uint32_t l = 0; l < t->levels; l++)
        for (uint32_t y = 0; y < (uint32_t)t->level[l].height; y++)
            for (uint32_t x = 0; x < (uint32_t)t->level[l].width; x++) {
                const float rgba[4] = {(float)l / 8, 0, 0, 0};
                memcpy(texture_texel(t, l, x, y), rgba, sizeof rgba);
            }
    return t;
}

static void implicit_lod_is_one_per_quad(void **state)
{
    (void)state;
    struct weft_texture *t = level_texture(256, 128);
    weft_sampler s;
    weft_sampler_init(&s);
    s.min_filter = s.mag_filter = WEFT_LINEAR;
    s.mip_filter = WEFT_MIP_LINEAR;
    struct rows r = {0};
    /* Quad q: ds/dx and so on by the edges at lane 2; the other lane is far off and must not matter. */
    const struct {
        float dsdx, dtdx, dsdy, dtdy, lod;
    } quads[] = {
        {1.0f / 256, 0, 0, 1.0f / 256, 0}, /* one texel a pixel across */
        {2.0f / 256, 0, 0, 0, 1},
        {0, 0, 0, -4.0f / 128, 2},
        {0, 8.0f / 128, 1.0f / 256, 0, 3},
        {3.0f / 256, 0, 0, 2.0f / 128, 1.5849625f},
        {16.0f / 256, 0, 32.0f / 256, 0, 5},
        {0.5f / 256, 0, 0, 0, 0}, /* magnified */
        {1e6f, 0, 0, 0, 8},       /* the last level */
    };
    for (unsigned q = 0; q < LANES / 4; q++) {
        float base = 0.3f, *rs = r.s + 4 * q, *rt = r.t + 4 * q;
        rs[2] = base, rs[3] = base + quads[q % 8].dsdx, rs[0] = base + quads[q % 8].dsdy, rs[1] = base + 77;
        rt[2] = 0, rt[3] = quads[q % 8].dtdx, rt[0] = quads[q % 8].dtdy, rt[1] = -55;
    }
    struct ir_texture op = {.op = IR_TEX_SAMPLE, .dim = IR_TEX_2D};
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_float_equal(r.out[0][i] * 8, quads[i / 4 % 8].lod, 2e-3f);
    /* A bias is added lane by lane, the sampler's too. */
    op.op = IR_TEX_BIAS;
    s.lod_bias = 0.25f;
    for (unsigned i = 0; i < LANES; i++)
        r.lod[i] = (float)(i % 4) / 4;
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++) {
        float lod = i / 4 % 8 == 6 ? -1 : i / 4 % 8 == 7 ? 28 : quads[i / 4 % 8].lod;
        lod += r.lod[i] + 0.25f;
        assert_float_equal(r.out[0][i] * 8, lod < 0 ? 0 : lod > 8 ? 8 : lod, 2e-3f);
    }
    weft_texture_free(t);
}

static void given_derivatives_decide_lane_by_lane(void **state)
{
    (void)state;
    struct weft_texture *t = level_texture(64, 64);
    weft_sampler s;
    weft_sampler_init(&s);
    s.min_filter = s.mag_filter = WEFT_LINEAR;
    s.mip_filter = WEFT_MIP_LINEAR;
    struct rows r = {0};
    struct ir_texture op = {.op = IR_TEX_GRAD, .dim = IR_TEX_2D};
    for (unsigned i = 0; i < LANES; i++)
        r.d[i % 4][i] = ldexpf(i & 16 ? -1.0f : 1.0f, (int)(i % 7) - 6);
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_true(r.out[0][i] == (float)(i % 7) / 8); /* powers of two are exact */
    weft_texture_free(t);
}

static void mip_filters_choose_levels(void **state)
{
    (void)state;
    struct weft_texture *t = level_texture(64, 64);
    weft_sampler s;
    weft_sampler_init(&s);
    struct rows r = {0};
    struct ir_texture op = {.op = IR_TEX_LOD, .dim = IR_TEX_2D};
    const float lods[] = {-1, 0, 0.25f, 0.5f, 1.0f, 1.49f, 1.5f, 5.9f, 6, 7.5f, 100};
    const float nearest[] = {0, 0, 0, 1, 1, 1, 2, 6, 6, 6, 6},
                linear[] = {0, 0, 0.25f, 0.5f, 1, 1.49f, 1.5f, 5.9f, 6, 6, 6};
    for (unsigned i = 0; i < LANES; i++)
        r.lod[i] = lods[i % 11];
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_true(r.out[0][i] == 0);
    s.mip_filter = WEFT_MIP_NEAREST;
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_true(r.out[0][i] * 8 == nearest[i % 11]);
    s.mip_filter = WEFT_MIP_LINEAR;
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_float_equal(r.out[0][i] * 8, linear[i % 11], 1e-5f);
    s.min_lod = 2, s.max_lod = 3.5f;
    call_all_levels(t, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_float_equal(r.out[0][i] * 8, fminf(fmaxf(lods[i % 11], 2), 3.5f), 1e-5f);
    weft_texture_free(t);
}

static void odd_coordinates_read_some_texel(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("odd coordinates");
    struct weft_texture *t = random_texture(&rng, WEFT_RGBA8_UNORM, 48, 20);
    const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-40f, -0.0f, 16777216.0f, -8388609.0f};
    for (unsigned round = 0; round < 200; round++) {
        weft_sampler s = random_sampler(&rng);
        struct rows r = {0};
        for (unsigned i = 0; i < LANES; i++) {
            r.s[i] = odd[test_next(&rng) % 9];
            r.t[i] = odd[test_next(&rng) % 9];
            r.lod[i] = odd[test_next(&rng) % 9];
            r.offset[0][i] = (int32_t)test_next(&rng);
            r.offset[1][i] = (int32_t)test_next(&rng);
            for (unsigned k = 0; k < 4; k++)
                r.d[k][i] = odd[test_next(&rng) % 9];
        }
        struct ir_texture op = {
            .op = (uint8_t)(IR_TEX_SAMPLE + round % 4), .dim = IR_TEX_2D, .has_offset = round % 3 == 0};
        call_all_levels(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned c = 0; c < 4; c++)
                assert_true(r.out[c][i] >= -1e-4f && r.out[c][i] <= 1.0001f);
    }
    weft_texture_free(t);
}

TEST_MAIN(TEST(every_sampler_matches_the_model), TEST(blocks_of_pixels_match_the_model),
          TEST(odd_positions_are_the_same_in_every_level), TEST(nearest_gives_the_texel_exactly),
          TEST(implicit_lod_is_one_per_quad), TEST(given_derivatives_decide_lane_by_lane),
          TEST(mip_filters_choose_levels), TEST(odd_coordinates_read_some_texel))
