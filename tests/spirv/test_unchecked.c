/* test_unchecked.c - modules that break rules which only the validator knows: without it, the lift refuses them by name
 * and in no time, and what it does lift satisfies the verifier. Each was found by a fuzzer. */
#include "test.h"

#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

#include <string.h>

#define HEAD(model, interface) \
    "OpCapability Shader\nOpCapability Tessellation\nOpMemoryModel Logical GLSL450\n" \
    "OpEntryPoint " model " %main \"main\" " interface "\n"
#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%vec4 = OpTypeVector %float 4\n"         \
    "%uint = OpTypeInt 32 0\n%in = OpTypePointer Input %vec4\n%out = OpTypePointer Output %vec4\n"
#define BODY(line) "%main = OpFunction %void None %fn\n%entry = OpLabel\n" line "OpReturn\nOpFunctionEnd\n"

static const struct {
    const char *name, *text, *says;
} cases[] = {
    {"an input by location in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a Location 0\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "a compute program has no inputs and outputs but builtin inputs"},
    {"an output by location in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a Location 0\n" TYPES
     "%zero = OpConstantNull %vec4\n%a = OpVariable %out Output\n" BODY("OpStore %a %zero\n"),
     "a compute program has no inputs and outputs but builtin inputs"},
    {"the place of a fragment in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a BuiltIn FragCoord\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "the builtin FragCoord is not executed"},
    {"a size of workgroups with four components",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a BuiltIn WorkgroupSize\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "the builtin WorkgroupSize is not executed"},
    {"an array of 2^31 inputs",
     HEAD("TessellationEvaluation", "%a") "OpExecutionMode %main Triangles\nOpDecorate %a Location 0\n" TYPES
     "%n = OpConstant %uint 2139095040\n%arr = OpTypeArray %vec4 %n\n%arrp = OpTypePointer Input %arr\n"
     "%a = OpVariable %arrp Input\n" BODY("%at = OpAccessChain %in %a %n\n%x = OpLoad %vec4 %at\n"),
     "an input or output has more than 4096 parts"},
};

static bool says(const weft_diags *diags, const char *text)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(diags, i)); i++)
        if (strstr(d->message, text))
            return true;
    return false;
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct spirv_words words;
        struct spirv_messages messages;
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        weft_diags *diags = weft_diags_new();
        const struct isa_params params = {.stage = -1};
        const char *text = cases[i].text;
        assert_int_equal(spirv_assemble(text, strlen(text), "spv1.0", false, &arena, &words, &messages), WEFT_OK);
        assert_int_equal(spirv_read(words.word, words.count, "test", NULL, &params, &arena, &m, diags), WEFT_OK);
        assert_int_not_equal(spirv_lift(m, NULL, &arena, &p, diags), WEFT_OK);
        if (p || !says(diags, cases[i].says))
            fail_msg("%s: %s", cases[i].name, weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing");
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(test_refused))
