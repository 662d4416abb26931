/* handlers_memory.h - LOAD, STORE and ATOMIC: a part of handlers.c, which alone includes it.
 *
 * Addresses of a warp mostly are what their loops look like: 16 words in a row, or 16 words anywhere in one buffer. So
 * 32-bit elements at 32-bit addresses go chunk by chunk, as one vector access or one gather or scatter; the rest goes
 * lane by lane. */

/* A space as one op sees it. */
struct mem_view {
    uint8_t *data;
    uint64_t size;        /* what addresses are held against */
    uint64_t lane_stride; /* spaces that each lane has one of */
    uint64_t keep, offset;
    uint64_t wrap;        /* IR_BOUNDS_WRAP: mask of the address */
    bool wide, trap;
};

static inline struct mem_view mem_view(const struct frame *f, const struct lop *op)
{
    const struct exec_buffer *buffer = &f->env->space[MEM_SPACE(op)];
    const struct ir_space *space = &f->program->ir->spaces[MEM_SPACE(op)];
    bool per_lane = space->kind == IR_SPACE_PRIVATE || space->kind == IR_SPACE_INPUT;
    uint64_t size = per_lane ? (buffer->data ? space->size : 0) : buffer->size;
    return (struct mem_view){.data = buffer->data,
                             .size = size,
                             .lane_stride = per_lane ? space->size : 0,
                             .keep = ~(MEM_ALIGN(op) - 1),
                             .offset = op->imm,
                             .wrap = space->bounds == IR_BOUNDS_WRAP && size ? size - 1 : ~(uint64_t)0,
                             .wide = MEM_WIDE(op),
                             .trap = space->bounds == IR_BOUNDS_TRAP};
}

/* The byte of a lane's access of `bytes`, or NULL outside the space. */
static inline uint8_t *mem_at(const struct mem_view *v, uint64_t address, uint64_t bytes, unsigned lane)
{
    uint64_t at = (address & v->keep) + v->offset;
    if (!v->wide)
        at = (uint32_t)at;
    at &= v->wrap;
    return at <= v->size && bytes <= v->size - at ? v->data + at + lane * v->lane_stride : NULL;
}

static inline uint64_t mem_address(const struct frame *f, const struct lop *op, unsigned i)
{
    unsigned k = op->sa ? i : 0;
    return MEM_WIDE(op) ? ROW(uint64_t, op->a)[k] : ROW(uint32_t, op->a)[k];
}

static inline uint64_t mem_read(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned k = 0; k < bytes; k++)
        v |= (uint64_t)p[k] << (8 * k);
    return v;
}

static inline void mem_write(uint8_t *p, unsigned bytes, uint64_t v)
{
    for (unsigned k = 0; k < bytes; k++)
        p[k] = (uint8_t)(v >> (8 * k));
}

/* ---- words by the chunk ---- */

/* Whether the ops below can do it: words, at 32-bit addresses that gathers (signed offsets) reach. */
static inline bool mem_by_chunks(const struct lop *op, const struct mem_view *v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t reach = 0x7fffffff;
    return MEM_BYTES(op) == 4 && !v->wide && ~v->wrap == 0 && v->size >= 4 && v->size <= reach &&
           v->lane_stride <= (reach - v->size) / EXEC_MAX_LANES;
#else
    (void)op, (void)v;
    return false;
#endif
}

/* Byte addresses of a chunk, in the host's vectors. */
#if defined(__AVX512F__)
typedef uint32_t vector_u __attribute__((vector_size(64)));
#elif defined(__AVX2__)
typedef uint32_t vector_u __attribute__((vector_size(32)));
#else
typedef uint32_t vector_u __attribute__((vector_size(16)));
#endif
enum { VECTOR_LANES = sizeof(vector_u) / 4, CHUNK_PARTS = EXEC_CHUNK / VECTOR_LANES };

struct chunk_at {
    vector_u part[CHUNK_PARTS];
};

/* How they lie. */
enum chunk_shape {
    CHUNK_SCATTERED,
    CHUNK_ROW, /* 16 words in a row inside the space */
    CHUNK_ONE  /* one word, which is inside */
};

static inline bool vector_is_zero(vector_u v)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) == 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return !(v[0] | v[1] | v[2] | v[3]);
#endif
}

/* The number of a chunk's lane, times `step`. */
static inline vector_u lane_steps(unsigned part, uint32_t step)
{
    static const uint32_t lanes[EXEC_CHUNK] __attribute__((aligned(64))) = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                            8, 9, 10, 11, 12, 13, 14, 15};
    return ((const vector_u *)(const void *)lanes)[part] * step;
}

