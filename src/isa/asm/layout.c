/* layout.c - sections: their items and what of these waits for addresses; then the addresses, sections one after the
 * other, and every instruction as short as the distances allow.
 *
 * All instructions that wait for addresses start as short as possible and only grow, so that this ends; .org, .align
 * and .space may still swing, and are held to a number of passes. */
#include "isa/asm/asm.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 100, MOST_PASSES = 200 };

/* ---- sections ---- */

bool asm_enter_section(struct asm_state *a, const char *name, size_t length)
{
    for (uint32_t i = 0; i < a->nsections; i++)
        if (strncmp(a->section[i].name, name, length) == 0 && a->section[i].name[length] == '\0') {
            a->current = i;
            return true;
        }
    if (length > ASM_NAME || a->nsections >= ASM_MAX_SECTIONS)
        return asm_error(a, name, "section", NULL, "too many sections, or a name too long");
    void *grown =
        arena_grow(a->arena, a->section, sizeof *a->section, a->nsections, &a->section_capacity, a->nsections + 1);
    char *copy = arena_strndup(a->arena, name, length);
    if (!grown || !copy)
        return asm_no_memory(a);
    a->section = grown;
    a->current = (uint32_t)a->nsections++;
    a->section[a->current] = (struct asm_section){.name = copy, .align = 1};
    a->isa->open(&a->section[a->current]);
    return true;
}

void *asm_append(struct asm_state *a)
{
    struct asm_section *s = &a->section[a->current];
    if (s->count == s->capacity) {
        void *grown = arena_grow(a->arena, s->items, a->isa->item, s->count, &s->capacity, s->count + 1);
        if (!grown) {
            asm_no_memory(a);
            return NULL;
        }
        s->items = grown;
    }
    return memset(asm_item(a, s, s->count++), 0, a->isa->item);
}

bool asm_add_fixup(struct asm_state *a, const struct asm_fixup *fixup)
{
    void *grown = arena_grow(a->arena, a->fixup, sizeof *a->fixup, a->nfixups, &a->fixup_capacity, a->nfixups + 1);
    if (!grown)
        return asm_no_memory(a);
    a->fixup = grown;
    struct asm_fixup *f = &a->fixup[a->nfixups++];
    *f = *fixup;
    f->section = a->current;
    f->index = asm_here(a);
    f->src = a->scan.src;
    return true;
}

void asm_drop_fixups(struct asm_state *a)
{
    while (a->nfixups && a->fixup[a->nfixups - 1].index >= a->section[a->fixup[a->nfixups - 1].section].count)
        a->nfixups--;
}

/* ---- errors ---- */

/* Name what an expression lacks. */
static const struct asm_symbol *undefined_in(const struct asm_expr *e)
{
    if (e->op == 's')
        return e->symbol->defined ? NULL : e->symbol;
    if (!e->left)
        return NULL;
    const struct asm_symbol *s = undefined_in(e->left);
    return s ? s : undefined_in(e->right);
}

static bool not_computable(struct asm_state *a, const struct asm_fixup *f)
{
    const struct asm_symbol *s = undefined_in(f->expr);
    const char *colon = s ? strchr(s->name, ':') : NULL;
    if (colon) /* 12f */
        return asm_error_at(a, f, "unknown-label", NULL, "no label %.*s: comes after this", (int)(colon - s->name),
                            s->name);
    if (s) {
        const char *hint = a->isa->no_symbol ? a->isa->no_symbol(s->name) : NULL;
        return asm_error_at(a, f, "unknown-label", hint ? hint : asm_near_symbol(a, s->name, strlen(s->name), 0),
                            "symbol '%s' is not defined", s->name);
    }
    return asm_error_at(a, f, "expression", NULL, "this %s: it divides by zero or depends on itself",
                        "cannot be computed");
}

static void *item_of(struct asm_state *a, const struct asm_fixup *f)
{
    return asm_item(a, &a->section[f->section], f->index);
}

/* ---- places ---- */

static bool is_stretch(const struct asm_fixup *f)
{
    return f->role >= ASM_ALIGN;
}

static bool is_insn(const struct asm_fixup *f)
{
    return f->role == ASM_INSN;
}

/* The size of a stretch that begins at *at, with what was known in the last pass. .org before everything else
 * moves the section, and *at. What cannot be is left to check_stretch. */
static uint32_t size_of_stretch(struct asm_state *a, const struct asm_fixup *f, struct asm_section *s, uint64_t *at)
{
    int64_t value;
    if (!asm_evaluate(a, f->expr, &value) || value < 0 || value > UINT32_MAX)
        return 0;
    switch (f->role) {
    case ASM_ALIGN:
        return (uint32_t)(0 - *at) & ((uint32_t)value - 1);
    case ASM_ORG:
        if ((uint32_t)*at == s->address) {
            *at = s->address = (uint32_t)value;
            s->beyond = false;
        }
        return (uint64_t)value >= *at ? (uint32_t)((uint64_t)value - *at) : 0;
    default:
        return value <= ASM_MAX_BYTES ? (uint32_t)value : 0;
    }
}

/* Whether an instruction reaches an address that is a number depends on nothing after it: its size is found at once. */
static void size_by_number(struct asm_state *a, const struct asm_fixup *f, void *item, uint32_t address)
{
    *asm_address(item) = address;
    uint32_t size = a->isa->fit(a, f, item, f->expr->value, 0, false);
    if (size)
        *asm_size(item) = size;
}

/* Addresses of a section's items with the sizes so far. *next is the first fixup of the section, and afterwards that of
 * the next one. True when something moved. */
