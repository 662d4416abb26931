/* Loads, stores, atomics and sizes of every kind of memory, against what a plain loop over the invocations does. */
#include "compute_run.h"

#include "isa/tgsi/lift.h"

enum { LANES = 64, WORDS = 128 };

/* One workgroup of 64: the same text at every level of the host's instructions, in masked code, and not optimised. */
static void everywhere(struct compute_job *j, void (*fill)(void *context), void (*check)(void *context), void *context)
{
    for (unsigned n = 0; n < 3 * EXEC_LEVELS; n++) {
        j->level = (enum exec_level)(n / 3);
        j->no_full = n % 3 == 1;
        j->plain = n % 3 == 2;
        if (!exec_level_usable(j->level))
            continue;
        fill(context);
        compute_run(j);
        if (j->status != WEFT_OK)
            print_error("%s\n", j->message);
        assert_int_equal(j->status, WEFT_OK);
        check(context);
    }
}

/* ---- loads and stores at any addresses ---- */

struct traffic {
    struct test_rng rng;
    uint32_t in[WORDS], out[WORDS], from[LANES], to[LANES], run[LANES];
    struct compute_job job;
};

static const char traffic_text[] = "COMP\n"
                                   "PROPERTY CS_FIXED_BLOCK_WIDTH 64\n"
                                   "DCL SV[0], THREAD_ID\n"
                                   "DCL BUFFER[0..4]\n"
                                   "DCL TEMP[0..3]\n"
                                   "IMM[0] UINT32 {4, 0, 0, 0}\n"
                                   "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                   "LOAD TEMP[1].x, BUFFER[2], TEMP[0].xxxx\n"
                                   "LOAD TEMP[1].y, BUFFER[3].yxyy, TEMP[0].xxxx\n"
                                   "LOAD TEMP[2].x, BUFFER[4], TEMP[0].xxxx\n"
                                   "UIF TEMP[2].xxxx\n"
                                   "  LOAD TEMP[3], BUFFER[0], TEMP[1].xxxx\n"
                                   "  STORE BUFFER[1].xz, TEMP[1].yyyy, TEMP[3].xyzw\n"
                                   "ENDIF\n"
                                   "END\n";

static void fill_traffic(void *context)
{
    struct traffic *t = context;
    unsigned shape = test_next(&t->rng) % 4;
    bool all = test_next(&t->rng) & 1;
    for (unsigned i = 0; i < WORDS; i++) {
        t->in[i] = test_next(&t->rng);
        t->out[i] = 0x01010101u * (i & 255);
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t r = test_next(&t->rng);
        /* in a row, anywhere aligned, anywhere at all, all the same */
        t->from[i] = shape == 0 ? 4 * i : shape == 1 ? 4 * (r % WORDS) : shape == 2 ? r % 600 : 20;
        t->to[i] = shape == 0 ? 4 * i + 8 : shape == 1 ? 4 * (r >> 16) % 560 : shape == 2 ? (r >> 8) % 600 : 40;
        t->run[i] = all || (test_next(&t->rng) & 1);
    }
    if (shape == 1)
        t->from[5] = 0xfffffffcu, t->to[6] = 0xfffffff8u;
}

static void check_traffic(void *context)
{
    struct traffic *t = context;
    uint8_t want[sizeof t->out];
    uint64_t bad = 0;
    /* the first component of all lanes goes before the second one */
    for (unsigned i = 0; i < WORDS; i++)
        memset(want + 4 * i, (int)(i & 255), 4);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t from = t->from[i] + 4 * c, to = t->to[i] + 4 * c;
            if (!t->run[i])
                continue;
            uint32_t word = 0;
            bool used = c == 0 || c == 2;
            if ((uint64_t)from + 4 <= sizeof t->in)
                memcpy(&word, (const char *)t->in + from, 4);
            else
                bad += used || t->job.plain;
            if (used && (uint64_t)to + 4 <= sizeof want)
                memcpy(want + to, &word, 4);
            else
                bad += used;
        }
    assert_memory_equal(t->out, want, sizeof want);
    assert_int_equal(t->job.stats.bad_accesses, bad);
}

