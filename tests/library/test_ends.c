/* Where numbers end that a caller gives (weft/run.h, weft/draw.h, weft/machine.h): the last that is taken, and the
 * first that is not, of each by itself. */
#include "programs.h"

#include <math.h>

enum { SIDE = 4 };

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char fragment_text[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
static const char compute_text[] = "COMP\nEND\n";

static _Alignas(16) uint8_t memory[64 * SIDE * SIDE + 32];

/* A picture of 4x4 pixels in memory that is large enough for 16 samples of any format. */
static weft_image picture(const char *format)
{
    return (weft_image){.kind = WEFT_IMAGE_2D,
                        .format = format,
                        .width = SIDE,
                        .height = SIDE,
                        .memory = memory,
                        .bytes = sizeof memory};
}

/* ---- what is bound ---- */

enum bound { BUFFER, CONSTANTS, TEXTURE, SAMPLER, TEXTURE_IMAGE, IMAGE, BUFFER_IMAGE, ATTRIBUTE, TARGET };

static weft_status bind(weft_runner *r, enum bound what, uint32_t number)
{
    weft_image i = picture("R8G8B8A8_UNORM");
    switch (what) {
    case BUFFER: return weft_runner_bind_buffer(r, number, memory, 4, NULL);
    case CONSTANTS: return weft_runner_bind_constants(r, number, memory, 4, NULL);
    case TEXTURE: return weft_runner_bind_texture(r, number, NULL, NULL);
    case SAMPLER: return weft_runner_bind_sampler(r, number, NULL, NULL);
    case TEXTURE_IMAGE: return weft_runner_bind_texture_image(r, number, &i, NULL);
    case IMAGE: return weft_runner_bind_image(r, number, &i, NULL);
    case BUFFER_IMAGE: return weft_runner_bind_buffer_image(r, number, &i, NULL);
    case ATTRIBUTE: return weft_runner_bind_attribute(r, number, "R32_SFLOAT", memory, 4, 4, 0, NULL);
    default: return weft_runner_bind_target(r, number, &i, NULL);
    }
}

static void numbers_of_bindings(void **state)
{
    static const uint32_t count[] = {
        [BUFFER] = 64, [CONSTANTS] = 32,    [TEXTURE] = 32,   [SAMPLER] = 32, [TEXTURE_IMAGE] = 32,
        [IMAGE] = 32,  [BUFFER_IMAGE] = 64, [ATTRIBUTE] = 32, [TARGET] = 8};
    (void)state;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, compute_text);
    weft_runner *r = make_runner(p, NULL);
    for (enum bound what = BUFFER; what <= TARGET; what++) {
        assert_int_equal(bind(r, what, 0), WEFT_OK);
        assert_int_equal(bind(r, what, count[what] - 1), WEFT_OK);
        assert_int_equal(bind(r, what, count[what]), WEFT_ERROR_USAGE);
        assert_int_equal(bind(r, what, UINT32_MAX), WEFT_ERROR_USAGE);
    }
    weft_runner_free(r);
    weft_program_free(p);
}

