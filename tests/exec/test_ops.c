/* Every component-wise op that the interpreter executes, in every type, at every level, plain and masked, against the
 * reference evaluator. What it does not execute must say so; how much that is, is counted. */
#include "test.h"

#include "base/fmath.h"
#include "exec/exec.h"
#include "ir/build.h"
#include "ir/eval.h"

enum { LANES = 64, ROUNDS = 6, RESULT = 12 };

static unsigned executed, refused, left_out, tried;

/* A number of a type: corners as often as anything. */
static uint64_t number(struct test_rng *r, enum ir_type t)
{
    static const uint32_t f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0xffc00001, 1,          0x807fffff, 0x00800000, 0x7f7fffff,
                                   0x3f000000, 0xbf000000, 0x3fc00000, 0x4b800000, 0x4f000000, 0xcf000000,
                                   0x4f800000, 0x5f000000, 0x3effffff, 0x40200000, 0xc0200000, 0x4b7fffff};
    static const uint64_t f64[] = {0,
                                   (uint64_t)1 << 63,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   1,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x3fe0000000000000,
                                   0x4004000000000000,
                                   0x41e0000000000000,
                                   0xc1e0000000000000,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x43f0000000000000,
                                   0x41dfffffffc00000,
                                   0xc1e0000000100000,
                                   0x41efffffffe00000,
                                   0x36a0000000000000,
                                   0x47efffffe0000000,
                                   0x380fffffc0000000};
    static const uint64_t ints[] = {0,
                                    1,
                                    2,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    ~(uint64_t)0,
                                    1000000007};
    unsigned bits = ir_type_bits(t);
    uint64_t mask = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1, v;
    unsigned how = test_next(r) % 5;
    if (how == 4 && t >= IR_F16) { /* near the least normal number, its square root and the largest one */
        static const uint64_t near[3][3] = {{0x0400, 0x2000, 0x7bf8},
                                            {0x00800000, 0x20000000, 0x7f7ffff8},
                                            {0x0010000000000000, 0x2000000000000000, 0x7feffffffffffff8}};
        uint64_t at = near[t == IR_F16 ? 0 : t == IR_F32 ? 1 : 2][test_next(r) % 3] + test_next(r) % 16 - 8;
        return (at ^ (uint64_t)(test_next(r) & 1) << (bits - 1)) & mask;
    }
    if (t == IR_F32)
        v = how == 0   ? f32[test_next(r) % (sizeof f32 / sizeof f32[0])]
            : how == 1 ? f32_bits((float)((int)(test_next(r) % 4001) - 2000) / 16)
                       : test_next(r);
    else if (t == IR_F64)
        v = how == 0   ? f64[test_next(r) % (sizeof f64 / sizeof f64[0])]
            : how == 1 ? f64_bits((double)((int)(test_next(r) % 4001) - 2000) / 16)
                       : test_next64(r);
    else if (t == IR_F16)
        v = how == 2   ? (test_next(r) & 0x8000) | (0x3c00 + test_next(r) % 0x1000 - 0x800)
            : how == 0 ? (test_next(r) & 0x8000) | (test_next(r) & 1 ? 0x7c00 : 0x03ff)
                       : test_next(r);
    else
        v = how == 0   ? ints[test_next(r) % (sizeof ints / sizeof ints[0])]
            : how == 1 ? test_next(r) % 100
                       : test_next64(r);
    return v & mask;
}

static ir_value argument(struct ir_builder *b, unsigned file, unsigned k, enum ir_type t)
{
    return ir_type_bits(t) >= 32 ? ir_get(b, file, 2 * k, t) : ir_get_part(b, file, 2 * k, 0, t);
}

