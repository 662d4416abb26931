/* Structs that grow: what callers with older and with newer headers hand over (weft/api.h), and the version's number.
 */
#include "test.h"

#include "base/sized.h"

#include <weft/weft.h>

/* A struct in three versions: `name` was its last member when it got its size. */
struct first {
    size_t size;
    int count;
    const char *name;
};
struct now {
    size_t size;
    int count;
    const char *name;
    uint64_t budget;
};
struct later {
    size_t size;
    int count;
    const char *name;
    uint64_t budget;
    void *hook;
};

static weft_status copy(struct now *to, const void *from, weft_diags *diags)
{
    memset(to, 0x55, sizeof *to);
    return sized_copy(to, sizeof *to, SIZED_FIRST(struct now, name), from, "now", diags);
}

static void takes_older_callers(void **state)
{
    (void)state;
    struct now got;
    struct {
        struct first options;
        unsigned char other[32]; /* what follows it is not the library's to read */
    } old = {.options = {sizeof(struct first), 3, "x"}};
    memset(old.other, 0xff, sizeof old.other);
    assert_int_equal(copy(&got, &old, NULL), WEFT_OK);
    assert_int_equal(got.count, 3);
    assert_string_equal(got.name, "x");
    assert_int_equal(got.budget, 0);
    old.options.size = 0;
    assert_int_equal(copy(&got, &old, NULL), WEFT_OK);
    assert_int_equal(got.budget, 0);
}

static void takes_newer_callers(void **state)
{
    (void)state;
    struct now got;
    struct later new = {sizeof new, 4, "y", 77, NULL};
    assert_int_equal(copy(&got, &new, NULL), WEFT_OK);
    assert_int_equal(got.budget, 77);
    weft_diags *diags = weft_diags_new();
    new.hook = &new;
    assert_int_equal(copy(&got, &new, diags), WEFT_ERROR_USAGE);
    assert_string_equal(weft_diags_get(diags, 0)->code, "struct-size");
    weft_diags_free(diags);
}

static void refuses_other_sizes(void **state)
{
    (void)state;
    struct now got, wrong = {.size = 4};
    assert_int_equal(copy(&got, &wrong, NULL), WEFT_ERROR_USAGE);
    wrong.size = SIZED_FIRST(struct now, name) - 1;
    assert_int_equal(copy(&got, &wrong, NULL), WEFT_ERROR_USAGE);
    wrong.size = (size_t)-1;
    assert_int_equal(copy(&got, &wrong, NULL), WEFT_ERROR_USAGE);
}

static void fills_what_there_is(void **state)
{
    (void)state;
    const struct now defaults = {0, 1, "z", 9};
    struct later large;
    memset(&large, 0x55, sizeof large);
    sized_init(&large, sizeof large, &defaults, sizeof defaults);
    assert_int_equal(large.size, sizeof large);
    assert_int_equal(large.budget, 9);
    assert_null(large.hook);
    struct {
        struct first options;
        uint64_t guard;
    } small;
    memset(&small, 0x55, sizeof small);
    sized_init(&small, sizeof small.options, &defaults, sizeof defaults);
    assert_int_equal(small.options.size, sizeof small.options);
    assert_int_equal(small.options.count, 1);
    assert_int_equal(small.guard, 0x5555555555555555);
    small.options = (struct first){.size = 0};
    assert_int_equal(sized_return(&small, SIZED_FIRST(struct now, name), &defaults, sizeof defaults), WEFT_OK);
    assert_int_equal(small.options.size, 0);
    assert_int_equal(small.options.count, 1);
    assert_int_equal(small.guard, 0x5555555555555555);
    small.options.size = 1;
    assert_int_equal(sized_return(&small, SIZED_FIRST(struct now, name), &defaults, sizeof defaults), WEFT_ERROR_USAGE);
}

/* ---- the structs of the interface ---- */

static const char text[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1, 0, 0, 1 }\nMOV OUT[0], IMM[0]\nEND\n";

static weft_status make(const weft_program_options *options, weft_diags *diags)
{
    weft_program *p = NULL;
    weft_status status = weft_program_from_text("tgsi", "a", text, sizeof text - 1, options, diags, &p);
    assert_true((status == WEFT_OK) == (p != NULL));
    weft_program_free(p);
    return status;
}

static void program_options_have_sizes(void **state)
{
    (void)state;
    weft_program_options o;
    memset(&o, 0x55, sizeof o);
    weft_program_options_init(&o);
    assert_int_equal(o.size, sizeof o);
    assert_int_equal(o.stage, WEFT_STAGE_NONE);
    assert_null(o.chip);
    assert_int_equal(make(&o, NULL), WEFT_OK);
    o.size = 0;
    assert_int_equal(make(&o, NULL), WEFT_OK);
    o.size = 3;
    weft_diags *diags = weft_diags_new();
    assert_int_equal(make(&o, diags), WEFT_ERROR_USAGE);
    assert_string_equal(weft_diags_get(diags, 0)->code, "struct-size");
    weft_diags_free(diags);
    struct {
        weft_program_options known;
        uint64_t unknown;
    } newer = {.unknown = 1};
    weft_program_options_init_sized(&newer.known, sizeof newer);
    assert_int_equal(newer.unknown, 0);
    assert_int_equal(make(&newer.known, NULL), WEFT_OK);
    newer.unknown = 1;
    assert_int_equal(make(&newer.known, NULL), WEFT_ERROR_USAGE);
}

