/* Samples: where they are, which of them triangles cover, what is interpolated there, and what becomes of them. */
#include "test.h"

#include "device/multisample.h"
#include "device/pipeline.h"
#include "ir/build.h"

#include <math.h>

enum { W = 20, H = 12, MAX = TARGET_MAX_SAMPLES };

/* ---- a draw of triangles given in pixels ---- */

/* What the program writes to COLOR[0].x; y is SAMPLE_ID, w is 1 or alpha. */
enum program {
    ONE,
    INPUT,        /* GENERIC[0].x, interpolated as `location` says */
    WINDOW_X,     /* POSITION.x */
    MASK_IN,      /* the sample mask */
    MASK_OUT,     /* 1, with a sample mask of 5 */
    WRITE_STENCIL /* 1, with a stencil reference of 3 */
};

struct scene {
    struct arena arena;
    struct pipeline p;
    struct ir_slot slots[2];
    struct vertices vertices;
    float *rows;
    uint16_t link[1];
    float color[MAX][H][W][4];
    uint8_t depth[MAX * H * W * 8];
    struct pipeline_stats stats;
};

static void output(struct ir_builder *b, uint32_t slot, unsigned component, ir_value v)
{
    ir_emit(b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, slot, component, 0);
}

static ir_value system_value(struct ir_builder *b, enum ir_type type, uint64_t value)
{
    return ir_emit(b, IR_SYSVAL, type, 0, 1, NULL, 0, 0, value, 0);
}

