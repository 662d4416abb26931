/* lift_lock.c - locks of s[] ("Memory").
 *
 * Next to s[] is a hidden memory of the same size: for each word the thread that has locked it, as its number
 * in the block and 1, or 0. A warp has one locked location at most, which a register of the warp knows. Of the threads
 * of a warp that ask at once, the lowest one whose word is free gets it. Other warps that load or store a locked word
 * wait until it is unlocked; the device lets the block's other warps run meanwhile. */
#include "isa/tesla/lift.h"

/* The byte address of a word of s[]. */
static ir_value word_address(struct tesla_lifter *l, const struct tesla_operand *o)
{
    int64_t offset;
    ir_value address = tesla_address(l, o, &offset);
    if (offset)
        address = ir_op2(&l->b, IR_ADD, 0, address, ir_const_i32(&l->b, (uint32_t)offset));
    return ir_op2(&l->b, IR_AND, 0, address, ir_const_i32(&l->b, 0xfffc));
}

static struct ir_mem lock_memory(struct tesla_lifter *l)
{
    return (struct ir_mem){(uint16_t)tesla_space(l, TESLA_SPACE_LOCKS), IR_I32, 1, 4, 0};
}

/* Who has locked the words there, for threads that `asks` holds for; words outside of s[] are free. */
static ir_value owner_of(struct tesla_lifter *l, ir_value address, ir_value asks)
{
    ir_value inside = ir_op2(&l->b, IR_LT_U, 0, address, ir_const_i32(&l->b, l->link.shared_bytes));
    ir_value pred = asks ? ir_op2(&l->b, IR_AND, 0, asks, inside) : inside;
    return ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &address, 1, ir_add_mem(l->b.p, lock_memory(l)), 0, pred);
}

static void set_owner(struct tesla_lifter *l, ir_value address, ir_value owner, ir_value pred)
{
    ir_value inside = ir_op2(&l->b, IR_LT_U, 0, address, ir_const_i32(&l->b, l->link.shared_bytes));
    ir_store(&l->b, lock_memory(l), address, &owner, pred ? ir_op2(&l->b, IR_AND, 0, pred, inside) : inside);
}

/* The one address that some thread has under a predicate, and 1; 0: none has. */
static ir_value address_of_warp(struct tesla_lifter *l, ir_value address, ir_value pred)
{
    ir_value key = ir_op2(&l->b, IR_ADD, 0, address, ir_const_i32(&l->b, 1));
    ir_value own = pred ? ir_select(&l->b, pred, key, ir_const_i32(&l->b, 0)) : key;
    return ir_emit(&l->b, IR_REDUCE, IR_I32, 0, 1, &own, 1, 0, IR_MAX_U, 0);
}

/* ---- instructions ---- */

/* Threads that ask, and may have the word: it is free or the thread's own, and the warp has no other. */
static ir_value may_lock(struct tesla_lifter *l, ir_value address, ir_value me, ir_value held)
{
    ir_value zero = ir_const_i32(&l->b, 0), owner = owner_of(l, address, l->pred);
    ir_value key = ir_op2(&l->b, IR_ADD, 0, address, ir_const_i32(&l->b, 1));
    ir_value free = ir_op2(&l->b, IR_OR, 0, ir_op2(&l->b, IR_EQ, 0, owner, zero), ir_op2(&l->b, IR_EQ, 0, owner, me));
    ir_value other = ir_op2(&l->b, IR_AND, 0, ir_op2(&l->b, IR_NE, 0, held, zero),
                            ir_op2(&l->b, IR_NE, 0, held, key));
    ir_value may = ir_op2(&l->b, IR_AND, 0, free, ir_op1(&l->b, IR_NOT, 0, other));
    return l->pred ? ir_op2(&l->b, IR_AND, 0, may, l->pred) : may;
}

