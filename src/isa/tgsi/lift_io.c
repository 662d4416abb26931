/* lift_io.c - declarations and properties: how a program meets the stages around it (document: "Declaration
 * Semantic", "Declaration Interpolate", "Properties"). */
#include "isa/tgsi/access.h"
#include "isa/tgsi/lift.h"

#include <string.h>

/* ---- properties ---- */

static void set_property(struct ir_io *io, const struct tgsi_property *p)
{
    const struct tgsi_property_row *row = &tgsi_property_rows[p->name];
    uint32_t v = p->value[0];
    char *member = (char *)io + row->member;
    switch ((enum tgsi_sets)row->sets) {
    case TGSI_SETS_FLAG:
        *(bool *)member = v != 0;
        break;
    case TGSI_SETS_BYTE:
        *(uint8_t *)member = (uint8_t)(v < UINT8_MAX ? v : UINT8_MAX);
        break;
    case TGSI_SETS_NUMBER:
        *(uint16_t *)member = (uint16_t)(v < UINT16_MAX ? v : UINT16_MAX);
        break;
    case TGSI_SETS_NOTHING:
        break;
    }
}

/* ---- declarations ---- */

/* Components of output registers that some instruction writes. */
static void note_written(struct tgsi_lifter *l, const struct tgsi_operand *dst)
{
    if (dst->file != TGSI_OUTPUT)
        return;
    uint32_t first = (uint32_t)dst->index.value, last = first;
    if (dst->index.indirect)
        tgsi_lift_reach(l, TGSI_OUTPUT, dst->index.array, &first, &last);
    for (uint32_t i = first; i <= last && i < l->file[TGSI_OUTPUT].count; i++)
        l->out_mask[i] |= dst->mask;
}

static struct ir_slot slot_of(const struct tgsi_decl *d, uint32_t reg, uint8_t mask)
{
    const struct tgsi_semantic *semantic = tgsi_semantic_of(d);
    struct ir_slot slot = {.semantic = d->has_semantic ? semantic->ir : (uint8_t)IR_SEM_NONE,
                           .interp = d->interp,
                           .location = d->location,
                           .mask = mask,
                           .cylindrical = d->cylindrical,
                           .index = (uint16_t)(d->semantic_index + (reg - d->first)),
                           .patch = d->has_semantic && semantic->per == TGSI_PER_PATCH,
                           .invariant = d->invariant};
    if (!d->has_semantic)
        slot.index = (uint16_t)reg;
    return slot;
}

static void note_output(struct ir_io *io, const struct ir_slot *slot)
{
    io->writes_depth |= slot->semantic == IR_SEM_POSITION;
    io->writes_stencil |= slot->semantic == IR_SEM_STENCIL;
    io->writes_samplemask |= slot->semantic == IR_SEM_SAMPLEMASK;
}

static void declare_output(struct tgsi_lifter *l, const struct tgsi_decl *d)
{
    for (uint32_t reg = d->first; reg <= d->last; reg++) {
        struct ir_slot slot = slot_of(d, reg, l->out_mask[reg]);
        memcpy(slot.stream, d->stream, sizeof slot.stream);
        if (l->out_slot[reg] != LIFT_NONE)
            continue; /* declared twice: the first one counts */
        l->out_slot[reg] = ir_add_output(l->b.p, slot);
        if (l->m->processor == TGSI_FRAG)
            note_output(&l->b.p->io, &slot);
    }
}

static void declare_address_stack(struct tgsi_lifter *l)
{
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        if (tgsi_lift_row(&l->m->insns[i])->implies != TGSI_IMPLIES_STACK)
            continue;
        l->address_stack =
            ir_add_file(l->b.p, (struct ir_file){.name = "ASTACK", .bits = 32, .count = TGSI_LIFT_ADDRESS_STACK});
        l->address_top = ir_add_file(l->b.p, (struct ir_file){.name = "ATOP", .bits = 32, .count = 1});
        return;
    }
}

