/* parse_pipeline.c - PIPELINE and DERIVE_PIPELINE: shaders and settings. Bindings: parse_bind.c; fixed-function state:
 * parse_state.c. */
#include "script/parse.h"

#include <string.h>

/* A pipeline while it is read: how many of each list came from the parent, which may be replaced. */
struct builder {
    struct script_pipeline *p;
    struct list_size shaders, bindings, vertex_data;
    uint32_t inherited_shaders, inherited_bindings, inherited_vertex_data;
};

/* ---- shaders ---- */

/* Whether a shader is compiled from something, or is SPIR-V: such have entry points, constants and options. */
static bool is_spirv(const struct script_shader *s)
{
    return s->language == SCRIPT_GLSL || s->language == SCRIPT_HLSL || s->language == SCRIPT_BINARY ||
           strncmp(s->format, "SPIRV-", 6) == 0;
}

/* What SPECIALIZE gives: the bits of the value as its type has them. */
static bool add_constant(struct parser *ps, struct script_attachment *a, struct list_size *size, uint32_t id,
                         enum script_scalar type, const struct script_number *n)
{
    struct script_constant *list = (struct script_constant *)(uintptr_t)a->constants;
    if (!LIST_ADD(ps, list, size))
        return false;
    struct script_constant c = {.id = id};
    script_store(type, n, &c.bits);
    list[a->nconstants++] = c;
    a->constants = list;
    return true;
}

static bool parse_specialize(struct parser *ps, struct builder *b, struct script_attachment *a, struct list_size *size,
                             struct span where)
{
    static const enum script_scalar scalars[] = {SCRIPT_UINT32, SCRIPT_INT32, SCRIPT_FLOAT};
    static const char *const types[] = {"uint32", "int32", "float"};
    uint32_t id;
    unsigned type;
    struct script_number n;
    if (!expect_u32(ps, "a specialization ID", UINT32_MAX, &id) || !expect(ps, "AS") ||
        !EXPECT_CHOICE(ps, "uint32, int32 or float", types, &type))
        return false;
    struct span value = ps->token.where;
    if (!expect_number(ps, "a value", &n) || !number_fits(ps, value, scalars[type], &n))
        return false;
    if (!is_spirv(a->shader))
        refuse(ps, where, a->shader, b->p, "SPECIALIZE of a %s shader", a->shader->format);
    return add_constant(ps, a, size, id, scalars[type], &n);
}

static bool stage_fits(struct parser *ps, const struct builder *b, const struct script_attachment *a)
{
    if (a->stage == WEFT_STAGE_NONE)
        return !a->shader->isa || strcmp(a->shader->type, "multi") != 0 /* refused already */ ||
               parse_error(ps, a->where, "bad-shader-type", NULL, "'%s' is a multi shader: give it a TYPE",
                           a->shader->name);
    if ((a->stage == WEFT_COMPUTE) != b->p->compute)
        return parse_error(ps, a->where, "bad-shader-type", NULL, "a %s shader does not go into a %s pipeline",
                           a->shader->type, b->p->compute ? "compute" : "graphics");
    return true;
}

static bool add_shader(struct parser *ps, struct builder *b, const struct script_attachment *a)
{
    struct script_pipeline *p = b->p;
    for (uint32_t i = 0; i < p->nshaders; i++) {
        if (p->shaders[i].stage != a->stage || a->stage == WEFT_STAGE_NONE)
            continue;
        if (i >= b->inherited_shaders)
            return parse_error(ps, a->where, "duplicate-shader", NULL, "pipeline '%s' has a %s shader already", p->name,
                               a->shader->type);
        p->shaders[i] = *a;
        return true;
    }
    if (!LIST_ADD(ps, p->shaders, &b->shaders))
        return false;
    p->shaders[p->nshaders++] = *a;
    return true;
}

