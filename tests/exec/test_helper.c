/* Helpers: any number of arguments and results, of lanes and of the warp. Those that an engine may compute by itself
 * are held against their definition lane by lane: Tesla's multiply-add, with numbers from everywhere, about the limits
 * within which it is plain arithmetic, and with some of each in one warp. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/program.h"
#include "isa/tesla/alu_lanes.h"

enum { LANES = 64, RUNS = 1500, FACTORS = 0, SUM = 3, PRODUCT = 5, PRODUCTS = 3, ROWS = PRODUCT + PRODUCTS };
enum { HOSTS = 3 };

struct warp_of_mads {
    struct arena arena;
    struct exec_warp *warp;
    unsigned file, numbers; /* rows of lanes, and numbers of the warp, of which the last stay as they are */
};
enum { NUMBERS = 8 };

/* Products beside the multiply-adds may have denormal results made zeros, and operands taken for zeros: then the JIT
 * has the host do so for all of the run. */
static void make_products(struct ir_builder *b, const struct warp_of_mads *m, unsigned host, const ir_value x[2])
{
    static const unsigned how[HOSTS] = {0, IR_RNE | IR_FLUSH_OUT | IR_NAN_CANON,
                                        IR_RNE | IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON};
    for (unsigned k = 0; host && k < PRODUCTS; k++)
        ir_set(b, m->file, PRODUCT + k, ir_op2(b, IR_FMUL, how[host], x[0], k ? x[0] : x[1]), 0);
}

/* SUM = factor 0 * factor 1 + factor 2, twice: the second with the first result as its addend. */
static void make(struct warp_of_mads *m, enum exec_level level, unsigned host)
{
    weft_diags *diags = weft_diags_new();
    struct ir_program *p = ir_program_new(&m->arena, "test", IR_COMPUTE, LANES);
    m->file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = ROWS, .preserved = true});
    m->numbers = ir_add_file(
        p, (struct ir_file){.name = "u", .bits = 32, .count = NUMBERS, .uniform = true, .preserved = true});
    ir_add_helper(p, (struct ir_helper){"fmad", tesla_float_lanes(level)->fmad, IR_HELPER_CUT_MAD});
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_value x[3];
    for (unsigned k = 0; k < 3; k++)
        x[k] = ir_get(&b, m->file, FACTORS + k, IR_F32);
    make_products(&b, m, host, x);
    for (unsigned k = 0; k < 2; k++) {
        x[2] = ir_emit(&b, IR_HELPER, IR_F32, 0, 1, x, 3, 0, 0, 0);
        ir_set(&b, m->file, SUM + k, x[2], 0);
    }
    for (unsigned k = 0; k < 3; k++)
        x[k] = ir_get(&b, m->numbers, FACTORS + k, IR_F32);
    ir_set(&b, m->numbers, SUM, ir_emit(&b, IR_HELPER, IR_F32, 0, 1, x, 3, 0, 0, 0), 0);
    ir_end(&b);
    struct exec_options o = {.level = level};
    struct exec_program *made = NULL;
    if (ir_verify(p, diags) != WEFT_OK || exec_compile(p, &o, &m->arena, &made, diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(diags, 0)->message);
    static const struct exec_env env;
    m->warp = exec_warp_new(made);
    exec_bind(m->warp, &env);
    weft_diags_free(diags);
}

/* About the limits: the least normal number, 2^-100, infinity, and what products of two are there. */
static uint32_t edge(struct test_rng *r)
{
    static const uint32_t about[] = {0,          0x00800000, 0x0d800000, 0x26000000, 0x26800000, 0x3f800000,
                                     0x4b800000, 0x5f000000, 0x72800000, 0x7f000000, 0x7f800000, 0x1f800000};
    return (about[test_next(r) % 12] + test_next(r) % 5 - 2) ^ (test_next(r) & 0x80000000u);
}

/* The last: numbers of which all are plain. */
static uint32_t number(struct test_rng *r, unsigned how)
{
    switch (how) {
    case 0:
        return test_next(r);
    case 1:
        return edge(r);
    default:
        return (0x3f000000u + test_next(r) % 0x02000000u) ^ (test_next(r) & 0x80000000u);
    }
}

