/* texture_choice.c - TEXTURE ops whose lanes choose their texture or sampler themselves: the lanes of each choice
 * together. */
#include "base/fmath.h"
#include "device/resources.h"
#include "device/sample_lanes.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

struct choice {
    uint32_t view, sampler;
};

static struct choice choice_of(const struct ir_texture *op, const struct texture_args *a, unsigned lane)
{
    return (struct choice){.view = op->view + (a->view ? (uint32_t)a->view[lane] : 0),
                           .sampler = op->sampler + (a->sampler ? (uint32_t)a->sampler[lane] : 0)};
}

/* ---- fixed point ---- */

static bool is_signed(unsigned kind)
{
    return kind == FORMAT_SNORM || kind == FORMAT_SINT;
}

/* A channel's value as the other kind of number. One that is not there is 0 or 1 in both. */
static uint32_t other_number(const struct format_channel *c, bool to_words, uint32_t value)
{
    double most =
        is_signed(c->kind) ? (double)((UINT64_C(1) << (c->bits - 1)) - 1) : (double)((UINT64_C(1) << c->bits) - 1);
    float f;
    if (to_words) {
        memcpy(&f, &value, sizeof f);
        return (uint32_t)(int64_t)nearbyint(c->kind == FORMAT_VOID ? f : f * most);
    }
    double v = is_signed(c->kind) ? (double)(int32_t)value : (double)value;
    f = (float)(c->kind == FORMAT_VOID ? v : v / most);
    f = f < -1.0f ? -1.0f : f;
    memcpy(&value, &f, sizeof f);
    return value;
}

/* Which channel of the format a result is; NULL: a constant of the view. */
static const struct format_channel *channel_of(const struct weft_texture *t, const struct ir_texture *op,
                                               unsigned result)
{
    unsigned from = t->swizzle[op->op == IR_TEX_GATHER ? op->gather_component & 3 : result];
    return from < 4 ? &t->format->channel[from] : NULL;
}

/* A float as a half, whose NaNs have one pattern. */
static uint32_t half_of(uint32_t value)
{
    enum { HALF_NAN = 0x7fff };
    float f = f32_from(value);
    return f != f ? HALF_NAN : f16_from_f32(f);
}

/* Results by struct ir_texture's fixed_words, fixed_floats and half_floats. Formats of floats have one kind of number,
 * and so have comparisons. */
static void convert_fixed(const struct weft_texture *t, const struct exec_texture_call *call)
{
    static const struct format_channel none = {FORMAT_VOID, 0, 1};
    const struct ir_texture *op = call->op;
    unsigned kind = t->format->channel[0].kind;
    bool words = kind == FORMAT_UINT || kind == FORMAT_SINT, parts = kind == FORMAT_UNORM || kind == FORMAT_SNORM;
    bool floats = op->shadow || !(parts || words);
    if (op->op > IR_TEX_GATHER || (floats ? !op->half_floats : !(op->fixed_words ? parts : words)))
        return;
    for (unsigned i = 0; i < 4; i++) {
        const struct format_channel *c = channel_of(t, op, i);
        for (unsigned lane = 0; call->results[i] && lane < call->lanes; lane++)
            if (call->active >> lane & 1) {
                uint32_t *value = (uint32_t *)call->results[i] + lane;
                *value = floats ? half_of(*value) : other_number(c && c->bits ? c : &none, op->fixed_words, *value);
            }
    }
}

/* ---- kinds as bound ---- */

/* A call with the kind and the arguments of what is bound. */
struct bound_call {
    struct ir_texture op;
    struct exec_texture_call call;
    const void *args[16];
    unsigned next, nargs; /* of the original's registers; of args */
    alignas(64) float layer[EXEC_MAX_LANES];
    alignas(64) uint32_t zero[EXEC_MAX_LANES];
};

/* Where the program gave fewer registers than the texture takes, they are 0. */
static void take_register(struct bound_call *b, const struct exec_texture_call *from)
{
    b->args[b->nargs++] = b->next < from->op->registers ? from->args[b->next] : b->zero;
    b->next++;
}

static void take_layer(struct bound_call *b, const struct exec_texture_call *from)
{
    take_register(b, from);
    if (b->op.op == IR_TEX_FETCH)
        return;
    const uint32_t *number = b->args[b->nargs - 1];
    for (unsigned lane = 0; lane < from->lanes; lane++)
        b->layer[lane] = (float)number[lane];
    b->args[b->nargs - 1] = b->layer;
}

