/* twins.c - what SPIR-V costs: the pictures of the gallery from their GLSL twins against those from TGSI, by both
 * engines, and how fast modules are validated, checked and lifted. */
#include "bench.h"
#include "statistics.h"
#include "twin.h"

#include "tools/gallery_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/program.h>

/* ---- the twin as a file ---- */

static bool write_twin(const char *shader, const char *prefix, char *path, size_t size)
{
    struct cli_bytes in;
    const char *extension = strrchr(shader, '.'); /* .vert, .frag */
    snprintf(path, size, "/tmp/weft-bench-XXXXXX%s", extension);
    int fd = mkstemps(path, (int)strlen(extension));
    bool fine = fd >= 0 && cli_read(shader, &in);
    if (fine) {
        fine = cli_write_all(fd, prefix, strlen(prefix)) && cli_write_all(fd, in.data, in.size);
        free(in.data);
    }
    if (fd >= 0)
        close(fd);
    return fine;
}

/* The same picture by the twin: its texture and its parameters have names. */
static void name_all(const struct example *e, const struct options *o, const char *path, const char *vertex,
                     char *parameters, size_t size, struct scene_args *args)
{
    double w = o->width, h = o->height;
    *args = e->args;
    args->shader = path;
    args->vertex = vertex[0] ? vertex : args->vertex;
    args->target.isa = "glsl";
    snprintf(parameters, size, "u_par=%.9g,%.9g,%.9g,%.9g", (double)args->params.time, (double)(float)(1 / w),
             (double)(float)(1 / h), (double)(float)(w / h));
    args->uniform[args->uniforms++] = parameters;
    if (!args->texture[0].file)
        return;
    args->named[0] = args->texture[0];
    args->named[0].name = "u_tex";
    args->named[0].name_length = 5;
    args->nnamed = 1;
    args->texture[0].file = NULL;
}

/* ---- measuring ---- */

static bool load(const struct scene_args *args, struct scene *scene)
{
    weft_diags *diags = weft_diags_new();
    bool ok = scene_load(scene, args, &gallery_command, diags) == STATUS_FINE;
    if (!ok) {
        cli_report(diags);
        scene_free(scene);
    }
    weft_diags_free(diags);
    return ok;
}

/* Millions of fragments per CPU second, one thread; negative after an error. *repeat is kept for the next time. */
static double rate(const struct options *o, struct scene *scene, weft_engine engine, uint32_t *repeat,
                   weft_picture *picture)
{
    scene->params.threads = 1;
    scene->params.engine = engine;
    for (;;) {
        weft_draw_stats s;
        weft_diags *diags = weft_diags_new();
        scene->params.repeat = *repeat;
        weft_status status = weft_draw(&scene->params, picture, &s, diags);
        if (status != WEFT_OK)
            cli_report(diags);
        weft_diags_free(diags);
        if (status != WEFT_OK)
            return -1;
        if (s.cpu_seconds >= o->seconds || *repeat >= MAX_REPEAT)
            return 1e-6 * (double)s.fragments / s.cpu_seconds;
        double factor = s.cpu_seconds > 0 ? 1.2 * o->seconds / s.cpu_seconds : 16;
        *repeat = (uint32_t)(*repeat * fmin(fmax(factor, 2), 16));
    }
}

enum { INTERP, JIT, ENGINES };

/* The twin over TGSI by each engine, medians of the rounds, in turns. */
static bool compare(const struct options *o, struct scene *tgsi, struct scene *twin, double ratio[ENGINES])
{
    static const weft_engine engines[ENGINES] = {WEFT_ENGINE_INTERP, WEFT_ENGINE_JIT};
    weft_picture picture;
    if (weft_picture_new(WEFT_RGBA8_UNORM, o->width, o->height, &picture) != WEFT_OK)
        return false;
    bool ok = true;
    for (int k = 0; k < ENGINES && ok; k++) {
        double each[MAX_ROUNDS];
        uint32_t repeat[2] = {1, 1};
        ratio[k] = -1;
        if (k == JIT && !weft_jit())
            break;
        for (unsigned r = 0; r < o->rounds && ok; r++) {
            double a = rate(o, tgsi, engines[k], &repeat[0], &picture);
            double b = rate(o, twin, engines[k], &repeat[1], &picture);
            ok = a > 0 && b > 0;
            each[r] = b / a;
        }
        ratio[k] = ok ? median(each, o->rounds) : -1;
    }
    weft_picture_free(&picture);
    return ok;
}

