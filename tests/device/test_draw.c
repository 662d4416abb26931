/* Draws through the whole pipeline, with programs made by the IR builder. */
#include "test.h"

#include "levels.h"

#include "device/pipeline.h"
#include "ir/build.h"

#include <math.h>

enum { W = 40, H = 24 };

/* ---- programs ---- */

static void out(struct ir_builder *b, uint32_t slot, unsigned component, ir_value v)
{
    ir_emit(b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, slot, component, 0);
}

static ir_value interp(struct ir_builder *b, uint32_t slot, unsigned component, enum ir_interp mode)
{
    return ir_emit(b, IR_INTERP, IR_F32, mode, 1, NULL, 0, slot, component, 0);
}

static struct stage compile(struct ir_program *ir, struct arena *arena, enum exec_level level)
{
    weft_diags *diags = weft_diags_new();
    struct stage s;
    ir->insns = ARENA_ARRAY(arena, struct ir_insn, 1);
    ir->ninsns = 1;
    ir->insns[0].line = 7;
    ir->blocks[IR_ENTRY].insns = 1;
    assert_int_equal(ir_verify(ir, diags), WEFT_OK);
    assert_int_equal(stage_compile(ir, NULL, &(struct exec_options){.level = level}, arena, &s, diags), WEFT_OK);
    weft_diags_free(diags);
    return s;
}

enum extras {
    PLAIN,
    DISCARD_LEFT /* fragments with input x < 0.5 */,
    WRITE_DEPTH /* z is input z */,
    ENDLESS,
    WINDOW /* colour is POSITION */,
    SAME /* colour is (1, 2, 3, 4) */
};

/* Colour is GENERIC[0] in a mode. */
static struct stage fragment_program(struct arena *arena, enum exec_level level, enum ir_interp mode,
                                     enum extras extras)
{
    struct ir_program *ir = ir_program_new(arena, "test", IR_FRAGMENT, 64);
    struct ir_builder b = {ir, IR_ENTRY, 0};
    uint32_t in = ir_add_input(ir, (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = (uint8_t)mode, .mask = 15});
    uint32_t color = ir_add_output(ir, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    ir_value v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = extras == WINDOW ? ir_emit(&b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_X + c, 0)
               : extras == SAME ? ir_const_f32(&b, (float)c + 1)
                                : interp(&b, in, c, mode);
    if (extras == DISCARD_LEFT) {
        ir_value left = ir_op2(&b, IR_FLT, 0, v[0], ir_const_f32(&b, 0.5f));
        ir_emit(&b, IR_DISCARD, IR_VOID, 0, 0, &left, 1, 0, 0, 0);
        ir->io.uses_discard = true;
    }
    if (extras == WRITE_DEPTH) {
        uint32_t depth = ir_add_output(ir, (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 4});
        out(&b, depth, 2, v[2]);
        ir->io.writes_depth = true;
    }
    for (unsigned c = 0; c < 4; c++)
        out(&b, color, c, v[c]);
    if (extras == ENDLESS)
        ir_goto(&b, IR_ENTRY);
    else
        ir_end(&b);
    return compile(ir, arena, level);
}

/* POSITION is attribute 0, GENERIC[0] attribute 1. */
static struct stage vertex_program(struct arena *arena, enum exec_level level)
{
    struct ir_program *ir = ir_program_new(arena, "test", IR_VERTEX, 64);
    struct ir_builder b = {ir, IR_ENTRY, 0};
    const uint8_t semantics[2] = {IR_SEM_POSITION, IR_SEM_GENERIC};
    for (uint16_t i = 0; i < 2; i++) {
        uint32_t in = ir_add_input(ir, (struct ir_slot){.index = i, .mask = 15});
        uint32_t to = ir_add_output(ir, (struct ir_slot){.semantic = semantics[i], .mask = 15});
        for (unsigned c = 0; c < 4; c++)
            out(&b, to, c, ir_emit(&b, IR_ATTR, IR_F32, 0, 1, NULL, 0, in, c, 0));
    }
    ir_end(&b);
    return compile(ir, arena, level);
}

/* ---- a pipeline with its targets ---- */

struct corner {
    float position[4], value[4];
};

struct setup {
    struct arena arena;
    struct pipeline p;
    uint16_t link[1];
    float color[H][W + 1][4]; /* a pixel more than is drawn to, in each row */
    float depth[H][W];
    struct pipeline_stats stats;
};

static struct setup *setup_new(enum exec_level level, enum ir_interp mode, enum extras extras)
{
    struct setup *s = calloc(1, sizeof *s);
    struct pipeline *p = &s->p;
    p->resources.level = level;
    p->vertex = vertex_program(&s->arena, level);
    p->fragment = fragment_program(&s->arena, level, mode, extras);
    s->link[0] = 1;
    p->link = s->link;
    p->viewport[0] = viewport_make(0, 0, W, H, 0, 1, false);
    p->scissor = (struct rect){0, 0, W, H};
    p->front_positive = true;
    p->color[0] = (struct surface){&formats[FORMAT_R32G32B32A32_SFLOAT], (uint8_t *)s->color, sizeof s->color[0], W, H};
    p->clear = true;
    const float clear[4] = {-1, -2, -3, -4};
    memcpy(p->clear_color, clear, sizeof clear);
    p->clear_depth = 1;
    for (unsigned y = 0; y < H; y++)
        s->color[y][W][0] = 12345;
    return s;
}

static void with_depth(struct setup *s)
{
    s->p.depth = (struct surface){&formats[FORMAT_D32_SFLOAT], (uint8_t *)s->depth, sizeof s->depth[0], W, H};
    s->p.depth_test = s->p.depth_write = true;
    s->p.depth_op = COMPARE_LESS;
}

static void setup_free(struct setup *s)
{
    for (unsigned y = 0; y < H; y++)
        assert_true(s->color[y][W][0] == 12345);
    arena_free(&s->arena);
    free(s);
}

static weft_status draw_corners(struct setup *s, const struct corner *corners, uint32_t count, enum topology topology,
                                unsigned threads, weft_diags *diags)
{
    for (unsigned i = 0; i < 2; i++)
        s->p.attribute[i] = (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)corners,
                                               count * sizeof *corners, i * 16, sizeof *corners};
    s->p.vertex_count = count;
    s->p.topology = topology;
    struct pool *pool = pool_new(threads);
    s->stats = (struct pipeline_stats){0};
    weft_status status = pipeline_draw(&s->p, pool, &s->stats, diags);
    pool_free(pool);
    return status;
}

