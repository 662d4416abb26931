/* memory.c - loads of words by all lanes, from a buffer or from the range of the bus that the operation hit last.
 *
 * Made here is what programs mostly do: every lane that takes part is inside, and the words follow each other or are
 * one and the same; with AVX-512 they may lie anywhere. All else goes to a function of the interpreter's
 * (handler_table.load_chunk), chunk by chunk, by way of the rows of the frame.
 *
 * A run does chunk after chunk what handlers do operation after operation. Loads do not mind: stores are in no run, and
 * what is counted about accesses outside does not depend on their order. Loads that can stop the warp are not known. */
#include "exec/jit/strip.h"

#include <stddef.h>

bool memory_known(const struct jit_step *s)
{
    bool load = s->handler == H_LOAD || (s->handler == H_BUS_LOAD && s->n);
    return load && !s->straight && s->more == JIT_SPACE_PLAIN && MEM_BYTES(s) == 4 && s->sa &&
           (s->handler == H_BUS_LOAD || !MEM_WIDE(s));
}

/* Where words are: bytes at `data`, of which offsets up to `last` are the first ones of a word. The first byte has the
 * address `low`, with the high word `high` (NULL: addresses have none). Scalars. */
struct view {
    V data, low, high, last, usable;
};

/* Addresses of the lanes, held to their alignment, with the offset of the operation: low words, and high ones. */
struct address {
    V low, high;
};

static V word(struct gen *g, LLVMBuilderRef b, V pointer, size_t offset, LLVMTypeRef type)
{
    return load_at(g, b, offset_const(g, b, pointer, offset), type, 8);
}

static V half(struct gen *g, LLVMBuilderRef b, V pointer, size_t offset)
{
    return load_at(g, b, offset_const(g, b, pointer, offset), g->i32, 4);
}

static V i64_of(struct gen *g, uint64_t v)
{
    return LLVMConstInt(g->i64, v, false);
}

/* Of the low word: no alignment is more than that. */
static V kept(struct gen *g, V address)
{
    return MEM_ALIGN(g->s) > 1 ? and2(g, address, k32(g, (uint32_t)~(MEM_ALIGN(g->s) - 1))) : address;
}

/* A buffer, of at least a word and no larger than a gather reaches. */
static struct view buffer_view(struct gen *g)
{
    size_t space = offsetof(struct exec_env, space) + MEM_SPACE(g->s) * sizeof(struct exec_buffer);
    LLVMBuilderRef b = g->still ? g->still : g->entry;
    V env = env_pointer(g);
    V size = word(g, b, env, space + offsetof(struct exec_buffer, size), g->i64);
    V last = LLVMBuildSub(b, size, i64_of(g, 4), "");
    return (struct view){
        .data = word(g, b, env, space + offsetof(struct exec_buffer, data), g->pointer),
        .low = LLVMConstNull(g->i32),
        .last = LLVMBuildTrunc(b, last, g->i32, ""),
        .usable = LLVMBuildICmp(b, LLVMIntULE, last, i64_of(g, INT32_MAX - 4), ""),
    };
}

V this_operation(struct gen *g, LLVMBuilderRef b)
{
    const struct jit_step *first = (const struct jit_step *)jit_part(g->request, g->request->steps) + g->run->first;
    return offset_const(g, b, g->op, (uint64_t)(g->s - first) * sizeof(struct lop));
}

/* The range of the bus that operations of this site hit last. It may change from one chunk to the next. */
static struct view bus_view(struct gen *g)
{
    uint64_t at = offsetof(struct frame, bus_views) + MEM_SITE(g->s) * sizeof(struct bus_view);
    LLVMBuilderRef b = g->still ? g->still : g->loop;
    V seen = offset_const(g, b, g->frame, at);
    struct view v = {.data = word(g, b, seen, offsetof(struct bus_view, data), g->pointer),
                     .low = half(g, b, seen, offsetof(struct bus_view, low)),
                     .high = half(g, b, seen, offsetof(struct bus_view, high)),
                     .last = half(g, b, seen, offsetof(struct bus_view, last))};
    v.usable = LLVMBuildICmp(b, LLVMIntNE, v.data, LLVMConstNull(g->pointer), "");
    if (MEM_WIDE(g->s))
        return v;
    V first = LLVMBuildICmp(b, LLVMIntEQ, v.high, LLVMConstNull(g->i32), "");
    v.usable = LLVMBuildAnd(b, v.usable, first, "");
    v.high = NULL;
    return v;
}

