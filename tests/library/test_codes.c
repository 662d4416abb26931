/* Codes of diagnostics that only callers of the library meet, since the commands refuse these arguments by themselves:
 * an option that means nothing to the instruction set, an instruction set or a stage that does not exist. */
#include "test.h"

#include <weft/weft.h>

#include <stdbool.h>

/* A program that cannot be made: the status, the code and the message. */
static void refused(const char *isa, const weft_program_options *options, const char *code, const char *message)
{
    weft_diags *diags = weft_diags_new();
    weft_program *program = NULL;
    assert_int_equal(weft_program_from_text(isa, "x", "", 0, options, diags, &program), WEFT_ERROR_USAGE);
    assert_null(program);
    assert_int_equal(weft_diags_count(diags), 1);
    assert_string_equal(weft_diags_get(diags, 0)->code, code);
    assert_string_equal(weft_diags_get(diags, 0)->message, message);
    assert_non_null(weft_diag_explain(code));
    weft_diags_free(diags);
}

static weft_program_options defaults(void)
{
    weft_program_options options;
    weft_program_options_init(&options);
    return options;
}

static void options_that_mean_nothing(void **state)
{
    (void)state;
    weft_program_options options = defaults();
    options.linkage = "in GENERIC[0].x v[0x4]\n";
    options.linkage_size = strlen(options.linkage);
    refused("tgsi", &options, "no-linkage", "tgsi programs say how they are linked themselves");
    options = defaults();
    options.pack = 1;
    refused("tesla", &options, "no-groups", "tesla programs have no instruction groups to pack");
    options = defaults();
    options.labels = 1;
    refused("tgsi", &options, "no-labels", "tgsi programs get no labels at the targets of branches");
    options = defaults();
    options.defines = (const char *const[]){"X=1"};
    options.ndefines = 1;
    refused("tgsi", &options, "no-macros",
            "tgsi programs have no macros and include no files: 'X=1' is for GLSL and HLSL");
    options = defaults();
    options.base = 0x1000;
    refused("tgsi", &options, "no-base", "tgsi programs have no addresses: a base means nothing to them");
    options = defaults();
    options.base = UINT64_C(0x100000000);
    refused("vpu", &options, "bad-address", "a base of 0x100000000: addresses have 32 bits");
    options = defaults();
    options.entry = "main";
    refused("rogue", &options, "no-entry",
            "rogue programs start at their first instruction: an entry means nothing to them");
}

static void what_does_not_exist(void **state)
{
    (void)state;
    weft_program_options options = defaults();
    refused("teslo", NULL, "unknown-isa", "unknown instruction set 'teslo'");
    options.stage = (weft_stage)99;
    refused("tesla", &options, "unknown-stage", "stage 99 does not exist");
}

/* A name, and what follows '=' in one line. The shader is empty, and whether there is a compiler is of no interest. */
static void names_of_macros(void **state)
{
    (void)state;
    static const char *const good[] = {"X", "x9", "_", "A=", "A=1", "A=b c", "Z_0=-1", "q==="};
    static const char *const bad[] = {"",     "=",    "=1",    "1",     "9X",    "0=1",    "X 1",    "X-1",  "X+=1",
                                      "X.y", " X=1", "X=1\n", "X=\r1", "X\nY", "/X=1", ":=1", "X(a)=a", "-X"};
    for (unsigned i = 0; i < sizeof good / sizeof good[0] + sizeof bad / sizeof bad[0]; i++) {
        const unsigned ngood = sizeof good / sizeof good[0];
        const char *define = i < ngood ? good[i] : bad[i - ngood];
        weft_program_options options = defaults();
        weft_diags *diags = weft_diags_new();
        weft_program *program = NULL;
        options.defines = &define;
        options.ndefines = 1;
        options.stage = WEFT_COMPUTE;
        weft_program_from_text("glsl", "x.comp", "", 0, &options, diags, &program);
        bool refused_it = false;
        for (size_t k = 0; k < weft_diags_count(diags); k++)
            refused_it |= strcmp(weft_diags_get(diags, k)->code, "no-macros") == 0;
        if (refused_it != (i >= ngood))
            fail_msg("'%s' is %s", define, refused_it ? "refused" : "accepted");
        weft_program_free(program);
        weft_diags_free(diags);
    }
}

static void so_little_memory(void **state)
{
    (void)state;
    weft_program_options options = defaults();
    weft_program *program = NULL;
    options.memory = 10;
    assert_int_equal(weft_program_from_text("vpu", "x", "nop", 3, &options, NULL, &program), WEFT_ERROR_MEMORY);
    assert_null(program);
    options.memory = 1 << 20;
    assert_int_equal(weft_program_from_text("vpu", "x", "nop", 3, &options, NULL, &program), WEFT_OK);
    weft_program_free(program);
}

/* A check without a list has the status that it has with one. */
static void checks_without_a_list(void **state)
{
    (void)state;
    static const struct {
        const char *isa, *text;
        weft_status status;
    } programs[] = {
        {"tgsi", "FRAG\nDCL OUT[0], COLOR\n0: MOV OUT[0], TEMP[0]\n1: END\n", WEFT_ERROR_INPUT},
        {"tgsi", "FRAG\n0: END\n", WEFT_OK},
        {"tesla", "bra 0x1000\n", WEFT_ERROR_INPUT},
        {"tesla", "exit nop\n", WEFT_OK},
        {"valhall", "FADD.f32 r0, r1, r2\n", WEFT_ERROR_INPUT},
        {"valhall", "NOP.end\n", WEFT_OK},
        {"rogue", "0 : { br 64 }\n", WEFT_ERROR_INPUT},
        {"rogue", "0 : { nop }.end\n", WEFT_OK},
        {"vpu", "div.uu r0, r1, 0\n", WEFT_OK}, /* a warning */
    };
    for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        weft_diags *diags = weft_diags_new();
        weft_program *p;
        const char *text = programs[i].text;
        assert_int_equal(weft_program_from_text(programs[i].isa, "x", text, strlen(text), NULL, diags, &p), WEFT_OK);
        assert_int_equal(weft_program_check(p, diags), programs[i].status);
        assert_int_equal(weft_program_check(p, NULL), programs[i].status);
        weft_program_free(p);
        weft_diags_free(diags);
    }
    assert_int_equal(weft_diags_count(NULL) + weft_diags_errors(NULL), 0);
    assert_null(weft_diags_get(NULL, 0));
}

TEST_MAIN(TEST(checks_without_a_list), TEST(so_little_memory), TEST(names_of_macros), TEST(options_that_mean_nothing),
          TEST(what_does_not_exist))
