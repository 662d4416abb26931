/* vkscript_state.c - commands of VkScript that set a part of the pipeline: "depthTestEnable true". */
#include "script/vkscript.h"

#include <stddef.h>
#include <string.h>

/* What a value is, and where it goes. */
enum value { BOOL, FLOAT, BYTE, WORD, FACE, CULL, MASK, IGNORED };
/* A value of a block of AmberScript, which such a block would have been given for. */
enum block { NO_BLOCK, DEPTH, STENCIL };

struct key {
    const char *name;
    enum value value;
    enum block block;
    size_t offset;
    const char *prefix; /* of words */
    const char *const *words;
    unsigned count;
};

static const char *const compares[] = {"NEVER",   "LESS",      "EQUAL",            "LESS_OR_EQUAL",
                                       "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS"};
static const char *const stencil_ops[] = {"KEEP",   "ZERO", "REPLACE", "INCREMENT_AND_CLAMP", "DECREMENT_AND_CLAMP",
                                          "INVERT", "INCREMENT_AND_WRAP", "DECREMENT_AND_WRAP"};
static const char *const factors[] = {"ZERO", "ONE", "SRC_COLOR", "ONE_MINUS_SRC_COLOR", "DST_COLOR",
                                      "ONE_MINUS_DST_COLOR", "SRC_ALPHA", "ONE_MINUS_SRC_ALPHA", "DST_ALPHA",
                                      "ONE_MINUS_DST_ALPHA", "CONSTANT_COLOR", "ONE_MINUS_CONSTANT_COLOR",
                                      "CONSTANT_ALPHA", "ONE_MINUS_CONSTANT_ALPHA", "SRC_ALPHA_SATURATE", "SRC1_COLOR",
                                      "ONE_MINUS_SRC1_COLOR", "SRC1_ALPHA", "ONE_MINUS_SRC1_ALPHA"};
static const char *const blend_ops[] = {"ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"};
static const char *const polygon_modes[] = {"FILL", "LINE", "POINT"};
static const char *const logic_ops[] = {
    "CLEAR", "AND",        "AND_REVERSE", "COPY",       "AND_INVERTED",  "NO_OP",       "XOR",  "OR",
    "NOR",   "EQUIVALENT", "INVERT",      "OR_REVERSE", "COPY_INVERTED", "OR_INVERTED", "NAND", "SET"};
static const char *const faces[] = {"COUNTER_CLOCKWISE", "CLOCKWISE"};

#define AT(field)           offsetof(struct script_pipeline, field)
#define WORDS(prefix, list) prefix, list, sizeof(list) / sizeof *(list)

