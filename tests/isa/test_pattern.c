/* test_pattern.c - bit patterns: what a pattern means, checked bit by bit by hand and against shifts. */
#include "isa/pattern.h"
#include "test.h"

static struct pattern compiled(const char *text)
{
    struct pattern p;
    const char *wrong;
    assert_true(pattern_compile(text, &p, &wrong));
    return p;
}

static void fixed_bits_and_fields(void **state)
{
    (void)state;
    struct pattern p = compiled("1100 0 op:6 d:5 a:5 c:4 00 b:5");
    assert_int_equal(p.bits, 32);
    assert_int_equal(p.nfields, 5);
    assert_int_equal(p.mask.w[0], 0xf8000060);
    assert_int_equal(p.value.w[0], 0xc0000000);
    struct pattern_word w = {{0xc7e20f95, 0}};
    assert_true(pattern_matches(&p, &w));
    assert_int_equal(pattern_get(&p.field[pattern_find_field(&p, "op")], &w), 0x3f);
    assert_int_equal(pattern_get(&p.field[pattern_find_field(&p, "d")], &w), 2);
    assert_int_equal(pattern_get(&p.field[pattern_find_field(&p, "b")], &w), 0x15);
    assert_int_equal(pattern_find_field(&p, "e"), -1);
    w.w[0] ^= 0x20;
    assert_false(pattern_matches(&p, &w));
}

static void fields_in_pieces_put_the_first_on_top(void **state)
{
    (void)state;
    struct pattern p = compiled("a:2 1 a:3 x:2");
    struct pattern_word w = {{0xb7, 0}}; /* 10 1 101 11 */
    assert_true(pattern_matches(&p, &w));
    assert_int_equal(pattern_get(&p.field[0], &w), 0x15); /* 10 101 */
    pattern_set(&p.field[0], &w, 0x0a);                  /* 01 010 */
    assert_int_equal(w.w[0], 0x6b);
}

static void opcode_numbers(void **state)
{
    (void)state;
    struct pattern p = compiled("op:9=0x1a2 b=1 s:6");
    assert_int_equal(p.value.w[0], 0x1a2 << 7 | 1 << 6);
    assert_int_equal(p.mask.w[0], 0xffc0);
    assert_int_equal(p.nfields, 1);
}

static void fields_across_bit_64(void **state)
{
    (void)state;
    struct pattern p = compiled("11 f:20 x:50 d:8");
    assert_int_equal(p.bits, 80);
    struct pattern_word w = {{0, 0}};
    pattern_set(&p.field[0], &w, 0xabcde);
    assert_int_equal(w.w[0], UINT64_C(0xabcde) << 58);
    assert_int_equal(w.w[1], 0xabcde >> 6);
    assert_int_equal(pattern_get(&p.field[0], &w), 0xabcde);
    assert_int_equal(p.mask.w[1], 3 << 14);
}

static void wrong_patterns(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "2",      "a:0", "a:65",        "a:b",
                                        ":4",  "op:3=8", "?",   "a:64 b:64 1", "a:1 a:1 a:1 a:1 a:1",
                                        "a:40 a:40", "aname16letterslong:3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pattern p;
        const char *wrong;
        if (pattern_compile(texts[i], &p, &wrong))
            fail_msg("'%s' was compiled", texts[i]);
    }
}

TEST_MAIN(TEST(fixed_bits_and_fields), TEST(fields_in_pieces_put_the_first_on_top), TEST(opcode_numbers),
          TEST(fields_across_bit_64), TEST(wrong_patterns))
