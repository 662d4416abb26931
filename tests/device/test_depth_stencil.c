/* Depth, stencil and depth bounds tests of blocks, against tables. */
#include "test.h"

#include "levels.h"

#include "device/depth_stencil.h"

#include <stdalign.h>

static bool holds(unsigned op, int a, int b)
{
    const bool results[8] = {false, a < b, a == b, a <= b, a > b, a != b, a >= b, true};
    return results[op];
}

static void operations_of_stencil(void **state)
{
    (void)state;
    const struct {
        uint8_t op, stored, reference, result;
    } table[] = {
        {STENCIL_KEEP, 7, 9, 7},
        {STENCIL_ZERO, 7, 9, 0},
        {STENCIL_REPLACE, 7, 9, 9},
        {STENCIL_INCREMENT_CLAMP, 7, 9, 8},
        {STENCIL_INCREMENT_CLAMP, 255, 9, 255},
        {STENCIL_DECREMENT_CLAMP, 7, 9, 6},
        {STENCIL_DECREMENT_CLAMP, 0, 9, 0},
        {STENCIL_INVERT, 0x5a, 9, 0xa5},
        {STENCIL_INCREMENT_WRAP, 7, 9, 8},
        {STENCIL_INCREMENT_WRAP, 255, 9, 0},
        {STENCIL_DECREMENT_WRAP, 7, 9, 6},
        {STENCIL_DECREMENT_WRAP, 0, 9, 255},
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(stencil_apply((enum stencil_op)table[i].op, table[i].stored, table[i].reference),
                         table[i].result);
}

struct fixture {
    struct surface surface;
    struct target_state state;
    uint8_t memory[BLOCK_LANES * 8];
    float z[BLOCK_LANES];
};

static void prepare(struct fixture *t, enum format_id format)
{
    memset(t, 0, sizeof *t);
    t->surface = (struct surface){.format = &formats[format],
                                  .pixels = t->memory,
                                  .stride = 8u * formats[format].bytes,
                                  .width = 8,
                                  .height = 8};
}

static uint8_t *pixel_at(struct fixture *t, unsigned lane)
{
    return t->memory + lane_y(lane) * t->surface.stride + lane_x(lane) * t->surface.format->bytes;
}

static const enum format_id depth_formats[] = {FORMAT_D16_UNORM, FORMAT_X8_D24_UNORM_PACK32, FORMAT_D24_UNORM_S8_UINT,
                                               FORMAT_D32_SFLOAT, FORMAT_D32_SFLOAT_S8_UINT};

static void every_function_in_every_format(void **state)
{
    (void)state;
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    for (unsigned n = 0; n < sizeof depth_formats / sizeof *depth_formats * 8 * levels; n++) {
        unsigned op = n % 8, level = n / 8 % levels;
        for (unsigned write = 0; write < 2; write++) {
            struct fixture t;
            prepare(&t, depth_formats[n / 8 / levels]);
            lane_mask wanted = 0, mask = 0xfedcba9876543210u;
            for (unsigned i = 0; i < BLOCK_LANES; i++) {
                t.z[i] = (float)(i % 4) / 4.0f;
                format_set_depth(t.surface.format, (float)(i / 4 % 4) / 4.0f, pixel_at(&t, i));
                format_set_stencil(t.surface.format, 77, pixel_at(&t, i));
                wanted |= (lane_mask)(holds(op, (int)(i % 4), (int)(i / 4 % 4)) && (mask >> i & 1)) << i;
            }
            uint8_t before[sizeof t.memory];
            memcpy(before, t.memory, sizeof before);
            struct depth_stencil d;
            depth_stencil_init(&d, &t.surface, &t.state, true, write, (enum compare_op)op, kernels[level]);
            lane_mask got = depth_stencil_test(&d, true, t.memory, t.z, NULL, mask);
            assert_true(got == wanted);
            for (unsigned i = 0; i < BLOCK_LANES; i++)
                if (write && (wanted >> i & 1))
                    format_set_depth(t.surface.format, t.z[i],
                                     before + (pixel_at(&t, i) - t.memory));
            assert_memory_equal(t.memory, before, sizeof before);
        }
    }
}

/* A value between two codes is compared as the code that it is stored as. */
static void values_are_compared_as_stored(void **state)
{
    (void)state;
    struct fixture t;
    prepare(&t, FORMAT_D16_UNORM);
    float between = 1000.25f / 65535.0f;
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        t.z[i] = between;
        format_set_depth(t.surface.format, 1000.0f / 65535.0f, pixel_at(&t, i));
    }
    struct depth_stencil d;
    depth_stencil_init(&d, &t.surface, &t.state, true, false, COMPARE_EQUAL, device_kernels(EXEC_BASELINE));
    assert_true(depth_stencil_test(&d, true, t.memory, t.z, NULL, ~(lane_mask)0) == ~(lane_mask)0);
}

