/* lift_variable.c - variables: registers, spaces of memory, and resources. */
#include "isa/spirv/lift_io.h"

#include <string.h>

struct spirv_variable *spirv_variable_of(struct spirv_lifter *l, uint32_t id)
{
    return l->variables[id];
}

/* ---- making them ---- */

static bool is_interface(uint32_t storage)
{
    return storage == SpvStorageClassInput || storage == SpvStorageClassOutput;
}

static void take_shared(struct spirv_lifter *l, struct spirv_variable *v)
{
    uint32_t align;
    uint64_t size = spirv_natural_size(l, v->type, &align);
    bool block = spirv_decoration_of(l->m, v->type, SPIRV_NONE, SpvDecorationBlock) != NULL;
    v->space = spirv_shared_space(l);
    struct ir_space *space = &l->b.p->spaces[v->space];
    v->offset = block ? 0 : (l->shared_bytes + 15) / 16 * 16;
    if (v->offset + size > (1 << 20))
        spirv_wrong(l, "more than 1 MiB of workgroup memory");
    if (v->offset + size > l->shared_bytes)
        l->shared_bytes = v->offset + size;
    space->size = (l->shared_bytes + 15) / 16 * 16;
}

void spirv_lift_global(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_type *t = spirv_type(l, w[1]);
    struct spirv_variable *v = ARENA_NEW(l->arena, struct spirv_variable);
    if (!v || l->failed)
        return;
    if (t->kind != SPIRV_T_POINTER) {
        spirv_wrong(l, "the type of a variable is not a pointer");
        return;
    }
    *v = (struct spirv_variable){.type = t->elem, .storage = w[3], .element = SPIRV_NONE,
                                 .initial = l->nw > 4 ? w[4] : 0, .id = w[2]};
    l->variables[w[2]] = v;
    if (v->storage == SpvStorageClassWorkgroup)
        take_shared(l, v);
}

/* What the source calls a variable: its name, or that of the debug information. */
static void name_registers(struct spirv_lifter *l, const struct spirv_variable *v)
{
    const struct spirv_type *t = spirv_type(l, v->type);
    const char *name = l->m->names[v->id];
    if ((!name || !*name) && l->m->debug_names)
        name = l->m->debug_names[v->id];
    if (name && *name && t->elements)
        ir_add_variable(l->b.p, (struct ir_variable){.name = name, .first = v->element, .count = t->elements,
                                                     .file = (uint16_t)l->file_v,
                                                     .vector = t->kind == SPIRV_T_VECTOR && t->count == t->elements});
}

/* Registers at the first use. */
static bool take_registers(struct spirv_lifter *l, struct spirv_variable *v)
{
    const struct spirv_type *t = spirv_type(l, v->type);
    if (v->element != SPIRV_NONE)
        return true;
    if (!t->elements && !t->empty) {
        spirv_wrong(l, "%s is of a type that is not executed in this storage class",
                    spirv_name(l->m, l->arena, v->id));
        return false;
    }
    v->table = spirv_is_table(l, v->id) && spirv_table(l, v->id);
    if (!v->table) {
        v->element = spirv_take_elements(l, t->elements);
        name_registers(l, v);
        return !l->failed;
    }
    if (!l->table_elements)
        l->file_t = ir_add_file(l->b.p, (struct ir_file){.name = "t", .bits = 32, .count = 1, .uniform = true});
    v->element = l->table_elements;
    l->table_elements += t->elements;
    if (l->table_elements > SPIRV_MOST_ELEMENTS)
        spirv_wrong(l, "the constant tables need more than %d registers", SPIRV_MOST_ELEMENTS);
    return !l->failed;
}

/* ---- resources ---- */

uint32_t spirv_resource_number(struct spirv_lifter *l, uint32_t var, uint32_t kind, uint32_t index)
{
    uint32_t set = spirv_decorated(l->m, var, SPIRV_NONE, SpvDecorationDescriptorSet, 0);
    uint32_t binding = spirv_decorated(l->m, var, SPIRV_NONE, SpvDecorationBinding, 0);
    return spirv_bound_number(&l->link, kind, set, binding) + index;
}

static bool is_storage(const struct spirv_lifter *l, const struct spirv_variable *v, uint32_t type)
{
    return v->storage == SpvStorageClassStorageBuffer ||
           spirv_decoration_of(l->m, type, SPIRV_NONE, SpvDecorationBufferBlock) != NULL;
}

enum { MOST_SPACES = 64 }; /* the engines' limit */

