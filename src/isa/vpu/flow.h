/* flow.h - where control goes after an instruction. */
#ifndef WEFT_ISA_VPU_FLOW_H
#define WEFT_ISA_VPU_FLOW_H

#include "isa/vpu/table.h"

/* A branch or call to `target`? */
static inline bool vpu_has_target(const struct vpu_insn *i)
{
    const struct vpu_op_row *row = &vpu_ops[i->op];
    return (row->flow == WEFT_FLOW_BRANCH || row->flow == WEFT_FLOW_CALL) && !(i->flags & VPU_TO_REGISTER) &&
           !(row->uses & VPU_TABLE);
}

/* Does it write pc as if that were any register? That is exception 3. */
static inline bool vpu_writes_pc(const struct vpu_insn *i)
{
    unsigned uses = vpu_ops[i->op].uses;
    bool steps = i->mode == VPU_PREDEC || i->mode == VPU_POSTINC;
    if (vpu_is_vector(i))
        return false;
    return (uses & VPU_D_WRITE && !(uses & VPU_D_CONTROL) && i->d == VPU_PC) || (steps && i->a == VPU_PC);
}

/* Where control goes after it. */
static inline weft_flow vpu_flow_of(const struct vpu_insn *i)
{
    weft_flow flow = (weft_flow)vpu_ops[i->op].flow;
    if (!vpu_is_vector(i) && i->flags & VPU_LINK && vpu_is_load(i->op))
        return WEFT_FLOW_RETURN;
    if (flow == WEFT_FLOW_BRANCH && i->flags & VPU_TO_REGISTER && i->d == VPU_LR)
        return WEFT_FLOW_RETURN;
    return flow == WEFT_FLOW_NEXT && vpu_writes_pc(i) ? WEFT_FLOW_TRAP : flow;
}

/* Does it do so, or have its effect, only where a condition holds? */
static inline bool vpu_is_conditional(const struct vpu_insn *i)
{
    return vpu_is_vector(i) ? i->lanes != VPU_ALL : vpu_is_insn(i) && i->cond != VPU_ALWAYS;
}

/* A vector instruction without effect: of an idle width, or a store that has no address or, by accumulators, no
 * lanes. */
bool vpu_does_nothing(const struct vpu_insn *i);

/* Does the next instruction never run after this one? bkpt counts: padding is zero. */
bool vpu_ends_flow(const struct vpu_insn *i);

/* Control reaches an address where bytes are not an instruction (insn: VPU_DATA), or the end of a section (NULL);
 * surely, or perhaps: after a call or swi. An address may be told twice, first as perhaps. */
typedef void vpu_reached_fn(void *context, uint32_t address, const struct vpu_insn *insn, bool surely);

/* Follow a program from its entry up to sleep, jumps to registers and tables. False without memory. */
bool vpu_walk(const struct isa_module *m, vpu_reached_fn *reached, void *context);

#endif
