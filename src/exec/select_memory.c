/* select_memory.c - loads, stores and atomics. */
#include "exec/select.h"

static unsigned log2_of(unsigned v)
{
    unsigned n = 0;
    while (v > 1u << n)
        n++;
    return n;
}

/* aux as frame.h's memory operations read it. */
static bool memory_aux(struct compiler *c, const struct ir_op *op, const struct ir_mem *m, uint32_t *aux)
{
    enum ir_type at = arg_type(c, op, 0);
    unsigned bytes = ir_type_bits((enum ir_type)m->elem) / 8;
    if (m->space >= EXEC_MAX_SPACES || bytes == 0) {
        compile_unsupported(c, op, "of this space or element");
        return false;
    }
    *aux = m->space | bytes << 8 | (at == IR_I64 ? 1u << 12 : 0) | log2_of(m->align ? m->align : 1) << 16;
    *aux |= c->sites++ % BUS_SITES << 24; /* a loop over several buffers has an access to each */
    return true;
}

static enum handler_id load_handler(const struct ir_op *op, const struct ir_mem *m, bool bus, unsigned bytes,
                                    bool narrow)
{
    bool plain = !op->pred && narrow && m->align <= 1;
    if (!bus)
        return op->uniform ? H_LOAD_SCALAR : H_LOAD;
    if (!op->uniform || !plain)
        return H_BUS_LOAD;
    return bytes == 1 ? H_BUS_LOAD8 : bytes == 2 ? H_BUS_LOAD16 : bytes == 4 ? H_BUS_LOAD32 : H_BUS_LOAD64;
}

/* An access of the scalar processor that has just been made, after a look at the alignment of its address: the first of
 * the two operations does both, or goes on to the second where the last range is not the one. */
static void join_check(struct compiler *c, enum handler_id access)
{
    static const struct {
        enum handler_id access, joined;
        uint8_t bytes;
    } joins[] = {{H_BUS_LOAD16, H_CHECK_BUS_LOAD16, 2},
                 {H_BUS_LOAD32, H_CHECK_BUS_LOAD32, 4},
                 {H_BUS_STORE16, H_CHECK_BUS_STORE16, 2},
                 {H_BUS_STORE32, H_CHECK_BUS_STORE32, 4}};
    if (!c->extensible || c->failed || c->ncode < c->code_at[c->masked][c->block] + 2u)
        return;
    struct lop *check = &c->code[c->ncode - 2];
    if (check->fn != exec_handler(c->handlers, H_CHECK_BITS)->plain || check->a != check[1].a)
        return;
    for (unsigned k = 0; k < sizeof joins / sizeof *joins; k++)
        if (joins[k].access == access && check->b == const_row(c, joins[k].bytes - 1u, false))
            check->fn = exec_handler(c->handlers, joins[k].joined)->plain;
}

static void select_load(struct compiler *c, const struct ir_op *op, uint32_t aux, const struct operand o[3])
{
    const struct ir_mem *m = &c->p->ir->mems[op->desc];
    unsigned bytes = ir_type_bits((enum ir_type)m->elem) / 8;
    bool bus = c->p->ir->spaces[m->space].kind == IR_SPACE_BUS, row = op->uniform && !info_of(c, op->res)->scalar;
    bool word = row && bytes == 4 && !op->pred && !bus; /* straight into a row */
    enum handler_id h = word ? H_LOAD32_UNIFORM : load_handler(op, m, bus, bytes, arg_type(c, op, 0) == IR_I32);
    for (unsigned k = 0; k < op->nres; k++) {
        uint32_t d = result_row(c, op->res + k);
        struct lop *l = emit(c, h, 0);
        l->d = d;
        l->n = op->uniform && !word ? 0 : chunks_of(c, op->uniform);
        l->aux = aux;
        l->imm = (uint64_t)m->offset + k * bytes;
        set_operands(l, o, 3);
        l->b = op->insn;
        join_check(c, h);
        if (row && !word) {
            l = emit(c, bytes == 8 ? H_SPREAD64 : H_SPREAD32, 0);
            l->d = l->a = d;
        }
    }
}

static void select_store(struct compiler *c, const struct ir_op *op, uint32_t aux, struct operand o[3])
{
    const struct ir_mem *m = &c->p->ir->mems[op->desc];
    unsigned bytes = ir_type_bits((enum ir_type)m->elem) / 8;
    bool bus = c->p->ir->spaces[m->space].kind == IR_SPACE_BUS, one = one_for_all(c->p->ir, op);
    bool plain = one && !op->pred && arg_type(c, op, 0) == IR_I32 && m->align <= 1;
    enum handler_id h = !bus         ? (one ? H_STORE_SCALAR : H_STORE)
                        : !plain     ? H_BUS_STORE
                        : bytes == 1 ? H_BUS_STORE8
                        : bytes == 2 ? H_BUS_STORE16
                        : bytes == 4 ? H_BUS_STORE32
                                     : H_BUS_STORE64;
    for (unsigned k = 0; k + 1 < op->nargs; k++) {
        o[1] = operand_of(c, ir_args(c->p->ir, op)[k + 1]);
        struct lop *l = emit(c, h, 0);
        l->n = one ? 0 : chunks_of(c, false);
        l->aux = aux;
        l->imm = (uint64_t)m->offset + k * bytes;
        set_operands(l, o, 3);
        l->d = op->insn;
        join_check(c, h);
    }
}

void select_memory(struct compiler *c, const struct ir_op *op)
{
    const struct ir_mem *m = &c->p->ir->mems[op->desc];
    uint32_t aux;
    if (!memory_aux(c, op, m, &aux))
        return;
    const ir_value *args = ir_args(c->p->ir, op);
    struct operand o[3] = {operand_of(c, args[0]), {0, 0}, {0, 0}};
    if (op->pred)
        o[2] = operand_of(c, op->pred);
    if (op->code == IR_LOAD) {
        select_load(c, op, aux, o);
        return;
    }
    if (op->code == IR_STORE) {
        select_store(c, op, aux, o);
        return;
    }
    struct lop_call *call = call_new(c, op, op->nargs, 3);
    uint32_t d = result_row(c, op->res);
    if (!call)
        return;
    for (unsigned k = 0; k < op->nargs; k++) {
        struct operand a = operand_of(c, args[k]);
        call->arg[k] = a.row;
        call->arg_lane[k] = a.stride != 0;
    }
    call->res[1] = o[2].row;
    call->res[2] = o[2].stride;
    o[1] = operand_of(c, args[1]);
    struct lop *l = emit(c, c->p->ir->spaces[m->space].kind == IR_SPACE_BUS ? H_BUS_ATOMIC : H_ATOMIC, 0);
    l->d = d;
    l->n = chunks_of(c, false);
    l->aux = aux;
    l->imm = (uint64_t)m->offset;
    set_operands(l, o, 2);
    l->c = c->p->ncalls - 1;
}
