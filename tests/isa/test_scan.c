/* test_scan.c - the cursor over assembler text. */
#include "isa/scan.h"
#include "test.h"

/* A scanner over a text, with its diagnostics. */
struct fixture {
    struct arena arena;
    weft_diags *diags;
    struct source src;
    struct scan s;
};

static void open_text(struct fixture *f, const char *text, uint32_t comments)
{
    *f = (struct fixture){.diags = weft_diags_new(), .src = {"t.s", text, strlen(text)}};
    assert_true(scan_start(&f->s, &f->src, comments, &f->arena, f->diags));
}

static void close_text(struct fixture *f)
{
    weft_diags_free(f->diags);
    arena_free(&f->arena);
}

static const char *message(const struct fixture *f)
{
    const weft_diag *d = weft_diags_get(f->diags, 0);
    return d ? d->message : "";
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
        bool negative;
    } good[] = {
        {"0", 0, false},
        {" 42", 42, false},
        {"-7", 7, true},
        {"0x1F", 31, false},
        {"0b101", 5, false},
        {"0o17", 15, false},
        {"1_000", 1000, false},
        {"18446744073709551615", UINT64_MAX, false},
        {"-0xffffffffffffffff", UINT64_MAX, true},
        {"+3", 3, false},
    };
    static const char *const bad[] = {"0x", "0b2", "12a", "0xfg", "18446744073709551616", "0x10000000000000000"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct fixture f;
        uint64_t value;
        bool negative;
        open_text(&f, good[i].text, 0);
        if (!scan_signed(&f.s, &value, &negative) || value != good[i].value || negative != good[i].negative ||
            f.s.p != f.s.end)
            fail_msg("'%s' was not read", good[i].text);
        close_text(&f);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture f;
        uint64_t value;
        open_text(&f, bad[i], 0);
        if (scan_number(&f.s, &value) || f.s.errors != 1)
            fail_msg("'%s' was read, or nothing was said", bad[i]);
        close_text(&f);
    }
    struct fixture f;
    uint64_t value;
    open_text(&f, "r3", 0);
    assert_false(scan_number(&f.s, &value)); /* no number: nothing is said */
    assert_int_equal(f.s.errors, 0);
    close_text(&f);
}

/* The words of a text that a language with these comments has, with | at the ends of statements. */
static void expect_words(const char *text, uint32_t comments, const char *wanted)
{
    struct fixture f;
    char got[200] = "";
    open_text(&f, text, comments);
    do {
        const char *word;
        for (size_t n; (n = scan_word(&f.s, &word)) > 0 && strlen(got) < 100;)
            sprintf(got + strlen(got), "%.*s ", (int)n, word);
        strcat(got, "|");
    } while (scan_next_line(&f.s) && strlen(got) < 100);
    assert_string_equal(got, wanted);
    close_text(&f);
}

static void comments_of_languages(void **state)
{
    (void)state;
    expect_words("a b # c\nd", SCAN_HASH, "a b |d |");
    expect_words("a # c\n  # d\ne", SCAN_HASH_FIRST, "a |e |"); /* the first # is no comment: the rest is skipped */
    expect_words("a ; c\nd // e", SCAN_SEMICOLON | SCAN_SLASHES, "a |d |");
    expect_words("a /* b\n c */ d\n\n\ne", SCAN_C, "a d |e |");
    expect_words("a\r\n\tb\r\n", 0, "a |b |");
    expect_words("", SCAN_C, "|");
    expect_words("a /* b", SCAN_C, "a |");
}

static void errors_say_what_was_found(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "expected a register, found the end of the text"},
        {" \n", "expected a register, found the end of the line"},
        {"  foo", "expected a register, found 'foo'"},
        {",", "expected a register, found ','"},
        {"\x01", "expected a register, found the byte 0x01"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        open_text(&f, cases[i].text, 0);
        assert_false(scan_expected(&f.s, "a register"));
        assert_string_equal(message(&f), cases[i].message);
        close_text(&f);
    }
    static const char *const names[] = {"mov", "add", "mul"};
    struct fixture f;
    open_text(&f, "mvo", 0);
    assert_false(scan_unknown(&f.s, "unknown-instruction", "instruction", f.s.p, 3, names, 3));
    assert_string_equal(message(&f), "unknown instruction 'mvo'");
    assert_string_equal(weft_diags_get(f.diags, 0)->hint, "did you mean 'mov'?");
    close_text(&f);
}

static void bounded_numbers_and_choices(void **state)
{
    static const char *const names[] = {"address", "size"};
    struct fixture f;
    uint32_t v = 0;
    (void)state;
    open_text(&f, " 0x10 17 x SIZE siz", 0);
    assert_true(scan_number_to(&f.s, 16, &v));
    assert_int_equal(v, 16);
    assert_false(scan_number_to(&f.s, 16, &v));
    assert_string_equal(message(&f), "at most 16 is possible here");
    assert_false(scan_number_to(&f.s, 16, &v));
    assert_string_equal(weft_diags_get(f.diags, 1)->message, "expected a number, found 'x'");
    f.s.p++;
    assert_int_equal(scan_choice(&f.s, names, 2, "part"), 1);
    assert_int_equal(scan_choice(&f.s, names, 2, "part"), -1);
    assert_string_equal(weft_diags_get(f.diags, 2)->message, "unknown part 'siz'");
    close_text(&f);
}

static void nested_comments(void **state)
{
    struct fixture f;
    (void)state;
    open_text(&f, " /+ a /+ b\n +/ /* +/ x /+ open", SCAN_NESTED);
    scan_blanks(&f.s);
    assert_int_equal(*f.s.p, 'x');
    f.s.p++;
    scan_blanks(&f.s);
    assert_string_equal(message(&f), "this comment is not closed");
    close_text(&f);
    open_text(&f, "/+ x +/", SCAN_C); /* a language without them */
    scan_blanks(&f.s);
    assert_int_equal(*f.s.p, '/');
    close_text(&f);
}

static void errors_beyond_the_limit_are_counted(void **state)
{
    struct fixture f;
    (void)state;
    open_text(&f, "x", 0);
    for (int i = 0; i < 2 * SCAN_MAX_ERRORS; i++)
        scan_expected(&f.s, "y");
    assert_int_equal(f.s.errors, 2 * SCAN_MAX_ERRORS);
    assert_int_equal(weft_diags_errors(f.diags), SCAN_MAX_ERRORS);
    close_text(&f);
}

TEST_MAIN(TEST(numbers), TEST(comments_of_languages), TEST(nested_comments), TEST(errors_say_what_was_found),
          TEST(errors_beyond_the_limit_are_counted), TEST(bounded_numbers_and_choices))