static void compare(uint32_t *row[ROWS], unsigned level, unsigned host)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t first = tesla_fmad(row[0][i], row[1][i], row[2][i], 0);
        uint32_t second = tesla_fmad(row[0][i], row[1][i], first, 0);
        if (row[SUM][i] != first || row[SUM + 1][i] != second)
            fail_msg("level %u, host %u: %08x * %08x + %08x: %08x and %08x, not %08x and %08x", level, host, row[0][i],
                     row[1][i], row[2][i], row[SUM][i], row[SUM + 1][i], first, second);
    }
}

static uint32_t *number_of(const struct warp_of_mads *m, unsigned k)
{
    return exec_warp_register(m->warp, m->numbers, k);
}

static void compare_numbers(const struct warp_of_mads *m, unsigned level, unsigned host)
{
    uint32_t want = tesla_fmad(*number_of(m, 0), *number_of(m, 1), *number_of(m, 2), 0);
    if (*number_of(m, SUM) != want)
        fail_msg("level %u, host %u: of the warp %08x, not %08x", level, host, *number_of(m, SUM), want);
    for (unsigned k = SUM + 1; k < NUMBERS; k++)
        assert_int_equal(*number_of(m, k), 77 + k);
}

static void try_level(struct test_rng *r, unsigned level, unsigned host)
{
    struct warp_of_mads m = {.arena = {0}};
    uint32_t *row[ROWS];
    make(&m, (enum exec_level)level, host);
    for (unsigned k = 0; k < ROWS; k++)
        row[k] = exec_warp_register(m.warp, m.file, k);
    for (unsigned n = 0; n < RUNS; n++) {
        unsigned odd = n % 4 == 3 ? test_next(r) % LANES : LANES; /* one lane of its own kind */
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned k = 0; k < 3; k++)
                row[FACTORS + k][i] = number(r, i == odd ? n / 4 % 2 : n % 4);
        for (unsigned k = 0; k < NUMBERS; k++)
            *number_of(&m, k) = k < SUM ? number(r, n % 4) : 77 + k;
        assert_int_equal(exec_run(m.warp, ~(uint64_t)0, ~(uint64_t)0, 0), EXEC_DONE);
        compare(row, level, host);
        compare_numbers(&m, level, host);
    }
    exec_warp_free(m.warp);
    arena_free(&m.arena);
}

static void multiply_adds(void **state)
{
    (void)state;
    struct test_rng r = test_seed("multiply_adds");
    for (unsigned level = 0; level < EXEC_LEVELS; level++)
        for (unsigned host = 0; host < HOSTS && exec_level_usable((enum exec_level)level); host++)
            try_level(&r, level, host);
}

/* ---- any arguments and results ---- */

enum { MOST_ARGS = 6, MOST_RESULTS = 4 };

static uint64_t mixed(const uint64_t *x, unsigned n, unsigned result, uint64_t imm)
{
    uint64_t sum = imm + result * 0x9e3779b97f4a7c15u;
    for (unsigned k = 0; k < n; k++)
        sum = (sum ^ x[k]) * (2 * k + 3);
    return sum;
}

/* imm: how many arguments and results there are, and more. */
static unsigned args_of(uint64_t imm) { return imm & 15; }
static unsigned results_of(uint64_t imm) { return imm >> 4 & 15; }

static void mix32(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t x[MOST_ARGS];
        for (unsigned k = 0; k < args_of(imm); k++)
            x[k] = ((const uint32_t *)args[k])[i];
        for (unsigned r = 0; r < results_of(imm); r++)
            ((uint32_t *)results[r])[i] = (uint32_t)mixed(x, args_of(imm), r, imm);
    }
}

static void mix64(unsigned count, const void *const *args, void *const *results, uint64_t imm)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t x[MOST_ARGS];
        for (unsigned k = 0; k < args_of(imm); k++)
            x[k] = ((const uint64_t *)args[k])[i];
        for (unsigned r = 0; r < results_of(imm); r++)
            ((uint64_t *)results[r])[i] = mixed(x, args_of(imm), r, imm);
    }
}

/* Rows FIRST_RESULT + ... of the file are results. One argument may be of the warp where the others are of lanes. */
struct shape {
    unsigned bits, lanes, args, results;
    enum { OF_LANES, OF_BOTH, OF_WARP } whose;
    enum exec_level level;
};

static uint64_t element(struct exec_warp *w, unsigned file, unsigned k, unsigned i, unsigned bits)
{
    const void *row = exec_warp_register(w, file, k);
    return bits == 64 ? ((const uint64_t *)row)[i] : ((const uint32_t *)row)[i];
}

