/* run_words.c - shaders of a job: what they are written in, and SPIR-V of it. */
#include "script/run.h"

#include "base/mark.h"
#include "isa/isa.h"
#include "isa/spirv/dialect.h"
#include "isa/spirv/legacy.h"
#include "isa/spirv/preprocess.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- texts ---- */

/* A whole file into the arena. */
static weft_status read_shader_file(struct weft_job *j, const struct script_shader *s, struct source *out)
{
    const char *path;
    weft_status status = job_path(j, s->where, s->path, &path);
    if (status != WEFT_OK)
        return status;
    FILE *f = fopen(path, "rb");
    if (!f) {
        job_error(j, s->where, "file", "cannot read '%s': %s", path, strerror(errno));
        return WEFT_ERROR_FILE;
    }
    char *text = NULL;
    size_t size = 0, cap = 0, got;
    char piece[4096];
    while ((got = fread(piece, 1, sizeof piece, f)) > 0) {
        text = arena_grow(&j->arena, text, 1, size, &cap, size + got);
        if (!text || size + got > SCRIPT_MAX_BYTES)
            break;
        memcpy(text + size, piece, got);
        size += got;
    }
    int reason = ferror(f) ? errno : 0;
    fclose(f);
    if (reason || size + got > SCRIPT_MAX_BYTES) {
        job_error(j, s->where, "file", "cannot read '%s': %s", path, reason ? strerror(reason) : "it is too large");
        return WEFT_ERROR_FILE;
    }
    if (arena_failed(&j->arena))
        return job_no_memory(j, s->where);
    if (s->language != SCRIPT_BINARY)
        mark_blank(text, size);
    *out = (struct source){path, text ? text : "", size};
    return WEFT_OK;
}

weft_status job_source(struct weft_job *j, const struct script_shader *s, struct source *out)
{
    if (s->language == SCRIPT_PASSTHROUGH) {
        *out = (struct source){"PASSTHROUGH", job_passthrough, strlen(job_passthrough)};
        return WEFT_OK;
    }
    if (!s->text)
        return read_shader_file(j, s, out);
    *out = (struct source){arena_printf(&j->arena, "%s: shader %s", j->source.name, s->name), s->text, s->text_size};
    return out->name ? WEFT_OK : job_no_memory(j, s->where);
}

