/* handlers_bus_lanes.h - loads and stores on the bus by all lanes of a warp: a part of handlers_bus.h, which alone
 * includes it.
 *
 * Sixteen elements one after the other in memory are one access; elements anywhere in one range are a loop over it.
 * Whatever else there is, a device, the end of a range or nothing at all, is asked lane by lane in ascending order, so
 * that what a device sees and where a fault is do not depend on any of this. */

/* The lanes of a chunk as offsets into the bytes of a range. */
struct bus_chunk {
    uint8_t *data;
    uint32_t size;
    unsigned lanes;     /* that take part: all of their elements are inside */
    union {
        struct chunk_at at;
        uint32_t lane[EXEC_CHUNK];
    };
};

/* Offsets of 64-bit addresses; what is 4 GiB away or farther is as far as can be. */
static inline void bus_far_offsets(const struct frame *f, const struct lop *op, uint64_t first, unsigned n,
                                   uint32_t *at)
{
    const uint64_t *a = ROW(uint64_t, op->a) + op->sa * n;
    uint64_t keep = ~(MEM_ALIGN(op) - 1), shift = op->imm - first;
    LANES {
        uint64_t k = (a[i] & keep) + shift;
        at[i] = (uint32_t)k | (k >> 32 ? UINT32_MAX : 0);
    }
}

/* Offsets of 32-bit addresses, which wrap. */
static inline void bus_offsets(const struct frame *f, const struct lop *op, uint64_t first, unsigned n, uint32_t *at)
{
    const uint32_t *a = ROW(uint32_t, op->a) + op->sa * n;
    uint32_t keep = (uint32_t)~(MEM_ALIGN(op) - 1), shift = (uint32_t)op->imm - (uint32_t)first;
    LANES at[i] = (a[i] & keep) + shift;
}

/* False: some lane's element is not in the range. */
static inline bool bus_chunk_in(const struct frame *f, const struct lop *op, const struct exec_range *r, unsigned n,
                                struct bus_chunk *c)
{
    bool wide = MEM_WIDE(op);
    if (!is_near(r) || (!wide && (r->first > UINT32_MAX || r->size > UINT32_MAX - r->first)))
        return false;
    if (wide)
        bus_far_offsets(f, op, r->first, n, c->lane);
    else
        bus_offsets(f, op, r->first, n, c->lane);
    c->data = r->data;
    c->size = (uint32_t)r->size + 7; /* what begins at one of the range's bytes may be 8 long */
    return chunk_inside(&c->at, c->lanes, c->size - MEM_BYTES(op)) == c->lanes;
}

/* The same in the range that the last access hit, or else in the one where the first of the lanes is. */
static inline bool bus_chunk(struct frame *f, const struct lop *op, struct exec_range *last, bool write,
                             unsigned n, struct bus_chunk *c)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bus_chunk_in(f, op, last, n, c))
        return true;
    unsigned lane = n * EXEC_CHUNK + (unsigned)__builtin_ctz(c->lanes);
    if (!bus_search(f, bus_address(f, op, lane), MEM_BYTES(op), write, last))
        return false;
    if (!write)
        bus_note_view(f, last);
    return bus_chunk_in(f, op, last, n, c);
#else
    (void)f, (void)op, (void)last, (void)write, (void)n, (void)c;
    return false;
#endif
}

/* Does element follow element, those of lanes that do not take part too? */
static inline bool bus_is_straight(const struct bus_chunk *c, unsigned bytes)
{
    uint32_t crooked = 0, first = c->lane[0];
    for (uint32_t i = 0; i < EXEC_CHUNK; i++)
        crooked |= c->lane[i] ^ (first + bytes * i);
    return !crooked && first < c->size && bytes * EXEC_CHUNK <= c->size - first;
}

/* Elements narrower or wider than a word. Lanes that do not take part get 0. */
#define BUS_CHUNK_LOAD(bits, row)                                                                                    \
    static inline void bus_chunk_load##bits(const struct bus_chunk *c, row *d)                                       \
    {                                                                                                                \
        uint##bits##_t element[EXEC_CHUNK] = {0};                                                                    \
        if (c->lanes == 0xffff && bus_is_straight(c, bits / 8))                                                      \
            memcpy(element, c->data + c->lane[0], sizeof element);                                                   \
        else                                                                                                         \
            for (unsigned m = c->lanes; m; m &= m - 1) {                                                             \
                unsigned i = (unsigned)__builtin_ctz(m);                                                             \
                memcpy(&element[i], c->data + c->lane[i], sizeof element[i]);                                        \
            }                                                                                                        \
        LANES d[i] = element[i];                                                                                     \
    }

