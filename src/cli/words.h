/* words.h - machine words as people print them, back to bytes. */
#ifndef WEFT_CLI_WORDS_H
#define WEFT_CLI_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <weft/program.h>

/* Read words of `unit` bytes: hexadecimal with or without 0x, the most significant digit first, of one unit or of
 * several (the last of them first). Skipped are blanks, commas, brackets, semicolons, comments, the head of an array in
 * C, and at the start of a line an offset with a colon, as gdb has too, and what a kernel's log has there. Dumps of
 * memory are read as well (xxd, hexdump, od); their pairs of digits, and words of two digits each, are bytes in memory
 * order. So are the pairs at the start of a line of a listing, the rest of which is skipped, as are headings before the
 * first word, unless they have words themselves. Where a unit has 8 bytes and no word more than 8 digits, words are
 * halves of units, the low one first. `bytes` holds (size / 2 + 1) * unit at least. Returns the offset of the first
 * character that is not understood, or `size`. */
size_t words_parse(const char *text, size_t size, unsigned unit, uint8_t *bytes, size_t *count);

/* The digits of the word at a place when they are more than one unit has and not those of several; else 0: no
 * words_parse reads it. */
size_t words_odd_digits(const char *at, const char *end, unsigned unit);

/* The opposite, of whole words: as C has them, a line for each of `count` places, or for each word where there are no
 * places or a place is not of whole words. free() the result. */
char *words_print(const uint8_t *bytes, size_t size, unsigned unit, const weft_place *places, size_t count,
                  size_t *length);

/* Is it one such word? */
int words_is_word(const char *text);

#endif
