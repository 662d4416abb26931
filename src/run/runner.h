/* runner.h - what the parts of a runner share.
 *
 *   runner.c      its life, and its programs
 *   bind.c        what is bound: buffers, constants, textures, samplers, attributes
 *   image.c       images in the caller's memory: what they need, as textures and as targets
 *   check.c       what programs name and nobody binds
 *   dispatch.c    dispatches
 *   draw.c        draws
 *   instrument.c  probes in the IR, where somebody looks
 *   step.c        probes to hooks, and what hooks may ask */
#ifndef WEFT_RUN_RUNNER_H
#define WEFT_RUN_RUNNER_H

#include "device/image_access.h"
#include "device/pipeline.h"
#include "device/pool.h"
#include "isa/program.h"

#include <weft/run.h>

enum { RUNNER_PROGRAMS = 2 };

struct runner_program {
    const weft_program *program;
    struct stage stage;
    /* Where hooks are: files of the IR by which an access is refused for a lane or for all, and a run is stopped. */
    unsigned refused, refused_all, stopped;
    /* By instruction of the IR: its text, where a hook has asked for it. */
    const char **line;
};

/* What one PROBE is before; its imm is the number of it. */
struct runner_point {
    struct runner_program *program;
    uint32_t insn;
    uint32_t mem; /* an access: in ir_program.mems; RUNNER_NO_ACCESS: an instruction */
    uint8_t keys; /* arguments that tell invocations apart; the address of an access follows */
    bool uniform; /* one access for all lanes */
    bool wide;    /* the address has 64 bits */
    bool reads, writes;
};
#define RUNNER_NO_ACCESS UINT32_MAX

struct weft_runner {
    struct arena arena;
    bool no_text; /* a hook asked for the text of an instruction, and there was no memory for it */
    weft_runner_options options;
    enum exec_level level;
    struct pool *pool;
    struct runner_program program[RUNNER_PROGRAMS]; /* vertex before fragment */
    size_t nprograms;
    bool compute;
    bool looked_over; /* what is not bound has been warned of */

    struct resources bound; /* without a map of addresses */
    struct weft_texture texture[RESOURCE_TEXTURES];
    struct weft_texture image_texture[RESOURCE_IMAGES], storage_texture[RESOURCE_STORAGE];
    struct image_view image[RESOURCE_IMAGES], storage[RESOURCE_STORAGE];
    weft_sampler sampler[RESOURCE_TEXTURES];
    struct attribute attribute[PIPELINE_ATTRIBUTES];
    struct surface color[PIPELINE_COLORS], depth;

    struct runner_point *points;
    size_t npoints, points_cap;
    uint32_t groups[3], width, height; /* of the run: for the numbers of invocations */

    weft_run_stats stats;
};

static inline bool runner_hooked(const weft_runner *r)
{
    return r->options.instruction || r->options.access;
}

/* An error of the caller's. */
weft_status runner_usage(weft_diags *diags, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* There is no format of that name. */
weft_status runner_no_format(weft_diags *diags, const char *name);
weft_status runner_no_memory(weft_diags *diags);
/* How a run ended, or that the texts which its hooks asked for were not what they are. */
weft_status runner_ended(weft_runner *r, weft_status status, weft_diags *diags);

/* ---- image.c ---- */
/* The texture that an image is; false, having said so, when it is not one. Without `in_memory` its memory is not looked
 * at. */
bool runner_texture(const weft_image *image, bool in_memory, struct weft_texture *out, weft_diags *diags);
/* Level 0 of a 2D texture as a target. */
struct surface runner_surface(const struct weft_texture *t);

/* ---- check.c ---- */
weft_status runner_check(weft_runner *r, weft_diags *diags);

/* ---- a run ---- */
/* Everything bound, for one run; it must not move afterwards. */
void runner_resources(weft_runner *r, struct resources *out);
double runner_seconds(void);

/* ---- instrument.c ---- */
weft_status runner_instrument(weft_runner *r, struct runner_program *p, struct ir_program *ir, weft_diags *diags);

/* ---- step.c ---- */
void runner_probe(void *runner, struct exec_warp *w, const struct ir_op *op, const void *const *args);

#endif
