/* test_decode.c - single groups (weft/insn.h) against the disassembler and the lift: the same groups are known, with
 * the same text and the same targets, and what operands say is read and written is what the IR reads and writes. */
#include "test.h"

#include "ir/pass.h"
#include "isa/rogue/insn.h"
#include "isa/rogue/lift.h"

#include <dirent.h>
#include <weft/weft.h>

#ifndef WEFT_SHARED_DEFAULT
#define WEFT_SHARED_DEFAULT "../shared"
#endif

enum { MOST_BYTES = 1 << 16, ROUNDS = 400 };

static const char *vectors(void)
{
    static char path[1000];
    const char *shared = getenv("WEFT_SHARED");
    snprintf(path, sizeof path, "%s/vectors/rogue", shared ? shared : WEFT_SHARED_DEFAULT);
    return path;
}

/* ---- against the disassembler ---- */

/* The line without its number. */
static const char *after_number(const char *line)
{
    return strchr(line, ':') + 2;
}

static void check_target(const struct isa_module *m, uint32_t i, const weft_insn *insn)
{
    const struct rogue_insn *branch = rogue_branch_of(&m->groups[i]);
    assert_int_equal(branch != NULL, insn->has_target != 0);
    uint32_t to = branch ? rogue_target_of(m, &m->groups[i]) : UINT32_MAX;
    if (to < m->ngroups)
        assert_int_equal(m->groups[to].offset, insn->target);
}

static void check_program(const weft_decoder *decoder, const uint8_t *bytes, size_t size, const char *what)
{
    struct arena arena = {0};
    struct isa_params params = {.stage = -1};
    struct isa_module *m;
    char *text;
    size_t length, at = 0;
    assert_int_equal(rogue_decode(bytes, size, NULL, &params, &arena, &m, NULL), WEFT_OK);
    assert_int_equal(rogue_print(m, &arena, &text, &length, NULL), WEFT_OK);
    for (uint32_t i = 0; i < m->ngroups; i++) {
        weft_insn insn;
        char line[WEFT_INSN_TEXT];
        weft_status status = weft_insn_decode(decoder, bytes + at, size - at, at, &insn);
        char *end = strchr(text, '\n');
        *end = '\0';
        weft_insn_text(decoder, &insn, NULL, line, sizeof line, NULL, NULL);
        if (strcmp(after_number(text), line) != 0)
            fail_msg("%s, group %u: '%s' is not '%s'", what, i, line, after_number(text));
        text = end + 1;
        assert_int_equal(status == WEFT_OK, m->groups[i].data == NULL);
        if (insn.size == 0)
            break; /* cut off: the last one */
        assert_int_equal(insn.size, m->groups[i].size);
        check_target(m, i, &insn);
        at += insn.size;
    }
    arena_free(&arena);
}

static size_t read_whole(const char *path, uint8_t *bytes)
{
    FILE *in = fopen(path, "rb");
    size_t size = in ? fread(bytes, 1, MOST_BYTES, in) : 0;
    if (in)
        fclose(in);
    return size;
}

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t n = 0;
    unsigned byte;
    while (sscanf(hex + 2 * n, "%2x", &byte) == 1)
        bytes[n++] = (uint8_t)byte;
    return n;
}

typedef void group_fn(void *context, const uint8_t *bytes, size_t size, const char *what);

/* Every group of the vectors, by itself. */
static void each_vector(group_fn *fn, void *context)
{
    static char line[4096];
    char path[1100];
    snprintf(path, sizeof path, "%s/groups.tsv", vectors());
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        uint8_t bytes[64];
        line[strcspn(line, "\t\n")] = '\0';
        size_t size = from_hex(line, bytes);
        fn(context, bytes, size, line);
    }
    if (in)
        fclose(in);
    else
        print_message("# no %s\n", path);
}

