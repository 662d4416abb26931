/* test_steps.c - random programs of conditionals and branches, nested well or with a few groups changed, against a
 * task that goes from group to group as chapter 13 says. What the lift makes simpler where conditionals are nested,
 * and where two tasks run as one of 64 instances, must not show. */
#include "machine.h"

#include <stdarg.h>

enum { MOST_GROUPS = 120, MOST_STEPS = 1500, TASK = ROGUE_INSTANCES, BOTH = 2 * TASK };
enum { NUMBER = 1, FACTOR = 2, ELSEWHERE = 9, TURNS = 20, REGISTERS = 24 };
/* Sources that are not registers, and a result that goes nowhere. */
enum { ZERO = 255, MINUS_ONE = 254, NOWHERE = 253 };
/* Levels that CNDSM leaves: a constant that is -1, and the number in r9. */
enum { FARTHEST = 143, LEVEL_IN_REGISTER = 144 };

enum op { MULTIPLY, TEST_SIGN, COUNT_DOWN, CNDST, CNDEF, CNDSM, CNDLT, CNDEND, CNDLPC, BRANCH, NOTHING };
enum cc { RUNNING, IF_P0, EVERYONE, IF_NOT_P0 };
enum how { PLAIN, ALLINST, ANYINST };

struct group {
    enum op op;
    enum cc cc;
    enum how how;
    unsigned pcnd, adjust, number; /* of TEST_SIGN and COUNT_DOWN: the register; of CNDSM: the level */
    unsigned from, to, target;
};

struct steps {
    struct group group[MOST_GROUPS];
    unsigned count;
    bool leaves;  /* instances leave loops, or loops are in regions: then tasks must not run together */
    unsigned counter; /* the register */
    bool far;     /* instances leave to levels that are not known, or so far that counters begin again at 0 */
    bool regions; /* such that loops may be in conditionals and instances may leave */
    struct test_rng rng;
};

static unsigned pick(struct steps *p, unsigned n)
{
    return test_next(&p->rng) % n;
}

/* ---- programs that are nested ---- */

static struct group *add(struct steps *p, enum op op, enum cc cc)
{
    assert_true(p->count < MOST_GROUPS);
    struct group *g = &p->group[p->count++];
    *g = (struct group){.op = op, .cc = cc, .adjust = 1, .from = p->counter, .to = p->counter};
    return g;
}

static void add_conditional(struct steps *p, enum op op, unsigned pcnd, unsigned adjust)
{
    struct group *g = add(p, op, EVERYONE);
    g->pcnd = pcnd;
    g->adjust = adjust;
}

static void add_number(struct steps *p, enum op op, unsigned number)
{
    add(p, op, RUNNING)->number = number;
}

static void add_body(struct steps *p, unsigned depth, unsigned levels, bool in_loop);

/* A branch over what follows, whose target comes later; p->count: there is none. */
static unsigned add_skip(struct steps *p)
{
    unsigned at = p->count;
    if (pick(p, 4))
        add(p, BRANCH, RUNNING)->how = ALLINST;
    return at;
}

static void land(struct steps *p, unsigned at)
{
    if (at < p->count && p->group[at].op == BRANCH && p->group[at].how == ALLINST)
        p->group[at].target = p->count;
}

static void add_if(struct steps *p, unsigned depth, unsigned levels, bool in_loop)
{
    if (pick(p, 2))
        add_number(p, TEST_SIGN, NUMBER);
    add_conditional(p, CNDST, (unsigned[]){0, 1, 3}[pick(p, 3)], 1);
    unsigned skip = add_skip(p);
    bool skips = p->count > skip;
    add_body(p, depth + 1, levels + 1, in_loop);
    if (skips)
        land(p, skip);
    if (pick(p, 2)) {
        add_conditional(p, CNDEF, pick(p, 4), 1);
        skip = add_skip(p);
        skips = p->count > skip;
        add_body(p, depth + 1, levels + 1, in_loop);
        if (skips)
            land(p, skip);
    }
    add_conditional(p, CNDEND, 0, 1);
}

