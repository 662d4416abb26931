/* vpu.h - a VideoCore IV VPU program as data: sections of instructions and data at known addresses.
 *
 * Names follow the VideoCore IV Programmers Manual. An instruction is decoded into the same members whatever its
 * encoding: `add r0,r1` in 16 bits and `add.eq r0,r0,r1` in 32 differ in `form` and `cond` only, so that a lift looks
 * at the operation and the operands. All arrays are in the module's arena. */
#ifndef WEFT_ISA_VPU_VPU_H
#define WEFT_ISA_VPU_VPU_H

#include "isa/isa.h"

/* ---- registers and conditions (chapters "Scalar Register Configuration", "Condition Codes") ---- */

enum vpu_register { VPU_R0 = 0, VPU_GP = 24, VPU_SP, VPU_LR, VPU_R27, VPU_R28, VPU_TP, VPU_SR, VPU_PC, VPU_REGISTERS };

enum vpu_cond {
    VPU_EQ, VPU_NE, VPU_CS, VPU_CC, VPU_MI, VPU_PL, VPU_VS, VPU_VC, VPU_HI, VPU_LS, VPU_GE, VPU_LT, VPU_GT, VPU_LE,
    VPU_ALWAYS, VPU_NEVER, VPU_CONDS
};

/* ---- operations: the rows of vpu_ops ---- */

/* Numbers within a group are those of the manual's tables, so that VPU_ALU + op is the row of a 6-bit operation. */
enum vpu_op {
    VPU_ALU = 0,         /* 57 operations; 57-63 are undefined, and 57 here is VPU_REVERSED */
    VPU_FLOAT = 64,      /* 16 */
    VPU_CONVERT = 80,    /* ftrunc, floor, flts, fltu */
    VPU_MEMORY = 84,     /* ld, st, ldh, sth, ldb, stb, ldsh, ldsb: twice the width, plus 1 to store */
    VPU_LDM = 92, VPU_STM, /* with pc or lr: `link` */
    VPU_B, VPU_BL,       /* to a register (VPU_TO_REGISTER) or to `target` */
    VPU_J, VPU_JL,       /* to an absolute `target` */
    VPU_SWITCH_B, VPU_SWITCH, /* tbb, tbh: index in d, the table follows */
    VPU_ADDCMPB,         /* d += a or `step`; branch to `target` if d cond b or imm */
    VPU_LEA,             /* d = target */
    VPU_MOV_TO_P,        /* p[d] = r[a] */
    VPU_MOV_FROM_P,      /* r[d] = p[a] */
    VPU_SWI,             /* number in register d (VPU_TO_REGISTER) or imm */
    VPU_VERSION,
    VPU_BKPT, VPU_NOP, VPU_SLEEP, VPU_USER, VPU_EI, VPU_DI, VPU_CBCLR, VPU_CBADD1, VPU_CBADD2, VPU_CBADD3, VPU_RTI,
    VPU_VMEM = 120,      /* 32 vector memory operations */
    VPU_VDATA = 152,     /* 64 vector data operations; from 48 on those of X = 0 */
    VPU_VDATA_X1 = 216,  /* vector data operations 48 to 63 of X = 1 */
    VPU_DATA = 232,      /* not an instruction: bytes (see struct vpu_insn) */
    VPU_FILL,            /* not an instruction: `imm` repeated, or nothing in .bss */
    VPU_OPS
};

/* Vector data operations below the first number are there for both values of X; the others have a row for each, those
 * of X = 1 so many rows on. */
enum { VPU_X_SHARED = 48, VPU_X_APART = 16 };

/* Single rows that other rows and forms name. */
enum {
    VPU_MOV = VPU_ALU + 0, VPU_ADD = VPU_ALU + 2, VPU_SUB = VPU_ALU + 6, VPU_CMP = VPU_ALU + 10,
    VPU_BREV = VPU_ALU + 29, VPU_REVERSED = VPU_ALU + 57 /* brev of 16 bits */, VPU_FCMP = VPU_FLOAT + 4,
    VPU_VREADACC = VPU_VMEM + 24
};

/* How the operands of an operation are written. */
enum vpu_class {
    VPU_BINARY,    /* d = a op b; "op rd, rb" means a = d */
    VPU_UNARY,     /* d = op b; a is ignored */
    VPU_COMPARE,   /* flags = a op b; d is ignored */
    VPU_REVERSE,   /* brev: d = a op b; "op rd, i" means a = d, "op rd, rb" is VPU_REVERSED */
    VPU_OTHER
};

