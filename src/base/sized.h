/* sized.h - options of callers that were compiled with an older or a newer header (weft/api.h says the rule). */
#ifndef WEFT_BASE_SIZED_H
#define WEFT_BASE_SIZED_H

#include <stdalign.h>
#include <stddef.h>
#include <weft/diag.h>
#include <weft/status.h>

/* Bytes of a struct up to the member that was its last when the struct got its `size`: what size 0 means. */
#define SIZED_FIRST(type, last)                                                                                        \
    ((offsetof(type, last) + sizeof(((type *)0)->last) + alignof(type) - 1) / alignof(type) * alignof(type))

/* Copy a caller's struct, whose first member is its `size`, into one of `to_size` bytes: what the caller does not know
 * is zero. WEFT_ERROR_USAGE: a size that no version had, or a member that this one does not know and that is not zero.
 * `name` is the type's, for the message. */
weft_status sized_copy(void *to, size_t to_size, size_t first, const void *from, const char *name, weft_diags *diags);

/* Fill a caller's struct of `size` bytes with defaults: what the library does not know is zero, and its size is set. */
void sized_init(void *caller, size_t size, const void *defaults, size_t defaults_size);

/* The same way back, for structs that the library fills: as many bytes as the caller has room for. The caller's `size`
 * stays. */
weft_status sized_return(void *to, size_t first, const void *from, size_t from_size);

#endif
