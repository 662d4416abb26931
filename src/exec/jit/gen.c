/* gen.c - a run's function around its operations: rows loaded and stored, the loop over chunks, the way on. */
#include "exec/jit/gen.h"

#include "base/fmath.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes and constants ---- */

LLVMTypeRef shaped(struct gen *g, LLVMTypeRef element)
{
    return g->lane ? LLVMVectorType(element, EXEC_CHUNK) : element;
}

static V splat_const(struct gen *g, V scalar)
{
    V all[EXEC_CHUNK];
    if (!g->lane)
        return scalar;
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        all[i] = scalar;
    return LLVMConstVector(all, EXEC_CHUNK);
}

V k32(struct gen *g, uint32_t v)
{
    return splat_const(g, LLVMConstInt(g->i32, v, false));
}

V k64(struct gen *g, uint64_t v)
{
    return splat_const(g, LLVMConstInt(g->i64, v, false));
}

V kf(struct gen *g, float v)
{
    return splat_const(g, LLVMConstReal(g->f32, (double)v));
}

V kd(struct gen *g, double v)
{
    return splat_const(g, LLVMConstReal(g->f64, v));
}

/* A number that does not occupy a register all the time: LLVM would keep constants of a loop in registers, and the many
 * that a series has on the stack. A broadcast from memory costs no more than a load. */
V coefficient(struct gen *g, double v)
{
    if (!g->lane || g->request->level == EXEC_BASELINE)
        return kd(g, v);
    char name[32];
    snprintf(name, sizeof name, "k%llx", (unsigned long long)f64_bits(v));
    V k = LLVMGetNamedGlobal(g->module, name);
    if (!k) {
        k = LLVMAddGlobal(g->module, g->f64, name);
        LLVMSetInitializer(k, LLVMConstReal(g->f64, v));
        LLVMSetLinkage(k, LLVMPrivateLinkage);
        LLVMSetAlignment(k, sizeof v);
    }
    return spread(g, g->b, LLVMBuildLoad2(g->b, g->f64, k, ""));
}

V spread(struct gen *g, LLVMBuilderRef b, V scalar)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), EXEC_CHUNK);
    V one = LLVMBuildInsertElement(b, LLVMGetUndef(type), scalar, LLVMConstInt(g->i32, 0, false), "");
    return LLVMBuildShuffleVector(b, one, LLVMGetUndef(type), LLVMConstNull(LLVMVectorType(g->i32, EXEC_CHUNK)), "");
}

V intrinsic(struct gen *g, const char *name, LLVMTypeRef type, V *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef types[1] = {type};
    V fn = LLVMGetIntrinsicDeclaration(g->module, id, types, 1);
    return LLVMBuildCall2(g->b, LLVMIntrinsicGetType(g->context, id, types, 1), fn, args, n, "");
}

/* ---- memory ---- */

V offset_by(struct gen *g, LLVMBuilderRef b, V pointer, V bytes)
{
    return LLVMBuildGEP2(b, g->i8, pointer, &bytes, 1, "");
}

V offset_const(struct gen *g, LLVMBuilderRef b, V pointer, uint64_t bytes)
{
    return offset_by(g, b, pointer, LLVMConstInt(g->i64, bytes, false));
}

V load_at(struct gen *g, LLVMBuilderRef b, V pointer, LLVMTypeRef type, unsigned align)
{
    (void)g;
    V v = LLVMBuildLoad2(b, type, LLVMBuildBitCast(b, pointer, LLVMPointerType(type, 0), ""), "");
    LLVMSetAlignment(v, align);
    return v;
}

void store_at(struct gen *g, LLVMBuilderRef b, V v, V pointer, unsigned align)
{
    (void)g;
    V s = LLVMBuildStore(b, v, LLVMBuildBitCast(b, pointer, LLVMPointerType(LLVMTypeOf(v), 0), ""));
    LLVMSetAlignment(s, align);
}

V frame_load(struct gen *g, size_t offset, LLVMTypeRef type)
{
    return load_at(g, g->entry, offset_const(g, g->entry, g->frame, offset), type, 1);
}

