/* scene_texture.c - textures of `weft draw` (scene_texture.h). */
#include "cli/scene_texture.h"

#include "base/diag.h"
#include "device/image.h"
#include "device/texture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words ---- */

enum word_sets { SETS_MIN = 1, SETS_MAG = 2, SETS_MIP = 4, SETS_S = 8, SETS_T = 16, SETS_R = 32, SETS_WRAPS = 56,
                 SETS_KIND = 64, SETS_COMPARE = 128 };

static const struct word {
    const char *name;
    unsigned sets, value;
} words[] = {
    {"nearest", SETS_MIN | SETS_MAG, WEFT_NEAREST},
    {"linear", SETS_MIN | SETS_MAG, WEFT_LINEAR},
    {"min-nearest", SETS_MIN, WEFT_NEAREST},
    {"min-linear", SETS_MIN, WEFT_LINEAR},
    {"mag-nearest", SETS_MAG, WEFT_NEAREST},
    {"mag-linear", SETS_MAG, WEFT_LINEAR},
    {"mipmap", SETS_MIP, WEFT_MIP_LINEAR},
    {"mipmap-nearest", SETS_MIP, WEFT_MIP_NEAREST},
    {"repeat", SETS_WRAPS, WEFT_WRAP_REPEAT},
    {"repeat-s", SETS_S, WEFT_WRAP_REPEAT},
    {"repeat-t", SETS_T, WEFT_WRAP_REPEAT},
    {"repeat-r", SETS_R, WEFT_WRAP_REPEAT},
    {"clamp", SETS_WRAPS, WEFT_WRAP_CLAMP_TO_EDGE},
    {"clamp-s", SETS_S, WEFT_WRAP_CLAMP_TO_EDGE},
    {"clamp-t", SETS_T, WEFT_WRAP_CLAMP_TO_EDGE},
    {"clamp-r", SETS_R, WEFT_WRAP_CLAMP_TO_EDGE},
    {"mirror", SETS_WRAPS, WEFT_WRAP_MIRROR_REPEAT},
    {"mirror-s", SETS_S, WEFT_WRAP_MIRROR_REPEAT},
    {"mirror-t", SETS_T, WEFT_WRAP_MIRROR_REPEAT},
    {"mirror-r", SETS_R, WEFT_WRAP_MIRROR_REPEAT},
    {"border", SETS_WRAPS, WEFT_WRAP_CLAMP_TO_BORDER},
    {"border-s", SETS_S, WEFT_WRAP_CLAMP_TO_BORDER},
    {"border-t", SETS_T, WEFT_WRAP_CLAMP_TO_BORDER},
    {"border-r", SETS_R, WEFT_WRAP_CLAMP_TO_BORDER},
    {"compare-never", SETS_COMPARE, WEFT_COMPARE_NEVER},
    {"compare-less", SETS_COMPARE, WEFT_COMPARE_LESS},
    {"compare-equal", SETS_COMPARE, WEFT_COMPARE_EQUAL},
    {"compare-less-equal", SETS_COMPARE, WEFT_COMPARE_LESS_EQUAL},
    {"compare-greater", SETS_COMPARE, WEFT_COMPARE_GREATER},
    {"compare-not-equal", SETS_COMPARE, WEFT_COMPARE_NOT_EQUAL},
    {"compare-greater-equal", SETS_COMPARE, WEFT_COMPARE_GREATER_EQUAL},
    {"compare-always", SETS_COMPARE, WEFT_COMPARE_ALWAYS},
    {"cube", SETS_KIND, SCENE_CUBE},
    {"array", SETS_KIND, SCENE_ARRAY},
    {"3d", SETS_KIND, SCENE_3D},
};

static void apply(struct scene_texture *t, const struct word *w)
{
    if (w->sets & SETS_MIN)
        t->min = (weft_filter)w->value;
    if (w->sets & SETS_MAG)
        t->mag = (weft_filter)w->value;
    if (w->sets & SETS_MIP)
        t->mip = (weft_mip_filter)w->value;
    for (unsigned i = 0; i < 3; i++)
        if (w->sets & (unsigned)SETS_S << i)
            t->wrap[i] = (weft_wrap)w->value;
    if (w->sets & SETS_KIND)
        t->kind = (enum scene_kind)w->value;
    if (w->sets & SETS_COMPARE) {
        t->compare = 1;
        t->compare_op = (weft_compare)w->value;
    }
}

/* WxH or WxHxN. */
static bool take_size(struct scene_texture *t, const char *word)
{
    uint32_t size[3] = {0, 0, 0};
    char number[8];
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strcspn(word, "x");
        uint64_t n;
        if (length >= sizeof number)
            return false;
        memcpy(number, word, length);
        number[length] = 0;
        if (!cli_number(number, 1, TEXTURE_MAX_SIZE, &n))
            return false;
        size[i] = (uint32_t)n;
        word += length;
        if (!*word && i > 0) {
            memcpy(t->size, size, sizeof size);
            return true;
        }
        word += *word == 'x';
    }
    return false;
}

