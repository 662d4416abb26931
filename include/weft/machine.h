/* weft/machine.h - the machine around a VideoCore IV VPU: run bare programs, step by step if need be.
 *
 * What `weft boot` runs programs on: one scalar core with its vector unit, SDRAM, boot ROM area, interrupt controllers,
 * system timer, two UARTs and GPIO; docs/manual/vpu.md has its memory map, its exceptions and what is in the registers
 * at the start. Memory-mapped devices of the caller's come beside them, or in their place.
 *
 *     weft_machine *machine;
 *     if (weft_machine_new(NULL, diags, &machine) == WEFT_OK &&
 *         weft_machine_load(machine, "a.bin", bytes, size, 0, diags) == WEFT_OK &&
 *         weft_machine_run(machine, 1000000) == WEFT_MACHINE_SLEEP)
 *         printf("r0 = %u\n", weft_machine_register(machine, 0));
 *     weft_machine_free(machine);
 *
 * Time is what the core has executed: 250 instructions are a microsecond of the system timer, and `sleep` moves time on
 * to the timer's next match. So every run is the same, whatever the host does. A machine belongs to one thread at a
 * time; only weft_machine_interrupt may be called from others. Functions of the caller's are called by the thread that
 * runs it, and may read and write registers and memory, and raise interrupts; they may not run, load or free it.
 */
#ifndef WEFT_MACHINE_H
#define WEFT_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/draw.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_machine weft_machine;

enum {
    WEFT_MACHINE_DEVICES = 32,
    WEFT_MACHINE_SP = 25, /* registers with a role: stack pointer, link, status, program counter */
    WEFT_MACHINE_LR = 26,
    WEFT_MACHINE_SR = 30,
    WEFT_MACHINE_PC = 31
};
#define WEFT_MACHINE_MAX_SDRAM ((uint32_t)512 << 20)

/* ---- life ---- */

typedef struct weft_machine_options {
    size_t size;    /* weft/api.h */
    uint32_t sdram; /* bytes, a multiple of 4096 up to WEFT_MACHINE_MAX_SDRAM; 0: 128 MiB */
    weft_cpu_level cpu_level;
    void *context; /* of the functions below, each of which may be NULL */
    void (*transmit)(void *context, uint8_t byte); /* a UART says something */
    int (*receive)(void *context);                 /* the next byte for it; -1: none yet */
    /* The program sleeps, and only a byte or a device could wake it: wait until one may have. 0: none will. */
    int (*wait)(void *context);
    void (*log)(void *context, const char *line); /* accesses where nothing is known, changes of GPIO outputs */
    void (*pass)(void *context);                  /* while it runs, every few million instructions at the latest */
    weft_engine engine; /* AUTO: code that runs long is compiled meanwhile; JIT: all code, when it is first come to */
} weft_machine_options;

/* A machine with empty memory and all registers zero, in supervisor mode. options NULL: all zero. *out is NULL unless
 * WEFT_OK is returned. WEFT_ERROR_USAGE: options that make no sense; WEFT_ERROR_MEMORY. */
WEFT_API weft_status weft_machine_new(const weft_machine_options *options, weft_diags *diags, weft_machine **out);
WEFT_API void weft_machine_free(weft_machine *machine); /* NULL is fine */

/* Load a program: an ELF executable (machine 137) by its segments, which is entered where it says; any other bytes are
 * a flat image, which is put at `address` and entered there. Registers but pc stay. `name` is what diagnostics call it.
 * WEFT_ERROR_INPUT: a damaged file, or one that does not fit the memory. */
WEFT_API weft_status weft_machine_load(weft_machine *machine, const char *name, const uint8_t *bytes, size_t size,
                                       uint32_t address, weft_diags *diags);

/* ---- running ---- */

typedef enum weft_machine_stop {
    WEFT_MACHINE_LIMIT,       /* as many instructions as were allowed */
    WEFT_MACHINE_SLEEP,       /* asleep, and nothing that is enabled could wake it */
    WEFT_MACHINE_BKPT,        /* bkpt, for which there is no handler; pc is its address */
    WEFT_MACHINE_EXCEPTION,   /* or an interrupt, whose handler cannot be entered: weft_machine_exception */
    WEFT_MACHINE_BREAK,       /* a breakpoint, before the instruction */
    WEFT_MACHINE_WATCH,       /* a watchpoint, after the instruction: weft_machine_watched */
    WEFT_MACHINE_INTERRUPTED, /* weft_machine_interrupt */
    WEFT_MACHINE_ERROR /* no memory, or an instruction that weft does not do: weft_machine_stop_text says which */
} weft_machine_stop;

/* Run exactly `limit` instructions, unless it stops before; 0: no limit. It goes on from where it stopped, and a
 * breakpoint at the first instruction does not count. What the program does is the same in one run and in several, and
 * with breakpoints or without. 1 is a step: of an instruction that faults, or when an interrupt comes before it, the
 * step is the entry of the handler, and no instruction has run. */
WEFT_API weft_machine_stop weft_machine_run(weft_machine *machine, uint64_t limit);

