/* noting_module.h - a JIT that compiles nothing and notes what it is asked for: test_native.c has it in place of
 * weft-jit.so. */
#ifndef WEFT_TESTS_EXEC_NOTING_MODULE_H
#define WEFT_TESTS_EXEC_NOTING_MODULE_H

#include "exec/native.h"

enum { MOST_NOTED = 4096 };

struct noted {
    unsigned count; /* atomic: the library's thread may be who asks */
    const struct jit_request *request[MOST_NOTED];
    bool fails, leaves_out; /* all of it; every second run */
    lop_fn *function;       /* that takes the place of runs; nothing calls it */
};

#define NOTED_SYMBOL "weft_noted"

#endif
