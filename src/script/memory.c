/* memory.c - buffers and images of a job as memory. */
#include "script/run.h"

#include "base/below.h"
#include "base/pages.h"

#include "device/image.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

const char *job_folder(struct weft_job *j)
{
    const char *slash = strrchr(j->source.name, '/');
    if (j->params.files_from)
        return j->params.files_from;
    return slash ? arena_strndup(&j->arena, j->source.name, (size_t)(slash - j->source.name) + 1) : ".";
}

weft_status job_path(struct weft_job *j, struct span where, const char *path, const char **out)
{
    const char *slash = strrchr(j->source.name, '/'), *folder = job_folder(j);
    *out = path;
    if (slash && path[0] != '/')
        *out = arena_printf(&j->arena, "%.*s/%s", (int)(slash - j->source.name), j->source.name, path);
    if (!*out || !folder)
        return job_no_memory(j, where);
    if (path_is_below(folder, *out))
        return WEFT_OK;
    if (errno == ENOMEM)
        return job_no_memory(j, where);
    diag_at(j->diags, WEFT_ERROR, "outside-folder", &j->source, where, "--files-from DIR names another folder",
            "'%s' is not below '%s', where the files of this script come from", path, folder);
    return WEFT_ERROR_FILE;
}

/* A file's bytes, terminated by a zero that does not count; free() them. */
static weft_status read_file(struct weft_job *j, const struct script_buffer *b, char **bytes, size_t *size)
{
    const char *path;
    weft_status status = job_path(j, b->fill_where, b->path, &path);
    if (status != WEFT_OK)
        return status;
    FILE *f = fopen(path, "rb");
    if (!f) {
        job_error(j, b->fill_where, "file", "cannot read '%s': %s", path, strerror(errno));
        return WEFT_ERROR_FILE;
    }
    size_t room = 65536, n = 0;
    char *data = malloc(room + 1);
    while (data) {
        size_t got = fread(data + n, 1, room - n, f);
        n += got;
        if (got == 0 || n > SCRIPT_MAX_BYTES)
            break;
        if (n == room) {
            char *larger = realloc(data, (room *= 2) + 1);
            if (!larger)
                free(data);
            data = larger;
        }
    }
    bool broken = ferror(f) != 0;
    int reason = errno;
    fclose(f);
    if (!data)
        return job_no_memory(j, b->fill_where);
    if (broken || n > SCRIPT_MAX_BYTES) {
        free(data);
        if (broken)
            job_error(j, b->fill_where, "file", "cannot read '%s': %s", path, strerror(reason));
        else
            job_error(j, b->fill_where, "file", "'%s' is larger than a buffer may be", path);
        return WEFT_ERROR_FILE;
    }
    data[n] = 0;
    *bytes = data;
    *size = n;
    return WEFT_OK;
}

/* ---- making ---- */

static weft_status allocate(struct weft_job *j, struct job_memory *m, uint64_t size)
{
    const struct script_buffer *b = m->buffer;
    if (size > SCRIPT_MAX_BYTES)
        return job_error(j, b->where, "too-large", "'%s' would take %llu bytes; the limit is %llu", b->name,
                         (unsigned long long)size, (unsigned long long)SCRIPT_MAX_BYTES);
    if (size > WEFT_JOB_MAX_BYTES - j->bytes)
        return job_error(j, b->where, "too-large", "with '%s' the job's buffers take more than %llu bytes", b->name,
                         (unsigned long long)WEFT_JOB_MAX_BYTES);
    if (j->params.memory && size > j->params.memory - (j->bytes < j->params.memory ? j->bytes : j->params.memory)) {
        job_error(j, b->where, "memory-limit", "with '%s' the job's buffers take more than the %llu bytes it may",
                  b->name, (unsigned long long)j->params.memory);
        return WEFT_ERROR_MEMORY;
    }
    m->data = calloc(1, size ? (size_t)size : 1);
    if (!m->data)
        return job_no_memory(j, b->where);
    ask_for_large_pages(m->data, (size_t)size);
    m->size = (size_t)size;
    j->bytes += size;
    return WEFT_OK;
}

