/* settings.h - programs that an instruction is put into: what comes before and after it, stages, chips, linkages. */
#ifndef WEFT_TESTS_ISA_SETTINGS_H
#define WEFT_TESTS_ISA_SETTINGS_H

#include "ir/io.h"

#include <stdbool.h>

struct setting {
    enum ir_stage stage;
    const char *linkage, *before, *after; /* texts; linkage NULL: the default one */
    const char *chip;                     /* NULL: the newest */
    const char *only; /* the instructions that it is for, with blanks around each; NULL: those that no other is for */
    bool strict;
};

struct settings {
    const char *isa;
    const struct setting *list;
    unsigned n;
    unsigned variants; /* of each form of an instruction */
};

extern const struct settings settings_of_sets[];
extern const unsigned settings_sets;

#endif
