/* typing.c - the types that ops take and give. */
#include "ir/typing.h"

#include "ir/words.h"

/* What an op's arguments must be and what its result is, for ops whose typing is regular. */
enum rule {
    RULE_NONE,      /* special: see special_fault */
    RULE_INT,       /* arguments of one integer type */
    RULE_BITS,      /* the same, i1 too */
    RULE_SHIFT,     /* an integer and an i32 */
    RULE_FLOAT,     /* arguments of one float type */
    RULE_LDEXP,     /* a float and an i32 */
    RULE_F32,       /* f32 only */
    RULE_ANY,       /* any type */
    RULE_WIDE,      /* any type but i1 */
    RULE_BOOL,      /* i1 */
};

static const uint8_t rules[IR_OPCODES] = {
    [IR_COPY] = RULE_ANY,
    [IR_ADD] = RULE_INT, [IR_SUB] = RULE_INT, [IR_ADD_SATU] = RULE_INT, [IR_SUB_SATU] = RULE_INT, [IR_MUL] = RULE_INT,
    [IR_MULHI_S] = RULE_INT, [IR_MULHI_U] = RULE_INT, [IR_DIV_S] = RULE_INT, [IR_DIV_U] = RULE_INT,
    [IR_REM_S] = RULE_INT, [IR_REM_U] = RULE_INT, [IR_NEG] = RULE_INT, [IR_ABS] = RULE_INT, [IR_MIN_S] = RULE_INT,
    [IR_MAX_S] = RULE_INT, [IR_MIN_U] = RULE_INT, [IR_MAX_U] = RULE_INT,
    [IR_AND] = RULE_BITS, [IR_OR] = RULE_BITS, [IR_XOR] = RULE_BITS, [IR_NOT] = RULE_BITS,
    [IR_EQ] = RULE_BITS, [IR_NE] = RULE_BITS,
    [IR_SHL] = RULE_SHIFT, [IR_SHR_S] = RULE_SHIFT, [IR_SHR_U] = RULE_SHIFT,
    [IR_POPCOUNT] = RULE_INT, [IR_CLZ] = RULE_INT, [IR_CTZ] = RULE_INT, [IR_BITREV] = RULE_INT,
    [IR_LT_S] = RULE_INT, [IR_LE_S] = RULE_INT, [IR_LT_U] = RULE_INT, [IR_LE_U] = RULE_INT,
    [IR_FADD] = RULE_FLOAT, [IR_FSUB] = RULE_FLOAT, [IR_FMUL] = RULE_FLOAT, [IR_FDIV] = RULE_FLOAT,
    [IR_FFMA] = RULE_FLOAT, [IR_FSQRT] = RULE_FLOAT, [IR_FNEG] = RULE_FLOAT, [IR_FABS] = RULE_FLOAT,
    [IR_FMIN] = RULE_FLOAT, [IR_FMAX] = RULE_FLOAT, [IR_FSAT] = RULE_FLOAT, [IR_FRINT] = RULE_FLOAT,
    [IR_FEQ] = RULE_FLOAT, [IR_FNE] = RULE_FLOAT, [IR_FLT] = RULE_FLOAT, [IR_FLE] = RULE_FLOAT,
    [IR_FUNORD] = RULE_FLOAT, [IR_FLDEXP] = RULE_LDEXP, [IR_FREXP_MANT] = RULE_FLOAT, [IR_FREXP_EXP] = RULE_FLOAT,
    [IR_FEXP2] = RULE_F32, [IR_FLOG2] = RULE_F32, [IR_FPOW] = RULE_F32, [IR_FSIN] = RULE_F32, [IR_FCOS] = RULE_F32,
    [IR_QUAD_LANE] = RULE_WIDE, [IR_QUAD_XOR] = RULE_WIDE, [IR_FIRST] = RULE_WIDE,
    [IR_BALLOT] = RULE_BOOL, [IR_ANY] = RULE_BOOL, [IR_ALL] = RULE_BOOL, [IR_DISCARD] = RULE_BOOL,
    [IR_BRANCH] = RULE_BOOL, [IR_CHECK] = RULE_BOOL,
};

static unsigned arg_type(const struct ir_program *p, const struct ir_op *op, unsigned i)
{
    return p->value_type[ir_args(p, op)[i]];
}

