/* rows.c - the operations: what is done, whatever the encoding. Chapters "Arithmetic and Logical Operations" to "Vector
 * data operations" of the manual; where silicon says otherwise (docs/fidelity.md), the row says what it does. */
#include "isa/vpu/lift.h"
#include "isa/vpu/parse.h"
#include "isa/vpu/table.h"

#define DIFFERENCES_FILE "isa/vpu/differences.inc"
#define DIFFERENCES_LIST vpu_differences
#include "isa/differences.h"

/* lift_, op, rules: the lift function without its prefix, the ir_opcode and ir_attr (or enum vpu_variant)
 * that it is for; use: enum vpu_uses. */
#define ALU(number, name_, class_, lift_, op, rules, what)                                                             \
    [VPU_ALU + number] = {.name = name_, .class = VPU_##class_, .uses = VPU_USES_##class_,                             \
        .read = vpu_read_arithmetic, .lift = vpu_lift_##lift_,                                                         \
                          .ir = op, .attr = rules, .group = "arithmetic and logic", .doc = what}
/* The same with `instead`. */
#define ALU_OR(instead_, number, name_, class_, lift_, op, rules, what)                                                \
    [VPU_ALU + number] = {.name = name_, .class = VPU_##class_, .uses = VPU_USES_##class_, .instead = instead_,        \
                          .read = vpu_read_arithmetic, .lift = vpu_lift_##lift_, .ir = op, .attr = rules,              \
                          .group = "arithmetic and logic", .doc = what}
#define OTHER_OR(instead_, op, name_, manual_, group_, use, does, where, reader, lift_, what)                          \
    [op] = {.name = name_, .manual = manual_, .class = VPU_OTHER, .uses = use, .instead = instead_,                    \
            .read = vpu_read_##reader, .effects = does, .flow = WEFT_FLOW_##where, .lift = vpu_lift_##lift_,           \
            .group = group_, .doc = what}
#define DIVIDE(number, name_, lift_, op, rules, what)                                                                  \
    [VPU_ALU + number] = {.name = name_, .class = VPU_BINARY, .uses = VPU_USES_BINARY | VPU_DIVIDES,                   \
        .read = vpu_read_arithmetic,                                                                                   \
                          .lift = vpu_lift_##lift_, .ir = op, .attr = rules, .group = "arithmetic and logic",          \
                          .doc = what}
#define SCALED(number, name_, shift_, code, what)                                                                      \
    [VPU_ALU + number] = {.name = name_, .class = VPU_BINARY, .uses = VPU_USES_BINARY, .read = vpu_read_arithmetic,    \
        .shift = shift_,                                                                                               \
                          .lift = vpu_lift_scaled, .ir = code, .sum = code == IR_ADD ? VPU_ADD : VPU_SUB,              \
                          .group = "arithmetic and logic", .doc = what}
#define FLOAT(number, name_, class_, lift_, op, rules, what)                                                           \
    [VPU_FLOAT + number] = {.name = name_, .class = VPU_##class_, .uses = VPU_USES_##class_,                           \
        .read = vpu_read_arithmetic, .lift = vpu_lift_##lift_,                                                         \
                            .d_type = WEFT_TYPE_FLOAT, .a_type = WEFT_TYPE_FLOAT, .b_type = WEFT_TYPE_FLOAT, .ir = op, \
                            .attr = rules, .group = "floating point", .doc = what}
#define CONVERT(number, name_, word, d_, a_, lift_, op, rules, what)                                                   \
    [VPU_CONVERT + number] = {.name = name_, .class = VPU_BINARY, .uses = VPU_USES_BINARY,                             \
        .read = vpu_read_arithmetic, .lift = vpu_lift_##lift_,                                                         \
                              .d_type = WEFT_TYPE_##d_, .a_type = WEFT_TYPE_##a_, .b_type = WEFT_TYPE_SIGNED,          \
                              .before = word, .ir = op, .attr = rules, .group = "conversion", .doc = what}