/* ---- hexadecimal ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* 32-bit words in hexadecimal, as tokens of TGSI are written; false at anything else. */
static bool read_words(const char *text, size_t size, uint8_t *bytes, size_t *count, size_t *bad)
{
    *count = 0;
    for (size_t i = 0; i < size;) {
        if (is_between(text[i])) {
            i++;
            continue;
        }
        *bad = i;
        if (i + 1 < size && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X'))
            i += 2;
        uint32_t word = 0;
        unsigned digits = 0;
        for (; i < size && !is_between(text[i]); i++, digits++) {
            int digit = digit_of(text[i]);
            if (digit < 0 || digits == 8)
                return false;
            word = word << 4 | (uint32_t)digit;
        }
        if (!digits)
            return false;
        for (unsigned b = 0; b < 4; b++)
            bytes[(*count)++] = (uint8_t)(word >> (8 * b));
    }
    return true;
}

/* Bytes in memory order, two digits each, as `weft asm -f hex` writes them; false at anything else. */
static bool read_pairs(const char *text, size_t size, uint8_t *bytes, size_t *count, size_t *bad)
{
    *count = 0;
    for (size_t i = 0; i < size;) {
        if (is_between(text[i])) {
            i++;
            continue;
        }
        int high = digit_of(text[i]), low = i + 1 < size ? digit_of(text[i + 1]) : -1;
        *bad = i;
        if (high < 0 || low < 0)
            return false;
        bytes[(*count)++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    return true;
}

/* The bytes of a program in hexadecimal: of words, or of pairs of digits. */
static weft_status read_digits(struct weft_job *j, const struct script_shader *s, const struct source *src, bool words,
                               uint8_t **out, size_t *count)
{
    uint8_t *bytes = arena_alloc(&j->arena, src->size * 4 + 4);
    size_t bad = 0;
    *out = bytes;
    if (!bytes)
        return job_no_memory(j, s->where);
    if (!(words ? read_words : read_pairs)(src->text, src->size, bytes, count, &bad)) {
        struct span where = s->text ? (struct span){s->body.offset + (uint32_t)bad, 1} : s->where;
        return job_error(j, where, "bad-token", words ? "this is not a 32-bit word in hexadecimal"
                                                      : "this is not a byte, written as two hexadecimal digits");
    }
    return WEFT_OK;
}

weft_status job_decode_hex(struct weft_job *j, const struct script_shader *s, const struct source *src,
                           const struct isa_params *params, struct isa_module **module, weft_diags *diags)
{
    uint8_t *bytes;
    size_t count;
    weft_status status = read_digits(j, s, src, s->isa == isa_find("tgsi"), &bytes, &count);
    return status == WEFT_OK ? s->isa->decode(bytes, count, src->name, params, &j->arena, module, diags) : status;
}

/* ---- includes ---- */

/* A path without "./" and "x/..", in place. */
static void normalise(char *path)
{
    char *out = path;
    for (char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        char *next = p + n + (p[n] == '/');
        bool up = n == 2 && p[0] == '.' && p[1] == '.';
        if (up && out > path) {
            for (out--; out > path && out[-1] != '/'; out--)
                ;
        } else if (n && !(n == 1 && *p == '.')) {
            memmove(out, p, (size_t)(next - p));
            out += next - p;
        }
        p = next;
    }
    *out = 0;
}

static bool find_virtual(const struct weft_job *j, const char *path, struct spirv_text *out)
{
    for (uint32_t i = 0; i < j->script->nvirtual_files; i++) {
        const struct script_virtual_file *f = &j->script->virtual_files[i];
        if (strcmp(f->path, path) != 0)
            continue;
        *out = (struct spirv_text){f->path, f->text, f->size};
        return true;
    }
    return false;
}

/* A virtual file: next to the text that includes it, or by its name as it is. */
static bool find_include(void *context, const char *name, const char *includer, bool angle, struct spirv_text *out)
{
    struct weft_job *j = context;
    const char *slash = strrchr(includer, '/');
    char *path = arena_printf(&j->arena, "%.*s%s", slash && !angle ? (int)(slash + 1 - includer) : 0, includer, name);
    if (!path)
        return false;
    normalise(path);
    return find_virtual(j, path, out) || find_virtual(j, name, out);
}

/* ---- SPIR-V ---- */

/* COMPILE_OPTIONS: -DNAME or -DNAME=VALUE as lines of the preprocessor. */
static weft_status preamble_of(struct weft_job *j, const struct script_attachment *a, const char **out)
{
    const char *lines = "";
    for (uint32_t i = 0; i < a->noptions; i++) {
        const char *option = a->options[i];
        if (option[0] != '-' || option[1] != 'D' || !option[2])
            return job_unsupported(j, a->where, "COMPILE_OPTIONS '%s' is not supported: weft knows -DNAME and "
                                   "-DNAME=VALUE", option);
        lines = spirv_define(&j->arena, lines, option + 2);
        if (!lines)
            return job_no_memory(j, a->where);
    }
    *out = lines;
    return WEFT_OK;
}

static void erase(char *text, size_t size, const char *word, bool line)
{
    size_t n = strlen(word);
    for (char *p = text; (size_t)(text + size - p) >= n; p++) {
        if (memcmp(p, word, n) != 0)
            continue;
        char *begin = p, *end = p + n;
        while (line && begin > text && begin[-1] != '\n')
            begin--;
        while (line && end < text + size && *end != '\n')
            end++;
        memset(begin, ' ', (size_t)(end - begin));
    }
}

/* Lanes of SPIR-V programs meet again as early as they can, so that an extension which asks for it, and which glslang
 * before version 14 does not know, says nothing new: its words become blanks. */
static weft_status without_reconvergence(struct weft_job *j, const struct script_attachment *a, struct spirv_text *t)
{
    static const char extension[] = "GL_EXT_maximal_reconvergence";
    if (t->size < sizeof extension || !memmem(t->text, t->size, extension, sizeof extension - 1))
        return WEFT_OK;
    char *text = arena_strndup(&j->arena, t->text, t->size);
    if (!text)
        return job_no_memory(j, a->where);
    erase(text, t->size, extension, true);
    erase(text, t->size, "[[maximally_reconverges]]", false);
    t->text = text;
    return WEFT_OK;
}

/* GLSL from before Vulkan: its names are declared, loose uniforms become a block, and what has no location or binding
 * gets one. Fragments count from the top, as in all jobs. */
static weft_status compile_older(struct weft_job *j, struct spirv_source *source, struct spirv_words *out,
                                 struct spirv_messages *messages)
{
    struct spirv_includes includes = {.arena = &j->arena};
    struct spirv_dialect dialect = {0};
    const struct source text = {source->text.name, source->text.text, source->text.size};
    if (!spirv_read_dialect(&text, source->stage, &includes, &dialect))
        return WEFT_ERROR_MEMORY;
    source->text = dialect.text;
    source->preamble = spirv_join(&j->arena, dialect.preamble, source->preamble);
    source->version = dialect.version;
    source->es = dialect.es;
    source->loose = source->map = true;
    if (!source->preamble)
        return WEFT_ERROR_MEMORY;
    weft_status status = spirv_compile(source, &j->arena, out, messages);
    spirv_own_names(messages, &j->arena);
    if (status == WEFT_OK)
        spirv_own_words(*out);
    return status;
}

static weft_status compile_source(struct weft_job *j, const struct script_attachment *a,
                                  const struct job_shader *shader, struct spirv_words *out,
                                  struct spirv_messages *messages)
{
    const struct script_shader *s = a->shader;
    struct spirv_source source = {
        .text = {s->path && !s->in_file ? s->path : shader->source.name, shader->source.text, shader->source.size},
        .language = s->language == SCRIPT_HLSL ? SPIRV_HLSL : SPIRV_GLSL,
        .stage = a->stage, .env = s->target_env, .debug = true, .include = find_include, .context = j};
    if (s->language == SCRIPT_HLSL) {
        source.entry = a->entry_point;
        source.map = true;
    }
    weft_status status = preamble_of(j, a, &source.preamble);
    if (status == WEFT_OK)
        status = without_reconvergence(j, a, &source.text);
    if (status == WEFT_OK && source.language == SPIRV_GLSL && spirv_is_older(&source.text))
        return compile_older(j, &source, out, messages);
    return status == WEFT_OK ? spirv_compile(&source, &j->arena, out, messages) : status;
}

/* The words of a module in bytes, of either byte order. */
static weft_status words_of(struct weft_job *j, const struct script_shader *s, const uint8_t *bytes, size_t count,
                            struct spirv_words *out)
{
    uint32_t *words = arena_array(&j->arena, count / 4 + 1, sizeof *words);
    if (!words)
        return job_no_memory(j, s->where);
    if (count % 4 || count < 4)
        return job_error(j, s->where, "bad-token", "a module of SPIR-V is whole words of 32 bits, not %zu bytes",
                         count);
    memcpy(words, bytes, count);
    if (words[0] == 0x03022307)
        for (size_t i = 0; i < count / 4; i++)
            words[i] = __builtin_bswap32(words[i]);
    *out = (struct spirv_words){words, count / 4};
    return WEFT_OK;
}

/* Without TARGET_ENV it is the least that the requirements name. */
const char *job_environment(const struct weft_job *j, const struct script_shader *s)
{
    for (uint32_t i = 0; i < j->script->nrequirements && !s->target_env; i++)
        if (strcmp(j->script->requirements[i].name, "VK_KHR_spirv_1_4") == 0)
            return "spv1.4";
    return s->target_env ? s->target_env : "spv1.0";
}

/* The module before it is optimised. */
static weft_status first_words(struct weft_job *j, const struct script_attachment *a, const struct job_shader *shader,
                               struct spirv_words *out, struct spirv_messages *messages)
{
    const struct script_shader *s = a->shader;
    const struct source *src = &shader->source;
    uint8_t *bytes;
    size_t count;
    weft_status status;
    switch (s->language) {
    case SCRIPT_GLSL:
    case SCRIPT_HLSL:
        return compile_source(j, a, shader, out, messages);
    case SCRIPT_TEXT:
        return spirv_assemble(src->text, src->size, job_environment(j, s), false, &j->arena, out, messages);
    case SCRIPT_HEX:
        status = read_digits(j, s, src, true, &bytes, &count);
        return status == WEFT_OK ? words_of(j, s, bytes, count, out) : status;
    default:
        return words_of(j, s, (const uint8_t *)src->text, src->size, out);
    }
}

static weft_status optimise(struct weft_job *j, const struct script_attachment *a, struct spirv_words *words,
                            struct spirv_messages *messages)
{
    const char **flags = ARENA_ARRAY(&j->arena, const char *, a->npasses + 1);
    for (uint32_t i = 0; flags && i < a->npasses; i++)
        flags[i] = a->passes[i][0] == '-' ? a->passes[i] : arena_printf(&j->arena, "--%s", a->passes[i]);
    if (arena_failed(&j->arena))
        return job_no_memory(j, a->where);
    return spirv_optimize(*words, a->shader->target_env, flags, a->npasses, &j->arena, words, messages);
}

weft_status job_words(struct weft_job *j, const struct script_attachment *a, const struct job_shader *shader,
                      struct spirv_words *out, weft_diags *diags)
{
    struct spirv_messages messages = {0};
    weft_status status = first_words(j, a, shader, out, &messages);
    struct spirv_text *files = ARENA_ARRAY(&j->arena, struct spirv_text, j->script->nvirtual_files + 1);
    for (uint32_t i = 0; files && i < j->script->nvirtual_files; i++)
        files[i] = (struct spirv_text){j->script->virtual_files[i].path, j->script->virtual_files[i].text,
                                       j->script->virtual_files[i].size};
    if (!files)
        return job_no_memory(j, a->where);
    spirv_report(&messages, &shader->source, files, j->script->nvirtual_files, NULL, diags);
    if (status != WEFT_OK || !a->npasses)
        return status;
    messages = (struct spirv_messages){0};
    status = optimise(j, a, out, &messages);
    spirv_report(&messages, NULL, NULL, 0, NULL, diags);
    return status;
}
