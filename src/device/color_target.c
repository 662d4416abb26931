/* color_target.c - choosing and doing what happens to a colour on its way to its pixel. */
#include "device/color_target.h"

#include <stdalign.h>
#include <string.h>

/* ---- blocks of any format ---- */

static uint8_t *lane_pixel(const struct color_target *t, uint8_t *pixels, unsigned lane)
{
    return pixels + lane_y(lane) * t->stride + (size_t)lane_x(lane) * t->format->bytes;
}

static void encode_lane(const struct color_target *t, const float *const src[4], unsigned lane, void *pixel)
{
    uint32_t words[4];
    for (unsigned c = 0; c < 4; c++)
        memcpy(&words[c], src[c] + lane, 4);
    format_encode_words(t->format, words, pixel);
}

/* Rows in the order of the bytes. */
static void ordered(const struct color_target *t, const float *const rows[4], const float *out[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = rows[t->order[i]];
}

static void store_plain(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                        const float *const src1[4], lane_mask mask)
{
    (void)src1;
    if (t->bytes4) {
        const float *rows[4];
        ordered(t, src, rows);
        t->kernels->store_bytes4(pixels, t->stride, rows, mask);
        return;
    }
    if (t->format->layout == FORMAT_FLOATS4) {
        t->kernels->store_floats4(pixels, t->stride, src, mask);
        return;
    }
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        encode_lane(t, src, i, lane_pixel(t, pixels, i));
    }
}

/* Formats whose components are in the order of struct format and memory, without a look at anything. */
static void store_bytes4(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                         const float *const src1[4], lane_mask mask)
{
    (void)src1;
    t->kernels->store_bytes4(pixels, t->stride, src, mask);
}

static void store_floats4(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                          const float *const src1[4], lane_mask mask)
{
    (void)src1;
    t->kernels->store_floats4(pixels, t->stride, src, mask);
}

/* Only the components that are written. */
static void store_masked(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                         const float *const src1[4], lane_mask mask)
{
    (void)src1;
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint8_t fresh[32] = {0}, *pixel = lane_pixel(t, pixels, i);
        encode_lane(t, src, i, fresh);
        for (unsigned c = 0; c < 4; c++) {
            const struct format_channel *channel = &t->format->channel[c];
            if (!(t->blend.keep >> c & 1))
                format_channel_put(channel, format_channel_get(channel, fresh), pixel);
        }
    }
}

static void load(const struct color_target *t, const uint8_t *pixels, lane_mask mask, float *const rows[4])
{
    if (t->bytes4) {
        float *bytes[4];
        for (unsigned i = 0; i < 4; i++)
            bytes[i] = rows[t->order[i]];
        t->kernels->load_bytes4(pixels, t->stride, mask, bytes);
        return;
    }
    if (t->format->layout == FORMAT_FLOATS4) {
        t->kernels->load_floats4(pixels, t->stride, mask, rows);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        memset(rows[c], 0, BLOCK_LANES * sizeof(float));
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        float rgba[4];
        format_decode(t->format, pixels + lane_y(i) * t->stride + (size_t)lane_x(i) * t->format->bytes, rgba);
        for (unsigned c = 0; c < 4; c++)
            rows[c][i] = rgba[c];
    }
}

static void store_blended(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                          const float *const src1[4], lane_mask mask)
{
    alignas(64) float dst[4][BLOCK_LANES], out[4][BLOCK_LANES];
    float *const dst_rows[4] = {dst[0], dst[1], dst[2], dst[3]};
    float *const out_rows[4] = {out[0], out[1], out[2], out[3]};
    const float *result[4];
    load(t, pixels, mask, dst_rows);
    struct blend_call call = {.target = &t->blend,
                              .src = src,
                              .src1 = src1,
                              .dst = dst_rows,
                              .out = out_rows,
                              .low = t->low,
                              .high = t->high,
                              .dual = t->dual};
    memcpy(call.constant, t->constant, sizeof call.constant);
    t->kernels->blend(&call);
    for (unsigned c = 0; c < 4; c++)
        result[c] = out[c];
    if (!t->blend.keep) {
        store_plain(t, pixels, result, NULL, mask);
        return;
    }
    if (!t->bytes4) {
        store_masked(t, pixels, result, NULL, mask);
        return;
    }
    /* A byte's value comes back as the same byte. */
    for (unsigned c = 0; c < 4; c++)
        if (t->blend.keep >> c & 1)
            result[c] = dst[c];
    store_plain(t, pixels, result, NULL, mask);
}

/* What most draws with blending do: store_blended for this equation and four unorm bytes. */
static bool is_over(const struct color_target *t)
{
    const struct blend_target *b = &t->blend;
    return t->bytes4 && !b->keep && b->color_op == BLEND_ADD && b->alpha_op == BLEND_ADD &&
           b->color_dst == BLEND_ONE_MINUS_SRC_ALPHA && b->alpha_dst == BLEND_ONE_MINUS_SRC_ALPHA &&
           (b->color_src == BLEND_SRC_ALPHA || b->color_src == BLEND_ONE) &&
           (b->alpha_src == BLEND_SRC_ALPHA || b->alpha_src == BLEND_ONE);
}

static void store_over(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                       const float *const src1[4], lane_mask mask)
{
    (void)src1;
    const float *rows[4];
    unsigned ones = 0;
    ordered(t, src, rows);
    for (unsigned i = 0; i < 4; i++)
        ones |= (unsigned)((t->order[i] == 3 ? t->blend.alpha_src : t->blend.color_src) == BLEND_ONE) << i;
    t->kernels->blend_over(pixels, t->stride, rows, src[3], ones, mask);
}

