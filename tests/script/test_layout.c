/* Offsets worked out by hand from the rules of Vulkan's "Offset and Stride Assignment" and OpenGL's std140. */
#include "test.h"

#include <math.h>

#include "script/script.h"

struct job {
    struct arena arena;
    struct source source;
    weft_diags *diags;
    struct script *script;
    weft_status status;
};

static void parse(struct job *j, const char *text)
{
    *j = (struct job){.source = {"test.amber", text, strlen(text)}, .diags = weft_diags_new()};
    j->status = script_parse(&j->source, &j->arena, &j->script, j->diags);
    if (j->status != WEFT_OK)
        print_message("%s\n", weft_diags_get(j->diags, 0)->message);
}

static void done(struct job *j)
{
    weft_diags_free(j->diags);
    arena_free(&j->arena);
}

static void assert_layout(const char *text, uint64_t stride, uint32_t nleaves, const uint32_t *offsets)
{
    struct job j;
    parse(&j, text);
    assert_int_equal(j.status, WEFT_OK);
    const struct script_layout *l = &j.script->buffers[0]->layout;
    assert_int_equal(l->stride, stride);
    assert_int_equal(l->nleaves, nleaves);
    for (uint32_t i = 0; i < nleaves; i++)
        assert_int_equal(l->leaves[i].offset, offsets[i]);
    done(&j);
}

#define OFFSETS(...)                                                                                                   \
    (sizeof((uint32_t[]){__VA_ARGS__}) / 4), (const uint32_t[])                                                        \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define BUFFER(type) "#!amber\nBUFFER b DATA_TYPE " type " SIZE 1 FILL 0\n"

static void numbers(void **state)
{
    (void)state;
    assert_layout(BUFFER("float"), 4, OFFSETS(0));
    assert_layout(BUFFER("int8"), 1, OFFSETS(0));
    assert_layout(BUFFER("vec2<double>"), 16, OFFSETS(0, 8));
    assert_layout(BUFFER("vec3<float>"), 16, OFFSETS(0, 4, 8));
    assert_layout(BUFFER("vec3<float> SCALAR"), 12, OFFSETS(0, 4, 8));
    assert_layout(BUFFER("vec3<int16> STD140"), 8, OFFSETS(0, 2, 4));
    assert_layout(BUFFER("float[] STD140"), 16, OFFSETS(0));
    assert_layout(BUFFER("float[] STD430"), 4, OFFSETS(0));
    assert_layout(BUFFER("vec2<float>[3] STD140"), 48, OFFSETS(0, 4, 16, 20, 32, 36));
    assert_layout(BUFFER("vec2<float>[3]"), 24, OFFSETS(0, 4, 8, 12, 16, 20));
}

static void matrices(void **state)
{
    (void)state;
    assert_layout(BUFFER("mat2x2<float>"), 16, OFFSETS(0, 4, 8, 12));
    assert_layout(BUFFER("mat2x2<float> STD140"), 32, OFFSETS(0, 4, 16, 20));
    assert_layout(BUFFER("mat2x3<float>"), 32, OFFSETS(0, 4, 8, 16, 20, 24));
    assert_layout(BUFFER("mat3x2<float> STD140"), 48, OFFSETS(0, 4, 16, 20, 32, 36));
    assert_layout(BUFFER("mat2x3<float> SCALAR"), 24, OFFSETS(0, 4, 8, 12, 16, 20));
}

static void formats(void **state)
{
    (void)state;
    assert_layout(BUFFER("R8G8B8A8_UNORM"), 4, OFFSETS(0, 1, 2, 3));
    assert_layout(BUFFER("R32G32B32_SFLOAT"), 16, OFFSETS(0, 4, 8));
    assert_layout(BUFFER("A2B10G10R10_UNORM_PACK32"), 4, OFFSETS(0));
    assert_layout(BUFFER("B5G6R5_UNORM_PACK16"), 2, OFFSETS(0));
    /* The pixels of an image are packed tightly. */
    assert_layout("#!amber\nIMAGE i FORMAT R8G8B8_UNORM DIM_1D WIDTH 4\n", 3, OFFSETS(0, 1, 2));
    assert_layout("#!amber\nIMAGE i FORMAT D32_SFLOAT_S8_UINT DIM_2D WIDTH 4 HEIGHT 1\n", 5, OFFSETS(0, 4));
}

