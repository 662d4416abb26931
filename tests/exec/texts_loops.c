/* texts_loops.c - loops of one block that loads: those of exec-strips, and bodies of random ops, whose addresses are
 * made in any way, with rows of each width that the next pass takes, and each way to end. */
#include "texts.h"

#include "ir/program.h"
#include "loop_program.h"

static void loops_of_loads(void)
{
    for (unsigned n = 0; n < 2 * ENDINGS * 8; n++) {
        static struct kind *k;
        struct arena a = {0};
        static struct loop l;
        unsigned how = n % 8, turn = n / 8;
        if (how == 0)
            k = new_kind("loops of loads, ending %u, %s", turn / 2, turn % 2 ? "floats" : "words");
        l = (struct loop){.ending = (enum ending)(turn / 2),
                          .floats = turn % 2,
                          .constant_steps = how & 1,
                          .carries = how & 2,
                          .indexed = how & 4,
                          .align = how & 3 ? 4 : 1,
                          .near_step = 4,
                          .far_step = 8 + 4 * (how & 1),
                          .times = 20,
                          .x86 = how % 5 == 0,
                          .cut = how % 5 ? (enum cut)(how % CUTS) : NOT_CUT,
                          .loads_term = how % 3 == 1};
        loop_make(&l, &a, 16u << how % 3, n % 7 == 6 ? &policy_low : &policy_plain, 1 + how % 3);
        look(k, l.p, &a, false);
        arena_free(&a);
    }
}

/* ---- bodies of random ops ---- */

struct body {
    struct maker *m;
    struct test_rng r;
};

static unsigned below(struct body *l, unsigned n)
{
    return test_next(&l->r) % n;
}

static ir_value word(struct body *l)
{
    return operand(l->m, IR_I32, below(l, 6), "LLLUC"[below(l, 5)]);
}

/* A sum, product or part of what was there: addresses that change by a step, and others. */
static ir_value address(struct body *l, ir_value v)
{
    static const uint32_t masks[] = {~3u, ~15u, 0xfff0, 0x80000000u, 5, 0};
    struct ir_builder *b = &l->m->b;
    switch (below(l, 9)) {
    case 0:
    case 1:
        return ir_op2(b, IR_ADD, 0, v, word(l));
    case 2:
        return ir_op2(b, IR_SUB, 0, below(l, 2) ? v : word(l), below(l, 2) ? v : word(l));
    case 3:
        return ir_op2(b, IR_SHL, 0, v, below(l, 3) ? ir_const_i32(b, 1 + below(l, 3)) : word(l));
    case 4:
        return ir_op2(b, IR_MUL, 0, v, below(l, 3) ? ir_const_i32(b, 3 + below(l, 4)) : word(l));
    case 5:
        return ir_op2(b, IR_MUL, 0, ir_const_i32(b, 4), v);
    case 6:
        return ir_op2(b, IR_AND, 0, v, below(l, 4) ? ir_const_i32(b, masks[below(l, 6)]) : word(l));
    case 7:
        return ir_op2(b, IR_ADD, 0, v, ir_op2(b, IR_SHL, 0, ir_lane_id(b), ir_const_i32(b, 2)));
    default:
        return below(l, 2) ? ir_op2(b, IR_XOR, 0, v, word(l)) : ir_select(b, operand(l->m, IR_I1, 0, 'L'), v, word(l));
    }
}

static ir_value wide_address(struct body *l, ir_value low)
{
    struct ir_builder *b = &l->m->b;
    ir_value words[2] = {low, operand(l->m, IR_I32, below(l, 3), "LU"[below(l, 2)])};
    ir_value at = ir_emit(b, IR_PACK64, IR_I64, 0, 1, words, 2, 0, 0, 0);
    if (below(l, 2))
        at = ir_op2(b, below(l, 3) ? IR_ADD : IR_SUB, 0, at, ir_cvt(b, IR_ZEXT, IR_I64, 0, word(l)));
    if (below(l, 3) == 0)
        at = ir_op2(b, IR_ADD, 0, at, operand(l->m, IR_I64, below(l, 4), "LUC"[below(l, 3)]));
    return at;
}

static void load(struct body *l)
{
    struct maker *m = l->m;
    struct ir_builder *b = &m->b;
    bool far = below(l, 2), wide = far && below(l, 3);
    ir_value at = operand(m, IR_I32, below(l, 4), below(l, 4) ? 'L' : 'U');
    for (unsigned n = below(l, 3); n > 0; n--)
        at = address(l, at);
    struct ir_mem mem = {.space = far,
                         .elem = below(l, 8) ? IR_I32 : IR_I8,
                         .count = 1,
                         .align = below(l, 2) ? 4 : 0,
                         .offset = 4 * below(l, 3)};
    ir_value on = below(l, 6) ? 0 : operand(m, IR_I1, 1, 'L'), x = wide ? wide_address(l, at) : at;
    ir_value v = ir_emit(b, IR_LOAD, IR_I32, 0, 1, &x, 1, ir_add_mem(m->p, mem), 0, on);
    if (m->p->value_uniform[v])
        return;
    ir_set(b, m->file[32], 2 * below(l, 6), ir_op2(b, below(l, 2) ? IR_ADD : IR_XOR, 0, v, word(l)), 0);
    if (!wide && below(l, 2)) /* the next pass goes on from there */
        ir_set(b, m->file[32], 2 * below(l, 4), address(l, at), 0);
}

