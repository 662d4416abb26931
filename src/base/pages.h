/* pages.h - memory of many megabytes. */
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { PAGES_WORTH = 4 << 20, PAGES_LARGE = 2 << 20 }; /* from how many bytes on large pages pay, and the size of one */

/* The system hands memory out page by page, which takes longer than to fill it: ask for large pages, for mappings that
 * are worth it. This is advisory: failure is harmless. `p` is at the beginning of a page. */
static inline void want_large_pages(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size >= PAGES_WORTH)
        madvise(p, size, MADV_HUGEPAGE);
#else
    (void)p, (void)size;
#endif
}

/* The same for a block of malloc. The whole mapping is asked for, with the words that malloc keeps around the block: a
 * mapping that is of two kinds could not be moved when the block grows, but would be copied. */
static inline void ask_for_large_pages(void *p, size_t size)
{
    enum { PAGE = 4096, AROUND = 2 * sizeof(size_t) };
    uintptr_t from = ((uintptr_t)p - AROUND) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)p + size + AROUND + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    want_large_pages((void *)from, end - from);
}

/* Whether pages_grow gives any. */
#ifdef __linux__
enum { PAGES_THERE = 1 };
#else
enum { PAGES_THERE = 0 };
#endif

#ifdef __linux__
/* Pages from the system, zeroed: `size` bytes, whose first `had` are those of `old` (NULL: new ones), which may move.
 * NULL without memory; the old ones stay valid then. */
static inline void *pages_grow(void *old, size_t had, size_t size)
{
    void *p = old ? mremap(old, had, size, MREMAP_MAYMOVE)
                  : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    want_large_pages(p, size);
    return p;
}

/* Gives back what lies after the first `size` bytes, a multiple of a page. The others stay where they are, which mremap
 * does not promise: QEMU's moves them. False: all stay. */
static inline bool pages_shrink(void *p, size_t had, size_t size)
{
    return munmap((char *)p + size, had - size) == 0;
}

static inline void pages_free(void *p, size_t size)
{
    munmap(p, size);
}
#else
static inline void *pages_grow(void *old, size_t had, size_t size)
{
    (void)old, (void)had, (void)size;
    return NULL;
}

static inline bool pages_shrink(void *p, size_t had, size_t size)
{
    (void)p, (void)had, (void)size;
    return false;
}

static inline void pages_free(void *p, size_t size)
{
    (void)p, (void)size;
}
#endif

/* Zeroed memory, much of which may never be touched; NULL without memory. From 16 MB on it is pages of the system: what
 * is not touched costs nothing then, whatever malloc is told to look for. Less is malloc's: a sanitizer sees what goes
 * beyond its end. zeroed_free takes the same size. */
enum { ZEROED_PAGES = 16 << 20 };

static inline void *zeroed_new(size_t size)
{
    return PAGES_THERE && size >= ZEROED_PAGES ? pages_grow(NULL, 0, size) : calloc(1, size);
}

static inline void zeroed_free(void *p, size_t size)
{
    if (p && PAGES_THERE && size >= ZEROED_PAGES)
        pages_free(p, size);
    else
        free(p);
}

#endif
