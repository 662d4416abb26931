/* Machine words of Tesla: what is decoded must be written back byte for byte, print, and read back from its text as the
 * same; and every instruction can be taken apart and checked. */
#include "isa/tesla/tesla.h"

#include "insn_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses chip and stage. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const chips[] = {"g80", "g84", "mcp77", "g200", "gt215", NULL};
    struct arena arena = {0};
    struct isa_module *m = NULL, *again = NULL;
    uint8_t *bytes;
    char *text;
    size_t length;
    if (size < 1)
        return 0;
    struct isa_params params = {.chip = chips[data[0] / 8 % 6], .stage = data[0] % 8 % IR_STAGES - 1};
    weft_diags *diags = weft_diags_new();
    must(tesla_decode(data + 1, size - 1, "input", &params, &arena, &m, diags) == WEFT_OK);
    must(tesla_encode(m, &arena, &bytes, &length, diags) == WEFT_OK);
    must(length == size - 1 && memcmp(bytes, data + 1, length) == 0);
    must(tesla_print(m, &arena, &text, &length, NULL) == WEFT_OK);
    struct source src = {"printed", text, length};
    must(tesla_parse(&src, &params, &arena, &again, diags) == WEFT_OK);
    must(again->size == size - 1 && memcmp(again->bytes, data + 1, size - 1) == 0);
    must(again->ninsns == m->ninsns);
    tesla_check(m, NULL, &params, diags);
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("tesla"), 1, data, size, most, seed);
}
