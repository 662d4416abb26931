/* scenes.h - the pictures that are measured: those of examples/tgsi/gallery.txt, and their GLSL twins. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include "cli/scene.h"

enum { SCENE_PATH = 512, MAX_SCENES = 64 };

struct example {
    const char *name;
    struct scene_args args;
    char shader[SCENE_PATH];  /* the GLSL twin; empty: there is none */
    char vertex[SCENE_PATH];  /* its vertex shader, and the mesh has a name; empty: a quad */
    char texture[SCENE_PATH]; /* of sampler 0; empty: none */
    bool mipmap;
};

/* Read the gallery into scenes[MAX_SCENES]; they point into *text, which the caller frees. Returns how many there are.
 * The source tree is the current folder. */
size_t read_gallery(struct example *scenes, char **text);

/* A TGSI program from a file; NULL, having said why. */
weft_program *load_program(const char *path);

/* The engine that is measured: the JIT where there is one, unless the environment's WEFT_ENGINE is "interp". */
weft_engine bench_engine(void);

#endif