/* Of an operation's address as a row: `words` are those of a wide one. */
static struct address address_of(struct gen *g, V address, const V words[2])
{
    V low = k32(g, (uint32_t)g->s->imm), high = k32(g, (uint32_t)(g->s->imm >> 32));
    struct address a = {kept(g, words[0] ? words[0] : address), words[1]};
    if (g->s->imm)
        a.low = add(g, a.low, low);
    if (g->s->imm && a.high)
        a.high = sub(g, add(g, a.high, high), ones_or_zero(g, icmp(g, LLVMIntULT, a.low, low)));
    return a;
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
    V none = LLVMConstNull(LLVMTypeOf(at));
    V args[5] = {none, data, at, lanes, LLVMConstInt(g->i32, 1, false)};
    return host_instruction(g, g->b, "llvm.x86.avx512.mask.gather.dpi.512", args, 5);
}

static V lane_steps(struct gen *g, uint32_t step)
{
    V k[EXEC_CHUNK];
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        k[i] = LLVMConstInt(g->i32, i * step, false);
    return LLVMConstVector(k, EXEC_CHUNK);
}

/* All 16 lanes take part and are inside, at these offsets. What is neither a row of words nor one word goes on at
 * `other`. */
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

/* What a strip knows of an address: the offset of the first lane's word, up to `last`, where affine_condition of `is`
 * and `also` hold. */
struct known_address {
    struct affine is;
    V at, last, also;
};

/* Of words that are one number. */
static struct known_address find_wide(struct gen *g, const struct view *v, const struct address *a)
{
    LLVMBuilderRef b = g->still;
    struct known_address k = {.is = affine_of_words(g, a->low, a->high), .also = v->usable};
    if (affine_is_known(k.is)) {
        V from = LLVMBuildShl(b, LLVMBuildZExt(b, v->high, g->i64, ""), i64_of(g, 32), "");
        from = LLVMBuildOr(b, from, LLVMBuildZExt(b, v->low, g->i64, ""), "");
        k.last = LLVMBuildZExt(b, v->last, g->i64, "");
        k.at = LLVMBuildSub(g->b, k.is.first, from, "");
    }
    return k;
}

/* Of low words alone, if there is a high one, does not change. */
static struct known_address find_narrow(struct gen *g, const struct view *v, const struct address *a)
{
    LLVMBuilderRef b = g->still;
    struct known_address k = {.also = v->usable, .last = v->last};
    struct affine high = v->high ? affine_of(g, a->high) : (struct affine){NULL, NULL, NULL, 0};
    if (v->high && !affine_is_still(g, high))
        return k;
    k.is = affine_of(g, a->low);
    if (!affine_is_known(k.is))
        return k;
    if (v->high) {
        V same = LLVMBuildICmp(b, LLVMIntEQ, high.step, LLVMConstInt(g->i32, 0, false), "");
        V here = LLVMBuildICmp(b, LLVMIntEQ, high.first, v->high, "");
        k.is.rows |= high.rows;
        k.also = LLVMBuildAnd(b, LLVMBuildAnd(b, k.also, high.holds, ""), LLVMBuildAnd(b, same, here, ""), "");
    }
    k.at = LLVMBuildSub(g->b, k.is.first, v->low, "");
    return k;
}

static struct known_address find_known(struct gen *g, const struct view *v, const struct address *a)
{
    struct known_address k = {0};
    if (v->high)
        k = find_wide(g, v, a);
    return affine_is_known(k.is) ? k : find_narrow(g, v, a);
}

static V has_step(struct gen *g, const struct known_address *k, unsigned step, V also)
{
    V same = LLVMBuildICmp(g->still, LLVMIntEQ, k->is.step, LLVMConstInt(LLVMTypeOf(k->is.step), step, false), "");
    return affine_condition(g, k->is, LLVMBuildAnd(g->still, LLVMBuildAnd(g->still, k->also, also, ""), same, ""));
}

