/* Single instructions of the VPU: decoding agrees with the listing of a whole program, and the operands with what the
 * lifted instruction reads and writes. */
#include "program.h"

#include "ir/program.h"
#include "isa/vpu/lift.h"

#include <dirent.h>
#include <weft/insn.h>

static weft_decoder *decoder(void)
{
    weft_decoder *d;
    assert_int_equal(weft_decoder_new("vpu", NULL, &d), WEFT_OK);
    return d;
}

/* ---- the listing ---- */

static bool begins_with_branch(const char *line)
{
    static const char *const words[] = {"b", "bl", "j", "jl", "addcmpb"};
    static const char conds[] = " eq ne cs cc mi pl vs vc hi ls ge lt gt le f ";
    char word[16] = "", name[20];
    sscanf(line, "%15[a-z]", word);
    for (unsigned n = 0; n < sizeof words / sizeof words[0]; n++) {
        size_t length = strlen(words[n]);
        if (strcmp(word, words[n]) == 0)
            return true;
        snprintf(name, sizeof name, " %s ", word + (strlen(word) < length ? strlen(word) : length));
        if (n != 1 && n != 2 && n != 3 && strncmp(word, words[n], length) == 0 && strstr(conds, name))
            return true;
    }
    return false;
}

/* The address that a branch ends with, as its text says; false: it names none. */
static bool target_in(const char *line, uint64_t *target)
{
    const char *last = strrchr(line, ',') ? strrchr(line, ',') : strchr(line, ' ');
    if (!begins_with_branch(line) || !last || strncmp(last + 1, "0x", 2) != 0)
        return false;
    *target = strtoull(last + 1, NULL, 16);
    return true;
}

static void check_line(const weft_decoder *d, const weft_insn *insn, weft_status status, const char *line)
{
    char text[WEFT_INSN_TEXT];
    uint64_t target;
    weft_insn_text(d, insn, NULL, text, sizeof text, NULL, NULL);
    if (strcmp(text, line) != 0)
        fail_msg("at 0x%llx: '%s', not '%s'", (unsigned long long)insn->address, text, line);
    assert_int_equal(status == WEFT_OK, line[0] != '.');
    assert_int_equal(insn->has_target != 0, target_in(line, &target));
    if (insn->has_target)
        assert_int_equal(insn->target, target);
}

/* Each line of the linear listing is what the decoder says of its bytes. */
static void check_listing(const uint8_t *bytes, size_t size)
{
    weft_decoder *d = decoder();
    struct program p = from_bytes(bytes, size, true);
    assert_int_equal(p.status, WEFT_OK);
    char *line = text_of(&p);
    uint32_t unknown = 0;
    for (size_t at = 0; at < size;) {
        char *end = strchr(line, '\n');
        weft_insn insn;
        assert_non_null(end);
        *end = '\0';
        weft_status status = weft_insn_decode(d, bytes + at, size - at, at, &insn);
        check_line(d, &insn, status, line);
        unknown += status != WEFT_OK;
        at = insn.size ? at + insn.size : size;
        line = end + 1;
    }
    assert_int_equal(*line, '\0');
    assert_int_equal(unknown, p.m->unknown);
    drop(&p);
    weft_decoder_free(d);
}

/* ---- operands and lane IR ---- */

/* What is read or written: registers by number, rows of the vector register file, single elements. */
struct touched {
    uint32_t r, p;
    uint64_t rows;
    bool vrf, some_rows; /* any of it; rows that are known at run time only */
    bool z, n, c, acc, lut;
};

static const char *const file_names[] = {"r", "p", "vrf", "z", "n", "c", "acc", "lut"};

static void touch_file(struct touched *t, const char *file, uint32_t number)
{
    bool *const single[] = {&t->z, &t->n, &t->c, &t->acc, &t->lut};
    if (strcmp(file, "r") == 0)
        t->r |= UINT32_C(1) << number;
    else if (strcmp(file, "p") == 0)
        t->p |= UINT32_C(1) << number;
    for (unsigned k = 0; k < 5; k++)
        if (strcmp(file, file_names[3 + k]) == 0)
            *single[k] = true;
}

