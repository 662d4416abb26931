/* decimal.c - numbers in decimal, read and written exactly. */
#include "base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every power of ten that a double holds exactly. */
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { EXACT_POWERS = 22 };

/* A decimal taken apart: digits * 10^exponent. Of a text with more than 18 digits it has the first 18, which are 10^17
 * or more: too many for short_to_f64. */
struct decimal {
    uint64_t digits;
    int exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void take_digit(struct decimal *d, char c, int scale)
{
    if (d->digits < 100000000000000000u) {
        d->digits = d->digits * 10 + (uint64_t)(c - '0');
        d->exponent -= scale;
    } else {
        d->exponent += 1 - scale;
    }
}

static size_t take_apart(const char *text, struct decimal *d)
{
    const char *p = text;
    int count = 0;
    *d = (struct decimal){0};
    for (; is_digit(*p); p++, count = 1)
        take_digit(d, *p, 0);
    if (*p == '.' && (count || is_digit(p[1]))) {
        for (p++; is_digit(*p); p++, count = 1)
            take_digit(d, *p, 1);
    }
    if (!count)
        return 0;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        bool minus = *q == '-';
        if (*q == '+' || *q == '-')
            q++;
        if (is_digit(*q)) {
            int e = 0;
            for (; is_digit(*q); q++)
                e = e < 100000 ? e * 10 + (*q - '0') : e;
            d->exponent += minus ? -e : e;
            p = q;
        }
    }
    return (size_t)(p - text);
}

/* Clinger: one rounding only, so the double is right. */
static bool short_to_f64(const struct decimal *d, double *value)
{
    if (d->digits >> 53 || d->exponent < -EXACT_POWERS || d->exponent > EXACT_POWERS)
        return false;
    double m = (double)d->digits;
    *value = d->exponent < 0 ? m / exact_powers[-d->exponent] : m * exact_powers[d->exponent];
    return true;
}

/* Rounding a right double again is right unless the double lies half-way between two floats. */
static bool short_to_f32(const struct decimal *d, float *value)
{
    double wide;
    if (!short_to_f64(d, &wide))
        return false;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    bool half_way = (bits & 0x1fffffff) == 0x10000000;
    if (half_way || wide > 3e38 || (wide < 3e-38 && wide != 0))
        return false;
    *value = (float)wide;
    return true;
}

size_t decimal_to_f32(const char *text, uint32_t *bits)
{
    struct decimal d;
    float value;
    size_t n = take_apart(text, &d);
    if (n == 0)
        return 0;
    if (!short_to_f32(&d, &value)) {
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        value = c ? strtof_l(text, NULL, c) : 0;
        if (!c)
            return 0;
        freelocale(c);
    }
    memcpy(bits, &value, sizeof value);
    return n;
}

size_t decimal_to_f64(const char *text, uint64_t *bits)
{
    struct decimal d;
    double value;
    size_t n = take_apart(text, &d);
    if (n == 0)
        return 0;
    if (!short_to_f64(&d, &value)) {
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!c)
            return 0;
        value = strtod_l(text, NULL, c);
        freelocale(c);
    }
    memcpy(bits, &value, sizeof value);
    return n;
}

double decimal_value(const char *text)
{
    uint64_t bits = 0;
    double value;
    decimal_to_f64(text, &bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- writing ---- */

static size_t put_digits(char *out, uint64_t v)
{
    char reversed[20];
    size_t n = 0;
    do
        reversed[n++] = (char)('0' + v % 10);
    while ((v /= 10) != 0);
    for (size_t i = 0; i < n; i++)
        out[i] = reversed[n - 1 - i];
    return n;
}

/* digits * 10^exponent: plain from 0.0001 to 10^15, else with an exponent. */
static size_t put_decimal(char *out, bool minus, uint64_t digits, int exponent)
{
    while (digits != 0 && digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    char text[20];
    int count = (int)put_digits(text, digits), point = count + exponent; /* value = 0.text * 10^point */
    char *p = out;
    if (minus)
        *p++ = '-';
    if (digits == 0) {
        memcpy(p, "0.0", 3);
        p += 3;
    } else if (point > 15 || point < -3) {
        *p++ = text[0];
        if (count > 1) {
            *p++ = '.';
            memcpy(p, text + 1, (size_t)count - 1);
            p += count - 1;
        }
        *p++ = 'e';
        int e = point - 1;
        *p++ = e < 0 ? '-' : '+';
        p += put_digits(p, (uint64_t)(e < 0 ? -e : e));
    } else if (point <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = point; i < 0; i++)
            *p++ = '0';
        memcpy(p, text, (size_t)count);
        p += count;
    } else {
        for (int i = 0; i < point; i++)
            *p++ = i < count ? text[i] : '0';
        *p++ = '.';
        if (count > point) {
            memcpy(p, text + point, (size_t)(count - point));
            p += count - point;
        } else {
            *p++ = '0';
        }
    }
    return (size_t)(p - out);
}

static long double scale10(long double v, int e)
{
    for (; e > 22; e -= 22)
        v *= 1e22L;
    for (; e < -22; e += 22)
        v /= 1e22L;
    return e < 0 ? v / (long double)exact_powers[-e] : v * (long double)exact_powers[e];
}

size_t decimal_from_f32(uint32_t bits, char out[DECIMAL_MAX])
{
    uint32_t magnitude = bits & 0x7fffffff;
    float value;
    memcpy(&value, &magnitude, sizeof value);
    if (magnitude == 0)
        return put_decimal(out, bits >> 31, 0, 0);
    /* Candidates of 1, 2, ... 9 digits; the reader says which one is exact. */
    int top = (int)floor(log10((double)value));
    for (int count = 1; count <= 9; count++) {
        int exponent = top + 1 - count;
        struct decimal d = {(uint64_t)llroundl(scale10((long double)value, -exponent)), exponent};
        float back;
        if (short_to_f32(&d, &back)) {
            if (back == value)
                return put_decimal(out, bits >> 31, d.digits, exponent);
            continue;
        }
        uint32_t read;
        size_t n = put_decimal(out, false, d.digits, exponent);
        out[n] = '\0';
        if (decimal_to_f32(out, &read) == n && read == magnitude)
            return put_decimal(out, bits >> 31, d.digits, exponent);
    }
    return 0;
}

size_t decimal_from_f64(uint64_t bits, char out[DECIMAL_MAX])
{
    uint64_t magnitude = bits & 0x7fffffffffffffffu;
    double value;
    memcpy(&value, &magnitude, sizeof value);
    if (magnitude == 0)
        return put_decimal(out, bits >> 63, 0, 0);
    int top = (int)floor(log10(value));
    for (int count = 1; count <= 17; count++) {
        int exponent = top + 1 - count;
        uint64_t digits = (uint64_t)llroundl(scale10((long double)value, -exponent));
        uint64_t read;
        size_t n = put_decimal(out, false, digits, exponent);
        out[n] = '\0';
        if (decimal_to_f64(out, &read) == n && read == magnitude)
            return put_decimal(out, bits >> 63, digits, exponent);
    }
    return 0;
}

/* Another locale may have another point, of one byte or more: it is what no number has in the C locale. */
const char *decimal_general(double number, int digits, char out[DECIMAL_MAX])
{
    char *to = out;
    snprintf(out, DECIMAL_MAX, "%.*g", digits, number);
    for (const char *from = out; *from;) {
        size_t other = strcspn(from, "+-0123456789aefin");
        *to++ = other ? '.' : *from;
        from += other ? other : 1;
    }
    *to = 0;
    return out;
}
