/* equal.h - whether two modules say the same: all but where it was in a source, and how it was spelled. */
#ifndef WEFT_TESTS_TGSI_EQUAL_H
#define WEFT_TESTS_TGSI_EQUAL_H

#include "isa/tgsi/tgsi.h"

#include <string.h>

static inline bool same_index(const struct tgsi_index *a, const struct tgsi_index *b)
{
    if (a->value != b->value || a->indirect != b->indirect || a->array != b->array)
        return false;
    return !a->indirect || (a->file == b->file && a->component == b->component && a->reg == b->reg);
}

static inline bool same_register(const struct tgsi_operand *a, const struct tgsi_operand *b)
{
    return a->file == b->file && a->dimensional == b->dimensional && same_index(&a->index, &b->index) &&
           (!a->dimensional || same_index(&a->dim, &b->dim));
}

static inline bool same_source(const struct tgsi_operand *a, const struct tgsi_operand *b)
{
    return same_register(a, b) && a->negate == b->negate && a->absolute == b->absolute &&
           memcmp(a->swizzle, b->swizzle, sizeof a->swizzle) == 0;
}

static inline bool same_operands(const struct tgsi_insn *a, const struct tgsi_insn *b)
{
    if (a->ndst != b->ndst || a->nsrc != b->nsrc || a->noffsets != b->noffsets)
        return false;
    for (unsigned i = 0; i < a->ndst; i++)
        if (!same_register(&a->dst[i], &b->dst[i]) || a->dst[i].mask != b->dst[i].mask)
            return false;
    for (unsigned i = 0; i < a->nsrc; i++)
        if (!same_source(&a->src[i], &b->src[i]))
            return false;
    for (unsigned i = 0; i < a->noffsets; i++)
        if (a->offset[i].file != b->offset[i].file || a->offset[i].reg != b->offset[i].reg ||
            memcmp(a->offset[i].swizzle, b->offset[i].swizzle, sizeof a->offset[i].swizzle) != 0)
            return false;
    return true;
}

static inline bool same_insn(const struct tgsi_insn *a, const struct tgsi_insn *b)
{
    return a->opcode == b->opcode && a->saturate == b->saturate && a->precise == b->precise && same_operands(a, b) &&
           a->has_target == b->has_target && (!a->has_target || a->target == b->target) && a->memory == b->memory &&
           a->format == b->format && a->has_label == b->has_label && (!a->has_label || a->label == b->label);
}

static inline bool same_decl(const struct tgsi_decl *a, const struct tgsi_decl *b)
{
    if (a->file != b->file || a->mask != b->mask || a->dimensional != b->dimensional ||
        a->dim_empty != b->dim_empty || a->first != b->first || a->last != b->last)
        return false;
    if (a->dimensional && !a->dim_empty && (a->dim != b->dim || a->dim_last != b->dim_last))
        return false;
    if (a->has_semantic != b->has_semantic ||
        (a->has_semantic && (a->semantic != b->semantic || a->semantic_index != b->semantic_index)))
        return false;
    if (a->has_interp != b->has_interp || (a->has_interp && a->interp != b->interp) || a->location != b->location ||
        a->cylindrical != b->cylindrical)
        return false;
    if (a->has_stream != b->has_stream || (a->has_stream && memcmp(a->stream, b->stream, sizeof a->stream) != 0))
        return false;
    return a->local == b->local && a->invariant == b->invariant && a->atomic == b->atomic && a->array == b->array &&
           a->target == b->target && memcmp(a->rettype, b->rettype, sizeof a->rettype) == 0 && a->raw == b->raw &&
           a->writable == b->writable && a->format == b->format && a->memkind == b->memkind;
}

static inline bool same_imm(const struct tgsi_imm *a, const struct tgsi_imm *b)
{
    return a->type == b->type && memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

static inline bool same_property(const struct tgsi_property *a, const struct tgsi_property *b)
{
    return a->name == b->name && a->count == b->count && memcmp(a->value, b->value, a->count * sizeof *a->value) == 0;
}

static inline bool same_item(const struct isa_module *a, const struct isa_module *b, uint32_t i)
{
    uint32_t index = a->items[i].index;
    if (a->items[i].kind != b->items[i].kind || index != b->items[i].index)
        return false;
    switch ((enum tgsi_item_kind)a->items[i].kind) {
    case TGSI_ITEM_DECL:
        return same_decl(&a->decls[index], &b->decls[index]);
    case TGSI_ITEM_IMM:
        return same_imm(&a->imms[index], &b->imms[index]);
    case TGSI_ITEM_PROPERTY:
        return same_property(&a->props[index], &b->props[index]);
    case TGSI_ITEM_INSN:
        return same_insn(&a->insns[index], &b->insns[index]);
    }
    return false;
}

static inline bool tgsi_module_equal(const struct isa_module *a, const struct isa_module *b)
{
    if (a->processor != b->processor || a->nitems != b->nitems || a->ndecls != b->ndecls || a->nimms != b->nimms ||
        a->nprops != b->nprops || a->ninsns != b->ninsns)
        return false;
    for (uint32_t i = 0; i < a->nitems; i++)
        if (!same_item(a, b, i))
            return false;
    return true;
}

#endif
