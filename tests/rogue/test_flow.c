/* test_flow.c - conditionals and branches: each conditional against the seed's pseudo-code, and random nested control
 * flow against every instance going its own way. */
#include "coverage.h"

#include <stdlib.h>

/* ---- one conditional ---- */

struct state {
    uint32_t counter;
    bool pe, p0;
};

static bool passes(unsigned pcnd, bool p0)
{
    return pcnd == 0 || (pcnd == 1 && p0) || (pcnd == 3 && !p0);
}

static struct state cndst(struct state s, unsigned pcnd, uint32_t adjust)
{
    if (passes(pcnd, s.p0) && s.counter == 0)
        return (struct state){0, true, s.p0};
    return (struct state){s.counter + adjust, false, s.p0};
}

static struct state cndef(struct state s, unsigned pcnd, uint32_t adjust)
{
    if (s.counter == 0)
        return (struct state){adjust, adjust == 0, s.p0};
    if (passes(pcnd, s.p0) && s.counter == 1)
        return (struct state){0, true, s.p0};
    return (struct state){s.counter, false, s.p0};
}

/* The operand is c2 in the tests. */
static struct state cndsm(struct state s, unsigned pcnd, uint32_t adjust)
{
    (void)adjust;
    if (passes(pcnd, s.p0) && s.counter == 0)
        return (struct state){2, false, s.p0};
    return (struct state){s.counter, s.counter == 0, s.p0};
}

static struct state cndend(struct state s, unsigned pcnd, uint32_t adjust)
{
    (void)pcnd;
    if (s.counter > adjust)
        return (struct state){s.counter - adjust, false, s.p0};
    return (struct state){0, true, s.p0};
}

static struct state cndlpc(struct state s, unsigned pcnd, uint32_t adjust)
{
    (void)pcnd, (void)adjust;
    if (s.counter == 0)
        return (struct state){2, false, s.p0};
    if (s.counter == 1)
        return (struct state){0, true, s.p0};
    return (struct state){s.counter, false, s.p0};
}

static bool loop_goes_on;

static struct state cndlt(struct state s, unsigned pcnd, uint32_t adjust)
{
    if (!loop_goes_on) {
        if (s.counter > adjust)
            return (struct state){s.counter - adjust, false, false};
        return (struct state){0, true, false};
    }
    if (!passes(pcnd, s.p0) && s.counter == 0)
        return (struct state){adjust, false, true};
    return (struct state){s.counter, s.counter == 0, true};
}

static const struct {
    const char *format;
    struct state (*oracle)(struct state, unsigned pcnd, uint32_t adjust);
} conditionals[] = {
    {"0 : (ignorepe) cndst %u, r0, r0, %u\n", cndst},   {"0 : (ignorepe) cndef %u, r0, r0, %u\n", cndef},
    {"0 : (ignorepe) cndsm %u, r0, r0, c2\n", cndsm},   {"0 : (ignorepe) cndlt %u, r0, p0, r0, %u\n", cndlt},
};

static void check_conditional(struct machine *m, struct state (*oracle)(struct state, unsigned, uint32_t),
                              unsigned pcnd, unsigned adjust, unsigned first)
{
    struct state before[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t counter = (first + lane / 2) % 6;
        before[lane] = (struct state){counter, counter == 0, lane & 1};
        machine_put(m, ROGUE_FILE_R, 0, lane, counter);
        machine_put(m, ROGUE_FILE_P0, 0, lane, lane & 1 ? UINT32_MAX : 0);
    }
    loop_goes_on = false; /* Pe is set where a program starts */
    for (unsigned lane = 0; lane < LANES; lane++)
        loop_goes_on |= passes(pcnd, before[lane].p0);
    assert_true(machine_run(m));
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct state want = oracle(before[lane], pcnd, adjust);
        assert_int_equal(machine_get(m, ROGUE_FILE_R, 0, lane), want.counter);
        assert_int_equal(machine_get(m, ROGUE_FILE_PE, 0, lane) != 0, want.pe);
        assert_int_equal(machine_get(m, ROGUE_FILE_P0, 0, lane) != 0, want.p0);
    }
}

