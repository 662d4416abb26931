/* gallery.c - draw every picture of some lists, put all of them on one sheet, and say how fast it went.
 *
 * gallery LIST... FOLDER
 *
 * A list has a line `name | file | more | caption` for each picture; '#' begins a comment. A file NAME.amber is a job,
 * which is run with all its expectations, and `more` is the buffer to show: nothing, when there is nothing to see. A
 * file NAME.vpu runs on the VPU's machine, and `more` says where its frame is (gallery_boot.h). Any other file is a
 * fragment shader, and `more` are further options of weft draw. What is in examples/glsl needs glslang and SPIRV-Tools:
 * without them it is left out, and a line says so. FOLDER gets NAME.png for each, and index.png, the
 * sheet, in the lists' order from left to right and down. */
#include "gallery_boot.h"
#include "gallery_list.h"

#include "cli/picture.h"
#include "device/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <weft/isa.h>
#include <weft/job.h>

enum { MOST_ENTRIES = 256, COLUMNS = 6, CELL = 256, GAP = 8 };

/* What is kept of an entry once its file is written. */
struct drawn {
    char name[64];
    bool shown;                             /* has a thumbnail */
    bool is_job, is_boot;
    weft_draw_stats stats;                  /* of a shader */
    size_t expectations;                    /* of a job, */
    double seconds;                         /* and how long it took */
    uint8_t thumb[CELL * CELL * 4];         /* bottom row first */
};

struct gallery {
    const char *folder;
    struct drawn *drawn; /* MOST_ENTRIES of them */
    size_t count, failed;
};

/* Pixels of 8-bit RGBA; the row above `bottom` is `stride` bytes further. */
struct pixels {
    uint32_t width, height;
    const uint8_t *bottom;
    ptrdiff_t stride;
};

static bool path_of(const struct gallery *g, const char *name, char *path, size_t size)
{
    if (snprintf(path, size, "%s/%s.png", g->folder, name) < (int)size)
        return true;
    cli_message("the name '%s' is too long", name);
    return false;
}

/* ---- thumbnails ---- */

/* Mean colour of the pixels that fall into one pixel of the thumbnail, over dark grey. */
static void mean_pixel(const struct pixels *p, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, uint8_t *out)
{
    uint64_t sum[3] = {0}, count = (uint64_t)(x1 - x0) * (y1 - y0) * 255;
    for (uint32_t y = y0; y < y1; y++) {
        const uint8_t *row = p->bottom + p->stride * (ptrdiff_t)y;
        for (uint32_t x = x0; x < x1; x++)
            for (int c = 0; c < 3; c++)
                sum[c] += row[4 * x + c] * (uint64_t)row[4 * x + 3] + 32u * (uint64_t)(255 - row[4 * x + 3]);
    }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(sum[c] / count);
    out[3] = 255;
}

static void make_thumb(const struct pixels *p, uint8_t *thumb)
{
    uint32_t largest = p->width > p->height ? p->width : p->height;
    for (uint32_t y = 0; y < CELL; y++)
        for (uint32_t x = 0; x < CELL; x++) {
            uint32_t x0 = x * largest / CELL, y0 = y * largest / CELL;
            uint32_t x1 = (x + 1) * largest / CELL, y1 = (y + 1) * largest / CELL;
            x1 = x1 > x0 ? x1 : x0 + 1;
            y1 = y1 > y0 ? y1 : y0 + 1;
            if (x1 <= p->width && y1 <= p->height)
                mean_pixel(p, x0, x1, y0, y1, thumb + (y * CELL + x) * 4);
        }
}

/* ---- shaders ---- */

static bool draw_scene(const struct scene_args *args, const char *path, struct drawn *out, weft_diags *diags)
{
    struct scene scene;
    weft_picture p = {0};
    bool fine = scene_load(&scene, args, &gallery_command, diags) == STATUS_FINE &&
                scene_draw(&scene, args, WEFT_RGBA8_UNORM, &p, &out->stats, diags) == WEFT_OK;
    if (fine) {
        make_thumb(&(struct pixels){p.width, p.height, p.pixels, (ptrdiff_t)p.stride}, out->thumb);
        out->shown = true;
        fine = picture_save(path, &p, 0) == STATUS_FINE;
    }
    weft_picture_free(&p);
    scene_free(&scene);
    return fine;
}

static bool draw_shader(const struct gallery_entry *e, const char *path, struct drawn *out, weft_diags *diags)
{
    struct scene_args args;
    return gallery_scene(e, &args) && draw_scene(&args, path, out, diags);
}