/* if (P0) out of so many levels */
static void add_leave(struct steps *p, unsigned levels)
{
    p->leaves = true;
    add_number(p, TEST_SIGN, NUMBER);
    add_conditional(p, CNDST, 3, 1);
    add(p, CNDSM, pick(p, 2) ? RUNNING : EVERYONE)->number = p->far ? FARTHEST + pick(p, 2) : levels;
    add_conditional(p, CNDEND, 0, 1);
}

static void add_loop(struct steps *p, unsigned depth)
{
    p->leaves |= depth > 0;
    add_conditional(p, CNDST, 0, 2);
    unsigned skip = add_skip(p), start = p->count;
    bool skips = start > skip;
    add_body(p, depth + 1, 0, true);
    if (pick(p, 2)) { /* those that went on with the next turn run again */
        add_conditional(p, CNDEND, 0, 1);
        add_conditional(p, CNDST, 0, 1);
    }
    add_number(p, COUNT_DOWN, TURNS + depth);
    add_number(p, TEST_SIGN, TURNS + depth);
    if (skips)
        land(p, skip);
    add_conditional(p, CNDLT, 1, 2);
    add(p, BRANCH, IF_P0)->target = start;
}

static void add_body(struct steps *p, unsigned depth, unsigned levels, bool in_loop)
{
    enum { DEEPEST = 3, ENOUGH = MOST_GROUPS / 2 };
    for (unsigned n = pick(p, 3) + (depth == 0); n > 0; n--) {
        unsigned kind = p->count < ENOUGH ? pick(p, 8) : 0;
        if (kind >= 6 && depth < DEEPEST && (depth == 0 || p->regions))
            add_loop(p, depth);
        else if (kind >= 3 && depth < DEEPEST)
            add_if(p, depth, levels, in_loop);
        else if (kind == 2 && in_loop && p->regions)
            add_leave(p, levels + 2 + pick(p, 2));
        else
            add_number(p, MULTIPLY, pick(p, 31) + 1);
    }
}

static void make(struct steps *p)
{
    p->count = 0;
    p->leaves = false;
    p->regions = pick(p, 2);
    p->far = pick(p, 8) == 0;
    p->counter = pick(p, 2) ? 8 : 0;
    add_conditional(p, CNDST, 0, 1);
    p->group[0].from = ZERO;
    add_body(p, 0, 0, false);
    add_number(p, MULTIPLY, 7);
}

/* ---- changes ---- */

static unsigned other_register(struct steps *p)
{
    return (unsigned[]){p->counter, ELSEWHERE, NUMBER}[pick(p, 3)];
}

/* Which group to change: most often a conditional or a branch. */
static unsigned some_group(struct steps *p)
{
    enum op least = (enum op[]){MULTIPLY, CNDST, BRANCH, BRANCH}[pick(p, 4)];
    unsigned i = pick(p, 8) ? pick(p, p->count) : 0;
    for (unsigned tries = 40; tries > 0 && p->group[i].op < least; tries--)
        i = pick(p, p->count);
    return i;
}

static void change(struct steps *p)
{
    unsigned i = some_group(p);
    struct group *g = &p->group[i], *next = &p->group[i + 1 < p->count ? i + 1 : i], kept = *g;
    switch (g->op == BRANCH && pick(p, 4) ? (unsigned[]){0, 5, 6}[pick(p, 3)] : pick(p, 10)) {
    case 0:
        g->cc = (enum cc)pick(p, 4);
        break;
    case 1:
        g->pcnd = pick(p, 4);
        break;
    case 2:
        g->adjust = 1 + pick(p, 2);
        g->number += g->op == CNDSM && g->number < FARTHEST;
        break;
    case 3:
        g->from = pick(p, 2) ? other_register(p) : ZERO - pick(p, 2);
        break;
    case 4:
        g->to = pick(p, 3) ? other_register(p) : NOWHERE;
        g->from = g->to == ELSEWHERE ? ELSEWHERE : g->from;
        break;
    case 5:
        g->how = (enum how)pick(p, 3);
        break;
    case 6:
        g->target = pick(p, p->count + 1);
        break;
    case 7:
        *g = *next;
        *next = kept;
        break;
    case 8:
        g->op = g->op < CNDST ? NOTHING : (enum op)(CNDST + pick(p, 6));
        break;
    default:
        *g = (struct group){.op = NOTHING, .cc = (enum cc)pick(p, 3), .adjust = 1};
        break;
    }
    if (g->op == CNDLT)
        g->cc = EVERYONE; /* what it does under a condition the chapter does not say */
}

