/* run_options.c - the options of `weft run SHADER` (run_shader.h). */
#include "cli/run_shader.h"
#include "cli/named.h"

#include "base/diag.h"
#include "device/texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- N= and NAME= ---- */

/* What follows "N=" or "NAME=" in an option's value; NULL, having said so: there is no such number. */
static const char *take_label(const struct cli_args *a, const char *shape, uint64_t limit, bool names,
                              struct run_label *label)
{
    size_t length = strcspn(a->value, "=");
    const char *rest = a->value + length + 1;
    char digits[8];
    *label = (struct run_label){0};
    if (!length || !a->value[length] || !*rest) {
        cli_wrong(a->command, "%s, not '%s'", shape, a->value);
        return NULL;
    }
    if (names && named_is_name(a->value)) {
        label->name = a->value;
        label->length = length;
        return rest;
    }
    if (strspn(a->value, "0123456789") == length && length < sizeof digits) {
        snprintf(digits, sizeof digits, "%.*s", (int)length, a->value);
        label->number = (uint32_t)strtoul(digits, NULL, 10);
        if (label->number < limit)
            return rest;
    }
    cli_wrong(a->command, "%s with N from 0 to %" PRIu64 ", not '%s'", shape, limit - 1, a->value);
    return NULL;
}

static bool same_label(const struct run_label *a, const struct run_label *b)
{
    if (!a->name || !b->name)
        return !a->name && !b->name && a->number == b->number;
    return a->length == b->length && strncmp(a->name, b->name, a->length) == 0;
}

static bool too_many(const struct cli_args *a, const char *what)
{
    cli_wrong(a->command, "%s can be given %d times", what, RUN_NAMED);
    return false;
}

/* False, having said so. */
static bool given_twice(const struct cli_args *a, const char *option)
{
    cli_wrong(a->command, "%s %s: what it names is given before", option, a->value);
    return false;
}

/* The buffer that the option is about; NULL, having said so: they are too many. */
static struct run_buffer *buffer_of(struct run_shader *s, const struct cli_args *a, const struct run_label *label)
{
    for (size_t i = 0; i < s->nbuffers; i++)
        if (same_label(&s->buffer[i].label, label))
            return &s->buffer[i];
    if (s->nbuffers == RUN_NAMED) {
        too_many(a, "--buffer");
        return NULL;
    }
    struct run_buffer *b = &s->buffer[s->nbuffers++];
    *b = (struct run_buffer){.label = *label};
    return b;
}

static struct run_picture *picture_of(struct run_picture *list, size_t *count, const struct cli_args *a,
                                      const char *what, const struct run_label *label)
{
    for (size_t i = 0; i < *count; i++)
        if (same_label(&list[i].label, label))
            return &list[i];
    if (*count == RUN_NAMED) {
        too_many(a, what);
        return NULL;
    }
    struct run_picture *p = &list[(*count)++];
    *p = (struct run_picture){.label = *label};
    return p;
}

/* ---- buffers and constants ---- */

/* Cut the type off a file's name, which is in argv and so ours to change. */
static enum run_numbers take_type(const char *file)
{
    size_t length;
    enum run_numbers type = run_numbers_type(file, &length);
    ((char *)(uintptr_t)file)[length] = '\0';
    return type;
}

/* False, having said so, where a file's name ends in what a type or ":zero" may have been meant by, unless it is read
 * and there is such a file. */
static bool is_typed_right(const struct cli_args *a, const char *file, bool read)
{
    static const char *const words[] = {"float", "double", "int", "uint", "zero"};
    const char *colon = strrchr(file, ':');
    size_t length, count = sizeof words / sizeof words[0];
    if (!colon || run_numbers_type(file, &length) != RUN_BYTES || (read && access(file, F_OK) == 0))
        return true;
    const char *near = nearest_word(colon + 1, strlen(colon + 1), words, count);
    if (!near || strcmp(colon + 1, near) == 0)
        return true;
    cli_wrong(a->command, "'%s': did you mean ':%s'?", file, near);
    return false;
}

bool run_take_buffer(struct run_shader *s, const struct cli_args *a)
{
    char size[32];
    struct run_label label;
    const char *what = take_label(a, "--buffer is N=FILE or N=SIZE:zero", WEFT_RUN_BUFFERS, true, &label);
    struct run_buffer *b = what ? buffer_of(s, a, &label) : NULL;
    if (!b || b->given)
        return b && given_twice(a, "--buffer");
    const char *colon = strrchr(what, ':');
    bool zeros = colon && strcmp(colon, ":zero") == 0;
    b->given = true;
    b->file = zeros ? NULL : what;
    if (!zeros) {
        bool right = is_typed_right(a, what, true);
        b->type = take_type(what);
        return right;
    }
    snprintf(size, sizeof size, "%.*s", (int)(colon - what), what);
    if (colon - what < (int)sizeof size && cli_number(size, 1, RUN_BUFFER_BYTES, &b->zeros))
        return true;
    cli_wrong(a->command, "--buffer N=SIZE:zero has a size of 1 to %d bytes, not '%.*s'", RUN_BUFFER_BYTES,
              (int)(colon - what), what);
    return false;
}

bool run_take_dump_buffer(struct run_shader *s, const struct cli_args *a)
{
    struct run_label label;
    const char *file = take_label(a, "--dump-buffer is N=FILE", WEFT_RUN_BUFFERS, true, &label);
    struct run_buffer *b = file && is_typed_right(a, file, false) ? buffer_of(s, a, &label) : NULL;
    if (b && b->dump)
        return given_twice(a, "--dump-buffer");
    if (b) {
        b->dump = file;
        b->dump_type = take_type(file);
    }
    return b != NULL;
}

