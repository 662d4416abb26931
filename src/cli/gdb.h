/* gdb.h - a GDB remote stub for the machine, on the loopback interface. */
#ifndef WEFT_CLI_GDB_H
#define WEFT_CLI_GDB_H

#include "device/machine/machine.h"

/* Wait for a debugger on 127.0.0.1:port (0: any; standard error tells which) and serve it until it detaches, kills or goes.
 * *stop is why the machine stopped last; *go_on: the debugger left it to run. Returns an exit status. */
int gdb_serve(struct machine *m, unsigned port, enum machine_stop *stop, bool *go_on);

#endif
