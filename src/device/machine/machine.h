/* machine.h - a VideoCore IV that runs programs from reset: one scalar core with its vector unit, SDRAM, boot ROM
 * area, interrupt controller, system timer, two UARTs and GPIO, as the machine notes describe them.
 *
 * Time is what the core has executed: 250 instructions are a microsecond of the system timer. So every run is the
 * same, whatever the host does; `sleep` moves time on to the next match of the timer. */
#ifndef WEFT_DEVICE_MACHINE_MACHINE_H
#define WEFT_DEVICE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "exec/exec.h"

struct machine;

struct machine_params {
    uint32_t sdram;      /* bytes, up to 512 MiB; 0: 128 MiB */
    enum exec_level level;
    enum exec_engine engine;
    void *context;       /* of the functions below, each of which may be NULL */
    void (*transmit)(void *context, uint8_t byte);      /* a UART says something */
    int (*receive)(void *context);                      /* the next byte for it; -1: none yet */
    int (*wait)(void *context);                         /* until something may have come; 0: nothing will */
    void (*log)(void *context, const char *line);       /* accesses where nothing is known, GPIO outputs */
    void (*pass)(void *context);                        /* while it runs, every few million instructions */
};

/* NULL without memory. */
struct machine *machine_new(const struct machine_params *params);
void machine_free(struct machine *m);

/* A flat image at an address, entered there; an ELF executable (machine 137) by its segments, entered where it says.
 * Registers but pc stay. */
weft_status machine_load(struct machine *m, const char *name, const uint8_t *bytes, size_t size, uint32_t address,
                         weft_diags *diags);

enum machine_stop {
    MACHINE_LIMIT,       /* as many instructions as were allowed */
    MACHINE_SLEEP,       /* asleep, and nothing enabled could wake it */
    MACHINE_BREAKPOINT,  /* bkpt, for which there is no handler */
    MACHINE_EXCEPTION,   /* or an interrupt, without a handler: machine_exception, machine_lacked */
    MACHINE_BREAK,       /* a debugger's breakpoint, before the instruction */
    MACHINE_WATCH,       /* a debugger's watchpoint, after the instruction: machine_watched */
    MACHINE_STOPPED,     /* machine_interrupt */
    MACHINE_ERROR        /* memory, or an instruction that is not done: machine_error */
};

/* Run at most `limit` instructions, exactly; 0: no limit. */
enum machine_stop machine_run(struct machine *m, uint64_t limit);
/* Stop soon, from any thread or a signal. */
void machine_interrupt(struct machine *m);

/* Where it is, what it counts, why it stopped. */
uint32_t machine_pc(const struct machine *m);
void machine_set_pc(struct machine *m, uint32_t address);
uint64_t machine_instructions(const struct machine *m);
void machine_engine(const struct machine *m, struct exec_engine_report *out); /* what runs the program now */
unsigned machine_exception(const struct machine *m);
const char *machine_exception_name(unsigned number);
/* Why its handler was not entered; for MACHINE_NO_STACK, the stack pointer. */
enum machine_lack { MACHINE_NO_TABLE, MACHINE_NO_HANDLER, MACHINE_NO_STACK };
enum machine_lack machine_lacked(const struct machine *m, uint32_t *stack);
const char *machine_error(const struct machine *m);

/* r0-r31 as a program sees them: r30 with its flags, r31 where it is. */
uint32_t machine_register(const struct machine *m, unsigned reg);
void machine_set_register(struct machine *m, unsigned reg, uint32_t value);
/* The word of a lane of a row of the vector register file. */
uint32_t machine_vector(const struct machine *m, unsigned row, unsigned lane);
void machine_set_vector(struct machine *m, unsigned row, unsigned lane, uint32_t value);

/* Memory of any alias; false when some of it is not memory. Writes are seen by code that was translated. */
bool machine_read(struct machine *m, uint32_t address, void *bytes, size_t size);
bool machine_write(struct machine *m, uint32_t address, const void *bytes, size_t size);

/* Breakpoints and watchpoints of a debugger; false when there are too many or none such. */
enum machine_watch { MACHINE_WATCH_WRITE = 1, MACHINE_WATCH_READ = 2 };
bool machine_set_break(struct machine *m, uint32_t address, bool on);
bool machine_set_watch(struct machine *m, uint32_t address, uint32_t size, unsigned kinds, bool on);
bool machine_at_break(const struct machine *m);
void machine_clear_points(struct machine *m);
/* The address and kind of the access that MACHINE_WATCH is about. */
uint32_t machine_watched(const struct machine *m, unsigned *kinds);

#endif
