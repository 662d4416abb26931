/* words.h - how the text form spells what ops carry: read by the printer, the parser and the verifier. */
#ifndef WEFT_IR_WORDS_H
#define WEFT_IR_WORDS_H

#include "ir/ir.h"

/* What the desc and imm of an op are. */
enum ir_operand {
    IR_OPERAND_NONE,
    IR_OPERAND_REG, IR_OPERAND_MEM, IR_OPERAND_TEXTURE, IR_OPERAND_IMAGE, IR_OPERAND_HELPER,
    IR_OPERAND_CONTROL, /* up to here: indices of tables */
    IR_OPERAND_INPUT, IR_OPERAND_OUTPUT, IR_OPERAND_BLOCK,
    IR_OPERAND_BITS,      /* a constant of the op's type */
    IR_OPERAND_NUMBER,    /* anything */
    IR_OPERAND_COMPONENT, /* 0 to 3: x y z w */
    IR_OPERAND_QUAD,      /* 0 to 3 */
    IR_OPERAND_STREAM,    /* 0 to 3 */
    IR_OPERAND_OP, IR_OPERAND_ATOMIC, IR_OPERAND_SYSVAL, IR_OPERAND_SERVICE /* enums */
};
struct ir_operands {
    uint8_t desc, imm; /* enum ir_operand */
};
extern const struct ir_operands ir_operands[IR_OPCODES];

/* What desc is; that of a SERVICE depends on the service. */
enum ir_operand ir_desc_operand(unsigned code, uint64_t imm);

/* The words of an enum. */
struct ir_words {
    const char *const *list;
    unsigned count;
    const char *what; /* "a system value" */
};
extern const struct ir_words ir_stage_words, ir_semantic_words, ir_interp_words, ir_location_words, ir_sysval_words,
    ir_service_words, ir_space_words, ir_bounds_words, ir_atomic_words, ir_tex_dim_words, ir_tex_op_words,
    ir_binding_words,
    ir_type_words, ir_op_words, ir_component_words;

/* Attributes in the order that they are printed; each is present when (attr & mask) == value. */
struct ir_attr_word {
    const char *text;
    uint16_t mask, value;
};
enum { IR_ATTR_WORDS = 16 };
extern const struct ir_attr_word ir_attr_words[IR_ATTR_WORDS];

/* The properties of struct ir_io: where each is and how wide. */
struct ir_property {
    const char *name;
    uint16_t offset;
    uint8_t size; /* bytes: 1 or 2 */
    bool flag;
};
enum { IR_PROPERTIES = 27 };
extern const struct ir_property ir_properties[IR_PROPERTIES];
uint32_t ir_property_get(const struct ir_io *io, const struct ir_property *property);
void ir_property_set(struct ir_io *io, const struct ir_property *property, uint32_t value);

/* Whether argument 0 of a register op is an index: its descriptor then has a stride and a range. */
bool ir_reg_indexed(unsigned code);

/* A word of the text form: letters, digits and _, not starting with a digit. */
bool ir_is_word(const char *s);

#endif
