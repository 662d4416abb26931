/* gdb_server.h - a server of GDB's remote protocol for the machine: what the packets of gdb_link.h do. */
#ifndef WEFT_CLI_GDB_SERVER_H
#define WEFT_CLI_GDB_SERVER_H

#include "cli/gdb_link.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/machine.h>

/* How a session with a debugger ended. */
enum gdb_end {
    GDB_DETACHED, /* or the connection was lost: the machine is left to run */
    GDB_KILLED,   /* the machine is to stop where it is */
    GDB_HALTED    /* the machine halted for good, or used up its limit */
};

/* Serve a debugger. limit: instructions that the machine may run; 0: no limit. *stop is why the machine stopped
 * last. */
enum gdb_end gdb_serve(struct gdb_link *l, weft_machine *m, uint64_t limit, weft_machine_stop *stop);

#endif
