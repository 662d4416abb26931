/* rogue.h - a Rogue (PowerVR Series6/6XT USC) program as data, and the table of its instructions.
 *
 * The unit is the instruction group: a header, at most one instruction per phase and the backend, six sources, the
 * internal selectors and two destinations (the document, chapter 3). Instructions keep the bits of their published
 * form; what they say is read from them by the fields of fields.inc. Text and bytes are two ways of writing groups.
 *
 * Byte n of an instruction is bits 8n to 8n+7 of its word. Chapter numbers are those of the document, "PowerVR
 * Instruction Set Reference" (2014); the encoding is what Mesa publishes, and weft's own (docs/manual/rogue.md). */
#ifndef WEFT_ISA_ROGUE_ROGUE_H
#define WEFT_ISA_ROGUE_ROGUE_H

#include "isa/isa.h"
#include "isa/pattern.h"

enum { ROGUE_SLOTS = 6, ROGUE_SOURCES = 6, ROGUE_DESTINATIONS = 2, ROGUE_GROUP_BYTES = 32, ROGUE_INSTANCES = 32 };
enum { ROGUE_REGISTERS = ROGUE_SOURCES + ROGUE_DESTINATIONS, ROGUE_SELECTORS = 6 };

enum rogue_alu { ROGUE_MAIN, ROGUE_ALU_1, ROGUE_BITWISE, ROGUE_CONTROL };

/* What an instruction runs on. Slot of a group: main units as they are, bitwise units from 0, control 0. */
enum rogue_unit {
#define UNIT(id, ...) ROGUE_##id,
#include "isa/rogue/units.inc"
#undef UNIT
    ROGUE_UNITS
};
struct rogue_unit_info {
    const char *label, *alias, *title, *name;
    uint8_t label_length, alias_length;
    uint8_t alu;    /* enum rogue_alu */
    uint8_t part;   /* bit of the group's parts: header.h */
    uint8_t own;    /* bits of a byte that it shares */
    int8_t ft;      /* the feedthrough that it drives; -1 */
    uint16_t plain; /* enum rogue_op: what is there when nothing is said; ROGUE_OPS */
};
extern const struct rogue_unit_info rogue_units[ROGUE_UNITS];
/* The unit of feedthrough n in groups of the main or bitwise ALU, which have 3 and 6 of them. */
static inline enum rogue_unit rogue_driver(bool bitwise, unsigned n)
{
    static const uint8_t main_units[] = {ROGUE_P0, ROGUE_P1, ROGUE_PCK},
                         units[] = {ROGUE_BITMASK, ROGUE_BITMASK, ROGUE_SHIFT1,
                                    ROGUE_COUNT,   ROGUE_LOGICAL, ROGUE_SHIFT2};
    return (enum rogue_unit)(bitwise ? units[n] : main_units[n]);
}
static inline unsigned rogue_slot(enum rogue_unit unit)
{
    return (unsigned)unit % ROGUE_SLOTS;
}

/* ---- registers ---- */

/* As Mesa publishes them. The two index banks name a register of `index & 7` (enum rogue_indexed) at `index >> 3` past
 * the index register; the special bank has constants (0..31, 64..95, 128..159) and special registers (the rest). */
