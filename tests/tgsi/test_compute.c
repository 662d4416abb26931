/* Grids, workgroups, barriers, and that threads do not change results. */
#include "compute_run.h"

static void run_at(struct compute_job *j, enum exec_level level)
{
    j->level = level;
    compute_run(j);
}

static void run_fine(struct compute_job *j)
{
    run_at(j, exec_best_level());
    if (j->status != WEFT_OK)
        print_error("%s\n", j->message);
    assert_int_equal(j->status, WEFT_OK);
}

/* ---- where an invocation is ---- */

/* RES[0] holds 16 words of each invocation: the four system values, in order of x, then y, then z over the grid; the
 * way Gallium's own first compute test has it, in the older dialect. */
static const char places_text[] = "COMP\n"
                                  "DCL RES[0], BUFFER, RAW, WR\n"
                                  "DCL SV[0], BLOCK_ID[0]\nDCL SV[1], BLOCK_SIZE[0]\n"
                                  "DCL SV[2], GRID_SIZE[0]\nDCL SV[3], THREAD_ID[0]\n"
                                  "DCL TEMP[0], LOCAL\nDCL TEMP[1], LOCAL\n"
                                  "IMM UINT32 { 64, 0, 0, 0 }\nIMM UINT32 { 16, 0, 0, 0 }\n"
                                  "BGNSUB\n"
                                  "UMUL TEMP[0], SV[0], SV[1]\nUADD TEMP[0], TEMP[0], SV[3]\n"
                                  "UMUL TEMP[1], SV[1], SV[2]\n"
                                  "UMUL TEMP[0].z, TEMP[0], TEMP[1].yyyy\n"
                                  "UADD TEMP[0].y, TEMP[0].yyyy, TEMP[0].zzzz\n"
                                  "UMUL TEMP[0].y, TEMP[0], TEMP[1].xxxx\n"
                                  "UADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
                                  "UMUL TEMP[0].x, TEMP[0], IMM[0]\n"
                                  "STORE RES[0].xyz, TEMP[0], SV[0]\nUADD TEMP[0].x, TEMP[0], IMM[1]\n"
                                  "STORE RES[0].xyz, TEMP[0], SV[1]\nUADD TEMP[0].x, TEMP[0], IMM[1]\n"
                                  "STORE RES[0].xyz, TEMP[0], SV[2]\nUADD TEMP[0].x, TEMP[0], IMM[1]\n"
                                  "STORE RES[0].xyz, TEMP[0], SV[3]\n"
                                  "RET\nENDSUB\n";

