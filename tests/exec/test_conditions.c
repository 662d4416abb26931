/* test_conditions.c - what stops a warp and where it goes on: CHECK and BRANCH on each comparison, of each width, of
 * uniform values and of lanes, with each kind of predicate, against a model that knows lanes one by one. A program has
 * them all in a row; each run has one of them that may hold. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"

enum { LANES = 32, MOST = 400, BRANCHED = 0x1000 };

static const enum ir_opcode comparisons[] = {IR_EQ, IR_NE, IR_LT_S, IR_LE_S, IR_LT_U, IR_LE_U};
enum { TESTS = sizeof comparisons / sizeof *comparisons };

enum sides { TWO, COMMON_BITS, COMMON_ONE, SIDES }; /* a and b; a & b and 0; a & b and 1 */
enum predicate { NONE, UNIFORM, LANE, PREDICATES }; /* of a CHECK */
enum end { CHECK, BRANCH, ON_ANY, ON_ALL, ENDS };

/* One condition. Its operands are registers of its own: a and b at 2 * number, its predicate at the number. */
struct condition {
    enum ir_opcode test;
    enum sides sides;
    enum predicate predicate;
    enum end end;
    bool uniform, kept; /* its value is kept in a register, so that it is made by itself */
};

struct list {
    struct condition of[MOST];
    unsigned count;
};

struct operands {
    uint64_t a, b;
    bool on;
};

static unsigned tried;

static void add(struct list *l, struct condition c)
{
    assert_true(l->count < MOST);
    if (!test_left_out(&tried, 25)) /* of the JIT's, which take long to compile, each program has others */
        l->of[l->count++] = c;
}

static void add_all(struct list *l)
{
    for (unsigned t = 0; t < TESTS; t++)
        for (unsigned sides = 0; sides < (comparisons[t] <= IR_NE ? SIDES : COMMON_ONE); sides++)
            for (unsigned kept = 0; kept < 2; kept++) {
                struct condition c = {.test = comparisons[t], .sides = (enum sides)sides, .kept = kept};
                for (unsigned uniform = 0; uniform < 2; uniform++)
                    for (unsigned predicate = 0; predicate < PREDICATES; predicate++) {
                        c.uniform = uniform;
                        c.predicate = (enum predicate)predicate;
                        add(l, c);
                    }
                c.predicate = NONE;
                for (unsigned end = BRANCH; end < ENDS; end++) {
                    c.uniform = end == BRANCH;
                    c.end = (enum end)end;
                    add(l, c);
                }
            }
}

/* ---- the model ---- */

static int64_t as_signed(uint64_t v, unsigned bits) { return (int64_t)(v << (64 - bits)) >> (64 - bits); }

static bool holds(const struct condition *c, unsigned bits, const struct operands *o)
{
    uint64_t x = c->sides == TWO ? o->a : o->a & o->b, y = c->sides == TWO ? o->b : c->sides == COMMON_ONE;
    int64_t s = as_signed(x, bits), t = as_signed(y, bits);
    switch (c->test) {
    case IR_EQ:
        return x == y;
    case IR_NE:
        return x != y;
    case IR_LT_S:
        return s < t;
    case IR_LE_S:
        return s <= t;
    case IR_LT_U:
        return x < y;
    default:
        return x <= y;
    }
}

/* Whether the condition stops the warp, or sends it away. */
static bool leaves(const struct condition *c, unsigned bits, const struct operands o[LANES], uint32_t active)
{
    if (c->end == BRANCH)
        return holds(c, bits, &o[0]);
    uint32_t lanes = 0;
    for (unsigned i = 0; i < LANES; i++) {
        bool on = c->predicate == NONE || o[c->predicate == UNIFORM ? 0 : i].on;
        lanes |= (uint32_t)(holds(c, bits, &o[c->uniform ? 0 : i]) && on) << i;
    }
    return c->end == ON_ALL ? !(active & ~lanes) : (lanes & active) != 0;
}

