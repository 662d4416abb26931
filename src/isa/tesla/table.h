/* table.h - the syntax column of the rows, compiled: what printer, parser and tests walk along.
 *
 * A syntax is:
 *   add          a word as it is
 *   [sat:b8]     a word that is there when the bit is 1
 *   {rn|rz:b16-17=0|3}  one of several words by a field; codes count from 0 unless they are listed
 *   LA32         an operand (operands.inc)
 * A second D is the destination again. Before the mnemonic, [LANE] allows a lane mask and [PRED] a predicate. */
#ifndef WEFT_ISA_TESLA_TABLE_H
#define WEFT_ISA_TESLA_TABLE_H

#include "isa/tesla/fields.h"
#include "isa/tesla/tesla.h"

enum { TESLA_MAX_ITEMS = 24, TESLA_MAX_WORDS = 160, TESLA_WORD_LENGTH = 14, TESLA_MAX_SHORT = 4 };
enum { TESLA_NO_WORD = 0, TESLA_BAD_CODE = 255 }; /* in tesla_item.words: prints nothing; not a code */

/* What a word does to what follows it. */
enum tesla_word_role {
    TESLA_W_PLAIN, TESLA_W_NEG, TESLA_W_ABS, TESLA_W_NOT, TESLA_W_ROUNDING,
    TESLA_W_OPEN, TESLA_W_CLOSE /* a type that is said between them ends with them */
};

/* Where an item goes in struct tesla_decoded. */
enum tesla_role {
    TESLA_R_WORD, TESLA_R_ROUNDING, TESLA_R_CONDITION, TESLA_R_QUAD_OPERATION, TESLA_R_QUAD_LANE, /* words */
    TESLA_R_SOURCE, TESLA_R_RESULT, TESLA_R_CSRC, TESLA_R_CDST, TESLA_R_TEXTURE, TESLA_R_SAMPLER, TESLA_R_TEXEL_X,
    TESLA_R_TEXEL_Y, TESLA_R_TEXEL_Z, TESLA_R_BARRIER, TESLA_R_BARRIER_COUNT,
    TESLA_R_VALUE = TESLA_R_SOURCE /* operands.inc: the result, if it is the first of an instruction that has one */
};

/* A word of the language. Number 0 is not a word. */
struct tesla_word {
    char text[TESLA_WORD_LENGTH + 2];
    char spaced[TESLA_WORD_LENGTH + 2]; /* a blank and the text */
    uint8_t length;
    uint8_t type;        /* enum tesla_type, if it is one */
    uint8_t role;        /* enum tesla_word_role */
    uint16_t modifier;   /* enum tesla_modifier, if it is one */
    uint16_t first_row;  /* rows whose mnemonic it is: tesla_by_mnemonic[first_row ..], nrows of them */
    uint16_t nrows;
};

enum tesla_item_kind { TESLA_I_WORD, TESLA_I_CHOICE, TESLA_I_OPERAND };

/* Operands of the syntax column (operands.inc). */
enum tesla_slot {
#define OPERAND(name, ...) TESLA_SLOT_##name,
#include "isa/tesla/operands.inc"
#undef OPERAND
    TESLA_SLOTS
};

/* What a slot is made of. OPTIONAL: a register that a bit says is there. */
enum tesla_slot_kind {
    TESLA_S_REGISTER, TESLA_S_OPTIONAL, TESLA_S_ADDRESS, TESLA_S_FIXED, TESLA_S_NUMBER, TESLA_S_TARGET, TESLA_S_MEMORY,
    TESLA_S_GLOBAL, TESLA_S_SOURCE, TESLA_S_INTEGER, TESLA_S_DESTINATION, TESLA_S_SAME, TESLA_S_WRITTEN, TESLA_S_READ
};

/* What printing can make short work of. */
enum tesla_shape {
    TESLA_SHAPE_OTHER,
    TESLA_SHAPE_REGISTER, TESLA_SHAPE_HALF, /* $r0, $r0l */
    TESLA_SHAPE_DESTINATION, TESLA_SHAPE_HALF_DESTINATION, /* the same unless bit 35 is set */
    TESLA_SHAPE_SOURCE, TESLA_SHAPE_HALF_SOURCE, /* the same where the source is not memory */
    TESLA_SHAPE_LETTER, TESLA_SHAPE_OPTIONAL /* $t0, $c0; the same if it is there */
};

struct tesla_item {
    uint8_t kind;      /* enum tesla_item_kind */
    uint8_t slot;      /* OPERAND: enum tesla_slot */
    uint8_t shape;     /* OPERAND: enum tesla_shape */
    uint8_t role;      /* enum tesla_role */
    uint8_t low, width; /* CHOICE, and OPERAND of a register shape: the field */
    uint16_t ones;      /* as many as the field is wide */
    bool tight;        /* WORD: no blank before it: it is next to a parenthesis */
    char letter;       /* OPERAND: of LETTER and OPTIONAL */
    uint8_t nwords;    /* CHOICE: codes that may have words */
    uint8_t words[16]; /* WORD: the first; CHOICE: by code */
};

static inline void tesla_set_field(struct tesla_item *item, unsigned low, unsigned width)
{
    item->low = (uint8_t)low;
    item->width = (uint8_t)width;
    item->ones = (uint16_t)((1u << width) - 1);
}