/* ---- as text ---- */

struct text {
    char bytes[16 << 10];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void write_text(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && t->length + (size_t)n < sizeof t->bytes);
    t->length += (size_t)n;
}

static void write_group(struct text *t, const struct group *g, unsigned i)
{
    static const char *const conditions[] = {"", "if(p0) ", "(ignorepe) ", "if(!p0) "};
    static const char *const hows[] = {"", ".allinst", ".anyinst"};
    char from[8], to[8] = "_";
    if (g->from == ZERO || g->from == MINUS_ONE)
        snprintf(from, sizeof from, "c%u", g->from == MINUS_ONE ? FARTHEST : 0);
    else
        snprintf(from, sizeof from, "r%u", g->from);
    if (g->to != NOWHERE)
        snprintf(to, sizeof to, "r%u", g->to);
    write_text(t, "L%u:\n%u : %s", i, i, conditions[g->cc]);
    switch (g->op) {
    case MULTIPLY:
        write_text(t, "\n    umadd32 ft0, r1, r2, c%u,\n    mov r1, ft0\n", g->number);
        break;
    case TEST_SIGN:
        write_text(t, "\n    mov ft0, r%u\n    tstgez.s32 ftt, p0, ft0\n", g->number);
        break;
    case COUNT_DOWN: /* c143: -1 */
        write_text(t, "\n    umadd32 ft0, r%u, c1, c143,\n    mov r%u, ft0\n", g->number, g->number);
        break;
    case CNDST:
    case CNDEF:
        write_text(t, "%s %u, %s, %s, %u\n", g->op == CNDST ? "cndst" : "cndef", g->pcnd, to, from, g->adjust);
        break;
    case CNDSM:
        write_text(t, "cndsm %u, %s, %s, ", g->pcnd, to, from);
        if (g->number == LEVEL_IN_REGISTER)
            write_text(t, "r%u\n", ELSEWHERE);
        else
            write_text(t, "c%u\n", g->number);
        break;
    case CNDLT:
        write_text(t, "cndlt %u, %s, p0, %s, %u\n", g->pcnd, to, from, g->adjust);
        break;
    case CNDEND:
        write_text(t, "cndend %s, %s, %u\n", to, from, g->adjust);
        break;
    case CNDLPC:
        write_text(t, "cndlpc %s, %s\n", to, from);
        break;
    case BRANCH:
        write_text(t, "br%s L%u\n", hows[g->how], g->target);
        break;
    default:
        write_text(t, "nop\n");
        break;
    }
}

static void write_program(struct text *t, const struct steps *p)
{
    t->length = 0;
    for (unsigned i = 0; i < p->count; i++)
        write_group(t, &p->group[i], i);
    write_text(t, "L%u:\n", p->count);
}

/* ---- as a task does it ---- */

struct instance {
    uint32_t r[REGISTERS];
    bool pe, p0;
};

static bool runs(const struct instance *x, enum cc cc)
{
    return cc == EVERYONE || (x->pe && (cc == RUNNING || x->p0 == (cc == IF_P0)));
}

static bool passes(const struct instance *x, unsigned pcnd)
{
    return pcnd == 0 || (pcnd == 1 && x->p0) || (pcnd == 3 && !x->p0);
}

