/* lift.c - a whole SPIR-V module becomes lane IR: values of ids, and the driver. */
#include "isa/spirv/lift.h"
#include "isa/spirv/unroll.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

void spirv_wrong(struct spirv_lifter *l, const char *fmt, ...)
{
    if (l->failed)
        return; /* the first one says it */
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const struct spirv_insn *i = &l->m->insns[l->at];
    const struct spirv_row *row = spirv_row_of(i->op);
    lift_refuse(&l->lift, "word %u, %s: %s", i->at, row ? row->name : "?", text);
}

/* ---- registers of values ---- */

static const uint8_t *leaves_of(struct spirv_lifter *l, const struct spirv_value *e)
{
    static const uint8_t number[] = {IR_I32, IR_I32}, address[] = {IR_I64};
    if (e->what == SPIRV_OPAQUE)
        return number;
    if (e->what != SPIRV_POINTER)
        return spirv_leaves(l, e->type);
    return e->pointer && spirv_is_flat(l, e->pointer) ? address : number;
}

uint32_t spirv_take_elements(struct spirv_lifter *l, uint32_t n)
{
    uint32_t first = l->elements;
    if (n > SPIRV_MOST_ELEMENTS - first)
        spirv_wrong(l, "the variables and values need more than %d registers", SPIRV_MOST_ELEMENTS);
    else
        l->elements += n;
    return first;
}

void spirv_keep(struct spirv_lifter *l, struct spirv_value *e)
{
    const uint8_t *leaf = leaves_of(l, e);
    uint32_t words = 0, flags = 0;
    if (e->kept || !leaf)
        return;
    for (uint32_t i = 0; i < e->n; i++) {
        flags += leaf[i] == IR_I1;
        words += leaf[i] == IR_I1 ? 0 : ir_type_bits((enum ir_type)leaf[i]) == 64 ? 2 : 1;
    }
    if (spirv_type(l, e->type)->kind == SPIRV_T_POINTER)
        words = 2; /* in another call of the function it may be one of 64 bits */
    e->element = spirv_take_elements(l, words);
    e->flag = l->flags;
    l->flags += flags;
    e->kept = true;
}

/* Whatever scalar i's registers are: its type decides the file. */
struct place {
    uint32_t file, element;
};

static struct place next_place(const struct spirv_lifter *l, unsigned leaf, uint32_t *element, uint32_t *flag)
{
    if (leaf == IR_I1)
        return (struct place){l->file_b, (*flag)++};
    struct place p = {l->file_v, *element};
    *element += ir_type_bits((enum ir_type)leaf) == 64 ? 2 : 1;
    return p;
}

void spirv_write_kept(struct spirv_lifter *l, struct spirv_value *to, const ir_value *v, ir_value pred)
{
    const uint8_t *leaf = leaves_of(l, to);
    uint32_t element = to->element, flag = to->flag;
    for (uint32_t i = 0; leaf && i < to->n; i++) {
        struct place p = next_place(l, leaf[i], &element, &flag);
        if (v[i])
            ir_set(&l->b, p.file, p.element, v[i], pred);
    }
}

static bool read_kept(struct spirv_lifter *l, struct spirv_value *e)
{
    const uint8_t *leaf = leaves_of(l, e);
    uint32_t element = e->element, flag = e->flag;
    if (!e->kept || !leaf)
        return false;
    for (uint32_t i = 0; i < e->n; i++) {
        struct place p = next_place(l, leaf[i], &element, &flag);
        if (!spirv_in_prologue(l, e->v[i]))
            e->v[i] = ir_get(&l->b, p.file, p.element, (enum ir_type)leaf[i]);
    }
    e->block = l->b.block;
    return true;
}

/* ---- values of ids: those of a module that was read are below its bound ---- */

ir_value *spirv_room(struct spirv_lifter *l, uint32_t n)
{
    return ARENA_ARRAY(l->arena, ir_value, (size_t)n + 1);
}

struct spirv_value *spirv_value_of(struct spirv_lifter *l, uint32_t id)
{
    if (l->values[id].what != SPIRV_NOTHING)
        return &l->values[id];
    spirv_wrong(l, "%s has no value here", spirv_name(l->m, l->arena, id));
    return NULL;
}

