/* lift_waits.c - strict programs: a register that a message writes must be waited for before it is read. */
#include "isa/valhall/lift.h"

/* Results are poison from their message on, until an instruction has waited for the slot. */
static void set_poison(struct valhall_lifter *l, unsigned slot, uint64_t registers, bool poison)
{
    for (unsigned n = 0; n < VALHALL_REGISTERS; n++)
        if (registers >> n & 1)
            ir_set(&l->b, l->file_poison, slot * VALHALL_REGISTERS + n, ir_const(&l->b, IR_I1, poison), 0);
}

void valhall_check_reads(struct valhall_lifter *l)
{
    uint64_t reads = valhall_reads(l->insn);
    ir_value bad = 0;
    for (unsigned slot = 0; slot < VALHALL_SLOTS; slot++)
        for (unsigned n = 0; n < VALHALL_REGISTERS; n++)
            if ((reads & l->writers[slot]) >> n & 1) {
                ir_value v = ir_get(&l->b, l->file_poison, slot * VALHALL_REGISTERS + n, IR_I1);
                bad = bad ? ir_op2(&l->b, IR_OR, 0, bad, v) : v;
            }
    if (bad)
        ir_check(&l->b, bad, VALHALL_FAULT_POISON);
}

void valhall_mark_message(struct valhall_lifter *l)
{
    int slot = valhall_slot(l->insn->row, l->insn->word);
    uint8_t waits = valhall_waits(l->insn->flow);
    if (slot >= 0 && !(waits >> slot & 1))
        set_poison(l, (unsigned)slot, valhall_writes(l->insn), true);
    for (unsigned k = 0; k < VALHALL_SLOTS; k++)
        if (waits >> k & 1)
            set_poison(l, k, l->writers[k], false);
}
