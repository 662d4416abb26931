/* Random programs on machines of both engines: after every few instructions they are the same to the bit. Programs have
 * loops, calls, branches, loads and stores of all widths, vector instructions, faults, interrupts and code that they
 * change themselves; a device looks at the registers whenever it is asked, in the middle of whatever runs.
 * WEFT_TEST_PROGRAMS says how many. */
#include "program.h"

#include <weft/weft.h>

enum {
    SDRAM = 0x10000, DATA = 0x4000, TABLE = 0x5000, HANDLER = 0x6000, ON_TIME = 0x6100, STACK = 0x8000,
    DEVICE = 0x7e300000, LINE = 100, MATCH = 65, ENGINES = 2, TEXT = 16384
};

/* ---- a device that sees everything ---- */

struct looker {
    uint64_t seen; /* of all that it was asked, and of what the registers were then */
    uint32_t asked;
};

static uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t look(const weft_machine *m, uint64_t h)
{
    for (unsigned r = 0; r < 32; r++)
        h = mixed(h, weft_machine_register(m, r));
    for (unsigned row = 0; row < 64; row += 3)
        h = mixed(h, weft_machine_vector(m, row, row & 15));
    return mixed(h, weft_machine_instructions(m));
}

static int device_load(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t *value)
{
    struct looker *k = context;
    k->seen = look(m, mixed(k->seen, offset << 8 | size));
    *value = (uint32_t)(k->seen >> 32);
    if (++k->asked % 16 == 5)
        weft_machine_raise(m, LINE, 1);
    if (k->asked % 16 == 9) { /* and it may write registers */
        weft_machine_set_register(m, 3, (uint32_t)k->seen);
        weft_machine_set_vector(m, 3, 4, (uint32_t)k->seen);
    }
    return 1;
}

static int device_store(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t value)
{
    struct looker *k = context;
    k->seen = look(m, mixed(k->seen, (uint64_t)value << 32 | offset << 8 | size));
    if (offset == 24)
        weft_machine_raise(m, LINE, 0);
    return 1;
}

/* ---- programs ---- */

struct maker {
    struct test_rng *r;
    char text[TEXT];
    size_t size;
    unsigned labels, patches;
};

static unsigned roll(struct maker *k, unsigned n) { return test_next(k->r) % n; }

static void __attribute__((format(printf, 2, 3))) say(struct maker *k, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    k->size += (size_t)vsnprintf(k->text + k->size, TEXT - k->size, format, ap);
    va_end(ap);
    assert_true(k->size < TEXT);
}

/* Of those that bodies of loops compute with: r0 to r5. */
static unsigned some(struct maker *k) { return roll(k, 6); }

static void arithmetic(struct maker *k)
{
    static const char *const two[] = {"add", "sub", "and", "eor", "or", "mul", "bic", "min", "max", "rsub", "shl",
                                      "lsr", "asr", "ror", "mov", "not", "neg", "abs", "brev", "msb", "cmp", "cmn"};
    static const char *const conditions[] = {"", "", "", ".eq", ".ne", ".lt", ".ge", ".hi", ".ls", ".gt", ".mi", ".vs"};
    unsigned op = roll(k, sizeof two / sizeof *two);
    const char *when = conditions[roll(k, sizeof conditions / sizeof *conditions)];
    if (roll(k, 3) == 0)
        say(k, "%s r%u, %u\n", op < 15 ? two[op] : "add", some(k), roll(k, 31));
    else if (op < 5)
        say(k, "%s%s r%u, r%u, r%u\n", two[op], when, some(k), some(k), some(k));
    else
        say(k, "%s r%u, r%u\n", two[op], some(k), some(k));
}

