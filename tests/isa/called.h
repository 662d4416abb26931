/* called.h - a number of what the helpers of a program give: functions of C that lane IR calls. Each, with each number
 * and types that it is called with, gets the same random arguments once. */
#ifndef WEFT_TESTS_ISA_CALLED_H
#define WEFT_TESTS_ISA_CALLED_H

#include "test.h"

#include "ir/ir.h"

/* How often, with arguments for 64 lanes each; where there are few helpers it may be more. */
#ifndef CALLED_ROUNDS
#define CALLED_ROUNDS 12
#endif

enum { CALLED_SLOTS = 1 << 16, CALLED_ARGS = 8 };

union called_row {
    uint32_t word[IR_MAX_LANES];
    uint64_t wide[IR_MAX_LANES];
};

/* Any bits, numbers of about 1, few bits, and ends. */
static inline uint64_t called_value(struct test_rng *r, enum ir_type type)
{
    static const uint32_t ends[] = {0,          0x3f800000, 0x7f800000, 0x7fc00000, 0x00800000, 1,
                                    0x7f7fffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f000000, 0x4b000000};
    uint64_t bits = test_next64(r);
    unsigned width = ir_type_bits(type), how = (unsigned)(bits >> 60);
    if (type == IR_I1)
        return bits & 1 ? 0xffffffff : 0;
    if (how < 4 && width == 32)
        bits = ends[bits % 12];
    else if (how < 12 && type == IR_F64)
        bits = (bits & 0x800fffffffffffffu) | (0x3fcull + bits % 6) << 52;
    else if (how < 12)
        bits = (bits & 0x807fffff) | (0x78 + (uint32_t)bits % 10) << 23;
    else if (how < 14)
        bits >>= bits >> 54 & 63;
    return width == 64 ? bits : bits & ((1ull << width) - 1);
}

static inline uint64_t called_result(const union called_row *row, unsigned lane, enum ir_type type)
{
    uint64_t bits = ir_type_bits(type) == 64 ? row->wide[lane] : row->word[lane];
    if (type == IR_F32 && (bits & 0x7fffffff) > 0x7f800000)
        return 0x7fffffff; /* which NaN is not the same on each machine */
    if (type == IR_F64 && (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u)
        return 0x7fffffff;
    return bits;
}

static inline uint64_t called_now(const struct ir_program *p, const struct ir_op *op)
{
    static union called_row rows[CALLED_ARGS], results[CALLED_ARGS];
    const void *args[CALLED_ARGS];
    void *out[CALLED_ARGS];
    struct test_rng random = {op->imm};
    uint64_t digest = 1;
    for (unsigned k = 0; k < CALLED_ARGS; k++) {
        args[k] = &rows[k];
        out[k] = &results[k];
    }
    for (unsigned round = 0; round < CALLED_ROUNDS; round++) {
        for (unsigned k = 0; k < op->nargs; k++)
            for (unsigned lane = 0; lane < IR_MAX_LANES; lane++) {
                enum ir_type type = (enum ir_type)p->value_type[ir_args(p, op)[k]];
                uint64_t value = called_value(&random, type);
                if (ir_type_bits(type) == 64)
                    rows[k].wide[lane] = value;
                else
                    rows[k].word[lane] = (uint32_t)value;
            }
        p->helpers[op->desc].fn(IR_MAX_LANES, args, out, op->imm);
        for (unsigned k = 0; k < op->nres; k++)
            for (unsigned lane = 0; lane < IR_MAX_LANES; lane++)
                digest = test_mixed(digest, called_result(&results[k], lane, (enum ir_type)op->type));
    }
    return digest;
}

/* What the call is: function, number and types. */
static inline uint64_t called_key(const struct ir_program *p, const struct ir_op *op)
{
    uint64_t key = test_mixed((uint64_t)(uintptr_t)p->helpers[op->desc].fn, op->imm);
    key = test_mixed(key, op->type);
    for (unsigned k = 0; k < op->nargs; k++)
        key = test_mixed(key, p->value_type[ir_args(p, op)[k]]);
    return key | 1;
}

static inline uint64_t called_once(const struct ir_program *p, const struct ir_op *op)
{
    static struct {
        uint64_t key, digest;
    } known[CALLED_SLOTS];
    uint64_t key = called_key(p, op);
    uint32_t at = (uint32_t)(key >> 20) % CALLED_SLOTS;
    for (unsigned tries = 0; known[at].key != key; tries++, at = (at + 1) % CALLED_SLOTS) {
        assert_true(tries < CALLED_SLOTS / 2);
        if (known[at].key == 0) {
            known[at].key = key;
            known[at].digest = called_now(p, op);
        }
        if (known[at].key == key)
            break;
    }
    return known[at].digest;
}

/* Of all calls of a program, in any order. */
static inline uint64_t called_by(const struct ir_program *p)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; p->nhelpers && b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            if (op->code == IR_HELPER && op->nargs <= CALLED_ARGS && op->nres <= CALLED_ARGS)
                sum += test_mixed(called_once(p, op), op->imm);
        }
    return sum;
}

#endif