/* What an operation does with its operands, and with what the text does not show. */
enum vpu_uses {
    VPU_D_READ = 1 << 0, VPU_D_WRITE = 1 << 1, VPU_A_READ = 1 << 2, VPU_B_READ = 1 << 3,
    VPU_D_CONTROL = 1 << 4, VPU_A_CONTROL = 1 << 5, /* d, a: a processor control register */
    VPU_FLAGS_WRITE = 1 << 6,
    VPU_COMPARES = 1 << 7,       /* its condition is of its own operands, not of the flags */
    VPU_LINKS = 1 << 8,          /* writes lr */
    VPU_USES_SP = 1 << 9,        /* reads and writes sp */
    VPU_USES_SR = 1 << 10,       /* reads and writes sr */
    VPU_TABLE = 1 << 11,         /* branches by the table that follows */
    VPU_STOPS = 1 << 12,         /* the next instruction does not run after it */
    VPU_BY_MACHINE = 1 << 13,    /* the machine executes it: nothing of it is in the lane IR */
    VPU_ABSOLUTE_TARGET = 1 << 27, /* its target does not count from the instruction */
    VPU_BRANCHES_ON = 1 << 28,   /* its condition is part of the mnemonic: bne */
    VPU_VECTOR = 1 << 29,
    VPU_SLEEPS = 1 << 25,        /* most often the end of a program */
    VPU_DIVIDES = 1 << 26,       /* exception 2 when b is 0 */
    /* Vector instructions: */
    VPU_ACC_READ = 1 << 14,
    VPU_LUT_READ = 1 << 15, VPU_LUT_WRITE = 1 << 16,
    VPU_SETS_LANE_FLAGS = 1 << 17, /* with SETF: Z and N */
    VPU_CARRY_SET = 1 << 18,     /* with SETF: C too */
    VPU_CARRY_READ = 1 << 19,
    VPU_FINISHES = 1 << 20,      /* accumulates, or updates a scalar register */
    VPU_ZEROS_16 = 1 << 21, VPU_ZEROS_32 = 1 << 22, /* writes zeros when X is 0, 1 */
    VPU_WIDTH_NAMED = 1 << 23,   /* as wide as the widest register that it names, not as X says */
    VPU_IDLE_32 = 1 << 24,       /* does nothing when its width is 2 */

    VPU_CARRY = VPU_CARRY_SET | VPU_CARRY_READ,
    VPU_ZEROS = VPU_ZEROS_16 | VPU_ZEROS_32,
    VPU_USES_BINARY = VPU_D_WRITE | VPU_A_READ | VPU_B_READ,
    VPU_USES_UNARY = VPU_D_WRITE | VPU_B_READ,
    VPU_USES_COMPARE = VPU_A_READ | VPU_B_READ | VPU_FLAGS_WRITE,
    VPU_USES_REVERSE = VPU_USES_BINARY,
    VPU_USES_load = VPU_D_WRITE, VPU_USES_store = VPU_D_READ,
    VPU_USES_TO_P = VPU_D_CONTROL | VPU_D_WRITE | VPU_A_READ,
    VPU_USES_FROM_P = VPU_A_CONTROL | VPU_D_WRITE | VPU_A_READ,
    VPU_USES_vload = VPU_D_WRITE | VPU_B_READ, VPU_USES_vstore = VPU_A_READ | VPU_B_READ,
    VPU_USES_READ_TABLE = VPU_D_WRITE | VPU_B_READ | VPU_LUT_READ | VPU_FINISHES,
    VPU_USES_WRITE_TABLE = VPU_USES_BINARY | VPU_LUT_WRITE | VPU_FINISHES,
    VPU_USES_GETACC = VPU_D_WRITE | VPU_B_READ | VPU_ACC_READ | VPU_FINISHES | VPU_IDLE_32,
    VPU_USES_ZERO = VPU_D_WRITE | VPU_ZEROS
};

/* What an operation tells who looks for code among bytes (trace.c). */
enum vpu_hint {
    VPU_HINT_NONE,
    VPU_HINT_BOUND,   /* cmp: a branch after it may bound the index of a table */
    VPU_HINT_ADDRESS, /* mov, add, lea: a long number is most often an address */
    VPU_HINT_PADDING  /* bkpt, user: zeros, or the end of a string whose letters are instructions */
};

struct vpu_lifter;
struct vpu_insn;
struct vpu_vdata;

