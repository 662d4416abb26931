/* The checker: one program per rule with the place and the message that it must get, and programs that must pass. */
#include "isa/tgsi/flow.h"
#include "isa/tgsi/op.h"
#include "isa/tgsi/tgsi.h"
#include "test.h"

#include "text.h"

struct rule {
    const char *text;
    const char *message; /* of the first diagnostic that is not about unused registers */
};

#define VERT "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..4]\nDCL ADDR[0]\nDCL CONST[0..7]\n"
#define CASES VERT "IMM[0] UINT32 {0, 1, 2, 3}\n"
#define FRAG                                                                                                           \
    "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..4]\n"
#define COMP "COMP\nDCL RES[0], BUFFER, RAW, WR\nDCL BUFFER[0]\nDCL TEMP[0..4]\n"
#define GEOM "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL ADDR[0]\n"

#define TESS "TESS_CTRL\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH[0]\n"

static const struct rule rules[] = {
    /* declared and not */
    {VERT "MOV OUT[0], TEMP[5]\nEND\n", "7:13: error undeclared: TEMP[5] is not declared (TEMP[0..4] is declared)"},
    {VERT "MOV TEMP[9].x, IN[0]\nEND\n", "7:5: error undeclared: TEMP[9] is not declared (TEMP[0..4] is declared)"},
    {VERT "MOV OUT[0], SV[0]\nEND\n", "7:13: error undeclared: SV[0] is not declared (declare it: 'DCL SV[0]')"},
    {VERT "MOV OUT[0], CONST[8]\nEND\n", "7:13: error undeclared: CONST[8] is not declared (CONST[0..7] is declared)"},
    {VERT "MOV OUT[0], CONST[1][2]\nEND\n",
     "7:13: error undeclared: CONST[1][2] is not declared (CONST[0..7] is declared)"},
    {VERT "MOV OUT[0], SV[ADDR[0].x]\nEND\n",
     "7:13: error undeclared: SV is addressed indirectly, and no register of it is declared"},
    {VERT "MOV OUT[0], CONST[ADDR[1].x+1]\nEND\n",
     "7:13: error undeclared: address register ADDR[1] is not declared (ADDR[0] is declared)"},
    {VERT "MOV OUT[0], TEMP[ADDR[0].x](2)\nEND\n", "7:13: error undeclared: TEMP has no ARRAY(2)"},
    {VERT "MOV OUT[0], IMM[0]\nEND\n", "7:13: error undeclared: the program has no immediates"},
    {VERT "IMM FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[1]\nEND\n",
     "8:13: error undeclared: IMM[1] is not there (the last one is IMM[0])"},
    {FRAG "TEX OUT[0], IN[0], SAMP[1], 2D\nEND\n",
     "7:20: error undeclared: SAMP[1] is not declared (SAMP[0] is declared)"},
    {FRAG "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz\nEND\n", "7:1: error undeclared: the program has no immediates"},
    {COMP "STORE RES[3].x, TEMP[0], TEMP[1]\n", "5:7: error undeclared: RES[3] is not declared (RES[0] is declared)"},
    {COMP "LOAD TEMP[0].x, RES[32763], TEMP[1]\n",
     "5:17: error undeclared: RES[32763] is not declared (RES[0] is declared)"},

    /* declarations */
    {"VERT\nDCL TEMP[0..3]\nDCL TEMP[3..4]\nEND\n",
     "3:1: error declared-twice: TEMP[3..4] is declared twice (it was declared before as TEMP[0..3])"},
    {"VERT\nDCL TEMP[0..9]\nDCL TEMP[1]\nDCL TEMP[9]\nEND\n",
     "3:1: error declared-twice: TEMP[1] is declared twice (it was declared before as TEMP[0..9])"},
    {"VERT\nDCL OUT[0].xy, GENERIC[0]\nDCL OUT[0].yz, GENERIC[1]\nEND\n",
     "3:1: error declared-twice: OUT[0] is declared twice (it was declared before as OUT[0])"},
    {"VERT\nDCL CONST[0..3]\nDCL CONST[0][2]\nEND\n",
     "3:1: error declared-twice: CONST[0][2] is declared twice (it was declared before as CONST[0..3])"},
    {"VERT\nDCL IMM[0]\nEND\n", "2:1: error bad-declaration: IMM cannot be declared "
                                "(an immediate is written 'IMM FLT32 {1.0, 0.0, 0.0, 0.0}')"},
    {"VERT\nDCL NULL[0]\nEND\n", "2:1: error bad-declaration: NULL cannot be declared"},
    {"VERT\nDCL TEMP[0..65536]\nEND\n",
     "2:1: error register-limit: TEMP[0..65536] goes beyond register 65535, the last there is"},
    {"VERT\nDCL CONST[65536][0]\nEND\n",
     "2:1: error register-limit: CONST[65536][0] goes beyond register 65535, the last there is"},
    {"VERT\nDCL CONST[0..1][0]\nEND\n",
     "2:1: error bad-range: the range 0..1 in the first bracket; expected one number"},
    {"VERT\nDCL TEMP[0], ARRAY(1024)\nEND\n",
     "2:1: error array-limit: ARRAY(1024) is beyond ARRAY(1023), the last there is"},
    {"VERT\nDCL TEMP[0..40000]\nMOV TEMP[32768], TEMP[0]\nEND\n",
     "3:5: error register-limit: TEMP goes beyond register 32767, the last there is"},
    {"VERT\nDCL TEMP[0..1]\nMOV TEMP[0], TEMP[TEMP[32768].x]\nEND\n",
     "3:14: error register-limit: TEMP[32768] is beyond register 32767, the last there is"},

    /* brackets */
    {GEOM "MOV OUT[0], IN[0]\nEND\n", "6:13: error brackets: IN has one bracket; expected two, as it is declared"},
    {GEOM "MOV OUT[0], IN[3][0]\nEND\n", "6:13: error vertex-range: vertex 3 of a primitive that has 3"},
    {GEOM "MOV OUT[0], IN[2][1]\nEND\n", "6:13: error undeclared: IN[1] is not declared (IN[][0] is declared)"},
    {TESS "MOV OUT[0], IN[0][0]\nEND\n", "5:5: error brackets: OUT has one bracket; expected two, as it is declared"},
    {TESS "MOV OUT[0][1], IN[0][0]\nEND\n", "5:5: error brackets: OUT has two brackets; expected one"},
    {TESS "MOV OUT[1], IN[32][0]\nEND\n", "5:13: error vertex-range: vertex 32 of a primitive that has 32"},
    {VERT "MOV OUT[0], TEMP[0][1]\nEND\n", "7:13: error brackets: TEMP has two brackets; expected one"},

    /* files */
    {VERT "MOV IN[0], TEMP[0]\nEND\n", "7:5: error bad-file: MOV cannot write to IN; expected OUT, TEMP or ADDR"},
    {VERT "MOV CONST[0], TEMP[0]\nEND\n", "7:5: error bad-file: MOV cannot write to CONST; expected OUT, TEMP or ADDR"},
    {VERT "IMM FLT32 {1, 2, 3, 4}\nMOV IMM[0], TEMP[0]\nEND\n",
     "8:5: error bad-file: MOV cannot write to IMM; expected OUT, TEMP or ADDR"},
    {FRAG "MOV OUT[0], SAMP[0]\nEND\n",
     "7:13: error bad-file: source 0 of MOV is SAMP; expected a register of numbers"},
    {FRAG "TEX OUT[0], IN[0], SVIEW[0], 2D\nEND\n",
     "7:20: error bad-file: source 1 of TEX is SVIEW; expected a sampler (SAMP)"},
    {FRAG "TEX OUT[0], IN[0], TEMP[0], 2D\nEND\n", ""}, /* a handle */
    {FRAG "SAMP2HND TEMP[0], TEMP[0], 2D\nEND\n",
     "7:19: error bad-file: source 0 of SAMP2HND is TEMP; expected a sampler (SAMP)"},
    {FRAG "INTERP_CENTROID OUT[0], TEMP[0]\nEND\n",
     "7:25: error bad-file: INTERP_CENTROID interpolates inputs; expected IN"},
    {FRAG "SAMPLE OUT[0], IN[0], SAMP[0], SAMP[0]\nEND\n",
     "7:23: error bad-file: source 1 of SAMPLE is SAMP; expected a sampler view (SVIEW)"},
    {FRAG "SAMPLE OUT[0], IN[0], SVIEW[0], SVIEW[0]\nEND\n",
     "7:33: error bad-file: source 2 of SAMPLE is SVIEW; expected a sampler (SAMP)"},
    {FRAG "FBFETCH TEMP[0], IN[0]\nEND\n", "7:18: error bad-file: source 0 of FBFETCH is IN; expected an output (OUT)"},
    {COMP "LOAD TEMP[0].x, TEMP[1], TEMP[2]\nEND\n",
     "5:17: error bad-file: source 0 of LOAD is TEMP; expected a memory (BUFFER, IMAGE, MEMORY or RES)"},
    {COMP "STORE TEMP[0], TEMP[1], TEMP[2]\nEND\n",
     "5:7: error bad-file: STORE cannot write to TEMP; expected a memory (BUFFER, IMAGE, MEMORY or RES)"},
    {COMP "MFENCE TEMP[0]\nEND\n",
     "5:8: error bad-file: source 0 of MFENCE is TEMP; expected a memory (BUFFER, IMAGE, MEMORY or RES)"},
    {FRAG "MOV OUT[0], TEMP[SAMP[0].x]\nEND\n",
     "7:13: error bad-address: SAMP[0] cannot hold an address; expected ADDR or another register of numbers"},
    {FRAG "TEX OUT[0], IN[0], SAMP[0], 2D, SAMP[0].xyz\nEND\n",
     "7:1: error bad-file: a texture offset is SAMP; expected a register of numbers"},

    /* modifiers and masks */
    {FRAG "TEX OUT[0], IN[0], -SAMP[0], 2D\nEND\n",
     "7:20: error bad-modifier: SAMP cannot be negated or made absolute"},
    {VERT "UADD TEMP[0], |TEMP[1]|, TEMP[2]\nEND\n",
     "7:15: warning bad-modifier: UADD reads integers, which have no | |"},
    {VERT "UADD_SAT TEMP[0], TEMP[1], TEMP[2]\nEND\n",
     "7:1: warning bad-modifier: _SAT on UADD, which writes no floats"},
    {VERT "DADD TEMP[0].xyz, TEMP[1], TEMP[2]\nEND\n",
     "7:6: warning bad-mask: DADD writes 64-bit numbers, and the mask "
     "takes half of one (write .xy, .zw or all four)"},
    {VERT "DADD TEMP[0].xy, TEMP[1].yzzw, TEMP[2]\nEND\n",
     "7:18: warning swizzle: DADD reads 64-bit numbers, and the swizzle puts halves of two together (write .xyzw, "
     ".zwxy, .xyxy or .zwzw)"},
    {VERT "DADD TEMP[0], TEMP[1].xxzw, TEMP[2]\nEND\n",
     "7:15: warning swizzle: DADD reads 64-bit numbers, and the swizzle puts halves of two together (write .xyzw, "
     ".zwxy, .xyxy or .zwzw)"},
    {"VERT\nDCL OUT[0], POSITION\nDCL OUT[1..2], GENERIC[3]\nDCL OUT[3], GENERIC[4]\nEND\n",
     "4:1: warning repeated: GENERIC[4] is an output a second time: one of the two is lost"},
    {"VERT\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPDIST[2]\nEND\n",
     "3:1: error semantic-index: CLIPDIST[2]; the indices are 0 to 1"},

    /* textures and stages */
    {FRAG "TEX OUT[0], IN[0], SAMP[0], 3D\nEND\n",
     "7:1: error view-target: target 3D, and SVIEW[0] is declared 2D (did you mean '2D'?)"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTXL OUT[0], IN[0], SAMP[0], "
     "SHADOWCUBE\nEND\n",
     "5:1: error bad-target: TXL cannot have target SHADOWCUBE: w would be the compare value and the level"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTXF OUT[0], IN[0], SAMP[0], CUBE\nEND\n",
     "5:1: error bad-target: TXF cannot have target CUBE: texels of a cube have no integer coordinates"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D_MSAA\nEND\n",
     "5:1: error bad-target: TEX cannot have target 2D_MSAA: a buffer or a multisample texture is not filtered; "
     "fetch its texels with TXF"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTXP OUT[0], IN[0], SAMP[0], "
     "SHADOW2D_ARRAY\nEND\n",
     "5:1: error bad-target: TXP cannot have target SHADOW2D_ARRAY: w would be the compare value and the divisor"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTXB OUT[0], IN[0], SAMP[0], "
     "CUBEARRAY\nEND\n",
     "5:1: error bad-target: TXB cannot have target CUBEARRAY: w would be the layer and the level"},
    {"FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTXP OUT[0], IN[0], SAMP[0], BUFFER\nEND\n",
     "5:1: error bad-target: TXP cannot have target BUFFER: a buffer or a multisample texture is not filtered; "
     "fetch its texels with TXF"},
    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM UINT32 {4, 0, 0, 0}\n"
     "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
     "7:6: error stream: stream 4; expected 0 to 3"},
    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
     "MOV OUT[0], IN[0][0]\nENDPRIM IN[0][0].xxxx\nEND\n",
     "6:9: error stream: the stream of ENDPRIM must be an immediate"},
    {VERT "DDX TEMP[0], TEMP[1]\nEND\n", "7:1: error wrong-stage: DDX in a VERT program; expected FRAG"},
    {VERT "EMIT\nEND\n", "7:1: error wrong-stage: EMIT in a VERT program; expected GEOM"},
    {VERT "KILL\nEND\n", "7:1: error wrong-stage: KILL in a VERT program; expected FRAG"},
    {VERT "BARRIER\nEND\n", "7:1: error wrong-stage: BARRIER in a VERT program; expected TESS_CTRL or COMP"},

    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nDCL IN[][0], PSIZE\nDCL OUT[0], PSIZE\nMOV OUT[0], IN[0][0]\n"
     "EMIT\nEND\n",
     ""},

    /* what declarations mean */
    {"VERT\nDCL TEMP[0], POSITION\nEND\n",
     "2:1: error semantic-file: TEMP has the semantic POSITION; expected one on IN, OUT or SV alone"},
    {"VERT\nDCL CONST[0..3], GENERIC[0]\nEND\n",
     "2:1: error semantic-file: CONST has the semantic GENERIC; expected one on IN, OUT or SV alone"},
    {"FRAG\nDCL IN[0], PSIZE\nEND\n",
     "2:1: error semantic-stage: PSIZE on an input of a FRAG program; expected an input "
     "or an output of the stages before FRAG"},
    {"FRAG\nDCL IN[0], BCOLOR, LINEAR\nEND\n",
     "2:1: error semantic-stage: BCOLOR on an input of a FRAG program; expected "
     "an output of the stages before FRAG"},
    {"VERT\nDCL IN[0], BCOLOR\nEND\n", "2:1: error semantic-stage: BCOLOR on an input of a VERT program; expected an "
                                       "output of the stages before FRAG"},
    {"VERT\nDCL OUT[0], FACE\nEND\n",
     "2:1: error semantic-stage: FACE on an output of a VERT program; expected an input of a FRAG program"},
    {"VERT\nDCL IN[0], FACE\nEND\n",
     "2:1: error semantic-stage: FACE on an input of a VERT program; expected an input of a FRAG program"},
    {"VERT\nDCL OUT[0], STENCIL\nEND\n",
     "2:1: error semantic-stage: STENCIL on an output of a VERT program; expected an output of a FRAG program"},
    {"FRAG\nDCL IN[0], STENCIL\nEND\n",
     "2:1: error semantic-stage: STENCIL on an input of a FRAG program; expected an output of a FRAG program"},
    {"VERT\nDCL OUT[0], PCOORD\nEND\n",
     "2:1: error semantic-stage: PCOORD on an output of a VERT program; expected an input of a FRAG program"},
    {"FRAG\nDCL OUT[0], TEXCOORD[0]\nEND\n", "2:1: error semantic-stage: TEXCOORD on an output of a FRAG program; "
                                             "expected an output of the stages before FRAG, or an input"},
    {"FRAG\nDCL OUT[0], EDGEFLAG\nEND\n",
     "2:1: error semantic-stage: EDGEFLAG on an output of a FRAG program; expected "
     "an input or an output of the stages before FRAG"},
    {"FRAG\nDCL OUT[0], CLIPDIST\nEND\n",
     "2:1: error semantic-stage: CLIPDIST on an output of a FRAG program; expected "
     "an output of the stages before FRAG, or an input after VERT"},
    {"COMP\nDCL IN[0], POSITION\nEND\n",
     "2:1: error semantic-stage: POSITION on an input of a COMP program; expected an "
     "input or an output of the stages of a draw"},
    {"VERT\nDCL OUT[0], TEXCOORD[8]\nEND\n", "2:1: error semantic-index: TEXCOORD[8]; the indices are 0 to 7"},
    {"VERT\nDCL OUT[0..1], TEXCOORD[7]\nEND\n", "2:1: error semantic-index: TEXCOORD[8]; the indices are 0 to 7"},
    {"VERT\nDCL OUT[0], TEXCOORD[7]\nMOV OUT[0], OUT[0]\nEND\n", ""},
    {"VERT\nDCL OUT[0], GENERIC[0], PERSPECTIVE\nMOV OUT[0], OUT[0]\nEND\n",
     "2:1: warning no-interpolation: PERSPECTIVE is for inputs of a FRAG program; it has no effect on OUT of a VERT "
     "program"},
    {"VERT\nDCL IN[0], GENERIC[0], CENTROID\nMOV NULL, IN[0]\nEND\n",
     "2:1: warning no-interpolation: CENTROID is for inputs of a FRAG program; it has no effect on IN of a VERT "
     "program"},
    {"FRAG\nDCL OUT[0], COLOR, LINEAR\nMOV OUT[0], OUT[0]\nEND\n",
     "2:1: warning no-interpolation: LINEAR is for inputs of a FRAG program; it has no effect on OUT of a FRAG "
     "program"},
    {"FRAG\nDCL IN[0], GENERIC[0], CONSTANT, CYLWRAP_X\nMOV NULL, IN[0]\nEND\n",
     "2:1: warning no-interpolation: CYLWRAP has no effect on an input that is CONSTANT (write PERSPECTIVE or LINEAR "
     "before it)"},
    {"FRAG\nDCL OUT[0], POSITION\nMOV OUT[0], OUT[0]\nEND\n",
     "3:5: error output-component: only z of the output POSITION is writable (write .z: it is the depth)"},
    {"FRAG\nDCL OUT[0], STENCIL\nMOV OUT[0].xy, OUT[0]\nEND\n",
     "3:5: error output-component: only y of the output STENCIL is writable (write .y: it is the stencil value)"},
    {"FRAG\nDCL OUT[0], POSITION\nDCL OUT[1], STENCIL\nMOV OUT[0].z, OUT[0]\nMOV OUT[1].y, OUT[0]\nEND\n", ""},
    {"FRAG\nPROPERTY LEGACY_MATH_RULES 1\nEND\n",
     "2:1: warning no-effect: the property LEGACY_MATH_RULES has no effect in weft"},
    {"COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1025\nEND\n",
     "2:1: error property-value: CS_FIXED_BLOCK_WIDTH is 0 to 1024, not 1025"},
    {"COMP\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1024\nEND\n", ""},
    {"COMP\nPROPERTY CS_FIXED_BLOCK_DEPTH 0\nEND\n",
     "2:1: warning property-value: CS_FIXED_BLOCK_DEPTH 0 leaves the size of a workgroup open: it counts as 1 where "
     "the caller does not give one"},
    {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 33\nEND\n",
     "2:1: error property-value: TCS_VERTICES_OUT is 1 to 32, not 33"},
    {"VERT\nPROPERTY NUM_CLIPDIST_ENABLED 9\nEND\n",
     "2:1: error property-value: NUM_CLIPDIST_ENABLED is 0 to 8, not 9"},
    {"TESS_EVAL\nPROPERTY TES_PRIM_MODE 2\nEND\n",
     "2:1: error property-value: TES_PRIM_MODE is 1 (lines), 4 (triangles) or 7 (quads)"},
    {"TESS_EVAL\nPROPERTY TES_PRIM_MODE 99\nEND\n",
     "2:1: error property-value: TES_PRIM_MODE is 1 (lines), 4 (triangles) or 7 (quads)"},
    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE QUADS\nEND\n",
     "2:1: error property-value: GS_INPUT_PRIMITIVE is POINTS, LINES, LINES_ADJACENCY, TRIANGLES or "
     "TRIANGLES_ADJACENCY"},
    {"GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_LOOP\nEND\n",
     "2:1: error property-value: GS_OUTPUT_PRIMITIVE is POINTS, LINE_STRIP or TRIANGLE_STRIP"},
    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\nEND\n", ""},

    /* resources and views */
    {"COMP\nDCL RES[0], BUFFER, RAW\nDCL TEMP[0]\nSTORE RES[0].x, TEMP[0], TEMP[0]\nEND\n",
     "4:7: error not-writable: STORE writes to RES[0], which is declared without WR (declare it with WR: 'DCL RES[0], "
     "BUFFER, RAW, WR')"},
    {"COMP\nDCL RES[1..2], 2D\nDCL TEMP[0]\nATOMUADD TEMP[0].x, RES[2], TEMP[0], TEMP[0]\nEND\n",
     "4:21: error not-writable: ATOMUADD writes to RES[2], which is declared without WR (declare it with WR: 'DCL "
     "RES[1], "
     "2D, WR')"},
    {"COMP\nDCL IMAGE[0], 2D\nDCL TEMP[0]\nSTORE IMAGE[0].x, TEMP[0], TEMP[0]\nEND\n",
     "4:7: warning not-writable: STORE writes to IMAGE[0], which is declared without WR (declare it with WR: 'DCL "
     "IMAGE[0], 2D, WR')"},
    {"COMP\nDCL RES[0], BUFFER, RAW\nDCL TEMP[0]\nLOAD TEMP[0], RES[0], TEMP[0]\nEND\n", ""},
    {"FRAG\nDCL SVIEW[0], CUBE, FLOAT\nDCL TEMP[0]\nSAMPLE_I TEMP[0], TEMP[0], SVIEW[0]\nEND\n",
     "4:28: error view-target: SAMPLE_I cannot have a view of CUBE: texels of a cube have no integer coordinates"},
    {"FRAG\nDCL SVIEW[0], 2D_MSAA, FLOAT\nDCL TEMP[0]\nSAMPLE_I TEMP[0], TEMP[0], SVIEW[0]\nEND\n",
     "4:28: error view-target: SAMPLE_I cannot have a view of 2D_MSAA: its texels have samples; expected SAMPLE_I_MS"},
    {"FRAG\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nSAMPLE_I_MS TEMP[0], TEMP[0], SVIEW[0], TEMP[0]\nEND\n",
     "4:31: error view-target: SAMPLE_I_MS cannot have a view of 2D: it has no samples; expected SAMPLE_I"},
    {"FRAG\nDCL SVIEW[0], 3D, FLOAT\nDCL TEMP[0]\nDCL SAMP[0]\nGATHER4 TEMP[0], TEMP[0], SVIEW[0], SAMP[0]\nEND\n",
     "5:27: error view-target: GATHER4 cannot have a view of 3D: it works with 2D, 2D_ARRAY, CUBE and CUBEARRAY alone"},
    {"FRAG\nDCL SVIEW[0], 1D, FLOAT\nDCL TEMP[0]\nDCL SAMP[0]\nGATHER4 TEMP[0], TEMP[0], SVIEW[0], SAMP[0]\nEND\n",
     "5:27: error view-target: GATHER4 cannot have a view of 1D: it works with 2D, 2D_ARRAY, CUBE and CUBEARRAY alone"},
    {"FRAG\nDCL SVIEW[0], BUFFER, FLOAT\nDCL TEMP[0]\nDCL SAMP[0]\nSAMPLE TEMP[0], TEMP[0], SVIEW[0], SAMP[0]\nEND\n",
     "5:26: error view-target: SAMPLE cannot have a view of BUFFER: a buffer or a multisample texture is not filtered; "
     "fetch its texels with SAMPLE_I or SAMPLE_I_MS"},
    {VERT "SWITCH TEMP[0]\nCASE TEMP[1]\nENDSWITCH\nEND\n",
     "8:6: error case-label: the operand of CASE must be an integer immediate (write 'IMM[n].x' of an IMM UINT32 or "
     "INT32)"},
    {VERT "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\nSWITCH TEMP[0]\nCASE IMM[0]\nENDSWITCH\nEND\n",
     "9:6: error case-label: the operand of CASE must be an integer immediate, and IMM[0] is FLT32 (declare it as IMM "
     "UINT32 or IMM INT32)"},

    /* control flow */
    {VERT "ELSE\nENDIF\nEND\n", "7:1: error unmatched: ELSE without IF or UIF"},
    {VERT "ENDIF\nEND\n", "7:1: error unmatched: ENDIF without IF or UIF"},
    {VERT "ENDLOOP\nEND\n", "7:1: error unmatched: ENDLOOP without BGNLOOP"},
    {VERT "ENDSWITCH\nEND\n", "7:1: error unmatched: ENDSWITCH without SWITCH"},
    {VERT "ENDSUB\nEND\n", "7:1: error unmatched: ENDSUB without BGNSUB"},
    {CASES "CASE IMM[0]\nEND\n", "8:1: error unmatched: CASE without SWITCH"},
    {VERT "DEFAULT\nEND\n", "7:1: error unmatched: DEFAULT without SWITCH"},
    {VERT "IF TEMP[0]\n  BGNLOOP\n  ENDIF\nENDLOOP\nEND\n",
     "9:3: error unmatched: ENDIF while BGNLOOP is open; expected ENDLOOP"},
    {CASES "SWITCH TEMP[0]\nIF TEMP[0]\nCASE IMM[0].x\nENDIF\nENDSWITCH\nEND\n",
     "10:1: error unmatched: CASE while IF is open; expected ENDIF"},
    {VERT "IF TEMP[0]\nELSE\nELSE\nENDIF\nEND\n", "9:1: error repeated: ELSE appears a second time"},
    {VERT "SWITCH TEMP[0]\nDEFAULT\nDEFAULT\nENDSWITCH\nEND\n", "9:1: error repeated: DEFAULT appears a second time"},
    {VERT "IF TEMP[0]\nEND\n", "7:1: error unclosed: IF is never closed; expected ENDIF"},
    {VERT "BGNLOOP\nEND\n", "7:1: error unclosed: BGNLOOP is never closed; expected ENDLOOP"},
    {VERT "SWITCH TEMP[0]\nEND\n", "7:1: error unclosed: SWITCH is never closed; expected ENDSWITCH"},
    {VERT "END\nBGNSUB\nRET\n", "8:1: error unclosed: BGNSUB is never closed; expected ENDSUB"},
    {VERT "IF TEMP[0]\nBGNSUB\nENDSUB\nENDIF\nEND\n", "8:1: error unmatched: BGNSUB while IF is open; expected ENDIF"},
    {VERT "BRK\nEND\n", "7:1: error outside-loop: BRK outside a loop and a switch"},
    {VERT "BREAKC TEMP[0]\nEND\n", "7:1: error outside-loop: BREAKC outside a loop and a switch"},
    {CASES "SWITCH TEMP[0]\nCASE IMM[0].x\nCONT\nENDSWITCH\nEND\n", "10:1: error outside-loop: CONT outside a loop"},
    {VERT "CAL\nEND\n",
     "7:1: error label-missing: CAL without a label (write the instruction number of a BGNSUB: 'CAL :12')"},
    {VERT "CAL :2\nEND\n", "7:1: error label-range: label :2 is beyond the last instruction, number 1"},
    {VERT "CAL :1\nEND\n", "7:1: warning label-target: CAL :1 leads to END, not to a BGNSUB"},
    {VERT "IF TEMP[0] :9\nENDIF\nEND\n", "7:1: warning label-range: label :9 is beyond the last instruction, number 2"},
    {VERT "END\nMOV OUT[0], IN[0]\n", "8:1: error after-end: MOV after END; only subroutines may follow it"},
    {VERT "END\nEND\n", "8:1: error repeated: END after END; only subroutines may follow it"},
    {VERT "MOV OUT[0], IN[0]\n", "7:1: warning no-end: the program has no END"},
    {"VERT\n", "2:1: warning no-end: the program has no END"},
};

