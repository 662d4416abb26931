/* items.c - one item of a token stream: a declaration, an immediate, a property or an instruction.
 *
 * fields.inc has the fields, docs/manual/tgsi.md the whole layout with weft's additions in the bits that Gallium
 * reserves. What a stream can say in two ways is kept (enum tgsi_form), and what encode.c could not write back is
 * refused. Nothing is allocated unless messages are wanted. */
#include "isa/tgsi/items.h"

#include "isa/tgsi/tokens_rules.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool fail(struct tgsi_reader *r, uint32_t token, uint32_t bits, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* `bits` of the token are at fault; 0: which ones is not known. */
static bool fail(struct tgsi_reader *r, uint32_t token, uint32_t bits, const char *code, const char *fmt, ...)
{
    r->fault = (struct tgsi_fault){.token = token, .bits = bits, .code = code};
    if (!r->diags)
        return false;
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag_add(r->diags, WEFT_ERROR, code, r->name, NULL, "token %u: %s", token, text);
    return false;
}

static bool next(struct tgsi_reader *r, uint32_t *word, const char *what)
{
    *word = 0;
    if (r->at >= r->end)
        return fail(r, r->at, 0, "truncated", "the stream ends where the %s should be", what);
    *word = bytes_word(r->bytes + (size_t)r->at++ * 4);
    return true;
}

static bool are_clear(struct tgsi_reader *r, uint32_t token, uint32_t bits, const char *what)
{
    return !bits || fail(r, token, bits, "reserved-bits", "reserved bits %#x of the %s are set", bits, what);
}

/* The next token, whose `spare` bits must be zero. */
static bool next_checked(struct tgsi_reader *r, uint32_t *word, uint32_t spare, const char *what)
{
    return next(r, word, what) && are_clear(r, r->at - 1, *word & spare, what);
}

/* A value of `bits` of the token that was read last. */
static bool in_range(struct tgsi_reader *r, uint32_t value, uint32_t count, uint32_t bits, const char *what)
{
    if (value < count)
        return true;
    return fail(r, r->at - 1, bits, "bad-field", "%s %u is not one of the %u that there are", what, value, count);
}

static bool read_target(struct tgsi_reader *r, uint32_t number, uint32_t bits, uint8_t *target)
{
    *target = (uint8_t)number;
    return in_range(r, number, TGSI_TEX_TARGETS, bits, "texture target");
}

static bool read_format(struct tgsi_reader *r, uint32_t number, uint32_t bits, uint16_t *format)
{
    *format = (uint16_t)number;
    return in_range(r, number, (uint32_t)gallium_format_count, bits, "format");
}

static bool read_image(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, d->file == TGSI_IMAGE ? TGSI_MASK(IMAGE_SPARE) : TGSI_MASK(RESOURCE_SPARE), "image token"))
        return false;
    d->raw = TGSI_GET(w, IMAGE_RAW);
    d->writable = TGSI_GET(w, IMAGE_WRITABLE);
    return read_target(r, TGSI_GET(w, IMAGE_TARGET), TGSI_MASK(IMAGE_TARGET), &d->target) &&
           read_format(r, TGSI_GET(w, IMAGE_FORMAT), TGSI_MASK(IMAGE_FORMAT), &d->format);
}

static bool read_view(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "sampler view token") ||
        !read_target(r, TGSI_GET(w, VIEW_TARGET), TGSI_MASK(VIEW_TARGET), &d->target))
        return false;
    for (int i = 0; i < 4; i++) {
        uint32_t type = TGSI_GET(w, VIEW_TYPES) >> (6 * i) & 63;
        if (!in_range(r, type, TGSI_RETURN_TYPES, TGSI_MASK(VIEW_TYPES), "return type"))
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

static bool read_interp(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(INTERP_SPARE), "interpolation token"))
        return false;
    d->has_interp = true;
    d->interp = (uint8_t)TGSI_GET(w, INTERP_MODE);
    d->location = (uint8_t)TGSI_GET(w, INTERP_LOCATION);
    d->cylindrical = (uint8_t)TGSI_GET(w, INTERP_WRAP);
    return in_range(r, d->interp, TGSI_INTERP_COLOR + 1, TGSI_MASK(INTERP_MODE), "interpolation mode") &&
           in_range(r, d->location, TGSI_LOC_SAMPLE + 1, TGSI_MASK(INTERP_LOCATION), "interpolation location");
}

