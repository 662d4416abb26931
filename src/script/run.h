/* run.h - what the parts of the job runner share.
 *
 *   run.c          the public interface, and commands in their order
 *   memory.c       buffers and images as memory: making, filling, copying
 *   run_program.c  shaders to compiled stages
 *   check.c        all of them, without running a command
 *   run_words.c    what shaders are written in, and SPIR-V of it
 *   run_slots.c    numbers of the device for what SPIR-V names by set and binding
 *   run_bind.c     what a pipeline binds: constants, storage, textures, samplers, images
 *   run_unbound.c  warnings about what programs read and nobody gives
 *   run_types.c    warnings about what a program of SPIR-V and the job take for different things
 *   run_draw.c     targets, vertices and state of a draw; clears
 *   run_compute.c  dispatches
 *   run_share.c    what several processes do of them
 *   expect.c       expectations
 *   trace.c        what chosen invocations do
 *   dump.c         buffers as files */
#ifndef WEFT_SCRIPT_RUN_H
#define WEFT_SCRIPT_RUN_H

#include "device/pipeline.h"
#include "device/pool.h"
#include "isa/isa.h"
#include "isa/spirv/resources.h"
#include "isa/spirv/tools.h"
#include "script/script.h"

#include <weft/job.h>

/* A buffer or an image while a job runs. */
struct job_memory {
    const struct script_buffer *buffer;
    const struct format *format; /* of its pixels; NULL: none that the device has */
    uint8_t *data;
    size_t size;
    uint32_t width, height, depth; /* pixels of level 0; plain buffers: elements, 1, 1 */
    bool is_texture;
    struct weft_texture texture; /* an image: over the data */
};

/* A shader as an attachment has it: of a stage, with an entry point and constants. */
struct job_program {
    const struct script_attachment *attachment;
    bool integer_targets; /* it draws to them */
    struct stage stage;
    struct spirv_inventory inventory; /* of SPIR-V */
    weft_status status;               /* how making it ended; what was wrong has been told */
    struct job_program *next;
};

struct job_shader {
    struct job_program *programs; /* those that were asked for, also where that failed */
    struct source source;         /* the program alone */
};

/* What programs name by set and binding, and the device by number. */
enum job_slot_kind { JOB_UNIFORM, JOB_STORAGE, JOB_TEXTURE, JOB_SAMPLER, JOB_IMAGE, JOB_SLOT_KINDS };
struct job_slot {
    enum job_slot_kind kind;
    uint32_t set, binding, count; /* count: numbers that follow each other */
    uint32_t number;
    struct span where;
    const char *name; /* of a variable that nothing is bound to; NULL: a pipeline binds it */
};

/* What changes of a pipeline while commands run. */
struct job_pipeline {
    float clear_color[4]; /* 0 to 255 */
    float clear_depth;
    uint32_t clear_stencil;
    bool looked_over; /* run_unbound.c */
};

struct weft_job {
    struct arena arena;
    struct source source;
    struct script *script;
    bool ran; /* or was checked */

    struct job_memory *memories;    /* by number of the buffer */
    struct job_shader *shaders;     /* by number of the shader */
    struct job_pipeline *pipelines; /* by number of the pipeline */
    uint64_t bytes;                 /* of all memories */
    struct job_slot *slots;         /* of pipelines with SPIR-V */
    size_t nslots, slots_cap;

    weft_expectation *expectations;
    size_t nexpectations, expectations_cap, looked_at, failures;
    weft_job_stats stats;

    /* While it runs. */
    struct pool *pool;
    enum exec_level level;
    uint64_t budget;
    double until; /* by failure_clock; 0: no limit */
    weft_diags *diags;
    weft_job_params params;
    struct trace *trace; /* NULL: none is wanted */
};

