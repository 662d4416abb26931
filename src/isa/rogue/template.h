/* template.h - how instructions are written, and the table that ties rows to bits. Private to the instruction set.
 *
 * The text of a row is what follows its name. Before the first blank, and after each operand, are
 * modifiers:
 *   {field}        .word of the field, if it is not the initial one; a flag: .field
 *   {field:word}   .word if the flag is set; numbers: .word and the number
 * Operands, with ", " between them:
 *   %d             FT0 in phase 0, FT1 in phase 1
 *   %0 to %5       source port; %0 %1 %2 are S3 S4 S5 in phase 1; %3? may be absent
 *   %i0 to %i3     internal selector
 *   %w0 %w1        destination
 *   %drc           the data fence of the group's header, after a word
 *   <field>        its value, after a word if one is before it
 *   <field?word>   the word if the flag is set, else _
 *   <field?>       a value at the end, which may be absent: 0
 *   anything else  itself
 * Directly after an operand [...] says what it does, unless it reads one register (the first operand, if it is a
 * feedthrough, and %d, %w0 and %w1 write one): w: it writes; x: the lift does without it; s: coefficient sets begin
 * there; -: nothing is done. Then how many registers: a number, a field, number*field, or bank, values, texels, data,
 * level (enum rogue_extent). */
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
/* How many registers an operand is of, from the one that it names on. */
enum rogue_extent {
    ROGUE_TIMES_FIELD, /* times the field, if it has one */
    ROGUE_TO_BANK_END, /* as many as a source says, at most those to the end of the bank */
    ROGUE_VALUES,      /* as iteration gives: .f16 has two in each */
    ROGUE_TEXELS,      /* as a request to a texture gives */
    ROGUE_TEXEL_DATA,  /* what a request to a texture has as its data */
    ROGUE_LEVEL        /* one, if the level of detail is not in the data */
};
enum { ROGUE_READ = WEFT_READ, ROGUE_WRITE = WEFT_WRITE, ROGUE_NOT_LIFTED = 4, ROGUE_SETS = 8 };
struct rogue_access {
    uint8_t how;    /* set of ROGUE_READ, ROGUE_WRITE, ROGUE_NOT_LIFTED: the lift does without, and ROGUE_SETS:
                       coefficient registers, where sets begin */
    uint8_t extent; /* enum rogue_extent */
    uint8_t times;
    uint8_t field; /* ROGUE_FIELDS: none */
};

struct rogue_operand {
    struct rogue_access access;
    uint8_t kind;     /* enum rogue_operand_kind */
    uint8_t field;    /* ROGUE_ON_FIELD, ROGUE_ON_OPTION */
    uint8_t n;        /* number of the port, selector or destination */
    bool optional;    /* ROGUE_ON_PORT; ROGUE_ON_FIELD at the end: left out when it is initial */
    uint8_t length;   /* of word */
    const char *word; /* ROGUE_ON_WORD, _OPTION: the word; _FIELD, _DRC: what is before it */
    uint8_t nmods;
    struct rogue_mod mods[ROGUE_OPERAND_MODS];
};

struct rogue_template {
    uint8_t nmods, noperands;
    struct rogue_mod mods[ROGUE_TEMPLATE_MODS];
    struct rogue_operand operands[ROGUE_OPERANDS];
};

/* Code that text leaves out; 0 or 1 of fields that text always writes. */
unsigned rogue_initial_code(enum rogue_field field);
/* Number of a field by its name; -1: there is none. */
int rogue_find_field(const char *name, size_t length);

/* Turn the bytes of a pattern around: ours have the first byte first, patterns the most significant bit. False when
 * `out` is too small. */
bool rogue_reverse_bytes(const char *text, char *out, size_t size);

/* Compile the text of a row (or another way to write it). False when the text is at fault. */
bool rogue_template_compile(const char *text, struct rogue_template *out);

/* What miscctl of the header says in a control group. */
enum rogue_misc { ROGUE_MISC_NONE, ROGUE_MISC_DRC, ROGUE_MISC_END };

