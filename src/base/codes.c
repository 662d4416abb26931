/* codes.c - the codes of diagnostics, and what each means. */
#include <string.h>
#include <weft/diag.h>

static const struct {
    const char *code, *explanation;
} codes[] = {
#define CODE(word, text) {word, text},
#include "base/codes.inc"
#undef CODE
};

enum { CODES = sizeof codes / sizeof codes[0] };

const char *weft_diag_code(size_t index)
{
    return index < CODES ? codes[index].code : NULL;
}

const char *weft_diag_explain(const char *code)
{
    size_t low = 0, high = code ? CODES : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(code, codes[middle].code);
        if (order == 0)
            return codes[middle].explanation;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
