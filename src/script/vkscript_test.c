/* vkscript_test.c - the section [test] of VkScript: its commands. */
#include "script/vkscript.h"

#include <string.h>

/* What two floats may be apart without a word about it, as in Amber. */
#define EPSILON 0.000001

/* ---- commands ---- */

static struct script_command *add_command(struct vk *v, enum script_command_kind kind, struct span where)
{
    struct parser *ps = v->ps;
    if (!LIST_ADD(ps, ps->script->commands, &v->commands))
        return NULL;
    struct script_command *c = &ps->script->commands[v->commands.count - 1];
    v->used = true;
    *c = (struct script_command){.kind = kind, .where = where, .pipeline = v->pipeline};
    return c;
}

/* From where a command began to the last word that was read, and the parenthesis after it. */
static void close_command(const struct vk *v, struct script_command *c)
{
    uint32_t end = v->ps->last.offset + v->ps->last.length;
    if (end < v->ps->src->size && v->ps->src->text[end] == ')')
        end++;
    if (end > c->where.offset)
        c->where.length = end - c->where.offset;
}

/* ---- types ---- */

/* What is left of a word after a beginning; NULL: it does not begin so. */
static const char *after(const char *text, const char *beginning)
{
    size_t n = strlen(beginning);
    return strncmp(text, beginning, n) == 0 ? text + n : NULL;
}

/* "", "3", "3x2" into a type; false at anything else. */
static bool take_size(const char *p, bool matrix, struct script_type *type)
{
    unsigned columns = *p ? (unsigned)(*p++ - '0') : 4, rows = columns;
    if (matrix && *p == 'x') {
        rows = (unsigned)(p[1] - '0');
        p += p[1] ? 2 : 1;
    }
    if (*p || columns - 2 > 2 || rows - 2 > 2)
        return false;
    type->columns = (uint8_t)(matrix ? columns : 1);
    type->rows = (uint8_t)rows;
    return true;
}

static bool find_type(const char *word, struct script_type *type)
{
    static const struct {
        const char *word, *vector;
        enum script_scalar scalar;
    } scalars[] = {
        {"int", "ivec", SCRIPT_INT32},         {"uint", "uvec", SCRIPT_UINT32},      {"int8_t", "i8vec", SCRIPT_INT8},
        {"uint8_t", "u8vec", SCRIPT_UINT8},    {"int16_t", "i16vec", SCRIPT_INT16},
        {"uint16_t", "u16vec", SCRIPT_UINT16}, {"int64_t", "i64vec", SCRIPT_INT64},
        {"uint64_t", "u64vec", SCRIPT_UINT64}, {"float", "vec", SCRIPT_FLOAT},
        {"float16_t", "f16vec", SCRIPT_FLOAT16}, {"double", "dvec", SCRIPT_DOUBLE},
    };
    *type = (struct script_type){.kind = SCRIPT_NUMBER, .columns = 1, .rows = 1};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        const char *rest = after(word, scalars[i].vector);
        type->scalar = scalars[i].scalar;
        if (strcmp(word, scalars[i].word) == 0 || (rest && take_size(rest, false, type)))
            return true;
    }
    const char *single = after(word, "mat"), *twice = after(word, "dmat");
    type->scalar = twice ? SCRIPT_DOUBLE : SCRIPT_FLOAT;
    return (single && take_size(single, true, type)) || (twice && take_size(twice, true, type));
}

static bool parse_data_type(struct vk *v, enum script_rule rule, struct script_type *type,
                            const struct script_layout **layout)
{
    struct parser *ps = v->ps;
    const char *name = token_copy(ps, &ps->token), *why = "";
    struct script_layout *l = ARENA_NEW(ps->arena, struct script_layout);
    if (!name || !l)
        return false;
    if (ps->token.kind != TOKEN_WORD || !find_type(name, type))
        return parse_expected(ps, "a data type, such as int, vec4 or mat2x3");
    if (!script_layout(ps->arena, type, rule, l, &why))
        return parse_error(ps, ps->token.where, "bad-layout", NULL, "%s", why);
    lex_next(ps);
    *layout = l;
    return true;
}

/* ---- buffers ---- */