static struct texture_desc image_desc(const struct job_memory *m)
{
    static const uint8_t dims[] = {[SCRIPT_DIM_NONE] = IR_TEX_2D,
                                   [SCRIPT_DIM_1D] = IR_TEX_1D,
                                   [SCRIPT_DIM_2D] = IR_TEX_2D,
                                   [SCRIPT_DIM_3D] = IR_TEX_3D};
    const struct script_buffer *b = m->buffer;
    return (struct texture_desc){.format = m->format,
                                 .dim = dims[b->dimension],
                                 .width = m->width,
                                 .height = m->height,
                                 .array = b->layers > 0,
                                 .depth = m->depth,
                                 .layers = b->layers,
                                 .levels = b->levels,
                                 .samples = b->samples};
}

static weft_status make_image(struct weft_job *j, struct job_memory *m)
{
    const struct script_buffer *b = m->buffer;
    if (!m->format)
        return job_unsupported(j, b->where, "pixel format %s is not supported yet", b->format ? b->format->name : "");
    if (!m->width) /* nobody draws to it, and nothing says its size */
        return allocate(j, m, 0);
    struct texture_desc desc = image_desc(m);
    size_t bytes = texture_bytes(&desc);
    if (!bytes)
        return job_error(j, b->where, "too-large",
                         "there cannot be an image of %u x %u x %u pixels with %u levels and %u samples", m->width,
                         m->height, m->depth, desc.levels, desc.samples);
    weft_status status = allocate(j, m, bytes);
    if (status != WEFT_OK)
        return status;
    m->is_texture = true;
    return texture_over(&desc, m->data, m->size, &m->texture);
}

/* ---- filling ---- */

/* The pixels of a picture: as they are where a channel has 8 bits, else by value. */
static void put_pixel(const struct format *f, const uint8_t rgba[4], uint8_t *pixel)
{
    float value[4];
    for (unsigned c = 0; c < 4; c++)
        value[c] = (float)rgba[c] / 255.0f;
    format_encode(f, value, pixel);
    for (unsigned c = 0; c < 4; c++)
        if (f->channel[c].kind != FORMAT_VOID && f->channel[c].bits == 8)
            format_channel_put(&f->channel[c], rgba[c], pixel);
}

static weft_status load_png(struct weft_job *j, struct job_memory *m)
{
    const struct script_buffer *b = m->buffer;
    const char *path;
    struct image image = {0};
    if (!b->is_image)
        return job_error(j, b->fill_where, "png", "'%s' is not an image: a PNG file needs a pixel format", b->name);
    weft_status status = job_path(j, b->fill_where, b->path, &path);
    if (status == WEFT_OK)
        status = image_read_png(path, &image, j->diags);
    if (status != WEFT_OK)
        return status;
    if (!m->width) {
        m->width = image.width;
        m->height = image.height;
        m->depth = 1;
    }
    if (m->width != image.width || m->height != image.height || m->depth != 1)
        status = job_error(j, b->fill_where, "png", "'%s' is %u x %u pixels, and '%s' is %u x %u", b->path, image.width,
                           image.height, b->name, m->width, m->height);
    if (status == WEFT_OK)
        status = make_image(j, m);
    for (uint32_t y = 0; status == WEFT_OK && y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++)
            put_pixel(m->format, image.rgba + ((size_t)y * m->width + x) * 4, texture_texel(&m->texture, 0, x, y));
    image_free(&image);
    return status;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return unit ? (n + unit - 1) / unit * unit : n;
}

/* Room for what a file gives, where the script does not say how much. */
static weft_status make_for_file(struct weft_job *j, struct job_memory *m, uint64_t bytes)
{
    const struct script_buffer *b = m->buffer;
    if (b->is_image)
        return make_image(j, m);
    return allocate(j, m, b->elements ? script_buffer_bytes(b) : round_up(bytes, b->layout.stride));
}

