/* messages.c - what weft says on standard error. */
#include "cli/cli.h"

#include "base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* https://no-color.org: set and not empty means no colour. */
static bool in_colour(void)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no && no[0]) && !(term && strcmp(term, "dumb") == 0);
}

static void put_diag(FILE *to, const weft_diag *d, bool colour)
{
    char small[1024];
    size_t length = weft_diag_format(d, colour, small, sizeof small);
    if (length < sizeof small) {
        fputs(small, to);
        return;
    }
    char *large = malloc(length + 1);
    if (large)
        weft_diag_format(d, colour, large, length + 1);
    fputs(large ? large : small, to);
    free(large);
}

void cli_put_diag(FILE *to, const weft_diag *d)
{
    put_diag(to, d, in_colour());
}

void cli_put_more(FILE *to, size_t more)
{
    if (more)
        fprintf(to, "%zu more not shown\n", more);
}

void cli_report_severity(FILE *to, const weft_diags *diags, weft_severity least)
{
    bool colour = in_colour();
    size_t stored = 0, errors = 0;
    for (const weft_diag *d; (d = weft_diags_get(diags, stored)); stored++) {
        errors += d->severity == WEFT_ERROR;
        if (d->severity >= least)
            put_diag(to, d, colour);
    }
    size_t more = least == WEFT_ERROR ? weft_diags_errors(diags) - errors : weft_diags_count(diags) - stored;
    cli_put_more(to, more);
}

void cli_report(const weft_diags *diags)
{
    cli_report_severity(stderr, diags, WEFT_NOTE);
}

static void put_printable(FILE *to, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        struct printable p = printable_next(text, left);
        fwrite(p.text, 1, p.length, to);
        text += p.bytes;
        left -= p.bytes;
    }
}

/* Names of files and the like may hold anything. It needs no memory: that may be what it is about. */
void cli_say(FILE *to, const char *fmt, va_list ap)
{
    char small[4096], *large = NULL;
    va_list again;
    va_copy(again, ap);
    int length = vsnprintf(small, sizeof small, fmt, ap);
    if (length >= (int)sizeof small && vasprintf(&large, fmt, again) < 0)
        large = NULL;
    va_end(again);
    put_printable(to, large ? large : small);
    free(large);
}

void cli_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("weft: ", stderr);
    cli_say(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

void *cli_kept(void *memory)
{
    if (memory)
        return memory;
    cli_message("out of memory");
    exit(STATUS_INPUT);
}

int cli_status(weft_status status)
{
    switch (status) {
    case WEFT_OK:
        return STATUS_FINE;
    case WEFT_ERROR_USAGE:
        return STATUS_USAGE;
    default:
        return STATUS_INPUT;
    }
}
