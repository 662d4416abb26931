/* Register files of every width, and every part of them: GET, SET, GET_DYN, SET_DYN, GET_LANE and SET_LANE on random
 * operands, at every level, plain and masked, against a model that keeps each element as a number. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"

enum { COUNT = 16, STEPS = 24, MAX_LANES = 32 };

static const unsigned widths[] = {1, 8, 16, 32, 64};
static const enum ir_type types[] = {IR_I1, IR_I8, IR_I16, IR_I32, IR_I64};

struct step {
    enum ir_opcode code;
    struct ir_reg reg;
    enum ir_type type;
    bool pred;
    unsigned quads; /* with pred: bit l & 3 is of lane l; 0: a bit of the operand decides */
    unsigned src, dst; /* 64-bit registers of the file that feeds values and takes results */
    bool same;         /* the index is one of the warp: */
    int32_t index;
};

struct machine {
    uint64_t elem[COUNT][MAX_LANES], wide[STEPS][MAX_LANES];
    uint64_t bad;
};

static uint64_t ones(unsigned bits)
{
    return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static uint64_t model_read(const struct machine *m, unsigned bits, const struct ir_reg *r, uint32_t elem, unsigned lane)
{
    unsigned part = ir_type_bits((enum ir_type)r->part);
    uint64_t v = 0;
    if (part <= bits)
        return m->elem[elem][lane] >> r->shift & ones(part);
    for (unsigned k = 0; k < part / bits; k++)
        v |= m->elem[elem + k][lane] << (k * bits);
    return v;
}

static void model_write(struct machine *m, unsigned bits, const struct ir_reg *r, uint32_t elem, unsigned lane,
                        uint64_t v)
{
    unsigned part = ir_type_bits((enum ir_type)r->part);
    if (part <= bits)
        m->elem[elem][lane] = (m->elem[elem][lane] & ~(ones(part) << r->shift)) | (v & ones(part)) << r->shift;
    else
        for (unsigned k = 0; k < part / bits; k++)
            m->elem[elem + k][lane] = v >> (k * bits) & ones(bits);
}

/* Operands that the program reads are in file `wide`: index, lane, predicate and value are bits of its registers. */
static int32_t index_of(uint64_t v) { return (int32_t)(v >> 8 & 15) - 4; }
static uint32_t lane_of(uint64_t v, unsigned lanes) { return (uint32_t)(v >> 16 & 63) % (lanes + 2); }

static void model_step(struct machine *m, unsigned bits, bool uniform, unsigned lanes, uint64_t active,
                       const struct step *s)
{
    struct machine before = *m;
    unsigned count = uniform ? 1 : lanes;
    for (unsigned i = 0; i < count; i++) {
        uint64_t operand = before.wide[s->src][i];
        bool on = uniform || (active >> i & 1), chosen = s->quads ? s->quads >> (i & 3) & 1 : operand >> 7 & 1;
        bool takes = on && (!s->pred || chosen);
        bool set = s->code == IR_SET || s->code == IR_SET_DYN || s->code == IR_SET_LANE;
        bool indexed = s->code != IR_GET && s->code != IR_SET;
        uint32_t lane = i, elem = s->reg.elem;
        bool inside = true;
        if (indexed) {
            int32_t k = s->same ? s->index : index_of(operand);
            inside = k >= s->reg.first && k <= s->reg.last;
            elem = inside ? (uint32_t)((int32_t)elem + k * s->reg.stride) : 0;
            if (s->code == IR_GET_LANE || s->code == IR_SET_LANE)
                lane = lane_of(operand, lanes);
            m->bad += !inside && (set ? takes : on);
        }
        bool there = inside && lane < lanes;
        if (uniform)
            lane = 0;
        if (set && takes && there)
            model_write(m, bits, &s->reg, elem, lane, operand * 0x9e3779b97f4a7c15u >> 3);
        if (!set && on)
            m->wide[s->dst][i] = there ? model_read(&before, bits, &s->reg, elem, lane) : 0;
    }
}

static void build_step(struct ir_builder *b, unsigned file, unsigned wide, unsigned indices, unsigned lanes,
                       const struct step *s)
{
    ir_value operand = ir_get(b, wide, s->src, IR_I64), low = ir_cvt(b, IR_LO32, IR_I32, 0, operand);
    ir_value field = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, low, ir_const_i32(b, 8)), ir_const_i32(b, 15));
    ir_value index = s->same ? ir_get(b, indices, s->src, IR_I32) : ir_op2(b, IR_SUB, 0, field, ir_const_i32(b, 4));
    ir_value other = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, low, ir_const_i32(b, 16)), ir_const_i32(b, 63));
    other = ir_op2(b, IR_REM_U, 0, other, ir_const_i32(b, lanes + 2));
    ir_value bit = ir_op2(b, IR_AND, 0, low, ir_const_i32(b, 128));
    if (s->quads) {
        ir_value quad = ir_op2(b, IR_AND, 0, ir_lane_id(b), ir_const_i32(b, 3));
        bit = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, ir_const_i32(b, s->quads), quad), ir_const_i32(b, 1));
    }
    ir_value pred = s->pred ? ir_op2(b, IR_NE, 0, bit, ir_const_i32(b, 0)) : 0;
    ir_value v = ir_op2(b, IR_MUL, 0, operand, ir_const(b, IR_I64, 0x9e3779b97f4a7c15u));
    v = ir_op2(b, IR_SHR_U, 0, v, ir_const_i32(b, 3));
    if (s->type == IR_I1)
        v = ir_op2(b, IR_NE, 0, ir_op2(b, IR_AND, 0, v, ir_const(b, IR_I64, 1)), ir_const(b, IR_I64, 0));
    else if (s->type != IR_I64) /* words are cut to parts in another way than what is longer */
        v = ir_cvt(b, IR_TRUNC, s->type, 0, s->type != IR_I32 && (s->src & 1) ? ir_cvt(b, IR_LO32, IR_I32, 0, v) : v);
    switch (s->code) {
    case IR_SET:
        ir_set_part(b, file, s->reg.elem, s->reg.shift, s->type, v, pred);
        return;
    case IR_SET_DYN:
        ir_set_dyn(b, s->reg, index, v, pred);
        return;
    case IR_SET_LANE:
        ir_set_lane(b, s->reg, index, other, v, pred);
        return;
    case IR_GET:
        v = ir_get_part(b, file, s->reg.elem, s->reg.shift, s->type);
        break;
    case IR_GET_DYN:
        v = ir_get_dyn(b, s->reg, index, s->type);
        break;
    default:
        v = ir_get_lane(b, s->reg, index, other, s->type);
        break;
    }
    if (s->type != IR_I64)
        v = ir_cvt(b, IR_ZEXT, IR_I64, 0, v);
    ir_set(b, wide, s->dst, v, 0);
}