static weft_status load_binary(struct weft_job *j, struct job_memory *m)
{
    const struct script_buffer *b = m->buffer;
    char *bytes;
    size_t size;
    weft_status status = read_file(j, b, &bytes, &size);
    if (status != WEFT_OK)
        return status;
    status = make_for_file(j, m, size);
    if (status == WEFT_OK && size > m->size)
        status = job_error(j, b->fill_where, "file", "'%s' has %zu bytes, and '%s' only has %zu", b->path, size,
                           b->name, m->size);
    if (status == WEFT_OK)
        memcpy(m->data, bytes, size);
    free(bytes);
    return status;
}

static weft_status load_text(struct weft_job *j, struct job_memory *m)
{
    const struct script_buffer *b = m->buffer;
    static const char blanks[] = " \t\r\n,";
    char *text, *save = NULL;
    size_t size;
    weft_status status = read_file(j, b, &text, &size);
    if (status == WEFT_OK && strlen(text) != size) {
        status = job_error(j, b->fill_where, "file", "'%s' has a zero byte at offset %zu: it is not a text", b->path,
                           strlen(text));
        free(text);
    }
    if (status != WEFT_OK)
        return status;
    uint64_t words = 0;
    for (const char *p = text + strspn(text, blanks); *p; p += strspn(p, blanks)) {
        p += strcspn(p, blanks);
        words++;
    }
    uint64_t leaves = b->layout.nleaves ? b->layout.nleaves : 1;
    status = make_for_file(j, m, (words + leaves - 1) / leaves * b->layout.stride);
    uint64_t i = 0;
    for (char *word = strtok_r(text, blanks, &save); word && status == WEFT_OK; word = strtok_r(NULL, blanks, &save)) {
        const struct script_leaf *leaf = &b->layout.leaves[i % leaves];
        uint64_t at = i / leaves * b->layout.stride + leaf->offset;
        struct script_number n = {0};
        if (!script_read_number(word, strlen(word), &n))
            status = job_error(j, b->fill_where, "file", "'%.40s' in '%s' is not a number", word, b->path);
        else if (script_fit(leaf->scalar, &n) == SCRIPT_BEYOND)
            status = job_error(j, b->fill_where, "file", "%.40s in '%s' does not fit %s", word, b->path,
                               script_scalar_name(leaf->scalar));
        else if (at + script_scalar_bytes(leaf->scalar) > m->size)
            status = job_error(j, b->fill_where, "file", "'%s' has more values than '%s' holds", b->path, b->name);
        else
            script_store(leaf->scalar, &n, m->data + at);
        i++;
    }
    free(text);
    return status;
}

static weft_status make(struct weft_job *j, struct job_memory *m)
{
    const struct script_buffer *b = m->buffer;
    m->width = b->width;
    m->height = b->height;
    m->depth = b->depth;
    m->format = b->format ? format_find(b->format->name) : NULL;
    if (b->fill == SCRIPT_FILL_FILE)
        switch (b->file) {
        case SCRIPT_FILE_PNG:
            return load_png(j, m);
        case SCRIPT_FILE_BINARY:
            return load_binary(j, m);
        case SCRIPT_FILE_TEXT:
            return load_text(j, m);
        }
    weft_status status = b->is_image ? make_image(j, m) : allocate(j, m, script_buffer_bytes(b));
    /* One value is for every level and sample, data for level 0. Memory starts as zeroes. */
    bool zeroes = b->fill == SCRIPT_FILL_NONE ||
                  (b->fill == SCRIPT_FILL_VALUE && b->value.bits == 0 && b->value.real == 0 && !signbit(b->value.real));
    if (status == WEFT_OK && !zeroes)
        script_buffer_fill(b, m->data, b->fill == SCRIPT_FILL_VALUE ? m->size : job_memory_shown(m));
    return status;
}

