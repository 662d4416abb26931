/* test_memory.c - loads, stores and atomics against plain C on a copy of the memory, and what registers hold before a
 * fence is waited for. */
#include "machine.h"

enum { LANE_BYTES = 512, BYTES = LANE_BYTES * LANES, TEMPS = 248, POISON = 0x7fdeadbd };
#define BASE UINT64_C(0x12345678000)

/* Memory of a task, one part for each instance, on the bus; and what it ought to be. */
struct memory {
    uint8_t bytes[BYTES], want[BYTES];
    struct exec_range range;
    struct exec_bus bus;
};

static void attach(struct machine *m, struct memory *mem, struct test_rng *rng)
{
    for (unsigned i = 0; i < BYTES; i++)
        mem->bytes[i] = mem->want[i] = (uint8_t)test_next(rng);
    mem->range = (struct exec_range){BASE, BYTES, mem->bytes, false};
    mem->bus = (struct exec_bus){.ranges = &mem->range, .nranges = 1};
    m->env.bus = &mem->bus;
    assert_int_equal(exec_bind(m->warp, &m->env), WEFT_OK);
}

static void put_address(struct machine *m, unsigned reg, unsigned lane, uint64_t address)
{
    machine_put(m, ROGUE_FILE_R, reg, lane, (uint32_t)address);
    machine_put(m, ROGUE_FILE_R, reg + 1, lane, (uint32_t)(address >> 32));
}

/* ---- bursts ---- */

/* Registers of one instance: r0 r1 address, r2 burst, r3 mask, r4 what predicates; the data from r16 on. */
enum { BURST = 2, MASK = 3, GATE = 4, DATA = 16, LONGEST = 40 };

struct access {
    bool store, tiled, in_register, gated;
    unsigned size, burst; /* log2 of bytes; of the instruction */
};

static struct access random_access(struct test_rng *rng)
{
    struct access a = {.store = test_next(rng) & 1,
                       .in_register = test_next(rng) & 1,
                       .gated = test_next(rng) & 1,
                       .burst = 1 + test_next(rng) % 16};
    a.tiled = a.store && (test_next(rng) & 1);
    a.size = a.store ? test_next(rng) % 3 : 2;
    return a;
}

static void write_text(const struct access *a, char *text, size_t size)
{
    static const char *const load_modes[] = {"", ".bypass", ".forcelinefill"};
    char burst[8];
    snprintf(burst, sizeof burst, a->in_register ? "r%u" : "%u", a->in_register ? BURST : a->burst);
    int n = snprintf(text, size, "0 : mov ft0, r%u\n    tstz.u32 ftt, p0, ft0\n1 : %s", GATE,
                     a->gated ? "if(p0)\n    " : "");
    if (!a->store)
        snprintf(text + n, size - (size_t)n, "ld%s r%u, drc1, %s, r0\n2 : wdf drc1\n", load_modes[a->burst % 3], DATA,
                 burst);
    else
        snprintf(text + n, size - (size_t)n, "st%s r%u, %u, drc0, %s, r0, %s\n2 : idf drc0, r0\n3 : wdf drc0\n",
                 a->tiled ? ".tiled" : "", DATA, a->size, burst, a->tiled ? "r3" : "_");
}

/* What one instance does, on the copy and on its registers. */
static void perform(const struct access *a, const uint32_t *before, uint64_t address, uint8_t *memory, uint32_t *after)
{
    unsigned burst = a->in_register ? before[BURST] : a->burst;
    if ((a->gated && before[GATE] != 0) || (a->tiled && before[MASK] == 0))
        return;
    for (unsigned i = 0; i < burst; i++) {
        size_t at = (size_t)(address - BASE) + ((size_t)i << a->size);
        if (a->store)
            memcpy(memory + at, &before[DATA + i], (size_t)1 << a->size);
        else
            memcpy(&after[DATA + i], memory + at, 4);
    }
}

