/* check_decls.c - the checker's knowledge of declarations: what is declared, twice, or for nothing. */
#include "isa/tgsi/access.h"
#include "isa/tgsi/check.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t first_dimension(const struct tgsi_decl *d)
{
    return d->dimensional && !d->dim_empty ? d->dim : 0;
}

static const char *spell(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    const char *name = tgsi_file_names[d->file];
    char dim[32] = "";
    if (d->dim_empty)
        snprintf(dim, sizeof dim, "[]");
    else if (d->dimensional)
        snprintf(dim, sizeof dim, "[%u]", d->dim);
    const char *s = d->first == d->last ? arena_printf(c->arena, "%s%s[%u]", name, dim, d->first)
                                        : arena_printf(c->arena, "%s%s[%u..%u]", name, dim, d->first, d->last);
    return s ? s : name;
}

/* ---- the sorted list of what is declared ---- */

static int compare_spans(const void *a, const void *b)
{
    const struct tgsi_check_span *x = a, *y = b;
    if (x->dim != y->dim)
        return x->dim < y->dim ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->decl > y->decl) - (x->decl < y->decl);
}

/* All declarations of a file as spans, sorted. */
static struct tgsi_check_span *collect(struct tgsi_checker *c, uint8_t file, uint8_t mask, uint32_t *count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->m->ndecls; i++)
        n += c->m->decls[i].file == file && c->m->decls[i].mask & mask;
    struct tgsi_check_span *spans = ARENA_ARRAY(c->arena, struct tgsi_check_span, n);
    *count = 0;
    if (!spans)
        return NULL;
    for (uint32_t i = 0; i < c->m->ndecls; i++) {
        const struct tgsi_decl *d = &c->m->decls[i];
        if (d->file == file && d->mask & mask)
            spans[(*count)++] = (struct tgsi_check_span){first_dimension(d), d->first, d->last, i};
    }
    qsort(spans, n, sizeof *spans, compare_spans);
    return spans;
}

static void report_twice(struct tgsi_checker *c, uint32_t a, uint32_t b)
{
    const struct tgsi_decl *before = &c->m->decls[a < b ? a : b], *again = &c->m->decls[a < b ? b : a];
    const char *hint = arena_printf(c->arena, "it was declared before as %s", spell(c, before));
    tgsi_check_report(c, WEFT_ERROR, "declared-twice", again->where, hint, "%s is declared twice", spell(c, again));
}

/* Two declarations may share a register when their usage masks have no component in common. */
static void find_duplicates(struct tgsi_checker *c, uint8_t file)
{
    uint32_t last_reported = UINT32_MAX;
    for (uint8_t bit = 1; bit <= 8; bit = (uint8_t)(bit << 1)) {
        uint32_t n;
        const struct tgsi_check_span *spans = collect(c, file, bit, &n);
        uint32_t reach = 0; /* the span that reaches furthest so far */
        for (uint32_t i = 1; spans && i < n; i++) {
            if (spans[i].dim != spans[reach].dim || spans[i].first > spans[reach].last) {
                reach = i;
                continue;
            }
            uint32_t again = spans[i].decl > spans[reach].decl ? spans[i].decl : spans[reach].decl;
            if (again != last_reported)
                report_twice(c, spans[i].decl, spans[reach].decl);
            last_reported = again;
            if (spans[i].last > spans[reach].last)
                reach = i;
        }
    }
}

/* Keep of overlapping spans only the parts that are not covered yet, so that a search finds one answer. */
static void index_file(struct tgsi_checker *c, uint8_t file)
{
    uint32_t n, kept = 0;
    struct tgsi_check_span *spans = collect(c, file, 15, &n);
    for (uint32_t i = 0; spans && i < n; i++) {
        struct tgsi_check_span s = spans[i];
        const struct tgsi_check_span *before = kept ? &spans[kept - 1] : NULL;
        if (before && before->dim == s.dim && before->last >= s.first) {
            if (before->last >= s.last)
                continue;
            s.first = before->last + 1;
        }
        spans[kept++] = s;
    }
    c->declared[file] = spans;
    c->ndeclared[file] = kept;
}