static void places_in_memory(void **state)
{
    (void)state;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, compute_text);
    weft_runner *r = make_runner(p, NULL);
    for (unsigned at = 0; at <= 16; at++) {
        weft_image i = picture("R8G8B8A8_UNORM");
        i.memory = memory + at;
        i.bytes = 4 * SIDE * SIDE;
        const weft_status words = at % 4 == 0 ? WEFT_OK : WEFT_ERROR_USAGE;
        const weft_status texels = at % 16 == 0 ? WEFT_OK : WEFT_ERROR_USAGE;
        assert_int_equal(weft_runner_bind_buffer(r, 0, memory + at, 4, NULL), words);
        assert_int_equal(weft_runner_bind_constants(r, 0, memory + at, 4, NULL), words);
        assert_int_equal(weft_runner_bind_texture_image(r, 0, &i, NULL), texels);
        assert_int_equal(weft_runner_bind_image(r, 0, &i, NULL), texels);
        assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), texels);
        i.bytes--;
        assert_int_equal(weft_runner_bind_image(r, 0, &i, NULL), WEFT_ERROR_USAGE);
    }
    assert_int_equal(weft_runner_bind_buffer(r, 0, NULL, 0, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 0, NULL, 1, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(weft_runner_bind_constants(r, 0, NULL, 0, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_constants(r, 0, NULL, 1, NULL), WEFT_ERROR_USAGE);
    /* Nothing is bound: the format is not looked at. With memory it must be one. */
    assert_int_equal(weft_runner_bind_attribute(r, 0, NULL, NULL, 0, 0, 0, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 0, "x", NULL, 4, 4, 0, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 0, "x", memory, 4, 4, 0, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(weft_runner_bind_attribute(r, 0, NULL, memory, 4, 4, 0, NULL), WEFT_ERROR_USAGE);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- images ---- */

/* What an image needs; 0: there is none. All texels have four bytes. */
static const struct {
    weft_image image;
    size_t bytes;
} images[] = {
    {{.kind = WEFT_IMAGE_1D, .width = 1}, 4},
    {{.kind = WEFT_IMAGE_1D, .width = 0}, 0},
    {{.kind = WEFT_IMAGE_1D, .width = 16384}, 4 * 16384},
    {{.kind = WEFT_IMAGE_1D, .width = 16385}, 0},
    {{.kind = WEFT_IMAGE_1D, .width = 5, .height = 7, .depth = 9, .layers = 3}, 4 * 5},
    {{.kind = WEFT_IMAGE_1D, .array = 1, .width = 5, .layers = 3}, 4 * 5 * 3},
    {{.kind = WEFT_IMAGE_1D, .array = 1, .width = 5, .layers = 0}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .depth = 9, .layers = 3}, 4 * 35},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 0}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 16384}, 4 * 16384},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 16385}, 0},
    {{.kind = WEFT_IMAGE_2D, .array = 1, .width = 5, .height = 7, .layers = 2}, 4 * 70},
    {{.kind = WEFT_IMAGE_3D, .width = 5, .height = 7, .depth = 9, .layers = 3}, 4 * 315},
    {{.kind = WEFT_IMAGE_3D, .width = 5, .height = 7, .depth = 0}, 0},
    {{.kind = WEFT_IMAGE_3D, .width = 1, .height = 1, .depth = 16384}, 4 * 16384},
    {{.kind = WEFT_IMAGE_3D, .width = 1, .height = 1, .depth = 16385}, 0},
    {{.kind = WEFT_IMAGE_3D, .array = 1, .width = 5, .height = 7, .depth = 9, .layers = 1}, 0},
    {{.kind = WEFT_IMAGE_CUBE, .width = 5, .height = 7}, 4 * 25 * 6},
    {{.kind = WEFT_IMAGE_CUBE, .array = 1, .width = 5, .layers = 2}, 4 * 25 * 12},
    {{.kind = WEFT_IMAGE_RECT, .width = 5, .height = 7}, 4 * 35},
    {{.kind = WEFT_IMAGE_RECT, .array = 1, .width = 5, .height = 7, .layers = 1}, 0},
    {{.kind = WEFT_IMAGE_BUFFER, .width = 5, .height = 7}, 4 * 5},
    {{.kind = WEFT_IMAGE_BUFFER, .width = (1 << 29) - 1}, 4 * (((size_t)1 << 29) - 1)},
    {{.kind = WEFT_IMAGE_BUFFER, .width = 1 << 29}, 0},
    {{.kind = WEFT_IMAGE_BUFFER, .array = 1, .width = 5, .layers = 1}, 0},
    {{.kind = (weft_image_kind)(WEFT_IMAGE_BUFFER + 1), .width = 5, .height = 7, .depth = 1}, 0},
    {{.kind = (weft_image_kind)-1, .width = 5, .height = 7, .depth = 1}, 0},
    /* levels, each half of the one before, rounded down */
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .levels = 1}, 4 * 35},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .levels = 3}, 4 * (35 + 6 + 1)},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .levels = 4}, 4 * (35 + 6 + 1)}, /* no more than there are */
    {{.kind = WEFT_IMAGE_3D, .width = 5, .height = 7, .depth = 9, .levels = 4}, 4 * (315 + 2 * 3 * 4 + 2 + 1)},
    /* samples */
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .samples = 1}, 4 * 35},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .samples = 2}, 4 * 35 * 2},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .samples = 3}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .samples = 64}, 4 * 35 * 64},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .samples = 128}, 0},
    {{.kind = WEFT_IMAGE_1D, .width = 5, .samples = 1}, 4 * 5},
    {{.kind = WEFT_IMAGE_1D, .width = 5, .samples = 2}, 0},
    {{.kind = WEFT_IMAGE_CUBE, .width = 5, .samples = 2}, 0},
    {{.kind = WEFT_IMAGE_BUFFER, .width = 5, .samples = 2}, 0},
    /* from a row to the next */
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 16}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 20}, 4 * 35},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 22}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 24}, 24 * 6 + 20},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 24, .levels = 1, .samples = 2}, 24 * 13 + 20},
    {{.kind = WEFT_IMAGE_2D, .width = 5, .height = 7, .pitch = 24, .levels = 2}, 0},
    {{.kind = WEFT_IMAGE_2D, .array = 1, .width = 5, .height = 7, .layers = 3, .pitch = 24}, 24 * 20 + 20},
    {{.kind = WEFT_IMAGE_3D, .width = 5, .height = 7, .depth = 9, .pitch = 40}, 40 * 62 + 20},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 1, .pitch = 4 * (((size_t)1 << 29) - 1)}, 4},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 1, .pitch = 4 * ((size_t)1 << 29)}, 0},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 2, .pitch = 4 * (((size_t)1 << 28) - 1)}, (4ul << 28) - 4 + 4},
    {{.kind = WEFT_IMAGE_2D, .width = 1, .height = 2, .pitch = 4 * ((size_t)1 << 28)}, 0},
};

