/* dialect.c - older and OpenGL's GLSL as what glslang makes SPIR-V of (dialect.h). Builds without the grammar have it
 * too: numbers are those of SPIR-V's specification. */
#include "isa/spirv/dialect.h"
#include "isa/spirv/legacy.h"

#include "base/bytes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_ES = 310, OLDEST_DESKTOP = 330, VULKAN = 450, VULKAN_OLDEST = 140 };
enum { ORIGIN_UPPER_LEFT = 7, ORIGIN_LOWER_LEFT = 8 };

/* The extension that OpenGL has for #include, which glslang does not know, as the one that it knows. */
static const struct spirv_renamed extension = {
    "GL_ARB_shading_language_include", "GL_GOOGLE_include_directive    ", "", ~0u, NULL};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word at `at` or after it, outside of comments; false: there are no more. */
static bool next_word(const struct spirv_text *t, size_t *at, size_t *length)
{
    const char *s = t->text;
    for (size_t i = *at; i < t->size; i++) {
        if (s[i] == '/' && i + 1 < t->size && s[i + 1] == '/') {
            while (i < t->size && s[i] != '\n')
                i++;
        } else if (s[i] == '/' && i + 1 < t->size && s[i + 1] == '*') {
            for (i += 2; i + 1 < t->size && (s[i] != '*' || s[i + 1] != '/'); i++)
                ;
            i++;
        } else if (is_word(s[i])) {
            for (*at = i; i < t->size && is_word(s[i]); i++)
                ;
            *length = i - *at;
            return true;
        }
    }
    return false;
}

static bool is(const struct spirv_text *t, size_t at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(t->text + at, word, length) == 0;
}

static bool has_word(const struct spirv_text *t, const char *word)
{
    for (size_t at = 0, length; next_word(t, &at, &length); at += length)
        if (is(t, at, length, word))
            return true;
    return false;
}

/* The same in the text or in what it includes. */
static bool any_has(const struct spirv_text *t, const struct spirv_includes *in, const char *word)
{
    bool found = has_word(t, word);
    for (size_t i = 0; i < in->count && !found; i++)
        found = has_word(&in->texts[i], word);
    return found;
}

/* The number after #version, and the profile that follows it; 0: none. */
static int version_of(const struct spirv_text *t, bool *es, size_t *compatibility)
{
    size_t at = 0, length = 0;
    *es = false;
    *compatibility = 0;
    if (!next_word(t, &at, &length) || !is(t, at, length, "version") || at == 0)
        return 0;
    at += length;
    if (!next_word(t, &at, &length) || length > 4)
        return 0;
    int version = atoi(t->text + at);
    const char *end = memchr(t->text + at, '\n', t->size - at);
    size_t after = at + length;
    if (next_word(t, &after, &length) && end && t->text + after < end) {
        *es = is(t, after, length, "es");
        *compatibility = is(t, after, length, "compatibility") ? after : 0;
    }
    *es = *es || version == 100;
    return version;
}

/* The profile that SPIR-V does not have is left out. */
static bool leave_out(struct spirv_text *t, size_t profile, struct arena *arena)
{
    char *text = arena_strndup(arena, t->text, t->size);
    if (text)
        memset(text + profile, ' ', sizeof "compatibility" - 1);
    t->text = text ? text : t->text;
    return text != NULL;
}

static bool rename_words(struct spirv_text *t, const struct spirv_renamed *r, struct arena *arena)
{
    char *text = arena_strndup(arena, t->text, t->size);
    if (!text)
        return false;
    for (size_t at = 0, length; next_word(t, &at, &length); at += length)
        if (is(t, at, length, r->name))
            for (size_t i = 0; i < length; i++)
                text[at + i] = r->as[i];
    t->text = text;
    return true;
}

const char *spirv_join(struct arena *arena, const char *a, const char *b)
{
    return a && b ? arena_printf(arena, "%s%s", a, b) : NULL;
}

/* ---- pages: a mainImage without main ---- */

/* What a page gives its shader. */
static const struct given {
    const char *type, *name, *elements;
} givens[] = {
    {"vec3", "iResolution", ""},      {"float", "iTime", ""},
    {"float", "iTimeDelta", ""},      {"float", "iFrameRate", ""},
    {"int", "iFrame", ""},            {"vec4", "iMouse", ""},
    {"vec4", "iDate", ""},            {"float", "iSampleRate", ""},
    {"float", "iChannelTime", "[4]"}, {"vec3", "iChannelResolution", "[4]"},
    {"sampler2D", "iChannel0", ""},   {"sampler2D", "iChannel1", ""},
    {"sampler2D", "iChannel2", ""},   {"sampler2D", "iChannel3", ""},
};

