/* lift_memory.c - access chains, loads, stores and copies. */
#include "isa/spirv/lift_io.h"

#include <assert.h>
#include <string.h>

/* ---- access chains ---- */

enum { MOST_RESOURCES = 1024 }; /* that an index counts */

struct chain {
    struct spirv_lifter *l;
    struct spirv_pointer p;
    ir_value dynamic;
};

static ir_value sum(struct spirv_lifter *l, ir_value a, ir_value b)
{
    return a ? spirv_2(l, IR_ADD, a, b) : b;
}

static ir_value scaled(struct spirv_lifter *l, ir_value v, uint64_t by)
{
    return by == 1 ? v : spirv_2(l, IR_MUL, v, spirv_const(l, ir_type_of(&l->b, v), by));
}

/* An index as wide as the addresses of the pointer. */
static ir_value index_for(struct spirv_lifter *l, const struct spirv_pointer *p, uint32_t id)
{
    uint32_t n;
    if (!spirv_is_flat(l, p))
        return spirv_use_index(l, id);
    const ir_value *v = spirv_use(l, id, &n);
    if (v && n == 1 && ir_type_of(&l->b, v[0]) == IR_I64)
        return v[0];
    ir_value narrow = v ? spirv_use_index(l, id) : 0;
    return narrow ? spirv_cvt(l, IR_SEXT, IR_I64, narrow) : 0;
}

static bool wrong_step(struct chain *c)
{
    spirv_wrong(c->l, "an index goes into what has no parts, or not that many");
    return false;
}

/* A step with an index that is known. */
static bool known_registers(struct chain *c, uint64_t index)
{
    uint32_t part, before;
    if (index > UINT32_MAX || !spirv_part_elements(c->l, c->p.type, (uint32_t)index, &part, &before))
        return wrong_step(c);
    c->p.type = part;
    c->p.element += before;
    return true;
}

/* A step with an index that is not. The range is that of all the indices on the way, so that what is outside of an
 * inner array is still inside of the variable. */
static bool dynamic_registers(struct chain *c, ir_value index)
{
    const struct spirv_type *t = spirv_type(c->l, c->p.type);
    if (t->kind < SPIRV_T_VECTOR || t->kind > SPIRV_T_ARRAY)
        return wrong_step(c);
    const struct spirv_type *e = spirv_type(c->l, t->elem);
    if (!c->p.dynamic) {
        c->p.dynamic = true;
        c->p.stride = e->elements;
        c->p.last = t->count - 1;
        c->dynamic = index;
    } else {
        c->dynamic = sum(c->l, scaled(c->l, c->dynamic, c->p.stride), scaled(c->l, index, e->elements));
        c->p.last = c->p.last * c->p.stride + (t->count - 1) * e->elements;
        c->p.stride = 1;
    }
    c->p.type = t->elem;
    return true;
}

static void member_layout(struct chain *c, uint32_t type, uint32_t member)
{
    const struct isa_module *m = c->l->m;
    c->p.row_major = spirv_decoration_of(m, type, member, SpvDecorationRowMajor) != NULL;
    c->p.matrix_stride = spirv_decorated(m, type, member, SpvDecorationMatrixStride, 0);
}

/* Bytes from one part to the next of an array, a matrix or a vector. */
static uint64_t step_bytes(struct chain *c, const struct spirv_type *t)
{
    uint32_t align;
    if (t->kind == SPIRV_T_ARRAY || t->kind == SPIRV_T_RUNTIME_ARRAY)
        return spirv_array_stride(c->l, c->p.type);
    uint64_t scalar = ir_type_bits((enum ir_type)t->ir) / 8;
    if (t->ir == IR_I1)
        scalar = 4;
    if (t->kind == SPIRV_T_VECTOR)
        return c->p.component_stride ? c->p.component_stride : scalar;
    if (c->p.row_major && c->p.matrix_stride) {
        c->p.component_stride = c->p.matrix_stride;
        return scalar;
    }
    return c->p.matrix_stride ? c->p.matrix_stride : spirv_natural_size(c->l, t->elem, &align);
}

