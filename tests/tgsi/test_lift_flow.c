/* Control flow: random programs of nested IF, loops, switches and calls against an interpreter that runs one lane at a
 * time over the same tree, and the cases that a tree cannot say. */
#include "lift_run.h"

/* ---- programs as trees ---- */

enum kind { STEP, BRANCH, LOOP, BREAK, CONTINUE, RETURN, SWITCH, CALL, KINDS };
enum { VARS = 4, SUBS = 3, NODES = 4000, CASES = 5, DEFAULT_CASE = -1, CONSTANTS = 64 };

struct node {
    enum kind kind;
    unsigned a, b, op;            /* STEP: variables and operation */
    unsigned var, mask, equals;   /* condition: (var & mask) == equals; SWITCH: var & mask */
    bool conditional, as_float;   /* CALL, BREAK: CALLNZ, BREAKC; BRANCH: IF instead of UIF */
    unsigned times, counter, sub; /* LOOP, CALL */
    struct node *body, *other;    /* BRANCH, LOOP */
    struct node *arm[CASES];      /* SWITCH */
    int label[CASES];
    unsigned arms;
    struct node *next;
};

struct program {
    struct node nodes[NODES];
    unsigned count, counters;
    struct node *main, *sub[SUBS];
    bool jumps; /* with a branch out of an IF, so that it is lifted by places, not by masks */
    struct test_rng *r;
};

static unsigned below(struct program *p, unsigned n)
{
    return test_next(p->r) % n;
}

struct place {
    unsigned depth, sub; /* sub: subroutines from here on may be called */
    bool loop, leave;    /* inside a loop; inside a loop or a switch */
};

static struct node *block(struct program *p, struct place at);

static enum kind choose(struct program *p, struct place at)
{
    for (;;) {
        enum kind k = (enum kind)below(p, KINDS);
        bool nests = k == BRANCH || k == LOOP || k == SWITCH;
        if ((nests && at.depth > 5) || (k == BREAK && !at.leave) || (k == CONTINUE && !at.loop) ||
            (k == CALL && at.sub >= SUBS))
            continue;
        if ((k == RETURN || k == LOOP) && below(p, 3))
            continue;
        return k;
    }
}

static void fill_switch(struct program *p, struct node *n, struct place in)
{
    n->mask = 3;
    n->arms = below(p, CASES + 1);
    bool has_default = false;
    for (unsigned i = 0; i < n->arms; i++) {
        bool is_default = !has_default && below(p, 3) == 0;
        has_default |= is_default;
        n->label[i] = is_default ? DEFAULT_CASE : (int)below(p, 5);
        n->arm[i] = block(p, in);
    }
}

static struct node *statement(struct program *p, struct place at)
{
    if (p->count == NODES)
        return NULL;
    struct node *n = &p->nodes[p->count++];
    *n = (struct node){.kind = choose(p, at), .a = below(p, VARS), .b = below(p, VARS), .op = below(p, 5)};
    n->var = below(p, VARS);
    n->mask = 1 + below(p, 7);
    n->equals = below(p, 8) & n->mask;
    n->conditional = below(p, 2);
    n->as_float = below(p, 2);
    struct place in = at;
    in.depth++;
    switch (n->kind) {
    case BRANCH:
        n->body = block(p, in);
        n->other = below(p, 2) ? block(p, in) : NULL;
        break;
    case LOOP:
        in.loop = in.leave = true;
        n->times = below(p, 5);
        n->counter = p->counters++;
        n->body = block(p, in);
        break;
    case SWITCH:
        in.leave = true;
        fill_switch(p, n, in);
        break;
    case CALL:
        n->sub = at.sub + below(p, SUBS - at.sub);
        break;
    default:
        break;
    }
    return n;
}

static struct node *block(struct program *p, struct place at)
{
    struct node *first = NULL, **end = &first;
    for (unsigned i = below(p, 4); i < 4; i++) {
        if (!(*end = statement(p, at)))
            break;
        end = &(*end)->next;
    }
    return first;
}

