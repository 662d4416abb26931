/* pass_number.c - values are numbered anew, without gaps: what is kept by value takes no memory for those that passes
 * have removed. */
#include "ir/pass.h"

#include "ir/rewrite.h"

#include <string.h>

/* The new number of each value that an op makes; 0: none does. */
static uint32_t number_values(const struct ir_program *p, ir_value *number)
{
    uint32_t next = 1;
    for (uint32_t b = 0; b < p->nblocks; b++) {
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            for (unsigned k = 0; k < op->nres; k++)
                number[op->res + k] = next++;
        }
    }
    return next;
}

/* Arguments, predicate and results of an op under their new numbers; the arguments go to `pool`. */
static void rename_op(const struct ir_program *p, struct ir_op *op, const ir_value *number, ir_value *pool,
                      uint32_t *used)
{
    for (unsigned k = 0; k < op->nargs; k++)
        pool[*used + k] = number[p->pool[op->args + k]];
    op->args = *used;
    *used += op->nargs;
    op->pred = number[op->pred];
    op->res = op->nres ? number[op->res] : 0;
}

/* What is known of each value moves to its new place. */
static void move_table(uint8_t *table, uint8_t *copy, const ir_value *number, uint32_t values)
{
    memcpy(copy, table, values);
    for (uint32_t v = 1; v < values; v++)
        if (number[v])
            table[number[v]] = copy[v];
}

static size_t count_args(const struct ir_program *p)
{
    size_t args = 0;
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            args += p->blocks[b].ops[i].nargs;
    return args;
}

void ir_pass_number(struct ir_program *p)
{
    struct arena scratch = {.limit = PASS_MEMORY};
    if (arena_failed(p->arena) || p->frozen)
        return;
    size_t args = count_args(p);
    if (args <= p->npool) { /* more: ops share arguments */
        ir_value *number = ARENA_ARRAY(&scratch, ir_value, p->nvalues), *pool = ARENA_ARRAY(&scratch, ir_value, args);
        uint8_t *copy = ARENA_ARRAY(&scratch, uint8_t, p->nvalues);
        if (!arena_failed(&scratch)) {
            uint32_t values = number_values(p, number), used = 0;
            for (uint32_t b = 0; b < p->nblocks; b++)
                for (uint32_t i = 0; i < p->blocks[b].count; i++)
                    rename_op(p, &p->blocks[b].ops[i], number, pool, &used);
            if (used)
                memcpy(p->pool, pool, used * sizeof *pool);
            p->npool = used;
            move_table(p->value_type, copy, number, p->nvalues);
            move_table(p->value_uniform, copy, number, p->nvalues);
            p->nvalues = values;
        }
    }
    pass_end(p, &scratch);
}
