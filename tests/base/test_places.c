/* Places of diagnostics in texts, and the nearest of several words, against plain loops of the test's own. */
#include "test.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/diag.h"

/* A text of few characters, so that lines begin, end and are empty often. */
static size_t any_text(struct test_rng *r, char *text, size_t most)
{
    static const char few[] = "ab \t\n\n\r\nxyz";
    size_t size = test_next(r) % most;
    for (size_t i = 0; i < size; i++)
        text[i] = few[test_next(r) % (sizeof few - 1)];
    return size;
}

static void lines_and_columns(void **state)
{
    (void)state;
    struct test_rng r = test_seed("places");
    for (unsigned n = 0; n < 20000; n++) {
        char text[40];
        struct source src = {"a", text, any_text(&r, text, sizeof text)};
        struct span where = {test_next(&r) % 42, test_next(&r) % 9};
        uint32_t before = n % 3 ? 0 : test_next(&r) % 1000;
        size_t at = where.offset < src.size ? where.offset : src.size, begin = 0, end = 0;
        uint32_t line = 1;
        for (size_t i = 0; i < at; i++)
            if (text[i] == '\n') {
                line++;
                begin = i + 1;
            }
        for (end = begin; end < src.size && text[end] != '\n';)
            end++;
        bool returns = end > begin && text[end - 1] == '\r';
        size_t stop = end - returns;
        assert_int_equal(source_line(&src, where.offset), line);
        weft_diags *d = weft_diags_new();
        diags_lines_before(d, before);
        diag_at(d, WEFT_NOTE, "usage", &src, where, NULL, "here");
        const weft_diag *g = weft_diags_get(d, 0);
        assert_int_equal(g->line, before + line);
        assert_int_equal(g->column, at - begin + 1);
        /* No more than the rest of the line, and one character at least. */
        size_t length = where.length ? where.length : 1, rest = stop > at ? stop - at : 0;
        assert_int_equal(g->length, length <= rest + 1 && at <= stop ? length : rest ? rest : 1);
        assert_int_equal(strlen(g->source), stop - begin);
        assert_memory_equal(g->source, text + begin, stop - begin);
        weft_diags_free(d);
    }
}

static void spans_of_lines(void **state)
{
    (void)state;
    struct test_rng r = test_seed("lines");
    for (unsigned n = 0; n < 20000; n++) {
        char text[40];
        struct source src = {"a", text, any_text(&r, text, sizeof text)};
        for (uint32_t wanted = 1; wanted < 12; wanted++) {
            uint32_t line = 1;
            size_t at = 0;
            while (at < src.size && line < wanted)
                line += text[at++] == '\n';
            while (at < src.size && (text[at] == ' ' || text[at] == '\t'))
                at++;
            size_t end = at;
            while (end < src.size && text[end] != '\n')
                end++;
            struct span s = source_line_span(&src, wanted);
            assert_int_equal(s.offset, at);
            assert_int_equal(s.length, end - at);
        }
    }
}

/* Lines of up to 400 characters are shown. */
static void long_lines(void **state)
{
    (void)state;
    for (size_t size = 398; size < 404; size++) {
        char text[500];
        memset(text, 'x', sizeof text);
        struct source src = {"a", text, size};
        weft_diags *d = weft_diags_new();
        diag_at(d, WEFT_ERROR, "usage", &src, (struct span){3, 1}, NULL, "here");
        const weft_diag *g = weft_diags_get(d, 0);
        assert_true((g->source != NULL) == (size <= 400));
        assert_int_equal(g->column, 4);
        weft_diags_free(d);
    }
}

/* ---- lists ---- */

/* Errors and others are kept apart, 100 of each; those that are only counted are counted in another list too. */
static void lists_are_counted(void **state)
{
    (void)state;
    struct test_rng r = test_seed("lists");
    for (unsigned n = 0; n < 60; n++) {
        weft_diags *d = weft_diags_new(), *more = weft_diags_new();
        size_t count[2] = {0}, kept[2] = {0}, total = test_next(&r) % 400, share = 1 + test_next(&r) % 5;
        for (size_t i = 0; i < total; i++) {
            bool error = test_next(&r) % share == 0;
            if (i % 2)
                diag_add(d, error ? WEFT_ERROR : WEFT_WARNING, "usage", "a", NULL, "%zu", i);
            else
                diag_at(d, error ? WEFT_ERROR : WEFT_NOTE, "usage", NULL, (struct span){0, 0}, "b", "%zu", i);
            kept[error] += count[error] < 100;
            count[error]++;
        }
        assert_int_equal(weft_diags_count(d), count[0] + count[1]);
        assert_int_equal(weft_diags_errors(d), count[1]);
        size_t found[2] = {0};
        for (size_t i = 0; weft_diags_get(d, i); i++)
            found[weft_diags_get(d, i)->severity == WEFT_ERROR]++;
        assert_int_equal(found[0], kept[0]);
        assert_int_equal(found[1], kept[1]);
        diag_add(more, WEFT_ERROR, "usage", "a", NULL, "one");
        diag_count_more(more, d);
        assert_int_equal(weft_diags_count(more), 1 + count[0] + count[1] - kept[0] - kept[1]);
        assert_int_equal(weft_diags_errors(more), 1 + count[1] - kept[1]);
        diag_count_more(NULL, d);
        weft_diags_free(d);
        weft_diags_free(more);
    }
}

