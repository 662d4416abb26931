/* tokens_read.c - TGSI from a stream of 32-bit tokens.
 *
 * The stream is Gallium's (Mesa 22.3), little-endian; tokens.h has the fields, docs/tgsi-tokens.md the whole layout
 * with weft's additions in the bits that Gallium reserves. What a stream can say in two ways is kept (enum tgsi_form),
 * and what tokens_write.c could not write back is refused. */
#include "isa/tgsi/tokens_rules.h"

#include <stdarg.h>
#include <stdio.h>

struct reader {
    const uint8_t *bytes;
    uint32_t at, end; /* in tokens */
    const char *name;
    struct arena *arena;
    weft_diags *diags;
    struct isa_module *m;
    size_t cap_decls, cap_imms, cap_props, cap_insns, cap_items;
    uint32_t semantics, properties, formats;
    int16_t rows[OPCODE_NUMBERS]; /* row of an opcode number, -1: none */
    uint32_t more;                /* predicate bits of the instruction's extra word that nobody has asked for yet */
};

static bool fail(struct reader *r, uint32_t token, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail(struct reader *r, uint32_t token, const char *code, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag_add(r->diags, WEFT_ERROR, code, r->name, NULL, "token %u: %s", token, text);
    return false;
}

static bool next(struct reader *r, uint32_t *word, const char *what)
{
    *word = 0;
    if (r->at >= r->end)
        return fail(r, r->at, "truncated", "the stream ends where the %s should be", what);
    const uint8_t *b = r->bytes + (size_t)r->at++ * 4;
    *word = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

/* The next token, whose `spare` bits must be zero. */
static bool next_checked(struct reader *r, uint32_t *word, uint32_t spare, const char *what)
{
    if (!next(r, word, what))
        return false;
    if (*word & spare)
        return fail(r, r->at - 1, "reserved-bits", "reserved bits %#x of the %s are set", *word & spare, what);
    return true;
}

static bool in_range(struct reader *r, uint32_t value, uint32_t count, const char *what)
{
    if (value < count)
        return true;
    return fail(r, r->at - 1, "bad-field", "%s %u is not one of the %u that there are", what, value, count);
}

#define APPEND(r, list, count, cap) append((r), (void **)&(list), sizeof *(list), (count), &(cap))

static bool append(struct reader *r, void **list, size_t size, uint32_t count, size_t *cap)
{
    void *grown = arena_grow(r->arena, *list, size, count, cap, (size_t)count + 1);
    if (!grown)
        return false;
    *list = grown;
    return true;
}

static bool add_item(struct reader *r, uint8_t kind, uint32_t index)
{
    if (!APPEND(r, r->m->items, r->m->nitems, r->cap_items))
        return false;
    r->m->items[r->m->nitems++] = (struct tgsi_item){kind, index};
    return true;
}

static bool read_target(struct reader *r, uint32_t number, uint8_t *target)
{
    *target = (uint8_t)number;
    return in_range(r, number, TGSI_TEX_TARGETS, "texture target");
}

static bool read_format(struct reader *r, uint32_t number, uint16_t *format)
{
    *format = (uint16_t)number;
    return in_range(r, number, r->formats, "format");
}

static bool read_image(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, d->file == TGSI_IMAGE ? IMAGE_SPARE : RESOURCE_SPARE, "image token"))
        return false;
    d->raw = TOKEN_GET(w, IMAGE_RAW);
    d->writable = TOKEN_GET(w, IMAGE_WRITABLE);
    return read_target(r, TOKEN_GET(w, IMAGE_TARGET), &d->target) &&
           read_format(r, TOKEN_GET(w, IMAGE_FORMAT), &d->format);
}

static bool read_view(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "sampler view token") || !read_target(r, TOKEN_GET(w, VIEW_TARGET), &d->target))
        return false;
    for (int i = 0; i < 4; i++) {
        uint32_t type = TOKEN_GET(w, VIEW_TYPES) >> (6 * i) & 63;
        if (!in_range(r, type, RETURN_TYPES, "return type"))
            return false;
        d->rettype[i] = (uint8_t)type;
    }
    return true;
}

