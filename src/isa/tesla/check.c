/* check.c - rules beyond the form of an instruction. */
#include "isa/tesla/slots.h"
#include "isa/tesla/flow.h"

#include <stdio.h>

struct checker {
    const struct isa_module *m;
    const struct source *src;
    weft_diags *diags;
    struct arena scratch;
    struct tesla_reach reach;
    bool running; /* what may or may not be reached stops the program when it is */
};

/* With the place in the source, or the address of a decoded program. What control flow does not reach does no harm. */
static void complain(const struct checker *c, weft_severity severity, const struct tesla_insn *insn, const char *code,
                     const char *what)
{
    if (severity == WEFT_ERROR && !c->reach.insn[insn - c->m->insns] && !c->reach.indirect)
        severity = WEFT_WARNING; /* it may be data */
    if (c->src)
        diag_at(c->diags, severity, code, c->src, insn->where, NULL, "%s", what);
    else
        diag_at_address(c->diags, severity, code, c->m->name, insn->address, NULL, "%s", what);
}

static bool is_writable(unsigned areg)
{
    return TESLA_A_REGISTERS >> areg & 1;
}

/* Post-increment through $a0, $a5 and $a6 is an ILLEGAL_POSTINCR on the hardware. */
static bool bad_increment(const struct tesla_operand *o)
{
    return o->kind == TESLA_O_MEMORY && o->increment && !is_writable(o->areg);
}

static void check_operand(const struct checker *c, const struct tesla_insn *insn, const struct tesla_operand *o)
{
    if (bad_increment(o))
        complain(c, WEFT_ERROR, insn, "illegal-increment", "an address that is incremented is in $a1 to $a4 or $a7");
    if (o->kind == TESLA_O_MEMORY && (o->areg == 5 || o->areg == 6))
        complain(c, WEFT_WARNING, insn, "no-such-register", "the chip has no $a5 and $a6: they are 0");
    if (o->kind == TESLA_O_TARGET && !tesla_item_at(c->m, (uint32_t)(insn - c->m->insns), o->value))
        complain(c, WEFT_ERROR, insn, "branch-target", "the target is not an instruction of the program");
}

/* o[] is written by vertex and geometry programs, a word at a time. */
static void check_output(const struct checker *c, const struct tesla_insn *insn, const struct tesla_operand *o)
{
    uint8_t stage = c->m->target.stage;
    bool half = o->access == TESLA_B16 || tesla_type_bits(o->type) == 16;
    if (o->kind != TESLA_O_MEMORY || o->space != TESLA_O_SPACE)
        return;
    if (stage == TESLA_FP || stage == TESLA_CP)
        complain(c, WEFT_ERROR, insn, "wrong-stage", "o[] exists in vertex and geometry programs only");
    else if (half || o->offset % 4 != 0)
        complain(c, WEFT_ERROR, insn, "half-output", "o[] is written in units of 32 bits, at multiples of 4");
}

/* `sat` that the chip takes for nothing. */
static void check_saturation(const struct checker *c, const struct tesla_insn *insn, const struct tesla_decoded *d)
{
    unsigned properties = tesla_meanings[insn->row->meaning].properties;
    if (properties & TESLA_SATURATES_LATE && !(c->m->target.features & TESLA_SM12) && d->dst.type != TESLA_F64)
        complain(c, WEFT_WARNING, insn, "no-effect",
                 "this chip ignores sat of mul f32: g200 and later, mcp77 and mcp79 have it");
    if (properties & TESLA_SATURATES_32 &&
        (tesla_type_bits(d->dst.type) == 64 || tesla_type_bits(d->src[0].type) == 64))
        complain(c, WEFT_WARNING, insn, "no-effect", "the chip ignores sat of conversions from and to 64 bits");
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
    const struct tesla_meaning_info *meaning = &tesla_meanings[insn->row->meaning];
    tesla_explain(insn, &c->m->target, &d);
    check_operand(c, insn, &d.dst);
    check_output(c, insn, &d.dst);
    if (meaning->flow == WEFT_FLOW_BARRIER && c->m->target.stage && c->m->target.stage != TESLA_CP)
        complain(c, WEFT_ERROR, insn, "wrong-stage",
                 "barriers are those of a block: only compute programs have them");
    for (unsigned i = 0; i < d.nsrc; i++)
        check_operand(c, insn, &d.src[i]);
    if (meaning->effects & WEFT_EFFECT_TEXTURE)
        check_texture(c, insn, &d);
    if ((meaning->properties & TESLA_STEPS_NOT) && tesla_get(insn->word, TESLA_FIELD_INCREMENT) &&
        !is_writable(d.src[0].reg))
        complain(c, WEFT_ERROR, insn, "illegal-increment",
                 "the bit of post-increments (0x2000000) stops the program for $a0, $a5 and $a6");
    if (d.modifiers & TESLA_SAT)
        check_saturation(c, insn, &d);
    if (d.dst.kind == TESLA_O_A && !is_writable(d.dst.reg))
        complain(c, WEFT_WARNING, insn, "no-such-register", "writing $a0, $a5 or $a6 does nothing: they are 0");
}

