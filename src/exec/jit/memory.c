/* memory.c - loads of words by all lanes, from a buffer or from the range of the bus that the operation hit last.
 *
 * Made here is what programs mostly do: every lane that takes part is inside, and the words follow each other or are
 * one and the same; with AVX-512 they may lie anywhere. All else goes to a function of the interpreter's
 * (handler_table.load_chunk), chunk by chunk, by way of the rows of the frame.
 *
 * A run does chunk after chunk what handlers do operation after operation. Loads do not mind: stores are in no run, and
 * what is counted about accesses outside does not depend on their order. Loads that can stop the warp are not known. */
#include "exec/jit/gen.h"

#include <stddef.h>

bool memory_known(const struct jit_step *s)
{
    bool load = s->handler == H_LOAD || (s->handler == H_BUS_LOAD && s->n);
    return load && s->more == JIT_SPACE_PLAIN && MEM_BYTES(s) == 4 && s->sa &&
           (s->handler == H_BUS_LOAD || !MEM_WIDE(s));
}

/* Where words are: bytes at `data`, of which offsets up to `last` are the first ones of a word. */
struct view {
    V data, last, usable;
    V at;   /* the lanes' offsets; as wide as the addresses, or as words */
    V near; /* which lanes' offsets are less than 4 GiB; NULL: all of them */
};

static V word(struct gen *g, LLVMBuilderRef b, V pointer, size_t offset, LLVMTypeRef type)
{
    return load_at(g, b, offset_const(g, b, pointer, offset), type, 8);
}

static V i64_of(struct gen *g, uint64_t v)
{
    return LLVMConstInt(g->i64, v, false);
}

static V kept(struct gen *g, V address)
{
    uint64_t keep = ~(MEM_ALIGN(g->s) - 1);
    return and2(g, address, MEM_WIDE(g->s) ? k64(g, keep) : k32(g, (uint32_t)keep));
}

/* A buffer, of at least a word and no larger than a gather reaches. */
static struct view buffer_view(struct gen *g, V address)
{
    size_t space = offsetof(struct exec_env, space) + MEM_SPACE(g->s) * sizeof(struct exec_buffer);
    V env = env_pointer(g);
    V size = word(g, g->entry, env, space + offsetof(struct exec_buffer, size), g->i64);
    V last = LLVMBuildSub(g->entry, size, i64_of(g, 4), "");
    return (struct view){
        .data = word(g, g->entry, env, space + offsetof(struct exec_buffer, data), g->pointer),
        .last = spread(g, g->entry, LLVMBuildTrunc(g->entry, last, g->i32, "")),
        .usable = LLVMBuildICmp(g->entry, LLVMIntULE, last, i64_of(g, INT32_MAX - 4), ""),
        .at = add(g, kept(g, address), k32(g, (uint32_t)g->s->imm)),
    };
}

/* The operation itself, while it runs. */
static V this_operation(struct gen *g, LLVMBuilderRef b)
{
    const struct jit_step *first = (const struct jit_step *)jit_part(g->request, g->request->steps) + g->run->first;
    return offset_const(g, b, g->op, (uint64_t)(g->s - first) * sizeof(struct lop));
}

/* The range of the bus that operations at this place hit last: bus_site of handlers_bus_lanes.h. It may change from one
 * chunk to the next. */
struct address {
    V at;
    V words[2]; /* of addresses of 64 bits; NULL: not known apart */
};

/* With addresses as words. The range must not go on beyond a multiple of 4 GiB: an offset is then a difference of low
 * words. */
static void near_words(struct gen *g, struct view *v, const V words[2], V start, V last)
{
    V low = LLVMBuildTrunc(g->loop, start, g->i32, "");
    V high = LLVMBuildTrunc(g->loop, LLVMBuildLShr(g->loop, start, i64_of(g, 32), ""), g->i32, "");
    V end = LLVMBuildAdd(g->loop, LLVMBuildZExt(g->loop, low, g->i64, ""), last, "");
    V fits = LLVMBuildICmp(g->loop, LLVMIntULE, end, i64_of(g, UINT32_MAX), "");
    v->usable = LLVMBuildAnd(g->loop, v->usable, fits, "");
    v->last = spread(g, g->loop, LLVMBuildTrunc(g->loop, last, g->i32, ""));
    v->at = sub(g, and2(g, words[0], k32(g, (uint32_t)~(MEM_ALIGN(g->s) - 1))), spread(g, g->loop, low));
    v->near = icmp(g, LLVMIntEQ, words[1], spread(g, g->loop, high));
}