static bool take_levels(struct scene_texture *t, const char *word)
{
    uint64_t n;
    if (strncmp(word, "levels-", 7) != 0 || !cli_number(word + 7, 1, TEXTURE_MAX_LEVELS, &n))
        return false;
    t->levels = (uint32_t)n;
    return true;
}

static bool take_word(struct scene_texture *t, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, word) == 0) {
            apply(t, &words[i]);
            return true;
        }
    const struct format *f = format_find(word);
    t->format = f ? f : t->format;
    return f || take_levels(t, word) || take_size(t, word);
}

/* The file's name ends where nothing but words follows. Of two that set the same, the later one does. */
static void take_words(struct scene_texture *t)
{
    const size_t all = t->length;
    char word[64];
    bool known = true;
    for (const char *colon; known && (colon = memrchr(t->file + 1, ':', t->length - 1)) != NULL;) {
        struct scene_texture scratch = {0};
        size_t length = (size_t)(t->file + t->length - colon) - 1;
        known = length < sizeof word;
        if (known) {
            memcpy(word, colon + 1, length);
            word[length] = 0;
            known = take_word(&scratch, word);
        }
        t->length = known ? (size_t)(colon - t->file) : t->length;
    }
    for (size_t at = t->length; at < all;) {
        size_t length = strcspn(t->file + at + 1, ":");
        memcpy(word, t->file + at + 1, length);
        word[length] = 0;
        take_word(t, word);
        at += length + 1;
    }
}

/* Does the name of a file that is not there end in what one of the words may have been meant by? */
static bool ends_in_nearly_a_word(const struct scene_texture *t)
{
    const char *names[sizeof words / sizeof *words], *colon = memrchr(t->file, ':', t->length);
    size_t count = 0, after = colon ? (size_t)(t->file + t->length - colon) - 1 : 0;
    char *name = cli_kept(strndup(t->file, t->length));
    for (; count < sizeof words / sizeof *words; count++)
        names[count] = words[count].name;
    bool nearly = after && access(name, F_OK) != 0 && nearest_word(colon + 1, after, names, count);
    free(name);
    return nearly;
}

const char *scene_texture_take(struct scene_texture *t, const char *text)
{
    t->file = text;
    t->length = strlen(text);
    t->min = t->mag = WEFT_LINEAR;
    take_words(t);
    if (ends_in_nearly_a_word(t))
        return "words after a file's name are nearest, linear, mipmap, repeat, clamp, mirror, border, cube, array, 3d "
               "and more (the manual of weft draw has them)";
    if (!t->format != !t->size[0])
        return "texels without a heading need a size and a format, such as :16x16:R32G32B32A32_SINT";
    if (t->size[2] && t->kind != SCENE_ARRAY && t->kind != SCENE_3D)
        return "a size of three numbers is for :array and :3d";
    if (t->mip != WEFT_MIP_NONE && t->kind != SCENE_2D && !t->levels)
        return "weft makes no mip levels of cubes, arrays and 3D textures: give them all with :levels-N, or leave "
               ":mipmap out";
    if (t->mip != WEFT_MIP_NONE && !t->levels && t->format && t->format->layout == FORMAT_ANY)
        return "weft makes no mip levels of this format: give them all with :levels-N, or leave :mipmap out";
    return NULL;
}

/* ---- files ---- */

/* What is read so far: texels of the first plane and those after it. */
struct loading {
    const struct scene_texture *t;
    weft_texture *texture;
    size_t at;      /* bytes that are there */
    uint32_t plane; /* pictures that are there: level by level, slice by slice */
    uint32_t files; /* of all */
};

static bool begin(struct loading *l, const char *path, uint32_t width, uint32_t height, uint32_t slices)
{
    const struct scene_texture *t = l->t;
    static const uint8_t dims[] = {
        [SCENE_2D] = IR_TEX_2D, [SCENE_CUBE] = IR_TEX_CUBE, [SCENE_ARRAY] = IR_TEX_2D, [SCENE_3D] = IR_TEX_3D};
    bool made = t->mip != WEFT_MIP_NONE && !t->levels;
    const struct texture_desc d = {.format = t->format ? t->format : &formats[FORMAT_R8G8B8A8_UNORM],
                                   .dim = dims[t->kind],
                                   .array = t->kind == SCENE_ARRAY,
                                   .width = width,
                                   .height = height,
                                   .depth = t->kind == SCENE_3D ? slices : 1,
                                   .layers = t->kind == SCENE_ARRAY ? slices : 1,
                                   .levels = made ? 0 : t->levels ? t->levels : 1};
    if (t->kind == SCENE_CUBE && width != height) {
        cli_message("'%s' cannot be a face of a cube: it is %ux%u, and a face is as wide as it is high", path, width,
                    height);
        return false;
    }
    weft_status status = texture_create(&d, &l->texture);
    if (status != WEFT_OK)
        cli_message("'%s' cannot be a texture: %s", path, weft_status_name(status));
    return status == WEFT_OK;
}