/* All outcomes: stencil fails, depth fails, both pass; either face; masks of comparison and of writing. */
static void stencil_of_both_faces(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("stencil");
    const enum format_id with_stencil[] = {FORMAT_S8_UINT, FORMAT_D24_UNORM_S8_UINT, FORMAT_D32_SFLOAT_S8_UINT};
    for (unsigned round = 0; round < 3000; round++) {
        struct fixture t;
        prepare(&t, with_stencil[round % 3]);
        struct stencil_face faces[2];
        for (unsigned i = 0; i < 2; i++)
            faces[i] = (struct stencil_face){.fail = (uint8_t)(test_next(&rng) % 8),
                                             .pass = (uint8_t)(test_next(&rng) % 8),
                                             .depth_fail = (uint8_t)(test_next(&rng) % 8),
                                             .compare = (uint8_t)(test_next(&rng) % 8),
                                             .compare_mask = (uint8_t)(test_next(&rng) | 3),
                                             .write_mask = (uint8_t)test_next(&rng),
                                             .reference = (uint8_t)test_next(&rng)};
        t.state.stencil_test = true;
        t.state.back = faces[0];
        t.state.front = faces[1];
        bool front = test_next(&rng) & 1, depth = test_next(&rng) & 1, exported = test_next(&rng) & 1;
        const struct stencil_face *f = &faces[front];
        uint32_t references[BLOCK_LANES];
        uint8_t stored[BLOCK_LANES];
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            references[i] = test_next(&rng);
            stored[i] = (uint8_t)(test_next(&rng) & 1 ? test_next(&rng) : f->reference);
            format_set_stencil(t.surface.format, stored[i], pixel_at(&t, i));
            format_set_depth(t.surface.format, 0.5f, pixel_at(&t, i));
            t.z[i] = (float)(test_next(&rng) & 1);
        }
        struct depth_stencil d;
        depth_stencil_init(&d, &t.surface, &t.state, depth, false, COMPARE_LESS, device_kernels(EXEC_BASELINE));
        lane_mask mask = test_next64(&rng);
        lane_mask got = depth_stencil_test(&d, front, t.memory, t.z, exported ? references : NULL, mask);
        bool tests_depth = depth && t.surface.format->depth;
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            uint8_t ref = exported ? (uint8_t)references[i] : f->reference;
            bool passes = holds(f->compare, ref & f->compare_mask, stored[i] & f->compare_mask);
            bool nearer = !tests_depth || t.z[i] < 0.5f;
            uint8_t op = !passes ? f->fail : !nearer ? f->depth_fail : f->pass, value = stored[i];
            for (unsigned bit = 0; bit < 8; bit++)
                if (f->write_mask >> bit & 1)
                    value = (uint8_t)((value & ~(1u << bit)) |
                                      (stencil_apply((enum stencil_op)op, stored[i], ref) & 1u << bit));
            bool runs = mask >> i & 1;
            assert_int_equal(got >> i & 1, runs && passes && nearer);
            assert_int_equal(format_stencil(t.surface.format, pixel_at(&t, i)), runs ? value : stored[i]);
        }
    }
}

static void bounds_look_at_what_is_stored(void **state)
{
    (void)state;
    struct fixture t;
    prepare(&t, FORMAT_D32_SFLOAT);
    t.state.depth_bounds = true;
    t.state.bounds_low = 0.25f;
    t.state.bounds_high = 0.5f;
    lane_mask wanted = 0;
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        format_set_depth(t.surface.format, (float)(i % 8) / 8, pixel_at(&t, i));
        wanted |= (lane_mask)(i % 8 >= 2 && i % 8 <= 4) << i;
    }
    struct depth_stencil d;
    depth_stencil_init(&d, &t.surface, &t.state, false, false, COMPARE_NEVER, device_kernels(EXEC_BASELINE));
    assert_true(depth_stencil_test(&d, true, t.memory, t.z, NULL, ~(lane_mask)0) == wanted);
}

static void nothing_bound_passes(void **state)
{
    (void)state;
    struct depth_stencil d;
    const struct target_state s = {.stencil_test = true, .depth_bounds = true};
    depth_stencil_init(&d, &(struct surface){0}, &s, true, true, COMPARE_NEVER, device_kernels(EXEC_BASELINE));
    assert_false(depth_stencil_used(&d));
    float z[BLOCK_LANES] = {0};
    assert_true(depth_stencil_test(&d, true, NULL, z, NULL, 5) == 5);
}

TEST_MAIN(TEST(operations_of_stencil), TEST(every_function_in_every_format), TEST(values_are_compared_as_stored),
          TEST(stencil_of_both_faces), TEST(bounds_look_at_what_is_stored), TEST(nothing_bound_passes))