static void memory_is_told_once(void **state)
{
    (void)state;
    static const char *const codes[] = {"usage", "memory", "too-large"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned memory = 0; memory < 2; memory++) {
            weft_diags *d = weft_diags_new();
            weft_status status = memory ? WEFT_ERROR_MEMORY : WEFT_ERROR_INPUT;
            diag_add(d, WEFT_ERROR, codes[i], NULL, NULL, "first");
            assert_int_equal(diags_memory(d, "file", status), status);
            assert_int_equal(weft_diags_count(d), memory && i == 0 ? 2 : 1);
            if (memory && i == 0)
                assert_string_equal(weft_diags_get(d, 1)->message, "out of memory");
            weft_diags_free(d);
        }
    assert_int_equal(diags_memory(NULL, NULL, WEFT_ERROR_MEMORY), WEFT_ERROR_MEMORY);
}

static void names_and_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *message, *file, *shown;
    } cases[] = {{"no", NULL, "in: error: at 0x40: no\n"},
                 {"no 0x40", NULL, "in: error: no 0x40\n"},
                 {"no 0x40, no", "x", "x: error: no 0x40, no\n"},
                 {"no 0x401", "x", "x: error: at 0x40: no 0x401\n"},
                 {"no", "", "error: at 0x40: no\n"}};
    weft_diags *d = weft_diags_new();
    assert_null(diags_name(d, "in"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[100], coloured[200], want[200];
        diag_at_address(d, WEFT_ERROR, "usage", cases[i].file, 0x40, NULL, "%s", cases[i].message);
        const weft_diag *g = weft_diags_get(d, i);
        assert_int_equal(weft_diag_format(g, 0, out, sizeof out), strlen(cases[i].shown));
        assert_string_equal(out, cases[i].shown);
        weft_diag_format(g, 1, coloured, sizeof coloured);
        const char *word = strstr(cases[i].shown, "error: ");
        snprintf(want, sizeof want, "\033[1m%.*s\033[1;31merror: \033[0m%s", (int)(word - cases[i].shown),
                 cases[i].shown, word + 7);
        assert_string_equal(coloured, want);
    }
    assert_string_equal(diags_name(d, NULL), "in");
    diag_add(d, WEFT_ERROR, "usage", NULL, NULL, "no");
    assert_string_equal(weft_diags_get(d, 5)->file, "");
    diag_set_address(d, 0x99);
    assert_true(weft_diags_get(d, 5)->has_address && weft_diags_get(d, 5)->address == 0x99);
    weft_diags_free(d);
    diag_set_address(NULL, 0);
}