static bool parse_attach(struct parser *ps, struct builder *b)
{
    struct script_attachment a = {.where = ps->token.where, .entry_point = "main"};
    struct list_size constants = {0};
    a.shader = expect_shader(ps, "the name of a shader");
    if (!a.shader)
        return false;
    a.stage = a.shader->stage;
    const char *type;
    while (!at_line_end(ps)) {
        static const char *const words[] = {"TYPE", "ENTRY_POINT", "SPECIALIZE"};
        struct span where = ps->token.where;
        unsigned word = 0;
        if (!EXPECT_CHOICE(ps, "TYPE, ENTRY_POINT or SPECIALIZE", words, &word))
            return false;
        if (word == 0   ? !expect_stage(ps, &type, &a.stage)
            : word == 1 ? !expect_name(ps, "the name of an entry point", &a.entry_point, NULL)
                        : !parse_specialize(ps, b, &a, &constants, where))
            return false;
        bool fixed = a.shader->language != SCRIPT_REFUSED && !is_spirv(a.shader);
        if (word == 1 && fixed && strcmp(a.entry_point, "main") != 0)
            refuse(ps, where, a.shader, b->p, "ENTRY_POINT '%s' of a %s shader", a.entry_point, a.shader->format);
    }
    return stage_fits(ps, b, &a) && add_shader(ps, b, &a);
}

/* The attachment of a shader that this pipeline has; NULL: an error. */
static struct script_attachment *attached(struct parser *ps, struct builder *b, const struct script_shader *s,
                                          struct span where)
{
    for (uint32_t i = 0; i < b->p->nshaders; i++)
        if (b->p->shaders[i].shader == s)
            return &b->p->shaders[i];
    parse_error(ps, where, "not-attached", NULL, "shader '%s' is not attached to this pipeline", s->name);
    return NULL;
}

/* SHADER_OPTIMIZATION and COMPILE_OPTIONS: words up to END, for a compiler. */
static bool parse_options(struct parser *ps, struct builder *b, bool passes, const char *what)
{
    struct span where = ps->last, name = ps->token.where;
    const struct script_shader *s = expect_shader(ps, "the name of a shader");
    const char **words = NULL;
    struct list_size size = {0};
    lex_skip_line(ps);
    uint32_t count = 0;
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, where, "missing-end", NULL, "%s has no END", what);
        if (!count_part(ps) || !LIST_ADD(ps, words, &size) || !(words[count++] = token_copy(ps, &ps->token)))
            return false;
        lex_next(ps);
    }
    bool optimal = passes && s && s->language == SCRIPT_PASSTHROUGH;
    if (s && s->language != SCRIPT_REFUSED && !is_spirv(s) && !optimal)
        refuse(ps, where, s, b->p, "%s of a %s shader", what, s->format);
    struct script_attachment *a = s ? attached(ps, b, s, name) : NULL;
    if (!a || optimal)
        return a != NULL;
    if (passes) {
        a->passes = words;
        a->npasses = count;
    } else {
        a->options = words;
        a->noptions = count;
    }
    return true;
}

static bool parse_required_size(struct parser *ps, uint32_t *size)
{
    struct span where = ps->token.where;
    if (take_word(ps, "MIN")) {
        *size = SCRIPT_SUBGROUP_MIN;
        return true;
    }
    if (take_word(ps, "MAX")) {
        *size = SCRIPT_SUBGROUP_MAX;
        return true;
    }
    if (!expect_u32(ps, "a subgroup size, MIN or MAX", 128, size))
        return false;
    return (*size && !(*size & (*size - 1))) ||
           parse_error(ps, where, "out-of-range", NULL, "a subgroup size is a power of two");
}

