/* decimal.h - floats to and from decimal text, exactly and whatever the locale is. */
#ifndef WEFT_BASE_DECIMAL_H
#define WEFT_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Read [digits][.digits][e[+-]digits] (no sign, at least one digit) at `text`, which must end in a byte that
 * cannot continue a number. The result is correctly rounded; too large gives infinity. Returns the number of
 * bytes read, 0 when there is no number. */
size_t decimal_to_f32(const char *text, uint32_t *bits);
size_t decimal_to_f64(const char *text, uint64_t *bits);

/* The number at `text`; 0 when there is none. */
double decimal_value(const char *text);

enum { DECIMAL_MAX = 40 };

/* Write the shortest decimal that reads back as the same number, always with a point or an exponent in it. Finite
 * numbers only. Returns the length (no terminator); 0 when no decimal was found to be exact, which callers must
 * answer with a bit pattern. */
size_t decimal_from_f32(uint32_t bits, char out[DECIMAL_MAX]);
size_t decimal_from_f64(uint64_t bits, char out[DECIMAL_MAX]);

/* A number as printf's format g of the C locale prints it, with at most 17 digits, and a 0 after it; infinities and
 * NaNs too. Returns `out`. */
const char *decimal_general(double number, int digits, char out[DECIMAL_MAX]);

#endif
