/* Warps that triangles share: many small triangles over each other, in one draw and by the same program made without
 * that form, which runs block by block. All that the targets hold must be the same bytes. */
#include "test.h"

#include "device/pipeline.h"
#include "ir/build.h"
#include "ir/program.h"

enum { W = 150, H = 90, TRIANGLES = 400, INPUTS = 3, TARGETS = 2, MOST_BYTES = 16 };

struct corner {
    float position[4], value[INPUTS][4];
};

/* ---- programs ---- */

static struct stage finish(struct ir_builder *b, enum exec_level level, struct arena *arena)
{
    struct stage s = {0};
    weft_diags *diags = weft_diags_new();
    b->p->blocks[IR_ENTRY].insns = 1;
    ir_end(b);
    assert_int_equal(ir_verify(b->p, diags), WEFT_OK);
    assert_int_equal(stage_compile(b->p, NULL, &(struct exec_options){.level = level}, arena, &s, diags), WEFT_OK);
    weft_diags_free(diags);
    return s;
}

static struct stage vertex_program(enum exec_level level, struct arena *arena)
{
    struct ir_builder b = {ir_program_new(arena, "test", IR_VERTEX, 64), IR_ENTRY, 0};
    for (uint16_t i = 0; i <= INPUTS; i++) {
        uint32_t in = ir_add_input(b.p, (struct ir_slot){.index = i, .mask = 15});
        uint32_t to = ir_add_output(b.p, (struct ir_slot){.semantic = i ? IR_SEM_GENERIC : IR_SEM_POSITION,
                                                          .index = i, .mask = 15});
        for (unsigned c = 0; c < 4; c++) {
            ir_value v = ir_emit(&b, IR_ATTR, IR_F32, 0, 1, NULL, 0, in, c, 0);
            ir_emit(&b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, to, c, 0);
        }
    }
    return finish(&b, level, arena);
}

/* Colours of inputs of every kind, of the place, and of a difference within the quad. */
static struct stage fragment_program(enum exec_level level, struct arena *arena)
{
    static const uint8_t ways[INPUTS] = {IR_INTERP_PERSPECTIVE, IR_INTERP_LINEAR, IR_INTERP_CONSTANT};
    struct ir_builder b = {ir_program_new(arena, "test", IR_FRAGMENT, 64), IR_ENTRY, 0};
    ir_value in[INPUTS];
    for (uint16_t i = 0; i < INPUTS; i++) {
        uint32_t slot = ir_add_input(b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)(i + 1),
                                                           .interp = ways[i], .mask = 15});
        in[i] = ir_emit(&b, IR_INTERP, IR_F32, ways[i], 1, NULL, 0, slot, i + 1, 0);
    }
    ir_value x = ir_emit(&b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_X, 0);
    ir_value y = ir_emit(&b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_Y, 0);
    ir_value place = ir_op2(&b, IR_FMUL, 0, ir_op2(&b, IR_FADD, 0, x, y), ir_const_f32(&b, 1.0f / 256));
    ir_value beside = ir_emit(&b, IR_QUAD_XOR, IR_F32, 0, 1, &in[0], 1, 0, 1, 0);
    ir_value change = ir_op2(&b, IR_FMUL, 0, ir_op2(&b, IR_FSUB, 0, beside, in[0]), ir_const_f32(&b, 8));
    const ir_value colors[TARGETS][4] = {{in[0], in[1], in[2], place}, {change, place, in[0], in[2]}};
    for (uint16_t t = 0; t < TARGETS; t++) {
        uint32_t to = ir_add_output(b.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .index = t, .mask = 15});
        for (unsigned c = 0; c < 4; c++)
            ir_emit(&b, IR_OUTPUT, IR_VOID, 0, 0, &colors[t][c], 1, to, c, 0);
    }
    b.p->io.uses_derivatives = true;
    return finish(&b, level, arena);
}

/* ---- draws ---- */

struct scene {
    struct arena arena;
    struct pipeline p;
    struct corner corner[TRIANGLES][3];
    uint8_t color[TARGETS][H][W * MOST_BYTES], depth[H][W * 8];
};

