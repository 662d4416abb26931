/* test_forms.c - what weft says of each form of each instruction, with the values of its fields drawn at random: text,
 * operands, fields, effects. isa-insn sees that these agree with each other; here they are what they were when somebody
 * looked last: forms.txt has a number for each instruction. WEFT_TEST_RENEW=1 writes it anew, and WEFT_TEST_SHOW=NAME
 * prints what the numbers of an instruction are made of. */
#include "draw.h"

enum { VARIANTS = 36, BYTES = 256, LINES = 4096 };

struct line {
    char name[60];
    unsigned forms, known;
    uint64_t digest;
};

static struct {
    struct line line[LINES];
    unsigned n;
    const char *shown;
} list;

static void add(struct line *to, uint64_t n)
{
    to->digest = test_mixed(to->digest, n);
}

static void add_text(struct line *to, const char *text)
{
    for (const char *p = text ? text : "(none)"; *p; p++)
        add(to, (unsigned char)*p);
    add(to, 256);
}

static void add_register(struct line *to, const weft_register *r)
{
    add_text(to, r->file);
    add(to, r->number);
}

static void add_operand(struct line *to, const weft_operand *o)
{
    uint64_t number = 0;
    if (o->number == o->number) /* which NaN it is the machine says */
        memcpy(&number, &o->number, sizeof number);
    const uint64_t numbers[] = {o->kind,
                                o->role,
                                o->type,
                                o->part,
                                (uint64_t)o->access,
                                o->width,
                                o->count,
                                o->shift,
                                o->components,
                                o->swizzle[0],
                                o->swizzle[1],
                                o->swizzle[2],
                                o->swizzle[3],
                                o->indirect != 0,
                                o->has_dimension != 0,
                                o->dimension,
                                (uint64_t)o->integer,
                                number,
                                o->scale,
                                (uint64_t)o->displacement};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add(to, numbers[i]);
    add_register(to, &o->reg);
    add_register(to, &o->base);
    add_register(to, &o->index);
    add_text(to, o->space);
    for (size_t i = 0; i < WEFT_OPERAND_MODIFIERS && o->modifiers[i]; i++)
        add_text(to, o->modifiers[i]);
}

static void add_field(struct line *to, const weft_field *f)
{
    add_text(to, f->name);
    add_text(to, f->word);
    add(to, f->kind);
    add(to, f->part);
    add(to, f->value);
    for (uint32_t p = 0; p < f->npieces; p++)
        add(to, f->pieces[p].bit * 1000u + f->pieces[p].width);
}

static void show(const weft_insn *insn, const char *text)
{
    for (uint32_t i = 0; i < insn->size; i++)
        print_message("%02x", insn->bytes[i]);
    print_message("  %s\n", text);
}

static void add_insn(struct line *to, const weft_decoder *decoder, const weft_insn *insn, weft_status status)
{
    static weft_operand operands[WEFT_INSN_OPERANDS];
    static weft_field fields[WEFT_INSN_FIELDS];
    static weft_token tokens[200];
    static char text[WEFT_INSN_TEXT];
    size_t ntokens = sizeof tokens / sizeof tokens[0];
    const uint64_t numbers[] = {status,
                                insn->size,
                                insn->nrows,
                                insn->flow,
                                insn->conditional != 0,
                                insn->has_target != 0,
                                insn->has_target ? insn->target : 0,
                                insn->effects,
                                insn->waits,
                                insn->signals,
                                insn->fault_bit,
                                insn->fault_width};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add(to, numbers[i]);
    add_text(to, insn->unit);
    add_text(to, insn->fault);
    weft_insn_text(decoder, insn, NULL, text, sizeof text, tokens, &ntokens);
    add_text(to, text);
    for (size_t i = 0; i < ntokens && i < sizeof tokens / sizeof tokens[0]; i++)
        add(to, tokens[i].start * 10000 + tokens[i].size * 10 + tokens[i].kind);
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    for (size_t i = 0; i < n; i++)
        add_operand(to, &operands[i]);
    n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    for (size_t i = 0; i < n; i++)
        add_field(to, &fields[i]);
    if (list.shown && strstr(to->name, list.shown))
        show(insn, status == WEFT_OK ? text : insn->fault ? insn->fault : "too short");
    if (status != WEFT_OK)
        return;
    uint8_t bytes[BYTES] = {0};
    size_t used = 0;
    to->known++;
    add(to, weft_insn_assemble(decoder, text, insn->address, bytes, sizeof bytes, &used, NULL));
    for (size_t i = 0; i < used && i < sizeof bytes; i++)
        add(to, bytes[i]);
}

