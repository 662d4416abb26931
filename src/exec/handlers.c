/* handlers.c - the interpreter's handlers: one function for each operation of frame.h, each a loop over chunks of 16
 * lanes that the compiler turns into vector code. This file is compiled once per level of the host's instruction set
 * (meson.build defines LEVEL); all levels compute the same bits.
 * Dispatch is direct-threaded: see dispatch.h. */
#include "exec/atomic.h"
#include "exec/dispatch.h"
#include "exec/lanewise.h"
#include "exec/scalar.h"

#include <limits.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fmath.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- component-wise handlers ---- */

#define NONE(name)
HANDLERS(U1, B2, T3, V1, V2, V3, W1, W2, W3, NONE, NONE)

/* ---- rows and lane masks ---- */

/* Bits of an i1 row: `stride` 16 for lane rows, 0 for uniform ones. */
static lane_mask row_bits(const struct frame *f, const int32_t *row, size_t stride)
{
    lane_mask bits = 0;
    for (unsigned n = 0; n < f->program->chunks; n++, row += stride) {
#if defined(__AVX512F__)
        bits |= (lane_mask)_mm512_movepi32_mask(_mm512_load_si512(row)) << (16 * n);
#elif defined(__AVX2__)
        unsigned low = (unsigned)_mm256_movemask_ps(_mm256_load_ps((const float *)row));
        unsigned high = (unsigned)_mm256_movemask_ps(_mm256_load_ps((const float *)row + 8));
        bits |= (lane_mask)(low | high << 8) << (16 * n);
#elif defined(__x86_64__)
        for (unsigned k = 0; k < 4; k++)
            bits |= (lane_mask)(unsigned)_mm_movemask_ps(_mm_load_ps((const float *)row + 4 * k)) << (16 * n + 4 * k);
#else
        for (unsigned i = 0; i < EXEC_CHUNK; i++)
            bits |= (lane_mask)((uint32_t)row[i] >> 31) << (16 * n + i);
#endif
    }
    return bits;
}

static void mask_row(int32_t *row, unsigned chunks, lane_mask bits)
{
    for (unsigned n = 0; n < chunks; n++, row += EXEC_CHUNK) {
        uint32_t w = (uint32_t)(bits >> (16 * n)) & 0xffff;
        LANES row[i] = -(int32_t)((w >> i) & 1);
    }
}

/* Lanes that an effect applies to: active, and where its predicate row (if any) is set. */
static lane_mask effect_lanes(const struct frame *f, uint32_t pred, size_t stride)
{
    return pred ? f->active & row_bits(f, ROW(int32_t, pred), stride) : f->active;
}

/* Leaving vector code: the caller's and the C library's scalar code must not wait for the upper halves. */
static inline void leave_vectors(void)
{
#if defined(__AVX__)
    _mm256_zeroupper();
#endif
}

/* ---- functions with far ranges ---- */

static const struct lop *sine(struct frame *f, const struct lop *op, uint32_t turns)
{
    float *d = ROW(float, op->d);
    const float *a = ROW(float, op->a);
    for (unsigned n = 0; n < op->n; n++, a += op->sa, d += EXEC_CHUNK) {
        float x[EXEC_CHUNK];
        memcpy(x, a, sizeof x);
        int32_t far = 0;
        LANES far |= -(int32_t)fmath_is_far(x[i]);
        LANES d[i] = fmath_sin_near(x[i], turns);
        if (far)
            for (int i = 0; i < EXEC_CHUNK; i++)
                if (fmath_is_far(x[i]))
                    d[i] = fmath_sin_far(x[i], turns);
    }
    return op + 1;
}

#define PLAIN(name) static const struct lop *plain_##name(struct frame *f, const struct lop *op)
#define SCALAR(name) static const struct lop *scalar_##name(struct frame *f, const struct lop *op)

