/* parse.h - what the parts of the VPU's assembler share beyond the common one (isa/asm/asm.h). */
#ifndef WEFT_ISA_VPU_PARSE_H
#define WEFT_ISA_VPU_PARSE_H

#include "isa/asm/asm.h"
#include "isa/vpu/choose.h"
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

/* ---- parse.c ---- */

/* An instruction's mnemonic, as it is printed without its condition. */
const char *vpu_spelling(const struct vpu_insn *insn);
/* Append an instruction; false without memory. */
bool vpu_append(struct asm_state *a, const struct vpu_insn *insn);
/* Append an instruction whose operands are known, or wait for `expr`. */
bool vpu_finish_insn(struct asm_state *a, struct vpu_insn *insn, const struct vpu_wish *wish, const char *from,
                     const struct asm_expr *expr, enum vpu_pending operand);
/* A scalar register, or -1 with nothing taken and nothing said. */
int vpu_try_register(struct asm_state *a);
bool vpu_read_register(struct asm_state *a, uint8_t *out);
/* {name}: pin the form. */
bool vpu_take_pin(struct asm_state *a, struct vpu_wish *wish);

/* ---- parse_scalar.c, parse_vector.c ---- */

/* Columns of rows. */
vpu_read_fn vpu_read_arithmetic, vpu_read_access, vpu_read_list, vpu_read_lea, vpu_read_branch, vpu_read_target,
    vpu_read_addcmpb, vpu_read_one_register, vpu_read_plain, vpu_read_vector;
/* vec48 and vec80: bits as they are. */
vpu_read_fn vpu_read_raw_vector;

/* ---- assemble.c ---- */

extern const struct asm_isa vpu_assembler;

/* After a switch: its table begins here, with entries of so many bytes. */
bool vpu_begin_table(struct asm_state *a, unsigned width);
/* The module of what was read and laid out. */
bool vpu_make_module(struct asm_state *a, struct isa_module **out);
/* parse.c: one instruction, for vpu_assembler. */
bool vpu_read_instruction(struct asm_state *a, const char *word, size_t length);

#endif
