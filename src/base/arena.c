/* arena.c - memory that is freed as a whole. */
#include "base/arena.h"

#include "base/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

/* Under the address sanitizer every array is malloc's and ends where its block ends, so that it sees each overrun. With
 * ARENA_ONE_EACH, too, so that each can be the one that there is no memory for (tests/faults). */
#if defined ARENA_ASAN || defined ARENA_ONE_EACH
enum { ONE_EACH = 1 };
#else
enum { ONE_EACH = 0 };
#endif
#ifdef ARENA_ASAN
enum { HAS_PAGES = 0 };
#else
enum { HAS_PAGES = PAGES_THERE };
#endif

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    bool mapped; /* pages from the system, not a block of malloc */
};

struct arena_block {
    struct arena_block *older;
    void *memory;
    size_t size;
};

/* Pages of their own for an array that grows; the list itself is in the chunks. */
struct arena_mapping {
    struct arena_mapping *older;
    void *memory;
    size_t size;
};

enum { ARENA_FIRST_CHUNK = 4096, ARENA_LARGEST_STEP = 1 << 20, ARENA_MAPPED = 1 << 20 };
enum { ARENA_ALIGN = 16, ARENA_HEAD = (sizeof(struct arena_chunk) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN };
enum { ARENA_STEP = 1 << 16 }; /* arrays shrink to multiples of it, which are whole pages */

void arena_free(struct arena *a)
{
    for (struct arena_block *b = a->blocks; b; b = b->older) /* the list itself is in the chunks */
        free(b->memory);
    for (struct arena_mapping *m = a->mappings; m; m = m->older)
        pages_free(m->memory, m->size);
    struct arena_chunk *c = a->chunks;
    while (c) {
        struct arena_chunk *older = c->older;
        if (c->mapped)
            pages_free(c, c->size);
        else
            free(c);
        c = older;
    }
    size_t limit = a->limit;
    memset(a, 0, sizeof *a);
    a->limit = limit;
}

bool arena_failed(const struct arena *a)
{
    return a->failed;
}

/* May `size` more bytes be taken from the system? */
static bool arena_allows(const struct arena *a, size_t size)
{
    return !a->limit || (size <= a->limit && a->total <= a->limit - size);
}

/* A chunk of at least *size bytes, zeroed. A large one is whole large pages: malloc's would begin in the middle of one,
 * and the system would hand out its edges page by page. */
static struct arena_chunk *new_chunk(size_t *size)
{
    bool mapped = HAS_PAGES && *size >= PAGES_WORTH && *size <= SIZE_MAX - PAGES_LARGE;
    if (mapped)
        *size = (*size + PAGES_LARGE - 1) & ~(size_t)(PAGES_LARGE - 1);
    struct arena_chunk *c = mapped ? pages_grow(NULL, 0, *size) : calloc(1, *size);
    if (c)
        c->mapped = mapped;
    return c;
}

static bool arena_more(struct arena *a, size_t need)
{
    size_t step = a->total < ARENA_FIRST_CHUNK ? ARENA_FIRST_CHUNK : a->total;
    if (step > ARENA_LARGEST_STEP)
        step = ARENA_LARGEST_STEP;
    if (step < need || ONE_EACH)
        step = need;
    size_t size = step + ARENA_HEAD;
    if (size < step || !arena_allows(a, size))
        return false;
    struct arena_chunk *c = new_chunk(&size);
    if (!c) {
        a->refused = true;
        return false;
    }
    c->older = a->chunks;
    c->size = size;
    a->chunks = c;
    a->total += size;
    a->next = (char *)c + ARENA_HEAD;
    a->end = (char *)c + size;
    return true;
}

void *arena_alloc_aligned(struct arena *a, size_t size, size_t align)
{
    if (a->failed)
        return NULL;
    if (size == 0)
        size = 1;
    size_t pad = (size_t)(-(uintptr_t)a->next) & (align - 1);
    if (!a->next || (size_t)(a->end - a->next) < pad || (size_t)(a->end - a->next) - pad < size) {
        size_t moved = ONE_EACH && align <= ARENA_ALIGN ? 0 : align; /* malloc aligns so far by itself */
        if (size > SIZE_MAX / 2 || !arena_more(a, size + moved)) {
            a->failed = true;
            return NULL;
        }
        pad = (size_t)(-(uintptr_t)a->next) & (align - 1);
    }
    void *p = a->next + pad;
    a->next += pad + size;
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    return arena_alloc_aligned(a, size, ARENA_ALIGN);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        a->failed = true;
        return NULL;
    }
    return arena_alloc(a, count * size);
}