/* A handler that passes addresses of its own variables on: a compiler may not turn its last call into a jump while they
 * live, and the stack would grow with every such operation. So its body is a function apart, which returns what comes
 * next or NULL. */
#define PLAIN_APART(name)                                                                                            \
    static const struct lop *apart_##name(struct frame *f, const struct lop *op);                                    \
    PLAIN(name)                                                                                                      \
    {                                                                                                                \
        GO_ON_OR_STOP(apart_##name(f, op));                                                                          \
    }                                                                                                                \
    static __attribute__((noinline)) const struct lop *apart_##name(struct frame *f, const struct lop *op)

PLAIN(FSIN32)
{
    GO_ON(sine(f, op, 0));
}

PLAIN(FCOS32)
{
    GO_ON(sine(f, op, 1));
}

SCALAR(FSIN32)
{
    *ROW(float, op->d) = fmath_sin(*ROW(float, op->a));
    NEXT;
}

SCALAR(FCOS32)
{
    *ROW(float, op->d) = fmath_cos(*ROW(float, op->a));
    NEXT;
}

/* ---- across lanes ---- */

PLAIN(LANE_ID)
{
    uint32_t *d = ROW(uint32_t, op->d);
    for (unsigned i = 0; i < op->n * EXEC_CHUNK; i++)
        d[i] = i;
    NEXT;
}

/* Lanes p, q, r, s of each quad take the place of 0, 1, 2, 3. */
typedef uint32_t chunk_u __attribute__((vector_size(64)));
#define QUADS(p, q, r, s)                                                                                            \
    for (unsigned n = 0; n < op->n; n++, a += op->sa, d += EXEC_CHUNK) {                                             \
        const chunk_u v = *(const chunk_u *)(const void *)a;                                                         \
        *(chunk_u *)(void *)d =                                                                                      \
            __builtin_shufflevector(v, v, p, q, r, s, 4 + p, 4 + q, 4 + r, 4 + s, 8 + p, 8 + q, 8 + r, 8 + s,        \
                                    12 + p, 12 + q, 12 + r, 12 + s);                                                 \
    }

PLAIN(QUAD_LANE)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a);
    switch (op->imm & 3) {
    case 0:
        QUADS(0, 0, 0, 0)
        break;
    case 1:
        QUADS(1, 1, 1, 1)
        break;
    case 2:
        QUADS(2, 2, 2, 2)
        break;
    default:
        QUADS(3, 3, 3, 3)
        break;
    }
    NEXT;
}

PLAIN(QUAD_XOR)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a);
    switch (op->imm & 3) {
    case 0:
        QUADS(0, 1, 2, 3)
        break;
    case 1:
        QUADS(1, 0, 3, 2)
        break;
    case 2:
        QUADS(2, 3, 0, 1)
        break;
    default:
        QUADS(3, 2, 1, 0)
        break;
    }
    NEXT;
}

PLAIN(SHUFFLE)
{
    uint32_t *d = ROW(uint32_t, op->d);
    const uint32_t *a = ROW(uint32_t, op->a), *b = ROW(uint32_t, op->b);
    unsigned lanes = f->program->ir->lanes;
    if (lanes == EXEC_CHUNK && op->sa) {
        for (unsigned i = 0; i < EXEC_CHUNK; i++) {
            uint32_t v = a[b[i] & (EXEC_CHUNK - 1)];
            d[i] = b[i] < EXEC_CHUNK ? v : 0;
        }
        NEXT;
    }
    for (unsigned i = 0; i < op->n * EXEC_CHUNK; i++) {
        uint32_t k = op->sb ? b[i] : b[0];
        d[i] = k < lanes ? op->sa ? a[k] : a[0] : 0;
    }
    NEXT;
}

/* The lanes that an op across lanes looks at: aux is set for IR_ALL_LANES. */
static lane_mask seen_lanes(const struct frame *f, const struct lop *op)
{
    return op->aux ? f->all : f->active;
}

