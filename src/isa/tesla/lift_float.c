/* lift_float.c - f32 and f64 arithmetic, special functions, selection, exchange within quads. What IEEE operations with
 * flushing give is made of those; the rest calls alu.h. */
#include "isa/tesla/alu_lanes.h"
#include "isa/tesla/lift.h"

enum { PLAIN = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON };

static ir_value call(struct tesla_lifter *l, const char *name, tesla_lanes_fn *fn, enum ir_type type, uint64_t how,
                     unsigned nargs, const ir_value *args)
{
    return lift_call(&l->b, name, fn, type, how, args, nargs);
}
/* One that has its rows in alu_float_lanes.c. */
#define CALL_F32(l, name, how, n, ...)                                                                                 \
    call(l, #name, tesla_float_lanes(exec_best_level())->name, IR_F32, how, n, (const ir_value[]){__VA_ARGS__})
#define CALL(l, name, type, how, n, ...)                                                                               \
    call(l, #name, tesla_lanes_##name, type, how, n, (const ir_value[]){__VA_ARGS__})

/* How the instruction rounds and saturates, with what the chip makes of saturated NaNs. */
static uint64_t how_of(const struct tesla_lifter *l, const struct tesla_decoded *d)
{
    uint64_t how = (uint64_t)d->rounding | (l->how & TESLA_HOW_ZERO_WINS);
    if (d->modifiers & TESLA_SAT)
        how |= TESLA_HOW_SAT | (l->how & (TESLA_HOW_SAT_NAN | TESLA_HOW_SAT_NAN_INPUT));
    return how;
}

/* An add or a multiply that the IR has, when nothing of the chip's own is asked for. */
static ir_value plain(struct tesla_lifter *l, enum ir_opcode code, uint64_t how, ir_value a, ir_value b)
{
    static const uint8_t rounds[] = {
        [TESLA_RN] = IR_RNE, [TESLA_RM] = IR_RDN, [TESLA_RP] = IR_RUP, [TESLA_RZ] = IR_RTZ};
    return ir_op2(&l->b, code, PLAIN | rounds[how & TESLA_HOW_ROUND], a, b);
}

static void finish(struct tesla_lifter *l, const struct tesla_decoded *d, ir_value res)
{
    tesla_float_flags(l, d, res);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_fadd(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    uint64_t how = how_of(l, d);
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), res;
    if (d->src[0].type == TESLA_F64)
        res = CALL(l, dadd, IR_F64, how, 2, a, b);
    else if (how & TESLA_HOW_SAT)
        res = CALL_F32(l, fadd, how, 2, a, b);
    else
        res = plain(l, IR_FADD, how, a, b);
    finish(l, d, res);
}

void tesla_lift_fmul(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    uint64_t how = how_of(l, d);
    if (!(l->m->target.features & TESLA_SM12))
        how &= ~(uint64_t)(TESLA_HOW_SAT | TESLA_HOW_SAT_NAN |
                           TESLA_HOW_SAT_NAN_INPUT); /* the bit does nothing before G200 */
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), res;
    if (d->src[0].type == TESLA_F64)
        res = CALL(l, dmul, IR_F64, how, 2, a, b);
    else if (how & (TESLA_HOW_SAT | TESLA_HOW_ZERO_WINS))
        res = CALL_F32(l, fmul, how, 2, a, b);
    else
        res = plain(l, IR_FMUL, how, a, b);
    finish(l, d, res);
}

void tesla_lift_fmul_fadd(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    struct tesla_operand addend = d->src[2];
    addend.type = TESLA_F32; /* the text names the product's type alone */
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), c = tesla_source(l, &addend);
    struct ir_helper fmad = {"fmad", tesla_float_lanes(exec_best_level())->fmad, IR_HELPER_CUT_MAD};
    uint64_t how = how_of(l, d) & ~(uint64_t)TESLA_HOW_ROUND;
    finish(l, d, lift_call_helper(&l->b, fmad, IR_F32, how, (const ir_value[]){a, b, c}, 3));
}

void tesla_lift_fma(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value a = tesla_source(l, &d->src[0]), b = tesla_source(l, &d->src[1]), c = tesla_source(l, &d->src[2]);
    finish(l, d, CALL(l, dfma, IR_F64, d->rounding, 3, a, b, c));
}

/* ---- special functions: no flags ---- */

