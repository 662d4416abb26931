/* Texture sampling of every kind against a plain model in double, straight from the definitions. */
#include "test.h"

#include "device/kernels.h"
#include "device/sample_lanes.h"

#include <math.h>
#include <stdalign.h>

enum { LANES = 16, MOST_ARGS = 16 };

/* A call's rows; `in` are the arguments in the order of struct ir_texture. */
struct rows {
    alignas(64) float in[MOST_ARGS][LANES];
    alignas(64) uint32_t out[4][LANES];
};

static float result(const struct rows *r, unsigned component, unsigned lane)
{
    float f;
    memcpy(&f, &r->out[component][lane], sizeof f);
    return f;
}

static void set_int(struct rows *r, unsigned arg, unsigned lane, int32_t v)
{
    memcpy(&r->in[arg][lane], &v, sizeof v);
}

static void run(const struct weft_texture *t, const weft_sampler *s, const struct ir_texture *op, struct rows *r)
{
    const void *args[MOST_ARGS];
    for (unsigned i = 0; i < MOST_ARGS; i++)
        args[i] = r->in[i];
    struct exec_texture_call c = {.op = op,
                                  .args = args,
                                  .nargs = MOST_ARGS,
                                  .lanes = LANES,
                                  .active = 0xffff,
                                  .results = {r->out[0], r->out[1], r->out[2], r->out[3]}};
    memset(r->out, 0xff, sizeof r->out);
    device_kernels(EXEC_BASELINE)->sample(t, s, &c);
}

static double random_unit(struct test_rng *rng)
{
    return (double)(test_next(rng) >> 8) / (1 << 24);
}

/* A texture of that kind with random texels. */
static struct weft_texture *make(enum format_id format, struct texture_desc d, struct test_rng *rng)
{
    struct weft_texture *t;
    d.format = &formats[format];
    assert_int_equal(texture_create(&d, &t), WEFT_OK);
    for (uint32_t l = 0; l < t->levels; l++)
        for (int32_t z = 0; z < t->level[l].depth; z++)
            for (uint32_t n = 0; n < t->samples; n++)
                for (int32_t i = 0; i < t->level[l].width * t->level[l].height; i++) {
                    uint8_t *p = texture_plane(t, l, (uint32_t)z, n) + (size_t)i * t->format->bytes;
                    float v[4];
                    uint32_t w[4];
                    for (unsigned c = 0; c < 4; c++) {
                        v[c] = (float)random_unit(rng);
                        w[c] = test_next(rng);
                    }
                    if (format_class(t->format) == FORMAT_CLASS_FLOAT)
                        format_encode(t->format, v, p);
                    else
                        format_encode_words(t->format, w, p);
                }
    return t;
}

static void texel_at(const struct weft_texture *t, uint32_t level, int64_t x, int64_t y, int64_t z, double out[4])
{
    float v[4];
    uint8_t *p = texture_plane(t, level, (uint32_t)z, 0) + (size_t)(y * t->level[level].width + x) * t->format->bytes;
    format_decode(t->format, p, v);
    for (unsigned c = 0; c < 4; c++)
        out[c] = v[c];
}

/* ---- the model ---- */

static int64_t wrapped(weft_wrap mode, int64_t i, int64_t n)
{
    int64_t period = mode == WEFT_WRAP_MIRROR_REPEAT ? 2 * n : n;
    switch (mode) {
    case WEFT_WRAP_REPEAT:
    case WEFT_WRAP_MIRROR_REPEAT:
        i = (i % period + period) % period;
        return i < n ? i : 2 * n - 1 - i;
    case WEFT_WRAP_MIRROR_CLAMP_TO_EDGE:
        i = i < 0 ? -1 - i : i;
        return i < n ? i : n - 1;
    case WEFT_WRAP_MIRROR_CLAMP_TO_BORDER:
    case WEFT_WRAP_MIRROR_CLAMP:
        i = i < 0 ? -1 - i : i;
        return i < n ? i : -1;
    case WEFT_WRAP_CLAMP_TO_EDGE:
        return i < 0 ? 0 : i < n ? i : n - 1;
    default:
        return i < 0 || i >= n ? -1 : i;
    }
}

/* The old modes of clamping hold the position, of which half of a filter may be beyond the edge. */
static double position(weft_wrap mode, double u, int32_t n, bool linear)
{
    if (mode != WEFT_WRAP_CLAMP && mode != WEFT_WRAP_MIRROR_CLAMP)
        return u;
    double low = 0, high = linear ? n : n - 0.5;
    u = mode == WEFT_WRAP_MIRROR_CLAMP ? fabs(u) : u;
    return u < low ? low : u > high ? high : u;
}

struct query {
    unsigned axes;
    double c[3];
    int64_t slice;
    bool compare;
    double reference;
};