static void fill32(struct frame *f, uint32_t row, uint32_t v)
{
    uint32_t *d = ROW(uint32_t, row);
    LANES d[i] = v;
}

PLAIN(BALLOT)
{
    uint64_t v = row_bits(f, ROW(int32_t, op->a), op->sa) & seen_lanes(f, op);
    uint64_t *d = ROW(uint64_t, op->d);
    LANES d[i] = v;
    NEXT;
}

PLAIN(ANY)
{
    fill32(f, op->d, row_bits(f, ROW(int32_t, op->a), op->sa) & seen_lanes(f, op) ? ~0u : 0);
    NEXT;
}

PLAIN(ALL)
{
    fill32(f, op->d, ~row_bits(f, ROW(int32_t, op->a), op->sa) & seen_lanes(f, op) ? 0 : ~0u);
    NEXT;
}

PLAIN(FIRST)
{
    const uint32_t *a = ROW(uint32_t, op->a);
    lane_mask m = seen_lanes(f, op);
    fill32(f, op->d, m ? a[op->sa ? __builtin_ctzll(m) : 0] : 0);
    NEXT;
}

static uint32_t reduce_neutral(enum ir_opcode what)
{
    switch (what) {
    case IR_AND:
    case IR_MIN_U:
        return ~0u;
    case IR_MUL:
        return 1;
    case IR_MIN_S:
        return INT_MAX;
    case IR_MAX_S:
        return 0x80000000u;
    default:
        return 0;
    }
}

/* All lanes of a chunk, for ops whose order does not matter. */
#define REDUCE_CHUNK(type, first, step)                                                                              \
    {                                                                                                                \
        type r = (type)(first);                                                                                      \
        for (unsigned i = 0; i < EXEC_CHUNK; i++) {                                                                  \
            type v = (type)a[i];                                                                                     \
            r = (step);                                                                                              \
        }                                                                                                            \
        *result = (uint32_t)r;                                                                                       \
        return true;                                                                                                 \
    }

static inline bool reduce_chunk(const uint32_t *a, enum ir_opcode what, uint32_t *result)
{
    switch (what) {
    case IR_ADD:
        REDUCE_CHUNK(uint32_t, 0, r + v)
    case IR_MIN_S:
        REDUCE_CHUNK(int32_t, INT_MAX, v < r ? v : r)
    case IR_MAX_S:
        REDUCE_CHUNK(int32_t, INT_MIN, v > r ? v : r)
    case IR_MIN_U:
        REDUCE_CHUNK(uint32_t, UINT32_MAX, v < r ? v : r)
    case IR_MAX_U:
        REDUCE_CHUNK(uint32_t, 0, v > r ? v : r)
    default:
        return false;
    }
}

PLAIN_APART(REDUCE)
{
    const uint32_t *a = ROW(uint32_t, op->a);
    bool started = false;
    uint32_t all;
    if (op->sa && seen_lanes(f, op) == 0xffff && reduce_chunk(a, (enum ir_opcode)op->imm, &all)) {
        fill32(f, op->d, all);
        return op + 1;
    }
    uint32_t r = reduce_neutral((enum ir_opcode)op->imm);
    for (lane_mask m = seen_lanes(f, op); m; m &= m - 1) {
        uint32_t v = op->sa ? a[__builtin_ctzll(m)] : a[0];
        if (!started) {
            r = v;
            started = true;
            continue;
        }
        switch (op->imm) {
        case IR_ADD:
            r += v;
            break;
        case IR_MUL:
            r *= v;
            break;
        case IR_AND:
            r &= v;
            break;
        case IR_OR:
            r |= v;
            break;
        case IR_XOR:
            r ^= v;
            break;
        case IR_MIN_S:
            r = (int32_t)v < (int32_t)r ? v : r;
            break;
        case IR_MAX_S:
            r = (int32_t)v > (int32_t)r ? v : r;
            break;
        case IR_MIN_U:
            r = v < r ? v : r;
            break;
        case IR_MAX_U:
            r = v > r ? v : r;
            break;
        case IR_FADD:
            r = f32_bits(f32_from(r) + f32_from(v));
            break;
        default:
            r = v;
            break;
        }
    }
    fill32(f, op->d, r);
    return op + 1;
}

