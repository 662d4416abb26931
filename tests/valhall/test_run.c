/* test_run.c - what takes more than one instruction or lane: CLPER and WMASK, divergence, and strict programs, whose
 * results of messages are poison until they are waited for. */
#include "exec/exec.h"
#include "isa/valhall/lift.h"
#include "program.h"

#include <math.h>

enum { LANES = 16 };

struct machine {
    struct program p;
    struct arena *arena; /* does not move: the engine keeps where it is */
    struct exec_warp *warp;
};

/* A program whose registers stay after its end. It is not checked: what the checker would refuse is tried too. */
static struct machine machine_of_stage(const char *text, bool strict, enum ir_stage stage)
{
    struct machine m = {.p = program_parse(text), .arena = calloc(1, sizeof *m.arena)};
    struct ir_program *ir;
    struct exec_program *code;
    assert_non_null(m.arena);
    if (m.p.status != WEFT_OK)
        fail_msg("%s", program_messages(&m.p));
    m.p.m->stage = stage;
    m.p.m->strict = strict;
    if (valhall_lift(m.p.m, &m.p.src, m.arena, &ir, m.p.diags) != WEFT_OK || ir_verify(ir, m.p.diags) != WEFT_OK)
        fail_msg("%s", program_messages(&m.p));
    ir->files[0].preserved = true;
    const struct exec_options options = {.level = exec_best_level()};
    assert_int_equal(exec_compile(ir, &options, m.arena, &code, m.p.diags), WEFT_OK);
    m.warp = exec_warp_new(code);
    return m;
}

static struct machine machine_new(const char *text, bool strict)
{
    return machine_of_stage(text, strict, IR_COMPUTE);
}

static void machine_free(struct machine *m)
{
    exec_warp_free(m->warp);
    arena_free(m->arena);
    free(m->arena);
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
                    bool there = by < size;
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

/* Lanes count down from their number; each leaves the loop on its own and all meet after it. */
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
            snprintf(text, sizeof text,
                     "BRANCHZ%s.reconverge r0%s, offset:2\nMOV.i32 r8, 0xFFFFFFFF\nNOP.end\nMOV.i32.end r8, 0x0\n",
                     eq ? ".eq" : "", cases[i].how);
            struct machine m = machine_new(text, false);
            for (unsigned lane = 0; lane < LANES; lane++)
                row_of(&m, 0)[lane] = cases[i].value;
            assert_int_equal(run(&m, 0xffff), EXEC_DONE);
            assert_int_equal(row_of(&m, 8)[3], cases[i].nonzero != eq ? 0 : 0xffffffff);
            machine_free(&m);
        }
}

/* ---- branches and discards on random values ---- */

static uint64_t random_state = 20250117;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Zero, one and what is zero in a half, in the low bits or for floats, among anything. */
static uint32_t random_value(void)
{
    static const uint32_t corners[] = {0,          1,          0x10000,    0x10001,    0xfffe,     0xfffe0000,
                                       0xfffefffe, 0x80000000, 0x80008000, 0x3f800000, 0x3c003c00, 0x7fc00000,
                                       0x7e007e00, 0xff800000, 0xfc007c00, 0xffffffff};
    uint32_t r = random_bits();
    return r & 1 ? corners[r >> 1 & 15] : random_bits();
}

static bool is_taken(const char *how, uint32_t v, bool eq)
{
    bool low = v & 0xffff, high = v >> 16, nonzero = v != 0;
    if (strcmp(how, ".h0") == 0)
        nonzero = low;
    if (strcmp(how, ".h1") == 0)
        nonzero = high;
    if (strcmp(how, ".and") == 0)
        nonzero = low && high;
    if (strcmp(how, ".lowbits") == 0)
        nonzero = (v & 1) || (v >> 16 & 1);
    return nonzero != eq;
}

/* Lanes part at a branch with random values, absolute and relative ones to registers too, and each comes where it
 * should. */