weft_status job_memories_new(struct weft_job *j)
{
    j->memories = ARENA_ARRAY(&j->arena, struct job_memory, j->script->nbuffers + 1);
    if (!j->memories)
        return job_no_memory(j, (struct span){0, 0});
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < j->script->nbuffers && status == WEFT_OK; i++) {
        struct job_memory *m = &j->memories[i];
        m->buffer = j->script->buffers[i];
        status = make(j, m);
        if (status == WEFT_OK && !m->buffer->is_image && !m->width) {
            m->width = m->buffer->layout.stride ? (uint32_t)(m->size / m->buffer->layout.stride) : 0;
            m->height = m->depth = 1;
        }
    }
    return status;
}

void job_memories_free(struct weft_job *j)
{
    for (uint32_t i = 0; j->memories && i < j->script->nbuffers; i++)
        free(j->memories[i].data);
    j->memories = NULL;
}

/* ---- looking at it ---- */

struct job_memory *job_memory_of(const struct weft_job *j, const struct script_buffer *b)
{
    uint32_t i = 0;
    while (i < j->script->nbuffers && j->script->buffers[i] != b)
        i++;
    return i < j->script->nbuffers ? &j->memories[i] : NULL;
}

size_t job_memory_shown(const struct job_memory *m)
{
    if (!m->is_texture)
        return m->size;
    return (size_t)m->width * m->height * m->depth * m->format->bytes *
           (m->texture.samples > 1 ? m->texture.samples : 1);
}

const uint8_t *job_memory_pixel(const struct job_memory *m, uint64_t x, uint64_t y)
{
    if (m->is_texture)
        return texture_plane(&m->texture, 0, (uint32_t)(y / m->height), 0) +
               ((size_t)(y % m->height) * (size_t)m->texture.level[0].stride + (size_t)x) * m->format->bytes;
    return m->data + ((size_t)y * m->width + (size_t)x) * (size_t)m->buffer->layout.stride;
}

struct surface job_memory_surface(const struct job_memory *m, uint32_t level)
{
    const struct texture_level *l = &m->texture.level[level];
    size_t bytes = m->format->bytes;
    return (struct surface){.format = m->format,
                            .pixels = texture_plane(&m->texture, level, 0, 0),
                            .stride = (size_t)l->stride * bytes,
                            .width = (uint32_t)l->width,
                            .height = (uint32_t)l->height,
                            .layers = (uint32_t)l->depth,
                            .layer_stride = (size_t)l->slice * bytes,
                            .samples = m->texture.samples,
                            .sample_stride = (size_t)l->sample * bytes};
}

weft_status job_write(struct weft_job *j, const struct script_command *c)
{
    struct job_memory *to = job_memory_of(j, c->write.buffer);
    const struct script_layout *l = c->write.layout;
    for (uint32_t i = 0; i < c->write.nvalues; i++) {
        const struct script_leaf *leaf = &l->leaves[i % l->nleaves];
        uint64_t at = c->write.offset + i / l->nleaves * l->stride + leaf->offset;
        if (at > to->size || to->size - at < script_scalar_bytes(leaf->scalar))
            return job_error(j, c->where, "out-of-range", "value %u would be at byte %llu of '%s', which has %zu",
                             i + 1, (unsigned long long)at, c->write.buffer->name, to->size);
        script_store(leaf->scalar, &c->write.values[i], to->data + at);
    }
    return WEFT_OK;
}

weft_status job_copy(struct weft_job *j, const struct script_command *c)
{
    const struct job_memory *from = job_memory_of(j, c->copy.from);
    struct job_memory *to = job_memory_of(j, c->copy.to);
    if (from->size != to->size || from->width != to->width || from->height != to->height)
        return job_error(j, c->where, "copy-size", "'%s' and '%s' are not of one size: %zu and %zu bytes",
                         c->copy.from->name, c->copy.to->name, from->size, to->size);
    memmove(to->data, from->data, from->size);
    return WEFT_OK;
}
