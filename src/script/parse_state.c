/* parse_state.c - VIEWPORT and the blocks DEPTH, STENCIL and BLEND of a pipeline. */
#include "script/parse.h"

/* A block of lines `WORD value`: the reader is given the index of the word. */
typedef bool (*read_option)(struct parser *ps, struct script_pipeline *p, unsigned word, unsigned face);

static bool parse_block(struct parser *ps, struct script_pipeline *p, const char *what, const char *const *words,
                        size_t count, unsigned face, read_option read)
{
    struct span where = ps->last;
    bool ok = expect_line_end(ps, what);
    lex_skip_line(ps);
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        unsigned word = 0;
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, where, "missing-end", NULL, "%s has no END", what);
        if (!expect_choice(ps, "a setting of the block or END", words, count, &word) || !read(ps, p, word, face)) {
            ok = false;
            lex_skip_line(ps);
        }
    }
    return ok;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool parse_viewport_box(struct parser *ps, struct script_viewport *v)
{
    struct span where = ps->token.where;
    if (!expect_real(ps, "x of the viewport", &v->box[0]) || !expect_real(ps, "y of the viewport", &v->box[1]) ||
        !expect(ps, "SIZE") || !expect_real(ps, "the viewport's width", &v->box[2]) ||
        !expect_real(ps, "the viewport's height", &v->box[3]))
        return false;
    for (int i = 0; i < 4; i++) /* the comparison is false for a NaN */
        if (!(v->box[i] >= -2 * SCRIPT_MAX_DIMENSION && v->box[i] <= 2 * SCRIPT_MAX_DIMENSION))
            return parse_error(ps, where, "out-of-range", NULL, "the viewport is too large");
    return true;
}

bool parse_viewport(struct parser *ps, struct script_pipeline *p)
{
    struct script_viewport v = {.given = true, .max_depth = 1};
    uint32_t index = 0;
    if (!parse_viewport_box(ps, &v))
        return false;
    while (!at_line_end(ps)) {
        static const char *const words[] = {"MIN_DEPTH", "MAX_DEPTH", "INDEX"};
        unsigned word = 0;
        float value;
        if (!EXPECT_CHOICE(ps, "MIN_DEPTH, MAX_DEPTH or INDEX", words, &word))
            return false;
        struct span where = ps->token.where;
        if (word == 2) { /* weft's own */
            if (!expect_u32(ps, "the number of a viewport", SCRIPT_VIEWPORTS - 1, &index))
                return false;
            continue;
        }
        if (!expect_real(ps, "a depth", &value))
            return false;
        if (!ps->script->depth_unrestricted && !(value >= 0 && value <= 1))
            return parse_error(ps, where, "out-of-range", NULL, "a viewport's depth is 0 to 1");
        *(word ? &v.max_depth : &v.min_depth) = value;
    }
    p->viewport[index] = v;
    return true;
}

static bool parse_compare(struct parser *ps, enum script_compare *compare)
{
    unsigned index = 0;
    if (!EXPECT_CHOICE(ps, "a compare operation", compare_words, &index))
        return false;
    *compare = (enum script_compare)index;
    return true;
}

/* ---- DEPTH ---- */

static bool expect_named(struct parser *ps, const char *name, float *value)
{
    return expect(ps, name) && expect_real(ps, "a number", value);
}

static bool read_depth(struct parser *ps, struct script_pipeline *p, unsigned word, unsigned face)
{
    (void)face;
    switch (word) {
    case 0:
        return expect_switch(ps, &p->depth_test);
    case 1:
        return expect_switch(ps, &p->depth_write);
    case 2:
        return parse_compare(ps, &p->depth_compare);
    case 3:
        return expect_switch(ps, &p->depth_clamp);
    case 4:
        p->depth_bounds = true;
        return expect_named(ps, "min", &p->bounds_min) && expect_named(ps, "max", &p->bounds_max);
    default:
        p->depth_bias = true;
        return expect_named(ps, "constant", &p->bias_constant) && expect_named(ps, "clamp", &p->bias_clamp) &&
               expect_named(ps, "slope", &p->bias_slope);
    }
}

bool parse_depth(struct parser *ps, struct script_pipeline *p)
{
    static const char *const words[] = {"TEST", "WRITE", "COMPARE_OP", "CLAMP", "BOUNDS", "BIAS"};
    p->has_depth = true;
    return parse_block(ps, p, "DEPTH", words, COUNT(words), 0, read_depth);
}

/* ---- STENCIL ---- */

static const char *const stencil_ops[] = {"keep",
                                          "zero",
                                          "replace",
                                          "increment_and_clamp",
                                          "decrement_and_clamp",
                                          "invert",
                                          "increment_and_wrap",
                                          "decrement_and_wrap"};

