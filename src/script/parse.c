/* parse.c - an AmberScript text to a job: the header, the commands that declare, and what needs the whole script. */
#include "script/parse.h"

#include "base/mark.h"

#include <string.h>

const char *const compare_words[8] = {
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"};

/* ---- requirements: parse_require.c ---- */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool parse_feature(struct parser *ps)
{
    return parse_requirement(ps, SCRIPT_DEVICE_FEATURE);
}

static bool parse_device_extension(struct parser *ps)
{
    return parse_requirement(ps, SCRIPT_DEVICE_EXTENSION);
}

static bool parse_instance_extension(struct parser *ps)
{
    return parse_requirement(ps, SCRIPT_INSTANCE_EXTENSION);
}

static bool parse_property(struct parser *ps)
{
    return parse_requirement(ps, SCRIPT_DEVICE_PROPERTY);
}

static bool parse_set(struct parser *ps)
{
    return expect(ps, "ENGINE_DATA") && expect(ps, "fence_timeout_ms") &&
           expect_u32(ps, "a time in milliseconds", UINT32_MAX, &ps->script->fence_timeout_ms);
}

/* ---- refused as a whole ---- */

static bool parse_acceleration_structure(struct parser *ps)
{
    static const char *const openers[] = {"GEOMETRY", "BOTTOM_LEVEL_INSTANCE", "TRANSFORM"};
    struct span where = ps->last;
    refuse(ps, where, NULL, NULL, "ray tracing (ACCELERATION_STRUCTURE)");
    return skip_block(ps, "ACCELERATION_STRUCTURE", where, openers, COUNT(openers));
}

static bool parse_debug(struct parser *ps)
{
    static const char *const openers[] = {"THREAD"};
    struct span where = ps->last;
    refuse(ps, where, NULL, NULL, "DEBUG");
    return skip_block(ps, "DEBUG", where, openers, COUNT(openers));
}

/* ---- the script ---- */

static bool parse_new_pipeline(struct parser *ps)
{
    return parse_pipeline(ps, false);
}

static bool parse_derived_pipeline(struct parser *ps)
{
    return parse_pipeline(ps, true);
}

static const struct {
    const char *word;
    bool (*parse)(struct parser *ps);
} declarations[] = {
    {"SHADER", parse_shader},
    {"VIRTUAL_FILE", parse_virtual_file},
    {"STRUCT", parse_struct},
    {"BUFFER", parse_buffer},
    {"IMAGE", parse_image},
    {"SAMPLER", parse_sampler},
    {"PIPELINE", parse_new_pipeline},
    {"DERIVE_PIPELINE", parse_derived_pipeline},
    {"SET", parse_set},
    {"DEVICE_FEATURE", parse_feature},
    {"DEVICE_EXTENSION", parse_device_extension},
    {"DEVICE_PROPERTY", parse_property},
    {"INSTANCE_EXTENSION", parse_instance_extension},
    {"ACCELERATION_STRUCTURE", parse_acceleration_structure},
    {"DEBUG", parse_debug},
};

/* Everything that a line at the top may begin with: the declarations above and the commands of parse_command.c. */
const char *const top_words[] = {
    "SHADER",
    "VIRTUAL_FILE",
    "STRUCT",
    "BUFFER",
    "IMAGE",
    "SAMPLER",
    "PIPELINE",
    "DERIVE_PIPELINE",
    "SET",
    "DEVICE_FEATURE",
    "DEVICE_EXTENSION",
    "DEVICE_PROPERTY",
    "ACCELERATION_STRUCTURE",
    "INSTANCE_EXTENSION",
    "DEBUG",
    "CLEAR",
    "CLEAR_COLOR",
    "CLEAR_DEPTH",
    "CLEAR_STENCIL",
    "RUN",
    "COPY",
    "EXPECT",
    "REPEAT",
};
const size_t ntop_words = COUNT(top_words);

/* Whether a carriage return alone is meant to end the first line, which then is all of the text: a comment. */
static bool ends_with_returns(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size), *stop = end ? end : text + size;
    const char *cr = memchr(text, '\r', (size_t)(stop - text));
    return cr && cr + 1 < stop;
}