static void access_memory(struct maker *k)
{
    static const char *const words[] = {"ld", "st", "ld", "st"}, *const halves[] = {"ldh", "sth", "ldsh", "sth"},
                      *const bytes[] = {"ldb", "stb", "ldsb", "stb"};
    unsigned how = roll(k, 4);
    switch (roll(k, 8)) {
    case 0:
        say(k, "%s r%u, (r8+%u)\n", halves[how], some(k), 2 * roll(k, 128));
        break;
    case 1:
        say(k, "%s r%u, (r8+%u)\n", bytes[how], some(k), roll(k, 256));
        break;
    case 2: /* another name of the memory */
        say(k, "%s r%u, (r13+%u)\n", words[how], some(k), 4 * roll(k, 64));
        break;
    case 3:
        say(k, "and r12, r%u, 31\n%s r%u, (r8+r12<<2)\n", some(k), words[how], some(k));
        break;
    case 4:
        say(k, "mov r11, r8\n%s r%u, (r11++)\n%s r%u, (r11++)\n", words[how], some(k), words[how ^ 1], some(k));
        break;
    case 5:
        say(k, "stm r0-r3, lr, (--sp)\n%s r%u, (r8+%u)\nldm r0-r3, (sp++)\nadd sp, 4\n", words[how], some(k),
            4 * roll(k, 64));
        break;
    default:
        say(k, "%s r%u, (r8+%u)\n", words[how], some(k), 4 * roll(k, 64));
    }
}

static void ask_device(struct maker *k)
{
    static const char *const ops[] = {"ld", "st", "ldh", "stb"};
    say(k, "%s r%u, (r9+%u)\n", ops[roll(k, 4)], some(k), 4 * roll(k, 4));
}

static void branch(struct maker *k, void (*inside)(struct maker *))
{
    static const char *const conditions[] = {"eq", "ne", "lt", "ge", "hs", "lo", "hi", "ls", "gt", "le", "mi", "vc"};
    const char *when = conditions[roll(k, 12)];
    unsigned label = k->labels++;
    if (roll(k, 2))
        say(k, "cmp r%u, r%u\nb%s on%u\n", some(k), some(k), when, label);
    else
        say(k, "b%s r%u, r%u, on%u\n", when, some(k), some(k), label);
    inside(k);
    say(k, "on%u:\n", label);
}

/* Rows of memory: at any address, below the end of memory, in another name of it, lane by lane, of a device. */
static void vector_access(struct maker *k)
{
    static const uint32_t places[] = {DATA, DATA + 16, DATA + 3, SDRAM - 64, SDRAM - 32, 0xc0000000 + DATA, STACK,
                                      0x1fe};
    static const char *const ops[] = {"v32ld HY(%u,0)", "v16ld HX(%u,0)", "vld H(%u,0)", "v32st HY(%u,0)",
                                      "v16st HX(%u,0)", "vst H(%u,0)"};
    static const char *const more[] = {"", "", "", " IFN", " IFZ", " REP2"};
    uint32_t at = roll(k, 30) ? places[roll(k, 8)] : DEVICE;
    say(k, "mov r12, 0x%x\n", at);
    for (unsigned n = 1 + roll(k, 3); n; n--) {
        say(k, ops[roll(k, 6)], roll(k, 16));
        if (roll(k, 4) == 0)
            say(k, ", (r12+=r%u) REP2\n", some(k));
        else
            say(k, ", (r12+%u)%s\n", roll(k, 40), more[roll(k, 6)]);
    }
}

/* Columns are written, some of their rows too, and both are read. */
static void columns(struct maker *k, unsigned d, unsigned a, const char *when)
{
    static const char *const names[] = {"VX(16,%u)", "VY(16,%u)", "V(16,%u)", "VX(16,%u)"};
    unsigned column = roll(k, 16), kind = roll(k, 4);
    char name[20];
    snprintf(name, sizeof name, names[kind], column);
    say(k, "%s %s, H%s(%u,0)%s\n", kind == 1 ? "v32mov" : kind == 2 ? "vmov" : "v16mov", name,
        kind == 1 ? "Y" : kind == 2 ? "" : "X", a, when);
    if (roll(k, 2))
        say(k, "v32add HY(%u,0), HY(%u,0), r%u\n", 16 + roll(k, 3), roll(k, 2) ? a : 16 + roll(k, 3), some(k));
    if (roll(k, 2))
        say(k, "v16mov VX(16,%u), HX(%u,0)\n", roll(k, 2) ? column : roll(k, 16), d);
    say(k, "v32add HY(%u,0), %s, r%u\nv32eor HY(%u,0), HY(%u,0), HY(%u,0)\n", d, name, some(k), a, 16 + roll(k, 3), d);
}

