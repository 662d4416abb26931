/* encode.c - TGSI to a stream of 32-bit tokens: the reverse of items.c. */
#include "isa/tgsi/tokens_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct writer {
    struct arena *arena;
    weft_diags *diags;
    const struct isa_module *m;
    uint32_t *words;
    size_t count, cap;
    const char *kind; /* what is being written, and its number: for messages */
    const char *name;
    uint32_t number;
    uint32_t predicates; /* bits of the extra word */
    bool refused;
};

static void put(struct writer *w, uint32_t word)
{
    if (w->count == w->cap) {
        uint32_t *grown = arena_grow(w->arena, w->words, sizeof *grown, w->count, &w->cap, w->count + 1);
        if (!grown)
            return;
        w->words = grown;
    }
    w->words[w->count++] = word;
}

static void refuse(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void refuse(struct writer *w, const char *fmt, ...)
{
    char text[192];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    w->refused = true;
    diag_add(w->diags, WEFT_ERROR, "no-token", NULL, NULL, "%s %u (%s): %s", w->kind, w->number, w->name, text);
}

/* `value`, after checking that a field can hold it. */
static uint32_t fit(struct writer *w, uint32_t value, uint32_t most, const char *what)
{
    if (value > most)
        refuse(w, "%s %u is more than the %u that a token can hold", what, value, most);
    return value;
}

static uint32_t fit_signed(struct writer *w, int32_t value, bool negative_allowed, const char *what)
{
    if (value > INT16_MAX || value < (negative_allowed ? INT16_MIN : 0))
        refuse(w, "%s %d is beyond what a token can hold (%d to %d)", what, value, negative_allowed ? INT16_MIN : 0,
               INT16_MAX);
    return (uint32_t)value & 0xffff;
}

/* The file's number, RES and PRED sharing one; `bit` of the extra word tells them apart. */
static uint32_t put_file(struct writer *w, uint8_t file, unsigned bit)
{
    if (file >= TGSI_FILES)
        refuse(w, "register file %u does not exist", file);
    if (file == TGSI_PREDICATE)
        w->predicates |= 1u << bit;
    return file == TGSI_PREDICATE ? TGSI_FILE_OLDER : file;
}

static uint32_t join_streams(const struct tgsi_decl *d)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (d->stream[i] & 3u) << (2 * i);
    return bits;
}

static uint32_t join_types(const struct tgsi_decl *d)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)d->rettype[i] << (6 * i);
    return bits;
}

static uint32_t last_dimension(const struct tgsi_decl *d)
{
    return d->dim_last > d->dim ? d->dim_last : d->dim;
}

