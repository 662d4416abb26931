/* check.c - rules beyond the form of an instruction. */
#include "isa/tesla/operand.h"

#include <stdio.h>

struct checker {
    const struct isa_module *m;
    const struct source *src;
    weft_diags *diags;
};

/* With the place in the source, or the address of a decoded program. */
static void complain(const struct checker *c, weft_severity severity, const struct tesla_insn *insn, const char *code,
                     const char *what)
{
    if (c->src)
        diag_at(c->diags, severity, code, c->src, insn->where, NULL, "%s", what);
    else
        diag_add(c->diags, severity, code, c->m->name, NULL, "at 0x%x: %s", insn->address, what);
}

/* Post-increment through $a0, $a5 and $a6 is an ILLEGAL_POSTINCR on the hardware. */
static bool bad_increment(const struct tesla_operand *o)
{
    return o->kind == TESLA_O_MEMORY && o->increment && (o->areg == 0 || o->areg == 5 || o->areg == 6);
}

static void check_operand(const struct checker *c, const struct tesla_insn *insn, const struct tesla_operand *o)
{
    if (bad_increment(o))
        complain(c, WEFT_ERROR, insn, "illegal-increment", "an address that is incremented is in $a1 to $a4 or $a7");
    if (o->kind == TESLA_O_MEMORY && (o->areg == 5 || o->areg == 6))
        complain(c, WEFT_WARNING, insn, "no-such-register", "the chip has no $a5 and $a6: they are 0");
    if (o->kind == TESLA_O_TARGET && !tesla_insn_at(c->m, (uint32_t)(insn - c->m->insns), o->value))
        complain(c, WEFT_ERROR, insn, "bad-target", "the target is no instruction of the program");
}

static void check_texture(const struct checker *c, const struct tesla_insn *insn, const struct tesla_decoded *d)
{
    bool compute = c->m->target.stage == TESLA_CP;
    char text[80];
    unsigned textures = compute ? 128 : 130, samplers = compute ? 16 : 18;
    if (d->texture >= textures) {
        snprintf(text, sizeof text, "there is no $t%u: textures are $t0 to $t%u", d->texture, textures - 1);
        complain(c, WEFT_ERROR, insn, "no-such-texture", text);
    }
    if (d->sampler >= samplers) {
        snprintf(text, sizeof text, "there is no $s%u: samplers are $s0 to $s%u", d->sampler, samplers - 1);
        complain(c, WEFT_ERROR, insn, "no-such-sampler", text);
    }
}

static void check_insn(const struct checker *c, const struct tesla_insn *insn)
{
    struct tesla_decoded d;
    tesla_explain(insn, &c->m->target, &d);
    check_operand(c, insn, &d.dst);
    for (unsigned i = 0; i < d.nsrc; i++)
        check_operand(c, insn, &d.src[i]);
    if (d.row->meaning == TESLA_M_TEX)
        check_texture(c, insn, &d);
    if (d.row->meaning == TESLA_M_SHL_TO_A || d.row->meaning == TESLA_M_ADD_A) {
        if (d.dst.reg == 0 || d.dst.reg == 5 || d.dst.reg == 6)
            complain(c, WEFT_WARNING, insn, "no-such-register", "writing $a0, $a5 or $a6 does nothing: they are 0");
    }
}

weft_status tesla_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                        weft_diags *diags)
{
    struct checker c = {m, src, diags};
    size_t errors = diags ? weft_diags_errors(diags) : 0;
    (void)params;
    for (uint32_t i = m->ninsns; i-- > 0 && m->insns[i].address >= TESLA_CODE_SPACE;)
        if (i == 0 || m->insns[i - 1].address < TESLA_CODE_SPACE)
            complain(&c, WEFT_ERROR, &m->insns[i], "too-long", "code ends at 0x1000000");
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (m->insns[i].row)
            check_insn(&c, &m->insns[i]);
    return diags && weft_diags_errors(diags) > errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
