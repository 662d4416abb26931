/* warps.c - rows of 64 lanes cut into the warps of a program. */
#include "device/warps.h"

#include <stdlib.h>
#include <string.h>

bool warps_fit(const struct ir_program *ir)
{
    return ir->lanes == 64 || ir->lanes == 32 || ir->lanes == 16;
}

/* Pointers to rows in an environment: attributes, outputs and system values. */
static size_t row_count(const struct ir_program *ir)
{
    return (size_t)ir->io.ninputs * 4 + (size_t)ir->io.noutputs * 4 + (size_t)IR_SYSVALS * 4;
}

/* Bytes of a PRIVATE space for all lanes of the stage. */
static size_t private_bytes(const struct ir_space *s)
{
    return s->kind == IR_SPACE_PRIVATE ? ((size_t)s->size * WARPS_LANES + 63) / 64 * 64 : 0;
}

static size_t lane_bytes(const struct ir_program *ir)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < ir->nspaces; i++)
        sum += private_bytes(&ir->spaces[i]);
    return sum;
}

bool warps_new(struct warps *w, const struct exec_program *program, const struct ir_program *ir)
{
    *w = (struct warps){.ir = ir, .lanes = ir->lanes, .count = WARPS_LANES / ir->lanes};
    if (!warps_fit(ir))
        return false;
    w->lane_bytes = lane_bytes(ir);
    if (w->lane_bytes && !(w->lane_memory = aligned_alloc(64, w->lane_bytes)))
        return false;
    if (w->count > 1 || w->lane_bytes) {
        w->part = calloc(w->count, sizeof *w->part);
        w->rows = calloc(w->count * row_count(ir), sizeof *w->rows);
        if (!w->part || !w->rows)
            return false;
    }
    for (unsigned k = 0; k < w->count; k++)
        if (!(w->warp[k] = exec_warp_new(program)))
            return false;
    return true;
}

void warps_free(struct warps *w)
{
    for (unsigned k = 0; k < WARPS_MOST; k++)
        if (w->warp[k])
            exec_warp_free(w->warp[k]);
    free(w->part);
    free(w->rows);
    free(w->lane_memory);
    *w = (struct warps){0};
}

/* ---- environments of the parts ---- */

static const void *part_of_row(const void *row, unsigned first)
{
    return row ? (const char *)row + first * sizeof(uint32_t) : NULL;
}

static void cut_rows(const void **to, const void *const *from, size_t count, unsigned first)
{
    for (size_t i = 0; i < count; i++)
        to[i] = part_of_row(from[i], first);
}

/* Memory that each lane has of its own: INPUT is the stage's, PRIVATE ours. */
static void cut_spaces(const struct warps *w, struct exec_env *part, unsigned first)
{
    uint8_t *memory = w->lane_memory;
    for (uint32_t i = 0; i < w->ir->nspaces && i < EXEC_MAX_SPACES; i++) {
        const struct ir_space *s = &w->ir->spaces[i];
        if (s->kind == IR_SPACE_PRIVATE) {
            part->space[i] = (struct exec_buffer){memory + first * s->size, s->size * w->lanes};
            memory += private_bytes(s);
        } else if (s->kind == IR_SPACE_INPUT && part->space[i].data) {
            part->space[i].data += first * s->size;
            part->space[i].size = s->size * w->lanes;
        }
    }
}

/* What warp k sees of the stage's environment. */
static void cut(struct warps *w, unsigned k)
{
    unsigned first = k * w->lanes;
    size_t inputs = (size_t)w->ir->io.ninputs * 4, outputs = (size_t)w->ir->io.noutputs * 4;
    const void **attr = w->rows + k * row_count(w->ir), **output = attr + inputs, **sysval = output + outputs;
    struct exec_env *part = &w->part[k];
    *part = *w->env;
    part->first_lane = first;
    part->y += (int32_t)(first / 8);
    if (part->attr) {
        cut_rows(attr, part->attr, inputs, first);
        part->attr = attr;
    }
    if (part->output) {
        cut_rows(output, (const void *const *)part->output, outputs, first);
        part->output = (void *const *)output;
    }
    if (part->sysval) {
        cut_rows(sysval, part->sysval, (size_t)IR_SYSVALS * 4, first);
        part->sysval = sysval;
    }
    for (unsigned c = 0; c < 2; c++) {
        part->centroid[c] = part_of_row(part->centroid[c], first);
        part->sample[c] = part_of_row(part->sample[c], first);
    }
    cut_spaces(w, part, first);
}

weft_status warps_bind(struct warps *w, const struct exec_env *env)
{
    w->env = env;
    if (!w->part)
        return exec_bind(w->warp[0], env);
    for (unsigned k = 0; k < w->count; k++) {
        cut(w, k);
        weft_status status = exec_bind(w->warp[k], &w->part[k]);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* ---- running ---- */

static lane_mask lanes_of(const struct warps *w, unsigned k, lane_mask mask)
{
    return w->lanes == WARPS_LANES ? mask : mask >> (k * w->lanes) & (((lane_mask)1 << w->lanes) - 1);
}

bool warps_run(struct warps *w, lane_mask active, lane_mask live, uint64_t budget, struct failure *f)
{
    if (!w->part)
        return run_warp(w->warp[0], w->ir, active, live, budget, f);
    if (w->lane_bytes)
        memset(w->lane_memory, 0, w->lane_bytes);
    for (unsigned k = 0; k < w->count; k++) {
        lane_mask part = lanes_of(w, k, active);
        w->ran[k] = part != 0;
        if (!part)
            continue;
        cut(w, k);
        if (!run_warp(w->warp[k], w->ir, part, lanes_of(w, k, live), budget, f))
            return false;
    }
    return true;
}

lane_mask warps_live(const struct warps *w)
{
    if (w->count == 1)
        return exec_live(w->warp[0]);
    lane_mask live = 0;
    for (unsigned k = 0; k < w->count; k++)
        if (w->ran[k])
            live |= exec_live(w->warp[k]) << (k * w->lanes);
    return live;
}

struct exec_counts warps_counts(const struct warps *w)
{
    struct exec_counts sum = {0};
    for (unsigned k = 0; k < w->count; k++) {
        if (!w->warp[k])
            continue;
        const struct exec_counts *c = exec_warp_counts(w->warp[k]);
        sum.insns += c->insns;
        sum.lane_insns += c->lane_insns;
        sum.bad_access += c->bad_access;
        sum.discarded += c->discarded;
        exec_outside_merge(&sum.outside, &c->outside);
    }
    return sum;
}
