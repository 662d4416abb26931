/* words.c - the words of the text form. */
#include "ir/words.h"

#include <stddef.h>
#include <string.h>

const struct ir_operands ir_operands[IR_OPCODES] = {
    [IR_CONST] = {.imm = IR_OPERAND_BITS},
    [IR_QUAD_LANE] = {.imm = IR_OPERAND_QUAD},
    [IR_QUAD_XOR] = {.imm = IR_OPERAND_QUAD},
    [IR_REDUCE] = {.imm = IR_OPERAND_OP},
    [IR_GET] = {.desc = IR_OPERAND_REG},
    [IR_SET] = {.desc = IR_OPERAND_REG},
    [IR_GET_DYN] = {.desc = IR_OPERAND_REG},
    [IR_SET_DYN] = {.desc = IR_OPERAND_REG},
    [IR_GET_LANE] = {.desc = IR_OPERAND_REG},
    [IR_SET_LANE] = {.desc = IR_OPERAND_REG},
    [IR_LOAD] = {.desc = IR_OPERAND_MEM},
    [IR_STORE] = {.desc = IR_OPERAND_MEM},
    [IR_ATOMIC] = {.desc = IR_OPERAND_MEM, .imm = IR_OPERAND_ATOMIC},
    [IR_SYSVAL] = {.desc = IR_OPERAND_COMPONENT, .imm = IR_OPERAND_SYSVAL},
    [IR_ATTR] = {.desc = IR_OPERAND_INPUT, .imm = IR_OPERAND_COMPONENT},
    [IR_INTERP] = {.desc = IR_OPERAND_INPUT, .imm = IR_OPERAND_COMPONENT},
    [IR_OUTPUT] = {.desc = IR_OPERAND_OUTPUT, .imm = IR_OPERAND_COMPONENT},
    [IR_TEXTURE] = {.desc = IR_OPERAND_TEXTURE},
    [IR_SERVICE] = {.desc = IR_OPERAND_NUMBER, .imm = IR_OPERAND_SERVICE},
    [IR_CHECK] = {.imm = IR_OPERAND_NUMBER},
    [IR_EMIT] = {.imm = IR_OPERAND_STREAM},
    [IR_CUT] = {.imm = IR_OPERAND_STREAM},
    [IR_FENCE] = {.imm = IR_OPERAND_NUMBER},
    [IR_HELPER] = {.desc = IR_OPERAND_HELPER, .imm = IR_OPERAND_NUMBER},
    [IR_PROBE] = {.desc = IR_OPERAND_NUMBER, .imm = IR_OPERAND_NUMBER},
    [IR_GOTO] = {.desc = IR_OPERAND_BLOCK},
    [IR_BRANCH] = {.desc = IR_OPERAND_BLOCK, .imm = IR_OPERAND_BLOCK},
    [IR_CONTROL] = {.desc = IR_OPERAND_CONTROL},
    [IR_BARRIER] = {.desc = IR_OPERAND_BLOCK, .imm = IR_OPERAND_NUMBER},
    [IR_TRAP] = {.imm = IR_OPERAND_NUMBER},
};

enum ir_operand ir_desc_operand(unsigned code, uint64_t imm)
{
    if (code != IR_SERVICE)
        return (enum ir_operand)ir_operands[code].desc;
    switch (imm) {
    case IR_SVC_IMAGE_LOAD:
    case IR_SVC_IMAGE_STORE:
    case IR_SVC_IMAGE_ATOMIC:
    case IR_SVC_RESOURCE_SIZE:
    case IR_SVC_IMAGE_ADDRESS:
    case IR_SVC_IMAGE_STORE_AT:
        return IR_OPERAND_IMAGE;
    case IR_SVC_INTERP_AT:
    case IR_SVC_ATTRIBUTE:
        return IR_OPERAND_INPUT;
    default:
        return IR_OPERAND_NUMBER;
    }
}

#define WORDS(name, what_)                                                                                             \
    const struct ir_words ir_##name##_words = {name##_list, sizeof name##_list / sizeof name##_list[0], what_}

static const char *const stage_list[] = {
    [IR_VERTEX] = "vertex",     [IR_TESS_CTRL] = "tess_ctrl", [IR_TESS_EVAL] = "tess_eval",
    [IR_GEOMETRY] = "geometry", [IR_FRAGMENT] = "fragment",   [IR_COMPUTE] = "compute"};
