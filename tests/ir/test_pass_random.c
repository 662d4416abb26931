/* Random programs do the same before and after each pass, and print and parse back to themselves. */
#include "ir_text.h"

#include "eval.h"
#include "ir/pass.h"
#include "random_program.h"

enum { SPACE = 256, BUDGET = 300 };

/* All that a run changes. */
struct outcome {
    uint64_t files[5][8], output[EVAL_OUTPUTS];
    uint8_t space[2][SPACE];
    bool discarded, ended;
};

static void run(const struct ir_program *p, uint64_t seed, unsigned lane, struct outcome *o)
{
    struct test_rng r = {seed};
    static const unsigned bits[] = {32, 16, 32, 1, 32};
    struct eval_lane l = {.p = p, .lane = lane};
    memset(o, 0, sizeof *o);
    for (unsigned f = 0; f < 5; f++) {
        for (unsigned i = 0; i < 8; i++) {
            uint64_t *v = &o->files[f][i];
            *v = test_next64(&r) >> (64 - bits[f]);
            if (f < 4 && bits[f] == 32 && !(*v & 0x7f800000)) /* registers begin as zeros: at least not as denormals */
                *v = 0;
        }
        l.file[f] = o->files[f];
    }
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned i = 0; i < SPACE; i++)
            o->space[s][i] = (uint8_t)test_next(&r);
        l.space[s] = o->space[s];
        l.space_size[s] = SPACE;
    }
    o->ended = eval_run(&l, BUDGET);
    memcpy(o->output, l.output, sizeof o->output);
    o->discarded = l.discarded;
    for (unsigned f = 0; f < 4; f++) /* nobody looks at registers that are not preserved */
        memset(o->files[f], 0, sizeof o->files[f]);
}

static unsigned flat; /* programs that had a branch around little */

static void flatten(struct ir_program *p)
{
    flat += ir_pass_flatten(p);
}

static const struct {
    const char *name;
    void (*pass)(struct ir_program *p);
} passes[] = {
    {"forward", ir_pass_forward}, {"fold", ir_pass_fold}, {"cse", ir_pass_cse},           {"dead", ir_pass_dead},
    {"hoist", ir_pass_hoist},     {"blocks", ir_pass_blocks}, {"flush", ir_pass_flush},   {"flatten", flatten},
    {"number", ir_pass_number},   {"minmax", ir_pass_minmax}, {"nan", ir_pass_nan}, {"nan_reads", ir_pass_nan_reads},
    {"optimise", ir_optimise},
};
enum { PASSES = sizeof passes / sizeof passes[0] };

static struct ir_program *make(struct arena *a, uint64_t seed)
{
    struct test_rng r = {seed};
    struct random_options o = {
        .blocks = 2 + test_next(&r) % 8, .ops = 1 + test_next(&r) % 40, .control = seed % 2, .backward = seed % 3 == 0};
    o.arms = o.control && seed % 5 == 0;
    o.tight = seed % 7 < 3;
    struct ir_program *p = random_program(a, &r, o);
    p->integer_targets = true; /* all outputs are compared */
    if (seed % 4 == 0)
        ir_nans_of_x86(p);
    return p;
}

static void same_results(void **state)
{
    (void)state;
    struct test_rng r = test_seed("random programs");
    unsigned ended = 0, before_ops = 0, after_ops = 0;
    for (unsigned n = 0; n < 1500; n++) {
        uint64_t seed = test_next64(&r);
        struct arena a = {0};
        struct ir_program *p = make(&a, seed);
        struct outcome before[2], after;
        assert_verifies(p);
        for (unsigned lane = 0; lane < 2; lane++)
            run(p, seed + lane, lane, &before[lane]);
        ended += before[0].ended;
        for (unsigned k = 0; k < PASSES; k++) {
            struct arena b = {0};
            struct ir_program *q = make(&b, seed);
            passes[k].pass(q);
            assert_verifies(q);
            for (unsigned lane = 0; lane < 2; lane++) {
                run(q, seed + lane, lane, &after);
                if (before[lane].ended && memcmp(&before[lane], &after, sizeof after)) {
                    print_message("# program %#llx differs after %s\n# before:\n%s# after:\n%s",
                                  (unsigned long long)seed, passes[k].name, text_of(&a, p), text_of(&b, q));
                    fail_msg("a pass changed what a program does");
                }
            }
            for (uint32_t i = 0; k + 1 == PASSES && i < q->nblocks; i++)
                after_ops += q->blocks[i].count;
            arena_free(&b);
        }
        for (uint32_t i = 0; i < p->nblocks; i++)
            before_ops += p->blocks[i].count;
        arena_free(&a);
    }
    print_message("# %u of 1500 programs ended, %u had flat branches; %u ops before, %u after\n", ended, flat,
                  before_ops, after_ops);
    assert_true(flat > 50);
    assert_true(ended > 500);
    assert_true(after_ops < before_ops);
}

static void same_text(void **state)
{
    (void)state;
    struct test_rng r = test_seed("printed programs");
    for (unsigned n = 0; n < 500; n++) {
        uint64_t seed = test_next64(&r);
        struct arena a = {0};
        struct ir_program *p = make(&a, seed);
        if (n % 2)
            ir_optimise(p);
        const char *text = text_of(&a, p);
        struct ir_program *q = ir_of(&a, text);
        assert_verifies(q);
        assert_string_equal(text_of(&a, q), text);
        struct outcome x, y;
        run(p, seed, 1, &x);
        run(q, seed, 1, &y);
        assert_memory_equal(&x, &y, sizeof x);
        arena_free(&a);
    }
}

TEST_MAIN(TEST(same_results), TEST(same_text))
