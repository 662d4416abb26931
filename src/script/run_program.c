/* run_program.c - shaders of a job: text or tokens to compiled stages. */
#include "script/run.h"

#include "ir/pass.h"
#include "isa/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

/* Offset of a line and column (from 1) of a text. */
static uint32_t offset_of(const struct source *src, uint32_t line, uint32_t column)
{
    const char *at = src->text, *end = src->text + src->size;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    size_t left = (size_t)(end - at), skip = column ? column - 1 : 0;
    return (uint32_t)(at - src->text) + (uint32_t)(skip < left ? skip : left);
}

/* The number of the shader that a diagnostic is about; as many as there are: none. */
static uint32_t shader_of(const struct weft_job *j, const weft_diag *d)
{
    uint32_t i = 0;
    while (i < j->script->nshaders &&
           !(j->shaders[i].source.name && d->file && strcmp(j->shaders[i].source.name, d->file) == 0))
        i++;
    return i;
}

/* Pass on one about a shader: in the script's own lines where the shader is among them. */
static void relay_shader(struct weft_job *j, uint32_t shader, const weft_diag *d)
{
    const struct script_shader *s = j->script->shaders[shader];
    const struct source *text = &j->shaders[shader].source;
    struct source body = {j->source.name, s->text, s->text_size};
    struct span where = s->where;
    if (d->line)
        where = (struct span){offset_of(s->text ? &body : text, d->line, d->column), d->length};
    if (d->line && s->text)
        where.offset += s->body.offset;
    if (d->line || s->text)
        diag_at(j->diags, d->severity, d->code, s->text ? &j->source : text, where, d->hint, "%s", d->message);
    else
        diag_add(j->diags, d->severity, d->code, d->file, d->hint, "%s", d->message);
}

void job_relay(struct weft_job *j, const weft_diags *from, struct span where)
{
    const weft_diag *d;
    diag_count_more(j->diags, from);
    for (size_t i = 0; (d = weft_diags_get(from, i)); i++) {
        uint32_t shader = shader_of(j, d);
        if (shader < j->script->nshaders)
            relay_shader(j, shader, d);
        else if (d->file && *d->file)
            diag_add(j->diags, d->severity, d->code, d->file, d->hint, "%s", d->message);
        else
            diag_at(j->diags, d->severity, d->code, &j->source, where, d->hint, "%s", d->message);
        if (d->has_address)
            diag_set_address(j->diags, d->address);
    }
}

/* ---- reading ---- */

/* PASSTHROUGH: the position is LOCATION 0; LOCATION n goes on as GENERIC[n]. */
static const char passthrough[] = "VERT\n"
                                  "DCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL IN[4]\n"
                                  "DCL IN[5]\nDCL IN[6]\nDCL IN[7]\n"
                                  "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"
                                  "DCL OUT[3], GENERIC[3]\nDCL OUT[4], GENERIC[4]\nDCL OUT[5], GENERIC[5]\n"
                                  "DCL OUT[6], GENERIC[6]\nDCL OUT[7], GENERIC[7]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\n"
                                  "MOV OUT[4], IN[4]\nMOV OUT[5], IN[5]\nMOV OUT[6], IN[6]\nMOV OUT[7], IN[7]\n"
                                  "END\n";

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

/* 32-bit words in hexadecimal, as tokens of TGSI are written; false at what is none. */
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

/* Bytes in memory order, two digits each, as `weft asm -f hex` writes them; false at what is none. */
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

static weft_status read_hex(struct weft_job *j, const struct script_shader *s, const struct source *src,
                            const struct isa_params *params, struct isa_module **module, weft_diags *diags)
{
    uint8_t *bytes = arena_alloc(&j->arena, src->size * 4 + 4);
    size_t count, bad = 0;
    if (!bytes)
        return job_no_memory(j, s->where);
    bool words = s->isa == isa_find("tgsi");
    if (!(words ? read_words : read_pairs)(src->text, src->size, bytes, &count, &bad)) {
        struct span where = s->text ? (struct span){s->body.offset + (uint32_t)bad, 1} : s->where;
        return job_error(j, where, "bad-token", words ? "this is no 32-bit word in hexadecimal"
                                                      : "these are no two hexadecimal digits of a byte");
    }
    return s->isa->decode(bytes, count, src->name, params, &j->arena, module, diags);
}

