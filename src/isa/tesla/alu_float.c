/* alu_float.c - the arithmetic of alu_float.h for single bit patterns, and the rows for the host's instruction set. */
#include "isa/tesla/alu_float.h"
#include "isa/tesla/alu_lanes.h"

uint32_t tesla_fadd(uint32_t a, uint32_t b, uint64_t how)
{
    return add(a, b, how);
}

uint32_t tesla_fmul(uint32_t a, uint32_t b, uint64_t how)
{
    return mul(a, b, how);
}

uint32_t tesla_fmad(uint32_t a, uint32_t b, uint32_t c, uint64_t how)
{
    return mad(a, b, c, how);
}

uint32_t tesla_fsat(uint32_t x, uint64_t how)
{
    return saturate(x, how);
}

extern const struct tesla_float_lanes tesla_float_lanes_baseline, tesla_float_lanes_avx2, tesla_float_lanes_avx512;

const struct tesla_float_lanes *tesla_float_lanes(enum exec_level level)
{
    switch (level) {
#ifdef WEFT_LEVEL_AVX2
    case EXEC_AVX2:
        return &tesla_float_lanes_avx2;
#endif
#ifdef WEFT_LEVEL_AVX512
    case EXEC_AVX512:
        return &tesla_float_lanes_avx512;
#endif
    default:
        return &tesla_float_lanes_baseline;
    }
}
