/* layout.c - where the scalars of a data type are in memory.
 *
 * The rules are those of Vulkan's "Offset and Stride Assignment" and of OpenGL 4.6, 7.6.2.2 (std140, std430). OFFSET,
 * STRIDE, ARRAY_STRIDE and MATRIX_STRIDE say what they say. The scalar rule (VK_EXT_scalar_block_layout) aligns
 * everything to its scalars and pads nothing. A structure has at least one member and knows its alignment, so that
 * placing a type takes time in proportion to its scalars. */
#include "script/script.h"

/* What follows may start at `size`, or later where its own alignment says so. */
struct extent {
    uint64_t size;
    uint32_t align;
};

struct builder {
    struct arena *a;
    enum script_rule rule;
    struct script_leaf *leaves;
    size_t count, cap;
    const char *why; /* not NULL: failed */
};

static uint64_t round_up(uint64_t n, uint32_t align)
{
    return (n + align - 1) / align * align;
}

static uint32_t max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool too_large(struct builder *b, uint64_t size)
{
    if (!b->why && size > SCRIPT_MAX_BYTES)
        b->why = "the type is larger than a buffer may be";
    return b->why != NULL;
}

static void add_leaf(struct builder *b, uint64_t offset, enum script_scalar s)
{
    if (too_large(b, offset))
        return;
    if (b->count == SCRIPT_MAX_LEAVES) {
        b->why = "the type has too many values";
        return;
    }
    struct script_leaf *leaves = arena_grow(b->a, b->leaves, sizeof *leaves, b->count, &b->cap, b->count + 1);
    if (!leaves) {
        b->why = "there is no memory for its layout";
        return;
    }
    b->leaves = leaves;
    leaves[b->count++] = (struct script_leaf){(uint32_t)offset, s};
}

/* A vector of n scalars of `bytes` each. */
static struct extent vector_extent(enum script_rule rule, unsigned n, unsigned bytes)
{
    if (rule == SCRIPT_SCALAR)
        return (struct extent){(uint64_t)n * bytes, bytes};
    return (struct extent){(uint64_t)n * bytes, (n == 3 ? 4 : n) * bytes};
}

/* ---- alignment ---- */

static bool components_alike(const struct script_format *f)
{
    for (unsigned i = 1; i < f->components; i++)
        if (f->bits[i] != f->bits[0])
            return false;
    return true;
}

static uint32_t format_align(enum script_rule rule, const struct script_format *f)
{
    if (f->packed)
        return f->bytes;
    return components_alike(f) ? vector_extent(rule, f->components, f->bits[0] / 8u).align : 1;
}

static uint32_t number_align(enum script_rule rule, const struct script_type *t, bool row_major)
{
    unsigned length = row_major && t->columns > 1 ? t->columns : t->rows;
    uint32_t align = vector_extent(rule, length, script_scalar_bytes(t->scalar)).align;
    return t->columns > 1 && rule == SCRIPT_STD140 ? max32(align, 16) : align;
}

static uint32_t type_align(enum script_rule rule, const struct script_type *t, bool row_major)
{
    uint32_t align = t->kind == SCRIPT_NUMBER   ? number_align(rule, t, row_major)
                     : t->kind == SCRIPT_FORMAT ? format_align(rule, t->format)
                                                : t->members->align[rule];
    return t->array && rule == SCRIPT_STD140 ? max32(align, 16) : align;
}

void script_struct_align(struct script_struct *s)
{
    s->nesting = 1;
    for (int rule = 0; rule < 3; rule++) {
        s->align[rule] = rule == SCRIPT_STD140 ? 16 : 1;
        for (uint32_t i = 0; i < s->nmembers; i++)
            s->align[rule] =
                max32(s->align[rule], type_align((enum script_rule)rule, &s->members[i].type, s->members[i].row_major));
    }
    for (uint32_t i = 0; i < s->nmembers; i++)
        if (s->members[i].type.kind == SCRIPT_STRUCT)
            s->nesting = max32(s->nesting, s->members[i].type.members->nesting + 1);
}

/* ---- placing: each function returns how many bytes it takes from `at` on ---- */

static uint64_t place_type(struct builder *b, const struct script_type *t, uint64_t at, const struct script_member *m);

static void place_vector(struct builder *b, const struct script_type *t, uint64_t at)
{
    for (unsigned r = 0; r < t->rows; r++)
        add_leaf(b, at + r * script_scalar_bytes(t->scalar), t->scalar);
}

/* From a column (or row) of a matrix to the next: matrices are arrays of vectors. */
static uint32_t matrix_stride(enum script_rule rule, unsigned length, unsigned bytes, uint32_t given)
{
    struct extent e = vector_extent(rule, length, bytes);
    uint32_t align = rule == SCRIPT_STD140 ? max32(e.align, 16) : e.align;
    return given ? given : (uint32_t)round_up(e.size, align);
}

