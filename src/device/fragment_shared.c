/* fragment_shared.c - warps that several small triangles share.
 *
 * Of a small triangle a block has few quads, and a warp for these alone would mostly be idle. Where the tests come
 * before the program and the program has no effects but its outputs, quads that passed are put side by side, of
 * whatever triangles and blocks they are, until they fill a warp. The program for it (stage.shared) reads its inputs
 * from rows that are made here, as the planes differ from quad to quad. Outputs are stored piece by piece in the order
 * in which the pieces came, so each pixel sees the same colours in the same order. */
#include "device/fragment.h"

#include <stdlib.h>
#include <string.h>

enum {
    QUAD = 4,
    QUADS = BLOCK_LANES / QUAD,
    SHARED_MOST_QUADS = 8,                  /* of more a warp of their own is full enough */
    SHARED_CHUNK = 16,                      /* rows are made in chunks of so many lanes */
    ROW_LANES = BLOCK_LANES
};

/* Quads of one triangle in one block. */
struct piece {
    lane_mask mask; /* lanes of the block */
    int32_t x, y;
    uint32_t layer;
    unsigned first, lanes; /* of the warp */
    const struct shading *shading;
    const struct exec_plane *planes;
};

struct shared {
    struct exec_warp *warp;
    struct exec_env env;
    const void **attr;         /* rows by slot * 4 + component; NULL: the program does not read it */
    float *rows;               /* of ROW_LANES: 1/w, the inputs, then of BLOCK_LANES the outputs */
    void **output;             /* the program's outputs; NULL where it writes none */
    uint32_t outputs;
    uint16_t *input;           /* which planes it reads: those of flat inputs, of linear and of perspective ones */
    unsigned flat, linear, inputs; /* where these end */
    bool places;               /* it asks where its pixels are */
    bool packed;               /* every target's pixels are made of a whole warp at once */
    unsigned quads, pieces;
    uint64_t blocks;           /* of the tile that have something in here */
    struct piece piece[QUADS];
    alignas(64) float x[ROW_LANES], y[ROW_LANES]; /* pixels of the warp's lanes */
    alignas(64) float block_x[BLOCK_LANES], block_y[BLOCK_LANES]; /* of the lanes of a block */
    struct color_target target[PIPELINE_COLORS]; /* of a block in memory of ours */
    alignas(64) uint8_t pixels[32 * BLOCK_LANES];
};

static float *input_row(const struct shared *h, unsigned i)
{
    return h->rows + (size_t)(i + 1) * ROW_LANES;
}

/* ---- making ---- */

/* The inputs with one interpolation, each once. */
static unsigned list_inputs(struct shared *h, const struct ir_program *ir, bool flat, bool linear, unsigned n)
{
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            unsigned mode = op->attr & 15;
            if (op->code != IR_INTERP || (mode == IR_INTERP_CONSTANT) != flat || (mode == IR_INTERP_LINEAR) != linear)
                continue;
            uint16_t which = (uint16_t)(op->desc * 4 + op->imm);
            if (h->attr[which])
                continue;
            h->input[n] = which;
            h->attr[which] = input_row(h, n++);
        }
    return n;
}

static void find_inputs(struct shared *h, const struct ir_program *ir)
{
    h->flat = list_inputs(h, ir, true, false, 0);
    h->linear = list_inputs(h, ir, false, true, h->flat);
    h->inputs = list_inputs(h, ir, false, false, h->linear);
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++)
            h->places |= ir->blocks[b].ops[i].code == IR_SYSVAL;
}

struct shared *shared_new(const struct pipeline *p)
{
    const struct ir_io *io = &p->fragment.ir->io;
    struct shared *h = aligned_alloc(64, (sizeof *h + 63) & ~(size_t)63);
    if (!h)
        return NULL;
    memset(h, 0, sizeof *h);
    size_t inputs = (size_t)io->ninputs * 4;
    h->outputs = io->noutputs * 4;
    size_t floats = (inputs + 1) * ROW_LANES + ((size_t)h->outputs + 1) * BLOCK_LANES;
    h->warp = exec_warp_new(p->fragment.shared);
    h->attr = calloc(inputs + 1, sizeof *h->attr);
    h->input = calloc(inputs + 1, sizeof *h->input);
    h->output = calloc(h->outputs + 1, sizeof *h->output);
    h->rows = aligned_alloc(64, floats * sizeof *h->rows);
    if (!h->warp || !h->attr || !h->input || !h->output || !h->rows) {
        shared_free(h);
        return NULL;
    }
    memset(h->rows, 0, floats * sizeof *h->rows);
    find_inputs(h, p->fragment.ir);
    float *output = h->rows + (inputs + 1) * ROW_LANES;
    for (uint32_t i = 0; i < h->outputs; i++)
        h->output[i] = io->outputs[i / 4].mask >> (i % 4) & 1 ? output + (size_t)i * BLOCK_LANES : NULL;
    for (unsigned i = 0; i < BLOCK_LANES; i++) {
        h->block_x[i] = (float)lane_x(i);
        h->block_y[i] = (float)lane_y(i);
    }
    return h;
}

