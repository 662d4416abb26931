/* parse_bind.c - BIND and VERTEX_DATA: what a pipeline reads and writes. */
#include "script/parse.h"

static const char *const bind_words[] = {
    [SCRIPT_BIND_COLOR] = "color",
    [SCRIPT_BIND_RESOLVE] = "resolve",
    [SCRIPT_BIND_DEPTH_STENCIL] = "depth_stencil",
    [SCRIPT_BIND_UNIFORM] = "uniform",
    [SCRIPT_BIND_STORAGE] = "storage",
    [SCRIPT_BIND_UNIFORM_DYNAMIC] = "uniform_dynamic",
    [SCRIPT_BIND_STORAGE_DYNAMIC] = "storage_dynamic",
    [SCRIPT_BIND_UNIFORM_TEXEL_BUFFER] = "uniform_texel_buffer",
    [SCRIPT_BIND_STORAGE_TEXEL_BUFFER] = "storage_texel_buffer",
    [SCRIPT_BIND_SAMPLED_IMAGE] = "sampled_image",
    [SCRIPT_BIND_COMBINED_IMAGE_SAMPLER] = "combined_image_sampler",
    [SCRIPT_BIND_STORAGE_IMAGE] = "storage_image",
    [SCRIPT_BIND_PUSH_CONSTANT] = "push_constant",
};
enum { BIND_WORDS = sizeof bind_words / sizeof bind_words[0] };

static bool is_attachment(enum script_bind as)
{
    return as <= SCRIPT_BIND_DEPTH_STENCIL || as == SCRIPT_BIND_PUSH_CONSTANT;
}

static bool is_dynamic(enum script_bind as)
{
    return as == SCRIPT_BIND_UNIFORM_DYNAMIC || as == SCRIPT_BIND_STORAGE_DYNAMIC;
}

static bool is_plain_buffer(enum script_bind as)
{
    return is_dynamic(as) || as == SCRIPT_BIND_UNIFORM || as == SCRIPT_BIND_STORAGE;
}

static bool has_levels(enum script_bind as)
{
    return as == SCRIPT_BIND_COLOR || as == SCRIPT_BIND_SAMPLED_IMAGE || as == SCRIPT_BIND_STORAGE_IMAGE ||
           as == SCRIPT_BIND_COMBINED_IMAGE_SAMPLER;
}

/* ---- names ---- */

/* One buffer, or for an array two or more, up to AS or KERNEL. */
static bool parse_buffers(struct parser *ps, struct script_binding *b, bool array)
{
    struct list_size size = {0};
    do {
        const struct script_buffer *buffer = expect_buffer(ps, "the name of a buffer");
        if (!buffer || !LIST_ADD(ps, b->buffers, &size))
            return false;
        b->buffers[b->count++] = buffer;
    } while (array && !next_is(ps, "AS") && !next_is(ps, "KERNEL") && !at_line_end(ps));
    return !array || b->count > 1 || parse_expected(ps, "a second buffer of the BUFFER_ARRAY");
}

static bool parse_samplers(struct parser *ps, struct script_binding *b, bool array)
{
    struct list_size size = {0};
    do {
        const struct script_sampler *sampler = expect_sampler(ps, "the name of a sampler");
        if (!sampler || !LIST_ADD(ps, b->samplers, &size))
            return false;
        b->samplers[b->count++] = sampler;
    } while (array && !next_is(ps, "DESCRIPTOR_SET") && !next_is(ps, "KERNEL") && !at_line_end(ps));
    return !array || b->count > 1 || parse_expected(ps, "a second sampler of the SAMPLER_ARRAY");
}

/* ---- places ---- */

static bool parse_kernel(struct parser *ps, struct script_pipeline *p, struct script_binding *b)
{
    static const char *const words[] = {"ARG_NAME", "ARG_NUMBER"};
    unsigned word = 0;
    const char *name;
    uint32_t number;
    struct span where = ps->last;
    if (!EXPECT_CHOICE(ps, "ARG_NAME or ARG_NUMBER", words, &word) ||
        (word ? !expect_u32(ps, "an argument's number", SCRIPT_MAX_BINDING, &number)
              : !expect_name(ps, "an argument's name", &name, NULL)))
        return false;
    b->as = SCRIPT_BIND_KERNEL;
    refuse(ps, where, NULL, p, "BIND to a KERNEL argument, which is for OPENCL-C");
    return true;
}

static bool parse_descriptor(struct parser *ps, struct script_binding *b)
{
    return expect(ps, "DESCRIPTOR_SET") && expect_u32(ps, "a descriptor set", SCRIPT_MAX_BINDING, &b->set) &&
           expect(ps, "BINDING") && expect_u32(ps, "a binding", SCRIPT_MAX_BINDING, &b->binding);
}