static bool holds(weft_compare op, double a, double b)
{
    const bool table[] = {false, a < b, a == b, a <= b, a > b, a != b, a >= b, true};
    return table[op];
}

static void model_level(const struct weft_texture *t, const weft_sampler *s, weft_filter filter, uint32_t level,
                        const struct query *q, double out[4])
{
    const weft_wrap wraps[3] = {s->wrap_s, s->wrap_t, s->wrap_r};
    const int32_t sizes[3] = {t->level[level].width, t->level[level].height, t->level[level].depth};
    int64_t base[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    bool linear = filter == WEFT_LINEAR;
    for (unsigned a = 0; a < q->axes; a++) {
        double u = s->unnormalized ? q->c[a] : q->c[a] * sizes[a];
        u = position(wraps[a], u, sizes[a], linear) - (linear ? 0.5 : 0);
        base[a] = (int64_t)floor(u);
        fraction[a] = u - floor(u);
    }
    memset(out, 0, 4 * sizeof out[0]);
    for (unsigned n = 0; n < (linear ? 1u << q->axes : 1); n++) {
        double weight = 1, v[4];
        int64_t at[3] = {0, 0, q->slice};
        bool border = false;
        for (unsigned a = 0; a < q->axes; a++) {
            unsigned step = n >> a & 1;
            at[a] = wrapped(wraps[a], base[a] + step, sizes[a]);
            border |= at[a] < 0;
            if (linear)
                weight *= step ? fraction[a] : 1 - fraction[a];
        }
        if (border)
            for (unsigned c = 0; c < 4; c++)
                v[c] = t->format->channel[c].kind ? s->border[c] : c == 3;
        else
            texel_at(t, level, at[0], at[1], at[2], v);
        if (q->compare)
            v[0] = holds(s->compare_op, q->reference, v[0]);
        for (unsigned c = 0; c < 4; c++)
            out[c] += weight * v[c];
    }
}

static void model(const struct weft_texture *t, const weft_sampler *s, const struct query *q, double lod, double out[4])
{
    lod = fmin(fmax(lod + s->lod_bias, s->min_lod), s->max_lod);
    weft_filter filter = lod <= 0 ? s->mag_filter : s->min_filter;
    double last = t->levels - 1;
    if (s->mip_filter == WEFT_MIP_NONE)
        lod = 0;
    if (s->mip_filter == WEFT_MIP_NEAREST)
        lod = floor(fmax(lod, 0) + 0.5);
    lod = fmin(fmax(lod, 0), last);
    double a[4], b[4], f = lod - floor(lod);
    model_level(t, s, filter, (uint32_t)lod, q, a);
    model_level(t, s, filter, (uint32_t)fmin(floor(lod) + 1, last), q, b);
    for (unsigned c = 0; c < 4; c++)
        out[c] = a[c] + f * (b[c] - a[c]);
}

static weft_sampler random_sampler(struct test_rng *rng)
{
    static const weft_wrap wraps[] = {WEFT_WRAP_REPEAT, WEFT_WRAP_MIRROR_REPEAT, WEFT_WRAP_CLAMP_TO_EDGE,
                                      WEFT_WRAP_CLAMP_TO_BORDER, WEFT_WRAP_MIRROR_CLAMP_TO_EDGE, WEFT_WRAP_CLAMP,
                                      WEFT_WRAP_MIRROR_CLAMP, WEFT_WRAP_MIRROR_CLAMP_TO_BORDER};
    weft_sampler s;
    weft_sampler_init(&s);
    s.wrap_s = wraps[test_next(rng) % 8];
    s.wrap_t = wraps[test_next(rng) % 8];
    s.wrap_r = wraps[test_next(rng) % 8];
    s.min_filter = test_next(rng) % 2 ? WEFT_LINEAR : WEFT_NEAREST;
    s.mag_filter = test_next(rng) % 2 ? WEFT_LINEAR : WEFT_NEAREST;
    s.mip_filter = (weft_mip_filter)(test_next(rng) % 3);
    for (unsigned c = 0; c < 4; c++)
        s.border[c] = (float)random_unit(rng);
    return s;
}

/* A coordinate that is not near a place where texels change hands, for sizes that are powers of two up to 64. */
static float random_coordinate(struct test_rng *rng)
{
    return (float)((floor(random_unit(rng) * 512) + 0.25 + random_unit(rng) / 2) / 128 - 1.5);
}

static void assert_close(double got, double want, const char *what)
{
    if (!(fabs(got - want) < 2e-5))
        fail_msg("%s: %g, not %g", what, got, want);
}

/* ---- kinds ---- */

static void check_kind(struct texture_desc d, unsigned axes, struct test_rng *rng)
{
    struct weft_texture *t = make(FORMAT_R32G32B32A32_SFLOAT, d, rng);
    for (unsigned n = 0; n < 300; n++) {
        weft_sampler s = random_sampler(rng);
        struct ir_texture op = {.op = IR_TEX_LOD, .dim = d.dim, .array = d.array};
        struct rows r;
        float layers[LANES];
        for (unsigned i = 0; i < LANES; i++) {
            unsigned arg = 0;
            for (; arg < axes; arg++)
                r.in[arg][i] = random_coordinate(rng);
            layers[i] = (float)(random_unit(rng) * 8 - 2);
            if (d.array)
                r.in[arg++][i] = layers[i];
            r.in[arg][i] = (float)(floor(random_unit(rng) * 100) / 16 - 1.03125);
        }
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            struct query q = {.axes = axes};
            double want[4];
            for (unsigned a = 0; a < axes; a++)
                q.c[a] = r.in[a][i];
            if (d.array)
                q.slice = (int64_t)fmin(fmax(floor(layers[i] + 0.5), 0), d.layers - 1);
            model(t, &s, &q, r.in[axes + d.array][i], want);
            for (unsigned c = 0; c < 4; c++)
                assert_close(result(&r, c, i), want[c], texture_kind_name(d.dim, d.array));
        }
    }
    weft_texture_free(t);
}

