/* lift_pointer.c - pointers as values: what is kept in a variable or a buffer, chosen at run time, compared or made of
 * a number.
 *
 * Such a pointer is a number of 64 bits, and null is 0. Into a buffer it is a flat address (ir/io.h), which accesses of
 * a space of kind BUS take, so that it may lead into any buffer; an array of buffers has its elements 4 GiB apart. Into
 * workgroup memory it is WORKGROUP and the byte there. Pointers of which the buffer is known never take this form:
 * struct spirv_pointer has all of them but one number of 32 bits. */
#include "isa/spirv/lift_io.h"

#define WORKGROUP (UINT64_C(1) << 32)

bool spirv_is_flat(const struct spirv_lifter *l, const struct spirv_pointer *p)
{
    return p->place == SPIRV_MEMORY && l->space_flat == p->space + 1u;
}

uint32_t spirv_shared_space(struct spirv_lifter *l)
{
    if (!l->space_shared)
        l->space_shared = 1 + ir_add_space(l->b.p, (struct ir_space){.name = "workgroup", .kind = IR_SPACE_SHARED});
    return l->space_shared - 1;
}

uint32_t spirv_flat_space(struct spirv_lifter *l)
{
    if (!l->space_flat)
        l->space_flat = 1 + ir_add_space(l->b.p, (struct ir_space){.name = "memory", .kind = IR_SPACE_BUS});
    return l->space_flat - 1;
}

/* ---- numbers of pointers ---- */

static uint64_t first_address(const struct ir_space *space)
{
    return space->kind == IR_SPACE_CONST    ? IR_CONSTANT_ADDRESS((uint64_t)space->slot)
           : space->kind == IR_SPACE_GLOBAL ? IR_STORAGE_ADDRESS((uint64_t)space->slot)
                                            : WORKGROUP;
}

ir_value spirv_address_of(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic)
{
    if (p->place != SPIRV_MEMORY) {
        spirv_wrong(l, "a pointer of this storage class that is a value, chosen at run time, is not executed");
        return 0;
    }
    if (spirv_is_flat(l, p))
        return p->offset ? spirv_2(l, IR_ADD, dynamic, spirv_const(l, IR_I64, (uint64_t)p->offset)) : dynamic;
    uint64_t first = first_address(&l->b.p->spaces[p->space]);
    if (!p->dynamic)
        return spirv_const(l, IR_I64, first + (uint64_t)p->offset);
    ir_value at = p->offset ? spirv_2(l, IR_ADD, dynamic, spirv_i32(l, (uint32_t)p->offset)) : dynamic;
    return spirv_2(l, IR_ADD, spirv_cvt(l, IR_ZEXT, IR_I64, at), spirv_const(l, IR_I64, first));
}

const struct spirv_pointer *spirv_pointer_at(struct spirv_lifter *l, uint32_t type, ir_value v, ir_value *dynamic)
{
    const struct spirv_type *t = spirv_type(l, type);
    struct spirv_pointer *p = ARENA_NEW(l->arena, struct spirv_pointer);
    if (!p)
        return NULL;
    bool shared = t->storage == SpvStorageClassWorkgroup;
    *p = (struct spirv_pointer){.place = SPIRV_MEMORY, .type = t->elem, .dynamic = true};
    p->space = (uint16_t)(shared ? spirv_shared_space(l) : spirv_flat_space(l));
    *dynamic = shared ? spirv_cvt(l, IR_TRUNC, IR_I32, v) : v;
    return p;
}

bool spirv_chosen_buffer(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t type, ir_value *chosen)
{
    struct spirv_pointer first = *p;
    first.dynamic = false;
    if (!spirv_buffer_pointer(l, &first, p->index, type))
        return false;
    ir_value distance = spirv_2(l, IR_SHL, spirv_cvt(l, IR_ZEXT, IR_I64, *chosen), spirv_i32(l, 32));
    *chosen = spirv_2(l, IR_ADD, spirv_address_of(l, &first, 0), distance);
    *p = first;
    p->dynamic = true;
    p->space = (uint16_t)spirv_flat_space(l);
    return true;
}

/* ---- comparing ---- */

uint64_t spirv_pointer_stride(struct spirv_lifter *l, uint32_t id)
{
    uint32_t align, def = l->m->def[id];
    const struct spirv_type *t = def == SPIRV_NONE ? NULL : spirv_type(l, spirv_words(l->m, def)[1]);
    if (!t || t->kind != SPIRV_T_POINTER)
        return 0;
    uint32_t stride = spirv_decorated(l->m, t->w[1], SPIRV_NONE, SpvDecorationArrayStride, 0);
    if (stride || t->storage != SpvStorageClassWorkgroup)
        return stride;
    uint64_t bytes = spirv_natural_size(l, t->elem, &align);
    return (bytes + align - 1) / align * align;
}