/* The rows of a vector operand, in as many repetitions as there are. */
static void touch_vector(struct touched *t, const weft_operand *o, unsigned repeat)
{
    bool vertical = o->modifiers[0][0] == 'V', inc = o->modifiers[1] && strcmp(o->modifiers[1], "++") == 0;
    unsigned rows = vertical ? 16 : inc ? repeat : 1;
    t->vrf = true;
    t->some_rows |= o->indirect || (inc && repeat == 0);
    for (unsigned k = 0; k < rows; k++)
        t->rows |= UINT64_C(1) << ((o->reg.number / 64 + k) & 63);
}

static void from_operands(const weft_operand *o, size_t n, unsigned repeat, struct touched *reads,
                          struct touched *writes)
{
    for (; n-- > 0; o++) {
        bool memory = o->kind == WEFT_OPERAND_MEMORY, used = o->access != 0;
        if (used && memory && o->base.file)
            touch_file(reads, o->base.file, o->base.number);
        if (used && o->index.file)
            touch_file(reads, o->index.file, o->index.number);
        if (o->kind != WEFT_OPERAND_REGISTER)
            continue;
        for (int way = WEFT_READ; way <= WEFT_WRITE; way++) {
            struct touched *t = way == WEFT_READ ? reads : writes;
            if (!(o->access & way))
                continue;
            if (strcmp(o->reg.file, "vrf") == 0)
                touch_vector(t, o, repeat);
            else
                for (uint32_t k = 0; k < (strcmp(o->reg.file, "r") == 0 ? o->count : 1); k++)
                    touch_file(t, o->reg.file, o->reg.number + k);
        }
    }
}

static bool is_read(unsigned code)
{
    return code == IR_GET || code == IR_GET_DYN || code == IR_GET_LANE;
}

static bool is_write(unsigned code)
{
    return code == IR_SET || code == IR_SET_DYN || code == IR_SET_LANE;
}

static void from_op(const struct ir_program *p, const struct ir_op *op, bool writes_pc, struct touched *t)
{
    const struct ir_reg *reg = &p->regs[op->desc];
    bool fixed = op->code == IR_GET || op->code == IR_SET;
    if (reg->file == VPU_FILE_R) {
        int number = writes_pc && reg->elem == VPU_NEW_SR ? VPU_PC : vpu_register_of(reg->elem);
        if (number >= 0)
            touch_file(t, "r", (uint32_t)number);
    } else if (reg->file == VPU_FILE_VRF) {
        t->vrf = true;
        t->some_rows |= !fixed;
        if (fixed)
            t->rows |= UINT64_C(1) << reg->elem;
    } else {
        touch_file(t, file_names[reg->file], reg->elem);
    }
}

struct code {
    const uint8_t *bytes;
    size_t size;
};
enum { AT = 0x1000 };

static size_t fetch(void *context, uint32_t address, uint8_t *bytes, size_t size)
{
    const struct code *c = context;
    size_t count = address != AT ? 0 : c->size < size ? c->size : size;
    memcpy(bytes, c->bytes, count);
    return count;
}

static void from_ir(const uint8_t *bytes, size_t size, uint64_t mode, bool writes_pc, struct touched *reads,
                    struct touched *writes)
{
    struct arena arena = {0};
    struct code code = {bytes, size};
    struct ir_program *p = ir_program_new(&arena, "vpu", IR_COMPUTE, 16);
    struct vpu_lifter l;
    vpu_lifter_start(&l, p, (struct vpu_code){fetch, &code});
    vpu_lift_at(&l, AT | VPU_KEY_STEP | mode);
    for (uint32_t b = IR_ENTRY + 1; b < p->nblocks; b++)
        for (uint32_t n = 0; n < p->blocks[b].count; n++) {
            const struct ir_op *op = &p->blocks[b].ops[n];
            if (is_read(op->code))
                from_op(p, op, writes_pc, reads);
            else if (is_write(op->code))
                from_op(p, op, writes_pc, writes);
        }
    arena_free(&arena);
}

