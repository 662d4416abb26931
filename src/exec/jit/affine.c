/* affine.c - rows of a strip whose elements have one distance: what loops make addresses of.
 *
 * A row of which lane i holds first + i * step is affine (Collange, Defour and Zhang, "Dynamic detection of uniform
 * and affine vectors in GPGPU computations"). What rows of the frame hold is not known when the code is made: whether
 * they are affine is looked at before the first pass of a chunk. What sums and products of such rows are follows from
 * there, and only `first` changes from pass to pass: that a row keeps its step is a condition of numbers that do not
 * change. So a load asks in each pass what costs no vector operations: where its first word is.
 *
 * A row's conditions are complete only when a pass is: until then a load's are a placeholder.
 *
 * Addresses of 64 bits are two rows, of low and high words. As one number they are affine where all lanes have the
 * same high word and low words do not wrap. */
#include "exec/jit/strip.h"

static V number(struct gen *g, uint32_t v)
{
    return LLVMConstInt(g->i32, v, false);
}

static V truth(struct gen *g, bool v)
{
    return LLVMConstInt(g->i1, v, false);
}

static V both(struct gen *g, V x, V y)
{
    return LLVMBuildAnd(g->still, x, y, "");
}

static const struct affine unknown = {NULL, NULL, NULL, 0};

bool affine_is_known(struct affine x)
{
    return x.first != NULL;
}

bool affine_is_still(const struct gen *g, struct affine x)
{
    return x.first && (LLVMIsAConstant(x.first) || LLVMGetInstructionParent(x.first) == g->strip->header);
}

/* ---- rows of the frame ---- */

static V lane_numbers(struct gen *g)
{
    V k[MOST_WIDTH];
    for (unsigned i = 0; i < g->width; i++)
        k[i] = number(g, i);
    return LLVMConstVector(k, g->width);
}

static void measure(struct gen *g, struct kept *k)
{
    LLVMBuilderRef b = g->still, outer = g->b;
    V second = LLVMBuildExtractElement(b, k->begins, number(g, 1), "");
    k->first = LLVMBuildExtractElement(b, k->begins, number(g, 0), "");
    k->step = LLVMBuildSub(b, second, k->first, "");
    V line = LLVMBuildMul(b, lane_numbers(g), spread(g, b, k->step), "");
    line = LLVMBuildAdd(b, line, spread(g, b, k->first), "");
    g->b = b;
    k->holds = all_lanes(g, LLVMBuildICmp(b, LLVMIntEQ, k->begins, line, ""));
    g->b = outer;
}

static V phi_before(struct gen *g, V phi, LLVMTypeRef type)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderBefore(b, phi);
    V v = LLVMBuildPhi(b, type, "");
    LLVMDisposeBuilder(b);
    return v;
}

/* The row of the frame that the value is; NULL: it is not one. */
static struct kept *row_of(struct gen *g, V v)
{
    for (uint32_t i = 0; i < g->strip->nrows; i++) {
        struct kept *k = &g->strip->row[i];
        if (!k->uniform && !k->wide && v == (k->carried ? k->phi : k->begins))
            return k;
    }
    return NULL;
}

static struct affine of_row(struct gen *g, struct kept *k)
{
    if (!k->first)
        measure(g, k);
    if (!k->now)
        k->now = k->carried ? phi_before(g, k->phi, g->i32) : k->first;
    return (struct affine){k->now, k->step, truth(g, true), 1u << (k - g->strip->row)};
}

/* ---- operations ---- */

/* The scalar that all elements of a constant or of a shuffle are; NULL: they are not. */
static V splat_of(struct gen *g, V v)
{
    V one = LLVMIsAShuffleVectorInst(v) ? LLVMGetOperand(v, 0) : NULL;
    if (one && LLVMIsAInsertElementInst(one) && LLVMIsAUndefValue(LLVMGetOperand(one, 0))) {
        for (unsigned i = 0; i < LLVMGetNumMaskElements(v); i++)
            if (LLVMGetMaskValue(v, i) != 0)
                return NULL;
        return LLVMGetOperand(one, 1);
    }
    if (LLVMIsAConstantAggregateZero(v))
        return number(g, 0);
    if (!LLVMIsAConstantDataVector(v))
        return NULL;
    for (unsigned i = 1; i < g->width; i++)
        if (LLVMGetElementAsConstant(v, i) != LLVMGetElementAsConstant(v, 0))
            return NULL;
    return LLVMGetElementAsConstant(v, 0);
}