#include "exec/handlers_outside.h"
#include "exec/handlers_registers.h"
#include "exec/handlers_memory.h"
#include "exec/handlers_bus.h"

/* ---- stages ---- */

#define PLANE(p, k) (((p).a0 + (p).dx * (x0 + f->lane_x[k])) + (p).dy * (y0 + f->lane_y[k]))

/* 1/w of every lane, made once per run. */
static void make_w(struct frame *f, unsigned chunks)
{
    struct exec_plane w = f->env->w_plane;
    float x0 = (float)f->env->x, y0 = (float)f->env->y;
    for (unsigned n = 0; n < chunks; n++) {
        unsigned at = n * EXEC_CHUNK;
        LANES f->w_row[at + i] = 1.0f / PLANE(w, at + i);
    }
    f->w_valid = true;
}

static void plane_row(struct frame *f, float *d, struct exec_plane p, unsigned chunks)
{
    float x0 = (float)f->env->x, y0 = (float)f->env->y;
    const float *lx = f->lane_x, *ly = f->lane_y;
    do {
        LANES d[i] = (p.a0 + p.dx * (x0 + lx[i])) + p.dy * (y0 + ly[i]);
        lx += EXEC_CHUNK;
        ly += EXEC_CHUNK;
        d += EXEC_CHUNK;
    } while (--chunks);
}

PLAIN(INTERP_FLAT)
{
    float *d = ROW(float, op->d), v = f->env->plane[op->imm].a0;
    unsigned n = op->n;
    do {
        LANES d[i] = v;
        d += EXEC_CHUNK;
    } while (--n);
    NEXT;
}

PLAIN(INTERP_LINEAR)
{
    plane_row(f, ROW(float, op->d), f->env->plane[op->imm], op->n);
    NEXT;
}

PLAIN(INTERP_PERSPECTIVE)
{
    float *d = ROW(float, op->d);
    plane_row(f, d, f->env->plane[op->imm], op->n);
    if (!f->env->w_one) {
        if (!f->w_valid)
            make_w(f, op->n);
        const float *w = f->w_row;
        unsigned n = op->n;
        do {
            LANES d[i] *= w[i];
            d += EXEC_CHUNK;
            w += EXEC_CHUNK;
        } while (--n);
    }
    NEXT;
}

/* A plane away from the centres of pixels; rows of distances may be NULL. */
static void plane_row_at(struct frame *f, float *d, struct exec_plane p, const float *const at[2], unsigned chunks)
{
    if (!at[0] || !at[1]) {
        plane_row(f, d, p, chunks);
        return;
    }
    float x0 = (float)f->env->x, y0 = (float)f->env->y;
    for (unsigned k = 0; k < chunks * EXEC_CHUNK; k++) {
        float x = x0 + f->lane_x[k] + at[0][k], y = y0 + f->lane_y[k] + at[1][k];
        d[k] = (p.a0 + p.dx * x) + p.dy * y;
    }
}

static const float *const *location_rows(const struct frame *f, uint32_t location)
{
    return location == IR_LOC_SAMPLE ? f->env->sample : f->env->centroid;
}

PLAIN(INTERP_LINEAR_AT)
{
    plane_row_at(f, ROW(float, op->d), f->env->plane[op->imm], location_rows(f, op->b), op->n);
    NEXT;
}

PLAIN(INTERP_PERSPECTIVE_AT)
{
    const float *const *at = location_rows(f, op->b);
    float *d = ROW(float, op->d), w[EXEC_MAX_LANES];
    plane_row_at(f, d, f->env->plane[op->imm], at, op->n);
    if (!f->env->w_one) {
        plane_row_at(f, w, f->env->w_plane, at, op->n);
        for (unsigned k = 0; k < op->n * EXEC_CHUNK; k++)
            d[k] *= 1.0f / w[k];
    }
    NEXT;
}

