/* gl_context.h - an OpenGL ES context without a window (EGL's surfaceless platform), for gl_peer. Everything here ends
 * the process with a message when it cannot be done. */
#ifndef BENCH_GL_CONTEXT_H
#define BENCH_GL_CONTEXT_H

#include <GLES3/gl31.h>
#include <stdbool.h>
#include <stddef.h>

enum { EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_NO_GL = 77 };

_Noreturn void fail(int status, const char *what, const char *detail);

/* CPU time of the process, user and system. */
double cpu_seconds(void);

/* Make a context of OpenGL ES 3.minor the current one. */
void open_context(int minor);

/* Make a framebuffer object of RGBA8 or RGBA32F, with 32-bit depth or without, the one that is drawn to. */
void bind_target(int width, int height, bool is_float, bool depth);

/* A PNG as the 2D texture that is bound, repeated and linear, with its first level alone or with the mipmaps that weft
 * makes of it. */
void bind_texture(const char *path, bool mipmaps);

/* A copy of `data` as the buffer that is bound. */
void bind_buffer(GLenum target, const void *data, size_t size);

/* The whole of a file; the caller frees it. */
char *read_text(const char *path);

struct gl_shader {
    GLenum kind;
    const char *prefix, *source, *name;
};

/* Compile, link and use. */
GLuint make_program(const struct gl_shader *shaders, unsigned count);

#endif
