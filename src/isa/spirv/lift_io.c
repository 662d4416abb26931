/* lift_io.c - inputs and outputs: locations and components, slots of the device, and what begins and ends a stage. */
#include "isa/spirv/lift_io.h"

#include <assert.h>
#include <string.h>

enum { LOCATIONS = 64, MOST_PARTS = 4096 };

struct spirv_slots {
    uint32_t in[2][LOCATIONS], out[2][LOCATIONS]; /* 1 + slot; [1]: of the patch */
    uint32_t corner[3][LOCATIONS]; /* of inputs that a fragment program has of each corner */
    uint32_t last[4]; /* 1 + the last location of the inputs and outputs, of vertices and of the patch */
    uint32_t builtin_out[IR_SEMANTICS][8];  /* 1 + slot */
    uint32_t wanted;     /* the register that spirv_input_at looks for */
    struct spirv_input *found;
    uint32_t parts;
};

/* One vector or scalar of an interface. */
struct part {
    const struct spirv_variable *var;
    uint32_t builtin;    /* SPIRV_NONE: it has a location */
    uint32_t location, component;
    uint32_t element;    /* its first register */
    uint32_t index;      /* of a builtin that is an array */
    uint32_t count;      /* scalars */
    enum ir_type type;
    uint32_t interp, place; /* enum ir_interp, enum ir_location */
    uint32_t vertex;     /* of an input that has one for each vertex */
};

typedef void part_fn(struct spirv_lifter *l, const struct part *p);

uint32_t spirv_locations_of(struct spirv_lifter *l, uint32_t type)
{
    const struct spirv_type *t = spirv_type(l, type);
    uint64_t n = 0;
    switch (t->kind) {
    case SPIRV_T_VECTOR:
        return t->count > 2 && ir_type_bits((enum ir_type)t->ir) == 64 ? 2 : 1;
    case SPIRV_T_MATRIX:
    case SPIRV_T_ARRAY:
        n = (uint64_t)t->count * spirv_locations_of(l, t->elem);
        return n > LOCATIONS ? LOCATIONS : (uint32_t)n;
    case SPIRV_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++)
            n += spirv_locations_of(l, t->member[i]);
        return n > LOCATIONS ? LOCATIONS : (uint32_t)n;
    default:
        return 1;
    }
}

static bool decorated(struct spirv_lifter *l, uint32_t id, uint32_t member, uint32_t kind)
{
    return spirv_decoration_of(l->m, id, member, kind) != NULL;
}

static void take_interpolation(struct spirv_lifter *l, uint32_t id, uint32_t member, struct part *p)
{
    if (decorated(l, id, member, SpvDecorationFlat))
        p->interp = IR_INTERP_CONSTANT;
    else if (decorated(l, id, member, SpvDecorationNoPerspective))
        p->interp = IR_INTERP_LINEAR;
    if (decorated(l, id, member, SpvDecorationCentroid))
        p->place = IR_LOC_CENTROID;
    if (decorated(l, id, member, SpvDecorationSample))
        p->place = IR_LOC_SAMPLE;
}

/* Call fn for each vector and scalar of a type. */
static void walk(struct spirv_lifter *l, uint32_t type, struct part p, part_fn *fn)
{
    const struct spirv_type *t = spirv_type(l, type);
    if (!l->failed && ++l->slots->parts > MOST_PARTS)
        spirv_wrong(l, "an input or output has more than %d parts", MOST_PARTS);
    if (l->failed)
        return;
    if (t->kind == SPIRV_T_STRUCT) {
        for (uint32_t i = 0; i < t->count && !l->failed; i++) {
            struct part m = p;
            uint32_t ignored, before;
            m.builtin = spirv_decorated(l->m, type, i, SpvDecorationBuiltIn, SPIRV_NONE);
            uint32_t location = spirv_decorated(l->m, type, i, SpvDecorationLocation, SPIRV_NONE);
            if (location != SPIRV_NONE)
                p.location = m.location = location;
            m.component = spirv_decorated(l->m, type, i, SpvDecorationComponent, p.component);
            take_interpolation(l, type, i, &m);
            spirv_part_elements(l, type, i, &ignored, &before);
            m.element = p.element + before;
            walk(l, t->member[i], m, fn);
            p.location += m.builtin == SPIRV_NONE ? spirv_locations_of(l, t->member[i]) : 0;
        }
        return;
    }
    if (t->kind == SPIRV_T_ARRAY || t->kind == SPIRV_T_MATRIX) {
        const struct spirv_type *e = spirv_type(l, t->elem);
        for (uint32_t i = 0; i < t->count && !l->failed; i++) {
            struct part m = p;
            m.index = p.index + i;
            m.element = p.element + i * e->elements;
            walk(l, t->elem, m, fn);
            p.location += spirv_locations_of(l, t->elem);
        }
        return;
    }
    p.count = t->kind == SPIRV_T_VECTOR ? t->count : 1;
    p.type = (enum ir_type)t->ir;
    if (!t->scalars)
        spirv_wrong(l, "an input or output that is not made of numbers is not executed");
    else
        fn(l, &p);
}

