/* run_share.c - a draw or a dispatch that several processes do together (weft_job_share).
 *
 * Each process keeps what the memories that can be written held before, does its part, and tells the others which
 * bytes changed. All put the changes in place in the order of the processes, so all have the same bytes afterwards.
 * Where one of them met an error or has something to say, all go back to what was before and do the whole: errors,
 * messages and what is left in memory are then those of a single process. */
#include "script/run.h"

#include <stdlib.h>
#include <string.h>

/* Changes are told by lines of bytes: of each in which there are any its place, a mask of the bytes that changed, and
 * these. */
enum { LINE = 64 };

struct line {
    uint64_t place; /* of its memory: line number * MEMORIES + number of the memory */
    uint64_t mask;
};
#define MEMORIES ((uint64_t)1 << 32)
static const uint64_t ALL = ~(uint64_t)0;

struct text {
    uint8_t *data;
    size_t size, cap;
    bool failed;
};

struct heading {
    uint32_t fine;
    uint64_t counts[JOB_SHARE_COUNTS];
};

/* While a draw or a dispatch is done. */
struct sharing {
    struct share part; /* of this process */
    bool *written;     /* by number of the buffer: its memory may be written */
    uint8_t **before;  /* and what such a memory held */
    uint64_t sums[JOB_SHARE_COUNTS];
};

/* ---- what can be written ---- */

static bool read_only(enum script_bind as)
{
    return as == SCRIPT_BIND_SAMPLED_IMAGE || as == SCRIPT_BIND_COMBINED_IMAGE_SAMPLER || as == SCRIPT_BIND_SAMPLER ||
           as == SCRIPT_BIND_UNIFORM_TEXEL_BUFFER || as == SCRIPT_BIND_PUSH_CONSTANT;
}

static void mark_written(struct weft_job *j, const struct script_pipeline *p, struct sharing *s)
{
    for (uint32_t i = 0; i < p->nbindings; i++)
        for (uint32_t k = 0; p->bindings[i].buffers && !read_only(p->bindings[i].as) && k < p->bindings[i].count; k++) {
            const struct job_memory *m = job_memory_of(j, p->bindings[i].buffers[k]);
            s->written[m - j->memories] = true;
        }
}

static bool keep_before(struct weft_job *j, struct sharing *s)
{
    for (uint32_t i = 0; i < j->script->nbuffers; i++) {
        const struct job_memory *m = &j->memories[i];
        if (!s->written[i] || !m->size)
            continue;
        s->before[i] = malloc(m->size);
        if (!s->before[i])
            return false;
        memcpy(s->before[i], m->data, m->size);
    }
    return true;
}

static void go_back(struct weft_job *j, const struct sharing *s)
{
    for (uint32_t i = 0; i < j->script->nbuffers; i++)
        if (s->before[i])
            memcpy(j->memories[i].data, s->before[i], j->memories[i].size);
}

static void release(struct weft_job *j, struct sharing *s)
{
    for (uint32_t i = 0; s->before && i < j->script->nbuffers; i++)
        free(s->before[i]);
    free(s->before);
    free(s->written);
    *s = (struct sharing){0};
}

/* False: there is no memory, and this process cannot do its part. */
static bool begin(struct weft_job *j, const struct script_pipeline *p, struct sharing *s)
{
    size_t count = j->script->nbuffers + 1u;
    *s = (struct sharing){.part = {j->params.share->index, j->params.share->count},
                          .before = calloc(count, sizeof *s->before),
                          .written = calloc(count, sizeof *s->written)};
    if (!s->before || !s->written)
        return false;
    mark_written(j, p, s);
    return keep_before(j, s);
}

/* ---- what changed ---- */

static void append(struct text *t, const void *bytes, size_t size)
{
    if (t->failed)
        return;
    if (size > t->cap - t->size) {
        size_t cap = t->cap * 2 > t->size + size ? t->cap * 2 : t->size + size;
        uint8_t *larger = realloc(t->data, cap);
        if (!larger) {
            t->failed = true;
            return;
        }
        t->data = larger;
        t->cap = cap;
    }
    memcpy(t->data + t->size, bytes, size);
    t->size += size;
}

static uint64_t changed(const uint8_t *was, const uint8_t *is, size_t size)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < size; i++)
        mask |= (uint64_t)(was[i] != is[i]) << i;
    return mask;
}

static void add_line(struct text *t, uint64_t place, uint64_t mask, const uint8_t *is)
{
    struct line l = {place, mask};
    uint8_t bytes[LINE];
    size_t count = 0;
    append(t, &l, sizeof l);
    if (mask == ALL) { /* as most are */
        append(t, is, LINE);
        return;
    }
    for (uint64_t m = mask; m; m &= m - 1)
        bytes[count++] = is[__builtin_ctzll(m)];
    append(t, bytes, count);
}

static void add_changes(struct text *t, uint32_t memory, const uint8_t *was, const uint8_t *is, size_t size)
{
    for (size_t at = 0; at < size && !t->failed; at += LINE) {
        size_t bytes = size - at < LINE ? size - at : LINE;
        if (memcmp(was + at, is + at, bytes) != 0)
            add_line(t, at / LINE * MEMORIES + memory, changed(was + at, is + at, bytes), is + at);
    }
}

