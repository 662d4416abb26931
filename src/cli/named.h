/* named.h - textures, buffers and uniforms that a command line gives by the name in the program. */
#ifndef WEFT_CLI_NAMED_H
#define WEFT_CLI_NAMED_H

#include "cli/interface.h"

enum { NAMED_NONE = UINT32_MAX - 1 /* see named_number */ };

/* Names without repetition, each of so many elements. */
enum { NAMED_MOST = 256 };
struct named {
    const char *name[NAMED_MOST];
    uint32_t elements[NAMED_MOST];
    size_t count;
};
void named_add(struct named *n, const char *name, uint32_t elements);
/* "a, b[0] to b[3]", cut where the text is full. */
void named_list(const struct named *n, char *text, size_t size);

/* "weft draw: the shader has no WHAT 'NAME'", the nearest, and what there is of the kind. */
void named_none(const struct interfaces *programs, const struct cli_command *command, enum interface_kind kind,
                const char *what, const char *name);

/* The number of NAME, or of NAME[2], `length` characters; of a texture that no program uses INTERFACE_UNUSED;
 * NAMED_NONE: there is none, and that has been said. */
uint32_t named_number(const struct interfaces *programs, const struct cli_command *command, enum interface_kind kind,
                      const char *what, const char *name, size_t length);

/* Give each variable of the kind numbers that no other has. True: some have changed. */
bool named_part(struct interface *f, enum interface_kind kind, uint32_t limit);

/* Whether it is "NAME" or "NAME[...": a digit begins a number. */
static inline bool named_is_name(const char *text)
{
    return *text && !(*text >= '0' && *text <= '9');
}

#endif