/* A fragment program has it of each corner, as it is there. */
static bool has_corners(struct spirv_lifter *l, uint32_t var)
{
    return l->stage == IR_FRAGMENT && decorated(l, var, SPIRV_NONE, SpvDecorationPerVertexKHR);
}

/* Of a block, its members say so. */
bool spirv_of_patch(struct spirv_lifter *l, const struct spirv_variable *v)
{
    uint32_t type = v->type;
    while (spirv_type(l, type)->kind == SPIRV_T_ARRAY)
        type = spirv_type(l, type)->elem;
    return decorated(l, v->id, SPIRV_NONE, SpvDecorationPatch) ||
           (spirv_type(l, type)->kind == SPIRV_T_STRUCT &&
            decorated(l, type, 0, SpvDecorationPatch));
}

static bool has_vertices(struct spirv_lifter *l, const struct spirv_variable *v)
{
    bool input = v->storage == SpvStorageClassInput;
    if (spirv_of_patch(l, v))
        return false;
    return (input && (l->stage == IR_GEOMETRY || l->stage == IR_TESS_CTRL || l->stage == IR_TESS_EVAL)) ||
           (!input && l->stage == IR_TESS_CTRL) || has_corners(l, v->id);
}

static void walk_variable(struct spirv_lifter *l, const struct spirv_variable *v, part_fn *fn)
{
    struct part p = {.var = v,
                     .builtin = spirv_decorated(l->m, v->id, SPIRV_NONE, SpvDecorationBuiltIn, SPIRV_NONE),
                     .location = spirv_decorated(l->m, v->id, SPIRV_NONE, SpvDecorationLocation, 0),
                     .component = spirv_decorated(l->m, v->id, SPIRV_NONE, SpvDecorationComponent, 0),
                     .element = v->element,
                     .interp = IR_INTERP_PERSPECTIVE};
    take_interpolation(l, v->id, SPIRV_NONE, &p);
    if (has_corners(l, v->id))
        p.interp = IR_INTERP_CONSTANT;
    else if (p.builtin == SpvBuiltInBaryCoordNoPerspKHR)
        p.interp = IR_INTERP_LINEAR;
    l->slots->parts = 0;
    const struct spirv_type *t = spirv_type(l, v->type);
    if (!has_vertices(l, v) || t->kind != SPIRV_T_ARRAY) {
        walk(l, v->type, p, fn);
        return;
    }
    const struct spirv_type *e = spirv_type(l, t->elem);
    for (uint32_t i = 0; i < t->count && !l->failed; i++) {
        p.vertex = i;
        p.element = v->element + i * e->elements;
        walk(l, t->elem, p, fn);
    }
}

/* ---- slots ---- */

static uint8_t semantic_of(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInPosition:
    case SpvBuiltInFragDepth:
        return IR_SEM_POSITION;
    case SpvBuiltInPointSize:
        return IR_SEM_PSIZE;
    case SpvBuiltInClipDistance:
        return IR_SEM_CLIPDIST;
    case SpvBuiltInCullDistance:
        return IR_SEM_CULLDIST;
    case SpvBuiltInLayer:
        return IR_SEM_LAYER;
    case SpvBuiltInViewportIndex:
        return IR_SEM_VIEWPORT_INDEX;
    case SpvBuiltInPrimitiveId:
        return IR_SEM_PRIMID;
    case SpvBuiltInFragStencilRefEXT:
        return IR_SEM_STENCIL;
    case SpvBuiltInSampleMask:
        return IR_SEM_SAMPLEMASK;
    case SpvBuiltInTessLevelOuter:
        return IR_SEM_TESSOUTER;
    case SpvBuiltInTessLevelInner:
        return IR_SEM_TESSINNER;
    case SpvBuiltInBaryCoordKHR:
    case SpvBuiltInBaryCoordNoPerspKHR:
        return IR_SEM_BARYCENTRIC;
    default:
        return IR_SEM_NONE;
    }
}