static void test_pseudo_code(void **state)
{
    (void)state;
    char text[80];
    for (size_t i = 0; i < sizeof conditionals / sizeof *conditionals; i++)
        for (unsigned pcnd = 0; pcnd < 4; pcnd++)
            for (unsigned adjust = 0; adjust < 3; adjust++) {
                struct machine m;
                if (adjust == 0 && conditionals[i].oracle != cndef && conditionals[i].oracle != cndsm)
                    continue;
                snprintf(text, sizeof text, conditionals[i].format, pcnd, adjust);
                assert_true(machine_start(&m, text, false, true));
                for (unsigned first = 0; first < 6; first++)
                    check_conditional(&m, conditionals[i].oracle, pcnd, adjust, first);
                machine_end(&m);
            }
}

static void test_pseudo_code_without_predicate(void **state)
{
    (void)state;
    static const char *const texts[] = {"0 : (ignorepe) cndend r0, r0, 1\n", "0 : (ignorepe) cndend r0, r0, 2\n",
                                        "0 : (ignorepe) cndlpc r0, r0\n"};
    for (unsigned i = 0; i < 3; i++) {
        struct machine m;
        assert_true(machine_start(&m, texts[i], false, true));
        check_conditional(&m, i < 2 ? cndend : cndlpc, 0, i + 1, 0);
        machine_end(&m);
    }
}

/* Instances call the addresses that they hold in r2, one address after the other. */
static void test_call_loop(void **state)
{
    (void)state;
    static const char text[] = "0 : (ignorepe) cndsetl.a r0, r0, r2\n"
                               "1 : (ignorepe) cndsetl.b r0, r0, r2\n"
                               "2 : (ignorepe) savl r5\n";
    struct machine m;
    assert_true(machine_start(&m, text, false, true));
    for (unsigned lane = 0; lane < LANES; lane++) {
        machine_put(&m, ROGUE_FILE_R, 0, lane, lane % 5 == 4 ? 2 : 0);
        machine_put(&m, ROGUE_FILE_R, 2, lane, 40 + lane % 3);
    }
    assert_true(machine_run(&m));
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t want = lane % 5 == 4 ? 2 : lane % 3 == 0 ? 0 : 1;
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 0, lane), want);
        assert_int_equal(machine_get(&m, ROGUE_FILE_PE, 0, lane) != 0, want == 0);
        assert_int_equal(machine_get(&m, ROGUE_FILE_R, 5, lane), 40);
    }
    machine_end(&m);
}

/* ---- branches ---- */

static uint32_t result_of(const char *text, uint32_t r1)
{
    struct machine m;
    assert_true(machine_start(&m, text, false, true));
    for (unsigned lane = 0; lane < LANES; lane++)
        machine_put(&m, ROGUE_FILE_R, 1, lane, r1);
    assert_true(machine_run(&m));
    uint32_t v = machine_get(&m, ROGUE_FILE_R, 0, 0);
    machine_end(&m);
    return v;
}