/* Forms of every row with some of their bits turned at random. */
static void each_random(const weft_decoder *decoder, group_fn *fn, void *context)
{
    struct test_rng rng = test_seed("forms");
    for (uint32_t row = 0; row < ROGUE_OPS; row++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t bytes[ISA_FORM_BYTES] = {0};
            char what[128] = "";
            const char *name;
            uint32_t form = round % rogue_nforms(row);
            size_t size = weft_insn_form(decoder, row, form, bytes, sizeof bytes, &name);
            for (uint64_t turns = test_next64(&rng) % 8; turns > 0 && size > 2; turns--) {
                uint64_t bit = 8 + test_next64(&rng) % (8 * size - 8);
                bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
            for (size_t i = 0; i < size; i++)
                snprintf(what + 2 * i, sizeof what - 2 * i, "%02x", bytes[i]);
            fn(context, bytes, size, what);
        }
}

static void as_listed(void *context, const uint8_t *bytes, size_t size, const char *what)
{
    check_program(context, bytes, size, what);
}

static weft_decoder *new_decoder(void)
{
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new("rogue", NULL, &decoder), WEFT_OK);
    return decoder;
}

static void shaders(void **state)
{
    (void)state;
    static uint8_t bytes[MOST_BYTES];
    char path[1400];
    weft_decoder *decoder = new_decoder();
    snprintf(path, sizeof path, "%s/shaders", vectors());
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/shaders/%s", vectors(), entry->d_name);
        if (strstr(entry->d_name, ".bin"))
            check_program(decoder, bytes, read_whole(path, bytes), entry->d_name);
    }
    if (dir)
        closedir(dir);
    weft_decoder_free(decoder);
}

static void listed(void **state)
{
    (void)state;
    weft_decoder *decoder = new_decoder();
    each_vector(as_listed, decoder);
    each_random(decoder, as_listed, decoder);
    weft_decoder_free(decoder);
}

/* ---- against the lift ---- */

/* Registers of the files that are registers in the IR: those of coefficients and shared registers are values. */
enum { FILES = 10, NUMBERS = 256 };
static const char *const files[FILES] = {"r", "vi", "o", "i", "idx", "p0", "pe", "link", "cover", "phase"};
enum { IDX = 4, COVER = 8 };
struct registers {
    bool at[FILES][NUMBERS], indexed[FILES];
};

static int file_of(const char *name)
{
    for (int f = 0; f < FILES; f++)
        if (strcmp(files[f], name) == 0)
            return f;
    return -1;
}

/* What the groups of a lifted program do. Blocks without an address are where it ends: results land there, and outputs
 * are made of registers. */
static void note_ir(const struct ir_program *p, struct registers *reads, struct registers *writes)
{
    for (uint32_t b = 0; b < p->nblocks; b++) {
        bool ending = p->blocks[b].addr == UINT64_MAX;
        for (uint32_t i = 0; b != IR_ENTRY && b != IR_PROLOGUE && i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            bool get = op->code == IR_GET || op->code == IR_GET_DYN, set = op->code == IR_SET || op->code == IR_SET_DYN;
            if (!get && !set)
                continue;
            const struct ir_reg *reg = &p->regs[op->desc];
            int f = file_of(p->files[reg->file].name);
            bool dynamic = op->code == IR_GET_DYN || op->code == IR_SET_DYN;
            if (f < 0 || (ending && (set ? f > IDX : f <= IDX || f >= COVER)))
                continue;
            struct registers *to = get ? reads : writes;
            if (dynamic)
                to->indexed[f] = true;
            else if (reg->elem < NUMBERS)
                to->at[f][reg->elem] = true;
        }
    }
}

