/* check_flow.c - the checker's rules of control flow: what opens, what closes, what may stand where. */
#include "isa/tgsi/check.h"

#include <stdio.h>

/* A block that is open: the instruction that opened it, and whether its ELSE or DEFAULT has been seen. */
struct block {
    uint32_t insn;
    uint8_t flow; /* TGSI_FLOW_IF, _LOOP, _SWITCH or _SUB */
    bool split;
};

struct flow {
    struct checker *c;
    struct block *open;
    size_t depth, cap;
    uint32_t loops, switches; /* of the open blocks */
    bool has_end, has_sub, has_main;
};

static const char *closer(uint8_t flow)
{
    switch (flow) {
    case TGSI_FLOW_IF:
        return "ENDIF";
    case TGSI_FLOW_LOOP:
        return "ENDLOOP";
    case TGSI_FLOW_SWITCH:
        return "ENDSWITCH";
    default:
        return "ENDSUB";
    }
}

static const char *name_of(const struct flow *f, uint32_t insn)
{
    return tgsi_rows[f->c->m->insns[insn].opcode].name;
}

static struct block *top(struct flow *f)
{
    return f->depth ? &f->open[f->depth - 1] : NULL;
}

static void push(struct flow *f, uint32_t insn, uint8_t flow)
{
    struct block *grown = arena_grow(f->c->arena, f->open, sizeof *grown, f->depth, &f->cap, f->depth + 1);
    if (!grown)
        return;
    f->open = grown;
    f->open[f->depth++] = (struct block){insn, flow, false};
    f->loops += flow == TGSI_FLOW_LOOP;
    f->switches += flow == TGSI_FLOW_SWITCH;
}

static void pop(struct flow *f)
{
    const struct block *b = &f->open[--f->depth];
    f->loops -= b->flow == TGSI_FLOW_LOOP;
    f->switches -= b->flow == TGSI_FLOW_SWITCH;
}

static void report(struct flow *f, uint32_t insn, const char *code, const char *hint, const char *message)
{
    check_report(f->c, WEFT_ERROR, code, f->c->m->insns[insn].where, hint, "%s %s", name_of(f, insn), message);
}

/* The innermost block, when it is of kind `flow`; otherwise a report that says what is open instead. */
static struct block *expect(struct flow *f, uint32_t insn, uint8_t flow, const char *opener)
{
    struct block *b = top(f);
    if (b && b->flow == flow)
        return b;
    const struct tgsi_insn *in = &f->c->m->insns[insn];
    if (b)
        check_report(f->c, WEFT_ERROR, "unmatched", in->where, NULL, "%s while %s is open; expected %s",
                     name_of(f, insn), name_of(f, b->insn), closer(b->flow));
    else
        check_report(f->c, WEFT_ERROR, "unmatched", in->where, NULL, "%s without %s", name_of(f, insn), opener);
    return NULL;
}

/* A closer whose opener is further out also closes what lies between: one mistake, one message. */
static void close_block(struct flow *f, uint32_t insn, uint8_t flow, const char *opener)
{
    if (expect(f, insn, flow, opener)) {
        pop(f);
        return;
    }
    size_t depth = f->depth;
    while (depth && f->open[depth - 1].flow != flow)
        depth--;
    while (depth && f->depth >= depth)
        pop(f);
}

static void begin_subroutine(struct flow *f, uint32_t insn)
{
    if (f->depth)
        check_report(f->c, WEFT_ERROR, "unmatched", f->c->m->insns[insn].where, NULL,
                     "BGNSUB while %s is open; expected %s", name_of(f, top(f)->insn), closer(top(f)->flow));
    f->has_sub = true;
    push(f, insn, TGSI_FLOW_SUB);
}

static void split_block(struct flow *f, uint32_t insn, uint8_t flow, const char *opener)
{
    struct block *b = expect(f, insn, flow, opener);
    if (!b)
        return;
    if (b->split)
        report(f, insn, "repeated", NULL, "appears a second time");
    b->split = true;
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
        check_report(f->c, WEFT_WARNING, "label-target", in->where, NULL,
                     "%s :%u leads to %s, not to a BGNSUB", name_of(f, insn), in->label, name_of(f, in->label));
}

