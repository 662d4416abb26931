/* handlers_bus_lanes.h - loads and stores on the bus by all lanes of a warp: a part of handlers_bus.h, which alone
 * includes it.
 *
 * Sixteen elements one after the other in memory are one access; elements anywhere in one range are a loop over it.
 * Whatever else there is, a device, the end of a range or nothing at all, is asked lane by lane in ascending order, so
 * that what a device sees and where a fault is do not depend on any of this. */

/* The lanes of a chunk as offsets into the bytes of a range. */
struct bus_chunk {
    uint8_t *data;
    unsigned lanes;     /* that take part */
    bool straight;      /* element follows element, and all are inside, those of other lanes too */
    _Alignas(64) uint32_t at[EXEC_CHUNK];
};

/* Offsets fit 32 bits, and no address wraps into the range. */
static inline bool is_near(const struct exec_range *r)
{
    return r->size > 0 && r->first <= UINT32_MAX && r->size <= INT32_MAX && r->first + r->size <= UINT32_MAX;
}

/* False: some lane's element does not begin in the range. */
static inline bool bus_chunk_in(const struct frame *f, const struct lop *op, const struct exec_range *r, unsigned n,
                                struct bus_chunk *c)
{
    const uint32_t *a = ROW(uint32_t, op->a) + op->sa * n;
    uint32_t keep = (uint32_t)~(MEM_ALIGN(op) - 1), bytes = MEM_BYTES(op), size = (uint32_t)r->size;
    uint32_t crooked = 0, farthest = 0;
    uint32_t shift = (uint32_t)op->imm - (uint32_t)r->first;
    if (!is_near(r))
        return false;
    c->data = r->data;
    LANES c->at[i] = (a[i] & keep) + shift;
    uint32_t first = c->at[0];
    for (uint32_t i = 0; i < EXEC_CHUNK; i++)
        crooked |= c->at[i] ^ (first + bytes * i);
    /* what begins at one of the `size` bytes may be 8 long */
    c->straight = !crooked && first < size && bytes * EXEC_CHUNK <= size - first + 7;
    if (c->straight)
        return true;
    for (uint32_t i = 0; i < EXEC_CHUNK; i++) {
        uint32_t at = c->at[i] & (0u - (c->lanes >> i & 1));
        farthest = at > farthest ? at : farthest;
    }
    return farthest < size;
}

/* The same in the range that the last access hit, or else in the one where the first of the lanes is. */
static inline bool bus_chunk(const struct frame *f, const struct lop *op, struct exec_range *last, bool write,
                             unsigned n, struct bus_chunk *c)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (MEM_WIDE(op) || MEM_BYTES(op) > 4)
        return false;
    if (bus_chunk_in(f, op, last, n, c))
        return true;
    unsigned lane = n * EXEC_CHUNK + (unsigned)__builtin_ctz(c->lanes);
    return bus_search(f, bus_address(f, op, lane), MEM_BYTES(op), write, last) && bus_chunk_in(f, op, last, n, c);
#else
    (void)f, (void)op, (void)last, (void)write, (void)n, (void)c;
    return false;
#endif
}

/* Lanes that do not take part get 0. */
#define BUS_CHUNK_LOAD(bits)                                                                                         \
    static inline void bus_chunk_load##bits(const struct bus_chunk *c, uint32_t *d)                                  \
    {                                                                                                                \
        uint##bits##_t word[EXEC_CHUNK] = {0};                                                                       \
        uint32_t lanes = c->lanes;                                                                                   \
        if (c->straight) {                                                                                           \
            memcpy(word, c->data + c->at[0], sizeof word);                                                           \
            if (lanes == 0xffff)                                                                                     \
                LANES d[i] = word[i];                                                                                \
            else                                                                                                     \
                LANES d[i] = word[i] & (0u - (lanes >> i & 1));                                                      \
            return;                                                                                                  \
        }                                                                                                            \
        if (lanes == 0xffff)                                                                                         \
            for (unsigned i = 0; i < EXEC_CHUNK; i++)                                                                \
                memcpy(&word[i], c->data + c->at[i], sizeof word[i]);                                                \
        else                                                                                                         \
            for (; lanes; lanes &= lanes - 1) {                                                                      \
                unsigned i = (unsigned)__builtin_ctz(lanes);                                                         \
                memcpy(&word[i], c->data + c->at[i], sizeof word[i]);                                                \
            }                                                                                                        \
        LANES d[i] = word[i];                                                                                        \
    }

