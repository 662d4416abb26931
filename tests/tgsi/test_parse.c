/* Reading TGSI text: every opcode, every form of a declaration, immediate, property and operand, the oddities of the
 * dialects, and what is said of bad input. */
#include "test.h"

#include "isa/tgsi/op.h"
#include "text.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct text must_parse(const char *source)
{
    struct text t = text_parse(source);
    char message[500];
    if (t.status != WEFT_OK)
        fail_msg("%s\n%s", source, text_message(&t, message, sizeof message));
    assert_int_equal(weft_diags_count(t.diags), 0);
    return t;
}

/* ---- opcodes ---- */

/* An instruction of this row, as `OPCODE dst, src0.xyzw, ...` with a target where one belongs. */
static void write_instruction(char *out, const struct tgsi_row *row, const char *suffix, bool lower)
{
    char *p = out + sprintf(out, "%s%s", row->name, suffix);
    const char *before = " ";
    for (int i = 0; i < row->ndst; i++, before = ", ")
        p += sprintf(p, "%sTEMP[%d].xz", before, i);
    for (int i = 0; i < row->nsrc; i++, before = ", ")
        p += sprintf(p, "%s-TEMP[%d].wzyx", before, 10 + i);
    if (row->texture)
        p += sprintf(p, ", SHADOW2D_ARRAY");
    if (row->memory)
        p += sprintf(p, ", VOLATILE, 2D, PIPE_FORMAT_R32_UINT, COHERENT");
    if (row->label)
        sprintf(p, " :12345");
    for (p = out; lower && *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p + 32);
}

static void check_instruction(const struct tgsi_insn *insn, uint32_t number)
{
    const struct tgsi_row *row = &tgsi_rows[number];
    assert_int_equal(insn->opcode, number);
    assert_int_equal(insn->ndst, row->ndst);
    assert_int_equal(insn->nsrc, row->nsrc);
    for (int i = 0; i < row->ndst; i++) {
        assert_int_equal(insn->dst[i].file, TGSI_TEMPORARY);
        assert_int_equal(insn->dst[i].index.value, i);
        assert_int_equal(insn->dst[i].mask, 5);
    }
    for (int i = 0; i < row->nsrc; i++) {
        static const uint8_t wzyx[4] = {3, 2, 1, 0};
        assert_int_equal(insn->src[i].index.value, 10 + i);
        assert_memory_equal(insn->src[i].swizzle, wzyx, 4);
        assert_true(insn->src[i].negate && !insn->src[i].absolute);
    }
    assert_int_equal(insn->has_target, row->texture || row->memory);
    if (row->texture)
        assert_int_equal(insn->target, TGSI_TEX_SHADOW2D_ARRAY);
    if (row->memory) {
        assert_int_equal(insn->target, TGSI_TEX_2D);
        assert_int_equal(insn->memory, TGSI_MEM_VOLATILE | TGSI_MEM_COHERENT);
        assert_string_equal(gallium_format_names[insn->format], "PIPE_FORMAT_R32_UINT");
    }
    assert_int_equal(insn->has_label, row->label);
    assert_int_equal(insn->label, row->label ? 12345 : 0);
}

static void every_opcode_in_every_form(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"", "_SAT", "_PRECISE", "_SAT_PRECISE"};
    static const char *const frames[] = {"FRAG\n%s\n", "FRAG\n  7: %s\n", "frag\r\n007 :%s\r\n", "FRAG %s"};
    for (uint32_t number = 0; number < tgsi_row_count; number++) {
        for (size_t s = 0; s < COUNT(suffixes); s++) {
            for (size_t f = 0; f < COUNT(frames); f++) {
                char line[400], source[450];
                write_instruction(line, &tgsi_rows[number], suffixes[s], f % 2 != 0);
                snprintf(source, sizeof source, frames[f], line);
                struct text t = must_parse(source);
                assert_int_equal(t.m->ninsns, 1);
                check_instruction(&t.m->insns[0], number);
                assert_int_equal(t.m->insns[0].saturate, s == 1 || s == 3);
                assert_int_equal(t.m->insns[0].precise, s >= 2);
                assert_int_equal(t.m->insns[0].line, f == 3 ? 1 : 2);
                text_round_trip(&t);
                text_free(&t);
            }
        }
    }
}

