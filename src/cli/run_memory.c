/* run_memory.c - see run_memory.h. */
#include "cli/run_memory.h"
#include "cli/constants.h"
#include "cli/named.h"
#include "cli/picture.h"
#include "cli/values.h"

#include "base/diag.h"
#include "device/image.h"
#include "device/pool.h"
#include "device/texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_memory_free(struct run_memory *m)
{
    interface_free(&m->names);
    for (size_t i = 0; i < RUN_NAMED; i++) {
        free(m->buffer[i].data);
        weft_texture_free(m->texture[i]);
        weft_texture_free(m->image[i]);
    }
    for (size_t n = 0; n < WEFT_RUN_CONSTANTS; n++)
        free(m->words[n]);
}

/* ---- numbers of names ---- */

/* Whose numbers these are, to look names up and to see that none is given twice. */
struct numbers {
    const struct interfaces *programs;
    enum interface_kind kind;
    const char *what;
    uint32_t limit;
    uint64_t taken;
};

/* The number that a label means, or INTERFACE_UNUSED. False, having said why not. */
static bool number_of(struct numbers *n, const struct run_label *label, uint32_t *number)
{
    *number = label->number;
    if (label->name && !n->programs->list->word) {
        cli_wrong(&command_run, "--%s %.*s: give a number; programs of GLSL, HLSL and SPIR-V have names", n->what,
                  (int)label->length, label->name);
        return false;
    }
    if (label->name)
        *number = named_number(n->programs, &command_run, n->kind, n->what, label->name, label->length);
    if (*number == NAMED_NONE)
        return false;
    if (*number == INTERFACE_UNUSED)
        return true;
    if (*number >= n->limit) {
        cli_wrong(&command_run, "'%.*s' is %s %u, and 'weft run' has 0 to %u", (int)label->length, label->name,
                  n->what, *number, n->limit - 1);
        return false;
    }
    if (n->taken >> *number & 1) {
        cli_wrong(&command_run, "%s %u is given twice, by two names of it", n->what, *number);
        return false;
    }
    n->taken |= UINT64_C(1) << *number;
    return true;
}

/* ---- buffers and constants ---- */

static int bind_buffer(const struct run_buffer *b, uint32_t number, struct cli_bytes *to, weft_runner *r,
                       weft_diags *diags)
{
    if (b->file && !cli_read(b->file, to))
        return STATUS_INPUT;
    if (b->type != RUN_BYTES && run_numbers_read(to, b->type, diags) != WEFT_OK)
        return STATUS_INPUT;
    if (!b->file) {
        to->size = (size_t)b->zeros;
        to->data = calloc(1, to->size);
        if (!to->data) {
            cli_message("no memory for buffer %u of %" PRIu64 " bytes", number, b->zeros);
            return STATUS_INPUT;
        }
    }
    return number == INTERFACE_UNUSED ? STATUS_FINE
                                      : cli_status(weft_runner_bind_buffer(r, number, to->data, to->size, diags));
}

/* What is written of a buffer that is given by another name: those contents. False, having said so: by none. */
static bool find_contents(const struct run_shader *s, struct numbers n, const uint32_t *number, size_t at,
                          struct run_memory *m)
{
    uint32_t own;
    n.taken = 0;
    if (!number_of(&n, &s->buffer[at].label, &own))
        return false;
    for (size_t i = 0; i < s->nbuffers; i++)
        if (s->buffer[i].given && number[i] == own && own != INTERFACE_UNUSED) {
            m->contents[at] = i;
            return true;
        }
    return run_not_given("buffer", &s->buffer[at].label, s->buffer[at].dump);
}

static int bind_buffers(const struct run_shader *s, struct numbers *n, struct run_memory *m, weft_runner *r,
                        weft_diags *diags)
{
    uint32_t number[RUN_NAMED];
    int status = STATUS_FINE;
    for (size_t i = 0; i < s->nbuffers && status == STATUS_FINE; i++) {
        m->contents[i] = i;
        if (s->buffer[i].given)
            status = number_of(n, &s->buffer[i].label, &number[i])
                         ? bind_buffer(&s->buffer[i], number[i], &m->buffer[i], r, diags)
                         : STATUS_USAGE;
    }
    for (size_t i = 0; i < s->nbuffers && status == STATUS_FINE; i++)
        if (!s->buffer[i].given && !find_contents(s, *n, number, i, m))
            status = STATUS_USAGE;
    return status;
}

static int read_constants(const char *file, unsigned n, struct run_memory *m, weft_diags *diags)
{
    struct cli_bytes in;
    size_t count = 0;
    if (!cli_read(file, &in))
        return STATUS_INPUT;
    weft_status status = constants_parse(&in, &m->words[n], &count, diags);
    m->constants[n] = (weft_constants){m->words[n], count};
    free(in.data);
    return cli_status(status);
}

