/* test_alu.c - the chip's arithmetic against values of hardware-checked models
 * (../shared/vectors/tesla/arith/vec-*.csv), and digests of the special functions over whole ranges. Without the
 * vectors, hand-made cases alone. */
#include "isa/tesla/alu_lanes.h"
#include "isa/tesla/tesla.h"
#include "test.h"

#include <limits.h>

enum { COLUMNS = 5 };

/* A line of a table: hexadecimal columns, but for a rounding mode in front. */
struct line {
    uint64_t how, v[COLUMNS];
};

typedef bool check_fn(const struct line *l);

static bool fadd(const struct line *l)
{
    return tesla_fadd((uint32_t)l->v[0], (uint32_t)l->v[1], l->how) == l->v[2];
}
static bool fmul(const struct line *l)
{
    return tesla_fmul((uint32_t)l->v[0], (uint32_t)l->v[1], l->how) == l->v[2];
}
static bool fmad(const struct line *l)
{
    return tesla_fmad((uint32_t)l->v[0], (uint32_t)l->v[1], (uint32_t)l->v[2], 0) == l->v[3];
}
static bool fsat(const struct line *l)
{
    return tesla_fsat((uint32_t)l->v[0], 0) == l->v[1];
}
static bool rcp(const struct line *l)
{
    return tesla_rcp((uint32_t)l->v[0]) == l->v[1];
}
static bool rsqrt(const struct line *l)
{
    return tesla_rsqrt((uint32_t)l->v[0]) == l->v[1];
}
static bool lg2(const struct line *l)
{
    return tesla_lg2((uint32_t)l->v[0]) == l->v[1];
}
static bool sine(const struct line *l)
{
    return tesla_sin((uint32_t)l->v[0]) == l->v[1];
}
static bool cosine(const struct line *l)
{
    return tesla_cos((uint32_t)l->v[0]) == l->v[1];
}
static bool ex2(const struct line *l)
{
    return tesla_ex2((uint32_t)l->v[0]) == l->v[1];
}
static bool presin(const struct line *l)
{
    return tesla_presin((uint32_t)l->v[0]) == l->v[1];
}
static bool preex2(const struct line *l)
{
    return tesla_preex2((uint32_t)l->v[0]) == l->v[1];
}
static bool sin_full(const struct line *l)
{
    return tesla_presin((uint32_t)l->v[0]) == l->v[1] && tesla_sin((uint32_t)l->v[1]) == l->v[2];
}
static bool ex2_full(const struct line *l)
{
    return tesla_preex2((uint32_t)l->v[0]) == l->v[1] && tesla_ex2((uint32_t)l->v[1]) == l->v[2];
}
static bool half_to_float(const struct line *l)
{
    return tesla_half_to_float((uint32_t)l->v[0]) == l->v[1];
}
static bool rint_(const struct line *l)
{
    return tesla_float_to_float((uint32_t)l->v[0], l->how | TESLA_HOW_RINT) == l->v[1];
}
static bool float_to_half(const struct line *l)
{
    return tesla_float_to_half((uint32_t)l->v[0], l->how) == l->v[1];
}
static bool float_to_double(const struct line *l)
{
    return tesla_float_to_double((uint32_t)l->v[0], 0) == l->v[1];
}
static bool double_to_float(const struct line *l)
{
    return tesla_double_to_float(l->v[0], l->how) == l->v[1];
}
static bool u64_to_float(const struct line *l)
{
    return tesla_int64_to_float(l->v[0], l->how | tesla_how_types((struct tesla_convert_types){64, 32, false, true})) ==
           l->v[1];
}
static bool dadd(const struct line *l)
{
    return tesla_dadd(l->v[0], l->v[1], l->how) == l->v[2];
}
static bool dmul(const struct line *l)
{
    return tesla_dmul(l->v[0], l->v[1], l->how) == l->v[2];
}
static bool dfma(const struct line *l)
{
    return tesla_dfma(l->v[0], l->v[1], l->v[2], l->how) == l->v[3];
}

