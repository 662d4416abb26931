#include "settings.h"

#include <stddef.h>

/* ---- TGSI ---- */

#define TGSI_ALL                                                                                                       \
    "DCL CONST[0][0..7]\nDCL CONST[1][0..7]\nDCL TEMP[0..7]\nDCL TEMP[8..11], ARRAY(1)\nDCL ADDR[0..7]\n"              \
    "DCL SAMP[0..7]\nDCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], 3D, UINT\nDCL SVIEW[2], CUBE, SINT\n"                      \
    "DCL SVIEW[3], 2D_ARRAY, FLOAT\nDCL SVIEW[4], SHADOW2D, FLOAT\nDCL SVIEW[5], 1D, FLOAT\n"                         \
    "DCL SVIEW[6], BUFFER, FLOAT\nDCL SVIEW[7], 2D_MSAA, UINT\n"
#define TGSI_MEMORY                                                                                                    \
    "DCL BUFFER[0..1]\nDCL BUFFER[2], ATOMIC\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"                            \
    "DCL IMAGE[1], 3D, PIPE_FORMAT_R32G32B32A32_FLOAT, WR\nDCL IMAGE[2], BUFFER, PIPE_FORMAT_R32_SINT, WR\n"           \
    "DCL IMAGE[3], 2D_ARRAY, PIPE_FORMAT_R32_FLOAT, WR\nDCL HWATOMIC[0..3]\nDCL CONSTBUF[0..3]\n"                      \
    "DCL RES[0], BUFFER, RAW, WR\nDCL RES[1], 2D, WR\nDCL RES[2], 3D, RAW, WR\n"
#define TGSI_NUMBERS                                                                                                   \
    "IMM[0] FLT32 {1.0, -2.0, 0.5, 0.0}\nIMM[1] UINT32 {0, 1, 2, 3}\nIMM[2] INT32 {-1, -2, 7, 16}\n"                   \
    "IMM[3] FLT64 {1.0, -2.0}\nIMM[4] UINT64 {1, 2}\nIMM[5] INT64 {-1, 2}\nIMM[6] FLT32 {1.0, 1.0, 1.0, 1.0}\n"        \
    "IMM[7] FLT32 {0.0, 0.0, 0.0, 0.0}\n"