/* Lift one instruction; its operation is insn->op. Rows share functions and tell them apart by `ir` and `attr`. */
typedef void vpu_lift_fn(struct vpu_lifter *l, const struct vpu_insn *insn);
/* The result of a vector data operation in one repetition (lift_vdata.c). */
typedef ir_value vpu_vdata_fn(struct vpu_lifter *l, struct vpu_vdata *v);
/* One repetition of a vector operation (lift_vmem.c, lift_vdata.c). */
struct vpu_turn;
typedef void vpu_turn_fn(struct vpu_lifter *l, const struct vpu_turn *t);

struct vpu_op_row {
    const char *name;        /* canonical spelling, the GNU port's where it has one */
    const char *manual;      /* the manual's spelling where it is another; NULL */
    const char *before;      /* a word that the text has before the last operand; NULL */
    uint8_t class;           /* enum vpu_class */
    uint8_t shift;           /* addscale, subscale: what b is shifted by */
    uint8_t sum;             /* addscale, subscale: the operation that is written where b is a number */
    uint8_t instead;         /* 0, or the operation that its text means with other operands: add rd,pc,i is lea, brev
                              * rd,rs another brev; addcmpb that adds 0 is written as b */
    uint8_t only_x;          /* vector data: 1 + X, which its name says; 0: it is there for both */
    uint8_t bytes;           /* scalar loads and stores: what is moved */
    uint8_t flow;            /* weft_flow */
    uint8_t hint;            /* enum vpu_hint */
    uint8_t provenance;      /* enum isa_provenance */
    uint8_t d_type, a_type, b_type; /* weft_operand_type */
    uint16_t effects;        /* set of WEFT_EFFECT_ */
    uint32_t uses;           /* set of enum vpu_uses */
    vpu_lift_fn *lift;       /* NULL: not executed yet (an error that names it) */
    vpu_turn_fn *turn;       /* for vpu_lift_vector */
    vpu_vdata_fn *meaning;   /* for vpu_turn_data */
    uint16_t ir, attr;       /* for lift functions that several rows share */
    const char *const *spelled; /* vector memory: names by width, where no prefix says it; NULL */
    const char *why_not;     /* what to say where no form holds the operands; NULL */
    const char *group, *doc;
};

extern const struct isa_difference vpu_differences[];
extern const struct vpu_op_row vpu_ops[VPU_OPS]; /* rows without a name do not exist */

/* ---- operands ---- */

enum vpu_flags {
    VPU_IMMEDIATE = 1,   /* the last source is imm, not r[b] */
    VPU_STEP = 2,        /* addcmpb: what is added is `step`, not r[a] */
    VPU_TO_REGISTER = 4, /* b, bl, swi: register d names the target or number */
    VPU_LINK = 8,        /* ldm, stm: pc or lr too */
    VPU_LINK_ONLY = 16,  /* ldm, stm: pc or lr alone, no register of the list (semantics: "ldm / stm") */
    VPU_CASE = 32,       /* VPU_DATA: an entry of a switch table; imm is the address that it counts from */
    VPU_SHORT = 64       /* a scalar16 instruction made from bytes */
};

/* Where a scalar load or store reaches. */
enum vpu_address {
    VPU_OFFSET,   /* r[a] + imm; a is VPU_PC for addresses relative to the instruction */
    VPU_INDEX,    /* r[a] + r[b] * width */
    VPU_PREDEC,   /* --r[a], by the width */
    VPU_POSTINC   /* r[a]++ */
};

/* Element width of a vector register or operation. */
enum vpu_width { VPU_8, VPU_16, VPU_32, VPU_WIDTH3 /* reserved; readacc: signed 16 */ };

enum vpu_operand_kind {
    VPU_VREG,    /* vector register */
    VPU_DASH,    /* "-": result discarded, source ignored */
    VPU_SCALAR,  /* B: r[reg] + disp in every lane; of memory operations an address */
    VPU_VIMM     /* B: immediate in every lane */
};

enum { VPU_NO_FORM = 255 }; /* `form` of what is not an instruction, or not encoded yet */
enum { VPU_NO_REG = 15 }; /* `reg` of an operand without +rN: r15 cannot be added */

