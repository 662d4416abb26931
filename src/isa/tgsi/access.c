/* access.c - which components of its operands an instruction reads and writes, by the columns of its row. */
#include "isa/tgsi/access.h"

#include "isa/tgsi/lookup.h"

enum { X = 1, XYZ = 7, XYZW = 15, W = 8 };

enum tgsi_shape tgsi_shape_of(const struct tgsi_row *row)
{
    unsigned wide = 0;
    for (unsigned i = 0; i < row->nsrc; i++)
        wide += tgsi_is_wide(row->src_type[i]);
    if (tgsi_is_wide(row->dst_type))
        return wide ? TGSI_SHAPE_WIDE : TGSI_SHAPE_WIDEN;
    if (!wide)
        return TGSI_SHAPE_NARROW;
    return row->nsrc > 1 ? TGSI_SHAPE_WIDE_COMPARE : TGSI_SHAPE_NARROWING;
}

int tgsi_component_of(enum tgsi_shape shape, unsigned mask, unsigned k)
{
    switch (shape) {
    case TGSI_SHAPE_NARROW:
        return mask >> k & 1 ? (int)k : -1;
    case TGSI_SHAPE_WIDE:
    case TGSI_SHAPE_WIDEN:
        return mask >> (2 * k) & 3 ? (int)(2 * k) : -1;
    case TGSI_SHAPE_WIDE_COMPARE:
        return mask >> (2 * k) & 1 ? (int)(2 * k) : mask >> (2 * k) & 2 ? (int)(2 * k + 1) : -1;
    case TGSI_SHAPE_NARROWING:
        break;
    }
    if (k)
        mask &= mask - 1;
    return mask ? __builtin_ctz(mask) : -1;
}

bool tgsi_is_resource(unsigned file)
{
    switch (file) {
    case TGSI_SAMPLER:
    case TGSI_SAMPLER_VIEW:
    case TGSI_IMAGE:
    case TGSI_BUFFER:
    case TGSI_MEMORY:
    case TGSI_CONSTBUF:
    case TGSI_HW_ATOMIC:
    case TGSI_RESOURCE:
        return true;
    default:
        return false;
    }
}

uint32_t tgsi_memory_number(const struct isa_module *m, uint32_t number)
{
    const struct tgsi_decl *only = NULL;
    for (uint32_t i = 0; i < m->ndecls; i++) {
        const struct tgsi_decl *d = &m->decls[i];
        if (d->file != TGSI_MEMORY)
            continue;
        if (only || d->first != d->last)
            return number;
        only = d;
    }
    return only ? only->first : number;
}

unsigned tgsi_written(const struct tgsi_insn *insn, unsigned i)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    unsigned mask = insn->dst[i].mask & row->writes;
    enum tgsi_shape shape =
        i ? TGSI_SHAPE_NARROWING : tgsi_shape_of(row); /* a second result is a number for each pair */
    if ((i == 0 && row->reads[0] != TGSI_READS_EACH) ||
        (shape != TGSI_SHAPE_NARROWING && shape != TGSI_SHAPE_WIDE_COMPARE))
        return mask;
    unsigned set = 0;
    for (unsigned k = 0; k < 2; k++) {
        int c = tgsi_component_of(shape, mask, k);
        set |= c < 0 ? 0 : 1u << c;
    }
    return set;
}

/* ---- components of a source, before its swizzle ---- */

/* Of a source that is read element by element. */
static unsigned each(const struct tgsi_row *row, unsigned i, unsigned mask)
{
    enum tgsi_shape shape = tgsi_shape_of(row);
    bool wide = tgsi_is_wide(row->src_type[i]);
    unsigned set = 0;
    for (unsigned k = 0; k < tgsi_elements(shape); k++)
        if (tgsi_component_of(shape, mask, k) >= 0)
            set |= wide ? 3u << (2 * k) : 1u << (shape == TGSI_SHAPE_WIDE ? 2 * k : k);
    return set;
}

static const struct tgsi_lookup_target *target_of(const struct tgsi_insn *insn)
{
    return tgsi_lookup_target(insn->target);
}

static unsigned first(unsigned count)
{
    return (1u << count) - 1;
}

static unsigned texel(const struct tgsi_lookup_target *t)
{
    return first(tgsi_lookup_texel_size(t)) | (t->multisample ? W : 0);
}

static unsigned coordinates(const struct tgsi_row *row, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = target_of(insn);
    if (row->ir == IR_TEX_FETCH)
        return texel(t) | (row->attr & TGSI_LOOKUP_LEVEL_W && tgsi_lookup_has_levels(t) ? W : 0);
    return first(t->coordinates) | (t->layer >= 0 ? 1u << t->layer : 0) |
           (t->compare >= 0 && t->compare < 4 ? 1u << t->compare : 0) |
           (row->attr & (TGSI_LOOKUP_LEVEL_W | TGSI_LOOKUP_PROJECTED) ? W : 0);
}