static bool parse_subgroup(struct parser *ps, struct builder *b)
{
    struct span where = ps->token.where;
    const struct script_shader *s = expect_shader(ps, "the name of a shader");
    struct script_attachment *a = s ? attached(ps, b, s, where) : NULL;
    bool ok = a != NULL;
    lex_skip_line(ps);
    struct script_attachment ignored = {0};
    a = a ? a : &ignored;
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        static const char *const words[] = {"FULLY_POPULATED", "VARYING_SIZE", "REQUIRED_SIZE"};
        unsigned word = 0;
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, where, "missing-end", NULL, "SUBGROUP has no END");
        if (!EXPECT_CHOICE(ps, "FULLY_POPULATED, VARYING_SIZE, REQUIRED_SIZE or END", words, &word) ||
            (word == 0   ? !expect_switch(ps, &a->fully_populated)
             : word == 1 ? !expect_switch(ps, &a->varying_size)
                         : !parse_required_size(ps, &a->required_size))) {
            ok = false;
            lex_skip_line(ps);
        }
    }
    return ok;
}

/* ---- settings ---- */

static bool parse_framebuffer_size(struct parser *ps, struct script_pipeline *p)
{
    struct span where = ps->token.where;
    if (!expect_u32(ps, "a width", SCRIPT_MAX_DIMENSION, &p->width) ||
        !expect_u32(ps, "a height", SCRIPT_MAX_DIMENSION, &p->height))
        return false;
    p->sized = true;
    return (p->width && p->height) ||
           parse_error(ps, where, "out-of-range", NULL, "a framebuffer has at least one pixel");
}

static bool parse_polygon_mode(struct parser *ps, struct script_pipeline *p)
{
    static const char *const words[] = {"fill", "line", "point"};
    unsigned index = 0;
    if (!EXPECT_CHOICE(ps, "fill, line or point", words, &index))
        return false;
    p->polygon_mode = (enum script_polygon_mode)index;
    return true;
}

/* weft's own: what the interpolation COLOR of TGSI means. */
static bool parse_shade_model(struct parser *ps, struct script_pipeline *p)
{
    static const char *const words[] = {"smooth", "flat"};
    unsigned index = 0;
    if (!EXPECT_CHOICE(ps, "smooth or flat", words, &index))
        return false;
    p->flat_colors = index == 1;
    return true;
}

/* weft's own: inputs of points that sprite coordinates take the place of. */
static bool parse_sprite_coords(struct parser *ps, struct script_pipeline *p)
{
    enum { SPRITES = 31 };
    static const char *const words[] = {"TEXCOORD", "GENERIC"};
    unsigned which = 0;
    if (!EXPECT_CHOICE(ps, "TEXCOORD or GENERIC", words, &which))
        return false;
    uint32_t bits = 0;
    do {
        uint32_t n;
        if (!expect_u32(ps, "the index of an input", SPRITES, &n))
            return false;
        bits |= UINT32_C(1) << n;
    } while (!at_line_end(ps));
    *(which ? &p->sprite_generics : &p->sprite_texcoords) = bits;
    return true;
}

/* weft's own: where the sprite coordinate y is 0. */
static bool parse_sprite_origin(struct parser *ps, struct script_pipeline *p)
{
    static const char *const words[] = {"upper_left", "lower_left"};
    unsigned index = 0;
    if (!EXPECT_CHOICE(ps, "upper_left or lower_left", words, &index))
        return false;
    p->sprite_lower_left = index == 1;
    return true;
}

static bool parse_control_points(struct parser *ps, struct script_pipeline *p)
{
    struct span where = ps->token.where;
    if (!expect_u32(ps, "a number of control points", 32, &p->patch_control_points))
        return false;
    return p->patch_control_points ||
           parse_error(ps, where, "out-of-range", NULL, "a patch has at least one control point");
}

static bool parse_index_data(struct parser *ps, struct script_pipeline *p)
{
    struct span where = ps->token.where;
    const struct script_buffer *b = expect_buffer(ps, "the name of a buffer");
    if (!b)
        return false;
    bool integers = b->type.kind == SCRIPT_NUMBER && b->type.rows == 1 && b->type.columns == 1 &&
                    !script_scalar_is_float(b->type.scalar) && script_scalar_bytes(b->type.scalar) <= 4;
    integers |= b->format && b->format->components == 1 && b->format->letter[0] == 'R' && b->format->bits[0] <= 32 &&
                (b->format->mode[0] == SCRIPT_UINT || b->format->mode[0] == SCRIPT_SINT);
    if (!integers)
        return parse_error(ps, where, "bad-index-data", NULL, "indices are 8, 16 or 32-bit integers");
    p->index_data = b;
    return true;
}

