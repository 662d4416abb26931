/* test_insn.c - single instructions (weft/insn.h) against the listing and against the lifted IR: for random words, and
 * for the compiled shaders of WEFT_SHARED where they are there. */
#include "isa/valhall/table.h"
#include "program.h"

#include <weft/weft.h>

#include <dirent.h>
#include <stdlib.h>

/* ---- the listing ---- */

static weft_decoder *new_decoder(void)
{
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new("valhall", NULL, &decoder), WEFT_OK);
    return decoder;
}

static void bytes_of(const uint64_t *words, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < 8 * count; i++)
        bytes[i] = (uint8_t)(words[i / 8] >> i % 8 * 8);
}

static const char *label_of(void *user, uint64_t address)
{
    const uint32_t *count = user;
    static char label[32];
    snprintf(label, sizeof label, "L0x%llx", (unsigned long long)address);
    return address < 8 * (uint64_t)*count ? label : NULL;
}

/* The listing with labels, made of single instructions. */
static char *text_of_insns(const uint8_t *bytes, uint32_t count)
{
    weft_decoder *decoder = new_decoder();
    const weft_format format = {sizeof format, label_of, &count};
    bool *labels = calloc(count + 1, sizeof *labels);
    char *all = malloc((size_t)count * 400 + 1), *at = all;
    weft_insn insn;
    for (uint32_t i = 0; i < count; i++) {
        weft_insn_decode(decoder, bytes + 8 * (size_t)i, 8 * (size_t)(count - i), 8 * (uint64_t)i, &insn);
        assert_int_equal(insn.size, 8);
        if (insn.has_target && insn.target < 8 * (uint64_t)count) {
            assert_int_equal(insn.target % 8, 0);
            labels[insn.target / 8] = true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_insn_decode(decoder, bytes + 8 * (size_t)i, 8 * (size_t)(count - i), 8 * (uint64_t)i, &insn);
        if (labels[i])
            at += sprintf(at, "L0x%x:\n", 8 * i);
        at += weft_insn_text(decoder, &insn, &format, at, 399, NULL, NULL);
        *at++ = '\n';
    }
    *at = '\0';
    weft_decoder_free(decoder);
    free(labels);
    return all;
}

static size_t unknown_of_insns(const uint64_t *words, const uint8_t *bytes, uint32_t count)
{
    weft_decoder *decoder = new_decoder();
    size_t unknown = 0;
    weft_insn insn;
    for (uint32_t i = 0; i < count; i++)
        unknown += weft_insn_decode(decoder, bytes + 8 * (size_t)i, 8, 0, &insn) != WEFT_OK && words[i];
    weft_decoder_free(decoder);
    return unknown;
}

/* Instructions one by one give the text, the labels and the unknown words that the module gives. */
static void check_listing(const uint64_t *words, uint32_t count)
{
    struct program p = program_of_words(words, count);
    uint8_t *bytes = malloc(8 * (size_t)count + 1);
    size_t size;
    bytes_of(words, count, bytes);
    p.m->put_labels = true;
    const char *listing = program_text(&p, &size);
    char *text = text_of_insns(bytes, count);
    for (size_t at = 0, line = 0; at < size; at += strcspn(listing + at, "\n") + 1, line++)
        if (strncmp(listing + at, text + at, strcspn(listing + at, "\n") + 1) != 0)
            fail_msg("line %zu: '%.80s' and not '%.80s'", line, text + at, listing + at);
    assert_int_equal(strlen(text), size);
    assert_int_equal(unknown_of_insns(words, bytes, count), valhall_unknown(p.m));
    free(text);
    free(bytes);
    program_free(&p);
}

enum { BATCH = 4096 };

/* Random bits in the fields of random rows, a few quite random. */
static uint64_t random_word(struct test_rng *rng, unsigned row)
{
    const struct valhall_layout *l = &valhall_table()->layouts[row];
    uint64_t bits = test_next64(rng);
    if (test_next(rng) % 4) /* registers only, of page 0 */
        bits &= ~(uint64_t)(l->sources | 3ull << 57);
    return (bits & ~l->mask) | l->value;
}

static void random_listings(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("random listings");
    static uint64_t words[BATCH];
    for (unsigned n = 0; n < 50; n++) {
        for (unsigned i = 0; i < BATCH; i++) {
            words[i] = test_next(&rng) % 8 ? random_word(&rng, test_next(&rng) % VALHALL_OPS) : test_next64(&rng);
            if (valhall_row_of(words[i]) && valhall_row_of(words[i])->form->way == VALHALL_WAY_BRANCH)
                words[i] &= ~(0x7FFF000ull << 8); /* offsets within the program */
        }
        check_listing(words, BATCH);
    }
}

static void compiled_shaders(void **state)
{
    (void)state;
    const char *shared = getenv("WEFT_SHARED");
    char path[600];
    unsigned found = 0;
    snprintf(path, sizeof path, "%s/vectors/valhall/shaders", shared ? shared : WEFT_SOURCE_ROOT "/../shared");
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        static uint8_t bytes[1 << 16];
        static uint64_t words[sizeof bytes / 8];
        char file[900];
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        FILE *f = strstr(e->d_name, ".bin") ? fopen(file, "rb") : NULL;
        if (!f)
            continue;
        uint32_t count = (uint32_t)(fread(bytes, 1, sizeof bytes, f) / 8);
        fclose(f);
        for (uint32_t i = 0; i < count; i++) {
            words[i] = 0;
            for (unsigned k = 0; k < 8; k++)
                words[i] |= (uint64_t)bytes[8 * i + k] << 8 * k;
        }
        check_listing(words, count);
        found++;
    }
    if (dir)
        closedir(dir);
    print_message("# %u compiled shaders\n", found);
}

