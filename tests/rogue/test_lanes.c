/* test_lanes.c - two tasks run as one of 64 instances where none can tell: which programs do, and that they do the
 * same as two tasks one after the other. */
#include "machine.h"

#define BEGIN "0 : (ignorepe) cndst 0, r8, c0, 1\n"
#define TEST_R1 "mov ft0, r1\n    tstgez.s32 ftt, p0, ft0\n"
#define TRIPLE "umadd32 ft0, r2, c3, r1,\n    mov r2, ft0\n"
/* A loop in which instances begin to run that went on with the next turn. */
#define RESUMES(conditional)                                                                                           \
    "1 : (ignorepe) cndst 0, r8, r8, 2\n2 : br.allinst DONE\nLOOP:\n3 : umadd32 ft0, r1, c1, c143,\n"                  \
    "    mov r1, ft0\n4 : (ignorepe) cndend r8, r8, 1\n5 : (ignorepe) " conditional "\n6 : " TEST_R1                   \
    "DONE:\n7 : (ignorepe) cndlt 1, r8, p0, r8, 2\n8 : if(p0) br LOOP\n9 : " TRIPLE

static const struct program {
    const char *name;
    unsigned lanes;
    const char *text;
    const char *linkage; /* more lines of it */
} programs[] = {
    {"a straight line", 64, "0 : " TRIPLE},
    {"if and else", 64,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : br.allinst ELSE\n4 : " TRIPLE "ELSE:\n"
           "5 : (ignorepe) cndef 0, r8, r8, 1\n6 : br.allinst END\n7 : mov ft0, c5\n    mov r2, ft0\nEND:\n"
           "8 : (ignorepe) cndend r8, r8, 1\n9 : if(p0)\n    mov ft0, c7\n    mov r3, ft0\n"},
    {"a loop with an if", 64,
     BEGIN "1 : (ignorepe) cndst 0, r8, r8, 2\n2 : br.allinst DONE\nLOOP:\n3 : umadd32 ft0, r1, c1, c143,\n"
           "    mov r1, ft0\n4 : mov ft0, r2\n    tstgez.s32 ftt, p0, ft0\n5 : (ignorepe) cndst 1, r8, r8, 1\n"
           "6 : br.allinst SKIP\n7 : " TRIPLE "SKIP:\n8 : (ignorepe) cndend r8, r8, 1\n9 : " TEST_R1
           "DONE:\n10 : (ignorepe) cndlt 1, r8, p0, r8, 2\n"
           "11 : if(p0) br LOOP\n12 : if(p0)\n    mov ft0, c7\n    mov r3, ft0\n"},
    {"a turn that resumes what went on with the next one", 64, BEGIN RESUMES("cndst 0, r8, r8, 1")},
    {"a turn that stops what has stopped by two levels more", 32, BEGIN RESUMES("cndst 0, r8, r8, 2")},
    {"a turn that resumes what passes a test", 32, BEGIN RESUMES("cndst 1, r8, r8, 1")},
    {"a loop in an if", 32,
     BEGIN
     "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : br.allinst END\n4 : (ignorepe) cndst 0, r8, r8, 2\n"
     "5 : br.allinst DONE\nLOOP:\n6 : umadd32 ft0, r1, c1, c143,\n    mov r1, ft0\n7 : " TEST_R1
     "DONE:\n8 : (ignorepe) cndlt 1, r8, p0, r8, 2\n9 : if(p0) br LOOP\nEND:\n10 : (ignorepe) cndend r8, r8, 1\n"},
    {"all instances count rounds", 32,
     BEGIN
     "1 : (ignorepe) cndst 0, r8, r8, 2\n2 : br.allinst DONE\nLOOP:\n3 : umadd32 ft0, r1, c1, c143,\n    mov r1, ft0\n"
     "4 : (ignorepe)\n    umadd32 ft0, r3, c1, c1,\n    mov r3, ft0\n5 : " TEST_R1 "DONE:\n"
     "6 : (ignorepe) cndlt 1, r8, p0, r8, 2\n7 : if(p0) br LOOP\n"},
    {"a branch of the task", 32,
     "0 : " TEST_R1 "1 : if(p0) br END\n2 : " TRIPLE "END:\n3 : mov ft0, c7\n    mov r3, ft0\n"},
    {"a region that is left where all pass a predicate", 32,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 0, r8, r8, 1\n3 : if(p0) br.allinst END\n4 : " TRIPLE "END:\n"
           "5 : (ignorepe) cndend r8, r8, 1\n"},
    {"a test that counts in another register", 32,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : br.allinst END\n4 : (ignorepe) cndst 1, r9, r9, 1\n"
           "5 : " TRIPLE "END:\n6 : (ignorepe) cndend r8, r8, 1\n"},
    {"two ways out of a region", 32,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : br.allinst END\n4 : " TRIPLE "5 : br.allinst LATER\n"
           "6 : mov ft0, c7\n    mov r3, ft0\nEND:\n7 : (ignorepe) cndend r8, r8, 1\nLATER:\n8 : nop\n"},
    {"two branches to one end", 64,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : br.allinst END\n4 : " TRIPLE "5 : br.allinst END\n"
           "6 : mov ft0, c7\n    mov r3, ft0\nEND:\n7 : (ignorepe) cndend r8, r8, 1\n"},
    {"a branch of all outside regions", 32, BEGIN "1 : br.allinst END\n2 : " TRIPLE "END:\n3 : nop\n"},
    {"an end in a region", 32,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : { s0 = c7 p0: mbyp ft0, s0; w0 = r3 }.end\n"
           "4 : (ignorepe) cndend r8, r8, 1\n"},
    {"a region without an end", 32, BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : " TRIPLE},
    {"a loop test without a branch", 32,
     BEGIN "1 : (ignorepe) cndst 0, r8, r8, 2\n2 : " TEST_R1 "3 : (ignorepe) cndlt 1, r8, p0, r8, 2\n"},
    {"a counter that begins with a value", 32,
     "0 : " TEST_R1 "1 : (ignorepe) cndst 1, r8, r8, 1\n2 : " TRIPLE "3 : (ignorepe) cndend r8, r8, 1\n",
     "sysval BLOCK_ID.x r8"},
    {"another register that begins with a value", 64,
     "0 : " TEST_R1 "1 : (ignorepe) cndst 1, r8, r8, 1\n2 : " TRIPLE "3 : (ignorepe) cndend r8, r8, 1\n",
     "sysval BLOCK_ID.x r9\nsysval BLOCK_ID.y vi8"},
    {"a counter that an index may write", 32,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : mov ft0, c7\n    mov r0[idx0], ft0\n"
           "4 : (ignorepe) cndend r8, r8, 1\n"},
    {"an index that writes vertex inputs", 64,
     BEGIN "1 : " TEST_R1 "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : mov ft0, c7\n    mov vi[idx0], ft0\n"
           "4 : (ignorepe) cndend r8, r8, 1\n"},
    {"a counter that is written", 32,
     BEGIN "1 : " TEST_R1
           "2 : (ignorepe) cndst 1, r8, r8, 1\n3 : mov ft0, c7\n    mov r8, ft0\n4 : (ignorepe) cndend r8, r8, 1\n"},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0], REGISTERS = 16 };

