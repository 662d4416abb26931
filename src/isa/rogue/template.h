/* template.h - how instructions are written, and the table that ties rows to bits. Private to the instruction set.
 *
 * The text of a row is what stands behind its name. In front of the first blank, and behind each operand, are
 * modifiers:
 *   {field}        .word of the field, if it is not the initial one; a flag: .field
 *   {field:word}   .word if the flag is set; numbers: .word and the number
 * Operands, with ", " between them:
 *   %d             FT0 in phase 0, FT1 in phase 1
 *   %0 to %5       source port; %0 %1 %2 are S3 S4 S5 in phase 1; %3? may be absent
 *   %i0 to %i3     internal selector
 *   %w0 %w1        destination
 *   %drc           the data fence of the group's header, behind a word
 *   <field>        its value, behind a word if it follows one
 *   <field?word>   the word if the flag is set, else _
 *   <field?>       a value at the end, which may be absent: 0
 *   anything else  itself */
#ifndef WEFT_ISA_ROGUE_TEMPLATE_H
#define WEFT_ISA_ROGUE_TEMPLATE_H

#include "isa/rogue/ports.h"
#include "isa/rogue/rogue.h"

enum {
    ROGUE_TEMPLATE_MODS = 24,
    ROGUE_OPERAND_MODS = 6,
    ROGUE_OPERANDS = 20,
    ROGUE_FORMS = 160,
    ROGUE_VARIANTS = 400,
    ROGUE_CHECKS = 1200
};

struct rogue_mod {
    uint8_t field;  /* enum rogue_field */
    uint8_t length; /* of word; 0: the field's own words */
    const char *word;
};

enum rogue_operand_kind {
    ROGUE_ON_WORD,
    ROGUE_ON_FIELD,
    ROGUE_ON_OPTION,
    ROGUE_ON_FT,
    ROGUE_ON_PORT,
    ROGUE_ON_IS,
    ROGUE_ON_W,
    ROGUE_ON_DRC
};
struct rogue_operand {
    uint8_t kind;     /* enum rogue_operand_kind */
    uint8_t field;    /* ROGUE_ON_FIELD, ROGUE_ON_OPTION */
    uint8_t n;        /* number of the port, selector or destination */
    bool optional;    /* ROGUE_ON_PORT; ROGUE_ON_FIELD at the end: left out when it is initial */
    uint8_t length;   /* of word */
    const char *word; /* ROGUE_ON_WORD, _OPTION: the word; _FIELD, _DRC: what stands in front */
    uint8_t nmods;
    struct rogue_mod mods[ROGUE_OPERAND_MODS];
};

struct rogue_template {
    uint8_t nmods, noperands;
    struct rogue_mod mods[ROGUE_TEMPLATE_MODS];
    struct rogue_operand operands[ROGUE_OPERANDS];
};

/* Number of a field by its name; -1: there is none. */
int rogue_find_field(const char *name, size_t length);

/* Turn the bytes of a pattern around: ours have the first byte first, patterns the most significant bit. */
void rogue_reverse_bytes(const char *text, char *out, size_t size);

/* Compile the text of a row (or another way to write it). False when the text is at fault. */
bool rogue_template_compile(const char *text, struct rogue_template *out);

/* A published form: its bytes and their fields. */
struct rogue_form {
    char name[32]; /* as published */
    struct pattern pattern;
    int8_t slot[ROGUE_FIELDS];         /* number of a field in the pattern; -1: it has none */
    uint8_t field[PATTERN_MAX_FIELDS]; /* and the other way round */
    uint8_t bytes;
    uint8_t ctrlop; /* control: number in the group's header */
    bool weft;      /* weft's own encoding */
};

/* One form of one row. What the decoder looks at comes first. */
struct rogue_variant {
    struct pattern_word mask, value; /* fixed bits: the form's, and what the row fixes */
    struct pattern_word used;        /* the bits of its bytes */
    const struct rogue_row *row;
    uint8_t number; /* of the form among the row's */
    uint8_t bytes;
    bool weft;       /* weft's own encoding */
    bool weft_codes; /* has a field some of whose codes are weft's own */
    uint8_t reads;   /* ports that its row reads by its text, in phase 0: bit n is Sn */
    uint16_t p2end;  /* the bit that ends phase 2, in the first bytes; 0: it has none */
    uint8_t nchecks; /* fields some of whose codes mean nothing */
    const struct rogue_code_check {
        uint8_t slot;
        uint64_t valid; /* bit per code; per code of the low six bits of a wider field */
    } * checks;
    const struct rogue_form *form;
    struct pattern_word start; /* with all fields at their initial codes */
};

