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
    {"vpu", IR_VERTEX, NULL, "b lr\n", "Broadcom VideoCore IV VPU has no vertex programs"},
    {"tesla", -1, NULL, "exit nop\n", "a Tesla program does not say which stage it is for"},
    {"tesla", IR_TESS_CTRL, NULL, "exit nop\n", "NVIDIA Tesla (G80 to GT21x) has no tess-control programs"},
    {"rogue", -1, NULL, ROGUE_END, "a Rogue program does not say which stage it is for"},
    {"valhall", -1, NULL, "NOP.end\n", "a Valhall program does not say which stage it is for"},
    {"valhall", IR_GEOMETRY, NULL, "MOV.i32.end r0, r1\n", "ARM Mali Valhall has no geometry programs"},

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

/* NULL: a diagnostic says why not. */
static struct ir_program *lifted(const char *name, int stage, const char *linkage, const char *text,
                                 struct arena *arena, weft_diags *diags)
{
    const struct isa *isa = isa_find(name);
    struct source src = {"t", text, strlen(text)};
    struct isa_linkage link = {{"l", linkage, linkage ? strlen(linkage) : 0}};
    struct isa_params params = {.stage = stage, .linkage = linkage ? &link : NULL};
    struct isa_module *m = NULL;
    struct ir_program *p = NULL;
    bool done = isa->parse(&src, &params, arena, &m, diags) == WEFT_OK &&
                isa_check(isa, m, "t", &src, &params, diags) == WEFT_OK &&
                isa->lift(m, &src, arena, &p, diags) == WEFT_OK;
    return done ? p : NULL;
}

static void test_properties(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct arena arena = {0};
        weft_diags *diags = weft_diags_new();
        char told[500] = "";
        const char *text = programs[i].text;
        struct ir_program *p = lifted(programs[i].isa, programs[i].stage, programs[i].linkage, text, &arena, diags);
        if (p)
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

/* ---- inputs of fragment programs ---- */

#define TESLA_V "in GENERIC[2].x v[0x4]"
#define ROGUE_IN "in GENERIC[2].x cf4"
#define TESLA_ENDS "\nexit nop\n"
#define TGSI_IN(words) "FRAG\nDCL IN[0], GENERIC[2]" words "\n" TGSI_COLOR "MOV OUT[0].x, IN[0]\nEND\n"

/* Each input "NAME[index].mask how where", then each reading of one "slot.component how where". */
static const struct {
    const char *isa, *linkage, *text, *inputs;
} fragments[] = {
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 v[0x4]" TESLA_ENDS,
     "generic[2].x perspective center; 0.x linear center"},
    {"tesla", TESLA_COLOR TESLA_V " perspective\n", "interp $r0 v[0x4]" TESLA_ENDS,
     "generic[2].x perspective center; 0.x linear center"},
    {"tesla", TESLA_COLOR TESLA_V " linear\n", "interp $r0 v[0x4]" TESLA_ENDS,
     "generic[2].x linear center; 0.x linear center"},
    {"tesla", TESLA_COLOR TESLA_V " flat\n", "interp $r0 v[0x4]" TESLA_ENDS,
     "generic[2].x constant center; 0.x constant center"},
    {"tesla", TESLA_COLOR TESLA_V " centroid\n", "interp $r0 v[0x4]" TESLA_ENDS,
     "generic[2].x perspective centroid; 0.x linear centroid"},
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 cent v[0x4]" TESLA_ENDS,
     "generic[2].x perspective center; 0.x linear centroid"},
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 flat v[0x4]" TESLA_ENDS,
     "generic[2].x perspective center, generic[2].x constant center; 1.x constant center"},
    {"tesla", TESLA_COLOR TESLA_V " flat\n", "interp $r0 flat v[0x4]" TESLA_ENDS,
     "generic[2].x constant center; 0.x constant center"},
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 v[0x4]\ninterp $r1 flat v[0x4]" TESLA_ENDS,
     "generic[2].x perspective center, generic[2].x constant center"
     "; 0.x linear center; 1.x constant center"},
    {"tesla", TESLA_COLOR TESLA_V "\nin GENERIC[2].y v[0x8]\n",
     "interp $r0 v[0x4]\ninterp $r1 flat v[0x8]\ninterp $r2 flat v[0x4]" TESLA_ENDS,
     "generic[2].xy perspective center, generic[2].xy constant center"
     "; 0.x linear center; 1.y constant center; 1.x constant center"},
    {"tesla", TESLA_COLOR TESLA_V "\nin GENERIC[3].y v[0x8]\n", "interp $r0 v[0x4]\ninterp $r1 flat v[0x8]" TESLA_ENDS,
     "generic[2].x perspective center, generic[3].y perspective center, generic[3].y constant center"
     "; 0.x linear center; 2.y constant center"},
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 v[$a1]" TESLA_ENDS,
     "generic[2].x perspective center; 0.x linear center"},
    {"tesla", TESLA_COLOR TESLA_V "\n", "interp $r0 flat v[$a1]" TESLA_ENDS,
     "generic[2].x perspective center, generic[2].x constant center; 1.x constant center"},
    {"rogue", ROGUE_IN "\n", "0 : fitr.pixel r0, drc0, cf4, 1\n1 : wdf drc0\n" ROGUE_END,
     "generic[2].x perspective center; 0.x perspective center"},
    {"rogue", ROGUE_IN "\n", "0 : fitr.centroid r0, drc0, cf4, 1\n1 : wdf drc0\n" ROGUE_END,
     "generic[2].x perspective center; 0.x perspective centroid"},
    {"rogue", ROGUE_IN "\n", "0 : fitr.sample r0, drc0, cf4, 1\n1 : wdf drc0\n" ROGUE_END,
     "generic[2].x perspective center; 0.x perspective sample"},
    {"rogue", ROGUE_IN " linear\n", "0 : fitr.pixel r0, drc0, cf4, 1\n1 : wdf drc0\n" ROGUE_END,
     "generic[2].x linear center; 0.x linear center"},
    {"rogue", ROGUE_IN " flat\n", "0 : fitr.pixel r0, drc0, cf4, 1\n1 : wdf drc0\n" ROGUE_END,
     "generic[2].x constant center; 0.x constant center"},
    {"rogue", ROGUE_IN " flat\n", "0 : mov r0, cf6\n" ROGUE_END, "generic[2].x constant center; 0.x constant center"},
    {"tgsi", NULL, TGSI_IN(", CONSTANT"),
     "generic[2].xyzw constant center"
     "; 0.x constant center; 0.y constant center; 0.z constant center; 0.w constant center"},
    {"tgsi", NULL, TGSI_IN(", LINEAR"),
     "generic[2].xyzw linear center"
     "; 0.x linear center; 0.y linear center; 0.z linear center; 0.w linear center"},
    {"tgsi", NULL, TGSI_IN(", PERSPECTIVE"),
     "generic[2].xyzw perspective center"
     "; 0.x perspective center; 0.y perspective center; 0.z perspective center; 0.w perspective center"},
    {"tgsi", NULL, TGSI_IN(", COLOR"),
     "generic[2].xyzw color center; 0.x color center; 0.y color center; 0.z color center; 0.w color center"},
    {"tgsi", NULL, TGSI_IN(", LINEAR, CENTROID"),
     "generic[2].xyzw linear centroid"
     "; 0.x linear centroid; 0.y linear centroid; 0.z linear centroid; 0.w linear centroid"},
    {"tgsi", NULL, TGSI_IN(", PERSPECTIVE, SAMPLE"),
     "generic[2].xyzw perspective sample"
     "; 0.x perspective sample; 0.y perspective sample; 0.z perspective sample; 0.w perspective sample"},
    {"tgsi", NULL, TGSI_IN(""),
     "generic[2].xyzw constant center"
     "; 0.x constant center; 0.y constant center; 0.z constant center; 0.w constant center"},
};

