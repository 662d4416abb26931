/* text_stream.c - see text_stream.h. */
#include "base/text_stream.h"

#include "base/written.h"

#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__

struct text_stream {
    char **text;
    size_t *size, room;
};

static ssize_t add(void *cookie, const char *data, size_t size)
{
    struct text_stream *s = cookie;
    size_t need = *s->size + size + 1, room = s->room;
    while (room < need)
        room *= 2;
    char *larger = room > s->room ? realloc(*s->text, room) : *s->text;
    if (!larger)
        return 0;
    written_by_library(data, size);
    memcpy(larger + *s->size, data, size);
    larger[need - 1] = 0;
    *s->text = larger;
    *s->size = need - 1;
    s->room = room;
    return (ssize_t)size;
}

/* Where it is, for ftell: there is no other place to go. */
static int seek(void *cookie, off64_t *offset, int whence)
{
    struct text_stream *s = cookie;
    if (whence == SEEK_SET || *offset != 0)
        return -1;
    *offset = (off64_t)*s->size;
    return 0;
}

static int end(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_stream(char **text, size_t *size)
{
    enum { FIRST = 256 };
    struct text_stream *s = malloc(sizeof *s);
    FILE *f = NULL;
    *text = s ? calloc(1, FIRST) : NULL;
    *size = 0;
    if (*text) {
        *s = (struct text_stream){text, size, FIRST};
        f = fopencookie(s, "w", (cookie_io_functions_t){.write = add, .seek = seek, .close = end});
    }
    if (f)
        return f;
    free(*text);
    *text = NULL;
    free(s);
    return NULL;
}

#else

FILE *text_stream(char **text, size_t *size)
{
    return open_memstream(text, size);
}

#endif

bool text_stream_close(FILE *stream)
{
    if (!stream)
        return false;
    bool fine = fflush(stream) == 0 && !ferror(stream);
    return fclose(stream) == 0 && fine;
}