/* Whether the text says "uniform TYPE NAME" itself. */
static bool declares(const struct spirv_text *t, const char *name)
{
    unsigned since = 3; /* words since "uniform" */
    for (size_t at = 0, length; next_word(t, &at, &length); at += length) {
        since = is(t, at, length, "uniform") ? 0 : since + 1;
        if (since <= 3 && since >= 2 && is(t, at, length, name))
            return true;
    }
    return false;
}

bool spirv_is_older(const struct spirv_text *text)
{
    bool es;
    size_t compatibility;
    int version = version_of(text, &es, &compatibility);
    return compatibility || version < (es ? OLDEST_ES : VULKAN_OLDEST);
}

/* Whether a function of that name is there; other things may have the name too. */
static bool has_function(const struct spirv_text *t, const char *name)
{
    for (size_t at = 0, length; next_word(t, &at, &length); at += length) {
        size_t next = at + length;
        while (next < t->size && isspace((unsigned char)t->text[next]))
            next++;
        if (next < t->size && t->text[next] == '(' && is(t, at, length, name))
            return true;
    }
    return false;
}

bool spirv_is_page(const struct source *src)
{
    struct spirv_text t = {src->name, src->text, src->size};
    return has_word(&t, "mainImage") && !has_function(&t, "main");
}

/* Its type, which for a channel a macro may say: WEFT_iChannel0=samplerCube. */
static const char *type_of(const struct given *g, const struct spirv_includes *in)
{
    size_t length = strlen(g->name);
    static const char prefix[] = "WEFT_";
    for (size_t i = 0; in->compiling && i < in->compiling->ndefines; i++) {
        const char *d = in->compiling->define[i];
        if (strncmp(d, prefix, sizeof prefix - 1) == 0 && strncmp(d + sizeof prefix - 1, g->name, length) == 0 &&
            d[sizeof prefix - 1 + length] == '=')
            return d + sizeof prefix + length;
    }
    return g->type;
}

/* What it gives is declared before the text, and main is added after it. */
static bool make_page(struct spirv_dialect *d, const struct spirv_includes *in)
{
    struct arena *arena = in->arena;
    static const char declared[] = "layout(location = 0) out vec4 wf_FragColor;\n";
    static const char tail[] = /* no name that a page's macros may have */
        "\nvoid main() { vec4 wf_page = vec4(0, 0, 0, 1); mainImage(wf_page, gl_FragCoord.xy); "
        "wf_FragColor = vec4(wf_page.rgb, 1);\n"
        "#ifdef WEFT_KEEPS_ALPHA\n"
        "wf_FragColor = wf_page;\n"
        "#endif\n}\n";
    d->preamble = spirv_join(arena, d->preamble, declared);
    if (any_has(&d->text, in, "HW_PERFORMANCE")) /* a page's word for a machine that is not a telephone */
        d->preamble = spirv_join(arena, d->preamble, "#define HW_PERFORMANCE 1\n");
    for (size_t i = 0; i < sizeof givens / sizeof *givens; i++) {
        const struct given *g = &givens[i];
        if (any_has(&d->text, in, g->name) && !declares(&d->text, g->name))
            d->preamble = spirv_join(arena, d->preamble,
                               arena_printf(arena, "uniform %s %s%s;\n", type_of(g, in), g->name, g->elements));
    }
    char *text = arena_alloc(arena, d->text.size + sizeof tail);
    if (!text || !d->preamble)
        return false;
    memcpy(text, d->text.text, d->text.size);
    memcpy(text + d->text.size, tail, sizeof tail);
    d->text.text = text;
    d->text.size += sizeof tail - 1;
    d->opengl = true;
    return true;
}

/* The words of older GLSL in a text, each once. */
static void legacy_words(struct spirv_legacy_words *w, const struct spirv_text *t)
{
    for (size_t at = 0, length; next_word(t, &at, &length); at += length)
        spirv_legacy_word(w, t->text + at, length);
}

/* A name of the text, and of what it includes, by the other one. */
static bool rename_all(struct spirv_dialect *d, struct spirv_includes *in, const struct spirv_renamed *r)
{
    d->preamble = spirv_join(in->arena, d->preamble, r->declared);
    bool fine = rename_words(&d->text, r, in->arena);
    for (size_t k = 0; k < in->count && fine; k++)
        fine = rename_words(&in->texts[k], r, in->arena);
    return fine;
}

/* The names that glslang does not know: all of older GLSL, or those that every version has. */
static bool read_legacy(struct spirv_dialect *d, bool legacy, weft_stage stage, struct spirv_includes *in)
{
    struct spirv_legacy_words words = {0};
    legacy_words(&words, &d->text);
    for (size_t i = 0; i < in->count; i++)
        legacy_words(&words, &in->texts[i]);
    if (legacy)
        d->preamble = spirv_legacy_lookups(&words, stage, in->arena);
    for (const struct spirv_renamed *r = spirv_legacy_names; r->name; r++)
        if ((legacy ? r->stages >> stage & 1 : r->stages == SPIRV_LEGACY_ALL) &&
            (spirv_legacy_has(&words, r->name) || (r->also && spirv_legacy_has(&words, r->also))) &&
            !rename_all(d, in, r))
            return false;
    return true;
}

