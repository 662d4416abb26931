/* insn.c - single instructions as the public interface offers them (weft/insn.h), over isa.insn. */
#include "isa/insn.h"

#include "base/sized.h"
#include "isa/text.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)WEFT_INSN_TEXT == (int)TEXT_ROOM, "a printed instruction fits the caller's buffer");

struct weft_decoder {
    struct isa_decoder d;
};

static bool is_known(const struct weft_insn *insn)
{
    return insn->nrows != 0;
}

static bool take_options(struct isa_decoder *d, const weft_decoder_options *options)
{
    weft_decoder_options o;
    const char *const *chips = d->isa->chips;
    if (sized_copy(&o, sizeof o, SIZED_FIRST(weft_decoder_options, stage), options, "weft_decoder_options", NULL) !=
        WEFT_OK)
        return false;
    if (o.chip) {
        while (chips && chips[d->chip_number] && strcmp(chips[d->chip_number], o.chip) != 0)
            d->chip_number++;
        if (!chips || !chips[d->chip_number])
            return false;
        d->chip = chips[d->chip_number];
    }
    d->stage = (int)o.stage;
    return d->stage >= -1 && d->stage < IR_STAGES;
}

weft_status weft_decoder_new(const char *isa, const weft_decoder_options *options, weft_decoder **out)
{
    *out = NULL;
    const struct isa *set = isa ? isa_find(isa) : NULL;
    struct isa_decoder d = {.isa = set, .stage = -1};
    if (!set || (options && !take_options(&d, options)))
        return WEFT_ERROR_USAGE;
    uint8_t bytes[ISA_FORM_BYTES];
    const char *name;
    if (!set->insn->form(&d, 0, 0, bytes, &name)) /* memory was not enough for the tables */
        return WEFT_ERROR_MEMORY;
    *out = malloc(sizeof **out);
    if (!*out)
        return WEFT_ERROR_MEMORY;
    (*out)->d = d;
    return WEFT_OK;
}

void weft_decoder_free(weft_decoder *decoder)
{
    free(decoder);
}

const weft_isa *weft_decoder_isa(const weft_decoder *decoder)
{
    return (const weft_isa *)decoder->d.isa;
}

const char *weft_flow_name(weft_flow flow)
{
    static const char *const names[] = {"next",    "branch", "call", "return", "end", "discard",
                                        "barrier", "emit",   "mark", "mask",   "trap"};
    return (size_t)flow < sizeof names / sizeof names[0] ? names[flow] : "unknown";
}

const char *weft_token_name(weft_token_kind kind)
{
    static const char *const names[] = {"mnemonic", "modifier", "register",   "number",
                                        "address",  "label",    "punctuation"};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

weft_status weft_insn_decode(const weft_decoder *decoder, const uint8_t *bytes, size_t size, uint64_t address,
                             weft_insn *insn)
{
    *insn = (weft_insn){.bytes = bytes, .address = address};
    if (size == 0) {
        insn->fault = "no bytes are left";
        return WEFT_ERROR_INPUT;
    }
    return decoder->d.isa->insn->decode(&decoder->d, size, insn) ? WEFT_OK : WEFT_ERROR_INPUT;
}

/* n things of `each` bytes into the caller's room for `count` of them; how many there are. */
static size_t hand_over(void *out, size_t count, const void *all, size_t n, size_t each)
{
    if (out)
        memcpy(out, all, (n < count ? n : count) * each);
    return n;
}

size_t weft_insn_operands(const weft_decoder *decoder, const weft_insn *insn, weft_operand *operands, size_t count)
{
    if (!is_known(insn))
        return 0;
    weft_operand all[WEFT_INSN_OPERANDS];
    memset(all, 0, sizeof all);
    size_t n = decoder->d.isa->insn->operands(&decoder->d, insn, all);
    return hand_over(operands, count, all, n, sizeof *all);
}

size_t weft_insn_fields(const weft_decoder *decoder, const weft_insn *insn, weft_field *fields, size_t count)
{
    if (!is_known(insn))
        return 0;
    weft_field all[WEFT_INSN_FIELDS];
    memset(all, 0, sizeof all);
    size_t n = decoder->d.isa->insn->fields(&decoder->d, insn, all);
    return hand_over(fields, count, all, n, sizeof *all);
}

weft_status weft_insn_from_fields(const weft_field *fields, size_t count, uint8_t *bytes, size_t size)
{
    memset(bytes, 0, size);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = fields[i].value;
        for (uint32_t p = 0; p < fields[i].npieces; p++) {
            weft_bits bits = fields[i].pieces[p];
            if (bits.width > 64 || (size_t)bits.bit + bits.width > size * 8)
                return WEFT_ERROR_USAGE;
            for (unsigned b = 0; b < bits.width; b++, value >>= 1)
                bytes[(bits.bit + b) / 8] |= (uint8_t)((value & 1) << (bits.bit + b) % 8);
        }
    }
    return WEFT_OK;
}

/* ---- tokens ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '@';
}

/* What is being taken apart. */
struct token_scan {
    const struct isa_insn_ops *ops;
    const weft_insn *insn;
    const weft_format *format;
    bool first; /* no mnemonic yet */
};

/* Whether the word is the name or the number of the target. */
static bool is_target(const struct token_scan *s, const char *word, size_t length, weft_token_kind *kind)
{
    if (!s->insn->has_target)
        return false;
    const char *name = s->format && s->format->name ? s->format->name(s->format->user, s->insn->target) : NULL;
    if (name && strlen(name) == length && memcmp(name, word, length) == 0) {
        *kind = WEFT_TOKEN_LABEL;
        return true;
    }
    char *end;
    if (!isdigit((unsigned char)*word) || strtoull(word, &end, 0) != s->insn->target || end != word + length)
        return false;
    *kind = WEFT_TOKEN_ADDRESS;
    return true;
}

