/* texts_flow.c - blocks that go on to others: branches, what asks the control policy, loops of several blocks, the same
 * of programs whose blocks come at run time, and random programs. */
#include "texts.h"

#include "ir/random_program.h"

/* How a block ends: by a condition or a comparison of the warp, by a vote, by lanes; of the latter, whether the policy
 * is asked where none or all of them hold, and for a value of the warp. */
enum way {
    BY_FLAG,
    BY_COMPARISON,
    BY_VOTE = BY_COMPARISON + 6,
    BY_LANES = BY_VOTE + 2,
    BY_WARP = BY_LANES + 4,
    BY_REGISTER,
    STRAIGHT_ON,
    WAYS
};
static const char *const way_names[WAYS] = {"a flag",
                                            "eq",
                                            "ne",
                                            "lt_s",
                                            "le_s",
                                            "lt_u",
                                            "le_u",
                                            "any",
                                            "all",
                                            "lanes, asked always",
                                            "lanes, not asked for none",
                                            "lanes, not asked for all",
                                            "lanes, asked where they part",
                                            "lanes of the warp",
                                            "lanes of a register",
                                            "goto"};

static void terminate(struct maker *m, enum way way, uint32_t yes, uint32_t no)
{
    struct ir_builder *b = &m->b;
    ir_value x = operand(m, IR_I32, 0, way >= BY_VOTE ? 'L' : 'U'), y = operand(m, IR_I32, 1, way % 2 ? 'U' : 'C');
    if (way == STRAIGHT_ON) {
        ir_goto(b, yes);
    } else if (way == BY_FLAG) {
        ir_branch(b, operand(m, IR_I1, 0, 'U'), yes, no);
    } else if (way < BY_VOTE) {
        ir_branch(b, ir_op2(b, (enum ir_opcode)(IR_EQ + way - BY_COMPARISON), 0, x, y), yes, no);
    } else if (way < BY_LANES) {
        ir_value on = ir_op2(b, IR_LT_S, 0, x, y);
        ir_branch(b, ir_op1(b, way == BY_VOTE ? IR_ANY : IR_ALL, 0, on), yes, no);
    } else {
        unsigned direct = way < BY_WARP ? way - BY_LANES : 3;
        struct ir_control c = {
            .ntargets = 2, .target = {yes, no}, .direct_none = direct & 1, .direct_all = direct >> 1};
        ir_value on = way == BY_WARP       ? operand(m, IR_I1, 1, 'U')
                      : way == BY_REGISTER ? operand(m, IR_I1, 1, 'L')
                                           : ir_op2(b, IR_NE, 0, x, y);
        ir_control(b, c, &on, 1);
    }
}

/* What blocks do: sums of the warp, of lanes, of both, or nothing. */
enum { OF_WARP = 1, OF_LANES = 2, LOADS = 4, CHIPS = 8, LONG = 16 };

static void work(struct maker *m, unsigned what)
{
    struct ir_builder *b = &m->b;
    unsigned chip = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON;
    if (what & OF_WARP)
        ir_set(b, m->warp[32], 0, ir_op2(b, IR_ADD, 0, operand(m, IR_I32, 0, 'U'), operand(m, IR_I32, 3, 'C')), 0);
    for (unsigned n = 0; what & OF_LANES && n < (what & LONG ? 9 : 1); n++) {
        ir_value x = operand(m, IR_I32, n % 4, 'L');
        ir_set(b, m->file[32], 2 * (n % 4), ir_op2(b, IR_XOR, 0, x, operand(m, IR_I32, 1 + n % 3, n % 3 ? 'L' : 'C')),
               0);
    }
    for (unsigned n = 0; what & CHIPS && n < (what & LONG ? 3 : 1); n++)
        ir_set(b, m->file[32], 8 + 2 * n,
               ir_op2(b, IR_FMUL, chip, operand(m, IR_F32, 4 + n, 'L'), operand(m, IR_F32, 5, n ? 'L' : 'C')), 0);
    if (what & LOADS) {
        struct ir_mem mem = {.elem = IR_I32, .count = 1};
        ir_value v = ir_load(b, mem, IR_I32, operand(m, IR_I32, 6, 'L'));
        ir_set(b, m->file[32], 14, ir_op2(b, IR_ADD, 0, v, operand(m, IR_I32, 7, 'L')), 0);
        ir_set(b, m->file[32], 12, ir_op2(b, IR_ADD, 0, operand(m, IR_I32, 6, 'L'), operand(m, IR_I32, 0, 'C')), 0);
    }
}

