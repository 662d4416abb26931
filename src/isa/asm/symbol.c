/* symbol.c - labels and symbols of the assembler. */
#include "isa/asm/asm.h"

#include <string.h>

static uint32_t hash_name(const struct asm_state *a, const char *name, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    return (h ^ h >> 15) & (uint32_t)(a->nbuckets - 1);
}

/* As many lists as symbols, so that each is short. */
static bool spread(struct asm_state *a)
{
    struct asm_symbol **lists = ARENA_ARRAY(a->arena, struct asm_symbol *, 4 * a->nbuckets);
    if (!lists)
        return asm_no_memory(a);
    a->bucket = lists;
    a->nbuckets *= 4;
    for (size_t i = 0; i < a->nsymbols; i++) {
        struct asm_symbol *s = a->symbol[i], **list = &lists[hash_name(a, s->name, strlen(s->name))];
        s->next = *list;
        *list = s;
    }
    return true;
}

struct asm_symbol *asm_known_symbol(struct asm_state *a, const char *name, size_t length)
{
    for (struct asm_symbol *s = a->bucket[hash_name(a, name, length)]; s; s = s->next)
        if (strncmp(s->name, name, length) == 0 && s->name[length] == '\0')
            return s;
    return NULL;
}

const char *asm_near_symbol(struct asm_state *a, const char *name, size_t length, size_t hidden)
{
    enum { HINTS = 10 }; /* all names are compared each time */
    if (a->errors + a->scan.errors >= HINTS)
        return NULL;
    const char **names = ARENA_ARRAY(a->arena, const char *, a->nsymbols + 1);
    size_t n = 0;
    for (size_t i = 0; names && i < a->nsymbols; i++)
        if (a->symbol[i]->defined && !strchr(a->symbol[i]->name, ':')) /* those of 12: have no name */
            names[n++] = a->symbol[i]->name;
    const char *near = n ? nearest_word(name, length, names, n) : NULL;
    if (near && strncmp(near, name, hidden) == 0 && near[hidden])
        near += hidden;
    return near ? arena_printf(a->arena, "did you mean '%s'?", near) : NULL;
}

struct asm_symbol *asm_symbol(struct asm_state *a, const char *name, size_t length)
{
    struct asm_symbol *known = asm_known_symbol(a, name, length);
    if (known)
        return known;
    if (length > ASM_NAME) {
        asm_error(a, name, "symbol", NULL, "a name of more than %d letters", ASM_NAME);
        return NULL;
    }
    struct asm_symbol *s = ARENA_NEW(a->arena, struct asm_symbol);
    void *grown = arena_grow(a->arena, a->symbol, sizeof *a->symbol, a->nsymbols, &a->symbol_capacity, a->nsymbols + 1);
    if (!s || !grown || !(s->name = arena_strndup(a->arena, name, length))) {
        asm_no_memory(a);
        return NULL;
    }
    if (a->nsymbols == a->nbuckets && !spread(a))
        return NULL;
    struct asm_symbol **list = &a->bucket[hash_name(a, name, length)];
    s->next = *list;
    *list = s;
    a->symbol = grown;
    a->symbol[a->nsymbols++] = s;
    return s;
}

bool asm_define_label(struct asm_state *a, struct asm_symbol *s, const char *from)
{
    if (s->defined)
        return asm_error(a, from, "duplicate-label", NULL, "'%s' is defined twice", s->name);
    s->defined = true;
    s->section = a->current;
    s->index = asm_here(a);
    return true;
}

size_t asm_label_number(const char *p, uint32_t *number)
{
    enum { MOST_DIGITS = 9 };
    size_t length = 0;
    *number = 0;
    while (length < MOST_DIGITS && scan_is(p[length], SCAN_DIGIT))
        *number = 10 * *number + (uint32_t)(p[length++] - '0');
    return length;
}

/* The symbol that counts the labels of a number. */
static struct asm_symbol *counter(struct asm_state *a, uint32_t number)
{
    char *name = arena_printf(a->arena, "%u:", (unsigned)number);
    if (!name)
        asm_no_memory(a);
    return name ? asm_symbol(a, name, strlen(name)) : NULL;
}

struct asm_symbol *asm_numbered_label(struct asm_state *a, uint32_t number, bool ahead, const char *from)
{
    struct asm_symbol *count = counter(a, number);
    if (!count)
        return NULL;
    if (!ahead && count->times == 0) {
        asm_error(a, from, "symbol", NULL, "no label %u: comes before this", (unsigned)number);
        return NULL;
    }
    char *name = arena_printf(a->arena, "%u:%u", (unsigned)number, (unsigned)(count->times + ahead));
    if (!name)
        asm_no_memory(a);
    return name ? asm_symbol(a, name, strlen(name)) : NULL;
}

bool asm_define_numbered(struct asm_state *a, uint32_t number, const char *from)
{
    struct asm_symbol *count = counter(a, number);
    struct asm_symbol *next = count ? asm_numbered_label(a, number, true, from) : NULL;
    if (!next || !asm_define_label(a, next, from))
        return false;
    count->times++;
    return true;
}

const struct asm_expr *asm_known_value(struct asm_state *a, const char *name, size_t length)
{
    const struct asm_symbol *s = a->nsymbols ? asm_known_symbol(a, name, length) : NULL;
    return s ? s->value : NULL;
}

bool asm_equ(struct asm_state *a, const char *name, size_t length)
{
    struct asm_symbol *s = asm_symbol(a, name, length);
    const struct asm_expr *e = s ? asm_expression(a) : NULL;
    int64_t value;
    if (!e)
        return false;
    if (s->defined && !s->value)
        return asm_error(a, name, "symbol", NULL, "'%s' is a label", s->name);
    /* What is known already is kept as a number: a symbol may be set again, from its old value too. */
    if (!asm_is_number(e) && asm_evaluate(a, e, &value)) {
        e = asm_number(a, value);
        if (!e)
            return false;
    }
    s->value = e;
    s->defined = true;
    s->known = false;
    return true;
}
