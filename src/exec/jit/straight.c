/* straight.c - straight runs: one chunk, operations in their order. They are left before what is rare, and end with a
 * jump to where they go on. */
#include "exec/jit/function.h"

#include <stddef.h>
#include <string.h>

/* ---- leaving a straight run before one of its operations ---- */

/* The bits of a row as it is now. Nothing is remembered: the code is for this way out alone. */
static V bits_now(struct gen *g, LLVMBuilderRef b, const struct row_value *r)
{
    LLVMTypeRef type = r->wide ? g->i64 : g->i32;
    if (!r->uniform)
        type = row_type(g, type);
    if (r->v[KIND_INT])
        return r->v[KIND_INT];
    if (r->words[0])
        return joined(g, b, r->words);
    return r->v[KIND_FLOAT] ? LLVMBuildBitCast(b, r->v[KIND_FLOAT], type, "")
                            : LLVMBuildSExt(b, r->v[KIND_BOOL], type, "");
}

void row_store_now(struct gen *g, LLVMBuilderRef b, const struct row_value *r)
{
    bool one = r->extent == EXTENT_SCALAR;
    V v = bits_now(g, b, r);
    if (!one && r->uniform)
        v = spread_over(g, b, v, EXEC_CHUNK);
    store_at(g, b, v, offset_const(g, b, g->frame, r->at), one ? (r->wide ? 8 : 4) : 64);
}

/* What was written so far, temporaries too: handlers go on in the middle of the block. */
static void store_rows_now(struct gen *g, LLVMBuilderRef b)
{
    for (uint32_t i = 0; i < g->nrows; i++)
        if (g->rows[i].dirty && g->rows[i].at != NO_ROW)
            row_store_now(g, b, &g->rows[i]);
}

/* By the table of handlers: the operation itself may have been replaced by this run. */
static void go_to_handler(struct gen *g, LLVMBuilderRef b)
{
    LLVMTypeRef args[2] = {g->pointer, g->pointer}, type = LLVMFunctionType(g->pointer, args, 2, false);
    const size_t path[3] = {offsetof(struct frame, program), offsetof(struct exec_program, handlers),
                            offsetof(struct handler_table, h) + g->s->handler * sizeof(struct handler) +
                                offsetof(struct handler, plain)};
    V fn = g->frame, to[2] = {g->frame, this_operation(g, b)};
    for (unsigned i = 0; i < 3; i++)
        fn = load_at(g, b, offset_const(g, b, fn, path[i]), g->pointer, 8);
    fn = LLVMBuildBitCast(b, fn, LLVMPointerType(type, 0), "");
    V call = LLVMBuildCall2(b, type, fn, to, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(b, call);
}

/* Says that a branch goes to its first target. */
void expect_first(struct gen *g, V branch)
{
    LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(g->context, "branch_weights", strlen("branch_weights")),
                                  LLVMValueAsMetadata(LLVMConstInt(g->i32, 100000, false)),
                                  LLVMValueAsMetadata(LLVMConstInt(g->i32, 1, false))};
    V node = LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, weights, 3));
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->context, "prof", strlen("prof")), node);
}

void leave_unless(struct gen *g, V fine)
{
    V fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(g->b));
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, fn, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(g->context, fn, "out");
    expect_first(g, LLVMBuildCondBr(g->b, fine, on, out));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderAtEnd(b, out);
    store_rows_now(g, b);
    go_to_handler(g, b);
    LLVMDisposeBuilder(b);
    LLVMPositionBuilderAtEnd(g->b, on);
}

/* ---- the end of a straight run ---- */

static void go_to_target(struct gen *g, const struct function *f, unsigned k)
{
    LLVMBasicBlockRef to = g->run->to[k] ? function_beginning(f, g->run->to[k] - 1) : NULL;
    if (to)
        LLVMBuildBr(g->leave, to);
    else
        function_go_out(g, f->type, terminator_target(g, k));
}

/* The run of a few numbers for the warp that the current one goes to on one of two ways, and from there where the other
 * way goes: `k` is which way. NULL: none. */
