/* Draws of any state: small targets of every format, all kinds of primitives, programs of every stage, textures. A draw
 * never fails but for reasons of the state's own; it leaves alone what is outside the scissor; and with three threads
 * and another level of the CPU it does the same to every byte as with one thread. */
#include "bindings.h"
#include "choice.h"
#include "outside.h"
#include "shaders.h"

#include "device/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 1 << 14, MOST_INDICES = 40, MOST_INPUT = 4096, SURFACES = PIPELINE_COLORS + 1 };

/* ---- programs ---- */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const vertex_texts[] = {
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n",
    /* w is 1 where the data is tame */
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n"
    "IMM[0] FLT32 {1.0, 0.5, 0.0, 0.0}\n"
    "MOV OUT[0].xyz, IN[0]\nMOV OUT[0].w, IMM[0].xxxx\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[1].wzyx\nEND\n",
    "VERT\nPROPERTY NUM_CLIPDIST_ENABLED 3\nPROPERTY NUM_CULLDIST_ENABLED 2\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], CLIPDIST[0]\nDCL OUT[3].x, CLIPDIST[1]\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3].x, IN[2].wwww\nEND\n",
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2].x, PSIZE\n"
    "DCL OUT[3].x, LAYER\nDCL OUT[4].x, VIEWPORT_INDEX\nDCL OUT[5].x, EDGEFLAG\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2].x, IN[2].xxxx\nMOV OUT[3].x, IN[2].yyyy\n"
    "F2I OUT[4].x, IN[2].zzzz\nMOV OUT[5].x, IN[2].wwww\nEND\n",
    "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], BASEVERTEX\nDCL SV[3], DRAWID\n"
    "DCL CONST[0][0..31]\nDCL ADDR[0]\nDCL TEMP[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "DCL OUT[2], COLOR\n"
    "DCL OUT[3], BCOLOR\nDCL OUT[4], FOG\nUADD TEMP[0].x, SV[0].xxxx, SV[1].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n"
    "ADD OUT[0], IN[0], CONST[0][ADDR[0].x]\nUADD TEMP[1].xy, SV[2].xxxx, SV[3].xxxx\nMOV OUT[1], TEMP[0].xxxx\n"
    "MOV OUT[2], IN[0].yxzw\nMOV OUT[3], CONST[0][3]\nMOV OUT[4], TEMP[1].xyxy\nEND\n",
    "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "IMM[0] FLT32 {8.0, 8.0, 1.0, 1.0}\nMUL OUT[0], IN[0], IMM[0]\nMOV OUT[1], IN[1]\nEND\n",
};

#define FRAG_HEAD "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"