static void vector(struct maker *k)
{
    static const char *const ops[] = {"add", "sub", "min", "max", "eor", "and", "asr", "shl", "dist", "subs", "adds"};
    static const char *const ifs[] = {"", "", " SETF", " IFN", " IFZ", " IFNN", " SETF IFC"};
    const char *op = ops[roll(k, 11)], *when = ifs[roll(k, 7)];
    unsigned d = roll(k, 16), a = roll(k, 16), b = roll(k, 16);
    switch (roll(k, 10)) {
    case 0:
        say(k, "v32%s HY(%u,0), HY(%u,0), HY(%u,0)%s\n", op, d, a, b, when);
        break;
    case 1:
        say(k, "v16%s HX(%u,%u), HX(%u,0), H(%u,16)%s\n", op, d, 32 * roll(k, 2), a, b, when);
        break;
    case 2:
        say(k, "v%s H(%u,%u), V(%u,%u), %u%s\n", op, d, 16 * roll(k, 4), a & 48, b, roll(k, 30), when);
        break;
    case 3:
        say(k, "v32ld HY(%u,0), (r8+%u)\nv16ld HX(%u,0), (r8+%u)\n", d, 64 * roll(k, 4), a, 32 * roll(k, 8));
        break;
    case 4:
        say(k, "v32st HY(%u,0), (r8+%u)%s\nv8st H(%u,0), (r8+%u)\n", d, 64 * roll(k, 4), roll(k, 3) ? "" : " IFN", a,
            roll(k, 200));
        break;
    case 5:
        say(k, "v16mov -, HX(%u,0) CLRA UACC\nv16mov -, HX(%u,0) MAX r%u\n", a, b, some(k));
        break;
    case 6:
        say(k, "vmull.ss HX(%u,0), HX(%u,0), HX(%u,0)%s\nvmul32.ss HY(%u,0), HX(%u,0), HX(%u,0)\n", d, a, b, when, b,
            a, d);
        break;
    case 7:
    case 8:
        columns(k, d, a, when);
        break;
    default:
        say(k, "v32add HY(%u++,0), HY(%u++,0), %u REP4\n", 32 + d, a, roll(k, 100));
    }
}

/* Another instruction in the place of one of the loop, now and then. */
static void patch(struct maker *k)
{
    static const char *const instructions[] = {"add r2, 1", "sub r2, 3", "eor r2, r3", "mov r4, 7"};
    unsigned n = k->patches++, to = roll(k, 4);
    say(k, "cmp r6, %u\nbne keep%u\nlea r10, patch%u\nlea r11, other%u\nldh r12, (r11)\nsth r12, (r10)\nkeep%u:\n",
        roll(k, 9), n, n, to, n);
    if (roll(k, 2))
        say(k, "b more%u\nmore%u:\n", n, n);
    say(k, "patch%u: %s\n", n, instructions[roll(k, 4)]);
}

static void statement(struct maker *k)
{
    switch (roll(k, 14)) {
    case 0:
        branch(k, arithmetic);
        break;
    case 1:
        branch(k, access_memory);
        break;
    case 2:
    case 3:
    case 4:
        access_memory(k);
        break;
    case 5:
        if (roll(k, 3) == 0)
            ask_device(k);
        break;
    case 6:
        if (roll(k, 4) == 0)
            patch(k);
        break;
    case 7:
        vector(k);
        break;
    case 8:
        if (roll(k, 3))
            vector(k);
        else
            vector_access(k);
        break;
    case 9:
        say(k, "bl leaf%u\n", roll(k, 2));
        break;
    case 10: /* what is not aligned, or nothing at all: an exception that nobody handles */
        if (roll(k, 40) == 0)
            say(k, roll(k, 2) ? "add r12, r8, r%u\nld r3, (r12+1)\n" : "mov r12, 0x3e000000\nst r%u, (r12)\n", some(k));
        break;
    default:
        arithmetic(k);
    }
}

