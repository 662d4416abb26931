/* parse.h - inside the text parser: the cursor, and what its parts give each other.
 *
 * Statements are separated by white space alone; a newline ends only a comment. */
#ifndef WEFT_ISA_TGSI_PARSE_H
#define WEFT_ISA_TGSI_PARSE_H

#include "isa/scan.h"
#include "isa/tgsi/tgsi.h"

struct tgsi_parser {
    struct scan scan; /* of the hardware's languages; a newline is white space here, and comments are others */
    uint32_t line;    /* of the next byte, 1-based */
    struct isa_module *m;
    size_t cap_decls, cap_imms, cap_props, cap_insns, cap_items;
    bool open_comment;      /* an unclosed comment was reported */
    bool log;               /* other lines may follow the program */
};

static inline bool tgsi_is_space(char c)
{
    return scan_is(c, SCAN_BLANK) || c == '\n';
}

void tgsi_skip_comments(struct tgsi_parser *ps);

/* To the next byte that is neither white space nor in a comment. */
static inline void tgsi_parse_skip(struct tgsi_parser *ps)
{
    const char *p = ps->scan.p;
    while (tgsi_is_space(*p)) {
        ps->line += *p == '\n';
        p++;
    }
    ps->scan.p = p;
    if (scan_is(*p, SCAN_STOP))
        tgsi_skip_comments(ps);
}

/* Take the punctuation c, and the white space before it, if it is next. */
static inline bool tgsi_parse_take(struct tgsi_parser *ps, char c)
{
    if (*ps->scan.p != c) {
        tgsi_parse_skip(ps);
        if (*ps->scan.p != c)
            return false;
    }
    ps->scan.last = ++ps->scan.p;
    return true;
}

/* ---- errors: each answers false, so that a parser can return it ---- */

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