static bool is_given(const struct run_shader *s, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < s->nuniforms; i++)
        if (strncmp(s->uniform[i], name, length) == 0 && strchr("=[.", s->uniform[i][length]))
            return true;
    return false;
}

/* Constant buffers of a program with names are there, of zeros; what nobody sets is said. */
static void make_blocks(const struct run_shader *s, struct run_memory *m, const struct value_store *to,
                        struct values *v)
{
    struct interface_variable var;
    struct named unset = {.count = 0};
    char list[800];
    for (size_t at = 0; interface_next(&m->names, &at, &var);) {
        struct interface_place whole = interface_block(&var), p;
        const char *name;
        if (var.kind != INTERFACE_BLOCK || var.number >= WEFT_RUN_CONSTANTS || s->constants[var.number])
            continue;
        values_measure(&m->names, &whole, v);
        for (uint32_t i = 0; i < var.elements && values_room(to, var.number + i, v->end); i++)
            ;
        bool block_given = is_given(s, var.name) || (*var.instance && is_given(s, var.instance));
        for (uint32_t i = 0; !block_given && interface_member(&m->names, &whole, i, &p, &name); i++)
            if (!is_given(s, name))
                named_add(&unset, name, 1);
    }
    named_list(&unset, list, sizeof list);
    if (unset.count)
        cli_message("uniforms that are not set are 0: %s (give --uniform NAME=V)", list);
}

static int bind_constants(const struct run_shader *s, const struct interfaces *programs, struct run_memory *m,
                          weft_runner *r, weft_diags *diags)
{
    const struct value_store to = {m->constants, m->words, WEFT_RUN_CONSTANTS};
    struct values *v = cli_kept(calloc(1, sizeof *v));
    int status = STATUS_FINE;
    for (unsigned n = 0; n < WEFT_RUN_CONSTANTS && status == STATUS_FINE; n++)
        if (s->constants[n])
            status = read_constants(s->constants[n], n, m, diags);
    if (status == STATUS_FINE && m->names.word)
        make_blocks(s, m, &to, v);
    if (status == STATUS_FINE && !values_distinct(programs, &command_run, s->uniform, s->nuniforms))
        status = STATUS_USAGE;
    for (size_t i = 0; i < s->nuniforms && status == STATUS_FINE; i++)
        status = values_set(&to, programs, &command_run, s->uniform[i], v) ? STATUS_FINE : STATUS_USAGE;
    for (unsigned n = 0; n < WEFT_RUN_CONSTANTS && status == STATUS_FINE; n++)
        if (m->words[n])
            status = cli_status(weft_runner_bind_constants(r, n, m->words[n], m->constants[n].count * 4, diags));
    free(v);
    return status;
}

/* ---- textures and images ---- */

static int bind_textures(const struct run_shader *s, struct numbers *n, struct run_memory *m, weft_runner *r,
                         weft_diags *diags)
{
    for (size_t i = 0; i < s->ntextures; i++) {
        weft_sampler sampler;
        uint32_t number;
        weft_sampler_init(&sampler);
        if (!number_of(n, &s->texture[i].label, &number))
            return STATUS_USAGE;
        if (!scene_texture_load(&s->texture[i].from, &m->texture[i], &sampler, diags))
            return STATUS_INPUT;
        if (number != INTERFACE_UNUSED && (weft_runner_bind_texture(r, number, m->texture[i], diags) != WEFT_OK ||
                                           weft_runner_bind_sampler(r, number, &sampler, diags) != WEFT_OK))
            return STATUS_INPUT;
    }
    return STATUS_FINE;
}

/* Samplers apart from textures are as the words of the first texture say. */
static int bind_samplers(const struct run_shader *s, const struct interface *f, weft_runner *r, weft_diags *diags)
{
    struct interface_variable v;
    weft_sampler sampler;
    int status = STATUS_FINE;
    weft_sampler_init(&sampler);
    if (s->ntextures)
        scene_texture_sampler(&s->texture[0].from, &sampler);
    for (size_t at = 0; s->ntextures && status == STATUS_FINE && interface_next(f, &at, &v);)
        for (uint32_t i = 0; v.kind == INTERFACE_SAMPLER && i < v.elements && v.number < WEFT_RUN_TEXTURES - i; i++)
            status = cli_status(weft_runner_bind_sampler(r, v.number + i, &sampler, diags));
    return status;
}

/* What the program says of image `number`; a 2D one without a format, if it says nothing. */
static struct interface_image image_of(const struct interface *f, uint32_t number)
{
    struct interface_variable v;
    for (size_t at = 0; interface_next(f, &at, &v);)
        if (v.kind == INTERFACE_IMAGE && number >= v.number && number - v.number < v.elements)
            return interface_image(f, &v);
    return (struct interface_image){.dim = IR_TEX_2D};
}