/* Check one op on lane values, or on uniform ones, which are scalars. */
static void check_form(struct test_rng *r, enum ir_opcode code, enum ir_type type, unsigned attr,
                       const enum ir_type *at, unsigned n, bool uniform)
{
    const unsigned lanes = uniform ? 1 : LANES; /* that are looked at */
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, LANES);
    unsigned file =
        ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 16, .uniform = uniform, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_value args[3];
    for (unsigned k = 0; k < n; k++)
        args[k] = argument(&b, file, k, at[k]);
    ir_value v = ir_emit(&b, code, type, attr, 1, args, n, 0, 0, 0);
    enum ir_type result = (enum ir_type)p->value_type[v];
    if (ir_type_bits(result) >= 32)
        ir_set(&b, file, RESULT, v, 0);
    else
        ir_set_part(&b, file, RESULT, 0, result, v, 0);
    ir_end(&b);
    if (ir_verify(p, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    for (int level = 0; level < EXEC_LEVELS; level++) {
        for (int masked = 0; masked < 2 && exec_level_usable((enum exec_level)level); masked++) {
            struct exec_options o = {.level = (enum exec_level)level, .no_full = masked};
            struct exec_program *x = NULL;
            if (test_left_out(&tried, 23)) { /* of six */
                left_out++;
                continue;
            }
            weft_status s = exec_compile(p, &o, &a, &x, d);
            if (s == WEFT_ERROR_UNSUPPORTED) {
                assert_non_null(strstr(weft_diags_get(d, 0)->message, ir_op_info[code].text));
                refused++;
                if (getenv("WEFT_TEST_VERBOSE"))
                    print_message("# refused: %s\n", weft_diags_get(d, 0)->message);
                goto done;
            }
            assert_int_equal(s, WEFT_OK);
            executed++;
            struct exec_warp *w = exec_warp_new(x);
            struct exec_env env = {0};
            exec_bind(w, &env);
            for (int round = 0; round < (uniform ? 4 * ROUNDS : ROUNDS); round++) {
                uint64_t in[3][LANES];
                for (unsigned k = 0; k < n; k++)
                    for (unsigned i = 0; i < lanes; i++) {
                        in[k][i] = number(r, at[k]);
                        ((uint32_t *)exec_warp_register(w, file, 2 * k))[i] = (uint32_t)in[k][i];
                        ((uint32_t *)exec_warp_register(w, file, 2 * k + 1))[i] = (uint32_t)(in[k][i] >> 32);
                    }
                exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 0);
                for (unsigned i = 0; i < lanes; i++) {
                    uint64_t got = ((uint32_t *)exec_warp_register(w, file, RESULT))[i];
                    unsigned bits = ir_type_bits(result), how;
                    if (bits == 64)
                        got |= (uint64_t)((uint32_t *)exec_warp_register(w, file, RESULT + 1))[i] << 32;
                    else
                        got &= bits == 32 ? 0xffffffff : ((uint64_t)1 << bits) - 1;
                    uint64_t lane[3] = {in[0][i], n > 1 ? in[1][i] : 0, n > 2 ? in[2][i] : 0};
                    uint64_t want = eval_op(code, result, attr, 0, at, lane, n, &how);
                    if (!eval_accepts(result, want, how, got))
                        fail_msg("%s.%s attr %#x (%s) uniform %d level %d masked %d: %#llx %#llx %#llx gave %#llx, not "
                                 "%#llx",
                                 ir_op_info[code].text, ir_type_name(result), attr, ir_type_name(at[0]), uniform, level,
                                 masked, (unsigned long long)lane[0], (unsigned long long)lane[1],
                                 (unsigned long long)lane[2], (unsigned long long)got, (unsigned long long)want);
                }
            }
            exec_warp_free(w);
        }
    }
done:
    weft_diags_free(d);
    arena_free(&a);
}

/* ---- many ops in one program ---- */

enum { TOGETHER = 24, PLACES = 8, MOST_CASES = 4000 };

struct op_case {
    enum ir_opcode code;
    enum ir_type type, at[3];
    unsigned attr, n;
};

static struct op_case cases[MOST_CASES];
static unsigned ncases;
static bool collecting;

/* Arguments of case k are in registers 8 * k to 8 * k + 5, its result in the next two. */
static struct ir_program *program_of_cases(struct arena *a, const struct op_case *c, unsigned count, bool uniform,
                                           enum ir_type *results)
{
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, LANES);
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_add_file(p, (struct ir_file){
        .name = "r", .bits = 32, .count = TOGETHER * PLACES, .uniform = uniform, .preserved = true});
    for (unsigned i = 0; i < count; i++) {
        ir_value args[3];
        for (unsigned k = 0; k < c[i].n; k++) {
            uint16_t place = (uint16_t)(PLACES * i + 2 * k);
            args[k] = ir_type_bits(c[i].at[k]) >= 32 ? ir_get(&b, 0, place, c[i].at[k])
                                                     : ir_get_part(&b, 0, place, 0, c[i].at[k]);
        }
        ir_value v = ir_emit(&b, c[i].code, c[i].type, c[i].attr, 1, args, c[i].n, 0, 0, 0);
        results[i] = (enum ir_type)p->value_type[v];
        if (ir_type_bits(results[i]) >= 32)
            ir_set(&b, 0, (uint16_t)(PLACES * i + 6), v, 0);
        else
            ir_set_part(&b, 0, (uint16_t)(PLACES * i + 6), 0, results[i], v, 0);
    }
    ir_end(&b);
    return p;
}

