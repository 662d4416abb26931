/* printable.c - text from outside as a terminal may show it. */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The length of the character of UTF-8 at s and its number; 0: the byte starts none. RFC 3629 has the limits: no
 * surrogates, nothing past U+10FFFF, no form longer than it needs to be. */
static size_t utf8(const unsigned char *s, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    if (n == 0 || n > size)
        return 0;
    uint32_t c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    *code = c;
    return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

/* The controls of C1, marks and overrides of direction (Unicode's annex 9), separators of lines, and characters that
 * take no column. */
static bool is_hidden(uint32_t c)
{
    return (c >= 0x80 && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

struct printable printable_next(const char *s, size_t size)
{
    struct printable p = {.bytes = 1};
    uint32_t code = 0;
    size_t n = utf8((const unsigned char *)s, size, &code);
    if (n == 0 || code == 0x7f || (code < ' ' && code != '\t')) {
        p.length = (size_t)snprintf(p.text, sizeof p.text, "\\x%02x", (unsigned char)*s);
        p.columns = (unsigned)p.length;
        return p;
    }
    p.bytes = n;
    if (is_hidden(code)) {
        p.length = (size_t)snprintf(p.text, sizeof p.text, "<U+%04X>", (unsigned)code);
        p.columns = (unsigned)p.length;
        return p;
    }
    memcpy(p.text, s, n);
    p.length = n;
    p.columns = 1;
    return p;
}
