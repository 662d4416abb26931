/* Loops of loads as the JIT does them, many passes of one chunk at a time (jit/strip.c), against what C says that each
 * lane has, and against the interpreter for counts, stops and floats. Addresses are rows of words, one word, words
 * apart or anything; they leave the memory in the middle, and pass 2^32; lanes go on for different times; budgets end
 * anywhere. WEFT_TEST_LOOPS says how many. */
#include "test.h"

#include "loop_program.h"

enum { MEMORY = 4096, RANGE = 2048, MOST_TIMES = 90 };
enum { RANGES = 3 };
static const uint64_t range_first[RANGES] = {0x1fffffc00u, 0x300000100u, 0x400000200u}; /* the first passes 2^33 */

/* ---- control: as test_engines.c has it ---- */

static void policy_start(void *state, struct exec_masks *m)
{
    (void)m;
    *(lane_mask *)state = 0;
}

static uint32_t policy_control(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                               const void *const *rows, const char **fault)
{
    lane_mask *parked = state;
    (void)rows, (void)fault;
    if (c->op == JOIN) {
        m->active |= *parked;
        *parked = 0;
        return c->target[0];
    }
    if (!args[0])
        return c->target[1];
    *parked |= m->active & ~args[0];
    m->active = args[0];
    return c->target[0];
}

static const struct exec_policy policy = {
    .name = "test", .state_size = sizeof(lane_mask), .start = policy_start, .control = policy_control};

/* ---- values ---- */

/* Most stay inside. */
static void seed_near(struct loop *l, struct test_rng *r)
{
    static const uint32_t distances[] = {4, 4, 4, 0, 0, 16, 1, 12, (uint32_t)-4};
    uint32_t distance = l->closer ? 24 + 4 * (test_next(r) % 2) : distances[test_next(r) % 9];
    uint32_t first = test_next(r) % 512;
    if (!l->closer && test_next(r) % 3 == 0)
        first = MEMORY - 4 * (test_next(r) % 128);
    if (test_next(r) % 4)
        first &= ~3u;
    for (unsigned i = 0; i < 64; i++)
        l->seed[NEAR][i] = l->indexed ? first + distance / 4 * i : first + distance * i;
}

/* In a range, or where low words pass 2^32. Odd chunks may have other high words: of the other range, or of none; and
 * where low words pass 2^32 in a chunk, high words may be the same. */
static void seed_far(struct loop *l, struct test_rng *r)
{
    static const uint32_t distances[] = {4, 4, 4, 4, 0, 0, 8, 12};
    uint32_t distance = distances[test_next(r) % 8], odd_high = test_next(r) % 3 ? 0 : 1 + test_next(r) % 2;
    bool joined = test_next(r) & 1;
    uint64_t first = range_first[1 + test_next(r) % 2] + 4 * (test_next(r) % 64);
    if (test_next(r) % 4 == 0)
        first = (UINT64_C(1) << 33) - 4 * (test_next(r) % 64);
    for (unsigned i = 0; i < 64; i++) {
        uint64_t at = first + (uint64_t)distance * i;
        l->seed[LOW][i] = (uint32_t)at;
        l->seed[HIGH][i] = (uint32_t)((joined ? at : first) >> 32) + i / 16 % 2 * odd_high;
    }
}

static void seed_addresses(struct loop *l, struct test_rng *r)
{
    seed_near(l, r);
    seed_far(l, r);
    if (test_next(r) % 8)
        return;
    for (unsigned i = 0; i < 64; i++)
        if (test_next(r) % 8 == 0) {
            l->seed[NEAR][i] = test_next(r) % (2 * MEMORY);
            l->seed[LOW][i] = test_next(r);
        }
}

/* One for all lanes, or any, or less for each than for the one before. */
static void seed_steps(struct loop *l, struct test_rng *r)
{
    static const uint32_t steps[] = {4, 64, 0, 1, 20, 4, (uint32_t)-4};
    bool any = !l->constant_steps && !l->closer && test_next(r) % 4 == 0;
    l->near_step = steps[test_next(r) % 7];
    l->far_step = test_next(r) & 1 ? 4 : steps[test_next(r) % 6];
    for (unsigned i = 0; i < 64; i++) {
        l->seed[NEAR_STEP][i] = any ? steps[test_next(r) % 7] : l->closer ? 0 - 4 * i : l->near_step;
        l->seed[FAR_STEP][i] = any ? steps[test_next(r) % 6] : l->far_step;
    }
}

