/* Jumps from anywhere to anywhere: random programs of constructs, subroutines, code that nothing reaches, and BRA to
 * any instruction, against an interpreter with a program counter for each lane ("pc = target", "push(pc)", "pc =
 * pop()"). */
#include "lift_run.h"

/* COND is what conditions look at, TEMP[0].x. TICK counts what goes back; LEFT and OVER compare that with LIMIT. */
enum op {
    INIT, ADD, XOR, MAD, INC, AND, TICK, LEFT, OVER, UIF, ELSE, ENDIF, LOOP, ENDLOOP, BRK, BREAKC, CONT, SWITCH, CASE,
    DEFAULT, ENDSWITCH, CAL, CALLNZ, RET, BRA, BGNSUB, ENDSUB, END
};
enum { MOST = 100, SUBS = 4, LIMIT = 7, STEPS = 2000, CALLS = 30, NOWHERE = 0 };

struct insn {
    enum op op;
    unsigned a, b; /* components, or numbers below 8 */
    unsigned to;
};

struct program {
    struct insn insn[MOST + 200];
    unsigned n, nsubs, sub[SUBS];
    bool kernel; /* a subroutine is the main program */
    bool ended;  /* only subroutines may follow END */
    bool far;    /* BRA leads to any instruction, not to one that follows soon */
    struct test_rng *r;
};

struct place {
    unsigned depth;
    bool loop, leave, main;
};

static unsigned below(struct program *p, unsigned n)
{
    return test_next(p->r) % n;
}

static unsigned put(struct program *p, enum op op, unsigned a, unsigned b)
{
    p->insn[p->n] = (struct insn){.op = op, .a = a, .b = b};
    return p->n++;
}

/* What leaves the construct from `begin` on and knows no place yet goes on after its end. */
static void leave_to(struct program *p, unsigned begin, unsigned end)
{
    for (unsigned i = begin; i < end; i++)
        if ((p->insn[i].op == BRK || p->insn[i].op == BREAKC) && p->insn[i].to == NOWHERE)
            p->insn[i].to = end + 1;
}

static void put_block(struct program *p, struct place at);

static void put_condition(struct program *p)
{
    put(p, AND, below(p, 4), 1 + below(p, 7));
}

static void put_if(struct program *p, struct place in)
{
    unsigned from = put(p, UIF, 0, 0);
    put_block(p, in);
    if (below(p, 2)) {
        unsigned other = put(p, ELSE, 0, 0);
        p->insn[from].to = other + 1;
        from = other;
        put_block(p, in);
    }
    p->insn[from].to = put(p, ENDIF, 0, 0);
}

static void put_loop(struct program *p, struct place in)
{
    in.loop = in.leave = true;
    unsigned begin = put(p, LOOP, 0, 0);
    put(p, TICK, 0, 0);
    put(p, OVER, 0, 0);
    put(p, BREAKC, 0, 0);
    put_block(p, in);
    unsigned end = put(p, ENDLOOP, 0, 0);
    p->insn[end].to = begin + 1;
    leave_to(p, begin, end);
    for (unsigned i = begin; i < end; i++)
        if (p->insn[i].op == CONT && p->insn[i].to == NOWHERE)
            p->insn[i].to = begin + 1;
}

static void put_switch(struct program *p, struct place in)
{
    in.leave = true;
    put(p, AND, below(p, 4), 3);
    unsigned begin = put(p, SWITCH, 0, 0), label = begin, arms = below(p, 4), other = below(p, 8);
    for (unsigned i = 0; i < arms; i++) {
        unsigned next = put(p, i == other ? DEFAULT : CASE, below(p, 5), 0);
        p->insn[label].to = next;
        label = next;
        put_block(p, in);
    }
    p->insn[label].to = put(p, ENDSWITCH, 0, 0);
    leave_to(p, begin, p->n - 1);
}

/* Back only a few times, where it is known. */
static void put_jump(struct program *p)
{
    if (below(p, 2)) {
        put(p, BRA, 0, 0);
        return;
    }
    put(p, TICK, 0, 0);
    put(p, LEFT, 0, 0);
    unsigned from = put(p, UIF, 0, 0);
    put(p, BRA, 0, 0);
    p->insn[from].to = put(p, ENDIF, 0, 0);
}

/* Of a later subroutine, or now and then of any. */
static void put_call(struct program *p, enum op op)
{
    put(p, op, below(p, 8) ? p->nsubs : 0, 0);
}

static void put_statement(struct program *p, struct place at)
{
    struct place in = at;
    in.depth++;
    switch (below(p, at.depth < 4 ? 16 : 9)) {
    case 0:
        if (at.leave)
            put_condition(p);
        put(p, at.leave ? BREAKC : INC, below(p, 4), below(p, 4));
        return;
    case 1: put(p, at.leave && !below(p, 3) ? BRK : XOR, below(p, 4), below(p, 4)); return;
    case 2: put(p, at.loop && !below(p, 3) ? CONT : ADD, below(p, 4), below(p, 4)); return;
    case 3: put(p, !below(p, 3) ? RET : at.main && at.depth && !below(p, 3) ? END : INC, below(p, 4), 2); return;
    case 4: put_call(p, CAL); return;
    case 5:
        put_condition(p);
        put_call(p, CALLNZ);
        return;
    case 6:
    case 7: put(p, (enum op)(ADD + below(p, 4)), below(p, 4), below(p, 4)); return;
    case 8: put_jump(p); return;
    case 9: put_loop(p, in); return;
    case 10: put_switch(p, in); return;
    default:
        put_condition(p);
        put_if(p, in);
        return;
    }
}

