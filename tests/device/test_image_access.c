/* Images that programs load from, store to and change, through the interpreter. */
#include "test.h"

#include "device/image_access.h"
#include "ir/build.h"
#include "ir/program.h"

enum { LANES = 64, RESULT = 12 };

/* One service whose arguments are registers 0 and up, its results 12 and up. */
struct bench {
    struct arena *arena;
    weft_diags *diags;
    struct ir_program *p;
    struct exec_env env;
    struct exec_warp *w;
    unsigned file;
    struct resources resources;
};

static void start(struct bench *t, enum ir_service service, struct ir_image image, unsigned integers, unsigned data)
{
    *t = (struct bench){.arena = calloc(1, sizeof *t->arena), .diags = weft_diags_new()};
    t->p = ir_program_new(t->arena, "test", IR_COMPUTE, LANES);
    t->file = ir_add_file(t->p, (struct ir_file){.name = "r", .bits = 32, .count = 16, .preserved = true});
    struct ir_builder b = {t->p, IR_ENTRY, 0};
    t->p->blocks[IR_ENTRY].insns = 1;
    ir_value args[12];
    enum ir_type type = image.is_float ? IR_F32 : IR_I32;
    for (unsigned i = 0; i < integers + data; i++)
        args[i] = ir_get(&b, t->file, i, i < integers ? IR_I32 : type);
    if (image.image_arg)
        args[integers + data] = ir_get(&b, t->file, integers + data, IR_I32);
    ir_value first = ir_image_op(&b, service, image, args, integers + data + image.image_arg);
    unsigned results = service == IR_SVC_IMAGE_STORE ? 0 : service == IR_SVC_IMAGE_ATOMIC ? 1 : 4;
    for (unsigned i = 0; i < results; i++)
        ir_set(&b, t->file, RESULT + i, ir_as(&b, IR_I32, first + i), 0);
    ir_end(&b);
    if (ir_verify(t->p, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    struct exec_program *x = NULL;
    struct exec_options options = {.level = EXEC_BASELINE};
    assert_int_equal(exec_compile(t->p, &options, t->arena, &x, t->diags), WEFT_OK);
    bind_resources(&t->resources, t->p, &t->env);
    t->w = exec_warp_new(x);
    assert_int_equal(exec_bind(t->w, &t->env), WEFT_OK);
}

static void finish(struct bench *t)
{
    exec_warp_free(t->w);
    weft_diags_free(t->diags);
    arena_free(t->arena);
    free(t->arena);
}

static uint32_t *reg(struct bench *t, unsigned n)
{
    return exec_warp_register(t->w, t->file, n);
}

static struct weft_texture *make(enum format_id format, struct texture_desc d)
{
    struct weft_texture *t;
    d.format = &formats[format];
    assert_int_equal(texture_create(&d, &t), WEFT_OK);
    return t;
}

static void loads_see_texels_and_zero_outside(void **state)
{
    (void)state;
    struct weft_texture *t =
        make(FORMAT_R8G8B8A8_SINT, (struct texture_desc){.dim = IR_TEX_2D, .array = true, .width = 4, .height = 3,
                                                         .layers = 2, .levels = 2});
    for (size_t i = 0; i < t->size; i++)
        t->data[i] = (uint8_t)(i * 7 + 1);
    const struct image_view view = {t, 0};
    struct bench b;
    start(&b, IR_SVC_IMAGE_LOAD, (struct ir_image){.dim = IR_TEX_2D, .array = true, .image = 3}, 3, 0);
    b.resources.images[3] = &view;
    for (unsigned i = 0; i < LANES; i++) {
        reg(&b, 0)[i] = i % 6 - 1;
        reg(&b, 1)[i] = i / 6 % 5 - 1;
        reg(&b, 2)[i] = i / 30;
    }
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
    for (unsigned i = 0; i < LANES; i++) {
        int32_t x = (int32_t)(i % 6) - 1, y = (int32_t)(i / 6 % 5) - 1, z = (int32_t)(i / 30);
        bool there = x >= 0 && x < 4 && y >= 0 && y < 3 && z < 2;
        for (unsigned c = 0; c < 4; c++) {
            int32_t want = there ? (int8_t)((((z * 3 + y) * 4 + x) * 4 + (int32_t)c) * 7 + 1) : 0;
            assert_int_equal((int32_t)reg(&b, RESULT + c)[i], want);
        }
    }
    finish(&b);
    weft_texture_free(t);
}

static void stores_leave_the_rest_alone(void **state)
{
    (void)state;
    struct weft_texture *t = make(FORMAT_R8G8B8A8_UNORM, (struct texture_desc){.dim = IR_TEX_2D, .width = 4,
                                                                                .height = 4, .levels = 2});
    const struct image_view view = {t, 1}; /* 2x2 */
    struct bench b;
    start(&b, IR_SVC_IMAGE_STORE, (struct ir_image){.dim = IR_TEX_2D, .is_float = true, .image_arg = true}, 2, 4);
    b.resources.images[5] = &view;
    const float color[4] = {1.0f, 0.5f, -1.0f, 0.2f};
    for (unsigned i = 0; i < LANES; i++) {
        reg(&b, 0)[i] = i % 8;
        reg(&b, 1)[i] = i / 8;
        for (unsigned c = 0; c < 4; c++)
            memcpy(&reg(&b, 2 + c)[i], &color[c], 4);
        reg(&b, 6)[i] = i == 1 ? 4000000000u : 5; /* no such image */
    }
    /* lane 8, texel (0, 1), is a helper */
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~((lane_mask)1 << 8), 0), EXEC_DONE);
    const uint8_t stored[4] = {255, 128, 0, 51}, none[4] = {0, 0, 0, 0};
    for (unsigned i = 0; i < 16; i++)
        assert_memory_equal(t->data + i * 4, none, 4);
    assert_memory_equal(texture_texel(t, 1, 0, 0), stored, 4);
    assert_memory_equal(texture_texel(t, 1, 1, 0), none, 4);
    assert_memory_equal(texture_texel(t, 1, 0, 1), none, 4);
    assert_memory_equal(texture_texel(t, 1, 1, 1), stored, 4);
    finish(&b);
    weft_texture_free(t);
}

