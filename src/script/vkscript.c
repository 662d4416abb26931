/* vkscript.c - VkScript, the older language of jobs: text in [sections], of shaders, vertices and a [test]. It is that
 * of google/amber's docs/vk_script.md and of vkrunner. What comes out is the same as of AmberScript: pipelines, one for
 * each state that commands are given in, buffers and commands. */
#include "script/vkscript.h"

#include "base/mark.h"
#include "isa/isa.h"

#include <string.h>

/* ---- sections ---- */

enum section_kind { SECTION_REQUIRE, SECTION_SHADER, SECTION_VERTEX_DATA, SECTION_INDICES, SECTION_TEST };

struct section {
    enum section_kind kind;
    struct span name;       /* without the brackets */
    const char *text, *end; /* from the line after the name on */
    weft_stage stage;
    enum script_language language;
    const char *format;
};

static const struct {
    const char *name;
    weft_stage stage;
} stages[] = {
    {"vertex shader", WEFT_VERTEX},
    {"tessellation control shader", WEFT_TESS_CONTROL},
    {"tessellation evaluation shader", WEFT_TESS_EVALUATION},
    {"geometry shader", WEFT_GEOMETRY},
    {"fragment shader", WEFT_FRAGMENT},
    {"compute shader", WEFT_COMPUTE},
};
enum { STAGES = sizeof stages / sizeof *stages };

