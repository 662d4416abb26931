/* Single instructions (weft/insn.h) against whole programs: sizes, text, what is unknown and branch targets against a
 * listing; operands against the registers that the lifted IR reads and writes. Words are those of the vectors
 * (../shared/vectors/tesla), where they are there, and random ones. */
#include "ir/rewrite.h"
#include "base/bytes.h"
#include "isa/tesla/table.h"
#include "test.h"

#include <weft/weft.h>

#include <dirent.h>
#include <limits.h>
#include <stdio.h>

static const char *const chips[] = {"g80", "g84", "mcp77", "g200", "gt215"};
static const weft_stage stages[] = {WEFT_STAGE_NONE, WEFT_VERTEX, WEFT_GEOMETRY, WEFT_FRAGMENT, WEFT_COMPUTE};
enum { CHIPS = 5, STAGES = 5 };

static weft_decoder *decoder_for(const char *chip, weft_stage stage)
{
    weft_decoder_options options = {sizeof options, chip, stage};
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new("tesla", &options, &decoder), WEFT_OK);
    return decoder;
}

static char *path_of(const char *name)
{
    static char path[PATH_MAX];
    const char *shared = getenv("WEFT_SHARED");
    snprintf(path, sizeof path, "%s/vectors/tesla/%s", shared ? shared : WEFT_SHARED_DEFAULT, name);
    return path;
}

/* ---- against a listing ---- */

/* The target that a line shows; false when it shows none. Labels are not asked for, so it is the last word. */
static bool shown_target(const char *line, uint64_t *target)
{
    static const char *const mnemonics[] = {"bra", "call", "breakaddr", "joinat", "preret"};
    const char *at = *line == '(' ? strchr(line, ')') + 2 : line;
    for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++) {
        size_t length = strlen(mnemonics[i]);
        if (strncmp(at, mnemonics[i], length) != 0 || at[length] != ' ')
            continue;
        at += length + 1;
        if (strncmp(at, "lim ", 4) == 0)
            at += 4;
        if (*at == 'c')
            return false; /* an address from memory */
        *target = strtoull(at, NULL, 0);
        return true;
    }
    return false;
}

/* Decode what the listing says is there, one instruction after the other. Returns how many are known. */
static size_t check_listing(const uint8_t *bytes, size_t size, const char *chip, weft_stage stage)
{
    weft_program_options options;
    weft_program_options_init(&options);
    options.chip = chip;
    options.stage = stage;
    weft_program *program;
    assert_int_equal(weft_program_from_bytes("tesla", "words", bytes, size, &options, NULL, &program), WEFT_OK);
    char *text;
    weft_place *places;
    size_t length, count, known = 0;
    assert_int_equal(weft_program_listing(program, &text, &length, &places, &count), WEFT_OK);
    weft_decoder *decoder = decoder_for(chip, stage);
    for (size_t i = 0; i < count; i++) {
        weft_insn insn;
        char made[WEFT_INSN_TEXT], *line = text + places[i].line;
        line[strcspn(line, "\n")] = '\0';
        bool ok = weft_insn_decode(decoder, bytes + places[i].offset, size - places[i].offset, places[i].address,
                                   &insn) == WEFT_OK;
        weft_insn_text(decoder, &insn, NULL, made, sizeof made, NULL, NULL);
        assert_string_equal(made, line);
        assert_int_equal(ok, *line != '.');
        assert_true(insn.size == places[i].size || (!ok && insn.size == 0 && size - places[i].offset < 8));
        uint64_t target = 0;
        bool has = ok && shown_target(line, &target);
        if (has != (bool)insn.has_target || (has && target != insn.target))
            fail_msg("%s: target %llx", line, (unsigned long long)insn.target);
        known += ok;
    }
    weft_decoder_free(decoder);
    weft_free(places);
    weft_free(text);
    weft_program_free(program);
    return known;
}