/* Entry, a test, so many bodies after each other, and what comes after: how the test ends, whether the last body goes
 * back to it, and to which of its targets the loop goes. */
struct flow {
    enum way way;
    unsigned bodies, of_test, of_body, lanes;
    bool back, turned, low;
};

static struct maker *flow(struct kind *k, const struct flow *f)
{
    struct maker *m = begin_program(k, f->lanes);
    m->p->policy = f->low ? &policy_low : &policy_plain;
    ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    uint32_t test = ir_new_block(m->p), body[6], out;
    for (unsigned i = 0; i < f->bodies; i++)
        body[i] = ir_new_block(m->p);
    out = ir_new_block(m->p);
    work(m, f->of_test);
    ir_goto(&m->b, test);
    m->b.block = test;
    work(m, f->of_test);
    uint32_t in = f->bodies ? body[0] : test;
    terminate(m, f->way, f->turned ? out : in, f->turned ? in : out);
    for (unsigned i = 0; i < f->bodies; i++) {
        m->b.block = body[i];
        work(m, i % 2 ? f->of_body ^ OF_WARP : f->of_body);
        ir_goto(&m->b, i + 1 < f->bodies ? body[i + 1] : f->back ? test : out);
    }
    m->b.block = out;
    work(m, OF_WARP | OF_LANES);
    ir_end(&m->b);
    for (uint32_t i = IR_ENTRY; i < m->p->nblocks; i++)
        m->p->blocks[i].insns = 1 + i % 3;
    return m;
}

static void ways_on(enum way way, bool grows)
{
    static const unsigned works[] = {0,     OF_WARP,         OF_LANES,        OF_WARP | OF_LANES, OF_LANES | LOADS,
                                     CHIPS, CHIPS | OF_WARP, OF_LANES | LONG, CHIPS | LONG};
    struct kind *k = new_kind("flow by %s%s", way_names[way], grows ? ", grows" : "");
    bool other = way > BY_COMPARISON && way < BY_VOTE; /* comparisons are much the same */
    for (unsigned n = 0; n < 72; n += other ? 11 : 3 - n / 24 % 2) {
        struct flow f = {.way = way,
                         .bodies = n % 4,
                         .back = n / 4 % 2,
                         .turned = n / 8 % 3 == 1,
                         .low = n / 8 % 3 == 2,
                         .of_test = works[n % 3],
                         .of_body = works[(n + n / 9) % 9],
                         .lanes = n % 5 == 4 ? 64 : 16};
        if (grows && f.lanes > 16)
            continue;
        finish_program(flow(k, &f), grows);
    }
}

