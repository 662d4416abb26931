/* Loops of loads as the JIT does them, many passes of one chunk at a time (jit/strip.c), against what C says that each
 * lane has, and against the interpreter for counts, stops and floats. Addresses are rows of words, one word, words
 * apart or anything; they leave the memory in the middle, and pass 2^32; lanes go on for different times; budgets end
 * anywhere. WEFT_TEST_LOOPS says how many. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/program.h"
#include "isa/tesla/alu_lanes.h"

enum { NEAR, NEAR_STEP, LOW, HIGH, FAR_STEP, SUM, MIX, LEFT, FLOAT, BITS, REGISTERS };
enum { MEMORY = 4096, RANGE = 2048, MOST_TIMES = 90 };
enum { RANGES = 3 };
static const uint64_t range_first[RANGES] = {0x1fffffc00u, 0x300000100u, 0x400000200u}; /* the first passes 2^33 */

/* How a loop ends: lanes go on by themselves; all end with the first; while any lane is to; while all are; by a number
 * of the warp. */
enum ending { EACH_LANE, WITH_FIRST, ANY_LEFT, ALL_LEFT, BY_NUMBER, ENDINGS };

/* Tesla's multiply-add in place of one that rounds once: of numbers of any size, about 1, or whose products are about
 * the least normal number. */
enum cut { NOT_CUT, CUT_ANY, CUT_ABOUT_1, CUT_SMALL, CUTS };

struct loop {
    struct ir_program *p;
    unsigned file, number, space, bus, times;
    enum ending ending;
    bool floats, constant_steps;
    bool x86; /* NaNs are what x86 makes, and denormals stay; else as chips do that flush and have a NaN of their own */
    enum cut cut;
    bool loads_term; /* what it adds is loaded */
    bool indexed; /* near addresses are numbers of words */
    bool closer;  /* rows of words apart become rows of words */
    bool carries; /* far addresses are numbers of 64 bits; else their high words stay */
    unsigned align;
    uint32_t near_step, far_step;
    uint32_t seed[REGISTERS][64];
};

/* ---- control: as test_engines.c has it ---- */

enum { PART, JOIN };

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

/* ---- the program ---- */

static ir_value get(struct ir_builder *b, const struct loop *l, unsigned reg)
{
    return ir_get(b, l->file, reg, IR_I32);
}

static ir_value word(struct ir_builder *b, const struct loop *l, unsigned reg, uint32_t constant)
{
    return l->constant_steps ? ir_const_i32(b, constant) : get(b, l, reg);
}

static ir_value near_address(struct ir_builder *b, const struct loop *l)
{
    ir_value v = get(b, l, NEAR);
    return l->indexed ? ir_op2(b, IR_MUL, 0, ir_const_i32(b, 4), v) : v;
}

static ir_value sized(struct ir_builder *b, ir_value x, uint32_t kept, uint32_t least)
{
    ir_value bits = ir_op2(b, IR_AND, 0, ir_cvt(b, IR_BITCAST, IR_I32, 0, x), ir_const_i32(b, kept));
    return ir_cvt(b, IR_BITCAST, IR_F32, 0, ir_op2(b, IR_OR, 0, bits, ir_const_i32(b, least)));
}

static ir_value multiply_add(struct ir_builder *b, const struct loop *l, ir_value x, ir_value z)
{
    unsigned how = l->x86 ? IR_RNE | IR_NAN_X86 : IR_RNE | IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON;
    if (l->cut == NOT_CUT)
        return ir_op3(b, IR_FFMA, how, x, z, z);
    ir_value terms[3] = {x, z, z};
    if (l->cut == CUT_ABOUT_1)
        terms[0] = terms[1] = sized(b, x, 0x807fffff, 0x3f800000);
    if (l->cut == CUT_SMALL)
        terms[0] = terms[1] = sized(b, x, 0x80ffffff, 0x1f000000);
    if (l->loads_term)
        terms[2] = l->cut == CUT_SMALL ? sized(b, x, 0x807fffff, 0x0c000000) : x;
    return ir_emit(b, IR_HELPER, IR_F32, 0, 1, terms, 3, 0, 0, 0);
}

