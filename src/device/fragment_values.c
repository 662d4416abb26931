/* fragment_values.c - what a fragment program reads of the device: system values and services. */
#include "device/fragment.h"

#include <string.h>

/* ---- what is read ---- */

static void note_sysval(struct fragment_reads *r, uint64_t value)
{
    r->sample_id |= value == IR_SYS_SAMPLE_ID;
    r->sample_pos |= value == IR_SYS_SAMPLE_POS;
    r->sample_mask |= value == IR_SYS_SAMPLE_MASK;
    r->point_coord |= value == IR_SYS_POINT_COORD;
    r->prim_id |= value == IR_SYS_PRIM_ID;
    r->layer |= value == IR_SYS_LAYER;
    r->viewport |= value == IR_SYS_VIEWPORT;
}

static void note_service(struct fragment_reads *r, uint64_t service)
{
    r->tile_load |= service == IR_SVC_TILE_LOAD;
    r->services |= service == IR_SVC_TILE_LOAD || service == IR_SVC_SAMPLE_POS || service == IR_SVC_TARGET_INFO ||
                   service == IR_SVC_INTERP_AT;
    r->effects |= service == IR_SVC_IMAGE_STORE || service == IR_SVC_IMAGE_STORE_AT || service == IR_SVC_IMAGE_ATOMIC;
}

void fragment_find_reads(const struct ir_program *ir, struct fragment_reads *r)
{
    *r = (struct fragment_reads){0};
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++) {
            const struct ir_op *op = &ir->blocks[b].ops[i];
            if (op->code == IR_SYSVAL)
                note_sysval(r, op->imm);
            else if (op->code == IR_SERVICE)
                note_service(r, op->imm);
            else if (op->code == IR_STORE || op->code == IR_ATOMIC)
                r->effects |= ir->spaces[ir->mems[op->desc].space].kind != IR_SPACE_PRIVATE;
            else if (op->code == IR_INTERP) {
                r->centroid |= (op->attr >> 4 & 15) == IR_LOC_CENTROID;
                r->at_sample |= (op->attr >> 4 & 15) == IR_LOC_SAMPLE;
            }
        }
}

/* ---- services ---- */

/* The lanes of the warp at work that ask, and the lane of the block that its lane 0 is. */
struct at_work {
    unsigned first;
    lane_mask lanes;
};

/* What a colour target holds, in f32 or the integers of integer formats; 0 where it is smaller or has fewer layers. */
static void tile_load(const struct fragment_stage *s, const struct at_work *at, uint32_t target, void *const *results)
{
    const struct surface *from = target < PIPELINE_COLORS ? &s->p->color[target] : NULL;
    bool there = from && from->pixels && s->layer < surface_layers(from);
    for (lane_mask m = at->lanes; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint32_t words[4] = {0};
        uint32_t x = (uint32_t)s->x + lane_x(at->first + i), y = (uint32_t)s->y + lane_y(at->first + i);
        if (there && x < from->width && y < from->height)
            format_decode_words(from->format,
                                surface_plane(from, s->layer, s->sample) + (size_t)y * from->stride +
                                    (size_t)x * from->format->bytes,
                                words);
        for (unsigned c = 0; c < 4; c++)
            memcpy((uint32_t *)results[c] + i, &words[c], 4);
    }
}

static void sample_pos(const struct fragment_stage *s, const struct at_work *at, const uint32_t *numbers,
                       void *const *results)
{
    const struct sample_position *positions = sample_positions(s->samples);
    for (lane_mask m = at->lanes; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        bool there = numbers[i] < s->samples;
        ((float *)results[0])[i] = there ? (float)positions[numbers[i]].x / 16.0f : 0.0f;
        ((float *)results[1])[i] = there ? (float)positions[numbers[i]].y / 16.0f : 0.0f;
        ((float *)results[2])[i] = ((float *)results[3])[i] = 0.0f;
    }
}

/* The surface that says how large a draw's targets are. */
static const struct surface *first_target(const struct pipeline *p)
{
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        if (p->color[i].pixels)
            return &p->color[i];
    return &p->depth;
}

static void target_info(const struct fragment_stage *s, const struct at_work *at, void *const *results)
{
    const struct surface *target = first_target(s->p);
    const uint32_t words[4] = {s->samples, target->width, target->height, 0};
    for (lane_mask m = at->lanes; m; m &= m - 1)
        for (unsigned c = 0; c < 4; c++)
            ((uint32_t *)results[c])[__builtin_ctzll(m)] = words[c];
}