static bool step_memory(struct chain *c, uint32_t id)
{
    const struct spirv_type *t = spirv_type(c->l, c->p.type);
    uint64_t index;
    bool known = spirv_constant(c->l, id, &index);
    if (t->kind == SPIRV_T_STRUCT) {
        if (!known || index >= t->count)
            return wrong_step(c);
        c->p.offset += (int64_t)spirv_member_offset(c->l, c->p.type, (uint32_t)index);
        member_layout(c, c->p.type, (uint32_t)index);
        c->p.type = t->member[index];
        return true;
    }
    if (t->kind < SPIRV_T_VECTOR || t->kind > SPIRV_T_RUNTIME_ARRAY)
        return wrong_step(c);
    uint64_t bytes = step_bytes(c, t);
    if (known && index < INT32_MAX) {
        c->p.offset += (int64_t)(index * bytes);
    } else {
        ir_value at = index_for(c->l, &c->p, id);
        if (!at)
            return false;
        c->p.dynamic = true;
        c->dynamic = sum(c->l, c->dynamic, scaled(c->l, at, bytes));
    }
    c->p.type = t->elem;
    return true;
}

/* Of an array of buffers, images or samplers. */
static bool step_resource(struct chain *c, uint32_t id)
{
    const struct spirv_type *t = spirv_type(c->l, c->p.type);
    uint64_t index;
    if (t->kind != SPIRV_T_ARRAY && t->kind != SPIRV_T_RUNTIME_ARRAY)
        return wrong_step(c);
    uint32_t storage = c->l->variables[c->p.var]->storage;
    const struct spirv_type *e = spirv_type(c->l, t->elem);
    uint32_t per = e->kind == SPIRV_T_ARRAY ? e->count : 1;
    if (spirv_constant(c->l, id, &index)) {
        if (index > MOST_RESOURCES)
            return wrong_step(c);
        c->p.index += (uint32_t)index;
    } else {
        ir_value at = spirv_use_index(c->l, id);
        if (!at)
            return false;
        c->dynamic = sum(c->l, c->dynamic, at);
        c->p.dynamic = true;
    }
    c->p.index *= per;
    c->dynamic = c->p.dynamic ? scaled(c->l, c->dynamic, per) : 0;
    if (storage == SpvStorageClassUniformConstant || e->kind != SPIRV_T_STRUCT) {
        c->p.type = t->elem;
        return true;
    }
    return c->p.dynamic ? spirv_chosen_buffer(c->l, &c->p, t->elem, &c->dynamic)
                        : spirv_buffer_pointer(c->l, &c->p, c->p.index, t->elem);
}

static bool step_slots(struct chain *c, uint32_t id)
{
    uint64_t index = 0;
    bool known = spirv_constant(c->l, id, &index);
    ir_value at = known ? 0 : spirv_use_index(c->l, id);
    if (!known && !at)
        return false;
    return spirv_slots_step(c->l, &c->p, index, at, &c->dynamic) || wrong_step(c);
}

static bool step(struct chain *c, uint32_t id)
{
    uint64_t index;
    switch (c->p.place) {
    case SPIRV_MEMORY:
        return step_memory(c, id);
    case SPIRV_RESOURCE:
        return step_resource(c, id);
    case SPIRV_SLOTS:
        return step_slots(c, id);
    default:
        break;
    }
    const struct spirv_type *t = spirv_type(c->l, c->p.type);
    if (spirv_constant(c->l, id, &index) && (t->kind == SPIRV_T_STRUCT || index < t->count))
        return known_registers(c, index);
    ir_value at = spirv_use_index(c->l, id);
    return at && dynamic_registers(c, at);
}

static bool begin_chain(struct spirv_lifter *l, uint32_t id, struct chain *c)
{
    *c = (struct chain){.l = l};
    if (l->variables[id])
        return spirv_variable_pointer(l, id, &c->p);
    const struct spirv_pointer *p = spirv_use_pointer(l, id, &c->dynamic);
    if (p)
        c->p = *p;
    return p != NULL;
}

void spirv_lift_chain(struct spirv_lifter *l, const uint32_t *w)
{
    struct chain c;
    if (!begin_chain(l, w[3], &c))
        return;
    for (unsigned i = 4; i < l->nw; i++)
        if (!step(&c, w[i]))
            return;
    spirv_result_pointer(l, &c.p, c.dynamic);
}

