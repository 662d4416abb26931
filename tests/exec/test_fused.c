/* Fused or not, exp2, log2, sine and cosine give the same f32 for each argument: engines use what the processor has. A
 * run tries one of 64 parts of all 2^32 arguments; WEFT_TEST_ALL=1 all of them, in some minutes. */
#include "test.h"

#include "turn.h"

#include "base/fmath.h"
#include "fused.h"

/* Sines of these are found in another way (fmath_sin_far). */
static bool is_far(unsigned f, uint32_t first)
{
    return f >= 2 && fmath_is_far(f32_from(first));
}

static void same_with_and_without(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        skip();
    const uint64_t step = getenv("WEFT_TEST_ALL") ? FUSED_ROW : 64 * FUSED_ROW;
    uint64_t start = step == FUSED_ROW ? 0 : (uint64_t)(test_turn() % 64) * FUSED_ROW;
    for (uint64_t first = start; first < 0x100000000u; first += step)
        for (unsigned f = 0; f < FUSED_FUNCTIONS; f++) {
            uint32_t twice[FUSED_ROW], fused[FUSED_ROW];
            if (is_far(f, (uint32_t)first))
                continue;
            fused_row_twice(f, (uint32_t)first, twice);
            fused_row_fused(f, (uint32_t)first, fused);
            for (uint32_t i = 0; i < FUSED_ROW; i++)
                if (twice[i] != fused[i])
                    fail_msg("%s of 0x%08x: %08x, fused %08x", fused_names[f], (uint32_t)first + i, twice[i], fused[i]);
        }
}

TEST_MAIN(TEST(same_with_and_without))
