/* Words to text and back: every row with every value of each of its fields, all short words by sampling, and words at
 * random. */
#include "round.h"

#include "base/bytes.h"
#include "isa/tesla/source.h"

struct batch {
    uint8_t bytes[ROUND_BATCH * 8];
    size_t size;
    const char *chip;
    uint8_t stage;
    size_t known, words;
};

static void flush(struct batch *b)
{
    if (b->size)
        b->known += round_trip(b->bytes, b->size, b->chip, b->stage);
    b->size = 0;
}

static void add(struct batch *b, uint64_t word)
{
    uint8_t bytes[8];
    unsigned size = word & 1 ? 8 : 4;
    if (b->size + 16 > sizeof b->bytes || (size == 8 && b->size % 8 != 0))
        flush(b);
    bytes_put(bytes, word, 8);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    b->words++;
}

/* A row's fixed bits, no predicate, and `rest` elsewhere. */
static uint64_t word_of(const struct tesla_row *row, uint64_t rest)
{
    return row->value | (rest & ~row->mask);
}

static uint64_t plain_rest(const struct tesla_row *row)
{
    const struct tesla_template *t = tesla_template_of(row);
    return (t->predicated ? (uint64_t)TESLA_ALWAYS << 39 : 0) | (t->lanes ? UINT64_C(15) << 46 : 0);
}

/* The rest of a word at random, but more often plain than pure chance has it. */
static uint64_t random_rest(struct test_rng *r, const struct tesla_row *row)
{
    uint64_t rest = test_next64(r), plain = plain_rest(row);
    if (test_next(r) % 2)
        rest = (rest & ~(tesla_field_mask(39, 7))) | (plain & tesla_field_mask(39, 7));
    if (test_next(r) % 2)
        rest &= ~tesla_field_mask(32, 2);
    if (test_next(r) % 2 && !tesla_template_of(row)->lanes)
        rest &= test_next64(r);
    if (test_next(r) % 4 == 0)
        rest &= ~(tesla_field_mask(23, 5) | UINT64_C(1) << 34 | UINT64_C(1) << 53);
    return rest & tesla_template_of(row)->used & (test_next(r) % 8 ? ~UINT64_C(0) : test_next64(r));
}

static const char *const variants[] = {"g80", "g84", "mcp77", "g200", "gt215"};

/* Every row, in each type of program and on each kind of chip, with the rest at random. */
static void test_rows_at_random(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("rows at random");
    enum { TIMES = 10 * TEST_QUARTERS };
    size_t known = 0;
    for (unsigned s = 0; s < ROUND_STAGES; s++)
        for (unsigned v = 0; v < 5; v++) {
            struct batch b = {.chip = variants[v], .stage = round_stages[s]};
            for (uint32_t r = 0; r < TESLA_ROWS; r++)
                for (unsigned i = 0; i < TIMES; i++)
                    add(&b, word_of(&tesla_rows[r], random_rest(&rng, &tesla_rows[r])));
            flush(&b);
            known += b.known;
        }
    assert_true(known > (size_t)TESLA_ROWS * TIMES * 25 / 4); /* or the words test nothing */
}

/* The fields of a word: each is gone through with all its values, the others plain. Of fields of more than 11 bits it
 * is every 61st value, unless WEFT_TEST_ALL is set. With WEFT_TEST_SHARE=N a run has one in N. */
static void add_field_values(struct batch *b, const struct tesla_row *row, unsigned low, unsigned width)
{
    uint64_t plain = plain_rest(row);
    uint64_t step = width > 11 && !getenv("WEFT_TEST_ALL") ? 61 : 1;
    static unsigned values;
    for (uint64_t v = 0; v < UINT64_C(1) << width; v += step)
        if (test_of_share(&values))
            add(b, word_of(row, (plain & ~tesla_field_mask(low, width)) | v << low));
}

static const struct {
    uint8_t low, width;
} fields[] = {{2, 7},  {9, 7},  {9, 16}, {16, 7}, {16, 10}, {20, 8},  {23, 5},
              {32, 8}, {38, 8}, {39, 7}, {46, 7}, {46, 15}, {50, 11}, {53, 8}};

static void test_all_field_values(void **state)
{
    (void)state;
    for (unsigned s = 1; s < ROUND_STAGES; s++) {
        struct batch b = {.chip = s % 2 ? "g200" : "gt215", .stage = round_stages[s]};
        for (uint32_t r = 0; r < TESLA_ROWS; r++)
            for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
                add_field_values(&b, &tesla_rows[r], fields[f].low, fields[f].width);
        flush(&b);
        assert_true(b.known > b.words / 8);
    }
}

/* Short words: all values of bits 1, 8, 15 and 22 to 31 (opcode, modifiers, selectors), the operand
 * fields at random. */
static void test_short_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("short words");
    for (unsigned s = 0; s < ROUND_STAGES; s++) {
        struct batch b = {.chip = "gt215", .stage = round_stages[s]};
        for (uint32_t op = 0; op < 1u << 13; op++) {
            uint32_t word = (op & 1) << 1 | (op >> 1 & 1) << 8 | (op >> 2 & 1) << 15 | (op >> 3) << 22;
            for (unsigned i = 0; i < 6 * TEST_QUARTERS; i++)
                add(&b, word | (test_next(&rng) & 0x003f7efc));
        }
        flush(&b);
        assert_true(b.known > b.words / 16);
    }
}