static struct view bus_view(struct gen *g, const struct address *a)
{
    V place = LLVMBuildPtrToInt(g->entry, this_operation(g, g->entry), g->i64, "");
    V site = LLVMBuildURem(g->entry, LLVMBuildUDiv(g->entry, place, i64_of(g, sizeof(struct lop)), ""),
                           i64_of(g, BUS_SITES), "");
    V at = LLVMBuildMul(g->entry, site, i64_of(g, sizeof(struct exec_range)), "");
    V range = offset_by(g, g->entry, offset_const(g, g->entry, g->frame, offsetof(struct frame, bus_loads)), at);
    V first = word(g, g->loop, range, offsetof(struct exec_range, first), g->i64);
    V size = word(g, g->loop, range, offsetof(struct exec_range, size), g->i64);
    V near =
        LLVMBuildICmp(g->loop, LLVMIntULT, LLVMBuildSub(g->loop, size, i64_of(g, 1), ""), i64_of(g, INT32_MAX - 7), "");
    V last = LLVMBuildAdd(g->loop, size, i64_of(g, 3), ""); /* accesses of 8 bytes begin inside */
    V address = a->at, shift = LLVMBuildSub(g->loop, i64_of(g, g->s->imm), first, "");
    struct view v = {.data = word(g, g->loop, range, offsetof(struct exec_range, data), g->pointer), .usable = near};
    if (a->words[0]) {
        near_words(g, &v, a->words, LLVMBuildNeg(g->loop, shift, ""), last);
        return v;
    }
    if (MEM_WIDE(g->s)) {
        v.last = spread(g, g->loop, last);
        v.at = add(g, kept(g, address), spread(g, g->loop, shift));
        return v;
    }
    V end = LLVMBuildAdd(g->loop, first, size, "");
    V low = LLVMBuildICmp(g->loop, LLVMIntULE, first, i64_of(g, UINT32_MAX), "");
    V fits = LLVMBuildICmp(g->loop, LLVMIntULE, end, i64_of(g, UINT32_MAX), "");
    v.usable = LLVMBuildAnd(g->loop, near, LLVMBuildAnd(g->loop, low, fits, ""), "");
    v.last = spread(g, g->loop, LLVMBuildTrunc(g->loop, last, g->i32, ""));
    v.at = add(g, kept(g, address), spread(g, g->loop, LLVMBuildTrunc(g->loop, shift, g->i32, "")));
    return v;
}

/* ---- the ways to a result ---- */

struct ways {
    V fn, result;
    LLVMBasicBlockRef on;
};

static LLVMBasicBlockRef new_block(struct gen *g, const struct ways *w)
{
    return LLVMAppendBasicBlockInContext(g->context, w->fn, "");
}

/* `v` is the result of this way. */
static void arrive(struct gen *g, struct ways *w, V v)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(w->result, &v, &here, 1);
    LLVMBuildBr(g->b, w->on);
}

static void fork(struct gen *g, V condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    LLVMBuildCondBr(g->b, condition, yes, no);
    LLVMPositionBuilderAtEnd(g->b, yes);
}

static V gathered(struct gen *g, V data, V at, V lanes)
{
    static const char name[] = "llvm.x86.avx512.mask.gather.dpi.512";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    V fn = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    V none = LLVMConstNull(LLVMTypeOf(at));
    V args[5] = {none, data, at, lanes, LLVMConstInt(g->i32, 1, false)};
    return LLVMBuildCall2(g->b, LLVMIntrinsicGetType(g->context, id, NULL, 0), fn, args, 5, "");
}

static V lane_steps(struct gen *g, uint32_t step)
{
    V k[EXEC_CHUNK];
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        k[i] = LLVMConstInt(g->i32, i * step, false);
    return LLVMConstVector(k, EXEC_CHUNK);
}

/* All 16 lanes take part and are inside. What is neither a row of words nor one word goes on at `other`. */
static void load_shapes(struct gen *g, struct ways *w, V data, V at, LLVMBasicBlockRef other)
{
    LLVMBasicBlockRef row = new_block(g, w), bent = new_block(g, w), one = new_block(g, w);
    V first = LLVMBuildExtractElement(g->b, at, LLVMConstInt(g->i32, 0, false), "");
    V from = offset_by(g, g->b, data, LLVMBuildZExt(g->b, first, g->i64, "")), firsts = spread(g, g->b, first);
    V straight = all_lanes(g, icmp(g, LLVMIntEQ, at, add(g, firsts, lane_steps(g, 4))));
    fork(g, straight, row, bent);
    arrive(g, w, load_at(g, g->b, from, LLVMTypeOf(at), 1));
    LLVMPositionBuilderAtEnd(g->b, bent);
    fork(g, all_lanes(g, icmp(g, LLVMIntEQ, at, firsts)), one, other);
    arrive(g, w, spread(g, g->b, load_at(g, g->b, from, g->i32, 1)));
}

