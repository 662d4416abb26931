/* weft/run.h - run a program on memory of the caller's own, again and again.
 *
 * A weft_runner is a compute program, or a vertex and a fragment program, made ready to run. Buffers, constants,
 * textures, images, vertices and targets are bound to it by number: the caller's own memory, which is used in place.
 * Then it dispatches a grid of workgroups, or draws; bindings stay until others take their place.
 *
 *     weft_program_options options;
 *     weft_program_options_init(&options);
 *     options.stage = WEFT_COMPUTE;
 *     weft_program *program;
 *     weft_runner *runner = NULL;
 *     if (weft_program_from_text("tgsi", "a.tgsi", text, size, &options, diags, &program) == WEFT_OK &&
 *         weft_runner_new((const weft_program *[]){program}, 1, NULL, diags, &runner) == WEFT_OK &&
 *         weft_runner_bind_buffer(runner, 0, numbers, sizeof numbers, diags) == WEFT_OK)
 *         weft_runner_dispatch(runner, 16, 1, 1, diags);
 *     weft_runner_free(runner);
 *     weft_program_free(program);
 *
 * How a program names what is bound is said by its instruction set: docs/manual/NAME.md, and docs/compute.md for the
 * order in which invocations run. A number is that of the documents' BINDING: constant buffers are DESCRIPTOR_SET 0
 * (push constants are number 15), textures and samplers 1, buffers 2, images 3.
 *
 * Results are the same bits for any number of threads, engine and CPU level. A runner belongs to one thread at a time.
 * What is bound must stay until it is replaced or the runner is freed; while a dispatch or draw runs, it is the
 * runner's. Accesses outside what is bound read 0 and store nothing, are counted, and are a warning among the
 * diagnostics; a program of vpu stops there.
 */
#ifndef WEFT_RUN_H
#define WEFT_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/draw.h>
#include <weft/isa.h>
#include <weft/program.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_runner weft_runner;

/* What a hook is given: a warp before one of its instructions. It is valid until the hook returns. */
typedef struct weft_step weft_step;

/* ---- hooks ---- */

typedef enum weft_answer {
    WEFT_GO_ON,
    WEFT_REFUSE, /* an access: it does not happen. Reads and atomics give 0 there; nothing is counted */
    WEFT_STOP    /* the run ends here with WEFT_ERROR_STOPPED; what ran before stays done */
} weft_answer;

/* Which memory an access is of. */
typedef enum weft_space {
    WEFT_SPACE_CONSTANTS, /* constant buffer `number` */
    WEFT_SPACE_BUFFER,    /* buffer `number` */
    WEFT_SPACE_SHARED,    /* of the workgroup */
    WEFT_SPACE_PRIVATE,   /* of the invocation */
    WEFT_SPACE_INPUT,     /* of the invocation: what it begins with */
    WEFT_SPACE_FLAT       /* addresses that lead to all that is bound (valhall, rogue, vpu) */
} weft_space;

/* An access that is about to happen. The library makes it, and later versions add members at its end. */
typedef struct weft_access {
    weft_space space;
    uint32_t number;
    uint64_t address; /* in bytes, from the start of the space */
    uint32_t size;    /* in bytes */
    int reads, writes; /* an atomic does both */
    unsigned lane; /* which asks; of a processor that has one for all lanes (vpu's scalar one), the lowest that runs */
} weft_access;

/* Before each instruction that a warp comes to, with the lanes that run it: WEFT_GO_ON or WEFT_STOP. Instructions that
 * do nothing (NOP) may be left out. A Rogue group is one instruction. */
typedef weft_answer weft_instruction_hook(void *context, weft_step *step);

/* Before each load, store and atomic, lane by lane in ascending order. Textures and images are not among them, nor are
 * constants that a program reads before its first instruction. */
typedef weft_answer weft_access_hook(void *context, weft_step *step, const weft_access *access);

/* ---- runners ---- */

enum {
    WEFT_RUN_BUFFERS = 64,
    WEFT_RUN_CONSTANTS = 32,
    WEFT_RUN_TEXTURES = WEFT_MAX_TEXTURES,
    WEFT_RUN_IMAGES = 32,
    WEFT_RUN_ATTRIBUTES = 32,
    WEFT_RUN_TARGETS = 8,
    WEFT_RUN_MAX_GROUPS = 65535,    /* workgroups, each way */
    WEFT_RUN_MAX_INVOCATIONS = 1024 /* of a workgroup */
};

