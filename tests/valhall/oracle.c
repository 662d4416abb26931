/* oracle.c - see oracle.h. */
#include "oracle.h"

#include <math.h>
#include <string.h>

/* ---- formats ---- */

static float f32_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static double f16_of(uint32_t h)
{
    int exponent = h >> 10 & 0x1f, fraction = h & 0x3ff;
    double v = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    return h & 0x8000 ? -v : v;
}

/* An integer multiple of a unit, rounded: what rint would do in that mode. */
static long double whole(long double v, unsigned mode)
{
    long double down = floorl(v), part = v - down;
    switch (mode) {
    case RTP:
        return ceill(v);
    case RTN:
        return down;
    case RTZ:
        return truncl(v);
    default:
        return part > 0.5L || (part == 0.5L && fmodl(down, 2) != 0) ? down + 1 : down;
    }
}

/* Rounded to a float of `mantissa` bits whose least exponent (of the last bit) is `least` and largest value `most`. */
static long double rounded(long double v, int mantissa, int least, long double most, unsigned mode)
{
    int exponent;
    if (v == 0 || isnan(v) || isinf(v))
        return v;
    frexpl(v, &exponent);
    int unit = exponent - mantissa > least ? exponent - mantissa : least;
    long double r = ldexpl(whole(ldexpl(v, -unit), mode), unit);
    if (fabsl(r) > most) {
        bool away = mode == RTE || (mode == RTP && v > 0) || (mode == RTN && v < 0);
        r = away ? INFINITY : most;
    }
    return copysignl(r, v);
}

static uint32_t to_f16(long double v, unsigned mode)
{
    v = rounded(v, 11, -24, 65504, mode);
    uint32_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v))
        return 0x7e00;
    if (isinf(v))
        return sign | 0x7c00;
    v = fabsl(v);
    int exponent;
    frexpl(v, &exponent);
    if (v < 0x1p-14L)
        return sign | (uint32_t)ldexpl(v, 24);
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)ldexpl(v, 11 - exponent) & 0x3ff);
}

static uint32_t to_f32(long double v, unsigned mode)
{
    return bits_of((float)rounded(v, 24, -149, 0x1.fffffep127L, mode));
}

/* ---- sources ---- */

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t extend(uint64_t v, unsigned bits, bool is_signed)
{
    v &= mask_of(bits);
    if (is_signed && bits < 64 && v >> (bits - 1))
        v |= ~mask_of(bits);
    return (int64_t)v;
}

/* Element `lane` of a source as an integer of the row's size. */
static int64_t integer(const struct oracle_insn *insn, const uint64_t *src, unsigned i, unsigned lane, unsigned size,
                       bool is_signed)
{
    const struct oracle_source *s = &insn->src[i];
    unsigned bits = size, element = lane;
    if (s->part) {
        bits = s->part;
        element = s->element[s->count > 1 ? lane : 0];
    }
    int64_t v = extend(src[i] >> (element * bits % 64), bits, is_signed);
    return s->invert ? ~v : v;
}

static long double floating(const struct oracle_insn *insn, const uint64_t *src, unsigned i, unsigned lane, bool half)
{
    const struct oracle_source *s = &insn->src[i];
    long double v;
    if (half || (s->part == 16)) {
        unsigned element = s->part ? s->element[s->count > 1 ? lane : 0] : lane;
        v = f16_of((uint32_t)(src[i] >> (element * 16)) & 0xffff);
    } else {
        v = f32_of((uint32_t)src[i]);
    }
    if (s->abs)
        v = fabsl(v);
    return s->neg ? -v : v;
}

/* ---- results ---- */

