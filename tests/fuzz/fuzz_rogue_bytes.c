/* libFuzzer: bytes decode, encode to the same bytes, print, and assemble to the same bytes. */
#include "isa/rogue/rogue.h"

#include "insn_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL, *again = NULL;
    weft_status status = rogue_decode(data, size, "input", &params, &arena, &m, diags);
    must(status == WEFT_OK && m != NULL);
    if (m) {
        uint8_t *bytes;
        char *text;
        size_t length;
        must(rogue_encode(m, &arena, &bytes, &length, diags) == WEFT_OK);
        must(length == size && (size == 0 || memcmp(bytes, data, size) == 0));
        must(rogue_print(m, &arena, &text, &length, NULL) == WEFT_OK);
        struct source src = {"printed", text, length};
        must(rogue_parse(&src, &params, &arena, &again, diags) == WEFT_OK);
        must(rogue_encode(again, &arena, &bytes, &length, diags) == WEFT_OK);
        must(length == size && (size == 0 || memcmp(bytes, data, size) == 0));
        rogue_check(m, NULL, &params, diags);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("rogue"), 0, data, size, most, seed);
}
