/* pages.h - memory of many megabytes. */
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* The system hands memory out page by page, which takes longer than to fill it: ask for large pages, for blocks of malloc
 * that are worth it. The whole mapping is asked for, with the words that malloc keeps around the block: a mapping that is
 * of two kinds could not be moved when the block grows, but would be copied. */
static inline void ask_for_large_pages(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { WORTH = 4 << 20, PAGE = 4096, AROUND = 2 * sizeof(size_t) };
    uintptr_t from = ((uintptr_t)p - AROUND) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)p + size + AROUND + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    if (size >= WORTH)
        madvise((void *)from, end - from, MADV_HUGEPAGE); /* only a wish: whatever it says will do */
#else
    (void)p, (void)size;
#endif
}

#ifdef __linux__
/* Pages from the system, zeroed: `size` bytes, whose first `had` are those of `old` (NULL: new ones), which may move.
 * NULL without memory; the old ones stay valid then. */
static inline void *pages_grow(void *old, size_t had, size_t size)
{
    void *p = old ? mremap(old, had, size, MREMAP_MAYMOVE)
                  : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
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

static inline void pages_free(void *p, size_t size)
{
    (void)p, (void)size;
}
#endif

#endif