/* A published form: its bytes and their fields. */
struct rogue_form {
    char name[32]; /* as published */
    struct pattern pattern;
    int8_t slot[ROGUE_FIELDS];         /* number of a field in the pattern; -1: it has none */
    uint8_t field[PATTERN_MAX_FIELDS]; /* and the other way round */
    uint8_t bytes;
    uint8_t ctrlop; /* control: number in the group's header */
    uint8_t misc;   /* control: enum rogue_misc */
    bool sources;   /* control: it has sources */
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
    bool always_reads_p0, always_writes_p0;
    uint64_t reads_p0, writes_p0; /* it does where one of these bits is set, of its first eight bytes */
    uint16_t p2end;               /* the bit that ends phase 2, in the first bytes; 0: it has none */
    uint8_t nchecks;              /* fields some of whose codes mean nothing */
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
/* What is wrong with the tables of the set: "fadd names a form that does not exist"; NULL: nothing. Rows at fault are
 * left out. */
const char *rogue_table_fault(void);
/* Keep it, unless there is one already. */
void rogue_note_fault(const char *name, const char *what);

/* ---- names of instructions (names.c) ---- */

struct rogue_name {
    const char *name;                      /* all of it: a row's or an alias */
    const struct rogue_template *operands; /* the modifiers of the name are the row's */
    struct rogue_name *next;               /* with the same hash */
    uint16_t op, first;                    /* first: length of the first word */
};
/* Make their table. */
void rogue_know_names(void);
/* The first name that begins with the word, up to a dot or its end, and the next one, longer ones first; NULL: none. */
const struct rogue_name *rogue_first_name(const char *word, size_t length);
const struct rogue_name *rogue_next_name(const struct rogue_name *n, const char *word, size_t length);
/* Is there an instruction whose name starts with this word? */
bool rogue_is_mnemonic(const char *word, size_t length);
/* The nearest one, or NULL. */
const char *rogue_near_mnemonic(const char *word, size_t length);
/* Does it name one of two halves that the document writes an instruction as? */
bool rogue_is_half(const char *word, size_t length);
/* What follows the first dot of names that begin with the word, up to `most`; how many are in `names`. */
size_t rogue_name_endings(const char *word, size_t length, const char **names, size_t most);

/* ---- forms and fields ---- */

/* Form n of a part, from 1; NULL: none. */
static inline const struct rogue_port_form *rogue_port_form(const struct rogue_table *t, enum rogue_part part,
                                                            unsigned n)
{
    return n - 1 < t->ports[part].count ? &t->ports[part].form[n - 1] : NULL;
}

static inline const struct rogue_variant *rogue_variant_of(const struct rogue_table *t, const struct rogue_insn *insn)
{
    return &t->variants[t->first[insn->row->op] + insn->form];
}

/* That of a unit's instruction; NULL: the group has none there. */
static inline const struct rogue_variant *rogue_variant_at(const struct rogue_table *t, const struct rogue_group *g,
                                                           enum rogue_unit unit)
{
    return rogue_has(g, unit) ? rogue_variant_of(t, rogue_at(g, unit)) : NULL;
}

/* The first form of a row. */
static inline const struct rogue_form *rogue_first_form(unsigned op)
{
    return rogue_table()->variants[rogue_table()->first[op]].form;
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
/* The code of an argument of a sum of products; false when it cannot be said. Valid ones: bit per code of the low six
 * bits. */
bool rogue_sop_write(const struct rogue_form *form, enum rogue_field field, const struct rogue_sop_source *s,
                     uint64_t *code);
uint64_t rogue_sop_valid(const struct rogue_form *form);
static inline bool rogue_is_sop_argument(unsigned field)
{
    return field >= ROGUE_F_ARG_A && field <= ROGUE_F_ARG_Y;
}

/* Why bytes are not a group, and the bits at fault; width 0: several places, or not known. */
struct rogue_fault {
    const char *why; /* NULL: the group is cut off, or has no room for a header */
    uint16_t bit, width;
};
/* rogue_read_group into a group that is zero: what the arena gives is. With a place for the fault, what only the text
 * of the group needs is left out: the sources that it declares and the forms that it asks for. */
void rogue_read_into(const struct rogue_table *t, const uint8_t *bytes, size_t size, struct rogue_group *g,
                     struct rogue_fault *fault);

/* Does the form `shorter` say the same as `insn`? Then *bits is it. */
bool rogue_rewrite(const struct rogue_variant *v, const struct pattern_word *from, const struct rogue_variant *shorter,
                   struct pattern_word *bits);
/* The shortest form of an instruction's row that says the same. */
unsigned rogue_shortest(const struct rogue_insn *insn);

#endif
