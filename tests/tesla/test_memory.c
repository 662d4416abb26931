/* test_memory.c - loads, stores and atomics of every space, size and kind of register, by any address, against plain C
 * on a copy of the memory (docs/manual/tesla.md). */
#include "exec/exec.h"
#include "isa/tesla/lift.h"
#include "lifted.h"

enum { LANES = 32, BYTES = 64 * LANES, REGISTERS = 20, ADDRESS = 1, DATA = 4, TO = 8 };
enum space { C, S, L, G, SPACES };
enum type { U8, S8, U16, S16, B32, B64, B128, TYPES };
enum half { WHOLE, LOW, HIGH };

/* What each space holds, before and as it ought to be. l[] has 64 bytes a thread, g[] and s[] as many for each. */
static uint8_t bytes[SPACES][BYTES], want[SPACES][BYTES];

struct access {
    enum space space;
    enum type type;
    enum half half; /* of the register */
    bool store, by_register, steps;
    unsigned offset;
    int atomic;     /* of atomics below; -1: none */
    bool reduces;
};

static const unsigned sizes[TYPES] = {1, 1, 2, 2, 4, 8, 16};

/* ---- atomics ---- */

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b;
}
static uint64_t inc(uint64_t a, uint64_t b)
{
    return a >= b ? 0 : a + 1;
}
static uint64_t dec(uint64_t a, uint64_t b)
{
    return a == 0 || a > b ? b : a - 1;
}
static uint64_t max_u(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static uint64_t max_s(uint64_t a, uint64_t b)
{
    return (int32_t)a > (int32_t)b ? a : b;
}
static uint64_t min_u(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
static uint64_t min_s(uint64_t a, uint64_t b)
{
    return (int32_t)a < (int32_t)b ? a : b;
}
static uint64_t and_(uint64_t a, uint64_t b)
{
    return a & b;
}
static uint64_t or_(uint64_t a, uint64_t b)
{
    return a | b;
}
static uint64_t xor_(uint64_t a, uint64_t b)
{
    return a ^ b;
}
static uint64_t exchange(uint64_t a, uint64_t b)
{
    (void)a;
    return b;
}

static const struct {
    const char *name;
    uint64_t (*fn)(uint64_t a, uint64_t b); /* NULL: compare and exchange */
    bool wide, no_red;
} atomics[] = {{"add u32", add, false, false},  {"add s32", add, false, false},   {"inc u32", inc, false, false},
               {"dec u32", dec, false, false},  {"max u32", max_u, false, false}, {"max s32", max_s, false, false},
               {"min u32", min_u, false, false}, {"min s32", min_s, false, false}, {"and b32", and_, false, false},
               {"or b32", or_, false, false},   {"xor b32", xor_, false, false},  {"add u64", add, true, false},
               {"exch b32", exchange, false, true}, {"exch b64", exchange, true, true}, {"cas b32", NULL, false, true},
               {"cas b64", NULL, true, true}};
enum { ATOMICS = sizeof atomics / sizeof *atomics };

/* ---- accesses at random ---- */

static bool some(struct test_rng *rng, unsigned of)
{
    return test_next(rng) % of == 0;
}

/* False: the set has no such access. */
static bool random_access(struct access *k, struct test_rng *rng)
{
    *k = (struct access){.space = test_next(rng) % SPACES, .type = test_next(rng) % TYPES,
                          .store = some(rng, 2), .atomic = -1};
    bool small = k->space == C || k->space == S;
    if (k->space == G && some(rng, 3)) {
        k->atomic = (int)(test_next(rng) % ATOMICS);
        k->type = atomics[k->atomic].wide ? B64 : B32;
        k->reduces = !atomics[k->atomic].no_red && some(rng, 2);
        k->store = false;
    }
    if (k->space == G)
        return true;
    k->by_register = some(rng, 2);
    k->steps = k->by_register && some(rng, 2);
    k->half = small ? test_next(rng) % 3 : WHOLE;
    k->offset = test_next(rng) % 8 * (k->steps ? sizes[k->type] : 4) + (small && !k->steps ? sizes[k->type] % 4 : 0);
    k->offset += k->space == S && !k->by_register ? 0x40 : 0;
    if (k->space == C && (k->store || k->type == S8))
        return false;
    if (small && (k->type > B32 || (k->type == S8 && !k->store)))
        return false;
    return k->offset % sizes[k->type] == 0 && k->offset < 0x7f;
}

static void write_memory(const struct access *k, char *text, size_t size)
{
    static const char *const names[SPACES] = {"c0", "s", "l", "g0"};
    if (k->space == G)
        snprintf(text, size, "g0[$r%u]", ADDRESS);
    else if (k->by_register)
        snprintf(text, size, "%s[$a1%s0x%x]", names[k->space], k->steps ? "++" : "+", k->offset);
    else
        snprintf(text, size, "%s[0x%x]", names[k->space], k->offset);
}

static void write_text(const struct access *k, char *text, size_t size)
{
    static const char *const types[TYPES] = {"u8", "s8", "u16", "s16", "b32", "b64", "b128"};
    static const char *const stored[TYPES] = {"b8", "b8", "b16", "b16", "b32", "b64", "b128"};
    static const char *const halves[] = {"", "l", "h"};
    const char *wide = k->type == B64 ? "d" : k->type == B128 ? "q" : halves[k->half];
    char memory[40], what[120];
    write_memory(k, memory, sizeof memory);
    if (k->atomic >= 0 && k->reduces)
        snprintf(what, sizeof what, "red %s %s $r%u%s", atomics[k->atomic].name, memory, DATA, wide);
    else if (k->atomic >= 0)
        snprintf(what, sizeof what, "%s%s $r%u%s %s $r%u%s", atomics[k->atomic].no_red ? "" : "ld ",
                 atomics[k->atomic].name, TO, wide, memory, DATA, wide);
    else if (k->store)
        snprintf(what, sizeof what, "st %s %s $r%u%s", k->space == S ? stored[k->type] : types[k->type],
                 memory, DATA, wide);
    else if (k->space == L || k->space == G)
        snprintf(what, sizeof what, "ld %s $r%u%s %s", types[k->type], TO, wide, memory);
    else
        snprintf(what, sizeof what, "ld $r%u%s %s %s", TO, wide, types[k->type], memory);
    bool compares = k->atomic >= 0 && !atomics[k->atomic].fn;
    char third[16] = "";
    if (compares)
        snprintf(third, sizeof third, " $r%u%s", DATA + 2, wide);
    snprintf(text, size, "shl $a1 $r%u 0x0\n%s%s\nmov $r%u $a1\nexit nop\n", ADDRESS, what, third, REGISTERS - 1);
}

/* ---- what ought to be ---- */

/* Where the thread's bytes begin, and how many there are from there on; -1: outside. */
static int place_of(const struct access *k, unsigned lane, uint32_t address)
{
    unsigned size = sizes[k->type];
    uint32_t at = k->space == G ? address : k->by_register ? address & 0xffff : k->offset;
    if (k->space != G && k->by_register && !k->steps)
        at = (at + k->offset) & 0xffff;
    at &= ~(size - 1);
    if (k->space == L)
        return at + size <= 64 ? (int)(64 * lane + at) : -1;
    return at + size <= BYTES ? (int)at : -1;
}

static uint32_t extended(enum type type, uint32_t v)
{
    return type == S8 ? (uint32_t)(int32_t)(int8_t)v : type == S16 ? (uint32_t)(int32_t)(int16_t)v : v;
}

static void put_word(const struct access *k, uint32_t *reg, uint32_t v)
{
    *reg = k->half == WHOLE ? v
           : k->half == LOW ? (*reg & 0xffff0000) | (v & 0xffff)
                            : (*reg & 0xffff) | v << 16;
}

static void perform(const struct access *k, unsigned lane, uint32_t r[REGISTERS])
{
    unsigned size = sizes[k->type];
    int at = place_of(k, lane, r[ADDRESS]);
    uint8_t *memory = at < 0 ? NULL : want[k->space] + at;
    r[REGISTERS - 1] = (r[ADDRESS] + (k->steps ? k->offset : 0)) & 0xffff;
    if (k->atomic >= 0) {
        uint64_t old = 0, a = r[DATA], b = r[DATA + 2];
        if (size == 8) {
            a |= (uint64_t)r[DATA + 1] << 32;
            b |= (uint64_t)r[DATA + 3] << 32;
        }
        memcpy(&old, memory, size);
        uint64_t now = atomics[k->atomic].fn ? atomics[k->atomic].fn(old, a) : old == a ? b : old;
        memcpy(memory, &now, size);
        for (unsigned i = 0; i < size / 4 && !k->reduces; i++)
            r[TO + i] = (uint32_t)(old >> 32 * i);
    } else if (k->store) {
        uint32_t words[4] = {k->half == HIGH ? r[DATA] >> 16 : k->half == LOW ? r[DATA] & 0xffff : r[DATA], r[DATA + 1],
                             r[DATA + 2], r[DATA + 3]};
        if (memory)
            memcpy(memory, words, size);
    } else {
        uint32_t words[4] = {0};
        if (memory)
            memcpy(words, memory, size);
        if (size < 8)
            put_word(k, &r[TO], extended(k->type, words[0]));
        else
            memcpy(&r[TO], words, size);
    }
}

/* ---- one access ---- */

static struct exec_warp *start(const char *text, struct arena *arena, weft_diags *diags, struct exec_env *env)
{
    static const char linkage[] = "registers 40\nlocal bytes 64\nshared bytes 2048\n";
    struct ir_program *ir = lifted(text, linkage, "gt215", IR_COMPUTE, arena, diags);
    struct exec_program *program;
    const struct exec_options options = {.level = exec_best_level()};
    for (uint32_t i = 0; i < ir->nspaces; i++) {
        static const enum space by_letter[] = {['c' - 'a'] = C, ['g' - 'a'] = G, ['l' - 'a'] = L, ['s' - 'a'] = S};
        env->space[i] = (struct exec_buffer){bytes[by_letter[ir->spaces[i].name[0] - 'a']], BYTES};
    }
    ir->lanes = LANES;
    assert_int_equal(exec_compile(ir, &options, arena, &program, diags), WEFT_OK);
    return exec_warp_new(program);
}

static void check(const char *text, struct exec_warp *warp, uint32_t r[LANES][REGISTERS])
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 1; i < REGISTERS; i++) { /* $r0 has the number of the thread */
            uint32_t got = ((uint32_t *)exec_warp_register(warp, 0, i))[lane];
            if (got != r[lane][i])
                fail_msg("$r%u of thread %u is %#x, not %#x:\n%s", i, lane, got, r[lane][i], text);
        }
    for (unsigned s = 0; s < SPACES; s++)
        for (unsigned i = s == S ? 0x40 : 0; i < BYTES; i++) /* s[] begins with what the hardware puts there */
            if (bytes[s][i] != want[s][i])
                fail_msg("byte %#x of %c[] is %#x, not %#x:\n%s", i, "cslg"[s], bytes[s][i], want[s][i], text);
}