static const char *const fragment_texts[] = {
    FRAG_HEAD "MOV OUT[0], IN[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], IN[0]\n"
    "MOV OUT[1], IN[0].wzyx\nEND\n",
    "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], LINEAR\n"
    "DCL IN[1], GENERIC[1], PERSPECTIVE, CENTROID\n"
    "DCL OUT[0], COLOR\nADD OUT[0], IN[0], IN[1]\nEND\n",
    /* the masks of many targets, depth, stencil, samples; some fragments end */
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1].xz, COLOR[2]\nDCL OUT[2], COLOR[7]\n"
    "DCL OUT[3].z, POSITION\nDCL OUT[4].y, STENCIL\nDCL OUT[5].x, SAMPLEMASK\nIMM[0] FLT32 {0.25, 0.0, 0.0, 0.0}\n"
    "DCL TEMP[0]\nADD TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nMOV OUT[0], IN[0]\n"
    "MOV OUT[1].xz, IN[0]\n"
    "MOV OUT[2], IN[0].yyyy\nMOV OUT[3].z, IN[0].zzzz\nF2U OUT[4].y, IN[0].wwww\nMOV OUT[5].x, IN[0].xxxx\nEND\n",
    "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
    "DCL OUT[1].z, POSITION\nMOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].xxxx\nEND\n",
    "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\n"
    "DCL IN[1], FACE, CONSTANT\nDCL IN[2], PCOORD, LINEAR\nDCL IN[3], COLOR, COLOR\nDCL SV[0], LAYER\n"
    "DCL SV[1], PRIM_ID\n"
    "DCL OUT[0], COLOR\nDCL TEMP[0..1]\nDDX TEMP[0], IN[0]\nDDY TEMP[1], IN[3]\nADD TEMP[0], TEMP[0], TEMP[1]\n"
    "MAD TEMP[0], IN[1].xxxx, IN[2], TEMP[0]\nUADD TEMP[0].w, SV[0].xxxx, SV[1].xxxx\nMOV OUT[0], TEMP[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\nDCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\nDCL OUT[0], COLOR\n"
    "DCL TEMP[0..1]\nINTERP_SAMPLE TEMP[0], IN[0], SV[0].xxxx\nINTERP_OFFSET TEMP[1], IN[0], SV[1]\n"
    "ADD OUT[0], TEMP[0], TEMP[1]\nEND\n",
    FRAG_HEAD "DCL TEMP[0]\nFBFETCH TEMP[0], OUT[0]\nADD OUT[0], TEMP[0].yzwx, IN[0]\nEND\n",
    /* a loop that may go on for ever */
    FRAG_HEAD
    "DCL TEMP[0..1]\nIMM[0] FLT32 {0.125, 1.0, 0.0, 0.0}\nMOV TEMP[0], IN[0]\nBGNLOOP\n"
    "FSLT TEMP[1].x, IMM[0].yyyy, TEMP[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\nADD TEMP[0], TEMP[0], IMM[0].xxxx\n"
    "ENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
    /* images by pixel, a counter, a constant that is not there */
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL CONST[0][0..99]\n"
    "DCL BUFFER[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_NONE, WR\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 1, 4, 0}\n"
    "F2I TEMP[0], IN[1]\nMOV TEMP[2], IMM[0].xxxx\nSTORE IMAGE[0], TEMP[0], IN[0], 2D, PIPE_FORMAT_NONE\n"
    "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].zzzz, IMM[0].yyyy\nADD OUT[0], IN[0], CONST[0][90]\nEND\n",
    /* nothing at all */
    "FRAG\nEND\n",
};

static const char lookup_head[] =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nIMM[0] FLT32 {4.0, 4.0, 2.0, 1.0}\n"
    "IMM[1] INT32 {0, 1, 2, 3}\nMOV TEMP[0], IN[0]\nMUL TEMP[1], IN[0], IMM[0]\nF2I TEMP[1], TEMP[1]\n";
static const char lookup_tail[] = "MOV OUT[0], TEMP[2]\nEND\n";

