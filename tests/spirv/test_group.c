/* test_group.c - what lanes of a subgroup tell each other, with all of them active and with some, against plain C. */
#include "module.h"
#include "number.h"

enum { LANES = 64 };

/* What the lanes of a subgroup have. */
struct group {
    char kind;
    unsigned width, scan; /* scan: which of `scans` */
    uint64_t active, flags;
    uint64_t value[LANES];
    uint32_t named[LANES], key[LANES];
};

/* The parts of a group operation: of which lanes a lane gathers. */
static const struct scan {
    SpvGroupOperation operation;
    unsigned size;
    bool parted, below, own;
} scans[] = {
    {SpvGroupOperationReduce, 64, false, false, true},
    {SpvGroupOperationInclusiveScan, 64, false, true, true},
    {SpvGroupOperationExclusiveScan, 64, false, true, false},
    {SpvGroupOperationClusteredReduce, 1, false, false, true},
    {SpvGroupOperationClusteredReduce, 4, false, false, true},
    {SpvGroupOperationClusteredReduce, 64, false, false, true},
    {SpvGroupOperationPartitionedReduceNV, 64, true, false, true},
    {SpvGroupOperationPartitionedInclusiveScanNV, 64, true, true, true},
    {SpvGroupOperationPartitionedExclusiveScanNV, 64, true, true, false},
};
enum { SCANS = sizeof scans / sizeof *scans };

static bool is_active(const struct group *g, unsigned lane)
{
    return g->active >> lane & 1;
}

/* ---- oracles: false where the result is not defined ---- */

typedef bool oracle_fn(const struct group *g, unsigned lane, uint64_t *v);
typedef uint64_t fold_fn(const struct group *g, uint64_t a, uint64_t b);

#define INTEGER(name, expression)                                                                                      \
    static uint64_t fold_##name(const struct group *g, uint64_t a, uint64_t b)                                         \
    {                                                                                                                  \
        (void)g;                                                                                                       \
        return cut_to(expression, g->width);                                                                           \
    }
#define NUMBER(name, ofint, offloat)                                                                                   \
    static uint64_t fold_##name(const struct group *g, uint64_t a, uint64_t b)                                         \
    {                                                                                                                  \
        double x = float_of(a, g->width), y = float_of(b, g->width);                                                   \
        return g->kind == 'f' ? float_bits(offloat, g->width) : cut_to(ofint, g->width);                               \
    }
NUMBER(add, a + b, x + y)
NUMBER(multiply, a *b, x *y)
NUMBER(fmin_of, 0, fmin(x, y))
NUMBER(fmax_of, 0, fmax(x, y))
INTEGER(smin, signed_of(a, g->width) < signed_of(b, g->width) ? a : b)
INTEGER(smax, signed_of(a, g->width) > signed_of(b, g->width) ? a : b)
INTEGER(umin, a < b ? a : b)
INTEGER(umax, a > b ? a : b)
INTEGER(and_of, a &b)
INTEGER(or_of, a | b)
INTEGER(xor_of, a ^ b)

/* The identities of SPIR-V's table. */
static uint64_t identity(const struct group *g, fold_fn *fold)
{
    uint64_t ones = g->kind == 'b' ? 1 : cut_to(UINT64_MAX, g->width), sign = (uint64_t)1 << (g->width - 1);
    if (fold == fold_and_of || fold == fold_umin)
        return ones;
    if (fold == fold_smin)
        return ones ^ sign;
    if (fold == fold_smax)
        return sign;
    if (fold == fold_multiply)
        return g->kind == 'f' ? float_bits(1, g->width) : 1;
    if (fold == fold_fmin_of)
        return float_bits((long double)INFINITY, g->width);
    return fold == fold_fmax_of ? float_bits(-(long double)INFINITY, g->width) : 0;
}

/* What a sum of floats begins with: -0 changes nothing, but a sum of nothing is 0. */
static uint64_t beginning(const struct group *g, fold_fn *fold)
{
    bool sums = fold == fold_add && g->kind == 'f' && scans[g->scan].own;
    return sums ? float_bits(-0.0L, g->width) : identity(g, fold);
}

static bool folded(const struct group *g, unsigned lane, fold_fn *fold, uint64_t *v)
{
    const struct scan *s = &scans[g->scan];
    *v = beginning(g, fold);
    for (unsigned other = 0; other < LANES; other++) {
        bool in = is_active(g, other) && other / s->size == lane / s->size;
        in &= !s->parted || g->key[other] == g->key[lane];
        in &= s->below ? other < lane || (s->own && other == lane) : true;
        *v = in ? fold(g, *v, g->value[other]) : *v;
    }
    return true;
}

