/* kernels.c - choosing among the sets of inner loops. */
#include "device/kernels.h"

#include <stddef.h>

extern const struct device_kernels device_kernels_baseline;
extern const struct device_kernels device_kernels_avx2, device_kernels_avx512; /* where they are built */

const struct device_kernels *device_kernels(enum exec_level level)
{
    switch (level) {
#ifdef WEFT_LEVEL_AVX2
    case EXEC_AVX2:
        return &device_kernels_avx2;
#endif
#ifdef WEFT_LEVEL_AVX512
    case EXEC_AVX512:
        return &device_kernels_avx512;
#endif
    default:
        return &device_kernels_baseline;
    }
}