static void draw(struct setup *s, const struct corner *corners, uint32_t count, enum topology topology)
{
    assert_int_equal(draw_corners(s, corners, count, topology, 1, NULL), WEFT_OK);
}

static const struct corner quad[4] = {{{-1, -1, 0, 1}, {0, 0, 0, 1}},
                                      {{1, -1, 0, 1}, {1, 0, 0, 1}},
                                      {{-1, 1, 0, 1}, {0, 1, 0, 1}},
                                      {{1, 1, 0, 1}, {1, 1, 0, 1}}};

/* ---- tests ---- */

static void a_quad_interpolates_over_every_pixel(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    draw(s, quad, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            assert_float_equal(s->color[y][x][0], ((float)x + 0.5f) / W, 1e-6f);
            assert_float_equal(s->color[y][x][1], ((float)y + 0.5f) / H, 1e-6f);
            assert_true(s->color[y][x][2] == 0 && s->color[y][x][3] == 1);
        }
    assert_int_equal(s->stats.vertices, 4);
    assert_int_equal(s->stats.primitives, 2);
    assert_int_equal(s->stats.fragments, W * H);
    setup_free(s);
}

static void pixels_outside_keep_the_clear_colour(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    /* Window (10, 6) to (30, 18). */
    struct corner c[4];
    memcpy(c, quad, sizeof c);
    for (unsigned i = 0; i < 4; i++)
        c[i].position[0] *= 0.5f, c[i].position[1] *= 0.5f;
    draw(s, c, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            bool in = x >= 10 && x < 30 && y >= 6 && y < 18;
            assert_true(s->color[y][x][3] == (in ? 1 : -4));
        }
    /* Without clearing, what was there stays. */
    s->p.clear = false;
    s->color[0][0][0] = 99;
    draw(s, c, 4, TRIANGLE_STRIP);
    assert_true(s->color[0][0][0] == 99 && s->color[0][1][0] == -1);
    setup_free(s);
}

static void later_triangles_win_without_a_depth_test(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    struct corner c[6] = {{{-1, -1, 0, 1}, {1, 0, 0, 0}}, {{3, -1, 0, 1}, {1, 0, 0, 0}}, {{-1, 3, 0, 1}, {1, 0, 0, 0}},
                          {{-1, -1, 0, 1}, {2, 0, 0, 0}}, {{3, -1, 0, 1}, {2, 0, 0, 0}}, {{-1, 3, 0, 1}, {2, 0, 0, 0}}};
    draw(s, c, 6, TRIANGLE_LIST);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_true(s->color[y][x][0] == 2);
    setup_free(s);
}

