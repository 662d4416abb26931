/* dump.c - buffers and images of a job as files. */
#include "script/run.h"

#include "device/image.h"
#include "device/pool.h"
#include "base/decimal.h"
#include "base/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_status no_memory(weft_diags *diags)
{
    diag_add(diags, WEFT_ERROR, "memory", NULL, NULL, "out of memory");
    return WEFT_ERROR_MEMORY;
}

/* ---- raw ---- */

static weft_status dump_raw(const struct job_memory *m, uint8_t **bytes, size_t *size)
{
    *size = job_memory_shown(m);
    *bytes = malloc(*size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    memcpy(*bytes, m->data, *size);
    return WEFT_OK;
}

/* ---- PNG ---- */

static weft_status dump_png(const struct job_memory *m, uint32_t threads, uint8_t **bytes, size_t *size,
                            weft_diags *diags)
{
    uint32_t rows = m->height * m->depth;
    if (!m->format || !m->width || !rows || rows > IMAGE_MAX_SIZE || m->width > IMAGE_MAX_SIZE) {
        diag_add(diags, WEFT_ERROR, "usage", NULL, NULL, "'%s' has no pixels to make a PNG of", m->buffer->name);
        return WEFT_ERROR_USAGE;
    }
    uint8_t *rgba = malloc((size_t)m->width * rows * 4);
    if (!rgba)
        return no_memory(diags);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < m->width; x++)
            format_show(m->format, job_memory_pixel(m, x, y), rgba + ((size_t)y * m->width + x) * 4);
    weft_status status =
        image_encode_png(m->width, rows, rgba, (ptrdiff_t)m->width * 4, pool_threads_for(threads), bytes, size, diags);
    free(rgba);
    return status;
}

/* ---- CSV ---- */

static void write_number(FILE *out, enum script_scalar s, const uint8_t *at)
{
    struct script_number n = script_load(s, at);
    char text[DECIMAL_MAX];
    if (script_scalar_is_float(s))
        fputs(decimal_general(n.real, s == SCRIPT_DOUBLE ? 17 : 9, text), out);
    else if (s == SCRIPT_INT8 || s == SCRIPT_INT16 || s == SCRIPT_INT32 || s == SCRIPT_INT64)
        fprintf(out, "%lld", (long long)(int64_t)n.bits);
    else
        fprintf(out, "%llu", (unsigned long long)n.bits);
}

static void write_pixel(FILE *out, const struct format *f, const uint8_t *pixel)
{
    uint32_t words[4];
    format_decode_words(f, pixel, words);
    const char *comma = "";
    char text[DECIMAL_MAX];
    for (unsigned c = 0; c < 4; c++) {
        if (f->channel[c].kind == FORMAT_VOID)
            continue;
        float value;
        memcpy(&value, &words[c], sizeof value);
        if (format_class(f) == FORMAT_CLASS_UINT)
            fprintf(out, "%s%u", comma, words[c]);
        else if (format_class(f) == FORMAT_CLASS_SINT)
            fprintf(out, "%s%d", comma, (int)words[c]);
        else
            fprintf(out, "%s%s", comma, decimal_general((double)value, 9, text));
        comma = ",";
    }
}

static weft_status dump_csv(const struct job_memory *m, uint8_t **bytes, size_t *size)
{
    char *text = NULL;
    FILE *out = text_stream(&text, size);
    if (!out)
        return WEFT_ERROR_MEMORY;
    const struct script_layout *l = &m->buffer->layout;
    if (m->is_texture) {
        for (uint64_t y = 0; y < (uint64_t)m->height * m->depth; y++)
            for (uint64_t x = 0; x < m->width; x++) {
                write_pixel(out, m->format, job_memory_pixel(m, x, y));
                fputc(x + 1 < m->width ? ',' : '\n', out);
            }
    } else {
        for (uint64_t e = 0; l->stride && e < m->size / l->stride; e++)
            for (uint32_t i = 0; i < l->nleaves; i++) {
                write_number(out, l->leaves[i].scalar, m->data + e * l->stride + l->leaves[i].offset);
                fputc(i + 1 < l->nleaves ? ',' : '\n', out);
            }
    }
    if (!text_stream_close(out)) {
        free(text);
        return WEFT_ERROR_MEMORY;
    }
    *bytes = (uint8_t *)text;
    return WEFT_OK;
}

static weft_status nothing_to_dump(const weft_job *job, const char *name, bool known, weft_diags *diags)
{
    const struct script *s = job->script;
    const char *near = NULL;
    char hint[160];
    for (uint32_t i = 0; !known && !near && i < s->nbuffers; i++)
        near = nearest_word(name, strlen(name), (const char *const *)&s->buffers[i]->name, 1);
    snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
    diag_add(diags, WEFT_ERROR, "no-buffer", job->source.name, near ? hint : NULL,
             known ? "'%s' has no contents: the job has not run" : "there is no buffer '%s'", name);
    return WEFT_ERROR_USAGE;
}

weft_status weft_job_dump(const weft_job *job, const char *buffer, weft_dump_format format, uint8_t **bytes,
                          size_t *size, weft_diags *diags)
{
    *bytes = NULL;
    *size = 0;
    const struct script_buffer *b = script_buffer_find(job->script, buffer);
    const struct job_memory *m = b && job->memories ? job_memory_of(job, b) : NULL;
    if (!m || !m->data) {
        return nothing_to_dump(job, buffer, b != NULL, diags);
    }
    weft_status status = WEFT_ERROR_USAGE;
    switch (format) {
    case WEFT_DUMP_RAW:
        status = dump_raw(m, bytes, size);
        break;
    case WEFT_DUMP_PNG:
        return dump_png(m, job->params.threads, bytes, size, diags);
    case WEFT_DUMP_CSV:
        status = dump_csv(m, bytes, size);
        break;
    }
    return status == WEFT_ERROR_MEMORY ? no_memory(diags) : status;
}
