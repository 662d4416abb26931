/* test_sop.c - F16SOP in all its forms: instructions with random operands and destinations, as text, against the
 * formulas of chapter 6 in plain C. Halves are worked out as exact numbers that are rounded to eleven bits. */
#include "coverage.h"
#include "half.h"
#include "oracle.h"

#include "base/fmath.h"

#include <math.h>

static unsigned below(struct test_rng *r, unsigned n)
{
    return test_next(r) % n;
}

/* ---- halves ---- */

static uint16_t multiply(uint16_t a, uint16_t b)
{
    return half_rounded(half_value(a) * half_value(b));
}
static uint16_t add(uint16_t a, uint16_t b)
{
    return half_rounded(half_value(a) + half_value(b));
}
static uint16_t subtract(uint16_t a, uint16_t b)
{
    return half_rounded(half_value(a) - half_value(b));
}

static uint16_t lesser(uint16_t a, uint16_t b)
{
    if (half_is_nan(a) || half_is_nan(b))
        return half_is_nan(a) && half_is_nan(b) ? HALF_NAN : half_is_nan(a) ? b : a;
    return half_value(a) < half_value(b) || (half_value(a) == half_value(b) && a >> 15) ? a : b;
}

static uint16_t greater(uint16_t a, uint16_t b)
{
    if (half_is_nan(a) || half_is_nan(b))
        return half_is_nan(a) && half_is_nan(b) ? HALF_NAN : half_is_nan(a) ? b : a;
    return lesser(a, b) == a ? b : a;
}

static uint16_t clamped(uint16_t h)
{
    return half_value(h) > 0 ? half_value(h) < 1 ? h : HALF_ONE : 0;
}

/* ---- operands ---- */

enum form { SOP, SOP_U8, MAD, U8MAD };
enum role { MULTIPLIED, MULTIPLIER, ADDED };
struct operand {
    unsigned from; /* 6: zero, 7: z */
    enum { F16, F32, U8 } type;
    unsigned element;
    bool flr, abs, clamp, neg, oneminus;
};
struct insn {
    enum form form;
    struct operand arg[12]; /* a e b f, c g d h; of the MADs: a e v, c g x, b f w, d h y */
    unsigned op[2], out[2], dest[2];
    bool move, zabs, zclamp, clamp[4];
};

static const char *const ops[] = {"add", "sub", "min", "max", "rsub"};
static const char *const outs[2][3] = {{"", ".jouta", ".joutb"}, {"", ".koutc", ".koutd"}};
enum { E0, E1, WHOLE, ABSENT, BYTE0, W1_E0 = 8, W1_E1, W1_WHOLE };
static const char *const dests[] = {"w0.e0",    "w0.e1",    "w0",    "_",     "w0.u8.e0", "w0.u8.e1",
                                    "w0.u8.e2", "w0.u8.e3", "w1.e0", "w1.e1", "w1"};

static struct operand random_operand(struct test_rng *r, enum form form, enum role role)
{
    bool wide = form != SOP;
    struct operand o = {.from = below(r, 9), .type = below(r, wide ? 3 : 2)};
    o.from = o.from > 7 || (role == MULTIPLIED && o.from > 5) ? below(r, 6) : role == ADDED && o.from == 7 ? 6 : o.from;
    o.element = o.type == F32 ? 0 : below(r, o.type == U8 ? 4 : 2);
    o.neg = role != MULTIPLIER && below(r, 2);
    o.oneminus = role == MULTIPLIER && below(r, 2);
    o.abs = wide && below(r, 3) == 0;
    o.clamp = wide && (role != MULTIPLIED || form == SOP_U8) && below(r, 3) == 0;
    o.flr = wide && form != SOP_U8 && (role == ADDED || role == MULTIPLIED) && below(r, 3) == 0;
    return o;
}

static int write_operand(char *text, size_t size, const struct operand *o)
{
    static const char *const types[] = {"", "", ".u8"};
    char from[4] = {'s', (char)('0' + o->from), 0, 0}, element[4] = {'.', 'e', (char)('0' + o->element), 0};
    return snprintf(text, size, "%s%s%s%s%s%s%s%s",
                    o->from == 6   ? "0"
                    : o->from == 7 ? "z"
                                   : from,
                    types[o->type], o->type == F32 ? "" : element, o->oneminus ? ".oneminus" : "",
                    o->clamp ? ".clamp" : "", o->flr ? ".flr" : "", o->abs ? ".abs" : "", o->neg ? ".neg" : "");
}

static uint16_t source(const uint32_t s[SOURCES], unsigned n, const struct operand *o)
{
    if (o->type == F32)
        return half_rounded((double)f32_from(s[n]));
    if (o->type == F16)
        return (uint16_t)(s[n] >> 16 * o->element);
    return half_rounded((s[n] >> 8 * o->element & 255) / 255.0);
}