static struct scene *scene_new(enum exec_level level)
{
    struct scene *s = calloc(1, sizeof *s);
    struct pipeline *p = &s->p;
    p->resources.level = level;
    p->vertex = vertex_program(level, &s->arena);
    p->fragment = fragment_program(level, &s->arena);
    p->viewport[0] = viewport_make(0, 0, W, H, 0, 1, true);
    p->half_z = true;
    p->scissor = (struct rect){3, 2, W - 5, H - 1};
    p->topology = TRIANGLE_LIST;
    p->clear = true;
    p->clear_depth = 0.75f;
    for (unsigned i = 0; i <= INPUTS; i++)
        p->attribute[i] = (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)s->corner,
                                             sizeof s->corner, i * 16, sizeof s->corner[0][0]};
    p->vertex_count = TRIANGLES * 3;
    return s;
}

static void scene_free(struct scene *s)
{
    arena_free(&s->arena);
    free(s);
}

/* Mostly of some pixels, some of most of the picture. */
static void random_triangles(struct test_rng *rng, struct scene *s)
{
    for (unsigned n = 0; n < TRIANGLES; n++) {
        float size = n % 40 == 0 ? 1.0f : n % 5 == 0 ? 0.2f : 0.05f;
        float x = (float)(test_next(rng) % 1000) / 500 - 1, y = (float)(test_next(rng) % 1000) / 500 - 1;
        for (unsigned i = 0; i < 3; i++) {
            float w = n % 3 ? 1 + (float)(test_next(rng) % 512) / 256 : 1;
            float dx = ((float)(test_next(rng) % 1024) / 512 - 1) * size;
            float dy = ((float)(test_next(rng) % 1024) / 512 - 1) * size;
            struct corner *c = &s->corner[n][i];
            *c = (struct corner){{(x + dx) * w, (y + dy) * w, (float)(test_next(rng) % 256) / 256 * w, w}, {{0}}};
            for (unsigned k = 0; k < INPUTS * 4; k++)
                c->value[k / 4][k % 4] = (float)(test_next(rng) % 1024) / 1024;
        }
    }
}

static struct pipeline_stats draw(struct scene *s, unsigned threads)
{
    struct pipeline_stats stats = {0};
    struct pool *pool = pool_new(threads);
    memset(s->color, 0x55, sizeof s->color);
    memset(s->depth, 0, sizeof s->depth);
    assert_int_equal(pipeline_draw(&s->p, pool, &stats, NULL), WEFT_OK);
    pool_free(pool);
    return stats;
}

/* ---- states ---- */

static void bind(struct scene *s, enum format_id format)
{
    for (unsigned i = 0; i < TARGETS; i++)
        s->p.color[i] = (struct surface){&formats[format], (uint8_t *)s->color[i], sizeof s->color[i][0], W, H};
}

static void plain(struct scene *s)
{
    bind(s, FORMAT_R8G8B8A8_UNORM);
}

static void floats(struct scene *s)
{
    bind(s, FORMAT_R32G32B32A32_SFLOAT);
}

static void short_pixels(struct scene *s)
{
    bind(s, FORMAT_R5G6B5_UNORM_PACK16);
}

static void blended(struct scene *s)
{
    bind(s, FORMAT_R8G8B8A8_UNORM);
    s->p.targets.blend[0] = (struct blend_target){.blend = true, .color_src = BLEND_SRC_ALPHA,
                                                  .color_dst = BLEND_ONE_MINUS_SRC_ALPHA, .alpha_src = BLEND_ONE,
                                                  .alpha_dst = BLEND_ONE_MINUS_SRC_ALPHA};
}

static void some_components(struct scene *s)
{
    bind(s, FORMAT_R8G8B8A8_UNORM);
    s->p.targets.blend[1].keep = 5;
}

