/* sop.c - arguments of the F16 sums of products: weft's own encoding of them (docs/manual/rogue.md). */
#include "isa/rogue/template.h"

/* From the low end: 3 bits where it is from; then, but for F16SOP, a bit for bytes; 2 bits of element, which say of
 * what is not a byte that it is a half, or with WHOLE the register as a float. Then, but for F16SOP, abs; neg or
 * oneminus; by the letter of the argument what else it may have. */
enum { FROM_BITS = 3, WHOLE = 2, NOTHING = 3 };

/* a b c d are negated, e f g h are taken from one, v w x y are added. */
enum letters { MULTIPLIED, MULTIPLIER, ADDED };
static enum letters letter_of(enum rogue_field field)
{
    return field <= ROGUE_F_ARG_D ? MULTIPLIED : field <= ROGUE_F_ARG_H ? MULTIPLIER : ADDED;
}

/* Arguments of F16SOP have six bits: no bytes, no .abs. */
static bool is_short(const struct rogue_form *form)
{
    enum { SHORT = 6 };
    return form->pattern.field[form->slot[ROGUE_F_ARG_A]].width == SHORT;
}

/* Those that multiply have .clamp in F16SOP.U8, which is a sum, and .flr in the others. */
static bool clamps(const struct rogue_form *form, enum letters letter)
{
    return letter != MULTIPLIED || form->slot[ROGUE_F_JOP] >= 0;
}

static void read_element(struct rogue_sop_source *s, bool byte, unsigned element)
{
    s->type = byte ? ROGUE_SOP_U8 : element >= WHOLE ? ROGUE_SOP_F32 : ROGUE_SOP_F16;
    s->element = (uint8_t)(s->type == ROGUE_SOP_F32 ? 0 : element);
}

static struct rogue_sop_source read_code(const struct rogue_form *form, enum rogue_field field, uint64_t code)
{
    enum letters letter = letter_of(field);
    struct rogue_sop_source s = {.from = code & 7};
    code >>= FROM_BITS;
    bool sign;
    if (is_short(form)) {
        read_element(&s, false, code & 3);
        sign = code >> 2 & 1;
    } else {
        read_element(&s, code & 1, code >> 1 & 3);
        s.abs = code >> 3 & 1;
        sign = code >> 4 & 1;
        bool third = code >> 5 & 1;
        s.clamp = third && clamps(form, letter);
        s.flr = letter == ADDED ? code >> 6 & 1 : third && !s.clamp;
    }
    s.neg = sign && letter != MULTIPLIER;
    s.oneminus = sign && letter == MULTIPLIER;
    return s;
}

uint64_t rogue_sop_valid(const struct rogue_form *form)
{
    uint64_t valid = 0;
    for (unsigned code = 0; code < 64; code++) {
        bool byte = !is_short(form) && (code >> FROM_BITS & 1);
        unsigned element = code >> (is_short(form) ? FROM_BITS : FROM_BITS + 1) & 3;
        valid |= (uint64_t)(byte || element != NOTHING) << code;
    }
    return valid;
}

struct rogue_sop_source rogue_sop_get(const struct rogue_insn *insn, enum rogue_field field)
{
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    return read_code(v->form, field, rogue_code(v, &insn->bits, field));
}

bool rogue_sop_write(const struct rogue_form *form, enum rogue_field field, const struct rogue_sop_source *s,
                     uint64_t *code)
{
    enum letters letter = letter_of(field);
    uint64_t sign = s->neg || s->oneminus, third = s->clamp || (s->flr && letter != ADDED),
             byte = s->type == ROGUE_SOP_U8;
    uint64_t element = s->type == ROGUE_SOP_F32 ? WHOLE : s->element & 3;
    if (is_short(form))
        *code = s->from | element << 3 | sign << 5;
    else
        *code = s->from | byte << 3 | element << 4 | (uint64_t)s->abs << 6 | sign << 7 | third << 8 |
                (uint64_t)(s->flr && letter == ADDED) << 9;
    struct rogue_sop_source back = read_code(form, field, *code);
    return back.from == s->from && back.type == s->type && back.element == s->element && back.neg == s->neg &&
           back.oneminus == s->oneminus && back.abs == s->abs && back.clamp == s->clamp && back.flr == s->flr;
}