static const struct key keys[] = {
    {"primitiveRestartEnable", BOOL, NO_BLOCK, AT(restart), NULL, NULL, 0},
    {"depthClampEnable", BOOL, DEPTH, AT(depth_clamp), NULL, NULL, 0},
    {"rasterizerDiscardEnable", BOOL, NO_BLOCK, AT(raster_discard), NULL, NULL, 0},
    {"depthBiasEnable", BOOL, DEPTH, AT(depth_bias), NULL, NULL, 0},
    {"logicOpEnable", BOOL, NO_BLOCK, AT(logic), NULL, NULL, 0},
    {"blendEnable", BOOL, NO_BLOCK, AT(blend), NULL, NULL, 0},
    {"depthTestEnable", BOOL, DEPTH, AT(depth_test), NULL, NULL, 0},
    {"depthWriteEnable", BOOL, DEPTH, AT(depth_write), NULL, NULL, 0},
    {"depthBoundsTestEnable", BOOL, DEPTH, AT(depth_bounds), NULL, NULL, 0},
    {"stencilTestEnable", BOOL, STENCIL, AT(stencil[0].test), NULL, NULL, 0},
    {"topology", IGNORED, NO_BLOCK, 0, NULL, NULL, 0},
    {"logicOp", WORD, NO_BLOCK, AT(logic_op), WORDS("VK_LOGIC_OP_", logic_ops)},
    {"polygonMode", WORD, NO_BLOCK, AT(polygon_mode), WORDS("VK_POLYGON_MODE_", polygon_modes)},
    {"frontFace", FACE, NO_BLOCK, AT(front_clockwise), WORDS("VK_FRONT_FACE_", faces)},
    {"cullMode", CULL, NO_BLOCK, AT(cull), NULL, NULL, 0},
    {"depthBiasConstantFactor", FLOAT, DEPTH, AT(bias_constant), NULL, NULL, 0},
    {"depthBiasClamp", FLOAT, DEPTH, AT(bias_clamp), NULL, NULL, 0},
    {"depthBiasSlopeFactor", FLOAT, DEPTH, AT(bias_slope), NULL, NULL, 0},
    {"lineWidth", FLOAT, NO_BLOCK, AT(line_width), NULL, NULL, 0},
    {"minDepthBounds", FLOAT, DEPTH, AT(bounds_min), NULL, NULL, 0},
    {"maxDepthBounds", FLOAT, DEPTH, AT(bounds_max), NULL, NULL, 0},
    {"srcColorBlendFactor", WORD, NO_BLOCK, AT(src_color), WORDS("VK_BLEND_FACTOR_", factors)},
    {"dstColorBlendFactor", WORD, NO_BLOCK, AT(dst_color), WORDS("VK_BLEND_FACTOR_", factors)},
    {"srcAlphaBlendFactor", WORD, NO_BLOCK, AT(src_alpha), WORDS("VK_BLEND_FACTOR_", factors)},
    {"dstAlphaBlendFactor", WORD, NO_BLOCK, AT(dst_alpha), WORDS("VK_BLEND_FACTOR_", factors)},
    {"colorBlendOp", WORD, NO_BLOCK, AT(color_op), WORDS("VK_BLEND_OP_", blend_ops)},
    {"alphaBlendOp", WORD, NO_BLOCK, AT(alpha_op), WORDS("VK_BLEND_OP_", blend_ops)},
    {"depthCompareOp", WORD, DEPTH, AT(depth_compare), WORDS("VK_COMPARE_OP_", compares)},
    {"front.compareOp", WORD, STENCIL, AT(stencil[0].compare), WORDS("VK_COMPARE_OP_", compares)},
    {"back.compareOp", WORD, STENCIL, AT(stencil[1].compare), WORDS("VK_COMPARE_OP_", compares)},
    {"front.failOp", WORD, STENCIL, AT(stencil[0].fail), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"front.passOp", WORD, STENCIL, AT(stencil[0].pass), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"front.depthFailOp", WORD, STENCIL, AT(stencil[0].depth_fail), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"back.failOp", WORD, STENCIL, AT(stencil[1].fail), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"back.passOp", WORD, STENCIL, AT(stencil[1].pass), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"back.depthFailOp", WORD, STENCIL, AT(stencil[1].depth_fail), WORDS("VK_STENCIL_OP_", stencil_ops)},
    {"front.compareMask", BYTE, STENCIL, AT(stencil[0].compare_mask), NULL, NULL, 0},
    {"front.writeMask", BYTE, STENCIL, AT(stencil[0].write_mask), NULL, NULL, 0},
    {"front.reference", BYTE, STENCIL, AT(stencil[0].reference), NULL, NULL, 0},
    {"back.compareMask", BYTE, STENCIL, AT(stencil[1].compare_mask), NULL, NULL, 0},
    {"back.writeMask", BYTE, STENCIL, AT(stencil[1].write_mask), NULL, NULL, 0},
    {"back.reference", BYTE, STENCIL, AT(stencil[1].reference), NULL, NULL, 0},
    {"colorWriteMask", MASK, NO_BLOCK, AT(color_keep), NULL, NULL, 0},
};
enum { KEYS = sizeof keys / sizeof *keys, MOST_WORDS = 20 };

