/* dis.h - the parts of weft dis. */
#ifndef WEFT_CLI_DIS_H
#define WEFT_CLI_DIS_H

#include "cli/convert.h"

/* A program as it is listed: its text, its bytes and where its instructions are. */
struct listing {
    char *text;
    size_t size;
    uint8_t *bytes;
    size_t nbytes;
    weft_place *places;
    size_t count;
    weft_decoder *decoder; /* NULL: the instruction set does not answer about single instructions */
};

weft_status listing_of(const struct convert *c, const weft_program *program, struct listing *l, weft_diags *diags);
void listing_free(struct listing *l);

/* The text, with the address and the bytes of each instruction before it as asked for. */
void listing_put(const struct convert *c, const struct listing *l, FILE *out);
/* The instructions as a JSON array. */
weft_status listing_put_json(const struct listing *l, FILE *out);
/* The blocks and the ways between them, for Graphviz. */
weft_status listing_put_graph(const struct listing *l, FILE *out);
/* Note in c which instructions are unknown. */
void listing_note_unknown(struct convert *c, const struct listing *l);

/* ---- names of addresses: dis_symbols.c ---- */

struct symbols;

/* Read a list of symbols: lines "ADDRESS NAME" or, as nm prints them, "ADDRESS TYPE NAME". NULL, having said so, when
 * the file cannot be read or a line is at fault. */
struct symbols *symbols_read(const char *path, weft_diags *diags);
void symbols_free(struct symbols *s);

/* The listing with the symbols' names, and made ones for other targets of branches, as labels. So that the text
 * assembles, places whose symbol no label can be named by have made names, and messages say so. */
weft_status listing_put_symbols(const struct convert *c, const struct listing *l, struct symbols *s, FILE *out);

/* ---- which instruction set is it: dis_guess.c ---- */

/* Write the instruction sets, chips and stages that the bytes could be of, with scores, the best first. */
weft_status guess(const uint8_t *bytes, size_t size, FILE *out);

#endif
