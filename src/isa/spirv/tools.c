/* tools.c - the loader of weft-spirv.so, and its messages as diagnostics. */
#include "isa/spirv/tools/api.h"
#include "base/module.h"
#include "isa/spirv/language.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef WEFT_SPIRV
#define WITH_SPIRV true
#else
#define WITH_SPIRV false
#endif

/* ---- the module ---- */

static struct {
    pthread_once_t once;
    const struct spirv_tools_api *api;
    char why[400];
} tools = {.once = PTHREAD_ONCE_INIT};

static void load(void)
{
    static const struct module_place place = {
        .file = "weft-spirv.so", .environment = "WEFT_SPIRV_MODULE", .installed = WEFT_MODULES "/weft-spirv.so",
        .symbol = SPIRV_TOOLS_SYMBOL};
    if (!WITH_SPIRV) {
        snprintf(tools.why, sizeof tools.why,
                 "weft was built without SPIRV-Tools and glslang: install spirv-tools, glslang-dev and spirv-headers "
                 "(these are Debian's names) and build it again");
        return;
    }
    char why[300] = "";
    spirv_tools_fn *get = (spirv_tools_fn *)module_open(&place, why, sizeof why);
    const struct spirv_tools_api *api = get ? get() : NULL;
    if (api && api->version == SPIRV_TOOLS_VERSION)
        tools.api = api;
    else
        snprintf(tools.why, sizeof tools.why, "weft-spirv.so cannot be loaded: %s",
                 get ? "it is of another version" : why);
}

static const struct spirv_tools_api *api(void)
{
    pthread_once(&tools.once, load);
    return tools.api;
}

const char *spirv_tools_name(void)
{
    return api() ? tools.api->name : NULL;
}

const char *spirv_tools_missing(void)
{
    return tools.why;
}

const char *weft_shader_compilers(void)
{
    return spirv_tools_name();
}

bool spirv_env_known(const char *env)
{
    return api() && tools.api->env_known(env);
}

/* ---- calls ---- */

static void *alloc(void *context, size_t size)
{
    return arena_alloc(context, size);
}

static struct spirv_result result_in(struct arena *a)
{
    return (struct spirv_result){.memory = {alloc, a}};
}

/* No module: a message that says so. */
static weft_status missing(struct arena *a, struct spirv_messages *messages)
{
    struct spirv_message *m = ARENA_NEW(a, struct spirv_message);
    if (!m)
        return WEFT_ERROR_MEMORY;
    *m = (struct spirv_message){.severity = WEFT_ERROR, .text = tools.why};
    *messages = (struct spirv_messages){m, 1};
    return WEFT_ERROR_UNSUPPORTED;
}

static weft_status done(weft_status status, const struct spirv_result *r, struct spirv_messages *messages)
{
    *messages = (struct spirv_messages){r->messages, r->nmessages};
    return r->no_memory ? WEFT_ERROR_MEMORY : status;
}

weft_status spirv_assemble(const char *text, size_t size, const char *env, bool keep_ids, struct arena *a,
                           struct spirv_words *out, struct spirv_messages *messages)
{
    *out = (struct spirv_words){0};
    if (!api())
        return missing(a, messages);
    struct spirv_result r = result_in(a);
    if (text && !spirv_number_languages(&text, size, a))
        return WEFT_ERROR_MEMORY;
    weft_status status = tools.api->assemble(text ? text : "", size, env, keep_ids, &r);
    *out = r.words;
    return done(status, &r, messages);
}

weft_status spirv_disassemble(struct spirv_words words, const struct spirv_text_options *options, struct arena *a,
                              const char **text, size_t *size, struct spirv_messages *messages)
{
    *text = NULL;
    *size = 0;
    if (!api())
        return missing(a, messages);
    struct spirv_result r = result_in(a);
    struct spirv_words old = words;
    if (!spirv_hide_languages(&old, a))
        return WEFT_ERROR_MEMORY;
    weft_status status = tools.api->disassemble(old, options, &r);
    *text = r.text;
    *size = r.size;
    if (status == WEFT_OK && old.word != words.word && !spirv_show_languages(words, text, size, a))
        return WEFT_ERROR_MEMORY;
    return done(status, &r, messages);
}

weft_status spirv_validate(struct spirv_words words, const struct spirv_validate_options *options, struct arena *a,
                           struct spirv_messages *messages)
{
    if (!api())
        return missing(a, messages);
    struct spirv_result r = result_in(a);
    if (!spirv_hide_languages(&words, a))
        return WEFT_ERROR_MEMORY;
    weft_status status = tools.api->validate(words, options, &r);
    return done(status, &r, messages);
}

weft_status spirv_optimize(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                           struct arena *a, struct spirv_words *out, struct spirv_messages *messages)
{
    *out = (struct spirv_words){0};
    if (!api())
        return missing(a, messages);
    struct spirv_result r = result_in(a);
    if (!spirv_hide_languages(&words, a))
        return WEFT_ERROR_MEMORY;
    weft_status status = tools.api->optimize(words, env, flags, nflags, &r);
    *out = status == WEFT_OK ? r.words : (struct spirv_words){0};
    return done(status, &r, messages);
}

weft_status spirv_compile(const struct spirv_source *source, struct arena *a, struct spirv_words *out,
                          struct spirv_messages *messages)
{
    *out = (struct spirv_words){0};
    if (!api())
        return missing(a, messages);
    struct spirv_result r = result_in(a);
    weft_status status = tools.api->compile(source, &r);
    *out = status == WEFT_OK ? r.words : (struct spirv_words){0};
    return done(status, &r, messages);
}

/* ---- diagnostics ---- */

/* The bytes of a line (from 1) and column (from 1; 0: all of the line); false: there is no such line. */
static bool span_of(const struct source *s, const struct spirv_message *m, struct span *out)
{
    const char *at = s->text, *end = s->text + s->size;
    for (uint32_t i = 1; i < m->line; i++) {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (!newline)
            return false;
        at = newline + 1;
    }
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    size_t line = (size_t)((stop ? stop : end) - at), skip = 0, length = m->length ? m->length : 1;
    if (m->column)
        skip = m->column - 1 < line ? m->column - 1 : line;
    else
        for (length = line; length && (*at == ' ' || *at == '\t'); length--)
            at++;
    *out = (struct span){(uint32_t)(at - s->text + (ptrdiff_t)skip), (uint32_t)length};
    return true;
}

void spirv_report(const struct spirv_messages *messages, const struct source *src, const struct spirv_text *includes,
                  size_t nincludes, const char *code, weft_diags *diags)
{
    if (!code)
        code = messages->count && messages->list[0].text == tools.why ? "unsupported" : "shader-compiler";
    for (size_t i = 0; i < messages->count; i++) {
        const struct spirv_message *m = &messages->list[i];
        struct source file = {0};
        const struct source *in = m->file ? NULL : src;
        for (size_t k = 0; m->file && k < nincludes; k++)
            if (strcmp(m->file, includes[k].name) == 0) {
                file = (struct source){includes[k].name, includes[k].text, includes[k].size};
                in = &file;
            }
        struct span where = {0};
        if (in && m->line && span_of(in, m, &where))
            diag_at(diags, m->severity, code, in, where, NULL, "%s", m->text);
        else if (m->line)
            diag_add(diags, m->severity, code, m->file ? m->file : src ? src->name : NULL, NULL, "line %u: %s", m->line,
                     m->text);
        else
            diag_add(diags, m->severity, code, m->file ? m->file : src ? src->name : NULL, NULL, "%s", m->text);
    }
}
