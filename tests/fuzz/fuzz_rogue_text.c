/* libFuzzer: any bytes are parsed as Rogue text, and as a list of instructions to be put into groups; what parses must
 * print, parse back and be the same bytes, and what packing makes must pass the checker. */
#include "text_mutator.h"

#include "isa/rogue/rogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const uint8_t *data, size_t size, bool pack)
{
    struct arena arena = {0};
    struct source src = {"fuzz", (const char *)data, size}, again = {.name = "printed"};
    struct isa_params params = {.stage = -1, .pack = pack}, as_written = {.stage = -1};
    struct isa_module *m, *m2;
    weft_diags *diags = weft_diags_new();
    weft_status status = rogue_parse(&src, &params, &arena, &m, diags);
    if ((status == WEFT_OK) != (weft_diags_errors(diags) == 0))
        abort(); /* a refusal says why, and nothing else complains */
    if (status == WEFT_OK) {
        char *text;
        if (rogue_print(m, &arena, &text, &again.size, NULL) != WEFT_OK)
            abort();
        again.text = text;
        uint8_t *bytes, *bytes_again;
        size_t length, length_again;
        if (rogue_parse(&again, &as_written, &arena, &m2, NULL) != WEFT_OK ||
            rogue_encode(m, &arena, &bytes, &length, NULL) != WEFT_OK ||
            rogue_encode(m2, &arena, &bytes_again, &length_again, NULL) != WEFT_OK)
            abort();
        if (length != length_again || memcmp(bytes, bytes_again, length) != 0)
            abort();
        if (rogue_check(m, &src, &params, diags) != WEFT_OK && pack)
            abort();
    }
    weft_diags_free(diags);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, false);
    parse(data, size, true);
    return 0;
}
