/* test_modes.c - what modules tell the device of themselves: each execution mode alone, and what builtins say. */
#include "test.h"

#include "ir/io.h"
#include "ir/ir.h"
#include "ir/words.h"
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

#define GEOMETRY "OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\n"
#define VERTICES "OpExecutionMode %main OutputVertices 5\n"
#define MODE(words) "OpExecutionMode %main " words "\n"
#define NOT_LIFTED "it is not lifted"
#define UPPER MODE("OriginUpperLeft")
#define SIZE MODE("LocalSize 4 2 3")

static const struct {
    enum ir_stage stage;
    const char *needs, *modes, *properties; /* capabilities and extensions */
} modules[] = {
    {IR_VERTEX, "", "", ""},
    {IR_FRAGMENT, "", UPPER, "uses_derivatives 1"},
    {IR_FRAGMENT, "", MODE("OriginLowerLeft"), "origin_lower_left 1 uses_derivatives 1"},
    {IR_FRAGMENT, "", UPPER MODE("PixelCenterInteger"), "center_integer 1 uses_derivatives 1"},
    {IR_FRAGMENT, "", UPPER MODE("EarlyFragmentTests"), "early_depth_stencil 1 uses_derivatives 1"},
    {IR_FRAGMENT, "", UPPER MODE("DepthReplacing"), "uses_derivatives 1"},
    {IR_FRAGMENT, "OpCapability FragmentShaderPixelInterlockEXT\nOpExtension \"SPV_EXT_fragment_shader_interlock\"\n",
     UPPER MODE("PixelInterlockOrderedEXT"), "uses_derivatives 1 in_order 1"},
    {IR_FRAGMENT, "OpCapability FragmentShaderSampleInterlockEXT\nOpExtension \"SPV_EXT_fragment_shader_interlock\"\n",
     UPPER MODE("SampleInterlockUnorderedEXT"), "uses_derivatives 1 in_order 1"},
    {IR_COMPUTE, "", SIZE, "block_x 4 block_y 2 block_z 3"},
    {IR_COMPUTE, "OpCapability ComputeDerivativeGroupLinearNV\nOpExtension \"SPV_NV_compute_shader_derivatives\"\n",
     SIZE MODE("DerivativeGroupLinearNV"), "uses_derivatives 1 block_x 4 block_y 2 block_z 3"},
    {IR_GEOMETRY, "", MODE("InputPoints") MODE("OutputPoints") VERTICES,
     "gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", MODE("InputLines") MODE("OutputLineStrip") VERTICES,
     "gs_input 1 gs_output 3 gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", VERTICES MODE("OutputLineStrip") MODE("InputLinesAdjacency"),
     "gs_input 10 gs_output 3 gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", VERTICES MODE("OutputTriangleStrip") MODE("Triangles"),
     "gs_input 4 gs_output 5 gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", MODE("InputLinesAdjacency") MODE("OutputTriangleStrip") VERTICES MODE("Invocations 3"),
     "gs_input 10 gs_output 5 gs_max_vertices 5 gs_invocations 3"},
    {IR_GEOMETRY, "", MODE("InputPoints") MODE("OutputPoints") VERTICES MODE("Invocations 1"),
     "gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", MODE("InputPoints") MODE("OutputPoints") VERTICES MODE("Invocations 0"), NOT_LIFTED},
    {IR_GEOMETRY, "", MODE("Triangles") MODE("OutputPoints") VERTICES,
     "gs_input 4 gs_max_vertices 5 gs_invocations 1"},
    {IR_GEOMETRY, "", MODE("InputTrianglesAdjacency") MODE("OutputPoints") VERTICES,
     "gs_input 12 gs_max_vertices 5 gs_invocations 1"},
    {IR_TESS_CTRL, "", MODE("OutputVertices 7"), "tcs_vertices_out 7"},
    {IR_TESS_CTRL, "", MODE("OutputVertices 1"), "tcs_vertices_out 1"},
    {IR_TESS_CTRL, "", MODE("OutputVertices 32"), "tcs_vertices_out 32"},
    {IR_TESS_CTRL, "", MODE("OutputVertices 33"), NOT_LIFTED},
    {IR_TESS_CTRL, "", MODE("OutputVertices 0"), NOT_LIFTED},
    {IR_COMPUTE, "", MODE("LocalSize 1024 1 1"), "block_x 1024 block_y 1 block_z 1"},
    {IR_COMPUTE, "", MODE("LocalSize 1 1025 1"), NOT_LIFTED},
    {IR_COMPUTE, "", MODE("LocalSize 1 1 0"), NOT_LIFTED},
    {IR_TESS_EVAL, "", MODE("Triangles") MODE("SpacingEqual") MODE("VertexOrderCcw"), "tes_mode 4 tes_spacing 2"},
    {IR_TESS_EVAL, "", MODE("Quads") MODE("SpacingFractionalEven") MODE("VertexOrderCw"),
     "tes_mode 7 tes_spacing 1 tes_cw 1"},
    {IR_TESS_EVAL, "", MODE("VertexOrderCw") MODE("SpacingFractionalEven") MODE("Quads"),
     "tes_mode 7 tes_spacing 1 tes_cw 1"},
    {IR_TESS_EVAL, "", MODE("SpacingEqual") MODE("Triangles"), "tes_mode 4 tes_spacing 2"},
    {IR_TESS_EVAL, "", MODE("SpacingFractionalEven") MODE("Isolines"), "tes_mode 1 tes_spacing 1"},
    {IR_TESS_EVAL, "", MODE("Isolines") MODE("SpacingFractionalOdd") MODE("VertexOrderCcw") MODE("PointMode"),
     "tes_mode 1 tes_points 1"},
};

