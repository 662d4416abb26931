/* text.h - appending to a growing text, as printers of instructions do.
 *
 * A printer makes room once for a whole statement (text_room) and then appends without looking at the end, so that
 * printing costs little more than the copying. The text is a block of the arena (arena_block). */
#ifndef WEFT_ISA_TEXT_H
#define WEFT_ISA_TEXT_H

#include "base/arena.h"

#include <string.h>

enum { TEXT_ROOM = 2048 /* more than any one statement takes */ };

struct text {
    char *p;            /* where the next byte goes */
    char *begin;
    size_t size;        /* bytes at begin */
    struct arena *arena;
};

/* Start an empty text in `arena`, with room for about `expected` bytes (0: no idea). */
static inline bool text_start(struct text *t, struct arena *arena, size_t expected)
{
    *t = (struct text){.size = expected + TEXT_ROOM, .arena = arena};
    t->begin = t->p = arena_block(arena, NULL, t->size);
    return t->begin != NULL;
}

static inline size_t text_length(const struct text *t)
{
    return (size_t)(t->p - t->begin);
}

/* Room for `need` more bytes, TEXT_ROOM at least. False without memory; the text is then as it was. */
static inline bool text_room_for(struct text *t, size_t need)
{
    size_t used = text_length(t);
    need = need < TEXT_ROOM ? TEXT_ROOM : need;
    if (t->size - used >= need)
        return true;
    size_t size = 2 * t->size > used + need ? 2 * t->size : used + need;
    char *grown = arena_block(t->arena, t->begin, size);
    if (!grown)
        return false;
    *t = (struct text){grown + used, grown, size, t->arena};
    return true;
}

static inline bool text_room(struct text *t)
{
    return text_room_for(t, TEXT_ROOM);
}

/* ---- at a place within the room that was made: each returns where the text goes on ---- */

static inline char *write_bytes(char *p, const char *s, size_t length)
{
    memcpy(p, s, length);
    return p + length;
}

static inline char *write_text(char *p, const char *s)
{
    while (*s != '\0')
        *p++ = *s++;
    return p;
}

static inline char *write_unsigned(char *p, uint64_t v)
{
    char digits[20];
    int n = 0;
    if (v < 10) {
        *p = (char)('0' + v);
        return p + 1;
    }
    do
        digits[n++] = (char)('0' + v % 10);
    while ((v /= 10) != 0);
    while (n > 0)
        *p++ = digits[--n];
    return p;
}

static inline char *write_signed(char *p, int64_t v)
{
    if (v < 0)
        *p++ = '-';
    return write_unsigned(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* "0x" and exactly `digits` lower-case digits. */
static inline char *write_hex_digits(char *p, uint64_t v, int digits)
{
    p = write_bytes(p, "0x", 2);
    while (digits-- > 0)
        *p++ = "0123456789abcdef"[v >> (4 * digits) & 15];
    return p;
}

/* "0x" and as many digits as it takes. */
static inline char *write_hex(char *p, uint64_t v)
{
    return write_hex_digits(p, v, (67 - __builtin_clzll(v | 1)) / 4);
}

/* The same with a minus sign before negative numbers. */
static inline char *write_signed_hex(char *p, int64_t v)
{
    if (v < 0)
        *p++ = '-';
    return write_hex(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* ---- at the end of the text, within the room that was made ---- */

static inline void put_char(struct text *t, char c)
{
    *t->p++ = c;
}

static inline void put_bytes(struct text *t, const char *s, size_t length)
{
    t->p = write_bytes(t->p, s, length);
}

static inline void put_text(struct text *t, const char *s)
{
    t->p = write_text(t->p, s);
}

static inline void put_unsigned(struct text *t, uint64_t v)
{
    t->p = write_unsigned(t->p, v);
}

static inline void put_signed(struct text *t, int64_t v)
{
    t->p = write_signed(t->p, v);
}

static inline void put_hex_digits(struct text *t, uint64_t v, int digits)
{
    t->p = write_hex_digits(t->p, v, digits);
}

static inline void put_hex(struct text *t, uint64_t v)
{
    t->p = write_hex(t->p, v);
}

static inline void put_signed_hex(struct text *t, int64_t v)
{
    t->p = write_signed_hex(t->p, v);
}

/* End the text: a zero byte that does not count. */
static inline void text_end(struct text *t)
{
    *t->p = '\0';
}

#endif
