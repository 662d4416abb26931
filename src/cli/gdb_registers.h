/* gdb_registers.h - the machine's registers as a debugger numbers them: r0-r31, then the 64 rows of the vector
 * register file. */
#ifndef WEFT_CLI_GDB_REGISTERS_H
#define WEFT_CLI_GDB_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/machine.h>

enum {
    GDB_SCALARS = 32, GDB_VECTORS = 64, GDB_REGISTERS = GDB_SCALARS + GDB_VECTORS,
    GDB_PC = 31,
    GDB_SCALAR_SIZE = 4, GDB_VECTOR_SIZE = 64,
    GDB_ALL_REGISTERS = GDB_SCALARS * GDB_SCALAR_SIZE + GDB_VECTORS * GDB_VECTOR_SIZE /* bytes */
};

/* Bytes of a register; 0: none such. */
size_t gdb_register_size(unsigned number);
/* The bytes of a register, in memory order, to and from the machine. */
void gdb_register_read(const weft_machine *m, unsigned number, uint8_t *bytes);
void gdb_register_write(weft_machine *m, unsigned number, const uint8_t *bytes);

/* The target description (GDB manual, appendix "Target Descriptions"). free() it; NULL without memory. */
char *gdb_target_description(size_t *size);

#endif