/* ---- one lane at a time ---- */

enum signal { GO_ON, BROKEN, CONTINUED, RETURNED };

static bool holds(const struct node *n, const uint32_t *v)
{
    return (v[n->var] & n->mask) == n->equals;
}

static void step(const struct node *n, uint32_t *v)
{
    switch (n->op) {
    case 0: v[n->a] += v[n->b]; break;
    case 1: v[n->a] ^= v[n->b]; break;
    case 2: v[n->a] = v[n->a] * 5 + 3; break;
    case 3: v[n->a] += n->b + 1; break;
    default: v[n->a] = (v[n->a] >> 3) + v[n->b]; break;
    }
}

static enum signal run_block(const struct program *p, const struct node *n, uint32_t *v);

static enum signal run_loop(const struct program *p, const struct node *n, uint32_t *v)
{
    for (unsigned i = 0; i < n->times; i++) {
        enum signal s = run_block(p, n->body, v);
        if (s == BROKEN)
            break;
        if (s == RETURNED)
            return s;
    }
    return GO_ON;
}

static enum signal run_switch(const struct program *p, const struct node *n, uint32_t *v)
{
    unsigned value = v[n->var] & n->mask, at = n->arms;
    for (unsigned i = n->arms; i-- > 0;)
        if (n->label[i] == DEFAULT_CASE)
            at = i;
    for (unsigned i = n->arms; i-- > 0;)
        if (n->label[i] == (int)value)
            at = i; /* the first of equal labels */
    for (unsigned i = at; i < n->arms; i++) {
        enum signal s = run_block(p, n->arm[i], v);
        if (s == BROKEN)
            return GO_ON;
        if (s != GO_ON)
            return s;
    }
    return GO_ON;
}

static enum signal run_block(const struct program *p, const struct node *n, uint32_t *v)
{
    for (; n; n = n->next) {
        enum signal s = GO_ON;
        switch (n->kind) {
        case STEP: step(n, v); break;
        case BRANCH: s = run_block(p, holds(n, v) ? n->body : n->other, v); break;
        case LOOP: s = run_loop(p, n, v); break;
        case BREAK: s = !n->conditional || holds(n, v) ? BROKEN : GO_ON; break;
        case CONTINUE: s = CONTINUED; break;
        case RETURN: s = RETURNED; break;
        case SWITCH: s = run_switch(p, n, v); break;
        default:
            if (!n->conditional || holds(n, v))
                run_block(p, p->sub[n->sub], v);
            break;
        }
        if (s != GO_ON)
            return s;
    }
    return GO_ON;
}

/* ---- as TGSI ---- */

struct text {
    char *at, *end;
    unsigned insns;
    unsigned sub_at[SUBS];
};

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->at, (size_t)(t->end - t->at), fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && n < t->end - t->at);
    t->at += n;
    t->insns++;
}

static const char xyzw[] = "xyzw";
static const char *imm(unsigned v)
{
    static char text[4][24];
    static unsigned turn;
    char *s = text[turn++ % 4], c = xyzw[v % 4];
    snprintf(s, sizeof text[0], "IMM[%u].%c%c%c%c", v / 4, c, c, c, c);
    return s;
}

static const char *var(unsigned v)
{
    static char text[4][24];
    static unsigned turn;
    char *s = text[turn++ % 4], c = xyzw[v];
    snprintf(s, sizeof text[0], "TEMP[0].%c%c%c%c", c, c, c, c);
    return s;
}

/* TEMP[1].x: all ones where the condition holds. */
static void put_condition(struct text *t, const struct node *n)
{
    put(t, "AND TEMP[1].x, %s, %s\n", var(n->var), imm(n->mask));
    put(t, "USEQ TEMP[1].x, TEMP[1].xxxx, %s\n", imm(n->equals));
}

static void put_block(struct text *t, const struct node *n);

