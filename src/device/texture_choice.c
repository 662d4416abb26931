/* texture_choice.c - TEXTURE ops whose lanes choose their texture or sampler themselves: the lanes of each choice
 * together. */
#include "device/resources.h"
#include "device/sample_lanes.h"

#include <stdalign.h>

struct choice {
    uint32_t view, sampler;
};

static struct choice choice_of(const struct ir_texture *op, const struct texture_args *a, unsigned lane)
{
    return (struct choice){.view = op->view + (a->view ? (uint32_t)a->view[lane] : 0),
                           .sampler = op->sampler + (a->sampler ? (uint32_t)a->sampler[lane] : 0)};
}

/* Numbers above the limits, and chosen ones of another kind of texture than the op's, are unbound textures; of samplers
 * they are those as they are before anything is set. */
static void sample_choice(const struct resources *r, struct choice c, const struct exec_texture_call *call)
{
    weft_sampler initial;
    weft_sampler_init(&initial);
    const weft_sampler *s = r->samplers && c.sampler < RESOURCE_TEXTURES ? &r->samplers[c.sampler] : &initial;
    const struct weft_texture *t = c.view < RESOURCE_TEXTURES ? r->textures[c.view] : NULL;
    if (t && call->op->view_arg && !texture_fits(t, call->op))
        t = NULL;
    device_kernels(r->level)->sample(t, s, call);
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