V env_pointer(struct gen *g)
{
    if (!g->env)
        g->env = frame_load(g, offsetof(struct frame, env), g->pointer);
    return g->env;
}

V active_mask(struct gen *g)
{
    if (!g->active)
        g->active = frame_load(g, offsetof(struct frame, active), g->i64);
    return g->active;
}

V active_lanes(struct gen *g)
{
    if (!g->lanes) {
        V shift = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, 4, false), "");
        V bits = LLVMBuildTrunc(g->loop, LLVMBuildLShr(g->loop, active_mask(g), shift, ""), g->i16, "");
        g->lanes = LLVMBuildBitCast(g->loop, bits, LLVMVectorType(g->i1, EXEC_CHUNK), "");
    }
    return g->lanes;
}

static void attribute(struct gen *g, V fn, const char *name, const char *value)
{
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(g->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

/* Arguments go by the stack: LLVM takes registers with arguments for saved, which they are not. */
static LLVMTypeRef rare_record(const struct gen *g)
{
    return LLVMArrayType(g->i64, RARE_ARGS);
}

static LLVMAttributeRef by_value(const struct gen *g)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    return LLVMCreateTypeAttribute(g->context, kind, rare_record(g));
}

static LLVMTypeRef rare_type(const struct gen *g)
{
    LLVMTypeRef record = LLVMPointerType(rare_record(g), 0);
    return LLVMFunctionType(LLVMVoidTypeInContext(g->context), &record, 1, false);
}

V rare_function(struct gen *g, const char *name, rare_body *body)
{
    V fn = LLVMGetNamedFunction(g->module, name), args[RARE_ARGS];
    if (fn)
        return fn;
    fn = LLVMAddFunction(g->module, name, rare_type(g));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(fn, 1, by_value(g));
#if defined(__x86_64__)
    attribute(g, fn, "no_caller_saved_registers", "");
#endif
    LLVMBuilderRef outer = g->b;
    g->b = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(g->context, fn, ""));
    V record = LLVMBuildBitCast(g->b, LLVMGetParam(fn, 0), g->pointer, "");
    for (unsigned i = 0; i < RARE_ARGS; i++)
        args[i] = load_at(g, g->b, offset_const(g, g->b, record, 8 * i), g->i64, 8);
    body(g, args);
    LLVMBuildRetVoid(g->b);
    LLVMDisposeBuilder(g->b);
    g->b = outer;
    return fn;
}

void rare_call(struct gen *g, V fn, V *args, unsigned n)
{
    V record = LLVMBuildAlloca(g->entry, rare_record(g), ""), at = LLVMBuildBitCast(g->b, record, g->pointer, "");
    for (unsigned i = 0; i < n; i++)
        store_at(g, g->b, args[i], offset_const(g, g->b, at, 8 * i), 8);
    V call = LLVMBuildCall2(g->b, rare_type(g), fn, &record, 1, "");
    LLVMAddCallSiteAttribute(call, 1, by_value(g));
}

V call_address(struct gen *g, V address, LLVMTypeRef type, V *args, unsigned n)
{
    return LLVMBuildCall2(g->b, type, LLVMBuildIntToPtr(g->b, address, LLVMPointerType(type, 0), ""), args, n, "");
}

/* ---- rows ---- */

static uint32_t row_hash(uint32_t at)
{
    return at * 0x9e3779b1u >> 8;
}

static struct row_value *find_row(struct gen *g, uint32_t at)
{
    for (uint32_t i = row_hash(at);; i++) {
        uint32_t k = g->index[i & (g->index_size - 1)];
        if (!k)
            return NULL;
        if (g->rows[k - 1].at == at)
            return &g->rows[k - 1];
    }
}

/* The tables are as large as a run can need: each step names five rows at most. */
static struct row_value *new_row(struct gen *g, uint32_t at)
{
    struct row_value *r = &g->rows[g->nrows++];
    *r = (struct row_value){.at = at};
    uint32_t i = row_hash(at);
    while (g->index[i & (g->index_size - 1)])
        i++;
    g->index[i & (g->index_size - 1)] = g->nrows;
    return r;
}