static uint16_t z_side(const struct insn *i, uint16_t h)
{
    h &= i->zabs ? 0x7fff : 0xffff;
    return i->zclamp ? clamped(h) : h;
}

static uint16_t operand_value(const struct insn *i, const uint32_t s[SOURCES], const struct operand *o)
{
    uint16_t h = 0;
    if (o->from < 6)
        h = source(s, o->from, o);
    else if (o->from == 7)
        h = lesser(z_side(i, source(s, 1, o)), subtract(HALF_ONE, z_side(i, source(s, 0, o))));
    if (o->flr && !half_is_nan(h))
        h = half_rounded(floor(half_value(h)));
    h = o->abs ? h & 0x7fff : h;
    h = o->clamp ? clamped(h) : h;
    h = o->neg ? h ^ 0x8000 : h;
    return o->oneminus ? subtract(HALF_ONE, h) : h;
}

/* ---- instructions ---- */

static struct insn random_insn(struct test_rng *r)
{
    static const unsigned halves[][2] = {{WHOLE, W1_WHOLE}, {E1, E0},       {E0, E1},     {E0, W1_E1},
                                         {ABSENT, WHOLE},   {WHOLE, W1_E0}, {E1, ABSENT}, {ABSENT, W1_WHOLE}};
    static const unsigned bytes[][2] = {
        {BYTE0, BYTE0 + 1}, {BYTE0 + 3, BYTE0 + 2}, {E1, BYTE0}, {BYTE0 + 2, E0}, {BYTE0 + 1, ABSENT}};
    struct insn i = {.form = (enum form)below(r, 4)};
    bool mad = i.form >= MAD, narrow = i.form == SOP_U8 && below(r, 4);
    for (unsigned k = 0; k < 12; k++)
        i.arg[k] = random_operand(r, i.form, mad ? (enum role)(k % 3) : k & 1 ? MULTIPLIER : MULTIPLIED);
    const unsigned *dest = narrow ? bytes[below(r, 5)] : halves[below(r, 8)];
    for (unsigned h = 0; h < 2; h++) {
        i.op[h] = below(r, 5);
        i.out[h] = below(r, 4) ? 0 : below(r, 3);
        i.dest[h] = dest[h];
    }
    i.move = i.form != MAD && dest[1] < W1_E0 && below(r, 2);
    i.zabs = i.form == SOP_U8 && below(r, 2);
    i.zclamp = i.form == SOP_U8 && below(r, 2);
    for (unsigned k = 0; k < 4; k++)
        i.clamp[k] = below(r, 2);
    return i;
}

static void write_insn(char *text, size_t size, const struct insn *i)
{
    static const char *const names[] = {"f16sop", "f16sop.u8", "f16sop.mad", "f16sop.u8mad"};
    bool mad = i->form >= MAD;
    int n = snprintf(text, size, "0 : { s0 = r4, s1 = r5, s2 = r6, s3 = r7, s4 = r8, s5 = r9 p0: %s%s%s ",
                     names[i->form], i->zabs ? ".zabs" : "", i->zclamp ? ".zclamp" : "");
    for (unsigned k = 0; k < (mad ? 4u : 2u); k++) {
        if (!mad)
            n += snprintf(text + n, size - (size_t)n, "%s%s, ", dests[i->dest[k]], outs[k][i->out[k]]);
        else if (i->form == MAD)
            n += snprintf(text + n, size - (size_t)n, "w%u.f16.e%u%s, ", k >> 1, k & 1, i->clamp[k] ? ".clamp" : "");
        else
            n += snprintf(text + n, size - (size_t)n, "w0.u8.e%u%s, ", k, i->clamp[k] ? ".clamp" : "");
    }
    if (i->form != MAD)
        n += snprintf(text + n, size - (size_t)n, "%s, ", i->move ? "w1" : "_");
    for (unsigned k = 0; k < (mad ? 12u : 8u); k++) {
        if (!mad && k % 4 == 2)
            n += snprintf(text + n, size - (size_t)n, "%s, ", ops[i->op[k / 4]]);
        n += write_operand(text + n, size - (size_t)n, &i->arg[k]);
        n += snprintf(text + n, size - (size_t)n, ", ");
    }
    if (i->form != MAD)
        n += snprintf(text + n, size - (size_t)n, "%s", !i->move ? "_" : i->form == U8MAD ? "s0" : "s3");
    else
        n -= 2;
    bool w1 = i->form == MAD || i->move || (!mad && i->dest[1] >= W1_E0);
    bool w0 = mad || (i->dest[0] != ABSENT) || (i->dest[1] != ABSENT && i->dest[1] < W1_E0);
    snprintf(text + n, size - (size_t)n, "; %s%s%s }\n", w0 ? "w0 = r0" : "", w0 && w1 ? ", " : "",
             w1 ? "w1 = r1" : "");
}