/* o[] and # as a destination do not say how wide they are: text says `wide` where the row of 16 bits could mean the
 * same place, which has 127 places of two bytes, and for #. */
static void test_wide_destinations(void **state)
{
    (void)state;
    unsigned rows = 0;
    for (uint32_t r = 0; r < TESLA_ROWS; r++) {
        if (!tesla_template_of(&tesla_rows[r])->wide)
            continue;
        rows++;
        for (unsigned n = 0; n < 128; n++) {
            struct arena arena = {0};
            struct isa_params params = {.chip = "gt215", .stage = IR_VERTEX};
            struct isa_module *m;
            char *text;
            size_t length;
            uint8_t bytes[8];
            bytes_put(bytes, word_of(&tesla_rows[r], plain_rest(&tesla_rows[r]) | UINT64_C(1) << 35 | n << 2), 8);
            weft_diags *diags = weft_diags_new();
            assert_int_equal(tesla_decode(bytes, 8, "words", &params, &arena, &m, diags), WEFT_OK);
            assert_int_equal(tesla_print(m, &arena, &text, &length, NULL), WEFT_OK);
            if (m->insns[0].row == &tesla_rows[r])
                assert_int_equal(strstr(text, " wide") != NULL, n == 127 || n * 4 < 127 * 2);
            weft_diags_free(diags);
            arena_free(&arena);
        }
    }
    assert_true(rows > 5);
}

/* Any words at all. */
static void test_random_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("random words");
    const char *env = getenv("WEFT_TEST_WORDS");
    size_t count = env ? strtoull(env, NULL, 0) : 50000 * TEST_QUARTERS;
    struct batch b = {0};
    for (size_t i = 0; i < count; i++) {
        if (i % (ROUND_BATCH / 2) == 0) {
            flush(&b);
            b.chip = variants[test_next(&rng) % 5];
            b.stage = round_stages[test_next(&rng) % ROUND_STAGES];
        }
        add(&b, test_next64(&rng));
    }
    flush(&b);
}

/* Bytes of a line that is there twice: two short instructions, or two long ones. */
static size_t size_of_two(const char *line, size_t length, const struct isa_params *params)
{
    struct arena arena = {0};
    struct isa_module *m;
    char text[512];
    uint8_t *bytes;
    size_t size = 0;
    snprintf(text, sizeof text, "%.*s\n%.*s\n", (int)length, line, (int)length, line);
    struct source src = {"two", text, strlen(text)};
    assert_int_equal(tesla_parse(&src, params, &arena, &m, NULL), WEFT_OK);
    assert_int_equal(tesla_encode(m, &arena, &bytes, &size, NULL), WEFT_OK);
    arena_free(&arena);
    return size;
}

/* Whether the text of a long word says `long`: only where the rest of it would be a short instruction. */
static bool says_long(uint64_t word, uint8_t stage)
{
    struct arena arena = {0};
    struct isa_params params = {.chip = "gt215", .stage = tesla_ir_stage(stage)};
    struct isa_module *m;
    uint8_t bytes[8];
    char *text;
    size_t length;
    bytes_put(bytes, word, 8);
    assert_int_equal(tesla_decode(bytes, sizeof bytes, "word", &params, &arena, &m, NULL), WEFT_OK);
    assert_int_equal(tesla_print(m, &arena, &text, &length, NULL), WEFT_OK);
    bool is_long = strncmp(text, "long ", 5) == 0, known = m->insns[0].row != NULL;
    const char *line = is_long ? text + 5 : text;
    if (known && size_of_two(line, strcspn(line, "\n"), &params) != (is_long ? 8 : 16)) {
        print_message("# %016llx: %s", (unsigned long long)word, text);
        fail();
    }
    arena_free(&arena);
    return known && is_long;
}

/* Words that have a short form but for some of their bits. */
static void test_long_where_needed(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("long where needed");
    const uint64_t high = UINT64_C(1) << 8 | UINT64_C(1) << 15 | UINT64_C(1) << 22; /* registers of 64 and more */
    enum { TIMES = 200 };
    size_t longs = 0, words = 0;
    for (uint32_t r = 0; r < TESLA_ROWS; r++) {
        if (!tesla_template_of(&tesla_rows[r])->nshort)
            continue;
        for (unsigned i = 0; i < TIMES; i++, words++) {
            uint64_t rest = random_rest(&rng, &tesla_rows[r]);
            if (test_next(&rng) % 4)
                rest = (rest & ~tesla_field_mask(32, 14)) | plain_rest(&tesla_rows[r]);
            if (test_next(&rng) % 2)
                rest &= ~high;
            if (test_next(&rng) % 2) /* the third source is the destination */
                rest = (rest & ~tesla_field_mask(46, 7)) | (rest >> 2 & 127) << 46;
            longs += says_long(word_of(&tesla_rows[r], rest), round_stages[test_next(&rng) % ROUND_STAGES]);
        }
    }
    assert_true(longs > words / 50 && longs < words / 2);
}

TEST_MAIN(TEST(test_rows_at_random), TEST(test_all_field_values), TEST(test_short_words),
          TEST(test_wide_destinations), TEST(test_random_words), TEST(test_long_where_needed))