enum rogue_bank {
    ROGUE_SPECIAL,
    ROGUE_TEMP,
    ROGUE_VTXIN,
    ROGUE_COEFF,
    ROGUE_SHARED,
    ROGUE_COEFF_ALT,
    ROGUE_IDX0,
    ROGUE_IDX1
};
enum rogue_indexed {
    ROGUE_INDEXED_TEMP,
    ROGUE_INDEXED_VTXIN,
    ROGUE_INDEXED_COEFF,
    ROGUE_INDEXED_SHARED,
    ROGUE_INDEXED_DC,
    ROGUE_INDEXED_IDX,
    ROGUE_INDEXED_COEFF_ALT,
    ROGUE_INDEXED_PIXOUT
};
enum rogue_special {
    ROGUE_SR_PIXOUT0 = 32,
    ROGUE_SR_INTERNAL0 = 36,
    ROGUE_SR_SLOT7 = 36,
    ROGUE_SR_INTERNAL7 = 43,
    ROGUE_SR_FACE = 44,
    ROGUE_SR_INST_NUM = 51,
    ROGUE_SR_X_P = 97,
    ROGUE_SR_X_S = 98,
    ROGUE_SR_Y_P = 100,
    ROGUE_SR_Y_S = 101,
    ROGUE_SR_GLOBAL0 = 104,
    ROGUE_SR_PIXOUT4 = 164
};
struct rogue_reg {
    uint8_t bank;   /* enum rogue_bank */
    uint8_t dim;    /* [idx, D]: log2 of D; weft's own encoding when not 0 */
    uint16_t index; /* 11 bits */
};
static inline bool rogue_reg_is_indexed(struct rogue_reg r)
{
    return r.bank >= ROGUE_IDX0 && (r.index & 7) != ROGUE_INDEXED_IDX;
}
static inline bool rogue_same_reg(struct rogue_reg a, struct rogue_reg b)
{
    return a.bank == b.bank && a.index == b.index && a.dim == b.dim;
}
static inline bool rogue_reg_is_constant(struct rogue_reg r)
{
    return r.bank == ROGUE_SPECIAL && (r.index & 32) == 0 && r.index < 160;
}
/* Value of special constant `index` (appendix); *known is false when there is none. */
uint32_t rogue_constant(unsigned index, bool *known);

/* How a register is written: bank and number as in "sh4", or an indexed one's pointee. */
struct rogue_reg_name {
    const char *name; /* "r", "sc", "po", ... */
    uint16_t number;
};
struct rogue_reg_name rogue_name_reg(struct rogue_reg r);
/* The register of a bank and number, the names of all texts: "r", "vi", "cf", "cfa", "sh", "c", "sc", "sr", "o", "po",
 * "i", "g", "sl". False when there is none. */
bool rogue_find_reg(const char *name, size_t length, uint64_t number, struct rogue_reg *out);
enum { ROGUE_LAST_DEST = 251 }; /* of DITR and ITRSMP, "R0…R251" (chapter 14) */
/* Registers of a bank, whatever can name them. */
enum {
    ROGUE_TEMPORARIES = ROGUE_LAST_DEST + 1,
    ROGUE_VERTEX_INPUTS = 248,
    ROGUE_COEFFICIENTS = 256,
    ROGUE_SHAREDS = 4096,
    ROGUE_PIXEL_OUTPUTS = 8,
    ROGUE_INTERNALS = 8,
    ROGUE_INDEXES = 2
};
enum rogue_file {
#define REGISTERS(id, ...) ROGUE_FILE_##id,
#include "isa/rogue/files.inc"
#undef REGISTERS
    ROGUE_FILES
};
struct rogue_file_info {
    const char *name;
    uint16_t most;
    uint8_t bits;
    bool uniform;
};
extern const struct rogue_file_info rogue_files[ROGUE_FILES];
/* Where a register is. */
struct rogue_spot {
    uint8_t file; /* enum rogue_file; ROGUE_FILES: constants and special registers, dynamic constants in memory */
    uint32_t number;
    int index;      /* of the index register that is added; -1 */
    uint32_t scale; /* what it is multiplied with */
};
/* Of the register `further` after r; those of the special bank do not step. */
struct rogue_spot rogue_spot_of(struct rogue_reg r, unsigned further);
/* The last number of a bank of chapter 4 that a group can name, by the bank's name; -1: it is another name. Coefficient
 * registers have no maximum there ("architecture dependent"): weft has 256. */
int rogue_last_register(const char *name, size_t length);
/* The same of internal, output, slot and other special registers too. */
int rogue_last_named(const char *name, size_t length);
/* "there is no register r250: r0 to r247" of a register that does not exist, since bytes have room for more; NULL: it
 * does. */
