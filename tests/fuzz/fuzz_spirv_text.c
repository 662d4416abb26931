/* Assembly of SPIR-V, whatever it is: parsed, or refused with a reason; what was parsed is checked, lifted and run
 * (spirv_run.h), and its listing is parsed again to the same words. */
#include "spirv_run.h"
#include "text_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_listing(const struct isa_module *m, struct arena *arena)
{
    char *text;
    size_t size;
    struct spirv_words again;
    struct spirv_messages messages = {0};
    if (spirv_print(m, arena, &text, &size, NULL) != WEFT_OK)
        return; /* SPIRV-Tools does not take it apart: an extended set that it does not know */
    char version[] = {'s', 'p', 'v', '1', '.', (char)('0' + (m->version >> 8 & 15)), 0};
    if (spirv_assemble(text, size, version, true, arena, &again, &messages) != WEFT_OK)
        return;
    must(again.count == m->nwords);
    must(memcmp(again.word + SPIRV_HEADER_WORDS, m->words + SPIRV_HEADER_WORDS,
                (again.count - SPIRV_HEADER_WORDS) * 4) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_TEXT)
        return 0;
    struct arena arena = {.limit = 256u << 20};
    const struct source src = {"input", (const char *)data, size};
    const struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = spirv_parse(&src, &params, &arena, &m, diags);
    must((status == WEFT_OK) == (m != NULL));
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    if (m) {
        spirv_check(m, &src, &params, diags);
        read_listing(m, &arena);
        run_words((struct spirv_words){m->words, m->nwords}, NULL, &arena);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}