static LLVMTypeRef element_type(struct gen *g, bool wide, enum kind kind)
{
    if (kind == KIND_BOOL)
        return g->i1;
    return kind == KIND_FLOAT ? (wide ? g->f64 : g->f32) : wide ? g->i64 : g->i32;
}

V row_pointer(struct gen *g, uint32_t at, bool wide)
{
    return offset_const(g, g->loop, wide ? g->base_wide : g->base, at);
}

/* Rows that hold a constant are known by number: they are in ascending order. */
static const struct jit_const *find_const(const struct gen *g, uint32_t at)
{
    const struct jit_const *k = jit_part(g->request, g->request->consts);
    uint32_t low = 0, high = g->request->nconsts;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (k[mid].row < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low < g->request->nconsts && k[low].row == at ? &k[low] : NULL;
}

bool row_known(const struct gen *g, uint32_t at, uint64_t *bits)
{
    const struct jit_const *k = find_const(g, at);
    *bits = k ? k->bits : 0;
    return k;
}

static struct row_value *const_row(struct gen *g, const struct jit_const *k)
{
    struct row_value *r = new_row(g, k->row);
    r->wide = k->bytes == 8;
    r->uniform = true;
    r->extent = EXTENT_CHUNK;
    r->v[KIND_INT] = LLVMConstInt(r->wide ? g->i64 : g->i32, k->bits, false);
    r->condition = !r->wide && (k->bits == 0 || k->bits == UINT32_MAX);
    return r;
}

static struct row_value *load_row(struct gen *g, uint32_t at, unsigned stride, bool wide)
{
    struct row_value *r = new_row(g, at);
    LLVMTypeRef type = element_type(g, wide, KIND_INT);
    r->wide = wide;
    r->loaded = true;
    r->uniform = stride == 0;
    r->extent = r->uniform ? EXTENT_CHUNK : EXTENT_LANES;
    r->v[KIND_INT] = r->uniform ? load_at(g, g->entry, offset_const(g, g->entry, g->frame, at), type, 4)
                                : load_at(g, g->loop, row_pointer(g, at, wide), LLVMVectorType(type, EXEC_CHUNK), 64);
    return r;
}

/* The value as a kind, made from what there is. */
static V row_as(struct gen *g, struct row_value *r, enum kind kind)
{
    if (r->v[kind])
        return r->v[kind];
    LLVMBuilderRef b = r->uniform ? g->entry : g->loop;
    LLVMTypeRef words = element_type(g, r->wide, KIND_INT), type = element_type(g, r->wide, kind);
    if (!r->uniform) {
        words = LLVMVectorType(words, EXEC_CHUNK);
        type = LLVMVectorType(type, EXEC_CHUNK);
    }
    if (!r->v[KIND_INT])
        r->v[KIND_INT] = r->v[KIND_FLOAT] ? LLVMBuildBitCast(b, r->v[KIND_FLOAT], words, "")
                                          : LLVMBuildSExt(b, r->v[KIND_BOOL], words, "");
    if (kind == KIND_FLOAT)
        r->v[kind] = LLVMBuildBitCast(b, r->v[KIND_INT], type, "");
    else if (kind == KIND_BOOL)
        r->v[kind] = LLVMBuildICmp(b, LLVMIntNE, r->v[KIND_INT], LLVMConstNull(words), "");
    return r->v[kind];
}

static V row_shaped(struct gen *g, struct row_value *r, bool lane, enum kind kind)
{
    V v = row_as(g, r, kind);
    if (lane == !r->uniform)
        return v;
    if (!lane) { /* one of many values: nothing asks for that */
        g->failed = true;
        return LLVMConstNull(element_type(g, r->wide, kind));
    }
    if (!r->spread[kind]) {
        bool outer = g->lane;
        g->lane = true;
        r->spread[kind] = LLVMIsConstant(v) ? splat_const(g, v) : spread(g, g->entry, v);
        g->lane = outer;
    }
    return r->spread[kind];
}

V row_get(struct gen *g, uint32_t at, unsigned stride, bool wide, enum kind kind)
{
    struct row_value *r = find_row(g, at);
    const struct jit_const *known = r ? NULL : find_const(g, at);
    if (!r)
        r = known ? const_row(g, known) : load_row(g, at, stride, wide);
    /* a row is always looked at in one way: anything else is not understood here */
    if (r->wide != wide || (stride && r->uniform && (r->loaded || r->extent == EXTENT_SCALAR)) ||
        (!stride && !r->uniform))
        g->failed = true;
    return row_shaped(g, r, g->lane, kind);
}

bool row_is_bool(struct gen *g, uint32_t at)
{
    struct row_value *r = find_row(g, at);
    return r && r->condition;
}

static enum kind kind_of(V v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        t = LLVMGetElementType(t);
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind)
        return KIND_FLOAT;
    return LLVMGetIntTypeWidth(t) == 1 ? KIND_BOOL : KIND_INT;
}

