/* halves.c - 64-bit values of lanes as two words. Where registers have 32 bits, pairs of them are addresses and sums of
 * addresses: made wide and taken apart again they would cost more than what is done with them. A row's words are kept
 * where they are known; the wide value is made of them when somebody asks for it. */
#include "exec/jit/gen.h"

/* Words of a uniform value, in all lanes. */
static void uniform_words(struct gen *g, struct row_value *r, V words[2])
{
    V v = row_as(g, r, KIND_INT), shift = LLVMConstInt(g->i64, 32, false);
    for (unsigned k = 0; k < 2; k++) {
        V word = LLVMBuildTrunc(g->entry, k ? LLVMBuildLShr(g->entry, v, shift, "") : v, g->i32, "");
        words[k] = LLVMIsConstant(word) ? k32(g, (uint32_t)LLVMConstIntGetZExtValue(word)) : spread(g, g->entry, word);
    }
}

bool row_words(struct gen *g, uint32_t at, unsigned stride, V words[2])
{
    struct row_value *r = row_find(g, at);
    if (!r && stride)
        return false;
    if (!r || r->uniform) {
        row_get(g, at, stride, true, KIND_INT);
        r = row_find(g, at);
        if (g->failed || r->late || !r->uniform)
            return false;
        uniform_words(g, r, words);
        return true;
    }
    if (!r->wide || !r->words[0])
        return false;
    words[0] = r->words[0];
    words[1] = r->words[1];
    return true;
}

V joined(struct gen *g, LLVMBuilderRef b, const V words[2])
{
    LLVMTypeRef type = row_type(g, g->i64);
    V high = LLVMBuildZExt(b, words[1], type, "");
    V shift = spread(g, b, LLVMConstInt(g->i64, 32, false));
    return LLVMBuildOr(b, LLVMBuildShl(b, high, shift, ""), LLVMBuildZExt(b, words[0], type, ""), "");
}

/* ---- operations ---- */

static void put_sum(struct gen *g, const V x[2], const V y[2])
{
    V sum[2] = {add(g, x[0], y[0]), add(g, x[1], y[1])};
    V carry = icmp(g, LLVMIntULT, sum[0], x[0]);
    sum[1] = sel(g, carry, add(g, sum[1], k32(g, 1)), sum[1]); /* one masked instruction; is_sum of affine.c knows it */
    row_put_words(g, g->s->d, sum);
}

static void put_difference(struct gen *g, const V x[2], const V y[2])
{
    V rest[2] = {sub(g, x[0], y[0]), sub(g, x[1], y[1])};
    V borrow = icmp(g, LLVMIntULT, x[0], y[0]);
    rest[1] = sel(g, borrow, sub(g, rest[1], k32(g, 1)), rest[1]);
    row_put_words(g, g->s->d, rest);
}

static void put_both(struct gen *g, V (*fn)(struct gen *g, V x, V y), const V x[2], const V y[2])
{
    V words[2] = {fn(g, x[0], y[0]), fn(g, x[1], y[1])};
    row_put_words(g, g->s->d, words);
}

static bool put_two(struct gen *g, const V x[2], const V y[2])
{
    switch (g->s->handler) {
    case H_ADD_I64:
        put_sum(g, x, y);
        return true;
    case H_SUB_I64:
        put_difference(g, x, y);
        return true;
    case H_AND64:
        put_both(g, and2, x, y);
        return true;
    case H_OR64:
        put_both(g, or2, x, y);
        return true;
    case H_XOR64:
        put_both(g, xor2, x, y);
        return true;
    default:
        return false;
    }
}

static bool emit_two(struct gen *g)
{
    V x[2], y[2];
    bool known = row_words(g, g->s->a, g->s->sa, x) && row_words(g, g->s->b, g->s->sb, y);
    return known && !g->failed && put_two(g, x, y);
}

static bool emit_word(struct gen *g, unsigned k)
{
    V words[2];
    if (!row_words(g, g->s->a, g->s->sa, words) || g->failed)
        return false;
    row_put(g, g->s->d, false, words[k]);
    return true;
}

static void emit_pack(struct gen *g)
{
    V words[2] = {row_get(g, g->s->a, g->s->sa, false, KIND_INT), row_get(g, g->s->b, g->s->sb, false, KIND_INT)};
    if (!g->failed)
        row_put_words(g, g->s->d, words);
}

static bool emit_copy(struct gen *g)
{
    V words[2];
    if (!row_words(g, g->s->a, g->s->sa, words) || g->failed)
        return false;
    row_put_words(g, g->s->d, words);
    return true;
}

/* A word made wide is known in both ways: products are made of the wide value. */
static bool emit_extension(struct gen *g, bool is_signed)
{
    V x = row_get(g, g->s->a, g->s->sa, false, KIND_INT);
    V high = is_signed ? ashr(g, x, k32(g, 31)) : k32(g, 0);
    if (g->failed)
        return true;
    row_put(g, g->s->d, true, is_signed ? sext64(g, x) : zext64(g, x));
    struct row_value *r = row_find(g, g->s->d);
    r->words[0] = x;
    r->words[1] = high;
    return true;
}

/* By a number of bits that is known and less than a word. */
static bool emit_shift_left(struct gen *g)
{
    V x[2];
    uint64_t n;
    if (!g->s->sa || !row_known(g, g->s->b, &n) || !n || n > 31 || !row_words(g, g->s->a, g->s->sa, x) || g->failed)
        return false;
    V over = lshr(g, x[0], k32(g, 32 - (uint32_t)n)), by = k32(g, (uint32_t)n);
    V words[2] = {shl(g, x[0], by), or2(g, shl(g, x[1], by), over)};
    row_put_words(g, g->s->d, words);
    return true;
}

bool words_emit(struct gen *g)
{
    if (g->s->form != JIT_PLAIN || !(g->s->sa || g->s->sb))
        return false;
    g->lane = true;
    g->b = g->loop;
    switch (g->s->handler) {
    case H_PACK64:
        emit_pack(g);
        return true;
    case H_LO32:
    case H_HI32:
        return g->s->sa && emit_word(g, g->s->handler == H_HI32);
    case H_ZEXT64:
    case H_SEXT64:
        return emit_extension(g, g->s->handler == H_SEXT64);
    case H_SHL64:
        return emit_shift_left(g);
    case H_COPY64:
        return g->s->sa && emit_copy(g);
    case H_ADD_I64:
    case H_SUB_I64:
    case H_AND64:
    case H_OR64:
    case H_XOR64:
        return emit_two(g);
    default:
        return false;
    }
}