/* ---- what the others say ---- */

struct taking {
    struct text *all; /* by process; NULL: there is no memory */
    bool failed;      /* the others may have what this one has not */
};

static void take(void *to, uint32_t process, const void *bytes, size_t size)
{
    struct taking *t = to;
    if (!t->all)
        return;
    append(&t->all[process], bytes, size);
    t->failed |= t->all[process].failed;
}

/* A line of changes, and where it goes. False: these bytes are not what a process of this job says. */
static bool put_line(struct weft_job *j, const struct sharing *s, const struct text *t, size_t *at)
{
    struct line l;
    if (t->size - *at < sizeof l)
        return false;
    memcpy(&l, t->data + *at, sizeof l);
    *at += sizeof l;
    uint64_t memory = l.place % MEMORIES, line = l.place / MEMORIES * LINE;
    if (memory >= j->script->nbuffers || !s->before[memory] || t->size - *at < (size_t)__builtin_popcountll(l.mask))
        return false;
    const struct job_memory *m = &j->memories[memory];
    if (line >= m->size || (m->size - line < LINE && l.mask >> (m->size - line)))
        return false;
    if (l.mask == ALL) {
        memcpy(m->data + line, t->data + *at, LINE);
        *at += LINE;
        return true;
    }
    for (; l.mask; l.mask &= l.mask - 1)
        m->data[line + (unsigned)__builtin_ctzll(l.mask)] = t->data[(*at)++];
    return true;
}

static bool put_changes(struct weft_job *j, const struct sharing *s, const struct text *t)
{
    for (size_t at = sizeof(struct heading); at < t->size;)
        if (!put_line(j, s, t, &at))
            return false;
    return true;
}

static bool all_fine(const struct sharing *s, const struct text *all, uint64_t sums[JOB_SHARE_COUNTS])
{
    for (uint32_t i = 0; i < s->part.count; i++) {
        struct heading h;
        if (all[i].size < sizeof h)
            return false;
        memcpy(&h, all[i].data, sizeof h);
        if (!h.fine)
            return false;
        for (unsigned k = 0; k < JOB_SHARE_COUNTS; k++)
            sums[k] += h.counts[k];
    }
    return true;
}

/* What this process says: its part, or that the whole is to be done. */
static void say(struct weft_job *j, const struct sharing *s, bool fine, const uint64_t *counts, struct text *t)
{
    struct heading h = {.fine = fine};
    memcpy(h.counts, counts, sizeof h.counts);
    append(t, &h, sizeof h);
    for (uint32_t i = 0; fine && i < j->script->nbuffers; i++)
        if (s->before[i])
            add_changes(t, i, s->before[i], j->memories[i].data, j->memories[i].size);
}

/* Tell the others, and put together what all say. */
static bool join(struct weft_job *j, struct sharing *s, const struct text *own, struct taking *t)
{
    weft_job_share *share = j->params.share;
    static const struct heading unable = {0};
    const void *bytes = own->failed || !t->all ? (const void *)&unable : own->data;
    size_t size = own->failed || !t->all ? sizeof unable : own->size;
    if (t->all)
        append(&t->all[share->index], bytes, size);
    if (!share->exchange(share->context, bytes, size, take, t)) {
        j->params.share = NULL; /* somebody has left */
        return false;
    }
    if (!t->all || t->failed || !all_fine(s, t->all, s->sums))
        return false;
    for (uint32_t i = 0; i < share->count; i++)
        if (!put_changes(j, s, &t->all[i]))
            t->failed = true;
    return !t->failed;
}

static enum job_shared end(struct weft_job *j, struct sharing *s, bool fine, uint64_t counts[JOB_SHARE_COUNTS])
{
    uint32_t count = j->params.share->count;
    struct taking t = {.all = calloc(count, sizeof *t.all)};
    struct text own = {0};
    say(j, s, fine, counts, &own);
    bool shared = join(j, s, &own, &t);
    if (shared)
        memcpy(counts, s->sums, sizeof s->sums);
    else if (s->before)
        go_back(j, s);
    for (uint32_t i = 0; t.all && i < count; i++)
        free(t.all[i].data);
    free(t.all);
    free(own.data);
    release(j, s);
    return shared ? JOB_SHARED : t.failed ? JOB_SHARE_LOST : JOB_SHARE_NOT;
}

enum job_shared job_share(struct weft_job *j, const struct job_work *work, uint64_t counts[JOB_SHARE_COUNTS])
{
    enum { LEAST = 4096 }; /* invocations: fewer are done before they are told of */
    weft_job_share *share = j->params.share;
    enum job_shared shared = JOB_SHARE_NOT;
    if (!share)
        return shared;
    if (share->count > 1 && work->pieces >= share->count && work->invocations >= LEAST) {
        struct sharing s;
        weft_diags *said = weft_diags_new();
        bool fine = begin(j, work->pipeline, &s) && said &&
                    work->part(j, work->context, s.part, counts, said) == WEFT_OK && !weft_diags_count(said);
        weft_diags_free(said);
        shared = end(j, &s, fine, counts);
    }
    share->divided += shared == JOB_SHARED;
    share->whole += shared != JOB_SHARED;
    return shared;
}
