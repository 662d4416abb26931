/* decode.h - code to instructions, for raw bytes and for containers. */
#ifndef WEFT_ISA_TESLA_DECODE_H
#define WEFT_ISA_TESLA_DECODE_H

#include "isa/tesla/tesla.h"

/* Give a module `size` bytes of code and room for its instructions. False without memory. */
bool tesla_start_code(struct isa_module *m, const uint8_t *bytes, size_t size, struct arena *arena);

/* Append the instructions of a part of the module's code, the first of which has the address `address`. */
void tesla_decode_code(struct isa_module *m, uint32_t offset, uint32_t size, uint32_t address);

#endif