/* ---- linkage ---- */

/* A line of a shader that begins with `.link` belongs to its linkage (docs/manual/NAME.md). */
static bool is_link_line(const char *line, const char *end, size_t *skip)
{
    static const char word[] = ".link";
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    *skip = (size_t)(p - line) + sizeof word - 1;
    return (size_t)(end - p) >= sizeof word && memcmp(p, word, sizeof word - 1) == 0 && (p[5] == ' ' || p[5] == '\t');
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Part the `.link` lines from the rest: both texts keep every character in its place, so that spans of either are spans
 * of the shader. *linkage stays as it is when there are none. */
static weft_status part_linkage(struct weft_job *j, const struct script_shader *s, struct source *program,
                                struct isa_linkage *linkage, bool *found)
{
    char *links = NULL, *rest = NULL;
    *found = false;
    for (size_t at = 0; at < program->size;) {
        const char *line = program->text + at, *end = program->text + program->size;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t skip, next = newline ? (size_t)(newline - program->text) + 1 : program->size;
        if (is_link_line(line, newline ? newline : end, &skip)) {
            if (!*found) {
                links = arena_strndup(&j->arena, program->text, program->size);
                rest = arena_strndup(&j->arena, program->text, program->size);
                if (!links || !rest)
                    return job_no_memory(j, s->where);
                blank(links, links + at);
                *found = true;
            }
            blank(links + at, links + at + skip);
            blank(rest + at, rest + next);
        } else if (*found) {
            blank(links + at, links + next);
        }
        at = next;
    }
    if (*found) {
        linkage->source = (struct source){program->name, links, program->size};
        program->text = rest;
    }
    return WEFT_OK;
}

/* ---- files ---- */

/* A whole file into the arena. */
static weft_status read_shader_file(struct weft_job *j, const struct script_shader *s, struct source *out)
{
    const char *path = job_path(j, s->path);
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (!f) {
        job_error(j, s->where, "file", "cannot read '%s'", path ? path : s->path);
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
    bool fine = !ferror(f) && got == 0;
    fclose(f);
    if (!fine)
        return job_no_memory(j, s->where);
    *out = (struct source){path, text ? text : "", size};
    return WEFT_OK;
}

static weft_status source_of(struct weft_job *j, const struct script_shader *s, struct source *out)
{
    if (s->language == SCRIPT_PASSTHROUGH) {
        *out = (struct source){"PASSTHROUGH", passthrough, sizeof passthrough - 1};
        return WEFT_OK;
    }
    if (!s->text)
        return read_shader_file(j, s, out);
    *out = (struct source){arena_printf(&j->arena, "%s: shader %s", j->source.name, s->name), s->text, s->text_size};
    return out->name ? WEFT_OK : job_no_memory(j, s->where);
}

/* ---- compiling ---- */

/* The chip that TARGET_ENV names, of an instruction set that has chips. */
static weft_status find_chip(struct weft_job *j, const struct script_shader *s, const char **chip)
{
    *chip = NULL;
    if (!s->target_env || !s->isa->chips)
        return WEFT_OK;
    size_t n = 0;
    for (; s->isa->chips[n]; n++)
        if (strcmp(s->isa->chips[n], s->target_env) == 0) {
            *chip = s->isa->chips[n];
            return WEFT_OK;
        }
    const char *near = nearest_word(s->target_env, strlen(s->target_env), s->isa->chips, n);
    return job_error(j, s->where, "unknown-chip", "%s has no chip '%s'%s%s%s", s->isa->name, s->target_env,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static weft_status read_module(struct weft_job *j, const struct script_shader *s, struct job_shader *shader,
                               struct isa_params *params, struct isa_module **module, weft_diags *diags)
{
    struct isa_linkage *linkage = ARENA_NEW(&j->arena, struct isa_linkage);
    bool linked = false;
    if (!linkage)
        return job_no_memory(j, s->where);
    weft_status status = source_of(j, s, &shader->source);
    if (status == WEFT_OK)
        status = find_chip(j, s, &params->chip);
    if (status == WEFT_OK && s->isa->takes_linkage)
        status = part_linkage(j, s, &shader->source, linkage, &linked);
    if (status != WEFT_OK)
        return status;
    if (linked)
        params->linkage = linkage;
    if (s->language == SCRIPT_HEX)
        return read_hex(j, s, &shader->source, params, module, diags);
    return s->isa->parse(&shader->source, params, &j->arena, module, diags);
}

static weft_status compile(struct weft_job *j, const struct script_attachment *a, struct job_shader *shader,
                           weft_diags *diags)
{
    const struct script_shader *s = a->shader;
    const struct isa *isa = s->isa;
    struct isa_params params = {.stage = (int)a->stage, .strict = j->params.strict, .running = true};
    struct isa_module *module = NULL;
    weft_status status = read_module(j, s, shader, &params, &module, diags);
    if (status != WEFT_OK)
        return status;
    int is = isa->stage(module);
    if (is >= 0 && is != (int)a->stage)
        return job_error(j, a->where, "wrong-stage", "'%s' is attached as a %s program, and is a %s program", s->name,
                         weft_stage_name(a->stage), weft_stage_name((weft_stage)is));
    const struct source *text = s->language == SCRIPT_HEX ? NULL : &shader->source;
    if ((status = isa_check(isa, module, shader->source.name, text, &params, diags)) != WEFT_OK)
        return status;
    struct ir_program *ir = NULL;
    if ((status = isa_lift(isa, module, shader->source.name, text, &j->arena, &ir, diags)) != WEFT_OK)
        return status;
    if (j->trace)
        job_trace_instrument(j->trace, ir, s);
    ir_optimise(ir);
    const struct exec_options options = {.level = j->level, .engine = stage_engine(j->params.engine)};
    return stage_compile(ir, text, &options, &j->arena, &shader->stage, diags);
}

/* SUBGROUP: the size of subgroups is that of the program's warps, so that VARYING_SIZE has nothing to vary. */
static weft_status check_subgroups(struct weft_job *j, const struct script_attachment *a, const struct ir_program *ir)
{
    bool any = !a->required_size || a->required_size == SCRIPT_SUBGROUP_MIN || a->required_size == SCRIPT_SUBGROUP_MAX;
    if (!any && a->required_size != ir->lanes)
        return job_unsupported(j, a->where,
                               "SUBGROUP REQUIRED_SIZE %u is not supported: subgroups of '%s' have %u invocations",
                               a->required_size, a->shader->name, ir->lanes);
    uint32_t width = ir->io.block[0] ? ir->io.block[0] : 1;
    if (a->fully_populated && width % ir->lanes)
        return job_error(j, a->where, "subgroup",
                         "SUBGROUP FULLY_POPULATED: workgroups of '%s' are %u wide, which is not a multiple of %u, the "
                         "size of its subgroups", a->shader->name, width, ir->lanes);
    return WEFT_OK;
}

weft_status job_stage(struct weft_job *j, const struct script_attachment *a, struct stage *out)
{
    uint32_t i = 0;
    while (i < j->script->nshaders && j->script->shaders[i] != a->shader)
        i++;
    struct job_shader *shader = &j->shaders[i];
    if (!shader->ready) {
        weft_diags *diags = weft_diags_new();
        if (!diags)
            return job_no_memory(j, a->where);
        weft_status status = compile(j, a, shader, diags);
        job_relay(j, diags, a->where);
        weft_diags_free(diags);
        if (status != WEFT_OK)
            return status;
        shader->ready = true;
    }
    *out = shader->stage;
    return check_subgroups(j, a, out->ir);
}
