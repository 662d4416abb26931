/* machine.c - the machine from outside, and its main loop: interrupts, translated code, what stops it. */
#include "device/machine/parts.h"

#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

enum { SDRAM_SIZE = 128 << 20, MOST_SDRAM = 512 << 20, SLICE = 4000000, LONGEST_BLOCK = 64 };

struct machine *machine_new(const struct machine_params *params)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->params = *params;
    m->sdram_size = params->sdram ? params->sdram & ~(uint32_t)4095 : SDRAM_SIZE;
    if (m->sdram_size > MOST_SDRAM)
        m->sdram_size = MOST_SDRAM;
    m->sdram = zeroed_new(m->sdram_size);
    m->rom = calloc(1, BOOT_ROM_SIZE);
    m->mini.received = m->pl011.received = -1;
    m->pl011.regs[0x30 / 4] = 0x300;
    m->mini.regs[0x60 / 4] = 3;
    if (!m->sdram || !m->rom || !code_start(m)) {
        machine_free(m);
        return NULL;
    }
    *code_register(m, VPU_SR) = VPU_SR_SUPERVISOR;
    *code_register(m, VPU_FLAG_A) = 1; /* no flag is set */
    return m;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    exec_jit_settle();
    exec_warp_free(m->code.warp);
    arena_free(&m->code.arena);
    arena_free(&m->ranges_arena);
    zeroed_free(m->sdram, m->sdram_size);
    free(m->rom);
    free(m);
}

/* ---- what it is ---- */

uint32_t machine_pc(const struct machine *m)
{
    return (uint32_t)exec_warp_address(m->code.warp);
}

void machine_set_pc(struct machine *m, uint32_t address)
{
    system_go(m, address);
}

uint64_t machine_instructions(const struct machine *m)
{
    return m->before + exec_warp_counts(m->code.warp)->insns;
}

void machine_engine(const struct machine *m, struct exec_engine_report *out)
{
    exec_engine_report(m->code.compiled, out);
}

unsigned machine_exception(const struct machine *m) { return m->exception; }
const char *machine_error(const struct machine *m) { return m->error; }

enum machine_lack machine_lacked(const struct machine *m, uint32_t *stack)
{
    *stack = m->stack;
    return m->lack;
}

/* r28 is another name of a stack pointer outside supervisor mode. */
static uint32_t *register_of(const struct machine *m, unsigned reg)
{
    uint32_t sr = *code_register(m, VPU_SR);
    if (reg == VPU_R28 && (sr & VPU_SR_USER))
        reg = VPU_R27;
    else if (reg == VPU_R28 && !(sr & VPU_SR_SUPERVISOR))
        reg = VPU_SP;
    return code_register(m, reg);
}

uint32_t machine_register(const struct machine *m, unsigned reg)
{
    if (reg == VPU_SR)
        return system_sr(m);
    return reg == VPU_PC ? machine_pc(m) : *register_of(m, reg);
}

void machine_set_register(struct machine *m, unsigned reg, uint32_t value)
{
    if (reg == VPU_SR)
        system_set_sr(m, value);
    else if (reg == VPU_PC)
        machine_set_pc(m, value);
    else
        *register_of(m, reg) = value;
}

uint32_t machine_vector(const struct machine *m, unsigned row, unsigned lane)
{
    return ((const uint32_t *)exec_warp_register(m->code.warp, VPU_FILE_VRF, row & 63))[lane & 15];
}

void machine_set_vector(struct machine *m, unsigned row, unsigned lane, uint32_t value)
{
    ((uint32_t *)exec_warp_register(m->code.warp, VPU_FILE_VRF, row & 63))[lane & 15] = value;
}

bool machine_read(struct machine *m, uint32_t address, void *bytes, size_t size)
{
    uint32_t left;
    const uint8_t *from = bus_memory(m, address, &left);
    if (!from || left < size)
        return false;
    memcpy(bytes, from, size);
    return true;
}

bool machine_write(struct machine *m, uint32_t address, const void *bytes, size_t size)
{
    uint32_t left;
    uint8_t *to = bus_memory(m, address, &left);
    if (!to || left < size)
        return false;
    memcpy(to, bytes, size);
    code_changed(m, address, (uint32_t)size);
    return true;
}

/* ---- a debugger's stops ---- */

bool machine_set_break(struct machine *m, uint32_t address, bool on)
{
    unsigned at = 0;
    while (at < m->nbreaks && m->breaks[at] != address)
        at++;
    if (!on) {
        if (at == m->nbreaks)
            return false;
        m->breaks[at] = m->breaks[--m->nbreaks];
        return true;
    }
    if (at < m->nbreaks)
        return true;
    if (address % 2) /* no instruction is there */
        return false;
    if (m->nbreaks == MOST_BREAKS)
        return false;
    m->breaks[m->nbreaks++] = address;
    return true;
}

bool machine_set_watch(struct machine *m, uint32_t address, uint32_t size, unsigned kinds, bool on)
{
    struct watch wanted = {address, size, kinds};
    m->code.stale = true; /* every access comes to the bus while something is watched */
    if (on) {
        if (m->nwatches == MOST_WATCHES)
            return false;
        m->watches[m->nwatches++] = wanted;
        return true;
    }
    for (unsigned i = 0; i < m->nwatches; i++)
        if (m->watches[i].address == address && m->watches[i].size == size && m->watches[i].kinds == kinds) {
            m->watches[i] = m->watches[--m->nwatches];
            return true;
        }
    return false;
}