/* Where two go to one place the higher lane's stays. */
#define BUS_CHUNK_STORE(bits, row)                                                                                   \
    static inline void bus_chunk_store##bits(const struct bus_chunk *c, const row *b)                                \
    {                                                                                                                \
        uint##bits##_t element[EXEC_CHUNK];                                                                          \
        LANES element[i] = (uint##bits##_t)b[i];                                                                     \
        if (c->lanes == 0xffff && bus_is_straight(c, bits / 8)) {                                                    \
            memcpy(c->data + c->lane[0], element, sizeof element);                                                   \
            return;                                                                                                  \
        }                                                                                                            \
        for (unsigned m = c->lanes; m; m &= m - 1) {                                                                 \
            unsigned i = (unsigned)__builtin_ctz(m);                                                                 \
            memcpy(c->data + c->lane[i], &element[i], sizeof element[i]);                                            \
        }                                                                                                            \
    }

BUS_CHUNK_LOAD(8, uint32_t)
BUS_CHUNK_LOAD(16, uint32_t)
BUS_CHUNK_LOAD(64, uint64_t)
BUS_CHUNK_STORE(8, uint32_t)
BUS_CHUNK_STORE(16, uint32_t)
BUS_CHUNK_STORE(64, uint64_t)

static inline void bus_chunk_load32(const struct bus_chunk *c, uint32_t *d)
{
    enum chunk_shape shape = c->lanes == 0xffff ? chunk_shape(&c->at, c->size) : CHUNK_SCATTERED;
    if (shape == CHUNK_SCATTERED)
        chunk_gather(c->data, &c->at, c->lanes, d);
    else
        chunk_load_shape(c->data, shape, c->lane[0], d);
}

static inline void bus_chunk_store32(const struct bus_chunk *c, const uint32_t *b)
{
    if (c->lanes == 0xffff && chunk_shape(&c->at, c->size) == CHUNK_ROW)
        memcpy(c->data + c->lane[0], b, 4 * EXEC_CHUNK);
    else
        chunk_scatter(c->data, &c->at, c->lanes, b);
}

static inline void bus_chunk_load(struct frame *f, const struct lop *op, const struct bus_chunk *c, unsigned n)
{
    uint32_t *d = ROW(uint32_t, op->d) + n * EXEC_CHUNK;
    switch (MEM_BYTES(op)) {
    case 1:
        bus_chunk_load8(c, d);
        break;
    case 2:
        bus_chunk_load16(c, d);
        break;
    case 4:
        bus_chunk_load32(c, d);
        break;
    default:
        bus_chunk_load64(c, ROW(uint64_t, op->d) + n * EXEC_CHUNK);
    }
}

static inline void bus_chunk_store(struct frame *f, const struct lop *op, const struct bus_chunk *c, unsigned n)
{
    const uint32_t *b = ROW(uint32_t, op->b) + n * op->sb;
    switch (MEM_BYTES(op)) {
    case 1:
        bus_chunk_store8(c, b);
        break;
    case 2:
        bus_chunk_store16(c, b);
        break;
    case 4:
        bus_chunk_store32(c, b);
        break;
    default:
        bus_chunk_store64(c, ROW(uint64_t, op->b) + n * op->sb);
    }
}

/* Lane by lane, those of chunk n. False: a fault. */
static __attribute__((noinline)) bool bus_load_lanes(struct frame *f, const struct lop *op, unsigned n, unsigned lanes)
{
    unsigned bytes = MEM_BYTES(op);
    for (unsigned k = 0; k < EXEC_CHUNK; k++) {
        unsigned i = n * EXEC_CHUNK + k;
        uint64_t value = 0, at = bus_address(f, op, i);
        if ((lanes >> k & 1) && !bus_read(f, &f->bus_load, at, bytes, &value)) {
            note_bus(f, op, op->b, at, i);
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
    struct exec_range *last = op->n ? &f->bus_store : &f->bus_stores[MEM_SITE(op)];
    for (; run; run &= run - 1) {
        unsigned i = (unsigned)__builtin_ctzll(run), k = op->sb ? i : 0;
        uint64_t at = bus_address(f, op, i);
        uint64_t value = bytes == 8 ? ROW(uint64_t, op->b)[k] : ROW(uint32_t, op->b)[k];
        if (!bus_write(f, last, at, bytes, value)) {
            note_bus(f, op, op->d, at, i);
            if (bus_traps(f, op))
                return outside(f, op->d, at, bus_no_store(f, at, bytes)) != NULL;
        }
    }
    return true;
}
