/* gen.c - values and rows of a run: constants, loads and stores, what is known of a row and in which shape. */
#include "exec/jit/function.h"

#include "base/fmath.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes and constants ---- */

LLVMTypeRef row_type(struct gen *g, LLVMTypeRef element)
{
    return LLVMVectorType(element, g->width);
}

LLVMTypeRef shaped(struct gen *g, LLVMTypeRef element)
{
    return g->lane ? row_type(g, element) : element;
}

static V splat_const(struct gen *g, V scalar)
{
    V all[MOST_WIDTH];
    if (!g->lane)
        return scalar;
    for (unsigned i = 0; i < g->width; i++)
        all[i] = scalar;
    return LLVMConstVector(all, g->width);
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
static V from_memory(struct gen *g, LLVMBuilderRef b, V number, uint64_t bits)
{
    LLVMTypeRef type = LLVMTypeOf(number);
    unsigned bytes = type == g->f64 ? 8 : 4;
    char name[32];
    snprintf(name, sizeof name, "k%u_%llx", bytes, (unsigned long long)bits);
    V k = LLVMGetNamedGlobal(g->module, name);
    if (!k) {
        k = LLVMAddGlobal(g->module, type, name);
        LLVMSetInitializer(k, number);
        LLVMSetLinkage(k, LLVMPrivateLinkage);
        LLVMSetAlignment(k, bytes);
    }
    return spread(g, b, load_at(g, b, k, type, bytes));
}

V coefficient(struct gen *g, double v)
{
    if (!g->lane || g->request->level == EXEC_BASELINE)
        return kd(g, v);
    return from_memory(g, g->b, LLVMConstReal(g->f64, v), f64_bits(v));
}

V spread_over(struct gen *g, LLVMBuilderRef b, V scalar, unsigned width)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), width);
    V one = LLVMBuildInsertElement(b, LLVMGetUndef(type), scalar, LLVMConstInt(g->i32, 0, false), "");
    return LLVMBuildShuffleVector(b, one, LLVMGetUndef(type), LLVMConstNull(LLVMVectorType(g->i32, width)), "");
}

V spread(struct gen *g, LLVMBuilderRef b, V scalar)
{
    return spread_over(g, b, scalar, g->width);
}

V intrinsic(struct gen *g, const char *name, LLVMTypeRef type, V *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef types[1] = {type};
    V fn = LLVMGetIntrinsicDeclaration(g->module, id, types, 1);
    return LLVMBuildCall2(g->b, LLVMIntrinsicGetType(g->context, id, types, 1), fn, args, n, "");
}

V host_instruction(struct gen *g, LLVMBuilderRef b, const char *name, V *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    V fn = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    return LLVMBuildCall2(b, LLVMIntrinsicGetType(g->context, id, NULL, 0), fn, args, n, "");
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

/* A power of two: of another number LLVM says nothing, and takes part of it. */
static void set_alignment(V access, unsigned align)
{
    assert(align && !(align & (align - 1)));
    LLVMSetAlignment(access, align);
}

V load_at(struct gen *g, LLVMBuilderRef b, V pointer, LLVMTypeRef type, unsigned align)
{
    (void)g;
    V v = LLVMBuildLoad2(b, type, LLVMBuildBitCast(b, pointer, LLVMPointerType(type, 0), ""), "");
    set_alignment(v, align);
    return v;
}

void store_at(struct gen *g, LLVMBuilderRef b, V v, V pointer, unsigned align)
{
    (void)g;
    V s = LLVMBuildStore(b, v, LLVMBuildBitCast(b, pointer, LLVMPointerType(LLVMTypeOf(v), 0), ""));
    set_alignment(s, align);
}

V frame_load(struct gen *g, size_t offset, LLVMTypeRef type)
{
    return load_at(g, g->top, offset_const(g, g->top, g->frame, offset), type, 1);
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

LLVMTypeRef mask_type(struct gen *g)
{
    return LLVMIntTypeInContext(g->context, g->width);
}

V mask_bits(struct gen *g, V lanes)
{
    return LLVMBuildZExt(g->b, LLVMBuildBitCast(g->b, lanes, mask_type(g), ""), g->i64, "");
}

V all_lanes(struct gen *g, V lanes)
{
    LLVMTypeRef mask = mask_type(g);
    return LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildBitCast(g->b, lanes, mask, ""), LLVMConstAllOnes(mask), "");
}

V active_lanes(struct gen *g)
{
    if (!g->lanes) {
        V shift = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, 4, false), "");
        V bits = LLVMBuildTrunc(g->loop, LLVMBuildLShr(g->loop, active_mask(g), shift, ""), mask_type(g), "");
        g->lanes = LLVMBuildBitCast(g->loop, bits, row_type(g, g->i1), "");
    }
    return g->lanes;
}

