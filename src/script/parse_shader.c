/* parse_shader.c - SHADER and VIRTUAL_FILE: programs within the script.
 *
 * A TGSI program ends with an END of its own, possibly with a number before it and subroutines after it; the line END
 * that follows it is the script's. Every other text ends at the first line whose first word is END. */
#include "script/parse.h"

#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

/* The word that a line begins with, or its rest after `label:` in a program. */
static bool begins_with_word(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    if (length < n || memcmp(text, word, n))
        return false;
    return length == n || strchr(" \t\r#;/", text[n]);
}

static bool is_tgsi_end(const struct raw_line *line)
{
    const char *p = line->text, *end = p + line->length;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    if (p > line->text) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (p == end || *p++ != ':')
            return false;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
    }
    return begins_with_word(p, (size_t)(end - p), "END");
}

static bool is_command_line(const struct raw_line *line)
{
    for (size_t i = 0; i < ntop_words; i++)
        if (begins_with_word(line->text, line->length, top_words[i]))
            return true;
    return false;
}

/* From the next line to the one with the script's END, which is taken. `what` and `opened` are for errors. */
static bool take_body(struct parser *ps, bool tgsi, const char *what, struct span opened, const char **text,
                      size_t *size, struct span *body)
{
    const char *at = ps->p, *start = at;
    struct raw_line line;
    bool inside = tgsi; /* before the program's own END */
    if (ps->token.kind != TOKEN_LINE_END)
        return parse_error(ps, opened, "missing-end", NULL, "%s has no END", what);
    while (lex_raw_line(ps, &at, &line)) {
        if (inside && is_tgsi_end(&line)) {
            inside = false;
            continue;
        }
        bool ends = begins_with_word(line.text, line.length, "END");
        if (tgsi && !ends && is_command_line(&line)) {
            lex_resume(ps, line.start - 1); /* the end of the line before */
            return parse_error(
                ps, opened, "missing-end", NULL,
                inside ? "%s has no END instruction" : "%s has no END of the script after its END instruction", what);
        }
        if (!ends)
            continue;
        *text = start;
        *size = (size_t)(line.start - start);
        *body = (struct span){(uint32_t)(start - ps->src->text), (uint32_t)*size};
        lex_resume(ps, line.text);
        lex_next(ps); /* END */
        return expect_line_end(ps, "END");
    }
    lex_resume(ps, ps->end);
    return parse_error(ps, opened, "missing-end",
                       tgsi && !inside ? "a TGSI program's END is followed by the script's own END" : NULL,
                       inside ? "%s has no END instruction" : "%s has no END", what);
}

static bool looks_like_tgsi(const char *text, const char *end)
{
    static const char *const headers[] = {"VERT", "FRAG", "GEOM", "COMP", "TESS_CTRL", "TESS_EVAL"};
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n'))
        text++;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (begins_with_word(text, (size_t)((line_end ? line_end : end) - text), headers[i]))
            return true;
    }
    return false;
}

bool parse_virtual_file(struct parser *ps)
{
    struct script_virtual_file f = {.where = ps->token.where};
    if (!expect_path(ps, "the path of a virtual file", &f.path) || !expect_line_end(ps, "the path of a VIRTUAL_FILE"))
        return false;
    for (uint32_t i = 0; i < ps->script->nvirtual_files; i++)
        if (!strcmp(ps->script->virtual_files[i].path, f.path))
            parse_error(ps, f.where, "duplicate-name", NULL, "there is a virtual file '%s' already", f.path);
    bool tgsi = ps->token.kind == TOKEN_LINE_END && looks_like_tgsi(ps->p, ps->end);
    if (!take_body(ps, tgsi, "VIRTUAL_FILE", f.where, &f.text, &f.size, &f.body) ||
        !LIST_ADD(ps, ps->script->virtual_files, &ps->files))
        return false;
    ps->script->nvirtual_files = (uint32_t)ps->files.count;
    ps->script->virtual_files[ps->files.count - 1] = f;
    return true;
}

static const char *const shader_types[] = {
    "vertex",
    "tessellation_control",
    "tessellation_evaluation",
    "geometry",
    "fragment",
    "compute",
    "multi",
    "any_hit",
    "ray_generation",
    "closest_hit",
    "intersection",
    "miss",
    "callable",
};
enum { TYPE_MULTI = 6 };

