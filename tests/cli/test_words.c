/* test_words.c - bytes in each notation that weft reads words in, written by the test itself, and back to the same
 * bytes; texts with one thing in them that is not understood; and what weft writes. */
#include "test.h"

#include <ctype.h>
#include <stdbool.h>

#include "cli/cli.h"
#include "cli/words.h"

enum { MOST = 96 /* bytes */, TEXT = 20000 };

struct notation {
    char text[TEXT];
    size_t length;
    const uint8_t *bytes;
    size_t size;
    unsigned unit;
    struct test_rng *r;
};

static unsigned below(struct notation *n, unsigned count) { return test_next(n->r) % count; }

static void say(struct notation *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct notation *n, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    n->length += (size_t)vsnprintf(n->text + n->length, sizeof n->text - n->length, format, ap);
    va_end(ap);
    assert_true(n->length < sizeof n->text);
}

/* `size` bytes at `at` as a number, the first byte the lowest. */
static unsigned long long number(const struct notation *n, size_t at, size_t size)
{
    unsigned long long v = 0;
    for (size_t i = size; i-- > 0;)
        v = v << 8 | n->bytes[at + i];
    return v;
}

static void put_number(struct notation *n, size_t at, size_t size, bool marked)
{
    say(n, below(n, 4) ? "%s%0*llx" : "%s%0*llX", marked ? below(n, 4) ? "0x" : "0X" : "", (int)size * 2,
        number(n, at, size));
}

static void put_text(struct notation *n, size_t at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        say(n, "%c", isprint(n->bytes[at + i]) ? n->bytes[at + i] : '.');
}

static void put_comment(struct notation *n)
{
    static const char *const comments[] = {"", "", "", "// 0x12 more\n", "# 0x12\n", "/* 0x12, * / */", "/**/"};
    say(n, "%s", comments[below(n, 7)]);
}

/* ---- notations ---- */

static void words_apart(struct notation *n)
{
    static const char *const between[] = {" ", ", ", ",", "\n", ";\n", "\t", " ) ( ", "}\n{ ", "][", "\r\n"};
    bool marked = below(n, 2);
    for (size_t at = 0, size; at < n->size; at += size) {
        bool two = n->unit < 8 && below(n, 4) == 0 && at + 2 * n->unit <= n->size;
        size = two ? 2 * n->unit : n->unit;
        put_number(n, at, size, marked || below(n, 3) == 0);
        say(n, "%s", between[below(n, 10)]);
        put_comment(n);
    }
}

/* A word may have as many digits as it needs; the first has all. */
static void short_words(struct notation *n)
{
    for (size_t at = 0; at < n->size; at += n->unit)
        say(n, at ? "0x%llx\n" : n->unit == 8 ? "0x%016llx\n" : n->unit == 4 ? "0x%08llx\n" : "0x%04llx\n",
            number(n, at, n->unit));
}

static void pairs(struct notation *n)
{
    for (size_t at = 0; at < n->size; at++)
        say(n, "%s%02x%s", n->unit == 4 ? "0x" : "", n->bytes[at], at % 16 == 15 ? "\n" : n->unit == 2 ? " " : ", ");
}

static void offsets_and_words(struct notation *n)
{
    bool marked = below(n, 2);
    for (size_t at = 0; at < n->size; at += n->unit) {
        if (at % 16 == 0)
            say(n, marked ? "%s0x%zx:" : "%s%04zx:", at ? "\n" : "", at);
        say(n, " ");
        put_number(n, at, n->unit, marked);
    }
    say(n, "\n");
}

static void debugger(struct notation *n)
{
    for (size_t at = 0; at < n->size; at += n->unit) {
        if (at % 16 == 0)
            say(n, "%s0x7fff%04zx <code%s%zu>:", at ? "\n" : "", at, at ? "+" : "", at);
        say(n, "\t");
        put_number(n, at, n->unit, true);
    }
}

