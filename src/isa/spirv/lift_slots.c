/* lift_slots.c - inputs of geometry and tessellation programs and outputs of tessellation control programs, which are
 * in memory that ir/io.h describes: 16 bytes to a slot, and for each vertex as many slots as the program has.
 *
 * Slots of locations follow each other (spirv_open_stage), so that an index chosen at run time is an address. */
#include "isa/spirv/lift_io.h"

enum { SLOT_BYTES = 16 };

static bool is_output(const struct spirv_lifter *l, const struct spirv_pointer *p)
{
    return l->variables[p->var]->storage == SpvStorageClassOutput;
}

static uint16_t space_of(struct spirv_lifter *l, enum spirv_stage_space which)
{
    static const char *const names[] = {"vertices", "outputs", "patch"};
    uint32_t *space = &l->stage_space[which];
    if (!*space)
        *space = 1 + ir_add_space(l->b.p, (struct ir_space){
                                              .name = names[which],
                                              .kind = l->stage == IR_GEOMETRY ? IR_SPACE_INPUT : IR_SPACE_SHARED,
                                              .slot = (uint16_t)which});
    return (uint16_t)(*space - 1);
}

/* To its slot. */
static void enter(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t id, uint32_t member, uint32_t builtin)
{
    uint32_t location = spirv_decorated(l->m, id, member, SpvDecorationLocation, SPIRV_NONE);
    uint32_t component = spirv_decorated(l->m, id, member, SpvDecorationComponent, 0);
    p->offset += component * 4;
    if (builtin != SPIRV_NONE) {
        p->element = spirv_builtin_slot(l, builtin, !is_output(l, p));
        p->packed = true;
    } else if (location != SPIRV_NONE) {
        p->element = spirv_location_slot(l, p->var, location);
    }
}

bool spirv_slots_pointer(struct spirv_lifter *l, const struct spirv_variable *v, struct spirv_pointer *p)
{
    bool patch = spirv_of_patch(l, v);
    bool output = v->storage == SpvStorageClassOutput;
    uint32_t builtin = spirv_decorated(l->m, v->id, SPIRV_NONE, SpvDecorationBuiltIn, SPIRV_NONE);
    patch |= builtin == SpvBuiltInTessLevelOuter || builtin == SpvBuiltInTessLevelInner;
    if (!v->known) {
        spirv_wrong(l, "%s is not among the inputs and outputs that the entry point names",
                    spirv_name(l->m, l->arena, v->id));
        return false;
    }
    p->place = SPIRV_SLOTS;
    p->vertex = !patch && spirv_type(l, v->type)->kind == SPIRV_T_ARRAY;
    p->space = space_of(l, patch ? SPIRV_SPACE_PATCH : output ? SPIRV_SPACE_OUT : SPIRV_SPACE_IN);
    p->element = 0;
    enter(l, p, v->id, SPIRV_NONE, builtin);
    return !l->failed;
}

/* Bytes from the beginning to the pointer, without what is chosen at run time. */
static int64_t offset_of(const struct spirv_pointer *p)
{
    return p->offset + (int64_t)p->element * SLOT_BYTES;
}

/* Members follow each other from the variable's location, unless they say another. */
static bool step_member(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t member)
{
    const struct spirv_type *t = spirv_type(l, p->type);
    uint32_t type = p->type;
    for (uint32_t i = 0; i < member; i++) {
        uint32_t location = spirv_decorated(l->m, type, i, SpvDecorationLocation, SPIRV_NONE);
        if (location != SPIRV_NONE)
            p->element = spirv_location_slot(l, p->var, location);
        if (spirv_decoration_of(l->m, type, i, SpvDecorationBuiltIn) == NULL)
            p->element += spirv_locations_of(l, t->member[i]);
    }
    enter(l, p, type, member, spirv_decorated(l->m, type, member, SpvDecorationBuiltIn, SPIRV_NONE));
    p->type = t->member[member];
    return !l->failed;
}