void shared_free(struct shared *h)
{
    if (!h)
        return;
    if (h->warp)
        exec_warp_free(h->warp);
    free(h->attr);
    free(h->input);
    free(h->output);
    free(h->rows);
    free(h);
}

struct exec_warp *shared_warp(const struct shared *h)
{
    return h->warp;
}

weft_status shared_bind(struct fragment_stage *s)
{
    struct shared *h = s->shared;
    h->env = s->env;
    h->env.plane = NULL;
    h->env.attr = h->attr;
    h->packed = true;
    for (unsigned i = 0; i < s->targets; i++) {
        h->target[i] = s->target[i];
        h->target[i].stride = (size_t)BLOCK_SIZE * (s->target[i].store ? s->target[i].format->bytes : 0);
        h->packed = h->packed && (!s->target[i].store || s->target[i].overwrites) && !s->colormask[i];
    }
    /* Rows of pixels are stored from where the stage has them. */
    h->env.output = h->packed ? s->output : h->output;
    return exec_bind(h->warp, &h->env);
}

/* ---- storing ---- */

static lane_mask quads_of(lane_mask mask)
{
    lane_mask quads = mask | mask >> 1;
    return (quads | quads >> 2) & 0x1111111111111111u;
}

static inline void copy_quad(uint8_t *to, size_t stride, const uint8_t *from, unsigned lanes, const size_t bytes)
{
    const size_t row = BLOCK_SIZE * bytes;
    if (lanes == 15) {
        memcpy(to, from, 2 * bytes);
        memcpy(to + stride, from + row, 2 * bytes);
        return;
    }
    for (unsigned i = 0; i < QUAD; i++)
        if (lanes >> i & 1)
            memcpy(to + (i >> 1) * stride + (i & 1) * bytes, from + (i >> 1) * row + (i & 1) * bytes, bytes);
}

/* A row of a quad of pixels of 4 bytes, of which those outside `lanes` keep what they are. */
static inline void mix_row(uint8_t *to, const uint8_t *from, unsigned lanes)
{
    const uint32_t keep[2] = {lanes & 1 ? 0 : ~0u, lanes & 2 ? 0 : ~0u};
    uint32_t old[2], new[2];
    memcpy(old, to, sizeof old);
    memcpy(new, from, sizeof new);
    for (unsigned i = 0; i < 2; i++)
        new[i] = (old[i] & keep[i]) | (new[i] & ~keep[i]);
    memcpy(to, new, sizeof new);
}

/* Whether all of a piece's block is in the surface, so that other pixels may be written as they are. */
static bool whole_block(const struct piece *piece, const struct surface *to)
{
    return piece->x + BLOCK_SIZE <= (int32_t)to->width && piece->y + BLOCK_SIZE <= (int32_t)to->height;
}

/* A piece's pixels, of those of the warp as if it were a block. With `mix` quads are written as a whole, which is
 * faster than to ask for each pixel. */
static inline void copy_piece(const struct piece *piece, const struct surface *to, const uint8_t *pixels,
                              const size_t bytes, const bool mix)
{
    uint8_t *block =
        surface_plane(to, piece->layer, 0) + (size_t)piece->y * to->stride + (size_t)piece->x * bytes;
    unsigned at = piece->first;
    for (lane_mask quads = quads_of(piece->mask); quads; quads &= quads - 1, at += QUAD) {
        unsigned lane = (unsigned)__builtin_ctzll(quads), lanes = (unsigned)(piece->mask >> lane & 15);
        uint8_t *quad = block + lane_y(lane) * to->stride + lane_x(lane) * bytes;
        const uint8_t *from = pixels + (lane_y(at) * BLOCK_SIZE + lane_x(at)) * bytes;
        if (mix) {
            mix_row(quad, from, lanes);
            mix_row(quad + to->stride, from + BLOCK_SIZE * bytes, lanes >> 2);
        } else {
            copy_quad(quad, to->stride, from, lanes, bytes);
        }
    }
}

static void store_packed(struct fragment_stage *s, struct shared *h)
{
    const lane_mask all = h->quads == QUADS ? ~(lane_mask)0 : ((lane_mask)1 << (h->quads * QUAD)) - 1;
    for (unsigned i = 0; i < s->targets; i++) {
        const struct color_target *t = &h->target[i];
        const struct surface *to = &s->p->color[i];
        if (!t->store)
            continue;
        t->store(t, h->pixels, s->color[i], s->color1, all);
        for (unsigned k = 0; k < h->pieces; k++) {
            if (h->piece[k].layer >= surface_layers(to))
                continue;
            if (t->format->bytes == 4 && whole_block(&h->piece[k], to))
                copy_piece(&h->piece[k], to, h->pixels, 4, true);
            else
                copy_piece(&h->piece[k], to, h->pixels, t->format->bytes, false);
        }
    }
}

