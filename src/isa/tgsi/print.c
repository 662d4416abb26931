/* print.c - a module as text, in the manner of Mesa's dumps.
 *
 * Unlike those the text loses nothing: floats are the shortest decimals that read back as the same bits, or bit
 * patterns where no decimal says it. */
#include "base/decimal.h"
#include "isa/tgsi/print.h"

#include <string.h>

enum {
    DEEPEST_INDENT = 32 /* levels; deeper nesting is not indented further, or the text would grow with its square */
};

/* Names come from tokens too: a number that has no name prints as one that no parser takes for another. */
static void put_name(struct text *w, const char *const *names, size_t count, size_t number)
{
    size_t i = 0;
    while (i < number && i < count && names[i] != NULL)
        i++;
    if (i < count && names[i] != NULL)
        put_text(w, names[i]);
    else
        put_unsigned(w, number);
}

static void put_mask(struct text *w, unsigned mask)
{
    put_char(w, '.');
    for (int i = 0; i < 4; i++)
        if (mask & 1u << i)
            put_char(w, "xyzw"[i]);
    if (mask == 0)
        put_char(w, '_');
}

/* ---- declarations ---- */

static void put_range(struct text *w, uint32_t first, uint32_t last)
{
    put_char(w, '[');
    put_unsigned(w, first);
    if (last != first) {
        put_text(w, "..");
        put_unsigned(w, last);
    }
    put_char(w, ']');
}

static void put_attribute(struct text *w, const char *name)
{
    put_text(w, ", ");
    put_text(w, name);
}

static void put_view(struct text *w, const struct tgsi_decl *d)
{
    put_text(w, ", ");
    put_name(w, tgsi_target_names, TGSI_TEX_TARGETS, d->target);
    if (d->file == TGSI_SAMPLER_VIEW) {
        bool same = d->rettype[0] == d->rettype[1] && d->rettype[0] == d->rettype[2] && d->rettype[0] == d->rettype[3];
        for (int i = 0; i < (same ? 1 : 4); i++) {
            put_text(w, ", ");
            put_name(w, tgsi_rettype_names, SIZE_MAX, d->rettype[i]);
        }
    }
    if (d->file == TGSI_IMAGE && d->format != 0) {
        put_text(w, ", ");
        put_name(w, gallium_format_names, SIZE_MAX, d->format);
    }
    if (d->writable)
        put_attribute(w, "WR");
    if (d->raw)
        put_attribute(w, "RAW");
}

static void put_semantic(struct text *w, const struct tgsi_decl *d)
{
    put_text(w, ", ");
    put_name(w, tgsi_semantic_names, SIZE_MAX, d->semantic);
    if (d->semantic_index != 0 || tgsi_semantic_of(d)->numbered) {
        put_char(w, '[');
        put_unsigned(w, d->semantic_index);
        put_char(w, ']');
    }
}

static void put_interpolation(struct text *w, const struct tgsi_decl *d)
{
    if (d->has_interp) {
        bool reads_as_semantic = d->interp == TGSI_INTERP_COLOR && !d->has_semantic;
        put_attribute(w, reads_as_semantic ? "INTERPOLATE(" : "");
        put_name(w, tgsi_interp_names, SIZE_MAX, d->interp);
        if (reads_as_semantic)
            put_char(w, ')');
    }
    if (d->location != TGSI_LOC_CENTER) {
        put_text(w, ", ");
        put_name(w, tgsi_location_names, SIZE_MAX, d->location);
    }
    if (d->cylindrical != 0) {
        put_attribute(w, "CYLWRAP_");
        for (int i = 0; i < 4; i++)
            if (d->cylindrical & 1u << i)
                put_char(w, "XYZW"[i]);
    }
}

static void put_declaration(struct text *w, const struct tgsi_decl *d)
{
    put_text(w, "DCL ");
    put_name(w, tgsi_file_names, TGSI_FILES, d->file);
    if (d->dim_empty)
        put_text(w, "[]");
    else if (d->dimensional)
        put_range(w, d->dim, d->dim_last);
    put_range(w, d->first, d->last);
    if (d->has_mask || d->mask != 15)
        put_mask(w, d->mask);
    if (d->array != 0) {
        put_attribute(w, "ARRAY(");
        put_unsigned(w, d->array);
        put_char(w, ')');
    }
    if (d->file == TGSI_SAMPLER_VIEW || d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE)
        put_view(w, d);
    if (d->atomic)
        put_attribute(w, "ATOMIC");
    if (d->file == TGSI_MEMORY) {
        put_text(w, ", ");
        put_name(w, tgsi_memkind_names, SIZE_MAX, d->memkind);
    }
    if (d->local)
        put_attribute(w, "LOCAL");
    if (d->has_semantic)
        put_semantic(w, d);
    if (d->has_stream) {
        for (int i = 0; i < 4; i++) {
            put_text(w, i == 0 ? ", STREAM(" : ", ");
            put_unsigned(w, d->stream[i]);
        }
        put_char(w, ')');
    }
    put_interpolation(w, d);
    if (d->invariant)
        put_attribute(w, "INVARIANT");
}