WORDS(stage, "a stage");

static const char *const semantic_list[] = {
    [IR_SEM_NONE] = "none",             [IR_SEM_POSITION] = "position",
    [IR_SEM_COLOR] = "color",           [IR_SEM_BCOLOR] = "bcolor",
    [IR_SEM_FOG] = "fog",               [IR_SEM_PSIZE] = "psize",
    [IR_SEM_GENERIC] = "generic",       [IR_SEM_NORMAL] = "normal",
    [IR_SEM_FACE] = "face",             [IR_SEM_EDGEFLAG] = "edgeflag",
    [IR_SEM_PRIMID] = "primid",         [IR_SEM_INSTANCEID] = "instanceid",
    [IR_SEM_VERTEXID] = "vertexid",     [IR_SEM_STENCIL] = "stencil",
    [IR_SEM_CLIPDIST] = "clipdist",     [IR_SEM_CULLDIST] = "culldist",
    [IR_SEM_CLIPVERTEX] = "clipvertex", [IR_SEM_TEXCOORD] = "texcoord",
    [IR_SEM_PCOORD] = "pcoord",         [IR_SEM_VIEWPORT_INDEX] = "viewport_index",
    [IR_SEM_LAYER] = "layer",           [IR_SEM_SAMPLEMASK] = "samplemask",
    [IR_SEM_SAMPLEID] = "sampleid",     [IR_SEM_SAMPLEPOS] = "samplepos",
    [IR_SEM_PATCH] = "patch",           [IR_SEM_TESSOUTER] = "tessouter",
    [IR_SEM_TESSINNER] = "tessinner",   [IR_SEM_VIEWPORT_MASK] = "viewport_mask",
    [IR_SEM_COLORMASK] = "colormask",   [IR_SEM_BARYCENTRIC] = "barycentric"};
WORDS(semantic, "a semantic");

static const char *const interp_list[] = {[IR_INTERP_CONSTANT] = "constant",
                                          [IR_INTERP_LINEAR] = "linear",
                                          [IR_INTERP_PERSPECTIVE] = "perspective",
                                          [IR_INTERP_COLOR] = "color"};
WORDS(interp, "an interpolation");

static const char *const location_list[] = {
    [IR_LOC_CENTER] = "center", [IR_LOC_CENTROID] = "centroid", [IR_LOC_SAMPLE] = "sample"};
WORDS(location, "a location");

static const char *const sysval_list[] = {
    [IR_SYS_FRAG_X] = "frag_x",
    [IR_SYS_FRAG_Y] = "frag_y",
    [IR_SYS_FRAG_Z] = "frag_z",
    [IR_SYS_FRAG_W] = "frag_w",
    [IR_SYS_FACE] = "face",
    [IR_SYS_SAMPLE_ID] = "sample_id",
    [IR_SYS_SAMPLE_MASK] = "sample_mask",
    [IR_SYS_SAMPLE_POS] = "sample_pos",
    [IR_SYS_HELPER] = "helper",
    [IR_SYS_POINT_COORD] = "point_coord",
    [IR_SYS_PRIM_ID] = "prim_id",
    [IR_SYS_VERTEX_ID] = "vertex_id",
    [IR_SYS_VERTEX_ID_NOBASE] = "vertex_id_nobase",
    [IR_SYS_BASE_VERTEX] = "base_vertex",
    [IR_SYS_INSTANCE_ID] = "instance_id",
    [IR_SYS_BASE_INSTANCE] = "base_instance",
    [IR_SYS_DRAW_ID] = "draw_id",
    [IR_SYS_INVOCATION_ID] = "invocation_id",
    [IR_SYS_VERTICES_IN] = "vertices_in",
    [IR_SYS_TESS_COORD] = "tess_coord",
    [IR_SYS_TESS_OUTER] = "tess_outer",
    [IR_SYS_TESS_INNER] = "tess_inner",
    [IR_SYS_THREAD_ID] = "thread_id",
    [IR_SYS_BLOCK_ID] = "block_id",
    [IR_SYS_BLOCK_SIZE] = "block_size",
    [IR_SYS_GRID_SIZE] = "grid_size",
    [IR_SYS_WORK_DIM] = "work_dim",
    [IR_SYS_WARP_ID] = "warp_id",
    [IR_SYS_SUBGROUP_SIZE] = "subgroup_size",
    [IR_SYS_LAYER] = "layer",
    [IR_SYS_VIEWPORT] = "viewport",
    [IR_SYS_USER_DATA] = "user_data",
    [IR_SYS_CLOCK] = "clock",
};
WORDS(sysval, "a system value");

