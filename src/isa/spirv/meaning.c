/* meaning.c - weft's columns of the rows: rows.inc by opcode. */
#include "isa/spirv/lift.h"

#define MEANING(name, lift, op, attr) [SpvOp##name] = {SpvOp##name, op, attr, spirv_lift_##lift},
static const struct spirv_meaning meanings[] = {
#include "isa/spirv/rows.inc"
};
#undef MEANING

const struct spirv_meaning *spirv_meaning_of(uint32_t opcode)
{
    return opcode < sizeof meanings / sizeof *meanings && meanings[opcode].lift ? &meanings[opcode] : NULL;
}
