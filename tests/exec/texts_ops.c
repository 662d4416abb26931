/* texts_ops.c - ops without effects: each one of each type, of lanes, of the warp and of constants, with the attributes
 * that it looks at, alone and next to float arithmetic for which the host may be told to flush. */
#include "texts.h"

#include "ir/typing.h"

/* An op with its types. */
struct typed {
    enum ir_opcode code;
    enum ir_type result, arg[3];
    unsigned nargs;
};

static ir_value emit(struct maker *m, const struct typed *t, unsigned attr, unsigned lane, const char *forms)
{
    uint64_t imm = t->code == IR_QUAD_LANE || t->code == IR_QUAD_XOR ? lane : 0;
    ir_value args[3];
    for (unsigned i = 0; i < t->nargs; i++)
        args[i] = operand(m, t->arg[i], i, forms[i]);
    return ir_emit(&m->b, t->code, t->result, attr, 1, args, t->nargs, 0, imm, 0);
}

/* ---- attributes ---- */

enum { MOST_ATTRIBUTES = 160 };

struct attributes {
    uint16_t attr[MOST_ATTRIBUTES];
    unsigned count;
};

static void add(struct attributes *a, unsigned attr)
{
    assert_true(a->count < MOST_ATTRIBUTES);
    a->attr[a->count++] = (uint16_t)attr;
}

static const uint16_t nans[] = {0, IR_NAN_CANON, IR_NAN_X86};
static const uint16_t flushes[] = {0, IR_FLUSH_IN, IR_FLUSH_OUT, IR_FLUSH_IN | IR_FLUSH_OUT};

/* Each rounding with each flushing, and each NaN with each clamp; the NaNs go round meanwhile. */
static void add_rounded(struct attributes *a, bool clamps)
{
    static const uint16_t clamp[] = {0, IR_SAT, IR_SAT | IR_SAT_KEEP_NAN};
    for (unsigned n = 0; n < 20; n++)
        add(a, n % 5 | flushes[n / 5] | nans[n % 3]);
    for (unsigned n = 0; clamps && n < 9; n++)
        add(a, nans[n % 3] | clamp[n / 3] | (n / 3 == 1 ? IR_FLUSH_IN | IR_FLUSH_OUT : 0));
}

static void add_limits(struct attributes *a)
{
    for (unsigned n = 0; n < 3 * 2 * 4; n++)
        add(a, (n % 3) << 8 | (n / 3 % 2 ? IR_MINMAX_ZEROS : 0) | flushes[n / 6] | nans[(n + n / 3) % 3]);
}

/* x86 has instructions for words and pairs of them. */
static void add_to_integer(struct attributes *a, bool narrow)
{
    static const uint16_t ranges[] = {0, IR_CVT_WRAP, IR_CVT_X86};
    for (unsigned n = 0; n < (narrow ? 10 : 15); n++)
        add(a, n % 5 | ranges[n / 5] | flushes[n % 2]);
}

static void add_plain(struct attributes *a)
{
    static const uint16_t few[] = {0, IR_FLUSH_IN, IR_FLUSH_OUT, IR_NAN_CANON, IR_NAN_X86, IR_SAT_KEEP_NAN, IR_SAT};
    for (unsigned n = 0; n < sizeof few / sizeof few[0]; n++)
        add(a, few[n]);
}

static struct attributes attributes_of(const struct typed *t)
{
    struct attributes a = {0};
    bool real = ir_is_float(t->result) || (t->nargs && ir_is_float(t->arg[0]));
    if (t->code == IR_F2S || t->code == IR_F2U)
        add_to_integer(&a, ir_type_bits(t->result) < 32);
    else if (t->code == IR_FMIN || t->code == IR_FMAX)
        add_limits(&a);
    else if (t->code == IR_COPY || t->code == IR_FNEG || t->code == IR_FABS || t->code > IR_F2F)
        add(&a, 0);
    else if (t->code == IR_FRINT || t->code == IR_FLDEXP || t->code == IR_S2F || t->code == IR_U2F || t->code == IR_F2F)
        add_rounded(&a, false);
    else if (t->code >= IR_FADD && t->code <= IR_FSQRT)
        add_rounded(&a, true);
    else if (real)
        add_plain(&a);
    else
        add(&a, 0);
    if (t->code == IR_ADD || t->code == IR_SUB)
        add(&a, IR_SAT);
    if (t->code == IR_COPY && real)
        add(&a, IR_NAN_X86);
    return a;
}

/* ---- programs of an op ---- */

static const char *const forms_of[4][9] = {
    {""},
    {"L", "U", "C"},
    {"LL", "LU", "UL", "UU", "LC", "CL", "UC", "CU"},
    {"LLL", "ULL", "LUL", "LLU", "UUU", "CLL", "LCL", "LLC"},
};