static uint64_t *wide_row(struct exec_warp *w, unsigned file, unsigned k) { return exec_warp_register(w, file, k); }

static uint64_t element(struct exec_warp *w, unsigned bits, unsigned file, unsigned k, unsigned lane)
{
    if (bits == 64)
        return ((uint64_t *)exec_warp_register(w, file, k))[lane];
    uint32_t v = ((uint32_t *)exec_warp_register(w, file, k))[lane];
    return bits == 1 ? v & 1 : v;
}

static void put_element(struct exec_warp *w, unsigned bits, unsigned file, unsigned k, unsigned lane, uint64_t v)
{
    if (bits == 64)
        ((uint64_t *)exec_warp_register(w, file, k))[lane] = v;
    else
        ((uint32_t *)exec_warp_register(w, file, k))[lane] = bits == 1 ? (v ? ~0u : 0) : (uint32_t)v;
}

static void random_steps(struct test_rng *r, struct step *steps, unsigned file, unsigned width, bool uniform)
{
    static const enum ir_opcode codes[] = {IR_GET, IR_SET, IR_GET_DYN, IR_SET_DYN, IR_GET_LANE, IR_SET_LANE};
    unsigned bits = widths[width];
    for (unsigned k = 0; k < STEPS; k++) {
        unsigned t = width == 0 ? 0 : test_next(r) % 5, part = ir_type_bits(types[t]);
        unsigned span = part > bits ? part / bits : 1;
        struct ir_reg reg = {.file = (uint16_t)file, .part = (uint8_t)types[t]};
        reg.shift = (uint8_t)(part < bits ? test_next(r) % (bits / part) * part : 0);
        reg.stride = test_next(r) & 1 ? 1 : -1;
        reg.first = (int)(test_next(r) % 5) - 2;
        reg.last = reg.first + 2 + (int)(test_next(r) % 5);
        reg.elem = (uint16_t)((reg.stride < 0 ? reg.last : 0 - reg.first) + (int)(test_next(r) % 2) + 2);
        enum ir_opcode code = codes[test_next(r) % (uniform ? 4 : 6)];
        if (span > 1) {
            reg.first = 0;
            reg.last = 1;
            reg.elem = reg.stride < 0 ? 2 : 1 + test_next(r) % 4;
        }
        steps[k] = (struct step){.code = code, .reg = reg, .type = types[t], .pred = test_next(r) & 1,
                                 .quads = uniform || test_next(r) & 1 ? 0 : test_next(r) & 15,
                                 .src = test_next(r) % STEPS, .dst = test_next(r) % STEPS,
                                 .same = !uniform && test_next(r) % 3 == 0};
        steps[k].index = (int32_t)(steps[k].src * 5 % 16) - 4; /* of a register of the warp */
    }
}