void tesla_lift_load_lock(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value address = word_address(l, &d->src[0]), lane = ir_lane_id(&l->b);
    ir_value first = ir_op2(&l->b, IR_SHL, 0, ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0), ir_const_i32(&l->b, 5));
    ir_value me = ir_op2(&l->b, IR_ADD, 0, ir_op2(&l->b, IR_ADD, 0, first, lane), ir_const_i32(&l->b, 1));
    ir_value held = ir_get(&l->b, l->file_lock, 0, IR_I32);
    ir_value may = may_lock(l, address, me, held);
    ir_value mask = ir_cvt(&l->b, IR_LO32, IR_I32, 0, ir_op1(&l->b, IR_BALLOT, 0, may));
    ir_value got = ir_op2(&l->b, IR_AND, 0, may,
                          ir_op2(&l->b, IR_EQ, 0, lane, ir_op1(&l->b, IR_CTZ, 0, mask)));
    if (d->cdst != TESLA_NO_C)
        tesla_set_flags(l, d->cdst, ir_op1(&l->b, IR_NOT, 0, got), got, 0, 0);
    set_owner(l, address, me, got);
    ir_set(&l->b, l->file_lock, 0, ir_op2(&l->b, IR_MAX_U, 0, held, address_of_warp(l, address, got)), 0);
    ir_value asked = l->pred;
    l->pred = got;
    tesla_write(l, &d->dst, tesla_load(l, &d->src[0]));
    l->pred = asked;
    tesla_increment(l, &d->src[0]);
}

void tesla_lift_store_unlock(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    if (l->locks) {
        ir_value address = word_address(l, &d->dst), held = ir_get(&l->b, l->file_lock, 0, IR_I32);
        ir_value key = ir_op2(&l->b, IR_ADD, 0, address, ir_const_i32(&l->b, 1));
        ir_value own = ir_op2(&l->b, IR_EQ, 0, held, key);
        own = l->pred ? ir_op2(&l->b, IR_AND, 0, own, l->pred) : own;
        set_owner(l, address, ir_const_i32(&l->b, 0), own);
        ir_value gone = ir_op1(&l->b, IR_ANY, 0, own);
        ir_set(&l->b, l->file_lock, 0, ir_select(&l->b, gone, ir_const_i32(&l->b, 0), held), 0);
    }
    tesla_lift_store(l, d);
}

/* ---- waiting ---- */

static const struct tesla_operand *shared_operand(const struct tesla_decoded *d)
{
    const struct tesla_operand *all[] = {&d->dst, &d->src[0], &d->src[1], &d->src[2]};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->kind == TESLA_O_MEMORY && all[i]->space == TESLA_S_SPACE)
            return all[i];
    return NULL;
}

bool tesla_wait_for_lock(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    const struct tesla_operand *o = l->locks ? shared_operand(d) : NULL;
    uint32_t threads = l->link.block[0] * l->link.block[1] * l->link.block[2];
    if (!o || (tesla_meanings[d->row->meaning].properties & TESLA_LOCKS) || threads <= TESLA_LANES)
        return false;
    uint32_t wait = ir_new_block(l->b.p), main = ir_new_block(l->b.p);
    ir_goto(&l->b, wait);
    tesla_begin(l, wait);
    l->b.p->blocks[wait].insns++;
    ir_value pred = tesla_condition_of(l, d->predicate, d->csrc), owner = owner_of(l, word_address(l, o), pred);
    ir_value warp = ir_op2(&l->b, IR_SHR_U, 0, ir_op2(&l->b, IR_SUB, 0, owner, ir_const_i32(&l->b, 1)),
                           ir_const_i32(&l->b, 5));
    ir_value locked = ir_op2(&l->b, IR_AND, 0, ir_op2(&l->b, IR_NE, 0, owner, ir_const_i32(&l->b, 0)),
                             ir_op2(&l->b, IR_NE, 0, warp, ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0)));
    ir_branch(&l->b, ir_op1(&l->b, IR_ANY, 0, locked), wait, main);
    tesla_begin(l, main);
    return true;
}