typedef struct weft_runner_options {
    size_t size;      /* weft/api.h */
    uint32_t threads; /* 0: as many as there are processors. With a hook there is one: the caller's */
    uint64_t budget;  /* instructions that one warp may run in a dispatch or a draw; 0: no limit */
    weft_cpu_level cpu_level;
    weft_engine engine;
    uint32_t block[3]; /* invocations of a workgroup of a program that does not say; 0: 1 */
    /* NULL: nobody looks, and nothing is slower for it. */
    weft_instruction_hook *instruction;
    weft_access_hook *access;
    void *context; /* of both */
    double seconds; /* that one dispatch or draw may take, by the clock; 0: no limit. Beyond: WEFT_ERROR_TIME */
} weft_runner_options;

/* All processors, budget WEFT_DEFAULT_BUDGET, the best level, no hooks. The first takes the size that the caller's
 * struct has, in bytes, and is there for other languages. */
WEFT_API void weft_runner_options_init_sized(weft_runner_options *options, size_t size);
static inline void weft_runner_options_init(weft_runner_options *options)
{
    weft_runner_options_init_sized(options, sizeof *options);
}

/* Make a runner of one compute program, or of a vertex and a fragment program in any order; options NULL means the
 * defaults. The programs must stay until the runner is freed. *out is NULL unless WEFT_OK is returned.
 * WEFT_ERROR_USAGE: other programs, a program whose stage nobody says (weft_program_options.stage), options that make
 * no sense. WEFT_ERROR_INPUT: a program breaks a rule. WEFT_ERROR_UNSUPPORTED: the diagnostic names what weft does not
 * do. WEFT_ERROR_MEMORY. */
WEFT_API weft_status weft_runner_new(const weft_program *const *programs, size_t count,
                                     const weft_runner_options *options, weft_diags *diags, weft_runner **out);
WEFT_API void weft_runner_free(weft_runner *runner); /* NULL is fine */

/* ---- what is bound ----
 *
 * WEFT_ERROR_USAGE of all of these: a number beyond the limits above, memory that is not aligned as it is said; nothing
 * is bound then that was not before. memory NULL, or a NULL texture, image or sampler, takes a binding away. */

/* Buffer `number`: `size` bytes, aligned to 4, which the program reads and writes. A program of flat addresses sees at
 * most 4 GiB of it. */
WEFT_API weft_status weft_runner_bind_buffer(weft_runner *runner, uint32_t number, void *memory, size_t size,
                                             weft_diags *diags);

/* Constant buffer `number`: `size` bytes, aligned to 4, which the program reads; they may change between runs. */
WEFT_API weft_status weft_runner_bind_constants(weft_runner *runner, uint32_t number, const void *memory, size_t size,
                                                weft_diags *diags);

/* Texture `number`, made by weft_texture_new. */
WEFT_API weft_status weft_runner_bind_texture(weft_runner *runner, uint32_t number, const weft_texture *texture,
                                              weft_diags *diags);

/* Sampler `number`, of which a copy is kept; without one it is as weft_sampler_init makes it. */
WEFT_API weft_status weft_runner_bind_sampler(weft_runner *runner, uint32_t number, const weft_sampler *sampler,
                                              weft_diags *diags);

typedef enum weft_image_kind {
    WEFT_IMAGE_1D,
    WEFT_IMAGE_2D,
    WEFT_IMAGE_3D,
    WEFT_IMAGE_CUBE,
    WEFT_IMAGE_RECT,
    WEFT_IMAGE_BUFFER /* texels of a buffer, at most 2^29 - 1 of them */
} weft_image_kind;

/* Texels in the caller's memory: level by level, each half of the one before, rounded down; in a level slice by slice
 * (of a 3D image, layers, the faces +x -x +y -y +z -z of each cube), sample by sample, row by row. Sizes are in texels,
 * at most WEFT_MAX_PICTURE_SIZE; those that the kind has no use for are not looked at. */
typedef struct weft_image {
    size_t size; /* weft/api.h */
    weft_image_kind kind;
    int array;           /* not 0: layers, or cubes, by number */
    const char *format;  /* as Vulkan spells it: "R8G8B8A8_UNORM", "R32_UINT", "D32_SFLOAT" */
    uint32_t width, height, depth;
    uint32_t layers;     /* of an array: how many; of cubes: how many cubes */
    uint32_t levels;     /* 0 counts as 1 */
    uint32_t samples;    /* 0 counts as 1; else a power of 2 up to 64; of a target of draws up to 8 */
    void *memory;        /* aligned to 16 */
    size_t bytes;        /* of memory: at least weft_image_bytes */
    size_t pitch; /* from a row to the next, a multiple of a texel's bytes; 0: rows follow each other. Of one level */
} weft_image;