/* Every lane at one texel: each sees what the lanes before it left. */
static void atomics_go_in_the_order_of_lanes(void **state)
{
    (void)state;
    struct weft_texture *t = make(FORMAT_R32_UINT, (struct texture_desc){.dim = IR_TEX_BUFFER, .width = 8});
    const struct image_view view = {t, 0};
    struct bench b;
    start(&b, IR_SVC_IMAGE_ATOMIC, (struct ir_image){.dim = IR_TEX_BUFFER, .atomic = IR_ATOMIC_ADD}, 1, 1);
    b.resources.images[0] = &view;
    for (unsigned i = 0; i < LANES; i++) {
        reg(&b, 0)[i] = i == 10 ? 8 : 2; /* lane 10 is outside */
        reg(&b, 1)[i] = i;
    }
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
    uint32_t sum = 0;
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(reg(&b, RESULT)[i], i == 10 ? 0 : sum);
        sum += i == 10 ? 0 : i;
    }
    assert_int_equal(((uint32_t *)t->data)[2], sum);
    finish(&b);

    start(&b, IR_SVC_IMAGE_ATOMIC, (struct ir_image){.dim = IR_TEX_BUFFER, .atomic = IR_ATOMIC_CAS}, 1, 2);
    b.resources.images[0] = &view;
    for (unsigned i = 0; i < LANES; i++) {
        reg(&b, 0)[i] = 2;
        reg(&b, 1)[i] = sum + i + 1; /* to store if it is */
        reg(&b, 2)[i] = sum + i;     /* this */
    }
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
    assert_int_equal(((uint32_t *)t->data)[2], sum + LANES);
    assert_int_equal(reg(&b, RESULT)[LANES - 1], sum + LANES - 1);
    finish(&b);
    weft_texture_free(t);
}

