/* The interpreter: masks, registers, memory, stops, and that levels and code forms agree bit for bit. */
#include "test.h"

#include "base/fmath.h"
#include "exec/exec.h"
#include "ir/build.h"
#include "ir/pass.h"

struct bench {
    struct arena arena;
    weft_diags *diags;
    struct ir_program *p;
    struct ir_builder b;
    unsigned r; /* a lane file of 64 registers */
};

static struct bench start(unsigned lanes)
{
    struct bench t = {.diags = weft_diags_new()};
    struct arena *a = calloc(1, sizeof *a); /* the program keeps its address */
    t.p = ir_program_new(a, "test", IR_COMPUTE, lanes);
    t.r = ir_add_file(t.p, (struct ir_file){.name = "r", .bits = 32, .count = 64});
    t.b = (struct ir_builder){t.p, IR_ENTRY, 0};
    t.p->blocks[IR_ENTRY].insns = 1;
    return t;
}

static struct exec_program *compile(struct bench *t, enum exec_level level, bool no_full)
{
    if (ir_verify(t->p, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    struct exec_program *x = NULL;
    struct exec_options o = {.level = level, .no_full = no_full};
    if (exec_compile(t->p, &o, t->p->arena, &x, t->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(t->diags, 0)->message);
    return x;
}

static void finish(struct bench *t)
{
    struct arena *a = t->p->arena;
    weft_diags_free(t->diags);
    arena_free(a);
    free(a);
}

static const lane_mask all64 = ~(lane_mask)0;

static void writes_go_to_active_lanes(void **state)
{
    (void)state;
    struct bench t = start(64);
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_set(&t.b, t.r, 0, ir_op2(&t.b, IR_ADD, 0, id, ir_const_i32(&t.b, 100)), 0);
    ir_value odd = ir_op2(&t.b, IR_NE, 0, ir_op2(&t.b, IR_AND, 0, id, ir_const_i32(&t.b, 1)), ir_const_i32(&t.b, 0));
    ir_set(&t.b, t.r, 1, id, odd);
    ir_end(&t.b);
    t.p->files[t.r].preserved = true;
    for (int masked = 0; masked < 2; masked++) {
        struct exec_program *x = compile(&t, exec_best_level(), masked);
        struct exec_warp *w = exec_warp_new(x);
        struct exec_env env = {0};
        assert_int_equal(exec_bind(w, &env), WEFT_OK);
        const lane_mask some = 0x00ff00ff12345678u;
        for (int round = 0; round < 2; round++) {
            lane_mask m = round ? all64 : some;
            uint32_t *r0 = exec_warp_register(w, t.r, 0), *r1 = exec_warp_register(w, t.r, 1);
            for (int i = 0; i < 64; i++)
                r0[i] = r1[i] = 7;
            assert_int_equal(exec_run(w, m, m, 0), EXEC_DONE);
            for (uint32_t i = 0; i < 64; i++) {
                bool on = m >> i & 1;
                assert_int_equal(r0[i], on ? 100 + i : 7);
                assert_int_equal(r1[i], on && (i & 1) ? i : 7);
            }
        }
        exec_warp_free(w);
    }
    finish(&t);
}

static void registers_start_at_zero(void **state)
{
    (void)state;
    struct bench t = start(32);
    ir_value v = ir_op2(&t.b, IR_ADD, 0, ir_get(&t.b, t.r, 5, IR_I32), ir_const_i32(&t.b, 1));
    ir_set(&t.b, t.r, 5, v, 0);
    ir_set(&t.b, t.r, 6, v, 0);
    ir_end(&t.b);
    struct exec_program *x = compile(&t, EXEC_BASELINE, false);
    struct exec_warp *w = exec_warp_new(x);
    struct exec_env env = {0};
    exec_bind(w, &env);
    for (int round = 0; round < 3; round++) {
        exec_run(w, all64, all64, 0);
        assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 6))[31], 1);
    }
    exec_warp_free(w);
    finish(&t);
}