static long double smaller(long double a, long double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static long double larger(long double a, long double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static long double clamped(const struct oracle_insn *insn, long double v)
{
    unsigned clamp = (unsigned)oracle_bits(insn, 32, 2);
    if (clamp == CLAMP_0_INF)
        return larger(v, 0);
    if (clamp)
        return smaller(larger(v, clamp == CLAMP_M1_1 ? -1 : 0), 1);
    return v;
}

static struct oracle_result plain(uint64_t bits)
{
    return (struct oracle_result){.kind = ORACLE_BITS, .bits = bits};
}

static struct oracle_result single(long double v, unsigned ulps)
{
    return (struct oracle_result){.kind = ORACLE_F32, .bits = to_f32(v, RTE), .ulps = ulps};
}

static struct oracle_result none(void)
{
    return (struct oracle_result){.kind = ORACLE_NONE};
}

static struct oracle_result halves(long double low, long double high, unsigned mode)
{
    return (struct oracle_result){.kind = ORACLE_V2F16, .bits = to_f16(low, mode) | to_f16(high, mode) << 16};
}

static bool named(const struct oracle_insn *insn, const char *name)
{
    size_t n = strlen(name);
    return strncmp(insn->name, name, n) == 0 && (insn->name[n] == '.' || !insn->name[n]);
}

static const char *type_of(const struct oracle_insn *insn)
{
    const char *dot = strrchr(insn->name, '.');
    return dot ? dot + 1 : "";
}

static bool type_is_signed(const struct oracle_insn *insn)
{
    const char *type = type_of(insn);
    return *type == 's' || (*type == 'v' && type[2] == 's');
}

static unsigned lanes_of(const struct oracle_insn *insn)
{
    const char *type = type_of(insn);
    return *type == 'v' ? (unsigned)(type[1] - '0') : 1;
}

/* ---- float arithmetic ---- */

static long double float_result(const struct oracle_insn *insn, const uint64_t *src, unsigned lane, bool half)
{
    long double a = floating(insn, src, 0, lane, half), b = insn->nsrc > 1 ? floating(insn, src, 1, lane, half) : 0;
    if (named(insn, "FADD"))
        return a + b;
    if (named(insn, "FMIN"))
        return smaller(a, b);
    if (named(insn, "FMAX"))
        return larger(a, b);
    if (named(insn, "FADD_IMM")) {
        uint32_t c = insn->constant;
        return a + (half ? (long double)f16_of(c >> (16 * lane) & 0xffff) : (long double)f32_of(c));
    }
    long double c = floating(insn, src, 2, lane, half);
    return half ? a * b + c : (long double)fmaf((float)a, (float)b, (float)c);
}

static struct oracle_result float_arithmetic(const struct oracle_insn *insn, const uint64_t *src)
{
    bool half = insn->size == 16, has_clamp = insn->nsrc > 1;
    long double v[2] = {0};
    for (unsigned lane = 0; lane <= half; lane++) {
        v[lane] = float_result(insn, src, lane, half);
        v[lane] = half ? rounded(v[lane], 11, -24, 65504, 0) : rounded(v[lane], 24, -149, 0x1.fffffep127L, 0);
        if (has_clamp)
            v[lane] = clamped(insn, v[lane]);
    }
    return half ? halves(v[0], v[1], 0) : single(v[0], 0);
}

/* ---- comparison and selection ---- */

static bool holds(unsigned cmp, bool less, bool equal, bool ordered)
{
    bool greater = ordered && !less && !equal;
    const bool table[8] = {equal, greater, greater || equal, !equal, less, less || equal, less || greater, ordered};
    return table[cmp];
}

static bool condition(const struct oracle_insn *insn, const uint64_t *src, unsigned lane, bool is_float)
{
    unsigned cmp = (unsigned)oracle_bits(insn, 32, 3), size = insn->size;
    if (is_float) {
        long double a = floating(insn, src, 0, lane, size == 16), b = floating(insn, src, 1, lane, size == 16);
        return holds(cmp, a < b, a == b, !isnan(a) && !isnan(b));
    }
    int64_t a = integer(insn, src, 0, lane, size, type_is_signed(insn)),
            b = integer(insn, src, 1, lane, size, type_is_signed(insn));
    return holds(cmp, a < b, a == b, true);
}

static struct oracle_result compare(const struct oracle_insn *insn, const uint64_t *src, bool is_float)
{
    unsigned size = insn->size, result = (unsigned)oracle_bits(insn, 30, 2);
    bool seq = !is_float && (insn->word >> 25 & 1), both = insn->word >> 24 & 1;
    uint64_t one = result == RESULT_M1                 ? mask_of(size)
                   : result == RESULT_F1 && size == 32 ? 0x3f800000
                   : result == RESULT_F1 && size == 16 ? 0x3c00
                                                       : 1;
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes_of(insn); lane++) {
        bool is = condition(insn, src, lane, is_float), before = (src[2] >> (lane * size) & mask_of(size)) != 0;
        if (seq && result != RESULT_U1) {
            bool tie = integer(insn, src, 0, lane, size, type_is_signed(insn)) ==
                       integer(insn, src, 1, lane, size, type_is_signed(insn));
            is = tie ? before : is;
        } else if (!seq) {
            is = both ? is && before : is || before;
        }
        out |= (is ? one : 0) << (lane * size);
    }
    return plain(out);
}

static struct oracle_result csel(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned size = insn->size;
    bool is_float = *type_of(insn) == 'f' || type_of(insn)[2] == 'f';
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes_of(insn); lane++)
        out |= src[condition(insn, src, lane, is_float) ? 2 : 3] & mask_of(size) << (lane * size);
    return plain(out);
}

