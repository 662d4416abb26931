/* Decimals to floats and back, against the C library in the C locale. */
#include "test.h"

#include <locale.h>
#include <math.h>

#include "base/decimal.h"

static uint32_t f32_bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static uint64_t f64_bits(double f)
{
    uint64_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static void check_reading(const char *text, size_t length)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    assert_int_equal(decimal_to_f32(text, &narrow), length);
    assert_int_equal(decimal_to_f64(text, &wide), length);
    if (narrow != f32_bits(strtof(text, NULL)) || wide != f64_bits(strtod(text, NULL)))
        fail_msg("%s gives %#x and %#llx", text, narrow, (unsigned long long)wide);
}

static void decimals_are_read_correctly_rounded(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0", "1", "0.1", ".5", "5.", "1e10", "1E+10", "1e-10", "16777217", "16777219", "16777217.0000000001",
        "9007199254740993", "9007199254740992.9999999999999999999", "1.00000005960464477539062500",
        "1.000000059604644775390625000000000000000000001", "3.4028235677973366e38", "3.40282357e38", "1e39", "1e400",
        "1.17549435e-38", "1.1754943e-38", "1.4e-45", "7e-46", "7.1e-46", "1e-46", "4.9e-324", "2e-324", "1e-400",
        "123456789012345678901234567890", "0.000000000000000000000000000000000000000000000000001e51",
        "2.2250738585072012e-308", "179769313486231580793e289", "00000000000000000000000000001.5", "0e99999999999",
        "1e99999999999", "1e-99999999999",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_reading(texts[i], strlen(texts[i]));
    struct test_rng rng = test_seed("decimals");
    for (int i = 0; i < 200000; i++) {
        char text[64];
        uint64_t digits = test_next64(&rng) >> (test_next(&rng) % 60);
        int exponent = (int)(test_next(&rng) % (i % 2 ? 30 : 700)) - (i % 2 ? 20 : 380);
        int n = snprintf(text, sizeof text, i % 3 ? "%llue%d" : "0.%llue%d", (unsigned long long)digits, exponent);
        check_reading(text, (size_t)n);
    }
    for (int i = 0; i < 100000; i++) { /* half-way between two floats, and just beside */
        uint32_t bits = test_next(&rng) % 0x7f000000;
        float f;
        memcpy(&f, &bits, sizeof f);
        char text[200];
        double half = ((double)f + (double)nextafterf(f, INFINITY)) / 2;
        int n = snprintf(text, sizeof text, "%.*e", i % 2 ? 60 : 16, half);
        check_reading(text, (size_t)n);
    }
}

static void what_is_no_number_is_not_read(void **state)
{
    (void)state;
    uint32_t b;
    static const char *const texts[] = {"", ".", "-1", "+1", "e5", "inf", "x", " 1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(decimal_to_f32(texts[i], &b), 0);
    assert_int_equal(decimal_to_f32("1e", &b), 1);
    assert_int_equal(decimal_to_f32("1e+x", &b), 1);
    assert_int_equal(decimal_to_f32("1.5.5", &b), 3);
    assert_int_equal(decimal_to_f32("0x10", &b), 1);
}

static void check_writing(uint32_t bits)
{
    char out[DECIMAL_MAX + 1], shorter[40];
    size_t n = decimal_from_f32(bits, out);
    assert_in_range(n, 1, DECIMAL_MAX);
    out[n] = '\0';
    float f;
    memcpy(&f, &bits, sizeof f);
    if (f32_bits(strtof(out, NULL)) != bits)
        fail_msg("%#x is written as %s", bits, out);
    assert_true(strpbrk(out, ".e") != NULL);
    /* No decimal of fewer digits says the same: the nearest one of one digit less does not. */
    int digits = 0, significant = 0;
    for (const char *p = out; *p && *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9' && (digits || *p != '0'))
            digits++;
        if (*p >= '1' && *p <= '9')
            significant = digits;
    }
    if (significant > 1) {
        snprintf(shorter, sizeof shorter, "%.*e", significant - 2, (double)f);
        if (f32_bits(strtof(shorter, NULL)) == bits)
            fail_msg("%s is shorter than %s", shorter, out);
    }
}

static void floats_are_written_short_and_exactly(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } some[] = {{0, "0.0"},           {1, "1.0"},     {-2.5f, "-2.5"},       {0.1f, "0.1"},
                {1e10f, "10000000000.0"}, {1e20f, "1e+20"}, {1.5e-7f, "1.5e-7"}, {0.001f, "0.001"},
                {16777216, "16777216.0"}, {3.4028235e38f, "3.4028235e+38"}, {1e-45f, "1e-45"}};
    char out[DECIMAL_MAX + 1];
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        out[decimal_from_f32(f32_bits(some[i].value), out)] = '\0';
        assert_string_equal(out, some[i].text);
    }
    out[decimal_from_f32(0x80000000, out)] = '\0';
    assert_string_equal(out, "-0.0");
    struct test_rng rng = test_seed("floats");
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = test_next(&rng);
        if ((bits & 0x7f800000) != 0x7f800000)
            check_writing(bits);
    }
    for (uint32_t exponent = 0; exponent < 255; exponent++) { /* powers of two and their neighbours */
        check_writing(exponent << 23);
        check_writing((exponent << 23) + 1);
        check_writing((exponent << 23 | 0x7fffff) | 0x80000000);
    }
}

