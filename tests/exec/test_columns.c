/* test_columns.c - words of 16 registers as a row, as a vector processor has them, and one number of all lanes: random
 * programs of these, with registers that change between, against a model that keeps every word. The programs get
 * blocks at run time, as that processor's do, so that the JIT compiles them as straight runs; or they do not. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"

enum { LANES = 16, ROWS = 24, NUMBERS = 4, STEPS = 20, ROUNDS = 10 };

struct words {
    uint32_t row[ROWS][LANES], number[NUMBERS];
};

enum kind { GET_COLUMN, SET_COLUMN, MOVE, REDUCE, KINDS };
enum predicate { NONE, LANE, NUMBER, PREDICATES };

struct step {
    enum kind kind;
    enum predicate predicate;
    enum ir_opcode op;            /* of REDUCE */
    unsigned bits, shift;         /* of the part of a word */
    unsigned elem, from, lane;    /* element elem + from + the lane's number, of this lane */
    unsigned dst, a, b, flag;     /* rows; flag: of the predicate */
    unsigned number;
    uint32_t constant;
};

static const enum ir_opcode reductions[] = {IR_ADD,   IR_AND,   IR_OR,    IR_XOR,
                                            IR_MIN_S, IR_MAX_S, IR_MIN_U, IR_MAX_U};

static struct step random_step(struct test_rng *r, const struct step *before)
{
    static const unsigned widths[] = {8, 16, 32};
    struct step s = {.kind = (enum kind)(test_next(r) % KINDS), .constant = test_next(r)};
    s.predicate = (enum predicate)(test_next(r) % PREDICATES);
    s.op = reductions[test_next(r) % (sizeof reductions / sizeof *reductions)];
    s.bits = widths[test_next(r) % 3];
    s.shift = test_next(r) % (32 / s.bits) * s.bits;
    s.elem = test_next(r) % 5;
    s.from = test_next(r) % 4;
    s.lane = test_next(r) % LANES;
    s.dst = test_next(r) % ROWS;
    s.a = test_next(r) % ROWS;
    s.b = test_next(r) % ROWS;
    s.flag = test_next(r) % ROWS;
    s.number = test_next(r) % NUMBERS;
    if (before && test_next(r) % 2) { /* the column of the step before: what is known of it may be out of date */
        s.bits = before->bits;
        s.shift = before->shift;
        s.elem = before->elem;
        s.from = before->from;
        s.lane = before->lane;
    }
    return s;
}

/* ---- the model ---- */

static uint32_t ones(unsigned bits) { return bits == 32 ? UINT32_MAX : (1u << bits) - 1; }

static uint32_t reduced(enum ir_opcode op, uint32_t x, uint32_t y)
{
    switch (op) {
    case IR_ADD:
        return x + y;
    case IR_AND:
        return x & y;
    case IR_OR:
        return x | y;
    case IR_XOR:
        return x ^ y;
    case IR_MIN_S:
        return (int32_t)x < (int32_t)y ? x : y;
    case IR_MAX_S:
        return (int32_t)x > (int32_t)y ? x : y;
    case IR_MIN_U:
        return x < y ? x : y;
    default:
        return x > y ? x : y;
    }
}

static bool takes_part(const struct words *w, const struct step *s, unsigned lane)
{
    return s->predicate == NONE || ((s->predicate == LANE ? w->row[s->flag][lane] : w->number[s->number]) & 1);
}

static void model(struct words *w, const struct step *s, uint32_t active)
{
    const struct words before = *w;
    uint32_t all = 0;
    bool any = false;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned element = s->elem + s->from + i;
        uint32_t part = ones(s->bits), v = before.row[s->a][i] ^ s->constant;
        if (!(active >> i & 1))
            continue;
        all = any ? reduced(s->op, all, v) : v;
        any = true;
        if (s->kind == GET_COLUMN)
            w->row[s->dst][i] = (before.row[element][s->lane] >> s->shift & part) + before.row[s->b][i];
        else if (s->kind == SET_COLUMN && takes_part(&before, s, i))
            w->row[element][s->lane] = (before.row[element][s->lane] & ~(part << s->shift)) | (v & part) << s->shift;
        else if (s->kind == MOVE)
            w->row[s->dst][i] = v + before.row[s->b][i];
    }
    if (s->kind == REDUCE)
        w->number[s->number] = all;
}

/* ---- programs ---- */

struct files {
    unsigned rows, numbers;
};

static ir_value bit_0(struct ir_builder *b, ir_value v)
{
    return ir_op2(b, IR_NE, 0, ir_op2(b, IR_AND, 0, v, ir_const_i32(b, 1)), ir_const_i32(b, 0));
}