static void conditional(struct instance *x, const struct group *g, bool goes_on)
{
    uint32_t s = g->from == ZERO ? 0 : g->from == MINUS_ONE ? UINT32_MAX : x->r[g->from];
    uint32_t less = s > g->adjust ? s - g->adjust : 0, d = s;
    bool pass = passes(x, g->pcnd), stops = s == 0 && !pass;
    switch (g->op) {
    case CNDST:
        d = pass && s == 0 ? 0 : s + g->adjust;
        x->pe = pass && s == 0;
        break;
    case CNDEF:
        d = s == 0 ? g->adjust : pass && s == 1 ? 0 : s;
        x->pe = d == 0;
        break;
    case CNDSM:
        d = !pass || s ? s
            : g->number == FARTHEST          ? UINT32_MAX
            : g->number == LEVEL_IN_REGISTER ? x->r[ELSEWHERE]
                                             : g->number;
        x->pe = d == 0;
        break;
    case CNDLT:
        d = !goes_on ? less : stops ? g->adjust : s;
        x->pe = goes_on ? s == 0 && pass : d == 0;
        x->p0 = goes_on;
        break;
    case CNDEND:
        d = less;
        x->pe = d == 0;
        break;
    default:
        d = s == 0 ? 2 : s == 1 ? 0 : s;
        x->pe = d == 0;
        break;
    }
    if (g->to != NOWHERE)
        x->r[g->to] = d;
}

static void act(struct instance *x, const struct group *g, bool goes_on)
{
    if (!runs(x, g->cc))
        return;
    if (g->op == MULTIPLY)
        x->r[NUMBER] = x->r[NUMBER] * x->r[FACTOR] + g->number;
    else if (g->op == TEST_SIGN)
        x->p0 = x->r[g->number] >> 31 == 0;
    else if (g->op == COUNT_DOWN)
        x->r[g->number]--;
    else if (g->op >= CNDST && g->op <= CNDLPC)
        conditional(x, g, goes_on);
}

/* A plain branch is taken when some instance runs, or always where it asks for none; .allinst when no instance with Pe
 * fails its predicate, or has Pe. */
static bool is_taken(const struct instance *all, const struct group *g)
{
    bool predicated = g->cc == IF_P0 || g->cc == IF_NOT_P0, some = g->how == PLAIN && g->cc == EVERYONE, fails = false;
    for (unsigned i = 0; i < TASK; i++) {
        const struct instance *x = &all[i];
        some |= g->how == ANYINST && !predicated ? x->pe : g->cc != EVERYONE && runs(x, g->cc);
        fails |= x->pe && !(predicated && runs(x, g->cc));
    }
    return g->how == ALLINST ? !fails : some;
}

/* False: it goes on for too long. */
static bool do_task(const struct steps *p, struct instance *all)
{
    unsigned steps = 0, at = 0;
    for (; at < p->count && steps < MOST_STEPS; steps++) {
        const struct group *g = &p->group[at];
        if (g->op == BRANCH) {
            at = is_taken(all, g) ? g->target : at + 1;
            continue;
        }
        bool goes_on = false;
        for (unsigned i = 0; i < TASK; i++)
            goes_on |= all[i].pe && passes(&all[i], g->pcnd);
        for (unsigned i = 0; i < TASK; i++)
            act(&all[i], g, goes_on);
        at++;
    }
    return at >= p->count;
}

/* ---- both ---- */

static void fill(struct steps *p, struct machine *m, unsigned lanes, struct instance *all)
{
    bool alike = pick(p, 2); /* the instances of a task, which then go one way */
    for (unsigned lane = 0; lane < lanes; lane++) {
        struct instance *x = &all[lane], *first = &all[lane - lane % TASK];
        *x = (struct instance){.pe = true, .p0 = pick(p, 2)};
        x->r[NUMBER] = alike && x != first ? first->r[NUMBER] : test_next(&p->rng);
        x->r[FACTOR] = alike && x != first ? first->r[FACTOR] : test_next(&p->rng) | 1;
        x->r[ELSEWHERE] = pick(p, 4) - 1;
        for (unsigned k = TURNS; k < REGISTERS; k++) /* the second task goes round more often */
            x->r[k] = pick(p, lane < TASK ? 2 : 5);
        for (unsigned k = 0; k < REGISTERS; k++)
            machine_put(m, ROGUE_FILE_R, k, lane, x->r[k]);
        machine_put(m, ROGUE_FILE_P0, 0, lane, x->p0 ? UINT32_MAX : 0);
    }
}

