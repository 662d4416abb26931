/* engine.c - which engine runs programs: --engine, --stats and --version. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool cli_take_engine(const struct cli_args *a, weft_engine *engine)
{
    static const char *const names[] = {
        [WEFT_ENGINE_AUTO] = "auto", [WEFT_ENGINE_INTERP] = "interp", [WEFT_ENGINE_JIT] = "jit"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(a->value, names[i]) != 0)
            continue;
        *engine = (weft_engine)i;
        if (*engine != WEFT_ENGINE_JIT || weft_jit())
            return true;
        cli_wrong(a->command, "this weft has no JIT: weft-jit.so is not there, or was not built");
        return false;
    }
    cli_wrong(a->command, "--engine is auto, interp or jit, not '%s'", a->value);
    return false;
}

void cli_show_engine(FILE *to, const weft_engine_stats *s)
{
    fprintf(to, "programs %" PRIu32 "\nprograms-compiled %" PRIu32 "\n", s->programs, s->native);
    if (s->native)
        fprintf(to, "operations %" PRIu64 "\noperations-compiled %" PRIu64 "\ncompile-seconds %.6f\n",
                s->operations, s->compiled, s->seconds);
    if (s->refused)
        fprintf(to, "not-compiled %s\n", s->refused);
}

void cli_show_engines(void)
{
    const char *jit = weft_jit();
    const char *compilers = weft_shader_compilers();
    printf("engines: interp%s%s%s\n", jit ? ", jit (" : "", jit ? jit : "", jit ? ")" : "");
    printf("shader compilers: %s\n", compilers ? compilers : "none");
}
