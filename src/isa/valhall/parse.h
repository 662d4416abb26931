/* parse.h - reading Valhall text: what statements (parse.c) and operands (parse_operand.c) share. */
#ifndef WEFT_ISA_VALHALL_PARSE_H
#define WEFT_ISA_VALHALL_PARSE_H

#include "isa/asm/asm.h"
#include "isa/valhall/table.h"
#include "isa/valhall/parse_words.h"

/* An instruction or a word of data, as the assembler keeps it. */
struct valhall_item {
    uint32_t address, size;
    struct span where;
    uint64_t word;
};

struct valhall_parser {
    struct asm_state a;     /* its `own` is this */
    const struct valhall_table *table;
    const struct valhall_words *words;
    uint8_t tail[8];        /* of .byte, at the end */
    unsigned ntail;
    /* the statement at hand */
    uint64_t word;
    uint8_t page;           /* of the uniforms so far; NO_PAGE */
    bool pages_differ;
    int special;            /* number of the special value so far, -1: none */
    bool specials_differ;
    const struct valhall_source_rule *rule; /* of the source at hand */
};

enum { VALHALL_NO_PAGE = 0xFF };

/* A hint for a name after a dot that is none of these: the nearest one, or else the first `listed` of them if they are
 * few; may be NULL (parse_hint.c). */
const char *valhall_names_hint(struct valhall_parser *p, const char *word, size_t length, const char *const *names,
                               size_t count, size_t listed);
/* A hint for a constant that the table of immediates does not have (parse_hint.c). */
const char *valhall_constant_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, bool is_float,
                                  double number);
/* A hint for what begins with a sign or '#' where a source should be; may be NULL. */
const char *valhall_sign_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, const char *text);
/* A hint for a mnemonic without its type, or of another name; may be NULL. */
const char *valhall_mnemonic_hint(struct valhall_parser *p, const char *word, size_t length);

/* The operands of a row, in its order, into p->word. False after an error. */
bool valhall_parse_operands(struct valhall_parser *p, const struct valhall_row *row);

#endif