static void check_declaration(struct tgsi_checker *c, const struct tgsi_decl *d)
{
    const char *name = tgsi_file_names[d->file];
    if (d->file == TGSI_NULL || d->file == TGSI_IMMEDIATE)
        tgsi_check_report(c, WEFT_ERROR, "bad-declaration", d->where,
                          d->file == TGSI_IMMEDIATE ? "an immediate is written 'IMM FLT32 {1.0, 0.0, 0.0, 0.0}'" : NULL,
                          "%s cannot be declared", name);
    if (d->first > d->last)
        tgsi_check_report(c, WEFT_ERROR, "bad-range", d->where, NULL,
                          "the range %u..%u runs backwards; expected %u..%u", d->first, d->last, d->last, d->first);
    if (d->dimensional && d->dim_last > d->dim)
        tgsi_check_report(c, WEFT_ERROR, "bad-range", d->where, NULL,
                          "the range %u..%u in the first bracket; expected one number", d->dim, d->dim_last);
    if (d->last > TGSI_CHECK_DECLARED_MAX || first_dimension(d) > TGSI_CHECK_DECLARED_MAX)
        tgsi_check_report(c, WEFT_ERROR, "register-limit", d->where, NULL,
                          "%s goes beyond register %u, the last there is", spell(c, d), TGSI_CHECK_DECLARED_MAX);
    if (!d->mask)
        tgsi_check_report(c, WEFT_ERROR, "bad-mask", d->where, NULL, "%s is declared with an empty usage mask", name);
    if (d->array > TGSI_CHECK_ARRAY_MAX)
        tgsi_check_report(c, WEFT_ERROR, "array-limit", d->where, NULL,
                          "ARRAY(%u) is beyond ARRAY(%u), the last there is", d->array, TGSI_CHECK_ARRAY_MAX);
}

void tgsi_check_declarations(struct tgsi_checker *c)
{
    bool seen[TGSI_FILES] = {false};
    const size_t ids = TGSI_FILES * (TGSI_CHECK_ARRAY_MAX + (size_t)1);
    c->arrays = ARENA_ARRAY(c->arena, const struct tgsi_decl *, ids);
    c->arrays_used = ARENA_ARRAY(c->arena, bool, ids);
    for (uint32_t i = 0; i < c->m->ndecls; i++) {
        const struct tgsi_decl *d = &c->m->decls[i];
        snprintf(c->place, sizeof c->place, "declaration %u", i);
        check_declaration(c, d);
        tgsi_check_meaning(c, d);
        seen[d->file] = true;
        c->one_bracket[d->file] |= !tgsi_has_first_bracket(d);
        c->two_brackets[d->file] |= tgsi_has_first_bracket(d);
        c->vertices[d->file] |= d->dim_empty;
        if (d->array && d->array <= TGSI_CHECK_ARRAY_MAX && c->arrays && !tgsi_check_find_array(c, d->file, d->array))
            c->arrays[d->file * (TGSI_CHECK_ARRAY_MAX + 1u) + d->array] = d;
    }
    for (uint8_t file = 0; file < TGSI_FILES; file++) {
        if (!seen[file])
            continue;
        find_duplicates(c, file);
        index_file(c, file);
    }
}

/* ---- questions ---- */

static const struct tgsi_check_span *find_span(const struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index)
{
    const struct tgsi_check_span *spans = c->declared[file];
    uint32_t low = 0, high = c->ndeclared[file];
    while (low < high) { /* the first span after the register */
        uint32_t middle = low + (high - low) / 2;
        const struct tgsi_check_span *s = &spans[middle];
        if (s->dim < dim || (s->dim == dim && s->first <= index))
            low = middle + 1;
        else
            high = middle;
    }
    return low && spans[low - 1].dim == dim && spans[low - 1].last >= index ? &spans[low - 1] : NULL;
}

