/* order.c - whether the order of warps can be seen in what a program leaves (order.h). */
#include "device/order.h"

#include <stdlib.h>

/* What a program does to a memory. */
struct uses {
    bool reads, writes;
    bool ordered;     /* atomics that care for order, or whose results are used */
    bool addressed;   /* texels of images have addresses */
    uint32_t atomics; /* bit per enum ir_atomic */
};

static bool commutes(enum ir_atomic what)
{
    switch (what) {
    case IR_ATOMIC_ADD:
    case IR_ATOMIC_MIN_S:
    case IR_ATOMIC_MAX_S:
    case IR_ATOMIC_MIN_U:
    case IR_ATOMIC_MAX_U:
    case IR_ATOMIC_AND:
    case IR_ATOMIC_OR:
    case IR_ATOMIC_XOR:
    case IR_ATOMIC_FMIN:
    case IR_ATOMIC_FMAX:
        return true;
    default: /* sums of floats are rounded; the others leave what came last */
        return false;
    }
}

static void note_values(const struct ir_program *ir, uint8_t *used)
{
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            for (unsigned k = 0; k < op->nargs; k++)
                used[ir_args(ir, op)[k]] = 1;
            used[op->pred] = 1;
        }
}

/* Images are not told apart: several may be views of one memory. */
static void note_image(const struct ir_op *op, struct uses *images)
{
    images->reads |= op->imm == IR_SVC_IMAGE_LOAD;
    images->addressed |= op->imm == IR_SVC_IMAGE_ADDRESS;
    images->writes |= op->imm == IR_SVC_IMAGE_STORE || op->imm == IR_SVC_IMAGE_STORE_AT;
    images->ordered |= op->imm == IR_SVC_IMAGE_ATOMIC;
}

static void note_op(const struct ir_program *ir, const struct ir_op *op, const uint8_t *used, struct uses *spaces,
                    struct uses *images)
{
    if (op->code == IR_SERVICE)
        note_image(op, images);
    if (op->code != IR_LOAD && op->code != IR_STORE && op->code != IR_ATOMIC)
        return;
    struct uses *u = &spaces[ir->mems[op->desc].space];
    u->reads |= op->code == IR_LOAD;
    u->writes |= op->code == IR_STORE;
    if (op->code == IR_ATOMIC) {
        u->atomics |= 1u << op->imm;
        u->ordered |= used[op->res] || !commutes((enum ir_atomic)op->imm);
    }
}

static struct exec_buffer memory_of(const struct ir_space *space, const struct resources *r)
{
    if (space->kind == IR_SPACE_CONST && space->slot < RESOURCE_CONSTANTS)
        return r->constants[space->slot];
    if (space->kind == IR_SPACE_GLOBAL && space->slot < RESOURCE_STORAGE)
        return r->storage[space->slot];
    return (struct exec_buffer){0};
}

static bool overlap(struct exec_buffer a, struct exec_buffer b)
{
    uintptr_t x = (uintptr_t)a.data, y = (uintptr_t)b.data;
    return a.size && b.size && x < y + b.size && y < x + a.size;
}

/* A bus leads to all that is bound and written, as one memory. */
static bool meet(const struct ir_space *a, const struct ir_space *b, const struct resources *r)
{
    bool bus = a->kind == IR_SPACE_BUS || b->kind == IR_SPACE_BUS;
    if (bus && (a->kind == b->kind || a->kind == IR_SPACE_GLOBAL || b->kind == IR_SPACE_GLOBAL))
        return true;
    return overlap(memory_of(a, r), memory_of(b, r));
}

static bool order_shows(const struct uses *u)
{
    bool several = u->atomics & (u->atomics - 1);
    return u->ordered || several || (u->reads && u->writes) || (u->atomics && (u->reads || u->writes));
}

static bool spaces_in_order(const struct ir_program *ir, const struct resources *r, const struct uses *spaces)
{
    for (uint32_t i = 0; i < ir->nspaces; i++) {
        struct uses all = {0};
        for (uint32_t k = 0; k < ir->nspaces; k++) {
            if (!meet(&ir->spaces[i], &ir->spaces[k], r))
                continue;
            all.reads |= spaces[k].reads;
            all.writes |= spaces[k].writes;
            all.ordered |= spaces[k].ordered;
            all.atomics |= spaces[k].atomics;
        }
        if (order_shows(&all))
            return true;
    }
    return false;
}

/* Images whose texels have addresses are part of what a bus leads to. */
static void reach_by_bus(const struct ir_program *ir, const struct uses *images, struct uses *spaces)
{
    for (uint32_t i = 0; i < ir->nspaces; i++)
        if (ir->spaces[i].kind == IR_SPACE_BUS) {
            spaces[i].reads |= images->reads;
            spaces[i].writes |= images->writes;
            spaces[i].ordered |= images->ordered;
        }
}

bool order_matters(const struct ir_program *ir, const struct resources *resources)
{
    struct uses *spaces = calloc(ir->nspaces + 1u, sizeof *spaces), images = {0};
    uint8_t *used = calloc(ir->nvalues + 1u, 1);
    bool in_order = true; /* without memory: the safe answer */
    if (spaces && used) {
        note_values(ir, used);
        for (uint32_t b = 0; b < ir->nblocks; b++)
            for (uint32_t i = 0; i < ir->blocks[b].count; i++)
                note_op(ir, &ir->blocks[b].ops[i], used, spaces, &images);
        if (images.addressed)
            reach_by_bus(ir, &images, spaces);
        in_order = order_shows(&images) || spaces_in_order(ir, resources, spaces);
    }
    free(spaces);
    free(used);
    return in_order;
}

/* An op that changes memory of others, and whether as an atomic. */
static bool changes(const struct ir_program *ir, const struct ir_op *op, bool *atomic)
{
    *atomic = op->code == IR_ATOMIC || (op->code == IR_SERVICE && op->imm == IR_SVC_IMAGE_ATOMIC);
    if (op->code == IR_SERVICE)
        return *atomic || op->imm == IR_SVC_IMAGE_STORE || op->imm == IR_SVC_IMAGE_STORE_AT;
    if (op->code != IR_STORE && op->code != IR_ATOMIC)
        return false;
    enum ir_space_kind kind = ir->spaces[ir->mems[op->desc].space].kind;
    return kind == IR_SPACE_GLOBAL || kind == IR_SPACE_BUS;
}

static bool any_change(const struct ir_program *ir, bool atomics_alone)
{
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            bool atomic;
            if (changes(ir, &ir->blocks[b].ops[i], &atomic) && (atomic || !atomics_alone))
                return true;
        }
    return false;
}

bool order_has_atomics(const struct ir_program *ir)
{
    return any_change(ir, true);
}

bool order_has_writes(const struct ir_program *ir)
{
    return any_change(ir, false);
}
