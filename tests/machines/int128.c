/* int128.c - what clang calls for numbers of 128 bits, on machines of 32 bits: their libraries lack it. */
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 whole;

wide __udivti3(wide a, wide b);
wide __umodti3(wide a, wide b);
whole __divti3(whole a, whole b);
whole __modti3(whole a, whole b);
whole __fixxfti(long double v);

static wide divide(wide a, wide b, wide *rest)
{
    wide quotient = 0;
    *rest = 0;
    for (int bit = 127; bit >= 0; bit--) {
        *rest = *rest << 1 | (a >> bit & 1);
        if (*rest >= b) {
            *rest -= b;
            quotient |= (wide)1 << bit;
        }
    }
    return quotient;
}

wide __udivti3(wide a, wide b)
{
    wide rest;
    return divide(a, b, &rest);
}

wide __umodti3(wide a, wide b)
{
    wide rest;
    divide(a, b, &rest);
    return rest;
}

static wide size_of(whole v)
{
    return v < 0 ? 0 - (wide)v : (wide)v;
}

whole __divti3(whole a, whole b)
{
    wide rest, quotient = divide(size_of(a), size_of(b), &rest);
    return (whole)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

whole __modti3(whole a, whole b)
{
    wide rest;
    divide(size_of(a), size_of(b), &rest);
    return (whole)(a < 0 ? 0 - rest : rest);
}

/* Towards zero. */
whole __fixxfti(long double v)
{
    const long double word = 18446744073709551616.0L; /* 2^64 */
    long double size = v < 0 ? -v : v;
    uint64_t high = (uint64_t)(size / word), low = (uint64_t)(size - (long double)high * word);
    wide both = (wide)high << 64 | low;
    return (whole)(v < 0 ? 0 - both : both);
}