/* Stop soon, with WEFT_MACHINE_INTERRUPTED; the next run, if it does not run now. From any thread, a signal's handler,
 * or a function of a device. */
WEFT_API void weft_machine_interrupt(weft_machine *machine);

/* One line about the last stop: "sleep at 0x24, r0 = 0x0". As snprintf: at most `size` bytes with the final zero;
 * returns the length that the whole text has. */
WEFT_API size_t weft_machine_stop_text(const weft_machine *machine, weft_machine_stop stop, char *buffer, size_t size);

/* Instructions since it was made. */
WEFT_API uint64_t weft_machine_instructions(const weft_machine *machine);

/* Loads and stores since it was made that had no effect: of peripherals that are not there, or not enabled. The log has
 * a line of each. */
WEFT_API uint64_t weft_machine_lost_accesses(const weft_machine *machine);

/* What runs the program now. Its operations are those of the code that was come to. */
WEFT_API void weft_machine_get_engine(const weft_machine *machine, weft_engine_stats *stats);

/* The number of the exception or interrupt of WEFT_MACHINE_EXCEPTION, and the name of one, never NULL. */
WEFT_API unsigned weft_machine_exception(const weft_machine *machine);
WEFT_API const char *weft_machine_exception_name(unsigned number);

/* Breakpoints (at most 64) and watchpoints of an address range (at most 16); `on` 0 takes one away. WEFT_ERROR_USAGE:
 * too many, none such, or a breakpoint at an odd address. While there are any the program runs one instruction at a
 * time. */
enum { WEFT_MACHINE_WATCH_WRITE = 1, WEFT_MACHINE_WATCH_READ = 2 };
WEFT_API weft_status weft_machine_set_break(weft_machine *machine, uint32_t address, int on);
WEFT_API weft_status weft_machine_set_watch(weft_machine *machine, uint32_t address, uint32_t bytes, unsigned kinds,
                                            int on);
WEFT_API void weft_machine_clear_points(weft_machine *machine); /* all of both */
/* Is there a breakpoint at pc? 1 or 0. */
WEFT_API int weft_machine_at_break(const weft_machine *machine);
/* The address of the access that WEFT_MACHINE_WATCH is about; *kinds, which may be NULL: what its watchpoint is for. */
WEFT_API uint32_t weft_machine_watched(const weft_machine *machine, unsigned *kinds);

/* ---- registers and memory ---- */

/* r0 to r31, as a program sees them: r30 with its flags, r31 is where it is. Of a number beyond 31: 0, and nothing. */
WEFT_API uint32_t weft_machine_register(const weft_machine *machine, unsigned number);
WEFT_API void weft_machine_set_register(weft_machine *machine, unsigned number, uint32_t value);

/* The word of lane 0 to 15 of row 0 to 63 of the vector register file: HY(row,0). Beyond: 0, and nothing. */
WEFT_API uint32_t weft_machine_vector(const weft_machine *machine, unsigned row, unsigned lane);
WEFT_API void weft_machine_set_vector(weft_machine *machine, unsigned row, unsigned lane, uint32_t value);

/* Memory, by an address of any alias; not devices. Code that is written runs as it is then. WEFT_ERROR_USAGE: some of
 * it is not memory; nothing was read or written then. */
WEFT_API weft_status weft_machine_read(const weft_machine *machine, uint32_t address, void *bytes, size_t size);
WEFT_API weft_status weft_machine_write(weft_machine *machine, uint32_t address, const void *bytes, size_t size);

/* ---- devices and interrupts ---- */

/* Addresses that lead to functions of the caller's. `offset` is from the first address, `size` 1, 2 or 4 bytes; a value
 * is in the low bits. They return 0 where nothing is: the access is exception 5 then, and the instruction has not run.
 * A NULL function: nothing is there for that kind of access. */
typedef struct weft_device {
    size_t size; /* weft/api.h */
    uint32_t first, bytes;
    void *context;
    int (*load)(void *context, weft_machine *machine, uint32_t offset, unsigned size, uint32_t *value);
    int (*store)(void *context, weft_machine *machine, uint32_t offset, unsigned size, uint32_t value);
} weft_device;

/* Add a device, which stays until the machine is freed. It comes before weft's own where they overlap.
 * WEFT_ERROR_USAGE: it overlaps memory or another device that was added, or is empty, or there are
 * WEFT_MACHINE_DEVICES. */
WEFT_API weft_status weft_machine_add_device(weft_machine *machine, const weft_device *device, weft_diags *diags);

/* Raise (not 0) or lower the line of interrupt 64 to 127. It is taken while it is raised and the program enables it:
 * before the next instruction when a function of a device raises it, or before the next run; after 64 instructions at
 * the latest when another function of the caller's does. It wakes `sleep`. Lines of weft's own devices with the same
 * number count besides. WEFT_ERROR_USAGE: another number. */
WEFT_API weft_status weft_machine_raise(weft_machine *machine, unsigned number, int raised);

#ifdef __cplusplus
}
#endif
#endif
