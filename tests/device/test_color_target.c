/* What becomes of a block's colours: blending, logic operations and write masks against formulas for one component of
 * one pixel, in every CPU level. */
#include "test.h"

#include "levels.h"

#include "device/color_target.h"

#include <stdalign.h>

enum { PAD = 9 /* pixels in a row of memory: one more than a block */, MAX_BYTES = 16 };

struct block {
    uint8_t bytes[PAD * BLOCK_SIZE * MAX_BYTES];
};

static uint8_t *pixel_at(struct block *b, const struct format *f, unsigned lane)
{
    return b->bytes + (lane_y(lane) * PAD + lane_x(lane)) * f->bytes;
}

static float random_value(struct test_rng *rng)
{
    static const float some[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, -0.25f};
    uint32_t r = test_next(rng);
    return r & 7 ? (float)(r >> 8) / (float)(1 << 24) * 1.5f - 0.25f : some[r >> 8 & 7 ? (r >> 8) % 6 : 0];
}

struct sources {
    alignas(64) float src[4][BLOCK_LANES], src1[4][BLOCK_LANES];
};

static void random_sources(struct sources *s, struct test_rng *rng)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            s->src[c][i] = random_value(rng);
            s->src1[c][i] = random_value(rng);
        }
}

/* Pixels that hold finite colours. */
static void random_block(struct block *b, const struct format *f, struct test_rng *rng)
{
    for (unsigned i = 0; i < sizeof b->bytes; i++)
        b->bytes[i] = (uint8_t)test_next(rng);
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        const float rgba[4] = {random_value(rng), random_value(rng), random_value(rng), random_value(rng)};
        format_encode(f, rgba, pixel_at(b, f, i));
    }
}

static void store(const struct color_target *t, struct block *b, const struct sources *s, lane_mask mask)
{
    const float *src[4], *src1[4];
    for (unsigned c = 0; c < 4; c++) {
        src[c] = s->src[c];
        src1[c] = s->src1[c];
    }
    t->store(t, b->bytes, src, src1, mask);
}

static struct surface surface_of(const struct format *f)
{
    return (struct surface){
        .format = f, .pixels = (uint8_t[1]){0}, .stride = (size_t)PAD * f->bytes, .width = 8, .height = 8};
}

/* ---- the formulas of blending ---- */

/* The range of a format's values: from -1 or 0 to 1; floats have none. */
enum range { UNLIMITED, FROM_ZERO, FROM_MINUS_ONE };

static float limit(float v, enum range range)
{
    float low = range == FROM_ZERO ? 0.0f : -1.0f;
    return range == UNLIMITED ? v : v < low ? low : v > 1.0f ? 1.0f : v;
}

static float factor(unsigned f, unsigned c, const float s[4], const float s1[4], const float d[4], const float k[4])
{
    switch (f) {
    case BLEND_ZERO: return 0.0f;
    case BLEND_ONE: return 1.0f;
    case BLEND_SRC_COLOR: return s[c];
    case BLEND_ONE_MINUS_SRC_COLOR: return 1.0f - s[c];
    case BLEND_DST_COLOR: return d[c];
    case BLEND_ONE_MINUS_DST_COLOR: return 1.0f - d[c];
    case BLEND_SRC_ALPHA: return s[3];
    case BLEND_ONE_MINUS_SRC_ALPHA: return 1.0f - s[3];
    case BLEND_DST_ALPHA: return d[3];
    case BLEND_ONE_MINUS_DST_ALPHA: return 1.0f - d[3];
    case BLEND_CONSTANT_COLOR: return k[c];
    case BLEND_ONE_MINUS_CONSTANT_COLOR: return 1.0f - k[c];
    case BLEND_CONSTANT_ALPHA: return k[3];
    case BLEND_ONE_MINUS_CONSTANT_ALPHA: return 1.0f - k[3];
    case BLEND_SRC_ALPHA_SATURATE: return c == 3 ? 1.0f : s[3] < 1.0f - d[3] ? s[3] : 1.0f - d[3];
    case BLEND_SRC1_COLOR: return s1[c];
    case BLEND_ONE_MINUS_SRC1_COLOR: return 1.0f - s1[c];
    case BLEND_SRC1_ALPHA: return s1[3];
    default: return 1.0f - s1[3];
    }
}

