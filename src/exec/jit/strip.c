/* strip.c - loops of one run: many passes of one chunk before the next chunk's.
 *
 * A run that goes on to itself loads its rows and stores them in each pass, chunk after chunk. A *strip* does some
 * passes of each chunk with the rows in registers. It is tried, and counts only as a whole: where all lanes of all
 * chunks went on after each pass, and no operation met what is rare, the rows go to the frame and the passes' cost off
 * the budget. Else nothing was changed. Nothing is stored in such runs and no lane sees another's values but in quads,
 * which lie in one chunk, so the order of chunks and passes cannot be seen.
 *
 * After a strip the plain loop does a pass. It stores every row that a pass writes, so a strip keeps only those that a
 * pass takes from the one before.
 *
 * The number of passes doubles with each strip. A strip that fails is tried once more with the passes that went well,
 * so that it costs at most what was gained before. */
#include "exec/jit/strip.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    FIRST_GOAL = 4, MOST_PASSES = 64, FEWEST_PASSES = 2,
    FIRST_REST = 2, LONG_REST = 8 /* passes of the plain loop before a strip is tried: at first, and after a failure */
};

/* ---- which loops ---- */

static const struct jit_run *last_run(const struct chain *c)
{
    return c->run[c->count - 1];
}

static const struct jit_step *terminator(const struct gen *g, const struct chain *c)
{
    return &steps_of(g->request, last_run(c))[last_run(c)->count - 1];
}

static bool step_fits(const struct gen *g, const struct jit_run *run, const struct jit_step *s)
{
    if (s->handler == H_OUTPUT || s->handler == H_DISCARD)
        return false;
    return !memory_known(s) || (run->full && !s->c) || g->request->level == EXEC_AVX512;
}

/* Does the step name the row? */
static bool names(const struct jit_step *s, uint32_t row)
{
    return s->d == row || s->a == row || s->b == row || s->c == row || s->aux == row;
}

/* The vote that a branch looks at, if nothing else does. */
static const struct jit_step *find_vote(const struct gen *g, const struct chain *c)
{
    const struct jit_step *vote = NULL;
    for (unsigned k = 0; k < c->count; k++)
        for (uint32_t i = 0; i < c->run[k]->count; i++)
            if (vote_known(&steps_of(g->request, c->run[k])[i]))
                vote = &steps_of(g->request, c->run[k])[i];
    return vote;
}

static bool vote_fits(const struct gen *g, const struct chain *c, const struct jit_step *vote)
{
    const struct jit_step *last = terminator(g, c);
    if (!vote->sa || last->handler != H_BRANCH || last->a != vote->d)
        return false;
    for (unsigned k = 0; k < c->count; k++)
        for (uint32_t i = 0; i < c->run[k]->count; i++) {
            const struct jit_step *s = &steps_of(g->request, c->run[k])[i];
            if (s != vote && s != last && (vote_known(s) || names(s, vote->d)))
                return false;
        }
    return true;
}

static bool asks_lanes(const struct jit_step *s)
{
    return s->handler == H_CONTROL_NONE || s->handler == H_CONTROL_EITHER;
}

static bool terminator_fits(const struct gen *g, const struct chain *c)
{
    const struct jit_step *last = terminator(g, c), *vote = find_vote(g, c);
    if (!terminator_known(last) || last->handler == H_GOTO || last->handler == H_END)
        return false;
    if (vote)
        return vote_fits(g, c, vote);
    return !asks_lanes(last) || last->sa;
}

/* Loops without loads are not worth it: a pass in registers is no faster there, and lanes mostly part after few. */
bool strip_fits(const struct gen *g, const struct chain *c)
{
    bool loads = false;
    if (chain_way_back(g, c) == 2 || c->steps > LONGEST_CHAIN || !terminator_fits(g, c))
        return false;
    for (unsigned k = 0; k < c->count; k++)
        for (uint32_t i = 0; i < c->run[k]->count; i++) {
            const struct jit_step *s = &steps_of(g->request, c->run[k])[i];
            loads |= memory_known(s);
            if (!step_fits(g, c->run[k], s))
                return false;
        }
    return loads;
}

/* ---- rows ---- */