__attribute__((format(printf, 3, 4))) static void tell(char *text, size_t room, const char *fmt, ...)
{
    size_t length = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + length, room - length, fmt, ap);
    va_end(ap);
}

static void inputs_of(const struct ir_program *p, char *text, size_t room)
{
    for (uint32_t i = 0; i < p->io.ninputs; i++) {
        const struct ir_slot *s = &p->io.inputs[i];
        tell(text, room, "%s%s[%u].", i ? ", " : "", ir_semantic_words.list[s->semantic], s->index);
        for (unsigned c = 0; c < 4; c++)
            if (s->mask >> c & 1)
                tell(text, room, "%c", "xyzw"[c]);
        tell(text, room, " %s %s", ir_interp_words.list[s->interp], ir_location_words.list[s->location]);
    }
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            if (op->code == IR_INTERP)
                tell(text, room, "; %u.%c %s %s", op->desc, "xyzw"[op->imm & 3], ir_interp_words.list[op->attr & 15],
                     ir_location_words.list[op->attr >> 4]);
        }
}

static void test_inputs(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof fragments / sizeof *fragments; i++) {
        struct arena arena = {0};
        weft_diags *diags = weft_diags_new();
        char told[500] = "";
        struct ir_program *p = lifted(fragments[i].isa, IR_FRAGMENT, fragments[i].linkage, fragments[i].text, &arena,
                                      diags);
        if (p)
            inputs_of(p, told, sizeof told);
        else
            snprintf(told, sizeof told, "%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?");
        if (strcmp(told, fragments[i].inputs) != 0) {
            print_message("# %s:\n%s%s# reads: %s\n# not:   %s\n", fragments[i].isa,
                          fragments[i].linkage ? fragments[i].linkage : "", fragments[i].text, told,
                          fragments[i].inputs);
            wrong++;
        }
        weft_diags_free(diags);
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(test_properties), TEST(test_inputs))
