/* insn.c - one instruction (weft/insn.h): decoding it, its text, and its tokens from a line of text. */
#include "isa/tgsi/insn.h"

#include "isa/text.h"
#include "isa/tgsi/print.h"

#include <ctype.h>

const struct isa_row_info tgsi_item_rows[] = {
    [TGSI_ROW_DCL - TGSI_OPS] = {.mnemonic = "DCL",
                                 .syntax = "DCL file[dimension][first..last].mask, attributes",
                                 .pattern = "token type 0",
                                 .doc = "declare registers"},
    [TGSI_ROW_IMM - TGSI_OPS] = {.mnemonic = "IMM",
                                 .syntax = "IMM[number] type {x, y, z, w}",
                                 .pattern = "token type 1",
                                 .doc = "four words of constants: the next IMM register"},
    [TGSI_ROW_PROPERTY - TGSI_OPS] = {.mnemonic = "PROPERTY",
                                      .syntax = "PROPERTY name value[, ...]",
                                      .pattern = "token type 3",
                                      .doc = "a property of the whole program"},
    [TGSI_ROW_PROCESSOR - TGSI_OPS] = {.mnemonic = "FRAG",
                                       .syntax = "FRAG | VERT | GEOM | TESS_CTRL | TESS_EVAL | COMP",
                                       .pattern = "header and processor tokens",
                                       .doc = "the stage that the program is for: its first line"},
};

uint8_t tgsi_processor_of(int stage)
{
    uint8_t processor = 0;
    while (stage >= 0 && tgsi_processor_stages[processor] != stage)
        processor++;
    return processor;
}

/* A reader at the start of an instruction's bytes. */
static struct tgsi_reader reader_of(const struct isa_decoder *d, const uint8_t *bytes, size_t size)
{
    return (struct tgsi_reader){.bytes = bytes, .end = (uint32_t)(size / 4), .processor = tgsi_processor_of(d->stage)};
}

void tgsi_read_again(const struct isa_decoder *d, const struct weft_insn *insn, struct tgsi_any *any)
{
    struct tgsi_reader r = reader_of(d, insn->bytes, insn->size);
    tgsi_read_item(&r, any);
}

/* ---- decoding ---- */

static weft_flow flow_of(const struct tgsi_row *row)
{
    static const uint8_t flows[] = {
        [TGSI_FLOW_NONE] = WEFT_FLOW_NEXT,       [TGSI_FLOW_IF] = WEFT_FLOW_MASK,
        [TGSI_FLOW_ELSE] = WEFT_FLOW_MASK,       [TGSI_FLOW_ENDIF] = WEFT_FLOW_MASK,
        [TGSI_FLOW_LOOP] = WEFT_FLOW_MASK,       [TGSI_FLOW_ENDLOOP] = WEFT_FLOW_MASK,
        [TGSI_FLOW_BREAK] = WEFT_FLOW_MASK,      [TGSI_FLOW_CONTINUE] = WEFT_FLOW_MASK,
        [TGSI_FLOW_SWITCH] = WEFT_FLOW_MASK,     [TGSI_FLOW_CASE] = WEFT_FLOW_MASK,
        [TGSI_FLOW_DEFAULT] = WEFT_FLOW_MASK,    [TGSI_FLOW_ENDSWITCH] = WEFT_FLOW_MASK,
        [TGSI_FLOW_SUB] = WEFT_FLOW_NEXT,        [TGSI_FLOW_ENDSUB] = WEFT_FLOW_RETURN,
        [TGSI_FLOW_CALL] = WEFT_FLOW_CALL,       [TGSI_FLOW_RETURN] = WEFT_FLOW_RETURN,
        [TGSI_FLOW_END] = WEFT_FLOW_END,         [TGSI_FLOW_JUMP] = WEFT_FLOW_BRANCH,
        [TGSI_FLOW_DISCARD] = WEFT_FLOW_DISCARD, [TGSI_FLOW_BARRIER] = WEFT_FLOW_BARRIER,
        [TGSI_FLOW_EMIT] = WEFT_FLOW_EMIT,
    };
    return (weft_flow)flows[row->flow];
}

/* What a fault is in a sentence that needs no numbers, by its code. */
static const char *sentence(const char *code)
{
    static const struct {
        const char *code, *sentence;
    } sentences[] = {
        {"truncated", "the bytes end within it"},
        {"reserved-bits", "bits that nobody uses are set"},
        {"bad-field", "a field has a value that does not exist here"},
        {"bad-count", "it has another number of tokens or operands than it says or than its opcode has"},
        {"bad-register", "a register number is negative"},
        {"unknown-instruction", "no instruction has this opcode"},
        {"bad-header", "the header is not that of a stream"},
    };
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strcmp(sentences[i].code, code) == 0)
            return sentences[i].sentence;
    return "it cannot be read";
}

/* Tokens to skip, by the count in the first one, as far as there are any. */
static uint32_t skipped(uint32_t head, uint32_t available)
{
    uint32_t type = TGSI_GET(head, INSN_TYPE);
    uint32_t count = type == TGSI_TYPE_IMMEDIATE ? TGSI_GET(head, IMM_COUNT)
                     : type < TGSI_TOKEN_TYPES   ? TGSI_GET(head, INSN_COUNT)
                                                 : 1;
    count = count ? count : 1;
    return count < available ? count : available;
}

