/* why.c - which operand no encoding of an instruction holds, and what it may be. */
#include "isa/vpu/encode.h"
#include "isa/vpu/names.h"
#include "isa/vpu/operand.h"

#include <stdarg.h>
#include <stdio.h>

static bool say(struct vpu_why *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool say(struct vpu_why *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->text, sizeof w->text, fmt, ap);
    va_end(ap);
    return true;
}

/* ---- vector ---- */

/* D and B lie in steps of 16 columns or rows; A does too in 48 bits alone. */
static bool is_apart(struct vpu_why *w, const struct vpu_operand *o, const char *which, uint32_t item)
{
    if (o->kind != VPU_VREG || vpu_is_coarse(o))
        return false;
    w->items = item;
    if (o->vertical)
        return say(w, "%s is in row %u: of %s it is a multiple of 16 (of the first source any)", which, o->y, which);
    return say(w, "%s is in column %u: of %s it is a multiple of 16 (of the first source any)", which, o->x, which);
}

static bool immediate_is_far(struct vpu_why *w, const struct vpu_insn *i)
{
    bool addressed = vpu_is_load(i->op) || vpu_is_store(i->op);
    int32_t most = i->vb.kind == VPU_VIMM || addressed ? 32767 : 255;
    if (i->vb.kind == VPU_VREG || (i->imm >= -most - 1 && i->imm <= most))
        return false;
    w->items = VPU_ITEM(VB);
    return say(w, "%d is out of range: %s -%d to %d", i->imm,
               i->vb.kind == VPU_VIMM ? "immediates are"
               : addressed            ? "displacements of addresses are"
                                      : "what is added to a register is",
               most + 1, most);
}

static bool vector_why(struct vpu_why *w, const struct vpu_insn *i)
{
    bool addressed = (vpu_is_load(i->op) || vpu_is_store(i->op)) && i->vb.kind == VPU_SCALAR;
    if (is_apart(w, &i->vd, "the destination", VPU_ITEM(VD)) ||
        is_apart(w, &i->vb, "the second source", VPU_ITEM(VB)) || immediate_is_far(w, i))
        return true;
    if (addressed && i->acc)
        return say(w, "loads and stores have neither accumulation nor a scalar result");
    w->items = VPU_ITEM(VB);
    if (i->vb.kind == VPU_SCALAR && i->vb.reg > 15)
        return say(w,
                   "r%u is out of range: with an offset, REP, a condition, ++, accumulation, a scalar result or mixed "
                   "directions the scalar register is r0 to r15",
                   i->vb.reg);
    return false;
}

/* ---- scalar: what the form that comes nearest does not hold ---- */

/* What a form does not hold. */
enum { MISFIT_TARGET = 1, MISFIT_NUMBER = 2, MISFIT_REGISTER = 4, MISFIT_PAIR = 8, MISFIT_COND = 16, MISFIT_KIND = 32 };

static uint8_t byte_of(uint64_t head, size_t member)
{
    uint8_t bytes[sizeof head];
    memcpy(bytes, &head, sizeof head);
    return bytes[member - offsetof(struct vpu_insn, form)];
}

static const size_t registers[] = {offsetof(struct vpu_insn, d), offsetof(struct vpu_insn, a),
                                   offsetof(struct vpu_insn, b)};
static const uint32_t register_items[] = {VPU_ITEM(D) | VPU_ITEM(LEFT), VPU_ITEM(A) | VPU_ITEM(LEFT) | VPU_ITEM(ACCESS),
                                          VPU_ITEM(B) | VPU_ITEM(ACCESS)};

/* The first register that does not fit its field; -1: all do. */
static int misfit_register(const struct vpu_candidate *c, const struct vpu_insn *i)
{
    uint64_t wrong = (vpu_head(i) ^ c->value) & c->mask;
    for (int n = 0; n < 3; n++)
        if (byte_of(wrong, registers[n]))
            return n;
    return -1;
}

