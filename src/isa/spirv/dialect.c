/* dialect.c - older and OpenGL's GLSL as what glslang makes SPIR-V of (dialect.h). */
#include "isa/spirv/dialect.h"
#include "isa/spirv/spirv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_ES = 310, OLDEST_DESKTOP = 330, VULKAN = 450 };

/* Names that SPIR-V does not have: names of the same length, which the preamble declares, in a stage. `also` needs the
 * declaration too. The fixed pipeline's inputs and uniforms are those of GLSL 1.20, chapters 7.3 to 7.6. */
enum { VERTEX = 1u << WEFT_VERTEX, FRAGMENT = 1u << WEFT_FRAGMENT };

static const struct renamed {
    const char *name, *as, *declared;
    unsigned stages;
    const char *also;
} renamed[] = {
    {"gl_FragColor", "wf_FragColor", "layout(location = 0) out vec4 wf_FragColor;\n", FRAGMENT, NULL},
    {"gl_FragData", "wf_FragData", "layout(location = 0) out vec4 wf_FragData[8];\n", FRAGMENT, NULL},
    {"gl_Vertex", "wf_Vertex", "in vec4 wf_Vertex;\n", VERTEX, "ftransform"},
    {"gl_Normal", "wf_Normal", "in vec3 wf_Normal;\n", VERTEX, NULL},
    {"gl_MultiTexCoord0", "wf_MultiTexCoord0", "in vec4 wf_MultiTexCoord0;\n", VERTEX, NULL},
    {"gl_Color", "wf_Color", "const vec4 wf_Color = vec4(1);\n", VERTEX, NULL},
    {"gl_FrontColor", "wf_FrontColor", "out vec4 wf_FrontColor;\n", VERTEX, NULL},
    {"gl_BackColor", "wf_BackColor", "out vec4 wf_BackColor;\n", VERTEX, NULL},
    {"gl_TexCoord", "wf_TexCoord", "out vec4 wf_TexCoord[8];\n", VERTEX, NULL},
    {"gl_FogFragCoord", "wf_FogFragCoord", "out float wf_FogFragCoord;\n", VERTEX, NULL},
    {"gl_Color", "wf_Color", "in vec4 wf_FrontColor;\n#define wf_Color wf_FrontColor\n", FRAGMENT, NULL},
    {"gl_TexCoord", "wf_TexCoord", "in vec4 wf_TexCoord[8];\n", FRAGMENT, NULL},
    {"gl_FogFragCoord", "wf_FogFragCoord", "in float wf_FogFragCoord;\n", FRAGMENT, NULL},
    {"gl_ModelViewProjectionMatrix", "wf_ModelViewProjectionMatrix", "uniform mat4 wf_ModelViewProjectionMatrix;\n",
     VERTEX | FRAGMENT, "ftransform"},
    {"gl_ModelViewMatrix", "wf_ModelViewMatrix", "uniform mat4 wf_ModelViewMatrix;\n", VERTEX | FRAGMENT, NULL},
    {"gl_ProjectionMatrix", "wf_ProjectionMatrix", "uniform mat4 wf_ProjectionMatrix;\n", VERTEX | FRAGMENT, NULL},
    {"gl_NormalMatrix", "wf_NormalMatrix", "uniform mat3 wf_NormalMatrix;\n", VERTEX | FRAGMENT, NULL},
    {"gl_TextureMatrix", "wf_TextureMatrix", "uniform mat4 wf_TextureMatrix[8];\n", VERTEX | FRAGMENT, NULL},
    {"ftransform", "ftransform", "#define ftransform() (wf_ModelViewProjectionMatrix * wf_Vertex)\n", VERTEX, NULL},
};

/* The extension that OpenGL has for #include, which glslang does not know, as the one that it knows. */
static const struct renamed extension = {
    "GL_ARB_shading_language_include", "GL_GOOGLE_include_directive    ", "", ~0u, NULL};