static bool start(struct machine *m, const struct program *p, bool optimise)
{
    char linkage[96];
    snprintf(linkage, sizeof linkage, "block 64 1 1\n%s", p->linkage ? p->linkage : "");
    return machine_start_at(m, IR_COMPUTE, linkage, p->text, false, optimise);
}

static void which_programs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct machine m;
        assert_true(start(&m, &programs[i], false));
        if (m.ir->lanes != programs[i].lanes)
            fail_msg("%s: %u lanes, not %u", programs[i].name, m.ir->lanes, programs[i].lanes);
        machine_end(&m);
    }
}

/* Sixteen levels of regions are followed. */
static void how_deep(void **state)
{
    (void)state;
    for (unsigned depth = 15; depth <= 18; depth++) {
        char text[2048] = BEGIN "1 : " TEST_R1;
        struct program p = {.text = text};
        struct machine m;
        for (unsigned n = 0; n < depth; n++)
            strcat(text, "2 : (ignorepe) cndst 1, r8, r8, 1\n");
        strcat(text, "3 : " TRIPLE);
        for (unsigned n = 0; n < depth; n++)
            strcat(text, "4 : (ignorepe) cndend r8, r8, 1\n");
        assert_true(start(&m, &p, false));
        assert_int_equal(m.ir->lanes, depth <= 16 ? 64 : 32);
        machine_end(&m);
    }
}