/* Words at these offsets into `size` bytes, 4 at least. */
static inline enum chunk_shape chunk_shape(const struct chunk_at *at, uint64_t size)
{
    vector_u crooked = {0}, apart = {0};
    uint32_t first = at->part[0][0];
    for (unsigned k = 0; k < CHUNK_PARTS; k++) {
        crooked |= at->part[k] ^ (first + lane_steps(k, 4));
        apart |= at->part[k] ^ first;
    }
    if (first > size - 4)
        return CHUNK_SCATTERED;
    if (vector_is_zero(apart))
        return CHUNK_ONE;
    bool fits = size >= 4 * EXEC_CHUNK && first <= size - 4 * EXEC_CHUNK;
    return fits && vector_is_zero(crooked) ? CHUNK_ROW : CHUNK_SCATTERED;
}

static inline enum chunk_shape chunk_addresses(const struct mem_view *v, const uint32_t *a, struct chunk_at *at)
{
    for (unsigned k = 0; k < CHUNK_PARTS; k++)
        at->part[k] = (((const vector_u *)(const void *)a)[k] & (uint32_t)v->keep) + (uint32_t)v->offset;
    return v->lane_stride ? CHUNK_SCATTERED : chunk_shape(at, v->size);
}

/* From addresses in a lane's own memory to those in all of them; `first` is the chunk's first lane. */
static inline void chunk_lanes(const struct mem_view *v, unsigned first, struct chunk_at *at)
{
    uint32_t stride = (uint32_t)v->lane_stride;
    for (unsigned k = 0; k < CHUNK_PARTS; k++)
        at->part[k] += first * stride + lane_steps(k, stride);
}

/* Lanes of a chunk that are at `last` or before. */
static inline unsigned chunk_inside(const struct chunk_at *at, unsigned lanes, uint32_t last)
{
#if defined(__AVX512F__)
    return _mm512_mask_cmple_epu32_mask((__mmask16)lanes, (__m512i)at->part[0], _mm512_set1_epi32((int)last));
#elif defined(__AVX2__)
    unsigned inside = 0;
    for (unsigned k = 0; k < CHUNK_PARTS; k++) {
        __m256i part = (__m256i)at->part[k];
        __m256i fine = _mm256_cmpeq_epi32(_mm256_min_epu32(part, _mm256_set1_epi32((int)last)), part);
        inside |= (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(fine)) << (k * VECTOR_LANES);
    }
    return inside & lanes;
#else
    unsigned inside = 0;
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        inside |= (unsigned)(at->part[i / VECTOR_LANES][i % VECTOR_LANES] <= last) << i;
    return inside & lanes;
#endif
}

/* Words at any addresses, for lanes that are inside; 0 to the others. */
static inline void chunk_gather(const uint8_t *data, const struct chunk_at *at, unsigned inside, uint32_t *d)
{
#if defined(__AVX512F__)
    _mm512_store_si512(d, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)inside,
                                                      (__m512i)at->part[0], data, 1));
#elif defined(__AVX2__)
    const __m256i bits = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    for (unsigned k = 0; k < CHUNK_PARTS; k++) {
        __m256i mine = _mm256_and_si256(_mm256_set1_epi32((int)(inside >> (k * VECTOR_LANES))), bits);
        __m256i words = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)data,
                                                    (__m256i)at->part[k], _mm256_cmpeq_epi32(mine, bits), 1);
        _mm256_store_si256((__m256i *)(void *)d + k, words);
    }
#else
    for (unsigned i = 0; i < EXEC_CHUNK; i++) {
        uint32_t word = 0;
        if (inside >> i & 1)
            memcpy(&word, data + at->part[i / VECTOR_LANES][i % VECTOR_LANES], 4);
        d[i] = word;
    }
#endif
}

/* Where two go to one place the higher lane's stays. */
static inline void chunk_scatter(uint8_t *data, const struct chunk_at *at, unsigned inside, const uint32_t *b)
{
#if defined(__AVX512F__)
    _mm512_mask_i32scatter_epi32(data, (__mmask16)inside, (__m512i)at->part[0], _mm512_load_si512(b), 1);
#else
    for (unsigned m = inside; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        memcpy(data + at->part[i / VECTOR_LANES][i % VECTOR_LANES], &b[i], 4);
    }
#endif
}

/* A chunk of one shape that all lanes take part in. */
static inline void chunk_load_shape(const uint8_t *data, enum chunk_shape shape, uint32_t first, uint32_t *d)
{
    uint32_t word;
    if (shape == CHUNK_ROW) {
        memcpy(d, data + first, 4 * EXEC_CHUNK);
        return;
    }
    memcpy(&word, data + first, 4);
    LANES d[i] = word;
}

