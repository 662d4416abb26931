#include "test.h"

#include "base/diag.h"

static void format_points_at_the_place(void **state)
{
    (void)state;
    static const char text[] = "FRAG\n\tMAAD OUT[0], IN[0]\nEND\n";
    struct source src = {"a.tgsi", text, sizeof text - 1};
    weft_diags *d = weft_diags_new();
    diag_at(d, WEFT_ERROR, "unknown-instruction", &src, (struct span){6, 4}, "did you mean 'MAD'?",
            "unknown opcode '%s'", "MAAD");
    assert_int_equal(weft_diags_count(d), 1);
    assert_int_equal(weft_diags_errors(d), 1);
    char out[400];
    size_t n = weft_diag_format(weft_diags_get(d, 0), 0, out, sizeof out);
    assert_string_equal(out, "a.tgsi:2:2: error: unknown opcode 'MAAD'\n"
                             "  \tMAAD OUT[0], IN[0]\n"
                             "  \t^~~~\n"
                             "  did you mean 'MAD'?\n");
    assert_int_equal(n, strlen(out));
    char small[10];
    assert_int_equal(weft_diag_format(weft_diags_get(d, 0), 0, small, sizeof small), n);
    assert_string_equal(small, "a.tgsi:2:");
    assert_null(weft_diags_get(d, 1));
    weft_diags_free(d);
}

static void end_of_input_is_a_place(void **state)
{
    (void)state;
    struct source src = {"x", "FRAG", 4};
    weft_diags *d = weft_diags_new();
    diag_at(d, WEFT_WARNING, "truncated", &src, (struct span){4, 1}, NULL, "ends here");
    const weft_diag *g = weft_diags_get(d, 0);
    assert_int_equal(g->line, 1);
    assert_int_equal(g->column, 5);
    assert_int_equal(weft_diags_errors(d), 0);
    weft_diags_free(d);
}

static void many_are_counted_but_not_kept(void **state)
{
    (void)state;
    weft_diags *d = weft_diags_new();
    for (int i = 0; i < 250; i++)
        diag_add(d, WEFT_ERROR, "usage", "tokens", NULL, "number %d", i);
    assert_int_equal(weft_diags_count(d), 250);
    assert_non_null(weft_diags_get(d, 99));
    assert_null(weft_diags_get(d, 100));
    weft_diags_free(d);
}

/* Many warnings do not keep an error from being shown. */
static void warnings_leave_room(void **state)
{
    (void)state;
    weft_diags *d = weft_diags_new();
    for (int i = 0; i < 150; i++)
        diag_add(d, WEFT_WARNING, "usage", "tokens", NULL, "number %d", i);
    diag_at_address(d, WEFT_ERROR, "bad-access", NULL, 16, NULL, "the error");
    assert_int_equal(weft_diags_count(d), 151);
    const weft_diag *g = weft_diags_get(d, 100);
    assert_non_null(g);
    assert_string_equal(g->code, "bad-access");
    assert_null(weft_diags_get(d, 101));
    char text[80];
    weft_diag_format(g, 0, text, sizeof text);
    assert_string_equal(text, "error: at 0x10: the error\n");
    weft_diags_free(d);
}

static void near_words(void **state)
{
    (void)state;
    static const char *const words[] = {"MAD", "MUL", "MOV", "UMAD", "KILL_IF", NULL, "TEX"};
    size_t n = sizeof words / sizeof words[0];
    assert_string_equal(nearest_word("MAAD", 4, words, n), "MAD");
    assert_string_equal(nearest_word("kill_fi", 7, words, n), "KILL_IF");
    assert_string_equal(nearest_word("TXE", 3, words, n), "TEX");
    const char *const sums[] = {"UADD", "UMAD", "UMUL"}; /* one letter too many for two of them */
    assert_string_equal(nearest_word("UMADD", 5, sums, 3), "UMAD");
    assert_null(nearest_word("QQQQQQ", 6, words, n));
}

/* Characters that steer a terminal or change the order of others are shown by their numbers; the mark stays below what
 * it is about. */
static void hidden_characters_are_shown(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        struct span where;
        const char *shown;
    } cases[] = {
        {"a\033[2Jb MAAD", {7, 4}, "  a\\x1b[2Jb MAAD\n            ^~~~\n"},
        {"\tx\xe2\x80\xaey z", {6, 1}, "  \tx<U+202E>y z\n  \t          ^\n"}, /* the space */
        {"\xe2\x81\xa6 y", {0, 3}, "  <U+2066> y\n  ^~~~~~~~\n"},
        {"\xe2\x81\xa6 y", {1, 1}, "  <U+2066> y\n  ^~~~~~~~\n"}, /* a byte within it */
        {"\xe2\x80\x8e\xd8\x9c y", {6, 1}, "  <U+200E><U+061C> y\n                   ^\n"},
        {"\xc2\x9b\x7f y", {4, 1}, "  <U+009B>\\x7f y\n               ^\n"},
        {"\xc3\xa9\xf0\x9f\x98\x80 y", {7, 1}, "  \xc3\xa9\xf0\x9f\x98\x80 y\n     ^\n"}, /* one column each */
        {"\xff\xc0\x80 y", {4, 1}, "  \\xff\\xc0\\x80 y\n               ^\n"},
        {"\xed\xa0\x80 y", {4, 1}, "  \\xed\\xa0\\x80 y\n               ^\n"}, /* a surrogate */
        {"y \xe2\x80", {2, 1}, "  y \\xe2\\x80\n    ^~~~\n"},                  /* cut off */
        {"y \xe2\x80", {4, 1}, "  y \\xe2\\x80\n            ^\n"},             /* the end of the line */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct source src = {"a", cases[i].line, strlen(cases[i].line)};
        weft_diags *d = weft_diags_new();
        diag_at(d, WEFT_ERROR, "usage", &src, cases[i].where, NULL, "bad");
        char out[200];
        weft_diag_format(weft_diags_get(d, 0), 0, out, sizeof out);
        assert_string_equal(strchr(out, '\n') + 1, cases[i].shown);
        weft_diags_free(d);
    }
}

static void hidden_characters_of_names_are_shown(void **state)
{
    (void)state;
    weft_diags *d = weft_diags_new();
    diag_add(d, WEFT_ERROR, "usage", "a\033]0;b\007\n.tgsi", "did you mean '\xe2\x80\xad'?", "unknown '%s'",
             "\xe2\x80\xaey\x80");
    char out[200];
    weft_diag_format(weft_diags_get(d, 0), 0, out, sizeof out);
    assert_string_equal(out, "a\\x1b]0;b\\x07\\x0a.tgsi: error: unknown '<U+202E>y\\x80'\n"
                             "  did you mean '<U+202D>'?\n");
    weft_diags_free(d);
}

TEST_MAIN(TEST(hidden_characters_are_shown), TEST(hidden_characters_of_names_are_shown),
          TEST(format_points_at_the_place), TEST(end_of_input_is_a_place), TEST(many_are_counted_but_not_kept),
          TEST(warnings_leave_room), TEST(near_words))
