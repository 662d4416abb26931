/* constant.c - the value of an op whose arguments are constants. */
#include "ir/constant.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint64_t ones(unsigned bits)
{
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

static int64_t sign_extend(uint64_t v, unsigned bits)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)(((v & ones(bits)) ^ sign) - sign);
}

static uint64_t absolute(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* High half of a product of `bits` wide numbers. */
static uint64_t high_half(uint64_t a, uint64_t b, unsigned bits, bool is_signed)
{
    if (is_signed) {
        __extension__ __int128 product = (__int128)sign_extend(a, bits) * sign_extend(b, bits);
        return (uint64_t)(product >> bits);
    }
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> bits);
}

static uint64_t clamp_signed(int64_t low, int64_t high, bool over, bool under, uint64_t v)
{
    return over ? (uint64_t)high : under ? (uint64_t)low : v;
}

static uint64_t add_clamped(uint64_t a, uint64_t b, unsigned bits, bool subtract)
{
    __extension__ __int128 x = sign_extend(a, bits), y = sign_extend(b, bits), sum = subtract ? x - y : x + y;
    int64_t high = (int64_t)(ones(bits) >> 1), low = -high - 1;
    return clamp_signed(low, high, sum > high, sum < low, (uint64_t)sum);
}

static uint64_t divide(unsigned code, uint64_t a, uint64_t b, unsigned bits)
{
    if (b == 0)
        return UINT64_MAX;
    if (code == IR_DIV_U)
        return a / b;
    if (code == IR_REM_U)
        return a % b;
    int64_t x = sign_extend(a, bits), y = sign_extend(b, bits);
    uint64_t quotient = absolute(x) / absolute(y), rest = absolute(x) % absolute(y);
    if (code == IR_DIV_S)
        return (x < 0) != (y < 0) ? 0 - quotient : quotient;
    return x < 0 ? 0 - rest : rest;
}

static uint64_t reverse(uint64_t v, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return r;
}

static bool integer_op(const struct ir_op *op, unsigned bits, const uint64_t *args, uint64_t *result)
{
    uint64_t a = args[0], b = op->nargs > 1 ? args[1] : 0;
    int64_t x = sign_extend(a, bits), y = sign_extend(b, bits);
    unsigned shift = (unsigned)b & (bits - 1);
    bool clamp = op->attr & IR_SAT;
    switch (op->code) {
    case IR_ADD: *result = clamp ? add_clamped(a, b, bits, false) : a + b; break;
    case IR_SUB: *result = clamp ? add_clamped(a, b, bits, true) : a - b; break;
    case IR_ADD_SATU: *result = b > ones(bits) - a ? ones(bits) : a + b; break;
    case IR_SUB_SATU: *result = a < b ? 0 : a - b; break;
    case IR_MUL: *result = a * b; break;
    case IR_MULHI_S: *result = high_half(a, b, bits, true); break;
    case IR_MULHI_U: *result = high_half(a, b, bits, false); break;
    case IR_DIV_S: case IR_DIV_U: case IR_REM_S: case IR_REM_U: *result = divide(op->code, a, b, bits); break;
    case IR_NEG: *result = 0 - a; break;
    case IR_ABS: *result = absolute(x); break;
    case IR_MIN_S: *result = x < y ? a : b; break;
    case IR_MAX_S: *result = x > y ? a : b; break;
    case IR_MIN_U: *result = a < b ? a : b; break;
    case IR_MAX_U: *result = a > b ? a : b; break;
    case IR_AND: *result = a & b; break;
    case IR_OR: *result = a | b; break;
    case IR_XOR: *result = a ^ b; break;
    case IR_NOT: *result = ~a; break;
    case IR_SHL: *result = a << shift; break;
    case IR_SHR_S: *result = (uint64_t)(x >> shift); break;
    case IR_SHR_U: *result = a >> shift; break;
    case IR_POPCOUNT: *result = (uint64_t)__builtin_popcountll(a); break;
    case IR_CLZ: *result = a ? (uint64_t)__builtin_clzll(a) - (64 - bits) : bits; break;
    case IR_CTZ: *result = a ? (uint64_t)__builtin_ctzll(a) : bits; break;
    case IR_BITREV: *result = reverse(a, bits); break;
    case IR_EQ: *result = a == b; break;
    case IR_NE: *result = a != b; break;
    case IR_LT_S: *result = x < y; break;
    case IR_LE_S: *result = x <= y; break;
    case IR_LT_U: *result = a < b; break;
    case IR_LE_U: *result = a <= b; break;
    case IR_ZEXT: case IR_TRUNC: *result = a; break;
    case IR_SEXT: *result = (uint64_t)x; break;
    default: return false;
    }
    return true;
}

/* ---- floats ---- */

static double value_of(unsigned type, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &word, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return type == IR_F32 ? (double)f : d;
}

static uint64_t bits_of(unsigned type, double v)
{
    float f = (float)v;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &f, sizeof word);
    memcpy(&bits, &v, sizeof bits);
    return type == IR_F32 ? word : bits;
}

/* Numbers that every rule treats alike: not NaN, not near the denormals. */
static bool plain(unsigned type, double v)
{
    double small = type == IR_F32 ? 2 * (double)FLT_MIN : 2 * DBL_MIN;
    return !isnan(v) && (v == 0 || fabs(v) > small);
}