static uint32_t *word_of(struct exec_warp *w, unsigned place, unsigned lane)
{
    return (uint32_t *)exec_warp_register(w, 0, place) + lane;
}

static void run_cases(struct test_rng *r, struct exec_warp *w, const struct op_case *c, unsigned count, bool uniform,
                      const enum ir_type *results)
{
    static uint64_t in[TOGETHER][3][LANES];
    unsigned lanes = uniform ? 1 : LANES;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < c[i].n; k++)
            for (unsigned lane = 0; lane < lanes; lane++) {
                uint64_t v = in[i][k][lane] = number(r, c[i].at[k]);
                *word_of(w, PLACES * i + 2 * k, lane) = (uint32_t)v;
                *word_of(w, PLACES * i + 2 * k + 1, lane) = (uint32_t)(v >> 32);
            }
    exec_run(w, ~(lane_mask)0, ~(lane_mask)0, 0);
    for (unsigned i = 0; i < count; i++)
        for (unsigned lane = 0; lane < lanes; lane++) {
            unsigned bits = ir_type_bits(results[i]), how;
            uint64_t high = bits == 64 ? *word_of(w, PLACES * i + 7, lane) : 0;
            uint64_t got = high << 32 | *word_of(w, PLACES * i + 6, lane), v[3];
            got &= bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
            for (unsigned k = 0; k < 3; k++)
                v[k] = k < c[i].n ? in[i][k][lane] : 0;
            uint64_t want = eval_op(c[i].code, results[i], c[i].attr, 0, c[i].at, v, c[i].n, &how);
            if (!eval_accepts(results[i], want, how, got))
                fail_msg("%s.%s attr %#x (%s) uniform %d: %#llx %#llx %#llx gave %#llx, not %#llx",
                         ir_op_info[c[i].code].text, ir_type_name(results[i]), c[i].attr, ir_type_name(c[i].at[0]),
                         uniform, (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                         (unsigned long long)got, (unsigned long long)want);
        }
}

/* How many were executed. What the interpreter does not execute is left out, once it is found. */
static unsigned check_together(struct test_rng *r, const struct op_case *c, unsigned count, bool uniform)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    enum ir_type results[TOGETHER];
    struct ir_program *p = program_of_cases(&a, c, count, uniform, results);
    struct exec_options o = {.level = exec_best_level()};
    struct exec_program *x = NULL;
    assert_int_equal(ir_verify(p, d), WEFT_OK);
    weft_status s = exec_compile(p, &o, &a, &x, d);
    unsigned done = s == WEFT_OK ? count : 0;
    if (s == WEFT_OK) {
        struct exec_warp *w = exec_warp_new(x);
        struct exec_env env = {0};
        exec_bind(w, &env);
        for (unsigned round = 0; round < (uniform ? 8 * ROUNDS : ROUNDS); round++)
            run_cases(r, w, c, count, uniform, results);
        exec_warp_free(w);
    } else {
        assert_int_equal(s, WEFT_ERROR_UNSUPPORTED);
    }
    weft_diags_free(d);
    arena_free(&a);
    if (s != WEFT_OK && count > 1)
        done = check_together(r, c, count / 2, uniform) + check_together(r, c + count / 2, count - count / 2, uniform);
    return done;
}

/* `type` is the result's where the op does not say it. */
static void check(struct test_rng *r, enum ir_opcode code, enum ir_type type, unsigned attr, const enum ir_type *at,
                  unsigned n)
{
    if (collecting) {
        assert_true(ncases < MOST_CASES);
        struct op_case *c = &cases[ncases++];
        *c = (struct op_case){.code = code, .type = type, .attr = attr, .n = n};
        memcpy(c->at, at, n * sizeof *at);
        return;
    }
    check_form(r, code, type, attr, at, n, false);
    check_form(r, code, type, attr, at, n, true);
}

