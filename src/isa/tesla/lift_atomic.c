/* lift_atomic.c - atomics and reductions on g[] (envytools' models). The hardware has sixteen operation
 * codes and eight sizes, and does something for each of them; the text has words for those that are of use. */
#include "isa/tesla/lift.h"
#include "isa/tesla/table.h"

enum { OPERATION_SHIFT = 34, OPERATION_MASK = 15, SIZE_SHIFT = 53, SIZE_MASK = 7 };

/* What the size codes are, as the loads of g[] have them. */
static const uint8_t sizes[8] = {TESLA_U8,  TESLA_S8,   TESLA_U16, TESLA_S16,
                                 TESLA_B64, TESLA_B128, TESLA_U32, TESLA_S32};

static bool operation_of(unsigned code, bool is_signed, enum ir_atomic *out)
{
    static const struct {
        bool known;
        uint8_t op, of_signed;
    } operations[OPERATION_MASK + 1] = {
        [TESLA_ATOMIC_ADD] = {true, IR_ATOMIC_ADD, IR_ATOMIC_ADD},
        [TESLA_ATOMIC_EXCH] = {true, IR_ATOMIC_XCHG, IR_ATOMIC_XCHG},
        [TESLA_ATOMIC_CAS] = {true, IR_ATOMIC_CAS, IR_ATOMIC_CAS},
        [TESLA_ATOMIC_INC] = {true, IR_ATOMIC_INC_WRAP, IR_ATOMIC_INC_WRAP_S},
        [TESLA_ATOMIC_DEC] = {true, IR_ATOMIC_DEC_WRAP, IR_ATOMIC_DEC_WRAP_S},
        [TESLA_ATOMIC_MAX] = {true, IR_ATOMIC_MAX_U, IR_ATOMIC_MAX_S},
        [TESLA_ATOMIC_MIN] = {true, IR_ATOMIC_MIN_U, IR_ATOMIC_MIN_S},
        [TESLA_ATOMIC_AND] = {true, IR_ATOMIC_AND, IR_ATOMIC_AND},
        [TESLA_ATOMIC_OR] = {true, IR_ATOMIC_OR, IR_ATOMIC_OR},
        [TESLA_ATOMIC_XOR] = {true, IR_ATOMIC_XOR, IR_ATOMIC_XOR},
    };
    if (operations[code].known)
        *out = (enum ir_atomic)(is_signed ? operations[code].of_signed : operations[code].op);
    return operations[code].known;
}

/* The low 8 or 16 bits of a word, widened again. */
static ir_value narrowed(struct tesla_lifter *l, ir_value word, unsigned bits, bool is_signed)
{
    ir_value low = ir_cvt(&l->b, IR_TRUNC, bits == 8 ? IR_I8 : IR_I16, 0, word);
    return ir_cvt(&l->b, is_signed ? IR_SEXT : IR_ZEXT, IR_I32, 0, low);
}

/* atomic: src[0] is the memory, the operands follow; red: dst is the memory. `narrow`: the operand's bits that the word
 * is made of. */
static void atomic(struct tesla_lifter *l, const struct tesla_decoded *d, enum ir_atomic op, unsigned narrow)
{
    bool reduces = d->dst.kind == TESLA_O_MEMORY;
    const struct tesla_operand *at = reduces ? &d->dst : &d->src[0], *operand = reduces ? &d->src[0] : &d->src[1];
    unsigned bits = tesla_type_bits(at->access) == 64 ? 64 : 32, nargs = 2;
    int64_t offset;
    ir_value args[3] = {tesla_address(l, at, &offset), tesla_source_bits(l, operand)};
    if (narrow < 32) {
        uint32_t repeat = narrow == 8 ? 0x01010101 : 0x00010001;
        args[1] = ir_op2(&l->b, IR_AND, 0, args[1], ir_const_i32(&l->b, (1u << narrow) - 1));
        args[1] = ir_op2(&l->b, IR_MUL, 0, args[1], ir_const_i32(&l->b, repeat));
    }
    if (op == IR_ATOMIC_CAS) { /* the IR has what is stored first: operand, then what is compared with */
        args[2] = args[1];
        args[1] = tesla_source_bits(l, &d->src[2]);
        nargs = 3;
    }
    struct ir_mem mem = tesla_memory(l, at, bits, 1, offset);
    ir_value old = ir_emit(&l->b, IR_ATOMIC, bits == 64 ? IR_I64 : IR_I32, 0, 1, args, nargs, ir_add_mem(l->b.p, mem),
                           op, l->pred);
    if (!reduces)
        tesla_write(l, &d->dst, narrow < 32 ? narrowed(l, old, narrow, tesla_type_is_signed(at->access)) : old);
}