/* OpPtrAccessChain: the first index counts things of the pointer's own type. */
void spirv_lift_pointer_chain(struct spirv_lifter *l, const uint32_t *w)
{
    struct chain c;
    if (!begin_chain(l, w[3], &c))
        return;
    uint64_t stride = spirv_pointer_stride(l, w[3]), zero = 1;
    bool stays = spirv_constant(l, w[4], &zero) && zero == 0;
    if (!stays && (c.p.place != SPIRV_MEMORY || !stride)) {
        spirv_wrong(l, "a pointer that is counted on needs memory and an ArrayStride");
        return;
    }
    ir_value at = stays ? 0 : index_for(l, &c.p, w[4]);
    if (at) {
        c.p.dynamic = true;
        c.dynamic = sum(l, c.dynamic, scaled(l, at, stride));
    }
    for (unsigned i = 5; i < l->nw && !l->failed; i++)
        if (!step(&c, w[i]))
            return;
    spirv_result_pointer(l, &c.p, c.dynamic);
}

/* ---- registers ---- */

static ir_value read_register(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, uint32_t element,
                              enum ir_type type)
{
    enum ir_type part = type == IR_I1 ? IR_I32 : type;
    uint32_t file = p->table ? l->file_t : l->file_v;
    ir_value v;
    if (!p->dynamic) {
        v = ir_get(&l->b, file, element, part);
    } else {
        struct ir_reg reg = {.file = (uint16_t)file, .part = (uint8_t)part, .elem = element,
                             .stride = (int32_t)p->stride, .last = (int32_t)p->last};
        v = ir_get_dyn(&l->b, reg, dynamic, part);
    }
    return type == IR_I1 ? spirv_2(l, IR_NE, v, spirv_i32(l, 0)) : v;
}

static void write_register(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, uint32_t element,
                           ir_value v)
{
    if (ir_type_of(&l->b, v) == IR_I1)
        v = spirv_cvt(l, IR_SEXT, IR_I32, v);
    if (!p->dynamic) {
        ir_set(&l->b, l->file_v, element, v, 0);
        return;
    }
    struct ir_reg reg = {.file = (uint16_t)l->file_v, .part = (uint8_t)ir_type_of(&l->b, v), .elem = element,
                         .stride = (int32_t)p->stride, .last = (int32_t)p->last};
    ir_set_dyn(&l->b, reg, dynamic, v, 0);
}

/* ---- memory ---- */

/* A walk over the scalars of a type in memory, those that follow each other in one access. */
struct move {
    struct spirv_lifter *l;
    ir_value address;
    uint16_t space;
    bool row_major;
    uint32_t matrix_stride;
    ir_value *v;          /* next scalar */
    bool store;
};

static bool move_run(struct move *m, enum ir_type type, uint32_t count, int64_t offset)
{
    enum ir_type elem = type == IR_I1 ? IR_I32 : type;
    struct ir_mem mem = {.space = m->space, .elem = (uint8_t)elem, .count = (uint8_t)count, .offset = offset};
    ir_value data[16];
    if (m->store) {
        for (uint32_t i = 0; i < count; i++)
            data[i] = type == IR_I1 ? spirv_cvt(m->l, IR_SEXT, IR_I32, m->v[i]) : m->v[i];
        ir_store(&m->l->b, mem, m->address, data, 0);
    } else {
        ir_value first = spirv_load(m->l, mem, elem, m->address);
        for (uint32_t i = 0; i < count; i++)
            m->v[i] = type == IR_I1 ? spirv_2(m->l, IR_NE, first + i, spirv_i32(m->l, 0)) : first + i;
    }
    m->v += count;
    return !arena_failed(m->l->arena);
}

static bool move_vector(struct move *m, const struct spirv_type *t, int64_t offset, uint32_t stride)
{
    uint32_t size = t->ir == IR_I1 ? 4 : ir_type_bits((enum ir_type)t->ir) / 8;
    if (!stride || stride == size)
        return move_run(m, (enum ir_type)t->ir, t->count, offset);
    for (uint32_t i = 0; i < t->count; i++)
        if (!move_run(m, (enum ir_type)t->ir, 1, offset + (int64_t)i * stride))
            return false;
    return true;
}

