/* hex.c - bytes as hex digits and back. */
#include "cli/cli.h"

#include <stdlib.h>

static char *put_byte(char *p, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    *p++ = digits[byte >> 4];
    *p++ = digits[byte & 15];
    return p;
}

char *hex_print(const uint8_t *bytes, size_t size, size_t unit, size_t *length)
{
    char *text = cli_kept(malloc(size * 3 + 2)); /* a line end for each byte at most */
    char *p = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i++) {
        p = put_byte(p, bytes[i]);
        if (unit && (i + 1) % unit == 0)
            *p++ = '\n';
    }
    if (size && p[-1] != '\n')
        *p++ = '\n';
    *p = 0;
    *length = (size_t)(p - text);
    return text;
}

char *hex_print_places(const uint8_t *bytes, const weft_place *places, size_t count, size_t *length)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        size += places[i].size * 2 + 1;
    char *text = cli_kept(malloc(size)), *p = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].size; k++)
            p = put_byte(p, bytes[places[i].offset + k]);
        *p++ = '\n';
    }
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