/* What of `a` is not in `b` nor in `c`; NULL: nothing is. */
static const char *beyond(const struct touched *a, const struct touched *b, const struct touched *c)
{
    if (a->r & ~(b->r | c->r))
        return "r";
    if (a->p & ~(b->p | c->p))
        return "p";
    if ((a->vrf && !b->vrf && !c->vrf) ||
        (a->rows & ~(b->rows | c->rows) && !b->some_rows && !c->some_rows && !a->some_rows))
        return "vrf";
    return a->z && !b->z && !c->z         ? "z"
           : a->n && !b->n && !c->n       ? "n"
           : a->c && !b->c && !c->c       ? "c"
           : a->acc && !b->acc && !c->acc ? "acc"
           : a->lut && !b->lut && !c->lut ? "lut"
                                          : NULL;
}

/* An instruction that the machine executes has no lane IR; its row says so. pc is a constant where it is read. What is
 * written may be read where only lanes or conditions that hold are written, in a later repetition, and where only a
 * part of a word is. */
static void check_operands(const weft_decoder *d, const uint8_t *bytes, size_t size, uint64_t mode)
{
    static const struct touched nothing;
    struct touched reads = {0}, writes = {0}, ir_reads = {0}, ir_writes = {0};
    weft_operand operands[WEFT_INSN_OPERANDS];
    weft_insn insn;
    struct vpu_insn i;
    char text[WEFT_INSN_TEXT];
    if (weft_insn_decode(d, bytes, size, AT, &insn) != WEFT_OK)
        return;
    vpu_decode_insn(bytes, size, AT, &i);
    if (vpu_ops[i.op].uses & VPU_BY_MACHINE)
        return;
    bool vector = i.op >= VPU_VMEM;
    unsigned repeat = !vector ? 1 : i.rep == VPU_REP_R0 ? 0 : 1u << i.rep;
    size_t n = weft_insn_operands(d, &insn, operands, WEFT_INSN_OPERANDS);
    from_operands(operands, n, repeat, &reads, &writes);
    from_ir(bytes, insn.size, mode, insn.flow == WEFT_FLOW_TRAP, &ir_reads, &ir_writes);
    reads.r &= ~(UINT32_C(1) << VPU_PC);
    if (insn.flow == WEFT_FLOW_RETURN)
        writes.r &= ~(UINT32_C(1) << VPU_PC);
    ir_writes.r &= insn.flow == WEFT_FLOW_RETURN ? ~(UINT32_C(1) << VPU_PC) : UINT32_MAX;
    struct touched again = insn.conditional || repeat != 1 ? writes : nothing;
    again.vrf |= writes.vrf && ir_reads.some_rows;
    weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
    const char *wrong;
    if ((wrong = beyond(&ir_reads, &reads, &again)))
        fail_msg("'%s' reads %s (%08x), which no operand says (%08x)", text, wrong, ir_reads.r, reads.r);
    if ((wrong = beyond(&reads, &ir_reads, &nothing)))
        fail_msg("'%s' does not read %s (%08x), which an operand says (%08x)", text, wrong, ir_reads.r, reads.r);
    if ((wrong = beyond(&ir_writes, &writes, &nothing)))
        fail_msg("'%s' writes %s (%08x), which no operand says (%08x)", text, wrong, ir_writes.r, writes.r);
    if ((wrong = beyond(&writes, &ir_writes, &nothing)))
        fail_msg("'%s' does not write %s (%08x), which an operand says (%08x)", text, wrong, ir_writes.r, writes.r);
}

/* ---- words ---- */

enum { RANDOM_WORDS = 40000 };

static size_t random_word(struct test_rng *rng, uint8_t *bytes)
{
    static const uint16_t first[] = {0x0000, 0x8000, 0xe000, 0xf000, 0xf800};
    static const uint16_t open[] = {0x7fff, 0x5fff, 0x0fff, 0x07ff, 0x07ff};
    static const uint8_t size[] = {2, 4, 6, 6, 10};
    unsigned kind = test_next(rng) % 5;
    uint64_t more = test_next64(rng), bits = test_next64(rng);
    uint16_t h[5] = {(uint16_t)(first[kind] | (bits & open[kind])), (uint16_t)(bits >> 16), (uint16_t)(bits >> 32),
                     (uint16_t)more, (uint16_t)(more >> 16)};
    /* Conversions, accesses and vector operands that are "-" or plain are rarer at random than in programs. */
    if (kind >= 3 && more >> 40 & 1)
        h[1] |= 0xe000;
    if (kind >= 3 && more >> 41 & 1)
        h[1] |= 0x0038, h[2] &= 0x0fff;
    if (kind == 4 && more >> 42 & 1)
        h[3] |= 0xf3c0;
    if (kind == 4) /* most repeat once or twice: the others take long */
        h[0] &= more >> 43 & 15 ? 0xfff8 : 0xffff;
    for (unsigned k = 0; k < size[kind] / 2u; k++) {
        bytes[2 * k] = (uint8_t)h[k];
        bytes[2 * k + 1] = (uint8_t)(h[k] >> 8);
    }
    return size[kind];
}

