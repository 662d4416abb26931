/* Token streams: what is read must be written back byte for byte, print, and read back from its text as the same. */
#include "isa/tgsi/tgsi.h"

#include "../tgsi/equal.h"
#include "insn_change.h"
#include "isa/tgsi/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {NULL, -1};
    struct isa_module *m = NULL, *again = NULL;
    weft_status status = tgsi_decode(data, size, "input", &params, &arena, &m, diags);
    must((status == WEFT_OK) == (m != NULL));
    if (m) {
        uint8_t *bytes;
        char *text;
        size_t length;
        must(tgsi_encode(m, &arena, &bytes, &length, diags) == WEFT_OK);
        must(length == size && memcmp(bytes, data, size) == 0);
        must(tgsi_print(m, &arena, &text, &length, NULL) == WEFT_OK);
        struct source src = {"printed", text, length};
        must(tgsi_parse(&src, &params, &arena, &again, diags) == WEFT_OK);
        must(tgsi_module_equal(m, again));
        tgsi_check(m, NULL, &params, diags);
    } else {
        must(status == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

/* The header says how many tokens there are, and the stage after it is one. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    enum { HEAD = 4 * TGSI_HEADER_TOKENS };
    size_t made = change_program(decoder_of("tgsi"), HEAD, data, size, most, seed);
    if (seed % 4 && made >= HEAD) {
        uint32_t tokens = (uint32_t)(made - HEAD) / 4;
        const uint32_t head[] = {TGSI_PUT(TGSI_HEADER_TOKENS, HEADER_SIZE) | TGSI_PUT(tokens, HEADER_BODY),
                                 data[4] % TGSI_PROCESSORS};
        memcpy(data, head, sizeof head);
    }
    return made;
}
