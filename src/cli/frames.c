/* frames.c - see frames.h. */
#include "cli/frames.h"
#include "cli/progress.h"

#include "device/image.h"
#include "device/image_animation.h"
#include "device/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- names ---- */

enum { MOST_DIGITS = 9 };

/* Where the number of a picture goes: "%d" or "%03d", of which there is one. NULL: nowhere. */
static const char *number_place(const char *name, int *digits, const char **after)
{
    const char *percent = strchr(name, '%');
    if (!percent || strchr(percent + 1, '%'))
        return NULL;
    size_t length = strspn(percent + 1, "0123456789");
    *digits = length ? atoi(percent + 1) : 1;
    *after = percent + length + 2;
    return percent[length + 1] == 'd' && length <= 2 && *digits <= MOST_DIGITS ? percent : NULL;
}

const char *frames_fault(const char *output, enum picture_kind kind)
{
    const char *after;
    int digits;
    if (strchr(output, '%') && !number_place(output, &digits, &after))
        return "the number of a picture is written %d or %03d, once, in the name of the output";
    return kind == PICTURE_RAW && !strchr(output, '%') ? "raw pictures are numbered: give -o NAME%03d.raw" : NULL;
}

/* The name of a picture's file; NULL: all are in one. free() it. */
static char *frame_name(const char *output, uint32_t frame)
{
    const char *after;
    int digits;
    const char *place = number_place(output, &digits, &after);
    if (!place)
        return NULL;
    size_t size = strlen(output) + 16;
    char *name = cli_kept(malloc(size));
    if (name)
        snprintf(name, size, "%.*s%0*u%s", (int)(place - output), output, digits, frame, after);
    return name;
}

bool frames_kept(const struct scene_args *args, bool (*kept)(const struct scene_args *args))
{
    struct scene_args now = *args;
    bool fine = true;
    for (uint32_t i = 0; fine && i < args->frames; i++) {
        char *name = frame_name(args->output, i);
        now.output = name ? name : args->output;
        fine = kept(&now);
        if (!name)
            break;
        free(name);
    }
    return fine;
}

/* ---- pictures ---- */

struct frames {
    const struct scene_args *args;
    enum picture_kind kind;
    struct scene scene;
    struct image_animation animation;
    weft_draw_stats stats;
    struct progress progress;
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int no_memory(void)
{
    cli_message("out of memory");
    return STATUS_INPUT;
}

/* The rows of a PNG go down, those of a picture up. */
static int add_picture(struct frames *f, const weft_picture *p)
{
    const uint8_t *top = (const uint8_t *)p->pixels + p->stride * (p->height - 1);
    uint8_t *file = NULL;
    size_t size = 0;
    bool fine = image_encode_png(p->width, p->height, top, -(ptrdiff_t)p->stride,
                                 pool_threads_for(f->scene.params.threads), &file, &size, NULL) == WEFT_OK &&
                image_animation_add(&f->animation, file, size, 1, (uint16_t)f->args->rate);
    free(file);
    return fine ? STATUS_FINE : no_memory();
}

static int draw_frame(struct frames *f, uint32_t frame, weft_diags *diags)
{
    struct scene_args now = scene_at(f->args, f->args->frame + frame);
    weft_picture picture = {0};
    weft_draw_stats stats = {0};
    int status = scene_advance(&f->scene, &now, &command_draw);
    if (status == STATUS_FINE)
        status = scene_picture(&f->scene, &now, f->kind, &picture, &stats, diags);
    if (status == STATUS_FINE) {
        char *name = frame_name(now.output, frame);
        status = name ? picture_save(name, &picture, now.params.threads) : add_picture(f, &picture);
        free(name);
    }
    scene_add_stats(&f->stats, &stats);
    weft_picture_free(&picture);
    return status;
}

/* What the first picture meets the others meet too: it is said once. */
static int draw_all(struct frames *f, weft_diags *diags)
{
    int status = STATUS_FINE;
    progress_begin(&f->progress, now_seconds(), f->args->frames, 0);
    for (uint32_t i = 0; i < f->args->frames && status == STATUS_FINE; i++) {
        weft_diags *again = i ? cli_kept(weft_diags_new()) : NULL;
        status = draw_frame(f, i, again ? again : diags);
        if (i == 0 || status != STATUS_FINE) {
            progress_hide(&f->progress);
            cli_report(again ? again : diags);
        }
        weft_diags_free(again);
        progress_step(&f->progress, now_seconds(), i + 1);
    }
    progress_hide(&f->progress);
    return status;
}

int frames_draw(const struct scene_args *args, enum picture_kind kind, weft_diags *diags)
{
    struct frames f = {.args = args, .kind = kind};
    int status = scene_load(&f.scene, args, &command_draw, diags);
    if (status == STATUS_FINE)
        status = draw_all(&f, diags);
    else
        cli_report(diags);
    if (status == STATUS_FINE && args->stats)
        scene_show_stats(args, &f.stats);
    if (status == STATUS_FINE && f.animation.pictures)
        status = image_animation_end(&f.animation) ? cli_write(args->output, f.animation.bytes, f.animation.size)
                                                   : no_memory();
    free(f.animation.bytes);
    scene_free(&f.scene);
    return status;
}
