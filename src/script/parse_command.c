/* parse_command.c - the commands that a job runs: CLEAR, RUN, COPY, EXPECT, REPEAT. */
#include "script/parse.h"

#include <stddef.h>
#include <string.h>

/* Names of things that a command needs: an error, with the nearest name, when there is none. */
static const char *near_name(struct parser *ps, const char *near)
{
    return near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL;
}

/* Everything with a name begins with it. */
_Static_assert(offsetof(struct script_buffer, name) == 0 && offsetof(struct script_sampler, name) == 0 &&
                   offsetof(struct script_shader, name) == 0 && offsetof(struct script_pipeline, name) == 0,
               "find() reads the name there");

static const char *name_of(const void *thing)
{
    return *(const char *const *)thing;
}

static void *find(struct parser *ps, const char *what, const char *kind, void *list, uint32_t count)
{
    const struct token *t = &ps->token;
    void **things = list;
    const char *near = NULL;
    if (t->kind != TOKEN_WORD || !t->length) {
        parse_expected(ps, what);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        if (token_is(t, name_of(things[i]))) {
            lex_next(ps);
            return things[i];
        }
    for (uint32_t i = 0; i < count && !near; i++) {
        const char *name = name_of(things[i]);
        near = nearest_word(t->text, t->length, &name, 1);
    }
    parse_error(ps, t->where, "unknown-name", near_name(ps, near), "there is no %s '%.*s' before this line", kind,
                t->length > 60 ? 60 : (int)t->length, t->text);
    return NULL;
}

const struct script_buffer *expect_buffer(struct parser *ps, const char *what)
{
    return find(ps, what, "buffer or image", ps->script->buffers, ps->script->nbuffers);
}

const struct script_sampler *expect_sampler(struct parser *ps, const char *what)
{
    return find(ps, what, "sampler", ps->script->samplers, ps->script->nsamplers);
}

const struct script_shader *expect_shader(struct parser *ps, const char *what)
{
    return find(ps, what, "shader", ps->script->shaders, ps->script->nshaders);
}

static const struct script_pipeline *find_pipeline(struct parser *ps, const char *what)
{
    return find(ps, what, "pipeline", ps->script->pipelines, ps->script->npipelines);
}

bool expect_pipeline(struct parser *ps, const char *what, const struct script_pipeline **pipeline)
{
    for (size_t i = 0; i < ps->unruns.count; i++)
        if (token_is(&ps->token, ps->unrun[i])) {
            *pipeline = NULL;
            lex_next(ps);
            return true;
        }
    *pipeline = find_pipeline(ps, what);
    return *pipeline != NULL;
}

bool name_taken(struct parser *ps, const char *name, struct span where)
{
    const struct script_buffer *b = script_buffer_find(ps->script, name);
    if (b)
        parse_error(ps, where, "duplicate-name", NULL, "there is %s '%s' already",
                    b->dimension ? "an IMAGE" : "a BUFFER", name);
    return b != NULL;
}

/* ---- CLEAR ---- */

static bool parse_clear(struct parser *ps, struct script_command *c)
{
    struct span where = ps->token.where;
    if (!expect_pipeline(ps, "the name of a pipeline", &c->pipeline))
        return false;
    if (c->pipeline && c->pipeline->compute)
        return parse_error(ps, where, "not-for-compute", NULL, "CLEAR is for graphics pipelines");
    where = ps->token.where;
    switch (c->kind) {
    case SCRIPT_CLEAR_COLOR:
        for (int i = 0; i < 4; i++) {
            where = ps->token.where;
            if (!expect_real(ps, "a part of a colour, 0 to 255", &c->color[i]))
                return false;
            if (!(c->color[i] >= 0 && c->color[i] <= 255))
                return parse_error(ps, where, "out-of-range", NULL, "a part of a colour is 0 to 255");
        }
        return true;
    case SCRIPT_CLEAR_DEPTH:
        if (!expect_real(ps, "a depth", &c->clear_depth))
            return false;
        return ps->script->depth_unrestricted || (c->clear_depth >= 0 && c->clear_depth <= 1) ||
               parse_error(ps, where, "out-of-range", NULL, "a depth is 0 to 1");
    case SCRIPT_CLEAR_STENCIL:
        return expect_u32(ps, "a stencil value", 255, &c->clear_stencil);
    default:
        return true;
    }
}

/* ---- RUN ---- */

static bool parse_rect(struct parser *ps, struct script_command *c)
{
    if (!expect(ps, "POS") || !expect_u32(ps, "x in pixels", SCRIPT_MAX_DIMENSION, &c->rect.x) ||
        !expect_u32(ps, "y in pixels", SCRIPT_MAX_DIMENSION, &c->rect.y) || !expect(ps, "SIZE") ||
        !expect_u32(ps, "a width in pixels", SCRIPT_MAX_DIMENSION, &c->rect.width) ||
        !expect_u32(ps, "a height in pixels", SCRIPT_MAX_DIMENSION, &c->rect.height))
        return false;
    struct span where = ps->token.where;
    if (c->kind == SCRIPT_DRAW_RECT)
        return true;
    if (!expect(ps, "CELLS") || !expect_u32(ps, "a number of columns", SCRIPT_MAX_DIMENSION, &c->rect.columns) ||
        !expect_u32(ps, "a number of rows", SCRIPT_MAX_DIMENSION, &c->rect.rows))
        return false;
    if (!c->rect.columns || !c->rect.rows)
        return parse_error(ps, where, "out-of-range", NULL, "a grid has at least one cell");
    if ((uint64_t)c->rect.columns * c->rect.rows > 1 << 22) /* 6 corners each, in 32 bits with room */
        return parse_error(ps, where, "too-large", NULL, "a grid has at most 2^22 cells");
    return true;
}

static const char *const topologies[] = {"POINT_LIST",
                                         "LINE_LIST",
                                         "LINE_LIST_WITH_ADJACENCY",
                                         "LINE_STRIP",
                                         "LINE_STRIP_WITH_ADJACENCY",
                                         "TRIANGLE_LIST",
                                         "TRIANGLE_LIST_WITH_ADJACENCY",
                                         "TRIANGLE_STRIP",
                                         "TRIANGLE_STRIP_WITH_ADJACENCY",
                                         "TRIANGLE_FAN",
                                         "PATCH_LIST"};

static bool parse_array_option(struct parser *ps, struct script_command *c)
{
    static const char *const words[] = {"INDEXED", "START_IDX", "COUNT", "START_INSTANCE", "INSTANCE_COUNT"};
    enum { INDEXED, START_IDX, COUNT, START_INSTANCE, INSTANCE_COUNT };
    unsigned word = 0;
    if (!EXPECT_CHOICE(ps, "INDEXED, START_IDX, COUNT, START_INSTANCE or INSTANCE_COUNT", words, &word))
        return false;
    struct span where = ps->token.where;
    switch (word) {
    case INDEXED:
        c->array.indexed = true;
        return true;
    case START_IDX:
        return expect_u32(ps, "a first index", INT32_MAX, &c->array.first);
    case COUNT:
        c->array.has_count = true;
        return expect_u32(ps, "a number of vertices", INT32_MAX, &c->array.count) &&
               (c->array.count || parse_error(ps, where, "out-of-range", NULL, "COUNT is at least 1"));
    case START_INSTANCE:
        return expect_u32(ps, "a first instance", INT32_MAX, &c->array.first_instance);
    default:
        return expect_u32(ps, "a number of instances", INT32_MAX, &c->array.instances) &&
               (c->array.instances || parse_error(ps, where, "out-of-range", NULL, "INSTANCE_COUNT is at least 1"));
    }
}

/* Against the indices, or the first buffer with data by vertex. A vertex program may do without any. */
static bool check_range(struct parser *ps, const struct script_command *c)
{
    const struct script_pipeline *p = c->pipeline;
    const struct script_buffer *b = c->array.indexed ? p->index_data : NULL;
    if (c->array.indexed && !b)
        return parse_error(ps, c->where, "missing-data", NULL, "INDEXED: pipeline '%s' has no INDEX_DATA", p->name);
    for (uint32_t i = 0; !c->array.indexed && !b && i < p->nvertex_data; i++)
        if (!p->vertex_data[i].per_instance)
            b = p->vertex_data[i].buffer;
    if (!b)
        return c->array.has_count ||
               parse_error(ps, c->where, "missing-data", NULL,
                           "pipeline '%s' has no VERTEX_DATA, so DRAW_ARRAY needs a COUNT", p->name);
    uint64_t end = (uint64_t)c->array.first + c->array.count;
    if (b->elements && (end > b->elements || c->array.first >= b->elements))
        return parse_error(ps, c->where, "out-of-range", NULL, "START_IDX and COUNT go to %llu, '%s' has %llu elements",
                           (unsigned long long)end, b->name, (unsigned long long)b->elements);
    return true;
}

static bool parse_array(struct parser *ps, struct script_command *c)
{
    unsigned topology = 0;
    struct span where = ps->token.where;
    c->array.instances = 1;
    if (!expect(ps, "AS"))
        return false;
    if (take_word(ps, "TRIANGLE_fan")) /* as the language's document has it */
        topology = SCRIPT_TRIANGLE_FAN;
    else if (!EXPECT_CHOICE(ps, "a topology", topologies, &topology))
        return false;
    c->array.topology = (enum script_topology)topology;
    while (!at_line_end(ps))
        if (!parse_array_option(ps, c))
            return false;
    if (!c->pipeline)
        return true;
    bool patches = script_shader_of(c->pipeline, WEFT_TESS_EVALUATION) != NULL;
    if (patches != (c->array.topology == SCRIPT_PATCH_LIST))
        return parse_error(ps, where, "bad-topology", NULL,
                           patches ? "a pipeline with tessellation shaders draws PATCH_LIST"
                                   : "PATCH_LIST needs tessellation shaders");
    c->where.length = ps->last.offset + ps->last.length - c->where.offset;
    return check_range(ps, c);
}

static bool parse_groups(struct parser *ps, struct script_command *c)
{
    struct span where = ps->token.where;
    for (int i = 0; i < 3; i++)
        if (!expect_u32(ps, "the number of workgroups each way", SCRIPT_MAX_GROUPS, &c->groups[i]))
            return false;
    where.length = ps->last.offset + ps->last.length - where.offset;
    uint64_t plane = (uint64_t)c->groups[0] * c->groups[1], most = SCRIPT_MAX_INVOCATIONS;
    if (c->groups[2] && plane > most / c->groups[2])
        return parse_error(ps, where, "too-large", NULL, "a RUN has at most %llu workgroups, and at most %d each way",
                           (unsigned long long)most, SCRIPT_MAX_GROUPS);
    return true;
}

static bool parse_run(struct parser *ps, struct script_command *c)
{
    static const char *const words[] = {"DRAW_RECT", "DRAW_GRID", "DRAW_ARRAY"};
    c->timed = take_word(ps, "TIMED_EXECUTION");
    struct span where = ps->token.where;
    if (!expect_pipeline(ps, "the name of a pipeline", &c->pipeline))
        return false;
    if (!c->pipeline) {
        lex_skip_line(ps); /* refused as a whole */
        return true;
    }
    bool compute = next_is_number(ps);
    unsigned word = 0;
    if (!compute && !EXPECT_CHOICE(ps, "workgroups, DRAW_RECT, DRAW_GRID or DRAW_ARRAY", words, &word))
        return false;
    if (compute != c->pipeline->compute)
        return parse_error(ps, where, "wrong-pipeline", NULL, "'%s' is a %s pipeline", c->pipeline->name,
                           compute ? "graphics" : "compute");
    c->kind = compute ? SCRIPT_RUN_COMPUTE : (enum script_command_kind)(SCRIPT_DRAW_RECT + word);
    if (compute)
        return parse_groups(ps, c);
    if (c->kind == SCRIPT_DRAW_ARRAY)
        return parse_array(ps, c);
    if (c->pipeline->nvertex_data > 1)
        return parse_error(ps, where, "wrong-pipeline", NULL, "%s is not for a pipeline with more than one VERTEX_DATA",
                           words[word]);
    return parse_rect(ps, c);
}

/* ---- COPY, REPEAT ---- */

static bool parse_copy(struct parser *ps, struct script_command *c)
{
    struct span where = ps->token.where;
    c->copy.from = expect_buffer(ps, "the name of a buffer");
    if (!c->copy.from || !expect(ps, "TO"))
        return false;
    c->copy.to = expect_buffer(ps, "the name of a buffer");
    if (!c->copy.to)
        return false;
    if (c->copy.from == c->copy.to)
        return parse_error(ps, where, "bad-copy", NULL, "COPY of '%s' to itself", c->copy.from->name);
    return true;
}

static bool parse_repeat(struct parser *ps, struct script_command *c)
{
    struct list_size size = {0};
    struct span where = ps->token.where;
    bool ok = expect_u32(ps, "a number of turns", SCRIPT_MAX_REPEAT, &c->repeat.times);
    if (ok && !c->repeat.times)
        ok = parse_error(ps, where, "out-of-range", NULL, "REPEAT turns at least once");
    uint32_t around = ps->turns ? ps->turns : 1;
    if (ok && c->repeat.times > SCRIPT_MAX_REPEAT / around)
        ok = parse_error(ps, where, "out-of-range", NULL, "with those around it this REPEAT turns more than %d times",
                         SCRIPT_MAX_REPEAT);
    if (ps->depth == SCRIPT_MAX_NESTING)
        return parse_error(ps, where, "too-deep", NULL, "REPEAT nests at most %d deep", SCRIPT_MAX_NESTING);
    ok = ok && expect_line_end(ps, "REPEAT");
    lex_skip_line(ps);
    ps->depth++;
    ps->turns = ok ? around * c->repeat.times : around;
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        bool known = false;
        if (ps->token.kind == TOKEN_END) {
            ok = parse_error(ps, c->where, "missing-end", NULL, "REPEAT has no END");
            break;
        }
        bool good = parse_command(ps, &c->repeat.commands, &size, &known);
        if (!known)
            parse_expected(ps, "CLEAR, RUN, COPY, EXPECT, REPEAT or END");
        if (!known || !good) {
            ok = false;
            lex_skip_line(ps);
        }
    }
    ps->depth--;
    ps->turns = around;
    c->repeat.count = (uint32_t)size.count;
    return ok;
}

