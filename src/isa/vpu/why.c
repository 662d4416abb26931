/* why.c - which operand no encoding of an instruction holds, and what it may be. */
#include "isa/vpu/choose.h"
#include "isa/vpu/flow.h"
#include "isa/vpu/names.h"
#include "isa/vpu/operand.h"

#include <stdarg.h>
#include <stdio.h>

struct why {
    char *out;
    size_t size;
};

static bool say(struct why *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool say(struct why *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->out, w->size, fmt, ap);
    va_end(ap);
    return true;
}

/* ---- vector ---- */

/* D and B lie in steps of 16 columns or rows; A does too in 48 bits alone. */
static bool is_apart(struct why *w, const struct vpu_operand *o, const char *which)
{
    if (o->kind != VPU_VREG || vpu_is_coarse(o))
        return false;
    if (o->vertical)
        return say(w, "%s is in row %u: of %s it is a multiple of 16 (of the first source any)", which, o->y, which);
    return say(w, "%s is in column %u: of %s it is a multiple of 16 (of the first source any)", which, o->x, which);
}

static bool immediate_is_far(struct why *w, const struct vpu_insn *i)
{
    bool addressed = vpu_is_load(i->op) || vpu_is_store(i->op);
    int32_t most = i->vb.kind == VPU_VIMM || addressed ? 32767 : 255;
    if (i->vb.kind == VPU_VREG || (i->imm >= -most - 1 && i->imm <= most))
        return false;
    return say(w, "%d is out of range: %s -%d to %d", i->imm,
               i->vb.kind == VPU_VIMM ? "immediates are"
               : addressed            ? "displacements of addresses are"
                                      : "what is added to a register is",
               most + 1, most);
}

static bool vector_why(struct why *w, const struct vpu_insn *i)
{
    bool addressed = (vpu_is_load(i->op) || vpu_is_store(i->op)) && i->vb.kind == VPU_SCALAR;
    if (is_apart(w, &i->vd, "the destination") || is_apart(w, &i->vb, "the second source") || immediate_is_far(w, i))
        return true;
    if (addressed && i->acc)
        return say(w, "loads and stores have neither accumulation nor a scalar result");
    if (i->vb.kind == VPU_SCALAR && i->vb.reg > 15)
        return say(w,
                   "r%u is out of range: with an offset, REP, a condition, ++, accumulation, a scalar result or mixed "
                   "directions the scalar register is r0 to r15",
                   i->vb.reg);
    return false;
}

/* ---- scalar ---- */

static bool addcmpb_why(struct why *w, const struct vpu_insn *i)
{
    int32_t distance = (int32_t)(i->target - i->address), reach = i->flags & VPU_IMMEDIATE ? 256 : 1024;
    unsigned high = i->d > 15 ? i->d : !(i->flags & VPU_STEP) && i->a > 15 ? i->a : 0;
    if (!high && !(i->flags & VPU_IMMEDIATE) && i->b > 15)
        high = i->b;
    if (high)
        return say(w, "%.*s is out of range: registers are r0 to r15", vpu_register_names[high].length,
                   vpu_register_names[high].text);
    if (i->target & 1)
        return say(w, "the target 0x%x is odd: instructions begin at even addresses", i->target);
    if (distance < -reach || distance >= reach)
        return say(w, "the target is %d bytes away: %d to %d are possible", distance, -reach, reach - 2);
    return false;
}

static bool branch_why(struct why *w, const struct vpu_insn *i)
{
    if (i->target & 1)
        return say(w, "the target 0x%x is odd: instructions begin at even addresses", i->target);
    if (i->cond != VPU_ALWAYS)
        return say(w, "the target is %d bytes away: a conditional branch reaches 8 MiB",
                   (int32_t)(i->target - i->address));
    return false;
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

static bool arithmetic_why(struct why *w, const struct vpu_insn *i)
{
    bool immediate = (i->flags & VPU_IMMEDIATE) != 0, conditional = i->cond != VPU_ALWAYS;
    if (vpu_ops[i->op].why_not)
        return say(w, "%s", vpu_ops[i->op].why_not);
    if (immediate && (i->imm < -32 || i->imm > 31))
        return say(w, "%d is out of range: with %s immediates are -32 to 31", i->imm,
                   conditional             ? "a condition"
                   : has_short_form(i->op) ? "three operands"
                                           : "this operation");
    return false;
}

static bool access_why(struct why *w, const struct vpu_insn *i)
{
    if (i->cond != VPU_ALWAYS && i->mode == VPU_OFFSET && (i->imm < 0 || i->imm > 31))
        return say(w, "%d is out of range: with a condition displacements are 0 to 31", i->imm);
    if (i->mode == VPU_OFFSET && (i->imm < -(1 << 26) || i->imm >= 1 << 26))
        return say(w, "%d is out of range: displacements are -67108864 to 67108863", i->imm);
    return false;
}

bool vpu_why_not(const struct vpu_insn *i, char *out, size_t size)
{
    const struct vpu_op_row *row = &vpu_ops[i->op];
    struct why w = {out, size};
    if (row->uses & VPU_VECTOR)
        return vector_why(&w, i);
    if (row->class != VPU_OTHER)
        return row->d_type != WEFT_TYPE_FLOAT && row->a_type != WEFT_TYPE_FLOAT && arithmetic_why(&w, i);
    if (row->uses & VPU_COMPARES)
        return addcmpb_why(&w, i);
    if (row->flow == WEFT_FLOW_NEXT)
        return row->bytes && access_why(&w, i);
    return vpu_has_target(i) && !(row->uses & VPU_ABSOLUTE_TARGET) && branch_why(&w, i);
}
