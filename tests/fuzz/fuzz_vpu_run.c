/* Any bytes as a program: the machine comes to an end within its limit, stepped or not, and both ways come to the same state. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/machine/machine.h"

enum { LIMIT = 300, AT = 0x1000, MOST = 512 };

static struct machine *begin(const uint8_t *data, size_t size)
{
    struct machine_params params = {.sdram = 64 << 10, .level = exec_best_level()};
    struct machine *m = machine_new(&params);
    if (!m)
        abort();
    machine_write(m, AT, data, size);
    for (unsigned r = 0; r < 25; r++)
        machine_set_register(m, r, (r * 0x1234567u) & 0xfff8);
    machine_set_register(m, 25, 0x8000);
    machine_set_pc(m, AT);
    return m;
}

static void same(const struct machine *a, const struct machine *b)
{
    for (unsigned r = 0; r < 32; r++)
        if (machine_register(a, r) != machine_register(b, r))
            abort();
    for (unsigned row = 0; row < 64; row++)
        for (unsigned lane = 0; lane < 16; lane++)
            if (machine_vector(a, row, lane) != machine_vector(b, row, lane))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST)
        size = MOST;
    struct machine *m = begin(data, size), *steps = begin(data, size);
    enum machine_stop stop = machine_run(m, LIMIT);
    uint64_t count = machine_instructions(m);
    if (count > LIMIT || stop == MACHINE_ERROR)
        abort();
    if (stop == MACHINE_LIMIT) { /* code that writes into itself may differ: a block goes on to its end */
        enum machine_stop stepped = MACHINE_LIMIT;
        for (uint64_t n = 0; n < count && stepped == MACHINE_LIMIT; n++)
            stepped = machine_run(steps, 1);
        uint8_t now[MOST];
        bool unchanged = machine_read(m, AT, now, size) && memcmp(now, data, size) == 0;
        if (unchanged && stepped == MACHINE_LIMIT)
            same(m, steps);
    }
    machine_free(m);
    machine_free(steps);
    return 0;
}
