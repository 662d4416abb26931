/* What the interpreter takes for a guest instruction of a scalar processor, and for ops with the attributes of shader
 * processors: programs of lane IR in loops, timed. Prints a table: name, nanoseconds, millions per second. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "exec/exec.h"
#include "ir/build.h"

enum { MEMORY = 1 << 20, R = 0, F = 1, V = 2, BUS = 0 };

struct loop {
    const char *name;
    unsigned lanes;
    unsigned insns; /* guest instructions, or ops, in one round */
    void (*body)(struct ir_builder *b);
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static ir_value reg(struct ir_builder *b, uint32_t n) { return ir_get(b, R, n, IR_I32); }

/* A word on the bus, checked for alignment as a guest with an alignment exception needs it. */
static ir_value aligned(struct ir_builder *b, ir_value address)
{
    ir_value low = ir_op2(b, IR_AND, 0, address, ir_const_i32(b, 3));
    ir_check(b, ir_op2(b, IR_NE, 0, low, ir_const_i32(b, 0)), 1);
    return address;
}

static void add_loop(struct ir_builder *b)
{
    for (unsigned k = 0; k < 8; k++)
        ir_set(b, R, 1 + k % 4, ir_op2(b, IR_ADD, 0, reg(b, 1 + k % 4), reg(b, 5)), 0);
}

/* What compiled C looks like: loads, stores, arithmetic, a comparison whose flags nobody reads but the branch. */
static void mixed_loop(struct ir_builder *b)
{
    struct ir_mem word = {.space = BUS, .elem = IR_I32, .count = 1};
    ir_value base = reg(b, 8), v = ir_load(b, word, IR_I32, aligned(b, base));
    ir_set(b, R, 1, v, 0);
    ir_set(b, R, 2, ir_op2(b, IR_ADD, 0, reg(b, 2), reg(b, 1)), 0);
    ir_set(b, R, 3, ir_op2(b, IR_SHL, 0, reg(b, 2), ir_const_i32(b, 3)), 0);
    ir_set(b, R, 3, ir_op2(b, IR_XOR, 0, reg(b, 3), reg(b, 4)), 0);
    ir_set(b, R, 4, ir_op2(b, IR_AND, 0, reg(b, 3), ir_const_i32(b, 0xffff)), 0);
    word.offset = 8;
    v = reg(b, 4);
    ir_store(b, word, aligned(b, reg(b, 8)), &v, 0);
    ir_set(b, R, 8, ir_op2(b, IR_AND, 0, ir_op2(b, IR_ADD, 0, reg(b, 8), ir_const_i32(b, 4)), ir_const_i32(b, 0x1ffc)),
           0);
    ir_set(b, R, 6, ir_op2(b, IR_MUL, 0, reg(b, 4), reg(b, 2)), 0);
}

/* A block of one instruction after the other: what branches cost. */
static void branch_loop(struct ir_builder *b)
{
    for (unsigned k = 0; k < 4; k++) {
        uint32_t next = ir_new_block(b->p);
        ir_set(b, R, 1, ir_op2(b, IR_ADD, 0, reg(b, 1), ir_const_i32(b, k)), 0);
        b->p->blocks[b->block].insns = 2;
        ir_branch(b, ir_op2(b, IR_LT_S, 0, reg(b, 1), reg(b, 5)), next, next);
        b->block = next;
    }
}

static void calls_loop(struct ir_builder *b)
{
    for (unsigned k = 0; k < 4; k++) {
        uint32_t next = ir_new_block(b->p);
        ir_value address = ir_op2(b, IR_ADD, 0, reg(b, 9), ir_const_i32(b, 0x1000 + 64 * k));
        ir_set(b, R, 10, address, 0);
        b->p->blocks[b->block].insns = 1;
        ir_emit(b, IR_JUMP, IR_VOID, 0, 0, &address, 1, 0, 0, 0);
        b->p->blocks[next].addr = 0x1000 + 64 * k;
        b->block = next;
    }
}

static void lane_ops(struct ir_builder *b, enum ir_opcode code, unsigned attr, enum ir_type type)
{
    for (uint32_t k = 0; k < 8; k++) {
        ir_value x = type == IR_F16 ? ir_get_part(b, F, k % 4, 0, IR_F16) : ir_get(b, F, k % 4, type);
        ir_value y = type == IR_F16 ? ir_get_part(b, F, 4 + k % 4, 16, IR_F16) : ir_get(b, F, 4 + k % 4, type);
        ir_value args[3] = {x, y, x};
        ir_value v = ir_emit(b, code, type, attr, 1, args, (unsigned)ir_op_info[code].args, 0, 0, 0);
        if (type == IR_F16)
            ir_set_part(b, F, 8 + k, 0, IR_F16, v, 0);
        else
            ir_set(b, F, 8 + k, v, 0);
    }
}

enum { TESLA = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON };

