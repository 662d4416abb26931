/* digits.h - hexadecimal digits in text. */
#ifndef WEFT_CLI_DIGITS_H
#define WEFT_CLI_DIGITS_H

#include <ctype.h>
#include <stddef.h>

/* The value of a digit. */
static inline unsigned digits_value(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* How many digits there are from `p` on. */
static inline size_t digits_count(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && isxdigit((unsigned char)p[n]))
        n++;
    return n;
}

#endif