static struct oracle_result mux(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned size = insn->size, test = (unsigned)oracle_bits(insn, 32, 2);
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes_of(insn); lane++) {
        uint64_t m = (uint64_t)integer(insn, src, 2, lane, size, false),
                 a = (uint64_t)integer(insn, src, 0, lane, size, false);
        uint64_t b = (uint64_t)integer(insn, src, 1, lane, size, false);
        bool yes = test == MUX_NEG ? m >> (size - 1) : test == MUX_INT_ZERO ? !m : !(m & mask_of(size - 1));
        uint64_t v = test == MUX_BIT ? (a & m) | (b & ~m) : yes ? a : b;
        out |= (v & mask_of(size)) << (lane * size);
    }
    return plain(out);
}

/* ---- integers ---- */

static __int128 limited(__int128 v, unsigned bits, bool is_signed)
{
    __int128 most = is_signed ? ((__int128)1 << (bits - 1)) - 1 : ((__int128)1 << bits) - 1;
    __int128 least = is_signed ? -most - 1 : 0;
    return v > most ? most : v < least ? least : v;
}

static __int128 wide(int64_t v, bool is_signed)
{
    return is_signed ? (__int128)v : (__int128)(uint64_t)v;
}

static uint64_t count_zeros(uint64_t v, unsigned bits)
{
    uint64_t n = 0;
    while (n < bits && !(v >> (bits - 1 - n) & 1))
        n++;
    return n;
}

static struct oracle_result arithmetic(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned size = insn->size;
    bool is_signed = type_is_signed(insn);
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes_of(insn); lane++) {
        __int128 a = wide(integer(insn, src, 0, lane, size, is_signed), is_signed);
        __int128 b = insn->nsrc > 1 ? wide(integer(insn, src, 1, lane, size, is_signed), is_signed) : 0, v = 0;
        bool saturate = false;
        if (named(insn, "IADD"))
            v = a + b, saturate = (unsigned)oracle_bits(insn, 30, 1);
        else if (named(insn, "ISUB"))
            v = a - b, saturate = (unsigned)oracle_bits(insn, 30, 1);
        else if (named(insn, "IMUL"))
            v = a * b, saturate = (unsigned)oracle_bits(insn, 30, 1);
        else if (named(insn, "HADD"))
            v = (a + b + (unsigned)oracle_bits(insn, 30, 1)) >> 1;
        else if (named(insn, "IABS"))
            v = a < 0 ? -a : a;
        else if (named(insn, "CLZ"))
            v = (__int128)count_zeros((uint64_t)a & mask_of(size), size);
        else if (named(insn, "IADD_IMM"))
            v = a + (insn->constant >> (lane * size));
        if (saturate)
            v = limited(v, size, is_signed);
        out |= ((uint64_t)v & mask_of(size)) << (lane * size);
    }
    return plain(out);
}

static struct oracle_result shift(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned size = insn->size;
    bool left = insn->name[0] == 'L', is_signed = !left && (unsigned)oracle_bits(insn, 34, 1);
    char logic = insn->name[7];
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes_of(insn); lane++) {
        uint64_t a = (uint64_t)integer(insn, src, 0, lane, size, false) & mask_of(size),
                 c = (uint64_t)integer(insn, src, 2, lane, size, false);
        const unsigned *pick = insn->src[1].element;
        unsigned byte = size == 8 && pick[0] == 0 && pick[1] == 2 ? lane : pick[lane % 2];
        unsigned n = (unsigned)(src[1] >> (8 * byte) & 0xff) % size;
        uint64_t v = left ? a << n : (uint64_t)(extend(a, size, is_signed) >> n);
        if (!left && !is_signed)
            v = a >> n;
        v = logic == 'A' ? v & c : logic == 'O' ? v | c : v ^ c;
        if ((unsigned)oracle_bits(insn, 30, 1))
            v = ~v;
        out |= (v & mask_of(size)) << (lane * size);
    }
    return plain(out);
}