/* The level that picture number `plane` is of. */
static const struct texture_level *level_of(const weft_texture *t, uint32_t plane)
{
    for (uint32_t i = 0; i < t->levels; i++) {
        if (plane < (uint32_t)t->level[i].depth)
            return &t->level[i];
        plane -= (uint32_t)t->level[i].depth;
    }
    return NULL;
}

static bool too_many(const char *path)
{
    cli_message("'%s' is one picture more than the texture has", path);
    return false;
}

/* Pictures have no levels of slices in them: how many there are follows from the number of files. */
static bool add_picture(struct loading *l, const char *path, const struct image *image)
{
    uint32_t levels = l->t->levels ? l->t->levels : 1;
    if (!l->texture && !begin(l, path, image->width, image->height, l->files / levels ? l->files / levels : 1))
        return false;
    const struct texture_level *level = level_of(l->texture, l->plane++);
    if (!level)
        return too_many(path);
    if ((uint32_t)level->width != image->width || (uint32_t)level->height != image->height) {
        cli_message("'%s' is %ux%u, and %s is %dx%d", path, image->width, image->height,
                    level == l->texture->level ? "the first picture of the texture" : "a picture of its level",
                    level->width, level->height);
        return false;
    }
    size_t bytes = (size_t)image->width * image->height * 4;
    memcpy(l->texture->data + l->at, image->rgba, bytes);
    l->at += bytes;
    return true;
}

static bool add_texels(struct loading *l, const char *path, const struct cli_bytes *in)
{
    const uint32_t *size = l->t->size;
    if (!l->texture && !begin(l, path, size[0], size[1], size[2] ? size[2] : 1))
        return false;
    if (in->size > l->texture->size - l->at)
        return too_many(path);
    memcpy(l->texture->data + l->at, in->data, in->size);
    l->at += in->size;
    return true;
}

static bool add_file(struct loading *l, const char *path, weft_diags *diags)
{
    struct cli_bytes in;
    struct image image;
    bool fine = cli_read(path, &in);
    if (fine && l->t->format) {
        fine = add_texels(l, path, &in);
    } else if (fine) {
        fine = image_decode_png(in.data, in.size, in.name, &image, diags) == WEFT_OK;
        if (fine) {
            fine = add_picture(l, path, &image);
            image_free(&image);
        }
    }
    free(in.data);
    return fine;
}

/* All that is there is level 0 where weft makes the others, else it is the whole. */
static bool is_whole(const struct loading *l)
{
    const struct texture_level *first = &l->texture->level[0];
    bool made = l->t->mip != WEFT_MIP_NONE && !l->t->levels;
    size_t whole = made ? (size_t)first->width * (size_t)first->height * l->texture->format->bytes : l->texture->size;
    if (l->at == whole)
        return true;
    cli_message("'%.*s' has %zu bytes of texels, and the texture has %zu: %dx%d%s of %s%s", (int)l->t->length,
                l->t->file, l->at, whole, first->width, first->height, first->depth > 1 ? " and more slices" : "",
                l->texture->format->name, l->t->levels > 1 ? ", with its levels" : "");
    return false;
}

static bool load_files(struct loading *l, char *paths, weft_diags *diags)
{
    bool fine = true;
    l->files = 1;
    for (const char *p = paths; *p; p++)
        l->files += *p == *scene_texture_separator(l->t);
    if (l->t->kind == SCENE_CUBE && !l->t->format && l->files != 6 * (l->t->levels ? l->t->levels : 1)) {
        cli_message("a cube is six files for each level, +x,-x,+y,-y,+z,-z, and '%s' is %u", paths, l->files);
        return false;
    }
    for (char *path; fine && (path = strsep(&paths, scene_texture_separator(l->t))) != NULL;)
        fine = add_file(l, path, diags);
    return fine && is_whole(l);
}

void scene_texture_sampler(const struct scene_texture *t, weft_sampler *sampler)
{
    sampler->min_filter = t->min;
    sampler->mag_filter = t->mag;
    sampler->mip_filter = t->mip;
    sampler->wrap_s = t->wrap[0];
    sampler->wrap_t = t->wrap[1];
    sampler->wrap_r = t->wrap[2];
    sampler->compare = t->compare;
    sampler->compare_op = t->compare_op;
}

bool scene_texture_load(const struct scene_texture *t, weft_texture **texture, weft_sampler *sampler, weft_diags *diags)
{
    struct loading l = {.t = t};
    char *paths = cli_kept(strndup(t->file, t->length));
    bool fine = paths && load_files(&l, paths, diags);
    free(paths);
    if (!fine) {
        weft_texture_free(l.texture);
        return false;
    }
    if (t->mip != WEFT_MIP_NONE && !t->levels)
        texture_make_mipmaps(l.texture);
    scene_texture_sampler(t, sampler);
    *texture = l.texture;
    return true;
}

bool scene_texture_distinct(const struct scene_texture *t, const struct cli_command *command, const char *output)
{
    char *path = t->file ? cli_kept(strndup(t->file, t->length)) : NULL;
    bool distinct = true;
    for (char *next = path, *file; distinct && (file = strsep(&next, scene_texture_separator(t))) != NULL;)
        distinct = cli_distinct(command, file, output);
    free(path);
    return distinct;
}