/* ---- statements: what is read, and the canonical text of it ---- */

struct form {
    const char *processor, *source, *canonical; /* NULL: the same as the source */
};

static void check_forms(const struct form *forms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char source[500], wanted[500];
        const char *canonical = forms[i].canonical ? forms[i].canonical : forms[i].source;
        snprintf(source, sizeof source, "%s\n%s\n", forms[i].processor, forms[i].source);
        snprintf(wanted, sizeof wanted, "%s\n%s\n", forms[i].processor, canonical);
        struct text t = must_parse(source);
        assert_string_equal(text_round_trip(&t), wanted);
        text_free(&t);
    }
}

static void declarations(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {"FRAG", "DCL IN[0], COLOR, LINEAR", NULL},
        {"FRAG", "DCL IN[0], COLOR, COLOR", NULL},
        {"FRAG", "DCL IN[0], COLOR[1], COLOR, CENTROID", NULL},
        {"FRAG", "dcl in[ 0 ] , generic [ 3 ] , perspective , sample", "DCL IN[0], GENERIC[3], PERSPECTIVE, SAMPLE"},
        {"FRAG", "DCL IN[1], FACE, CONSTANT, CENTER", "DCL IN[1], FACE, CONSTANT"},
        {"FRAG", "DCL IN[0], GENERIC", "DCL IN[0], GENERIC[0]"},
        {"FRAG", "DCL IN[0], POSITION[0], LINEAR", "DCL IN[0], POSITION, LINEAR"},
        {"FRAG", "DCL IN[0], LINEAR", NULL},
        {"FRAG", "DCL IN[0], INTERPOLATE(COLOR)", NULL},
        {"FRAG", "DCL IN[0], GENERIC[0], CYLWRAP_XW", NULL},
        {"FRAG", "DCL IN[2..4].xy, ARRAY(1), GENERIC[7], PERSPECTIVE", NULL},
        {"FRAG", "DCL OUT[0].xyzw, COLOR", NULL},
        {"FRAG", "DCL OUT[0], COLOR, INVARIANT", NULL},
        {"FRAG", "DCL OUT[1], COLOR, INVARIANT, CONSTANT", "DCL OUT[1], COLOR, CONSTANT, INVARIANT"},
        {"VERT", "DCL OUT[0], CULLDIST[1]", NULL},
        {"VERT", "DCL OUT[0], TEXCOORD", "DCL OUT[0], TEXCOORD[0]"},
        {"VERT", "DCL IN[0]", NULL},
        {"VERT", "DCL CONST[0..31]", NULL},
        {"VERT", "DCL CONST[1][0..31]", NULL},
        {"VERT", "DCL CONST[15][ 4 .. 4 ]", "DCL CONST[15][4]"},
        {"VERT", "DCL TEMP[0..3], LOCAL", NULL},
        {"VERT", "DCL TEMP[0..3], ARRAY(2), LOCAL", NULL},
        {"VERT", "DCL ADDR[0]", NULL},
        {"VERT", "DCL PRED[0]", NULL},
        {"VERT", "DCL SV[0], INSTANCEID", NULL},
        {"FRAG", "DCL SV[0], PRIMID", "DCL SV[0], PRIM_ID"},
        {"FRAG", "DCL SAMP[0..2]", NULL},
        {"FRAG", "DCL SVIEW[0], 2D, FLOAT", NULL},
        {"FRAG", "DCL SVIEW[0], 2D, FLOAT, FLOAT, FLOAT, FLOAT", "DCL SVIEW[0], 2D, FLOAT"},
        {"FRAG", "DCL SVIEW[0], 1D_ARRAY, FLOAT, SINT, UINT, UNORM", NULL},
        {"FRAG", "DCL SVIEW[0], 2DArray, SNORM", "DCL SVIEW[0], 2D_ARRAY, SNORM"},
        {"COMP", "DCL RES[0], BUFFER, WR, RAW", NULL},
        {"COMP", "DCL RES[1..3], 2D, RAW, WR", "DCL RES[1..3], 2D, WR, RAW"},
        {"COMP", "DCL RES[0], 3D", NULL},
        {"COMP", "DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR",
         "DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR"},
        {"COMP", "DCL IMAGE[0], 2D, RAW, WR, PIPE_FORMAT_R32_UINT", "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR, RAW"},
        {"COMP", "DCL IMAGE[0], BUFFER, RAW", NULL},
        {"COMP", "DCL BUFFER[0]", NULL},
        {"COMP", "DCL BUFFER[0], ATOMIC", NULL},
        {"COMP", "DCL MEMORY[0]", "DCL MEMORY[0], GLOBAL"},
        {"COMP", "DCL MEMORY[0], SHARED", NULL},
        {"COMP", "DCL MEMORY[0], PRIVATE", NULL},
        {"COMP", "DCL MEMORY[0], INPUT", NULL},
        {"COMP", "DCL CONSTBUF[0]", NULL},
        {"COMP", "DCL HWATOMIC[0][0..3], ARRAY(1)", NULL},
        {"COMP", "DCL SV[0], THREAD_ID[0]", "DCL SV[0], THREAD_ID"},
        {"GEOM", "DCL IN[][0], POSITION", NULL},
        {"GEOM", "DCL IN[0..2][1..4], GENERIC[3]", NULL},
        {"GEOM", "DCL IN[3][1], GENERIC[3]", NULL},
        {"GEOM", "DCL OUT[0], GENERIC[0], STREAM(0, 1, 2, 3)", NULL},
        {"GEOM", "DCL OUT[0], GENERIC[0], STREAM(1,1,1,1), CONSTANT",
         "DCL OUT[0], GENERIC[0], STREAM(1, 1, 1, 1), CONSTANT"},
        {"GEOM", "DCL OUT[0], POSITION, STREAM(0, 0, 0, 0)", "DCL OUT[0], POSITION"},
        {"TESS_CTRL", "DCL OUT[][1], PATCH[1]", NULL},
        {"TESS_EVAL", "DCL IN[][1], TESSCOORD", NULL},
    };
    check_forms(forms, COUNT(forms));
}