static void split_streams(uint32_t bits, struct tgsi_decl *d)
{
    d->has_stream = bits != 0;
    for (int i = 0; i < 4; i++)
        d->stream[i] = (uint8_t)(bits >> (2 * i) & 3);
}

static bool read_interp(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, INTERP_SPARE, "interpolation token"))
        return false;
    d->has_interp = true;
    d->interp = (uint8_t)TOKEN_GET(w, INTERP_MODE);
    d->location = (uint8_t)TOKEN_GET(w, INTERP_LOCATION);
    d->cylindrical = (uint8_t)TOKEN_GET(w, INTERP_WRAP);
    return in_range(r, d->interp, TGSI_INTERP_COLOR + 1, "interpolation mode") &&
           in_range(r, d->location, TGSI_LOC_SAMPLE + 1, "interpolation location");
}

static bool read_semantic(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "semantic token"))
        return false;
    d->has_semantic = true;
    d->semantic = (uint16_t)TOKEN_GET(w, SEMANTIC_NAME);
    d->semantic_index = TOKEN_GET(w, SEMANTIC_INDEX);
    d->has_semantic_index = semantic_index_written(d);
    split_streams(TOKEN_GET(w, SEMANTIC_STREAMS), d);
    return in_range(r, d->semantic, r->semantics, "semantic");
}

static bool read_array(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, ARRAY_SPARE, "array token"))
        return false;
    d->array = TOKEN_GET(w, ARRAY_ID);
    return d->array || fail(r, r->at - 1, "bad-field", "an array token with id 0");
}

static bool read_extra(struct reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, EXTRA_SPARE, "extra token"))
        return false;
    uint32_t location = TOKEN_GET(w, EXTRA_LOCATION), streams = TOKEN_GET(w, EXTRA_STREAMS);
    uint32_t wrap = TOKEN_GET(w, EXTRA_WRAP);
    if (!w || ((location || wrap) && d->has_interp) || (streams && d->has_semantic))
        return fail(r, r->at - 1, "bad-field", "an extra token that says nothing new");
    if (!d->has_interp) {
        d->location = (uint8_t)location;
        d->cylindrical = (uint8_t)wrap;
    }
    if (streams)
        split_streams(streams, d);
    return in_range(r, d->location, TGSI_LOC_SAMPLE + 1, "interpolation location");
}

static bool read_brackets(struct reader *r, uint32_t head, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "range token"))
        return false;
    d->first = TOKEN_GET(w, RANGE_FIRST);
    d->last = TOKEN_GET(w, RANGE_LAST);
    if (d->first > d->last)
        return fail(r, r->at - 1, "bad-field", "the range %u..%u runs backwards", d->first, d->last);
    if (!TOKEN_GET(head, DECL_DIMENSION))
        return true;
    if (!next(r, &w, "dimension token"))
        return false;
    d->dimensional = true;
    d->dim = TOKEN_GET(w, DIM_INDEX);
    d->dim_last = d->dim + TOKEN_GET(w, DIM_EXTENT);
    return d->dim_last <= 0xffff || fail(r, r->at - 1, "bad-field", "the first bracket ends at %u", d->dim_last);
}

/* What the head token may not claim for its file, since no text could say it. */
static bool check_declaration_head(struct reader *r, uint32_t token, uint32_t head, const struct tgsi_decl *d)
{
    const char *file = tgsi_file_names[d->file];
    if (!d->mask)
        return fail(r, token, "bad-field", "a declaration with an empty usage mask");
    if (d->atomic && d->file != TGSI_BUFFER)
        return fail(r, token, "bad-field", "%s is declared atomic, which only BUFFER can be", file);
    if (d->memkind && d->file != TGSI_MEMORY)
        return fail(r, token, "bad-field", "%s is declared with a memory kind, which only MEMORY has", file);
    if (TOKEN_GET(head, DECL_BRACKET) && !has_vertices(r->m->processor))
        return fail(r, token, "bad-field", "an empty bracket where no primitive has vertices");
    if (TOKEN_GET(head, DECL_DIMENSION) && TOKEN_GET(head, DECL_BRACKET))
        return fail(r, token, "bad-field", "a first bracket that is both given and empty");
    return true;
}