static bool make_tables(struct tgsi_lifter *l)
{
    uint32_t outs = l->file[TGSI_OUTPUT].count, svs = l->file[TGSI_SYSTEM_VALUE].count;
    if (svs > TGSI_LIFT_REGISTERS) {
        lift_error_at(&l->lift, (struct span){0, 0}, "too-many-registers", "more than %d SV registers",
                      TGSI_LIFT_REGISTERS);
        return false;
    }
    uint32_t ins = l->file[TGSI_INPUT].count;
    l->out_slot = ARENA_ARRAY(l->arena, uint32_t, outs);
    l->in_slot = ARENA_ARRAY(l->arena, uint32_t, ins);
    l->out_mask = ARENA_ARRAY(l->arena, uint8_t, outs);
    l->sv = ARENA_ARRAY(l->arena, const struct tgsi_decl *, svs);
    if (!l->out_slot || !l->in_slot || !l->out_mask || !l->sv)
        return false;
    for (uint32_t i = 0; i < ins; i++)
        l->in_slot[i] = LIFT_NONE;
    for (uint32_t i = 0; i < outs; i++)
        l->out_slot[i] = LIFT_NONE;
    return true;
}

/* ---- slots that are registers (lift_stage.c) ---- */

/* The declaration of a register. */
static const struct tgsi_decl *register_declaration(const struct tgsi_lifter *l, unsigned file, uint32_t reg)
{
    return tgsi_lift_declaration(l, file, &(struct tgsi_index){.value = (int32_t)reg});
}

/* Inputs in memory: of vertices, and those of a patch that a tessellation evaluation program reads. */
static bool is_memory_input(const struct tgsi_lifter *l, const struct tgsi_decl *d)
{
    return tgsi_has_first_bracket(d) ||
           (l->m->processor == TGSI_TESS_EVAL && tgsi_semantic_of(d)->per == TGSI_PER_PATCH);
}

static void declare_memory_inputs(struct tgsi_lifter *l)
{
    for (uint32_t reg = 0; reg < l->file[TGSI_INPUT].count; reg++) {
        const struct tgsi_decl *d = register_declaration(l, TGSI_INPUT, reg);
        bool memory = d && is_memory_input(l, d);
        l->in_slot[reg] = ir_add_input(l->b.p, memory ? slot_of(d, reg, d->mask) : (struct ir_slot){.mask = 0});
    }
}

static void declare_memory_outputs(struct tgsi_lifter *l)
{
    for (uint32_t reg = 0; reg < l->file[TGSI_OUTPUT].count; reg++) {
        const struct tgsi_decl *d = register_declaration(l, TGSI_OUTPUT, reg);
        struct ir_slot slot = d ? slot_of(d, reg, l->out_mask[reg]) : (struct ir_slot){.mask = 0};
        l->out_slot[reg] = ir_add_output(l->b.p, slot);
    }
}

static void declare_stage(struct tgsi_lifter *l)
{
    if (tgsi_has_vertices(l->m->processor))
        declare_memory_inputs(l);
    if (l->m->processor == TGSI_TESS_CTRL)
        declare_memory_outputs(l);
    if (l->m->processor == TGSI_GEOM && !tgsi_primitive_vertices(l->m))
        lift_error_at(&l->lift, (struct span){0, 0}, "property",
                      "a GEOM program needs a GS_INPUT_PRIMITIVE that has vertices");
}

const struct tgsi_decl *tgsi_lift_declaration(const struct tgsi_lifter *l, unsigned file,
                                              const struct tgsi_index *index)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        bool here = index->indirect ? !index->array || d->array == index->array
                                    : (int64_t)d->first <= index->value && index->value <= (int64_t)d->last;
        if (d->file == file && here)
            return d;
    }
    return NULL;
}

/* ---- usage masks ---- */

static bool has_mask(const struct tgsi_lifter *l, unsigned file)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++)
        if (l->m->decls[i].file == file && l->m->decls[i].mask != 15)
            return true;
    return false;
}

