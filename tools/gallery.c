/* gallery.c - draw every picture of a list, put all of them on one sheet, and say how fast it went.
 *
 * gallery LIST FOLDER
 *
 * LIST has a line `name | shader | further options of weft draw | caption` for each picture; '#' begins a comment.
 * FOLDER gets NAME.png for each, and index.png, the sheet, in the list's order from left to right and down. */
#include "cli/picture.h"
#include "cli/scene.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PICTURES = 256, MOST_WORDS = 64, COLUMNS = 4, CELL = 256, GAP = 8 };

/* One line of the list, cut up in place. */
struct entry {
    const char *name, *shader, *caption;
    char *options;
};

/* What is kept of a picture once its file is written. */
struct drawn {
    const char *name;
    weft_draw_stats stats;
    uint8_t thumb[CELL * CELL * 4]; /* bottom row first */
};

/* What scene_parse calls the command in messages. */
static const struct cli_command gallery_line = {
    .name = "draw", .synopsis = "", .summary = "", .details = "", .options = scene_options};

static char *trim(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        s[--n] = 0;
    return s;
}

/* False: the line has no four parts. */
static bool split_line(char *line, struct entry *e)
{
    char *part[4];
    for (int i = 0; i < 4; i++) {
        part[i] = line;
        char *bar = i < 3 ? strchr(line, '|') : NULL;
        if (i < 3 && !bar)
            return false;
        if (bar) {
            *bar = 0;
            line = bar + 1;
        }
    }
    *e = (struct entry){trim(part[0]), trim(part[1]), trim(part[3]), trim(part[2])};
    return e->name[0] && e->shader[0];
}

