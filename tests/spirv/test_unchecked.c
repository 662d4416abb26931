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

#define FRAGMENT "OpExecutionMode %main OriginUpperLeft\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
#define COMPUTE "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
/* A texture, t, its value, s, and its image, i, after numbers of both kinds. */
#define TEXTURE                                                                                                        \
    TYPES "%v2 = OpTypeVector %float 2\n%u2 = OpTypeVector %uint 2\n%zero = OpConstantNull %v2\n"                      \
    "%none = OpConstantNull %u2\n%four = OpConstant %uint 4\n%three = OpConstant %uint 3\n"                            \
    "%offsets = OpTypeArray %u2 %three\n%few = OpConstantNull %offsets\n"                                              \
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%type = OpTypeSampledImage %image\n"                              \
    "%pointer = OpTypePointer UniformConstant %type\n%t = OpVariable %pointer UniformConstant\n"
#define SAMPLES(line) TEXTURE BODY("%s = OpLoad %type %t\n%i = OpImage %image %s\n" line)
/* A storage image. */
#define STORAGE(line)                                                                                                  \
    TYPES "%u2 = OpTypeVector %uint 2\n%none = OpConstantNull %u2\n%u4 = OpTypeVector %uint 4\n"                       \
    "%nothing = OpConstantNull %u4\n%zero = OpConstantNull %uint\n%image = OpTypeImage %float 2D 0 0 0 2 R32f\n"       \
    "%pointer = OpTypePointer UniformConstant %image\n%t = OpVariable %pointer UniformConstant\n"                      \
    "%word = OpTypePointer Image %uint\n%local = OpTypePointer Function %uint\n" BODY(line)

/* A word, a short and a vector of the workgroup: w, s and v. */
#define ATOMIC(line)                                                                                                   \
    "OpCapability Int16\n" HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n" TYPES                       \
    "%short = OpTypeInt 16 0\n%zero = OpConstantNull %uint\n%one = OpConstant %uint 1\n"                               \
    "%little = OpConstant %short 1\n"                                                                                 \
    "%zeros = OpConstantNull %vec4\n%wv = OpTypePointer Workgroup %vec4\n%ws = OpTypePointer Workgroup %short\n"      \
    "%v = OpVariable %wv Workgroup\n%s = OpVariable %ws Workgroup\n%local = OpTypePointer Function %uint\n" BODY(line)
#define NO_ATOMIC "an atomic of this type, or of this storage class, is not executed"

#define LENGTHS(instruction)                                                                                           \
    "OpCapability Shader\nOpCapability Float64\n%ext = OpExtInstImport \"GLSL.std.450\"\n"                             \
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"   \
    TYPES "%double = OpTypeFloat 64\n%v2 = OpTypeVector %float 2\n%v3 = OpTypeVector %float 3\n"                      \
    "%f = OpConstantNull %float\n%d = OpConstantNull %double\n%zeros2 = OpConstantNull %v2\n"                         \
    "%zeros3 = OpConstantNull %v3\n" BODY("%x = OpExtInst %float %ext " instruction "\n")
#define NO_PAIR "its operands are of types that do not go together"

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
    {"a lookup at integers",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleImplicitLod %vec4 %s %none\n"),
     "the coordinate is not of 2 floats"},
    {"a fetch at floats", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageFetch %vec4 %i %zero\n"),
     "the coordinate is not of 2 integers"},
    {"a lookup at one number", HEAD("Fragment", "") FRAGMENT SAMPLES("%f = OpCompositeExtract %float %zero 0\n"
                                                                    "%x = OpImageSampleImplicitLod %vec4 %s %f\n"),
     "the coordinate is not of 2 floats"},
    {"a lookup in a number",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleImplicitLod %vec4 %zero %zero\n"),
     "is not an image"},
    {"a gather of a fifth component",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %s %zero %four\n"),
     "the component is not a constant from 0 to 3"},
    {"a gather at three offsets",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %s %zero %three ConstOffsets %few\n"),
     "its offsets are not four vectors of 2"},
    {"a reference that is an integer",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleDrefImplicitLod %float %s %zero %four\n"),
     "the coordinate is not of 1 floats"},
    {"integers stored in an image of floats",
     HEAD("GLCompute", "") COMPUTE STORAGE("%i = OpLoad %image %t\nOpImageWrite %i %none %nothing\n"),
     "the texel is not of the image's type"},
    {"a texel of what is not an image",
     HEAD("GLCompute", "") COMPUTE STORAGE("%l = OpVariable %local Function\n"
                                           "%x = OpImageTexelPointer %word %l %none %zero\n"),
     "its operand is not an image"},
    {"a workgroup of no invocations",
     HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 0 1 1\n" TYPES BODY(""),
     "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a workgroup of 2048 in a row", HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 2048 1\n" TYPES BODY(""),
     "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a workgroup of a type's size",
     HEAD("GLCompute", "") "OpExecutionModeId %main LocalSizeId %uint %uint %uint\n" TYPES BODY(""),
     "a size of the workgroup is not a constant"},
    {"floats of 8 bits that are rounded",
     HEAD("GLCompute", "") "OpExecutionMode %main RoundingModeRTZ 8\n" TYPES BODY(""),
     "floats have 16, 32 or 64 bits, not 8"},
    {"a mode that is not executed",
     HEAD("Fragment", "") "OpExecutionMode %main ShadingRateInterlockOrderedEXT\n" TYPES BODY(""),
     "the execution mode ShadingRateInterlockOrderedEXT is not executed"},
    {"the negative of a structure of an integer and a truth value",
     HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n" TYPES
     "%bool = OpTypeBool\n%both = OpTypeStruct %uint %bool\n%zeros = OpConstantNull %both\n"
     BODY("%x = OpSNegate %both %zeros\n"),
     "its operands are of types that it does not take"},
    {"an atomic on a variable of a function",
     ATOMIC("%l = OpVariable %local Function\n%x = OpAtomicIAdd %uint %l %one %zero %one\n"), NO_ATOMIC},
    {"an atomic on 16 bits", ATOMIC("%x = OpAtomicIAdd %short %s %one %zero %little\n"), NO_ATOMIC},
    {"an atomic on a vector", ATOMIC("%x = OpAtomicExchange %vec4 %v %one %zero %zeros\n"), NO_ATOMIC},
    {"the distance of a point in two dimensions from one in three", LENGTHS("Distance %zeros2 %zeros3"), NO_PAIR},
    {"the distance of a point in three dimensions from one in two", LENGTHS("Distance %zeros3 %zeros2"), NO_PAIR},
    {"the distance of a float from a double", LENGTHS("Distance %f %d"), NO_PAIR},
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
        if (spirv_assemble(text, strlen(text), "spv1.6", false, &arena, &words, &messages) != WEFT_OK)
            fail_msg("%s: it does not assemble", cases[i].name);
        assert_int_equal(spirv_read(words.word, words.count, "test", NULL, &params, &arena, &m, diags), WEFT_OK);
        assert_int_not_equal(spirv_lift(m, NULL, &arena, &p, diags), WEFT_OK);
        if (p || !says(diags, cases[i].says))
            fail_msg("%s: %s", cases[i].name, weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing");
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(test_refused))