static void copy_row(struct frame *f, uint32_t to, const void *from, unsigned chunks)
{
    if (from)
        memcpy(ROW(char, to), from, (size_t)chunks * EXEC_CHUNK * 4);
    else
        memset(ROW(char, to), 0, (size_t)chunks * EXEC_CHUNK * 4);
}

PLAIN(ATTR)
{
    copy_row(f, op->d, f->env->attr ? f->env->attr[op->imm] : NULL, op->n);
    NEXT;
}

/* FRAG_X to FRAG_W; the y that counts from the last row down has distances the other way round. */
static void window_position(struct frame *f, float *d, unsigned component, unsigned chunks)
{
    const struct exec_env *env = f->env;
    const float *const centre[2] = {NULL, NULL}, *const *at = env->at_sample ? env->sample : centre;
    float x0 = (float)env->x, half = f->program->ir->io.center_integer ? 0.0f : 0.5f;
    float sign = (float)env->frag_y_sign;
    switch (component) {
    case 0:
        for (unsigned k = 0; k < chunks * EXEC_CHUNK; k++)
            d[k] = x0 + f->lane_x[k] + half + (at[0] ? at[0][k] : 0.0f);
        break;
    case 1:
        for (unsigned k = 0; k < chunks * EXEC_CHUNK; k++) {
            d[k] = (float)(env->frag_y_base + env->frag_y_sign * (env->y + (int32_t)f->lane_y[k])) + half;
            d[k] += at[1] ? sign * at[1][k] : 0.0f;
        }
        break;
    case 2:
        plane_row_at(f, d, env->z_plane, at, chunks);
        break;
    default:
        if (env->w_one) {
            for (unsigned k = 0; k < chunks * EXEC_CHUNK; k++)
                d[k] = 1.0f;
        } else {
            plane_row_at(f, d, env->w_plane, at, chunks);
        }
        break;
    }
}

PLAIN(SYSVAL)
{
    float *d = ROW(float, op->d);
    const struct exec_env *env = f->env;
    switch (op->imm) {
    case IR_SYS_FRAG_X:
    case IR_SYS_FRAG_Y:
    case IR_SYS_FRAG_Z:
    case IR_SYS_FRAG_W:
        window_position(f, d, (unsigned)op->imm - IR_SYS_FRAG_X, op->n);
        break;
    case IR_SYS_FACE:
        memset(d, env->front ? 0xff : 0, (size_t)op->n * EXEC_CHUNK * 4);
        break;
    case IR_SYS_HELPER:
        mask_row((int32_t *)d, op->n, ~f->live);
        break;
    default:
        copy_row(f, op->d, env->sysval ? env->sysval[op->imm * 4 + op->aux] : NULL, op->n);
        break;
    }
    NEXT;
}

PLAIN(OUTPUT)
{
    uint32_t *to = f->env->output ? f->env->output[op->imm] : NULL;
    if (to) {
        const uint32_t *a = ROW(uint32_t, op->a);
        lane_mask lanes = effect_lanes(f, op->c, op->sc);
        unsigned n = f->program->chunks;
        if (lanes == f->program->full) {
            do {
                LANES to[i] = a[i];
                a += op->sa;
                to += EXEC_CHUNK;
            } while (--n);
        } else {
            for (; lanes; lanes &= lanes - 1) {
                unsigned i = (unsigned)__builtin_ctzll(lanes);
                to[i] = a[op->sa ? i : 0];
            }
        }
    }
    NEXT;
}