/* Operands for which the condition does not hold in any lane. */
static struct operands quiet(const struct condition *c)
{
    static const struct operands two[TESTS] = {{1, 2, 1}, {3, 3, 1}, {2, 1, 1}, {2, 1, 1}, {2, 1, 1}, {2, 1, 1}};
    static const struct operands common[TESTS] = {{3, 1, 1}, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    unsigned t = 0;
    while (comparisons[t] != c->test)
        t++;
    if (c->sides == COMMON_ONE)
        return c->test == IR_EQ ? (struct operands){2, 2, 1} : (struct operands){3, 1, 1};
    return c->sides == TWO ? two[t] : common[t];
}

/* ---- programs ---- */

struct files {
    unsigned uniform, lane, uniform_on, lane_on, kept, past, go;
};

/* Lanes for which the argument holds go on: it may be none. */
static uint32_t choose(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                       const void *const *rows, const char **fault)
{
    (void)state, (void)rows, (void)fault;
    m->active = args[0];
    return c->target[0];
}
static const struct exec_policy policy = {.name = "test", .control = choose};

static ir_value condition_of(struct ir_builder *b, const struct files *f, const struct condition *c, unsigned n,
                             enum ir_type type)
{
    unsigned file = c->uniform ? f->uniform : f->lane;
    ir_value x = ir_get_part(b, file, 2 * n, 0, type), y = ir_get_part(b, file, 2 * n + 1, 0, type);
    if (c->sides != TWO) {
        x = ir_op2(b, IR_AND, 0, x, y);
        y = ir_const(b, type, c->sides == COMMON_ONE);
    }
    ir_value v = ir_op2(b, c->test, 0, x, y);
    if (c->kept)
        ir_set(b, f->kept, 0, v, 0);
    return v;
}

static void build(struct ir_builder *b, const struct files *f, const struct condition *c, unsigned n,
                  enum ir_type type)
{
    ir_value v = condition_of(b, f, c, n, type), on = 0;
    if (c->predicate != NONE)
        on = ir_get(b, c->predicate == UNIFORM ? f->uniform_on : f->lane_on, n, IR_I1);
    if (c->end == CHECK) {
        ir_emit(b, IR_CHECK, IR_VOID, 0, 0, &v, 1, 0, n, on);
    } else {
        uint32_t away = ir_new_block(b->p), next = ir_new_block(b->p);
        if (c->end != BRANCH)
            v = ir_emit(b, c->end == ON_ANY ? IR_ANY : IR_ALL, IR_I1, 0, 1, &v, 1, 0, 0, 0);
        ir_branch(b, v, away, next);
        b->block = away;
        ir_emit(b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, BRANCHED + n, 0);
        b->block = next;
    }
    ir_set(b, f->past, 0, ir_const_i32(b, n + 1), 0); /* nothing that follows is done before */
}

/* ---- runs ---- */

static void put(struct exec_warp *w, unsigned file, uint32_t element, unsigned lane, unsigned bits, uint64_t v)
{
    void *row = exec_warp_register(w, file, element);
    if (bits == 64)
        ((uint64_t *)row)[lane] = v;
    else
        ((uint32_t *)row)[lane] = (uint32_t)v;
}

static void put_operands(struct exec_warp *w, const struct files *f, const struct condition *c, unsigned n,
                         unsigned bits, const struct operands o[LANES])
{
    for (unsigned i = 0; i < LANES; i++) {
        /* What is next to a part is not looked at. */
        uint64_t more = bits < 32 ? 0xa5a5a5a5u << bits : 0;
        if (i == 0 || !c->uniform) {
            put(w, c->uniform ? f->uniform : f->lane, 2 * n, i, bits, o[i].a | more);
            put(w, c->uniform ? f->uniform : f->lane, 2 * n + 1, i, bits, o[i].b | more);
        }
        if (i == 0)
            put(w, f->uniform_on, n, 0, 1, o[0].on ? UINT32_MAX : 0);
        put(w, f->lane_on, n, i, 1, o[i].on ? UINT32_MAX : 0);
    }
}

static uint64_t corner(struct test_rng *r, unsigned bits)
{
    uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const uint64_t corners[] = {0, 1, 2, all, all - 1, all / 2, all / 2 + 1, (uint64_t)1 << (bits / 2)};
    return corners[test_next(r) % (sizeof corners / sizeof *corners)] & all;
}

static void check_run(struct exec_warp *w, const struct files *f, const struct list *l, unsigned n, unsigned bits,
                      const struct operands o[LANES], uint32_t active, const char *what)
{
    struct operands all_quiet[LANES];
    unsigned want = l->count;
    for (unsigned i = 0; i < LANES; i++)
        all_quiet[i] = quiet(&l->of[n]);
    /* With no lane active ALL holds, whatever the operands are. */
    for (unsigned k = 0; k < l->count && want == l->count; k++)
        if (k == n ? leaves(&l->of[k], bits, o, active) : l->of[k].end == ON_ALL && active == 0)
            want = k;
    put_operands(w, f, &l->of[n], n, bits, o);
    for (unsigned i = 0; i < LANES; i++) {
        put(w, f->past, 0, i, 32, 0);
        put(w, f->go, 0, i, 1, active >> i & 1 ? UINT32_MAX : 0);
    }
    enum exec_stop stop = exec_run(w, UINT32_MAX, UINT32_MAX, 0);
    if (stop != (want == l->count ? EXEC_DONE : EXEC_FAULT))
        fail_msg("%s, condition %u, lanes %x: the warp stops as %d", what, n, active, (int)stop);
    if (stop == EXEC_FAULT) {
        uint64_t code = want + (l->of[want].end == CHECK ? 0u : BRANCHED);
        if (exec_warp_fault_code(w) != code)
            fail_msg("%s, condition %u, lanes %x: it stops with %llx, not %llx", what, n, active,
                     (unsigned long long)exec_warp_fault_code(w), (unsigned long long)code);
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t past = ((uint32_t *)exec_warp_register(w, f->past, 0))[i];
        if (past != (active >> i & 1 ? want : 0))
            fail_msg("%s, condition %u, lanes %x: lane %u got to %u, not %u", what, n, active, i, past, want);
    }
    put_operands(w, f, &l->of[n], n, bits, all_quiet);
}

static void check_runs(struct exec_warp *w, const struct files *f, const struct list *l, unsigned bits,
                       const char *what)
{
    enum { RUNS = 10 };
    struct test_rng r = {0x5eed0002u};
    struct operands o[LANES];
    for (unsigned n = 0; n < l->count; n++) {
        for (unsigned i = 0; i < LANES; i++)
            o[i] = quiet(&l->of[n]);
        put_operands(w, f, &l->of[n], n, bits, o);
    }
    for (unsigned n = 0; n < l->count; n++)
        for (unsigned run = 0; run < RUNS; run++) {
            /* Of lanes one may be what decides: it alone has another value. */
            unsigned odd = run % 2 ? test_next(&r) % LANES : LANES;
            for (unsigned i = 0; i < LANES; i++) {
                bool drawn = odd == LANES || i == odd;
                o[i] = drawn ? (struct operands){corner(&r, bits), corner(&r, bits), test_next(&r) % 4 != 0}
                             : quiet(&l->of[n]);
            }
            uint32_t active = run < 4 ? UINT32_MAX : run == 9 ? 0 : test_next(&r);
            check_run(w, f, l, n, bits, o, active, what);
        }
}

static struct ir_program *program_of(struct arena *a, struct list *l, enum ir_type type, struct files *f)
{
    const unsigned bits = ir_type_bits(type);
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, LANES);
    struct ir_builder b = {p, IR_ENTRY, 0};
    p->policy = &policy;
    l->count = 0;
    add_all(l);
    struct ir_file numbers = {.name = "a", .bits = bits == 64 ? 64 : 32, .count = 2 * l->count, .preserved = true};
    struct ir_file flags = {.name = "p", .bits = 1, .count = l->count, .preserved = true};
    f->lane = ir_add_file(p, numbers);
    f->lane_on = ir_add_file(p, flags);
    numbers.uniform = flags.uniform = true;
    numbers.name = "ua";
    flags.name = "up";
    f->uniform = ir_add_file(p, numbers);
    f->uniform_on = ir_add_file(p, flags);
    f->kept = ir_add_file(p, (struct ir_file){.name = "k", .bits = 1, .count = 1, .preserved = true});
    f->past = ir_add_file(p, (struct ir_file){.name = "n", .bits = 32, .count = 1, .preserved = true});
    f->go = ir_add_file(p, (struct ir_file){.name = "go", .bits = 1, .count = 1, .preserved = true});
    uint32_t first = ir_new_block(p);
    ir_value go = ir_get(&b, f->go, 0, IR_I1);
    ir_control(&b, (struct ir_control){.ntargets = 1, .target = {first}}, &go, 1);
    b.block = first;
    for (unsigned n = 0; n < l->count; n++)
        build(&b, f, &l->of[n], n, type);
    ir_end(&b);
    return p;
}