static void listing_of_random_words(void **state)
{
    (void)state;
    static uint8_t bytes[RANDOM_WORDS * 10];
    struct test_rng rng = test_seed("listing");
    size_t size = 0;
    for (unsigned n = 0; n < RANDOM_WORDS; n++)
        size += random_word(&rng, bytes + size);
    check_listing(bytes, size);
    for (size_t cut = 1; cut < 40; cut++)
        check_listing(bytes, cut);
}

static void operands_of_random_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("operands");
    weft_decoder *d = decoder();
    for (unsigned n = 0; n < RANDOM_WORDS; n++) {
        uint8_t bytes[10];
        size_t size = random_word(&rng, bytes);
        check_operands(d, bytes, size, n & 1 ? VPU_KEY_EXPLICIT : 0);
    }
    weft_decoder_free(d);
}

static void operands_of_forms(void **state)
{
    (void)state;
    weft_decoder *d = decoder();
    for (uint32_t row = 0; row < weft_isa_rows(weft_decoder_isa(d)); row++) {
        uint8_t bytes[10];
        const char *name;
        size_t size = weft_insn_form(d, row, 0, bytes, sizeof bytes, &name);
        check_operands(d, bytes, size, 0);
        check_operands(d, bytes, size, VPU_KEY_EXPLICIT);
    }
    weft_decoder_free(d);
}

/* ---- the vectors: bytes in hexadecimal, a tab, the text of another disassembler ---- */

static size_t read_pairs(const char *name, uint8_t *bytes, size_t room)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/../shared/vectors/vpu/%s", WEFT_SOURCE_ROOT, name);
    FILE *f = fopen(path, "r");
    size_t size = 0;
    while (f && fgets(line, sizeof line, f) && size + 10 < room) {
        unsigned byte;
        int used;
        for (const char *at = line; *at != '\t' && sscanf(at, "%2x%n", &byte, &used) == 1; at += used)
            bytes[size++] = (uint8_t)byte;
    }
    if (f)
        fclose(f);
    return size;
}

static void vector_words(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 20];
    static const char *const names[] = {"pairs.tsv", "pairs-compiled.tsv", "quirks.tsv"};
    if (read_pairs(names[0], bytes, sizeof bytes) == 0)
        skip();
    weft_decoder *d = decoder();
    for (unsigned n = 0; n < 3; n++) {
        size_t size = read_pairs(names[n], bytes, sizeof bytes);
        printf("# %s: %zu bytes\n", names[n], size);
        check_listing(bytes, size);
        for (size_t at = 0; at < size;) {
            weft_insn insn;
            weft_insn_decode(d, bytes + at, size - at, AT, &insn);
            check_operands(d, bytes + at, insn.size, 0);
            at = insn.size ? at + insn.size : size;
        }
    }
    weft_decoder_free(d);
}

/* The compiled programs, swept as if all were code. */
static void vector_programs(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 20];
    const char *folder = WEFT_SOURCE_ROOT "/../shared/vectors/vpu/c";
    DIR *list = opendir(folder);
    size_t total = 0;
    if (!list)
        skip();
    for (const struct dirent *e; (e = readdir(list));) {
        char path[1024];
        const char *end = strrchr(e->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = end && strcmp(end, ".bin") == 0 ? fopen(path, "rb") : NULL;
        if (!f)
            continue;
        size_t size = fread(bytes, 1, sizeof bytes, f);
        check_listing(bytes, size);
        total += size;
        fclose(f);
    }
    closedir(list);
    printf("# %zu bytes\n", total);
}

TEST_MAIN(TEST(listing_of_random_words), TEST(operands_of_forms), TEST(operands_of_random_words), TEST(vector_words),
          TEST(vector_programs))