static uint32_t row_bytes(const struct gen *g, const struct kept *k)
{
    return g->request->chunks * EXEC_CHUNK * (k->wide ? 8 : 4);
}

static bool is_stored(const struct gen *g, const struct chain *c, uint32_t row)
{
    for (unsigned k = 0; k < c->count; k++)
        if (run_keeps(g, c->run[k], row))
            return true;
    return false;
}

static bool note_row(struct gen *g, const struct chain *c, struct strip *s, const struct row_value *r)
{
    struct kept k = {.at = r->at, .wide = r->wide, .uniform = r->uniform, .carried = r->dirty};
    if (s->nrows == MOST_KEPT || r->at == NO_ROW)
        return false;
    if (k.carried && (r->late || r->uniform != r->read_uniform || !is_stored(g, c, r->at)))
        return false;
    if (k.carried && !k.uniform)
        s->bytes += row_bytes(g, &k);
    s->changes |= k.carried && k.uniform;
    s->row[s->nrows++] = k;
    return true;
}

struct strip *strip_rows(struct gen *g, const struct chain *c)
{
    struct strip *s = calloc(1, sizeof *s);
    for (uint32_t i = 0; s && i < g->nrows; i++)
        if (g->rows[i].read_first && !note_row(g, c, s, &g->rows[i])) {
            free(s);
            return NULL;
        }
    return s;
}

/* A value for each pass, the first of which is what the frame has. */
static void carry_rows(struct gen *g, struct strip *s)
{
    for (uint32_t i = 0; i < s->nrows; i++) {
        struct row_value *r = row_find(g, s->row[i].at);
        if (!s->row[i].carried)
            continue;
        V first = s->row[i].begins;
        s->row[i].phi = LLVMBuildPhi(g->loop, LLVMTypeOf(first), "");
        LLVMAddIncoming(s->row[i].phi, &first, &s->header, 1);
        r->v[KIND_INT] = s->row[i].phi;
    }
}

static V value_of(struct gen *g, const struct kept *k)
{
    return row_as(g, row_find(g, k->at), KIND_INT);
}

void strip_expect(struct gen *g, V holds)
{
    g->strip->right = g->strip->right ? and2(g, g->strip->right, holds) : holds;
}

/* ---- the end of a pass ---- */

/* Lanes of the chunk that a vote hears; NULL: all of them. */
static V voters(struct gen *g, const struct jit_step *vote)
{
    if (g->run->full || !vote->aux)
        return g->run->full ? NULL : active_lanes(g);
    V shift = LLVMBuildShl(g->b, g->chunk, LLVMConstInt(g->i64, 4, false), "");
    V bits = lshr(g, frame_load(g, offsetof(struct frame, all), g->i64), shift);
    return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, bits, mask_type(g), ""), row_type(g, g->i1), "");
}

static V all_of(struct gen *g, V condition, V lanes)
{
    return all_lanes(g, lanes ? or2(g, condition, not1(g, lanes)) : condition);
}

static void in_pass(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
}

/* What one chunk's lanes say is enough to know what all say, or the strip fails. */
static void emit_vote(struct gen *g, struct strip *s, bool wanted)
{
    in_pass(g);
    bool any = g->s->handler == H_ANY;
    V c = row_get(g, g->s->a, g->s->sa, false, KIND_BOOL), lanes = voters(g, g->s);
    if (any != wanted) {
        s->went_on = all_of(g, wanted ? c : not1(g, c), lanes);
    } else {
        V none = all_of(g, wanted ? not1(g, c) : c, lanes);
        s->went_on = not1(g, none);
    }
}

static void emit_terminator(struct gen *g, const struct chain *c, struct strip *s)
{
    unsigned back = chain_way_back(g, c);
    V lanes = g->run->full ? NULL : active_lanes(g);
    if (asks_lanes(g->s)) {
        in_pass(g);
        V holds = row_get(g, g->s->a, g->s->sa, false, KIND_BOOL), good = back ? holds : not1(g, holds);
        s->went_on = all_of(g, s->right ? and2(g, good, s->right) : good, lanes);
        return;
    }
    if (!s->went_on) {
        terminator_emit(g);
        s->went_on = back ? LLVMBuildNot(g->loop, g->taken, "") : g->taken;
    }
    in_pass(g);
    if (s->right)
        s->went_on = and2(g, s->went_on, all_of(g, s->right, lanes));
}