static void the_nearer_fragment_wins_with_one(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    with_depth(s);
    /* The first slopes from z = -1 at the left to 1 at the right, the second is level at z = 0: they meet in the
     * middle. The third is as far as the second: not less. */
    struct corner c[9] = {
        {{-1, -1, -1, 1}, {1, 0, 0, 0}}, {{3, -1, 3, 1}, {1, 0, 0, 0}}, {{-1, 3, -1, 1}, {1, 0, 0, 0}},
        {{-1, -1, 0, 1}, {2, 0, 0, 0}},  {{3, -1, 0, 1}, {2, 0, 0, 0}}, {{-1, 3, 0, 1}, {2, 0, 0, 0}},
        {{-1, -1, 0, 1}, {3, 0, 0, 0}},  {{3, -1, 0, 1}, {3, 0, 0, 0}}, {{-1, 3, 0, 1}, {3, 0, 0, 0}}};
    draw(s, c, 9, TRIANGLE_LIST);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            assert_true(s->color[y][x][0] == (x < W / 2 ? 1 : 2));
            assert_float_equal(s->depth[y][x], x < W / 2 ? ((float)x + 0.5f) / W : 0.5f, 1e-6f);
        }
    setup_free(s);
}

static void discarded_fragments_leave_colour_and_depth(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, DISCARD_LEFT);
    with_depth(s);
    draw(s, quad, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            assert_true(s->color[y][x][3] == (x < W / 2 ? -4 : 1));
            assert_true(s->depth[y][x] == (x < W / 2 ? 1.0f : 0.5f));
        }
    setup_free(s);
}

static void a_written_depth_is_what_is_tested(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, WRITE_DEPTH);
    with_depth(s);
    struct corner c[8];
    memcpy(c, quad, sizeof quad);
    memcpy(c + 4, quad, sizeof quad);
    /* Written depths: 0.25 over the first, 0 to 1 across the second, which otherwise lies in front. */
    for (unsigned i = 0; i < 4; i++) {
        c[i].value[2] = 0.25f;
        c[4 + i].position[2] = -1;
        c[4 + i].value[2] = c[4 + i].value[0];
        c[4 + i].value[3] = 2;
    }
    const uint32_t indices[12] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7};
    s->p.indices = indices;
    s->p.index_count = 12;
    draw(s, c, 8, TRIANGLE_LIST);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_true(s->color[y][x][3] == (x < W / 4 ? 2 : 1));
    setup_free(s);
}

static void flat_inputs_come_from_the_provoking_vertex(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_CONSTANT, PLAIN);
    struct corner c[4];
    memcpy(c, quad, sizeof c);
    for (unsigned i = 0; i < 4; i++)
        c[i].value[0] = (float)i;
    draw(s, c, 4, TRIANGLE_STRIP);
    /* The last vertex of each: 2 in the triangle at the lower left (row 0), 3 in the other. */
    assert_true(s->color[0][0][0] == 2 && s->color[H - 1][W - 1][0] == 3);
    s->p.provoking_first = true;
    draw(s, c, 4, TRIANGLE_STRIP);
    assert_true(s->color[0][0][0] == 0 && s->color[H - 1][W - 1][0] == 1);
    setup_free(s);
}

static void position_counts_from_the_chosen_row(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, WINDOW);
        s->p.origin_far_row = kind & 1;
        ((struct ir_program *)(uintptr_t)s->p.fragment.ir)->io.center_integer = kind & 2;
        s->p.fragment.few = NULL; /* it was made without the change */
        float half = kind & 2 ? 0 : 0.5f;
        draw(s, quad, 4, TRIANGLE_STRIP);
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < W; x++) {
                assert_true(s->color[y][x][0] == (float)x + half);
                assert_true(s->color[y][x][1] == (float)(kind & 1 ? H - 1 - y : y) + half);
                assert_true(s->color[y][x][2] == 0.5f && s->color[y][x][3] == 1);
            }
        setup_free(s);
    }
}

static void bad_indices_and_short_buffers_are_harmless(void **state)
{
    (void)state;
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    const uint32_t indices[6] = {0, 1, 4000000000u, 0, 1, 2};
    s->p.indices = indices;
    s->p.index_count = 6;
    draw(s, quad, 4, TRIANGLE_LIST);
    assert_true(s->color[0][0][3] == 1 && s->color[H - 1][W - 1][3] == -4);
    /* No vertices, no primitives: only the clear colour. */
    s->p.indices = NULL;
    draw(s, quad, 0, TRIANGLE_STRIP);
    assert_true(s->color[0][0][3] == -4);
    /* An attribute that ends early reads as zeros: w = 0, nothing to see. */
    s->p.vertex_count = 4;
    s->p.attribute[0].size = 20;
    struct pool *pool = pool_new(1);
    assert_int_equal(pipeline_draw(&s->p, pool, &s->stats, NULL), WEFT_OK);
    pool_free(pool);
    assert_true(s->color[0][0][3] == -4);
    setup_free(s);
}

