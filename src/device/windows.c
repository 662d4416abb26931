/* windows.c - the address map that a program brings along, see windows.h. */
#include "device/windows.h"

#include <stdlib.h>
#include <string.h>

/* The memory that a window shows; size 0: none. */
static struct exec_buffer shown_by(const struct ir_window *v, const struct resources *r, uint8_t *own)
{
    struct exec_buffer b = {own, v->size};
    if (v->kind == IR_SPACE_CONST)
        b = v->slot < RESOURCE_CONSTANTS ? r->constants[v->slot] : (struct exec_buffer){0};
    else if (v->kind == IR_SPACE_GLOBAL)
        b = v->slot < RESOURCE_STORAGE ? r->storage[v->slot] : (struct exec_buffer){0};
    if (!b.data)
        b.size = 0;
    b.size = b.size < v->size ? b.size : v->size;
    return b;
}

/* Add a range, or make the last one longer where it goes on, so that an access may lie across. */
static void add_range(struct exec_range *ranges, uint32_t *count, uint64_t first, struct exec_buffer b)
{
    struct exec_range *last = *count ? &ranges[*count - 1] : NULL;
    if (last && last->first + last->size == first && last->data + last->size == b.data)
        last->size += b.size;
    else if (b.size)
        ranges[(*count)++] = (struct exec_range){first, b.size, b.data, false};
}

bool windows_open(struct windows *w, const struct ir_program *ir, const struct resources *r)
{
    uint64_t own = 0;
    for (uint32_t i = 0; i < ir->nwindows; i++)
        own += ir->windows[i].kind == IR_SPACE_SHARED ? ir->windows[i].size : 0;
    w->memory = malloc((size_t)own + 1);
    w->range = calloc(2 * (size_t)ir->nwindows + 1, sizeof *w->range);
    if (!w->memory || !w->range)
        return false;
    struct exec_range *stores = w->range + ir->nwindows;
    w->bus = (struct exec_bus){.ranges = w->range, .stores = stores};
    uint8_t *at = w->memory;
    for (uint32_t i = 0; i < ir->nwindows; i++) {
        const struct ir_window *v = &ir->windows[i];
        struct exec_buffer b = shown_by(v, r, at);
        at += v->kind == IR_SPACE_SHARED ? v->size : 0;
        add_range(w->range, &w->bus.nranges, v->first, b);
        if (!v->read_only)
            add_range(stores, &w->bus.nstores, v->first, b);
    }
    return true;
}

void windows_begin(struct windows *w, const struct ir_program *ir)
{
    uint8_t *at = w->memory;
    for (uint32_t i = 0; i < ir->nwindows; i++) {
        const struct ir_window *v = &ir->windows[i];
        if (v->kind != IR_SPACE_SHARED)
            continue;
        if (v->nbytes)
            memcpy(at, v->bytes, (size_t)v->nbytes);
        memset(at + v->nbytes, 0, (size_t)(v->size - v->nbytes));
        at += v->size;
    }
}

void windows_close(struct windows *w)
{
    free(w->memory);
    free(w->range);
}
