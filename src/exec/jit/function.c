/* function.c - functions around the operations of runs: the loop over chunks, rows stored, the way on.
 *
 * Runs that end where others begin are one function, of which each of them is a way in: what a loop of the program
 * goes through is code that does not leave the function while its lanes agree and time is left. Rows are in the frame
 * wherever a run ends, so that it does not matter where the next one is. */
#include "exec/jit/function.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the end of a run ---- */

/* A chunk of equal elements. */
static V equal_chunk(struct gen *g, struct row_value *r)
{
    return spread_over(g, g->leave, row_as(g, r, KIND_INT), EXEC_CHUNK);
}

/* A row of equal elements, all of it. */
static void store_chunks(struct gen *g, struct row_value *r)
{
    V v = equal_chunk(g, r);
    for (uint32_t n = 0; n < g->request->chunks; n++) {
        uint64_t at = r->at + (uint64_t)n * EXEC_CHUNK * (r->wide ? 8 : 4);
        store_at(g, g->leave, v, offset_const(g, g->leave, g->frame, at), 64);
    }
}

void run_store(struct gen *g, struct row_value *r)
{
    unsigned align = r->wide ? 8 : 4;
    if (r->extent == EXTENT_SCALAR) {
        store_at(g, g->leave, row_as(g, r, KIND_INT), offset_const(g, g->leave, g->frame, r->at), align);
    } else if (r->extent == EXTENT_CHUNK && r->uniform) {
        store_at(g, g->leave, equal_chunk(g, r), offset_const(g, g->leave, g->frame, r->at), 64);
    } else if (r->late) {
        store_chunks(g, r);
    } else {
        store_at(g, g->loop, row_shaped(g, r, true, KIND_INT), row_pointer(g, r->at, r->wide), 64);
    }
}

/* The condition that a terminator looks at, if it is one that this run makes: kept as a mask, it becomes a row only
 * where somebody is to look at it, which is when the run is left. */
static bool is_rare(const struct gen *g, const struct row_value *r)
{
    return r->at == g->run->rare && r->condition && r->dirty && !r->late && !r->uniform;
}

void run_store_rows(struct gen *g)
{
    const uint32_t *live = (const uint32_t *)jit_part(g->request, g->request->live) + g->run->live;
    for (uint32_t k = 0; k < g->run->nlive; k++) {
        struct row_value *r = row_find(g, live[k]);
        if (!r || !r->dirty || r->stored || is_rare(g, r))
            continue;
        run_store(g, r);
        r->stored = true;
    }
}

static void store_rare(struct gen *g)
{
    struct row_value *r = g->run->rare ? row_find(g, g->run->rare) : NULL;
    LLVMTypeRef lanes = LLVMVectorType(g->i1, EXEC_CHUNK), words = LLVMVectorType(g->i32, EXEC_CHUNK);
    for (uint32_t n = 0; r && is_rare(g, r) && n < g->request->chunks; n++) {
        V bits = LLVMBuildLShr(g->leave, g->holds, LLVMConstInt(g->i64, n * EXEC_CHUNK, false), "");
        bits = LLVMBuildBitCast(g->leave, LLVMBuildTrunc(g->leave, bits, g->i16, ""), lanes, "");
        uint64_t at = r->at + (uint64_t)n * EXEC_CHUNK * 4;
        store_at(g, g->leave, LLVMBuildSExt(g->leave, bits, words, ""), offset_const(g, g->leave, g->frame, at), 64);
    }
}

const struct jit_step *run_last_step(const struct gen *g)
{
    return &steps_of(g->request, g->run)[g->run->count - 1];
}

/* Out of the function: to `next`, by a jump. */
void function_go_out(struct gen *g, LLVMTypeRef type, V next)
{
    if (g->flushes || LLVMIsNull(next)) { /* the caller goes on, or the warp has ended */
        LLVMBuildRet(g->leave, next);
        return;
    }
    V args[2] = {g->frame, next}, fn = load_at(g, g->leave, next, LLVMPointerType(type, 0), 8);
    V call = LLVMBuildCall2(g->leave, type, fn, args, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->leave, call);
}

