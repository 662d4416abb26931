/* Dispatches of any size and state: images, buffers, shared memory, barriers, atomics, textures. With three threads and
 * another level of the CPU they do the same to every byte as with one thread, and end with the same status. */
#include "bindings.h"
#include "choice.h"
#include "outside.h"
#include "shaders.h"

#include "device/compute.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 1 << 12, MOST_INPUT = 4096 };

/* TEMP[0] becomes the invocation's place in the grid, TEMP[1] four times that. */
#define HEAD                                                                                                           \
    "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], BLOCK_SIZE\nDCL SV[3], GRID_SIZE\nDCL TEMP[0..5]\n"   \
    "DCL ADDR[0]\nDCL BUFFER[0]\nDCL BUFFER[1]\nIMM[0] UINT32 {0, 1, 4, 255}\nIMM[1] FLT32 {0.5, 0.0, 1.0, -0.5}\n"
#define PLACE "UMAD TEMP[0], SV[1], SV[2], SV[0]\nUMUL TEMP[1], TEMP[0], IMM[0].zzzz\n"

/* What order cannot show: either the program needs the device to keep order, or all stores to a place are of one value.
 */
static const char *const texts[] = {
    HEAD PLACE "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx\nEND\n",
    HEAD PLACE "LOAD TEMP[2].x, BUFFER[0], TEMP[1].yyyy\nSTORE BUFFER[0].xy, TEMP[1].xxxx, TEMP[2].xxxx\nEND\n",
    HEAD "DCL MEMORY[0], SHARED\n" PLACE
         "AND TEMP[2].x, TEMP[1].xxxx, IMM[0].wwww\nSTORE MEMORY[0].x, TEMP[2].xxxx, TEMP[0].zzzz\nBARRIER\n"
         "LOAD TEMP[3].x, MEMORY[0], TEMP[1].yyyy\nBARRIER\n"
         "ATOMUADD TEMP[4].x, MEMORY[0], IMM[0].xxxx, TEMP[3].xxxx\nBARRIER\n"
         "LOAD TEMP[4].x, MEMORY[0], IMM[0].xxxx\nATOMUADD TEMP[5].x, BUFFER[0], TEMP[1].xxxx, TEMP[4].xxxx\nEND\n",
    HEAD PLACE "ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].zzzz, TEMP[0].xxxx\n"
               "ATOMUMAX TEMP[2].x, BUFFER[1], IMM[0].xxxx, TEMP[0].yyyy\nEND\n",
    HEAD PLACE "ATOMCAS TEMP[2].x, BUFFER[0], TEMP[1].yyyy, TEMP[0].xxxx, TEMP[0].yyyy\n"
               "STORE BUFFER[1].x, TEMP[1].xxxx, TEMP[2].xxxx\nEND\n",
    HEAD "DCL IMAGE[0], 2D, PIPE_FORMAT_NONE, WR\nDCL IMAGE[1], 2D_ARRAY, PIPE_FORMAT_NONE, WR\n" PLACE
         "LOAD TEMP[2], IMAGE[1], TEMP[0], 2D_ARRAY, PIPE_FORMAT_NONE\n"
         "STORE IMAGE[0], TEMP[0].yxzw, TEMP[2], 2D, PIPE_FORMAT_NONE\n"
         "RESQ TEMP[3], IMAGE[0]\nSTORE BUFFER[0].xyzw, IMM[0].xxxx, TEMP[3]\nEND\n",
    HEAD "DCL IMAGE[0], 3D, PIPE_FORMAT_NONE, WR\nDCL IMAGE[1], CUBE, PIPE_FORMAT_R32_UINT, WR\n" PLACE
         "U2F TEMP[2], TEMP[0]\nSTORE IMAGE[0], TEMP[0], TEMP[2], 3D, PIPE_FORMAT_NONE\n"
         "ATOMXOR TEMP[3].x, IMAGE[1], TEMP[0], TEMP[0].zzzz, CUBE, PIPE_FORMAT_R32_UINT\nEND\n",
    HEAD "DCL IMAGE[0], 1D, PIPE_FORMAT_R16G16B16A16_FLOAT, WR\n" PLACE
         "LOAD TEMP[2], IMAGE[0], TEMP[0], 1D, PIPE_FORMAT_R16G16B16A16_FLOAT\nADD TEMP[2], TEMP[2], IMM[1]\n"
         "STORE IMAGE[0], TEMP[0], TEMP[2], 1D, PIPE_FORMAT_R16G16B16A16_FLOAT\nEND\n",
    HEAD "DCL IMAGE[0], 2D_MSAA, PIPE_FORMAT_NONE, WR\n" PLACE
         "LOAD TEMP[2], IMAGE[0], TEMP[0].xxyy, 2D_MSAA, PIPE_FORMAT_NONE\n"
         "STORE IMAGE[0], TEMP[0], TEMP[2].wzyx, 2D_MSAA, PIPE_FORMAT_NONE\nEND\n",
    /* a barrier that some may never reach, a loop that some may never leave */
    HEAD PLACE "USLT TEMP[2].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[2].xxxx\nBARRIER\nENDIF\n"
               "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx\nEND\n",
    HEAD
    "DCL CONST[0][0..15]\n" PLACE
    "MOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[3].x, TEMP[2].xxxx, TEMP[0].xxxx\nUIF TEMP[3].xxxx\nBRK\nENDIF\n"
    "UARL ADDR[0].x, TEMP[2].xxxx\nADD TEMP[4], TEMP[4], CONST[0][ADDR[0].x]\n"
    "UADD TEMP[2].x, TEMP[2].xxxx, CONST[0][1].xxxx\nENDLOOP\nSTORE BUFFER[1].x, TEMP[1].xxxx, TEMP[4]\nEND\n",
    HEAD "DCL MEMORY[0], PRIVATE\n" PLACE
         "STORE MEMORY[0].xy, TEMP[1].xxxx, TEMP[0]\nLOAD TEMP[2].xy, MEMORY[0], TEMP[1].yyyy\n"
         "ATOMUADD TEMP[3].x, BUFFER[0], TEMP[1].xxxx, TEMP[2].xxxx\nEND\n",
    HEAD "DCL SV[4], SUBGROUP_INVOCATION\n" PLACE
         "READ_FIRST TEMP[2], TEMP[0]\nREAD_INVOC TEMP[3], TEMP[0], SV[4].xxxx\nVOTE_ANY TEMP[4].x, TEMP[0].xxxx\n"
         "BALLOT TEMP[5].xy, TEMP[0].xxxx\nUADD TEMP[2], TEMP[2], TEMP[3]\nUADD TEMP[2].xy, TEMP[4].xxxx, TEMP[5]\n"
         "ATOMXOR TEMP[3].x, BUFFER[0], TEMP[1].xxxx, TEMP[2].xxxx\n"
         "ATOMXOR TEMP[3].x, BUFFER[1], TEMP[1].yyyy, TEMP[2].yyyy\nEND\n",
    ("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 33\nPROPERTY CS_FIXED_BLOCK_HEIGHT 3\nDCL BUFFER[0]\nDCL SV[0], THREAD_ID\n"
     "STORE BUFFER[0].x, SV[0].xxxx, SV[0].xxxx\nEND\n"),
};

