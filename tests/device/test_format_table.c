/* Every pixel format against its name: what Vulkan's names say about a pixel, and formulas of the specifications worked
 * out in long double, over all codes of channels of at most 16 bits. */
#include "test.h"

#include "base/fmath.h"
#include "device/format.h"
#include "ir/gallium.h"

#include <ctype.h>
#include <math.h>

/* What a name says. Channels are in the order of the name. */
struct named {
    unsigned count, total;
    char letter[5];
    unsigned bits[5], shift[5];
    char kind[5][12];
    bool packed;
};

/* "R8G8_UNORM": the first channel is in the first byte. "A2B10G10R10_SINT_PACK32": it is in the highest bits. */
static struct named parse_name(const char *name, bool first_is_lowest)
{
    struct named n = {0};
    unsigned from = 0;
    n.packed = strstr(name, "_PACK") != NULL;
    while (*name) {
        if (strchr("RGBALIDSXZE", *name) && isdigit((unsigned char)name[1])) {
            char *end;
            n.letter[n.count] = *name;
            n.bits[n.count++] = (unsigned)strtoul(name + 1, &end, 10);
            name = end;
        } else if (*name == '_') {
            name++;
        } else {
            size_t length = strcspn(name, "_");
            if (strncmp(name, "PACK", 4))
                for (; from < n.count; from++)
                    snprintf(n.kind[from], sizeof n.kind[from], "%.*s", (int)length, name);
            name += length;
        }
    }
    for (unsigned i = 0; i < n.count; i++)
        n.total += n.bits[i];
    for (unsigned i = 0, at = 0; i < n.count; i++) {
        n.shift[i] = n.packed && !first_is_lowest ? n.total - at - n.bits[i] : at;
        at += n.bits[i];
    }
    return n;
}

/* Which components of R, G, B, A a letter feeds. */
static unsigned components_of(char letter)
{
    switch (letter) {
    case 'R': case 'D': case 'Z': return 1;
    case 'G': return 2;
    case 'B': return 4;
    case 'A': return 8;
    case 'L': return 7;
    case 'I': case 'S': return 15;
    default: return 0;
    }
}

static long double power2(int e)
{
    return ldexpl(1.0L, e);
}

/* The value of a code, exactly or to long double; NaN where it is one. */
static long double value_of(const char *kind, char letter, unsigned bits, uint32_t code)
{
    long double max = power2((int)bits) - 1;
    long double number = code >= power2((int)bits - 1) ? (long double)code - power2((int)bits) : code;
    if (!strcmp(kind, "SRGB") && letter != 'A') {
        long double c = code / max;
        return c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
    }
    if (!strcmp(kind, "UNORM") || !strcmp(kind, "SRGB"))
        return code / max;
    if (!strcmp(kind, "SNORM")) {
        long double q = number / (power2((int)bits - 1) - 1);
        return q < -1 ? -1 : q;
    }
    if (!strcmp(kind, "USCALED") || !strcmp(kind, "UINT"))
        return code;
    if (!strcmp(kind, "SSCALED") || !strcmp(kind, "SINT"))
        return number;
    unsigned sign = !strcmp(kind, "UFLOAT") ? 0 : 1, m = bits - 5 - sign;
    long double s = sign && code >> (bits - 1) ? -1 : 1;
    unsigned e = code >> m & 31, f = code & ((1u << m) - 1);
    if (e == 31)
        return f ? (long double)NAN : s * INFINITY;
    return s * (e ? power2((int)e - 15) * (1 + f / power2((int)m)) : power2(-14) * f / power2((int)m));
}

static bool is_shared(const struct format *f)
{
    return strstr(f->name, "E5") != NULL;
}

static void names_tell_where_channels_are(void **state)
{
    (void)state;
    for (unsigned id = FORMAT_NONE + 1; id < FORMATS; id++) {
        const struct format *f = &formats[id];
        struct named n = parse_name(f->name, false);
        bool seen[4] = {false, false, false, false};
        assert_int_equal((n.total + 7) / 8, f->bytes);
        for (unsigned i = 0; i < n.count; i++) {
            if (f->depth && n.letter[i] == 'S') {
                assert_int_equal(f->stencil.shift, n.shift[i]);
                assert_int_equal(f->stencil.bits, 8);
                continue;
            }
            for (unsigned c = 0; c < 4; c++)
                if (components_of(n.letter[i]) >> c & 1) {
                    assert_int_equal(f->channel[c].shift, n.shift[i]);
                    assert_int_equal(f->channel[c].bits, n.bits[i]);
                    seen[c] = true;
                }
        }
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(seen[c], f->channel[c].kind != FORMAT_VOID);
        assert_int_equal(f->depth, strchr(f->name, 'D') && !strstr(f->name, "SCALED"));
        assert_ptr_equal(format_find(f->name), f);
    }
    assert_null(format_find("R8G8B8A8"));
    assert_null(format_find("NONE"));
}

