/* libFuzzer: any bytes are parsed as Valhall text; what parses must print, parse back and be the same words. */
#include "text_mutator.h"

#include "isa/valhall/valhall.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The older opcode of the v4s8 forms comes back as the newer one. */
static uint64_t normal(uint64_t word)
{
    const struct valhall_row *row = valhall_row_of(word);
    return row && row->also ? (word & ~(511ull << 48)) | (uint64_t)row->opcode << 48 : word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct source src = {"fuzz", (const char *)data, size}, again = {.name = "printed"};
    struct isa_params params = {.stage = -1};
    struct isa_module *m, *m2;
    weft_diags *diags = weft_diags_new();
    weft_status status = valhall_parse(&src, &params, &arena, &m, diags);
    if ((status == WEFT_OK) != (weft_diags_errors(diags) == 0))
        abort(); /* a refusal says why, and nothing else complains */
    if (status == WEFT_OK) {
        char *text;
        if (valhall_print(m, &arena, &text, &again.size, NULL) != WEFT_OK)
            abort();
        again.text = text;
        if (valhall_parse(&again, &params, &arena, &m2, NULL) != WEFT_OK || m2->nwords != m->nwords)
            abort();
        for (uint32_t i = 0; i < m->nwords; i++)
            if (m2->words[i] != normal(m->words[i]))
                abort();
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}
