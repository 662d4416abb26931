/* Text from outside, against the table of well-formed bytes in Unicode's chapter 3 and a list of what is not seen. */
#include "test.h"

#include <stdbool.h>

#include "base/printable.h"

/* What may follow each first byte: the second one is in a range of its own, all others are 0x80 to 0xbf. */
static size_t well_formed(const unsigned char *s, size_t size)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t bytes;
    } rows[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (s[0] < rows[i].first || s[0] > rows[i].last)
            continue;
        if (rows[i].bytes > size || (rows[i].bytes > 1 && (s[1] < rows[i].low || s[1] > rows[i].high)))
            return 0;
        for (size_t k = 2; k < rows[i].bytes; k++)
            if (s[k] / 0x40 != 2)
                return 0;
        return rows[i].bytes;
    }
    return 0;
}

/* Control characters but for the tab; and what steers, reorders or hides, one by one and in ranges. */
static const struct {
    uint32_t first, last;
} hidden[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
              {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

static bool is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return true;
    return false;
}

static void judge(const unsigned char *s, size_t size)
{
    size_t bytes = well_formed(s, size);
    uint32_t code = bytes == 1 ? s[0] : bytes == 2 ? s[0] & 31 : bytes == 3 ? s[0] & 15 : s[0] & 7;
    char want[12];
    for (size_t i = 1; i < bytes; i++)
        code = code * 64 + s[i] % 64;
    bool raw = bytes == 0 || code == 0x7f || (code < 0x20 && code != 9), shown = !raw && !is_hidden(code);
    size_t length = bytes;
    if (raw)
        length = (size_t)snprintf(want, sizeof want, "\\x%02x", s[0]);
    else if (!shown)
        length = (size_t)snprintf(want, sizeof want, "<U+%04X>", code);
    else
        memcpy(want, s, bytes);
    struct printable p = printable_next((const char *)s, size);
    if (p.bytes != (raw ? 1 : bytes) || p.length != length || memcmp(p.text, want, length) != 0 ||
        p.columns != (shown ? 1 : length))
        fail_msg("%02x %02x %02x %02x of %zu: %zu bytes, %.*s", s[0], s[1], s[2], s[3], size, p.bytes, (int)p.length,
                 p.text);
}

/* All of one to three bytes, and of four those near the limits. */
static void every_character(void **state)
{
    (void)state;
    static const unsigned char ends[] = {0x00, 0x41, 0x7f, 0x80, 0x81, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    enum { ENDS = sizeof ends };
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (unsigned c = a < 0xc0 ? 255 : 0; c < 256; c++) {
                const unsigned char s[4] = {(unsigned char)a, (unsigned char)b, (unsigned char)c, 0x80};
                for (size_t size = 1; size <= (a < 0xc0 ? 2 : 4); size++)
                    judge(s, size);
            }
    for (unsigned a = 0xef; a < 256; a++)
        for (unsigned b = 0x7f; b < 0xc1; b++)
            for (unsigned n = 0; n < ENDS * ENDS; n++)
                judge((const unsigned char[4]){(unsigned char)a, (unsigned char)b, ends[n / ENDS], ends[n % ENDS]}, 4);
    for (uint32_t code = 0xdff00; code < 0xe0200; code++) /* what is hidden there, and its neighbours */
        judge((const unsigned char[4]){(unsigned char)(0xf0 | code >> 18), (unsigned char)(0x80 | (code >> 12 & 63)),
                                       (unsigned char)(0x80 | (code >> 6 & 63)), (unsigned char)(0x80 | (code & 63))},
              4);
}

TEST_MAIN(TEST(every_character))