static void compare(struct machine *m, unsigned lanes, const struct instance *all, const char *text, unsigned changes)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        for (unsigned k = 0; k < REGISTERS; k++)
            if (machine_row(m, ROGUE_FILE_R, k) && machine_get(m, ROGUE_FILE_R, k, lane) != all[lane].r[k]) {
                printf("# %s\n", text);
                fail_msg("%u instances, %u changes: r%u of instance %u is 0x%x, expected 0x%x", lanes, changes, k,
                         lane, machine_get(m, ROGUE_FILE_R, k, lane), all[lane].r[k]);
            }
}

/* How often the counter is compared where Pe is in step with it: for the first conditional, which comes before that,
 * and where the counter decides what Pe becomes. */
static unsigned compared(const struct steps *p)
{
    unsigned n = 1;
    for (unsigned i = 0; i < p->count; i++) {
        enum op op = p->group[i].op;
        n += op == CNDEF ? 2 : op == CNDEND || op == CNDSM || op == CNDLT;
    }
    return n;
}

static unsigned comparisons(const struct ir_program *ir)
{
    unsigned n = 0;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++)
            n += ir->blocks[b].ops[i].code == IR_EQ;
    return n;
}

static unsigned together, tried;

static void check(struct steps *p, unsigned changes, bool pair)
{
    static struct text text;
    static struct instance all[BOTH];
    struct machine m;
    write_program(&text, p);
    bool optimise = changes && p->rng.state & 1;
    assert_true(machine_start_at(&m, IR_COMPUTE, pair ? "block 64 1 1" : "block 32 1 1", text.bytes, false, optimise));
    unsigned lanes = m.ir->lanes;
    if (!changes && comparisons(m.ir) != compared(p)) {
        printf("# %s\n", text.bytes);
        fail_msg("the counter is compared %u times, not %u", comparisons(m.ir), compared(p));
    }
    if (changes == 0 && lanes != (pair && !p->leaves ? BOTH : TASK)) {
        printf("# %s\n", text.bytes);
        fail_msg("a program whose conditionals are nested has %u instances in a warp", lanes);
    }
    fill(p, &m, lanes, all);
    bool ends = do_task(p, all) && (lanes == TASK || do_task(p, all + TASK));
    if (ends) {
        assert_int_equal(exec_run(m.warp, lanes == BOTH ? UINT64_MAX : UINT32_MAX,
                                  lanes == BOTH ? UINT64_MAX : UINT32_MAX, 0), EXEC_DONE);
        compare(&m, lanes, all, text.bytes, changes);
        tried++;
        together += lanes == BOTH;
    }
    machine_end(&m);
}

static void random_programs(void **state)
{
    (void)state;
    static struct steps p;
    enum { PROGRAMS = 800, MOST_CHANGES = 3 };
    p.rng = test_seed("programs");
    for (unsigned n = 0; n < PROGRAMS; n++) {
        make(&p);
        for (unsigned changes = 0; changes <= MOST_CHANGES; changes++) {
            check(&p, changes + (p.far && p.leaves), n & 1);
            change(&p);
        }
    }
    printf("# %u programs, %u of them with two tasks in a warp\n", tried, together);
}

/* One conditional in the other: the lift keeps track of so many. */
static void depth(void **state)
{
    (void)state;
    static struct steps p;
    enum { MOST = 16, BEYOND = 3 };
    p.rng = test_seed("depth");
    for (unsigned n = 1; n <= MOST + BEYOND; n++) {
        p.count = 0;
        add_conditional(&p, CNDST, 0, 1);
        p.group[0].from = ZERO;
        for (unsigned i = 0; i < n; i++) {
            add_number(&p, TEST_SIGN, NUMBER);
            add_conditional(&p, CNDST, 1, 1);
            add_number(&p, MULTIPLY, i + 1);
        }
        for (unsigned i = 0; i < n; i++)
            add_conditional(&p, CNDEND, 0, 1);
        check(&p, n > MOST, true);
    }
}

TEST_MAIN(TEST(random_programs), TEST(depth))