/* A register read, overwritten, and the old value used after: the swap that in-place code gets wrong. */
static void swaps(void **state)
{
    (void)state;
    struct bench t = start(64);
    t.p->files[t.r].preserved = true;
    ir_value a = ir_get(&t.b, t.r, 0, IR_I32), c = ir_get(&t.b, t.r, 1, IR_I32);
    ir_set(&t.b, t.r, 0, c, 0);
    ir_set(&t.b, t.r, 1, a, 0);
    ir_value s = ir_op2(&t.b, IR_ADD, 0, a, c), d = ir_op2(&t.b, IR_SUB, 0, a, c);
    ir_set(&t.b, t.r, 2, s, 0);
    ir_set(&t.b, t.r, 2, ir_op2(&t.b, IR_MUL, 0, s, d), 0);
    ir_set(&t.b, t.r, 3, s, 0);
    ir_end(&t.b);
    for (int masked = 0; masked < 2; masked++) {
        struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), masked));
        struct exec_env env = {0};
        exec_bind(w, &env);
        uint32_t *r[4];
        for (unsigned k = 0; k < 4; k++)
            r[k] = exec_warp_register(w, t.r, k);
        for (uint32_t i = 0; i < 64; i++) {
            r[0][i] = i * 3;
            r[1][i] = 1000 - i;
        }
        exec_run(w, all64, all64, 0);
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t x = i * 3, y = 1000 - i;
            assert_int_equal(r[0][i], y);
            assert_int_equal(r[1][i], x);
            assert_int_equal(r[2][i], (x + y) * (x - y));
            assert_int_equal(r[3][i], x + y);
        }
        exec_warp_free(w);
    }
    finish(&t);
}

static void parts_and_pairs(void **state)
{
    (void)state;
    struct bench t = start(16);
    t.p->files[t.r].preserved = true;
    ir_set_part(&t.b, t.r, 0, 8, IR_I8, ir_const(&t.b, IR_I8, 0xab), 0);
    ir_set_part(&t.b, t.r, 1, 16, IR_F16, ir_cvt(&t.b, IR_F2F, IR_F16, 0, ir_const_f32(&t.b, 1.5f)), 0);
    ir_value wide = ir_get(&t.b, t.r, 2, IR_I64);
    ir_set(&t.b, t.r, 4, ir_op2(&t.b, IR_ADD, 0, wide, ir_const(&t.b, IR_I64, 1)), 0);
    ir_value half = ir_get_part(&t.b, t.r, 6, 16, IR_I16);
    ir_set(&t.b, t.r, 7, ir_cvt(&t.b, IR_SEXT, IR_I32, 0, half), 0);
    ir_end(&t.b);
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    struct exec_env env = {0};
    exec_bind(w, &env);
    static const uint32_t before[] = {0x11223344, 0x55667788, 0xffffffff, 0x00000001, 0, 0, 0x8001beef, 0};
    static const uint32_t after[] = {0x1122ab44, 0x3e007788, 0xffffffff, 0x00000001, 0, 2, 0x8001beef, 0xffff8001};
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < 16; i++)
            ((uint32_t *)exec_warp_register(w, t.r, k))[i] = before[k];
    exec_run(w, 0xffff, 0xffff, 0);
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, k))[i], after[k]);
    exec_warp_free(w);
    finish(&t);
}

