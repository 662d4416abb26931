/* program.h - adding to a program's tables: used by the builder and by the parser of the text form. */
#ifndef WEFT_IR_PROGRAM_H
#define WEFT_IR_PROGRAM_H

#include "ir/ir.h"

/* Each returns the new index. Without memory the arena is marked failed, 0 is returned and nothing is added. */
uint32_t ir_add_reg(struct ir_program *p, struct ir_reg reg);
uint32_t ir_add_mem(struct ir_program *p, struct ir_mem mem);
uint32_t ir_add_control(struct ir_program *p, struct ir_control control);
uint32_t ir_add_texture(struct ir_program *p, struct ir_texture texture);
uint32_t ir_add_image(struct ir_program *p, struct ir_image image);
uint32_t ir_add_variable(struct ir_program *p, struct ir_variable variable);
uint32_t ir_add_helper(struct ir_program *p, struct ir_helper helper);

/* `count` consecutive new values of a type; returns the first. */
ir_value ir_add_values(struct ir_program *p, enum ir_type type, unsigned count);

/* Append op to a block with these arguments; op->args and op->nargs are filled in. False without memory. */
bool ir_append(struct ir_program *p, uint32_t block, struct ir_op *op, const ir_value *args, unsigned nargs);

/* Give the memory of large tables back that passes have emptied. */
void ir_give_back(struct ir_program *p);

#endif