/* What fits into a buffer of any size, with the length of all of it. */
static void cut_off_texts(void **state)
{
    (void)state;
    struct source src = {"a.b", "one\n two\tx", 10};
    weft_diags *d = weft_diags_new();
    diag_at(d, WEFT_WARNING, "usage", &src, (struct span){9, 9}, "first\nsecond", "message");
    char whole[200];
    size_t length = weft_diag_format(weft_diags_get(d, 0), 1, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    assert_string_equal(whole, "\033[1ma.b:2:6: \033[1;35mwarning: \033[0mmessage\n   two\tx\n      \t"
                               "\033[1;35m^\033[0m\n  first\nsecond\n");
    for (size_t size = 0; size < length + 2; size++) {
        char out[201];
        memset(out, '#', sizeof out);
        assert_int_equal(weft_diag_format(weft_diags_get(d, 0), 1, out, size), length);
        size_t fits = size > length ? length : size ? size - 1 : 0;
        assert_memory_equal(out, whole, fits);
        for (size_t i = size; i < sizeof out; i++)
            assert_int_equal(out[i], '#');
        if (size)
            assert_int_equal(out[fits], 0);
    }
    weft_diags_free(d);
}

/* ---- words ---- */

/* Letters that are changed, put in, left out, or exchanged with the next one. */
static unsigned distance(const char *a, const char *b)
{
    enum { MOST = 50 };
    static unsigned d[MOST + 1][MOST + 1];
    size_t na = strlen(a), nb = strlen(b);
    for (size_t i = 0; i <= na; i++)
        for (size_t k = 0; k <= nb; k++) {
            unsigned best = i == 0 ? (unsigned)k : k == 0 ? (unsigned)i : UINT32_MAX;
            if (i && k) {
                int x = toupper((unsigned char)a[i - 1]), y = toupper((unsigned char)b[k - 1]);
                const unsigned ways[] = {d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + (x != y)};
                for (unsigned w = 0; w < 3; w++)
                    best = ways[w] < best ? ways[w] : best;
                if (i > 1 && k > 1 && x == toupper((unsigned char)b[k - 2]) &&
                    y == toupper((unsigned char)a[i - 2]) && d[i - 2][k - 2] + 1 < best)
                    best = d[i - 2][k - 2] + 1;
            }
            d[i][k] = best;
        }
    return d[na][nb];
}

static unsigned beginning(const char *a, const char *b)
{
    unsigned n = 0;
    while (a[n] && toupper((unsigned char)a[n]) == toupper((unsigned char)b[n]))
        n++;
    return n;
}

/* The first of those that are nearest, or begins like the word the longest; no word that differs too much. */
static const char *nearest(const char *word, const char *const *names, size_t count)
{
    unsigned length = (unsigned)strlen(word), limit = length < 3 ? 2 : (length + 2) / 3 + 1;
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!names[i] || strlen(names[i]) > 40 || length > 40 || distance(word, names[i]) >= limit)
            continue;
        unsigned now = distance(word, names[i]), best = found ? distance(word, found) : UINT32_MAX;
        if (now < best || (best && now == best && beginning(word, names[i]) > beginning(word, found)))
            found = names[i];
    }
    return found;
}

static void nearest_words(void **state)
{
    (void)state;
    struct test_rng r = test_seed("words");
    enum { NAMES = 8, LONGEST = 44 };
    unsigned any = 0;
    for (unsigned n = 0; n < 60000; n++) {
        char text[NAMES + 1][LONGEST + 1];
        const char *names[NAMES];
        unsigned letters = 2 + test_next(&r) % 4, most = n % 50 ? 9 : LONGEST;
        for (unsigned i = 0; i <= NAMES; i++) {
            size_t length = 1 + test_next(&r) % most;
            for (size_t k = 0; k < length; k++)
                text[i][k] = (char)((test_next(&r) % 2 ? 'a' : 'A') + (char)(test_next(&r) % letters));
            text[i][length] = '\0';
            if (n % 50 == 0 && i) { /* long words that are nearly one another */
                memcpy(text[i], text[0], sizeof text[i]);
                text[i][test_next(&r) % strlen(text[i])] = 'z';
            }
        }
        for (unsigned i = 0; i < NAMES; i++)
            names[i] = test_next(&r) % 9 ? text[i + 1] : NULL;
        const char *want = nearest(text[0], names, NAMES), *got = nearest_word(text[0], strlen(text[0]), names, NAMES);
        if (want != got)
            fail_msg("%s: %s, not %s", text[0], got ? got : "none", want ? want : "none");
        any += want != NULL;
    }
    assert_true(any > 10000 && any < 59000);
}

static void hints(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two", "three", "four", "five", "six", "seven"};
    char hint[60];
    assert_string_equal(word_hint("tree", 4, names, 7, hint, sizeof hint), "did you mean 'three'?");
    assert_null(word_hint("zzzzzz", 6, names, 7, hint, sizeof hint));
    assert_string_equal(word_hint("zzzzzz", 6, names, 6, hint, sizeof hint), "one of one, two, three, four, five, six");
    assert_string_equal(word_hint("zzzzzz", 6, names, 1, hint, sizeof hint), "one of one");
    assert_null(word_hint("zzzzzz", 6, names, 0, hint, sizeof hint));
    assert_string_equal(word_hint("zzzzzz", 6, names, 6, hint, 12), "one of one,");
}

TEST_MAIN(TEST(lines_and_columns), TEST(spans_of_lines), TEST(long_lines), TEST(lists_are_counted),
          TEST(memory_is_told_once), TEST(names_and_addresses), TEST(cut_off_texts), TEST(nearest_words), TEST(hints))