static bool read_declaration(struct reader *r, uint32_t start, uint32_t head)
{
    struct tgsi_decl d = {.file = (uint8_t)TOKEN_GET(head, DECL_FILE), .mask = (uint8_t)TOKEN_GET(head, DECL_MASK)};
    if (TOKEN_GET(head, DECL_PREDICATE)) {
        if (d.file != TOKEN_FILE_OLDER)
            return fail(r, start, "bad-field", "the predicate bit on file %u", d.file);
        d.file = TGSI_PREDICATE;
    }
    d.has_mask = d.mask != 15;
    d.invariant = TOKEN_GET(head, DECL_INVARIANT);
    d.local = TOKEN_GET(head, DECL_LOCAL);
    d.atomic = TOKEN_GET(head, DECL_ATOMIC);
    d.memkind = (uint8_t)TOKEN_GET(head, DECL_MEMKIND);
    if (!check_declaration_head(r, start, head, &d) || !read_brackets(r, head, &d) ||
        (TOKEN_GET(head, DECL_INTERP) && !read_interp(r, &d)) ||
        (TOKEN_GET(head, DECL_SEMANTIC) && !read_semantic(r, &d)) ||
        ((d.file == TGSI_IMAGE || d.file == TGSI_RESOURCE) && !read_image(r, &d)) ||
        (d.file == TGSI_SAMPLER_VIEW && !read_view(r, &d)) || (TOKEN_GET(head, DECL_ARRAY) && !read_array(r, &d)) ||
        (TOKEN_GET(head, DECL_EXTRA) && !read_extra(r, &d)))
        return false;
    if (view_says_more(&d))
        return fail(r, start, "bad-field", "a sampler view with attributes of other registers");
    if (!d.dimensional)
        d.dimensional = d.dim_empty = empty_bracket_implied(r->m->processor, &d) != (bool)TOKEN_GET(head, DECL_BRACKET);

    uint32_t count = TOKEN_GET(head, ITEM_COUNT), tokens = r->at - start;
    if (count + 1 == tokens && d.array)
        d.form = TGSI_FORM_SHORT_COUNT;
    else if (count != tokens)
        return fail(r, start, "bad-count", "the declaration says that it has %u tokens and has %u", count, tokens);
    if (!APPEND(r, r->m->decls, r->m->ndecls, r->cap_decls))
        return false;
    r->m->decls[r->m->ndecls] = d;
    return add_item(r, TGSI_ITEM_DECL, r->m->ndecls++);
}

static bool read_immediate(struct reader *r, uint32_t start, uint32_t head)
{
    struct tgsi_imm imm = {.type = (uint8_t)TOKEN_GET(head, IMM_TYPE)};
    uint32_t count = TOKEN_GET(head, IMM_COUNT);
    if (head & IMM_SPARE)
        return fail(r, start, "reserved-bits", "reserved bits %#x of the immediate are set", head & IMM_SPARE);
    if (!in_range(r, imm.type, TGSI_INT64 + 1, "immediate type"))
        return false;
    if (count != 5)
        return fail(r, start, "bad-count", "an immediate of %u tokens; it has 5, four of them values", count);
    for (int i = 0; i < 4; i++)
        if (!next(r, &imm.bits[i], "value of the immediate"))
            return false;
    if (!APPEND(r, r->m->imms, r->m->nimms, r->cap_imms))
        return false;
    r->m->imms[r->m->nimms] = imm;
    return add_item(r, TGSI_ITEM_IMM, r->m->nimms++);
}

