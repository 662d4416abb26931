#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static unsigned width_of(enum ir_type type) { return ir_type_bits(type); }

static uint64_t low_bits(uint64_t v, unsigned n) { return n >= 64 ? v : v & ((1ull << n) - 1); }

static i128 signed_of(uint64_t v, unsigned n) { return v >> (n - 1) & 1 ? (i128)v - ((i128)1 << n) : (i128)v; }

/* ---- floats: formats, unpacking, rounding ---- */

struct format {
    unsigned bits, frac; /* frac: stored fraction bits */
    int bias;
};

static struct format format_of(enum ir_type t)
{
    if (t == IR_F16)
        return (struct format){16, 10, 15};
    if (t == IR_F32)
        return (struct format){32, 23, 127};
    return (struct format){64, 52, 1023};
}

enum kind { ZERO, FINITE, INF, NAN_ };

/* (-1)^neg * mant * 2^exp; mant has its top bit at TOP when FINITE; bit 0 may stand for "and something below". */
enum { TOP = 120 };
struct num {
    enum kind kind;
    bool neg;
    int exp;
    u128 mant;
};

static struct num normal(bool neg, int exp, u128 mant)
{
    struct num n = {FINITE, neg, exp, mant};
    if (!mant) {
        n.kind = ZERO;
        return n;
    }
    const uint64_t high = (uint64_t)(mant >> 64);
    const int first = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)mant); /* its highest bit */
    if (first < TOP) {
        n.mant <<= TOP - first;
        n.exp -= TOP - first;
    }
    while (n.mant >> (TOP + 1)) {
        n.mant = n.mant >> 1 | (n.mant & 1);
        n.exp++;
    }
    return n;
}

static struct num unpack(enum ir_type t, uint64_t v, unsigned attr)
{
    struct format f = format_of(t);
    bool neg = v >> (f.bits - 1) & 1;
    uint64_t frac = low_bits(v, f.frac), biased = low_bits(v >> f.frac, f.bits - 1 - f.frac);
    uint64_t top = low_bits(~0ull, f.bits - 1 - f.frac);
    if (biased == top)
        return (struct num){frac ? NAN_ : INF, neg, 0, 0};
    if (biased == 0 && (frac == 0 || (attr & IR_FLUSH_IN)))
        return (struct num){ZERO, neg, 0, 0};
    if (biased == 0)
        return normal(neg, 1 - f.bias - (int)f.frac, frac);
    return normal(neg, (int)biased - f.bias - (int)f.frac, (u128)(frac | 1ull << f.frac));
}

/* Round mant to a multiple of 2^drop, away from zero or not by the mode. */
static u128 round_off(u128 mant, unsigned drop, bool neg, unsigned mode)
{
    if (drop == 0)
        return mant;
    u128 keep = drop > 127 ? 0 : mant >> drop, rest = drop > 127 ? mant : mant - (keep << drop);
    u128 half = drop > 127 ? 0 : (u128)1 << (drop - 1);
    bool below = drop > 127, up = false; /* far below: less than half */
    switch (mode) {
    case IR_RNE: up = !below && (rest > half || (rest == half && (keep & 1))); break;
    case IR_RNA: up = !below && rest >= half; break;
    case IR_RUP: up = rest && !neg; break;
    case IR_RDN: up = rest && neg; break;
    default: break;
    }
    return keep + up;
}

static uint64_t infinity(enum ir_type t, bool neg)
{
    struct format f = format_of(t);
    uint64_t exp = low_bits(~0ull, f.bits - 1 - f.frac) << f.frac;
    return exp | (uint64_t)neg << (f.bits - 1);
}

static uint64_t canonical_nan(enum ir_type t) { return low_bits(~0ull, format_of(t).bits - 1); }

static uint64_t quiet_nan(enum ir_type t) { return infinity(t, false) | 1ull << (format_of(t).frac - 1); }