static bool compare(unsigned code, double a, double b, uint64_t *result)
{
    switch (code) {
    case IR_FEQ: *result = a == b; return true;
    case IR_FNE: *result = a != b; return true;
    case IR_FLT: *result = a < b; return true;
    case IR_FLE: *result = a <= b; return true;
    case IR_FUNORD: *result = 0; return true;
    default: return false;
    }
}

/* In the type's own precision: rounding a double's result to f32 would round twice. */
static bool arithmetic(const struct ir_op *op, const double *v, double *result)
{
    bool narrow = op->type == IR_F32;
    float a = (float)v[0], b = (float)v[1], c = (float)v[2];
    switch (op->code) {
    case IR_FADD: *result = narrow ? (double)(a + b) : v[0] + v[1]; return true;
    case IR_FSUB: *result = narrow ? (double)(a - b) : v[0] - v[1]; return true;
    case IR_FMUL: *result = narrow ? (double)(a * b) : v[0] * v[1]; return true;
    case IR_FDIV: *result = narrow ? (double)(a / b) : v[0] / v[1]; return true;
    case IR_FFMA: *result = narrow ? (double)fmaf(a, b, c) : fma(v[0], v[1], v[2]); return true;
    case IR_FSQRT: *result = narrow ? (double)sqrtf(a) : sqrt(v[0]); return true;
    /* of equal numbers only the two zeros can be told apart */
    case IR_FMIN: *result = v[0] < v[1] ? v[0] : v[1]; return v[0] != v[1] || !signbit(v[0]) == !signbit(v[1]);
    case IR_FMAX: *result = v[0] > v[1] ? v[0] : v[1]; return v[0] != v[1] || !signbit(v[0]) == !signbit(v[1]);
    default: return false;
    }
}

static bool float_op(const struct ir_program *p, const struct ir_op *op, const uint64_t *args, uint64_t *result)
{
    unsigned type = p->value_type[ir_args(p, op)[0]];
    double v[3] = {0}, r = 0;
    if ((type != IR_F32 && type != IR_F64) || op->nargs > 3 || (op->attr & (IR_ROUND_MASK | IR_SAT)))
        return false;
    for (unsigned i = 0; i < op->nargs; i++) {
        v[i] = value_of(type, args[i]);
        if (!plain(type, v[i]))
            return false;
    }
    if (compare(op->code, v[0], v[1], result))
        return true;
    if (!arithmetic(op, v, &r) || !plain(type, r))
        return false;
    *result = bits_of(type, r);
    return true;
}

static bool integer_to_float(const struct ir_program *p, const struct ir_op *op, uint64_t a, uint64_t *result)
{
    int64_t x = sign_extend(a, ir_type_bits((enum ir_type)p->value_type[ir_args(p, op)[0]]));
    if ((op->type != IR_F32 && op->type != IR_F64) || (op->attr & (IR_ROUND_MASK | IR_SAT)))
        return false;
    bool is_signed = op->code == IR_S2F;
    double wide = is_signed ? (double)x : (double)a;
    float narrow = is_signed ? (float)x : (float)a;
    *result = bits_of(op->type, op->type == IR_F32 ? (double)narrow : wide);
    return true;
}

static bool float_to_integer(const struct ir_program *p, const struct ir_op *op, uint64_t a, uint64_t *result)
{
    unsigned type = p->value_type[ir_args(p, op)[0]];
    if ((type != IR_F32 && type != IR_F64) || (op->attr & IR_ROUND_MASK) != IR_RTZ)
        return false;
    double v = value_of(type, a), limit = (double)(ones(ir_type_bits((enum ir_type)op->type)) >> 1) / 2;
    if (!(fabs(v) < limit) || (v < 0 && op->code == IR_F2U))
        return false;
    *result = (uint64_t)(int64_t)v;
    return true;
}

bool ir_constant(const struct ir_program *p, const struct ir_op *op, const uint64_t *args, uint64_t *result)
{
    unsigned type = op->nargs ? p->value_type[ir_args(p, op)[0]] : IR_VOID;
    unsigned bits = ir_type_bits((enum ir_type)type), width = ir_type_bits((enum ir_type)op->type);
    bool known;
    *result = 0;
    if (op->nargs == 0)
        return false;
    uint64_t sign = (uint64_t)1 << (bits - 1);
    switch (op->code) {
    case IR_COPY:
        *result = args[0];
        known = !op->attr;
        break;
    case IR_BITCAST:
    case IR_LO32:
        *result = args[0];
        known = true;
        break;
    case IR_HI32:
        *result = args[0] >> 32;
        known = true;
        break;
    case IR_PACK64:
        *result = args[0] | args[1] << 32;
        known = true;
        break;
    case IR_SELECT:
        *result = args[0] ? args[1] : args[2];
        known = true;
        break;
    case IR_FNEG:
        *result = args[0] ^ sign;
        known = true;
        break;
    case IR_FABS:
        *result = args[0] & ~sign;
        known = true;
        break;
    case IR_S2F:
    case IR_U2F:
        known = integer_to_float(p, op, args[0], result);
        break;
    case IR_F2S:
    case IR_F2U:
        known = float_to_integer(p, op, args[0], result);
        break;
    default:
        known = type >= IR_F16 ? float_op(p, op, args, result) : integer_op(op, bits, args, result);
    }
    *result &= ones(width);
    return known;
}