enum { ROGUE_MISSING_TEXT = 80 };
const char *rogue_missing_register(struct rogue_reg r, char text[ROGUE_MISSING_TEXT]);
/* enum rogue_indexed of a bank's name; -1: it cannot be indexed. */
int rogue_find_indexed(const char *name, size_t length);
/* Index of the special constant with a value; -1: there is none. */
int rogue_find_constant(uint32_t value);

/* Codes of the internal selectors. */
enum rogue_is0 { ROGUE_IS0_S0, ROGUE_IS0_S3, ROGUE_IS0_S4, ROGUE_IS0_S5, ROGUE_IS0_S1, ROGUE_IS0_S2 }; /* what FTE is */
enum rogue_feed { ROGUE_FT0, ROGUE_FT1, ROGUE_FT2 /* IS3: S2 */, ROGUE_FTE }; /* IS3, IS4 (W0), IS5 (W1), MOVC */

/* The source that IS0 selects. */
static inline unsigned rogue_selected_port(unsigned is0)
{
    static const uint8_t port[8] = {0, 3, 4, 5, 1, 2, 0, 0};
    return port[is0 & 7];
}
struct rogue_selector {
    uint8_t bit, width;   /* in the byte of selectors; width 0: it is not there */
    const char *words[8]; /* by code, NULL-terminated */
};
extern const struct rogue_selector rogue_selectors[ROGUE_SELECTORS];

/* Header: which instances run. */
enum rogue_cc { ROGUE_CC_PE, ROGUE_CC_PE_P0, ROGUE_CC_IGNORE_PE, ROGUE_CC_PE_NOT_P0 };

/* ---- fields ---- */

/* How the number in a field is to be understood. */
enum rogue_field_type {
    ROGUE_NUMBER, /* as it is */
    ROGUE_FLAG,
    ROGUE_WORDS,  /* one of a list of words */
    ROGUE_WRAP,   /* 1..2^n, 2^n as 0 */
    ROGUE_PLUS1,  /* 1..2^n, less one */
    ROGUE_TIMES4, /* a multiple of 4, by 4 */
    ROGUE_BYTES,  /* an even byte offset, signed, by 2 */
    ROGUE_SOURCE, /* S0..S5 */
    ROGUE_MASK    /* bytes e0..e3, a bit each */
};
enum rogue_field {
#define FIELD(id, ...) ROGUE_F_##id,
#include "isa/rogue/fields.inc"
#undef FIELD
    ROGUE_FIELDS
};
struct rogue_field_info {
    const char *name;         /* as the published tables call it */
    uint8_t type;             /* enum rogue_field_type */
    uint8_t initial;          /* code that text leaves out, and of forms without the field */
    const char *const *words; /* ROGUE_WORDS: by code, NULL-terminated; "" has no word */
};
extern const struct rogue_field_info rogue_fields[ROGUE_FIELDS];

/* ---- instructions ---- */

struct rogue_row;

struct rogue_insn {
    const struct rogue_row *row; /* NULL: the slot is empty */
    uint8_t form;                /* which of the row's forms: 0 is the shortest */
    struct pattern_word bits;
};

/* How many registers, from that of a source port on, an instruction reads or writes there; 0: it does not name it. */
unsigned rogue_span_of(const struct rogue_insn *insn, unsigned port);
/* Does an iteration wait for its own fence? */
bool rogue_waits_itself(const struct rogue_insn *insn);
/* Has the instruction, in its form, the field? */
bool rogue_has_field(const struct rogue_insn *insn, enum rogue_field field);
/* Value of a field as text writes it (1..16, byte offsets sign-extended, words by code); what the form lacks has its
 * initial value. */
int64_t rogue_get(const struct rogue_insn *insn, enum rogue_field field);