static void dimensions_and_arrays(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("kinds");
    check_kind((struct texture_desc){.dim = IR_TEX_1D, .width = 32}, 1, &rng);
    check_kind((struct texture_desc){.dim = IR_TEX_1D, .array = true, .width = 16, .layers = 4}, 1, &rng);
    check_kind((struct texture_desc){.dim = IR_TEX_2D, .width = 16, .height = 8}, 2, &rng);
    check_kind((struct texture_desc){.dim = IR_TEX_2D, .array = true, .width = 8, .height = 32, .layers = 5}, 2, &rng);
    check_kind((struct texture_desc){.dim = IR_TEX_3D, .width = 16, .height = 8, .depth = 4}, 3, &rng);
}

static void formats_and_swizzles(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("formats");
    const enum format_id ids[] = {FORMAT_R8_UNORM, FORMAT_B8G8R8A8_SRGB, FORMAT_R16G16_SFLOAT,
                                  FORMAT_B10G11R11_UFLOAT_PACK32, FORMAT_R5G6B5_UNORM_PACK16};
    const uint8_t swizzle[4] = {SWIZZLE_A, SWIZZLE_ZERO, SWIZZLE_R, SWIZZLE_ONE};
    for (unsigned k = 0; k < 5; k++) {
        struct texture_desc d = {.dim = IR_TEX_3D, .width = 4, .height = 4, .depth = 2};
        struct weft_texture *t = make(ids[k], d, &rng);
        memcpy(t->swizzle, swizzle, sizeof swizzle);
        weft_sampler s = random_sampler(&rng);
        s.min_filter = s.mag_filter = WEFT_LINEAR;
        struct ir_texture op = {.op = IR_TEX_LOD, .dim = IR_TEX_3D, .zero_lod = true};
        struct rows r;
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned a = 0; a < 3; a++)
                r.in[a][i] = random_coordinate(&rng);
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            struct query q = {.axes = 3, .c = {r.in[0][i], r.in[1][i], r.in[2][i]}};
            double want[4];
            model(t, &s, &q, 0, want);
            assert_close(result(&r, 0, i), want[3], "alpha");
            assert_close(result(&r, 1, i), 0, "zero");
            assert_close(result(&r, 2, i), want[0], "red");
            assert_close(result(&r, 3, i), 1, "one");
        }
        weft_texture_free(t);
    }
}

static void unnormalised_coordinates_are_texels(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("unnormalised");
    struct texture_desc d = {.dim = IR_TEX_RECT, .width = 13, .height = 7};
    struct weft_texture *t = make(FORMAT_R32G32B32A32_SFLOAT, d, &rng);
    for (unsigned n = 0; n < 100; n++) {
        weft_sampler s = random_sampler(&rng);
        s.wrap_s = s.wrap_t = n & 1 ? WEFT_WRAP_CLAMP_TO_EDGE : WEFT_WRAP_CLAMP_TO_BORDER;
        unsigned said_by = n >> 1 & 3; /* the sampler, the op, or the dimension */
        s.unnormalized = said_by == 0;
        struct ir_texture op = {.op = IR_TEX_LOD,
                                .zero_lod = true,
                                .texel_coords = said_by == 1,
                                .dim = said_by < 2 ? IR_TEX_2D : IR_TEX_RECT};
        struct rows r;
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned a = 0; a < 2; a++)
                r.in[a][i] = (float)(floor(random_unit(&rng) * 20) - 3 + 0.1 + 0.3 * random_unit(&rng));
        run(t, &s, &op, &r);
        s.unnormalized = 1;
        for (unsigned i = 0; i < LANES; i++) {
            struct query q = {.axes = 2, .c = {r.in[0][i], r.in[1][i]}};
            double want[4];
            model(t, &s, &q, 0, want);
            for (unsigned c = 0; c < 4; c++)
                assert_close(result(&r, c, i), want[c], "texels");
        }
    }
    weft_texture_free(t);
}

