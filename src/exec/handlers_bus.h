/* handlers_bus.h - accesses by uniform ops, and spaces of kind BUS: a part of handlers.c, which alone includes it.
 *
 * An access tries the range that the last one hit; then the ranges are searched; then the device's functions are
 * asked. */

/* ---- one access of a uniform op to a buffer ---- */

static const struct lop *outside(struct frame *f, uint32_t insn, uint64_t address, const char *why)
{
    f->fault_address = address;
    return fault_at(f, insn, why);
}

static inline void put_scalar(struct frame *f, const struct lop *op, unsigned bytes, uint64_t value)
{
    if (bytes == 8)
        *ROW(uint64_t, op->d) = value;
    else
        *ROW(uint32_t, op->d) = (uint32_t)value;
}

static inline uint64_t scalar_value(const struct frame *f, const struct lop *op, unsigned bytes)
{
    return bytes == 8 ? *ROW(uint64_t, op->b) : *ROW(uint32_t, op->b);
}

PLAIN_APART(LOAD_SCALAR)
{
    struct mem_view v = mem_view(f, op);
    unsigned bytes = MEM_BYTES(op);
    bool on = !op->c || *ROW(int32_t, op->c);
    const uint8_t *p = on ? mem_at(&v, mem_address(f, op, 0), bytes, 0) : NULL;
    if (on && !p) {
        count_outside(f, op, op->b, &v, 1);
        if (v.trap)
            return outside(f, op->b, mem_address(f, op, 0) + op->imm, "load outside its memory");
    }
    put_scalar(f, op, bytes, p ? mem_read(p, bytes) : 0);
    return op + 1;
}

PLAIN_APART(STORE_SCALAR)
{
    struct mem_view v = mem_view(f, op);
    unsigned bytes = MEM_BYTES(op);
    if ((op->c && !*ROW(int32_t, op->c)) || !(f->active & f->live))
        return op + 1;
    uint8_t *p = mem_at(&v, mem_address(f, op, 0), bytes, 0);
    if (p) {
        mem_write(p, bytes, scalar_value(f, op, bytes));
    } else {
        count_outside(f, op, op->d, &v, 1);
        if (v.trap)
            return outside(f, op->d, mem_address(f, op, 0) + op->imm, "store outside its memory");
    }
    return op + 1;
}

/* ---- the bus ---- */

static inline uint64_t bus_address(const struct frame *f, const struct lop *op, unsigned lane)
{
    uint64_t at = (mem_address(f, op, lane) & ~(MEM_ALIGN(op) - 1)) + op->imm;
    return MEM_WIDE(op) ? at : (uint32_t)at;
}

static inline bool bus_traps(const struct frame *f, const struct lop *op)
{
    return f->program->ir->spaces[MEM_SPACE(op)].bounds == IR_BOUNDS_TRAP;
}

static COLD void note_bus(struct frame *f, const struct lop *op, uint32_t insn, uint64_t at, unsigned lane)
{
    note_outside(f, (struct exec_outside){.insn = insn, .lane = (uint16_t)lane, .place = MEM_SPACE(op), .address = at});
}

/* The bytes of an access where a range has them; NULL where it has not. The range is kept in *last with the accesses
 * of up to 8 bytes that begin at one of its `size` first bytes. */
static uint8_t *bus_search(const struct frame *f, uint64_t at, unsigned bytes, bool write, struct exec_range *last)
{
    const struct exec_bus *bus = f->env->bus;
    bool apart = write && bus && bus->stores;
    const struct exec_range *ranges = !bus ? NULL : apart ? bus->stores : bus->ranges;
    uint32_t low = 0, high = !bus ? 0 : apart ? bus->nstores : bus->nranges;
    while (low < high) { /* the last range that begins at or before the address */
        uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].first <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct exec_range *r = &ranges[low - 1];
    if (!r->data || (write && r->read_only) || at - r->first >= r->size || bytes > r->size - (at - r->first))
        return NULL;
    if (r->size >= 8)
        *last = (struct exec_range){r->first, r->size - 7, r->data, r->read_only};
    return r->data + (at - r->first);
}

/* Offsets that gathers (signed) reach. */
static inline bool is_near(const struct exec_range *r)
{
    return r->size > 0 && r->size <= INT32_MAX - 7;
}

