/* system.c - modes, exceptions and interrupts of the core, and the instructions that are about them
 * (docs/manual/vpu.md, "Exceptions and interrupts"). The stack pointer of the mode that is not in use is in r28:
 * entering and leaving supervisor mode exchanges the two. */
#include "device/machine/parts.h"

#include <string.h>

/* ---- sr ---- */

static uint64_t key_of(const struct machine *m)
{
    return exec_warp_address(m->code.warp);
}

static unsigned flags_of_pair(uint32_t a, uint32_t b)
{
    uint32_t d = a - b;
    return (a == b) * VPU_Z | (d >> 31) * VPU_N | (a < b) * VPU_C | (((a ^ b) & (a ^ d)) >> 31) * VPU_V;
}

uint32_t system_sr(const struct machine *m)
{
    uint32_t sr = *code_register(m, VPU_SR);
    if (key_of(m) & VPU_KEY_EXPLICIT)
        return sr | (*code_register(m, VPU_FLAG_BITS) & VPU_FLAGS);
    return sr | flags_of_pair(*code_register(m, VPU_FLAG_A), *code_register(m, VPU_FLAG_B));
}

static bool is_supervisor(uint32_t sr)
{
    return (sr & VPU_SR_SUPERVISOR) && !(sr & VPU_SR_USER);
}

static uint64_t modes_of(const struct machine *m, uint32_t sr)
{
    uint64_t key = m->stepping ? VPU_KEY_STEP : 0;
    if (sr & VPU_SR_USER)
        return key | VPU_KEY_USER;
    return is_supervisor(sr) ? key : key | VPU_KEY_NORMAL;
}

/* Flags that a comparison can leave become that comparison; the others are kept as bits. */
static uint64_t put_flags(struct machine *m, unsigned flags)
{
    static const struct {
        bool there;
        uint32_t a, b;
    } pairs[16] = {[0] = {true, 1, 0},
                   [VPU_V] = {true, 0x80000000, 1},
                   [VPU_C] = {true, 0, 0x80000001},
                   [VPU_N] = {true, 0x80000000, 0},
                   [VPU_N | VPU_C] = {true, 0, 1},
                   [VPU_N | VPU_C | VPU_V] = {true, 0x7fffffff, 0xffffffff},
                   [VPU_Z] = {true, 0, 0}};
    *code_register(m, VPU_FLAG_BITS) = flags;
    *code_register(m, VPU_FLAG_A) = pairs[flags].a;
    *code_register(m, VPU_FLAG_B) = pairs[flags].b;
    return pairs[flags].there ? 0 : VPU_KEY_EXPLICIT;
}

static void exchange(uint32_t *a, uint32_t *b)
{
    uint32_t v = *a;
    *a = *b;
    *b = v;
}

void system_set_sr(struct machine *m, uint32_t sr)
{
    uint32_t old = *code_register(m, VPU_SR), address = (uint32_t)key_of(m);
    uint32_t *sp = code_register(m, VPU_SP);
    if ((old ^ sr) & VPU_SR_USER && !is_supervisor(old) && !is_supervisor(sr))
        exchange(sp, &m->user_sp);
    if (is_supervisor(old) != is_supervisor(sr))
        exchange(sp, code_register(m, VPU_R28));
    *code_register(m, VPU_SR) = sr & ~(uint32_t)VPU_FLAGS;
    uint64_t flags = put_flags(m, sr & VPU_FLAGS);
    exec_goto_address(m->code.warp, address | modes_of(m, sr) | flags);
}

/* Mode and flags stay as they are. */
void system_go(struct machine *m, uint32_t address)
{
    uint64_t key = (key_of(m) & VPU_KEY_EXPLICIT) | modes_of(m, *code_register(m, VPU_SR));
    exec_goto_address(m->code.warp, key | address);
}

/* ---- exceptions and interrupts ---- */

static bool push(struct machine *m, uint32_t value)
{
    uint32_t *sp = code_register(m, VPU_SP), at = *sp - 4;
    if (!machine_write(m, at, &value, 4))
        return false;
    *sp = at;
    return true;
}

/* Is there room for pc and sr on the stack that a handler gets? */
static bool has_room(struct machine *m, uint32_t sr)
{
    uint32_t left;
    m->stack = *code_register(m, is_supervisor(sr) ? VPU_SP : VPU_R28);
    return bus_memory(m, m->stack - 4, &left) && left >= 4 && bus_memory(m, m->stack - 8, &left) && left >= 4;
}

static bool cannot_enter(struct machine *m, enum machine_lack lack, unsigned number)
{
    m->lack = lack;
    m->exception = number;
    return false;
}

bool system_enter(struct machine *m, unsigned number, unsigned priority, uint32_t return_address)
{
    struct interrupt_controller *ic = &m->ic[0];
    uint32_t sr = system_sr(m), handler = 0;
    if (!ic->has_table)
        return cannot_enter(m, MACHINE_NO_TABLE, number);
    if (!machine_read(m, ic->vaddr + 4 * number, &handler, 4) || handler == 0)
        return cannot_enter(m, MACHINE_NO_HANDLER, number);
    /* Without bit 0 in the table's entry user code may not call it. */
    if (number >= VPU_EXCEPTION_SWI && number < VPU_EXCEPTION_EXTERNAL && (sr & VPU_SR_USER) && !(handler & 1))
        return system_enter(m, VPU_EXCEPTION_FORBIDDEN, 0, return_address);
    if (!has_room(m, sr))
        return cannot_enter(m, MACHINE_NO_STACK, number);
    system_set_sr(m, (sr & ~(VPU_SR_USER | VPU_SR_INTERRUPTS)) | VPU_SR_SUPERVISOR);
    if (!push(m, return_address) || !push(m, sr))
        return cannot_enter(m, MACHINE_NO_STACK, number);
    uint32_t s = number >= VPU_EXCEPTION_EXTERNAL ? number | priority << 8 : 0;
    ic->s[ic->depth++ & 15] = s | s << 16;
    system_go(m, handler & ~1u);
    return true;
}