/* Formats of SPIR-V and of what is compiled to it, besides those that an instruction set has anyway. */
static const struct {
    const char *name;
    enum script_language language;
} spirv_formats[] = {
    {"GLSL", SCRIPT_GLSL},
    {"HLSL", SCRIPT_HLSL},
    {"SPIRV-ASM", SCRIPT_TEXT},
    {"SPIRV-HEX", SCRIPT_HEX},
    {"SPIRV-BIN", SCRIPT_BINARY},
};

enum { SPIRV_FORMATS = sizeof spirv_formats / sizeof spirv_formats[0], MOST_FORMATS = 40, FORMAT_NAME = 24 };

/* What comes after the word of a format. */
struct format_choice {
    char name[FORMAT_NAME];
    enum script_language language;
    const struct isa *isa;
};

static void add_format(struct format_choice list[MOST_FORMATS], unsigned *n, const char *name, const char *suffix,
                       enum script_language language, const struct isa *isa)
{
    if (*n == MOST_FORMATS)
        return;
    struct format_choice *f = &list[(*n)++];
    snprintf(f->name, sizeof f->name, "%s%s", name, suffix);
    for (char *c = f->name; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    f->language = language;
    f->isa = isa;
}

/* TGSI, which has no assembler but its text, then NAME-ASM and NAME-HEX of the others, then what is
 * no instruction set. */
static unsigned list_formats(struct format_choice list[MOST_FORMATS])
{
    const struct isa *tgsi = isa_find("tgsi"), *spirv = isa_find("spirv");
    unsigned n = 0;
    for (unsigned i = 0; isa_list[i]; i++) {
        if (isa_list[i] == spirv)
            continue;
        add_format(list, &n, isa_list[i]->name, isa_list[i] == tgsi ? "" : "-ASM", SCRIPT_TEXT, isa_list[i]);
        add_format(list, &n, isa_list[i]->name, "-HEX", SCRIPT_HEX, isa_list[i]);
    }
    add_format(list, &n, "PASSTHROUGH", "", SCRIPT_PASSTHROUGH, tgsi);
    for (unsigned i = 0; i < SPIRV_FORMATS; i++)
        add_format(list, &n, spirv_formats[i].name, "", spirv_formats[i].language, spirv);
    add_format(list, &n, "OPENCL-C", "", SCRIPT_REFUSED, NULL);
    return n;
}

static bool expect_shader_format(struct parser *ps, struct script_shader *s)
{
    struct format_choice list[MOST_FORMATS];
    const char *names[MOST_FORMATS];
    unsigned chosen, n = list_formats(list);
    for (unsigned i = 0; i < n; i++)
        names[i] = list[i].name;
    s->format_where = ps->token.where;
    if (!expect_choice(ps, "a shader format", names, n, &chosen))
        return false;
    s->format = arena_strndup(ps->arena, list[chosen].name, strlen(list[chosen].name));
    s->language = list[chosen].language;
    s->isa = list[chosen].isa;
    return s->format != NULL;
}

/* A TGSI program in text ends with an END of its own. */
static bool ends_itself(const struct script_shader *s)
{
    return s->language == SCRIPT_TEXT && s->isa == isa_find("tgsi");
}

static weft_stage stage_of(unsigned type)
{
    static const weft_stage stages[] = {WEFT_VERTEX,   WEFT_TESS_CONTROL, WEFT_TESS_EVALUATION,
                                        WEFT_GEOMETRY, WEFT_FRAGMENT,     WEFT_COMPUTE};
    return type < TYPE_MULTI ? stages[type] : WEFT_STAGE_NONE;
}

bool expect_stage(struct parser *ps, const char **name, weft_stage *stage)
{
    unsigned type;
    if (!EXPECT_CHOICE(ps, "a shader type", shader_types, &type))
        return false;
    *name = shader_types[type];
    *stage = stage_of(type);
    return true;
}

static bool use_virtual_file(struct parser *ps, struct script_shader *s, struct span where)
{
    for (uint32_t i = 0; i < ps->script->nvirtual_files; i++) {
        const struct script_virtual_file *f = &ps->script->virtual_files[i];
        if (!strcmp(f->path, s->path)) {
            s->text = f->text;
            s->text_size = f->size;
            s->body = f->body;
            return true;
        }
    }
    return parse_error(ps, where, "unknown-file", NULL, "there is no virtual file '%s' before this line", s->path);
}

/* Where the program is: in the lines that follow, in a virtual file or in a file. */
static bool parse_program(struct parser *ps, struct script_shader *s)
{
    char what[80];
    snprintf(what, sizeof what, "shader '%.48s'", s->name);
    if (take_word(ps, "TARGET_ENV") && !expect_path(ps, "a target environment", &s->target_env))
        return false;
    bool is_virtual = next_is(ps, "VIRTUAL_FILE");
    s->in_file = next_is(ps, "FILE");
    if (is_virtual || s->in_file) {
        lex_next(ps);
        struct span where = ps->token.where;
        return expect_path(ps, "a path", &s->path) && expect_line_end(ps, "the path of a shader") &&
               (s->in_file || use_virtual_file(ps, s, where));
    }
    if (s->language == SCRIPT_BINARY)
        return parse_expected(ps, "FILE and the path of the module");
    if (!expect_line_end(ps, "the shader's format") ||
        !take_body(ps, ends_itself(s), what, s->where, &s->text, &s->text_size, &s->body))
        return false;
    return true;
}

/* After an error in the first line of a shader: its body would be taken for commands. */
static void skip_program(struct parser *ps)
{
    bool inline_program = true, tgsi = false;
    for (; !at_line_end(ps); lex_next(ps)) {
        if (next_is(ps, "FILE") || next_is(ps, "VIRTUAL_FILE") || next_is(ps, "PASSTHROUGH"))
            inline_program = false;
        tgsi |= next_is(ps, "TGSI");
    }
    const char *at = ps->p;
    struct raw_line line;
    bool inside = tgsi || (ps->token.kind == TOKEN_LINE_END && looks_like_tgsi(at, ps->end));
    while (inline_program && ps->token.kind == TOKEN_LINE_END && lex_raw_line(ps, &at, &line)) {
        if (is_command_line(&line)) {
            lex_resume(ps, line.start - 1); /* the end of the line before */
            return;
        }
        if (inside && is_tgsi_end(&line)) {
            inside = false;
        } else if (begins_with_word(line.text, line.length, "END")) {
            lex_resume(ps, line.text); /* which is no command, and passed over */
            return;
        }
    }
}

static bool parse_header(struct parser *ps, struct script_shader *s)
{
    unsigned type;
    struct span type_where = ps->token.where;
    if (!EXPECT_CHOICE(ps, "a shader type", shader_types, &type) ||
        !expect_name(ps, "a name for the shader", &s->name, &s->where))
        return false;
    s->type = shader_types[type];
    s->stage = stage_of(type);
    if (!expect_shader_format(ps, s))
        return false;
    bool whole = type == TYPE_MULTI && strncmp(s->format, "SPIRV-", 6) == 0;
    if (!s->isa)
        refuse(ps, s->format_where, s, NULL, "shader format %s", s->format);
    else if (type > TYPE_MULTI)
        refuse(ps, type_where, s, NULL, "ray tracing (%s shader)", s->type);
    else if (type == TYPE_MULTI && !whole)
        return parse_error(ps, type_where, "bad-shader-type", NULL, "a multi shader can only be SPIR-V");
    if (s->language == SCRIPT_PASSTHROUGH && type != 0)
        return parse_error(ps, type_where, "bad-shader-type", NULL,
                           "only a vertex shader can be PASSTHROUGH, not a %s shader", s->type);
    return true;
}

bool parse_shader(struct parser *ps)
{
    struct script_shader *s = ARENA_NEW(ps->arena, struct script_shader);
    if (!s)
        return false;
    if (!parse_header(ps, s)) {
        skip_program(ps);
        return false;
    }
    for (uint32_t i = 0; i < ps->script->nshaders; i++)
        if (!strcmp(ps->script->shaders[i]->name, s->name))
            parse_error(ps, s->where, "duplicate-name", NULL, "there is a shader '%s' already", s->name);
    bool ok = s->language == SCRIPT_PASSTHROUGH ? expect_line_end(ps, "PASSTHROUGH") : parse_program(ps, s);
    if (!LIST_ADD(ps, ps->script->shaders, &ps->shaders))
        return false;
    ps->script->nshaders = (uint32_t)ps->shaders.count;
    ps->script->shaders[ps->shaders.count - 1] = s;
    return ok;
}