/* "2", or "1:2" with a set. */
static bool parse_binding(struct vk *v, uint32_t *set, uint32_t *binding)
{
    struct parser *ps = v->ps;
    struct token t = ps->token;
    const char *colon = t.length ? memchr(t.text, ':', t.length) : NULL;
    struct script_number a = {0}, b;
    struct token first = t, second = t;
    if (colon) {
        first.length = (size_t)(colon - t.text);
        second.text = colon + 1;
        second.length = t.length - first.length - 1;
    }
    bool ok = t.kind == TOKEN_WORD && token_number(&second, &b) && b.integral && b.bits <= SCRIPT_MAX_BINDING;
    if (ok && colon)
        ok = token_number(&first, &a) && a.integral && a.bits <= SCRIPT_MAX_BINDING;
    if (!ok)
        return parse_expected(ps, "a binding, or SET:BINDING");
    *set = (uint32_t)a.bits;
    *binding = (uint32_t)b.bits;
    lex_next(ps);
    return true;
}

/* The buffer of a binding: its bytes, as many as the commands ask for. */
static struct script_buffer *buffer_of(struct vk *v, enum script_bind as, uint32_t set, uint32_t binding,
                                       struct span where)
{
    static const struct script_type bytes = {.kind = SCRIPT_NUMBER, .scalar = SCRIPT_UINT8, .columns = 1, .rows = 1};
    struct parser *ps = v->ps;
    for (size_t i = 0; i < v->nbuffers.count; i++)
        if (v->buffers[i].as == as && v->buffers[i].set == set && v->buffers[i].binding == binding)
            return v->buffers[i].buffer;
    const char *name =
        as == SCRIPT_BIND_PUSH_CONSTANT
            ? "push constants"
            : arena_printf(ps->arena, "%s %u:%u", as == SCRIPT_BIND_STORAGE ? "ssbo" : "ubo", set, binding);
    struct script_buffer *b = vk_add_buffer(v, name, where);
    if (!b || !vk_set_type(v, b, &bytes) || !LIST_ADD(ps, v->buffers, &v->nbuffers))
        return NULL;
    v->buffers[v->nbuffers.count - 1] = (struct vk_buffer){as, set, binding, b};
    return b;
}

static bool grow(struct vk *v, struct script_buffer *b, uint64_t size, struct span where)
{
    if (size > SCRIPT_MAX_BYTES)
        return parse_error(v->ps, where, "too-large", NULL, "'%s' would be larger than %d MiB", b->name,
                           (int)(SCRIPT_MAX_BYTES >> 20));
    b->elements = b->elements > size ? b->elements : size;
    return true;
}

/* Numbers up to the end of the line. */
static bool parse_values(struct vk *v, struct script_number **values, uint32_t *count)
{
    struct list_size size = {0};
    *values = NULL;
    do {
        if (!LIST_ADD(v->ps, *values, &size) || !expect_number(v->ps, "a value", &(*values)[size.count - 1]))
            return false;
    } while (!at_line_end(v->ps));
    *count = (uint32_t)size.count;
    return true;
}

/* Bytes that so many values take. */
static uint64_t bytes_of(const struct script_layout *l, uint32_t count)
{
    const struct script_leaf *last = &l->leaves[(count - 1) % l->nleaves];
    return (uint64_t)((count - 1) / l->nleaves) * l->stride + last->offset + script_scalar_bytes(last->scalar);
}

static bool whole(struct vk *v, const struct script_layout *l, uint32_t count, struct span where)
{
    return count % l->nleaves == 0 ||
           parse_error(v->ps, where, "bad-value", NULL, "%u values are not a multiple of the %u of the type", count,
                       l->nleaves);
}

/* TYPE OFFSET VALUES: they are written when the command runs. */
static bool parse_write(struct vk *v, struct script_buffer *b, enum script_rule rule, struct span where)
{
    struct script_type type;
    const struct script_layout *layout;
    uint64_t offset;
    struct script_number *values;
    uint32_t count;
    if (!b || !parse_data_type(v, rule, &type, &layout) ||
        !expect_integer(v->ps, "an offset in bytes", SCRIPT_MAX_BYTES, &offset) || !parse_values(v, &values, &count) ||
        !whole(v, layout, count, where) || !grow(v, b, offset + bytes_of(layout, count), where))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!number_fits(v->ps, where, layout->leaves[i % layout->nleaves].scalar, &values[i]))
            return false;
    struct script_command *c = add_command(v, SCRIPT_WRITE, where);
    if (!c)
        return false;
    c->write.buffer = b;
    c->write.layout = layout;
    c->write.offset = offset;
    c->write.values = values;
    c->write.nvalues = count;
    close_command(v, c);
    return true;
}

