/* check_semantics.c - what a declaration may say, by file and stage (document: "Declaration Semantic", "Declaration
 * Interpolate", "Properties"). */
#include "isa/tgsi/check.h"

#include <stdio.h>

/* ---- semantics ---- */

static void check_stage_of(struct tgsi_checker *c, const struct tgsi_decl *d, const char *name)
{
    const struct tgsi_semantic *s = tgsi_semantic_of(d);
    uint8_t stages = d->file == TGSI_INPUT ? s->inputs : s->outputs;
    if (s->where && d->file != TGSI_SYSTEM_VALUE && !(stages >> c->m->processor & 1))
        tgsi_check_report(c, WEFT_ERROR, "semantic-stage", d->where, NULL, "%s on an %s of a %s program; expected %s",
                          name, d->file == TGSI_INPUT ? "input" : "output", tgsi_processor_names[c->m->processor],
                          s->where);
}

static void check_semantic_index(struct tgsi_checker *c, const struct tgsi_decl *d, const char *name)
{
    uint8_t most = tgsi_semantic_of(d)->last;
    uint64_t last = (uint64_t)d->semantic_index + (d->last - d->first);
    if (most && last > most)
        tgsi_check_report(c, WEFT_ERROR, "semantic-index", d->where, NULL, "%s[%llu]; the indices are 0 to %d", name,
                          (unsigned long long)last, most);
}

static void check_semantic(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    if (!d->has_semantic || d->semantic >= TGSI_SEMANTICS)
        return;
    const char *name = tgsi_semantic_names[d->semantic];
    /* SV is newer than the document, which has these values as inputs. */
    if (d->file != TGSI_INPUT && d->file != TGSI_OUTPUT && d->file != TGSI_SYSTEM_VALUE) {
        tgsi_check_report(c, WEFT_ERROR, "semantic-file", d->where, NULL,
                          "%s has the semantic %s; expected one on IN, OUT or SV alone", tgsi_file_names[d->file],
                          name);
        return;
    }
    check_stage_of(c, d, name);
    check_semantic_index(c, d, name);
}

/* ---- interpolation ---- */

/* Producers print the token's default value on whatever has a semantic, so that this is a remark. */
static void check_interpolation(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    bool input = d->file == TGSI_INPUT && c->m->processor == TGSI_FRAG;
    const char *what = d->cylindrical ? "CYLWRAP" : d->has_interp ? tgsi_interp_names[d->interp & 3] : NULL;
    if (!what && d->location && d->location <= TGSI_LOC_SAMPLE)
        what = tgsi_location_names[d->location];
    if (what && !input)
        tgsi_check_report(c, WEFT_WARNING, "no-interpolation", d->where, NULL,
                          "%s is for inputs of a FRAG program; it has no effect on %s of a %s program", what,
                          tgsi_file_names[d->file], tgsi_processor_names[c->m->processor]);
    else if (d->cylindrical && d->interp == TGSI_INTERP_CONSTANT)
        tgsi_check_report(c, WEFT_WARNING, "no-interpolation", d->where, "write PERSPECTIVE or LINEAR before it",
                          "CYLWRAP has no effect on an input that is CONSTANT");
}

void tgsi_check_meaning(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    check_semantic(c, d);
    check_interpolation(c, d);
}

/* Two outputs of one meaning: only one of them gets anywhere. Those with a usage mask may share it by components. */
void tgsi_check_repeated_outputs(struct tgsi_checker *c)
{
    enum { COUNTED = 32 }; /* semantic indices that are looked at */
    uint32_t seen[TGSI_SEMANTICS] = {0};
    for (uint32_t i = 0; i < c->m->ndecls; i++) {
        const struct tgsi_decl *d = &c->m->decls[i];
        if (d->file != TGSI_OUTPUT || !d->has_semantic || d->semantic >= TGSI_SEMANTICS || d->mask != 15 ||
            d->last < d->first)
            continue;
        snprintf(c->place, sizeof c->place, "declaration %u", i);
        for (uint32_t n = d->semantic_index; n < COUNTED && n - d->semantic_index <= d->last - d->first; n++) {
            if (seen[d->semantic] >> n & 1)
                tgsi_check_report(c, WEFT_WARNING, "repeated", d->where, NULL,
                                  "%s[%u] is an output a second time: one of the two is lost",
                                  tgsi_semantic_names[d->semantic], n);
            seen[d->semantic] |= UINT32_C(1) << n;
        }
    }
}

/* ---- what an output takes ---- */

void tgsi_check_output_mask(struct tgsi_checker *c, const struct tgsi_operand *op, const struct tgsi_decl *d)
{
    uint8_t components = tgsi_semantic_of(d)->components;
    uint8_t taken = c->m->processor == TGSI_FRAG && d->has_semantic && components ? components : 15;
    if (op->mask & ~taken & 15)
        tgsi_check_report(c, WEFT_ERROR, "output-component", op->where,
                          taken == 4 ? "write .z: it is the depth" : "write .y: it is the stencil value",
                          "only %s of the output %s is writable", taken == 4 ? "z" : "y",
                          tgsi_semantic_names[d->semantic]);
}

/* ---- properties ---- */

static void check_limits(struct tgsi_checker *c, const struct tgsi_property *p)
{
    const struct tgsi_property_row *row = &tgsi_property_rows[p->name];
    const char *name = tgsi_property_names[p->name];
    if (row->most && (p->value[0] < row->least || p->value[0] > row->most))
        tgsi_check_report(c, WEFT_ERROR, "property-value", p->where, NULL, "%s is %u to %u, not %u", name, row->least,
                          row->most, p->value[0]);
    else if (row->only && (p->value[0] > 15 || !(row->only >> p->value[0] & 1)))
        tgsi_check_report(c, WEFT_ERROR, "property-value", p->where, NULL, "%s is %s", name, row->choice);
    else if (row->opens && p->value[0] == 0)
        tgsi_check_report(c, WEFT_WARNING, "property-value", p->where, NULL,
                          "%s 0 leaves the size of a workgroup open: it counts as 1 where the caller does not give one",
                          name);
}

void tgsi_check_properties(struct tgsi_checker *c)
{
    for (uint32_t i = 0; i < c->m->nprops; i++) {
        const struct tgsi_property *p = &c->m->props[i];
        snprintf(c->place, sizeof c->place, "property %u", i);
        if (p->value[0] && tgsi_property_rows[p->name].ignored)
            tgsi_check_report(c, WEFT_WARNING, "no-effect", p->where, NULL, "the property %s has no effect in weft",
                              tgsi_property_names[p->name]);
        check_limits(c, p);
    }
}
