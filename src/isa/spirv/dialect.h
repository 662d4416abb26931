/* dialect.h - GLSL of OpenGL, OpenGL ES and WebGL as GLSL that glslang makes SPIR-V of. */
#ifndef WEFT_ISA_SPIRV_DIALECT_H
#define WEFT_ISA_SPIRV_DIALECT_H

#include "isa/spirv/preprocess.h"

/* What a shader is compiled as. Versions below those that SPIR-V has are compiled as the next that is alike, with the
 * older functions and outputs declared before the text. */
struct spirv_dialect {
    struct spirv_text text; /* begins with as many bytes and lines as the source has: places stay as they are */
    const char *preamble;
    int version; /* struct spirv_source has these two */
    bool es;
    bool opengl; /* gl_FragCoord counts from the bottom: not #version 450, 460, 310 es or 320 es */
};

/* What it includes is changed as the text is. False: no memory. */
bool spirv_read_dialect(const struct source *src, weft_stage stage, struct spirv_includes *includes,
                        struct spirv_dialect *out);
/* It has no #version, or one that Vulkan does not have: GLSL below 1.40, ESSL below 3.10, a compatibility profile. */
bool spirv_is_older(const struct spirv_text *text);
/* A shader of a page: it has mainImage, and no main. It is a fragment program, and counts from the bottom. */
bool spirv_is_page(const struct source *src);
/* The names that the source has, in the messages of the compiler, and nothing about its version. */
void spirv_own_names(struct spirv_messages *messages, struct arena *arena);
/* The same for names and source in a module. */
void spirv_own_words(struct spirv_words words);
/* A module of OpenGL: its fragments count from the bottom. */
void spirv_lower_left(struct spirv_words words);

#endif