bool system_exception(struct machine *m, unsigned number, uint32_t address, enum machine_stop *stop)
{
    if (system_enter(m, number, 0, address)) {
        m->exception = number;
        return true;
    }
    system_go(m, address);
    *stop = MACHINE_EXCEPTION;
    return false;
}

const char *machine_exception_name(unsigned number)
{
    static const char *const names[] = {"zero", "misaligned memory access", "division by zero", "undefined instruction",
                                        "forbidden instruction", "illegal memory", "bus error", "floating point", "isp",
                                        "dummy", "icache", "vec core", "bad l2 alias", "breakpoint"};
    if (number < sizeof names / sizeof names[0])
        return names[number];
    if (number < VPU_EXCEPTION_SWI)
        return "unknown";
    return number < VPU_EXCEPTION_EXTERNAL ? "software interrupt" : "interrupt";
}

/* ---- instructions ---- */

static bool return_from_interrupt(struct machine *m, uint32_t address, enum machine_stop *stop)
{
    uint32_t words[2], *sp = code_register(m, VPU_SP);
    if (!machine_read(m, *sp, words, 8))
        return system_exception(m, VPU_EXCEPTION_MEMORY, address, stop);
    *sp += 8; /* of this mode, before the other's takes effect */
    if (m->ic[0].depth)
        m->ic[0].depth--;
    system_set_sr(m, words[0]);
    system_go(m, words[1]);
    return true;
}

/* An interrupt that has a priority wakes, whether sr lets it through or not. */
static bool sleep_until_woken(struct machine *m)
{
    unsigned priority;
    uint64_t us = 0;
    while (!ic_pending(m, &priority)) {
        if (timer_next(m, &us)) {
            m->skipped += us;
            timer_look(m);
        } else if ((!uart_waits(m) && !m->ndevices) || !m->params.wait || !m->params.wait(m->params.context)) {
            return m->interrupted;
        }
        if (m->interrupted)
            return true;
    }
    return true;
}

static bool is_privileged(enum vpu_system what)
{
    return what == VPU_SYSTEM_ENABLE || what == VPU_SYSTEM_DISABLE || what == VPU_SYSTEM_RETURN ||
           what == VPU_SYSTEM_SLEEP;
}

/* The value of VPU_NEW_SR becomes sr; user code changes flags and column alone. */
static void write_sr(struct machine *m)
{
    uint32_t sr = *code_register(m, VPU_NEW_SR), old = system_sr(m), open = VPU_FLAGS | VPU_SR_COLUMN;
    if (!(old & VPU_SR_USER))
        open |= VPU_SR_INTERRUPTS | VPU_SR_SUPERVISOR;
    system_set_sr(m, (old & ~open) | (sr & open));
}

bool system_call(struct machine *m, uint32_t address, enum machine_stop *stop)
{
    uint8_t bytes[16] = {0};
    uint32_t left;
    const uint8_t *code = bus_memory(m, address, &left);
    if (!code || left < 2)
        return system_exception(m, VPU_EXCEPTION_MEMORY, address, stop);
    memcpy(bytes, code, left < 10 ? left : 10);
    struct vpu_insn i;
    vpu_decode_insn(bytes, left < 10 ? left : 10, address, &i);
    uint32_t next = address + i.size, sr = system_sr(m), number = (uint32_t)i.imm;
    const enum vpu_system what = vpu_system_of(&i);
    if ((sr & VPU_SR_USER) && is_privileged(what))
        return system_exception(m, VPU_EXCEPTION_FORBIDDEN, address, stop);
    if (what == VPU_SYSTEM_INTERRUPT && (i.flags & VPU_TO_REGISTER))
        number = machine_register(m, i.d);
    system_go(m, next);
    switch (what) {
    case VPU_SYSTEM_BREAKPOINT:
        if (system_exception(m, VPU_EXCEPTION_BREAKPOINT, address, stop))
            return true;
        if (m->lack != MACHINE_NO_STACK)
            *stop = MACHINE_BREAKPOINT;
        return false;
    case VPU_SYSTEM_SLEEP:
        if (sleep_until_woken(m))
            return true;
        system_go(m, address);
        *stop = MACHINE_SLEEP;
        return false;
    case VPU_SYSTEM_ENABLE:
    case VPU_SYSTEM_DISABLE:
        sr &= ~(uint32_t)(VPU_SR_INTERRUPTS | VPU_FLAGS);
        *code_register(m, VPU_SR) = sr | (what == VPU_SYSTEM_ENABLE ? VPU_SR_INTERRUPTS : 0);
        return true;
    case VPU_SYSTEM_USER:
        system_set_sr(m, sr | VPU_SR_USER);
        return true;
    case VPU_SYSTEM_RETURN:
        system_go(m, address);
        return return_from_interrupt(m, address, stop);
    case VPU_SYSTEM_INTERRUPT:
        return system_exception(m, VPU_EXCEPTION_SWI + (number & 31), next, stop);
    default:
        if (vpu_is_data(&i) || !vpu_writes_sr(&i))
            return system_exception(m, VPU_EXCEPTION_UNDEFINED, address, stop);
        write_sr(m);
        if (i.flags & VPU_LINK) /* ldm */
            system_go(m, *code_register(m, VPU_PC));
        return true;
    }
}
