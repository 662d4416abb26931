/* build.c - lane IR made op by op. */
#include "ir/build.h"

#include "ir/program.h"
#include "ir/typing.h"

#include <assert.h>
#include <string.h>

static enum ir_type result_type(const struct ir_builder *b, enum ir_opcode code, enum ir_type type,
                                const ir_value *args, unsigned nargs)
{
    switch ((enum ir_result)ir_op_info[code].result) {
    case IR_RES_SAME:
        return nargs ? ir_type_of(b, args[0]) : IR_VOID;
    case IR_RES_VOID:
        return IR_VOID;
    case IR_RES_I1:
        return IR_I1;
    case IR_RES_I32:
        return IR_I32;
    case IR_RES_I64:
        return IR_I64;
    case IR_RES_F32:
        return IR_F32;
    case IR_RES_TYPED:
        break;
    }
    return type;
}

ir_value ir_emit(struct ir_builder *b, enum ir_opcode code, enum ir_type type, unsigned attr, unsigned nres,
                 const ir_value *args, unsigned nargs, uint32_t desc, uint64_t imm, ir_value pred)
{
    struct ir_program *p = b->p;
    if (arena_failed(p->arena))
        return 0;
    struct ir_op op = {.code = (uint16_t)code,
                       .attr = (uint16_t)attr,
                       .pred = pred,
                       .desc = desc,
                       .imm = imm,
                       .insn = b->insn};
    op.type = (uint8_t)result_type(b, code, type, args, nargs);
    op.nres = op.type == IR_VOID ? 0 : (uint8_t)nres;
    if (op.nres)
        op.res = ir_add_values(p, (enum ir_type)op.type, op.nres);
    if (!ir_append(p, b->block, &op, args, nargs))
        return 0;
    assert(!ir_type_fault(p, &op));
    if (op.nres && ir_derive_uniform(p, &op)) {
        struct ir_block *block = &p->blocks[b->block];
        block->ops[block->count - 1].uniform = 1;
        memset(p->value_uniform + op.res, 1, op.nres);
    }
    return op.res;
}

ir_value ir_const(struct ir_builder *b, enum ir_type type, uint64_t bits)
{
    unsigned width = ir_type_bits(type);
    if (width < 64)
        bits &= ((uint64_t)1 << width) - 1;
    return ir_emit(b, IR_CONST, type, 0, 1, NULL, 0, 0, bits, 0);
}

ir_value ir_const_f32(struct ir_builder *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ir_const(b, IR_F32, bits);
}

ir_value ir_op1(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a)
{
    return ir_emit(b, code, IR_VOID, attr, 1, &a, 1, 0, 0, 0);
}

ir_value ir_op2(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a, ir_value c)
{
    return ir_emit(b, code, IR_VOID, attr, 1, (const ir_value[]){a, c}, 2, 0, 0, 0);
}

ir_value ir_op3(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a, ir_value c, ir_value d)
{
    return ir_emit(b, code, IR_VOID, attr, 1, (const ir_value[]){a, c, d}, 3, 0, 0, 0);
}

ir_value ir_cvt(struct ir_builder *b, enum ir_opcode code, enum ir_type to, unsigned attr, ir_value a)
{
    return ir_emit(b, code, to, attr, 1, &a, 1, 0, 0, 0);
}

ir_value ir_cvt2(struct ir_builder *b, enum ir_opcode code, enum ir_type to, unsigned attr, ir_value a, ir_value c)
{
    return ir_emit(b, code, to, attr, 1, (const ir_value[]){a, c}, 2, 0, 0, 0);
}

ir_value ir_select(struct ir_builder *b, ir_value cond, ir_value yes, ir_value no)
{
    return ir_emit(b, IR_SELECT, ir_type_of(b, yes), 0, 1, (const ir_value[]){cond, yes, no}, 3, 0, 0, 0);
}

ir_value ir_as(struct ir_builder *b, enum ir_type type, ir_value a)
{
    return ir_type_of(b, a) == type ? a : ir_cvt(b, IR_BITCAST, type, 0, a);
}

ir_value ir_get(struct ir_builder *b, unsigned file, uint32_t elem, enum ir_type type)
{
    return ir_get_part(b, file, elem, 0, type);
}

void ir_set(struct ir_builder *b, unsigned file, uint32_t elem, ir_value v, ir_value pred)
{
    ir_set_part(b, file, elem, 0, ir_type_of(b, v), v, pred);
}

static uint32_t part_of(struct ir_builder *b, unsigned file, uint32_t elem, unsigned shift, enum ir_type part)
{
    return ir_add_reg(
        b->p, (struct ir_reg){.file = (uint16_t)file, .elem = elem, .shift = (uint8_t)shift, .part = (uint8_t)part});
}

ir_value ir_get_part(struct ir_builder *b, unsigned file, uint32_t elem, unsigned shift, enum ir_type part)
{
    return ir_emit(b, IR_GET, part, 0, 1, NULL, 0, part_of(b, file, elem, shift, part), 0, 0);
}

void ir_set_part(struct ir_builder *b, unsigned file, uint32_t elem, unsigned shift, enum ir_type part, ir_value v,
                 ir_value pred)
{
    ir_emit(b, IR_SET, IR_VOID, 0, 0, &v, 1, part_of(b, file, elem, shift, part), 0, pred);
}

