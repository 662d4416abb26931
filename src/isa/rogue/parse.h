/* parse.h - parts of the assembler. Private to the instruction set. */
#ifndef WEFT_ISA_ROGUE_PARSE_H
#define WEFT_ISA_ROGUE_PARSE_H

#include "isa/asm/asm.h"
#include "isa/rogue/template.h"

#include <stddef.h>

enum { ROGUE_WORD_MODS = 24, ROGUE_RAW_OPERANDS = 24, ROGUE_DRAFT_VALUES = 32, ROGUE_DRAFT_INSNS = 12 };

struct rogue_word {
    const char *p;
    uint32_t length;
};

/* The arguments of "%.*s". */
#define ROGUE_WORD(w) (int)(w).length, (w).p

/* An operand as it is written, before it is known what it is for. */
enum rogue_raw_kind {
    ROGUE_RAW_ABSENT, /* _ or nothing */
    ROGUE_RAW_REG,
    ROGUE_RAW_SOURCE, /* s0..s5 */
    ROGUE_RAW_IS,     /* is0..is5 */
    ROGUE_RAW_FT,     /* ft0..ft5; fte: ROGUE_RAW_FTE */
    ROGUE_RAW_W,
    ROGUE_RAW_DRC,
    ROGUE_RAW_NUMBER,
    ROGUE_RAW_WORD /* p0, ftt, add, a label */
};
enum { ROGUE_RAW_FTE = 6 };
struct rogue_raw {
    uint8_t kind;
    uint8_t n; /* of source, selector, feedthrough, destination, drc */
    bool is_float, negative;
    struct rogue_reg reg;
    uint64_t number;        /* floats: their bits */
    struct rogue_word text; /* without modifiers */
    uint8_t nmods;
    struct rogue_word mods[ROGUE_OPERAND_MODS];
};

struct rogue_statement {
    struct rogue_word name; /* up to the first dot */
    uint8_t nmods, noperands;
    uint16_t units; /* what its label allows */
    bool labelled;
    const char *end;
    struct rogue_word mods[ROGUE_WORD_MODS];
    struct rogue_raw operands[ROGUE_RAW_OPERANDS]; /* last: a copy may have room for noperands only */
};

static inline struct rogue_word rogue_text_of(const struct rogue_statement *st)
{
    return (struct rogue_word){st->name.p, (uint32_t)(st->end - st->name.p)};
}

/* What an instruction needs of the group, beside its own fields. */
enum rogue_want_kind {
    ROGUE_WANT_PORT,   /* register in source port n */
    ROGUE_WANT_FEED,   /* IS n is code */
    ROGUE_WANT_ROUTED, /* IS n is this register, through FTE */
    ROGUE_WANT_W,      /* destination n is the register */
    ROGUE_WANT_ANY,    /* the register in some port, whose number goes into field n */
    ROGUE_WANT_DRC,
    ROGUE_WANT_LABEL /* a branch to a label */
};
struct rogue_want {
    uint8_t kind, n, code;
    struct rogue_reg reg;
    struct rogue_word text;
};

struct rogue_value {
    uint8_t field;
    uint64_t code;
};

/* An instruction that has been recognised. */
struct rogue_draft {
    uint16_t op;
    uint8_t unit;
    int8_t form;   /* -1: the shortest */
    bool end;      /* nop.end */
    uint8_t scale; /* how the bit of UNPCK was called: 1 scale, 2 roundzero; 0: not */
    uint8_t nvalues, nwants;
    struct rogue_value values[ROGUE_DRAFT_VALUES];
    struct rogue_want wants[ROGUE_RAW_OPERANDS];
    struct rogue_word text;
};

/* ---- text (parse_statement.c): the cursor is at what a function takes ---- */

static inline bool rogue_at_end(const struct scan *s)
{
    return s->p >= s->end;
}

/* The assembler whose text this is: parse.c starts no other scan. */
static inline struct asm_state *rogue_assembler(struct scan *s)
{
    return (struct asm_state *)((char *)s - offsetof(struct asm_state, scan));
}

/* The letters, digits and _ that are next. */
static inline struct rogue_word rogue_peek(const struct scan *s)
{
    return (struct rogue_word){s->p, (uint32_t)scan_word_length(s->p)};
}

static inline void rogue_take(struct scan *s, size_t length)
{
    s->p += length;
    s->last = s->p;
}

/* To the next token. newlines: over line ends too; values: # and a number is one, not a comment. */
void rogue_skip(struct scan *s, bool newlines, bool values);
/* Is a number and a colon next, the start of a group? */
bool rogue_at_group(const struct scan *s);
/* Take the character, and blanks before it, if it is next. */
bool rogue_take_char(struct scan *s, char c);
/* Take a decimal number if one is next; one beyond 32 bits stays beyond. */
bool rogue_take_number(struct scan *s, uint64_t *value);
/* Is the word this one, in any case? */
static inline bool rogue_word_is(struct rogue_word w, const char *name)
{
    return w.length && scan_word_is(w.p, w.length, name);
}
/* Where a word of the text is. */
struct span rogue_span(const struct scan *s, struct rogue_word w);
/* s0, is4, ft1, w0, drc1: letters and a number as a port, a selector, a feedthrough, ... into raw->kind and raw->n. */
bool rogue_find_port_word(const char *word, size_t letters, uint64_t n, bool numbered, struct rogue_raw *raw);
bool rogue_parse_operand(struct scan *s, struct rogue_raw *raw);
/* Is it the name of a move, of one register or a destination? */
bool rogue_is_move(struct rogue_word name);
/* What a move to one register takes: "mov r0, ft0", "mov r0, r1", without modifiers. NULL: it is another statement. */
const struct rogue_raw *rogue_moved(const struct rogue_statement *st);
/* A mnemonic with its modifiers and operands. `units` and `labelled` are left as they are. */
bool rogue_parse_statement(struct scan *s, struct rogue_statement *st);
/* if(p0), if(!p0), (ignorepe), (rpt2): as many as there are, over line ends. */
bool rogue_parse_conditions(struct scan *s, uint8_t *cc, uint8_t *repeat);
/* (rpt4) of the older compiler, if it is next; the number of a repeat. */
bool rogue_parse_repeat(struct scan *s, uint8_t *repeat, bool *found);
bool rogue_parse_count(struct scan *s, struct rogue_word digits, uint8_t *repeat);