static bool read_semantic(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "semantic token"))
        return false;
    d->has_semantic = true;
    d->semantic = (uint16_t)TGSI_GET(w, SEMANTIC_NAME);
    d->semantic_index = TGSI_GET(w, SEMANTIC_INDEX);
    d->has_semantic_index = d->semantic_index || tgsi_semantic_of(d)->numbered;
    split_streams(TGSI_GET(w, SEMANTIC_STREAMS), d);
    return in_range(r, d->semantic, TGSI_SEMANTICS, TGSI_MASK(SEMANTIC_NAME), "semantic");
}

static bool read_array(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(ARRAY_SPARE), "array token"))
        return false;
    d->array = TGSI_GET(w, ARRAY_ID);
    return d->array || fail(r, r->at - 1, TGSI_MASK(ARRAY_ID), "bad-field", "an array token with id 0");
}

static bool read_extra(struct tgsi_reader *r, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(EXTRA_SPARE), "extra token"))
        return false;
    uint32_t location = TGSI_GET(w, EXTRA_LOCATION), streams = TGSI_GET(w, EXTRA_STREAMS);
    uint32_t wrap = TGSI_GET(w, EXTRA_WRAP);
    if (!w || ((location || wrap) && d->has_interp) || (streams && d->has_semantic))
        return fail(r, r->at - 1, UINT32_MAX, "bad-field", "an extra token that says nothing new");
    if (!d->has_interp) {
        d->location = (uint8_t)location;
        d->cylindrical = (uint8_t)wrap;
    }
    if (streams)
        split_streams(streams, d);
    return in_range(r, d->location, TGSI_LOC_SAMPLE + 1, TGSI_MASK(EXTRA_LOCATION), "interpolation location");
}

static bool read_brackets(struct tgsi_reader *r, uint32_t head, struct tgsi_decl *d)
{
    uint32_t w;
    if (!next(r, &w, "range token"))
        return false;
    d->first = TGSI_GET(w, RANGE_FIRST);
    d->last = TGSI_GET(w, RANGE_LAST);
    if (d->first > d->last)
        return fail(r, r->at - 1, UINT32_MAX, "bad-field", "the range %u..%u runs backwards", d->first, d->last);
    if (!TGSI_GET(head, DECL_DIMENSION))
        return true;
    if (!next(r, &w, "dimension token"))
        return false;
    d->dimensional = true;
    d->dim = TGSI_GET(w, DIM_INDEX);
    d->dim_last = d->dim + TGSI_GET(w, DIM_EXTENT);
    return d->dim_last <= 0xffff ||
           fail(r, r->at - 1, TGSI_MASK(DIM_EXTENT), "bad-field", "the first bracket ends at %u", d->dim_last);
}

/* What the head token may not claim for its file, since no text could say it. */
static bool check_declaration_head(struct tgsi_reader *r, uint32_t token, uint32_t head, const struct tgsi_decl *d)
{
    const char *file = tgsi_file_names[d->file];
    if (!d->mask)
        return fail(r, token, TGSI_MASK(DECL_MASK), "bad-field", "a declaration with an empty usage mask");
    if (d->atomic && d->file != TGSI_BUFFER)
        return fail(r, token, TGSI_MASK(DECL_ATOMIC), "bad-field", "%s is declared atomic, which only BUFFER can be",
                    file);
    if (d->memkind && d->file != TGSI_MEMORY)
        return fail(r, token, TGSI_MASK(DECL_MEMKIND), "bad-field",
                    "%s is declared with a memory kind, which only MEMORY has", file);
    if (TGSI_GET(head, DECL_BRACKET) && !tgsi_has_vertices(r->processor))
        return fail(r, token, TGSI_MASK(DECL_BRACKET), "bad-field", "an empty bracket where no primitive has vertices");
    if (TGSI_GET(head, DECL_DIMENSION) && TGSI_GET(head, DECL_BRACKET))
        return fail(r, token, TGSI_MASK(DECL_BRACKET), "bad-field", "a first bracket that is both given and empty");
    return true;
}