/* ---- the lifted IR ---- */

enum { REGISTERS = 64, WORDS = 16, AT = 6, TRIES = 20000, ENOUGH = 40 };

/* Bits of each register. */
struct access {
    uint32_t read[REGISTERS], written[REGISTERS];
};

static void add_bits(uint32_t *registers, unsigned n, unsigned shift, unsigned width)
{
    for (; width; n++, shift = 0) {
        unsigned here = width < 32 - shift ? width : 32 - shift;
        assert_true(n < REGISTERS);
        registers[n] |= (UINT32_MAX >> (32 - here)) << shift;
        width -= here;
    }
}

/* What the ops of instruction AT read and write of the file "r". */
static void access_of_ir(const struct ir_program *p, struct access *a)
{
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            assert_true(op->code != IR_GET_DYN && op->code != IR_SET_DYN);
            if (op->insn != AT || (op->code != IR_GET && op->code != IR_SET))
                continue;
            const struct ir_reg *r = &p->regs[op->desc];
            if (strcmp(p->files[r->file].name, "r") == 0)
                add_bits(op->code == IR_GET ? a->read : a->written, r->elem, r->shift,
                         ir_type_bits((enum ir_type)r->part));
        }
}

/* Whether the row says so (unread): sources come after the staging registers that there are, and the destination. */
static bool may_stay_unread(const struct valhall_insn *insn, size_t operand)
{
    unsigned nstaging = 0;
    for (unsigned i = 0; i < insn->nstaging; i++)
        nstaging += insn->staging[i].count != 0;
    if (operand < nstaging)
        return insn->row->form->unread & VALHALL_STAGING;
    size_t source = operand - nstaging - insn->has_dst;
    return source < insn->nsrc && insn->row->form->unread >> source & 1;
}

/* The same from the operands; `must`: those that the lift has to have. */
static void access_of_operands(const weft_decoder *decoder, uint64_t word, struct access *all, struct access *must)
{
    uint8_t bytes[8];
    weft_insn decoded;
    weft_operand operands[WEFT_INSN_OPERANDS];
    struct valhall_insn insn;
    bytes_of(&word, 1, bytes);
    assert_int_equal(weft_insn_decode(decoder, bytes, 8, 8 * AT, &decoded), WEFT_OK);
    valhall_read(word, &insn);
    size_t n = weft_insn_operands(decoder, &decoded, operands, WEFT_INSN_OPERANDS);
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        if (o->kind != WEFT_OPERAND_REGISTER || strcmp(o->reg.file, "r") != 0)
            continue;
        unsigned width = o->count > 1 ? 32 * o->count : o->width;
        if (o->access & WEFT_READ)
            add_bits(all->read, o->reg.number, o->shift, width);
        if (o->access & WEFT_WRITE)
            add_bits(all->written, o->reg.number, o->shift, width);
        if (o->access & WEFT_READ && !may_stay_unread(&insn, i))
            add_bits(must->read, o->reg.number, o->shift, width);
        if (o->access & WEFT_WRITE && !insn.row->form->unwritten)
            add_bits(must->written, o->reg.number, o->shift, width);
    }
}