static const struct table {
    const char *name;
    check_fn *check;
} tables[] = {
    {"fadd", fadd},
    {"fmul", fmul},
    {"fmad", fmad},
    {"fsat", fsat},
    {"rcp", rcp},
    {"rcp-edge", rcp},
    {"rsqrt", rsqrt},
    {"rsqrt-edge", rsqrt},
    {"lg2", lg2},
    {"sin", sine},
    {"cos", cosine},
    {"ex2", ex2},
    {"presin", presin},
    {"preex2", preex2},
    {"sin-full", sin_full},
    {"ex2-full", ex2_full},
    {"cvt-f16-to-f32", half_to_float},
    {"cvt-f32-rint-rm", rint_},
    {"cvt-f32-rint-rn", rint_},
    {"cvt-f32-rint-rp", rint_},
    {"cvt-f32-rint-rz", rint_},
    {"cvt-f32-to-f16-rm", float_to_half},
    {"cvt-f32-to-f16-rn", float_to_half},
    {"cvt-f32-to-f16-rp", float_to_half},
    {"cvt-f32-to-f16-rz", float_to_half},
    {"cvt-f32-to-f64", float_to_double},
    {"cvt-f64-to-f32-rm", double_to_float},
    {"cvt-f64-to-f32-rn", double_to_float},
    {"cvt-f64-to-f32-rp", double_to_float},
    {"cvt-f64-to-f32-rz", double_to_float},
    {"cvt-u64-to-f32-rm", u64_to_float},
    {"cvt-u64-to-f32-rn", u64_to_float},
    {"cvt-u64-to-f32-rp", u64_to_float},
    {"cvt-u64-to-f32-rz", u64_to_float},
    {"dadd-rm", dadd},
    {"dadd-rn", dadd},
    {"dadd-rp", dadd},
    {"dadd-rz", dadd},
    {"dmul-rm", dmul},
    {"dmul-rn", dmul},
    {"dmul-rp", dmul},
    {"dmul-rz", dmul},
    {"dfma-rm", dfma},
    {"dfma-rn", dfma},
    {"dfma-rp", dfma},
    {"dfma-rz", dfma},
};

static const char *const modes[] = {"rn", "rm", "rp", "rz"};

/* The mode that a word names, or -1. */
static int mode_of(const char *word)
{
    for (int i = 0; i < 4; i++)
        if (strncmp(word, modes[i], 2) == 0)
            return i;
    return -1;
}

/* The folder of the vectors, or NULL. */
static const char *vectors(void)
{
    static char path[PATH_MAX];
    const char *shared = getenv("WEFT_SHARED");
    snprintf(path, sizeof path, "%s/vectors/tesla/arith", shared ? shared : WEFT_SHARED_DEFAULT);
    char probe[PATH_MAX + 20];
    snprintf(probe, sizeof probe, "%s/vec-rcp.csv", path);
    FILE *f = fopen(probe, "r");
    if (f)
        fclose(f);
    return f ? path : NULL;
}

static void check_table(const char *folder, const struct table *t)
{
    char path[PATH_MAX], text[256];
    unsigned lines = 0, wrong = 0;
    snprintf(path, sizeof path, "%s/vec-%s.csv", folder, t->name);
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("# %s is not there\n", path);
        return;
    }
    int mode = strlen(t->name) > 3 ? mode_of(t->name + strlen(t->name) - 2) : -1;
    assert_non_null(fgets(text, sizeof text, f));
    while (fgets(text, sizeof text, f)) {
        struct line l = {.how = mode > 0 ? (uint64_t)mode : 0};
        char *p = text;
        if (*p == 'r') {
            l.how = (uint64_t)mode_of(p);
            p += 3;
        }
        for (unsigned i = 0; i < COLUMNS && *p; i++, p += *p == ',')
            l.v[i] = strtoull(p, &p, 16);
        lines++;
        if (!t->check(&l) && wrong++ < 5)
            printf("# %s: %s", t->name, text);
    }
    fclose(f);
    if (wrong || !lines)
        fail_msg("%s: %u of %u lines are wrong", t->name, wrong, lines);
}

static void tables_of_the_models(void **state)
{
    (void)state;
    const char *folder = vectors();
    if (!folder)
        skip();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        check_table(folder, &tables[i]);
}

/* ---- digests over ranges: CRC-32 of the results in order ---- */

static uint32_t crc_of(uint32_t (*fn)(uint32_t), uint64_t first, uint64_t last, uint64_t step)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        table[i] = c;
    }
    uint32_t crc = UINT32_MAX;
    for (uint64_t x = first; x <= last; x += step) {
        uint32_t v = fn((uint32_t)x);
        for (int k = 0; k < 4; k++)
            crc = table[(crc ^ v >> (8 * k)) & 0xff] ^ crc >> 8;
    }
    return ~crc;
}