#define ACCESS(number, name_, direction, bytes_, type, extends, what)                                                  \
    [VPU_MEMORY + number] = {.name = name_, .class = VPU_OTHER, .uses = VPU_USES_##direction, .read = vpu_read_access, \
                             .effects = VPU_EFFECTS_##direction, .bytes = bytes_, .d_type = WEFT_TYPE_##type,          \
                             .lift = vpu_lift_##direction, .attr = extends, .group = "memory", .doc = what}
#define OTHER(op, name, manual, group, use, does, where, reader, lift_, what)                                          \
    OTHER_FROM(op, name, manual, group, use, does, where, reader, lift_, DOCUMENTED, what)
#define OTHER_FROM(op, name_, manual_, group_, use, does, where, reader, lift_, from, what)                            \
    [op] = {.name = name_, .manual = manual_, .class = VPU_OTHER, .uses = use, .read = vpu_read_##reader,              \
        .effects = does,                                                                                               \
            .flow = WEFT_FLOW_##where, .provenance = ISA_##from, .lift = vpu_lift_##lift_, .group = group_,            \
            .doc = what}
#define TABLE(op, name_, manual_, bytes_, from, what)                                                                  \
    [op] = {.name = name_, .manual = manual_, .class = VPU_OTHER, .uses = VPU_D_READ | VPU_TABLE,                      \
        .read = vpu_read_one_register, .bytes = bytes_,                                                                \
            .effects = WEFT_EFFECT_READS_MEMORY, .flow = WEFT_FLOW_BRANCH, .provenance = ISA_##from,                   \
            .lift = vpu_lift_switch, .group = "branches", .doc = what}
#define COLUMN(op, name_, by, what)                                                                                    \
    [op] = {.name = name_, .class = VPU_OTHER, .uses = VPU_USES_SR, .read = vpu_read_plain, .lift = vpu_lift_column,   \
        .attr = by,                                                                                                    \
            .group = "system", .doc = what}
#define VMEM(number, name_, manual_, use, does, lift_, index, from, what)                                              \
    [VPU_VMEM + number] = {.name = name_, .manual = manual_, .class = VPU_BINARY, .uses = use,                         \
        .read = vpu_read_vector, .effects = does,                                                                      \
                           .provenance = ISA_##from, .lift = vpu_lift_##lift_, .attr = index,                          \
                           .group = "vector memory", .doc = what}
#define VLOAD(number, name, manual, use, index, from, what)                                                            \
    VMEM(number, name, manual, VPU_USES_vload | (use), VPU_EFFECTS_load, vload, index, from, what)
#define VSTORE(number, name, manual, use, index, from, what)                                                           \
    VMEM(number, name, manual, VPU_USES_vstore | (use), VPU_EFFECTS_store, vstore, index, from, what)
#define UNUSED(number, name) VMEM(number, name, NULL, VPU_USES_ZERO | VPU_FINISHES, 0, vzero, 0, KNOWN, "writes zeros")
#define VECTOR(row, name_, class_, use, meaning_, op, rules, from, group_, what)                                       \
    [row] = {.name = name_, .class = class_, .uses = (use) | VPU_FINISHES | VPU_SETS_LANE_FLAGS,                       \
        .read = vpu_read_vector,                                                                                       \
             .provenance = ISA_##from, .lift = vpu_lift_vdata, .meaning = vpu_vdata_##meaning_, .ir = op,              \
             .attr = rules, .group = group_, .doc = what}
#define VDATA(number, name, class, meaning, op, rules, use, from, what)                                                \
    VECTOR(VPU_VDATA + number, name, VPU_##class, VPU_USES_##class | (use), meaning, op, rules, from, "vector data",   \
           what)
#define VMUL(number, name, meaning, op, rules, from, what)                                                             \
    VECTOR(VPU_VDATA + number, name, VPU_BINARY, VPU_USES_BINARY | VPU_WIDTH_NAMED, meaning, op, rules, from,          \
           "vector multiply", what)
#define VMUL1(number, name, meaning, op, rules, from, what)                                                            \
    VECTOR(VPU_VDATA_X1 + number - 48, name, VPU_BINARY, VPU_USES_BINARY, meaning, op, rules, from, "vector multiply", \
           what)
#define VZERO(number, name, from, what)                                                                                \
    VECTOR(VPU_VDATA + number, name, VPU_BINARY, VPU_USES_ZERO, zero, 0, 0, from,                                      \
           number < 48 ? "vector data" : "vector multiply", what)
#define VZERO1(number, name, from, what)                                                                               \
    VECTOR(VPU_VDATA_X1 + number - 48, name, VPU_BINARY, VPU_USES_ZERO, zero, 0, 0, from, "vector multiply", what)

/* What loads and stores, here and in VPU_USES_, do. */
enum { VPU_EFFECTS_load = WEFT_EFFECT_READS_MEMORY, VPU_EFFECTS_store = WEFT_EFFECT_WRITES_MEMORY };

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

#define FORM(pattern, name, text, op, ops, ...) {pattern, name, text, op, ops, 0, 0, __VA_ARGS__},
#define FORM_BUT(but, pattern, name, text, op, ops, ...)                                                        \
    {pattern, name, text, op, ops, but, 0, __VA_ARGS__},
#define FORM_ONLY(mask, pattern, name, text, op, ops, ...)                                                      \
    {pattern, name, text, op, ops, 0, mask, __VA_ARGS__},

const struct vpu_form_row vpu_form_rows[VPU_FORMS] = {
#include "isa/vpu/forms.inc"
};