/* The bytes that an image needs, whose memory and bytes are not looked at; 0: there is no such image, and the
 * diagnostics say why. */
WEFT_API size_t weft_image_bytes(const weft_image *image, weft_diags *diags);

/* An image in the caller's memory as texture `number`, to be looked up; or as image `number`, which the program reads
 * and writes texel by texel, level 0 of it; or in the place of buffer `number` for programs that see texels there
 * (RES[n] of tgsi). The struct is not kept, its memory is. WEFT_ERROR_USAGE: weft_image_bytes is 0, or memory is too
 * small. */
WEFT_API weft_status weft_runner_bind_texture_image(weft_runner *runner, uint32_t number, const weft_image *image,
                                                    weft_diags *diags);
WEFT_API weft_status weft_runner_bind_image(weft_runner *runner, uint32_t number, const weft_image *image,
                                            weft_diags *diags);
WEFT_API weft_status weft_runner_bind_buffer_image(weft_runner *runner, uint32_t number, const weft_image *image,
                                                   weft_diags *diags);

/* ---- compute ---- */

/* Run a grid of x * y * z workgroups; none, when one of them is 0. WEFT_ERROR_USAGE: the runner has no compute program,
 * or the grid is too large; WEFT_ERROR_INPUT: the program faults, reads a texture that is not bound or of another kind,
 * or waits at a barrier that others never reach; WEFT_ERROR_BUDGET; WEFT_ERROR_STOPPED: a hook said so;
 * WEFT_ERROR_UNSUPPORTED; WEFT_ERROR_MEMORY. After an error what was written stays written. */
WEFT_API weft_status weft_runner_dispatch(weft_runner *runner, uint32_t x, uint32_t y, uint32_t z, weft_diags *diags);

/* ---- drawing ----
 *
 * As Vulkan and AmberScript have it: normalised device y = -1 is row 0 of a target, which is the first in its memory;
 * clip space is 0 <= z <= w; flat inputs come from the first vertex of a primitive. */

/* Input `number` of the vertex program: element i is at memory + i * stride, in a format as Vulkan spells it
 * ("R32G32_SFLOAT"), and i is the number of the vertex; or with divisor n that of the instance / n, from base_instance
 * on. Reads past `size` give zeros, and an input that is not bound is (0, 0, 0, 1). */
WEFT_API weft_status weft_runner_bind_attribute(weft_runner *runner, uint32_t number, const char *format,
                                                const void *memory, size_t size, size_t stride, uint32_t divisor,
                                                weft_diags *diags);

/* Colour target `number`, and the depth and stencil target: level 0 of a 2D image, with layers if it is an array. All
 * targets have one size and one number of samples. */
WEFT_API weft_status weft_runner_bind_target(weft_runner *runner, uint32_t number, const weft_image *image,
                                             weft_diags *diags);
WEFT_API weft_status weft_runner_bind_depth(weft_runner *runner, const weft_image *image, weft_diags *diags);

typedef enum weft_topology {
    WEFT_POINT_LIST,
    WEFT_LINE_LIST,
    WEFT_LINE_STRIP,
    WEFT_TRIANGLE_LIST,
    WEFT_TRIANGLE_STRIP,
    WEFT_TRIANGLE_FAN
} weft_topology;

typedef enum weft_cull { WEFT_CULL_NONE, WEFT_CULL_FRONT, WEFT_CULL_BACK, WEFT_CULL_BOTH } weft_cull;

/* A draw: its vertices and its state. */
typedef struct weft_draw_call {
    size_t size; /* weft/api.h */
    weft_topology topology;
    uint32_t first_vertex, vertex_count; /* without indices */
    const uint32_t *indices;             /* NULL: vertices in order */
    uint32_t index_count;
    int32_t base_vertex;                 /* added to each index */
    uint32_t instances, base_instance;
    float viewport[4];                   /* x, y, width, height in pixels; width 0: the whole target */
    float depth_range[2];                /* depth of z = 0 and of z = w */
    int32_t scissor[4];                  /* x, y, width, height; width 0: the whole target */
    int depth_test, depth_write;
    weft_compare depth_compare;          /* new depth op old depth */
    weft_cull cull;
    int front_clockwise; /* 0: triangles that go round counter-clockwise, seen with row 0 on top, are front */
    int clear;                           /* not 0: clear all targets first */
    float clear_color[4], clear_depth;
} weft_draw_call;

/* A list of triangles, one instance, depth range 0 to 1, no test, nothing culled, nothing cleared, clear_depth 1. */
WEFT_API void weft_draw_call_init_sized(weft_draw_call *call, size_t size);
static inline void weft_draw_call_init(weft_draw_call *call)
{
    weft_draw_call_init_sized(call, sizeof *call);
}