static uint64_t pack(enum ir_type t, struct num n, unsigned attr)
{
    struct format f = format_of(t);
    unsigned mode = attr & IR_ROUND_MASK;
    uint64_t sign = (uint64_t)n.neg << (f.bits - 1);
    if (n.kind == ZERO)
        return sign;
    if (n.kind == INF)
        return infinity(t, n.neg);
    if (n.kind == NAN_)
        return quiet_nan(t);
    int least = 1 - f.bias, drop = TOP - (int)f.frac, e = n.exp + TOP; /* e: exponent of the top bit */
    u128 free_mant = round_off(n.mant, (unsigned)drop, n.neg, mode);
    int free_e = e + (free_mant >> (f.frac + 1) ? 1 : 0);
    if ((attr & IR_FLUSH_OUT) && free_e < least)
        return sign;
    if (e < least)
        drop = least - e > 200 ? 300 : drop + (least - e);
    u128 m = round_off(n.mant, (unsigned)drop, n.neg, mode);
    if (e < least)
        return sign | (uint64_t)m; /* a carry into the exponent is the least normal number */
    uint64_t biased = (uint64_t)(e + f.bias);
    uint64_t result = (uint64_t)((u128)(biased - 1) << f.frac) + (uint64_t)m;
    if (e + f.bias >= (int)low_bits(~0ull, f.bits - 1 - f.frac) || result >= infinity(t, false)) {
        bool to_inf = mode == IR_RNE || mode == IR_RNA || (mode == IR_RUP && !n.neg) || (mode == IR_RDN && n.neg);
        return to_inf ? infinity(t, n.neg) : sign | (infinity(t, false) - 1);
    }
    return sign | result;
}

static struct num nan_num(void) { return (struct num){NAN_, false, 0, 0}; }

static struct num multiply(struct num a, struct num b)
{
    bool neg = a.neg != b.neg;
    if (a.kind == NAN_ || b.kind == NAN_ || (a.kind == INF && b.kind == ZERO) || (a.kind == ZERO && b.kind == INF))
        return nan_num();
    if (a.kind == INF || b.kind == INF)
        return (struct num){INF, neg, 0, 0};
    if (a.kind == ZERO || b.kind == ZERO)
        return (struct num){ZERO, neg, 0, 0};
    /* both have at most 53 significant bits below TOP */
    u128 x = a.mant >> (TOP - 59), y = b.mant >> (TOP - 59);
    return normal(neg, a.exp + b.exp + 2 * (TOP - 59), x * y);
}

static struct num add(struct num a, struct num b, unsigned mode)
{
    if (a.kind == NAN_ || b.kind == NAN_ || (a.kind == INF && b.kind == INF && a.neg != b.neg))
        return nan_num();
    if (a.kind == INF || (b.kind == ZERO && a.kind != ZERO))
        return a;
    if (b.kind == INF || (a.kind == ZERO && b.kind != ZERO))
        return b;
    if (a.kind == ZERO)
        return (struct num){ZERO, a.neg == b.neg ? a.neg : mode == IR_RDN, 0, 0};
    if (a.exp < b.exp || (a.exp == b.exp && a.mant < b.mant)) {
        struct num t = a;
        a = b;
        b = t;
    }
    int gap = a.exp - b.exp;
    u128 y = gap > 125 ? 1 : b.mant >> gap;
    if (gap && gap <= 125 && (y << gap) != b.mant)
        y |= 1;
    u128 sum = a.neg == b.neg ? a.mant + y : a.mant - y;
    if (!sum)
        return (struct num){ZERO, mode == IR_RDN, 0, 0};
    return normal(a.neg, a.exp, sum);
}

static struct num divide(struct num a, struct num b)
{
    bool neg = a.neg != b.neg;
    if (a.kind == NAN_ || b.kind == NAN_ || (a.kind == INF && b.kind == INF) || (a.kind == ZERO && b.kind == ZERO))
        return nan_num();
    if (a.kind == INF || b.kind == ZERO)
        return (struct num){INF, neg, 0, 0};
    if (b.kind == INF || a.kind == ZERO)
        return (struct num){ZERO, neg, 0, 0};
    u128 x = a.mant, y = b.mant >> (TOP - 55); /* 121 and 56 bits */
    u128 q = x / y;
    return normal(neg, a.exp - (b.exp + (TOP - 55)) - 2, q << 2 | (q * y != x));
}

