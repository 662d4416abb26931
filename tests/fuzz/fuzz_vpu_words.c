/* Bytes as VPU programs, swept and traced: written back byte for byte, printed, and read back from the text. */
#include "vpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *data, size_t size, bool linear)
{
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = -1, .linear = linear};
    struct isa_module *m = NULL;
    uint8_t *bytes;
    size_t length;
    weft_status status = vpu_decode(data, size, "input", &params, &arena, &m, diags);
    must((status == WEFT_OK) == (m != NULL));
    if (m && !m->elf) {
        must(vpu_encode(m, &arena, &bytes, &length, diags) == WEFT_OK);
        must(length == size && memcmp(bytes, data, size) == 0);
        check_text(m, data, size, &arena, diags);
        bool right = vpu_check(m, NULL, &params, diags) == WEFT_OK; /* words that control reaches are errors */
        must(right == (weft_diags_errors(diags) == 0));
    }
    weft_diags_free(diags);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size, true);
    check(data, size, false);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("vpu"), 0, data, size, most, seed);
}