static struct oracle_result dot(const struct oracle_insn *insn, const uint64_t *src)
{
    bool is_signed = type_is_signed(insn);
    __int128 sum = wide(extend(src[2], 32, is_signed), is_signed);
    for (unsigned lane = 0; lane < 4; lane++)
        sum += (__int128)extend(src[0] >> (lane * 8), 8, is_signed) * extend(src[1] >> (lane * 8), 8, is_signed);
    if ((unsigned)oracle_bits(insn, 30, 1))
        sum = limited(sum, 32, is_signed);
    return plain((uint32_t)sum);
}

static uint64_t reversed(uint32_t v)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (uint64_t)(v >> i & 1) << (31 - i);
    return out;
}

static struct oracle_result shaddx(const struct oracle_insn *insn, const uint64_t *src)
{
    const struct oracle_source *s = &insn->src[1];
    unsigned bits = s->part ? s->part : 64, element = s->element[0];
    uint64_t b = (uint64_t)extend(src[1] >> (element * bits % 64), bits, type_is_signed(insn));
    return plain(src[0] + (b << oracle_bits(insn, 20, 3)));
}

static struct oracle_result seg_add(const struct oracle_insn *insn, const uint64_t *src)
{
    uint64_t by = integer(insn, src, 1, 0, 64, false);
    if ((unsigned)oracle_bits(insn, 39, 1) && src[0] == 0)
        return plain(0);
    return plain(src[0] + ((unsigned)oracle_bits(insn, 38, 1) ? 0 - by : by));
}

/* ---- conversions: FROM_TO_TO ---- */

static struct oracle_result convert(const struct oracle_insn *insn, const uint64_t *src)
{
    const char *from = insn->name, *to = strstr(from, "_TO_") + 4;
    bool rounds = strchr("wafd", *insn->shape) != NULL;
    unsigned mode = rounds ? (unsigned)oracle_bits(insn, 30, 2) : RTE;
    unsigned lanes = *to == 'V' ? 2 : 1;
    from += *from == 'V' ? 2 : 0;
    to += *to == 'V' ? 2 : 0;
    unsigned bits = from[1] == '8' ? 8 : from[1] == '1' ? 16 : 32, out_bits = to[1] == '1' ? 16 : 32;
    uint64_t out = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        long double v = *from == 'F' ? floating(insn, src, 0, lane, bits == 16)
                                     : (long double)integer(insn, src, 0, lane, bits, *from == 'S');
        uint64_t r;
        if (*to == 'F')
            r = out_bits == 16 ? to_f16(v, mode) : to_f32(v, mode);
        else if (isnan(v))
            r = 0;
        else
            r = (uint64_t)limited((__int128)whole(fabsl(v) > 1e18L ? copysignl(1e18L, v) : v, mode), out_bits,
                                  *to == 'S');
        out |= (r & mask_of(out_bits)) << (lane * out_bits);
    }
    if (*to == 'F')
        return (struct oracle_result){.kind = lanes == 2 ? ORACLE_V2F16 : ORACLE_F32, .bits = out};
    return plain(out);
}

static struct oracle_result round_floats(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned mode = (unsigned)oracle_bits(insn, 30, 2);
    bool half = insn->size == 16;
    long double v[2] = {0};
    for (unsigned lane = 0; lane <= half; lane++) {
        long double x = floating(insn, src, 0, lane, half);
        v[lane] = isnan(x) || isinf(x) ? x : copysignl(whole(x, mode), x);
    }
    return half ? halves(v[0], v[1], 0) : single(v[0], 0);
}

/* ---- special functions ---- */

static long double split_float(long double x, const struct oracle_insn *insn, bool log, int *exponent)
{
    *exponent = 0;
    if (x == 0 || isnan(x) || isinf(x))
        return x;
    long double m = frexpl(x, exponent);
    bool sqrt = !log && (unsigned)oracle_bits(insn, 24, 1);
    if (log && fabsl(m) < 0.75L) {
        m *= 2;
        --*exponent;
    }
    if (sqrt && (*exponent & 1)) {
        m /= 2;
        ++*exponent;
    }
    if (sqrt)
        *exponent /= 2;
    return m;
}