static struct ir_program *build(struct arena *arena, enum program what, enum ir_location location, bool sample_id,
                                float alpha)
{
    struct ir_program *ir = ir_program_new(arena, "test", IR_FRAGMENT, 64);
    struct ir_builder b = {ir, IR_ENTRY, 0};
    uint32_t in = ir_add_input(ir, (struct ir_slot){.semantic = IR_SEM_GENERIC,
                                                    .interp = IR_INTERP_PERSPECTIVE,
                                                    .location = (uint8_t)location,
                                                    .mask = 15});
    uint32_t color = ir_add_output(ir, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    ir_value x = ir_const_f32(&b, 1), y = ir_const_f32(&b, 0);
    if (what == INPUT)
        x = ir_emit(&b, IR_INTERP, IR_F32, (unsigned)IR_INTERP_PERSPECTIVE | (unsigned)location << 4, 1, NULL, 0, in, 0,
                    0);
    if (what == WINDOW_X)
        x = system_value(&b, IR_F32, IR_SYS_FRAG_X);
    if (what == MASK_IN)
        x = ir_cvt(&b, IR_S2F, IR_F32, 0, system_value(&b, IR_I32, IR_SYS_SAMPLE_MASK));
    if (sample_id)
        y = ir_cvt(&b, IR_S2F, IR_F32, 0, system_value(&b, IR_I32, IR_SYS_SAMPLE_ID));
    output(&b, color, 0, x);
    output(&b, color, 1, y);
    output(&b, color, 2, ir_const_f32(&b, 0));
    output(&b, color, 3, ir_const_f32(&b, alpha));
    if (what == MASK_OUT) {
        uint32_t mask = ir_add_output(ir, (struct ir_slot){.semantic = IR_SEM_SAMPLEMASK, .mask = 1});
        output(&b, mask, 0, ir_as(&b, IR_F32, ir_const_i32(&b, 5)));
        ir->io.writes_samplemask = true;
    }
    if (what == WRITE_STENCIL) {
        uint32_t stencil = ir_add_output(ir, (struct ir_slot){.semantic = IR_SEM_STENCIL, .mask = 2});
        output(&b, stencil, 1, ir_as(&b, IR_F32, ir_const_i32(&b, 3)));
        ir->io.writes_stencil = true;
    }
    ir_end(&b);
    return ir;
}

static struct scene *scene_new(uint32_t samples, struct ir_program *ir, struct arena arena)
{
    struct scene *s = calloc(1, sizeof *s);
    s->arena = arena;
    struct pipeline *p = &s->p;
    weft_diags *diags = weft_diags_new();
    ir->insns = ARENA_ARRAY(&s->arena, struct ir_insn, 1);
    ir->ninsns = 1;
    ir->blocks[IR_ENTRY].insns = 1;
    assert_int_equal(ir_verify(ir, diags), WEFT_OK);
    struct exec_program *program;
    assert_int_equal(exec_compile(ir, &(struct exec_options){0}, &s->arena, &program, diags), WEFT_OK);
    weft_diags_free(diags);
    p->fragment = (struct stage){.ir = ir, .program = program};
    s->slots[0] = (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 15};
    s->slots[1] = (struct ir_slot){.semantic = IR_SEM_GENERIC, .mask = 15};
    s->rows = aligned_alloc(64, 2 * 4 * 64 * sizeof(float));
    memset(s->rows, 0, 2 * 4 * 64 * sizeof(float));
    s->vertices = (struct vertices){.slots = 2, .slot = s->slots, .rows = s->rows};
    s->link[0] = 1;
    p->link = s->link;
    p->ready = &s->vertices;
    p->viewport[0] = viewport_make(0, 0, W, H, 0, 1, true);
    p->half_z = true;
    p->scissor = (struct rect){0, 0, W, H};
    p->front_positive = true;
    p->color[0] = (struct surface){.format = &formats[FORMAT_R32G32B32A32_SFLOAT],
                                   .pixels = (uint8_t *)s->color,
                                   .stride = sizeof s->color[0][0],
                                   .width = W,
                                   .height = H,
                                   .samples = samples,
                                   .sample_stride = sizeof s->color[0]};
    p->clear = true;
    p->clear_color[0] = -1;
    p->clear_depth = 1;
    return s;
}

static struct scene *scene(uint32_t samples, enum program what, enum ir_location location)
{
    struct arena arena = {0};
    struct ir_program *ir = build(&arena, what, location, false, 1);
    return scene_new(samples, ir, arena);
}

static void with_depth(struct scene *s, enum format_id format)
{
    size_t bytes = formats[format].bytes;
    s->p.depth = (struct surface){.format = &formats[format],
                                  .pixels = s->depth,
                                  .stride = W * bytes,
                                  .width = W,
                                  .height = H,
                                  .samples = s->p.color[0].samples,
                                  .sample_stride = W * H * bytes};
}

/* A vertex at window coordinates; GENERIC[0] is (x, y). */
static void vertex(struct scene *s, float x, float y, float z)
{
    uint32_t i = s->vertices.count++;
    const float position[4] = {x * 2 / W - 1, y * 2 / H - 1, z, 1}, value[4] = {x, y, 0, 0};
    for (unsigned c = 0; c < 4; c++) {
        vertex_row(&s->vertices, 0, 0, c)[i] = position[c];
        vertex_row(&s->vertices, 0, 1, c)[i] = value[c];
    }
    s->p.vertex_count = s->vertices.count;
}

static void draw(struct scene *s)
{
    struct pool *pool = pool_new(1);
    weft_diags *diags = weft_diags_new();
    assert_int_equal(pipeline_draw(&s->p, pool, &s->stats, diags), WEFT_OK);
    weft_diags_free(diags);
    pool_free(pool);
}

static void everything(struct scene *s)
{
    vertex(s, -1, -1, 0);
    vertex(s, 3 * W, -1, 0);
    vertex(s, -1, 3 * H, 0);
}

static void scene_free(struct scene *s)
{
    free(s->rows);
    arena_free(&s->arena);
    free(s);
}

/* ---- positions and coverage ---- */

static const float wanted_positions[4][8][2] = {
    {{0.5f, 0.5f}},
    {{0.75f, 0.75f}, {0.25f, 0.25f}},
    {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}},
    {{0.5625f, 0.3125f}, {0.4375f, 0.6875f}, {0.8125f, 0.5625f}, {0.3125f, 0.1875f}, {0.1875f, 0.8125f},
     {0.0625f, 0.4375f}, {0.6875f, 0.9375f}, {0.9375f, 0.0625f}}};

static void samples_are_where_vulkan_has_them(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 1u << n; i++) {
            const struct sample_position at = sample_positions(1u << n)[i];
            assert_float_equal((float)at.x / 16, wanted_positions[n][i][0], 0);
            assert_float_equal((float)at.y / 16, wanted_positions[n][i][1], 0);
        }
    assert_null(sample_positions(3));
    assert_null(sample_positions(16));
}

/* Inside by exact integers: the side of every edge, the top-left rule where the sample is on it. */
static bool inside(int64_t v[3][2], int64_t x, int64_t y)
{
    int64_t area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[1][1] - v[0][1]) * (v[2][0] - v[0][0]);
    if (!area)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t *a = v[i], *b = v[(i + 1) % 3];
        int64_t dx = b[0] - a[0], dy = b[1] - a[1], side = dx * (y - a[1]) - dy * (x - a[0]);
        if (area < 0) {
            side = -side;
            dx = -dx;
            dy = -dy;
        }
        bool left = dy < 0, top = dy == 0 && dx > 0;
        if (side < 0 || (side == 0 && !left && !top))
            return false;
    }
    return true;
}

