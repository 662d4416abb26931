/* flow.c - where control goes after an instruction, and which bytes it reaches. */
#include "isa/vpu/flow.h"

#include "isa/vpu/table.h"
#include "isa/vpu/lift.h"

#include <stdlib.h>
#include <string.h>

/* ---- one instruction ---- */

bool vpu_does_nothing(const struct vpu_insn *i)
{
    bool store = vpu_is_vector(i) && vpu_is_store(i->op), indexed = vpu_ops[i->op].attr != VPU_BY_LANE;
    return vpu_is_idle(i) || (store && (i->vb.kind == VPU_VREG || (indexed && i->va.kind == VPU_DASH)));
}

bool vpu_ends_flow(const struct vpu_insn *i)
{
    if (vpu_is_data(i) || vpu_ops[i->op].uses & VPU_STOPS)
        return true;
    switch (vpu_flow_of(i)) {
    case WEFT_FLOW_BRANCH:
    case WEFT_FLOW_RETURN:
        return i->cond == VPU_ALWAYS;
    default:
        return i->cond == VPU_ALWAYS && vpu_writes_pc(i);
    }
}

/* Control comes back from a call and from a handler, unless it does not. */
static bool may_not_return(const struct vpu_insn *i)
{
    return vpu_ops[i->op].flow == WEFT_FLOW_CALL || vpu_ops[i->op].flow == WEFT_FLOW_TRAP;
}

/* ---- what is reached ---- */

/* What is known of the halfword at an address: whether it begins an instruction that is surely reached, or perhaps. */
enum { PERHAPS = 1, SURELY = 2 };

struct place {
    uint32_t address;
    uint8_t how;
};

struct walk {
    const struct isa_module *m;
    uint8_t **bytes, **marks; /* by section */
    struct arena arena;
    struct place *todo;
    size_t ntodo, todo_cap;
    vpu_reached_fn *reached;
    void *context;
};

static bool load_sections(struct walk *w)
{
    const struct isa_module *m = w->m;
    w->bytes = ARENA_ARRAY(&w->arena, uint8_t *, m->nsections + 1);
    w->marks = ARENA_ARRAY(&w->arena, uint8_t *, m->nsections + 1);
    for (uint32_t s = 0; s < m->nsections && w->bytes && w->marks; s++) {
        const struct vpu_section *section = &m->sections[s];
        if (section->nobits || section->size == 0)
            continue;
        w->bytes[s] = arena_alloc(&w->arena, section->size);
        w->marks[s] = arena_alloc(&w->arena, section->size);
        if (!w->bytes[s] || !w->marks[s])
            return false;
        vpu_section_bytes(m, section, w->bytes[s]);
        memset(w->marks[s], 0, section->size);
    }
    return w->bytes && w->marks;
}

/* The section of an address that has bytes; -1: none has. */
static int section_of(const struct walk *w, uint32_t address)
{
    for (uint32_t s = 0; s < w->m->nsections; s++)
        if (w->bytes[s] && address - w->m->sections[s].address < w->m->sections[s].size)
            return (int)s;
    return -1;
}

static void go_later(struct walk *w, uint32_t address, uint8_t how)
{
    int s = address & 1 ? -1 : section_of(w, address);
    if (s < 0 || w->marks[s][address - w->m->sections[s].address] >= how)
        return;
    struct place *grown = arena_grow(&w->arena, w->todo, sizeof *grown, w->ntodo, &w->todo_cap, w->ntodo + 1);
    if (!grown)
        return;
    w->todo = grown;
    grown[w->ntodo++] = (struct place){address, how};
}

static void follow(struct walk *w, struct place at)
{
    int s = section_of(w, at.address);
    while (s >= 0) {
        const struct vpu_section *section = &w->m->sections[s];
        uint32_t offset = at.address - section->address;
        struct vpu_insn insn;
        if (offset >= section->size) {
            s = section_of(w, at.address);
            if (s < 0)
                w->reached(w->context, at.address, NULL, at.how == SURELY);
            continue;
        }
        if (w->marks[s][offset] >= at.how)
            return;
        w->marks[s][offset] = at.how;
        vpu_decode_insn(w->bytes[s] + offset, section->size - offset, at.address, &insn);
        if (vpu_is_data(&insn)) {
            w->reached(w->context, at.address, &insn, at.how == SURELY);
            return;
        }
        if (vpu_has_target(&insn) && insn.cond != VPU_NEVER)
            go_later(w, insn.target, at.how);
        if (vpu_ends_flow(&insn) || vpu_ops[insn.op].uses & VPU_SLEEPS) /* most often the end */
            return;
        at.address += insn.size;
        if (may_not_return(&insn))
            at.how = PERHAPS;
    }
}

bool vpu_walk(const struct isa_module *m, vpu_reached_fn *reached, void *context)
{
    struct walk w = {.m = m, .reached = reached, .context = context};
    bool fine = load_sections(&w);
    if (fine) {
        go_later(&w, m->entry, SURELY);
        while (w.ntodo)
            follow(&w, w.todo[--w.ntodo]);
        fine = !arena_failed(&w.arena);
    }
    arena_free(&w.arena);
    return fine;
}