/* SET KERNEL ARG_NAME name AS type value: for OPENCL-C. */
static bool parse_set_kernel(struct parser *ps, struct script_pipeline *p)
{
    struct span where = ps->last;
    static const char *const words[] = {"ARG_NAME", "ARG_NUMBER"};
    unsigned word = 0;
    const char *name;
    uint32_t number;
    struct script_type type;
    struct script_number n;
    if (!expect(ps, "KERNEL") || !EXPECT_CHOICE(ps, "ARG_NAME or ARG_NUMBER", words, &word) ||
        (word ? !expect_u32(ps, "an argument's number", SCRIPT_MAX_BINDING, &number)
              : !expect_name(ps, "an argument's name", &name, NULL)) ||
        !expect(ps, "AS") || !parse_type(ps, "a data type", &type) || !expect_number(ps, "a value", &n))
        return false;
    refuse(ps, where, NULL, p, "SET KERNEL, which is for OPENCL-C");
    return true;
}

/* ---- the block ---- */

enum statement {
    ATTACH,
    SHADER_OPTIMIZATION,
    COMPILE_OPTIONS,
    SUBGROUP,
    FRAMEBUFFER_SIZE,
    VIEWPORT,
    BIND,
    VERTEX_DATA,
    INDEX_DATA,
    SET,
    POLYGON_MODE,
    SHADE_MODEL,
    SPRITE_COORDS,
    SPRITE_ORIGIN,
    PATCH_CONTROL_POINTS,
    DEPTH,
    STENCIL,
    BLEND,
    STATEMENTS
};

static const struct {
    const char *word;
    bool graphics_only;
} statements[STATEMENTS] = {
    [ATTACH] = {"ATTACH", false},
    [SHADER_OPTIMIZATION] = {"SHADER_OPTIMIZATION", false},
    [COMPILE_OPTIONS] = {"COMPILE_OPTIONS", false},
    [SUBGROUP] = {"SUBGROUP", false},
    [FRAMEBUFFER_SIZE] = {"FRAMEBUFFER_SIZE", false},
    [VIEWPORT] = {"VIEWPORT", true},
    [BIND] = {"BIND", false},
    [VERTEX_DATA] = {"VERTEX_DATA", true},
    [INDEX_DATA] = {"INDEX_DATA", true},
    [SET] = {"SET", false},
    [POLYGON_MODE] = {"POLYGON_MODE", true},
    [SHADE_MODEL] = {"SHADE_MODEL", true},
    [SPRITE_COORDS] = {"SPRITE_COORDS", true},
    [SPRITE_ORIGIN] = {"SPRITE_ORIGIN", true},
    [PATCH_CONTROL_POINTS] = {"PATCH_CONTROL_POINTS", true},
    [DEPTH] = {"DEPTH", true},
    [STENCIL] = {"STENCIL", true},
    [BLEND] = {"BLEND", true},
};

