/* insn_names.h - what weft explain and JSON call the kinds of weft/insn.h. */
#ifndef WEFT_CLI_INSN_NAMES_H
#define WEFT_CLI_INSN_NAMES_H

#include <weft/weft.h>

const char *insn_field_kind_name(weft_field_kind kind);
const char *insn_operand_type_name(weft_operand_type type);

/* The effects by bit: as JSON says them, and in words. */
struct insn_effect {
    const char *name, *words;
};
enum { INSN_EFFECTS = 10 };
extern const struct insn_effect insn_effects[INSN_EFFECTS];

#endif