/* A module's way from its words to lane IR, MB per CPU second; *bytes is its size. */
static double module_rate(const struct options *o, const weft_program *twin, size_t *bytes)
{
    uint8_t *words = NULL;
    double begun, taken = 0;
    size_t done = 0;
    bool ok = weft_program_bytes(twin, &words, bytes, NULL) == WEFT_OK;
    begun = cpu_seconds();
    while (ok && taken < o->seconds) {
        weft_program *p = NULL;
        weft_program_options options;
        weft_program_options_init(&options);
        options.stage = WEFT_FRAGMENT;
        ok = weft_program_from_bytes("spirv", "twin", words, *bytes, &options, NULL, &p) == WEFT_OK &&
             weft_program_check(p, NULL) == WEFT_OK;
        weft_program_free(p);
        done += *bytes;
        taken = cpu_seconds() - begun;
    }
    weft_free(words);
    return ok ? 1e-6 * (double)done / taken : -1;
}

static void print_rates(const char *name, const double ratio[ENGINES], double mb, size_t bytes)
{
    printf("%-12s %9.3f ", name, ratio[INTERP]);
    if (ratio[JIT] > 0)
        printf("%9.3f", ratio[JIT]);
    else
        printf("%9s", "-");
    printf(" %9.1f %9zu\n", mb, bytes);
    fflush(stdout);
}

static bool measure(const struct options *o, const struct example *e, struct geomean mean[ENGINES],
                    struct geomean *modules)
{
    static struct scene_args args;
    struct scene tgsi, twin;
    char path[64], vertex[64] = "", parameters[128];
    const char *prefix = e->vertex[0] ? TWIN_MESH_PREFIX : TWIN_PREFIX;
    bool ok = write_twin(e->shader, prefix, path, sizeof path) &&
              (!e->vertex[0] || write_twin(e->vertex, TWIN_MESH_PREFIX, vertex, sizeof vertex));
    if (ok) {
        name_all(e, o, path, vertex, parameters, sizeof parameters, &args);
        ok = load(&e->args, &tgsi);
    }
    if (ok && !load(&args, &twin)) {
        scene_free(&tgsi);
        ok = false;
    }
    if (ok) {
        double ratio[ENGINES] = {-1, -1};
        size_t bytes = 0;
        ok = compare(o, &tgsi, &twin, ratio);
        double mb = module_rate(o, twin.params.fragment, &bytes);
        print_rates(e->name, ratio, mb, bytes);
        geomean_add(&mean[INTERP], ratio[INTERP]);
        geomean_add(&mean[JIT], ratio[JIT]);
        geomean_add(modules, mb);
        scene_free(&tgsi);
        scene_free(&twin);
    }
    unlink(path);
    if (vertex[0])
        unlink(vertex);
    return ok;
}

bool bench_twins(const struct options *o)
{
    static struct example scenes[MAX_SCENES];
    char *text = NULL;
    struct geomean mean[ENGINES] = {{0}, {0}}, modules = {0};
    bool ok = true;
    if (!weft_shader_compilers()) {
        printf("\nGLSL twins: left out: weft was built without shader compilers\n");
        return true;
    }
    size_t count = read_gallery(scenes, &text);
    printf("\nGLSL twins against TGSI, one thread, %ux%u, medians of %u; MB/s of SPIR-V from words to lane IR\n\n",
           o->width, o->height, o->rounds);
    printf("%-12s %9s %9s %9s %9s\n", "", "interp", "JIT", "MB/s", "bytes");
    for (size_t i = 0; i < count; i++)
        if (scenes[i].shader[0] && !measure(o, &scenes[i], mean, &modules)) {
            printf("%-12s failed\n", scenes[i].name);
            ok = false;
        }
    printf("\nGeometric means: %.3f by the interpreter, %.3f by the JIT (goal 0.9), %.1f MB/s (goal 20)\n",
           geomean_get(&mean[INTERP]), geomean_get(&mean[JIT]), geomean_get(&modules));
    free(text);
    return ok;
}
