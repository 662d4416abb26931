/* What a lifted program tells the device of itself: all properties that are not 0, of programs that are written out. */
#include "test.h"

#include "ir/io.h"
#include "ir/ir.h"
#include "ir/words.h"
#include "isa/isa.h"

#define ROGUE_END "9 : mov ft0, c64\n    mov o0, ft0\n"
#define VALHALL_END                                                                                                    \
    "ATEST.wait @r60, r60, r3, atest_datum.w0\n"                                                                       \
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"
#define TESLA_COLOR "out COLOR[0].x $r0\n"
#define TGSI_COLOR "DCL OUT[0], COLOR\n"

static const struct {
    const char *isa;
    int stage;
    const char *linkage, *text, *properties;
} programs[] = {
    {"tesla", IR_FRAGMENT, TESLA_COLOR, "mov b32 $r0 0x0\nexit nop\n", "uses_derivatives 1"},
    {"tesla", IR_FRAGMENT, TESLA_COLOR "out POSITION[0].z $r1\n", "mov b32 $r0 0x0\nmov b32 $r1 0x0\nexit nop\n",
     "writes_depth 1 uses_derivatives 1"},
    {"tesla", IR_FRAGMENT, TESLA_COLOR "out SAMPLEMASK[0].x $r1\n", "mov b32 $r0 0x0\nmov b32 $r1 0x0\nexit nop\n",
     "writes_samplemask 1 uses_derivatives 1"},
    {"tesla", IR_FRAGMENT, TESLA_COLOR "out STENCIL[0].y $r1\n", "mov b32 $r0 0x0\nmov b32 $r1 0x0\nexit nop\n",
     "writes_stencil 1 uses_derivatives 1"},
    {"tesla", IR_FRAGMENT, TESLA_COLOR, "mov b32 $r0 0x0\ndiscard\nexit nop\n", "uses_discard 1 uses_derivatives 1"},
    {"tesla", IR_VERTEX, "out POSITION[0].z o[0x8]\n", "mov b32 $r0 0x0\nst b32 o[0x8] $r0\nexit nop\n", ""},
    {"tesla", IR_GEOMETRY, "geometry lines triangle_strip 5\nout POSITION[0].x o[0x0]\n",
     "mov b32 $r0 0x0\nst b32 o[0x0] $r0\nemit\nexit nop\n",
     "gs_input 1 gs_output 5 gs_streams 1 gs_max_vertices 5 gs_invocations 1"},
    {"tesla", IR_COMPUTE, "block 64 2 3\n", "exit nop\n", "block_x 64 block_y 2 block_z 3"},

    {"vpu", IR_COMPUTE, NULL, "b lr\n", "block_x 16 block_y 1 block_z 1"},

    {"rogue", IR_FRAGMENT, NULL, ROGUE_END, "uses_derivatives 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mutex.lock 3\n1 : mutex.release 3\n" ROGUE_END, "uses_derivatives 1 in_order 1"},
    {"rogue", IR_COMPUTE, "block 32 1 1\n", "0 : mutex.lock 3\n1 : mutex.release 3\n",
     "block_x 32 block_y 1 block_z 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mov ft0, c64\n    mov ft0.e0.e1.e2.e3, ft0\n    depthf w0\n" ROGUE_END,
     "writes_depth 1 uses_derivatives 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : atst _, r1, r0, c5\n" ROGUE_END, "uses_discard 1 uses_derivatives 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mov ft0, r4\n    mov r5, ft0\n    movmsk\n" ROGUE_END,
     "writes_samplemask 1 uses_derivatives 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : savl r6\n1 : phas.imm.smp_sel r6, 0\n" ROGUE_END,
     "uses_derivatives 1 per_sample 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : savl r6\n1 : phas.imm r6, 0\n" ROGUE_END, "uses_derivatives 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mov r1, sr98\n" ROGUE_END, "uses_derivatives 1 per_sample 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mov r1, sr101\n" ROGUE_END, "uses_derivatives 1 per_sample 1"},
    {"rogue", IR_FRAGMENT, NULL, "0 : mov r1, sr97\n" ROGUE_END, "uses_derivatives 1"},
    {"rogue", IR_GEOMETRY, "geometry lines triangle_strip 8 2\nout POSITION.x vo0\n",
     "0 : uvsw.emit\n1 : uvsw.endtask\n", "gs_input 1 gs_output 5 gs_streams 1 gs_max_vertices 8 gs_invocations 2"},
    {"rogue", IR_GEOMETRY, "geometry lines points 8\nout POSITION.x vo0\n", "0 : uvsw.emit 2\n1 : uvsw.endtask\n",
     "gs_input 1 gs_streams 3 gs_max_vertices 8 gs_invocations 1"},
    {"rogue", IR_TESS_CTRL, "tess_control 3\n", "0 : uvsw.endtask\n", "tcs_vertices_out 3"},
    {"rogue", IR_TESS_EVAL, "tess_evaluation quads even cw points\nout POSITION.x vo0\n",
     "0 : uvsw.emit.endtask\n", "tes_mode 7 tes_spacing 1 tes_cw 1 tes_points 1"},

    {"valhall", IR_FRAGMENT, NULL, "MOV.i32.wait0126 r3, 0x0\n" VALHALL_END, "uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, NULL, "MOV.i32.wait0126 r60, r1\n" VALHALL_END,
     "writes_samplemask 1 uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, NULL, "MOV.i32.wait0126 r3, 0x0\nNOP.end\n", "uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, NULL, "DISCARD.f32.lt r0, 0x38000000.h1\nNOP.end\n", "uses_discard 1 uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, NULL, "ZS_EMIT.stencil.slot0.wait @r60, 0x0, r4, r60\nNOP.end\n",
     "writes_stencil 1 uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, NULL, "ZS_EMIT.z.slot0.wait @r60, r4, 0x0, r60\nNOP.end\n",
     "writes_depth 1 uses_derivatives 1"},
    {"valhall", IR_FRAGMENT, "origin lower_left\n", "NOP.end\n", "origin_lower_left 1 uses_derivatives 1"},
    {"valhall", IR_VERTEX, NULL, "NOP.end\n", ""},
    {"valhall", IR_COMPUTE, "block 8 4 2\n", "NOP.end\n", "block_x 8 block_y 4 block_z 2"},

    {"tgsi", IR_COMPUTE, NULL,
     "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nPROPERTY CS_FIXED_BLOCK_DEPTH 2\nEND\n",
     "block_x 8 block_y 4 block_z 2"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\n" TGSI_COLOR "MOV OUT[0], OUT[0]\nEND\n", ""},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\n" TGSI_COLOR "DCL OUT[1], POSITION\nMOV OUT[1].z, OUT[0]\nEND\n",
     "writes_depth 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\n" TGSI_COLOR "DCL OUT[1], STENCIL\nMOV OUT[1].y, OUT[0]\nEND\n",
     "writes_stencil 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\n" TGSI_COLOR "DCL OUT[1], SAMPLEMASK\nMOV OUT[1].x, OUT[0]\nEND\n",
     "writes_samplemask 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\n" TGSI_COLOR "KILL\nEND\n", "uses_discard 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n" TGSI_COLOR "KILL_IF IN[0]\nEND\n",
     "uses_discard 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n" TGSI_COLOR "DDX OUT[0], IN[0]\nEND\n",
     "uses_derivatives 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n" TGSI_COLOR "DDY OUT[0], IN[0]\nEND\n",
     "uses_derivatives 1"},
    {"tgsi", IR_FRAGMENT, NULL,
     "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n" TGSI_COLOR
     "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n",
     "uses_derivatives 1"},
    {"tgsi", IR_FRAGMENT, NULL,
     "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n" TGSI_COLOR
     "TXL OUT[0], IN[0], SAMP[0], 2D\nEND\n",
     ""},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\nDCL SV[0], SAMPLEID\n" TGSI_COLOR "MOV OUT[0], SV[0].xxxx\nEND\n",
     "per_sample 1"},
    {"tgsi", IR_FRAGMENT, NULL, "FRAG\nDCL SV[0], SAMPLEPOS\n" TGSI_COLOR "MOV OUT[0], SV[0].xyxy\nEND\n",
     "per_sample 1"},
    {"tgsi", IR_FRAGMENT, NULL,
     "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\n" TGSI_COLOR "MOV OUT[0], IN[0]\nEND\n", "per_sample 1"},
    {"tgsi", IR_FRAGMENT, NULL,
     "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID\n" TGSI_COLOR "MOV OUT[0], IN[0]\nEND\n", ""},
};

