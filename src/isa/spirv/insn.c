/* insn.c - one instruction (weft/insn.h): its words, operands, fields and text. */
#include "isa/insn.h"

#include "base/bytes.h"
#include "isa/spirv/single.h"

#include <string.h>

/* ---- decoding ---- */

static void ignore(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    (void)context;
    (void)letter;
    (void)kind;
    (void)at;
    (void)count;
}

static void describe(const struct spirv_row *row, struct weft_insn *out)
{
    struct spirv_does does = spirv_does(row);
    out->nrows = 1;
    out->rows[0] = spirv_row_number(row);
    out->flow = does.flow;
    out->conditional = does.flow == WEFT_FLOW_BRANCH && row->form[1]; /* more than the place to go to */
    out->effects = does.effects;
}

/* The five words at the start. */
static bool is_header(const struct weft_insn *out, size_t size)
{
    return out->address == 0 && size >= 20 && bytes_word(out->bytes) == SpvMagicNumber;
}

/* The words of an instruction that is not too long; how many. */
static unsigned words_of(const struct weft_insn *insn, uint32_t w[SPIRV_SINGLE_WORDS])
{
    unsigned n = insn->size / 4;
    for (unsigned i = 0; i < n && i < SPIRV_SINGLE_WORDS; i++)
        w[i] = bytes_word(insn->bytes + i * 4);
    return n;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    (void)d;
    if (size < 4) {
        out->fault = "the bytes end within it";
        return false;
    }
    if (is_header(out, size)) {
        out->size = 20;
        out->nrows = 1;
        out->rows[0] = spirv_row_count;
        return true;
    }
    uint32_t head = bytes_word(out->bytes), count = head >> 16;
    const struct spirv_row *row = spirv_row_of(head & 0xffff);
    if (count > size / 4) {
        out->fault = "the bytes end within it";
        return false;
    }
    out->size = count ? count * 4 : 4;
    if (!row || !count) {
        out->fault = !count ? "an instruction has one word at least" : "no instruction has this opcode";
        out->fault_bit = count ? 0 : 16;
        out->fault_width = 16;
        return false;
    }
    uint32_t w[SPIRV_SINGLE_WORDS];
    if (words_of(out, w) > SPIRV_SINGLE_WORDS)
        out->fault = "it has more words than weft tells of an instruction alone";
    else
        out->fault = spirv_walk(row, w, count, ignore, NULL);
    if (!out->fault)
        describe(row, out);
    return out->fault == NULL;
}

/* ---- operands ---- */

struct operands {
    struct weft_operand *list;
    size_t n;
    const uint32_t *w;
};

static void add_operand(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct operands *o = context;
    (void)kind;
    if (o->n == WEFT_INSN_OPERANDS)
        return;
    if (strchr("trism", letter)) {
        insn_register(o->list, &o->n, "%", o->w[at], 1, letter == 'r' ? WEFT_WRITE : WEFT_READ, 32);
        return;
    }
    uint64_t value = letter == 'c' && count > 1 ? o->w[at] | (uint64_t)o->w[at + 1] << 32 : o->w[at];
    insn_immediate(o->list, &o->n, (int64_t)value, 32);
}

static size_t operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *list)
{
    uint32_t w[SPIRV_SINGLE_WORDS];
    struct operands o = {list, 0, w};
    unsigned n = words_of(insn, w);
    (void)d;
    if (insn->rows[0] < spirv_row_count)
        spirv_walk(&spirv_rows[insn->rows[0]], w, n, add_operand, &o);
    return o.n;
}

/* ---- fields ---- */

struct fields {
    struct weft_field *list;
    size_t n;
    const struct weft_insn *insn;
    const uint32_t *w;
};

static const char *field_name(char letter, unsigned kind)
{
    switch (letter) {
    case 't':
        return "Result Type";
    case 'r':
        return "Result";
    case 's':
        return "Scope";
    case 'm':
        return "Memory Semantics";
    case 'S':
        return "Text";
    case '@':
        return spirv_kind_name(kind);
    case 'i':
        return "Operand";
    default:
        return "Number";
    }
}

static void add_field(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct fields *f = context;
    for (uint32_t i = 0; i < count; i++) {
        struct weft_field *field = insn_field(f->list, &f->n, f->insn, field_name(letter, kind), WEFT_FIELD_OPERAND,
                                              (at + i) * 32, 32);
        if (strchr("trism", letter))
            snprintf(field->word, sizeof field->word, "%%%u", f->w[at]);
        else if (letter == '@' && spirv_enumerant(kind, f->w[at], NULL))
            snprintf(field->word, sizeof field->word, "%s", spirv_enumerant(kind, f->w[at], NULL));
    }
}