/* Where a builtin is in its slot: clip distances four to a slot. */
static void place_builtin(const struct part *p, uint32_t *index, uint32_t *component)
{
    bool many = p->builtin == SpvBuiltInClipDistance || p->builtin == SpvBuiltInCullDistance ||
                p->builtin == SpvBuiltInTessLevelOuter || p->builtin == SpvBuiltInTessLevelInner;
    *index = many ? p->index / 4 : p->builtin == SpvBuiltInBaryCoordNoPerspKHR;
    *component = many                                           ? p->index % 4
                 : p->builtin == SpvBuiltInFragDepth            ? 2
                 : p->builtin == SpvBuiltInFragStencilRefEXT    ? 1
                                                                : 0;
}

static void note_builtin(struct ir_io *io, const struct part *p)
{
    switch (p->builtin) {
    case SpvBuiltInFragDepth:
        io->writes_depth = true;
        break;
    case SpvBuiltInFragStencilRefEXT:
        io->writes_stencil = true;
        break;
    case SpvBuiltInSampleMask:
        io->writes_samplemask = true;
        break;
    case SpvBuiltInClipDistance:
        if (p->index >= io->clip_distances)
            io->clip_distances = (uint16_t)(p->index + 1);
        break;
    case SpvBuiltInCullDistance:
        if (p->index >= io->cull_distances)
            io->cull_distances = (uint16_t)(p->index + 1);
        break;
    default:
        break;
    }
}

static bool is_wide(const struct part *p)
{
    return ir_type_bits(p->type) == 64;
}

static uint32_t builtin_slot(struct spirv_lifter *l, const struct part *p, bool input, uint32_t *component)
{
    uint8_t semantic = semantic_of(p->builtin);
    uint32_t index;
    place_builtin(p, &index, component);
    if (semantic == IR_SEM_NONE || index >= 4 || *component + p->count > 4 || is_wide(p)) {
        spirv_wrong(l, "the builtin %s is not executed here", spirv_enumerant_of("BuiltIn", p->builtin));
        return 0;
    }
    uint32_t *slot = &l->slots->builtin_out[semantic][index + (input ? 4 : 0)];
    if (!*slot) {
        struct ir_slot s = {.semantic = semantic, .index = (uint16_t)index, .interp = (uint8_t)p->interp};
        s.patch = semantic == IR_SEM_TESSOUTER || semantic == IR_SEM_TESSINNER;
        *slot = 1 + (input ? ir_add_input(l->b.p, s) : ir_add_output(l->b.p, s));
    }
    struct ir_slot *s = input ? &l->b.p->io.inputs[*slot - 1] : &l->b.p->io.outputs[*slot - 1];
    s->mask |= (uint8_t)(((1u << p->count) - 1) << *component);
    if (!input)
        note_builtin(&l->b.p->io, p);
    return *slot - 1;
}

static bool of_patch(struct spirv_lifter *l, uint32_t var)
{
    return spirv_of_patch(l, l->variables[var]);
}

static uint32_t *slot_at(struct spirv_lifter *l, uint32_t var, uint32_t location)
{
    bool patch = of_patch(l, var), input = l->variables[var]->storage == SpvStorageClassInput;
    return location < LOCATIONS ? &(input ? l->slots->in : l->slots->out)[patch][location] : NULL;
}

uint32_t spirv_location_slot(struct spirv_lifter *l, uint32_t var, uint32_t location)
{
    const uint32_t *slot = slot_at(l, var, location);
    return slot && *slot ? *slot - 1 : 0;
}

uint32_t spirv_builtin_slot(struct spirv_lifter *l, uint32_t builtin, bool input)
{
    uint32_t slot = l->slots->builtin_out[semantic_of(builtin)][input ? 4 : 0];
    return slot ? slot - 1 : 0;
}

