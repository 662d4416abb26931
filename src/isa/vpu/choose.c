/* choose.c - the encoding of an instruction: the shortest form that holds its operands. */
#include "isa/vpu/choose.h"

/* How unlike the text is to what a disassembly of the form looks like. */
static unsigned unlike(unsigned writes, unsigned written)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return bits[(writes ^ written) & 15];
}

bool vpu_is_wished(const struct vpu_form *f, const struct vpu_wish *wish)
{
    if (wish->size && f->size != wish->size)
        return false;
    const char *name = f->row->name;
    return !wish->name || (strncmp(name, wish->name, wish->name_length) == 0 && name[wish->name_length] == '\0');
}

unsigned vpu_least_size(const struct vpu_insn *i, const struct vpu_wish *wish)
{
    const struct vpu_tables *t = vpu_tables();
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (vpu_is_wished(&t->form[c->form], wish) && vpu_fits(t, c, i, VPU_ANYWHERE))
            return c->size;
    }
    return 0;
}

bool vpu_choose(const struct vpu_insn *i, const struct vpu_wish *wish, struct vpu_choice *out)
{
    const struct vpu_tables *t = vpu_tables();
    unsigned best_unlike = 0;
    bool found = false;
    for (unsigned n = t->candidate_first[i->op]; n < t->candidate_first[i->op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (found && c->size > t->form[out->form].size)
            break;
        if (!vpu_fits(t, c, i, VPU_EXACTLY) || !vpu_is_wished(&t->form[c->form], wish))
            continue;
        unsigned u = unlike(c->writes, wish->written);
        if (found && u >= best_unlike)
            continue;
        found = true;
        best_unlike = u;
        *out = (struct vpu_choice){c->form, c->op, i->imm >> c->shift};
    }
    return found;
}

/* Is the operand an address that is encoded as a distance? */
static bool is_distance(const struct vpu_form *f)
{
    return (f->has & (VPU_ITEM(TARGET) | VPU_ITEM(NEAR))) != 0;
}

enum vpu_pin vpu_pin_needed(const struct vpu_tables *t, const struct vpu_rivals *rivals, const struct vpu_insn *i,
                            unsigned written, enum vpu_reach reach)
{
    const struct vpu_form *own = &t->form[i->form];
    const struct vpu_candidate *first = &t->rival[rivals->first], *end = first + rivals->count;
    enum vpu_pin pin = VPU_PIN_NONE;
    if (!is_distance(own))
        reach = VPU_EXACTLY;
    for (const struct vpu_candidate *c = first; c < end; c++) {
        if (!vpu_fits(t, c, i, reach))
            continue;
        if (c->size < own->size) {
            pin = pin == VPU_PIN_NONE ? VPU_PIN_SIZE : pin;
            continue;
        }
        unsigned u = unlike(c->writes, written), own_unlike = unlike(vpu_form_writes(own, i->op), written);
        if (u < own_unlike || (u == own_unlike && c - first < rivals->before))
            pin = VPU_PIN_NAME;
    }
    return pin;
}