/* ---- the table ---- */

static const struct {
    const char *word;
    enum script_command_kind kind;
    bool (*parse)(struct parser *ps, struct script_command *c);
} commands[] = {
    {"CLEAR", SCRIPT_CLEAR, parse_clear},
    {"CLEAR_COLOR", SCRIPT_CLEAR_COLOR, parse_clear},
    {"CLEAR_DEPTH", SCRIPT_CLEAR_DEPTH, parse_clear},
    {"CLEAR_STENCIL", SCRIPT_CLEAR_STENCIL, parse_clear},
    {"RUN", SCRIPT_RUN_COMPUTE, parse_run},
    {"COPY", SCRIPT_COPY, parse_copy},
    {"EXPECT", SCRIPT_EXPECT_VALUES, parse_expect},
    {"REPEAT", SCRIPT_REPEAT_BLOCK, parse_repeat},
};

static bool needs_pipeline(enum script_command_kind kind)
{
    return kind <= SCRIPT_DRAW_ARRAY;
}

bool parse_command(struct parser *ps, struct script_command **list, struct list_size *size, bool *known)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (!next_is(ps, commands[i].word))
            continue;
        *known = true;
        struct script_command c = {.kind = commands[i].kind, .where = ps->token.where};
        lex_next(ps);
        if (!commands[i].parse(ps, &c) || !expect_line_end(ps, commands[i].word))
            return false;
        if (needs_pipeline(c.kind) && !c.pipeline)
            return true; /* its pipeline is refused as a whole */
        if (c.kind != SCRIPT_REPEAT_BLOCK)
            c.where.length = ps->last.offset + ps->last.length - c.where.offset;
        if (!LIST_ADD(ps, *list, size))
            return false;
        (*list)[size->count - 1] = c;
        return true;
    }
    *known = false;
    return false;
}

void check_commands(struct parser *ps, const struct script_command *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct script_command *c = &list[i];
        if (c->kind == SCRIPT_REPEAT_BLOCK)
            check_commands(ps, c->repeat.commands, c->repeat.count);
        else if (c->kind >= SCRIPT_EXPECT_VALUES)
            check_expect(ps, c);
    }
}