static void coverage_is_exact_for_each_sample(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("coverage");
    for (unsigned round = 0; round < 300; round++) {
        unsigned log = 1 + round % 3;
        struct scene *s = scene(1u << log, ONE, IR_LOC_CENTER);
        int64_t v[3][2];
        /* Every other triangle has its corners on samples, so that edges go through others. */
        int32_t step = round & 1 ? 16 : 1;
        for (unsigned i = 0; i < 3; i++) {
            v[i][0] = (int64_t)(test_next(&rng) % ((W + 4) * 256)) / step * step - 512;
            v[i][1] = (int64_t)(test_next(&rng) % ((H + 4) * 256)) / step * step - 512;
            vertex(s, (float)v[i][0] / 256, (float)v[i][1] / 256, 0);
        }
        draw(s);
        for (unsigned i = 0; i < 1u << log; i++)
            for (unsigned y = 0; y < H; y++)
                for (unsigned x = 0; x < W; x++) {
                    int64_t sx = x * 256 + (int64_t)(wanted_positions[log][i][0] * 256);
                    int64_t sy = y * 256 + (int64_t)(wanted_positions[log][i][1] * 256);
                    assert_float_equal(s->color[i][y][x][0], (inside(v, sx, sy) ? 1.0f : -1.0f), 0);
                }
        scene_free(s);
    }
}

/* ---- interpolation ---- */

static void depth_is_that_of_the_sample(void **state)
{
    (void)state;
    struct scene *s = scene(4, ONE, IR_LOC_CENTER);
    with_depth(s, FORMAT_D32_SFLOAT);
    s->p.depth_test = s->p.depth_write = true;
    s->p.depth_op = COMPARE_LESS;
    /* z = x / W */
    vertex(s, 0, 0, 0);
    vertex(s, W, 0, 1);
    vertex(s, 0, 2 * H, 0);
    draw(s);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned x = 0; x < W / 2; x++) {
            float z;
            memcpy(&z, s->depth + ((size_t)i * W * H + 2 * W + x) * 4, 4);
            assert_float_equal(z, ((float)x + wanted_positions[2][i][0]) / W, 1e-6f);
        }
    scene_free(s);
}

static void sample_inputs_are_at_samples(void **state)
{
    (void)state;
    const enum program programs[] = {INPUT, WINDOW_X};
    for (unsigned n = 0; n < 6; n++) {
        unsigned log = 1 + n % 3;
        struct arena arena = {0};
        struct ir_program *ir = build(&arena, programs[n / 3], IR_LOC_SAMPLE, true, 1);
        struct scene *s = scene_new(1u << log, ir, arena);
        everything(s);
        draw(s);
        for (unsigned i = 0; i < 1u << log; i++)
            for (unsigned y = 0; y < H; y++)
                for (unsigned x = 0; x < W; x++) {
                    assert_float_equal(s->color[i][y][x][0], (float)x + wanted_positions[log][i][0], 1e-4f);
                    assert_float_equal(s->color[i][y][x][1], i, 0);
                }
        assert_int_equal(s->stats.fragments, W * H << log);
        scene_free(s);
    }
}

static void centre_inputs_run_once(void **state)
{
    (void)state;
    struct scene *s = scene(4, INPUT, IR_LOC_CENTER);
    everything(s);
    draw(s);
    for (unsigned i = 0; i < 4; i++)
        assert_float_equal(s->color[i][5][7][0], 7.5f, 1e-4f);
    assert_int_equal(s->stats.fragments, W * H);
    scene_free(s);
    s = scene(4, INPUT, IR_LOC_CENTER);
    s->p.targets.min_sample_shading = 0.5f;
    everything(s);
    draw(s);
    assert_int_equal(s->stats.fragments, W * H * 4);
    scene_free(s);
}

static void centroids_are_covered(void **state)
{
    (void)state;
    struct scene *s = scene(4, INPUT, IR_LOC_CENTROID);
    /* The right edge is at 7.25: pixel 7 has samples 0 (0.375), 1 and 3 outside, 2 (0.125) inside. */
    vertex(s, -2, -2 * H, 0);
    vertex(s, 7.25f, -2 * H, 0);
    vertex(s, -2, 1000, 0);
    vertex(s, 7.25f, -2 * H, 0);
    vertex(s, 7.25f, 1000, 0);
    vertex(s, -2, 1000, 0);
    draw(s);
    for (unsigned y = 0; y < H; y++) {
        assert_float_equal(s->color[2][y][6][0], 6.5f, 1e-4f);
        assert_float_equal(s->color[2][y][7][0], 7.125f, 1e-4f);
        assert_float_equal(s->color[0][y][7][0], -1, 0);
    }
    scene_free(s);
}