static void test_branches(void **state)
{
    (void)state;
    static const char skip[] = "0 : mov ft0, r1\n    tstz.s32 ftt, p0, ft0\n"
                               "1 : mov ft0, c1\n    mov r0, ft0\n"
                               "2 : if(p0) br L1\n"
                               "3 : mov ft0, c2\n    mov r0, ft0\n"
                               "L1:\n4 : umadd32 ft0, r0, c10, c0,\n    mov r0, ft0\n";
    assert_int_equal(result_of(skip, 0), 10);
    assert_int_equal(result_of(skip, 1), 20);
    static const char call[] = "0 : mov ft0, c1\n    mov r0, ft0\n"
                               "1 : brl F\n"
                               "2 : brl F\n"
                               "3 : br E\n"
                               "F:\n4 : umadd32 ft0, r0, c3, c1,\n    mov r0, ft0\n"
                               "5 : lapc\n"
                               "E:\n6 : mov ft0, c0\n    mov r2, ft0\n";
    assert_int_equal(result_of(call, 0), 13);
    static const char returns_if[] = "0 : mov ft0, r1\n    tstz.s32 ftt, p0, ft0\n"
                                     "1 : mov ft0, c1\n    mov r0, ft0\n"
                                     "2 : brl F\n"
                                     "3 : br E\n"
                                     "F:\n4 : if(p0) lapc\n"
                                     "5 : mov ft0, c7\n    mov r0, ft0\n"
                                     "E:\n6 : mov ft0, c0\n    mov r2, ft0\n";
    assert_int_equal(result_of(returns_if, 0), 1);
    assert_int_equal(result_of(returns_if, 1), 7);
    /* a call within a call, whose link address SAVL keeps and SETL brings back */
    static const char nested[] = "0 : brl F\n"
                                 "1 : umadd32 ft0, r0, c10, c1,\n    mov r0, ft0\n"
                                 "2 : nop.end\n"
                                 "F:\n3 : savl r3\n"
                                 "4 : brl G\n"
                                 "5 : umadd32 ft0, r0, c10, c2,\n    mov r0, ft0\n"
                                 "6 : { s0 = r3, is4 = ft0 p0: mbyp ft0, s0; p2_mov: mov w0, ft0; backend: setl w0; }\n"
                                 "7 : lapc\n"
                                 "G:\n8 : umadd32 ft0, r0, c10, c3,\n    mov r0, ft0\n"
                                 "9 : lapc\n";
    assert_int_equal(result_of(nested, 0), 321);
    static const char absolute[] = "0 : bal F\n"
                                   "1 : umadd32 ft0, r0, c10, c1,\n    mov r0, ft0\n"
                                   "2 : ba E\n"
                                   "3 : umadd32 ft0, r0, c10, c9,\n    mov r0, ft0\n"
                                   "F:\n4 : umadd32 ft0, r0, c10, c2,\n    mov r0, ft0\n"
                                   "5 : lapc\n"
                                   "E:\n6 : mov ft0, c0\n    mov r2, ft0\n";
    assert_int_equal(result_of(absolute, 0), 21);
}

/* ---- random nested control flow ---- */

enum { MOST_NODES = 200, PER_BODY = 3, DEEPEST = 4, MOST_TEXT = 64 << 10 };
enum kind { ASSIGN, IF, LOOP, BREAK_IF, CONTINUE_IF };

struct node {
    enum kind kind;
    unsigned number;          /* constant of ASSIGN; counter register of LOOP */
    bool by_test;             /* LOOP: the counter is what CNDLT tests, not a break */
    bool apart;               /* LOOP: a group between the test and its branch, under the branch's condition */
    int body[2], next;        /* then and else; -1: nothing */
};

struct program {
    struct node nodes[MOST_NODES];
    int count;
    uint64_t random;
    char text[MOST_TEXT];
    size_t length;
    unsigned groups, labels;
};

static int make_body(struct program *p, unsigned depth, unsigned loops);

static int make_node(struct program *p, unsigned depth, unsigned loops)
{
    int n = p->count++;
    unsigned pick = machine_random(&p->random) % 8;
    struct node node = {.kind = ASSIGN, .number = machine_random(&p->random) % 31 + 1, .body = {-1, -1}, .next = -1};
    if (pick >= 3 && depth < DEEPEST && p->count < MOST_NODES / 2) {
        node.kind = pick < 6 ? IF : LOOP;
        node.by_test = machine_random(&p->random) & 1;
        node.apart = machine_random(&p->random) % 4 == 0;
        node.number = node.kind == LOOP ? 20 + depth : 0;
        node.body[0] = make_body(p, depth + 1, loops + (node.kind == LOOP));
        if (node.kind == IF && (machine_random(&p->random) & 1))
            node.body[1] = make_body(p, depth + 1, loops);
    } else if (pick >= 6 && loops) {
        node.kind = pick == 6 ? BREAK_IF : CONTINUE_IF;
    }
    p->nodes[n] = node;
    return n;
}