static void emit_pass(struct gen *g, const struct function *f, const struct chain *c, struct strip *s)
{
    for (unsigned k = 0; k < c->count; k++) {
        chain_forget(g, c, k);
        run_begin(g, f, c->run[k]);
        for (uint32_t i = 0; i < c->run[k]->count && !g->failed; i++) {
            g->s = &steps_of(g->request, c->run[k])[i];
            if (vote_known(g->s))
                emit_vote(g, s, chain_way_back(g, c) == 0);
            else if (!terminator_known(g->s))
                op_emit(g);
            else if (k + 1 == c->count)
                emit_terminator(g, c, s);
        }
    }
}

/* ---- before and after ---- */

static V number(struct gen *g, uint32_t v)
{
    return LLVMConstInt(g->i32, v, false);
}

static V counter(struct gen *g, uint32_t first)
{
    V at = LLVMBuildAlloca(g->top, g->i32, "");
    LLVMBuildStore(g->top, number(g, first), at);
    return at;
}

/* Room for rows, from a multiple of 64 on: the stack itself is aligned to less. */
static V new_shadow(struct gen *g, uint32_t bytes)
{
    V room = LLVMBuildAlloca(g->top, LLVMArrayType(g->i8, bytes + 63), "");
    V at = LLVMBuildAdd(g->top, LLVMBuildPtrToInt(g->top, room, g->i64, ""), LLVMConstInt(g->i64, 63, false), "");
    at = LLVMBuildAnd(g->top, at, LLVMConstInt(g->i64, ~(uint64_t)63, true), "");
    return LLVMBuildIntToPtr(g->top, at, g->pointer, "");
}

static LLVMBasicBlockRef new_block(struct gen *g, const struct function *f, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->context, f->fn, name);
}

static uint64_t cost_of(const struct gen *g, const struct chain *c)
{
    return c->cost + terminator(g, c)->c;
}

/* Whether to try one: the loop is not resting, the budget pays for it and the policy does not mind. */
static void emit_choice(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                        LLVMBasicBlockRef begin, LLVMBasicBlockRef plain)
{
    LLVMBasicBlockRef tired = new_block(g, f, "tired"), fresh = new_block(g, f, "fresh");
    LLVMPositionBuilderAtEnd(g->leave, begin);
    V rest = LLVMBuildLoad2(g->leave, g->i32, s->rest_at, "");
    LLVMBuildCondBr(g->leave, LLVMBuildICmp(g->leave, LLVMIntEQ, rest, number(g, 0), ""), fresh, tired);
    LLVMPositionBuilderAtEnd(g->leave, tired);
    LLVMBuildStore(g->leave, LLVMBuildSub(g->leave, rest, number(g, 1), ""), s->rest_at);
    LLVMBuildBr(g->leave, plain);
    LLVMPositionBuilderAtEnd(g->leave, fresh);
    s->goal = LLVMBuildLoad2(g->leave, g->i32, s->goal_at, "");
    V cost = LLVMBuildZExt(g->leave, s->goal, g->i64, "");
    cost = LLVMBuildMul(g->leave, cost, LLVMConstInt(g->i64, cost_of(g, c), false), "");
    g->s = terminator(g, c);
    V fine = terminator_pays(g, cost), free = asks_lanes(g->s) ? terminator_is_free(g, chain_way_back(g, c)) : NULL;
    LLVMBuildCondBr(g->leave, free ? LLVMBuildAnd(g->leave, fine, free, "") : fine, s->header, plain);
}

/* A chunk is done: its rows wait, or go to the frame where there is no other chunk. */
static void put_rows_away(struct gen *g, struct strip *s)
{
    V at = s->shadow;
    for (uint32_t i = 0; i < s->nrows; i++) {
        const struct kept *k = &s->row[i];
        if (!k->carried || k->uniform)
            continue;
        V to = row_pointer(g, k->at, k->wide);
        if (!run_is_once(g)) {
            V bytes = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, k->wide ? 7 : 6, false), "");
            to = offset_by(g, g->loop, at, bytes);
            at = offset_const(g, g->loop, at, row_bytes(g, k));
        }
        store_at(g, g->loop, value_of(g, k), to, 64);
    }
}