/* How much of the row the current operation writes. */
static enum extent step_extent(const struct gen *g)
{
    if (g->s->form == JIT_SCALAR)
        return EXTENT_SCALAR;
    return g->s->n == g->request->chunks ? EXTENT_LANES : EXTENT_CHUNK;
}

static bool is_logic(V v)
{
    if (!LLVMIsAInstruction(v))
        return false;
    LLVMOpcode code = LLVMGetInstructionOpcode(v);
    return code == LLVMAnd || code == LLVMOr || code == LLVMXor;
}

/* LLVM 19 gives a masked VPTERNLOG the wrong truth table where words of bits are chosen by bits of a constant and what
 * is masked out stays: so there the mask is bits as well. tests/exec/test_registers.c has such a case. */
V choose(struct gen *g, V c, V x, V y)
{
    bool wide = LLVMTypeOf(x) == shaped(g, g->i64);
    if (!g->lane || g->request->level != EXEC_AVX512 || !(is_logic(x) || is_logic(y)) ||
        (!wide && LLVMTypeOf(x) != shaped(g, g->i32)))
        return sel(g, c, x, y);
    V mask = LLVMBuildSExt(g->b, c, LLVMTypeOf(x), "");
    return or2(g, and2(g, x, mask), and2(g, y, not1(g, mask)));
}

/* A masked operation leaves the row as it was in lanes where its mask is 0. */
static V with_mask(struct gen *g, uint32_t at, bool wide, V v)
{
    enum kind kind = kind_of(v);
    if (kind == KIND_BOOL && !row_is_bool(g, at)) {
        v = ones_or_zero(g, v);
        kind = KIND_INT;
    }
    V mask = row_get(g, g->s->aux, EXEC_CHUNK, false, KIND_BOOL);
    return choose(g, mask, v, row_get(g, at, EXEC_CHUNK, wide, kind));
}

void row_put(struct gen *g, uint32_t at, bool wide, V v)
{
    if (g->s->form == JIT_MASKED)
        v = with_mask(g, at, wide, v);
    struct row_value *r = find_row(g, at);
    if (!r)
        r = new_row(g, at);
    else if (r->wide != wide || (r->dirty && r->extent > step_extent(g)))
        g->failed = true;
    *r = (struct row_value){
        .at = at, .wide = wide, .uniform = !g->lane, .dirty = true, .extent = (uint8_t)step_extent(g)};
    r->v[kind_of(v)] = v;
    r->condition = kind_of(v) == KIND_BOOL;
    if (kind_of(v) == KIND_BOOL && wide)
        g->failed = true;
}

/* ---- the end ---- */

static void store_row(struct gen *g, struct row_value *r)
{
    unsigned align = r->wide ? 8 : 4;
    if (r->extent == EXTENT_SCALAR) {
        store_at(g, g->leave, row_as(g, r, KIND_INT), offset_const(g, g->leave, g->frame, r->at), align);
    } else if (r->extent == EXTENT_CHUNK && r->uniform) {
        store_at(g, g->leave, row_shaped(g, r, true, KIND_INT), offset_const(g, g->leave, g->frame, r->at), 64);
    } else {
        store_at(g, g->loop, row_shaped(g, r, true, KIND_INT), row_pointer(g, r->at, r->wide), 64);
    }
}

static void store_rows(struct gen *g)
{
    const uint32_t *live = (const uint32_t *)jit_part(g->request, g->request->live) + g->run->live;
    for (uint32_t k = 0; k < g->run->nlive; k++) {
        struct row_value *r = find_row(g, live[k]);
        if (r && r->dirty)
            store_row(g, r);
    }
}