/* An error at a place of the script; returns WEFT_ERROR_INPUT. */
weft_status job_error(struct weft_job *j, struct span where, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for what weft does not do: WEFT_ERROR_UNSUPPORTED. */
weft_status job_unsupported(struct weft_job *j, struct span where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
weft_status job_no_memory(struct weft_job *j, struct span where);

/* ---- memory.c ---- */
weft_status job_memories_new(struct weft_job *j);
void job_memories_free(struct weft_job *j);
struct job_memory *job_memory_of(const struct weft_job *j, const struct script_buffer *b);
/* The folder that the script's files must be in; NULL without memory. */
const char *job_folder(struct weft_job *j);
/* A file's name as the script's folder makes it. It may not be elsewhere than below job_folder. */
weft_status job_path(struct weft_job *j, struct span where, const char *path, const char **out);
/* Bytes of what commands look at: all of a plain buffer, level 0 of an image. */
size_t job_memory_shown(const struct job_memory *m);
/* A pixel of level 0; rows go on through the slices. */
const uint8_t *job_memory_pixel(const struct job_memory *m, uint64_t x, uint64_t y);
struct surface job_memory_surface(const struct job_memory *m, uint32_t level);
weft_status job_write(struct weft_job *j, const struct script_command *c);
weft_status job_copy(struct weft_job *j, const struct script_command *c);

/* ---- run_program.c ---- */
/* The stage of a shader, compiled when it is first asked for. integer_targets: it draws to some. */
weft_status job_stage(struct weft_job *j, const struct script_attachment *a, bool integer_targets, struct stage *out);
/* A program of an attachment; NULL: it has not been asked for yet. */
const struct job_program *job_program_of(const struct weft_job *j, const struct script_attachment *a);
extern const char job_passthrough[]; /* what PASSTHROUGH is */
/* Pass on what the device said, with places in the script: about a program those in its text, else `where`. */
void job_relay(struct weft_job *j, const weft_diags *from, struct span where);

/* ---- check.c ---- */
/* Programs of all pipelines, and shaders of none. */
weft_status job_check_programs(struct weft_job *j);
/* How many programs were asked for. */
size_t job_count_programs(const struct weft_job *j);

/* ---- run_words.c ---- */
/* The text of a shader: in the script or in a file. */
weft_status job_source(struct weft_job *j, const struct script_shader *s, struct source *out);
weft_status job_decode_hex(struct weft_job *j, const struct script_shader *s, const struct source *src,
                           const struct isa_params *params, struct isa_module **module, weft_diags *diags);
/* The environment that assembly of SPIR-V is for. */
const char *job_environment(const struct weft_job *j, const struct script_shader *s);
/* The words of a shader of SPIR-V or of what is compiled to it, from shader->source. */
weft_status job_words(struct weft_job *j, const struct script_attachment *a, const struct job_shader *shader,
                      struct spirv_words *out, weft_diags *diags);

/* ---- run_slots.c ---- */
weft_status job_slots_new(struct weft_job *j);
/* Whether the programs of a pipeline name things by set and binding. */
bool job_has_slots(const struct script_pipeline *p);
/* The slot of a set and a binding; NULL: no pipeline binds that, and no program names it. */
const struct job_slot *job_slot_of(const struct weft_job *j, enum job_slot_kind kind, uint32_t set, uint32_t binding);
/* The slot that has a number of the device; NULL: none. */
const struct job_slot *job_slot_numbered(const struct weft_job *j, enum job_slot_kind kind, uint32_t number);
/* Slots for what a module of SPIR-V names and no pipeline binds: numbers where nothing is. */
weft_status job_slots_of_module(struct weft_job *j, const struct script_attachment *a, const struct isa_module *module,
                                struct spirv_inventory *inventory, weft_diags *diags);
/* The slots and constants of a program as lines of SPIR-V's linkage. */
weft_status job_spirv_linkage(struct weft_job *j, const struct script_attachment *a, struct source *out);

/* ---- run_bind.c ---- */
/* The resources of a pipeline for the programs in `stages`. What they point to lives in `arena`. */
weft_status job_bind(struct weft_job *j, const struct script_pipeline *p, const struct stage *const *stages,
                     unsigned nstages, struct arena *arena, struct resources *out);

/* What the script calls the buffer that an access went outside of; NULL where it has no name. */
const char *job_buffer_of(const struct weft_job *j, const struct outside *o, const struct resources *r);

/* ---- run_unbound.c ---- */
/* Once for each pipeline: warn of constants, vertex inputs and fragment inputs that nothing fills. */
void job_look_over_draw(struct weft_job *j, const struct script_pipeline *p, const struct pipeline *d);
void job_look_over_dispatch(struct weft_job *j, const struct script_pipeline *p, const struct stage *program,
                            const struct resources *r);

/* ---- run_types.c ---- */
void job_look_at_types(struct weft_job *j, const struct script_pipeline *p);

/* ---- run_draw.c ---- */
weft_status job_clear(struct weft_job *j, const struct script_command *c);
weft_status job_draw(struct weft_job *j, const struct script_command *c);

/* ---- run_compute.c ---- */
weft_status job_dispatch(struct weft_job *j, const struct script_command *c);

/* ---- run_share.c ---- */
enum { JOB_SHARE_COUNTS = 2 }; /* summed over the processes: invocations or fragments, and their instructions */

/* A draw or a dispatch that can be divided. */
struct job_work {
    const struct script_pipeline *pipeline;
    uint64_t pieces, invocations;
    /* Do a part, and count. Anything but WEFT_OK, or a message: the whole has to be done. */
    weft_status (*part)(struct weft_job *j, void *context, struct share part, uint64_t counts[JOB_SHARE_COUNTS],
                        weft_diags *diags);
    void *context;
};

enum job_shared {
    JOB_SHARED,       /* all processes have done it: it is in memory, and in the counts */
    JOB_SHARE_NOT,    /* memory is as before: do the whole */
    JOB_SHARE_LOST    /* this process cannot have what the others have: there is no memory */
};

/* Do it with other processes, if there are any and it is worth it. */
enum job_shared job_share(struct weft_job *j, const struct job_work *work, uint64_t counts[JOB_SHARE_COUNTS]);

/* ---- trace.c ---- */
struct trace *job_trace_new(struct weft_job *j);
void job_trace_free(struct trace *t);
/* Put PROBEs into the program of a shader, before it is optimised. */
void job_trace_instrument(struct trace *t, struct ir_program *p, const struct script_shader *s);
/* The framebuffer of the draw, or the groups of the dispatch, that follows. */
void job_trace_target(struct trace *t, uint32_t height, const uint32_t groups[3]);
void job_trace_probe(void *context, struct exec_warp *w, const struct ir_op *op, const void *const *args);
/* False: there was no memory for all of it, and nothing is kept. */
bool job_trace_end(struct trace *t);
void job_trace_report(const struct trace *t, weft_diags *diags);

/* ---- expect.c ---- */
weft_status job_expect(struct weft_job *j, const struct script_command *c);

#endif
