/* meaning.c - weft's columns of the rows: rows.inc, declarations.inc and flow.inc by opcode. */
#include "isa/spirv/lift.h"

#include <string.h>

/* Columns that a row does not have are 0. */
#define MEANING(name, ...) COLUMNS(name, __VA_ARGS__, 0, 0, 0)
#define COLUMNS(name, lift, op, attr, ...) [SpvOp##name] = {SpvOp##name, op, attr, spirv_lift_##lift},
static const struct spirv_meaning meanings[] = {
#include "isa/spirv/rows.inc"
};
#undef MEANING

const struct spirv_meaning *spirv_meaning_of(uint32_t opcode)
{
    return opcode < sizeof meanings / sizeof *meanings && meanings[opcode].lift ? &meanings[opcode] : NULL;
}

/* ---- declarations ---- */

#define ALL_DECLARE(group, lift)
#define DECLARES(name, ...) COLUMNS(name, __VA_ARGS__, 0, 0, 0)
static const struct spirv_meaning declarations[] = {
#include "isa/spirv/declarations.inc"
};
#undef ALL_DECLARE
#undef DECLARES
#undef COLUMNS

#define DECLARES(name, ...)
#define ALL_DECLARE(group, lift) {group, {0, 0, 0, spirv_lift_##lift}},
static const struct {
    const char *group;
    struct spirv_meaning declares;
} declaring[] = {
#include "isa/spirv/declarations.inc"
};
#undef DECLARES
#undef ALL_DECLARE

const struct spirv_meaning *spirv_declaration_of(const struct spirv_row *row)
{
    if (row->opcode < sizeof declarations / sizeof *declarations && declarations[row->opcode].lift)
        return &declarations[row->opcode];
    for (size_t i = 0; i < sizeof declaring / sizeof *declaring; i++)
        if (strcmp(declaring[i].group, row->group) == 0)
            return &declaring[i].declares;
    return NULL;
}

/* ---- flow and effects ---- */

/* Rows without labels do not say so. */
#define ALL_DO(group, effects)
#define DOES(name, flow, ...) COLUMNS(name, flow, __VA_ARGS__, 0, 0, 0)
#define COLUMNS(name, flow, effects, label, labels, ...)                                                              \
    {SpvOp##name, {WEFT_FLOW_##flow, effects, label, labels}},
static const struct {
    uint16_t opcode;
    struct spirv_does does;
} flows[] = {
#include "isa/spirv/flow.inc"
};
#undef DOES
#undef COLUMNS
#undef ALL_DO

#define DOES(name, ...)
#define ALL_DO(group, effects) {group, {WEFT_FLOW_NEXT, effects, 0, 0}},
static const struct {
    const char *group;
    struct spirv_does does;
} groups[] = {
#include "isa/spirv/flow.inc"
};
#undef ALL_DO
#undef DOES

struct spirv_does spirv_does(const struct spirv_row *row)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
        if (flows[i].opcode == row->opcode)
            return flows[i].does;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp(groups[i].group, row->group) == 0)
            return groups[i].does;
    return (struct spirv_does){.flow = WEFT_FLOW_NEXT};
}

bool spirv_is_of(unsigned op, const char *group)
{
    const struct spirv_row *row = spirv_row_of(op);
    return row && strcmp(row->group, group) == 0;
}
