/* handlers_registers.h - registers that are written under a predicate, in part, or chosen at run time: a part of
 * handlers.c, which alone includes it. Rows of a file's elements follow each other; elements of up to 32 bits are in
 * 32-bit containers, those of 64 bits in 64-bit ones. */

/* d = a where the mask row c and the predicate row b hold; rows of ones mean "everywhere". */
#define PRED_SET(type)                                                                                               \
    type *d = ROW(type, op->d);                                                                                      \
    const type *a = ROW(type, op->a);                                                                                \
    const int32_t *b = ROW(int32_t, op->b), *m = ROW(int32_t, op->c);                                                \
    for (unsigned n = op->n; n; n--, a += op->sa, b += op->sb, m += op->sc, d += EXEC_CHUNK) {                       \
        LANES                                                                                                        \
        {                                                                                                            \
            type v = a[i], old = d[i];                                                                               \
            d[i] = (m[i] & b[i]) ? v : old;                                                                          \
        }                                                                                                            \
    }

PLAIN(PRED_SET32)
{
    PRED_SET(uint32_t)
    NEXT;
}

PLAIN(PRED_SET64)
{
    PRED_SET(uint64_t)
    NEXT;
}

SCALAR(PRED_SET32)
{
    if (*ROW(int32_t, op->b) & *ROW(int32_t, op->c))
        *ROW(uint32_t, op->d) = *ROW(uint32_t, op->a);
    NEXT;
}

SCALAR(PRED_SET64)
{
    if (*ROW(int32_t, op->b) & *ROW(int32_t, op->c))
        *ROW(uint64_t, op->d) = *ROW(uint64_t, op->a);
    NEXT;
}

/* A scalar as a uniform row. */
PLAIN(SPREAD32)
{
    uint32_t *d = ROW(uint32_t, op->d), v = *ROW(uint32_t, op->a);
    LANES d[i] = v;
    NEXT;
}

PLAIN(SPREAD64)
{
    uint64_t *d = ROW(uint64_t, op->d), v = *ROW(uint64_t, op->a);
    LANES d[i] = v;
    NEXT;
}

/* A part of an element: aux is its first bit, imm has ones where it is (of the value, not of the element). */
PLAIN(PART_GET32)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a);
    uint32_t shift = op->aux & 31, ones = (uint32_t)op->imm;
    for (unsigned n = op->n; n; n--, a += op->sa, d += EXEC_CHUNK)
        LANES d[i] = (a[i] >> shift) & ones;
    NEXT;
}

PLAIN(PART_GET64)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint64_t *a = ROW(uint64_t, op->a);
    uint32_t shift = op->aux & 63, ones = (uint32_t)op->imm;
    for (unsigned n = op->n; n; n--, a += op->sa, d += EXEC_CHUNK)
        LANES d[i] = (uint32_t)(a[i] >> shift) & ones;
    NEXT;
}

SCALAR(PART_GET32)
{
    *ROW(uint32_t, op->d) = (*ROW(uint32_t, op->a) >> (op->aux & 31)) & (uint32_t)op->imm;
    NEXT;
}

SCALAR(PART_GET64)
{
    *ROW(uint32_t, op->d) = (uint32_t)(*ROW(uint64_t, op->a) >> (op->aux & 63)) & (uint32_t)op->imm;
    NEXT;
}

/* The same written, where mask row c and predicate row b hold; the rest of the element stays. */
PLAIN(PART_SET32)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a), *b = ROW(uint32_t, op->b), *m = ROW(uint32_t, op->c);
    uint32_t shift = op->aux & 31, ones = (uint32_t)op->imm << shift;
    for (unsigned n = op->n; n; n--, a += op->sa, b += op->sb, m += op->sc, d += EXEC_CHUNK) {
        LANES
        {
            uint32_t take = b[i] & m[i] & ones;
            d[i] = (d[i] & ~take) | ((a[i] << shift) & take);
        }
    }
    NEXT;
}