static bool move_type(struct move *m, uint32_t type, int64_t offset, uint32_t component_stride)
{
    struct spirv_lifter *l = m->l;
    const struct spirv_type *t = spirv_type(l, type);
    uint32_t align;
    switch (t->kind) {
    case SPIRV_T_BOOL:
    case SPIRV_T_INT:
    case SPIRV_T_FLOAT:
        return move_run(m, (enum ir_type)t->ir, 1, offset);
    case SPIRV_T_POINTER:
        return move_run(m, IR_I64, 1, offset);
    case SPIRV_T_VECTOR:
        return move_vector(m, t, offset, component_stride);
    case SPIRV_T_MATRIX: {
        uint32_t size = ir_type_bits((enum ir_type)t->ir) / 8;
        bool rows = m->row_major && m->matrix_stride;
        int64_t step = rows               ? size
                       : m->matrix_stride ? m->matrix_stride
                                          : (int64_t)spirv_natural_size(l, t->elem, &align);
        for (uint32_t i = 0; i < t->count; i++)
            if (!move_type(m, t->elem, offset + i * step, rows ? m->matrix_stride : 0))
                return false;
        return true;
    }
    case SPIRV_T_ARRAY:
        for (uint32_t i = 0; i < t->count; i++)
            if (!move_type(m, t->elem, offset + (int64_t)(i * spirv_array_stride(l, type)), 0))
                return false;
        return true;
    default:
        assert(t->kind == SPIRV_T_STRUCT); /* nothing else has scalars, and nothing that has none gets here */
        for (uint32_t i = 0; i < t->count; i++) {
            m->row_major = spirv_decoration_of(l->m, type, i, SpvDecorationRowMajor) != NULL;
            m->matrix_stride = spirv_decorated(l->m, type, i, SpvDecorationMatrixStride, 0);
            if (!move_type(m, t->member[i], offset + (int64_t)spirv_member_offset(l, type, i), 0))
                return false;
        }
        return true;
    }
}

static bool move_memory(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, ir_value *v,
                        bool store)
{
    struct move m = {.l = l,
                     .address = p->dynamic ? dynamic : spirv_i32(l, 0),
                     .space = p->space,
                     .row_major = p->row_major,
                     .matrix_stride = p->matrix_stride,
                     .v = v,
                     .store = store};
    return move_type(&m, p->type, p->offset, p->component_stride);
}

/* ---- loads and stores ---- */

bool spirv_load_from(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, ir_value *v)
{
    const struct spirv_type *t = spirv_type(l, p->type);
    const uint8_t *leaf = spirv_leaves(l, p->type);
    if ((!t->scalars && !t->empty) || !leaf) {
        spirv_wrong(l, "a value of this type is not executed");
        return false;
    }
    if (p->place == SPIRV_MEMORY)
        return move_memory(l, p, dynamic, v, false);
    if (p->place == SPIRV_SLOTS)
        return spirv_slots_move(l, p, dynamic, v, false);
    uint32_t element = p->element;
    for (uint32_t i = 0; i < t->scalars; i++) {
        v[i] = read_register(l, p, dynamic, element, (enum ir_type)leaf[i]);
        element += ir_type_bits((enum ir_type)leaf[i]) == 64 ? 2 : 1;
    }
    return true;
}

void spirv_store_to(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, const ir_value *v)
{
    const struct spirv_type *t = spirv_type(l, p->type);
    const uint8_t *leaf = spirv_leaves(l, p->type);
    if ((!t->scalars && !t->empty) || !leaf) {
        spirv_wrong(l, "a value of this type is not executed");
        return;
    }
    if (p->place == SPIRV_MEMORY) {
        if (l->b.p->spaces[p->space].kind == IR_SPACE_CONST)
            spirv_wrong(l, "a store into a uniform buffer");
        else
            move_memory(l, p, dynamic, (ir_value *)v, true);
        return;
    }
    if (p->place == SPIRV_SLOTS) {
        spirv_slots_move(l, p, dynamic, (ir_value *)v, true);
        return;
    }
    uint32_t element = p->element;
    for (uint32_t i = 0; i < t->scalars; i++) {
        write_register(l, p, dynamic, element, v[i]);
        element += ir_type_bits((enum ir_type)leaf[i]) == 64 ? 2 : 1;
    }
}