/* How many blocks, operations and votes are done as one. */
static void lengths(void)
{
    struct kind *k = new_kind("chains of blocks");
    for (unsigned n = 0; n < 48; n++) {
        struct flow f = {.way = n % 2 ? BY_LANES + 3 : BY_COMPARISON,
                         .bodies = 1 + n % 6,
                         .back = true,
                         .lanes = 32,
                         .of_test = n & 8 ? OF_LANES : 0,
                         .of_body = OF_LANES | (n & 16 ? LONG : 0) | (n >= 24 ? LOADS : 0)};
        finish_program(flow(k, &f), false);
    }
    k = new_kind("votes after each other");
    for (unsigned n = 1; n < 20; n += n < 7 ? 3 : 1)
        for (unsigned lanes = 16; lanes <= 64; lanes *= 2) {
            struct maker *m = begin_program(k, lanes);
            for (unsigned i = 0; i < n; i++)
                keep(m, ir_op1(&m->b, i % 3 ? IR_ANY : IR_ALL, 0, operand(m, IR_I1, i % 8, 'L')));
            end_program(m, false);
        }
    k = new_kind("long blocks");
    for (unsigned n = 13; n <= 17; n++) /* how many operations vectors of two chunks are for */
        for (unsigned lanes = 32; lanes <= 64; lanes += 16) {
            struct maker *m = begin_program(k, lanes);
            for (unsigned i = 0; i < n; i++)
                keep(m, ir_op2(&m->b, IR_ADD, 0, operand(m, IR_I32, i % 8, 'L'), operand(m, IR_I32, i % 7, 'C')));
            end_program(m, false);
        }
    k = new_kind("many numbers"); /* and how many are spread before the loop over chunks */
    k->each_level = true;
    for (unsigned n = 10; n <= 15; n++) {
        struct maker *m = begin_program(k, 64);
        for (unsigned i = 0; i < n; i++)
            keep(m, ir_op2(&m->b, IR_FMUL, 0, operand(m, IR_F32, i % 8, 'L'), ir_const_f32(&m->b, (float)i - 1)));
        for (unsigned i = 0; i < 3; i++) {
            keep(m, ir_op2(&m->b, IR_FADD, 0, operand(m, IR_F32, i, 'L'), operand(m, IR_F32, i, 'U')));
            keep(m, ir_op2(&m->b, IR_FADD, 0, operand(m, IR_F64, i, 'L'), operand(m, IR_F64, i, i ? 'C' : 'U')));
        }
        end_program(m, false);
    }
}

/* Ends that no run has. */
static void stops(void)
{
    struct kind *k = new_kind("traps, checks, barriers and jumps");
    for (unsigned n = 0; n < 8; n++) {
        struct maker *m = begin_program(k, n % 2 ? 16 : 32);
        uint32_t next = ir_new_block(m->p);
        m->p->blocks[next].addr = 8;
        work(m, OF_WARP | OF_LANES);
        ir_value at = operand(m, IR_I32, 2, 'U');
        ir_check(&m->b, operand(m, IR_I1, 1, n & 1 ? 'U' : 'L'), 3);
        work(m, OF_WARP | OF_LANES | LONG);
        if (n / 2 == 0)
            ir_emit(&m->b, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next, 0, 0);
        else if (n / 2 == 1)
            ir_emit(&m->b, IR_JUMP, IR_VOID, 0, 0, &at, 1, 0, 0, 0);
        else if (n / 2 == 2)
            ir_emit(&m->b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, 8, 0);
        else
            ir_control(&m->b, (struct ir_control){.ntargets = 1, .target = {next}}, NULL, 0);
        m->b.block = next;
        work(m, OF_LANES);
        end_program(m, false);
    }
}

void texts_of_flow(void)
{
    for (unsigned way = 0; way < WAYS; way++)
        ways_on((enum way)way, false);
    lengths();
    stops();
}

/* ---- programs that grow ---- */

/* Short ways round a few numbers of the warp, which are done without a branch. */
static void detours(struct kind *k, unsigned n)
{
    struct flow f = {.way = n % 3 ? BY_COMPARISON + (n % 6) : BY_FLAG,
                     .bodies = 1 + n % 2,
                     .turned = n & 1,
                     .lanes = 16,
                     .of_test = n & 2 ? OF_WARP : 0};
    struct maker *m = flow(k, &f);
    uint32_t body = IR_ENTRY + 2;
    struct ir_op end = m->p->blocks[body].ops[m->p->blocks[body].count - 1];
    m->p->blocks[body].count--;
    m->b.block = body;
    for (unsigned i = 0; i < n % 6; i++) { /* more than four operations are too many */
        ir_value x = operand(m, IR_I32, i % 3, 'U'), y = operand(m, IR_I32, 1, i % 2 ? 'U' : 'C');
        ir_set(&m->b, m->warp[32], 2 * (i % 2), ir_op2(&m->b, i % 2 ? IR_ADD : IR_SHL, 0, x, y), 0);
    }
    ir_goto(&m->b, end.desc);
    finish_program(m, true);
}