static void lanes_branch_on_random_values(void **state)
{
    static const char *const hows[] = {"", ".h0", ".h1", ".and", ".lowbits"};
    static const char *const branches[] = {"BRANCHZ%s.reconverge r0%s, offset:2\n", "BRANCHZI%s.reconverge r0%s, r2\n",
                                           "BRANCHZI%s.absolute.reconverge r0%s, r2\n"};
    (void)state;
    for (unsigned i = 0; i < 5 * 2 * 3; i++) {
        const char *how = hows[i % 5];
        bool eq = i / 5 % 2;
        unsigned form = i / 10;
        char text[240], branch[80];
        snprintf(branch, sizeof branch, branches[form], eq ? ".eq" : "", how);
        snprintf(
            text, sizeof text,
            "%sIADD_IMM.i32 r8, 0x0, #0x1\nNOP.end\nIADD_IMM.i32.end r8, 0x0, #0x2\nIADD_IMM.i32.end r8, 0x0, #0x3\n",
            branch);
        struct machine m = machine_new(text, false);
        for (unsigned run_number = 0; run_number < 8; run_number++) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                row_of(&m, 0)[lane] = random_value();
                row_of(&m, 2)[lane] =
                    (random_bits() & 1 ? 8 : 0) + (form == 1 ? 16 : 24); /* bytes: to the third place or the fourth */
            }
            assert_int_equal(run(&m, 0xffff), EXEC_DONE);
            for (unsigned lane = 0; lane < LANES; lane++) {
                bool fourth = form && (row_of(&m, 2)[lane] & 8) != (form == 1 ? 0 : 8);
                uint32_t want = !is_taken(how, row_of(&m, 0)[lane], eq) ? 1 : fourth ? 3 : 2;
                if (row_of(&m, 8)[lane] != want)
                    fail_msg("%s of %08x, %x: %u, not %u", branch, row_of(&m, 0)[lane], row_of(&m, 2)[lane],
                             row_of(&m, 8)[lane], want);
            }
        }
        machine_free(&m);
    }
}

static float half_value(uint32_t h)
{
    uint32_t exponent = h >> 10 & 31, fraction = h & 0x3ff;
    double v = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? ldexp(1024 + fraction, (int)exponent - 25)
                              : ldexp(fraction, -24);
    return (float)(h & 0x8000 ? -v : v);
}

static float single_value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* DISCARD.f32 drops the lanes for which the comparison holds, and no others; its sources may be halves, negated,
 * absolute. */
static void fragments_are_discarded_by_comparison(void **state)
{
    static const char *const conditions[] = {"eq", "gt", "ge", "ne", "lt", "le", "gtlt", "total"};
    static const char *const ways[] = {"", ".neg", ".abs", ".neg.abs", ".h0", ".h1", ".neg.abs.h1"};
    (void)state;
    for (unsigned i = 0; i < 8 * 7; i++) {
        const char *how = ways[i / 8];
        char text[120];
        snprintf(text, sizeof text, "DISCARD.f32.%s r0%s, r2\nNOP.end\n", conditions[i % 8], how);
        struct machine m = machine_of_stage(text, false, IR_FRAGMENT);
        uint32_t want = 0;
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t v = row_of(&m, 0)[lane] = random_value();
            uint32_t w = row_of(&m, 2)[lane] = random_bits() & 1 ? v : random_value();
            float x = strstr(how, "h0")   ? half_value(v)
                      : strstr(how, "h1") ? half_value(v >> 16)
                                          : single_value(v),
                  y = single_value(w);
            x = strstr(how, "abs") ? fabsf(x) : x;
            x = strstr(how, "neg") ? -x : x;
            const bool holds[8] = {x == y, x > y,  x >= y,         x != y,
                                   x < y,  x <= y, x < y || x > y, !isnan(x) && !isnan(y)};
            want |= holds[i % 8] ? 0 : 1u << lane;
        }
        assert_int_equal(run(&m, 0xffff), EXEC_DONE);
        if ((exec_live(m.warp) & 0xffff) != want)
            fail_msg("%s: %04x live, not %04x", text, (unsigned)exec_live(m.warp), want);
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
        {"LOAD.i32.slot0 @r8, r0, offset:0\nBRANCHZ.reconverge lane_id.w0, offset:1\nNOP.wait0\nMOV.i32 r9, r8\n",
         true},
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
          TEST(lanes_part_and_meet), TEST(branches_look_at_halves), TEST(lanes_branch_on_random_values),
          TEST(fragments_are_discarded_by_comparison), TEST(results_are_poison_until_waited_for))