/* Where run `n` begins; NULL: it is not in the function. */
LLVMBasicBlockRef function_beginning(const struct function *f, uint32_t n)
{
    for (uint32_t i = 0; i < f->of->count; i++)
        if (f->of->run[i] == n)
            return f->begin[i];
    return NULL;
}

/* ---- chains ----
 * A run that ends with GOTO goes on in the next one's operations without a look at the frame, when the budget pays for
 * both blocks: the end of a loop's body with the test at its beginning. */

/* Do votes allow it? */
static bool chain_fits(const struct gen *g, const struct chain *c, const struct jit_run *more)
{
    struct jit_step all[LONGEST_CHAIN];
    uint32_t n = 0;
    for (unsigned k = 0; k <= c->count; k++) {
        const struct jit_run *run = k < c->count ? c->run[k] : more;
        memcpy(all + n, steps_of(g->request, run), run->count * sizeof *all);
        n += run->count;
    }
    return votes_fit(all, n) == n;
}

static void find_chain(const struct gen *g, const struct function *f, const struct jit_run *first, struct chain *c)
{
    *c = (struct chain){.run = {first}, .count = 1, .steps = first->count};
    while (g->chains && !g->flushes && c->count < MOST_CHAINED) {
        const struct jit_run *run = c->run[c->count - 1];
        const struct jit_step *last = &steps_of(g->request, run)[run->count - 1];
        if (last->handler != H_GOTO || !run->to[0] || !function_beginning(f, run->to[0] - 1))
            return;
        const struct jit_run *more = run_of(g->request, run->to[0] - 1);
        if (c->count == 1 && more->place > first->place) /* no loop: it saves less than compiling takes */
            return;
        for (unsigned k = 0; k < c->count; k++)
            if (more == c->run[k])
                return;
        if (more->full != first->full || c->steps + more->count > LONGEST_CHAIN || !chain_fits(g, c, more))
            return;
        c->run[c->count++] = more;
        c->steps += more->count;
        c->cost += last->c;
    }
}

unsigned chain_way_back(const struct gen *g, const struct chain *c)
{
    const struct jit_run *last = c->run[c->count - 1];
    for (unsigned k = 0; k < 2; k++)
        if (last->to[k] && run_of(g->request, last->to[k] - 1) == c->run[0])
            return k;
    return 2;
}

/* Where the budget ends in a chain, handlers do its first run: back in `entry` it does not. */
static void leave_to_handlers(struct gen *g, const struct function *f, const struct chain *c)
{
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(g->context, f->fn, "poor");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, f->fn, "");
    LLVMBuildCondBr(g->entry, terminator_affords(g, c->cost), on, rest);
    LLVMPositionBuilderAtEnd(g->entry, rest);
    uint64_t number = (uint64_t)(c->run[0] - run_of(g->request, 0));
    uint64_t form = (c->run[0]->full ? EXEC_FULL : EXEC_PARTIAL) * sizeof(lop_fn **);
    const size_t path[3] = {offsetof(struct frame, program), offsetof(struct exec_program, replaced) + form,
                            number * sizeof(lop_fn *)};
    V fn = g->frame;
    for (unsigned i = 0; i < 3; i++)
        fn = load_at(g, g->entry, offset_const(g, g->entry, fn, path[i]), g->pointer, 8);
    fn = LLVMBuildBitCast(g->entry, fn, LLVMPointerType(f->type, 0), "");
    V args[2] = {g->frame, g->op}, call = LLVMBuildCall2(g->entry, f->type, fn, args, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->entry, call);
    LLVMPositionBuilderAtEnd(g->entry, on);
}

/* ---- one run ---- */

bool run_tables(struct gen *g, uint32_t steps)
{
    uint32_t rows = steps * 6 + 1;
    g->index_size = 64;
    while (g->index_size < 2 * rows)
        g->index_size *= 2;
    g->nrows = 0;
    g->rows = calloc(rows, sizeof *g->rows);
    g->index = calloc(g->index_size, sizeof *g->index);
    return g->rows && g->index;
}