static bool read_declaration(struct tgsi_reader *r, uint32_t start, uint32_t head, struct tgsi_decl *d)
{
    *d = (struct tgsi_decl){.file = (uint8_t)TGSI_GET(head, DECL_FILE), .mask = (uint8_t)TGSI_GET(head, DECL_MASK)};
    if (TGSI_GET(head, DECL_PREDICATE)) {
        if (d->file != TGSI_FILE_OLDER)
            return fail(r, start, TGSI_MASK(DECL_PREDICATE), "bad-field", "the predicate bit on file %u", d->file);
        d->file = TGSI_PREDICATE;
    }
    d->has_mask = d->mask != 15;
    d->invariant = TGSI_GET(head, DECL_INVARIANT);
    d->local = TGSI_GET(head, DECL_LOCAL);
    d->atomic = TGSI_GET(head, DECL_ATOMIC);
    d->memkind = (uint8_t)TGSI_GET(head, DECL_MEMKIND);
    if (!check_declaration_head(r, start, head, d) || !read_brackets(r, head, d) ||
        (TGSI_GET(head, DECL_INTERP) && !read_interp(r, d)) ||
        (TGSI_GET(head, DECL_SEMANTIC) && !read_semantic(r, d)) ||
        ((d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE) && !read_image(r, d)) ||
        (d->file == TGSI_SAMPLER_VIEW && !read_view(r, d)) || (TGSI_GET(head, DECL_ARRAY) && !read_array(r, d)) ||
        (TGSI_GET(head, DECL_EXTRA) && !read_extra(r, d)))
        return false;
    if (tgsi_view_says_more(d))
        return fail(r, start, 0, "bad-field", "a sampler view with attributes of other registers");
    if (!d->dimensional)
        d->dimensional = d->dim_empty =
            tgsi_empty_bracket_implied(r->processor, d) != (bool)TGSI_GET(head, DECL_BRACKET);

    uint32_t count = TGSI_GET(head, INSN_COUNT), tokens = r->at - start;
    if (count + 1 == tokens && d->array)
        d->form = TGSI_FORM_SHORT_COUNT;
    else if (count != tokens)
        return fail(r, start, TGSI_MASK(DECL_COUNT), "bad-count",
                    "the declaration says that it has %u tokens and has %u", count, tokens);
    return true;
}

static bool read_immediate(struct tgsi_reader *r, uint32_t start, uint32_t head, struct tgsi_imm *imm)
{
    *imm = (struct tgsi_imm){.type = (uint8_t)TGSI_GET(head, IMM_NUMBERS)};
    uint32_t count = TGSI_GET(head, IMM_COUNT);
    if (!are_clear(r, start, head & TGSI_MASK(IMM_SPARE), "immediate"))
        return false;
    if (!in_range(r, imm->type, TGSI_INT64 + 1, TGSI_MASK(IMM_NUMBERS), "immediate type"))
        return false;
    if (count != 5)
        return fail(r, start, TGSI_MASK(IMM_COUNT), "bad-count",
                    "an immediate of %u tokens; it has 5, four of them values", count);
    for (int i = 0; i < 4; i++)
        if (!next(r, &imm->bits[i], "value of the immediate"))
            return false;
    return true;
}

