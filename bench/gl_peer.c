/* gl_peer.c - measures how fast the OpenGL ES implementation at hand runs one fragment shader, or a workload of
 * workload.h, whose files it reads from the source tree: the current folder.
 *
 * A process of its own, started by bench for one measurement: which implementation it gets is decided by
 * the environment it starts with (GALLIUM_DRIVER), and nothing that a GL library leaves behind can
 * disturb the next measurement. It draws a full-screen triangle strip, or what the workload says, into a framebuffer
 * object, without a window (EGL's surfaceless platform), and prints
 *
 *     note=TEXT                        where the implementation does less than it was asked for
 *     renderer=NAME
 *     frames=N cpu=SECONDS rate=RATE
 *
 * where RATE is millions of fragments, or of the workload's units, per second of CPU time. Every frame is flushed and
 * finished: without it a tiled implementation drops frames that the next one covers.
 *
 * Exit status: 0 measured, 1 the shader or a file is at fault, 2 wrong usage, 77 no such GL here. */
#include "gl_context.h"
#include "twin.h"
#include "gl_workload.h"

#include "device/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_FRAMES = 3, MAX_FRAMES = 1 << 20 };

struct options {
    const char *shader, *vertex, *texture, *dump;
    int mesh;        /* of a vertex shader */
    GLsizei indices; /* of the mesh; 0: a quad */
    const struct workload *workload; /* NULL: a shader */
    int width, height;
    bool is_float, linear;
    double seconds;
    double fragments; /* of a frame; 0: every pixel */
    float time;
};

static const char usage[] =
    "usage: gl_peer [--size WxH] [--float] [--texture FILE.png [--linear]] [--time T] [--seconds S]\n"
    "               [--vertex SHADER.vert --mesh NUMBER] [--fragments N] [--dump OUT.raw] SHADER.frag\n"
    "       gl_peer --workload NAME [--seconds S] [--dump OUT.raw]\n";

/* ---- what every twin is compiled with ---- */

static const char vertex_source[] = "#version 300 es\n"
                                    "out vec2 v_uv;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                    "    v_uv = corner;\n"
                                    "    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);\n"
                                    "}\n";

static void use_twin(const struct options *o)
{
    char *source = read_text(o->shader), *placed = o->vertex ? read_text(o->vertex) : NULL;
    const struct gl_shader quad[] = {{GL_VERTEX_SHADER, "", vertex_source, "vertex shader"},
                                     {GL_FRAGMENT_SHADER, TWIN_PREFIX, source, o->shader}};
    const struct gl_shader mesh[] = {{GL_VERTEX_SHADER, TWIN_MESH_PREFIX, placed, o->vertex},
                                     {GL_FRAGMENT_SHADER, TWIN_MESH_PREFIX, source, o->shader}};
    GLuint program = make_program(placed ? mesh : quad, 2);
    free(source);
    free(placed);
    glUniform4f(glGetUniformLocation(program, "u_par"), o->time, 1.0f / (float)o->width, 1.0f / (float)o->height,
                (float)o->width / (float)o->height);
    glUniform1i(glGetUniformLocation(program, "u_tex"), 0);
}

/* Position and normal of the mesh that weft makes, drawn with the state that weft draws it with. */
static GLsizei bind_mesh(const struct options *o)
{
    struct mesh mesh = {0};
    if (mesh_make((weft_mesh)o->mesh, &mesh) != WEFT_OK)
        fail(EXIT_INPUT, "no such mesh, or no memory", NULL);
    const size_t at[] = {offsetof(struct mesh_vertex, position), offsetof(struct mesh_vertex, normal)};
    bind_buffer(GL_ARRAY_BUFFER, mesh.vertices, mesh.nvertices * sizeof *mesh.vertices);
    bind_buffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices, mesh.nindices * sizeof *mesh.indices);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, sizeof *mesh.vertices, (const void *)at[i]);
    }
    GLsizei count = (GLsizei)mesh.nindices;
    mesh_free(&mesh);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    return count;
}

