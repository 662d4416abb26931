/* asm.h - the assembler: what its parts share.
 *
 * Statements become instructions and data of sections (parse*.c, directive.c). What depends on addresses is a fixup,
 * which layout.c computes again and again until the sizes of all instructions fit the distances between them. */
#ifndef WEFT_ISA_VPU_ASM_H
#define WEFT_ISA_VPU_ASM_H

#include "isa/scan.h"
#include "isa/vpu/choose.h"
#include "isa/vpu/names.h"

enum {
    ASM_MAX_NODES = 256,            /* of one expression */
    ASM_MAX_INCLUDES = 16,          /* one inside another */
    ASM_MAX_BYTES = VPU_MOST_BYTES,
    ASM_MAX_DEPTH = 100,            /* of macros and repetitions, one inside another */
    ASM_MAX_EXPANDED = 8 << 20,     /* bytes of text that they make */
    ASM_MAX_PARAMETERS = 32,
    ASM_MAX_IFS = 64,               /* one inside another */
    ASM_NAME = 200                  /* longest name of a symbol or section */
};

/* ---- expressions: expr.c ---- */

struct asm_symbol;

struct asm_expr {
    char op;                        /* '0' number, 's' symbol, '.' here; else an operator; '~' '_' (minus) unary */
    const struct asm_expr *left, *right;
    int64_t value;
    struct asm_symbol *symbol;
    uint32_t section, index;        /* '.' */
};

struct asm_symbol {
    char *name;
    const struct asm_expr *value;   /* .equ; NULL: a label or undefined */
    uint32_t section, index;        /* a label: in front of this instruction of its section */
    bool defined, global, function, busy;
    uint32_t size_of;               /* .size */
    uint32_t times;                 /* "12:" stands for the labels of that number: how many there are */
    uint32_t pass;                  /* of which `known` is */
    bool known;
    int64_t result;
    struct span first_use;
    const struct source *first_source;
    struct asm_symbol *next;        /* of the same hash */
};

/* ---- what waits for addresses: layout.c ---- */

enum asm_role {
    ASM_TARGET,  /* insn.target = value */
    ASM_IMM,     /* insn.imm = value */
    ASM_NEAR,    /* insn.imm = value - address */
    ASM_DATA,    /* bytes at `offset` of the data = value */
    ASM_CASE,    /* the same of (value - base) / 2, base in the expression's right side */
    ASM_ALIGN,   /* to a multiple of value */
    ASM_ORG,     /* to address value */
    ASM_SPACE    /* value bytes */
};

struct asm_fixup {
    uint32_t section, index;        /* of the instruction */
    const struct asm_expr *expr;    /* NULL: `value` */
    int64_t value;
    uint8_t role, width;            /* ASM_DATA: bytes */
    uint32_t offset;
    struct vpu_wish wish;
    struct span where;
    const struct source *src;
};

struct asm_section {
    struct vpu_section out;
    struct vpu_insn *insn;
    size_t count, capacity;
    bool started;                   /* it has a size: .org moves no more than the place in it */
};

/* ---- the assembler ---- */

struct asm_macro;

struct asm_if {
    const char *from;               /* its directive */
    bool taken;                     /* a branch of it was read */
    bool last;                      /* .else was there */
};

struct vpu_asm {
    struct scan scan;               /* the file that is read */
    const struct isa_params *params;
    struct arena *arena;
    weft_diags *diags;
    uint32_t errors;                /* of files that are finished */
    uint32_t includes;              /* how deep */
    bool included;                  /* not the main file: places are not kept in instructions */
    bool failed;                    /* out of memory */

    struct asm_macro *macros;
    uint32_t expansions;            /* of macros so far: \@ */
    uint32_t depth;                 /* of macros and repetitions */
    uint64_t expanded;              /* what they made so far */
    bool leaving;                   /* .exitm: to the end of the innermost one */
    const char *counted;            /* up to here the lines of the source that is read are counted: */
    uint32_t line;
    struct asm_if open_if[ASM_MAX_IFS];
    uint32_t nifs, first_if;        /* of all, and those of outer sources */

    struct asm_section *section;
    size_t nsections, section_capacity;
    uint32_t current, previous;     /* sections */

    struct asm_fixup *fixup;
    size_t nfixups, fixup_capacity;

    struct asm_symbol **bucket;     /* ASM_BUCKETS lists */
    struct asm_symbol **symbol;     /* in the order of appearance */
    size_t nsymbols, symbol_capacity;

    uint32_t nodes;                 /* of the expression that is read */
    struct asm_symbol *table;       /* behind the last switch: where .case counts from */
    uint32_t case_width;
    uint32_t pass;
    uint32_t passes_evaluating;     /* how deep symbols are being computed */
    uint64_t bytes;                 /* of data so far */
};
enum { ASM_BUCKETS = 16384 };

/* ---- errors ---- */