static void told_by(const struct ir_io *io, enum ir_stage stage, char *text, size_t room)
{
    *text = '\0';
    for (unsigned i = 0; i < IR_PROPERTIES; i++) {
        const char *name = ir_properties[i].name;
        size_t length = strlen(text);
        uint32_t value = ir_property_get(io, &ir_properties[i]);
        bool other = (strncmp(name, "gs_", 3) == 0 && stage != IR_GEOMETRY) ||
                     (strncmp(name, "tes_", 4) == 0 && stage != IR_TESS_EVAL);
        if (value && !other)
            snprintf(text + length, room - length, "%s%s %u", length ? " " : "", name, (unsigned)value);
    }
}

static void test_modes(void **state)
{
    (void)state;
    static const char *const models[IR_STAGES] = {[IR_VERTEX] = "Vertex", [IR_FRAGMENT] = "Fragment",
                                                  [IR_GEOMETRY] = "Geometry", [IR_COMPUTE] = "GLCompute",
                                                  [IR_TESS_CTRL] = "TessellationControl",
                                                  [IR_TESS_EVAL] = "TessellationEvaluation"};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        struct arena arena = {0};
        struct spirv_words words = {0};
        struct spirv_messages messages = {0};
        struct isa_params params = {.stage = modules[i].stage};
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        weft_diags *diags = weft_diags_new();
        char told[500] = NOT_LIFTED;
        const char *text = arena_printf(
            &arena,
            "OpCapability Shader\nOpCapability Geometry\nOpCapability Tessellation\n%sOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint %s %%main \"main\"\n%s%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
            "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\nOpReturn\nOpFunctionEnd\n",
            modules[i].needs, models[modules[i].stage], modules[i].modes);
        struct source src = {"t", text, strlen(text)};
        if (spirv_assemble(text, strlen(text), "spv1.3", false, &arena, &words, &messages) == WEFT_OK &&
            isa_spirv.decode((const uint8_t *)words.word, words.count * 4, "t", &params, &arena, &m, diags) ==
                WEFT_OK &&
            isa_spirv.lift(m, &src, &arena, &p, diags) == WEFT_OK)
            told_by(&p->io, modules[i].stage, told, sizeof told);
        if (strcmp(told, modules[i].properties) != 0) {
            print_message("# %s%s tells: %s\n# not:   %s\n", text,
                          weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "", told,
                          modules[i].properties);
            wrong++;
        }
        weft_diags_free(diags);
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}

/* What is refused is named. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *capability, *model, *modes, *says;
    } refused[] = {
        {"Kernel", "Logical", SIZE, "the capability Kernel is not there"},
        {"Pipes", "Logical", SIZE, "the capability Pipes is not there"},
        {"RayTracingKHR", "Logical", SIZE, "the capability RayTracingKHR is not there"},
        {"Shader", "Physical32", SIZE, "the addressing model Physical32 is not executed"},
        {"Shader", "Physical64", SIZE, "the addressing model Physical64 is not executed"},
        {"Shader", "Logical", SIZE MODE("LocalSizeHint 1 1 1"), "the execution mode LocalSizeHint is not executed"},
        {"Shader", "Logical", SIZE MODE("ContractionOff"), "the execution mode ContractionOff is not executed"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct arena arena = {0};
        struct spirv_words words = {0};
        struct spirv_messages messages = {0};
        struct isa_params params = {.stage = IR_COMPUTE};
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        weft_diags *diags = weft_diags_new();
        const char *text = arena_printf(
            &arena,
            "OpCapability %s\nOpMemoryModel %s GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n%s"
            "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%main = OpFunction %%void None %%fn\n"
            "%%entry = OpLabel\nOpReturn\nOpFunctionEnd\n",
            refused[i].capability, refused[i].model, refused[i].modes);
        struct source src = {"t", text, strlen(text)};
        assert_int_equal(spirv_assemble(text, strlen(text), "spv1.6", false, &arena, &words, &messages), WEFT_OK);
        if (isa_spirv.decode((const uint8_t *)words.word, words.count * 4, "t", &params, &arena, &m, diags) == WEFT_OK)
            isa_spirv.lift(m, &src, &arena, &p, diags);
        const char *said = weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing";
        if (!strstr(said, refused[i].says))
            fail_msg("%s, not: %s", said, refused[i].says);
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

/* ---- inputs of fragment programs ---- */

