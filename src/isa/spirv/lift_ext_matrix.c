/* lift_ext_matrix.c - determinants and inverses of GLSL.std.450. */
#include "isa/spirv/ext.h"

#include <spirv/unified1/GLSL.std.450.h>

/* Matrices are computed in wider numbers than they are of, and rounded once at the end: products of products lose too
 * much. Halves are so in f32, singles in f64; a double is the sum of two, `lo` being what `hi` has lost (0: nothing is
 * kept). */
struct wide {
    ir_value hi, lo;
};

/* a + b, with what is lost of it added to both losses: T. J. Dekker, "A Floating-Point Technique for Extending the
 * Available Precision" (1971), with D. E. Knuth's sum of two numbers of any order. */
static struct wide wide_sum(struct spirv_lifter *l, struct wide a, struct wide b)
{
    struct wide sum = {spirv_2(l, IR_FADD, a.hi, b.hi), 0};
    if (!a.lo)
        return sum;
    ir_value from_b = spirv_2(l, IR_FSUB, sum.hi, a.hi), from_a = spirv_2(l, IR_FSUB, sum.hi, from_b);
    ir_value lost = spirv_2(l, IR_FADD, spirv_2(l, IR_FSUB, a.hi, from_a), spirv_2(l, IR_FSUB, b.hi, from_b));
    sum.lo = spirv_2(l, IR_FADD, lost, spirv_2(l, IR_FADD, a.lo, b.lo));
    return sum;
}

static struct wide wide_product(struct spirv_lifter *l, ir_value a, struct wide b)
{
    struct wide product = {spirv_2(l, IR_FMUL, a, b.hi), 0};
    if (b.lo) {
        ir_value lost = spirv_3(l, IR_FFMA, a, b.hi, spirv_1(l, IR_FNEG, product.hi));
        product.lo = spirv_3(l, IR_FFMA, a, b.lo, lost);
    }
    return product;
}

/* Infinities and what is not a number have lost nothing. */
static ir_value narrow(struct spirv_lifter *l, struct wide a)
{
    if (!a.lo)
        return a.hi;
    ir_value none = spirv_2(l, IR_FSUB, a.hi, a.hi), finite = spirv_2(l, IR_FEQ, none, none);
    return spirv_select(l, finite, spirv_2(l, IR_FADD, a.hi, a.lo), a.hi);
}

struct matrix {
    struct spirv_lifter *l;
    uint32_t n; /* columns */
    ir_value *m;
    ir_value zero; /* where losses are kept; 0: they are not */
};

/* The determinant of the rows and columns that are left. */
static struct wide minor_of(const struct matrix *x, uint32_t rows, uint32_t columns)
{
    struct spirv_lifter *l = x->l;
    uint32_t row = (uint32_t)__builtin_ctz(rows);
    struct wide sum = {0, 0};
    bool minus = false;
    if ((rows & (rows - 1)) == 0)
        return (struct wide){x->m[(uint32_t)__builtin_ctz(columns) * x->n + row], x->zero};
    for (uint32_t column = 0; column < x->n; column++) {
        if (!(columns >> column & 1))
            continue;
        ir_value by = x->m[column * x->n + row];
        by = minus ? spirv_1(l, IR_FNEG, by) : by;
        struct wide part = wide_product(l, by, minor_of(x, rows & (rows - 1), columns & ~(1u << column)));
        sum = !sum.hi ? part : wide_sum(l, sum, part);
        minus = !minus;
    }
    return sum;
}

static ir_value cofactor(const struct matrix *x, uint32_t column, uint32_t row)
{
    uint32_t all = (1u << x->n) - 1;
    ir_value v = narrow(x->l, minor_of(x, all & ~(1u << column), all & ~(1u << row)));
    return (column + row) & 1 ? spirv_1(x->l, IR_FNEG, v) : v;
}

void spirv_ext_matrix(struct spirv_lifter *l, uint32_t number, const uint32_t *ids)
{
    uint32_t count, n = 2;
    const ir_value *given = spirv_ext_floats(l, ids[0], &count);
    if (!given)
        return;
    while (n * n < count)
        n++;
    if (n * n != count || n > 4) {
        spirv_wrong(l, "the matrix is not square");
        return;
    }
    enum ir_type type = ir_type_of(&l->b, given[0]), in = type == IR_F16 ? IR_F32 : IR_F64;
    struct matrix x = {l, n, spirv_room(l, count), type == IR_F64 ? spirv_float(l, IR_F64, 0) : 0};
    ir_value *v = spirv_room(l, count);
    for (uint32_t i = 0; x.m && i < count; i++)
        x.m[i] = type != in ? spirv_cvt(l, IR_F2F, in, given[i]) : given[i];
    if (!v || !x.m)
        return;
    ir_value whole = narrow(l, minor_of(&x, (1u << n) - 1, (1u << n) - 1));
    if (number == GLSLstd450Determinant) {
        v[0] = whole;
        count = 1;
    } else {
        for (uint32_t i = 0; i < count; i++)
            v[i] = spirv_2(l, IR_FDIV, cofactor(&x, i / n, i % n), whole);
    }
    for (uint32_t i = 0; type != in && i < count; i++)
        v[i] = spirv_cvt(l, IR_F2F, type, v[i]);
    spirv_result(l, v, count);
}
