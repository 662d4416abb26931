/* native_blocks.c - what is compiled of a program whose blocks come at run time: regions around blocks that are hot.
 *
 * Blocks that came together are a unit: their code is one array. Where a warp is after so many instructions is a sample
 * of what is hot; when a unit has had enough of them, the block of the sample and what can be reached from it inside
 * the unit become a region, which is compiled as a program of its own. From one region to another, and to blocks that
 * are in none, it goes by the operations, as handlers do. A block that is dropped takes its region along: handlers
 * have all of its places again. No compiled code is being run then, because runs of such programs call nothing. */
#include "exec/native.h"
#include "exec/select.h"

#include <string.h>

enum {
    MOST_BLOCKS = 64, MOST_OPERATIONS = 1200, /* of a region */
    WORTH_LOADING = 20000000, /* instructions of a program, before the module is loaded */
    WORTH_REGION = 1000000,   /* and of a unit, before a region of it is compiled; */
    MOST_DOUBLED = 12,        /* twice as many each time that a region of it was dropped */
    MOST_AT_ONCE = 64         /* regions dropped, before EXEC_ENGINE_JIT waits for samples too */
};

struct native_unit {
    struct lop *code;
    uint32_t ncode, first, end; /* blocks */
    uint32_t drops, operations; /* of its blocks, for all lanes */
    uint64_t work;
};

struct native_region {
    struct native_form form;
    uint32_t *block, nblocks;
};

struct native_blocks {
    struct native_unit *units;
    struct native_region **regions;
    uint32_t *region_of; /* by block: its region + 1; 0: none */
    size_t units_cap, regions_cap, region_of_cap;
    uint32_t nunits, nregions, nasked, ndropped;
    uint64_t work;
};

/* A program that is const to who runs it: one thread does. */
static struct exec_program *to_change(const struct exec_program *p)
{
    return (struct exec_program *)(uintptr_t)p;
}

static struct native_unit *unit_of(const struct native_blocks *k, uint32_t block)
{
    uint32_t low = 0, high = k->nunits;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (k->units[middle].first <= block)
            low = middle;
        else
            high = middle;
    }
    return &k->units[low];
}

/* ---- regions ---- */

static bool is_gone(const struct exec_program *p, uint32_t block)
{
    return p->blocks[block].full->fn == p->handlers->gone;
}

/* Operations of a block in the form for all lanes. */
static uint32_t size_of(const struct exec_program *p, const struct native_unit *u, uint32_t block)
{
    const struct compiler *c = p->compiler;
    uint32_t end = block + 1 < u->end ? c->code_at[EXEC_FULL][block + 1] : c->code_at[EXEC_PARTIAL][u->first];
    return end - c->code_at[EXEC_FULL][block];
}

static unsigned successors(const struct exec_program *p, uint32_t block, uint32_t to[2])
{
    const struct ir_block *b = &p->ir->blocks[block];
    const struct ir_op *last = b->count ? &b->ops[b->count - 1] : NULL;
    if (!last || (last->code != IR_GOTO && last->code != IR_BRANCH))
        return 0;
    to[0] = last->desc;
    to[1] = (uint32_t)last->imm;
    return last->code == IR_GOTO ? 1 : 2;
}

/* The block and what it leads to, which are of no region yet: how many, in `out`. They are marked as of region `n`. */
static uint32_t reach(const struct exec_program *p, const struct native_unit *u, uint32_t block, uint32_t n,
                      uint32_t out[MOST_BLOCKS])
{
    uint32_t *region_of = p->native->blocks->region_of, count = 0, operations = size_of(p, u, block);
    region_of[block] = n + 1;
    out[count++] = block;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to[2];
        for (unsigned k = successors(p, out[i], to); k-- > 0;) {
            if (count == MOST_BLOCKS || to[k] < u->first || to[k] >= u->end || region_of[to[k]] || is_gone(p, to[k]))
                continue;
            operations += size_of(p, u, to[k]);
            if (operations > MOST_OPERATIONS)
                return count;
            region_of[to[k]] = n + 1;
            out[count++] = to[k];
        }
    }
    return count;
}

/* Code of a region comes in the order of its blocks. */
static void sort(uint32_t *block, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && block[k] < block[k - 1]; k--) {
            uint32_t t = block[k];
            block[k] = block[k - 1];
            block[k - 1] = t;
        }
}

/* A new region around a block; NULL without memory. */
static struct native_region *new_region(struct exec_program *p, const struct native_unit *u, uint32_t block)
{
    struct native_blocks *k = p->native->blocks;
    struct arena *arena = p->compiler->arena;
    uint32_t found[MOST_BLOCKS];
    struct native_region *r = ARENA_NEW(arena, struct native_region);
    struct native_region **list =
        arena_grow(arena, k->regions, sizeof(*list), k->nregions, &k->regions_cap, (size_t)k->nregions + 1);
    if (!r || !list)
        return NULL;
    k->regions = list;
    r->nblocks = reach(p, u, block, k->nregions, found);
    r->block = ARENA_ARRAY(arena, uint32_t, r->nblocks);
    list[k->nregions++] = r;
    if (!r->block)
        return NULL;
    sort(found, r->nblocks);
    memcpy(r->block, found, r->nblocks * sizeof *found);
    return r;
}