static const struct jit_step *last_step(const struct gen *g)
{
    const struct jit_step *s = (const struct jit_step *)jit_part(g->request, g->request->steps) + g->run->first;
    return &s[g->run->count - 1];
}

/* On to the operation after the run, by a jump. */
static void go_on(struct gen *g, LLVMTypeRef type)
{
    V next = g->next ? g->next : offset_const(g, g->leave, g->op, (uint64_t)g->run->count * sizeof(struct lop));
    if (g->flushes || LLVMIsNull(next)) { /* the caller goes on, or the warp has ended */
        LLVMBuildRet(g->leave, next);
        return;
    }
    V fn = load_at(g, g->leave, next, LLVMPointerType(type, 0), 8);
    V args[2] = {g->frame, next};
    V call = LLVMBuildCall2(g->leave, type, fn, args, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->leave, call);
}

/* ---- the function ---- */

static bool make_tables(struct gen *g)
{
    uint32_t rows = g->run->count * 6 + 1;
    g->index_size = 64;
    while (g->index_size < 2 * rows)
        g->index_size *= 2;
    g->rows = calloc(rows, sizeof *g->rows);
    g->index = calloc(g->index_size, sizeof *g->index);
    return g->rows && g->index;
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

static void emit_steps(struct gen *g)
{
    const struct jit_step *s = (const struct jit_step *)jit_part(g->request, g->request->steps) + g->run->first;
    for (uint32_t i = 0; i < g->run->count && !g->failed; i++) {
        g->s = &s[i];
        if (terminator_known(g->s))
            terminator_emit(g);
        else
            op_emit(g);
    }
}

/* The loop over chunks around what was put between; without a loop where there is only one. */
static void close_loop(struct gen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef body, LLVMBasicBlockRef out)
{
    LLVMBasicBlockRef last = LLVMGetInsertBlock(g->loop);
    LLVMBuildBr(g->entry, body);
    if (g->request->chunks == 1) {
        LLVMBuildBr(g->loop, out);
        return;
    }
    V next = LLVMBuildAdd(g->loop, g->chunk, LLVMConstInt(g->i64, 1, false), "");
    V first = LLVMConstInt(g->i64, 0, false);
    LLVMAddIncoming(g->chunk, &first, &entry, 1);
    LLVMAddIncoming(g->chunk, &next, &last, 1);
    if (g->held) {
        LLVMAddIncoming(g->held, &first, &entry, 1);
        LLVMAddIncoming(g->held, &g->holds, &last, 1);
    }
    V more = LLVMBuildICmp(g->loop, LLVMIntULT, next, LLVMConstInt(g->i64, g->request->chunks, false), "");
    LLVMBuildCondBr(g->loop, more, body, out);
}

static void open_loop(struct gen *g)
{
    if (g->request->chunks == 1) {
        g->chunk = LLVMConstInt(g->i64, 0, false);
        g->base = g->base_wide = g->frame;
        return;
    }
    g->chunk = LLVMBuildPhi(g->loop, g->i64, "");
    if (terminator_in_loop(last_step(g)))
        g->held = LLVMBuildPhi(g->loop, g->i64, "");
    V bytes = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, 6, false), "");
    g->base = offset_by(g, g->loop, g->frame, bytes);
    g->base_wide = offset_by(g, g->loop, g->base, bytes);
}

/* ---- flushing by the host ----
 * x86 can make results that are denormal after rounding zeros of their sign, which is what IR_FLUSH_OUT asks for and
 * takes several instructions otherwise. A run of which most float operations ask for it, and no other can tell, is a
 * function of its own that is called with the host so set. Another function, because LLVM knows nothing of what the
 * host is set to and may move float operations across. */

enum { FEWEST_FLUSHED = 3, MXCSR_FLUSH = 0x8000 };

