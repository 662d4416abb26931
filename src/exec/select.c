/* select.c - which operations do an op of lane IR. Most ops are one table row; narrow integers and halves are brought
 * to 32 bits, worked on, and cut to size again. */
#include "exec/select.h"

#include <string.h>

#define NO HANDLER_COUNT

/* ---- component-wise ops by type: 32 bits, 64 bits ---- */

struct int_row {
    uint16_t code;
    uint16_t h32, h64;
};

static const struct int_row int_rows[] = {
    {IR_ADD, H_ADD_I32, H_ADD_I64},
    {IR_SUB, H_SUB_I32, H_SUB_I64},
    {IR_MUL, H_MUL_I32, H_MUL_I64},
    {IR_MULHI_S, H_MULHI_S32, H_MULHI_S64},
    {IR_MULHI_U, H_MULHI_U32, H_MULHI_U64},
    {IR_DIV_S, H_DIV_S32, H_DIV_S64},
    {IR_DIV_U, H_DIV_U32, H_DIV_U64},
    {IR_REM_S, H_REM_S32, H_REM_S64},
    {IR_REM_U, H_REM_U32, H_REM_U64},
    {IR_NEG, H_NEG_I32, H_NEG_I64},
    {IR_ABS, H_ABS_I32, H_ABS_I64},
    {IR_MIN_S, H_MIN_S32, H_MIN_S64},
    {IR_MAX_S, H_MAX_S32, H_MAX_S64},
    {IR_MIN_U, H_MIN_U32, H_MIN_U64},
    {IR_MAX_U, H_MAX_U32, H_MAX_U64},
    {IR_AND, H_AND32, H_AND64},
    {IR_OR, H_OR32, H_OR64},
    {IR_XOR, H_XOR32, H_XOR64},
    {IR_NOT, H_NOT32, H_NOT64},
    {IR_SHL, H_SHL32, H_SHL64},
    {IR_SHR_S, H_SHR_S32, H_SHR_S64},
    {IR_SHR_U, H_SHR_U32, H_SHR_U64},
    {IR_POPCOUNT, H_POPCOUNT32, H_POPCOUNT64},
    {IR_CLZ, H_CLZ32, H_CLZ64},
    {IR_CTZ, H_CTZ32, H_CTZ64},
    {IR_BITREV, H_BITREV32, H_BITREV64},
    {IR_EQ, H_EQ32, H_EQ64},
    {IR_NE, H_NE32, H_NE64},
    {IR_LT_S, H_LT_S32, H_LT_S64},
    {IR_LE_S, H_LE_S32, H_LE_S64},
    {IR_LT_U, H_LT_U32, H_LT_U64},
    {IR_LE_U, H_LE_U32, H_LE_U64},
    {IR_ADD_SATU, H_ADD_SATU32, H_ADD_SATU64},
    {IR_SUB_SATU, H_SUB_SATU32, H_SUB_SATU64},
};

static const struct int_row float_rows[] = {
    {IR_FADD, H_FADD32, H_FADD64},
    {IR_FSUB, H_FSUB32, H_FSUB64},
    {IR_FMUL, H_FMUL32, H_FMUL64},
    {IR_FDIV, H_FDIV32, H_FDIV64},
    {IR_FFMA, H_FFMA32, H_FFMA64},
    {IR_FSQRT, H_FSQRT32, H_FSQRT64},
    {IR_FNEG, H_FNEG32, H_FNEG64},
    {IR_FABS, H_FABS32, H_FABS64},
    {IR_FEQ, H_FEQ32, H_FEQ64},
    {IR_FNE, H_FNE32, H_FNE64},
    {IR_FLT, H_FLT32, H_FLT64},
    {IR_FLE, H_FLE32, H_FLE64},
    {IR_FUNORD, H_FUNORD32, H_FUNORD64},
    {IR_FLDEXP, H_FLDEXP32, H_FLDEXP64},
    {IR_FREXP_MANT, H_FREXP_MANT32, H_FREXP_MANT64},
    {IR_FREXP_EXP, H_FREXP_EXP32, H_FREXP_EXP64},
    {IR_FEXP2, H_FEXP2_32, NO},
    {IR_FLOG2, H_FLOG2_32, NO},
    {IR_FPOW, H_FPOW32, NO},
    {IR_FSIN, H_FSIN32, NO},
    {IR_FCOS, H_FCOS32, NO},
};

