/* handlers_control.h - terminators: a part of handlers.c, which alone includes it.
 *
 * c holds the guest instructions of the block that ends, which come off the budget; aux is the block. Counts are made
 * from the budget when somebody looks. Code of a block goes on straight to the code of the next one, in the same form
 * (for all lanes active or not): the active mask changes at CONTROL only. */

/* Takes the block off the budget. False when nothing is left, or when the warp is to stop. */
static inline bool spend(struct frame *f, const struct lop *op)
{
    f->budget -= op->c;
    return f->budget > __atomic_load_n(&f->floor, __ATOMIC_RELAXED);
}

static const struct lop *stopped(struct frame *f, const struct lop *op, enum exec_stop why)
{
    f->stop = why;
    f->block = op->aux;
    const struct ir_block *b = &f->program->ir->blocks[op->aux];
    f->insn = b->count ? b->ops[b->count - 1].insn : b->insn;
    leave_vectors();
    return NULL;
}

/* Stops before block `next`, unless that goes on with an instruction which has begun. */
static __attribute__((noinline)) const struct lop *out_of_time(struct frame *f, const struct lop *op, uint32_t next,
                                                               const struct lop *code)
{
    if (f->program->ir->blocks[next].insns == 0)
        return code;
    bool interrupted = __atomic_exchange_n(&f->floor, 0, __ATOMIC_RELAXED) != 0;
    stopped(f, op, interrupted ? EXEC_INTERRUPTED : EXEC_OUT_OF_BUDGET);
    f->fault = interrupted ? "interrupted" : NULL;
    f->block = next;
    return NULL;
}

static inline bool runs_full(const struct frame *f)
{
    return frame_form(f) == EXEC_FULL;
}

static const struct lop *block_code(const struct frame *f, uint32_t block)
{
    const struct exec_block_code *c = &f->program->blocks[block];
    return runs_full(f) ? c->full : c->masked;
}

static inline const struct lop *to_of(const struct lop *op)
{
    return (const struct lop *)(uintptr_t)op->imm;
}

static __attribute__((noinline)) const struct lop *late(struct frame *f, const struct lop *op, const struct lop *to)
{
    return out_of_time(f, op, to->d, to_of(to));
}

/* Ends a block whose terminator is op: on to the target of `to`, if time is left. imm is its code, d its block. */
#define LEAVE_TO(to)                                                                                                 \
    do {                                                                                                             \
        if (spend(f, op))                                                                                            \
            GO_ON(to_of(to));                                                                                        \
        GO_ON_OR_STOP(late(f, op, to));                                                                              \
    } while (0)

PLAIN(GOTO)
{
    LEAVE_TO(op);
}

/* Two operations: to the target of the second when the condition does not hold. Each way has its own jump to what comes
 * next, which processors foretell better. */
#define BRANCH_WHEN(name, type, condition)                                                                           \
    PLAIN(name)                                                                                                      \
    {                                                                                                                \
        type x = *ROW(type, op->a), y = *ROW(type, op->b);                                                           \
        (void)y;                                                                                                     \
        const struct lop *to = (condition) ? op : op + 1;                                                            \
        if (!spend(f, op))                                                                                           \
            GO_ON_OR_STOP(late(f, op, to));                                                                          \
        if (condition)                                                                                               \
            GO_ON(to_of(op));                                                                                        \
        GO_ON(to_of(op + 1));                                                                                        \
    }

BRANCH_WHEN(BRANCH, int32_t, x != 0)
BRANCH_WHEN(BRANCH_EQ, uint32_t, x == y)
BRANCH_WHEN(BRANCH_NE, uint32_t, x != y)
BRANCH_WHEN(BRANCH_LT_S, int32_t, x < y)
BRANCH_WHEN(BRANCH_LE_S, int32_t, x <= y)
BRANCH_WHEN(BRANCH_LT_U, uint32_t, x < y)
BRANCH_WHEN(BRANCH_LE_U, uint32_t, x <= y)

/* ---- jumps to addresses ---- */

static inline unsigned place_of_jump(uint64_t address) { return address >> 1 & 255; }

static __attribute__((noinline)) const struct lop *jump_far(struct frame *f, const struct lop *op, uint64_t address)
{
    const struct exec_block_code *code = exec_find_address(f->program, address);
    if (!code) {
        stopped(f, op, EXEC_NO_BLOCK);
        f->fault = "a jump to an address where no code is";
        f->address = address;
        f->jumping = true;
        return NULL;
    }
    struct frame_jump *j = &f->jumps[place_of_jump(address)];
    j->address = address;
    j->code = code;
    uint32_t block = (uint32_t)(code - f->program->blocks);
    const struct lop *to = runs_full(f) ? code->full : code->masked;
    return f->budget > __atomic_load_n(&f->floor, __ATOMIC_RELAXED) ? to : out_of_time(f, op, block, to);
}