static struct num scaled(struct num n, int by)
{
    n.exp += by;
    return n;
}

static struct num square_root(struct num a)
{
    if (a.kind == NAN_ || (a.neg && a.kind != ZERO))
        return nan_num();
    if (a.kind != FINITE)
        return a;
    if (a.exp & 1) {
        a.mant <<= 1;
        a.exp--;
    }
    u128 root = 0;
    for (int i = 62; i >= 0; i--) {
        u128 next = root | (u128)1 << i;
        if (next * next <= a.mant)
            root = next;
    }
    return normal(false, a.exp / 2 - 2, root << 2 | (root * root != a.mant));
}

/* -1, 0, 1; both numbers. */
static int compare(struct num a, struct num b)
{
    if (a.kind == ZERO && b.kind == ZERO)
        return 0;
    if (a.kind == ZERO)
        return b.neg ? 1 : -1;
    if (b.kind == ZERO)
        return a.neg ? -1 : 1;
    if (a.neg != b.neg)
        return a.neg ? -1 : 1;
    int size;
    if (a.kind == INF || b.kind == INF)
        size = (a.kind == INF) - (b.kind == INF);
    else if (a.exp != b.exp)
        size = a.exp < b.exp ? -1 : 1;
    else
        size = a.mant < b.mant ? -1 : a.mant > b.mant;
    return a.neg ? -size : size;
}

static struct num to_integral(struct num n, unsigned mode)
{
    if (n.kind != FINITE || n.exp >= 0)
        return n;
    int drop = -n.exp;
    u128 whole = round_off(n.mant, drop > 200 ? 300u : (unsigned)drop, n.neg, mode);
    struct num r = normal(n.neg, 0, whole);
    return r;
}

static struct num integer_num(i128 v)
{
    return normal(v < 0, 0, v < 0 ? (u128)-v : (u128)v);
}

/* ---- float ops ---- */

static uint64_t saturate(enum ir_type t, uint64_t v, unsigned attr)
{
    struct num n = unpack(t, v, 0);
    if (n.kind == NAN_)
        return attr & IR_SAT_KEEP_NAN ? v : 0;
    if (n.neg || n.kind == ZERO)
        return 0;
    struct num one = integer_num(1);
    return compare(n, one) > 0 ? pack(t, one, 0) : v;
}

static uint64_t finish(enum ir_type t, uint64_t v, unsigned attr, unsigned *how)
{
    if (attr & IR_SAT)
        v = saturate(t, v, attr);
    if (unpack(t, v, 0).kind == NAN_) {
        if (attr & IR_NAN_CANON)
            v = canonical_nan(t);
        else if (attr & IR_NAN_X86)
            v = quiet_nan(t) | 1ull << (width_of(t) - 1);
        else
            *how |= EVAL_ANY_NAN;
    }
    return v;
}

static bool less_with_zeros(struct num a, struct num b, unsigned attr)
{
    if ((attr & IR_MINMAX_ZEROS) && a.kind == ZERO && b.kind == ZERO)
        return a.neg && !b.neg;
    return compare(a, b) < 0;
}

static uint64_t min_max(enum ir_opcode code, enum ir_type t, unsigned attr, const uint64_t *args, unsigned *how)
{
    struct num a = unpack(t, args[0], attr), b = unpack(t, args[1], attr);
    bool nan_a = a.kind == NAN_, nan_b = b.kind == NAN_, first;
    unsigned rule = attr & IR_MINMAX_MASK;
    if (rule == IR_MINMAX_SECOND)
        first = !nan_a && !nan_b && (code == IR_FMIN ? less_with_zeros(a, b, attr) : less_with_zeros(b, a, attr));
    else if (nan_a || nan_b)
        first = rule == IR_MINMAX_PROPAGATE ? nan_a : nan_b;
    else {
        first = code == IR_FMIN ? less_with_zeros(a, b, attr) : less_with_zeros(b, a, attr);
        if (a.kind == ZERO && b.kind == ZERO && a.neg != b.neg && !(attr & IR_MINMAX_ZEROS))
            *how |= EVAL_ANY_ZERO;
    }
    struct num r = first ? a : b;
    return r.kind == NAN_ ? (first ? args[0] : args[1]) : pack(t, r, attr & ~(unsigned)IR_ROUND_MASK);
}

