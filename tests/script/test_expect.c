/* test_expect.c - which expectations hold: one job has them all, and the letter at the end of each line says whether it
 * does (H) or fails (F). */
#include "test.h"

#include "weft/weft.h"

static const char script[] =
    "#!amber\n"
    "BUFFER s8 DATA_TYPE int8 DATA -128 -1 0 127 END\n"
    "BUFFER u8 DATA_TYPE uint8 DATA 0 127 128 255 END\n"
    "BUFFER s64 DATA_TYPE int64 DATA -9223372036854775808 -1 0 9223372036854775807 END\n"
    "BUFFER u64 DATA_TYPE uint64 DATA 0 9223372036854775807 9223372036854775808 18446744073709551615 END\n"
    "BUFFER f DATA_TYPE float DATA -1 0 2 nan inf END\n"
    "BUFFER d DATA_TYPE double DATA 0.1 100 END\n"
    "BUFFER h DATA_TYPE float16 DATA 0.1 100 END\n"
    "BUFFER v DATA_TYPE vec3<int32> DATA 10 20 30  40 50 60 END\n"
    /* Less, equal and greater, of each kind of number. */
    "EXPECT s8 IDX 1 EQ -1 #H\nEXPECT s8 IDX 1 EQ 0 #F\nEXPECT s8 IDX 1 NE -1 #F\nEXPECT s8 IDX 1 NE 1 #H\n"
    "EXPECT s8 IDX 1 LT -1 #F\nEXPECT s8 IDX 1 LT 0 #H\nEXPECT s8 IDX 1 LT -2 #F\n"
    "EXPECT s8 IDX 1 LE -1 #H\nEXPECT s8 IDX 1 LE 0 #H\nEXPECT s8 IDX 1 LE -2 #F\n"
    "EXPECT s8 IDX 1 GT -1 #F\nEXPECT s8 IDX 1 GT 0 #F\nEXPECT s8 IDX 1 GT -2 #H\n"
    "EXPECT s8 IDX 1 GE -1 #H\nEXPECT s8 IDX 1 GE 0 #F\nEXPECT s8 IDX 1 GE -2 #H\n"
    "EXPECT u8 IDX 2 EQ 128 #H\nEXPECT u8 IDX 2 EQ -128 #H\nEXPECT u8 IDX 2 NE 128 #F\n"
    "EXPECT u8 IDX 2 LT 128 #F\nEXPECT u8 IDX 2 LT 129 #H\nEXPECT u8 IDX 2 LT 127 #F\n"
    "EXPECT u8 IDX 2 LE 128 #H\nEXPECT u8 IDX 2 LE 127 #F\nEXPECT u8 IDX 2 LE 255 #H\n"
    "EXPECT u8 IDX 2 GT 128 #F\nEXPECT u8 IDX 2 GT 127 #H\nEXPECT u8 IDX 2 GT 255 #F\n"
    "EXPECT u8 IDX 2 GE 128 #H\nEXPECT u8 IDX 2 GE 129 #F\nEXPECT u8 IDX 2 GE 0 #H\n"
    "EXPECT s64 IDX 0 LT -9223372036854775807 #H\nEXPECT s64 IDX 0 GT 9223372036854775807 #F\n"
    "EXPECT s64 IDX 24 GT 9223372036854775806 #H\nEXPECT s64 IDX 24 LT -1 #F\nEXPECT s64 IDX 8 LT 0 #H\n"
    "EXPECT u64 IDX 24 GT 9223372036854775807 #H\nEXPECT u64 IDX 24 LT 1 #F\nEXPECT u64 IDX 16 GT 9223372036854775807 "
    "#H\nEXPECT u64 IDX 16 LT 9223372036854775807 #F\nEXPECT u64 IDX 24 EQ 18446744073709551614 #F\n"
    "EXPECT f IDX 0 EQ -1 0 2 #H\nEXPECT f IDX 0 LT 0 1 3 #H\nEXPECT f IDX 0 LT 0 1 2 #F\nEXPECT f IDX 0 LE -1 0 2 #H\n"
    "EXPECT f IDX 0 GT -2 -1 2 #F\nEXPECT f IDX 0 GT -2 -1 1 #H\nEXPECT f IDX 0 GE -1 0 3 #F\n"
    "EXPECT f IDX 0 GE -1 0 2 #H\nEXPECT f IDX 4 EQ -0 #H\n"
    /* What is not a number is not equal to anything, nor less or greater. */
    "EXPECT f IDX 12 EQ nan #F\nEXPECT f IDX 12 NE nan #H\nEXPECT f IDX 12 NE 1 #H\nEXPECT f IDX 12 LT 1 #F\n"
    "EXPECT f IDX 12 LE 1 #F\nEXPECT f IDX 12 GT 1 #F\nEXPECT f IDX 12 GE 1 #F\nEXPECT f IDX 12 TOLERANCE 9 EQ 1 #F\n"
    "EXPECT f IDX 0 EQ nan #F\nEXPECT f IDX 16 EQ inf #H\nEXPECT f IDX 16 EQ -inf #F\n"
    "EXPECT f IDX 16 TOLERANCE 1 EQ inf #H\nEXPECT f IDX 16 TOLERANCE 1 EQ 1 #F\nEXPECT f IDX 16 GT 3e38 #H\n"
    /* Wanted numbers are those that the type has. */
    "EXPECT d IDX 0 EQ 0.1 #H\nEXPECT d IDX 0 EQ 0.10000000149 #F\nEXPECT h IDX 0 EQ 0.1 #H\nEXPECT h IDX 0 EQ "
    "0.099975586 #H\n"
    "EXPECT h IDX 0 EQ 0.0999 #F\nEXPECT h IDX 0 EQ 0.1001 #F\n"
    /* Tolerances, in numbers and in parts of what is wanted. */
    "EXPECT d IDX 8 TOLERANCE 1 EQ 101 #H\nEXPECT d IDX 8 TOLERANCE 1 EQ 99 #H\nEXPECT d IDX 8 TOLERANCE 1 EQ 101.5 "
    "#F\n"
    "EXPECT d IDX 8 TOLERANCE 1 EQ 98.5 #F\nEXPECT d IDX 8 TOLERANCE 0 EQ 100 #H\nEXPECT d IDX 8 TOLERANCE 0 EQ 101 "
    "#F\n"
    "EXPECT d IDX 8 TOLERANCE 100% EQ 50 #H\nEXPECT d IDX 8 TOLERANCE 99% EQ 50 #F\nEXPECT d IDX 8 TOLERANCE 50% EQ "
    "200 #H\n"
    "EXPECT d IDX 8 TOLERANCE 49% EQ 200 #F\nEXPECT d IDX 8 TOLERANCE 50 % EQ 200 #H\n"
    "EXPECT d IDX 8 TOLERANCE 200% EQ -100 #H\nEXPECT d IDX 8 TOLERANCE 199% EQ -100 #F\n"
    "EXPECT s64 IDX 24 TOLERANCE 1 EQ 9223372036854775806 #H\nEXPECT s64 IDX 24 TOLERANCE 1 EQ 9223372036854775805 #F\n"
    "EXPECT s64 IDX 0 TOLERANCE 1 EQ 9223372036854775807 #F\nEXPECT s64 IDX 8 TOLERANCE 1 EQ 0 #H\n"
    "EXPECT s64 IDX 8 TOLERANCE 1 EQ -2 #H\nEXPECT s64 IDX 8 TOLERANCE 1 EQ 1 #F\nEXPECT s64 IDX 8 TOLERANCE 1 EQ -3 "
    "#F\n"
    "EXPECT u64 IDX 24 TOLERANCE 1 EQ 18446744073709551614 #H\nEXPECT u64 IDX 24 TOLERANCE 1 EQ 0 #F\n"
    "EXPECT v IDX 0 TOLERANCE 1 2 3 EQ 11 22 33 41 52 63 #H\nEXPECT v IDX 0 TOLERANCE 1 2 3 EQ 12 20 30 #F\n"
    "EXPECT v IDX 0 TOLERANCE 1 2 3 EQ 10 23 30 #F\nEXPECT v IDX 0 TOLERANCE 1 2 3 EQ 10 20 34 #F\n"
    "EXPECT v IDX 16 TOLERANCE 1 2 3 EQ 41 48 57 #H\nEXPECT v IDX 16 TOLERANCE 1 2 3 EQ 42 50 60 #F\n"
    "EXPECT v IDX 4 TOLERANCE 1 2 EQ 22 30 #H\nEXPECT v IDX 4 TOLERANCE 1 2 EQ 22 31 #F\nEXPECT v IDX 8 TOLERANCE 5 EQ "
    "35 45 #H\n"
    "EXPECT v IDX 8 EQ 30 40 50 60 #H\nEXPECT v IDX 8 EQ 30 40 50 61 #F\n"
    /* Whole buffers. */
    "BUFFER a DATA_TYPE vec2<float> DATA 1 2 3 4 END\nBUFFER b DATA_TYPE vec2<float> DATA 1 2 3 4 END\n"
    "BUFFER c DATA_TYPE vec2<float> DATA 1 2 3 6 END\nBUFFER e DATA_TYPE vec2<float> DATA 2 3 4 5 END\n"
    "EXPECT a EQ_BUFFER b #H\nEXPECT a EQ_BUFFER c #F\n"
    "EXPECT a RMSE_BUFFER b TOLERANCE 0 #H\nEXPECT a RMSE_BUFFER c TOLERANCE 1 #H\nEXPECT a RMSE_BUFFER c TOLERANCE "
    "0.999 #F\n"
    "EXPECT a RMSE_BUFFER e TOLERANCE 1 #H\nEXPECT a RMSE_BUFFER e TOLERANCE 0.999 #F\n"
    "EXPECT e RMSE_BUFFER a TOLERANCE 1 #H\n"
    /* Pixels: 0 to 255 for 0 to 1, integers as they are. */
    "IMAGE p FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA 0 64 128 255  1 2 3 4  5 6 7 8  9 10 11 12 END\n"
    "IMAGE q FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA 0 64 128 255  1 2 3 4  5 6 7 8  9 10 11 16 END\n"
    "IMAGE i FORMAT R16G16B16A16_SINT DIM_2D WIDTH 1 HEIGHT 1 DATA -7 7 200 100 END\n"
    "IMAGE j FORMAT R16G16B16A16_UINT DIM_2D WIDTH 1 HEIGHT 1 DATA 70 7 200 100 END\n"
    "IMAGE g FORMAT R8G8_UNORM DIM_2D WIDTH 1 HEIGHT 1 DATA 10 20 END\n"
    "IMAGE w FORMAT R32G32B32A32_SFLOAT DIM_2D WIDTH 1 HEIGHT 2 DATA 0.5 1 0 1  0 0 0 0.25 END\n"
    "EXPECT p IDX 0 0 SIZE 1 1 EQ_RGBA 0 64 128 255 #H\nEXPECT p IDX 0 0 SIZE 1 1 EQ_RGBA 1 64 128 255 #F\n"
    "EXPECT p IDX 0 0 SIZE 1 1 EQ_RGBA 0 65 128 255 #F\nEXPECT p IDX 0 0 SIZE 1 1 EQ_RGBA 0 64 127 255 #F\n"
    "EXPECT p IDX 0 0 SIZE 1 1 EQ_RGBA 0 64 128 254 #F\nEXPECT p IDX 0 0 SIZE 1 1 EQ_RGB 0 64 128 #H\n"
    "EXPECT p IDX 0 0 SIZE 1 1 EQ_RGB 0 64 129 #F\nEXPECT p IDX 0 0 SIZE 1 1 EQ_RGB 0.5 63.5 128.5 #H\n"
    "EXPECT p IDX 0 0 SIZE 1 1 EQ_RGB 0.52 64 128 #F\nEXPECT p IDX 0 0 SIZE 1 1 EQ_RGB 0 63.48 128 #F\n"
    "EXPECT p IDX 1 0 SIZE 1 1 EQ_RGBA 1 2 3 4 #H\nEXPECT p IDX 0 1 SIZE 1 1 EQ_RGBA 5 6 7 8 #H\n"
    "EXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 12 #H\nEXPECT p IDX 0 1 SIZE 2 1 EQ_RGBA 5 6 7 8 #F\n"
    "EXPECT p IDX 1 0 SIZE 1 2 EQ_RGBA 1 2 3 4 #F\nEXPECT p IDX 0 1 SIZE 2 1 TOLERANCE 4 EQ_RGBA 5 6 7 8 #H\n"
    "EXPECT p IDX 0 1 SIZE 2 1 TOLERANCE 3 EQ_RGBA 5 6 7 8 #F\nEXPECT p IDX 1 0 SIZE 1 2 TOLERANCE 8 EQ_RGBA 1 2 3 4 "
    "#H\n"
    "EXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 12 TOLERANCE 0 #H\nEXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 13 "
    "TOLERANCE 0 #F\n"
    "EXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 13 TOLERANCE 0 0 0 1 #H\nEXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 15 "
    "TOLERANCE 0 0 0 25% #H\nEXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 9 10 11 16 TOLERANCE 0 0 0 24% #F\n"
    "EXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 8 10 11 12 TOLERANCE 0 1 1 1 #F\nEXPECT p IDX 1 1 SIZE 1 1 EQ_RGBA 8 9 11 12 "
    "TOLERANCE 1 1 #H\n"
    "EXPECT j IDX 0 0 SIZE 1 1 EQ_RGBA 70 7 200 100 #H\nEXPECT j IDX 0 0 SIZE 1 1 EQ_RGBA 70 8 200 100 #F\n"
    "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 7 7 200 100 #F\nEXPECT i IDX 0 0 SIZE 1 1 TOLERANCE 7 EQ_RGBA 0 7 200 100 #H\n"
    "EXPECT i IDX 0 0 SIZE 1 1 TOLERANCE 6 EQ_RGBA 0 7 200 100 #F\n"
    "EXPECT g IDX 0 0 SIZE 1 1 EQ_RGBA 10 20 77 88 #H\nEXPECT g IDX 0 0 SIZE 1 1 EQ_RGBA 10 21 77 88 #F\n"
    "EXPECT w IDX 0 0 SIZE 1 1 EQ_RGBA 127.5 255 0 255 #H\nEXPECT w IDX 0 1 SIZE 1 1 EQ_RGBA 0 0 0 63.75 #H\n"
    "EXPECT w IDX 0 1 SIZE 1 1 EQ_RGBA 0 0 0 64.5 #F\nEXPECT w IDX 0 1 SIZE 1 1 EQ_RGB 0 0 0 #H\n"
    "EXPECT p EQ_BUFFER q #F\nEXPECT p EQ_BUFFER p #H\n"
    "EXPECT p RMSE_BUFFER q TOLERANCE 1 #H\nEXPECT p RMSE_BUFFER q TOLERANCE 0.99 #F\n"
    /* One of 4 pixels is 4 bins farther: 4 / 4 / 256. */
    "EXPECT p EQ_HISTOGRAM_EMD_BUFFER q TOLERANCE 0.00390625 #H\nEXPECT p EQ_HISTOGRAM_EMD_BUFFER q TOLERANCE 0.0039 "
    "#F\n"
    "EXPECT q EQ_HISTOGRAM_EMD_BUFFER p TOLERANCE 0.00390625 #H\nEXPECT q EQ_HISTOGRAM_EMD_BUFFER p TOLERANCE 0.0039 "
    "#F\n"
    "EXPECT p EQ_HISTOGRAM_EMD_BUFFER p TOLERANCE 0 #H\n";