static enum handler_id find_row(const struct int_row *rows, size_t count, uint16_t code, bool wide)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].code == code)
            return (enum handler_id)(wide ? rows[i].h64 : rows[i].h32);
    return NO;
}

static enum handler_id minmax_handler(const struct ir_op *op, bool wide)
{
    static const uint16_t ids[2][2][3][2] = {
        {{{H_FMIN_NUM32, H_FMIN_NUM64}, {H_FMIN_SEC32, H_FMIN_SEC64}, {H_FMIN_NAN32, H_FMIN_NAN64}},
         {{H_FMAX_NUM32, H_FMAX_NUM64}, {H_FMAX_SEC32, H_FMAX_SEC64}, {H_FMAX_NAN32, H_FMAX_NAN64}}},
        {{{H_FMIN_NUMZ32, H_FMIN_NUMZ64}, {H_FMIN_SECZ32, H_FMIN_SECZ64}, {H_FMIN_NANZ32, H_FMIN_NANZ64}},
         {{H_FMAX_NUMZ32, H_FMAX_NUMZ64}, {H_FMAX_SECZ32, H_FMAX_SECZ64}, {H_FMAX_NANZ32, H_FMAX_NANZ64}}},
    };
    unsigned rule = (op->attr & IR_MINMAX_MASK) >> 8;
    if (op->attr & (unsigned)~(IR_MINMAX_MASK | IR_MINMAX_ZEROS) || rule > 2)
        return NO;
    return (enum handler_id)ids[(op->attr & IR_MINMAX_ZEROS) != 0][op->code == IR_FMAX][rule][wide];
}

static enum handler_id rint_handler(const struct ir_op *op, bool wide)
{
    static const uint16_t ids[5][2] = {{H_FRINT_RNE32, H_FRINT_RNE64},
                                       {H_FRINT_RTZ32, H_FRINT_RTZ64},
                                       {H_FRINT_RUP32, H_FRINT_RUP64},
                                       {H_FRINT_RDN32, H_FRINT_RDN64},
                                       {H_FRINT_RNA32, H_FRINT_RNA64}};
    return op->attr < 5 ? (enum handler_id)ids[op->attr][wide] : NO;
}

