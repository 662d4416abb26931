/* parse_imm.c - IMM: immediates of the six types. */
#include "base/decimal.h"
#include "isa/tgsi/parse.h"

#include <string.h>

static bool is_hex(char c)
{
    return scan_is(c, SCAN_DIGIT) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static unsigned hex_value(char c)
{
    return scan_is(c, SCAN_DIGIT) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* "0x" and digits at p: returns the end, the digits' number and value; NULL when there are none. */
static const char *take_hex(const char *p, unsigned *digits, uint64_t *value)
{
    if (p[0] != '0' || (p[1] | 0x20) != 'x')
        return NULL;
    *digits = 0;
    *value = 0;
    for (p += 2; is_hex(*p); p++) {
        if (*digits < 17)
            ++*digits;
        *value = *value << 4 | hex_value(*p);
    }
    return *digits > 0 ? p : NULL;
}

static bool bad_number(struct tgsi_parser *ps, const char *start, const char *end, const char *why)
{
    struct span where = {scan_offset(&ps->scan, start), (uint32_t)(end > start ? end - start : 1)};
    return scan_error(&ps->scan, where, "bad-number", NULL, "%s", why);
}

/* Nothing that continues a word may be after a number. */
static bool finish(struct tgsi_parser *ps, const char *start, const char *end)
{
    if (scan_is(*end, SCAN_LETTER | SCAN_DIGIT) || *end == '.')
        return bad_number(ps, start, end + scan_word_length(end) + (*end == '.'), "this is not a number");
    ps->scan.last = ps->scan.p = end;
    return true;
}

#define INFINITE_64 0x7ff0000000000000u
#define INFINITE_32 0x7f800000u

/* "inf", "infinity", "nan" at p: the pattern of a 64-bit float, or 0. */
static uint64_t special_word(const char *p, size_t length)
{
    if (scan_word_is(p, length, "INF") || scan_word_is(p, length, "INFINITY"))
        return INFINITE_64;
    if (scan_word_is(p, length, "NAN"))
        return 0x7ff8000000000000u;
    return 0;
}

static bool parse_float(struct tgsi_parser *ps, bool wide, uint64_t *bits)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p, *p = start;
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    unsigned digits;
    const char *end = take_hex(p, &digits, bits);
    if (end) {
        if (p != start || digits != (wide ? 16u : 8u))
            return bad_number(ps, start, end,
                              wide ? "a bit pattern of FLT64 is 0x and 16 digits, without a sign"
                                   : "a bit pattern of FLT32 is 0x and 8 digits, without a sign");
        return finish(ps, start, end);
    }
    uint64_t special = scan_is(*p, SCAN_DIGIT) ? 0 : special_word(p, scan_word_length(p));
    size_t n;
    if (special) {
        bool nan = special << 12 != 0;
        *bits = wide ? special : nan ? 0x7fc00000 : INFINITE_32;
        n = scan_word_length(p);
    } else if (wide) {
        n = decimal_to_f64(p, bits);
    } else {
        uint32_t narrow = 0;
        n = decimal_to_f32(p, &narrow);
        *bits = narrow;
    }
    if (n == 0)
        return tgsi_expected(ps, "a number");
    if (!special && *bits == (wide ? INFINITE_64 : INFINITE_32))
        return bad_number(ps, start, p + n,
                          wide ? "this number is larger than all of FLT64: infinity is inf"
                               : "this number is larger than all of FLT32: infinity is inf");
    if (minus)
        *bits |= wide ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
    return finish(ps, start, p + n);
}

/* An integer of 32 or 64 bits. Both kinds take what cannot be misread: hexadecimal patterns, and negative numbers. */
static bool parse_integer(struct tgsi_parser *ps, bool is_signed, unsigned width, uint64_t *bits)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p, *p = start;
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    uint64_t ones = width == 64 ? UINT64_MAX : UINT32_MAX, half = ones / 2 + 1;
    uint64_t most = minus ? half : is_signed ? half - 1 : ones, value = 0;
    unsigned digits;
    const char *end = take_hex(p, &digits, &value);
    bool range = end && (digits > width / 4 || (p != start && value > most));
    if (!end) {
        if (!scan_is(*p, SCAN_DIGIT))
            return tgsi_expected(ps, "an integer");
        for (end = p; scan_is(*end, SCAN_DIGIT); end++) {
            unsigned digit = (unsigned)(*end - '0');
            range = range || value > (most - digit) / 10;
            value = value * 10 + digit;
        }
    }
    if (range)
        return bad_number(ps, start, end,
                          width == 64 ? "this number does not fit in 64 bits of its type"
                                      : "this number does not fit in 32 bits of its type");
    *bits = (minus ? 0 - value : value) & ones;
    if (*end == '.')
        return bad_number(ps, start, end + 1 + scan_word_length(end + 1),
                          "an integer has no fraction: floats are in immediates of type FLT32 and FLT64");
    return finish(ps, start, end);
}