static void note_operands(const weft_operand *operands, size_t n, struct registers *reads, struct registers *writes)
{
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        int f = o->kind == WEFT_OPERAND_REGISTER ? file_of(o->reg.file) : -1;
        if (o->kind == WEFT_OPERAND_REGISTER && o->indirect && o->access)
            reads->at[IDX][o->index.number] = true;
        for (uint32_t k = 0; f >= 0 && k < o->count && o->reg.number + k < NUMBERS; k++) {
            if (o->access & WEFT_READ)
                *(o->indirect ? &reads->indexed[f] : &reads->at[f][o->reg.number + k]) = true;
            if (o->access & WEFT_WRITE)
                *(o->indirect ? &writes->indexed[f] : &writes->at[f][o->reg.number + k]) = true;
        }
    }
}

/* Everything in `all` is in `of`; how often it is not. */
static unsigned check_within(const struct registers *all, const struct registers *of, const char *what,
                             const char *says)
{
    unsigned wrong = 0;
    for (int f = 0; f < FILES; f++) {
        if (all->indexed[f] && !of->indexed[f] && ++wrong)
            print_message("# %s: %s %s[idx]\n", what, says, files[f]);
        for (unsigned n = 0; n < NUMBERS; n++)
            if (all->at[f][n] && !of->at[f][n] && ++wrong)
                print_message("# %s: %s %s%u\n", what, says, files[f], n);
    }
    return wrong;
}

static struct ir_program *lift(const uint8_t *bytes, size_t size, struct arena *arena)
{
    static const int stages[] = {IR_COMPUTE, IR_FRAGMENT, IR_VERTEX, IR_GEOMETRY, IR_TESS_CTRL};
    struct ir_program *p = NULL;
    for (size_t s = 0; !p && s < sizeof stages / sizeof *stages; s++) {
        struct isa_params params = {.stage = stages[s]};
        struct isa_module *m;
        weft_diags *diags = weft_diags_new();
        assert_int_equal(rogue_decode(bytes, size, NULL, &params, arena, &m, NULL), WEFT_OK);
        if (rogue_check(m, NULL, &params, diags) != WEFT_OK || rogue_lift(m, NULL, arena, &p, diags) != WEFT_OK)
            p = NULL;
        weft_diags_free(diags);
    }
    return p;
}

struct lifted {
    weft_decoder *decoder;
    unsigned count, wrong;
};

/* The IR reads no register but those that operands name; what they name it reads, unless the table says that the lift
 * does without ([x]) or nothing needs the value. */
static void as_lifted(void *context, const uint8_t *bytes, size_t size, const char *what)
{
    static struct registers ir_reads, ir_writes, live_reads, live_writes, reads, writes;
    static weft_operand operands[WEFT_INSN_OPERANDS];
    struct lifted *l = context;
    struct arena arena = {0};
    weft_insn insn;
    if (weft_insn_decode(l->decoder, bytes, size, 0, &insn) != WEFT_OK)
        return;
    struct ir_program *p = lift(bytes, size, &arena);
    if (p) {
        char title[WEFT_INSN_TEXT + 100], text[WEFT_INSN_TEXT];
        weft_insn_text(l->decoder, &insn, NULL, text, sizeof text, NULL, NULL);
        snprintf(title, sizeof title, "%s %s", what, text);
        ir_reads = ir_writes = live_reads = live_writes = reads = writes = (struct registers){0};
        note_ir(p, &ir_reads, &ir_writes);
        for (uint32_t i = 0; i < p->nfiles; i++)
            p->files[i].preserved = true;
        ir_pass_dead(p);
        note_ir(p, &live_reads, &live_writes);
        size_t n = weft_insn_operands(l->decoder, &insn, operands, WEFT_INSN_OPERANDS);
        note_operands(operands, n, &reads, &writes);
        uint64_t without = rogue_not_lifted(&insn);
        l->wrong += check_within(&live_reads, &reads, title, "no operand says that it reads");
        l->wrong += check_within(&ir_writes, &writes, title, "no operand says that it writes");
        for (size_t i = 0; i < n; i++)
            if (without >> i & 1)
                operands[i].access = 0;
        reads = writes = (struct registers){0};
        note_operands(operands, n, &reads, &writes);
        l->wrong += check_within(&reads, &ir_reads, title, "the IR does not read");
        l->wrong += check_within(&writes, &ir_writes, title, "the IR does not write");
        l->count++;
    }
    arena_free(&arena);
}

