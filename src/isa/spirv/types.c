/* types.c - types: what a value of one is made of, and where its parts are in registers and in memory. */
#include "isa/spirv/lift.h"

#include <string.h>

const struct spirv_type *spirv_type(struct spirv_lifter *l, uint32_t id)
{
    static const struct spirv_type none;
    if (id < l->m->bound && l->types[id].kind)
        return &l->types[id];
    spirv_wrong(l, "%s is not a type", spirv_name(l->m, l->arena, id));
    return &none;
}

static void measure(struct spirv_lifter *l, uint32_t id, struct spirv_type *t);

/* ---- making them ---- */

static uint8_t scalar_type(unsigned kind, unsigned bits)
{
    if (kind == SPIRV_T_FLOAT)
        return bits == 16 ? IR_F16 : bits == 32 ? IR_F32 : bits == 64 ? IR_F64 : IR_VOID;
    return bits == 8 ? IR_I8 : bits == 16 ? IR_I16 : bits == 32 ? IR_I32 : bits == 64 ? IR_I64 : IR_VOID;
}

static uint32_t product(uint32_t a, uint32_t b, uint32_t most)
{
    uint64_t n = (uint64_t)a * b;
    return n > most ? 0 : (uint32_t)n;
}

/* A type of `count` times another. */
static void repeat(struct spirv_lifter *l, struct spirv_type *t, uint32_t elem, uint32_t count)
{
    const struct spirv_type *e = spirv_type(l, elem);
    t->elem = elem;
    t->count = count;
    t->scalars = product(e->scalars, count, SPIRV_MOST_SCALARS);
    t->elements = product(e->elements, count, SPIRV_MOST_ELEMENTS);
    t->empty = e->empty;
    t->depth = (uint8_t)(e->depth + 1);
    if (e->depth >= SPIRV_MOST_DEPTH)
        spirv_wrong(l, "the type is too deep: weft follows %d levels", SPIRV_MOST_DEPTH);
}

static void make_struct(struct spirv_lifter *l, struct spirv_type *t)
{
    uint64_t scalars = 0, elements = 0;
    bool whole = true, empty = true;
    t->count = l->nw - 2;
    t->member = l->w + 2;
    for (uint32_t i = 0; i < t->count && !l->failed; i++) {
        const struct spirv_type *e = spirv_type(l, t->member[i]);
        whole &= e->scalars != 0 || e->empty;
        empty &= e->empty;
        scalars += e->scalars;
        elements += e->elements;
        t->depth = t->depth > e->depth ? t->depth : (uint8_t)(e->depth + 1);
        if (e->depth >= SPIRV_MOST_DEPTH)
            spirv_wrong(l, "the type is too deep: weft follows %d levels", SPIRV_MOST_DEPTH);
    }
    t->empty = empty;
    t->scalars = whole && scalars <= SPIRV_MOST_SCALARS ? (uint32_t)scalars : 0;
    t->elements = whole && elements <= SPIRV_MOST_ELEMENTS ? (uint32_t)elements : 0;
}

static void make_number(struct spirv_lifter *l, struct spirv_type *t)
{
    t->bits = (uint8_t)l->w[2];
    t->is_signed = t->kind == SPIRV_T_INT && l->w[3];
    t->ir = l->w[2] > 64 ? (uint8_t)IR_VOID : scalar_type(t->kind, l->w[2]);
    t->scalars = 1;
    t->elements = t->bits == 64 ? 2 : 1;
    if (t->ir == IR_VOID)
        spirv_wrong(l, "there are no %s of %u bits", t->kind == SPIRV_T_INT ? "integers" : "floats", l->w[2]);
}

static void make_array(struct spirv_lifter *l, struct spirv_type *t)
{
    uint64_t count;
    t->stride = spirv_decorated(l->m, l->w[1], SPIRV_NONE, SpvDecorationArrayStride, 0);
    if (!spirv_constant(l, l->w[3], &count) || count == 0 || count > UINT32_MAX)
        spirv_wrong(l, "the length of an array is not a constant from 1 on");
    else
        repeat(l, t, l->w[2], (uint32_t)count);
}

