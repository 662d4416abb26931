/* texts_rare.c - what few programs come to: more than there is room for, what is known late in a run, what changes its
 * mind, and words of 64 bits that are known in different ways. */
#include "texts.h"

#include "ir/program.h"

/* ---- loops that have more than a strip keeps ---- */

/* So many rows that a pass takes from the one before, loads, and pairs of words that are one address. */
static void large_loop(struct kind *k, unsigned rows, unsigned loads, unsigned pairs, unsigned lanes)
{
    struct maker *m = begin_program(k, lanes);
    struct ir_builder *b = &m->b;
    struct ir_mem near = {.space = 0, .elem = IR_I32, .count = 1}, far = {.space = 1, .elem = IR_I32, .count = 1};
    ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
    uint32_t body = ir_new_block(m->p), out = ir_new_block(m->p);
    ir_goto(b, body);
    b->block = body;
    for (unsigned i = 0; i < rows; i++) {
        ir_value x = ir_get(b, m->file[32], 40 + i, IR_I32);
        ir_set(b, m->file[32], 40 + i, ir_op2(b, IR_ADD, 0, x, ir_const_i32(b, 4)), 0);
    }
    for (unsigned i = 0; i < loads; i++) {
        ir_value at = ir_get(b, m->file[32], 40 + i % 3, IR_I32);
        near.offset = 4 * i;
        ir_set(b, m->file[32], 100 + i % 2, ir_load(b, near, IR_I32, at), 0);
    }
    for (unsigned i = 0; i < pairs; i++) {
        ir_value at = ir_get(b, m->file[32], 110 + 2 * i, IR_I64);
        ir_set(b, m->file[32], 102, ir_load(b, far, IR_I32, at), 0);
        if (i % 3 != 2)
            ir_set(b, m->file[32], 110 + 2 * i,
                   ir_op2(b, IR_ADD, 0, at, i % 3 ? ir_get(b, m->file[32], 130, IR_I64) : ir_const(b, IR_I64, 4)), 0);
    }
    ir_value more = ir_op2(b, IR_LT_U, 0, ir_get(b, m->file[32], 40, IR_I32), operand(m, IR_I32, 3, 'C'));
    struct ir_control c = {.ntargets = 2, .target = {body, out}, .direct_none = true, .direct_all = true};
    ir_control(b, c, &more, 1);
    b->block = out;
    end_program(m, false);
}

static void large_loops(void)
{
    struct kind *k = new_kind("large loops");
    for (unsigned rows = 22; rows <= 25; rows++)
        large_loop(k, rows, 1, 0, 16);
    large_loop(k, 2, 31, 0, 16);
    large_loop(k, 2, 34, 0, 16);
    for (unsigned pairs = 1; pairs <= 9; pairs += pairs < 3 ? 1 : 3)
        large_loop(k, 1, 1, pairs, 32);
}

/* An address becomes what it was and another row, which becomes what it was and a third one: each is looked at in the
 * pass before the address is, or after it. */
static void rows_of_others(void)
{
    struct kind *k = new_kind("addresses made of rows that change");
    k->each_level = true;
    for (unsigned how = 0; how < 16; how++) {
        struct maker *m = begin_program(k, 16u << how % 2);
        struct ir_builder *b = &m->b;
        bool far = how & 8;
        struct ir_mem mem = {.space = far, .elem = IR_I32, .count = 1};
        ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
        ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
        uint32_t body = ir_new_block(m->p), out = ir_new_block(m->p);
        ir_goto(b, body);
        b->block = body;
        ir_value row[4];
        for (unsigned i = 0; i < 4; i++)
            row[i] = operand(m, far && i < 3 ? IR_I64 : IR_I32, i, 'L');
        if (how & 2)
            keep(m, ir_op2(b, IR_XOR, 0, row[1], row[2]));
        ir_value mix = far ? ir_cvt(b, IR_LO32, IR_I32, 0, row[1]) : row[1];
        ir_value v = ir_load(b, mem, IR_I32, row[0]);
        ir_set(b, m->file[32], 30, ir_op2(b, IR_XOR, 0, v, mix), 0);
        ir_set(b, m->file[32], 0, ir_op2(b, IR_ADD, 0, row[0], row[1]), 0);
        ir_set(b, m->file[32], 2, ir_op2(b, how & 4 ? IR_SUB : IR_ADD, 0, row[1], row[2]), 0);
        ir_value step = how & 4 ? ir_const(b, far ? IR_I64 : IR_I32, 4) : row[2];
        ir_set(b, m->file[32], 4, ir_op2(b, IR_ADD, 0, row[2], step), 0);
        ir_value more = ir_op2(b, IR_LT_U, 0, row[3], operand(m, IR_I32, 3, 'C'));
        ir_set(b, m->file[32], 6, ir_op2(b, IR_ADD, 0, row[3], ir_const_i32(b, 1)), 0);
        struct ir_control c = {.ntargets = 2, .target = {body, out}, .direct_none = true, .direct_all = true};
        ir_control(b, c, &more, 1);
        b->block = out;
        end_program(m, false);
    }
}

