/* operands.c - what an instruction reads and writes, for weft/insn.h: the walk along its text, as weft_operands. */
#include "isa/insn.h"
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"

#include <string.h>

struct maker {
    struct weft_operand *operands;
    size_t n;
    const struct tesla_meaning_info *meaning;
    unsigned sources; /* so far */
    uint8_t stepped;  /* $a that a post-increment writes; 0: none */
};

static void add_modifier(struct weft_operand *o, const char *word)
{
    unsigned n = 0;
    while (n < WEFT_OPERAND_MODIFIERS && o->modifiers[n])
        n++;
    if (n < WEFT_OPERAND_MODIFIERS)
        o->modifiers[n] = word;
}

/* ---- registers ---- */

static struct weft_operand *add_register(struct maker *m, const char *file, uint32_t number, uint32_t count, int access,
                                         unsigned width)
{
    return insn_register(m->operands, &m->n, file, number, count, access, width);
}

static struct weft_operand *add_flags(struct maker *m, uint32_t number, int access)
{
    struct weft_operand *o = add_register(m, "c", number, 1, access, 4);
    o->type = WEFT_TYPE_FLAG;
    return o;
}

static struct weft_operand *add_resource(struct maker *m, const char *file, uint32_t number)
{
    struct weft_operand *o = add_register(m, file, number, 1, WEFT_READ, 32);
    o->kind = WEFT_OPERAND_RESOURCE;
    return o;
}

/* $r, by the size of what the operand names. */
static struct weft_operand *add_general(struct maker *m, const struct tesla_operand *o, uint32_t count, int access)
{
    struct weft_operand *made = add_register(m, "r", o->reg, count, access, o->kind == TESLA_O_HALF ? 16 : 32);
    made->shift = o->high ? 16 : 0;
    return made;
}

/* A result that is thrown away. */
static struct weft_operand *add_nothing(struct maker *m)
{
    return add_register(m, "r", TESLA_NO_DESTINATION, 1, 0, 32);
}

/* ---- memory ---- */

static struct weft_operand *add_memory(struct maker *m, const struct tesla_operand *o, int access)
{
    static const char *const spaces[TESLA_SPACES] = {"attribute", "primitive", "varying",  "output",
                                                     "shared",    "local",     "constant", "global"};
    struct weft_operand *made = &m->operands[m->n++];
    unsigned bits = tesla_type_bits(o->access);
    bool registers = o->access == TESLA_B64 || o->access == TESLA_B128; /* 32 bits at a time */
    if (m->meaning->properties & TESLA_UPDATES) {
        access = WEFT_READ | WEFT_WRITE;
        registers = false;
    }
    *made = (struct weft_operand){.kind = WEFT_OPERAND_MEMORY, .access = access, .space = spaces[o->space]};
    made->width = registers ? 32 : bits;
    made->count = registers ? bits / 32 : 1;
    if (o->space == TESLA_G_SPACE) {
        made->base = (weft_register){"r", o->reg};
    } else if (o->areg) {
        made->index = (weft_register){"a", o->areg};
        made->scale = 1;
    }
    if (o->space >= TESLA_C_SPACE) {
        made->has_dimension = 1;
        made->dimension = o->index;
    }
    if (!o->increment)
        made->displacement = o->offset;
    else
        m->stepped = o->areg;
    return made;
}

/* ---- numbers ---- */

static struct weft_operand *add_number(struct maker *m, const struct tesla_operand *o)
{
    bool is_signed = tesla_types[o->type].kind == WEFT_TYPE_SIGNED;
    unsigned bits = tesla_type_bits(o->type);
    struct weft_operand *made =
        insn_immediate(m->operands, &m->n, is_signed ? (int64_t)(int32_t)o->value : (int64_t)o->value, bits);
    if (o->type == TESLA_F32) {
        float f;
        memcpy(&f, &o->value, sizeof f);
        made->number = (double)f;
    }
    return made;
}

static struct weft_operand *add_target(struct maker *m, const struct tesla_operand *o)
{
    struct weft_operand *made = insn_immediate(m->operands, &m->n, o->value, 32);
    made->kind = WEFT_OPERAND_TARGET;
    return made;
}

/* ---- the walk ---- */

