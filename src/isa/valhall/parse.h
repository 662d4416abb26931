/* parse.h - reading Valhall text: what statements (parse.c) and operands (parse_operand.c) share. */
#ifndef WEFT_ISA_VALHALL_PARSE_H
#define WEFT_ISA_VALHALL_PARSE_H

#include "isa/scan.h"
#include "isa/valhall/table.h"
#include "isa/valhall/parse_words.h"

/* A branch to a label, which may come later. */
struct valhall_fixup {
    uint32_t number;        /* of the instruction */
    const struct valhall_field *rule;
    const char *label;
    size_t length;
};

struct valhall_label {
    const char *name;
    size_t length;
    uint32_t number;        /* of the instruction that follows */
};

struct valhall_parser {
    struct scan scan;
    const struct valhall_table *table;
    const struct valhall_words *words;
    struct arena *arena;
    uint64_t *program;
    struct span *where;
    size_t nwords, words_cap, where_cap;
    uint8_t tail[8];        /* of .byte, at the end */
    unsigned ntail;
    struct valhall_label *labels;
    size_t nlabels, labels_cap;
    struct valhall_fixup *fixups;
    size_t nfixups, fixups_cap;
    /* the statement at hand */
    uint64_t word;
    uint8_t page;           /* of the uniforms so far; NO_PAGE */
    bool pages_differ;
    int special;            /* number of the special value so far, -1: none */
    bool specials_differ;
    const struct valhall_source_rule *rule; /* of the source at hand */
};

enum { VALHALL_NO_PAGE = 0xFF };

/* A hint for a constant that the table of immediates does not have (parse_hint.c). */
const char *valhall_constant_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, bool is_float,
                                  double number);
/* A hint for a mnemonic without its type, or of another name; may be NULL. */
const char *valhall_mnemonic_hint(struct valhall_parser *p, const char *word, size_t length);

/* The operands of a row, in its order, into p->word. False after an error. */
bool valhall_parse_operands(struct valhall_parser *p, const struct valhall_row *row);

/* Remember that an immediate is the way to a label. */
bool valhall_add_fixup(struct valhall_parser *p, const struct valhall_field *rule, const char *label,
                       size_t length);

#endif