/* The range of a site of loads, as compiled code looks at it. */
static inline void bus_note_view(struct frame *f, const struct exec_range *last)
{
    uint64_t end = (last->first & UINT32_MAX) + last->size + 3; /* words begin there at the latest: size + 7 - 4 */
    bool fits = is_near(last) && end <= UINT32_MAX;
    f->bus_views[last - f->bus_loads] = (struct bus_view){.data = fits ? last->data : NULL,
                                                          .low = (uint32_t)last->first,
                                                          .high = (uint32_t)(last->first >> 32),
                                                          .last = (uint32_t)last->size + 3};
}

static __attribute__((noinline)) bool bus_read_far(struct frame *f, struct exec_range *last, uint64_t at,
                                                   unsigned bytes, uint64_t *value)
{
    const uint8_t *p = bus_search(f, at, bytes, false, last);
    if (p && last != &f->bus_load) {
        bus_note_view(f, last);
        f->bus_load = *last;
    }
    if (p) {
        *value = mem_read(p, bytes);
        return true;
    }
    const struct exec_bus *bus = f->env->bus;
    *value = 0;
    leave_vectors();
    return bus && bus->load && bus->load(bus->device, at, bytes, value);
}

static __attribute__((noinline)) bool bus_write_far(struct frame *f, struct exec_range *last, uint64_t at,
                                                    unsigned bytes, uint64_t value)
{
    uint8_t *p = bus_search(f, at, bytes, true, last);
    if (p) {
        f->bus_store = *last;
        mem_write(p, bytes, value);
        return true;
    }
    const struct exec_bus *bus = f->env->bus;
    leave_vectors();
    return bus && bus->store && bus->store(bus->device, at, bytes, value);
}

/* `last`: where the range is kept that such accesses hit last. */
static inline bool bus_read(struct frame *f, struct exec_range *last, uint64_t at, unsigned bytes, uint64_t *value)
{
    uint64_t k = at - last->first;
    if (k >= last->size)
        return bus_read_far(f, last, at, bytes, value);
    *value = mem_read(last->data + k, bytes);
    return true;
}

static inline bool bus_write(struct frame *f, struct exec_range *last, uint64_t at, unsigned bytes, uint64_t value)
{
    uint64_t k = at - last->first;
    if (k >= last->size)
        return bus_write_far(f, last, at, bytes, value);
    mem_write(last->data + k, bytes, value);
    return true;
}

/* Why a store cannot be: what can be read there is code, constants or another thing that stays. */
static const char *bus_no_store(struct frame *f, uint64_t at, unsigned bytes)
{
    struct exec_range last = f->bus_load;
    return bus_search(f, at, bytes, false, &last) ? "store to memory that is read only"
                                                  : "store where nothing is on the bus";
}

#include "exec/handlers_bus_lanes.h"

static const struct lop *bus_load_one(struct frame *f, const struct lop *op)
{
    uint64_t value = 0, at = bus_address(f, op, 0);
    if ((!op->c || *ROW(int32_t, op->c)) && !bus_read(f, &f->bus_loads[MEM_SITE(op)], at, MEM_BYTES(op), &value)) {
        note_bus(f, op, op->b, at, 0);
        if (bus_traps(f, op))
            return outside(f, op->b, at, "load where nothing is on the bus");
    }
    put_scalar(f, op, MEM_BYTES(op), value);
    return op + 1;
}

/* Chunk n of a load by lanes. False: a fault. */
static inline bool bus_load_chunk(struct frame *f, const struct lop *op, unsigned n, unsigned lanes)
{
    struct bus_chunk c = {.lanes = lanes};
    size_t row = MEM_BYTES(op) == 8 ? 8 : 4; /* bytes of an element of the result */
    if (!lanes)
        memset(ROW(uint8_t, op->d) + n * EXEC_CHUNK * row, 0, EXEC_CHUNK * row);
    else if (bus_chunk(f, op, &f->bus_loads[MEM_SITE(op)], false, n, &c))
        bus_chunk_load(f, op, &c, n);
    else
        return bus_load_lanes(f, op, n, lanes);
    return true;
}

/* One access, or one for each lane. n: 0 for a scalar result. */
PLAIN_APART(BUS_LOAD)
{
    if (!op->n)
        return bus_load_one(f, op);
    lane_mask run = effect_lanes(f, op->c, op->sc);
    for (unsigned n = 0; n < op->n; n++)
        if (!bus_load_chunk(f, op, n, run >> (EXEC_CHUNK * n) & 0xffff))
            return NULL;
    return op + 1;
}

