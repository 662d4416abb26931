/* progress.c - see progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nothing in the first seconds; then how often a terminal's line changes, and how often there is a line elsewhere. */
static const double QUIET = 2, CHANGES = 0.25, LINES = 60;

/* Such a terminal cannot change a line. */
static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") == 0;
}

void progress_begin(struct progress *p, double now, size_t total, size_t before)
{
    *p = (struct progress){.begun = now, .shown = now, .total = total, .before = before};
    p->terminal = isatty(STDERR_FILENO) && !is_dumb();
}

/* "19 s", "4 min", "2.5 h" */
static void put_time(double seconds, char *text, size_t size)
{
    if (seconds < 90)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

void progress_text(const struct progress *p, double now, size_t done, char *text, size_t size)
{
    char left[32];
    double taken = now - p->begun, rate = taken > 0 ? (double)(done - p->before) / taken : 0;
    if (rate <= 0) {
        snprintf(text, size, "%zu of %zu", done, p->total);
        return;
    }
    put_time((double)(p->total - done) / rate, left, sizeof left);
    snprintf(text, size, "%zu of %zu, %.*f/s, %s left", done, p->total, rate < 10 ? 2 : 0, rate, left);
}

bool progress_due(const struct progress *p, double now, size_t done)
{
    if (p->total < 2 || done >= p->total || now - p->begun < QUIET)
        return false;
    return now - p->shown >= (p->terminal ? CHANGES : LINES);
}

void progress_step(struct progress *p, double now, size_t done)
{
    char text[128];
    if (!progress_due(p, now, done))
        return;
    progress_text(p, now, done, text, sizeof text);
    p->shown = now;
    if (p->terminal) {
        fflush(stdout);
        fprintf(stderr, "\rweft: %s\033[K", text);
        p->visible = true;
    } else {
        fprintf(stderr, "weft: %s\n", text);
    }
}

void progress_hide(struct progress *p)
{
    if (!p->visible)
        return;
    fputs("\r\033[K", stderr);
    p->visible = false;
}
