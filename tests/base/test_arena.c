#include "test.h"

#include "base/arena.h"

static void alignment_and_zero(void **state)
{
    (void)state;
    struct arena a = {0};
    for (size_t n = 1; n < 3000; n += 37) {
        unsigned char *p = arena_alloc_aligned(&a, n, 64);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    arena_free(&a);
    assert_null(a.chunks);
}

static void limit_fails_for_good(void **state)
{
    (void)state;
    struct arena a = {.limit = 10000};
    assert_non_null(arena_alloc(&a, 100));
    assert_null(arena_alloc(&a, 20000));
    assert_true(arena_failed(&a));
    assert_null(arena_alloc(&a, 1));
    arena_free(&a);
    assert_non_null(arena_alloc(&a, 1));
    arena_free(&a);
}

static void overflow_is_refused(void **state)
{
    (void)state;
    struct arena a = {0};
    assert_null(arena_array(&a, SIZE_MAX / 2, 4));
    arena_free(&a);
    assert_null(arena_alloc(&a, SIZE_MAX - 8));
    arena_free(&a);
}

static void grow_keeps_elements(void **state)
{
    (void)state;
    struct arena a = {0};
    int *list = NULL;
    size_t cap = 0;
    for (int i = 0; i < 1000; i++) {
        list = arena_grow(&a, list, sizeof *list, (size_t)i, &cap, (size_t)i + 1);
        assert_non_null(list);
        list[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_free(&a);
}

/* What was taken last grows where it is as long as there is room after it. */
static void the_last_grows_in_place(void **state)
{
    (void)state;
    struct arena a = {0};
    char *first = arena_alloc(&a, 1024), *second = arena_alloc(&a, 1024); /* of the first chunk, which has 4096 bytes */
    size_t cap = 0;
    if (second != first + 1024) { /* each has a chunk of its own, for AddressSanitizer */
        arena_free(&a);
        return;
    }
    unsigned char *list = arena_grow(&a, NULL, 1, 0, &cap, 16);
    assert_int_equal(cap, 16);
    assert_ptr_equal(arena_grow(&a, list, 1, 16, &cap, 17), list);
    assert_ptr_equal(arena_grow(&a, list, 1, 17, &cap, 1000), list);
    assert_int_equal(cap, 1024);
    assert_ptr_equal(arena_alloc(&a, 16), list + 1024);
    assert_ptr_not_equal(arena_grow(&a, list, 1, 17, &cap, 1025), list);
    arena_free(&a);
}

/* An array grows where it is while nothing was taken after it, and only then: what is next to it stays as it is. */
static void neighbours_stay(void **state)
{
    (void)state;
    struct arena a = {0};
    unsigned char *list = NULL, *other = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < 5000; i++) {
        list = arena_grow(&a, list, 1, i, &cap, i + 1);
        assert_non_null(list);
        assert_int_equal(list[i], 0);
        memset(list, 1, cap);
        memset(list + i + 1, 0, cap - i - 1);
        if (i == 20 || i == 200) {
            other = arena_alloc(&a, 64);
            for (unsigned k = 0; k < 64; k++)
                assert_int_equal(other[k], 0);
            memset(other, 3, 64);
        }
    }
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(list[i], 1);
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(other[k], 3);
    arena_free(&a);
}

/* What an array gives back is the arena's again, and zero when the array or another takes it. */
static void shrinking(size_t full, size_t left)
{
    struct arena a = {0};
    size_t cap = 0;
    unsigned char *list = arena_grow(&a, NULL, 1, 0, &cap, full);
    memset(list, 1, cap);
    size_t before = a.total;
    char *next = a.next;
    arena_shrink(&a, list, 1, left, &cap);
    assert_true(cap >= left);
    assert_true(a.total < before || a.next < next);
    unsigned char *other = arena_alloc(&a, 64);
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(other[k], 0);
    memset(other, 3, 64);
    list = arena_grow(&a, list, 1, left, &cap, full);
    for (size_t i = 0; i < full; i++)
        assert_int_equal(list[i], i < left);
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(other[k], 3);
    arena_free(&a);
}

static void arrays_shrink(void **state)
{
    (void)state;
    shrinking(1000, 10);
    shrinking(1000, 0);
    shrinking(8 << 20, (1 << 20) + 77);
    shrinking(8 << 20, 1);
    struct arena a = {0}; /* neither the last nor with pages of its own: it stays */
    size_t cap = 0;
    int *list = arena_grow(&a, NULL, sizeof *list, 0, &cap, 100);
    size_t old = cap;
    arena_alloc(&a, 16);
    arena_shrink(&a, list, sizeof *list, 10, &cap);
    assert_int_equal(cap, old);
    size_t none = 0;
    arena_shrink(&a, NULL, sizeof *list, 0, &none); /* nothing there: a build with sanitizers sees arithmetic on it */
    assert_int_equal(none, 0);
    arena_free(&a);
}

/* An array takes the place of the next one, and of no other. What was in there can be moved up. */
static void neighbours_join(void **state)
{
    (void)state;
    struct arena a = {0};
    char *first = arena_alloc(&a, 24), *second = arena_alloc(&a, 24), *third = arena_alloc(&a, 24);
    size_t cap = 3;
    memset(first, 1, 24);
    memset(second, 2, 24);
    memset(third, 3, 24);
    assert_false(arena_absorb(first, third, 8, &cap, 3));
    assert_false(arena_absorb(second, first, 8, &cap, 3));
    assert_int_equal(cap, 3);
    if (second == first + 32) { /* not where each has a chunk of its own */
        assert_true(arena_absorb(first, second, 8, &cap, 3));
        assert_int_equal(cap, 7);
        memmove(first + 24, second, 24);
        for (unsigned i = 0; i < 48; i++)
            assert_int_equal(first[i], i < 24 ? 1 : 2);
        memset(first + 48, 1, 8);
    }
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(third[i], 3);
    arena_free(&a);
}

/* A block keeps what is in it while it grows, counts against the limit, and outlives the arena that gave it away. */
static void blocks_grow_and_go(void **state)
{
    (void)state;
    struct arena a = {.limit = 3 << 20};
    char *kept = arena_block(&a, NULL, 10), *given = arena_block(&a, NULL, 6);
    memcpy(kept, "kept", 5);
    memcpy(given, "given", 6);
    kept = arena_block(&a, kept, 1 << 20);
    given = arena_block(&a, given, 1 << 20);
    assert_string_equal(kept, "kept");
    assert_true(a.total >= 2 << 20);
    assert_ptr_equal(arena_release(&a, given), given);
    assert_true(a.total < 2 << 20);
    assert_null(arena_block(&a, kept, 4 << 20));
    assert_true(arena_failed(&a));
    assert_string_equal(kept, "kept");
    arena_free(&a);
    assert_string_equal(given, "given");
    free(given);
}

/* Can a test ask for a size that the system refuses? Sanitizers end a program that does. With words of 32 bits there is
 * memory for all that an arena asks for. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || SIZE_MAX == UINT32_MAX
#define HAS_HUGE_SIZES false
#elif defined(__has_feature)
#define HAS_HUGE_SIZES                                                                                                 \
    (!__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define HAS_HUGE_SIZES true
#endif

/* Who gave no memory is known: the limit, or the system, which has none of so many bytes in pages or elsewhere. */
static void who_refuses_is_known(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        if (!(k & 1) && !HAS_HUGE_SIZES)
            continue;
        struct arena a = {.limit = k & 1 ? 1 << 20 : 0};
        size_t cap = 0;
        const size_t huge = SIZE_MAX / 16;
        void *memory = k & 2 ? arena_block(&a, NULL, huge) : arena_grow(&a, NULL, huge >> 20, 0, &cap, 1 << 20);
        assert_null(memory);
        assert_true(arena_failed(&a));
        assert_int_equal(a.refused, !(k & 1));
        arena_free(&a);
    }
}

/* What has all that is allowed can be made smaller, and as large again. */
static void blocks_shrink_at_the_limit(void **state)
{
    (void)state;
    struct arena a = {0};
    char *block = arena_block(&a, NULL, 1 << 16);
    a.limit = a.total;
    for (size_t size = 1 << 16; block && size; size /= 2)
        block = arena_block(&a, block, size);
    assert_non_null(block);
    block = arena_block(&a, block, 1 << 16);
    assert_non_null(block);
    assert_int_equal(a.total, a.limit);
    assert_null(arena_block(&a, block, (1 << 16) + 1));
    arena_free(&a);
}

TEST_MAIN(TEST(alignment_and_zero), TEST(limit_fails_for_good), TEST(overflow_is_refused),
          TEST(grow_keeps_elements), TEST(the_last_grows_in_place), TEST(neighbours_stay), TEST(arrays_shrink),
          TEST(neighbours_join), TEST(blocks_grow_and_go), TEST(who_refuses_is_known), TEST(blocks_shrink_at_the_limit))