static bool read_stencil(struct parser *ps, struct script_pipeline *p, unsigned word, unsigned faces)
{
    struct script_stencil s = p->stencil[faces == 2 ? 1 : 0];
    unsigned op = 0;
    uint32_t value = 0;
    if (word == 0   ? !expect_switch(ps, &s.test)
        : word <= 3 ? !EXPECT_CHOICE(ps, "a stencil operation", stencil_ops, &op)
        : word == 4 ? !parse_compare(ps, &s.compare)
                    : !expect_u32(ps, "a stencil value", 255, &value))
        return false;
    for (int i = 0; i < 2; i++) {
        struct script_stencil *t = &p->stencil[i];
        if (word == 0)
            t->test = s.test; /* of both faces, whichever is named */
        if (!(faces >> i & 1))
            continue;
        switch (word) {
        case 1:
            t->fail = (enum script_stencil_op)op;
            break;
        case 2:
            t->pass = (enum script_stencil_op)op;
            break;
        case 3:
            t->depth_fail = (enum script_stencil_op)op;
            break;
        case 4:
            t->compare = s.compare;
            break;
        case 5:
            t->compare_mask = (uint8_t)value;
            break;
        case 6:
            t->write_mask = (uint8_t)value;
            break;
        case 7:
            t->reference = (uint8_t)value;
            break;
        }
    }
    return true;
}

bool parse_stencil(struct parser *ps, struct script_pipeline *p)
{
    static const char *const faces[] = {"front", "back", "front_and_back"};
    static const char *const words[] = {"TEST",       "FAIL_OP",      "PASS_OP",    "DEPTH_FAIL_OP",
                                        "COMPARE_OP", "COMPARE_MASK", "WRITE_MASK", "REFERENCE"};
    unsigned face = 2;
    bool ok = EXPECT_CHOICE(ps, "front, back or front_and_back", faces, &face);
    p->has_stencil = true;
    if (!ok)
        lex_skip_line(ps);
    return parse_block(ps, p, "STENCIL", words, COUNT(words), face + 1, read_stencil) && ok;
}

/* ---- BLEND ---- */

static const char *const factors[] = {"zero",
                                      "one",
                                      "src_color",
                                      "one_minus_src_color",
                                      "dst_color",
                                      "one_minus_dst_color",
                                      "src_alpha",
                                      "one_minus_src_alpha",
                                      "dst_alpha",
                                      "one_minus_dst_alpha",
                                      "constant_color",
                                      "one_minus_constant_color",
                                      "constant_alpha",
                                      "one_minus_constant_alpha",
                                      "src_alpha_saturate",
                                      "src1_color",
                                      "one_minus_src1_color",
                                      "src1_alpha",
                                      "one_minus_src1_alpha"};

/* The first ones are in the order of enum script_blend_op, in the language's spelling; the sixth and seventh are the
 * usual one; the rest needs VK_EXT_blend_operation_advanced. */
static const char *const blend_ops[] = {"add",
                                        "substract",
                                        "reverse_substract",
                                        "min",
                                        "max",
                                        "subtract",
                                        "reverse_subtract",
                                        "zero",
                                        "src",
                                        "dst",
                                        "src_over",
                                        "dst_over",
                                        "src_in",
                                        "dst_in",
                                        "src_out",
                                        "dst_out",
                                        "src_atop",
                                        "dst_atop",
                                        "xor",
                                        "multiply",
                                        "screen",
                                        "overlay",
                                        "darken",
                                        "lighten",
                                        "color_dodge",
                                        "color_burn",
                                        "hard_light",
                                        "soft_light",
                                        "difference",
                                        "exclusion",
                                        "invert",
                                        "invert_rgb",
                                        "linear_dodge",
                                        "linear_burn",
                                        "vivid_light",
                                        "linear_light",
                                        "pin_light",
                                        "hard_mix",
                                        "hsl_hue",
                                        "hsl_saturation",
                                        "hsl_color",
                                        "hsl_luminosity",
                                        "plus",
                                        "plus_clamped",
                                        "plus_clamped_alpha",
                                        "plus_darker",
                                        "minus",
                                        "minus_clamped",
                                        "contrast",
                                        "invert_org",
                                        "red",
                                        "green",
                                        "blue"};

static bool read_blend(struct parser *ps, struct script_pipeline *p, unsigned word, unsigned face)
{
    (void)face;
    struct span where = ps->token.where;
    unsigned index = 0;
    if (word == 2 || word == 5) {
        if (!EXPECT_CHOICE(ps, "a blend operation", blend_ops, &index))
            return false;
        enum script_blend_op op = index <= SCRIPT_BLEND_MAX ? (enum script_blend_op)index
                                  : index == 5              ? SCRIPT_BLEND_SUBTRACT
                                  : index == 6              ? SCRIPT_BLEND_REVERSE_SUBTRACT
                                                            : SCRIPT_BLEND_ADVANCED;
        if (op == SCRIPT_BLEND_ADVANCED)
            refuse(ps, where, NULL, p, "the advanced blend operation '%s'", blend_ops[index]);
        *(word == 2 ? &p->color_op : &p->alpha_op) = op;
        return true;
    }
    enum script_blend_factor *const targets[] = {&p->src_color, &p->dst_color, NULL, &p->src_alpha, &p->dst_alpha};
    if (!EXPECT_CHOICE(ps, "a blend factor", factors, &index))
        return false;
    *targets[word] = (enum script_blend_factor)index;
    return true;
}

bool parse_blend(struct parser *ps, struct script_pipeline *p)
{
    static const char *const words[] = {"SRC_COLOR_FACTOR", "DST_COLOR_FACTOR", "COLOR_OP",
                                        "SRC_ALPHA_FACTOR", "DST_ALPHA_FACTOR", "ALPHA_OP"};
    p->blend = true;
    return parse_block(ps, p, "BLEND", words, COUNT(words), 0, read_blend);
}