static void put_step(struct text *t, const struct node *n)
{
    char to = xyzw[n->a];
    switch (n->op) {
    case 0: put(t, "UADD TEMP[0].%c, %s, %s\n", to, var(n->a), var(n->b)); break;
    case 1: put(t, "XOR TEMP[0].%c, %s, %s\n", to, var(n->a), var(n->b)); break;
    case 2: put(t, "UMAD TEMP[0].%c, %s, %s, %s\n", to, var(n->a), imm(5), imm(3)); break;
    case 3: put(t, "UADD TEMP[0].%c, %s, %s\n", to, var(n->a), imm(n->b + 1)); break;
    default:
        put(t, "USHR TEMP[1].y, %s, %s\n", var(n->a), imm(3));
        put(t, "UADD TEMP[0].%c, TEMP[1].yyyy, %s\n", to, var(n->b));
        break;
    }
}

static void put_branch(struct text *t, const struct node *n)
{
    put_condition(t, n);
    if (n->as_float)
        put(t, "U2F TEMP[1].x, TEMP[1].xxxx\n");
    put(t, "%s TEMP[1].xxxx\n", n->as_float ? "IF" : "UIF");
    put_block(t, n->body);
    if (n->other) {
        put(t, "ELSE\n");
        put_block(t, n->other);
    }
    put(t, "ENDIF\n");
}

static void put_loop(struct text *t, const struct node *n)
{
    unsigned c = n->counter + 2;
    put(t, "MOV TEMP[%u].x, %s\n", c, imm(0));
    put(t, "BGNLOOP\n");
    put(t, "USGE TEMP[1].x, TEMP[%u].xxxx, %s\n", c, imm(n->times));
    put(t, "UIF TEMP[1].xxxx\n");
    put(t, "BRK\n");
    put(t, "ENDIF\n");
    put(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, %s\n", c, c, imm(1));
    put_block(t, n->body);
    put(t, "ENDLOOP\n");
}

static void put_switch(struct text *t, const struct node *n)
{
    put(t, "AND TEMP[1].x, %s, %s\n", var(n->var), imm(n->mask));
    put(t, "SWITCH TEMP[1].xxxx\n");
    for (unsigned i = 0; i < n->arms; i++) {
        if (n->label[i] == DEFAULT_CASE)
            put(t, "DEFAULT\n");
        else
            put(t, "CASE %s\n", imm((unsigned)n->label[i]));
        put_block(t, n->arm[i]);
    }
    put(t, "ENDSWITCH\n");
}

static void put_block(struct text *t, const struct node *n)
{
    for (; n; n = n->next)
        switch (n->kind) {
        case STEP: put_step(t, n); break;
        case BRANCH: put_branch(t, n); break;
        case LOOP: put_loop(t, n); break;
        case SWITCH: put_switch(t, n); break;
        case CONTINUE: put(t, "CONT\n"); break;
        case RETURN: put(t, "RET\n"); break;
        case BREAK:
            if (n->conditional)
                put_condition(t, n);
            put(t, n->conditional ? "BREAKC TEMP[1].xxxx\n" : "BRK\n");
            break;
        default:
            if (n->conditional)
                put_condition(t, n);
            put(t, "%s :%u\n", n->conditional ? "CALLNZ TEMP[1].xxxx" : "CAL", t->sub_at[n->sub]);
            break;
        }
}

static void put_program(struct text *t, const struct program *p)
{
    put(t, "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..%u]\n", p->counters + 2);
    for (unsigned i = 0; i < CONSTANTS; i += 4)
        put(t, "IMM UINT32 {%u, %u, %u, %u}\n", i, i + 1, i + 2, i + 3);
    t->insns = 0;
    put(t, "MOV TEMP[0], IN[0]\n");
    put(t, "MOV OUT[0], IN[0]\n");
    if (p->jumps) {
        put(t, "UIF IN[0].yyyy\n");
        put(t, "BRA :%u\n", t->insns + 2);
        put(t, "ENDIF\n");
    }
    /* The main program is a subroutine too, so that RET leaves it before the result is written. */
    put(t, "CAL :%u\n", t->sub_at[0]);
    put(t, "MOV OUT[0], TEMP[0]\n");
    put(t, "END\n");
    for (unsigned i = 0; i < SUBS; i++) {
        t->sub_at[i] = t->insns;
        put(t, "BGNSUB\n");
        put_block(t, p->sub[i]);
        put(t, "ENDSUB\n");
    }
}

static void make(struct program *p, struct test_rng *r)
{
    p->r = r;
    p->count = p->counters = 0;
    for (unsigned i = SUBS; i-- > 0;)
        p->sub[i] = block(p, (struct place){.depth = i * 2, .sub = i + 1});
}

static void random_programs(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    struct test_rng r = test_seed("flow");
    struct program *p = calloc(1, sizeof *p);
    struct run *run = calloc(1, sizeof *run);
    char *buffer = malloc(SIZE);
    assert_true(p && run && buffer);
    for (unsigned round = 0; round < 600 / test_share(); round++) {
        struct text t = {0};
        make(p, &r);
        p->jumps = round % 3 == 0;
        for (unsigned pass = 0; pass < 2; pass++) { /* labels are known the second time */
            t.at = buffer;
            t.end = buffer + SIZE;
            put_program(&t, p);
        }
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < RUN_LANES; lane++) {
                run->in[0][c][lane] = (uint32_t)test_next(&r) & 63;
                run->out[0][c][lane] = 0x5eed;
            }
        run->optimise = round & 1;
        run->no_full = round & 2;
        run->active = run->live = round % 5 ? UINT64_MAX : test_next64(&r);
        run_text(buffer, run);
        if (run->stop != EXEC_DONE)
            print_error("stopped: %d %s\n%s", (int)run->stop, run->fault, buffer);
        assert_int_equal(run->stop, EXEC_DONE);
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            uint32_t v[VARS], want;
            for (unsigned c = 0; c < VARS; c++)
                v[c] = run->in[0][c][lane];
            run_block(p, p->sub[0], v);
            for (unsigned c = 0; c < VARS; c++) {
                want = run->active >> lane & 1 ? v[c] : 0x5eed;
                if (run->out[0][c][lane] != want)
                    print_error("round %u lane %u.%c: got %u, want %u\n%s", round, lane, xyzw[c], run->out[0][c][lane],
                                want, buffer);
                assert_int_equal(run->out[0][c][lane], want);
            }
        }
    }
    free(buffer);
    free(run);
    free(p);
}