/* Functions that textures had before version 1.30, by the sampler's type: the names that they have since. */
static const struct lookup {
    const char *name, *sampler, *coordinate, *as, *more, *pass;
    bool fragment; /* has a level of detail from derivatives only */
} lookups[] = {
    {"texture1D", "sampler1D", "float", "texture", "", "", false},
    {"texture2D", "sampler2D", "vec2", "texture", "", "", false},
    {"texture2D", "sampler2D", "vec2", "texture", ", float b", ", b", true},
    {"texture2DProj", "sampler2D", "vec3", "textureProj", "", "", false},
    {"texture2DProj", "sampler2D", "vec4", "textureProj", "", "", false},
    {"texture2DLod", "sampler2D", "vec2", "textureLod", ", float b", ", b", false},
    {"texture2DLodEXT", "sampler2D", "vec2", "textureLod", ", float b", ", b", false},
    {"texture2DGradEXT", "sampler2D", "vec2", "textureGrad", ", vec2 x, vec2 y", ", x, y", false},
    {"texture2DRect", "sampler2DRect", "vec2", "texture", "", "", false},
    {"texture3D", "sampler3D", "vec3", "texture", "", "", false},
    {"texture3D", "sampler3D", "vec3", "texture", ", float b", ", b", true},
    {"texture3DLod", "sampler3D", "vec3", "textureLod", ", float b", ", b", false},
    {"textureCube", "samplerCube", "vec3", "texture", "", "", false},
    {"textureCube", "samplerCube", "vec3", "texture", ", float b", ", b", true},
    {"textureCubeLod", "samplerCube", "vec3", "textureLod", ", float b", ", b", false},
    {"textureCubeLodEXT", "samplerCube", "vec3", "textureLod", ", float b", ", b", false},
};

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

/* The number after #version, and whether `es` follows it; 0: there is none. */
static int version_of(const struct spirv_text *t, bool *es)
{
    size_t at = 0, length = 0;
    *es = false;
    if (!next_word(t, &at, &length) || !is(t, at, length, "version") || at == 0)
        return 0;
    at += length;
    if (!next_word(t, &at, &length) || length > 4)
        return 0;
    int version = atoi(t->text + at);
    const char *end = memchr(t->text + at, '\n', t->size - at);
    size_t after = at + length;
    if (next_word(t, &after, &length) && end && t->text + after < end)
        *es = is(t, after, length, "es");
    *es = *es || version == 100;
    return version;
}

static bool rename_words(struct spirv_text *t, const struct renamed *r, struct arena *arena)
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

static const char *join(struct arena *arena, const char *a, const char *b)
{
    return a && b ? arena_printf(arena, "%s%s", a, b) : NULL;
}

/* The functions for textures that the text names, and the qualifiers. */
static const char *legacy_preamble(const struct spirv_text *t, weft_stage stage, const struct spirv_includes *in)
{
    struct arena *arena = in->arena;
    const char *p = stage == WEFT_VERTEX ? "#define attribute in\n#define varying out\n" : "#define varying in\n";
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups && p; i++) {
        const struct lookup *l = &lookups[i];
        if ((!l->fragment || stage == WEFT_FRAGMENT) && any_has(t, in, l->name))
            p = join(arena, p, arena_printf(arena, "vec4 wf_%s(%s s, %s c%s) { return %s(s, c%s); }\n", l->name,
                                            l->sampler, l->coordinate, l->more, l->as, l->pass));
    }
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups && p; i++)
        if ((i == 0 || strcmp(lookups[i].name, lookups[i - 1].name) != 0) && any_has(t, in, lookups[i].name))
            p = join(arena, p, arena_printf(arena, "#define %s wf_%s\n", lookups[i].name, lookups[i].name));
    return p;
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

bool spirv_is_page(const struct source *src)
{
    struct spirv_text t = {src->name, src->text, src->size};
    return has_word(&t, "mainImage") && !has_word(&t, "main");
}

