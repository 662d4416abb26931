/* lift_ext.c - the instructions of GLSL.std.450. */
#include "isa/spirv/ext.h"

#include <spirv/unified1/GLSL.std.450.h>

static ir_value constant(struct spirv_lifter *l, ir_value like, double v)
{
    return spirv_float(l, ir_type_of(&l->b, like), v);
}

/* ---- of one float ---- */

static ir_value fract(struct spirv_lifter *l, ir_value x)
{
    ir_value v = spirv_2(l, IR_FSUB, x, spirv_emit(l, IR_FRINT, IR_VOID, IR_RDN, &x, 1, 0));
    /* the difference of a small negative number rounds to 1: the largest number below it */
    enum ir_type type = ir_type_of(&l->b, x);
    uint64_t most = type == IR_F32 ? 0x3f7fffff : type == IR_F16 ? 0x3bff : UINT64_C(0x3fefffffffffffff);
    ir_value below = spirv_const(l, type, most);
    return spirv_select(l, spirv_2(l, IR_FLE, constant(l, x, 1), v), below, v);
}

static ir_value fsign(struct spirv_lifter *l, ir_value x)
{
    ir_value zero = constant(l, x, 0);
    ir_value v = spirv_select(l, spirv_2(l, IR_FLT, x, zero), constant(l, x, -1), x);
    return spirv_select(l, spirv_2(l, IR_FLT, zero, x), constant(l, x, 1), v);
}

static ir_value ssign(struct spirv_lifter *l, ir_value x)
{
    enum ir_type type = ir_type_of(&l->b, x);
    ir_value zero = spirv_const(l, type, 0);
    ir_value v = spirv_select(l, spirv_2(l, IR_LT_S, x, zero), spirv_const(l, type, UINT64_MAX), zero);
    return spirv_select(l, spirv_2(l, IR_LT_S, zero, x), spirv_const(l, type, 1), v);
}

static ir_value scaled(struct spirv_lifter *l, ir_value x, double by)
{
    return spirv_2(l, IR_FMUL, x, constant(l, x, by));
}

/* An op on floats of 32 bits; others go there and back. */
static ir_value narrow(struct spirv_lifter *l, enum ir_opcode code, ir_value x)
{
    enum ir_type type = ir_type_of(&l->b, x);
    if (type == IR_F32)
        return spirv_1(l, code, x);
    return spirv_cvt(l, IR_F2F, type, spirv_1(l, code, spirv_cvt(l, IR_F2F, IR_F32, x)));
}

static ir_value one_float(struct spirv_lifter *l, uint32_t number, ir_value x)
{
    switch (number) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
        return spirv_emit(l, IR_FRINT, IR_VOID, IR_RNE, &x, 1, 0);
    case GLSLstd450Trunc:
        return spirv_emit(l, IR_FRINT, IR_VOID, IR_RTZ, &x, 1, 0);
    case GLSLstd450Floor:
        return spirv_emit(l, IR_FRINT, IR_VOID, IR_RDN, &x, 1, 0);
    case GLSLstd450Ceil:
        return spirv_emit(l, IR_FRINT, IR_VOID, IR_RUP, &x, 1, 0);
    case GLSLstd450FAbs:
        return spirv_1(l, IR_FABS, x);
    case GLSLstd450FSign:
        return fsign(l, x);
    case GLSLstd450Fract:
        return fract(l, x);
    case GLSLstd450Radians:
        return scaled(l, x, 0.017453292519943295);
    case GLSLstd450Degrees:
        return scaled(l, x, 57.29577951308232);
    case GLSLstd450Sin:
        return narrow(l, IR_FSIN, x);
    case GLSLstd450Cos:
        return narrow(l, IR_FCOS, x);
    case GLSLstd450Tan:
        return spirv_2(l, IR_FDIV, narrow(l, IR_FSIN, x), narrow(l, IR_FCOS, x));
    case GLSLstd450Exp2:
        return narrow(l, IR_FEXP2, x);
    case GLSLstd450Log2:
        return narrow(l, IR_FLOG2, x);
    case GLSLstd450Sqrt:
        return spirv_1(l, IR_FSQRT, x);
    case GLSLstd450InverseSqrt:
        return spirv_2(l, IR_FDIV, constant(l, x, 1), spirv_1(l, IR_FSQRT, x));
    default:
        return spirv_ext_function(l, number, &x, 1);
    }
}