/* One operand of an F16 sum of products (weft's own encoding: sop.c). */
enum rogue_sop_type { ROGUE_SOP_F16, ROGUE_SOP_F32 /* the whole register, made a half */, ROGUE_SOP_U8 /* of 255 */ };
enum { ROGUE_SOP_ZERO = 6, ROGUE_SOP_Z = 7 };
struct rogue_sop_source {
    uint8_t from;    /* 0..5: S0..S5; ROGUE_SOP_ZERO; ROGUE_SOP_Z: min(s1, 1 - s0) */
    uint8_t type;    /* enum rogue_sop_type; of ROGUE_SOP_Z: how it reads s0 and s1 */
    uint8_t element; /* 0..3 of bytes, 0..1 of halves */
    bool neg, oneminus, abs, clamp, flr;
};
/* The operand in field a..h, v..y. */
struct rogue_sop_source rogue_sop_get(const struct rogue_insn *insn, enum rogue_field field);

/* What tests compare, by code of the field TYPE. */
struct rogue_type {
    uint8_t bits;
    bool is_float, is_signed;
};
extern const struct rogue_type rogue_types[8];
/* Where the level of detail of a request comes from. */
enum rogue_lod { ROGUE_LOD_NORMAL, ROGUE_LOD_BIAS, ROGUE_LOD_REPLACE, ROGUE_LOD_GRADIENTS };
static inline bool rogue_gives_level(const struct rogue_insn *insn)
{
    int64_t mode = rogue_get(insn, ROGUE_F_LODM);
    return mode == ROGUE_LOD_BIAS || mode == ROGUE_LOD_REPLACE;
}
/* Registers that the results of one look-up of an SMP or ITRSMP take. */
unsigned rogue_smp_registers(const struct rogue_insn *insn);

struct rogue_group {
    uint8_t alu;           /* enum rogue_alu */
    uint8_t cc;            /* enum rogue_cc */
    uint8_t repeat;        /* 1..4 */
    bool end, atom, olchk; /* end: also of nop.end */
    uint8_t drc;           /* wdf */
    bool weft;             /* has something without public encoding: weft's own encoding space */
    struct rogue_insn insn[ROGUE_SLOTS];
    union {
        struct {
            struct rogue_reg s[ROGUE_SOURCES], w[ROGUE_DESTINATIONS];
        };
        struct rogue_reg reg[ROGUE_REGISTERS];
    };
    uint8_t sources; /* bit n: S0+n is declared */
    bool mux;        /* is0 is declared */
    union {
        struct {
            uint8_t is0;           /* enum rogue_is0 */
            uint8_t is1, is2;      /* 0: ft0 (is1), ft1 (is2); 1: fte */
            uint8_t is3, is4, is5; /* enum rogue_feed */
        };
        uint8_t is[ROGUE_SELECTORS];
    };
    uint8_t destinations; /* bit n: W0+n is written to w[n] */
    /* How it is encoded. */
    uint8_t header;            /* bytes; 0: the shortest that does */
    bool ph0_low;              /* bit 7 of the bitwise phase-0 byte is 0, as the newer compiler has it */
    int8_t pad;                /* bytes after it that align the end of the program; -1: as needed */
    uint8_t lower, upper, dst; /* forms, from 1; 0: the shortest that does */
    uint8_t asked;             /* bit per part (ports.h), when read or normalised: registers alone give another form */
    uint8_t size;              /* bytes; 0: not laid out yet */
    uint32_t offset;           /* from the start of the program */
    const uint8_t *data;       /* no group: `size` bytes as they are */
};

static inline const struct rogue_insn *rogue_at(const struct rogue_group *g, enum rogue_unit unit)
{
    return &g->insn[rogue_slot(unit)];
}

/* The unit of the group's first slot. */
static inline enum rogue_unit rogue_first_unit(const struct rogue_group *g)
{
    return g->alu == ROGUE_MAIN ? ROGUE_P0 : g->alu == ROGUE_BITWISE ? ROGUE_BITMASK : ROGUE_CTRL;
}

static inline bool rogue_has(const struct rogue_group *g, enum rogue_unit unit)
{
    return rogue_at(g, unit)->row != NULL;
}