static bool moved(const struct group *g, unsigned from, uint64_t *v)
{
    *v = from < LANES ? g->value[from] : 0;
    return from < LANES && is_active(g, from);
}

static unsigned first_of(const struct group *g)
{
    return (unsigned)__builtin_ctzll(g->active);
}

#define MOVED(name, expression)                                                                                        \
    static bool name(const struct group *g, unsigned lane, uint64_t *v)                                                \
    {                                                                                                                  \
        (void)lane;                                                                                                    \
        return moved(g, expression, v);                                                                                \
    }
#define NAMED(name, expression)                                                                                        \
    static bool name(const struct group *g, unsigned lane, uint64_t *v)                                                \
    {                                                                                                                  \
        (void)lane;                                                                                                    \
        *v = expression;                                                                                               \
        return true;                                                                                                   \
    }
MOVED(of_five, 5)
MOVED(of_first, first_of(g))
MOVED(of_named, g->named[lane])
MOVED(of_xor, lane ^ 5)
MOVED(of_below, lane - 5)
MOVED(of_above, lane + 5)
MOVED(of_rotated, ((lane + 5) & 7) | (lane & ~7u))
MOVED(of_quad, (lane & ~3u) | 2)
MOVED(of_opposite, lane ^ 3)

static uint64_t ballot_of(const struct group *g)
{
    return g->active & g->flags;
}

/* Lanes with the value of this one. */
static uint64_t same(const struct group *g, unsigned lane)
{
    uint64_t set = 0;
    for (unsigned other = 0; other < LANES; other++) {
        double x = float_of(g->value[lane], g->width), y = float_of(g->value[other], g->width);
        bool equal = g->kind == 'f' ? x == y : g->value[lane] == g->value[other];
        set |= (uint64_t)(is_active(g, other) && equal) << other;
    }
    return set;
}

static uint64_t values_set(const struct group *g)
{
    uint64_t set = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        set |= (uint64_t)(is_active(g, lane) && g->value[lane]) << lane;
    return set;
}

static uint64_t upto(unsigned lane)
{
    return ((uint64_t)1 << lane) | (((uint64_t)1 << lane) - 1);
}

static bool bit_count(const struct group *g, unsigned lane, uint64_t *v)
{
    const struct scan *s = &scans[g->scan];
    uint64_t set = ballot_of(g);
    set &= !s->below ? UINT64_MAX : s->own ? upto(lane) : upto(lane) >> 1;
    *v = (uint64_t)__builtin_popcountll(set);
    return g->scan < 3;
}

NAMED(elected, lane == first_of(g))
NAMED(all_of, values_set(g) == g->active)
NAMED(any_of, values_set(g) != 0)
NAMED(equal_of, same(g, first_of(g)) == g->active)
NAMED(own_bit, ballot_of(g) >> lane & 1)
NAMED(fifth_bit, ballot_of(g) >> 5 & 1)
NAMED(ballot, values_set(g))
NAMED(same_set, same(g, lane))
NAMED(lowest, (uint64_t)__builtin_ctzll(ballot_of(g)))
NAMED(highest, (uint64_t)(63 - __builtin_clzll(ballot_of(g))))

/* ---- cases ---- */

enum gives { GIVES_VALUE, GIVES_FLAG, GIVES_SET, GIVES_COUNT };
static const struct group_case {
    const char *name, *operands, *kinds;
    uint32_t opcode;
    enum gives gives;
    fold_fn *fold;
    oracle_fn *oracle;
} cases[] = {
#define GROUP(name, operands, kinds, fold) {#name, operands, kinds, SpvOp##name, GIVES_VALUE, fold_##fold, NULL},
#define MOVE(name, operands, kinds, oracle) {#name, operands, kinds, SpvOp##name, GIVES_VALUE, NULL, oracle},
#define VOTE(name, operands, kinds, oracle) {#name, operands, kinds, SpvOp##name, GIVES_FLAG, NULL, oracle},
#define SETS(name, operands, kinds, oracle) {#name, operands, kinds, SpvOp##name, GIVES_SET, NULL, oracle},
#define COUNTS(name, operands, kinds, oracle) {#name, operands, kinds, SpvOp##name, GIVES_COUNT, NULL, oracle},
#include "group_cases.inc"
};

/* ---- modules ---- */