/* ---- of two and three ---- */

static ir_value step_of(struct spirv_lifter *l, ir_value edge, ir_value x)
{
    return spirv_select(l, spirv_2(l, IR_FLT, x, edge), constant(l, x, 0), constant(l, x, 1));
}

static ir_value smooth_step(struct spirv_lifter *l, ir_value low, ir_value high, ir_value x)
{
    ir_value t = spirv_2(l, IR_FDIV, spirv_2(l, IR_FSUB, x, low), spirv_2(l, IR_FSUB, high, low));
    t = spirv_1(l, IR_FSAT, t);
    ir_value slope = spirv_2(l, IR_FSUB, constant(l, x, 3), spirv_2(l, IR_FMUL, constant(l, x, 2), t));
    return spirv_2(l, IR_FMUL, spirv_2(l, IR_FMUL, t, t), slope);
}

static ir_value mix(struct spirv_lifter *l, ir_value x, ir_value y, ir_value a)
{
    ir_value rest = spirv_2(l, IR_FSUB, constant(l, x, 1), a);
    return spirv_2(l, IR_FADD, spirv_2(l, IR_FMUL, x, rest), spirv_2(l, IR_FMUL, y, a));
}

/* The first of two where they are equal or one is not a number, as the suite's tests of NClamp and NMin want it of
 * numbers; FMIN and FMAX let a number win in any case, which FMin allows too. */
static ir_value least(struct spirv_lifter *l, ir_value a, ir_value b)
{
    return spirv_emit(l, IR_FMIN, IR_VOID, IR_MINMAX_NUMBER, (const ir_value[]){a, b}, 2, 0);
}

static ir_value most(struct spirv_lifter *l, ir_value a, ir_value b)
{
    return spirv_emit(l, IR_FMAX, IR_VOID, IR_MINMAX_NUMBER, (const ir_value[]){a, b}, 2, 0);
}

static ir_value power(struct spirv_lifter *l, ir_value x, ir_value y)
{
    enum ir_type type = ir_type_of(&l->b, x);
    if (type == IR_F32)
        return spirv_2(l, IR_FPOW, x, y);
    return spirv_cvt(l, IR_F2F, type,
                     spirv_2(l, IR_FPOW, spirv_cvt(l, IR_F2F, IR_F32, x), spirv_cvt(l, IR_F2F, IR_F32, y)));
}

static ir_value some_floats(struct spirv_lifter *l, uint32_t number, const ir_value *x)
{
    switch (number) {
    case GLSLstd450Pow:
        return power(l, x[0], x[1]);
    case GLSLstd450FMin:
    case GLSLstd450NMin:
        return least(l, x[0], x[1]);
    case GLSLstd450FMax:
    case GLSLstd450NMax:
        return most(l, x[0], x[1]);
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
        return least(l, most(l, x[0], x[1]), x[2]);
    case GLSLstd450FMix:
        return mix(l, x[0], x[1], x[2]);
    case GLSLstd450Step:
        return step_of(l, x[0], x[1]);
    case GLSLstd450SmoothStep:
        return smooth_step(l, x[0], x[1], x[2]);
    case GLSLstd450Fma:
        return spirv_3(l, IR_FFMA, x[0], x[1], x[2]);
    case GLSLstd450Atan2:
        return spirv_ext_function(l, number, x, 2);
    default:
        return 0;
    }
}

/* ---- of integers ---- */

static ir_value clamp(struct spirv_lifter *l, enum ir_opcode low, enum ir_opcode high, const ir_value *x)
{
    return spirv_2(l, high, spirv_2(l, low, x[0], x[1]), x[2]);
}

/* The place of the highest bit that differs from the sign; -1: there is none. */
static ir_value find_high(struct spirv_lifter *l, ir_value x, bool is_signed)
{
    enum ir_type type = ir_type_of(&l->b, x);
    unsigned width = ir_type_bits(type);
    if (is_signed)
        x = spirv_2(l, IR_XOR, x, spirv_2(l, IR_SHR_S, x, spirv_i32(l, width - 1)));
    return spirv_2(l, IR_SUB, spirv_const(l, type, width - 1), spirv_1(l, IR_CLZ, x));
}

