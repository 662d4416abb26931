/* lift.h - TGSI to lane IR: what the parts of the lift share.
 *
 * TEMP, IN, OUT, ADDR and PRED become register files of 32-bit lane elements, four to a register; CONST[n] is address
 * space n. An instruction reads all its sources into values before it writes a component, so that `MOV TEMP[0].xy,
 * TEMP[0].yxxx` is what it says. The lift emits plainly; the passes of src/ir clean up. */
#ifndef WEFT_ISA_TGSI_LIFT_H
#define WEFT_ISA_TGSI_LIFT_H

#include "isa/lift.h"
#include "isa/tgsi/tgsi.h"

enum {
    TGSI_LIFT_LANES = 64,         /* lanes of a warp: 16 quads */
    TGSI_LIFT_REGISTERS = 4096,   /* of one file; Gallium's own limit for TEMP */
    TGSI_LIFT_CONST_BUFFERS = 32, /* as Gallium's PIPE_MAX_CONSTANT_BUFFERS */
    TGSI_LIFT_NESTING = 64,       /* IF, BGNLOOP and SWITCH inside one another */
    TGSI_LIFT_ADDRESS_STACK = 64, /* components that PUSHA may hold */
    TGSI_LIFT_STORAGE = 64,       /* BUFFER and RES: slots of spaces of kind GLOBAL */
    TGSI_LIFT_COUNTER_SLOTS = 32, /* the slot of HWATOMIC[0] */
    TGSI_LIFT_COUNTER_BUFFERS = 8,
    TGSI_LIFT_GLOBAL_SLOT = 63,   /* MEMORY GLOBAL and RES[32767] */
    TGSI_LIFT_INPUT_SLOT = 15,    /* MEMORY INPUT and RES[32764]: the constant buffer that push constants are in */
    /* Programs do not say how much they need; Gallium's drivers are told elsewhere. */
    TGSI_LIFT_SHARED_BYTES = 32768,
    TGSI_LIFT_PRIVATE_BYTES = 4096 /* of each lane */
};

/* In the attr column of comparison rows: the operands change places (a > b is b < a). Taken off before emitting. */
enum { TGSI_LIFT_SWAP = 1 << 15 };

/* Address spaces of geometry and tessellation programs, by their slots (io.h). */
enum { TGSI_LIFT_STAGE_IN, TGSI_LIFT_STAGE_OUT, TGSI_LIFT_STAGE_PATCH, TGSI_LIFT_STAGE_SPACES };

/* Registers of one TGSI file. */
struct tgsi_lift_file {
    uint32_t file;  /* of the program, LIFT_NONE: not used */
    uint32_t count; /* registers */
};

struct tgsi_lift_flow; /* lift_flow.c */

struct tgsi_lifter {
    LIFT_BASE;
    const struct tgsi_row *row; /* of the instruction at work */

    struct tgsi_lift_file file[TGSI_FILES];
    uint32_t const_space[TGSI_LIFT_CONST_BUFFERS]; /* LIFT_NONE: not used */
    uint32_t *out_slot;                       /* output slot of OUT[i], LIFT_NONE: not declared */
    uint32_t *in_slot;                        /* the same of IN[i] */
    uint32_t stage_space[TGSI_LIFT_STAGE_SPACES];  /* LIFT_NONE: not used */
    uint8_t *out_mask;                        /* components that the program writes */
    const struct tgsi_decl **sv;              /* of SV[i], NULL: not declared */
    uint32_t address_stack, address_top;      /* files of PUSHA and POPA */

    uint8_t *usage[TGSI_FILES]; /* components that a register is declared with; NULL: all of all registers */

    struct tgsi_lift_flow *flow;
};

/* ---- lift.c ---- */
const struct tgsi_row *tgsi_lift_row(const struct tgsi_insn *insn);

/* ---- lift_operand.c ---- */
enum ir_type tgsi_lift_type(unsigned type);    /* of enum tgsi_type */
/* Component of a source through its swizzle and modifiers, as a number of type `type` (32 bits). */
ir_value tgsi_lift_source(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, unsigned type);
/* Components 2 * pair and 2 * pair + 1 as one 64-bit number. */
ir_value tgsi_lift_source_pair(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned pair, unsigned type);
/* A source's value with its modifiers. */
ir_value tgsi_lift_modify(struct tgsi_lifter *l, const struct tgsi_operand *o, ir_value v);
/* Write 32-bit values (0: none) to the components of a destination that its mask names. `type` decides what
 * saturation and writing to ADDR mean. */
