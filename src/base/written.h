/* written.h - MemorySanitizer does not see what libraries write that were compiled without it: it is told here. */
#ifndef WEFT_BASE_WRITTEN_H
#define WEFT_BASE_WRITTEN_H

#include <stddef.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define WEFT_MEMORY_SANITIZER
#include <sanitizer/msan_interface.h>
#endif
#endif

/* A library has written these bytes. */
static inline void written_by_library(const void *bytes, size_t size)
{
#ifdef WEFT_MEMORY_SANITIZER
    __msan_unpoison(bytes, size);
#else
    (void)bytes;
    (void)size;
#endif
}

#endif