static void test_bursts(void **state)
{
    (void)state;
    enum { PROGRAMS = 300 };
    struct test_rng rng = test_seed("bursts");
    for (unsigned n = 0; n < PROGRAMS; n++) {
        struct machine m;
        static struct memory mem;
        struct access a = random_access(&rng);
        char text[256];
        uint32_t before[TEMPS] = {0}, after[LANES][TEMPS];
        write_text(&a, text, sizeof text);
        assert_true(machine_start(&m, text, false, n & 1));
        attach(&m, &mem, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t address = BASE + (uint64_t)lane * LANE_BYTES + test_next(&rng) % 64 * 4;
            for (unsigned i = 0; i < DATA + LONGEST; i++) {
                before[i] = i == BURST               ? 1 + test_next(&rng) % LONGEST
                            : i == MASK || i == GATE ? test_next(&rng) % 3
                                                     : test_next(&rng);
                machine_put(&m, ROGUE_FILE_R, i, lane, before[i]);
            }
            put_address(&m, 0, lane, address);
            memcpy(after[lane], before, sizeof before);
            perform(&a, before, address, mem.want, after[lane]);
        }
        assert_true(machine_run(&m));
        unsigned data =
            m.ir->files[ROGUE_FILE_R].count - DATA < LONGEST ? m.ir->files[ROGUE_FILE_R].count - DATA : LONGEST;
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned i = 0; i < data; i++)
                assert_int_equal(machine_get(&m, ROGUE_FILE_R, DATA + i, lane), after[lane][DATA + i]);
        assert_memory_equal(mem.bytes, mem.want, BYTES);
        machine_end(&m);
    }
}

/* A count that a constant gives, and 0, which is 1024: as many registers as there are. */
static void test_counts_of_sources(void **state)
{
    (void)state;
    struct machine m;
    static struct memory mem;
    struct test_rng rng = test_seed("counts of sources");
    assert_true(machine_start(&m, "0 : ld r16, drc0, c7, r0\n1 : wdf drc0\n2 : ld r200, drc0, r2, r0\n3 : wdf drc0\n",
                              false, true));
    attach(&m, &mem, &rng);
    for (unsigned lane = 0; lane < LANES; lane++) {
        put_address(&m, 0, lane, BASE + (uint64_t)lane * LANE_BYTES);
        machine_put(&m, ROGUE_FILE_R, 2, lane, lane & 1 ? 0 : 1024 + 3);
        for (unsigned i = 16; i < TEMPS; i++)
            machine_put(&m, ROGUE_FILE_R, i, lane, 5);
    }
    assert_true(machine_run(&m));
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < 48; i++) {
            uint32_t word;
            memcpy(&word, mem.bytes + lane * LANE_BYTES + 4 * i, 4);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 16 + i, lane), i < 7 ? word : 5);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 200 + i, lane), i < (lane & 1 ? 48 : 3) ? word : 5);
        }
    machine_end(&m);
}

/* ---- atomics ---- */

static uint32_t add(uint32_t a, uint32_t b)
{
    return a + b;
}
static uint32_t sub(uint32_t a, uint32_t b)
{
    return a - b;
}
static uint32_t exchange(uint32_t a, uint32_t b)
{
    (void)a;
    return b;
}
static uint32_t umin(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t umax(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static uint32_t imin(uint32_t a, uint32_t b)
{
    return (int32_t)a < (int32_t)b ? a : b;
}
static uint32_t imax(uint32_t a, uint32_t b)
{
    return (int32_t)a > (int32_t)b ? a : b;
}
static uint32_t and (uint32_t a, uint32_t b)
{
    return a & b;
}
static uint32_t or (uint32_t a, uint32_t b)
{
    return a | b;
}
static uint32_t xor (uint32_t a, uint32_t b) { return a ^ b; }

    /* Instances meet at few words, and act in the order of their numbers. */
    static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t (*fn)(uint32_t, uint32_t);
    } ops[] = {{"add", add},   {"sub", sub},   {"xchg", exchange}, {"umin", umin}, {"umax", umax},
               {"imin", imin}, {"imax", imax}, {"and", and},       {"or", or },    {"xor", xor}};
    enum { OPS = sizeof ops / sizeof *ops, ROUNDS = 8, WORDS = 5 };
    struct test_rng rng = test_seed("atomics");
    for (unsigned n = 0; n < OPS * ROUNDS; n++) {
        struct machine m;
        static struct memory mem;
        char text[80];
        uint32_t old[LANES];
        snprintf(text, sizeof text, "0 : atom.%s r8, drc1, r0\n1 : wdf drc1\n", ops[n % OPS].name);
        assert_true(machine_start(&m, text, false, n & 1));
        attach(&m, &mem, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned at = test_next(&rng) % WORDS * 4;
            uint32_t operand = test_next(&rng) & 1 ? test_next(&rng) : test_next(&rng) % 5 - 2;
            put_address(&m, 0, lane, BASE + at);
            machine_put(&m, ROGUE_FILE_R, 2, lane, operand);
            memcpy(&old[lane], mem.want + at, 4);
            uint32_t new = ops[n % OPS].fn(old[lane], operand);
            memcpy(mem.want + at, &new, 4);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++)
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 8, lane), old[lane]);
        assert_memory_equal(mem.bytes, mem.want, BYTES);
        machine_end(&m);
    }
}

