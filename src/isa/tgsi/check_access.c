/* check_access.c - how resources, views and labels of a switch are used (document: "Declaration Resource", "Resource
 * Sampling Opcodes", "CASE"). */
#include "isa/tgsi/check.h"
#include "isa/tgsi/lookup.h"

/* The declaration that an operand names, or one of those that it may choose among; NULL: none, or a number beyond. */
static const struct tgsi_decl *declaration_of(const struct tgsi_checker *c, const struct tgsi_operand *op)
{
    if (op->index.indirect && op->index.array)
        return tgsi_check_find_array(c, op->file, op->index.array);
    if (!op->index.indirect)
        return op->index.value < 0 ? NULL : tgsi_check_find(c, op->file, 0, (uint32_t)op->index.value);
    for (uint32_t i = 0; i < c->m->ndecls; i++)
        if (c->m->decls[i].file == op->file)
            return &c->m->decls[i];
    return NULL;
}

/* ---- resources ---- */

/* The document's rule is about RES. Images came later; nobody refuses a store to one without WR. */
static void check_written(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_operand *op)
{
    if (op->file != TGSI_RESOURCE && op->file != TGSI_IMAGE)
        return;
    const struct tgsi_decl *d = declaration_of(c, op);
    if (!d || d->writable)
        return;
    const char *name = tgsi_file_names[op->file];
    tgsi_check_report(c, op->file == TGSI_RESOURCE ? WEFT_ERROR : WEFT_WARNING, "not-writable", op->where,
                      arena_printf(c->arena, "declare it with WR: 'DCL %s[%u], %s%s, WR'", name, d->first,
                                   tgsi_target_names[d->target < TGSI_TEX_TARGETS ? d->target : TGSI_TEX_UNKNOWN],
                                   d->raw ? ", RAW" : ""),
                      "%s writes to %s[%u], which is declared without WR", tgsi_rows[in->opcode].name, name,
                      op->index.indirect ? d->first : (uint32_t)op->index.value);
}

void tgsi_check_writable(struct tgsi_checker *c, const struct tgsi_insn *in)
{
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    if (row->effects & WEFT_EFFECT_WRITES_MEMORY)
        check_written(c, in, row->effects & WEFT_EFFECT_ATOMIC ? &in->src[0] : &in->dst[0]);
}

/* ---- views ---- */

void tgsi_check_sampled_view(struct tgsi_checker *c, const struct tgsi_insn *in)
{
    int source = tgsi_lookup_view_source(&tgsi_rows[in->opcode]);
    if (source < 0 || (unsigned)source >= in->nsrc)
        return;
    const struct tgsi_operand *op = &in->src[source];
    const struct tgsi_decl *d = declaration_of(c, op);
    if (op->file != TGSI_SAMPLER_VIEW && op->file != TGSI_RESOURCE)
        return; /* reported with the operand */
    const char *problem =
        d && d->target < TGSI_TEX_TARGETS ? tgsi_lookup_problem(&tgsi_rows[in->opcode], d->target) : NULL;
    if (problem)
        tgsi_check_report(c, WEFT_ERROR, "view-target", op->where, NULL, "%s cannot have a view of %s: %s",
                          tgsi_rows[in->opcode].name, tgsi_target_names[d->target], problem);
}

/* ---- CASE ---- */

void tgsi_check_case(struct tgsi_checker *c, const struct tgsi_insn *in)
{
    const struct tgsi_operand *op = &in->src[0];
    if (op->file != TGSI_IMMEDIATE || op->index.indirect || op->negate || op->absolute) {
        tgsi_check_report(c, WEFT_ERROR, "case-label", op->where, "write 'IMM[n].x' of an IMM UINT32 or INT32",
                          "the operand of CASE must be an integer immediate");
        return;
    }
    if (op->index.value >= 0 && (uint32_t)op->index.value < c->m->nimms) {
        uint8_t type = c->m->imms[op->index.value].type;
        if (type == TGSI_FLT32 || type == TGSI_FLT64)
            tgsi_check_report(c, WEFT_ERROR, "case-label", op->where, "declare it as IMM UINT32 or IMM INT32",
                              "the operand of CASE must be an integer immediate, and IMM[%d] is %s", op->index.value,
                              tgsi_imm_type_names[type]);
    }
}