static bool parse_ssbo(struct vk *v, struct span where)
{
    uint32_t set, binding;
    uint64_t size;
    if (!parse_binding(v, &set, &binding))
        return false;
    struct script_buffer *b = buffer_of(v, SCRIPT_BIND_STORAGE, set, binding, where);
    if (take_word(v->ps, "subdata"))
        return parse_write(v, b, SCRIPT_STD430, where);
    return b && expect_integer(v->ps, "a size in bytes, or subdata", SCRIPT_MAX_BYTES, &size) &&
           grow(v, b, size, where);
}

static bool parse_uniform(struct vk *v, struct span where)
{
    uint32_t set, binding;
    if (!take_word(v->ps, "ubo"))
        return parse_write(v, buffer_of(v, SCRIPT_BIND_PUSH_CONSTANT, 0, 0, where), SCRIPT_STD430, where);
    return parse_binding(v, &set, &binding) &&
           parse_write(v, buffer_of(v, SCRIPT_BIND_UNIFORM, set, binding, where), SCRIPT_STD140, where);
}

/* ---- drawing ---- */

static bool parse_draw_rect(struct vk *v, struct span where)
{
    static const char *const words[] = {"ortho", "patch"};
    bool ortho = false, patch = false;
    float box[4];
    while (!next_is_number(v->ps)) {
        unsigned word = 0;
        if (!EXPECT_CHOICE(v->ps, "ortho, patch or x", words, &word))
            return false;
        ortho |= word == 0;
        patch |= word == 1;
    }
    for (int i = 0; i < 4; i++)
        if (!expect_real(v->ps, "x, y, width and height", &box[i]))
            return false;
    const float size[2] = {(float)v->pipeline->width, (float)v->pipeline->height};
    for (int i = 0; i < 4 && ortho; i++)
        box[i] = box[i] / size[i & 1] * 2 - (i < 2 ? 1 : 0);
    struct script_command *c = add_command(v, SCRIPT_DRAW_RECT, where);
    if (!c)
        return false;
    c->rect.free = true;
    c->rect.patch = patch;
    memcpy(c->rect.box, box, sizeof box);
    close_command(v, c);
    return true;
}

static bool parse_draw_arrays(struct vk *v, struct span where)
{
    static const struct {
        const char *name;
        enum script_topology topology;
    } topologies[] = {
        {"PATCH_LIST", SCRIPT_PATCH_LIST},
        {"POINT_LIST", SCRIPT_POINT_LIST},
        {"LINE_LIST", SCRIPT_LINE_LIST},
        {"LINE_LIST_WITH_ADJACENCY", SCRIPT_LINE_LIST_WITH_ADJACENCY},
        {"LINE_STRIP", SCRIPT_LINE_STRIP},
        {"LINE_STRIP_WITH_ADJACENCY", SCRIPT_LINE_STRIP_WITH_ADJACENCY},
        {"TRIANGLE_FAN", SCRIPT_TRIANGLE_FAN},
        {"TRIANGLE_LIST", SCRIPT_TRIANGLE_LIST},
        {"TRIANGLE_LIST_WITH_ADJACENCY", SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY},
        {"TRIANGLE_STRIP", SCRIPT_TRIANGLE_STRIP},
        {"TRIANGLE_STRIP_WITH_ADJACENCY", SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY},
        {"GL_PATCHES", SCRIPT_PATCH_LIST},
        {"GL_POINTS", SCRIPT_POINT_LIST},
        {"GL_LINES", SCRIPT_LINE_LIST},
        {"GL_LINES_ADJACENCY", SCRIPT_LINE_LIST_WITH_ADJACENCY},
        {"GL_LINE_STRIP", SCRIPT_LINE_STRIP},
        {"GL_LINE_STRIP_ADJACENCY", SCRIPT_LINE_STRIP_WITH_ADJACENCY},
        {"GL_TRIANGLE_FAN", SCRIPT_TRIANGLE_FAN},
        {"GL_TRIANGLES", SCRIPT_TRIANGLE_LIST},
        {"GL_TRIANGLES_ADJACENCY", SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY},
        {"GL_TRIANGLE_STRIP", SCRIPT_TRIANGLE_STRIP},
        {"GL_TRIANGLE_STRIP_ADJACENCY", SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY},
    };
    enum { TOPOLOGIES = sizeof topologies / sizeof *topologies };
    const char *words[TOPOLOGIES];
    struct parser *ps = v->ps;
    bool indexed = false, instanced = false;
    unsigned word = 0;
    uint32_t first, count, instances = 1;
    for (;;) {
        bool more = take_word(ps, "indexed"), again = take_word(ps, "instanced");
        indexed |= more;
        instanced |= again;
        if (!more && !again)
            break;
    }
    for (unsigned i = 0; i < TOPOLOGIES; i++)
        words[i] = topologies[i].name;
    if (!expect_choice(ps, "indexed, instanced or a topology", words, TOPOLOGIES, &word) ||
        !expect_u32(ps, "a first vertex", INT32_MAX, &first) ||
        !expect_u32(ps, "a number of vertices", INT32_MAX, &count) ||
        (instanced && !at_line_end(ps) && !expect_u32(ps, "a number of instances", INT32_MAX, &instances)))
        return false;
    struct script_command *c = add_command(v, SCRIPT_DRAW_ARRAY, where);
    if (!c)
        return false;
    c->array.topology = topologies[word].topology;
    c->array.indexed = indexed;
    if (indexed) /* VkRunner's rule: from index 0 on, and the first vertex is added to each index */
        c->array.base_vertex = first;
    else
        c->array.first = first;
    c->array.has_count = true;
    c->array.count = count;
    c->array.instances = instances;
    close_command(v, c);
    return true;
}