/* ---- cubes ---- */

/* Direction of a place on a face, -1 to 1, as OpenGL's table "Selection of cube map images" has it. */
static void direction(int face, double sc, double tc, double d[3])
{
    switch (face) {
    case 0: d[0] = 1, d[1] = -tc, d[2] = -sc; break;
    case 1: d[0] = -1, d[1] = -tc, d[2] = sc; break;
    case 2: d[0] = sc, d[1] = 1, d[2] = tc; break;
    case 3: d[0] = sc, d[1] = -1, d[2] = -tc; break;
    case 4: d[0] = sc, d[1] = -tc, d[2] = 1; break;
    default: d[0] = -sc, d[1] = -tc, d[2] = -1; break;
    }
}

static void centre(int face, int x, int y, int n, double d[3])
{
    direction(face, (2 * x + 1.0) / n - 1, (2 * y + 1.0) / n - 1, d);
}

/* The texel of a face, or beyond its edge the texel of another whose centre is nearest to where it would be. */
static bool cube_texel(const struct weft_texture *t, int cube, int face, int x, int y, double v[4])
{
    int n = t->level[0].width, best[3] = {face, x, y};
    bool out_x = x < 0 || x >= n, out_y = y < 0 || y >= n;
    if (out_x && out_y)
        return false;
    if (out_x || out_y) {
        double p[3], nearest = 1e9;
        centre(face, x, y, n, p);
        for (int f = 0; f < 6; f++)
            for (int j = 0; f != face && j < n; j++)
                for (int i = 0; i < n; i++) {
                    double q[3];
                    centre(f, i, j, n, q);
                    double e = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
                    if (e < nearest) {
                        nearest = e;
                        best[0] = f, best[1] = i, best[2] = j;
                    }
                }
    }
    texel_at(t, 0, best[1], best[2], cube * 6 + best[0], v);
    return true;
}

static void cube_faces_and_edges(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("cube");
    struct texture_desc d = {.dim = IR_TEX_CUBE, .array = true, .width = 4, .height = 4, .layers = 3, .levels = 1};
    struct weft_texture *t = make(FORMAT_R32G32B32A32_SFLOAT, d, &rng);
    weft_sampler s;
    weft_sampler_init(&s);
    struct ir_texture op = {.op = IR_TEX_LOD, .zero_lod = true, .dim = IR_TEX_CUBE, .array = true};
    for (unsigned n = 0; n < 2000; n++) {
        struct rows r;
        int face[LANES], cube[LANES];
        double sc[LANES], tc[LANES];
        bool linear = n & 1;
        s.min_filter = s.mag_filter = linear ? WEFT_LINEAR : WEFT_NEAREST;
        for (unsigned i = 0; i < LANES; i++) {
            double dir[3], scale = 0.1 + 3 * random_unit(&rng);
            face[i] = (int)(test_next(&rng) % 6);
            cube[i] = (int)(test_next(&rng) % 3);
            sc[i] = floor(random_unit(&rng) * 8) / 4 - 1 + 0.01 + 0.23 * random_unit(&rng);
            tc[i] = floor(random_unit(&rng) * 8) / 4 - 1 + 0.01 + 0.23 * random_unit(&rng);
            direction(face[i], sc[i], tc[i], dir);
            for (unsigned a = 0; a < 3; a++)
                r.in[a][i] = (float)(dir[a] * scale);
            r.in[3][i] = (float)cube[i];
        }
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            double u = (sc[i] + 1) * 2, v = (tc[i] + 1) * 2, want[4] = {0, 0, 0, 0}, texel[4][4];
            if (!linear) {
                cube_texel(t, cube[i], face[i], (int)floor(u), (int)floor(v), want);
            } else {
                int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5), missing = -1;
                double fx = u - 0.5 - x, fy = v - 0.5 - y;
                const double w[4] = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy};
                for (int k = 0; k < 4; k++)
                    if (!cube_texel(t, cube[i], face[i], x + (k & 1), y + (k >> 1), texel[k]))
                        missing = k;
                for (unsigned c = 0; c < 4; c++) {
                    double sum = 0;
                    for (int k = 0; k < 4; k++)
                        sum += k == missing ? 0 : texel[k][c];
                    if (missing >= 0)
                        texel[missing][c] = sum / 3;
                    for (int k = 0; k < 4; k++)
                        want[c] += w[k] * texel[k][c];
                }
            }
            for (unsigned c = 0; c < 4; c++)
                assert_close(result(&r, c, i), want[c], linear ? "cube, linear" : "cube, nearest");
        }
    }
    weft_texture_free(t);
}