#define WITH(members, rule) "#!amber\nSTRUCT s\n" members "END\nBUFFER b DATA_TYPE s " rule " SIZE 1 FILL 0\n"

static void structures(void **state)
{
    (void)state;
    assert_layout(WITH("float a\nfloat b\n", "STD430"), 8, OFFSETS(0, 4));
    assert_layout(WITH("float a\nfloat b\n", "STD140"), 16, OFFSETS(0, 4));
    assert_layout(WITH("vec3<float> a\nfloat b\n", "STD430"), 16, OFFSETS(0, 4, 8, 12)); /* fills the fourth place */
    assert_layout(WITH("float a\nvec3<float> b\nfloat c\n", "STD430"), 32, OFFSETS(0, 16, 20, 24, 28));
    assert_layout(WITH("float a\nvec3<float> b\nfloat c\n", "SCALAR"), 20, OFFSETS(0, 4, 8, 12, 16));
    assert_layout(WITH("uint8 a\nuint32 b\nuint16 c\ndouble d\n", "STD430"), 24, OFFSETS(0, 4, 8, 16));
    assert_layout(WITH("float a\nfloat[2] b\nfloat c\n", "STD430"), 16, OFFSETS(0, 4, 8, 12));
    assert_layout(WITH("float a\nfloat[2] b\nfloat c\n", "STD140"), 64, OFFSETS(0, 16, 32, 48));
    assert_layout(WITH("float a\nmat2x2<float> m\n", "STD430"), 24, OFFSETS(0, 8, 12, 16, 20));
    assert_layout(WITH("float a\nmat2x2<float> m\n", "STD140"), 48, OFFSETS(0, 16, 20, 32, 36));
}

static void written_offsets_and_strides(void **state)
{
    (void)state;
    assert_layout(
        "#!amber\nSTRUCT s\nint32 d OFFSET 8\nint32 e OFFSET 16\nEND\n"
        "STRUCT t\nfloat a OFFSET 8\nint32 b OFFSET 16\ns c\nEND\nBUFFER x DATA_TYPE t STD430 SIZE 1 FILL 0\n",
        40, OFFSETS(8, 16, 28, 36));
    assert_layout("#!amber\nSTRUCT s STRIDE 20\nfloat a\nuint32 b\nEND\nBUFFER x DATA_TYPE s SIZE 1 FILL 0\n", 20,
                  OFFSETS(0, 4));
    assert_layout(WITH("float[2] a ARRAY_STRIDE 12\nfloat b\n", "STD430"), 28, OFFSETS(0, 12, 24));
    assert_layout(WITH("mat2x2<float> a MATRIX_STRIDE 16\n", "STD430"), 32, OFFSETS(0, 4, 16, 20));
    /* Rows of a row-major 3 by 2 matrix: two rows of three. DATA still lists columns. */
    assert_layout(WITH("mat3x2<float> a ROW_MAJOR\n", "STD430"), 32, OFFSETS(0, 16, 4, 20, 8, 24));
    assert_layout(WITH("mat3x2<float> a COLUMN_MAJOR\n", "STD430"), 24, OFFSETS(0, 4, 8, 12, 16, 20));
}

static void nested_structures(void **state)
{
    (void)state;
    static const char text[] = "#!amber\nSTRUCT s\nfloat d\nfloat e\nEND\nSTRUCT t\nfloat a\nfloat b\ns c\nEND\n"
                               "BUFFER x DATA_TYPE t %s SIZE 1 FILL 0\n";
    char out[300];
    snprintf(out, sizeof out, text, "STD140");
    assert_layout(out, 32, OFFSETS(0, 4, 16, 20));
    snprintf(out, sizeof out, text, "STD430");
    assert_layout(out, 16, OFFSETS(0, 4, 8, 12));
    assert_layout("#!amber\nSTRUCT s\nvec3<float> p\nEND\nSTRUCT t\nfloat a\ns[2] c\nfloat z\nEND\n"
                  "BUFFER x DATA_TYPE t SIZE 1 FILL 0\n",
                  64, OFFSETS(0, 16, 20, 24, 32, 36, 40, 48));
}