void tesla_lift_atomic(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    const struct tesla_operand *at = d->dst.kind == TESLA_O_MEMORY ? &d->dst : &d->src[0];
    enum ir_atomic op = IR_ATOMIC_ADD;
    if (operation_of(d->row->variant, tesla_type_is_signed(at->access), &op))
        atomic(l, d, op, 32);
    else
        lift_refuse(&l->lift, "this atomic operation faults on the chip");
}

/* ---- words that the text has no words for ---- */

/* The row whose operands such a word has: that of 32 or 64 bits with its own operation, or with add. */
static const struct tesla_row *nearest_row(const struct tesla_target *target, struct tesla_insn *insn,
                                           unsigned operation, unsigned size)
{
    const uint64_t own = ~((uint64_t)OPERATION_MASK << OPERATION_SHIFT | (uint64_t)SIZE_MASK << SIZE_SHIFT);
    const struct tesla_row *row = NULL;
    for (unsigned k = 0; k < 2 && !row; k++) {
        insn->word = (insn->word & own) | (uint64_t)(k ? TESLA_ATOMIC_ADD : operation) << OPERATION_SHIFT |
                     (uint64_t)(size == 4 ? 4 : 6) << SIZE_SHIFT;
        row = tesla_find_row(tesla_tables(), insn->word, target);
    }
    bool fits = row && (tesla_meanings[row->meaning].properties & TESLA_UPDATES);
    return fits ? row : NULL;
}

bool tesla_take_unlisted(struct tesla_insn *insn, const struct tesla_target *target)
{
    unsigned operation = insn->word >> OPERATION_SHIFT & OPERATION_MASK, size = insn->word >> SIZE_SHIFT & SIZE_MASK;
    if (insn->size == 8 && insn->address % 8 == 0 && operation != 3 && sizes[size] != TESLA_B128)
        insn->row = nearest_row(target, insn, operation, size);
    return insn->row != NULL;
}

/* 64 bits are added, exchanged and compared alone; less than 32 bits do not change memory from G200 on, and before work
 * on a word full of copies of the operand, which has no sign. Codes without an operation leave memory as it is, but 3,
 * which faults. Before G200 inc and dec of s32 know a sign. */
void tesla_lift_unlisted_atomic(struct tesla_lifter *l, struct tesla_decoded *d)
{
    const uint64_t word = l->insn->word;
    unsigned operation = word >> OPERATION_SHIFT & OPERATION_MASK, size = word >> SIZE_SHIFT & SIZE_MASK;
    bool reduces = d->dst.kind == TESLA_O_MEMORY;
    struct tesla_operand *at = reduces ? &d->dst : &d->src[0];
    unsigned bits = tesla_type_bits(sizes[size]);
    at->access = sizes[size];
    enum ir_atomic op = IR_ATOMIC_ADD;
    bool sm12 = l->m->target.features & TESLA_SM12,
         counts = operation == TESLA_ATOMIC_INC || operation == TESLA_ATOMIC_DEC,
         is_signed = sizes[size] == TESLA_S32 && !(counts && sm12),
         changes = operation_of(operation, is_signed, &op) &&
                   (operation != TESLA_ATOMIC_CAS || d->row->variant == TESLA_ATOMIC_CAS) &&
                   (bits != 64 || operation <= TESLA_ATOMIC_CAS) &&
                   (bits >= 32 || !sm12);
    if (changes)
        atomic(l, d, op, bits < 32 ? bits : 32);
    else if (!reduces)
        tesla_write(l, &d->dst, tesla_load(l, at));
}