static void every_semantic_and_format_by_name(void **state)
{
    (void)state;
    char source[200];
    for (int i = 0; tgsi_semantic_names[i] != NULL; i++) {
        snprintf(source, sizeof source, "VERT DCL SV[0], %s[3]", tgsi_semantic_names[i]);
        struct text t = must_parse(source);
        assert_int_equal(t.m->decls[0].semantic, i);
        assert_int_equal(t.m->decls[0].semantic_index, 3);
        text_round_trip(&t);
        text_free(&t);
    }
    for (int i = 1; gallium_format_names[i] != NULL; i++) {
        snprintf(source, sizeof source, "COMP DCL IMAGE[0], 2D, %s", gallium_format_names[i]);
        struct text t = must_parse(source);
        assert_int_equal(t.m->decls[0].format, i);
        text_round_trip(&t);
        text_free(&t);
    }
    for (int i = 0; i < TGSI_TEX_TARGETS; i++) {
        snprintf(source, sizeof source, "FRAG TEX TEMP[0], IN[0], SAMP[0], %s", tgsi_target_names[i]);
        struct text t = must_parse(source);
        assert_int_equal(t.m->insns[0].target, i);
        text_round_trip(&t);
        text_free(&t);
    }
    for (int i = 0; i < TGSI_FILES; i++) {
        snprintf(source, sizeof source, "FRAG MOV %s[1], %s[2]", tgsi_file_names[i], tgsi_file_names[i]);
        struct text t = must_parse(source);
        assert_int_equal(t.m->insns[0].dst[0].file, i);
        assert_int_equal(t.m->insns[0].src[0].file, i);
        text_round_trip(&t);
        text_free(&t);
    }
}