/* ---- fences ---- */

static void sample_seven(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; call->results[c] && lane < call->lanes; lane++)
            ((float *)call->results[c])[lane] = 7.0f;
}

/* Everything that lands later: into r8, from 7 words of memory, planes of 7, textures of 7. Before its fence is waited
 * for, r8 keeps what it had; strict programs find poison there. */
static void test_early_reads(void **state)
{
    (void)state;
    static const char *const requests[] = {"ld r8, drc0, 1, r0",
                                           "ld r8, drc0, r2, r0",
                                           "ld r8, drc0, c1, r0",
                                           "atom.or r8, drc0, r0",
                                           "fitr.pixel r8, drc0, cf4, 1",
                                           "fitrp.pixel r8, drc0, cf4, cf0, 1",
                                           "ditr.pixel r8, drc0, cf4, 1, cf0",
                                           "ditrp.pixel r8, drc0, cf4, cf0, 1",
                                           "ditrp.write.pixel r8, drc0, cf4, cf0, 1",
                                           "smp2d.fcnorm drc0, sh0, r0, sh4, _, r8, 1",
                                           "smp2d.fcnorm.data drc0, sh0, r0, sh4, _, r8, 1",
                                           "itrsmp2d.pixel.fcnorm r8, 1, drc0, cf4, sh0, sh4, 1, 1, cf0"};
    static const char linkage[] =
        "sh 0 texture 0\nsh 4 sampler 0\nin W cf0\nin GENERIC[0].x cf4\nin GENERIC[0].y cf8\n";
    static const struct exec_plane planes[4] = {{7, 0, 0}, {7, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const float seven = 7.0f;
    uint32_t bits;
    memcpy(&bits, &seven, sizeof bits);
    struct test_rng rng = test_seed("early reads");
    for (unsigned n = 0; n < 2 * (sizeof requests / sizeof *requests); n++) {
        struct machine m;
        static struct memory mem;
        char text[200];
        bool strict = n & 1;
        snprintf(
            text, sizeof text,
            "0 : %s\n1 : mov ft0, r8\n    mov r40, ft0\n2 : wdf drc1\n3 : mov ft0, r8\n    mov r41, ft0\n4 : wdf drc0\n"
            "5 : mov ft0, r8\n    mov r42, ft0\n",
            requests[n / 2]);
        printf("# %s%s\n", strict ? "strict: " : "", requests[n / 2]);
        assert_true(machine_start_at(&m, IR_FRAGMENT, linkage, text, strict, true));
        attach(&m, &mem, &rng);
        for (unsigned i = 0; i < BYTES; i += 4)
            memcpy(mem.bytes + i, &bits, 4);
        m.env.plane = planes;
        m.env.w_one = true;
        m.env.w_plane = (struct exec_plane){1, 0, 0};
        m.env.texture = sample_seven;
        assert_int_equal(exec_bind(m.warp, &m.env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++) {
            put_address(&m, 0, lane, BASE + (uint64_t)lane * 4);
            machine_put(&m, ROGUE_FILE_R, 2, lane, strstr(requests[n / 2], "atom") ? 0 : 1);
            machine_put(&m, ROGUE_FILE_R, 8, lane, lane + 100);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++) {
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 40, lane), strict ? POISON : lane + 100);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 41, lane), strict ? POISON : lane + 100);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 42, lane), bits);
        }
        machine_end(&m);
    }
}

static uint32_t word_of(const struct memory *mem, unsigned lane, unsigned n)
{
    uint32_t word;
    memcpy(&word, mem->bytes + lane * LANE_BYTES + 4 * n, 4);
    return word;
}