struct vpu_operand {
    uint8_t kind : 2;     /* enum vpu_operand_kind */
    uint8_t width : 2;    /* VPU_VREG: VPU_8 (H, V), VPU_16 (HX, VX), VPU_32 (HY, VY) */
    bool vertical : 1;    /* V, VX, VY; of a dash: its bit 6, which means nothing */
    bool inc : 1;         /* ++ */
    bool column : 1;      /* *: column base of sr is added */
    uint8_t y, x;         /* 0-63, as written: HX(y,32) has x = 32. Of a dash: y its six low bits, x the four of Ra_x */
    uint8_t reg;          /* +rN, or VPU_NO_REG; VPU_SCALAR: the register (0-31); 32-63 are no
                           * register, which counts as 0 */
};

/* P:3 */
enum vpu_lanes { VPU_ALL, VPU_NONE, VPU_IFZ, VPU_IFNZ, VPU_IFN, VPU_IFNN, VPU_IFC, VPU_IFNC };

/* r:3: 2^n repetitions, or as many as r0 says. */
enum { VPU_REP_R0 = 7 };

/* f_i:7: accumulation, or (bit 6) scalar register update: function in bits 5:3, register in 2:0. */
enum vpu_accumulate {
    VPU_ACC_SUB = 1, VPU_ACC_WBA = 2, VPU_ACC_CLRA = 4, VPU_ACC_SIGN = 8, VPU_ACC_HIGH = 16, VPU_ACC_ENA = 32,
    VPU_SRU = 64
};
enum vpu_sru { VPU_SUMU, VPU_SUMS, VPU_MAX2, VPU_IMIN, VPU_MAX4, VPU_IMAX, VPU_MAX6, VPU_MAX };

/* Long programs have millions of these: what scalar instructions, vector instructions and data alone have shares its
 * place. */
struct vpu_insn {
    uint32_t address;     /* of its first byte */
    uint32_t size;        /* bytes: 2, 4, 6, 10; VPU_DATA and VPU_FILL: any */
    uint8_t form;         /* row of vpu_forms (forms.h): the encoding */
    uint8_t op;           /* row of vpu_ops */
    uint8_t cond;         /* enum vpu_cond; VPU_ALWAYS where there is none */
    uint8_t d, a, b;      /* scalar registers; ldm, stm: a the first, b the last of the list */
    uint8_t flags;        /* enum vpu_flags */
    uint8_t mode;         /* enum vpu_address */
    struct span where;    /* in the source; length 0: made from bytes, or in an included file */
    int32_t imm;          /* immediate, sign-extended; offset; float operations: the binary32; VPU_FILL: byte */
    union {
        uint32_t target;  /* b, bl, j, jl, addcmpb, lea: the address that is meant */
        struct {          /* vector instructions */
            uint8_t x;    /* data operations: VPU_16 (X = 0) or VPU_32; memory operations: the width field */
            bool setf;
            uint8_t lanes; /* enum vpu_lanes */
            uint8_t rep;  /* r:3 */
        };
    };
    union {
        struct {          /* scalar instructions */
            int8_t step;  /* addcmpb: the immediate that is added */
            uint8_t raw;  /* float operations: the 6-bit immediate as encoded */
            uint16_t halfword; /* VPU_SHORT: the instruction, for printing */
        };
        struct {          /* vector instructions */
            uint8_t acc;  /* f_i:7, enum vpu_accumulate */
            uint8_t rs;   /* 48 bits: the scalar register that all operands share */
            uint8_t step_reg; /* +=rN of an address: added to it at each repetition; VPU_NO_REG */
            struct vpu_operand vd, va, vb; /* vb: VPU_VIMM uses imm, VPU_SCALAR adds imm */
        };
        const uint8_t *bytes; /* VPU_DATA: `size` of them */
    };
};

/* What is not an instruction: bytes, and one byte repeated. */
static inline struct vpu_insn vpu_data(uint32_t address, const uint8_t *bytes, uint32_t size)
{
    return (struct vpu_insn){
        .address = address, .size = size, .op = VPU_DATA, .form = VPU_NO_FORM, .cond = VPU_ALWAYS, .bytes = bytes};
}
static inline struct vpu_insn vpu_fill(uint32_t address, uint8_t byte, uint32_t size)
{
    return (struct vpu_insn){
        .address = address, .size = size, .op = VPU_FILL, .form = VPU_NO_FORM, .cond = VPU_ALWAYS, .imm = byte};
}

/* Bytes that are not an instruction; an instruction, and not VPU_FILL either. */
static inline bool vpu_is_data(const struct vpu_insn *i)
{
    return i->op == VPU_DATA;
}
static inline bool vpu_is_insn(const struct vpu_insn *i)
{
    return i->op < VPU_DATA;
}
static inline bool vpu_is_vector(const struct vpu_insn *i)
{
    return (vpu_ops[i->op].uses & VPU_VECTOR) != 0;
}