PLAIN(PART_SET64)
{
    uint64_t *d = ROW(uint64_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a);
    const int32_t *b = ROW(int32_t, op->b), *m = ROW(int32_t, op->c);
    uint32_t shift = op->aux & 63;
    uint64_t ones = (op->imm & 0xffffffff) << shift;
    for (unsigned n = op->n; n; n--, a += op->sa, b += op->sb, m += op->sc, d += EXEC_CHUNK) {
        LANES
        {
            uint64_t take = (uint64_t)(int64_t)(b[i] & m[i]) & ones;
            d[i] = (d[i] & ~take) | (((uint64_t)a[i] << shift) & take);
        }
    }
    NEXT;
}

SCALAR(PART_SET32)
{
    uint32_t *d = ROW(uint32_t, op->d), shift = op->aux & 31;
    uint32_t take = *ROW(uint32_t, op->b) & *ROW(uint32_t, op->c) & (uint32_t)op->imm << shift;
    *d = (*d & ~take) | ((*ROW(uint32_t, op->a) << shift) & take);
    NEXT;
}

SCALAR(PART_SET64)
{
    uint64_t *d = ROW(uint64_t, op->d);
    uint32_t shift = op->aux & 63;
    uint64_t take = (op->imm & 0xffffffff) << shift;
    if (*ROW(int32_t, op->b) & *ROW(int32_t, op->c))
        *d = (*d & ~take) | (((uint64_t)*ROW(uint32_t, op->a) << shift) & take);
    NEXT;
}

/* ---- registers chosen at run time. aux: ir_reg ---- */

/* A register file as an op with an index sees it. */
struct reg_view {
    const struct ir_reg *reg;
    char *file;
    size_t pitch;            /* bytes from one element to the next */
    unsigned bits, part;     /* of an element; of what is named */
    bool lane;               /* one copy per lane */
};

static inline struct reg_view reg_view(struct frame *f, const struct lop *op)
{
    const struct ir_program *ir = f->program->ir;
    const struct ir_reg *r = &ir->regs[op->aux];
    const struct ir_file *file = &ir->files[r->file];
    return (struct reg_view){.reg = r,
                             .file = ROW(char, f->program->file_row[r->file]),
                             .pitch = f->program->file_pitch[r->file],
                             .bits = file->bits,
                             .part = ir_type_bits((enum ir_type)r->part),
                             .lane = !file->uniform};
}

static inline bool reg_inside(const struct reg_view *v, int32_t index)
{
    return index >= v->reg->first && index <= v->reg->last;
}

static inline char *reg_element(const struct reg_view *v, int32_t index, unsigned lane)
{
    size_t elem = (size_t)((int64_t)v->reg->elem + (int64_t)index * v->reg->stride);
    return v->file + elem * v->pitch + (v->lane ? lane * (v->bits == 64 ? 8u : 4u) : 0);
}

/* `part` bits out of a wider element; a bit becomes an i1. */
static inline uint64_t reg_part(const struct reg_view *v, uint64_t element)
{
    uint64_t part = element >> v->reg->shift & (((uint64_t)1 << v->part) - 1);
    return v->part == 1 ? (uint32_t)-(int32_t)part : part;
}

static uint64_t reg_read(const struct reg_view *v, int32_t index, unsigned lane)
{
    const char *at = reg_element(v, index, lane);
    uint32_t word;
    uint64_t value = 0;
    if (v->bits == 64) {
        memcpy(&value, at, 8);
        return v->part == 64 ? value : reg_part(v, value);
    }
    for (unsigned got = 0; got < v->part; got += v->bits, at += v->pitch) {
        memcpy(&word, at, 4);
        value |= (uint64_t)word << got;
    }
    return v->part < v->bits ? reg_part(v, value) : value;
}