/* ---- results ---- */

static uint32_t byte_of(uint16_t h)
{
    return (uint32_t)nearbyint(half_value(clamped(h)) * 255);
}

static void place(struct out *out, unsigned dest, uint16_t h)
{
    uint32_t *w = dest >= W1_E0 ? &out->r1 : &out->r0;
    unsigned element = dest & 3;
    if (dest == WHOLE || dest == W1_WHOLE)
        *w = half_is_nan(h) ? 0x7fffffff : f32_bits((float)half_value(h));
    else if (dest >= BYTE0 && dest < W1_E0)
        *w = (*w & ~(0xffu << 8 * element)) | byte_of(h) << 8 * element;
    else if (dest != ABSENT)
        *w = (*w & ~(0xffffu << 16 * element)) | (uint32_t)h << 16 * element;
}

static uint16_t combine(unsigned op, uint16_t p, uint16_t q)
{
    switch (op) {
    case 0:
        return add(p, q);
    case 1:
        return subtract(p, q);
    case 2:
        return lesser(p, q);
    case 3:
        return greater(p, q);
    default:
        return subtract(q, p);
    }
}

static struct out oracle(const struct insn *i, const struct in *x)
{
    const uint32_t s[SOURCES] = {x->a, x->b, x->c, x->d, x->e, x->f};
    struct out out = {x->r0, x->r1, x->p0};
    uint16_t v[12];
    for (unsigned k = 0; k < 12; k++)
        v[k] = operand_value(i, s, &i->arg[k]);
    for (unsigned h = 0; h < 2 && i->form < MAD; h++) {
        const uint16_t *a = v + 4 * h;
        uint16_t sum = combine(i->op[h], multiply(a[0], a[1]), multiply(a[2], a[3]));
        place(&out, i->dest[h], i->out[h] == 0 ? sum : i->out[h] == 1 ? a[0] : a[2]);
    }
    for (unsigned k = 0; k < 4 && i->form >= MAD; k++) {
        static const unsigned halves[] = {E0, E1, W1_E0, W1_E1};
        uint16_t sum = add(multiply(v[3 * k], v[3 * k + 1]), v[3 * k + 2]);
        place(&out, i->form == MAD ? halves[k] : BYTE0 + k, i->clamp[k] ? clamped(sum) : sum);
    }
    if (i->move)
        out.r1 = i->form == U8MAD ? s[0] : s[3];
    return out;
}

/* NaNs may have any bits. */
static bool same_half(uint32_t a, uint32_t b)
{
    return a == b || (half_is_nan((uint16_t)a) && half_is_nan((uint16_t)b));
}

static bool same(uint32_t got, uint32_t want, bool whole)
{
    bool nan = (got & 0x7fffffff) > 0x7f800000 && (want & 0x7fffffff) > 0x7f800000;
    return got == want || (whole && nan) ||
           (!whole && same_half(got & 0xffff, want & 0xffff) && same_half(got >> 16, want >> 16));
}

/* ---- inputs ---- */

static const uint16_t corners[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0x3c01, 0xbc00,
                                   0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3800, 0x4248, 0xc0ff, 0x2e66, 0x6400};
enum { CORNERS = sizeof corners / sizeof *corners };

static uint32_t random_word(struct test_rng *r)
{
    switch (below(r, 4)) {
    case 0:
        return corners[below(r, CORNERS)] | (uint32_t)corners[below(r, CORNERS)] << 16;
    case 1: /* a float near what halves can hold */
        return f32_bits((float)half_value((uint16_t)test_next(r))) + below(r, 3) * 0xfff;
    case 2: /* halves about 1 */
        return (test_next(r) & 0x87ff87ff) | 0x38003800;
    default:
        return test_next(r);
    }
}

static void test_random_sums(void **state)
{
    (void)state;
    enum { INSNS = 700, RUNS = 6 };
    struct test_rng r = test_seed("sums of products");
    for (unsigned n = 0; n < INSNS; n++) {
        char text[1024];
        struct insn i = random_insn(&r);
        struct machine m;
        write_insn(text, sizeof text, &i);
        assert_true(machine_start(&m, text, false, n & 1));
        for (unsigned run = 0; run < RUNS; run++) {
            struct in x[LANES];
            struct out got[LANES];
            for (unsigned lane = 0; lane < LANES; lane++)
                x[lane] =
                    (struct in){random_word(&r), random_word(&r), random_word(&r), random_word(&r), random_word(&r),
                                random_word(&r), below(&r, 2),    test_next(&r),   test_next(&r)};
            oracle_run(&m, x, got);
            for (unsigned lane = 0; lane < LANES; lane++) {
                struct out want = oracle(&i, &x[lane]);
                bool sop = i.form < MAD, whole0 = sop && (i.dest[0] == WHOLE || i.dest[1] == WHOLE),
                     whole1 = sop && i.dest[1] == W1_WHOLE;
                if (!same(got[lane].r0, want.r0, whole0) || !same(got[lane].r1, want.r1, whole1 || i.move))
                    fail_msg("%s r4.. %#x %#x %#x %#x %#x %#x, before %#x %#x: %#x %#x, not %#x %#x", text, x[lane].a,
                             x[lane].b, x[lane].c, x[lane].d, x[lane].e, x[lane].f, x[lane].r0, x[lane].r1,
                             got[lane].r0, got[lane].r1, want.r0, want.r1);
            }
        }
        machine_end(&m);
    }
}