static void make(struct maker *k)
{
    k->size = k->labels = k->patches = 0;
    say(k, "mov sp, 0x%x\nmov r8, 0x%x\nmov r13, 0xc0004000\nmov r9, 0x%x\nmov r14, 0x7e002000\nmov r1, 0x%x\n", STACK,
        DATA, DEVICE, TABLE);
    say(k, "st r1, (r14+0x30)\nmov r1, 0x70000\nst r1, (r14+0x20)\n");
    if (roll(k, 2)) /* the timer, every few hundred instructions */
        say(k, "mov r1, 0x70\nst r1, (r14+0x10)\nmov r15, 0x7e003000\nmov r1, %u\nst r1, (r15+0x10)\n", 1 + roll(k, 4));
    say(k, "ei\nmov r7, %u\nouter: mov r6, %u\ninner:\n", 1 + roll(k, 9), 1 + roll(k, 30));
    for (unsigned n = 3 + roll(k, 20); n; n--)
        statement(k);
    const char *far = k->size > 2500 ? "sub r6, 1\ncmp r6, 0\nbne" : "addcmpbne r6, -1, 0,"; /* which reaches less */
    say(k, "%s inner\n", far);
    for (unsigned n = roll(k, 8); n; n--)
        statement(k);
    say(k, "sub r7, 1\ncmp r7, 0\nbne outer\nmov r0, 0\nsleep\n");
    for (unsigned leaf = 0; leaf < 2; leaf++) {
        say(k, "leaf%u:\n", leaf);
        for (unsigned n = 1 + roll(k, 4); n; n--)
            arithmetic(k);
        say(k, "rts\n");
    }
    say(k, "other0: add r2, 5\nother1: not r2, r2\nother2: ror r2, r4\nother3: sub r4, 1\n");
}

/* ---- both engines ---- */

static void put_handler(weft_machine *m, unsigned number, uint32_t at, const char *text)
{
    struct program p = from_text(text);
    size_t size;
    const uint8_t *bytes = bytes_of(&p, &size);
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(weft_machine_write(m, TABLE + 4 * number, &at, 4), WEFT_OK);
    assert_int_equal(weft_machine_write(m, at, bytes, size), WEFT_OK);
    drop(&p);
}

static weft_machine *machine(weft_engine engine, weft_cpu_level level, struct looker *looker, const uint8_t *code,
                             size_t size)
{
    weft_machine_options o = {.size = sizeof o, .sdram = SDRAM, .engine = engine, .cpu_level = level};
    const weft_device device = {.size = sizeof device, .first = DEVICE, .bytes = 32, .context = looker,
                                .load = device_load, .store = device_store};
    weft_machine *m;
    if (weft_machine_new(&o, NULL, &m) != WEFT_OK) { /* this host does not have the level */
        o.cpu_level = WEFT_CPU_BEST;
        assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    }
    assert_int_equal(weft_machine_add_device(m, &device, NULL), WEFT_OK);
    put_handler(m, LINE, HANDLER, "add r20, 1\nst r20, (r9+24)\nrti\n");
    put_handler(m, MATCH, ON_TIME, "mov r15, 0x7e003000\nmov r16, 2\nst r16, (r15)\nld r16, (r15+4)\nadd r16, 2\n"
                                   "st r16, (r15+0x10)\nadd r21, 1\nrti\n");
    assert_int_equal(weft_machine_load(m, "test", code, size, 0, NULL), WEFT_OK);
    for (uint32_t at = 0; at < 256; at += 4) {
        uint32_t word = at * 0x9e3779b1u;
        assert_int_equal(weft_machine_write(m, DATA + at, &word, 4), WEFT_OK);
    }
    return m;
}

static bool same_memory(const weft_machine *a, const weft_machine *b)
{
    static uint8_t x[SDRAM], y[SDRAM];
    return weft_machine_read(a, 0, x, SDRAM) == WEFT_OK && weft_machine_read(b, 0, y, SDRAM) == WEFT_OK &&
           memcmp(x, y, SDRAM) == 0;
}

static void compare(weft_machine *const m[ENGINES], const struct looker looker[ENGINES])
{
    for (unsigned r = 0; r < 32; r++)
        if (weft_machine_register(m[0], r) != weft_machine_register(m[1], r))
            fail_msg("r%u is %#x and %#x", r, weft_machine_register(m[0], r), weft_machine_register(m[1], r));
    for (unsigned row = 0; row < 64; row++)
        for (unsigned lane = 0; lane < 16; lane++)
            if (weft_machine_vector(m[0], row, lane) != weft_machine_vector(m[1], row, lane))
                fail_msg("lane %u of row %u", lane, row);
    assert_int_equal(weft_machine_instructions(m[0]), weft_machine_instructions(m[1]));
    assert_int_equal(looker[0].seen, looker[1].seen);
    assert_true(same_memory(m[0], m[1]));
}

