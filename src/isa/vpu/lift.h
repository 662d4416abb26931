/* lift.h - VPU code to lane IR: of a whole module, or block by block while it runs.
 *
 * The scalar registers are a uniform file, the vector unit's rows, flags and accumulators lane files of 16 lanes.
 *
 * Flags. `cmp` keeps its two operands and nothing else; each condition is one comparison of these (VPU_KEY_EXPLICIT is
 * not set). What leaves flags that no comparison could leave, `cmn` and writes of sr, keeps them as the low bits of
 * sr, and the code after it is another translation of the same addresses, in which conditions look at these bits. So
 * which of the two is valid is never asked at run time: it is part of where the program is, its key. */
#ifndef WEFT_ISA_VPU_LIFT_H
#define WEFT_ISA_VPU_LIFT_H

#include "ir/build.h"
#include "isa/vpu/vpu.h"

enum vpu_file {
    VPU_FILE_R,   /* uniform: r0-r31 and what follows */
    VPU_FILE_P,   /* uniform: p0-p31 */
    VPU_FILE_VRF, /* 64 rows of a word per lane: element e of bytes is byte e / 16 of lane e % 16 */
    VPU_FILE_Z, VPU_FILE_N, VPU_FILE_C, /* flags of the lanes */
    VPU_FILE_ACC, /* 48 bits, sign-extended */
    VPU_FILE_LUT, /* 64 bytes of each lane */
    VPU_FILES
};

/* Elements of VPU_FILE_R after the registers. r30 holds sr without its flags, r31 where to start. */
enum { VPU_FLAG_A = 32, VPU_FLAG_B, VPU_FLAG_BITS, VPU_NEW_SR, VPU_REPEAT, VPU_REPEATS, VPU_HELD, VPU_R_ELEMENTS };

/* The name of a file in lane IR. */
const char *vpu_file_name(enum vpu_file file);

/* The register that an element of VPU_FILE_R belongs to: sr of those that keep its flags; -1: none. */
int vpu_register_of(unsigned element);

enum { VPU_V = 1, VPU_C = 2, VPU_N = 4, VPU_Z = 8, VPU_FLAGS = 15 }; /* of sr */
enum vpu_sr_bits { VPU_SR_COLUMN = 3 << 4, VPU_SR_SUPERVISOR = 1 << 29, VPU_SR_INTERRUPTS = 1 << 30 };
#define VPU_SR_USER ((uint32_t)1 << 31)

/* Exceptions: chapter "Interrupts" of the manual. */
enum vpu_exception {
    VPU_EXCEPTION_MISALIGNED = 1, VPU_EXCEPTION_DIVISION = 2, VPU_EXCEPTION_UNDEFINED = 3, VPU_EXCEPTION_FORBIDDEN = 4,
    VPU_EXCEPTION_MEMORY = 5, VPU_EXCEPTION_BREAKPOINT = 13, VPU_EXCEPTION_SWI = 32, VPU_EXCEPTION_EXTERNAL = 64
};

/* The guest address of a block: where it is and what is known there. */
#define VPU_KEY_EXPLICIT ((uint64_t)1 << 32) /* the flags are in VPU_FLAG_BITS */
#define VPU_KEY_STEP ((uint64_t)1 << 33)     /* one instruction to a block */
#define VPU_KEY_NORMAL ((uint64_t)1 << 34)   /* not supervisor: r28 is another name of sp */
#define VPU_KEY_USER ((uint64_t)1 << 35)     /* user: r28 is another name of r27 */
#define VPU_KEY_MODES (VPU_KEY_EXPLICIT | VPU_KEY_STEP | VPU_KEY_NORMAL | VPU_KEY_USER)
#define VPU_KEY_SYSTEM ((uint64_t)1 << 40)   /* no block: the machine executes the instruction there */
#define VPU_KEY_INNER ((uint64_t)1 << 62)    /* a block inside an instruction, or one that only leads to another */

/* Where code comes from: bytes at an address, as many as there are up to `size`. */
struct vpu_code {
    size_t (*fetch)(void *context, uint32_t address, uint8_t *bytes, size_t size);
    void *context;
};

/* What was lifted into a block. */
struct vpu_lifted {
    uint32_t block, first, end; /* addresses */
};

struct vpu_lifter {
    struct ir_builder b;
    struct vpu_code code;
    uint64_t mode;               /* VPU_KEY_*: of the block that is being lifted */
    bool ended;                  /* the block has its terminator */
    bool calls;                  /* the instruction wrote sr or pc: the machine is to finish it */
    struct vpu_job *job;         /* a whole module for a dispatch; NULL: code that appears as a machine runs */
    bool has_explicit;           /* some block has VPU_KEY_EXPLICIT */
    const struct vpu_insn *insn; /* being lifted */
    uint8_t held;                /* 1 + a register that it reads as VPU_HELD: what it was before; 0: none */