static bool read_property(struct tgsi_reader *r, uint32_t start, uint32_t head, struct tgsi_property *p)
{
    *p = (struct tgsi_property){.name = (uint16_t)TGSI_GET(head, PROPERTY_NAME)};
    uint32_t count = TGSI_GET(head, INSN_COUNT);
    if (!are_clear(r, start, head & TGSI_MASK(PROPERTY_SPARE), "property"))
        return false;
    if (!in_range(r, p->name, TGSI_PROPERTIES, TGSI_MASK(PROPERTY_NAME), "property"))
        return false;
    if (count < 2 || count > 1 + TGSI_PROPERTY_VALUES)
        return fail(r, start, TGSI_MASK(PROPERTY_COUNT), "bad-count",
                    "a property of %u tokens; it has 2 to %u, all but one values", count, 1 + TGSI_PROPERTY_VALUES);
    const char *const *words = tgsi_property_words(p->name);
    p->count = (uint8_t)(count - 1);
    for (unsigned i = 0; i < p->count; i++)
        if (!next(r, &p->value[i], "value of the property") ||
            (words && !in_range(r, p->value[i], tgsi_names_count(words), UINT32_MAX, tgsi_property_names[p->name])))
            return false;
    return true;
}

/* File 15 is RES, or PRED where the extra word of the instruction says so. */
static uint8_t read_file(struct tgsi_reader *r, uint32_t number, unsigned bit)
{
    uint32_t mask = 1u << bit;
    if (number != TGSI_FILE_OLDER || !(r->more & mask))
        return (uint8_t)number;
    r->more &= ~mask;
    return TGSI_PREDICATE;
}

static bool read_address(struct tgsi_reader *r, struct tgsi_index *ix, unsigned bit)
{
    uint32_t w;
    if (!next(r, &w, "address token"))
        return false;
    uint32_t file = TGSI_GET(w, ADDRESS_FILE);
    int32_t reg = TGSI_GET16S(w, ADDRESS_INDEX);
    ix->array = TGSI_GET(w, ADDRESS_ARRAY);
    if (file == TGSI_NULL && reg == -1) { /* no address: an array id only */
        if (!ix->array || TGSI_GET(w, ADDRESS_SWIZZLE))
            return fail(r, r->at - 1, UINT32_MAX, "bad-field", "an address token that says nothing");
        return true;
    }
    if (reg < 0)
        return fail(r, r->at - 1, TGSI_MASK(ADDRESS_INDEX), "bad-register", "address register %d", reg);
    ix->indirect = true;
    ix->file = read_file(r, file, bit);
    ix->reg = reg;
    ix->component = (uint8_t)TGSI_GET(w, ADDRESS_SWIZZLE);
    return true;
}

/* What follows the register token of operand `slot`: its address, its first bracket and that one's address. */
static bool read_brackets_of(struct tgsi_reader *r, struct tgsi_operand *op, bool indirect, bool dimension,
                             unsigned slot, uint32_t bits)
{
    uint32_t at = r->at - 1, w;
    if (indirect && !read_address(r, &op->index, 15 + slot))
        return false;
    if (!op->index.indirect && op->index.value < 0)
        return fail(r, at, bits, "bad-register", "register %d", op->index.value);
    if (!dimension)
        return true;
    if (!next_checked(r, &w, TGSI_MASK(BRACKET_SPARE), "dimension token"))
        return false;
    at = r->at - 1;
    op->dimensional = true;
    op->dim.value = TGSI_GET16S(w, BRACKET_INDEX);
    if (TGSI_GET(w, BRACKET_INDIRECT) && !read_address(r, &op->dim, 22 + slot))
        return false;
    return op->dim.indirect || op->dim.value >= 0 ||
           fail(r, at, TGSI_MASK(BRACKET_INDEX), "bad-register", "dimension %d", op->dim.value);
}