/* "NAME VALUE" of each property that is not 0, in the order of the text form. Sizes of workgroups count for compute
 * programs, what geometry programs make for those. */
static void told_by(const struct ir_io *io, int stage, char *text, size_t room)
{
    *text = '\0';
    for (unsigned i = 0; i < IR_PROPERTIES; i++) {
        size_t length = strlen(text);
        uint32_t value = ir_property_get(io, &ir_properties[i]);
        bool counts = strncmp(ir_properties[i].name, "block_", 6) == 0 ? stage == IR_COMPUTE
                      : strncmp(ir_properties[i].name, "gs_", 3) == 0  ? stage == IR_GEOMETRY
                                                                       : true;
        if (value && counts)
            snprintf(text + length, room - length, "%s%s %u", length ? " " : "", ir_properties[i].name, value);
    }
}

static void test_properties(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const struct isa *isa = isa_find(programs[i].isa);
        const char *text = programs[i].text, *linkage = programs[i].linkage;
        struct arena arena = {0};
        struct source src = {"t", text, strlen(text)};
        struct isa_linkage link = {{"l", linkage, linkage ? strlen(linkage) : 0}};
        struct isa_params params = {.stage = programs[i].stage, .linkage = linkage ? &link : NULL};
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        weft_diags *diags = weft_diags_new();
        char told[500] = "";
        if (isa->parse(&src, &params, &arena, &m, diags) == WEFT_OK &&
            isa->check(m, &src, &params, diags) == WEFT_OK && isa->lift(m, &src, &arena, &p, diags) == WEFT_OK)
            told_by(&p->io, programs[i].stage, told, sizeof told);
        else
            snprintf(told, sizeof told, "%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?");
        if (strcmp(told, programs[i].properties) != 0) {
            print_message("# %s:\n%s# tells: %s\n# not:   %s\n", programs[i].isa, text, told, programs[i].properties);
            wrong++;
        }
        weft_diags_free(diags);
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(test_properties))