static void properties(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {"GEOM", "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY", NULL},
        {"GEOM", "PROPERTY GS_INPUT_PRIMITIVE 4", "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES"},
        {"GEOM", "PROPERTY GS_INPUT_PRIMITIVE 99", NULL},
        {"GEOM", "property gs_output_primitive triangle_strip", "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP"},
        {"GEOM", "PROPERTY GS_MAX_OUTPUT_VERTICES 8", NULL},
        {"FRAG", "PROPERTY FS_COORD_ORIGIN LOWER_LEFT", NULL},
        {"FRAG", "PROPERTY FS_COORD_PIXEL_CENTER INTEGER", NULL},
        {"VERT", "PROPERTY NEXT_SHADER FRAG", NULL},
        {"VERT", "PROPERTY MUL_ZERO_WINS 1", "PROPERTY LEGACY_MATH_RULES 1"},
        {"COMP", "PROPERTY CS_FIXED_BLOCK_WIDTH 4294967295", NULL},
    };
    check_forms(forms, COUNT(forms));
    for (int i = 0; tgsi_property_names[i] != NULL; i++) {
        char source[100];
        snprintf(source, sizeof source, "FRAG PROPERTY %s 1", tgsi_property_names[i]);
        struct text t = must_parse(source);
        assert_int_equal(t.m->props[0].name, i);
        assert_int_equal(t.m->props[0].value[0], 1);
        text_round_trip(&t);
        text_free(&t);
    }
}

static void immediates(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        uint32_t type, bits[4];
    } forms[] = {
        {"IMM FLT32 { 1.0, -2, 0.5, 1e2 }", TGSI_FLT32, {0x3f800000, 0xc0000000, 0x3f000000, 0x42c80000}},
        {"IMM[0] FLT32 {    0.2126,     0.7152,     0.0722,     4.0000}", TGSI_FLT32,
         {0x3e59b3d0, 0x3f371759, 0x3d93dd98, 0x40800000}},
        {"IMM FLT32 {+.5, 5., -0.0, 1E-3}", TGSI_FLT32, {0x3f000000, 0x40a00000, 0x80000000, 0x3a83126f}},
        {"IMM FLT32 {0x7fc00001, 0xFF800000, 0x00000001, 0X3F800000}", TGSI_FLT32,
         {0x7fc00001, 0xff800000, 1, 0x3f800000}},
        {"IMM FLT32 {inf, -INF, nan, infinity}", TGSI_FLT32, {0x7f800000, 0xff800000, 0x7fc00000, 0x7f800000}},
        {"IMM FLT32 {3.4028235e38, 1e-46, -3.40282353e38, 1.1754944e-38}", TGSI_FLT32,
         {0x7f7fffff, 0, 0xff7fffff, 0x00800000}},
        {"IMM UINT32 {0, 4294967295, 0xffffffff, -1}", TGSI_UINT32, {0, 0xffffffff, 0xffffffff, 0xffffffff}},
        {"IMM INT32 {-2147483648, 2147483647, 0x80000000, +7}", TGSI_INT32, {0x80000000, 0x7fffffff, 0x80000000, 7}},
        {"IMM FLT64 {1.5, 0x3ff0000000000001}", TGSI_FLT64, {0, 0x3ff80000, 1, 0x3ff00000}},
        {"IMM FLT64 {-inf, nan}", TGSI_FLT64, {0, 0xfff00000, 0, 0x7ff80000}},
        {"IMM UINT64 {18446744073709551615, 0x100000002}", TGSI_UINT64, {0xffffffff, 0xffffffff, 2, 1}},
        {"IMM INT64 {-9223372036854775808, 9223372036854775807}", TGSI_INT64,
         {0, 0x80000000, 0xffffffff, 0x7fffffff}},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char source[200];
        snprintf(source, sizeof source, "FRAG\n%s\n", forms[i].source);
        struct text t = must_parse(source);
        assert_int_equal(t.m->nimms, 1);
        assert_int_equal(t.m->imms[0].type, forms[i].type);
        for (int c = 0; c < 4; c++)
            if (t.m->imms[0].bits[c] != forms[i].bits[c])
                fail_msg("%s: component %d is %#x", forms[i].source, c, t.m->imms[0].bits[c]);
        text_round_trip(&t);
        text_free(&t);
    }
}