/* Each way to end has its turn, every second time of lanes that go on for different times. */
static void seed(struct loop *l, struct test_rng *r, unsigned turn)
{
    l->ending = (enum ending)(turn % ENDINGS);
    l->floats = test_next(r) & 1;
    l->x86 = test_next(r) & 1;
    l->cut = l->x86 ? NOT_CUT : (enum cut)(test_next(r) % CUTS);
    l->loads_term = test_next(r) & 1;
    bool nans = test_next(r) % 4 == 0;
    l->constant_steps = test_next(r) % 3 == 0;
    l->closer = !l->constant_steps && test_next(r) % 2;
    l->carries = test_next(r) & 1;
    l->indexed = !l->closer && test_next(r) % 3 == 0;
    l->align = test_next(r) & 1 ? 4 : 1;
    l->times = 1 + test_next(r) % MOST_TIMES;
    bool ragged = turn / ENDINGS % 2;
    seed_addresses(l, r);
    seed_steps(l, r);
    for (unsigned i = 0; i < 64; i++) {
        l->seed[SUM][i] = (uint32_t)test_next(r);
        l->seed[MIX][i] = (uint32_t)test_next(r);
        l->seed[LEFT][i] = ragged && test_next(r) % 4 == 0 ? 1 + test_next(r) % MOST_TIMES : l->times;
        l->seed[FLOAT][i] = test_next(r) % 3 ? 0x3f000000u + test_next(r) % 0x1000000 : test_next(r) % 0x800000;
        if (nans && test_next(r) % 8 == 0)
            l->seed[FLOAT][i] = 0x7f800001u | (uint32_t)test_next(r);
    }
}

static uint8_t byte_of(unsigned i)
{
    return (uint8_t)(i * 37 + (i >> 8) * 11 + 1);
}

/* Words of floats of every size, and bytes otherwise. */
static void fill_memory(uint8_t *memory, uint8_t ranges[RANGES][RANGE])
{
    for (unsigned i = 0; i < MEMORY; i++)
        memory[i] = byte_of(i);
    for (unsigned k = 0; k < RANGES; k++)
        for (unsigned i = 0; i < RANGE; i++)
            ranges[k][i] = byte_of(i + 3 + 500 * k);
}

/* ---- what C says ---- */

static uint32_t word_at(const uint8_t *bytes, uint64_t size, uint64_t at)
{
    if (at > size - 4)
        return 0;
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}

static void pass(const struct loop *l, uint32_t v[REGISTERS], const uint8_t *memory, uint8_t ranges[RANGES][RANGE])
{
    uint64_t at = (uint64_t)v[HIGH] << 32 | v[LOW];
    uint32_t x = word_at(memory, MEMORY, v[NEAR] * (l->indexed ? 4 : 1) & ~(l->align - 1)), y = 0;
    for (unsigned k = 0; k < RANGES; k++)
        if (at >= range_first[k] && at - range_first[k] <= RANGE - 4)
            y = word_at(ranges[k], RANGE, at - range_first[k]);
    v[SUM] = v[SUM] * 31 + x;
    v[MIX] = (v[MIX] + y) ^ x;
    v[NEAR] += v[NEAR_STEP];
    at += v[FAR_STEP];
    v[LOW] = (uint32_t)at;
    v[HIGH] = l->carries ? (uint32_t)(at >> 32) : v[HIGH];
    v[LEFT]--;
}

static unsigned passes(const struct loop *l, unsigned lane, lane_mask active)
{
    unsigned least = UINT32_MAX, most = 0;
    for (unsigned i = 0; i < l->p->lanes; i++)
        if (active >> i & 1) {
            least = l->seed[LEFT][i] < least ? l->seed[LEFT][i] : least;
            most = l->seed[LEFT][i] > most ? l->seed[LEFT][i] : most;
        }
    switch (l->ending) {
    case EACH_LANE:
        return l->seed[LEFT][lane];
    case BY_NUMBER:
        return l->times;
    case ANY_LEFT: /* a lane that is done counts on below 0, and is left again */
        return most == least ? most : UINT32_MAX;
    default:
        return least;
    }
}

/* ---- runs ---- */

struct outcome {
    uint32_t v[REGISTERS][64];
    struct exec_counts counts;
    enum exec_stop stop;
    unsigned slices;
};

