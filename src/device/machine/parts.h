/* parts.h - what the parts of the machine know of one another. */
#ifndef WEFT_DEVICE_MACHINE_PARTS_H
#define WEFT_DEVICE_MACHINE_PARTS_H

#include "device/machine/machine.h"
#include "isa/vpu/lift.h"

#include <weft/machine.h>

enum {
    ALIASES = 4,
    BOOT_ROM = 0x20000000, BOOT_ROM_SIZE = 0x10000, /* 0x60000000 in the second alias, where programs know it */
    IO_BASE = 0x7e000000, IO_SIZE = 0x1000000,
    CLOCKS_PER_US = 250,
    MOST_BREAKS = 64, MOST_WATCHES = 16
};

/* ---- devices ---- */

struct interrupt_controller {
    uint32_t c, mask[8], vaddr, force[2];
    bool has_table;
    uint32_t s[16];    /* register S of the handlers that have begun, the innermost last */
    unsigned depth;
};

struct system_timer {
    uint32_t cs, compare[4];
    uint64_t seen; /* microseconds until which matches have been looked for */
};

/* Both UARTs: their registers, and the byte that has come in. */
struct uart {
    uint32_t regs[32];
    int received; /* -1: nothing */
};

struct gpio {
    uint32_t regs[48], levels[2];
};

struct watch {
    uint32_t address, size;
    unsigned kinds;
};

/* ---- translated code ---- */

struct code {
    struct arena arena;
    struct ir_program *program;
    struct vpu_lifter lifter;
    struct exec_program *compiled;
    struct exec_warp *warp;
    uint32_t dropped;    /* blocks: after many of them all is made again */
    bool stale;          /* the ranges are to be made again */
};

struct machine {
    struct machine_params params;
    uint8_t *sdram, *rom;
    uint32_t sdram_size;
    struct code code;
    struct exec_env env;
    struct exec_bus bus;
    struct exec_range loads[2 * ALIASES + 1];
    struct exec_range *stores;
    size_t stores_cap;
    struct arena ranges_arena;

    struct interrupt_controller ic[2];
    struct system_timer timer;
    struct uart mini, pl011;
    uint32_t aux_enables;
    struct gpio gpio;
    weft_device devices[WEFT_MACHINE_DEVICES]; /* the caller's */
    unsigned ndevices;
    uint64_t lines;       /* interrupts that the caller raises: bit 0 is 64 */

    uint32_t user_sp;     /* while in user mode: normal code's stack pointer; else user mode's */
    uint64_t before;      /* instructions of warps that were given up, and of blocks that did not end */
    uint64_t skipped;     /* microseconds slept */
    uint64_t lost;        /* accesses that had no effect */
    unsigned exception;
    bool has_data_address; /* it was about an access to data_address */
    uint32_t data_address;
    enum machine_lack lack; /* why its handler was not entered */
    uint32_t stack;         /* of that handler */
    const char *error;
    bool interrupted;     /* by machine_interrupt */
    bool stepping;        /* code is to be lifted one instruction to a block */
    bool alone;           /* an instruction of a block asked to run by itself */
    uint32_t breaks[MOST_BREAKS];
    unsigned nbreaks;
    struct watch watches[MOST_WATCHES];
    unsigned nwatches;
    bool watch_hit;
    uint32_t watch_address;
    unsigned watch_kinds;
};

/* ---- code.c ---- */
bool code_start(struct machine *m);
bool code_restart(struct machine *m);            /* registers stay */
bool code_lift(struct machine *m, uint64_t key);
void code_changed(struct machine *m, uint32_t address, uint32_t size); /* SDRAM was written */
bool code_make_ranges(struct machine *m);
uint32_t *code_register(const struct machine *m, unsigned element);
/* Instructions of the block in which a fault was that came before it, and its key. */
uint32_t code_before_fault(const struct machine *m, uint64_t *key);

/* ---- bus.c ---- */
bool bus_load(void *machine, uint64_t address, unsigned size, uint64_t *value);
bool bus_store(void *machine, uint64_t address, unsigned size, uint64_t value);
/* The bytes of memory at an address, and how many follow; NULL: none. */
uint8_t *bus_memory(const struct machine *m, uint32_t address, uint32_t *left);
void machine_log(const struct machine *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A peripheral: offsets within its block. */
struct peripheral {
    uint32_t first, size;
    const char *name;
    uint32_t (*load)(struct machine *m, uint32_t offset);
    void (*store)(struct machine *m, uint32_t offset, uint32_t value);
};
const struct peripheral *peripheral_at(uint32_t address);

/* ---- devices ---- */
uint32_t ic0_load(struct machine *m, uint32_t offset);
void ic0_store(struct machine *m, uint32_t offset, uint32_t value);
uint32_t ic1_load(struct machine *m, uint32_t offset);
void ic1_store(struct machine *m, uint32_t offset, uint32_t value);
/* The number of the interrupt that core 0 is to take; 0: none. For `sleep` masked ones do not count either. */
unsigned ic_pending(struct machine *m, unsigned *priority);

uint32_t timer_load(struct machine *m, uint32_t offset);
void timer_store(struct machine *m, uint32_t offset, uint32_t value);
uint64_t timer_now(const struct machine *m);         /* microseconds */
uint64_t timer_start(const struct machine *m, uint64_t us); /* how many instructions were executed when it begins */
void timer_look(struct machine *m);                  /* matches that have come */
bool timer_next(const struct machine *m, uint64_t *us); /* the next match of an enabled channel */

uint32_t aux_load(struct machine *m, uint32_t offset);
void aux_store(struct machine *m, uint32_t offset, uint32_t value);
uint32_t pl011_load(struct machine *m, uint32_t offset);
void pl011_store(struct machine *m, uint32_t offset, uint32_t value);
bool uart_interrupts(struct machine *m, bool mini);
bool uart_waits(const struct machine *m);            /* the interrupt of a byte that may still come is enabled */

uint32_t gpio_load(struct machine *m, uint32_t offset);
void gpio_store(struct machine *m, uint32_t offset, uint32_t value);

/* ---- system.c ---- */
/* Go on at an address in the mode that sr says. */
void system_go(struct machine *m, uint32_t address);
uint32_t system_sr(const struct machine *m);
void system_set_sr(struct machine *m, uint32_t sr);
/* Enter the handler; false when there is none or no stack. */
bool system_enter(struct machine *m, unsigned number, unsigned priority, uint32_t return_address);
/* Execute the instruction at the core's address that is not lifted. True: go on; false: *stop. */
bool system_call(struct machine *m, uint32_t address, enum machine_stop *stop);
bool system_exception(struct machine *m, unsigned number, uint32_t address, enum machine_stop *stop);

#endif