static bool refuse(struct weft_insn *out, const struct tgsi_fault *fault, uint32_t available)
{
    out->fault = sentence(fault->code);
    bool truncated = strcmp(fault->code, "truncated") == 0;
    out->size = truncated ? 0 : 4 * skipped(bytes_word(out->bytes), available);
    if (fault->bits) {
        uint32_t low = (uint32_t)__builtin_ctz(fault->bits);
        out->fault_bit = fault->token * 32 + low;
        out->fault_width = 32 - (uint32_t)__builtin_clz(fault->bits) - low;
    }
    return false;
}

static void describe(const struct tgsi_insn *in, struct weft_insn *out)
{
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    out->rows[0] = in->opcode;
    out->flow = flow_of(row);
    out->effects = row->effects;
    out->conditional = in->nsrc && row->flow != TGSI_FLOW_NONE && row->flow != TGSI_FLOW_EMIT;
    bool outputs = row->flow == TGSI_FLOW_EMIT;
    for (unsigned i = 0; i < in->ndst; i++)
        outputs |= in->dst[i].file == TGSI_OUTPUT;
    out->effects |= outputs ? WEFT_EFFECT_OUTPUT : 0;
}

/* The two tokens at the start of a stream. What else can begin with these bits is not an item: a header's count of
 * tokens is 0 or a multiple of 16, and the token after it a small number. */
static bool is_front(const struct weft_insn *out, size_t size)
{
    if (out->address != 0 || size < 8 || TGSI_GET(bytes_word(out->bytes), HEADER_SIZE) != TGSI_HEADER_TOKENS)
        return false;
    uint32_t processor = bytes_word(out->bytes + 4);
    return TGSI_GET(processor, PROCESSOR_SPARE) == 0 && TGSI_GET(processor, PROCESSOR_KIND) < TGSI_PROCESSORS;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    static const uint32_t rows[] = {
        [TGSI_ITEM_DECL] = TGSI_ROW_DCL, [TGSI_ITEM_IMM] = TGSI_ROW_IMM, [TGSI_ITEM_PROPERTY] = TGSI_ROW_PROPERTY};
    out->nrows = 1;
    if (is_front(out, size)) {
        out->size = 4 * TGSI_HEADER_TOKENS;
        out->rows[0] = TGSI_ROW_PROCESSOR;
        return true;
    }
    size = size < 4 * UINT32_MAX ? size : 4 * UINT32_MAX;
    struct tgsi_reader r = reader_of(d, out->bytes, size);
    struct tgsi_any any;
    if (!tgsi_read_item(&r, &any)) {
        out->nrows = 0;
        return refuse(out, &r.fault, r.end);
    }
    out->size = 4 * r.at;
    if (any.kind == TGSI_ITEM_INSN)
        describe(&any.insn, out);
    else
        out->rows[0] = rows[any.kind];
    return true;
}

/* ---- text ---- */

/* What is not an instruction is a comment: the text form has no data. */
static void put_unknown(struct text *t, const struct weft_insn *insn)
{
    put_text(t, "# unknown:");
    for (uint32_t i = 0; i + 4 <= insn->size && i < 64 * 4; i += 4) {
        put_char(t, ' ');
        put_hex_digits(t, bytes_word(insn->bytes + i), 8);
    }
    if (insn->size > 64 * 4)
        put_text(t, " ...");
}

/* The line without its number and its indentation, which depend on the lines before it; so does IMM's number. */
static size_t text(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *buffer)
{
    (void)format; /* labels count instructions: they are not addresses */
    struct text t = {.p = buffer, .begin = buffer, .size = TEXT_ROOM};
    struct tgsi_any any;
    if (!insn->nrows) {
        put_unknown(&t, insn);
    } else if (insn->rows[0] == TGSI_ROW_PROCESSOR) {
        uint32_t number = TGSI_GET(bytes_word(insn->bytes + 4), PROCESSOR_KIND);
        put_text(&t, tgsi_processor_names[tgsi_processor_of_number(number)]);
    } else {
        tgsi_read_again(d, insn, &any);
        tgsi_put_item(&t, &any);
    }
    return text_length(&t);
}

static bool is_one_of(const char *word, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return true;
    return false;
}

static int token(const char *word, size_t length, bool first)
{
    if (first)
        return WEFT_TOKEN_MNEMONIC;
    if (is_one_of(word, length, tgsi_file_names, TGSI_FILES))
        return WEFT_TOKEN_REGISTER;
    if (isdigit((unsigned char)*word) && !is_one_of(word, length, tgsi_target_names, TGSI_TEX_TARGETS))
        return WEFT_TOKEN_NUMBER;
    return WEFT_TOKEN_MODIFIER;
}

/* ---- a line of text ---- */

/* A line alone is not a program. It is read as the only one of a program of the decoder's stage; the two tokens at the
 * start are those of a line that names a processor, and of no other. */
static weft_status assemble(const struct isa_decoder *d, const struct source *line, uint64_t address,
                            struct arena *arena, uint8_t **bytes, size_t *size, weft_diags *diags)
{
    (void)address;
    struct isa_module *m = NULL;
    bool headed = false;
    weft_status status = tgsi_parse_line(line, tgsi_processor_of(d->stage), &headed, arena, &m, diags);
    if (status == WEFT_OK)
        status = tgsi_encode(m, arena, bytes, size, diags);
    if (status == WEFT_OK && !headed) {
        *bytes += 4 * TGSI_HEADER_TOKENS;
        *size -= 4 * TGSI_HEADER_TOKENS;
    }
    return status;
}

const struct isa_insn_ops tgsi_insn_ops = {
    .decode = decode,
    .operands = tgsi_operands,
    .fields = tgsi_fields,
    .text = text,
    .token = token,
    .assemble = assemble,
    .form = tgsi_form,
};
