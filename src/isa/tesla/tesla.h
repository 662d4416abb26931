/* tesla.h - a Tesla program (G80 to GT21x) as data: what the text and the machine words both say.
 *
 * An instruction is its word: short ones have 32 bits, long ones 64 (word 0 in the low half). A row of the table says
 * what its bits mean, so that decoding and assembling lose nothing; tesla_explain takes it apart into operands for
 * who wants to know what it does. Chapters named below are those of the source document. */
#ifndef WEFT_ISA_TESLA_TESLA_H
#define WEFT_ISA_TESLA_TESLA_H

#include "isa/isa.h"

/* ---- programs ---- */

/* Bytes of the code space C[]. Longer programs are read and written too, but do not pass the checker. */
enum { TESLA_CODE_SPACE = 1 << 24, TESLA_LONGEST = 1 << 30 };
enum { TESLA_CODE_STEP = 4 /* bytes: targets are multiples of it */ };

enum { TESLA_STAGES = 1 << IR_VERTEX | 1 << IR_GEOMETRY | 1 << IR_FRAGMENT | 1 << IR_COMPUTE };
/* What a program type is called in the document: bits, so that a row can name several. */
enum tesla_stage { TESLA_VP = 1, TESLA_GP = 2, TESLA_FP = 4, TESLA_CP = 8, TESLA_ANY = 15 };

/* What some chips lack ("Chip variants"). */
enum tesla_feature {
#define FEATURE(name, bit, chips) TESLA_##name = bit,
#include "isa/tesla/chips.inc"
#undef FEATURE
};

/* What bits mean depends on both. */
struct tesla_target {
    const char *chip;
    uint8_t features; /* enum tesla_feature */
    uint8_t stage;    /* enum tesla_stage; 0: not known, and what only some program types have does not exist */
};

/* What to do where the type of a program would have told more; NULL: it was given. */
static inline const char *tesla_stage_hint(const struct tesla_target *t)
{
    return t->stage ? NULL : "say which type of program it is (-s, weft_program_options.stage)";
}

struct tesla_row;

/* An instruction, or data where no instruction is meant or known. */
struct tesla_insn {
    uint32_t address; /* in the code space C[], bytes; these two are where the assembler has them */
    uint32_t size;    /* bytes: 4 or 8; data: 1 to 8 */
    const struct tesla_row *row; /* NULL: data */
    uint64_t word;    /* data: its bytes, the first lowest */
    uint32_t offset;  /* in the program's bytes: differs from the address by where its section is */
    uint8_t unit;     /* data: bytes of each number that it is written as */
    struct span where;
};

/* A piece of memory that comes with a program: a constant segment of a container. */
struct tesla_segment {
    const char *name;
    uint8_t space;    /* c index */
    uint32_t offset;  /* in that space, bytes */
    const uint8_t *bytes;
    uint32_t size;
};

/* A kernel of a container, or a section that the text names; a program without such has none. */
struct tesla_kernel {
    const char *name;
    uint32_t first, count; /* instructions */
    uint32_t registers, local_bytes, shared_bytes, barriers; /* what it says it needs */
    const struct tesla_segment *segments;
    uint32_t nsegments;
};

/* A place that the source named. */
struct tesla_label {
    const char *name;
    uint32_t address;
};

struct isa_module {
    struct tesla_target target;
    struct tesla_insn *insns; /* in the order of the bytes, without gaps */
    uint32_t ninsns;
    uint8_t *bytes;           /* the program, as the chip reads it */
    uint32_t size;
    uint32_t base;            /* address of the first byte, unless a section says otherwise */
    const struct tesla_label *labels;
    uint32_t nlabels;
    const struct tesla_kernel *kernels;
    uint32_t nkernels;
    const char *entry;        /* kernel or label to run; NULL: the first */
    const struct isa_linkage *linkage;
    bool strict;
    bool put_labels;          /* print: targets of branches get labels */
    const char *name;         /* what messages call the program */
};

/* ---- operands, taken apart ---- */

/* What a number is. B: bits without a meaning. */
enum tesla_type {
    TESLA_NOTYPE,
#define TYPE(name, ...) TESLA_##name,
#include "isa/tesla/words.inc"
#undef TYPE
    TESLA_TYPES
};

struct tesla_type_info {
    const char *name; /* "u8"; "" for none */
    uint8_t bits;     /* 32 for those without */
    uint8_t kind;     /* weft_operand_type */
};
extern const struct tesla_type_info tesla_types[TESLA_TYPES];

static inline unsigned tesla_type_bits(uint8_t type)
{
    return tesla_types[type].bits;
}

