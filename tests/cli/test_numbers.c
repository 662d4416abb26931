/* test_numbers.c - buffers of numbers as text: numbers of each type and notation to bytes, against the C library; what
 * is not a number, and what does not fit; and bytes to text and back. */
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "base/diag.h"
#include "cli/run_numbers.h"

enum { TEXT = 4000, NUMBERS = 24 };

static const struct {
    const char *name;
    size_t width;
} types[] = {[RUN_BYTES] = {"", 1}, [RUN_FLOAT] = {"float", 4}, [RUN_DOUBLE] = {"double", 8}, [RUN_INT] = {"int", 4},
             [RUN_UINT] = {"uint", 4}};

static void types_are_told_from_names(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        enum run_numbers type;
        size_t length;
    } cases[] = {{"a:float", RUN_FLOAT, 1}, {"a.b:double", RUN_DOUBLE, 3}, {"a:int", RUN_INT, 1},
                 {"-:uint", RUN_UINT, 1}, {"a:uint:int", RUN_INT, 6}, {"a", RUN_BYTES, 1}, {"a:half", RUN_BYTES, 6},
                 {":int", RUN_BYTES, 4},
                 {"a:", RUN_BYTES, 2}, {"a:ints", RUN_BYTES, 6}, {"", RUN_BYTES, 0}, {"int", RUN_BYTES, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = 99;
        assert_int_equal(run_numbers_type(cases[i].file, &length), cases[i].type);
        assert_int_equal(length, cases[i].length);
    }
    for (unsigned t = RUN_BYTES; t <= RUN_UINT; t++)
        assert_int_equal(run_numbers_width((enum run_numbers)t), types[t].width);
}

/* NULL: it was read, and `io` has the bytes. */
static const char *read_text(enum run_numbers type, const char *text, struct cli_bytes *io, uint32_t *column)
{
    static char message[100];
    weft_diags *d = weft_diags_new();
    *io = (struct cli_bytes){.name = "in", .data = strdup(text), .size = strlen(text)};
    weft_status status = run_numbers_read(io, type, d);
    message[0] = '\0';
    if (status != WEFT_OK) {
        const weft_diag *g = weft_diags_get(d, 0);
        snprintf(message, sizeof message, "%s %u", g->message, g->length);
        if (column)
            *column = g->column;
        assert_string_equal(g->code, "not-a-number");
    }
    weft_diags_free(d);
    return status == WEFT_OK ? NULL : message;
}

/* ---- one number ---- */

/* The bits of a word by the C library; false: it is none of the type, or too large. */
static bool bits_of(enum run_numbers type, const char *word, uint64_t *bits)
{
    char *end;
    bool hex = strncmp(word, "0x", 2) == 0 || strncmp(word, "0X", 2) == 0;
    *bits = 0;
    errno = 0;
    if (hex) {
        *bits = strtoull(word, &end, 16);
        return !errno && (type == RUN_DOUBLE || *bits <= UINT32_MAX);
    }
    if (type == RUN_DOUBLE) {
        double d = strtod(word, &end);
        memcpy(bits, &d, sizeof d);
        return isfinite(d) || strstr(word, "inf");
    }
    if (type == RUN_FLOAT) {
        float f = strtof(word, &end);
        memcpy(bits, &f, sizeof f);
        return isfinite(f) || strstr(word, "inf");
    }
    __extension__ __int128 wide = 0, most = type == RUN_INT ? INT32_MAX : UINT32_MAX,
                           least = type == RUN_INT ? INT32_MIN : 0;
    for (const char *p = word + (*word == '-' || *word == '+'); *p; p++)
        wide = wide > most * 20 ? wide : wide * 10 + (*p - '0');
    wide = *word == '-' ? -wide : wide;
    *bits = (uint32_t)wide;
    return wide <= most && wide >= least;
}

