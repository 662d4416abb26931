/* text.c - text of SPIRV-Tools' assembler to a module and back, through the module that has SPIRV-Tools. */
#include "isa/spirv/dialect.h"
#include "isa/spirv/listing.h"
#include "isa/spirv/preprocess.h"
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

#include "base/mark.h"

#include <string.h>

const struct isa_language spirv_languages[] = {
    {"glsl", "glsl", -1},
    {"glsl", "vert", IR_VERTEX},
    {"glsl", "tesc", IR_TESS_CTRL},
    {"glsl", "tese", IR_TESS_EVAL},
    {"glsl", "geom", IR_GEOMETRY},
    {"glsl", "frag", IR_FRAGMENT},
    {"glsl", "comp", IR_COMPUTE},
    {"hlsl", "hlsl", -1},
    {NULL, NULL, 0},
};

static bool has(const struct source *src, const char *what)
{
    return memmem(src->text, src->size, what, strlen(what)) != NULL;
}

/* What has no place in the one language, and is in most shaders of the other. */
static void note_language(const struct source *src, enum spirv_language language, weft_diags *diags)
{
    if (language == SPIRV_GLSL && (has(src, ": SV_") || has(src, ":SV_") || has(src, "cbuffer ")))
        diag_add(diags, WEFT_NOTE, "shader-compiler", src->name, "name hlsl as the instruction set (-i)",
                 "the text looks like HLSL");
    else if (language == SPIRV_HLSL && (has(src, "#version ") || has(src, "gl_Position") || has(src, "gl_FragCoord")))
        diag_add(diags, WEFT_NOTE, "shader-compiler", src->name, "name glsl as the instruction set (-i)",
                 "the text looks like GLSL");
}

/* What the compiler refuses may be there in a newer version, and a text that says none is one of an old version. */
static void note_version(const struct source *src, const struct spirv_messages *messages, weft_diags *diags)
{
    bool asked = false;
    for (size_t i = 0; i < messages->count; i++)
        asked |= strstr(messages->list[i].text, "version") != NULL;
    if (asked && !has(src, "#version"))
        diag_add(diags, WEFT_NOTE, "shader-compiler", src->name, "write #version 450 in the first line",
                 "the text does not say its version of GLSL");
}

/* GLSL or HLSL: loose uniforms become a block, and what has no location or binding gets one. Instructions are at their
 * lines by debug information. */
static weft_status compile(const struct source *src, const struct isa_params *params, struct arena *arena,
                           struct isa_module **out, weft_diags *diags)
{
    struct spirv_source source = {.text = {src->name, src->text, src->size},
                                  .language = strcmp(params->language->name, "hlsl") == 0 ? SPIRV_HLSL : SPIRV_GLSL,
                                  .stage = (weft_stage)params->stage, .env = "vulkan1.3", .entry = params->entry,
                                  .debug = true, .loose = true, .map = true};
    struct spirv_words words = {0};
    struct spirv_messages messages = {0};
    if (params->stage < 0 && source.language == SPIRV_GLSL && spirv_is_page(src))
        source.stage = WEFT_FRAGMENT;
    else if (params->stage < 0) {
        diag_add(diags, WEFT_ERROR, "unknown-stage", src->name,
                 "give the stage (-s, weft_program_options.stage), or a file .vert, .frag, .comp, ...",
                 "the stage of a shader in %s is not known", params->language->name);
        return WEFT_ERROR_USAGE;
    }
    struct spirv_dialect dialect = {0};
    struct spirv_includes includes = {.arena = arena, .compiling = params->compiling};
    const char *why = spirv_read_common(&includes);
    if (why) {
        diag_add(diags, WEFT_ERROR, "file", src->name, NULL, "%s", why);
        return WEFT_ERROR_INPUT;
    }
    if (spirv_read_includes(&includes, &source.text)) {
        source.include = spirv_find_include;
        source.context = &includes;
    }
    if (source.language == SPIRV_GLSL) {
        if (!spirv_read_dialect(src, source.stage, &includes, &dialect))
            return WEFT_ERROR_MEMORY;
        source.entry = NULL;
        source.text = dialect.text;
        source.preamble = dialect.preamble;
        source.version = dialect.version;
        source.es = dialect.es;
    }
    source.preamble = source.preamble ? source.preamble : "";
    for (size_t i = 0; params->compiling && i < params->compiling->ndefines; i++)
        source.preamble = spirv_define(arena, source.preamble, params->compiling->define[i]);
    for (size_t i = 0; params->compiling && i < params->compiling->ncommon && source.preamble; i++)
        source.preamble = arena_printf(arena, "%s#include \"%s\"\n", source.preamble, params->compiling->common[i]);
    if (!source.preamble)
        return WEFT_ERROR_MEMORY;
    weft_status status = spirv_compile(&source, arena, &words, &messages);
    spirv_own_names(&messages, arena);
    if (status == WEFT_OK)
        spirv_own_words(words);
    if (status == WEFT_OK && dialect.opengl)
        spirv_lower_left(words);
    spirv_report(&messages, src, includes.texts, includes.count, NULL, diags);
    if (status != WEFT_OK)
        note_language(src, source.language, diags);
    if (status != WEFT_OK && source.language == SPIRV_GLSL)
        note_version(src, &messages, diags);
    if (status == WEFT_OK)
        status = spirv_read(words.word, words.count, src->name, NULL, params, arena, out, diags);
    if (status == WEFT_OK)
        (*out)->compiled = true;
    return status;
}