static void same_types(struct test_rng *r, enum ir_opcode code, enum ir_type t, unsigned attr)
{
    unsigned n = (unsigned)ir_op_info[code].args;
    enum ir_type at[3] = {t, t, t};
    if (code == IR_SHL || code == IR_SHR_S || code == IR_SHR_U || code == IR_FLDEXP)
        at[1] = IR_I32;
    check(r, code, t, attr, at, n);
}

static void integers(void **state)
{
    (void)state;
    struct test_rng r = test_seed("integers");
    static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I64};
    for (unsigned code = IR_ADD; code <= IR_LE_U; code++)
        for (unsigned t = 0; t < 4; t++)
            same_types(&r, (enum ir_opcode)code, types[t], 0);
    for (unsigned t = 0; t < 4; t++) {
        same_types(&r, IR_ADD, types[t], IR_SAT);
        same_types(&r, IR_SUB, types[t], IR_SAT);
    }
    static const uint16_t logic[] = {IR_AND, IR_OR, IR_XOR, IR_NOT, IR_EQ, IR_NE};
    for (unsigned i = 0; i < sizeof logic / sizeof logic[0]; i++)
        same_types(&r, (enum ir_opcode)logic[i], IR_I1, 0);
}

static void floats(void **state)
{
    (void)state;
    struct test_rng r = test_seed("floats");
    static const enum ir_type types[] = {IR_F16, IR_F32, IR_F64};
    for (unsigned t = 0; t < 3; t++) {
        for (unsigned code = IR_FADD; code <= IR_FREXP_EXP; code++)
            same_types(&r, (enum ir_opcode)code, types[t], 0);
        for (unsigned rule = 0; rule < 3; rule++) {
            same_types(&r, IR_FMIN, types[t], rule << 8);
            same_types(&r, IR_FMAX, types[t], rule << 8);
        }
        for (unsigned mode = 0; mode < 5; mode++)
            same_types(&r, IR_FRINT, types[t], mode);
        same_types(&r, IR_FSAT, types[t], IR_SAT_KEEP_NAN);
    }
    for (unsigned code = IR_FEXP2; code <= IR_FCOS; code++)
        same_types(&r, (enum ir_opcode)code, IR_F32, 0);
}

/* Every rounding direction with flushing, canonical NaNs and clamping in turn. */
static void float_attributes(void **state)
{
    (void)state;
    struct test_rng r = test_seed("float_attributes");
    static const enum ir_type types[] = {IR_F16, IR_F32, IR_F64};
    static const uint16_t rounded[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FFMA, IR_FSQRT, IR_FLDEXP, IR_FRINT};
    static const uint16_t others[] = {IR_FSAT, IR_FEQ, IR_FNE, IR_FLT, IR_FLE, IR_FUNORD, IR_FREXP_MANT, IR_FREXP_EXP};
    static const unsigned extra[] = {0,
                                     IR_FLUSH_IN,
                                     IR_FLUSH_OUT,
                                     IR_FLUSH_IN | IR_FLUSH_OUT,
                                     IR_NAN_CANON,
                                     IR_FLUSH_OUT | IR_NAN_CANON,
                                     IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON,
                                     IR_NAN_X86,
                                     IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_X86,
                                     IR_SAT,
                                     IR_SAT | IR_SAT_KEEP_NAN,
                                     IR_SAT | IR_SAT_KEEP_NAN | IR_NAN_CANON | IR_FLUSH_OUT};
    for (unsigned t = 0; t < 3; t++) {
        for (unsigned e = 0; e < sizeof extra / sizeof extra[0]; e++) {
            for (unsigned k = 0; k < sizeof rounded / sizeof rounded[0]; k++)
                for (unsigned mode = 0; mode < 5; mode++)
                    same_types(&r, (enum ir_opcode)rounded[k], types[t], mode | extra[e]);
            bool clamps = extra[e] & IR_SAT;
            for (unsigned k = 0; k < sizeof others / sizeof others[0] && !clamps; k++)
                same_types(&r, (enum ir_opcode)others[k], types[t], extra[e]);
            for (unsigned rule = 0; rule < 6; rule++) {
                unsigned attr = extra[e] | rule % 3 << 8 | (rule > 2 ? IR_MINMAX_ZEROS : 0);
                same_types(&r, IR_FMIN, types[t], attr);
                same_types(&r, IR_FMAX, types[t], attr);
            }
            if (!clamps && !(extra[e] & ~(unsigned)(IR_NAN_CANON | IR_NAN_X86)))
                same_types(&r, IR_COPY, types[t], extra[e]);
        }
    }
    for (unsigned e = 1; e < 8; e++)
        for (unsigned code = IR_FEXP2; code <= IR_FCOS; code++)
            same_types(&r, (enum ir_opcode)code, IR_F32, extra[e]);
}