static inline bool tesla_type_is_float(uint8_t type)
{
    return tesla_types[type].kind == WEFT_TYPE_FLOAT;
}

static inline bool tesla_type_is_signed(uint8_t type)
{
    return tesla_types[type].kind == WEFT_TYPE_SIGNED;
}

enum tesla_operand_kind {
    TESLA_O_NONE,      /* # : no destination */
    TESLA_O_REG,       /* $r0: `reg` 0-127 */
    TESLA_O_HALF,      /* $r0l $r0h: `reg` 0-63, `high` */
    TESLA_O_PAIR,      /* $r0d */
    TESLA_O_QUAD,      /* $r0q */
    TESLA_O_A,         /* $a0-$a7: `reg` */
    TESLA_O_C,         /* $c0-$c3: `reg` */
    TESLA_O_SREG,      /* special register `reg` */
    TESLA_O_MEMORY,    /* `space`, `index`, and an address */
    TESLA_O_IMMEDIATE, /* `value` */
    TESLA_O_VECTOR,    /* registers of a texture access: `reg` on, one for each bit of `mask`; `value` places */
    TESLA_O_TARGET,    /* code address `value` */
    TESLA_O_TEXTURE,   /* $t0: `reg` */
    TESLA_O_SAMPLER    /* $s0: `reg` */
};

enum tesla_space { TESLA_A_SPACE, TESLA_P_SPACE, TESLA_V_SPACE, TESLA_O_SPACE, TESLA_S_SPACE, TESLA_L_SPACE,
                   TESLA_C_SPACE, TESLA_G_SPACE, TESLA_SPACES };

struct tesla_operand {
    uint8_t kind;   /* enum tesla_operand_kind */
    uint8_t type;   /* enum tesla_type: how the instruction looks at the value; 32-bit registers of 24-bit multiplies:
                       U24, S24 */
    bool neg, abs, inv; /* abs first, then neg; inv: complement */
    uint8_t reg;
    bool high;
    uint8_t mask;   /* VECTOR: destinations, which of the four components are written; sources, (1 << count) - 1 */
    /* MEMORY: byte address = (base ? base : 0) + offset; g[]: $r `reg` alone. */
    uint8_t space;  /* enum tesla_space */
    uint8_t index;  /* c0-c15, g0-g15 */
    uint8_t areg;   /* $a1-$a7, 0: none */
    bool increment; /* the address is $a alone, and afterwards $a += offset */
    uint8_t access; /* enum tesla_type: what is read or written there; s[] as a source: U8, U16, S16 or B32 */
    int32_t offset; /* bytes */
    bool halved;    /* the text says half of the offset, see source.c */
    uint32_t value;
};

enum tesla_condition { TESLA_L = 1, TESLA_E = 2, TESLA_G = 4, TESLA_U = 8 };

enum tesla_rounding { TESLA_RN, TESLA_RM, TESLA_RP, TESLA_RZ };

/* Words of the text that change what an instruction does, as bits. */
enum tesla_modifier {
    TESLA_SAT = 1, TESLA_HIGH = 2, TESLA_SFU_PATH = 4 /* mov sfu */, TESLA_TO_INTEGER = 8 /* rni rmi rpi rzi */,
    TESLA_CENT = 16, TESLA_FLAT = 32, TESLA_LIVE = 64, TESLA_DERIV = 128, TESLA_CUBE = 256, TESLA_LIMIT = 512,
    TESLA_INC = 1024, TESLA_WAIT = 2048, TESLA_ALL = 4096
};

/* What the policy is asked; targets: where the active threads go, the next instruction, the epilogue. Those with a
 * limit come after those without. */
enum tesla_control {
    TESLA_CTL_BRA, TESLA_CTL_BRA_C, TESLA_CTL_CALL, TESLA_CTL_CALL_LIMITED, TESLA_CTL_PRERET, TESLA_CTL_PRERET_LIMITED,
    TESLA_CTL_RET, TESLA_CTL_BREAKADDR, TESLA_CTL_BREAK, TESLA_CTL_JOINAT, TESLA_CTL_JOIN, TESLA_CTL_QUADON,
    TESLA_CTL_QUADPOP, TESLA_CTL_EXIT
};
enum tesla_variant { /* of ADD and MUL_ADD */ TESLA_ADD, TESLA_SUB, TESLA_SUBR, TESLA_ADDC };
enum tesla_logic { TESLA_AND, TESLA_OR, TESLA_XOR, TESLA_MOV2 };
enum tesla_function { TESLA_RCP, TESLA_RSQRT, TESLA_LG2, TESLA_SIN, TESLA_COS, TESLA_EX2 };
enum tesla_atomic { TESLA_ATOMIC_ADD, TESLA_ATOMIC_EXCH, TESLA_ATOMIC_CAS, TESLA_ATOMIC_INC = 4, TESLA_ATOMIC_DEC,
                    TESLA_ATOMIC_MAX, TESLA_ATOMIC_MIN, TESLA_ATOMIC_AND = 10, TESLA_ATOMIC_OR, TESLA_ATOMIC_XOR };
