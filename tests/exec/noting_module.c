/* noting_module.c - the module that notes. It knows all operations but stores and outputs. */
#include "noting_module.h"

#include <stdio.h>

__attribute__((visibility("default"))) const struct jit_api *weft_jit_api(void);
__attribute__((visibility("default"))) struct noted weft_noted;

static const struct lop *compiled(struct frame *f, const struct lop *op)
{
    (void)f;
    return op;
}

static bool knows(const struct jit_step *s, enum exec_level level)
{
    (void)level;
    return s->handler != H_STORE && s->handler != H_OUTPUT;
}

static uint32_t fits(const struct jit_step *s, uint32_t count)
{
    (void)s;
    return count;
}

static bool compile(const struct jit_request *r, lop_fn **functions, char *why, size_t size)
{
    struct noted *n = &weft_noted;
    n->function = compiled;
    if (n->count < MOST_NOTED)
        n->request[n->count] = r;
    for (uint32_t i = 0; i < r->nruns; i++)
        functions[i] = n->leaves_out && i % 2 ? NULL : compiled;
    if (n->fails)
        snprintf(why, size, "it is not to be");
    __atomic_add_fetch(&n->count, 1, __ATOMIC_RELEASE);
    return !n->fails;
}

static char *text(const struct jit_request *r)
{
    (void)r;
    return NULL;
}

const struct jit_api *weft_jit_api(void)
{
    static const struct jit_api api = {JIT_VERSION, "notes", knows, fits, compile, text};
    return &api;
}