static void put_block(struct program *p, struct place at)
{
    for (unsigned i = below(p, 4); i < 4 && p->n < MOST; i++)
        put_statement(p, at);
}

static void put_sub(struct program *p, bool main)
{
    p->sub[p->nsubs++] = put(p, BGNSUB, 0, 0);
    if (main)
        put(p, INIT, 0, 0);
    put_block(p, (struct place){.main = main});
    put(p, ENDSUB, 0, 0);
    if (!p->ended && below(p, 2))
        put_block(p, (struct place){.depth = 2}); /* nothing comes here but jumps */
}

static void make(struct program *p)
{
    p->n = p->nsubs = p->ended = 0;
    if (!p->kernel) {
        put(p, INIT, 0, 0);
        put_block(p, (struct place){.main = true});
        p->ended = below(p, 2);
        if (p->ended)
            put(p, END, 0, 0);
    }
    for (unsigned i = 1 + below(p, SUBS - 1) + p->kernel; i > 0; i--)
        put_sub(p, p->kernel && !p->nsubs);
    for (unsigned i = 0; i < p->n; i++) {
        struct insn *s = &p->insn[i];
        if (s->op == CAL || s->op == CALLNZ) {
            s->op = s->a < p->nsubs ? s->op : RET;
            s->to = s->op == RET ? NOWHERE : p->sub[s->a + below(p, p->nsubs - s->a)];
        }
        if (s->op == BRA)
            s->to = p->far ? below(p, p->n) : i + 1 + below(p, 3) < p->n ? i + 1 : i;
    }
}

/* ---- one lane ---- */

struct lane {
    uint32_t v[4], cond, ticks;
    unsigned pc, depth, stack[CALLS];
};

static void compute(const struct insn *s, const uint32_t *in, struct lane *l)
{
    switch (s->op) {
    case INIT: memcpy(l->v, in, sizeof l->v); break;
    case ADD: l->v[s->a] += l->v[s->b]; break;
    case XOR: l->v[s->a] ^= l->v[s->b]; break;
    case MAD: l->v[s->a] = l->v[s->a] * 5 + 3; break;
    case INC: l->v[s->a] += s->b + 1; break;
    case AND: l->cond = l->v[s->a] & s->b; break;
    case TICK: l->ticks++; break;
    case LEFT: l->cond = l->ticks < LIMIT ? UINT32_MAX : 0; break;
    case OVER: l->cond = l->ticks >= LIMIT ? UINT32_MAX : 0; break;
    default: break;
    }
}

/* Where SWITCH leads to: the first of equal labels, DEFAULT, or the end. */
static unsigned chosen(const struct program *p, unsigned at, uint32_t value)
{
    unsigned other = NOWHERE;
    for (at = p->insn[at].to; p->insn[at].op != ENDSWITCH; at = p->insn[at].to) {
        if (p->insn[at].op == CASE && p->insn[at].a == value)
            return at;
        if (p->insn[at].op == DEFAULT)
            other = at;
    }
    return other == NOWHERE ? at : other;
}

/* Does it end after not too many steps and calls? */
static bool run_lane(const struct program *p, const uint32_t *in, struct lane *l)
{
    *l = (struct lane){.v = {0x5eed, 0x5eed, 0x5eed, 0x5eed}, .pc = p->kernel};
    for (unsigned steps = 0; steps < STEPS; steps++) {
        if (l->pc == p->n)
            return true;
        const struct insn *s = &p->insn[l->pc++];
        compute(s, in, l);
        switch (s->op) {
        case UIF: l->pc = l->cond ? l->pc : s->to; break;
        case BREAKC: l->pc = l->cond ? s->to : l->pc; break;
        case SWITCH: l->pc = chosen(p, l->pc - 1, l->cond); break;
        case ELSE:
        case ENDLOOP:
        case BRK:
        case CONT:
        case BRA: l->pc = s->to; break;
        case CALLNZ:
        case CAL:
            if (s->op == CALLNZ && !l->cond)
                break;
            if (l->depth == CALLS)
                return false;
            l->stack[l->depth++] = l->pc;
            l->pc = s->to + 1;
            break;
        case RET:
        case ENDSUB:
            if (!l->depth)
                return true;
            l->pc = l->stack[--l->depth];
            break;
        case BGNSUB: /* the end of what comes before it */
        case END: return true;
        default: break;
        }
    }
    return false;
}

/* ---- as TGSI ---- */