enum tesla_tex { TESLA_TEXAUTO, TESLA_TEXFETCH, TESLA_TEXBIAS, TESLA_TEXLOD, TESLA_TEXSIZE, TESLA_TEXPREP,
                 TESLA_TEXQUERYLOD, TESLA_TEXCSAA, TESLA_TEXGATHER };
enum tesla_quad_op { TESLA_QUAD_ADD, TESLA_QUAD_SUBR, TESLA_QUAD_SUB, TESLA_QUAD_MOV2 };
enum { TESLA_QUAD_NEIGHBOUR = 4 /* of a quad lane: 4 and 6 are dx, 5 and 7 dy, else a lane's number */ };

enum { TESLA_EXIT = 1, TESLA_JOIN = 2 }; /* the tails of a long instruction */
enum { TESLA_ALL_LANES = 15 };
enum { TESLA_A_REGISTERS = 0x9e /* $a that there are, by bit: $a1 to $a4, $a7. The others are 0 */ };
enum { TESLA_NEVER = 0, TESLA_ALWAYS = 15, TESLA_MAX_SOURCES = 4, TESLA_NO_C = 255 };

/* An instruction taken apart. */
struct tesla_decoded {
    const struct tesla_row *row;
    bool exit, join;     /* long instructions: executed with it */
    uint8_t predicate;   /* code of the "Predicates" table; TESLA_ALWAYS: none. VOTE: its input */
    uint8_t csrc;        /* $c that the predicate and addc read */
    uint8_t cdst;        /* $c that is written, or TESLA_NO_C */
    uint8_t lanes;       /* lane mask of the quad, 15: all */
    uint16_t modifiers;  /* enum tesla_modifier */
    uint8_t rounding;    /* enum tesla_rounding */
    uint8_t condition;   /* SET: enum tesla_condition */
    struct tesla_operand dst; /* STORE, REDUCE: the memory. No destination at all: NONE */
    struct tesla_operand src[TESLA_MAX_SOURCES]; /* in the order of the text */
    uint8_t nsrc;
    uint8_t texture, sampler;
    int8_t texel_offset[3];
    uint8_t quad_lane, quad_op[4]; /* QUADOP: 0-3 that lane, 4 dx, 5 dy; enum tesla_quad_op of each lane */
    uint8_t barrier;     /* BAR: number */
    uint16_t barrier_count; /* without TESLA_ALL */
};

/* ---- the table ---- */

struct tesla_lifter;
typedef void tesla_lift_fn(struct tesla_lifter *l, const struct tesla_decoded *d);

enum tesla_property {
    TESLA_NO_RESULT = 1 << 0,      /* the first operand is a source */
    TESLA_UPDATES = 1 << 1,        /* its memory operand is read and written */
    TESLA_SKIPS_FIRST = 1 << 2,    /* it does not look at its first source */
    TESLA_READS_AT_MOST = 1 << 3,  /* what is bound, the stage or a condition (never) may decide that sources are not
                                      read */
    TESLA_TESTS = 1 << 4,          /* the predicate is an operand: it holds nothing back */
    TESLA_EXITS_ANYWAY = 1 << 5,   /* a predicate of `never` does not hold its exit back */
    TESLA_SEES_WARP = 1 << 6,      /* a program can tell by it which threads its warp has */
    TESLA_COUNTS_WARPS = 1 << 7,   /* the same, unless it has the word `all` */
    TESLA_LOCKS = 1 << 8,          /* it locks a word of s[] */
    TESLA_STEPS_NOT = 1 << 9,      /* the bit of post-increments does nothing, or stops the program */
    TESLA_SATURATES_LATE = 1 << 10, /* `sat` of an f32 needs TESLA_SM12; before, it does nothing */
    TESLA_SATURATES_32 = 1 << 11    /* `sat` does nothing from and to 64 bits */
};

enum tesla_meaning {
#define MEANING(name, ...) TESLA_M_##name,
#include "isa/tesla/meanings.inc"
#undef MEANING
    TESLA_MEANINGS
};

struct tesla_meaning_info {
    tesla_lift_fn *lift;
    uint8_t flow;        /* weft_flow */
    uint16_t properties; /* set of enum tesla_property */
    uint16_t effects;   /* set of WEFT_EFFECT_... */
};
extern const struct tesla_meaning_info tesla_meanings[TESLA_MEANINGS];