static void every_code_decodes_to_its_value(void **state)
{
    (void)state;
    struct test_rng r = test_seed("decode");
    for (unsigned id = FORMAT_NONE + 1; id < FORMATS; id++) {
        const struct format *f = &formats[id];
        struct named n = parse_name(f->name, false);
        for (unsigned i = 0; i < n.count && !is_shared(f); i++) {
            if (n.bits[i] > 16 || (f->depth && n.letter[i] == 'S') || n.letter[i] == 'X')
                continue;
            for (uint32_t code = 0; code < 1u << n.bits[i]; code++) {
                uint8_t pixel[32];
                float rgba[4], back[4];
                for (unsigned b = 0; b < sizeof pixel; b++)
                    pixel[b] = (uint8_t)test_next(&r);
                for (unsigned b = 0; b < n.bits[i]; b++) {
                    unsigned at = n.shift[i] + b;
                    pixel[at / 8] = (uint8_t)((pixel[at / 8] & ~(1u << at % 8)) | (code >> b & 1u) << at % 8);
                }
                long double want = value_of(n.kind[i], n.letter[i], n.bits[i], code);
                format_decode(f, pixel, rgba);
                unsigned set = components_of(n.letter[i]);
                for (unsigned c = 0; c < 4; c++)
                    if (set >> c & 1 && (isnan(want) ? !isnan(rgba[c]) : rgba[c] != (float)want))
                        fail_msg("%s code %u: %a, not %La", f->name, code, (double)rgba[c], want);
                /* and back */
                format_encode(f, rgba, pixel);
                format_decode(f, pixel, back);
                for (unsigned c = 0; c < 4; c++)
                    if (set >> c & 1 && !isnan(want) && back[c] != rgba[c])
                        fail_msg("%s code %u does not come back", f->name, code);
            }
        }
    }
}

static void absent_components_are_0_and_1(void **state)
{
    (void)state;
    for (unsigned id = FORMAT_NONE + 1; id < FORMATS; id++) {
        const struct format *f = &formats[id];
        uint8_t pixel[32];
        memset(pixel, 0x3c, sizeof pixel);
        float rgba[4];
        uint32_t words[4];
        format_decode(f, pixel, rgba);
        format_decode_words(f, pixel, words);
        for (unsigned c = 0; c < 4; c++)
            if (f->channel[c].kind == FORMAT_VOID) {
                assert_true(rgba[c] == (c == 3 ? 1.0f : 0.0f));
                assert_int_equal(words[c], c < 3 ? 0 : format_class(f) == FORMAT_CLASS_FLOAT ? 0x3f800000 : 1);
            }
    }
}

/* The middle between neighbours goes to the even code, a step beside it to the nearer. */
static void check_float_rounding(const struct format *f, unsigned channel, unsigned largest)
{
    const struct format_channel *c = &f->channel[channel];
    for (unsigned code = 0; code < largest; code++) {
        uint8_t pixel[8] = {0};
        float v[4] = {0, 0, 0, 0};
        const char *kind = c->kind == FORMAT_UFLOAT ? "UFLOAT" : "SFLOAT";
        double low = (double)value_of(kind, 'R', c->bits, code), high = (double)value_of(kind, 'R', c->bits, code + 1);
        float middle = (float)((low + high) / 2);
        assert_true((double)middle == (low + high) / 2);
        const float at[3] = {nextafterf(middle, -INFINITY), middle, nextafterf(middle, INFINITY)};
        const unsigned want[3] = {code, code & 1 ? code + 1 : code, code + 1};
        for (unsigned k = 0; k < 3; k++) {
            v[channel] = at[k];
            format_encode(f, v, pixel);
            if (format_channel_get(c, pixel) != want[k])
                fail_msg("%s: %a gives %u", f->name, (double)at[k], (unsigned)format_channel_get(c, pixel));
        }
    }
}

