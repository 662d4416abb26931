/* Bytes as single instructions of any set, chip and stage: decoding ends, fields put back together give the bytes,
 * operands are within their array, and the text assembles to an instruction with the same text where it stands. */
#include "insn_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3, MOST_BYTES = 1024, MOST_AFTER = 256 };

/* `after` bytes follow the instruction: the last groups of a program of Rogue are printed as such. */
static void ask(const weft_decoder *decoder, const weft_insn *insn, size_t after)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    static weft_operand operands[WEFT_INSN_OPERANDS];
    static weft_token tokens[WEFT_INSN_TOKENS];
    char text[WEFT_INSN_TEXT], again[WEFT_INSN_TEXT];
    uint8_t bytes[MOST_BYTES + MOST_AFTER];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS), used, ntokens = WEFT_INSN_TOKENS;
    weft_insn second;
    must(n <= WEFT_INSN_FIELDS && insn->size <= MOST_BYTES);
    must(weft_insn_from_fields(fields, n, bytes, insn->size) == WEFT_OK);
    must(memcmp(bytes, insn->bytes, insn->size) == 0);
    must(weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS) <= WEFT_INSN_OPERANDS);
    must(weft_insn_text(decoder, insn, NULL, text, sizeof text, tokens, &ntokens) < sizeof text);
    must(ntokens > 0 && ntokens <= WEFT_INSN_TOKENS);
    must(weft_insn_assemble(decoder, text, insn->address, bytes, MOST_BYTES, &used, NULL) == WEFT_OK);
    after = after < MOST_AFTER ? after : MOST_AFTER;
    memcpy(bytes + used, insn->bytes + insn->size, after);
    must(weft_insn_decode(decoder, bytes, used + after, insn->address, &second) == WEFT_OK);
    weft_insn_text(decoder, &second, NULL, again, sizeof again, NULL, NULL);
    if (strcmp(text, again) == 0)
        return;
    /* Assembled alone it is the last of its program, and filled up as that. */
    must(weft_insn_decode(decoder, bytes, used, insn->address, &second) == WEFT_OK);
    weft_insn_text(decoder, &second, NULL, again, sizeof again, NULL, NULL);
    must(strcmp(text, again) == 0);
}

/* The first three bytes choose set, chip and stage. NULL: the set has none of them. */
static weft_decoder *chosen(const uint8_t *data)
{
    const weft_isa *isa = weft_isa_get(data[0] % weft_isa_count());
    size_t chips = 0;
    while (weft_isa_chip(isa, chips))
        chips++;
    weft_decoder_options options = {sizeof options, chips ? weft_isa_chip(isa, data[1] % chips) : NULL,
                                    (weft_stage)(data[2] % (WEFT_STAGES + 1) - 1)};
    weft_decoder *decoder;
    weft_decoder_new(weft_isa_name(isa), &options, &decoder);
    return decoder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_decoder *decoder = size > HEAD ? chosen(data) : NULL;
    if (!decoder)
        return 0;
    size_t count = size - HEAD, at = 0;
    uint8_t *bytes = malloc(count); /* of this size exactly: a read beyond it is seen */
    if (bytes)
        memcpy(bytes, data + HEAD, count);
    while (bytes && at < count) {
        weft_insn insn;
        char text[WEFT_INSN_TEXT];
        weft_status status = weft_insn_decode(decoder, bytes + at, count - at, at, &insn);
        must(insn.size <= count - at && (status == WEFT_OK) == (insn.nrows != 0));
        if (status == WEFT_OK)
            ask(decoder, &insn, count - at - insn.size);
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

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    weft_decoder *decoder = size > HEAD ? chosen(data) : NULL;
    size_t made = change_program(decoder, HEAD, data, size, most, seed);
    weft_decoder_free(decoder);
    return made;
}