/* Which components each register is declared with, for files where some register has not all of them. */
static void find_usage(struct tgsi_lifter *l)
{
    static const uint8_t files[] = {TGSI_INPUT, TGSI_OUTPUT, TGSI_TEMPORARY, TGSI_ADDRESS, TGSI_SYSTEM_VALUE};
    for (size_t k = 0; k < sizeof files; k++) {
        uint8_t *usage = has_mask(l, files[k]) ? ARENA_ARRAY(l->arena, uint8_t, l->file[files[k]].count) : NULL;
        for (uint32_t i = 0; usage && i < l->m->ndecls; i++) {
            const struct tgsi_decl *d = &l->m->decls[i];
            for (uint32_t reg = d->first; d->file == files[k] && reg <= d->last; reg++)
                usage[reg] |= d->mask;
        }
        l->usage[files[k]] = usage;
    }
}

/* "xy" */
static const char *mask_letters(unsigned mask, char letters[5])
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            letters[n++] = "xyzw"[c];
    letters[n] = 0;
    return letters;
}

void tgsi_lift_note_usage(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component)
{
    uint8_t *usage = l->usage[o->file];
    if (!usage || o->index.indirect || o->index.value < 0 || (uint32_t)o->index.value >= l->file[o->file].count)
        return;
    uint8_t *declared = &usage[o->index.value];
    if (!*declared || *declared >> component & 1)
        return;
    char letters[5];
    lift_warn_at(&l->lift, o->where, "usage-mask", "%s[%d].%c is used, and %s[%d] is declared with .%s alone",
                 tgsi_file_names[o->file], o->index.value, "xyzw"[component], tgsi_file_names[o->file],
                 o -> index.value, mask_letters(*declared, letters));
    *declared = 15; /* once for each register */
}

void tgsi_lift_declarations(struct tgsi_lifter *l)
{
    if (!make_tables(l))
        return;
    find_usage(l);
    for (uint32_t i = 0; i < l->m->ninsns; i++)
        for (unsigned k = 0; k < l->m->insns[i].ndst; k++)
            note_written(l, &l->m->insns[i].dst[k]);
    for (uint32_t i = 0; i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        if (d->file == TGSI_OUTPUT && l->m->processor != TGSI_TESS_CTRL)
            declare_output(l, d);
        for (uint32_t reg = d->first; d->file == TGSI_SYSTEM_VALUE && reg <= d->last; reg++)
            l->sv[reg] = d;
    }
    for (uint32_t i = 0; i < l->m->nprops; i++)
        set_property(&l->b.p->io, &l->m->props[i]);
    declare_stage(l);
    declare_address_stack(l);
}

/* ---- values that the device makes ---- */

/* FRAG_X to FRAG_W are values of their own; the others have components. */
static ir_value vector_value(struct tgsi_lifter *l, const struct tgsi_semantic *m, unsigned component)
{
    bool position = m->sysval == IR_SYS_FRAG_X;
    l->b.p->io.per_sample |= m->sysval == IR_SYS_SAMPLE_POS;
    enum ir_sysval which = (enum ir_sysval)(m->sysval + (position ? component : 0));
    return ir_sysval(&l->b, which, (enum ir_type)m->type, position ? 0 : component);
}

/* Which lane of the warp this is, and the sets of lanes on either side of it: 64 bits in xy. */
static ir_value subgroup_value(struct tgsi_lifter *l, enum tgsi_subgroup which, unsigned component)
{
    struct ir_builder *b = &l->b;
    if (which == TGSI_SUBGROUP_SIZE)
        return ir_const_i32(b, TGSI_LIFT_LANES);
    ir_value lane = ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    if (which == TGSI_SUBGROUP_INVOCATION)
        return lane;
    if (component > 1)
        return ir_const_i32(b, 0);
    ir_value own = ir_op2(b, IR_SHL, 0, ir_const(b, IR_I64, 1), lane);
    ir_value below = ir_op2(b, IR_SUB, 0, own, ir_const(b, IR_I64, 1));
    ir_value upto = ir_op2(b, IR_OR, 0, own, below), set = own;
    if (which == TGSI_SUBGROUP_LT || which == TGSI_SUBGROUP_GE)
        set = below;
    else if (which == TGSI_SUBGROUP_LE || which == TGSI_SUBGROUP_GT)
        set = upto;
    if (which == TGSI_SUBGROUP_GE || which == TGSI_SUBGROUP_GT)
        set = ir_op1(b, IR_NOT, 0, set);
    return ir_cvt(b, component ? IR_HI32 : IR_LO32, IR_I32, 0, set);
}