static char *print_insn(char *at, const struct insn *s)
{
    static const char *const words[] = {
        [INIT] = "MOV OUT[0], IN[0]", [TICK] = "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy",
        [LEFT] = "USLT TEMP[0].x, TEMP[1].xxxx, IMM[1].wwww", [OVER] = "USGE TEMP[0].x, TEMP[1].xxxx, IMM[1].wwww",
        [UIF] = "UIF TEMP[0].xxxx", [ELSE] = "ELSE", [ENDIF] = "ENDIF", [LOOP] = "BGNLOOP", [ENDLOOP] = "ENDLOOP",
        [BRK] = "BRK", [BREAKC] = "BREAKC TEMP[0].xxxx", [CONT] = "CONT", [SWITCH] = "SWITCH TEMP[0].xxxx",
        [DEFAULT] = "DEFAULT", [ENDSWITCH] = "ENDSWITCH", [RET] = "RET", [BGNSUB] = "BGNSUB", [ENDSUB] = "ENDSUB",
        [END] = "END"};
    const char *c = "xyzw";
    char a = c[s->a & 3], b = c[s->b & 3];
    switch (s->op) {
    case ADD: return at + sprintf(at, "UADD OUT[0].%c, OUT[0].%c%c%c%c, OUT[0].%c%c%c%c\n", a, a, a, a, a, b, b, b, b);
    case XOR: return at + sprintf(at, "XOR OUT[0].%c, OUT[0].%c%c%c%c, OUT[0].%c%c%c%c\n", a, a, a, a, a, b, b, b, b);
    case MAD: return at + sprintf(at, "UMAD OUT[0].%c, OUT[0].%c%c%c%c, IMM[1].yyyy, IMM[0].wwww\n", a, a, a, a, a);
    case INC:
        b = c[(s->b + 1) & 3];
        return at + sprintf(at, "UADD OUT[0].%c, OUT[0].%c%c%c%c, IMM[%u].%c%c%c%c\n", a, a, a, a, a, (s->b + 1) / 4,
                            b, b, b, b);
    case AND:
        return at + sprintf(at, "AND TEMP[0].x, OUT[0].%c%c%c%c, IMM[%u].%c%c%c%c\n", a, a, a, a, s->b / 4, b, b, b, b);
    case CASE: return at + sprintf(at, "CASE IMM[%u].%c%c%c%c\n", s->a / 4, a, a, a, a);
    case CAL: return at + sprintf(at, "CAL :%u\n", s->to);
    case CALLNZ: return at + sprintf(at, "CALLNZ TEMP[0].xxxx :%u\n", s->to);
    case BRA: return at + sprintf(at, "BRA :%u\n", s->to);
    default: return at + sprintf(at, "%s\n", words[s->op]);
    }
}

static void print(char *text, const struct program *p)
{
    text += sprintf(text, "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..1]\nIMM UINT32 {0, 1, 2, 3}\n"
                          "IMM UINT32 {4, 5, 6, 7}\n");
    for (unsigned i = 0; i < p->n; i++)
        text = print_insn(text, &p->insn[i]);
}

static void jumps_lead_anywhere(void **state)
{
    (void)state;
    enum { WANTED = 200 };
    struct test_rng r = test_seed("jumps");
    struct program *p = calloc(1, sizeof *p);
    struct run *run = calloc(1, sizeof *run);
    struct lane *lanes = calloc(RUN_LANES, sizeof *lanes);
    char *text = malloc(100000);
    assert_true(p && run && lanes && text);
    p->r = &r;
    for (unsigned done = 0, tried = 0; done < WANTED; tried++) {
        assert_true(tried < 20 * WANTED);
        p->kernel = tried % 4 == 0;
        p->far = tried % 3 != 0;
        make(p);
        bool ends = p->n < MOST;
        for (unsigned lane = 0; lane < RUN_LANES && ends; lane++) {
            uint32_t in[4];
            for (unsigned c = 0; c < 4; c++) {
                in[c] = run->in[0][c][lane] = test_next(&r) & 63;
                run->out[0][c][lane] = 0x5eed;
            }
            ends = run_lane(p, in, &lanes[lane]);
        }
        if (!ends)
            continue;
        done++;
        print(text, p);
        run->optimise = done & 1;
        run->no_full = done & 2;
        run->active = run->live = UINT64_MAX;
        run->budget = 10000000;
        run_text(text, run);
        if (run->stop != EXEC_DONE)
            print_error("stopped: %d %s\n%s", (int)run->stop, run->fault, text);
        assert_int_equal(run->stop, EXEC_DONE);
        for (unsigned i = 0; i < 4 * RUN_LANES; i++) {
            uint32_t got = run->out[0][i % 4][i / 4], want = lanes[i / 4].v[i % 4];
            if (got != want)
                print_error("lane %u.%c: got %u, want %u\n%s", i / 4, "xyzw"[i % 4], got, want, text);
            assert_int_equal(got, want);
        }
    }
    free(text);
    free(lanes);
    free(run);
    free(p);
}

TEST_MAIN(TEST(jumps_lead_anywhere))