static void any_word(struct test_rng *r, enum run_numbers type, char *word, size_t size)
{
    static const char *const marks[] = {"", "", "-", "+"};
    static const char *const integers[] = {"0", "2147483647", "2147483648", "2147483649", "4294967295", "4294967296",
                                           "00000000000000000012", "18446744073709551616", "42949672960"};
    static const char *const floats[] = {"0.0", "1e38", "3.5e38", "1e-46", ".5", "5.", "1e309", "1.5E+3", "inf", "007"};
    static const char *const hexes[] = {"0x0", "0xffffffff", "0x100000000", "0XaB", "0xffffffffffffffff",
                                        "0x10000000000000000", "0x7f800000", "0x00000000000000000001"};
    bool real = type == RUN_FLOAT || type == RUN_DOUBLE;
    switch (test_next(r) % 6) {
    case 0:
        snprintf(word, size, "%s", hexes[test_next(r) % 8]);
        break;
    case 1:
        snprintf(word, size, "0x%" PRIx64, test_next64(r) >> test_next(r) % 64);
        break;
    case 2:
        snprintf(word, size, "%s%s", marks[test_next(r) % 4],
                 real ? floats[test_next(r) % 10] : integers[test_next(r) % 9]);
        break;
    case 3:
        snprintf(word, size, "%s%u", marks[test_next(r) % 4], test_next(r) >> test_next(r) % 32);
        break;
    default:
        if (real)
            snprintf(word, size, "%.*g", (int)(test_next(r) % 18),
                     ldexp((double)(int64_t)test_next64(r), (int)(test_next(r) % 200) - 120));
        else
            snprintf(word, size, "%s%" PRIu64, marks[test_next(r) % 4], test_next64(r) >> test_next(r) % 64);
    }
}

static void single_numbers(void **state)
{
    (void)state;
    struct test_rng r = test_seed("numbers");
    unsigned fine = 0, large = 0;
    for (unsigned i = 0; i < 40000; i++) {
        enum run_numbers type = (enum run_numbers)(RUN_FLOAT + i % 4);
        char word[80], text[120], want[60];
        struct cli_bytes io;
        uint64_t bits, got = 0;
        uint32_t column = 0;
        any_word(&r, type, word, sizeof word);
        snprintf(text, sizeof text, "  %s# more\n", word);
        const char *fault = read_text(type, text, &io, &column);
        if (bits_of(type, word, &bits)) {
            if (fault || io.size != types[type].width)
                fail_msg("%s as %s: %s", word, types[type].name, fault ? fault : "nothing");
            memcpy(&got, io.data, io.size);
            if (got != bits)
                fail_msg("%s as %s: %#" PRIx64 ", not %#" PRIx64, word, types[type].name, got, bits);
            fine++;
        } else {
            snprintf(want, sizeof want, "the number does not fit %s %zu", types[type].name, strlen(word));
            if (!fault || strcmp(fault, want) != 0 || column != 3)
                fail_msg("%s as %s: %s", word, types[type].name, fault ? fault : "read");
            large++;
        }
        free(io.data);
    }
    assert_true(fine > 10000 && large > 1000);
}

static void what_is_no_number(void **state)
{
    (void)state;
    static const char *const words[] = {"x",    "-",     "+",        "0x",   "0xg", "1x",  "--1", "+-1",
                                        "-0x1", "1e",    "1.5.5",    "infinity", "nano", "1.",  "1.5", "1e3",
                                        "inf",  "nan",   "-inf",     "-nan", "0x1.8", "1_0", "0b1"};
    enum { FLOATS_FROM = 13, FLOATS_TO = 20 }; /* numbers of floats, not of integers */
    for (unsigned t = RUN_FLOAT; t <= RUN_UINT; t++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            bool fine = (t == RUN_FLOAT || t == RUN_DOUBLE) && i >= FLOATS_FROM && i < FLOATS_TO;
            struct cli_bytes io;
            char want[60];
            const char *fault = read_text((enum run_numbers)t, words[i], &io, NULL);
            snprintf(want, sizeof want, "expected a number of type %s %zu", types[t].name, strlen(words[i]));
            if (fine ? fault != NULL : !fault || strcmp(fault, want) != 0)
                fail_msg("%s as %s: %s", words[i], types[t].name, fault ? fault : "read");
            free(io.data);
        }
}