/* Pointers into memory are values: 64-bit numbers (lift_pointer.c). OpTypeForwardPointer knows no pointee yet. */
static void make_pointer(struct spirv_lifter *l, struct spirv_type *t)
{
    const uint32_t *w = l->w;
    uint32_t pointee = l->nw > 3 ? w[3] : 0;
    *t = (struct spirv_type){.kind = SPIRV_T_POINTER, .storage = w[2], .elem = pointee, .w = w};
    if (w[2] != SpvStorageClassStorageBuffer && w[2] != SpvStorageClassUniform && w[2] != SpvStorageClassWorkgroup &&
        w[2] != SpvStorageClassPhysicalStorageBuffer)
        return;
    t->bits = 64;
    t->ir = IR_I64;
    t->scalars = 1;
    t->elements = 2;
}

void spirv_make_type(struct spirv_lifter *l, enum spirv_kind kind)
{
    const uint32_t *w = l->w;
    struct spirv_type *t = &l->types[w[1]];
    if (t->kind && (kind != SPIRV_T_POINTER || t->storage != w[2])) {
        spirv_wrong(l, "it was declared as another type before"); /* others are made of that one */
        return;
    }
    t->w = w;
    t->kind = (uint8_t)kind;
    switch (kind) {
    case SPIRV_T_BOOL:
        *t = (struct spirv_type){.kind = SPIRV_T_BOOL, .bits = 1, .ir = IR_I1, .scalars = 1, .elements = 1, .w = w};
        break;
    case SPIRV_T_INT:
    case SPIRV_T_FLOAT:
        make_number(l, t);
        break;
    case SPIRV_T_VECTOR:
        repeat(l, t, w[2], w[3]);
        t->ir = spirv_type(l, w[2])->ir;
        if (t->ir == IR_VOID || w[3] < 2 || w[3] > 16)
            spirv_wrong(l, "a vector has 2 to 16 numbers or Booleans");
        break;
    case SPIRV_T_MATRIX:
        repeat(l, t, w[2], w[3]);
        t->ir = spirv_type(l, w[2])->ir;
        if (spirv_type(l, w[2])->kind != SPIRV_T_VECTOR || w[3] < 2 || w[3] > 4)
            spirv_wrong(l, "a matrix has 2 to 4 columns that are vectors");
        break;
    case SPIRV_T_ARRAY:
        make_array(l, t);
        break;
    case SPIRV_T_RUNTIME_ARRAY:
        t->elem = w[2];
        t->depth = (uint8_t)(spirv_type(l, w[2])->depth + 1);
        t->stride = spirv_decorated(l->m, w[1], SPIRV_NONE, SpvDecorationArrayStride, 0);
        break;
    case SPIRV_T_STRUCT:
        make_struct(l, t);
        break;
    case SPIRV_T_POINTER:
        make_pointer(l, t);
        break;
    case SPIRV_T_SAMPLED_IMAGE:
        t->elem = w[2];
        break;
    default:
        break;
    }
    if (!l->failed)
        measure(l, w[1], t);
}

void spirv_lift_type(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    spirv_make_type(l, (enum spirv_kind)l->meaning->op);
}

/* ---- their scalars ---- */

static void fill_leaves(struct spirv_lifter *l, uint32_t id, uint8_t **at)
{
    const struct spirv_type *t = spirv_type(l, id);
    if (t->kind <= SPIRV_T_FLOAT || t->kind == SPIRV_T_POINTER) {
        *(*at)++ = t->ir;
        return;
    }
    for (uint32_t i = 0; t->scalars && i < t->count; i++)
        fill_leaves(l, t->kind == SPIRV_T_STRUCT ? t->member[i] : t->elem, at);
}

const uint8_t *spirv_leaves(struct spirv_lifter *l, uint32_t type)
{
    struct spirv_type *t = &l->types[type];
    if (t->leaf)
        return t->leaf;
    uint8_t *leaf = ARENA_ARRAY(l->arena, uint8_t, (size_t)t->scalars + 1);
    if (!leaf)
        return NULL;
    uint8_t *at = leaf;
    if (t->scalars)
        fill_leaves(l, type, &at);
    return t->leaf = leaf;
}