static void ties_between_faces_go_to_x_then_y(void **state)
{
    (void)state;
    float place[2];
    assert_int_equal(cube_face((const float[3]){1, 1, 1}, place), 0);
    assert_int_equal(cube_face((const float[3]){-1, 1, -1}, place), 1);
    assert_int_equal(cube_face((const float[3]){0.5f, 1, -1}, place), 2);
    assert_int_equal(cube_face((const float[3]){0, -1, 1}, place), 3);
    assert_int_equal(cube_face((const float[3]){0, 0.5f, 1}, place), 4);
    assert_int_equal(cube_face((const float[3]){0, 0.5f, -1}, place), 5);
}

/* ---- comparison ---- */

static void comparisons_come_before_the_filter(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("compare");
    struct texture_desc d = {.dim = IR_TEX_2D, .width = 8, .height = 8, .levels = 1};
    struct weft_texture *depth[2] = {make(FORMAT_D32_SFLOAT, d, &rng), make(FORMAT_D16_UNORM, d, &rng)};
    for (unsigned n = 0; n < 400; n++) {
        const struct weft_texture *t = depth[n & 1];
        weft_sampler s = random_sampler(&rng);
        s.compare = 1;
        s.compare_op = (weft_compare)(n / 2 % 8);
        struct ir_texture op = {.op = IR_TEX_LOD, .zero_lod = true, .dim = IR_TEX_2D, .shadow = true};
        struct rows r;
        for (unsigned i = 0; i < LANES; i++) {
            double v[4];
            r.in[0][i] = random_coordinate(&rng);
            r.in[1][i] = random_coordinate(&rng);
            texel_at(t, 0, i % 8, i / 8, 0, v);
            r.in[2][i] = i % 3 ? (float)(random_unit(&rng) * 1.5 - 0.25) : (float)v[0]; /* equal now and then */
        }
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            double ref = r.in[2][i], want[4];
            if (n & 1) /* unorm */
                ref = fmin(fmax(ref, 0), 1);
            struct query q = {.axes = 2, .c = {r.in[0][i], r.in[1][i]}, .compare = true, .reference = ref};
            model(t, &s, &q, 0, want);
            assert_close(result(&r, 0, i), want[0], "comparison");
        }
    }
    weft_texture_free(depth[0]);
    weft_texture_free(depth[1]);
}

/* ---- fetch and gather ---- */

static void fetch_reads_what_is_there_and_zero_elsewhere(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("fetch");
    struct texture_desc d = {.dim = IR_TEX_2D, .array = true, .width = 6, .height = 5, .layers = 3, .levels = 2};
    struct weft_texture *t = make(FORMAT_R16G16_SINT, d, &rng);
    weft_sampler s;
    weft_sampler_init(&s);
    for (unsigned n = 0; n < 500; n++) {
        struct ir_texture op = {.op = IR_TEX_FETCH, .dim = IR_TEX_2D, .array = true, .has_offset = true};
        struct rows r;
        int32_t v[6][LANES];
        for (unsigned i = 0; i < LANES; i++) {
            const int32_t range[6] = {9, 8, 5, 4, 5, 5};
            for (unsigned a = 0; a < 6; a++) {
                v[a][i] = (int32_t)(test_next(&rng) % (uint32_t)range[a]) - (a < 4 ? 1 : 2);
                set_int(&r, a, i, v[a][i]);
            }
        }
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            int32_t x = v[0][i] + v[4][i], y = v[1][i] + v[5][i], z = v[2][i], l = v[3][i];
            int32_t w = l ? 3 : 6, h = l ? 2 : 5;
            int16_t texel[2] = {0, 0};
            bool there = l >= 0 && l < 2 && x >= 0 && x < w && y >= 0 && y < h && z >= 0 && z < 3;
            if (there)
                memcpy(texel, texture_plane(t, (uint32_t)l, (uint32_t)z, 0) + (y * w + x) * 4, 4);
            assert_int_equal((int32_t)r.out[0][i], texel[0]);
            assert_int_equal((int32_t)r.out[1][i], texel[1]);
            assert_int_equal(r.out[2][i], 0);
            assert_int_equal(r.out[3][i], there);
        }
    }
    weft_texture_free(t);
}