static bool read_property(struct reader *r, uint32_t start, uint32_t head)
{
    struct tgsi_property p = {.name = (uint16_t)TOKEN_GET(head, PROPERTY_NAME)};
    uint32_t count = TOKEN_GET(head, ITEM_COUNT);
    if (head & PROPERTY_SPARE)
        return fail(r, start, "reserved-bits", "reserved bits %#x of the property are set", head & PROPERTY_SPARE);
    if (!in_range(r, p.name, r->properties, "property"))
        return false;
    if (count < 2 || count > 1 + PROPERTY_VALUES)
        return fail(r, start, "bad-count", "a property of %u tokens; it has 2 to %u, all but one values", count,
                    1 + PROPERTY_VALUES);
    const char *const *words = tgsi_property_words(p.name);
    p.count = (uint8_t)(count - 1);
    for (unsigned i = 0; i < p.count; i++)
        if (!next(r, &p.value[i], "value of the property") ||
            (words && !in_range(r, p.value[i], names_count(words), tgsi_property_names[p.name])))
            return false;
    if (!APPEND(r, r->m->props, r->m->nprops, r->cap_props))
        return false;
    r->m->props[r->m->nprops] = p;
    return add_item(r, TGSI_ITEM_PROPERTY, r->m->nprops++);
}

/* File 15 is RES, or PRED where the extra word of the instruction says so. */
static uint8_t read_file(struct reader *r, uint32_t number, unsigned bit)
{
    uint32_t mask = 1u << bit;
    if (number != TOKEN_FILE_OLDER || !(r->more & mask))
        return (uint8_t)number;
    r->more &= ~mask;
    return TGSI_PREDICATE;
}

static bool read_address(struct reader *r, struct tgsi_index *ix, unsigned bit)
{
    uint32_t w;
    if (!next(r, &w, "address token"))
        return false;
    uint32_t file = TOKEN_GET(w, ADDRESS_FILE);
    int32_t reg = TOKEN_GET16S(w, ADDRESS_INDEX);
    ix->array = TOKEN_GET(w, ADDRESS_ARRAY);
    if (file == TGSI_NULL && reg == -1) { /* no address: an array id only */
        if (!ix->array || TOKEN_GET(w, ADDRESS_SWIZZLE))
            return fail(r, r->at - 1, "bad-field", "an address token that says nothing");
        return true;
    }
    if (reg < 0)
        return fail(r, r->at - 1, "bad-register", "address register %d", reg);
    ix->indirect = true;
    ix->file = read_file(r, file, bit);
    ix->reg = reg;
    ix->component = (uint8_t)TOKEN_GET(w, ADDRESS_SWIZZLE);
    return true;
}

/* What follows the register token of operand `slot`: its address, its first bracket and that one's address. */
static bool read_brackets_of(struct reader *r, struct tgsi_operand *op, bool indirect, bool dimension, unsigned slot)
{
    uint32_t at = r->at - 1, w;
    if (indirect && !read_address(r, &op->index, 15 + slot))
        return false;
    if (!op->index.indirect && op->index.value < 0)
        return fail(r, at, "bad-register", "register %d", op->index.value);
    if (!dimension)
        return true;
    if (!next_checked(r, &w, BRACKET_SPARE, "dimension token"))
        return false;
    at = r->at - 1;
    op->dimensional = true;
    op->dim.value = TOKEN_GET16S(w, BRACKET_INDEX);
    if (TOKEN_GET(w, BRACKET_INDIRECT) && !read_address(r, &op->dim, 22 + slot))
        return false;
    return op->dim.indirect || op->dim.value >= 0 || fail(r, at, "bad-register", "dimension %d", op->dim.value);
}