static bool parse_value(struct tgsi_parser *ps, struct tgsi_imm *imm, unsigned index)
{
    uint64_t bits = 0;
    bool ok = false;
    switch ((enum tgsi_imm_type)imm->type) {
    case TGSI_FLT32:
        ok = parse_float(ps, false, &bits);
        break;
    case TGSI_UINT32:
    case TGSI_INT32:
        ok = parse_integer(ps, imm->type == TGSI_INT32, 32, &bits);
        break;
    case TGSI_FLT64:
        ok = parse_float(ps, true, &bits);
        break;
    case TGSI_UINT64:
    case TGSI_INT64:
        ok = parse_integer(ps, imm->type == TGSI_INT64, 64, &bits);
        break;
    }
    if (!ok)
        return false;
    if (imm->type < TGSI_FLT64) {
        imm->bits[index] = (uint32_t)bits;
    } else {
        imm->bits[2 * index] = (uint32_t)bits;
        imm->bits[2 * index + 1] = (uint32_t)(bits >> 32);
    }
    return true;
}

static bool parse_number_of_immediate(struct tgsi_parser *ps)
{
    uint32_t number;
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p;
    if (!tgsi_parse_uint(ps, INT32_MAX, "the number of the immediate", &number))
        return false;
    if (number != ps->m->nimms && ps->scan.errors == 0) /* after an error the count may lack the immediate refused */
        return scan_error(&ps->scan, scan_span(&ps->scan, start), "immediate-number", NULL,
                          "immediates are numbered in order: this one is IMM[%u]", ps->m->nimms);
    if (!tgsi_parse_take(ps, ']'))
        return tgsi_expected(ps, "']'");
    return true;
}

bool tgsi_parse_immediate(struct tgsi_parser *ps, const char *start, struct tgsi_imm *imm)
{
    if (tgsi_parse_take(ps, '[') && !parse_number_of_immediate(ps))
        return false;
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "the type of the immediate");
    int type = scan_word_index(ps->scan.p, length, tgsi_imm_type_names, SIZE_MAX);
    if (type < 0)
        return tgsi_unknown(ps, "unknown-type", "immediate type", ps->scan.p, length, tgsi_imm_type_names, 6);
    imm->type = (uint8_t)type;
    ps->scan.last = ps->scan.p += length;
    if (!tgsi_parse_take(ps, '{'))
        return tgsi_expected(ps, "'{'");
    unsigned count = type < TGSI_FLT64 ? 4 : 2;
    for (unsigned i = 0; i < count; i++) {
        if (i > 0 && !tgsi_parse_take(ps, ','))
            return tgsi_expected(ps, count == 4 ? "',' and four values in all" : "',' and two values in all");
        if (!parse_value(ps, imm, i))
            return false;
    }
    if (!tgsi_parse_take(ps, '}'))
        return tgsi_expected(ps, count == 4 ? "'}' after four values" : "'}' after two values");
    imm->where = scan_span(&ps->scan, start);
    return true;
}
