/* hex.c - bytes as hex digits and back. */
#include "cli/cli.h"

#include <stdlib.h>

char *hex_print(const uint8_t *bytes, size_t size, size_t unit, size_t *length)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(size * 3 + 2); /* a line end for each byte at most */
    char *p = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i++) {
        *p++ = digits[bytes[i] >> 4];
        *p++ = digits[bytes[i] & 15];
        if (unit && (i + 1) % unit == 0)
            *p++ = '\n';
    }
    if (size && p[-1] != '\n')
        *p++ = '\n';
    *p = 0;
    *length = (size_t)(p - text);
    return text;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t hex_parse(const char *text, size_t size, uint8_t *bytes, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < size;) {
        char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            i++;
            continue;
        }
        int high = digit(c), low = i + 1 < size ? digit(text[i + 1]) : -1;
        if (high < 0 || low < 0) {
            *count = n;
            return i;
        }
        bytes[n++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    *count = n;
    return size;
}
