/* gl_peer.c - measures how fast the OpenGL ES implementation at hand runs one fragment shader.
 *
 * A process of its own, started by bench for one measurement: which implementation it gets is decided by
 * the environment it starts with (GALLIUM_DRIVER), and nothing that a GL library leaves behind can
 * disturb the next measurement. It draws a full-screen triangle strip into a framebuffer object,
 * without a window (EGL's surfaceless platform), and prints
 *
 *     renderer=NAME
 *     frames=N cpu=SECONDS mfragments=RATE
 *
 * where RATE is millions of fragments per second of CPU time. Every frame is flushed and finished: without it
 * a tiled implementation drops frames that the next one covers.
 *
 * Exit status: 0 measured, 1 the shader or a file is at fault, 2 wrong usage, 77 no such GL here. */
#include "png_file.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_NO_GL = 77 };
enum { WARM_UP_FRAMES = 3, MAX_FRAMES = 1 << 20, MAX_SHADER_SIZE = 1 << 20, LOG_SIZE = 4096 };

struct options {
    const char *shader, *texture, *dump;
    int width, height;
    bool is_float, linear;
    double seconds;
    float time;
};

static const char usage[] =
    "usage: gl_peer [--size WxH] [--float] [--texture FILE.png [--linear]] [--time T] [--seconds S]\n"
    "               [--dump OUT.raw] SHADER.frag\n";

static _Noreturn void fail(int status, const char *what, const char *detail)
{
    fprintf(stderr, "gl_peer: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    exit(status);
}

/* ---- what every twin is compiled with ---- */

static const char vertex_source[] = "#version 300 es\n"
                                    "out vec2 v_uv;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                    "    v_uv = corner;\n"
                                    "    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);\n"
                                    "}\n";

/* The twins see what a TGSI example sees: GENERIC[0], CONST[0][0], sampler 0, COLOR. */
static const char fragment_prefix[] = "#version 300 es\n"
                                      "precision highp float;\n"
                                      "precision highp int;\n"
                                      "precision highp sampler2D;\n"
                                      "in vec2 v_uv;\n"
                                      "uniform vec4 u_par;\n"
                                      "uniform sampler2D u_tex;\n"
                                      "out vec4 o_color;\n"
                                      "#line 1\n";

static char *read_text(const char *path)
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

static void use_program(const struct options *o)
{
    char *source = read_text(o->shader);
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, "", vertex_source, "vertex shader"));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_prefix, source, o->shader));
    free(source);
    glLinkProgram(program);
    GLint ok = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        char log[LOG_SIZE];
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fail(EXIT_INPUT, o->shader, log);
    }
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "u_par"), o->time, 1.0f / (float)o->width, 1.0f / (float)o->height,
                (float)o->width / (float)o->height);
    glUniform1i(glGetUniformLocation(program, "u_tex"), 0);
}

/* ---- texture 0 ---- */

/* The next smaller level, by the rule of weft_texture_new: (a + b + c + d + 2) >> 2. Sizes of textures
 * here are powers of two. */
static void halve(unsigned char *pixels, unsigned *width, unsigned *height)
{
    unsigned w = *width > 1 ? *width / 2 : 1, h = *height > 1 ? *height / 2 : 1;
    unsigned dx = *width > 1 ? 1 : 0, dy = *height > 1 ? 1 : 0;
    for (unsigned y = 0; y < h; y++) {
        for (unsigned x = 0; x < w; x++) {
            const unsigned char *a = pixels + 4 * ((size_t)(y << dy) * *width + (x << dx));
            const unsigned char *b = a + 4 * (size_t)dy * *width;
            for (unsigned c = 0; c < 4; c++)
                pixels[4 * ((size_t)y * w + x) + c] =
                    (unsigned char)((a[c] + a[4 * dx + c] + b[c] + b[4 * dx + c] + 2) >> 2);
        }
    }
    *width = w;
    *height = h;
}

/* With its mipmaps, or with its first level alone. */
static void bind_texture(const char *path, bool mipmaps)
{
    char message[128];
    unsigned width, height;
    unsigned char *pixels = read_png(path, &width, &height, message, sizeof message);
    if (!pixels)
        fail(EXIT_INPUT, path, message);

    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    for (GLint level = 0;; level++) {
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels);
        if (!mipmaps || (width == 1 && height == 1))
            break;
        halve(pixels, &width, &height);
    }
    free(pixels);
}

/* ---- the target ---- */

