/* insn_names.c - what weft explain and JSON call the kinds of weft/insn.h. */
#include "cli/insn_names.h"

const char *insn_field_kind_name(weft_field_kind kind)
{
    static const char *const names[] = {"opcode", "operand", "modifier", "control", "unused"};
    return names[kind];
}

const char *insn_operand_type_name(weft_operand_type type)
{
    static const char *const names[] = {"bits", "signed", "unsigned", "float", "flag"};
    return names[type];
}

const struct insn_effect insn_effects[INSN_EFFECTS] = {
    {"reads-flags", "reads flags"},
    {"writes-flags", "writes flags"},
    {"reads-memory", "reads memory"},
    {"writes-memory", "writes memory"},
    {"atomic", "is atomic"},
    {"texture", "reads or asks a texture"},
    {"message", "its results come later"},
    {"waits", "waits for earlier results"},
    {"output", "writes outputs of the stage"},
    {"lanes", "reads registers of other lanes"},
};