static void fetch_reads_samples_slices_and_buffers(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("fetch kinds");
    weft_sampler s;
    weft_sampler_init(&s);
    struct weft_texture *ms = make(FORMAT_R32_UINT, (struct texture_desc){.dim = IR_TEX_2D, .width = 3, .height = 2,
                                                                          .samples = 4}, &rng);
    struct weft_texture *cube = make(FORMAT_R32_UINT, (struct texture_desc){.dim = IR_TEX_CUBE, .array = true,
                                                                            .width = 2, .height = 2, .layers = 2,
                                                                            .levels = 1}, &rng);
    struct weft_texture *buffer = make(FORMAT_R32_UINT, (struct texture_desc){.dim = IR_TEX_BUFFER, .width = 16}, &rng);
    struct rows r;
    struct ir_texture op = {.op = IR_TEX_FETCH, .dim = IR_TEX_2D, .multisample = true};
    for (unsigned i = 0; i < LANES; i++) {
        set_int(&r, 0, i, (int32_t)i % 3);
        set_int(&r, 1, i, (int32_t)i % 2);
        set_int(&r, 2, i, (int32_t)i / 3);
    }
    run(ms, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(r.out[0][i], i / 3 < 4 ? ((uint32_t *)ms->data)[i / 3 * 6 + i % 2 * 3 + i % 3] : 0);

    op = (struct ir_texture){.op = IR_TEX_FETCH, .dim = IR_TEX_CUBE, .array = true, .zero_lod = true};
    for (unsigned i = 0; i < LANES; i++)
        set_int(&r, 2, i, (int32_t)i - 2);
    run(cube, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++) {
        bool there = i >= 2 && i < 14 && i % 3 < 2;
        assert_int_equal(r.out[0][i], there ? ((uint32_t *)cube->data)[(i - 2) * 4 + i % 2 * 2 + i % 3] : 0);
    }

    op = (struct ir_texture){.op = IR_TEX_FETCH, .dim = IR_TEX_BUFFER};
    for (unsigned i = 0; i < LANES; i++)
        set_int(&r, 0, i, (int32_t)i * 2 - 4);
    run(buffer, &s, &op, &r);
    for (unsigned i = 0; i < LANES; i++) {
        int32_t x = (int32_t)i * 2 - 4;
        assert_int_equal(r.out[0][i], x >= 0 && x < 16 ? ((uint32_t *)buffer->data)[x] : 0);
    }
    weft_texture_free(ms);
    weft_texture_free(cube);
    weft_texture_free(buffer);
}

/* OpenGL: (i0, j1), (i1, j1), (i1, j0), (i0, j0). */
static void gather_takes_the_four_texels_of_linear(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("gather");
    struct texture_desc d = {.dim = IR_TEX_2D, .width = 8, .height = 4, .levels = 1};
    struct weft_texture *t = make(FORMAT_R32G32B32A32_SFLOAT, d, &rng);
    for (unsigned n = 0; n < 300; n++) {
        weft_sampler s = random_sampler(&rng);
        struct ir_texture op = {.op = IR_TEX_GATHER, .dim = IR_TEX_2D, .gather_component = (uint8_t)(n % 4),
                                .shadow = n % 5 == 0};
        s.compare = op.shadow;
        s.compare_op = WEFT_COMPARE_LESS;
        struct rows r;
        for (unsigned i = 0; i < LANES; i++) {
            r.in[0][i] = random_coordinate(&rng);
            r.in[1][i] = random_coordinate(&rng);
            r.in[2][i] = 0.5f;
        }
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < LANES; i++) {
            double column = position(s.wrap_s, r.in[0][i] * 8.0, 8, true);
            double row = position(s.wrap_t, r.in[1][i] * 4.0, 4, true);
            int64_t x = (int64_t)floor(column - 0.5), y = (int64_t)floor(row - 0.5);
            const int64_t at[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
            for (unsigned k = 0; k < 4; k++) {
                int64_t tx = wrapped(s.wrap_s, at[k][0], 8), ty = wrapped(s.wrap_t, at[k][1], 4);
                double v[4] = {s.border[0], s.border[1], s.border[2], s.border[3]};
                if (tx >= 0 && ty >= 0)
                    texel_at(t, 0, tx, ty, 0, v);
                assert_close(result(&r, k, i), op.shadow ? 0.5 < v[0] : v[n % 4], "gather");
            }
        }
    }
    weft_texture_free(t);
}

/* A 1D texture is a single row, which counts as both. */
static void gather_of_one_row(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("gather of one row");
    struct weft_texture *t =
        make(FORMAT_R32_SFLOAT, (struct texture_desc){.dim = IR_TEX_1D, .width = 8, .levels = 1}, &rng);
    weft_sampler s;
    weft_sampler_init(&s);
    const struct ir_texture op = {.op = IR_TEX_GATHER, .dim = IR_TEX_1D};
    struct rows r;
    for (unsigned i = 0; i < LANES; i++)
        r.in[0][i] = ((float)(i % 8) + 0.75f) / 8; /* between texels i and i + 1 */
    run(t, &s, &op, &r);
    const float *texels = (const float *)(const void *)t->data;
    for (unsigned i = 0; i < LANES; i++) {
        const float left = texels[i % 8], right = texels[(i + 1) % 8];
        assert_close(result(&r, 0, i), (double)left, "low, high");
        assert_close(result(&r, 1, i), (double)right, "high, high");
        assert_close(result(&r, 2, i), (double)right, "high, low");
        assert_close(result(&r, 3, i), (double)left, "low, low");
    }
    weft_texture_free(t);
}

/* ---- level of detail ---- */

/* Four lanes of a quad whose coordinates change by (dx, dy) per pixel. */
static void quads(struct rows *r, unsigned axes, const double at[3], const double dx[3], const double dy[3])
{
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned a = 0; a < axes; a++)
            r->in[a][i] = (float)(at[a] + (i & 1 ? dx[a] : 0) + (i & 2 ? dy[a] : 0));
}