static void open_context(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display =
        get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        fail(EXIT_NO_GL, "no surfaceless EGL display", NULL);
    static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    static const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1)
        fail(EXIT_NO_GL, "no EGL configuration for OpenGL ES 3", NULL);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail(EXIT_NO_GL, "no OpenGL ES 3 context", NULL);
}

static void bind_target(const struct options *o)
{
    GLuint buffer, framebuffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, o->is_float ? GL_RGBA32F : GL_RGBA8, o->width, o->height);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail(EXIT_NO_GL, "no framebuffer of this format", NULL);
    glViewport(0, 0, o->width, o->height);
    glDisable(GL_DITHER);
}

/* RGBA 32-bit floats, row 0 at the bottom: what `weft draw -o OUT.raw` writes. */
static void dump(const struct options *o)
{
    size_t count = 4 * (size_t)o->width * (size_t)o->height;
    float *pixels = malloc(count * sizeof *pixels);
    if (!pixels)
        fail(EXIT_INPUT, "no memory", NULL);
    if (o->is_float) {
        glReadPixels(0, 0, o->width, o->height, GL_RGBA, GL_FLOAT, pixels);
    } else {
        /* Read the bytes into the upper end, then spread them from the lower one. */
        unsigned char *bytes = (unsigned char *)pixels + count * 3;
        glReadPixels(0, 0, o->width, o->height, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
        for (size_t i = 0; i < count; i++) {
            float value = (float)bytes[i] / 255.0f;
            memcpy(pixels + i, &value, sizeof value);
        }
    }
    FILE *f = fopen(o->dump, "wb");
    if (!f || fwrite(pixels, sizeof *pixels, count, f) != count || fclose(f))
        fail(EXIT_INPUT, o->dump, "cannot be written");
    free(pixels);
}

/* ---- measuring ---- */

static double cpu_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static double draw_frames(int frames)
{
    double start = cpu_seconds();
    for (int i = 0; i < frames; i++) {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glFlush();
        glFinish();
    }
    return cpu_seconds() - start;
}

/* Draw ever more frames until they take long enough to be measured. */
static void measure(const struct options *o)
{
    draw_frames(WARM_UP_FRAMES);
    int frames = 1;
    double cpu = draw_frames(frames);
    while (cpu < o->seconds && frames < MAX_FRAMES) {
        double factor = cpu > 0.0 ? 1.2 * o->seconds / cpu : 16.0;
        frames = (int)(frames * (factor < 2.0 ? 2.0 : factor > 16.0 ? 16.0 : factor));
        cpu = draw_frames(frames);
    }
    if (glGetError() != GL_NO_ERROR)
        fail(EXIT_NO_GL, "an OpenGL error while drawing", NULL);
    double fragments = (double)o->width * (double)o->height * (double)frames;
    printf("renderer=%s\n", (const char *)glGetString(GL_RENDERER));
    printf("frames=%d cpu=%.6f mfragments=%.6f\n", frames, cpu, fragments / cpu * 1e-6);
}

static struct options parse(int argc, char **argv)
{
    struct options o = {.width = 512, .height = 512, .seconds = 0.5};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(word, "--float")) {
            o.is_float = true;
            continue;
        }
        if (!strcmp(word, "--linear")) {
            o.linear = true;
            continue;
        }
        if (word[0] != '-') {
            o.shader = word;
            continue;
        }
        bool ok = true;
        if (!strcmp(word, "--size"))
            ok = sscanf(value, "%dx%d", &o.width, &o.height) == 2 && o.width > 0 && o.height > 0;
        else if (!strcmp(word, "--texture"))
            o.texture = value;
        else if (!strcmp(word, "--time"))
            ok = sscanf(value, "%f", &o.time) == 1;
        else if (!strcmp(word, "--seconds"))
            ok = sscanf(value, "%lf", &o.seconds) == 1;
        else if (!strcmp(word, "--dump"))
            o.dump = value;
        else
            ok = false;
        if (!ok)
            fail(EXIT_USAGE, word, usage);
        i++;
    }
    if (!o.shader)
        fail(EXIT_USAGE, "no shader", usage);
    return o;
}

int main(int argc, char **argv)
{
    struct options o = parse(argc, argv);
    open_context();
    bind_target(&o);
    use_program(&o);
    if (o.texture)
        bind_texture(o.texture, !o.linear);
    measure(&o);
    if (o.dump)
        dump(&o);
    return 0;
}