static bool read_destination(struct tgsi_reader *r, struct tgsi_operand *op, unsigned slot)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(DST_SPARE), "destination"))
        return false;
    *op = (struct tgsi_operand){.file = read_file(r, TGSI_GET(w, DST_FILE), 8 + slot)};
    op->mask = (uint8_t)TGSI_GET(w, DST_MASK);
    op->index.value = TGSI_GET16S(w, DST_INDEX);
    if (!op->mask)
        return fail(r, r->at - 1, TGSI_MASK(DST_MASK), "bad-field", "a destination with an empty write mask");
    return read_brackets_of(r, op, TGSI_GET(w, DST_INDIRECT), TGSI_GET(w, DST_DIMENSION), slot, TGSI_MASK(DST_INDEX));
}

static bool read_source(struct tgsi_reader *r, struct tgsi_operand *op, unsigned slot)
{
    uint32_t w;
    if (!next(r, &w, "source"))
        return false;
    *op = (struct tgsi_operand){.file = read_file(r, TGSI_GET(w, SRC_FILE), 8 + slot)};
    op->index.value = TGSI_GET16S(w, SRC_INDEX);
    for (int i = 0; i < 4; i++)
        op->swizzle[i] = (uint8_t)(TGSI_GET(w, SRC_SWIZZLE) >> (2 * i) & 3);
    op->absolute = TGSI_GET(w, SRC_ABSOLUTE);
    op->negate = TGSI_GET(w, SRC_NEGATE);
    return read_brackets_of(r, op, TGSI_GET(w, SRC_INDIRECT), TGSI_GET(w, SRC_DIMENSION), slot, TGSI_MASK(SRC_INDEX));
}

static bool read_texture(struct tgsi_reader *r, const struct tgsi_row *row, struct tgsi_insn *in)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(TEX_SPARE), "texture token") ||
        !read_target(r, TGSI_GET(w, TEX_TARGET), TGSI_MASK(TEX_TARGET), &in->target))
        return false;
    in->has_target = row->texture;
    if (!row->texture && in->target != TGSI_TEX_UNKNOWN)
        in->form |= TGSI_FORM_TARGET;
    in->return_type = (uint8_t)TGSI_GET(w, TEX_RETURN);
    in->noffsets = (uint8_t)TGSI_GET(w, TEX_OFFSETS);
    if (!in_range(r, in->return_type, TGSI_RETURN_UNKNOWN + 1, TGSI_MASK(TEX_RETURN), "return type") ||
        !in_range(r, in->noffsets, TGSI_TEX_OFFSETS + 1, TGSI_MASK(TEX_OFFSETS), "number of offsets"))
        return false;
    for (unsigned i = 0; i < in->noffsets; i++) {
        struct tgsi_tex_offset *o = &in->offset[i];
        if (!next_checked(r, &w, TGSI_MASK(OFFSET_SPARE), "texture offset"))
            return false;
        o->file = (uint8_t)TGSI_GET(w, OFFSET_FILE);
        if (TGSI_GET(w, OFFSET_PREDICATE)) {
            if (o->file != TGSI_FILE_OLDER)
                return fail(r, r->at - 1, TGSI_MASK(OFFSET_PREDICATE), "bad-field", "the predicate bit on file %u",
                            o->file);
            o->file = TGSI_PREDICATE;
        }
        o->reg = TGSI_GET16S(w, OFFSET_INDEX);
        if (o->reg < 0)
            return fail(r, r->at - 1, TGSI_MASK(OFFSET_INDEX), "bad-register", "texture offset register %d", o->reg);
        for (int c = 0; c < 3; c++)
            o->swizzle[c] = (uint8_t)(TGSI_GET(w, OFFSET_SWIZZLE) >> (2 * c) & 3);
    }
    return true;
}

