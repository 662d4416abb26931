/* vpu.h - what the fuzzers of the VPU share. */
#ifndef WEFT_TESTS_FUZZ_VPU_H
#define WEFT_TESTS_FUZZ_VPU_H

#include "isa/vpu/vpu.h"

#include "insn_change.h"

/* The text of a module is read back, and gives the same bytes. */
static inline void check_text(const struct isa_module *m, const uint8_t *bytes, size_t size, struct arena *arena,
                              weft_diags *diags)
{
    struct isa_params params = {.stage = -1};
    struct isa_module *again = NULL;
    char *text;
    uint8_t *same;
    size_t length;
    must(vpu_print(m, arena, &text, &length, NULL) == WEFT_OK);
    struct source src = {"printed", text, length};
    must(vpu_parse(&src, &params, arena, &again, diags) == WEFT_OK);
    must(vpu_encode(again, arena, &same, &length, diags) == WEFT_OK);
    must(length == size && memcmp(same, bytes, size) == 0);
}

#endif