static float blended(const struct blend_target *t, unsigned c, enum range range, const float s[4], const float s1[4],
                     const float d[4], const float k[4])
{
    unsigned op = c == 3 ? t->alpha_op : t->color_op;
    unsigned by_src = c == 3 ? t->alpha_src : t->color_src, by_dst = c == 3 ? t->alpha_dst : t->color_dst;
    /* No term at all by a factor of ZERO: not even a negative zero. */
    float a = by_src == BLEND_ZERO ? 0.0f : s[c] * limit(factor(by_src, c, s, s1, d, k), range);
    float b = by_dst == BLEND_ZERO ? 0.0f : d[c] * limit(factor(by_dst, c, s, s1, d, k), range);
    switch (op) {
    case BLEND_ADD: return a + b;
    case BLEND_SUBTRACT: return a - b;
    case BLEND_REVERSE_SUBTRACT: return b - a;
    case BLEND_MIN: return s[c] < d[c] ? s[c] : d[c];
    default: return s[c] > d[c] ? s[c] : d[c];
    }
}

static void blend_pixel(const struct blend_target *t, const struct format *f, enum range range,
                        const struct sources *from, const float constant[4], unsigned lane, uint8_t *pixel)
{
    float s[4], s1[4], d[4], k[4], result[4];
    format_decode(f, pixel, d);
    for (unsigned c = 0; c < 4; c++) {
        s[c] = limit(from->src[c][lane], range);
        s1[c] = limit(from->src1[c][lane], range);
        k[c] = limit(constant[c], range);
    }
    for (unsigned c = 0; c < 4; c++)
        result[c] = blended(t, c, range, s, s1, d, k);
    uint8_t fresh[MAX_BYTES] = {0};
    format_encode(f, result, fresh);
    for (unsigned c = 0; c < 4; c++)
        if (!(t->keep >> c & 1))
            format_channel_put(&f->channel[c], format_channel_get(&f->channel[c], fresh), pixel);
}

static const struct {
    enum format_id format;
    enum range range;
} blend_formats[] = {{FORMAT_R8G8B8A8_UNORM, FROM_ZERO},      {FORMAT_B8G8R8A8_UNORM, FROM_ZERO},
                     {FORMAT_R32G32B32A32_SFLOAT, UNLIMITED}, {FORMAT_R16G16B16A16_SFLOAT, UNLIMITED},
                     {FORMAT_R8G8B8A8_SNORM, FROM_MINUS_ONE}, {FORMAT_R8G8B8A8_SRGB, FROM_ZERO},
                     {FORMAT_R16G16_UNORM, FROM_ZERO},        {FORMAT_R8_UNORM, FROM_ZERO}};

static void check_blend(struct test_rng *rng, unsigned format, const struct target_state *state)
{
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    const struct format *f = &formats[blend_formats[format].format];
    struct surface surface = surface_of(f);
    struct sources from;
    struct block before, wanted;
    random_sources(&from, rng);
    random_block(&before, f, rng);
    wanted = before;
    lane_mask mask = test_next(rng) & 1 ? ~(lane_mask)0 : test_next64(rng);
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        if (mask >> i & 1)
            blend_pixel(&state->blend[0], f, blend_formats[format].range, &from, state->blend_constant, i,
                        pixel_at(&wanted, f, i));
    for (unsigned l = 0; l < levels; l++) {
        struct color_target t;
        struct block got = before;
        assert_true(color_target_init(&t, &surface, state, 0, kernels[l]));
        assert_false(t.overwrites);
        store(&t, &got, &from, mask);
        assert_memory_equal(got.bytes, wanted.bytes, sizeof got.bytes);
    }
}

static void every_factor_and_operation(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("blend");
    for (unsigned format = 0; format < sizeof blend_formats / sizeof *blend_formats; format++)
        for (unsigned src = 0; src <= BLEND_ONE_MINUS_SRC1_ALPHA; src++)
            for (unsigned dst = 0; dst <= BLEND_ONE_MINUS_SRC1_ALPHA; dst++) {
                struct target_state s = {.blend_constant = {0.25f, 1.5f, -0.5f, 0.7f}};
                unsigned other = (src + dst) % (BLEND_ONE_MINUS_SRC1_ALPHA + 1);
                s.blend[0] = (struct blend_target){.blend = true,
                                                   .color_src = (uint8_t)src,
                                                   .color_dst = (uint8_t)dst,
                                                   .color_op = (uint8_t)(test_next(&rng) % 5),
                                                   .alpha_src = (uint8_t)dst,
                                                   .alpha_dst = (uint8_t)other,
                                                   .alpha_op = (uint8_t)(test_next(&rng) % 5),
                                                   .keep = (uint8_t)(test_next(&rng) & test_next(&rng) & 15)};
                check_blend(&rng, format, &s);
            }
}