static void kernel_log(struct notation *n)
{
    static const char *const befores[] = {"driver 0000:01:00.0: shader: ", "gpu: ", "", "a b: c: ", "drm: 0040: "};
    const char *before = befores[below(n, 5)];
    if (below(n, 2))
        say(n, "[    1.000001] gpu: a shader follows\n");
    for (size_t at = 0; at < n->size; at += n->unit) {
        if (at % 16 == 0)
            say(n, "%s[%5zu.%06zu] %s", at ? "\n" : "", at, at, before);
        put_number(n, at, n->unit, true);
        say(n, " ");
    }
}

static void array_of_c(struct notation *n)
{
    static const char *const heads[] = {"static const uint32_t code[] = {\n", "uint16_t code[99] = { ",
                                        "/* words */ const unsigned code[] =\n{"};
    say(n, "%s", heads[below(n, 3)]);
    for (size_t at = 0; at < n->size; at += n->unit) {
        put_number(n, at, n->unit, true);
        say(n, at % 16 == 12 ? ",\n    " : ", ");
    }
    say(n, "};\n");
    if (below(n, 2))
        say(n, "unsigned int code_len = %zu;\n", n->size);
}

static void xxd_i(struct notation *n)
{
    say(n, "unsigned char a_bin[] = {\n");
    for (size_t at = 0; at < n->size; at++)
        say(n, "%s0x%02x%s", at % 12 ? " " : "  ", n->bytes[at],
            at + 1 == n->size ? "\n" : at % 12 == 11 ? ",\n" : ",");
    say(n, "};\nunsigned int a_bin_len = %zu;\n", n->size);
}

/* Groups of two bytes, and the bytes as text two columns after where the last group of a whole line is. */
static void xxd(struct notation *n)
{
    for (size_t at = 0; at < n->size; at += 16) {
        size_t count = n->size - at < 16 ? n->size - at : 16;
        say(n, "%08zx:", at);
        for (size_t i = 0; i < 16; i++)
            if (i < count)
                say(n, i % 2 ? "%02x" : " %02x", n->bytes[at + i]);
            else
                say(n, i % 2 ? "  " : "   ");
        say(n, "  ");
        put_text(n, at, count);
        say(n, "\n");
    }
}

static void xxd_e(struct notation *n)
{
    for (size_t at = 0; at < n->size; at += 16) {
        size_t count = n->size - at < 16 ? n->size - at : 16;
        say(n, "%08zx:", at);
        for (size_t i = 0; i < count; i += 4)
            say(n, " %08llx", number(n, at + i, 4));
        say(n, "   ");
        put_text(n, at, count);
        say(n, "\n");
    }
}

/* Offsets in hexadecimal or octal, groups of some size, perhaps text, and the end. */
static void dump(struct notation *n, const char *offset, size_t group, const char *open, const char *close, bool ends)
{
    size_t at;
    for (at = 0; at < n->size; at += 16) {
        size_t count = n->size - at < 16 ? n->size - at : 16;
        say(n, offset, at);
        for (size_t i = 0; i < count; i += group)
            say(n, " %s%0*llx", i == 8 ? " " : "", (int)group * 2, number(n, at + i, group));
        if (open) {
            say(n, "  %s", open);
            put_text(n, at, count);
            say(n, "%s", close);
        }
        say(n, "%s\n", below(n, 3) ? "" : " ");
    }
    if (ends) {
        say(n, offset, n->size);
        say(n, "\n");
    }
}

/* Listings of assemblers: pairs, two blanks or a tab, and text. */
static void listing(struct notation *n)
{
    for (size_t at = 0; at < n->size; at += 4) {
        for (size_t i = 0; i < 4; i++)
            say(n, "%02x%s", n->bytes[at + i], i < 3 ? " " : below(n, 2) ? "  " : "\t");
        say(n, below(n, 2) ? "mov r0, r%zu\n" : "and 0x%zu\n", at);
    }
}

enum { NOTATIONS = 20 };