/* Load words for `lanes`; 0 to the others. Returns the lanes that were inside. */
static inline unsigned chunk_load(const struct mem_view *v, const uint32_t *a, unsigned first, unsigned lanes,
                                  uint32_t *d)
{
    struct chunk_at at;
    enum chunk_shape shape = chunk_addresses(v, a, &at);
    if (shape != CHUNK_SCATTERED && lanes == 0xffff) {
        chunk_load_shape(v->data, shape, at.part[0][0], d);
        return lanes;
    }
    unsigned inside = chunk_inside(&at, lanes, (uint32_t)(v->size - 4));
    if (!inside) { /* a gather of nothing takes as long as any */
        memset(d, 0, 4 * EXEC_CHUNK);
        return 0;
    }
    chunk_lanes(v, first, &at);
    chunk_gather(v->data, &at, inside, d);
    return inside;
}

/* Store words of `lanes`. Returns the lanes that were inside. */
static inline unsigned chunk_store(const struct mem_view *v, const uint32_t *a, unsigned first, unsigned lanes,
                                   const uint32_t *b)
{
    struct chunk_at at;
    if (chunk_addresses(v, a, &at) == CHUNK_ROW && lanes == 0xffff) {
        memcpy(v->data + at.part[0][0], b, 4 * EXEC_CHUNK);
        return lanes;
    }
    unsigned inside = chunk_inside(&at, lanes, (uint32_t)(v->size - 4));
    chunk_lanes(v, first, &at);
    chunk_scatter(v->data, &at, inside, b);
    return inside;
}

/* ---- accesses outside ---- */

/* Whether one of `lanes` may come before the access that is kept. */
static inline bool may_be_lower(const struct frame *f, const struct lop *op, uint32_t insn, const struct mem_view *v,
                                lane_mask lanes)
{
    const struct exec_outside *kept = &f->counts.outside;
    if (!may_be_first(f, insn))
        return false;
    if (!kept->any || insn != kept->insn || v->wide || !op->sa || kept->address > UINT32_MAX)
        return true;
    unsigned lower = 0;
    for (unsigned n = 0; n < op->n; n++) {
        struct chunk_at at;
        chunk_addresses(v, ROW(uint32_t, op->a) + EXEC_CHUNK * n, &at);
        lower |= chunk_inside(&at, lanes >> (EXEC_CHUNK * n) & 0xffff, (uint32_t)kept->address);
    }
    return lower != 0;
}

/* Keep the first of those of `bad` lanes and of the one that is kept. */
static COLD void note_lanes(struct frame *f, const struct lop *op, uint32_t insn, const struct mem_view *v,
                            lane_mask bad)
{
    for (; bad; bad &= bad - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bad);
        uint64_t at = (mem_address(f, op, i) & v->keep) + v->offset;
        note_outside(f, (struct exec_outside){.insn = insn,
                                              .lane = (uint16_t)i,
                                              .place = MEM_SPACE(op),
                                              .address = v->wide ? at : (uint32_t)at,
                                              .size = v->size});
    }
}

/* Those of `bad` lanes. Not cold: programs that go outside do so over and over. */
static __attribute__((noinline)) void count_outside(struct frame *f, const struct lop *op, uint32_t insn,
                                                    const struct mem_view *v, lane_mask bad)
{
    if (may_be_lower(f, op, insn, v, bad))
        note_lanes(f, op, insn, v, bad);
    else
        f->counts.bad_access += (unsigned)__builtin_popcountll(bad);
}

/* ---- loads ---- */

PLAIN(LOAD32_UNIFORM)
{
    struct mem_view v = mem_view(f, op);
    const uint8_t *p = mem_at(&v, mem_address(f, op, 0), 4, 0);
    uint32_t word = p ? (uint32_t)mem_read(p, 4) : 0;
    if (__builtin_expect(!p, 0))
        count_outside(f, op, op->b, &v, 1);
    fill32(f, op->d, word);
    NEXT;
}

/* Stop at an op in the middle of a block. */
static const struct lop *fault_at(struct frame *f, uint32_t insn, const char *why)
{
    f->stop = EXEC_FAULT;
    f->fault = why;
    f->insn = insn;
    leave_vectors();
    return NULL;
}

