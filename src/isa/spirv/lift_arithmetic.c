/* lift_arithmetic.c - numbers: what is done to every component, matrices, bits and relations. */
#include "isa/spirv/lift.h"

void spirv_lift_nothing(struct spirv_lifter *l, const uint32_t *w)
{
    (void)l;
    (void)w;
}

/* ---- component by component ---- */

/* Whether an op takes such arguments. */
static bool takes(enum ir_opcode code, enum ir_type type)
{
    bool is_float = type >= IR_F16, real = code >= IR_FADD && code <= IR_FREXP_EXP;
    bool logic = code == IR_AND || code == IR_OR || code == IR_XOR || code == IR_NOT;
    return is_float ? real : !real && (type != IR_I1 || logic);
}

/* One or two operands of n scalars each; false after an error. */
static bool operands(struct spirv_lifter *l, enum ir_opcode code, const ir_value *a[2], uint32_t *n)
{
    unsigned count = l->nw - 3;
    uint32_t other;
    a[0] = spirv_use_alike(l, l->w[3], n);
    a[1] = count > 1 && a[0] ? spirv_use_alike(l, l->w[4], &other) : a[0];
    if (!a[0] || !a[1])
        return false;
    enum ir_type type = ir_type_of(&l->b, a[0][0]);
    if ((count > 1 && other != *n) || ir_type_of(&l->b, a[1][0]) != type || !takes(code, type)) {
        spirv_wrong(l, "its operands are of types that it does not take");
        return false;
    }
    return true;
}

void spirv_lift_map(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    enum ir_opcode code = (enum ir_opcode)m->op;
    const ir_value *a[2];
    uint32_t count;
    (void)w;
    if (!operands(l, code, a, &count))
        return;
    bool unary = ir_op_info[code].args == 1;
    const ir_value *x = a[m->attr & SPIRV_SWAP ? 1 : 0], *y = a[m->attr & SPIRV_SWAP ? 0 : 1];
    ir_value *v = spirv_room(l, count);
    for (uint32_t i = 0; v && i < count; i++) {
        v[i] = unary ? spirv_1(l, code, x[i]) : spirv_2(l, code, x[i], y[i]);
        if (m->attr & SPIRV_NOT)
            v[i] = spirv_1(l, IR_NOT, v[i]);
    }
    if (v)
        spirv_result(l, v, count);
}

/* The same with a function for each component of two operands. */
typedef ir_value pair_fn(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b);
static void pairs(struct spirv_lifter *l, enum ir_opcode code, unsigned op, pair_fn *fn)
{
    const ir_value *a[2];
    uint32_t count;
    if (!operands(l, code, a, &count))
        return;
    ir_value *v = spirv_room(l, count);
    for (uint32_t i = 0; v && i < count; i++)
        v[i] = fn(l, op, a[0][i], a[1][i]);
    if (v)
        spirv_result(l, v, count);
}

/* The remainder with the sign of the divisor. */
static ir_value smod(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    enum ir_type type = ir_type_of(&l->b, a);
    ir_value zero = spirv_const(l, type, 0), r = spirv_2(l, IR_REM_S, a, b);
    ir_value differs = spirv_2(l, IR_LT_S, spirv_2(l, IR_XOR, r, b), zero);
    ir_value add = spirv_2(l, IR_AND, differs, spirv_2(l, IR_NE, r, zero));
    (void)op;
    return spirv_select(l, add, spirv_2(l, IR_ADD, r, b), r);
}

void spirv_lift_smod(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_REM_S, 0, smod);
}

/* a - b * round(a / b), where rounding is down or to zero. */
static ir_value fmod_of(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    ir_value q = spirv_2(l, IR_FDIV, a, b);
    ir_value whole = spirv_emit(l, IR_FRINT, IR_VOID, op, &q, 1, 0);
    return spirv_2(l, IR_FSUB, a, spirv_2(l, IR_FMUL, b, whole));
}

void spirv_lift_fmod(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_FDIV, l->meaning->op, fmod_of);
}

static ir_value or_unordered(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    return spirv_2(l, IR_OR, spirv_2(l, (enum ir_opcode)op, a, b), spirv_2(l, IR_FUNORD, a, b));
}

static ir_value and_ordered(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    ir_value ordered = spirv_1(l, IR_NOT, spirv_2(l, IR_FUNORD, a, b));
    return spirv_2(l, IR_AND, spirv_2(l, (enum ir_opcode)op, a, b), ordered);
}

void spirv_lift_unordered(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_FEQ, l->meaning->op, or_unordered);
}

void spirv_lift_ordered(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_FEQ, l->meaning->op, and_ordered);
}

static ir_value nan_of(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    (void)op;
    return spirv_2(l, IR_FUNORD, a, b);
}

void spirv_lift_is_nan(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_FUNORD, 0, nan_of);
}