static uint64_t to_integer(enum ir_type from, enum ir_type to, bool is_signed, unsigned attr, uint64_t arg)
{
    unsigned bits = width_of(to);
    struct num n = unpack(from, arg, attr);
    uint64_t indefinite = 1ull << (bits - 1);
    u128 high = is_signed ? ((u128)1 << (bits - 1)) - 1 : ((u128)1 << bits) - 1;
    u128 low = is_signed ? (u128)1 << (bits - 1) : 0; /* size of the least number */
    if (n.kind == NAN_)
        return attr & IR_CVT_X86 ? indefinite : 0;
    n = to_integral(n, attr & IR_ROUND_MASK);
    if (n.kind == ZERO)
        return 0;
    bool huge = n.kind == INF || n.exp > 0;
    u128 size = huge ? 0 : n.exp <= -128 ? 0 : n.mant >> -n.exp;
    bool over = huge || size > (n.neg ? low : high);
    if (over && (attr & IR_CVT_X86))
        return indefinite;
    if (over && (attr & IR_CVT_WRAP)) {
        if (n.kind == INF)
            return 0;
        if (huge)
            size = n.exp >= 64 ? 0 : n.mant << n.exp;
    } else if (over) {
        return low_bits((uint64_t)(n.neg ? 0 - low : high), bits);
    }
    return low_bits((uint64_t)(n.neg ? 0 - size : size), bits);
}