/* Draw. WEFT_ERROR_USAGE: the runner has a compute program, no target is bound, the targets do not fit each other, or a
 * member makes no sense; otherwise as weft_runner_dispatch. No vertices or no instances: nothing but the clearing
 * is done. */
WEFT_API weft_status weft_runner_draw(weft_runner *runner, const weft_draw_call *call, weft_diags *diags);

/* ---- what was done ---- */

/* Since the runner was made. Of a run that ended with an error the straight piece of code where it did is not among the
 * instructions. */
typedef struct weft_run_stats {
    size_t size; /* weft/api.h: to be set before the call */
    uint64_t runs;                             /* dispatches and draws */
    uint64_t invocations, vertices, fragments; /* of compute programs; shaded */
    uint64_t instructions;                     /* guest instructions, counted for each lane that ran them */
    uint64_t bad_accesses;                     /* of registers or memory, outside their range */
    double seconds, cpu_seconds;               /* elapsed, and of all threads */
} weft_run_stats;

/* WEFT_ERROR_USAGE: stats->size is a size that the struct never had. */
WEFT_API weft_status weft_runner_get_stats(const weft_runner *runner, weft_run_stats *stats);

/* Who runs its programs now. */
WEFT_API void weft_runner_get_engine(const weft_runner *runner, weft_engine_stats *stats);

/* ---- in a hook ---- */

/* The program, its stage, and the address of the instruction; for tgsi, which has none, the instruction's number. */
WEFT_API const weft_program *weft_step_program(const weft_step *step);
WEFT_API weft_stage weft_step_stage(const weft_step *step);
WEFT_API uint64_t weft_step_address(const weft_step *step);

/* The line of the program's text where the instruction is, from 1; 0: the program was made from bytes. */
WEFT_API uint32_t weft_step_line(const weft_step *step);

/* The instruction as text: its line in the text that the program was made from, or in the listing of one that was made
 * from bytes. Never NULL, "" where there is no such line (code that is not in the listing), and where there is no
 * memory for it: the run then ends with WEFT_ERROR_MEMORY. It lives as long as the runner. */
WEFT_API const char *weft_step_text(weft_step *step);

/* Bit i: lane i runs the instruction (makes the access, where the instruction has a condition of its own). Lanes of
 * fragments that are not covered, which run for the derivatives of others, are among them. */
WEFT_API uint64_t weft_step_lanes(const weft_step *step);

/* Which invocation a lane is. */
typedef struct weft_invocation {
    size_t size; /* weft/api.h: to be set before the call */
    uint64_t number;    /* compute: counted workgroup by workgroup; vertex: the vertex; fragment: y * width + x */
    uint32_t group[3];  /* compute: the workgroup */
    uint32_t local[3];  /* compute: the place in it */
    uint32_t instance;  /* vertex */
    uint32_t x, y;      /* fragment: the pixel, row 0 being the first of the target's memory */
} weft_invocation;

/* WEFT_ERROR_USAGE: no such lane among weft_step_lanes, or a wrong size. */
WEFT_API weft_status weft_step_invocation(const weft_step *step, unsigned lane, weft_invocation *out);

/* The registers of a program, by files: "r" of tesla, valhall and vpu, "TEMP", "IN", "OUT", "ADDR" of tgsi. Some are
 * weft's own, for what the machine keeps elsewhere. */
typedef struct weft_register_file {
    size_t size; /* weft/api.h: to be set before the call */
    const char *name; /* lives as long as the runner */
    uint32_t bits;    /* of a register: 1, 8, 16, 32 or 64 */
    uint32_t count;   /* registers are 0 to count - 1 */
    int per_warp;     /* not 0: one for all lanes */
    int vectors;      /* not 0: component c of register n has the number 4 * n + c */
} weft_register_file;

/* File `index` of the step's program. Returns 1; 0 past the end, or when the struct never had out->size. */
WEFT_API int weft_step_register_file(const weft_step *step, size_t index, weft_register_file *out);

/* A register of a lane, its bits zero-extended; what the hook writes is what the instruction reads. A register that
 * per_warp is said of is the same for every lane. WEFT_ERROR_USAGE: no such file, register or lane; writing in a
 * weft_access_hook, where the instruction has begun. */
WEFT_API weft_status weft_step_read(const weft_step *step, const char *file, uint32_t number, unsigned lane,
                                    uint64_t *value);
WEFT_API weft_status weft_step_write(weft_step *step, const char *file, uint32_t number, unsigned lane, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