static ir_value inf_of(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    (void)op;
    (void)b;
    enum ir_type type = ir_type_of(&l->b, a);
    uint64_t inf = type == IR_F16 ? 0x7c00 : type == IR_F32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
    return spirv_2(l, IR_FEQ, spirv_1(l, IR_FABS, a), spirv_const(l, type, inf));
}

void spirv_lift_is_inf(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    pairs(l, IR_FEQ, 0, inf_of);
}

/* ---- structs of two results: carry and wide products ---- */

static void two_results(struct spirv_lifter *l, pair_fn *low, pair_fn *high, unsigned op)
{
    const ir_value *a[2];
    uint32_t n;
    if (!operands(l, IR_ADD, a, &n))
        return;
    ir_value *v = spirv_room(l, 2 * n);
    for (uint32_t i = 0; v && i < n; i++) {
        v[i] = low(l, op, a[0][i], a[1][i]);
        v[n + i] = high(l, op, a[0][i], a[1][i]);
    }
    if (v)
        spirv_result(l, v, 2 * n);
}

static ir_value plain_op(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    return spirv_2(l, (enum ir_opcode)op, a, b);
}

static ir_value low_product(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    (void)op;
    return spirv_2(l, IR_MUL, a, b);
}

static ir_value carry_of(struct spirv_lifter *l, unsigned op, ir_value a, ir_value b)
{
    enum ir_type type = ir_type_of(&l->b, a);
    ir_value c = op == IR_ADD ? spirv_2(l, IR_LT_U, spirv_2(l, IR_ADD, a, b), a) : spirv_2(l, IR_LT_U, a, b);
    return spirv_select(l, c, spirv_const(l, type, 1), spirv_const(l, type, 0));
}

void spirv_lift_carry(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    two_results(l, plain_op, carry_of, l->meaning->op);
}

void spirv_lift_wide_multiply(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    two_results(l, low_product, plain_op, l->meaning->op);
}

/* ---- matrices ---- */

void spirv_lift_times_scalar(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count, one;
    const ir_value *a = spirv_use_alike(l, w[3], &count), *s = a ? spirv_use(l, w[4], &one) : NULL;
    ir_value *v = s ? spirv_room(l, count) : NULL;
    if (!v)
        return;
    enum ir_type type = ir_type_of(&l->b, a[0]);
    if (one != 1 || type < IR_F16 || ir_type_of(&l->b, s[0]) != type) {
        spirv_wrong(l, "its operands are of types that it does not take");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        v[i] = spirv_2(l, IR_FMUL, a[i], s[0]);
    spirv_result(l, v, count);
}

/* The sum of n products, from the first on; operands are `sa` and `sb` apart. */
static ir_value sum_of_products(struct spirv_lifter *l, const ir_value *a, uint32_t sa, const ir_value *b, uint32_t sb,
                                uint32_t n)
{
    ir_value s = spirv_2(l, IR_FMUL, a[0], b[0]);
    for (uint32_t i = 1; i < n; i++)
        s = spirv_2(l, IR_FADD, s, spirv_2(l, IR_FMUL, a[i * sa], b[i * sb]));
    return s;
}

/* Two operands of floats of one type, and how many rows the matrix (or vector) has. */
static bool two_of_floats(struct spirv_lifter *l, const ir_value *a[2], uint32_t count[2], uint32_t rows[2])
{
    for (unsigned k = 0; k < 2; k++) {
        a[k] = spirv_use_alike(l, l->w[3 + k], &count[k]);
        if (!a[k])
            return false;
        const struct spirv_type *t = spirv_type(l, l->values[l->w[3 + k]].type);
        rows[k] = t->kind == SPIRV_T_MATRIX ? spirv_type(l, t->elem)->count : count[k];
    }
    enum ir_type type = ir_type_of(&l->b, a[0][0]);
    if (type < IR_F16 || ir_type_of(&l->b, a[1][0]) != type) {
        spirv_wrong(l, "its operands are of types that it does not take");
        return false;
    }
    return true;
}

static bool agree(struct spirv_lifter *l, bool fits)
{
    if (!fits)
        spirv_wrong(l, "its operands are of sizes that do not go together");
    return fits;
}

void spirv_lift_dot(struct spirv_lifter *l, const uint32_t *w)
{
    const ir_value *a[2];
    uint32_t count[2], rows[2];
    (void)w;
    if (!two_of_floats(l, a, count, rows) || !agree(l, count[0] == count[1]))
        return;
    ir_value v = sum_of_products(l, a[0], 1, a[1], 1, count[0]);
    spirv_result(l, &v, 1);
}

void spirv_lift_vector_times_matrix(struct spirv_lifter *l, const uint32_t *w)
{
    const ir_value *a[2];
    uint32_t count[2], rows[2];
    (void)w;
    if (!two_of_floats(l, a, count, rows) || !agree(l, count[0] == rows[1]))
        return;
    uint32_t columns = count[1] / rows[1];
    ir_value *v = spirv_room(l, columns);
    for (uint32_t c = 0; v && c < columns; c++)
        v[c] = sum_of_products(l, a[0], 1, a[1] + c * rows[1], 1, rows[1]);
    if (v)
        spirv_result(l, v, columns);
}

/* A matrix by the columns of another; a vector is one column. */
static void times_columns(struct spirv_lifter *l)
{
    const ir_value *a[2];
    uint32_t count[2], rows[2];
    if (!two_of_floats(l, a, count, rows) || !agree(l, count[0] == rows[0] * rows[1]))
        return;
    uint32_t columns = count[1] / rows[1];
    ir_value *v = spirv_room(l, columns * rows[0]);
    for (uint32_t c = 0; v && c < columns; c++)
        for (uint32_t r = 0; r < rows[0]; r++)
            v[c * rows[0] + r] = sum_of_products(l, a[0] + r, rows[0], a[1] + c * rows[1], 1, rows[1]);
    if (v)
        spirv_result(l, v, columns * rows[0]);
}

void spirv_lift_matrix_times_vector(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    times_columns(l);
}

void spirv_lift_matrix_times_matrix(struct spirv_lifter *l, const uint32_t *w)
{
    (void)w;
    times_columns(l);
}

void spirv_lift_outer_product(struct spirv_lifter *l, const uint32_t *w)
{
    const ir_value *a[2];
    uint32_t count[2], rows[2];
    (void)w;
    if (!two_of_floats(l, a, count, rows))
        return;
    ir_value *v = spirv_room(l, count[0] * count[1]);
    for (uint32_t c = 0; v && c < count[1]; c++)
        for (uint32_t r = 0; r < count[0]; r++)
            v[c * count[0] + r] = spirv_2(l, IR_FMUL, a[0][r], a[1][c]);
    if (v)
        spirv_result(l, v, count[0] * count[1]);
}

void spirv_lift_transpose(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t count;
    const ir_value *a = spirv_use(l, w[3], &count);
    const struct spirv_type *t = a ? spirv_type(l, l->values[w[3]].type) : NULL;
    ir_value *v = a ? spirv_room(l, count) : NULL;
    if (!v || !agree(l, t->kind == SPIRV_T_MATRIX))
        return;
    uint32_t columns = t->count, rows = count / columns;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++)
            v[r * columns + c] = a[c * rows + r];
    spirv_result(l, v, count);
}