static bool parse_statement(struct parser *ps, struct builder *b)
{
    const char *words[STATEMENTS];
    unsigned word = 0;
    for (int i = 0; i < STATEMENTS; i++)
        words[i] = statements[i].word;
    struct span where = ps->token.where;
    if (!count_part(ps) || !expect_choice(ps, "a part of a PIPELINE or END", words, STATEMENTS, &word))
        return false;
    struct script_pipeline *p = b->p;
    if (p->compute && statements[word].graphics_only)
        parse_error(ps, where, "not-for-compute", NULL, "%s is for graphics pipelines", words[word]);
    switch ((enum statement)word) {
    case ATTACH:
        return parse_attach(ps, b);
    case SHADER_OPTIMIZATION:
    case COMPILE_OPTIONS:
        return parse_options(ps, b, word == SHADER_OPTIMIZATION, words[word]);
    case SUBGROUP:
        return parse_subgroup(ps, b);
    case FRAMEBUFFER_SIZE:
        return parse_framebuffer_size(ps, p);
    case VIEWPORT:
        return parse_viewport(ps, p);
    case BIND:
        return parse_bind(ps, p, &b->bindings, b->inherited_bindings);
    case VERTEX_DATA:
        return parse_vertex_data(ps, p, &b->vertex_data, b->inherited_vertex_data);
    case INDEX_DATA:
        return parse_index_data(ps, p);
    case SET:
        return parse_set_kernel(ps, p);
    case POLYGON_MODE:
        return parse_polygon_mode(ps, p);
    case SHADE_MODEL:
        return parse_shade_model(ps, p);
    case SPRITE_COORDS:
        return parse_sprite_coords(ps, p);
    case SPRITE_ORIGIN:
        return parse_sprite_origin(ps, p);
    case PATCH_CONTROL_POINTS:
        return parse_control_points(ps, p);
    case DEPTH:
        return parse_depth(ps, p);
    case STENCIL:
        return parse_stencil(ps, p);
    default:
        return parse_blend(ps, p);
    }
}

static bool parse_body(struct parser *ps, struct builder *b)
{
    bool ok = true;
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, b->p->where, "missing-end", NULL, "pipeline '%s' has no END", b->p->name);
        if (!parse_statement(ps, b) || !expect_line_end(ps, "a part of a PIPELINE")) {
            ok = false;
            lex_skip_line(ps);
        }
    }
    return ok;
}

static bool has_stage(const struct script_pipeline *p, weft_stage stage)
{
    for (uint32_t i = 0; i < p->nshaders; i++)
        if (p->shaders[i].stage == stage || p->shaders[i].stage == WEFT_STAGE_NONE)
            return true;
    return false;
}

static bool check_shaders(struct parser *ps, const struct script_pipeline *p)
{
    static const weft_stage graphics[] = {WEFT_VERTEX, WEFT_FRAGMENT};
    if (p->compute)
        return has_stage(p, WEFT_COMPUTE) ||
               parse_error(ps, p->where, "missing-shader", NULL, "pipeline '%s' has no compute shader", p->name);
    for (int i = 0; i < 2; i++)
        if (!has_stage(p, graphics[i]))
            return parse_error(ps, p->where, "missing-shader", NULL, "pipeline '%s' has no %s shader", p->name,
                               weft_stage_name(graphics[i]));
    if (has_stage(p, WEFT_TESS_CONTROL) != has_stage(p, WEFT_TESS_EVALUATION))
        return parse_error(ps, p->where, "missing-shader", NULL,
                           "pipeline '%s' has one of its two tessellation shaders only", p->name);
    return true;
}

void pipeline_defaults(struct script_pipeline *p)
{
    p->width = p->height = 250;
    p->patch_control_points = 3;
    p->bounds_max = 1;
    p->depth_compare = SCRIPT_ALWAYS;
    p->dst_color = p->dst_alpha = SCRIPT_FACTOR_ZERO;
    p->src_color = p->src_alpha = SCRIPT_FACTOR_ONE;
    for (int i = 0; i < 2; i++)
        p->stencil[i] = (struct script_stencil){.compare = SCRIPT_ALWAYS, .compare_mask = 255, .write_mask = 255};
}

