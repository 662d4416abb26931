/* mark.h - the byte order mark that some editors begin texts with. */
#ifndef WEFT_BASE_MARK_H
#define WEFT_BASE_MARK_H

#include <stddef.h>
#include <string.h>

/* How many bytes of the text are one: 3, or 0. */
static inline size_t mark_size(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Make blanks of it, so that all else stays in its place. */
static inline void mark_blank(char *text, size_t size)
{
    size_t mark = text ? mark_size(text, size) : 0;
    if (mark)
        memset(text, ' ', mark);
}

#endif