/* The array `old` of `used` bytes in at least `size` bytes of pages of its own. */
static void *grow_mapping(struct arena *a, void *old, size_t used, size_t size)
{
    struct arena_mapping *m = a->mappings;
    while (m && m->memory != old)
        m = m->older;
    bool is_new = !m;
    if (is_new)
        m = ARENA_NEW(a, struct arena_mapping);
    bool allowed = m && arena_allows(a, size - m->size);
    void *memory = allowed ? pages_grow(m->memory, m->size, size) : NULL;
    if (!memory) {
        a->refused |= allowed;
        a->failed = true;
        return NULL;
    }
    if (is_new) {
        if (used)
            memcpy(memory, old, used);
        m->older = a->mappings;
        a->mappings = m;
    }
    a->total += size - m->size;
    m->memory = memory;
    m->size = size;
    return memory;
}

/* Take count * size more bytes from `end` on, where nothing was taken after it and its chunk has them. */
static bool grow_in_place(struct arena *a, const char *end, size_t count, size_t size)
{
    if (end != a->next || (size && count > (size_t)(a->end - a->next) / size))
        return false;
    a->next += count * size;
    return true;
}

void *arena_grow(struct arena *a, void *old, size_t elem_size, size_t count, size_t *cap, size_t need)
{
    if (need <= *cap)
        return old;
    size_t want = *cap ? *cap : 8;
    while (want < need) {
        if (want > SIZE_MAX / 2) {
            a->failed = true;
            return NULL;
        }
        want *= 2;
    }
    if (old && !a->failed && grow_in_place(a, (char *)old + *cap * elem_size, want - *cap, elem_size)) {
        *cap = want;
        return old;
    }
    bool mapped = HAS_PAGES && elem_size && want >= ARENA_MAPPED / elem_size && want <= SIZE_MAX / 2 / elem_size;
    void *p = mapped && !a->failed ? grow_mapping(a, old, count * elem_size, want * elem_size)
                                   : arena_array(a, want, elem_size);
    if (!p)
        return NULL;
    if (count && !mapped)
        memcpy(p, old, count * elem_size);
    *cap = want;
    return p;
}

void arena_shrink(struct arena *a, void *array, size_t elem_size, size_t count, size_t *cap)
{
    if (!array || count >= *cap)
        return;
    char *rest = (char *)array + count * elem_size, *end = (char *)array + *cap * elem_size;
    if (end == a->next) {
        memset(rest, 0, (size_t)(end - rest));
        a->next = rest;
        *cap = count;
        return;
    }
    size_t size = (count * elem_size + ARENA_STEP - 1) / ARENA_STEP * ARENA_STEP;
    struct arena_mapping *m = (size_t)(end - rest) < ARENA_STEP ? NULL : a->mappings;
    while (m && m->memory != array)
        m = m->older;
    if (!m || !size || size >= m->size || !pages_shrink(m->memory, m->size, size))
        return;
    memset(rest, 0, (size_t)((char *)array + size - rest));
    a->total -= m->size - size;
    m->size = size;
    *cap = size / elem_size;
}

bool arena_absorb(void *array, void *next, size_t elem_size, size_t *cap, size_t next_cap)
{
    uintptr_t from = (uintptr_t)array, end = from + *cap * elem_size, at = (uintptr_t)next;
    if (!*cap || !next_cap || at < end || at - end >= ARENA_ALIGN)
        return false;
    *cap = (at + next_cap * elem_size - from) / elem_size;
    return true;
}

static struct arena_block *find_block(struct arena *a, const void *memory)
{
    struct arena_block *b = a->blocks;
    while (b->memory != memory)
        b = b->older;
    return b;
}

void *arena_block(struct arena *a, void *old, size_t size)
{
    struct arena_block *b = old ? find_block(a, old) : ARENA_NEW(a, struct arena_block);
    if (!b || a->failed)
        return NULL;
    size_t more = size > b->size ? size - b->size : 0;
    bool allowed = arena_allows(a, more);
    void *memory = allowed ? realloc(old, size ? size : 1) : NULL;
    if (!memory) {
        a->refused |= allowed;
        a->failed = true;
        return NULL;
    }
    ask_for_large_pages(memory, size);
    if (!old) {
        b->older = a->blocks;
        a->blocks = b;
    }
    a->total += size - b->size;
    b->memory = memory;
    b->size = size;
    return memory;
}

void *arena_release(struct arena *a, void *block)
{
    struct arena_block *b = find_block(a, block);
    b->memory = NULL;
    a->total -= b->size;
    b->size = 0;
    return block;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc_aligned(a, n + 1, 1);
    if (p) {
        memcpy(p, s, n);
        p[n] = 0;
    }
    return p;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *p = n < 0 ? NULL : arena_alloc_aligned(a, (size_t)n + 1, 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return p;
}