/* An error at the span from `from` to the last token; false. */
bool asm_error(struct vpu_asm *a, const char *from, const char *code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Out of memory; false. */
bool asm_no_memory(struct vpu_asm *a);

/* ---- parse.c ---- */

/* Is this the end of the statement: a newline, @ or the end of the text? */
bool asm_at_end(struct vpu_asm *a);
bool asm_expect(struct vpu_asm *a, char c, const char *what);
/* Append to the current section; NULL without memory. */
struct vpu_insn *asm_append(struct vpu_asm *a, const struct vpu_insn *insn);
bool asm_add_fixup(struct vpu_asm *a, const struct asm_fixup *fixup);
/* An instruction's mnemonic, as it is printed without its condition. */
const char *asm_spelling(const struct vpu_insn *insn);
/* Append an instruction whose operands are known, or wait for `expr`. */
bool asm_finish(struct vpu_asm *a, struct vpu_insn *insn, const struct vpu_wish *wish, const char *from,
                const struct asm_expr *expr, enum asm_role role);
/* A name: letters, digits, _ . $; 0: none is next. */
size_t asm_name(struct vpu_asm *a, const char **name);
/* Read the statements of a source. False when memory or the limit of errors ended it. */
bool asm_read(struct vpu_asm *a, const struct source *src);
/* Go on in the section of that name, made if need be. */
bool asm_enter_section(struct vpu_asm *a, const char *name, size_t length);
struct asm_symbol *asm_symbol(struct vpu_asm *a, const char *name, size_t length);
/* The symbol of that name if there was talk of it, else NULL. */
struct asm_symbol *asm_known_symbol(struct vpu_asm *a, const char *name, size_t length);
/* To the end of the statement. */
void asm_skip_statement(struct vpu_asm *a);
/* 12: may be defined again and again: how long such a name at `p` is without the letter or colon behind it, and its number;
 * 0: there is none. */
size_t asm_label_number(const char *p, uint32_t *number);
/* The label of that number that was defined last or comes next. NULL: there is none behind, or no memory. */
struct asm_symbol *asm_numbered_label(struct vpu_asm *a, uint32_t number, bool ahead, const char *from);
/* Define a label here. */
bool asm_define_label(struct vpu_asm *a, struct asm_symbol *s, const char *from);

/* ---- expr.c ---- */

/* Read an expression. NULL after an error. */
const struct asm_expr *asm_expression(struct vpu_asm *a);
/* The same without operators outside of parentheses. */
const struct asm_expr *asm_primary(struct vpu_asm *a);
/* The address that is so far from the statement; a number. NULL without memory. */
const struct asm_expr *asm_from_here(struct vpu_asm *a, const struct asm_expr *distance);
const struct asm_expr *asm_number(struct vpu_asm *a, int64_t value);
/* A number that is known now, in least..most. */
bool asm_constant(struct vpu_asm *a, int64_t least, int64_t most, const char *what, int64_t *value);
/* The value with what is known in this pass; false: it depends on something undefined or on itself. */
bool asm_evaluate(struct vpu_asm *a, const struct asm_expr *e, int64_t *value);
static inline bool asm_is_number(const struct asm_expr *e)
{
    return e->op == '0';
}
/* Is a number written in hexadecimal next (after # and a sign)? */
bool asm_is_hex(struct vpu_asm *a);

/* ---- parse_scalar.c, parse_vector.c, directive.c, layout.c ---- */

struct asm_statement {
    const char *from;               /* its mnemonic */
    struct vpu_mnemonic mnemonic;
    struct vpu_wish wish;
    uint8_t cond;
};

bool asm_scalar(struct vpu_asm *a, struct asm_statement *st);
bool asm_vector(struct vpu_asm *a, struct asm_statement *st);
bool asm_raw_vector(struct vpu_asm *a, struct asm_statement *st);
bool asm_directive(struct vpu_asm *a, const char *name, size_t length);
bool asm_equ(struct vpu_asm *a, const char *name, size_t length);

/* ---- macro.c ---- */

/* To the next statement, past what is left of this one: where it begins, and its first word behind labels, if any.
 * False at the end of the text. */
bool asm_next_statement(struct vpu_asm *a, const char **begin, const char **word, size_t *length);
bool asm_define_macro(struct vpu_asm *a, const char *from);
bool asm_forget_macro(struct vpu_asm *a);
/* .exitm: past the rest of the innermost macro or repetition, and of the conditions in it. */
bool asm_leave(struct vpu_asm *a, const char *from);
/* Expand the macro of that name; false, with nothing done, when there is none. */
bool asm_use_macro(struct vpu_asm *a, const char *word, size_t length, bool *fine);
bool asm_repeat(struct vpu_asm *a, const char *from);
/* `each`: for each letter, not for each value. */
bool asm_repeat_for(struct vpu_asm *a, const char *from, bool each);

/* ---- condition.c ---- */

/* .if and its kind, .elseif, .else, .endif. */
bool asm_condition(struct vpu_asm *a, const char *word, size_t length);
/* At the end of a source: those that it opened must be closed. */
void asm_close_conditions(struct vpu_asm *a);

/* A scalar register, or -1 with nothing taken and nothing said. */
int asm_try_register(struct vpu_asm *a);
bool asm_register(struct vpu_asm *a, uint8_t *out);
/* {name}: pin the form. */
bool asm_take_pin(struct vpu_asm *a, struct vpu_wish *wish);

/* Sizes and addresses of everything, and the module. */
bool asm_layout(struct vpu_asm *a, struct isa_module **out);

#endif
