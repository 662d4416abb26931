/* parse.h - inside the text parser: the cursor, and what its parts give each other.
 *
 * The text is parsed from a copy that ends in zero bytes, so that no function has to look for the end before it looks
 * at a byte. Statements are separated by white space alone; a newline ends only a comment. */
#ifndef WEFT_ISA_TGSI_PARSE_H
#define WEFT_ISA_TGSI_PARSE_H

#include "isa/scan.h"
#include "isa/tgsi/tgsi.h"

enum { TGSI_PARSE_PADDING = 16, TGSI_PARSE_MAX_ERRORS = 10000 };

struct tgsi_parser {
    const char *p;          /* the next byte */
    const char *begin, *end;
    const char *last;       /* end of the last token: what spans end at */
    uint32_t line;          /* of p, 1-based */
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    struct isa_module *m;
    size_t cap_decls, cap_imms, cap_props, cap_insns, cap_items;
    uint32_t errors;
    bool open_comment;      /* an unclosed comment was reported */
    bool log;               /* other lines may follow the program */
};

/* ---- characters: those of scan.h, but a newline is white space ---- */

enum {
    TGSI_CHAR_SPACE = SCAN_BLANK,
    TGSI_CHAR_WORD = SCAN_LETTER | SCAN_DIGIT,
    TGSI_CHAR_DIGIT = SCAN_DIGIT,
    TGSI_CHAR_COMMENT = SCAN_STOP
};

static inline bool tgsi_parse_is(char c, unsigned classes)
{
    return scan_is(c, classes) || (c == '\n' && classes & SCAN_BLANK);
}

void tgsi_skip_comments(struct tgsi_parser *ps);

/* To the next byte that is neither white space nor in a comment. */
static inline void tgsi_parse_skip(struct tgsi_parser *ps)
{
    const char *p = ps->p;
    while (tgsi_parse_is(*p, TGSI_CHAR_SPACE)) {
        ps->line += *p == '\n';
        p++;
    }
    ps->p = p;
    if (tgsi_parse_is(*p, TGSI_CHAR_COMMENT))
        tgsi_skip_comments(ps);
}

/* Take the punctuation c, and the white space before it, if it is next. */
static inline bool tgsi_parse_take(struct tgsi_parser *ps, char c)
{
    if (*ps->p != c) {
        tgsi_parse_skip(ps);
        if (*ps->p != c)
            return false;
    }
    ps->last = ++ps->p;
    return true;
}

static inline uint32_t tgsi_parse_offset(const struct tgsi_parser *ps, const char *p)
{
    return (uint32_t)(p - ps->begin);
}

static inline struct span tgsi_parse_span(const struct tgsi_parser *ps, const char *from)
{
    return (struct span){tgsi_parse_offset(ps, from), (uint32_t)(ps->last > from ? ps->last - from : 0)};
}

/* ---- errors: each answers false, so that a parser can return it ---- */

bool tgsi_error(struct tgsi_parser *ps, struct span where, const char *code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* "expected WHAT, found 'the next word'" at the next byte. */
bool tgsi_expected(struct tgsi_parser *ps, const char *what);
/* "expected WHAT, found 'word'", with the nearest of the names as a hint. */
bool tgsi_unknown(struct tgsi_parser *ps, const char *code, const char *what, const char *word, size_t length,
                  const char *const *names, size_t count);
/* With another hint where no name is near. */
bool tgsi_unknown_or(struct tgsi_parser *ps, const char *code, const char *what, const char *word, size_t length,
                     const char *const *names, size_t count, const char *otherwise);

/* ---- words and numbers ---- */

int tgsi_target_of(const char *word, size_t length);
int tgsi_format_of(const char *word, size_t length);
/* The next decimal number, at most `most`. */
bool tgsi_parse_uint(struct tgsi_parser *ps, uint32_t most, const char *what, uint32_t *value);

/* Row of a mnemonic with its suffixes, today's or of an older release; -1: none. */
int tgsi_find_opcode(const char *word, size_t length, bool *saturate, bool *precise);
/* DCL, IMM, PROPERTY or a mnemonic in upper case, as drivers write into logs, whose other lines may begin with "log"
 * or "if". */
bool tgsi_begins_statement(const char *word, size_t length);

/* ---- programs of a text: parse_log.c ---- */

/* Where a program is. */
struct tgsi_region {
    size_t begin, end;
    bool log; /* the text holds other things too: lines after END are not the program's */
};

/* Program `number`, from 0, of the text; false: there are fewer. */
bool tgsi_find_program(const struct source *src, uint32_t number, struct tgsi_region *out);

/* ---- registers ---- */

int tgsi_file_of(const char *word, size_t length);
/* "unknown register file" for the word at the cursor. */
bool tgsi_unknown_file(struct tgsi_parser *ps);
/* The letters after a point, in order xyzw. The point is taken. */
bool tgsi_parse_mask(struct tgsi_parser *ps, uint8_t *mask);

/* ---- statements: the word that starts each is taken ---- */

bool tgsi_parse_declaration(struct tgsi_parser *ps, const char *start, struct tgsi_decl *d);
bool tgsi_parse_immediate(struct tgsi_parser *ps, const char *start, struct tgsi_imm *imm);
/* The mnemonic is at the cursor. */
bool tgsi_parse_instruction(struct tgsi_parser *ps, struct tgsi_insn *insn);

#endif
