/* pass_minmax.c - minimum and maximum need not look for NaN where there is none: then they are one comparison, and the
 * instruction that machines have. */
#include "ir/facts.h"
#include "ir/pass.h"

static bool looks_for_nan(const struct ir_program *p, const struct ir_op *op)
{
    return (op->code == IR_FMIN || op->code == IR_FMAX) && p->value_type[op->res] == IR_F32 &&
           (op->attr & (IR_MINMAX_MASK | IR_MINMAX_ZEROS)) == IR_MINMAX_NUMBER;
}

/* The second argument is the result when the first is NaN and when both are equal: +0 and -0 are, and which one it is
 * must stay as it was. */
static void take_second(const struct facts *f, struct ir_op *op)
{
    ir_value *args = f->p->pool + op->args, a = args[0];
    bool flushes = op->attr & (IR_FLUSH_IN | IR_FLUSH_OUT);
    if (!(f->value[args[1]] & FACT_NUMBER)) {
        bool swaps = (f->value[a] & FACT_NUMBER) && (f->value[a] & f->value[args[1]] & FACT_PLUS_ZERO) && !flushes;
        if (!swaps)
            return;
        args[0] = args[1];
        args[1] = a;
    }
    op->attr |= IR_MINMAX_SECOND;
}

void ir_pass_minmax(struct ir_program *p)
{
    facts_change(p, looks_for_nan, take_second);
}
