/* What weft explain is given: words in any spelling, and lines of text of any set. */
#include "cli/dump.c"
#include "cli/words.c"

#include "text_mutator.h"

#include <stdlib.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For words.c, of which it is all that the rest of the command is asked for. */
void *cli_kept(void *memory)
{
    must(memory != NULL);
    return memory;
}

static void parse_words(const char *text, size_t size)
{
    for (unsigned unit = 2; unit <= 8; unit *= 2) {
        size_t room = (size / 2 + 1) * unit, count = 0;
        uint8_t *bytes = malloc(room);
        if (bytes)
            must(words_parse(text, size, unit, bytes, &count) <= size && count <= room);
        free(bytes);
    }
}

/* The first byte chooses the set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 4096)
        return 0;
    const weft_isa *isa = weft_isa_get(data[0] % weft_isa_count());
    char *text = malloc(size); /* without the first byte, and terminated */
    weft_decoder *decoder = NULL;
    uint8_t bytes[64];
    size_t used;
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    parse_words(text, size - 1);
    must(words_is_word(text) || true);
    if (weft_decoder_new(weft_isa_name(isa), NULL, &decoder) == WEFT_OK) {
        weft_diags *diags = weft_diags_new();
        weft_status status = weft_insn_assemble(decoder, text, 0x40, bytes, sizeof bytes, &used, diags);
        must(status != WEFT_OK || used > 0);
        must(status == WEFT_OK || weft_diags_errors(diags) > 0);
        weft_diags_free(diags);
    }
    weft_decoder_free(decoder);
    free(text);
    return 0;
}