static const struct {
    const char *name;
    uint32_t (*fn)(uint32_t);
} functions[] = {{"rcp", tesla_rcp}, {"rsqrt", tesla_rsqrt}, {"lg2", tesla_lg2},       {"sin", tesla_sin},
                 {"cos", tesla_cos}, {"ex2", tesla_ex2},     {"presin", tesla_presin}, {"preex2", tesla_preex2}};

static void digests_over_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t first, last, step, crc;
    } sweeps[] = {
#include "sweeps.inc"
    };
    /* The long ones take seconds: they run when asked for. */
    bool all = getenv("WEFT_TEST_LONG") != NULL;
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        if (!all && (sweeps[i].last - sweeps[i].first) / sweeps[i].step > 5000000)
            continue;
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
            if (strcmp(functions[k].name, sweeps[i].name) == 0) {
                uint32_t crc = crc_of(functions[k].fn, sweeps[i].first, sweeps[i].last, sweeps[i].step);
                if (crc != sweeps[i].crc)
                    fail_msg("%s from %08x to %08x: digest %08x, not %08x", sweeps[i].name, sweeps[i].first,
                             sweeps[i].last, crc, sweeps[i].crc);
            }
    }
}

/* ---- rows ---- */

enum { ROW = 64 };

/* Around powers of two that matter, and anything. */
static uint32_t float_bits(struct test_rng *r)
{
    static const uint32_t near[] = {0,          0x00800000, 0x01000000, 0x0d000000, 0x20000000, 0x34000000,
                                    0x3f800000, 0x40000000, 0x5f000000, 0x7f000000, 0x7f800000};
    uint32_t sign = test_next(r) << 31, x = near[test_next(r) % (sizeof near / sizeof *near)];
    switch (test_next(r) % 4) {
    case 0:
        return sign | x;
    case 1:
        return sign | ((x + test_next(r) % 8 - 4) & 0x7fffffff);
    case 2: /* not far from 1 */
        return sign | (0x3c000000 + test_next(r) % 0x06000000);
    default:
        return test_next(r);
    }
}

static void check_rows(const struct tesla_float_lanes *rows, struct test_rng *r, uint64_t how)
{
    static const char *const names[] = {"fadd", "fmul", "fmad", "fsat"};
    tesla_lanes_fn *const fn[] = {rows->fadd, rows->fmul, rows->fmad, rows->fsat};
    uint32_t in[3][ROW], out[ROW];
    const void *args[] = {in[0], in[1], in[2]};
    void *results[] = {out};
    for (unsigned i = 0; i < 3 * ROW; i++)
        in[i / ROW][i % ROW] = float_bits(r);
    for (unsigned i = 0; i < ROW; i++) /* sums that cancel */
        if (test_next(r) % 4 == 0)
            in[2][i] = tesla_fmul(in[0][i], in[1][i], TESLA_RZ) ^ 0x80000000u ^ (test_next(r) % 4);
    for (unsigned k = 0; k < 4; k++) {
        fn[k](ROW, args, results, how);
        for (unsigned i = 0; i < ROW; i++) {
            uint32_t a = in[0][i], b = in[1][i], c = in[2][i];
            uint32_t want = k == 0   ? tesla_fadd(a, b, how)
                            : k == 1 ? tesla_fmul(a, b, how)
                            : k == 2 ? tesla_fmad(a, b, c, how)
                                     : tesla_fsat(a, how);
            if (out[i] != want)
                fail_msg("%s %#x of %08x %08x %08x gave %08x, not %08x", names[k], (unsigned)how, a, b, c, out[i],
                         want);
        }
    }
}

/* Of every level, against the functions that the tables of the models prove. */
static void rows_of_all_levels(void **state)
{
    (void)state;
    struct test_rng r = test_seed("rows");
    static const uint64_t how[] = {0, TESLA_HOW_SAT, TESLA_HOW_ZERO_WINS, TESLA_HOW_SAT | TESLA_HOW_SAT_NAN,
                                   TESLA_HOW_SAT | TESLA_HOW_SAT_NAN | TESLA_HOW_SAT_NAN_INPUT};
    for (unsigned level = 0; level < EXEC_LEVELS; level++)
        for (unsigned n = 0; n < 4000 && exec_level_usable((enum exec_level)level); n++)
            check_rows(tesla_float_lanes((enum exec_level)level), &r, n % 2 ? how[n / 2 % 5] : 0);
}

TEST_MAIN(TEST(tables_of_the_models), TEST(digests_over_ranges), TEST(rows_of_all_levels))