static void draw_params_have_sizes(void **state)
{
    (void)state;
    weft_draw_params d;
    weft_program *p;
    uint8_t pixel[4] = {0};
    weft_picture picture = {WEFT_RGBA8_UNORM, 1, 1, 4, pixel};
    assert_int_equal(weft_program_from_text("tgsi", "a", text, sizeof text - 1, NULL, NULL, &p), WEFT_OK);
    memset(&d, 0x55, sizeof d);
    weft_draw_params_init(&d);
    assert_int_equal(d.size, sizeof d);
    assert_int_equal(d.budget, WEFT_DEFAULT_BUDGET);
    d.fragment = p;
    assert_int_equal(weft_draw(&d, &picture, NULL, NULL), WEFT_OK);
    assert_int_equal(pixel[0], 255);
    pixel[0] = 0;
    d.size = 0;
    assert_int_equal(weft_draw(&d, &picture, NULL, NULL), WEFT_OK);
    assert_int_equal(pixel[0], 255);
    d.size = 8;
    assert_int_equal(weft_draw(&d, &picture, NULL, NULL), WEFT_ERROR_USAGE);
    weft_program_free(p);
}

static const char *name_of(void *user, uint64_t address)
{
    (void)address;
    return user;
}

static void decoders_and_formats_have_sizes(void **state)
{
    (void)state;
    static const uint8_t branch[] = {0x03, 0xf0, 0x00, 0x10, 0x80, 0x07, 0x00, 0x00}; /* Tesla: bra 0x78 */
    const size_t sizes[] = {sizeof(weft_decoder_options), 0, 5};
    weft_decoder_options o = {.stage = WEFT_STAGE_NONE};
    weft_decoder *d;
    for (size_t i = 0; i < 3; i++) {
        o.size = sizes[i];
        assert_int_equal(weft_decoder_new("tesla", &o, &d), i < 2 ? WEFT_OK : WEFT_ERROR_USAGE);
        weft_decoder_free(d);
    }
    assert_int_equal(weft_decoder_new("tesla", NULL, &d), WEFT_OK);
    const size_t format_sizes[] = {sizeof(weft_format), 0, 5};
    for (size_t i = 0; i < 3; i++) {
        weft_format format = {format_sizes[i], name_of, "there"};
        weft_insn insn;
        char printed[WEFT_INSN_TEXT];
        assert_int_equal(weft_insn_decode(d, branch, sizeof branch, 0, &insn), WEFT_OK);
        weft_insn_text(d, &insn, &format, printed, sizeof printed, NULL, NULL);
        assert_true((strstr(printed, "there") != NULL) == (i < 2));
    }
    weft_decoder_free(d);
}

static void job_params_have_sizes(void **state)
{
    (void)state;
    static const char script[] = "#!amber\nBUFFER b DATA_TYPE uint8 DATA 1 END\nEXPECT b IDX 0 EQ 1\n";
    const size_t sizes[] = {sizeof(weft_job_params), 0, 5};
    for (int i = 0; i < 3; i++) {
        weft_job *job;
        weft_job_params params;
        memset(&params, 0x55, sizeof params);
        weft_job_params_init(&params);
        assert_int_equal(params.size, sizeof params);
        params.size = sizes[i];
        assert_int_equal(weft_job_new("a.amber", script, sizeof script - 1, NULL, &job), WEFT_OK);
        assert_int_equal(weft_job_run(job, &params, NULL), i == 2 ? WEFT_ERROR_USAGE : WEFT_OK);
        if (i == 2) /* it has not run yet */
            assert_int_equal(weft_job_run(job, NULL, NULL), WEFT_OK);
        assert_int_equal(weft_job_expectations(job), 1);
        weft_job_free(job);
    }
}

static void the_number_is_the_version(void **state)
{
    (void)state;
    unsigned major, minor, patch;
    char rest;
    assert_int_equal(sscanf(weft_version(), "%u.%u.%u%c", &major, &minor, &patch, &rest), 3);
    assert_int_equal(weft_version_number(), major * 10000 + minor * 100 + patch);
    assert_int_equal(weft_version_number(), WEFT_VERSION_NUMBER);
}

TEST_MAIN(TEST(takes_older_callers), TEST(takes_newer_callers), TEST(refuses_other_sizes), TEST(fills_what_there_is),
          TEST(program_options_have_sizes), TEST(draw_params_have_sizes), TEST(decoders_and_formats_have_sizes),
          TEST(job_params_have_sizes),
          TEST(the_number_is_the_version))
