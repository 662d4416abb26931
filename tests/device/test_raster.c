/* Which pixels triangles cover, and the planes they are shaded with. fragment_block and fragment_window are this file's
 * own: they record. */
#include "test.h"

#include "device/primitive.h"

#include <math.h>

enum { SIZE = 128 };

static unsigned covered[SIZE][SIZE];
static bool windows;       /* small triangles come as windows */
static unsigned windows_seen;

void fragment_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes, int32_t x,
                    int32_t y, lane_mask mask)
{
    (void)s, (void)shading, (void)planes;
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        if (mask >> i & 1) {
            int32_t px = x + (int32_t)lane_x(i), py = y + (int32_t)lane_y(i);
            assert_true(px >= 0 && px < SIZE && py >= 0 && py < SIZE);
            covered[py][px]++;
        }
}

void fragment_window(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes,
                     int32_t x, int32_t y, lane_mask mask)
{
    assert_true(windows && x % 2 == 0 && y % 2 == 0);
    windows_seen++;
    fragment_block(s, shading, planes, x, y, mask);
}

/* Clip space is window space here: x and y in pixels, w as given. */
struct scene {
    struct pipeline p;
    struct ir_program ir;
    struct ir_slot inputs[2], outputs[3];
    uint16_t link[2];
    struct vertices v;
    float rows[3 * 4 * 64];
    struct batch batch;
};

static struct scene *scene_new(void)
{
    struct scene *s = calloc(1, sizeof *s);
    s->inputs[0] = (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_PERSPECTIVE, .mask = 15};
    s->inputs[1] = (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = 1, .interp = IR_INTERP_LINEAR, .mask = 15};
    s->outputs[0] = (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 15};
    s->ir.io = (struct ir_io){.inputs = s->inputs, .ninputs = 2};
    s->link[0] = 1;
    s->link[1] = 2;
    s->p.fragment.ir = &s->ir;
    s->p.link = s->link;
    s->p.viewport[0] = (struct viewport){.scale = {1, 1, 0.5}, .translate = {0, 0, 0.5}, .area = {0, 0, SIZE, SIZE},
                                         .depth_max = 1};
    s->p.scissor = (struct rect){0, 0, SIZE, SIZE};
    s->p.front_positive = true;
    s->v = (struct vertices){.count = 64, .slots = 3, .slot = s->outputs, .rows = s->rows};
    return s;
}

static void scene_free(struct scene *s)
{
    free(s->batch.triangles);
    free(s->batch.shadings);
    free(s->batch.planes);
    free(s);
}

static void set(struct scene *s, uint32_t vertex, uint32_t slot, float x, float y, float z, float w)
{
    const float v[4] = {x, y, z, w};
    for (unsigned c = 0; c < 4; c++)
        vertex_row(&s->v, 0, slot, c)[vertex] = v[c];
}

static const struct shading *draw(struct scene *s, uint32_t provoking)
{
    const struct outlet outlet = outlet_find(s->outputs, 3, NULL);
    const struct setup setup = {.p = &s->p, .v = &s->v, .outlet = &outlet, .link = s->link, .out = &s->batch};
    s->batch.ntriangles = s->batch.nshadings = s->batch.nplanes = 0;
    assert_true(setup_primitive(&setup, &(struct primitive){{0, 1, 2}, provoking, 3, 7, 0}));
    for (size_t i = 0; i < s->batch.ntriangles; i++) {
        const struct triangle *t = &s->batch.triangles[i];
        for (int32_t y = 0; y < SIZE; y += PIPELINE_TILE)
            for (int32_t x = 0; x < SIZE; x += PIPELINE_TILE) {
                struct rect tile = {x, y, x + PIPELINE_TILE, y + PIPELINE_TILE};
                const struct device_kernels *kernels = device_kernels(EXEC_BASELINE);
                const struct shading *shading = &s->batch.shadings[t->shading];
                if (!windows || !raster_window(t, &tile, kernels, NULL, shading, s->batch.planes))
                    raster_triangle(t, &tile, &s->p.scissor, kernels, NULL, shading, s->batch.planes);
            }
    }
    return s->batch.nshadings ? s->batch.shadings : NULL;
}

