/* scenes.c - reads the gallery and what its pictures are made of. */
#include "scenes.h"

#include "png_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/program.h>

enum { MAX_LINE = 1024, MAX_FILE = 1 << 24 };

char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long end = ftell(f);
        if (end >= 0 && end <= MAX_FILE && fseek(f, 0, SEEK_SET) == 0 && (text = malloc((size_t)end + 1)) != NULL) {
            *size = fread(text, 1, (size_t)end, f);
            text[*size] = '\0';
        }
    }
    fclose(f);
    return text;
}

void print_diagnostics(const weft_diags *diags)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(diags, i)) != NULL; i++) {
        char text[2048];
        weft_diag_format(d, 0, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

/* ---- the gallery ---- */

/* The text up to the next '|' without the blanks around it; *line moves on behind it. */
static char *next_field(char **line)
{
    char *field = *line;
    char *end = field + strcspn(field, "|");
    *line = *end ? end + 1 : end;
    *end = '\0';
    field += strspn(field, " \t");
    size_t n = strlen(field);
    while (n > 0 && strchr(" \t\r\n", field[n - 1]))
        field[--n] = '\0';
    return field;
}

static bool set_path(char *path, const char *root, const char *name)
{
    return snprintf(path, SCENE_PATH, "%s/%s", root, name) < SCENE_PATH;
}

/* One option of `weft draw` with its value. */
static bool read_option(struct scene *s, const char *root, const char *option, const char *value)
{
    if (!value)
        return false;
    if (!strcmp(option, "--vertex"))
        return set_path(s->vertex, root, value);
    if (!strcmp(option, "--mesh")) {
        int mesh = weft_mesh_find(value);
        if (mesh >= 0)
            s->mesh = (weft_mesh)mesh;
        return mesh >= 0;
    }
    if (!strcmp(option, "--texture") && !strncmp(value, "0=", 2) && set_path(s->texture, root, value + 2)) {
        char *filter = strrchr(s->texture, ':');
        if (!filter)
            return false;
        *filter++ = '\0';
        s->mipmap = !strcmp(filter, "mipmap");
        return s->mipmap || !strcmp(filter, "linear");
    }
    return false;
}

static bool read_scene(struct scene *s, const char *root, char *line)
{
    *s = (struct scene){.mesh = WEFT_MESH_QUAD};
    const char *name = next_field(&line), *shader = next_field(&line);
    char *options = next_field(&line);
    if (strlen(name) >= SCENE_NAME || !set_path(s->shader, root, shader))
        return false;
    strcpy(s->name, name);
    if (snprintf(s->twin, SCENE_PATH, "%s/bench/glsl/%s.frag", root, name) >= SCENE_PATH || access(s->twin, R_OK) != 0)
        s->twin[0] = '\0';
    char *rest = NULL;
    for (char *word = strtok_r(options, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (!read_option(s, root, word, strtok_r(NULL, " \t", &rest)))
            return false;
    }
    return true;
}

size_t read_gallery(const char *root, struct scene *scenes)
{
    char path[SCENE_PATH];
    FILE *f = set_path(path, root, "examples/tgsi/gallery.txt") ? fopen(path, "r") : NULL;
    if (!f)
        return 0;
    char line[MAX_LINE];
    size_t n = 0;
    while (n < MAX_SCENES && fgets(line, sizeof line, f)) {
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (read_scene(&scenes[n], root, line))
            n++;
        else
            fprintf(stderr, "bench: %s: left out, it has an option that bench does not know\n", scenes[n].name);
    }
    fclose(f);
    return n;
}

/* ---- one scene ---- */

weft_program *load_program(const char *path)
{
    size_t size = 0;
    char *text = read_file(path, &size);
    if (!text) {
        fprintf(stderr, "bench: %s cannot be read\n", path);
        return NULL;
    }
    weft_diags *diags = weft_diags_new();
    weft_program *program = NULL;
    if (weft_program_from_text("tgsi", path, text, size, NULL, diags, &program) != WEFT_OK)
        print_diagnostics(diags);
    weft_diags_free(diags);
    free(text);
    return program;
}

weft_texture *load_texture(const char *path, bool mipmap)
{
    char message[128];
    unsigned width, height;
    unsigned char *pixels = read_png(path, &width, &height, message, sizeof message);
    weft_texture *texture = NULL;
    if (!pixels)
        fprintf(stderr, "bench: %s: %s\n", path, message);
    else if (weft_texture_new(WEFT_RGBA8_UNORM, width, height, pixels, mipmap, &texture) != WEFT_OK)
        fprintf(stderr, "bench: %s: no texture can be made of it\n", path);
    free(pixels);
    return texture;
}

bool load_scene(const struct scene *s, struct scene_data *data)
{
    *data = (struct scene_data){0};
    weft_draw_params_init(&data->params);
    data->params.mesh = s->mesh;
    data->params.fragment = data->fragment = load_program(s->shader);
    bool ok = data->fragment != NULL;
    if (ok && s->vertex[0]) {
        data->params.vertex = data->vertex = load_program(s->vertex);
        ok = data->vertex != NULL;
    }
    if (ok && s->texture[0]) {
        data->params.textures[0] = data->texture = load_texture(s->texture, s->mipmap);
        weft_sampler *sampler = &data->params.samplers[0];
        weft_sampler_init(sampler);
        sampler->min_filter = sampler->mag_filter = WEFT_LINEAR;
        sampler->mip_filter = s->mipmap ? WEFT_MIP_LINEAR : WEFT_MIP_NONE;
        ok = data->texture != NULL;
    }
    if (!ok)
        free_scene(data);
    return ok;
}

void free_scene(struct scene_data *data)
{
    weft_program_free(data->fragment);
    weft_program_free(data->vertex);
    weft_texture_free(data->texture);
    *data = (struct scene_data){0};
}