static bool read_memory(struct tgsi_reader *r, const struct tgsi_row *row, struct tgsi_insn *in)
{
    uint32_t w;
    if (!next_checked(r, &w, TGSI_MASK(MEMORY_SPARE), "memory token"))
        return false;
    if (!row->memory)
        return !w || fail(r, r->at - 1, w, "bad-field", "%s has no memory attributes", row->name);
    in->memory = (uint8_t)TGSI_GET(w, MEMORY_QUALIFIER);
    if (!read_target(r, TGSI_GET(w, MEMORY_TARGET), TGSI_MASK(MEMORY_TARGET), &in->target) ||
        !read_format(r, TGSI_GET(w, MEMORY_FORMAT), TGSI_MASK(MEMORY_FORMAT), &in->format))
        return false;
    bool buffer = TGSI_GET(w, MEMORY_BUFFER);
    if (buffer && in->target != TGSI_TEX_BUFFER)
        return fail(r, r->at - 1, TGSI_MASK(MEMORY_BUFFER), "bad-field", "a memory token with two targets");
    in->has_target = buffer || in->target != TGSI_TEX_BUFFER;
    in->has_memory = in->memory || in->has_target || in->format;
    return true;
}

/* The head's opcode, with the upper bits and predicate bits of the extra word when there is one. */
static bool read_opcode(struct tgsi_reader *r, uint32_t start, uint32_t head, struct tgsi_insn *in)
{
    uint32_t number = TGSI_GET(head, INSN_OPCODE);
    r->more = 0;
    if (TGSI_GET(head, INSN_EXTRA)) {
        uint32_t w;
        if (!next_checked(r, &w, TGSI_MASK(MORE_SPARE), "extra token"))
            return false;
        if (!w)
            return fail(r, r->at - 1, UINT32_MAX, "bad-field", "an extra token that says nothing");
        number |= TGSI_GET(w, MORE_OPCODE) << 8;
        r->more = w & ~TGSI_MASK(MORE_OPCODE);
    }
    int row = tgsi_row_of_number(number);
    if (row < 0)
        return fail(r, start, TGSI_MASK(INSN_OPCODE), "unknown-instruction", "opcode %u does not exist", number);
    in->opcode = (uint16_t)row;
    return true;
}

static bool check_instruction_head(struct tgsi_reader *r, uint32_t token, uint32_t head, const struct tgsi_row *row)
{
    unsigned ndst = TGSI_GET(head, INSN_NDST), nsrc = TGSI_GET(head, INSN_NSRC);
    if (!tgsi_counts_fit(row, ndst, nsrc))
        return fail(r, token, TGSI_MASK(INSN_NDST) | TGSI_MASK(INSN_NSRC), "bad-count",
                    "%s with %u destinations and %u sources; it has %u and %u", row->name, ndst, nsrc, row->ndst,
                    row->nsrc);
    if (TGSI_GET(head, INSN_LABEL) && !row->label)
        return fail(r, token, TGSI_MASK(INSN_LABEL), "bad-field", "%s with a label", row->name);
    if (TGSI_GET(head, INSN_TEXTURE) ? !row->offsets : row->texture)
        return fail(r, token, TGSI_MASK(INSN_TEXTURE), "bad-field", "%s %s a texture token", row->name,
                    row->texture ? "without" : "with");
    if (TGSI_GET(head, INSN_MEMORY) && !row->memory_token)
        return fail(r, token, TGSI_MASK(INSN_MEMORY), "bad-field", "%s with a memory token", row->name);
    return true;
}

