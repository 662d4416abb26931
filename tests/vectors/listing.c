/* listing.c - a listing from nothing but weft/insn.h.
 *
 * listing ISA CHIP STAGE FILE lists the instructions of a flat image; listing -t ISA CHIP STAGE FILE lists the targets
 * of its branches that are instructions. CHIP and STAGE may be "-".
 *
 * The fields of each known instruction, put back together, must give its bytes: the exit status is 1 where they do not.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/insn.h>

enum { MOST_BYTES = 1 << 22 };

static bool fields_agree(const weft_decoder *decoder, const weft_insn *insn)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    uint8_t bytes[1024];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    return insn->size <= sizeof bytes && weft_insn_from_fields(fields, n, bytes, insn->size) == WEFT_OK &&
           memcmp(bytes, insn->bytes, insn->size) == 0;
}

static weft_stage stage_of(const char *name)
{
    for (int s = 0; s < WEFT_STAGES; s++)
        if (strcmp(weft_stage_name((weft_stage)s), name) == 0)
            return (weft_stage)s;
    return WEFT_STAGE_NONE;
}

/* Whether an instruction begins at an address. */
static bool begins(const weft_decoder *decoder, const uint8_t *bytes, size_t size, uint64_t address)
{
    weft_insn insn;
    size_t at = 0;
    while (at < size && at < address) {
        weft_insn_decode(decoder, bytes + at, size - at, at, &insn);
        if (insn.size == 0)
            return false;
        at += insn.size;
    }
    return at < size && at == address;
}

static bool list(const weft_decoder *decoder, const uint8_t *bytes, size_t size, bool targets)
{
    bool agree = true;
    for (size_t at = 0; at < size;) {
        weft_insn insn;
        char text[WEFT_INSN_TEXT];
        bool known = weft_insn_decode(decoder, bytes + at, size - at, at, &insn) == WEFT_OK;
        if (insn.size == 0)
            break;
        if (known && !fields_agree(decoder, &insn)) {
            printf("%08zx: the fields give other bytes\n", at);
            agree = false;
        }
        weft_insn_text(decoder, &insn, NULL, text, sizeof text, NULL, NULL);
        if (!targets)
            printf("%08zx: %s\n", at, text);
        else if (known && insn.has_target && begins(decoder, bytes, size, insn.target))
            printf("%08llx\n", (unsigned long long)insn.target);
        at += insn.size;
    }
    return agree;
}

int main(int argc, char **argv)
{
    bool targets = argc > 1 && strcmp(argv[1], "-t") == 0;
    char **args = argv + targets;
    if (argc - targets != 5)
        return 2;
    weft_decoder_options options = {sizeof options, strcmp(args[2], "-") == 0 ? NULL : args[2], stage_of(args[3])};
    weft_decoder *decoder;
    FILE *f = fopen(args[4], "rb");
    uint8_t *bytes = malloc(MOST_BYTES);
    if (!f || !bytes || weft_decoder_new(args[1], &options, &decoder) != WEFT_OK)
        return 2;
    bool fine = list(decoder, bytes, fread(bytes, 1, MOST_BYTES, f), targets);
    weft_decoder_free(decoder);
    free(bytes);
    fclose(f);
    return fine ? 0 : 1;
}