static bool read_destination(struct reader *r, struct tgsi_operand *op, unsigned slot)
{
    uint32_t w;
    if (!next_checked(r, &w, DST_SPARE, "destination"))
        return false;
    op->file = read_file(r, TOKEN_GET(w, DST_FILE), 8 + slot);
    op->mask = (uint8_t)TOKEN_GET(w, DST_MASK);
    op->index.value = TOKEN_GET16S(w, DST_INDEX);
    if (!op->mask)
        return fail(r, r->at - 1, "bad-field", "a destination with an empty write mask");
    return read_brackets_of(r, op, TOKEN_GET(w, DST_INDIRECT), TOKEN_GET(w, DST_DIMENSION), slot);
}

static bool read_source(struct reader *r, struct tgsi_operand *op, unsigned slot)
{
    uint32_t w;
    if (!next(r, &w, "source"))
        return false;
    op->file = read_file(r, TOKEN_GET(w, SRC_FILE), 8 + slot);
    op->index.value = TOKEN_GET16S(w, SRC_INDEX);
    for (int i = 0; i < 4; i++)
        op->swizzle[i] = (uint8_t)(TOKEN_GET(w, SRC_SWIZZLE) >> (2 * i) & 3);
    op->absolute = TOKEN_GET(w, SRC_ABSOLUTE);
    op->negate = TOKEN_GET(w, SRC_NEGATE);
    return read_brackets_of(r, op, TOKEN_GET(w, SRC_INDIRECT), TOKEN_GET(w, SRC_DIMENSION), slot);
}

static bool read_texture(struct reader *r, const struct tgsi_row *row, struct tgsi_insn *in)
{
    uint32_t w;
    if (!next_checked(r, &w, TEX_SPARE, "texture token") || !read_target(r, TOKEN_GET(w, TEX_TARGET), &in->target))
        return false;
    in->has_target = row->texture;
    if (!row->texture && in->target != TGSI_TEX_UNKNOWN)
        in->form |= TGSI_FORM_TARGET;
    in->return_type = (uint8_t)TOKEN_GET(w, TEX_RETURN);
    in->noffsets = (uint8_t)TOKEN_GET(w, TEX_OFFSETS);
    if (!in_range(r, in->return_type, RETURN_UNKNOWN + 1, "return type") ||
        !in_range(r, in->noffsets, sizeof in->offset / sizeof in->offset[0] + 1, "number of offsets"))
        return false;
    for (unsigned i = 0; i < in->noffsets; i++) {
        struct tgsi_tex_offset *o = &in->offset[i];
        if (!next_checked(r, &w, OFFSET_SPARE, "texture offset"))
            return false;
        o->file = (uint8_t)TOKEN_GET(w, OFFSET_FILE);
        if (TOKEN_GET(w, OFFSET_PREDICATE)) {
            if (o->file != TOKEN_FILE_OLDER)
                return fail(r, r->at - 1, "bad-field", "the predicate bit on file %u", o->file);
            o->file = TGSI_PREDICATE;
        }
        o->reg = TOKEN_GET16S(w, OFFSET_INDEX);
        if (o->reg < 0)
            return fail(r, r->at - 1, "bad-register", "texture offset register %d", o->reg);
        for (int c = 0; c < 3; c++)
            o->swizzle[c] = (uint8_t)(TOKEN_GET(w, OFFSET_SWIZZLE) >> (2 * c) & 3);
    }
    return true;
}

static bool read_memory(struct reader *r, const struct tgsi_row *row, struct tgsi_insn *in)
{
    uint32_t w;
    if (!next_checked(r, &w, MEMORY_SPARE, "memory token"))
        return false;
    if (!row->memory)
        return !w || fail(r, r->at - 1, "bad-field", "%s has no memory attributes", row->name);
    in->memory = (uint8_t)TOKEN_GET(w, MEMORY_QUALIFIER);
    if (!read_target(r, TOKEN_GET(w, MEMORY_TARGET), &in->target) ||
        !read_format(r, TOKEN_GET(w, MEMORY_FORMAT), &in->format))
        return false;
    bool buffer = TOKEN_GET(w, MEMORY_BUFFER);
    if (buffer && in->target != TGSI_TEX_BUFFER)
        return fail(r, r->at - 1, "bad-field", "a memory token with two targets");
    in->has_target = buffer || in->target != TGSI_TEX_BUFFER;
    in->has_memory = in->memory || in->has_target || in->format;
    return true;
}

