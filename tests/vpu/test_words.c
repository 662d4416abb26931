/* Words of the VPU: every one is an instruction or data, prints, and comes back from its text. */
#include "program.h"

enum { CHUNK = 8192 };

struct words {
    uint8_t bytes[CHUNK * 10];
    size_t size, count, total, unknown;
};

static void flush(struct words *w)
{
    if (w->size)
        w->unknown += check_bytes(w->bytes, w->size);
    w->size = w->count = 0;
}

static void add(struct words *w, const uint16_t *halfwords, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        w->bytes[w->size++] = (uint8_t)halfwords[i];
        w->bytes[w->size++] = (uint8_t)(halfwords[i] >> 8);
    }
    w->total++;
    if (++w->count == CHUNK)
        flush(w);
}

static struct words words;

static void start(void)
{
    memset(&words, 0, sizeof words);
}

/* 0x0000 to 0x7fff are instructions of 16 bits; what begins with other halfwords is longer, and data when it is cut
 * off. */
static void scalar16_words(void **state)
{
    (void)state;
    start();
    for (uint32_t w = 0; w < 0x8000; w++)
        add(&words, &(uint16_t){(uint16_t)w}, 1);
    flush(&words);
    /* 0x000b-0x001f, 0x00c0-0x00df, 0x0100-0x01bf */
    assert_int_equal(words.unknown, 0x15 + 0x20 + 0xc0);
    for (uint32_t w = 0x8000; w < 0x10000; w++) {
        uint8_t bytes[2] = {(uint8_t)w, (uint8_t)(w >> 8)};
        if (w % 64 == 0)
            assert_int_equal(check_bytes(bytes, 2), 1);
    }
}

/* Every first halfword, with second ones that have every bit both ways. */
static void scalar32_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("scalar32");
    static const uint16_t second[] = {0x0000, 0xffff, 0x0700, 0x0740, 0x8010, 0x7fe0, 0x07c0, 0x00ff};
    start();
    for (uint32_t w = 0x8000; w < 0xe000; w++) {
        for (unsigned i = 0; i < sizeof second / sizeof second[0]; i++)
            add(&words, (uint16_t[]){(uint16_t)w, second[i]}, 2);
        for (unsigned i = 0; i < 8; i++)
            add(&words, (uint16_t[]){(uint16_t)w, (uint16_t)test_next(&rng)}, 2);
    }
    flush(&words);
    printf("# %zu words, %zu unknown\n", words.total, words.unknown);
    assert_true(words.unknown > 0 && words.unknown < words.total / 2);
}

/* Every second halfword of opcodes that have all fields in it. */
static void scalar32_fields(void **state)
{
    (void)state;
    static const uint16_t first[] = {0x8046, 0x9123, 0xa017, 0xa243, 0xa463, 0xa587, 0xa8a9, 0xb0c5,
                                     0xb5e7, 0xbfe3, 0xc045, 0xc367, 0xc689, 0xc8ab, 0xca05, 0xcc05};
    start();
    for (unsigned i = 0; i < sizeof first / sizeof first[0]; i++)
        for (uint32_t w = 0; w < 0x10000; w++)
            add(&words, (uint16_t[]){first[i], (uint16_t)w}, 2);
    flush(&words);
}

static void scalar48_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("scalar48");
    static const uint32_t second[] = {0, 0xffffffff, 0xf8000000, 0xffff8000, 0x00007fff, 0x80, 0xffffff80};
    start();
    for (uint32_t w = 0xe000; w < 0xf000; w++)
        for (unsigned i = 0; i < 16; i++) {
            uint32_t v = i < 7 ? second[i] : test_next(&rng) >> (i & 7) * 4;
            add(&words, (uint16_t[]){(uint16_t)w, (uint16_t)v, (uint16_t)(v >> 16)}, 3);
        }
    flush(&words);
}

/* As many as WEFT_TEST_WORDS says. */
static void random_vector_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("vector");
    const char *env = getenv("WEFT_TEST_WORDS");
    uint64_t count = env ? strtoull(env, NULL, 0) : 300000;
    start();
    for (uint64_t n = 0; n < count; n++) {
        uint64_t bits = test_next64(&rng), more = test_next64(&rng);
        uint16_t h[5] = {(uint16_t)(0xf000 | (bits & 0xfff)), (uint16_t)(bits >> 12), (uint16_t)(bits >> 28),
                         (uint16_t)more, (uint16_t)(more >> 16)};
        /* Operands that are "-", and plain ones, are rarer at random than in programs. */
        if (more >> 40 & 1)
            h[1] |= 0xe000;
        if (more >> 41 & 1) {
            h[1] |= 0x0038;
            h[2] &= 0x0fff;
        }
        if (more >> 42 & 1)
            h[3] = (uint16_t)(h[3] | 0xf3c0);
        if (more >> 43 & 1)
            h[4] &= 0xe03f;
        add(&words, h, h[0] < 0xf800 ? 3 : 5);
    }
    flush(&words);
    printf("# %zu words, %zu unknown\n", words.total, words.unknown);
    assert_true(words.unknown < words.total / 4);
}

/* Bytes that end within an instruction. */
static void cut_off(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x00, 0xfc, 0x38, 0xe0, 0x01, 0x00, 0xc0, 0x03, 0xfc, 0x12};
    for (size_t size = 1; size < sizeof bytes; size++)
        assert_int_equal(check_bytes(bytes, size), 1);
    assert_int_equal(check_bytes(bytes, sizeof bytes), 0);
    assert_int_equal(check_bytes(bytes, 0), 0);
}

TEST_MAIN(TEST(scalar16_words), TEST(scalar32_words), TEST(scalar32_fields), TEST(scalar48_words),
          TEST(random_vector_words), TEST(cut_off))