static void triangle(struct scene *s, float ax, float ay, float bx, float by, float cx, float cy)
{
    set(s, 0, 0, ax, ay, 0, 1);
    set(s, 1, 0, bx, by, 0, 1);
    set(s, 2, 0, cx, cy, 0, 1);
    draw(s, 0);
}

static void expect_rows(const char *const *rows, unsigned count)
{
    for (unsigned y = 0; y < count; y++)
        for (unsigned x = 0; rows[y][x]; x++)
            if (covered[y][x] != (unsigned)(rows[y][x] == '.' ? 0 : rows[y][x] - '0'))
                fail_msg("pixel (%u, %u): covered %u times, wanted '%c'", x, y, covered[y][x], rows[y][x]);
}

static void edges_through_centres_follow_the_top_left_rule(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    memset(covered, 0, sizeof covered);
    /* x + y = 4 goes through centres: it is the right edge of this triangle, which has it not, */
    triangle(s, 0, 0, 4, 0, 0, 4);
    expect_rows((const char *[]){"111..", "11...", "1....", ".....", "....."}, 5);
    /* and the left edge of this one, in the other orientation. */
    triangle(s, 4, 0, 0, 4, 4, 4);
    expect_rows((const char *[]){"1111.", "1111.", "1111.", "1111.", "....."}, 5);
    /* A rectangle from (0.5, 0.5) to (2.5, 2.5): the top and left edges are in, the others out. */
    memset(covered, 0, sizeof covered);
    triangle(s, 0.5f, 0.5f, 2.5f, 0.5f, 0.5f, 2.5f);
    triangle(s, 0.5f, 2.5f, 2.5f, 0.5f, 2.5f, 2.5f);
    expect_rows((const char *[]){"11..", "11..", "....", "...."}, 4);
    scene_free(s);
}

