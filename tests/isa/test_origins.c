/* test_origins.c - which instruction an op of the lane IR says that it is of: of each program of the jobs, ops of a
 * block are of its instructions, in their order. Faults, traces and what is outside memory are told by it. */
#include "test.h"

#include <dirent.h>

#include "base/arena.h"
#include "isa/isa.h"

enum { TEXT = 1 << 16 };

static const struct folder {
    const char *name, *format, *isa;
    unsigned more; /* instructions of a block that it may not count */
} folders[] = {{"tests/amber", "TGSI", "tgsi", 3},
               {"tests/amber/tesla", "TESLA-ASM", "tesla", 1},
               {"tests/amber/valhall", "VALHALL-ASM", "valhall", 0},
               {"tests/amber/rogue", "ROGUE-ASM", "rogue", 0},
               {"tests/amber/vpu", "VPU-ASM", "vpu", 1},
               {"examples/tesla", "TESLA-ASM", "tesla", 1},
               {"examples/valhall", "VALHALL-ASM", "valhall", 0},
               {"examples/rogue", "ROGUE-ASM", "rogue", 0}};

static const struct {
    const char *name;
    enum ir_stage stage;
} stages[] = {{"compute", IR_COMPUTE},
              {"vertex", IR_VERTEX},
              {"fragment", IR_FRAGMENT},
              {"geometry", IR_GEOMETRY},
              {"tessellation_control", IR_TESS_CTRL},
              {"tessellation_evaluation", IR_TESS_EVAL}};

static unsigned count, wrong;

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
static void check_program(const struct ir_program *p, const struct folder *f, const char *what)
{
    for (uint32_t n = IR_ENTRY; n < p->nblocks; n++) {
        const struct ir_block *b = &p->blocks[n];
        uint32_t last = b->insn, end = b->insn + b->insns + f->more, next = f->more ? UINT32_MAX : next_of(p, b);
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

/* Lines of a shader that begin with .link are its linkage: they are blanks in its text, and the others in the other. */
static void part_links(char *text, char *links)
{
    for (char *line = text, *link = links; *line;) {
        size_t length = strcspn(line, "\n");
        char *blank = strncmp(line, ".link", 5) == 0 ? line : link;
        memcpy(link, line, length + 1);
        memset(blank, ' ', length);
        if (blank == line)
            memset(link, ' ', 5);
        line += length + (line[length] == '\n');
        link += length + 1;
        *link = '\0';
    }
}

static void check_shader(const struct folder *f, enum ir_stage stage, char *text, const char *what)
{
    static char links[TEXT];
    const struct isa *isa = isa_find(f->isa);
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    links[0] = '\0';
    if (isa->takes_linkage)
        part_links(text, links);
    struct source src = {what, text, strlen(text)};
    struct isa_linkage linkage = {{what, links, strlen(links)}};
    struct isa_params params = {.stage = (int)stage, .linkage = strstr(links, "   ") ? &linkage : NULL};
    struct isa_module *m = NULL;
    struct ir_program *p = NULL;
    if (isa->parse(&src, &params, &a, &m, d) == WEFT_OK && isa->check(m, &src, &params, d) == WEFT_OK &&
        isa->lift(m, &src, &a, &p, d) == WEFT_OK) {
        check_program(p, f, what);
        count++;
    }
    weft_diags_free(d);
    arena_free(&a);
}

/* Each "SHADER stage name FORMAT", to its END. */
static void check_job(const struct folder *f, char *text, const char *name)
{
    for (char *at = text; (at = strstr(at, "\nSHADER ")); at++) {
        char stage[40], what[400], format[40];
        char *begin = strchr(at + 1, '\n'), *end = begin ? strstr(begin, "\nEND\n") : NULL;
        if (!end || sscanf(at, " SHADER %39s %*s %39s", stage, format) != 2 || strcmp(format, f->format) != 0)
            continue;
        snprintf(what, sizeof what, "%s %s %s", f->isa, name, stage);
        *end = '\0';
        for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
            if (strcmp(stages[s].name, stage) == 0)
                check_shader(f, stages[s].stage, begin + 1, what);
        at = end;
        *end = '\n';
    }
}

static void ops_are_of_their_block(void **state)
{
    (void)state;
    static char text[TEXT];
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, folders[k].name);
        DIR *dir = opendir(path);
        unsigned before = count;
        for (const struct dirent *e; dir && (e = readdir(dir));) {
            if (!strstr(e->d_name, ".amber"))
                continue;
            snprintf(path, sizeof path, "%s/%s/%s", WEFT_SOURCE_ROOT, folders[k].name, e->d_name);
            FILE *in = fopen(path, "rb");
            size_t size = in ? fread(text, 1, TEXT - 1, in) : 0;
            text[size] = '\0';
            if (in)
                fclose(in);
            check_job(&folders[k], text, e->d_name);
        }
        if (dir)
            closedir(dir);
        print_message("# %s: %u programs\n", folders[k].name, count - before);
        assert_true(count - before > 1);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(ops_are_of_their_block))
