/* The inner loops over 8x8 blocks, each against its definition, in every CPU level. */
#include "test.h"

#include "levels.h"

#include <math.h>
#include <stdalign.h>

static lane_mask random_mask(struct test_rng *rng)
{
    lane_mask m = test_next64(rng);
    return m & 7 ? m & test_next64(rng) : ~(lane_mask)0;
}

static float random_float(struct test_rng *rng)
{
    static const uint32_t odd[] = {0x7fc00000u, 0xffc12345u, 0x7f800001u, 0x7f800000u, 0xff800000u, 0x80000000u,
                                   0,           1,           0x3f800000u, 0x3f000000u, 0xbf800000u};
    uint32_t r = test_next(rng), bits = odd[r % (sizeof odd / sizeof *odd)];
    float f;
    if (r >> 28)
        return (float)(test_next(rng) >> 8) / (float)(1 << 24) * 1.25f - 0.125f;
    memcpy(&f, &bits, 4);
    return f;
}

static void lanes_are_quads_row_by_row(void **state)
{
    (void)state;
    const unsigned xs[] = {0, 1, 0, 1, 2, 3, 2, 3}, ys[] = {0, 0, 1, 1, 0, 0, 1, 1};
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(lane_x(i), xs[i]);
        assert_int_equal(lane_y(i), ys[i]);
    }
    assert_int_equal(lane_x(16), 0);
    assert_int_equal(lane_y(16), 2);
    assert_int_equal(lane_x(63), 7);
    assert_int_equal(lane_y(63), 7);
}

static void cover_is_the_sign_of_the_edges(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("cover");
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    for (unsigned round = 0; round < 2000; round++) {
        struct block_edge edges[3];
        unsigned count = 1 + round % 3;
        int32_t span = round & 8 ? 1 << 25 : 600;
        for (unsigned k = 0; k < count; k++) {
            int32_t a = (int32_t)(test_next(&rng) % (2 * (uint32_t)span)) - span;
            int32_t b = (int32_t)(test_next(&rng) % (2 * (uint32_t)span)) - span;
            edges[k] = (struct block_edge){-(a / 2 * 7 + b / 2 * 7) + (int32_t)(test_next(&rng) % 9) - 4, a, b};
        }
        lane_mask wanted = 0;
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            bool in = true;
            for (unsigned k = 0; k < count; k++)
                in = in && edges[k].e + (int64_t)edges[k].a * lane_x(i) + (int64_t)edges[k].b * lane_y(i) >= 0;
            wanted |= (lane_mask)in << i;
        }
        for (unsigned l = 0; l < levels; l++)
            assert_true(kernels[l]->cover(edges, count) == wanted);
    }
}

static void stores_write_what_the_format_says(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("stores");
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    for (unsigned round = 0; round < 500; round++) {
        alignas(64) float rows[4][BLOCK_LANES];
        const float *const row[4] = {rows[0], rows[1], rows[2], rows[3]};
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < BLOCK_LANES; i++)
                rows[c][i] = random_float(&rng);
        lane_mask mask = random_mask(&rng);
        for (unsigned kind = 0; kind < 2; kind++) {
            const struct format *f = &formats[kind ? FORMAT_R32G32B32A32_SFLOAT : FORMAT_R8G8B8A8_UNORM];
            size_t stride = 9u * f->bytes; /* one pixel more than a block */
            uint8_t wanted[9 * 8 * 16], got[9 * 8 * 16];
            memset(wanted, 0xa5, sizeof wanted);
            for (unsigned i = 0; i < BLOCK_LANES; i++)
                if (mask >> i & 1) {
                    const float rgba[4] = {rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
                    format_encode(f, rgba, wanted + lane_y(i) * stride + lane_x(i) * f->bytes);
                }
            for (unsigned l = 0; l < levels; l++) {
                memset(got, 0xa5, sizeof got);
                (kind ? kernels[l]->store_floats4 : kernels[l]->store_bytes4)(got, stride, row, mask);
                assert_memory_equal(got, wanted, sizeof got);
            }
        }
    }
}

