/* twin.h - what the GLSL twins of the gallery are compiled with: they see what a TGSI example sees, GENERIC[0],
 * CONST[0][0], sampler 0, COLOR. Those of a mesh have a vertex shader, and say themselves what goes from one to the
 * other. */
#ifndef BENCH_TWIN_H
#define BENCH_TWIN_H

#define TWIN_MESH_PREFIX                                                                                               \
    "#version 300 es\n"                                                                                                \
    "precision highp float;\n"                                                                                         \
    "precision highp int;\n"                                                                                           \
    "precision highp sampler2D;\n"                                                                                     \
    "uniform vec4 u_par;\n"                                                                                            \
    "#line 1\n"

#define TWIN_PREFIX                                                                                                    \
    "#version 300 es\n"                                                                                                \
    "precision highp float;\n"                                                                                         \
    "precision highp int;\n"                                                                                           \
    "precision highp sampler2D;\n"                                                                                     \
    "in vec2 v_uv;\n"                                                                                                  \
    "uniform vec4 u_par;\n"                                                                                            \
    "uniform sampler2D u_tex;\n"                                                                                       \
    "out vec4 o_color;\n"                                                                                              \
    "#line 1\n"

#endif