static void with_depth(struct scene *s)
{
    bind(s, FORMAT_R8G8B8A8_UNORM);
    s->p.depth = (struct surface){&formats[FORMAT_D32_SFLOAT], (uint8_t *)s->depth, sizeof s->depth[0], W, H};
    s->p.depth_test = s->p.depth_write = true;
    s->p.depth_op = COMPARE_LESS;
}

/* Each pixel takes so many fragments. */
static void with_stencil(struct scene *s)
{
    const struct stencil_face face = {.compare = COMPARE_GREATER, .reference = 3, .compare_mask = 255,
                                      .write_mask = 255, .pass = STENCIL_INCREMENT_CLAMP};
    bind(s, FORMAT_R8G8B8A8_UNORM);
    s->p.depth = (struct surface){&formats[FORMAT_D32_SFLOAT_S8_UINT], (uint8_t *)s->depth, sizeof s->depth[0], W, H};
    s->p.clear = false;
    s->p.targets.stencil_test = true;
    s->p.targets.front = s->p.targets.back = face;
}

static void (*const states[])(struct scene *) = {plain,           floats,     short_pixels, blended,
                                                 some_components, with_depth, with_stencil};

/* ---- tests ---- */

static void expect_same(enum exec_level level, unsigned state, struct test_rng *rng)
{
    struct scene *s = scene_new(level), *apart = scene_new(level);
    assert_non_null(s->p.fragment.shared);
    apart->p.fragment.shared = NULL;
    states[state](s);
    states[state](apart);
    random_triangles(rng, s);
    memcpy(apart->corner, s->corner, sizeof s->corner);
    struct pipeline_stats expected = draw(apart, 1);
    if (expected.fragments < 2000)
        fail_msg("state %u: %d fragments", state, (int)expected.fragments);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct pipeline_stats stats = draw(s, threads);
        assert_int_equal(stats.fragments, expected.fragments);
        assert_true(stats.instructions < expected.instructions); /* warps were shared */
        if (memcmp(s->color, apart->color, sizeof s->color) || memcmp(s->depth, apart->depth, sizeof s->depth))
            fail_msg("level %d, state %u: another picture", (int)level, state);
    }
    scene_free(s);
    scene_free(apart);
}

static void pictures_are_those_of_whole_blocks(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("shared warps");
    for (enum exec_level level = 0; level < EXEC_LEVELS; level++)
        for (unsigned i = 0; i < sizeof states / sizeof *states && exec_level_usable(level); i++)
            expect_same(level, i, &rng);
}

/* What may not share: who asks which face it is, or ends lanes. */
static void programs_that_do_not_share(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (unsigned kind = 0; kind < 3; kind++) {
        struct ir_builder b = {ir_program_new(&arena, "test", IR_FRAGMENT, 64), IR_ENTRY, 0};
        uint32_t slot = ir_add_input(
            b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_PERSPECTIVE, .mask = 15});
        uint32_t to = ir_add_output(b.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
        ir_value v = ir_emit(&b, IR_INTERP, IR_F32, IR_INTERP_PERSPECTIVE, 1, NULL, 0, slot, 0, 0);
        if (kind == 0)
            v = ir_emit(&b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_Z, 0);
        if (kind == 1) {
            ir_value face = ir_emit(&b, IR_SYSVAL, IR_I1, 0, 1, NULL, 0, 0, IR_SYS_FACE, 0);
            ir_emit(&b, IR_DISCARD, IR_VOID, 0, 0, &face, 1, 0, 0, 0);
            b.p->io.uses_discard = true;
        }
        if (kind == 2) /* a component in two ways */
            v = ir_op2(&b, IR_FADD, 0, v, ir_emit(&b, IR_INTERP, IR_F32, IR_INTERP_LINEAR, 1, NULL, 0, slot, 0, 0));
        ir_emit(&b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, to, 0, 0);
        struct stage stage = finish(&b, exec_best_level(), &arena);
        assert_null(stage.shared);
        assert_non_null(stage.few);
    }
    arena_free(&arena);
}

TEST_MAIN(TEST(pictures_are_those_of_whole_blocks), TEST(programs_that_do_not_share))