static weft_token_kind kind_of_word(struct token_scan *s, const char *word, size_t length)
{
    weft_token_kind kind;
    if (is_target(s, word, length, &kind))
        return kind;
    kind = (weft_token_kind)s->ops->token(word, length, s->first);
    if (kind == WEFT_TOKEN_MNEMONIC)
        s->first = false;
    return kind;
}

/* The token that begins at text[at]: where it ends. A dot between letters begins a modifier; in a number it is a part
 * of it. */
static size_t scan_token(struct token_scan *s, const char *text, size_t at, weft_token *token)
{
    size_t end = at + 1;
    bool number = isdigit((unsigned char)text[at]);
    if (text[at] == '.' && is_word(text[end])) {
        while (is_word(text[end]))
            end++;
        token->kind = WEFT_TOKEN_MODIFIER;
    } else if (is_word(text[at])) {
        while (is_word(text[end]) || (number && text[end] == '.' && isdigit((unsigned char)text[end + 1])) ||
               (number && (text[end] == '+' || text[end] == '-') && (text[end - 1] == 'e' || text[end - 1] == 'p')))
            end++;
        token->kind = kind_of_word(s, text + at, end - at);
    } else {
        token->kind = WEFT_TOKEN_PUNCTUATION;
    }
    token->start = (uint32_t)at;
    token->size = (uint32_t)(end - at);
    return end;
}

static size_t scan_tokens(struct token_scan *s, const char *text, weft_token *tokens, size_t room)
{
    size_t n = 0;
    for (size_t at = 0; text[at] != '\0';) {
        if (isspace((unsigned char)text[at])) {
            at++;
            continue;
        }
        weft_token token;
        at = scan_token(s, text, at, &token);
        if (n < room)
            tokens[n] = token;
        n++;
    }
    return n;
}

size_t weft_insn_text(const weft_decoder *decoder, const weft_insn *insn, const weft_format *format, char *text,
                      size_t size, weft_token *tokens, size_t *ntokens)
{
    char all[TEXT_ROOM];
    weft_format known;
    const struct isa_insn_ops *ops = decoder->d.isa->insn;
    const size_t first = SIZED_FIRST(weft_format, user);
    bool fits = format && sized_copy(&known, sizeof known, first, format, "weft_format", NULL) == WEFT_OK;
    format = fits ? &known : NULL;
    size_t length = ops->text(&decoder->d, insn, format, all);
    all[length] = '\0';
    if (size) {
        size_t copied = length < size ? length : size - 1;
        memcpy(text, all, copied);
        text[copied] = '\0';
    }
    if (ntokens) {
        struct token_scan s = {ops, insn, format, true};
        *ntokens = scan_tokens(&s, all, tokens, tokens ? *ntokens : 0);
    }
    return length;
}

/* ---- from text ---- */

/* As a program of this line alone. */
static weft_status assemble_program(const struct isa_decoder *d, const struct source *line, uint64_t address,
                                    struct arena *arena, uint8_t **bytes, size_t *size, weft_diags *diags)
{
    struct isa_params params = {.chip = d->chip, .stage = d->stage, .base = address, .linear = true};
    struct isa_module *module = NULL;
    weft_status status = d->isa->parse(line, &params, arena, &module, diags);
    return status == WEFT_OK ? d->isa->encode(module, arena, bytes, size, diags) : status;
}

/* More than one instruction, or none, is an error. */
static weft_status check_one(const weft_decoder *decoder, const struct source *line, uint64_t address,
                             const uint8_t *bytes, size_t size, weft_diags *diags)
{
    weft_insn insn;
    if (size)
        weft_insn_decode(decoder, bytes, size, address, &insn);
    if (size && insn.size == size)
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "one-instruction", line->name, NULL, "write one instruction: this is %s",
             size ? "more than one" : "none");
    return WEFT_ERROR_INPUT;
}

weft_status weft_insn_assemble(const weft_decoder *decoder, const char *line, uint64_t address, uint8_t *bytes,
                               size_t size, size_t *used, weft_diags *diags)
{
    *used = 0;
    struct arena arena = {0};
    struct source source = {"<line>", line, strlen(line)};
    const struct isa_insn_ops *ops = decoder->d.isa->insn;
    uint8_t *made = NULL;
    size_t n = 0;
    weft_status status =
        (ops->assemble ? ops->assemble : assemble_program)(&decoder->d, &source, address, &arena, &made, &n, diags);
    if (status == WEFT_OK)
        status = check_one(decoder, &source, address, made, n, diags);
    if (status == WEFT_OK) {
        memcpy(bytes, made, n < size ? n : size);
        *used = n;
    }
    bool lacking = arena_failed(&arena);
    arena_free(&arena);
    return diags_memory(diags, source.name, status != WEFT_OK && lacking ? WEFT_ERROR_MEMORY : status);
}

size_t weft_insn_form(const weft_decoder *decoder, uint32_t row, uint32_t form, uint8_t *bytes, size_t size,
                      const char **name)
{
    uint8_t all[ISA_FORM_BYTES] = {0};
    const char *called = "";
    size_t n = row < decoder->d.isa->nrows ? decoder->d.isa->insn->form(&decoder->d, row, form, all, &called) : 0;
    memcpy(bytes, all, n < size ? n : size);
    if (name)
        *name = called;
    return n;
}
