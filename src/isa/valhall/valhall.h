/* valhall.h - a Valhall program as data, and the table of its instructions.
 *
 * An instruction is one 64-bit word. A program is its words; everything else (operands, modifiers) is read from them
 * by the rows of the table. Text and bytes are two ways of writing the words. Bit numbers count from the least
 * significant bit of the little-endian word. */
#ifndef WEFT_ISA_VALHALL_VALHALL_H
#define WEFT_ISA_VALHALL_VALHALL_H

#include "isa/isa.h"

enum { VALHALL_SOURCES = 4, VALHALL_STAGINGS = 2, VALHALL_IMMEDIATES = 2, VALHALL_MODIFIERS = 14 };
enum { VALHALL_NO_SECOND = 0x8000 };
/* Entry of the table of immediates: 0 once more, as a float. Its text is "0.0", that of entry 0 "0x0". */
enum { VALHALL_FLOAT_ZERO = 21 };

/* Primary opcodes of instructions that stand out in a program's flow or its messages. */
enum valhall_opcode {
    VALHALL_OPCODE_BRANCHZ = 0x1F, VALHALL_OPCODE_DISCARD = 0x20, VALHALL_OPCODE_BRANCHZI = 0x2F,
    VALHALL_OPCODE_BARRIER = 0x45, VALHALL_OPCODE_LD_VAR_SPECIAL = 0x56, VALHALL_OPCODE_LEA_BUF_IMM = 0x5E,
    VALHALL_OPCODE_LOAD = 0x60, VALHALL_OPCODE_STORE = 0x61, VALHALL_OPCODE_LEA_IMM = 0x67,
    VALHALL_OPCODE_ATOM = 0x68, VALHALL_OPCODE_ATOM1_RETURN = 0x69, VALHALL_OPCODE_LD_BUFFER = 0x6A,
    VALHALL_OPCODE_LEA = 0x77, VALHALL_OPCODE_ST_TILE = 0x79, VALHALL_OPCODE_ATEST = 0x7D,
    VALHALL_OPCODE_ZS_EMIT = 0x7E, VALHALL_OPCODE_BLEND = 0x7F, VALHALL_OPCODE_ATOM_RETURN = 0x120,
    VALHALL_OPCODE_TEX_FETCH = 0x125, VALHALL_OPCODE_TEX_DUAL = 0x12F
};

/* ---- values of modifiers that have a meaning beyond their name: numbers as encoded ---- */
enum valhall_clamp { VALHALL_CLAMP_NONE, VALHALL_CLAMP_0_INF, VALHALL_CLAMP_M1_1, VALHALL_CLAMP_0_1 };
enum valhall_round { VALHALL_RTE, VALHALL_RTP, VALHALL_RTN, VALHALL_RTZ };
enum valhall_condition {
    VALHALL_CMP_EQ, VALHALL_CMP_GT, VALHALL_CMP_GE, VALHALL_CMP_NE, VALHALL_CMP_LT, VALHALL_CMP_LE, VALHALL_CMP_GTLT,
    VALHALL_CMP_TOTAL
};
enum valhall_result { VALHALL_RESULT_I1, VALHALL_RESULT_F1, VALHALL_RESULT_M1, VALHALL_RESULT_U1 };
enum valhall_mux { VALHALL_MUX_NEG, VALHALL_MUX_INT_ZERO, VALHALL_MUX_FP_ZERO, VALHALL_MUX_BIT };
enum valhall_subgroup { VALHALL_SUBGROUP2, VALHALL_SUBGROUP4, VALHALL_SUBGROUP8, VALHALL_SUBGROUP16 };
enum valhall_lane_op { VALHALL_LANE_NONE, VALHALL_LANE_XOR, VALHALL_LANE_ACCUMULATE, VALHALL_LANE_SHIFT };
enum valhall_regfmt {
    VALHALL_FMT_AUTO, VALHALL_FMT_F32 = 2, VALHALL_FMT_F16, VALHALL_FMT_S32, VALHALL_FMT_S16, VALHALL_FMT_U32,
    VALHALL_FMT_U16
};
enum valhall_source_format { VALHALL_SRC_FLAT32, VALHALL_SRC_FLAT16, VALHALL_SRC_F32, VALHALL_SRC_F16 };
enum valhall_sample { VALHALL_CENTER, VALHALL_CENTROID, VALHALL_SAMPLE, VALHALL_EXPLICIT };
enum valhall_update { VALHALL_STORE, VALHALL_RETRIEVE, VALHALL_CLOBBER = 3 };
enum valhall_access { VALHALL_ACCESS_NONE, VALHALL_ACCESS_ISTREAM, VALHALL_ACCESS_ESTREAM, VALHALL_ACCESS_FORCE };
enum valhall_dimension { VALHALL_1D, VALHALL_2D, VALHALL_3D, VALHALL_CUBE };
enum valhall_lod {
    VALHALL_LOD_ZERO, VALHALL_LOD_COMPUTED, VALHALL_LOD_EXPLICIT = 4, VALHALL_LOD_COMPUTED_BIAS, VALHALL_LOD_GRDESC
};
enum valhall_register_type { VALHALL_TYPE_F = 1, VALHALL_TYPE_U, VALHALL_TYPE_S };
enum valhall_atom {
    VALHALL_AADD = 2, VALHALL_ASMIN = 8, VALHALL_ASMAX, VALHALL_AUMIN, VALHALL_AUMAX, VALHALL_AAND, VALHALL_AOR,
    VALHALL_AXOR, VALHALL_AXCHG
};
enum valhall_atom_1 { VALHALL_AINC, VALHALL_ADEC, VALHALL_AUMAX1, VALHALL_ASMAX1, VALHALL_AOR1 };

