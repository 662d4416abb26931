/* linkage.h - what the linkages of the instruction sets have in common: lines of words and numbers, and the names
 * of what programs take and give. docs/manual/NAME.md has each one's lines.
 *
 * The functions of parts of a line report their errors and answer false then, as those of scan.h do. */
#ifndef WEFT_ISA_LINKAGE_H
#define WEFT_ISA_LINKAGE_H

#include "isa/isa.h"
#include "isa/scan.h"

/* For a program that has lines of a linkage in its text, as a job has them. */
#define LINKAGE_HINT                                                                                                 \
    "a job has them before the program; weft run and weft draw take them, without '.link', from --linkage FILE"

/* Reads the line that the scanner is at; what is left of it is an error unless this one had one. */
typedef bool linkage_line(void *reader);

/* Call `line` for every line of the text (NULL: none). `s` is the reader's scanner, and ends where its errors can be
 * counted. WEFT_ERROR_INPUT after an error, WEFT_ERROR_MEMORY without memory. */
weft_status linkage_read(struct scan *s, const struct isa_linkage *text, struct arena *arena, weft_diags *diags,
                         linkage_line *line, void *reader);

/* Lines by their first word: read the one that the scanner is at. */
struct linkage_word {
    const char *word;
    linkage_line *read;
};
bool linkage_word(struct scan *s, const struct linkage_word *words, size_t count, void *reader);
/* Words up to the end of the line, each of which sets its flag. */
struct linkage_flag {
    const char *word;
    bool *flag;
};
bool linkage_flags(struct scan *s, const struct linkage_flag *flags, size_t count, const char *expected);

/* NAME[index], or NAME for index 0, of an input or output: one of those whose bit (enum ir_semantic) is in `known`. */
bool linkage_semantic(struct scan *s, uint32_t known, uint8_t *semantic, uint16_t *index);
/* x, y, z or w. */
bool linkage_component(struct scan *s, uint8_t *component);
/* 1D, 2D, 3D or CUBE, with `all` RECT or BUFFER too. `what` is being described ("kind of texture"). */
bool linkage_dim(struct scan *s, bool all, const char *what, uint8_t *dim);
/* points, lines, ...: the first `count` of enum ir_primitive. */
enum { LINKAGE_PRIMITIVES = IR_PRIM_TRIANGLE_STRIP_ADJACENCY + 1 };
extern const char *const linkage_primitives[LINKAGE_PRIMITIVES];
bool linkage_primitive(struct scan *s, size_t count, uint8_t *primitive);
/* The size of a workgroup: one to three numbers, each at most that of `most`. What is not there stays as it is. */
bool linkage_block(struct scan *s, const uint32_t most[3], uint32_t block[3]);

#endif