/* Votes over all lanes, where only some run. */
static void votes_in_loops(void)
{
    struct kind *k = new_kind("loops by votes of all lanes");
    for (unsigned n = 0; n < 16; n++) {
        struct maker *m = begin_program(k, 16u << n % 3);
        struct ir_builder *b = &m->b;
        struct ir_mem mem = {.elem = IR_I32, .count = 1};
        ir_add_space(m->p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
        uint32_t body = ir_new_block(m->p), out = ir_new_block(m->p);
        ir_goto(b, body);
        b->block = body;
        ir_value v = ir_load(b, mem, IR_I32, operand(m, IR_I32, 0, 'L'));
        ir_set(b, m->file[32], 2, ir_op2(b, IR_ADD, 0, v, operand(m, IR_I32, 1, 'L')), 0);
        ir_set(b, m->file[32], 0, ir_op2(b, IR_ADD, 0, operand(m, IR_I32, 0, 'L'), ir_const_i32(b, 4)), 0);
        ir_value on = ir_op2(b, IR_NE, 0, operand(m, IR_I32, 2, 'L'), v);
        ir_value vote = ir_op1(b, n & 1 ? IR_ANY : IR_ALL, n & 2 ? IR_ALL_LANES : 0, on);
        ir_branch(b, vote, n & 4 ? out : body, n & 4 ? body : out);
        b->block = out;
        end_program(m, false);
    }
}

/* ---- what is known when the lanes are done ---- */

/* Sums of the warp that wait for a vote, some of them in one register, and what else is done with them. */
static void late_values(unsigned n, unsigned how)
{
    static struct kind *k;
    if (how == 0)
        k = new_kind("%u values that wait for a vote", n);
    struct maker *m = begin_program(k, how & 1 ? 16 : 64);
    struct ir_builder *b = &m->b;
    ir_value one = ir_const_i32(b, 1);
    ir_value held = ir_op1(b, how & 2 ? IR_ANY : IR_ALL, 0, ir_op2(b, IR_NE, 0, operand(m, IR_I32, 0, 'L'), one));
    for (unsigned i = 0; i < n; i++) {
        ir_value x = operand(m, IR_I32, i % 8, 'U');
        uint32_t to = 40 + (how & 4 ? i % 3 : i);
        ir_set(b, m->warp[32], to, how & 4 && i % 3 == 2 ? ir_op2(b, IR_ADD, 0, x, one) : ir_select(b, held, x, one),
               0);
    }
    if (how & 8) { /* lanes look at them, or what is wide or in part */
        ir_value late = ir_get(b, m->warp[32], 40, IR_I32);
        ir_set(b, m->file[32], 4, ir_op2(b, IR_ADD, 0, late, operand(m, IR_I32, 1, 'L')), 0);
        ir_set(b, m->warp[32], 60, ir_cvt(b, IR_ZEXT, IR_I64, 0, late), 0);
        ir_set_part(b, m->warp[32], 64, 8, IR_I8, ir_cvt(b, IR_TRUNC, IR_I8, 0, late), 0);
    }
    if (how & 16) {
        uint32_t yes = ir_new_block(m->p), no = ir_new_block(m->p);
        ir_value late = ir_get(b, m->warp[32], 40, IR_I32);
        ir_branch(b, how & 1 ? held : ir_op2(b, IR_LT_S, 0, operand(m, IR_I32, 1, 'U'), late), yes, no);
        b->block = yes;
        ir_end(b);
        b->block = no;
    }
    end_program(m, false);
}

/* ---- functions of many operations ---- */

/* So many blocks of sums, each of which goes on to the next or to the first; some of which the host flushes for, and
 * some that mind. */
static void long_functions(void)
{
    struct kind *k = new_kind("many operations in a circle");
    for (unsigned n = 0; n < 4; n++) {
        unsigned blocks = n & 1 ? 13 : 12; /* 1200 operations are one function, and no more */
        struct maker *m = begin_program(k, 16);
        struct ir_builder *b = &m->b;
        for (unsigned i = 1; i < blocks; i++)
            ir_new_block(m->p);
        uint32_t out = ir_new_block(m->p);
        for (unsigned i = 0; i < blocks; i++) {
            b->block = IR_ENTRY + i;
            ir_value x = operand(m, IR_I32, 0, 'L');
            for (unsigned j = 0; j < 94; j++)
                x = ir_op2(b, j % 2 ? IR_ADD : IR_XOR, 0, x, operand(m, IR_I32, 1 + j % 5, 'L'));
            ir_set(b, m->file[32], 0, x, 0);
            for (unsigned j = 0; n & 2 && j < 3 && i % 4 < 2; j++)
                ir_set(b, m->file[32], 20 + 2 * j,
                       ir_op2(b, IR_FMUL, i % 4 ? 0 : IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON,
                              operand(m, IR_F32, j, 'L'), operand(m, IR_F32, 5, 'L')),
                       0);
            ir_branch(b, ir_op2(b, IR_LT_S, 0, operand(m, IR_I32, 1, 'U'), operand(m, IR_I32, 2, 'U')),
                      i + 1 < blocks ? IR_ENTRY + i + 1 : IR_ENTRY, out);
        }
        b->block = out;
        end_program(m, false);
    }
}

/* ---- words of 64 bits ---- */

/* Made of two words, of one, loaded, of the warp, or just made: each op on each two of them. */
static ir_value wide(struct maker *m, unsigned how)
{
    struct ir_builder *b = &m->b;
    ir_value words[2] = {operand(m, IR_I32, how, 'L'), operand(m, IR_I32, how + 1, how & 1 ? 'U' : 'L')};
    switch (how % 8) {
    case 0:
        return operand(m, IR_I64, 1, 'L');
    case 1:
    case 2:
        return ir_emit(b, IR_PACK64, IR_I64, 0, 1, words, 2, 0, 0, 0);
    case 3:
        return ir_cvt(b, IR_SEXT, IR_I64, 0, words[0]);
    case 4:
        return ir_cvt(b, IR_ZEXT, IR_I64, 0, words[0]);
    case 5:
        return operand(m, IR_I64, 2, 'U');
    case 6:
        return operand(m, IR_I64, 3, 'C');
    default:
        return ir_op2(b, IR_MUL, 0, operand(m, IR_I64, 0, 'L'), operand(m, IR_I64, 1, 'L'));
    }
}

static void wide_words(bool grows)
{
    static const enum ir_opcode ops[] = {IR_ADD, IR_SUB, IR_AND, IR_OR, IR_XOR, IR_SHL, IR_SHR_U, IR_SHR_S};
    for (unsigned i = 0; i < 8; i++) {
        struct kind *k =
            new_kind("%s of 64 bits known in different ways%s", ir_op_info[ops[i]].text, grows ? ", grows" : "");
        for (unsigned how = 0; how < 8; how++) {
            struct maker *m = begin_program(k, grows || how % 2 ? 16 : 32);
            struct ir_builder *b = &m->b;
            for (unsigned other = how % 2; other < 8; other += 2) {
                ir_value x = wide(m, how), y = wide(m, other);
                if (i >= 5)
                    y = other == 3 ? operand(m, IR_I32, 2, 'L') : ir_const_i32(b, other == 5 ? 0 : 9 * other);
                ir_value v = ir_op2(b, ops[i], 0, x, y);
                keep(m, v);
                keep(m, ir_cvt(b, other & 2 ? IR_LO32 : IR_HI32, IR_I32, 0, v));
                keep(m, ir_select(b, operand(m, IR_I1, 0, 'L'), v, x));
            }
            end_program(m, grows);
        }
    }
}

/* ---- programs that grow ---- */

/* Looks that stop a warp: at conditions of lanes and of the warp, under predicates of either. */
static void checks(void)
{
    struct kind *k = new_kind("checks, grows");
    for (unsigned n = 0; n < 18; n++) {
        struct maker *m = begin_program(k, 16);
        ir_value on = operand(m, IR_I1, 1, n % 2 ? 'U' : 'L');
        ir_value v = n / 2 % 3 == 0 ? operand(m, IR_I1, 2, n % 2 ? 'U' : 'L')
                     : n / 2 % 3 == 1
                         ? ir_op2(&m->b, IR_LT_U, 0, operand(m, IR_I32, 0, 'U'), operand(m, IR_I32, 1, 'U'))
                         : ir_op2(&m->b, IR_EQ, 0, operand(m, IR_I32, 0, 'L'), operand(m, IR_I32, 1, 'C'));
        keep(m, ir_op2(&m->b, IR_ADD, 0, operand(m, IR_I32, 3, 'L'), operand(m, IR_I32, 1, 'C')));
        ir_emit(&m->b, IR_CHECK, IR_VOID, 0, 0, &v, 1, 0, 7, n / 6 ? on : 0);
        keep(m, ir_op2(&m->b, IR_ADD, 0, operand(m, IR_I32, 4, 'U'), operand(m, IR_I32, 1, 'C')));
        end_program(m, true);
    }
}

/* Addresses that are the lanes' numbers times something, plus something: how far that is followed. */
static void addresses_of_lanes(void)
{
    static const enum ir_type elems[] = {IR_I8, IR_I16, IR_I32};
    struct kind *k = new_kind("rows of a vector processor, grows");
    for (unsigned n = 0; n < 48; n++) {
        struct maker *m = begin_program(k, 16);
        struct ir_builder *b = &m->b;
        unsigned form = n / 6 % 8;
        ir_add_space(m->p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_TRAP});
        ir_value base = operand(m, IR_I32, 0, form == 5 ? 'L' : 'U'), at = ir_lane_id(b);
        ir_value by = form == 6 ? operand(m, IR_I32, 1, 'U') : ir_const_i32(b, n % 3 + (form == 7 ? 1 : 0));
        if (form != 1)
            at = ir_op2(b, IR_SHL, 0, at, by);
        at = form & 1 ? ir_op2(b, IR_ADD, 0, base, at) : ir_op2(b, IR_ADD, 0, at, base);
        if (form == 2)
            at = ir_op2(b, IR_ADD, 0, at, operand(m, IR_I32, 3, 'C'));
        if (form == 3)
            at = ir_op2(b, IR_SUB, 0, at, operand(m, IR_I32, 3, 'U'));
        if (form == 4)
            at = ir_op2(b, IR_SHL, 0, at, ir_const_i32(b, 1));
        struct ir_mem mem = {
            .elem = (uint8_t)elems[n % 3], .count = 1, .offset = n & 8 ? 16 : 0, .align = n & 16 ? 4 : 0};
        ir_value data = operand(m, IR_I32, 2, n & 4 ? 'U' : 'L'), on = n & 32 ? operand(m, IR_I1, 0, 'L') : 0;
        if (n / 3 % 2)
            ir_store(b, mem, at, &data, on);
        else
            keep(m, ir_emit(b, IR_LOAD, IR_I32, 0, 1, &at, 1, ir_add_mem(m->p, mem), 0, on));
        keep(m, ir_op1(b, IR_NOT, 0, data));
        end_program(m, true);
    }
}

void texts_of_rare(void)
{
    large_loops();
    rows_of_others();
    votes_in_loops();
    for (unsigned n = 2; n <= 18; n += n < 15 ? 6 : 2)
        for (unsigned how = 0; how < 32; how += n == 2 ? 1 : 3)
            late_values(n, how);
    long_functions();
    wide_words(false);
    wide_words(true);
    checks();
    addresses_of_lanes();
}