/* Flow control of bits 59..62. Numbers 1 to 9 wait for slots. */
enum valhall_flow {
    VALHALL_FLOW_NONE, VALHALL_WAIT0, VALHALL_WAIT1, VALHALL_WAIT01, VALHALL_WAIT2, VALHALL_WAIT02, VALHALL_WAIT12,
    VALHALL_WAIT012, VALHALL_WAIT0126, VALHALL_WAIT, VALHALL_RECONVERGE, VALHALL_DISCARD = 13, VALHALL_END = 15
};
/* The slots that a flow control waits for: bit n is slot n (0, 1, 2, 6, 7). */
uint8_t valhall_waits(unsigned flow);

/* ---- modifiers ---- */
enum valhall_modifier_id {
#define MODIFIER(id, ...) VALHALL_MOD_##id,
#include "isa/valhall/modifiers.inc"
#undef MODIFIER
    VALHALL_MODIFIER_IDS
};

struct valhall_modifier {
    const char *name;          /* as the description calls it; a flag is written so */
    uint8_t start, size;       /* bits */
    const char *const *values; /* words by number, 1 << size of them, NULL: reserved; NULL: a flag */
    int8_t initial;            /* the number that text leaves out; -1: always written */
};
extern const struct valhall_modifier valhall_modifiers[VALHALL_MODIFIER_IDS];

/* ---- operands ---- */

/* What the word after a source's operand selects: the description's enumerations of swizzles, lanes and combinations.
 */
enum valhall_select {
    VALHALL_SELECT_NONE,     /* nothing may follow */
    VALHALL_SELECT_WIDEN,    /* h0, h1 of a 32-bit operand: 2 bits, float sources */
    VALHALL_SELECT_SWIZZLE16_2, /* h00, h10, h01, h11: 2 bits, float sources and MKVEC, MUX */
    VALHALL_SELECT_SWIZZLE8,  /* four bytes of an operand of v4i8: 4 bits */
    VALHALL_SELECT_SWIZZLE16, /* two halves or bytes: 4 bits */
    VALHALL_SELECT_SWIZZLE32, /* a half or a byte, extended: 4 bits */
    VALHALL_SELECT_SWIZZLE64, /* a half, byte or word, extended: 4 bits */
    VALHALL_SELECT_LANES8,    /* bytes that hold shift counts: 4 bits */
    VALHALL_SELECT_HALF8,     /* two bytes to convert: 4 bits */
    VALHALL_SELECT_LANE8,     /* one byte: 2 bits */
    VALHALL_SELECT_LANE16,    /* one half: 1 bit */
    VALHALL_SELECT_COMBINE,   /* BRANCHZ: 3 bits; none, h0, h1, and, lowbits */
    VALHALL_SELECTS
};
enum valhall_combine {
    VALHALL_COMBINE_NONE, VALHALL_COMBINE_H0, VALHALL_COMBINE_H1, VALHALL_COMBINE_AND, VALHALL_COMBINE_LOWBITS
};

