/* names.c - what files, processors, targets, semantics, properties and formats are called, by Gallium's numbers. */
#include "isa/tgsi/tgsi.h"

const char *const tgsi_file_names[TGSI_FILES] = {
    "NULL", "CONST", "IN", "OUT", "TEMP", "SAMP", "ADDR", "IMM", "SV", "IMAGE", "SVIEW", "BUFFER", "MEMORY", "CONSTBUF",
    "HWATOMIC", "RES", "PRED",
};

const char *const tgsi_processor_names[TGSI_PROCESSORS] = {
    "FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP",
};

const char *const tgsi_target_names[TGSI_TEX_TARGETS] = {
    "BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "SHADOW1D", "SHADOW2D", "SHADOWRECT", "1D_ARRAY", "2D_ARRAY",
    "SHADOW1D_ARRAY", "SHADOW2D_ARRAY", "SHADOWCUBE", "2D_MSAA", "2D_ARRAY_MSAA", "CUBEARRAY", "SHADOWCUBEARRAY",
    "UNKNOWN",
};

/* In the order of enum tgsi_processor (Mesa 22.3's pipe_shader_type). */
const uint8_t tgsi_processor_numbers[TGSI_PROCESSORS] = {4, 0, 3, 1, 2, 5};

int tgsi_processor_of_number(uint32_t number)
{
    for (int i = 0; i < TGSI_PROCESSORS; i++)
        if (tgsi_processor_numbers[i] == number)
            return i;
    return -1;
}

/* Up to VIEWPORT_MASK as in Mesa 22.3.6; the two TESS_DEFAULT levels are of other releases; CULLDIST is the document's,
 * gone since, and comes after the numbers that Gallium uses. */
const char *const tgsi_semantic_names[] = {
    "POSITION", "COLOR", "BCOLOR", "FOG", "PSIZE", "GENERIC", "NORMAL", "FACE", "EDGEFLAG", "PRIM_ID", "INSTANCEID",
    "VERTEXID", "STENCIL", "CLIPDIST", "CLIPVERTEX", "GRID_SIZE", "BLOCK_ID", "BLOCK_SIZE", "THREAD_ID", "TEXCOORD",
    "PCOORD", "VIEWPORT_INDEX", "LAYER", "SAMPLEID", "SAMPLEPOS", "SAMPLEMASK", "INVOCATIONID", "VERTEXID_NOBASE",
    "BASEVERTEX", "PATCH", "TESSCOORD", "TESSOUTER", "TESSINNER", "VERTICESIN", "HELPER_INVOCATION", "BASEINSTANCE",
    "DRAWID", "WORK_DIM", "SUBGROUP_SIZE", "SUBGROUP_INVOCATION", "SUBGROUP_EQ_MASK", "SUBGROUP_GE_MASK",
    "SUBGROUP_GT_MASK", "SUBGROUP_LE_MASK", "SUBGROUP_LT_MASK", "CS_USER_DATA_AMD", "VIEWPORT_MASK",
    "TESS_DEFAULT_OUTER_LEVEL", "TESS_DEFAULT_INNER_LEVEL", "CULLDIST",
    NULL
};
const uint32_t tgsi_semantic_count = sizeof tgsi_semantic_names / sizeof *tgsi_semantic_names - 1;

const char *const tgsi_property_names[] = {
    "GS_INPUT_PRIMITIVE", "GS_OUTPUT_PRIMITIVE", "GS_MAX_OUTPUT_VERTICES", "FS_COORD_ORIGIN", "FS_COORD_PIXEL_CENTER",
    "FS_COLOR0_WRITES_ALL_CBUFS", "FS_DEPTH_LAYOUT", "VS_PROHIBIT_UCPS", "GS_INVOCATIONS", "VS_WINDOW_SPACE_POSITION",
    "TCS_VERTICES_OUT", "TES_PRIM_MODE", "TES_SPACING", "TES_VERTEX_ORDER_CW", "TES_POINT_MODE", "NUM_CLIPDIST_ENABLED",
    "NUM_CULLDIST_ENABLED", "FS_EARLY_DEPTH_STENCIL", "FS_POST_DEPTH_COVERAGE", "NEXT_SHADER", "CS_FIXED_BLOCK_WIDTH",
    "CS_FIXED_BLOCK_HEIGHT", "CS_FIXED_BLOCK_DEPTH", "LEGACY_MATH_RULES", "VS_BLIT_SGPRS_AMD",
    "CS_USER_DATA_COMPONENTS_AMD", "LAYER_VIEWPORT_RELATIVE", "FS_BLEND_EQUATION_ADVANCED", "SEPARABLE_PROGRAM",
    NULL
};
const uint32_t tgsi_property_count = sizeof tgsi_property_names / sizeof *tgsi_property_names - 1;

const char *const tgsi_interp_names[] = {
    "CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR",
    NULL
};

const char *const tgsi_location_names[] = {
    "CENTER", "CENTROID", "SAMPLE",
    NULL
};

const char *const tgsi_rettype_names[] = {
    "UNORM", "SNORM", "SINT", "UINT", "FLOAT",
    NULL
};

const char *const tgsi_memkind_names[] = {
    "GLOBAL", "SHARED", "PRIVATE", "INPUT",
    NULL
};

const char *const tgsi_imm_type_names[] = {
    "FLT32", "UINT32", "INT32", "FLT64", "UINT64", "INT64",
    NULL
};

/* In bits of enum tgsi_memory. */
const char *const tgsi_memory_names[] = {
    "COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY",
    NULL
};

static const char *const primitive_names[] = {
    "POINTS", "LINES", "LINE_LOOP", "LINE_STRIP", "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS", "QUAD_STRIP",
    "POLYGON", "LINES_ADJACENCY", "LINE_STRIP_ADJACENCY", "TRIANGLES_ADJACENCY", "TRIANGLE_STRIP_ADJACENCY", "PATCHES",
    NULL
};

static const char *const origin_names[] = {
    "UPPER_LEFT", "LOWER_LEFT",
    NULL
};

static const char *const pixel_center_names[] = {
    "HALF_INTEGER", "INTEGER",
    NULL
};

/* NEXT_SHADER's values are the stages as Mesa 22.3 numbers them; enum tgsi_processor has the older order. */
static const char *const shader_names[] = {
    "VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP",
    NULL
};

/* Words that a property's value may be, by property; NULL: a number. */
const char *const *tgsi_property_words(uint16_t property)
{
    switch (property) {
    case TGSI_GS_INPUT_PRIMITIVE:
    case TGSI_GS_OUTPUT_PRIMITIVE:
        return primitive_names;
    case TGSI_FS_COORD_ORIGIN:
        return origin_names;
    case TGSI_FS_COORD_PIXEL_CENTER:
        return pixel_center_names;
    case TGSI_NEXT_SHADER:
        return shader_names;
    default:
        return NULL;
    }
}