/* SPIR-V's own text in a file whose name says GLSL (shader.asm.frag): it begins with a comment or a capability. No
 * GLSL does. */
static bool is_assembly(const struct source *src)
{
    static const char first[] = "OpCapability";
    size_t at = 0;
    while (at < src->size && strchr(" \t\r\n", src->text[at]))
        at++;
    return at < src->size &&
           (src->text[at] == ';' ||
            (src->size - at >= sizeof first && memcmp(src->text + at, first, sizeof first - 1) == 0));
}

static weft_status parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                         struct isa_module **out, weft_diags *diags)
{
    /* `-i glsl` has no stage: who writes it means it. */
    if (params->language && (params->language->stage < 0 || !is_assembly(src)))
        return compile(src, params, arena, out, diags);
    struct spirv_words words = {0};
    struct spirv_messages messages = {0};
    weft_status status = spirv_assemble_listing(src, params->env, arena, &words, &messages);
    spirv_report(&messages, src, NULL, 0, "syntax", diags);
    return status == WEFT_OK ? spirv_read(words.word, words.count, src->name, src, params, arena, out, diags) : status;
}

weft_status spirv_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags)
{
    struct source copy = *src;
    *out = NULL;
    if (mark_size(src->text, src->size)) {
        char *text = arena_strndup(arena, src->text, src->size);
        if (!text)
            return WEFT_ERROR_MEMORY;
        mark_blank(text, src->size);
        copy.text = text;
    }
    return parse(&copy, params, arena, out, diags);
}

/* Where each instruction's line is: those of the header are comments. */
static void find_places(const struct isa_module *m, struct arena *arena, const char *text, size_t size,
                        struct isa_places *places)
{
    places->place = ARENA_ARRAY(arena, struct isa_place, (size_t)m->ninsns + 1);
    places->count = 0;
    for (size_t at = 0; places->place && at < size && places->count < m->ninsns;) {
        const struct spirv_insn *i = &m->insns[places->count];
        if (text[at] != ';' && text[at] != '\n')
            places->place[places->count++] =
                (struct isa_place){(uint64_t)i->at * 4, i->at * 4, i->count * 4u, (uint32_t)at};
        while (at < size && text[at] != '\n')
            at++;
        at++;
    }
}

weft_status spirv_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                        struct isa_places *places)
{
    struct spirv_text_options options = {.names = false, .indent = true, .header = true};
    struct spirv_words words = {m->words, m->nwords};
    struct spirv_messages messages = {0};
    const char *made = NULL;
    weft_status status = spirv_disassemble(words, &options, arena, &made, size, &messages);
    if (status != WEFT_OK)
        return status;
    *text = arena_block(arena, NULL, *size + 1);
    if (!*text)
        return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < *size; i++)
        (*text)[i] = made[i];
    (*text)[*size] = 0;
    if (places)
        find_places(m, arena, *text, *size, places);
    return WEFT_OK;
}