/* ---- masks ---- */

static void masks_of_samples(void **state)
{
    (void)state;
    struct scene *s = scene(4, MASK_OUT, IR_LOC_CENTER);
    everything(s);
    draw(s);
    for (unsigned i = 0; i < 4; i++)
        assert_float_equal(s->color[i][3][3][0], (5 >> i & 1 ? 1 : -1), 0);
    scene_free(s);

    s = scene(4, MASK_IN, IR_LOC_CENTER);
    s->p.targets.has_sample_mask = true;
    s->p.targets.sample_mask = 0xfffffff6u;
    everything(s);
    draw(s);
    for (unsigned i = 0; i < 4; i++)
        assert_float_equal(s->color[i][3][3][0], (6 >> i & 1 ? 6 : -1), 0);
    scene_free(s);
}

static void alpha_becomes_coverage(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= 16; n++)
        for (unsigned log = 0; log <= 3; log++) {
            struct arena arena = {0};
            struct ir_program *ir = build(&arena, ONE, IR_LOC_CENTER, false, (float)n / 16);
            struct scene *s = scene_new(1u << log, ir, arena);
            s->p.targets.alpha_to_coverage = true;
            everything(s);
            draw(s);
            unsigned wanted = (n * (1u << log) + 8) / 16, count = 0;
            for (unsigned i = 0; i < 1u << log; i++)
                count += s->color[i][4][4][0] == 1.0f;
            assert_int_equal(count, wanted);
            scene_free(s);
        }
}

/* ---- stencil from the program, per sample ---- */

static void written_stencil_is_the_reference(void **state)
{
    (void)state;
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        struct scene *s = scene(samples, WRITE_STENCIL, IR_LOC_CENTER);
        with_depth(s, FORMAT_S8_UINT);
        s->p.targets.stencil_test = true;
        s->p.targets.front = s->p.targets.back = (struct stencil_face){.pass = STENCIL_REPLACE,
                                                                       .compare = COMPARE_GREATER,
                                                                       .compare_mask = 255,
                                                                       .write_mask = 255,
                                                                       .reference = 99};
        s->p.clear_depth = 0;
        everything(s);
        everything(s); /* does not pass again: 3 > 3 */
        s->p.targets.blend[0] = (struct blend_target){.blend = true,
                                                      .color_src = BLEND_ONE,
                                                      .color_dst = BLEND_ONE,
                                                      .alpha_src = BLEND_ONE};
        draw(s);
        for (uint32_t i = 0; i < samples; i++) {
            assert_int_equal(s->depth[i * W * H + 5 * W + 5], 3);
            assert_float_equal(s->color[i][5][5][0], 0, 0); /* -1 cleared, + 1 once */
        }
        scene_free(s);
    }
}

/* ---- layers ---- */

static void layers_choose_the_plane(void **state)
{
    (void)state;
    struct scene *s = scene(0, ONE, IR_LOC_CENTER);
    s->p.color[0].layers = 3;
    s->p.color[0].layer_stride = sizeof s->color[0];
    struct failure failure = {0};
    struct fragment_stage *stage = fragment_stage_new(&s->p, &failure);
    assert_non_null(stage);
    struct exec_plane planes[4] = {{0, 0, 0}};
    for (uint32_t layer = 1; layer < 5; layer += 3) { /* 1 is there, 4 is not */
        struct shading shading = {.w_one = true, .layer = layer, .z_high = 1};
        fragment_tile(stage, 0, 0, layer == 1);
        fragment_block(stage, &shading, planes, 0, 0, ~(lane_mask)0);
        fragment_tile_end(stage);
    }
    for (unsigned layer = 0; layer < 3; layer++) {
        assert_float_equal(s->color[layer][2][2][0], layer == 1 ? 1 : -1, 0);
        assert_float_equal(s->color[layer][2][12][0], -1, 0);
    }
    fragment_stage_free(stage, &s->stats);
    scene_free(s);
}

/* ---- clearing and resolving ---- */