void run_emit_steps(struct gen *g)
{
    const struct jit_step *s = steps_of(g->request, g->run);
    for (uint32_t i = 0; i < g->run->count && !g->failed; i++) {
        g->s = &s[i];
        if (terminator_known(g->s))
            terminator_emit(g);
        else
            op_emit_linear(g);
    }
}

/* Are the lanes done in one go? */
bool run_is_once(const struct gen *g)
{
    return g->request->chunks * EXEC_CHUNK == g->width;
}

/* The loop over chunks around what was put between; without a loop where there is only one, or nothing to do. */
static void close_loop(struct gen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef body, LLVMBasicBlockRef out)
{
    LLVMBasicBlockRef last = LLVMGetInsertBlock(g->loop);
    if (LLVMGetLastInstruction(last) == g->opened) {
        LLVMBuildBr(g->entry, out);
        LLVMDeleteBasicBlock(body);
        return;
    }
    LLVMBuildBr(g->entry, body);
    if (run_is_once(g)) {
        LLVMBuildBr(g->loop, out);
        return;
    }
    V next = LLVMBuildAdd(g->loop, g->chunk, LLVMConstInt(g->i64, g->width / EXEC_CHUNK, false), "");
    V first = LLVMConstInt(g->i64, 0, false);
    LLVMAddIncoming(g->chunk, &first, &entry, 1);
    LLVMAddIncoming(g->chunk, &next, &last, 1);
    votes_close(g, entry, last);
    V more = LLVMBuildICmp(g->loop, LLVMIntULT, next, LLVMConstInt(g->i64, g->request->chunks, false), "");
    LLVMBuildCondBr(g->loop, more, body, out);
}

/* How many lanes a vector has. A long run over one chunk is a chain of operations that wait for each other, and more of
 * them than a processor looks ahead: with two chunks in its vectors, each operation is two that do not. Short runs
 * overlap by themselves. Only AVX-512 has the registers. */
enum { FEWEST_WIDE = 16 };

/* Some look at one chunk's addresses, or call a function for one chunk. */
static bool is_of_chunk(const struct jit_step *s)
{
    return memory_known(s) || s->handler == H_HELPER;
}

static unsigned choose_width(const struct gen *g, const struct chain *c)
{
    bool wide = g->request->level == EXEC_AVX512 && g->request->chunks % 2 == 0;
    if (!wide || !c->run[0]->full || c->steps < FEWEST_WIDE)
        return EXEC_CHUNK;
    for (unsigned k = 0; k < c->count; k++)
        for (uint32_t i = 0; i < c->run[k]->count; i++)
            if (is_of_chunk(&steps_of(g->request, c->run[k])[i]))
                return EXEC_CHUNK;
    return MOST_WIDTH;
}

/* Numbers that lanes are computed with are spread over a register each before the loop, and what does not fit into
 * registers goes to the stack and comes back: a broadcast from memory in the loop costs as little as that alone. A run
 * that goes back to its own beginning is spared: it may go round often. */
enum { MOST_NUMBERS = 12, MOST_COUNTED = 64 };

static bool is_crowded(const struct gen *g, const struct chain *c)
{
    uint32_t seen[MOST_COUNTED], n = 0, planes = 0;
    if (g->request->level == EXEC_BASELINE || chain_way_back(g, c) < 2)
        return false;
    for (unsigned k = 0; k < c->count; k++)
        for (uint32_t i = 0; i < c->run[k]->count && n < MOST_COUNTED; i++) {
            const struct jit_step *s = &steps_of(g->request, c->run[k])[i];
            const uint32_t row[3] = {s->a, s->b, s->c};
            planes += s->handler == H_INTERP_LINEAR || s->handler == H_INTERP_PERSPECTIVE;
            for (unsigned j = 0; j < 3 && n < MOST_COUNTED; j++) {
                uint64_t bits;
                uint32_t at = 0;
                while (at < n && seen[at] != row[j])
                    at++;
                if (at == n && row_known(g, row[j], &bits))
                    seen[n++] = row[j];
            }
        }
    return n + 3 * planes > MOST_NUMBERS;
}