static void indexed_registers_are_bounded_and_counted(void **state)
{
    (void)state;
    struct bench t = start(64);
    t.p->files[t.r].preserved = true;
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    struct ir_reg g = {.file = (uint16_t)t.r, .part = IR_I32, .elem = 8, .stride = 2, .first = 0, .last = 3};
    ir_set(&t.b, t.r, 0, ir_get_dyn(&t.b, g, id, IR_I32), 0);
    g.elem = 32;
    ir_set_dyn(&t.b, g, ir_op2(&t.b, IR_SUB, 0, id, ir_const_i32(&t.b, 1)), id, 0);
    ir_end(&t.b);
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    struct exec_env env = {0};
    exec_bind(w, &env);
    for (unsigned k = 0; k < 64; k++)
        for (unsigned i = 0; i < 64; i++)
            ((uint32_t *)exec_warp_register(w, t.r, k))[i] = 1000 * k + i;
    exec_run(w, all64, all64, 0);
    uint32_t *r0 = exec_warp_register(w, t.r, 0);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(r0[i], i <= 3 ? 1000 * (8 + 2 * i) + i : 0);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 32 + 2 * k))[i],
                             i == k + 1 ? i : 1000 * (32 + 2 * k) + i);
    }
    assert_int_equal(exec_warp_counts(w)->bad_access, 60 + 60);
    exec_warp_free(w);
    finish(&t);
}

static void memory_is_bounded_and_helpers_write_nothing(void **state)
{
    (void)state;
    struct bench t = start(64);
    unsigned s = ir_add_space(t.p, (struct ir_space){.name = "g", .kind = IR_SPACE_GLOBAL});
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_value at = ir_op2(&t.b, IR_MUL, 0, id, ir_const_i32(&t.b, 4));
    struct ir_mem m = {.space = (uint16_t)s, .elem = IR_I32, .count = 1};
    ir_value v = ir_load(&t.b, m, IR_I32, at);
    v = ir_op2(&t.b, IR_ADD, 0, v, ir_const_i32(&t.b, 5));
    ir_store(&t.b, m, at, &v, 0);
    ir_value args[] = {ir_const_i32(&t.b, 0), ir_const_i32(&t.b, 3)};
    m.offset = 128;
    uint32_t desc = t.p->nmems;
    ir_load(&t.b, m, IR_I32, args[0]);
    ir_value old = ir_emit(&t.b, IR_ATOMIC, IR_I32, 0, 1, args, 2, desc, IR_ATOMIC_ADD, 0);
    ir_set(&t.b, t.r, 0, old, 0);
    ir_end(&t.b);
    t.p->files[t.r].preserved = true;
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    uint32_t memory[40] = {0};
    struct exec_env env = {.space[0] = {(uint8_t *)memory, sizeof memory}};
    exec_bind(w, &env);
    exec_run(w, all64, 0xffff, 0);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(memory[i], i == 32 ? 16 * 3 : i < 16 ? 5 : 0);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 0))[i], 3 * i);
    /* 24 lanes load past the end; stores past the end are all by helpers */
    assert_int_equal(exec_warp_counts(w)->bad_access, 24);
    exec_warp_free(w);
    finish(&t);
}