static void endless_programs_stop_and_name_their_line(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads < 4; threads += 2) {
        struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, ENDLESS);
        weft_diags *diags = weft_diags_new();
        s->p.budget = 10000;
        assert_int_equal(draw_corners(s, quad, 4, TRIANGLE_STRIP, threads, diags), WEFT_ERROR_BUDGET);
        assert_int_equal(weft_diags_errors(diags), 1);
        assert_non_null(strstr(weft_diags_get(diags, 0)->message, "10000"));
        assert_non_null(strstr(weft_diags_get(diags, 0)->message, "line 7"));
        weft_diags_free(diags);
        setup_free(s);
    }
}

/* Twenty thousand triangles, some through the eye, in depth: the same bits for any number of threads and any level. */
static void threads_and_levels_give_the_same_bits(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("scene");
    enum { TRIANGLES = 20000 };
    struct corner *c = calloc(TRIANGLES * 3, sizeof *c);
    for (unsigned i = 0; i < TRIANGLES * 3; i++) {
        bool near = i / 3 % 50 == 0;
        for (unsigned k = 0; k < 4; k++) {
            float spread = near ? 4 : 0.3f,
                  centre = near ? 0 : (float)(int32_t)(i / 3 * 2654435761u >> (4 * k + 4) & 255) / 128 - 1;
            c[i].position[k] = centre + spread * ((float)(test_next(&rng) >> 8) / (1 << 24) - 0.5f);
            c[i].value[k] = (float)(test_next(&rng) >> 8) / (1 << 24);
        }
        c[i].position[3] = near ? c[i].position[3] : 1 + fabsf(c[i].position[3]);
    }
    struct setup *first = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, DISCARD_LEFT);
    with_depth(first);
    assert_int_equal(draw_corners(first, c, TRIANGLES * 3, TRIANGLE_LIST, 1, NULL), WEFT_OK);
    assert_true(first->stats.fragments > 2000);
    const unsigned threads[] = {2, 7, 1};
    for (unsigned i = 0; i < 3; i++)
        for (int level = EXEC_BASELINE; level < EXEC_LEVELS; level++) {
            if (!exec_level_usable((enum exec_level)level))
                continue;
            struct setup *s = setup_new((enum exec_level)level, IR_INTERP_PERSPECTIVE, DISCARD_LEFT);
            with_depth(s);
            assert_int_equal(draw_corners(s, c, TRIANGLES * 3, TRIANGLE_LIST, threads[i], NULL), WEFT_OK);
            assert_memory_equal(first->color, s->color, sizeof s->color);
            assert_memory_equal(first->depth, s->depth, sizeof s->depth);
            assert_memory_equal(&first->stats, &s->stats, sizeof s->stats);
            setup_free(s);
        }
    setup_free(first);
    free(c);
}

/* Triangles of a few pixels each, drawn with and without the forms of the program for few quads. */
static void few_quads_are_the_same_bits(void **state)
{
    (void)state;
    enum { TRIANGLES = 600 };
    struct test_rng rng = test_seed("few quads");
    struct corner *c = calloc(TRIANGLES * 3, sizeof *c);
    for (unsigned i = 0; i < TRIANGLES; i++) {
        float size = i % 8 ? 0.35f : 2.0f, centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = (float)(test_next(&rng) % 2001) / 1000 - 1;
        for (unsigned v = 0; v < 3; v++) {
            struct corner *at = &c[3 * i + v];
            at->position[3] = 1 + (float)(test_next(&rng) % 1000) / 500;
            for (unsigned k = 0; k < 3; k++)
                at->position[k] = (centre[k] * 0.9f + size * ((float)(test_next(&rng) % 1000) / 2000 - 0.25f)) *
                                  at->position[3];
            for (unsigned k = 0; k < 4; k++)
                at->value[k] = (float)(test_next(&rng) % 1000) / 1000;
        }
    }
    for (int level = EXEC_BASELINE; level < EXEC_LEVELS; level++)
        for (int extras = PLAIN; extras <= WINDOW; extras++) {
            if (!exec_level_usable((enum exec_level)level) || extras == ENDLESS)
                continue;
            struct setup *with = setup_new((enum exec_level)level, IR_INTERP_PERSPECTIVE, (enum extras)extras);
            struct setup *without = setup_new((enum exec_level)level, IR_INTERP_PERSPECTIVE, (enum extras)extras);
            with_depth(with);
            with_depth(without);
            assert_true(with->p.fragment.few || with->p.fragment.shared);
            without->p.fragment.few = without->p.fragment.shared = NULL;
            draw(with, c, TRIANGLES * 3, TRIANGLE_LIST);
            draw(without, c, TRIANGLES * 3, TRIANGLE_LIST);
            assert_memory_equal(with->color, without->color, sizeof with->color);
            assert_memory_equal(with->depth, without->depth, sizeof with->depth);
            assert_int_equal(with->stats.fragments, without->stats.fragments);
            assert_true(with->stats.instructions < without->stats.instructions); /* lanes that run */
            setup_free(with);
            setup_free(without);
        }
    free(c);
}