static void a_deep_type_takes_no_time(void **state)
{
    (void)state;
    /* Sixteen levels of ten members each: the limit on values stops it, not the patience of whoever waits. */
    char text[8000];
    size_t n = (size_t)snprintf(text, sizeof text, "#!amber\nSTRUCT s0\nfloat a\nEND\n");
    for (int i = 1; i < 16; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "STRUCT s%d\n", i);
        for (int k = 0; k < 10; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "s%d m%d\n", i - 1, k);
        n += (size_t)snprintf(text + n, sizeof text - n, "END\n");
    }
    snprintf(text + n, sizeof text - n, "BUFFER b DATA_TYPE s15 SIZE 1 FILL 0\n");
    struct job j = {.source = {"test.amber", text, strlen(text)}, .diags = weft_diags_new()};
    assert_int_equal(script_parse(&j.source, &j.arena, &j.script, j.diags), WEFT_ERROR_INPUT);
    assert_non_null(strstr(weft_diags_get(j.diags, 0)->message, "too many values"));
    done(&j);
}

/* ---- values ---- */

static void floats_are_rounded_once(void **state)
{
    (void)state;
    static const struct {
        double value;
        uint16_t half;
    } rows[] = {
        {0, 0},          {-0.0, 0x8000},   {1, 0x3c00},          {65504, 0x7bff}, {65519.999, 0x7bff},
        {65520, 0x7c00}, {0x1p-24, 1},     {0x1p-25, 0},         {0x1.8p-25, 1},  {0x1.000001p-25, 1},
        {-2, 0xc000},    {0x1p-14, 0x400}, {0x1.ff8p-15, 0x3ff}, {2049, 0x6800},  {2049.0000001, 0x6801},
        {2051, 0x6802},  {1e300, 0x7c00},  {0x1.ffep-15, 0x400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct script_number n = {.real = rows[i].value};
        uint16_t half;
        script_store(SCRIPT_FLOAT16, &n, &half);
        assert_int_equal(half, rows[i].half);
    }
    /* Every half is what reading and writing it gives. */
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint16_t in = (uint16_t)h, out;
        if ((in & 0x7c00) == 0x7c00 && (in & 0x3ff))
            continue;
        struct script_number n = script_load(SCRIPT_FLOAT16, &in);
        script_store(SCRIPT_FLOAT16, &n, &out);
        assert_int_equal(in, out);
    }
}

/* Each half is the number that its parts are. */
static void halves_are_read(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint16_t in = (uint16_t)h, out;
        int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 0x3ff);
        double is = exponent == 31 ? (fraction ? NAN : INFINITY)
                    : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                   : ldexp(fraction, -24);
        struct script_number n = script_load(SCRIPT_FLOAT16, &in);
        assert_false(n.integral);
        assert_true(exponent == 31 && fraction ? isnan(n.real) : n.real == (h >> 15 ? -is : is));
        assert_int_equal(!!signbit(n.real), h >> 15);
        script_store(SCRIPT_FLOAT16, &n, &out);
        assert_int_equal(out, exponent == 31 && fraction ? (h & 0x8000) | 0x7e00 : h);
    }
}

/* Between two halves the nearer one counts, and of two as near the even one. */
static void halves_are_rounded(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x7bff; h++) {
        uint16_t low = (uint16_t)h, high = (uint16_t)(h + 1), out;
        double a = script_load(SCRIPT_FLOAT16, &low).real, b = script_load(SCRIPT_FLOAT16, &high).real;
        double middle = (a + b) / 2;
        struct script_number n[3] = {{.real = nextafter(middle, a)}, {.real = middle}, {.real = nextafter(middle, b)}};
        const uint16_t wanted[3] = {low, h & 1 ? high : low, high};
        for (unsigned i = 0; i < 3; i++) {
            script_store(SCRIPT_FLOAT16, &n[i], &out);
            assert_int_equal(out, wanted[i]);
            n[i].real = -n[i].real;
            script_store(SCRIPT_FLOAT16, &n[i], &out);
            assert_int_equal(out, wanted[i] | 0x8000);
        }
    }
}

