/* progress.h - how far a list is: on a terminal a line that changes, elsewhere a line every minute. */
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    double begun, shown; /* seconds */
    size_t before, total; /* items done when it began, and all */
    bool terminal, visible;
};

/* `now` is a clock's seconds. Nothing is shown in the first two. */
void progress_begin(struct progress *p, double now, size_t total, size_t before);
void progress_step(struct progress *p, double now, size_t done);
/* Before something else is written to the terminal. */
void progress_hide(struct progress *p);

/* "120 of 500, 60/s, 6 s left" */
void progress_text(const struct progress *p, double now, size_t done, char *text, size_t size);
/* Is it time for the next line? */
bool progress_due(const struct progress *p, double now, size_t done);

#endif