/* A strip may know already that the words are a row, or one and the same: then only the first one is looked at. */
static void load_known(struct gen *g, struct ways *w, const struct view *v, const struct address *a, V lanes)
{
    struct known_address k = find_known(g, v, a);
    if (!affine_is_known(k.is))
        return;
    LLVMTypeRef type = row_type(g, g->i32);
    LLVMBasicBlockRef row = new_block(g, w), in_row = new_block(g, w), bent = new_block(g, w), one = new_block(g, w),
                      in_one = new_block(g, w), other = new_block(g, w);
    V rest = LLVMConstInt(LLVMTypeOf(k.last), 4 * (g->width - 1), false);
    V fits = LLVMBuildICmp(g->still, LLVMIntUGE, k.last, rest, ""), end = LLVMBuildSub(g->still, k.last, rest, "");
    V from = offset_by(g, g->b, v->data, LLVMBuildZExt(g->b, k.at, g->i64, ""));
    expect_first(g, LLVMBuildCondBr(g->b, has_step(g, &k, 4, fits), in_row, bent));
    LLVMPositionBuilderAtEnd(g->b, in_row);
    fork(g, LLVMBuildICmp(g->b, LLVMIntULE, k.at, end, ""), row, other);
    V words = load_at(g, g->b, from, type, 1);
    arrive(g, w, lanes ? sel(g, lanes, words, LLVMConstNull(type)) : words);
    LLVMPositionBuilderAtEnd(g->b, bent);
    fork(g, has_step(g, &k, 0, LLVMConstInt(g->i1, 1, false)), in_one, other);
    fork(g, LLVMBuildICmp(g->b, LLVMIntULE, k.at, k.last, ""), one, other);
    words = spread(g, g->b, load_at(g, g->b, from, g->i32, 1));
    arrive(g, w, lanes ? sel(g, lanes, words, LLVMConstNull(type)) : words);
    LLVMPositionBuilderAtEnd(g->b, other);
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

/* `address` is the row, or NULL where it is to be made of `words`. */
static void load_slowly(struct gen *g, struct ways *w, V address, const V words[2], V lanes)
{
    LLVMTypeRef type = LLVMVectorType(g->i32, EXEC_CHUNK);
    V bits = lanes ? mask_bits(g, lanes) : i64_of(g, 0xffff);
    V args[4] = {LLVMBuildPtrToInt(g->b, g->frame, g->i64, ""),
                 LLVMBuildPtrToInt(g->b, this_operation(g, g->b), g->i64, ""), g->chunk, bits};
    store_at(g, g->b, address ? address : joined(g, g->b, words), row_pointer(g, g->s->a, MEM_WIDE(g->s)), 64);
    rare_call(g, rare_function(g, "load_chunk", slow_body), args, 4);
    arrive(g, w, load_at(g, g->b, row_pointer(g, g->s->d, false), type, 64));
}

/* The lanes that take part; NULL: all of them. */
static V taking_part(struct gen *g)
{
    if (!g->s->c && g->run->full)
        return NULL;
    V lanes = active_lanes(g);
    return g->s->c ? and2(g, lanes, row_get(g, g->s->c, g->s->sc, false, KIND_BOOL)) : lanes;
}

/* The address's row, where there is one; its words, where it is wide. */
static V address_row(struct gen *g, V words[2])
{
    bool wide = MEM_WIDE(g->s);
    if (wide && row_words(g, g->s->a, g->s->sa, words))
        return NULL;
    V row = row_get(g, g->s->a, g->s->sa, wide, KIND_INT);
    if (wide) {
        words[0] = trunc32(g, row);
        words[1] = trunc32(g, lshr(g, row, k64(g, 32)));
    }
    return row;
}

static struct ways new_ways(struct gen *g)
{
    struct ways w = {.fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(g->b))};
    w.on = new_block(g, &w);
    LLVMBuilderRef result = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderAtEnd(result, w.on);
    w.result = LLVMBuildPhi(result, LLVMVectorType(g->i32, EXEC_CHUNK), "");
    LLVMDisposeBuilder(result);
    return w;
}

/* Which lanes are inside, at these offsets. */
static V lanes_inside(struct gen *g, const struct view *v, const struct address *a, V at)
{
    V inside = icmp(g, LLVMIntULE, at, spread(g, g->b, v->last));
    return v->high ? and2(g, inside, icmp(g, LLVMIntEQ, a->high, spread(g, g->b, v->high))) : inside;
}

void memory_emit(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
    V words[2] = {NULL, NULL}, row = address_row(g, words), lanes = taking_part(g);
    struct ways w = new_ways(g);
    bool gathers = g->request->level == EXEC_AVX512, handled = !lanes || gathers;
    LLVMBasicBlockRef slow = g->strip ? g->strip->fail : new_block(g, &w);
    if (handled) {
        LLVMBasicBlockRef fast = new_block(g, &w), anywhere = gathers ? new_block(g, &w) : slow;
        struct view v = g->s->handler == H_BUS_LOAD ? bus_view(g) : buffer_view(g);
        struct address a = address_of(g, row, words);
        if (g->strip)
            load_known(g, &w, &v, &a, lanes);
        V at = sub(g, a.low, spread(g, g->b, v.low)), inside = lanes_inside(g, &v, &a, at);
        V all = all_lanes(g, lanes ? or2(g, inside, not1(g, lanes)) : inside);
        fork(g, and2(g, v.usable, all), fast, slow);
        if (lanes)
            LLVMBuildBr(g->b, anywhere);
        else
            load_shapes(g, &w, v.data, at, anywhere);
        if (gathers) {
            LLVMPositionBuilderAtEnd(g->b, anywhere);
            V taken = lanes ? lanes : LLVMConstAllOnes(LLVMVectorType(g->i1, EXEC_CHUNK));
            arrive(g, &w, gathered(g, v.data, at, taken));
        }
    } else {
        LLVMBuildBr(g->b, slow);
    }
    if (!g->strip) {
        LLVMPositionBuilderAtEnd(g->b, slow);
        load_slowly(g, &w, row, words, lanes);
    }
    LLVMPositionBuilderAtEnd(g->b, w.on);
    row_put(g, g->s->d, false, w.result);
}