/* The first diagnostic that is not about an unused register: "line:column: severity code: message (hint)". */
static const char *first_message(const weft_diags *d, char *buffer, size_t size)
{
    static const char *const severities[] = {"note", "warning", "error"};
    buffer[0] = '\0';
    for (size_t i = 0; i < weft_diags_count(d) && !buffer[0]; i++) {
        const weft_diag *g = weft_diags_get(d, i);
        if (strcmp(g->code, "unused") == 0)
            continue;
        snprintf(buffer, size, "%u:%u: %s %s: %s%s%s%s", g->line, g->column, severities[g->severity], g->code,
                 g->message, g->hint ? " (" : "", g->hint ? g->hint : "", g->hint ? ")" : "");
    }
    return buffer;
}

static struct text checked(const char *text)
{
    struct text t = text_parse(text);
    char message[500];
    if (t.status != WEFT_OK)
        fail_msg("%s\ndoes not parse: %s", text, text_message(&t, message, sizeof message));
    t.status = tgsi_check(t.m, &t.src, NULL, t.diags);
    assert_true((t.status == WEFT_OK) == (weft_diags_errors(t.diags) == 0));
    return t;
}

static void every_rule(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct text t = checked(rules[i].text);
        char message[500];
        first_message(t.diags, message, sizeof message);
        if (strcmp(message, rules[i].message) != 0) {
            printf("# expected %s\n# got      %s\n", rules[i].message, message);
            bad++;
        }
        text_free(&t);
    }
    assert_int_equal(bad, 0);
}