/* ---- what the trees cannot say ---- */

static struct run lanes_and_numbers(void)
{
    struct run run = {.active = UINT64_MAX, .live = UINT64_MAX, .optimise = true};
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        for (unsigned c = 0; c < 4; c++)
            run.in[0][c][lane] = c ? c : lane;
    return run;
}

#define HEAD "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM UINT32 {0, 1, 2, 32}\n"

static void ret_from_main_reaches_the_outputs(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run_text(HEAD "MOV OUT[0], IN[0]\n"
                  "USLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\n"
                  "BGNLOOP\n"
                  "UIF TEMP[0].xxxx\nRET\nELSE\nBRK\nENDIF\n"
                  "ENDLOOP\n"
                  "UADD OUT[0].x, IN[0].xxxx, IMM[0].wwww\n"
                  "END\n", &run);
    assert_int_equal(run.stop, EXEC_DONE);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane < 32 ? lane : lane + 32);
}

/* Programs for OpenCL: a subroutine from instruction 0 on, and END within a block. */
static void a_program_may_be_a_subroutine(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run_text(HEAD "BGNSUB\nMOV OUT[0], IN[0]\nUSLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nUIF TEMP[0].xxxx\nUADD "
                  "OUT[0].y, IN[0].yyyy, IMM[0].zzzz\n"
                  "END\nENDIF\nMOV OUT[0].x, IMM[0].xxxx\nRET\nENDSUB\n",
             &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        assert_int_equal(run.out[0][0][lane], lane < 32 ? lane : 0);
        assert_int_equal(run.out[0][1][lane], lane < 32 ? 3 : 1);
    }
}