uint32_t machine_watched(const struct machine *m, unsigned *kinds)
{
    *kinds = m->watch_kinds;
    return m->watch_address;
}

bool machine_at_break(const struct machine *m)
{
    uint32_t pc = machine_pc(m);
    for (unsigned i = 0; i < m->nbreaks; i++)
        if (m->breaks[i] == pc)
            return true;
    return false;
}

void machine_clear_points(struct machine *m)
{
    m->code.stale = m->code.stale || m->nwatches > 0;
    m->nbreaks = m->nwatches = 0;
}

void machine_interrupt(struct machine *m)
{
    m->interrupted = true;
    exec_interrupt(m->code.warp);
}

/* ---- running ---- */

/* False: its handler cannot be entered. */
static bool take_interrupt(struct machine *m)
{
    unsigned priority;
    if (!(*code_register(m, VPU_SR) & VPU_SR_INTERRUPTS))
        return true;
    unsigned number = ic_pending(m, &priority);
    return !number || system_enter(m, number, priority, machine_pc(m));
}

/* How many instructions may run before somebody is to look: until `left` are done, or the timer matches. */
static uint64_t instructions_ahead(const struct machine *m, uint64_t left)
{
    uint64_t most = left < SLICE ? left : SLICE, us;
    if (!(*code_register(m, VPU_SR) & VPU_SR_INTERRUPTS) || !timer_next(m, &us))
        return most;
    uint64_t match = timer_start(m, m->timer.seen + us), now = machine_instructions(m);
    uint64_t until = match > now ? match - now : 0;
    return until < most ? until : most;
}

static void set_stepping(struct machine *m, bool stepping)
{
    m->stepping = stepping;
    uint64_t key = exec_warp_address(m->code.warp);
    if (((key & VPU_KEY_STEP) != 0) != stepping)
        exec_goto_address(m->code.warp, key ^ VPU_KEY_STEP);
}

/* A fault: an exception, at the instruction where it was; or an instruction that is to run by itself. */
static bool fault(struct machine *m, enum machine_stop *stop)
{
    uint64_t key;
    const struct exec_warp *w = m->code.warp;
    uint32_t insn = exec_warp_insn(w), address = (uint32_t)m->code.program->insns[insn].addr;
    bool check = strcmp(exec_warp_fault(w), "check") == 0;
    m->before += code_before_fault(m, &key);
    m->has_data_address = !check;
    m->data_address = check ? 0 : (uint32_t)exec_warp_fault_address(w);
    exec_goto_address(m->code.warp, key | address);
    if (m->alone)
        return true;
    return system_exception(m, check ? (unsigned)exec_warp_fault_code(w) : VPU_EXCEPTION_MEMORY, address, stop);
}

static bool no_block(struct machine *m, enum machine_stop *stop)
{
    uint64_t key = exec_warp_address(m->code.warp);
    if (key & VPU_KEY_SYSTEM) {
        exec_goto_address(m->code.warp, key & ~VPU_KEY_SYSTEM);
        m->has_data_address = false;
        return system_call(m, (uint32_t)key, stop);
    }
    if (!code_lift(m, key) || exec_block_at(m->code.compiled, key) == IR_PROLOGUE) {
        m->error = "out of memory";
        *stop = MACHINE_ERROR;
        return false;
    }
    return true;
}

static bool go_on(struct machine *m, uint64_t budget, enum machine_stop *stop)
{
    if (m->code.stale && !code_make_ranges(m)) {
        m->error = "out of memory";
        *stop = MACHINE_ERROR;
        return false;
    }
    switch (exec_continue(m->code.warp, budget)) {
    case EXEC_NO_BLOCK:
        return no_block(m, stop);
    case EXEC_FAULT:
        if (!fault(m, stop))
            return false;
        if (!m->alone)
            return true;
        /* The instruction that asked: nothing can have come since the block before it began. */
        m->alone = false;
        set_stepping(m, true);
        return go_on(m, 1, stop);
    default:
        return true;
    }
}

enum machine_stop machine_run(struct machine *m, uint64_t limit)
{
    uint64_t start = machine_instructions(m), end = limit && limit < UINT64_MAX - start ? start + limit : UINT64_MAX;
    uint32_t from = machine_pc(m);
    enum machine_stop stop = MACHINE_LIMIT;
    m->watch_hit = m->alone = false;
    for (;;) {
        uint64_t now = machine_instructions(m);
        if (m->interrupted) {
            m->interrupted = false;
            return MACHINE_STOPPED;
        }
        bool entered = take_interrupt(m);
        if (now >= end || (limit == 1 && machine_pc(m) != from))
            return MACHINE_LIMIT;
        if (!entered)
            return MACHINE_EXCEPTION;
        if (m->params.pass)
            m->params.pass(m->params.context);
        if ((now > start || machine_pc(m) != from) && machine_at_break(m))
            return MACHINE_BREAK;
        uint64_t ahead = instructions_ahead(m, end - now);
        bool stepping = m->nbreaks || m->nwatches || ahead <= LONGEST_BLOCK;
        set_stepping(m, stepping);
        if (!go_on(m, stepping ? 1 : ahead - LONGEST_BLOCK, &stop))
            return stop;
        if (m->watch_hit)
            return MACHINE_WATCH;
    }
}