/* The head's opcode, with the upper bits and predicate bits of the extra word when there is one. */
static bool read_opcode(struct reader *r, uint32_t start, uint32_t head, struct tgsi_insn *in)
{
    uint32_t number = TOKEN_GET(head, INSN_OPCODE);
    r->more = 0;
    if (TOKEN_GET(head, INSN_EXTRA)) {
        uint32_t w;
        if (!next_checked(r, &w, MORE_SPARE, "extra token"))
            return false;
        if (!w)
            return fail(r, r->at - 1, "bad-field", "an extra token that says nothing");
        number |= TOKEN_GET(w, MORE_OPCODE) << 8;
        r->more = w & ~token_mask(MORE_OPCODE);
    }
    if (number >= OPCODE_NUMBERS || r->rows[number] < 0)
        return fail(r, start, "unknown-opcode", "opcode %u does not exist", number);
    in->opcode = (uint16_t)r->rows[number];
    return true;
}

static bool check_instruction_head(struct reader *r, uint32_t token, uint32_t head, const struct tgsi_row *row)
{
    unsigned ndst = TOKEN_GET(head, INSN_NDST), nsrc = TOKEN_GET(head, INSN_NSRC);
    if (!counts_fit(row, ndst, nsrc))
        return fail(r, token, "bad-count", "%s with %u destinations and %u sources; it has %u and %u", row->name, ndst,
                    nsrc, row->ndst, row->nsrc);
    if (TOKEN_GET(head, INSN_LABEL) && !row->label)
        return fail(r, token, "bad-field", "%s with a label", row->name);
    if (TOKEN_GET(head, INSN_TEXTURE) ? !may_have_texture(row) : row->texture)
        return fail(r, token, "bad-field", "%s %s a texture token", row->name, row->texture ? "without" : "with");
    if (TOKEN_GET(head, INSN_MEMORY) && !may_have_memory(row))
        return fail(r, token, "bad-field", "%s with a memory token", row->name);
    return true;
}

static bool read_instruction(struct reader *r, uint32_t start, uint32_t head)
{
    struct tgsi_insn in = {0};
    uint32_t w;
    if (!read_opcode(r, start, head, &in))
        return false;
    const struct tgsi_row *row = &tgsi_rows[in.opcode];
    if (!check_instruction_head(r, start, head, row))
        return false;
    in.saturate = TOKEN_GET(head, INSN_SATURATE);
    in.precise = TOKEN_GET(head, INSN_PRECISE);
    in.ndst = (uint8_t)TOKEN_GET(head, INSN_NDST);
    in.nsrc = (uint8_t)TOKEN_GET(head, INSN_NSRC);
    bool label = TOKEN_GET(head, INSN_LABEL), texture = TOKEN_GET(head, INSN_TEXTURE);
    bool memory = TOKEN_GET(head, INSN_MEMORY);
    if (label) {
        if (!next_checked(r, &w, LABEL_SPARE, "label token"))
            return false;
        in.has_label = true;
        in.label = TOKEN_GET(w, LABEL_TARGET);
    }
    if ((texture && !read_texture(r, row, &in)) || (memory && !read_memory(r, row, &in)))
        return false;
    if ((texture != usually_has_texture(row) && !needs_texture(&in)) || memory != row->memory)
        in.form |= TGSI_FORM_OTHER_WORD;
    for (unsigned i = 0; i < in.ndst; i++)
        if (!read_destination(r, &in.dst[i], i))
            return false;
    for (unsigned i = 0; i < in.nsrc; i++)
        if (!read_source(r, &in.src[i], SLOT_SOURCES + i))
            return false;
    if (r->more)
        return fail(r, start + 1, "reserved-bits", "predicate bits %#x of registers which are none", r->more);

    uint32_t count = TOKEN_GET(head, ITEM_COUNT), tokens = r->at - start;
    if (count + 1 == tokens)
        in.form |= TGSI_FORM_SHORT_COUNT;
    else if (count != tokens)
        return fail(r, start, "bad-count", "%s says that it has %u tokens and has %u", row->name, count, tokens);
    if (!APPEND(r, r->m->insns, r->m->ninsns, r->cap_insns))
        return false;
    r->m->insns[r->m->ninsns] = in;
    return add_item(r, TGSI_ITEM_INSN, r->m->ninsns++);
}