void run_open(struct gen *g)
{
    if (run_is_once(g)) {
        g->chunk = LLVMConstInt(g->i64, 0, false);
        g->base = g->base_wide = g->frame;
        return;
    }
    g->chunk = LLVMBuildPhi(g->loop, g->i64, "");
    V bytes = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, 6, false), "");
    g->base = offset_by(g, g->loop, g->frame, bytes);
    g->base_wide = offset_by(g, g->loop, g->base, bytes);
}

void run_forget(struct gen *g)
{
    free(g->rows);
    free(g->index);
    g->rows = NULL;
    g->index = NULL;
    g->nvotes = 0;
    g->column.value = NULL;
    g->lanes = g->w = g->position[0] = g->position[1] = NULL;
    g->holds = g->taken = g->leaves = g->asks = g->goes[0] = g->goes[1] = NULL;
}

/* To the runs that the terminator's targets begin with, else out. */
void function_go_on(struct gen *g, const struct function *f)
{
    if (!terminator_known(run_last_step(g))) {
        terminator_pay(g);
        function_go_out(g, f->type, offset_const(g, g->leave, g->op, (uint64_t)g->run->count * sizeof(struct lop)));
        return;
    }
    terminator_leave(g);
    for (unsigned k = 0; k < 2; k++) {
        LLVMBasicBlockRef to = g->goes[k] && g->run->to[k] ? function_beginning(f, g->run->to[k] - 1) : NULL;
        if (!to)
            continue;
        LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(g->context, f->fn, "");
        LLVMBuildCondBr(g->leave, g->goes[k], to, other);
        LLVMPositionBuilderAtEnd(g->leave, other);
    }
    store_rare(g);
    function_go_out(g, f->type, terminator_next(g));
}

void run_begin(struct gen *g, const struct function *f, const struct jit_run *run)
{
    uint64_t place = f->of->count == 1 ? 0 : run->place;
    g->run = run;
    g->op = offset_const(g, g->top, LLVMGetParam(f->fn, 1), place * sizeof(struct lop));
}

bool run_keeps(const struct gen *g, const struct jit_run *run, uint32_t row)
{
    const uint32_t *live = (const uint32_t *)jit_part(g->request, g->request->live) + run->live;
    for (uint32_t k = 0; k < run->nlive; k++)
        if (live[k] == row)
            return true;
    return false;
}

/* What the first `n` runs wrote and nobody sees after them: the next one may use the row for something else. */
void chain_forget(struct gen *g, const struct chain *c, unsigned n)
{
    for (uint32_t i = 0; i < g->nrows; i++) {
        bool seen = !g->rows[i].dirty;
        for (unsigned k = 0; k < n && !seen; k++)
            seen = run_keeps(g, c->run[k], g->rows[i].at);
        if (!seen)
            g->rows[i].at = NO_ROW;
    }
}

static void emit_chain(struct gen *g, const struct function *f, const struct chain *c)
{
    for (unsigned k = 0; k < c->count && !g->failed; k++) {
        chain_forget(g, c, k);
        run_begin(g, f, c->run[k]);
        run_emit_steps(g);
    }
    for (unsigned k = 0; k < c->count && !g->failed; k++) {
        g->run = c->run[k];
        run_store_rows(g);
    }
}

/* ---- which loop ---- */

