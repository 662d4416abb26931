/* test_run.c - what takes more than one instruction or lane: CLPER and WMASK, divergence, and strict programs, whose
 * results of messages are poison until they are waited for. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"
#include "program.h"

enum { LANES = 16 };

struct machine {
    struct program p;
    struct arena arena;
    struct exec_warp *warp;
};

/* A compute program whose registers stay after its end. It is not checked: what the checker would refuse is tried too. */
static struct machine machine_new(const char *text, bool strict)
{
    struct machine m = {.p = program_parse(text)};
    struct ir_program *ir;
    struct exec_program *code;
    if (m.p.status != WEFT_OK)
        fail_msg("%s", program_messages(&m.p));
    m.p.m->stage = IR_COMPUTE;
    m.p.m->strict = strict;
    if (valhall_lift(m.p.m, &m.p.src, &m.arena, &ir, m.p.diags) != WEFT_OK || ir_verify(ir, m.p.diags) != WEFT_OK)
        fail_msg("%s", program_messages(&m.p));
    ir->files[0].preserved = true;
    const struct exec_options options = {.level = exec_best_level()};
    assert_int_equal(exec_compile(ir, &options, &m.arena, &code, m.p.diags), WEFT_OK);
    m.warp = exec_warp_new(code);
    return m;
}

static void machine_free(struct machine *m)
{
    exec_warp_free(m->warp);
    arena_free(&m->arena);
    program_free(&m->p);
}

static uint32_t *row_of(struct machine *m, unsigned n)
{
    return exec_warp_register(m->warp, 0, n);
}

static enum exec_stop run(struct machine *m, lane_mask lanes)
{
    struct exec_env env = {0};
    assert_int_equal(exec_bind(m->warp, &env), WEFT_OK);
    return exec_run(m->warp, lanes, lanes, 100000);
}

/* r0 is 100 + lane, r1 and r2 what the test puts there; r8 of each lane is as wanted. */
static void permutes(const char *insn, uint32_t by, lane_mask lanes, const uint32_t *wanted)
{
    struct machine m = machine_new(insn, false);
    for (unsigned lane = 0; lane < LANES; lane++) {
        row_of(&m, 0)[lane] = 100 + lane;
        row_of(&m, 2)[lane] = by;
    }
    assert_int_equal(run(&m, lanes), EXEC_DONE);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1 && row_of(&m, 8)[lane] != wanted[lane])
            fail_msg("%s, lane %u: %u, not %u", insn, lane, row_of(&m, 8)[lane], wanted[lane]);
    machine_free(&m);
}

static void lanes_permute(void **state)
{
    uint32_t want[LANES];
    (void)state;
    for (unsigned size = 2; size <= 16; size *= 2)
        for (uint32_t by = 0; by < 16; by++) {
            char text[96];
            const char *const modes[] = {"", ".xor", ".shift", ".accumulate"};
            for (unsigned mode = 0; mode < 4; mode++) {
                for (unsigned lane = 0; lane < LANES; lane++) {
                    unsigned base = lane / size * size, in = by % size, other = base + in;
                    bool there = true;
                    if (mode == 1)
                        other = lane ^ in;
                    if (mode == 2) {
                        other = lane + by;
                        there = other < base + size;
                    }
                    if (mode == 3) { /* steps of a prefix sum: powers of two */
                        there = in && !(in & (in - 1)) && (lane & in);
                        other = there ? (lane & ~(2 * in - 1)) + in - 1 : 0;
                    }
                    want[lane] = there ? 100 + other : 0x80000000;
                }
                if (mode == 3 && (by % size == 0 || (by % size & (by % size - 1))))
                    continue;
                char group[16] = "";
                if (size < 16)
                    snprintf(group, sizeof group, ".subgroup%u", size);
                snprintf(text, sizeof text, "CLPER.i32%s%s.smin r8, r0, r2\n", group, modes[mode]);
                permutes(text, by, 0xffff, want);
            }
        }
}

static void inactive_lanes_give_the_inactive_result(void **state)
{
    uint32_t want[LANES];
    (void)state;
    for (unsigned lane = 0; lane < LANES; lane++)
        want[lane] = 100 + (lane ^ 1);
    permutes("CLPER.i32.xor.f1 r8, r0, r2\n", 1, 0x00ff, want);
    for (unsigned lane = 0; lane < LANES; lane++)
        want[lane] = 0x3f800000;
    permutes("CLPER.i32.xor.f1 r8, r0, r2\n", 8, 0x00ff, want);
}

static void masks_count_all_lanes_of_the_warp(void **state)
{
    uint32_t want[LANES];
    (void)state;
    for (unsigned lane = 0; lane < LANES; lane++)
        want[lane] = 0x0fff;
    permutes("WMASK r8, r0\n", 0, 0x0fff, want);
    for (unsigned lane = 0; lane < LANES; lane++)
        want[lane] = lane < 8 ? 0xf : 0x3;
    permutes("WMASK.subgroup4 r8, r0\n", 0, 0x03ff, want);
}

