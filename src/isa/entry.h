/* entry.h - where a program starts: the address that a name may be. */
#ifndef WEFT_ISA_ENTRY_H
#define WEFT_ISA_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/* An address as the command's options have it: decimal, or hexadecimal with 0x. False: the text is a name. */
bool entry_address(const char *text, uint64_t *address);

#endif
