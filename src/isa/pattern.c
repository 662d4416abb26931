/* pattern.c - compiling bit patterns, and indexing lists of them. */
#include "isa/pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- compiling ---- */

/* What is read while the position of its bits is not known yet: positions count from the end of the pattern. */
struct element {
    const char *name; /* NULL: fixed or open bits */
    uint8_t name_length;
    uint8_t width;
    bool fixed;
    uint64_t value;
};

enum { MAX_ELEMENTS = 128, MAX_BITS = 128 };

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

/* A number in decimal, 0x or 0b. */
static bool read_number(const char **text, uint64_t *value)
{
    const char *p = *text;
    char *end;
    if (p[0] == '0' && p[1] == 'b')
        *value = strtoull(p + 2, &end, 2);
    else
        *value = strtoull(p, &end, 0);
    if (*p < '0' || *p > '9' || end == p)
        return false;
    *text = end;
    return true;
}

static bool read_element(const char **text, struct element *e)
{
    const char *p = *text;
    *e = (struct element){.width = 1};
    if (*p == '0' || *p == '1') {
        e->fixed = true;
        e->value = (uint64_t)(*p - '0');
        *text = p + 1;
        return true;
    }
    if (!is_name_start(*p))
        return false;
    const char *start = p;
    while (is_name(*p))
        p++;
    size_t length = (size_t)(p - start);
    uint64_t width = 1;
    if (length >= PATTERN_NAME)
        return false;
    if (*p == ':') {
        p++;
        if (!read_number(&p, &width) || width == 0 || width > 64)
            return false;
    }
    e->width = (uint8_t)width;
    if (*p == '=') {
        p++;
        if (!read_number(&p, &e->value) || (width < 64 && e->value >> width))
            return false;
        e->fixed = true;
    } else if (length != 1 || *start != 'x') {
        e->name = start;
        e->name_length = (uint8_t)length;
    }
    *text = p;
    return true;
}

static void fix_bits(struct pattern *p, unsigned low, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = low + i;
        p->mask.w[bit >> 6] |= UINT64_C(1) << (bit & 63);
        p->value.w[bit >> 6] |= (value >> i & 1) << (bit & 63);
    }
}

static bool add_piece(struct pattern_field *f, unsigned low, unsigned width)
{
    if (f->npieces == PATTERN_MAX_PIECES || f->width + width > 64)
        return false;
    f->piece[f->npieces++] = (struct pattern_piece){(uint8_t)low, (uint8_t)width};
    f->width = (uint8_t)(f->width + width);
    return true;
}

/* A run of bits of a field; cut in two where it crosses bit 64. */
static bool add_field(struct pattern *p, const struct element *e, unsigned low)
{
    struct pattern_field *f = NULL;
    for (unsigned i = 0; i < p->nfields && !f; i++)
        if (strlen(p->field[i].name) == e->name_length && memcmp(p->field[i].name, e->name, e->name_length) == 0)
            f = &p->field[i];
    if (!f) {
        if (p->nfields == PATTERN_MAX_FIELDS)
            return false;
        f = &p->field[p->nfields++];
        memcpy(f->name, e->name, e->name_length);
    }
    if (low < 64 && low + e->width > 64)
        return add_piece(f, 64, low + e->width - 64) && add_piece(f, low, 64 - low);
    return add_piece(f, low, e->width);
}

bool pattern_compile(const char *text, struct pattern *out, const char **wrong)
{
    struct element elements[MAX_ELEMENTS];
    unsigned count = 0, bits = 0;
    memset(out, 0, sizeof *out);
    for (const char *p = text; *p;) {
        if (*p == ' ' || *p == '_') {
            p++;
            continue;
        }
        *wrong = p;
        if (count == MAX_ELEMENTS || !read_element(&p, &elements[count]))
            return false;
        bits += elements[count++].width;
        if (bits > MAX_BITS)
            return false;
    }
    *wrong = text;
    out->bits = (uint8_t)bits;
    unsigned low = bits;
    for (unsigned i = 0; i < count; i++) {
        const struct element *e = &elements[i];
        low -= e->width;
        if (e->fixed)
            fix_bits(out, low, e->width, e->value);
        else if (e->name && !add_field(out, e, low))
            return false;
    }
    return bits > 0;
}

int pattern_find_field(const struct pattern *p, const char *name)
{
    for (unsigned i = 0; i < p->nfields; i++)
        if (strcmp(p->field[i].name, name) == 0)
            return (int)i;
    return -1;
}