static void listings_of_random_words(void **state)
{
    enum { BYTES = 1 << 15 };
    static uint8_t bytes[BYTES];
    struct test_rng rng = test_seed("listings");
    size_t known = 0;
    (void)state;
    for (unsigned c = 0; c < CHIPS; c++)
        for (unsigned s = 0; s < STAGES; s++) {
            for (size_t at = 0; at < BYTES; at += 8) {
                uint64_t word = test_next64(&rng);
                const struct tesla_row *row = &tesla_rows[test_next(&rng) % TESLA_ROWS];
                if (at % 16) /* a word that is likely to be known */
                    word = row->value | (word & tesla_template_of(row)->used & ~row->mask);
                memcpy(bytes + at, &word, 8);
            }
            known += check_listing(bytes, BYTES - 3, chips[c], stages[s]); /* and a tail that ends too early */
        }
    assert_true(known > 10000);
}

/* "593c0010..." to bytes. */
static size_t read_hex(const char *p, uint8_t *bytes, size_t room)
{
    size_t n = 0;
    for (unsigned byte; n < room && sscanf(p + n * 2, "%2x", &byte) == 1 && p[n * 2] != '\t'; n++)
        bytes[n] = (uint8_t)byte;
    return n;
}

static size_t check_pairs(const char *name)
{
    static uint8_t bytes[1 << 20];
    char line[1000];
    size_t size = 0, known = 0;
    FILE *file = fopen(path_of(name), "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file) && size + 16 < sizeof bytes) {
        uint8_t word[8] = {0};
        size_t n = *line == '#' ? 0 : read_hex(line, word, sizeof word);
        if (n != 4 && n != 8)
            continue;
        memcpy(bytes + size, word, 8); /* what follows a short one is 0 */
        size += 8;
    }
    fclose(file);
    for (unsigned c = 0; c < CHIPS; c++)
        for (unsigned s = 0; s < STAGES; s++)
            known += check_listing(bytes, size, chips[c], stages[s]);
    return known;
}

static size_t check_shaders(void)
{
    static uint8_t bytes[1 << 16];
    size_t known = 0;
    DIR *dir = opendir(path_of("shaders"));
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char name[300];
        if (!strstr(e->d_name, ".bin"))
            continue;
        snprintf(name, sizeof name, "shaders/%s", e->d_name);
        FILE *file = fopen(path_of(name), "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        known += check_listing(bytes, size, "g84", WEFT_FRAGMENT) + check_listing(bytes, size, "g84", WEFT_VERTEX);
    }
    if (dir)
        closedir(dir);
    return known;
}

static void listings_of_vectors(void **state)
{
    (void)state;
    size_t pairs = check_pairs("pairs.tsv"), others = check_pairs("dis-only.tsv"), shaders = check_shaders();
    print_message("# known: %zu of pairs, %zu of dis-only, %zu of shaders\n", pairs, others, shaders);
    if (!pairs && !others && !shaders)
        skip();
}

/* ---- against the lifted IR ---- */

enum { R = 256, A = 8, C = 4 };
enum { PLACES = 128 }; /* words of a space that are linked */

/* Bits of registers. */
struct touched {
    uint32_t r[R], a[A], c[C];
};

static void touch(struct touched *t, const char *file, uint32_t number, uint32_t mask)
{
    if (strcmp(file, "r") == 0 && number < R)
        t->r[number] |= mask;
    else if (strcmp(file, "a") == 0 && number < A)
        t->a[number] |= mask;
    else if (strcmp(file, "a7") == 0)
        t->a[7] |= mask;
    else if (strcmp(file, "c") == 0)
        t->c[number] |= mask;
}

/* Files of the IR are those of the operands, but $a has 32 bits there, and $c an element for each flag. */
static void touch_span(struct touched *t, const struct ir_program *p, const struct ir_reg *reg)
{
    struct reg_span s = reg_span(p, reg);
    const char *file = p->files[s.file].name;
    for (uint32_t i = 0; i < s.count; i++)
        touch(t, file, *file == 'c' ? (s.elem + i) / 4 : s.elem + i, *file == 'r' ? (uint32_t)s.mask : 1);
}

