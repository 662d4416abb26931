/* gl_workload.c - workloads on OpenGL ES 3.1: what workload_weft.c does, in GL's words. */
#include "gl_workload.h"

#include "gl_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GL_TEXTURE_MAX_ANISOTROPY_EXT
#define GL_TEXTURE_MAX_ANISOTROPY_EXT 0x84FE
#define GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT 0x84FF
#endif

enum { MOST_PATH = 512, STAGES = 2 };

static const char prefix[] = "#version 310 es\n"
                             "precision highp float;\n"
                             "precision highp int;\n"
                             "precision highp sampler2D;\n"
                             "#line 1\n";

static GLuint load_program(const struct workload *w, const char *const kinds[STAGES],
                           const GLenum stages[STAGES])
{
    static char path[STAGES][MOST_PATH];
    char *source[STAGES] = {NULL, NULL};
    struct gl_shader shaders[STAGES] = {{0}};
    unsigned count = 0;
    for (; count < STAGES && kinds[count]; count++) {
        snprintf(path[count], MOST_PATH, "bench/glsl/%s.%s", w->shaders, kinds[count]);
        source[count] = read_text(path[count]);
        shaders[count] = (struct gl_shader){stages[count], prefix, source[count], path[count]};
    }
    GLuint program = make_program(shaders, count);
    for (unsigned i = 0; i < count; i++)
        free(source[i]);
    return program;
}

/* ---- draws ---- */

static void bind_mesh(const struct workload *w)
{
    float *vertices;
    uint32_t *indices;
    size_t nvertices, nindices;
    if (!workload_make_mesh(w->mesh, &vertices, &nvertices, &indices, &nindices))
        fail(EXIT_INPUT, "no memory", NULL);
    const GLsizei stride = WORKLOAD_COMPONENTS * sizeof(float);
    bind_buffer(GL_ARRAY_BUFFER, vertices, nvertices * (size_t)stride);
    bind_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, nindices * sizeof *indices);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, stride, (const void *)(i * 4 * sizeof(float)));
    }
    free(vertices);
    free(indices);
}

static size_t index_count(const struct workload *w)
{
    return w->mesh == WORKLOAD_QUAD ? 6 : (size_t)(w->work * 3e6 + 0.5);
}

static void bind_anisotropy(float anisotropy)
{
    const char *extensions = (const char *)glGetString(GL_EXTENSIONS);
    GLfloat most = 1;
    if (extensions && strstr(extensions, "GL_EXT_texture_filter_anisotropic"))
        glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &most);
    if (most < anisotropy)
        printf("note=anisotropy of %.0f at most\n", (double)most);
    else
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, anisotropy);
}

static void make_draw(const struct workload *w)
{
    bind_target((int)w->width, (int)w->height, false, w->depth);
    GLuint program = load_program(w, (const char *const[STAGES]){"vert", "frag"},
                                  (const GLenum[STAGES]){GL_VERTEX_SHADER, GL_FRAGMENT_SHADER});
    glUniformMatrix4fv(glGetUniformLocation(program, "u_camera"), 1, GL_FALSE, workload_camera);
    glUniform1i(glGetUniformLocation(program, "u_texture"), 0);
    bind_mesh(w);
    if (w->texture) {
        bind_texture("examples/textures/tiles.png", true);
        if (w->anisotropy > 1)
            bind_anisotropy(w->anisotropy);
    }
    if (w->depth) {
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_LESS);
    }
    if (w->blend) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
}

/* ---- dispatches ---- */

static void make_buffers(const struct workload *w)
{
    uint32_t *numbers = malloc((size_t)w->numbers * sizeof *numbers);
    if (!numbers)
        fail(EXIT_INPUT, "no memory", NULL);
    workload_fill(numbers, w->numbers);
    const size_t sizes[] = {(size_t)w->numbers * sizeof *numbers, workload_result_size(w)};
    for (GLuint i = 0; i < 2; i++) {
        GLuint buffer;
        glGenBuffers(1, &buffer);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffer);
        glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)sizes[i], i == 0 ? numbers : NULL, GL_STATIC_DRAW);
    }
    free(numbers);
}

/* Image 1 is also what the framebuffer reads from. */
static void make_images(const struct workload *w)
{
    const size_t texels = (size_t)w->width * w->height;
    uint32_t *pixels = malloc(texels * sizeof *pixels);
    if (!pixels)
        fail(EXIT_INPUT, "no memory", NULL);
    workload_fill(pixels, texels);
    GLuint textures[2], framebuffer;
    glGenTextures(2, textures);
    for (GLuint i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, (GLsizei)w->width, (GLsizei)w->height);
        if (i == 0)
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)w->width, (GLsizei)w->height, GL_RGBA, GL_UNSIGNED_BYTE,
                            pixels);
        glBindImageTexture(i, textures[i], 0, GL_FALSE, 0, i ? GL_WRITE_ONLY : GL_READ_ONLY, GL_RGBA8);
    }
    free(pixels);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
}

/* ---- */

void gl_workload_make(const struct workload *w)
{
    if (w->mesh) {
        make_draw(w);
        return;
    }
    load_program(w, (const char *const[STAGES]){"comp", NULL}, (const GLenum[STAGES]){GL_COMPUTE_SHADER, 0});
    if (w->numbers)
        make_buffers(w);
    else
        make_images(w);
}

void gl_workload_frame(const struct workload *w)
{
    if (w->mesh) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)index_count(w), GL_UNSIGNED_INT, NULL, (GLsizei)w->instances);
        return;
    }
    if (w->numbers)
        glDispatchCompute(w->numbers / WORKLOAD_GROUP, 1, 1);
    else
        glDispatchCompute(w->width / 8, w->height / 8, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

void gl_workload_read(const struct workload *w, void *bytes)
{
    const size_t size = workload_result_size(w);
    if (!w->numbers) {
        glReadPixels(0, 0, (GLsizei)w->width, (GLsizei)w->height, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
        return;
    }
    GLint buffer = 0;
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 1, &buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)buffer);
    const void *mapped = glMapBufferRange(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (!mapped)
        fail(EXIT_NO_GL, "a buffer cannot be read", NULL);
    memcpy(bytes, mapped, size);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
}