static void every_invocation_knows_its_place(void **state)
{
    (void)state;
    static const uint32_t shapes[][6] = {{3, 2, 4, 5, 7, 2}, {1, 1, 1, 1, 1, 1}, {2, 1, 1, 1024, 1, 1},
                                         {1, 3, 2, 8, 8, 16}, {7, 1, 1, 65, 1, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const uint32_t *groups = shapes[s], *block = shapes[s] + 3;
        uint32_t size[3], total = 1;
        for (unsigned c = 0; c < 3; c++)
            total *= size[c] = groups[c] * block[c];
        uint32_t(*out)[4][4] = calloc(total, sizeof *out);
        for (unsigned threads = 1; threads <= 3; threads++) {
            memset(out, 0xee, total * sizeof *out);
            struct compute_job j = {.text = places_text, .threads = threads};
            memcpy(j.groups, groups, sizeof j.groups);
            memcpy(j.block, block, sizeof j.block);
            j.storage[0] = (struct exec_buffer){(uint8_t *)out, total * sizeof *out};
            run_fine(&j);
            assert_int_equal(j.stats.invocations, total);
            assert_int_equal(j.stats.groups, groups[0] * groups[1] * groups[2]);
            assert_int_equal(j.stats.bad_accesses, 0);
            assert_false(j.stats.in_order);
            for (uint32_t i = 0; i < total; i++) {
                const uint32_t at[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
                for (unsigned c = 0; c < 3; c++) {
                    assert_int_equal(out[i][0][c], at[c] / block[c]);
                    assert_int_equal(out[i][1][c], block[c]);
                    assert_int_equal(out[i][2][c], groups[c]);
                    assert_int_equal(out[i][3][c], at[c] % block[c]);
                }
            }
        }
        free(out);
    }
}

/* ---- barriers ---- */

/* out[group] = sum of in[256 * group ...], halving the active half in a loop with barriers. */
static const char reduction_text[] =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 256\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..1]\n"
    "DCL MEMORY[0], SHARED\nDCL TEMP[0..4]\nIMM[0] UINT32 {256, 2, 128, 1}\nIMM[1] UINT32 {0, 4, 0, 0}\n"
    "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nSHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
    "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\nSHL TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n"
    "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[1].xxxx\nMOV TEMP[2].x, IMM[0].zzzz\n"
    "BGNLOOP\n"
    "  BARRIER\n"
    "  USEQ TEMP[3].x, TEMP[2].xxxx, IMM[1].xxxx\n  UIF TEMP[3].xxxx\n    BRK\n  ENDIF\n"
    "  USLT TEMP[3].x, SV[0].xxxx, TEMP[2].xxxx\n"
    "  UIF TEMP[3].xxxx\n"
    "    SHL TEMP[3].y, TEMP[2].xxxx, IMM[0].yyyy\n    UADD TEMP[3].y, TEMP[3].yyyy, TEMP[0].yyyy\n"
    "    LOAD TEMP[4].x, MEMORY[0], TEMP[3].yyyy\n    LOAD TEMP[4].y, MEMORY[0].xxxx, TEMP[0].yyyy\n"
    "    UADD TEMP[4].x, TEMP[4].xxxx, TEMP[4].yyyy\n    STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[4].xxxx\n"
    "  ENDIF\n"
    "  USHR TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\n"
    "ENDLOOP\n"
    "USEQ TEMP[3].x, SV[0].xxxx, IMM[1].xxxx\n"
    "UIF TEMP[3].xxxx\n"
    "  LOAD TEMP[4].x, MEMORY[0], IMM[1].xxxx\n  SHL TEMP[3].y, SV[1].xxxx, IMM[0].yyyy\n"
    "  STORE BUFFER[1].x, TEMP[3].yyyy, TEMP[4].xxxx\n"
    "ENDIF\nEND\n";

static void reductions_in_shared_memory(void **state)
{
    (void)state;
    enum { GROUPS = 50 };
    static uint32_t in[GROUPS * 256], out[GROUPS];
    struct test_rng r = test_seed("reduction");
    for (unsigned i = 0; i < GROUPS * 256; i++)
        in[i] = test_next(&r);
    static const unsigned threads[] = {1, 2, 7};
    for (unsigned t = 0; t < 3; t++)
        for (int level = 0; level < EXEC_LEVELS; level++) {
            if (!exec_level_usable((enum exec_level)level))
                continue;
            struct compute_job j = {.text = reduction_text, .groups = {GROUPS, 1, 1}, .threads = threads[t]};
            j.storage[0] = (struct exec_buffer){(uint8_t *)in, sizeof in};
            j.storage[1] = (struct exec_buffer){(uint8_t *)out, sizeof out};
            memset(out, 0, sizeof out);
            run_at(&j, (enum exec_level)level);
            assert_int_equal(j.status, WEFT_OK);
            assert_false(j.stats.in_order);
            for (unsigned g = 0; g < GROUPS; g++) {
                uint32_t sum = 0;
                for (unsigned i = 0; i < 256; i++)
                    sum += in[g * 256 + i];
                assert_int_equal(out[g], sum);
            }
        }
}

#define SIDE(condition)                                                                                                \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nDCL SV[0], THREAD_ID\nDCL TEMP[0]\nIMM[0] UINT32 {64, 1, 0, 0}\n"        \
    "USLT TEMP[0].x, SV[0].xxxx, " condition "\n"

static void barriers_that_some_never_reach(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        /* one warp of two */
        {SIDE("IMM[0].xxxx") "UIF TEMP[0].xxxx\nBARRIER\nENDIF\nEND\n", "never reach"},
        /* one lane of the first warp */
        {SIDE("IMM[0].yyyy") "UIF TEMP[0].xxxx\nBARRIER\nENDIF\nEND\n", "never reach"},
        /* the others have returned */
        {SIDE("IMM[0].yyyy") "UIF TEMP[0].xxxx\nRET\nENDIF\nBARRIER\nEND\n", "never reach"},
        /* each warp has a barrier of its own */
        {SIDE("IMM[0].xxxx") "UIF TEMP[0].xxxx\nBARRIER\nELSE\nBARRIER\nENDIF\nEND\n", "different barriers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compute_job j = {.text = cases[i].text};
        run_at(&j, exec_best_level());
        assert_int_equal(j.status, WEFT_ERROR_INPUT);
        if (!strstr(j.message, cases[i].says))
            print_error("%zu: %s\n", i, j.message);
        assert_non_null(strstr(j.message, cases[i].says));
    }
    /* the same for all lanes is fine */
    struct compute_job j = {.text = SIDE("IMM[0].zzzz") "UIF TEMP[0].xxxx\nBARRIER\nENDIF\nBARRIER\nEND\n"};
    run_fine(&j);
}

/* The older dialect's barrier test: every invocation writes the number of the round, all look at all. */
static void barriers_in_loops(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nDCL RES[0], BUFFER, RAW, WR\nDCL SV[0], BLOCK_ID[0]\nDCL SV[1], BLOCK_SIZE[0]\nDCL SV[2], THREAD_ID[0]\n"
        "DCL TEMP[0..3], LOCAL\n"
        "IMM UINT32 { 1, 0, 0, 0 }\nIMM UINT32 { 4, 0, 0, 0 }\nIMM UINT32 { 32, 0, 0, 0 }\n"
        "BGNSUB\nUMUL TEMP[0].x, SV[2], IMM[1]\nMOV TEMP[1].x, IMM[0].wwww\n"
        "BGNLOOP\n  BARRIER\n  STORE RES[32766].x, TEMP[0], TEMP[1]\n  BARRIER\n  MOV TEMP[2].x, IMM[0].wwww\n"
        "  BGNLOOP\n    UMUL TEMP[3].x, TEMP[2], IMM[1]\n    LOAD TEMP[3].x, RES[32766], TEMP[3]\n"
        "    USNE TEMP[3].x, TEMP[3], TEMP[1]\n    IF TEMP[3]\n      END\n    ENDIF\n"
        "    UADD TEMP[2].x, TEMP[2], IMM[0]\n    USEQ TEMP[3].x, TEMP[2], SV[1]\n    IF TEMP[3]\n      BRK\n    "
        "ENDIF\n"
        "  ENDLOOP\n"
        "  UADD TEMP[1].x, TEMP[1], IMM[0]\n  USEQ TEMP[2].x, TEMP[1], IMM[2]\n  IF TEMP[2]\n    BRK\n  "
        "ENDIF\nENDLOOP\n"
        "UMUL TEMP[1].x, SV[0], SV[1]\nUMUL TEMP[1].x, TEMP[1], IMM[1]\nUADD TEMP[1].x, TEMP[1], TEMP[0]\n"
        "LOAD TEMP[0].x, RES[32766], TEMP[0]\nSTORE RES[0].x, TEMP[1], TEMP[0]\nRET\nENDSUB\n";
    enum { BLOCK = 200, GROUPS = 3 };
    static uint32_t out[GROUPS * BLOCK];
    struct compute_job j = {.text = text, .groups = {GROUPS, 1, 1}, .block = {BLOCK, 1, 1}, .threads = 2};
    j.storage[0] = (struct exec_buffer){(uint8_t *)out, sizeof out};
    run_fine(&j);
    for (unsigned i = 0; i < GROUPS * BLOCK; i++)
        assert_int_equal(out[i], 31);
}

/* ---- private and kernel input memory ---- */

static void private_and_input_memory(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nDCL SV[0], THREAD_ID[0]\nDCL SV[1], BLOCK_ID[0]\nDCL MEMORY[0], PRIVATE\nDCL TEMP[0..2], LOCAL\n"
        "IMM UINT32 { 8, 4, 256, 4096 }\nIMM UINT32 { 0, 4, 8, 0 }\n"
        /* private: zero at first, then what this invocation wrote; beyond its end nothing */
        "BGNSUB\nLOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nUMAD TEMP[1].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n"
        "UADD TEMP[2].x, TEMP[1].xxxx, TEMP[0].xxxx\nSTORE MEMORY[0].x, IMM[0].xxxx, TEMP[2].xxxx\n"
        "STORE MEMORY[0].x, IMM[0].wwww, TEMP[2].xxxx\nSTORE RES[32765].x, IMM[0].xxxx, IMM[0].xxxx\n"
        "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\n"
        /* arguments: a factor, and where to write */
        "LOAD TEMP[2].xy, RES[32764], IMM[1].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, TEMP[2].xxxx\n"
        "UMAD TEMP[2].y, TEMP[1].xxxx, IMM[0].yyyy, TEMP[2].yyyy\nSTORE RES[32767].x, TEMP[2].yyyy, TEMP[0].xxxx\n"
        "RET\nENDSUB\n";
    enum { BLOCK = 256, GROUPS = 4 };
    static uint32_t out[2 + GROUPS * BLOCK], arguments[2] = {3, 8};
    struct compute_job j = {.text = text, .groups = {GROUPS, 1, 1}, .block = {BLOCK, 1, 1}, .threads = 3};
    j.constants[15] = (struct exec_buffer){(uint8_t *)arguments, sizeof arguments};
    j.storage[63] = (struct exec_buffer){(uint8_t *)out, sizeof out};
    run_fine(&j);
    for (unsigned i = 0; i < GROUPS * BLOCK; i++)
        assert_int_equal(out[2 + i], 3 * i);
    assert_int_equal(j.stats.bad_accesses, GROUPS * BLOCK);
}

/* ---- order ---- */

/* The number of an invocation in the grid, 10 workgroups wide, is in TEMP[0].x: each stores to a word of its own. */
#define ATOMIC_PROGRAM(what, rest)                                                                                     \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 96\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..1]\nDCL "        \
    "TEMP[0..2]\nIMM[0] UINT32 {96, 4, 31, 2}\nIMM[1] UINT32 {10, 0, 0, 0}\n"                                          \
    "UMAD TEMP[0].x, SV[1].yyyy, IMM[1].xxxx, SV[1].xxxx\n"                                                            \
    "UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx, SV[0].xxxx\n"                                                          \
    "UMUL TEMP[1].x, TEMP[0].xxxx, TEMP[0].xxxx\nAND TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz\n"                           \
    "SHL TEMP[1].y, TEMP[1].yyyy, IMM[0].wwww\nSHL TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\n" what                        \
    " TEMP[2].x, BUFFER[0], TEMP[1].yyyy, TEMP[1].xxxx\n" rest "END\n"

static void threads_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool in_order;
    } cases[] = {
        {ATOMIC_PROGRAM("ATOMUADD", ""), false},
        {ATOMIC_PROGRAM("ATOMXOR", ""), false},
        {ATOMIC_PROGRAM("ATOMIMAX", ""), false},
        {ATOMIC_PROGRAM("ATOMUADD", "STORE BUFFER[1].x, TEMP[0].yyyy, TEMP[2].xxxx\n"), true},
        {ATOMIC_PROGRAM("ATOMXCHG", ""), true},
        {ATOMIC_PROGRAM("ATOMFADD", ""), true},
        {ATOMIC_PROGRAM("ATOMINC_WRAP", ""), true},
        {ATOMIC_PROGRAM("ATOMUADD", "ATOMUMIN TEMP[2].x, BUFFER[0], TEMP[1].yyyy, IMM[0].yyyy\n"), true},
        {ATOMIC_PROGRAM("ATOMUADD", "LOAD TEMP[2].x, BUFFER[0], TEMP[1].yyyy\n"
                                    "STORE BUFFER[1].x, TEMP[0].yyyy, TEMP[2].xxxx\n"), true},
        {ATOMIC_PROGRAM("ATOMUADD", "STORE BUFFER[1].x, TEMP[0].yyyy, TEMP[0].xxxx\n"), false},
    };
    enum { GROUPS = 300 };
    static const unsigned threads[] = {1, 2, 7, 7, 7};
    static uint32_t bins[32], old[GROUPS * 96], bins1[32], old1[GROUPS * 96];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned t = 0; t < 5; t++) {
            struct compute_job j = {.text = cases[i].text, .groups = {10, GROUPS / 10, 1}, .threads = threads[t]};
            j.storage[0] = (struct exec_buffer){(uint8_t *)bins, sizeof bins};
            j.storage[1] = (struct exec_buffer){(uint8_t *)old, sizeof old};
            memset(bins, 0, sizeof bins);
            memset(old, 0, sizeof old);
            run_fine(&j);
            assert_int_equal(j.stats.in_order, cases[i].in_order);
            if (t == 0) {
                memcpy(bins1, bins, sizeof bins);
                memcpy(old1, old, sizeof old);
            }
            assert_memory_equal(bins, bins1, sizeof bins);
            assert_memory_equal(old, old1, sizeof old);
        }
}