static void sizes_of_images(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof images / sizeof images[0]; n++) {
        weft_image i = images[n].image;
        i.format = n % 2 ? "R32_UINT" : "R8G8B8A8_UNORM";
        size_t bytes = weft_image_bytes(&i, NULL);
        if (bytes != images[n].bytes)
            fail_msg("image %u needs %zu bytes, not %zu", n, bytes, images[n].bytes);
    }
}

static void targets(void **state)
{
    (void)state;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, compute_text);
    weft_runner *r = make_runner(p, NULL);
    for (uint32_t samples = 1; samples <= 16; samples *= 2) {
        weft_image color = picture("R8G8B8A8_UNORM"), depth = picture("D32_SFLOAT");
        color.samples = depth.samples = samples;
        const weft_status fine = samples <= 8 ? WEFT_OK : WEFT_ERROR_USAGE;
        assert_int_equal(weft_runner_bind_target(r, 0, &color, NULL), fine);
        assert_int_equal(weft_runner_bind_depth(r, &depth, NULL), fine);
        assert_int_equal(weft_runner_bind_target(r, 0, &depth, NULL), WEFT_ERROR_USAGE);
        assert_int_equal(weft_runner_bind_depth(r, &color, NULL), WEFT_ERROR_USAGE);
    }
    for (weft_image_kind kind = WEFT_IMAGE_1D; kind <= WEFT_IMAGE_BUFFER; kind++) {
        weft_image i = picture("R8_UNORM");
        i.kind = kind;
        i.depth = 2;
        assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), kind == WEFT_IMAGE_2D ? WEFT_OK : WEFT_ERROR_USAGE);
    }
    weft_image stencil = picture("S8_UINT");
    assert_int_equal(weft_runner_bind_depth(r, &stencil, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_target(r, 0, &stencil, NULL), WEFT_ERROR_USAGE);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- runners and their runs ---- */

static weft_status make(const weft_program *p, const weft_runner_options *o)
{
    weft_runner *r;
    weft_status status = weft_runner_new(&p, 1, o, NULL, &r);
    assert_true((status == WEFT_OK) == (r != NULL));
    weft_runner_free(r);
    return status;
}

static void options_of_runners(void **state)
{
    static const double seconds[] = {0, -0.0, 1e-300, 1e300, INFINITY};
    static const double none[] = {-1e-300, -INFINITY, NAN};
    (void)state;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, compute_text);
    weft_runner_options o;
    weft_runner_options_init(&o);
    for (uint32_t threads = 0; threads <= 256; threads += 128) {
        o.threads = threads;
        assert_int_equal(make(p, &o), WEFT_OK);
    }
    o.threads = 257;
    assert_int_equal(make(p, &o), WEFT_ERROR_USAGE);
    o.threads = 1;
    for (unsigned i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        o.seconds = seconds[i];
        assert_int_equal(make(p, &o), WEFT_OK);
    }
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
        o.seconds = none[i];
        assert_int_equal(make(p, &o), WEFT_ERROR_USAGE);
    }
    o.seconds = 0;
    for (weft_engine e = WEFT_ENGINE_AUTO; e <= WEFT_ENGINE_JIT; e++) {
        o.engine = e;
        assert_int_equal(make(p, &o), WEFT_OK);
    }
    o.engine = (weft_engine)(WEFT_ENGINE_JIT + 1);
    assert_int_equal(make(p, &o), WEFT_ERROR_USAGE);
    o.engine = WEFT_ENGINE_INTERP;
    o.cpu_level = WEFT_CPU_BASELINE;
    assert_int_equal(make(p, &o), WEFT_OK);
    o.cpu_level = (weft_cpu_level)(WEFT_CPU_AVX512 + 1);
    assert_int_equal(make(p, &o), WEFT_ERROR_USAGE);
    weft_program_free(p);
}