/* Frame, operation, chunk and lanes. */
static void slow_body(struct gen *g, V args[RARE_ARGS])
{
    LLVMTypeRef types[4] = {g->pointer, g->pointer, g->i32, g->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 4, false);
    V frame = LLVMBuildIntToPtr(g->b, args[0], g->pointer, "");
    V to[4] = {frame, LLVMBuildIntToPtr(g->b, args[1], g->pointer, ""), LLVMBuildTrunc(g->b, args[2], g->i32, ""),
               LLVMBuildTrunc(g->b, args[3], g->i32, "")};
    V program = load_at(g, g->b, offset_const(g, g->b, frame, offsetof(struct frame, program)), g->pointer, 8);
    V fn = word(g, g->b, program, offsetof(struct exec_program, load_chunk), g->i64);
    call_address(g, fn, type, to, 4);
}

static void load_slowly(struct gen *g, struct ways *w, const struct address *a, V lanes)
{
    LLVMTypeRef words = LLVMVectorType(g->i32, EXEC_CHUNK);
    V bits = lanes ? mask_bits(g, lanes) : i64_of(g, 0xffff);
    V args[4] = {LLVMBuildPtrToInt(g->b, g->frame, g->i64, ""),
                 LLVMBuildPtrToInt(g->b, this_operation(g, g->b), g->i64, ""), g->chunk, bits};
    V address = a->words[0] ? joined(g, g->b, a->words) : a->at;
    store_at(g, g->b, address, row_pointer(g, g->s->a, MEM_WIDE(g->s)), 64);
    rare_call(g, rare_function(g, "load_chunk", slow_body), args, 4);
    arrive(g, w, load_at(g, g->b, row_pointer(g, g->s->d, false), words, 64));
}

/* The lanes that take part; NULL: all of them. */
static V taking_part(struct gen *g)
{
    if (!g->s->c && g->run->full)
        return NULL;
    V lanes = active_lanes(g);
    return g->s->c ? and2(g, lanes, row_get(g, g->s->c, g->s->sc, false, KIND_BOOL)) : lanes;
}

void memory_emit(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
    struct address address = {NULL, {NULL, NULL}};
    if (!MEM_WIDE(g->s) || !row_words(g, g->s->a, g->s->sa, address.words))
        address.at = row_get(g, g->s->a, g->s->sa, MEM_WIDE(g->s), KIND_INT);
    V lanes = taking_part(g);
    struct view v = g->s->handler == H_BUS_LOAD ? bus_view(g, &address) : buffer_view(g, address.at);
    V inside = icmp(g, LLVMIntULE, v.at, v.last), at = MEM_WIDE(g->s) && !v.near ? trunc32(g, v.at) : v.at;
    inside = v.near ? and2(g, inside, v.near) : inside;
    struct ways w = {.fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(g->b))};
    LLVMBasicBlockRef fast = new_block(g, &w), slow = new_block(g, &w);
    w.on = new_block(g, &w);
    LLVMBuilderRef result = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderAtEnd(result, w.on);
    w.result = LLVMBuildPhi(result, LLVMVectorType(g->i32, EXEC_CHUNK), "");
    LLVMDisposeBuilder(result);
    bool gathers = g->request->level == EXEC_AVX512;
    V fits = LLVMBuildAnd(g->b, v.usable, all_lanes(g, lanes ? or2(g, inside, not1(g, lanes)) : inside), "");
    if (lanes && !gathers) { /* nothing that could be done here */
        LLVMDeleteBasicBlock(fast);
        LLVMBuildBr(g->b, slow);
    } else {
        fork(g, fits, fast, slow);
    }
    if (!lanes) {
        LLVMBasicBlockRef anywhere = gathers ? new_block(g, &w) : slow;
        load_shapes(g, &w, v.data, at, anywhere);
        LLVMPositionBuilderAtEnd(g->b, anywhere);
    }
    if (gathers) {
        V all = LLVMConstAllOnes(LLVMVectorType(g->i1, EXEC_CHUNK));
        arrive(g, &w, gathered(g, v.data, at, lanes ? lanes : all));
    }
    LLVMPositionBuilderAtEnd(g->b, slow);
    load_slowly(g, &w, &address, lanes);
    LLVMPositionBuilderAtEnd(g->b, w.on);
    row_put(g, g->s->d, false, w.result);
}