static bool both(struct spirv_lifter *l, const uint32_t *w, ir_value *v)
{
    for (unsigned k = 0; k < 2; k++)
        if (!(v[k] = spirv_use_one(l, w[3 + k], IR_I64)))
            return false;
    return true;
}

void spirv_lift_pointer_equal(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value v[2];
    if (!both(l, w, v))
        return;
    ir_value same = spirv_2(l, l->meaning->op ? IR_NE : IR_EQ, v[0], v[1]);
    spirv_result(l, &same, 1);
}

/* ---- distances ---- */

/* The instruction that makes an id; NULL: none does. */
static const uint32_t *maker_of(const struct spirv_lifter *l, uint32_t id)
{
    uint32_t def = l->m->def[id];
    return def == SPIRV_NONE ? NULL : spirv_words(l->m, def);
}

/* The stride of the array that an access chain's last number, word n - 1, counts in; 0: it counts in something else. */
static uint64_t chain_stride(struct spirv_lifter *l, const uint32_t *w, unsigned first, unsigned n)
{
    const uint32_t *base = maker_of(l, w[3]);
    uint32_t at = base ? spirv_type(l, base[1])->elem : 0, container = 0;
    for (unsigned i = first; i < n && at; i++) {
        uint64_t index = 0;
        uint32_t before;
        container = at;
        const struct spirv_type *t = spirv_type(l, at);
        if (t->kind == SPIRV_T_STRUCT && (!spirv_constant(l, w[i], &index) || index > UINT32_MAX))
            return 0;
        if (t->kind == SPIRV_T_RUNTIME_ARRAY)
            at = t->elem;
        else if (!spirv_part(l, at, (uint32_t)index, &at, &before))
            return 0;
    }
    unsigned kind = container ? spirv_type(l, container)->kind : SPIRV_T_NONE;
    return kind == SPIRV_T_ARRAY || kind == SPIRV_T_RUNTIME_ARRAY ? spirv_array_stride(l, container) : 0;
}

/* What was looked at: each value once, since those of a loop are made of one another. */
struct seen {
    uint32_t id[64];
    unsigned n;
    bool full; /* there were more */
};

static bool is_new(struct seen *s, uint32_t id)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->id[i] == id)
            return false;
    s->full = s->n == sizeof s->id / sizeof s->id[0];
    if (!s->full)
        s->id[s->n++] = id;
    return !s->full;
}

/* The stride of the array that a pointer leads into, as far as the instructions tell that make it. */
static uint64_t array_of(struct spirv_lifter *l, uint32_t id, struct seen *seen)
{
    const uint32_t *w = is_new(seen, id) ? maker_of(l, id) : NULL;
    unsigned n = w ? w[0] >> 16 : 0;
    uint64_t stride = 0;
    const struct spirv_meaning *m = w ? spirv_meaning_of(w[0] & 0xffff) : NULL;
    if (!m)
        return 0;
    if (m->lift == spirv_lift_chain || m->lift == spirv_lift_pointer_chain) {
        unsigned first = m->lift == spirv_lift_chain ? 4 : 5; /* of the indices into what it points to */
        return n > first ? chain_stride(l, w, first, n) : array_of(l, w[3], seen);
    }
    if (m->lift == spirv_lift_copy)
        return array_of(l, w[3], seen);
    unsigned i = m->lift == spirv_lift_select ? 4 : m->lift == spirv_lift_phi ? 3 : n;
    for (unsigned step = m->lift == spirv_lift_phi ? 2 : 1; i < n && !stride; i += step)
        stride = array_of(l, w[i], seen);
    return stride;
}

/* From one element of an array to the next: what the pointers' type says, else what makes them, else the size. 0 when
 * nobody knows. */
static uint64_t distance_unit(struct spirv_lifter *l, const uint32_t *w)
{
    uint64_t stride = spirv_pointer_stride(l, w[3]);
    uint32_t align = 1;
    struct seen seen = {.n = 0};
    for (unsigned k = 3; k < 5 && !stride; k++)
        stride = array_of(l, w[k], &seen);
    if (!stride && seen.full)
        return 0;
    const uint32_t *maker = maker_of(l, w[3]);
    const struct spirv_type *t = maker ? spirv_type(l, maker[1]) : NULL;
    return stride || !t || t->kind != SPIRV_T_POINTER ? stride : spirv_natural_size(l, t->elem, &align);
}