static uint64_t place_number(struct builder *b, const struct script_type *t, uint64_t at, const struct script_member *m)
{
    unsigned bytes = script_scalar_bytes(t->scalar);
    if (t->columns == 1) {
        place_vector(b, t, at);
        return (uint64_t)t->rows * bytes;
    }
    bool row_major = m && m->row_major;
    unsigned vectors = row_major ? t->rows : t->columns, length = row_major ? t->columns : t->rows;
    uint32_t stride = matrix_stride(b->rule, length, bytes, m ? m->matrix_stride : 0);
    for (unsigned c = 0; c < t->columns; c++)
        for (unsigned r = 0; r < t->rows; r++)
            add_leaf(b, at + (uint64_t)stride * (row_major ? r : c) + bytes * (row_major ? c : r), t->scalar);
    return (uint64_t)stride * vectors;
}

static enum script_scalar unsigned_of(unsigned bytes)
{
    return bytes == 1 ? SCRIPT_UINT8 : bytes == 2 ? SCRIPT_UINT16 : bytes <= 4 ? SCRIPT_UINT32 : SCRIPT_UINT64;
}

/* What holds a component's raw bits: SNORM, SSCALED and SINT are signed, SFLOAT floats. */
static enum script_scalar component_scalar(unsigned bits, enum script_mode mode)
{
    static const enum script_scalar is_signed[] = {SCRIPT_INT8, SCRIPT_INT16, SCRIPT_INT32, SCRIPT_INT64};
    unsigned size = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    if (mode == SCRIPT_SFLOAT)
        return size == 1 ? SCRIPT_FLOAT16 : size == 2 ? SCRIPT_FLOAT : SCRIPT_DOUBLE;
    if (mode == SCRIPT_SNORM || mode == SCRIPT_SSCALED || mode == SCRIPT_SINT)
        return is_signed[size];
    return unsigned_of(bits / 8);
}

static uint64_t place_format(struct builder *b, const struct script_format *f, uint64_t at)
{
    if (f->packed) {
        add_leaf(b, at, unsigned_of(f->bytes));
        return f->bytes;
    }
    uint64_t end = at;
    for (unsigned i = 0; i < f->components; i++) {
        add_leaf(b, end, component_scalar(f->bits[i], f->mode[i]));
        end += f->bits[i] / 8;
    }
    return end - at;
}

static uint64_t place_struct(struct builder *b, const struct script_struct *s, uint64_t at)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < s->nmembers && !b->why; i++) {
        const struct script_member *m = &s->members[i];
        uint64_t offset = m->offset;
        if (m->offset == SCRIPT_NO_OFFSET)
            offset = round_up(end, type_align(b->rule, &m->type, m->row_major));
        if (!too_large(b, at + offset))
            end = offset + place_type(b, &m->type, at + offset, m);
    }
    return s->stride ? s->stride : b->rule == SCRIPT_SCALAR ? end : round_up(end, s->align[b->rule]);
}

static uint64_t place_element(struct builder *b, const struct script_type *t, uint64_t at,
                              const struct script_member *m)
{
    switch (t->kind) {
    case SCRIPT_NUMBER:
        return place_number(b, t, at, m);
    case SCRIPT_FORMAT:
        return place_format(b, t->format, at);
    case SCRIPT_STRUCT:
        return place_struct(b, t->members, at);
    }
    return 0;
}

/* `m` is the member that has the type, or NULL for the type of a buffer. */
static uint64_t place_type(struct builder *b, const struct script_type *t, uint64_t at, const struct script_member *m)
{
    uint64_t size = place_element(b, t, at, m);
    if (!t->array)
        return size;
    uint64_t stride = round_up(size, type_align(b->rule, t, m && m->row_major));
    if (m && m->array_stride)
        stride = m->array_stride;
    uint64_t count = t->count ? t->count : 1;
    if (too_large(b, stride) || too_large(b, stride * count))
        return size;
    for (uint64_t i = 1; i < count && !b->why; i++)
        place_element(b, t, at + i * stride, m);
    return stride * count;
}

static uint32_t components_of(const struct script_type *t)
{
    return t->kind == SCRIPT_NUMBER   ? t->rows
           : t->kind == SCRIPT_STRUCT ? 0
           : t->format->packed        ? 1
                                      : t->format->components;
}

bool script_layout(struct arena *a, const struct script_type *type, enum script_rule rule, struct script_layout *out,
                   const char **why)
{
    struct builder b = {.a = a, .rule = rule};
    uint64_t taken = place_type(&b, type, 0, NULL);
    *out = (struct script_layout){.align = type_align(rule, type, false),
                                  .nleaves = (uint32_t)b.count,
                                  .leaves = b.leaves,
                                  .components = components_of(type)};
    for (size_t i = 0; i < b.count; i++) {
        uint64_t end = (uint64_t)b.leaves[i].offset + script_scalar_bytes(b.leaves[i].scalar);
        out->size = end > out->size ? end : out->size;
    }
    out->stride = taken > out->size ? taken : out->size;
    bool exact = rule == SCRIPT_SCALAR || (type->kind == SCRIPT_STRUCT && type->members->stride);
    if (!exact)
        out->stride = round_up(out->stride, out->align);
    too_large(&b, out->stride);
    *why = b.why;
    return !b.why;
}
