/* levels.h - the kernels that this machine can run, for tests that go through all of them. */
#ifndef WEFT_TESTS_DEVICE_LEVELS_H
#define WEFT_TESTS_DEVICE_LEVELS_H

#include "device/kernels.h"

static inline unsigned usable_kernels(const struct device_kernels *out[EXEC_LEVELS])
{
    unsigned n = 0;
    out[n++] = device_kernels(EXEC_BASELINE);
#ifdef WEFT_LEVEL_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        out[n++] = device_kernels(EXEC_AVX2);
#endif
#ifdef WEFT_LEVEL_AVX512
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        out[n++] = device_kernels(EXEC_AVX512);
#endif
    return n;
}

#endif
