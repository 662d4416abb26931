/* text.c - text of SPIRV-Tools' assembler to a module and back, through the module that has SPIRV-Tools. */
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

weft_status spirv_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags)
{
    struct spirv_words words = {0};
    struct spirv_messages messages = {0};
    *out = NULL;
    weft_status status = spirv_assemble(src->text, src->size, NULL, false, arena, &words, &messages);
    spirv_report(&messages, src, NULL, 0, "syntax", diags);
    return status == WEFT_OK ? spirv_read(words.word, words.count, src->name, src, params, arena, out, diags) : status;
}

/* Where each instruction's line is: those of the header are comments. */
static void find_places(const struct isa_module *m, struct arena *arena, const char *text, size_t size,
                        struct isa_places *places)
{
    places->place = ARENA_ARRAY(arena, struct isa_place, (size_t)m->ninsns + 1);
    places->count = 0;
    for (size_t at = 0; places->place && at < size && places->count < m->ninsns;) {
        const struct spirv_insn *i = &m->insns[places->count];
        if (text[at] != ';' && text[at] != '\n')
            places->place[places->count++] =
                (struct isa_place){(uint64_t)i->at * 4, i->at * 4, i->count * 4u, (uint32_t)at};
        while (at < size && text[at] != '\n')
            at++;
        at++;
    }
}

weft_status spirv_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                        struct isa_places *places)
{
    struct spirv_text_options options = {.names = false, .indent = true, .header = true};
    struct spirv_words words = {m->words, m->nwords};
    struct spirv_messages messages = {0};
    const char *made = NULL;
    weft_status status = spirv_disassemble(words, &options, arena, &made, size, &messages);
    if (status != WEFT_OK)
        return status;
    *text = arena_block(arena, NULL, *size + 1);
    if (!*text)
        return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < *size; i++)
        (*text)[i] = made[i];
    (*text)[*size] = 0;
    if (places)
        find_places(m, arena, *text, *size, places);
    return WEFT_OK;
}