static void other_op(struct body *l)
{
    struct maker *m = l->m;
    struct ir_builder *b = &m->b;
    unsigned n = below(l, 5), chip = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON;
    switch (below(l, 8)) {
    case 0:
        ir_set(b, m->file[32], 2 * n, ir_op2(b, IR_MUL, 0, operand(m, IR_I64, n, 'L'), operand(m, IR_I64, 1, 'L')), 0);
        break;
    case 1:
        ir_set(b, m->file[64], n, ir_op2(b, IR_ADD, 0, ir_get(b, m->file[64], n, IR_I64), operand(m, IR_I64, 2, 'C')),
               0);
        break;
    case 2:
        ir_set(b, m->file[1], 2 * n, ir_op2(b, IR_LT_U, 0, word(l), operand(m, IR_I32, 1, 'L')), 0);
        break;
    case 3:
        ir_set(b, m->warp[32], 2 * n, ir_op2(b, IR_ADD, 0, operand(m, IR_I32, n, 'U'), operand(m, IR_I32, 3, 'C')), 0);
        break;
    case 4:
        ir_set(b, m->file[32], 2 * n + 1,
               ir_op2(b, IR_FMUL, below(l, 2) ? chip : 0, operand(m, IR_F32, n, 'L'), operand(m, IR_F32, 2, 'C')), 0);
        break;
    case 5: {
        ir_value v = operand(m, IR_I32, n, 'L');
        v = ir_emit(b, IR_QUAD_XOR, IR_I32, 0, 1, &v, 1, 0, 1 + below(l, 3), 0);
        ir_set(b, m->file[32], 2 * n, v, below(l, 2) ? operand(m, IR_I1, 1, 'L') : 0);
        break;
    }
    default:
        ir_set(b, m->file[32], 2 * below(l, 12), ir_op2(b, IR_SUB, 0, word(l), operand(m, IR_I32, n, 'L')), 0);
    }
}

static void end_pass(struct body *l, uint32_t body, uint32_t out)
{
    struct maker *m = l->m;
    struct ir_builder *b = &m->b;
    ir_value x = operand(m, IR_I32, 5, 'L'), zero = ir_const_i32(b, 0), on = ir_op2(b, IR_NE, 0, x, zero);
    bool turned = below(l, 3) == 0;
    uint32_t yes = turned ? out : body, no = turned ? body : out;
    struct ir_control c = {
        .ntargets = 2, .target = {yes, no}, .direct_none = below(l, 4) != 0, .direct_all = below(l, 3)};
    switch (below(l, 6)) {
    case 0:
        ir_branch(b, ir_op2(b, IR_LT_S, 0, operand(m, IR_I32, 0, 'U'), operand(m, IR_I32, 1, 'U')), yes, no);
        break;
    case 1:
    case 2: {
        ir_value vote = ir_op1(b, below(l, 2) ? IR_ANY : IR_ALL, below(l, 3) ? 0 : IR_ALL_LANES, on);
        if (below(l, 4) == 0) /* somebody else wants to know, too */
            ir_set(b, m->warp[1], 4, vote, 0);
        if (below(l, 4) == 0)
            ir_set(b, m->warp[1], 6, ir_op1(b, IR_ANY, 0, operand(m, IR_I1, 2, 'L')), 0);
        ir_branch(b, vote, yes, no);
        break;
    }
    default:
        on = below(l, 5) ? on : operand(m, IR_I1, 2, below(l, 2) ? 'L' : 'U');
        ir_control(b, c, &on, 1);
    }
}

static void random_bodies(void)
{
    static const unsigned lanes[] = {16, 32, 64};
    struct kind *k = NULL;
    for (unsigned n = 0; n < 72; n++) {
        if (n % 12 == 0)
            (k = new_kind("loops of loads, bodies %u", n / 12))->each_level = true;
        struct maker *m = begin_program(k, lanes[n % 3]);
        struct body l = {m, {n}};
        m->p->policy = n % 5 ? &policy_plain : &policy_low;
        ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
        ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
        ir_add_output(m->p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .mask = 15});
        uint32_t body = ir_new_block(m->p), out = ir_new_block(m->p);
        ir_goto(&m->b, body);
        m->b.block = body;
        for (unsigned i = 1 + below(&l, 3); i > 0; i--) {
            load(&l);
            for (unsigned j = below(&l, n % 9 == 8 ? 20 : 3); j > 0; j--)
                other_op(&l);
        }
        ir_value v = operand(m, IR_F32, 1, 'L'), gone = operand(m, IR_I1, 1, 'L');
        if (n % 11 == 10)
            ir_emit(&m->b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, 0, 0, 0);
        if (n % 11 == 9)
            ir_emit(&m->b, IR_DISCARD, IR_VOID, 0, 0, &gone, 1, 0, 0, 0);
        end_pass(&l, body, out);
        m->p->blocks[body].insns = 1 + n % 4;
        m->b.block = out;
        end_program(m, false);
    }
}

void texts_of_loops(void)
{
    loops_of_loads();
    random_bodies();
}