static float as_float(uint64_t v)
{
    uint32_t w = (uint32_t)v;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static uint64_t function(enum ir_opcode code, unsigned attr, const uint64_t *args, unsigned *how)
{
    long double x = as_float(pack(IR_F32, unpack(IR_F32, args[0], attr), 0)), r;
    if (unpack(IR_F32, args[0], 0).kind == NAN_)
        x = NAN;
    switch (code) {
    case IR_FEXP2: r = exp2l(x); break;
    case IR_FLOG2: r = log2l(x); break;
    case IR_FSIN: r = sinl(x); break;
    case IR_FCOS: r = cosl(x); break;
    default: {
        bool nan = unpack(IR_F32, args[1], 0).kind == NAN_;
        r = powl(x, nan ? (long double)NAN : (long double)as_float(pack(IR_F32, unpack(IR_F32, args[1], attr), 0)));
    }
    }
    float f = (float)r;
    uint32_t w;
    memcpy(&w, &f, 4);
    *how |= EVAL_ULP;
    return isnan(f) ? quiet_nan(IR_F32) : pack(IR_F32, unpack(IR_F32, w, 0), attr & IR_FLUSH_OUT);
}

static uint64_t first_nan(enum ir_type t, const uint64_t *args, unsigned nargs)
{
    for (unsigned i = 0; i < nargs; i++)
        if (unpack(t, args[i], 0).kind == NAN_)
            return args[i] | 1ull << (format_of(t).frac - 1);
    return quiet_nan(t);
}

static uint64_t float_op(enum ir_opcode code, enum ir_type t, unsigned attr, const uint64_t *args, unsigned nargs,
                         unsigned *how)
{
    unsigned mode = attr & IR_ROUND_MASK, floats = code == IR_FLDEXP ? 1 : nargs;
    struct num n[3] = {{ZERO, false, 0, 0}, {ZERO, false, 0, 0}, {ZERO, false, 0, 0}}, r;
    for (unsigned i = 0; i < floats; i++)
        n[i] = unpack(t, args[i], attr);
    switch (code) {
    case IR_FADD: r = add(n[0], n[1], mode); break;
    case IR_FSUB: n[1].neg = !n[1].neg; r = add(n[0], n[1], mode); break;
    case IR_FMUL: r = multiply(n[0], n[1]); break;
    case IR_FDIV: r = divide(n[0], n[1]); break;
    case IR_FFMA: r = add(multiply(n[0], n[1]), n[2], mode); break;
    case IR_FSQRT: r = square_root(n[0]); break;
    case IR_FRINT:
        r = to_integral(n[0], mode);
        break;
    case IR_FLDEXP: {
        int64_t by = (int64_t)signed_of(args[1], 32);
        r = scaled(n[0], by > 100000 ? 100000 : by < -100000 ? -100000 : (int)by);
        break;
    }
    case IR_FREXP_MANT:
        r = n[0].kind == FINITE ? scaled(n[0], -(n[0].exp + TOP) - 1) : n[0];
        break;
    default: /* FSAT */
        r = n[0];
        attr |= IR_SAT;
    }
    uint64_t bits = r.kind == NAN_ ? first_nan(t, args, floats) : pack(t, r, attr);
    return finish(t, bits, attr, how);
}

static uint64_t compare_op(enum ir_opcode code, enum ir_type t, unsigned attr, const uint64_t *args)
{
    struct num a = unpack(t, args[0], attr), b = unpack(t, args[1], attr);
    bool unordered = a.kind == NAN_ || b.kind == NAN_;
    int c = unordered ? 0 : compare(a, b);
    switch (code) {
    case IR_FEQ: return !unordered && c == 0;
    case IR_FNE: return unordered || c != 0;
    case IR_FLT: return !unordered && c < 0;
    case IR_FLE: return !unordered && c <= 0;
    default: return unordered;
    }
}

static uint64_t narrow_float(enum ir_type from, enum ir_type to, unsigned attr, uint64_t arg, unsigned *how)
{
    struct num n = unpack(from, arg, attr);
    return finish(to, pack(to, n, attr), attr, how);
}

/* ---- integers ---- */

static uint64_t clamp(i128 v, i128 low, i128 high) { return (uint64_t)(v < low ? low : v > high ? high : v); }

static uint64_t int_op(enum ir_opcode code, unsigned n, unsigned attr, const uint64_t *args, unsigned nargs)
{
    uint64_t a = args[0], b = nargs > 1 ? args[1] : 0;
    i128 x = signed_of(a, n),
         y = nargs > 1 && code != IR_SHL && code != IR_SHR_S && code != IR_SHR_U ? signed_of(b, n) : 0;
    i128 low = -((i128)1 << (n - 1)), high = -low - 1, all = ((i128)1 << n) - 1;
    bool sat = attr & IR_SAT;
    unsigned count = 0;
    switch (code) {
    case IR_ADD: return sat ? clamp(x + y, low, high) : a + b;
    case IR_SUB: return sat ? clamp(x - y, low, high) : a - b;
    case IR_ADD_SATU: return clamp((i128)a + b, 0, all);
    case IR_SUB_SATU: return clamp((i128)a - b, 0, all);
    case IR_MUL: return a * b;
    case IR_MULHI_S: return (uint64_t)((x * y) >> n);
    case IR_MULHI_U: return (uint64_t)(((u128)a * b) >> n);
    case IR_DIV_S: return b ? (uint64_t)(x / y) : ~0ull;
    case IR_DIV_U: return b ? a / b : ~0ull;
    case IR_REM_S: return b ? (uint64_t)(x % y) : ~0ull;
    case IR_REM_U: return b ? a % b : ~0ull;
    case IR_NEG: return ~a + 1;
    case IR_ABS: return (uint64_t)(x < 0 ? -x : x);
    case IR_MIN_S: return x < y ? a : b;
    case IR_MAX_S: return x > y ? a : b;
    case IR_MIN_U: return a < b ? a : b;
    case IR_MAX_U: return a > b ? a : b;
    case IR_AND: return a & b;
    case IR_OR: return a | b;
    case IR_XOR: return a ^ b;
    case IR_NOT: return ~a;
    case IR_SHL: return a << b % n;
    case IR_SHR_S: return (uint64_t)(x >> b % n);
    case IR_SHR_U: return a >> b % n;
    case IR_POPCOUNT:
        for (unsigned i = 0; i < n; i++)
            count += (unsigned)(a >> i & 1);
        return count;
    case IR_CLZ:
        while (count < n && !(a >> (n - 1 - count) & 1))
            count++;
        return count;
    case IR_CTZ:
        while (count < n && !(a >> count & 1))
            count++;
        return count;
    case IR_BITREV: {
        uint64_t r = 0;
        for (unsigned i = 0; i < n; i++)
            r = r << 1 | (a >> i & 1);
        return r;
    }
    case IR_EQ: return a == b;
    case IR_NE: return a != b;
    case IR_LT_S: return x < y;
    case IR_LE_S: return x <= y;
    case IR_LT_U: return a < b;
    default: return a <= b; /* LE_U */
    }
}

/* ---- any pure op ---- */

bool eval_knows(enum ir_opcode code)
{
    return (ir_op_info[code].flags & IR_OP_PURE) && code != IR_LANE_ID && code != IR_SHUFFLE && code != IR_QUAD_LANE &&
           code != IR_QUAD_XOR && code != IR_HELPER;
}

uint64_t eval_op(enum ir_opcode code, enum ir_type type, unsigned attr, uint64_t imm, const enum ir_type *arg_type,
                 const uint64_t *args, unsigned nargs, unsigned *how)
{
    unsigned ignored = 0;
    if (!how)
        how = &ignored;
    *how = EVAL_EXACT;
    enum ir_type from = nargs ? arg_type[0] : IR_VOID;
    unsigned n = width_of(from), bits = width_of(type);
    uint64_t sign = n ? 1ull << (n - 1) : 0, r;
    switch (code) {
    case IR_CONST: r = imm; break;
    case IR_COPY: r = attr ? finish(type, args[0], attr, how) : args[0]; break;
    case IR_BITCAST: case IR_LO32: case IR_ZEXT: case IR_TRUNC: r = args[0]; break;
    case IR_HI32: r = args[0] >> 32; break;
    case IR_PACK64: r = args[1] << 32 | args[0]; break;
    case IR_SELECT: r = args[0] ? args[1] : args[2]; break;
    case IR_SEXT: r = (uint64_t)signed_of(args[0], n); break;
    case IR_FNEG: r = args[0] ^ sign; break;
    case IR_FABS: r = args[0] & ~sign; break;
    case IR_FMIN: case IR_FMAX: r = finish(type, min_max(code, type, attr, args, how), attr, how); break;
    case IR_FEQ: case IR_FNE: case IR_FLT: case IR_FLE: case IR_FUNORD: r = compare_op(code, from, attr, args); break;
    case IR_FREXP_EXP: {
        struct num v = unpack(from, args[0], attr);
        r = v.kind == FINITE ? (uint64_t)(int64_t)(v.exp + TOP + 1) : 0;
        break;
    }
    case IR_FEXP2: case IR_FLOG2: case IR_FPOW: case IR_FSIN: case IR_FCOS:
        r = finish(type, function(code, attr, args, how), attr, how);
        break;
    case IR_S2F: r = finish(type, pack(type, integer_num(signed_of(args[0], n)), attr), attr, how); break;
    case IR_U2F: r = finish(type, pack(type, integer_num((i128)args[0]), attr), attr, how); break;
    case IR_F2S: case IR_F2U: r = to_integer(from, type, code == IR_F2S, attr, args[0]); break;
    case IR_F2F: r = narrow_float(from, type, attr, args[0], how); break;
    default:
        r = from >= IR_F16 ? float_op(code, type, attr, args, nargs, how) : int_op(code, n, attr, args, nargs);
    }
    return low_bits(r, bits);
}

bool eval_accepts(enum ir_type type, uint64_t want, unsigned how, uint64_t got)
{
    if (want == got)
        return true;
    if (type < IR_F16)
        return false;
    struct format f = format_of(type);
    struct num a = unpack(type, want, 0), b = unpack(type, got, 0);
    if ((how & EVAL_ANY_NAN) && a.kind == NAN_ && b.kind == NAN_)
        return true;
    if ((how & EVAL_ANY_ZERO) && a.kind == ZERO && b.kind == ZERO)
        return true;
    if (!(how & EVAL_ULP) || a.kind == NAN_ || b.kind == NAN_)
        return false;
    int64_t x = (int64_t)low_bits(want, f.bits - 1), y = (int64_t)low_bits(got, f.bits - 1);
    x = a.neg ? -x : x;
    y = b.neg ? -y : y;
    return x - y <= 1 && y - x <= 1;
}

/* ---- programs ---- */

static uint64_t scramble(uint64_t v)
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ v >> 27) * 0x94d049bb133111ebull;
    return v ^ v >> 31;
}

