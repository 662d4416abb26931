/* values.c - see values.h. */
#include "cli/values.h"
#include "cli/named.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

/* ---- one value ---- */

static void put(struct values *v, uint32_t offset, uint32_t bytes, uint64_t bits)
{
    for (uint32_t i = 0; i < bytes / 4 && v->word; i++)
        v->word[offset / 4 + i] = (uint32_t)(bits >> 32 * i);
}

/* The bits of a text as an integer: decimal, 0x, true, false. */
static bool integer(const char *text, bool is_signed, uint64_t *bits)
{
    char *end;
    size_t length = strcspn(text, ",");
    errno = 0;
    if ((length == 4 && strncmp(text, "true", 4) == 0) || (length == 5 && strncmp(text, "false", 5) == 0)) {
        *bits = *text == 't';
        return true;
    }
    bool hex = strncmp(text, "0x", 2) == 0;
    long long n = strtoll(text, &end, hex ? 16 : 10);
    *bits = (uint64_t)n;
    long long most = is_signed && !hex ? INT32_MAX : UINT32_MAX;
    return end != text && (size_t)(end - text) == length && !errno && n <= most && n >= (is_signed ? INT32_MIN : 0);
}

static void set(void *context, uint32_t offset, enum interface_scalar kind, uint32_t bytes)
{
    struct values *v = context;
    size_t n = v->used++;
    v->other |= kind == INTERFACE_OTHER || (bytes != 4 && bytes != 8) || offset > MOST_BYTES;
    if (offset <= MOST_BYTES && offset + bytes > v->end)
        v->end = offset + bytes;
    if (v->other || n >= v->count)
        return;
    const char *text = v->text[n];
    uint64_t bits = 0;
    if (kind == INTERFACE_FLOAT) {
        char *end = NULL;
        errno = 0;
        double d = text ? strtod(text, &end) : v->number[n];
        float f = (float)d;
        uint32_t single;
        bool large = isfinite(d) && bytes != 8 && !isfinite(f);
        if (text && (end == text || (*end != ',' && *end) || large || (errno == ERANGE && !isfinite(d))))
            v->wrong = v->wrong ? v->wrong : n + 1;
        memcpy(&bits, &d, sizeof d);
        memcpy(&single, &f, sizeof f);
        bits = bytes == 8 ? bits : single;
    } else if (!text) {
        bits = (uint64_t)(int64_t)v->number[n];
    } else if (!integer(text, kind == INTERFACE_INT, &bits)) {
        v->wrong = v->wrong ? v->wrong : n + 1;
    }
    put(v, offset, bytes, bits);
}

void values_measure(const struct interface *f, const struct interface_place *p, struct values *v)
{
    v->word = NULL;
    v->used = v->wrong = v->end = 0;
    v->other = p->blocks;
    interface_scalars(f, p, set, v);
}

bool values_room(const struct value_store *to, uint32_t buffer, uint32_t bytes)
{
    if (buffer >= to->buffers)
        return false;
    weft_constants *c = &to->constants[buffer];
    size_t words = (bytes + 15) / 16 * 4;
    if (!words || (c->words && words <= c->count))
        return true;
    uint32_t *more = cli_kept(realloc(to->memory[buffer], words * sizeof *more));
    memset(more + c->count, 0, (words - c->count) * sizeof *more);
    to->memory[buffer] = more;
    *c = (weft_constants){more, words};
    return true;
}

bool values_place(const struct value_store *to, const struct interface *f, const struct interface_place *p,
                  struct values *v)
{
    values_measure(f, p, v);
    if (v->other || v->wrong || v->used != v->count || !v->count || !values_room(to, p->buffer, v->end))
        return false;
    v->word = to->memory[p->buffer];
    v->used = 0;
    interface_scalars(f, p, set, v);
    return true;
}

/* ---- --uniform ---- */