/* From the shadow into the frame, by chunks. */
static void copy_rows(struct gen *g, const struct function *f, struct strip *s, LLVMBasicBlockRef from)
{
    LLVMBasicBlockRef copy = new_block(g, f, "copy"), on = new_block(g, f, "copied");
    LLVMBuildBr(g->loop, copy);
    LLVMPositionBuilderAtEnd(g->loop, copy);
    V n = LLVMBuildPhi(g->loop, g->i64, ""), first = LLVMConstInt(g->i64, 0, false), at = s->shadow;
    for (uint32_t i = 0; i < s->nrows; i++) {
        const struct kept *k = &s->row[i];
        if (!k->carried || k->uniform)
            continue;
        LLVMTypeRef type = LLVMVectorType(k->wide ? g->i64 : g->i32, EXEC_CHUNK);
        V bytes = LLVMBuildShl(g->loop, n, LLVMConstInt(g->i64, k->wide ? 7 : 6, false), "");
        V v = load_at(g, g->loop, offset_by(g, g->loop, at, bytes), type, 64);
        store_at(g, g->loop, v, offset_by(g, g->loop, offset_const(g, g->loop, g->frame, k->at), bytes), 64);
        at = offset_const(g, g->loop, at, row_bytes(g, k));
    }
    V next = LLVMBuildAdd(g->loop, n, LLVMConstInt(g->i64, 1, false), "");
    V chunks = LLVMConstInt(g->i64, g->request->chunks, false);
    LLVMAddIncoming(n, &first, &from, 1);
    LLVMAddIncoming(n, &next, &copy, 1);
    LLVMBuildCondBr(g->loop, LLVMBuildICmp(g->loop, LLVMIntULT, next, chunks, ""), copy, on);
    LLVMPositionBuilderAtEnd(g->loop, on);
}

/* All chunks are done. */
static void emit_success(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                         LLVMBasicBlockRef here, LLVMBasicBlockRef plain)
{
    if (!run_is_once(g) && s->bytes)
        copy_rows(g, f, s, here);
    LLVMPositionBuilderAtEnd(g->leave, LLVMGetInsertBlock(g->loop));
    for (uint32_t i = 0; i < s->nrows; i++)
        if (s->row[i].carried && s->row[i].uniform)
            run_store(g, row_find(g, s->row[i].at));
    V cost = LLVMBuildZExt(g->leave, s->goal, g->i64, "");
    terminator_spend(g, LLVMBuildMul(g->leave, cost, LLVMConstInt(g->i64, cost_of(g, c), false), ""));
    V most = number(g, MOST_PASSES), twice = LLVMBuildShl(g->leave, s->goal, number(g, 1), "");
    V less = LLVMBuildICmp(g->leave, LLVMIntULT, twice, most, "");
    LLVMBuildStore(g->leave, LLVMBuildSelect(g->leave, less, twice, most, ""), s->goal_at);
    LLVMBuildBr(g->leave, plain);
}

/* A strip with as many passes as went well, or a rest. */
static void emit_failure(struct gen *g, struct strip *s, LLVMBasicBlockRef begin)
{
    LLVMPositionBuilderAtEnd(g->leave, s->fail);
    V again = LLVMBuildICmp(g->leave, LLVMIntUGE, s->pass, number(g, FEWEST_PASSES), "");
    LLVMBuildStore(g->leave, LLVMBuildSelect(g->leave, again, s->pass, number(g, FIRST_GOAL), ""), s->goal_at);
    LLVMBuildStore(g->leave, LLVMBuildSelect(g->leave, again, number(g, 0), number(g, LONG_REST), ""), s->rest_at);
    LLVMBuildBr(g->leave, begin);
}

/* ---- the loops ---- */