static void check_form(enum ir_type type, enum exec_level level, bool masked)
{
    static struct list l;
    char what[80];
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct files f;
    struct ir_program *p = program_of(&a, &l, type, &f);
    struct exec_options o = {.level = level, .no_full = masked};
    struct exec_program *x = NULL;
    struct exec_env env = {0};
    if (ir_verify(p, d) != WEFT_OK || exec_compile(p, &o, &a, &x, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    struct exec_warp *w = exec_warp_new(x);
    exec_bind(w, &env);
    snprintf(what, sizeof what, "%s, level %d, masked %d", ir_type_name(type), level, masked);
    check_runs(w, &f, &l, ir_type_bits(type), what);
    exec_warp_free(w);
    weft_diags_free(d);
    arena_free(&a);
}

static void check_type(enum ir_type type)
{
    for (int level = 0; level < EXEC_LEVELS; level++)
        for (int masked = 0; masked < 2 && exec_level_usable((enum exec_level)level); masked++)
            check_form(type, (enum exec_level)level, masked);
}

static void bytes(void **state)
{
    (void)state;
    check_type(IR_I8);
}

static void halves(void **state)
{
    (void)state;
    check_type(IR_I16);
}

static void words(void **state)
{
    (void)state;
    check_type(IR_I32);
}

static void pairs(void **state)
{
    (void)state;
    check_type(IR_I64);
}

TEST_MAIN(TEST(bytes), TEST(halves), TEST(words), TEST(pairs))
