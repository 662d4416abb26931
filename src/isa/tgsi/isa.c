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
#define TYPES_2_1(dst, a) TYPE_##dst ", i32 = " TYPE_##a /* DFRACEXP */

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

/* What the operands of textures and memories are: the document's words. */
#define OFFSET "[, offset]"
#define ATOMIC " dst, resource, offset, src" MEMORY
static const char *const operand_names[TGSI_OPS] = {
    [TGSI_OP_TEX] = "TEX dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_TXP] = "TXP dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_TXB] = "TXB dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_TXL] = "TXL dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_TEX_LZ] = "TEX_LZ dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_LODQ] = "LODQ dst, coordinates, sampler, target" OFFSET,
    [TGSI_OP_TXD] = "TXD dst, coordinates, ddx, ddy, sampler, target" OFFSET,
    [TGSI_OP_TEX2] = "TEX2 dst, coordinates, compare, sampler, target" OFFSET,
    [TGSI_OP_TXB2] = "TXB2 dst, coordinates, bias, sampler, target" OFFSET,
    [TGSI_OP_TXL2] = "TXL2 dst, coordinates, level, sampler, target" OFFSET,
    [TGSI_OP_TG4] = "TG4 dst, coordinates, component, sampler, target[, offset[, offset, offset, offset]]",
    [TGSI_OP_TXF] = "TXF dst, texel, sampler, target" OFFSET,
    [TGSI_OP_TXF_LZ] = "TXF_LZ dst, texel, sampler, target" OFFSET,
    [TGSI_OP_TXQ] = "TXQ dst, level, sampler, target",
    [TGSI_OP_TXQS] = "TXQS dst, sampler, target",
    [TGSI_OP_SAMPLE] = "SAMPLE dst, address, sampler_view, sampler" OFFSET,
    [TGSI_OP_SAMPLE_B] = "SAMPLE_B dst, address, sampler_view, sampler, lod_bias" OFFSET,
    [TGSI_OP_SAMPLE_C] = "SAMPLE_C dst, address, sampler_view, sampler, ref_value" OFFSET,
    [TGSI_OP_SAMPLE_C_LZ] = "SAMPLE_C_LZ dst, address, sampler_view, sampler, ref_value" OFFSET,
    [TGSI_OP_SAMPLE_D] = "SAMPLE_D dst, address, sampler_view, sampler, der_x, der_y" OFFSET,
    [TGSI_OP_SAMPLE_L] = "SAMPLE_L dst, address, sampler_view, sampler, explicit_lod" OFFSET,
    [TGSI_OP_SAMPLE_I] = "SAMPLE_I dst, address, sampler_view" OFFSET,
    [TGSI_OP_SAMPLE_I_MS] = "SAMPLE_I_MS dst, address, sampler_view, sample" OFFSET,
    [TGSI_OP_GATHER4] = "GATHER4 dst, address, sampler_view, sampler" OFFSET,
    [TGSI_OP_LOD] = "LOD dst, address, sampler_view, sampler",
    [TGSI_OP_SVIEWINFO] = "SVIEWINFO dst, src_mip_level, sampler_view",
    [TGSI_OP_SAMPLE_POS] = "SAMPLE_POS dst, sampler_view, sample",
    [TGSI_OP_SAMPLE_INFO] = "SAMPLE_INFO dst, sampler_view, src",
    [TGSI_OP_LOAD] = "LOAD dst, resource, address" MEMORY,
    [TGSI_OP_STORE] = "STORE resource, address, src" MEMORY,
    [TGSI_OP_RESQ] = "RESQ dst, resource" MEMORY,
    [TGSI_OP_MFENCE] = "MFENCE resource",
    [TGSI_OP_LFENCE] = "LFENCE resource",
    [TGSI_OP_SFENCE] = "SFENCE resource",
    [TGSI_OP_ATOMUADD] = "ATOMUADD" ATOMIC,
    [TGSI_OP_ATOMXCHG] = "ATOMXCHG" ATOMIC,
    [TGSI_OP_ATOMCAS] = "ATOMCAS dst, resource, offset, cmp, src" MEMORY,
    [TGSI_OP_ATOMAND] = "ATOMAND" ATOMIC,
    [TGSI_OP_ATOMOR] = "ATOMOR" ATOMIC,
    [TGSI_OP_ATOMXOR] = "ATOMXOR" ATOMIC,
    [TGSI_OP_ATOMUMIN] = "ATOMUMIN" ATOMIC,
    [TGSI_OP_ATOMUMAX] = "ATOMUMAX" ATOMIC,
    [TGSI_OP_ATOMIMIN] = "ATOMIMIN" ATOMIC,
    [TGSI_OP_ATOMIMAX] = "ATOMIMAX" ATOMIC,
    [TGSI_OP_ATOMFADD] = "ATOMFADD" ATOMIC,
    [TGSI_OP_ATOMINC_WRAP] = "ATOMINC_WRAP" ATOMIC,
    [TGSI_OP_ATOMDEC_WRAP] = "ATOMDEC_WRAP" ATOMIC,
};

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
        .syntax = operand_names[number] ? operand_names[number] : syntaxes[number],
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
