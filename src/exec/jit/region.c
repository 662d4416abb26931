/* region.c - which runs of a request become one function: those that go on to each other, as far as they agree about
 * how the host is to be set. */
#include "exec/jit/region.h"

#include <stdlib.h>

enum { LARGEST = 1200 }; /* operations of a function of several runs */

struct sets {
    uint32_t *parent; /* by run */
    uint32_t *steps;  /* of the set, by its root */
    bool *harmed, *flushed; /* some operation of it could tell that the host flushes; it would flush */
};

static uint32_t root_of(struct sets *s, uint32_t run)
{
    while (s->parent[run] != run)
        run = s->parent[run] = s->parent[s->parent[run]];
    return run;
}

static void join(struct sets *s, uint32_t x, uint32_t y)
{
    x = root_of(s, x);
    y = root_of(s, y);
    bool harmed = s->harmed[x] || s->harmed[y], flushed = s->flushed[x] || s->flushed[y];
    if (x == y || s->steps[x] + s->steps[y] > LARGEST || (harmed && flushed))
        return;
    s->parent[y] = x;
    s->steps[x] += s->steps[y];
    s->harmed[x] = harmed;
    s->flushed[x] = flushed;
}

static bool is_harmed(const struct jit_request *r, const struct jit_run *run)
{
    const struct jit_step *s = (const struct jit_step *)jit_part(r, r->steps) + run->first;
    for (uint32_t i = 0; i < run->count; i++)
        if (op_flushing(&s[i]) == FLUSHING_HARMS)
            return true;
    return false;
}

static void join_all(struct sets *s, const struct jit_request *r)
{
    const struct jit_run *runs = jit_part(r, r->runs);
    for (uint32_t i = 0; i < r->nruns; i++) {
        s->parent[i] = i;
        s->steps[i] = runs[i].count;
        s->harmed[i] = is_harmed(r, &runs[i]);
        s->flushed[i] = host_may_flush(r, &(struct region){&i, 1});
    }
    for (uint32_t i = 0; i < r->nruns; i++)
        for (unsigned k = 0; k < 2; k++)
            if (runs[i].to[k])
                join(s, i, runs[i].to[k] - 1);
}

/* The runs of each set one after another, in `order`. */
static void list_sets(struct sets *s, const struct jit_request *r, struct regions *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->nruns; i++) {
        if (root_of(s, i) != i)
            continue;
        struct region *of = &out->region[out->count++];
        of->run = &out->order[n];
        for (uint32_t k = 0; k < r->nruns; k++)
            if (root_of(s, k) == i)
                out->order[n++] = k;
        of->count = (uint32_t)(&out->order[n] - of->run);
    }
}

bool regions_find(const struct jit_request *r, struct regions *out)
{
    size_t n = r->nruns + 1;
    struct sets s = {calloc(n, sizeof *s.parent), calloc(n, sizeof *s.steps), calloc(n, sizeof *s.harmed),
                     calloc(n, sizeof *s.flushed)};
    *out = (struct regions){calloc(n, sizeof *out->order), calloc(n, sizeof *out->region), 0};
    bool fine = s.parent && s.steps && s.harmed && s.flushed && out->order && out->region;
    if (fine) {
        join_all(&s, r);
        list_sets(&s, r, out);
    }
    free(s.parent);
    free(s.steps);
    free(s.harmed);
    free(s.flushed);
    if (!fine)
        regions_free(out);
    return fine;
}

void regions_free(struct regions *r)
{
    free(r->order);
    free(r->region);
    *r = (struct regions){0};
}