static struct weft_operand *add_value(struct maker *m, const struct tesla_operand *o, int access)
{
    switch ((enum tesla_operand_kind)o->kind) {
    case TESLA_O_NONE:
        return add_nothing(m);
    case TESLA_O_REG:
    case TESLA_O_HALF:
        return add_general(m, o, 1, access);
    case TESLA_O_PAIR:
        return add_general(m, o, 2, access);
    case TESLA_O_QUAD:
        return add_general(m, o, 4, access);
    case TESLA_O_VECTOR:
        return o->mask ? add_general(m, o, (uint32_t)__builtin_popcount(o->mask), access) : add_nothing(m);
    case TESLA_O_A: /* what is not there is neither read nor written */
        return add_register(m, "a", o->reg, 1, TESLA_A_REGISTERS >> o->reg & 1 ? access : 0, 16);
    case TESLA_O_C:
        return add_flags(m, o->reg, access);
    case TESLA_O_SREG:
        return add_register(m, "sr", o->reg, 1, access, 32);
    case TESLA_O_MEMORY:
        return add_memory(m, o, access);
    case TESLA_O_IMMEDIATE:
        return add_number(m, o);
    case TESLA_O_TARGET:
        return add_target(m, o);
    case TESLA_O_TEXTURE:
        return add_resource(m, "t", o->reg);
    case TESLA_O_SAMPLER:
        return add_resource(m, "s", o->reg);
    }
    return add_nothing(m);
}

static void add_operand(struct maker *m, const struct tesla_walk *w)
{
    const struct tesla_operand *o = &w->operand;
    bool written = w->item->role == TESLA_R_RESULT || w->item->role == TESLA_R_CDST;
    int access = written ? WEFT_WRITE : WEFT_READ;
    if (w->item->role == TESLA_R_SOURCE && m->sources++ == 0 && (m->meaning->properties & TESLA_SKIPS_FIRST) &&
        o->kind != TESLA_O_MEMORY)
        access = 0;
    struct weft_operand *made = add_value(m, o, access);
    if (w->item->role >= TESLA_R_TEXEL_X && w->item->role <= TESLA_R_TEXEL_Z) {
        made->integer = (int32_t)o->value;
        made->number = (int32_t)o->value;
    }
    if (w->item->role == TESLA_R_SOURCE || w->item->role == TESLA_R_RESULT)
        made->type = o->kind == TESLA_O_C ? WEFT_TYPE_FLAG : tesla_types[o->type].kind;
    if (o->neg)
        add_modifier(made, "neg");
    if (o->abs)
        add_modifier(made, "abs");
    if (o->inv)
        add_modifier(made, "not");
}

/* What the parenthesis before the mnemonic reads: the predicate, or of a test its operand. */
static void add_predicate(struct maker *m, const struct tesla_template *t, uint64_t word)
{
    uint32_t code = t->predicated ? tesla_get(word, TESLA_FIELD_PREDICATE) : TESLA_ALWAYS;
    if (code == TESLA_ALWAYS || code == TESLA_NEVER)
        return;
    struct weft_operand *o = add_flags(m, tesla_get(word, TESLA_FIELD_CSRC), WEFT_READ);
    o->role = m->meaning->properties & TESLA_TESTS ? WEFT_ROLE_PLAIN : WEFT_ROLE_PREDICATE;
    add_modifier(o, tesla_predicates[code]);
}

size_t tesla_insn_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands)
{
    const struct tesla_row *row = &tesla_rows[insn->rows[0]];
    struct tesla_target target = tesla_target_at(d->chip_number, d->stage);
    struct maker m = {.operands = operands, .meaning = &tesla_meanings[row->meaning]};
    struct tesla_walk w;
    uint64_t word = insn_bits(insn->bytes, 0, insn->size * 8);
    tesla_walk_start(&w, row, word, &target);
    add_predicate(&m, w.t, word);
    while (tesla_walk_next(&w))
        if (w.item->kind == TESLA_I_OPERAND)
            add_operand(&m, &w);
    if (TESLA_A_REGISTERS >> m.stepped & 1)
        add_register(&m, "a", m.stepped, 1, WEFT_WRITE, 16)->role = WEFT_ROLE_IMPLIED;
    return m.n;
}
