/* isa.c - TGSI as an instruction set of weft: what the generic parts see of it. */
#include "ir/io.h"
#include "isa/isa.h"
#include "isa/tgsi/op.h"
#include "isa/tgsi/signatures.h"
#include "isa/tgsi/tgsi.h"

/* ---- texts of the reference, made of the same rows as the table ---- */

/* "dst, src0, src1" by the numbers of destinations and sources. */
#define NAMES_0_0 ""
#define NAMES_0_1 " src"
#define NAMES_1_0 " dst"
#define NAMES_1_1 " dst, src"
#define NAMES_1_2 " dst, src0, src1"
#define NAMES_1_3 " dst, src0, src1, src2"
#define NAMES_1_4 " dst, src0, src1, src2, src3"
#define NAMES_1_5 " dst, src0, src1, src2, src3, src4"
#define NAMES_2_1 " dst0, dst1, src"

/* "f32 = f32, f32" by the letters of a signature. */
#define TYPE_N ""
#define TYPE_S "resource"
#define TYPE_F "f32"
#define TYPE_I "i32"
#define TYPE_U "u32"
#define TYPE_D "f64"
#define TYPE_L "i64"
#define TYPE_Q "u64"
#define TYPE_X "bits"
#define TYPES_0_0(dst, a) ""
#define TYPES_0_1(dst, a) TYPE_##a
#define TYPES_1_0(dst, a) TYPE_##dst
#define TYPES_1_1(dst, a) TYPE_##dst " = " TYPE_##a
#define TYPES_1_2(dst, a, b) TYPE_##dst " = " TYPE_##a ", " TYPE_##b
#define TYPES_1_3(dst, a, b, c) TYPE_##dst " = " TYPE_##a ", " TYPE_##b ", " TYPE_##c
#define TYPES_1_4(dst, a, b, c, d) TYPE_##dst " = " TYPE_##a ", " TYPE_##b ", " TYPE_##c ", " TYPE_##d
#define TYPES_1_5(dst, a, b, c, d, e) TYPE_##dst " = " TYPE_##a ", " TYPE_##b ", " TYPE_##c ", " TYPE_##d ", " TYPE_##e
#define TYPES_2_1(dst, a) TYPE_##dst ", " TYPE_##dst " = " TYPE_##a

#define PLAIN ""
#define TEXTURE ", target"
#define MEMORY "[, attributes]"
#define FLOWING(kind, label) LABEL_##label
#define LABEL_true "[ :label]"
#define LABEL_false ""

#define ROW(name, number, signature, shape, ...) [TGSI_OP_##name] = #name signature shape,
#define SIGNATURE(ndst, nsrc, ...) NAMES_##ndst##_##nsrc
static const char *const syntaxes[TGSI_OPS] = {
#include "isa/tgsi/rows.inc"
};
#undef SIGNATURE
#undef ROW

#define ROW(name, number, signature, ...) [TGSI_OP_##name] = signature,
#define SIGNATURE(ndst, nsrc, ...) TYPES_##ndst##_##nsrc(__VA_ARGS__)
static const char *const operand_types[TGSI_OPS] = {
#include "isa/tgsi/rows.inc"
};
#undef SIGNATURE
#undef ROW

#define ROW(name, number, ...) [TGSI_OP_##name] = "opcode " #number,
static const char *const patterns[TGSI_OPS] = {
#include "isa/tgsi/rows.inc"
};
#undef ROW

/* ---- the instruction set ---- */

static const uint8_t stages[TGSI_PROCESSORS] = {
    [TGSI_FRAG] = IR_FRAGMENT,       [TGSI_VERT] = IR_VERTEX,         [TGSI_GEOM] = IR_GEOMETRY,
    [TGSI_TESS_CTRL] = IR_TESS_CTRL, [TGSI_TESS_EVAL] = IR_TESS_EVAL, [TGSI_COMP] = IR_COMPUTE,
};

static int stage_of(const struct isa_module *m)
{
    return m->processor < TGSI_PROCESSORS ? stages[m->processor] : -1;
}

static void row_info(uint32_t number, struct isa_row_info *info)
{
    const struct tgsi_row *row = &tgsi_rows[number];
    *info = (struct isa_row_info){
        .mnemonic = row->name,
        .syntax = syntaxes[number],
        .pattern = patterns[number],
        .group = row->group,
        .operands = operand_types[number],
        .provenance = (enum isa_provenance)row->provenance,
        .executes = row->lift != NULL,
        .doc = row->doc,
    };
    for (unsigned p = 0; p < TGSI_PROCESSORS; p++)
        if (row->stages == 0 || row->stages & 1u << p)
            info->stages |= 1u << stages[p];
}

const struct isa isa_tgsi = {
    .name = "tgsi",
    .title = "Gallium TGSI",
    .document = "TGSI (Tungsten Graphics Shader Infrastructure), Gallium's documentation",
    .differences = tgsi_differences,
    .knows_stage = true,
    .lifts_alone = true,
    .unit = 4,
    .nrows = TGSI_OPS,
    .row_info = row_info,
    .parse = tgsi_parse,
    .print = tgsi_print,
    .decode = tgsi_decode,
    .encode = tgsi_encode,
    .check = tgsi_check,
    .lift = tgsi_lift,
    .stage = stage_of,
};