bool spirv_read_dialect(const struct source *src, weft_stage stage, struct spirv_includes *includes,
                        struct spirv_dialect *out)
{
    struct spirv_dialect d = {.text = {src->name, src->text, src->size}, .preamble = ""};
    bool es, legacy;
    size_t compatibility;
    int version = version_of(&d.text, &es, &compatibility);
    d.opengl = version < (es ? OLDEST_ES : VULKAN);
    d.es = es && version != 100;
    legacy = version == 0 || version == 100 || compatibility || (!es && version < VULKAN);
    if (compatibility && !leave_out(&d.text, compatibility, includes->arena))
        return false;
    if (d.es && version < OLDEST_ES)
        d.version = OLDEST_ES;
    else if (version == 0 || version == 100 || (!es && version < OLDEST_DESKTOP))
        d.version = OLDEST_DESKTOP;
    if (!read_legacy(&d, legacy, stage, includes))
        return false;
    if (any_has(&d.text, includes, extension.name) && !rename_all(&d, includes, &extension))
        return false;
    if (stage == WEFT_FRAGMENT && spirv_is_page(src) && !make_page(&d, includes))
        return false;
    *out = d;
    return d.preamble != NULL;
}

/* Names of the preamble begin with wf_ where the source has gl_ or nothing. */
static const char *own_names(const char *said, struct arena *arena)
{
    char *text = arena_strndup(arena, said, strlen(said));
    char *header = text ? strstr(text, " for header name: ") : NULL; /* the caret is at it, or the text has it */
    if (header)
        *header = 0;
    for (char *at = text; at && (at = strstr(at, "wf_")); at++)
        for (const struct spirv_renamed *r = spirv_legacy_names; r->name; r++)
            if (strncmp(at, r->as, strlen(r->as)) == 0)
                memcpy(at, "gl_", 3);
    for (char *at = text; at && (at = strstr(at, "wf_")); at++)
        memmove(at, at + 3, strlen(at + 3) + 1);
    return text;
}

void spirv_own_names(struct spirv_messages *messages, struct arena *arena)
{
    struct spirv_message *list = ARENA_ARRAY(arena, struct spirv_message, messages->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < messages->count && list; i++) {
        const char *text = own_names(messages->list[i].text, arena);
        static const char again[] = "'#include': files include one another";
        bool repeated = count && text && strncmp(text, again, sizeof again - 1) == 0 &&
                        strcmp(text, list[count - 1].text) == 0;
        if (repeated || strstr(messages->list[i].text, "(version, profile) forced to be"))
            continue;
        list[count] = messages->list[i];
        list[count].text = text ? text : list[count].text;
        count++;
    }
    if (list)
        *messages = (struct spirv_messages){list, count};
}

/* The source's names in a text of so many words at most. */
static void own_text(uint32_t *word, size_t words)
{
    char *text = (char *)word;
    bytes_turn_words(word, words); /* the first character is in the lowest bits */
    struct spirv_text t = {NULL, text, strnlen(text, words * sizeof *word)};
    for (size_t at = 0, length; next_word(&t, &at, &length); at += length)
        for (const struct spirv_renamed *r = spirv_legacy_names; r->name; r++)
            if (is(&t, at, length, r->as))
                memcpy(text + at, r->name, length);
    bytes_turn_words(word, words);
}

void spirv_own_words(struct spirv_words words)
{
    static const struct {
        unsigned op, first; /* the word that its text begins at */
    } texts[] = {{SPIRV_OP_NAME, 2}, {SPIRV_OP_MEMBER_NAME, 3}, {SPIRV_OP_SOURCE, 4}, {SPIRV_OP_SOURCE_CONTINUED, 1}};
    uint32_t *w = (uint32_t *)words.word;
    for (size_t at = 0; spirv_next(words, &at);)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (spirv_op_of(w[at]) == texts[i].op && spirv_count_of(w[at]) > texts[i].first)
                own_text(&w[at + texts[i].first], spirv_count_of(w[at]) - texts[i].first);
}

/* The third word of OpExecutionMode is the mode. */
void spirv_lower_left(struct spirv_words words)
{
    uint32_t *w = (uint32_t *)words.word;
    for (size_t at = 0; spirv_next(words, &at);)
        if (spirv_op_of(w[at]) == SPIRV_OP_EXECUTION_MODE && w[at + 2] == ORIGIN_UPPER_LEFT)
            w[at + 2] = ORIGIN_LOWER_LEFT;
}
