/* parse.h - what the parts of the VPU's assembler share beyond the common one (isa/asm/asm.h). */
#ifndef WEFT_ISA_VPU_PARSE_H
#define WEFT_ISA_VPU_PARSE_H

#include "isa/asm/asm.h"
#include "isa/vpu/encode.h"
#include "isa/vpu/names.h"

/* asm_state.own */
struct vpu_assembly {
    struct asm_symbol *table; /* after the last switch: where .case counts from */
    unsigned case_width;      /* bytes of its entries */
};

/* asm_fixup.operand */
enum vpu_pending {
    VPU_PENDING_TARGET, /* insn.target = value */
    VPU_PENDING_IMM,    /* insn.imm = value */
    VPU_PENDING_NEAR,   /* insn.imm = value - address */
    VPU_PENDING_CASE    /* an entry of a switch table: half of value */
};

struct vpu_statement {
    const char *from; /* its mnemonic */
    struct vpu_mnemonic mnemonic;
    struct vpu_wish wish;
    uint8_t cond;
};

/* An operand of a vector instruction as read, before the operation says what it is. */
struct vpu_vector_operand {
    enum {
        VPU_READ_VECTOR,
        VPU_READ_DASH,
        VPU_READ_SCALAR,  /* r3+5 */
        VPU_READ_ADDRESS, /* (r3+5+=r4) */
        VPU_READ_NUMBER
    } kind;
    struct vpu_operand vector; /* of a scalar or address: reg */
    int32_t number;            /* immediate or displacement */
    uint8_t step;
    bool hex;
    const char *from;
};

/* An instruction whose operands are read, one after the other, along the ways in which its operation may be written. */
struct vpu_reading {
    struct vpu_statement *st;
    struct vpu_insn insn;
    const struct vpu_syntax *way; /* in which it is written, when all operands are read; NULL: it has none */
    struct span at[VPU_MAX_ITEMS]; /* where its operands are */
    const struct asm_expr *expr; /* what it waits for; NULL: nothing */
    unsigned waiting;            /* which operand that is in */
    enum vpu_pending pending;
    uint8_t reg[VPU_MAX_ITEMS]; /* registers, which get their place when all operands are known */
    struct vpu_vector_operand operand[3];
};

/* ---- parse.c ---- */

/* An instruction's mnemonic, as it is printed without its condition. */
const char *vpu_spelling(const struct vpu_insn *insn);
/* Append an instruction; false without memory. */
bool vpu_append(struct asm_state *a, const struct vpu_insn *insn);
/* Append an instruction whose operands are known, or wait for r->expr. */
bool vpu_finish_insn(struct asm_state *a, struct vpu_reading *r);
/* A scalar register, or -1 with nothing taken and nothing said. */
int vpu_try_register(struct asm_state *a);
/* "expected a register", at the next byte. */
/* What to say of a word that looks like a register and is not one; NULL: it does not look like one. */
const char *vpu_no_symbol(const char *word);
bool vpu_expected_register(struct asm_state *a);
bool vpu_read_register(struct asm_state *a, uint8_t *out);
/* "++" and the like, if it is next. */
bool vpu_take_twice(struct asm_state *a, char c);
/* {name}: pin the form. */
bool vpu_take_pin(struct asm_state *a, struct vpu_wish *wish);

/* ---- parse_scalar.c, parse_vector.c ---- */

/* Read operand number `at`, which is one of `items` (VPU_ITEM). Those that it may be; 0 with an error. */
uint32_t vpu_read_scalar_operand(struct asm_state *a, struct vpu_reading *r, unsigned at, uint32_t items);
bool vpu_read_vector_operand(struct asm_state *a, struct vpu_vector_operand *o);
/* Put the operands where the way that was found has them. Take what comes after them, and append the instruction. */
bool vpu_end_scalar(struct asm_state *a, struct vpu_reading *r, const struct vpu_syntax *s);
bool vpu_end_vector(struct asm_state *a, struct vpu_reading *r, const struct vpu_syntax *s);
/* Is a modifier of a vector instruction next? The manual writes commas before some. */
bool vpu_is_modifier_next(struct asm_state *a);
/* vec48 and vec80: bits as they are. */
bool vpu_read_raw_vector(struct asm_state *a, struct vpu_statement *st);

/* ---- assemble.c ---- */

extern const struct asm_isa vpu_assembler;

/* After a switch: its table begins here, with entries of so many bytes. */
bool vpu_begin_table(struct asm_state *a, unsigned width);
/* The module of what was read and laid out. */
bool vpu_make_module(struct asm_state *a, struct isa_module **out);
/* parse.c: one instruction, for vpu_assembler. */
bool vpu_read_instruction(struct asm_state *a, const char *word, size_t length);

#endif