static void loads_and_stores(void **state)
{
    (void)state;
    static struct traffic t;
    t.rng = test_seed("traffic");
    t.job.text = traffic_text;
    t.job.storage[0] = (struct exec_buffer){(uint8_t *)t.in, sizeof t.in};
    t.job.storage[1] = (struct exec_buffer){(uint8_t *)t.out, sizeof t.out};
    t.job.storage[2] = (struct exec_buffer){(uint8_t *)t.from, sizeof t.from};
    t.job.storage[4] = (struct exec_buffer){(uint8_t *)t.run, sizeof t.run};
    /* its swizzle takes component x for y */
    t.job.storage[3] = (struct exec_buffer){(uint8_t *)t.to, sizeof t.to};
    for (unsigned i = 0; i < 40; i++)
        everywhere(&t.job, fill_traffic, check_traffic, &t);
}

/* ---- atomics ---- */

static uint32_t oracle_add(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a + v; }
static uint32_t oracle_xchg(uint32_t a, uint32_t v, uint32_t c) { (void)a, (void)c; return v; }
static uint32_t oracle_cas(uint32_t a, uint32_t v, uint32_t c) { return a == v ? c : a; }
static uint32_t oracle_and(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a & v; }
static uint32_t oracle_or(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a | v; }
static uint32_t oracle_xor(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a ^ v; }
static uint32_t oracle_umin(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a < v ? a : v; }
static uint32_t oracle_umax(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a > v ? a : v; }
static uint32_t oracle_imin(uint32_t a, uint32_t v, uint32_t c) { (void)c; return (int32_t)a < (int32_t)v ? a : v; }
static uint32_t oracle_imax(uint32_t a, uint32_t v, uint32_t c) { (void)c; return (int32_t)a > (int32_t)v ? a : v; }
static uint32_t oracle_inc(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a >= v ? 0 : a + 1; }
static uint32_t oracle_dec(uint32_t a, uint32_t v, uint32_t c) { (void)c; return a == 0 || a > v ? v : a - 1; }
static uint32_t oracle_fadd(uint32_t a, uint32_t v, uint32_t c)
{
    (void)c;
    float x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &v, 4);
    x += y;
    memcpy(&a, &x, 4);
    return a;
}

static const struct {
    const char *name;
    uint32_t (*fn)(uint32_t memory, uint32_t src2, uint32_t src3);
    unsigned sources;
} atomics[] = {
    {"ATOMUADD", oracle_add, 1}, {"ATOMXCHG", oracle_xchg, 1}, {"ATOMCAS", oracle_cas, 2},
    {"ATOMAND", oracle_and, 1},  {"ATOMOR", oracle_or, 1},     {"ATOMXOR", oracle_xor, 1},
    {"ATOMUMIN", oracle_umin, 1}, {"ATOMUMAX", oracle_umax, 1}, {"ATOMIMIN", oracle_imin, 1},
    {"ATOMIMAX", oracle_imax, 1}, {"ATOMFADD", oracle_fadd, 1}, {"ATOMINC_WRAP", oracle_inc, 1},
    {"ATOMDEC_WRAP", oracle_dec, 1},
};

struct atomic_case {
    struct test_rng rng;
    unsigned which;
    uint32_t memory[16], before[16], at[LANES], value[LANES], other[LANES], old[LANES];
    struct compute_job job;
};

static void fill_atomic(void *context)
{
    struct atomic_case *t = context;
    bool real = atomics[t->which].fn == oracle_fadd;
    for (unsigned i = 0; i < 16; i++) {
        float x = (float)(int32_t)test_next(&t->rng) * 0.001f;
        t->memory[i] = test_next(&t->rng) >> (test_next(&t->rng) % 32);
        if (real)
            memcpy(&t->memory[i], &x, 4);
        t->before[i] = t->memory[i];
    }
    for (unsigned i = 0; i < LANES; i++) {
        float x = (float)(int32_t)test_next(&t->rng) * 0.001f;
        t->at[i] = 4 * (test_next(&t->rng) % 18); /* two of them outside */
        t->value[i] = test_next(&t->rng) % 3 ? t->before[test_next(&t->rng) % 16] : test_next(&t->rng);
        t->other[i] = test_next(&t->rng);
        if (real)
            memcpy(&t->value[i], &x, 4);
        t->old[i] = 0x55;
    }
}

static void check_atomic(void *context)
{
    struct atomic_case *t = context;
    uint64_t bad = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t *word = t->at[i] < 64 ? &t->before[t->at[i] / 4] : NULL, old = word ? *word : 0;
        bad += !word;
        if (word)
            *word = atomics[t->which].fn(old, t->value[i], t->other[i]);
        assert_int_equal(t->old[i], old);
    }
    assert_memory_equal(t->memory, t->before, sizeof t->memory);
    assert_int_equal(t->job.stats.bad_accesses, bad);
    assert_true(t->job.stats.in_order);
}