/* ---- immediates and properties ---- */

static void put_f32(struct text *w, uint32_t bits)
{
    size_t n = (bits & 0x7f800000) == 0x7f800000 ? 0 : decimal_from_f32(bits, w->p);
    if (n == 0)
        put_hex_digits(w, bits, 8);
    w->p += n;
}

static void put_f64(struct text *w, uint64_t bits)
{
    size_t n = (bits >> 52 & 0x7ff) == 0x7ff ? 0 : decimal_from_f64(bits, w->p);
    if (n == 0)
        put_hex_digits(w, bits, 16);
    w->p += n;
}

/* What follows "IMM[n] ". */
static void put_immediate(struct text *w, const struct tgsi_imm *imm)
{
    put_name(w, tgsi_imm_type_names, SIZE_MAX, imm->type);
    unsigned count = imm->type < TGSI_FLT64 ? 4 : 2;
    for (unsigned i = 0; i < count; i++) {
        uint64_t wide = count == 2 ? imm->bits[2 * i] | (uint64_t)imm->bits[2 * i + 1] << 32 : 0;
        put_text(w, i == 0 ? " {" : ", ");
        switch ((enum tgsi_imm_type)imm->type) {
        case TGSI_FLT32:
            put_f32(w, imm->bits[i]);
            break;
        case TGSI_UINT32:
            put_unsigned(w, imm->bits[i]);
            break;
        case TGSI_INT32:
            put_signed(w, (int32_t)imm->bits[i]);
            break;
        case TGSI_FLT64:
            put_f64(w, wide);
            break;
        case TGSI_UINT64:
            put_unsigned(w, wide);
            break;
        case TGSI_INT64:
            put_signed(w, (int64_t)wide);
            break;
        }
    }
    put_char(w, '}');
}

static void put_property(struct text *w, const struct tgsi_property *prop)
{
    const char *const *words = tgsi_property_words(prop->name);
    put_text(w, "PROPERTY ");
    put_name(w, tgsi_property_names, SIZE_MAX, prop->name);
    for (unsigned i = 0; i < prop->count; i++) {
        put_text(w, i == 0 ? " " : ", ");
        if (words)
            put_name(w, words, SIZE_MAX, prop->value[i]);
        else
            put_unsigned(w, prop->value[i]);
    }
}

/* ---- instructions ---- */

static void put_index(struct text *w, const struct tgsi_index *index)
{
    put_char(w, '[');
    if (index->indirect) {
        put_name(w, tgsi_file_names, TGSI_FILES, index->file);
        put_char(w, '[');
        put_signed(w, index->reg);
        put_text(w, "].");
        put_char(w, "xyzw"[index->component & 3]);
        if (index->value > 0)
            put_char(w, '+');
        if (index->value != 0)
            put_signed(w, index->value);
    } else {
        put_signed(w, index->value);
    }
    put_char(w, ']');
    if (index->array != 0) {
        put_char(w, '(');
        put_unsigned(w, index->array);
        put_char(w, ')');
    }
}

static inline void put_register(struct text *w, const struct tgsi_operand *o)
{
    put_text(w, o->file < TGSI_FILES ? tgsi_file_names[o->file] : "NULL");
    if (o->dimensional)
        put_index(w, &o->dim);
    put_index(w, &o->index);
}

static void put_source(struct text *w, const struct tgsi_operand *o)
{
    if (o->negate)
        put_char(w, '-');
    if (o->absolute)
        put_char(w, '|');
    put_register(w, o);
    if (o->swizzle[0] != 0 || o->swizzle[1] != 1 || o->swizzle[2] != 2 || o->swizzle[3] != 3) {
        put_char(w, '.');
        for (int i = 0; i < 4; i++)
            put_char(w, "xyzw"[o->swizzle[i] & 3]);
    }
    if (o->absolute)
        put_char(w, '|');
}

static void put_trailer(struct text *w, const struct tgsi_row *row, const struct tgsi_insn *insn)
{
    /* Memory attributes may be in any order; qualifiers first, as in Mesa. */
    if (insn->has_memory && insn->memory != 0)
        for (unsigned i = 0; tgsi_memory_names[i] != NULL; i++)
            if (insn->memory & 1u << i)
                put_attribute(w, tgsi_memory_names[i]);
    if (insn->has_target && (row->texture || row->memory)) {
        put_text(w, ", ");
        put_name(w, tgsi_target_names, TGSI_TEX_TARGETS, insn->target);
    }
    if (insn->format != 0) {
        put_text(w, ", ");
        put_name(w, gallium_format_names, SIZE_MAX, insn->format);
    }
    for (unsigned i = 0; i < insn->noffsets && i < 4; i++) {
        const struct tgsi_tex_offset *o = &insn->offset[i];
        put_text(w, ", ");
        put_name(w, tgsi_file_names, TGSI_FILES, o->file);
        put_char(w, '[');
        put_signed(w, o->reg);
        put_text(w, "].");
        for (int c = 0; c < 3; c++)
            put_char(w, "xyzw"[o->swizzle[c] & 3]);
    }
    if (insn->has_label) {
        put_text(w, " :");
        put_unsigned(w, insn->label);
    }
}