static bool write_as(struct notation *n, unsigned which)
{
    bool even = n->size % 4 == 0, lines = n->size > 16;
    switch (which) {
    case 0: words_apart(n); return true;
    case 1: short_words(n); return true;
    case 2: pairs(n); return true;
    case 3: offsets_and_words(n); return true;
    case 4: debugger(n); return true;
    case 5: kernel_log(n); return true;
    case 6: array_of_c(n); return n->unit > 1;
    case 7: xxd_i(n); return true;
    case 8: xxd(n); return true;
    case 9: xxd_e(n); return even && (n->unit != 8 || n->size > 8);
    case 10: dump(n, "%08zx ", 1, "|", "|", true); return true;
    case 11: dump(n, "%07zx", 2, NULL, NULL, true); return true;
    case 12: dump(n, "%06zx", 4, NULL, NULL, !lines || below(n, 2)); return even && n->size > 4;
    case 13: dump(n, "%07zo", 1, ">", "<", false); return true;
    case 14: dump(n, "%07zo", 2, NULL, NULL, true); return true;
    case 15: dump(n, "%016zx", 8, "|", "|", true); return n->size % 8 == 0;
    case 16: dump(n, "%04zx", 1, NULL, NULL, true); return true;
    case 17: listing(n); return even;
    case 18:
        say(n, "Shader of %zu bytes\nvertex: r0\n", n->size);
        words_apart(n);
        return true;
    default:
        say(n, "\n\n  ");
        array_of_c(n);
        return true;
    }
}

static void any_bytes(struct notation *n, struct test_rng *r, uint8_t *bytes)
{
    n->r = r;
    n->length = 0;
    n->bytes = bytes;
    n->unit = 2u << test_next(r) % 3;
    n->size = n->unit * (1 + test_next(r) % (MOST / n->unit));
    for (size_t i = 0; i < n->size; i++)
        bytes[i] = (uint8_t)(test_next(r) % 4 ? test_next(r) : 'a' + i % 26);
    bytes[n->unit - 1] |= 0x10; /* the first word has all its digits */
}

static void fail_with(const struct notation *n, const char *what)
{
    print_message("# %s, words of %u bytes:\n%s\n", what, n->unit, n->text);
    fail();
}

static void notations_are_read(void **state)
{
    (void)state;
    struct test_rng r = test_seed("notations");
    for (unsigned i = 0; i < 40000; i++) {
        static struct notation n;
        static uint8_t got[TEXT * 8];
        uint8_t bytes[MOST];
        size_t count;
        any_bytes(&n, &r, bytes);
        if (!write_as(&n, i % NOTATIONS))
            continue;
        if (words_parse(n.text, n.length, n.unit, got, &count) != n.length || count != n.size ||
            memcmp(got, bytes, count) != 0) {
            print_message("# %zu of %zu bytes\n", count, n.size);
            fail_with(&n, "other bytes");
        }
    }
}

/* Words, and then something that is none: what was read before it, and where it is. */
static void what_is_no_word(void **state)
{
    (void)state;
    static const char *const others[] = {"0x12g4", "xyz", "0x", "12345678123456781", "0x12345678123456781", "-1",
                                         "0x12:",  "%",   "12.5", "\"\"", "_", "<12>"};
    struct test_rng r = test_seed("others");
    for (unsigned i = 0; i < 5000; i++) {
        static struct notation n;
        static uint8_t got[TEXT * 8];
        uint8_t bytes[MOST];
        size_t count;
        any_bytes(&n, &r, bytes);
        for (size_t at = 0; at < n.size; at += n.unit)
            say(&n, "0x%0*llx, ", (int)n.unit * 2, number(&n, at, n.unit));
        size_t place = n.length;
        say(&n, "%s 0x1234\n", others[i % 12]);
        if (words_parse(n.text, n.length, n.unit, got, &count) != place || count != n.size ||
            memcmp(got, bytes, count) != 0)
            fail_with(&n, "not refused");
    }
}

static void nothing_but_headings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {{"", 0}, {" \n", 2}, {"Shader\n", 0}, {"\n Shader\nmore\n", 2}, {"// 0x12\n", 8}, {"ghi", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t got[200];
        size_t count = 9, size = strlen(cases[i].text), at = words_parse(cases[i].text, size, 4, got, &count);
        if (at != cases[i].at || count != 0)
            fail_msg("'%s': %zu, %zu bytes", cases[i].text, at, count);
    }
}

