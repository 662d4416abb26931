/* dump.h - dumps of memory as hexdump, od and Mesa print them, back to bytes. */
#ifndef WEFT_CLI_DUMP_H
#define WEFT_CLI_DUMP_H

#include <stddef.h>
#include <stdint.h>

/* Read a dump whose lines begin with an offset that no colon follows: `00000010  05 c8 00 10 ...  |....|`. Pairs of
 * digits are bytes, longer groups words of the host that made the dump, least significant byte first. The offsets,
 * hexadecimal or octal, must go up by what the lines hold: words alone do not look like that. `bytes` holds
 * size / 2 + 1 at least. Returns how many bytes there are; 0: it is not such a dump. */
size_t dump_parse(const char *text, size_t size, uint8_t *bytes);

#endif