static void endless_loop_meets_the_budget(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run.budget = 10000;
    run_text(HEAD "MOV OUT[0], IN[0]\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n", &run);
    assert_int_equal(run.stop, EXEC_OUT_OF_BUDGET);
    assert_in_range(run.insn, 1, 3);
    run_text(HEAD "MOV OUT[0], IN[0]\nBGNLOOP\nENDLOOP\nEND\n", &run);
    assert_int_equal(run.stop, EXEC_OUT_OF_BUDGET);
    run_text(HEAD "MOV OUT[0], IN[0]\nNOP\nBRA :1\nEND\n", &run);
    assert_int_equal(run.stop, EXEC_OUT_OF_BUDGET);
}

static void endless_recursion_is_a_fault(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run_text(HEAD "MOV OUT[0], IN[0]\nCAL :3\nEND\nBGNSUB\nUIF IN[0].yyyy\nCAL :3\nENDIF\nENDSUB\n", &run);
    assert_int_equal(run.stop, EXEC_FAULT);
    assert_non_null(strstr(run.fault, "nested too deeply"));
}

/* 160 constructs are open at once: a call of 79 inside its IF is two more than 158, and inside one IF more too many. */
static void recursion_is_so_deep(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    char text[900];
    for (unsigned n = 77; n < 82; n++)
        for (unsigned inside = 0; inside < 2; inside++) {
            unsigned at = inside ? 6 : 4;
            snprintf(text, sizeof text,
                     HEAD "IMM[1] UINT32 {%u, 0, 0, 0}\nMOV TEMP[0].x, IMM[1].xxxx\n%sCAL :%u\n%s"
                          "MOV OUT[0], IN[0]\nEND\n"
                          "BGNSUB\nUIF TEMP[0].xxxx\nINEG TEMP[1].x, IMM[0].yyyy\n"
                          "UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nCAL :%u\nENDIF\nENDSUB\n",
                     n, inside ? "UIF IMM[0].yyyy\n" : "", at, inside ? "ENDIF\n" : "", at);
            run_text(text, &run);
            assert_int_equal(run.stop, inside + 2 * n + 2 <= 160 ? EXEC_DONE : EXEC_FAULT);
        }
}

static void recursion_ends_lane_by_lane(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    /* TEMP[0].y = 1 + 2 + ... + lane, by recursion */
    run_text(HEAD "MOV TEMP[0].x, IN[0].xxxx\nMOV TEMP[0].y, IMM[0].xxxx\nCAL :5\nMOV OUT[0], TEMP[0].yyyy\nEND\n"
                  "BGNSUB\nUIF TEMP[0].xxxx\nUADD TEMP[0].y, TEMP[0].yyyy, TEMP[0].xxxx\n"
                  "INEG TEMP[1].x, IMM[0].yyyy\nUADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nCAL :5\nENDIF\nENDSUB\n",
             &run);
    assert_int_equal(run.stop, EXEC_DONE);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane * (lane + 1) / 2);
}

static void bra_jumps_inside_a_block(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run_text(HEAD "MOV OUT[0], IN[0]\nUSLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nUIF TEMP[0].xxxx\n"
                  "BRA :5\nMOV OUT[0].x, IMM[0].xxxx\nUADD OUT[0].y, IN[0].yyyy, IMM[0].yyyy\nENDIF\nEND\n", &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        assert_int_equal(run.out[0][0][lane], lane);
        assert_int_equal(run.out[0][1][lane], lane < 32 ? 2 : 1);
    }
}