/* The pointer that an operand is, a variable's or one of an instruction. */
bool spirv_pointer_of(struct spirv_lifter *l, uint32_t id, struct spirv_pointer *p, ir_value *dynamic)
{
    struct chain c;
    if (!begin_chain(l, id, &c))
        return false;
    *p = c.p;
    *dynamic = c.dynamic;
    return true;
}

static void load_resource(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic)
{
    const struct spirv_type *t = spirv_type(l, p->type);
    struct spirv_opaque o = {0};
    switch (t->kind) {
    case SPIRV_T_SAMPLED_IMAGE:
        o = (struct spirv_opaque){p->var, p->var, p->index, p->index, p->dynamic, p->dynamic, t->elem};
        break;
    case SPIRV_T_IMAGE:
        o = (struct spirv_opaque){
            .image = p->var, .image_index = p->index, .image_chosen = p->dynamic, .type = p->type};
        break;
    case SPIRV_T_SAMPLER:
        o = (struct spirv_opaque){.sampler = p->var, .sampler_index = p->index, .sampler_chosen = p->dynamic};
        break;
    default:
        spirv_wrong(l, "a value of this type is not executed");
        return;
    }
    ir_value none = spirv_i32(l, 0);
    spirv_result_opaque(
        l, &o, (const ir_value[]){o.image_chosen ? dynamic : none, o.sampler_chosen ? dynamic : none});
}

void spirv_lift_load(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_pointer p;
    ir_value dynamic;
    if (!spirv_pointer_of(l, w[3], &p, &dynamic))
        return;
    if (p.place == SPIRV_RESOURCE) {
        load_resource(l, &p, dynamic);
        return;
    }
    uint32_t count = spirv_type(l, p.type)->scalars;
    ir_value *v = spirv_room(l, count);
    if (v && spirv_load_from(l, &p, dynamic, v))
        spirv_result(l, v, count);
}

static bool fits(struct spirv_lifter *l, uint32_t type, const ir_value *v, uint32_t n)
{
    bool same = spirv_fits(l, type, v, n);
    if (!same)
        spirv_wrong(l, "what is stored is of another type than what the pointer leads to");
    return same;
}

void spirv_lift_store(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_pointer p;
    ir_value dynamic;
    uint32_t count;
    const ir_value *v = spirv_use(l, w[2], &count);
    if (!v || !spirv_pointer_of(l, w[1], &p, &dynamic))
        return;
    if (p.place > SPIRV_SLOTS)
        spirv_wrong(l, "nothing can be stored there");
    else if (fits(l, p.type, v, count) && !p.table) /* a table is there from the beginning */
        spirv_store_to(l, &p, dynamic, v);
}

void spirv_lift_copy_memory(struct spirv_lifter *l, const uint32_t *w)
{
    struct spirv_pointer from, to;
    ir_value from_dynamic, to_dynamic;
    if (!spirv_pointer_of(l, w[2], &from, &from_dynamic) || !spirv_pointer_of(l, w[1], &to, &to_dynamic))
        return;
    if (from.place > SPIRV_SLOTS || to.place > SPIRV_SLOTS) {
        spirv_wrong(l, "what is copied is not memory");
        return;
    }
    uint32_t count = spirv_type(l, from.type)->scalars;
    ir_value *v = spirv_room(l, count);
    if (v && spirv_load_from(l, &from, from_dynamic, v) && fits(l, to.type, v, count))
        spirv_store_to(l, &to, to_dynamic, v);
}

void spirv_lift_variable(struct spirv_lifter *l, const uint32_t *w)
{
    if (!l->variables[w[2]])
        spirv_lift_global(l, w);
    if (l->failed || !l->variables[w[2]])
        return;
    l->variables[w[2]]->initial = l->nw > 4 ? w[4] : 0;
    spirv_set_initial(l, w[2]);
}

void spirv_lift_fence(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    ir_emit(&l->b, IR_FENCE, IR_VOID, 0, 0, NULL, 0, 0, 0, 0);
}