struct place {
    uint64_t *elem;
    unsigned width, bits, shift;
    bool outside;
};

static struct place place_of(struct eval_lane *l, const struct ir_op *op, const uint64_t *v)
{
    const struct ir_reg *r = &l->p->regs[op->desc];
    struct place at = {NULL, l->p->files[r->file].bits, width_of((enum ir_type)r->part), r->shift, false};
    int64_t elem = r->elem;
    if (op->code != IR_GET && op->code != IR_SET) {
        int32_t index = (int32_t)(uint32_t)v[ir_args(l->p, op)[0]];
        at.outside = index < r->first || index > r->last;
        elem += at.outside ? 0 : (int64_t)index * r->stride;
    }
    at.elem = l->file[r->file] + elem;
    return at;
}

static uint64_t read_reg(struct place at)
{
    uint64_t v = 0;
    if (at.outside)
        return 0;
    if (at.bits <= at.width)
        return low_bits(*at.elem >> at.shift, at.bits);
    for (unsigned i = 0; i < at.bits / at.width; i++)
        v |= at.elem[i] << i * at.width;
    return v;
}

static void write_reg(struct place at, uint64_t v)
{
    if (at.outside)
        return;
    if (at.bits <= at.width) {
        uint64_t mask = low_bits(~0ull, at.bits) << at.shift;
        *at.elem = (*at.elem & ~mask) | v << at.shift;
        return;
    }
    for (unsigned i = 0; i < at.bits / at.width; i++)
        at.elem[i] = low_bits(v >> i * at.width, at.width);
}