    struct vpu_lifted *lifted;   /* since the lifter was made, in the order of their blocks */
    uint32_t nlifted;
    size_t lifted_cap, insns_cap;
    uint64_t *todo;              /* keys of blocks without contents */
    uint32_t ntodo, pending;
    size_t todo_cap;
    struct vpu_key_slot *slot;   /* blocks by key */
    uint32_t nslots, nkeys;
    uint32_t inner;              /* blocks with VPU_KEY_INNER */

    ir_value carry, result;      /* vector data operations: see lift_vector.h */
};

/* Declare files and spaces in a fresh program and point the lifter at it. The entry jumps to the key in the words r31
 * (address) and VPU_NEW_SR (modes). */
void vpu_lifter_start(struct vpu_lifter *l, struct ir_program *p, struct vpu_code code);

/* Files and spaces alone, which keep what they hold from run to run or not. */
void vpu_lifter_open(struct vpu_lifter *l, struct ir_program *p, struct vpu_code code, bool preserved);

/* Lift the code at a key and what it leads to, as new blocks. The block of the key is the first. */
void vpu_lift_at(struct vpu_lifter *l, uint64_t key);

/* The block of a key: one that is there, one to be lifted, or, when there is enough to do for a machine, one that
 * jumps to the key. */
uint32_t vpu_block_of(struct vpu_lifter *l, uint64_t key);
/* Lift the blocks that are to be. */
void vpu_lift_todo(struct vpu_lifter *l);

/* ---- lift_job.c: what a machine does for its code, for a module that runs without one ---- */
void vpu_job_call(struct vpu_lifter *l, const struct vpu_insn *i);    /* ends the block or not */
void vpu_job_return_to(struct vpu_lifter *l, uint32_t address);       /* a call returns there */

/* Whether an instruction that wrote VPU_NEW_SR wrote sr: otherwise it wrote pc, and is undefined. */
bool vpu_writes_sr(const struct vpu_insn *i);

/* Forget a block: its code has changed. */
void vpu_forget(struct vpu_lifter *l, uint32_t block);

/* ---- for lifts ---- */

ir_value vpu_get(struct vpu_lifter *l, unsigned reg);              /* r31: the address of the instruction */
void vpu_set(struct vpu_lifter *l, unsigned reg, ir_value v);      /* writes of sr and pc end the block */
ir_value vpu_left(struct vpu_lifter *l, const struct vpu_insn *i);  /* a */
ir_value vpu_right(struct vpu_lifter *l, const struct vpu_insn *i); /* b, or the immediate */
/* d = v where the condition of the instruction holds. */
void vpu_result(struct vpu_lifter *l, const struct vpu_insn *i, ir_value v);

static inline ir_value vpu_const(struct vpu_lifter *l, uint32_t v)
{
    return ir_const_i32(&l->b, v);
}
static inline ir_value vpu_op1(struct vpu_lifter *l, enum ir_opcode code, ir_value a)
{
    return ir_op1(&l->b, code, 0, a);
}
static inline ir_value vpu_op2(struct vpu_lifter *l, enum ir_opcode code, ir_value a, ir_value b)
{
    return ir_op2(&l->b, code, 0, a, b);
}
static inline ir_value vpu_op2c(struct vpu_lifter *l, enum ir_opcode code, ir_value a, uint32_t b)
{
    return vpu_op2(l, code, a, vpu_const(l, b));
}

/* The instruction's condition as an i1; 0 for always. */
ir_value vpu_condition(struct vpu_lifter *l, unsigned cond);
/* cond, which is neither always nor never, holds between a and b, as after cmp a,b. */
ir_value vpu_compare(struct vpu_lifter *l, unsigned cond, ir_value a, ir_value b);
/* Set the flags to those of cmp a,b; or to four bits. Under the condition of the instruction. */
void vpu_set_flags(struct vpu_lifter *l, const struct vpu_insn *i, ir_value a, ir_value b);
void vpu_set_flag_bits(struct vpu_lifter *l, const struct vpu_insn *i, ir_value bits);
/* V, C, N and Z as bits 0 to 3. */
ir_value vpu_flag_bits(struct vpu_lifter *l);

/* Terminators. */
void vpu_goto(struct vpu_lifter *l, uint32_t address);
void vpu_branch(struct vpu_lifter *l, ir_value cond, uint32_t yes, uint32_t no);
void vpu_jump(struct vpu_lifter *l, ir_value address);
void vpu_system_call(struct vpu_lifter *l, const struct vpu_insn *i); /* the machine executes it */
/* Exception `number` when cond holds, and the instruction's own condition pred (0: always) too. */
void vpu_raise_when(struct vpu_lifter *l, ir_value cond, ir_value pred, unsigned number);