/* rest: what does not fit the location before. */
static uint32_t location_slot(struct spirv_lifter *l, const struct part *p, bool input, bool rest)
{
    bool corners = has_corners(l, p->var->id);
    uint32_t *slot = slot_at(l, p->var->id, p->location);
    if (corners && slot)
        slot = p->vertex < 3 ? &l->slots->corner[p->vertex][p->location] : NULL;
    bool wide = is_wide(p); /* its other words are in the next location */
    if (!slot || (!wide && p->component + p->count > 4)) {
        spirv_wrong(l, "location %u, component %u: locations are 0 to %d of four components", p->location,
                    p->component + p->count - 1, LOCATIONS - 1);
        return 0;
    }
    bool patch = of_patch(l, p->var->id);
    if (!*slot) {
        struct ir_slot s = {.index = (uint16_t)p->location,
                            .interp = (uint8_t)p->interp,
                            .location = (uint8_t)p->place,
                            .corner = (uint8_t)(corners ? p->vertex + 1 : 0),
                            .patch = patch};
        *slot = 1 + (input ? ir_add_input(l->b.p, s) : ir_add_output(l->b.p, s));
    }
    struct ir_slot *s = (input ? l->b.p->io.inputs : l->b.p->io.outputs) + *slot - 1;
    s->semantic = input && l->stage == IR_VERTEX       ? IR_SEM_NONE
                  : !input && l->stage == IR_FRAGMENT ? IR_SEM_COLOR
                  : patch                             ? IR_SEM_PATCH
                                                      : IR_SEM_GENERIC;
    if (wide && input && l->stage == IR_VERTEX)
        s->convert = rest ? IR_CONVERT_WIDE_REST : IR_CONVERT_WIDE;
    s->mask |= (uint8_t)(wide ? 15 : ((1u << p->count) - 1) << p->component);
    return *slot - 1;
}

/* The slot and component of one of a part's words: numbers of 64 bits have two, low word first. */
static uint32_t word_slot(struct spirv_lifter *l, const struct part *p, bool input, uint32_t word, uint32_t *component)
{
    struct part q = *p;
    q.location += (p->component + word) / 4;
    *component = (p->component + word) % 4;
    return location_slot(l, &q, input, q.location != p->location);
}

static bool is_float(enum ir_type type)
{
    return type == IR_F32 || type == IR_F16;
}

/* In geometry and tessellation programs inputs are memory, apart from what the device makes. */
static bool is_made(const struct spirv_lifter *l, const struct part *p)
{
    if (p->builtin == SPIRV_NONE)
        return false;
    bool memory = l->stage == IR_GEOMETRY || l->stage == IR_TESS_CTRL || l->stage == IR_TESS_EVAL;
    switch (p->builtin) {
    case SpvBuiltInPosition:
    case SpvBuiltInPointSize:
    case SpvBuiltInClipDistance:
    case SpvBuiltInCullDistance:
        return !memory && l->stage != IR_FRAGMENT;
    case SpvBuiltInBaryCoordKHR:
    case SpvBuiltInBaryCoordNoPerspKHR:
        return false;
    default:
        return true;
    }
}

static void open_part(struct spirv_lifter *l, const struct part *p)
{
    bool input = p->var->storage == SpvStorageClassInput;
    uint32_t component;
    struct part q = *p;
    if (is_wide(p) && !input && l->stage == IR_FRAGMENT) {
        spirv_wrong(l, "colours of 64 bits are not executed");
        return;
    }
    if (l->stage == IR_FRAGMENT && input && !is_float(p->type))
        q.interp = IR_INTERP_CONSTANT;
    bool made = q.builtin != SPIRV_NONE && input && is_made(l, p);
    if (!made && l->stage == IR_COMPUTE)
        spirv_wrong(l, "a compute program has no inputs and outputs but builtin inputs");
    else if (q.builtin == SPIRV_NONE)
        for (uint32_t word = 0; word < (is_wide(p) ? 2 : 1) * p->count && !l->failed; word += 2)
            word_slot(l, &q, input, word, &component);
    else if (!made)
        builtin_slot(l, &q, input, &component);
}

static bool make_slots(struct spirv_lifter *l)
{
    if (!l->slots)
        l->slots = ARENA_NEW(l->arena, struct spirv_slots);
    return l->slots != NULL;
}

bool spirv_open_interface(struct spirv_lifter *l, struct spirv_variable *v)
{
    if (!make_slots(l))
        return false;
    v->known = true;
    walk_variable(l, v, open_part);
    return !l->failed;
}

