/* fields.c - the bit fields of one instruction (weft/insn.h), from the list in fields.inc. */
#include "isa/tgsi/insn.h"

#include "isa/text.h"

#include <string.h>

/* Tokens by what fields they have. */
enum token {
    TOKEN_HEADER,
    TOKEN_PROCESSOR,
    TOKEN_DECL,
    TOKEN_RANGE,
    TOKEN_DIM,
    TOKEN_INTERP,
    TOKEN_SEMANTIC,
    TOKEN_IMAGE,
    TOKEN_RESOURCE,
    TOKEN_VIEW,
    TOKEN_ARRAY,
    TOKEN_EXTRA,
    TOKEN_IMM,
    TOKEN_DATA,
    TOKEN_PROPERTY,
    TOKEN_INSN,
    TOKEN_MORE,
    TOKEN_LABEL,
    TOKEN_TEX,
    TOKEN_OFFSET,
    TOKEN_MEMORY,
    TOKEN_SRC,
    TOKEN_DST,
    TOKEN_ADDRESS,
    TOKEN_BRACKET
};

/* How the text says a value. */
enum words {
    WORDS_NUMBER, /* as a number: no word */
    WORDS_SIGNED,
    WORDS_MASK,
    WORDS_SWIZZLE,
    WORDS_WRAP,
    WORDS_OPCODE,
    WORDS_FORMAT,
    WORDS_RETURN_TYPES,
    WORDS_QUALIFIER,
    /* lists */
    WORDS_PROCESSOR,
    WORDS_ITEM,
    WORDS_FILE,
    WORDS_MEMKIND,
    WORDS_INTERP,
    WORDS_LOCATION,
    WORDS_SEMANTIC,
    WORDS_TARGET,
    WORDS_IMM_TYPE,
    WORDS_PROPERTY,
    WORDS_RETURN_TYPE,
    WORDS_INVARIANT,
    WORDS_LOCAL,
    WORDS_ATOMIC,
    WORDS_RAW,
    WORDS_WRITABLE,
    WORDS_SATURATE,
    WORDS_PRECISE,
    WORDS_ABSOLUTE,
    WORDS_NEGATE
};

