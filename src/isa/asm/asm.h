/* asm.h - the assembler that instruction sets share: labels and symbols, expressions, sections, directives, macros,
 * conditions, included files, and layout with instructions as short as the distances allow.
 *
 * An instruction set gives a struct asm_isa: it reads one instruction, says how long it must be for the address that
 * an operand has, and puts the address in. Statements become items of sections: instructions, data, stretches. An item
 * is the instruction set's own; all that is known of it here is that it begins with two uint32_t, its address and its
 * size. What depends on addresses is a fixup, which layout.c computes again and again until the sizes of all
 * instructions fit the distances between them.
 *
 *     struct asm_state a = {.isa = &my_assembler, .params = params, .arena = arena, .diags = diags};
 *     if (asm_start(&a, ".text") && asm_read(&a, source) && asm_layout(&a))
 *         ... a.section[0..nsections-1] has the items, a.symbol[0..nsymbols-1] the symbols
 *
 * The statements, expressions and directives are those of GNU's assemblers; a set may have its own (`statement`,
 * `operators`, `value`). Where the text alone says how long an instruction is, there is no `fit`: the set gives items
 * their addresses as it appends them, and asm_layout only settles what waits for names.
 */
#ifndef WEFT_ISA_ASM_ASM_H
#define WEFT_ISA_ASM_ASM_H

#include "isa/isa.h"
#include "isa/scan.h"

enum {
    ASM_MAX_NODES = 1024,       /* of one expression */
    ASM_MAX_INCLUDES = 16,      /* one inside another */
    ASM_MAX_BYTES = 256 << 20,  /* of a program */
    ASM_MAX_DEPTH = 100,        /* of macros and repetitions, one inside another */
    ASM_MAX_EXPANDED = 8 << 20, /* bytes of text that they make */
    ASM_MAX_PARAMETERS = 32,
    ASM_MAX_IFS = 64, /* one inside another */
    ASM_MAX_SECTIONS = 1 << 15,
    ASM_NAME = 4000 /* longest name of a symbol or section */
};

struct asm_state;
struct asm_fixup;
struct asm_section;

/* ---- what an instruction set gives ---- */

/* A directive where it is written: its name, `length` bytes of the text, and the argument of its row. */
struct asm_call {
    const char *from;
    size_t length;
    unsigned argument;
};
/* Reads what follows its name. */
typedef bool asm_directive_fn(struct asm_state *a, const struct asm_call *call);

struct asm_directive {
    const char *name; /* ".byte" */
    asm_directive_fn *read;
    unsigned argument;
};

/* An operator of expressions: those of a higher level bind first. */
struct asm_operator {
    char text[3];
    char op; /* of struct asm_expr */
    uint8_t level;
};

struct asm_isa {
    size_t item;                            /* bytes of an item; the first 8 are its address and its size */
    char separator;                         /* between statements of a line; 0: none */
    unsigned comments;                      /* enum scan_style: what is a comment */
    const struct asm_directive *directives; /* its own, which come before the common ones; NULL name: the end */

    const char *directives_hint; /* about a directive that is like none; may be NULL */
    /* Read a statement with its labels. NULL: statements are GNU's, and there are GNU's directives and macros. */
    bool (*statement)(struct asm_state *a);
    /* Operators of expressions, of one text the longest first; an empty text is the end. NULL: GNU's. */
    const struct asm_operator *operators;
    /* Read the number or the name that is next in an expression; NULL after an error. NULL: they are GNU's. */
    const struct asm_expr *(*value)(struct asm_state *a);
    bool minus_may_start; /* outside of parentheses a minus after a blank begins the next operand */