/* ---- the result ---- */

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        fail(EXIT_INPUT, path, "cannot be written");
}

/* RGBA 32-bit floats, row 0 at the bottom: what `weft draw -o OUT.raw` writes. */
static void dump_picture(const struct options *o)
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
    write_file(o->dump, pixels, count * sizeof *pixels);
    free(pixels);
}

/* The bytes of the workload's result. */
static void dump_workload(const struct options *o)
{
    size_t size = workload_result_size(o->workload);
    void *bytes = malloc(size);
    if (!bytes)
        fail(EXIT_INPUT, "no memory", NULL);
    gl_workload_read(o->workload, bytes);
    write_file(o->dump, bytes, size);
    free(bytes);
}

/* ---- measuring ---- */

static void draw_frame(const struct options *o)
{
    if (o->workload) {
        gl_workload_frame(o->workload);
    } else if (o->indices) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, o->indices, GL_UNSIGNED_INT, NULL);
    } else {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

static double draw_frames(const struct options *o, int frames)
{
    double start = cpu_seconds();
    for (int i = 0; i < frames; i++) {
        draw_frame(o);
        glFlush();
        glFinish();
    }
    return cpu_seconds() - start;
}

/* Draw ever more frames until they take long enough to be measured. */
static void measure(const struct options *o)
{
    /* The first frame compiles the shader; slow implementations need no more than that to be warm. */
    double warm = 0;
    for (int i = 0; i < WARM_UP_FRAMES && warm < o->seconds; i++)
        warm += draw_frames(o, 1);
    int frames = 1;
    double cpu = draw_frames(o, frames);
    while (cpu < o->seconds && frames < MAX_FRAMES) {
        double factor = cpu > 0.0 ? 1.2 * o->seconds / cpu : 16.0;
        frames = (int)(frames * (factor < 2.0 ? 2.0 : factor > 16.0 ? 16.0 : factor));
        cpu = draw_frames(o, frames);
    }
    if (glGetError() != GL_NO_ERROR)
        fail(EXIT_NO_GL, "an OpenGL error while drawing", NULL);
    double pixels = o->fragments > 0 ? o->fragments : (double)o->width * (double)o->height;
    double work = o->workload ? o->workload->work : 1e-6 * pixels;
    printf("renderer=%s\n", (const char *)glGetString(GL_RENDERER));
    printf("frames=%d cpu=%.6f rate=%.6f\n", frames, cpu, work * (double)frames / cpu);
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
        else if (!strcmp(word, "--vertex"))
            o.vertex = value;
        else if (!strcmp(word, "--mesh"))
            ok = sscanf(value, "%d", &o.mesh) == 1;
        else if (!strcmp(word, "--fragments"))
            ok = sscanf(value, "%lf", &o.fragments) == 1;
        else if (!strcmp(word, "--texture"))
            o.texture = value;
        else if (!strcmp(word, "--time"))
            ok = sscanf(value, "%f", &o.time) == 1;
        else if (!strcmp(word, "--seconds"))
            ok = sscanf(value, "%lf", &o.seconds) == 1;
        else if (!strcmp(word, "--dump"))
            o.dump = value;
        else if (!strcmp(word, "--workload"))
            ok = (o.workload = workload_find(value)) != NULL;
        else
            ok = false;
        if (!ok)
            fail(EXIT_USAGE, word, usage);
        i++;
    }
    if (!o.workload && !o.shader)
        fail(EXIT_USAGE, "no shader", usage);
    return o;
}

int main(int argc, char **argv)
{
    struct options o = parse(argc, argv);
    if (o.workload) {
        open_context(1);
        gl_workload_make(o.workload);
    } else {
        open_context(0);
        bind_target(o.width, o.height, o.is_float, o.vertex != NULL);
        use_twin(&o);
        if (o.vertex)
            o.indices = bind_mesh(&o);
        if (o.texture)
            bind_texture(o.texture, !o.linear);
    }
    measure(&o);
    if (o.dump)
        (o.workload ? dump_workload : dump_picture)(&o);
    return 0;
}