static void write_declaration(struct writer *w, const struct tgsi_decl *d)
{
    bool dimension = d->dimensional && !d->dim_empty;
    bool bracket = !dimension && d->dimensional != tgsi_empty_bracket_implied(w->m->processor, d);
    uint32_t extra = TGSI_PUT(d->has_interp ? 0 : d->location, EXTRA_LOCATION) |
                     TGSI_PUT(d->has_interp ? 0 : d->cylindrical, EXTRA_WRAP) |
                     TGSI_PUT(d->has_semantic ? 0 : join_streams(d), EXTRA_STREAMS);
    size_t head = w->count;
    put(w, 0);
    put(w, TGSI_PUT(fit(w, d->first, 0xffff, "register"), RANGE_FIRST) |
               TGSI_PUT(fit(w, d->last, 0xffff, "register"), RANGE_LAST));
    if (d->first > d->last)
        refuse(w, "the range %u..%u runs backwards", d->first, d->last);
    if (tgsi_view_says_more(d))
        refuse(w, "attributes of other registers");
    if (dimension)
        put(w, TGSI_PUT(fit(w, d->dim, 0xffff, "dimension"), DIM_INDEX) |
                   TGSI_PUT(fit(w, last_dimension(d), 0xffff, "dimension") - d->dim, DIM_EXTENT));
    if (d->has_interp)
        put(w, TGSI_PUT(d->interp, INTERP_MODE) | TGSI_PUT(d->location, INTERP_LOCATION) |
                   TGSI_PUT(d->cylindrical, INTERP_WRAP));
    if (d->has_semantic)
        put(w, TGSI_PUT(fit(w, d->semantic, 0xff, "semantic"), SEMANTIC_NAME) |
                   TGSI_PUT(fit(w, d->semantic_index, 0xffff, "semantic index"), SEMANTIC_INDEX) |
                   TGSI_PUT(join_streams(d), SEMANTIC_STREAMS));
    if (d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE)
        put(w, TGSI_PUT(d->target, IMAGE_TARGET) | TGSI_PUT(d->raw, IMAGE_RAW) | TGSI_PUT(d->writable, IMAGE_WRITABLE) |
                   TGSI_PUT(d->file == TGSI_IMAGE ? fit(w, d->format, 1023, "format") : 0, IMAGE_FORMAT));
    if (d->file == TGSI_SAMPLER_VIEW)
        put(w, TGSI_PUT(d->target, VIEW_TARGET) | TGSI_PUT(join_types(d), VIEW_TYPES));
    if (d->array)
        put(w, TGSI_PUT(fit(w, d->array, 1023, "array id"), ARRAY_ID));
    if (extra)
        put(w, extra);
    uint32_t tokens = (uint32_t)(w->count - head) - (d->form & TGSI_FORM_SHORT_COUNT && d->array ? 1 : 0);
    if (arena_failed(w->arena))
        return;
    w->words[head] = TGSI_PUT(TGSI_TYPE_DECLARATION, DECL_TYPE) | TGSI_PUT(tokens, DECL_COUNT) |
                     TGSI_PUT(put_file(w, d->file, 0), DECL_FILE) | TGSI_PUT(d->mask, DECL_MASK) |
                     TGSI_PUT(dimension, DECL_DIMENSION) | TGSI_PUT(d->has_semantic, DECL_SEMANTIC) |
                     TGSI_PUT(d->has_interp, DECL_INTERP) | TGSI_PUT(d->invariant, DECL_INVARIANT) |
                     TGSI_PUT(d->local, DECL_LOCAL) | TGSI_PUT(d->array != 0, DECL_ARRAY) |
                     TGSI_PUT(d->atomic, DECL_ATOMIC) | TGSI_PUT(d->memkind, DECL_MEMKIND) |
                     TGSI_PUT(d->file == TGSI_PREDICATE, DECL_PREDICATE) | TGSI_PUT(bracket, DECL_BRACKET) |
                     TGSI_PUT(extra != 0, DECL_EXTRA);
}

static void write_immediate(struct writer *w, const struct tgsi_imm *imm)
{
    put(w, TGSI_PUT(TGSI_TYPE_IMMEDIATE, IMM_TYPE) | TGSI_PUT(5, IMM_COUNT) | TGSI_PUT(imm->type, IMM_NUMBERS));
    for (int i = 0; i < 4; i++)
        put(w, imm->bits[i]);
}

static void write_property(struct writer *w, const struct tgsi_property *p)
{
    if (!p->count || p->count > TGSI_PROPERTY_VALUES)
        refuse(w, "%u values; a property has 1 to %u", p->count, TGSI_PROPERTY_VALUES);
    put(w, TGSI_PUT(TGSI_TYPE_PROPERTY, PROPERTY_TYPE) | TGSI_PUT(p->count + 1, PROPERTY_COUNT) |
               TGSI_PUT(fit(w, p->name, 0xff, "property"), PROPERTY_NAME));
    for (unsigned i = 0; i < p->count && i < TGSI_PROPERTY_VALUES; i++)
        put(w, p->value[i]);
}

/* Whether an address token follows: for the address, or for an array id alone. */
static bool has_address(const struct tgsi_index *ix)
{
    return ix->indirect || ix->array;
}

static void write_address(struct writer *w, const struct tgsi_index *ix, unsigned bit)
{
    uint32_t array = TGSI_PUT(fit(w, ix->array, 1023, "array id"), ADDRESS_ARRAY);
    if (!ix->indirect)
        put(w, TGSI_PUT(TGSI_NULL, ADDRESS_FILE) | TGSI_PUT(-1, ADDRESS_INDEX) | array);
    else
        put(w, TGSI_PUT(put_file(w, ix->file, bit), ADDRESS_FILE) |
                   TGSI_PUT(fit_signed(w, ix->reg, false, "address register"), ADDRESS_INDEX) |
                   TGSI_PUT(ix->component, ADDRESS_SWIZZLE) | array);
}

static void write_brackets_of(struct writer *w, const struct tgsi_operand *op, unsigned slot)
{
    if (has_address(&op->index))
        write_address(w, &op->index, 15 + slot);
    if (!op->dimensional)
        return;
    put(w, TGSI_PUT(has_address(&op->dim), BRACKET_INDIRECT) |
               TGSI_PUT(fit_signed(w, op->dim.value, op->dim.indirect, "dimension"), BRACKET_INDEX));
    if (has_address(&op->dim))
        write_address(w, &op->dim, 22 + slot);
}