static const char *rule_fault(const struct ir_program *p, const struct ir_op *op, enum rule rule)
{
    unsigned a = arg_type(p, op, 0);
    bool counted = rule == RULE_SHIFT || rule == RULE_LDEXP;
    for (unsigned i = 1; i < op->nargs; i++) {
        if (counted && arg_type(p, op, i) != IR_I32)
            return "the count must be an i32";
        if (!counted && arg_type(p, op, i) != a)
            return "the arguments must be of one type";
    }
    switch (rule) {
    case RULE_INT:
    case RULE_SHIFT:
        return ir_is_int(a) ? NULL : "the argument must be an integer wider than i1";
    case RULE_BITS:
        return ir_is_int(a) || a == IR_I1 ? NULL : "the argument must be an integer";
    case RULE_FLOAT:
    case RULE_LDEXP:
        return ir_is_float(a) ? NULL : "the argument must be a float";
    case RULE_F32:
        return a == IR_F32 ? NULL : "the argument must be an f32";
    case RULE_ANY:
        return a != IR_VOID ? NULL : "the argument has no type";
    case RULE_WIDE:
        return a != IR_VOID && a != IR_I1 ? NULL : "the argument must not be an i1";
    case RULE_BOOL:
        return a == IR_I1 ? NULL : "the argument must be an i1";
    default:
        return NULL;
    }
}

static const char *conversion_fault(const struct ir_program *p, const struct ir_op *op)
{
    unsigned from = arg_type(p, op, 0), to = op->type;
    unsigned from_bits = ir_type_bits(from), to_bits = ir_type_bits(to);
    switch (op->code) {
    case IR_BITCAST:
        return from_bits == to_bits && from_bits > 1 ? NULL : "a bitcast must keep the width";
    case IR_ZEXT:
    case IR_SEXT:
        return (ir_is_int(from) || from == IR_I1) && ir_is_int(to) && to_bits > from_bits ? NULL
                                                                                         : "must widen an integer";
    case IR_TRUNC:
        return ir_is_int(from) && ir_is_int(to) && to_bits < from_bits ? NULL : "must narrow an integer";
    case IR_S2F:
    case IR_U2F:
        return ir_is_int(from) && ir_is_float(to) ? NULL : "must turn an integer into a float";
    case IR_F2S:
    case IR_F2U:
        return ir_is_float(from) && ir_is_int(to) ? NULL : "must turn a float into an integer";
    case IR_F2F:
        return ir_is_float(from) && ir_is_float(to) && from != to ? NULL : "must turn a float into another float type";
    case IR_LO32:
    case IR_HI32:
        return from_bits == 64 && to_bits == 32 ? NULL : "must take a 32-bit word of a 64-bit value";
    default: /* PACK64 */
        return from_bits == 32 && ir_type_bits(arg_type(p, op, 1)) == 32 && to_bits == 64
                   ? NULL
                   : "must make a 64-bit value of two 32-bit words";
    }
}

static const char *reduce_fault(const struct ir_program *p, const struct ir_op *op)
{
    unsigned a = arg_type(p, op, 0);
    switch (op->imm) {
    case IR_ADD: case IR_MUL: case IR_MIN_S: case IR_MAX_S: case IR_MIN_U: case IR_MAX_U:
    case IR_AND: case IR_OR: case IR_XOR:
        return ir_is_int(a) ? NULL : "the argument must be an integer wider than i1";
    case IR_FADD: case IR_FMUL: case IR_FMIN: case IR_FMAX:
        return ir_is_float(a) ? NULL : "the argument must be a float";
    default:
        return "imm must be an associative op";
    }
}

/* A value of a register, or an element of memory: its bits count, its type does not. */
static bool same_width(unsigned a, unsigned b)
{
    return ir_type_bits(a) == ir_type_bits(b) && ir_type_bits(a) != 0;
}

/* Bytes and halves in memory are zero-extended by loads and cut off by stores. */
static bool element_fits(unsigned value, unsigned elem)
{
    return elem != IR_I1 && (same_width(value, elem) || (value == IR_I32 && (elem == IR_I8 || elem == IR_I16)));
}