static void build(struct ir_builder *b, const struct files *f, const struct step *s)
{
    enum ir_type type = s->bits == 8 ? IR_I8 : s->bits == 16 ? IR_I16 : IR_I32;
    struct ir_reg column = {.file = (uint8_t)f->rows, .part = (uint8_t)type, .shift = (uint8_t)s->shift,
                            .elem = s->elem, .stride = 1, .first = 0, .last = (int32_t)(ROWS - 1 - s->elem)};
    ir_value index = ir_lane_id(b), lane = ir_const_i32(b, s->lane), pred = 0;
    if (s->from)
        index = ir_op2(b, IR_ADD, 0, index, ir_const_i32(b, s->from));
    if (s->kind == GET_COLUMN) {
        ir_value v = ir_get_lane(b, column, index, lane, type);
        v = s->bits < 32 ? ir_cvt(b, IR_ZEXT, IR_I32, 0, v) : v;
        ir_set(b, f->rows, s->dst, ir_op2(b, IR_ADD, 0, v, ir_get(b, f->rows, s->b, IR_I32)), 0);
        return;
    }
    ir_value v = ir_op2(b, IR_XOR, 0, ir_get(b, f->rows, s->a, IR_I32), ir_const_i32(b, s->constant));
    if (s->kind == SET_COLUMN) {
        if (s->predicate != NONE)
            pred = bit_0(b, s->predicate == LANE ? ir_get(b, f->rows, s->flag, IR_I32)
                                                 : ir_get(b, f->numbers, s->number, IR_I32));
        ir_set_lane(b, column, index, lane, s->bits < 32 ? ir_cvt(b, IR_TRUNC, type, 0, v) : v, pred);
    } else if (s->kind == MOVE) {
        ir_set(b, f->rows, s->dst, ir_op2(b, IR_ADD, 0, v, ir_get(b, f->rows, s->b, IR_I32)), 0);
    } else {
        ir_set(b, f->numbers, s->number, ir_emit(b, IR_REDUCE, IR_I32, 0, 1, &v, 1, 0, s->op, 0), 0);
    }
}

static struct ir_program *program_of(struct arena *a, const struct step *steps, struct files *f)
{
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, LANES);
    struct ir_builder b = {p, IR_ENTRY, 0};
    f->rows = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = ROWS, .preserved = true});
    f->numbers = ir_add_file(
        p, (struct ir_file){.name = "u", .bits = 32, .count = NUMBERS, .uniform = true, .preserved = true});
    for (unsigned k = 0; k < STEPS; k++)
        build(&b, f, &steps[k]);
    ir_end(&b);
    return p;
}

/* ---- runs ---- */

static void check_words(struct exec_warp *w, const struct files *f, const struct words *want, const char *what)
{
    for (unsigned k = 0; k < ROWS; k++)
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t got = ((uint32_t *)exec_warp_register(w, f->rows, k))[i];
            if (got != want->row[k][i])
                fail_msg("%s: row %u, lane %u is %x, not %x", what, k, i, got, want->row[k][i]);
        }
    for (unsigned k = 0; k < NUMBERS; k++) {
        uint32_t got = *(uint32_t *)exec_warp_register(w, f->numbers, k);
        if (got != want->number[k])
            fail_msg("%s: number %u is %x, not %x", what, k, got, want->number[k]);
    }
}

static void check_run(struct exec_warp *w, const struct files *f, const struct step *steps, const struct words *start,
                      uint32_t active, const char *what)
{
    struct words want = *start;
    for (unsigned k = 0; k < ROWS; k++)
        memcpy(exec_warp_register(w, f->rows, k), start->row[k], sizeof start->row[k]);
    for (unsigned k = 0; k < NUMBERS; k++)
        memcpy(exec_warp_register(w, f->numbers, k), &start->number[k], sizeof start->number[k]);
    for (unsigned k = 0; k < STEPS; k++)
        model(&want, &steps[k], active);
    assert_int_equal(exec_run(w, active, active, 0), EXEC_DONE);
    check_words(w, f, &want, what);
}

/* How many operations were compiled. */
static uint32_t check_form(const struct step *steps, const struct words *start, struct exec_options o, uint32_t some,
                           const char *what)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct files f;
    struct ir_program *p = program_of(&a, steps, &f);
    struct exec_program *x = NULL;
    struct exec_env env = {0};
    struct exec_engine_report report;
    if (ir_verify(p, d) != WEFT_OK || exec_compile(p, &o, &a, &x, d) != WEFT_OK)
        fail_msg("%s: %s", what, weft_diags_get(d, 0)->message);
    struct exec_warp *w = exec_warp_new(x);
    exec_bind(w, &env);
    check_run(w, &f, steps, start, 0xffff, what);
    check_run(w, &f, steps, start, some, what);
    exec_engine_report(x, &report);
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
    return report.compiled;
}

static void start_with(struct words *w, struct test_rng *r)
{
    for (unsigned k = 0; k < ROWS; k++)
        for (unsigned i = 0; i < LANES; i++)
            w->row[k][i] = test_next(r);
    for (unsigned k = 0; k < NUMBERS; k++)
        w->number[k] = test_next(r);
}

static void columns(void **state)
{
    (void)state;
    struct test_rng r = test_seed("columns");
    const char *engine = getenv("WEFT_ENGINE");
    unsigned compiled = 0, tried = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct step steps[STEPS];
        struct words start;
        for (unsigned k = 0; k < STEPS; k++)
            steps[k] = random_step(&r, k ? &steps[k - 1] : NULL);
        start_with(&start, &r);
        uint32_t some = (test_next(&r) & 0xffff) | 1;
        for (int level = 0; level < EXEC_LEVELS; level++)
            for (unsigned grows = 0; grows < 2 && exec_level_usable((enum exec_level)level); grows++) {
                char what[100];
                if (grows && level != EXEC_BASELINE && level != (int)exec_best_level())
                    continue; /* such programs ask for much memory */
                struct exec_options o = {.level = (enum exec_level)level, .extensible = grows};
                if (!grows && test_left_out(&tried, 5))
                    o.engine = EXEC_ENGINE_INTERP;
                snprintf(what, sizeof what, "round %u, level %d, grows %u", round, level, grows);
                uint32_t n = check_form(steps, &start, o, some, what);
                compiled += grows ? n : 0;
            }
    }
    if (engine && strcmp(engine, "jit") == 0)
        assert_true(compiled > ROUNDS * STEPS);
}

TEST_MAIN(TEST(columns))