void tesla_lift_sfu(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    static const struct {
        const char *name;
        tesla_lanes_fn *fn;
    } functions[] = {[TESLA_RCP] = {"rcp", tesla_lanes_rcp}, [TESLA_RSQRT] = {"rsqrt", tesla_lanes_rsqrt},
                     [TESLA_LG2] = {"lg2", tesla_lanes_lg2}, [TESLA_SIN] = {"sin", tesla_lanes_sin},
                     [TESLA_COS] = {"cos", tesla_lanes_cos}, [TESLA_EX2] = {"ex2", tesla_lanes_ex2}};
    unsigned f = d->row->variant;
    ir_value a = tesla_source(l, &d->src[0]);
    ir_value res = call(l, functions[f].name, functions[f].fn, IR_F32, 0, 1, &a);
    if (d->modifiers & TESLA_SAT)
        res = CALL_F32(l, fsat, how_of(l, d), 1, res);
    tesla_write(l, &d->dst, res);
}

void tesla_lift_pre(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value a = tesla_source(l, &d->src[0]);
    tesla_write(l, &d->dst, d->row->variant ? CALL(l, preex2, IR_F32, 0, 1, a) : CALL(l, presin, IR_F32, 0, 1, a));
}

/* ---- selection ---- */

/* By the sign bit of c: -0 and denormals count as positive or zero, NaN never does; flags by the bits of the result. */
void tesla_lift_slct(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    ir_value a = ir_as(&l->b, IR_I32, tesla_source(l, &d->src[0])),
             b = ir_as(&l->b, IR_I32, tesla_source(l, &d->src[1]));
    ir_value c = tesla_source(l, &d->src[2]);
    ir_value first = ir_op2(&l->b, IR_FLE, IR_FLUSH_IN, ir_const_f32(&l->b, 0), c);
    ir_value res = ir_select(&l->b, first, a, b);
    if (d->cdst != TESLA_NO_C) {
        ir_value magnitude = ir_op2(&l->b, IR_SHL, 0, res, ir_const_i32(&l->b, 1));
        ir_value zero = ir_op2(&l->b, IR_EQ, 0, magnitude, ir_const_i32(&l->b, 0));
        ir_value negative = ir_op2(&l->b, IR_LT_S, 0, res, ir_const_i32(&l->b, 0));
        tesla_set_flags(l, d->cdst, zero, ir_op2(&l->b, IR_AND, 0, negative, ir_op1(&l->b, IR_NOT, 0, zero)), 0, 0);
    }
    tesla_write(l, &d->dst, res);
}

/* ---- quads ---- */

/* One lane's operation on the value v of the chosen lane and its own w. */
static ir_value quad_operation(struct tesla_lifter *l, unsigned op, ir_value v, ir_value w)
{
    switch ((enum tesla_quad_op)op) {
    case TESLA_QUAD_ADD:
        return plain(l, IR_FADD, 0, v, w);
    case TESLA_QUAD_SUBR:
        return plain(l, IR_FADD, 0, w, ir_op1(&l->b, IR_FNEG, 0, v));
    case TESLA_QUAD_SUB:
        return plain(l, IR_FADD, 0, v, ir_op1(&l->b, IR_FNEG, 0, w));
    case TESLA_QUAD_MOV2:
        break;
    }
    return plain(l, IR_FADD, 0, w, ir_const_f32(&l->b, 0));
}

void tesla_lift_quadop(struct tesla_lifter *l, const struct tesla_decoded *d)
{
    enum { DX = 4, DY = 5 };
    ir_value a = tesla_source(l, &d->src[0]), w = tesla_source(l, &d->src[1]), res = 0;
    if (d->quad_lane > 3 && l->stage != IR_FRAGMENT) {
        finish(l, d, ir_const(&l->b, IR_F32, l->derivative_infinite ? 0x7f800000u : 0));
        return;
    }
    bool exchange = d->quad_lane >= DX;
    ir_value v = ir_emit(&l->b, exchange ? IR_QUAD_XOR : IR_QUAD_LANE, IR_F32, 0, 1, &a, 1, 0,
                         exchange ? (d->quad_lane == DX ? 1u : 2u) : d->quad_lane, 0);
    ir_value lane =
        ir_op2(&l->b, IR_AND, 0, ir_lane_id(&l->b), ir_const_i32(&l->b, 3));
    for (unsigned i = 4; i-- > 0;) {
        ir_value mine = quad_operation(l, d->quad_op[i], v, w);
        bool last = i == 3;
        res = last ? mine : ir_select(&l->b, ir_op2(&l->b, IR_EQ, 0, lane, ir_const_i32(&l->b, i)), mine, res);
    }
    finish(l, d, res);
}