static void interpolate_at(const struct fragment_stage *s, const struct at_work *at, uint32_t slot,
                           const float *const offset[2], void *const *results)
{
    const struct ir_slot *input = &s->p->fragment.ir->io.inputs[slot];
    const struct exec_plane *w = &s->env.w_plane;
    for (lane_mask m = at->lanes; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        float x = (float)(s->x + (int32_t)lane_x(at->first + i)) + offset[0][i];
        float y = (float)(s->y + (int32_t)lane_y(at->first + i)) + offset[1][i];
        bool flat = input->interp == IR_INTERP_CONSTANT;
        bool divides = !flat && input->interp != IR_INTERP_LINEAR && !s->env.w_one;
        float by = divides ? 1.0f / ((w->a0 + w->dx * x) + w->dy * y) : 1.0f;
        for (unsigned c = 0; c < 4; c++) {
            const struct exec_plane *p = &s->env.plane[slot * 4 + c];
            float v = (p->a0 + p->dx * x) + p->dy * y;
            if (flat) /* as bits: it may be an integer */
                memcpy((float *)results[c] + i, &p->a0, 4);
            else
                ((float *)results[c])[i] = divides ? v * by : v;
        }
    }
}

static weft_status fragment_service(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                                    void *const *results)
{
    const struct fragment_stage *s = device;
    const struct at_work at = {exec_warp_env(w)->first_lane, exec_active(w)};
    switch (op->code == IR_SERVICE ? (enum ir_service)op->imm : IR_SVC_NONE) {
    case IR_SVC_TILE_LOAD:
        tile_load(s, &at, op->desc, results);
        return WEFT_OK;
    case IR_SVC_SAMPLE_POS:
        sample_pos(s, &at, args[0], results);
        return WEFT_OK;
    case IR_SVC_TARGET_INFO:
        target_info(s, &at, results);
        return WEFT_OK;
    case IR_SVC_INTERP_AT:
        if (op->desc >= s->p->fragment.ir->io.ninputs)
            return WEFT_ERROR_INPUT;
        interpolate_at(s, &at, op->desc, (const float *const[2]){args[0], args[1]}, results);
        return WEFT_OK;
    default:
        return resource_service(&s->p->resources, w, op, args, results);
    }
}

static void fragment_texture(void *device, const struct exec_texture_call *call)
{
    const struct fragment_stage *s = device;
    resource_texture(&s->p->resources, call);
}

/* ---- system values ---- */

static void fill(uint32_t row[BLOCK_LANES], uint32_t v)
{
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        row[i] = v;
}

void fragment_bind_values(struct fragment_stage *s)
{
    struct fragment_rows *v = &s->values;
    s->sysval[IR_SYS_SAMPLE_ID * 4] = v->sample_id;
    s->sysval[IR_SYS_SAMPLE_MASK * 4] = v->sample_mask;
    s->sysval[IR_SYS_PRIM_ID * 4] = v->prim_id;
    s->sysval[IR_SYS_LAYER * 4] = v->layer;
    s->sysval[IR_SYS_VIEWPORT * 4] = v->viewport;
    for (unsigned c = 0; c < 2; c++) {
        s->sysval[IR_SYS_SAMPLE_POS * 4 + c] = v->sample_pos[c];
        s->sysval[IR_SYS_POINT_COORD * 4 + c] = v->point_coord[c];
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            v->sample_pos[c][i] = 0.5f;
    }
    fill(v->sample_mask, 1);
    s->env.sysval = s->sysval;
    if (s->samples > 1) {
        for (unsigned c = 0; c < 2; c++) {
            s->env.centroid[c] = v->centroid[c];
            s->env.sample[c] = v->sample[c];
        }
        s->env.at_sample = s->per_sample;
    }
    if (s->reads.services) {
        s->env.device = s;
        s->env.service = fragment_service;
        s->env.texture = fragment_texture;
    }
}

void fragment_primitive_values(struct fragment_stage *s, const struct shading *shading)
{
    const struct fragment_reads *r = &s->reads;
    if (r->prim_id)
        fill(s->values.prim_id, shading->prim_id);
    if (r->layer)
        fill(s->values.layer, shading->layer);
    if (r->viewport)
        fill(s->values.viewport, shading->viewport);
    for (unsigned c = 0; r->point_coord && c < 2; c++) {
        const struct exec_plane *p = &shading->point_coord[c];
        for (unsigned i = 0; i < BLOCK_LANES; i++)
            s->values.point_coord[c][i] = shading->point ? (p->a0 + p->dx * (float)(s->x + (int32_t)lane_x(i))) +
                                                               p->dy * (float)(s->y + (int32_t)lane_y(i))
                                                         : 0.0f;
    }
}

void fragment_sample_values(struct fragment_stage *s, uint32_t sample)
{
    struct fragment_rows *v = &s->values;
    float distance[2];
    sample_distance(s->samples, sample, distance);
    fill(v->sample_id, sample);
    for (unsigned c = 0; c < 2; c++)
        for (unsigned i = 0; i < BLOCK_LANES; i++) {
            v->sample_pos[c][i] = distance[c] + 0.5f;
            v->sample[c][i] = distance[c];
        }
}
