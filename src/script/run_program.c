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

/* The inline shader that a diagnostic is about, or NULL. */
static const struct script_shader *shader_of(const struct weft_job *j, const weft_diag *d)
{
    for (uint32_t i = 0; i < j->script->nshaders; i++)
        if (j->shaders[i].source.name && d->file && strcmp(j->shaders[i].source.name, d->file) == 0)
            return j->script->shaders[i]->text ? j->script->shaders[i] : NULL;
    return NULL;
}

void job_relay(struct weft_job *j, const weft_diags *from)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(from, i)); i++) {
        const struct script_shader *s = shader_of(j, d);
        if (s && d->line) {
            struct source body = {j->source.name, s->text, s->text_size};
            struct span where = {s->body.offset + offset_of(&body, d->line, d->column), d->length};
            diag_at(j->diags, d->severity, d->code, &j->source, where, d->hint, "%s", d->message);
        } else if (s) {
            diag_at(j->diags, d->severity, d->code, &j->source, s->where, d->hint, "%s", d->message);
        } else {
            diag_add(j->diags, d->severity, d->code, d->file ? d->file : j->source.name, d->hint, "%s", d->message);
        }
    }
}

/* ---- reading ---- */

/* PASSTHROUGH: the position is LOCATION 0; LOCATION n goes on as GENERIC[n]. */
static const char passthrough[] = "VERT\n"
                                  "DCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL IN[4]\nDCL IN[5]\nDCL IN[6]\nDCL IN[7]\n"
                                  "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"
                                  "DCL OUT[3], GENERIC[3]\nDCL OUT[4], GENERIC[4]\nDCL OUT[5], GENERIC[5]\n"
                                  "DCL OUT[6], GENERIC[6]\nDCL OUT[7], GENERIC[7]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\n"
                                  "MOV OUT[4], IN[4]\nMOV OUT[5], IN[5]\nMOV OUT[6], IN[6]\nMOV OUT[7], IN[7]\n"
                                  "END\n";

/* Words in hexadecimal to tokens; false at what is none. */
static bool read_words(const char *text, size_t size, uint8_t *bytes, size_t *count, size_t *bad)
{
    size_t i = 0;
    *count = 0;
    while (i < size) {
        if (strchr(" \t\r\n,", text[i])) {
            i++;
            continue;
        }
        *bad = i;
        if (i + 1 < size && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X'))
            i += 2;
        uint64_t word = 0;
        unsigned digits = 0;
        for (; i < size && !strchr(" \t\r\n,", text[i]); i++, digits++) {
            static const char hex[] = "0123456789abcdef";
            const char *digit = strchr(hex, text[i] | 0x20);
            if (!text[i] || !digit || !*digit || digits == 8)
                return false;
            word = word << 4 | (uint64_t)(digit - hex);
        }
        if (!digits)
            return false;
        for (unsigned b = 0; b < 4; b++)
            bytes[(*count)++] = (uint8_t)(word >> (8 * b));
    }
    return true;
}

static weft_status read_hex(struct weft_job *j, const struct script_shader *s, const struct source *src,
                            struct isa_params *params, struct isa_module **module, const struct isa *isa,
                            weft_diags *diags)
{
    uint8_t *bytes = arena_alloc(&j->arena, src->size * 4 + 4);
    size_t count, bad = 0;
    if (!bytes)
        return job_no_memory(j, s->where);
    if (!read_words(src->text, src->size, bytes, &count, &bad)) {
        struct span where = s->text ? (struct span){s->body.offset + (uint32_t)bad, 1} : s->where;
        return job_error(j, where, "bad-token", "this is no 32-bit word in hexadecimal");
    }
    return isa->decode(bytes, count, src->name, params, &j->arena, module, diags);
}

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

static weft_status compile(struct weft_job *j, const struct script_attachment *a, struct job_shader *shader,
                           weft_diags *diags)
{
    const struct script_shader *s = a->shader;
    const struct isa *isa = isa_find("tgsi");
    struct isa_params params = {.stage = (int)a->stage};
    struct isa_module *module = NULL;
    struct source *src = &shader->source;
    weft_status status = source_of(j, s, src);
    if (status != WEFT_OK)
        return status;
    if (s->language == SCRIPT_TGSI_HEX)
        status = read_hex(j, s, src, &params, &module, isa, diags);
    else
        status = isa->parse(src, &params, &j->arena, &module, diags);
    if (status != WEFT_OK)
        return status;
    int is = isa->stage(module);
    if (is >= 0 && is != (int)a->stage)
        return job_error(j, a->where, "stage", "'%s' is attached as a %s program, and is a %s program", s->name,
                         weft_stage_name(a->stage), weft_stage_name((weft_stage)is));
    const struct source *text = s->language == SCRIPT_TGSI_HEX ? NULL : src;
    if ((status = isa->check(module, text, &params, diags)) != WEFT_OK)
        return status;
    struct ir_program *ir = NULL;
    if ((status = isa->lift(module, text, &j->arena, &ir, diags)) != WEFT_OK)
        return status;
    if (ir->lanes != BLOCK_LANES)
        return job_unsupported(j, s->where, "warps of %u lanes are not supported yet", ir->lanes);
    if (j->trace)
        job_trace_instrument(j->trace, ir);
    ir_optimise(ir);
    return stage_compile(ir, text, j->level, &j->arena, &shader->stage, diags);
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
        job_relay(j, diags);
        weft_diags_free(diags);
        if (status != WEFT_OK)
            return status;
        shader->ready = true;
    }
    *out = shader->stage;
    return WEFT_OK;
}