static bool make_zeros(const struct run_picture *p, const struct interface_image *kind, const struct format *format,
                       weft_texture **out)
{
    const uint32_t *size = p->from.size, slices = size[2] ? size[2] : 1;
    const struct texture_desc d = {
        .format = p->from.format ? p->from.format : format,
        .dim = kind->dim == IR_TEX_2D && size[2] && !kind->array ? IR_TEX_3D : kind->dim,
        .array = kind->array,
        .width = size[0],
        .height = size[1],
        .depth = slices,
        .layers = slices,
        .levels = 1,
    };
    weft_status status = texture_create(&d, out);
    if (status == WEFT_ERROR_MEMORY)
        cli_message("no memory for an image of %ux%ux%u texels of %s", size[0], size[1], slices, d.format->name);
    else if (status != WEFT_OK)
        cli_message("an image of %ux%ux%u texels of %s cannot be made: %s", size[0], size[1], slices, d.format->name,
                    d.dim == IR_TEX_CUBE && size[0] != size[1] ? "faces of cubes are squares"
                                                               : "images have at most 2 GiB and 2^29 - 1 texels");
    return status == WEFT_OK;
}

/* The texels of a picture in another format. Numbers of integer formats are the picture's bytes. */
static bool convert(weft_texture **texture, const struct format *format)
{
    weft_texture *from = *texture, *to = NULL;
    const struct texture_desc d = {.format = format, .dim = from->dim, .array = from->array,
                                   .width = (uint32_t)from->level[0].width, .height = (uint32_t)from->level[0].height,
                                   .depth = (uint32_t)from->level[0].depth, .layers = from->layers,
                                   .levels = from->levels};
    if (from->format == format || texture_create(&d, &to) != WEFT_OK)
        return from->format == format;
    for (size_t i = 0; i < from->size / 4; i++) {
        uint8_t *pixel = to->data + i * format->bytes;
        const uint8_t *rgba = from->data + 4 * i;
        float color[4];
        format_decode(from->format, rgba, color);
        if (format_class(format) == FORMAT_CLASS_FLOAT)
            format_encode(format, color, pixel);
        else
            format_encode_words(format, (const uint32_t[]){rgba[0], rgba[1], rgba[2], rgba[3]}, pixel);
    }
    weft_texture_free(from);
    *texture = to;
    return true;
}

static int bind_image(const struct run_picture *p, const struct interface *f, uint32_t number, weft_texture **to,
                      weft_runner *r, weft_diags *diags)
{
    const struct interface_image kind = image_of(f, number);
    const struct format *declared = kind.format ? format_find(kind.format) : NULL;
    const struct format *format = declared ? declared : &formats[FORMAT_R8G8B8A8_UNORM];
    weft_sampler sampler;
    if (!p->from.file && !make_zeros(p, &kind, format, to))
        return STATUS_INPUT;
    if (p->from.file && !scene_texture_load(&p->from, to, &sampler, diags))
        return STATUS_INPUT;
    if (p->from.file && !p->from.format && !convert(to, format)) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    const weft_texture *t = *to;
    if (declared && t->format != declared)
        diag_add(diags, WEFT_WARNING, "other-format", NULL, NULL,
                 "the program says that image %u is %s, and what is given is %s: it is read and written as that",
                 number, declared->name, t->format->name);
    const weft_image image = {.size = sizeof image,
                              .kind = (weft_image_kind)t->dim,
                              .array = t->array,
                              .format = t->format->name,
                              .width = (uint32_t)t->level[0].width,
                              .height = (uint32_t)t->level[0].height,
                              .depth = (uint32_t)t->level[0].depth,
                              .layers = t->layers,
                              .levels = t->levels,
                              .memory = t->data,
                              .bytes = t->size};
    return number == INTERFACE_UNUSED ? STATUS_FINE : cli_status(weft_runner_bind_image(r, number, &image, diags));
}

static int bind_images(const struct run_shader *s, struct numbers *n, struct run_memory *m, weft_runner *r,
                       weft_diags *diags)
{
    int status = STATUS_FINE;
    for (size_t i = 0; i < s->nimages && status == STATUS_FINE; i++) {
        uint32_t number;
        status = number_of(n, &s->image[i].label, &number)
                     ? bind_image(&s->image[i], &m->names, number, &m->image[i], r, diags)
                     : STATUS_USAGE;
    }
    return status;
}

/* ---- all of it ---- */

