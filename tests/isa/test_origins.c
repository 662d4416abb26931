/* test_origins.c - which instruction an op of the lane IR says that it is of: of each program of the jobs, ops of a
 * block are of its instructions, in their order. Faults, traces and what is outside memory are told by it. */
#include "jobs.h"

#include "base/arena.h"

static unsigned count, wrong;

/* Instructions of a block that it may not count. */
static unsigned more_of(const struct job_folder *f)
{
    return strcmp(f->isa, "tgsi") == 0 ? 3 : strcmp(f->isa, "tesla") == 0 || strcmp(f->isa, "vpu") == 0;
}

/* Where the next block begins. Blocks without an address are where programs end. */
static uint32_t next_of(const struct ir_program *p, const struct ir_block *b)
{
    uint32_t next = UINT32_MAX;
    for (uint32_t k = IR_ENTRY; k < p->nblocks; k++)
        if (p->blocks[k].addr != UINT64_MAX && p->blocks[k].insn > b->insn && p->blocks[k].insn < next)
            next = p->blocks[k].insn;
    return next;
}

/* Ops of a block come in the order of instructions, and are of those that it counts; what goes on to another block may
 * be of that one's. Some blocks do not count an instruction, or two: those that TGSI's begin with, and do together with
 * an IF; Tesla's that wait for a lock, which is counted where it waits; what the VPU's code ends with. Rogue counts
 * more than one of a group: where the next block begins says more. */
static void check_program(const struct ir_program *p, const struct job_folder *f, const char *what)
{
    unsigned more = more_of(f);
    for (uint32_t n = IR_ENTRY; n < p->nblocks; n++) {
        const struct ir_block *b = &p->blocks[n];
        uint32_t last = b->insn, end = b->insn + b->insns + more, next = more ? UINT32_MAX : next_of(p, b);
        for (uint32_t i = 0; i < b->count; i++) {
            uint32_t insn = b->ops[i].insn;
            bool beyond = b->insns ? (insn >= end || insn >= next) && b->ops[i].code != IR_GOTO
                                   : p->ninsns && insn >= p->ninsns;
            if ((insn < last || beyond) && wrong++ < 20)
                print_message("# %s: block %u has %u instructions from %u on, and %s of %u after %u\n", what, n,
                              b->insns, b->insn, ir_op_info[b->ops[i].code].text, insn, last);
            last = insn;
        }
    }
}

static void check_shader(const struct job_shader *s)
{
    const struct isa *isa = isa_find(s->folder->isa);
    char what[400];
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct source src = {s->file, s->text, strlen(s->text)};
    struct isa_linkage linkage = {{s->file, s->links, strlen(s->links)}};
    struct isa_params params = {
        .stage = (int)s->stage, .chip = s->chip, .linkage = strstr(s->links, "   ") ? &linkage : NULL};
    struct isa_module *m = NULL;
    struct ir_program *p = NULL;
    snprintf(what, sizeof what, "%s %s %s", s->folder->isa, s->file, s->name);
    if (isa->parse(&src, &params, &a, &m, d) == WEFT_OK && isa->check(m, &src, &params, d) == WEFT_OK &&
        isa->lift(m, &src, &a, &p, d) == WEFT_OK) {
        check_program(p, s->folder, what);
        count++;
    }
    weft_diags_free(d);
    arena_free(&a);
}

static void ops_are_of_their_block(void **state)
{
    (void)state;
    for (size_t k = 0; k < JOB_FOLDERS; k++) {
        unsigned before = count;
        job_each_of(&job_folders[k], check_shader);
        print_message("# %s: %u programs\n", job_folders[k].name, count - before);
        assert_true(count > before);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(ops_are_of_their_block))