static const char *const good[] = {
    VERT "DADD TEMP[0].xy, TEMP[1].zwyy, TEMP[2]\nEND\n",
    VERT "DADD TEMP[0].zw, TEMP[1].xxzw, TEMP[2]\nEND\n",
    VERT "MOV OUT[0], IN[0]\nEND\n",
    /* one bracket and two are the same constants */
    VERT "MOV OUT[0], CONST[0][7]\nEND\n",
    "VERT\nDCL CONST[0][0..7]\nDCL OUT[0], POSITION\nMOV OUT[0], CONST[7]\nEND\n",
    /* any register of an indirectly addressed file will do; the address may be of any file of numbers */
    VERT "ARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x+100]\nEND\n",
    VERT "MOV TEMP[TEMP[1].y-1], CONST[IN[0].x]\nEND\n",
    "VERT\nDCL TEMP[0..3], ARRAY(1)\nDCL TEMP[4]\nMOV TEMP[TEMP[4].x](1), TEMP[4]\nEND\n",
    /* components of one register declared apart */
    "VERT\nDCL OUT[0].xy, GENERIC[0]\nDCL OUT[0].zw, GENERIC[1]\nMOV OUT[0], OUT[0]\nEND\n",
    /* the memories that older compute programs do not declare */
    COMP "LOAD TEMP[0], RES[32767], TEMP[1]\nLOAD TEMP[0], RES[32764], TEMP[1]\nSTORE RES[32766].x, TEMP[0], TEMP[1]\n"
         "STORE RES[32765].x, TEMP[0], TEMP[1]\nMFENCE RES[32766]\nEND\n",
    /* a program of entry points, which stops within a block and has no END of its own */
    COMP "BGNSUB\nIF TEMP[0]\nEND\nENDIF\nRET\nENDSUB\nBGNSUB\nCAL :0\nRET\nENDSUB\n",
    VERT "CAL :2\nEND\nBGNSUB\nMOV OUT[0], IN[0]\nRET\nENDSUB\n",
    VERT "BGNLOOP\nIF TEMP[0]\nBRK\nELSE\nCONT\nENDIF\nENDLOOP\nEND\n",
    CASES "SWITCH TEMP[0]\nCASE IMM[0].x\nBRK\nDEFAULT\nCASE IMM[0].y\nENDSWITCH\nEND\n",
    /* labels that interpreters derive themselves */
    VERT "BGNLOOP :0\nIF TEMP[0] :3\nBRK\nENDIF\nENDLOOP :0\nIF TEMP[0] :7\nENDIF\nEND\n",
    FRAG "TEX OUT[0], IN[0], SAMP[0], SHADOW2D\nEND\n", /* a comparing sampler sees the same view */
    GEOM "MOV OUT[0], IN[ADDR[0].x][0]\nMOV OUT[0], IN[2][0]\nEMIT\nENDPRIM\nEND\n",
    TESS "MOV OUT[0][0], IN[31][0]\nMOV OUT[1], IN[0][0]\nEND\n",
    FRAG "FBFETCH TEMP[0], OUT[0]\nSAMPLE TEMP[1], IN[0], SVIEW[0], SAMP[0]\nEND\n",
};