static void test_accesses(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("accesses");
    for (unsigned n = 0; n < 3000;) {
        struct access k;
        uint32_t r[LANES][REGISTERS];
        char text[300];
        struct exec_env env = {0};
        if (!random_access(&k, &rng))
            continue;
        n++;
        write_text(&k, text, sizeof text);
        struct arena *arena = calloc(1, sizeof *arena);
        weft_diags *diags = weft_diags_new();
        struct exec_warp *warp = start(text, arena, diags, &env);
        for (unsigned s = 0; s < SPACES; s++)
            for (unsigned i = 0; i < BYTES; i++)
                bytes[s][i] = want[s][i] = some(&rng, 5) ? 0xff : (uint8_t)test_next(&rng);
        assert_int_equal(exec_bind(warp, &env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned i = 0; i < REGISTERS; i++)
                r[lane][i] = some(&rng, 4) ? test_next(&rng) % 8 : test_next(&rng);
            /* Each thread's own 16 bytes, with room for the offset. */
            r[lane][ADDRESS] = (k.space == L ? 0 : 64 * lane) + (k.space == S ? 0x40 : 0) + test_next(&rng) % 24;
            r[lane][ADDRESS] |= k.space == G ? 0 : test_next(&rng) << 16;
            if (k.atomic >= 0 && some(&rng, 2)) /* one that compares equal */
                memcpy(&r[lane][DATA], bytes[G] + (r[lane][ADDRESS] & ~(sizes[k.type] - 1)), sizes[k.type]);
            for (unsigned i = 0; i < REGISTERS; i++)
                ((uint32_t *)exec_warp_register(warp, 0, i))[lane] = r[lane][i];
        }
        for (unsigned lane = 0; lane < LANES; lane++)
            perform(&k, lane, r[lane]);
        assert_int_equal(exec_run(warp, UINT32_MAX, UINT32_MAX, 0), EXEC_DONE);
        check(text, warp, r);
        exec_warp_free(warp);
        weft_diags_free(diags);
        arena_free(arena);
        free(arena);
    }
}

TEST_MAIN(TEST(test_accesses))