static unsigned tried;

static void run_one(struct test_rng *r, unsigned width, bool uniform, unsigned lanes)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, lanes);
    unsigned bits = widths[width];
    unsigned file = ir_add_file(
        p, (struct ir_file){.name = "r", .bits = bits, .count = COUNT, .uniform = uniform, .preserved = true});
    unsigned wide = ir_add_file(
        p, (struct ir_file){.name = "w", .bits = 64, .count = STEPS, .uniform = uniform, .preserved = true});
    unsigned indices = ir_add_file(
        p, (struct ir_file){.name = "i", .bits = 32, .count = STEPS, .uniform = true, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    struct step steps[STEPS];
    random_steps(r, steps, file, width, uniform);
    for (unsigned k = 0; k < STEPS; k++)
        build_step(&b, file, wide, indices, lanes, &steps[k]);
    ir_end(&b);
    if (ir_verify(p, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    struct machine start = {0};
    for (unsigned i = 0; i < (uniform ? 1 : lanes); i++) {
        for (unsigned k = 0; k < COUNT; k++)
            start.elem[k][i] = test_next64(r) & ones(bits);
        for (unsigned k = 0; k < STEPS; k++)
            start.wide[k][i] = test_next64(r);
    }
    uint64_t active = test_next(r) & 1 ? ones(lanes) : (test_next64(r) & ones(lanes)) | 1;
    struct machine want = start;
    for (unsigned k = 0; k < STEPS; k++)
        model_step(&want, bits, uniform, lanes, active, &steps[k]);
    for (int level = 0; level < EXEC_LEVELS; level++) {
        for (int masked = 0; masked < 2 && exec_level_usable((enum exec_level)level); masked++) {
            struct exec_options o = {.level = (enum exec_level)level, .no_full = masked};
            struct exec_program *x = NULL;
            if (test_left_out(&tried, 51))
                continue;
            if (exec_compile(p, &o, &a, &x, d) != WEFT_OK)
                fail_msg("%s", weft_diags_get(d, 0)->message);
            struct exec_warp *w = exec_warp_new(x);
            struct exec_env env = {0};
            exec_bind(w, &env);
            for (unsigned i = 0; i < (uniform ? 1 : lanes); i++) {
                for (unsigned k = 0; k < COUNT; k++)
                    put_element(w, bits, file, k, i, start.elem[k][uniform ? 0 : i]);
                for (unsigned k = 0; k < STEPS; k++)
                    wide_row(w, wide, k)[i] = start.wide[k][uniform ? 0 : i];
            }
            for (unsigned k = 0; k < STEPS; k++)
                *(int32_t *)exec_warp_register(w, indices, k) = (int32_t)(k * 5 % 16) - 4;
            assert_int_equal(exec_run(w, active, active, 0), EXEC_DONE);
            for (unsigned i = 0; i < (uniform ? 1 : lanes); i++) {
                for (unsigned k = 0; k < COUNT; k++)
                    if (element(w, bits, file, k, i) != want.elem[k][i])
                        fail_msg("%u bits, uniform %d, level %d, masked %d: element %u lane %u is %llx, not %llx", bits,
                                 uniform, level, masked, k, i, (unsigned long long)element(w, bits, file, k, i),
                                 (unsigned long long)want.elem[k][i]);
                for (unsigned k = 0; k < STEPS; k++)
                    if (wide_row(w, wide, k)[i] != want.wide[k][i])
                        fail_msg("%u bits, uniform %d, level %d, masked %d: result %u lane %u is %llx, not %llx", bits,
                                 uniform, level, masked, k, i, (unsigned long long)wide_row(w, wide, k)[i],
                                 (unsigned long long)want.wide[k][i]);
            }
            if (!uniform)
                assert_int_equal(exec_warp_counts(w)->bad_access, want.bad);
            exec_warp_free(w);
        }
    }
    weft_diags_free(d);
    arena_free(&a);
}

static void lane_files(void **state)
{
    (void)state;
    struct test_rng r = test_seed("lane_files");
    for (unsigned width = 0; width < 5; width++)
        for (unsigned n = 0; n < 60; n++)
            run_one(&r, width, false, n & 1 ? 32 : 16);
}

static void uniform_files(void **state)
{
    (void)state;
    struct test_rng r = test_seed("uniform_files");
    for (unsigned width = 0; width < 5; width++)
        for (unsigned n = 0; n < 40; n++)
            run_one(&r, width, true, 16);
}

/* A row of the file whose columns are written is the value, or says where it is written. All of it is read before
 * anything is written. */
enum across { VALUE, INDEX, LANE, LATER, ACROSS };

static void write_across(enum across how, bool masked)
{
    enum { LANES = 16, ROW = 1, COLUMN = 3 };
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, LANES);
    unsigned file =
        ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = COUNT, .uniform = false, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_value row = ir_get(&b, file, ROW, IR_I32), lane = ir_emit(&b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    if (how == LATER) { /* a value that is SET, and put into columns after that */
        row = ir_op2(&b, IR_ADD, 0, row, ir_const_i32(&b, 0));
        ir_set(&b, file, ROW, row, 0);
    }
    ir_set_lane(&b, (struct ir_reg){.file = (uint8_t)file, .part = IR_I32, .stride = 1, .last = COUNT - 1},
                how == INDEX ? row : lane, how == LANE ? row : ir_const_i32(&b, COLUMN),
                how == VALUE || how == LATER ? row : ir_const_i32(&b, 77), 0);
    ir_end(&b);
    struct exec_options o = {.level = exec_best_level(), .no_full = masked};
    struct exec_program *x = NULL;
    assert_int_equal(ir_verify(p, d), WEFT_OK);
    assert_int_equal(exec_compile(p, &o, &a, &x, d), WEFT_OK);
    struct exec_warp *w = exec_warp_new(x);
    struct exec_env env = {0};
    uint32_t want[COUNT][LANES];
    exec_bind(w, &env);
    for (unsigned k = 0; k < COUNT; k++)
        for (unsigned i = 0; i < LANES; i++) {
            want[k][i] = k == ROW ? (i + 5) % LANES : 100 * k + i;
            ((uint32_t *)exec_warp_register(w, file, k))[i] = want[k][i];
        }
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t before = (i + 5) % LANES;
        uint32_t k = how == INDEX ? before : i, to = how == LANE ? before : COLUMN;
        want[k][to] = how == VALUE || how == LATER ? before : 77;
    }
    assert_int_equal(exec_run(w, 0xffff, 0xffff, 0), EXEC_DONE);
    for (unsigned k = 0; k < COUNT; k++)
        assert_memory_equal(exec_warp_register(w, file, k), want[k], sizeof want[k]);
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void rows_are_read_before_columns_are_written(void **state)
{
    (void)state;
    for (unsigned how = 0; how < ACROSS; how++)
        for (unsigned masked = 0; masked < 2; masked++)
            write_across((enum across)how, masked);
}

/* A program reads an element and writes it, both by index: it finds 0 each time that it runs. */
static void run_again(int32_t stride, int32_t index)
{
    enum { LANES = 16, FIRST = 2, LAST = 3, KEPT_RESULT = 0, KEPT_INDEX = 1 };
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, LANES);
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = COUNT});
    unsigned kept = ir_add_file(p, (struct ir_file){.name = "k", .bits = 32, .count = 2, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    struct ir_reg reg = {.file = (uint16_t)file, .elem = FIRST, .part = IR_I32, .stride = stride, .last = LAST};
    ir_value at = ir_get(&b, kept, KEPT_INDEX, IR_I32);
    ir_set(&b, kept, KEPT_RESULT, ir_get_dyn(&b, reg, at, IR_I32), 0);
    ir_set_dyn(&b, reg, at, ir_const(&b, IR_I32, 77), 0);
    ir_end(&b);
    struct exec_options o = {0};
    struct exec_program *x = NULL;
    if (ir_verify(p, d) != WEFT_OK || exec_compile(p, &o, &a, &x, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    struct exec_warp *w = exec_warp_new(x);
    struct exec_env env = {0};
    exec_bind(w, &env);
    for (unsigned k = 0; k < 2; k++) {
        uint32_t *result = exec_warp_register(w, kept, KEPT_RESULT), *of = exec_warp_register(w, kept, KEPT_INDEX);
        for (unsigned lane = 0; lane < LANES; lane++)
            of[lane] = (uint32_t)index;
        assert_int_equal(exec_run(w, 0xffff, 0xffff, 0), EXEC_DONE);
        for (unsigned lane = 0; lane < LANES; lane++)
            assert_int_equal(result[lane], 0);
    }
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void registers_are_zero_again(void **state)
{
    (void)state;
    for (int32_t stride = 1; stride <= 4; stride++)
        for (int32_t index = 0; index <= 3; index++)
            run_again(stride, index);
}

TEST_MAIN(TEST(lane_files), TEST(uniform_files), TEST(rows_are_read_before_columns_are_written),
          TEST(registers_are_zero_again))