static void what_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct text t = checked(good[i]);
        char message[500];
        if (first_message(t.diags, message, sizeof message)[0])
            fail_msg("%s%s", good[i], message);
        text_free(&t);
    }
}

/* ---- what properties may be ---- */

static bool one_of(uint32_t value, const uint32_t *values, unsigned n)
{
    while (n > 0 && values[n - 1] != value)
        n--;
    return n > 0;
}

/* Gallium's numbers: primitives are 0 points, 1 lines, 3 a strip of lines, 4 triangles, 5 a strip of them, 7 quads, 10
 * and 12 lines and triangles with neighbours; spacings of tessellation are three. */
static void values_of_properties(void **state)
{
    (void)state;
    static const struct {
        const char *stage, *name;
        uint32_t least, most; /* or one of n values */
        unsigned n;
        uint32_t values[5];
    } known[] = {
        {"GEOM", "GS_INPUT_PRIMITIVE", 0, 0, 5, {0, 1, 4, 10, 12}},
        {"GEOM", "GS_OUTPUT_PRIMITIVE", 0, 0, 3, {0, 3, 5}},
        {"GEOM", "GS_MAX_OUTPUT_VERTICES", 0, 65535, 0, {0}},
        {"GEOM", "GS_INVOCATIONS", 0, 65535, 0, {0}},
        {"TESS_CTRL", "TCS_VERTICES_OUT", 1, 32, 0, {0}},
        {"TESS_EVAL", "TES_PRIM_MODE", 0, 0, 3, {1, 4, 7}},
        {"TESS_EVAL", "TES_SPACING", 0, 2, 0, {0}},
        {"VERT", "NUM_CLIPDIST_ENABLED", 0, 8, 0, {0}},
        {"VERT", "NUM_CULLDIST_ENABLED", 0, 8, 0, {0}},
        {"COMP", "CS_FIXED_BLOCK_WIDTH", 0, 1024, 0, {0}},
        {"COMP", "CS_FIXED_BLOCK_HEIGHT", 0, 1024, 0, {0}},
        {"COMP", "CS_FIXED_BLOCK_DEPTH", 0, 1024, 0, {0}},
    };
    static const uint32_t around[] = {0, 16, 32, 64, 128, 256, 512, 1024, 2048, 32768, 65535, 65536, UINT32_MAX};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (unsigned k = 0; k < 20 + 2 * sizeof around / sizeof around[0]; k++) {
            uint32_t value = k < 20 ? k : around[(k - 20) / 2] + k % 2;
            bool allowed = known[i].n ? one_of(value, known[i].values, known[i].n)
                                      : value >= known[i].least && value <= known[i].most;
            char text[80];
            snprintf(text, sizeof text, "%s\nPROPERTY %s %u\nEND\n", known[i].stage, known[i].name, value);
            struct text t = checked(text);
            bool refused = weft_diags_errors(t.diags) > 0;
            if (refused == allowed)
                print_error("%s: %s\n", refused ? "refused" : "passes", text);
            assert_int_equal(refused, !allowed);
            text_free(&t);
        }
}