/* Where its operands come from. */
static void all_forms(struct kind *k, const struct typed *t, unsigned lanes, bool pairs, bool grows)
{
    struct maker *m = begin_program(k, lanes);
    m->pairs = pairs;
    for (unsigned i = 0; i < 9 && forms_of[t->nargs][i]; i++) {
        m->predicated = lanes > 16 && i % 3 == 2;
        m->lane_predicate = i % 2;
        keep(m, emit(m, t, 0, i % 4, forms_of[t->nargs][i]));
    }
    end_program(m, grows);
}

/* With its attributes, so many from the first one on. */
static void with_attributes(struct kind *k, const struct typed *t, const struct attributes *a)
{
    enum { AT_ONCE = 16 };
    for (unsigned first = 1; first < a->count; first += AT_ONCE)
        for (unsigned warp = 0; warp < (first == 1 ? 2 : 1); warp++) {
            struct maker *m = begin_program(k, warp ? 16 : 32);
            for (unsigned i = first; i < a->count && i < first + AT_ONCE; i += 1 + warp)
                keep(m, emit(m, t, a->attr[i], 0, warp ? "UUU" : "LLL"));
            end_program(m, false);
        }
}

/* Next to arithmetic of chips, which most operations of a run must be before the host flushes for them. */
static void next_to_chips(struct kind *k, const struct typed *t, const struct attributes *a)
{
    for (unsigned i = 0; i < a->count; i += i < 2 ? 1 : 9) {
        struct maker *m = begin_program(k, i % 2 ? 32 : 16);
        unsigned chip = IR_FLUSH_OUT | IR_NAN_CANON | (i % 3 ? 0 : IR_FLUSH_IN);
        for (unsigned n = 0; n < 3; n++)
            keep(m, ir_op2(&m->b, IR_FADD, chip, operand(m, IR_F32, n, 'L'), operand(m, IR_F32, n + 1, 'L')));
        keep(m, emit(m, t, a->attr[i], 1, "LLL"));
        end_program(m, false);
    }
}

static void texts_of(const struct typed *t)
{
    char args[24] = "";
    for (unsigned i = 0; i < t->nargs; i++)
        snprintf(args + strlen(args), sizeof args - strlen(args), " %s", ir_type_name(t->arg[i]));
    struct kind *k = new_kind("%s%s -> %s", ir_op_info[t->code].text, args, ir_type_name(t->result));
    struct attributes a = attributes_of(t);
    k->each_level = t->code >= IR_FADD && t->code <= IR_FREXP_EXP;
    all_forms(k, t, 16, true, false);
    bool wide = ir_type_bits(t->result) == 64 || (t->nargs && ir_type_bits(t->arg[t->nargs - 1]) == 64);
    all_forms(k, t, wide ? 64 : 32, false, false);
    all_forms(k, t, 16, true, true);
    with_attributes(k, t, &a);
    next_to_chips(k, t, &a);
}

/* ---- which ops ---- */

static bool is_typed(const struct typed *t)
{
    static struct arena arena;
    static struct ir_program *p;
    static uint32_t pool;
    if (!p) { /* with a value of each type */
        p = ir_program_new(&arena, "test", IR_COMPUTE, 16);
        struct ir_builder b = {p, IR_ENTRY, 0};
        ir_value v[IR_TYPES] = {0};
        for (unsigned type = IR_I1; type < IR_TYPES; type++)
            v[type] = ir_const(&b, (enum ir_type)type, 0);
        pool = p->npool;
        ir_emit(&b, IR_PROBE, IR_VOID, 0, 0, v + 1, 3, 0, 0, 0); /* for room */
    }
    for (unsigned i = 0; i < t->nargs; i++)
        p->pool[pool + i] = t->arg[i];
    const struct ir_op op = {.code = (uint16_t)t->code,
                             .type = (uint8_t)t->result,
                             .nres = 1,
                             .nargs = (uint8_t)t->nargs,
                             .args = pool,
                             .res = 1};
    return !ir_type_fault(p, &op);
}

static void try_arguments(struct typed *t, unsigned at)
{
    if (at == t->nargs) {
        for (unsigned type = IR_I1; type < IR_TYPES; type++) {
            t->result = (enum ir_type)type;
            if (is_typed(t))
                texts_of(t);
        }
        return;
    }
    for (unsigned type = IR_I1; type < IR_TYPES; type++) {
        t->arg[at] = (enum ir_type)type;
        try_arguments(t, at + 1);
    }
}

void texts_of_ops(void)
{
    for (unsigned code = IR_COPY; code <= IR_SHUFFLE; code++) {
        struct typed t = {.code = (enum ir_opcode)code, .nargs = (unsigned)ir_op_info[code].args};
        try_arguments(&t, 0);
    }
}

/* ---- pairs ---- */