static bool parse_draw(struct vk *v, struct span where)
{
    static const char *const words[] = {"rect", "arrays"};
    unsigned word = 0;
    if (!EXPECT_CHOICE(v->ps, "rect or arrays", words, &word))
        return false;
    if (v->pipeline->compute)
        return parse_error(v->ps, where, "bad-shader-type", NULL, "a compute shader does not draw");
    return word ? parse_draw_arrays(v, where) : parse_draw_rect(v, where);
}

/* Parts of colours count to 1, those of AmberScript to 255; the numbers of an integer format are as they are. */
static float color_scale(const struct vk *v)
{
    const struct script_format *f = v->color ? v->color->format : NULL;
    return f && (f->mode[0] == SCRIPT_UINT || f->mode[0] == SCRIPT_SINT) ? 1 : 255;
}

static bool parse_clear(struct vk *v, struct span where)
{
    struct parser *ps = v->ps;
    if (take_word(ps, "color")) {
        for (int i = 0; i < 4; i++)
            if (!expect_real(ps, "a part of a colour", &v->clear_color[i]))
                return false;
        return true;
    }
    if (take_word(ps, "depth"))
        return expect_real(ps, "a depth", &v->clear_depth);
    if (take_word(ps, "stencil"))
        return expect_u32(ps, "a stencil value", 255, &v->clear_stencil);
    if (v->pipeline->compute)
        return parse_error(ps, where, "bad-shader-type", NULL, "a compute shader has no framebuffer");
    struct script_command *c = add_command(v, SCRIPT_CLEAR_COLOR, where);
    for (int i = 0; c && i < 4; i++)
        c->color[i] = v->clear_color[i] * color_scale(v);
    if (c && (c = add_command(v, SCRIPT_CLEAR_DEPTH, where)))
        c->clear_depth = v->clear_depth;
    if (c && (c = add_command(v, SCRIPT_CLEAR_STENCIL, where)))
        c->clear_stencil = v->clear_stencil;
    return c && add_command(v, SCRIPT_CLEAR, where);
}

static bool parse_compute(struct vk *v, struct span where)
{
    uint32_t groups[3];
    for (int i = 0; i < 3; i++)
        if (!expect_u32(v->ps, "a number of workgroups", SCRIPT_MAX_GROUPS, &groups[i]))
            return false;
    if (!v->pipeline->compute)
        return parse_error(v->ps, where, "missing-shader", NULL, "there is no compute shader");
    struct script_command *c = add_command(v, SCRIPT_RUN_COMPUTE, where);
    if (!c)
        return false;
    memcpy(c->groups, groups, sizeof groups);
    close_command(v, c);
    return true;
}