static const struct jit_run *find_detour(const struct gen *g, const struct function *f, unsigned *k)
{
    enum { MOST_OPERATIONS = 4 };
    for (*k = 0; *k < 2; (*k)++) {
        uint32_t to = g->run->to[*k], other = g->run->to[!*k];
        const struct jit_run *run = to && other && to != other ? run_of(g->request, to - 1) : NULL;
        if (!run || run->to[0] != other || run->count > MOST_OPERATIONS || !function_beginning(f, other - 1))
            continue;
        const struct jit_step *s = steps_of(g->request, run);
        bool plain = s[run->count - 1].handler == H_GOTO;
        for (uint32_t i = 0; i + 1 < run->count; i++)
            plain &= s[i].form == JIT_SCALAR && op_is_word(&s[i]);
        if (plain)
            return run;
    }
    return NULL;
}

/* An operation that only counts where `when` holds. */
static void emit_under(struct gen *g, V when)
{
    g->lane = false;
    g->b = g->entry;
    V old = run_keeps(g, g->run, g->s->d) ? row_get(g, g->s->d, 0, false, KIND_INT) : NULL;
    op_emit(g);
    struct row_value *r = old && !g->failed ? row_find(g, g->s->d) : NULL;
    if (!r)
        return;
    V new = row_as(g, r, KIND_INT);
    memset(r->v, 0, sizeof r->v);
    r->condition = false;
    r->v[KIND_INT] = LLVMBuildSelect(g->entry, when, new, old, "");
}

/* Both ways are done as one: what the detour writes is chosen, and so is what it costs. Returns the budget. */
static V emit_detour(struct gen *g, const struct function *f, const struct jit_run *detour, V when)
{
    const struct jit_run *run = g->run;
    const struct jit_step *last = &steps_of(g->request, detour)[detour->count - 1];
    V budgets[2] = {terminator_spent(g, 0), terminator_spent(g, last->c)};
    leave_unless(g, terminator_goes_on(g, budgets[1]));
    chain_forget(g, &(struct chain){.run = {run}}, 1);
    run_begin(g, f, detour);
    for (uint32_t i = 0; i + 1 < detour->count && !g->failed; i++) {
        g->s = &steps_of(g->request, detour)[i];
        emit_under(g, when);
    }
    if (!g->failed)
        run_store_rows(g);
    g->run = run;
    return LLVMBuildSelect(g->entry, when, budgets[1], budgets[0], "");
}

static void straight_branch(struct gen *g, const struct function *f)
{
    LLVMBasicBlockRef to[2];
    for (unsigned k = 0; k < 2; k++)
        to[k] = LLVMAppendBasicBlockInContext(g->context, f->fn, "");
    LLVMBuildCondBr(g->leave, g->taken, to[0], to[1]);
    for (unsigned k = 0; k < 2; k++) {
        LLVMPositionBuilderAtEnd(g->leave, to[k]);
        go_to_target(g, f, k);
    }
}

/* Where the budget ends the run is left before its terminator, whose handler stops the warp. */
static void straight_go_on(struct gen *g, const struct function *f)
{
    unsigned k = 0;
    g->s = run_last_step(g);
    g->b = g->entry;
    if (!terminator_is_plain(g->s)) {
        run_store_rows(g);
        function_go_on(g, f);
        return;
    }
    const struct jit_run *detour = g->taken ? find_detour(g, f, &k) : NULL;
    V when = !detour || k == 0 ? g->taken : LLVMBuildNot(g->b, g->taken, "");
    V budget = detour ? emit_detour(g, f, detour, when) : terminator_spent(g, 0);
    if (!detour)
        leave_unless(g, terminator_goes_on(g, budget));
    if (g->failed)
        return;
    run_store_rows(g);
    terminator_store(g, budget);
    if (detour || !g->taken)
        go_to_target(g, f, detour ? !k : 0);
    else
        straight_branch(g, f);
}

void straight_emit_run(struct gen *g, const struct function *f, LLVMBasicBlockRef entry, const struct jit_run *run)
{
    LLVMPositionBuilderAtEnd(g->entry, entry);
    run_begin(g, f, run);
    g->width = EXEC_CHUNK;
    g->paid = 0;
    run_open(g);
    run_emit_steps(g);
    if (!g->failed)
        straight_go_on(g, f);
}
