/* check.c - the rules beyond syntax. */
#include "isa/vpu/forms.h"

static void warn(weft_diags *diags, const struct source *src, const struct vpu_insn *i, const char *code,
                 const char *message)
{
    if (src && i->where.length)
        diag_at(diags, WEFT_WARNING, code, src, i->where, NULL, "%s", message);
    else
        diag_add(diags, WEFT_WARNING, code, NULL, NULL, "at 0x%x: %s", i->address, message);
}

static bool has_target(const struct vpu_insn *i)
{
    switch (i->op) {
    case VPU_B:
    case VPU_BL:
        return !(i->flags & VPU_TO_REGISTER);
    case VPU_J:
    case VPU_JL:
    case VPU_ADDCMPB:
        return true;
    default:
        return false;
    }
}

static bool is_inside(const struct isa_module *m, uint32_t address)
{
    for (uint32_t s = 0; s < m->nsections; s++)
        if (address - m->sections[s].address < m->sections[s].size)
            return true;
    return false;
}

static bool is_scalar_access(unsigned op)
{
    return op >= VPU_MEMORY && op < VPU_MEMORY + 8;
}

/* Bytes of a scalar load or store. */
static unsigned bytes_of(unsigned op)
{
    static const uint8_t bytes[] = {4, 4, 2, 2, 1, 1, 2, 1};
    return bytes[op - VPU_MEMORY];
}

/* Misaligned accesses raise exception 1; the offset alone says nothing but for pc and known bases. */
static bool is_misaligned(const struct vpu_insn *i)
{
    return i->mode == VPU_OFFSET && i->a == VPU_PC && (i->address + (uint32_t)i->imm) % bytes_of(i->op) != 0;
}

weft_status vpu_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                      weft_diags *diags)
{
    (void)params;
    for (uint32_t n = 0; n < m->ninsns; n++) {
        const struct vpu_insn *i = &m->insns[n];
        if (has_target(i) && is_inside(m, i->target) && !vpu_insn_at(m, i->target))
            warn(diags, src, i, "branch-target", "no instruction begins at the target of this branch");
        if (is_scalar_access(i->op) && is_misaligned(i))
            warn(diags, src, i, "misaligned", "this access is misaligned: exception 1");
    }
    return WEFT_OK;
}