enum tesla_form {
    TESLA_SHORT,
    TESLA_CONTROL,
    TESLA_LONG,
    TESLA_IMMEDIATE
}; /* in the order in which text prefers them */

/* One cell of the opcode map, or a part of one. */
struct tesla_row {
    const char *mnemonic;
    const char *syntax;   /* the line, see table.h */
    uint64_t value, mask; /* the bits that make it this row */
    uint8_t form;         /* enum tesla_form; of CONTROL and SHORT, short ones have TESLA_SHORT */
    uint8_t features;     /* enum tesla_feature, all needed */
    uint8_t stages;       /* enum tesla_stage, any of */
    uint8_t meaning;      /* enum tesla_meaning: the lift */
    uint8_t variant;      /* which of the meaning's operations */
    uint8_t provenance;   /* enum isa_provenance */
    const char *group, *doc;
};

enum {
    TESLA_ROWS =
#define ROW(...) 1 +
#include "isa/tesla/rows.inc"
#undef ROW
        0
};
extern const struct isa_difference tesla_differences[];
extern const struct tesla_row tesla_rows[TESLA_ROWS];

/* Take an instruction (not data) of a module for that target apart. */
void tesla_explain(const struct tesla_insn *insn, const struct tesla_target *target, struct tesla_decoded *out);

/* ---- parts of the instruction set: one file each ---- */

weft_status tesla_parse(const struct source *, const struct isa_params *, struct arena *, struct isa_module **,
                        weft_diags *);
weft_status tesla_print(const struct isa_module *, struct arena *, char **text, size_t *size, struct isa_places *);
weft_status tesla_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *,
                         struct arena *, struct isa_module **, weft_diags *);
weft_status tesla_encode(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status tesla_check(const struct isa_module *, const struct source *, const struct isa_params *, weft_diags *);
weft_status tesla_lift(const struct isa_module *, const struct source *, struct arena *, struct ir_program **,
                       weft_diags *);

/* The instruction or the data that starts at an address, in the kernel that instruction number `near` is in; NULL when
 * none does. */
const struct tesla_insn *tesla_item_at(const struct isa_module *m, uint32_t near, uint32_t address);
/* The instruction at an address, in the kernel that instruction number `near` is in; NULL when none starts there. */
const struct tesla_insn *tesla_insn_at(const struct isa_module *m, uint32_t near, uint32_t address);

/* The kernel that an instruction is in; the number of kernels where it is in none. */
uint32_t tesla_kernel_of(const struct isa_module *m, uint32_t insn);

/* Gives an atomic that the text has no words for the row whose operands and tail it has, and that row's operation and
 * size; false: the word is not an atomic. */
bool tesla_take_unlisted(struct tesla_insn *insn, const struct tesla_target *target);

/* Chip and stage of the parameters; the newest chip, and no stage, where they say nothing. */
struct tesla_target tesla_target_of(const struct isa_params *params);
/* enum ir_stage of an enum tesla_stage, or -1. */
int tesla_ir_stage(uint8_t stage);
/* "g84 and later": the chips that have the feature that a row needs; NULL: all. */
const char *tesla_chips_of(uint8_t features);
/* "chips that have it: g84 g86", for hints. */
const char *tesla_chips_with(struct arena *arena, uint8_t features);
/* What every module keeps of its parameters. */
void tesla_set_up_module(struct isa_module *m, const struct isa_params *params, const char *name);
/* The chip of that number in tesla_chips, and a stage (enum ir_stage or -1). */
struct tesla_target tesla_target_at(uint32_t chip, int stage);
/* A line of the text, without a label, and an operand: to `text`, of TEXT_ROOM bytes; their lengths. The format may
 * name targets, and may be NULL. */
size_t tesla_print_insn(const struct tesla_insn *insn, const struct tesla_target *target,
                        const struct weft_format *format, char *text);
size_t tesla_print_operand(const struct tesla_operand *o, const struct tesla_target *target, char *text);
/* The instruction or the data at p, of which `left` bytes are left; its address is set. */
void tesla_decode_one(const struct tesla_target *target, const uint8_t *p, size_t left, struct tesla_insn *insn);
extern const char *const tesla_chips[]; /* NULL-terminated, newest first */

extern const struct isa_insn_ops tesla_insn_ops;
size_t tesla_insn_operands(const struct isa_decoder *, const struct weft_insn *, struct weft_operand *);
size_t tesla_insn_fields(const struct isa_decoder *, const struct weft_insn *, struct weft_field *);
extern const struct isa isa_tesla;

#endif