static bool is_number_far(const struct vpu_candidate *c, const struct vpu_insn *i)
{
    return ((uint32_t)i->imm & c->odd) != 0 || (uint32_t)i->imm - (uint32_t)c->least > c->range;
}

static unsigned misfits_of(const struct vpu_tables *t, const struct vpu_candidate *c, const struct vpu_insn *i)
{
    uint64_t wrong = (vpu_head(i) ^ c->value) & c->mask;
    int reg = misfit_register(c, i);
    bool implied = reg >= 0 && byte_of(c->mask, registers[reg]) == 255;
    unsigned misfits = 0;
    if (c->op != i->op || implied || byte_of(wrong, offsetof(struct vpu_insn, flags)) ||
        byte_of(wrong, offsetof(struct vpu_insn, mode)))
        return MISFIT_KIND;
    if (byte_of(wrong, offsetof(struct vpu_insn, cond)))
        misfits |= MISFIT_COND;
    if (reg >= 0)
        misfits |= MISFIT_REGISTER;
    if (c->same && i->a != i->d)
        misfits |= MISFIT_PAIR;
    if (is_number_far(c, i))
        misfits |= MISFIT_NUMBER;
    if (!misfits && !vpu_fits(t, c, i, VPU_EXACTLY))
        misfits |= MISFIT_TARGET;
    return misfits;
}

/* How far a form is from an instruction: the number of things that it does not hold, of which a condition is one that
 * cannot be said in another way. */
static unsigned distance_of(unsigned misfits)
{
    return (unsigned)__builtin_popcount(misfits) + (misfits & MISFIT_COND ? 1 : 0) + (misfits & MISFIT_KIND ? 99 : 0);
}

static const struct vpu_candidate *nearest(const struct vpu_tables *t, const struct vpu_insn *i,
                                           const struct vpu_wish *wish)
{
    const struct vpu_candidate *best = NULL;
    unsigned least = 99;
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        unsigned misfits = misfits_of(t, c, i), distance = distance_of(misfits);
        bool wider = best && distance == least && misfits & MISFIT_NUMBER && c->range > best->range;
        if (vpu_is_wished(&t->form[c->form], wish) && distance < 99 && (distance < least || wider)) {
            best = c;
            least = distance;
        }
    }
    return best;
}

/* Has the operation a form "op rd,i" or "op rd,rs"? */
static bool has_short_form(unsigned op)
{
    const struct vpu_tables *t = vpu_tables();
    for (unsigned n = t->candidate_first[op]; n < t->candidate_first[op + 1]; n++)
        if (t->form[t->candidate[n].form].has & VPU_ITEM(LEFT))
            return true;
    return false;
}

static const char *circumstance(const struct vpu_form *f, const struct vpu_candidate *c, const struct vpu_insn *i)
{
    if (i->cond != VPU_ALWAYS && f->conditional)
        return "with a condition";
    if (f->has & VPU_ITEM(ACCESS))
        return "in this form";
    return !c->same && has_short_form(i->op) ? "with three operands" : "with this operation";
}

static bool number_why(struct vpu_why *w, const struct vpu_form *f, const struct vpu_candidate *c,
                       const struct vpu_insn *i, const struct vpu_wish *wish)
{
    bool access = (f->has & VPU_ITEM(ACCESS)) != 0;
    char in[40], step[40] = "";
    snprintf(in, sizeof in, "%s", circumstance(f, c, i));
    if (wish->size || wish->name)
        snprintf(in, sizeof in, "in this encoding");
    if (c->odd)
        snprintf(step, sizeof step, " in steps of %u", c->odd + 1);
    w->items = access ? VPU_ITEM(ACCESS) : VPU_ITEM(NUMBER);
    if (c->range == 0)
        return say(w, "%s there is no displacement", in);
    return say(w, "%d is out of range: %s %s are %d to %d%s", i->imm, in, access ? "displacements" : "immediates",
               c->least, (int32_t)((uint32_t)c->least + (c->range & ~c->odd)), step);
}