/* One number for each buffer of the binding. */
static bool parse_each(struct parser *ps, const struct script_binding *b, const char *what, const uint64_t **out)
{
    uint64_t *values = ARENA_ARRAY(ps->arena, uint64_t, b->count);
    if (!values)
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        if (!expect_integer(ps, what, SCRIPT_MAX_BYTES, &values[i]))
            return false;
    *out = values;
    return true;
}

/* A range may be -1: all of the buffer. */
static bool parse_ranges(struct parser *ps, struct script_binding *b)
{
    uint64_t *values = ARENA_ARRAY(ps->arena, uint64_t, b->count);
    if (!values)
        return false;
    for (uint32_t i = 0; i < b->count; i++) {
        values[i] = UINT64_MAX;
        if (!take_word(ps, "-1") && !expect_integer(ps, "a range in bytes", SCRIPT_MAX_BYTES, &values[i]))
            return false;
    }
    b->descriptor_ranges = values;
    return true;
}

static bool parse_binding_options(struct parser *ps, struct script_binding *b)
{
    static const char *const words[] = {"OFFSET", "DESCRIPTOR_OFFSET", "DESCRIPTOR_RANGE", "BASE_MIP_LEVEL"};
    while (!at_line_end(ps)) {
        struct span where = ps->token.where;
        unsigned word = 0;
        if (!EXPECT_CHOICE(ps, "OFFSET, DESCRIPTOR_OFFSET, DESCRIPTOR_RANGE or BASE_MIP_LEVEL", words, &word))
            return false;
        bool fits = word == 0 ? is_dynamic(b->as) : word <= 2 ? is_plain_buffer(b->as) : has_levels(b->as);
        if (!fits)
            return parse_error(ps, where, "bad-binding", NULL, "%s is not for a %s", words[word],
                               (unsigned)b->as < BIND_WORDS ? bind_words[b->as] : "sampler");
        if (word == 0   ? !parse_each(ps, b, "an offset in bytes", &b->dynamic_offsets)
            : word == 1 ? !parse_each(ps, b, "an offset in bytes", &b->descriptor_offsets)
            : word == 2 ? !parse_ranges(ps, b)
                        : !expect_u32(ps, "a mip level", SCRIPT_MAX_LEVELS - 1, &b->base_level))
            return false;
    }
    if (is_dynamic(b->as) && !b->dynamic_offsets)
        return parse_error(ps, b->where, "bad-binding", NULL, "a %s needs an OFFSET", bind_words[b->as]);
    for (uint32_t i = 0; b->buffers && i < b->count; i++)
        if (b->base_level && b->base_level >= b->buffers[i]->levels)
            return parse_error(ps, b->where, "out-of-range", NULL, "'%s' has %u mip levels, so no level %u",
                               b->buffers[i]->name, b->buffers[i]->levels, b->base_level);
    return true;
}

/* ---- what may be bound as what ---- */

static struct script_buffer *declared(struct parser *ps, const struct script_buffer *b)
{
    for (uint32_t i = 0; i < ps->script->nbuffers; i++)
        if (ps->script->buffers[i] == b)
            return ps->script->buffers[i];
    return NULL;
}

/* A buffer whose DATA_TYPE amounts to a pixel format is a picture once it is drawn to: of its WIDTH and HEIGHT, or, as
 * one with a FORMAT, of the framebuffer's size. */
static bool become_picture(struct parser *ps, const struct script_binding *bind, const struct script_buffer *named)
{
    struct script_buffer *b = declared(ps, named);
    struct script_layout pixels;
    const char *why;
    if (!b || !b->format)
        return parse_error(ps, bind->where, "bad-binding", "give it a FORMAT",
                           "the type of '%s' is not a pixel format: "
                           "it cannot be a %s",
                           named->name, bind_words[bind->as]);
    if (!script_layout(ps->arena, &b->type, SCRIPT_SCALAR, &pixels, &why) || pixels.stride != b->layout.stride)
        return parse_error(ps, bind->where, "bad-binding", "give it the layout SCALAR, or a FORMAT",
                           "'%s' has gaps between its elements: it cannot be a %s", b->name, bind_words[bind->as]);
    b->is_image = true;
    b->format_only = !b->width;
    b->depth = b->width ? 1 : 0;
    return true;
}