/* Where two go to one place the higher lane's stays. */
#define BUS_CHUNK_STORE(bits)                                                                                        \
    static inline void bus_chunk_store##bits(const struct bus_chunk *c, const uint32_t *b)                           \
    {                                                                                                                \
        uint##bits##_t word[EXEC_CHUNK];                                                                             \
        LANES word[i] = (uint##bits##_t)b[i];                                                                        \
        if (c->straight && c->lanes == 0xffff) {                                                                     \
            memcpy(c->data + c->at[0], word, sizeof word);                                                           \
            return;                                                                                                  \
        }                                                                                                            \
        for (unsigned m = c->lanes; m; m &= m - 1) {                                                                 \
            unsigned i = (unsigned)__builtin_ctz(m);                                                                 \
            memcpy(c->data + c->at[i], &word[i], sizeof word[i]);                                                    \
        }                                                                                                            \
    }

BUS_CHUNK_LOAD(8)
BUS_CHUNK_LOAD(16)
BUS_CHUNK_LOAD(32)
BUS_CHUNK_STORE(8)
BUS_CHUNK_STORE(16)
BUS_CHUNK_STORE(32)

static inline void bus_chunk_load(const struct bus_chunk *c, unsigned bytes, uint32_t *d)
{
    if (bytes == 1)
        bus_chunk_load8(c, d);
    else if (bytes == 2)
        bus_chunk_load16(c, d);
    else
        bus_chunk_load32(c, d);
}

static inline void bus_chunk_store(const struct bus_chunk *c, unsigned bytes, const uint32_t *b)
{
    if (bytes == 1)
        bus_chunk_store8(c, b);
    else if (bytes == 2)
        bus_chunk_store16(c, b);
    else
        bus_chunk_store32(c, b);
}

/* Lane by lane, those of chunk n. False: a fault. */
static __attribute__((noinline)) bool bus_load_lanes(struct frame *f, const struct lop *op, unsigned n, unsigned lanes)
{
    unsigned bytes = MEM_BYTES(op);
    for (unsigned k = 0; k < EXEC_CHUNK; k++) {
        unsigned i = n * EXEC_CHUNK + k;
        uint64_t value = 0, at = bus_address(f, op, i);
        if ((lanes >> k & 1) && !bus_read(f, at, bytes, &value)) {
            f->counts.bad_access++;
            if (bus_traps(f, op))
                return outside(f, op->b, at, "load where nothing is on the bus") != NULL;
        }
        if (bytes == 8)
            ROW(uint64_t, op->d)[i] = value;
        else
            ROW(uint32_t, op->d)[i] = (uint32_t)value;
    }
    return true;
}

static __attribute__((noinline)) bool bus_store_lanes(struct frame *f, const struct lop *op, lane_mask run)
{
    unsigned bytes = MEM_BYTES(op);
    for (; run; run &= run - 1) {
        unsigned i = (unsigned)__builtin_ctzll(run), k = op->sb ? i : 0;
        uint64_t at = bus_address(f, op, i);
        if (!bus_write(f, at, bytes, bytes == 8 ? ROW(uint64_t, op->b)[k] : ROW(uint32_t, op->b)[k])) {
            f->counts.bad_access++;
            if (bus_traps(f, op))
                return outside(f, op->d, at, "store where nothing is on the bus") != NULL;
        }
    }
    return true;
}