/* Words of its own memory to each instance; r8 is 5, r2 is 0 in even instances where `mixed` says so. */
static void run_with(struct machine *m, struct memory *mem, const char *text, bool strict, bool mixed,
                     struct test_rng *rng)
{
    assert_true(machine_start(m, text, strict, true));
    attach(m, mem, rng);
    for (unsigned lane = 0; lane < LANES; lane++) {
        put_address(m, 0, lane, BASE + (uint64_t)lane * LANE_BYTES);
        machine_put(m, ROGUE_FILE_R, 2, lane, mixed ? lane & 1 : 0);
        machine_put(m, ROGUE_FILE_R, 8, lane, 5);
    }
    assert_true(machine_run(m));
}

/* A request in one run of groups, the wait in another. */
static void test_waits_elsewhere(void **state)
{
    (void)state;
    static const char late[] =
        "0 : mov ft0, r2\n    tstz.u32 ftt, p0, ft0\n1 : if(p0)\n    ld r8, drc0, 1, r0\n2 : br L\n3 : nop\nL:\n"
        "4 : mov ft0, r8\n    mov r40, ft0\n5 : wdf drc1\n6 : mov ft0, r8\n    mov r41, ft0\n7 : wdf drc0\n"
        "8 : mov ft0, r8\n    mov r42, ft0\n";
    static const char never[] =
        "0 : ld r8, drc0, 1, r0\n1 : br L\n2 : nop\nL:\n3 : wdf drc1\n4 : mov ft0, r8\n    mov r40, ft0\n";
    struct machine m;
    static struct memory mem;
    struct test_rng rng = test_seed("waits elsewhere");
    for (unsigned strict = 0; strict < 2; strict++) {
        run_with(&m, &mem, late, strict, true, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            bool asked = !(lane & 1);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 40, lane), asked && strict ? POISON : 5);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 41, lane), asked && strict ? POISON : 5);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 42, lane), asked ? word_of(&mem, lane, 0) : 5);
        }
        machine_end(&m);
        run_with(&m, &mem, never, strict, false, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 40, lane), strict ? POISON : 5);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 8, lane),
                             word_of(&mem, lane, 0)); /* the program has ended */
        }
        machine_end(&m);
    }
}

/* Each turn of a loop waits for what the one before has asked for. */
static void test_waits_in_a_loop(void **state)
{
    (void)state;
    static const char text[] =
        "0 : mov ft0, c0\n    mov ft1, c0\n    mov r9, ft0\n    mov r10, ft1\nL:\n1 : wdf drc0\n"
        "2 : umadd32 ft0, r9, c3, r8,\n    mov r9, ft0\n3 : ld r8, drc0, 1, r0\n"
        "4 : umadd32 ft0, r0, c1, c4,\n    mov r0, ft0\n5 : umadd32 ft0, r10, c1, c1,\n    mov r10, ft0\n"
        "6 : mov ft0, r10\n    mov ft1, c4\n    tstl.u32 ftt, p0, ft0, ft1\n7 : if(p0) br L\n"
        "8 : mov ft0, r8\n    mov r11, ft0\n";
    struct machine m;
    static struct memory mem;
    struct test_rng rng = test_seed("waits in a loop");
    run_with(&m, &mem, text, false, false, &rng);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t want = 5;
        for (unsigned n = 0; n < 3; n++)
            want = want * 3 + word_of(&mem, lane, n);
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 9, lane), want);
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 11, lane), word_of(&mem, lane, 2));
    }
    machine_end(&m);
}

/* Of two requests for one register, the one that was made last lands, wherever it is in the program. */
static void test_requests_in_turn(void **state)
{
    (void)state;
    static const char text[] =
        "0 : br B\nA:\n1 : ld r8, drc0, 1, r0\n2 : br C\nB:\n3 : ld r8, drc0, 1, r4\n4 : br A\nC:\n"
        "5 : wdf drc0\n6 : mov ft0, r8\n    mov r40, ft0\n";
    struct machine m;
    static struct memory mem;
    struct test_rng rng = test_seed("requests in turn");
    assert_true(machine_start(&m, text, false, true));
    attach(&m, &mem, &rng);
    for (unsigned lane = 0; lane < LANES; lane++) {
        put_address(&m, 0, lane, BASE + (uint64_t)lane * LANE_BYTES);
        put_address(&m, 4, lane, BASE + (uint64_t)lane * LANE_BYTES + 4);
    }
    assert_true(machine_run(&m));
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 40, lane), word_of(&mem, lane, 0));
    machine_end(&m);
}