static void take_arguments(struct bound_call *b, const struct exec_texture_call *from)
{
    bool fetch = b->op.op == IR_TEX_FETCH, size = b->op.op == IR_TEX_QUERY_SIZE;
    unsigned axes = size ? 0 : texture_axes(b->op.dim);
    for (unsigned i = 0; i < (fetch && b->op.dim == IR_TEX_CUBE ? 2 : axes); i++)
        take_register(b, from);
    if (!size && (b->op.array || (fetch && b->op.dim == IR_TEX_CUBE)))
        take_layer(b, from);
    if (!size && b->op.shadow && !fetch)
        take_register(b, from);
    bool plain = b->op.dim == IR_TEX_BUFFER || b->op.dim == IR_TEX_RECT;
    if (fetch && (b->op.multisample || !plain))
        take_register(b, from); /* the sample or the level */
    else if (b->op.op == IR_TEX_BIAS || (b->op.op == IR_TEX_LOD && !b->op.zero_lod) ||
             (size && !plain && !b->op.multisample))
        take_register(b, from);
    for (unsigned i = 0; b->op.has_offset && i < axes; i++)
        b->args[b->nargs++] = from->args[from->op->registers + i];
}

static void sample_as_bound(const struct resources *r, const struct weft_texture *t, const weft_sampler *s,
                            const struct exec_texture_call *call)
{
    struct bound_call b = {.op = *call->op, .call = *call};
    b.op.registers = 0;
    b.op.dim = t ? t->dim : IR_TEX_1D;
    b.op.array = t && t->array;
    b.op.multisample = t && t->samples > 1;
    b.op.shadow = s->compare && b.op.op != IR_TEX_FETCH;
    b.op.has_offset = call->op->has_offset && b.op.dim != IR_TEX_CUBE;
    take_arguments(&b, call);
    b.call.op = &b.op;
    b.call.args = b.args;
    b.call.nargs = b.nargs;
    device_kernels(r->level)->sample(t, s, &b.call);
}

/* ---- choices ---- */

/* Numbers above the limits, and chosen ones of another kind of texture than the op's, are unbound textures; of samplers
 * they are those as they are before anything is set. */
static void sample_choice(const struct resources *r, struct choice c, const struct exec_texture_call *call)
{
    weft_sampler initial;
    const weft_sampler *s = r->samplers && c.sampler < RESOURCE_TEXTURES ? &r->samplers[c.sampler] : &initial;
    if (s == &initial)
        weft_sampler_init(&initial);
    const struct weft_texture *t = c.view < RESOURCE_TEXTURES ? r->textures[c.view] : NULL;
    if (t && call->op->view_arg && !texture_fits(t, call->op))
        t = NULL;
    if (call->op->registers) {
        sample_as_bound(r, t, s, call);
        return;
    }
    device_kernels(r->level)->sample(t, s, call);
    if (t && (call->op->fixed_words || call->op->fixed_floats))
        convert_fixed(t, call);
}

static lane_mask lanes_of(const struct exec_texture_call *call, const struct texture_args *a, struct choice c,
                          lane_mask from)
{
    lane_mask mask = 0;
    for (unsigned lane = 0; lane < call->lanes; lane++) {
        struct choice other = choice_of(call->op, a, lane);
        if (from >> lane & 1 && other.view == c.view && other.sampler == c.sampler)
            mask |= (lane_mask)1 << lane;
    }
    return mask;
}

void resource_texture(const struct resources *r, const struct exec_texture_call *call)
{
    const struct ir_texture *op = call->op;
    if (!op->view_arg && !op->sampler_arg) {
        sample_choice(r, (struct choice){op->view, op->sampler}, call);
        return;
    }
    alignas(64) uint32_t rows[4][EXEC_MAX_LANES];
    struct texture_args a;
    texture_args(call, &a);
    for (lane_mask left = call->active; left;) {
        struct choice c = choice_of(op, &a, (unsigned)__builtin_ctzll(left));
        struct exec_texture_call part = *call;
        part.active = lanes_of(call, &a, c, left);
        for (unsigned i = 0; i < 4; i++)
            part.results[i] = rows[i];
        sample_choice(r, c, &part);
        for (unsigned i = 0; i < 4; i++)
            for (unsigned lane = 0; call->results[i] && lane < call->lanes; lane++)
                if (part.active >> lane & 1)
                    ((uint32_t *)call->results[i])[lane] = rows[i][lane];
        left &= ~part.active;
    }
}