/* Conversions from `from` to the op's type. */
static enum handler_id convert_handler(const struct ir_op *op, enum ir_type from)
{
    enum ir_type to = (enum ir_type)op->type;
    unsigned attr = op->attr;
    switch (op->code) {
    case IR_ZEXT:
        return to == IR_I64 && from == IR_I32 ? H_ZEXT64 : NO;
    case IR_SEXT:
        return to == IR_I64 && (from == IR_I32 || from == IR_I1) ? H_SEXT64 : NO;
    case IR_TRUNC:
        return to == IR_I32 && from == IR_I64 ? H_LO32 : NO;
    case IR_S2F:
        if (attr)
            return NO;
        return from == IR_I32   ? (to == IR_F32   ? H_S2F32
                                   : to == IR_F64 ? H_S2F64
                                                  : NO)
               : from == IR_I64 ? (to == IR_F32   ? H_SL2F32
                                   : to == IR_F64 ? H_SL2F64
                                                  : NO)
                                : NO;
    case IR_U2F:
        if (attr)
            return NO;
        return from == IR_I32   ? (to == IR_F32   ? H_U2F32
                                   : to == IR_F64 ? H_U2F64
                                                  : NO)
               : from == IR_I64 ? (to == IR_F32   ? H_UL2F32
                                   : to == IR_F64 ? H_UL2F64
                                                  : NO)
                                : NO;
    case IR_F2F:
        if (attr)
            return NO;
        return from == IR_F32                   ? (to == IR_F64   ? H_F2F64
                                                   : to == IR_F16 ? H_F2H
                                                                  : NO)
               : from == IR_F64                 ? (to == IR_F32 ? H_F2F32 : NO)
               : from == IR_F16 && to == IR_F32 ? H_H2F
                                                : NO;
    case IR_F2S:
    case IR_F2U: {
        bool u = op->code == IR_F2U;
        unsigned rule = attr & (IR_CVT_WRAP | IR_CVT_X86);
        if ((attr & (unsigned)~(IR_CVT_WRAP | IR_CVT_X86)) != IR_RTZ)
            return NO;
        if (from == IR_F32 && to == IR_I32)
            return rule == 0            ? (u ? H_F2U32_CLAMP : H_F2S32_CLAMP)
                   : rule == IR_CVT_X86 ? (u ? H_F2U32_X86 : H_F2S32_X86)
                   : u                  ? H_F2U32_WRAP
                                        : NO;
        if (from == IR_F64 && to == IR_I32)
            return rule == 0            ? (u ? H_D2U32_CLAMP : H_D2S32_CLAMP)
                   : rule == IR_CVT_X86 ? (u ? NO : H_D2S32_X86)
                   : u                  ? H_D2U32_WRAP
                                        : NO;
        if (to == IR_I64 && (from == IR_F64 || from == IR_F32)) {
            bool d = from == IR_F64;
            if (rule == 0)
                return u ? (d ? H_D2UL_CLAMP : H_F2UL_CLAMP) : d ? H_D2SL_CLAMP : H_F2SL_CLAMP;
            return rule == IR_CVT_X86 && !u ? (d ? H_D2SL_X86 : H_F2SL_X86) : NO;
        }
        return NO;
    }
    default:
        return NO;
    }
}

/* The handler of an op whose arguments (of type `t`) are 32 or 64 bits wide, i1 included. */
enum handler_id typed_handler(const struct ir_op *op, enum ir_type t)
{
    bool wide = t == IR_I64 || t == IR_F64, isfloat = t == IR_F32 || t == IR_F64;
    switch (op->code) {
    case IR_FMIN:
    case IR_FMAX:
        return minmax_handler(op, wide);
    case IR_FRINT:
        return rint_handler(op, wide);
    case IR_FSAT:
        if (op->attr & (unsigned)~IR_SAT_KEEP_NAN)
            return NO;
        return op->attr ? (wide ? H_FSAT_NAN64 : H_FSAT_NAN32) : wide ? H_FSAT64 : H_FSAT32;
    case IR_PACK64:
        return H_PACK64;
    case IR_LO32:
        return H_LO32;
    case IR_HI32:
        return H_HI32;
    case IR_ADD:
    case IR_SUB:
        if (op->attr == IR_SAT)
            return op->code == IR_ADD ? (wide ? H_ADD_SATS64 : H_ADD_SATS32) : wide ? H_SUB_SATS64 : H_SUB_SATS32;
        break;
    default:
        break;
    }
    if (op->attr)
        return NO;
    return isfloat ? find_row(float_rows, sizeof float_rows / sizeof float_rows[0], op->code, wide)
                   : find_row(int_rows, sizeof int_rows / sizeof int_rows[0], op->code, wide);
}

enum ir_type arg_type(const struct compiler *c, const struct ir_op *op, unsigned k)
{
    return (enum ir_type)c->p->ir->value_type[ir_args(c->p->ir, op)[k]];
}

bool type_is_narrow(enum ir_type t)
{
    return t == IR_I8 || t == IR_I16 || t == IR_F16;
}

