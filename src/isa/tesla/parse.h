/* parse.h - inside the text parser: what its parts give each other.
 *
 * Text is that of envyas ("Tesla assembly text"): an instruction, directive or label to a statement; statements end
 * with the line or a semicolon. */
#ifndef WEFT_ISA_TESLA_PARSE_H
#define WEFT_ISA_TESLA_PARSE_H

#include "isa/scan.h"
#include "isa/tesla/parse_match.h"



/* A name with a value: a label, a section or a constant of .equ. */
struct tesla_symbol {
    const char *name;
    uint32_t length;
    int64_t value;
    uint32_t section;  /* of a label; NO_SECTION: a constant */
    struct tesla_symbol *next; /* of the same hash */
};

enum { TESLA_NO_SECTION = UINT32_MAX, TESLA_SYMBOL_SLOTS = 1024 };

struct tesla_symbols {
    struct tesla_symbol *slot[TESLA_SYMBOL_SLOTS];
};

/* NULL when there is none of that name. */
struct tesla_symbol *tesla_find_symbol(const struct tesla_symbols *s, const char *name, size_t length);
/* NULL without memory. The name must stay. */
struct tesla_symbol *tesla_add_symbol(struct tesla_symbols *s, struct arena *arena, const char *name, size_t length);

/* A section: instructions one after the other from a base address. */
struct tesla_section {
    const char *name;
    uint32_t length;
    uint32_t base, at; /* addresses: of its first byte, and of the next */
    struct tesla_insn *insns;
    size_t ninsns, cap;
    bool unaligned;    /* a long instruction did not get to a multiple of 8 */
};

/* What a listing has before an instruction. */
struct tesla_listing {
    uint64_t word;
    unsigned size; /* bytes; 0: it has none */
    struct span where;
};

/* An instruction that uses a symbol which was not known yet: read again at the end. */
struct tesla_deferred {
    uint32_t section, insn;
    const char *text;          /* where it starts */
    const char *scope;         /* label that local names belong to, and its length */
    uint32_t scope_length;
    struct tesla_listing listing; /* what it must be */
};

struct tesla_parser {
    struct scan s;
    const struct tesla_tables *tables;
    struct tesla_target target;
    bool shorten;              /* `long` is not heeded where a short form exists */
    struct tesla_section *sections;
    size_t nsections, cap_sections;
    uint32_t section;          /* the current one */
    uint64_t padding;          /* bytes of it so far */
    struct tesla_symbols symbols;
    struct tesla_symbol **labels; /* in the order of the text */
    size_t nlabels, cap_labels;
    struct tesla_deferred *deferred;
    size_t ndeferred, cap_deferred;
    const char *scope;         /* the last label that is not local */
    uint32_t scope_length;
    bool unknown_symbol;       /* the statement uses a symbol that is not known yet */
    bool final;                /* all symbols are known now: an unknown one is an error */
    uint32_t line;             /* of `counted`, 1-based */
    const char *counted;
};

/* ---- expression.c ---- */

/* A number: constants, names, + - * / % << >> & ^ | ~ ! and parentheses. Outside of brackets a minus after a blank
 * starts the next operand. */
bool tesla_parse_expression(struct tesla_parser *ps, bool in_brackets, int64_t *value);

/* ---- parse_operand.c ---- */

/* An instruction from its prefixes on into tokens. */
bool tesla_parse_line(struct tesla_parser *ps, struct tesla_line *line);

/* ---- parse_insn.c ---- */

/* An instruction to its word, of that length unless it says one itself. Reports what is wrong; false then. */
bool tesla_parse_instruction(struct tesla_parser *ps, enum tesla_length length, struct tesla_insn *insn);
/* Make the short instruction that starts at `text` long, if it has a long form. Says nothing. */
bool tesla_lengthen(struct tesla_parser *ps, struct tesla_insn *insn);

/* ---- listing.c ---- */

/* Take the columns of a listing, if the statement starts with some. */
void tesla_take_listing(struct tesla_parser *ps, struct tesla_listing *l);
/* Make the instruction that the text says the one that the listing has: they must agree. */
bool tesla_apply_listing(struct tesla_parser *ps, const struct tesla_listing *l, struct tesla_insn *insn);

/* The same of data: the section's instructions from number `first` on. */
bool tesla_check_listed_data(struct tesla_parser *ps, const struct tesla_listing *l, size_t first);

/* ---- directive.c ---- */

/* A statement that starts with a dot. */
bool tesla_parse_directive(struct tesla_parser *ps);
/* The data that starts here once more, now that all names are known. */
bool tesla_parse_data_again(struct tesla_parser *ps, struct tesla_insn *insn);

/* ---- layout.c ---- */

/* Bring a section's end to a multiple of 8 by making a short instruction long. False where none can be. */
bool tesla_align_long(struct tesla_parser *ps, struct tesla_section *section);
/* Append to the current section. */
bool tesla_append(struct tesla_parser *ps, const struct tesla_insn *insn);
bool tesla_append_data(struct tesla_parser *ps, uint64_t value, unsigned unit, uint64_t count, struct span where);
/* Go to a section, which is made if there is none of that name. */
bool tesla_open_section(struct tesla_parser *ps, const char *name, size_t length, uint32_t base, struct span where);
/* The last instruction or data of the current section, which starts at `text`, is to be read again at the end. */
bool tesla_defer(struct tesla_parser *ps, const char *text, const struct tesla_listing *listing);
/* A label at the current address. */
bool tesla_add_label(struct tesla_parser *ps, const char *name, size_t length);

static inline bool tesla_at_end(struct tesla_parser *ps)
{
    scan_blanks(&ps->s);
    return *ps->s.p == '\n' || *ps->s.p == ';' || ps->s.p >= ps->s.end;
}

/* The full name of a name that starts with a single underscore is that of the label before it and its own. */
const char *tesla_full_name(struct tesla_parser *ps, const char *name, size_t *length);

#endif
