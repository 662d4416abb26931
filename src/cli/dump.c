/* dump.c - dumps of memory, back to bytes. */
#include "cli/dump.h"

#include "cli/digits.h"

#include <stdbool.h>
#include <string.h>

enum { FEWEST_OFFSET_DIGITS = 4, MOST_OFFSET_DIGITS = 16 };

struct dump {
    uint8_t *bytes;
    size_t count;
    size_t lines;
    uint64_t first; /* the offset of the first line */
    size_t group;   /* bytes of the last group */
    bool has_text;  /* a line ends with its bytes as text: "|....|", or ">....<" of od */
    bool ended;     /* an offset without bytes is the last line */
};

/* A number of 4 to 16 digits of that base. False if none. */
static bool read_offset(const char **at, const char *stop, unsigned base, uint64_t *offset)
{
    size_t n = digits_count(*at, stop);
    if (n < FEWEST_OFFSET_DIGITS || n > MOST_OFFSET_DIGITS)
        return false;
    *offset = 0;
    for (size_t i = 0; i < n; i++) {
        if (digits_value((*at)[i]) >= base)
            return false;
        *offset = *offset * base + digits_value((*at)[i]);
    }
    *at += n;
    return true;
}

/* A group of digits. False: it has no size that dumps have. */
static bool read_group(struct dump *d, const char **at, const char *stop)
{
    size_t n = digits_count(*at, stop);
    if (n != 2 && n != 4 && n != 8 && n != MOST_OFFSET_DIGITS)
        return false;
    d->group = n / 2;
    for (size_t i = n; i > 0; i -= 2)
        d->bytes[d->count++] = (uint8_t)(digits_value((*at)[i - 2]) << 4 | digits_value((*at)[i - 1]));
    *at += n;
    return true;
}

/* The last offset says how many bytes there are: the last group may be filled up. */
static bool read_last_offset(struct dump *d, uint64_t distance)
{
    d->ended = true;
    if (distance > d->count || d->count - distance >= (d->group ? d->group : 1))
        return false;
    d->count = (size_t)distance;
    return true;
}

static bool read_line(struct dump *d, const char *at, const char *stop, unsigned base)
{
    uint64_t offset;
    if (d->ended || !read_offset(&at, stop, base, &offset))
        return false;
    if (d->lines++ == 0)
        d->first = offset;
    if (at == stop)
        return read_last_offset(d, offset - d->first);
    if (offset - d->first != d->count)
        return false;
    while (at < stop) {
        if (*at != ' ' && *at != '\t')
            return false;
        while (at < stop && (*at == ' ' || *at == '\t'))
            at++;
        if (*at == '|' || *at == '>') {
            d->has_text = true;
            return true;
        }
        if (at < stop && !read_group(d, &at, stop))
            return false;
    }
    return true;
}

/* Where a line ends, without blanks at its end. */
static const char *end_of(const char *line, const char *stop)
{
    while (stop > line && strchr(" \t\r", stop[-1]))
        stop--;
    return stop;
}

static bool read_lines(struct dump *d, const char *text, const char *end, unsigned base)
{
    for (const char *line = text, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        const char *last = end_of(line, stop);
        if (last > line && !read_line(d, line, last, base))
            return false;
    }
    return d->lines >= 2 || d->has_text;
}

size_t dump_parse(const char *text, size_t size, uint8_t *bytes)
{
    static const unsigned bases[] = {16, 8};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        struct dump d = {.bytes = bytes};
        if (read_lines(&d, text, text + size, bases[i]))
            return d.count;
    }
    return 0;
}
