/* limits.h - what a user allows weft to take: options that all commands have. */
#ifndef WEFT_CLI_LIMITS_H
#define WEFT_CLI_LIMITS_H

#include "cli/cli.h"

enum { LIMIT_MEMORY = 950, LIMIT_TIME, LIMIT_BUDGET, LIMIT_SANDBOX };

/* Ends with key 0, as a command's own. A command that has an option of one of these names keeps it. */
extern const struct cli_option limit_options[];
bool limits_applies(const struct cli_command *command, const struct cli_option *limit);

/* Take one of them. False, having said so, when its value is wrong. */
bool limits_take(const struct cli_args *a, int key);
/* All options are known: they count from now on. Returns an exit status, having said what is wrong. */
int limits_begin(const struct cli_args *a);

/* Bytes that the program may take, and seconds; 0: no limit. */
uint64_t limits_memory(void);
double limits_seconds(void);
/* The engine of programs: LLVM ends the process where there is no memory, so with a limit they are interpreted. */
weft_engine limits_engine(weft_engine asked);

#endif