/* One word of such an enumeration: what it picks. The parts are numbered from the low end of the operand. */
struct valhall_pick {
    const char *name;  /* "h10", "b0123", "none"; NULL: reserved */
    uint8_t part;      /* bits of a part: 8, 16, 32; 0: the operand as it is */
    uint8_t count;     /* parts picked; 1: extended to the operand's size (by the sign where the type is signed) */
    uint8_t element[4]; /* result element i is part element[i] */
};
/* The words of an enumeration: 1 << *bits of them. *initial gets the number that is not written (-1: always written).
 */
const struct valhall_pick *valhall_picks(enum valhall_select select, unsigned *bits, int *initial);

enum valhall_source_kind {
    VALHALL_REGISTER, /* index: r0 to r63 */
    VALHALL_UNIFORM,  /* index: u0 to u127, 32-bit words */
    VALHALL_CONSTANT, /* index: of the table of immediates; value: what is there */
    VALHALL_SPECIAL   /* index: number in its page; word: 0 low, 1 high */
};

/* Special values of the fast access uniforms, page * 16 + number. */
enum valhall_special {
    VALHALL_WARP_ID = 2, VALHALL_FRAMEBUFFER_SIZE = 4, VALHALL_ATEST_DATUM, VALHALL_SAMPLE_POSITIONS,
    VALHALL_BLEND_DESCRIPTOR_0 = 8, VALHALL_BLEND_DESCRIPTOR_7 = 15, VALHALL_THREAD_LOCAL_POINTER = 17,
    VALHALL_WORKGROUP_LOCAL_POINTER = 19, VALHALL_RESOURCE_TABLE_POINTER = 23, VALHALL_LANE_ID = 49,
    VALHALL_CORE_ID = 51, VALHALL_PROGRAM_COUNTER = 63, VALHALL_SPECIALS = 64
};

struct valhall_source {
    uint8_t kind;              /* enum valhall_source_kind */
    uint8_t index;
    uint8_t word;              /* specials */
    uint8_t special;           /* specials: enum valhall_special */
    uint32_t value;            /* constants */
    bool last;                 /* ^: the register is not needed afterwards */
    bool neg, abs, invert;     /* .neg .abs .not: abs acts first */
    uint8_t size;              /* bits that the operand has: 8, 16 (vectors of these fill 32 bits), 32, 64 */
    uint8_t select;            /* enum valhall_select */
    const struct valhall_pick *pick; /* what .h10 and the like say; NULL with VALHALL_SELECT_NONE */
};

struct valhall_staging {
    uint8_t base, count;       /* registers base, base + 1, ...; count 0: none */
    bool read, write;
};

/* One instruction with everything read from its word. */
struct valhall_insn {
    uint64_t word;
    const struct valhall_row *row; /* NULL: no instruction has this word (nothing below is set) */
    uint32_t number;               /* in the program: address is the base plus 8 times this */
    uint8_t flow;                  /* enum valhall_flow */
    uint8_t page;                  /* of the fast access uniforms */
    uint8_t nsrc, nstaging, nimm;
    bool has_dst;
    uint8_t dst, dst_mask;         /* register; bit 0: its low half is written, bit 1: the high half */
    struct valhall_source src[VALHALL_SOURCES];
    struct valhall_staging staging[VALHALL_STAGINGS];
    int64_t imm[VALHALL_IMMEDIATES]; /* in the order of text; signed ones extended */
};

/* The number that a modifier has in an instruction. Positions do not depend on the row, so ICMP_AND has its AND too. */
static inline unsigned valhall_mod(const struct valhall_insn *i, enum valhall_modifier_id id)
{
    return (unsigned)(i->word >> valhall_modifiers[id].start) & ((1u << valhall_modifiers[id].size) - 1);
}

/* ---- the table of instructions ---- */

enum valhall_unit { VALHALL_FMA, VALHALL_CVT, VALHALL_SFU, VALHALL_NONE, VALHALL_LS, VALHALL_V, VALHALL_T, VALHALL_VT };
/* FMA, CVT and SFU compute; the others pass messages. */
static inline bool valhall_is_message(uint8_t unit)
{
    return unit >= VALHALL_NONE;
}

struct valhall_source_rule {
    uint8_t at;         /* bit where the source's byte starts */
    uint8_t size;       /* bits of the operand */
    uint8_t select;     /* enum valhall_select */
    uint8_t select_at;  /* where its field starts */
    uint8_t neg, abs, invert; /* bits; 0: it has none */
};

struct valhall_staging_rule {
    bool read, write;
    uint8_t at;         /* bit of the base: 40 or 16 */
    uint8_t flags;      /* what bits 46..47 hold: bit 0 read, bit 1 written; 0: they are not its own */
    uint8_t count_at;   /* bit of the number of registers: 33 (as it is), 36 (minus one) */
};