static bool parse_entry_point(struct vk *v, weft_stage stage, struct span where)
{
    const char *name;
    if (!expect(v->ps, "entrypoint") || !expect_name(v->ps, "the name of an entry point", &name, NULL) || !vk_change(v))
        return false;
    for (uint32_t i = 0; i < v->pipeline->nshaders; i++)
        if (v->pipeline->shaders[i].stage == stage) {
            v->pipeline->shaders[i].entry_point = name;
            return true;
        }
    return parse_error(v->ps, where, "missing-shader", NULL, "there is no %s shader", weft_stage_name(stage));
}

/* ---- probes ---- */

static bool parse_tolerance(struct vk *v)
{
    struct parser *ps = v->ps;
    v->ntolerances = 0;
    while (!at_line_end(ps)) {
        struct token t = ps->token;
        struct script_number n;
        bool percent = t.length && t.text[t.length - 1] == '%';
        t.length -= percent;
        if (v->ntolerances == 4 || !token_number(&t, &n))
            return parse_expected(ps, "up to four tolerances");
        v->tolerance[v->ntolerances++] = (struct script_tolerance){n.real, percent};
        lex_next(ps);
    }
    return v->ntolerances == 1 || v->ntolerances == 4 ||
           parse_error(ps, ps->last, "bad-tolerance", NULL, "there are one or four tolerances");
}

/* On a scale. */
static void use_tolerance(const struct vk *v, struct script_command *c, double scale)
{
    c->expect.ntolerances = v->ntolerances;
    for (uint32_t i = 0; i < v->ntolerances; i++) {
        c->expect.tolerance[i] = v->tolerance[i];
        if (!v->tolerance[i].percent)
            c->expect.tolerance[i].value *= scale;
    }
}

static bool parse_probe_ssbo(struct vk *v, struct span where)
{
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "~="};
    static const enum script_comparator comparators[] = {SCRIPT_EQ, SCRIPT_NE, SCRIPT_LT, SCRIPT_LE,
                                                         SCRIPT_GT, SCRIPT_GE, SCRIPT_EQ};
    struct parser *ps = v->ps;
    struct script_type type;
    const struct script_layout *layout;
    uint32_t set, binding, count;
    uint64_t offset;
    unsigned sign = 0;
    struct script_number *values;
    if (!parse_data_type(v, SCRIPT_STD430, &type, &layout) || !parse_binding(v, &set, &binding) ||
        !expect_integer(ps, "an offset in bytes", SCRIPT_MAX_BYTES, &offset) ||
        !EXPECT_CHOICE(ps, "==, !=, <, <=, >, >= or ~=", signs, &sign) || !parse_values(v, &values, &count) ||
        !whole(v, layout, count, where))
        return false;
    struct script_buffer *b = buffer_of(v, SCRIPT_BIND_STORAGE, set, binding, where);
    struct script_command *c = b ? add_command(v, SCRIPT_EXPECT_VALUES, where) : NULL;
    if (!c)
        return false;
    c->expect.buffer = b;
    c->expect.comparator = comparators[sign];
    c->expect.x = offset;
    c->expect.values = values;
    c->expect.nvalues = count;
    c->expect.layout = layout;
    bool fuzzy = sign == 6 && v->ntolerances;
    if (fuzzy)
        use_tolerance(v, c, 1);
    else if (c->expect.comparator == SCRIPT_EQ && script_scalar_is_float(type.scalar)) {
        c->expect.tolerance[0].value = EPSILON;
        c->expect.ntolerances = 1;
    }
    close_command(v, c);
    return true;
}

/* (x, y[, width, height]), relative to the size of the framebuffer if they are. */
static bool parse_area(struct vk *v, bool relative, bool rect, uint32_t area[4])
{
    const uint32_t size[2] = {v->pipeline->width, v->pipeline->height};
    area[2] = area[3] = 1;
    for (int i = 0; i < (rect ? 4 : 2); i++) {
        struct span where = v->ps->token.where;
        float part;
        if (!expect_real(v->ps, "x, y, width and height", &part))
            return false;
        part = relative ? part * (float)size[i & 1] : part;
        if (!(part >= 0 && part <= SCRIPT_MAX_DIMENSION))
            return parse_error(v->ps, where, "out-of-range", NULL, "there are no such pixels");
        area[i] = (uint32_t)part;
    }
    return true;
}