static void sizes_of_grids(void **state)
{
    (void)state;
    /* A program that says no size has that of the options. */
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, compute_text);
    for (unsigned c = 0; c < 3; c++) {
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.threads = 1;
        for (unsigned over = 0; over < 2; over++) {
            o.block[c] = 1024 + over;
            weft_runner *r = make_runner(p, &o);
            assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), over ? WEFT_ERROR_USAGE : WEFT_OK);
            weft_runner_free(r);
            o.block[c] = 512;
            o.block[(c + 1) % 3] = 2 + over; /* 1024 and 1536 together */
            r = make_runner(p, &o);
            assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), over ? WEFT_ERROR_USAGE : WEFT_OK);
            weft_runner_free(r);
            o.block[(c + 1) % 3] = 0;
        }
        o.block[c] = 0;
        weft_runner *r = make_runner(p, &o);
        uint32_t grid[3] = {1, 1, 1};
        weft_run_stats stats = {.size = sizeof stats};
        grid[c] = 65535;
        assert_int_equal(weft_runner_dispatch(r, grid[0], grid[1], grid[2], NULL), WEFT_OK);
        weft_runner_get_stats(r, &stats);
        assert_int_equal(stats.invocations, 65535);
        grid[c] = 65536;
        assert_int_equal(weft_runner_dispatch(r, grid[0], grid[1], grid[2], NULL), WEFT_ERROR_USAGE);
        grid[c] = 0;
        assert_int_equal(weft_runner_dispatch(r, grid[0], grid[1], grid[2], NULL), WEFT_OK);
        weft_runner_get_stats(r, &stats);
        assert_int_equal(stats.invocations, 65535);
        weft_runner_free(r);
    }
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.seconds = 1e-6;
    weft_runner *r = make_runner(p, &o);
    weft_diags *diags = weft_diags_new();
    assert_int_equal(weft_runner_dispatch(r, 65535, 65535, 1, diags), WEFT_ERROR_TIME);
    assert_string_equal(weft_diags_get(diags, 0)->message, "the time limit is used up");
    weft_diags_free(diags);
    /* at most 2^36 invocations in all */
    assert_int_equal(weft_runner_dispatch(r, 65535, 65535, 16, NULL), WEFT_ERROR_TIME);
    assert_int_equal(weft_runner_dispatch(r, 65535, 65535, 17, NULL), WEFT_ERROR_USAGE);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- draws ---- */

static weft_runner *drawer;

/* Whether a draw is made: of what takes long a little. */
static bool draws(const weft_draw_call *call)
{
    weft_status status = weft_runner_draw(drawer, call, NULL);
    assert_true(status == WEFT_OK || status == WEFT_ERROR_USAGE || status == WEFT_ERROR_TIME);
    return status != WEFT_ERROR_USAGE;
}

/* A draw of far more vertices than there is time for, though each program is short. */
static void assert_too_long(uint32_t vertices, uint32_t instances)
{
    weft_diags *diags = weft_diags_new();
    weft_draw_call c;
    weft_draw_call_init(&c);
    c.vertex_count = vertices;
    c.instances = instances;
    assert_int_equal(weft_runner_draw(drawer, &c, diags), WEFT_ERROR_TIME);
    assert_string_equal(weft_diags_get(diags, 0)->message, "the time limit is used up");
    weft_diags_free(diags);
}