/* The space of a buffer, made once. */
static bool space_of(struct spirv_lifter *l, enum ir_space_kind kind, uint32_t slot, const char *name, uint16_t *out)
{
    struct ir_program *p = l->b.p;
    uint32_t i = 0;
    while (i < p->nspaces && !(p->spaces[i].kind == kind && p->spaces[i].slot == slot))
        i++;
    if (i == p->nspaces) {
        unsigned most = kind == IR_SPACE_CONST ? 32 : 64;
        if (slot >= most)
            spirv_wrong(l, "%s %u: there are %u of them; a linkage line gives each another number", name, slot, most);
        else if (i >= MOST_SPACES)
            spirv_wrong(l, "%s %u: a program has %d buffers at most", name, slot, MOST_SPACES);
        if (l->failed)
            return false;
        ir_add_space(p, (struct ir_space){.name = arena_printf(p->arena, "%s%u", name, slot),
                                          .kind = (uint8_t)kind,
                                          .slot = (uint16_t)slot});
    }
    *out = (uint16_t)i;
    return true;
}

bool spirv_buffer_pointer(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t index, uint32_t type)
{
    struct spirv_variable *v = l->variables[p->var];
    p->place = SPIRV_MEMORY;
    p->type = type;
    p->offset = 0;
    if (v->storage == SpvStorageClassPushConstant)
        return space_of(l, IR_SPACE_CONST, l->link.push, "push", &p->space);
    if (is_storage(l, v, type))
        return space_of(l, IR_SPACE_GLOBAL, spirv_resource_number(l, p->var, SPIRV_STORAGE, index), "storage",
                        &p->space);
    return space_of(l, IR_SPACE_CONST, spirv_resource_number(l, p->var, SPIRV_UNIFORM, index), "uniform", &p->space);
}

/* ---- pointers to them ---- */

bool spirv_variable_pointer(struct spirv_lifter *l, uint32_t id, struct spirv_pointer *p)
{
    struct spirv_variable *v = l->variables[id];
    *p = (struct spirv_pointer){.type = v->type, .var = id};
    const struct spirv_type *t = spirv_type(l, v->type);
    bool array = t->kind == SPIRV_T_ARRAY || t->kind == SPIRV_T_RUNTIME_ARRAY;
    switch (v->storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
        if (is_interface(v->storage) && spirv_in_slots(l, v))
            return spirv_slots_pointer(l, v, p);
        if (!take_registers(l, v))
            return false;
        if (is_interface(v->storage) && !v->known && !spirv_open_interface(l, v))
            return false;
        p->place = SPIRV_REGISTERS;
        p->element = v->element;
        p->table = v->table;
        return true;
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPushConstant:
        if (array) {
            p->place = SPIRV_RESOURCE;
            return true;
        }
        return spirv_buffer_pointer(l, p, 0, v->type);
    case SpvStorageClassWorkgroup:
        p->place = SPIRV_MEMORY;
        p->space = (uint16_t)v->space;
        p->offset = (int64_t)v->offset;
        return true;
    case SpvStorageClassUniformConstant:
        p->place = SPIRV_RESOURCE;
        return true;
    default:
        spirv_wrong(l, "the storage class %s is not executed", spirv_enumerant_of("StorageClass", v->storage));
        return false;
    }
}

/* ---- what they begin with ---- */

void spirv_set_initial(struct spirv_lifter *l, uint32_t id)
{
    struct spirv_variable *v = spirv_variable_of(l, id);
    struct spirv_pointer p;
    uint32_t n;
    if (!v->initial || !spirv_variable_pointer(l, id, &p) || v->table)
        return;
    const ir_value *value = spirv_use(l, v->initial, &n);
    if (value && n == spirv_type(l, v->type)->scalars)
        spirv_store_to(l, &p, 0, value);
}

static void write_table(struct spirv_lifter *l, const struct spirv_variable *v)
{
    const ir_value *scalar = spirv_table(l, v->id);
    const uint8_t *leaf = spirv_leaves(l, v->type);
    uint32_t element = v->element;
    for (uint32_t i = 0; scalar && leaf && i < spirv_type(l, v->type)->scalars; i++) {
        ir_value word = leaf[i] == IR_I1 ? spirv_cvt(l, IR_SEXT, IR_I32, scalar[i]) : scalar[i];
        ir_set(&l->b, l->file_t, element, word, 0);
        element += ir_type_bits((enum ir_type)leaf[i]) == 64 ? 2 : 1;
    }
}

static void write_tables(struct spirv_lifter *l)
{
    for (uint32_t id = 1; id < l->m->bound && l->table_elements; id++)
        if (l->variables[id] && l->variables[id]->table)
            write_table(l, l->variables[id]);
}

void spirv_initialise(struct spirv_lifter *l)
{
    write_tables(l);
    for (uint32_t i = 0; i < l->m->ninsns && l->m->insns[i].op != SpvOpFunction && !l->failed; i++) {
        if (l->m->insns[i].op != SpvOpVariable)
            continue;
        spirv_begin_insn(l, i);
        struct spirv_variable *v = spirv_variable_of(l, l->w[2]);
        if (v && is_interface(v->storage) && spirv_in_slots(l, v))
            spirv_set_initial(l, l->w[2]);
        if (!v || v->element == SPIRV_NONE)
            continue; /* nobody uses it */
        if (v->storage == SpvStorageClassInput)
            spirv_read_inputs(l, v);
        else
            spirv_set_initial(l, l->w[2]);
    }
}