/* sb: the address has 64 bits; sc: this is the code for any mask. */
PLAIN(JUMP)
{
    uint64_t address = op->sb ? *ROW(uint64_t, op->a) : *ROW(uint32_t, op->a);
    const struct frame_jump *j = &f->jumps[place_of_jump(address)];
    if (spend(f, op) && j->code && j->address == address)
        GO_ON(op->sc ? j->code->masked : j->code->full);
    GO_ON_OR_STOP(jump_far(f, op, address));
}

/* In place of the first operation of a block that was dropped: imm is its address. */
PLAIN(GONE)
{
    GO_ON_OR_STOP(jump_far(f, op, op->imm));
}

/* ---- masks change ---- */

/* CONTROL_NONE or CONTROL_EITHER came before it where ir_control.direct_none says so. */
PLAIN_APART(CONTROL)
{
    const struct exec_program *p = f->program;
    const struct lop_call *call = &p->calls[op->b];
    lane_mask masks[16];
    const void *rows[16];
    bool in_time = spend(f, op);
    for (unsigned k = 0; k < call->nargs; k++) {
        rows[k] = ROW(char, call->arg[k]);
        masks[k] = call->arg_mask[k]
                       ? row_bits(f, ROW(int32_t, call->arg[k]), call->arg_lane[k] ? EXEC_CHUNK : 0) & f->active
                       : 0;
    }
    const struct ir_control *k = call->desc;
    uint32_t next;
    if (k->direct_all && !p->ir->policy->low_at && masks[0] == f->active) {
        next = k->target[0];
    } else {
        struct exec_masks m = {
            .active = f->active, .all = f->all, .live = f->live, .block = call->block, .program = p};
        const char *fault = NULL;
        leave_vectors();
        next = p->ir->policy->control(f->policy_state, &m, k, masks, rows, &fault);
        if (fault) {
            f->fault = fault;
            return stopped(f, op, EXEC_FAULT);
        }
        if (m.active != f->active) {
            frame_count(f);
            f->active = m.active;
            if (m.active != p->full || p->no_full)
                mask_row(f->mask, p->chunks, m.active);
            frame_await(f, frame_form(f));
        }
        if (next == EXEC_BLOCK_END)
            return stopped(f, op, EXEC_DONE);
    }
    const struct lop *code = block_code(f, next);
    return in_time ? code : out_of_time(f, op, next, code);
}

/* Need the policy not be asked about going to the target of `to`? sb: only while it is below what the policy's state
 * has at b. */
static inline bool goes_freely(const struct frame *f, const struct lop *op, const struct lop *to)
{
    uint32_t low;
    if (!op->sb)
        return true;
    memcpy(&low, (const char *)f->policy_state + op->b, sizeof low);
    return to->d < low;
}

/* In front of CONTROL, where the policy need not be asked when argument 0, row a, holds in no active lane. */
PLAIN(CONTROL_NONE)
{
    if (row_bits(f, ROW(int32_t, op->a), op->sa) & f->active || !goes_freely(f, op, op))
        NEXT;
    LEAVE_TO(op);
}

/* The same where neither need it be asked when it holds in all of them: to the target of the second operation then. */
PLAIN(CONTROL_EITHER)
{
    lane_mask holds = row_bits(f, ROW(int32_t, op->a), op->sa) & f->active;
    const struct lop *to = holds ? op + 1 : op;
    if ((holds && holds != f->active) || !goes_freely(f, op, to))
        GO_ON(op + 2);
    LEAVE_TO(to);
}

/* ---- stops ---- */

PLAIN(BARRIER)
{
    f->budget -= op->c;
    stopped(f, op, EXEC_AT_BARRIER);
    f->acting = f->active;
    f->block = op->b; /* where it goes on */
    f->fault_code = op->imm;
    return NULL;
}

PLAIN(TRAP)
{
    f->fault = "trap";
    f->fault_code = op->imm;
    return stopped(f, op, EXEC_FAULT);
}

PLAIN(END)
{
    f->budget -= op->c;
    return stopped(f, op, EXEC_DONE);
}

/* Ends the prologue. */
PLAIN(STOP)
{
    (void)op;
    f->stop = EXEC_DONE;
    leave_vectors();
    return NULL;
}