/* The bytes of an element of an access; NULL outside the space. */
static uint8_t *memory_at(struct eval_lane *l, const struct ir_op *op, uint64_t addr, unsigned element)
{
    const struct ir_mem *m = &l->p->mems[op->desc];
    unsigned size = width_of((enum ir_type)m->elem) / 8;
    if (m->align)
        addr = (addr + (uint64_t)m->offset) & ~(uint64_t)(m->align - 1);
    else
        addr += (uint64_t)m->offset;
    addr += (uint64_t)element * size;
    if (addr > l->space_size[m->space] || l->space_size[m->space] - addr < size)
        return NULL;
    return l->space[m->space] + addr;
}

static void load(struct eval_lane *l, const struct ir_op *op, uint64_t *v)
{
    unsigned size = width_of((enum ir_type)l->p->mems[op->desc].elem) / 8;
    for (unsigned i = 0; i < op->nres; i++) {
        const uint8_t *at = memory_at(l, op, v[ir_args(l->p, op)[0]], i);
        v[op->res + i] = 0;
        if (at)
            memcpy(&v[op->res + i], at, size);
    }
}

static void store(struct eval_lane *l, const struct ir_op *op, const uint64_t *v)
{
    unsigned size = width_of((enum ir_type)l->p->mems[op->desc].elem) / 8;
    for (unsigned i = 1; i < op->nargs; i++) {
        uint8_t *at = memory_at(l, op, v[ir_args(l->p, op)[0]], i - 1);
        if (at)
            memcpy(at, &v[ir_args(l->p, op)[i]], size);
    }
}

static bool effect(struct eval_lane *l, const struct ir_op *op, uint64_t *v)
{
    const ir_value *args = ir_args(l->p, op);
    if (op->pred && !v[op->pred])
        return true;
    switch (op->code) {
    case IR_SET:
    case IR_SET_DYN:
        write_reg(place_of(l, op, v), v[args[op->nargs - 1]]);
        return true;
    case IR_STORE:
        if (!l->discarded)
            store(l, op, v);
        return true;
    case IR_OUTPUT:
        if (!l->discarded)
            l->output[(op->desc * 4 + op->imm) % EVAL_OUTPUTS] = v[args[0]];
        return true;
    case IR_DISCARD:
        l->discarded |= v[args[0]] != 0;
        return true;
    default:
        return false;
    }
}

