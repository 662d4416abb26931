/* vector_model.h - the vector unit in plain C, written from notes on silicon and not
 * from weft: the register file with its views, data operations, flags, accumulators, the scalar result unit. */
#ifndef WEFT_TESTS_VPU_VECTOR_MODEL_H
#define WEFT_TESTS_VPU_VECTOR_MODEL_H

#include <stdbool.h>

#include "device/machine/machine.h"
#include "test.h"

struct operand {
    unsigned kind; /* 0: register, 1: dash */
    unsigned width, vertical, y, x4, band, inc; /* width: 0 8, 1 16, 2 32 bits; band: of 16 elements */
    unsigned reg, column; /* +rN: 1 + N, 0 none; * */
};

struct instruction {
    unsigned x, op, rep, setf, lanes, acc;
    struct operand d, a, b;
    int immediate; /* of B, when is_immediate; added to the register when is_scalar */
    bool is_immediate, is_scalar;
    unsigned scalar;
};

struct model {
    uint8_t vrf[64][16][4]; /* row, lane, byte */
    bool z[16], n[16], c[16];
    int64_t acc[16];
    uint32_t r[32];
    uint32_t seen[32]; /* as the instruction finds them: the manual reads them once, before the repetitions */
    uint8_t table[16][64]; /* the lookup table of each lane */
};

/* ---- the model ---- */

/* Byte k of an element; a column base moves each byte by 16 columns, that is to the next byte of its lane. */
static inline uint8_t *cell(struct model *s, unsigned row, unsigned element, unsigned bytes, unsigned k,
                            unsigned column)
{
    element &= 64 / bytes - 1;
    return &s->vrf[row & 63][element & 15][((element >> 4) * bytes + k + column) & 3];
}

/* +rN: bits 5:0 for x, 11:6 for y; *: 16 columns for each count of bits 5:4 of sr. */
static inline uint8_t *byte_of(struct model *s, const struct operand *o, unsigned turn, unsigned lane, unsigned k)
{
    uint32_t by = o->reg ? s->seen[o->reg - 1] : 0, column = o->column ? s->seen[30] >> 4 & 3 : 0;
    unsigned bytes = 1u << o->width, e = o->band * 16 + o->x4 + (by & 63), y = o->y + (by >> 6 & 63);
    unsigned step = o->inc ? turn : 0;
    return o->vertical ? cell(s, y + lane, e + step, bytes, k, column) : cell(s, y + step, e + lane, bytes, k, column);
}

static inline void write_lane(struct model *s, const struct operand *o, unsigned turn, unsigned lane, uint32_t v)
{
    for (unsigned k = 0; k < 1u << o->width; k++)
        *byte_of(s, o, turn, lane, k) = (uint8_t)(v >> 8 * k);
}

static inline int32_t read_lane(struct model *s, const struct operand *o, unsigned turn, unsigned lane)
{
    uint32_t v = 0;
    if (o->kind == 1)
        return 0;
    if (o->reg && (s->seen[o->reg - 1] & 0x1000)) /* the replicating alias */
        lane = 0;
    for (unsigned k = 0; k < 1u << o->width; k++)
        v |= (uint32_t)*byte_of(s, o, turn, lane, k) << 8 * k;
    return o->width == 1 ? (int16_t)v : (int32_t)v;
}

static inline int64_t hold(int64_t v, int64_t least, int64_t most, bool *held)
{
    int64_t w = v < least ? least : v > most ? most : v;
    *held = w != v;
    return w;
}

struct step {
    unsigned op, bits, lane;
    const struct operand *d;
    const int32_t *a, *b; /* of all lanes */
    bool carry_in;
    int carry; /* -1: stays */
};