/* ---- unused registers ---- */

static void unused_is(const char *text, const char *expected)
{
    struct text t = checked(text);
    char all[600] = "";
    for (size_t i = 0; i < weft_diags_count(t.diags); i++) {
        const weft_diag *g = weft_diags_get(t.diags, i);
        assert_int_equal(g->severity, WEFT_WARNING);
        assert_string_equal(g->code, "unused");
        snprintf(all + strlen(all), sizeof all - strlen(all), "%u:%u: %s\n", g->line, g->column, g->message);
    }
    assert_string_equal(all, expected);
    text_free(&t);
}

static void unused_registers(void **state)
{
    (void)state;
    unused_is("VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL TEMP[3]\nMOV OUT[0], IN[1]\nEND\n",
              "4:1: TEMP[3] is declared and never used\n");
    unused_is("VERT\nDCL CONST[1][0..3]\nDCL CONST[2][0..3]\nDCL OUT[0]\nMOV OUT[0], CONST[2][3]\nEND\n",
              "2:1: CONST[1][0..3] is declared and never used\n");
    unused_is("VERT\nDCL TEMP[0..1], ARRAY(1)\nDCL TEMP[2..3], ARRAY(2)\nDCL ADDR[0]\n"
              "MOV TEMP[ADDR[0].x](2), TEMP[ADDR[0].y](2)\nEND\n",
              "2:1: TEMP[0..1] is declared and never used\n");
    unused_is("VERT\nDCL TEMP[0..1]\nDCL TEMP[2..3]\nDCL ADDR[0]\nMOV TEMP[ADDR[0].x], TEMP[0]\nEND\n", "");
    unused_is("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
              "DCL SVIEW[1], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n",
              "6:1: SVIEW[1] is declared and never used\n");
}

