/* module.c - what is where in a program. */
#include "isa/tesla/tesla.h"

uint32_t tesla_kernel_of(const struct isa_module *m, uint32_t insn)
{
    uint32_t k = 0;
    while (k < m->nkernels && insn - m->kernels[k].first >= m->kernels[k].count)
        k++;
    return k;
}

/* Kernels have addresses of their own. */
static void range_of(const struct isa_module *m, uint32_t near, uint32_t *first, uint32_t *end)
{
    uint32_t k = tesla_kernel_of(m, near);
    *first = k < m->nkernels ? m->kernels[k].first : 0;
    *end = k < m->nkernels ? *first + m->kernels[k].count : m->ninsns;
}

const struct tesla_insn *tesla_item_at(const struct isa_module *m, uint32_t near, uint32_t address)
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
    return low < end && m->insns[low].address == address ? &m->insns[low] : NULL;
}

const struct tesla_insn *tesla_insn_at(const struct isa_module *m, uint32_t near, uint32_t address)
{
    const struct tesla_insn *item = tesla_item_at(m, near, address);
    return item && item->row ? item : NULL;
}
