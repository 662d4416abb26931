/* The VPU's machine with anything in its memory: it stops in time and in order, and what it computed does not depend on
 * whether it went by blocks or by single steps. The input is registers r0-r7, the vector rows' seed, and an image that
 * is entered at 0. */
#include "device/machine/parts.h"

#include "insn_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 60 /* REP r0 may go 65535 turns */, REGISTERS = 8, HEAD = 4 * REGISTERS + 1, SDRAM = 1 << 20 };

static struct machine *start(const uint8_t *data, size_t size)
{
    struct machine_params params = {.sdram = SDRAM, .level = exec_best_level()};
    struct machine *m = machine_new(&params);
    must(m && machine_write(m, 0, data + HEAD, size - HEAD));
    for (unsigned r = 0; r < REGISTERS; r++) {
        uint32_t value;
        memcpy(&value, data + 4 * r, 4);
        machine_set_register(m, r, value);
    }
    for (unsigned row = 0; row < 64; row++)
        for (unsigned lane = 0; lane < 16; lane++)
            machine_set_vector(m, row, lane, (data[HEAD - 1] + row) * 0x9e3779b1u * (lane + 1));
    machine_set_register(m, 25, 0x8000);
    return m;
}

/* Instructions are counted exactly, whatever stops them. A step may enter a handler instead of executing one. */
static enum machine_stop run_steps(struct machine *m)
{
    enum machine_stop stop = MACHINE_LIMIT;
    unsigned entered = 0;
    while (machine_instructions(m) < BUDGET && stop == MACHINE_LIMIT) {
        uint64_t before = machine_instructions(m);
        uint32_t from = machine_pc(m);
        stop = machine_run(m, 1);
        uint64_t executed = machine_instructions(m) - before;
        must(stop != MACHINE_LIMIT || executed == 1 || (executed == 0 && machine_pc(m) != from));
        entered += executed == 0;
        must(entered <= BUDGET);
    }
    return stop;
}

static void compare(const struct machine *a, const struct machine *b)
{
    for (unsigned r = 0; r < 32; r++)
        must(machine_register(a, r) == machine_register(b, r));
    for (unsigned row = 0; row < 64; row++)
        for (unsigned lane = 0; lane < 16; lane++)
            must(machine_vector(a, row, lane) == machine_vector(b, row, lane));
    must(memcmp(a->sdram, b->sdram, SDRAM) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD + 2 || size > HEAD + SDRAM)
        return 0;
    struct machine *blocks = start(data, size), *steps = start(data, size);
    enum machine_stop one = machine_run(blocks, BUDGET), other = run_steps(steps);
    must(one != MACHINE_BREAK && one != MACHINE_WATCH && one != MACHINE_STOPPED);
    must(machine_instructions(blocks) <= BUDGET);
    must(one == other && (one != MACHINE_LIMIT || machine_instructions(blocks) == machine_instructions(steps)));
    compare(blocks, steps);
    machine_free(blocks);
    machine_free(steps);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("vpu"), HEAD, data, size, most, seed);
}
