/* turn.h - tests that take a sample take another one in each run. */
#ifndef WEFT_TESTS_TURN_H
#define WEFT_TESTS_TURN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Which part of a sample a run takes: another one each second, and it is printed. */
static inline unsigned test_turn(void)
{
    const char *env = getenv("WEFT_TEST_TURN");
    unsigned turn = env ? (unsigned)strtoul(env, NULL, 0) : (unsigned)time(NULL) % 10000;
    printf("# sample: turn %u (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)\n", turn);
    return turn;
}

#endif
