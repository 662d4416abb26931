/* Texels in rows of lanes, against one texel at a time, in every CPU level. */
#include "test.h"

#include "levels.h"

#include "device/texel.h"
#include "device/texels.h"

#include <stdalign.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LANES = EXEC_MAX_LANES };

struct rows {
    alignas(64) int32_t at[3][LANES];
    alignas(64) float value[4][LANES];
};

static struct weft_texture *make(const struct format *format, bool array)
{
    struct weft_texture *t;
    struct texture_desc d = {.format = format, .dim = IR_TEX_2D, .array = array, .width = 13, .height = 11, .layers = 3,
                             .levels = 2};
    assert_int_equal(texture_create(&d, &t), WEFT_OK);
    return t;
}

/* Rows of 8 places side by side, as invocations have them; some are held to the last column, and one
 * row's last place may be one further. */
static void places_in_rows(struct test_rng *rng, struct rows *r)
{
    int32_t x = (int32_t)(test_next(rng) % 4) - 1, y = (int32_t)(test_next(rng) % 3) - 1;
    int32_t last = (int32_t)(test_next(rng) % 4) + 5, slice = (int32_t)(test_next(rng) % 3);
    unsigned further = test_next(rng) % 16 * 8 + 7;
    for (unsigned i = 0; i < LANES; i++) {
        int32_t column = x + (int32_t)(i % 8) + (i == further);
        r->at[0][i] = column < last ? column : last;
        r->at[1][i] = y + (int32_t)(i / 8);
        r->at[2][i] = slice;
    }
}

/* Places inside and around the level. */
static void random_places(struct test_rng *rng, struct rows *r)
{
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < LANES; i++) {
            r->at[k][i] = (int32_t)(test_next(rng) % 8) - 1;
            if (test_next(rng) % 32 == 0)
                r->at[k][i] = (int32_t)test_next(rng);
        }
}

static bool inside(const struct texture_level *l, const struct texels *t, unsigned i)
{
    int32_t x = t->x[i], y = t->y ? t->y[i] : 0, z = t->slice ? t->slice[i] : 0;
    return x >= 0 && x < l->width && y >= 0 && y < l->height && z >= 0 && z < l->depth;
}

static size_t place(const struct texture_level *l, const struct texels *t, unsigned i)
{
    int32_t y = t->y ? t->y[i] : 0, z = t->slice ? t->slice[i] : 0;
    return (size_t)(l->first + z * l->slice + y * l->stride + t->x[i]) * t->format->bytes;
}

/* One round over a level of a texture of each format that is known. */
static void round_of(struct test_rng *rng, unsigned round, const struct format *format, bool store)
{
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    struct weft_texture *t = make(format, round % 3 == 0), *wanted = make(format, round % 3 == 0);
    const struct texture_level *l = &t->level[round >> 2 & 1];
    struct rows r;
    (round % 2 ? places_in_rows : random_places)(rng, &r);
    lane_mask lanes = round % 4 > 1 ? test_next64(rng) & test_next64(rng) : ~(lane_mask)0;
    struct texels texels = {.format = format, .data = t->data, .level = l, .x = r.at[0],
                            .y = round % 5 ? r.at[1] : NULL, .slice = round % 3 ? NULL : r.at[2]};
    for (size_t i = 0; i < t->size; i++)
        t->data[i] = (uint8_t)(test_next(rng) >> 13);
    static uint8_t before[1 << 14];
    assert_true(t->size <= sizeof before);
    memcpy(before, t->data, t->size);
    for (unsigned k = 0; k < levels; k++) {
        if (!store) {
            float *const to[4] = {r.value[0], r.value[1], round % 7 ? r.value[2] : NULL, r.value[3]};
            kernels[k]->load_texels(&texels, lanes, to);
            for (unsigned i = 0; i < LANES; i++) {
                union texel v = {.u = {0, 0, 0, 0}};
                if ((lanes >> i & 1) && inside(l, &texels, i))
                    texel_load(format, t->data + place(l, &texels, i), &v);
                for (unsigned c = 0; c < 4; c++)
                    if (to[c] && (lanes >> (i & ~15u) & 0xffff))
                        assert_memory_equal(&to[c][i], &v.u[c], 4);
            }
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < LANES; i++) {
                uint32_t bits = test_next(rng);
                r.value[c][i] = (float)(bits % 1000) / 800 - 0.1f;
                if (bits >> 29 == 0)
                    memcpy(&r.value[c][i], &bits, 4);
                if (bits >> 28 == 2)
                    memcpy(&r.value[c][i], &(uint32_t){0xffc12345u}, 4);
            }
        memcpy(t->data, before, t->size);
        memcpy(wanted->data, before, t->size);
        kernels[k]->store_texels(&texels, lanes,
                                 (const float *const[4]){r.value[0], r.value[1], r.value[2], r.value[3]});
        for (unsigned i = 0; i < LANES; i++) {
            union texel v;
            for (unsigned c = 0; c < 4; c++)
                memcpy(&v.u[c], &r.value[c][i], 4);
            if ((lanes >> i & 1) && inside(l, &texels, i))
                texel_store(format, &v, wanted->data + place(l, &texels, i));
        }
        assert_memory_equal(t->data, wanted->data, t->size);
    }
    weft_texture_free(t);
    weft_texture_free(wanted);
}