/* ---- logic operations ---- */

static uint64_t logic(enum logic_op op, uint64_t s, uint64_t d)
{
    switch (op) {
    case LOGIC_CLEAR:
        return 0;
    case LOGIC_AND:
        return s & d;
    case LOGIC_AND_REVERSE:
        return s & ~d;
    case LOGIC_COPY:
        return s;
    case LOGIC_AND_INVERTED:
        return ~s & d;
    case LOGIC_NO_OP:
        return d;
    case LOGIC_XOR:
        return s ^ d;
    case LOGIC_OR:
        return s | d;
    case LOGIC_NOR:
        return ~(s | d);
    case LOGIC_EQUIVALENT:
        return ~(s ^ d);
    case LOGIC_INVERT:
        return ~d;
    case LOGIC_OR_REVERSE:
        return s | ~d;
    case LOGIC_COPY_INVERTED:
        return ~s;
    case LOGIC_OR_INVERTED:
        return ~s | d;
    case LOGIC_NAND:
        return ~(s & d);
    case LOGIC_SET:
        return ~(uint64_t)0;
    }
    return s;
}

static void store_logic(const struct color_target *t, uint8_t *pixels, const float *const src[4],
                        const float *const src1[4], lane_mask mask)
{
    (void)src1;
    for (lane_mask m = mask; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint8_t fresh[32] = {0}, *pixel = lane_pixel(t, pixels, i);
        encode_lane(t, src, i, fresh);
        for (unsigned c = 0; c < 4; c++) {
            const struct format_channel *channel = &t->format->channel[c];
            uint64_t s = format_channel_get(channel, fresh), d = format_channel_get(channel, pixel);
            if (!(t->blend.keep >> c & 1))
                format_channel_put(channel, logic(t->logic_op, s, d), pixel);
        }
    }
}

/* ---- choosing ---- */

static bool has_kind(const struct format *f, enum format_kind kind)
{
    for (unsigned c = 0; c < 4; c++)
        if (f->channel[c].kind == kind)
            return true;
    return false;
}

static bool is_float(const struct format *f)
{
    return has_kind(f, FORMAT_SFLOAT) || has_kind(f, FORMAT_UFLOAT);
}

/* Luminance and its like, whose components are the same bits. */
static bool shares_bits(const struct format *f)
{
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < a; b++) {
            const struct format_channel *x = &f->channel[a], *y = &f->channel[b];
            if (x->kind != FORMAT_VOID && y->kind != FORMAT_VOID && x->shift < y->shift + y->bits &&
                y->shift < x->shift + x->bits)
                return true;
        }
    return false;
}

bool color_format_renderable(const struct format *f)
{
    return f->bytes && f->bytes <= 32 && !f->depth && !f->stencil.bits && !has_kind(f, FORMAT_SHARED) &&
           format_components(f) && !shares_bits(f);
}

/* Four unorm bytes, each a component. */
static bool byte_order(const struct format *f, uint8_t order[4])
{
    unsigned seen = 0;
    for (unsigned c = 0; c < 4; c++) {
        const struct format_channel *channel = &f->channel[c];
        if (channel->kind != FORMAT_UNORM || channel->bits != 8 || channel->shift % 8 || f->bytes != 4)
            return false;
        order[channel->shift / 8 % 4] = (uint8_t)c;
        seen |= 1u << channel->shift / 8;
    }
    return seen == 15;
}

static bool is_dual_factor(uint8_t factor)
{
    return factor >= BLEND_SRC1_COLOR && factor <= BLEND_ONE_MINUS_SRC1_ALPHA;
}

bool blend_is_dual(const struct blend_target *b)
{
    return b->blend && (is_dual_factor(b->color_src) || is_dual_factor(b->color_dst) || is_dual_factor(b->alpha_src) ||
                        is_dual_factor(b->alpha_dst));
}

bool color_target_init(struct color_target *t, const struct surface *s, const struct target_state *state,
                       unsigned index, const struct device_kernels *kernels)
{
    const struct format *f = s->format;
    if (!color_format_renderable(f))
        return false;
    *t = (struct color_target){.kernels = kernels, .format = f, .stride = s->stride, .blend = state->blend[index]};
    memcpy(t->constant, state->blend_constant, sizeof t->constant);
    t->bytes4 = byte_order(f, t->order);
    t->logic_op = state->logic_op;
    t->dual = blend_is_dual(&t->blend);
    t->low = has_kind(f, FORMAT_SNORM) ? -1.0f : 0.0f;
    t->high = is_float(f) ? t->low : 1.0f;
    bool logic_applies = state->logic && !is_float(f) && !has_kind(f, FORMAT_SRGB);
    bool blends = t->blend.blend && !state->logic && format_class(f) == FORMAT_CLASS_FLOAT;
    unsigned there = 0;
    for (unsigned c = 0; c < 4; c++)
        there |= (unsigned)(f->channel[c].kind != FORMAT_VOID) << c;
    t->blend.keep &= (uint8_t)there;
    if (logic_applies && state->logic_op != LOGIC_COPY)
        t->store = store_logic;
    else if (blends)
        t->store = is_over(t) ? store_over : store_blended;
    else if (t->blend.keep)
        t->store = store_masked;
    else
        t->store = f->layout == FORMAT_BYTES4    ? store_bytes4
                   : f->layout == FORMAT_FLOATS4 ? store_floats4
                                                 : store_plain;
    t->overwrites = t->store == store_bytes4 || t->store == store_floats4 || t->store == store_plain;
    return true;
}
