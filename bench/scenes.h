/* scenes.h - what is measured: the pictures of examples/tgsi/gallery.txt. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <weft/draw.h>

enum { SCENE_NAME = 32, SCENE_PATH = 512, MAX_SCENES = 64 };

struct scene {
    char name[SCENE_NAME];
    char shader[SCENE_PATH];
    char vertex[SCENE_PATH];  /* empty: none */
    char texture[SCENE_PATH]; /* of sampler 0; empty: none */
    char twin[SCENE_PATH];    /* the GLSL twin; empty: there is none */
    bool mipmap;
    weft_mesh mesh;
};

/* Read the gallery of the source tree at `root` into scenes[MAX_SCENES]. Returns how many there are; 0 when
 * it cannot be read. Lines with options that bench does not know are left out, with a message. */
size_t read_gallery(const char *root, struct scene *scenes);

/* A scene made ready to draw. */
struct scene_data {
    weft_program *fragment, *vertex;
    weft_texture *texture;
    weft_draw_params params;
};

/* False, with a message on standard error, when a file is missing or at fault. */
bool load_scene(const struct scene *scene, struct scene_data *data);
void free_scene(struct scene_data *data);

/* A TGSI program from a text file, a texture from a PNG; NULL, with a message, when that fails. */
weft_program *load_program(const char *path);
weft_texture *load_texture(const char *path, bool mipmap);

/* Print what a list of diagnostics says to standard error. */
void print_diagnostics(const weft_diags *diags);

/* The whole of a file, terminated; NULL when it cannot be read. The caller frees it. */
char *read_file(const char *path, size_t *size);

#endif