static void all_rounds(const char *name, bool store)
{
    struct test_rng rng = test_seed(name);
    unsigned known = 0;
    for (unsigned f = FORMAT_NONE + 1; f < FORMATS; f++)
        if (texels_known(&formats[f])) {
            known++;
            for (unsigned round = 0; round < 2000; round++)
                round_of(&rng, round, &formats[f], store);
        }
    assert_true(known >= 2);
}

static void loads_are_those_of_single_texels(void **state)
{
    (void)state;
    all_rounds("load texels", false);
}

/* Lanes from the last texel back (begin 0), or side by side from the one so far from the end on, in the last two rows.
 */
static void load_up_to_the_end(const struct device_kernels *kernels, const struct weft_texture *t, unsigned begin)
{
    struct rows r;
    int32_t last = t->level[0].width - 1;
    for (unsigned i = 0; i < LANES; i++) {
        int32_t column = last + 1 - (int32_t)begin + (int32_t)(i % 8);
        r.at[0][i] = !begin ? last - (int32_t)i % 8 % (last + 1) : column < last ? column : last;
        r.at[1][i] = !begin ? 2 - (int32_t)(i / 8 % 3) : i / 16 % 2 ? 2 : 1 + (int32_t)(i / 8 % 2);
    }
    struct texels texels = {.format = t->format, .data = t->data, .level = &t->level[0], .x = r.at[0], .y = r.at[1]};
    kernels->load_texels(&texels, ~(lane_mask)0, (float *const[4]){r.value[0], NULL, NULL, NULL});
    for (unsigned i = 0; i < LANES; i++)
        assert_true(r.value[0][i] == (float)t->data[place(&t->level[0], &texels, i)] / 255);
}

/* Nothing that follows the memory is read: the next page cannot be. */
static void loads_end_with_the_memory(void **state)
{
    (void)state;
    const struct device_kernels *kernels[EXEC_LEVELS];
    unsigned levels = usable_kernels(kernels);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    for (uint32_t width = 1; width <= 40; width++) {
        struct texture_desc d = {.format = &formats[FORMAT_R8G8B8A8_UNORM], .dim = IR_TEX_2D, .width = width,
                                 .height = 3, .levels = 1};
        struct weft_texture t;
        size_t size = texture_bytes(&d);
        assert_int_equal(texture_over(&d, pages + page - size, size, &t), WEFT_OK);
        for (size_t i = 0; i < size; i++)
            t.data[i] = (uint8_t)(i * 7);
        for (unsigned k = 0; k < levels; k++)
            for (unsigned begin = 0; begin <= width; begin++)
                load_up_to_the_end(kernels[k], &t, begin);
    }
    munmap(pages, 2 * page);
}

static void stores_are_those_of_single_texels(void **state)
{
    (void)state;
    all_rounds("store texels", true);
}

TEST_MAIN(TEST(loads_are_those_of_single_texels), TEST(loads_end_with_the_memory),
          TEST(stores_are_those_of_single_texels))