#define TGSI_FRAG                                                                                                      \
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[3], LINEAR, CENTROID\nDCL IN[2], GENERIC[1], "       \
    "CONSTANT\nDCL IN[3], COLOR, COLOR\nDCL IN[4], POSITION, LINEAR\nDCL IN[5], FACE, CONSTANT\nDCL IN[6..7], "        \
    "ARRAY(1), GENERIC[4], PERSPECTIVE, SAMPLE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], POSITION\n"       \
    "DCL OUT[3], STENCIL\nDCL OUT[4], SAMPLEMASK\nDCL OUT[5..7], COLOR[2]\nDCL SV[0], SAMPLEID\nDCL SV[1], "           \
    "SAMPLEPOS\nDCL SV[2], HELPER_INVOCATION\nDCL SV[3], PRIM_ID\nDCL SV[4], SUBGROUP_SIZE\nDCL SV[5], "              \
    "SUBGROUP_LT_MASK\nDCL SV[6], SUBGROUP_INVOCATION\nDCL SV[7], SUBGROUP_GE_MASK\n" TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_VERT                                                                                                      \
    "VERT\nDCL IN[0..7]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], GENERIC[2]\nDCL OUT[3], PSIZE\n"         \
    "DCL OUT[4], CLIPDIST\nDCL OUT[5..7], ARRAY(2), GENERIC[4]\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\n"         \
    "DCL SV[2], BASEVERTEX\nDCL SV[3], BASEINSTANCE\nDCL SV[4], DRAWID\nDCL SV[5], VERTEXID_NOBASE\n"                  \
    "DCL SV[6], SUBGROUP_EQ_MASK\nDCL SV[7], SUBGROUP_GT_MASK\n" TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_GEOM                                                                                                      \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\nPROPERTY "                  \
    "GS_MAX_OUTPUT_VERTICES 6\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[2]\n"            \
    "DCL IN[][2..3], ARRAY(1), GENERIC[4]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2..4], ARRAY(2), "    \
    "GENERIC[1]\nDCL OUT[5].x, LAYER\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\nDCL SV[2], SUBGROUP_LE_MASK\n"      \
    TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_TESS_CTRL                                                                                                 \
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL IN[][1..2], ARRAY(1), GENERIC[2]\n"            \
    "DCL OUT[][0], POSITION\nDCL OUT[][1..2], ARRAY(2), GENERIC[0]\nDCL OUT[3], TESSOUTER\nDCL OUT[4], TESSINNER\n"    \
    "DCL OUT[5], PATCH[0]\nDCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\nDCL SV[2], PRIM_ID\n"                       \
    TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_TESS_EVAL                                                                                                 \
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nDCL IN[][0], POSITION\nDCL IN[][1..2], ARRAY(1), "   \
    "GENERIC[2]\nDCL IN[3], PATCH[0]\nDCL OUT[0], POSITION\nDCL OUT[1..3], ARRAY(2), GENERIC[0]\nDCL SV[0], "          \
    "TESSCOORD\nDCL SV[1], TESSOUTER\nDCL SV[2], TESSINNER\nDCL SV[3], PRIM_ID\nDCL SV[4], VERTICESIN\n"              \
    TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_COMP                                                                                                      \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nPROPERTY CS_FIXED_BLOCK_DEPTH 2\n"       \
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], BLOCK_SIZE\nDCL SV[3], GRID_SIZE\nDCL SV[4], WORK_DIM\n"    \
    "DCL SV[5], SUBGROUP_INVOCATION\nDCL SV[6], SUBGROUP_GE_MASK\nDCL SV[7], CS_USER_DATA_AMD\n"                      \
    "DCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\nDCL MEMORY[2], GLOBAL\nDCL MEMORY[3], INPUT\n"                     \
    TGSI_ALL TGSI_MEMORY TGSI_NUMBERS
#define TGSI_JUMP "IF TEMP[7].xxxx\nBRA :3\nENDIF\nMOV TEMP[2], TEMP[3]\n" /* lanes have places then */
#define TGSI_LOOP "BGNLOOP\nIF TEMP[0].xxxx\n"
#define TGSI_ENDS "ENDIF\nBRK\nENDLOOP\nEND\n"
#define TGSI_IN(begin, end, only)                                                                                      \
    {IR_FRAGMENT, NULL, TGSI_FRAG begin, end, NULL, only, false},                                                      \
        {IR_COMPUTE, NULL, TGSI_COMP begin, end, NULL, only, false}