/* These return the lanes that were outside. */
static lane_mask load_words(struct frame *f, const struct lop *op, const struct mem_view *v, lane_mask run)
{
    const uint32_t *a = ROW(uint32_t, op->a);
    uint32_t *d = ROW(uint32_t, op->d);
    lane_mask bad = 0;
    for (unsigned n = 0; n < op->n; n++) {
        unsigned lanes = run >> (EXEC_CHUNK * n) & 0xffff;
        unsigned inside = chunk_load(v, a + op->sa * n, EXEC_CHUNK * n, lanes, d + EXEC_CHUNK * n);
        bad |= (lane_mask)(lanes & ~inside) << (EXEC_CHUNK * n);
    }
    return bad;
}

/* Lanes from `first` to `end`. */
static lane_mask load_elements(struct frame *f, const struct lop *op, const struct mem_view *v, lane_mask run,
                               unsigned first, unsigned end)
{
    unsigned bytes = MEM_BYTES(op);
    lane_mask bad = 0;
    for (unsigned i = first; i < end; i++) {
        bool on = run >> (i & 63) & 1;
        const uint8_t *p = on ? mem_at(v, mem_address(f, op, i), bytes, i) : NULL;
        uint64_t value = p ? mem_read(p, bytes) : 0;
        bad |= (lane_mask)(on && !p) << (i & 63);
        if (bytes == 8)
            ROW(uint64_t, op->d)[i] = value;
        else
            ROW(uint32_t, op->d)[i] = (uint32_t)value;
    }
    return bad;
}

PLAIN_APART(LOAD)
{
    struct mem_view v = mem_view(f, op);
    bool uniform = !op->sa && !op->sc && !v.lane_stride; /* one access, whatever lanes are active */
    lane_mask run = !uniform                             ? effect_lanes(f, op->c, op->sc)
                    : op->c && !ROW(int32_t, op->c)[0] ? 0
                                                         : ~(lane_mask)0;
    lane_mask bad =
        mem_by_chunks(op, &v) ? load_words(f, op, &v, run) : load_elements(f, op, &v, run, 0, op->n * EXEC_CHUNK);
    if (bad) {
        count_outside(f, op, op->b, &v, uniform ? bad & -bad : bad);
        if (v.trap)
            return fault_at(f, op->b, "load outside its memory");
    }
    return op + 1;
}

/* Chunk n of a load by lanes, of a space that does not trap. */
static void buffer_load_chunk(struct frame *f, const struct lop *op, unsigned n, unsigned lanes)
{
    struct mem_view v = mem_view(f, op);
    unsigned first = EXEC_CHUNK * n;
    lane_mask bad = load_elements(f, op, &v, (lane_mask)lanes << first, first, first + EXEC_CHUNK);
    if (bad)
        count_outside(f, op, op->b, &v, bad);
}

/* ---- stores ---- */

/* Helper lanes write nothing that others could see. */
static lane_mask store_lanes(const struct frame *f, const struct lop *op)
{
    lane_mask m = effect_lanes(f, op->c, op->sc);
    return f->program->ir->spaces[MEM_SPACE(op)].kind == IR_SPACE_PRIVATE ? m : m & f->live;
}

static lane_mask store_words(struct frame *f, const struct lop *op, const struct mem_view *v, lane_mask run)
{
    const uint32_t *a = ROW(uint32_t, op->a), *b = ROW(uint32_t, op->b);
    lane_mask bad = 0;
    for (unsigned n = 0; n < op->n; n++) {
        unsigned lanes = run >> (EXEC_CHUNK * n) & 0xffff;
        unsigned inside = chunk_store(v, a + op->sa * n, EXEC_CHUNK * n, lanes, b + op->sb * n);
        bad |= (lane_mask)(lanes & ~inside) << (EXEC_CHUNK * n);
    }
    return bad;
}

static lane_mask store_elements(struct frame *f, const struct lop *op, const struct mem_view *v, lane_mask run)
{
    unsigned bytes = MEM_BYTES(op);
    lane_mask bad = 0;
    for (lane_mask m = run; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m), k = op->sb ? i : 0;
        uint8_t *p = mem_at(v, mem_address(f, op, i), bytes, i);
        if (p)
            mem_write(p, bytes, bytes == 8 ? ROW(uint64_t, op->b)[k] : ROW(uint32_t, op->b)[k]);
        else
            bad |= (lane_mask)1 << i;
    }
    return bad;
}

PLAIN_APART(STORE)
{
    struct mem_view v = mem_view(f, op);
    lane_mask run = store_lanes(f, op);
    if (!op->sa && !op->sb && !op->sc && !v.lane_stride)
        run &= -run; /* one access */
    lane_mask bad = mem_by_chunks(op, &v) ? store_words(f, op, &v, run) : store_elements(f, op, &v, run);
    if (bad) {
        count_outside(f, op, op->d, &v, bad);
        if (v.trap)
            return fault_at(f, op->d, "store outside its memory");
    }
    return op + 1;
}