static void operands(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {"VERT", "MOV OUT[0], IN[0]", "  0: MOV OUT[0], IN[0]"},
        {"VERT", "MOV OUT[0].x, IN[0].y", "  0: MOV OUT[0].x, IN[0].yyyy"},
        {"VERT", "MOV OUT[0], IN[0].xy", "  0: MOV OUT[0], IN[0].xyyy"},
        {"VERT", "MOV OUT[0], IN[0].zyx", "  0: MOV OUT[0], IN[0].zyxx"},
        {"VERT", "MOV OUT[0].rga, SVIEW[0].r", "  0: MOV OUT[0].xyw, SVIEW[0].xxxx"},
        {"VERT", "MOV OUT[0], - | IN[0].xxxx |", "  0: MOV OUT[0], -|IN[0].xxxx|"},
        {"VERT", "MOV OUT[0], |CONST[1][2]|", "  0: MOV OUT[0], |CONST[1][2]|"},
        {"VERT", "MOV TEMP[ADDR[0].x+4](3), CONST[ADDR[0].y - 4]",
         "  0: MOV TEMP[ADDR[0].x+4](3), CONST[ADDR[0].y-4]"},
        {"VERT", "MOV OUT[0], IMM[ADDR[0].x + 3]", "  0: MOV OUT[0], IMM[ADDR[0].x+3]"},
        {"VERT", "MOV OUT[0], CONST[ADDR[0]]", "  0: MOV OUT[0], CONST[ADDR[0].x]"},
        {"VERT", "MOV OUT[0], CONST[TEMP[2].w](1)[TEMP[3].z+7](2).w",
         "  0: MOV OUT[0], CONST[TEMP[2].w](1)[TEMP[3].z+7](2).wwww"},
        {"GEOM", "MOV OUT[0], IN[ADDR[0].x][2]", "  0: MOV OUT[0], IN[ADDR[0].x][2]"},
        {"GEOM", "EMIT", "  0: EMIT"},
        {"GEOM", "EMIT IMM[0].xxxx", "  0: EMIT IMM[0].xxxx"},
        {"GEOM", "EMIT\nENDPRIM\nIMM[0] UINT32 {0, 0, 0, 0}", "  0: EMIT\n  1: ENDPRIM\nIMM[0] UINT32 {0, 0, 0, 0}"},
        {"FRAG", "KIL TEMP[0]", "  0: KILL_IF TEMP[0]"},
        {"FRAG", "KILP", "  0: KILL"},
        {"VERT", "SHR TEMP[0], TEMP[1], TEMP[2]", "  0: ISHR TEMP[0], TEMP[1], TEMP[2]"},
        {"FRAG", "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz", "  0: TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz"},
        {"FRAG", "TG4 TEMP[0], IN[0], IMM[0].x, SAMP[0], 2D, IMM[0].xy, IMM[1], IMM[2].z, IMM[3].zyx",
         "  0: TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xyy, IMM[1].xyz, IMM[2].zzz, IMM[3].zyx"},
        {"FRAG", "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz",
         "  0: SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz"},
        {"COMP", "LOAD TEMP[0].x, RES[32767], TEMP[1]", "  0: LOAD TEMP[0].x, RES[32767], TEMP[1]"},
        {"COMP", "STORE BUFFER[0].x, TEMP[0], TEMP[1], RESTRICT, STREAM_CACHE_POLICY",
         "  0: STORE BUFFER[0].x, TEMP[0], TEMP[1], RESTRICT, STREAM_CACHE_POLICY"},
        {"COMP", "LOAD TEMP[0], IMAGE[0], TEMP[1], PIPE_FORMAT_R32_FLOAT, CUBE_ARRAY, COHERENT",
         "  0: LOAD TEMP[0], IMAGE[0], TEMP[1], COHERENT, CUBEARRAY, PIPE_FORMAT_R32_FLOAT"},
        {"FRAG", "MOV TEMP[0]._, NULL", "  0: MOV TEMP[0]._, NULL[0]"},
        {"VERT", "IF TEMP[0].xxxx :3\nELSE :5\nENDIF", "  0: IF TEMP[0].xxxx :3\n  1: ELSE :5\n  2: ENDIF"},
        {"VERT", "BGNLOOP :0\nCAL :4\nENDLOOP :0", "  0: BGNLOOP :0\n  1:   CAL :4\n  2: ENDLOOP :0"},
        {"VERT", "99: MOV OUT[0], IN[0] 3:END", "  0: MOV OUT[0], IN[0]\n  1: END"},
        {"VERT", "DFRACEXP TEMP[0], TEMP[1].xy, TEMP[2]", "  0: DFRACEXP TEMP[0], TEMP[1].xy, TEMP[2]"},
    };
    check_forms(forms, COUNT(forms));
}