static void numbers_of_a_draw(const weft_draw_call *plain)
{
    const float most = 32768;
    for (unsigned i = 0; i < 4; i++) {
        const float taken[] = {most, -most, -0.0f},
                    refused[] = {nextafterf(most, INFINITY), nextafterf(-most, -INFINITY), INFINITY, -INFINITY, NAN};
        weft_draw_call c = *plain;
        c.viewport[2] = c.viewport[3] = SIDE;
        for (unsigned k = 0; k < sizeof taken / sizeof taken[0]; k++) {
            c.viewport[i] = taken[k];
            assert_true(draws(&c));
        }
        for (unsigned k = 0; k < sizeof refused / sizeof refused[0]; k++) {
            c.viewport[i] = refused[k];
            assert_false(draws(&c));
        }
        c = *plain;
        c.scissor[2] = c.scissor[3] = 1;
        c.scissor[i] = 0;
        assert_true(draws(&c));
        c.scissor[i] = INT32_MAX;
        assert_true(draws(&c));
        c.scissor[i] = -1;
        assert_false(draws(&c));
        c.scissor[i] = INT32_MIN;
        assert_false(draws(&c));
    }
    for (unsigned i = 0; i < 2; i++) {
        const float refused[] = {INFINITY, -INFINITY, NAN};
        weft_draw_call c = *plain;
        for (unsigned k = 0; k < 3; k++) {
            c.depth_range[i] = refused[k];
            assert_false(draws(&c));
        }
        c.depth_range[i] = 0.5f;
        assert_true(draws(&c));
    }
}

static void parts_of_a_draw(const weft_draw_call *plain)
{
    for (unsigned n = 0; n <= 9; n++) {
        weft_draw_call c = *plain;
        c.topology = (weft_topology)n;
        assert_int_equal(draws(&c), n <= WEFT_TRIANGLE_FAN);
        c = *plain;
        c.cull = (weft_cull)n;
        assert_int_equal(draws(&c), n <= WEFT_CULL_BOTH);
        c = *plain;
        c.depth_compare = (weft_compare)n;
        assert_int_equal(draws(&c), n <= WEFT_COMPARE_ALWAYS);
    }
}

static void sizes_of_draws(void **state)
{
    (void)state;
    weft_program *v = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex_text),
                 *f = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, fragment_text);
    const weft_program *both[] = {v, f};
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.threads = 1;
    o.seconds = 1e-6;
    assert_int_equal(weft_runner_new(both, 2, &o, NULL, &drawer), WEFT_OK);
    weft_image i = picture("R8G8B8A8_UNORM");
    weft_draw_call plain;
    weft_draw_call_init(&plain);
    plain.vertex_count = 3;
    assert_false(draws(&plain));
    assert_int_equal(weft_runner_bind_target(drawer, 7, &i, NULL), WEFT_OK);
    numbers_of_a_draw(&plain);
    parts_of_a_draw(&plain);
    /* 2^32 vertices of all instances, and 2^32 + 1, which is 641 * 6700417. */
    static const uint32_t index[3];
    for (unsigned indexed = 0; indexed < 2; indexed++) {
        weft_draw_call c = plain;
        uint32_t *count = indexed ? &c.index_count : &c.vertex_count;
        c.indices = indexed ? index : NULL;
        c.vertex_count = 0;
        *count = 6700417;
        c.instances = 641;
        assert_false(draws(&c));
        *count = UINT32_MAX;
        c.instances = 2;
        assert_false(draws(&c));
        *count = 0;
        c.instances = UINT32_MAX;
        assert_true(draws(&c));
    }
    assert_too_long(1 << 16, 1 << 16);
    assert_too_long(3, UINT32_MAX / 3);
    weft_runner_free(drawer);
    weft_program_free(v);
    weft_program_free(f);
}

/* ---- pictures ---- */