/* How many things of the pointers' type are between them. */
void spirv_lift_pointer_diff(struct spirv_lifter *l, const uint32_t *w)
{
    ir_value v[2];
    uint64_t stride = distance_unit(l, w);
    const struct spirv_type *t = spirv_type(l, w[1]);
    if (!stride || t->kind != SPIRV_T_INT) {
        spirv_wrong(l, "a distance of pointers needs an ArrayStride, which weft looks for in 64 instructions at most");
        return;
    }
    if (!both(l, w, v))
        return;
    ir_value d = spirv_2(l, IR_DIV_S, spirv_2(l, IR_SUB, v[0], v[1]), spirv_const(l, IR_I64, stride));
    d = t->bits < 64 ? spirv_cvt(l, IR_TRUNC, (enum ir_type)t->ir, d) : d;
    spirv_result(l, &d, 1);
}

/* ---- the length of a buffer ---- */

static ir_value bytes_of(struct spirv_lifter *l, uint32_t space)
{
    struct ir_image image = {.binding = IR_IMAGE_SPACE, .image = (uint16_t)space, .dim = IR_TEX_BUFFER};
    return ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, image, NULL, 0);
}

/* How many buffers a variable is; 0: none. */
static uint32_t buffers_of(struct spirv_lifter *l, const struct spirv_variable *v)
{
    if (!v || (v->storage != SpvStorageClassStorageBuffer && v->storage != SpvStorageClassUniform))
        return 0;
    const struct spirv_type *t = spirv_type(l, v->type);
    uint64_t n = 1;
    for (; t->kind == SPIRV_T_ARRAY; t = spirv_type(l, t->elem))
        n = n * t->count > 64 ? 64 : n * t->count;
    return t->kind == SPIRV_T_STRUCT ? (uint32_t)n : 0;
}

/* That of the buffer that a flat address leads into: one of those that the module has. */
static ir_value chosen_bytes(struct spirv_lifter *l, ir_value address)
{
    ir_value bytes = spirv_i32(l, 0), number = spirv_cvt(l, IR_HI32, IR_I32, address);
    for (uint32_t id = 1; id < l->m->bound && !l->failed; id++) {
        const struct spirv_variable *v = l->variables[id];
        for (uint32_t i = 0, n = buffers_of(l, v); i < n && !l->failed; i++) {
            struct spirv_pointer p = {.var = id};
            const struct spirv_type *t = spirv_type(l, v->type);
            uint32_t type = v->type;
            for (; t->kind == SPIRV_T_ARRAY; t = spirv_type(l, type))
                type = t->elem;
            if (!spirv_buffer_pointer(l, &p, i, type))
                return 0;
            ir_value its = spirv_i32(l, (uint32_t)(first_address(&l->b.p->spaces[p.space]) >> 32));
            bytes = spirv_select(l, spirv_2(l, IR_EQ, number, its), bytes_of(l, p.space), bytes);
        }
    }
    return bytes;
}

/* The buffer's bytes after the member's offset, in elements. */
void spirv_lift_array_length(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_pointer p;
    ir_value dynamic;
    if (!spirv_pointer_of(l, w[3], &p, &dynamic))
        return;
    const struct spirv_type *t = spirv_type(l, p.type);
    if (p.place != SPIRV_MEMORY || t->kind != SPIRV_T_STRUCT || w[4] >= t->count) {
        spirv_wrong(l, "it asks for the length of what is not an array at the end of a buffer");
        return;
    }
    bool flat = spirv_is_flat(l, &p);
    ir_value rest = flat ? chosen_bytes(l, dynamic) : bytes_of(l, p.space);
    if (!rest)
        return;
    uint32_t offset = (uint32_t)(p.offset + (int64_t)spirv_member_offset(l, p.type, w[4]));
    uint64_t stride = spirv_array_stride(l, t->member[w[4]]);
    rest = ir_op2(&l->b, IR_SUB_SATU, 0, rest, spirv_i32(l, offset));
    if (p.dynamic)
        rest = ir_op2(&l->b, IR_SUB_SATU, 0, rest, flat ? spirv_cvt(l, IR_LO32, IR_I32, dynamic) : dynamic);
    ir_value length = spirv_2(l, IR_DIV_U, rest, spirv_i32(l, stride ? (uint32_t)stride : 1));
    spirv_result(l, &length, 1);
}