/* The line as `weft draw` would be called. */
static int make_arguments(struct entry *e, char **argv)
{
    static char command[] = "draw";
    int argc = 0;
    argv[argc++] = command;
    argv[argc++] = (char *)e->shader;
    for (char *word = strtok(e->options, " \t"); word && argc < MOST_WORDS; word = strtok(NULL, " \t"))
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

/* Mean colour of the pixels that fall into one pixel of the thumbnail, over dark grey. */
static void mean_pixel(const weft_picture *p, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, uint8_t *out)
{
    uint64_t sum[3] = {0}, count = (uint64_t)(x1 - x0) * (y1 - y0) * 255;
    for (uint32_t y = y0; y < y1; y++) {
        const uint8_t *row = (const uint8_t *)p->pixels + p->stride * y;
        for (uint32_t x = x0; x < x1; x++)
            for (int c = 0; c < 3; c++)
                sum[c] += row[4 * x + c] * (uint64_t)row[4 * x + 3] + 32u * (uint64_t)(255 - row[4 * x + 3]);
    }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(sum[c] / count);
    out[3] = 255;
}

static void make_thumb(const weft_picture *p, uint8_t *thumb)
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

static bool draw_scene(const struct scene_args *args, const char *path, struct drawn *out, weft_diags *diags)
{
    struct scene scene;
    weft_picture picture = {0};
    bool fine = scene_load(&scene, args, &gallery_line, diags) == STATUS_FINE &&
                scene_draw(&scene, args, WEFT_RGBA8_UNORM, &picture, &out->stats, diags) == WEFT_OK;
    if (fine) {
        make_thumb(&picture, out->thumb);
        fine = picture_save(path, &picture) == STATUS_FINE;
    }
    weft_picture_free(&picture);
    scene_free(&scene);
    return fine;
}

static bool draw_entry(struct entry *e, const char *folder, struct drawn *out)
{
    char *argv[MOST_WORDS + 1], path[4096];
    struct scene_args args;
    int status;
    optind = 1; /* another line, another command line */
    if (!scene_parse(&args, &gallery_line, make_arguments(e, argv), argv, &status))
        return false;
    if (snprintf(path, sizeof path, "%s/%s.png", folder, e->name) >= (int)sizeof path)
        return false;
    weft_diags *diags = weft_diags_new();
    if (!diags)
        return false;
    out->name = e->name;
    bool fine = draw_scene(&args, path, out, diags);
    cli_report(diags);
    weft_diags_free(diags);
    return fine;
}

static bool save_sheet(const struct drawn *list, size_t count, const char *folder)
{
    weft_picture sheet;
    char path[4096];
    uint32_t rows = (uint32_t)((count + COLUMNS - 1) / COLUMNS), step = CELL + GAP;
    if (!count || weft_picture_new(WEFT_RGBA8_UNORM, COLUMNS * step + GAP, rows * step + GAP, &sheet) != WEFT_OK)
        return false;
    for (uint32_t y = 0; y < sheet.height; y++)
        for (uint32_t x = 0; x < sheet.width; x++)
            memcpy((uint8_t *)sheet.pixels + sheet.stride * y + 4 * x, "\x20\x20\x20\xff", 4);
    for (size_t i = 0; i < count; i++) {
        uint32_t x = GAP + (uint32_t)(i % COLUMNS) * step, y = GAP + (rows - 1 - (uint32_t)(i / COLUMNS)) * step;
        for (uint32_t r = 0; r < CELL; r++)
            memcpy((uint8_t *)sheet.pixels + sheet.stride * (y + r) + 4 * x, list[i].thumb + r * CELL * 4, CELL * 4);
    }
    snprintf(path, sizeof path, "%s/index.png", folder);
    bool fine = picture_save(path, &sheet) == STATUS_FINE;
    weft_picture_free(&sheet);
    return fine;
}

static void show_table(const struct drawn *list, size_t count)
{
    printf("\n%-16s %22s %16s\n", "shader", "instructions/fragment", "Mfragments/s");
    for (size_t i = 0; i < count; i++) {
        const weft_draw_stats *s = &list[i].stats;
        double n = (double)s->fragments;
        printf("%-16s %22.1f %16.1f\n", list[i].name, n > 0 ? (double)s->instructions / n : 0,
               s->seconds > 0 ? n / s->seconds * 1e-6 : 0);
    }
}

/* Every line of the list. Returns how many could not be drawn. */
static size_t draw_list(char *text, const char *folder, struct drawn *drawn, size_t *count)
{
    size_t failed = 0, number = 0;
    char *next;
    for (char *line = text; line && *count < MOST_PICTURES; line = next) {
        struct entry e;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        line = trim(line);
        if (!line[0] || line[0] == '#')
            continue;
        if (!split_line(line, &e)) {
            cli_message("line %zu of the list is not: name | shader | options | caption", number);
            failed++;
            continue;
        }
        printf("%-16s %s\n", e.name, e.caption);
        fflush(stdout);
        if (draw_entry(&e, folder, &drawn[*count]))
            ++*count;
        else
            failed++;
    }
    return failed;
}

int main(int argc, char **argv)
{
    struct cli_bytes list;
    if (argc != 3) {
        fputs("usage: gallery LIST FOLDER\n", stderr);
        return STATUS_USAGE;
    }
    if (mkdir(argv[2], 0777) != 0 && errno != EEXIST) {
        cli_message("cannot make the folder '%s': %s", argv[2], strerror(errno));
        return STATUS_INPUT;
    }
    if (!cli_read(argv[1], &list))
        return STATUS_INPUT;
    struct drawn *drawn = calloc(MOST_PICTURES, sizeof *drawn);
    size_t count = 0;
    size_t failed = drawn ? draw_list(list.data, argv[2], drawn, &count) : 1;
    if (count) {
        show_table(drawn, count);
        if (save_sheet(drawn, count, argv[2]))
            printf("\n%zu pictures in %s/, all of them in %s/index.png\n", count, argv[2], argv[2]);
        else
            failed++;
    }
    if (failed)
        printf("%zu could not be drawn\n", failed);
    free(drawn);
    free(list.data);
    return failed || !count ? STATUS_INPUT : STATUS_FINE;
}
