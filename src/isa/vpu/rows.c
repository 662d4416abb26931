/* rows.c - the operations: what is done, whatever the encoding. Chapters "Arithmetic and Logical Operations" to "Vector
 * data operations" of the manual; where silicon says otherwise (docs/fidelity.md), the row says what it does. */
#include "isa/vpu/lift.h"
#include "isa/vpu/table.h"

#define DIFFERENCES_FILE "isa/vpu/differences.inc"
#define DIFFERENCES_LIST vpu_differences
#include "isa/differences.h"

/* Columns that every operation has; the others follow by name. lift_ is the lift function without its prefix. */
#define ROW(op, name_, class_, use, lift_, group_, what, ...)                                                          \
    [op] = {.name = name_, .class = VPU_##class_, .uses = use, .lift = vpu_lift_##lift_, .group = group_, .doc = what, \
            __VA_ARGS__}

/* args: the ir_opcode and ir_attr (or enum vpu_variant) that the lift function is for, where it looks at them. */
#define NONE .ir = 0
#define OP(op) .ir = op
#define BY(rules) .attr = rules
#define ARGS(op, rules) .ir = op, .attr = rules
/* use: enum vpu_uses. */
#define ALU(number, name, class, lift, args, what)                                                                     \
    ROW(VPU_ALU + number, name, class, VPU_USES_##class, lift, "arithmetic and logic", what, args)
#define DIVIDE(number, name, lift, args, what)                                                                         \
    ROW(VPU_ALU + number, name, BINARY, VPU_USES_BINARY | VPU_DIVIDES, lift, "arithmetic and logic", what, args)
#define SCALED(number, name, by, op, what)                                                                             \
    ROW(VPU_ALU + number, name, BINARY, VPU_USES_BINARY, scaled, "arithmetic and logic", what, .shift = by, .ir = op,  \
        .sum = op == IR_ADD ? VPU_ADD : VPU_SUB)
#define FLOAT(number, name, class, lift, args, what)                                                                   \
    ROW(VPU_FLOAT + number, name, class, VPU_USES_##class, lift, "floating point", what, .d_type = WEFT_TYPE_FLOAT,    \
        .a_type = WEFT_TYPE_FLOAT, .b_type = WEFT_TYPE_FLOAT, args)
#define CONVERT(number, name, word, d, a, lift, args, what)                                                            \
    ROW(VPU_CONVERT + number, name, BINARY, VPU_USES_BINARY, lift, "conversion", what, .d_type = WEFT_TYPE_##d,        \
        .a_type = WEFT_TYPE_##a, .b_type = WEFT_TYPE_SIGNED, .before = word, args)
#define ACCESS(number, name, direction, size, type, what)                                                              \
    ROW(VPU_MEMORY + number, name, OTHER, VPU_USES_##direction, direction, "memory", what,                             \
        .effects = VPU_EFFECTS_##direction, .bytes = size, .d_type = WEFT_TYPE_##type)
#define OTHER(op, name, group, use, does, where, lift, what)                                                           \
    ROW(op, name, OTHER, use, lift, group, what, .effects = does, .flow = WEFT_FLOW_##where)
#define SYSTEM(op, name, use, where, how, hint_, from, what)                                                           \
    ROW(op, name, OTHER, (use) | VPU_BY_MACHINE, system, "system", what, .flow = WEFT_FLOW_##where,                    \
        .attr = VPU_SYSTEM_##how, .hint = VPU_HINT_##hint_, .provenance = ISA_##from)
#define TABLE(op, name, manual_, size, from, what)                                                                     \
    ROW(op, name, OTHER, VPU_D_READ | VPU_TABLE, switch, "branches", what, .manual = manual_, .bytes = size,           \
        .effects = WEFT_EFFECT_READS_MEMORY, .flow = WEFT_FLOW_BRANCH, .provenance = ISA_##from)
#define COLUMN(op, name, by, what) ROW(op, name, OTHER, VPU_USES_SR, column, "system", what, .attr = by)
#define VMEM(number, name, manual_, use, does, turn_, index, from, what)                                               \
    ROW(VPU_VMEM + number, name, BINARY, (use) | VPU_VECTOR, vector, "vector memory", what, .manual = manual_,         \
        .turn = vpu_turn_##turn_, .effects = does, .attr = index, .provenance = ISA_##from)
#define VLOAD(number, name, manual, use, index, from, what)                                                            \
    VMEM(number, name, manual, VPU_USES_vload | (use), VPU_EFFECTS_load, load, index, from, what)
#define VSTORE(number, name, manual, use, index, from, what)                                                           \
    VMEM(number, name, manual, VPU_USES_vstore | (use), VPU_EFFECTS_store, store, index, from, what)
#define UNUSED(number, name) VMEM(number, name, NULL, VPU_USES_ZERO | VPU_FINISHES, 0, zero, 0, KNOWN, "writes zeros")
#define VECTOR(op, name, class, use, x, meaning_, from, group, what, ...)                                              \
    ROW(op, name, class, (use) | VPU_VECTOR | VPU_FINISHES | VPU_SETS_LANE_FLAGS, vector, group, what,                 \
        .only_x = x, .turn = vpu_turn_data, .meaning = vpu_vdata_##meaning_, .provenance = ISA_##from, __VA_ARGS__)
#define VDATA(number, name, class, meaning, args, use, from, what)                                                     \
    VECTOR(VPU_VDATA + number, name, class, VPU_USES_##class | (use), 0, meaning, from, "vector data", what, args)
/* Multiplications, whose names say a width: those of X = 0, then those of X = 1. */
#define VMUL(number, name, meaning, args, from, what) VMUL_USES(number, name, 0, meaning, from, what, args)
#define VMUL_CARRY(number, name, meaning, args, from, what)                                                            \
    VMUL_USES(number, name, VPU_CARRY_SET, meaning, from, what, args)
#define VMUL_USES(number, name, use, meaning, from, what, ...)                                                         \
    VECTOR(VPU_VDATA + number, name, BINARY, VPU_USES_BINARY | VPU_WIDTH_NAMED | (use), 1, meaning, from,              \
           "vector multiply", what, __VA_ARGS__)
#define VMUL1(number, name, meaning, args, from, what)                                                                 \
    VECTOR(VPU_VDATA_X1 + number - 48, name, BINARY, VPU_USES_BINARY, 2, meaning, from, "vector multiply", what, args)
/* What they mean is not asked for (vpu_writes_zeros), only that they mean something. */
#define VZERO(number, name, from, what)                                                                                \
    VECTOR(VPU_VDATA + number, name, BINARY, VPU_USES_ZERO, number < 48 ? 0 : 1, move, from,                           \
           number < 48 ? "vector data" : "vector multiply", what, NONE)
#define VZERO1(number, name, from, what)                                                                               \
    VECTOR(VPU_VDATA_X1 + number - 48, name, BINARY, VPU_USES_ZERO, 2, move, from, "vector multiply", what, NONE)

/* What loads and stores, here and in VPU_USES_, do. */
enum { VPU_EFFECTS_load = WEFT_EFFECT_READS_MEMORY, VPU_EFFECTS_store = WEFT_EFFECT_WRITES_MEMORY };

static const char *const getacc_names[] = {"vgetacc", "vgetaccs32", "vgetaccunk", "vgetaccs16"};

const struct vpu_op_row vpu_ops[VPU_OPS] = {
#include "isa/vpu/rows_scalar.inc"
#include "isa/vpu/rows_vector.inc"
};

/* Chapter "Scalar Register Configuration". */
const struct vpu_control vpu_controls[32] = {
    [0] = {"PRFPXCS", VPU_CONTROL_KEPT},   [10] = {"PRPOWCTL", VPU_CONTROL_KEPT}, [11] = {"PRTIMCTL", VPU_CONTROL_KEPT},
    [12] = {"PRCORTIM", VPU_CONTROL_KEPT}, [13] = {"PRSLPTIM", VPU_CONTROL_KEPT}, [14] = {"PROWCNT", VPU_CONTROL_ZERO},
    [15] = {"PRORCNT", VPU_CONTROL_ZERO},  [16] = {NULL, VPU_CONTROL_MUTEX},      [17] = {NULL, VPU_CONTROL_MUTEX},
    [18] = {NULL, VPU_CONTROL_MUTEX},      [19] = {NULL, VPU_CONTROL_MUTEX},      [20] = {NULL, VPU_CONTROL_MUTEX},
    [21] = {NULL, VPU_CONTROL_MUTEX},      [22] = {NULL, VPU_CONTROL_MUTEX},      [23] = {NULL, VPU_CONTROL_MUTEX},
    [24] = {NULL, VPU_CONTROL_MUTEX},      [25] = {NULL, VPU_CONTROL_MUTEX},      [26] = {NULL, VPU_CONTROL_MUTEX},
    [27] = {NULL, VPU_CONTROL_MUTEX},      [28] = {NULL, VPU_CONTROL_MUTEX},      [29] = {NULL, VPU_CONTROL_MUTEX},
    [30] = {NULL, VPU_CONTROL_MUTEX},      [31] = {NULL, VPU_CONTROL_MUTEX},
};

/* ---- forms ---- */

#define PLAIN .scale = 0 /* nothing by name */
#define FORM(pattern, name, text, op, ops, ...) {pattern, name, text, op, ops, 0, 0, __VA_ARGS__},
#define FORM_BUT(but, pattern, name, text, op, ops, ...)                                                        \
    {pattern, name, text, op, ops, but, 0, __VA_ARGS__},
#define FORM_ONLY(mask, pattern, name, text, op, ops, ...)                                                      \
    {pattern, name, text, op, ops, 0, mask, __VA_ARGS__},

const struct vpu_form_row vpu_form_rows[VPU_FORMS] = {
#include "isa/vpu/forms.inc"
};