static const char *memory_fault(const struct ir_program *p, const struct ir_op *op)
{
    const struct ir_mem *m = &p->mems[op->desc];
    unsigned addr = op->nargs ? arg_type(p, op, 0) : IR_VOID;
    if (addr != IR_I32 && addr != IR_I64)
        return "the address must be an i32 or an i64";
    if (op->code == IR_LOAD)
        return op->nres != m->count          ? "as many results as the access has elements"
               : !element_fits(op->type, m->elem) ? "the results do not fit the elements"
                                             : NULL;
    if (op->code == IR_STORE) {
        if (op->nargs != m->count + 1u)
            return "as many data as the access has elements";
        for (unsigned i = 1; i < op->nargs; i++)
            if (!element_fits(arg_type(p, op, i), m->elem))
                return "the data do not fit the elements";
        return NULL;
    }
    if (op->imm > IR_ATOMIC_FMAX)
        return "imm is not an atomic operation";
    if (op->nargs != (op->imm == IR_ATOMIC_CAS ? 3 : 2) || m->count != 1 || op->nres != 1)
        return "an atomic takes an address, an operand and, for cas, what to compare with; it gives one value";
    for (unsigned i = 1; i < op->nargs; i++)
        if (arg_type(p, op, i) != op->type)
            return "operand and result must be of one type";
    bool real = op->imm == IR_ATOMIC_FADD || op->imm == IR_ATOMIC_FMIN || op->imm == IR_ATOMIC_FMAX;
    if (ir_type_bits(op->type) < (ir_is_float(op->type) ? 16 : 32) || !same_width(op->type, m->elem))
        return "the operand does not fit the element";
    return real == ir_is_float(op->type) || op->imm == IR_ATOMIC_XCHG
               ? NULL
               : "wrong type for the operation";
}

static const char *register_fault(const struct ir_program *p, const struct ir_op *op)
{
    bool lane = op->code == IR_GET_LANE || op->code == IR_SET_LANE;
    bool dyn = lane || op->code == IR_GET_DYN || op->code == IR_SET_DYN;
    bool set = op->code == IR_SET || op->code == IR_SET_DYN || op->code == IR_SET_LANE;
    if (dyn && arg_type(p, op, 0) != IR_I32)
        return "the index must be an i32";
    if (lane && arg_type(p, op, 1) != IR_I32)
        return "the lane must be an i32";
    unsigned value = set ? arg_type(p, op, op->nargs - 1u) : op->type;
    return same_width(value, p->regs[op->desc].part) ? NULL : "the value is not as wide as the part of the register";
}

static const char *texture_fault(const struct ir_program *p, const struct ir_op *op)
{
    if (op->nres != 4 || (op->type != IR_F32 && op->type != IR_I32))
        return "a texture op has four results, f32 or i32";
    for (unsigned i = 0; i < op->nargs; i++)
        if (arg_type(p, op, i) != IR_F32 && arg_type(p, op, i) != IR_I32)
            return "arguments of texture ops are f32 or i32";
    return NULL;
}

/* The arguments of struct ir_image: coordinates, layer, sample number, data, the image's number. */
static const char *image_fault(const struct ir_program *p, const struct ir_op *op)
{
    static const uint8_t coordinates[] = {[IR_TEX_1D] = 1,   [IR_TEX_2D] = 2,   [IR_TEX_3D] = 3,
                                          [IR_TEX_CUBE] = 2, [IR_TEX_RECT] = 2, [IR_TEX_BUFFER] = 1};
    const struct ir_image *i = &p->images[op->desc];
    bool size = op->imm == IR_SVC_RESOURCE_SIZE, at = op->imm == IR_SVC_IMAGE_STORE_AT;
    bool store = at || op->imm == IR_SVC_IMAGE_STORE;
    bool atomic = op->imm == IR_SVC_IMAGE_ATOMIC;
    unsigned type = i->is_float && !size ? IR_F32 : IR_I32;
    unsigned place = size ? 0 : at ? 1 : coordinates[i->dim] + (i->array || i->dim == IR_TEX_CUBE) + i->multisample;
    unsigned data = store ? 4 : !atomic ? 0 : i->atomic == IR_ATOMIC_CAS ? 2 : 1;
    if (i->binding == IR_IMAGE_SPACE && !size)
        return "an address space has no image; its size alone may be asked for";
    if (op->nargs != place + data + i->image_arg)
        return "wrong number of arguments for the image";
    for (unsigned k = 0; k < op->nargs; k++)
        if (arg_type(p, op, k) != (k >= place && k < place + data ? type : (unsigned)IR_I32))
            return "wrong type of argument for the image";
    if (op->nres != (store ? 0 : atomic ? 1 : 4) || (op->nres && op->type != type))
        return "wrong number or type of results for the image";
    return NULL;
}