static bool split(const struct cli_command *command, const char *text, struct values *v)
{
    for (v->count = 0; text; v->count++) {
        if (v->count == VALUES_MOST) {
            cli_wrong(command, "--uniform takes at most %d values", VALUES_MOST);
            return false;
        }
        v->text[v->count] = text;
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
    return true;
}

static bool refuse(const struct value_store *to, const struct cli_command *command, const char *name,
                   const struct interface_place *p, const struct values *v)
{
    if (p->blocks)
        cli_wrong(command, "'%s' is several blocks: write a member of one, such as %s[0].member", name, name);
    else if (v->other)
        cli_wrong(command, "'%s' has a type that --uniform cannot set: it sets numbers of 32 and 64 bits", name);
    else if (v->used != v->count)
        cli_wrong(command, "uniform '%s' takes %zu value%s, and %zu %s given", name, v->used, v->used == 1 ? "" : "s",
                  v->count, v->count == 1 ? "is" : "are");
    else if (v->wrong) {
        const char *text = v->text[v->wrong - 1];
        cli_wrong(command, "value %zu of uniform '%s' is '%.*s', which is not a number of its type", v->wrong, name,
                  (int)strcspn(text, ","), text);
    } else
        cli_wrong(command, "uniform '%s' is in a buffer that 'weft %s' does not have: there are 0 to %u", name,
                  command->name, to->buffers - 1);
    return false;
}

static bool same_place(const struct interface_place *a, const struct interface_place *b)
{
    return a->buffer == b->buffer && a->offset == b->offset && a->type == b->type;
}

/* A place for each value; those that the program does not have are of no type. */
static void find_places(const struct interface *f, const char *const *uniform, size_t count,
                        struct interface_place *place)
{
    for (size_t i = 0; i < count; i++) {
        char *name = cli_kept(strndup(uniform[i], strcspn(uniform[i], "=")));
        if (!interface_find(f, name, &place[i]))
            place[i] = (struct interface_place){0};
        free(name);
    }
}

bool values_distinct(const struct interfaces *programs, const struct cli_command *command, const char *const *uniform,
                     size_t count)
{
    struct interface_place *place = cli_kept(calloc(count + 1, sizeof *place));
    size_t first = 0, second = 0;
    for (size_t n = 0; n < programs->count && !second; n++) {
        find_places(&programs->list[n], uniform, count, place);
        for (size_t i = 1; i < count && !second; i++)
            for (size_t k = 0; k < i && !second; k++)
                if (place[i].type && same_place(&place[i], &place[k])) {
                    first = k;
                    second = i;
                }
    }
    free(place);
    if (second)
        cli_wrong(command, "--uniform %s: this value is given twice, before as %s", uniform[second], uniform[first]);
    return !second;
}

/* Whether a name is one of an array that ends before its index; says so. */
static bool beyond_array(const struct interfaces *programs, const struct cli_command *command, const char *name)
{
    for (const char *open = strchr(name, '['); open; open = strchr(open + 1, '[')) {
        char *array = cli_kept(strndup(name, (size_t)(open - name)));
        struct interface_place p;
        uint32_t elements = 0;
        for (size_t i = 0; i < programs->count && !elements; i++)
            if (interface_find(&programs->list[i], array, &p))
                elements = interface_elements(&programs->list[i], &p);
        char *end;
        unsigned long index = strtoul(open + 1, &end, 10);
        bool beyond = elements && open[1] >= '0' && open[1] <= '9' && *end == ']' && index >= elements;
        if (beyond)
            cli_wrong(command, "uniform '%s': '%s' has %u element%s, [0] to [%u]", name, array, elements,
                      elements == 1 ? "" : "s", elements - 1);
        free(array);
        if (beyond)
            return true;
    }
    return false;
}

bool values_set(const struct value_store *to, const struct interfaces *programs, const struct cli_command *command,
                const char *text, struct values *v)
{
    char *name = cli_kept(strndup(text, strcspn(text, "=")));
    bool found = false, fine = split(command, text + strlen(name) + 1, v);
    for (size_t i = 0; i < programs->count && fine; i++) {
        const struct interface *f = &programs->list[i];
        struct interface_place p;
        if (!interface_find(f, name, &p))
            continue;
        found = true;
        fine = values_place(to, f, &p, v) || refuse(to, command, name, &p, v);
    }
    if (fine && !found && !beyond_array(programs, command, name))
        named_none(programs, command, INTERFACE_BLOCK, "uniform", name);
    free(name);
    return fine && found;
}