/* ---- jobs ---- */

/* Pixels of which the top row is first. */
static void show_image(const struct image *image, struct drawn *out)
{
    ptrdiff_t row = (ptrdiff_t)image->width * 4;
    const uint8_t *bottom = image->rgba + row * (ptrdiff_t)(image->height - 1);
    make_thumb(&(struct pixels){image->width, image->height, bottom, -row}, out->thumb);
    out->shown = true;
}

/* A buffer of the job as a file and a thumbnail. */
static bool show_buffer(const weft_job *job, const char *buffer, const char *path, struct drawn *out, weft_diags *diags)
{
    uint8_t *file = NULL;
    size_t size = 0;
    struct image image = {0};
    bool fine = weft_job_dump(job, buffer, WEFT_DUMP_PNG, &file, &size, diags) == WEFT_OK &&
                image_decode_png(file, size, buffer, &image, diags) == WEFT_OK;
    if (fine) {
        show_image(&image, out);
        fine = cli_write(path, file, size) == STATUS_FINE;
    }
    image_free(&image);
    weft_free(file);
    return fine;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool run_job(const struct gallery_entry *e, const char *path, struct drawn *out, weft_diags *diags)
{
    struct cli_bytes in;
    weft_job *job = NULL;
    if (!cli_read(e->file, &in))
        return false;
    weft_job_params params;
    weft_job_params_init(&params);
    const char *slash = strrchr(e->file, '/'); /* meshes and textures are beside the instruction sets */
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s..", slash ? (int)(slash - e->file + 1) : 0, e->file);
    params.files_from = folder;
    double start = now();
    bool fine = weft_job_new(e->file, in.data, in.size, diags, &job) == WEFT_OK &&
                weft_job_run(job, &params, diags) == WEFT_OK;
    out->is_job = true;
    out->seconds = now() - start;
    out->expectations = fine ? weft_job_expectations(job) : 0;
    if (fine && e->more[0])
        fine = show_buffer(job, e->more, path, out, diags);
    fine = fine && weft_job_failures(job) == 0;
    weft_job_free(job);
    free(in.data);
    return fine;
}

/* ---- programs of the VPU's machine ---- */

static bool run_boot(const struct gallery_entry *e, const char *path, struct drawn *out, weft_diags *diags)
{
    struct image image = {0};
    out->is_boot = true;
    bool fine = gallery_boot(e, &image, diags);
    if (fine) {
        ptrdiff_t row = (ptrdiff_t)image.width * 4;
        show_image(&image, out);
        fine = image_write_png(path, image.width, image.height, image.rgba, row, diags) == WEFT_OK;
    }
    image_free(&image);
    return fine;
}

/* ---- lists ---- */

static bool is_job(const char *file)
{
    size_t n = strlen(file);
    return n > 6 && strcmp(file + n - 6, ".amber") == 0;
}

static bool is_new(const struct gallery *g, const char *name)
{
    for (size_t i = 0; i < g->count; i++)
        if (strcmp(g->drawn[i].name, name) == 0) {
            cli_message("there are two pictures '%s'", name);
            return false;
        }
    return true;
}

static bool draw_entry(struct gallery *g, const struct gallery_entry *e)
{
    char path[4096];
    if (g->count == MOST_ENTRIES) {
        cli_message("a gallery has %d pictures at most", MOST_ENTRIES);
        return false;
    }
    struct drawn *out = &g->drawn[g->count];
    if (!path_of(g, e->name, path, sizeof path) || !is_new(g, e->name))
        return false;
    weft_diags *diags = weft_diags_new();
    if (!diags)
        return false;
    snprintf(out->name, sizeof out->name, "%s", e->name);
    bool fine = is_job(e->file)      ? run_job(e, path, out, diags)
                : gallery_is_boot(e) ? run_boot(e, path, out, diags)
                                     : draw_shader(e, path, out, diags);
    cli_report_severity(stderr, diags, WEFT_WARNING);
    weft_diags_free(diags);
    return fine;
}

/* Is it a program in a language that only weft-spirv.so reads? */
static bool needs_compilers(const struct gallery_entry *e)
{
    return strncmp(e->file, "examples/glsl/", 14) == 0;
}

static void draw_lines(struct gallery *g, const char *list, char *text)
{
    struct gallery_list lines = {.name = list, .rest = text};
    struct gallery_entry e;
    while (gallery_next(&lines, &e)) {
        if (needs_compilers(&e) && !weft_shader_compilers()) {
            printf("%-16s left out: weft has no glslang and SPIRV-Tools\n", e.name);
            continue;
        }
        printf("%-16s %s\n", e.name, e.caption);
        fflush(stdout);
        if (draw_entry(g, &e))
            g->count++;
        else
            g->failed++;
    }
    g->failed += lines.bad;
}

static void draw_list(struct gallery *g, const char *list)
{
    struct cli_bytes text;
    if (!cli_read(list, &text)) {
        g->failed++;
        return;
    }
    draw_lines(g, list, text.data);
    free(text.data);
}

/* ---- all of them ---- */

/* Returns how many pictures are on the sheet; 0 when it could not be made. */
static size_t save_sheet(const struct gallery *g)
{
    weft_picture sheet;
    char path[4096];
    size_t shown = 0, n = 0;
    for (size_t i = 0; i < g->count; i++)
        shown += g->drawn[i].shown;
    uint32_t rows = (uint32_t)((shown + COLUMNS - 1) / COLUMNS), step = CELL + GAP;
    if (!shown || !path_of(g, "index", path, sizeof path) ||
        weft_picture_new(WEFT_RGBA8_UNORM, COLUMNS * step + GAP, rows * step + GAP, &sheet) != WEFT_OK)
        return 0;
    for (uint32_t y = 0; y < sheet.height; y++)
        for (uint32_t x = 0; x < sheet.width; x++)
            memcpy((uint8_t *)sheet.pixels + sheet.stride * y + 4 * x, "\x20\x20\x20\xff", 4);
    for (size_t i = 0; i < g->count; i++) {
        if (!g->drawn[i].shown)
            continue;
        uint32_t x = GAP + (uint32_t)(n % COLUMNS) * step, y = GAP + (rows - 1 - (uint32_t)(n / COLUMNS)) * step;
        for (uint32_t r = 0; r < CELL; r++)
            memcpy((uint8_t *)sheet.pixels + sheet.stride * (y + r) + 4 * x, g->drawn[i].thumb + r * CELL * 4,
                   CELL * 4);
        n++;
    }
    bool fine = picture_save(path, &sheet, 0) == STATUS_FINE;
    weft_picture_free(&sheet);
    return fine ? shown : 0;
}

static void show_shaders(const struct gallery *g)
{
    bool any = false;
    for (size_t i = 0; i < g->count; i++) {
        const struct drawn *d = &g->drawn[i];
        double n = (double)d->stats.fragments;
        if (d->is_job || d->is_boot)
            continue;
        if (!any)
            printf("\n%-16s %22s %16s\n", "shader", "instructions/fragment", "Mfragments/s");
        any = true;
        printf("%-16s %22.1f %16.1f\n", d->name, n > 0 ? (double)d->stats.instructions / n : 0,
               d->stats.seconds > 0 ? n / d->stats.seconds * 1e-6 : 0);
    }
}

static void show_jobs(const struct gallery *g)
{
    bool any = false;
    for (size_t i = 0; i < g->count; i++) {
        const struct drawn *d = &g->drawn[i];
        if (!d->is_job)
            continue;
        if (!any)
            printf("\n%-16s %22s %16s\n", "job", "expectations met", "milliseconds");
        any = true;
        printf("%-16s %22zu %16.1f%s\n", d->name, d->expectations, d->seconds * 1e3,
               d->shown ? "" : "   (no picture)");
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: gallery LIST... FOLDER\n", stderr);
        return STATUS_USAGE;
    }
    struct gallery g = {.folder = argv[argc - 1], .drawn = calloc(MOST_ENTRIES, sizeof *g.drawn)};
    if (!g.drawn) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    if (mkdir(g.folder, 0777) != 0 && errno != EEXIST) {
        cli_message("cannot make the folder '%s': %s", g.folder, strerror(errno));
        free(g.drawn);
        return STATUS_INPUT;
    }
    for (int i = 1; i < argc - 1; i++)
        draw_list(&g, argv[i]);
    show_jobs(&g);
    show_shaders(&g);
    size_t shown = save_sheet(&g);
    if (shown)
        printf("\n%zu pictures in %s/, all of them in %s/index.png\n", shown, g.folder, g.folder);
    if (g.failed)
        printf("%zu failed\n", g.failed);
    free(g.drawn);
    return g.failed || !shown ? STATUS_INPUT : STATUS_FINE;
}