static void across_lanes(void **state)
{
    (void)state;
    struct bench t = start(64);
    t.p->files[t.r].preserved = true;
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    for (unsigned k = 0; k < 4; k++) {
        ir_set(&t.b, t.r, k, ir_emit(&t.b, IR_QUAD_LANE, IR_I32, 0, 1, &id, 1, 0, k, 0), 0);
        ir_set(&t.b, t.r, 4 + k, ir_emit(&t.b, IR_QUAD_XOR, IR_I32, 0, 1, &id, 1, 0, k, 0), 0);
    }
    ir_value big = ir_op2(&t.b, IR_LT_U, 0, ir_const_i32(&t.b, 40), id);
    ir_value bits = ir_emit(&t.b, IR_BALLOT, IR_I64, 0, 1, &big, 1, 0, 0, 0);
    ir_set(&t.b, t.r, 8, ir_cvt(&t.b, IR_LO32, IR_I32, 0, bits), 0);
    ir_set(&t.b, t.r, 9, ir_cvt(&t.b, IR_HI32, IR_I32, 0, bits), 0);
    ir_set(&t.b, t.r, 10, ir_emit(&t.b, IR_FIRST, IR_I32, 0, 1, &id, 1, 0, 0, 0), 0);
    ir_set(&t.b, t.r, 11, ir_emit(&t.b, IR_REDUCE, IR_I32, 0, 1, &id, 1, 0, IR_ADD, 0), 0);
    ir_value sh[] = {id, ir_op2(&t.b, IR_SUB, 0, ir_const_i32(&t.b, 62), id)};
    ir_set(&t.b, t.r, 12, ir_emit(&t.b, IR_SHUFFLE, IR_I32, 0, 1, sh, 2, 0, 0, 0), 0);
    ir_end(&t.b);
    lane_mask m = 0xfffffffffffffff8u;
    for (int level = 0; level < EXEC_LEVELS; level++) {
        if (!exec_level_usable((enum exec_level)level))
            continue;
        struct exec_warp *w = exec_warp_new(compile(&t, (enum exec_level)level, false));
        struct exec_env env = {0};
        exec_bind(w, &env);
        exec_run(w, m, m, 0);
        for (unsigned i = 4; i < 64; i++) {
            for (unsigned k = 0; k < 4; k++) {
                assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, k))[i], (i & ~3u) + k);
                assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 4 + k))[i], i ^ k);
            }
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 8))[i], 0);
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 9))[i], 0xfffffe00);
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 10))[i], 3);
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 11))[i], 2016 - 3);
            assert_int_equal(((uint32_t *)exec_warp_register(w, t.r, 12))[i], i == 63 ? 0 : 62 - i);
        }
        exec_warp_free(w);
    }
    finish(&t);
}

static void endless_loops_end(void **state)
{
    (void)state;
    struct bench t = start(64);
    ir_goto(&t.b, IR_ENTRY);
    struct ir_insn insn = {0};
    t.p->insns = &insn;
    t.p->ninsns = 1;
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    struct exec_env env = {0};
    exec_bind(w, &env);
    assert_int_equal(exec_run(w, all64, all64, 1000), EXEC_OUT_OF_BUDGET);
    assert_int_equal(exec_warp_counts(w)->insns, 1000);
    exec_warp_free(w);
    finish(&t);
}

static void stops(void **state)
{
    (void)state;
    struct bench t = start(16);
    uint32_t second = ir_new_block(t.p);
    ir_emit(&t.b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, second, 5, 0);
    t.b.block = second;
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_value bad = ir_op2(&t.b, IR_EQ, 0, id, ir_const_i32(&t.b, 9));
    ir_emit(&t.b, IR_CHECK, IR_VOID, 0, 0, &bad, 1, 0, 77, 0);
    ir_end(&t.b);
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    struct exec_env env = {0};
    exec_bind(w, &env);
    assert_int_equal(exec_run(w, 0xff, 0xff, 0), EXEC_AT_BARRIER);
    assert_int_equal(exec_warp_barrier(w), 5);
    assert_int_equal(exec_resume(w), EXEC_DONE);
    assert_int_equal(exec_run(w, 0xffff, 0xffff, 0), EXEC_AT_BARRIER);
    assert_int_equal(exec_resume(w), EXEC_FAULT);
    assert_int_equal(exec_warp_fault_code(w), 77);
    exec_warp_free(w);
    finish(&t);
}