static bool parse_bool(struct parser *ps, bool *value)
{
    static const char *const words[] = {"false", "true"};
    unsigned index = 0;
    bool ok = EXPECT_CHOICE(ps, "true or false", words, &index);
    *value = index == 1;
    return ok;
}

/* One of the key's words, with Vulkan's prefix. */
static bool parse_word(struct parser *ps, const struct key *k, unsigned *index)
{
    const char *words[MOST_WORDS];
    for (unsigned i = 0; i < k->count && i < MOST_WORDS; i++)
        if (!(words[i] = arena_printf(ps->arena, "%s%s", k->prefix, k->words[i])))
            return false;
    return expect_choice(ps, k->name, words, k->count, index);
}

/* VK_COLOR_COMPONENT_R_BIT | ...: what is not written. */
static bool parse_mask(struct parser *ps, uint8_t *keep)
{
    static const char *const words[] = {"VK_COLOR_COMPONENT_R_BIT",
                                        "VK_COLOR_COMPONENT_G_BIT",
                                        "VK_COLOR_COMPONENT_B_BIT",
                                        "VK_COLOR_COMPONENT_A_BIT",
                                        "0",
                                        "|"};
    unsigned mask = 0;
    while (!at_line_end(ps)) {
        unsigned word = 0;
        if (!EXPECT_CHOICE(ps, "a VK_COLOR_COMPONENT bit", words, &word))
            return false;
        mask |= word < 4 ? 1u << word : 0;
    }
    *keep = (uint8_t)(~mask & 15);
    return true;
}

/* VK_CULL_MODE_FRONT_BIT | ...: what is not drawn. */
static bool parse_cull(struct parser *ps, uint8_t *cull)
{
    static const char *const words[] = {"VK_CULL_MODE_NONE", "VK_CULL_MODE_FRONT_BIT", "VK_CULL_MODE_BACK_BIT",
                                        "VK_CULL_MODE_FRONT_AND_BACK"};
    unsigned word = 0;
    *cull = 0;
    do {
        if (!EXPECT_CHOICE(ps, "a VK_CULL_MODE", words, &word))
            return false;
        *cull |= (uint8_t)word;
    } while (take_word(ps, "|"));
    return true;
}

static bool parse_value(struct vk *v, const struct key *k)
{
    struct parser *ps = v->ps;
    char *to = (char *)v->pipeline + k->offset;
    unsigned word = 0;
    uint32_t number = 0;
    switch (k->value) {
    case BOOL:
        return parse_bool(ps, (bool *)(void *)to);
    case FLOAT:
        return expect_real(ps, k->name, (float *)(void *)to);
    case BYTE:
        if (!expect_u32(ps, k->name, UINT32_MAX, &number))
            return false;
        *to = (char)(number & 255);
        return true;
    case WORD:
        if (!parse_word(ps, k, &word))
            return false;
        memcpy(to, &word, sizeof word);
        return true;
    case FACE:
        if (!parse_word(ps, k, &word))
            return false;
        *to = (char)word;
        return true;
    case CULL:
        return parse_cull(ps, (uint8_t *)(void *)to);
    case MASK:
        return parse_mask(ps, (uint8_t *)(void *)to);
    case IGNORED:
        lex_next(ps);
        return true;
    }
    return false;
}

_Static_assert(sizeof(enum script_compare) == sizeof(unsigned) && sizeof(enum script_stencil_op) == sizeof(unsigned) &&
                   sizeof(enum script_blend_factor) == sizeof(unsigned),
               "words are stored as numbers");

bool vk_parse_state(struct vk *v, bool *known)
{
    const struct key *k = keys;
    while (k < keys + KEYS && !next_is(v->ps, k->name))
        k++;
    *known = k < keys + KEYS;
    if (!*known || !vk_change(v))
        return false;
    lex_next(v->ps);
    if (!parse_value(v, k))
        return false;
    struct script_pipeline *p = v->pipeline;
    p->has_depth |= k->block == DEPTH;
    p->has_stencil |= k->block == STENCIL;
    p->stencil[1].test = p->stencil[0].test;
    return true;
}
