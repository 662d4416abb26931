/* named.c - see named.h. */
#include "cli/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void named_add(struct named *n, const char *name, uint32_t elements)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return;
    if (n->count == NAMED_MOST || !*name)
        return;
    n->elements[n->count] = elements;
    n->name[n->count++] = name;
}

void named_list(const struct named *n, char *text, size_t size)
{
    enum { LONGEST = 200 };
    *text = 0;
    for (size_t i = 0, length = 0; i < n->count && length + LONGEST < size; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%.60s", i ? ", " : "", n->name[i]);
        if (n->elements[i] > 1)
            length += (size_t)snprintf(text + length, size - length, "[0] to %.60s[%u]", n->name[i],
                                       n->elements[i] - 1);
    }
}

static void find_names(const struct interfaces *programs, enum interface_kind kind, struct named *n)
{
    for (size_t program = 0; program < programs->count; program++) {
        const struct interface *f = &programs->list[program];
        struct interface_variable v;
        for (size_t at = 0; interface_next(f, &at, &v);) {
            struct interface_place whole = interface_block(&v), p;
            const char *name;
            if (v.kind != kind)
                continue;
            if (kind != INTERFACE_BLOCK || v.elements > 1)
                named_add(n, *v.instance ? v.instance : v.name, v.elements);
            for (uint32_t i = 0; kind == INTERFACE_BLOCK && interface_member(f, &whole, i, &p, &name); i++)
                named_add(n, name, 1);
        }
    }
}

void named_none(const struct interfaces *programs, const struct cli_command *command, enum interface_kind kind,
                const char *what, const char *name)
{
    struct named n = {.count = 0};
    char near[120], list[800];
    find_names(programs, kind, &n);
    named_list(&n, list, sizeof list);
    cli_nearest(name, n.name, n.count, near, sizeof near);
    cli_wrong(command, "the shader has no %s '%s'%s%s%s", what, name, near,
              !n.count ? "; it has none that it uses"
              : *near  ? " It has "
                       : "; it has ",
              list);
}

/* "NAME" or "NAME[2]", with the element. */
static size_t base_name(const char *name, size_t length, size_t *element)
{
    const char *bracket = memchr(name, '[', length);
    char *end;
    *element = 0;
    if (!bracket || bracket[1] < '0' || bracket[1] > '9')
        return length;
    errno = 0;
    *element = strtoul(bracket + 1, &end, 10);
    return errno || end != name + length - 1 || *end != ']' ? length : (size_t)(bracket - name);
}

static bool is(const char *own, const char *name, size_t length)
{
    return strlen(own) == length && strncmp(own, name, length) == 0;
}

uint32_t named_number(const struct interfaces *programs, const struct cli_command *command, enum interface_kind kind,
                      const char *what, const char *name, size_t length)
{
    size_t element, base = base_name(name, length, &element);
    for (size_t i = 0; i < programs->count; i++) {
        struct interface_variable v;
        for (size_t at = 0; interface_next(&programs->list[i], &at, &v);)
            if (v.kind == kind && (is(v.name, name, base) || is(v.instance, name, base)) && element < v.elements)
                return v.number == INTERFACE_UNUSED ? v.number : v.number + (uint32_t)element;
    }
    char *text = cli_kept(strndup(name, length));
    named_none(programs, command, kind, what, text);
    free(text);
    return NAMED_NONE;
}

bool named_part(struct interface *f, enum interface_kind kind, uint32_t limit)
{
    struct interface_variable v;
    uint64_t taken = 0;
    bool changed = false;
    for (size_t at = 0; interface_next(f, &at, &v);) {
        if (v.kind != kind || v.push || v.number >= limit || v.elements > limit - v.number)
            continue;
        uint64_t own = v.elements < 64 ? (UINT64_C(1) << v.elements) - 1 : UINT64_MAX;
        uint32_t to = v.number;
        for (uint32_t n = 0; (taken & own << to) && n + v.elements <= limit; n++)
            to = n;
        taken |= own << to;
        if (to == v.number)
            continue;
        interface_renumber(f, &v, to);
        changed = true;
    }
    return changed;
}