const struct tgsi_decl *tgsi_check_find(const struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index)
{
    const struct tgsi_check_span *s = find_span(c, file, dim, index);
    return s ? &c->m->decls[s->decl] : NULL;
}

bool tgsi_check_is_declared(const struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index)
{
    return tgsi_check_find(c, file, dim, index) != NULL;
}

bool tgsi_check_has_any(const struct tgsi_checker *c, uint8_t file, uint32_t dim)
{
    if (dim == UINT32_MAX)
        return c->ndeclared[file] != 0;
    uint32_t low = 0, high = c->ndeclared[file];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->declared[file][middle].dim < dim)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->ndeclared[file] && c->declared[file][low].dim == dim;
}

const struct tgsi_decl *tgsi_check_find_array(const struct tgsi_checker *c, uint8_t file, uint32_t id)
{
    return id <= TGSI_CHECK_ARRAY_MAX && c->arrays ? c->arrays[file * (TGSI_CHECK_ARRAY_MAX + 1u) + id] : NULL;
}

const char *tgsi_check_nearest(struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index)
{
    const struct tgsi_check_span *best = NULL;
    uint64_t best_distance = UINT64_MAX;
    if (c->errors > TGSI_CHECK_HINTS)
        return NULL;
    for (uint32_t i = 0; i < c->ndeclared[file]; i++) {
        const struct tgsi_check_span *s = &c->declared[file][i];
        uint64_t away = index < s->first ? s->first - index : index > s->last ? index - s->last : 0;
        uint64_t distance = away + ((uint64_t)(s->dim > dim ? s->dim - dim : dim - s->dim) << 32);
        if (distance < best_distance) {
            best_distance = distance;
            best = s;
        }
    }
    return best ? arena_printf(c->arena, "%s is declared", spell(c, &c->m->decls[best->decl])) : NULL;
}

/* ---- what is used ---- */

void tgsi_check_note_use(struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index)
{
    struct tgsi_check_use *grown = arena_grow(c->arena, c->uses, sizeof *grown, c->nuses, &c->cap_uses, c->nuses + 1);
    if (!grown)
        return;
    c->uses = grown;
    c->uses[c->nuses++] = (struct tgsi_check_use){file, dim, index};
}

void tgsi_check_note_indirect(struct tgsi_checker *c, uint8_t file, uint32_t array)
{
    if (!array || array > TGSI_CHECK_ARRAY_MAX || !c->arrays_used)
        c->all_used[file] = true;
    else
        c->arrays_used[file * (TGSI_CHECK_ARRAY_MAX + 1u) + array] = true;
}

static int compare_uses(const void *a, const void *b)
{
    const struct tgsi_check_use *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->dim != y->dim)
        return x->dim < y->dim ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool is_used(const struct tgsi_checker *c, const struct tgsi_decl *d)
{
    if (c->all_used[d->file])
        return true;
    if (d->array && d->array <= TGSI_CHECK_ARRAY_MAX && c->arrays_used &&
        c->arrays_used[d->file * (TGSI_CHECK_ARRAY_MAX + 1u) + d->array])
        return true;
    struct tgsi_check_use from = {d->file, first_dimension(d), d->first}, to = {d->file, first_dimension(d), d->last};
    size_t low = 0, high = c->nuses;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_uses(&c->uses[middle], &from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->nuses && compare_uses(&c->uses[low], &to) <= 0;
}

void tgsi_check_unused(struct tgsi_checker *c)
{
    if (c->nuses)
        qsort(c->uses, c->nuses, sizeof *c->uses, compare_uses);
    for (uint32_t i = 0; i < c->m->ndecls; i++) {
        const struct tgsi_decl *d = &c->m->decls[i];
        snprintf(c->place, sizeof c->place, "declaration %u", i);
        if (!is_used(c, d))
            tgsi_check_report(c, WEFT_WARNING, "unused", d->where, NULL, "%s is declared and never used", spell(c, d));
    }
}