static bool part(struct spirv_lifter *l, uint32_t type, uint32_t index, uint32_t *out, uint32_t *before, bool elements)
{
    const struct spirv_type *t = spirv_type(l, type);
    *before = 0;
    if (t->kind < SPIRV_T_VECTOR || t->kind > SPIRV_T_STRUCT || t->kind == SPIRV_T_RUNTIME_ARRAY || index >= t->count)
        return false;
    if (t->kind != SPIRV_T_STRUCT) {
        const struct spirv_type *e = spirv_type(l, t->elem);
        *out = t->elem;
        *before = index * (elements ? e->elements : e->scalars);
        return true;
    }
    for (uint32_t i = 0; i < index; i++) {
        const struct spirv_type *e = spirv_type(l, t->member[i]);
        *before += elements ? e->elements : e->scalars;
    }
    *out = t->member[index];
    return true;
}

bool spirv_part(struct spirv_lifter *l, uint32_t type, uint32_t index, uint32_t *out, uint32_t *before)
{
    return part(l, type, index, out, before, false);
}

bool spirv_part_elements(struct spirv_lifter *l, uint32_t type, uint32_t index, uint32_t *out, uint32_t *before)
{
    return part(l, type, index, out, before, true);
}

/* ---- in memory ---- */

static uint64_t round_up(uint64_t n, uint32_t align)
{
    return (n + align - 1) / align * align;
}

/* Bytes of a struct whose members are known. */
static uint64_t struct_size(struct spirv_lifter *l, uint32_t id, const struct spirv_type *t, uint32_t *align)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct spirv_type *e = spirv_type(l, t->member[i]);
        uint32_t offset = spirv_decorated(l->m, id, i, SpvDecorationOffset, SPIRV_NONE);
        uint64_t end = (offset != SPIRV_NONE ? offset : round_up(size, e->align)) + e->bytes;
        size = end > size ? end : size;
        *align = e->align > *align ? e->align : *align;
    }
    return round_up(size, *align);
}

/* Bytes where nobody has laid it out, and alignment. */
static void measure(struct spirv_lifter *l, uint32_t id, struct spirv_type *t)
{
    const struct spirv_type *e = t->elem ? spirv_type(l, t->elem) : t;
    uint64_t bytes = 0;
    t->align = 1;
    switch (t->kind) {
    case SPIRV_T_BOOL:
        bytes = t->align = 4;
        break;
    case SPIRV_T_POINTER:
        bytes = t->align = 8;
        break;
    case SPIRV_T_INT:
    case SPIRV_T_FLOAT:
        bytes = t->align = t->bits / 8u;
        break;
    case SPIRV_T_VECTOR:
    case SPIRV_T_MATRIX:
    case SPIRV_T_ARRAY:
        t->align = e->align;
        bytes = t->count * (t->stride ? t->stride : round_up(e->bytes, e->align));
        break;
    case SPIRV_T_STRUCT:
        bytes = struct_size(l, id, t, &t->align);
        break;
    default:
        break;
    }
    t->bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

uint64_t spirv_natural_size(struct spirv_lifter *l, uint32_t type, uint32_t *align)
{
    const struct spirv_type *t = spirv_type(l, type);
    *align = t->align;
    return t->bytes;
}

uint64_t spirv_member_offset(struct spirv_lifter *l, uint32_t type, uint32_t member)
{
    const struct spirv_type *t = spirv_type(l, type);
    uint64_t size = 0;
    uint32_t own = spirv_decorated(l->m, type, member, SpvDecorationOffset, SPIRV_NONE), align = 1;
    if (own != SPIRV_NONE)
        return own;
    for (uint32_t i = 0; i <= member && i < t->count; i++) {
        uint64_t bytes = spirv_natural_size(l, t->member[i], &align);
        size = round_up(size, align);
        if (i == member)
            return size;
        size += bytes;
    }
    return size;
}

uint64_t spirv_array_stride(struct spirv_lifter *l, uint32_t type)
{
    const struct spirv_type *t = spirv_type(l, type);
    uint32_t align = 1;
    if (t->stride)
        return t->stride;
    uint64_t size = spirv_natural_size(l, t->elem, &align);
    return round_up(size, align);
}