/* Source over target, which bytes have a way of their own for. */
static void source_over_target(void **state)
{
    (void)state;
    static const uint8_t sources[2] = {BLEND_SRC_ALPHA, BLEND_ONE};
    struct test_rng rng = test_seed("source over target");
    for (unsigned n = 0; n < 400; n++) {
        struct target_state s = {0};
        s.blend[0] = (struct blend_target){.blend = true,
                                           .color_src = sources[n & 1],
                                           .color_dst = BLEND_ONE_MINUS_SRC_ALPHA,
                                           .alpha_src = sources[n >> 1 & 1],
                                           .alpha_dst = BLEND_ONE_MINUS_SRC_ALPHA};
        check_blend(&rng, n >> 2 & 1, &s);
    }
}

/* Values that come from a table of known results, so that the oracle is not alone. */
static void known_results(void **state)
{
    (void)state;
    const struct format *f = &formats[FORMAT_R8G8B8A8_UNORM];
    struct surface surface = surface_of(f);
    struct target_state s = {0};
    s.blend[0] = (struct blend_target){.blend = true,
                                       .color_src = BLEND_SRC_ALPHA,
                                       .color_dst = BLEND_ONE_MINUS_SRC_ALPHA,
                                       .alpha_src = BLEND_ONE,
                                       .alpha_dst = BLEND_ONE_MINUS_SRC_ALPHA};
    struct color_target t;
    assert_true(color_target_init(&t, &surface, &s, 0, device_kernels(EXEC_BASELINE)));
    struct block b;
    struct sources from;
    memset(&b, 51, sizeof b);
    memset(&from, 0, sizeof from);
    from.src[0][3] = 1.0f;
    from.src[1][3] = 7.0f; /* clamped to 1 before anything else */
    from.src[3][3] = 0.5f;
    store(&t, &b, &from, 8);
    const uint8_t wanted[4] = {153, 153, 26, 153}; /* (255 + 51) / 2; 51 / 2 = 25.5 to even; 127.5 + 25.5 */
    assert_memory_equal(pixel_at(&b, f, 3), wanted, 4);
    assert_int_equal(pixel_at(&b, f, 2)[0], 51);
}

static void zero_times_nan_is_absent(void **state)
{
    (void)state;
    const struct format *f = &formats[FORMAT_R32G32B32A32_SFLOAT];
    struct surface surface = surface_of(f);
    struct target_state s = {0};
    s.blend[0] = (struct blend_target){.blend = true, .color_src = BLEND_ONE, .alpha_src = BLEND_ONE};
    struct color_target t;
    assert_true(color_target_init(&t, &surface, &s, 0, device_kernels(EXEC_BASELINE)));
    struct block b;
    struct sources from;
    memset(&b, 0xff, sizeof b);
    memset(&from, 0, sizeof from);
    from.src[0][0] = 0.75f;
    store(&t, &b, &from, 1);
    const float wanted[4] = {0.75f, 0, 0, 0};
    assert_memory_equal(b.bytes, wanted, sizeof wanted);
}

/* ---- logic operations ---- */

static void every_logic_operation(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("logic");
    /* Bit 2 * s + d of each is the result for bits s and d, from the table of Vulkan's "Logical Operations". */
    const uint8_t truth[16] = {
        [LOGIC_CLEAR] = 0,      [LOGIC_AND] = 8,         [LOGIC_AND_REVERSE] = 4,   [LOGIC_COPY] = 12,
        [LOGIC_AND_INVERTED] = 2, [LOGIC_NO_OP] = 10,    [LOGIC_XOR] = 6,           [LOGIC_OR] = 14,
        [LOGIC_NOR] = 1,        [LOGIC_EQUIVALENT] = 9,  [LOGIC_INVERT] = 5,        [LOGIC_OR_REVERSE] = 13,
        [LOGIC_COPY_INVERTED] = 3, [LOGIC_OR_INVERTED] = 11, [LOGIC_NAND] = 7,      [LOGIC_SET] = 15};
    const enum format_id ids[] = {FORMAT_R8G8B8A8_UNORM, FORMAT_R8G8B8A8_UINT, FORMAT_R16G16_SINT,
                                  FORMAT_R5G6B5_UNORM_PACK16};
    for (unsigned n = 0; n < sizeof ids / sizeof *ids * 16; n++) {
        const struct format *f = &formats[ids[n / 16]];
        struct surface surface = surface_of(f);
        struct target_state s = {.logic = true, .logic_op = (enum logic_op)(n % 16)};
        s.blend[0].keep = (uint8_t)(test_next(&rng) & 1);
        struct color_target t;
        struct block got, before;
        struct sources from;
        random_sources(&from, &rng);
        if (format_class(f) != FORMAT_CLASS_FLOAT)
            for (unsigned i = 0; i < 4 * BLOCK_LANES; i++) {
                uint32_t v = test_next(&rng) & 127;
                memcpy(&from.src[i / BLOCK_LANES][i % BLOCK_LANES], &v, 4);
            }
        random_block(&before, f, &rng);
        got = before;
        assert_true(color_target_init(&t, &surface, &s, 0, device_kernels(EXEC_BASELINE)));
        store(&t, &got, &from, ~(lane_mask)0);
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            uint8_t fresh[MAX_BYTES] = {0};
            uint32_t words[4];
            for (unsigned c = 0; c < 4; c++)
                memcpy(&words[c], &from.src[c][i], 4);
            format_encode_words(f, words, fresh);
            for (unsigned c = 0; c < format_components(f); c++) {
                uint64_t a = format_channel_get(&f->channel[c], fresh);
                uint64_t b = format_channel_get(&f->channel[c], pixel_at(&before, f, i));
                uint64_t r = format_channel_get(&f->channel[c], pixel_at(&got, f, i));
                for (unsigned bit = 0; bit < f->channel[c].bits; bit++) {
                    unsigned wanted = truth[s.logic_op] >> (2 * (a >> bit & 1) + (b >> bit & 1)) & 1;
                    if (c == 0 && s.blend[0].keep)
                        wanted = (unsigned)(b >> bit & 1);
                    assert_int_equal(r >> bit & 1, wanted);
                }
            }
        }
    }
}