static bool read_front(struct reader *r)
{
    uint32_t header, processor;
    if (!next(r, &header, "header") || !next_checked(r, &processor, PROCESSOR_SPARE, "processor token"))
        return false;
    if (TOKEN_GET(header, HEADER_SIZE) != TOKEN_HEADER_WORDS)
        return fail(r, 0, "bad-header", "a header of %u tokens; it has 2", TOKEN_GET(header, HEADER_SIZE));
    if (TOKEN_GET(header, HEADER_BODY) != r->end - TOKEN_HEADER_WORDS)
        return fail(r, 0, "bad-header", "the header promises %u tokens of body and %u follow",
                    TOKEN_GET(header, HEADER_BODY), r->end - TOKEN_HEADER_WORDS);
    for (uint8_t i = 0; i < TGSI_PROCESSORS; i++) {
        if (processor_numbers[i] == TOKEN_GET(processor, PROCESSOR_KIND)) {
            r->m->processor = i;
            return true;
        }
    }
    return fail(r, 1, "bad-header", "processor %u does not exist", TOKEN_GET(processor, PROCESSOR_KIND));
}

static bool read_item(struct reader *r)
{
    uint32_t start = r->at, head;
    if (!next(r, &head, "next item"))
        return false;
    switch (TOKEN_GET(head, ITEM_TYPE)) {
    case TOKEN_DECLARATION:
        return read_declaration(r, start, head);
    case TOKEN_IMMEDIATE:
        return read_immediate(r, start, head);
    case TOKEN_INSTRUCTION:
        return read_instruction(r, start, head);
    case TOKEN_PROPERTY:
        return read_property(r, start, head);
    default:
        return fail(r, start, "bad-field", "token type %u does not exist", TOKEN_GET(head, ITEM_TYPE));
    }
}

weft_status tgsi_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                        struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    (void)params; /* a stream says its own stage */
    struct reader r = {.bytes = bytes, .name = name, .arena = arena, .diags = diags};
    *out = NULL;
    if (size % 4) {
        diag_add(diags, WEFT_ERROR, "truncated", name, NULL, "token %zu: the stream ends within a token", size / 4);
        return WEFT_ERROR_INPUT;
    }
    if (size / 4 > TOKEN_BODY_MAX) {
        diag_add(diags, WEFT_ERROR, "too-long", name, NULL, "token %u: no stream is longer", TOKEN_BODY_MAX);
        return WEFT_ERROR_INPUT;
    }
    r.end = (uint32_t)(size / 4);
    r.semantics = names_count(tgsi_semantic_names);
    r.properties = names_count(tgsi_property_names);
    r.formats = (uint32_t)gallium_format_count;
    memset(r.rows, 0xff, sizeof r.rows);
    for (uint32_t i = 0; i < tgsi_row_count; i++)
        if (tgsi_rows[i].number >= 0 && tgsi_rows[i].number < OPCODE_NUMBERS)
            r.rows[tgsi_rows[i].number] = (int16_t)i;

    r.m = ARENA_NEW(arena, struct isa_module);
    bool good = r.m && read_front(&r);
    while (good && r.at < r.end)
        good = read_item(&r);
    if (good) {
        *out = r.m;
        return WEFT_OK;
    }
    return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_INPUT;
}
