/* test_check.c - weft_job_check: all programs of a job are looked at, each once, and nothing runs. */
#include "test.h"

#include <weft/weft.h>

#define HEAD "#!amber\n"
#define GOOD "SHADER compute good TGSI\nCOMP\nEND\nEND\n"
#define BAD  "SHADER compute bad TGSI\nCOMP\n  FOO TEMP[0]\nEND\nEND\n" /* lines 2 to 6, when they come first */

/* What a job's check says: its status, how many programs, and which codes in which lines: "code@line ". */
struct said {
    weft_status status;
    size_t programs;
    char codes[400];
};

static struct said check(const char *text, const weft_job_params *params)
{
    struct said s = {0};
    const weft_diag *d;
    weft_job *job = NULL;
    weft_diags *diags = weft_diags_new();
    s.status = weft_job_new("job.amber", text, strlen(text), diags, &job);
    assert_int_equal(s.status, WEFT_OK);
    s.programs = 99;
    s.status = weft_job_check(job, params, diags, &s.programs);
    for (size_t i = 0, n = 0; (d = weft_diags_get(diags, i)); i++)
        n += (size_t)snprintf(s.codes + n, sizeof s.codes - n, "%s@%u ", d->code, d->line);
    assert_int_equal(weft_job_expectations(job), 0);
    weft_job_free(job);
    weft_diags_free(diags);
    return s;
}

static void expect_said(const char *text, weft_status status, size_t programs, const char *codes)
{
    struct said s = check(text, NULL);
    assert_string_equal(s.codes, codes);
    assert_int_equal(s.status, status);
    assert_int_equal(s.programs, programs);
}

static void which_programs(void **state)
{
    (void)state;
    expect_said(HEAD, WEFT_OK, 0, "");
    expect_said(HEAD GOOD, WEFT_OK, 1, "");
    expect_said(HEAD BAD, WEFT_ERROR_INPUT, 1, "unknown-instruction@4 ");
    expect_said(HEAD BAD GOOD "PIPELINE compute p\nATTACH good\nEND\nRUN p 1 1 1\n", WEFT_ERROR_INPUT, 2,
                "unknown-instruction@4 ");
    expect_said(HEAD BAD "PIPELINE compute p\nATTACH bad\nEND\n", WEFT_ERROR_INPUT, 1, "unknown-instruction@4 ");
    /* One program of two pipelines is made once, and what is wrong with it is told once. */
    expect_said(HEAD BAD "PIPELINE compute p\nATTACH bad\nEND\nPIPELINE compute q\nATTACH bad\nEND\n",
                WEFT_ERROR_INPUT, 1, "unknown-instruction@4 ");
    expect_said(HEAD GOOD "PIPELINE compute p\nATTACH good\nEND\nPIPELINE compute q\nATTACH good\nEND\n", WEFT_OK, 1,
                "");
    /* What a pipeline asks of the program is looked at for each of them. */
    expect_said(HEAD GOOD "PIPELINE compute p\nATTACH good\nEND\nPIPELINE compute q\nATTACH good\nSUBGROUP good\n"
                          "REQUIRED_SIZE 128\nEND\nEND\n",
                WEFT_ERROR_UNSUPPORTED, 1, "unsupported@10 ");
    /* Each that is wrong is told. */
    expect_said(HEAD BAD "SHADER fragment alone VALHALL-ASM\nNOPE r0\nEND\n" GOOD, WEFT_ERROR_INPUT, 3,
                "unknown-instruction@4 unknown-instruction@8 ");
    /* A warning of a checker, and what nobody can look at. */
    expect_said(HEAD "SHADER compute c TESLA-ASM\nst b32 g0[$r0] $r0\nEND\n", WEFT_OK, 1, "runs-off@3 ");
    expect_said(HEAD "SHADER multi m SPIRV-ASM\nEND\n" GOOD, WEFT_OK, 1, "unattached-shader@2 ");
}

/* Commands would take forever, more memory than there is, and not come out as expected. */
static void nothing_runs(void **state)
{
    (void)state;
    weft_job_params params;
    weft_job_params_init(&params);
    params.memory = 4 << 20;
    params.budget = 0;
    struct said s = check(HEAD "SHADER compute c TGSI\nCOMP\nBGNLOOP\nENDLOOP\nEND\nEND\n"
                               "BUFFER b DATA_TYPE uint32 SIZE 100000000 FILL 7\nPIPELINE compute p\nATTACH c\nEND\n"
                               "RUN p 30000 30000 1\nEXPECT b IDX 0 EQ 8\n", &params);
    assert_string_equal(s.codes, "");
    assert_int_equal(s.status, WEFT_OK);
    assert_int_equal(s.programs, 1);
    params.memory = 1;
    s = check(HEAD GOOD, &params);
    assert_int_equal(s.status, WEFT_ERROR_MEMORY);
}

static void once(void **state)
{
    (void)state;
    static const char text[] = HEAD GOOD "PIPELINE compute p\nATTACH good\nEND\nRUN p 1 1 1\n";
    for (int first = 0; first < 2; first++)
        for (int second = 0; second < 2; second++) {
            weft_job *job = NULL;
            assert_int_equal(weft_job_new("a", text, sizeof text - 1, NULL, &job), WEFT_OK);
            for (int i = 0; i < 2; i++) {
                weft_status wanted = i ? WEFT_ERROR_USAGE : WEFT_OK;
                int checks = i ? second : first;
                assert_int_equal(checks ? weft_job_check(job, NULL, NULL, NULL) : weft_job_run(job, NULL, NULL),
                                 wanted);
            }
            weft_job_free(job);
        }
}

/* Files that a shader is in are found as they are when the job runs. */
static void files(void **state)
{
    (void)state;
    static const char text[] = HEAD "SHADER compute c TGSI FILE such.tgsi\n";
    weft_job_params params;
    weft_job_params_init(&params);
    struct said s = check(text, NULL);
    assert_int_equal(s.status, WEFT_ERROR_FILE);
    assert_string_equal(s.codes, "file@2 ");
    params.files_from = "/nowhere";
    s = check(text, &params);
    assert_int_equal(s.status, WEFT_ERROR_FILE);
    assert_string_equal(s.codes, "outside-folder@2 ");
}

TEST_MAIN(TEST(which_programs), TEST(nothing_runs), TEST(once), TEST(files))