static int make_body(struct program *p, unsigned depth, unsigned loops)
{
    int first = -1, *link = &first;
    for (unsigned i = machine_random(&p->random) % PER_BODY + 1; i > 0 && p->count < MOST_NODES - 8; i--) {
        int n = make_node(p, depth, loops);
        *link = n;
        link = &p->nodes[n].next;
    }
    return first;
}

/* ---- ... as text ---- */

__attribute__((format(printf, 2, 3))) static void write_text(struct program *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(p->text + p->length, sizeof p->text - p->length, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && p->length + (size_t)n < sizeof p->text);
    p->length += (size_t)n;
}

static void group(struct program *p, const char *body)
{
    write_text(p, "%u : %s\n", p->groups++, body);
}

/* P0: the condition does not hold. It is the sign of r1. */
static void write_condition(struct program *p)
{
    group(p, "mov ft0, r1\n    tstgez.s32 ftt, p0, ft0");
}

static void write_step(struct program *p, unsigned constant)
{
    write_text(p, "%u : umadd32 ft0, r1, r2, c%u,\n    mov r1, ft0\n", p->groups++, constant);
}

static void write_body(struct program *p, int n, unsigned ifs);

static void write_if(struct program *p, const struct node *node, unsigned ifs)
{
    unsigned otherwise = p->labels++, end = p->labels++;
    write_condition(p);
    group(p, "(ignorepe) cndst 3, r0, r0, 1");
    write_text(p, "%u : br.allinst L%u\n", p->groups++, otherwise);
    write_body(p, node->body[0], ifs + 1);
    write_text(p, "L%u:\n", otherwise);
    if (node->body[1] >= 0) {
        group(p, "(ignorepe) cndef 0, r0, r0, 1");
        write_text(p, "%u : br.allinst L%u\n", p->groups++, end);
        write_body(p, node->body[1], ifs + 1);
    }
    write_text(p, "L%u:\n", end);
    group(p, "(ignorepe) cndend r0, r0, 1");
}

/* if (c) leave: CNDSM counts the conditionals between it and its loop. */
static void write_leave(struct program *p, unsigned levels)
{
    write_condition(p);
    group(p, "(ignorepe) cndst 3, r0, r0, 1");
    write_text(p, "%u : cndsm 0, r0, r0, c%u\n", p->groups++, levels);
    group(p, "(ignorepe) cndend r0, r0, 1");
}

static void write_loop(struct program *p, const struct node *node)
{
    unsigned body = p->labels++, end = p->labels++, r = node->number;
    write_text(p,
               "%u : mov ft0, ft1, c0, c0\n    mov ft2, r1\n    cbs ft3, r1\n    and ft4, _, ft2, _, c3\n"
               "    lsl ft5, ft4, c0\n"
               "    mov r%u, ft5\n",
               p->groups++, r);
    group(p, "(ignorepe) cndst 0, r0, r0, 2");
    write_text(p, "%u : br.allinst L%u\nL%u:\n", p->groups++, end, body);
    write_body(p, node->body[0], 0);
    group(p, "(ignorepe) cndend r0, r0, 1");
    group(p, "(ignorepe) cndst 0, r0, r0, 1");
    write_text(p, "%u : umadd32 ft0, r%u, c1, c143,\n    mov r%u, ft0\n", p->groups++, r, r); /* less 1 */
    write_text(p, "%u : mov ft0, r%u\n    tstgez.s32 ftt, p0, ft0\n", p->groups++, r);
    if (!node->by_test) {
        group(p, "(ignorepe) cndst 3, r0, r0, 1"); /* if (r < 0) break */
        group(p, "cndsm 0, r0, r0, c3");
        group(p, "(ignorepe) cndend r0, r0, 1");
    }
    write_text(p, "L%u:\n", end);
    write_text(p, "%u : (ignorepe) cndlt %u, r0, p0, r0, 2\n", p->groups++, node->by_test ? 1 : 0);
    if (node->apart)
        group(p, "if(p0) nop");
    write_text(p, "%u : if(p0) br L%u\n", p->groups++, body);
}