static ir_value pair_op(struct maker *m, enum ir_opcode code, enum ir_type t, unsigned attr, ir_value x, ir_value y)
{
    if (code == IR_S2F || code == IR_U2F)
        return ir_cvt(&m->b, code, t, attr, operand(m, IR_I32, 0, 'L'));
    if (ir_op_info[code].args == 1)
        return ir_op1(&m->b, code, code == IR_FRINT ? IR_RDN : attr, x);
    if (code == IR_SHL || code == IR_SHR_U || code == IR_SHR_S)
        y = operand(m, IR_I32, 3, 'C');
    return ir_op2(&m->b, code, attr, x, y);
}

/* An op with the result of another as either argument, which may be one operation. */
static void pairs(enum ir_type t, const uint16_t *ops, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct kind *k = new_kind("%s of each op, %s", ir_op_info[ops[i]].text, ir_type_name(t));
        k->each_level = true;
        for (unsigned side = 0; side < 2; side++) {
            struct maker *m = begin_program(k, 32);
            for (unsigned j = 0; j < count; j++) {
                unsigned limits = ops[i] == IR_FMIN || ops[i] == IR_FMAX ? IR_MINMAX_SECOND : 0;
                unsigned inner = ops[j] == IR_FMIN || ops[j] == IR_FMAX ? IR_MINMAX_SECOND : 0;
                ir_value x = operand(m, t, 0, 'L'), y = operand(m, t, 1, j % 3 ? 'L' : 'C');
                ir_value made = pair_op(m, (enum ir_opcode)ops[j], t, inner, x, y), z = operand(m, t, 2, 'L');
                if (ops[i] == IR_FSUB && ops[j] == IR_FRINT)
                    z = x; /* what is left of it */
                if (ops[i] == IR_FDIV)
                    z = ir_const_f32(&m->b, 1.0f);
                keep(m, pair_op(m, (enum ir_opcode)ops[i], t, limits, side ? z : made, side ? made : z));
            }
            end_program(m, false);
        }
    }
}

/* Arithmetic of chips: of what chips made before, and of numbers for which LLVM needs no operation. */
static void chips(enum ir_opcode code, unsigned lanes, unsigned ops)
{
    static const uint32_t numbers[] = {0, 0x80000000u, 0x3f800000, 0xbf800000, 0x40000000, 0x00400000, 0x3fc00000};
    struct kind *k = new_kind("%s of chips, %u lanes, %u ops", ir_op_info[code].text, lanes, ops);
    k->each_level = true;
    for (unsigned how = 0; how < 4; how++) {
        unsigned attr = IR_FLUSH_OUT | (how & 1 ? IR_FLUSH_IN : 0) | (how & 2 ? 0 : IR_NAN_CANON);
        struct maker *m = begin_program(k, lanes);
        ir_value last = operand(m, IR_F32, 0, 'L');
        for (unsigned i = 0; i < ops; i++) {
            ir_value n = ir_const(&m->b, IR_F32, numbers[i % 7]), x = operand(m, IR_F32, i % 5, i % 3 ? 'L' : 'U');
            ir_value y = i % 2 ? n : last, z = i % 5 ? x : n;
            ir_value v = code == IR_FFMA ? ir_op3(&m->b, code, attr, i % 4 ? x : last, y, z)
                                         : ir_op2(&m->b, code, attr, i % 4 == 3 ? last : x, y);
            if (i % 4 == 0) /* of another kind before it */
                last = ir_op2(&m->b, i % 8 ? IR_FADD : IR_FMUL, attr, v, x);
            else
                last = i % 4 == 1 ? ir_op2(&m->b, IR_FMIN, IR_MINMAX_SECOND, v, x) : v;
            keep(m, v);
        }
        keep(m, last);
        end_program(m, false);
    }
}

void texts_of_pairs(void)
{
    static const uint16_t floats[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FMIN,  IR_FMAX, IR_FDIV,
                                      IR_FNEG, IR_S2F,  IR_U2F,  IR_FSQRT, IR_FRINT};
    static const uint16_t ints[] = {IR_ADD,   IR_SUB,   IR_MUL,   IR_XOR,   IR_AND,   IR_OR,   IR_SHL,
                                    IR_SHR_U, IR_SHR_S, IR_MIN_S, IR_MAX_S, IR_MIN_U, IR_MAX_U};
    pairs(IR_F32, floats, sizeof floats / sizeof floats[0]);
    pairs(IR_I32, ints, sizeof ints / sizeof ints[0]);
    pairs(IR_I64, ints, sizeof ints / sizeof ints[0]);
    static const enum ir_opcode codes[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FFMA};
    for (unsigned i = 0; i < 4; i++) {
        chips(codes[i], 16, 7);
        chips(codes[i], 32, 14);
    }
}