static const struct setting tgsi[] = {
    {IR_FRAGMENT, NULL, TGSI_FRAG, "END\n", NULL, NULL, false},
    {IR_COMPUTE, NULL, TGSI_COMP, "END\n", NULL, NULL, false},
    {IR_VERTEX, NULL, TGSI_VERT, "END\n", NULL, NULL, false},
    {IR_FRAGMENT, NULL, TGSI_FRAG "IF TEMP[7].xxxx\n", "ENDIF\nEND\n", NULL, NULL, false},
    {IR_GEOMETRY, NULL, TGSI_GEOM, "END\n", NULL, NULL, false},
    {IR_TESS_CTRL, NULL, TGSI_TESS_CTRL, "END\n", NULL, NULL, false},
    {IR_TESS_EVAL, NULL, TGSI_TESS_EVAL, "END\n", NULL, NULL, false},
    {IR_COMPUTE, NULL, TGSI_COMP "BGNLOOP\n", "BRK\nENDLOOP\nEND\n", NULL, NULL, false},
    TGSI_IN("", "MOV TEMP[0], TEMP[1]\nENDIF\nEND\n", " IF UIF IFC "),
    TGSI_IN("IF TEMP[0].xxxx\n", "MOV TEMP[0], TEMP[1]\nENDIF\nEND\n", " ELSE "),
    TGSI_IN("IF TEMP[0].xxxx\nMOV TEMP[0], TEMP[1]\n", "END\n", " ENDIF "),
    TGSI_IN("IF TEMP[0].xxxx\nMOV TEMP[0], TEMP[1]\nELSE\n", "END\n", " ENDIF "),
    TGSI_IN("", "MOV TEMP[0], TEMP[1]\nBRK\nENDLOOP\nEND\n", " BGNLOOP BGNREP REP "),
    TGSI_IN("BGNLOOP\nBRK\n", "MOV TEMP[0], TEMP[1]\nEND\n", " ENDLOOP "),
    TGSI_IN(TGSI_LOOP, TGSI_ENDS, " BRK CONT BREAKC CONTC "),
    TGSI_IN("SWITCH TEMP[0].xxxx\nCASE IMM[1].xxxx\n", "ENDSWITCH\nEND\n", " BRK "),
    TGSI_IN("", "CASE IMM[1].xxxx\nMOV TEMP[0], TEMP[1]\nDEFAULT\nENDSWITCH\nEND\n", " SWITCH "),
    TGSI_IN("SWITCH TEMP[0].xxxx\n", "MOV TEMP[0], TEMP[1]\nBRK\nENDSWITCH\nEND\n", " CASE DEFAULT "),
    TGSI_IN("SWITCH TEMP[0].xxxx\nCASE IMM[1].xxxx\nBRK\n", "END\n", " ENDSWITCH "),
    TGSI_IN("MOV TEMP[0], TEMP[1]\n", "END\nBGNSUB\nMOV TEMP[1], TEMP[2]\nRET\nENDSUB\n", " CAL CALLNZ "),
    TGSI_IN("CAL :2\nEND\n", "MOV TEMP[1], TEMP[2]\nRET\nENDSUB\n", " BGNSUB "),
    TGSI_IN("CAL :2\nEND\nBGNSUB\nMOV TEMP[1], TEMP[2]\n", "", " ENDSUB "),
    TGSI_IN("IF TEMP[0].xxxx\n", "ENDIF\nEND\n", " RET END KILL "),
    TGSI_IN(TGSI_JUMP, "MOV TEMP[0], TEMP[1]\nENDIF\nEND\n", " IF UIF IFC "),
    TGSI_IN(TGSI_JUMP "IF TEMP[0].xxxx\n", "MOV TEMP[0], TEMP[1]\nENDIF\nEND\n", " ELSE "),
    TGSI_IN(TGSI_JUMP "IF TEMP[0].xxxx\nMOV TEMP[0], TEMP[1]\n", "END\n", " ENDIF "),
    TGSI_IN(TGSI_JUMP, "MOV TEMP[0], TEMP[1]\nBRK\nENDLOOP\nEND\n", " BGNLOOP BGNREP REP "),
    TGSI_IN(TGSI_JUMP "BGNLOOP\nBRK\n", "MOV TEMP[0], TEMP[1]\nEND\n", " ENDLOOP "),
    TGSI_IN(TGSI_JUMP TGSI_LOOP, TGSI_ENDS, " BRK CONT BREAKC CONTC RET KILL "),
    TGSI_IN(TGSI_JUMP "SWITCH TEMP[0].xxxx\nCASE IMM[1].xxxx\n", "ENDSWITCH\nEND\n", " BRK CASE DEFAULT "),
    TGSI_IN(TGSI_JUMP, "CASE IMM[1].xxxx\nMOV TEMP[0], TEMP[1]\nDEFAULT\nENDSWITCH\nEND\n", " SWITCH "),
};

/* ---- Tesla ---- */

#define TESLA_TEXTURES                                                                                                 \
    "texture 1 CUBE\ntexture 2 2D array shadow\ntexture 3 2D multisample\ntexture 4 3D integer\ntexture 5 RECT\n"      \
    "texture 6 BUFFER\ntexture 7 1D array\nbind c1 3\nbind t2 5\nbind s1 4\n"
#define TESLA_BEFORE "mov b32 $r7 $r6\nadd b32 $r5 $r6 $r7\n"
#define TESLA_AFTER "add b32 $r3 $r2 $r1\nmov b32 $r5 $r4\nmov b32 $r6 $r5\nexit nop\n"