/* Values that something depends on: those of operations that do more than give a value, and theirs in turn. */
static uint8_t *needed_values(const struct ir_program *p)
{
    uint8_t *needed = calloc(p->nvalues + 1, 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < p->nblocks; b++)
            for (uint32_t i = p->blocks[b].count; i-- > 0;) {
                const struct ir_op *op = &p->blocks[b].ops[i];
                bool counts = !(ir_op_info[op->code].flags & IR_OP_PURE) && op->code != IR_GET;
                for (unsigned k = 0; k < op->nres; k++)
                    counts |= needed[op->res + k];
                for (unsigned k = 0; counts && k <= op->nargs; k++) {
                    ir_value v = k < op->nargs ? ir_args(p, op)[k] : op->pred;
                    changed |= v && !needed[v];
                    needed[v] = 1;
                }
            }
    }
    return needed;
}

static void touched_by_ir(const struct ir_program *p, uint32_t insn, struct touched *reads, struct touched *writes)
{
    uint8_t *needed = needed_values(p);
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            if (op->insn != insn)
                continue;
            if (op->code == IR_GET && needed[op->res])
                touch_span(reads, p, &p->regs[op->desc]);
            if (op->code == IR_SET)
                touch_span(writes, p, &p->regs[op->desc]);
        }
    free(needed);
}

static void touched_by_operands(const weft_decoder *decoder, const weft_insn *insn, struct touched *reads,
                                struct touched *writes)
{
    weft_operand operands[WEFT_INSN_OPERANDS];
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        if (o->kind == WEFT_OPERAND_REGISTER) {
            bool general = strcmp(o->reg.file, "r") == 0;
            uint32_t mask = general ? (UINT32_MAX >> (32 - o->width)) << o->shift : 1;
            for (uint32_t k = 0; k < o->count; k++) {
                if (o->access & WEFT_READ)
                    touch(reads, o->reg.file, o->reg.number + k, mask);
                if (o->access & WEFT_WRITE)
                    touch(writes, o->reg.file, o->reg.number + k, mask);
            }
        }
        if (o->kind == WEFT_OPERAND_MEMORY && o->base.file)
            touch(reads, o->base.file, o->base.number, UINT32_MAX);
        if (o->kind == WEFT_OPERAND_MEMORY && o->index.file)
            touch(reads, o->index.file, o->index.number, 1);
    }
    /* $a0, $a5 and $a6 are not there: they are 0 */
    for (unsigned i = 0; i < A; i++)
        if (!(TESLA_A_REGISTERS >> i & 1))
            reads->a[i] = writes->a[i] = 0;
}

/* Whether an instruction does nothing but in flow: its result is thrown away, or not an output that is linked. Then
 * what it reads is of no use. */
static bool is_idle(const weft_decoder *decoder, const weft_insn *insn)
{
    weft_operand operands[WEFT_INSN_OPERANDS];
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    bool idle = insn->flow == WEFT_FLOW_NEXT || insn->flow == WEFT_FLOW_MASK || insn->flow == WEFT_FLOW_END;
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        bool linked = !o->space || strcmp(o->space, "output") != 0 || o->index.file || o->displacement < PLACES * 4;
        idle &= !(o->access & WEFT_WRITE) || !linked;
    }
    return idle;
}

static size_t compare(const char *what, const char *text, const char *file, const uint32_t *said, const uint32_t *done,
                      unsigned count, bool may_be_less)
{
    size_t wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t differ = may_be_less ? done[i] & ~said[i] : done[i] ^ said[i];
        if (differ) {
            print_message("# %s: %s $%s%u: operands say %08x, the IR does %08x\n", text, what, file, i, said[i],
                          done[i]);
            wrong++;
        }
    }
    return wrong;
}

/* Words of a[], v[] and o[] are inputs and outputs, so that nothing that is read or written there is lost. */
static const struct isa_linkage *linkage(int stage)
{
    static const char *const places[IR_STAGES] = {[IR_VERTEX] = "ao", [IR_GEOMETRY] = "o", [IR_FRAGMENT] = "v"};
    static struct isa_linkage made[IR_STAGES];
    static char text[IR_STAGES][2 * PLACES * 40];
    size_t n = (size_t)sprintf(text[stage], "registers 256\n");
    for (const char *p = places[stage]; p && *p; p++)
        for (unsigned i = 0; i < PLACES; i++)
            n += (size_t)sprintf(text[stage] + n, "%s GENERIC[%u].%c %c[%#x]\n", *p == 'o' ? "out" : "in", i / 4,
                                 "xyzw"[i % 4], *p, i * 4);
    made[stage] = (struct isa_linkage){{"test", text[stage], n}};
    return &made[stage];
}