/* On a buffer, and on shared memory that the buffer is copied to and from. */
static void atomic_text(char *text, size_t size, unsigned which, bool shared)
{
    const char *memory = shared ? "MEMORY[0]" : "BUFFER[0]";
    int n = snprintf(text, size,
                     "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL BUFFER[0..4]\n"
                     "DCL MEMORY[0], SHARED\nDCL TEMP[0..4]\nIMM[0] UINT32 {4, 16, 0, 0}\n"
                     "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                     "LOAD TEMP[1].x, BUFFER[1], TEMP[0].xxxx\n"
                     "LOAD TEMP[2].x, BUFFER[2], TEMP[0].xxxx\n"
                     "LOAD TEMP[3].x, BUFFER[3], TEMP[0].xxxx\n");
    if (shared)
        n += snprintf(text + n, size - (size_t)n,
                      "USLT TEMP[4].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[4].xxxx\n"
                      "LOAD TEMP[4].x, BUFFER[0], TEMP[0].xxxx\nSTORE MEMORY[0].x, TEMP[0].xxxx, TEMP[4].xxxx\nENDIF\n"
                      "BARRIER\n");
    n += snprintf(text + n, size - (size_t)n, "%s TEMP[4].x, %s, TEMP[1].xxxx, TEMP[2].xxxx%s\n", atomics[which].name,
                  memory, atomics[which].sources == 2 ? ", TEMP[3].xxxx" : "");
    n += snprintf(text + n, size - (size_t)n, "STORE BUFFER[4].x, TEMP[0].xxxx, TEMP[4].xxxx\n");
    if (shared)
        n +=
            snprintf(text + n, size - (size_t)n,
                     "MEMBAR IMM[0].xxxx\nBARRIER\nUSLT TEMP[4].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[4].xxxx\n"
                     "LOAD TEMP[4].x, MEMORY[0], TEMP[0].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[4].xxxx\nENDIF\n");
    snprintf(text + n, size - (size_t)n, "END\n");
}

static void atomics_in_lane_order(void **state)
{
    (void)state;
    static struct atomic_case t;
    static char text[2000];
    t.rng = test_seed("atomics");
    t.job.text = text;
    t.job.storage[0] = (struct exec_buffer){(uint8_t *)t.memory, sizeof t.memory};
    t.job.storage[1] = (struct exec_buffer){(uint8_t *)t.at, sizeof t.at};
    t.job.storage[2] = (struct exec_buffer){(uint8_t *)t.value, sizeof t.value};
    t.job.storage[3] = (struct exec_buffer){(uint8_t *)t.other, sizeof t.other};
    t.job.storage[4] = (struct exec_buffer){(uint8_t *)t.old, sizeof t.old};
    for (t.which = 0; t.which < sizeof atomics / sizeof *atomics; t.which++) {
        atomic_text(text, sizeof text, t.which, false);
        for (unsigned i = 0; i < 4; i++)
            everywhere(&t.job, fill_atomic, check_atomic, &t);
    }
}

/* Shared memory is larger than what it is copied from: addresses outside the buffer are inside it. */
static void atomics_on_shared_memory(void **state)
{
    (void)state;
    static struct atomic_case t;
    static char text[2000];
    t.rng = test_seed("shared atomics");
    t.job.text = text;
    t.job.storage[0] = (struct exec_buffer){(uint8_t *)t.memory, sizeof t.memory};
    t.job.storage[1] = (struct exec_buffer){(uint8_t *)t.at, sizeof t.at};
    t.job.storage[2] = (struct exec_buffer){(uint8_t *)t.value, sizeof t.value};
    t.job.storage[3] = (struct exec_buffer){(uint8_t *)t.other, sizeof t.other};
    t.job.storage[4] = (struct exec_buffer){(uint8_t *)t.old, sizeof t.old};
    for (t.which = 0; t.which < sizeof atomics / sizeof *atomics; t.which++) {
        uint32_t memory[18] = {0};
        atomic_text(text, sizeof text, t.which, true);
        fill_atomic(&t);
        memcpy(memory, t.memory, sizeof t.memory);
        t.job.level = exec_best_level();
        compute_run(&t.job);
        assert_int_equal(t.job.status, WEFT_OK);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t *word = &memory[t.at[i] / 4];
            assert_int_equal(t.old[i], *word);
            *word = atomics[t.which].fn(*word, t.value[i], t.other[i]);
        }
        assert_memory_equal(t.memory, memory, sizeof t.memory);
    }
}