void function_attribute(struct gen *g, V fn, const char *name, const char *value)
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
    function_attribute(g, fn, "no_caller_saved_registers", "");
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
    V record = LLVMBuildAlloca(g->top, rare_record(g), ""), at = LLVMBuildBitCast(g->b, record, g->pointer, "");
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

struct row_value *row_find(struct gen *g, uint32_t at)
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

struct row_value *row_load(struct gen *g, uint32_t at, unsigned stride, bool wide)
{
    struct row_value *r = new_row(g, at);
    LLVMTypeRef type = element_type(g, wide, KIND_INT);
    r->wide = wide;
    r->loaded = r->read_first = true;
    r->uniform = r->read_uniform = stride == 0;
    r->extent = r->uniform ? EXTENT_CHUNK : EXTENT_LANES;
    r->v[KIND_INT] = r->uniform ? load_at(g, g->entry, offset_const(g, g->entry, g->frame, at), type, 4)
                                : load_at(g, g->loop, row_pointer(g, at, wide), row_type(g, type), 64);
    return r;
}

/* The value as a kind, made from what there is. */
V row_as(struct gen *g, struct row_value *r, enum kind kind)
{
    if (r->v[kind])
        return r->v[kind];
    LLVMBuilderRef b = r->late ? g->leave : r->uniform ? g->entry : g->loop;
    LLVMTypeRef words = element_type(g, r->wide, KIND_INT), type = element_type(g, r->wide, kind);
    if (!r->uniform) {
        words = row_type(g, words);
        type = row_type(g, type);
    }
    if (!r->v[KIND_INT] && r->words[0])
        r->v[KIND_INT] = joined(g, b, r->words);
    if (!r->v[KIND_INT])
        r->v[KIND_INT] = r->v[KIND_FLOAT] ? LLVMBuildBitCast(b, r->v[KIND_FLOAT], words, "")
                                          : LLVMBuildSExt(b, r->v[KIND_BOOL], words, "");
    if (kind == KIND_FLOAT)
        r->v[kind] = LLVMBuildBitCast(b, r->v[KIND_INT], type, "");
    else if (kind == KIND_BOOL)
        r->v[kind] = LLVMBuildICmp(b, LLVMIntNE, r->v[KIND_INT], LLVMConstNull(words), "");
    return r->v[kind];
}

/* A uniform value that is in memory, as a vector, in the loop: see `crowded`. NULL: it is to be made outside. */
static V spread_in_loop(struct gen *g, struct row_value *r, enum kind kind, V v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (!g->crowded || r->late || kind != KIND_FLOAT || (type != g->f32 && type != g->f64))
        return NULL;
    if (r->loaded && !r->dirty)
        return spread(g, g->loop, load_at(g, g->loop, offset_const(g, g->loop, g->frame, r->at), type, 4));
    LLVMBool lossy;
    double number = LLVMIsAConstantFP(v) ? LLVMConstRealGetDouble(v, &lossy) : 0;
    if (number == 0 || number == 1 || number == -1 || number == 2 || number != number) /* LLVM has something better */
        return NULL;
    return from_memory(g, g->loop, v, type == g->f64 ? f64_bits(number) : f32_bits((float)number));
}