static bool check_kind(struct parser *ps, const struct script_pipeline *p, const struct script_binding *b)
{
    bool target = b->as <= SCRIPT_BIND_DEPTH_STENCIL;
    if (target && p->compute)
        return parse_error(ps, b->where, "not-for-compute", NULL, "%s is for graphics pipelines", bind_words[b->as]);
    if (is_attachment(b->as) && b->count > 1)
        return parse_error(ps, b->where, "bad-binding", NULL, "%s takes one buffer, not a BUFFER_ARRAY",
                           bind_words[b->as]);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct script_buffer *buffer = b->buffers[i];
        if (buffer->is_image && !buffer->format)
            return false; /* its declaration has an error */
        if (target && !buffer->is_image && !become_picture(ps, b, buffer))
            return false;
        bool depth =
            buffer->format && (script_format_has(buffer->format, 'D') || script_format_has(buffer->format, 'S'));
        if (has_levels(b->as) && !buffer->is_image)
            return parse_error(ps, b->where, "bad-binding", NULL, "'%s' has no FORMAT: it cannot be a %s", buffer->name,
                               bind_words[b->as]);
        if (target && depth != (b->as == SCRIPT_BIND_DEPTH_STENCIL))
            return parse_error(ps, b->where, "bad-binding", NULL, "'%s' has the format %s: it cannot be a %s",
                               buffer->name, buffer->format->name, bind_words[b->as]);
        if ((b->as == SCRIPT_BIND_UNIFORM_TEXEL_BUFFER || b->as == SCRIPT_BIND_STORAGE_TEXEL_BUFFER) && !buffer->format)
            return parse_error(ps, b->where, "bad-binding", NULL,
                               "the type of '%s' is not a pixel format: it cannot be a %s", buffer->name,
                               bind_words[b->as]);
    }
    return true;
}

/* Two bindings that cannot be there at once. Sampled images and samplers have numbers of their own. */
static bool collide(const struct script_binding *a, const struct script_binding *b)
{
    if (a->as == SCRIPT_BIND_KERNEL || b->as == SCRIPT_BIND_KERNEL)
        return false;
    if (is_attachment(a->as) || is_attachment(b->as))
        return a->as == b->as && a->as != SCRIPT_BIND_RESOLVE && a->location == b->location;
    return a->set == b->set && a->binding == b->binding &&
           (a->as == SCRIPT_BIND_SAMPLER) == (b->as == SCRIPT_BIND_SAMPLER);
}

/* What is bound where something else was to be. */
static bool duplicate(struct parser *ps, const struct script_pipeline *p, const struct script_binding *had,
                      const struct script_binding *b)
{
    const char *name = had->buffers ? had->buffers[0]->name : had->samplers ? had->samplers[0]->name : "";
    bool located = is_attachment(b->as);
    const char *hint =
        located ? arena_printf(ps->arena, "it is '%s'", name)
                : arena_printf(ps->arena, "DESCRIPTOR_SET %u BINDING %u is '%s': give each its own BINDING",
                               (unsigned)b->set, (unsigned)b->binding, name);
    return parse_error(ps, b->where, "duplicate-binding", *name ? hint : NULL,
                       "pipeline '%s' has something bound there already", p->name);
}

static bool add_binding(struct parser *ps, struct script_pipeline *p, const struct script_binding *b,
                        struct list_size *size, uint32_t inherited)
{
    for (uint32_t i = 0; i < p->nbindings; i++) {
        if (!collide(&p->bindings[i], b))
            continue;
        if (i >= inherited)
            return duplicate(ps, p, &p->bindings[i], b);
        p->bindings[i] = *b;
        return true;
    }
    if (!LIST_ADD(ps, p->bindings, size))
        return false;
    p->bindings[p->nbindings++] = *b;
    return true;
}

static bool parse_combined_sampler(struct parser *ps, struct script_binding *b)
{
    const struct script_sampler **samplers = ARENA_ARRAY(ps->arena, const struct script_sampler *, 1);
    if (!samplers || !expect(ps, "SAMPLER"))
        return false;
    samplers[0] = expect_sampler(ps, "the name of a sampler");
    b->samplers = samplers;
    return samplers[0] != NULL;
}

static bool parse_buffer_binding(struct parser *ps, struct script_pipeline *p, struct script_binding *b)
{
    bool typed = take_word(ps, "AS");
    unsigned as = 0;
    if (typed && !expect_choice(ps, "a buffer type", bind_words, BIND_WORDS, &as))
        return false;
    b->as = typed ? (enum script_bind)as : SCRIPT_BIND_KERNEL;
    if (typed && !check_kind(ps, p, b))
        return false;
    if (take_word(ps, "KERNEL"))
        return parse_kernel(ps, p, b);
    if (!typed) {
        static const char *const words[] = {"AS", "KERNEL"};
        return parse_expected_word(ps, "AS or KERNEL", words, 2);
    }
    if (b->as == SCRIPT_BIND_COLOR &&
        (!expect(ps, "LOCATION") || !expect_u32(ps, "a location", SCRIPT_COLORS - 1, &b->location)))
        return false;
    if (b->as == SCRIPT_BIND_COMBINED_IMAGE_SAMPLER && !parse_combined_sampler(ps, b))
        return false;
    if (take_word(ps, "KERNEL"))
        return parse_kernel(ps, p, b);
    if (!is_attachment(b->as) && !parse_descriptor(ps, b))
        return false;
    return parse_binding_options(ps, b);
}