static bool same(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* What comes after "vertex shader". */
static bool find_format(struct section *s, const char *text, size_t length)
{
    static const struct {
        const char *suffix, *format;
        enum script_language language;
    } formats[] = {
        {"", "GLSL", SCRIPT_GLSL},
        {" spirv", "SPIRV-ASM", SCRIPT_TEXT},
        {" spirv hex", "SPIRV-HEX", SCRIPT_HEX},
        {" passthrough", "PASSTHROUGH", SCRIPT_PASSTHROUGH},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (same(text, length, formats[i].suffix)) {
            s->format = formats[i].format;
            s->language = formats[i].language;
            return s->language != SCRIPT_PASSTHROUGH || s->stage == WEFT_VERTEX;
        }
    return false;
}

static bool find_kind(struct section *s, const char *text, size_t length)
{
    static const char *const names[] = {[SECTION_REQUIRE] = "require", [SECTION_SHADER] = "",
                                        [SECTION_VERTEX_DATA] = "vertex data", [SECTION_INDICES] = "indices",
                                        [SECTION_TEST] = "test"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (i != SECTION_SHADER && same(text, length, names[i])) {
            s->kind = (enum section_kind)i;
            return true;
        }
    for (unsigned i = 0; i < STAGES; i++) {
        size_t n = strlen(stages[i].name);
        if (length < n || memcmp(text, stages[i].name, n) != 0)
            continue;
        s->kind = SECTION_SHADER;
        s->stage = stages[i].stage;
        return find_format(s, text + n, length - n);
    }
    return false;
}

/* Whether a line names a section: "[name]", which is between *text and *length then. Arrays of a shader do not begin a
 * line. */
static bool is_header(const struct raw_line *line, const char **text, size_t *length)
{
    const char *close = line->length ? memchr(line->text, ']', line->length) : NULL;
    if (!close || *line->text != '[')
        return false;
    *text = line->text + 1;
    *length = (size_t)(close - line->text) - 1;
    return true;
}

static bool add_section(struct parser *ps, struct section **list, struct list_size *size, const char *name,
                        size_t length, const char *begin)
{
    static const char *const known[] = {"require", "vertex data", "indices", "test", "comment", "vertex shader",
                                        "fragment shader", "compute shader", "geometry shader",
                                        "tessellation control shader", "tessellation evaluation shader"};
    struct section s = {.name = {(uint32_t)(name - ps->src->text), (uint32_t)length}, .text = begin, .end = begin};
    if (!find_kind(&s, name, length) || !count_part(ps)) {
        const char *near = nearest_word(name, length, known, sizeof known / sizeof *known);
        const char *hint = near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL;
        return parse_error(ps, s.name, "unknown-name", hint, "there is no section '%.*s' in VkScript",
                           length > 60 ? 60 : (int)length, name);
    }
    if (!LIST_ADD(ps, *list, size))
        return false;
    (*list)[size->count - 1] = s;
    return true;
}

/* The sections of the text. What is before the first and in [comment] says nothing. */
static struct section *find_sections(struct parser *ps, size_t *count)
{
    struct section *list = NULL;
    struct list_size size = {0};
    const char *at = ps->src->text + mark_size(ps->src->text, ps->src->size), *name;
    size_t length;
    struct raw_line line;
    bool inside = false;
    ps->end = ps->src->text + ps->src->size;
    while (lex_raw_line(ps, &at, &line)) {
        if (is_header(&line, &name, &length))
            inside = !same(name, length, "comment") && add_section(ps, &list, &size, name, length, at);
        else if (inside)
            list[size.count - 1].end = at;
    }
    *count = size.count;
    return list;
}

/* ---- [require] ---- */

static bool set_picture(struct vk *v, struct script_buffer *b, const struct script_format *format)
{
    const struct script_type type = {.kind = SCRIPT_FORMAT, .format = format};
    b->is_image = b->format_only = true;
    b->format = format;
    return vk_set_type(v, b, &type);
}

static bool parse_depth_stencil(struct vk *v, struct span where)
{
    const struct script_format *format;
    if (!expect_format(v->ps, &format))
        return false;
    if (v->depth)
        return parse_error(v->ps, where, "duplicate-name", NULL, "there is a depthstencil already");
    v->depth = vk_add_buffer(v, "depthstencil", where);
    return v->depth && set_picture(v, v->depth, format);
}

static bool parse_size(struct vk *v)
{
    struct span where = v->ps->token.where;
    struct script_pipeline *p = v->pipeline;
    return expect_u32(v->ps, "a width", SCRIPT_MAX_DIMENSION, &p->width) &&
           expect_u32(v->ps, "a height", SCRIPT_MAX_DIMENSION, &p->height) &&
           ((p->width && p->height) ||
            parse_error(v->ps, where, "out-of-range", NULL, "a framebuffer has at least one pixel"));
}

static bool parse_required(struct vk *v)
{
    struct parser *ps = v->ps;
    struct script_requirement r = {.kind = SCRIPT_DEVICE_FEATURE, .where = ps->token.where};
    const struct script_format *format;
    if (take_word(ps, "framebuffer"))
        return expect_format(ps, &format) && set_picture(v, v->color, format);
    if (take_word(ps, "depthstencil"))
        return parse_depth_stencil(v, r.where);
    if (take_word(ps, "fbsize"))
        return parse_size(v);
    if (take_word(ps, "fence_timeout"))
        return expect_u32(ps, "a time in milliseconds", UINT32_MAX, &ps->script->fence_timeout_ms);
    if (next_is(ps, "GLSL"))
        return parse_error(ps, r.where, "unsupported", "a shader alone is for weft draw",
                           "this is a test of OpenGL, as Piglit and shader-db have them: weft reads those of VkRunner");
    r.name = known_feature(ps->token.text, ps->token.length, &r.has);
    if (!r.name)
        return add_extension(ps, SCRIPT_DEVICE_EXTENSION);
    lex_next(ps);
    return add_requirement(ps, &r);
}

static void parse_require(struct vk *v)
{
    for (lex_skip_line_ends(v->ps); v->ps->token.kind != TOKEN_END; lex_skip_line_ends(v->ps))
        if (!count_part(v->ps) || !parse_required(v) || !expect_line_end(v->ps, "a requirement"))
            lex_skip_line(v->ps);
}

/* ---- shaders ---- */

static bool attach(struct vk *v, struct script_shader *s)
{
    struct parser *ps = v->ps;
    struct script_pipeline *p = v->pipeline;
    if (!LIST_ADD(ps, ps->script->shaders, &ps->shaders))
        return false;
    ps->script->shaders[ps->script->nshaders++] = s;
    if (script_shader_of(p, s->stage))
        return parse_error(ps, s->where, "duplicate-shader", NULL, "there is a %s already", s->name);
    if (!LIST_ADD(ps, p->shaders, &v->shaders))
        return false;
    p->shaders[p->nshaders++] =
        (struct script_attachment){.shader = s, .where = s->where, .entry_point = "main", .stage = s->stage};
    return true;
}

static void add_shader(struct vk *v, const struct section *section)
{
    struct parser *ps = v->ps;
    bool passes = section->language == SCRIPT_PASSTHROUGH;
    struct script_shader *s = ARENA_NEW(ps->arena, struct script_shader);
    if (!s)
        return;
    *s = (struct script_shader){.where = section->name, .stage = section->stage, .language = section->language,
                                .format = section->format, .format_where = section->name,
                                .isa = isa_find(passes ? "tgsi" : "spirv")};
    s->name = s->type = stages[section->stage].name;
    if (!passes) {
        s->text = section->text;
        s->text_size = (size_t)(section->end - section->text);
        s->body = (struct span){(uint32_t)(section->text - ps->src->text), (uint32_t)s->text_size};
    }
    if (!s->isa)
        refuse(ps, s->where, s, NULL, "shader format %s", s->format);
    attach(v, s);
}

/* Vertex shaders may be alone: a fragment shader that does nothing then. */
static void add_nothing(struct vk *v)
{
    static const char text[] = "FRAG\nEND\n";
    struct script_shader *s = ARENA_NEW(v->ps->arena, struct script_shader);
    if (!s)
        return;
    *s = (struct script_shader){.name = "fragment shader", .type = "fragment", .where = v->pipeline->where,
                                .stage = WEFT_FRAGMENT, .language = SCRIPT_TEXT, .format = "TGSI",
                                .isa = isa_find("tgsi"), .text = text, .text_size = sizeof text - 1};
    attach(v, s);
}

/* ---- buffers and pipelines ---- */

struct script_buffer *vk_add_buffer(struct vk *v, const char *name, struct span where)
{
    struct parser *ps = v->ps;
    struct script_buffer *b = ARENA_NEW(ps->arena, struct script_buffer);
    if (!b || !LIST_ADD(ps, ps->script->buffers, &ps->buffers))
        return NULL;
    *b = (struct script_buffer){.name = name, .where = where, .levels = 1, .samples = 1, .fill_where = where};
    ps->script->buffers[ps->script->nbuffers++] = b;
    return b;
}

bool vk_set_type(struct vk *v, struct script_buffer *b, const struct script_type *type)
{
    const char *why = "";
    b->type = *type;
    return script_layout(v->ps->arena, type, b->rule, &b->layout, &why) ||
           parse_error(v->ps, b->where, "bad-layout", NULL, "%s", why);
}

static bool add_pipeline(struct vk *v)
{
    struct parser *ps = v->ps;
    uint32_t n = ps->script->npipelines;
    v->pipeline->name = n ? arena_printf(ps->arena, "test, state %u", n + 1) : "test";
    if (!LIST_ADD(ps, ps->script->pipelines, &ps->pipelines))
        return false;
    ps->script->pipelines[ps->script->npipelines++] = v->pipeline;
    v->used = false;
    return true;
}

bool vk_change(struct vk *v)
{
    if (!v->used)
        return true;
    struct script_pipeline *p = ARENA_NEW(v->ps->arena, struct script_pipeline);
    struct script_attachment *shaders = ARENA_ARRAY(v->ps->arena, struct script_attachment, v->pipeline->nshaders + 1);
    if (!p || !shaders)
        return false;
    *p = *v->pipeline;
    if (p->nshaders)
        memcpy(shaders, p->shaders, p->nshaders * sizeof *shaders);
    p->shaders = shaders;
    v->pipeline = p;
    return add_pipeline(v);
}

/* ---- the end: what only the whole text tells ---- */

/* NULL: no memory. */
static struct script_binding *bind(struct vk *v, struct script_pipeline *p, enum script_bind as,
                                   struct script_buffer *b)
{
    const struct script_buffer **one = ARENA_ARRAY(v->ps->arena, const struct script_buffer *, 1);
    struct script_binding *made = &p->bindings[p->nbindings];
    if (!one)
        return NULL;
    one[0] = b;
    *made = (struct script_binding){.as = as, .where = b->where, .count = 1, .buffers = one};
    p->nbindings++;
    return made;
}

/* All pipelines bind everything. */
static void bind_all(struct vk *v)
{
    struct script *s = v->ps->script;
    size_t n = v->nbuffers.count;
    for (uint32_t i = 0; i < s->npipelines; i++) {
        struct script_pipeline *p = s->pipelines[i];
        p->bindings = ARENA_ARRAY(v->ps->arena, struct script_binding, n + 2);
        bool ok = p->bindings && (p->compute || bind(v, p, SCRIPT_BIND_COLOR, v->color)) &&
                  (p->compute || !v->depth || bind(v, p, SCRIPT_BIND_DEPTH_STENCIL, v->depth));
        for (size_t k = 0; k < n && ok; k++) {
            struct script_binding *made = bind(v, p, v->buffers[k].as, v->buffers[k].buffer);
            ok = made != NULL;
            if (made) {
                made->set = v->buffers[k].set;
                made->binding = v->buffers[k].binding;
            }
        }
    }
}

static void check_whole(struct vk *v)
{
    struct parser *ps = v->ps;
    struct script_pipeline *p = v->pipeline;
    if (p->compute && p->nshaders > 1)
        parse_error(ps, p->where, "bad-shader-type", NULL, "a compute shader is alone in a script");
    else if (!p->compute && v->ps->script->ncommands && !script_shader_of(p, WEFT_VERTEX))
        for (size_t i = 0; i < v->commands.count; i++) {
            const struct script_command *c = &ps->script->commands[i];
            if (c->kind != SCRIPT_DRAW_RECT && c->kind != SCRIPT_DRAW_ARRAY)
                continue;
            parse_error(ps, c->where, "missing-shader",
                        "write the section [vertex shader passthrough], or one of your own",
                        "there is no vertex shader to draw with");
            return;
        }
}

/* Go on within one section. */
static void enter(struct parser *ps, const struct section *s)
{
    ps->end = s->end;
    lex_resume(ps, s->text);
}

static void parse_sections(struct vk *v, const struct section *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == SECTION_SHADER)
            add_shader(v, &list[i]);
    v->pipeline->compute = script_shader_of(v->pipeline, WEFT_COMPUTE) != NULL;
    if (!v->pipeline->compute && !script_shader_of(v->pipeline, WEFT_FRAGMENT))
        add_nothing(v);
    for (unsigned kind = 0; kind <= SECTION_TEST; kind++)
        for (size_t i = 0; i < count; i++) {
            if (list[i].kind != kind || kind == SECTION_SHADER)
                continue;
            enter(v->ps, &list[i]);
            if (kind == SECTION_REQUIRE)
                parse_require(v);
            else if (kind == SECTION_VERTEX_DATA)
                vk_parse_vertex_data(v);
            else if (kind == SECTION_INDICES)
                vk_parse_indices(v);
            else
                vk_parse_test(v);
        }
}

void parse_vkscript(struct parser *ps)
{
    static const char color[] = "B8G8R8A8_UNORM";
    struct vk v = {.ps = ps, .pipeline = ARENA_NEW(ps->arena, struct script_pipeline), .clear_depth = 1};
    size_t count;
    struct span where = ps->token.where;
    ps->vkscript = true;
    const struct section *sections = find_sections(ps, &count);
    if (!v.pipeline)
        return;
    pipeline_defaults(v.pipeline);
    v.pipeline->where = where;
    v.pipeline->sized = true;
    v.color = vk_add_buffer(&v, "framebuffer", where);
    if (!v.color || !set_picture(&v, v.color, script_format_find(ps->arena, color, sizeof color - 1)) ||
        !add_pipeline(&v))
        return;
    parse_sections(&v, sections, count);
    bind_all(&v);
    ps->script->ncommands = (uint32_t)v.commands.count;
    check_whole(&v);
    ps->end = ps->src->text + ps->src->size;
    lex_resume(ps, ps->end);
}