static void small_floats_round_to_nearest_even(void **state)
{
    (void)state;
    const struct format *f = &formats[FORMAT_B10G11R11_UFLOAT_PACK32];
    check_float_rounding(f, 0, 0x7bf);
    check_float_rounding(f, 1, 0x7bf);
    check_float_rounding(f, 2, 0x3df);
    check_float_rounding(&formats[FORMAT_R16G16_SFLOAT], 1, 0x7bff);

    uint8_t pixel[4];
    const float high[4] = {65520.0f, INFINITY, 1e30f, 0}, low[4] = {-1.0f, -INFINITY, -0.0f, 0},
                nan[4] = {NAN, NAN, NAN, 0};
    float back[4];
    format_encode(f, high, pixel);
    format_decode(f, pixel, back);
    assert_true(back[0] == 65024.0f && back[1] == INFINITY && back[2] == 64512.0f);
    format_encode(f, low, pixel);
    format_decode(f, pixel, back);
    assert_true(back[0] == 0.0f && back[1] == 0.0f && back[2] == 0.0f);
    format_encode(f, nan, pixel);
    format_decode(f, pixel, back);
    assert_true(isnan(back[0]) && isnan(back[1]) && isnan(back[2]));
}

static void shared_exponent_decodes_every_code(void **state)
{
    (void)state;
    const struct format *f = &formats[FORMAT_E5B9G9R9_UFLOAT_PACK32];
    for (uint32_t e = 0; e < 32; e++)
        for (uint32_t m = 0; m < 512; m++) {
            uint32_t word = e << 27 | (m ^ 511) << 18 | (m ^ 0x155) << 9 | m;
            float rgba[4];
            format_decode(f, &word, rgba);
            assert_true(rgba[0] == (float)(m * power2((int)e - 24)));
            assert_true(rgba[1] == (float)((m ^ 0x155) * power2((int)e - 24)));
            assert_true(rgba[2] == (float)((m ^ 511) * power2((int)e - 24)));
            assert_true(rgba[3] == 1.0f);
        }
}

/* The smallest exponent for which the largest component fits in 9 bits after rounding. */
static void shared_exponent_encodes_to_the_smallest_exponent(void **state)
{
    (void)state;
    struct test_rng r = test_seed("shared exponent");
    const struct format *f = &formats[FORMAT_E5B9G9R9_UFLOAT_PACK32];
    for (unsigned n = 0; n < 200000; n++) {
        float rgba[4] = {0, 0, 0, 0};
        long double largest = 0;
        for (unsigned c = 0; c < 3; c++) {
            rgba[c] = f32_from(((90 + test_next(&r) % 60) << 23) | (test_next(&r) & 0x7fffff));
            if (n % 7 == 0)
                rgba[c] = (float)ldexp((double)(test_next(&r) % 2048) / 2, (int)(test_next(&r) % 30) - 20);
            if (n % 11 == 0)
                rgba[c] = -rgba[c];
            long double v = rgba[c] > 0 ? (rgba[c] < 65408.0f ? rgba[c] : 65408.0f) : 0;
            largest = v > largest ? v : largest;
        }
        unsigned e = 0;
        while (floorl(largest * power2(24 - (int)e) + 0.5L) > 511)
            e++;
        uint32_t want = e << 27, got;
        for (unsigned c = 0; c < 3; c++) {
            long double v = rgba[c] > 0 ? (rgba[c] < 65408.0f ? rgba[c] : 65408.0f) : 0;
            want |= (uint32_t)floorl(v * power2(24 - (int)e) + 0.5L) << (9 * c);
        }
        format_encode(f, rgba, &got);
        if (got != want)
            fail_msg("%a %a %a: %08x, not %08x", (double)rgba[0], (double)rgba[1], (double)rgba[2], got, want);
    }
}

static void srgb_encodes_to_the_nearest_code(void **state)
{
    (void)state;
    struct test_rng r = test_seed("srgb");
    for (unsigned n = 0; n < 200000; n++) {
        float v = f32_from(test_next(&r) % 0x3f800001u);
        if (n & 1)
            v = (float)(test_next(&r) >> 8) * 0x1p-24f;
        long double e = v <= 0.0031308L ? 12.92L * v : 1.055L * powl(v, 1 / 2.4L) - 0.055L;
        long double code = e * 255;
        if (fabsl(code - floorl(code) - 0.5L) < 1e-12L)
            continue;
        const float rgba[4] = {v, v, v, 0.5f};
        uint8_t pixel[4];
        format_encode(&formats[FORMAT_R8G8B8A8_SRGB], rgba, pixel);
        assert_int_equal(pixel[0], (unsigned)floorl(code + 0.5L));
        assert_int_equal(pixel[2], pixel[0]);
        assert_int_equal(pixel[3], 128);
    }
    const float odd[4] = {NAN, -1.0f, INFINITY, NAN};
    uint8_t pixel[4];
    format_encode(&formats[FORMAT_R8G8B8A8_SRGB], odd, pixel);
    assert_true(pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 255 && pixel[3] == 0);
}

