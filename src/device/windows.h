/* windows.h - what the addresses of a space of kind BUS lead to in a program that says so itself (ir_program.windows):
 * for one thread of a dispatch. */
#ifndef WEFT_DEVICE_WINDOWS_H
#define WEFT_DEVICE_WINDOWS_H

#include "device/resources.h"

struct windows {
    struct exec_bus bus;
    struct exec_range *range; /* those of loads, then those of stores */
    uint8_t *memory;          /* of kind SHARED, one window after the other */
};

/* Map the windows of a program that has some. The struct must not move while the bus is bound. False without memory. */
bool windows_open(struct windows *w, const struct ir_program *ir, const struct resources *r);
/* A workgroup begins: memory of its own is as the program says. */
void windows_begin(struct windows *w, const struct ir_program *ir);
void windows_close(struct windows *w);

#endif