/* What it gives is declared before the text, and main is added after it. */
static bool make_page(struct spirv_dialect *d, const struct spirv_includes *in)
{
    struct arena *arena = in->arena;
    static const char declared[] = "layout(location = 0) out vec4 wf_FragColor;\n";
    static const char tail[] = "\nvoid main() { vec4 c = vec4(0, 0, 0, 1); mainImage(c, gl_FragCoord.xy); "
                               "wf_FragColor = vec4(c.rgb, 1);\n"
                               "#ifdef WEFT_KEEPS_ALPHA\n"
                               "wf_FragColor = c;\n"
                               "#endif\n}\n";
    d->preamble = join(arena, d->preamble, declared);
    for (size_t i = 0; i < sizeof givens / sizeof *givens; i++) {
        const struct given *g = &givens[i];
        if (any_has(&d->text, in, g->name) && !declares(&d->text, g->name))
            d->preamble = join(arena, d->preamble,
                               arena_printf(arena, "uniform %s %s%s;\n", g->type, g->name, g->elements));
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

/* A name of the text, and of what it includes, by the other one. */
static bool rename_all(struct spirv_dialect *d, struct spirv_includes *in, const struct renamed *r)
{
    if (!any_has(&d->text, in, r->name) && !(r->also && any_has(&d->text, in, r->also)))
        return true;
    d->preamble = join(in->arena, d->preamble, r->declared);
    bool fine = rename_words(&d->text, r, in->arena);
    for (size_t k = 0; k < in->count && fine; k++)
        fine = rename_words(&in->texts[k], r, in->arena);
    return fine;
}

bool spirv_read_dialect(const struct source *src, weft_stage stage, struct spirv_includes *includes,
                        struct spirv_dialect *out)
{
    struct spirv_dialect d = {.text = {src->name, src->text, src->size}, .preamble = ""};
    bool es, legacy;
    int version = version_of(&d.text, &es);
    d.opengl = version < (es ? OLDEST_ES : VULKAN);
    d.es = es && version != 100;
    legacy = version == 0 || version == 100 || (!es && version < VULKAN);
    if (d.es && version < OLDEST_ES)
        d.version = OLDEST_ES;
    else if (version == 0 || version == 100 || (!es && version < OLDEST_DESKTOP))
        d.version = OLDEST_DESKTOP;
    if (legacy)
        d.preamble = legacy_preamble(&d.text, stage, includes);
    for (size_t i = 0; legacy && i < sizeof renamed / sizeof *renamed; i++)
        if (renamed[i].stages >> stage & 1 && !rename_all(&d, includes, &renamed[i]))
            return false;
    if (!rename_all(&d, includes, &extension))
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
        for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
            if (strncmp(at, renamed[i].as, strlen(renamed[i].as)) == 0)
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
    struct spirv_text t = {NULL, text, strnlen(text, words * sizeof *word)};
    for (size_t at = 0, length; next_word(&t, &at, &length); at += length)
        for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
            if (is(&t, at, length, renamed[i].as))
                memcpy(text + at, renamed[i].name, length);
}

void spirv_own_words(struct spirv_words words)
{
    static const struct {
        unsigned op, first; /* the word that its text begins at */
    } texts[] = {{SpvOpName, 2}, {SpvOpMemberName, 3}, {SpvOpSource, 4}, {SpvOpSourceContinued, 1}};
    uint32_t *w = (uint32_t *)words.word;
    for (size_t at = SPIRV_HEADER_WORDS; at < words.count && w[at] >> 16; at += w[at] >> 16)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if ((w[at] & 0xffff) == texts[i].op && w[at] >> 16 > texts[i].first)
                own_text(&w[at + texts[i].first], (w[at] >> 16) - texts[i].first);
}

/* The third word of OpExecutionMode is the mode. */
void spirv_lower_left(struct spirv_words words)
{
    uint32_t *w = (uint32_t *)words.word;
    for (size_t at = SPIRV_HEADER_WORDS; at < words.count && w[at] >> 16; at += w[at] >> 16)
        if ((w[at] & 0xffff) == SpvOpExecutionMode && w[at + 2] == SpvExecutionModeOriginUpperLeft)
            w[at + 2] = SpvExecutionModeOriginLowerLeft;
}