static void resolves_to_the_mean(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("resolve");
    const enum format_id ids[] = {FORMAT_R8G8B8A8_UNORM, FORMAT_R8G8B8A8_SRGB, FORMAT_R32G32B32A32_SFLOAT};
    for (unsigned n = 0; n < 9; n++) {
        const struct format *f = &formats[ids[n / 3]];
        uint32_t samples = 2u << n % 3;
        uint8_t from[8 * 5 * 3 * 16], to[5 * 3 * 16];
        struct surface a = {f, from, 5u * f->bytes, 5, 3, .samples = samples, .sample_stride = 15u * f->bytes};
        struct surface b = {f, to, 5u * f->bytes, 5, 3};
        for (unsigned i = 0; i < 15 * samples; i++) {
            const float v[4] = {(float)(test_next(&rng) % 256) / 255, (float)(test_next(&rng) % 256) / 255,
                                (float)(test_next(&rng) % 256) / 255, (float)(test_next(&rng) % 256) / 255};
            format_encode(f, v, from + i * f->bytes);
        }
        surface_resolve(&a, &b);
        for (unsigned i = 0; i < 15; i++) {
            double sum[4] = {0};
            float got[4];
            for (unsigned k = 0; k < samples; k++) {
                float v[4];
                format_decode(f, from + (i + 15 * k) * f->bytes, v);
                for (unsigned c = 0; c < 4; c++)
                    sum[c] += (double)v[c];
            }
            format_decode(f, to + i * f->bytes, got);
            /* Half a step of a byte; the steps of sRGB are at most 2.4 times as wide. */
            double tolerance = n / 3 == 0 ? 0.501 / 255 : n / 3 == 1 ? 1.25 / 255 : 1e-6;
            for (unsigned c = 0; c < 4; c++)
                assert_true(fabs(sum[c] / samples - (double)got[c]) <= tolerance);
        }
    }
}

static void a_mean_that_is_known(void **state)
{
    (void)state;
    const uint8_t samples[4][4] = {{255, 0, 1, 8}, {0, 0, 1, 8}, {0, 0, 2, 8}, {0, 255, 2, 9}};
    uint8_t to[4];
    struct surface a = {&formats[FORMAT_R8G8B8A8_UNORM], (uint8_t *)samples, 4, 1, 1, .samples = 4, .sample_stride = 4};
    struct surface b = {&formats[FORMAT_R8G8B8A8_UNORM], to, 4, 1, 1};
    surface_resolve(&a, &b);
    assert_int_equal(to[0], 64);
    assert_int_equal(to[1], 64);
    assert_int_equal(to[3], 8);
    a.format = b.format = &formats[FORMAT_R8G8B8A8_UINT];
    surface_resolve(&a, &b);
    assert_memory_equal(to, samples[0], 4);
    /* In linear light half of white is 188, not 128. */
    a.format = b.format = &formats[FORMAT_R8G8B8A8_SRGB];
    const uint8_t two[2][4] = {{255, 255, 255, 255}, {0, 0, 0, 0}};
    a.pixels = (uint8_t *)two;
    a.samples = 2;
    surface_resolve(&a, &b);
    const uint8_t wanted[4] = {188, 188, 188, 128};
    assert_memory_equal(to, wanted, 4);
}

static void clears_fill_an_area(void **state)
{
    (void)state;
    uint32_t words[2][4][4] = {{{0}}};
    struct surface s = {
        &formats[FORMAT_D24_UNORM_S8_UINT], (uint8_t *)words, 16, 4, 4, .samples = 2, .sample_stride = 64};
    surface_clear_depth_stencil(&s, (struct target_rect){1, 1, 2, 2}, true, 1, false, 0);
    surface_clear_depth_stencil(&s, (struct target_rect){2, 2, 2, 2}, false, 0, true, 0xab);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(words[i][0][0], 0);
        assert_int_equal(words[i][1][1], 0x00ffffff);
        assert_int_equal(words[i][2][2], 0xabffffff);
        assert_int_equal(words[i][3][3], 0xab000000);
    }
    s.format = &formats[FORMAT_R32_SINT];
    surface_clear_color(&s, (struct target_rect){0, 0, 1, 1}, &(union target_color){.i = {-5}});
    assert_int_equal(words[1][0][0], (uint32_t)-5);
}

TEST_MAIN(TEST(samples_are_where_vulkan_has_them), TEST(coverage_is_exact_for_each_sample),
          TEST(depth_is_that_of_the_sample), TEST(sample_inputs_are_at_samples), TEST(centre_inputs_run_once),
          TEST(centroids_are_covered), TEST(masks_of_samples), TEST(alpha_becomes_coverage),
          TEST(written_stencil_is_the_reference), TEST(layers_choose_the_plane), TEST(resolves_to_the_mean),
          TEST(a_mean_that_is_known), TEST(clears_fill_an_area))