PLAIN_APART(BUS_STORE)
{
    lane_mask run = op->n ? store_lanes(f, op) : 0;
    if (!op->n && (!op->c || *ROW(int32_t, op->c)))
        run = f->active & f->live;
    if (!op->n || (!op->sa && !op->sb && !op->sc))
        return bus_store_lanes(f, op, run & -run) ? op + 1 : NULL; /* one access */
    struct exec_range *last = &f->bus_stores[MEM_SITE(op)];
    for (unsigned n = 0; n < op->n; n++) {
        struct bus_chunk c;
        c.lanes = run >> (EXEC_CHUNK * n) & 0xffff;
        if (c.lanes && bus_chunk(f, op, last, true, n, &c))
            bus_chunk_store(f, op, &c, n);
        else if (!bus_store_lanes(f, op, (lane_mask)c.lanes << (EXEC_CHUNK * n)))
            return NULL;
    }
    return op + 1;
}

/* Lanes in ascending order; device registers are read and written. Operands as ATOMIC's. */
PLAIN_APART(BUS_ATOMIC)
{
    const struct lop_call *call = &f->program->calls[op->c];
    enum ir_atomic what = (enum ir_atomic)call->op->imm;
    unsigned bytes = MEM_BYTES(op);
    atomic_clear(f, op);
    lane_mask m = f->live & effect_lanes(f, call->res[1], call->res[2]);
    for (; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint64_t at = bus_address(f, op, i), word = 0;
        struct atomic_lane l = atomic_lane(f, op, call, i);
        uint8_t *p = bus_search(f, at, bytes, true, &f->bus_store), copy[16];
        if (p) {
            atomic_at(f, op, p, what, l, f->env->concurrent, i);
            continue;
        }
        if (bus_read(f, &f->bus_load, at, bytes, &word)) { /* a device's register: changed in a copy */
            mem_write(copy, bytes, word);
            atomic_at(f, op, copy, what, l, false, i);
            if (bus_write(f, &f->bus_store, at, bytes, mem_read(copy, bytes)))
                continue;
        }
        note_bus(f, op, call->op->insn, at, i);
        if (bus_traps(f, op))
            return outside(f, call->op->insn, at, "atomic where nothing is on the bus");
    }
    return op + 1;
}

/* Scalars of each width at 32-bit addresses, without a predicate: what the loads and stores of a scalar processor
 * are. The range of the operation's site is looked at where that of the last search is not the one. */
#define BUS_SCALARS(bits, bytes, row)                                                                                \
    PLAIN(BUS_LOAD##bits)                                                                                            \
    {                                                                                                                \
        uint64_t k = (uint32_t)(*ROW(uint32_t, op->a) + (uint32_t)op->imm) - f->bus_load.first;                      \
        if (k < f->bus_load.size) {                                                                                  \
            *ROW(row, op->d) = (row)mem_read(f->bus_load.data + k, bytes);                                           \
            NEXT;                                                                                                    \
        }                                                                                                            \
        const struct lop *next = apart_BUS_LOAD(f, op);                                                              \
        if (!next)                                                                                                   \
            return NULL;                                                                                             \
        GO_ON(next);                                                                                                 \
    }                                                                                                                \
    PLAIN(BUS_STORE##bits)                                                                                           \
    {                                                                                                                \
        uint64_t k = (uint32_t)(*ROW(uint32_t, op->a) + (uint32_t)op->imm) - f->bus_store.first;                     \
        if (k < f->bus_store.size && (f->active & f->live)) {                                                        \
            mem_write(f->bus_store.data + k, bytes, *ROW(row, op->b));                                               \
            NEXT;                                                                                                    \
        }                                                                                                            \
        const struct lop *next = apart_BUS_STORE(f, op);                                                             \
        if (!next)                                                                                                   \
            return NULL;                                                                                             \
        GO_ON(next);                                                                                                 \
    }

BUS_SCALARS(8, 1, uint32_t)
BUS_SCALARS(16, 2, uint32_t)
BUS_SCALARS(32, 4, uint32_t)
BUS_SCALARS(64, 8, uint64_t)