/* The control operation of a group, the instruction of its backend; NULL: it has none. */
static inline const struct rogue_insn *rogue_control_of(const struct rogue_group *g)
{
    return g->alu == ROGUE_CONTROL && !g->data && rogue_has(g, ROGUE_CTRL) ? rogue_at(g, ROGUE_CTRL) : NULL;
}
static inline const struct rogue_insn *rogue_backend_of(const struct rogue_group *g)
{
    return g->alu == ROGUE_MAIN && !g->data && rogue_has(g, ROGUE_BACKEND) ? rogue_at(g, ROGUE_BACKEND) : NULL;
}

/* Of the registers of a group, sources and then destinations: is n named? */
static inline bool rogue_names(const struct rogue_group *g, unsigned n)
{
    return (g->sources | (unsigned)g->destinations << ROGUE_SOURCES) >> n & 1;
}
/* Does it name pixel outputs? */
bool rogue_has_pixels(const struct rogue_group *g);

/* Does it run by P0? */
static inline bool rogue_is_predicated(const struct rogue_group *g)
{
    return g->cc == ROGUE_CC_PE_P0 || g->cc == ROGUE_CC_PE_NOT_P0;
}

/* ---- the table of instructions ---- */

struct rogue_lifter;
/* Lift one instruction of the group at work in its place. */
typedef void rogue_lift_fn(struct rogue_lifter *l, const struct rogue_insn *insn);

/* What a row does, as one set of 64 bits: the traits of traits.inc, the effects of weft/insn.h, where control goes, the
 * stages that have it. */
enum {
#define TRAIT(id) ROGUE_BIT_##id,
#include "isa/rogue/traits.inc"
#undef TRAIT
    ROGUE_TRAITS,
    ROGUE_EFFECTS_AT = 30,  /* WEFT_EFFECT_..., 10 bits */
    ROGUE_FLOW_AT = 40,     /* weft_flow, 4 bits */
    ROGUE_STAGES_AT = 44,   /* bit per enum ir_stage, 6 bits; 0: all */
    ROGUE_ARGUMENT_AT = 50, /* of the lift, 14 bits: which of its variants the row is */
    ROGUE_EFFECTS = (1 << 10) - 1
};
enum rogue_trait {
#define TRAIT(id) ROGUE_##id = 1 << ROGUE_BIT_##id,
#include "isa/rogue/traits.inc"
#undef TRAIT
};

struct rogue_row {
    const char *name;   /* "fmad", "tstz" */
    const char *text;   /* how the rest is written: template.h */
    uint16_t units;     /* bit per enum rogue_unit where it can be */
    uint8_t op;         /* enum rogue_op */
    uint8_t provenance; /* enum isa_provenance */
    uint64_t traits;    /* ROGUE_FLOATS and so on */
    bool weft;          /* no public encoding */
    const char *forms;  /* the published names of its forms, and the fields that are fixed */
    const char *group, *doc;
    rogue_lift_fn *lift; /* NULL: not executed yet (an error that names it) */
};

/* Where control goes after the instruction. */
static inline weft_flow rogue_flow_of(const struct rogue_row *row)
{
    return (weft_flow)(row->traits >> ROGUE_FLOW_AT & 15);
}

/* WEFT_EFFECT_... */
static inline uint32_t rogue_effects_of(const struct rogue_row *row)
{
    return (uint32_t)(row->traits >> ROGUE_EFFECTS_AT) & ROGUE_EFFECTS;
}

/* The argument of its lift. */
static inline unsigned rogue_argument(const struct rogue_row *row)
{
    return (unsigned)(row->traits >> ROGUE_ARGUMENT_AT);
}
/* Does it write or end vertices? */
static inline bool rogue_makes_vertices(const struct rogue_row *row)
{
    return row->traits >> (ROGUE_STAGES_AT + IR_GEOMETRY) & 1;
}