/* ---- several at once, and modules that no text made ---- */

static void every_error_is_reported(void **state)
{
    (void)state;
    struct text t = checked(VERT "MOV OUT[1], TEMP[7]\nENDIF\nBRK\nMOV IN[0], SAMP[0]\nEND\n");
    assert_int_equal(weft_diags_errors(t.diags), 7); /* OUT[1], TEMP[7], IN, SAMP twice, ENDIF, BRK */
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    text_free(&t);
}

static void the_caret(void **state)
{
    (void)state;
    struct text t = checked(VERT "ADD TEMP[0].xy, -TEMP[9].yxzw, TEMP[1]\nEND\n");
    char out[400];
    weft_diag_format(weft_diags_get(t.diags, 0), 0, out, sizeof out);
    assert_non_null(strstr(out, "t.tgsi:7:17: error: TEMP[9] is not declared\n"
                                "  ADD TEMP[0].xy, -TEMP[9].yxzw, TEMP[1]\n"
                                "                  ^~~~~~~~~~~~~\n"));
    text_free(&t);
}

static void modules_without_text(void **state)
{
    (void)state;
    struct tgsi_insn insns[2] = {{.opcode = TGSI_OP_TEX, .ndst = 1, .nsrc = 2}, {.opcode = TGSI_OP_END}};
    struct tgsi_decl decl = {.file = TGSI_SAMPLER, .mask = 15};
    struct tgsi_operands operands[2] = {0};
    for (unsigned i = 0; i < 2; i++)
        tgsi_use_operands(&insns[i], &operands[i]);
    insns[0].dst[0] = (struct tgsi_operand){.file = TGSI_NULL, .mask = 0};
    insns[0].src[0] = (struct tgsi_operand){.file = TGSI_NULL};
    insns[0].src[1] = (struct tgsi_operand){.file = TGSI_SAMPLER};
    struct isa_module m = {.processor = TGSI_FRAG, .insns = insns, .ninsns = 2, .decls = &decl, .ndecls = 1};
    weft_diags *d = weft_diags_new();
    assert_int_equal(tgsi_check(&m, NULL, NULL, d), WEFT_ERROR_INPUT);
    assert_string_equal(weft_diags_get(d, 0)->message, "instruction 0 (TEX): an empty write mask");
    assert_int_equal(weft_diags_get(d, 0)->line, 0);
    assert_string_equal(weft_diags_get(d, 1)->message,
                        "instruction 0 (TEX): TEX without a texture target; expected '2D', ...");
    weft_diags_free(d);

    insns[0].nsrc = 1;
    d = weft_diags_new();
    assert_int_equal(tgsi_check(&m, NULL, NULL, d), WEFT_ERROR_INPUT);
    assert_string_equal(weft_diags_get(d, 0)->message,
                        "instruction 0 (TEX): TEX with 1 destinations and 1 sources; expected 1 and 2");
    weft_diags_free(d);

    decl.mask = 0;
    decl.last = 0;
    decl.first = 2;
    d = weft_diags_new();
    assert_int_equal(tgsi_check(&m, NULL, NULL, d), WEFT_ERROR_INPUT);
    assert_string_equal(weft_diags_get(d, 0)->message,
                        "declaration 0: the range 2..0 runs backwards; expected 0..2");
    assert_string_equal(weft_diags_get(d, 1)->message, "declaration 0: SAMP is declared with an empty usage mask");
    weft_diags_free(d);
}

