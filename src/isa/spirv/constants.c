/* constants.c - constants, and specialisation constants with the values that the linkage gives. */
#include "isa/spirv/lift.h"

#include <string.h>

bool spirv_zeros(struct spirv_lifter *l, uint32_t type, ir_value *v, uint32_t n)
{
    const uint8_t *leaf = spirv_leaves(l, type);
    for (uint32_t i = 0; leaf && i < n; i++)
        v[i] = spirv_const(l, (enum ir_type)leaf[i], 0);
    return leaf != NULL;
}

static const struct spirv_special *special_of(const struct spirv_lifter *l, uint32_t id)
{
    uint32_t number = spirv_decorated(l->m, id, SPIRV_NONE, SpvDecorationSpecId, SPIRV_NONE);
    for (size_t i = 0; number != SPIRV_NONE && i < l->link.nspecial; i++)
        if (l->link.special[i].id == number)
            return &l->link.special[i];
    return NULL;
}

/* What the linkage gives a constant in place of its own value; NULL: nothing. */
static const struct spirv_special *given_to(const struct spirv_lifter *l)
{
    return l->meaning->op & SPIRV_SPECIAL ? special_of(l, l->w[2]) : NULL;
}

void spirv_lift_constant_number(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_type *t = spirv_type(l, w[1]);
    const struct spirv_special *given = given_to(l);
    if ((t->kind != SPIRV_T_INT && t->kind != SPIRV_T_FLOAT) || l->nw < (t->bits == 64 ? 5u : 4u)) {
        spirv_wrong(l, "the type of the constant is not a number of this width");
        return;
    }
    uint64_t bits = w[3] | (t->bits == 64 ? (uint64_t)w[4] << 32 : 0);
    ir_value v = spirv_const(l, (enum ir_type)t->ir, given ? given->value : bits);
    spirv_result(l, &v, 1);
}

void spirv_lift_constant_bool(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_special *given = given_to(l);
    ir_value v = spirv_const(l, IR_I1, given ? given->value != 0 : (l->meaning->op & SPIRV_TRUE) != 0);
    (void)w;
    spirv_result(l, &v, 1);
}

/* Instructions that compute and nothing else: the lift of others asks where they are. */
static bool computes(uint32_t opcode)
{
    static const char *const classes[] = {"Conversion", "Composite", "Arithmetic", "Bit", "Relational and Logical"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (spirv_is_of(opcode, classes[i]))
            return true;
    return false;
}

struct operands {
    const struct spirv_lifter *l;
    const uint32_t *w;
    bool unknown; /* one is not an id of the module */
};

static void visit(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct operands *o = context;
    (void)kind;
    (void)count;
    o->unknown |= letter == 'i' && (o->w[at] == 0 || o->w[at] >= o->l->m->bound);
}

/* OpSpecConstantOp: the words of the instruction that it names, which nobody has looked at. */
void spirv_lift_constant_of_op(struct spirv_lifter *l, const uint32_t *outer)
{
    unsigned n = l->nw - 1;
    const struct spirv_meaning *meaning = spirv_meaning_of(outer[3]);
    const struct spirv_row *row = spirv_row_of(outer[3]);
    uint32_t w[64] = {0};
    if (!meaning || !row || n > sizeof w / sizeof *w || !computes(outer[3])) {
        spirv_wrong(l, "OpSpecConstantOp of %s is not executed", row ? row->name : "an unknown opcode");
        return;
    }
    w[0] = n << 16 | outer[3];
    w[1] = outer[1];
    w[2] = outer[2];
    memcpy(w + 3, outer + 4, (n - 3) * sizeof *w);
    struct operands operands = {l, w, false};
    const char *fault = spirv_walk(row, w, n, visit, &operands);
    if (fault || operands.unknown) {
        spirv_wrong(l, "OpSpecConstantOp of %s: %s", row->name, fault ? fault : "an operand is not an id");
        return;
    }
    l->w = w;
    l->nw = n;
    l->meaning = meaning;
    meaning->lift(l, w);
    l->w = outer;
    l->nw = n + 1;
}
