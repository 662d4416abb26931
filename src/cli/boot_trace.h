/* boot_trace.h - what a program does on the machine, instruction by instruction. */
#ifndef WEFT_CLI_BOOT_TRACE_H
#define WEFT_CLI_BOOT_TRACE_H

#include "cli/boot_symbols.h"

/* Run the machine as weft_machine_run does, and write a line of JSON for each instruction to the file: its number, its
 * address, its text with the names of addresses, and the registers that it changed. Where the file cannot be written,
 * that is said and *failed is set. A trace ends after 256 MiB, which is said too; the program runs on. */
weft_machine_stop boot_trace_run(weft_machine *m, const struct boot_symbols *symbols, uint64_t limit, const char *file,
                                 int *failed);

#endif
