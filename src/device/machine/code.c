/* code.c - code that is translated while it runs: what was lifted from where, and what happens when it is written
 * to. */
#include "device/machine/parts.h"

#include "ir/pass.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DROPPED = 20000, MOST_VALUES = 20000000 };

static size_t fetch(void *context, uint32_t address, uint8_t *bytes, size_t size)
{
    uint32_t left;
    const uint8_t *from = bus_memory(context, address, &left);
    if (!from)
        return 0;
    size = size < left ? size : left;
    memcpy(bytes, from, size);
    return size;
}

uint32_t *code_register(const struct machine *m, unsigned element)
{
    return exec_warp_register(m->code.warp, VPU_FILE_R, element);
}

bool code_start(struct machine *m)
{
    struct code *c = &m->code;
    *c = (struct code){.stale = true};
    c->program = ir_program_new(&c->arena, "vpu", IR_COMPUTE, 16);
    weft_diags *diags = weft_diags_new();
    bool fine = c->program && diags;
    if (fine) {
        vpu_lifter_start(&c->lifter, c->program, (struct vpu_code){fetch, m});
        struct exec_options options = {.level = m->params.level, .engine = m->params.engine, .extensible = true};
        fine = !arena_failed(&c->arena) &&
               exec_compile(c->program, &options, &c->arena, &c->compiled, diags) == WEFT_OK;
        c->warp = fine ? exec_warp_new(c->compiled) : NULL;
        fine = c->warp && code_make_ranges(m) && exec_bind(c->warp, &m->env) == WEFT_OK;
    }
    weft_diags_free(diags);
    if (fine)
        exec_run(c->warp, 0xffff, 0xffff, 0); /* to the jump, where there is no code yet */
    return fine;
}

static void copy_registers(struct exec_warp *from, struct exec_warp *to, const struct ir_program *p)
{
    for (uint32_t f = 0; f < p->nfiles; f++)
        for (uint32_t e = 0; e < p->files[f].count; e++) {
            size_t size = (p->files[f].uniform ? 1u : p->lanes) * (p->files[f].bits == 64 ? 8u : 4u);
            memcpy(exec_warp_register(to, f, e), exec_warp_register(from, f, e), size);
        }
}

/* Everything that was translated is given up. */
bool code_restart(struct machine *m)
{
    struct code old = m->code;
    uint64_t address = exec_warp_address(old.warp), count = exec_warp_counts(old.warp)->insns;
    bool fine = code_start(m);
    struct code given_up = fine ? old : m->code;
    if (fine) {
        copy_registers(old.warp, m->code.warp, m->code.program);
        exec_goto_address(m->code.warp, address);
        m->before += count;
    } else {
        m->code = old; /* as it was, to be tried again */
        m->code.stale = true;
    }
    exec_warp_free(given_up.warp);
    arena_free(&given_up.arena);
    return fine;
}

static bool lift(struct machine *m, uint64_t key)
{
    struct code *c = &m->code;
    weft_diags *diags = weft_diags_new();
    c->program->frozen = c->program->nblocks;
    vpu_lift_at(&c->lifter, key);
    ir_optimise(c->program);
    bool fine = diags && !arena_failed(&c->arena);
#ifndef NDEBUG
    fine = fine && ir_verify_from(c->program, c->program->frozen, diags) == WEFT_OK;
#endif
    fine = fine && exec_extend(c->compiled, diags) == WEFT_OK;
    if (!fine && diags && weft_diags_count(diags) > 0)
        machine_log(m, "%s", weft_diags_get(diags, 0)->message);
    weft_diags_free(diags);
    c->stale = true;
    return fine;
}

bool code_lift(struct machine *m, uint64_t key)
{
    struct code *c = &m->code;
    if (c->dropped > MOST_DROPPED || c->program->nvalues > MOST_VALUES)
        if (!code_restart(m))
            return false;
    return lift(m, key) || (code_restart(m) && lift(m, key));
}

/* ---- stores ---- */

static uint32_t in_sdram(uint32_t address)
{
    return address & 0x3fffffff;
}

void code_changed(struct machine *m, uint32_t address, uint32_t size)
{
    struct code *c = &m->code;
    struct vpu_lifter *l = &c->lifter;
    uint32_t first = in_sdram(address), kept = 0;
    for (uint32_t k = 0; k < l->nlifted; k++) {
        const struct vpu_lifted *b = &l->lifted[k];
        uint32_t start = in_sdram(b->first), end = start + (b->end - b->first);
        if (start < first + size && first < end) {
            exec_drop(c->compiled, b->block);
            vpu_forget(l, b->block);
            c->dropped++;
            c->stale = true;
        } else {
            l->lifted[kept++] = *b;
        }
    }
    l->nlifted = kept;
    if (c->stale)
        exec_interrupt(c->warp);
}

