/* fused.c - rows of the functions of base/fmath.h, built with and without the processor's fused operations. */
#include "fused.h"

#include "base/fmath.h"

void FUSED(unsigned f, uint32_t first, uint32_t out[FUSED_ROW])
{
    for (uint32_t i = 0; f == 0 && i < FUSED_ROW; i++)
        out[i] = f32_bits(fmath_exp2(f32_from(first + i)));
    for (uint32_t i = 0; f == 1 && i < FUSED_ROW; i++)
        out[i] = f32_bits(fmath_log2(f32_from(first + i)));
    for (uint32_t i = 0; f == 2 && i < FUSED_ROW; i++)
        out[i] = f32_bits(fmath_sin_near(f32_from(first + i), 0));
    for (uint32_t i = 0; f == 3 && i < FUSED_ROW; i++)
        out[i] = f32_bits(fmath_sin_near(f32_from(first + i), 1));
}