/* Adds what ran as machine code. */
static void run_both(struct maker *k, const uint8_t *code, size_t size, uint64_t *compiled)
{
    static const weft_engine engines[ENGINES] = {WEFT_ENGINE_INTERP, WEFT_ENGINE_JIT};
    static const weft_cpu_level levels[] = {WEFT_CPU_BEST, WEFT_CPU_BASELINE, WEFT_CPU_AVX2, WEFT_CPU_AVX512};
    weft_cpu_level level = levels[roll(k, 4)];
    struct looker looker[ENGINES] = {{0}};
    weft_machine *m[ENGINES];
    weft_machine_stop stop[ENGINES] = {WEFT_MACHINE_LIMIT};
    char text[ENGINES][200];
    for (unsigned e = 0; e < ENGINES; e++)
        m[e] = machine(engines[e], level, &looker[e], code, size);
    for (unsigned part = 0; part < 30 && stop[0] == WEFT_MACHINE_LIMIT; part++) {
        uint64_t limit = part == 29 ? 200000 : 1 + roll(k, roll(k, 4) ? 2000 : 20);
        for (unsigned e = 0; e < ENGINES; e++) {
            stop[e] = weft_machine_run(m[e], limit);
            weft_machine_stop_text(m[e], stop[e], text[e], sizeof text[e]);
        }
        assert_string_equal(text[0], text[1]);
        compare(m, looker);
    }
    weft_engine_stats stats;
    weft_machine_get_engine(m[1], &stats);
    *compiled += stats.compiled;
    for (unsigned e = 0; e < ENGINES; e++)
        weft_machine_free(m[e]);
}

/* False: it does not assemble. */
static bool run_text(struct maker *k, const char *text, uint64_t *compiled)
{
    struct program p = from_text(text);
    bool assembled = p.status == WEFT_OK;
    if (assembled) {
        size_t size;
        const uint8_t *bytes = bytes_of(&p, &size);
        assert_true(size < DATA);
        run_both(k, bytes, size, compiled);
    } else {
        show_diagnostics(p.diags);
    }
    drop(&p);
    return assembled;
}

/* Rows that are known as values when a word of each is written, and the other way round. */
static void columns_change_rows(void **state)
{
    (void)state;
    static const char text[] =
        "mov r6, 300\nmov r8, 0x4000\nv32ld HY(5++,0), (r8+=r5) REP4\nlp: v32add HY(16,0), HY(3,0), r6\n"
        "v16mov VX(16,2), HX(5,0)\nv32eor HY(4,0), HY(16,0), HY(17,0)\nv32add HY(5,0), HY(4,0), r6\n"
        "vmov V(16,3), H(4,16)\nv16add HX(17,0), VX(16,2), r6\nv32mov VY(16,9), HY(17,0)\n"
        "v32add HY(25,0), HY(16,0), 3\nv16add HX(3,0), VX(16,9), 5\nv32add HY(6,0), VY(16,9), HY(25,0)\n"
        "addcmpbne r6, -1, 0, lp\nsleep\n";
    struct test_rng rng = test_seed("columns");
    struct maker k = {.r = &rng};
    uint64_t compiled = 0;
    assert_true(run_text(&k, text, &compiled));
    assert_true(compiled > 0);
}

static void programs(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("machine engines");
    const char *more = getenv("WEFT_TEST_PROGRAMS");
    unsigned count = more ? (unsigned)strtoul(more, NULL, 0) : 40 / test_share();
    unsigned refused = 0; /* few: a branch of addcmpb may be too far for it */
    uint64_t compiled = 0;
    for (unsigned i = 0; i < count; i++) {
        static struct maker k;
        struct test_rng own = {test_next64(&rng)};
        k.r = &own;
        make(&k);
        printf("# program %u\n", i);
        refused += !run_text(&k, k.text, &compiled);
    }
    assert_in_range(refused, 0, count / 500);
    assert_true(compiled > 0);
}

TEST_MAIN(TEST(columns_change_rows), TEST(programs))