/* ---- slots in memory ---- */

bool spirv_in_slots(const struct spirv_lifter *l, const struct spirv_variable *v)
{
    struct part p = {.var = v, .builtin = spirv_decorated(l->m, v->id, SPIRV_NONE, SpvDecorationBuiltIn, SPIRV_NONE)};
    if (v->storage == SpvStorageClassOutput)
        return l->stage == IR_TESS_CTRL;
    return v->storage == SpvStorageClassInput && !is_made(l, &p) &&
           (l->stage == IR_GEOMETRY || l->stage == IR_TESS_CTRL || l->stage == IR_TESS_EVAL);
}

static void note_location(struct spirv_lifter *l, const struct part *p)
{
    uint32_t *last = &l->slots->last[(p->var->storage == SpvStorageClassInput) * 2 + of_patch(l, p->var->id)];
    uint32_t end = p->location + (ir_type_bits(p->type) == 64 && p->count > 2 ? 2 : 1);
    if (p->builtin == SPIRV_NONE && end > *last)
        *last = end < LOCATIONS ? end : LOCATIONS;
}

static void each_in_slots(struct spirv_lifter *l, part_fn *fn)
{
    const uint32_t *w = spirv_words(l->m, l->m->entry);
    unsigned n = l->m->insns[l->m->entry].count, at = 3;
    while (w[at] & 0xff000000) /* its name ends with a zero */
        at++;
    for (at++; at < n && !l->failed; at++) {
        struct spirv_variable *v = spirv_variable_of(l, w[at]);
        if (!v || !spirv_in_slots(l, v))
            continue;
        v->known = fn == open_part;
        walk_variable(l, v, fn);
    }
}

/* Locations get slots one after the other, those of vertices first. */
void spirv_open_stage(struct spirv_lifter *l)
{
    if (l->stage != IR_GEOMETRY && l->stage != IR_TESS_CTRL && l->stage != IR_TESS_EVAL)
        return;
    if (!make_slots(l))
        return;
    each_in_slots(l, note_location);
    for (unsigned k = 0; k < 4; k++) {
        bool patch = k & 1, input = k / 2;
        for (uint32_t i = 0; i < l->slots->last[k] && !l->failed; i++) {
            struct ir_slot s = {.index = (uint16_t)i, .patch = patch};
            (input ? l->slots->in : l->slots->out)[patch][i] =
                1 + (input ? ir_add_input(l->b.p, s) : ir_add_output(l->b.p, s));
        }
    }
    each_in_slots(l, open_part);
}

/* ---- inputs ---- */

static ir_value as_type(struct spirv_lifter *l, ir_value v, enum ir_type type)
{
    if (ir_type_bits(ir_type_of(&l->b, v)) != 32 || ir_type_bits(type) > 32 || type == IR_VOID) {
        spirv_wrong(l, "an input of this type is not executed");
        return 0;
    }
    if (type == IR_F16)
        return spirv_cvt(l, IR_F2F, IR_F16, spirv_as(l, IR_F32, v));
    if (type == IR_I8 || type == IR_I16)
        return spirv_cvt(l, IR_TRUNC, type, spirv_as(l, IR_I32, v));
    return spirv_as(l, type, v);
}

/* 32 bits of an input, as the device has them. */
static ir_value input_word(struct spirv_lifter *l, const struct part *p, uint32_t slot, uint32_t component)
{
    if (l->stage == IR_VERTEX)
        return ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, slot, component, 0);
    if (l->stage == IR_FRAGMENT)
        return ir_emit(&l->b, IR_INTERP, IR_F32, p->interp | p->place << 4, 1, NULL, 0, slot, component, 0);
    spirv_wrong(l, "a program of this stage does not have such an input");
    return 0;
}

/* Scalar number c of an input that has a location. */
static ir_value input_scalar(struct spirv_lifter *l, const struct part *p, uint32_t c)
{
    ir_value word[2] = {0, 0};
    for (unsigned k = 0; k < (is_wide(p) ? 2 : 1) && !l->failed; k++) {
        uint32_t component, slot = word_slot(l, p, true, is_wide(p) ? 2 * c + k : c, &component);
        word[k] = input_word(l, p, slot, component);
        word[k] = is_wide(p) && word[k] ? spirv_as(l, IR_I32, word[k]) : word[k];
    }
    return l->failed || !is_wide(p) ? word[0] : ir_cvt2(&l->b, IR_PACK64, p->type, 0, word[0], word[1]);
}

