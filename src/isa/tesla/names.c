/* names.c - tables of names. */
#include "isa/tesla/names.h"

const char *const tesla_predicates[32] = {
    "never", "l",   "e",  "le",  "g",   "lg",  "ge", "lge", "u",  "lu", "eu",
    "leu",   "gu",  "lgu", "geu", "always", "o", "c",  "a",   "s",
    [0x1c] = "ns", [0x1d] = "na", [0x1e] = "nc", [0x1f] = "no",
};

const char *const tesla_special_registers[16] = {
    "physid", "clock", "sr2", "vstride", "pm0", "pm1", "pm2", "pm3",
    "sampleid", "sr9", "sr10", "sr11", "sr12", "sr13", "sr14", "sr15",
};

#define WHOLE "registers are $r0 to $r127"
#define HALVES "halves are $r0l to $r63h"
const struct tesla_register tesla_registers[TESLA_REGISTERS] = {
    {TESLA_O_REG, false, 'r', '\0', 128, WHOLE},
    {TESLA_O_HALF, false, 'r', 'l', 64, HALVES},
    {TESLA_O_HALF, true, 'r', 'h', 64, HALVES},
    {TESLA_O_PAIR, false, 'r', 'd', 127, WHOLE},
    {TESLA_O_QUAD, false, 'r', 'q', 125, WHOLE},
    {TESLA_O_A, false, 'a', '\0', 8, "address registers are $a0 to $a7"},
    {TESLA_O_C, false, 'c', '\0', 4, "condition registers are $c0 to $c3"},
    {TESLA_O_TEXTURE, false, 't', '\0', 256, "textures are $t0 to $t255"},
    {TESLA_O_SAMPLER, false, 's', '\0', 32, "samplers are $s0 to $s31"},
};

const char tesla_space_letters[TESLA_SPACES + 1] = "apvoslcg";

const struct tesla_type_info tesla_types[TESLA_TYPES] = {
    {"", 32, WEFT_TYPE_BITS},
#define TYPE(name, text, bits, kind) {text, bits, WEFT_TYPE_##kind},
#include "isa/tesla/words.inc"
#undef TYPE
};
