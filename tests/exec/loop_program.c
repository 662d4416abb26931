/* loop_program.c - loops of loads as lane IR. */
#include "loop_program.h"

#include "ir/program.h"
#include "isa/tesla/alu_lanes.h"

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

void loop_make(struct loop *l, struct arena *a, unsigned lanes, const struct exec_policy *policy, unsigned insns)
{
    l->p = ir_program_new(a, "test", IR_COMPUTE, lanes);
    l->p->policy = policy;
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
    l->p->blocks[body].insns = insns;
    b.block = out;
    ir_control(&b, (struct ir_control){.op = JOIN, .ntargets = 1, .target = {end}}, NULL, 0);
    b.block = end;
    ir_end(&b);
}