static void reg_write(const struct reg_view *v, int32_t index, unsigned lane, uint64_t value)
{
    char *at = reg_element(v, index, lane);
    if (v->bits == 64) {
        uint64_t old, ones = v->part == 64 ? ~(uint64_t)0 : (((uint64_t)1 << v->part) - 1) << v->reg->shift;
        memcpy(&old, at, 8);
        old = (old & ~ones) | (value << v->reg->shift & ones);
        memcpy(at, &old, 8);
        return;
    }
    for (unsigned done = 0; done < v->part; done += v->bits, at += v->pitch) {
        uint32_t word = (uint32_t)(value >> done), old;
        memcpy(&old, at, 4);
        if (v->part < v->bits) {
            uint32_t ones = (uint32_t)(((uint64_t)1 << v->part) - 1) << v->reg->shift;
            word = (old & ~ones) | (word << v->reg->shift & ones);
        } else if (v->part > v->bits && v->bits < 32) {
            word &= (1u << v->bits) - 1;
        }
        memcpy(at, &word, 4);
    }
}

static inline void put_element(struct frame *f, const struct lop *op, bool wide, unsigned i, uint64_t value)
{
    if (wide)
        ROW(uint64_t, op->d)[i] = value;
    else
        ROW(uint32_t, op->d)[i] = (uint32_t)value;
}

/* imm of GET_DYN: the result is a scalar. */
static inline unsigned dyn_count(const struct lop *op)
{
    return op->imm ? 1 : op->n * (unsigned)EXEC_CHUNK;
}

/* Of a chunk of indices. */
static inline bool all_inside(const struct reg_view *v, const int32_t *index)
{
    uint32_t most = 0, first = (uint32_t)v->reg->first, range = (uint32_t)v->reg->last - first;
    for (unsigned i = 0; i < EXEC_CHUNK; i++) {
        uint32_t k = (uint32_t)index[i] - first;
        most = k > most ? k : most;
    }
    return most <= range;
}

/* Whole elements of up to 32 bits. One index for all lanes: their rows are copied. */
PLAIN(GET_DYN32)
{
    struct reg_view v = reg_view(f, op);
    const int32_t *a = ROW(int32_t, op->a);
    uint32_t *d = ROW(uint32_t, op->d);
    if (!op->sa && v.lane && reg_inside(&v, a[0])) {
        const char *from = reg_element(&v, a[0], 0);
        for (unsigned n = 0; n < op->n; n++)
            memcpy(d + n * EXEC_CHUNK, from + n * EXEC_CHUNK * 4, EXEC_CHUNK * 4);
        NEXT;
    }
    const uint32_t *file = (const uint32_t *)(const void *)v.file;
    size_t pitch = v.pitch / 4;
    lane_mask bad = 0;
    if (op->n == 1 && op->sa && v.lane && all_inside(&v, a)) {
        file += (size_t)v.reg->elem * pitch;
        ptrdiff_t step = (ptrdiff_t)v.reg->stride * (ptrdiff_t)pitch;
        for (int i = 0; i < EXEC_CHUNK; i++)
            d[i] = file[a[i] * step + i];
        NEXT;
    }
    for (unsigned i = 0; i < dyn_count(op); i++) {
        int32_t k = op->sa ? a[i] : a[0];
        bool in = reg_inside(&v, k);
        size_t e = (size_t)((int64_t)v.reg->elem + (in ? (int64_t)k * v.reg->stride : 0));
        d[i] = in ? file[e * pitch + (v.lane ? i : 0)] : 0;
        bad |= (lane_mask)!in << (i & 63);
    }
    if (__builtin_expect((bad & f->active) != 0, 0))
        note_registers(f, op, op->b, bad & f->active);
    NEXT;
}

PLAIN(GET_DYN)
{
    struct reg_view v = reg_view(f, op);
    const int32_t *a = ROW(int32_t, op->a);
    lane_mask bad = 0;
    for (unsigned i = 0; i < dyn_count(op); i++) {
        int32_t k = op->sa ? a[i] : a[0];
        bool in = reg_inside(&v, k);
        put_element(f, op, v.part == 64, i, in ? reg_read(&v, k, i) : 0);
        bad |= (lane_mask)!in << (i & 63);
    }
    if (__builtin_expect((bad & f->active) != 0, 0))
        note_registers(f, op, op->b, bad & f->active);
    NEXT;
}