static enum handler_id unattributed_handler(const struct compiler *c, const struct ir_op *op)
{
    switch (op->code) {
    case IR_SELECT:
        return ir_type_bits((enum ir_type)op->type) == 64 ? H_SEL64 : H_SEL32;
    case IR_COPY:
        if (op->attr)
            return NO;
        return ir_type_bits((enum ir_type)op->type) == 64 ? H_COPY64 : H_COPY32;
    case IR_ZEXT:
    case IR_SEXT:
    case IR_TRUNC:
    case IR_S2F:
    case IR_U2F:
    case IR_F2S:
    case IR_F2U:
    case IR_F2F:
        return convert_handler(op, arg_type(c, op, 0));
    default:
        break;
    }
    if (!op->nargs)
        return NO;
    enum ir_type t = arg_type(c, op, 0);
    return type_is_narrow(t) ? NO : typed_handler(op, t);
}

enum handler_id simple_handler(const struct compiler *c, const struct ir_op *op)
{
    enum handler_id h = unattributed_handler(c, op);
    return h != NO ? h : rounded_handler(c, op);
}

bool single_step(const struct compiler *c, const struct ir_op *op, bool with_mask)
{
    switch (op->code) {
    case IR_INTERP: /* made from planes: perspective ones write twice, so no masked form */
    case IR_ATTR:
    case IR_SYSVAL:
    case IR_LANE_ID:
        return !with_mask || !c->masked;
    case IR_SET: { /* a value wider than the elements is cut up */
        const struct ir_reg *r = &c->p->ir->regs[op->desc];
        return !with_mask && ir_type_bits((enum ir_type)r->part) <= c->p->ir->files[r->file].bits;
    }
    case IR_OUTPUT:
    case IR_DISCARD:
    case IR_STORE:
        return !with_mask;
    default:
        break;
    }
    return simple_handler(c, op) != NO && (!with_mask || !c->masked || has_masked_form(c, op));
}

bool has_masked_form(const struct compiler *c, const struct ir_op *op)
{
    enum handler_id h = simple_handler(c, op);
    return h != NO && exec_handler(c->handlers, h)->masked;
}

/* ---- emitting ---- */

void set_operands(struct lop *l, const struct operand *o, unsigned n)
{
    if (n > 0) {
        l->a = o[0].row;
        l->sa = o[0].stride;
    }
    if (n > 1) {
        l->b = o[1].row;
        l->sb = o[1].stride;
    }
    if (n > 2) {
        l->c = o[2].row;
        l->sc = o[2].stride;
    }
}

uint8_t chunks_of(const struct compiler *c, bool uniform)
{
    return (uint8_t)(uniform ? 1 : c->p->chunks);
}

/* One component-wise operation into a row. */
struct lop *emit_simple(struct compiler *c, enum handler_id h, uint32_t mask, uint32_t d, const struct operand *o,
                        unsigned n, bool uniform)
{
    if (h == NO) {
        c->failed = true;
        return &c->scrap;
    }
    struct lop *l = emit(c, h, mask);
    l->d = d;
    l->n = chunks_of(c, uniform);
    const struct handler *k = exec_handler(c->handlers, h);
    if (uniform && c->scalar) {
        l->fn = k->scalar;
        c->failed |= !k->scalar;
    } else if (l->n == 4 && k->plain4)
        l->fn = mask ? k->masked4 : k->plain4;
    set_operands(l, o, n);
    return l;
}

struct operand const_operand(struct compiler *c, uint32_t bits)
{
    return (struct operand){const_row(c, bits, false), 0};
}

/* An op together with the one that makes its argument: see fuse.c. */
static bool select_fused(struct compiler *c, const struct ir_op *op)
{
    const struct ir_op *inner = c->fuse_op;
    if (!inner)
        return false;
    const struct fusion *f = info_of(c, op->res)->fusion;
    const ir_value *ia = ir_args(c->p->ir, inner), *oa = ir_args(c->p->ir, op);
    struct operand o[3];
    unsigned n = 0;
    for (const char *s = f->order; *s; s++)
        o[n++] = operand_of(c, *s == 'i' ? ia[0] : *s == 'j' ? ia[1] : oa[1 - info_of(c, op->res)->fuse_side]);
    uint32_t d = result_row(c, op->res);
    emit_simple(c, (enum handler_id)f->handler, result_mask(c, op->res), d, o, n, op->uniform);
    return true;
}