/* Make its values valid in the block at work. */
static bool bring(struct spirv_lifter *l, uint32_t id, struct spirv_value *e)
{
    if (e->everywhere || e->n == 0 || e->block == l->b.block || read_kept(l, e))
        return true;
    spirv_wrong(l, "%s is not known in this block", spirv_name(l->m, l->arena, id));
    return false;
}

/* A pointer as a value. */
static const ir_value *use_address(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    struct spirv_pointer p;
    ir_value dynamic, *v = spirv_room(l, 1);
    if (!v || !spirv_pointer_of(l, id, &p, &dynamic))
        return NULL;
    *n = 1;
    v[0] = spirv_address_of(l, &p, dynamic);
    return v[0] ? v : NULL;
}

const ir_value *spirv_use(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    *n = 0;
    if (l->variables[id])
        return use_address(l, id, n);
    struct spirv_value *e = spirv_value_of(l, id);
    if (!e || !bring(l, id, e))
        return NULL;
    if (e->what == SPIRV_POINTER)
        return use_address(l, id, n);
    if (e->what != SPIRV_SCALARS) {
        spirv_wrong(l, "%s is not a number or made of numbers", spirv_name(l->m, l->arena, id));
        return NULL;
    }
    *n = e->n;
    return e->v;
}

const ir_value *spirv_use_alike(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    const ir_value *v = spirv_use(l, id, n);
    bool alike = v && *n;
    for (uint32_t i = 1; alike && i < *n; i++)
        alike = ir_type_of(&l->b, v[i]) == ir_type_of(&l->b, v[0]);
    if (alike)
        return v;
    spirv_wrong(l, "%s is not of numbers of one type", spirv_name(l->m, l->arena, id));
    return NULL;
}

const ir_value *spirv_use_n(struct spirv_lifter *l, uint32_t id, uint32_t n, enum ir_type type)
{
    uint32_t have;
    const ir_value *v = spirv_use(l, id, &have);
    bool fits = v && have == n;
    for (uint32_t i = 0; fits && i < n; i++)
        fits = v[i] && ir_type_of(&l->b, v[i]) == type;
    if (fits)
        return v;
    spirv_wrong(l, "%s is not %u of %s", spirv_name(l->m, l->arena, id), n, ir_type_name(type));
    return NULL;
}

bool spirv_fits(struct spirv_lifter *l, uint32_t type, const ir_value *v, uint32_t n)
{
    const uint8_t *leaf = spirv_leaves(l, type);
    bool fits = leaf && spirv_type(l, type)->scalars == n;
    for (uint32_t i = 0; fits && i < n; i++)
        fits = v[i] && ir_type_of(&l->b, v[i]) == leaf[i];
    return fits;
}

ir_value spirv_use_one(struct spirv_lifter *l, uint32_t id, enum ir_type type)
{
    const ir_value *v = spirv_use_n(l, id, 1, type);
    return v ? v[0] : 0;
}

ir_value spirv_use_index(struct spirv_lifter *l, uint32_t id)
{
    uint32_t n;
    const ir_value *v = spirv_use(l, id, &n);
    enum ir_type type = v && n == 1 ? ir_type_of(&l->b, v[0]) : IR_VOID;
    if (type < IR_I8 || type > IR_I64) {
        spirv_wrong(l, "%s is not an integer", spirv_name(l->m, l->arena, id));
        return 0;
    }
    bool is_signed = spirv_type(l, l->values[id].type)->is_signed;
    return type == IR_I32   ? v[0]
           : type == IR_I64 ? spirv_cvt(l, IR_TRUNC, IR_I32, v[0])
                            : spirv_cvt(l, is_signed ? IR_SEXT : IR_ZEXT, IR_I32, v[0]);
}

bool spirv_constant(struct spirv_lifter *l, uint32_t id, uint64_t *value)
{
    const struct spirv_value *e = &l->values[id];
    if (e->what != SPIRV_SCALARS || !e->v)
        return false;
    const struct spirv_type *t = spirv_type(l, e->type);
    if (t->kind != SPIRV_T_INT || !spirv_bits(l, e->v[0], value))
        return false;
    if (t->is_signed && *value >> (t->bits - 1) & 1)
        *value = UINT64_MAX;
    return true;
}

/* The entry of the result, with room for n values. */
static struct spirv_value *result_entry(struct spirv_lifter *l, unsigned what, uint32_t n)
{
    struct spirv_value *e = &l->values[l->w[2]];
    if (!e->v || e->n < n)
        e->v = spirv_room(l, n);
    e->type = l->w[1];
    e->what = (uint8_t)what;
    e->n = n;
    e->block = l->b.block;
    return e->v ? e : NULL;
}