struct valhall_immediate_rule {
    const char *name;   /* "offset"; "constant" is written as #0x... */
    uint8_t at, size;
    bool is_signed;
};

struct valhall_lifter;

/* Lift one instruction. */
typedef void valhall_lift_fn(struct valhall_lifter *l, const struct valhall_insn *insn);

struct valhall_row {
    const char *name;          /* "FADD.f32" */
    const char *group, *doc;
    uint16_t opcode, second;   /* primary and secondary opcode; second: VALHALL_NO_SECOND */
    uint8_t second_at;         /* bit where the secondary opcode starts; LSHIFT and RSHIFT: bit 32 is its bit 8 */
    uint16_t second_mask;
    uint16_t also;             /* another primary opcode that decodes as this instruction; 0: none */
    bool spelling;             /* a name of older text: most of what it writes is printed under another name */
    uint8_t unit;              /* enum valhall_unit */
    uint8_t size;              /* bits that the name's type has: sources without a size of their own */
    uint8_t provenance;        /* enum isa_provenance */
    bool has_dst;
    uint8_t nsrc, nstaging, nimm, nmods;
    struct valhall_source_rule src[VALHALL_SOURCES];
    struct valhall_staging_rule staging[VALHALL_STAGINGS];
    struct valhall_immediate_rule imm[VALHALL_IMMEDIATES];
    uint8_t mods[VALHALL_MODIFIERS]; /* enum valhall_modifier_id in the order of text */
    valhall_lift_fn *lift;     /* NULL: not executed yet (an error that names it) */
};

static inline bool valhall_has_modifier(const struct valhall_row *row, enum valhall_modifier_id id)
{
    for (unsigned i = 0; i < row->nmods; i++)
        if (row->mods[i] == id)
            return true;
    return false;
}

/* Every instruction by number. The table is made from rows.inc at first use. */
enum valhall_op {
#define TYPED(base, type, ...) VALHALL_##base##_##type,
#define PLAIN(base, ...) VALHALL_##base,
#include "isa/valhall/rows.inc"
#undef TYPED
#undef PLAIN
    VALHALL_OPS
};
const struct valhall_row *valhall_rows(void);

/* The stages that an instruction is for, a bit per enum ir_stage. */
uint32_t valhall_stages(const struct valhall_row *row);

/* Row of a mnemonic with its type ("FADD.f32", any of its names), or -1. */
int valhall_find_row(const char *name, size_t length);

/* ---- programs ---- */

struct isa_module {
    uint64_t *words;
    uint32_t nwords;
    struct span *where;        /* of each instruction in the source; NULL: made from bytes */
    const char *name;          /* of the file that the bytes came from; NULL: there is none */
    uint8_t tail[8];           /* bytes after the last whole word */
    uint8_t ntail;
    bool put_labels;           /* print: isa_params.labels */
    uint64_t base;             /* address of the first instruction */
    bool strict;
    int stage;                 /* enum ir_stage or -1 */
    const struct isa_linkage *linkage;
};

/* An empty program with what it keeps of the parameters; NULL without memory. */
struct isa_module *valhall_module(const struct isa_params *params, struct arena *arena);
/* How many words are no instruction and not zero, which fills up the end. */
size_t valhall_unknown(const struct isa_module *m);

/* Row of a word, or NULL: no text of an instruction assembles to it. */
const struct valhall_row *valhall_row_of(uint64_t word);
/* Read everything; insn->row is NULL where valhall_row_of says so. */
void valhall_read(uint64_t word, struct valhall_insn *insn);
/* The same for instruction `number` of a program. */
void valhall_insn_at(const struct isa_module *m, uint32_t number, struct valhall_insn *insn);

/* ---- parts of the instruction set: one file each ---- */
weft_status valhall_parse(const struct source *, const struct isa_params *, struct arena *, struct isa_module **,
                          weft_diags *);
weft_status valhall_print(const struct isa_module *, struct arena *, char **text, size_t *size, struct isa_places *);
weft_status valhall_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *,
                           struct arena *, struct isa_module **, weft_diags *);
weft_status valhall_encode(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status valhall_check(const struct isa_module *, const struct source *, const struct isa_params *, weft_diags *);

weft_status valhall_lift(const struct isa_module *, const struct source *, struct arena *, struct ir_program **,
                         weft_diags *);

extern const struct isa isa_valhall;

#endif
