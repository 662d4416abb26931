/* level.c - which handlers this machine can run. */
#include "exec/frame.h"

bool exec_level_usable(enum exec_level level)
{
    switch (level) {
    case EXEC_BASELINE:
        return true;
#ifdef WEFT_LEVEL_AVX2
    case EXEC_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
#ifdef WEFT_LEVEL_AVX512
    case EXEC_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma");
#endif
    default:
        return false;
    }
}

enum exec_level exec_best_level(void)
{
    return exec_level_usable(EXEC_AVX512) ? EXEC_AVX512 : exec_level_usable(EXEC_AVX2) ? EXEC_AVX2 : EXEC_BASELINE;
}

const struct handler_table *exec_handlers(enum exec_level level)
{
    switch (level) {
#ifdef WEFT_LEVEL_AVX2
    case EXEC_AVX2:
        return &exec_handlers_avx2;
#endif
#ifdef WEFT_LEVEL_AVX512
    case EXEC_AVX512:
        return &exec_handlers_avx512;
#endif
    default:
        return &exec_handlers_baseline;
    }
}