/* A note for each buffer, texture and image that has a name and is not there: how to give it. */
static void note_missing(const struct interface *f, const struct numbers *of, const char *code, const char *how,
                         weft_diags *diags)
{
    struct interface_variable v;
    for (size_t at = 0; interface_next(f, &at, &v);)
        for (uint32_t i = 0; v.kind == of->kind && i < v.elements && v.number < of->limit - i; i++) {
            char element[16] = "";
            const char *name = *v.name || !v.instance ? v.name : v.instance;
            if (of->taken >> (v.number + i) & 1)
                continue;
            if (v.elements > 1)
                snprintf(element, sizeof element, "[%u]", i);
            diag_add(diags, WEFT_NOTE, code, NULL, NULL, "%s %u is '%s%s': write --%s %s%s=%s", of->what, v.number + i,
                     name, element, of->what, name, element, how);
        }
}

int run_memory_bind(const struct run_shader *s, const weft_program *program, struct run_memory *m, weft_runner *r,
                    weft_diags *diags)
{
    if (!interface_read(program, &m->names))
        return STATUS_INPUT;
    const struct interfaces programs = {&m->names, 1};
    struct numbers buffers = {&programs, INTERFACE_BUFFER, "buffer", WEFT_RUN_BUFFERS, 0};
    struct numbers textures = {&programs, INTERFACE_TEXTURE, "texture", WEFT_RUN_TEXTURES, 0};
    struct numbers images = {&programs, INTERFACE_IMAGE, "image", WEFT_RUN_IMAGES, 0};
    if (s->nuniforms && !m->names.word)
        return cli_wrong(&command_run,
                         "--uniform is for GLSL, HLSL and SPIR-V, whose programs have names; give --const");
    int status = bind_buffers(s, &buffers, m, r, diags);
    if (status == STATUS_FINE)
        status = bind_textures(s, &textures, m, r, diags);
    if (status == STATUS_FINE)
        status = bind_samplers(s, &m->names, r, diags);
    if (status == STATUS_FINE)
        status = bind_images(s, &images, m, r, diags);
    if (status == STATUS_FINE)
        status = bind_constants(s, &programs, m, r, diags);
    if (status == STATUS_FINE) {
        note_missing(&m->names, &buffers, "unbound-storage", "FILE, or SIZE:zero", diags);
        note_missing(&m->names, &textures, "no-texture", "FILE.png", diags);
        note_missing(&m->names, &images, "unbound-image", "FILE.png, or WxH", diags);
    }
    return status;
}

/* ---- what is written ---- */

static int write_png(const char *file, const weft_texture *t)
{
    const struct texture_level *l = &t->level[0];
    uint32_t width = (uint32_t)l->width, rows = (uint32_t)(l->height * l->depth);
    uint8_t *bytes = NULL, *rgba = rows > IMAGE_MAX_SIZE ? NULL : malloc((size_t)width * rows * 4);
    size_t size = 0;
    if (rows > IMAGE_MAX_SIZE) {
        cli_message("'%s' cannot be written: the %d slices of the image have %u rows", file, l->depth, rows);
        return STATUS_INPUT;
    }
    for (uint32_t i = 0; rgba && i < width * rows; i++)
        format_show(t->format, t->data + (size_t)i * t->format->bytes, rgba + (size_t)i * 4);
    weft_status encoded = rgba ? image_encode_png(width, rows, rgba, (ptrdiff_t)width * 4, pool_threads_for(0), &bytes,
                                                  &size, NULL)
                               : WEFT_ERROR_MEMORY;
    int status = STATUS_INPUT;
    if (encoded == WEFT_OK)
        status = cli_write(file, bytes, size);
    else
        cli_message("out of memory");
    free(bytes);
    free(rgba);
    return status;
}

static int write_buffer(const struct run_buffer *b, const struct cli_bytes *from)
{
    size_t length, left = from->size % run_numbers_width(b->dump_type);
    if (b->dump_type == RUN_BYTES)
        return cli_write(b->dump, from->data, from->size);
    if (left) {
        cli_message("'%s' is not written: the last %zu byte%s of the buffer %s not a whole number; "
                    "leave out the type after its name", b->dump, left, left == 1 ? "" : "s", left == 1 ? "is" : "are");
        return STATUS_INPUT;
    }
    char *text = run_numbers_print(from->data, from->size, b->dump_type, &length);
    int status = cli_write(b->dump, text, length);
    free(text);
    return status;
}

int run_memory_write(const struct run_shader *s, const struct run_memory *m)
{
    int status = STATUS_FINE;
    for (size_t i = 0; i < s->nbuffers && status == STATUS_FINE; i++)
        if (s->buffer[i].dump)
            status = write_buffer(&s->buffer[i], &m->buffer[m->contents[i]]);
    for (size_t i = 0; i < s->nimages && status == STATUS_FINE; i++) {
        const char *file = s->image[i].dump;
        if (file)
            status = picture_kind(file) == PICTURE_RAW ? cli_write(file, m->image[i]->data, m->image[i]->size)
                                                       : write_png(file, m->image[i]);
    }
    return status;
}