static inline int64_t saturate(struct step *t, int64_t v)
{
    bool held;
    unsigned bits = t->d->kind == 0 && t->d->width == 1 ? 16 : t->bits;
    if (t->d->kind == 0 && t->d->width == 0)
        v = hold(v, 0, 255, &held);
    else
        v = hold(v, -((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1, &held);
    t->carry = held;
    return v;
}

static inline uint64_t cut(const struct step *t, int64_t v) { return t->bits == 32 ? (uint32_t)v : (uint16_t)v; }
static inline bool bit_of(const struct step *t, int64_t v, unsigned n) { return cut(t, v) >> (n & (t->bits - 1)) & 1; }

static inline int64_t multiply(struct step *t, int64_t a, int64_t b)
{
    unsigned op = t->op - 48, kind = op < 4 ? 0 : op < 12 ? op & 3 : op == 13;
    __int128 x = kind >= 2 ? (__int128)cut(t, a) : a, y = kind & 1 ? (__int128)cut(t, b) : b, p = x * y;
    __int128 half = (__int128)1 << (t->bits - 1), one = half * 2;
    int64_t v;
    switch (op) {
    case 0: return (int64_t)p;
    case 2: return (int64_t)(p >> 8);
    case 1: return saturate(t, (int64_t)p);
    case 3:
        v = saturate(t, (int64_t)(p >> 8));
        t->carry = -1;
        return v;
    case 8: case 9: case 10: case 11: return (int64_t)((p + half) >> t->bits);
    case 12: case 13: return (int64_t)(p / one);
    default: return (int64_t)(p >> t->bits);
    }
}

static inline int64_t add(struct step *t, int64_t a, int64_t b)
{
    unsigned kind = t->op - 32, carry = kind & 2 ? t->carry_in : 0;
    if (kind >= 8) {
        int64_t swap = a;
        a = b;
        b = swap;
    }
    int64_t v = kind < 4 ? a + b + carry : a - b - (int64_t)carry;
    if (kind & 1)
        return saturate(t, v);
    uint64_t x = cut(t, a), y = cut(t, b);
    t->carry = kind < 4 ? (x + y + carry) >> t->bits != 0 : x < y + carry;
    return v;
}

static inline int64_t shift(struct step *t, int64_t a, int64_t b)
{
    unsigned n = (unsigned)b & (t->bits - 1), op = t->op;
    if (op == 8 || op == 9) {
        if (op == 8)
            t->carry = bit_of(t, a, t->bits - n);
        return op == 8 ? a * ((int64_t)1 << n) : saturate(t, a * ((int64_t)1 << n));
    }
    if (op == 7 || op == 10 || op == 11) {
        t->carry = bit_of(t, a, n - 1);
        uint64_t low = cut(t, a) >> n;
        return op == 11 ? a >> n : op == 10 || n == 0 ? (int64_t)low : (int64_t)(low | cut(t, a) << (t->bits - n));
    }
    if (b >= 0) {
        int64_t wide = b > 31 ? a * ((int64_t)1 << 31) : a * ((int64_t)1 << b);
        if (op == 15)
            wide = saturate(t, wide);
        t->carry = op == 12 && b > 0 && b < t->bits && bit_of(t, a, t->bits - (unsigned)b);
        return op != 15 && b >= t->bits ? 0 : wide;
    }
    int64_t away = -b > 31 ? a >> 31 : a >> -b;
    if (op == 15)
        away = saturate(t, away);
    t->carry = -b <= t->bits ? bit_of(t, a, (unsigned)(-b - 1)) : op != 12 && a < 0;
    if (op == 12)
        return -b >= t->bits ? 0 : (int64_t)(cut(t, a) >> -b);
    return away;
}

static inline int64_t operate(struct step *t)
{
    int64_t a = t->a[t->lane], b = t->b[t->lane], v = 0;
    unsigned i = t->lane, op = t->op;
    bool wide = t->bits == 32;
    switch (op) {
    case 0: return b;
    case 1:
        for (unsigned j = 0; j < 16 && !wide; j++)
            v |= (int64_t)(t->b[j] >> i & 1) << j;
        return v;
    case 2: return i < 8 ? t->a[2 * i] : t->b[2 * i - 16];
    case 3: return i < 8 ? t->a[2 * i + 1] : t->b[2 * i - 15];
    case 4: return i & 1 ? t->b[i / 2] : t->a[i / 2];
    case 5: return i & 1 ? t->b[8 + i / 2] : t->a[8 + i / 2];
    case 6: {
        unsigned n = (unsigned)b & (t->bits - 1);
        n = n ? n : t->bits;
        for (unsigned k = 0; k < n; k++)
            v |= (int64_t)(cut(t, a) >> k & 1) << (n - 1 - k);
        return v;
    }
    case 7: case 8: case 9: case 10: case 11: case 12: case 14: case 15: return shift(t, a, b);
    case 16: return a & b;
    case 17: return a | b;
    case 18: return a ^ b;
    case 19: return a & ~b;
    case 20: return wide ? 0 : __builtin_popcountll(cut(t, a)) + __builtin_popcountll(cut(t, b));
    case 21: return cut(t, a | b) ? 63 - __builtin_clzll(cut(t, a | b)) : -1;
    case 24:
        t->carry = b < a;
        return a < b ? a : b;
    case 25:
        t->carry = b > a;
        return a > b ? a : b;
    case 26: return a < b ? b - a : a - b;
    case 27: return saturate(t, a < b ? b - a : a - b);
    case 28: v = a < b ? a : b; return v < 0 ? 0 : v;
    case 29: return b + (a > 0) - (a < 0);
    case 30: return !wide ? 0 : a < 0 ? -b : b;
    case 31: return wide ? 0 : (a < 0 ? -a : a) >= b;
    default: break;
    }
    if (op >= 32 && op <= 43)
        return add(t, a, b);
    return op >= 48 && op <= 61 ? multiply(t, a, b) : 0;
}

static inline unsigned bits_of(const struct instruction *i)
{
    if (i->op < 48)
        return i->x ? 32 : 16;
    bool read = (i->a.kind == 0 && i->a.width == 2) ||
                (!i->is_immediate && !i->is_scalar && i->b.kind == 0 && i->b.width == 2);
    return i->x || read ? 32 : 16;
}

static inline bool lane_runs(const struct model *s, unsigned lanes, unsigned l)
{
    const bool on[] = {true, false, s->z[l], !s->z[l], s->n[l], !s->n[l], s->c[l], !s->c[l]};
    return on[lanes];
}

/* The value that D gets, of a result of `bits` bits. */
static inline int64_t accumulate(struct model *s, const struct instruction *i, unsigned turn, unsigned l, int64_t v,
                                 unsigned bits)
{
    int64_t most = 0x7fffffffffff, old = (i->acc & 4) && turn == 0 ? 0 : s->acc[l];
    bool held;
    if (!(i->acc & 32)) {
        s->acc[l] = old;
        return v;
    }
    int64_t term = bits == 32 ? (int32_t)v : (int16_t)v;
    if (!(i->acc & 8))
        term &= bits == 32 ? 0xffffffff : 0xffff;
    term *= i->acc & 16 ? 65536 : 1;
    int64_t sum = hold(i->acc & 1 ? old - term : old + term, -most - 1, most, &held);
    s->acc[l] = i->acc & 2 ? sum : old;
    if (!(i->acc & 16))
        return sum;
    if (i->d.kind == 0 && i->d.width == 0)
        return hold(sum >> 16, 0, 255, &held);
    bool halves = bits == 16 || (i->d.kind == 0 && i->d.width == 1);
    return halves ? hold(sum >> 16, INT16_MIN, INT16_MAX, &held) : hold(sum >> 16, INT32_MIN, INT32_MAX, &held);
}

static inline void scalar_result(struct model *s, unsigned acc, const int64_t *value, const bool *on, unsigned bits)
{
    unsigned function = acc >> 3 & 7;
    int64_t sum = 0, best = 0, most = INT32_MIN;
    int index = -1;
    for (unsigned l = 0; l < 16; l++) {
        int64_t v = bits == 32 ? (int32_t)value[l] : (int16_t)value[l];
        if (!on[l])
            continue;
        sum += function == 0 && bits == 16 ? (uint16_t)v : v;
        if (index < 0 || (function == 3 ? v < best : v >= best)) {
            best = v;
            index = (int)l;
        }
        most = v > most ? v : most;
    }
    s->r[acc & 7] = function < 2 ? (uint32_t)sum : function == 3 || function == 5 ? (uint32_t)index : (uint32_t)most;
}

/* What becomes of results of `bits` bits: accumulators, scalar result, the write to D. */
static inline void finish(struct model *s, const struct instruction *i, unsigned n, const int64_t *value,
                          const bool *on, unsigned bits)
{
    for (unsigned l = 0; l < 16; l++) {
        if (!on[l])
            continue;
        int64_t v = i->acc & 64 ? value[l] : accumulate(s, i, n, l, value[l], bits);
        if (i->d.kind == 0)
            write_lane(s, &i->d, n, l, (uint32_t)v);
    }
    if (i->acc & 64)
        scalar_result(s, i->acc, value, on, bits);
}

/* B in a lane: an immediate, a scalar register with a displacement, or a vector register. */
static inline int32_t read_b(struct model *s, const struct instruction *i, unsigned n, unsigned lane)
{
    if (i->is_immediate)
        return i->immediate;
    if (i->is_scalar && i->scalar >= 32) /* no register */
        return i->immediate;
    return i->is_scalar ? (int32_t)(s->seen[i->scalar] + (uint32_t)i->immediate) : read_lane(s, &i->b, n, lane);
}

static inline void turn(struct model *s, const struct instruction *i, unsigned n)
{
    int32_t a[16], b[16];
    int64_t value[16];
    bool on[16];
    unsigned bits = bits_of(i);
    if (n == 0)
        memcpy(s->seen, s->r, sizeof s->seen);
    for (unsigned l = 0; l < 16; l++) {
        a[l] = read_lane(s, &i->a, n, l);
        b[l] = read_b(s, i, n, l);
        if (bits == 16) {
            a[l] = (int16_t)a[l];
            b[l] = (int16_t)b[l];
        }
        on[l] = lane_runs(s, i->lanes, l);
    }
    for (unsigned l = 0; l < 16; l++) {
        struct step t = {i->op, bits, l, &i->d, a, b, s->c[l], -1};
        if (i->op >= 48 && i->x) { /* 16 by 16 to 32 */
            static const bool exists[16] = {[4] = true, [5] = true, [6] = true, [7] = true};
            int64_t x = i->op & 2 ? (uint16_t)a[l] : (int16_t)a[l], y = i->op & 1 ? (uint16_t)b[l] : (int16_t)b[l];
            value[l] = exists[i->op - 48] ? x * y : 0;
        } else {
            value[l] = operate(&t);
        }
        value[l] = bits == 32 ? (int32_t)value[l] : (int16_t)value[l];
        if (i->setf && on[l]) {
            s->z[l] = value[l] == 0;
            s->n[l] = value[l] < 0;
            s->c[l] = t.carry < 0 ? s->c[l] : t.carry != 0;
        }
    }
    finish(s, i, n, value, on, bits);
}

/* ---- the machine ---- */

/* A word that is large, or near 0. */
static inline uint32_t vector_word(struct test_rng *r)
{
    uint32_t small = test_next(r) >> (test_next(r) & 31);
    return test_next(r) & 1 ? test_next(r) : small ^ (0u - (test_next(r) & 1));
}

static inline void load_state(struct machine *m, const struct model *s)
{
    for (unsigned row = 0; row < 64; row++)
        for (unsigned l = 0; l < 16; l++) {
            uint32_t v;
            memcpy(&v, s->vrf[row][l], 4);
            machine_set_vector(m, row, l, v);
        }
}

/* The first difference between the machine and the model; NULL: none. */
static inline const char *vector_difference(const struct machine *m, const struct model *s)
{
    static char what[100];
    for (unsigned row = 0; row < 64; row++)
        for (unsigned l = 0; l < 16; l++) {
            uint32_t v;
            memcpy(&v, s->vrf[row][l], 4);
            if (machine_vector(m, row, l) == v)
                continue;
            snprintf(what, sizeof what, "row %u lane %u is %x, not %x", row, l, machine_vector(m, row, l), v);
            return what;
        }
    for (unsigned k = 0; k < 8; k++) {
        snprintf(what, sizeof what, "r%u is %x, not %x", k, machine_register(m, k), s->r[k]);
        if (machine_register(m, k) != s->r[k])
            return what;
    }
    return NULL;
}

#endif
