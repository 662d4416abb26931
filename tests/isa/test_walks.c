/* test_walks.c - control policies, step by step: where each operation sends whom, what faults it has and what the
 * policy says of its state, for random lanes, targets and orders of operations. Jobs say whether that is right; here it
 * is what it was when somebody looked last: walks.txt has a line for each operation. WEFT_TEST_RENEW=1 writes it anew.
 */
#include "snapshot.h"
#include "walks.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/program.h"

#include <inttypes.h>

enum { BLOCKS = 24, WALKS = 160, STEPS = 120, LANES = EXEC_MAX_LANES, OPEN = 12, MOST_OPS = 20, ROOM = 4000 };
enum { ADDRESS = 0x40 }; /* from one block to the next */

static const struct walked *const policies[] = {
    &walked_tgsi, &walked_tgsi_jumps, &walked_tesla, &walked_valhall,
#ifdef WEFT_ISA_SPIRV
    &walked_spirv,
#endif
};

/* What is known of the operation: how often it went where, and a number of all that it did. */
struct told {
    unsigned steps, to[IR_TARGETS], elsewhere, faults;
    uint64_t digest;
};

static struct {
    struct arena arena;
    struct ir_program *ir;
    struct exec_program *compiled;
    char text[16384];
    size_t size;
} all;

/* Blocks with addresses, for branches to what a register holds. */
static void make_blocks(void)
{
    weft_diags *d = weft_diags_new();
    struct exec_options options = {.extensible = true};
    all.ir = ir_program_new(&all.arena, "t", IR_COMPUTE, LANES);
    for (uint32_t b = IR_ENTRY; b < BLOCKS; b++) {
        struct ir_builder builder = {all.ir, b == IR_ENTRY ? b : ir_new_block(all.ir), 0};
        all.ir->blocks[b].addr = (uint64_t)ADDRESS * b;
        ir_end(&builder);
    }
    if (ir_verify(all.ir, d) != WEFT_OK || exec_compile(all.ir, &options, &all.arena, &all.compiled, d) != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    weft_diags_free(d);
}

static uint64_t mixed_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = test_mixed(digest, (unsigned char)*text);
    return digest;
}

/* ---- a walk ---- */

struct walk {
    const struct walked *of;
    struct test_rng *random;
    void *state;
    struct exec_masks m;
    char open[OPEN + 1]; /* constructs, the innermost last */
    unsigned nopen;
    uint32_t rows[2][LANES];
};

static lane_mask some_lanes(struct walk *w)
{
    static const lane_mask often[] = {0, ~(lane_mask)0, 1, 0xff, (lane_mask)1 << 63};
    uint32_t which = test_next(w->random) % 12;
    lane_mask some = test_next64(w->random), fewer = which < 9 ? some : test_next64(w->random);
    return which < 5 ? often[which] : some & fewer;
}

static void begin(struct walk *w)
{
    static const unsigned lanes[] = {64, 32, 16, 13, 4, 1};
    w->m.all = ~(lane_mask)0 >> (LANES - lanes[test_next(w->random) % 6]);
    w->m.active = w->m.live = w->m.all;
    w->m.program = all.compiled;
    w->nopen = 0;
    w->of->policy->start(w->state, &w->m);
}

/* Whether the operation may come now: where constructs nest it needs the one that it is of. */
static bool may_come(const struct walk *w, const struct walked_op *op)
{
    char top = w->nopen ? w->open[w->nopen - 1] : '-';
    if (op->opens && w->nopen == OPEN)
        return false;
    return !op->of || strchr(op->of, top);
}

/* Where constructs nest most operations are of the innermost: else they would not end. */
static const struct walked_op *next_op(struct walk *w)
{
    const struct walked_op *op;
    bool inner = w->nopen && test_next(w->random) % 3;
    do
        op = &w->of->ops[test_next(w->random) % w->of->nops];
    while (!may_come(w, op) || (inner && op->opens));
    return op;
}

static void fill_rows(struct walk *w)
{
    uint32_t one = ADDRESS * (1 + test_next(w->random) % BLOCKS);
    bool wrong = test_next(w->random) % 8 == 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t address = ADDRESS * (test_next(w->random) % (BLOCKS + wrong));
        w->rows[0][lane] = w->m.active >> lane & 1 ? one | test_next(w->random) << 24 : test_next(w->random);
        w->rows[1][lane] = address;
    }
}

static unsigned target_of(const struct ir_control *c, uint32_t block)
{
    unsigned i = 0;
    while (i < c->ntargets && c->target[i] != block)
        i++;
    return i;
}