static ir_value find_low(struct spirv_lifter *l, ir_value x)
{
    enum ir_type type = ir_type_of(&l->b, x);
    ir_value none = spirv_2(l, IR_EQ, x, spirv_const(l, type, 0));
    return spirv_select(l, none, spirv_const(l, type, UINT64_MAX), spirv_1(l, IR_CTZ, x));
}

static ir_value some_integers(struct spirv_lifter *l, uint32_t number, const ir_value *x)
{
    switch (number) {
    case GLSLstd450SAbs:
        return spirv_1(l, IR_ABS, x[0]);
    case GLSLstd450SSign:
        return ssign(l, x[0]);
    case GLSLstd450UMin:
        return spirv_2(l, IR_MIN_U, x[0], x[1]);
    case GLSLstd450SMin:
        return spirv_2(l, IR_MIN_S, x[0], x[1]);
    case GLSLstd450UMax:
        return spirv_2(l, IR_MAX_U, x[0], x[1]);
    case GLSLstd450SMax:
        return spirv_2(l, IR_MAX_S, x[0], x[1]);
    case GLSLstd450UClamp:
        return clamp(l, IR_MAX_U, IR_MIN_U, x);
    case GLSLstd450SClamp:
        return clamp(l, IR_MAX_S, IR_MIN_S, x);
    case GLSLstd450FindILsb:
        return find_low(l, x[0]);
    case GLSLstd450FindSMsb:
        return find_high(l, x[0], true);
    case GLSLstd450FindUMsb:
        return find_high(l, x[0], false);
    default:
        return 0;
    }
}

/* ---- dispatch ---- */

/* Operands that are the same for each component: as many values, of one type. */
static bool same_shape(struct spirv_lifter *l, const ir_value *a, uint32_t n, const ir_value *b, uint32_t m)
{
    return n == m && ir_type_of(&l->b, a[0]) == ir_type_of(&l->b, b[0]);
}

/* What works on all components alike: floats, or integers. */
static void map(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, unsigned n)
{
    const ir_value *a[3];
    uint32_t count = 0, other;
    for (unsigned k = 0; k < n; k++) {
        a[k] = spirv_use_alike(l, ids[k], k ? &other : &count);
        if (!a[k])
            return;
        if (k && !same_shape(l, a[0], count, a[k], other)) {
            spirv_wrong(l, "%s: its operands are of types that do not go together", spirv_ext_name(number));
            return;
        }
    }
    enum ir_type type = ir_type_of(&l->b, a[0][0]);
    ir_value *v = spirv_room(l, count);
    for (uint32_t i = 0; v && i < count && !l->failed; i++) {
        ir_value x[3] = {a[0][i], n > 1 ? a[1][i] : 0, n > 2 ? a[2][i] : 0};
        v[i] = type == IR_I1     ? 0
               : type < IR_F16   ? some_integers(l, number, x)
               : n == 1          ? one_float(l, number, x[0])
                                 : some_floats(l, number, x);
        if (!v[i])
            spirv_wrong(l, "%s of such operands is not executed", spirv_ext_name(number));
    }
    if (v && !l->failed)
        spirv_result(l, v, count);
}

/* How many operands those have that work on all components alike; 0: it does not. */
static unsigned mapped(uint32_t number)
{
    switch (number) {
    case GLSLstd450Atan2:
    case GLSLstd450Pow:
    case GLSLstd450FMin:
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450FMax:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
    case GLSLstd450Step:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
        return 2;
    case GLSLstd450FClamp:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450FMix:
    case GLSLstd450SmoothStep:
    case GLSLstd450Fma:
    case GLSLstd450NClamp:
        return 3;
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb:
        return 1;
    default:
        return number >= GLSLstd450Round && number <= GLSLstd450InverseSqrt ? 1 : 0;
    }
}

void spirv_lift_ext(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t number = w[4];
    if (l->values[w[3]].type != 1) /* for debuggers: it does nothing */
        return;
    unsigned count = mapped(number);
    if (!spirv_ext_name(number))
        spirv_wrong(l, "GLSL.std.450 has no instruction %u", number);
    else if (count && l->nw - 5 == count)
        map(l, number, w + 5, count);
    else if (count)
        spirv_wrong(l, "%s has %u operands", spirv_ext_name(number), count);
    else
        spirv_ext_whole(l, number, w + 5, l->nw - 5);
}