V row_shaped(struct gen *g, struct row_value *r, bool lane, enum kind kind)
{
    V v = row_as(g, r, kind);
    if (lane == !r->uniform)
        return v;
    if (!lane) { /* one of many values: nothing asks for that */
        g->failed = true;
        return LLVMConstNull(element_type(g, r->wide, kind));
    }
    if (!r->spread[kind])
        r->spread[kind] = spread_in_loop(g, r, kind, v);
    if (!r->spread[kind]) {
        bool outer = g->lane;
        g->lane = true;
        r->spread[kind] = LLVMIsConstant(v) ? splat_const(g, v) : spread(g, r->late ? g->leave : g->entry, v);
        g->lane = outer;
    }
    return r->spread[kind];
}

V row_get(struct gen *g, uint32_t at, unsigned stride, bool wide, enum kind kind)
{
    struct row_value *r = row_find(g, at);
    const struct jit_const *known = r ? NULL : find_const(g, at);
    if (!r)
        r = known ? const_row(g, known) : row_load(g, at, stride, wide);
    /* a row is always looked at in one way: anything else is not understood here */
    if (r->wide != wide || (stride && r->uniform && (r->loaded || r->extent == EXTENT_SCALAR)) ||
        (!stride && !r->uniform) || (r->late && g->b != g->leave))
        g->failed = true;
    return row_shaped(g, r, g->lane, kind);
}

bool row_is_bool(struct gen *g, uint32_t at)
{
    struct row_value *r = row_find(g, at);
    return r && r->condition;
}

bool row_is_late(struct gen *g, uint32_t at)
{
    struct row_value *r = row_find(g, at);
    return r && r->late;
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

/* A constant mask, but LLVM does not know that it is constant. */
static V hidden_mask(struct gen *g, V c)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(g->context, g->width), made = LLVMFunctionType(g->i32, &g->i32, 1, false);
    V same = LLVMGetInlineAsm(made, (char *)"", 0, (char *)"=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    V mask = LLVMBuildZExt(g->b, LLVMBuildBitCast(g->b, c, bits, ""), g->i32, "");
    mask = LLVMBuildCall2(g->b, made, same, &mask, 1, "");
    return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, mask, bits, ""), LLVMTypeOf(c), "");
}

/* LLVM to 21 gives a masked VPTERNLOG the wrong truth table where words of bits are chosen by bits of a constant and
 * what is masked out stays (llvm-project, issue 157929): so there the mask is bits as well. LLVM turns constant bits
 * into such an operation again, so they are hidden from it. tests/exec/test_registers.c has such cases. */
V choose(struct gen *g, V c, V x, V y)
{
    bool wide = LLVMTypeOf(x) == shaped(g, g->i64);
    if (!g->lane || g->request->level != EXEC_AVX512 || !(is_logic(x) || is_logic(y)) ||
        (!wide && LLVMTypeOf(x) != shaped(g, g->i32)))
        return sel(g, c, x, y);
    V mask = LLVMBuildSExt(g->b, LLVMIsConstant(c) ? hidden_mask(g, c) : c, LLVMTypeOf(x), "");
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

/* The row, of which nothing is known yet but that the operation writes it. Less of it than is known to be written only
 * where nobody sees the rest: the first element of a row that is then spread over it. */
static struct row_value *written_row(struct gen *g, uint32_t at, bool wide)
{
    struct row_value *r = row_find(g, at);
    column_changed(g, at);
    if (!r)
        r = new_row(g, at);
    else if (r->wide != wide || (r->dirty && r->extent > step_extent(g) && run_keeps(g, g->run, at)))
        g->failed = true;
    *r = (struct row_value){
        .at = at, .wide = wide, .uniform = !g->lane, .late = g->b == g->leave && !g->straight, .dirty = true,
        .extent = (uint8_t)step_extent(g), .read_first = r->read_first, .read_uniform = r->read_uniform};
    return r;
}

void row_put_words(struct gen *g, uint32_t at, const V words[2])
{
    struct row_value *r = written_row(g, at, true);
    r->words[0] = words[0];
    r->words[1] = words[1];
}

void row_put(struct gen *g, uint32_t at, bool wide, V v)
{
    if (g->s->form == JIT_MASKED)
        v = with_mask(g, at, wide, v);
    struct row_value *r = written_row(g, at, wide);
    r->v[kind_of(v)] = v;
    r->condition = kind_of(v) == KIND_BOOL;
    if (kind_of(v) == KIND_BOOL && wide)
        g->failed = true;
}