static void white_space_and_comments(void **state)
{
    (void)state;
    struct text t = must_parse("# first\r\n// second\n/* third\n */ VERT ; fourth\n"
                               "DCL/**/IN[0] DCL # five\nOUT[0],POSITION\r\n"
                               "\t0 :\n MOV OUT # IN[7]\n [0], // more\n IN\n[0]\nEND /* last */ # no newline");
    assert_int_equal(t.m->processor, TGSI_VERT);
    assert_int_equal(t.m->ndecls, 2);
    assert_int_equal(t.m->ninsns, 2);
    assert_int_equal(t.m->insns[0].line, 8);
    assert_int_equal(t.m->insns[1].line, 12);
    text_free(&t);
}

static void the_header_may_have_a_version(void **state)
{
    (void)state;
    struct text t = must_parse("VERT1.1\nDCL IN[0]\n");
    assert_int_equal(t.m->processor, TGSI_VERT);
    assert_int_equal(t.m->ndecls, 1);
    text_free(&t);
    t = text_parse("VERT1.\n");
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    text_free(&t);
}

static void places_are_kept(void **state)
{
    (void)state;
    static const char source[] = "FRAG\nDCL IN[0], COLOR\n  ADD TEMP[0].x, -IN[0] , |CONST[1][2].wwww|  # sum\n";
    struct text t = must_parse(source);
    const struct tgsi_insn *insn = &t.m->insns[0];
    assert_memory_equal(source + t.m->decls[0].where.offset, "DCL IN[0], COLOR\n", t.m->decls[0].where.length + 1);
    assert_memory_equal(source + insn->where.offset, "ADD TEMP[0].x, -IN[0] , |CONST[1][2].wwww| ",
                        insn->where.length + 1);
    assert_memory_equal(source + insn->dst[0].where.offset, "TEMP[0].x,", insn->dst[0].where.length + 1);
    assert_memory_equal(source + insn->src[0].where.offset, "-IN[0] ", insn->src[0].where.length + 1);
    assert_memory_equal(source + insn->src[1].where.offset, "|CONST[1][2].wwww| ", insn->src[1].where.length + 1);
    text_free(&t);
}

/* ---- bad input ---- */

static const struct {
    const char *source, *message;
} bad[] = {
#include "bad_text.inc"
};

static void bad_input_is_explained(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct text t = text_parse(bad[i].source);
        char message[500];
        text_message(&t, message, sizeof message);
        if (t.status != WEFT_ERROR_INPUT || strcmp(message, bad[i].message) != 0) {
            printf("# got: %s\n# for: %s\n", message, bad[i].source);
            wrong++;
        }
        text_free(&t);
    }
    assert_true(COUNT(bad) >= 40);
    assert_int_equal(wrong, 0);
}

