/* valhall.h - a Valhall program as data, and the table of its instructions.
 *
 * An instruction is one 64-bit word. A program is its words; everything else (operands, modifiers) is read from them
 * by the rows of the table. Text and bytes are two ways of writing the words. Bit numbers count from the least
 * significant bit of the little-endian word. */
#ifndef WEFT_ISA_VALHALL_VALHALL_H
#define WEFT_ISA_VALHALL_VALHALL_H

#include "isa/isa.h"

#include <endian.h>
#include <string.h>

/* Drivers make compute programs of geometry and tessellation. */
enum { VALHALL_STAGES = 1 << IR_VERTEX | 1 << IR_FRAGMENT | 1 << IR_COMPUTE };
enum { VALHALL_SOURCES = 4, VALHALL_STAGINGS = 2, VALHALL_IMMEDIATES = 2, VALHALL_MODIFIERS = 14 };
/* Entry of the table of immediates: 0 once more, as a float. Its text is "0.0", that of entry 0 "0x0". */
enum { VALHALL_FLOAT_ZERO = 21 };

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

/* ---- fields ---- */
enum valhall_field_id {
    VALHALL_FIELD_NONE,
#define FIELD(id, ...) VALHALL_FIELD_##id,
#define IMMEDIATE(id, ...) VALHALL_IMM_##id,
#define MODIFIER(id, ...) VALHALL_MOD_##id,
#include "isa/valhall/fields.inc"
#undef FIELD
#undef IMMEDIATE
#undef MODIFIER
    VALHALL_FIELD_IDS
};

/* What a field is for. */
enum valhall_role {
    VALHALL_ROLE_NONE, VALHALL_ROLE_MODIFIER,
    /* of immediates: */
    VALHALL_ROLE_NUMBER, VALHALL_ROLE_OFFSET /* of an address */, VALHALL_ROLE_SIGNED_OFFSET, VALHALL_ROLE_INDEX,
    VALHALL_ROLE_TABLE /* that the index counts in */, VALHALL_ROLE_CONSTANT /* written as #0x... */,
    VALHALL_ROLE_BLEND_TARGET, /* where control goes, in instructions from the next one on */
    VALHALL_ROLE_BRANCH_TARGET /* the same, signed */
};

/* Bits of a register: what a load writes. */
struct valhall_part {
    uint8_t shift, width; /* 64 bits: a pair */
};

struct valhall_field {
    const char *name;         /* as the description calls it; a flag is written so */
    uint8_t at, size;         /* bits */
    uint8_t role;             /* enum valhall_role */
    bool is_signed;
    int8_t initial;           /* modifiers: the number that text leaves out; -1: always written */
    const char *const *words; /* modifiers: by number, 1 << size of them, NULL: reserved; NULL: a flag */
};
extern const struct valhall_field valhall_fields[VALHALL_FIELD_IDS];

/* Where they are, in a table that compilers see through. */
static const struct {
    uint8_t at, size;
} valhall_places[VALHALL_FIELD_IDS] = {
#define FIELD(id, name, at, size)          [VALHALL_FIELD_##id] = {at, size},
#define IMMEDIATE(id, name, at, size, ...) [VALHALL_IMM_##id] = {at, size},
#define MODIFIER(id, name, at, size, ...)  [VALHALL_MOD_##id] = {at, size},
#include "isa/valhall/fields.inc"
#undef FIELD
#undef IMMEDIATE
#undef MODIFIER
};

static inline uint64_t valhall_get_field(uint64_t word, enum valhall_field_id id)
{
    return word >> valhall_places[id].at & ((1ull << valhall_places[id].size) - 1);
}

/* The bits of a word that give a field the number. */
static inline uint64_t valhall_put_field(enum valhall_field_id id, uint64_t number)
{
    return number << valhall_places[id].at;
}

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
    const char *text;  /* the name with its dot */
};
/* An enumeration: 1 << bits words. `initial` is the number that is not written (-1: always written). */
struct valhall_picks {
    const struct valhall_pick *picks;
    uint8_t bits;
    int8_t initial;
};
extern const struct valhall_picks valhall_picks[VALHALL_SELECTS];

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

/* A source's byte: its two upper bits, or three, say what the others number. A register with LAST is not needed
 * afterwards. */