static struct affine sum(struct gen *g, struct affine x, struct affine y, bool minus)
{
    V step = minus ? LLVMBuildSub(g->still, x.step, y.step, "") : LLVMBuildAdd(g->still, x.step, y.step, "");
    return (struct affine){minus ? sub(g, x.first, y.first) : add(g, x.first, y.first), step,
                           both(g, x.holds, y.holds), x.rows | y.rows};
}

/* By a constant. */
static struct affine scaled(struct gen *g, struct affine x, V by, bool shift)
{
    if (!by || !LLVMIsAConstantInt(by))
        return unknown;
    V step = shift ? LLVMBuildShl(g->still, x.step, by, "") : LLVMBuildMul(g->still, x.step, by, "");
    return (struct affine){shift ? shl(g, x.first, by) : mul(g, x.first, by), step, x.holds, x.rows};
}

/* Addresses that are held to their alignment: where the bits that go are 0 in the step, they are the same in all
 * lanes. */
static struct affine aligned(struct gen *g, struct affine x, V mask)
{
    if (!mask || !LLVMIsAConstantInt(mask))
        return unknown;
    uint32_t gone = ~(uint32_t)LLVMConstIntGetZExtValue(mask);
    if (gone & (gone + 1))
        return unknown;
    V bits = LLVMBuildAnd(g->still, x.step, number(g, gone), "");
    x.holds = both(g, x.holds, LLVMBuildICmp(g->still, LLVMIntEQ, bits, number(g, 0), ""));
    x.first = and2(g, x.first, mask);
    return x;
}

static struct affine of_operation(struct gen *g, V v)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(v);
    if (code != LLVMAdd && code != LLVMSub && code != LLVMShl && code != LLVMMul && code != LLVMAnd)
        return unknown;
    bool constant_first = LLVMIsConstant(LLVMGetOperand(v, 0)) && (code == LLVMMul || code == LLVMAnd);
    struct affine x = affine_of(g, LLVMGetOperand(v, constant_first));
    V other = LLVMGetOperand(v, !constant_first);
    if (!affine_is_known(x))
        return unknown;
    if (code == LLVMShl || code == LLVMMul)
        return scaled(g, x, splat_of(g, other), code == LLVMShl);
    if (code == LLVMAnd)
        return aligned(g, x, splat_of(g, other));
    struct affine y = affine_of(g, other);
    return affine_is_known(y) ? sum(g, x, y, code == LLVMSub) : unknown;
}

static struct affine find(struct gen *g, V v)
{
    struct kept *k = row_of(g, v);
    if (k)
        return of_row(g, k);
    if (LLVMTypeOf(v) != row_type(g, g->i32))
        return unknown;
    V scalar = splat_of(g, v);
    if (scalar)
        return (struct affine){scalar, number(g, 0), truth(g, true), 0};
    return LLVMIsAInstruction(v) ? of_operation(g, v) : unknown;
}

/* What was found is kept: sums would be made again and again. */
struct affine affine_of(struct gen *g, V v)
{
    struct strip *s = g->strip;
    bool lane = g->lane;
    for (unsigned i = 0; i < s->nseen; i++)
        if (s->seen[i].v == v)
            return s->seen[i].is;
    if (s->nseen == MOST_SEEN)
        return unknown;
    g->lane = false;
    struct affine x = find(g, v);
    g->lane = lane;
    if (s->nseen < MOST_SEEN) {
        s->seen[s->nseen].v = v;
        s->seen[s->nseen++].is = x;
    }
    return x;
}

/* ---- words of wide numbers ---- */

/* Low words have one high word, if the first one has. */
static V does_not_wrap(struct gen *g, struct affine low)
{
    LLVMBuilderRef b = g->still;
    V far = LLVMBuildMul(b, LLVMBuildZExt(b, low.step, g->i64, ""), LLVMConstInt(g->i64, g->width - 1, false), "");
    V end = LLVMBuildAdd(b, LLVMBuildZExt(b, low.first, g->i64, ""), far, "");
    return LLVMBuildICmp(b, LLVMIntULE, end, LLVMConstInt(g->i64, UINT32_MAX, false), "");
}

