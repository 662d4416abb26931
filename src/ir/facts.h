/* facts.h - what values of 32 bits never are, as f32. */
#ifndef WEFT_IR_FACTS_H
#define WEFT_IR_FACTS_H

#include "ir/rewrite.h"

enum {
    FACT_NORMAL = 1,    /* no denormal */
    FACT_NUMBER = 2,    /* not NaN */
    FACT_PLUS_ZERO = 4, /* not -0 */
    FACTS = 7
};

struct facts {
    const struct ir_program *p;
    struct elements elements;
    uint8_t *value;   /* by value */
    uint8_t *element; /* by register element: what holds of all that is SET */
    bool changed;
};

/* Find them, and call `change` for each op that `wanted` holds of. Nothing happens where registers may change without
 * the program (ir_program.precise), without memory, and if the program is not through in time. */
void facts_change(struct ir_program *p, bool (*wanted)(const struct ir_program *p, const struct ir_op *op),
                  void (*change)(const struct facts *f, struct ir_op *op));

#endif