/* Many declarations and many mistakes must not take time that grows with their product. */
static void many_mistakes(void **state)
{
    (void)state;
    enum { LINES = 60000 };
    char *text = malloc(LINES * 48), *p = text;
    p += sprintf(p, "VERT\n");
    for (int i = 0; i < LINES / 3; i++)
        p += sprintf(p, "DCL TEMP[%d]\nIF TEMP[%d]\nMOV TEMP[60000], OUT[%d]\n", i * 2, i * 2 + 1, i);
    struct text t = text_parse_sized("many", text, (size_t)(p - text));
    assert_int_equal(t.status, WEFT_OK);
    assert_int_equal(tgsi_check(t.m, &t.src, NULL, t.diags), WEFT_ERROR_INPUT);
    assert_int_equal(weft_diags_errors(t.diags), LINES / 3 * 4);
    text_free(&t);
    free(text);
}

static void count_report(void *user, uint32_t insn, const char *code, const char *message)
{
    (void)insn;
    (void)code;
    printf("# %s\n", message);
    ++*(unsigned *)user;
}

/* Without memory for what is open nothing is said of what closes it. */
static void nesting_without_memory(void **state)
{
    (void)state;
    struct text t = text_parse("COMP\nBGNLOOP\nBRK\nENDLOOP\nEND\n");
    for (unsigned full = 0; full < 2; full++) {
        struct arena arena = {.limit = full};
        unsigned reports = 0;
        struct tgsi_nesting n = {.m = t.m, .arena = &arena, .report = count_report, .user = &reports};
        for (uint32_t i = 0; i < t.m->ninsns; i++)
            tgsi_nest(&n, i);
        assert_int_equal(arena_failed(&arena), full);
        assert_int_equal(reports, 0);
        arena_free(&arena);
    }
    text_free(&t);
}

TEST_MAIN(TEST(nesting_without_memory), TEST(every_rule), TEST(what_passes), TEST(values_of_properties),
          TEST(unused_registers), TEST(every_error_is_reported), TEST(the_caret),
          TEST(modules_without_text), TEST(many_mistakes))