static inline bool tesla_shape_is_half(const struct tesla_item *item)
{
    return (item->shape & 1) == 0;
}

/* Number of the source of a SOURCE shape, by where its field is. */
static inline unsigned tesla_shape_source(const struct tesla_item *item)
{
    return item->low == tesla_fields[TESLA_FIELD_SRC1].low   ? 0
           : item->low == tesla_fields[TESLA_FIELD_SRC2].low ? 1
                                                             : 2;
}

/* Which kinds of sources a row has: what decides over bits 23, 24 and 53. */
enum tesla_sources { TESLA_HAS_A = 1, TESLA_HAS_B = 2, TESLA_HAS_C = 4 };

/* A short form with the words and operands of a long one. */
struct tesla_short {
    uint16_t row;
    bool again;     /* it has the destination again where the long form has source C */
    uint64_t extra; /* a word without these bits has nothing that the short form lacks; all: only a match tells */
};

struct tesla_template {
    const struct tesla_item *items;
    uint8_t nitems;
    uint8_t mnemonic;   /* number of the word */
    bool lanes, predicated;
    uint8_t sources;    /* enum tesla_sources */
    bool small;         /* sources and destinations are those of a 32-bit word: short and immediate forms */
    uint16_t kinds;     /* of its operands, a bit per enum tesla_slot_kind */
    bool plus_carry;    /* reads CSRC */
    bool limited;       /* has `lim` */
    bool quad_lane;     /* has dx and dy, each of two codes, see tesla_ignored */
    bool partial;       /* a choice has undefined codes */
    bool wide;          /* an earlier row differs by a 16-bit destination alone, see tesla_is_wide */
    uint8_t nshort;     /* short forms, in the order of preference */
    struct tesla_short short_form[TESLA_MAX_SHORT];
    uint32_t effects;   /* WEFT_EFFECT_..., whatever the bits are */
    uint64_t ignored;   /* bits that may be set for nothing, see tesla_ignored */
    uint64_t used;      /* bits that its fixed part and operands other than sources use */
    uint64_t plain, plain_value; /* bits for what short forms lack, and what they are where it is not there */
};

/* Whether it has an operand of that kind. */
static inline bool tesla_has(const struct tesla_template *t, enum tesla_slot_kind kind)
{
    return t->kinds >> kind & 1;
}

/* " $r0" and so on, to copy 8 bytes at a time. */
enum { TESLA_NAME_LETTER = 2 /* its place */ };
struct tesla_register_name {
    char spaced[7];
    uint8_t length;
};

/* What is made of the rows at the first use. */
struct tesla_tables {
    struct tesla_register_name reg[256];
    struct tesla_word word[TESLA_MAX_WORDS];
    uint32_t nwords;
    struct tesla_template row[TESLA_ROWS];
    uint16_t by_mnemonic[TESLA_ROWS]; /* rows, together by mnemonic, in the order of the table */
    uint8_t ignored_word, wide_word, nearest_word, product_word; /* ignored, wide, rn, mul */
    uint8_t type_word[TESLA_TYPES];     /* word of a type */
    uint16_t slot[1024];                  /* hash table of the words: number, 0 is free */
    /* decoding: rows by form, primary and secondary opcode */
    uint16_t cell_first[4 * 16 * 8 + 1], cell_row[TESLA_ROWS * 8];
};

const struct tesla_tables *tesla_tables(void);

static inline uint32_t tesla_row_number(const struct tesla_row *row)
{
    return (uint32_t)(row - tesla_rows);
}

static inline const struct tesla_template *tesla_template_of(const struct tesla_row *row)
{
    return &tesla_tables()->row[tesla_row_number(row)];
}

/* What is wrong with the first row that does not compile; NULL: nothing, all do. */
const char *tesla_table_fault(uint32_t *row);

/* The operand of that name in a syntax, of a short or immediate form or of another; -1: none has it. The choice of that
 * name, as a syntax has it; NULL: none has it. */
int tesla_slot_named(const char *name, size_t length, bool small);
const char *tesla_choice_named(const char *name, size_t length);

/* What the reference shows of a row: isa.row_info, isa.row_texts. */
void tesla_row_info(uint32_t number, struct isa_row_info *info);
void tesla_row_texts(uint32_t number, struct isa_row_info *info);

/* Number of a word, or TESLA_NO_WORD. */
uint8_t tesla_find_word(const struct tesla_tables *t, const char *text, size_t length);

/* The row of a word of the given kind, with everything that it says checked: NULL when it is not one. `word` of a short
 * instruction has 32 bits. */
const struct tesla_row *tesla_find_row(const struct tesla_tables *t, uint64_t word, const struct tesla_target *target);

/* The rows of the kind and the opcodes of a word; how many. */
unsigned tesla_rows_near(const struct tesla_tables *t, uint64_t word, const uint16_t **rows);

/* Bits for which a word that has the fixed bits of a row is not that instruction in programs of the stage; 0: it is. */
uint64_t tesla_wrong_bits(const struct tesla_template *t, uint64_t word, uint8_t stage);

/* ---- kinds of words ---- */

/* Long instructions have bit 0 set, control instructions bit 1 ("Instruction kinds"). */
static inline bool tesla_is_long(uint64_t word)
{
    return word & 1;
}

static inline bool tesla_is_control(uint64_t word)
{
    return word & 2;
}

#endif