PLAIN_APART(TEXTURE)
{
    const struct lop_call *call = &f->program->calls[op->aux];
    const void *args[16];
    struct exec_texture_call t = {.op = call->desc, .args = args, .nargs = call->nargs,
                                  .lanes = f->program->chunks * EXEC_CHUNK, .active = effect_lanes(f, op->c, op->sc)};
    for (unsigned k = 0; k < call->nargs; k++)
        args[k] = ROW(char, call->arg[k]);
    for (unsigned k = 0; k < call->nres; k++)
        t.results[k] = ROW(char, call->res[k]);
    leave_vectors();
    f->env->texture(f->env->device, &t);
    if (t.active != f->program->full)
        for (unsigned k = 0; k < call->nres; k++)
            for (unsigned i = 0; i < t.lanes; i++)
                if (!(t.active >> i & 1))
                    ((uint32_t *)t.results[k])[i] = 0;
    return op + 1;
}

PLAIN_APART(HELPER)
{
    const struct lop_call *call = &f->program->calls[op->aux];
    const struct ir_helper *h = call->desc;
    const void *args[16];
    void *results[16];
    for (unsigned k = 0; k < call->nargs; k++)
        args[k] = ROW(char, call->arg[k]);
    for (unsigned k = 0; k < call->nres; k++)
        results[k] = ROW(char, call->res[k]);
    leave_vectors();
    h->fn(op->n * EXEC_CHUNK, args, results, call->op->imm);
    return op + 1;
}

/* Chunk n of a call whose rows have elements of 32 bits. */
static void helper_chunk(struct frame *f, const struct lop *op, unsigned n)
{
    const struct lop_call *call = &f->program->calls[op->aux];
    const struct ir_helper *h = call->desc;
    const void *args[16];
    void *results[16];
    for (unsigned k = 0; k < call->nargs; k++)
        args[k] = ROW(uint32_t, call->arg[k]) + n * EXEC_CHUNK;
    for (unsigned k = 0; k < call->nres; k++)
        results[k] = ROW(uint32_t, call->res[k]) + n * EXEC_CHUNK;
    leave_vectors();
    h->fn(EXEC_CHUNK, args, results, call->op->imm);
}

/* SERVICE, EMIT, CUT and PROBE: handed to the device. */
PLAIN_APART(SERVICE)
{
    const struct lop_call *call = &f->program->calls[op->aux];
    const void *args[16];
    void *results[16];
    f->acting = effect_lanes(f, op->c, op->sc);
    const bool written = f->env->service_writes && f->acting == f->program->full;
    for (unsigned k = 0; k < call->nargs; k++)
        args[k] = ROW(char, call->arg[k]);
    for (unsigned k = 0; k < call->nres; k++) {
        results[k] = ROW(char, call->res[k]);
        if (!written)
            memset(results[k], 0, (size_t)f->program->chunks * EXEC_CHUNK * 4);
    }
    f->insn = call->op->insn;
    leave_vectors();
    if (call->op->code == IR_PROBE) {
        if (f->env->probe)
            f->env->probe(f->env->probe_context ? f->env->probe_context : f->env->device, (struct exec_warp *)f,
                          call->op, args);
    } else if (!f->env->service ||
               f->env->service(f->env->device, (struct exec_warp *)f, call->op, args, results) != WEFT_OK) {
        return fault_at(f, call->op->insn, "the device does not do this");
    }
    return op + 1;
}

/* b: the guest instruction. */
static const struct lop *check_failed(struct frame *f, const struct lop *op, uint32_t insn)
{
    f->fault_code = op->imm;
    return fault_at(f, insn, "check");
}

PLAIN(CHECK)
{
    if (row_bits(f, ROW(int32_t, op->a), op->sa) & effect_lanes(f, op->c, op->sc))
        return check_failed(f, op, op->b);
    NEXT;
}

/* Of a uniform condition; c: its predicate. */
PLAIN(CHECK_SCALAR)
{
    if (*ROW(int32_t, op->a) && (!op->c || *ROW(int32_t, op->c)) && f->active)
        return check_failed(f, op, op->b);
    NEXT;
}