static void store_result(struct spirv_lifter *l, struct spirv_value *e, const ir_value *v)
{
    e->everywhere = true;
    for (uint32_t i = 0; i < e->n; i++) {
        e->v[i] = v[i];
        e->everywhere &= spirv_in_prologue(l, v[i]);
    }
    if (e->crosses && !e->everywhere) {
        spirv_keep(l, e);
        if (!l->failed)
            spirv_write_kept(l, e, v, 0);
    }
}

void spirv_result(struct spirv_lifter *l, const ir_value *v, uint32_t n)
{
    if (l->failed || arena_failed(l->arena))
        return;
    if (!spirv_fits(l, l->w[1], v, n)) {
        spirv_wrong(l, "the type of its result is not what its operands make");
        return;
    }
    struct spirv_value *e = result_entry(l, SPIRV_SCALARS, n);
    if (e)
        store_result(l, e, v);
}

void spirv_result_pointer(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic)
{
    struct spirv_value *e = result_entry(l, SPIRV_POINTER, p->dynamic ? 1 : 0);
    if (!e)
        return;
    if (!e->pointer)
        e->pointer = ARENA_NEW(l->arena, struct spirv_pointer);
    if (!e->pointer)
        return;
    *e->pointer = *p;
    store_result(l, e, &dynamic);
}

void spirv_result_opaque(struct spirv_lifter *l, const struct spirv_opaque *o, const ir_value *chosen)
{
    struct spirv_value *e = result_entry(l, SPIRV_OPAQUE, o->image_chosen || o->sampler_chosen ? 2 : 0);
    if (!e)
        return;
    e->opaque = *o;
    store_result(l, e, chosen);
}

const struct spirv_opaque *spirv_use_opaque(struct spirv_lifter *l, uint32_t id, const ir_value **chosen)
{
    struct spirv_value *e = spirv_value_of(l, id);
    if (!e || !bring(l, id, e))
        return NULL;
    *chosen = e->v;
    if (e->what == SPIRV_OPAQUE)
        return &e->opaque;
    spirv_wrong(l, "%s is not an image or a sampler", spirv_name(l->m, l->arena, id));
    return NULL;
}

const struct spirv_pointer *spirv_use_pointer(struct spirv_lifter *l, uint32_t id, ir_value *dynamic)
{
    *dynamic = 0;
    struct spirv_value *e = spirv_value_of(l, id);
    if (!e || !bring(l, id, e))
        return NULL;
    if (e->what == SPIRV_SCALARS && spirv_type(l, e->type)->kind == SPIRV_T_POINTER)
        return spirv_pointer_at(l, e->type, e->v[0], dynamic);
    if (e->what != SPIRV_POINTER || !e->pointer) {
        spirv_wrong(l, "%s is not a pointer", spirv_name(l->m, l->arena, id));
        return NULL;
    }
    *dynamic = e->pointer->dynamic ? e->v[0] : 0;
    return e->pointer;
}

/* ---- the module ---- */

/* What weft runs; a module that needs another capability is refused. */
static bool has_capability(uint32_t capability)
{
    static const uint16_t known[] = {
#define CAPABILITY(name) SpvCapability##name,
#include "isa/spirv/capabilities.inc"
#undef CAPABILITY
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == capability)
            return true;
    return false;
}

void spirv_lift_capability(struct spirv_lifter *l, const uint32_t *w)
{
    if (!has_capability(w[1]))
        spirv_wrong(l, "the capability %s is not there", spirv_enumerant_of("Capability", w[1]));
}

void spirv_lift_memory_model(struct spirv_lifter *l, const uint32_t *w)
{
    if (w[1] != SpvAddressingModelLogical && w[1] != SpvAddressingModelPhysicalStorageBuffer64)
        spirv_wrong(l, "the addressing model %s is not executed", spirv_enumerant_of("AddressingModel", w[1]));
}

void spirv_lift_import(struct spirv_lifter *l, const uint32_t *w)
{
    const char *name = spirv_literal(w + 2, l->arena);
    struct spirv_value *e = &l->values[w[1]];
    if (strcmp(name, "GLSL.std.450") == 0)
        e->type = 1;
    else if (strncmp(name, "NonSemantic.", 12) != 0 && strcmp(name, "OpenCL.DebugInfo.100") != 0 &&
             strcmp(name, "DebugInfo") != 0)
        spirv_wrong(l, "the instructions of \"%s\" are not executed", name);
}