static void add_row(const weft_decoder *decoder, const char *name, uint32_t r)
{
    struct line *to = list.n && strcmp(list.line[list.n - 1].name, name) == 0 ? &list.line[list.n - 1] : NULL;
    struct test_rng random = {r};
    if (!to) {
        assert_true(list.n < LINES);
        to = &list.line[list.n++];
        snprintf(to->name, sizeof to->name, "%s", name);
    }
    for (uint32_t form = 0;; form++) {
        /* What follows an instruction of which more bytes are read than its form has. */
        uint8_t first[BYTES] = {0}, bytes[BYTES] = {0};
        const char *form_name;
        size_t size = weft_insn_form(decoder, r, form, first, sizeof first, &form_name);
        weft_insn insn, other;
        if (size == 0)
            break;
        to->forms++;
        add_text(to, form_name);
        add_insn(to, decoder, &insn, weft_insn_decode(decoder, first, size, 0x1000, &insn));
        for (unsigned v = 0; v < VARIANTS; v++) {
            memset(bytes, 0, sizeof bytes);
            if (!draw_any(decoder, &insn, v, &random, bytes))
                continue;
            weft_status status = weft_insn_decode(decoder, bytes, size + 16, 0x1000, &other);
            if (other.size)
                add_insn(to, decoder, &other, status);
        }
    }
}

static void add_set(const char *isa, const char *chip, weft_stage stage)
{
    weft_decoder_options options = {sizeof options, chip, stage};
    weft_decoder *decoder;
    assert_int_equal(weft_decoder_new(isa, &options, &decoder), WEFT_OK);
    const weft_isa *set = weft_decoder_isa(decoder);
    for (size_t r = 0; r < weft_isa_rows(set); r++) {
        weft_isa_row row;
        char name[60];
        assert_true(weft_isa_get_row(set, r, &row));
        snprintf(name, sizeof name, "%s%s%s %s", isa, chip ? " " : "", chip ? chip : "", row.mnemonic);
        for (char *p = name; *p; p++)
            *p = *p == '\n' ? ' ' : *p;
        add_row(decoder, name, (uint32_t)r);
    }
    weft_decoder_free(decoder);
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    list.shown = getenv("WEFT_TEST_SHOW");
    static const char *const sets[] = {"tgsi", "tesla", "valhall", "rogue", "vpu"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        add_set(sets[i], NULL, WEFT_STAGE_NONE);
    add_set("tesla", "g80", WEFT_FRAGMENT);
    add_set("tesla", "g200", WEFT_COMPUTE); /* which has doubles */
    if (getenv("WEFT_TEST_RENEW")) {
        FILE *to = fopen(WEFT_SOURCE_ROOT "/tests/isa/forms.txt", "w");
        assert_non_null(to);
        for (unsigned i = 0; i < list.n; i++)
            fprintf(to, "%s: %u forms, %u known, %016llx\n", list.line[i].name, list.line[i].forms, list.line[i].known,
                    (unsigned long long)list.line[i].digest);
        assert_int_equal(fclose(to), 0);
    }
    FILE *from = fopen(WEFT_SOURCE_ROOT "/tests/isa/forms.txt", "r");
    assert_non_null(from);
    char was[200], is[200];
    unsigned wrong = 0, i = 0;
    for (; fgets(was, sizeof was, from) && i < list.n; i++) {
        const struct line *l = &list.line[i];
        snprintf(is, sizeof is, "%s: %u forms, %u known, %016llx\n", l->name, l->forms, l->known,
                 (unsigned long long)l->digest);
        if (strcmp(was, is) != 0 && wrong++ < 10)
            print_message("was: %sis:  %s", was, is);
    }
    assert_int_equal(wrong, 0);
    assert_true(feof(from) && i == list.n);
    fclose(from);
}

TEST_MAIN(TEST(each_is_as_it_was))