static void compile_region(struct exec_program *p, struct native_unit *u, uint32_t block, const struct jit_api *api)
{
    struct native_region *r = new_region(p, u, block);
    if (!r)
        return;
    struct native_piece piece = {.code = u->code, .ncode = u->ncode, .first = u->first, .end = u->end,
                                 .blocks = r->block, .nblocks = r->nblocks};
    native_ask(p, &piece, &r->form, api, p->native->waits);
    p->native->blocks->nasked += r->form.use == NATIVE_ASKED;
}

static void look_at_asked(struct native_blocks *k)
{
    k->nasked = 0;
    for (uint32_t i = 0; i < k->nregions; i++) {
        if (k->regions[i]->form.use == NATIVE_ASKED)
            native_look(&k->regions[i]->form);
        k->nasked += k->regions[i]->form.use == NATIVE_ASKED;
    }
}

/* ---- what happens to a program ---- */

/* The module, if there is to be one now. */
static const struct jit_api *module_for(const struct exec_program *p)
{
    const char *why = NULL;
    const struct jit_api *api = native_module(&why);
    if (!api && !why && p->native->waits) {
        native_load_now();
        return native_module(&why);
    }
    if (!api && !why && p->native->blocks->work >= WORTH_LOADING)
        native_load();
    return api;
}

static uint64_t worth(const struct exec_program *p, const struct native_unit *u)
{
    uint32_t times = u->drops < MOST_DOUBLED ? u->drops : MOST_DOUBLED;
    return p->native->waits ? 0 : (uint64_t)WORTH_REGION << times;
}

void exec_native_sample(const struct exec_program *program, uint32_t block, uint64_t insns)
{
    struct exec_program *p = to_change(program);
    struct native_blocks *k = p->native->blocks;
    k->work += insns;
    if (k->nasked)
        look_at_asked(k);
    if (block < IR_ENTRY || block >= p->nblocks || k->region_of[block] || is_gone(p, block))
        return;
    struct native_unit *u = unit_of(k, block);
    const struct jit_api *api = module_for(p);
    u->work += insns;
    if (!api || u->work < worth(p, u))
        return;
    u->work = 0;
    compile_region(p, u, block, api);
}

bool exec_native_extend(struct exec_program *p)
{
    struct native_blocks *k = p->native->blocks;
    const struct compiler *c = p->compiler;
    uint32_t first = k->nunits ? k->units[k->nunits - 1].end : IR_ENTRY, known = k->nunits ? first : 0;
    struct native_unit *units =
        arena_grow(c->arena, k->units, sizeof *units, k->nunits, &k->units_cap, (size_t)k->nunits + 1);
    uint32_t *region_of =
        arena_grow(c->arena, k->region_of, sizeof *region_of, known, &k->region_of_cap, (size_t)p->nblocks + 1);
    if (!units || !region_of)
        return false;
    memset(region_of + known, 0, (p->nblocks - known) * sizeof *region_of);
    k->units = units;
    k->region_of = region_of;
    struct native_unit *u = &units[k->nunits++];
    *u = (struct native_unit){.code = c->code, .ncode = (uint32_t)c->ncode, .first = first, .end = p->nblocks};
    if (first < u->end)
        u->operations = c->code_at[EXEC_PARTIAL][first] - c->code_at[EXEC_FULL][first];
    const struct jit_api *api = p->native->waits && k->ndropped < MOST_AT_ONCE ? module_for(p) : NULL;
    for (uint32_t b = first; api && b < u->end; b++)
        if (!k->region_of[b])
            compile_region(p, u, b, api);
    return true;
}

void exec_native_drop(struct exec_program *p, uint32_t block)
{
    struct native_blocks *k = p->native->blocks;
    uint32_t n = k->region_of[block];
    if (!n)
        return;
    struct native_region *r = k->regions[n - 1];
    native_undo(&r->form);
    for (uint32_t i = 0; r->block && i < r->nblocks; i++)
        k->region_of[r->block[i]] = 0;
    r->nblocks = 0;
    k->ndropped++;
    unit_of(k, block)->drops++;
}

bool native_blocks_start(struct exec_program *p, struct arena *arena)
{
    p->native->blocks = ARENA_NEW(arena, struct native_blocks);
    return p->native->blocks && exec_native_extend(p);
}

void native_blocks_report(const struct native_blocks *k, struct exec_engine_report *out)
{
    /* those of which the code changed, and those that are jumps alone, say nothing about what runs now */
    for (uint32_t i = 0; i < k->nregions; i++)
        if (k->regions[i]->nblocks && k->regions[i]->form.nplaces)
            native_report(&k->regions[i]->form, out);
    out->operations = 0;
    for (uint32_t i = 0; i < k->nunits; i++)
        out->operations += k->units[i].operations;
}
