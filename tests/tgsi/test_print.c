/* Writing TGSI text: the layout of Mesa's dumps, and that nothing is lost. */
#include "test.h"

#include "text.h"

#include "random_module.h"

static void the_layout_is_that_of_dumps(void **state)
{
    (void)state;
    struct text t = text_parse("frag property fs_coord_origin lower_left dcl in[0], generic[0], perspective "
                               "dcl out[0], color dcl temp[0..1] imm flt32 {1, 0.1, -1e30, 0x7fc00000} "
                               "imm int32 {-1, 2, 3, 4} bgnloop :0 if temp[0].xxxx :5 brk else :6 cont endif "
                               "switch temp[0].x case temp[0].y default endswitch endloop :0 "
                               "mad_sat_precise out[0].xy, -in[0], |temp[1].zzzz|, imm[0].yxzw end");
    assert_int_equal(t.status, WEFT_OK);
    assert_string_equal(text_round_trip(&t), "FRAG\n"
                                             "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
                                             "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                             "DCL OUT[0], COLOR\n"
                                             "DCL TEMP[0..1]\n"
                                             "IMM[0] FLT32 {1.0, 0.1, -1e+30, 0x7fc00000}\n"
                                             "IMM[1] INT32 {-1, 2, 3, 4}\n"
                                             "  0: BGNLOOP :0\n"
                                             "  1:   IF TEMP[0].xxxx :5\n"
                                             "  2:     BRK\n"
                                             "  3:   ELSE :6\n"
                                             "  4:     CONT\n"
                                             "  5:   ENDIF\n"
                                             "  6:   SWITCH TEMP[0].xxxx\n"
                                             "  7:     CASE TEMP[0].yyyy\n"
                                             "  8:     DEFAULT\n"
                                             "  9:   ENDSWITCH\n"
                                             " 10: ENDLOOP :0\n"
                                             " 11: MAD_SAT_PRECISE OUT[0].xy, -IN[0], |TEMP[1].zzzz|, IMM[0].yxzw\n"
                                             " 12: END\n");
    text_free(&t);
}

static void deep_nesting_does_not_square_the_text(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    char *source = malloc(DEPTH * 10 + 10), *p = source + sprintf(source, "FRAG\n");
    for (int i = 0; i < DEPTH; i++)
        p += sprintf(p, "BGNLOOP\n");
    struct text t = text_parse(source);
    char *out;
    size_t size;
    assert_int_equal(t.status, WEFT_OK);
    assert_int_equal(tgsi_print(t.m, &t.arena, &out, &size, NULL), WEFT_OK);
    assert_true(size < DEPTH * 100);
    text_free(&t);
    free(source);
}

static void random_modules_survive_text(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("modules");
    static struct random_module x;
    for (int i = 0; i < 4000; i++) {
        random_module(&rng, &x);
        struct text t = {.src = {"random", NULL, 0}, .diags = weft_diags_new(), .m = &x.m};
        text_round_trip(&t);
        text_free(&t);
    }
}

static void different_modules_are_not_equal(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"FRAG END", "VERT END"},
        {"FRAG END", "FRAG END END"},
        {"FRAG END", "FRAG NOP"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], IN[1]"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0].x, IN[0]"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], -IN[0]"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], |IN[0]|"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], IN[0].xxxx"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], IN[0](1)"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV OUT[0], IN[0][0]"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV_SAT OUT[0], IN[0]"},
        {"FRAG MOV OUT[0], IN[0]", "FRAG MOV_PRECISE OUT[0], IN[0]"},
        {"FRAG MOV OUT[0], IN[ADDR[0].x]", "FRAG MOV OUT[0], IN[ADDR[0].y]"},
        {"FRAG TEX OUT[0], IN[0], SAMP[0], 2D", "FRAG TEX OUT[0], IN[0], SAMP[0], 3D"},
        {"FRAG TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0]", "FRAG TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].x"},
        {"FRAG CAL :1", "FRAG CAL :2"},
        {"FRAG ELSE", "FRAG ELSE :0"},
        {"GEOM EMIT", "GEOM EMIT IMM[0]"},
        {"FRAG LOAD TEMP[0], BUFFER[0], TEMP[1]", "FRAG LOAD TEMP[0], BUFFER[0], TEMP[1], COHERENT"},
        {"FRAG DCL IN[0]", "FRAG DCL IN[0], COLOR"},
        {"FRAG DCL IN[0], COLOR", "FRAG DCL IN[0], COLOR[1]"},
        {"FRAG DCL IN[0], COLOR", "FRAG DCL IN[0], COLOR, LINEAR"},
        {"FRAG DCL IN[0], COLOR", "FRAG DCL IN[0], COLOR, CENTROID"},
        {"FRAG DCL IN[0]", "FRAG DCL IN[0..1]"},
        {"FRAG DCL SVIEW[0], 2D, FLOAT", "FRAG DCL SVIEW[0], 2D, FLOAT, FLOAT, FLOAT, UINT"},
        {"GEOM DCL OUT[0]", "GEOM DCL OUT[0], STREAM(0, 0, 0, 1)"},
        {"FRAG IMM FLT32 {0, 0, 0, 0}", "FRAG IMM FLT32 {0, 0, 0, -0.0}"},
        {"FRAG IMM FLT32 {0, 0, 0, 0}", "FRAG IMM UINT32 {0, 0, 0, 0}"},
        {"FRAG PROPERTY FS_DEPTH_LAYOUT 1", "FRAG PROPERTY FS_DEPTH_LAYOUT 2"},
        {"FRAG DCL IN[0] IMM FLT32 {0, 0, 0, 0}", "FRAG IMM FLT32 {0, 0, 0, 0} DCL IN[0]"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct text a = text_parse(pairs[i][0]), b = text_parse(pairs[i][1]);
        assert_int_equal(a.status, WEFT_OK);
        assert_int_equal(b.status, WEFT_OK);
        assert_true(tgsi_module_equal(a.m, a.m));
        if (tgsi_module_equal(a.m, b.m) || tgsi_module_equal(b.m, a.m))
            fail_msg("%s\n%s", pairs[i][0], pairs[i][1]);
        text_free(&a);
        text_free(&b);
    }
    struct text a = text_parse("FRAG DCL IN[0], COLOR[0] MOV OUT[0], IN[0].x"),
                b = text_parse("frag\ndcl in[0],color\n\n7:mov out[0].xyzw,in[0].xxxx");
    assert_true(tgsi_module_equal(a.m, b.m));
    text_free(&a);
    text_free(&b);
}

TEST_MAIN(TEST(the_layout_is_that_of_dumps), TEST(deep_nesting_does_not_square_the_text),
          TEST(random_modules_survive_text), TEST(different_modules_are_not_equal))