static void special_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        uint32_t single;
        uint64_t wide;
    } cases[] = {{"inf", 0x7f800000, UINT64_C(0x7ff0000000000000)},
                 {"-inf", 0xff800000, UINT64_C(0xfff0000000000000)},
                 {"nan", 0x7fc00000, UINT64_C(0x7ff8000000000000)},
                 {"-nan", 0xffc00000, UINT64_C(0xfff8000000000000)},
                 {"-0", 0x80000000, UINT64_C(0x8000000000000000)},
                 {"+1", 0x3f800000, UINT64_C(0x3ff0000000000000)}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cli_bytes io;
        assert_null(read_text(RUN_FLOAT, cases[i].word, &io, NULL));
        assert_memory_equal(io.data, &cases[i].single, 4);
        free(io.data);
        assert_null(read_text(RUN_DOUBLE, cases[i].word, &io, NULL));
        assert_memory_equal(io.data, &cases[i].wide, 8);
        free(io.data);
    }
}

/* ---- texts ---- */

/* Numbers with anything between them that is not part of a number. */
static void texts_of_numbers(void **state)
{
    (void)state;
    static const char *const between[] = {" ", ",", "\n", "\t", "\r\n", " # 7\n", ", ", "#\n", "\n\n# 1 2\n#\n"};
    struct test_rng r = test_seed("texts");
    for (unsigned i = 0; i < 3000; i++) {
        char text[TEXT] = "";
        int32_t numbers[NUMBERS];
        size_t count = test_next(&r) % NUMBERS, n = 0;
        for (size_t k = 0; k < count; k++) {
            numbers[k] = (int32_t)(test_next(&r) >> test_next(&r) % 32);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRId32 "%s", k || i % 2 ? "" : between[i % 9],
                                  numbers[k], k + 1 == count && i % 3 ? "" : between[test_next(&r) % 9]);
        }
        struct cli_bytes io;
        assert_null(read_text(RUN_INT, text, &io, NULL));
        assert_int_equal(io.size, 4 * count);
        assert_memory_equal(io.data, numbers, io.size);
        free(io.data);
    }
}

/* What is written is read as the same bits, one number to a line. */
static void bytes_as_text(void **state)
{
    (void)state;
    struct test_rng r = test_seed("bytes");
    for (unsigned i = 0; i < 4000; i++) {
        enum run_numbers type = (enum run_numbers)(RUN_FLOAT + i % 4);
        uint64_t bytes[NUMBERS];
        size_t count = test_next(&r) % NUMBERS, size = count * types[type].width, length, lines = 0;
        for (size_t k = 0; k < NUMBERS; k++)
            bytes[k] = test_next(&r) % 4 ? test_next64(&r) : test_next(&r) % 2 ? UINT64_C(0x7ff) << 52 : 0x7f800000;
        char *text = run_numbers_print(bytes, size, type, &length);
        char *copy = strndup(text, length);
        const char *at = copy;
        for (size_t k = 0; k < length; k++)
            lines += text[k] == '\n';
        assert_int_equal(lines, count);
        assert_true(length == 0 || text[length - 1] == '\n');
        struct cli_bytes io;
        assert_null(read_text(type, copy, &io, NULL));
        assert_int_equal(io.size, size);
        assert_memory_equal(io.data, bytes, size);
        for (size_t k = 0; k < count && (type == RUN_INT || type == RUN_UINT); k++) {
            char want[20];
            uint32_t word;
            memcpy(&word, (const char *)bytes + 4 * k, 4);
            snprintf(want, sizeof want, type == RUN_INT ? "%" PRId32 "\n" : "%" PRIu32 "\n", word);
            assert_int_equal(strncmp(at, want, strlen(want)), 0);
            at += strlen(want);
        }
        free(io.data);
        free(copy);
        free(text);
    }
}

TEST_MAIN(TEST(types_are_told_from_names), TEST(single_numbers), TEST(what_is_no_number), TEST(special_numbers),
          TEST(texts_of_numbers), TEST(bytes_as_text))