static const char *const service_list[] = {
    [IR_SVC_NONE] = "none",
    [IR_SVC_IMAGE_LOAD] = "image_load",
    [IR_SVC_IMAGE_STORE] = "image_store",
    [IR_SVC_IMAGE_ATOMIC] = "image_atomic",
    [IR_SVC_RESOURCE_SIZE] = "resource_size",
    [IR_SVC_IMAGE_ADDRESS] = "image_address",
    [IR_SVC_IMAGE_STORE_AT] = "image_store_at",
    [IR_SVC_TILE_LOAD] = "tile_load",
    [IR_SVC_TILE_STORE] = "tile_store",
    [IR_SVC_BLEND] = "blend",
    [IR_SVC_SAMPLE_POS] = "sample_pos",
    [IR_SVC_TARGET_INFO] = "target_info",
    [IR_SVC_INTERP_AT] = "interp_at",
    [IR_SVC_ATTRIBUTE] = "attribute",
};
WORDS(service, "a service");

static const char *const space_list[] = {[IR_SPACE_CONST] = "const",
                                         [IR_SPACE_GLOBAL] = "global",
                                         [IR_SPACE_SHARED] = "shared",
                                         [IR_SPACE_PRIVATE] = "private",
                                         [IR_SPACE_INPUT] = "input",
                                         [IR_SPACE_BUS] = "bus"};
WORDS(space, "a kind of address space");

static const char *const bounds_list[] = {
    [IR_BOUNDS_ZERO] = "zero", [IR_BOUNDS_TRAP] = "trap", [IR_BOUNDS_WRAP] = "wrap"};
WORDS(bounds, "a rule for accesses out of bounds");

static const char *const atomic_list[] = {
    [IR_ATOMIC_ADD] = "add",           [IR_ATOMIC_MIN_S] = "min_s",       [IR_ATOMIC_MAX_S] = "max_s",
    [IR_ATOMIC_MIN_U] = "min_u",       [IR_ATOMIC_MAX_U] = "max_u",       [IR_ATOMIC_AND] = "and",
    [IR_ATOMIC_OR] = "or",             [IR_ATOMIC_XOR] = "xor",           [IR_ATOMIC_XCHG] = "xchg",
    [IR_ATOMIC_CAS] = "cas",           [IR_ATOMIC_INC_WRAP] = "inc_wrap", [IR_ATOMIC_DEC_WRAP] = "dec_wrap",
    [IR_ATOMIC_FADD] = "fadd",         [IR_ATOMIC_FMIN] = "fmin",         [IR_ATOMIC_FMAX] = "fmax",
    [IR_ATOMIC_INC_WRAP_S] = "inc_wrap_s", [IR_ATOMIC_DEC_WRAP_S] = "dec_wrap_s"};
WORDS(atomic, "an atomic operation");

static const char *const tex_dim_list[] = {[IR_TEX_1D] = "d1",     [IR_TEX_2D] = "d2",     [IR_TEX_3D] = "d3",
                                           [IR_TEX_CUBE] = "cube", [IR_TEX_RECT] = "rect", [IR_TEX_BUFFER] = "buffer"};
WORDS(tex_dim, "a texture dimension");

static const char *const tex_op_list[] = {
    [IR_TEX_SAMPLE] = "sample",
    [IR_TEX_BIAS] = "bias",
    [IR_TEX_LOD] = "lod",
    [IR_TEX_GRAD] = "grad",
    [IR_TEX_FETCH] = "fetch",
    [IR_TEX_GATHER] = "gather",
    [IR_TEX_QUERY_LOD] = "query_lod",
    [IR_TEX_QUERY_SIZE] = "query_size",
    [IR_TEX_QUERY_SAMPLES] = "query_samples",
    [IR_TEX_QUERY_POS] = "query_pos",
};
WORDS(tex_op, "a texture operation");

static const char *const binding_list[] = {
    [IR_IMAGE_IMAGE] = "image", [IR_IMAGE_RESOURCE] = "resource", [IR_IMAGE_SPACE] = "space"};
WORDS(binding, "image, resource or space");