/* BRA into and out of constructs: each lane goes its own way. */
static void bra_leads_anywhere(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    /* out of an IF, past the addition of 2 */
    run_text(HEAD "MOV OUT[0], IN[0]\nUSLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nUIF TEMP[0].xxxx\nBRA :6\nENDIF\n"
                  "UADD OUT[0].x, IN[0].xxxx, IMM[0].zzzz\nNOP\nEND\n", &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane < 32 ? lane : lane + 2);
    /* into an ELSE, from before its IF */
    run_text(HEAD "MOV OUT[0], IN[0]\nUSLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nUIF TEMP[0].xxxx\nBRA :8\nENDIF\n"
                  "UIF TEMP[0].yyyy\nNOP\nELSE\nUADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\nENDIF\n"
                  "UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\nEND\n", &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane + 3);
    /* backwards, out of a loop into it again; a lane goes round as often as its number says */
    run_text(HEAD "MOV TEMP[0], IN[0]\nMOV TEMP[1], IMM[0].xxxx\nBGNLOOP\nUIF TEMP[0].xxxx\nBRA :8\nENDIF\nBRK\n"
                  "ENDLOOP\nUIF TEMP[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\n"
                  "UADD TEMP[0].x, TEMP[0].xxxx, -IMM[0].yyyy\nBRA :3\nENDIF\nMOV OUT[0], TEMP[1]\nEND\n", &run);
    assert_int_equal(run.stop, EXEC_DONE);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], 2 * lane);
    /* out of a subroutine: its return address stays where it is, and END ends the lane all the same */
    run_text(HEAD "MOV OUT[0], IN[0]\nCAL :4\nUADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\nEND\n"
                  "BGNSUB\nUIF IN[0].xxxx\nBRA :3\nENDIF\nENDSUB\n", &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane ? lane : 2);
    run_text(HEAD "MOV OUT[0], IN[0]\nUIF IMM[0].xxxx\nBRA :0\nENDIF\nCAL :6\nEND\nBGNSUB\nCAL :6\nENDSUB\n", &run);
    assert_int_equal(run.stop, EXEC_FAULT);
    assert_non_null(strstr(run.fault, "nested too deeply"));
}

static void address_stack(void **state)
{
    (void)state;
    struct run run = lanes_and_numbers();
    run_text(
        HEAD
        "UARL ADDR[0], IN[0]\nPUSHA ADDR[0]\nUADD TEMP[0], IN[0], IMM[0].wwww\nUARL ADDR[0], TEMP[0]\nPUSHA ADDR[0]\n"
        "UARL ADDR[0], IMM[0].xxxx\nPOPA ADDR[0]\nPOPA ADDR[0].xw\nMOV OUT[0], ADDR[0]\nEND\n",
        &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        assert_int_equal(run.out[0][0][lane], lane);
        assert_int_equal(run.out[0][1][lane], 1 + 32);
        assert_int_equal(run.out[0][3][lane], 3);
    }
}

/* ---- what is refused ---- */

static void refuse(const char *text, weft_status status, const char *what)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct ir_program *p = NULL;
    weft_status s = run_lift(text, &arena, &p, diags);
    bool said = false;
    for (size_t i = 0; i < weft_diags_count(diags); i++)
        said |= strstr(weft_diags_get(diags, i)->message, what) != NULL;
    if (s != status || !said)
        run_print_diags(diags);
    assert_int_equal(s, status);
    assert_true(said);
    weft_diags_free(diags);
    arena_free(&arena);
}

static void what_does_not_run_says_so(void **state)
{
    (void)state;
    refuse("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], SHADOW2D_ARRAY, FLOAT\n"
           "TXL OUT[0], IN[0], SAMP[0], SHADOW2D_ARRAY\nEND\n",
           WEFT_ERROR_INPUT, "TXL cannot have target SHADOW2D_ARRAY");
    refuse("GEOM\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0][0]\nEND\n", WEFT_ERROR_INPUT,
           "a GEOM program needs a GS_INPUT_PRIMITIVE");
}

TEST_MAIN(TEST(random_programs), TEST(ret_from_main_reaches_the_outputs), TEST(a_program_may_be_a_subroutine),
          TEST(endless_loop_meets_the_budget), TEST(endless_recursion_is_a_fault), TEST(recursion_is_so_deep),
          TEST(recursion_ends_lane_by_lane),
          TEST(bra_jumps_inside_a_block), TEST(bra_leads_anywhere),
          TEST(address_stack), TEST(what_does_not_run_says_so))
