/* parse_match.h - a line's tokens against the rows' syntaxes. */
#ifndef WEFT_ISA_TESLA_PARSE_MATCH_H
#define WEFT_ISA_TESLA_PARSE_MATCH_H

#include "isa/tesla/table.h"

enum { TESLA_MAX_TOKENS = 24 };

/* A word, or an operand. Numbers are operands of kind IMMEDIATE. */
struct tesla_token {
    uint8_t word;   /* number of the word; TESLA_NO_WORD: an operand */
    struct tesla_operand operand;
    int64_t number; /* IMMEDIATE, all of it */
    struct span where;
};

enum tesla_length { TESLA_ANY_LENGTH, TESLA_ASK_SHORT, TESLA_ASK_LONG };

/* An instruction as it is in a line. */
struct tesla_line {
    struct tesla_token token[TESLA_MAX_TOKENS]; /* the mnemonic first */
    uint32_t ntokens;
    uint8_t length;    /* enum tesla_length: words `short` and `long` before it */
    uint8_t tail;      /* 0, 1 exit, 2 join */
    bool unknown;      /* the last token is a word that nothing has */
    bool has_predicate, has_lanes;
    uint8_t predicate, csrc, lanes;
    struct span tail_where, predicate_where, lanes_where;
};

enum { TESLA_PREFIX = TESLA_MAX_TOKENS + 1 };

/* Why a row does not match: the token, and what the row wants there. */
struct tesla_mismatch {
    const struct tesla_row *row;
    uint32_t token;    /* ntokens: the line ends too early; TESLA_PREFIX: what comes before it, all tokens match */
    const struct tesla_item *wanted; /* NULL: nothing more */
    struct span where;
    const char *prefix; /* what the row cannot have before it: "exit and join" */
    uint32_t rank;      /* how near it came: `token`, or more where all tokens match but memory is out of reach */
    uint8_t source;     /* then: 1 + the source that does not fit; else 0 */
};

/* The word that the row makes of the line. `lenient`: `sat` may be anywhere and rounding words may be missing. */
bool tesla_match(const struct tesla_tables *t, const struct tesla_row *row, const struct tesla_line *line,
                 uint8_t stage, bool lenient, uint64_t *word, struct tesla_mismatch *why);

/* A first look, without leniency: false when the row cannot match. */
static inline bool tesla_may_match(const struct tesla_template *t, const struct tesla_line *line)
{
    if (t->nitems < 2 || t->items[1].kind != TESLA_I_WORD)
        return true;
    return line->ntokens > 1 && line->token[1].word == t->items[1].words[0];
}

#endif