static struct oracle_result frexp_parts(const struct oracle_insn *insn, const uint64_t *src)
{
    bool half = insn->size == 16;
    long double m[2] = {0};
    int e[2] = {0};
    for (unsigned lane = 0; lane <= half; lane++)
        m[lane] = split_float(floating(insn, src, 0, lane, half), insn, (unsigned)oracle_bits(insn, 25, 1), &e[lane]);
    if (named(insn, "FREXPE"))
        return plain(half ? (uint64_t)((uint32_t)(uint16_t)e[0] | (uint32_t)(uint16_t)e[1] << 16)
                          : (uint64_t)(uint32_t)e[0]);
    return half ? halves(m[0], m[1], 0) : single(m[0], 0);
}

static long double scaled_sum(const struct oracle_insn *insn, const uint64_t *src)
{
    float a = (float)floating(insn, src, 0, 0, false), b = (float)floating(insn, src, 1, 0, false);
    float c = (float)floating(insn, src, 2, 0, false);
    int by = named(insn, "FMA_RSCALE_SCALE16") ? (int16_t)src[3] : (int32_t)src[3];
    float v = fmaf(a, b, c);
    if ((a == 0 || b == 0) && named(insn, "FMA_RSCALE_N"))
        v = 0 + c;
    if ((a == 0 || b == 0) && named(insn, "FMA_RSCALE_LEFT"))
        v = a + c;
    return rounded(ldexpl((long double)v, by > 400 ? 400 : by < -400 ? -400 : by), 24, -149, 0x1.fffffep127L, 0);
}

static struct oracle_result ldexps(const struct oracle_insn *insn, const uint64_t *src)
{
    unsigned mode = (unsigned)oracle_bits(insn, 30, 2);
    bool half = insn->size == 16;
    long double v[2] = {0};
    for (unsigned lane = 0; lane <= half; lane++) {
        int by = half ? (int16_t)(src[1] >> (16 * lane)) : (int32_t)src[1];
        v[lane] = ldexpl(floating(insn, src, 0, lane, half), by > 500 ? 500 : by < -500 ? -500 : by);
    }
    if (half)
        return halves(v[0], v[1], mode);
    return (struct oracle_result){.kind = ORACLE_F32, .bits = to_f32(v[0], mode)};
}

static long double clean_log2(long double m)
{
    return m == 1 ? 1 / logl(2) : log2l(m) / (m - 1);
}

/* The approximations have 15 bits of a significand's reciprocal, or of the reciprocal of its root. */
static struct oracle_result approximate(const struct oracle_insn *insn, long double x)
{
    enum { ULPS = 1 << 8 };
    int e;
    bool root = named(insn, "FRSQ_APPROX");
    if (isnan(x) || (x < 0 && !named(insn, "FRCP_APPROX")))
        return single(NAN, 0);
    if (named(insn, "FLOG_TABLE")) {
        if (x == 0 || isinf(x))
            return single(x == 0 ? -INFINITY : INFINITY, 0);
        int unused;
        long double m = frexpl(x, &unused);
        m = m < 0.75L ? 2 * m : m;
        return (struct oracle_result){.kind = ORACLE_NEAR, .bits = to_f32(log2l(m), RTE), .slack = 0x1p-14f};
    }
    if (x == 0 || isinf(x))
        return single(x == 0 ? copysignl(INFINITY, x) : copysignl(0, x), 0);
    long double m = frexpl(x, &e);
    if (root && (e & 1))
        m /= 2;
    return single(root ? 1 / sqrtl(m) : 1 / m, ULPS);
}

/* The octant of (x, y) and the ratio of the smaller to the larger in 64ths; the angle of exactly that ratio. */
static struct oracle_result arc_tangent(const struct oracle_insn *insn, const uint64_t *src)
{
    float y = f32_of((uint32_t)src[0]), x = f32_of((uint32_t)src[1]);
    bool second = (unsigned)oracle_bits(insn, 24, 1), steep = fabsf(y) > fabsf(x);
    if (isnan(x) || isnan(y))
        return second ? single(NAN, 0) : none();
    long double large = steep ? fabsl((long double)y) : fabsl((long double)x),
                small = steep ? fabsl((long double)x) : fabsl((long double)y);
    long double ratio = large == 0 ? 0 : isinf(large) ? (isinf(small) ? 1 : 0) : floorl(small / large * 64 + 0.5L) / 64;
    if (!second)
        return plain((uint64_t)steep | (uint64_t)(signbit(x) != 0) << 1 | (uint64_t)(signbit(y) != 0) << 2 |
                     (uint64_t)to_f16(ratio, RTE) << 16);
    long double angle = steep ? acosl(0) - atanl(ratio) : atanl(ratio);
    angle = signbit(x) ? acosl(-1) - angle : angle;
    return single(signbit(y) ? -angle : angle, 1);
}