static uint64_t value_element(const struct frame *f, uint32_t row, unsigned stride, bool wide, unsigned lane)
{
    unsigned k = stride ? lane : 0;
    return wide ? ROW(uint64_t, row)[k] : ROW(uint32_t, row)[k];
}

/* One chunk of a row of words, or parts of them. */
static inline void set_row(uint32_t *row, const struct reg_view *v, unsigned lanes, const uint32_t *value)
{
    uint32_t shift = v->reg->shift, ones = (v->part == 32 ? ~0u : (1u << v->part) - 1) << shift;
    LANES
    {
        uint32_t take = ones & (0u - (lanes >> i & 1));
        row[i] = (row[i] & ~take) | (value[i] << shift & take);
    }
}

PLAIN(SET_DYN)
{
    struct reg_view v = reg_view(f, op);
    const int32_t *a = ROW(int32_t, op->a);
    lane_mask m = effect_lanes(f, op->c, op->sc);
    if (op->n == 1 && !op->sa && v.lane && v.bits == 32 && v.part > 1 && v.part <= 32 && reg_inside(&v, a[0])) {
        set_row((uint32_t *)(void *)reg_element(&v, a[0], 0), &v, (unsigned)m & 0xffff, ROW(uint32_t, op->b));
        NEXT;
    }
    if (op->n == 1 && op->sa && v.lane && v.bits <= 32 && v.part == v.bits && all_inside(&v, a)) { /* whole words */
        uint32_t *file = (uint32_t *)(void *)v.file + v.reg->elem * (v.pitch / 4);
        const uint32_t *b = ROW(uint32_t, op->b);
        ptrdiff_t step = (ptrdiff_t)v.reg->stride * (ptrdiff_t)(v.pitch / 4);
        for (; m; m &= m - 1) {
            int i = __builtin_ctzll(m);
            file[a[i] * step + i] = b[i];
        }
        NEXT;
    }
    for (; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        int32_t k = op->sa ? a[i] : a[0];
        if (reg_inside(&v, k))
            reg_write(&v, k, i, value_element(f, op->b, op->sb, v.part == 64, i));
        else
            note_registers(f, op, op->d, (lane_mask)1 << i);
    }
    NEXT;
}

/* ---- registers of other lanes ---- */

/* Words from here and there become a row in registers: stored one by one they are slow to read back as a row. */
typedef uint32_t four_words __attribute__((vector_size(16)));

/* A lane file of words (or less) as indices of 32-bit words; `ones` is the part, at bit 0. */
struct lane_words {
    uint32_t *file;
    uint32_t elem, stride, pitch, first, range, lanes, shift, ones;
};

static inline struct lane_words lane_words(struct frame *f, const struct lop *op)
{
    struct reg_view v = reg_view(f, op);
    uint32_t first = (uint32_t)v.reg->first;
    return (struct lane_words){.file = (uint32_t *)(void *)v.file,
                               .elem = v.reg->elem,
                               .stride = (uint32_t)v.reg->stride,
                               .pitch = (uint32_t)(v.pitch / 4),
                               .first = first,
                               .range = (uint32_t)v.reg->last - first,
                               .lanes = f->program->ir->lanes,
                               .shift = v.reg->shift,
                               .ones = v.part == 32 || v.part == 1 ? ~0u : (1u << v.part) - 1};
}

/* Where the words of a chunk are; false when some index or lane is outside. */
static inline bool word_places(const struct lane_words *w, const uint32_t *a, const uint32_t *b,
                               uint32_t at[EXEC_CHUNK])
{
    uint32_t index = 0, lane = 0, first = w->first;
    LANES at[i] = (w->elem + a[i] * w->stride) * w->pitch + b[i];
    for (unsigned i = 0; i < EXEC_CHUNK; i++) {
        index = a[i] - first > index ? a[i] - first : index;
        lane = b[i] > lane ? b[i] : lane;
    }
    return index <= w->range && lane < w->lanes;
}