/* Variants that may start with a byte (control: have a number in the header): shorter ones first, then those with more
 * fixed bits. */
struct rogue_lookup {
    uint16_t first[257];
    uint16_t variant[ROGUE_VARIANTS * 8];
};

struct rogue_table {
    struct rogue_variant variants[ROGUE_VARIANTS];
    uint16_t nvariants;
    uint16_t first[ROGUE_OPS]; /* variant of a row's first form */
    struct rogue_template templates[ROGUE_OPS];
    struct rogue_lookup lookup[ROGUE_UNITS];
    struct rogue_part_forms ports[ROGUE_PARTS];
    struct rogue_form forms[ROGUE_FORMS];
    struct rogue_code_check checks[ROGUE_CHECKS];
    uint16_t nchecks;
};
const struct rogue_table *rogue_table(void);

/* Form n of a part, from 1; NULL: there is none. */
static inline const struct rogue_port_form *rogue_port_form(const struct rogue_table *t, enum rogue_part part,
                                                            unsigned n)
{
    return n - 1 < t->ports[part].count ? &t->ports[part].form[n - 1] : NULL;
}

static inline const struct rogue_variant *rogue_variant_of(const struct rogue_table *t, const struct rogue_insn *insn)
{
    return &t->variants[t->first[insn->row->op] + insn->form];
}

static inline bool rogue_matches(const struct rogue_variant *v, const struct pattern_word *bits)
{
    return (((bits->w[0] ^ v->value.w[0]) & v->mask.w[0]) | ((bits->w[1] ^ v->value.w[1]) & v->mask.w[1])) == 0;
}

/* Has an instruction of this form no public encoding? */
static inline bool rogue_is_weft(const struct rogue_variant *v, const struct pattern_word *bits)
{
    enum { SE9995 = 13, TEST_OF_HALVES = 7 };
    const struct rogue_form *f = v->form;
    int format = f->slot[ROGUE_F_PCK_FORMAT], type = f->slot[ROGUE_F_TYPE];
    return v->weft || (format >= 0 && pattern_get(&f->pattern.field[format], bits) == SE9995) ||
           (type >= 0 && pattern_get(&f->pattern.field[type], bits) == TEST_OF_HALVES);
}

/* The code of a field in an instruction: what its bits are. */
unsigned long long rogue_code(const struct rogue_variant *v, const struct pattern_word *bits, enum rogue_field field);
/* Set it. False when the form lacks the field or bits of it, and the code is not the initial one. */
bool rogue_set(const struct rogue_variant *v, struct pattern_word *bits, enum rogue_field field, uint64_t code);
/* A code of a sum of products' argument and what it says; writing is false when it cannot be said. Valid ones: bit per
 * code of the low six bits. */
struct rogue_sop_source rogue_sop_read(enum rogue_op op, enum rogue_field field, uint64_t code);
bool rogue_sop_write(enum rogue_op op, enum rogue_field field, const struct rogue_sop_source *s, uint64_t *code);
uint64_t rogue_sop_valid(enum rogue_op op);
static inline bool rogue_is_sop_argument(unsigned field)
{
    return field >= ROGUE_F_ARG_A && field <= ROGUE_F_ARG_Y;
}

/* rogue_read_group into a group that is zero: what the arena gives is. */
void rogue_read_into(const struct rogue_table *t, const uint8_t *bytes, size_t size, struct rogue_group *g);

/* Does the form `shorter` say the same as `insn`? Then *bits is it. */
bool rogue_rewrite(const struct rogue_variant *v, const struct pattern_word *from, const struct rogue_variant *shorter,
                   struct pattern_word *bits);
/* The shortest form of an instruction's row that says the same. */
unsigned rogue_shortest(const struct rogue_insn *insn);

#endif