    /* Whether a word is not a symbol in expressions; NULL: each is one. */
    bool (*is_register)(const char *word, size_t length);
    /* What to say of a word that is not defined and looks like a register; NULL: it does not. */
    const char *(*no_symbol)(const char *word);
    /* A section is new: set what its name says of it. */
    void (*open)(struct asm_section *s);
    /* Read the instruction whose first word is at `word`, up to the end of the statement, and append it. */
    bool (*instruction)(struct asm_state *a, const char *word, size_t length);
    /* Make an item of data, or of a stretch of `fill` whose size comes later, in a section that has bytes. */
    void (*make_data)(void *item, const uint8_t *bytes, uint32_t size, struct span where);
    void (*make_fill)(void *item, uint8_t fill, struct span where);
    /* The bytes of an item of data. */
    uint8_t *(*data)(void *item);
    /* The size of the shortest encoding that holds `value` as the operand that waits, at least `least` where there is
     * one; 0: none does. The item's address is set. `open`: in haste, any that may grow should. NULL: sizes are known
     * when items are appended. */
    uint32_t (*fit)(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value, uint32_t least,
                    bool in_haste);
    /* Put the final value of an instruction's operand, or of an item of role ASM_OWN, in; 0 where the fixup has no
     * expression. */
    bool (*settle)(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value);
};

/* ---- expressions: expression.c ---- */

struct asm_symbol;

struct asm_expr {
    char op; /* '0' number, 's' symbol, '.' here; else an operator; '~' '_' (minus) unary */
    const struct asm_expr *left, *right;
    int64_t value;
    struct asm_symbol *symbol;
    uint32_t section, index; /* '.' */
};

struct asm_symbol {
    char *name;
    const struct asm_expr *value; /* .equ; NULL: a label or undefined */
    uint32_t section, index;      /* a label: before this item of its section */
    bool defined, global, function, busy;
    uint32_t times; /* "12:" means the labels of that number: how many there are */
    uint32_t pass;  /* of which `known` is */
    bool known;
    int64_t result;
    struct asm_symbol *next; /* of the same hash */
};

/* ---- what waits for addresses: layout.c ---- */

enum asm_role {
    ASM_INSN,  /* an operand of an instruction */
    ASM_OWN,   /* something else of the instruction set's: settle has it */
    ASM_DATA,  /* bytes at `offset` of the data = value */
    ASM_ALIGN, /* to a multiple of value */
    ASM_ORG,   /* to address value */
    ASM_SPACE  /* value bytes */
};

struct asm_fixup {
    uint32_t section, index; /* of the item */
    const struct asm_expr *expr; /* ASM_OWN: may be NULL */
    uint8_t role;    /* enum asm_role */
    uint8_t operand; /* the instruction set's: which one */
    uint8_t width;   /* ASM_DATA: bytes */
    uint32_t offset;
    const void *own; /* the instruction set's: what the text asks for; in the arena */
    struct span where;
    const struct source *src;
};

struct asm_section {
    const char *name; /* ".text" */
    uint32_t address;
    bool beyond;                 /* the address is 2^32 or more, and has lost that bit */
    uint64_t size;               /* more than 32 bits hold, until the layout says so */
    uint32_t align;              /* a power of two */
    bool code, writable, nobits; /* nobits: takes no bytes in a file (.bss) */
    uint8_t *items;              /* asm_item(a, s, i) */
    size_t count, capacity;
};

/* ---- the assembler ---- */

struct asm_macro;

struct asm_if {
    const char *from; /* its directive */
    bool taken;       /* a branch of it was read */
    bool last;        /* .else was there */
};

struct asm_state {
    const struct asm_isa *isa;
    const struct isa_params *params; /* base; may be NULL */
    struct arena *arena;
    weft_diags *diags;
    void *own; /* the instruction set's */

    struct scan scan;  /* the file that is read */
    uint32_t errors;   /* of files that are finished */
    uint32_t includes; /* how deep */
    bool included;     /* not the main file: places are not kept in items */
    bool failed;       /* out of memory */

    struct asm_macro *macros;
    uint32_t expansions; /* of macros so far: \@ */
    uint32_t depth;      /* of macros and repetitions */
    uint64_t expanded;   /* what they made so far */
    bool leaving;        /* .exitm: to the end of the innermost one */
    const char *counted; /* up to here the lines of the source that is read are counted: */
    uint32_t line;
    struct asm_if open_if[ASM_MAX_IFS];
    uint32_t nifs, first_if; /* of all, and those of outer sources */