ir_value ir_get_dyn(struct ir_builder *b, struct ir_reg reg, ir_value index, enum ir_type type)
{
    return ir_emit(b, IR_GET_DYN, type, 0, 1, &index, 1, ir_add_reg(b->p, reg), 0, 0);
}

void ir_set_dyn(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value v, ir_value pred)
{
    ir_emit(b, IR_SET_DYN, IR_VOID, 0, 0, (const ir_value[]){index, v}, 2, ir_add_reg(b->p, reg), 0, pred);
}

ir_value ir_get_lane(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value lane, enum ir_type type)
{
    return ir_emit(b, IR_GET_LANE, type, 0, 1, (const ir_value[]){index, lane}, 2, ir_add_reg(b->p, reg), 0, 0);
}

void ir_set_lane(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value lane, ir_value v, ir_value pred)
{
    ir_emit(b, IR_SET_LANE, IR_VOID, 0, 0, (const ir_value[]){index, lane, v}, 3, ir_add_reg(b->p, reg), 0, pred);
}

void ir_check(struct ir_builder *b, ir_value cond, uint64_t fault)
{
    ir_emit(b, IR_CHECK, IR_VOID, 0, 0, &cond, 1, 0, fault, 0);
}

ir_value ir_load(struct ir_builder *b, struct ir_mem mem, enum ir_type type, ir_value addr)
{
    return ir_emit(b, IR_LOAD, type, 0, mem.count, &addr, 1, ir_add_mem(b->p, mem), 0, 0);
}

void ir_store(struct ir_builder *b, struct ir_mem mem, ir_value addr, const ir_value *data, ir_value pred)
{
    enum { MOST = 16 }; /* elements of an access: see struct ir_mem */
    assert(mem.count <= MOST);
    ir_value args[MOST + 1] = {addr};
    unsigned count = mem.count < MOST ? mem.count : MOST;
    memcpy(args + 1, data, count * sizeof *data);
    ir_emit(b, IR_STORE, IR_VOID, 0, 0, args, count + 1, ir_add_mem(b->p, mem), 0, pred);
}

ir_value ir_texture_op(struct ir_builder *b, struct ir_texture t, enum ir_type type, const ir_value *args,
                       unsigned nargs)
{
    return ir_emit(b, IR_TEXTURE, type, 0, 4, args, nargs, ir_add_texture(b->p, t), 0, 0);
}

ir_value ir_image_op(struct ir_builder *b, enum ir_service service, struct ir_image image, const ir_value *args,
                     unsigned nargs)
{
    bool store = service == IR_SVC_IMAGE_STORE || service == IR_SVC_IMAGE_STORE_AT;
    bool real = image.is_float && service != IR_SVC_RESOURCE_SIZE;
    return ir_emit(b, IR_SERVICE,
                   store  ? IR_VOID
                   : real ? IR_F32
                          : IR_I32,
                   0,
                   store                            ? 0
                   : service == IR_SVC_IMAGE_ATOMIC ? 1
                                                    : 4,
                   args, nargs, ir_add_image(b->p, image), service, 0);
}

void ir_goto(struct ir_builder *b, uint32_t target)
{
    ir_emit(b, IR_GOTO, IR_VOID, 0, 0, NULL, 0, target, 0, 0);
}

void ir_branch(struct ir_builder *b, ir_value cond, uint32_t yes, uint32_t no)
{
    ir_emit(b, IR_BRANCH, IR_VOID, 0, 0, &cond, 1, yes, no, 0);
}

void ir_control(struct ir_builder *b, struct ir_control c, const ir_value *args, unsigned nargs)
{
    ir_emit(b, IR_CONTROL, IR_VOID, 0, 0, args, nargs, ir_add_control(b->p, c), 0, 0);
}

void ir_end(struct ir_builder *b)
{
    ir_emit(b, IR_END, IR_VOID, 0, 0, NULL, 0, 0, 0, 0);
}

unsigned ir_invocation(struct ir_builder *b, ir_value keys[IR_INVOCATION_KEYS])
{
    switch (b->p->stage) {
    case IR_FRAGMENT:
        keys[0] = ir_emit(b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_X, 0);
        keys[1] = ir_emit(b, IR_SYSVAL, IR_F32, 0, 1, NULL, 0, 0, IR_SYS_FRAG_Y, 0);
        return 2;
    case IR_VERTEX:
        keys[0] = ir_emit(b, IR_SYSVAL, IR_I32, 0, 1, NULL, 0, 0, IR_SYS_VERTEX_ID, 0);
        keys[1] = ir_emit(b, IR_SYSVAL, IR_I32, 0, 1, NULL, 0, 0, IR_SYS_INSTANCE_ID, 0);
        return 2;
    default:
        for (unsigned c = 0; c < 3; c++) {
            keys[c] = ir_emit(b, IR_SYSVAL, IR_I32, 0, 1, NULL, 0, c, IR_SYS_BLOCK_ID, 0);
            keys[3 + c] = ir_emit(b, IR_SYSVAL, IR_I32, 0, 1, NULL, 0, c, IR_SYS_THREAD_ID, 0);
        }
        return IR_INVOCATION_KEYS;
    }
}