void tgsi_lift_result(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_operand *dst,
                      unsigned type, const ir_value value[4]);
/* Range of registers that an indirect operand may reach: its array's, or the whole file's. */
void tgsi_lift_reach(const struct tgsi_lifter *l, unsigned file, uint32_t array, uint32_t *first, uint32_t *last);
/* Value of an indirect index: address register plus offset. */
ir_value tgsi_lift_index(struct tgsi_lifter *l, const struct tgsi_index *index);
/* A float rounded as `round` says (enum ir_round) to an integer; what no i32 holds gives 0x80000000, as on x86. */
ir_value tgsi_lift_to_integer(struct tgsi_lifter *l, ir_value v, unsigned round);
/* A constant of any number type, from a double. */
ir_value tgsi_lift_number(struct tgsi_lifter *l, enum ir_type type, double value);

/* ---- lift_io.c: declarations, stage inputs and outputs, system values, properties ---- */
void tgsi_lift_declarations(struct tgsi_lifter *l);
/* The declaration that an index is about: the first that has the register or, where it is indirect, the array, if one
 * is named; NULL: none. */
const struct tgsi_decl *tgsi_lift_declaration(const struct tgsi_lifter *l, unsigned file,
                                              const struct tgsi_index *index);
void tgsi_lift_inputs(struct tgsi_lifter *l);
void tgsi_lift_outputs(struct tgsi_lifter *l);
/* A component of a register is read or written: a warning where its declaration leaves the component out. */
void tgsi_lift_note_usage(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component);
/* OUTPUT of every output register. */
void tgsi_lift_write_outputs(struct tgsi_lifter *l);
ir_value tgsi_lift_system_value(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                                  enum ir_type type);

/* ---- lift_stage.c: registers of geometry and tessellation programs that are in memory ---- */
bool tgsi_lift_in_memory(const struct tgsi_lifter *l, const struct tgsi_operand *o);
ir_value tgsi_lift_memory_get(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                              enum ir_type type);
void tgsi_lift_memory_set(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component, ir_value v);

/* ---- lift_map.c ---- */
/* Lift one instruction, which becomes the one at work. */
void tgsi_lift_insn(struct tgsi_lifter *l, const struct tgsi_insn *insn);
/* What rows with an element function do: the same for every element of their operands. */
tgsi_lift_fn tgsi_lift_map;
/* Store one value in every component of the destination. */
void tgsi_lift_store_all(struct tgsi_lifter *l, const struct tgsi_insn *insn, ir_value value);

/* ---- lift_structure.c, lift_flow.c ---- */
/* Find the structure; false after an error. */
bool tgsi_lift_flow_prepare(struct tgsi_lifter *l);
/* Lift the main program and the subroutines that it calls; the last block, where all lanes meet, is left open. */
void tgsi_lift_flow_run(struct tgsi_lifter *l);

/* ---- lift_image.c: the same opcodes as lift_memory.c has for buffers, where their resource is an image ---- */
/* Whether an operand of LOAD, STORE, RESQ or an atomic is an image: IMAGE[n], RES[n] declared with a texture target,
 * or a register that holds a handle. */
bool tgsi_lift_is_image(const struct tgsi_lifter *l, const struct tgsi_operand *o);
void tgsi_lift_image_load(struct tgsi_lifter *l, const struct tgsi_insn *insn);
void tgsi_lift_image_store(struct tgsi_lifter *l, const struct tgsi_insn *insn);
void tgsi_lift_image_atomic(struct tgsi_lifter *l, const struct tgsi_insn *insn, enum ir_atomic atomic);
void tgsi_lift_image_size(struct tgsi_lifter *l, const struct tgsi_insn *insn);

/* ---- the lift functions that rows name ---- */
#define ROW(name, number, signature, access, shape, stages, provenance, args, lift, ...) tgsi_lift_fn tgsi_lift_##lift;
#define MAP(name, number, signature, access, shape, stages, provenance, args, lift, ...)                               \
    tgsi_element_fn tgsi_element_##lift;
#include "isa/tgsi/rows.inc"
#undef MAP
#undef ROW

#endif