/* Accesses of a scalar processor after a look at bits of their address, or of something else. */
static void checked_accesses(void)
{
    static const enum ir_type elems[] = {IR_I8, IR_I16, IR_I32, IR_I64};
    for (unsigned e = 0; e < 4; e++) {
        struct kind *k = new_kind("checked accesses, %s", ir_type_name(elems[e]));
        for (unsigned n = 0; n < 16; n++) {
            struct maker *m = begin_program(k, 16);
            ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_TRAP});
            enum ir_type t = elems[e] == IR_I64 ? IR_I64 : IR_I32;
            ir_value at = operand(m, IR_I32, 0, 'U'), looked = n & 1 ? operand(m, IR_I32, 1, 'U') : at;
            ir_value bits = n & 2 ? operand(m, IR_I32, 3, 'U') : ir_const_i32(&m->b, ir_type_bits(elems[e]) / 8 - 1);
            ir_value both = ir_op2(&m->b, IR_AND, 0, looked, bits), data = operand(m, t, 2, 'U');
            keep(m, ir_op2(&m->b, IR_ADD, 0, at, operand(m, IR_I32, 1, 'C')));
            ir_check(&m->b, ir_op2(&m->b, IR_NE, 0, both, ir_const_i32(&m->b, 0)), 7);
            struct ir_mem mem = {.elem = (uint8_t)elems[e], .count = 1, .offset = n & 8 ? 4 : 0};
            if (n & 4)
                ir_store(&m->b, mem, at, &data, 0);
            else
                keep(m, ir_load(&m->b, mem, t, at));
            keep(m, ir_op2(&m->b, IR_SUB, 0, operand(m, IR_I32, 4, 'U'), operand(m, IR_I32, 1, 'C')));
            end_program(m, true);
        }
    }
}

static void some_blocks(void)
{
    struct kind *k = new_kind("some blocks of programs that grow");
    static const uint32_t chosen[][3] = {{1, 0, 0}, {2, 3, 0}, {1, 3, 0}, {2, 4, 0}, {3, 4, 5}, {1, 2, 3}};
    for (unsigned n = 0; n < 36; n++) {
        const struct flow f = {.way = n % 2 ? BY_COMPARISON + 2 : BY_LANES + 3,
                               .bodies = 2,
                               .back = n / 6 % 2,
                               .lanes = 16,
                               .of_test = OF_WARP,
                               .of_body = OF_LANES | LOADS};
        const uint32_t *blocks = chosen[n % 6];
        struct maker *m = flow(k, &f);
        look_at_blocks(k, m->p, &m->arena, blocks, blocks[2] ? 3 : blocks[1] ? 2 : 1);
        arena_free(&m->arena);
    }
}

void texts_of_growing(void)
{
    for (unsigned way = 0; way < WAYS; way++)
        ways_on((enum way)way, true);
    struct kind *k = new_kind("detours");
    for (unsigned n = 0; n < 48; n++)
        detours(k, n);
    some_blocks();
    checked_accesses();
}

/* ---- random programs ---- */

static void random_ones(const char *name, struct random_options options, unsigned lanes, bool grows)
{
    struct kind *k = new_kind("random: %s", name);
    for (unsigned i = 0; i < 14; i++) {
        struct arena a = {0};
        struct test_rng r = {lanes * 1000 + i};
        struct ir_program *p = random_program(&a, &r, options);
        p->lanes = (uint16_t)lanes;
        p->policy = i % 2 ? &policy_low : &policy_plain;
        look(k, p, &a, grows);
        arena_free(&a);
    }
}

void texts_of_random(void)
{
    struct random_options o = {.blocks = 3, .ops = 20};
    random_ones("ops", o, 16, false);
    random_ones("ops of 64 lanes", o, 64, false);
    random_ones("ops, grows", o, 16, true);
    o.control = o.backward = true;
    random_ones("loops", o, 32, false);
    random_ones("loops, grows", o, 16, true);
    o.arms = o.tight = true;
    o.blocks = 7;
    random_ones("arms of few values", o, 48, false);
    o.everything = true;
    random_ones("all ops", o, 32, false);
    random_ones("all ops, grows", o, 16, true);
}