static bool host_may_flush(const struct gen *g)
{
#if defined(__x86_64__)
    const struct jit_step *s = (const struct jit_step *)jit_part(g->request, g->request->steps) + g->run->first;
    unsigned wanted = 0;
    for (uint32_t i = 0; i < g->run->count; i++) {
        enum flushing f = op_flushing(&s[i]);
        if (f == FLUSHING_HARMS)
            return false;
        wanted += f == FLUSHING_WANTED;
    }
    return wanted >= FEWEST_FLUSHED;
#else
    (void)g;
    return false;
#endif
}

static void control_register(struct gen *g, const char *name, V slot)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    V fn = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    LLVMBuildCall2(g->entry, LLVMIntrinsicGetType(g->context, id, NULL, 0), fn, &slot, 1, "");
}

/* The run as a function that sets the host, calls `inner`, and sets it back. */
static void flushing_function(struct gen *g, V fn, V inner, LLVMTypeRef type)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(g->context, fn, "entry");
    LLVMPositionBuilderAtEnd(g->entry, entry);
    LLVMPositionBuilderAtEnd(g->leave, entry);
    V old = LLVMBuildAlloca(g->entry, g->i32, ""), new = LLVMBuildAlloca(g->entry, g->i32, "");
    V old_at = LLVMBuildBitCast(g->entry, old, g->pointer, ""),
      new_at = LLVMBuildBitCast(g->entry, new, g->pointer, "");
    V args[2] = {LLVMGetParam(fn, 0), LLVMGetParam(fn, 1)};
    control_register(g, "llvm.x86.sse.stmxcsr", old_at);
    V set = LLVMBuildOr(g->entry, load_at(g, g->entry, old, g->i32, 4), LLVMConstInt(g->i32, MXCSR_FLUSH, false), "");
    store_at(g, g->entry, set, new, 4);
    control_register(g, "llvm.x86.sse.ldmxcsr", new_at);
    V next = LLVMBuildCall2(g->entry, type, inner, args, 2, "");
    control_register(g, "llvm.x86.sse.ldmxcsr", old_at);
    if (last_step(g)->handler == H_END) {
        LLVMBuildRet(g->entry, next);
        return;
    }
    LLVMPositionBuilderAtEnd(g->leave, entry);
    args[1] = next;
    V call = LLVMBuildCall2(g->leave, type, load_at(g, g->leave, next, LLVMPointerType(type, 0), 8), args, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->leave, call);
}

static bool build(struct gen *g, const char *name)
{
    LLVMTypeRef args[2] = {g->pointer, g->pointer}, type = LLVMFunctionType(g->pointer, args, 2, false);
    V outer = LLVMAddFunction(g->module, name, type), fn = outer;
    g->flushes = host_may_flush(g);
    if (g->flushes) {
        fn = LLVMAddFunction(g->module, "", type);
        LLVMSetLinkage(fn, LLVMInternalLinkage);
        flushing_function(g, outer, fn, type);
    }
    attribute(g, fn, "prefer-vector-width", "512");
    attribute(g, fn, "min-legal-vector-width", "512");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(g->context, fn, "entry");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(g->context, fn, "lanes");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(g->context, fn, "leave");
    g->frame = LLVMGetParam(fn, 0);
    g->op = LLVMGetParam(fn, 1);
    LLVMPositionBuilderAtEnd(g->entry, entry);
    LLVMPositionBuilderAtEnd(g->loop, body);
    LLVMPositionBuilderAtEnd(g->leave, out);
    open_loop(g);
    emit_steps(g);
    if (g->failed)
        return false;
    store_rows(g);
    close_loop(g, entry, body, out);
    if (terminator_known(last_step(g)))
        terminator_leave(g);
    go_on(g, type);
    return true;
}

bool gen_run(LLVMContextRef context, LLVMModuleRef module, const struct jit_request *r, const struct jit_run *run,
             const char *name)
{
    struct gen g = {.context = context, .module = module, .request = r, .run = run};
    name_types(&g);
    g.entry = LLVMCreateBuilderInContext(context);
    g.loop = LLVMCreateBuilderInContext(context);
    g.leave = LLVMCreateBuilderInContext(context);
    bool fine = make_tables(&g) && build(&g, name);
    LLVMDisposeBuilder(g.entry);
    LLVMDisposeBuilder(g.loop);
    LLVMDisposeBuilder(g.leave);
    free(g.rows);
    free(g.index);
    return fine;
}