static const uint32_t capabilities[] = {
    SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64, SpvCapabilityFloat16, SpvCapabilityFloat64,
    SpvCapabilityGroupNonUniform, SpvCapabilityGroupNonUniformVote, SpvCapabilityGroupNonUniformBallot,
    SpvCapabilityGroupNonUniformShuffle, SpvCapabilityGroupNonUniformShuffleRelative, SpvCapabilityGroupNonUniformQuad,
    SpvCapabilityGroupNonUniformArithmetic, SpvCapabilityGroupNonUniformClustered,
    SpvCapabilityGroupNonUniformPartitionedNV, SpvCapabilityGroupNonUniformRotateKHR, SpvCapabilityGroups,
    SpvCapabilitySubgroupBallotKHR, SpvCapabilitySubgroupVoteKHR};
static const char *const extensions[] = {
    "SPV_KHR_subgroup_rotate", "SPV_KHR_shader_ballot", "SPV_KHR_subgroup_vote", "SPV_AMD_shader_ballot",
    "SPV_NV_shader_subgroup_partitioned", NULL};
enum { VALUE, FLAG = 2, ACTIVE, NAMED_LANE, KEY };

static uint32_t four(struct module *m, uint32_t type, uint32_t scope, uint32_t word)
{
    uint32_t flag = fresh(m), set = fresh(m);
    ADD(m, SpvOpINotEqual, BOOL, flag, word, ZERO);
    ADD(m, SpvOpGroupNonUniformBallot, type, set, scope, flag);
    return set;
}

/* The words of the instruction, without its result. */
static unsigned add_operands(struct module *m, const struct group_case *c, const struct group *g, uint32_t id,
                             uint32_t vec4, uint32_t *w)
{
    uint32_t scope = INDEX + SpvScopeSubgroup;
    unsigned n = 0, extra = 0;
    for (const char *o = c->operands; *o; o++)
        switch (*o) {
        case 's':
            w[n++] = scope;
            break;
        case 'o':
            w[n++] = scans[g->scan].operation;
            if (scans[g->scan].operation == SpvGroupOperationClusteredReduce)
                extra = scans[g->scan].size < 64 ? INDEX + scans[g->scan].size : m->type[0][0];
            if (scans[g->scan].parted) {
                extra = fresh(m);
                ADD(m, SpvOpGroupNonUniformPartitionNV, vec4, extra, input(m, id, KEY));
            }
            break;
        case 'v':
            w[n++] = fetch(m, id, VALUE, g->kind, g->width);
            break;
        case 'l':
            w[n++] = input(m, id, NAMED_LANE);
            break;
        case 'b':
            w[n++] = four(m, vec4, scope, input(m, id, FLAG));
            break;
        default:
            w[n++] = INDEX + (*o == 'c' ? 5 : *o == 'q' ? 2 : 8);
            break;
        }
    if (extra)
        w[n++] = extra;
    return n;
}

