/* parse.h - the state of reading the text form, and its scanner (scan.c).
 *
 * Blanks and comments are skipped before whatever is looked for. After the first fault, which is reported, nothing is
 * accepted any more: functions that return bool answer false. */
#ifndef WEFT_IR_PARSE_H
#define WEFT_IR_PARSE_H

#include "ir/ir.h"
#include "ir/words.h"

struct ir_parser {
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    struct ir_program *p;
    size_t at;
    ir_value *values; /* by number in the text */
    size_t values_cap;
    uint32_t nvalues;
    uint32_t insn;    /* of the ops that follow */
    bool failed;      /* the first fault has been reported */
};

/* Report a fault: of `length` characters at `at`, or that something else was expected at the current place. False. */
bool ir_fail(struct ir_parser *ps, size_t at, size_t length, const char *hint, const char *message);
bool ir_expected(struct ir_parser *ps, const char *what);

/* The current character; -1 at the end. */
int ir_peek(const struct ir_parser *ps);
/* Skip blanks and a comment; stops at the end of the line. */
void ir_skip(struct ir_parser *ps);
bool ir_at_line_end(struct ir_parser *ps);

/* Take a character or a word if it is next; `expect` makes it a fault if it is not. */
bool ir_accept(struct ir_parser *ps, char c);
bool ir_expect(struct ir_parser *ps, char c);
bool ir_next_is(struct ir_parser *ps, const char *word);
bool ir_accept_word(struct ir_parser *ps, const char *word);
bool ir_expect_word(struct ir_parser *ps, const char *word);
/* A word of a list; its index into *out. */
bool ir_take_word(struct ir_parser *ps, const struct ir_words *words, unsigned *out);
/* A name that the text declares, copied; NULL after a fault. */
const char *ir_take_name(struct ir_parser *ps);

/* Numbers, decimal or hexadecimal, of the type's range or up to `most`. */
bool ir_take_u64(struct ir_parser *ps, uint64_t most, uint64_t *out);
bool ir_take_u32(struct ir_parser *ps, uint32_t most, uint32_t *out);
bool ir_take_u16(struct ir_parser *ps, uint16_t *out);
bool ir_take_u8(struct ir_parser *ps, uint8_t *out);
bool ir_take_i32(struct ir_parser *ps, int32_t *out);

#endif