/* A label is the number of an instruction. Only calls and jumps need it; for the others it is a remark. */
static void check_label(struct flow *f, uint32_t insn)
{
    const struct isa_module *m = f->c->m;
    const struct tgsi_insn *in = &m->insns[insn];
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    if (!in->has_label || in->label < m->ninsns)
        return;
    bool needed = row->flow == TGSI_FLOW_CALL || row->flow == TGSI_FLOW_NONE;
    if (!needed && in->label == m->ninsns)
        return;
    check_report(f->c, needed ? WEFT_ERROR : WEFT_WARNING, "label-range", in->where, NULL,
                 "label :%u is beyond the last instruction, number %u", in->label, m->ninsns - 1);
}

/* What stands in front of END, or is a subroutine, can be reached. */
static void check_reach(struct flow *f, uint32_t insn, uint8_t flow)
{
    if (f->depth || flow == TGSI_FLOW_SUB)
        return;
    if (f->has_end)
        check_report(f->c, WEFT_ERROR, flow == TGSI_FLOW_END ? "repeated" : "after-end", f->c->m->insns[insn].where,
                     NULL, "%s after END; only subroutines may follow it", name_of(f, insn));
    f->has_main = true;
}

static void step(struct flow *f, uint32_t insn)
{
    uint8_t flow = tgsi_rows[f->c->m->insns[insn].opcode].flow;
    check_reach(f, insn, flow);
    check_label(f, insn);
    switch (flow) {
    case TGSI_FLOW_IF:
    case TGSI_FLOW_LOOP:
    case TGSI_FLOW_SWITCH:
        push(f, insn, flow);
        break;
    case TGSI_FLOW_SUB:
        begin_subroutine(f, insn);
        break;
    case TGSI_FLOW_ELSE:
        split_block(f, insn, TGSI_FLOW_IF, "IF or UIF");
        break;
    case TGSI_FLOW_DEFAULT:
        split_block(f, insn, TGSI_FLOW_SWITCH, "SWITCH");
        break;
    case TGSI_FLOW_CASE:
        expect(f, insn, TGSI_FLOW_SWITCH, "SWITCH");
        break;
    case TGSI_FLOW_ENDIF:
        close_block(f, insn, TGSI_FLOW_IF, "IF or UIF");
        break;
    case TGSI_FLOW_ENDLOOP:
        close_block(f, insn, TGSI_FLOW_LOOP, "BGNLOOP");
        break;
    case TGSI_FLOW_ENDSWITCH:
        close_block(f, insn, TGSI_FLOW_SWITCH, "SWITCH");
        break;
    case TGSI_FLOW_ENDSUB:
        close_block(f, insn, TGSI_FLOW_SUB, "BGNSUB");
        break;
    case TGSI_FLOW_BREAK:
        if (!f->loops && !f->switches)
            report(f, insn, "outside-loop", NULL, "outside a loop and a switch");
        break;
    case TGSI_FLOW_CONTINUE:
        if (!f->loops)
            report(f, insn, "outside-loop", NULL, "outside a loop");
        break;
    case TGSI_FLOW_CALL:
        check_call(f, insn);
        break;
    case TGSI_FLOW_END:
        f->has_end |= !f->depth; /* within a block it stops the invocation, as the older compute programs do */
        break;
    default:
        break;
    }
}

void check_flow(struct checker *c)
{
    struct flow f = {.c = c};
    for (uint32_t i = 0; i < c->m->ninsns; i++) {
        snprintf(c->place, sizeof c->place, "instruction %u (%s)", i, tgsi_rows[c->m->insns[i].opcode].name);
        step(&f, i);
    }
    for (size_t i = 0; i < f.depth; i++) {
        const struct block *b = &f.open[i];
        snprintf(c->place, sizeof c->place, "instruction %u (%s)", b->insn, name_of(&f, b->insn));
        check_report(c, WEFT_ERROR, "unclosed", c->m->insns[b->insn].where, NULL, "%s is never closed; expected %s",
                     name_of(&f, b->insn), closer(b->flow));
    }
    /* The older compute programs are all subroutines, entered one by one: they have no END. */
    if (!f.has_end && (f.has_main || !f.has_sub)) {
        struct span where = {0, 0};
        if (c->m->ninsns)
            where = c->m->insns[c->m->ninsns - 1].where;
        else if (c->src)
            where.offset = (uint32_t)c->src->size;
        snprintf(c->place, sizeof c->place, "last instruction");
        check_report(c, WEFT_WARNING, "no-end", where, NULL, "the program has no END");
    }
}
