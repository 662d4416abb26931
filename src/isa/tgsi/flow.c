/* flow.c - how constructs and subroutines are nested: what opens, what closes, what belongs where. */
#include "isa/tgsi/flow.h"

#include <stdarg.h>
#include <stdio.h>

/* By what opens a block: what closes it, and what its opener is called. */
static const struct {
    const char *closer, *opener;
} words[] = {
    [TGSI_FLOW_IF] = {"ENDIF", "IF or UIF"},
    [TGSI_FLOW_LOOP] = {"ENDLOOP", "BGNLOOP"},
    [TGSI_FLOW_SWITCH] = {"ENDSWITCH", "SWITCH"},
    [TGSI_FLOW_SUB] = {"ENDSUB", "BGNSUB"},
};

static const char *name_of(const struct tgsi_nesting *n, uint32_t insn)
{
    return tgsi_rows[n->m->insns[insn].opcode].name;
}

static bool report(struct tgsi_nesting *n, uint32_t insn, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static bool report(struct tgsi_nesting *n, uint32_t insn, const char *code, const char *fmt, ...)
{
    char text[160];
    va_list ap;
    if (arena_failed(n->arena)) /* what is open is not known any more */
        return false;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    n->report(n->user, insn, code, text);
    return false;
}

static struct tgsi_open *top(struct tgsi_nesting *n)
{
    return n->depth ? &n->open[n->depth - 1] : NULL;
}

static bool push(struct tgsi_nesting *n, uint32_t insn, uint8_t flow)
{
    struct tgsi_open *grown = arena_grow(n->arena, n->open, sizeof *grown, n->depth, &n->cap, n->depth + 1);
    if (!grown)
        return false;
    n->open = grown;
    n->open[n->depth++] = (struct tgsi_open){.insn = insn, .label = insn, .flow = flow};
    return true;
}

/* The innermost block, when it is of kind `flow`; otherwise a report that says what is open instead. */
static struct tgsi_open *expect(struct tgsi_nesting *n, uint32_t insn, uint8_t flow)
{
    struct tgsi_open *b = top(n);
    if (b && b->flow == flow)
        return b;
    if (b)
        report(n, insn, "unmatched", "%s while %s is open; expected %s", name_of(n, insn), name_of(n, b->insn),
               words[b->flow].closer);
    else
        report(n, insn, "unmatched", "%s without %s", name_of(n, insn), words[flow].opener);
    return NULL;
}

/* A closer whose opener is further out also closes what lies between: one mistake, one message. */
static bool close_block(struct tgsi_nesting *n, uint32_t insn, uint8_t flow)
{
    if (expect(n, insn, flow)) {
        n->closed = n->open[--n->depth];
        return true;
    }
    size_t depth = n->depth;
    while (depth && n->open[depth - 1].flow != flow)
        depth--;
    if (depth)
        n->depth = depth - 1;
    return false;
}

static bool begin_subroutine(struct tgsi_nesting *n, uint32_t insn)
{
    const struct tgsi_open *b = top(n);
    bool good = !b || report(n, insn, "unmatched", "%s while %s is open; expected %s", name_of(n, insn),
                             name_of(n, b->insn), words[b->flow].closer);
    return push(n, insn, TGSI_FLOW_SUB) && good;
}

static bool split_block(struct tgsi_nesting *n, uint32_t insn, uint8_t flow)
{
    struct tgsi_open *b = expect(n, insn, flow);
    if (!b)
        return false;
    if (b->split)
        return report(n, insn, "repeated", "%s appears a second time", name_of(n, insn));
    b->split = true;
    return true;
}

struct tgsi_open *tgsi_nest_left(const struct tgsi_nesting *n, bool switches)
{
    for (size_t d = n->depth; d; d--)
        if (n->open[d - 1].flow == TGSI_FLOW_LOOP || (switches && n->open[d - 1].flow == TGSI_FLOW_SWITCH))
            return &n->open[d - 1];
    return NULL;
}

bool tgsi_nest(struct tgsi_nesting *n, uint32_t insn)
{
    uint8_t flow = tgsi_rows[n->m->insns[insn].opcode].flow;
    switch ((enum tgsi_flow)flow) {
    case TGSI_FLOW_IF:
    case TGSI_FLOW_LOOP:
    case TGSI_FLOW_SWITCH:
        return push(n, insn, flow);
    case TGSI_FLOW_SUB:
        return begin_subroutine(n, insn);
    case TGSI_FLOW_ELSE:
        return split_block(n, insn, TGSI_FLOW_IF);
    case TGSI_FLOW_DEFAULT:
        return split_block(n, insn, TGSI_FLOW_SWITCH);
    case TGSI_FLOW_CASE:
        return expect(n, insn, TGSI_FLOW_SWITCH) != NULL;
    case TGSI_FLOW_ENDIF:
        return close_block(n, insn, TGSI_FLOW_IF);
    case TGSI_FLOW_ENDLOOP:
        return close_block(n, insn, TGSI_FLOW_LOOP);
    case TGSI_FLOW_ENDSWITCH:
        return close_block(n, insn, TGSI_FLOW_SWITCH);
    case TGSI_FLOW_ENDSUB:
        return close_block(n, insn, TGSI_FLOW_SUB);
    case TGSI_FLOW_BREAK:
        return tgsi_nest_left(n, true) ||
               report(n, insn, "outside-loop", "%s outside a loop and a switch", name_of(n, insn));
    case TGSI_FLOW_CONTINUE:
        return tgsi_nest_left(n, false) || report(n, insn, "outside-loop", "%s outside a loop", name_of(n, insn));
    default:
        return true;
    }
}

bool tgsi_nest_end(struct tgsi_nesting *n)
{
    for (size_t i = 0; i < n->depth; i++)
        report(n, n->open[i].insn, "unclosed", "%s is never closed; expected %s", name_of(n, n->open[i].insn),
               words[n->open[i].flow].closer);
    return n->depth == 0;
}
