/* run_numbers.c - see run_numbers.h. */
#include "cli/run_numbers.h"
#include "base/bytes.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "cli/digits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 40 /* of a number as text, its line end too */ };

static const struct {
    const char *name;
    uint8_t width;
    bool is_float, is_signed;
} types[] = {[RUN_FLOAT] = {"float", 4, true, true},
             [RUN_DOUBLE] = {"double", 8, true, true},
             [RUN_INT] = {"int", 4, false, true},
             [RUN_UINT] = {"uint", 4, false, false}};
enum { TYPES = sizeof types / sizeof types[0] };

enum run_numbers run_numbers_type(const char *file, size_t *length)
{
    const char *colon = strrchr(file, ':');
    *length = strlen(file);
    for (unsigned t = RUN_FLOAT; colon && colon > file && t < TYPES; t++)
        if (strcmp(colon + 1, types[t].name) == 0) {
            *length = (size_t)(colon - file);
            return (enum run_numbers)t;
        }
    return RUN_BYTES;
}

size_t run_numbers_width(enum run_numbers type) { return type == RUN_BYTES ? 1 : types[type].width; }

static bool is_between(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == '\n'; }

/* Why a word is not a number of the type. */
enum fault { FINE, NOT_A_NUMBER, TOO_LARGE };

static enum fault float_bits(const char *p, size_t n, unsigned width, uint64_t *bits)
{
    const uint64_t inf = width == 8 ? UINT64_C(0x7ff) << 52 : 0xffu << 23;
    uint32_t single = 0;
    *bits = 0;
    if (n == 3 && strncmp(p, "inf", 3) == 0) {
        *bits = inf;
    } else if (n == 3 && strncmp(p, "nan", 3) == 0) {
        *bits = width == 8 ? UINT64_C(0xfff) << 51 : 0x1ffu << 22;
    } else {
        size_t used = width == 8 ? decimal_to_f64(p, bits) : decimal_to_f32(p, &single);
        *bits |= single;
        if (used == 0 || used != n)
            return NOT_A_NUMBER;
        if (*bits == inf)
            return TOO_LARGE;
    }
    return FINE;
}

static enum fault integer_bits(const char *p, size_t n, bool hex, uint64_t most, uint64_t *bits)
{
    const unsigned base = hex ? 16 : 10;
    bool beyond = false;
    *bits = 0;
    for (const char *end = p + n; p < end; p++) {
        if (!(hex ? isxdigit : isdigit)((unsigned char)*p))
            return NOT_A_NUMBER;
        unsigned digit = digits_value(*p);
        beyond |= *bits > (most - digit) / base;
        *bits = *bits * base + digit;
    }
    return beyond ? TOO_LARGE : FINE;
}

/* One number, which a byte that is not part of it follows. */
static enum fault parse(const char *text, size_t n, enum run_numbers type, uint64_t *bits)
{
    const unsigned width = types[type].width;
    const bool negative = *text == '-', sign = negative || *text == '+';
    const bool hex = n > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
    enum fault fault;
    if (n == sign)
        return NOT_A_NUMBER;
    if (types[type].is_float && !hex) {
        fault = float_bits(text + sign, n - sign, width, bits);
        *bits |= (uint64_t)negative << (width * 8 - 1);
        return fault;
    }
    uint64_t most = width == 8 ? UINT64_MAX : UINT32_MAX;
    if (!hex && types[type].is_signed)
        most = (uint64_t)INT32_MAX + negative;
    size_t before = hex ? 2 : sign;
    fault = integer_bits(text + before, n - before, hex, most, bits);
    if (negative && !types[type].is_signed && fault == FINE && *bits)
        return TOO_LARGE;
    *bits = negative ? -*bits : *bits;
    return fault;
}

weft_status run_numbers_read(struct cli_bytes *io, enum run_numbers type, weft_diags *diags)
{
    const struct source source = {io->name, io->data, io->size};
    uint8_t *bytes = cli_kept(malloc((io->size / 2 + 1) * types[type].width));
    size_t count = 0;
    for (size_t i = 0; i < io->size;) {
        size_t start = i;
        uint64_t bits;
        enum fault fault;
        if (is_between(io->data[i])) {
            i++;
            continue;
        }
        if (io->data[i] == '#') {
            while (i < io->size && io->data[i] != '\n')
                i++;
            continue;
        }
        while (i < io->size && !is_between(io->data[i]) && io->data[i] != '#')
            i++;
        fault = parse(io->data + start, i - start, type, &bits);
        if (fault != FINE) {
            struct span where = {(uint32_t)start, (uint32_t)(i - start)};
            diag_at(diags, WEFT_ERROR, "not-a-number", &source, where, NULL,
                    fault == TOO_LARGE ? "the number does not fit %s" : "expected a number of type %s",
                    types[type].name);
            free(bytes);
            return WEFT_ERROR_INPUT;
        }
        bytes_put(bytes + count, bits, types[type].width);
        count += types[type].width;
    }
    free(io->data);
    io->data = (char *)bytes;
    io->size = count;
    return WEFT_OK;
}

static size_t print_float(char *p, const uint8_t *at, unsigned width)
{
    uint64_t bits = bytes_number(at, width);
    uint64_t magnitude = bits & ~(UINT64_C(1) << (width * 8 - 1));
    uint64_t inf = width == 8 ? UINT64_C(0x7ff) << 52 : 0xffu << 23;
    size_t n = 0;
    if (magnitude < inf)
        n = width == 8 ? decimal_from_f64(bits, p) : decimal_from_f32((uint32_t)bits, p);
    if (n)
        return n;
    if (magnitude == inf)
        return (size_t)sprintf(p, bits == inf ? "inf" : "-inf");
    return (size_t)sprintf(p, "0x%0*" PRIx64, (int)width * 2, bits);
}

char *run_numbers_print(const void *bytes, size_t size, enum run_numbers type, size_t *length)
{
    const unsigned width = types[type].width;
    char *text = cli_kept(malloc(size / width * DIGITS + 1)), *p = text;
    for (const uint8_t *at = bytes; at + width <= (const uint8_t *)bytes + size; at += width) {
        uint32_t word = bytes_word(at);
        if (types[type].is_float)
            p += print_float(p, at, width);
        else
            p += sprintf(p, type == RUN_INT ? "%" PRId32 : "%" PRIu32, word);
        *p++ = '\n';
    }
    *length = (size_t)(p - text);
    return text;
}
