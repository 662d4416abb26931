/* check_slots.c - messages in flight: registers that are not written yet, and what must have happened before.
 *
 * A message runs beside the program. Its results arrive some time before its slot is waited for; until then the
 * registers hold nothing that a program may read or write. An instruction's waits count once it has run, so they serve
 * the next one. Registers that a message reads are read when it is issued. This is followed over all paths of the
 * program, block by block, until nothing changes. */
#include "isa/valhall/check.h"

#include <stdio.h>

enum { SLOTS = 8 };

/* What may be true at a place: the union of the paths that lead there. */
struct state {
    uint64_t pending[SLOTS]; /* registers that messages of a slot still write */
    uint64_t gone;           /* registers whose last use was marked, and that nothing wrote since */
    bool no_atest;           /* ATEST may not have run */
    bool no_wait6, no_wait7; /* these slots may not have been waited for */
    bool reached;
};

static bool merge(struct state *into, const struct state *from)
{
    bool changed = false;
    for (unsigned s = 0; s < SLOTS; s++) {
        changed |= (from->pending[s] & ~into->pending[s]) != 0;
        into->pending[s] |= from->pending[s];
    }
    changed |= (from->gone & ~into->gone) != 0;
    changed |= (from->no_atest && !into->no_atest) || (from->no_wait6 && !into->no_wait6) ||
               (from->no_wait7 && !into->no_wait7) || !into->reached;
    into->gone |= from->gone;
    into->no_atest |= from->no_atest;
    into->no_wait6 |= from->no_wait6;
    into->no_wait7 |= from->no_wait7;
    into->reached = true;
    return changed;
}

/* Registers marked ^ in an instruction. */
static uint64_t last_uses(const struct valhall_insn *insn)
{
    struct valhall_insn marked = *insn;
    marked.nstaging = 0;
    for (unsigned i = 0; i < marked.nsrc; i++)
        if (!marked.src[i].last)
            marked.src[i].kind = VALHALL_CONSTANT;
    return valhall_reads(&marked);
}

static void step(struct state *s, const struct valhall_insn *insn)
{
    uint64_t writes = valhall_writes(insn);
    int slot = valhall_slot(insn->row, insn->word);
    uint8_t waits = valhall_waits(insn->flow);
    s->gone = (s->gone | last_uses(insn)) & ~writes;
    if (slot >= 0)
        s->pending[slot] |= writes;
    for (unsigned k = 0; k < SLOTS; k++)
        if (waits >> k & 1)
            s->pending[k] = 0;
    s->no_wait6 &= !(waits >> 6 & 1);
    s->no_wait7 &= !(waits >> 7 & 1);
    if (insn->row->form->pixel == VALHALL_PIXEL_TESTS_ALPHA)
        s->no_atest = false;
}

/* ---- messages ---- */

static void report_pending(struct valhall_checker *c, const struct valhall_insn *insn, unsigned slot,
                           uint64_t registers, const char *how)
{
    char hint[64];
    snprintf(hint, sizeof hint, "put .wait%u on an instruction before", slot);
    valhall_report(c, WEFT_ERROR, "missing-wait", insn->number, slot < 3 ? hint : NULL,
                   "r%u is %s here, and a message of slot %u that writes it has not been waited for",
                   (unsigned)__builtin_ctzll(registers), how, slot);
}

/* Forget what was reported, so that each missing wait is reported once. */
static void check_registers(struct valhall_checker *c, struct state *s, const struct valhall_insn *insn)
{
    uint64_t reads = valhall_reads(insn), writes = valhall_writes(insn);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (s->pending[slot] & reads)
            report_pending(c, insn, slot, s->pending[slot] & reads, "read");
        else if (s->pending[slot] & writes)
            report_pending(c, insn, slot, s->pending[slot] & writes, "written");
        if (s->pending[slot] & (reads | writes))
            s->pending[slot] = 0;
    }
    if (s->gone & reads)
        valhall_report(c, WEFT_WARNING, "used-after-last", insn->number, NULL,
                       "r%u is read here after its last use was marked (^)",
                       (unsigned)__builtin_ctzll(s->gone & reads));
}

/* ATEST updates the coverage that BLEND and ZS_EMIT take. It must wait for slot 6, BLEND for slot 7 too. */
static void check_order(struct valhall_checker *c, const struct state *s, const struct valhall_insn *insn)
{
    enum valhall_pixel pixel = insn->row->form->pixel;
    bool blend = pixel == VALHALL_PIXEL_BLENDS, zs = pixel == VALHALL_PIXEL_EMITS_DEPTH;
    if ((blend || zs) && s->no_atest)
        valhall_report(c, WEFT_WARNING, "atest", insn->number, NULL,
                       "%s is reached without ATEST: it should be executed before the first ZS_EMIT or BLEND",
                       insn->row->name);
    if (pixel != VALHALL_PIXEL_NONE && s->no_wait6)
        valhall_report(c, WEFT_WARNING, "wait-6", insn->number, "put .wait0126 on the instruction before",
                       "%s must come after a wait for slot 6", insn->row->name);
    else if (blend && s->no_wait7)
        valhall_report(c, WEFT_WARNING, "wait-7", insn->number, "put .wait on the instruction before",
                       "%s must come after a wait for slot 7", insn->row->name);
}

/* ---- over the blocks ---- */

/* Through a block, reporting if asked to. */
static void run_block(struct valhall_checker *c, uint32_t block, struct state *s, bool report)
{
    const struct valhall_block *b = &c->flow.blocks[block];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        struct valhall_insn insn;
        valhall_insn_at(c->m, i, &insn);
        if (report) {
            check_registers(c, s, &insn);
            check_order(c, s, &insn);
        }
        step(s, &insn);
    }
}

/* Blocks to look at again: a ring that has each at most once. */
struct worklist {
    uint32_t *ring;
    bool *in;
    uint32_t count, first, used;
};

static void push(struct worklist *w, uint32_t block)
{
    if (w->in[block])
        return;
    w->in[block] = true;
    w->ring[(w->first + w->used++) % w->count] = block;
}

static uint32_t pop(struct worklist *w)
{
    uint32_t block = w->ring[w->first];
    w->first = (w->first + 1) % w->count;
    w->used--;
    w->in[block] = false;
    return block;
}

weft_status valhall_check_slots(struct valhall_checker *c)
{
    const struct valhall_blocks *f = &c->flow;
    struct worklist w = {ARENA_ARRAY(&c->arena, uint32_t, f->count + 1), ARENA_ARRAY(&c->arena, bool, f->count + 1),
                         f->count, 0, 0};
    struct state *in = ARENA_ARRAY(&c->arena, struct state, f->count + 1);
    if (!w.ring || !w.in || !in)
        return WEFT_ERROR_MEMORY;
    for (uint32_t b = 0; b < f->count; b++)
        if (f->blocks[b].entry) {
            in[b] = (struct state){.no_atest = true, .no_wait6 = true, .no_wait7 = true, .reached = true};
            push(&w, b);
        }
    while (w.used) {
        uint32_t block = pop(&w), to[] = {f->blocks[block].next, f->blocks[block].target};
        struct state out = in[block];
        run_block(c, block, &out, false);
        for (unsigned k = 0; k < 2; k++)
            if (to[k] != VALHALL_NOWHERE && merge(&in[to[k]], &out))
                push(&w, to[k]);
    }
    for (uint32_t b = 0; b < f->count; b++) {
        struct state s = in[b];
        if (s.reached)
            run_block(c, b, &s, true);
    }
    return WEFT_OK;
}
