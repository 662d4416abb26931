/* names.c - what files, processors, targets and attributes are called, by Gallium's numbers. */
#include "ir/ir.h"
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

const uint8_t tgsi_processor_stages[TGSI_PROCESSORS] = {IR_FRAGMENT,  IR_VERTEX,    IR_GEOMETRY,
                                                        IR_TESS_CTRL, IR_TESS_EVAL, IR_COMPUTE};

int tgsi_processor_of_number(uint32_t number)
{
    for (int i = 0; i < TGSI_PROCESSORS; i++)
        if (tgsi_processor_numbers[i] == number)
            return i;
    return -1;
}

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