/* Of uniform a and b having a bit in common: alignment. aux: the guest instruction. */
PLAIN(CHECK_BITS)
{
    if ((*ROW(uint32_t, op->a) & *ROW(uint32_t, op->b)) && f->active)
        return check_failed(f, op, op->aux);
    NEXT;
}

/* CHECK_BITS of an address, and the access there, which is the next operation: both where all is well. */
#define BUS_ALIGNED(bits, bytes)                                                                                     \
    PLAIN(CHECK_BUS_LOAD##bits)                                                                                      \
    {                                                                                                                \
        const struct lop *access = op + 1;                                                                           \
        uint32_t at = *ROW(uint32_t, op->a);                                                                         \
        uint64_t k = (uint32_t)(at + (uint32_t)access->imm) - f->bus_load.first;                                     \
        if ((at & (bytes - 1)) && f->active)                                                                         \
            return check_failed(f, op, op->aux);                                                                     \
        if (k >= f->bus_load.size)                                                                                   \
            GO_ON(access);                                                                                           \
        *ROW(uint32_t, access->d) = (uint32_t)mem_read(f->bus_load.data + k, bytes);                                 \
        GO_ON(op + 2);                                                                                               \
    }                                                                                                                \
    PLAIN(CHECK_BUS_STORE##bits)                                                                                     \
    {                                                                                                                \
        const struct lop *access = op + 1;                                                                           \
        uint32_t at = *ROW(uint32_t, op->a);                                                                         \
        uint64_t k = (uint32_t)(at + (uint32_t)access->imm) - f->bus_store.first;                                    \
        if ((at & (bytes - 1)) && f->active)                                                                         \
            return check_failed(f, op, op->aux);                                                                     \
        if (k >= f->bus_store.size || !(f->active & f->live))                                                        \
            GO_ON(access);                                                                                           \
        mem_write(f->bus_store.data + k, bytes, *ROW(uint32_t, access->b));                                          \
        GO_ON(op + 2);                                                                                               \
    }

BUS_ALIGNED(16, 2)
BUS_ALIGNED(32, 4)

PLAIN(DISCARD)
{
    lane_mask gone = row_bits(f, ROW(int32_t, op->a), op->sa) & effect_lanes(f, op->c, op->sc) & f->live;
    f->live &= ~gone;
    f->counts.discarded += (unsigned)__builtin_popcountll(gone);
    NEXT;
}

#include "exec/handlers_control.h"

static void load_chunk(struct frame *f, const struct lop *op, unsigned n, unsigned lanes)
{
    if (f->program->ir->spaces[MEM_SPACE(op)].kind == IR_SPACE_BUS)
        bus_load_chunk(f, op, n, lanes);
    else
        buffer_load_chunk(f, op, n, lanes);
}

static const struct lop *go(struct frame *f, const struct lop *op)
{
    if (f->active != f->program->full || f->program->no_full)
        mask_row(f->mask, f->program->chunks, f->active);
    while (op)
        op = op->fn(f, op);
    leave_vectors();
    return NULL;
}

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#define FOUR(name, ...) {plain_##name, masked_##name, plain4_##name, masked4_##name, scalar_##name},
#define TWO(name, ...) {plain_##name, masked_##name, NULL, NULL, scalar_##name},
#define ONE(name, ...) {plain_##name, NULL, NULL, NULL, scalar_##name},
#define ALONE(name) {plain_##name, NULL, NULL, NULL, NULL},
extern const struct handler CAT(exec_attribute_handlers_, LEVEL)[];
const struct handler_table CAT(exec_handlers_,
                               LEVEL) = {{HANDLERS(FOUR, FOUR, FOUR, TWO, TWO, TWO, ONE, ONE, ONE, ALONE, ONE)},
                                         CAT(exec_attribute_handlers_, LEVEL),
                                         go,
                                         plain_GONE,
                                         load_chunk,
                                         helper_chunk};
