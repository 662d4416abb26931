/* jump.c - blocks by guest address: a hash table with open addressing. Of several blocks with one address the first
 * counts: the others go on with its instruction. */
#include "exec/frame.h"

#include <string.h>

static uint32_t hash(uint64_t address)
{
    return (uint32_t)((address * 0x9e3779b97f4a7c15u) >> 32);
}

/* The slot of an address, or the free one where it would go. */
static uint32_t *find_slot(const struct exec_program *p, uint64_t address)
{
    const struct exec_jump_map *m = &p->map;
    for (uint32_t i = hash(address);; i++) {
        uint32_t *slot = &m->slot[i & (m->size - 1)];
        if (!*slot || (*slot != UINT32_MAX && p->ir->blocks[*slot - 1].addr == address))
            return slot;
    }
}

bool exec_map_blocks(struct exec_program *p, struct arena *arena, uint32_t first)
{
    struct exec_jump_map *m = &p->map;
    uint32_t more = p->ir->nblocks - first;
    if (2 * ((uint64_t)m->used + more + 1) > m->size) {
        struct exec_jump_map old = *m;
        uint32_t size = 64;
        while (size < 4 * ((uint64_t)old.used + more + 1))
            size *= 2;
        *m = (struct exec_jump_map){ARENA_ARRAY(arena, uint32_t, size), size, 0};
        if (!m->slot)
            return false;
        for (uint32_t i = 0; i < old.size; i++) {
            if (old.slot[i] && old.slot[i] != UINT32_MAX) {
                *find_slot(p, p->ir->blocks[old.slot[i] - 1].addr) = old.slot[i];
                m->used++;
            }
        }
    }
    for (uint32_t b = first; b < p->ir->nblocks; b++) {
        uint32_t *slot = find_slot(p, p->ir->blocks[b].addr);
        if (!*slot) {
            *slot = b + 1;
            m->used++;
        }
    }
    return true;
}

const struct exec_block_code *exec_find_address(const struct exec_program *p, uint64_t address)
{
    uint32_t slot = p->map.size ? *find_slot(p, address) : 0;
    return slot ? &p->blocks[slot - 1] : NULL;
}

uint32_t exec_block_at(const struct exec_program *p, uint64_t address)
{
    const struct exec_block_code *code = exec_find_address(p, address);
    return code ? (uint32_t)(code - p->blocks) : IR_PROLOGUE;
}

void exec_drop(struct exec_program *p, uint32_t block)
{
    if (block < IR_ENTRY || block >= p->nblocks)
        return;
    if (p->native && p->grows)
        exec_native_drop(p, block);
    uint32_t *slot = find_slot(p, p->ir->blocks[block].addr);
    if (*slot == block + 1)
        *slot = UINT32_MAX;
    struct lop gone = {.fn = exec_handlers(p->level)->gone, .aux = block, .imm = p->ir->blocks[block].addr};
    *(struct lop *)(uintptr_t)p->blocks[block].full = gone;
    *(struct lop *)(uintptr_t)p->blocks[block].masked = gone;
    p->generation++;
}