uint32_t spread_out(struct compiler *c, ir_value v, struct operand o, struct spread *s)
{
    bool wide = value_wide(c, v);
    uint32_t row = temp_take(c, true, wide);
    emit_simple(c, wide ? H_COPY64 : H_COPY32, 0, row, &o, 1, false);
    s->wide[s->count] = wide;
    s->row[s->count++] = row;
    return row;
}

void spread_end(struct compiler *c, const struct spread *s)
{
    for (unsigned k = 0; k < s->count; k++)
        temp_give(c, s->row[k], true, s->wide[k]);
}

/* Calls of C functions take full rows: uniform arguments are spread out first. */
static void select_call(struct compiler *c, const struct ir_op *op, enum handler_id h, const void *desc, bool uniform)
{
    if (op->nargs > 16 || op->nres > 16) {
        compile_unsupported(c, op, "with so many operands");
        return;
    }
    struct spread spread = {.count = 0};
    struct operand o[16];
    for (unsigned k = 0; k < op->nargs; k++) {
        ir_value a = ir_args(c->p->ir, op)[k];
        o[k] = operand_of(c, a);
        if (!uniform && o[k].stride == 0)
            o[k].row = spread_out(c, a, o[k], &spread);
    }
    struct lop_call *call = call_new(c, op, op->nargs, op->nres);
    uint32_t index = c->p->ncalls - 1;
    if (!call)
        return;
    call->desc = desc;
    for (unsigned k = 0; k < op->nargs; k++)
        call->arg[k] = o[k].row;
    for (unsigned k = 0; k < op->nres; k++)
        call->res[k] = result_row(c, op->res + k);
    struct lop *l = emit(c, h, 0);
    l->aux = index;
    l->n = chunks_of(c, uniform);
    if (op->pred) {
        struct operand pred = operand_of(c, op->pred);
        l->c = pred.row;
        l->sc = pred.stride;
    }
    spread_end(c, &spread);
}

static void select_interp(struct compiler *c, const struct ir_op *op)
{
    unsigned mode = op->attr & 15, location = op->attr >> 4 & 15;
    bool at = location != IR_LOC_CENTER;
    enum handler_id h = mode == IR_INTERP_CONSTANT ? H_INTERP_FLAT
                        : mode == IR_INTERP_LINEAR ? (at ? H_INTERP_LINEAR_AT : H_INTERP_LINEAR)
                                                   : (at ? H_INTERP_PERSPECTIVE_AT : H_INTERP_PERSPECTIVE);
    uint32_t d = result_row(c, op->res);
    struct lop *l = emit(c, h, 0);
    l->d = d;
    l->n = chunks_of(c, false);
    l->b = location;
    l->imm = (uint64_t)op->desc * 4 + op->imm;
}

/* Of a uniform condition it is one look, of a test of bits as well. */
static void select_check(struct compiler *c, const struct ir_op *op)
{
    ir_value cond = ir_args(c->p->ir, op)[0];
    struct operand o[3] = {{0, 0}, {0, 0}, {0, 0}};
    if (info_of(c, cond)->fused) {
        const struct ir_op *test = &c->ops[info_of(c, cond)->def];
        const struct ir_op *both = &c->ops[info_of(c, ir_args(c->p->ir, test)[0])->def];
        o[0] = operand_of(c, ir_args(c->p->ir, both)[0]);
        o[1] = operand_of(c, ir_args(c->p->ir, both)[1]);
        struct lop *l = emit(c, H_CHECK_BITS, 0);
        set_operands(l, o, 2);
        l->aux = op->insn;
        l->imm = op->imm;
        return;
    }
    o[0] = operand_of(c, cond);
    if (op->pred)
        o[2] = operand_of(c, op->pred);
    struct lop *l = emit(c, one_for_all(c->p->ir, op) ? H_CHECK_SCALAR : H_CHECK, 0);
    set_operands(l, o, 3);
    l->b = op->insn;
    l->imm = op->imm;
}

