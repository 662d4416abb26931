/* outside.h - the first access outside its range is the same for every level and any number of threads. */
#ifndef WEFT_FUZZ_OUTSIDE_H
#define WEFT_FUZZ_OUTSIDE_H

#include "device/failure.h"

static inline bool same_outside(const struct outside *a, const struct outside *b)
{
    const struct exec_outside *x = &a->first, *y = &b->first;
    if (!a->ir || !b->ir)
        return !a->ir && !b->ir;
    return a->ir->stage == b->ir->stage && x->is_register == y->is_register && x->insn == y->insn &&
           x->place == y->place && x->address == y->address && x->size == y->size && x->lane == y->lane;
}

#endif