static void parsing_goes_on_after_an_error(void **state)
{
    (void)state;
    struct text t = text_parse("FRAG\nDCL IN[0], COLR, LINEAR\nDCL OUT[0], COLOR\nDCL IMMX[0..1] {{ 1, 1, 1, 1 },\n"
                               "  { 1, 1, 1, 1 }}\nMOV OUT[0] IN[0]\nMOV OUT[0], IN[0]\nFOO\nEND\n");
    static const uint32_t lines[] = {2, 4, 6, 8};
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    assert_int_equal(weft_diags_count(t.diags), COUNT(lines));
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_int_equal(weft_diags_get(t.diags, i)->line, lines[i]);
    assert_int_equal(t.m->ninsns, 2); /* what could be read is there */
    assert_int_equal(t.m->ndecls, 1);
    assert_int_equal(t.m->insns[0].opcode, TGSI_OP_MOV);
    assert_int_equal(t.m->insns[0].line, 7);
    text_free(&t);
}

static void errors_are_counted_to_an_end(void **state)
{
    (void)state;
    char *source = malloc(2000010), *p = source + sprintf(source, "FRAG\n");
    for (int i = 0; i < 400000; i++)
        p += sprintf(p, "FOO\n");
    struct text t = text_parse(source);
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    assert_int_equal(weft_diags_errors(t.diags), 10000); /* a hundred of them are kept */
    text_free(&t);
    free(source);
}