static void select_across(struct compiler *c, const struct ir_op *op, enum handler_id h)
{
    if (op->attr & (unsigned)~IR_ALL_LANES) {
        compile_unsupported(c, op, "with these attributes");
        return;
    }
    const ir_value *args = ir_args(c->p->ir, op);
    struct operand o[3] = {operand_of(c, args[0]), {0, 0}, {0, 0}};
    if (op->nargs > 1)
        o[1] = operand_of(c, args[1]);
    if (value_wide(c, args[0])) {
        compile_unsupported(c, op, "of 64 bits");
        return;
    }
    uint32_t d = result_row(c, op->res);
    struct lop *l = emit(c, h, 0);
    l->d = d;
    l->n = chunks_of(c, op->uniform);
    l->imm = op->imm;
    l->aux = (op->attr & IR_ALL_LANES) != 0;
    set_operands(l, o, op->nargs);
}

static void select_const(struct compiler *c, const struct ir_op *op)
{
    info_of(c, op->res)->row = const_row(c, op->type == IR_I1 ? (op->imm & 1 ? 0xffffffff : 0) : op->imm,
                                  ir_type_bits((enum ir_type)op->type) == 64);
}

static void select_lane_id(struct compiler *c, const struct ir_op *op)
{
    uint32_t d = result_row(c, op->res);
    struct lop *l = emit(c, H_LANE_ID, 0);
    l->d = d;
    l->n = chunks_of(c, false);
}

/* Attributes and system values: what the device filled in. */
static void select_input(struct compiler *c, const struct ir_op *op)
{
    uint32_t d = result_row(c, op->res);
    struct lop *l = emit(c, op->code == IR_ATTR ? H_ATTR : H_SYSVAL, 0);
    l->d = d;
    l->n = chunks_of(c, op->uniform);
    l->imm = op->code == IR_ATTR ? (uint64_t)op->desc * 4 + op->imm : op->imm;
    l->aux = op->desc;
}

static void select_texture(struct compiler *c, const struct ir_op *op)
{
    select_call(c, op, H_TEXTURE, &c->p->ir->textures[op->desc], false);
}

static void select_helper(struct compiler *c, const struct ir_op *op)
{
    select_call(c, op, H_HELPER, &c->p->ir->helpers[op->desc], op->uniform);
}

static void select_service(struct compiler *c, const struct ir_op *op)
{
    select_call(c, op, H_SERVICE, NULL, false);
}

/* Accesses of a warp are done in order; those of others are ordered by barriers and by the device. */
static void select_nothing(struct compiler *c, const struct ir_op *op)
{
    (void)c;
    (void)op;
}

/* OUTPUT and DISCARD. */
static void select_result(struct compiler *c, const struct ir_op *op)
{
    struct operand o[3] = {operand_of(c, ir_args(c->p->ir, op)[0]), {0, 0}, {0, 0}};
    if (op->pred)
        o[2] = operand_of(c, op->pred);
    struct lop *l = emit(c, op->code == IR_OUTPUT ? H_OUTPUT : H_DISCARD, 0);
    l->imm = (uint64_t)op->desc * 4 + op->imm;
    set_operands(l, o, 3);
}

