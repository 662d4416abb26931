/* libFuzzer: any bytes are parsed as TGSI text; what parses must print, parse back and be the same. */
#include "text_mutator.h"

#include "isa/tgsi/tgsi.h"

#include "../tgsi/equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct source src = {"fuzz", (const char *)data, size}, again;
    struct isa_params params = {NULL, -1};
    struct isa_module *m, *m2;
    weft_diags *diags = weft_diags_new();
    weft_status status = tgsi_parse(&src, &params, &arena, &m, diags);
    if ((status == WEFT_OK) != (weft_diags_errors(diags) == 0))
        abort(); /* a refusal says why, and nothing else complains */
    if (status == WEFT_OK) {
        char *text;
        again.name = "printed";
        if (tgsi_print(m, &arena, &text, &again.size, NULL) != WEFT_OK)
            abort();
        again.text = text;
        if (tgsi_parse(&again, &params, &arena, &m2, NULL) != WEFT_OK || !tgsi_module_equal(m, m2))
            abort();
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}