/* Every byte as a half and back. */
static void test_bytes(void **state)
{
    (void)state;
    struct machine m;
    assert_true(machine_start(
        &m,
        "0 : { s0 = r4 p0: f16sop.u8mad w0.u8.e0, w0.u8.e1, w0.u8.e2, w0.u8.e3, _, s0.u8.e0, 0.oneminus, 0, "
        "s0.u8.e1, 0.oneminus, 0, s0.u8.e2, 0.oneminus, 0, s0.u8.e3, 0.oneminus, 0, _; w0 = r0 }\n",
        false, true));
    for (unsigned run = 0; run < 256 / LANES; run++) {
        struct in x[LANES] = {{0}};
        struct out got[LANES];
        for (unsigned lane = 0; lane < LANES; lane++)
            x[lane].a = (run * LANES + lane) * 0x01010101u ^ 0xff008000;
        oracle_run(&m, x, got);
        for (unsigned lane = 0; lane < LANES; lane++)
            assert_int_equal(got[lane].r0, x[lane].a);
    }
    machine_end(&m);
}

/* The moves beside and without a sum. */
static void test_moves(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct out want;
    } rows[] = {
        {"0 : { s0 = r4, s3 = r7 p0: sopmov.u8 w0, w1, s3; w0 = r0, w1 = r1 }\n", {100, 4, false}},
        {"0 : { s0 = r4, s3 = r7 p0: f16sop w0, _, _, s0, 0.oneminus, add, s0, 0, s0, 0, add, s0, 0, _; p2_pck: sopmov "
         "w1, s3; "
         "w0 = r0, w1 = r1 }\n",
         {0x40000000, 4, false}},
        {"0 : { s0 = r4 p0: f16sop.u8mad w0.u8.e0, w0.u8.e1, w0.u8.e2, w0.u8.e3, _, s0, 0, 0, s0, 0, 0, s0, 0, 0, s0, "
         "0, 0, _; "
         "p2_pck: sopu8madmov w1, s0; w0 = r0, w1 = r1 }\n",
         {0, 0x40000000, false}},
        {"0 : { s0 = r4, s3 = r7 p0: f16sop w0, _, _, s0, 0.oneminus, add, s0, 0, s0, 0, add, s0, 0, _; p2_pck: sopmov "
         "_, _; "
         "w0 = r0 }\n",
         {0x40000000, 200, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m;
        struct in x[LANES] = {{.a = 0x40000000, .d = 4, .r0 = 100, .r1 = 200}};
        struct out got[LANES];
        assert_true(machine_start(&m, rows[i].text, false, true));
        oracle_run(&m, x, got);
        if (got[0].r0 != rows[i].want.r0 || got[0].r1 != rows[i].want.r1)
            fail_msg("%s gives %#x %#x, not %#x %#x", rows[i].text, got[0].r0, got[0].r1, rows[i].want.r0,
                     rows[i].want.r1);
        machine_end(&m);
    }
}

/* What is no sum of products says so. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *destinations, *says;
    } rows[] = {{"w0.e0, w0.e0, _", "both results in one place"},
                {"w0, w0.e1, _", "both results in one place"},
                {"w0.u8.e1, w0.e1, _", "no bytes as results"},
                {"w0, w1, w1", "both give W1"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "0 : { s0 = r4, s3 = r7 p0: f16sop %s, s0, 0, add, s0, 0, s0, 0, add, s0, 0, %s; w0 = r0, w1 = r1 }\n",
                 rows[i].destinations, i == 3 ? "s3" : "_");
        struct machine m;
        assert_false(machine_start(&m, text, false, false));
        size_t count = weft_diags_count(m.diags);
        const char *said = count ? weft_diags_get(m.diags, count - 1)->message : "";
        if (!strstr(said, rows[i].says))
            fail_msg("%s says '%s'", text, said);
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_SOP);
}

TEST_MAIN(TEST(test_random_sums), TEST(test_bytes), TEST(test_moves), TEST(test_refused), TEST(test_coverage))