/* ---- atomics ---- */

/* Read, change and write a word of 2, 4 or 8 bytes. Other threads may be at it too where the environment says so; words
 * that are not aligned are never theirs. */
#define ATOMIC_WORD(name, result, bits)                                                                                \
    static uint##bits##_t name(uint8_t *p, enum ir_atomic what, uint##bits##_t value, uint##bits##_t compare,          \
                               bool concurrent)                                                                        \
    {                                                                                                                  \
        if (!concurrent || ((uintptr_t)p & (bits / 8 - 1))) {                                                          \
            uint##bits##_t old = (uint##bits##_t)mem_read(p, bits / 8);                                                \
            mem_write(p, bits / 8, result(what, old, value, compare));                                                 \
            return old;                                                                                                \
        }                                                                                                              \
        uint##bits##_t *word = (uint##bits##_t *)(void *)p, old = __atomic_load_n(word, __ATOMIC_RELAXED), new;        \
        do {                                                                                                           \
            new = (uint##bits##_t)bytes_turned(old, bits);                                                             \
            new = (uint##bits##_t)bytes_turned(result(what, new, value, compare), bits);                               \
        } while (!__atomic_compare_exchange_n(word, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));             \
        return (uint##bits##_t)bytes_turned(old, bits);                                                                \
    }

ATOMIC_WORD(atomic_word_16, atomic_result_16, 16)
ATOMIC_WORD(atomic_word, atomic_result, 32)
ATOMIC_WORD(atomic_word_64, atomic_result_64, 64)

/* What one lane of an ATOMIC has beside its address. */
struct atomic_lane {
    uint64_t value, compare;
};

static inline struct atomic_lane atomic_lane(const struct frame *f, const struct lop *op, const struct lop_call *call,
                                             unsigned i)
{
    unsigned k = op->sb ? i : 0, c = call->nargs > 2 && call->arg_lane[2] ? i : 0;
    if (MEM_BYTES(op) == 8)
        return (struct atomic_lane){ROW(uint64_t, op->b)[k], call->nargs > 2 ? ROW(uint64_t, call->arg[2])[c] : 0};
    return (struct atomic_lane){ROW(uint32_t, op->b)[k], call->nargs > 2 ? ROW(uint32_t, call->arg[2])[c] : 0};
}

/* Its word at p, and the old one into the result. */
static inline void atomic_at(const struct frame *f, const struct lop *op, uint8_t *p, enum ir_atomic what,
                             struct atomic_lane l, bool concurrent, unsigned i)
{
    if (MEM_BYTES(op) == 8)
        ROW(uint64_t, op->d)[i] = atomic_word_64(p, what, l.value, l.compare, concurrent);
    else if (MEM_BYTES(op) == 2)
        ROW(uint32_t, op->d)[i] = atomic_word_16(p, what, (uint16_t)l.value, (uint16_t)l.compare, concurrent);
    else
        ROW(uint32_t, op->d)[i] = atomic_word(p, what, (uint32_t)l.value, (uint32_t)l.compare, concurrent);
}

/* The result's row is of zeros to begin with: halves have 4 bytes there. */
static inline void atomic_clear(const struct frame *f, const struct lop *op)
{
    memset(ROW(uint8_t, op->d), 0, (size_t)op->n * EXEC_CHUNK * (MEM_BYTES(op) == 8 ? 8 : 4));
}

/* Lanes in ascending order. Operands: a address, b value; the call record has compare and predicate. */
PLAIN_APART(ATOMIC)
{
    const struct lop_call *call = &f->program->calls[op->c];
    enum ir_atomic what = (enum ir_atomic)call->op->imm;
    struct mem_view v = mem_view(f, op);
    unsigned kind = f->program->ir->spaces[MEM_SPACE(op)].kind;
    bool concurrent = f->env->concurrent && kind == IR_SPACE_GLOBAL;
    atomic_clear(f, op);
    lane_mask m = call->op->pred ? f->active & row_bits(f, ROW(int32_t, call->res[1]), call->res[2]) : f->active;
    if (kind != IR_SPACE_PRIVATE)
        m &= f->live;
    for (; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint8_t *p = mem_at(&v, mem_address(f, op, i), MEM_BYTES(op), i);
        if (p) {
            atomic_at(f, op, p, what, atomic_lane(f, op, call, i), concurrent, i);
            continue;
        }
        count_outside(f, op, call->op->insn, &v, (lane_mask)1 << i);
        if (v.trap)
            return fault_at(f, call->op->insn, "atomic outside its memory");
    }
    return op + 1;
}