static V as_wide(struct gen *g, V low, V high)
{
    LLVMBuilderRef b = g->still;
    V up = LLVMBuildShl(b, LLVMBuildZExt(b, high, g->i64, ""), LLVMConstInt(g->i64, 32, false), "");
    return LLVMBuildOr(b, up, LLVMBuildZExt(b, low, g->i64, ""), "");
}

/* Words that do not change from pass to pass. */
static struct affine still_words(struct gen *g, struct affine low, struct affine high)
{
    V same = LLVMBuildICmp(g->still, LLVMIntEQ, high.step, number(g, 0), "");
    V holds = both(g, both(g, low.holds, high.holds), both(g, same, does_not_wrap(g, low)));
    return (struct affine){as_wide(g, low.first, high.first), LLVMBuildZExt(g->still, low.step, g->i64, ""), holds,
                           low.rows | high.rows};
}

enum { PAIRS = MOST_KEPT /* the first of their bits in `rows` */ };

static struct pair *new_pair(struct gen *g, struct kept *low, struct kept *high)
{
    struct pair *p = &g->strip->pair[g->strip->npairs++];
    if (!low->first)
        measure(g, low);
    if (!high->first)
        measure(g, high);
    struct affine x = {low->first, low->step, low->holds, 0}, y = {high->first, high->step, high->holds, 0};
    struct affine first = still_words(g, x, y);
    *p = (struct pair){.low = low, .high = high, .now = phi_before(g, low->phi, g->i64), .first = first.first,
                       .step = first.step, .holds = first.holds};
    return p;
}

/* Rows that passes change. */
static struct affine carried_words(struct gen *g, struct kept *low, struct kept *high)
{
    struct strip *s = g->strip;
    struct pair *p = NULL;
    for (unsigned i = 0; i < s->npairs && !p; i++)
        p = s->pair[i].low == low && s->pair[i].high == high ? &s->pair[i] : NULL;
    if (!p && s->npairs == MOST_PAIRS)
        return unknown;
    if (!p)
        p = new_pair(g, low, high);
    return (struct affine){p->now, p->step, truth(g, true), 1u << (PAIRS + (p - s->pair))};
}

static bool is_instruction(V v, LLVMOpcode code)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == code;
}

/* The words of a sum as halves.c makes them? `upper` are the high words without the carry. */
static bool is_sum(V low, V high, V *upper)
{
    if (!is_instruction(low, LLVMAdd) || !is_instruction(high, LLVMSelect))
        return false;
    V less = LLVMGetOperand(high, 0);
    *upper = LLVMGetOperand(high, 2);
    if (!is_instruction(*upper, LLVMAdd) || !LLVMIsAICmpInst(less) || LLVMGetICmpPredicate(less) != LLVMIntULT ||
        LLVMGetOperand(less, 0) != low)
        return false;
    V term = LLVMGetOperand(less, 1);
    return term == LLVMGetOperand(low, 0) || term == LLVMGetOperand(low, 1);
}

static struct affine sum_of_words(struct gen *g, V low, V upper)
{
    struct affine x = affine_of_words(g, LLVMGetOperand(low, 0), LLVMGetOperand(upper, 0));
    if (!affine_is_known(x))
        return unknown;
    struct affine y = affine_of_words(g, LLVMGetOperand(low, 1), LLVMGetOperand(upper, 1));
    return affine_is_known(y) ? sum(g, x, y, false) : unknown;
}

static struct affine find_words(struct gen *g, V low, V high)
{
    struct kept *k[2] = {row_of(g, low), row_of(g, high)};
    V upper = NULL;
    bool carried[2] = {k[0] && k[0]->carried, k[1] && k[1]->carried};
    if (carried[0] && carried[1])
        return carried_words(g, k[0], k[1]);
    if (carried[0] || carried[1])
        return unknown;
    if (is_sum(low, high, &upper))
        return sum_of_words(g, low, upper);
    struct affine words[2] = {affine_of(g, low), affine_of(g, high)};
    bool still = affine_is_still(g, words[0]) && affine_is_still(g, words[1]);
    return still ? still_words(g, words[0], words[1]) : unknown;
}