static void emit_plain_run(struct gen *g, const struct function *f, LLVMBasicBlockRef entry, const struct chain *c)
{
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(g->context, f->fn, "lanes");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(g->context, f->fn, "leave");
    LLVMPositionBuilderAtEnd(g->entry, entry);
    LLVMPositionBuilderAtEnd(g->loop, body);
    LLVMPositionBuilderAtEnd(g->leave, out);
    run_begin(g, f, c->run[0]);
    g->width = choose_width(g, c);
    g->crowded = !run_is_once(g) && is_crowded(g, c);
    g->paid = c->cost;
    if (c->count > 1)
        leave_to_handlers(g, f, c);
    run_open(g);
    g->opened = LLVMGetLastInstruction(body);
    emit_chain(g, f, c);
    if (g->failed)
        return;
    close_loop(g, LLVMGetInsertBlock(g->entry), body, out);
    function_go_on(g, f);
}

/* A loop is tried as a strip first. */
static void emit_run(struct gen *g, const struct function *f, LLVMBasicBlockRef entry, const struct chain *c)
{
    if (g->plain || !strip_fits(g, c)) {
        emit_plain_run(g, f, entry, c);
        return;
    }
    LLVMBasicBlockRef plain = LLVMAppendBasicBlockInContext(g->context, f->fn, "plain");
    emit_plain_run(g, f, plain, c);
    struct strip *s = g->failed ? NULL : strip_rows(g, c);
    if (s) {
        run_forget(g);
        g->failed |= !run_tables(g, c->steps);
    }
    if (s && !g->failed) {
        strip_emit(g, f, c, s, entry, plain);
        return;
    }
    free(s);
    LLVMPositionBuilderAtEnd(g->entry, entry);
    LLVMBuildBr(g->entry, plain);
}

/* ---- the function ---- */

void function_name(char name[32], uint64_t module, uint32_t run)
{
    snprintf(name, 32, "run_%llx_%x", (unsigned long long)module, run);
}

static void name_types(struct gen *g)
{
    g->i1 = LLVMInt1TypeInContext(g->context);
    g->i8 = LLVMInt8TypeInContext(g->context);
    g->i16 = LLVMInt16TypeInContext(g->context);
    g->i32 = LLVMInt32TypeInContext(g->context);
    g->i64 = LLVMInt64TypeInContext(g->context);
    g->f32 = LLVMFloatTypeInContext(g->context);
    g->f64 = LLVMDoubleTypeInContext(g->context);
    g->pointer = LLVMPointerType(g->i8, 0);
}

/* Of one run the function is what a handler is. Of several it is called by all ways in: with the frame, the first
 * operation of the program, and which run it is. */
static LLVMTypeRef function_type(const struct gen *g, const struct region *of)
{
    LLVMTypeRef args[3] = {g->pointer, g->pointer, g->i32};
    return LLVMFunctionType(g->pointer, args, of->count == 1 ? 2 : 3, false);
}

/* A run that is a terminator alone is entered by the others only: its operation keeps the handler, which does what is
 * rare. */
static bool is_way_in(const struct jit_run *run)
{
    return run->count > 1;
}

/* Tables for who unwinds the stack are not made. */
static void no_unwinding(struct gen *g, V fn)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(g->context, kind, 0));
}

static void emit_way_in(struct gen *g, const struct function *f, V way, uint32_t i)
{
    LLVMTypeRef type = function_type(g, f->of);
    no_unwinding(g, way);
    LLVMPositionBuilderAtEnd(g->top, LLVMAppendBasicBlockInContext(g->context, way, ""));
    uint64_t place = run_of(g->request, f->of->run[i])->place;
    V back = LLVMConstInt(g->i64, 0 - place * sizeof(struct lop), true), op = LLVMGetParam(way, 1);
    V args[3] = {LLVMGetParam(way, 0), f->of->count == 1 ? op : offset_by(g, g->top, op, back),
                 LLVMConstInt(g->i32, i, false)};
    unsigned nargs = f->of->count == 1 ? 2 : 3;
    if (g->flushes) {
        host_call_flushing(g, f->type, f->fn, type, args, nargs);
        return;
    }
    V call = LLVMBuildCall2(g->top, type, f->fn, args, nargs, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->top, call);
}

