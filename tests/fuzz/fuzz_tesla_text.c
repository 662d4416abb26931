/* Tesla assembly: anything may be given to the parser; what it takes prints, and the print is the same program. */
#include "text_mutator.h"

#include "isa/tesla/tesla.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses chip and stage; a letter, so that seeds are text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const chips[] = {"g80", "g84", "mcp77", "g200", "gt215", NULL};
    struct arena arena = {.limit = (size_t)1 << 30};
    struct isa_module *m = NULL, *again = NULL;
    if (size < 1)
        return 0;
    struct isa_params params = {.chip = chips[data[0] / 8 % 6], .stage = data[0] % 8 % IR_STAGES - 1};
    weft_diags *diags = weft_diags_new();
    struct source src = {"input", (const char *)data + 1, size - 1};
    weft_status status = tesla_parse(&src, &params, &arena, &m, diags);
    must(status == WEFT_OK || status == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    if (status == WEFT_OK) {
        char *text;
        size_t length;
        tesla_check(m, &src, &params, diags);
        must(tesla_print(m, &arena, &text, &length, NULL) == WEFT_OK || arena_failed(&arena));
        struct source printed = {"printed", text, arena_failed(&arena) ? 0 : length};
        status = tesla_parse(&printed, &params, &arena, &again, diags);
        must(status == WEFT_OK || arena_failed(&arena));
        must(arena_failed(&arena) || (again->size == m->size && memcmp(again->bytes, m->bytes, m->size) == 0));
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}