/* A nop, the word, and an exit: what is before and after the word is none of it. */
static struct isa_module *module_of(uint64_t word, const char *chip, int stage, struct arena *arena)
{
    static const uint64_t nop = UINT64_C(0xe0000780f0000001);
    struct isa_params params = {.chip = chip, .stage = stage, .linkage = linkage(stage)};
    struct isa_module *m = NULL;
    uint8_t bytes[24];
    uint32_t filler = 0x10008000; /* mov b32 $r0 $r0 */
    bytes_put(bytes, nop, 8);
    bytes_put(bytes + 8, word, 8);
    if (!tesla_is_long(word))
        memcpy(bytes + 12, &filler, 4);
    bytes_put(bytes + 16, nop | UINT64_C(1) << 32, 8);
    assert_int_equal(tesla_decode(bytes, sizeof bytes, "test", &params, arena, &m, NULL), WEFT_OK);
    return m;
}

/* What is wrong with a word; *lifted counts those that can be lifted. */
static size_t check_word(const weft_decoder *decoder, uint64_t word, const char *chip, int stage, size_t *lifted)
{
    struct arena arena = {0};
    struct isa_module *m = module_of(word, chip, stage, &arena);
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    size_t wrong = 0;
    if (m->insns[1].row && tesla_check(m, NULL, NULL, diags) == WEFT_OK &&
        tesla_lift(m, NULL, &arena, &p, diags) == WEFT_OK) {
        struct touched said[2] = {0}, done[2] = {0};
        char text[WEFT_INSN_TEXT];
        weft_insn insn;
        bool less = tesla_meanings[m->insns[1].row->meaning].properties & TESLA_READS_AT_MOST;
        assert_int_equal(weft_insn_decode(decoder, m->bytes + 8, 8, 8, &insn), WEFT_OK);
        weft_insn_text(decoder, &insn, NULL, text, sizeof text, NULL, NULL);
        touched_by_operands(decoder, &insn, &said[0], &said[1]);
        touched_by_ir(p, 1, &done[0], &done[1]);
        bool idle = is_idle(decoder, &insn);
        less |= idle;
        wrong += compare("reads", text, "r", said[0].r, done[0].r, R, less);
        wrong += compare("reads", text, "a", said[0].a, done[0].a, A, less);
        wrong += compare("reads", text, "c", said[0].c, done[0].c, C, idle && insn.flow != WEFT_FLOW_END);
        wrong += compare("writes", text, "r", said[1].r, done[1].r, R, false);
        wrong += compare("writes", text, "a", said[1].a, done[1].a, A, false);
        wrong += compare("writes", text, "c", said[1].c, done[1].c, C, false);
        ++*lifted;
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return wrong;
}

static uint64_t random_word(struct test_rng *rng, const struct tesla_row *row)
{
    const struct tesla_template *t = tesla_template_of(row);
    uint64_t word = row->value | (test_next64(rng) & t->used & ~row->mask);
    if (tesla_has(t, TESLA_S_TARGET)) /* that of the first instruction */
        word &= ~tesla_mask_of(TESLA_FIELD_CODE_ADDRESS);
    if (t->predicated && test_next(rng) % 2)
        word = (word & ~tesla_mask_of(TESLA_FIELD_PREDICATE)) | (uint64_t)TESLA_ALWAYS << 39;
    if (t->lanes && test_next(rng) % 2)
        word |= tesla_mask_of(TESLA_FIELD_LANES);
    if (row->form == TESLA_LONG && test_next(rng) % 4)
        word &= ~tesla_mask_of(TESLA_FIELD_TAIL);
    return word;
}

static void operands_and_ir(void **state)
{
    enum { TIMES = 24, SHOWN = 20 };
    struct test_rng rng = test_seed("operands");
    size_t lifted = 0, wrong = 0;
    (void)state;
    for (unsigned s = 1; s < STAGES; s++)
        for (unsigned c = 3; c < CHIPS; c++) {
            weft_decoder *decoder = decoder_for(chips[c], stages[s]);
            for (uint32_t r = 0; r < TESLA_ROWS && wrong < SHOWN; r++)
                for (unsigned i = 0; i < TIMES; i++)
                    wrong += check_word(decoder, random_word(&rng, &tesla_rows[r]), chips[c], (int)stages[s], &lifted);
            weft_decoder_free(decoder);
        }
    print_message("# %zu words lifted\n", lifted);
    assert_int_equal(wrong, 0);
    assert_true(lifted > 10000);
}

/* ---- operands of rows ---- */

/* Whether a side of a row's operands ("$r or memory u16|s16, [$c b4]") has one of the kind and the width. */
static bool side_has(const char *side, size_t size, const char *kind, uint32_t width)
{
    for (const char *p = side, *end = side + size; p < end; p += strcspn(p, ",=") + 1) {
        const char *at = strstr(p, kind), *stop = p + strcspn(p, ",=");
        if (!at || at >= stop)
            continue;
        for (const char *digit = at + 1; digit < stop; digit++) {
            bool begins = strchr("busf", *digit) && strchr(" |", digit[-1]) && digit[1] >= '0' && digit[1] <= '9';
            unsigned long bits = begins ? strtoul(digit + 1, NULL, 10) : 0;
            if (bits == width || (bits == 24 && width == 32)) /* 24 bits of a register */
                return true;
        }
    }
    return false;
}

/* What a row calls the operand, a register or a number. */
static const char *kind_of(const weft_operand *o)
{
    static char file[8];
    if (o->kind == WEFT_OPERAND_IMMEDIATE)
        return "number";
    snprintf(file, sizeof file, "$%s", o->reg.file);
    return strcmp(o->reg.file, "sr") == 0 ? "special" : file;
}

static size_t check_row_operands(const weft_decoder *decoder, const weft_insn *insn, const char *text)
{
    weft_operand operands[WEFT_INSN_OPERANDS];
    const char *equals = strstr(text, " = "), *sources = equals ? equals + 3 : text;
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS), wrong = 0;
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        bool several = strstr(text, "1 to 4") && o->kind == WEFT_OPERAND_REGISTER;
        bool offset = o->kind == WEFT_OPERAND_IMMEDIATE && !strstr(text, "number b32"); /* its field's width */
        if (o->role == WEFT_ROLE_IMPLIED || o->kind > WEFT_OPERAND_IMMEDIATE || offset)
            continue;
        uint32_t width = o->width * (several ? 1 : o->count);
        if ((o->access & WEFT_READ && !side_has(sources, strlen(sources), kind_of(o), width)) ||
            (o->access & WEFT_WRITE && (!equals || !side_has(text, (size_t)(equals - text), kind_of(o), width)))) {
            print_message("# %s: operand %zu, %s of %u bits, access %d\n", text, i, kind_of(o), width, o->access);
            wrong++;
        }
    }
    return wrong;
}