static void run(const struct loop *l, struct exec_options options, lane_mask lanes, uint64_t slice, struct outcome *o)
{
    static uint8_t memory[MEMORY], ranges[RANGES][RANGE];
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct exec_program *x = NULL;
    fill_memory(memory, ranges);
    assert_int_equal(exec_compile(l->p, &options, &a, &x, d), WEFT_OK);
    struct exec_warp *w = exec_warp_new(x);
    struct exec_range far[RANGES];
    for (unsigned k = 0; k < RANGES; k++)
        far[k] = (struct exec_range){.first = range_first[k], .size = RANGE, .data = ranges[k]};
    const struct exec_bus bus = {.ranges = far, .nranges = RANGES};
    struct exec_env env = {.space = {[0] = {memory, MEMORY}}, .bus = &bus};
    memset(o, 0, sizeof *o);
    assert_int_equal(exec_bind(w, &env), WEFT_OK);
    for (unsigned k = 0; k < REGISTERS; k++)
        memcpy(exec_warp_register(w, l->file, k), l->seed[k], l->p->lanes * sizeof(uint32_t));
    o->stop = exec_run(w, lanes, lanes, slice);
    for (; o->stop == EXEC_OUT_OF_BUDGET && o->slices < 60; o->slices++)
        o->stop = exec_continue(w, slice);
    for (unsigned k = 0; k < REGISTERS; k++)
        memcpy(o->v[k], exec_warp_register(w, l->file, k), l->p->lanes * sizeof(uint32_t));
    o->counts = *exec_warp_counts(w);
    struct exec_engine_report report;
    exec_engine_report(x, &report);
    if (options.engine == EXEC_ENGINE_JIT && (report.why || !report.native))
        fail_msg("the JIT refuses a loop: %s", report.why ? report.why : "?");
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void check_values(const struct loop *l, lane_mask lanes, const struct outcome *o, unsigned n, const char *how)
{
    static uint8_t memory[MEMORY], ranges[RANGES][RANGE];
    fill_memory(memory, ranges);
    for (unsigned i = 0; i < l->p->lanes; i++) {
        uint32_t v[REGISTERS];
        unsigned times = lanes >> i & 1 ? passes(l, i, lanes) : 0;
        for (unsigned k = 0; k < REGISTERS; k++)
            v[k] = l->seed[k][i];
        if (times == UINT32_MAX)
            continue;
        for (unsigned t = 0; t < times; t++)
            pass(l, v, memory, ranges);
        for (unsigned k = 0; k < FLOAT; k++)
            if (v[k] != o->v[k][i])
                fail_msg("loop %u, ending %d, %s: register %u of lane %u is %x, not %x", n, (int)l->ending, how, k, i,
                         o->v[k][i], v[k]);
    }
}

static void check_same(const struct outcome *x, const struct outcome *y, unsigned n, const char *how)
{
    if (x->stop != y->stop || x->slices != y->slices || x->counts.insns != y->counts.insns ||
        x->counts.lane_insns != y->counts.lane_insns || x->counts.bad_access != y->counts.bad_access)
        fail_msg("loop %u, %s: %llu instructions, %llu outside, %u slices; not %llu, %llu, %u", n, how,
                 (unsigned long long)y->counts.insns, (unsigned long long)y->counts.bad_access, y->slices,
                 (unsigned long long)x->counts.insns, (unsigned long long)x->counts.bad_access, x->slices);
    assert_memory_equal(x->v, y->v, sizeof x->v);
    const struct exec_outside *a = &x->counts.outside, *b = &y->counts.outside;
    if (a->any != b->any || a->lane != b->lane || a->insn != b->insn || a->address != b->address)
        fail_msg("loop %u, %s: outside is lane %u, address %llx; not lane %u, address %llx", n, how, b->lane,
                 (unsigned long long)b->address, a->lane, (unsigned long long)a->address);
}

static void check_loop(const struct loop *l, unsigned n, lane_mask lanes, uint64_t slice)
{
    static struct outcome want, got;
    run(l, (struct exec_options){.engine = EXEC_ENGINE_INTERP}, lanes, slice, &want);
    if (want.stop == EXEC_DONE)
        check_values(l, lanes, &want, n, "interpreter");
    for (int level = 0; level < EXEC_LEVELS; level++) {
        struct exec_options o = {.level = (enum exec_level)level, .engine = EXEC_ENGINE_JIT, .no_full = n % 3 == 0};
        char how[64];
        if (!exec_level_usable(o.level))
            continue;
        snprintf(how, sizeof how, "level %d", level);
        run(l, o, lanes, slice, &got);
        if (got.stop == EXEC_DONE)
            check_values(l, lanes, &got, n, how);
        check_same(&want, &got, n, how);
    }
}

static void loops_agree(void **state)
{
    (void)state;
    const char *more = getenv("WEFT_TEST_LOOPS");
    assert_non_null(exec_jit_name());
    unsigned loops = more ? (unsigned)strtoul(more, NULL, 10) : 40 / test_share();
    struct test_rng r = test_seed("loops_agree");
    for (unsigned n = 0; n < loops; n++) {
        struct arena a = {0};
        struct loop l = {0};
        weft_diags *d = weft_diags_new();
        seed(&l, &r, n);
        unsigned lanes_of_it = 16u << test_next(&r) % 3;
        loop_make(&l, &a, lanes_of_it, &policy, 1 + test_next(&r) % 3);
        if (ir_verify(l.p, d) != WEFT_OK)
            fail_msg("loop %u: %s", n, weft_diags_get(d, 0)->message);
        lane_mask lanes = n % 2 ? ~(lane_mask)0 : test_next64(&r) | 1;
        for (unsigned k = 0; k < 4; k++) {
            check_loop(&l, n, lanes, k & 1 ? 1 + test_next(&r) % 60 : l.ending == ANY_LEFT ? 2000 : 0);
            seed_addresses(&l, &r);
        }
        weft_diags_free(d);
        arena_free(&a);
    }
}

TEST_MAIN(TEST(loops_agree))