    struct asm_section *section;
    size_t nsections, section_capacity;
    uint32_t current, previous; /* sections */

    struct asm_fixup *fixup;
    size_t nfixups, fixup_capacity;

    struct asm_symbol **bucket; /* lists by hash */
    size_t nbuckets;            /* a power of two */
    struct asm_symbol **symbol; /* in the order of appearance */
    size_t nsymbols, symbol_capacity;

    uint32_t nodes;  /* of the expression that is read */
    bool in_brackets; /* it is in brackets or parentheses */
    uint32_t pass;   /* of the layout; 0: no address is known yet */
    uint32_t passes_evaluating; /* how deep symbols are being computed */
    uint64_t bytes;             /* of data so far */
};

/* Item `index` of a section, and its address and size. A section without items has none of index 0 either. */
static inline void *asm_item(const struct asm_state *a, const struct asm_section *s, size_t index)
{
    return s->items ? s->items + index * a->isa->item : NULL;
}
static inline uint32_t *asm_address(void *item)
{
    return item;
}
static inline uint32_t *asm_size(void *item)
{
    return (uint32_t *)item + 1;
}

/* ---- errors ---- */

/* An error at the span from `from` to the last token; false. */
bool asm_error(struct asm_state *a, const char *from, const char *code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* An error at a fixup, or about the whole program (NULL); false. */
bool asm_error_at(struct asm_state *a, const struct asm_fixup *f, const char *code, const char *hint, const char *fmt,
                  ...) __attribute__((format(printf, 5, 6)));
/* Out of memory; false. */
bool asm_no_memory(struct asm_state *a);

/* ---- statement.c ---- */

/* Begin, in a section of that name. False without memory. */
bool asm_start(struct asm_state *a, const char *section);
/* Read the statements of a source. False when an error, memory or the limit of errors ended it. */
bool asm_read(struct asm_state *a, const struct source *src);
/* Is this the end of the statement: a newline, the separator or the end of the text? */
bool asm_at_end(struct asm_state *a);
bool asm_expect(struct asm_state *a, char c, const char *what);
/* A name: letters, digits, _ . $; 0: none is next. */
size_t asm_name(struct asm_state *a, const char **name);
/* To the end of the statement. */
void asm_skip_statement(struct asm_state *a);

/* ---- layout.c ---- */

/* Go on in the section of that name, made if need be. */
bool asm_enter_section(struct asm_state *a, const char *name, size_t length);
/* Room for one more item in the current section, all zeros; NULL without memory. */
void *asm_append(struct asm_state *a);
/* For the item that is appended next. */
bool asm_add_fixup(struct asm_state *a, const struct asm_fixup *fixup);
/* Forget fixups whose item was not appended, since the statement turned out to be wrong. */
void asm_drop_fixups(struct asm_state *a);
/* Sizes and addresses of everything, and what depends on them. False after an error. */
bool asm_layout(struct asm_state *a);
/* How many items the current section has. */
static inline uint32_t asm_here(const struct asm_state *a)
{
    return (uint32_t)a->section[a->current].count;
}

/* ---- symbol.c ---- */

/* The symbol of that name; NULL after an error. */
struct asm_symbol *asm_symbol(struct asm_state *a, const char *name, size_t length);
/* The same if it has been mentioned, else NULL. */
struct asm_symbol *asm_known_symbol(struct asm_state *a, const char *name, size_t length);
/* "did you mean 'loop'?": the defined symbol whose name is nearest, for the hint of an error; NULL: none is near, or
 * there were many errors. The first `hidden` letters of `name` are not in the text: the hint leaves them out too. */
const char *asm_near_symbol(struct asm_state *a, const char *name, size_t length, size_t hidden);
/* 12: may be defined again and again: how long such a name at `p` is without the letter or colon after it, and its
 * number; 0: none. */
size_t asm_label_number(const char *p, uint32_t *number);
/* The label of that number that was defined last or comes next. NULL: none before, or no memory. */
struct asm_symbol *asm_numbered_label(struct asm_state *a, uint32_t number, bool ahead, const char *from);
/* Define a label here, by its symbol or by its number. */
bool asm_define_label(struct asm_state *a, struct asm_symbol *s, const char *from);
bool asm_define_numbered(struct asm_state *a, uint32_t number, const char *from);
/* Give a symbol the value of the expression that is next. */
bool asm_equ(struct asm_state *a, const char *name, size_t length);
/* What .equ says of a name; NULL: nothing, or it is a label. */
const struct asm_expr *asm_known_value(struct asm_state *a, const char *name, size_t length);
/* The directive of it: NAME, EXPRESSION. */
asm_directive_fn asm_read_equ;

/* ---- expression.c ---- */

/* Where a number may be by itself: is an expression next, "(n + 1) * 4", "8 * 4", "-n" or a name of .equ? */
bool asm_expression_begins(struct asm_state *a);
/* Read an expression. NULL after an error. */
const struct asm_expr *asm_expression(struct asm_state *a);
/* The same without operators outside of parentheses. */
const struct asm_expr *asm_primary(struct asm_state *a);
/* The address that is so far from the statement; a number. NULL without memory. */
const struct asm_expr *asm_from_here(struct asm_state *a, const struct asm_expr *distance);
const struct asm_expr *asm_number(struct asm_state *a, int64_t value);
/* A symbol as a part of an expression: the number that it is, where that is known here. NULL without memory. */
const struct asm_expr *asm_symbol_here(struct asm_state *a, struct asm_symbol *s);
/* What one symbol is after another. NULL without memory. */
const struct asm_expr *asm_difference(struct asm_state *a, const struct asm_expr *to, struct asm_symbol *from);
/* A number that is known now, in least..most. */
bool asm_constant(struct asm_state *a, int64_t least, int64_t most, const char *what, int64_t *value);
/* The value with what is known in this pass; false: it depends on something undefined or on itself. */
bool asm_evaluate(struct asm_state *a, const struct asm_expr *e, int64_t *value);
static inline bool asm_is_number(const struct asm_expr *e)
{
    return e->op == '0';
}
/* Is a number written in hexadecimal next (after # and a sign)? */
bool asm_is_hex(struct asm_state *a);

/* ---- directive.c, data.c, file.c ---- */

bool asm_directive(struct asm_state *a, const char *name, size_t length);
/* Values of `argument` bytes. */
asm_directive_fn asm_read_numbers;
asm_directive_fn asm_read_floats, asm_read_fill, asm_read_strings, asm_include, asm_include_bytes;
/* Append data, or a stretch whose size depends on `e`. */
bool asm_append_bytes(struct asm_state *a, const char *from, const uint8_t *bytes, size_t size);
bool asm_append_stretch(struct asm_state *a, const char *from, const struct asm_expr *e, enum asm_role role,
                        uint8_t fill);
/* A string in quotes, into the arena, with room for one byte more. */
bool asm_read_string(struct asm_state *a, uint8_t **out, size_t *size);
/* The character after a backslash, which is next. */
uint8_t asm_read_escape(struct asm_state *a);
/* More bytes of the program; false after an error: there are too many. */
bool asm_count_bytes(struct asm_state *a, const char *from, uint64_t more);

/* ---- macro.c ---- */

/* To the next statement, past what is left of this one: where it begins, and its first word after labels, if any.
 * False at the end of the text. */
bool asm_next_statement(struct asm_state *a, const char **begin, const char **word, size_t *length);
/* Expand the macro of that name; false, with nothing done, when there is none. */
bool asm_use_macro(struct asm_state *a, const char *word, size_t length, bool *fine);
/* .macro, .purgem, .exitm (past the rest of the innermost macro or repetition, and of the conditions in it), .rept,
 * .irp and .irpc (argument 1: for each letter, not for each value). */
asm_directive_fn asm_define_macro, asm_forget_macro, asm_leave, asm_repeat, asm_repeat_for;

/* ---- condition.c ---- */

/* .if and its kind, .elseif, .else, .endif. */
asm_directive_fn asm_condition;
/* At the end of a source: those that it opened must be closed. */
void asm_close_conditions(struct asm_state *a);

#endif