static void a_cut_text_is_never_a_crash(void **state)
{
    (void)state;
    static const char whole[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nDCL IN[][0..1], GENERIC[0]\n"
        "DCL SVIEW[0], 2D, FLOAT, UINT, SINT, UNORM\n"
        "DCL OUT[0], POSITION, STREAM(0, 1, 2, 3)\nIMM[0] FLT32 {1.0, -0x, 0x3f800000, inf}\nIMM[0] FLT64 {1.5e10, 2}\n"
        "  0: MOV_SAT OUT[ADDR[0].x+4](1).xyz, -|IN[TEMP[0].y-1][1].wwww| /* note */\n"
        "  1: TEX TEMP[0], IN[0][0], SAMP[0], SHADOW2D_ARRAY, IMM[0].xyz\n"
        "  2: LOAD TEMP[0], IMAGE[0], TEMP[1], COHERENT, PIPE_FORMAT_R32_FLOAT, 2D // end\n"
        "  3: IF TEMP[0] :7\nEMIT\nEND\n";
    for (size_t n = 0; n <= sizeof whole - 1; n++) {
        char *cut = malloc(n ? n : 1); /* as long as the text, so that a sanitizer sees one byte too many */
        memcpy(cut, whole, n);
        struct text t = text_parse_sized("cut", cut, n);
        assert_true(t.status == WEFT_OK || weft_diags_errors(t.diags) > 0);
        text_free(&t);
        for (size_t at = 0; at < n; at += 7) { /* and with a byte spoiled */
            cut[at] = (char)(n * 31 + at);
            struct text s = text_parse_sized("spoiled", cut, n);
            assert_true(s.status == WEFT_OK || weft_diags_errors(s.diags) > 0);
            text_free(&s);
            cut[at] = whole[at];
        }
        free(cut);
    }
}

static void memory_can_run_out(void **state)
{
    (void)state;
    static const char source[] = "FRAG\nDCL IN[0]\nIMM FLT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0]\nEND\n";
    for (size_t limit = 1; limit < 20000; limit += 97) {
        struct arena arena = {.limit = limit};
        struct source src = {"m", source, sizeof source - 1};
        struct isa_params params = {NULL, -1};
        struct isa_module *m;
        weft_status status = tgsi_parse(&src, &params, &arena, &m, NULL);
        assert_true(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
        arena_free(&arena);
    }
}

/* ---- logs ---- */

/* Program `number` of a text. */
static struct text parse_program(const char *text, uint32_t number)
{
    struct text t = {.src = {"log", text, strlen(text)}, .diags = weft_diags_new()};
    struct isa_params params = {.stage = -1, .program = number};
    t.status = tgsi_parse(&t.src, &params, &t.arena, &t.m, t.diags);
    return t;
}

static const char a_log[] = "\xef\xbb\xbf"
                            "driver: compiling shader 1 /* of 3\n"
                            "VERT\n"
                            "DCL IN[0]\n"
                            "  0: NOP\n"
                            "  1: CAL :3\n"
                            "  2: END\n"
                            "  3: BGNSUB\n"
                            "  4: ENDSUB\n"
                            "compiled in 3 ms; FRAG follows\n"
                            "\n"
                            "FRAG  # the second\r\n"
                            "  0: KIL IN[0]\n"
                            "  1: END\n"
                            "COMP\n"
                            "  0: MOOV TEMP[0], IN[0]\n"
                            "  1: END\n"
                            "done\n";

static void programs_of_a_log(void **state)
{
    (void)state;
    static const struct {
        uint8_t processor;
        uint32_t ninsns, first_line;
    } programs[] = {{TGSI_VERT, 5, 4}, {TGSI_FRAG, 2, 12}};
    struct source src = {"log", a_log, sizeof a_log - 1};
    assert_int_equal(tgsi_programs(&src), 3);
    for (uint32_t i = 0; i < 2; i++) {
        struct text t = parse_program(a_log, i);
        assert_int_equal(t.status, WEFT_OK);
        assert_int_equal(t.m->processor, programs[i].processor);
        assert_int_equal(t.m->ninsns, programs[i].ninsns);
        assert_int_equal(t.m->insns[0].line, programs[i].first_line);
        text_free(&t);
    }
}

/* What is wrong in a program is said with the line that it has in the log. */
static void mistakes_in_a_log(void **state)
{
    (void)state;
    char buffer[300];
    struct text t = parse_program(a_log, 2);
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    assert_string_equal(text_message(&t, buffer, sizeof buffer), "15:6: unknown opcode 'MOOV' (did you mean 'MOV'?)");
    text_free(&t);
    t = parse_program(a_log, 3);
    assert_int_equal(t.status, WEFT_ERROR_INPUT);
    assert_string_equal(weft_diags_get(t.diags, 0)->message, "there is no program 4: the text holds 3");
    text_free(&t);
}

/* A text that begins as a program does is one: what follows END is not passed over, and neither is what comes before a
 * statement's processor. */
static void what_is_not_a_log(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t programs;
        bool good;
    } cases[] = {
        {"FRAG\nEND\nmore\n", 1, false},        {"MOV TEMP[0], IN[0]\nFRAG\nEND\n", 1, false},
        {"frag\nEND\n", 1, true},                {"/*\nFRAG\n*/\nVERT\nEND\n", 1, true},
        {"VERT\n/*\nFRAG\n*/\nEND\n", 1, true}, {"FRAG DCL IN[0] END", 1, true},
        {"FRAGG\nEND\n", 1, false},              {"", 1, false},
        {"VERT\nEND\nFRAG\nEND\n", 2, true},     {"\xef\xbb\xbf" "FRAG\nEND\n", 1, true},
        {"12:34:56 a\nFRAG\nEND\n", 1, true},     {"0: NOP\nFRAG\nEND\n", 1, false},
        {"log:\n\tFRAG1.1\nEND\nlog\n", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = parse_program(cases[i].text, 0);
        if (tgsi_programs(&t.src) != cases[i].programs || (t.status == WEFT_OK) != cases[i].good)
            fail_msg("case %zu: %u programs, status %d", i, tgsi_programs(&t.src), t.status);
        text_free(&t);
    }
}

TEST_MAIN(TEST(programs_of_a_log), TEST(mistakes_in_a_log), TEST(what_is_not_a_log),
          TEST(every_opcode_in_every_form), TEST(declarations), TEST(every_semantic_and_format_by_name),
          TEST(properties), TEST(immediates), TEST(operands), TEST(white_space_and_comments),
          TEST(the_header_may_have_a_version), TEST(places_are_kept), TEST(bad_input_is_explained),
          TEST(parsing_goes_on_after_an_error), TEST(errors_are_counted_to_an_end), TEST(a_cut_text_is_never_a_crash),
          TEST(memory_can_run_out))