static void write_destination(struct writer *w, const struct tgsi_operand *op, unsigned slot)
{
    if (!op->mask)
        refuse(w, "a destination with an empty write mask");
    put(w, TGSI_PUT(put_file(w, op->file, 8 + slot), DST_FILE) | TGSI_PUT(op->mask, DST_MASK) |
               TGSI_PUT(has_address(&op->index), DST_INDIRECT) | TGSI_PUT(op->dimensional, DST_DIMENSION) |
               TGSI_PUT(fit_signed(w, op->index.value, op->index.indirect, "register"), DST_INDEX));
    write_brackets_of(w, op, slot);
}

static void write_source(struct writer *w, const struct tgsi_operand *op, unsigned slot)
{
    uint32_t swizzle = 0;
    for (int i = 0; i < 4; i++)
        swizzle |= (op->swizzle[i] & 3u) << (2 * i);
    put(w, TGSI_PUT(put_file(w, op->file, 8 + slot), SRC_FILE) | TGSI_PUT(has_address(&op->index), SRC_INDIRECT) |
               TGSI_PUT(op->dimensional, SRC_DIMENSION) |
               TGSI_PUT(fit_signed(w, op->index.value, op->index.indirect, "register"), SRC_INDEX) |
               TGSI_PUT(swizzle, SRC_SWIZZLE) | TGSI_PUT(op->absolute, SRC_ABSOLUTE) |
               TGSI_PUT(op->negate, SRC_NEGATE));
    write_brackets_of(w, op, slot);
}

static void write_texture(struct writer *w, const struct tgsi_insn *in)
{
    bool target = in->has_target || in->form & TGSI_FORM_TARGET;
    put(w, TGSI_PUT(target ? in->target : TGSI_TEX_UNKNOWN, TEX_TARGET) | TGSI_PUT(in->noffsets, TEX_OFFSETS) |
               TGSI_PUT(in->return_type, TEX_RETURN));
    for (unsigned i = 0; i < in->noffsets; i++) {
        const struct tgsi_tex_offset *o = &in->offset[i];
        uint32_t swizzle = o->swizzle[0] | (uint32_t)o->swizzle[1] << 2 | (uint32_t)o->swizzle[2] << 4;
        bool predicate = o->file == TGSI_PREDICATE;
        put(w, TGSI_PUT(fit_signed(w, o->reg, false, "texture offset register"), OFFSET_INDEX) |
                   TGSI_PUT(predicate ? TGSI_FILE_OLDER : o->file, OFFSET_FILE) | TGSI_PUT(swizzle, OFFSET_SWIZZLE) |
                   TGSI_PUT(predicate, OFFSET_PREDICATE));
    }
}

static void write_memory(struct writer *w, const struct tgsi_row *row, const struct tgsi_insn *in)
{
    if (!row->memory) {
        put(w, 0);
        return;
    }
    uint32_t target = in->has_target ? in->target : TGSI_TEX_BUFFER;
    put(w, TGSI_PUT(in->memory, MEMORY_QUALIFIER) | TGSI_PUT(target, MEMORY_TARGET) |
               TGSI_PUT(fit(w, in->format, 1023, "format"), MEMORY_FORMAT) |
               TGSI_PUT(in->has_target && in->target == TGSI_TEX_BUFFER, MEMORY_BUFFER));
}

/* What check_instruction_head would refuse when the stream is read. */
static void check_instruction(struct writer *w, const struct tgsi_row *row, const struct tgsi_insn *in)
{
    if (!tgsi_counts_fit(row, in->ndst, in->nsrc))
        refuse(w, "%u destinations and %u sources; it has %u and %u", in->ndst, in->nsrc, row->ndst, row->nsrc);
    if (in->has_label && !row->label)
        refuse(w, "a label, which it cannot have");
    if (row->texture && !in->has_target)
        refuse(w, "no texture target");
    if ((in->noffsets && !row->offsets) || in->noffsets > TGSI_OFFSETS)
        refuse(w, "%u texture offsets", in->noffsets);
    if (in->has_target && !row->texture && !row->memory)
        refuse(w, "a texture target, which it cannot have");
    if ((in->memory || in->format) && !row->memory)
        refuse(w, "memory attributes, which it cannot have");
}