static const struct setting tesla[] = {
    {IR_COMPUTE, NULL, TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_FRAGMENT, NULL, TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_VERTEX, NULL, TESLA_BEFORE, TESLA_AFTER, "g80", NULL, false},
    {IR_GEOMETRY, NULL, TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_COMPUTE,
     "registers 64\nlocal bytes 64\nshared bytes 256\nparameters 16\nblock 40 2 1\ncontrol 3\ncall_limit 3\n"
     "samplers linked\nglobal 1 2d 256\n" TESLA_TEXTURES,
     TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_FRAGMENT,
     "registers 8\ncontrol 0x80003\nin GENERIC[1].x v[0x4]\nin GENERIC[1].y v[0x8] flat\nin GENERIC[2].x v[0xc] "
     "linear\nin GENERIC[2].w v[0x10] centroid\nin FACE[0].x v[0x14]\nin POSITION[0].x v[0x18]\nout COLOR[0].x $r0\n"
     "out COLOR[1].y $r1\nout POSITION[0].z $r2\nout SAMPLEMASK[0].x $r3\n" TESLA_TEXTURES,
     TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_VERTEX,
     "control 1\nin GENERIC[1].x a[0x0]\nin GENERIC[1].y a[0x4]\nsysval VERTEXID a[0x8]\nsysval INSTANCEID a[0xc]\n"
     "out POSITION[0].x o[0x0]\nout POSITION[0].y o[0x4]\nout GENERIC[3].z o[0x8]\nout CLIPDIST[0].x o[0xc]\n"
     TESLA_TEXTURES,
     TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_GEOMETRY,
     "geometry lines line_strip 5\nin POSITION[0].x p[0x0]\nin GENERIC[1].y p[0x4]\nsysval PRIMID a[0x8]\n"
     "out POSITION[0].x o[0x0]\nout GENERIC[0].y o[0x4]\nout LAYER[0].x o[0x8]\n",
     TESLA_BEFORE, TESLA_AFTER, NULL, NULL, false},
    {IR_COMPUTE, "block 64\n", TESLA_BEFORE, TESLA_AFTER, "g200", NULL, false},
    {IR_FRAGMENT, NULL, TESLA_BEFORE, TESLA_AFTER, "g80", NULL, false},
};

/* ---- Valhall ---- */

#define VALHALL_LINES                                                                                                  \
    "tls 64\nwls 256\nu0 = storage 0 address\nu1.w0 = push byte 4\nu1.w1 = ubo 2 byte 8\nu2 = uniform 1 address\n"     \
    "u4 = storage 1 size\nu3.w0 = ubo 1 byte 4060\nu3.w1 = ubo 1 byte 20\nsysvals 255 ubo_count 1\n"                   \
    "sysval 1 texture 0 CUBE array\nimage 0 3D\nimage 1 2D array\n"
#define VALHALL_BEFORE "MOV.i32 r7, r6\nMOV.i32 r6, r5\n"
#define VALHALL_DRIVER VALHALL_BEFORE "IADD.u32 r8, u6, u7\n"
#define VALHALL_AFTER "NOP.wait0126\nIADD.u32 r2, r1, r3\nMOV.i32 r6, r4\nMOV.i32 r5, r4\nNOP.wait0126\nNOP.end\n"

static const struct setting valhall[] = {
    {IR_FRAGMENT, NULL, VALHALL_BEFORE, VALHALL_AFTER, NULL, NULL, false},
    {IR_COMPUTE, NULL, VALHALL_BEFORE, VALHALL_AFTER, NULL, NULL, false},
    {IR_VERTEX, NULL, VALHALL_BEFORE, VALHALL_AFTER, NULL, NULL, false},
    {IR_COMPUTE, VALHALL_LINES "block 40 2 1\n", VALHALL_DRIVER, VALHALL_AFTER, NULL, NULL, true},
    {IR_FRAGMENT, VALHALL_LINES "origin lower_left\nfacing zero_back\nblend 1 shader 16\n", VALHALL_DRIVER,
     VALHALL_AFTER, NULL, NULL, false},
    {IR_VERTEX, VALHALL_LINES "position clip\n", VALHALL_DRIVER, VALHALL_AFTER, NULL, NULL, true},
};