static void read_part(struct spirv_lifter *l, const struct part *p)
{
    uint32_t component = p->component, slot = 0;
    struct part q = *p;
    if (l->stage == IR_FRAGMENT && !is_float(p->type))
        q.interp = IR_INTERP_CONSTANT;
    bool made = is_made(l, p);
    if (p->builtin != SPIRV_NONE && !made)
        slot = builtin_slot(l, &q, true, &component);
    for (uint32_t c = 0; c < p->count && !l->failed; c++) {
        ir_value v = p->builtin == SPIRV_NONE ? input_scalar(l, &q, c)
                     : made ? spirv_builtin_scalar(l, p->builtin, p->count > 1 ? c : p->index, p->type)
                            : input_word(l, &q, slot, component + c);
        if (v && (!is_wide(p) || ir_type_bits(ir_type_of(&l->b, v)) != 64))
            v = as_type(l, v, p->type == IR_I1 ? IR_I32 : p->type);
        if (!v)
            return;
        ir_set(&l->b, l->file_v, p->element + c * (is_wide(p) ? 2 : 1), v, 0);
        l->b.p->io.per_sample |= q.place == IR_LOC_SAMPLE;
    }
}

void spirv_read_inputs(struct spirv_lifter *l, struct spirv_variable *v)
{
    walk_variable(l, v, read_part);
}

static void find_input(struct spirv_lifter *l, const struct part *p)
{
    uint32_t wanted = l->slots->wanted;
    if (p->builtin != SPIRV_NONE || wanted < p->element || wanted - p->element >= p->count)
        return;
    *l->slots->found = (struct spirv_input){.slot = location_slot(l, p, true, false),
                                            .component = p->component + (wanted - p->element),
                                            .interp = (uint8_t)p->interp,
                                            .type = (uint8_t)p->type};
}

bool spirv_input_at(struct spirv_lifter *l, uint32_t var, uint32_t element, struct spirv_input *out)
{
    const struct spirv_variable *v = spirv_variable_of(l, var);
    *out = (struct spirv_input){.type = IR_VOID};
    if (l->stage != IR_FRAGMENT || v->storage != SpvStorageClassInput)
        return false;
    assert(v->known); /* it has registers */
    l->slots->wanted = element;
    l->slots->found = out;
    walk_variable(l, v, find_input);
    return !l->failed && out->type == IR_F32;
}

/* ---- outputs ---- */

/* 32 bits of an output, as the device takes them. */
static ir_value output_word(struct spirv_lifter *l, const struct part *p, uint32_t word)
{
    if (is_wide(p)) {
        ir_value v = ir_get(&l->b, l->file_v, p->element + word / 2 * 2, p->type);
        return ir_as(&l->b, IR_F32, ir_cvt(&l->b, word & 1 ? IR_HI32 : IR_LO32, IR_I32, 0, v));
    }
    ir_value v = ir_get(&l->b, l->file_v, p->element + word, p->type == IR_I1 ? IR_I32 : p->type);
    if (p->type == IR_F16)
        return ir_cvt(&l->b, IR_F2F, IR_F32, 0, v);
    if (p->type == IR_I8 || p->type == IR_I16)
        return ir_as(&l->b, IR_F32, ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, v));
    return ir_as(&l->b, IR_F32, v);
}

static void write_part(struct spirv_lifter *l, const struct part *p)
{
    uint32_t component = p->component, slot = 0;
    if (p->builtin != SPIRV_NONE)
        slot = builtin_slot(l, p, false, &component);
    for (uint32_t word = 0; word < p->count * (is_wide(p) ? 2 : 1) && !l->failed; word++) {
        uint32_t at = component + word;
        if (p->builtin == SPIRV_NONE)
            slot = word_slot(l, p, false, word, &at);
        ir_value v = output_word(l, p, word);
        ir_emit(&l->b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, slot, at, 0);
    }
}

void spirv_write_outputs(struct spirv_lifter *l)
{
    for (uint32_t id = 1; id < l->m->bound && l->slots; id++) {
        struct spirv_variable *v = l->variables[id];
        if (v && v->storage == SpvStorageClassOutput && v->known && !spirv_in_slots(l, v))
            walk_variable(l, v, write_part);
    }
}