/* Many registers are on their way past branches: `loads` bursts of 16 words, each waited for after one. */
static void write_many(char *text, size_t size, unsigned loads)
{
    size_t n = 0;
    for (unsigned i = 0; i < loads; i++)
        n += (size_t)snprintf(text + n, size - n, "%u : ld r%u, drc%u, 16, r0\n", i, DATA + 16 * (i % 8), i % 2);
    for (unsigned i = 0; i < loads; i++)
        n += (size_t)snprintf(text + n, size - n, "%u : br L%u\n%u : nop\nL%u:\n%u : wdf drc%u\n", loads + 3 * i, i,
                              loads + 3 * i + 1, i, loads + 3 * i + 2, i % 2);
    snprintf(text + n, size - n, "%u : mov ft0, r%u\n    mov r200, ft0\n", 4 * loads, DATA + 16);
}

/* They land where they should, also by way of the place that waits share. */
static void test_many_on_their_way(void **state)
{
    (void)state;
    enum { LOADS = 8 };
    struct machine m;
    static struct memory mem;
    static char text[2000];
    struct test_rng rng = test_seed("many on their way");
    write_many(text, sizeof text, LOADS);
    for (unsigned strict = 0; strict < 2; strict++) {
        run_with(&m, &mem, text, strict, false, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 200, lane), word_of(&mem, lane, 0));
            for (unsigned n = 0; n < 16 * LOADS; n++)
                assert_int_equal(machine_get(&m, ROGUE_FILE_R, DATA + n, lane), word_of(&mem, lane, n % 16));
        }
        machine_end(&m);
    }
}

static size_t ops_of(unsigned loads)
{
    struct machine m;
    static char text[40000];
    size_t ops = 0;
    write_many(text, sizeof text, loads);
    assert_true(machine_start(&m, text, false, false));
    for (uint32_t b = 0; b < m.ir->nblocks; b++)
        ops += m.ir->blocks[b].count;
    machine_end(&m);
    return ops;
}

/* What a program becomes grows as the program does. */
static void test_size_of_waits(void **state)
{
    (void)state;
    size_t small = ops_of(64), large = ops_of(256);
    printf("# 64 requests and waits become %zu ops, 256 of them %zu\n", small, large);
    assert_true(large < 5 * small);
}

/* ---- requests and waits at random ---- */

enum { STEPS = 40, PARTS = 6, FIRST = 8, SPREAD = 96, SEEN = 110, ADDRESSES = 3 };

/* One step of a program: each is a group, or two. */
struct step {
    enum { REQUEST, WAIT, LOOK, OVERWRITE, STEP_KINDS } kind;
    unsigned fence, at, count, from;
    bool some; /* a request of the instances that have P0 */
};

struct plan {
    struct step step[STEPS];
    unsigned part[PARTS + 1]; /* the first step of each part; parts run in turn, and are in the text in another order */
    unsigned place[PARTS];
};

static struct plan random_plan(struct test_rng *rng)
{
    struct plan p = {.part = {0}};
    unsigned spread = test_next(rng) % 2 ? SPREAD : 12, most = spread == SPREAD ? 16 : 4;
    for (unsigned i = 0; i < STEPS; i++) {
        struct step *s = &p.step[i];
        *s = (struct step){.kind = test_next(rng) % 2 ? REQUEST : test_next(rng) % STEP_KINDS,
                           .fence = test_next(rng) % 2, .from = test_next(rng) % ADDRESSES,
                           .count = 1 + test_next(rng) % most, .some = test_next(rng) % 4 == 0};
        s->at = FIRST + test_next(rng) % (spread - s->count + 1);
    }
    for (unsigned i = 0; i < PARTS; i++) {
        unsigned j = test_next(rng) % (i + 1);
        p.part[i] = i * STEPS / PARTS;
        p.place[i] = p.place[j];
        p.place[j] = i;
    }
    p.part[PARTS] = STEPS;
    return p;
}

static size_t write_step(const struct step *s, unsigned seen, unsigned *group, char *text, size_t size)
{
    switch (s->kind) {
    case REQUEST:
        return (size_t)snprintf(text, size, "%u : %sld r%u, drc%u, %u, r%u\n", (*group)++,
                                s->some ? "if(p0)\n    " : "", s->at, s->fence, s->count, 2 * s->from);
    case WAIT:
        return (size_t)snprintf(text, size, "%u : wdf drc%u\n", (*group)++, s->fence);
    case LOOK:
        return (size_t)snprintf(text, size, "%u : mov ft0, r%u\n    mov r%u, ft0\n", (*group)++, s->at, SEEN + seen);
    default:
        return (size_t)snprintf(text, size, "%u : mov ft0, c3\n    mov r%u, ft0\n", (*group)++, s->at);
    }
}