static const struct field {
    uint8_t token, low, width, kind, words;
    const char *name;
} fields[] = {
#define FIELD(token, field, low, width, kind, name, words)                                                             \
    {TOKEN_##token, low, width, WEFT_FIELD_##kind, WORDS_##words, name},
#include "isa/tgsi/fields.inc"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Names with the operand that they are of. */
static const char *const operand_names[FIELDS][TGSI_SLOTS] = {
#define FIELD(token, field, low, width, kind, name, words)                                                             \
    {"dst0 " name, "dst1 " name, "src0 " name, "src1 " name, "src2 " name, "src3 " name, "src4 " name},
#include "isa/tgsi/fields.inc"
#undef FIELD
};

/* ---- words ---- */

static const char *name_in(const char *const *names, uint32_t value)
{
    for (uint32_t i = 0; i < value && names[i]; i++)
        if (i + 1 == value)
            return names[value];
    return value ? NULL : names[0];
}

/* clang-format off */
#define FLAG(word) (const char *const[]){"", word, NULL}
/* clang-format on */
static const char *const items[] = {"declaration", "immediate", "instruction", "property", NULL};
static const char *const *const lists[] = {
    [WORDS_ITEM] = items,
    [WORDS_MEMKIND] = tgsi_memkind_names,
    [WORDS_INTERP] = tgsi_interp_names,
    [WORDS_LOCATION] = tgsi_location_names,
    [WORDS_SEMANTIC] = tgsi_semantic_names,
    [WORDS_IMM_TYPE] = tgsi_imm_type_names,
    [WORDS_PROPERTY] = tgsi_property_names,
    [WORDS_RETURN_TYPE] = tgsi_rettype_names,
    [WORDS_INVARIANT] = FLAG("INVARIANT"),
    [WORDS_LOCAL] = FLAG("LOCAL"),
    [WORDS_ATOMIC] = FLAG("ATOMIC"),
    [WORDS_RAW] = FLAG("RAW"),
    [WORDS_WRITABLE] = FLAG("WR"),
    [WORDS_SATURATE] = FLAG("_SAT"),
    [WORDS_PRECISE] = FLAG("_PRECISE"),
    [WORDS_ABSOLUTE] = FLAG("| |"),
    [WORDS_NEGATE] = FLAG("-"),
};

static char *put_letters(char *p, const char *letters, uint32_t set)
{
    for (unsigned i = 0; i < 4; i++)
        if (set >> i & 1)
            *p++ = letters[i];
    return p;
}

static char *put_swizzle(char *p, uint32_t value, unsigned width)
{
    *p++ = '.';
    for (unsigned i = 0; i < width; i += 2)
        *p++ = "xyzw"[value >> i & 3];
    return p;
}

/* Names that are bits of a set, or that come from numbers of several bits each. */
static char *put_several(char *p, unsigned words, uint32_t value)
{
    const char *before = "";
    for (unsigned i = 0; i < 4; i++) {
        bool one = words == WORDS_QUALIFIER;
        if (one && !(value >> i & 1))
            continue;
        const char *name = one ? tgsi_memory_names[i] : name_in(tgsi_rettype_names, value >> (6 * i) & 63);
        p = write_text(p, before);
        p = write_text(p, name ? name : "?");
        before = ", ";
    }
    return p;
}

static void put_word(const struct field *f, uint32_t value, const struct tgsi_row *row, char *word)
{
    char all[128], *p = all;
    const char *name = NULL;
    switch (f->words) {
    case WORDS_NUMBER:
        break;
    case WORDS_SIGNED:
        p = write_signed(p, (int16_t)value);
        break;
    case WORDS_MASK:
    case WORDS_WRAP:
        *p++ = '.';
        p = put_letters(p, f->words == WORDS_WRAP ? "XYZW" : "xyzw", value);
        break;
    case WORDS_SWIZZLE:
        p = put_swizzle(p, value, f->width);
        break;
    case WORDS_OPCODE:
        name = row ? row->name : NULL;
        break;
    case WORDS_FORMAT:
        name = value && value < gallium_format_count ? gallium_format_names[value] : "";
        break;
    case WORDS_RETURN_TYPES:
    case WORDS_QUALIFIER:
        p = put_several(p, f->words, value);
        break;
    case WORDS_PROCESSOR:
        name = tgsi_processor_names[tgsi_processor_of_number(value)];
        break;
    case WORDS_FILE:
        name = value < TGSI_FILES ? tgsi_file_names[value] : NULL;
        break;
    case WORDS_TARGET:
        name = value < TGSI_TEX_TARGETS ? tgsi_target_names[value] : NULL;
        break;
    default:
        name = name_in(lists[f->words], value);
    }
    p = write_text(p, name ? name : "");
    *p = '\0';
    size_t length = (size_t)(p - all) < WEFT_FIELD_WORD ? (size_t)(p - all) : WEFT_FIELD_WORD - 1;
    memcpy(word, all, length);
    word[length] = '\0';
}

/* ---- tokens ---- */

struct walk {
    const struct weft_insn *insn;
    struct weft_field *out;
    size_t n;
    uint32_t at; /* token */
    const struct tgsi_row *row;
};

/* The fields of the next token, the most significant first; slot -1: it is not an operand's. */
static uint32_t take(struct walk *w, unsigned token, int slot)
{
    uint32_t word = bytes_word(w->insn->bytes + (size_t)w->at * 4);
    for (unsigned i = FIELDS; i-- > 0;) {
        const struct field *f = &fields[i];
        if (f->token != token)
            continue;
        struct weft_field *out = insn_field(w->out, &w->n, w->insn, slot < 0 ? f->name : operand_names[i][slot],
                                            (weft_field_kind)f->kind, w->at * 32 + f->low, f->width);
        put_word(f, (uint32_t)out->value, w->row, out->word);
    }
    w->at++;
    return word;
}

static void take_operand(struct walk *w, unsigned slot)
{
    bool source = slot >= TGSI_SLOT_SOURCES;
    uint32_t head = take(w, source ? TOKEN_SRC : TOKEN_DST, (int)slot);
    if (source ? TGSI_GET(head, SRC_INDIRECT) : TGSI_GET(head, DST_INDIRECT))
        take(w, TOKEN_ADDRESS, (int)slot);
    if ((source ? TGSI_GET(head, SRC_DIMENSION) : TGSI_GET(head, DST_DIMENSION)) &&
        TGSI_GET(take(w, TOKEN_BRACKET, (int)slot), BRACKET_INDIRECT))
        take(w, TOKEN_ADDRESS, (int)slot);
}

static void take_instruction(struct walk *w)
{
    uint32_t head = take(w, TOKEN_INSN, -1);
    if (TGSI_GET(head, INSN_EXTRA))
        take(w, TOKEN_MORE, -1);
    if (TGSI_GET(head, INSN_LABEL))
        take(w, TOKEN_LABEL, -1);
    uint32_t offsets = TGSI_GET(head, INSN_TEXTURE) ? TGSI_GET(take(w, TOKEN_TEX, -1), TEX_OFFSETS) : 0;
    for (uint32_t i = 0; i < offsets; i++)
        take(w, TOKEN_OFFSET, -1);
    if (TGSI_GET(head, INSN_MEMORY))
        take(w, TOKEN_MEMORY, -1);
    for (uint32_t i = 0; i < TGSI_GET(head, INSN_NDST); i++)
        take_operand(w, i);
    for (uint32_t i = 0; i < TGSI_GET(head, INSN_NSRC); i++)
        take_operand(w, TGSI_SLOT_SOURCES + i);
}

static void take_declaration(struct walk *w)
{
    uint32_t head = take(w, TOKEN_DECL, -1), file = TGSI_GET(head, DECL_FILE);
    bool predicate = TGSI_GET(head, DECL_PREDICATE);
    take(w, TOKEN_RANGE, -1);
    if (TGSI_GET(head, DECL_DIMENSION))
        take(w, TOKEN_DIM, -1);
    if (TGSI_GET(head, DECL_INTERP))
        take(w, TOKEN_INTERP, -1);
    if (TGSI_GET(head, DECL_SEMANTIC))
        take(w, TOKEN_SEMANTIC, -1);
    if (file == TGSI_IMAGE || (file == TGSI_RESOURCE && !predicate))
        take(w, file == TGSI_IMAGE ? TOKEN_IMAGE : TOKEN_RESOURCE, -1);
    if (file == TGSI_SAMPLER_VIEW)
        take(w, TOKEN_VIEW, -1);
    if (TGSI_GET(head, DECL_ARRAY))
        take(w, TOKEN_ARRAY, -1);
    if (TGSI_GET(head, DECL_EXTRA))
        take(w, TOKEN_EXTRA, -1);
}

size_t tgsi_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *out)
{
    (void)d;
    struct walk w = {.insn = insn, .out = out};
    switch (insn->rows[0]) {
    case TGSI_ROW_PROCESSOR:
        take(&w, TOKEN_HEADER, -1);
        take(&w, TOKEN_PROCESSOR, -1);
        break;
    case TGSI_ROW_DCL:
        take_declaration(&w);
        break;
    case TGSI_ROW_IMM:
    case TGSI_ROW_PROPERTY:
        take(&w, insn->rows[0] == TGSI_ROW_IMM ? TOKEN_IMM : TOKEN_PROPERTY, -1);
        while (w.at * 4 < insn->size)
            take(&w, TOKEN_DATA, -1);
        break;
    default:
        w.row = &tgsi_rows[insn->rows[0]];
        take_instruction(&w);
    }
    return w.n;
}