static void levels_come_from_the_largest_difference(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("lod");
    struct weft_texture *t = make(FORMAT_R32_SFLOAT, (struct texture_desc){.dim = IR_TEX_3D, .width = 64, .height = 32,
                                                                           .depth = 16}, &rng);
    weft_sampler s;
    weft_sampler_init(&s);
    s.mip_filter = WEFT_MIP_LINEAR;
    s.lod_bias = 0.25f;
    s.max_lod = 4.0f;
    struct ir_texture op = {.op = IR_TEX_QUERY_LOD, .dim = IR_TEX_3D};
    for (unsigned n = 0; n < 300; n++) {
        struct rows r;
        double d[2][3], rho = 0;
        const double at[3] = {0.5, 0.25, 0.125};
        for (unsigned k = 0; k < 2; k++)
            for (unsigned a = 0; a < 3; a++) {
                d[k][a] = (random_unit(&rng) - 0.5) * pow(2, -6 + (double)(test_next(&rng) % 6));
                rho = fmax(rho, fabs(d[k][a]) * (64 >> a));
            }
        quads(&r, 3, at, d[0], d[1]);
        run(t, &s, &op, &r);
        double want = log2(rho) + 0.25;
        /* the logarithm is of 9 significant bits */
        if (!(fabs(result(&r, 1, 5) - want) < 0.003))
            fail_msg("level %g, not %g", (double)result(&r, 1, 5), want);
        assert_true(fabs(result(&r, 0, 5) - fmin(fmax(want, 0), 4)) < 0.003);
    }
    weft_texture_free(t);
}

static void sizes_and_samples(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("sizes");
    weft_sampler s;
    weft_sampler_init(&s);
    const struct {
        struct texture_desc d;
        int32_t want[4][4];
    } cases[] = {
        {{.dim = IR_TEX_1D, .array = true, .width = 8, .layers = 3}, {{8, 3, 0, 4}, {4, 3, 0, 4}, {2, 3, 0, 4}}},
        {{.dim = IR_TEX_2D, .width = 8, .height = 5}, {{8, 5, 0, 4}, {4, 2, 0, 4}, {2, 1, 0, 4}}},
        {{.dim = IR_TEX_3D, .width = 8, .height = 5, .depth = 4}, {{8, 5, 4, 4}, {4, 2, 2, 4}, {2, 1, 1, 4}}},
        {{.dim = IR_TEX_CUBE, .array = true, .width = 4, .height = 4, .layers = 2},
         {{4, 4, 2, 3}, {2, 2, 2, 3}, {1, 1, 2, 3}}},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct weft_texture *t = make(FORMAT_R8_UNORM, cases[k].d, &rng);
        struct ir_texture op = {.op = IR_TEX_QUERY_SIZE, .dim = cases[k].d.dim, .array = cases[k].d.array};
        struct rows r;
        for (unsigned i = 0; i < LANES; i++)
            set_int(&r, 0, i, (int32_t)i % 4 == 3 ? 9 : (int32_t)i % 4);
        run(t, &s, &op, &r);
        for (unsigned i = 0; i < 4; i++)
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(r.out[c][i], i == 3 ? (c == 3 ? cases[k].want[0][3] : 0) : cases[k].want[i][c]);
        weft_texture_free(t);
    }
    struct texture_desc d = {.dim = IR_TEX_2D, .width = 2, .height = 2, .samples = 4};
    struct weft_texture *t = make(FORMAT_R8_UNORM, d, &rng);
    struct ir_texture op = {.op = IR_TEX_QUERY_SAMPLES, .dim = IR_TEX_2D, .multisample = true};
    struct rows r;
    run(t, &s, &op, &r);
    assert_int_equal(r.out[0][0], 4);
    op.op = IR_TEX_QUERY_POS;
    for (unsigned i = 0; i < LANES; i++)
        set_int(&r, 0, i, (int32_t)i);
    run(t, &s, &op, &r);
    const float x[4] = {-0.125f, 0.375f, -0.375f, 0.125f}, y[4] = {-0.375f, -0.125f, 0.125f, 0.375f};
    for (unsigned i = 0; i < LANES; i++) {
        assert_true(result(&r, 0, i) == (i < 4 ? x[i] : 0));
        assert_true(result(&r, 1, i) == (i < 4 ? y[i] : 0));
    }
    weft_texture_free(t);
    /* A texture without samples has none, and they are nowhere. */
    d.samples = 1;
    t = make(FORMAT_R8_UNORM, d, &rng);
    op.multisample = false;
    run(t, &s, &op, &r);
    assert_true(result(&r, 0, 0) == 0 && result(&r, 1, 0) == 0);
    op.op = IR_TEX_QUERY_SAMPLES;
    run(t, &s, &op, &r);
    assert_int_equal(r.out[0][0], 0);
    weft_texture_free(t);
}

