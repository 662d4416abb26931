/* turn.h - tests that take a sample take another one in each run. */
#ifndef WEFT_TESTS_TURN_H
#define WEFT_TESTS_TURN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Which part of a sample a run takes: another one each second, and it is printed. A process has one turn. */
static inline unsigned test_turn(void)
{
    const char *env = getenv("WEFT_TEST_TURN");
    unsigned turn = env ? (unsigned)strtoul(env, NULL, 0) : (unsigned)time(NULL) % 10000;
    char text[16];
    snprintf(text, sizeof text, "%u", turn);
    setenv("WEFT_TEST_TURN", text, 1);
    printf("# sample: turn %u (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)\n", turn);
    return turn;
}

/* Of N cases a run tries one, with WEFT_TEST_SHARE=N, which `make check` and stages of .ci/run set. WEFT_TEST_ALL tries
 * all. */
static inline unsigned test_share(void)
{
    const char *env = getenv("WEFT_TEST_ALL") ? NULL : getenv("WEFT_TEST_SHARE");
    unsigned share = env ? (unsigned)strtoul(env, NULL, 0) : 1;
    return share + (share == 0);
}

/* The same of what takes only seconds: a run whose share is a half tries all of it. */
static inline unsigned test_quick_share(void)
{
    unsigned share = test_share();
    return share > 2 ? share : 1;
}

/* The same of what takes minutes: a run with a share tries one in three at most. */
static inline unsigned test_slow_share(void)
{
    unsigned share = test_share();
    return share == 2 ? 3 : share;
}

/* Is the next case this run's, which tries one in `share`? *next counts the cases, from 0. */
static inline int test_takes(unsigned share, unsigned *next)
{
    static unsigned turn, known;
    if (share > 1 && !known++)
        turn = test_turn();
    return ((*next)++ + (share > 1 ? turn : 0)) % share == 0;
}

static inline int test_of_share(unsigned *next)
{
    return test_takes(test_share(), next);
}

#endif