static void vertices_snap_to_256ths(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    const struct {
        float left;
        const char *row;
    } cases[] = {
        {0.5f, "11"},               /* on the centre: in, as a left edge */
        {0.5f + 1.0f / 1024, "11"}, /* snaps back to the centre */
        {0.5f + 1.0f / 512, ".1"},  /* half way: up, past the centre */
        {0.5f + 1.0f / 256, ".1"},
        {0.5f - 1.0f / 256, "11"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(covered, 0, sizeof covered);
        triangle(s, cases[i].left, -8, cases[i].left, 24, 64, -8);
        expect_rows(&cases[i].row, 1);
    }
    scene_free(s);
}

static void degenerate_and_unusable_triangles_cover_nothing(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    memset(covered, 0, sizeof covered);
    triangle(s, 1, 1, 1, 1, 1, 1);
    triangle(s, 0, 0, 10, 10, 20, 20);
    triangle(s, 0, 0, 10, 0.001f, 20, 0); /* no area once snapped */
    triangle(s, NAN, 0, 50, 0, 0, 50);
    triangle(s, 0, 0, INFINITY, 0, 0, 50);
    for (unsigned i = 0; i < 3; i++)
        set(s, i, 0, i == 1 ? 50 : 0, i == 2 ? 50 : 0, 0, -1); /* behind the eye */
    draw(s, 0);
    for (unsigned i = 0; i < 3; i++)
        set(s, i, 0, i == 1 ? 50 : 0, i == 2 ? 50 : 0, 2, 1); /* beyond the far plane */
    draw(s, 0);
    set(s, 0, 0, 0, 0, 0, 0);
    set(s, 1, 0, 0, 0, 0, 0);
    set(s, 2, 0, 0, 0, 0, 0);
    draw(s, 0);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            assert_int_equal(covered[y][x], 0);
    scene_free(s);
}

/* The rule itself, in exact arithmetic, from vertices in 1/256 pixels. */
static bool inside(const int64_t v[3][2], unsigned px, unsigned py)
{
    int64_t x = (int64_t)px * 256 + 128, y = (int64_t)py * 256 + 128;
    __int128 area =
        (__int128)(v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (__int128)(v[1][1] - v[0][1]) * (v[2][0] - v[0][0]);
    if (!area)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t *a = v[i], *b = v[(i + 1) % 3], *c = v[(i + 2) % 3];
        __int128 e = (__int128)(b[0] - a[0]) * (y - a[1]) - (__int128)(b[1] - a[1]) * (x - a[0]);
        if (area < 0)
            e = -e;
        if (e < 0)
            return false;
        if (e == 0) {
            bool horizontal = a[1] == b[1];
            /* Top: the third vertex is below (larger y). Left: the third vertex is to the right, seen along the row. */
            bool top = horizontal && c[1] > a[1];
            bool left = false;
            if (!horizontal) {
                __int128 cross = (__int128)(c[0] - a[0]) * (b[1] - a[1]) - (__int128)(c[1] - a[1]) * (b[0] - a[0]);
                left = b[1] > a[1] ? cross > 0 : cross < 0;
            }
            if (!top && !left)
                return false;
        }
    }
    return true;
}

static void random_triangles_match_exact_arithmetic(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("random triangles");
    struct scene *s = scene_new();
    windows_seen = 0;
    for (unsigned round = 0; round < 1200; round++) {
        windows = round & 8;
        /* Small ones anywhere, ones of the screen's size, and ones that leave it far on all sides. */
        const int32_t spans[] = {9 * 256, SIZE * 256, 4000 * 256, 60000 * 256};
        int32_t span = spans[round % 4];
        int64_t v[3][2], from = round % 4 ? 0 : (int64_t)(test_next(&rng) % (SIZE * 256)) - 512;
        for (unsigned i = 0; i < 3; i++)
            for (unsigned c = 0; c < 2; c++) {
                v[i][c] = (int64_t)(test_next(&rng) % (uint32_t)span) - (span > SIZE * 256 ? span / 2 : 0) + from;
                if (round & 4) /* on centres and corners, where ties are */
                    v[i][c] &= ~(int64_t)127;
            }
        memset(covered, 0, sizeof covered);
        triangle(s, (float)v[0][0] / 256, (float)v[0][1] / 256, (float)v[1][0] / 256, (float)v[1][1] / 256,
                 (float)v[2][0] / 256, (float)v[2][1] / 256);
        for (unsigned y = 0; y < SIZE; y++)
            for (unsigned x = 0; x < SIZE; x++)
                if (covered[y][x] != inside((const int64_t(*)[2])v, x, y))
                    fail_msg("round %u: pixel (%u, %u) covered %u times", round, x, y, covered[y][x]);
    }
    windows = false;
    assert_true(windows_seen > 50);
    scene_free(s);
}

static void a_mesh_covers_every_pixel_once(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("meshes");
    struct scene *s = scene_new();
    for (unsigned round = 0; round < 40; round++) {
        enum { CELLS = 9 };
        float at[CELLS + 1][CELLS + 1][2];
        for (unsigned y = 0; y <= CELLS; y++)
            for (unsigned x = 0; x <= CELLS; x++) {
                float jitter_x = (float)(test_next(&rng) % 1024) / 256,
                      jitter_y = (float)(test_next(&rng) % 1024) / 256;
                at[y][x][0] = x == 0 ? 0 : x == CELLS ? SIZE : (float)x * SIZE / CELLS + jitter_x;
                at[y][x][1] = y == 0 ? 0 : y == CELLS ? SIZE : (float)y * SIZE / CELLS + jitter_y;
            }
        memset(covered, 0, sizeof covered);
        for (unsigned y = 0; y < CELLS; y++)
            for (unsigned x = 0; x < CELLS; x++) {
                const float *a = at[y][x], *b = at[y][x + 1], *c = at[y + 1][x], *d = at[y + 1][x + 1];
                triangle(s, a[0], a[1], b[0], b[1], c[0], c[1]);
                if (round & 1)
                    triangle(s, b[0], b[1], c[0], c[1], d[0], d[1]);
                else
                    triangle(s, c[0], c[1], b[0], b[1], d[0], d[1]);
            }
        for (unsigned y = 0; y < SIZE; y++)
            for (unsigned x = 0; x < SIZE; x++)
                if (covered[y][x] != 1)
                    fail_msg("round %u: pixel (%u, %u) covered %u times", round, x, y, covered[y][x]);
    }
    scene_free(s);
}

/* Barycentric coordinates of a pixel's ray in the plane of a clip-space triangle, from the definition. */
static bool on_ray(const double v[3][4], double px, double py, double weight[3])
{
    double m[3][3], inverse[3], det;
    for (unsigned i = 0; i < 3; i++) {
        m[i][0] = v[i][0];
        m[i][1] = v[i][1];
        m[i][2] = v[i][3];
    }
    /* weights b with sum b_i (x_i, y_i, w_i) = (px, py, 1) * t, scaled to sum 1 */
    for (unsigned i = 0; i < 3; i++) {
        const double *j = m[(i + 1) % 3], *k = m[(i + 2) % 3];
        inverse[i] = (j[1] * k[2] - k[1] * j[2]) * px + (k[0] * j[2] - j[0] * k[2]) * py + (j[0] * k[1] - k[0] * j[1]);
    }
    det = inverse[0] + inverse[1] + inverse[2];
    for (unsigned i = 0; i < 3; i++)
        weight[i] = inverse[i] / det;
    return isfinite(weight[0] + weight[1] + weight[2]);
}

static void clipping_matches_rays_through_pixels(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("clipping");
    struct scene *s = scene_new();
    unsigned hits = 0, unsure = 0;
    for (unsigned round = 0; round < 300; round++) {
        double v[3][4];
        for (unsigned i = 0; i < 3; i++) {
            float w = (float)(test_next(&rng) % 4096) / 512 - 3,
                  x = (float)(test_next(&rng) % (SIZE * 16)) / 8 - SIZE / 2.0f;
            float y = (float)(test_next(&rng) % (SIZE * 16)) / 8 - SIZE / 2.0f,
                  z = (float)(test_next(&rng) % 4096) / 512 - 3;
            if (round & 1)
                x *= w, y *= w;
            set(s, i, 0, x, y, z, w);
            v[i][0] = x, v[i][1] = y, v[i][2] = z, v[i][3] = w;
        }
        memset(covered, 0, sizeof covered);
        const struct shading *shading = draw(s, 0);
        for (unsigned py = 0; py < SIZE; py++)
            for (unsigned px = 0; px < SIZE; px++) {
                double b[3];
                assert_true(covered[py][px] <= 1);
                if (!on_ray((const double(*)[4])v, px + 0.5, py + 0.5, b)) {
                    unsure++;
                    continue;
                }
                double z = 0, w = 0, x = 0, y = 0, smallest = fmin(b[0], fmin(b[1], b[2]));
                for (unsigned i = 0; i < 3; i++)
                    z += b[i] * v[i][2], w += b[i] * v[i][3], x += b[i] * v[i][0], y += b[i] * v[i][1];
                /* Distance from every boundary; pixels within snapping error of one may be either. */
                double margin = fmin(smallest, fmin(w + z, w - z) / (fabs(w) + fabs(z)));
                bool in = margin > 0 && w > 0;
                if (fabs(margin) < 0.02) {
                    unsure++;
                } else if (in != (covered[py][px] == 1)) {
                    fail_msg("round %u: pixel (%u, %u): covered %u, weights %g %g %g z %g w %g", round, px, py,
                             covered[py][px], b[0], b[1], b[2], z, w);
                }
                if (covered[py][px] && margin > 0.02) {
                    hits++;
                    const struct exec_plane *zp = &shading->z_plane, *wp = &shading->w_plane;
                    double depth = zp->a0 + zp->dx * (double)px + zp->dy * (double)py;
                    double rw = wp->a0 + wp->dx * (double)px + wp->dy * (double)py;
                    assert_float_equal((float)depth, (float)(0.5 * z / w + 0.5), 2e-3f);
                    if (w > 0.05)
                        assert_float_equal((float)(rw * w), 1.0f, 2e-3f);
                }
            }
    }
    assert_true(hits > 50000);
    scene_free(s);
}

static float value_at(const struct exec_plane *p, int x, int y)
{
    return (p->a0 + p->dx * (float)x) + p->dy * (float)y;
}

static void perspective_and_linear_planes_have_the_values_worked_out(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    /* Window (0,0) w 1, (64,0) w 4, (0,64) w 1; u is 0, 1, 0 at them. */
    set(s, 0, 0, 0, 0, 0, 1);
    set(s, 1, 0, 64 * 4, 0, 0, 4);
    set(s, 2, 0, 0, 64, 0, 1);
    for (unsigned slot = 1; slot < 3; slot++) {
        set(s, 0, slot, 0, 8, 0, 0);
        set(s, 1, slot, 1, 8, 0, 0);
        set(s, 2, slot, 0, 8, 0, 0);
    }
    const struct shading *shading = draw(s, 0);
    assert_non_null(shading);
    assert_false(shading->w_one);
    for (int x = 0; x < 60; x += 7) {
        double across = (x + 0.5) / 64; /* on the screen */
        double w = 1 / ((1 - across) + across / 4), u = across / 4 * w;
        float got = value_at(&s->batch.planes[0], x, 2) / value_at(&shading->w_plane, x, 2);
        assert_float_equal(got, (float)u, 1e-6f);
        assert_float_equal(value_at(&s->batch.planes[4], x, 2), (float)across, 1e-6f); /* LINEAR: as on the screen */
        assert_float_equal(value_at(&s->batch.planes[1], x, 2) / value_at(&shading->w_plane, x, 2), 8.0f, 1e-5f);
    }
    scene_free(s);
}

static void planes_of_a_flat_quad_are_exact(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    set(s, 0, 0, 0, 0, 0, 1);
    set(s, 1, 0, 128, 0, 0, 1);
    set(s, 2, 0, 0, 128, 0, 1);
    set(s, 0, 1, 0, 0, 0, 0);
    set(s, 1, 1, 1, 0, 0, 0);
    set(s, 2, 1, 0, 1, 0, 0);
    const struct shading *shading = draw(s, 0);
    assert_true(shading->w_one);
    const struct exec_plane *u = &s->batch.planes[0], *v = &s->batch.planes[1];
    assert_true(u->a0 == 0.5f / 128 && u->dx == 1.0f / 128 && u->dy == 0);
    assert_true(v->a0 == 0.5f / 128 && v->dx == 0 && v->dy == 1.0f / 128);
    assert_true(shading->z_plane.a0 == 0.5f && shading->z_plane.dx == 0 && shading->z_plane.dy == 0);
    scene_free(s);
}

static void flat_inputs_keep_the_bits_of_the_provoking_vertex(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    s->inputs[0].interp = IR_INTERP_CONSTANT;
    set(s, 0, 0, 0, 0, 0, 1);
    set(s, 1, 0, 128, 0, 0, 1);
    set(s, 2, 0, 0, 128, 0, 1);
    const uint32_t bits[3] = {0x00000001u, 0xffffffffu, 0x7f812345u}; /* integers, as bits also signalling NaN */
    for (unsigned i = 0; i < 3; i++)
        memcpy(vertex_row(&s->v, 0, 1, 0) + i, &bits[i], 4);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t got;
        draw(s, i);
        memcpy(&got, &s->batch.planes[0].a0, 4);
        assert_int_equal(got, bits[i]);
    }
    scene_free(s);
}

static void facing_follows_the_area(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    set(s, 0, 0, 0, 0, 0, 1);
    set(s, 1, 0, 50, 0, 0, 1);
    set(s, 2, 0, 0, 50, 0, 1);
    assert_true(draw(s, 0)->front);
    s->p.front_positive = false;
    assert_false(draw(s, 0)->front);
    set(s, 1, 0, 0, 50, 0, 1);
    set(s, 2, 0, 50, 0, 0, 1);
    assert_true(draw(s, 0)->front);
    scene_free(s);
}

TEST_MAIN(TEST(edges_through_centres_follow_the_top_left_rule), TEST(vertices_snap_to_256ths),
          TEST(degenerate_and_unusable_triangles_cover_nothing), TEST(random_triangles_match_exact_arithmetic),
          TEST(a_mesh_covers_every_pixel_once), TEST(clipping_matches_rays_through_pixels),
          TEST(perspective_and_linear_planes_have_the_values_worked_out), TEST(planes_of_a_flat_quad_are_exact),
          TEST(flat_inputs_keep_the_bits_of_the_provoking_vertex), TEST(facing_follows_the_area))