/* False: there are no commands to read. */
static bool parse_header(struct parser *ps)
{
    static const char header[] = "#!amber";
    size_t n = sizeof header - 1, mark = mark_size(ps->src->text, ps->src->size), size = ps->src->size - mark;
    const char *text = ps->src->text + mark;
    if (size >= n && !memcmp(text, header, n) && (size == n || strchr(" \t\r\n", text[n])))
        return !ends_with_returns(text, size) ||
               parse_error(ps, (struct span){(uint32_t)mark, (uint32_t)n}, "no-header", NULL,
                           "the line of '#!amber' has a carriage return in it: lines end with line feeds");
    lex_skip_line_ends(ps);
    if (ps->token.length && *ps->token.text == '[') {
        parse_vkscript(ps);
        return false;
    }
    return parse_error(ps, (struct span){0, 1}, "no-header", NULL, "an AmberScript begins with the line '#!amber'");
}

/* One line, or one block, of the script. */
static bool parse_top(struct parser *ps, struct list_size *commands)
{
    for (size_t i = 0; i < COUNT(declarations); i++)
        if (next_is(ps, declarations[i].word)) {
            if (!count_part(ps))
                return false;
            lex_next(ps);
            return declarations[i].parse(ps) && expect_line_end(ps, declarations[i].word);
        }
    bool known = false;
    bool ok = parse_command(ps, &ps->script->commands, commands, &known);
    return known ? ok : parse_expected_word(ps, "a command of AmberScript", top_words, ntop_words);
}

/* After an error: the next line that begins with a command. Lines between are the rest of what was not understood. */
static void recover(struct parser *ps)
{
    lex_skip_line(ps);
    for (lex_skip_line_ends(ps); ps->token.kind != TOKEN_END; lex_skip_line_ends(ps)) {
        for (size_t i = 0; i < ntop_words; i++)
            if (next_is(ps, top_words[i]))
                return;
        lex_skip_line(ps);
    }
}

/* ---- the sizes of what is drawn to ---- */

/* Without FRAMEBUFFER_SIZE the framebuffer is as large as the smallest attachment that has a size already. */
static void size_framebuffer(struct script_pipeline *p)
{
    bool found = false;
    for (uint32_t i = 0; i < p->nbindings && !p->sized; i++) {
        const struct script_binding *bind = &p->bindings[i];
        const struct script_buffer *b = bind->buffers ? bind->buffers[0] : NULL;
        if (bind->as > SCRIPT_BIND_DEPTH_STENCIL || !b->width)
            continue;
        uint32_t width = b->width >> bind->base_level, height = b->height >> bind->base_level;
        p->width = found && p->width < width ? p->width : width ? width : 1;
        p->height = found && p->height < height ? p->height : height ? height : 1;
        found = true;
    }
}

/* SIZE or DATA said how many elements there are: with another number of pixels that has no effect. */
static void warn_of_size(struct parser *ps, const struct script_buffer *b)
{
    if (b->elements && b->elements != (uint64_t)b->width * b->height)
        diag_at(ps->diags, WEFT_WARNING, "size-mismatch", ps->src, b->where, "give it a WIDTH and a HEIGHT",
                "'%s' has %llu elements, and is drawn to: it is the framebuffer's %u x %u pixels", b->name,
                (unsigned long long)b->elements, b->width, b->height);
}

static void size_target(struct parser *ps, const struct script_pipeline *p, const struct script_binding *bind,
                        struct script_buffer *b)
{
    uint64_t width = (uint64_t)p->width << bind->base_level, height = (uint64_t)p->height << bind->base_level;
    if (width > SCRIPT_MAX_DIMENSION || height > SCRIPT_MAX_DIMENSION) {
        parse_error(ps, bind->where, "too-large", NULL, "level 0 of '%s' would be larger than %d", b->name,
                    SCRIPT_MAX_DIMENSION);
    } else if (b->format_only && !b->width) {
        b->width = (uint32_t)width;
        b->height = (uint32_t)height;
        b->depth = 1;
        if ((uint64_t)b->width * b->height * b->samples * b->layout.stride > SCRIPT_MAX_BYTES)
            parse_error(ps, b->where, "too-large", NULL, "'%s' takes more than %d MiB", b->name,
                        (int)(SCRIPT_MAX_BYTES >> 20));
        warn_of_size(ps, b);
    } else if ((b->width >> bind->base_level) < p->width || (b->height >> bind->base_level) < p->height) {
        parse_error(ps, bind->where, "size-mismatch", NULL, "'%s' is %u x %u, the framebuffer of pipeline '%s' %u x %u",
                    b->name, b->width >> bind->base_level, b->height >> bind->base_level, p->name, p->width, p->height);
    }
}