/* %s: what comes in, what goes out, vertices of a primitive; each vertex is emitted twice, the second time moved. */
static const char geometry_text[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE %s\nPROPERTY GS_OUTPUT_PRIMITIVE %s\nPROPERTY GS_MAX_OUTPUT_VERTICES %s\n"
    "PROPERTY GS_INVOCATIONS %s\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], PRIM_ID\n"
    "DCL SV[1], INVOCATIONID\nDCL SV[2], VERTICESIN\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "DCL OUT[2].x, LAYER\n"
    "DCL TEMP[0..1]\nDCL ADDR[0]\nIMM[0] INT32 {0, 1, 0, 0}\nIMM[1] FLT32 {0.25, -0.25, 0.125, 0.0}\n"
    "MOV TEMP[0].x, IMM[0].xxxx\n"
    "BGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, SV[2].xxxx\nUIF TEMP[0].yyyy\nBRK\nENDIF\nUARL ADDR[0].x, TEMP[0].xxxx\n"
    "MOV OUT[0], IN[ADDR[0].x][0]\nMOV OUT[1], IN[ADDR[0].x][1]\nMOV OUT[2].x, SV[1].xxxx\nEMIT IMM[0].xxxx\n"
    "ADD OUT[0], IN[ADDR[0].x][0], IMM[1]\nMOV OUT[1], SV[0].xxxx\nMOV OUT[2].x, SV[1].xxxx\nEMIT IMM[0].xxxx\n"
    "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nENDPRIM IMM[0].xxxx\nEND\n";

static const char *const control_texts[] = {
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[][0], POSITION\n"
    "DCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\nDCL SV[0], INVOCATIONID\n"
    "DCL SV[1], PRIM_ID\n"
    "DCL ADDR[0]\nDCL CONST[0][0..7]\nIMM[0] FLT32 {9.0, 7.5, 0.0, 0.0}\nUARL ADDR[0].x, SV[0].xxxx\n"
    "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n"
    "MIN OUT[2], CONST[0][0], IMM[0].xxxx\nMIN OUT[3].xy, CONST[0][1], IMM[0].yyyy\nBARRIER\nEND\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\n"
    "DCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL TEMP[0]\n"
    "IMM[0] INT32 {1, 3, 0, 0}\nIMM[1] FLT32 {3.0, 2.5, 1.0, 5.0}\nUARL ADDR[0].x, SV[0].xxxx\n"
    "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nBARRIER\nUADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
    "AND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[0], OUT[ADDR[0].x][0]\n"
    "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][1], TEMP[0]\nMOV OUT[2], IMM[1]\nMOV OUT[3].xy, IMM[1].yxyx\nEND\n",
};

/* %u: mode, spacing, order, points. */
static const char evaluation_text[] =
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE %u\nPROPERTY TES_SPACING %u\nPROPERTY TES_VERTEX_ORDER_CW %u\n"
    "PROPERTY TES_POINT_MODE %u\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], TESSCOORD\n"
    "DCL SV[1], VERTICESIN\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\nLRP TEMP[0], SV[0].xxxx, IN[1][0], IN[0][0]\n"
    "LRP OUT[0], SV[0].yyyy, IN[2][0], TEMP[0]\nADD OUT[1], IN[0][1], SV[0]\nEND\n";

enum { GEOMETRY_INPUTS = 5, GEOMETRY_OUTPUTS = 3, GEOMETRY_COUNTS = 4, GEOMETRY_INVOCATIONS = 2 };

static const struct shader *geometry_shader(struct choices *c, enum topology topology, bool tess,
                                            enum ir_primitive made)
{
    static struct shader kept[GEOMETRY_INPUTS][GEOMETRY_OUTPUTS][GEOMETRY_COUNTS][GEOMETRY_INVOCATIONS];
    static const char *const in[] = {"POINTS", "LINES", "TRIANGLES", "LINES_ADJACENCY", "TRIANGLES_ADJACENCY"};
    static const char *const out[] = {"POINTS", "LINE_STRIP", "TRIANGLE_STRIP"};
    static const char *const most[] = {"12", "1", "5", "60"}, *const invocations[] = {"1", "3"};
    unsigned i = 2;
    if (tess)
        i = made == IR_PRIM_POINTS ? 0 : made == IR_PRIM_LINES ? 1 : 2;
    else if (topology == POINT_LIST)
        i = 0;
    else if (topology == LINE_LIST || topology == LINE_STRIP || topology == LINE_LOOP)
        i = 1;
    else if (topology == LINE_LIST_ADJACENCY || topology == LINE_STRIP_ADJACENCY)
        i = 3;
    else if (topology == TRIANGLE_LIST_ADJACENCY || topology == TRIANGLE_STRIP_ADJACENCY)
        i = 4;
    uint32_t o = take(c, GEOMETRY_OUTPUTS), m = take(c, GEOMETRY_COUNTS), n = take(c, GEOMETRY_INVOCATIONS);
    char text[SHADER_TEXT];
    snprintf(text, sizeof text, geometry_text, in[i], out[o], most[m], invocations[n]);
    return shader_of(&kept[i][o][m][n], text);
}

static const struct shader *evaluation_shader(struct choices *c, enum ir_primitive *made)
{
    static struct shader kept[3][3][2][2];
    static const unsigned modes[] = {IR_PRIM_TRIANGLES, IR_PRIM_QUADS, IR_PRIM_LINES};
    uint32_t mode = take(c, 3), spacing = take(c, 3), cw = take(c, 2), points = seldom(c, 4);
    char text[SHADER_TEXT];
    snprintf(text, sizeof text, evaluation_text, modes[mode], spacing, cw, points);
    *made = points ? IR_PRIM_POINTS : mode == 2 ? IR_PRIM_LINES : IR_PRIM_TRIANGLES;
    return shader_of(&kept[mode][spacing][cw][points], text);
}

struct programs {
    const struct shader *vertex, *control, *evaluation, *geometry, *fragment;
};

static void take_programs(struct choices *c, enum topology topology, struct programs *out)
{
    static struct shader vertex[COUNT(vertex_texts)], control[COUNT(control_texts)], fragment[COUNT(fragment_texts)];
    static struct shader lookup[SHADER_VARIANTS];
    enum ir_primitive made = IR_PRIM_TRIANGLES;
    *out = (struct programs){0};
    uint32_t i = take(c, COUNT(vertex_texts));
    out->vertex = shader_of(&vertex[i], vertex_texts[i]);
    if (topology == PATCH_LIST) {
        if (take_bool(c)) {
            i = take(c, COUNT(control_texts));
            out->control = shader_of(&control[i], control_texts[i]);
        }
        out->evaluation = evaluation_shader(c, &made);
    }
    if (seldom(c, 4))
        out->geometry = geometry_shader(c, topology, topology == PATCH_LIST, made);
    i = take(c, COUNT(fragment_texts) + 8);
    out->fragment = i < COUNT(fragment_texts) ? shader_of(&fragment[i], fragment_texts[i])
                                              : lookup_shader(c, lookup, lookup_head, lookup_tail);
}

static void use_programs(const struct programs *from, enum exec_level level, struct pipeline *p)
{
    const struct shader *const given[] = {from->vertex, from->control, from->evaluation, from->geometry,
                                          from->fragment};
    struct stage *const to[] = {&p->vertex, &p->tess_ctrl, &p->tess_eval, &p->geometry, &p->fragment};
    for (unsigned i = 0; i < COUNT(given); i++)
        *to[i] = given[i] ? given[i]->stage[level] : (struct stage){0};
}

/* ---- state ---- */

/* A case: the pipeline but for what differs between its two draws. */
struct scene {
    struct pipeline p;
    struct programs programs;
    struct bindings bindings;
    uint32_t indices[MOST_INDICES];
    uint8_t *vertices[3], *pixels[2][SURFACES], *before[SURFACES];
    size_t bytes[SURFACES];
};

static void take_vertices(struct choices *c, struct scene *s)
{
    struct pipeline *p = &s->p;
    for (unsigned i = 0; i < COUNT(s->vertices); i++) {
        struct attribute *a = &p->attribute[i];
        if (seldom(c, 16))
            continue;
        a->format = seldom(c, 3) ? take_format(c) : &formats[FORMAT_R32G32B32A32_SFLOAT];
        a->stride = seldom(c, 4) ? take(c, 40) : a->format->bytes;
        a->offset = seldom(c, 4) ? take(c, 40) : 0;
        a->size = seldom(c, 4) ? take(c, 300) : a->format->bytes * 16u;
        a->divisor = seldom(c, 8) ? take(c, 3) : 0;
        a->data = s->vertices[i] = claim(a->size);
        fill_random(c, s->vertices[i], a->size);
    }
    p->first_vertex = seldom(c, 8) ? take(c, 2) ? UINT32_MAX - take(c, 4) : take(c, 20) : 0;
    p->vertex_count = 1 + take(c, seldom(c, 4) ? 24 : 8);
    p->instances = seldom(c, 4) ? take(c, 4) : 1;
    p->base_instance = seldom(c, 4) ? take(c, 3) * 0x7fffffffu : 0;
    p->draw_id = take(c, 4);
    p->provoking_first = take_bool(c);
    p->patch_vertices = 1 + take(c, seldom(c, 8) ? 32 : 5);
    for (unsigned i = 0; i < 6; i++)
        *(i < 4 ? &p->tess_outer[i] : &p->tess_inner[i - 4]) = seldom(c, 8) ? take_float(c) : 1 + take_finite(c, 2) * 3;
    if (!take_bool(c))
        return;
    p->indices = s->indices;
    p->index_count = take(c, seldom(c, 4) ? MOST_INDICES + 1 : 12);
    for (uint32_t i = 0; i < p->index_count; i++)
        s->indices[i] = seldom(c, 16) ? UINT32_MAX - take(c, 2) : take(c, 18);
    p->vertex_count = seldom(c, 4) ? take(c, 20) : 0;
    p->base_vertex = seldom(c, 4) ? (int32_t)take(c, 5) - 2 : 0;
    p->restart = take_bool(c);
    p->restart_index = take_bool(c) ? UINT32_MAX : take(c, 18);
}

/* A patch has up to 8,192 triangles, and a geometry program makes more of each: a draw has a few of them only, or one
 * input takes longer than the fuzzer waits. */
static void limit_patches(struct scene *s)
{
    struct pipeline *p = &s->p;
    uint32_t most = 2 * p->patch_vertices;
    if (p->topology != PATCH_LIST || !s->programs.geometry)
        return;
    p->instances = p->instances < 2 ? p->instances : 1;
    p->vertex_count = p->vertex_count < most ? p->vertex_count : most;
    p->index_count = p->index_count < most ? p->index_count : most;
}

static double take_pixels(struct choices *c)
{
    return (double)take_finite(c, 64) * (seldom(c, 8) ? VIEWPORT_MOST / 64 : 8);
}

static void take_raster_state(struct choices *c, struct pipeline *p, int32_t width, int32_t height)
{
    p->front_positive = take_bool(c);
    p->half_z = take_bool(c);
    p->origin_far_row = take_bool(c);
    for (unsigned i = 0; i < PIPELINE_VIEWPORTS; i++)
        p->viewport[i] = viewport_make(0, 0, width, height, 0, 1, p->half_z);
    for (unsigned i = 0, n = take(c, 3); i < n; i++)
        p->viewport[i] = viewport_make(take_pixels(c), take_pixels(c), take_pixels(c), take_pixels(c),
                                       (double)take_finite(c, 1), (double)take_finite(c, 1), p->half_z);
    p->scissor = (struct rect){0, 0, width, height};
    if (take_bool(c)) {
        p->scissor.x0 = take_between(c, 0, width - 1);
        p->scissor.y0 = take_between(c, 0, height - 1);
        p->scissor.x1 = take_between(c, p->scissor.x0, width);
        p->scissor.y1 = take_between(c, p->scissor.y0, height);
    }
    p->depth_clamp = take_bool(c);
    p->polygon_mode = (enum polygon_mode)(seldom(c, 3) ? take(c, 3) : POLYGON_FILL);
    p->cull = (enum cull_mode)(seldom(c, 3) ? take(c, 4) : CULL_NONE);
    p->depth_bias.enable = seldom(c, 4);
    if (p->depth_bias.enable) {
        p->depth_bias.constant = take_float(c);
        p->depth_bias.slope = take_float(c);
        p->depth_bias.clamp = take_float(c);
    }
    p->line_width = seldom(c, 3) ? fabsf(take_finite(c, 64)) : 0;
    p->point_size = seldom(c, 3) ? fabsf(take_finite(c, 64)) : 0;
    p->point_origin_lower_left = take_bool(c);
    p->sprite_texcoords = take_bool(c);
}

static struct stencil_face take_face(struct choices *c)
{
    return (struct stencil_face){.fail = (uint8_t)take(c, 8),
                                 .pass = (uint8_t)take(c, 8),
                                 .depth_fail = (uint8_t)take(c, 8),
                                 .compare = (uint8_t)take(c, 8),
                                 .compare_mask = take_byte(c),
                                 .write_mask = take_byte(c),
                                 .reference = take_byte(c)};
}

static void take_target_state(struct choices *c, struct pipeline *p)
{
    struct target_state *t = &p->targets;
    p->depth_test = take_bool(c);
    p->depth_write = take_bool(c);
    p->depth_op = (enum compare_op)take(c, 8);
    t->stencil_test = seldom(c, 3);
    if (t->stencil_test) {
        t->front = take_face(c);
        t->back = take_face(c);
    }
    t->depth_bounds = seldom(c, 8);
    if (t->depth_bounds) {
        t->bounds_low = take_float(c);
        t->bounds_high = take_float(c);
    }
    for (unsigned i = 0, n = take(c, PIPELINE_COLORS + 1); i < n; i++)
        t->blend[i] = (struct blend_target){.blend = take_bool(c),
                                            .color_src = (uint8_t)take(c, BLEND_ONE_MINUS_SRC1_ALPHA + 1),
                                            .color_dst = (uint8_t)take(c, BLEND_ONE_MINUS_SRC1_ALPHA + 1),
                                            .color_op = (uint8_t)take(c, BLEND_MAX + 1),
                                            .alpha_src = (uint8_t)take(c, BLEND_ONE_MINUS_SRC1_ALPHA + 1),
                                            .alpha_dst = (uint8_t)take(c, BLEND_ONE_MINUS_SRC1_ALPHA + 1),
                                            .alpha_op = (uint8_t)take(c, BLEND_MAX + 1),
                                            .keep = seldom(c, 3) ? (uint8_t)take(c, 16) : 0};
    for (unsigned i = 0; i < 4; i++)
        t->blend_constant[i] = take_float(c);
    t->logic = seldom(c, 8);
    t->logic_op = (enum logic_op)take(c, LOGIC_SET + 1);
    t->alpha_to_coverage = seldom(c, 8);
    t->min_sample_shading = seldom(c, 8) ? (float)take(c, 5) / 4 : 0;
    t->has_sample_mask = seldom(c, 8);
    t->sample_mask = take_byte(c);
    p->clear = seldom(c, 8);
    fill_random(c, p->clear_color, sizeof p->clear_color);
    p->clear_depth = take_float(c);
}

/* ---- targets ---- */

static struct surface *surface_of(struct pipeline *p, unsigned i)
{
    return i < PIPELINE_COLORS ? &p->color[i] : &p->depth;
}

static bool has_depth(const struct format *f)
{
    return f->depth || f->stencil.kind != FORMAT_VOID;
}

/* The format that is wanted from a random one on. */
static const struct format *take_target_format(struct choices *c, bool depth)
{
    uint32_t i = take(c, FORMATS - 1);
    while (has_depth(&formats[1 + i]) != depth)
        i = (i + 1) % (FORMATS - 1);
    return &formats[1 + i];
}

/* Memory that ends with the last pixel; between rows, samples and layers there may be bytes that are nobody's. */
static void take_surface(struct choices *c, struct scene *s, unsigned i, uint32_t width, uint32_t height,
                         uint32_t samples)
{
    struct surface *to = surface_of(&s->p, i);
    *to = (struct surface){.width = width, .height = height, .samples = samples};
    to->format = take_target_format(c, i == PIPELINE_COLORS);
    to->layers = seldom(c, 4) ? take(c, 4) : 0;
    to->stride = width * to->format->bytes + (seldom(c, 4) ? take(c, 3) * 4 : 0);
    to->sample_stride = to->stride * height;
    to->layer_stride = to->sample_stride * surface_samples(to);
    s->bytes[i] = to->layer_stride * surface_layers(to) - to->stride + width * to->format->bytes;
    s->before[i] = claim(s->bytes[i]);
    fill_random(c, s->before[i], s->bytes[i]);
    for (unsigned set = 0; set < 2; set++)
        s->pixels[set][i] = memcpy(claim(s->bytes[i]), s->before[i], s->bytes[i]);
}

static void take_targets(struct choices *c, struct scene *s)
{
    /* Now and then more than one tile. */
    uint32_t width = seldom(c, 32) ? 60 + take(c, 24) : 1 + take(c, 16), height = 1 + take(c, 16);
    uint32_t samples = seldom(c, 3) ? 1u << take(c, 4) : 0, bound = take(c, 256);
    if (seldom(c, 4)) /* many */
        bound |= take(c, 256);
    else
        bound &= 1u << take(c, 3) | 1;
    for (unsigned i = 0; i < PIPELINE_COLORS; i++)
        if (bound >> i & 1)
            take_surface(c, s, i, width, height, samples);
    if (!bound || take_bool(c))
        take_surface(c, s, PIPELINE_COLORS, width, height, samples);
    take_raster_state(c, &s->p, (int32_t)width, (int32_t)height);
}

static void take_scene(struct choices *c, struct scene *s)
{
    s->p.topology = (enum topology)take(c, TOPOLOGIES);
    take_programs(c, s->p.topology, &s->programs);
    take_targets(c, s);
    take_vertices(c, s);
    limit_patches(s);
    take_target_state(c, &s->p);
    bindings_init(c, &s->bindings);
    use_programs(&s->programs, EXEC_BASELINE, &s->p);
    const struct stage *const stages[] = {&s->p.vertex, &s->p.tess_ctrl, &s->p.tess_eval, &s->p.geometry,
                                          &s->p.fragment};
    for (unsigned i = 0; i < COUNT(stages); i++)
        if (stages[i]->ir)
            bind_program(c, &s->bindings, stages[i]->ir);
    s->p.budget = BUDGET;
}

static void free_scene(struct scene *s)
{
    for (unsigned i = 0; i < COUNT(s->vertices); i++)
        free(s->vertices[i]);
    for (unsigned i = 0; i < SURFACES; i++) {
        free(s->before[i]);
        free(s->pixels[0][i]);
        free(s->pixels[1][i]);
    }
    bindings_free(&s->bindings);
    free(s);
}

/* ---- the draw and what holds after it ---- */

static weft_status draw(struct scene *s, unsigned set, enum exec_level level, struct pool *pool,
                        struct pipeline_stats *stats)
{
    struct pipeline *p = &s->p;
    use_programs(&s->programs, level, p);
    bindings_use(&s->bindings, set, level, &p->resources);
    for (unsigned i = 0; i < SURFACES; i++)
        surface_of(p, i)->pixels = s->pixels[set][i];
    weft_diags *diags = weft_diags_new();
    *stats = (struct pipeline_stats){0};
    weft_status status = pipeline_draw(p, pool, stats, diags);
    must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    weft_diags_free(diags);
    return status;
}

static bool may_change(const struct pipeline *p, int32_t x, int32_t y)
{
    const struct rect *r = &p->scissor;
    return p->clear || (x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1);
}

/* Row by row of all layers and samples, with what is between them. */
static void check_outside(const struct scene *s, unsigned i, const struct surface *to)
{
    for (size_t row = 0, at = 0; at < s->bytes[i]; row++, at += to->stride) {
        int32_t y = (int32_t)(row % to->height);
        size_t left = s->bytes[i] - at, room = left < to->stride ? left : to->stride, bytes = to->format->bytes;
        for (size_t x = 0; x * bytes < room; x++) {
            size_t n = room - x * bytes < bytes ? room - x * bytes : bytes;
            if (x >= to->width || !may_change(&s->p, (int32_t)x, y))
                must(memcmp(s->pixels[0][i] + at + x * bytes, s->before[i] + at + x * bytes, n) == 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_INPUT)
        return 0;
    struct choices c = {data, size, 0};
    struct scene *s = aligned_alloc(64, (sizeof *s + 63) & ~(size_t)63);
    must(s != NULL);
    memset(s, 0, sizeof *s);
    take_scene(&c, s);
    struct pipeline_stats stats[2];
    weft_status a = draw(s, 0, exec_best_level(), pool_of(1), &stats[0]);
    weft_status b = draw(s, 1, EXEC_BASELINE, pool_of(MOST_THREADS), &stats[1]);
    must(a == b);
    must(a == WEFT_OK || a == WEFT_ERROR_BUDGET || a == WEFT_ERROR_UNSUPPORTED || a == WEFT_ERROR_INPUT);
    for (unsigned i = 0; i < SURFACES; i++)
        if (s->before[i]) {
            must(a != WEFT_OK || memcmp(s->pixels[0][i], s->pixels[1][i], s->bytes[i]) == 0);
            check_outside(s, i, surface_of(&s->p, i));
        }
    if (a == WEFT_OK) {
        must(stats[0].vertices == stats[1].vertices && stats[0].primitives == stats[1].primitives);
        must(stats[0].fragments == stats[1].fragments && stats[0].instructions == stats[1].instructions);
        must(stats[0].bad_accesses == stats[1].bad_accesses && same_outside(&stats[0].outside, &stats[1].outside));
        bindings_must_agree(&s->bindings);
    }
    free_scene(s);
    return 0;
}
