/* The special constants: each is the number that it approximates, rounded to nearest, or the bits that it is for. */
#include <math.h>

#include "test.h"

#include "isa/rogue/rogue.h"

static uint32_t bits_of(double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static void expect(unsigned number, uint32_t wanted)
{
    bool known = false;
    uint32_t value = rogue_constant(number, &known);
    if (!known || value != wanted)
        fail_msg("constant %u is %#x, not %#x", number, value, wanted);
}

static void test_integers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        expect(i, i);
    expect(143, 0xffffffff);
    expect(144, 0x7fff7fff);
    expect(147, 127); /* the bias of exponents */
}

static void test_powers_of_two(void **state)
{
    (void)state;
    for (int n = 0; n <= 10; n++)
        expect(64 + (unsigned)n, bits_of(ldexp(1, n)));
    for (int n = 1; n <= 14; n++)
        expect(74 + (unsigned)n, bits_of(ldexp(1, -n)));
    expect(134, bits_of(ldexp(1, -16)));
    expect(135, bits_of(ldexp(1, -15)));
    expect(149, bits_of(ldexp(1, 23)));
    expect(150, bits_of(ldexp(1, 24)));
}

static void test_numbers(void **state)
{
    (void)state;
    const double pi = acos(-1), e = exp(1);
    const struct {
        unsigned number;
        double value;
    } numbers[] = {
        {89, e}, {90, 1 / e}, {91, sqrt(2)}, {92, sqrt(0.5)}, {93, pi / 4}, {94, pi / 2}, {95, pi},
        {128, 1 / pi}, {129, 2 / pi}, {130, 4 / pi}, {131, 2 * pi}, {132, 4 * pi}, {133, 8 * pi},
        /* sRGB: to it from linear, and back */
        {136, 0.0031308}, {137, 12.92}, {138, 1 / 2.4}, {139, 1.055}, {140, 0.055},
        {156, 0.04045}, {157, 1 / 12.92}, {158, 1 / (double)1.055f}, {159, 2.4},
        {141, -0.0}, {142, INFINITY}, {145, log10(2)}, {146, log(2)}, {148, 3.40282346638528859812e38},
        {151, pi / 3}, {152, 1.0 / 3}, {153, 1.0 / 6}, {154, log2(10)}, {155, 1 / log(2)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        expect(numbers[i].number, bits_of(numbers[i].value));
}

static void test_others(void **state)
{
    (void)state;
    static const unsigned none[] = {32, 63, 96, 127, 160, 255};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        bool known = true;
        rogue_constant(none[i], &known);
        assert_false(known);
    }
}

TEST_MAIN(TEST(test_integers), TEST(test_powers_of_two), TEST(test_numbers), TEST(test_others))