static uint64_t step_bytes(struct spirv_lifter *l, struct spirv_pointer *p, const struct spirv_type *t)
{
    const struct ir_io *io = &l->b.p->io;
    if (p->vertex) {
        p->vertex = false;
        return (uint64_t)(is_output(l, p) ? io->noutputs : io->ninputs) * SLOT_BYTES;
    }
    if (t->kind == SPIRV_T_VECTOR)
        return ir_type_bits((enum ir_type)t->ir) == 64 ? 8 : 4;
    return p->packed ? 4 : (uint64_t)spirv_locations_of(l, t->elem) * SLOT_BYTES;
}

bool spirv_slots_step(struct spirv_lifter *l, struct spirv_pointer *p, uint64_t known, ir_value index,
                      ir_value *dynamic)
{
    const struct spirv_type *t = spirv_type(l, p->type);
    if (t->kind < SPIRV_T_VECTOR || t->kind > SPIRV_T_STRUCT || (t->kind == SPIRV_T_STRUCT && index))
        return false;
    if (!index && known >= t->count)
        return false;
    if (t->kind == SPIRV_T_STRUCT)
        return step_member(l, p, (uint32_t)known);
    uint64_t bytes = step_bytes(l, p, t);
    p->type = t->elem;
    if (!index) {
        p->offset += (int64_t)(known * bytes);
        return true;
    }
    ir_value distance = spirv_2(l, IR_MUL, index, spirv_i32(l, (uint32_t)bytes));
    *dynamic = p->dynamic ? spirv_2(l, IR_ADD, *dynamic, distance) : distance;
    p->dynamic = true;
    return true;
}

/* ---- moving ---- */

/* What a number of a type is in a slot. */
static enum ir_type slot_type(enum ir_type type)
{
    return type == IR_F16 ? IR_F32 : type == IR_I8 || type == IR_I16 ? IR_I32 : type;
}

/* Numbers that follow each other. */
static bool move_run(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value at, uint32_t count, ir_value *v,
                     bool store)
{
    enum ir_type type = (enum ir_type)spirv_type(l, p->type)->ir, in = slot_type(type);
    struct ir_mem mem = {
        .space = p->space, .elem = (uint8_t)in, .count = (uint8_t)count, .align = 4, .offset = offset_of(p)};
    ir_value data[16];
    if (type == IR_I1) {
        spirv_wrong(l, "an input or output that is not made of numbers is not executed");
        return false;
    }
    ir_value first = store ? 0 : ir_load(&l->b, mem, in, at);
    for (uint32_t i = 0; i < count; i++) {
        if (store)
            data[i] = type == in ? v[i] : spirv_cvt(l, in == IR_F32 ? IR_F2F : IR_ZEXT, in, v[i]);
        else
            v[i] = type == in ? first + i : spirv_cvt(l, in == IR_F32 ? IR_F2F : IR_TRUNC, type, first + i);
    }
    if (store)
        ir_store(&l->b, mem, at, data, 0);
    return !arena_failed(l->arena);
}

static bool move(struct spirv_lifter *l, struct spirv_pointer p, ir_value at, ir_value **v, bool store)
{
    const struct spirv_type *t = spirv_type(l, p.type);
    bool vector = t->kind == SPIRV_T_VECTOR;
    if (t->kind <= SPIRV_T_FLOAT || vector) {
        uint32_t count = vector ? t->count : 1;
        bool done = move_run(l, &p, at, count, *v, store);
        *v += count;
        return done;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        struct spirv_pointer q = p;
        if (!spirv_slots_step(l, &q, i, 0, NULL) || !move(l, q, at, v, store))
            return false;
    }
    return true;
}

bool spirv_slots_move(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, ir_value *v, bool store)
{
    if (store && !is_output(l, p)) {
        spirv_wrong(l, "an input is not stored into");
        return false;
    }
    return move(l, *p, p->dynamic ? dynamic : spirv_i32(l, 0), &v, store);
}
