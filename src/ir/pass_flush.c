/* pass_flush.c - denormal arguments need not be flushed where there are none. Chips that count denormals as zeros make
 * none, so most of what they compute with is a number that was flushed when it was made. */
#include "ir/facts.h"
#include "ir/pass.h"

static bool flushes_in(const struct ir_program *p, const struct ir_op *op)
{
    return (ir_op_info[op->code].flags & IR_OP_PURE) && (op->attr & IR_FLUSH_IN) && op->nargs &&
           p->value_type[ir_args(p, op)[0]] == IR_F32;
}

static void drop_attribute(const struct facts *f, struct ir_op *op)
{
    for (unsigned k = 0; k < op->nargs; k++) {
        ir_value v = ir_args(f->p, op)[k];
        if (f->p->value_type[v] == IR_F32 && !(f->value[v] & FACT_NORMAL))
            return;
    }
    op->attr &= (uint16_t)~IR_FLUSH_IN;
}

void ir_pass_flush(struct ir_program *p)
{
    facts_change(p, flushes_in, drop_attribute);
}