static const char *const type_list[] = {[IR_VOID] = "void", [IR_I1] = "i1",   [IR_I8] = "i8",
                                        [IR_I16] = "i16",   [IR_I32] = "i32", [IR_I64] = "i64",
                                        [IR_F16] = "f16",   [IR_F32] = "f32", [IR_F64] = "f64"};
WORDS(type, "a type");

static const char *const op_list[] = {
#define X(name, text, args, result, flags, doc) text,
    IR_OPS(X)
#undef X
};
WORDS(op, "an op");

static const char *const component_list[] = {"x", "y", "z", "w"};
WORDS(component, "a component");

const struct ir_attr_word ir_attr_words[IR_ATTR_WORDS] = {
    {"rtz", IR_ROUND_MASK, IR_RTZ},
    {"rup", IR_ROUND_MASK, IR_RUP},
    {"rdn", IR_ROUND_MASK, IR_RDN},
    {"rna", IR_ROUND_MASK, IR_RNA},
    {"flush_in", IR_FLUSH_IN, IR_FLUSH_IN},
    {"flush_out", IR_FLUSH_OUT, IR_FLUSH_OUT},
    {"canon", IR_NAN_CANON, IR_NAN_CANON},
    {"sat", IR_SAT, IR_SAT},
    {"keep_nan", IR_SAT_KEEP_NAN, IR_SAT_KEEP_NAN},
    {"second", IR_MINMAX_MASK, IR_MINMAX_SECOND},
    {"propagate", IR_MINMAX_MASK, IR_MINMAX_PROPAGATE},
    {"zeros", IR_MINMAX_ZEROS, IR_MINMAX_ZEROS},
    {"wrap", IR_CVT_WRAP, IR_CVT_WRAP},
    {"x86", IR_CVT_X86, IR_CVT_X86},
    {"all_lanes", IR_ALL_LANES, IR_ALL_LANES},
    {"nan_x86", IR_NAN_X86, IR_NAN_X86},
};

#define FLAG(name) {#name, offsetof(struct ir_io, name), 1, true}
#define BYTE(name) {#name, offsetof(struct ir_io, name), 1, false}
#define HALF(name) {#name, offsetof(struct ir_io, name), 2, false}
#define HALF_AT(name, place) {name, offsetof(struct ir_io, place), 2, false}
const struct ir_property ir_properties[IR_PROPERTIES] = {
    FLAG(origin_lower_left),
    FLAG(center_integer),
    FLAG(color0_all),
    FLAG(early_depth_stencil),
    FLAG(window_space_position),
    FLAG(writes_depth),
    FLAG(writes_stencil),
    FLAG(writes_samplemask),
    FLAG(uses_discard),
    FLAG(uses_derivatives),
    FLAG(per_sample),
    FLAG(in_order),
    BYTE(gs_input),
    BYTE(gs_output),
    BYTE(gs_streams),
    HALF(gs_max_vertices),
    HALF(gs_invocations),
    HALF(clip_distances),
    HALF(cull_distances),
    HALF_AT("block_x", block[0]),
    HALF_AT("block_y", block[1]),
    HALF_AT("block_z", block[2]),
    BYTE(tcs_vertices_out),
    BYTE(tes_mode),
    BYTE(tes_spacing),
    FLAG(tes_cw),
    FLAG(tes_points),
};

uint32_t ir_property_get(const struct ir_io *io, const struct ir_property *property)
{
    const char *at = (const char *)io + property->offset;
    uint8_t byte;
    uint16_t half;
    if (property->size == 1)
        return memcpy(&byte, at, 1), byte;
    return memcpy(&half, at, 2), half;
}

void ir_property_set(struct ir_io *io, const struct ir_property *property, uint32_t value)
{
    char *at = (char *)io + property->offset;
    uint8_t byte = property->flag ? value != 0 : (uint8_t)value;
    uint16_t half = (uint16_t)value;
    memcpy(at, property->size == 1 ? (const void *)&byte : (const void *)&half, property->size);
}

bool ir_reg_indexed(unsigned code)
{
    return code == IR_GET_DYN || code == IR_SET_DYN || code == IR_GET_LANE || code == IR_SET_LANE;
}

bool ir_is_word(const char *s)
{
    if (!s || !*s || (*s >= '0' && *s <= '9'))
        return false;
    for (; *s; s++)
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || *s == '_'))
            return false;
    return true;
}
