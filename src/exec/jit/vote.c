/* vote.c - ANY and ALL: a condition of lanes becomes one of the warp. All chunks have voted when the loop over them is
 * done, so what is made of the result is made late, after it. */
#include "exec/jit/gen.h"

#include <stddef.h>

bool vote_known(const struct jit_step *s)
{
    return s->handler == H_ANY || s->handler == H_ALL;
}

/* A number that the loop begins with as 0 and goes on with as the second part, which is set afterwards. */
static struct votes *new_votes(struct gen *g)
{
    struct votes *k = &g->votes[g->nvotes++];
    *k = (struct votes){NULL, NULL};
    if (g->request->chunks * EXEC_CHUNK > g->width) {
        LLVMBuilderRef b = LLVMCreateBuilderInContext(g->context);
        LLVMPositionBuilderBefore(b, g->chunk);
        k->before = LLVMBuildPhi(b, g->i64, "");
        LLVMDisposeBuilder(b);
    }
    return k;
}

void votes_close(struct gen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef last)
{
    V none = LLVMConstInt(g->i64, 0, false);
    for (unsigned i = 0; i < g->nvotes; i++) {
        LLVMAddIncoming(g->votes[i].before, &none, &entry, 1);
        LLVMAddIncoming(g->votes[i].before, &g->votes[i].after, &last, 1);
    }
}

V vote_lanes(struct gen *g, uint32_t at, unsigned stride)
{
    if (stride && g->nvotes == MOST_VOTES)
        g->failed = true;
    g->lane = stride != 0;
    g->b = g->lane ? g->loop : g->leave;
    V c = row_get(g, at, stride, false, KIND_BOOL);
    if (g->failed)
        return LLVMConstNull(g->i64);
    if (!g->lane)
        return LLVMBuildSelect(g->b, c, LLVMConstInt(g->i64, UINT64_MAX, false), LLVMConstNull(g->i64), "");
    struct votes *k = new_votes(g);
    V bits = mask_bits(g, c);
    bits = LLVMBuildShl(g->b, bits, LLVMBuildShl(g->b, g->chunk, LLVMConstInt(g->i64, 4, false), ""), "");
    k->after = k->before ? LLVMBuildOr(g->b, k->before, bits, "") : bits;
    return k->after;
}

/* aux: of all lanes that the warp was started with, not of those that are active. */
void vote_emit(struct gen *g)
{
    V holds = vote_lanes(g, g->s->a, g->s->sa);
    V seen = g->s->aux ? frame_load(g, offsetof(struct frame, all), g->i64) : active_mask(g);
    g->lane = false;
    g->b = g->leave;
    bool any = g->s->handler == H_ANY;
    V with = LLVMBuildAnd(g->b, seen, any ? holds : LLVMBuildNot(g->b, holds, ""), "");
    row_put(g, g->s->d, false, icmp(g, any ? LLVMIntNE : LLVMIntEQ, with, LLVMConstNull(g->i64)));
}

/* ---- what fits into a run ---- */

/* Does the step look at the row, or leave part of it as it was? */
static bool looks_at(const struct jit_step *s, uint32_t row)
{
    return s->a == row || s->b == row || s->c == row || s->aux == row || (s->form == JIT_MASKED && s->d == row);
}

/* Is the step done once for the warp, or a copy of one value for all lanes? */
static bool is_uniform(const struct jit_step *s)
{
    return s->form == JIT_SCALAR || (s->form == JIT_PLAIN && !s->sa && !s->sb && !s->sc);
}

uint32_t votes_fit(const struct jit_step *s, uint32_t count)
{
    enum { MOST_LATE = 16 };
    uint32_t late[MOST_LATE], nlate = 0, nvotes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool made = vote_known(&s[i]), own = !op_late_known(&s[i]) && !terminator_known(&s[i]);
        nvotes += made + terminator_known(&s[i]);
        for (uint32_t k = 0; k < nlate; k++) {
            bool looks = looks_at(&s[i], late[k]);
            if ((looks && (own || !is_uniform(&s[i]))) || (own && s[i].d == late[k]))
                return i;
            made |= looks;
        }
        for (uint32_t k = 0; k < nlate; k++)
            if (s[i].d == late[k])
                late[k--] = late[--nlate];
        if ((made && nlate == MOST_LATE) || nvotes > MOST_VOTES)
            return i;
        if (made && !terminator_known(&s[i]))
            late[nlate++] = s[i].d;
    }
    return count;
}