/* The reference's operands of a row say kind, direction and width of each that its instructions have. */
static void operands_of_rows(void **state)
{
    enum { TIMES = 50, SHOWN = 20 };
    struct test_rng rng = test_seed("rows");
    weft_decoder *decoder = decoder_for("g200", WEFT_COMPUTE);
    size_t checked = 0, wrong = 0;
    (void)state;
    for (uint32_t r = 0; r < TESLA_ROWS && wrong < SHOWN; r++) {
        weft_isa_row row;
        assert_true(weft_isa_get_row(weft_isa_find("tesla"), r, &row));
        for (unsigned i = 0; i < TIMES; i++) {
            uint64_t word = random_word(&rng, &tesla_rows[r]);
            uint8_t bytes[8];
            weft_insn insn;
            for (unsigned k = 0; k < sizeof bytes; k++)
                bytes[k] = (uint8_t)(word >> 8 * k);
            if (weft_insn_decode(decoder, bytes, 8, 0, &insn) != WEFT_OK || !insn.nrows || insn.rows[0] != r)
                continue;
            wrong += check_row_operands(decoder, &insn, row.operands);
            checked++;
        }
    }
    weft_decoder_free(decoder);
    assert_int_equal(wrong, 0);
    assert_true(checked > 5000);
}

TEST_MAIN(TEST(listings_of_random_words), TEST(listings_of_vectors), TEST(operands_and_ir), TEST(operands_of_rows))