struct affine affine_of_words(struct gen *g, V low, V high)
{
    bool lane = g->lane;
    g->lane = false;
    struct affine x = find_words(g, low, high);
    g->lane = lane;
    return x;
}

/* ---- conditions ---- */

V affine_condition(struct gen *g, struct affine x, V also)
{
    struct strip *s = g->strip;
    if (s->nasked == MOST_ASKED)
        return truth(g, false);
    V later = LLVMBuildTrunc(g->still, LLVMBuildFreeze(g->still, s->goal, ""), g->i1, "");
    s->asked[s->nasked].placeholder = later;
    s->asked[s->nasked].also = both(g, x.holds, also);
    s->asked[s->nasked++].rows = x.rows;
    return later;
}

/* What a row, or two, becomes keeps its step. */
static void note_next(struct gen *g, struct affine next, V now, V step, V *holds, V *then, uint32_t *rows)
{
    bool known = affine_is_known(next);
    V same = known ? LLVMBuildICmp(g->still, LLVMIntEQ, next.step, step, "") : truth(g, false);
    *holds = both(g, *holds, known ? both(g, same, next.holds) : same);
    *then = known ? next.first : now;
    *rows = next.rows;
}

static V value_of(struct gen *g, const struct kept *k)
{
    return row_as(g, row_find(g, k->at), KIND_INT);
}

static bool end_row(struct gen *g, struct kept *k)
{
    if (!k->now || !k->carried || k->next)
        return false;
    note_next(g, affine_of(g, value_of(g, k)), k->now, k->step, &k->holds, &k->next, &k->rows);
    return true;
}

static bool end_pair(struct gen *g, struct pair *p)
{
    if (p->next)
        return false;
    struct affine next = affine_of_words(g, value_of(g, p->low), value_of(g, p->high));
    note_next(g, next, p->now, p->step, &p->holds, &p->next, &p->rows);
    return true;
}

/* What rows become may be made of rows that nobody asked about before. */
void affine_find_ends(struct gen *g)
{
    struct strip *s = g->strip;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->nrows; i++)
            more |= end_row(g, &s->row[i]);
        for (unsigned i = 0; i < s->npairs; i++)
            more |= end_pair(g, &s->pair[i]);
    }
}

/* All rows and pairs that these are made of. */
static uint32_t rows_of(const struct strip *s, uint32_t rows)
{
    for (uint32_t before = 0; before != rows;) {
        before = rows;
        for (uint32_t i = 0; i < s->nrows; i++)
            if (rows >> i & 1)
                rows |= s->row[i].rows;
        for (uint32_t i = 0; i < s->npairs; i++)
            if (rows >> (PAIRS + i) & 1)
                rows |= s->pair[i].rows;
    }
    return rows;
}

static V condition_of(struct gen *g, uint32_t rows)
{
    const struct strip *s = g->strip;
    V holds = truth(g, true);
    rows = rows_of(s, rows);
    for (uint32_t i = 0; i < s->nrows; i++)
        if (rows >> i & 1)
            holds = both(g, holds, s->row[i].holds);
    for (uint32_t i = 0; i < s->npairs; i++)
        if (rows >> (PAIRS + i) & 1)
            holds = both(g, holds, s->pair[i].holds);
    return holds;
}

static void join(struct gen *g, V phi, V first, V next, LLVMBasicBlockRef last)
{
    if (!next)
        return;
    LLVMAddIncoming(phi, &first, &g->strip->header, 1);
    LLVMAddIncoming(phi, &next, &last, 1);
}

void affine_close(struct gen *g, LLVMBasicBlockRef last)
{
    struct strip *s = g->strip;
    for (unsigned n = 0; n < s->nasked; n++) {
        V holds = both(g, condition_of(g, s->asked[n].rows), s->asked[n].also);
        LLVMReplaceAllUsesWith(s->asked[n].placeholder, holds);
        LLVMInstructionEraseFromParent(s->asked[n].placeholder);
    }
    for (uint32_t i = 0; i < s->nrows; i++)
        join(g, s->row[i].now, s->row[i].first, s->row[i].next, last);
    for (unsigned i = 0; i < s->npairs; i++)
        join(g, s->pair[i].now, s->pair[i].first, s->pair[i].next, last);
}