static ir_value device_value(struct tgsi_lifter *l, const struct tgsi_semantic *m, unsigned component)
{
    switch ((enum tgsi_value)m->value) {
    case TGSI_VALUE_VECTOR:
        return vector_value(l, m, component);
    case TGSI_VALUE_SCALAR:
        l->b.p->io.per_sample |= m->sysval == IR_SYS_SAMPLE_ID;
        return ir_sysval(&l->b, (enum ir_sysval)m->sysval, (enum ir_type)m->type, 0);
    case TGSI_VALUE_FLAG: /* a boolean system value of today's Gallium is an integer */
        return ir_cvt(&l->b, IR_SEXT, IR_I32, 0, ir_sysval(&l->b, (enum ir_sysval)m->sysval, IR_I1, 0));
    case TGSI_VALUE_SUBGROUP:
        return subgroup_value(l, (enum tgsi_subgroup)m->sysval, component);
    case TGSI_VALUE_NONE:
        break;
    }
    return 0;
}

/* One of those that are declared, by its number; no other number gives anything. */
static ir_value chosen_value(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component)
{
    struct ir_builder *b = &l->b;
    ir_value chosen = tgsi_lift_index(l, &o->index), v = ir_const_i32(b, 0);
    for (uint32_t reg = 0; reg < l->file[TGSI_SYSTEM_VALUE].count; reg++) {
        ir_value one = l->sv[reg] ? device_value(l, tgsi_semantic_of(l->sv[reg]), component) : 0;
        if (one)
            v = ir_select(b, ir_op2(b, IR_EQ, 0, chosen, ir_const_i32(b, reg)), ir_as(b, IR_I32, one), v);
    }
    return v;
}

ir_value tgsi_lift_system_value(struct tgsi_lifter *l, const struct tgsi_operand *o, unsigned component,
                                enum ir_type type)
{
    int32_t reg = o->index.value;
    if (o->dimensional)
        lift_refuse_at(&l->lift, o->where, "two-dimensional SV is not executed yet");
    else if (o->index.indirect)
        return ir_as(&l->b, type, chosen_value(l, o, component));
    else if (reg < 0 || (uint32_t)reg >= l->file[TGSI_SYSTEM_VALUE].count || !l->sv[reg])
        lift_error_at(&l->lift, o->where, "undeclared", "SV[%d] is not declared", reg);
    else {
        const struct tgsi_decl *d = l->sv[reg];
        ir_value v = device_value(l, tgsi_semantic_of(d), component);
        if (v)
            return ir_as(&l->b, type, v);
        lift_refuse_at(&l->lift, o->where, "system value %s is not executed yet",
                       d->semantic < TGSI_SEMANTICS ? tgsi_semantic_names[d->semantic] : "");
    }
    return ir_const(&l->b, type, 0);
}

/* ---- stage inputs ---- */

/* Fragment inputs that the rasteriser's planes do not hold, in the forms that the document gives them. */
static ir_value special_input(struct tgsi_lifter *l, const struct tgsi_semantic *m, unsigned component)
{
    struct ir_builder *b = &l->b;
    switch (m->ir) {
    case IR_SEM_FACE: /* (F, 0, 0, 1) */
        if (component == 0)
            return ir_select(b, ir_sysval(b, IR_SYS_FACE, IR_I1, 0), ir_const_f32(b, 1), ir_const_f32(b, -1));
        return ir_const_f32(b, component == 3);
    case IR_SEM_PCOORD: /* (x, y, 0, 1) */
        return component < 2 ? vector_value(l, m, component) : ir_const_f32(b, component == 3);
    default:
        return component == 0 || m->value == TGSI_VALUE_VECTOR ? device_value(l, m, component) : ir_const_i32(b, 0);
    }
}

