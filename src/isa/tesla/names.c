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

const char tesla_space_letters[TESLA_SPACES + 1] = "apvoslcg";

const struct tesla_type_info tesla_types[TESLA_TYPES] = {
    {"", 32, WEFT_TYPE_BITS},
#define TYPE(name, text, bits, kind) {text, bits, WEFT_TYPE_##kind},
#include "isa/tesla/words.inc"
#undef TYPE
};
