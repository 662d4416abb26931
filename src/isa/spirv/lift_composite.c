/* lift_composite.c - vectors, matrices, arrays and structs as values: lists of scalars. */
#include "isa/spirv/lift.h"

#include <string.h>

/* Also of nulls. A pointer, an image and what else is not made of numbers has no value: to name one is not an error,
 * to use it is, and the validator lets nobody load by such a pointer. */
void spirv_lift_undef(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_type *t = spirv_type(l, w[1]);
    ir_value *v = spirv_room(l, t->scalars);
    if (v && (t->scalars || t->empty) && spirv_zeros(l, w[1], v, t->scalars))
        spirv_result(l, v, t->scalars);
}

/* Also of constants: scalars of the constituents one after the other. */
void spirv_lift_construct(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t total = spirv_type(l, w[1])->scalars, at = 0;
    ir_value *v = spirv_room(l, total);
    for (unsigned i = 3; i < l->nw && v; i++) {
        uint32_t count;
        const ir_value *a = spirv_use(l, w[i], &count);
        if (!a)
            return;
        if (count > total - at) {
            spirv_wrong(l, "its constituents are more than the type has");
            return;
        }
        memcpy(v + at, a, count * sizeof *v);
        at += count;
    }
    if (v)
        spirv_result(l, v, at);
}

/* The part of a value that numbers lead to: its first scalar and its type. */
static bool find_part(struct spirv_lifter *l, uint32_t id, const uint32_t *index, unsigned n, uint32_t *first,
                      uint32_t *type)
{
    const struct spirv_value *e = spirv_value_of(l, id);
    *first = 0;
    if (!e)
        return false;
    *type = e->type;
    for (unsigned i = 0; i < n; i++) {
        uint32_t before;
        if (!spirv_part(l, *type, index[i], type, &before)) {
            spirv_wrong(l, "an index goes into what has no parts, or not that many");
            return false;
        }
        *first += before;
    }
    return true;
}

void spirv_lift_extract(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count, first, type;
    const ir_value *a = spirv_use(l, w[3], &count);
    if (a && find_part(l, w[3], w + 4, l->nw - 4, &first, &type))
        spirv_result(l, a + first, spirv_type(l, type)->scalars);
}

void spirv_lift_insert(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count, have, first, type;
    const ir_value *object = spirv_use(l, w[3], &have), *a = object ? spirv_use(l, w[4], &count) : NULL;
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v || !find_part(l, w[4], w + 5, l->nw - 5, &first, &type))
        return;
    if (spirv_type(l, type)->scalars != have) {
        spirv_wrong(l, "what is inserted is of another type than the part");
        return;
    }
    memcpy(v, a, count * sizeof *v);
    memcpy(v + first, object, have * sizeof *v);
    spirv_result(l, v, count);
}

void spirv_lift_copy(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const struct spirv_value *e = l->variables[w[3]] ? NULL : spirv_value_of(l, w[3]);
    if (l->variables[w[3]] || (e && e->what == SPIRV_POINTER)) {
        struct spirv_pointer p;
        ir_value dynamic;
        if (spirv_pointer_of(l, w[3], &p, &dynamic))
            spirv_result_pointer(l, &p, dynamic);
    } else if (e && e->what == SPIRV_OPAQUE) {
        const ir_value *chosen;
        const struct spirv_opaque *o = spirv_use_opaque(l, w[3], &chosen);
        if (o)
            spirv_result_opaque(l, o, chosen);
    } else if (e) {
        const ir_value *a = spirv_use(l, w[3], &count);
        if (a)
            spirv_result(l, a, count);
    }
}

void spirv_lift_shuffle(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t first, second;
    const ir_value *a = spirv_use(l, w[3], &first), *b = a ? spirv_use(l, w[4], &second) : NULL;
    ir_value *v = b ? spirv_room(l, l->nw) : NULL;
    for (unsigned i = 5; v && i < l->nw; i++) {
        uint32_t k = w[i];
        if (k != UINT32_MAX && k >= first + second) {
            spirv_wrong(l, "component %u: the two vectors have %u", k, first + second);
            return;
        }
        v[i - 5] = k == UINT32_MAX ? spirv_const(l, ir_type_of(&l->b, a[0]), 0) : k < first ? a[k] : b[k - first];
    }
    if (v)
        spirv_result(l, v, l->nw - 5);
}

/* ---- components by a number that is not known ---- */

void spirv_lift_extract_dynamic(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    ir_value index = a ? spirv_use_index(l, w[4]) : 0;
    if (!index)
        return;
    ir_value v = a[0];
    for (uint32_t i = 1; i < count; i++)
        v = spirv_select(l, spirv_2(l, IR_EQ, index, spirv_i32(l, i)), a[i], v);
    spirv_result(l, &v, 1);
}

void spirv_lift_insert_dynamic(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    ir_value part = a ? spirv_use_one(l, w[4], ir_type_of(&l->b, a[0])) : 0;
    ir_value index = part ? spirv_use_index(l, w[5]) : 0, *v = index ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_select(l, spirv_2(l, IR_EQ, index, spirv_i32(l, i)), part, a[i]);
    spirv_result(l, v, count);
}

/* ---- choices ---- */

void spirv_lift_select(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t yes, no, conditions;
    const ir_value *c = spirv_use_alike(l, w[3], &conditions), *a = c ? spirv_use(l, w[4], &yes) : NULL;
    const ir_value *b = a ? spirv_use(l, w[5], &no) : NULL;
    ir_value *v = b ? spirv_room(l, yes) : NULL;
    if (!v)
        return;
    bool fits = yes == no && (conditions == 1 || conditions == yes) && ir_type_of(&l->b, c[0]) == IR_I1;
    for (uint32_t i = 0; fits && i < yes; i++)
        fits = ir_type_of(&l->b, a[i]) == ir_type_of(&l->b, b[i]);
    if (!fits) {
        spirv_wrong(l, "its operands are of types that do not go together");
        return;
    }
    for (uint32_t i = 0; i < yes; i++)
        v[i] = spirv_select(l, c[conditions == 1 ? 0 : i], a[i], b[i]);
    spirv_result(l, v, yes);
}

void spirv_lift_any_all(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use_alike(l, w[3], &count);
    if (!a || ir_type_of(&l->b, a[0]) != IR_I1) {
        spirv_wrong(l, "its operand is not of Booleans");
        return;
    }
    ir_value v = a[0];
    for (uint32_t i = 1; i < count; i++)
        v = spirv_2(l, (enum ir_opcode)l->meaning->op, v, a[i]);
    spirv_result(l, &v, 1);
}