/* src1 of the TEX family: level in x and compare value in y; compare value in x; or the component to gather. */
static unsigned second(const struct tgsi_row *row, const struct tgsi_insn *insn)
{
    const struct tgsi_lookup_target *t = target_of(insn);
    if (row->attr & TGSI_LOOKUP_LEVEL_SECOND)
        return t->compare == 4 ? 3 : X;
    return t->compare == 4 || (row->ir == IR_TEX_GATHER && t->compare < 0) ? X : 0;
}

/* The memory or image of LOAD, STORE or an atomic. */
static const struct tgsi_operand *storage_of(const struct tgsi_row *row, const struct tgsi_insn *insn)
{
    return row->dst_type == TGSI_T_NONE ? &insn->dst[0] : &insn->src[0];
}

/* Images have addresses of several components, of which RES declares how many. */
static bool may_be_image(const struct tgsi_operand *storage)
{
    return storage->file == TGSI_IMAGE || storage->file == TGSI_RESOURCE || !tgsi_is_resource(storage->file);
}

static unsigned address(const struct tgsi_insn *insn, const struct tgsi_operand *storage)
{
    if (storage->file == TGSI_HW_ATOMIC)
        return 0; /* a counter is named by its own number */
    if (!may_be_image(storage))
        return X;
    return storage->file != TGSI_RESOURCE && insn->has_target ? texel(target_of(insn)) : XYZW;
}

static unsigned value(const struct tgsi_row *row, const struct tgsi_insn *insn, const struct tgsi_operand *storage)
{
    bool stores = !(row->effects & WEFT_EFFECT_ATOMIC);
    unsigned mask = insn->dst[0].file == TGSI_NULL ? X : insn->dst[0].mask;
    if (!may_be_image(storage))
        return mask;
    if (stores)
        return XYZW;
    return storage->file == TGSI_RESOURCE ? mask | X : X;
}

static unsigned components(const struct tgsi_row *row, const struct tgsi_insn *insn, unsigned i)
{
    unsigned mask = insn->ndst ? insn->dst[0].mask : 0;
    switch (row->reads[i]) {
    case TGSI_READS_EACH:
    case TGSI_READS_INPUT:
        return each(row, i, mask);
    case TGSI_READS_COORDINATES:
        return coordinates(row, insn);
    case TGSI_READS_DERIVATIVE:
        return first(target_of(insn)->coordinates);
    case TGSI_READS_SECOND:
        return second(row, insn);
    case TGSI_READS_LEVEL:
        return tgsi_lookup_has_levels(target_of(insn)) ? X : 0;
    case TGSI_READS_VIEW_ADDRESS:
        return XYZW;
    case TGSI_READS_VIEW_DERIVATIVE:
        return XYZ;
    case TGSI_READS_VIEW_LEVEL:
        return X;
    case TGSI_READS_ADDRESS:
        return address(insn, storage_of(row, insn));
    case TGSI_READS_VALUE:
        return value(row, insn, storage_of(row, insn));
    default:
        return row->reads[i];
    }
}

unsigned tgsi_read(const struct tgsi_insn *insn, unsigned i)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    const struct tgsi_operand *o = &insn->src[i];
    unsigned before = row->src_type[i] != TGSI_T_NONE                             ? components(row, insn, i)
                      : tgsi_is_resource(o->file) || row->unit == TGSI_UNIT_COLOR ? 0
                                                                                  : X;
    unsigned set = 0;
    for (unsigned c = 0; c < 4; c++)
        if (before >> c & 1)
            set |= 1u << (o->swizzle[c] & 3);
    return set;
}

bool tgsi_reads_at_most(const struct tgsi_insn *insn, unsigned i)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    const struct tgsi_operand *storage = storage_of(row, insn);
    switch (row->reads[i]) {
    case TGSI_READS_VIEW_ADDRESS:
    case TGSI_READS_VIEW_DERIVATIVE:
    case TGSI_READS_VIEW_LEVEL:
        return true;
    case TGSI_READS_ADDRESS:
        return may_be_image(storage) && (storage->file == TGSI_RESOURCE || !insn->has_target);
    case TGSI_READS_VALUE:
        return storage->file == TGSI_RESOURCE;
    default:
        return false;
    }
}

unsigned tgsi_offset_read(const struct tgsi_insn *insn, unsigned i)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    const struct tgsi_tex_offset *o = &insn->offset[i];
    const struct tgsi_lookup_target *t = target_of(insn);
    bool sampled = row->unit == TGSI_UNIT_VIEW;
    bool gathers_each = row->texture && row->ir == IR_TEX_GATHER && insn->noffsets == 4;
    unsigned count = sampled ? 3 : t->dim == IR_TEX_CUBE || t->dim == IR_TEX_BUFFER ? 0 : t->coordinates;
    if ((i && !gathers_each) || row->ir == IR_TEX_QUERY_SIZE || row->ir == IR_TEX_QUERY_SAMPLES ||
        row->ir == IR_TEX_QUERY_POS || !(row->effects & WEFT_EFFECT_TEXTURE))
        return 0;
    unsigned set = 0;
    for (unsigned c = 0; c < count; c++)
        set |= 1u << (o->swizzle[c] & 3);
    return set;
}