/* Start from the parent's lists, copied: what is added or replaced must not reach the parent. */
static bool inherit(struct parser *ps, struct builder *b, const struct script_pipeline *parent)
{
    struct script_pipeline *p = b->p;
    const char *name = p->name;
    struct span where = p->where;
    *p = *parent;
    p->name = name;
    p->where = where;
    p->parent = parent->name;
    b->inherited_shaders = (uint32_t)(b->shaders.count = b->shaders.cap = parent->nshaders);
    b->inherited_bindings = (uint32_t)(b->bindings.count = b->bindings.cap = parent->nbindings);
    b->inherited_vertex_data = (uint32_t)(b->vertex_data.count = b->vertex_data.cap = parent->nvertex_data);
    p->shaders = ARENA_ARRAY(ps->arena, struct script_attachment, parent->nshaders + 1);
    p->bindings = ARENA_ARRAY(ps->arena, struct script_binding, parent->nbindings + 1);
    p->vertex_data = ARENA_ARRAY(ps->arena, struct script_vertex_data, parent->nvertex_data + 1);
    if (!p->shaders || !p->bindings || !p->vertex_data)
        return false;
    if (parent->nshaders)
        memcpy(p->shaders, parent->shaders, parent->nshaders * sizeof *p->shaders);
    if (parent->nbindings)
        memcpy(p->bindings, parent->bindings, parent->nbindings * sizeof *p->bindings);
    if (parent->nvertex_data)
        memcpy(p->vertex_data, parent->vertex_data, parent->nvertex_data * sizeof *p->vertex_data);
    return true;
}

static bool skip_pipeline(struct parser *ps, struct span where, const char *name)
{
    static const char *const openers[] = {"SHADER_BINDING_TABLE", "SHADER_OPTIMIZATION", "COMPILE_OPTIONS"};
    if (name) {
        if (!LIST_ADD(ps, ps->unrun, &ps->unruns))
            return false;
        ps->unrun[ps->unruns.count - 1] = name;
    }
    return skip_block(ps, "PIPELINE", where, openers, 3);
}

/* The header's kind, after which the name comes. */
static bool parse_kind(struct parser *ps, struct script_pipeline *p, bool *refused)
{
    static const char *const words[] = {"graphics", "compute", "ray_tracing", "raytracing"};
    struct span where = ps->token.where;
    unsigned kind = 0;
    if (!EXPECT_CHOICE(ps, "a pipeline type", words, &kind))
        return false;
    p->compute = kind == 1;
    *refused = kind > 1;
    if (*refused)
        refuse(ps, where, NULL, NULL, "ray tracing (PIPELINE %s)", words[kind]);
    return true;
}

bool parse_pipeline(struct parser *ps, bool derive)
{
    struct builder b = {.p = ARENA_NEW(ps->arena, struct script_pipeline)};
    bool refused = false;
    struct span opened = ps->last;
    if (!b.p)
        return false;
    pipeline_defaults(b.p);
    if ((!derive && !parse_kind(ps, b.p, &refused)) ||
        !expect_name(ps, "a name for the pipeline", &b.p->name, &b.p->where)) {
        skip_pipeline(ps, opened, NULL);
        return false;
    }
    for (uint32_t i = 0; i < ps->script->npipelines; i++)
        if (!strcmp(ps->script->pipelines[i]->name, b.p->name))
            parse_error(ps, b.p->where, "duplicate-name", NULL, "there is a pipeline '%s' already", b.p->name);
    if (refused)
        return skip_pipeline(ps, b.p->where, b.p->name);
    if (derive) {
        const struct script_pipeline *parent = NULL;
        if (!expect(ps, "FROM") || !expect_pipeline(ps, "the name of a pipeline", &parent)) {
            skip_pipeline(ps, opened, b.p->name);
            return false;
        }
        if (!parent)
            return skip_pipeline(ps, b.p->where, b.p->name);
        if (!inherit(ps, &b, parent))
            return false;
    }
    bool ok = expect_line_end(ps, "the header of a PIPELINE");
    lex_skip_line(ps);
    ok = parse_body(ps, &b) && ok;
    if (!LIST_ADD(ps, ps->script->pipelines, &ps->pipelines))
        return false;
    ps->script->pipelines[ps->script->npipelines++] = b.p;
    return ok && check_shaders(ps, b.p) && expect_line_end(ps, "END");
}
