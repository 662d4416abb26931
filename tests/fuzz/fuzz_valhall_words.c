/* libFuzzer: words decode, encode to the same bytes, print, and assemble to the same words. */
#include "isa/valhall/valhall.h"

#include "insn_change.h"

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
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL, *again = NULL;
    weft_status status = valhall_decode(data, size, "input", &params, &arena, &m, diags);
    must(status == WEFT_OK && m != NULL && m->ntail == size % 8);
    if (m) {
        uint8_t *bytes;
        char *text;
        size_t length;
        must(valhall_encode(m, &arena, &bytes, &length, diags) == WEFT_OK);
        must(length == size && (size == 0 || memcmp(bytes, data, size) == 0));
        must(valhall_print(m, &arena, &text, &length, NULL) == WEFT_OK);
        struct source src = {"printed", text, length};
        must(valhall_parse(&src, &params, &arena, &again, diags) == WEFT_OK && again->nwords == m->nwords);
        for (uint32_t i = 0; i < m->nwords; i++)
            must(again->words[i] == normal(m->words[i]));
        must(again->ntail == m->ntail && memcmp(again->tail, m->tail, m->ntail) == 0);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("valhall"), 0, data, size, most, seed);
}