static void doubles_are_written_exactly(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("doubles");
    int patterns = 0;
    for (int i = 0; i < 50000; i++) {
        uint64_t bits = test_next64(&rng);
        char out[DECIMAL_MAX + 1];
        if ((bits >> 52 & 0x7ff) == 0x7ff)
            continue;
        size_t n = decimal_from_f64(bits, out);
        out[n] = '\0';
        patterns += n == 0;
        if (n != 0 && f64_bits(strtod(out, NULL)) != bits)
            fail_msg("%#llx is written as %s", (unsigned long long)bits, out);
    }
    printf("# %d doubles left to patterns\n", patterns);
    assert_true(patterns < 500);
}

/* Without an exponent from 0.0001 to 10^15. */
static void few_numbers_have_an_exponent(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        {0.0001, "0.0001"},
        {0.00001, "1e-5"},
        {0.000123, "0.000123"},
        {0.0000123, "1.23e-5"},
        {1e14, "100000000000000.0"},
        {1e15, "1e+15"},
        {123456789012345, "123456789012345.0"},
        {1234567890123456, "1.234567890123456e+15"},
        {999999999999999.5, "999999999999999.5"},
        {-0.00012, "-0.00012"},
        {-1e20, "-1e+20"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[DECIMAL_MAX + 1];
        out[decimal_from_f64(f64_bits(cases[i].number), out)] = '\0';
        assert_string_equal(out, cases[i].text);
    }
}

static void any_number_is_printed(void **state)
{
    (void)state;
    static const double numbers[] = {0, -0.0, 0.1, -2.5e-308, 5e-324, 1.7976931348623157e308, 1e15, 123456789,
                                     INFINITY, -INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int digits = 1; digits <= 17; digits++) {
            char out[DECIMAL_MAX], want[DECIMAL_MAX];
            snprintf(want, sizeof want, "%.*g", digits, numbers[i]); /* in the C locale */
            assert_string_equal(decimal_general(numbers[i], digits, out), want);
        }
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++)
        if (setlocale(LC_ALL, locales[i]))
            break;
    uint64_t bits;
    assert_int_equal(decimal_to_f64("0.12345678901234567890123", &bits), 25);
    assert_true(bits == f64_bits(0.12345678901234567890123));
    char out[DECIMAL_MAX + 1];
    out[decimal_from_f64(f64_bits(1.0 / 3), out)] = '\0';
    assert_string_equal(out, "0.3333333333333333");
    assert_string_equal(decimal_general(1.0 / 3, 17, out), "0.33333333333333331");
    setlocale(LC_ALL, "C");
}

TEST_MAIN(TEST(decimals_are_read_correctly_rounded), TEST(what_is_no_number_is_not_read),
          TEST(floats_are_written_short_and_exactly), TEST(doubles_are_written_exactly),
          TEST(few_numbers_have_an_exponent),
          TEST(any_number_is_printed), TEST(the_locale_does_not_matter))