/* A vector operation that writes zeros, whatever its operands are; one that does nothing. */
static inline bool vpu_writes_zeros(const struct vpu_insn *i)
{
    return (vpu_ops[i->op].uses & (i->x == VPU_32 ? VPU_ZEROS_32 : VPU_ZEROS_16)) != 0;
}
static inline bool vpu_is_idle(const struct vpu_insn *i)
{
    return vpu_ops[i->op].uses & VPU_IDLE_32 && i->x == VPU_32;
}

/* ---- processor control registers ---- */

enum vpu_control_kind {
    VPU_CONTROL_PLAIN,
    VPU_CONTROL_KEPT,  /* keeps what is written to it, and has no effect */
    VPU_CONTROL_ZERO,  /* reads as 0: accesses are finished at once */
    VPU_CONTROL_MUTEX  /* one bit: a read takes it */
};
struct vpu_control {
    const char *name;  /* the manual's; NULL: it has none */
    uint8_t kind;      /* enum vpu_control_kind */
};
extern const struct vpu_control vpu_controls[32];

/* ---- modules ---- */

struct vpu_symbol {
    const char *name;
    uint32_t address;     /* or the value of an absolute symbol */
    uint32_t size;
    uint32_t section;     /* index, or VPU_ABSOLUTE */
    bool global, function;
    bool made;            /* made by the disassembler, not named by the program */
};
enum { VPU_ABSOLUTE = UINT32_MAX };

struct vpu_section {
    const char *name;     /* ".text" */
    uint32_t address, size;
    uint32_t align;       /* a power of two */
    bool code, writable, nobits; /* nobits: takes no bytes in the file (.bss) */
    uint32_t first, count; /* its instructions and data, in the order of their addresses */
};

struct isa_module {
    struct vpu_section *sections; /* in the order of their addresses */
    uint32_t nsections;
    struct vpu_insn *insns;
    uint32_t ninsns;
    struct vpu_symbol *symbols;   /* in the order of their addresses */
    uint32_t nsymbols;
    uint32_t entry;       /* address where it starts */
    bool elf;             /* read from ELF: encoded as ELF unless asked otherwise */
    uint32_t unknown;     /* words that decode did not know */
    const char *name;     /* of the file, for messages; NULL: nobody said */
    const struct isa_linkage *linkage; /* of a job; NULL: the default */
};

/* The instruction at an address, or NULL when none begins there. */
const struct vpu_insn *vpu_insn_at(const struct isa_module *m, uint32_t address);
enum { VPU_MOST_BYTES = 256 << 20 }; /* of a program */

/* The bytes of a section that has some (not nobits): section->size of them. */
void vpu_section_bytes(const struct isa_module *m, const struct vpu_section *section, uint8_t *out);

/* Symbols in the order of their addresses, and of their names. */
int vpu_by_address(const void *symbol, const void *other);
/* Of `count` symbols in that order, the number of the first at `address` or after it, and one that is a label there;
 * NULL: none. */
size_t vpu_symbol_from(const struct vpu_symbol *symbols, size_t count, uint32_t address);
const struct vpu_symbol *vpu_label_at(const struct vpu_symbol *symbols, size_t count, uint32_t address);

/* The value of a symbol; false when there is none of that name. */
bool vpu_symbol_value(const struct isa_module *m, const char *name, uint32_t *value);

/* Decode the instruction at bytes[0], which is at `address`. What is not an instruction becomes VPU_DATA of its
 * length. */
void vpu_decode_insn(const uint8_t *bytes, size_t size, uint32_t address, struct vpu_insn *out);

/* ---- parts of the instruction set: one file each ---- */
weft_status vpu_parse(const struct source *, const struct isa_params *, struct arena *, struct isa_module **,
                      weft_diags *);
weft_status vpu_print(const struct isa_module *, struct arena *, char **text, size_t *size, struct isa_places *);
weft_status vpu_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *, struct arena *,
                       struct isa_module **, weft_diags *);
weft_status vpu_encode(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status vpu_encode_elf(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status vpu_check(const struct isa_module *, const struct source *, const struct isa_params *, weft_diags *);
weft_status vpu_lift(const struct isa_module *, const struct source *, struct arena *, struct ir_program **,
                     weft_diags *);

extern const struct isa isa_vpu;

#endif
