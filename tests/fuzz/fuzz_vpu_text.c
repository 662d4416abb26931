/* VPU assembler text: what is accepted has bytes that decode, and text that is read back to the same bytes. */
#include "vpu.h"
#include "text_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 20 /* bytes of a program that are looked at further */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.limit = (size_t)512 << 20};
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = -1};
    struct source src = {"input", (const char *)data, size};
    struct isa_module *m = NULL;
    uint8_t *bytes;
    size_t length;
    weft_status status = vpu_parse(&src, &params, &arena, &m, diags);
    must(status != WEFT_ERROR_INPUT || weft_diags_errors(diags) > 0);
    if (status == WEFT_OK) {
        uint64_t begin = UINT32_MAX, end = 0;
        for (uint32_t s = 0; s < m->nsections; s++) {
            begin = m->sections[s].address < begin ? m->sections[s].address : begin;
            end = m->sections[s].address + (uint64_t)m->sections[s].size;
        }
        vpu_check(m, &src, &params, diags);
        if (end < begin + MOST && vpu_encode(m, &arena, &bytes, &length, diags) == WEFT_OK)
            check_text(m, bytes, length, &arena, diags);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}