static void take_step(struct walk *w, const struct walked_op *op, struct told *told)
{
    static char text[ROOM];
    unsigned fewer = op->may_lack_condition && test_next(w->random) % 8 == 0;
    unsigned imm = test_next(w->random) % 5;
    struct ir_control c = {
        .op = (uint16_t)op->op, .ntargets = (uint8_t)(op->targets - fewer), .imm = imm < 4 ? imm : 158};
    const lane_mask args[2] = {some_lanes(w) & w->m.active, 0};
    const void *const rows[2] = {w->rows[0], w->rows[1]};
    const char *fault = NULL;
    uint32_t first = 1 + test_next(w->random) % (BLOCKS - 8), step = 1 + test_next(w->random) % 3;
    for (unsigned i = 0; i < c.ntargets; i++)
        c.target[i] = first + i * step;
    if (c.ntargets && test_next(w->random) % 4 == 0) { /* back */
        uint32_t last = c.target[c.ntargets - 1];
        c.target[c.ntargets - 1] = c.target[0];
        c.target[0] = last;
    }
    fill_rows(w);
    uint32_t to = w->of->policy->control(w->state, &w->m, &c, args, rows, &fault);
    unsigned target = target_of(&c, to);
    told->steps++;
    told->faults += fault != NULL;
    *(target < c.ntargets ? &told->to[target] : &told->elsewhere) += 1;
    w->of->policy->describe(w->state, all.ir, text, sizeof text);
    told->digest = mixed_text(test_mixed(test_mixed(test_mixed(told->digest, to), w->m.active), w->m.live), text);
    told->digest = mixed_text(told->digest, fault ? fault : "");
    if (w->nopen && op->closes && strchr(op->closes, (char)('0' + target)))
        w->nopen--;
    else if (op->opens && target == 0 && !fault)
        w->open[w->nopen++] = op->opens;
    else if (w->nopen && op->turns && (target == 0 || op->always))
        w->open[w->nopen - 1] = op->turns;
}

static void walk(const struct walked *of, struct told *told)
{
    struct test_rng random = {1};
    struct walk w = {.of = of, .random = &random, .state = calloc(1, of->policy->state_size)};
    assert_non_null(w.state);
    for (unsigned k = 0; k < WALKS; k++) {
        begin(&w);
        for (unsigned i = 0; i < STEPS; i++) {
            const struct walked_op *op = next_op(&w);
            take_step(&w, op, &told[op - of->ops]);
        }
    }
    free(w.state);
}

/* One operation again and again: until there is no room. */
static void fill(const struct walked *of, struct told *told)
{
    for (unsigned k = 0; k < of->nops; k++) {
        struct test_rng random = {1};
        struct walk w = {.of = of, .random = &random, .state = calloc(1, of->policy->state_size)};
        assert_non_null(w.state);
        begin(&w);
        for (unsigned i = 0; i < 300 && !of->nests; i++)
            take_step(&w, &of->ops[k], &told[k]);
        free(w.state);
    }
}

static void tell(const struct walked *of)
{
    struct told told[MOST_OPS] = {{0}};
    assert_true(of->nops <= MOST_OPS);
    walk(of, told);
    fill(of, told);
    for (unsigned k = 0; k < of->nops; k++) {
        const struct told *t = &told[k];
        all.size += (size_t)snprintf(all.text + all.size, sizeof all.text - all.size,
                                     "%s %s: %u steps, to %u %u %u, %u elsewhere, %u faults, %016" PRIx64 "\n",
                                     of->policy->name, of->ops[k].name, t->steps, t->to[0], t->to[1], t->to[2],
                                     t->elsewhere, t->faults, t->digest);
        assert_true(all.size < sizeof all.text);
    }
}

/* A build without SPIR-V does not walk its policy. */
static bool is_walked(const char *line)
{
#ifdef WEFT_ISA_SPIRV
    (void)line;
    return true;
#else
    return strncmp(line, "spirv ", strlen("spirv ")) != 0;
#endif
}

static void each_goes_where_it_went(void **state)
{
    (void)state;
    make_blocks();
    for (unsigned k = 0; k < sizeof policies / sizeof *policies; k++)
        tell(policies[k]);
    snapshot_compare_tried(WEFT_SOURCE_ROOT "/tests/isa/walks.txt", all.text, is_walked);
    arena_free(&all.arena);
}

TEST_MAIN(TEST(each_goes_where_it_went))