/* The elements of a chunk; returns the lanes whose index was outside. */
static inline unsigned get_chunk(const struct lane_words *w, const uint32_t *a, const uint32_t *b, uint32_t *d)
{
#if defined(__AVX512F__)
    __m512i k = _mm512_load_si512(a), lane = _mm512_load_si512(b);
    __mmask16 in = _mm512_cmple_epu32_mask(_mm512_sub_epi32(k, _mm512_set1_epi32((int)w->first)),
                                           _mm512_set1_epi32((int)w->range));
    __mmask16 there = _mm512_mask_cmplt_epu32_mask(in, lane, _mm512_set1_epi32((int)w->lanes));
    __m512i elem =
        _mm512_add_epi32(_mm512_mullo_epi32(k, _mm512_set1_epi32((int)w->stride)), _mm512_set1_epi32((int)w->elem));
    __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(elem, _mm512_set1_epi32((int)w->pitch)), lane);
    __m512i v = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), there, at, w->file, 4);
    v = _mm512_srl_epi32(v, _mm_cvtsi32_si128((int)w->shift));
    _mm512_store_si512(d, _mm512_and_si512(v, _mm512_set1_epi32((int)w->ones)));
    return (unsigned)in ^ 0xffff;
#else
    _Alignas(64) uint32_t at[EXEC_CHUNK];
    unsigned out = 0;
    if (word_places(w, a, b, at)) {
        for (unsigned n = 0; n < EXEC_CHUNK; n += 4) {
            four_words v = {w->file[at[n]], w->file[at[n + 1]], w->file[at[n + 2]], w->file[at[n + 3]]};
            v = v >> w->shift & w->ones;
            memcpy(d + n, &v, sizeof v);
        }
        return 0;
    }
    for (unsigned i = 0; i < EXEC_CHUNK; i++) {
        bool in = a[i] - w->first <= w->range, there = in && b[i] < w->lanes;
        d[i] = there ? w->file[(w->elem + a[i] * w->stride) * w->pitch + b[i]] >> w->shift & w->ones : 0;
        out |= (unsigned)!in << i;
    }
    return out;
#endif
}

/* a: index, b: lane; rows, of equal elements too. */
PLAIN_APART(GET_LANE32)
{
    struct lane_words w = lane_words(f, op);
    lane_mask bad = 0;
    for (unsigned n = 0; n < op->n; n++)
        bad |= (lane_mask)get_chunk(&w, ROW(uint32_t, op->a) + n * op->sa, ROW(uint32_t, op->b) + n * op->sb,
                                    ROW(uint32_t, op->d) + n * EXEC_CHUNK)
               << (n * EXEC_CHUNK);
    if (__builtin_expect((bad & f->active) != 0, 0))
        note_registers(f, op, op->c, bad & f->active);
    return op + 1;
}

/* One chunk of values into lanes of which no index is outside. */
static inline void set_chunk(const struct lane_words *w, const uint32_t *at, unsigned lanes, const uint32_t *value)
{
    uint32_t ones = w->ones << w->shift, *file = w->file;
    _Alignas(64) uint32_t put[EXEC_CHUNK];
    LANES put[i] = value[i] << w->shift & ones;
    if (lanes == 0xffff) {
        for (unsigned i = 0; i < EXEC_CHUNK; i++)
            file[at[i]] = (file[at[i]] & ~ones) | put[i];
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned i = (unsigned)__builtin_ctz(lanes);
        file[at[i]] = (file[at[i]] & ~ones) | put[i];
    }
}