static void fragment_input(struct tgsi_lifter *l, const struct tgsi_decl *d, uint32_t reg)
{
    const struct tgsi_semantic *m = tgsi_semantic_of(d);
    uint32_t file = l->file[TGSI_INPUT].file, slot = LIFT_NONE;
    bool special = d->has_semantic && m->value != TGSI_VALUE_NONE;
    bool fog = d->has_semantic && m->ir == IR_SEM_FOG; /* (F, 0, 0, 1) */
    if (!special)
        slot = l->in_slot[reg] = ir_add_input(l->b.p, slot_of(d, reg, fog ? 1 : d->mask));
    l->b.p->io.per_sample |= !special && d->location == TGSI_LOC_SAMPLE;
    for (unsigned c = 0; c < 4; c++) {
        if (!(d->mask >> c & 1))
            continue;
        ir_value v;
        if (special)
            v = special_input(l, m, c);
        else if (fog && c)
            v = ir_const_f32(&l->b, c == 3);
        else
            v = ir_emit(&l->b, IR_INTERP, IR_F32, d->interp | (unsigned)d->location << 4, 1, NULL, 0, slot, c, 0);
        ir_set(&l->b, file, reg * 4 + c, v, 0);
    }
}

static void vertex_input(struct tgsi_lifter *l, const struct tgsi_decl *d, uint32_t reg)
{
    struct ir_slot attribute = {.semantic = IR_SEM_NONE, .mask = d->mask, .index = (uint16_t)reg};
    uint32_t slot = ir_add_input(l->b.p, attribute);
    for (unsigned c = 0; c < 4; c++)
        if (d->mask >> c & 1)
            ir_set(&l->b, l->file[TGSI_INPUT].file, reg * 4 + c,
                   ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, slot, c, 0), 0);
}

/* Inputs of geometry and tessellation programs of neither a vertex nor a patch: values that the device makes. */
static void made_input(struct tgsi_lifter *l, const struct tgsi_decl *d, uint32_t reg)
{
    const struct tgsi_semantic *m = tgsi_semantic_of(d);
    if (is_memory_input(l, d))
        return;
    if (!d->has_semantic || m->value == TGSI_VALUE_NONE) {
        lift_error_at(&l->lift, d->where, "input", "IN[%u] needs a bracket for the vertex", reg);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        ir_set(&l->b, l->file[TGSI_INPUT].file, reg * 4 + c, special_input(l, m, c), 0);
}

void tgsi_lift_inputs(struct tgsi_lifter *l)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        unsigned stage = l->m->processor;
        if (d->file != TGSI_INPUT)
            continue;
        if (d->dimensional && !tgsi_has_vertices(l->m->processor))
            lift_error_at(&l->lift, d->where, "brackets", "inputs of a %s program have one bracket",
                          tgsi_processor_names[stage]);
        for (uint32_t reg = d->first; !l->failed && reg <= d->last; reg++)
            (stage == TGSI_FRAG                   ? fragment_input
             : tgsi_has_vertices(l->m->processor) ? made_input
                                                  : vertex_input)(l, d, reg);
    }
    if (l->address_top != LIFT_NONE)
        ir_set(&l->b, l->address_top, 0, ir_const_i32(&l->b, 0), 0);
}

/* ---- stage outputs ---- */

void tgsi_lift_write_outputs(struct tgsi_lifter *l)
{
    const struct tgsi_lift_file *out = &l->file[TGSI_OUTPUT];
    for (uint32_t reg = 0; out->file != LIFT_NONE && reg < out->count; reg++)
        for (unsigned c = 0; l->out_slot[reg] != LIFT_NONE && c < 4; c++) {
            if (!(l->out_mask[reg] >> c & 1))
                continue;
            ir_value v = ir_get(&l->b, out->file, reg * 4 + c, IR_F32);
            ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, l->out_slot[reg], c, 0);
        }
}

/* A geometry program's outputs leave it with EMIT; a tessellation control program's are in memory. */
void tgsi_lift_outputs(struct tgsi_lifter *l)
{
    if (l->m->processor != TGSI_GEOM && l->m->processor != TGSI_TESS_CTRL)
        tgsi_lift_write_outputs(l);
}
