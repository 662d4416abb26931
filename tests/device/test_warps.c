/* test_warps.c - warps of 16 and 32 lanes give what one of 64 gives: the same programs in each size, bit for bit. */
#include "device/compute.h"
#include "device/warps.h"
#include "ir/pass.h"
#include "isa/isa.h"
#include "test.h"

enum { WIDTH = 43, HEIGHT = 29, VERTICES = 150, INVOCATIONS = 200 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\nDCL IN[1]\nDCL SV[0], VERTEXID\n"
                                  "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n"
                                  "MOV OUT[0], IN[0]\nU2F TEMP[0].x, SV[0].xxxx\n"
                                  "MAD OUT[1], IN[1], TEMP[0].xxxx, IN[0]\nEND\n";

/* Derivatives, divergence, discards, the window position and a target's contents. */
static const char fragment_text[] = "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\n"
                                    "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], POSITION, LINEAR\n"
                                    "DCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
                                    "IMM[0] FLT32 { 0.0, 0.5, 11.0, 3.0 }\n"
                                    "DDX TEMP[0], IN[0]\nDDY TEMP[1], IN[0]\n"
                                    "ADD TEMP[0], TEMP[0], TEMP[1]\n"
                                    "MUL TEMP[2].x, IN[1].xxxx, IMM[0].yyyy\nFRC TEMP[2].x, TEMP[2].xxxx\n"
                                    "SUB TEMP[2].y, IN[1].yyyy, IMM[0].zzzz\n"
                                    "FSLT TEMP[3].x, TEMP[2].yyyy, IMM[0].xxxx\n"
                                    "UIF TEMP[3].xxxx\n  MUL TEMP[0], TEMP[0], IMM[0].wwww\n"
                                    "ELSE\n  ADD TEMP[2].z, IN[0].xxxx, IMM[0].xxxx\n  KILL_IF TEMP[2].zzzz\nENDIF\n"
                                    "FBFETCH TEMP[1], OUT[0]\n"
                                    "ADD TEMP[0], TEMP[0], TEMP[1]\nADD TEMP[0], TEMP[0], IN[1]\n"
                                    "MOV OUT[0], TEMP[0]\nEND\n";

/* Sums in shared memory with barriers between: what an invocation adds depends on all of them. */
static const char compute_text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 200\n"
                                   "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                                   "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n"
                                   "DCL TEMP[0..2]\nIMM[0] UINT32 { 0, 4, 200, 7 }\n"
                                   "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                                   "UMAD TEMP[0].y, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n"
                                   "UMUL TEMP[0].z, TEMP[0].yyyy, IMM[0].wwww\n"
                                   "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].zzzz\n"
                                   "BARRIER\n"
                                   "USNE TEMP[1].x, SV[0].xxxx, IMM[0].xxxx\n"
                                   "UIF TEMP[1].xxxx\n"
                                   "  UADD TEMP[1].y, TEMP[0].xxxx, IMM[0].yyyy\n"
                                   "  ATOMUADD TEMP[2].x, MEMORY[0], IMM[0].xxxx, TEMP[0].zzzz\n"
                                   "ENDIF\n"
                                   "BARRIER\n"
                                   "LOAD TEMP[1].x, MEMORY[0], IMM[0].xxxx\n"
                                   "UMUL TEMP[0].w, TEMP[0].yyyy, IMM[0].yyyy\n"
                                   "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[1].xxxx\n"
                                   "STORE BUFFER[0].x, TEMP[0].wwww, TEMP[2].xxxx\nEND\n";

/* A TGSI program, whose warps may have any size, for warps of `lanes`. */
static struct stage compile(const char *text, uint16_t lanes, struct arena *arena)
{
    static struct source sources[8];
    static unsigned used;
    struct source *src = &sources[used++ % 8];
    *src = (struct source){"test", text, strlen(text)};
    const struct isa *isa = isa_find("tgsi");
    struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL;
    struct ir_program *ir = NULL;
    struct exec_program *program = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = isa->parse(src, &params, arena, &m, diags);
    if (status == WEFT_OK)
        status = isa->lift(m, src, arena, &ir, diags);
    if (status == WEFT_OK) {
        ir->lanes = lanes;
        ir_optimise(ir);
        status = exec_compile(ir, &(struct exec_options){.level = exec_best_level()}, arena, &program, diags);
    }
    if (status != WEFT_OK)
        fail_msg("%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?");
    weft_diags_free(diags);
    return (struct stage){ir, program, src};
}

static void draw(uint16_t vertex_lanes, uint16_t fragment_lanes, float *pixels)
{
    static float vertices[VERTICES][8];
    struct arena arena = {0};
    struct test_rng rng = {7};
    for (unsigned i = 0; i < VERTICES; i++)
        for (unsigned c = 0; c < 8; c++)
            vertices[i][c] =
                c == 3 ? 1.0f + (float)(test_next(&rng) % 100) / 50.0f : (float)(test_next(&rng) % 400) / 100.0f - 2.0f;
    struct pipeline p = {
        .vertex = compile(vertex_text, vertex_lanes, &arena),
        .fragment = compile(fragment_text, fragment_lanes, &arena),
        .vertex_count = VERTICES,
        .viewport[0] = viewport_make(0, 0, WIDTH, HEIGHT, 0, 1, false),
        .scissor = {0, 0, WIDTH, HEIGHT},
        .clear = true,
        .clear_color = {0.25f, 0.5f, 0.75f, 1.0f},
        .color[0] = {&formats[FORMAT_R32G32B32A32_SFLOAT], (uint8_t *)pixels, WIDTH * 16, WIDTH, HEIGHT},
        .resources.level = exec_best_level()};
    for (unsigned a = 0; a < 2; a++)
        p.attribute[a] = (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)vertices,
                                            sizeof vertices, a * 16, sizeof vertices[0], 0};
    struct pipeline_stats stats = {0};
    struct pool *pool = pool_new(2);
    assert_int_equal(pipeline_draw(&p, pool, &stats, NULL), WEFT_OK);
    assert_true(stats.fragments > WIDTH * HEIGHT);
    pool_free(pool);
    arena_free(&arena);
}