static struct oracle_result sfu(const struct oracle_insn *insn, const uint64_t *src)
{
    const long double turn = acosl(-1) / 32;
    bool half = insn->size == 16 && strstr(insn->name, ".f16");
    long double x = insn->nsrc && !strstr(insn->name, ".u") ? floating(insn, src, 0, 0, half) : 0;
    uint32_t k = (uint32_t)src[0];
    int e;
    if (named(insn, "FRCP"))
        return half ? halves(1 / x, 1 / x, 0) : single(1 / x, 1);
    if (named(insn, "FRSQ")) {
        long double v = x == 0 ? copysignl(INFINITY, x) : 1 / sqrtl(x);
        return half ? halves(v, v, 0) : single(v, 1);
    }
    if (named(insn, "FSIN_TABLE"))
        return single((k & 31) == 0 ? 0 : sinl((k & 63) * turn), 1);
    if (named(insn, "FCOS_TABLE"))
        return single((k & 31) == 16 ? 0 : cosl((k & 63) * turn), 1);
    if (named(insn, "FSINCOS_OFFSET"))
        return single(((int)(k & 63) > 32 ? (int)(k & 63) - 64 : (int)(k & 63)) * turn, 1);
    if (named(insn, "FEXP_TABLE"))
        return single(exp2l((k & 15) / 16.0L), 1);
    if (strstr(insn->name, "_APPROX") || named(insn, "FLOG_TABLE"))
        return approximate(insn, x);
    if (named(insn, "FLOGD"))
        return single(x == 0 || x == INFINITY ? INFINITY : x > 0 ? clean_log2(split_float(x, insn, true, &e)) : NAN, 1);
    return none();
}

static struct oracle_result classes(const struct oracle_insn *insn, const uint64_t *src)
{
    bool half = insn->size == 16;
    const struct oracle_source *s = &insn->src[0];
    unsigned element = s->part ? s->element[0] : 0;
    uint32_t v = half ? (uint32_t)(src[0] >> (16 * element)) & 0xffff : (uint32_t)src[0];
    if (!half && s->part)
        return none();
    uint32_t sign = half ? 0x8000 : 0x80000000, most = half ? 0x7c00 : 0x7f800000, least = half ? 0x400 : 0x800000;
    v = (s->abs ? v & ~sign : v) ^ (s->neg ? sign : 0);
    uint32_t m = v & ~sign;
    unsigned bit = m > most ? (m & least >> 1 ? 9 : 8) : m == most ? 7 : m >= least ? 6 : m ? 5 : 4;
    if (bit < 8 && (v & sign))
        bit = 7 - bit;
    uint32_t out = 1u << bit;
    return plain(half ? out | out << 16 : out);
}

static struct oracle_result fexp(const struct oracle_insn *insn, const uint64_t *src)
{
    long double x = floating(insn, src, 1, 0, false), e = (long double)(int32_t)src[0] / 0x1p24L;
    if ((int32_t)src[0] == INT32_MIN && x < -128)
        e = x <= -0x1p31L ? x / 0x1p24L : x;
    long double v = isnan(x) ? NAN : (int32_t)src[0] == INT32_MAX ? INFINITY : exp2l(e);
    return single(clamped(insn, v), 1);
}

static struct oracle_result lscale(const struct oracle_insn *insn, const uint64_t *src)
{
    int e;
    long double m = split_float(floating(insn, src, 1, 0, false), insn, true, &e);
    return single(clamped(insn, rounded(floating(insn, src, 0, 0, false) + m, 24, -149, 0x1.fffffep127L, 0)), 0);
}

/* ---- cube maps ---- */

static struct oracle_result cube(const struct oracle_insn *insn, const uint64_t *src)
{
    long double v[3];
    unsigned face = (uint32_t)src[2] >> 29;
    for (unsigned i = 0; i < 3 && i < insn->nsrc; i++)
        v[i] = floating(insn, src, i, 0, false);
    if (named(insn, "CUBE_SSEL"))
        return single(face == 0 ? -v[0] : face == 1 ? v[0] : face == 5 ? -v[1] : v[1], 0);
    if (named(insn, "CUBE_TSEL"))
        return single(face == 2 ? v[1] : face == 3 ? -v[1] : -v[0], 0);
    long double x = fabsl(v[0]), y = fabsl(v[1]), z = fabsl(v[2]);
    if (isnan(x) || isnan(y) || isnan(z))
        return none();
    if (named(insn, "CUBEFACE1"))
        return single(larger(x, larger(y, z)), 0);
    unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return plain((uint64_t)(2 * axis + (signbit(v[axis]) != 0)) << 29);
}