/* ---- the other memories ---- */

static void run_fine(struct compute_job *j)
{
    j->level = exec_best_level();
    compute_run(j);
    if (j->status != WEFT_OK)
        print_error("%s\n", j->message);
    assert_int_equal(j->status, WEFT_OK);
}

static void sizes(void **state)
{
    (void)state;
    uint32_t out[4] = {9, 9, 9, 9}, other[100];
    struct compute_job j = {.text = "COMP\nDCL BUFFER[0..1]\nDCL RES[2], BUFFER, RAW\nDCL TEMP[0]\n"
                                    "IMM[0] UINT32 {0, 4, 8, 12}\n"
                                    "RESQ TEMP[0].x, BUFFER[0]\nSTORE BUFFER[0].x, IMM[0].xxxx, TEMP[0].xxxx\n"
                                    "RESQ TEMP[0].x, BUFFER[1]\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx\n"
                                    "RESQ TEMP[0].x, RES[2]\nSTORE BUFFER[0].x, IMM[0].zzzz, TEMP[0].xxxx\nEND\n"};
    j.storage[0] = (struct exec_buffer){(uint8_t *)out, sizeof out};
    j.storage[1] = (struct exec_buffer){(uint8_t *)other, sizeof other};
    run_fine(&j);
    assert_int_equal(out[0], 16);
    assert_int_equal(out[1], 400);
    assert_int_equal(out[2], 0);
    assert_int_equal(out[3], 9);
}

static void counters_and_constants(void **state)
{
    (void)state;
    uint32_t counters[4] = {10, 20, 30, 40}, constants[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0};
    struct compute_job j = {.text = "COMP\nDCL BUFFER[0]\nDCL CONSTBUF[3]\nDCL HWATOMIC[1][0..3]\nDCL TEMP[0..1]\n"
                                    "IMM[0] UINT32 {0, 1, 16, 8}\n"
                                    "ATOMUADD TEMP[0].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].yyyy\n"
                                    "LOAD TEMP[0].y, HWATOMIC[1][2].xxxx, IMM[0].xxxx\n"
                                    "LOAD TEMP[1].xy, CONSTBUF[3], IMM[0].wwww\n"
                                    "MOV TEMP[0].zw, TEMP[1].xxxy\n"
                                    "STORE BUFFER[0], IMM[0].xxxx, TEMP[0]\nEND\n"};
    j.storage[0] = (struct exec_buffer){(uint8_t *)out, sizeof out};
    j.storage[TGSI_LIFT_COUNTER_SLOTS + 1] = (struct exec_buffer){(uint8_t *)counters, sizeof counters};
    j.constants[3] = (struct exec_buffer){(uint8_t *)constants, sizeof constants};
    run_fine(&j);
    assert_int_equal(out[0], 30);
    assert_int_equal(out[1], 31);
    assert_int_equal(out[2], 3);
    assert_int_equal(out[3], 4);
    assert_int_equal(counters[2], 31);
}

/* A buffer chosen by each lane. */
static void chosen_buffers(void **state)
{
    (void)state;
    uint32_t in[3][LANES], out[LANES];
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < LANES; i++)
            in[k][i] = 1000 * k + i;
    struct compute_job j = {.text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL BUFFER[0..4]\n"
                                    "DCL TEMP[0..2]\nDCL ADDR[0]\nIMM[0] UINT32 {4, 3, 0, 1}\n"
                                    "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUMOD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n"
                                    "UARL ADDR[0].x, TEMP[0].yyyy\n"
                                    "LOAD TEMP[1].x, BUFFER[ADDR[0].x+1], TEMP[0].xxxx\n"
                                    "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
                                    "ATOMUADD TEMP[2].x, BUFFER[ADDR[0].x+1], IMM[0].zzzz, IMM[0].wwww\nEND\n"};
    j.storage[0] = (struct exec_buffer){(uint8_t *)out, sizeof out};
    for (unsigned k = 0; k < 3; k++)
        j.storage[1 + k] = (struct exec_buffer){(uint8_t *)in[k], sizeof in[k]};
    run_fine(&j);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(out[i], 1000 * (i % 3) + i);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(in[k][0], 1000 * k + (k == 0 ? 22 : 21));
}

TEST_MAIN(TEST(loads_and_stores), TEST(atomics_in_lane_order), TEST(atomics_on_shared_memory), TEST(sizes),
          TEST(counters_and_constants), TEST(chosen_buffers))
