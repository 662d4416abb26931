/* check_flow.c - the checker's rules of control flow: nesting (flow.h), labels, and what can be reached. */
#include "isa/tgsi/check.h"
#include "isa/tgsi/flow.h"

#include <stdio.h>

struct flow {
    struct tgsi_checker *c;
    struct tgsi_nesting nesting;
    bool has_end, has_sub, has_main;
};

static const char *name_of(const struct flow *f, uint32_t insn)
{
    return tgsi_rows[f->c->m->insns[insn].opcode].name;
}

/* The messages that follow are about an instruction. */
static void set_place(struct flow *f, uint32_t insn)
{
    snprintf(f->c->place, sizeof f->c->place, "instruction %u (%s)", insn, name_of(f, insn));
}

static void report_nesting(void *user, uint32_t insn, const char *code, const char *message)
{
    struct flow *f = user;
    set_place(f, insn);
    tgsi_check_report(f->c, WEFT_ERROR, code, f->c->m->insns[insn].where, NULL, "%s", message);
}

static void report(struct flow *f, uint32_t insn, const char *code, const char *hint, const char *message)
{
    tgsi_check_report(f->c, WEFT_ERROR, code, f->c->m->insns[insn].where, hint, "%s %s", name_of(f, insn), message);
}

static void check_call(struct flow *f, uint32_t insn)
{
    const struct isa_module *m = f->c->m;
    const struct tgsi_insn *in = &m->insns[insn];
    if (!in->has_label) {
        report(f, insn, "label-missing", "write the instruction number of a BGNSUB: 'CAL :12'", "without a label");
        return;
    }
    if (in->label < m->ninsns && tgsi_rows[m->insns[in->label].opcode].flow != TGSI_FLOW_SUB)
        tgsi_check_report(f->c, WEFT_WARNING, "label-target", in->where, NULL, "%s :%u leads to %s, not to a BGNSUB",
                          name_of(f, insn), in->label, name_of(f, in->label));
}

/* A label is the number of an instruction. Only calls and jumps need it; for the others it is a remark. */
static void check_label(struct flow *f, uint32_t insn)
{
    const struct isa_module *m = f->c->m;
    const struct tgsi_insn *in = &m->insns[insn];
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    if (!in->has_label || in->label < m->ninsns)
        return;
    bool needed = row->flow == TGSI_FLOW_CALL || row->flow == TGSI_FLOW_JUMP;
    if (!needed && in->label == m->ninsns)
        return;
    tgsi_check_report(f->c, needed ? WEFT_ERROR : WEFT_WARNING, "label-range", in->where, NULL,
                      "label :%u is beyond the last instruction, number %u", in->label, m->ninsns - 1);
}

/* What comes before END, or is a subroutine, can be reached. */
static void check_reach(struct flow *f, uint32_t insn, uint8_t flow)
{
    if (f->nesting.depth || flow == TGSI_FLOW_SUB)
        return;
    if (f->has_end)
        tgsi_check_report(f->c, WEFT_ERROR, flow == TGSI_FLOW_END ? "repeated" : "after-end",
                          f->c->m->insns[insn].where, NULL, "%s after END; only subroutines may follow it",
                          name_of(f, insn));
    f->has_main = true;
}

static void step(struct flow *f, uint32_t insn)
{
    uint8_t flow = tgsi_rows[f->c->m->insns[insn].opcode].flow;
    set_place(f, insn);
    check_reach(f, insn, flow);
    check_label(f, insn);
    tgsi_nest(&f->nesting, insn);
    f->has_sub |= flow == TGSI_FLOW_SUB;
    if (flow == TGSI_FLOW_CALL)
        check_call(f, insn);
    /* within a block END stops the invocation, as the older compute programs do */
    f->has_end |= flow == TGSI_FLOW_END && !f->nesting.depth;
}

void tgsi_check_flow(struct tgsi_checker *c)
{
    struct flow f = {.c = c, .nesting = {.m = c->m, .arena = c->arena, .report = report_nesting, .user = &f}};
    for (uint32_t i = 0; i < c->m->ninsns; i++)
        step(&f, i);
    bool open = f.nesting.depth > 0; /* END may be in what is not closed */
    tgsi_nest_end(&f.nesting);
    /* The older compute programs are all subroutines, entered one by one: they have no END. */
    if (!f.has_end && !open && (f.has_main || !f.has_sub)) {
        struct span where = {0, 0};
        if (c->m->ninsns)
            where = c->m->insns[c->m->ninsns - 1].where;
        else if (c->src)
            where.offset = (uint32_t)c->src->size;
        snprintf(c->place, sizeof c->place, "last instruction");
        tgsi_check_report(c, WEFT_WARNING, "no-end", where, NULL, "the program has no END");
    }
}