/* EXT_texture_filter_anisotropic, with the kernels' rows (2D) and lane by lane (an array of one layer). */
static void anisotropy_averages_along_the_longer_edge(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("anisotropy");
    struct texture_desc d = {.dim = IR_TEX_2D, .width = 64, .height = 64};
    struct weft_texture *t = make(FORMAT_R32G32B32A32_SFLOAT, d, &rng), layered;
    layered = *t;
    layered.array = true;
    for (unsigned n = 0; n < 400; n++) {
        struct rows r;
        weft_sampler s;
        weft_sampler_init(&s);
        s.min_filter = s.mag_filter = WEFT_LINEAR;
        s.mip_filter = n % 3 ? WEFT_MIP_LINEAR : WEFT_MIP_NONE;
        s.max_anisotropy = (float)(2 << n % 4);
        double dx[3] = {0}, dy[3] = {0}, at[3] = {random_unit(&rng), random_unit(&rng), 0};
        double angle = random_unit(&rng) * 6.28, longer = pow(2, random_unit(&rng) * 4),
               ratio = 1.1 + 20 * random_unit(&rng);
        dx[0] = longer * cos(angle) / 64, dx[1] = longer * sin(angle) / 64;
        dy[0] = -longer / ratio * sin(angle) / 64, dy[1] = longer / ratio * cos(angle) / 64;
        if (n & 1)
            for (unsigned a = 0; a < 2; a++) {
                double swap = dx[a];
                dx[a] = dy[a], dy[a] = swap;
            }
        const double *along = n & 1 ? dy : dx;
        double count = longer > 1 ? fmin(ceil(ratio), s.max_anisotropy) : 1;
        if (fabs(ratio - floor(ratio + 0.5)) < 0.01 || fabs(longer - 1) < 0.01)
            continue;
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned a = 0; a < 2; a++) {
                r.in[a][i] = (float)at[a];
                r.in[2 + a][i] = (float)dx[a];
                r.in[4 + a][i] = (float)dy[a];
            }
        double want[4] = {0, 0, 0, 0};
        for (double k = 1; k <= count; k++) {
            struct query q = {.axes = 2};
            double v[4];
            for (unsigned a = 0; a < 2; a++)
                q.c[a] = at[a] + along[a] * (k / (count + 1) - 0.5);
            model(t, &s, &q, log2(longer / count), v);
            for (unsigned c = 0; c < 4; c++)
                want[c] += v[c] / count;
        }
        struct ir_texture op = {.op = IR_TEX_GRAD, .dim = IR_TEX_2D};
        run(t, &s, &op, &r);
        struct rows l = r;
        memmove(l.in[3], r.in[2], 4 * sizeof r.in[0]);
        memset(l.in[2], 0, sizeof l.in[2]);
        op.array = true;
        run(&layered, &s, &op, &l);
        for (unsigned c = 0; c < 4; c++) {
            if (!(fabs(result(&r, c, 3) - want[c]) < 3e-3)) /* the level has 9 bits */
                fail_msg("%g samples: %g, not %g", count, (double)result(&r, c, 3), want[c]);
            assert_close(result(&l, c, 3), result(&r, c, 3), "lane by lane");
        }
    }
    weft_texture_free(t);
}

static void unbound_textures_are_zero(void **state)
{
    (void)state;
    weft_sampler s;
    weft_sampler_init(&s);
    struct rows r;
    memset(&r, 0, sizeof r);
    for (unsigned op = IR_TEX_SAMPLE; op <= IR_TEX_QUERY_POS; op++) {
        struct ir_texture t = {.op = (uint8_t)op, .dim = IR_TEX_2D};
        run(NULL, &s, &t, &r);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(r.out[c][7], 0);
    }
}

TEST_MAIN(TEST(dimensions_and_arrays), TEST(formats_and_swizzles), TEST(unnormalised_coordinates_are_texels),
          TEST(cube_faces_and_edges), TEST(ties_between_faces_go_to_x_then_y), TEST(comparisons_come_before_the_filter),
          TEST(fetch_reads_what_is_there_and_zero_elsewhere), TEST(fetch_reads_samples_slices_and_buffers),
          TEST(gather_takes_the_four_texels_of_linear), TEST(gather_of_one_row),
          TEST(levels_come_from_the_largest_difference), TEST(sizes_and_samples),
          TEST(anisotropy_averages_along_the_longer_edge), TEST(unbound_textures_are_zero))
