/* module.c - what is where in a program. */
#include "isa/tesla/tesla.h"

/* Kernels have addresses of their own. */
static void range_of(const struct isa_module *m, uint32_t near, uint32_t *first, uint32_t *end)
{
    *first = 0;
    *end = m->ninsns;
    for (uint32_t i = 0; i < m->nkernels; i++)
        if (near - m->kernels[i].first < m->kernels[i].count) {
            *first = m->kernels[i].first;
            *end = *first + m->kernels[i].count;
        }
}

const struct tesla_insn *tesla_insn_at(const struct isa_module *m, uint32_t near, uint32_t address)
{
    uint32_t low, end;
    range_of(m, near, &low, &end);
    for (uint32_t high = end; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (m->insns[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && m->insns[low].address == address && m->insns[low].row ? &m->insns[low] : NULL;
}