static bool parse_probe(struct vk *v, bool relative, struct span where)
{
    static const char *const words[] = {"rgb", "rgba"};
    struct parser *ps = v->ps;
    unsigned alpha = 0;
    bool all = false, rect = false;
    uint32_t area[4] = {0, 0, v->pipeline->width, v->pipeline->height};
    if (take_word(ps, "ssbo"))
        return parse_probe_ssbo(v, where);
    if (take_word(ps, "all"))
        all = true;
    else if (take_word(ps, "rect"))
        rect = true;
    struct script_number *values = ARENA_ARRAY(ps->arena, struct script_number, 4);
    if (!values || !EXPECT_CHOICE(ps, "ssbo, all, rect, rgb or rgba", words, &alpha) ||
        (!all && !parse_area(v, relative, rect, area)))
        return false;
    if (v->pipeline->compute)
        return parse_error(ps, where, "bad-shader-type", NULL, "a compute shader has no framebuffer");
    for (unsigned i = 0; i < 3 + alpha; i++) {
        if (!expect_number(ps, "a part of a colour", &values[i]))
            return false;
        values[i] = (struct script_number){.real = values[i].real * color_scale(v)};
        values[i].bits = script_truncate(values[i].real);
    }
    struct script_command *c = add_command(v, SCRIPT_EXPECT_PIXELS, where);
    if (!c)
        return false;
    c->expect.buffer = v->color;
    c->expect.comparator = alpha ? SCRIPT_EQ_RGBA : SCRIPT_EQ_RGB;
    c->expect.x = area[0];
    c->expect.y = area[1];
    c->expect.width = area[2];
    c->expect.height = area[3];
    c->expect.values = values;
    c->expect.nvalues = 3 + alpha;
    c->expect.scale = color_scale(v);
    use_tolerance(v, c, color_scale(v));
    close_command(v, c);
    return true;
}

/* ---- the section ---- */

static bool parse_patch(struct vk *v)
{
    return expect(v->ps, "parameter") && expect(v->ps, "vertices") && vk_change(v) &&
           expect_u32(v->ps, "a number of control points", 32, &v->pipeline->patch_control_points);
}

static bool parse_tessellation(struct vk *v, struct span where)
{
    static const char *const words[] = {"control", "evaluation"};
    unsigned word = 0;
    return EXPECT_CHOICE(v->ps, "control or evaluation", words, &word) &&
           parse_entry_point(v, word ? WEFT_TESS_EVALUATION : WEFT_TESS_CONTROL, where);
}

static bool parse_command_of(struct vk *v)
{
    static const char *const words[] = {"draw", "clear", "ssbo", "uniform", "compute", "probe", "relative", "tolerance",
                                        "patch", "vertex", "fragment", "geometry", "tessellation"};
    struct parser *ps = v->ps;
    struct span where = ps->token.where;
    unsigned word = 0;
    bool known = false, ok = vk_parse_state(v, &known);
    if (known)
        return ok;
    if (!EXPECT_CHOICE(ps, "a command of VkScript", words, &word))
        return false;
    switch (word) {
    case 0:
        return parse_draw(v, where);
    case 1:
        return parse_clear(v, where);
    case 2:
        return parse_ssbo(v, where);
    case 3:
        return parse_uniform(v, where);
    case 4:
        return next_is(ps, "entrypoint") ? parse_entry_point(v, WEFT_COMPUTE, where) : parse_compute(v, where);
    case 5:
        return parse_probe(v, false, where);
    case 6:
        return expect(ps, "probe") && parse_probe(v, true, where);
    case 7:
        return parse_tolerance(v);
    case 8:
        return parse_patch(v);
    case 9:
        return parse_entry_point(v, WEFT_VERTEX, where);
    case 10:
        return parse_entry_point(v, WEFT_FRAGMENT, where);
    case 11:
        return parse_entry_point(v, WEFT_GEOMETRY, where);
    default:
        return parse_tessellation(v, where);
    }
}

void vk_parse_test(struct vk *v)
{
    struct parser *ps = v->ps;
    for (lex_skip_line_ends(ps); ps->token.kind != TOKEN_END; lex_skip_line_ends(ps))
        if (!count_part(ps) || !parse_command_of(v) || !expect_line_end(ps, "the command"))
            lex_skip_line(ps);
}