/* Bytes of SDRAM that were lifted: [first, end). */
struct extent {
    uint32_t first, end;
};

static int by_first(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Those of all code that was lifted, in order, where they meet as one; into `code`. How many. */
static uint32_t find_extents(const struct machine *m, struct extent *code)
{
    const struct vpu_lifter *l = &m->code.lifter;
    uint32_t count = 0, kept = 0;
    for (uint32_t k = 0; k < l->nlifted; k++) {
        uint32_t first = in_sdram(l->lifted[k].first), end = first + (l->lifted[k].end - l->lifted[k].first);
        if (first < m->sdram_size)
            code[count++] = (struct extent){first, end < m->sdram_size ? end : m->sdram_size};
    }
    qsort(code, count, sizeof *code, by_first);
    for (uint32_t k = 0; k < count; k++) {
        if (!kept || code[k].first > code[kept - 1].end)
            code[kept++] = code[k];
        else if (code[k].end > code[kept - 1].end)
            code[kept - 1].end = code[k].end;
    }
    return kept;
}

static void add_store_range(struct machine *m, uint32_t first, uint32_t end, bool read_only)
{
    uint8_t *data = m->nwatches ? NULL : m->sdram + in_sdram(first);
    if (first < end)
        m->stores[m->bus.nstores++] = (struct exec_range){first, end - first, data, read_only};
}

/* SDRAM at one of its addresses: what was lifted cannot be written. */
static void add_alias(struct machine *m, uint32_t base, const struct extent *code, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < count; at = code[k++].end) {
        add_store_range(m, base + at, base + code[k].first, false);
        add_store_range(m, base + code[k].first, base + code[k].end, true);
    }
    add_store_range(m, base + at, base + m->sdram_size, false);
}

/* Loads see all memory as it is; stores to what was lifted come to bus_store. */
bool code_make_ranges(struct machine *m)
{
    struct extent *code = malloc((m->code.lifter.nlifted + 1) * sizeof *code);
    if (!code)
        return false;
    uint32_t count = find_extents(m, code);
    m->bus.nstores = m->bus.nranges = 0;
    struct exec_range *room = arena_grow(&m->ranges_arena, m->stores, sizeof *room, 0, &m->stores_cap,
                                         ALIASES * ((size_t)count * 2 + 1));
    if (!room) { /* an arena that has failed stays so: the next call begins with a fresh one */
        arena_free(&m->ranges_arena);
        m->stores = NULL;
        m->stores_cap = 0;
        free(code);
        return false;
    }
    m->stores = room;
    for (uint32_t a = 0; a < ALIASES; a++) {
        uint32_t base = a << 30;
        m->loads[m->bus.nranges++] = (struct exec_range){base, m->sdram_size, m->nwatches ? NULL : m->sdram, false};
        m->loads[m->bus.nranges++] = (struct exec_range){base + BOOT_ROM, BOOT_ROM_SIZE, m->rom, true};
        add_alias(m, base, code, count);
    }
    free(code);
    m->bus.ranges = m->loads;
    m->bus.stores = m->stores;
    m->bus.device = m;
    m->bus.load = bus_load;
    m->bus.store = bus_store;
    m->env.bus = &m->bus;
    m->code.stale = false;
    if (m->code.warp)
        exec_bus_changed(m->code.warp);
    return true;
}

/* ---- faults ---- */

/* The blocks are in the order of their instructions. */
uint32_t code_before_fault(const struct machine *m, uint64_t *key)
{
    const struct code *c = &m->code;
    const struct ir_block *blocks = c->program->blocks;
    uint32_t insn = exec_warp_insn(c->warp), after = 0, end = c->lifter.nlifted;
    while (after < end) {
        uint32_t middle = after + (end - after) / 2;
        if (blocks[c->lifter.lifted[middle].block].insn <= insn)
            after = middle + 1;
        else
            end = middle;
    }
    if (!after) {
        *key = 0;
        return insn;
    }
    const struct ir_block *b = &blocks[c->lifter.lifted[after - 1].block];
    *key = b->addr & VPU_KEY_MODES;
    return insn - b->insn;
}
