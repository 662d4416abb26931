/* check_semantics.c - what a declaration may say, by file and stage (document: "Declaration Semantic", "Declaration
 * Interpolate", "Properties"). */
#include "isa/tgsi/check.h"

#include <stdio.h>
#include <string.h>

/* ---- which stages a semantic belongs to ---- */

#define STAGE(processor) (1u << (processor))

enum {
    NOWHERE = 0,
    FRAG = STAGE(TGSI_FRAG),
    VERT = STAGE(TGSI_VERT),
    GEOM = STAGE(TGSI_GEOM),
    BETWEEN = GEOM | STAGE(TGSI_TESS_CTRL) | STAGE(TGSI_TESS_EVAL),
    BEFORE = VERT | BETWEEN, /* all that come before fragments */
    DRAWING = BEFORE | FRAG
};

/* The document says what holds for vertex and fragment programs. Stages in between hand on what a vertex program
 * writes, so that a semantic of its outputs is one of their inputs and outputs too. */
static const struct semantic_rule {
    const char *name;
    uint8_t inputs, outputs; /* stages that may have it there */
    const char *where;       /* the same in words */
} rules[] = {
    {"POSITION", DRAWING, DRAWING, "an input or an output of the stages of a draw"},
    {"COLOR", DRAWING, DRAWING, "an input or an output of the stages of a draw"},
    {"BCOLOR", BETWEEN, BEFORE, "an output of the stages before FRAG"},
    {"FOG", DRAWING, BEFORE, "an input, or an output of the stages before FRAG"},
    {"PSIZE", BEFORE, BEFORE, "an input or an output of the stages before FRAG"},
    {"GENERIC", DRAWING, DRAWING, "an input or an output of the stages of a draw"},
    {"NORMAL", DRAWING, BEFORE, "an input of a VERT program"},
    {"FACE", FRAG, NOWHERE, "an input of a FRAG program"},
    {"EDGEFLAG", BEFORE, BEFORE, "an input or an output of the stages before FRAG"},
    {"STENCIL", NOWHERE, FRAG, "an output of a FRAG program"},
    {"CLIPDIST", BETWEEN | FRAG, BEFORE, "an output of the stages before FRAG, or an input after VERT"},
    {"CULLDIST", BETWEEN | FRAG, BEFORE, "an output of the stages before FRAG, or an input after VERT"},
    {"CLIPVERTEX", BETWEEN, BEFORE, "an output of the stages before FRAG"},
    {"TEXCOORD", DRAWING, BEFORE, "an output of the stages before FRAG, or an input"},
    {"PCOORD", FRAG, NOWHERE, "an input of a FRAG program"},
    {"VIEWPORT_INDEX", BETWEEN | FRAG, BEFORE, "an output of the stages before FRAG, or an input after VERT"},
    {"LAYER", BETWEEN | FRAG, BEFORE, "an output of the stages before FRAG, or an input after VERT"},
};

static const struct semantic_rule *rule_of(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL; /* of newer releases: the document says nothing about it */
}

static void check_stage_of(struct tgsi_checker *c, const struct tgsi_decl *d, const char *name)
{
    const struct semantic_rule *r = rule_of(name);
    if (!r || d->file == TGSI_SYSTEM_VALUE)
        return;
    uint8_t stages = d->file == TGSI_INPUT ? r->inputs : r->outputs;
    if (!(stages >> c->m->processor & 1))
        tgsi_check_report(c, WEFT_ERROR, "semantic-stage", d->where, NULL, "%s on an %s of a %s program; expected %s",
                          name, d->file == TGSI_INPUT ? "input" : "output", tgsi_processor_names[c->m->processor],
                          r->where);
}

static void check_semantic_index(struct tgsi_checker *c, const struct tgsi_decl *d, const char *name)
{
    enum { TEXCOORD_LAST = 7 };
    uint64_t last = (uint64_t)d->semantic_index + (d->last - d->first);
    if (strcmp(name, "TEXCOORD") == 0 && last > TEXCOORD_LAST)
        tgsi_check_report(c, WEFT_ERROR, "semantic-index", d->where, NULL, "TEXCOORD[%llu]; the indices are 0 to %d",
                          (unsigned long long)last, TEXCOORD_LAST);
}

static void check_semantic(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    size_t names = 0;
    while (tgsi_semantic_names[names])
        names++;
    if (!d->has_semantic || d->semantic >= names)
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

/* ---- what an output takes ---- */

/* Components of a fragment program's output that go anywhere. */
static uint8_t taken_components(const struct tgsi_checker *c, const struct tgsi_decl *d)
{
    if (c->m->processor != TGSI_FRAG || !d->has_semantic || d->semantic > TGSI_SEMANTIC_STENCIL)
        return 15;
    return d->semantic == TGSI_SEMANTIC_POSITION ? 4 : d->semantic == TGSI_SEMANTIC_STENCIL ? 2 : 15;
}

void tgsi_check_output_mask(struct tgsi_checker *c, const struct tgsi_operand *op, const struct tgsi_decl *d)
{
    uint8_t taken = taken_components(c, d);
    if (op->mask & ~taken & 15)
        tgsi_check_report(c, WEFT_ERROR, "output-component", op->where,
                          taken == 4 ? "write .z: it is the depth" : "write .y: it is the stencil value",
                          "only %s of the output %s is writable", taken == 4 ? "z" : "y",
                          tgsi_semantic_names[d->semantic]);
}

/* ---- properties ---- */

void tgsi_check_properties(struct tgsi_checker *c)
{
    /* Read and printed, and nothing else: what they ask for is not there to be changed. */
    static const char *const without_effect[] = {"FS_POST_DEPTH_COVERAGE", "LEGACY_MATH_RULES",
                                                 "LAYER_VIEWPORT_RELATIVE", "FS_BLEND_EQUATION_ADVANCED",
                                                 "VS_BLIT_SGPRS_AMD"};
    for (uint32_t i = 0; i < c->m->nprops; i++) {
        const struct tgsi_property *p = &c->m->props[i];
        const char *name = tgsi_property_names[p->name];
        snprintf(c->place, sizeof c->place, "property %u", i);
        for (size_t k = 0; k < sizeof without_effect / sizeof *without_effect; k++)
            if (p->value[0] && strcmp(name, without_effect[k]) == 0)
                tgsi_check_report(c, WEFT_WARNING, "no-effect", p->where, NULL, "the property %s has no effect in weft",
                                  name);
    }
}