/* ---- all of them ---- */

typedef struct oracle_result oracle_fn(const struct oracle_insn *insn, const uint64_t *src);

static struct oracle_result compare_floats(const struct oracle_insn *insn, const uint64_t *src)
{
    return compare(insn, src, true);
}

static struct oracle_result compare_integers(const struct oracle_insn *insn, const uint64_t *src)
{
    return compare(insn, src, false);
}

static struct oracle_result rest(const struct oracle_insn *insn, const uint64_t *src)
{
    uint32_t a = (uint32_t)src[0], b = (uint32_t)src[1];
    if (named(insn, "MOV"))
        return plain(a);
    if (named(insn, "POPCOUNT"))
        return plain((uint64_t)__builtin_popcount(a));
    if (named(insn, "BITREV"))
        return plain(reversed(a));
    if (named(insn, "NOT_OLD"))
        return plain(~src[0] & mask_of(insn->size));
    if (named(insn, "IMULD"))
        return plain((uint64_t)(uint32_t)integer(insn, src, 0, 0, 64, false) *
                     (uint32_t)integer(insn, src, 1, 0, 64, false));
    if (strcmp(insn->name, "MKVEC.v2i16") == 0)
        return plain(((uint64_t)integer(insn, src, 0, 0, 16, false) & 0xffff) |
                     ((uint64_t)integer(insn, src, 1, 0, 16, false) & 0xffff) << 16);
    if (strcmp(insn->name, "MKVEC.v2i8") == 0)
        return plain((uint64_t)(a >> (8 * insn->src[0].element[0]) & 0xff) |
                     (uint64_t)(b >> (8 * insn->src[1].element[0]) & 0xff) << 8 | (src[2] & 0xffff) << 16);
    if (named(insn, "V2F32_TO_V2F16")) {
        long double v[2];
        for (unsigned i = 0; i < 2; i++)
            v[i] = clamped(
                insn, rounded(floating(insn, src, i, 0, false), 11, -24, 65504, (unsigned)oracle_bits(insn, 30, 2)));
        return halves(v[0], v[1], 0);
    }
    return none();
}

static struct oracle_result rscale(const struct oracle_insn *insn, const uint64_t *src)
{
    return single(clamped(insn, scaled_sum(insn, src)), 0);
}

struct oracle_result oracle(const struct oracle_insn *insn, const uint64_t *src)
{
    static const struct {
        const char *prefix;
        oracle_fn *fn;
    } families[] = {
        {"FADD_LSCALE", lscale},
        {"FADD", float_arithmetic},
        {"FMIN", float_arithmetic},
        {"FMAX", float_arithmetic},
        {"FMA_RSCALE", rscale},
        {"FMA", float_arithmetic},
        {"FCMP", compare_floats},
        {"ICMP", compare_integers},
        {"CSEL", csel},
        {"MUX", mux},
        {"IADD", arithmetic},
        {"ISUB", arithmetic},
        {"IMULD", rest},
        {"IMUL", arithmetic},
        {"HADD", arithmetic},
        {"IABS", arithmetic},
        {"CLZ", arithmetic},
        {"LSHIFT", shift},
        {"RSHIFT", shift},
        {"IDP", dot},
        {"SHADDX", shaddx},
        {"SEG_ADD", seg_add},
        {"FROUND", round_floats},
        {"FREXP", frexp_parts},
        {"LDEXP", ldexps},
        {"FPCLASS", classes},
        {"FEXP.", fexp},
        {"FATAN", arc_tangent},
        {"CUBE", cube},
        {"V2F32_TO", rest},
    };
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(insn->name, families[i].prefix, strlen(families[i].prefix)) == 0)
            return families[i].fn(insn, src);
    if (strstr(insn->name, "_TO_"))
        return convert(insn, src);
    struct oracle_result r = rest(insn, src);
    return r.kind != ORACLE_NONE ? r : sfu(insn, src);
}