static void take_declaration(struct spirv_lifter *l, uint32_t insn)
{
    unsigned op = l->m->insns[insn].op;
    l->meaning = spirv_declaration_of(&spirv_rows[l->m->insns[insn].row]);
    if (l->meaning)
        l->meaning->lift(l, l->w);
    else if (spirv_is_of(op, "Type-Declaration"))
        spirv_make_type(l, SPIRV_T_OTHER);
    else if (spirv_is_of(op, "Constant-Creation"))
        spirv_wrong(l, "it is not executed");
}

void spirv_begin_insn(struct spirv_lifter *l, uint32_t insn)
{
    l->at = l->b.insn = insn;
    l->w = spirv_words(l->m, insn);
    l->nw = l->m->insns[insn].count;
}

static bool make_tables(struct spirv_lifter *l)
{
    uint32_t bound = l->m->bound;
    l->types = ARENA_ARRAY(l->arena, struct spirv_type, bound);
    l->values = ARENA_ARRAY(l->arena, struct spirv_value, bound);
    l->variables = ARENA_ARRAY(l->arena, struct spirv_variable *, bound);
    l->functions = ARENA_ARRAY(l->arena, struct spirv_function *, bound);
    return l->types && l->values && l->variables && l->functions;
}

static void lift_program(struct lift *base)
{
    struct spirv_lifter *l = (struct spirv_lifter *)base;
    if (!make_tables(l))
        return;
    l->file_v = ir_add_file(l->b.p, (struct ir_file){.name = "v", .bits = 32, .count = 1});
    l->file_b = ir_add_file(l->b.p, (struct ir_file){.name = "b", .bits = 1, .count = 1});
    l->b.block = IR_PROLOGUE;
    for (uint32_t i = 0; i < l->m->ninsns && l->m->insns[i].op != SpvOpFunction && !l->failed; i++) {
        spirv_begin_insn(l, i);
        take_declaration(l, i);
    }
    if (l->failed || arena_failed(l->arena) || !spirv_find_functions(l))
        return;
    spirv_find_tables(l);
    spirv_lift_entry(l);
    if (l->failed || arena_failed(l->arena))
        return;
    spirv_resolve(l);
    l->b.p->files[l->file_v].count = l->elements ? l->elements : 1;
    l->b.p->files[l->file_b].count = l->flags ? l->flags : 1;
    if (l->table_elements)
        l->b.p->files[l->file_t].count = l->table_elements;
}

/* ---- the instruction set ---- */

static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct spirv_insn *i = &l->m->insns[number];
    bool text = l->m->text != NULL; /* else lines are of what the module was compiled from */
    return (struct lift_insn){.where = text ? &i->where : NULL,
                              .address = (uint64_t)i->at * 4,
                              .row = i->row,
                              .line = text ? 0 : i->line,
                              .source = text ? 0 : i->source};
}

static weft_status read_linkage(struct lift *base)
{
    struct spirv_lifter *l = (struct spirv_lifter *)base;
    return spirv_read_linkage(l->m->linkage, l->arena, &l->link, l->diags);
}

static const struct lift_set set = {.name = "spirv",
                                    .title = "SPIR-V",
                                    .stages = ISA_ALL_STAGES,
                                    .lanes = SPIRV_LANES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program,
                                    .policy = &spirv_policy,
                                    .x86_nans = true};

weft_status spirv_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    if (m->entry == SPIRV_NONE) {
        if (m->stage >= 0)
            diag_add(diags, WEFT_ERROR, "no-entry", m->name, NULL, "the module has no entry point of a %s program",
                     weft_stage_name((weft_stage)m->stage));
        else
            diag_add(diags, WEFT_ERROR, "no-entry", m->name, NULL, "the module has no entry point that weft can run");
        return WEFT_ERROR_INPUT;
    }
    struct spirv_lifter *l = ARENA_NEW(arena, struct spirv_lifter);
    weft_status status = l ? spirv_unroll(m, arena, &m, diags) : WEFT_ERROR_MEMORY;
    if (status != WEFT_OK)
        return status;
    *l = (struct spirv_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->ninsns,
            .sources = m->sources, .nsources = m->nsources}};
    return lift_run(&l->lift, m->stage, out);
}