static const char *sysval_fault(const struct ir_op *op)
{
    bool flag = op->imm == IR_SYS_FACE || op->imm == IR_SYS_HELPER;
    if (flag)
        return op->type == IR_I1 ? NULL : "this system value is an i1";
    return op->type == IR_I32 || op->type == IR_F32 || (op->type == IR_I64 && op->imm == IR_SYS_CLOCK)
               ? NULL
               : "system values are i32 or f32";
}

static const char *special_fault(const struct ir_program *p, const struct ir_op *op)
{
    switch (op->code) {
    case IR_SELECT:
        return arg_type(p, op, 0) != IR_I1 ? "the condition must be an i1"
               : arg_type(p, op, 1) != op->type || arg_type(p, op, 2) != op->type
                   ? "both arms must be of the result's type"
                   : NULL;
    case IR_SHUFFLE:
        return arg_type(p, op, 0) == IR_I1 || arg_type(p, op, 1) != IR_I32 ? "takes a value wider than i1 and an i32"
                                                                           : NULL;
    case IR_REDUCE:
        return reduce_fault(p, op);
    case IR_BITCAST: case IR_PACK64: case IR_LO32: case IR_HI32: case IR_ZEXT: case IR_SEXT: case IR_TRUNC:
    case IR_S2F: case IR_U2F: case IR_F2S: case IR_F2U: case IR_F2F:
        return conversion_fault(p, op);
    case IR_GET: case IR_SET: case IR_GET_DYN: case IR_SET_DYN: case IR_GET_LANE: case IR_SET_LANE:
        return register_fault(p, op);
    case IR_LOAD: case IR_STORE: case IR_ATOMIC:
        return memory_fault(p, op);
    case IR_SYSVAL:
        return sysval_fault(op);
    case IR_OUTPUT:
        return ir_type_bits(arg_type(p, op, 0)) == 32 ? NULL : "an output must be of 32 bits";
    case IR_TEXTURE:
        return texture_fault(p, op);
    case IR_SERVICE:
        return ir_desc_operand(op->code, op->imm) == IR_OPERAND_IMAGE ? image_fault(p, op) : NULL;
    case IR_JUMP:
        return arg_type(p, op, 0) == IR_I32 || arg_type(p, op, 0) == IR_I64 ? NULL
                                                                            : "the address must be an i32 or an i64";
    case IR_CONTROL:
        for (unsigned i = 0; i < op->nargs; i++)
            if (arg_type(p, op, i) != IR_I1 && arg_type(p, op, i) != IR_I32)
                return "arguments of control are i1 or i32";
        return NULL;
    default:
        return NULL;
    }
}

static const char *result_fault(const struct ir_program *p, const struct ir_op *op)
{
    static const uint8_t fixed[] = {
        [IR_RES_I1] = IR_I1, [IR_RES_I32] = IR_I32, [IR_RES_I64] = IR_I64, [IR_RES_F32] = IR_F32};
    bool several = op->code == IR_LOAD || op->code == IR_TEXTURE || op->code == IR_SERVICE || op->code == IR_HELPER;
    bool none = op->code == IR_SERVICE && !op->nres; /* a service may be asked for its effect alone */
    switch (ir_op_info[op->code].result) {
    case IR_RES_VOID:
        return op->nres || op->type != IR_VOID ? "has no result" : NULL;
    case IR_RES_SAME:
        if (op->type != arg_type(p, op, 0))
            return "the result must be of the argument's type";
        break;
    case IR_RES_TYPED:
        if ((op->type == IR_VOID || op->type >= IR_TYPES) && !none)
            return "the result has no type";
        break;
    default:
        if (op->type != fixed[ir_op_info[op->code].result])
            return "wrong type of result";
    }
    return op->nres == 1 || (several && op->nres) || none ? NULL : "has one result";
}

const char *ir_type_fault(const struct ir_program *p, const struct ir_op *op)
{
    const struct ir_op_info *info = &ir_op_info[op->code];
    if (info->args >= 0 && op->nargs != info->args)
        return "wrong number of arguments";
    const char *fault = result_fault(p, op);
    if (fault)
        return fault;
    enum rule rule = rules[op->code];
    return rule != RULE_NONE ? rule_fault(p, op, rule) : special_fault(p, op);
}