/* The number that the field of a target holds is its distance. */
static bool target_why(struct vpu_why *w, const struct vpu_form *f, const struct vpu_insn *i)
{
    int32_t distance = (int32_t)(i->target - i->address);
    w->items = VPU_ITEM(TARGET);
    if (i->target & 1 && !(vpu_ops[i->op].uses & VPU_ABSOLUTE_TARGET))
        return say(w, "the target 0x%x is odd: instructions begin at even addresses", i->target);
    for (unsigned n = 0; n < f->nroles; n++) {
        int32_t reach = (int32_t)(f->field[n].scale << (f->field[n].width - 1));
        if (f->field[n].role == VPU_ROLE_TARGET)
            return say(w, "the target is %d bytes away: %d to %d are possible", distance, -reach,
                       reach - f->field[n].scale);
    }
    return false;
}

static bool misfit_why(struct vpu_why *w, const struct vpu_candidate *c, unsigned misfits, const struct vpu_insn *i,
                       const struct vpu_wish *wish)
{
    const struct vpu_form *f = &vpu_tables()->form[c->form];
    int n = misfit_register(c, i);
    if (misfits & MISFIT_COND)
        return say(w, i->flags & VPU_TO_REGISTER ? "to a register it has no condition"
                      : wish->size               ? "there it has no condition"
                                                 : "it has no condition");
    if (misfits & MISFIT_REGISTER) {
        const struct vpu_letters *name = &vpu_register_names[((const uint8_t *)i)[registers[n]]];
        w->items = register_items[n];
        return say(w, "%.*s is out of range: registers are r0 to r%u", name->length, name->text,
                   255u & ~byte_of(c->mask, registers[n]));
    }
    if (misfits & MISFIT_NUMBER)
        return number_why(w, f, c, i, wish);
    if (misfits & MISFIT_PAIR) {
        w->items = VPU_ITEM(A);
        return say(w, "it has two operands, the first of which is a source too");
    }
    return misfits & MISFIT_TARGET && target_why(w, f, i);
}

/* What encodings there are, where none is as wished for. */
static bool wish_why(struct vpu_why *w, const struct vpu_insn *i, const struct vpu_wish *wish)
{
    const struct vpu_tables *t = vpu_tables();
    char list[160] = "";
    size_t length = 0;
    const char *last = "";
    unsigned size = 0;
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_form *f = &t->form[t->candidate[n].form];
        if (vpu_is_wished(f, wish))
            return say(w, "there they are %s", f->row->text);
        if (length >= sizeof list - 24 || (wish->name ? strcmp(f->row->name, last) == 0 : f->size == size))
            continue;
        const char *comma = length ? ", " : "";
        length += (size_t)(wish->name ? snprintf(list + length, sizeof list - length, "%s%s", comma, f->row->name)
                                      : snprintf(list + length, sizeof list - length, "%s%u", comma, f->size * 8u));
        last = f->row->name;
        size = f->size;
    }
    return length && say(w, wish->name ? "the names of its encodings are %s" : "its encodings have %s bits", list);
}

static bool scalar_why(struct vpu_why *w, const struct vpu_insn *i, const struct vpu_wish *wish)
{
    const struct vpu_tables *t = vpu_tables();
    const struct vpu_candidate *c = nearest(t, i, wish);
    if (vpu_ops[i->op].why_not && !wish->size && !wish->name)
        return say(w, "%s", vpu_ops[i->op].why_not);
    if (c)
        return misfit_why(w, c, misfits_of(t, c, i), i, wish);
    return (wish->size || wish->name) && wish_why(w, i, wish);
}

bool vpu_why_not(const struct vpu_insn *i, const struct vpu_wish *wish, struct vpu_why *out)
{
    *out = (struct vpu_why){0};
    bool known = vpu_ops[i->op].uses & VPU_VECTOR ? vector_why(out, i) : scalar_why(out, i, wish);
    if (!known || !*out->text)
        out->items = 0;
    return known;
}