static void normalised_values_round_and_clamp(void **state)
{
    (void)state;
    struct test_rng r = test_seed("norm");
    for (unsigned n = 0; n < 100000; n++) {
        float v = ((float)(test_next(&r) >> 8) * 0x1p-24f - 0.5f) * 2.5f, rgba[4] = {v, v, v, v};
        float u = v < 0 ? 0 : v > 1 ? 1 : v, s = v < -1 ? -1 : v > 1 ? 1 : v;
        uint32_t word;
        uint16_t half[2];
        format_encode(&formats[FORMAT_A2B10G10R10_UNORM_PACK32], rgba, &word);
        assert_int_equal(word & 1023, (uint32_t)nearbyintf(u * 1023.0f));
        assert_int_equal(word >> 30, (uint32_t)nearbyintf(u * 3.0f));
        format_encode(&formats[FORMAT_A2B10G10R10_SNORM_PACK32], rgba, &word);
        assert_int_equal(word >> 10 & 1023, (uint32_t)(int32_t)nearbyintf(s * 511.0f) & 1023);
        assert_int_equal(word >> 30, (uint32_t)(int32_t)nearbyintf(s) & 3);
        format_encode(&formats[FORMAT_R16G16_SNORM], rgba, half);
        assert_int_equal(half[1], (uint16_t)(int32_t)nearbyintf(s * 32767.0f));
        format_encode(&formats[FORMAT_X8_D24_UNORM_PACK32], rgba, &word);
        assert_int_equal(word & 0xffffff, (uint32_t)nearbyint((double)u * 16777215.0));
        format_encode(&formats[FORMAT_R5G6B5_UNORM_PACK16], rgba, half);
        assert_int_equal(half[0] >> 5 & 63, (unsigned)nearbyintf(u * 63.0f));
    }
    const float nan[4] = {NAN, NAN, NAN, NAN};
    uint32_t word = 0xffffffff;
    format_encode(&formats[FORMAT_R8G8B8A8_SNORM], nan, &word);
    assert_int_equal(word, 0);
}

static void scaled_and_integer_values_clamp(void **state)
{
    (void)state;
    const float v[4] = {-300.0f, 2.5f, 300.0f, NAN};
    uint8_t b[4];
    int8_t s[4];
    format_encode(&formats[FORMAT_R8G8B8A8_USCALED], v, b);
    assert_true(b[0] == 0 && b[1] == 2 && b[2] == 255 && b[3] == 0);
    format_encode(&formats[FORMAT_R8G8B8A8_SSCALED], v, s);
    assert_true(s[0] == -128 && s[1] == 2 && s[2] == 127 && s[3] == 0);

    const uint32_t words[4] = {(uint32_t)-200, 200, 70000, 0x80000000u};
    uint32_t back[4];
    uint16_t h[4];
    int32_t w[4];
    format_encode_words(&formats[FORMAT_R8G8B8A8_SINT], words, s);
    assert_true(s[0] == -128 && s[1] == 127 && s[2] == 127 && s[3] == -128);
    format_encode_words(&formats[FORMAT_R16G16B16A16_UINT], words, h);
    assert_true(h[0] == 65535 && h[1] == 200 && h[2] == 65535 && h[3] == 65535);
    format_encode_words(&formats[FORMAT_R32G32B32A32_SINT], words, w);
    assert_memory_equal(w, words, sizeof words);
    format_decode_words(&formats[FORMAT_R8G8B8A8_SINT], s, back);
    assert_true(back[0] == (uint32_t)-128 && back[3] == (uint32_t)-128 && back[1] == 127);
    int64_t l[2];
    format_encode_words(&formats[FORMAT_R64G64_SINT], words, l);
    assert_true(l[0] == -200 && l[1] == 200);
    format_decode_words(&formats[FORMAT_R64G64_SINT], l, back);
    assert_true(back[0] == (uint32_t)-200 && back[1] == 200 && back[2] == 0 && back[3] == 1);
    const float big[4] = {1e30f, -1e30f, 4294967040.0f, 0};
    format_encode(&formats[FORMAT_R32G32B32A32_SINT], big, w);
    assert_true(w[0] == INT32_MAX && w[1] == INT32_MIN && w[2] == INT32_MAX && w[3] == 0);
    format_encode(&formats[FORMAT_R32G32B32A32_UINT], big, w);
    assert_true((uint32_t)w[0] == UINT32_MAX && w[1] == 0 && (uint32_t)w[2] == 4294967040u);
}