/* Arguments of lifts, by the chapter. */
enum rogue_conditional {
    ROGUE_CND_START = 1,
    ROGUE_CND_ELSE,
    ROGUE_CND_MASK,
    ROGUE_CND_LOOP,
    ROGUE_CND_END,
    ROGUE_CND_CALL
};
enum rogue_test {
    ROGUE_TEST_Z,
    ROGUE_TEST_GZ,
    ROGUE_TEST_GEZ,
    ROGUE_TEST_CARRY,
    ROGUE_TEST_E,
    ROGUE_TEST_G,
    ROGUE_TEST_GE,
    ROGUE_TEST_NE,
    ROGUE_TEST_L,
    ROGUE_TEST_LE,
    ROGUE_TEST_MIN,
    ROGUE_TEST_MAX
};
enum rogue_bitmask { ROGUE_BITS_OF_SOURCE, ROGUE_BITS_OF_NUMBER, ROGUE_BITS_OF_MASK };
enum rogue_shift1 { ROGUE_SHIFT1_BYP, ROGUE_SHIFT1_SHFL, ROGUE_SHIFT1_REV, ROGUE_SHIFT1_LSL };
enum rogue_count { ROGUE_COUNT_BYP, ROGUE_COUNT_ONES, ROGUE_COUNT_HIGHEST, ROGUE_COUNT_SIGN, ROGUE_COUNT_MSB };
enum rogue_shift2 {
    ROGUE_SHIFT2_LSL,
    ROGUE_SHIFT2_SHR,
    ROGUE_SHIFT2_ROL,
    ROGUE_SHIFT2_CPS,
    ROGUE_SHIFT2_TWB,
    ROGUE_SHIFT2_PWB,
    ROGUE_SHIFT2_MTB,
    ROGUE_SHIFT2_FTB
};
enum { ROGUE_INVERTS = 1 << 13 /* beside the IR's op of a logical instruction */ };
enum { ROGUE_GRADIENT_X = 1, ROGUE_GRADIENT_FINE = 2 };
enum { ROGUE_UVSW_EMITS = 1, ROGUE_UVSW_CUTS = 2 };
enum { ROGUE_SUM_OF_BYTES = 1 };
enum { ROGUE_SOP_MOVES_S0 = 1, ROGUE_SOP_MOVE_ASKED = 2 /* by its field */ };
/* How values are iterated: what they are multiplied with. */
enum rogue_perspective {
    ROGUE_PLAIN,
    ROGUE_TIMES_W,
    ROGUE_TIMES_W_KEPT /* and the reciprocal is kept */,
    ROGUE_TIMES_KEPT
};

/* Is it the conditional? */
static inline bool rogue_is_conditional(const struct rogue_row *row, enum rogue_conditional how)
{
    return row->traits & ROGUE_WRITES_PE && rogue_argument(row) == (unsigned)how;
}
static inline bool rogue_is_branch(const struct rogue_row *row)
{
    return rogue_flow_of(row) == WEFT_FLOW_BRANCH || rogue_flow_of(row) == WEFT_FLOW_CALL;
}

/* Every instruction by number. The table is made from rows_*.inc at first use. */
enum rogue_op {
#define ROW(id, ...) ROGUE_OP_##id,
#include "isa/rogue/rows.inc"
#undef ROW
    ROGUE_OPS
};
extern const struct isa_difference rogue_differences[];
const struct rogue_row *rogue_rows(void);
/* How a row is written: "fmul[.sat] ft0|ft1, s0|s3[.flr][.abs][.neg], s1|s4[.abs]". */
const char *rogue_syntax(uint32_t op);
/* Number of forms of a row. */
unsigned rogue_nforms(unsigned op);

/* ---- programs ---- */

struct isa_module {
    struct rogue_group *groups;
    uint32_t ngroups;
    struct span *where; /* of each group in the source; NULL: made from bytes */
    uint64_t base;      /* address of the first group */
    const char *name;   /* of the bytes that it is made from; NULL: a text */
    bool strict;
    bool labels; /* printed: branches name labels */
    int stage;   /* enum ir_stage or -1 */
    const struct isa_linkage *linkage;
};

/* A program without groups. */
struct isa_module *rogue_new_module(const struct isa_params *params, struct arena *arena);