/* A run after another, so that rows of results hold something before: helper lanes of an atomic, and loads outside. */
static void results_are_0_where_nothing_is_done(void **state)
{
    (void)state;
    struct weft_texture *t = make(FORMAT_R32_UINT, (struct texture_desc){.dim = IR_TEX_BUFFER, .width = 8});
    const struct image_view view = {t, 0};
    struct bench b;
    start(&b, IR_SVC_IMAGE_ATOMIC, (struct ir_image){.dim = IR_TEX_BUFFER, .atomic = IR_ATOMIC_ADD}, 1, 1);
    b.resources.images[0] = &view;
    for (unsigned i = 0; i < LANES; i++)
        reg(&b, 0)[i] = reg(&b, 1)[i] = 1;
    ((uint32_t *)t->data)[1] = 100;
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
    assert_int_equal(reg(&b, RESULT)[8], 108);
    assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~((lane_mask)1 << 8), 0), EXEC_DONE);
    assert_int_equal(reg(&b, RESULT)[8], 0);
    assert_int_equal(reg(&b, RESULT)[9], 172);
    finish(&b);
    weft_texture_free(t);

    static const enum format_id kinds[] = {FORMAT_R8G8B8A8_UNORM, FORMAT_R32G32B32A32_SFLOAT, FORMAT_R8_UNORM};
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct weft_texture *u = make(kinds[k], (struct texture_desc){.dim = IR_TEX_2D, .width = 16, .height = 16});
        const struct image_view whole = {u, 0};
        memset(u->data, 0x3f, u->size);
        start(&b, IR_SVC_IMAGE_LOAD, (struct ir_image){.dim = IR_TEX_2D, .is_float = true}, 2, 0);
        b.resources.images[0] = &whole;
        for (unsigned round = 0; round < 2; round++) {
            for (unsigned i = 0; i < LANES; i++) {
                reg(&b, 0)[i] = i % 8;
                reg(&b, 1)[i] = round && i / 8 == 3 ? 16 : i / 8;
            }
            assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
            for (unsigned i = 0; i < LANES; i++)
                assert_int_equal(reg(&b, RESULT)[i] == 0, round && i / 8 == 3);
        }
        finish(&b);
        weft_texture_free(u);
    }
}

static void sizes_by_kind(void **state)
{
    (void)state;
    const struct {
        struct texture_desc d;
        struct ir_image image;
        uint32_t level, want[4];
    } cases[] = {
        {{.dim = IR_TEX_BUFFER, .width = 9}, {.dim = IR_TEX_BUFFER}, 0, {9, 0, 0, 1}},
        {{.dim = IR_TEX_1D, .array = true, .width = 8, .layers = 3},
         {.dim = IR_TEX_1D, .array = true}, 1, {4, 3, 0, 1}},
        {{.dim = IR_TEX_2D, .width = 8, .height = 2, .samples = 4},
         {.dim = IR_TEX_2D, .multisample = true}, 0, {8, 2, 0, 4}},
        {{.dim = IR_TEX_3D, .width = 8, .height = 4, .depth = 6}, {.dim = IR_TEX_3D}, 1, {4, 2, 3, 1}},
        {{.dim = IR_TEX_CUBE, .array = true, .width = 4, .height = 4, .layers = 5},
         {.dim = IR_TEX_CUBE, .array = true}, 0, {4, 4, 5, 1}},
        {{.dim = IR_TEX_2D, .width = 8, .height = 2}, {.dim = IR_TEX_2D, .image = 1}, 0, {0, 0, 0, 0}}, /* unbound */
    };
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct weft_texture *t = make(FORMAT_R8_UNORM, cases[k].d);
        const struct image_view view = {t, cases[k].level};
        struct bench b;
        start(&b, IR_SVC_RESOURCE_SIZE, cases[k].image, 0, 0);
        b.resources.images[0] = &view;
        assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(reg(&b, RESULT + c)[17], cases[k].want[c]);
        finish(&b);
        weft_texture_free(t);
    }
}

/* PIPE_FORMAT_R32_FLOAT on an image of R8G8B8A8_UNORM reads its bits; PIPE_FORMAT_R64_UINT does not fit it. */
static void named_formats_take_over(void **state)
{
    (void)state;
    struct weft_texture *t = make(FORMAT_R8G8B8A8_UNORM, (struct texture_desc){.dim = IR_TEX_1D, .width = 2});
    const struct image_view view = {t, 0};
    const float pi = 3.14159f;
    memcpy(t->data, &pi, 4);
    for (unsigned fits = 0; fits < 2; fits++) {
        struct bench b;
        uint16_t format = fits ? 13 : 1;
        start(&b, IR_SVC_IMAGE_LOAD, (struct ir_image){.dim = IR_TEX_1D, .is_float = true, .format = format}, 1, 0);
        b.resources.images[0] = &view;
        memset(reg(&b, 0), 0, LANES * 4);
        assert_int_equal(exec_run(b.w, ~(lane_mask)0, ~(lane_mask)0, 0), EXEC_DONE);
        float got;
        memcpy(&got, &reg(&b, RESULT)[0], 4);
        assert_true(got == (fits ? pi : 0.0f));
        finish(&b);
    }
    weft_texture_free(t);
}

TEST_MAIN(TEST(loads_see_texels_and_zero_outside), TEST(stores_leave_the_rest_alone),
          TEST(atomics_go_in_the_order_of_lanes), TEST(results_are_0_where_nothing_is_done), TEST(sizes_by_kind),
          TEST(named_formats_take_over))
