/* arena.h - memory that is freed all at once.
 *
 * An object that a caller holds owns one arena; everything the object points to lives there.
 * An allocation that fails (no memory, or past the arena's limit) returns NULL and makes
 * arena_failed() true for good, so that a long build-up may check once at its end.
 */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_chunk;
struct arena_block;
struct arena_mapping;

struct arena {
    struct arena_chunk *chunks;
    struct arena_block *blocks;
    struct arena_mapping *mappings;
    char *next, *end;
    size_t total; /* bytes taken from the system */
    size_t limit; /* most bytes to take; 0: no limit */
    bool failed;
    bool refused; /* it failed since the system gave no memory, not by its limit */
};

/* An all-zero struct arena is a valid, empty arena. */
void arena_free(struct arena *a);
bool arena_failed(const struct arena *a);

/* Zeroed memory aligned to 16 bytes (arena_alloc) or to `align`, a power of two up to 4096. */
void *arena_alloc(struct arena *a, size_t size);
void *arena_alloc_aligned(struct arena *a, size_t size, size_t align);
/* count * size with overflow checked. */
void *arena_array(struct arena *a, size_t count, size_t size);
#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_array((a), (n), sizeof(T)))

/* Grow an array of *cap elements to hold at least `need`: returns the (possibly moved) array, NULL on
 * failure (the old one stays valid). Doubles, so appending is linear. New elements are zero. An array of megabytes
 * moves by its pages where the system can, and what was allocated last grows where it is: nothing is copied, and no
 * older copy stays in the arena. */
void *arena_grow(struct arena *a, void *old, size_t elem_size, size_t count, size_t *cap, size_t need);

/* Give back what an array of *cap elements that grew has beyond `count`, as far as the arena can take it: pages of its
 * own, or what was allocated last. It stays where it is, and may grow again. */
void arena_shrink(struct arena *a, void *array, size_t elem_size, size_t count, size_t *cap);

/* Let an array of *cap elements take the place of `next`, one of next_cap such elements that is not needed any more, if
 * that comes directly after it. What was in there is still there, at next's address, until it is written. */
bool arena_absorb(void *array, void *next, size_t elem_size, size_t *cap, size_t next_cap);

/* A block of malloc's own, for what grows to many megabytes and then goes to a caller: it moves without a copy where
 * the system can move pages. old is NULL or a block of this arena, whose contents stay; what is new is not zeroed. NULL
 * on failure (the old one stays valid). */
void *arena_block(struct arena *a, void *old, size_t size);
/* Take a block out of its arena: the caller frees it. */
void *arena_release(struct arena *a, void *block);

char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

#endif