static void conversions(void **state)
{
    (void)state;
    struct test_rng r = test_seed("conversions");
    static const enum ir_type ints[] = {IR_I1, IR_I8, IR_I16, IR_I32, IR_I64}, fl[] = {IR_F16, IR_F32, IR_F64};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned k = 0; k < 5; k++) {
            if (k > i) {
                check(&r, IR_ZEXT, ints[k], 0, &ints[i], 1);
                check(&r, IR_SEXT, ints[k], 0, &ints[i], 1);
            } else if (k < i && k > 0) {
                check(&r, IR_TRUNC, ints[k], 0, &ints[i], 1);
            }
        }
    static const unsigned extra[] = {0, IR_FLUSH_IN, IR_FLUSH_IN | IR_FLUSH_OUT,
                                     IR_NAN_CANON, IR_NAN_X86, IR_SAT | IR_NAN_CANON};
    for (unsigned f = 0; f < 3; f++) {
        for (unsigned mode = 0; mode < 5; mode++) {
            for (unsigned i = 1; i < 5; i++) {
                check(&r, IR_S2F, fl[f], mode, &ints[i], 1);
                check(&r, IR_U2F, fl[f], mode, &ints[i], 1);
                static const unsigned rules[] = {0, IR_CVT_WRAP, IR_CVT_X86, IR_FLUSH_IN};
                for (unsigned k = 0; k < 4; k++) {
                    check(&r, IR_F2S, ints[i], mode | rules[k], &fl[f], 1);
                    check(&r, IR_F2U, ints[i], mode | rules[k], &fl[f], 1);
                }
            }
            for (unsigned e = 0; e < sizeof extra / sizeof extra[0]; e++)
                for (unsigned k = 0; k < 3; k++)
                    if (k != f)
                        check(&r, IR_F2F, fl[k], mode | extra[e], &fl[f], 1);
        }
    }
}

static void words(void **state)
{
    (void)state;
    struct test_rng r = test_seed("words");
    static const enum ir_type pair[] = {IR_I32, IR_I32}, wide[] = {IR_I64};
    check(&r, IR_PACK64, IR_I64, 0, pair, 2);
    check(&r, IR_PACK64, IR_F64, 0, pair, 2);
    check(&r, IR_LO32, IR_I32, 0, wide, 1);
    check(&r, IR_HI32, IR_F32, 0, wide, 1);
    static const enum ir_type all[] = {IR_I1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        enum ir_type at[3] = {IR_I1, all[i], all[i]};
        check(&r, IR_SELECT, all[i], 0, at, 3);
        check(&r, IR_COPY, all[i], 0, &all[i], 1);
    }
}

/* One program for each op is much to compile, so that the JIT has few of them above. Here each run has every op in
 * every type, and some of those with attributes. */
static void together(void **state)
{
    struct test_rng r = test_seed("together");
    collecting = true;
    integers(state);
    floats(state);
    words(state);
    unsigned always = ncases;
    conversions(state);
    float_attributes(state);
    collecting = false;
    for (unsigned i = always, n = 0; i < ncases; i++) /* those with attributes take turns */
        if ((n++ + test_turn()) % 16 == 0)
            cases[always++] = cases[i];
    unsigned done = 0;
    for (unsigned uniform = 0; uniform < 2; uniform++)
        for (unsigned i = 0; i < always; i += TOGETHER)
            done += check_together(&r, cases + i, always - i < TOGETHER ? always - i : TOGETHER, uniform);
    print_message("# %u of %u executed\n", done, 2 * always);
    assert_true(done > 2 * always - 40);
}

/* Keeps the tests above from passing by refusing. */
static void most_is_executed(void **state)
{
    (void)state;
    print_message("# %u programs executed, %u refused, %u left out\n", executed, refused, left_out);
    assert_true(executed + left_out > 9000);
    assert_true(executed > left_out / (24 * test_share()));
    assert_true(refused <= 120); /* to bytes and halves with IR_CVT_X86 */
}

TEST_MAIN(TEST(integers), TEST(floats), TEST(float_attributes), TEST(conversions), TEST(words), TEST(together),
          TEST(most_is_executed))
