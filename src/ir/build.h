/* build.h - making IR. The builder checks types as it goes (assert in debug builds), folds nothing, and never
 * fails half-way: without memory its arena is marked failed and the caller sees it at the end. */
#ifndef WEFT_IR_BUILD_H
#define WEFT_IR_BUILD_H

#include "ir/ir.h"

struct ir_builder {
    struct ir_program *p;
    uint32_t block; /* where ops go */
    uint32_t insn;  /* guest instruction of the ops being made */
};

/* A new program with an empty prologue (block 0) and an empty entry (block 1). */
struct ir_program *ir_program_new(struct arena *arena, const char *isa, enum ir_stage stage, unsigned lanes);
uint32_t ir_new_block(struct ir_program *p);

/* Declarations; each returns the number that ops and descriptors use, or 0 where there is no memory (arena_failed).
 * Inputs and outputs have memory from the beginning: slot 0 can be written to even then. */
uint32_t ir_add_file(struct ir_program *p, struct ir_file file);
uint32_t ir_add_space(struct ir_program *p, struct ir_space space);
uint32_t ir_add_input(struct ir_program *p, struct ir_slot slot);
uint32_t ir_add_output(struct ir_program *p, struct ir_slot slot);

/* The general form: every other builder below calls it. Result type: as IR_OPS says, `type` where it says TYPED.
 * Uniformity of the result is derived from the op and its arguments. Returns the first result or 0. */
ir_value ir_emit(struct ir_builder *b, enum ir_opcode code, enum ir_type type, unsigned attr, unsigned nres,
                 const ir_value *args, unsigned nargs, uint32_t desc, uint64_t imm, ir_value pred);

ir_value ir_const(struct ir_builder *b, enum ir_type type, uint64_t bits);
ir_value ir_const_f32(struct ir_builder *b, float value);
static inline ir_value ir_const_i32(struct ir_builder *b, uint32_t v) { return ir_const(b, IR_I32, v); }

/* A value of the device's, and the number of the lane. */
static inline ir_value ir_sysval(struct ir_builder *b, enum ir_sysval which, enum ir_type type, unsigned component)
{
    return ir_emit(b, IR_SYSVAL, type, 0, 1, 0, 0, component, which, 0);
}
static inline ir_value ir_lane_id(struct ir_builder *b)
{
    return ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, 0, 0, 0, 0, 0);
}

ir_value ir_op1(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a);
ir_value ir_op2(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a, ir_value c);
ir_value ir_op3(struct ir_builder *b, enum ir_opcode code, unsigned attr, ir_value a, ir_value c, ir_value d);
/* Conversions, bitcasts, pack64, lo32: one or two arguments and a result type. */
ir_value ir_cvt(struct ir_builder *b, enum ir_opcode code, enum ir_type to, unsigned attr, ir_value a);
ir_value ir_cvt2(struct ir_builder *b, enum ir_opcode code, enum ir_type to, unsigned attr, ir_value a, ir_value c);
ir_value ir_select(struct ir_builder *b, ir_value cond, ir_value yes, ir_value no);
/* A bitcast, or the value itself when the type is right already. */
ir_value ir_as(struct ir_builder *b, enum ir_type type, ir_value a);

ir_value ir_get(struct ir_builder *b, unsigned file, uint32_t elem, enum ir_type type);
void ir_set(struct ir_builder *b, unsigned file, uint32_t elem, ir_value v, ir_value pred);
/* Typed part: `shift` bits into the element. */
ir_value ir_get_part(struct ir_builder *b, unsigned file, uint32_t elem, unsigned shift, enum ir_type part);
void ir_set_part(struct ir_builder *b, unsigned file, uint32_t elem, unsigned shift, enum ir_type part, ir_value v,
                 ir_value pred);
ir_value ir_get_dyn(struct ir_builder *b, struct ir_reg reg, ir_value index, enum ir_type type);
void ir_set_dyn(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value v, ir_value pred);
/* The same of another lane (i32). */
ir_value ir_get_lane(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value lane, enum ir_type type);
void ir_set_lane(struct ir_builder *b, struct ir_reg reg, ir_value index, ir_value lane, ir_value v, ir_value pred);

ir_value ir_load(struct ir_builder *b, struct ir_mem mem, enum ir_type type, ir_value addr); /* first of mem.count */
void ir_store(struct ir_builder *b, struct ir_mem mem, ir_value addr, const ir_value *data, ir_value pred);

/* Stop with a fault when cond (i1) holds in some active lane. */
void ir_check(struct ir_builder *b, ir_value cond, uint64_t fault);

ir_value ir_texture_op(struct ir_builder *b, struct ir_texture t, enum ir_type type, const ir_value *args,
                       unsigned nargs);

/* A service on an image: the first result, or 0 for IMAGE_STORE. */
ir_value ir_image_op(struct ir_builder *b, enum ir_service service, struct ir_image image, const ir_value *args,
                     unsigned nargs);

void ir_goto(struct ir_builder *b, uint32_t target);
void ir_branch(struct ir_builder *b, ir_value cond, uint32_t yes, uint32_t no);
void ir_control(struct ir_builder *b, struct ir_control c, const ir_value *args, unsigned nargs);
void ir_end(struct ir_builder *b);

static inline enum ir_type ir_type_of(const struct ir_builder *b, ir_value v)
{
    return (enum ir_type)b->p->value_type[v];
}

/* The system values by which invocations of a stage are told apart, for a probe: a fragment's x and y, a vertex's
 * number and instance, otherwise the three numbers of the workgroup and the three within it. How many there are. */
enum { IR_INVOCATION_KEYS = 6 };
unsigned ir_invocation(struct ir_builder *b, ir_value keys[IR_INVOCATION_KEYS]);

#endif