/* A block inside the instruction. */
uint32_t vpu_inner_block(struct vpu_lifter *l);

/* ---- lift functions of rows (enum ir_opcode in `ir`), by chapter ---- */

/* lift_alu.c */
vpu_lift_fn vpu_lift_move, vpu_lift_two, vpu_lift_one, vpu_lift_ror, vpu_lift_cmp,
    vpu_lift_cmn, vpu_lift_btest, vpu_lift_bmask, vpu_lift_bit, vpu_lift_scaled, vpu_lift_signext, vpu_lift_msb,
    vpu_lift_mulhd_mixed, vpu_lift_brev, vpu_lift_div, vpu_lift_div_mixed, vpu_lift_saturate, vpu_lift_shls,
    vpu_lift_clamp16;
/* lift_float.c */
vpu_lift_fn vpu_lift_float, vpu_lift_float_one, vpu_lift_frsub, vpu_lift_fnmul, vpu_lift_frcp, vpu_lift_frsqrt,
    vpu_lift_fcmp, vpu_lift_to_integer, vpu_lift_to_float;
/* lift_memory.c */
vpu_lift_fn vpu_lift_load, vpu_lift_store, vpu_lift_ldm, vpu_lift_stm, vpu_lift_lea;
/* lift_branch.c */
vpu_lift_fn vpu_lift_b, vpu_lift_bl, vpu_lift_switch, vpu_lift_addcmpb;
vpu_lift_fn vpu_lift_to_p, vpu_lift_from_p, vpu_lift_version, vpu_lift_nop, vpu_lift_column, vpu_lift_system;
/* lift_vector.c, lift_vdata.c, lift_vmem.c */
vpu_lift_fn vpu_lift_vector;
vpu_turn_fn vpu_turn_data, vpu_turn_load, vpu_turn_store, vpu_turn_read_table, vpu_turn_write_table, vpu_turn_read_acc,
    vpu_turn_zero;
vpu_vdata_fn vpu_vdata_move, vpu_vdata_bitplanes, vpu_vdata_pluck, vpu_vdata_interleave, vpu_vdata_bitrev,
    vpu_vdata_shift_right, vpu_vdata_shift_left, vpu_vdata_shift_left_saturated, vpu_vdata_shift_signed,
    vpu_vdata_logic, vpu_vdata_count_bits, vpu_vdata_highest_bit, vpu_vdata_least_or_most,
    vpu_vdata_distance, vpu_vdata_clip, vpu_vdata_sign, vpu_vdata_sign_product, vpu_vdata_test_magnitude,
    vpu_vdata_sum, vpu_vdata_multiply, vpu_vdata_multiply_halves;

/* `attr` of rows. */
enum vpu_variant {
    VPU_BY_LANE = 0, VPU_BY_ACC_HIGH, VPU_BY_ACC_LOW, /* vector memory: what counts the elements */
    VPU_SS = 0, VPU_SU, VPU_US, VPU_UU, VPU_SIGNS = 3, /* which factors have a sign */
    VPU_SATURATES = 4,
    VPU_CARRIES = 8,     /* with C */
    VPU_REVERSES = 16,   /* b - a */
    VPU_ARITHMETIC = 32, /* the sign enters to the right */
    VPU_INVERTS = 64     /* ~b */
};

/* `attr` of operations that the machine executes (VPU_BY_MACHINE): what it does. */
enum vpu_system {
    VPU_SYSTEM_NONE, /* its lift wrote sr or pc, or it is not an instruction */
    VPU_SYSTEM_INTERRUPT, VPU_SYSTEM_BREAKPOINT, VPU_SYSTEM_SLEEP, VPU_SYSTEM_USER, VPU_SYSTEM_ENABLE,
    VPU_SYSTEM_DISABLE, VPU_SYSTEM_RETURN
};

/* What a machine, or a job instead of it, does at an instruction. */
static inline enum vpu_system vpu_system_of(const struct vpu_insn *i)
{
    return vpu_ops[i->op].uses & VPU_BY_MACHINE ? (enum vpu_system)vpu_ops[i->op].attr : VPU_SYSTEM_NONE;
}

/* `ir` of vector multiplications: what of the product is the result. */
enum { VPU_MUL_LOW, VPU_MUL_MIDDLE, VPU_MUL_HIGH, VPU_MUL_NEAREST, VPU_MUL_TOWARDS_ZERO };

#endif
