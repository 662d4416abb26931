/* print.c - a module as text, in the manner of Mesa's dumps.
 *
 * Unlike those the text loses nothing: floats are the shortest decimals that read back as the same bits, or bit
 * patterns where no decimal says it. */
#include "base/decimal.h"
#include "isa/tgsi/op.h"
#include "isa/tgsi/tgsi.h"

#include <string.h>

enum {
    ROOM = 2048,        /* more than any one statement takes, so that only statements look for room */
    DEEPEST_INDENT = 32 /* levels; deeper nesting is not indented further, or the text would grow with its square */
};

struct writer {
    char *p;
    char *begin;
    size_t size;
    struct arena *arena;
};

static bool make_room(struct writer *w)
{
    size_t used = (size_t)(w->p - w->begin);
    if (w->size - used >= ROOM)
        return true;
    char *grown = arena_grow(w->arena, w->begin, 1, used, &w->size, used + ROOM);
    if (!grown)
        return false;
    w->begin = grown;
    w->p = grown + used;
    return true;
}

static inline void put(struct writer *w, char c)
{
    *w->p++ = c;
}

static inline void put_text(struct writer *w, const char *s)
{
    while (*s != '\0')
        *w->p++ = *s++;
}

static inline void put_unsigned(struct writer *w, uint64_t v)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while ((v /= 10) != 0);
    while (n > 0)
        *w->p++ = digits[--n];
}

static void put_signed(struct writer *w, int64_t v)
{
    if (v < 0)
        put(w, '-');
    put_unsigned(w, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static void put_hex(struct writer *w, uint64_t v, int digits)
{
    put_text(w, "0x");
    while (digits-- > 0)
        put(w, "0123456789abcdef"[v >> (4 * digits) & 15]);
}

/* Names come from tokens too: a number that has no name prints as one that no parser takes for another. */
static void put_name(struct writer *w, const char *const *names, size_t count, size_t number)
{
    size_t i = 0;
    while (i < number && i < count && names[i] != NULL)
        i++;
    if (i < count && names[i] != NULL)
        put_text(w, names[i]);
    else
        put_unsigned(w, number);
}

static void put_mask(struct writer *w, unsigned mask)
{
    put(w, '.');
    for (int i = 0; i < 4; i++)
        if (mask & 1u << i)
            put(w, "xyzw"[i]);
    if (mask == 0)
        put(w, '_');
}

/* ---- declarations ---- */

static void put_range(struct writer *w, uint32_t first, uint32_t last)
{
    put(w, '[');
    put_unsigned(w, first);
    if (last != first) {
        put_text(w, "..");
        put_unsigned(w, last);
    }
    put(w, ']');
}

static void put_attribute(struct writer *w, const char *name)
{
    put_text(w, ", ");
    put_text(w, name);
}

static void put_view(struct writer *w, const struct tgsi_decl *d)
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
    if (d->raw)
        put_attribute(w, "RAW");
    if (d->writable)
        put_attribute(w, "WR");
    if (d->file == TGSI_IMAGE && d->format != 0) {
        put_text(w, ", ");
        put_name(w, tgsi_format_names, SIZE_MAX, d->format);
    }
}

static void put_semantic(struct writer *w, const struct tgsi_decl *d)
{
    enum { GENERIC = 5, TEXCOORD = 19 };
    put_text(w, ", ");
    put_name(w, tgsi_semantic_names, SIZE_MAX, d->semantic);
    if (d->semantic_index != 0 || d->semantic == GENERIC || d->semantic == TEXCOORD) {
        put(w, '[');
        put_unsigned(w, d->semantic_index);
        put(w, ']');
    }
}

static void put_interpolation(struct writer *w, const struct tgsi_decl *d)
{
    if (d->has_interp) {
        bool reads_as_semantic = d->interp == TGSI_INTERP_COLOR && !d->has_semantic;
        put_attribute(w, reads_as_semantic ? "INTERPOLATE(" : "");
        put_name(w, tgsi_interp_names, SIZE_MAX, d->interp);
        if (reads_as_semantic)
            put(w, ')');
    }
    if (d->location != TGSI_LOC_CENTER) {
        put_text(w, ", ");
        put_name(w, tgsi_location_names, SIZE_MAX, d->location);
    }
    if (d->cylindrical != 0) {
        put_attribute(w, "CYLWRAP_");
        for (int i = 0; i < 4; i++)
            if (d->cylindrical & 1u << i)
                put(w, "XYZW"[i]);
    }
}

static void put_declaration(struct writer *w, const struct tgsi_decl *d)
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
        put(w, ')');
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
        put(w, ')');
    }
    put_interpolation(w, d);
    if (d->invariant)
        put_attribute(w, "INVARIANT");
    put(w, '\n');
}

/* ---- immediates and properties ---- */

static void put_f32(struct writer *w, uint32_t bits)
{
    size_t n = (bits & 0x7f800000) == 0x7f800000 ? 0 : decimal_from_f32(bits, w->p);
    if (n == 0)
        put_hex(w, bits, 8);
    w->p += n;
}