/* ---- derivatives ---- */

static ir_value quad_lane(struct spirv_lifter *l, ir_value v, uint64_t lane)
{
    return ir_emit(&l->b, IR_QUAD_LANE, IR_VOID, 0, 1, &v, 1, 0, lane, 0);
}

/* Along x (1) or y (2): of the quad's first row or column, or fine: of the lane's own. */
static ir_value derivative_of(struct spirv_lifter *l, ir_value v, unsigned axis, bool fine)
{
    if (fine) {
        ir_value other = ir_emit(&l->b, IR_QUAD_XOR, IR_VOID, 0, 1, &v, 1, 0, axis, 0);
        ir_value far = spirv_2(l, IR_NE, spirv_2(l, IR_AND, ir_lane_id(&l->b), spirv_i32(l, axis)), spirv_i32(l, 0));
        return spirv_2(l, IR_FSUB, spirv_select(l, far, v, other), spirv_select(l, far, other, v));
    }
    return spirv_2(l, IR_FSUB, quad_lane(l, v, axis), quad_lane(l, v, 0));
}

static const ir_value *floats(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    const ir_value *a = spirv_use_alike(l, id, n);
    if (!a || ir_type_of(&l->b, a[0]) != IR_F32) {
        spirv_wrong(l, "its operand is not of floats of 32 bits");
        return NULL;
    }
    return a;
}

void spirv_lift_derivative(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    uint32_t count;
    const ir_value *a = floats(l, w[3], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    for (uint32_t i = 0; v && i < count; i++)
        v[i] = derivative_of(l, a[i], m->op, m->attr != 0);
    if (v)
        spirv_result(l, v, count);
}

void spirv_lift_width(struct spirv_lifter *l, const uint32_t *w)
{
    const struct spirv_meaning *m = l->meaning;
    uint32_t count;
    const ir_value *a = floats(l, w[3], &count);
    ir_value *v = a ? spirv_room(l, count) : NULL;
    for (uint32_t i = 0; v && i < count; i++)
        v[i] = spirv_2(l, IR_FADD, spirv_1(l, IR_FABS, derivative_of(l, a[i], 1, m->op != 0)),
                       spirv_1(l, IR_FABS, derivative_of(l, a[i], 2, m->op != 0)));
    if (v)
        spirv_result(l, v, count);
}