static void discards_make_helpers(void **state)
{
    (void)state;
    struct bench t = start(64);
    ir_value id = ir_emit(&t.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    ir_value low = ir_op2(&t.b, IR_LT_U, 0, id, ir_const_i32(&t.b, 10));
    ir_emit(&t.b, IR_DISCARD, IR_VOID, 0, 0, &low, 1, 0, 0, 0);
    ir_value v = ir_cvt(&t.b, IR_BITCAST, IR_F32, 0, id);
    ir_emit(&t.b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, 0, 1, 0);
    ir_end(&t.b);
    ir_add_output(t.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    _Alignas(64) uint32_t out[64] = {0};
    void *outs[4] = {NULL, out, NULL, NULL};
    struct exec_env env = {.output = outs};
    exec_bind(w, &env);
    exec_run(w, all64, 0x1fff, 0);
    assert_int_equal(exec_live(w), 0x1c00);
    assert_int_equal(exec_warp_counts(w)->discarded, 10);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(out[i], i);
    exec_warp_free(w);
    finish(&t);
}

static void planes(void **state)
{
    (void)state;
    struct bench t = start(64);
    t.p->files[t.r].preserved = true;
    t.p->stage = IR_FRAGMENT;
    ir_add_input(t.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_PERSPECTIVE, .mask = 15});
    for (unsigned mode = 0; mode < 3; mode++)
        ir_set(&t.b, t.r, mode, ir_emit(&t.b, IR_INTERP, IR_F32, mode, 1, NULL, 0, 0, mode, 0), 0);
    ir_end(&t.b);
    struct exec_warp *w = exec_warp_new(compile(&t, exec_best_level(), false));
    struct exec_plane p[4] = {{3, 9, 9}, {0.25f, 0.5f, 0.125f}, {0.3f, 0.01f, 0.02f}};
    struct exec_env env = {.plane = p, .w_plane = {0.5f, 0.01f, 0.03f}, .x = 16, .y = 8};
    exec_bind(w, &env);
    exec_run(w, all64, all64, 0);
    const float *r[3];
    for (unsigned k = 0; k < 3; k++)
        r[k] = exec_warp_register(w, t.r, k);
    for (int i = 0; i < 64; i++) {
        float x = (float)(16 + i / 4 % 4 * 2 + i % 2), y = (float)(8 + i / 16 * 2 + i / 2 % 2);
        assert_true(r[0][i] == 3);
        assert_true(r[1][i] == (0.25f + 0.5f * x) + 0.125f * y);
        assert_true(r[2][i] == ((0.3f + 0.01f * x) + 0.02f * y) * (1.0f / ((0.5f + 0.01f * x) + 0.03f * y)));
    }
    exec_warp_free(w);
    finish(&t);
}

/* ---- random programs: every level, masked or not, with the same bits ---- */

struct pool {
    ir_value v[IR_TYPES][64];
    unsigned n[IR_TYPES];
};

static ir_value pick(struct test_rng *r, struct pool *p, enum ir_type t)
{
    return p->v[t][test_next(r) % p->n[t]];
}

static void keep(struct pool *p, enum ir_type t, ir_value v)
{
    if (p->n[t] < 64)
        p->v[t][p->n[t]++] = v;
}

static void random_program(struct bench *t, struct test_rng *r)
{
    static const uint16_t ints[] = {IR_ADD,   IR_SUB,   IR_MUL,   IR_MULHI_S, IR_MULHI_U, IR_DIV_S, IR_DIV_U, IR_REM_S,
                                    IR_REM_U, IR_MIN_S, IR_MAX_S, IR_MIN_U,   IR_MAX_U,   IR_AND,   IR_OR,    IR_XOR};
    static const uint16_t unary[] = {IR_NEG, IR_ABS, IR_NOT, IR_POPCOUNT, IR_CLZ, IR_CTZ, IR_BITREV};
    static const uint16_t compare[] = {IR_EQ, IR_NE, IR_LT_S, IR_LE_S, IR_LT_U, IR_LE_U};
    static const uint16_t floats[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FMIN, IR_FMAX};
    static const uint16_t funary[] = {IR_FNEG, IR_FABS, IR_FSAT, IR_FSQRT, IR_FRINT, IR_FREXP_MANT};
    static const uint16_t fcompare[] = {IR_FEQ, IR_FNE, IR_FLT, IR_FLE, IR_FUNORD};
    static const uint16_t functions[] = {IR_FEXP2, IR_FLOG2, IR_FSIN, IR_FCOS};
    static const enum ir_type itypes[] = {IR_I32, IR_I32, IR_I64}, ftypes[] = {IR_F32, IR_F32, IR_F64};
    struct ir_builder *b = &t->b;
    struct pool p = {0};
#define PICK(list) list[test_next(r) % (sizeof list / sizeof list[0])]
    keep(&p, IR_I1, ir_const(b, IR_I1, 1));
    keep(&p, IR_I32, ir_const_i32(b, test_next(r)));
    keep(&p, IR_I32, ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0));
    keep(&p, IR_I64, ir_const(b, IR_I64, test_next64(r)));
    keep(&p, IR_F32, ir_const_f32(b, 1.5f));
    keep(&p, IR_F64, ir_const(b, IR_F64, f64_bits(2.25)));
    for (unsigned i = 0; i < 8; i++) {
        keep(&p, IR_I32, ir_get(b, t->r, i, IR_I32));
        keep(&p, IR_F32, ir_get(b, t->r, i, IR_F32));
    }
    for (int n = 0; n < 60; n++) {
        enum ir_type it = PICK(itypes), ft = PICK(ftypes);
        switch (test_next(r) % 14) {
        case 0:
        case 1:
            keep(&p, it, ir_op2(b, (enum ir_opcode)PICK(ints), 0, pick(r, &p, it), pick(r, &p, it)));
            break;
        case 2:
            keep(&p, it, ir_op1(b, (enum ir_opcode)PICK(unary), 0, pick(r, &p, it)));
            break;
        case 3:
            keep(&p, IR_I1, ir_op2(b, (enum ir_opcode)PICK(compare), 0, pick(r, &p, it), pick(r, &p, it)));
            break;
        case 4:
        case 5:
            keep(&p, ft, ir_op2(b, (enum ir_opcode)PICK(floats), 0, pick(r, &p, ft), pick(r, &p, ft)));
            break;
        case 6:
            keep(&p, ft, ir_op1(b, (enum ir_opcode)PICK(funary), 0, pick(r, &p, ft)));
            break;
        case 7:
            keep(&p, IR_I1, ir_op2(b, (enum ir_opcode)PICK(fcompare), 0, pick(r, &p, ft), pick(r, &p, ft)));
            break;
        case 8:
            keep(&p, IR_F32, ir_op1(b, (enum ir_opcode)PICK(functions), 0, pick(r, &p, IR_F32)));
            break;
        case 9:
            keep(&p, it, ir_select(b, pick(r, &p, IR_I1), pick(r, &p, it), pick(r, &p, it)));
            break;
        case 10:
            keep(&p, ft, ir_cvt(b, IR_S2F, ft, 0, pick(r, &p, IR_I32)));
            keep(&p, IR_I32, ir_cvt(b, IR_F2S, IR_I32, IR_RTZ, pick(r, &p, ft)));
            keep(&p, IR_I32, ir_cvt(b, IR_F2U, IR_I32, IR_RTZ, pick(r, &p, ft)));
            break;
        case 11:
            keep(&p, IR_I64, ir_cvt2(b, IR_PACK64, IR_I64, 0, pick(r, &p, IR_I32), pick(r, &p, IR_I32)));
            keep(&p, IR_I32, ir_cvt(b, IR_HI32, IR_I32, 0, pick(r, &p, IR_I64)));
            break;
        default: {
            unsigned reg = test_next(r) % 8;
            bool isf = test_next(r) & 1;
            ir_set(b, t->r, reg, pick(r, &p, isf ? IR_F32 : IR_I32), test_next(r) % 4 ? 0 : pick(r, &p, IR_I1));
            keep(&p, isf ? IR_F32 : IR_I32, ir_get(b, t->r, test_next(r) % 8, isf ? IR_F32 : IR_I32));
            break;
        }
        }
    }
#undef PICK
    ir_end(b);
}

