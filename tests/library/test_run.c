/* Runners (weft/run.h): one kernel of each instruction set on memory of the test's own, again and again, against
 * arithmetic of the test's own; wrong arguments, budgets, threads, textures and images with pitches, draws. */
#include "programs.h"

enum { GROUPS = 7, MOST = 64 * GROUPS };

struct memory {
    uint32_t in[MOST], out[MOST];
};

static void fill(struct memory *m, uint32_t seed)
{
    for (uint32_t i = 0; i < MOST; i++) {
        m->in[i] = i * 2654435761u + seed;
        m->out[i] = 0xcccccccc;
    }
}

/* Words 0 to n - 1 are done, the others as they were. */
static void check_done(const struct memory *m, uint32_t n)
{
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(m->out[i], i < n ? m->in[i] * 3 + 5 : 0xcccccccc);
}

static void bind(weft_runner *r, struct memory *m, uint32_t words)
{
    assert_int_equal(weft_runner_bind_buffer(r, 0, m->in, words * 4, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 1, m->out, words * 4, NULL), WEFT_OK);
}

static weft_status dispatch(weft_runner *r, uint32_t x, uint32_t y, uint32_t z)
{
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_runner_dispatch(r, x, y, z, diags);
    show(diags);
    weft_diags_free(diags);
    return status;
}

#define EACH_KERNEL(k) (const struct kernel *k = kernels; k < kernels + sizeof kernels / sizeof *kernels; k++)

static void kernels_run(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            printf("# %s\n", k->isa);
            struct memory a, b;
            weft_program *p = make_kernel(k);
            weft_runner *r = make_runner(p, NULL);
            fill(&a, 1);
            fill(&b, 2);
            bind(r, &a, MOST);
            assert_int_equal(dispatch(r, GROUPS, 1, 1), WEFT_OK);
            check_done(&a, GROUPS * k->width);
            /* other memory, fewer groups; the first stays as it is */
            bind(r, &b, MOST);
            assert_int_equal(dispatch(r, 2, 1, 1), WEFT_OK);
            check_done(&b, 2 * k->width);
            check_done(&a, GROUPS * k->width);
            /* the same memory with other contents */
            fill(&b, 3);
            assert_int_equal(dispatch(r, 3, 1, 1), WEFT_OK);
            check_done(&b, 3 * k->width);
            assert_int_equal(dispatch(r, 0, 1, 1), WEFT_OK);
            weft_run_stats stats = {.size = sizeof stats};
            weft_engine_stats engine;
            assert_int_equal(weft_runner_get_stats(r, &stats), WEFT_OK);
            assert_int_equal(stats.runs, 4);
            assert_int_equal(stats.invocations, 12 * k->width);
            assert_true(stats.instructions > 0);
            assert_int_equal(stats.bad_accesses, 0);
            weft_runner_get_engine(r, &engine);
            assert_int_equal(engine.programs, 1);
            weft_runner_free(r);
            weft_program_free(p);
        }
}

static void bytes_run_as_text_does(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            weft_program *p = make_kernel_of_bytes(k);
            struct memory m;
            weft_runner *r = make_runner(p, NULL);
            fill(&m, 4);
            bind(r, &m, MOST);
            assert_int_equal(dispatch(r, 3, 1, 1), WEFT_OK);
            check_done(&m, 3 * k->width);
            weft_runner_free(r);
            weft_program_free(p);
        }
}

static void threads_and_engines_agree(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
    for (unsigned i = 0; i < 6; i++) {
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.threads = i % 3 == 2 ? 7 : i % 3;
        o.engine = i < 3 || !weft_jit() ? WEFT_ENGINE_INTERP : WEFT_ENGINE_JIT;
        o.cpu_level = i & 1 ? WEFT_CPU_BASELINE : WEFT_CPU_BEST;
        struct memory m;
        weft_program *p = make_kernel(k);
        weft_runner *r = make_runner(p, &o);
        fill(&m, i);
        bind(r, &m, MOST);
        assert_int_equal(dispatch(r, GROUPS, 1, 1), WEFT_OK);
        check_done(&m, GROUPS * k->width);
        weft_runner_free(r);
        weft_program_free(p);
    }
}

/* ---- constants, sizes, what is not bound ---- */

static const char constant_text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL BUFFER[2]\n"
                                    "DCL CONST[3][0]\nDCL TEMP[0]\nIMM[0] UINT32 {2, 0, 0, 0}\n"
                                    "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                    "STORE BUFFER[2].x, TEMP[0].xxxx, CONST[3][0].yyyy\nEND\n";

