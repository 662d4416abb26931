/* test.h - cmocka with what it needs, and the seed that random tests print. */
#ifndef WEFT_TESTS_TEST_H
#define WEFT_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "turn.h"

/* A file of tests, of which each folder's program has several (main.c). */
struct test_file {
    const char *path;
    int (*run)(void); /* 0 if all cases pass */
    struct test_file *next;
};

/* Before main begins. The file is kept. */
void test_add(struct test_file *f);

/* What a file of tests ends with: its cases, as TAP on standard output. */
#define TEST_MAIN(...) TEST_MAIN_BETWEEN(NULL, NULL, __VA_ARGS__)

/* With what runs before the first case, and after the last. */
#define TEST_MAIN_BETWEEN(start, stop, ...)                                                                           \
    static int test_cases(void)                                                                                       \
    {                                                                                                                 \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                              \
        cmocka_set_message_output(CM_OUTPUT_TAP);                                                                     \
        return cmocka_run_group_tests(tests, start, stop);                                                            \
    }                                                                                                                 \
    __attribute__((constructor)) static void test_is_there(void)                                                      \
    {                                                                                                                 \
        static struct test_file file = {__FILE__, test_cases, NULL};                                                  \
        test_add(&file);                                                                                              \
    }
#define TEST(fn) cmocka_unit_test(fn)

/* Random numbers with a seed that is printed, and taken from WEFT_TEST_SEED when set. */
struct test_rng {
    uint64_t state;
};

static inline struct test_rng test_seed(const char *what)
{
    const char *env = getenv("WEFT_TEST_SEED");
    uint64_t seed = env ? strtoull(env, NULL, 0) : 0x5eed0001u;
    printf("# %s: seed %#llx (set WEFT_TEST_SEED to change it)\n", what, (unsigned long long)seed);
    return (struct test_rng){seed};
}

/* Is the next case one that this run leaves out? Where the JIT is what programs run on (WEFT_ENGINE) it tries one of
 * `share`, and of those one of test_share(): it takes a hundred times as long to compile as the interpreter. Each run
 * has others, and WEFT_TEST_ALL tries all; the interpreter runs all where the same test has that one. *next counts the
 * cases, from 0. */
static inline int test_left_out(unsigned *next, unsigned share)
{
    static unsigned of, turn;
    const char *engine = getenv("WEFT_ENGINE");
    if (!engine || strcmp(engine, "jit") != 0 || getenv("WEFT_TEST_ALL"))
        return 0;
    if (of == 0) {
        of = test_share();
        turn = test_turn();
    }
    return ((*next)++ + turn) % (share * of) != 0;
}

/* The number of a sequence, with one more number in it. */
static inline uint64_t test_mixed(uint64_t digest, uint64_t n)
{
    digest = (digest ^ n) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

static inline uint64_t test_next64(struct test_rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint32_t test_next(struct test_rng *r)
{
    return (uint32_t)(test_next64(r) >> 32);
}

#endif