static void make_loads(struct ir_builder *b, const struct loop *l)
{
    struct ir_mem near = {.space = (uint16_t)l->space, .elem = IR_I32, .count = 1, .align = (uint8_t)l->align};
    struct ir_mem far = {.space = (uint16_t)l->bus, .elem = IR_I32, .count = 1};
    ir_value words[2] = {get(b, l, LOW), get(b, l, HIGH)};
    ir_value at = ir_emit(b, IR_PACK64, IR_I64, 0, 1, words, 2, 0, 0, 0);
    ir_value x = ir_load(b, near, IR_I32, near_address(b, l)), y = ir_load(b, far, IR_I32, at);
    ir_value sum = ir_op2(b, IR_ADD, 0, ir_op2(b, IR_MUL, 0, get(b, l, SUM), ir_const_i32(b, 31)), x);
    ir_set(b, l->file, SUM, sum, 0);
    ir_set(b, l->file, MIX, ir_op2(b, IR_XOR, 0, ir_op2(b, IR_ADD, 0, get(b, l, MIX), y), x), 0);
    if (l->floats) {
        ir_value z = ir_get(b, l->file, FLOAT, IR_F32);
        z = multiply_add(b, l, ir_load(b, near, IR_F32, near_address(b, l)), z);
        ir_set(b, l->file, FLOAT, z, 0);
        sum = ir_op2(b, IR_MUL, 0, get(b, l, BITS), ir_const_i32(b, 5));
        ir_set(b, l->file, BITS, ir_op2(b, IR_XOR, 0, sum, ir_cvt(b, IR_BITCAST, IR_I32, 0, z)), 0);
    }
    ir_value step = word(b, l, NEAR_STEP, l->near_step), more = word(b, l, FAR_STEP, l->far_step);
    ir_set(b, l->file, NEAR, ir_op2(b, IR_ADD, 0, get(b, l, NEAR), step), 0);
    if (!l->carries) {
        ir_set(b, l->file, LOW, ir_op2(b, IR_ADD, 0, get(b, l, LOW), more), 0);
        return;
    }
    at = ir_op2(b, IR_ADD, 0, at, ir_cvt(b, IR_ZEXT, IR_I64, 0, more));
    ir_set(b, l->file, LOW, ir_cvt(b, IR_LO32, IR_I32, 0, at), 0);
    ir_set(b, l->file, HIGH, ir_cvt(b, IR_HI32, IR_I32, 0, at), 0);
}

static void make_ending(struct ir_builder *b, const struct loop *l, uint32_t again, uint32_t out)
{
    ir_value left = ir_op2(b, IR_SUB, 0, get(b, l, LEFT), ir_const_i32(b, 1)), none = ir_const_i32(b, 0);
    ir_set(b, l->file, LEFT, left, 0);
    ir_value more = ir_op2(b, IR_NE, 0, left, none), done = ir_op2(b, IR_EQ, 0, left, none);
    struct ir_control each = {.op = PART, .ntargets = 2, .target = {again, out}, .direct_none = 1, .direct_all = 1};
    struct ir_control first = {.op = PART, .ntargets = 2, .target = {out, again}, .direct_none = 1};
    if (l->ending == EACH_LANE) {
        ir_control(b, each, &more, 1);
    } else if (l->ending == WITH_FIRST) {
        ir_control(b, first, &done, 1);
    } else if (l->ending == BY_NUMBER) {
        ir_value n = ir_op2(b, IR_ADD, 0, ir_get(b, l->number, 0, IR_I32), ir_const_i32(b, 1));
        ir_set(b, l->number, 0, n, 0);
        ir_branch(b, ir_op2(b, IR_LT_U, 0, n, ir_const_i32(b, l->times)), again, out);
    } else {
        ir_branch(b, ir_op1(b, l->ending == ANY_LEFT ? IR_ANY : IR_ALL, 0, more), again, out);
    }
}

static void make(struct loop *l, struct arena *a, struct test_rng *r)
{
    static const unsigned lanes[] = {16, 32, 64};
    l->p = ir_program_new(a, "test", IR_COMPUTE, lanes[test_next(r) % 3]);
    l->p->policy = &policy;
    l->file = ir_add_file(l->p, (struct ir_file){.name = "r", .bits = 32, .count = REGISTERS, .preserved = true});
    l->number = ir_add_file(l->p, (struct ir_file){.name = "u", .bits = 32, .count = 1, .uniform = true});
    l->space = ir_add_space(l->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    ir_add_helper(l->p, (struct ir_helper){"fmad", tesla_float_lanes(exec_best_level())->fmad, IR_HELPER_CUT_MAD});
    l->bus = ir_add_space(l->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
    struct ir_builder b = {l->p, IR_ENTRY, 0};
    uint32_t body = ir_new_block(l->p), out = ir_new_block(l->p), end = ir_new_block(l->p);
    ir_goto(&b, body);
    b.block = body;
    make_loads(&b, l);
    make_ending(&b, l, body, out);
    l->p->blocks[body].insns = 1 + test_next(r) % 3;
    b.block = out;
    ir_control(&b, (struct ir_control){.op = JOIN, .ntargets = 1, .target = {end}}, NULL, 0);
    b.block = end;
    ir_end(&b);
}

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
        make(&l, &a, &r);
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