/* A program that gives every fragment the same runs once for all blocks: whole ones, parts, and a target that holds
 * other numbers in between. Lanes count as if it ran for each. */
static void fills_are_what_running_gives(void **state)
{
    (void)state;
    static const struct corner triangle[3] = {{{-1, -1, 0, 1}, {0}}, {{1, -1, 0, 1}, {0}}, {{-1, 1, 0, 1}, {0}}};
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, SAME);
    draw(s, triangle, 3, TRIANGLE_LIST);
    uint64_t part = s->stats.instructions, fragments = 0;
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned c = 0; c < 4; c++) {
                bool in = s->color[y][x][c] == (float)(c + 1);
                assert_true(in || s->color[y][x][c] == -(float)(c + 1));
                fragments += in && !c;
            }
    assert_int_equal(s->stats.fragments, fragments);
    draw(s, quad, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned c = 0; c < 4; c++)
                assert_true(s->color[y][x][c] == (float)(c + 1));
    assert_int_equal(s->stats.fragments, W * H);
    assert_true(part && s->stats.instructions > part);

    struct setup *other = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, PLAIN);
    other->p.fragment.shared = NULL; /* blocks that are not whole run by themselves */
    draw(other, quad, 4, TRIANGLE_STRIP);
    assert_int_equal(s->stats.instructions, other->stats.instructions); /* both have one block of one instruction */
    setup_free(other);
    setup_free(s);
}

/* With blending a block is not a copy of another; and of two targets each has its own bytes. */
static void fills_blend_and_have_formats(void **state)
{
    (void)state;
    enum { STRIDE = W * 4 };
    static uint8_t bytes[H][STRIDE];
    struct setup *s = setup_new(EXEC_BASELINE, IR_INTERP_PERSPECTIVE, SAME);
    ((struct ir_program *)(uintptr_t)s->p.fragment.ir)->io.color0_all = true;
    s->p.color[1] = (struct surface){&formats[FORMAT_R8G8B8A8_UNORM], &bytes[0][0], STRIDE, W, H};
    s->p.targets.blend[0] = (struct blend_target){.blend = true,
                                                  .color_src = BLEND_ONE,
                                                  .color_dst = BLEND_ONE,
                                                  .alpha_src = BLEND_ONE,
                                                  .alpha_dst = BLEND_ONE};
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned c = 0; c < 4; c++)
                s->color[y][x][c] = (float)(x + y * W);
    s->p.clear = false;
    draw(s, quad, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned c = 0; c < 4; c++) {
                assert_true(s->color[y][x][c] == (float)(x + y * W + c + 1));
                assert_int_equal(bytes[y][4 * x + c], 255);
            }
    s->p.targets.blend[0].blend = false;
    memset(bytes, 0, sizeof bytes);
    draw(s, quad, 4, TRIANGLE_STRIP);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned c = 0; c < 4; c++)
                assert_true(s->color[y][x][c] == (float)(c + 1) && bytes[y][4 * x + c] == 255);
    setup_free(s);
}

TEST_MAIN(TEST(fills_are_what_running_gives), TEST(fills_blend_and_have_formats),
          TEST(a_quad_interpolates_over_every_pixel), TEST(pixels_outside_keep_the_clear_colour),
          TEST(later_triangles_win_without_a_depth_test), TEST(the_nearer_fragment_wins_with_one),
          TEST(discarded_fragments_leave_colour_and_depth), TEST(a_written_depth_is_what_is_tested),
          TEST(flat_inputs_come_from_the_provoking_vertex), TEST(position_counts_from_the_chosen_row),
          TEST(bad_indices_and_short_buffers_are_harmless), TEST(endless_programs_stop_and_name_their_line),
          TEST(threads_and_levels_give_the_same_bits), TEST(few_quads_are_the_same_bits))
