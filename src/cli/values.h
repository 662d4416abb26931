/* values.h - values of a command line by the names of programs, on their way into constant buffers. */
#ifndef WEFT_CLI_VALUES_H
#define WEFT_CLI_VALUES_H

#include "cli/interface.h"

#include <weft/draw.h>

enum { VALUES_MOST = 4096 };

/* Numbers for one name. */
struct values {
    const char *text[VALUES_MOST]; /* each ends at a comma or the end; NULL: `number` */
    double number[VALUES_MOST];
    size_t count, used; /* that are given, and that the type has */
    size_t wrong;       /* 1 + the value that does not fit its type */
    uint32_t end;       /* bytes that are needed */
    bool other;         /* there is a type that cannot be set */
    uint32_t *word;     /* NULL: count alone */
};

/* Constant buffers that values go into: how many there are, and of each the words, which are free()d, and their
 * number. */
struct value_store {
    weft_constants *constants;
    uint32_t **memory;
    uint32_t buffers;
};

/* How many values a place takes, in v->used, and the bytes up to its end, in v->end. */
void values_measure(const struct interface *f, const struct interface_place *p, struct values *v);

/* A buffer of so many bytes at least; what is new is 0. False: there is no such buffer. */
bool values_room(const struct value_store *to, uint32_t buffer, uint32_t bytes);

/* Put values at a place; false: they are not as many, or of the wrong kind, as v says. */
bool values_place(const struct value_store *to, const struct interface *f, const struct interface_place *p,
                  struct values *v);

/* Whether each of the values NAME=V[,V...] has a place of its own, though one may be a part of another. False, having
 * said which two have not. */
bool values_distinct(const struct interfaces *programs, const struct cli_command *command, const char *const *uniform,
                     size_t count);

/* --uniform NAME=V[,V...] for all programs that have the name; `v` is room to work in. False, having said what is
 * wrong. */
bool values_set(const struct value_store *to, const struct interfaces *programs, const struct cli_command *command,
                const char *text, struct values *v);

#endif
