/* gl_context.c - an OpenGL ES context without a window, and what it draws with. */
#include "gl_context.h"

#include "device/image.h"
#include "device/texture.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_SHADER_SIZE = 1 << 20, LOG_SIZE = 4096 };

_Noreturn void fail(int status, const char *what, const char *detail)
{
    fprintf(stderr, "gl_peer: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    exit(status);
}

double cpu_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* ---- programs ---- */

char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail(EXIT_INPUT, path, "cannot be read");
    char *text = malloc(MAX_SHADER_SIZE + 1);
    if (!text)
        fail(EXIT_INPUT, "no memory", NULL);
    size_t size = fread(text, 1, MAX_SHADER_SIZE, f);
    fclose(f);
    text[size] = '\0';
    return text;
}

static GLuint compile(GLenum kind, const char *prefix, const char *source, const char *name)
{
    GLuint shader = glCreateShader(kind);
    const char *parts[2] = {prefix, source};
    glShaderSource(shader, 2, parts, NULL);
    glCompileShader(shader);
    GLint ok = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char log[LOG_SIZE];
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fail(EXIT_INPUT, name, log);
    }
    return shader;
}

GLuint make_program(const struct gl_shader *shaders, unsigned count)
{
    GLuint program = glCreateProgram();
    for (unsigned i = 0; i < count; i++)
        glAttachShader(program, compile(shaders[i].kind, shaders[i].prefix, shaders[i].source, shaders[i].name));
    glLinkProgram(program);
    GLint ok = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        char log[LOG_SIZE];
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fail(EXIT_INPUT, shaders[count - 1].name, log);
    }
    glUseProgram(program);
    return program;
}

/* ---- textures ---- */

void bind_texture(const char *path, bool mipmaps)
{
    struct image image;
    weft_texture *made = NULL;
    if (image_read_png(path, &image, NULL) != WEFT_OK)
        fail(EXIT_INPUT, path, "is no PNG that can be read");
    if (weft_texture_new(WEFT_RGBA8_UNORM, image.width, image.height, image.rgba, mipmaps, &made) != WEFT_OK)
        fail(EXIT_INPUT, path, "no texture can be made of it");
    image_free(&image);

    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    for (uint32_t i = 0; i < made->levels; i++)
        glTexImage2D(GL_TEXTURE_2D, (GLint)i, GL_RGBA8, made->level[i].width, made->level[i].height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texture_texel(made, i, 0, 0));
    weft_texture_free(made);
}

void bind_buffer(GLenum target, const void *data, size_t size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
}

/* ---- context and target ---- */

void open_context(int minor)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display =
        get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        fail(EXIT_NO_GL, "no surfaceless EGL display", NULL);
    static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1)
        fail(EXIT_NO_GL, "no EGL configuration for OpenGL ES 3", NULL);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail(EXIT_NO_GL, "no OpenGL ES 3 context", NULL);
}

void bind_target(int width, int height, bool is_float, bool depth)
{
    GLuint buffer, framebuffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, is_float ? GL_RGBA32F : GL_RGBA8, width, height);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    if (depth) {
        glGenRenderbuffers(1, &buffer);
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail(EXIT_NO_GL, "no framebuffer of this format", NULL);
    glViewport(0, 0, width, height);
    glDisable(GL_DITHER);
}
