/* Hostile AmberScript: it is parsed, or refused with a reason. What was parsed keeps its promises: sizes within their
 * limits, names and types where there must be some, contents that stay inside their memory. */
#include "text_mutator.h"

#include "script/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_buffer(const struct script_buffer *b)
{
    must(b->name && b->layout.nleaves >= 1 && b->layout.nleaves <= SCRIPT_MAX_LEAVES &&
         b->layout.stride >= b->layout.size);
    must(script_buffer_bytes(b) <= SCRIPT_MAX_BYTES);
    must(b->levels >= 1 && b->samples >= 1);
    for (uint32_t i = 0; i < b->layout.nleaves; i++)
        must(b->layout.leaves[i].offset + script_scalar_bytes(b->layout.leaves[i].scalar) <= b->layout.size);
    uint64_t bytes = script_buffer_bytes(b);
    size_t room = bytes < 4096 ? (size_t)bytes : 4096;
    void *memory = calloc(room + 1, 1);
    must(memory != NULL);
    script_buffer_fill(b, memory, room);
    free(memory);
}

static void check_commands(const struct script_command *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, c++) {
        if (c->kind <= SCRIPT_DRAW_ARRAY)
            must(c->pipeline && c->pipeline->compute == (c->kind == SCRIPT_RUN_COMPUTE));
        else if (c->kind == SCRIPT_REPEAT_BLOCK)
            check_commands(c->repeat.commands, c->repeat.count);
        else if (c->kind != SCRIPT_COPY)
            must(c->expect.buffer && (c->expect.nvalues || c->expect.other));
    }
}

/* A script is refused for what weft does not run, and for each feature that it requires and weft lacks. */
static weft_status refusal(const struct script *s)
{
    bool refused = s->nrefusals != 0;
    for (uint32_t i = 0; i < s->nrequirements; i++)
        refused |= !s->requirements[i].has;
    return refused ? WEFT_ERROR_UNSUPPORTED : WEFT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {.limit = 256u << 20};
    struct source src = {"fuzz.amber", (const char *)data, size};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    weft_status status = script_parse(&src, &a, &s, d);
    must((status == WEFT_OK) == (weft_diags_errors(d) == 0));
    if (status == WEFT_OK) {
        for (uint32_t i = 0; i < s->nbuffers; i++)
            check_buffer(s->buffers[i]);
        check_commands(s->commands, s->ncommands);
        must(script_refuse(s, d) == refusal(s));
    }
    weft_diags_free(d);
    arena_free(&a);
    return 0;
}