static void wide_floats_are_rounded_once(void **state)
{
    (void)state;
    const double d[2] = {0.1, -1e300};
    float rgba[4];
    format_decode(&formats[FORMAT_R64G64_SFLOAT], d, rgba);
    assert_true(rgba[0] == 0.1f && rgba[1] == -INFINITY && rgba[2] == 0 && rgba[3] == 1);
    double back[2];
    format_encode(&formats[FORMAT_R64G64_SFLOAT], rgba, back);
    assert_true(back[0] == (double)0.1f);
}

static void depth_and_stencil_leave_each_other_alone(void **state)
{
    (void)state;
    const enum format_id ids[] = {FORMAT_D16_UNORM_S8_UINT, FORMAT_D24_UNORM_S8_UINT, FORMAT_D32_SFLOAT_S8_UINT};
    for (unsigned i = 0; i < 3; i++) {
        const struct format *f = &formats[ids[i]];
        uint8_t pixel[5] = {0};
        format_set_stencil(f, 0xa5, pixel);
        format_set_depth(f, 1.0f, pixel);
        assert_int_equal(format_stencil(f, pixel), 0xa5);
        assert_true(format_depth(f, pixel) == 1.0f);
        format_set_stencil(f, 0, pixel);
        assert_true(format_depth(f, pixel) == 1.0f);
        float rgba[4];
        format_decode(f, pixel, rgba);
        assert_true(rgba[0] == 1.0f && rgba[1] == 0.0f && rgba[2] == 0.0f && rgba[3] == 1.0f);
    }
    uint8_t s = 0;
    uint32_t words[4];
    format_set_stencil(&formats[FORMAT_S8_UINT], 77, &s);
    format_set_depth(&formats[FORMAT_S8_UINT], 1.0f, &s);
    format_decode_words(&formats[FORMAT_S8_UINT], &s, words);
    for (unsigned c = 0; c < 4; c++)
        assert_int_equal(words[c], 77);
}

/* Gallium lists channels from the lowest bits, and its names are known to the TGSI tables. */
static void gallium_names_say_the_same(void **state)
{
    (void)state;
    for (unsigned id = FORMAT_NONE + 1; id < FORMATS; id++) {
        const struct format *f = &formats[id];
        if (!f->gallium)
            continue;
        char name[64];
        snprintf(name, sizeof name, "PIPE_FORMAT_%s", f->gallium);
        bool known = false;
        for (unsigned i = 0; gallium_format_names[i]; i++)
            known |= !strcmp(gallium_format_names[i], name);
        if (!known)
            fail_msg("%s is no format of Gallium", name);
        assert_ptr_equal(format_find_gallium(name), f);
        assert_ptr_equal(format_find_gallium(f->gallium), f);
        assert_string_equal(gallium_format_names[format_gallium_number(f)], name);
        struct named n = parse_name(f->gallium, true);
        for (unsigned i = 0; i < n.count; i++)
            for (unsigned c = 0; c < 4 && n.letter[i] != 'E' && !(f->depth && n.letter[i] == 'S'); c++)
                if (components_of(n.letter[i]) >> c & 1) {
                    assert_int_equal(f->channel[c].shift, n.shift[i]);
                    assert_int_equal(f->channel[c].bits, n.bits[i]);
                }
    }
    assert_null(format_find_gallium("PIPE_FORMAT_DXT1_RGB"));
    assert_int_equal(format_gallium_number(&(struct format){.name = "none"}), 0);
}

TEST_MAIN(TEST(names_tell_where_channels_are), TEST(every_code_decodes_to_its_value),
          TEST(absent_components_are_0_and_1), TEST(small_floats_round_to_nearest_even),
          TEST(shared_exponent_decodes_every_code), TEST(shared_exponent_encodes_to_the_smallest_exponent),
          TEST(srgb_encodes_to_the_nearest_code), TEST(normalised_values_round_and_clamp),
          TEST(scaled_and_integer_values_clamp), TEST(wide_floats_are_rounded_once),
          TEST(depth_and_stencil_leave_each_other_alone), TEST(gallium_names_say_the_same))