static bool state_op(struct eval_lane *l, const struct ir_op *op, uint64_t *v)
{
    const ir_value *args = ir_args(l->p, op);
    uint64_t a = op->nargs ? v[args[0]] : 0;
    unsigned bits = width_of((enum ir_type)op->type);
    switch (op->code) {
    case IR_GET:
    case IR_GET_DYN:
        v[op->res] = read_reg(place_of(l, op, v));
        return true;
    case IR_LOAD:
        if (op->pred && !v[op->pred])
            memset(&v[op->res], 0, op->nres * sizeof *v);
        else
            load(l, op, v);
        return true;
    case IR_LANE_ID:
        v[op->res] = l->lane;
        return true;
    case IR_SYSVAL:
    case IR_ATTR:
    case IR_INTERP:
        v[op->res] = low_bits(
            scramble(op->code * 1000003ull + op->imm * 8191 + op->desc * 127 + op->attr + (op->uniform ? 0 : l->lane)),
            bits);
        return true;
    case IR_BALLOT:
        v[op->res] = a << l->lane;
        return true;
    case IR_ANY: case IR_ALL: case IR_FIRST: case IR_REDUCE: case IR_QUAD_LANE: case IR_QUAD_XOR:
        v[op->res] = a;
        return true;
    case IR_SHUFFLE:
        v[op->res] = v[args[1]] < l->p->lanes ? a : 0;
        return true;
    default:
        return false;
    }
}

static bool pure_op(const struct ir_program *p, const struct ir_op *op, uint64_t *v)
{
    enum ir_type types[8];
    uint64_t args[8];
    if (!eval_knows((enum ir_opcode)op->code) || op->nargs > 8)
        return false;
    for (unsigned i = 0; i < op->nargs; i++) {
        types[i] = (enum ir_type)p->value_type[ir_args(p, op)[i]];
        args[i] = v[ir_args(p, op)[i]];
    }
    v[op->res] =
        eval_op((enum ir_opcode)op->code, (enum ir_type)op->type, op->attr, op->imm, types, args, op->nargs, NULL);
    return true;
}

/* The next block; 0 at the end; UINT32_MAX when an op is not known. */
static uint32_t run_block(struct eval_lane *l, uint32_t block, uint64_t *v)
{
    const struct ir_program *p = l->p;
    for (uint32_t i = 0; i < p->blocks[block].count; i++) {
        const struct ir_op *op = &p->blocks[block].ops[i];
        switch (op->code) {
        case IR_GOTO:
        case IR_BARRIER:
            return op->desc;
        case IR_BRANCH:
            return v[ir_args(p, op)[0]] ? op->desc : (uint32_t)op->imm;
        case IR_CONTROL:
            if (p->controls[op->desc].way == IR_WAY_MEET)
                return p->controls[op->desc].target[0];
            if (p->controls[op->desc].ntargets < 2 || !op->nargs)
                return UINT32_MAX;
            return p->controls[op->desc].target[v[ir_args(p, op)[0]] ? 0 : 1];
        case IR_TRAP:
        case IR_END:
            return 0;
        default:
            if (!(ir_op_info[op->code].flags & IR_OP_EFFECT ? effect(l, op, v)
                                                           : state_op(l, op, v) || pure_op(p, op, v)))
                return UINT32_MAX;
        }
    }
    return block == IR_PROLOGUE ? IR_ENTRY : UINT32_MAX;
}

bool eval_run(struct eval_lane *l, uint64_t budget)
{
    uint64_t *v = calloc(l->p->nvalues, sizeof *v);
    uint32_t block = v ? run_block(l, IR_PROLOGUE, v) : UINT32_MAX;
    for (l->steps = 0; block != IR_PROLOGUE && block != UINT32_MAX && l->steps < budget; l->steps++)
        block = run_block(l, block, v);
    free(v);
    return block == IR_PROLOGUE;
}
