/* parse.h - inside the text parser: what its parts give each other.
 *
 * Text is that of envyas ("Tesla assembly text"): an instruction, directive or label to a statement; statements end
 * with the line or a semicolon. */
#ifndef WEFT_ISA_TESLA_PARSE_H
#define WEFT_ISA_TESLA_PARSE_H

#include "isa/asm/asm.h"
#include "isa/tesla/parse_match.h"

/* What a listing has before an instruction. */
struct tesla_listing {
    uint64_t word;
    unsigned size; /* bytes; 0: it has none */
    struct span where;
};

/* A statement that uses a symbol which was not known yet: read again at the end (asm_fixup.own). */
struct tesla_deferred {
    const char *text;          /* where it starts */
    const char *scope;         /* label that local names belong to, and its length */
    uint32_t scope_length;
    struct tesla_listing listing; /* what it must be */
};

struct tesla_parser {
    struct asm_state a;        /* its `own` is this */
    const struct tesla_tables *tables;
    struct tesla_target target;
    bool shorten;              /* `long` is not heeded where a short form exists */
    uint64_t padding;          /* bytes of it so far */
    size_t nlabels;
    const char *scope;         /* the last label that is not local */
    uint32_t scope_length;
    bool unknown_symbol;       /* the statement uses a symbol that is not known yet */
    bool used_symbol;          /* the statement uses a symbol */
    bool final;                /* all symbols are known now: an unknown one is an error */
};

/* The current section, whose address is its base, and the address of its end. */
static inline struct asm_section *tesla_section(const struct tesla_parser *ps)
{
    return &ps->a.section[ps->a.current];
}
static inline uint32_t tesla_address(const struct asm_section *section)
{
    return section->address + (uint32_t)section->size;
}

/* ---- expression.c ---- */

/* A number: constants, names, + - * / % << >> & ^ | ~ ! and parentheses. Outside of brackets a minus after a blank
 * starts the next operand. */
bool tesla_parse_expression(struct tesla_parser *ps, bool in_brackets, int64_t *value);
/* Of struct asm_isa. */
extern const struct asm_operator tesla_operators[];
const struct asm_expr *tesla_read_value(struct asm_state *a);

/* ---- parse_operand.c ---- */

/* An instruction from its prefixes on into tokens. */
bool tesla_parse_line(struct tesla_parser *ps, struct tesla_line *line);
/* "write $r1", for a word within an instruction that other tools have, or that lacks its sign; NULL: it is not that. */
const char *tesla_word_meant(struct tesla_parser *ps, const char *word, size_t length);

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

extern const struct asm_directive tesla_directives[];
/* The data that starts here once more, now that all names are known. */
bool tesla_parse_data_again(struct tesla_parser *ps, struct tesla_insn *insn);

/* ---- layout.c ---- */

/* Bring the section's end to a multiple of 8 by making a short instruction long. False where none can be. */
bool tesla_align_long(struct tesla_parser *ps);
/* Is it a long instruction, and the section's end not a multiple of 8? */
bool tesla_is_odd(struct tesla_parser *ps, const struct tesla_insn *insn);
/* Append to the current section. */
bool tesla_append(struct tesla_parser *ps, const struct tesla_insn *insn);
bool tesla_append_data(struct tesla_parser *ps, uint64_t value, unsigned unit, uint64_t count, struct span where);
/* Go to a section, which is made if there is none of that name. */
bool tesla_open_section(struct tesla_parser *ps, const char *name, size_t length, uint32_t base, struct span where);
/* The address of the current section's first byte; an error, about that place, if code cannot be there. */
bool tesla_set_base(struct tesla_parser *ps, uint32_t base, const struct asm_fixup *place);
/* A label at the current address. */
bool tesla_add_label(struct tesla_parser *ps, const char *name, size_t length);

/* ---- parse.c ---- */

/* The instruction or data that is appended next, which starts at `text`, is to be read again at the end. */
bool tesla_defer(struct tesla_parser *ps, const char *text, const struct tesla_listing *listing);

static inline bool tesla_at_end(struct tesla_parser *ps)
{
    scan_blanks(&ps->a.scan);
    return *ps->a.scan.p == '\n' || *ps->a.scan.p == ';' || ps->a.scan.p >= ps->a.scan.end;
}

/* The full name of a name that starts with a single underscore is that of the label before it and its own. */
const char *tesla_full_name(struct tesla_parser *ps, const char *name, size_t *length);

#endif