static bool read_instruction(struct tgsi_reader *r, uint32_t start, uint32_t head, struct tgsi_insn *in)
{
    memset(in, 0, offsetof(struct tgsi_insn, dst));
    uint32_t w;
    if (!read_opcode(r, start, head, in))
        return false;
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    if (!check_instruction_head(r, start, head, row))
        return false;
    in->saturate = TGSI_GET(head, INSN_SATURATE);
    in->precise = TGSI_GET(head, INSN_PRECISE);
    in->ndst = (uint8_t)TGSI_GET(head, INSN_NDST);
    in->nsrc = (uint8_t)TGSI_GET(head, INSN_NSRC);
    bool label = TGSI_GET(head, INSN_LABEL), texture = TGSI_GET(head, INSN_TEXTURE);
    bool memory = TGSI_GET(head, INSN_MEMORY);
    if (label) {
        if (!next_checked(r, &w, TGSI_MASK(LABEL_SPARE), "label token"))
            return false;
        in->has_label = true;
        in->label = TGSI_GET(w, LABEL_TARGET);
    }
    if ((texture && !read_texture(r, row, in)) || (memory && !read_memory(r, row, in)))
        return false;
    if ((texture != tgsi_usually_has_texture(row) && !tgsi_needs_texture(in)) || memory != row->memory)
        in->form |= TGSI_FORM_OTHER_WORD;
    for (unsigned i = 0; i < in->ndst; i++)
        if (!read_destination(r, &in->dst[i], i))
            return false;
    for (unsigned i = 0; i < in->nsrc; i++)
        if (!read_source(r, &in->src[i], TGSI_SLOT_SOURCES + i))
            return false;
    if (r->more)
        return fail(r, start + 1, r->more, "reserved-bits",
                    "predicate bits %#x are of operands whose file is not number 15", r->more);

    uint32_t count = TGSI_GET(head, INSN_COUNT), tokens = r->at - start;
    if (count + 1 == tokens)
        in->form |= TGSI_FORM_SHORT_COUNT;
    else if (count != tokens)
        return fail(r, start, TGSI_MASK(INSN_COUNT), "bad-count", "%s says that it has %u tokens and has %u", row->name,
                    count, tokens);
    return true;
}

bool tgsi_read_front(struct tgsi_reader *r)
{
    uint32_t header, processor;
    if (!next(r, &header, "header") || !next_checked(r, &processor, TGSI_MASK(PROCESSOR_SPARE), "processor token"))
        return false;
    if (TGSI_GET(header, HEADER_SIZE) != TGSI_HEADER_TOKENS)
        return fail(r, 0, TGSI_MASK(HEADER_SIZE), "bad-header", "a header of %u tokens; it has 2",
                    TGSI_GET(header, HEADER_SIZE));
    r->body = TGSI_GET(header, HEADER_BODY);
    if (r->whole && r->body != r->end - TGSI_HEADER_TOKENS)
        return fail(r, 0, TGSI_MASK(HEADER_BODY), "bad-header", "the header promises %u tokens of body and %u follow",
                    r->body, r->end - TGSI_HEADER_TOKENS);
    int number = tgsi_processor_of_number(TGSI_GET(processor, PROCESSOR_KIND));
    if (number >= 0) {
        r->processor = (uint8_t)number;
        return true;
    }
    return fail(r, 1, TGSI_MASK(PROCESSOR_KIND), "bad-header", "processor %u does not exist",
                TGSI_GET(processor, PROCESSOR_KIND));
}

bool tgsi_read_item(struct tgsi_reader *r, struct tgsi_any *out)
{
    uint32_t start = r->at, head;
    if (!next(r, &head, "next item"))
        return false;
    switch (TGSI_GET(head, INSN_TYPE)) {
    case TGSI_TYPE_DECLARATION:
        out->kind = TGSI_ITEM_DECL;
        return read_declaration(r, start, head, &out->decl);
    case TGSI_TYPE_IMMEDIATE:
        out->kind = TGSI_ITEM_IMM;
        return read_immediate(r, start, head, &out->imm);
    case TGSI_TYPE_INSTRUCTION:
        out->kind = TGSI_ITEM_INSN;
        tgsi_use_operands(&out->insn, &out->operands);
        return read_instruction(r, start, head, &out->insn);
    case TGSI_TYPE_PROPERTY:
        out->kind = TGSI_ITEM_PROPERTY;
        return read_property(r, start, head, &out->property);
    default:
        return fail(r, start, TGSI_MASK(INSN_TYPE), "bad-field", "token type %u does not exist",
                    TGSI_GET(head, INSN_TYPE));
    }
}
