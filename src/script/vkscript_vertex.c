/* vkscript_vertex.c - the sections [vertex data] and [indices] of VkScript. */
#include "script/vkscript.h"

#include <string.h>

enum { MOST_ATTRIBUTES = 16, MOST_NUMBERS = 1 << 24 };

struct attribute {
    uint32_t location;
    const struct script_format *format;
    struct script_buffer *buffer;
    struct script_number *data;
    struct list_size size;
};

/* ---- a column's type: LOCATION/FORMAT or LOCATION/GL_TYPE/GLSL_TYPE ---- */

static const struct script_format *gl_format(struct vk *v, const char *type, size_t length, unsigned components)
{
    static const struct {
        const char *name, *mode;
        unsigned bits;
    } types[] = {
        {"byte", "SINT", 8},    {"ubyte", "UINT", 8},    {"short", "SINT", 16},
        {"ushort", "UINT", 16}, {"int", "SINT", 32},     {"uint", "UINT", 32},
        {"half", "SFLOAT", 16}, {"float", "SFLOAT", 32}, {"double", "SFLOAT", 64},
    };
    for (size_t i = 0; components && i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) != length || memcmp(types[i].name, type, length) != 0)
            continue;
        char *name = arena_printf(v->ps->arena, "R%u", types[i].bits);
        for (unsigned k = 1; k < components && name; k++)
            name = arena_printf(v->ps->arena, "%s%c%u", name, "RGBA"[k], types[i].bits);
        name = name ? arena_printf(v->ps->arena, "%s_%s", name, types[i].mode) : NULL;
        return name ? script_format_find(v->ps->arena, name, strlen(name)) : NULL;
    }
    return NULL;
}

/* The components of "float", "vec3", "uvec2", "vec"; 0: there is no such vector. */
static unsigned components_of(const char *type, size_t length)
{
    char last = length ? type[length - 1] : 0;
    bool vector = length >= 3 && (memcmp(type + length - 3, "vec", 3) == 0 ||
                                  (length >= 4 && memcmp(type + length - 4, "vec", 3) == 0));
    return !vector ? 1 : last == 'c' ? 4 : last >= '2' && last <= '4' ? (unsigned)(last - '0') : 0;
}

static bool parse_attribute(struct vk *v, struct attribute *a)
{
    struct parser *ps = v->ps;
    const struct token *t = &ps->token;
    const char *end = t->text + t->length, *slash = t->length ? memchr(t->text, '/', t->length) : NULL;
    if (!slash)
        return parse_expected(ps, "LOCATION/FORMAT or LOCATION/GL_TYPE/GLSL_TYPE");
    struct token location = {TOKEN_WORD, t->text, (size_t)(slash - t->text), t->where};
    struct script_number n;
    if (!token_number(&location, &n) || !n.integral || n.bits > SCRIPT_MAX_BINDING)
        return parse_error(ps, t->where, "bad-vertex-data", NULL, "a location is a number from 0 to %d",
                           SCRIPT_MAX_BINDING);
    a->location = (uint32_t)n.bits;
    const char *type = slash + 1, *second = type < end ? memchr(type, '/', (size_t)(end - type)) : NULL;
    if (second)
        a->format = gl_format(v, type, (size_t)(second - type), components_of(second + 1, (size_t)(end - second - 1)));
    else
        a->format = script_format_find(ps->arena, type, (size_t)(end - type));
    const char *near = a->format || second ? NULL : script_format_nearest(type, (size_t)(end - type));
    if (!a->format)
        return parse_error(ps, t->where, "bad-vertex-data",
                           near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL,
                           "there is no format '%.*s'", (int)(end - type > 60 ? 60 : end - type), type);
    struct span where = t->where;
    lex_next(ps);
    a->buffer = vk_add_buffer(v, arena_printf(ps->arena, "vertex data %u", a->location), where);
    const struct script_type format = {.kind = SCRIPT_FORMAT, .format = a->format};
    return a->buffer && a->buffer->name && vk_set_type(v, a->buffer, &format);
}

/* ---- rows ---- */

static bool parse_numbers(struct vk *v, struct attribute *a, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (a->size.count >= MOST_NUMBERS)
            return parse_error(v->ps, v->ps->token.where, "too-large", NULL, "there are too many numbers");
        if (!LIST_ADD(v->ps, a->data, &a->size) || !expect_number(v->ps, "a number", &a->data[a->size.count - 1]))
            return false;
    }
    return true;
}

/* What was read is the buffer's DATA. */
static void fill(struct attribute *a)
{
    struct script_buffer *b = a->buffer;
    b->format = a->format;
    b->fill = SCRIPT_FILL_DATA;
    b->data = a->data;
    b->ndata = a->size.count;
    b->elements = b->layout.nleaves ? a->size.count / b->layout.nleaves : 0;
}

static bool parse_rows(struct vk *v, struct attribute *a, unsigned count)
{
    struct parser *ps = v->ps;
    for (lex_skip_line_ends(ps); ps->token.kind != TOKEN_END; lex_skip_line_ends(ps)) {
        for (unsigned i = 0; i < count; i++)
            if (!parse_numbers(v, &a[i], a[i].buffer->layout.nleaves))
                return false;
        if (!expect_line_end(ps, "a row of vertex data"))
            return false;
    }
    return true;
}

void vk_parse_vertex_data(struct vk *v)
{
    struct parser *ps = v->ps;
    struct script_pipeline *p = v->pipeline;
    struct attribute a[MOST_ATTRIBUTES] = {0};
    unsigned n = 0;
    lex_skip_line_ends(ps);
    while (!at_line_end(ps)) {
        if (n == MOST_ATTRIBUTES) {
            parse_error(ps, ps->token.where, "too-large", NULL, "a row has at most %d attributes", MOST_ATTRIBUTES);
            return;
        }
        if (!parse_attribute(v, &a[n++]))
            return;
    }
    if (!parse_rows(v, a, n))
        return;
    for (unsigned i = 0; i < n; i++) {
        fill(&a[i]);
        if (!LIST_ADD(ps, p->vertex_data, &v->vertex_data))
            return;
        p->vertex_data[p->nvertex_data++] =
            (struct script_vertex_data){.buffer = a[i].buffer, .where = a[i].buffer->where, .location = a[i].location,
                                        .format = a[i].format, .stride = a[i].buffer->layout.stride};
    }
}

void vk_parse_indices(struct vk *v)
{
    struct parser *ps = v->ps;
    const struct script_type type = {.kind = SCRIPT_NUMBER, .scalar = SCRIPT_UINT32, .columns = 1, .rows = 1};
    lex_skip_line_ends(ps);
    struct attribute a = {.buffer = vk_add_buffer(v, "indices", ps->token.where)};
    if (!a.buffer || !vk_set_type(v, a.buffer, &type))
        return;
    for (; ps->token.kind != TOKEN_END; lex_skip_line_ends(ps)) {
        struct script_number *n = LIST_ADD(ps, a.data, &a.size) ? &a.data[a.size.count - 1] : NULL;
        uint32_t index = 0;
        if (!n || !expect_u32(ps, "an index", UINT32_MAX, &index))
            return;
        *n = (struct script_number){.real = index, .bits = index, .integral = true};
    }
    fill(&a);
    v->pipeline->index_data = a.buffer;
}