static void lifted(void **state)
{
    (void)state;
    struct lifted l = {new_decoder(), 0, 0};
    each_vector(as_lifted, &l);
    each_random(l.decoder, as_lifted, &l);
    print_message("# %u groups were lifted\n", l.count);
    assert_true(l.count > ROGUE_OPS);
    assert_int_equal(l.wrong, 0);
    weft_decoder_free(l.decoder);
}

/* ---- the tables ---- */

/* Every row compiles, and templates that are wrong are refused. */
static void tables(void **state)
{
    (void)state;
    static const char *const wrong[] = {"%9", "<nothing>", "%0[", "%0[w nothing]", "{nothing} ft0", "%w7", "ft0,%0"};
    struct rogue_template t;
    if (rogue_table_fault())
        fail_msg("%s", rogue_table_fault());
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (rogue_template_compile(wrong[i], &t))
            fail_msg("'%s' is not a template", wrong[i]);
}

/* ---- what is not a group ---- */

/* A group with a bit turned: what is wrong with it, and which bits are (header.inc has those of the header). */
static const struct {
    const char *hex;
    unsigned turned;
    const char *fault;
    unsigned bit, width;
} faults[] = {
    {"240200c1a2000040", 0, "the group goes beyond the bytes that are left", 0, 0},
    {"240200c1a2000040", 4, "its instructions do not end where da says", 4, 4},
    {"240200c1a2000040", 9, "the rest of it is not padding", 56, 8},
    {"240200c1a2000040", 10, "its parts go beyond its end", 0, 4},
    {"240200c1a2000040", 12, "no instruction has these bits", 16, 8},
    {"240200c1a2000040", 47, "the upper sources have reserved bits", 40, 8},
    {"02806aff", 12, "oporg is reserved in control groups", 12, 3},
    {"02806aff", 18, "no control operation has these bits", 24, 8},
    {"02806aff", 21, "it has no instruction", 12, 3},
    {"02806aff", 22, "nothing published has this alutype", 21, 2},
    {"02806aff", 24, "the rest of it is not padding", 24, 8},
    {"0480600000000000", 23, "miscctl is reserved in this operation", 23, 1},
    {"0480600000000000", 29, "no control operation has these bits", 24, 8},
    {"250287880c00000040ff", 43, "the lower sources have reserved bits", 24, 8},
    {"250287880c00000040ff", 71, "the destinations have reserved bits", 64, 8},
    {"250287880c00000040ff", 72, "the rest of it is not padding", 72, 8},
    {"4496cc0041002c40", 20, "nothing in it needs weft's encodings", 20, 1},
    {"66e30803d00300c1a2000040", 20, "nothing in it needs weft's encodings", 20, 1},
};

static void faults_have_places(void **state)
{
    (void)state;
    weft_decoder *decoder = new_decoder();
    for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        uint8_t bytes[64];
        size_t size = from_hex(faults[i].hex, bytes);
        weft_insn insn;
        bytes[faults[i].turned / 8] ^= (uint8_t)(1u << faults[i].turned % 8);
        weft_insn_decode(decoder, bytes, size, 0, &insn);
        if (!insn.fault || strcmp(insn.fault, faults[i].fault) != 0 || insn.fault_bit != faults[i].bit ||
            insn.fault_width != faults[i].width)
            fail_msg("%s, bit %u: '%s' at %u, %u", faults[i].hex, faults[i].turned, insn.fault ? insn.fault : "",
                     insn.fault_bit, insn.fault_width);
    }
    weft_decoder_free(decoder);
}

TEST_MAIN(TEST(faults_have_places), TEST(tables), TEST(shaders), TEST(listed), TEST(lifted))