static void compare(const char *what, uint64_t word, const uint32_t *ir, const uint32_t *all, const uint32_t *must)
{
    const char *name = valhall_row_of(word)->name;
    for (unsigned n = 0; n < REGISTERS; n++) {
        if (ir[n] & ~all[n])
            fail_msg("%s, word %016llx: the lift %s bits %08x of r%u, the operands say %08x", name,
                     (unsigned long long)word, what, ir[n], n, all[n]);
        if (must[n] && !ir[n])
            fail_msg("%s, word %016llx: the operands say that it %s r%u, the lift does not", name,
                     (unsigned long long)word, what, n);
    }
}

/* Among instructions that do nothing. False where the checker or the lift refuses it. */
static bool check_access(const weft_decoder *decoder, uint64_t word, uint64_t nop, uint64_t end, unsigned stage)
{
    uint64_t words[WORDS];
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = i == AT ? word : i == WORDS - 1 ? end : nop;
    struct program p = program_of_words(words, WORDS);
    struct isa_params params = {.stage = (int)stage};
    struct ir_program *ir;
    p.m->stage = (int)stage;
    bool fine = valhall_check(p.m, NULL, &params, p.diags) == WEFT_OK &&
                valhall_lift(p.m, NULL, &p.arena, &ir, p.diags) == WEFT_OK;
    if (fine) {
        struct access lifted = {0}, all = {0}, must = {0};
        access_of_ir(ir, &lifted);
        access_of_operands(decoder, word, &all, &must);
        compare("reads", word, lifted.read, all.read, must.read);
        if (!valhall_row_of(word)->form->unwritten)
            compare("writes", word, lifted.written, all.written, must.written);
    }
    program_free(&p);
    return fine;
}

static uint64_t assembled(const char *text)
{
    struct program p = program_parse(text);
    assert_int_equal(p.status, WEFT_OK);
    uint64_t word = p.m->words[0];
    program_free(&p);
    return word;
}

/* A word of a row whose numbers of staging registers have a chance of being right. */
static uint64_t likely_word(struct test_rng *rng, unsigned row)
{
    uint64_t word = random_word(rng, row);
    const struct valhall_row *r = &valhall_rows()[row];
    word &= ~valhall_put_field(VALHALL_FIELD_FLOW, 15);
    if (r->form->way == VALHALL_WAY_BRANCH)
        word &= ~(0x7FFFFFCull << 8);
    if (r->form->way == VALHALL_WAY_MEET)
        word = valhall_table()->layouts[row].value | valhall_put_field(VALHALL_MOD_SLOT, 7) |
               valhall_put_field(VALHALL_FIELD_FLOW, VALHALL_WAIT);
    if (r->form->way == VALHALL_WAY_BLEND_PATH)
        word &= ~(0xFCull << 8);
    for (unsigned i = 0; i < r->nimm; i++)
        if (valhall_fields[r->imm[i]].role == VALHALL_ROLE_TABLE && test_next(rng) % 2)
            word &= ~valhall_put_field(r->imm[i], 14);
    if (r->form->way == VALHALL_WAY_INDIRECT || r->form->way == VALHALL_WAY_BRANCH)
        word |= valhall_put_field(VALHALL_FIELD_FLOW, VALHALL_RECONVERGE);
    return word;
}

static void operands_are_what_is_lifted(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("operands");
    weft_decoder *decoder = new_decoder();
    uint64_t nop = assembled("NOP"), end = assembled("NOP.end");
    for (unsigned row = 0; row < VALHALL_OPS; row++) {
        const struct valhall_row *r = &valhall_rows()[row];
        unsigned checked = 0, stages = valhall_stages(r);
        for (unsigned i = 0; i < TRIES && checked < ENOUGH; i++) {
            uint64_t word = likely_word(&rng, row);
            unsigned stage = stages >> IR_COMPUTE & 1 ? IR_COMPUTE : (unsigned)__builtin_ctz(stages);
            if (valhall_row_of(word) == r)
                checked += check_access(decoder, word, nop, end, stage);
        }
        if (!checked && !r->form->older)
            fail_msg("%s: no word passed the checker", r->name);
    }
    weft_decoder_free(decoder);
}

TEST_MAIN(TEST(random_listings), TEST(compiled_shaders), TEST(operands_are_what_is_lifted))