/* Registers 1 and 2 of 64 instances, of which the first 32 go round loops less often. */
static void fill(struct machine *m, unsigned first, unsigned count, uint64_t seed)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t r1 = machine_random(&seed) % (lane < 32 ? 4 : 12) - 2, r2 = machine_random(&seed);
        if (lane - first >= count)
            continue;
        machine_put(m, ROGUE_FILE_R, 1, lane - first, r1);
        machine_put(m, ROGUE_FILE_R, 2, lane - first, r2);
    }
}

/* The same program with tasks of 32 in spite of all: half 0 or 1 of the instances. */
static void run_half(const struct program *p, bool optimise, unsigned half, uint64_t seed, uint32_t out[REGISTERS][64])
{
    struct machine m;
    assert_true(start(&m, p, optimise));
    exec_warp_free(m.warp);
    m.ir->lanes = ROGUE_INSTANCES;
    struct exec_options options = {.level = exec_best_level()};
    assert_int_equal(exec_compile(m.ir, &options, &m.arena, &m.program, m.diags), WEFT_OK);
    m.warp = exec_warp_new(m.program);
    exec_bind(m.warp, &m.env);
    fill(&m, half * 32, 32, seed);
    assert_true(machine_run(&m));
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned lane = 0; lane < 32; lane++)
            out[r][half * 32 + lane] = machine_get(&m, ROGUE_FILE_R, r, lane);
    machine_end(&m);
}

static void same_registers(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("registers");
    for (unsigned n = 0; n < 40 * PROGRAMS; n++) {
        const struct program *p = &programs[n % PROGRAMS];
        if (p->lanes != 64)
            continue;
        static uint32_t want[REGISTERS][64];
        uint64_t seed = test_next64(&rng);
        bool optimise = seed & 1;
        struct machine m;
        run_half(p, optimise, 0, seed, want);
        run_half(p, optimise, 1, seed, want);
        assert_true(start(&m, p, optimise));
        fill(&m, 0, 64, seed);
        assert_int_equal(exec_run(m.warp, UINT64_MAX, UINT64_MAX, 0), EXEC_DONE);
        for (unsigned r = 0; r < REGISTERS; r++)
            for (unsigned lane = 0; lane < 64; lane++)
                if (machine_get(&m, ROGUE_FILE_R, r, lane) != want[r][lane])
                    fail_msg("%s: r%u of instance %u is %x, not %x", p->name, r, lane,
                             machine_get(&m, ROGUE_FILE_R, r, lane), want[r][lane]);
        machine_end(&m);
    }
}

/* Registers of a workgroup: what the lift makes of them is IR that the verifier takes. */
static void common_registers(void **state)
{
    (void)state;
    struct machine m;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        assert_true(machine_start_at(&m, IR_COMPUTE, NULL,
                                     "0 : mov cfa3, c7\n1 : mov cf4, c9\n2 : mov sh5, c11\n3 : mov r0, cfa3\n"
                                     "4 : mov r1, cf4\n5 : mov r2, sh5\n",
                                     false, optimise));
        machine_end(&m);
    }
}

/* What was asked for before a mutex is released lands after it, in a block of its own. */
static void requests_over_a_release(void **state)
{
    (void)state;
    struct machine m;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        assert_true(machine_start_at(&m, IR_FRAGMENT, NULL,
                                     "0 : { s0 = cf4..7, s2 = cf0..3, s3 = r0 "
                                     "backend: fitrp.pixel s3, drc0, s0, s2, 1; }\n"
                                     "1 : { ctrl: mutex.release.wakeup 0; }\n2 : wdf drc0\n",
                                     false, optimise));
        machine_end(&m);
    }
}

TEST_MAIN(TEST(which_programs), TEST(how_deep), TEST(same_registers), TEST(common_registers),
          TEST(requests_over_a_release))
