/* module_equal.h - whether two modules say the same program. Left out is what is spelling, not meaning: places in the
 * source, COLOR beside COLOR[0], a usage mask of all components written out, STREAM(0, 0, 0, 0). */
#ifndef WEFT_TESTS_TGSI_MODULE_EQUAL_H
#define WEFT_TESTS_TGSI_MODULE_EQUAL_H

#include "isa/tgsi/tgsi.h"
#include "test.h"

static bool index_equal(const struct tgsi_index *a, const struct tgsi_index *b)
{
    return a->value == b->value && a->indirect == b->indirect && a->array == b->array &&
           (!a->indirect || (a->file == b->file && a->component == b->component && a->reg == b->reg));
}

static bool operand_equal(const struct tgsi_operand *a, const struct tgsi_operand *b, bool source)
{
    return a->file == b->file && a->dimensional == b->dimensional && index_equal(&a->index, &b->index) &&
           (!a->dimensional || index_equal(&a->dim, &b->dim)) &&
           (source ? a->negate == b->negate && a->absolute == b->absolute && !memcmp(a->swizzle, b->swizzle, 4)
                   : a->mask == b->mask);
}

static bool insn_equal(const struct tgsi_insn *a, const struct tgsi_insn *b)
{
    bool equal = a->opcode == b->opcode && a->saturate == b->saturate && a->precise == b->precise &&
                 a->ndst == b->ndst && a->nsrc == b->nsrc && a->noffsets == b->noffsets &&
                 a->has_target == b->has_target &&
                 (!(a->has_target || a->form & TGSI_FORM_TARGET) || a->target == b->target) &&
                 a->memory == b->memory && a->format == b->format && a->has_label == b->has_label &&
                 (!a->has_label || a->label == b->label) && a->return_type == b->return_type && a->form == b->form;
    for (int i = 0; equal && i < a->ndst; i++)
        equal = operand_equal(&a->dst[i], &b->dst[i], false);
    for (int i = 0; equal && i < a->nsrc; i++)
        equal = operand_equal(&a->src[i], &b->src[i], true);
    for (int i = 0; equal && i < a->noffsets; i++)
        equal = a->offset[i].file == b->offset[i].file && a->offset[i].reg == b->offset[i].reg &&
                !memcmp(a->offset[i].swizzle, b->offset[i].swizzle, 3);
    return equal;
}

static uint32_t dim_end(const struct tgsi_decl *d)
{
    return d->dim_last > d->dim ? d->dim_last : d->dim;
}

static bool decl_equal(const struct tgsi_decl *a, const struct tgsi_decl *b)
{
    bool has_target = a->file == TGSI_IMAGE || a->file == TGSI_SAMPLER_VIEW || a->file == TGSI_RESOURCE;
    return a->file == b->file && a->mask == b->mask && a->dimensional == b->dimensional &&
           a->dim_empty == b->dim_empty &&
           (!a->dimensional || a->dim_empty || (a->dim == b->dim && dim_end(a) == dim_end(b))) &&
           a->first == b->first && a->last == b->last && a->has_semantic == b->has_semantic &&
           (!a->has_semantic || (a->semantic == b->semantic && a->semantic_index == b->semantic_index)) &&
           a->has_interp == b->has_interp && (!a->has_interp || a->interp == b->interp) &&
           a->location == b->location && a->cylindrical == b->cylindrical && !memcmp(a->stream, b->stream, 4) &&
           a->local == b->local && a->invariant == b->invariant && a->atomic == b->atomic && a->array == b->array &&
           (!has_target || (a->target == b->target && !memcmp(a->rettype, b->rettype, 4))) && a->raw == b->raw &&
           a->writable == b->writable && a->format == b->format && a->memkind == b->memkind && a->form == b->form;
}

static bool module_equal(const struct isa_module *a, const struct isa_module *b)
{
    bool equal = a->processor == b->processor && a->ndecls == b->ndecls && a->nimms == b->nimms &&
                 a->nprops == b->nprops && a->ninsns == b->ninsns && a->nitems == b->nitems;
    for (uint32_t i = 0; equal && i < a->ndecls; i++)
        equal = decl_equal(&a->decls[i], &b->decls[i]);
    for (uint32_t i = 0; equal && i < a->nimms; i++)
        equal = a->imms[i].type == b->imms[i].type && !memcmp(a->imms[i].bits, b->imms[i].bits, 16);
    for (uint32_t i = 0; equal && i < a->nprops; i++)
        equal = a->props[i].name == b->props[i].name && a->props[i].count == b->props[i].count &&
                !memcmp(a->props[i].value, b->props[i].value, a->props[i].count * sizeof a->props[i].value[0]);
    for (uint32_t i = 0; equal && i < a->ninsns; i++)
        equal = insn_equal(&a->insns[i], &b->insns[i]);
    for (uint32_t i = 0; equal && i < a->nitems; i++)
        equal = a->items[i].kind == b->items[i].kind && a->items[i].index == b->items[i].index;
    return equal;
}

#endif
