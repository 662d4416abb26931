/* lift.h - inside the lift: what a program becomes on the way, and what its parts give each other.
 *
 * A warp has 32 lanes; where no program can tell, two are run as one of 64. Registers are files of the IR: $r of 32
 * bits, $a of 32 bits that hold 16, and $c as sixteen elements of one bit: flags that are not read cost nothing.
 * Where the program meets the device is said by its linkage. */
#ifndef WEFT_ISA_TESLA_LIFT_H
#define WEFT_ISA_TESLA_LIFT_H

#include "isa/lift.h"
#include "isa/tesla/alu.h"
#include "isa/tesla/linkage.h"
#include "isa/tesla/flow.h"
#include "isa/tesla/tesla.h"

enum { TESLA_LANES = 32 };

enum tesla_flag { TESLA_FLAG_Z, TESLA_FLAG_S, TESLA_FLAG_C, TESLA_FLAG_O };

/* Address spaces of the IR. p[] and a[] of geometry programs are the primitive's memory. */
enum { TESLA_SPACE_C = 0 /* c0 to c15 */, TESLA_SPACE_G = 16 /* g0 to g15 */, TESLA_SPACE_S = 32, TESLA_SPACE_L,
       TESLA_SPACE_P, TESLA_SPACE_LOCKS, TESLA_IR_SPACES };

struct tesla_lifter {
    LIFT_BASE;
    struct tesla_linkage link;
    uint64_t how;              /* enum tesla_how that the chip and the control bits make of every operation */
    bool derivative_infinite;  /* control bit 0: derivatives outside fragment programs */

    uint32_t file_r, file_a, file_c;
    uint32_t file_warp_a;      /* $a7; LIFT_NONE: not made yet */
    uint32_t space[TESLA_IR_SPACES]; /* LIFT_NONE: not made yet */
    struct tesla_reach reach;  /* from the entry on */
    uint32_t *input, *output;  /* by place of the linkage: slots */
    uint32_t *flat;            /* ... where `interp flat` reads an input */
    bool locks;                /* some instruction locks words of s[] */
    uint32_t file_lock;        /* what a warp has locked: the address and 1, 0: nothing */
    bool diverges;             /* the policy is needed */

    const struct tesla_insn *insn; /* at work */
    ir_value pred;             /* threads that the instruction acts on; 0: all active ones */
};

/* ---- operands (lift_operand.c) ---- */

/* A source as its instruction looks at it, abs, neg and inv done: f32 as IR_F32, f64 as IR_F64, 64-bit registers as
 * IR_I64, everything else as IR_I32; narrower integers are extended by the type's sign. */
ir_value tesla_source(struct tesla_lifter *l, const struct tesla_operand *o);
/* The same without abs and neg, as IR_I32 or IR_I64. */
ir_value tesla_source_bits(struct tesla_lifter *l, const struct tesla_operand *o);
/* To the destination, which takes as many of the low bits of v (any type) as it has. */
void tesla_write(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v);
ir_value tesla_get_r(struct tesla_lifter *l, uint32_t number);
void tesla_set_r(struct tesla_lifter *l, uint32_t number, ir_value v);
/* $a0 to $a7 as IR_I32 of 16 bits. */
ir_value tesla_get_a(struct tesla_lifter *l, uint32_t number);
void tesla_set_a(struct tesla_lifter *l, uint32_t number, ir_value v);

/* ---- flags and predicates (lift_operand.c) ---- */

ir_value tesla_flag(struct tesla_lifter *l, uint8_t c, enum tesla_flag flag);
void tesla_set_flags(struct tesla_lifter *l, uint8_t c, ir_value z, ir_value s, ir_value carry, ir_value overflow);
/* Z and S of an integer (IR_I32) whose sign is bit `bits` - 1; carry and overflow are 0 where they are 0 here. */
void tesla_integer_flags(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v, unsigned bits,
                         ir_value carry, ir_value overflow);
/* Of a float result: less, equal, greater than 0, or NaN. */
void tesla_float_flags(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value v);
/* Whether the condition of that code holds on $c; 0: always. */
ir_value tesla_condition_of(struct tesla_lifter *l, uint8_t code, uint8_t c);

/* ---- memory as an operand (lift_operand.c) ---- */

uint32_t tesla_space(struct tesla_lifter *l, unsigned number);
/* Byte address (i32) of a memory operand without its constant offset, and that offset; post-increments are done by
 * tesla_increment, after the access. */
ir_value tesla_address(struct tesla_lifter *l, const struct tesla_operand *o, int64_t *offset);
void tesla_increment(struct tesla_lifter *l, const struct tesla_operand *o);
/* `count` elements of `bits` bits (at most 64) there; misaligned addresses are rounded down. */
struct ir_mem tesla_memory(struct tesla_lifter *l, const struct tesla_operand *o, unsigned bits, unsigned count,
                           int64_t offset);
/* The elements there, one after the other. */
ir_value tesla_load_elements(struct tesla_lifter *l, struct ir_mem mem, ir_value address);
/* Read `access` there: IR_I32 extended by its sign, IR_I64 for 64 bits. */
ir_value tesla_load(struct tesla_lifter *l, const struct tesla_operand *o);

/* ---- memory (lift_memory.c) ---- */

/* Header and parameters of s[] when a block begins. */
void tesla_fill_shared(struct tesla_lifter *l);

/* ---- locks of s[] (lift_lock.c) ---- */

/* Before an instruction that looks at s[]: while another warp has the word locked, it waits, and others run. True when
 * the wait has counted the instruction. */
bool tesla_wait_for_lock(struct tesla_lifter *l, const struct tesla_decoded *d);

/* ---- atomics (lift_atomic.c) ---- */

/* An atomic of a size or an operation that the text has no words for; d: of the row whose operands it has. */
void tesla_lift_unlisted_atomic(struct tesla_lifter *l, struct tesla_decoded *d);

/* ---- inputs and outputs (lift_io.c) ---- */

void tesla_declare_io(struct tesla_lifter *l);
ir_value tesla_input(struct tesla_lifter *l, const struct tesla_operand *o);
void tesla_output(struct tesla_lifter *l, const struct tesla_operand *o, ir_value v);
/* Registers of results to the outputs of a fragment program. */
void tesla_write_results(struct tesla_lifter *l);

/* ---- blocks (lift.c) ---- */

/* Whether control may get to an instruction: others are not looked at. */
bool tesla_is_lifted(const struct tesla_lifter *l, uint32_t insn);
/* Where control goes on after the instruction at work: its kernel may end there. */
uint32_t tesla_next_block(struct tesla_lifter *l);
/* Go on in a new block of the instruction at work. */
void tesla_begin(struct tesla_lifter *l, uint32_t block);

/* ---- control flow (lift_flow.c) ---- */

/* exit: threads that pass the predicate are done. */
void tesla_leave(struct tesla_lifter *l, ir_value pred);

/* Lanes of a warp: of one, or of two together. When everything is lifted (lift_lanes.c). */
uint16_t tesla_lanes(const struct tesla_lifter *l);

struct exec_policy;
extern const struct exec_policy tesla_policy;

/* ---- lifts by meaning ---- */

#define MEANING(name, lift, ...) tesla_lift_fn tesla_lift_##lift;
#include "isa/tesla/meanings.inc"
#undef MEANING

#endif
