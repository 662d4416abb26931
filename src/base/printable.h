/* printable.h - text from outside as a terminal may show it. */
#ifndef WEFT_BASE_PRINTABLE_H
#define WEFT_BASE_PRINTABLE_H

#include <stddef.h>

/* One character of a text: how many bytes it takes there, and how it is shown. */
struct printable {
    size_t bytes;
    size_t length; /* of text */
    unsigned columns;
    char text[12];
};

/* The first character of s (`size` bytes, at least one). Characters that steer a terminal, change the order of those
 * next to them or are not seen at all become <U+202E>, control characters and bytes that are not UTF-8 become \x1b. A
 * tab stays one. Every other character takes one column. */
struct printable printable_next(const char *s, size_t size);

#endif