static bool closes(enum tgsi_flow flow)
{
    return flow == TGSI_FLOW_ELSE || flow == TGSI_FLOW_ENDIF || flow == TGSI_FLOW_ENDLOOP ||
           flow == TGSI_FLOW_ENDSWITCH || flow == TGSI_FLOW_ENDSUB;
}

static bool opens(enum tgsi_flow flow)
{
    return flow == TGSI_FLOW_IF || flow == TGSI_FLOW_ELSE || flow == TGSI_FLOW_LOOP || flow == TGSI_FLOW_SWITCH ||
           flow == TGSI_FLOW_SUB;
}

static void put_number_and_indent(struct text *w, uint32_t number, uint32_t depth)
{
    for (uint32_t room = 100; room > number && room > 1; room /= 10)
        put_char(w, ' ');
    put_unsigned(w, number);
    put_text(w, ": ");
    for (uint32_t i = 0; i < depth && i < DEEPEST_INDENT; i++)
        put_text(w, "  ");
}

static void put_instruction(struct text *w, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    put_text(w, row->name);
    if (insn->saturate)
        put_text(w, "_SAT");
    if (insn->precise)
        put_text(w, "_PRECISE");
    const char *before = " ";
    for (unsigned i = 0; i < insn->ndst && i < 2; i++) {
        put_text(w, before);
        put_register(w, &insn->dst[i]);
        if (insn->dst[i].mask != 15)
            put_mask(w, insn->dst[i].mask);
        before = ", ";
    }
    for (unsigned i = 0; i < insn->nsrc && i < 5; i++) {
        put_text(w, before);
        put_source(w, &insn->src[i]);
        before = ", ";
    }
    put_trailer(w, row, insn);
}

void tgsi_put_item(struct text *t, const struct tgsi_any *any)
{
    switch (any->kind) {
    case TGSI_ITEM_DECL:
        put_declaration(t, &any->decl);
        break;
    case TGSI_ITEM_IMM:
        put_text(t, "IMM ");
        put_immediate(t, &any->imm);
        break;
    case TGSI_ITEM_PROPERTY:
        put_property(t, &any->property);
        break;
    case TGSI_ITEM_INSN:
        put_instruction(t, &any->insn);
        break;
    }
}

/* ---- the program ---- */

static void put_instruction_line(struct text *w, const struct tgsi_insn *insn, uint32_t number, uint32_t *depth)
{
    enum tgsi_flow flow = (enum tgsi_flow)tgsi_rows[insn->opcode].flow;
    if (closes(flow) && *depth > 0)
        --*depth;
    put_number_and_indent(w, number, *depth);
    if (opens(flow))
        ++*depth;
    put_instruction(w, insn);
}

/* All that it calls is inlined, so that the place in the text is in a register. tgsi_put_item shares the functions. */
__attribute__((flatten)) weft_status tgsi_print(const struct isa_module *m, struct arena *arena, char **text,
                                                size_t *size, struct isa_places *places)
{
    struct text w;
    uint32_t depth = 0;
    (void)places; /* a declaration is not an instruction, yet has tokens: places would say nothing useful */
    if (!text_start(&w, arena, 64 + (size_t)m->nitems * 48))
        return WEFT_ERROR_MEMORY;
    put_name(&w, tgsi_processor_names, TGSI_PROCESSORS, m->processor);
    put_char(&w, '\n');
    for (uint32_t i = 0; i < m->nitems; i++) {
        uint32_t index = m->items[i].index;
        if (!text_room(&w))
            return WEFT_ERROR_MEMORY;
        switch ((enum tgsi_item_kind)m->items[i].kind) {
        case TGSI_ITEM_DECL:
            put_declaration(&w, &m->decls[index]);
            break;
        case TGSI_ITEM_IMM:
            put_text(&w, "IMM[");
            put_unsigned(&w, index);
            put_text(&w, "] ");
            put_immediate(&w, &m->imms[index]);
            break;
        case TGSI_ITEM_PROPERTY:
            put_property(&w, &m->props[index]);
            break;
        case TGSI_ITEM_INSN:
            put_instruction_line(&w, &m->insns[index], index, &depth);
            break;
        }
        put_char(&w, '\n');
    }
    *size = text_length(&w);
    if (!text_room(&w))
        return WEFT_ERROR_MEMORY;
    text_end(&w);
    *text = w.begin;
    return WEFT_OK;
}