/* Bytes of each type of integers, the lowest first, and what they read as. */
static void integers_have_their_bytes(void **state)
{
    (void)state;
    static const uint8_t bytes[8] = {0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88};
    for (unsigned log2 = 0; log2 < 4; log2++) {
        unsigned size = 1u << log2;
        uint64_t bits = 0x8887868584838281u & (UINT64_MAX >> (64 - 8 * size));
        enum script_scalar with_sign = (enum script_scalar)(SCRIPT_INT8 + log2);
        enum script_scalar without = (enum script_scalar)(SCRIPT_UINT8 + log2);
        assert_int_equal(script_scalar_bytes(with_sign), size);
        assert_int_equal(script_scalar_bytes(without), size);
        struct script_number n = script_load(without, bytes);
        assert_true(n.integral && n.bits == bits && n.real == (double)bits);
        uint8_t out[9] = {0};
        script_store(without, &n, out);
        assert_memory_equal(out, bytes, size);
        assert_int_equal(out[size], 0);
        n = script_load(with_sign, bytes);
        uint64_t extended = size == 8 ? bits : bits - ((uint64_t)1 << 8 * size);
        assert_true(n.integral && n.bits == extended && n.real == -(double)(0 - extended));
        memset(out, 0, sizeof out);
        script_store(with_sign, &n, out);
        assert_memory_equal(out, bytes, size);
        assert_int_equal(out[size], 0);
    }
}

static void reals_are_cut_to_integers(void **state)
{
    (void)state;
    assert_true(script_truncate(2.9) == 2 && script_truncate(-2.9) == (uint64_t)-2 && script_truncate(0.9) == 0);
    assert_true(script_truncate(0x1p62) == (uint64_t)1 << 62 && script_truncate(-0x1p62) == 0 - ((uint64_t)1 << 62));
    assert_true(script_truncate(0x1p63) == (uint64_t)1 << 63);
    assert_true(script_truncate(0x1.fffffffffffffp63) == 0xfffffffffffff800u && script_truncate(0x1p64) == 0);
    assert_true(script_truncate(-0x1.fffffffffffffp62) == 0x8000000000000400u && script_truncate(-0x1p64) == 0);
    assert_true(script_truncate(NAN) == 0 && script_truncate(INFINITY) == 0 && script_truncate(-INFINITY) == 0);
}

static void integers_keep_their_sign(void **state)
{
    (void)state;
    int8_t byte = -5;
    struct script_number n = script_load(SCRIPT_INT8, &byte);
    assert_true(n.integral && n.real == -5 && n.bits == (uint64_t)-5);
    uint8_t u = 251;
    n = script_load(SCRIPT_UINT8, &u);
    assert_true(n.integral && n.real == 251 && n.bits == 251);
    float f = 2.75f;
    n = script_load(SCRIPT_FLOAT, &f);
    assert_true(!n.integral && n.real == 2.75 && n.bits == 2);
}

static void contents(void **state)
{
    (void)state;
    struct job j;
    parse(&j, "#!amber\nBUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
              "BUFFER b DATA_TYPE uint16 SIZE 4 SERIES_FROM 65534 INC_BY 1\n"
              "BUFFER c DATA_TYPE float SIZE 3 SERIES_FROM 0.1 INC_BY 0.1\n"
              "BUFFER d DATA_TYPE int32 SIZE 2 FILL 0xffffffff\n");
    assert_int_equal(j.status, WEFT_OK);
    float a[8] = {0};
    script_buffer_fill(j.script->buffers[0], a, sizeof a);
    assert_memory_equal(a, ((float[]){1, 2, 3, 0, 4, 5, 6, 0}), sizeof a);
    uint16_t b[4];
    script_buffer_fill(j.script->buffers[1], b, sizeof b);
    assert_memory_equal(b, ((uint16_t[]){65534, 65535, 0, 1}), sizeof b);
    float c[3];
    script_buffer_fill(j.script->buffers[2], c, sizeof c);
    assert_memory_equal(c, ((float[]){0.1f, 0.1f + 0.1f, 0.1f + 0.1f + 0.1f}), sizeof c);
    int32_t d[2];
    script_buffer_fill(j.script->buffers[3], d, sizeof d);
    assert_int_equal(d[0], -1);
    assert_int_equal(script_buffer_bytes(j.script->buffers[0]), 32);
    done(&j);
}

TEST_MAIN(TEST(numbers), TEST(matrices), TEST(formats), TEST(structures), TEST(written_offsets_and_strides),
          TEST(nested_structures), TEST(a_deep_type_takes_no_time), TEST(floats_are_rounded_once),
          TEST(halves_are_read), TEST(halves_are_rounded), TEST(integers_have_their_bytes),
          TEST(reals_are_cut_to_integers), TEST(integers_keep_their_sign), TEST(contents))