static void what_is_a_word(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int is;
    } cases[] = {{"0x1", 1}, {"1", 1}, {"", 0}, {"0x", 0}, {"g", 0}, {"0123456789abcDEF", 1},
                 {"0x0123456789ABCDEF", 1}, {"00123456789abcdef", 0}, {"1 ", 0}, {"0X12", 1}, {"x12", 0}, {"add", 1},
                 {"adg", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(words_is_word(cases[i].text), cases[i].is);
}

/* ---- writing ---- */

/* A line for each place; or for each word, where a place is not of whole words. */
static void words_are_written(void **state)
{
    (void)state;
    struct test_rng r = test_seed("words");
    for (unsigned i = 0; i < 5000; i++) {
        static struct notation n;
        uint8_t bytes[MOST];
        weft_place places[MOST];
        size_t count = 0, length;
        bool whole = true;
        any_bytes(&n, &r, bytes);
        for (size_t at = 0, size; at < n.size; at += size) {
            size = n.unit * (1 + test_next(&r) % 3);
            if (i % 5 == 0 && size > 2 && test_next(&r) % 3 == 0)
                size--;
            size = size < n.size - at ? size : n.size - at;
            whole = whole && size % n.unit == 0;
            places[count++] = (weft_place){.offset = at, .size = size};
        }
        if (i % 7 == 0)
            count = 0;
        for (size_t at = 0, place = 0; at < n.size; at += n.unit) {
            if (count && place + 1 < count && places[place + 1].offset <= at)
                place++;
            bool first = !count || !whole || at == places[place].offset;
            bool last = !count || !whole || at + n.unit == places[place].offset + places[place].size;
            say(&n, "%s0x%0*llx,%s", first ? "" : " ", (int)n.unit * 2, number(&n, at, n.unit), last ? "\n" : "");
        }
        char *text = words_print(bytes, n.size, n.unit, places, count, &length);
        assert_int_equal(length, n.length);
        assert_memory_equal(text, n.text, length);
        free(text);
    }
}

static void digits_are_read_and_written(void **state)
{
    (void)state;
    struct test_rng r = test_seed("digits");
    for (unsigned i = 0; i < 5000; i++) {
        static struct notation n;
        uint8_t bytes[MOST], got[MOST];
        size_t count, length;
        any_bytes(&n, &r, bytes);
        static const char *const between[] = {"", " ", "\n", "\t", "\r\n", ""};
        for (size_t at = 0; at < n.size; at++)
            say(&n, test_next(&r) % 2 ? "%02x%s" : "%02X%s", bytes[at], between[test_next(&r) % 6]);
        assert_int_equal(hex_parse(n.text, n.length, got, &count), n.length);
        assert_int_equal(count, n.size);
        assert_memory_equal(got, bytes, count);
        static const char *const others[] = {"g0", "0", "0 0", "-", "/0", ":0", "`a", "@a", "a@", "G0"};
        size_t place = n.length;
        say(&n, "%s", others[i % 10]);
        assert_int_equal(hex_parse(n.text, n.length, got, &count), place);
        assert_int_equal(count, n.size);
        size_t group = test_next(&r) % 6;
        char *text = hex_print(bytes, n.size, group, &length);
        n.length = 0;
        for (size_t at = 0; at < n.size; at++)
            say(&n, "%02x%s", bytes[at], at + 1 == n.size || (group && at % group == group - 1) ? "\n" : "");
        assert_int_equal(length, n.length);
        assert_string_equal(text, n.text);
        free(text);
        text = hex_print(bytes, 0, group, &length);
        assert_int_equal(length, 0);
        assert_string_equal(text, "");
        free(text);
    }
}

TEST_MAIN(TEST(notations_are_read), TEST(what_is_no_word), TEST(nothing_but_headings), TEST(what_is_a_word),
          TEST(words_are_written), TEST(digits_are_read_and_written))
