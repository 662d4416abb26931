/* turn.h - tests that take a sample take another one in each run. */
#ifndef WEFT_TESTS_TURN_H
#define WEFT_TESTS_TURN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Which part of a sample a run takes: another one each second, and it is printed. All of a process take the same. */
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

/* Is the next case this run's? *next counts the cases, from 0. */
static inline int test_of_share(unsigned *next)
{
    static unsigned share, turn;
    if (share == 0) {
        share = test_share();
        turn = share > 1 ? test_turn() : 0;
    }
    return ((*next)++ + turn) % share == 0;
}

#endif