/* a: index, b: lane, c: value; imm: row of the predicate, its stride above. Lanes in ascending order. */
PLAIN_APART(SET_LANE32)
{
    struct lane_words w = lane_words(f, op);
    const uint32_t *a = ROW(uint32_t, op->a), *b = ROW(uint32_t, op->b), *c = ROW(uint32_t, op->c);
    uint32_t ones = w.ones << w.shift;
    _Alignas(64) uint32_t at[EXEC_CHUNK];
    lane_mask m = effect_lanes(f, (uint32_t)op->imm, (size_t)(op->imm >> 32));
    if (op->n == 1 && word_places(&w, a, b, at)) {
        set_chunk(&w, at, (unsigned)m & 0xffff, c);
        return op + 1;
    }
    for (; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m), ka = op->sa ? i : 0, kb = op->sb ? i : 0, kc = op->sc ? i : 0;
        if (a[ka] - w.first > w.range) {
            note_registers(f, op, op->d, (lane_mask)1 << i);
        } else if (b[kb] < w.lanes) {
            uint32_t *to = &w.file[(w.elem + a[ka] * w.stride) * w.pitch + b[kb]];
            *to = (*to & ~ones) | (c[kc] << w.shift & ones);
        }
    }
    return op + 1;
}

/* A word of each of 16 elements. See select_column. */
PLAIN(GET_COLUMN32)
{
    const uint32_t *p = ROW(uint32_t, op->a), ones = (uint32_t)op->imm;
    uint32_t *d = ROW(uint32_t, op->d);
    const size_t step = op->imm >> 32;
    for (unsigned n = 0; n < EXEC_CHUNK; n += 4, p += 4 * step) {
        four_words w = {p[0], p[step], p[2 * step], p[3 * step]};
        w = w >> op->aux & ones;
        memcpy(d + n, &w, sizeof w);
    }
    NEXT;
}

PLAIN(SET_COLUMN32)
{
    uint32_t *p = ROW(uint32_t, op->a), ones = (uint32_t)op->imm, shift = op->aux, keep = ~(ones << shift);
    const uint32_t *v = ROW(uint32_t, op->b);
    const size_t step = op->imm >> 32;
    lane_mask m = effect_lanes(f, op->c, op->sc);
    if ((m & 0xffff) == 0xffff) {
        for (unsigned i = 0; i < EXEC_CHUNK; i++)
            p[i * step] = (p[i * step] & keep) | (v[i] & ones) << shift;
        NEXT;
    }
    for (; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        p[i * step] = (p[i * step] & keep) | (v[i] & ones) << shift;
    }
    NEXT;
}

PLAIN(GET_LANE)
{
    struct reg_view v = reg_view(f, op);
    const int32_t *a = ROW(int32_t, op->a);
    const uint32_t *b = ROW(uint32_t, op->b);
    lane_mask bad = 0;
    for (unsigned i = 0; i < op->n * EXEC_CHUNK; i++) {
        int32_t k = op->sa ? a[i] : a[0];
        uint32_t lane = op->sb ? b[i] : b[0];
        bool in = reg_inside(&v, k);
        put_element(f, op, v.part == 64, i, in && lane < f->program->ir->lanes ? reg_read(&v, k, lane) : 0);
        bad |= (lane_mask)!in << (i & 63);
    }
    if (__builtin_expect((bad & f->active) != 0, 0))
        note_registers(f, op, op->c, bad & f->active);
    NEXT;
}

/* a: index, b: lane, c: value; imm: row of the predicate, its stride above. */
PLAIN(SET_LANE)
{
    struct reg_view v = reg_view(f, op);
    const int32_t *a = ROW(int32_t, op->a);
    const uint32_t *b = ROW(uint32_t, op->b);
    for (lane_mask m = effect_lanes(f, (uint32_t)op->imm, (size_t)(op->imm >> 32)); m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        int32_t k = op->sa ? a[i] : a[0];
        uint32_t lane = op->sb ? b[i] : b[0];
        if (!reg_inside(&v, k))
            note_registers(f, op, op->d, (lane_mask)1 << i);
        else if (lane < f->program->ir->lanes)
            reg_write(&v, k, lane, value_element(f, op->c, op->sc, v.part == 64, i));
    }
    NEXT;
}