/* Two bindings of one memory, one of them read: the program must not be spread. */
static void one_memory_bound_twice(void **state)
{
    (void)state;
    static uint32_t words[64], other[64];
    struct compute_job j = {
        .text = "COMP\nDCL SV[0], BLOCK_ID\nDCL BUFFER[0..1]\nDCL TEMP[0..1]\nIMM[0] UINT32 {4, 1, 0, 0}\n"
                "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
                "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n",
        .groups = {63, 1, 1},
        .threads = 7};
    j.storage[0] = j.storage[1] = (struct exec_buffer){(uint8_t *)words, sizeof words};
    run_fine(&j);
    assert_true(j.stats.in_order);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(words[i], i);
    j.storage[1] = (struct exec_buffer){(uint8_t *)other, sizeof other};
    run_fine(&j);
    assert_false(j.stats.in_order);
}

/* ---- what stops a dispatch ---- */

static void budgets_and_limits(void **state)
{
    (void)state;
    struct compute_job endless = {.text = "COMP\nDCL TEMP[0]\nBGNLOOP\nMOV TEMP[0].x, TEMP[0].xxxx\nENDLOOP\nEND\n",
                                  .budget = 1000,
                                  .groups = {100, 1, 1},
                                  .threads = 3};
    run_at(&endless, exec_best_level());
    assert_int_equal(endless.status, WEFT_ERROR_BUDGET);
    assert_non_null(strstr(endless.message, "1000"));
    static const uint32_t bad[][6] = {{70000, 1, 1, 1, 1, 1}, {1, 1, 1, 2000, 1, 1}, {1, 1, 1, 64, 64, 1},
                                      {65535, 65535, 65535, 64, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct compute_job j = {.text = "COMP\nNOP\nEND\n"};
        memcpy(j.groups, bad[i], sizeof j.groups);
        memcpy(j.block, bad[i] + 3, sizeof j.block);
        run_at(&j, exec_best_level());
        assert_int_equal(j.status, WEFT_ERROR_USAGE);
    }
}

/* The first workgroup in order that stops is the one reported, whatever the threads. */
static void the_first_failure_counts(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nDCL SV[0], BLOCK_ID\nDCL TEMP[0]\nIMM[0] UINT32 {70, 75, 0, 0}\n"
        "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nBGNLOOP\nNOP\nENDLOOP\nENDIF\n"
        "USGE TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\nEND\n";
    for (unsigned threads = 1; threads < 9; threads++) {
        struct compute_job j = {.text = text, .groups = {200, 1, 1}, .threads = threads, .budget = 100000};
        run_at(&j, exec_best_level());
        assert_int_equal(j.status, WEFT_ERROR_BUDGET);
        assert_non_null(strstr(j.message, "line 9"));
    }
}

/* A load from a constant address is done once for all warps, and counts in each. */
static void constants_beyond_the_buffer_are_counted(void **state)
{
    (void)state;
    enum { GROUPS = 300, BLOCK = 128, WARPS = GROUPS * BLOCK / 64 };
    static const char text[] = "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL CONST[0][0..9]\n"
                               "DCL TEMP[0]\nIMM[0] UINT32 {128, 4, 0, 0}\n"
                               "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\n"
                               "UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                               "STORE BUFFER[0].x, TEMP[0].xxxx, CONST[0][9].xxxx\nEND\n";
    uint32_t out[GROUPS * BLOCK], constants[40] = {[36] = 7};
    for (unsigned threads = 1; threads <= 3; threads++)
        for (unsigned there = 0; there < 2; there++) {
            struct compute_job j = {.text = text, .groups = {GROUPS, 1, 1}, .block = {BLOCK, 1, 1}, .threads = threads};
            j.constants[0] = (struct exec_buffer){(uint8_t *)constants, there ? sizeof constants : 36 * 4};
            j.storage[0] = (struct exec_buffer){(uint8_t *)out, sizeof out};
            memset(out, 1, sizeof out);
            run_fine(&j);
            for (unsigned i = 0; i < GROUPS * BLOCK; i++)
                assert_int_equal(out[i], there ? 7 : 0);
            assert_int_equal(j.stats.bad_accesses, there ? 0 : WARPS);
        }
}

TEST_MAIN(TEST(every_invocation_knows_its_place), TEST(constants_beyond_the_buffer_are_counted),
          TEST(reductions_in_shared_memory), TEST(barriers_that_some_never_reach), TEST(barriers_in_loops),
          TEST(private_and_input_memory), TEST(threads_change_nothing), TEST(one_memory_bound_twice),
          TEST(budgets_and_limits), TEST(the_first_failure_counts))