/* The lanes whose word says so run the instruction, the others run past it. */
static void make(struct module *m, const struct group_case *c, const struct group *g)
{
    declare(m, capabilities, sizeof capabilities / sizeof *capabilities, extensions);
    declare_number(m, 'i', 64);
    declare_number(m, g->kind, g->width);
    uint32_t vec4 = fresh(m), flag, body = fresh(m), merge = fresh(m), w[10];
    ADD(m, SpvOpTypeVector, vec4, UINT, 4);
    m->type[0][0] = fresh(m); /* the constant 64 */
    ADD(m, SpvOpConstant, UINT, m->type[0][0], 64);
    enter(m);
    uint32_t id = invocation(m), result = fresh(m);
    flag = fetch(m, id, ACTIVE, 'b', 32);
    ADD(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    ADD(m, SpvOpBranchConditional, flag, body, merge);
    ADD(m, SpvOpLabel, body);
    w[0] = c->gives == GIVES_VALUE  ? number_type(m, g->kind, g->width)
           : c->gives == GIVES_FLAG ? BOOL
           : c->gives == GIVES_SET  ? vec4
                                    : UINT;
    w[1] = result;
    words(m, c->opcode, w, 2 + add_operands(m, c, g, id, vec4, w + 2));
    if (c->gives == GIVES_SET) {
        uint32_t low = fresh(m), high = fresh(m);
        ADD(m, SpvOpCompositeExtract, UINT, low, result, 0);
        ADD(m, SpvOpCompositeExtract, UINT, high, result, 1);
        output(m, id, 0, low);
        output(m, id, 1, high);
    } else {
        bool value = c->gives == GIVES_VALUE;
        put(m, id, 0, value ? g->kind : c->gives == GIVES_FLAG ? 'b' : 'i', value ? g->width : 32, result);
    }
    ADD(m, SpvOpBranch, merge);
    ADD(m, SpvOpLabel, merge);
    leave(m);
}

/* ---- values ---- */

/* Sums and products of floats are exact: small integers, and powers of two that do not add up to much. */
static uint64_t value_for(const struct group *g, unsigned lane, uint32_t random, bool product, bool equal)
{
    if (g->kind == 'f' && equal && !product)
        return float_bits(-0.0L, g->width);
    if (g->kind == 'b')
        return random & 1;
    if (g->kind == 'i')
        return cut_to((uint64_t)random * 0x9e3779b97f4a7c15u >> (lane % 3 ? 0 : 40), g->width);
    double v = product ? (lane % 16 == 1 ? 2 : lane % 16 == 9 ? 0.5 : random & 1 ? 1 : -1) : (double)(random % 7) - 3;
    return float_bits((long double)v, g->width);
}

static const uint64_t sets[] = {UINT64_MAX, 0xdb6db6db6db6db6eu, 0xffffffff00000020u, 0x20};

static void fill(struct group *g, uint32_t *in, uint32_t *out, unsigned workgroup, bool product, bool equal)
{
    uint32_t random = 12345 + workgroup;
    g->active = sets[workgroup];
    g->flags = 0x8000000000000020u | (uint64_t)workgroup << 37;
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned i = workgroup * LANES + lane;
        random = random * 1664525 + 1013904223;
        g->value[lane] = equal && lane ? g->value[0] : value_for(g, lane, random >> 8, product, equal);
        g->named[lane] = random >> 9 & 63;
        g->key[lane] = random >> 15 & 3;
        set_number(in, i, VALUE, g->width, g->value[lane]);
        in[i * STRIDE + FLAG] = g->flags >> lane & 1;
        in[i * STRIDE + ACTIVE] = is_active(g, lane);
        in[i * STRIDE + NAMED_LANE] = g->named[lane];
        in[i * STRIDE + KEY] = g->key[lane];
        set_number(out, i, 0, 64, 0xdeadbeefdeadbeef);
    }
}

static void check(const struct group_case *c, const struct group *g, const uint32_t *out, unsigned workgroup)
{
    unsigned width = c->gives == GIVES_SET ? 64 : c->gives == GIVES_VALUE && g->kind != 'b' ? g->width : 32;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t expected = 0xdeadbeef, have;
        bool known = true;
        have = number_at(out, workgroup * LANES + lane, 0, is_active(g, lane) ? width : 32);
        if (is_active(g, lane))
            known = c->fold ? folded(g, lane, c->fold, &expected) : c->oracle(g, lane, &expected);
        bool zeros = g->kind == 'f' && !scans[g->scan].own && float_of(have, g->width) == 0; /* of either sign */
        if (known && have != expected && !(zeros && float_of(expected, g->width) == 0))
            fail_msg("%s of %c%u, scan %u, group %u, lane %u is 0x%llx, expected 0x%llx", c->name, g->kind, g->width,
                     g->scan, workgroup, lane, (unsigned long long)have, (unsigned long long)expected);
    }
}

static void one(const struct group_case *c, char kind, unsigned width, unsigned scan, bool equal)
{
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    struct group g[COUNT / LANES];
    struct module m;
    for (unsigned k = 0; k < COUNT / LANES; k++) {
        g[k] = (struct group){.kind = kind, .width = width, .scan = scan};
        fill(&g[k], in, out, k, c->fold == fold_multiply, equal);
    }
    make(&m, c, g);
    if (!run(&m, in, out))
        return;
    for (unsigned k = 0; k < COUNT / LANES; k++)
        check(c, &g[k], out, k);
}

/* Which operations an instruction has: all eight, three, one. */
static unsigned scans_of(const struct group_case *c)
{
    if (!strchr(c->operands, 'o'))
        return 1;
    return c->fold && strncmp(c->name, "GroupNonUniform", 15) == 0 ? SCANS : 3;
}

static void groups(void **state)
{
    unsigned tried = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (const char *kind = cases[i].kinds; *kind; kind++)
            for (unsigned width = 8; width <= 64; width *= 2)
                for (unsigned scan = 0; scan < scans_of(&cases[i]); scan++)
                    if ((*kind != 'f' || width > 8) && (*kind != 'b' || width == 32))
                        for (unsigned equal = 0; equal < 2; equal++)
                            if (!test_left_out(&tried, 37))
                                one(&cases[i], *kind, width, scan, equal);
}

TEST_MAIN(TEST(groups))