static void write_instruction(struct writer *w, const struct tgsi_insn *in)
{
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    bool other = in->form & TGSI_FORM_OTHER_WORD;
    bool texture = row->texture || tgsi_needs_texture(in) || (row->offsets && tgsi_usually_has_texture(row) != other);
    bool memory = row->memory ? !other || in->memory || in->has_target || in->format : other && row->memory_token;
    w->name = row->name;
    check_instruction(w, row, in);
    if (w->refused)
        return;
    size_t head = w->count;
    put(w, 0);
    put(w, 0); /* the extra word, until it is known to be needless */
    w->predicates = 0;
    if (in->has_label)
        put(w, TGSI_PUT(fit(w, in->label, (1u << 24) - 1, "label"), LABEL_TARGET));
    if (texture)
        write_texture(w, in);
    if (memory)
        write_memory(w, row, in);
    for (unsigned i = 0; i < in->ndst; i++)
        write_destination(w, &in->dst[i], i);
    for (unsigned i = 0; i < in->nsrc; i++)
        write_source(w, &in->src[i], TGSI_SLOT_SOURCES + i);
    if (arena_failed(w->arena))
        return;
    uint32_t extra = w->predicates | TGSI_PUT((uint32_t)row->number >> 8, MORE_OPCODE);
    if (extra) {
        w->words[head + 1] = extra;
    } else {
        memmove(w->words + head + 1, w->words + head + 2, (w->count - head - 2) * sizeof *w->words);
        w->count--;
    }
    uint32_t tokens = (uint32_t)(w->count - head) - (in->form & TGSI_FORM_SHORT_COUNT ? 1 : 0);
    w->words[head] = TGSI_PUT(TGSI_TYPE_INSTRUCTION, INSN_TYPE) | TGSI_PUT(tokens, INSN_COUNT) |
                     TGSI_PUT(row->number & 0xff, INSN_OPCODE) | TGSI_PUT(in->saturate, INSN_SATURATE) |
                     TGSI_PUT(in->ndst, INSN_NDST) | TGSI_PUT(in->nsrc, INSN_NSRC) |
                     TGSI_PUT(in->has_label, INSN_LABEL) | TGSI_PUT(texture, INSN_TEXTURE) |
                     TGSI_PUT(memory, INSN_MEMORY) | TGSI_PUT(in->precise, INSN_PRECISE) |
                     TGSI_PUT(extra != 0, INSN_EXTRA);
}

static void write_item(struct writer *w, const struct tgsi_item *item)
{
    w->number = item->index;
    switch (item->kind) {
    case TGSI_ITEM_DECL:
        w->kind = "declaration";
        w->name = tgsi_file_names[w->m->decls[item->index].file];
        write_declaration(w, &w->m->decls[item->index]);
        break;
    case TGSI_ITEM_IMM:
        w->kind = "immediate";
        w->name = "IMM";
        write_immediate(w, &w->m->imms[item->index]);
        break;
    case TGSI_ITEM_PROPERTY:
        w->kind = "property";
        w->name = tgsi_property_names[w->m->props[item->index].name];
        write_property(w, &w->m->props[item->index]);
        break;
    default:
        w->kind = "instruction";
        write_instruction(w, &w->m->insns[item->index]);
        break;
    }
}

weft_status tgsi_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                        weft_diags *diags)
{
    struct writer w = {.arena = arena, .diags = diags, .m = m};
    *bytes = NULL;
    *size = 0;
    put(&w, 0);
    put(&w, TGSI_PUT(tgsi_processor_numbers[m->processor], PROCESSOR_KIND));
    for (uint32_t i = 0; i < m->nitems && !w.refused && !arena_failed(arena); i++)
        write_item(&w, &m->items[i]);
    uint8_t *out = arena_failed(arena) ? NULL : ARENA_ARRAY(arena, uint8_t, w.count * 4);
    if (!out)
        return WEFT_ERROR_MEMORY;
    if (w.refused)
        return WEFT_ERROR_INPUT;
    if (w.count > TGSI_BODY_MOST) {
        diag_add(diags, WEFT_ERROR, "too-large", NULL, NULL, "the program has %zu tokens; a stream has at most %u",
                 w.count, TGSI_BODY_MOST);
        return WEFT_ERROR_INPUT;
    }
    w.words[0] = TGSI_PUT(TGSI_HEADER_TOKENS, HEADER_SIZE) | TGSI_PUT(w.count - TGSI_HEADER_TOKENS, HEADER_BODY);
    for (size_t i = 0; i < w.count; i++)
        for (int b = 0; b < 4; b++)
            out[i * 4 + b] = (uint8_t)(w.words[i] >> (8 * b));
    *bytes = out;
    *size = w.count * 4;
    return WEFT_OK;
}
