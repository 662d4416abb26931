/* program.c - a program of lane IR and its tables. */
#include "ir/program.h"

#include "ir/build.h"

#include <string.h>

/* Grow the array at *list (a pointer to some element type) by one zeroed element; its place or NULL. */
static void *push(struct arena *a, void **list, size_t size, uint32_t *count, size_t *cap)
{
    void *grown = *count < UINT32_MAX ? arena_grow(a, *list, size, *count, cap, (size_t)*count + 1) : NULL;
    if (!grown) {
        a->failed = true;
        return NULL;
    }
    *list = grown;
    return (char *)grown + size * (*count)++;
}

#define PUSH(p, table, element)                                                                                        \
    do {                                                                                                               \
        void *list_ = (p)->table,                                                                                      \
             *place_ = push((p)->arena, &list_, sizeof(element), &(p)->n##table, &(p)->table##_cap);                   \
        (p)->table = list_;                                                                                            \
        if (!place_)                                                                                                   \
            return 0;                                                                                                  \
        memcpy(place_, &(element), sizeof(element));                                                                   \
        return (p)->n##table - 1;                                                                                      \
    } while (0)

enum { FIRST_ROOM = 8 };

/* Tables without a capacity of their own: they hold FIRST_ROOM elements first and double at each power of two. */
static void *push_small(struct arena *a, void **list, size_t size, uint32_t *count)
{
    size_t cap = *count < FIRST_ROOM ? (*list ? FIRST_ROOM : 0) : *count;
    if (*count > FIRST_ROOM && (*count & (*count - 1)))
        cap = (size_t)*count + 1; /* between two powers of two there is room */
    return push(a, list, size, count, &cap);
}

#define PUSH_SMALL(arena_, list, count, element)                                                                       \
    do {                                                                                                               \
        void *list_ = (list), *place_ = push_small((arena_), &list_, sizeof (element), &(count));                      \
        (list) = list_;                                                                                                \
        if (!place_)                                                                                                   \
            return 0;                                                                                                  \
        memcpy(place_, &(element), sizeof (element));                                                                  \
        return (count)-1;                                                                                              \
    } while (0)

struct ir_program *ir_program_new(struct arena *arena, const char *isa, enum ir_stage stage, unsigned lanes)
{
    struct ir_program *p = ARENA_NEW(arena, struct ir_program);
    if (!p)
        return NULL;
    p->arena = arena;
    /* A slot that cannot be added for want of memory has number 0. Slot 0 has memory from the beginning, so that a lift
     * may write to it. */
    p->io.inputs = ARENA_ARRAY(arena, struct ir_slot, FIRST_ROOM);
    p->io.outputs = ARENA_ARRAY(arena, struct ir_slot, FIRST_ROOM);
    if (!p->io.inputs || !p->io.outputs)
        return NULL;
    p->isa = arena_strndup(arena, isa, strlen(isa));
    p->stage = (uint8_t)stage;
    p->lanes = (uint16_t)lanes;
    p->nvalues = 0;
    ir_add_values(p, IR_VOID, 1); /* 0: no value */
    ir_new_block(p);
    ir_new_block(p);
    return arena_failed(arena) ? NULL : p;
}

uint32_t ir_new_block(struct ir_program *p)
{
    struct ir_block block = {0};
    PUSH(p, blocks, block);
}

uint32_t ir_add_file(struct ir_program *p, struct ir_file file)
{
    PUSH_SMALL(p->arena, p->files, p->nfiles, file);
}

uint32_t ir_add_space(struct ir_program *p, struct ir_space space)
{
    PUSH_SMALL(p->arena, p->spaces, p->nspaces, space);
}

uint32_t ir_add_input(struct ir_program *p, struct ir_slot slot)
{
    PUSH_SMALL(p->arena, p->io.inputs, p->io.ninputs, slot);
}

uint32_t ir_add_output(struct ir_program *p, struct ir_slot slot)
{
    PUSH_SMALL(p->arena, p->io.outputs, p->io.noutputs, slot);
}

static uint32_t push_reg(struct ir_program *p, struct ir_reg reg)
{
    PUSH(p, regs, reg);
}

/* Most programs name few registers many times: descriptors are remembered by what they name, the last of each hash. */
uint32_t ir_add_reg(struct ir_program *p, struct ir_reg reg)
{
    uint32_t hash = reg.elem * 7 + reg.file + reg.shift * 3u + reg.part * 31u;
    uint32_t *seen = &p->regs_seen[hash % IR_REGS_SEEN];
    const struct ir_reg *old = *seen < p->nregs ? &p->regs[*seen] : NULL;
    if (old && old->file == reg.file && old->shift == reg.shift && old->part == reg.part && old->elem == reg.elem &&
        old->stride == reg.stride && old->first == reg.first && old->last == reg.last)
        return *seen;
    return *seen = push_reg(p, reg);
}

uint32_t ir_add_mem(struct ir_program *p, struct ir_mem mem)
{
    PUSH(p, mems, mem);
}

uint32_t ir_add_control(struct ir_program *p, struct ir_control control)
{
    PUSH(p, controls, control);
}

uint32_t ir_add_variable(struct ir_program *p, struct ir_variable variable)
{
    PUSH(p, variables, variable);
}

uint32_t ir_add_texture(struct ir_program *p, struct ir_texture texture)
{
    PUSH(p, textures, texture);
}

uint32_t ir_add_image(struct ir_program *p, struct ir_image image)
{
    PUSH(p, images, image);
}

uint32_t ir_add_helper(struct ir_program *p, struct ir_helper helper)
{
    PUSH(p, helpers, helper);
}

ir_value ir_add_values(struct ir_program *p, enum ir_type type, unsigned count)
{
    size_t cap = p->values_cap, cap2 = p->values_cap;
    uint8_t *types = NULL, *uniform = NULL;
    if (count <= UINT32_MAX - p->nvalues) {
        size_t need = (size_t)p->nvalues + count;
        types = arena_grow(p->arena, p->value_type, 1, p->nvalues, &cap, need);
        uniform = arena_grow(p->arena, p->value_uniform, 1, p->nvalues, &cap2, need);
    }
    if (!types || !uniform) {
        p->arena->failed = true;
        return 0;
    }
    p->value_type = types;
    p->value_uniform = uniform;
    p->values_cap = cap;
    memset(types + p->nvalues, (int)type, count);
    memset(uniform + p->nvalues, 0, count);
    p->nvalues += count;
    return p->nvalues - count;
}

bool ir_append(struct ir_program *p, uint32_t block, struct ir_op *op, const ir_value *args, unsigned nargs)
{
    if (arena_failed(p->arena) || block >= p->nblocks)
        return false;
    struct ir_block *b = &p->blocks[block];
    ir_value *pool = arena_grow(p->arena, p->pool, sizeof *pool, p->npool, &p->pool_cap, (size_t)p->npool + nargs);
    struct ir_op *ops = arena_grow(p->arena, b->ops, sizeof *ops, b->count, &b->cap, (size_t)b->count + 1);
    if (pool)
        p->pool = pool;
    if (ops)
        b->ops = ops;
    if (arena_failed(p->arena) || nargs > UINT32_MAX - p->npool || nargs > UINT8_MAX) {
        p->arena->failed = true;
        return false;
    }
    op->args = p->npool;
    op->nargs = (uint8_t)nargs;
    if (nargs)
        memcpy(p->pool + p->npool, args, nargs * sizeof *args);
    p->npool += nargs;
    b->ops[b->count++] = *op;
    if (ir_op_info[op->code].flags & IR_OP_TERM)
        arena_shrink(p->arena, b->ops, sizeof *b->ops, b->count, &b->cap);
    return true;
}

void ir_give_back(struct ir_program *p)
{
    size_t cap = p->values_cap;
    if (arena_failed(p->arena))
        return;
    for (uint32_t b = p->frozen; b < p->nblocks; b++)
        arena_shrink(p->arena, p->blocks[b].ops, sizeof *p->blocks[b].ops, p->blocks[b].count, &p->blocks[b].cap);
    if (p->frozen) /* the tables grow again with the next blocks */
        return;
    arena_shrink(p->arena, p->pool, sizeof *p->pool, p->npool, &p->pool_cap);
    arena_shrink(p->arena, p->value_type, 1, p->nvalues, &cap);
    arena_shrink(p->arena, p->value_uniform, 1, p->nvalues, &p->values_cap);
    p->values_cap = cap < p->values_cap ? cap : p->values_cap;
}