static void loads_read_what_the_format_says(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("loads");
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    for (unsigned round = 0; round < 200; round++) {
        lane_mask mask = random_mask(&rng);
        for (unsigned kind = 0; kind < 2; kind++) {
            const struct format *f = &formats[kind ? FORMAT_R32G32B32A32_SFLOAT : FORMAT_R8G8B8A8_UNORM];
            size_t stride = 9u * f->bytes;
            uint8_t pixels[9 * 8 * 16];
            for (unsigned i = 0; i < sizeof pixels; i++)
                pixels[i] = (uint8_t)(round * 7 + i * 5); /* all bytes come by */
            for (unsigned l = 0; l < levels; l++) {
                alignas(64) float rows[4][BLOCK_LANES];
                float *const row[4] = {rows[0], rows[1], rows[2], rows[3]};
                (kind ? kernels[l]->load_floats4 : kernels[l]->load_bytes4)(pixels, stride, mask, row);
                for (unsigned i = 0; i < BLOCK_LANES; i++) {
                    float wanted[4] = {0, 0, 0, 0};
                    if (mask >> i & 1)
                        format_decode(f, pixels + lane_y(i) * stride + lane_x(i) * f->bytes, wanted);
                    for (unsigned c = 0; c < 4; c++)
                        assert_memory_equal(&rows[c][i], &wanted[c], 4);
                }
            }
        }
    }
}

static bool compare(float a, enum compare_op op, float b)
{
    const bool results[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
    return results[op];
}

static void depth_is_tested_and_written(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("depth");
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    for (unsigned round = 0; round < 800; round++) {
        alignas(64) float z[BLOCK_LANES];
        float stored[8][9], wanted[8][9];
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            z[i] = (float)(test_next(&rng) % 4) / 4;
            stored[lane_y(i)][lane_x(i)] = (float)(test_next(&rng) % 4) / 4;
        }
        for (unsigned y = 0; y < 8; y++)
            stored[y][8] = -1;
        enum compare_op op = (enum compare_op)(round % 8);
        lane_mask mask = random_mask(&rng), pass = 0;
        memcpy(wanted, stored, sizeof wanted);
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            if ((mask >> i & 1) && compare(z[i], op, stored[lane_y(i)][lane_x(i)])) {
                pass |= (lane_mask)1 << i;
                wanted[lane_y(i)][lane_x(i)] = z[i];
            }
        for (unsigned l = 0; l < levels; l++) {
            float got[8][9];
            memcpy(got, stored, sizeof got);
            uint8_t *pixels = (uint8_t *)got;
            assert_true(kernels[l]->depth_test(pixels, sizeof *got, z, op, mask) == pass);
            kernels[l]->depth_write(pixels, sizeof *got, z, pass);
            assert_memory_equal(got, wanted, sizeof got);
        }
    }
}

static void planes_are_evaluated_and_clamped(void **state)
{
    (void)state;
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    const struct exec_plane p = {0.1f, 0.003f, -0.007f};
    for (unsigned l = 0; l < levels; l++) {
        alignas(64) float z[BLOCK_LANES];
        kernels[l]->plane(&p, 40, 8, 0.0f, 0.15f, z);
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            float across = p.dx * (float)(40 + (int)lane_x(i)), down = p.dy * (float)(8 + (int)lane_y(i));
            float v = p.a0 + across;
            v = v + down;
            assert_true(z[i] == fminf(fmaxf(v, 0.0f), 0.15f));
        }
    }
}

TEST_MAIN(TEST(lanes_are_quads_row_by_row), TEST(cover_is_the_sign_of_the_edges),
          TEST(stores_write_what_the_format_says), TEST(loads_read_what_the_format_says),
          TEST(depth_is_tested_and_written), TEST(planes_are_evaluated_and_clamped))
