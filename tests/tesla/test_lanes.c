/* test_lanes.c - two warps run as one of 64 threads where no thread can tell: which programs do, and that they do the
 * same as two warps one after the other. */
#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/tesla/lift.h"
#include "lifted.h"

#define COUNT_DOWN "mov b32 $r4 0xffffffff\n    add b32 $c0 $r1 $r1 $r4\n"

static const struct {
    const char *name;
    unsigned lanes;
    const char *text;
} programs[] = {
    {"a straight line", 64, "    add b32 $r2 $r1 $r2\n    exit nop\n"},
    {"threads that leave a loop", 64,
     "    breakaddr #done\nloop:\n    add b32 $r2 $r2 $r1\n    " COUNT_DOWN "    (e $c0) break\n    bra #loop\ndone:\n"
     "    add b32 $r3 $r2 $r1\n    exit nop\n"},
    {"two ways that meet", 64,
     "    joinat #met\n    mov b32 $r4 0x1\n    and b32 $c0 $r3 $r1 $r4\n    (e $c0) bra #met\n    add b32 $r2 $r2 "
     "$r1\nmet:\n    join nop\n"
     "    add b32 $r3 $r2 $r1\n    exit nop\n"},
    {"a barrier where threads have parted", 32,
     "    mov b32 $r4 0x1\n    and b32 $c0 $r3 $r0 $r4\n    (e $c0) bra #met\n    add b32 $r2 $r2 $r1\nmet:\n    bar "
     "inc wait 0x0 all\n    exit nop\n"},
    {"a barrier in a loop of all threads", 64,
     "    mov b32 $r1 0x3\n    breakaddr #done\nloop:\n    add b32 $r2 $r2 $r1\n    bar inc wait 0x0 all\n   "
     " " COUNT_DOWN "    (e $c0) break\n    bra #loop\ndone:\n    exit nop\n"},
    {"a barrier that begins the program, and is met again by threads that have not left", 32,
     "loop:\n    bar inc wait 0x0 all\n    mov b32 $r4 0xffffffff\n    add b32 $c0 $r0 $r0 $r4\n    (lg $c0) bra "
     "#loop\n    exit nop\n"},
    {"a barrier that counts warps", 32, "    bar inc wait 0x0 0x2\n    exit nop\n"},
    {"the number of the thread", 32, "    mov $r1 $physid\n    exit nop\n"},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0], REGISTERS = 5 };

struct machine {
    struct arena arena;
    weft_diags *diags;
    struct ir_program *ir;
    struct exec_program *program;
};

static void lift(struct machine *m, const char *text, bool optimise)
{
    static const char linkage[] = "block 64\nregisters 10\n";
    *m = (struct machine){.diags = weft_diags_new()};
    m->ir = lifted(text, linkage, "g200", IR_COMPUTE, &m->arena, m->diags);
    if (optimise)
        ir_optimise(m->ir);
}

static void end(struct machine *m)
{
    weft_diags_free(m->diags);
    arena_free(&m->arena);
}

static void which_programs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct machine m;
        lift(&m, programs[i].text, false);
        if (m.ir->lanes != programs[i].lanes)
            fail_msg("%s: %u lanes, not %u", programs[i].name, m.ir->lanes, programs[i].lanes);
        end(&m);
    }
}

/* Run threads first to first + lanes - 1 of 64, of which the first 32 go round loops less often, as one warp. */
static void run(const char *text, bool optimise, unsigned first, unsigned lanes, uint64_t seed,
                uint32_t out[REGISTERS][64])
{
    struct machine m;
    lift(&m, text, optimise);
    m.ir->lanes = (uint16_t)lanes;
    struct exec_options options = {.level = exec_best_level()};
    assert_int_equal(exec_compile(m.ir, &options, &m.arena, &m.program, m.diags), WEFT_OK);
    struct exec_warp *w = exec_warp_new(m.program);
    struct test_rng r = {seed};
    lane_mask all = lanes == 64 ? UINT64_MAX : UINT32_MAX;
    struct exec_env env = {0};
    exec_bind(w, &env);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t r1 = test_next(&r) % (lane < 32 ? 4 : 12) + 1, r2 = test_next(&r);
        if (lane - first >= lanes)
            continue;
        ((uint32_t *)exec_warp_register(w, 0, 1))[lane - first] = r1;
        ((uint32_t *)exec_warp_register(w, 0, 2))[lane - first] = r2;
    }
    enum exec_stop stop = exec_run(w, all, all, 0);
    while (stop == EXEC_AT_BARRIER)
        stop = exec_resume(w);
    assert_int_equal(stop, EXEC_DONE);
    for (unsigned k = 0; k < REGISTERS; k++)
        memcpy(&out[k][first], exec_warp_register(w, 0, k), lanes * sizeof out[k][0]);
    exec_warp_free(w);
    end(&m);
}

static void same_registers(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("registers");
    for (unsigned n = 0; n < 40 * PROGRAMS; n++) {
        const char *text = programs[n % PROGRAMS].text;
        if (programs[n % PROGRAMS].lanes != 64)
            continue;
        static uint32_t want[REGISTERS][64], got[REGISTERS][64];
        uint64_t seed = test_next64(&rng);
        run(text, seed & 1, 0, 32, seed, want);
        run(text, seed & 1, 32, 32, seed, want);
        run(text, seed & 1, 0, 64, seed, got);
        for (unsigned k = 0; k < REGISTERS; k++)
            for (unsigned lane = 0; lane < 64; lane++)
                if (got[k][lane] != want[k][lane])
                    fail_msg("%s: $r%u of thread %u is %x, not %x", programs[n % PROGRAMS].name, k, lane, got[k][lane],
                             want[k][lane]);
    }
}

/* 256 entries of the control stack, and no more. */
static void how_deep_the_stack_is(void **state)
{
    (void)state;
    static const char *const pushes[] = {"breakaddr #end\n", "joinat #end\n"};
    for (unsigned n = 254; n < 259; n++)
        for (unsigned k = 0; k < sizeof pushes / sizeof *pushes; k++) {
            struct machine m;
            struct exec_env env = {0};
            char *text = calloc(n + 1, 20);
            assert_non_null(text);
            for (unsigned i = 0; i < n; i++)
                strcat(text, pushes[k]);
            strcat(text, "end:\nexit nop\n");
            lift(&m, text, false);
            struct exec_options options = {.level = exec_best_level()};
            assert_int_equal(exec_compile(m.ir, &options, &m.arena, &m.program, m.diags), WEFT_OK);
            struct exec_warp *w = exec_warp_new(m.program);
            exec_bind(w, &env);
            enum exec_stop stop = exec_run(w, UINT32_MAX, UINT32_MAX, 0);
            if (stop != (n <= 256 ? EXEC_DONE : EXEC_FAULT))
                fail_msg("%u times %s: %d", n, pushes[k], stop);
            exec_warp_free(w);
            end(&m);
            free(text);
        }
}

TEST_MAIN(TEST(which_programs), TEST(same_registers), TEST(how_deep_the_stack_is))
