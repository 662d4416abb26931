/* oracle_read.c - an instruction of the oracle taken apart: where the description has the fields of each mnemonic. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- what sources carry ---- */

/* A letter for each source: x nothing; a .neg and .abs; f these, and a swizzle or a widened half; s a swizzle alone; w
 * a part, extended; l bytes that count; n .not; b a byte; h two bytes; c one byte, d one half, at bit 28. */
static const struct {
    const char *name, *sources; /* the first of which the mnemonic begins with this */
} shapes[] = {
    {"FADD_LSCALE", "aa"},  {"FADD_IMM", "x"}, {"FADD", "ff"},      {"FMIN", "ff"},      {"FMAX", "ff"},
    {"FMA_RSCALE", "aaax"}, {"FMA", "fff"},    {"FCMP", "ffx"},     {"ICMP", "wwx"},     {"CSEL", "xxxx"},
    {"MUX.v2i16", "sss"},   {"MUX", "xxx"},    {"IADD_IMM", "x"},   {"IADD", "ww"},      {"ISUB", "ww"},
    {"IMUL", "ww"},         {"HADD", "ww"},    {"IABS.v4s8", "x"},  {"IABS", "w"},       {"CLZ.v2u16", "s"},
    {"CLZ", "x"},           {"LSHIFT", "wln"}, {"RSHIFT", "wln"},   {"IDP", "xxx"},      {"SHADDX", "xw"},
    {"SEG_ADD", "xw"},      {"FROUND", "f"},   {"FREXP", "s"},      {"LDEXP", "fx"},     {"FPCLASS", "f"},
    {"FEXP.", "xa"},        {"FATAN", "xx"},   {"CUBEFACE", "aaa"}, {"CUBE_", "aax"},    {"V2F32_TO", "aa"},
    {"MKVEC.v2i16", "ss"},  {"MKVEC", "bbx"},  {"FRCP", "f"},       {"FRSQ", "f"},       {"FLOG", "f"},
    {"CLPER", "xw"},        {"V2S16_TO", "w"}, {"V2U16_TO", "w"},   {"S32_TO", "w"},     {"U32_TO", "w"},
    {"S16_TO", "s"},        {"U16_TO", "s"},   {"F32_TO", "a"},     {"F16_TO_F32", "d"}, {"F16_TO", "f"},
    {"V2F16_TO", "f"},      {"S8_TO", "c"},    {"U8_TO", "c"},      {"V2S8_TO", "h"},    {"V2U8_TO", "h"},
};

static const char *shape_of(const char *name)
{
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strncmp(name, shapes[i].name, strlen(shapes[i].name)) == 0)
            return shapes[i].sources;
    return "x"; /* MOV and other functions of one word */
}

/* ---- the description's enumerations of swizzles and lanes ---- */

typedef const char *const words[16];
static const words widen = {"", "h0", "h1"}, swizzle16 = {"h00", "h10", "h01", "h11", "b00", "b20", "b02",
                                                          "b22", "b11", "b31", "b13", "b33", "b01", "b23"},
                   swizzle8 = {"b0123", "b3210", "b0101", "b2323", "b0000", "b1111",
                               "b2222", "b3333", "b2301", "b1032", "b0011", "b2233"},
                   whole = {"", NULL, "h0", "h1", "b0", "b1", "b2", "b3", "w0"},
                   lanes8 = {[0] = "b02", [4] = "b00", "b11", "b22", "b33", [10] = "b01", "b23"},
                   half8 = {"b00", "b10", "b20", "b30", "b01", "b11", "b21", "b31",
                            "b02", "b12", "b22", "b32", "b03", "b13", "b23", "b33"},
                   lane8 = {"b0", "b1", "b2", "b3"}, lane16 = {"h0", "h1"};

/* "h10": parts of 16 bits, 1 and 0. */
static void pick(struct oracle_source *s, const char *word)
{
    if (!word || !*word)
        return;
    s->part = *word == 'b' ? 8 : *word == 'h' ? 16 : 32;
    for (word++; *word; word++)
        s->element[s->count++] = (unsigned)(*word - '0');
}

static void read_source(struct oracle_insn *insn, unsigned i, char shape, unsigned size)
{
    struct oracle_source *s = &insn->src[i];
    if (shape == 'a' || shape == 'f' || shape == 'd') {
        s->neg = oracle_bits(insn, 38 - 2 * i, 1);
        s->abs = oracle_bits(insn, 39 - 2 * i, 1);
    }
    if (shape == 'f' || shape == 's')
        pick(s, (size == 16 ? swizzle16 : widen)[oracle_bits(insn, 28 - 2 * i, 2)]);
    else if (shape == 'w')
        pick(s, (size == 8 ? swizzle8 : size == 16 ? swizzle16 : whole)[oracle_bits(insn, i ? 26 : 36, 4)]);
    else if (shape == 'l')
        pick(s, lanes8[oracle_bits(insn, 26, 4)]);
    else if (shape == 'h')
        pick(s, half8[oracle_bits(insn, 36, 4)]);
    else if (shape == 'b')
        pick(s, lane8[oracle_bits(insn, i ? 36 : 38, 2)]);
    else if (shape == 'c')
        pick(s, lane8[oracle_bits(insn, 28, 2)]);
    else if (shape == 'd')
        pick(s, lane16[oracle_bits(insn, 28, 1)]);
    s->invert = shape == 'n' && oracle_bits(insn, 35, 1);
}

/* ---- types ---- */

/* Bits of a type: "v2f16", "S8"; those of tables have 32. */
static unsigned bits_of_type(const char *type)
{
    if (*type == 'v' || *type == 'V')
        type += 2;
    unsigned bits = (unsigned)strtoul(type + (*type != '\0'), NULL, 10);
    return bits < 8 ? 32 : bits;
}

struct oracle_insn oracle_read(uint64_t word, const char *name)
{
    struct oracle_insn insn = {.word = word, .name = name};
    const char *dot = strchr(name, '.'), *to = strstr(name, "_TO_");
    insn.size = to ? bits_of_type(to + 4) : dot ? bits_of_type(dot + 1) : 32;
    insn.shape = shape_of(name);
    insn.nsrc = (unsigned)strlen(insn.shape);
    for (unsigned i = 0; i < insn.nsrc; i++)
        read_source(&insn, i, insn.shape[i], to ? bits_of_type(name) : insn.size);
    insn.constant = (uint32_t)oracle_bits(&insn, 8, 32);
    return insn;
}