static bool place_section(struct asm_state *a, uint32_t number, uint64_t *address, size_t *next)
{
    struct asm_section *s = &a->section[number];
    uint32_t was = s->address;
    uint64_t size_was = s->size;
    uint64_t at = (*address + s->align - 1) & ~((uint64_t)s->align - 1);
    bool moved = false;
    s->address = (uint32_t)at;
    s->beyond = at > UINT32_MAX;
    for (uint32_t i = 0; i < s->count; i++) {
        void *item = asm_item(a, s, i);
        uint32_t size = *asm_size(item);
        for (; *next < a->nfixups && a->fixup[*next].section == number && a->fixup[*next].index == i; ++*next) {
            const struct asm_fixup *f = &a->fixup[*next];
            if (is_stretch(f))
                *asm_size(item) = size_of_stretch(a, f, s, &at);
            else if (is_insn(f) && asm_is_number(f->expr))
                size_by_number(a, f, item, (uint32_t)at);
        }
        moved |= *asm_size(item) != size;
        *asm_address(item) = (uint32_t)at;
        at += *asm_size(item);
    }
    s->size = at - s->address - (s->beyond ? UINT64_C(1) << 32 : 0);
    if (s->count)
        *address = at;
    return moved || was != s->address || size_was != s->size;
}

static bool place_all(struct asm_state *a)
{
    size_t next = 0;
    uint64_t address = a->params ? a->params->base : 0;
    bool moved = false;
    for (uint32_t s = 0; s < a->nsections; s++)
        moved |= place_section(a, s, &address, &next);
    a->pass++;
    return moved;
}

/* ---- passes ---- */

/* Let the instructions grow that do not reach; in haste all that may: one may push the next out of reach, pass for
 * pass. */
static bool grow(struct asm_state *a, bool in_haste, bool *grown)
{
    bool fine = true;
    for (size_t i = 0; i < a->nfixups; i++) {
        const struct asm_fixup *f = &a->fixup[i];
        void *item = item_of(a, f);
        uint32_t was = *asm_size(item);
        int64_t value;
        if (!is_insn(f) || asm_is_number(f->expr))
            continue;
        if (!asm_evaluate(a, f->expr, &value)) {
            fine = not_computable(a, f);
            continue;
        }
        uint32_t size = a->isa->fit(a, f, item, value, was, in_haste);
        *asm_size(item) = size ? size : was;
        *grown |= *asm_size(item) != was;
    }
    return fine;
}

static bool too_large(const struct asm_state *a)
{
    uint64_t total = 0;
    for (uint32_t s = 0; s < a->nsections; s++)
        total += a->section[s].size;
    return total > ASM_MAX_BYTES;
}

/* The .space, .org or the like that makes the most bytes: where to look when there are too many. */
static const struct asm_fixup *largest(struct asm_state *a)
{
    const struct asm_fixup *most = NULL;
    for (size_t i = 0; i < a->nfixups; i++)
        if (!most || *asm_size(item_of(a, &a->fixup[i])) > *asm_size(item_of(a, most)))
            most = &a->fixup[i];
    return most;
}

static bool find_sizes(struct asm_state *a)
{
    for (unsigned pass = 0; pass < MOST_PASSES; pass++) {
        bool changed = place_all(a);
        if (too_large(a))
            return asm_error_at(a, largest(a), "too-large", NULL, "a program of more than %d MiB", ASM_MAX_BYTES >> 20);
        if (!grow(a, pass >= PATIENCE, &changed))
            return false;
        if (!changed)
            return true;
    }
    return asm_error_at(a, NULL, "layout", ".org, .align or .space may depend on what comes after them",
                        "the sizes of instructions do not %s", "settle");
}

/* ---- what is known in the end ---- */

static bool check_stretch(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value)
{
    if (f->role == ASM_ORG && value != (int64_t)*asm_address(item) + *asm_size(item))
        return asm_error_at(a, f, "out-of-range", NULL, "%s goes backwards, or past 32 bits", ".org");
    if (f->role == ASM_SPACE && value != *asm_size(item))
        return asm_error_at(a, f, "out-of-range", NULL, "%s takes a number of bytes, at most %d", ".space",
                            ASM_MAX_BYTES);
    return true;
}

static bool put_data(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value)
{
    uint8_t *bytes = a->isa->data(item) + f->offset;
    if (f->width < 8 && (value < -(INT64_C(1) << (8 * f->width - 1)) || value >= INT64_C(1) << 8 * f->width))
        return asm_error_at(a, f, "out-of-range", NULL, "the value does not fit its %s", "size");
    bytes_put(bytes, (uint64_t)value, f->width);
    return true;
}

static bool settle_all(struct asm_state *a)
{
    bool fine = true;
    for (size_t i = 0; i < a->nfixups; i++) {
        const struct asm_fixup *f = &a->fixup[i];
        void *item = item_of(a, f);
        int64_t value = 0;
        if (f->expr && !asm_evaluate(a, f->expr, &value))
            fine = not_computable(a, f);
        else if (is_stretch(f))
            fine &= check_stretch(a, f, item, value);
        else if (f->role == ASM_DATA)
            fine &= put_data(a, f, item, value);
        else
            fine &= a->isa->settle(a, f, item, value);
    }
    return fine;
}

static int by_place(const void *x, const void *y)
{
    const struct asm_fixup *f = x, *g = y;
    if (f->section != g->section)
        return f->section < g->section ? -1 : 1;
    if (f->index != g->index)
        return f->index < g->index ? -1 : 1;
    return f->offset < g->offset ? -1 : f->offset > g->offset;
}

bool asm_layout(struct asm_state *a)
{
    if (!a->isa->fit)
        return settle_all(a);
    if (a->nfixups)
        qsort(a->fixup, a->nfixups, sizeof *a->fixup, by_place);
    return find_sizes(a) && settle_all(a);
}