static void put_f64(struct writer *w, uint64_t bits)
{
    size_t n = (bits >> 52 & 0x7ff) == 0x7ff ? 0 : decimal_from_f64(bits, w->p);
    if (n == 0)
        put_hex(w, bits, 16);
    w->p += n;
}

static void put_immediate(struct writer *w, const struct tgsi_imm *imm, uint32_t number)
{
    put_text(w, "IMM[");
    put_unsigned(w, number);
    put_text(w, "] ");
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
    put_text(w, "}\n");
}

static void put_property(struct writer *w, const struct tgsi_property *prop)
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
    put(w, '\n');
}

/* ---- instructions ---- */

static void put_index(struct writer *w, const struct tgsi_index *index)
{
    put(w, '[');
    if (index->indirect) {
        put_name(w, tgsi_file_names, TGSI_FILES, index->file);
        put(w, '[');
        put_signed(w, index->reg);
        put_text(w, "].");
        put(w, "xyzw"[index->component & 3]);
        if (index->value > 0)
            put(w, '+');
        if (index->value != 0)
            put_signed(w, index->value);
    } else {
        put_signed(w, index->value);
    }
    put(w, ']');
    if (index->array != 0) {
        put(w, '(');
        put_unsigned(w, index->array);
        put(w, ')');
    }
}

static inline void put_register(struct writer *w, const struct tgsi_operand *o)
{
    put_text(w, o->file < TGSI_FILES ? tgsi_file_names[o->file] : "NULL");
    if (o->dimensional)
        put_index(w, &o->dim);
    put_index(w, &o->index);
}

static void put_source(struct writer *w, const struct tgsi_operand *o)
{
    if (o->negate)
        put(w, '-');
    if (o->absolute)
        put(w, '|');
    put_register(w, o);
    if (o->swizzle[0] != 0 || o->swizzle[1] != 1 || o->swizzle[2] != 2 || o->swizzle[3] != 3) {
        put(w, '.');
        for (int i = 0; i < 4; i++)
            put(w, "xyzw"[o->swizzle[i] & 3]);
    }
    if (o->absolute)
        put(w, '|');
}

static void put_trailer(struct writer *w, const struct tgsi_row *row, const struct tgsi_insn *insn)
{
    /* Memory attributes stand in any order; qualifiers first, as in Mesa. */
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
        put_name(w, tgsi_format_names, SIZE_MAX, insn->format);
    }
    for (unsigned i = 0; i < insn->noffsets && i < 4; i++) {
        const struct tgsi_tex_offset *o = &insn->offset[i];
        put_text(w, ", ");
        put_name(w, tgsi_file_names, TGSI_FILES, o->file);
        put(w, '[');
        put_signed(w, o->reg);
        put_text(w, "].");
        for (int c = 0; c < 3; c++)
            put(w, "xyzw"[o->swizzle[c] & 3]);
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

static void put_number_and_indent(struct writer *w, uint32_t number, uint32_t depth)
{
    for (uint32_t room = 100; room > number && room > 1; room /= 10)
        put(w, ' ');
    put_unsigned(w, number);
    put_text(w, ": ");
    for (uint32_t i = 0; i < depth && i < DEEPEST_INDENT; i++)
        put_text(w, "  ");
}

static void put_instruction(struct writer *w, const struct tgsi_insn *insn, uint32_t number, uint32_t *depth)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode < TGSI_OPS ? insn->opcode : TGSI_OP_NOP];
    if (closes((enum tgsi_flow)row->flow) && *depth > 0)
        --*depth;
    put_number_and_indent(w, number, *depth);
    if (opens((enum tgsi_flow)row->flow))
        ++*depth;
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
    put(w, '\n');
}

weft_status tgsi_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size)
{
    struct writer w = {.arena = arena};
    uint32_t depth = 0;
    w.begin = arena_grow(arena, NULL, 1, 0, &w.size, ROOM + 64 + (size_t)m->nitems * 48);
    w.p = w.begin;
    if (!w.begin)
        return WEFT_ERROR_MEMORY;
    put_name(&w, tgsi_processor_names, TGSI_PROCESSORS, m->processor);
    put(&w, '\n');
    for (uint32_t i = 0; i < m->nitems; i++) {
        uint32_t index = m->items[i].index;
        if (!make_room(&w))
            return WEFT_ERROR_MEMORY;
        switch ((enum tgsi_item_kind)m->items[i].kind) {
        case TGSI_ITEM_DECL:
            put_declaration(&w, &m->decls[index]);
            break;
        case TGSI_ITEM_IMM:
            put_immediate(&w, &m->imms[index], index);
            break;
        case TGSI_ITEM_PROPERTY:
            put_property(&w, &m->props[index]);
            break;
        case TGSI_ITEM_INSN:
            put_instruction(&w, &m->insns[index], index, &depth);
            break;
        }
    }
    *size = (size_t)(w.p - w.begin);
    if (!make_room(&w))
        return WEFT_ERROR_MEMORY;
    *w.p = '\0';
    *text = w.begin;
    return WEFT_OK;
}
