/* data.c - data of the assembler: numbers, floats, strings. */
#include "isa/asm/asm.h"

#include "base/bytes.h"
#include "base/decimal.h"

#include <string.h>

bool asm_count_bytes(struct asm_state *a, const char *from, uint64_t more)
{
    a->bytes += more;
    return a->bytes <= ASM_MAX_BYTES ||
           asm_error(a, from, "too-large", NULL, "a program of more than %d bytes", ASM_MAX_BYTES);
}

bool asm_append_bytes(struct asm_state *a, const char *from, const uint8_t *bytes, size_t size)
{
    struct asm_section *s = &a->section[a->current];
    if (s->nobits)
        return asm_error(a, from, "section", NULL, "section '%s' holds no bytes", s->name);
    if (size == 0)
        return true;
    void *item = asm_count_bytes(a, from, size) ? asm_append(a) : NULL;
    if (item)
        a->isa->make_data(item, bytes, (uint32_t)size, a->included ? (struct span){0} : scan_span(&a->scan, from));
    return item != NULL;
}

static bool in_range(int64_t value, unsigned width)
{
    return width == 8 || (value >= -(INT64_C(1) << (8 * width - 1)) && value < INT64_C(1) << 8 * width);
}

/* Numbers of `width` bytes with commas between them. */
bool asm_read_numbers(struct asm_state *a, const struct asm_call *call)
{
    unsigned width = call->argument;
    size_t size = 0, capacity = 0;
    uint8_t *bytes = NULL;
    if (asm_at_end(a))
        return true;
    do {
        scan_blanks(&a->scan);
        const char *start = a->scan.p;
        const struct asm_expr *e = asm_expression(a);
        void *grown = e ? arena_grow(a->arena, bytes, 1, size, &capacity, size + width) : NULL;
        if (!grown)
            return e ? asm_no_memory(a) : false;
        bytes = grown;
        if (asm_is_number(e) && !in_range(e->value, width))
            return asm_error(a, start, "out-of-range", NULL, "%lld does not fit %u bits", (long long)e->value,
                             8 * width);
        bytes_put(bytes + size, asm_is_number(e) ? (uint64_t)e->value : 0, width);
        struct asm_fixup fixup = {.expr = e,
                                  .role = ASM_DATA,
                                  .width = (uint8_t)width,
                                  .offset = (uint32_t)size,
                                  .where = scan_span(&a->scan, start)};
        if (!asm_is_number(e) && !asm_add_fixup(a, &fixup))
            return false;
        size += width;
    } while (scan_take(&a->scan, ','));
    return asm_append_bytes(a, call->from, bytes, size);
}

/* .float: binary32, decimal numbers with commas between them. */
bool asm_read_floats(struct asm_state *a, const struct asm_call *call)
{
    size_t size = 0, capacity = 0;
    uint8_t *bytes = NULL;
    do {
        uint32_t bits;
        bool negative = scan_take(&a->scan, '-');
        scan_blanks(&a->scan);
        size_t length = decimal_to_f32(a->scan.p, &bits);
        if (length == 0)
            return scan_expected(&a->scan, "a decimal number");
        if (bits == 0x7f800000)
            return scan_error(&a->scan, scan_at(&a->scan, a->scan.p, (ptrdiff_t)length), "out-of-range",
                              "infinity is .long 0x7f800000", "this number does not fit 32 bits");
        bits |= negative ? 0x80000000u : 0;
        a->scan.last = a->scan.p += length;
        uint8_t *grown = arena_grow(a->arena, bytes, 1, size, &capacity, size + 4);
        if (!grown)
            return asm_no_memory(a);
        bytes = grown;
        bytes_put(bytes + size, bits, 4);
        size += 4;
    } while (scan_take(&a->scan, ','));
    return asm_append_bytes(a, call->from, bytes, size);
}

/* .fill count[,size[,value]]: a value of at most 8 bytes, so many times. */
bool asm_read_fill(struct asm_state *a, const struct asm_call *call)
{
    int64_t count, size = 1, value = 0;
    if (!asm_constant(a, 0, ASM_MAX_BYTES / 8, "how many", &count) ||
        (scan_take(&a->scan, ',') && !asm_constant(a, 0, 8, "how many bytes", &size)) ||
        (scan_take(&a->scan, ',') && !asm_constant(a, INT32_MIN, UINT32_MAX, "the value to fill with", &value)))
        return false;
    if (size && size < 4 && !in_range(value, (unsigned)size))
        return asm_error(a, call->from, "out-of-range", NULL, "%lld does not fit %u bits", (long long)value,
                         8 * (unsigned)size);
    size_t all = (size_t)count * (size_t)size;
    uint8_t *bytes = asm_count_bytes(a, call->from, 0) ? arena_alloc(a->arena, all + 1) : NULL;
    if (!bytes)
        return asm_no_memory(a);
    for (size_t at = 0; size && at < all; at += (size_t)size)
        bytes_put(bytes + at, (uint32_t)value, (unsigned)size); /* only the low 4 bytes of it count */
    return asm_append_bytes(a, call->from, bytes, all);
}

static int hex_digit(char c)
{
    return scan_is(c, SCAN_HEX) ? (c <= '9' ? c - '0' : (c | 32) - 'a' + 10) : -1;
}

/* The character after a backslash. */
uint8_t asm_read_escape(struct asm_state *a)
{
    static const char letters[] = "nrtbf0", values[] = "\n\r\t\b\f";
    char c = *a->scan.p++;
    unsigned value = 0;
    if (c >= '0' && c <= '7') {
        value = (unsigned)(c - '0');
        for (int i = 0; i < 2 && *a->scan.p >= '0' && *a->scan.p <= '7'; i++)
            value = value * 8 + (unsigned)(*a->scan.p++ - '0');
        return (uint8_t)value;
    }
    if (c == 'x') {
        while (hex_digit(*a->scan.p) >= 0)
            value = value * 16 + (unsigned)hex_digit(*a->scan.p++);
        return (uint8_t)value;
    }
    const char *at = c ? strchr(letters, c) : NULL;
    return (uint8_t)(at ? values[at - letters] : c);
}

/* A string in quotes, into the arena. */
bool asm_read_string(struct asm_state *a, uint8_t **out, size_t *size)
{
    if (!scan_take(&a->scan, '"'))
        return scan_expected(&a->scan, "a string in quotes");
    const char *from = a->scan.p - 1, *close = from + 1;
    while (close < a->scan.end && *close != '"' && *close != '\n')
        close += *close == '\\' && close + 1 < a->scan.end && close[1] != '\n' ? 2 : 1;
    if (close >= a->scan.end || *close != '"')
        return asm_error(a, from, "syntax", NULL, "this string is not closed");
    uint8_t *bytes = arena_alloc(a->arena, (size_t)(close - from) + 1);
    if (!bytes)
        return asm_no_memory(a);
    *size = 0;
    while (a->scan.p < close) {
        uint8_t c = (uint8_t)*a->scan.p++;
        bytes[(*size)++] = c == '\\' ? asm_read_escape(a) : c;
    }
    a->scan.last = a->scan.p = close + 1;
    *out = bytes;
    return true;
}

/* terminated 1: a zero byte after each. */
bool asm_read_strings(struct asm_state *a, const struct asm_call *call)
{
    unsigned terminated = call->argument;
    do {
        uint8_t *bytes;
        size_t size;
        if (!asm_read_string(a, &bytes, &size)) /* has room for one byte more */
            return false;
        if (!asm_append_bytes(a, call->from, bytes, size + terminated))
            return false;
    } while (scan_take(&a->scan, ','));
    return true;
}
