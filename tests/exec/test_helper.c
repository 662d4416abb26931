/* Helpers that an engine may compute by itself, against their definition lane by lane: Tesla's multiply-add, with
 * numbers from everywhere, about the limits within which it is plain arithmetic, and with some of each in one warp. */
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
    unsigned file;
};

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
        assert_int_equal(exec_run(m.warp, ~(uint64_t)0, ~(uint64_t)0, 0), EXEC_DONE);
        compare(row, level, host);
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

TEST_MAIN(TEST(multiply_adds))