static void sizes_of_pictures(void **state)
{
    (void)state;
    for (unsigned turned = 0; turned < 2; turned++)
        for (uint32_t n = 0; n <= 16385; n = n ? n + (n == 1 ? 16383 : 1) : 1) {
            uint32_t width = turned ? 1 : n, height = turned ? n : 1;
            const weft_status wanted = n >= 1 && n <= 16384 ? WEFT_OK : WEFT_ERROR_USAGE;
            static uint32_t pixels[16384];
            weft_picture p;
            weft_texture *t;
            assert_int_equal(weft_picture_new(WEFT_RGBA8_UNORM, width, height, &p), wanted);
            if (wanted == WEFT_OK)
                weft_picture_free(&p);
            assert_int_equal(weft_texture_new(WEFT_RGBA8_UNORM, width, height, pixels, turned, &t), wanted);
            if (wanted == WEFT_OK)
                weft_texture_free(t);
        }
}

/* ---- machines ---- */

static void numbers_of_machines(void **state)
{
    enum { PAGE = 4096 };
    static const uint32_t fine[] = {0, PAGE, 2 * PAGE, WEFT_MACHINE_MAX_SDRAM},
                          wrong[] = {1, PAGE - 1, PAGE + 1, PAGE / 2, WEFT_MACHINE_MAX_SDRAM + PAGE, UINT32_MAX};
    (void)state;
    weft_machine *m;
    for (unsigned i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        const weft_machine_options o = {.size = sizeof o, .sdram = fine[i]};
        assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
        weft_machine_free(m);
    }
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const weft_machine_options o = {.size = sizeof o, .sdram = wrong[i]};
        assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_ERROR_USAGE);
    }
    const weft_machine_options o = {.size = sizeof o, .sdram = PAGE};
    assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    uint8_t bytes[8] = {0};
    for (uint32_t at = PAGE - 4; at <= PAGE + 1; at++)
        for (uint32_t size = 0; size <= 5; size++) {
            const weft_status wanted = !size || at + size <= PAGE ? WEFT_OK : WEFT_ERROR_USAGE;
            if (!size)
                continue;
            assert_int_equal(weft_machine_read(m, at, bytes, size), wanted);
            assert_int_equal(weft_machine_write(m, at, bytes, size), wanted);
        }
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(weft_machine_set_break(m, 2 * i, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_break(m, 128, 1), WEFT_ERROR_USAGE);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(weft_machine_set_watch(m, 4 * i, 4, WEFT_MACHINE_WATCH_READ, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_watch(m, 64, 4, WEFT_MACHINE_WATCH_READ, 1), WEFT_ERROR_USAGE);
    weft_machine_clear_points(m);
    assert_int_equal(weft_machine_set_break(m, 128, 1), WEFT_OK);
    assert_int_equal(weft_machine_set_watch(m, 64, 4, WEFT_MACHINE_WATCH_READ, 1), WEFT_OK);
    for (unsigned n = 0; n < 192; n++)
        assert_int_equal(weft_machine_raise(m, n, 1), n >= 64 && n <= 127 ? WEFT_OK : WEFT_ERROR_USAGE);
    weft_machine_free(m);
}

static void registers_of_machines(void **state)
{
    (void)state;
    weft_machine *m;
    const weft_machine_options o = {.size = sizeof o, .sdram = 4096};
    assert_int_equal(weft_machine_new(&o, NULL, &m), WEFT_OK);
    for (unsigned n = 0; n < 40; n++) { /* the status is flags, and a program is at an even address */
        uint32_t value = n == WEFT_MACHINE_SR ? 5 : 0x100 + 2 * n;
        weft_machine_set_register(m, n, value);
        assert_int_equal(weft_machine_register(m, n), n < 32 ? value : 0);
    }
    for (unsigned row = 0; row < 70; row++)
        for (unsigned lane = 0; lane < 20; lane++)
            weft_machine_set_vector(m, row, lane, row << 8 | lane | 1u << 31);
    for (unsigned row = 0; row < 70; row++)
        for (unsigned lane = 0; lane < 20; lane++)
            assert_true(weft_machine_vector(m, row, lane) ==
                        (row < 64 && lane < 16 ? (row << 8 | lane | 1u << 31) : 0));
    weft_machine_free(m);
}

TEST_MAIN(TEST(numbers_of_bindings), TEST(places_in_memory), TEST(sizes_of_images), TEST(targets),
          TEST(options_of_runners), TEST(sizes_of_grids), TEST(sizes_of_draws), TEST(sizes_of_pictures),
          TEST(numbers_of_machines), TEST(registers_of_machines))