bool run_take_constants(struct run_shader *s, const struct cli_args *a)
{
    struct run_label label = {0};
    const char *file = a->value;
    size_t digits = strspn(file, "0123456789");
    if (digits && file[digits] == '=')
        file = take_label(a, "--const is FILE or N=FILE", WEFT_RUN_CONSTANTS, false, &label);
    if (file && s->constants[label.number])
        return given_twice(a, "--const");
    if (file)
        s->constants[label.number] = file;
    return file != NULL;
}

bool run_take_uniform(struct run_shader *s, const struct cli_args *a)
{
    const char *equals = strchr(a->value, '=');
    if (!equals || equals == a->value || !equals[1]) {
        cli_wrong(a->command, "--uniform is NAME=V[,V...], such as scale=1,0.5, not '%s'", a->value);
        return false;
    }
    if (s->nuniforms == RUN_UNIFORMS) {
        cli_wrong(a->command, "there are at most %d of --uniform", RUN_UNIFORMS);
        return false;
    }
    s->uniform[s->nuniforms++] = a->value;
    return true;
}

/* ---- textures and images ---- */

static bool take_files(struct run_picture *p, const struct cli_args *a, const char *what, const char *text)
{
    if (p->given)
        return given_twice(a, what);
    const char *fault = scene_texture_take(&p->from, text);
    p->given = true;
    if (fault)
        cli_wrong(a->command, "%s %s: %s", what, a->value, fault);
    return !fault;
}

bool run_take_texture(struct run_shader *s, const struct cli_args *a)
{
    struct run_label label;
    const char *file = take_label(a, "--texture is N=FILE.png", WEFT_RUN_TEXTURES, true, &label);
    struct run_picture *p = file ? picture_of(s->texture, &s->ntextures, a, "--texture", &label) : NULL;
    return p && take_files(p, a, "--texture", file);
}

static bool no_format(const struct cli_args *a, const char *name)
{
    const char *near = format_near(name);
    if (near)
        cli_wrong(a->command, "--image %s: there is no format '%s'; did you mean '%s'?", a->value, name, near);
    else
        cli_wrong(a->command, "--image %s: there is no format '%s'; formats have Vulkan's names, such as R32_UINT",
                  a->value, name);
    return false;
}

/* "WxH", "WxHxD": where it ends, and the size; NULL: it is something else. size[0] is 0 where a number is beyond the
 * limits. */
static const char *take_size(const char *text, uint32_t size[3])
{
    bool allowed = true;
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        if (*text < '0' || *text > '9')
            return NULL;
        unsigned long n = strtoul(text, &end, 10);
        allowed &= n > 0 && n <= TEXTURE_MAX_SIZE;
        size[i] = (uint32_t)n;
        size[0] = allowed ? size[0] : 0;
        text = end + 1;
        if (*end != 'x')
            return i > 0 && (!*end || *end == ':') ? end : NULL;
    }
    return NULL;
}

/* Zeros of a size, then ":FORMAT" if they have another one than the program says. */
static bool take_zeros(struct run_picture *p, const struct cli_args *a, const uint32_t size[3], const char *rest)
{
    if (p->given)
        return given_twice(a, "--image");
    if (!size[0]) {
        cli_wrong(a->command, "--image %s: sizes are from 1 to %d", a->value, TEXTURE_MAX_SIZE);
        return false;
    }
    p->from = (struct scene_texture){.format = *rest ? format_find(rest + 1) : NULL};
    memcpy(p->from.size, size, sizeof p->from.size);
    p->given = true;
    return !*rest || p->from.format || no_format(a, rest + 1);
}

bool run_take_image(struct run_shader *s, const struct cli_args *a)
{
    struct run_label label;
    const char *what = take_label(a, "--image is N=WxH or N=FILE.png", WEFT_RUN_IMAGES, true, &label);
    struct run_picture *p = what ? picture_of(s->image, &s->nimages, a, "--image", &label) : NULL;
    uint32_t size[3] = {0, 0, 0};
    const char *rest = p ? take_size(what, size) : NULL;
    return p && (rest ? take_zeros(p, a, size, rest) : take_files(p, a, "--image", what));
}

bool run_take_dump_image(struct run_shader *s, const struct cli_args *a)
{
    struct run_label label;
    const char *file = take_label(a, "--dump-image is N=FILE.png", WEFT_RUN_IMAGES, true, &label);
    size_t n = file ? strlen(file) : 0;
    if (file && (n < 5 || (strcasecmp(file + n - 4, ".png") != 0 && strcasecmp(file + n - 4, ".raw") != 0))) {
        cli_wrong(a->command, "--dump-image writes .png or .raw: '%s' ends in neither", file);
        return false;
    }
    struct run_picture *p = file ? picture_of(s->image, &s->nimages, a, "--image", &label) : NULL;
    if (p && p->dump)
        return given_twice(a, "--dump-image");
    if (p)
        p->dump = file;
    return p != NULL;
}

/* ---- groups ---- */

bool run_take_groups(struct run_shader *s, const struct cli_args *a)
{
    const char *at = a->value;
    for (unsigned i = 0; i < 3; i++) {
        char number[16];
        uint64_t n;
        size_t length = strcspn(at, ",");
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), at);
        if (!cli_number(number, 1, WEFT_RUN_MAX_GROUPS, &n))
            break;
        s->groups[i] = (uint32_t)n;
        at += length;
        if (!*at)
            return true;
        at++;
    }
    cli_wrong(a->command, "--groups is X[,Y[,Z]], each from 1 to %d, not '%s'", WEFT_RUN_MAX_GROUPS, a->value);
    return false;
}