static void open_chunks(struct gen *g, struct strip *s)
{
    LLVMPositionBuilderAtEnd(g->loop, s->header);
    if (!s->changes)
        LLVMPositionBuilderAtEnd(g->entry, s->header);
    run_open(g);
    g->b = g->loop;
    if (!g->run->full)
        active_lanes(g);
    for (uint32_t i = 0; i < s->nrows; i++)
        s->row[i].begins =
            row_load(g, s->row[i].at, s->row[i].uniform ? 0 : EXEC_CHUNK, s->row[i].wide)->v[KIND_INT];
    LLVMPositionBuilderAtEnd(g->loop, s->body);
    s->pass = LLVMBuildPhi(g->loop, g->i32, "");
    carry_rows(g, s);
}

/* The next pass, or the chunk is done. */
static void close_passes(struct gen *g, const struct function *f, struct strip *s)
{
    V next = LLVMBuildAdd(g->loop, s->pass, number(g, 1), ""), first = number(g, 0);
    LLVMBasicBlockRef on = new_block(g, f, "on");
    for (uint32_t i = 0; i < s->nrows; i++)
        if (s->row[i].carried)
            value_of(g, &s->row[i]);
    g->b = g->loop;
    affine_find_ends(g);
    expect_first(g, LLVMBuildCondBr(g->loop, s->went_on, on, s->fail));
    LLVMPositionBuilderAtEnd(g->loop, on);
    V more = LLVMBuildICmp(g->loop, LLVMIntULT, next, s->goal, "");
    LLVMBuildCondBr(g->loop, more, s->body, s->done);
    LLVMAddIncoming(s->pass, &first, &s->header, 1);
    LLVMAddIncoming(s->pass, &next, &on, 1);
    for (uint32_t i = 0; i < s->nrows; i++) {
        V v = s->row[i].carried ? value_of(g, &s->row[i]) : NULL;
        if (v)
            LLVMAddIncoming(s->row[i].phi, &v, &on, 1);
    }
    affine_close(g, on);
}

static void close_chunks(struct gen *g, struct strip *s, LLVMBasicBlockRef from, LLVMBasicBlockRef success)
{
    LLVMPositionBuilderAtEnd(g->loop, s->done);
    put_rows_away(g, s);
    if (run_is_once(g)) {
        LLVMBuildBr(g->loop, success);
    } else {
        V next = LLVMBuildAdd(g->loop, g->chunk, LLVMConstInt(g->i64, g->width / EXEC_CHUNK, false), "");
        V first = LLVMConstInt(g->i64, 0, false), chunks = LLVMConstInt(g->i64, g->request->chunks, false);
        LLVMAddIncoming(g->chunk, &first, &from, 1);
        LLVMAddIncoming(g->chunk, &next, &s->done, 1);
        LLVMBuildCondBr(g->loop, LLVMBuildICmp(g->loop, LLVMIntULT, next, chunks, ""), s->header, success);
    }
    LLVMPositionBuilderAtEnd(g->loop, success);
}

static void emit_loops(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                       LLVMBasicBlockRef plain)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->leave), success = new_block(g, f, "done");
    run_begin(g, f, c->run[0]);
    open_chunks(g, s);
    emit_pass(g, f, c, s);
    if (g->failed)
        return;
    close_passes(g, f, s);
    LLVMBuildBr(g->still, s->body);
    close_chunks(g, s, from, success);
    emit_success(g, f, c, s, success, plain);
}

void strip_emit(struct gen *g, const struct function *f, const struct chain *c, struct strip *s,
                LLVMBasicBlockRef begin, LLVMBasicBlockRef plain)
{
    LLVMBuilderRef entry = g->entry;
    g->strip = s;
    s->goal_at = counter(g, FIRST_GOAL);
    s->rest_at = counter(g, FIRST_REST);
    s->shadow = new_shadow(g, s->bytes);
    s->header = new_block(g, f, "strip");
    s->body = new_block(g, f, "pass");
    s->fail = new_block(g, f, "fail");
    s->done = new_block(g, f, "chunk");
    run_begin(g, f, last_run(c));
    emit_choice(g, f, c, s, begin, plain);
    g->still = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderAtEnd(g->still, s->header);
    g->entry = s->changes ? g->loop : entry;
    emit_loops(g, f, c, s, plain);
    if (!g->failed)
        emit_failure(g, s, begin);
    LLVMDisposeBuilder(g->still);
    g->entry = entry;
    g->still = NULL;
    g->strip = NULL;
    free(s);
}
