/* Token streams: what is read must be written back byte for byte, print, and read back from its text as the same. */
#include "isa/tgsi/tgsi.h"

#include "../tgsi/equal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

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