static void emit_ways_in(struct gen *g, const struct function *f, uint64_t name)
{
    for (uint32_t i = 0; i < f->of->count; i++) {
        char text[32];
        function_name(text, name, f->of->run[i]);
        if (!is_way_in(run_of(g->request, f->of->run[i])))
            continue;
        if (f->of->count == 1 && !g->flushes) {
            LLVMSetValueName2(f->fn, text, strlen(text));
            LLVMSetLinkage(f->fn, LLVMExternalLinkage);
        } else {
            emit_way_in(g, f, LLVMAddFunction(g->module, text, f->type), i);
        }
    }
}

static void emit_runs(struct gen *g, const struct function *f)
{
    bool alone = f->of->count == 1;
    LLVMPositionBuilderAtEnd(g->top, LLVMAppendBasicBlockInContext(g->context, f->fn, "top"));
    g->frame = LLVMGetParam(f->fn, 0);
    for (uint32_t i = 0; i < f->of->count; i++)
        f->begin[i] = LLVMAppendBasicBlockInContext(g->context, f->fn, "entry");
    for (uint32_t i = 0; i < f->of->count && !g->failed; i++) {
        struct chain c;
        find_chain(g, f, run_of(g->request, f->of->run[i]), &c);
        if (!run_tables(g, c.steps))
            g->failed = true;
        else if (g->straight)
            straight_emit_run(g, f, f->begin[i], c.run[0]);
        else
            emit_run(g, f, f->begin[i], &c);
        run_forget(g);
    }
    if (alone) {
        LLVMBuildBr(g->top, f->begin[0]);
        return;
    }
    V way = LLVMBuildSwitch(g->top, LLVMGetParam(f->fn, 2), f->begin[0], f->of->count);
    for (uint32_t i = 1; i < f->of->count; i++)
        LLVMAddCase(way, LLVMConstInt(g->i32, i, false), f->begin[i]);
}

static bool build(struct gen *g, const struct region *of, uint64_t name)
{
    LLVMTypeRef args[2] = {g->pointer, g->pointer};
    struct function f = {.type = LLVMFunctionType(g->pointer, args, 2, false), .of = of};
    f.begin = calloc(of->count, sizeof *f.begin);
    if (!f.begin)
        return false;
    g->flushes = host_may_flush(g->request, of);
    g->zeroes = g->flushes && host_may_zero(g->request, of);
    f.fn = LLVMAddFunction(g->module, "", function_type(g, of));
    LLVMSetLinkage(f.fn, LLVMInternalLinkage);
    no_unwinding(g, f.fn);
    function_attribute(g, f.fn, "prefer-vector-width", "512");
    function_attribute(g, f.fn, "min-legal-vector-width", "512");
    emit_runs(g, &f);
    free(f.begin);
    if (g->failed) {
        LLVMDeleteFunction(f.fn);
        return false;
    }
    emit_ways_in(g, &f, name);
    return true;
}

static bool try_to_build(struct gen *g, const struct region *of, uint64_t name)
{
    name_types(g);
    g->top = LLVMCreateBuilderInContext(g->context);
    g->entry = LLVMCreateBuilderInContext(g->context);
    g->straight = g->request->straight;
    g->loop = g->straight ? g->entry : LLVMCreateBuilderInContext(g->context);
    g->leave = g->straight ? g->entry : LLVMCreateBuilderInContext(g->context);
    bool fine = build(g, of, name);
    LLVMDisposeBuilder(g->top);
    LLVMDisposeBuilder(g->entry);
    if (!g->straight) {
        LLVMDisposeBuilder(g->loop);
        LLVMDisposeBuilder(g->leave);
    }
    return fine;
}

bool function_emit(LLVMContextRef context, LLVMModuleRef module, const struct jit_request *r, const struct region *of,
                   uint64_t name)
{
    struct gen best = {.context = context, .module = module, .request = r, .chains = !r->straight};
    struct gen plain = {.context = context, .module = module, .request = r, .plain = true};
    if (of->count == 1 && !is_way_in(run_of(r, of->run[0])))
        return true;
    return try_to_build(&best, of, name) || (!r->straight && try_to_build(&plain, of, name));
}