enum {
    VALHALL_BYTE_LAST = 0x40, VALHALL_BYTE_UNIFORM = 0x80, VALHALL_BYTE_CONSTANT = 0xC0, VALHALL_BYTE_SPECIAL = 0xE0
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
    const struct valhall_row *row; /* NULL: the word is not an instruction, and nothing below is set */
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

/* The number that a modifier has in an instruction. */
static inline unsigned valhall_mod(const struct valhall_insn *i, enum valhall_field_id id)
{
    return (unsigned)valhall_get_field(i->word, id);
}

/* ---- the table of instructions ---- */

enum valhall_unit {
    VALHALL_FMA, VALHALL_CVT, VALHALL_SFU, VALHALL_MESSAGE, VALHALL_LS, VALHALL_V, VALHALL_T, VALHALL_VT
};
extern const char *const valhall_unit_names[]; /* "FMA", "CVT", ... */
/* FMA, CVT and SFU compute; the others pass messages. */
static inline bool valhall_is_message(uint8_t unit)
{
    return unit >= VALHALL_MESSAGE;
}

struct valhall_source_rule {
    uint8_t at;         /* bit where the source's byte starts */
    uint8_t size;       /* bits of the operand */
    uint8_t kind;       /* enum weft_operand_type */
    uint8_t select;     /* enum valhall_select */
    uint8_t select_at;  /* where its field starts */
    uint8_t neg, abs, invert; /* bits; 0: it has none */
};

struct valhall_staging_rule {
    bool read, write;
    uint8_t base;       /* enum valhall_field_id of the first register's number */
    uint8_t flags;      /* what STAGING_ACCESS holds: bit 0 read, bit 1 written; 0: it is not its own */
    uint8_t number;     /* enum valhall_field_id of the number of registers, and what is added to it: */
    uint8_t least;
    uint8_t count;      /* enum valhall_count */
};

struct valhall_lifter;

/* Lift one instruction, which is at work (l->insn). */
typedef void valhall_lift_fn(struct valhall_lifter *l, const struct valhall_insn *insn);
/* One element of its result from one of each source and immediate, for rows that do the same to all of them. */
typedef uint32_t valhall_element_fn(struct valhall_lifter *l, const uint32_t *sources);

/* What bits of a type mean: enum weft_operand_type. */
enum valhall_type {
#define TYPE(name, ...) VALHALL_TYPE_##name,
#include "isa/valhall/types.inc"
#undef TYPE
    VALHALL_TYPES
};

/* Where control goes after an instruction, but for its flow control. */
enum valhall_way_kind {
    VALHALL_WAY_NEXT, VALHALL_WAY_BRANCH, VALHALL_WAY_INDIRECT /* to an address in its second source */,
    VALHALL_WAY_KILL /* fragments are dropped */, VALHALL_WAY_MEET /* a barrier */,
    VALHALL_WAY_BLEND_PATH /* the fixed function branches or ends; the next instruction calls the blend shader */
};

/* Which number of registers a group of staging registers must have. */
enum valhall_count {
    VALHALL_COUNT_ANY, VALHALL_COUNT_ONE, VALHALL_COUNT_TWO, VALHALL_COUNT_THREE,
    VALHALL_COUNT_OF_TYPE, VALHALL_COUNT_OF_TYPE_OR_NONE,
    VALHALL_COUNT_LOADED,    /* the type, or what it is extended to */
    VALHALL_COUNT_EXCHANGED, /* the type, twice to compare and exchange */
    VALHALL_COUNT_OF_FORMAT, /* the vector in the register format */
    VALHALL_COUNT_OF_VECTOR, /* the vector of elements of the type */
    VALHALL_COUNT_TEXELS,    /* the components that a texture instruction writes */
    VALHALL_COUNT_TEXELS_2   /* those of two lookups */
};

/* What memory a message reads or writes. */
enum valhall_space {
    VALHALL_SPACE_NONE,
    VALHALL_SPACE_MEMORY,     /* at the 64-bit address in the first source and the offset */
    VALHALL_SPACE_BUFFERS,    /* at the offset in the first source of the buffer that the second names */
    VALHALL_SPACE_TILE, VALHALL_SPACE_VARYINGS, VALHALL_SPACE_ATTRIBUTES
};

/* Which tables of resources it takes (tables.c). */
enum valhall_tables {
    VALHALL_TABLES_ANY, VALHALL_TABLES_OF_ATTRIBUTES, VALHALL_TABLES_OF_IMAGES, VALHALL_TABLES_OF_VARYINGS,
    VALHALL_TABLES_OF_BUFFERS
};

/* Its place in the order of a pixel's end. */
enum valhall_pixel { VALHALL_PIXEL_NONE, VALHALL_PIXEL_TESTS_ALPHA, VALHALL_PIXEL_EMITS_DEPTH, VALHALL_PIXEL_BLENDS };

/* Where the number of the colour target is that it writes: in a blend descriptor, in pixel indices. */
enum valhall_colours { VALHALL_COLOURS_NONE, VALHALL_COLOURS_BY_DESCRIPTOR, VALHALL_COLOURS_BY_PIXEL };

/* Sets of sources, a bit each, and of staging registers. */
enum { VALHALL_SOURCE_A = 1, VALHALL_SOURCE_B = 2, VALHALL_SOURCE_C = 4, VALHALL_SOURCE_D = 8, VALHALL_STAGING = 16 };

/* What rows have in common: forms.inc. */
struct valhall_form {
    const char *name, *group;
    uint8_t second;            /* enum valhall_field_id of the secondary opcode */
    bool has_dst;
    uint32_t sources[VALHALL_SOURCES];      /* table.c works these out */
    uint16_t staging[VALHALL_STAGINGS];
    uint8_t immediates[VALHALL_IMMEDIATES]; /* enum valhall_field_id in the order of text */
    uint8_t modifiers[VALHALL_MODIFIERS];
    uint8_t way;               /* enum valhall_way_kind */
    uint8_t stages;            /* bit per enum ir_stage; 0: vertex, fragment and compute */
    uint8_t space, tables, pixel, colours; /* the enumerations above */
    uint16_t effects;          /* WEFT_EFFECT_... */
    uint8_t unread;            /* set of sources that the lift does not read, or not always: the device has them */
    uint8_t same;              /* set of sources that must be the same in all lanes of a warp */
    uint8_t coverage;          /* set of sources: its result is this one's coverage mask */
    uint8_t builtins;          /* it reads built-in varyings: how many there are */
    bool unwritten;            /* the number of staging registers does not say how many are written */
    bool slot_0;               /* it has message slot 0 without saying so */
    bool level_last;           /* a level of detail may follow the other staging registers */
    bool older;                /* a name of older text: most of what it writes is printed under another name */
};

struct valhall_row {
    const char *name;          /* "FADD.f32" */
    const char *group, *doc;
    const struct valhall_form *form;
    uint16_t opcode;           /* primary opcode */
    uint16_t also;             /* another one that decodes as this instruction; 0: none */
    uint8_t second;            /* secondary opcode, where the form has a field for it */
    uint8_t unit;              /* enum valhall_unit */
    uint8_t type;              /* enum valhall_type, and what it says: */
    uint8_t size, lanes;       /* bits of an element, elements */
    uint8_t kind;              /* enum weft_operand_type */
    uint8_t provenance;        /* enum isa_provenance */
    uint8_t arg;               /* of its lift (lift_rows.h) */
    bool has_slot;             /* it has a message slot, which a modifier names or the form */
    bool folds;                /* its result is a constant when its source is: the source, plus the immediate if any */
    bool has_dst;
    uint8_t nsrc, nstaging, nimm, nmods;
    struct valhall_source_rule src[VALHALL_SOURCES];
    struct valhall_staging_rule staging[VALHALL_STAGINGS];
    uint8_t imm[VALHALL_IMMEDIATES]; /* enum valhall_field_id in the order of text */
    uint8_t mods[VALHALL_MODIFIERS];
    valhall_lift_fn *lift;
    valhall_element_fn *element; /* of rows whose lift is valhall_lift_each */
};

static inline bool valhall_has_modifier(const struct valhall_row *row, enum valhall_field_id id)
{
    for (unsigned i = 0; i < row->nmods; i++)
        if (row->mods[i] == id)
            return true;
    return false;
}

/* Whether the row has a modifier, and the instruction says it. */
static inline bool valhall_has_flag(const struct valhall_insn *insn, enum valhall_field_id id)
{
    return valhall_has_modifier(insn->row, id) && valhall_mod(insn, id);
}

/* The immediate of that role (enum valhall_role); -1: it has none. */
static inline int64_t valhall_immediate(const struct valhall_insn *insn, unsigned role)
{
    for (unsigned i = 0; i < insn->row->nimm; i++)
        if (valhall_fields[insn->row->imm[i]].role == role)
            return insn->imm[i];
    return -1;
}

/* Every instruction by number. The table is made from rows.inc at first use. */
enum valhall_op {
#define TYPED(base, type, ...) VALHALL_##base##_##type,
#define EACH TYPED
#define PLAIN(base, ...) VALHALL_##base,
#include "isa/valhall/rows.inc"
#undef TYPED
#undef EACH
#undef PLAIN
    VALHALL_OPS
};
const struct valhall_row *valhall_rows(void);

/* The stages that an instruction is for, a bit per enum ir_stage. */
uint32_t valhall_stages(const struct valhall_row *row);

/* Where a load of the row puts its bits; width 0: it takes whole registers, as they come. */
struct valhall_part valhall_loaded_part(const struct valhall_insn *insn);

/* Row of a mnemonic with its type ("FADD.f32", any of its names), or -1. */
int valhall_find_row(const char *name, size_t length);

/* ---- programs ---- */

struct isa_module {
    uint64_t *words;
    uint32_t nwords;
    struct span *where;        /* of each instruction in the source; NULL: made from bytes */
    const char *name;          /* of the file that the bytes came from; may be NULL */
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
/* How many words are not instructions; zeros, which fill up the end, do not count. */
size_t valhall_unknown(const struct isa_module *m);

/* The word in 8 bytes of memory. */
static inline uint64_t valhall_word_at(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return le64toh(word);
}

/* Row of a word; NULL: it is not an instruction. */
const struct valhall_row *valhall_row_of(uint64_t word);
/* Read everything; insn->row is NULL where valhall_row_of says so. */
void valhall_read(uint64_t word, struct valhall_insn *insn);
/* The same of a word whose row is known. */
void valhall_read_as(const struct valhall_row *row, uint64_t word, struct valhall_insn *insn);
/* The slot that tells when an instruction's message is done, -1: it passes none. ATEST has slot 0 without saying so. */
static inline int valhall_slot(const struct valhall_row *row, uint64_t word)
{
    if (!row->has_slot)
        return -1;
    return row->form->slot_0 ? 0 : (int)valhall_get_field(word, VALHALL_MOD_SLOT);
}
/* The same for instruction `number` of a program. */
void valhall_insn_at(const struct isa_module *m, uint32_t number, struct valhall_insn *insn);

/* ---- what an instruction reads and writes (operands.c) ---- */

/* Bits of its operand that a source reads; 64: of a pair of registers or uniforms, the even one first. */
struct valhall_part valhall_source_part(const struct valhall_source *s);
/* Registers that an instruction reads and writes, a bit each; staging registers of messages included. */
uint64_t valhall_reads(const struct valhall_insn *insn);
uint64_t valhall_writes(const struct valhall_insn *insn);

/* ---- parts of the instruction set: one file each ---- */
void valhall_row_info(uint32_t row, struct isa_row_info *info);
extern const struct isa_insn_ops valhall_insn_ops;
/* insn.h's operands and fields (operands.c, fields.c). */
size_t valhall_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands);
size_t valhall_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields);
/* What is at fault in the printer's tables ("": nothing). */
const char *valhall_print_fault(void);
/* The line of a word, without its end: where the text goes on at `p`. */
char *valhall_print_word(char *p, uint64_t word);
/* The same with a name in place of the number of its target, its last operand. */
char *valhall_print_named(char *p, uint64_t word, const char *name);
/* ".byte 0x.., ..." of bytes that are not a whole word. */
char *valhall_print_tail(char *p, const uint8_t *bytes, unsigned count);
/* The text of a source without what follows it ("r5", "^r5", "u64", "0x3F800000", "lane_id.w0"); NULL: no such source.
 */
const char *valhall_source_text(unsigned page, unsigned byte);
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
