/* lift_vector.c */
#include "isa/vpu/lift.h"
void vpu_lift_vdata(struct vpu_lifter *l, const struct vpu_insn *i) { l->unsupported = vpu_ops[i->op].name; vpu_system_call(l, i); }
void vpu_lift_vmem(struct vpu_lifter *l, const struct vpu_insn *i) { l->unsupported = vpu_ops[i->op].name; vpu_system_call(l, i); }