static void draws_are_the_same(void **state)
{
    (void)state;
    static float want[WIDTH * HEIGHT * 4], got[WIDTH * HEIGHT * 4];
    static const uint16_t sizes[] = {16, 32, 64};
    draw(64, 64, want);
    for (unsigned v = 0; v < 3; v++)
        for (unsigned f = 0; f < 3; f++) {
            memset(got, 0xee, sizeof got);
            draw(sizes[v], sizes[f], got);
            if (memcmp(got, want, sizeof got) != 0)
                fail_msg("vertex warps of %u and fragment warps of %u draw another picture", sizes[v], sizes[f]);
        }
}

static void dispatch(uint16_t lanes, uint32_t *words)
{
    struct arena arena = {0};
    struct dispatch d = {.program = compile(compute_text, lanes, &arena), .groups = {3, 1, 1},
                         .resources.level = exec_best_level()};
    d.resources.storage[0] = (struct exec_buffer){(uint8_t *)words, 3 * INVOCATIONS * 4};
    struct dispatch_stats stats = {0};
    struct pool *pool = pool_new(2);
    assert_int_equal(compute_dispatch(&d, pool, &stats, NULL), WEFT_OK);
    assert_int_equal(stats.invocations, 3 * INVOCATIONS);
    pool_free(pool);
    arena_free(&arena);
}

static void dispatches_are_the_same(void **state)
{
    (void)state;
    static const uint16_t sizes[] = {16, 32, 64};
    for (unsigned s = 0; s < 3; s++) {
        uint32_t words[3 * INVOCATIONS] = {0};
        dispatch(sizes[s], words);
        for (uint32_t g = 0; g < 3; g++) {
            /* memory[0] starts as invocation 0's value; the others add theirs in order */
            uint32_t sum = g * INVOCATIONS * 7, total = 0;
            for (uint32_t i = 0; i < INVOCATIONS; i++)
                total += (g * INVOCATIONS + i) * 7;
            for (uint32_t i = 0; i < INVOCATIONS; i++) {
                uint32_t before = i ? sum : 0;
                sum += i ? (g * INVOCATIONS + i) * 7 : 0;
                assert_int_equal(words[g * INVOCATIONS + i], before + total);
            }
        }
    }
}

/* A module that nobody validated may have one; there is no memory then, and none is handed out. */
static void memory_of_a_workgroup_may_have_no_bytes(void **state)
{
    (void)state;
    uint32_t words[3 * INVOCATIONS] = {0};
    struct arena arena = {0};
    struct dispatch d = {.program = compile(compute_text, 32, &arena), .groups = {3, 1, 1},
                         .resources.level = exec_best_level()};
    struct ir_program empty = *d.program.ir;
    struct ir_space spaces[4];
    assert_true(empty.nspaces <= 4);
    for (uint32_t i = 0; i < empty.nspaces; i++) {
        spaces[i] = empty.spaces[i];
        spaces[i].size = spaces[i].kind == IR_SPACE_SHARED ? 0 : spaces[i].size;
    }
    empty.spaces = spaces;
    d.program.ir = &empty;
    d.resources.storage[0] = (struct exec_buffer){(uint8_t *)words, sizeof words};
    struct dispatch_stats stats = {0};
    struct pool *pool = pool_new(1);
    assert_int_equal(compute_dispatch(&d, pool, &stats, NULL), WEFT_OK);
    assert_true(stats.bad_accesses > 0);
    pool_free(pool);
    arena_free(&arena);
}

static void other_sizes_are_refused(void **state)
{
    (void)state;
    for (uint16_t lanes = 1; lanes <= 64; lanes++)
        assert_int_equal(warps_fit(&(struct ir_program){.lanes = lanes}), lanes == 16 || lanes == 32 || lanes == 64);
}

TEST_MAIN(TEST(draws_are_the_same), TEST(dispatches_are_the_same), TEST(memory_of_a_workgroup_may_have_no_bytes),
          TEST(other_sizes_are_refused))