/* ---- recognising (parse_match.c) ---- */

enum { ROGUE_WORDS_EXPECTED = 4 };
/* Which instruction a statement is. False with what was wrong with the attempt that came furthest. */
struct rogue_mismatch {
    const char *code, *message; /* message: may have one %.*s for the word; NULL: see expected */
    struct rogue_word where;
    unsigned depth;
    const struct rogue_operand *expected; /* what the operand is of which row, where it is known */
    const struct rogue_operand *words[ROGUE_WORDS_EXPECTED]; /* other words that would do, of other rows */
    uint8_t nwords;
    uint16_t op;
    const struct rogue_mod *mods; /* of a wrong modifier: those that there are */
    uint8_t nmods;
};
bool rogue_match(const struct rogue_statement *s, struct rogue_draft *out, struct rogue_mismatch *wrong);
/* Numbers that an operand of a row can be: from *low to *high in steps of *step. */
void rogue_number_range(uint16_t op, enum rogue_field field, uint64_t *low, uint64_t *high, unsigned *step);
/* Does a number fit a word, with or without a sign? */
bool rogue_has_32_bits(const struct rogue_raw *raw);
/* The special constant whose value a number is: #1.0, #3. */
bool rogue_constant_of(const struct rogue_raw *raw, struct rogue_reg *reg);
/* A mismatch in words. */
const char *rogue_mismatch_text(struct arena *arena, const struct rogue_mismatch *m);
/* "there is no register r250: ..."; NULL: the word is not a register past the end of its bank. */
const char *rogue_no_register(struct arena *arena, struct rogue_word w);
/* Names of instructions that begin with the statement's and a dot and take its operands, up to `most`; how many there
 * are. */
unsigned rogue_longer_names(const struct rogue_statement *s, const char **names, unsigned most);
/* Say in the diagnostics why a statement is not an instruction (parse_wrong.c). Answers false. */
bool rogue_report_mismatch(struct scan *scan, const struct rogue_statement *s, const struct rogue_mismatch *m);

/* ---- groups (parse_group.c) ---- */

struct rogue_pending {
    struct rogue_group g;
    bool is_explicit; /* it says itself what sources, selectors and destinations are */
    bool alu_known;
    bool fed[ROGUE_SELECTORS]; /* IS n is given */
    struct rogue_draft drafts[ROGUE_DRAFT_INSNS];
    uint32_t ndrafts;
    const struct rogue_draft *last;             /* instruction before; NULL: none */
    struct rogue_word port_text[ROGUE_SOURCES]; /* what took a port */
    struct rogue_word declared;                 /* destination that was declared last */
    const char *label;                          /* of its branch, to be resolved */
    uint32_t label_length;
};

struct rogue_trouble {
    const char *code;
    char message[200];
    struct rogue_word where;
};

/* The code of an internal selector by its word ("s3", "fte"); -1: it cannot be that. */
int rogue_selector_code(unsigned n, struct rogue_word word);
/* An empty group. */
void rogue_start_pending(struct rogue_pending *p);
/* Add an instruction, which may come after the drafts that are there already, or a destination in a text without
 * assignments; false: *trouble says what is taken by what. */
bool rogue_add(struct rogue_pending *p, const struct rogue_draft *d, struct rogue_trouble *trouble);
/* "mov r0, ft0" as the declaration of a destination, "mov r1, sh4" with a route. */
bool rogue_declare(struct rogue_pending *p, const struct rogue_statement *s, struct rogue_trouble *trouble);
/* The same with the destination W0 or W1 chosen. */
bool rogue_declare_as(struct rogue_pending *p, unsigned n, const struct rogue_statement *s,
                      struct rogue_trouble *trouble);
/* The instruction of a draft in the shortest form, or the one asked for, that holds all values; false: none does. */
bool rogue_build(const struct rogue_draft *d, struct rogue_insn *insn);
/* Routes, defaults, bits. */
bool rogue_complete(struct rogue_pending *p, struct rogue_trouble *trouble);

/* ---- the groups of a text as they come (parse.c) ---- */

struct rogue_listing {
    struct asm_state a; /* first: the cursor, labels, and branches to them; an item is where a group is */
    bool packs;         /* the text is a list of instructions */
    struct rogue_group *groups;
    struct span *where; /* of each group */
    size_t ngroups, groups_cap;
};
/* Add a completed group, with its branch to a label; a label before the next group. False without memory. */
bool rogue_list_pending(struct rogue_listing *l, const struct rogue_pending *p, struct span where);
bool rogue_list_label(struct rogue_listing *l, struct rogue_word name);
/* .equ NAME, EXPRESSION: is it next; read it. */
bool rogue_at_constant(const struct scan *s);
bool rogue_read_constant(struct scan *s);

/* ---- lists (pack.c) ---- */

/* The list of instructions at the cursor as groups, as few as they fit. False after errors. */
bool rogue_pack_list(struct rogue_listing *out);

#endif