/* The letter at the end of a line. */
static char letter(unsigned line)
{
    const char *p = script;
    while (--line)
        p = strchr(p, '\n') + 1;
    return strchr(p, '\n')[-1];
}

static void each_holds_or_fails(void **state)
{
    (void)state;
    weft_job *job;
    weft_diags *diags = weft_diags_new();
    assert_int_equal(weft_job_new("a.amber", script, sizeof script - 1, diags, &job), WEFT_OK);
    weft_status status = weft_job_run(job, NULL, diags);
    unsigned wrong = 0, failed = 0;
    for (size_t i = 0; i < weft_job_expectations(job); i++) {
        weft_expectation e;
        assert_true(weft_job_get_expectation(job, i, &e));
        failed += !e.passed;
        if (letter(e.line) == (e.passed ? 'H' : 'F'))
            continue;
        print_message("line %u: %s: %s %s, wanted %s\n", e.line, e.command, e.where, e.found, e.wanted);
        wrong++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(weft_job_failures(job), failed);
    size_t lines = 0;
    for (const char *p = script; (p = strstr(p, "EXPECT ")) != NULL; p++)
        lines++;
    assert_int_equal(weft_job_expectations(job), lines);
    weft_job_free(job);
    weft_diags_free(diags);
}

static const char failing[] =
    "#!amber\n"
    "BUFFER a DATA_TYPE float DATA 0.1 2 END\nBUFFER b DATA_TYPE float DATA 0.1 2.5 END\n"
    "BUFFER d DATA_TYPE double DATA 0.1 END\nBUFFER s DATA_TYPE int64 DATA -5 END\nBUFFER u DATA_TYPE uint64 DATA -5 "
    "END\n"
    "IMAGE p FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA 1 2 3 4  1 2 3 4  1 2 3 5  1 2 3 6 END\n"
    "IMAGE q FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA 1 2 3 4  1 2 3 4  1 2 3 5  1 2 3 8 END\n"
    "EXPECT a IDX 0 EQ 0.1 3\nEXPECT a IDX 0 LT 1 2\nEXPECT d IDX 0 EQ 0.25\nEXPECT s IDX 0 GE 5\nEXPECT u IDX 0 EQ "
    "-4\n"
    "EXPECT p IDX 0 0 SIZE 2 2 EQ_RGBA 1 2 3 4\nEXPECT p IDX 1 0 SIZE 1 2 EQ_RGB 1 2 4\n"
    "EXPECT p IDX 0 1 SIZE 2 1 EQ_RGBA 1 2 3 5\n"
    "EXPECT a EQ_BUFFER b\nEXPECT p EQ_BUFFER q\nEXPECT a RMSE_BUFFER b TOLERANCE 0.25\n"
    "EXPECT p EQ_HISTOGRAM_EMD_BUFFER q TOLERANCE 0.001\n";

static const struct {
    const char *where, *found, *wanted;
} reasons[] = {
    {"byte 4 (value 2 of 2)", "2", "3"},
    {"byte 4 (value 2 of 2)", "2", "LT 2"},
    {"byte 0 (value 1 of 1)", "0.10000000000000001", "0.25"},
    {"byte 0 (value 1 of 1)", "-5", "GE 5"},
    {"byte 0 (value 1 of 1)", "18446744073709551611", "18446744073709551612"},
    {"pixel (0, 1), first of 2 that differ", "(1, 2, 3, 5)", "(1, 2, 3, 4)"},
    {"pixel (1, 0), first of 2 that differ", "(1, 2, 3)", "(1, 2, 4)"},
    {"pixel (1, 1), first of 1 that differ", "(1, 2, 3, 6)", "(1, 2, 3, 5)"},
    {"byte 4", "2", "2.5"},
    {"byte 15", "6", "8"},
    {"", "a root mean square difference of 0.353553391", "at most 0.25"}, /* of 0 and 0.5 */
    {"", "a histogram distance of 0.001953125", "at most 0.001"},         /* 2 of 4 * 256 */
};

static void each_says_what_it_found(void **state)
{
    (void)state;
    weft_job *job;
    weft_diags *diags = weft_diags_new();
    const size_t count = sizeof reasons / sizeof reasons[0];
    assert_int_equal(weft_job_new("a.amber", failing, sizeof failing - 1, diags, &job), WEFT_OK);
    assert_int_equal(weft_job_run(job, NULL, diags), WEFT_OK);
    assert_int_equal(weft_job_expectations(job), count);
    assert_int_equal(weft_job_failures(job), count);
    for (size_t i = 0; i < count; i++) {
        weft_expectation e;
        assert_true(weft_job_get_expectation(job, i, &e));
        assert_string_equal(e.where, reasons[i].where);
        assert_string_equal(e.found, reasons[i].found);
        assert_string_equal(e.wanted, reasons[i].wanted);
        assert_int_equal(e.line, 9 + i);
        const char *command = strstr(failing, "EXPECT");
        for (size_t k = 0; k < i; k++)
            command = strstr(command + 1, "EXPECT");
        assert_memory_equal(e.command, command, strlen(e.command));
        assert_int_equal(command[strlen(e.command)], '\n');
    }
    weft_expectation e;
    assert_false(weft_job_get_expectation(job, count, &e));
    weft_job_free(job);
    weft_diags_free(diags);
}

TEST_MAIN(TEST(each_holds_or_fails), TEST(each_says_what_it_found))