static void constants_are_read_at_each_run(void **state)
{
    (void)state;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, constant_text);
    weft_runner *r = make_runner(p, NULL);
    uint32_t out[4] = {0}, constants[4] = {1, 20, 3, 4}, others[4] = {5, 60, 7, 8};
    assert_int_equal(weft_runner_bind_buffer(r, 2, out, sizeof out, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_constants(r, 3, constants, sizeof constants, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(out[3], 20);
    constants[1] = 40;
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(out[3], 40);
    assert_int_equal(weft_runner_bind_constants(r, 3, others, sizeof others, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(out[0], 60);
    assert_int_equal(weft_runner_bind_constants(r, 3, NULL, 0, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(out[0], 0);
    weft_runner_free(r);
    weft_program_free(p);
}

static bool has(const weft_diags *diags, const char *code)
{
    for (size_t i = 0; i < weft_diags_count(diags); i++)
        if (strcmp(weft_diags_get(diags, i)->code, code) == 0)
            return true;
    return false;
}

static void says_what_is_not_bound_and_outside(void **state)
{
    (void)state;
    weft_diags *diags = weft_diags_new();
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, constant_text);
    weft_runner *r = make_runner(p, NULL);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_OK);
    assert_true(has(diags, "unbound-constants") && has(diags, "unbound-storage"));
    size_t said = weft_diags_count(diags);
    uint32_t two[2] = {9, 9}, guard = 0x12345678;
    assert_int_equal(weft_runner_bind_buffer(r, 2, two, sizeof two, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_OK);
    assert_int_equal(weft_diags_count(diags), said + 1); /* the warnings were said once */
    assert_true(has(diags, "bad-access"));
    assert_int_equal(weft_diags_errors(diags), 0);
    assert_int_equal(two[1], 0);
    assert_int_equal(guard, 0x12345678);
    weft_run_stats stats = {0};
    assert_int_equal(weft_runner_get_stats(r, &stats), WEFT_OK);
    assert_int_equal(stats.bad_accesses, 5 + 3); /* four and two stores, and the constant each time */
    stats.size = 1;
    assert_int_equal(weft_runner_get_stats(r, &stats), WEFT_ERROR_USAGE);
    weft_runner_free(r);
    weft_program_free(p);
    weft_diags_free(diags);
}

/* What a program asks of images and textures that are not there, or are others: the code of a message, and what
 * the run gives. */
static void images_that_do_not_fit_are_named(void **state)
{
#define USES(declarations, line)                                                                                       \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\n" declarations "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 2, 0}\n"             \
    "IMM[1] FLT32 {0.5, 0.5, 0.0, 1.0}\n" line "\nEND\n"
    static const struct {
        const char *text, *format, *code;
        weft_status status;
    } cases[] = {
        {USES("DCL IMAGE[3], 2D, PIPE_FORMAT_R32_UINT, WR\n",
              "STORE IMAGE[3], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT"),
         NULL, "unbound-image", WEFT_OK},
        {USES("DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n",
              "STORE IMAGE[0], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT"),
         "R32G32_UINT", "image-format", WEFT_ERROR_INPUT},
        {USES("DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n", "TEX_LZ TEMP[0], IMM[1], SAMP[0], 2D"), NULL, "no-texture",
         WEFT_ERROR_INPUT},
        {USES("DCL SAMP[0]\nDCL SVIEW[0], 3D, FLOAT\n", "TEX_LZ TEMP[0], IMM[1], SAMP[0], 3D"), "R8G8B8A8_UNORM",
         "texture-kind", WEFT_ERROR_INPUT},
        {USES("DCL SAMP[32]\nDCL SVIEW[32], 2D, FLOAT\n", "TEX_LZ TEMP[0], IMM[1], SAMP[32], 2D"), NULL,
         "texture-number", WEFT_ERROR_INPUT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        _Alignas(16) uint8_t memory[4 * 4 * 8] = {0};
        weft_diags *diags = weft_diags_new();
        weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, cases[i].text);
        weft_runner *r = make_runner(p, NULL);
        const weft_image image = {.kind = WEFT_IMAGE_2D,
                                  .format = cases[i].format,
                                  .width = 4,
                                  .height = 4,
                                  .memory = memory,
                                  .bytes = sizeof memory};
        if (cases[i].format) {
            assert_int_equal(weft_runner_bind_image(r, 0, &image, NULL), WEFT_OK);
            assert_int_equal(weft_runner_bind_texture_image(r, 0, &image, NULL), WEFT_OK);
        }
        weft_status status = weft_runner_dispatch(r, 1, 1, 1, diags);
        if (status != cases[i].status || !has(diags, cases[i].code)) {
            show(diags);
            fail_msg("%zu: %s", i, weft_status_name(status));
        }
        assert_int_equal(memory[0], 0);
        weft_runner_free(r);
        weft_program_free(p);
        weft_diags_free(diags);
    }
}

static void workgroups_take_the_size_that_is_given(void **state)
{
    (void)state;
    static const char text[] = "COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\n"
                               "IMM[0] UINT32 {2, 1, 5, 0}\n"
                               "UMAD TEMP[0].x, SV[0].yyyy, IMM[0].zzzz, SV[0].xxxx\n"
                               "SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                               "STORE BUFFER[0].x, TEMP[0].xxxx, IMM[0].yyyy\nEND\n";
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.block[0] = 5;
    o.block[1] = 3;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, &o);
    uint32_t out[20] = {0};
    assert_int_equal(weft_runner_bind_buffer(r, 0, out, sizeof out, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(out[i], i < 15);
    weft_runner_free(r);
    weft_program_free(p);
}

static void budgets_end_runs(void **state)
{
    (void)state;
    static const char text[] = "COMP\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
                               "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, "
                               "IMM[0].yyyy\nENDLOOP\nEND\n";
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.budget = 1000;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, &o);
    weft_diags *diags = weft_diags_new();
    uint32_t out[4] = {0};
    assert_int_equal(weft_runner_bind_buffer(r, 0, out, sizeof out, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_ERROR_BUDGET);
    assert_true(has(diags, "budget"));
    assert_true(weft_diags_get(diags, 0)->line >= 6);
    assert_int_equal(out[0], 1);
    weft_diags_free(diags);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- wrong arguments ---- */

static weft_status fail_new(const weft_program *const *programs, size_t count, const weft_runner_options *o)
{
    weft_runner *r = (weft_runner *)&r;
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_runner_new(programs, count, o, diags, &r);
    assert_null(r);
    assert_true(weft_diags_errors(diags) > 0);
    weft_diags_free(diags);
    return status;
}

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";
static const char fragment_text[] =
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

static void refuses_wrong_programs_and_options(void **state)
{
    (void)state;
    weft_program *c = make_kernel(&kernels[0]), *v = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex_text),
                 *f = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, fragment_text),
                 *none = make_text("valhall", NULL, WEFT_STAGE_NONE, kernels[2].linkage, kernels[2].text);
    const weft_program *list[] = {c, c, NULL};
    assert_int_equal(fail_new(list, 0, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new(NULL, 1, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new(list, 2, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new(list, 3, NULL), WEFT_ERROR_USAGE);
    assert_int_equal(fail_new(&list[2], 1, NULL), WEFT_ERROR_USAGE);
    weft_diags *diags = weft_diags_new();
    weft_runner *r;
    weft_runner_new(&list[2], 1, NULL, diags, &r);
    assert_string_equal(weft_diags_get(diags, 0)->message, "programs[0] is NULL");
    weft_diags_free(diags);
    const weft_program *wrong[][2] = {{v, c}, {v, v}, {f, f}, {f, c}, {none, NULL}, {v, NULL}, {f, NULL}};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(fail_new(wrong[i], wrong[i][1] ? 2 : 1, NULL), WEFT_ERROR_USAGE);
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.threads = WEFT_MAX_THREADS + 1;
    assert_int_equal(fail_new(list, 1, &o), WEFT_ERROR_USAGE);
    weft_runner_options_init(&o);
    o.cpu_level = (weft_cpu_level)17;
    assert_int_equal(fail_new(list, 1, &o), WEFT_ERROR_USAGE);
    weft_runner_options_init(&o);
    o.engine = (weft_engine)17;
    assert_int_equal(fail_new(list, 1, &o), WEFT_ERROR_USAGE);
    weft_runner_options_init(&o);
    o.seconds = -1;
    assert_int_equal(fail_new(list, 1, &o), WEFT_ERROR_USAGE);
    o.seconds = 0;
    o.size = 4;
    assert_int_equal(fail_new(list, 1, &o), WEFT_ERROR_USAGE);
    o.size = 0;
    assert_int_equal(weft_runner_new(list, 1, &o, NULL, &r), WEFT_OK);
    weft_runner_free(r);
    weft_runner_free(NULL);
    weft_program_free(c);
    weft_program_free(v);
    weft_program_free(f);
    weft_program_free(none);
}

static void refuses_programs_that_break_rules(void **state)
{
    (void)state;
    const weft_program *p =
        make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, "COMP\nDCL TEMP[0]\nMOV TEMP[1], TEMP[0]\nEND\n");
    assert_int_equal(fail_new(&p, 1, NULL), WEFT_ERROR_INPUT);
    weft_program_free((weft_program *)(uintptr_t)p);
}

static void refuses_wrong_bindings(void **state)
{
    (void)state;
    weft_program *p = make_kernel(&kernels[0]);
    weft_runner *r = make_runner(p, NULL);
    weft_diags *diags = weft_diags_new();
    _Alignas(16) uint8_t memory[64];
    weft_image image = {.kind = WEFT_IMAGE_2D,
                        .format = "R8G8B8A8_UNORM",
                        .width = 4,
                        .height = 4,
                        .memory = memory,
                        .bytes = sizeof memory};
    const weft_status usage = WEFT_ERROR_USAGE;
    assert_int_equal(weft_runner_bind_buffer(r, WEFT_RUN_BUFFERS, memory, 4, diags), usage);
    assert_int_equal(weft_runner_bind_buffer(r, 0, memory + 1, 4, diags), usage);
    assert_int_equal(weft_runner_bind_buffer(r, 0, NULL, 4, diags), usage);
    assert_int_equal(weft_runner_bind_constants(r, WEFT_RUN_CONSTANTS, memory, 4, diags), usage);
    assert_int_equal(weft_runner_bind_constants(r, 1, memory + 2, 4, diags), usage);
    assert_int_equal(weft_runner_bind_texture(r, WEFT_RUN_TEXTURES, NULL, diags), usage);
    assert_int_equal(weft_runner_bind_sampler(r, WEFT_RUN_TEXTURES, NULL, diags), usage);
    assert_int_equal(weft_runner_bind_texture_image(r, WEFT_RUN_TEXTURES, &image, diags), usage);
    assert_int_equal(weft_runner_bind_image(r, WEFT_RUN_IMAGES, &image, diags), usage);
    assert_int_equal(weft_runner_bind_buffer_image(r, WEFT_RUN_BUFFERS, &image, diags), usage);
    assert_int_equal(weft_runner_bind_target(r, WEFT_RUN_TARGETS, &image, diags), usage);
    assert_int_equal(weft_runner_bind_depth(r, &image, diags), usage);
    assert_int_equal(weft_runner_bind_attribute(r, WEFT_RUN_ATTRIBUTES, "R32_SFLOAT", memory, 4, 4, 0, diags), usage);
    assert_int_equal(weft_runner_bind_attribute(r, 0, "R33_SFLOAT", memory, 4, 4, 0, diags), usage);
    assert_int_equal(weft_runner_bind_attribute(r, 0, NULL, memory, 4, 4, 0, diags), usage);
    const weft_image impossible = {.kind = WEFT_IMAGE_2D, .format = "R32_UINT", .width = 1u << 30, .height = 1,
                                   .memory = memory, .bytes = sizeof memory};
    assert_int_equal(weft_runner_bind_image(r, 0, &impossible, diags), usage);
    assert_int_equal(weft_runner_bind_texture_image(r, 0, &impossible, diags), usage);
    assert_int_equal(weft_diags_errors(diags), 17);
    assert_int_equal(weft_runner_bind_image(r, 0, &image, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_target(r, 0, &image, NULL), WEFT_OK);
    weft_draw_call call;
    weft_draw_call_init(&call);
    assert_int_equal(weft_runner_draw(r, &call, NULL), usage);
    assert_int_equal(weft_runner_dispatch(r, WEFT_RUN_MAX_GROUPS + 1, 1, 1, NULL), usage);
    weft_diags_free(diags);
    weft_runner_free(r);
    weft_program_free(p);
}

/* Formats that others spell otherwise, and what the hint says. */
static void formats_are_near(void **state)
{
    static const char *const names[][2] = {
        {"r8g8b8a8_unorm", "did you mean 'R8G8B8A8_UNORM'?"},
        {"R8G8B8A8_UNRM", "did you mean 'R8G8B8A8_UNORM'?"},
        {"VK_FORMAT_R32_UINT", "did you mean 'R32_UINT'?"},
        {"PIPE_FORMAT_R32_FLOAT", "did you mean 'R32_SFLOAT'?"},
        {"x", "formats have Vulkan's names, such as R8G8B8A8_UNORM"},
        {NULL, "formats have Vulkan's names, such as R8G8B8A8_UNORM"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        weft_diags *diags = weft_diags_new();
        const weft_image i = {.kind = WEFT_IMAGE_2D, .format = names[n][0], .width = 5, .height = 3};
        assert_int_equal(weft_image_bytes(&i, diags), 0);
        assert_string_equal(weft_diags_get(diags, 0)->hint, names[n][1]);
        weft_diags_free(diags);
    }
}

static void images_are_measured(void **state)
{
    (void)state;
    const weft_image flat = {.kind = WEFT_IMAGE_2D, .format = "R8G8B8A8_UNORM", .width = 5, .height = 3};
    weft_image i = flat;
    assert_int_equal(weft_image_bytes(&i, NULL), 5 * 3 * 4);
    i.levels = 3; /* 5x3, 2x1, 1x1 */
    assert_int_equal(weft_image_bytes(&i, NULL), (15 + 2 + 1) * 4);
    i.pitch = 32;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = flat;
    i.pitch = 32;
    assert_int_equal(weft_image_bytes(&i, NULL), 2 * 32 + 20); /* the last row need not have its gap */
    i.pitch = 30;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i.pitch = 16;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i.pitch = SIZE_MAX & ~(size_t)3;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = flat;
    i.array = 1;
    i.layers = 4;
    assert_int_equal(weft_image_bytes(&i, NULL), 4 * 60);
    i.samples = 4;
    assert_int_equal(weft_image_bytes(&i, NULL), 4 * 4 * 60);
    i.samples = 3;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = (weft_image){.kind = WEFT_IMAGE_CUBE, .format = "R16_SFLOAT", .width = 8};
    assert_int_equal(weft_image_bytes(&i, NULL), 6 * 64 * 2);
    i = (weft_image){.kind = WEFT_IMAGE_3D, .format = "R8_UINT", .width = 2, .height = 3, .depth = 4};
    assert_int_equal(weft_image_bytes(&i, NULL), 24);
    i.array = 1;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = (weft_image){.kind = WEFT_IMAGE_BUFFER, .format = "R32_UINT", .width = 100000};
    assert_int_equal(weft_image_bytes(&i, NULL), 400000);
    i.kind = (weft_image_kind)9;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = flat;
    i.format = "R9_UNORM";
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = flat;
    i.width = 0;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
    i = flat;
    i.size = 1;
    assert_int_equal(weft_image_bytes(&i, NULL), 0);
}

/* ---- textures and images ---- */

/* Image 0 to image 1, and the texture's texel beside it: all three in memory of the test's own, with pitches. */
static void images_and_textures_are_used_in_place(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 3\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\nDCL SV[0], THREAD_ID\n"
        "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, WR\n"
        "DCL SAMP[2]\nDCL SVIEW[2], 2D, UINT\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
        "LOAD TEMP[0], IMAGE[0], SV[0], 2D, PIPE_FORMAT_R32_UINT\n"
        "MOV TEMP[2].xy, SV[0].xyyy\nMOV TEMP[2].zw, IMM[0].xxxx\n"
        "TXF TEMP[1], TEMP[2], SAMP[2], 2D\n"
        "UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
        "STORE IMAGE[1], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT\nEND\n";
    _Alignas(16) uint32_t in[2][8], out[2][5], texels[2][4];
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, NULL);
    for (unsigned y = 0; y < 2; y++) {
        for (unsigned x = 0; x < 8; x++)
            in[y][x] = 100 * y + x;
        for (unsigned x = 0; x < 5; x++)
            out[y][x] = 77;
        for (unsigned x = 0; x < 4; x++)
            texels[y][x] = 1000 * (10 * y + x);
    }
    weft_image i = {.kind = WEFT_IMAGE_2D, .format = "R32_UINT", .width = 3, .height = 2};
    i.memory = in;
    i.bytes = sizeof in;
    i.pitch = sizeof in[0];
    assert_int_equal(weft_runner_bind_image(r, 0, &i, NULL), WEFT_OK);
    i.memory = out;
    i.bytes = sizeof out;
    i.pitch = sizeof out[0];
    assert_int_equal(weft_runner_bind_image(r, 1, &i, NULL), WEFT_OK);
    weft_diags *diags = weft_diags_new();
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_ERROR_INPUT);
    assert_true(has(diags, "no-texture"));
    i.memory = texels;
    i.bytes = sizeof texels;
    i.pitch = sizeof texels[0];
    weft_image wrong = i;
    wrong.bytes = sizeof texels - 8;
    assert_int_equal(weft_runner_bind_texture_image(r, 2, &wrong, NULL), WEFT_ERROR_USAGE);
    wrong = i;
    wrong.memory = &texels[0][1];
    assert_int_equal(weft_runner_bind_texture_image(r, 2, &wrong, NULL), WEFT_ERROR_USAGE);
    wrong = (weft_image){.kind = WEFT_IMAGE_1D, .format = "R32_UINT", .width = 3, .memory = texels, .bytes = 16};
    assert_int_equal(weft_runner_bind_texture_image(r, 2, &wrong, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_ERROR_INPUT);
    assert_true(has(diags, "texture-kind"));
    assert_int_equal(weft_runner_bind_texture_image(r, 2, &i, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 5; x++)
            assert_int_equal(out[y][x], x < 3 ? 100 * y + x + 1000 * (10 * y + x) : 77);
    /* an image whose texels have another size */
    wrong = (weft_image){
        .kind = WEFT_IMAGE_2D, .format = "R16_UINT", .width = 3, .height = 2, .memory = out, .bytes = sizeof out};
    assert_int_equal(weft_runner_bind_image(r, 1, &wrong, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, diags), WEFT_ERROR_INPUT);
    assert_true(has(diags, "image-format"));
    weft_diags_free(diags);
    weft_runner_free(r);
    weft_program_free(p);
}

/* A sampler counts: half way between two texels, nearest and linear. */
static void samplers_are_copied(void **state)
{
    (void)state;
    static const char text[] = "COMP\nDCL BUFFER[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n"
                               "IMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
                               "TXL TEMP[0], IMM[0], SAMP[0], 2D\nSTORE BUFFER[0].x, IMM[1].xxxx, TEMP[0]\nEND\n";
    const float pixels[2][4] = {{1, 0, 0, 0}, {4, 0, 0, 0}};
    float out = -1;
    weft_texture *t;
    weft_sampler sampler;
    weft_sampler_init(&sampler);
    sampler.min_filter = sampler.mag_filter = WEFT_LINEAR;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, NULL);
    assert_int_equal(weft_texture_new(WEFT_RGBA32_SFLOAT, 2, 1, pixels, 0, &t), WEFT_OK);
    assert_int_equal(weft_runner_bind_texture(r, 0, t, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 0, &out, 4, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_true(out == 4.0f);
    assert_int_equal(weft_runner_bind_sampler(r, 0, &sampler, NULL), WEFT_OK);
    sampler.min_filter = WEFT_NEAREST;
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_true(out == 2.5f);
    assert_int_equal(weft_runner_bind_sampler(r, 0, NULL, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_true(out == 4.0f);
    weft_runner_free(r);
    weft_program_free(p);
    weft_texture_free(t);
}

static void res_may_be_texels(void **state)
{
    (void)state;
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\n"
                               "DCL RES[1], BUFFER, WR\nDCL TEMP[0]\n"
                               "LOAD TEMP[0], RES[1], SV[0]\nUADD TEMP[0], TEMP[0], TEMP[0]\n"
                               "STORE RES[1], SV[0], TEMP[0]\nEND\n";
    _Alignas(16) uint16_t texels[4] = {1, 20, 300, 4000};
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, NULL);
    weft_image i = {
        .kind = WEFT_IMAGE_BUFFER, .format = "R16_UINT", .width = 4, .memory = texels, .bytes = sizeof texels};
    assert_int_equal(weft_runner_bind_buffer_image(r, 1, &i, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(texels[0], 2);
    assert_int_equal(texels[3], 8000);
    assert_int_equal(weft_runner_bind_buffer_image(r, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(dispatch(r, 1, 1, 1), WEFT_OK);
    assert_int_equal(texels[3], 8000);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- draws ---- */

enum { WIDTH = 9, HEIGHT = 7, PITCH = 12 };

struct picture {
    _Alignas(16) uint32_t pixel[HEIGHT][PITCH];
    _Alignas(16) float depth[HEIGHT][WIDTH];
};

static weft_runner *make_drawer(weft_program *programs[2], const weft_runner_options *o, struct picture *t)
{
    weft_runner *r;
    programs[0] = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, fragment_text);
    programs[1] = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex_text);
    const weft_program *list[2] = {programs[0], programs[1]};
    assert_int_equal(weft_runner_new(list, 2, o, NULL, &r), WEFT_OK);
    memset(t, 0x11, sizeof *t);
    weft_image i = {.kind = WEFT_IMAGE_2D,
                    .format = "R8G8B8A8_UNORM",
                    .width = WIDTH,
                    .height = HEIGHT,
                    .memory = t->pixel,
                    .bytes = sizeof t->pixel,
                    .pitch = PITCH * 4};
    assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), WEFT_OK);
    return r;
}

static void drop_drawer(weft_runner *r, weft_program *programs[2])
{
    weft_runner_free(r);
    weft_program_free(programs[0]);
    weft_program_free(programs[1]);
}

/* A rectangle of whole pixels as two triangles, in one colour: positions and colours apart. */
struct shape {
    float position[6][4];
    uint8_t color[6][4];
};

static struct shape rectangle(float x0, float y0, float x1, float y1, float z, uint8_t red)
{
    const float x[6] = {x0, x1, x0, x0, x1, x1}, y[6] = {y0, y0, y1, y1, y0, y1};
    struct shape s;
    for (unsigned i = 0; i < 6; i++) {
        const float v[4] = {2 * x[i] / WIDTH - 1, 2 * y[i] / HEIGHT - 1, z, 1};
        const uint8_t c[4] = {red, 2, 3, 255};
        memcpy(s.position[i], v, sizeof v);
        memcpy(s.color[i], c, sizeof c);
    }
    return s;
}

static weft_status draw(weft_runner *r, const struct shape *s, const weft_draw_call *call)
{
    weft_diags *diags = weft_diags_new();
    assert_int_equal(
        weft_runner_bind_attribute(r, 0, "R32G32B32A32_SFLOAT", s->position, sizeof s->position, 16, 0, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 1, "R8G8B8A8_UNORM", s->color, sizeof s->color, 4, 0, NULL),
                     WEFT_OK);
    weft_status status = weft_runner_draw(r, call, diags);
    show(diags);
    weft_diags_free(diags);
    return status;
}

static void check_pixels(const struct picture *t, int x0, int y0, int x1, int y1, uint32_t inside, uint32_t outside)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++) {
            bool in = x >= x0 && x < x1 && y >= y0 && y < y1;
            assert_int_equal(t->pixel[y][x], x >= WIDTH ? 0x11111111 : in ? inside : outside);
        }
}

static void draws_own_vertices_into_own_memory(void **state)
{
    (void)state;
    struct picture t;
    weft_program *programs[2];
    weft_runner *r = make_drawer(programs, NULL, &t);
    weft_draw_call call;
    weft_draw_call_init(&call);
    struct shape s = rectangle(2, 1, 7, 4, 0.5f, 200);
    call.vertex_count = 6;
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    check_pixels(&t, 2, 1, 7, 4, 0xff0302c8, 0x11111111);
    /* again, elsewhere, by indices, after clearing */
    s = rectangle(0, 5, 3, 7, 0.5f, 100);
    const uint32_t indices[6] = {5, 4, 3, 2, 1, 0};
    call.indices = indices;
    call.index_count = 6;
    call.clear = 1;
    call.clear_color[1] = 1;
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    check_pixels(&t, 0, 5, 3, 7, 0xff030264, 0x0000ff00);
    /* a scissor, and a viewport that moves all by two pixels to the right */
    call.scissor[0] = 3;
    call.scissor[2] = 1;
    call.scissor[3] = HEIGHT;
    call.viewport[0] = 2;
    call.viewport[2] = WIDTH;
    call.viewport[3] = HEIGHT;
    call.clear_color[1] = 0;
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    check_pixels(&t, 3, 5, 4, 7, 0xff030264, 0);
    weft_run_stats stats = {0};
    assert_int_equal(weft_runner_get_stats(r, &stats), WEFT_OK);
    assert_int_equal(stats.runs, 3);
    assert_int_equal(stats.fragments, 15 + 6 + 2);
    assert_int_equal(stats.vertices, 3 * 6);
    drop_drawer(r, programs);
}

static void depth_and_sides_count(void **state)
{
    (void)state;
    struct picture t;
    weft_program *programs[2];
    weft_runner *r = make_drawer(programs, NULL, &t);
    weft_draw_call call;
    weft_draw_call_init(&call);
    weft_image i = {.kind = WEFT_IMAGE_2D,
                    .format = "D32_SFLOAT",
                    .width = WIDTH,
                    .height = HEIGHT,
                    .memory = t.depth,
                    .bytes = sizeof t.depth};
    assert_int_equal(weft_runner_bind_depth(r, &i, NULL), WEFT_OK);
    struct shape near = rectangle(0, 0, 4, 7, 0.25f, 1), far = rectangle(0, 0, 9, 7, 0.75f, 2);
    call.vertex_count = 6;
    call.depth_test = call.depth_write = 1;
    call.depth_compare = WEFT_COMPARE_LESS;
    call.clear = 1;
    assert_int_equal(draw(r, &near, &call), WEFT_OK);
    call.clear = 0;
    assert_int_equal(draw(r, &far, &call), WEFT_OK);
    check_pixels(&t, 0, 0, 4, 7, 0xff030201, 0xff030202);
    assert_true(t.depth[3][0] == 0.25f && t.depth[3][8] == 0.75f);
    /* the first triangle goes right, then down: clockwise with row 0 on top; the second likewise */
    call.depth_test = call.depth_write = 0;
    call.clear = 1;
    call.cull = WEFT_CULL_FRONT;
    call.front_clockwise = 1;
    assert_int_equal(draw(r, &far, &call), WEFT_OK);
    bool first = t.pixel[0][0] != 0;
    call.front_clockwise = 0;
    assert_int_equal(draw(r, &far, &call), WEFT_OK);
    assert_true((t.pixel[0][0] != 0) != first);
    assert_false(first); /* (0,0) (9,0) (0,7): to the right, then down and back: clockwise */
    drop_drawer(r, programs);
}

/* What is bound as a target, or nothing. */
static void bind_target(weft_runner *r, const weft_image *image, const char *says)
{
    weft_diags *diags = weft_diags_new();
    assert_int_equal(weft_runner_bind_target(r, 1, image, diags), WEFT_ERROR_USAGE);
    assert_int_equal(weft_diags_count(diags), 1);
    assert_string_equal(weft_diags_get(diags, 0)->message, says);
    weft_diags_free(diags);
}

static void targets_are_those_that_are_drawn_to(void **state)
{
    (void)state;
    struct picture t;
    weft_program *programs[2];
    weft_runner *r = make_drawer(programs, NULL, &t);
    _Alignas(16) static uint8_t memory[9 * 7 * 4 * 16];
    const weft_image flat = {.kind = WEFT_IMAGE_2D,
                             .format = "R8G8B8A8_UNORM",
                             .width = 9,
                             .height = 7,
                             .memory = memory,
                             .bytes = sizeof memory};
    weft_image i = flat;
    i.samples = 16;
    bind_target(r, &i, "a target of 16 samples: the most is 8");
    i = flat;
    i.kind = WEFT_IMAGE_3D;
    i.depth = 2;
    bind_target(r, &i, "a target is a 2D image");
    i = flat;
    i.format = "D32_SFLOAT";
    bind_target(r, &i, "D32_SFLOAT is not a format of colours");
    i = flat;
    i.memory = memory + 4;
    bind_target(r, &i, "the memory of an image is aligned to 16 bytes");
    i = flat;
    i.bytes = 251;
    bind_target(r, &i, "the image needs 252 bytes, and its memory has 251");
    i = flat;
    i.kind = WEFT_IMAGE_CUBE;
    i.samples = 4;
    bind_target(r, &i, "2D images alone have samples");
    i = flat;
    i.size = 3;
    assert_int_equal(weft_runner_bind_target(r, 1, &i, NULL), WEFT_ERROR_USAGE);
    /* Nothing of that was bound: a draw goes on into target 0 alone. One with other samples does not go with it. */
    weft_draw_call call;
    weft_draw_call_init(&call);
    call.vertex_count = 6;
    struct shape s = rectangle(0, 0, 9, 7, 0.5f, 1);
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    check_pixels(&t, 0, 0, 9, 7, 0xff030201, 0);
    i = flat;
    i.samples = 8;
    assert_int_equal(weft_runner_bind_target(r, 1, &i, NULL), WEFT_OK);
    assert_int_equal(draw(r, &s, &call), WEFT_ERROR_USAGE);
    drop_drawer(r, programs);
}

static void draws_nothing_and_refuses(void **state)
{
    (void)state;
    struct picture t;
    weft_program *programs[2];
    weft_runner *r = make_drawer(programs, NULL, &t);
    weft_draw_call call;
    weft_draw_call_init(&call);
    struct shape s = rectangle(0, 0, 9, 7, 0.5f, 1);
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    call.vertex_count = 6;
    call.instances = 0;
    assert_int_equal(draw(r, &s, &call), WEFT_OK);
    check_pixels(&t, 0, 0, 0, 0, 0, 0x11111111);
    call.instances = 1;
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_ERROR_USAGE);
    weft_draw_call bad = call;
    bad.topology = (weft_topology)77;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    bad = call;
    bad.viewport[2] = 1e9f;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    bad = call;
    bad.scissor[0] = -1;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    bad = call;
    bad.size = 3;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    bad = call;
    bad.cull = (weft_cull)9;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    bad = call;
    bad.depth_compare = (weft_compare)9;
    assert_int_equal(draw(r, &s, &bad), WEFT_ERROR_USAGE);
    weft_image small = {
        .kind = WEFT_IMAGE_2D, .format = "R8G8B8A8_UNORM", .width = 4, .height = 4, .memory = t.depth, .bytes = 64};
    assert_int_equal(weft_runner_bind_target(r, 1, &small, NULL), WEFT_OK);
    assert_int_equal(draw(r, &s, &call), WEFT_ERROR_USAGE);
    assert_int_equal(weft_runner_bind_target(r, 0, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_target(r, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(draw(r, &s, &call), WEFT_ERROR_USAGE);
    drop_drawer(r, programs);
}

/* ---- messages, word for word ---- */

/* All messages, a line each, with their severity and code. */
static void all_messages(const weft_diags *diags, char *text, size_t size)
{
    static const char *const words[] = {"note", "warning", "error"};
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; weft_diags_get(diags, i); i++) {
        const weft_diag *d = weft_diags_get(diags, i);
        n += (size_t)snprintf(text + n, n < size ? size - n : 0, "%s %s: %s\n", words[d->severity], d->code,
                              d->message);
        assert_true(n < size);
    }
}

#define COMPUTE "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\n"
#define UNBOUND(what, n)                                                                                               \
    "the program has " what " " #n ", and nothing is bound there: it reads zeros, and what it stores is lost\n"

/* Nothing is bound but R32_UINT of 4 x 4 as image and texture 1, which is storage image 2, too. */
static void what_is_missing_is_said_once(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {COMPUTE "DCL BUFFER[0..1]\nDCL CONST[2][0]\nDCL CONST[5][0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "MOV TEMP[0], CONST[2][0]\nMOV TEMP[0], CONST[5][0]\n"
                 "STORE BUFFER[1].x, IMM[0].xxxx, IMM[0]\nSTORE BUFFER[1].x, IMM[0].xxxx, IMM[0]\nEND\n",
         "warning unbound-constants: " UNBOUND("constant buffer", 2) "warning unbound-constants: "
         UNBOUND("constant buffer", 5) "warning unbound-storage: " UNBOUND("buffer", 1)
         "warning bad-access: "},
        {COMPUTE "DCL IMAGE[1..7], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "STORE IMAGE[7], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT\n"
                 "STORE IMAGE[1], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT\n"
                 "STORE IMAGE[7], IMM[0].yyyy, IMM[0], 2D, PIPE_FORMAT_R32_UINT\n"
                 "LOAD TEMP[0], IMAGE[6], IMM[0].xxxx, 2D, PIPE_FORMAT_R32_UINT\nEND\n",
         "warning unbound-image: " UNBOUND("image", 7) "warning unbound-image: " UNBOUND("image", 6)},
        {COMPUTE "DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "UARL ADDR[0].x, IMM[0].yyyy\n"
                 "STORE IMAGE[ADDR[0].x], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT\nEND\n",
         ""}, /* which one is not known before it runs */
        {COMPUTE "DCL BUFFER[0]\nDCL TEMP[0]\nRESQ TEMP[0].x, BUFFER[0]\nEND\n", ""}, /* its size alone is asked for */
        {COMPUTE "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "STORE IMAGE[0], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R32_UINT\nEND\n",
         "warning unbound-image: " UNBOUND("image", 0)},
        {COMPUTE "DCL IMAGE[1], 2D, PIPE_FORMAT_R16_UINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "STORE IMAGE[1], IMM[0].xxxx, IMM[0], 2D, PIPE_FORMAT_R16_UINT\nEND\n",
         "error image-format: the program sees image 1, whose texels have another size than those of what is bound "
         "there\n"},
        {COMPUTE "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_SINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                 "ATOMUADD TEMP[0].x, IMAGE[1], IMM[0].xxxx, IMM[0].yyyy, 2D, PIPE_FORMAT_R32_SINT\nEND\n",
         ""},
        {COMPUTE "DCL SAMP[3]\nDCL SVIEW[3], 2D, FLOAT\nDCL TEMP[0]\nIMM[0] FLT32 {0, 0, 0, 0}\n"
                 "TEX_LZ TEMP[0], IMM[0], SAMP[3], 2D\nEND\n",
         "error no-texture: the program reads texture 3, and none is bound there (weft_runner_bind_texture)\n"},
        {COMPUTE "DCL SAMP[32]\nDCL SVIEW[32], 2D, FLOAT\nDCL TEMP[0]\nIMM[0] FLT32 {0, 0, 0, 0}\n"
                 "TEX_LZ TEMP[0], IMM[0], SAMP[32], 2D\nEND\n",
         "error texture-number: the program reads texture 32, and the numbers end at 31\n"},
        {COMPUTE "DCL SAMP[1]\nDCL SVIEW[1], 2D_ARRAY, FLOAT\nDCL TEMP[0]\nIMM[0] FLT32 {0, 0, 0, 0}\n"
                 "TEX_LZ TEMP[0], IMM[0], SAMP[1], 2D_ARRAY\nEND\n",
         "error texture-kind: the program reads texture 1 as 2D array, and what is bound there is 2D\n"},
        {COMPUTE "DCL SAMP[1]\nDCL SVIEW[1], 2D, UINT\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                 "TXF TEMP[0], IMM[0], SAMP[1], 2D\nEND\n",
         ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        _Alignas(16) uint32_t memory[16] = {0};
        const weft_image image = {.kind = WEFT_IMAGE_2D,
                                  .format = "R32_UINT",
                                  .width = 4,
                                  .height = 4,
                                  .memory = memory,
                                  .bytes = sizeof memory};
        char text[2000];
        weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, cases[i].text);
        weft_runner *r = make_runner(p, NULL);
        assert_int_equal(weft_runner_bind_image(r, 1, &image, NULL), WEFT_OK);
        assert_int_equal(weft_runner_bind_texture_image(r, 1, &image, NULL), WEFT_OK);
        bool error = strstr(cases[i].said, "error ") != NULL;
        for (int run = 0; run < 2; run++) {
            weft_diags *diags = weft_diags_new();
            weft_status status = weft_runner_dispatch(r, 1, 1, 1, diags);
            assert_int_equal(status == WEFT_OK, !error);
            all_messages(diags, text, sizeof text);
            const char *want = run == 0 || error ? cases[i].said : strstr(cases[i].said, "warning bad-access: ");
            want = want ? want : "";
            bool begins = strstr(want, "bad-access") != NULL; /* what comes then has counts */
            if (begins ? strncmp(text, want, strlen(want)) != 0 : strcmp(text, want) != 0)
                fail_msg("%zu, run %d: %s", i, run, text);
            weft_diags_free(diags);
        }
        weft_runner_free(r);
        weft_program_free(p);
    }
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    weft_program *p = make_kernel(&kernels[0]);
    weft_runner *r = make_runner(p, NULL);
    weft_diags *diags = weft_diags_new();
    _Alignas(16) uint8_t memory[64];
    char text[4000];
    weft_image image = {.kind = WEFT_IMAGE_2D, .format = "R8_UINT", .width = 4, .height = 4, .memory = memory,
                        .bytes = sizeof memory};
    weft_runner_bind_buffer(r, WEFT_RUN_BUFFERS, memory, 4, diags);
    weft_runner_bind_buffer(r, 3, memory + 2, 4, diags);
    weft_runner_bind_buffer(r, 4, NULL, 8, diags);
    weft_runner_bind_constants(r, WEFT_RUN_CONSTANTS + 5, memory, 4, diags);
    weft_runner_bind_texture(r, WEFT_RUN_TEXTURES, NULL, diags);
    weft_runner_bind_sampler(r, 99, NULL, diags);
    weft_runner_bind_image(r, WEFT_RUN_IMAGES, &image, diags);
    weft_runner_bind_target(r, WEFT_RUN_TARGETS, &image, diags);
    weft_runner_bind_attribute(r, WEFT_RUN_ATTRIBUTES, "R8_UINT", memory, 4, 4, 0, diags);
    weft_runner_bind_attribute(r, 0, "R9_UINT", memory, 4, 4, 0, diags);
    weft_runner_bind_depth(r, &image, diags);
    image.memory = memory + 8;
    weft_runner_bind_image(r, 0, &image, diags);
    image.memory = NULL;
    weft_runner_bind_image(r, 0, &image, diags);
    image.format = NULL;
    weft_runner_bind_image(r, 0, &image, diags);
    all_messages(diags, text, sizeof text);
    assert_string_equal(text, "error usage: buffer 64: the numbers end at 63\n"
                              "error usage: the memory of buffer 3 is not aligned to 4 bytes\n"
                              "error usage: buffer 4 has 8 bytes and no memory\n"
                              "error usage: constant buffer 37: the numbers end at 31\n"
                              "error usage: texture 32: the numbers end at 31\n"
                              "error usage: sampler 99: the numbers end at 31\n"
                              "error usage: image 32: the numbers end at 31\n"
                              "error usage: target 8: the numbers end at 7\n"
                              "error usage: attribute 32: the numbers end at 31\n"
                              "error usage: there is no format 'R9_UINT'\n"
                              "error usage: R8_UINT has neither depth nor stencil\n"
                              "error usage: the memory of an image is aligned to 16 bytes\n"
                              "error usage: the memory of an image is aligned to 16 bytes\n"
                              "error usage: there is no format ''\n");
    weft_diags_free(diags);
    weft_runner_free(r);
    weft_program_free(p);
}

TEST_MAIN(TEST(kernels_run), TEST(bytes_run_as_text_does), TEST(threads_and_engines_agree),
          TEST(constants_are_read_at_each_run), TEST(says_what_is_not_bound_and_outside),
          TEST(images_that_do_not_fit_are_named), TEST(workgroups_take_the_size_that_is_given), TEST(budgets_end_runs),
          TEST(refuses_wrong_programs_and_options), TEST(refuses_programs_that_break_rules),
          TEST(refuses_wrong_bindings), TEST(formats_are_near), TEST(images_are_measured),
          TEST(images_and_textures_are_used_in_place),
          TEST(samplers_are_copied), TEST(res_may_be_texels), TEST(draws_own_vertices_into_own_memory),
          TEST(depth_and_sides_count), TEST(targets_are_those_that_are_drawn_to),
          TEST(draws_nothing_and_refuses), TEST(what_is_missing_is_said_once), TEST(wrong_numbers_are_named))