static const char lookup_head[] = HEAD PLACE "U2F TEMP[0], TEMP[0]\nMUL TEMP[0], TEMP[0], IMM[1].xxxx\n";
static const char lookup_tail[] = "ATOMXOR TEMP[3].x, BUFFER[0], TEMP[1].xxxx, TEMP[2].xxxx\n"
                                  "ATOMXOR TEMP[3].x, BUFFER[1], TEMP[1].xxxx, TEMP[2].wwww\nEND\n";

enum { TEXTS = sizeof texts / sizeof *texts };

static const struct shader *take_program(struct choices *c)
{
    static struct shader plain[TEXTS], lookup[SHADER_VARIANTS];
    uint32_t i = take(c, TEXTS + 6);
    return i < TEXTS ? shader_of(&plain[i], texts[i]) : lookup_shader(c, lookup, lookup_head, lookup_tail);
}

static weft_status run(struct dispatch *d, const struct shader *program, const struct bindings *b, unsigned set,
                       enum exec_level level, struct pool *pool, struct dispatch_stats *stats)
{
    weft_diags *diags = weft_diags_new();
    d->program = program->stage[level];
    bindings_use(b, set, level, &d->resources);
    *stats = (struct dispatch_stats){0};
    weft_status status = compute_dispatch(d, pool, stats, diags);
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    weft_diags_free(diags);
    return status;
}

static void take_sizes(struct choices *c, struct dispatch *d)
{
    for (unsigned i = 0; i < 3; i++) {
        d->groups[i] = take(c, i ? 3 : 9);
        d->block[i] = seldom(c, 4) ? take(c, 40) : take(c, i ? 3 : 9);
    }
    if (seldom(c, 32)) /* refused */
        d->groups[take(c, 3)] = UINT32_MAX - take(c, 2);
    if (seldom(c, 32))
        d->block[take(c, 3)] = UINT32_MAX - take(c, 2);
    d->work_dim = take(c, 4);
    d->budget = BUDGET;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_INPUT)
        return 0;
    struct choices c = {data, size, 0};
    struct bindings *b = claim(sizeof *b);
    struct dispatch d = {0};
    const struct shader *program = take_program(&c);
    take_sizes(&c, &d);
    bindings_init(&c, b);
    bind_program(&c, b, program->stage[EXEC_BASELINE].ir);
    struct dispatch_stats stats[2];
    weft_status first = run(&d, program, b, 0, exec_best_level(), pool_of(1), &stats[0]);
    weft_status second = run(&d, program, b, 1, EXEC_BASELINE, pool_of(MOST_THREADS), &stats[1]);
    must(first == second);
    must(first == WEFT_OK || first == WEFT_ERROR_USAGE || first == WEFT_ERROR_INPUT || first == WEFT_ERROR_BUDGET);
    if (first == WEFT_OK) {
        must(stats[0].groups == stats[1].groups && stats[0].invocations == stats[1].invocations);
        must(stats[0].instructions == stats[1].instructions && stats[0].bad_accesses == stats[1].bad_accesses);
        must(same_outside(&stats[0].outside, &stats[1].outside));
        bindings_must_agree(b);
    }
    bindings_free(b);
    free(b);
    return 0;
}