static void fadd_default(struct ir_builder *b) { lane_ops(b, IR_FADD, 0, IR_F32); }
static void fadd_tesla(struct ir_builder *b) { lane_ops(b, IR_FADD, TESLA, IR_F32); }
static void fadd_tesla_rtz(struct ir_builder *b) { lane_ops(b, IR_FADD, TESLA | IR_RTZ, IR_F32); }
static void fmul_tesla(struct ir_builder *b) { lane_ops(b, IR_FMUL, TESLA, IR_F32); }
static void fmul_tesla_rtz(struct ir_builder *b) { lane_ops(b, IR_FMUL, TESLA | IR_RTZ, IR_F32); }
static void ffma_flush(struct ir_builder *b) { lane_ops(b, IR_FFMA, IR_FLUSH_IN | IR_FLUSH_OUT, IR_F32); }
static void ffma_half(struct ir_builder *b) { lane_ops(b, IR_FFMA, 0, IR_F16); }
static void fadd_half(struct ir_builder *b) { lane_ops(b, IR_FADD, 0, IR_F16); }

/* 16 rows of one column of a register file of words, and back. */
static void columns(struct ir_builder *b)
{
    ir_value lane = ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    for (uint32_t k = 0; k < 4; k++) {
        struct ir_reg column = {.file = V, .shift = (uint8_t)(8 * k), .part = IR_I8, .stride = 1, .last = 63};
        ir_value row = ir_op2(b, IR_AND, 0, ir_op2(b, IR_ADD, 0, lane, ir_const_i32(b, 4 * k)), ir_const_i32(b, 63));
        ir_value v = ir_get_lane(b, column, row, ir_const_i32(b, k), IR_I8);
        ir_set_lane(b, column, row, ir_const_i32(b, k + 4), v, 0);
    }
}

static const struct loop loops[] = {
    {"scalar: adds", 16, 8, add_loop},
    {"scalar: loads, stores, arithmetic", 16, 9, mixed_loop},
    {"scalar: add, compare and branch", 16, 8, branch_loop},
    {"scalar: add, jump to an address", 16, 4, calls_loop},
    {"16 lanes: fadd", 16, 8, fadd_default},
    {"16 lanes: column to column", 16, 8, columns},
    {"16 lanes: fadd.f16 of parts", 16, 8, fadd_half},
    {"16 lanes: ffma.f16 of parts", 16, 8, ffma_half},
    {"32 lanes: fadd, flushed and canonical", 32, 8, fadd_tesla},
    {"32 lanes: fadd, the same, truncated", 32, 8, fadd_tesla_rtz},
    {"32 lanes: fmul, flushed and canonical", 32, 8, fmul_tesla},
    {"32 lanes: fmul, the same, truncated", 32, 8, fmul_tesla_rtz},
    {"32 lanes: ffma, flushed", 32, 8, ffma_flush},
};

static bool run(const struct loop *l, double seconds)
{
    static uint8_t memory[MEMORY];
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = ir_program_new(&a, "bench", IR_COMPUTE, l->lanes);
    p->precise = true;
    ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 32, .uniform = true, .preserved = true});
    ir_add_file(p, (struct ir_file){.name = "f", .bits = 32, .count = 32, .preserved = true});
    ir_add_file(p, (struct ir_file){.name = "v", .bits = 32, .count = 64, .preserved = true});
    ir_add_space(p, (struct ir_space){.name = "bus", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_TRAP});
    struct ir_builder b = {p, IR_ENTRY, 0};
    l->body(&b);
    ir_set(&b, R, 31, ir_op2(&b, IR_SUB, 0, reg(&b, 31), ir_const_i32(&b, 1)), 0);
    p->blocks[b.block].insns = 2;
    uint32_t end = ir_new_block(p);
    ir_branch(&b, ir_op2(&b, IR_NE, 0, reg(&b, 31), ir_const_i32(&b, 0)), IR_ENTRY, end);
    b.block = end;
    ir_end(&b);
    struct exec_program *x = NULL;
    struct exec_warp *w = NULL;
    bool ok =
        ir_verify(p, d) == WEFT_OK && exec_compile(p, NULL, &a, &x, d) == WEFT_OK && (w = exec_warp_new(x)) != NULL;
    if (!ok)
        fprintf(stderr, "%s: %s\n", l->name, weft_diags_count(d) ? weft_diags_get(d, 0)->message : "no memory");
    struct exec_range ranges[] = {{0, MEMORY, memory, false}, {0x7e000000, 4096, NULL, false}};
    struct exec_bus bus = {.ranges = ranges, .nranges = 2};
    struct exec_env env = {.bus = &bus};
    if (ok) {
        exec_bind(w, &env);
        uint32_t *r = exec_warp_register(w, R, 0);
        r[8] = 4096, r[5] = 1; /* the rest is 0 */
        double start = now(), best = 1e9;
        for (unsigned n = 0; now() - start < seconds || n < 3; n++) {
            const uint32_t rounds = 2000; /* less than a slice of time */
            r[31] = rounds;
            double t = now();
            lane_mask all = ((lane_mask)1 << l->lanes) - 1;
            ok &= exec_run(w, all, all, 0) == EXEC_DONE;
            t = (now() - t) / rounds;
            best = t < best ? t : best;
        }
        unsigned insns = l->insns + 2; /* the loop's own */
        printf("%-40s %8.2f ns %9.1f M/s%s\n", l->name, best * 1e9 / insns, insns / best * 1e-6, ok ? "" : " stopped");
    }
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
    return ok;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 0.2;
    bool ok = true;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++)
        ok &= run(&loops[k], seconds);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