static void write_body(struct program *p, int n, unsigned ifs)
{
    for (; n >= 0; n = p->nodes[n].next)
        switch (p->nodes[n].kind) {
        case ASSIGN:
            write_step(p, p->nodes[n].number);
            break;
        case IF:
            write_if(p, &p->nodes[n], ifs);
            break;
        case LOOP:
            write_loop(p, &p->nodes[n]);
            break;
        default:
            write_leave(p, ifs + 1 + (p->nodes[n].kind == BREAK_IF ? 2 : 1));
            break;
        }
}

/* ---- ... and as one instance does it ---- */

enum leave { STAY, BROKE, CONTINUED };

struct instance {
    uint32_t r1, r2;
};

static enum leave do_body(const struct program *p, int n, struct instance *x);

static void do_loop(const struct program *p, const struct node *node, struct instance *x)
{
    int32_t counter = (int32_t)(x->r1 & 3);
    do
        if (do_body(p, node->body[0], x) == BROKE)
            break;
    while (--counter >= 0);
}

static enum leave do_body(const struct program *p, int n, struct instance *x)
{
    for (; n >= 0; n = p->nodes[n].next) {
        const struct node *node = &p->nodes[n];
        bool condition = x->r1 >> 31;
        enum leave left = STAY;
        if (node->kind == ASSIGN)
            x->r1 = x->r1 * x->r2 + node->number;
        else if (node->kind == IF)
            left = do_body(p, node->body[!condition], x);
        else if (node->kind == LOOP)
            do_loop(p, node, x);
        else if (condition)
            left = node->kind == BREAK_IF ? BROKE : CONTINUED;
        if (left != STAY)
            return left;
    }
    return STAY;
}

static void test_random_nests(void **state)
{
    (void)state;
    static struct program p;
    enum { PROGRAMS = 400 };
    for (unsigned seed = 0; seed < PROGRAMS; seed++) {
        struct machine m;
        p.count = 0;
        p.length = p.groups = p.labels = 0;
        p.random = seed;
        int body = make_body(&p, 0, 0);
        group(&p, "(ignorepe) cndst 0, r0, c0, 1");
        write_body(&p, body, 0);
        group(&p, "mov ft0, r1\n    mov r3, ft0");
        assert_true(machine_start(&m, p.text, false, seed & 1));
        struct instance before[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            before[lane] = (struct instance){machine_random(&p.random), machine_random(&p.random) | 1};
            machine_put(&m, ROGUE_FILE_R, 1, lane, before[lane].r1);
            machine_put(&m, ROGUE_FILE_R, 2, lane, before[lane].r2);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct instance x = before[lane];
            do_body(&p, body, &x);
            if (machine_get(&m, ROGUE_FILE_R, 3, lane) != x.r1) {
                printf("# seed %u, instance %u\n%s", seed, lane, p.text);
                assert_int_equal(machine_get(&m, ROGUE_FILE_R, 3, lane), x.r1);
            }
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 0, lane), 0);
        }
        machine_end(&m);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    check_coverage(BY_FLOW);
}

TEST_MAIN(TEST(test_pseudo_code), TEST(test_pseudo_code_without_predicate), TEST(test_call_loop), TEST(test_branches),
          TEST(test_random_nests), TEST(test_coverage))