static void write_plan(const struct plan *p, char *text, size_t size)
{
    unsigned group = 1;
    size_t n = (size_t)snprintf(text, size, "0 : mov ft0, r7\n    tstz.u32 ftt, p0, ft0\n");
    n += (size_t)snprintf(text + n, size - n, "%u : br L0\n", group++);
    for (unsigned k = 0; k < PARTS; k++) {
        unsigned part = p->place[k];
        n += (size_t)snprintf(text + n, size - n, "L%u:\n", part);
        for (unsigned i = p->part[part]; i < p->part[part + 1]; i++)
            n += write_step(&p->step[i], i, &group, text + n, size - n);
        n += (size_t)snprintf(text + n, size - n, "%u : br L%u\n", group++, part + 1);
    }
    n += (size_t)snprintf(text + n, size - n, "L%u:\n%u : nop\n", PARTS, group);
    assert_true(n < size);
}

/* What an instance ought to have in the end: results land in turn where their fence is waited for, and at the end. */
static void follow(const struct plan *p, const struct memory *mem, unsigned lane, bool strict, uint32_t r[TEMPS])
{
    struct {
        unsigned at, fence;
        uint32_t value;
    } waiting[STEPS * 16];
    unsigned n = 0;
    for (unsigned i = 0; i < STEPS + 2; i++) {
        const struct step *s = i < STEPS ? &p->step[i] : &(const struct step){.kind = WAIT, .fence = i - STEPS};
        for (unsigned k = 0; s->kind == REQUEST && k < s->count && (!s->some || !(lane & 1)); k++) {
            waiting[n].at = s->at + k;
            waiting[n].fence = s->fence;
            waiting[n++].value = word_of(mem, lane, 20 * s->from + k);
            r[s->at + k] = strict ? POISON : r[s->at + k];
        }
        unsigned left = 0;
        for (unsigned k = 0; s->kind == WAIT && k < n; k++) {
            if (waiting[k].fence == s->fence)
                r[waiting[k].at] = waiting[k].value;
            else
                waiting[left++] = waiting[k];
        }
        n = s->kind == WAIT ? left : n;
        if (s->kind == LOOK)
            r[SEEN + i] = r[s->at];
        if (s->kind == OVERWRITE)
            r[s->at] = 3;
    }
}

static void test_random_requests(void **state)
{
    (void)state;
    static struct memory mem;
    static char text[8000];
    struct test_rng rng = test_seed("requests at random");
    for (unsigned n = 0; n < 300; n++) {
        struct machine m;
        struct plan p = random_plan(&rng);
        bool strict = n & 1;
        write_plan(&p, text, sizeof text);
        assert_true(machine_start(&m, text, strict, n & 2));
        attach(&m, &mem, &rng);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned a = 0; a < ADDRESSES; a++)
                put_address(&m, 2 * a, lane, BASE + (uint64_t)lane * LANE_BYTES + 80 * a);
            machine_put(&m, ROGUE_FILE_R, 7, lane, lane & 1);
            for (unsigned k = FIRST; k < TEMPS; k++)
                machine_put(&m, ROGUE_FILE_R, k, lane, 1000 * k + lane);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t want[TEMPS];
            for (unsigned k = 0; k < TEMPS; k++)
                want[k] = 1000 * k + lane;
            follow(&p, &mem, lane, strict, want);
            for (unsigned k = FIRST; k < SEEN + STEPS; k++) {
                bool there = machine_row(&m, ROGUE_FILE_R, k) != NULL;
                if (there && machine_get(&m, ROGUE_FILE_R, k, lane) != want[k]) {
                    printf("# r%u of instance %u is %#x, not %#x%s\n%s\n", k, lane,
                           machine_get(&m, ROGUE_FILE_R, k, lane), want[k], strict ? ", strict" : "", text);
                    fail();
                }
            }
        }
        machine_end(&m);
    }
}

TEST_MAIN(TEST(test_waits_elsewhere), TEST(test_waits_in_a_loop), TEST(test_requests_in_turn),
          TEST(test_many_on_their_way), TEST(test_size_of_waits), TEST(test_random_requests),
          TEST(test_bursts), TEST(test_counts_of_sources),
          TEST(test_atomics), TEST(test_early_reads))
