/* gdb.c */
#include "cli/gdb.h"
#include "cli/cli.h"
int gdb_serve(struct machine *m, unsigned port, enum machine_stop *stop, bool *go_on)
{
    (void)m; (void)port; (void)stop; (void)go_on;
    return STATUS_USAGE;
}