/* Buffers without a size get it from the first pipeline that draws to them; no target is smaller than a framebuffer. */
static void size_targets(struct parser *ps, struct script_pipeline *p)
{
    size_framebuffer(p);
    for (uint32_t i = 0; i < p->nbindings; i++) {
        const struct script_binding *bind = &p->bindings[i];
        for (uint32_t k = 0; bind->as <= SCRIPT_BIND_DEPTH_STENCIL && k < ps->script->nbuffers; k++)
            if (ps->script->buffers[k] == bind->buffers[0])
                size_target(ps, p, bind, ps->script->buffers[k]);
    }
}

/* A buffer without a size that something is copied to is as large as that. */
static void size_copies(struct parser *ps, const struct script_command *commands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct script_command *c = &commands[i];
        if (c->kind == SCRIPT_REPEAT_BLOCK)
            size_copies(ps, c->repeat.commands, c->repeat.count);
        for (uint32_t k = 0; c->kind == SCRIPT_COPY && k < ps->script->nbuffers; k++) {
            struct script_buffer *b = ps->script->buffers[k];
            if (b != c->copy.to || !b->format_only || b->width)
                continue;
            b->width = c->copy.from->width;
            b->height = c->copy.from->height;
            b->depth = c->copy.from->depth;
        }
    }
}

weft_status script_parse(const struct source *source, struct arena *a, struct script **out, weft_diags *diags)
{
    struct parser ps = {.src = source, .arena = a, .diags = diags, .script = ARENA_NEW(a, struct script)};
    struct list_size commands = {0};
    if (!ps.script)
        return WEFT_ERROR_MEMORY;
    if (source->size > UINT32_MAX / 2) {
        diag_add(diags, WEFT_ERROR, "too-large", source->name, NULL, "the script is larger than 2 GiB");
        return WEFT_ERROR_INPUT;
    }
    ps.script->source = source;
    lex_begin(&ps);
    bool amber = parse_header(&ps);
    if (amber)
        for (lex_skip_line_ends(&ps); ps.token.kind != TOKEN_END && !arena_failed(a); lex_skip_line_ends(&ps))
            if (!parse_top(&ps, &commands))
                recover(&ps);
    if (amber)
        ps.script->ncommands = (uint32_t)commands.count;
    for (uint32_t i = 0; i < ps.script->npipelines; i++)
        size_targets(&ps, ps.script->pipelines[i]);
    size_copies(&ps, ps.script->commands, ps.script->ncommands);
    if (!ps.errors)
        check_commands(&ps, ps.script->commands, ps.script->ncommands);
    if (arena_failed(a)) {
        diag_add(diags, WEFT_ERROR, "memory", source->name, NULL, "there is no memory for the script");
        return WEFT_ERROR_MEMORY;
    }
    *out = ps.script;
    return ps.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}

weft_status script_refuse(const struct script *s, weft_diags *diags)
{
    for (uint32_t i = 0; i < s->nrefusals; i++)
        diag_at(diags, WEFT_ERROR, "unsupported", s->source, s->refusals[i].where, NULL, "weft does not run %s yet",
                s->refusals[i].what);
    bool lacking = false;
    for (uint32_t i = 0; i < s->nrequirements; i++) {
        const struct script_requirement *r = &s->requirements[i];
        lacking |= !r->has;
        if (!r->has)
            diag_at(diags, WEFT_ERROR, "unsupported", s->source, r->where, r->hint,
                    "the script requires the %s %s, and weft does not have it", script_requirement_name(r->kind),
                    r->name);
    }
    return s->nrefusals || lacking ? WEFT_ERROR_UNSUPPORTED : WEFT_OK;
}

const struct script_buffer *script_buffer_find(const struct script *s, const char *name)
{
    for (uint32_t i = 0; i < s->nbuffers; i++)
        if (!strcmp(s->buffers[i]->name, name))
            return s->buffers[i];
    return NULL;
}

const struct script_binding *script_binding_of(const struct script_pipeline *p, enum script_bind as, uint32_t index)
{
    for (uint32_t i = 0; i < p->nbindings; i++)
        if (p->bindings[i].as == as && index-- == 0)
            return &p->bindings[i];
    return NULL;
}

const struct script_attachment *script_shader_of(const struct script_pipeline *p, weft_stage stage)
{
    for (uint32_t i = 0; i < p->nshaders; i++)
        if (p->shaders[i].stage == stage)
            return &p->shaders[i];
    return NULL;
}