/* ---- Rogue ---- */

#define ROGUE_LINES                                                                                                    \
    "sh 0 8 constants 0 4\nsh 16 texture 0\nsh 20 sampler 0\nsh 24 storage 0\nsh 26 image 0\nsh 30 texels 0 5 3 2 4\n" \
    "sh 34 texture_address 0\nsh 36 uniform 1 8\nsh 40 texture 1\nsh 44 sampler 1\ntexture 1 CUBE\ntexture 0 2D "      \
    "array shadow\ndc constants 2 16\n"
#define ROGUE_BEFORE "0 : mov ft0, r7\n    mov r6, ft0\n1 : mov ft0, r5\n    mov r7, ft0\n"
#define ROGUE_AFTER                                                                                                    \
    "2 : mov ft0, r1\n    mov r2, ft0\n3 : mov ft0, r3\n    mov r4, ft0\n4 : mov ft0, r0\n    mov r5, ft0\n"

static const struct setting rogue[] = {
    {IR_FRAGMENT, NULL, ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_COMPUTE, NULL, ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_VERTEX, NULL, ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_COMPUTE, ROGUE_LINES "block 8 4 2\nsysval THREAD_ID.y r2\nsysval GRID_SIZE.z r3\n", ROGUE_BEFORE, ROGUE_AFTER,
     NULL, NULL, true},
    {IR_FRAGMENT,
     ROGUE_LINES "in W cf0\nin GENERIC[0].x cf4\nin GENERIC[0].y cf8 linear\nin GENERIC[1].x cf12 flat\nout COLOR[0] "
                 "o0 u8888\nout COLOR[1].x r3\nout POSITION.z r2\nsysval SAMPLEID r1\n",
     ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_VERTEX,
     ROGUE_LINES "in GENERIC[1].x vi0\nin GENERIC[1].z vi2\nsysval VERTEXID vi1\nout POSITION.x vo0\nout POSITION.y "
                 "vo1\nout GENERIC[3].w vo2\n",
     ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_GEOMETRY,
     ROGUE_LINES "geometry lines points 8 2\nin POSITION.x vi0 vertex 0\nin POSITION.x vi1 vertex 1\nsysval "
                 "INVOCATIONID vi2\nout POSITION.x vo0\nout GENERIC[0].y vo1\n",
     ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_TESS_CTRL,
     ROGUE_LINES "tess_control 4\nin POSITION.x vi0 vertex 0\nsysval VERTICESIN vi1\nout TESSOUTER.x t0\nout "
                 "PATCH[0].y t1\nout POSITION.x vo0\n",
     ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
    {IR_TESS_EVAL,
     ROGUE_LINES "tess_evaluation quads odd cw\nin POSITION.x vi0 vertex 1\nin PATCH[0].y vi1\nsysval TESSCOORD.x "
                 "vi2\nout POSITION.x vo0\nout GENERIC[0].y vo1\n",
     ROGUE_BEFORE, ROGUE_AFTER, NULL, NULL, false},
};

/* ---- the VPU ---- */

#define VPU_LINES                                                                                                      \
    "r0 = storage 1 address\nr2 = uniform 0 address\nr3 = push byte 4\nr4 = group y\nr5 = groups z\nstack 4096\n"
#define VPU_BEFORE "mov r7,r6\nmov r6,r5\n"
#define VPU_AFTER "add r1,r2\nmov r5,r4\nmov r4,r3\nrts\n"

static const struct setting vpu[] = {
    {IR_COMPUTE, NULL, VPU_BEFORE, VPU_AFTER, NULL, NULL, false},
    {IR_COMPUTE, VPU_LINES, VPU_BEFORE, VPU_AFTER, NULL, NULL, false},
};

#define SET(name, variants) {#name, name, sizeof name / sizeof *name, variants}
const struct settings settings_of_sets[] = {SET(tgsi, 44), SET(tesla, 28), SET(valhall, 28), SET(rogue, 28),
                                            SET(vpu, 6)};
const unsigned settings_sets = sizeof settings_of_sets / sizeof *settings_of_sets;