bool parse_bind(struct parser *ps, struct script_pipeline *p, struct list_size *size, uint32_t inherited)
{
    static const char *const words[] = {"BUFFER", "BUFFER_ARRAY", "SAMPLER", "SAMPLER_ARRAY", "ACCELERATION_STRUCTURE"};
    struct script_binding b = {.where = ps->last};
    unsigned word = 0;
    struct span where = ps->token.where;
    if (!EXPECT_CHOICE(ps, "BUFFER, BUFFER_ARRAY, SAMPLER or SAMPLER_ARRAY", words, &word))
        return false;
    b.where = ps->token.where;
    if (word == 4) {
        refuse(ps, where, NULL, p, "ray tracing (BIND ACCELERATION_STRUCTURE)");
        lex_skip_line(ps);
        return true;
    }
    if (word < 2) {
        if (!parse_buffers(ps, &b, word == 1) || !parse_buffer_binding(ps, p, &b))
            return false;
    } else {
        b.as = SCRIPT_BIND_SAMPLER;
        if (!parse_samplers(ps, &b, word == 3))
            return false;
        if (take_word(ps, "KERNEL") ? !parse_kernel(ps, p, &b) : !parse_descriptor(ps, &b))
            return false;
    }
    return add_binding(ps, p, &b, size, inherited);
}

/* ---- VERTEX_DATA ---- */

static bool parse_rate(struct parser *ps, bool *per_instance)
{
    static const char *const words[] = {"vertex", "instance"};
    unsigned index = 0;
    bool ok = EXPECT_CHOICE(ps, "vertex or instance", words, &index);
    *per_instance = index == 1;
    return ok;
}

static bool parse_stride(struct parser *ps, uint64_t *stride)
{
    struct span where = ps->token.where;
    if (!expect_integer(ps, "a stride in bytes", SCRIPT_MAX_BYTES, stride))
        return false;
    return *stride || parse_error(ps, where, "out-of-range", NULL, "STRIDE is at least 1");
}

/* What one element of the format takes as a data type of a buffer. */
static uint64_t format_stride(struct parser *ps, const struct script_format *f)
{
    struct script_type t = {.kind = SCRIPT_FORMAT, .format = f};
    struct script_layout l;
    const char *why;
    return script_layout(ps->arena, &t, SCRIPT_STD430, &l, &why) ? l.stride : 0;
}

static bool parse_vertex_options(struct parser *ps, struct script_vertex_data *v)
{
    static const char *const words[] = {"RATE", "OFFSET", "STRIDE", "FORMAT"};
    bool has_stride = false;
    while (!at_line_end(ps)) {
        unsigned word = 0;
        if (!EXPECT_CHOICE(ps, "RATE, OFFSET, STRIDE or FORMAT", words, &word))
            return false;
        if (word == 0   ? !parse_rate(ps, &v->per_instance)
            : word == 1 ? !expect_integer(ps, "an offset in bytes", SCRIPT_MAX_BYTES, &v->offset)
            : word == 2 ? !parse_stride(ps, &v->stride)
                        : !expect_format(ps, &v->format))
            return false;
        has_stride |= word == 2;
        if (word == 3 && !has_stride)
            v->stride = format_stride(ps, v->format);
    }
    return true;
}

bool parse_vertex_data(struct parser *ps, struct script_pipeline *p, struct list_size *size, uint32_t inherited)
{
    struct script_vertex_data v = {.where = ps->token.where};
    v.buffer = expect_buffer(ps, "the name of a buffer");
    if (!v.buffer || !expect(ps, "LOCATION") || !expect_u32(ps, "a location", SCRIPT_MAX_BINDING, &v.location))
        return false;
    v.format = v.buffer->format;
    v.stride = v.buffer->layout.stride;
    if (!parse_vertex_options(ps, &v))
        return false;
    if (!v.format)
        return parse_error(ps, v.where, "bad-vertex-data", NULL,
                           "the type of '%s' is not a pixel format: give a FORMAT", v.buffer->name);
    for (uint32_t i = 0; i < p->nvertex_data; i++) {
        if (p->vertex_data[i].location != v.location)
            continue;
        if (i >= inherited)
            return parse_error(ps, v.where, "duplicate-binding", NULL,
                               "pipeline '%s' has vertex data at location %u already", p->name, v.location);
        p->vertex_data[i] = v;
        return true;
    }
    if (!LIST_ADD(ps, p->vertex_data, size))
        return false;
    p->vertex_data[p->nvertex_data++] = v;
    return true;
}