/* ---- what control flow reaches ---- */

static weft_severity severity_of(const struct checker *c, uint32_t insn)
{
    uint8_t least = c->running ? TESLA_REACHED_ALWAYS : TESLA_REACHED_MAYBE;
    return c->reach.insn[insn] >= least ? WEFT_ERROR : WEFT_WARNING;
}

static void check_data(struct checker *c, uint32_t first, uint32_t count)
{
    const struct tesla_insn *insn = &c->m->insns[first];
    weft_severity severity = severity_of(c, first);
    const char *what = tesla_unknown_words(&c->scratch, &c->m->target, insn, count);
    const char *how = c->reach.insn[first] == TESLA_REACHED_ALWAYS  ? ""
                      : c->reach.insn[first] == TESLA_REACHED_MAYBE ? "; control flow may get there"
                      : c->reach.indirect ? "; only a branch to an address in c[] may get there"
                                          : "; control flow does not get there";
    char text[240];
    snprintf(text, sizeof text, "%s%s", what ? what : "data", how);
    if (c->src)
        diag_at(c->diags, severity, "unknown-instruction", c->src, insn->where,
                tesla_stage_hint(&c->m->target), "%s", text);
    else
        diag_at_address(c->diags, severity, "unknown-instruction", c->m->name, insn->address,
                        tesla_stage_hint(&c->m->target), "%s", text);
}

static bool is_unknown(const struct checker *c, uint32_t i)
{
    struct tesla_insn insn = c->m->insns[i];
    return !insn.row && !tesla_take_unlisted(&insn, &c->m->target);
}

/* Data, as far as it is together and alike. */
static void check_unknown(struct checker *c)
{
    for (uint32_t i = 0, n; i < c->m->ninsns; i += n) {
        n = 1;
        if (!is_unknown(c, i))
            continue;
        while (i + n < c->m->ninsns && !c->reach.insn[i] && !c->reach.insn[i + n] && is_unknown(c, i + n) &&
               tesla_kernel_of(c->m, i) == tesla_kernel_of(c->m, i + n))
            n++;
        check_data(c, i, n);
    }
}

static void check_end(const struct checker *c)
{
    for (uint32_t i = 0; i < c->m->ninsns; i++)
        if (c->reach.runs_off[i])
            complain(c, WEFT_WARNING, &c->m->insns[i], "runs-off",
                     "control flow runs off the end of the program here: weft ends it, the chip would not");
}

weft_status tesla_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                        weft_diags *diags)
{
    struct checker c = {.m = m, .src = src, .diags = diags, .running = params && params->running};
    size_t errors = weft_diags_errors(diags);
    if (!tesla_find_reach(m, !c.running, &c.scratch, &c.reach)) {
        arena_free(&c.scratch);
        return WEFT_ERROR_MEMORY;
    }
    for (uint32_t i = m->ninsns; i-- > 0 && m->insns[i].address >= TESLA_CODE_SPACE;)
        if (i == 0 || m->insns[i - 1].address < TESLA_CODE_SPACE)
            complain(&c, WEFT_ERROR, &m->insns[i], "too-large", "code ends at 0x1000000");
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (m->insns[i].row)
            check_insn(&c, &m->insns[i]);
    check_unknown(&c);
    check_end(&c);
    arena_free(&c.scratch);
    return weft_diags_errors(diags) > errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