static size_t fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *list)
{
    static const char *const header[] = {"Magic Number", "Version", "Generator", "Bound", "Schema"};
    uint32_t w[SPIRV_SINGLE_WORDS];
    struct fields f = {list, 0, insn, w};
    unsigned n = words_of(insn, w);
    (void)d;
    if (insn->rows[0] == spirv_row_count) {
        for (unsigned i = 0; i < SPIRV_HEADER_WORDS; i++)
            insn_field(list, &f.n, insn, header[i], i ? WEFT_FIELD_CONTROL : WEFT_FIELD_OPCODE, i * 32, 32);
        return f.n;
    }
    insn_field(list, &f.n, insn, "Word Count", WEFT_FIELD_CONTROL, 16, 16);
    struct weft_field *opcode = insn_field(list, &f.n, insn, "Opcode", WEFT_FIELD_OPCODE, 0, 16);
    snprintf(opcode->word, sizeof opcode->word, "%s", spirv_rows[insn->rows[0]].name);
    spirv_walk(&spirv_rows[insn->rows[0]], w, n, add_field, &f);
    return f.n;
}

/* ---- text ---- */

static size_t text(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *buffer)
{
    struct text t = {.p = buffer, .begin = buffer, .size = TEXT_ROOM};
    uint32_t w[SPIRV_SINGLE_WORDS];
    (void)d;
    (void)format;
    if (!insn->nrows) {
        put_text(&t, "; unknown:");
        for (uint32_t i = 0; i + 4 <= insn->size && i < 64 * 4; i += 4) {
            put_char(&t, ' ');
            put_hex_digits(&t, bytes_word(insn->bytes + i), 8);
        }
        if (insn->size > 64 * 4)
            put_text(&t, " ...");
        return text_length(&t);
    }
    unsigned n = words_of(insn, w);
    if (insn->rows[0] == spirv_row_count)
        spirv_put_header(&t, w);
    else
        spirv_put_single(&t, &spirv_rows[insn->rows[0]], w, n);
    return text_length(&t);
}

static int token(const char *word, size_t length, bool first)
{
    if (*word == '%')
        return WEFT_TOKEN_REGISTER;
    if (*word >= '0' && *word <= '9')
        return WEFT_TOKEN_NUMBER;
    if (first && length >= 2 && (memcmp(word, "Op", 2) == 0 || memcmp(word, "SP", 2) == 0))
        return WEFT_TOKEN_MNEMONIC;
    return WEFT_TOKEN_MODIFIER;
}

static weft_status assemble(const struct isa_decoder *d, const struct source *line, uint64_t address,
                            struct arena *arena, uint8_t **bytes, size_t *size, weft_diags *diags)
{
    uint32_t w[SPIRV_SINGLE_WORDS];
    size_t at;
    const char *fault;
    (void)d;
    (void)address;
    unsigned n = spirv_read_single(line->text, line->size, w, &at, &fault);
    if (fault) {
        diag_at(diags, WEFT_ERROR, "syntax", line, (struct span){(uint32_t)at, at < line->size}, NULL, "%s", fault);
        return WEFT_ERROR_INPUT;
    }
    *bytes = arena_alloc(arena, (size_t)n * 4 + 1);
    *size = (size_t)n * 4;
    for (unsigned i = 0; *bytes && i < n; i++)
        bytes_put(*bytes + i * 4, w[i], 4);
    return *bytes ? WEFT_OK : WEFT_ERROR_MEMORY;
}

/* ---- forms ---- */

/* The words of an example: ids from 1 on, enumerations their first value, everything else 0. */
struct example {
    uint32_t w[SPIRV_SINGLE_WORDS];
    unsigned n;
    uint32_t id;
};

static void add_example(struct example *e, const char *form, unsigned depth)
{
    while (*form && depth < 5) {
        char letter = *form++;
        unsigned kind = 0;
        if (letter == '@') {
            kind = (unsigned)(form[0] - '0') * 10 + (unsigned)(form[1] - '0');
            form += 2;
        }
        if (*form == '?' || *form == '*') {
            form++;
            continue;
        }
        if (letter == '@' && !spirv_kind_is_bits(kind)) {
            uint32_t value = 0;
            const char *more = "";
            while (!spirv_enumerant(kind, value, &more) && value < 65536)
                value++;
            e->w[e->n++] = value;
            add_example(e, more, depth + 1);
        } else {
            e->w[e->n++] = strchr("trism", letter) ? e->id++ : 0;
        }
        if (strchr("pqP", letter))
            e->w[e->n++] = 0;
    }
}

static size_t form(const struct isa_decoder *d, uint32_t row, uint32_t number, uint8_t *bytes, const char **name)
{
    struct example e = {.n = 1, .id = 1};
    (void)d;
    *name = "";
    if (number > 0 || row > spirv_row_count)
        return 0;
    if (row == spirv_row_count) {
        const uint32_t header[] = {SpvMagicNumber, 0x10000, 0, 1, 0};
        memcpy(e.w, header, sizeof header);
        e.n = SPIRV_HEADER_WORDS;
    } else {
        add_example(&e, spirv_rows[row].form, 0);
        e.w[0] = e.n << 16 | spirv_rows[row].opcode;
    }
    for (unsigned i = 0; i < e.n; i++)
        bytes_put(bytes + i * 4, e.w[i], 4);
    return e.n * 4;
}

const struct isa_insn_ops spirv_insn_ops = {
    .decode = decode,
    .operands = operands,
    .fields = fields,
    .text = text,
    .token = token,
    .assemble = assemble,
    .form = form,
};