/* NaN payloads are no part of what must agree. */
static uint32_t canon(uint32_t v)
{
    return (v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v;
}

static void levels_and_forms_agree(void **state)
{
    (void)state;
    struct test_rng r = test_seed("levels_and_forms_agree");
    unsigned compared = 0, tried = 0;
    for (int n = 0; n < 150; n++) {
        struct bench t = start(n % 3 == 0 ? 64 : n % 3 == 1 ? 32 : 16);
        t.p->files[t.r].preserved = true;
        random_program(&t, &r);
        uint32_t seeds[8][64], want[8][64];
        for (unsigned k = 0; k < 8; k++)
            for (unsigned i = 0; i < 64; i++)
                seeds[k][i] =
                    test_next(&r) & 1 ? f32_bits((float)((int)(test_next(&r) % 2001) - 1000) / 8.0f) : test_next(&r);
        lane_mask m = n & 1 ? test_next64(&r) | 1 : all64;
        bool first = true, optimised = false;
        for (int pass = 0; pass < 2; pass++) {
            for (int level = 0; level < EXEC_LEVELS; level++) {
                for (int no_full = 0; no_full < 2; no_full++) {
                    if (!exec_level_usable((enum exec_level)level) || test_left_out(&tried, 11)) /* of twelve */
                        continue;
                    struct exec_warp *w = exec_warp_new(compile(&t, (enum exec_level)level, no_full));
                    struct exec_env env = {0};
                    exec_bind(w, &env);
                    for (unsigned k = 0; k < 8; k++)
                        memcpy(exec_warp_register(w, t.r, k), seeds[k], 4u * t.p->lanes);
                    exec_run(w, m, m, 0);
                    for (unsigned k = 0; k < 8; k++)
                        for (unsigned i = 0; i < t.p->lanes; i++) {
                            uint32_t v = ((uint32_t *)exec_warp_register(w, t.r, k))[i];
                            if (first)
                                want[k][i] = v;
                            else if (canon(v) != canon(want[k][i]))
                                fail_msg("program %d, level %d, masked %d, optimised %d: r%u lane %u is %08x, was %08x",
                                         n, level, no_full, optimised, k, i, v, want[k][i]);
                            compared++;
                        }
                    first = false;
                    exec_warp_free(w);
                }
            }
            ir_optimise(t.p);
            optimised = true;
        }
        finish(&t);
    }
    assert_true(compared > (tried ? 10000 / test_share() : 10000)); /* none is left out by the interpreter */
}

/* What no engine executes is named: the op with its type, and the line of the program. */
static void what_is_not_executed_is_named(void **state)
{
#define PROGRAM                                                                                                        \
    "ir test compute lanes 16\nfile r bits 32 count 8\nfile u bits 32 count 8 uniform\n"                               \
    "space g global bounds zero slot 0 size 0\ninsn addr 0x0 line 1 row 0\ninsn addr 0x4 line 7 row 0\n"               \
    "block 0\nblock 1\n @1\n"
    static const struct {
        const char *line, *says;
    } cases[] = {
        {" %1 = f32 get r[0]\n %2 = i8 f2s.x86 %1\n set r[4]+8:i8, %2\n end\n", "'f2s.i8' with these attributes"},
        {" %1 = i64 get r[0]\n $2 = i64 reduce add, %1\n set u[4]:i64, $2\n end\n", "'reduce.i64'"},
        {" %1 = f32 get r[0]\n $2 = f32 reduce fmul, %1\n set u[4], $2\n end\n", "'reduce.f32'"},
        {" %1 = f16 get r[0]\n $2 = f16 reduce fadd, %1\n set u[4]:f16, $2\n end\n", "'reduce.f16'"},
        {" %1 = i64 get r[0]\n %2 = i64 quad_lane 1, %1\n set r[4]:i64, %2\n end\n", "'quad_lane.i64' of 64 bits"},
        {" %1 = i32 get r[2]\n %2 = i64 get r[0]\n %3 = i64 shuffle %2, %1\n set r[4]:i64, %3\n end\n",
         "'shuffle.i64' of 64 bits"},
        {" control 1 0x0 [b1 b1]\n", "'control.void' without a policy"},
        {" $1 = i1 const 1\n control 1 0x0 [b1], $1\n", "'control.void' without a policy"},
    };
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        struct arena a = {0};
        struct ir_program *p = NULL;
        struct exec_program *x = NULL;
        weft_diags *d = weft_diags_new();
        struct exec_options o = {.level = exec_best_level()};
        int n = snprintf(text, sizeof text, "%s%s", PROGRAM, cases[i].line);
        struct source src = {"test.ir", text, (size_t)n};
        if (ir_parse(&src, &a, &p, d) != WEFT_OK || ir_verify(p, d) != WEFT_OK)
            fail_msg("%s%s", cases[i].line, weft_diags_get(d, 0)->message);
        weft_status status = exec_compile(p, &o, &a, &x, d);
        const char *said = weft_diags_count(d) ? weft_diags_get(d, 0)->message : "";
        if (status != WEFT_ERROR_UNSUPPORTED || x || !strstr(said, cases[i].says) || !strstr(said, "line 7"))
            print_error("%s%s: %s\n", cases[i].line, weft_status_name(status), said);
        wrong += status != WEFT_ERROR_UNSUPPORTED || x || !strstr(said, cases[i].says) || !strstr(said, "line 7");
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

/* Of the instruction of the op that stopped it, which may be another than the block's first and that of the op before.
 */
static void where_a_warp_stops(void **state)
{
    static const struct {
        const char *line;
        enum exec_stop stop;
    } cases[] = {{" end\n", EXEC_DONE},
                 {" barrier b2 0x3\n", EXEC_AT_BARRIER},
                 {" trap 5\n", EXEC_FAULT},
                 {" $9 = i32 const 64\n jump $9\n", EXEC_NO_BLOCK}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned partial = 0; partial < 2; partial++) {
            char text[1000];
            struct arena a = {0};
            struct ir_program *p = NULL;
            struct exec_program *x = NULL;
            weft_diags *d = weft_diags_new();
            int n =
                snprintf(text, sizeof text,
                         "%s %%1 = i32 get r[0]\n %%2 = i32 add %%1, %%1\n set r[1], %%2\n @0\n set r[2], %%2\n @1\n%s"
                         "block 2\n @0\n end\n",
                         PROGRAM, cases[i].line);
            struct source src = {"test.ir", text, (size_t)n};
            struct exec_options o = {.level = exec_best_level()};
            if (ir_parse(&src, &a, &p, d) != WEFT_OK || ir_verify(p, d) != WEFT_OK ||
                exec_compile(p, &o, &a, &x, d) != WEFT_OK)
                fail_msg("%s%s", cases[i].line, weft_diags_get(d, 0)->message);
            struct exec_warp *w = exec_warp_new(x);
            assert_int_equal(exec_bind(w, &(struct exec_env){0}), WEFT_OK);
            assert_int_equal(exec_run(w, partial ? 0x7 : 0xffff, 0xffff, 0), cases[i].stop);
            assert_int_equal(exec_warp_insn(w), 1);
            exec_warp_free(w);
            weft_diags_free(d);
            arena_free(&a);
        }
}

TEST_MAIN(TEST(where_a_warp_stops), TEST(what_is_not_executed_is_named), TEST(writes_go_to_active_lanes),
          TEST(registers_start_at_zero), TEST(swaps), TEST(parts_and_pairs),
          TEST(indexed_registers_are_bounded_and_counted), TEST(memory_is_bounded_and_helpers_write_nothing),
          TEST(across_lanes), TEST(endless_loops_end), TEST(stops), TEST(discards_make_helpers), TEST(planes),
          TEST(levels_and_forms_agree))