/* Lanes count down from their number; each leaves the loop on its own and all meet behind it. */
static void lanes_part_and_meet(void **state)
{
    struct machine m = machine_new("MOV.i32 r1, lane_id.w0\n"
                                   "MOV.i32.reconverge r8, 0x0\n"
                                   "BRANCHZ.eq.reconverge r1, offset:3\n"
                                   "IADD_IMM.i32 r8, r8, #0x2\n"
                                   "IADD_IMM.i32 r1, r1, #0xFFFFFFFF\n"
                                   "BRANCHZ.eq.reconverge 0x0, offset:-4\n"
                                   "WMASK r9, r8\n"
                                   "MOV.i32 r10, 0xFFFFFFFF\n"
                                   "CLPER.i32.xor r10, r8, 0x3020100.b1\n"
                                   "NOP.end\n", false);
    (void)state;
    assert_int_equal(run(&m, 0xffff), EXEC_DONE);
    for (unsigned lane = 0; lane < LANES; lane++) {
        assert_int_equal(row_of(&m, 8)[lane], 2 * lane);
        assert_int_equal(row_of(&m, 9)[lane], 0xfffe);
        assert_int_equal(row_of(&m, 10)[lane], 2 * (lane ^ 1)); /* the neighbour is active again */
    }
    machine_free(&m);
}

/* BRANCHZ in all its ways of looking at a register. */
static void branches_look_at_halves(void **state)
{
    static const struct {
        const char *how;
        uint32_t value;
        bool nonzero;
    } cases[] = {
        {"", 0, false},          {"", 0x10000, true},     {".h0", 0x10000, false},     {".h0", 1, true},
        {".h1", 1, false},       {".h1", 0x10000, true},  {".and", 1, false},          {".and", 0x10001, true},
        {".lowbits", 2, false},  {".lowbits", 1, true},   {".lowbits", 0x10000, true}, {".lowbits", 0xfffefffe, false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned eq = 0; eq < 2; eq++) {
            char text[160];
            snprintf(text, sizeof text, "BRANCHZ%s.reconverge r0%s, offset:2\nMOV.i32 r8, 0xFFFFFFFF\nNOP.end\nMOV.i32.end r8, 0x0\n",
                     eq ? ".eq" : "", cases[i].how);
            struct machine m = machine_new(text, false);
            for (unsigned lane = 0; lane < LANES; lane++)
                row_of(&m, 0)[lane] = cases[i].value;
            assert_int_equal(run(&m, 0xffff), EXEC_DONE);
            assert_int_equal(row_of(&m, 8)[3], cases[i].nonzero != eq ? 0 : 0xffffffff);
            machine_free(&m);
        }
}

static void results_are_poison_until_waited_for(void **state)
{
    static const struct {
        const char *text;
        bool faults;
    } programs[] = {
        {"LOAD.i32.slot0 @r8, r0, offset:0\nMOV.i32 r9, r8\n", true},
        {"LOAD.i32.slot0.wait0 @r8, r0, offset:0\nMOV.i32 r9, r8\n", false},
        {"LOAD.i32.slot0.wait1 @r8, r0, offset:0\nMOV.i32 r9, r8\n", true},
        {"LOAD.i32.slot1 @r8, r0, offset:0\nNOP.wait01\nMOV.i32 r9, r8\n", false},
        {"LOAD.i32.slot2 @r8, r0, offset:0\nNOP.wait01\nMOV.i32 r9, r8\n", true},
        {"LOAD.i32.slot2 @r8, r0, offset:0\nMOV.i32 r9, r10\n", false},
        {"LOAD.i64.slot2 @r8:r9, r0, offset:0\nIADD.u32 r12, r2, r9\n", true},
        {"LOAD.i32.slot0 @r8, r0, offset:0\nSTORE.i32.slot1 @r8, r0, offset:0\n", true},
        {"LOAD.i32.slot0 @r8, r0, offset:0\nBRANCHZ.reconverge lane_id.w0, offset:1\nNOP.wait0\nMOV.i32 r9, r8\n", true},
        {"ATOM_RETURN.i32.slot0.aadd @r8, @r2, r0, offset:0x0\nMOV.i32 r9, r8\n", true},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int strict = 0; strict < 2; strict++) {
            struct machine m = machine_new(programs[i].text, strict);
            enum exec_stop stop = run(&m, 0xffff);
            if (stop != (strict && programs[i].faults ? EXEC_FAULT : EXEC_DONE))
                fail_msg("%s, strict %d: stopped with %d", programs[i].text, strict, stop);
            if (stop == EXEC_FAULT)
                assert_int_equal(exec_warp_fault_code(m.warp), VALHALL_FAULT_POISON);
            machine_free(&m);
        }
}

TEST_MAIN(TEST(lanes_permute), TEST(inactive_lanes_give_the_inactive_result), TEST(masks_count_all_lanes_of_the_warp),
          TEST(lanes_part_and_meet), TEST(branches_look_at_halves), TEST(results_are_poison_until_waited_for))