/* Put a piece's outputs where the block has them. */
static void unpack(const struct fragment_stage *s, const struct shared *h, const struct piece *piece)
{
    for (uint32_t i = 0; i < h->outputs; i++) {
        const float *from = (const float *)h->output[i] + (h->output[i] ? piece->first : 0);
        for (lane_mask quads = quads_of(piece->mask); h->output[i] && quads; quads &= quads - 1, from += QUAD)
            memcpy(s->rows + (size_t)i * BLOCK_LANES + __builtin_ctzll(quads), from, QUAD * sizeof(float));
    }
}

static void store_unpacked(struct fragment_stage *s, const struct shared *h)
{
    const int32_t x = s->x, y = s->y; /* of the block at work */
    const uint32_t layer = s->layer;
    for (unsigned k = 0; k < h->pieces; k++) {
        const struct piece *piece = &h->piece[k];
        lane_mask mask = piece->mask;
        unpack(s, h, piece);
        /* What comes next in the same block is stored with it, where no pixel is in both. */
        for (; k + 1 < h->pieces; k++) {
            const struct piece *next = &h->piece[k + 1];
            if (next->x != piece->x || next->y != piece->y || next->layer != piece->layer ||
                (quads_of(next->mask) & quads_of(mask)))
                break;
            unpack(s, h, next);
            mask |= next->mask;
        }
        s->x = piece->x;
        s->y = piece->y;
        s->layer = piece->layer;
        fragment_store_colors(s, 0, mask);
    }
    s->x = x;
    s->y = y;
    s->layer = layer;
}

/* ---- running ---- */

/* The rows of flat inputs. */
static void make_flat_rows(struct shared *h)
{
    for (unsigned n = 0; n < h->pieces; n++) {
        const struct piece *piece = &h->piece[n];
        for (unsigned k = 0; k < h->flat; k++)
            for (unsigned i = 0; i < piece->lanes; i++) /* moved as bits: it may be an integer */
                memcpy(input_row(h, k) + piece->first + i, &piece->planes[h->input[k]].a0, sizeof(float));
    }
}

/* The inputs' rows. */
static void make_rows(const struct fragment_stage *s, struct shared *h)
{
    static const uint16_t one[1] = {0};
    static const struct exec_plane everywhere_1 = {1, 0, 0};
    struct plane_lanes planes[QUADS], w[QUADS];
    for (unsigned n = 0; n < h->pieces; n++) {
        const struct piece *piece = &h->piece[n];
        planes[n] = (struct plane_lanes){piece->planes, piece->lanes};
        w[n] = (struct plane_lanes){piece->shading->w_one ? &everywhere_1 : &piece->shading->w_plane, piece->lanes};
    }
    make_flat_rows(h);
    struct plane_rows call = {planes, h->pieces, h->input + h->flat, h->inputs - h->flat,
                              h->x, h->y, input_row(h, h->flat), ROW_LANES};
    s->kernels->plane_rows(&call);
    if (h->inputs <= h->linear)
        return;
    call = (struct plane_rows){w, h->pieces, one, 1, h->x, h->y, h->rows, ROW_LANES};
    s->kernels->plane_rows(&call);
    s->kernels->divide_rows(h->rows, input_row(h, h->linear), ROW_LANES, h->inputs - h->linear,
                            (h->quads * QUAD + SHARED_CHUNK - 1) / SHARED_CHUNK * SHARED_CHUNK);
}

void shared_flush(struct fragment_stage *s)
{
    struct shared *h = s->shared;
    if (!h || !h->quads)
        return;
    make_rows(s, h);
    if (h->places)
        exec_place(h->warp, h->x, h->y);
    if (run_warp(h->warp, s->p->fragment.ir, ~(lane_mask)0, ~(lane_mask)0, s->p->budget, s->failure)) {
        if (h->packed)
            store_packed(s, h);
        else
            store_unpacked(s, h);
    }
    h->quads = h->pieces = 0;
    h->blocks = 0;
}

bool shared_take(struct fragment_stage *s, const struct shading *shading, lane_mask mask)
{
    struct shared *h = s->shared;
    lane_mask quads = quads_of(mask);
    unsigned count = (unsigned)__builtin_popcountll(quads);
    if (count > SHARED_MOST_QUADS) {
        if (h->blocks & s->blocks)
            shared_flush(s);
        return false;
    }
    if (h->quads + count > QUADS)
        shared_flush(s);
    unsigned first = h->quads * QUAD, at = first;
    float x = (float)s->x, y = (float)s->y;
    for (; quads; quads &= quads - 1, at += QUAD) {
        unsigned lane = (unsigned)__builtin_ctzll(quads);
        for (unsigned i = 0; i < QUAD; i++) {
            h->x[at + i] = x + h->block_x[lane + i];
            h->y[at + i] = y + h->block_y[lane + i];
        }
    }
    h->piece[h->pieces++] = (struct piece){mask, s->x, s->y, s->layer, first, at - first, shading, s->env.plane};
    h->quads += count;
    h->blocks |= s->blocks;
    s->fragments += (unsigned)__builtin_popcountll(mask);
    if (h->quads == QUADS)
        shared_flush(s);
    return true;
}