/* Does control flow from the first group get to a group, whatever it computes? */
enum rogue_reach { ROGUE_REACH_NEVER, ROGUE_REACH_MAYBE, ROGUE_REACH_ALWAYS };
/* By group, enum rogue_reach. *anywhere: addresses are computed, so that any group may be reached. NULL: no memory. */
uint8_t *rogue_find_reach(const struct isa_module *m, struct arena *arena, bool *anywhere);
/* The group at an offset from the start of the program; UINT32_MAX: none begins there. */
uint32_t rogue_group_at(const struct isa_module *m, int64_t offset);
/* The group that a branch goes to, the number of groups for the end of the program; UINT32_MAX: none begins there. */
uint32_t rogue_target_of(const struct isa_module *m, const struct rogue_group *g);
/* Traits of a group's control operation or backend instruction: what tells where control goes. 0: it has neither. */
uint64_t rogue_flow_traits(const struct rogue_group *g);
/* The branch of a group; NULL: it has none. */
const struct rogue_insn *rogue_branch_of(const struct rogue_group *g);

/* Fill in the forms, header and size (without padding that aligns) of a group from what it says. NULL, or what is in
 * the way. */
const char *rogue_fit(struct rogue_group *g);
/* Forget the forms, header and padding that a group's text asks for: rogue_fit chooses the shortest. */
void rogue_shorten(struct rogue_group *g);
/* Ports that the instructions of a group read by their place in the text: bit n is Sn. */
unsigned rogue_reads(const struct rogue_group *g);
/* Declare what is below a declared port in its half, which reads constant 0 there, unless an instruction reads the
 * upper one by itself: the lowest numbered inputs of a half are used first (chapter 3). */
void rogue_fill_gaps(struct rogue_group *g);
/* Let the declared sources and IS0 of a fitted group be those that its bytes show; see which forms are asked for. */
void rogue_normalise(struct rogue_group *g);
/* Does an instruction of phase 0 take the whole main ALU and drive W0 and W1 itself? Complex operations and sums of
 * products do. */
bool rogue_takes_alu(const struct rogue_row *row);
/* Can the parts of a group be together? */
bool rogue_phases_fit(const struct rogue_group *g);
/* Fit every group and give it its offset and padding. The group that does not fit, or -1; *why says what is in
 * the way. */
int64_t rogue_layout(struct isa_module *m, const char **why);
/* Padding of group i where the text does not say: the last group of a program starts and ends on 8 bytes. */
int rogue_padding(const struct isa_module *m, uint32_t i);
/* The same of a group at `offset` that is the last of a program which ends there, or the one before it. */
int rogue_padding_of(const struct rogue_group *g, uint32_t offset, bool last);
/* Write a group that has been fitted. */
void rogue_write_group(const struct rogue_group *g, uint8_t *out);
/* Read the group at `bytes` of `size` bytes. Unknown bytes become data. */
void rogue_read_group(const uint8_t *bytes, size_t size, struct rogue_group *g);
/* Does the instruction have no public encoding? */
bool rogue_insn_is_weft(const struct rogue_insn *insn);
/* Last thing before encoding: P2END of what is last in phase 2, what unused units of a phase do, the mark of weft's
 * encodings. */
void rogue_finish(struct rogue_group *g);

/* ---- parts of the instruction set: one file each ---- */
weft_status rogue_parse(const struct source *, const struct isa_params *, struct arena *, struct isa_module **,
                        weft_diags *);
weft_status rogue_print(const struct isa_module *, struct arena *, char **text, size_t *size, struct isa_places *);
weft_status rogue_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *, struct arena *,
                         struct isa_module **, weft_diags *);
weft_status rogue_encode(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status rogue_check(const struct isa_module *, const struct source *, const struct isa_params *, weft_diags *);
weft_status rogue_lift(const struct isa_module *, const struct source *, struct arena *, struct ir_program **,
                       weft_diags *);

extern const struct isa isa_rogue;

#endif