static void fill(struct exec_warp *w, unsigned file, unsigned count, unsigned lanes, unsigned bits, struct test_rng *r)
{
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < lanes; i++)
            if (bits == 64)
                ((uint64_t *)exec_warp_register(w, file, k))[i] = test_next64(r);
            else
                ((uint32_t *)exec_warp_register(w, file, k))[i] = test_next(r);
}

static void try_shape(struct test_rng *r, const struct shape *s)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, s->lanes);
    struct ir_file of_lanes = {.name = "r", .bits = (uint8_t)s->bits, .count = MOST_ARGS + MOST_RESULTS,
                               .preserved = true}, of_warp = of_lanes;
    of_warp.name = "u";
    of_warp.uniform = true;
    unsigned file[2] = {ir_add_file(p, of_lanes), ir_add_file(p, of_warp)};
    ir_add_helper(p, (struct ir_helper){"mix", s->bits == 64 ? mix64 : mix32, IR_HELPER_OTHER, false});
    struct ir_builder b = {p, IR_ENTRY, 0};
    enum ir_type type = s->bits == 64 ? IR_I64 : IR_I32;
    bool one = s->whose == OF_WARP || s->args == 0;
    uint64_t imm = s->args | s->results << 4 | 0xabc00;
    ir_value x[MOST_ARGS];
    for (unsigned k = 0; k < s->args; k++)
        x[k] = ir_get(&b, file[s->whose == OF_WARP || (s->whose == OF_BOTH && k == 1)], k, type);
    ir_value v = ir_emit(&b, IR_HELPER, type, 0, s->results, x, s->args, 0, imm, 0);
    for (unsigned k = 0; k < s->results; k++)
        ir_set(&b, file[one], MOST_ARGS + k, v + k, 0);
    ir_end(&b);
    struct exec_options o = {.level = s->level};
    struct exec_program *made = NULL;
    if (ir_verify(p, d) != WEFT_OK || exec_compile(p, &o, &a, &made, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    static const struct exec_env env;
    struct exec_warp *w = exec_warp_new(made);
    exec_bind(w, &env);
    fill(w, file[0], MOST_ARGS + MOST_RESULTS, s->lanes, s->bits, r);
    fill(w, file[1], MOST_ARGS + MOST_RESULTS, 1, s->bits, r);
    assert_int_equal(exec_run(w, ~(uint64_t)0, ~(uint64_t)0, 0), EXEC_DONE);
    for (unsigned i = 0; i < (one ? 1 : s->lanes); i++)
        for (unsigned k = 0; k < s->results; k++) {
            uint64_t args[MOST_ARGS], got = element(w, file[one], MOST_ARGS + k, i, s->bits);
            for (unsigned n = 0; n < s->args; n++) {
                bool warp = s->whose == OF_WARP || (s->whose == OF_BOTH && n == 1);
                args[n] = element(w, file[warp], n, warp ? 0 : i, s->bits);
            }
            uint64_t want = mixed(args, s->args, k, imm) & (s->bits == 64 ? UINT64_MAX : UINT32_MAX);
            if (got != want)
                fail_msg("%u arguments, %u results, %u bits, whose %d, level %d: result %u of lane %u is %llx, "
                         "not %llx",
                         s->args, s->results, s->bits, (int)s->whose, (int)s->level, k, i, (unsigned long long)got,
                         (unsigned long long)want);
        }
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void any_shape(void **state)
{
    (void)state;
    struct test_rng r = test_seed("any_shape");
    enum { SHAPES = (MOST_ARGS + 1) * MOST_RESULTS };
    for (unsigned n = 0; n < 3 * 2 * SHAPES; n++)
        for (unsigned level = 0; level < EXEC_LEVELS; level++) {
            struct shape s = {.args = n % (MOST_ARGS + 1), .results = 1 + n / (MOST_ARGS + 1) % MOST_RESULTS,
                              .bits = n / SHAPES & 1 ? 64 : 32, .whose = n / SHAPES / 2,
                              .lanes = 16u << test_next(&r) % 3, .level = (enum exec_level)level};
            if (exec_level_usable(s.level))
                try_shape(&r, &s);
        }
}

TEST_MAIN(TEST(multiply_adds), TEST(any_shape))