static void floats_and_srgb_have_no_logic(void **state)
{
    (void)state;
    const enum format_id ids[] = {FORMAT_R32G32B32A32_SFLOAT, FORMAT_R8G8B8A8_SRGB};
    for (unsigned n = 0; n < 2; n++) {
        const struct format *f = &formats[ids[n]];
        struct surface surface = surface_of(f);
        struct target_state s = {.logic = true, .logic_op = LOGIC_CLEAR};
        s.blend[0] = (struct blend_target){.blend = true};
        struct color_target t;
        struct block b = {{0}};
        struct sources from;
        memset(&from, 0, sizeof from);
        from.src[1][0] = 1.0f;
        assert_true(color_target_init(&t, &surface, &s, 0, device_kernels(EXEC_BASELINE)));
        store(&t, &b, &from, 1);
        float rgba[4];
        format_decode(f, b.bytes, rgba);
        assert_float_equal(rgba[1], 1.0f, 0);
    }
}

/* ---- formats and masks ---- */

static void masks_keep_components(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("masks");
    for (unsigned id = FORMAT_NONE + 1; id < FORMATS; id++) {
        const struct format *f = &formats[id];
        if (!color_format_renderable(f) || f->bytes > MAX_BYTES)
            continue;
        for (uint8_t keep = 0; keep < 16; keep++) {
            struct surface surface = surface_of(f);
            struct target_state s = {0};
            s.blend[0].keep = keep;
            struct color_target t;
            struct block before, got;
            struct sources from;
            random_sources(&from, &rng);
            for (unsigned i = 0; i < sizeof before.bytes; i++)
                before.bytes[i] = (uint8_t)test_next(&rng);
            got = before;
            lane_mask mask = test_next64(&rng);
            assert_true(color_target_init(&t, &surface, &s, 0, device_kernels(EXEC_BASELINE)));
            store(&t, &got, &from, mask);
            for (unsigned i = 0; i < BLOCK_LANES; i++) {
                uint8_t fresh[MAX_BYTES] = {0};
                uint32_t words[4];
                for (unsigned c = 0; c < 4; c++)
                    memcpy(&words[c], &from.src[c][i], 4);
                format_encode_words(f, words, fresh);
                for (unsigned c = 0; c < 4; c++) {
                    bool written = (mask >> i & 1) && !(keep >> c & 1);
                    if (f->channel[c].kind == FORMAT_VOID)
                        continue;
                    assert_true(format_channel_get(&f->channel[c], pixel_at(&got, f, i)) ==
                                format_channel_get(&f->channel[c], written ? fresh : pixel_at(&before, f, i)));
                }
            }
        }
    }
}

static void depth_is_not_a_colour(void **state)
{
    (void)state;
    assert_false(color_format_renderable(&formats[FORMAT_D32_SFLOAT]));
    assert_false(color_format_renderable(&formats[FORMAT_NONE]));
    assert_true(color_format_renderable(&formats[FORMAT_R8_UNORM]));
}

TEST_MAIN(TEST(every_factor_and_operation), TEST(source_over_target), TEST(known_results),
          TEST(zero_times_nan_is_absent),
          TEST(every_logic_operation), TEST(floats_and_srgb_have_no_logic), TEST(masks_keep_components),
          TEST(depth_is_not_a_colour))