/* Types as the declarations below name them; numbers that are not floats are never interpolated. */
static const struct {
    const char *name;
    bool flat;
} input_types[] = {{"float", false}, {"v3", false}, {"half", false}, {"h2", false}, {"int", true},
                   {"uint", true},   {"u2", true},  {"short", true}};

static const struct {
    const char *words[2];
    enum ir_interp how;
    enum ir_location where;
} decorations[] = {
    {{NULL}, IR_INTERP_PERSPECTIVE, IR_LOC_CENTER},
    {{"Flat"}, IR_INTERP_CONSTANT, IR_LOC_CENTER},
    {{"NoPerspective"}, IR_INTERP_LINEAR, IR_LOC_CENTER},
    {{"Centroid"}, IR_INTERP_PERSPECTIVE, IR_LOC_CENTROID},
    {{"Sample"}, IR_INTERP_PERSPECTIVE, IR_LOC_SAMPLE},
    {{"NoPerspective", "Centroid"}, IR_INTERP_LINEAR, IR_LOC_CENTROID},
    {{"Sample", "NoPerspective"}, IR_INTERP_LINEAR, IR_LOC_SAMPLE},
};

static const char *input_text(struct arena *arena, const char *type, const char *const words[2])
{
    const char *decorated = "";
    for (unsigned k = 0; k < 2 && words[k]; k++)
        decorated = arena_printf(arena, "%sOpDecorate %%a %s\n", decorated, words[k]);
    return arena_printf(
        arena,
        "OpCapability Shader\nOpCapability SampleRateShading\nOpCapability Float16\nOpCapability Int16\n"
        "OpCapability StorageInputOutput16\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint Fragment %%main \"main\" %%a\nOpExecutionMode %%main OriginUpperLeft\n"
        "OpDecorate %%a Location 3\n%s"
        "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n%%half = OpTypeFloat 16\n"
        "%%int = OpTypeInt 32 1\n%%uint = OpTypeInt 32 0\n%%short = OpTypeInt 16 1\n"
        "%%v3 = OpTypeVector %%float 3\n%%h2 = OpTypeVector %%half 2\n%%u2 = OpTypeVector %%uint 2\n"
        "%%p = OpTypePointer Input %%%s\n%%a = OpVariable %%p Input\n"
        "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%v = OpLoad %%%s %%a\nOpReturn\nOpFunctionEnd\n",
        decorated, type, type);
}

static void check_input(const struct ir_program *p, const char *text, enum ir_interp how, enum ir_location where)
{
    unsigned reads = 0;
    assert_int_equal(p->io.ninputs, 1);
    if (p->io.inputs[0].interp != how || p->io.inputs[0].location != where)
        fail_msg("%sis interpolated %u at %u, not %u at %u", text, p->io.inputs[0].interp, p->io.inputs[0].location,
                 how, where);
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            if (op->code == IR_INTERP && op->attr != (how | where << 4))
                fail_msg("%sis read %u at %u, not %u at %u", text, op->attr & 15, op->attr >> 4, how, where);
            reads += op->code == IR_INTERP;
        }
    assert_true(reads > 0);
}

static void test_inputs(void **state)
{
    (void)state;
    enum { TYPES = sizeof input_types / sizeof *input_types, DECORATIONS = sizeof decorations / sizeof *decorations };
    for (size_t n = 0; n < (size_t)TYPES * DECORATIONS; n++) {
        size_t t = n % TYPES, d = n / TYPES;
        struct arena arena = {0};
        struct spirv_words words = {0};
        struct spirv_messages messages = {0};
        struct isa_params params = {.stage = IR_FRAGMENT};
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        weft_diags *diags = weft_diags_new();
        const char *text = input_text(&arena, input_types[t].name, decorations[d].words);
        struct source src = {"t", text, strlen(text)};
        assert_int_equal(spirv_assemble(text, strlen(text), "spv1.3", false, &arena, &words, &messages), WEFT_OK);
        if (isa_spirv.decode((const uint8_t *)words.word, words.count * 4, "t", &params, &arena, &m, diags) !=
                WEFT_OK || isa_spirv.lift(m, &src, &arena, &p, diags) != WEFT_OK)
            fail_msg("%s%s", text, weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "");
        check_input(p, text, input_types[t].flat ? IR_INTERP_CONSTANT : decorations[d].how,
                    decorations[d].where);
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(test_modes), TEST(test_refusals), TEST(test_inputs))