/* The handler of an op on values of other lanes; NO: op is not one, or not of a type that has one. */
static enum handler_id across_handler(const struct ir_op *op)
{
    static const struct {
        uint8_t code;
        uint16_t handler;
    } across[] = {{IR_QUAD_LANE, H_QUAD_LANE}, {IR_QUAD_XOR, H_QUAD_XOR}, {IR_SHUFFLE, H_SHUFFLE},
                  {IR_BALLOT, H_BALLOT},       {IR_ANY, H_ANY},           {IR_ALL, H_ALL},
                  {IR_FIRST, H_FIRST},         {IR_REDUCE, H_REDUCE}};
    if (op->code == IR_REDUCE && op->type != IR_I32 && !(op->type == IR_F32 && op->imm == IR_FADD))
        return NO;
    for (size_t i = 0; i < sizeof across / sizeof across[0]; i++)
        if (across[i].code == op->code)
            return (enum handler_id)across[i].handler;
    return NO;
}

typedef void select_fn(struct compiler *c, const struct ir_op *op);

/* Ops that have a function of their own. */
static select_fn *const selectors[IR_OPCODES] = {
    [IR_CONST] = select_const,      [IR_LANE_ID] = select_lane_id,    [IR_GET] = select_get,
    [IR_SET] = select_set,          [IR_GET_DYN] = select_indexed,    [IR_SET_DYN] = select_indexed,
    [IR_GET_LANE] = select_indexed, [IR_SET_LANE] = select_indexed,   [IR_LOAD] = select_memory,
    [IR_STORE] = select_memory,     [IR_ATOMIC] = select_memory,      [IR_TEXTURE] = select_texture,
    [IR_HELPER] = select_helper,    [IR_INTERP] = select_interp,      [IR_ATTR] = select_input,
    [IR_SYSVAL] = select_input,     [IR_SERVICE] = select_service,    [IR_EMIT] = select_service,
    [IR_CUT] = select_service,      [IR_PROBE] = select_service,      [IR_FENCE] = select_nothing,
    [IR_CHECK] = select_check,      [IR_OUTPUT] = select_result,      [IR_DISCARD] = select_result,
    [IR_GOTO] = select_terminator,  [IR_BRANCH] = select_terminator,  [IR_CONTROL] = select_terminator,
    [IR_JUMP] = select_terminator,  [IR_BARRIER] = select_terminator, [IR_TRAP] = select_terminator,
    [IR_END] = select_terminator,
};

/* An op with a handler of its own. */
static bool select_simple(struct compiler *c, const struct ir_op *op)
{
    enum handler_id h = simple_handler(c, op);
    struct operand o[3];
    if (h == NO)
        return false;
    for (unsigned k = 0; k < op->nargs && k < 3; k++)
        o[k] = operand_of(c, ir_args(c->p->ir, op)[k]);
    uint32_t d = result_row(c, op->res);
    uint32_t mask = result_mask(c, op->res);
    struct lop *l = emit_simple(c, h, mask, d, o, op->nargs, op->uniform);
    l->imm = attribute_imm(h, op);
    if (!mask)
        l->aux = op->attr;
    return true;
}

/* Whether an op takes or gives values that are narrower than an element. */
static bool is_narrow(const struct compiler *c, const struct ir_op *op)
{
    enum ir_type first = arg_type(c, op, 0), to = (enum ir_type)op->type;
    bool pure = ir_op_info[op->code].flags & IR_OP_PURE;
    return pure && op->nres == 1 && (!op->attr || op->attr == IR_SAT) &&
           (type_is_narrow(first) || type_is_narrow(to) || to == IR_I1 || first == IR_I1);
}

void select_op(struct compiler *c, const struct ir_op *op)
{
    enum handler_id across = across_handler(op);
    if (across != NO) {
        select_across(c, op, across);
        return;
    }
    if (selectors[op->code]) {
        selectors[op->code](c, op);
        return;
    }
    if ((op->nres && select_fused(c, op)) || select_simple(c, op) || select_float(c, op) ||
        (is_narrow(c, op) && select_narrow(c, op)))
        return;
    compile_unsupported(c, op, op->attr ? "with these attributes" : "");
}
