/* Bytes as single instructions of any set, chip and stage: decoding ends, fields put back together give the bytes,
 * operands are within their array, and the text assembles to an instruction with the same text. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void ask(const weft_decoder *decoder, const weft_insn *insn)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    static weft_operand operands[WEFT_INSN_OPERANDS];
    static weft_token tokens[WEFT_INSN_TOKENS];
    char text[WEFT_INSN_TEXT], again[WEFT_INSN_TEXT];
    uint8_t bytes[1024];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS), used, ntokens = WEFT_INSN_TOKENS;
    weft_insn second;
    must(n <= WEFT_INSN_FIELDS && insn->size <= sizeof bytes);
    must(weft_insn_from_fields(fields, n, bytes, insn->size) == WEFT_OK);
    must(memcmp(bytes, insn->bytes, insn->size) == 0);
    must(weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS) <= WEFT_INSN_OPERANDS);
    must(weft_insn_text(decoder, insn, NULL, text, sizeof text, tokens, &ntokens) < sizeof text);
    must(ntokens > 0 && ntokens <= WEFT_INSN_TOKENS);
    must(weft_insn_assemble(decoder, text, insn->address, bytes, sizeof bytes, &used, NULL) == WEFT_OK);
    must(weft_insn_decode(decoder, bytes, used, insn->address, &second) == WEFT_OK);
    weft_insn_text(decoder, &second, NULL, again, sizeof again, NULL, NULL);
    must(strcmp(text, again) == 0);
}

/* The first three bytes choose set, chip and stage. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    const weft_isa *isa = weft_isa_get(data[0] % weft_isa_count());
    size_t chips = 0;
    while (weft_isa_chip(isa, chips))
        chips++;
    weft_decoder_options options = {sizeof options, chips ? weft_isa_chip(isa, data[1] % chips) : NULL,
                                    (weft_stage)(data[2] % (WEFT_STAGES + 1) - 1)};
    weft_decoder *decoder;
    if (weft_decoder_new(weft_isa_name(isa), &options, &decoder) != WEFT_OK)
        return 0;
    size_t count = size - 3, at = 0;
    uint8_t *bytes = malloc(count); /* of this size exactly: a read beyond it is seen */
    if (bytes)
        memcpy(bytes, data + 3, count);
    while (bytes && at < count) {
        weft_insn insn;
        char text[WEFT_INSN_TEXT];
        weft_status status = weft_insn_decode(decoder, bytes + at, count - at, at, &insn);
        must(insn.size <= count - at && (status == WEFT_OK) == (insn.nrows != 0));
        if (status == WEFT_OK)
            ask(decoder, &insn);
        else
            must(insn.fault && weft_insn_text(decoder, &insn, NULL, text, sizeof text, NULL, NULL) < sizeof text);
        if (insn.size == 0)
            break;
        at += insn.size;
    }
    free(bytes);
    weft_decoder_free(decoder);
    return 0;
}
