/* section.c - sections of the assembler, their items, and what of these waits for addresses. */
#include "isa/asm/asm.h"

#include <string.h>

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
