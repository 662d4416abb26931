/* link.h - what goes between weft and the process that works for it (apart.c): bytes through a socket. Both ends
 * are the same program in the same machine, so numbers and structures go as they are, and then what they point to. */
#ifndef WEFT_ISA_SPIRV_TOOLS_LINK_H
#define WEFT_ISA_SPIRV_TOOLS_LINK_H

#include "isa/spirv/tools/module.h"

/* A text to be compiled, or, without one, a module to be optimised. */
struct tools_task {
    const struct spirv_source *source;
    struct spirv_words words;
    const char *env;
    const char *const *flags;
    size_t nflags;
};

/* Once broken (the other end is gone, sends nonsense, or there is no memory here, which the result says too) all later
 * calls do nothing: what they read is 0 and NULL. */
struct link {
    int file;
    bool broken;
};

void link_put(struct link *l, const void *bytes, size_t size);
void link_get(struct link *l, void *bytes, size_t size);
/* Bytes with a 0 after them, in memory of the result, or NULL. A name is as long as its first 0 says. */
void link_put_text(struct link *l, const char *text, size_t size);
const char *link_get_text(struct link *l, struct spirv_result *r, size_t *size);
void link_put_name(struct link *l, const char *name);
const char *link_get_name(struct link *l, struct spirv_result *r);
/* All of it but the function for included files, which is of use at its own end alone. A task's source becomes *s. */
void link_put_task(struct link *l, const struct tools_task *task);
void link_get_task(struct link *l, struct spirv_result *r, struct tools_task *task, struct spirv_source *s);
void link_put_result(struct link *l, weft_status status, const struct spirv_result *r);
weft_status link_get_result(struct link *l, struct spirv_result *r);

#endif
