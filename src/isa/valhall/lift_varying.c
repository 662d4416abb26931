/* lift_varying.c - what vertex programs read and what fragment programs interpolate. Varyings are GENERIC[n]: 16 bytes
 * each in the buffer of a LD_VAR_BUF, and by number for the others. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

enum { INDEX_BITS = 0xffffff };

/* ---- slots of the device, made when first used ---- */

static uint32_t varying_slot(struct valhall_lifter *l, unsigned n, bool flat)
{
    uint32_t *slot = flat ? &l->flat[n] : &l->smooth[n];
    if (*slot == VALHALL_ABSENT)
        *slot = ir_add_input(l->b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)n, .mask = 15,
                                                      .interp = flat ? IR_INTERP_CONSTANT : IR_INTERP_PERSPECTIVE});
    return *slot;
}

static ir_value attribute(struct valhall_lifter *l, unsigned n, unsigned component)
{
    if (l->stage != IR_VERTEX || n >= VALHALL_ATTRIBUTES)
        return valhall_i32(l, 0);
    if (l->attribute[n] == VALHALL_ABSENT)
        l->attribute[n] = ir_add_input(l->b.p, (struct ir_slot){.index = (uint16_t)n, .mask = 15});
    return ir_as(&l->b, IR_I32, ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, l->attribute[n], component, 0));
}

/* ---- interpolation ---- */

/* Where a sample mode looks, as the device says it. */
static unsigned location_of(unsigned sample)
{
    return sample == VALHALL_CENTROID ? IR_LOC_CENTROID : sample == VALHALL_SAMPLE ? IR_LOC_SAMPLE : IR_LOC_CENTER;
}

/* An explicit position: signed 8.8 fixed-point distances from the pixel's centre, x in the low half. */
static ir_value distance(struct valhall_lifter *l, ir_value offset, bool high)
{
    ir_value v = high ? offset : ir_op2(&l->b, IR_SHL, 0, offset, valhall_i32(l, 16));
    v = ir_op2(&l->b, IR_SHR_S, 0, v, valhall_i32(l, 16));
    return ir_op2(&l->b, IR_FMUL, 0, ir_cvt(&l->b, IR_S2F, IR_F32, 0, v), ir_const_f32(&l->b, 1.0f / 256));
}

static ir_value interpolate(struct valhall_lifter *l, unsigned at, bool flat, unsigned sample, ir_value offset)
{
    unsigned n = at / 4, component = at % 4;
    if (l->stage != IR_FRAGMENT || n >= VALHALL_VARYINGS)
        return ir_const(&l->b, IR_F32, 0);
    uint32_t slot = varying_slot(l, n, flat);
    if (sample == VALHALL_EXPLICIT && !flat && offset) {
        ir_value args[2] = {distance(l, offset, false), distance(l, offset, true)};
        return ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, args, 2, slot, IR_SVC_INTERP_AT, 0) + component;
    }
    unsigned mode = flat ? IR_INTERP_CONSTANT : IR_INTERP_PERSPECTIVE;
    return ir_emit(&l->b, IR_INTERP, IR_F32, mode | location_of(sample) << 4, 1, NULL, 0, slot, component, 0);
}

void valhall_varying(struct valhall_lifter *l, unsigned at, unsigned count, bool flat, unsigned sample, ir_value offset,
                     ir_value *v)
{
    for (unsigned i = 0; i < count; i++)
        v[i] = interpolate(l, at + i, flat, sample, offset);
}

/* The hidden position that .store keeps and .retrieve takes, in the order of the program. */
static unsigned sample_of(struct valhall_lifter *l, unsigned sample, unsigned update, ir_value *offset)
{
    if (update == VALHALL_RETRIEVE) {
        *offset = l->saved_offset;
        return l->saved_sample;
    }
    if (update == VALHALL_STORE) {
        l->saved_sample = (uint8_t)sample;
        l->saved_offset = *offset;
    } else {
        l->saved_sample = VALHALL_CENTER;
        l->saved_offset = 0;
    }
    return sample;
}

/* v[i] of the varying that `index` (of lanes) names: one of all that there are. */
static void choose_varying(struct valhall_lifter *l, ir_value index, unsigned count, bool flat, unsigned sample,
                           ir_value offset, ir_value *v)
{
    for (unsigned i = 0; i < count; i++)
        v[i] = ir_const(&l->b, IR_F32, 0);
    for (unsigned n = 0; n < VALHALL_VARYINGS; n++) {
        ir_value w[VALHALL_MOST_COMPONENTS + 3], this_one = ir_op2(&l->b, IR_EQ, 0, index, valhall_i32(l, n));
        valhall_varying(l, n * 4, count, flat, sample, offset, w);
        for (unsigned i = 0; i < count; i++)
            v[i] = ir_select(&l->b, this_one, w[i], v[i]);
    }
}

void valhall_varying_number(struct valhall_lifter *l, ir_value number, unsigned count, bool flat, unsigned sample,
                            ir_value offset, ir_value *v)
{
    number = ir_op2(&l->b, IR_AND, 0, number, valhall_i32(l, INDEX_BITS));
    choose_varying(l, number, count, flat, sample, offset, v);
}

/* The varying that has byte `at`, with what follows, and of that the words from the byte's own on. */
void valhall_varying_at(struct valhall_lifter *l, ir_value at, unsigned count, bool flat, unsigned sample,
                        ir_value offset, ir_value *v)
{
    struct ir_builder *b = &l->b;
    ir_value w[VALHALL_MOST_COMPONENTS + 3];
    choose_varying(l, ir_op2(b, IR_SHR_U, 0, at, valhall_i32(l, 4)), count + 3, flat, sample, offset, w);
    ir_value word = ir_op2(b, IR_AND, 0, ir_op2(b, IR_SHR_U, 0, at, valhall_i32(l, 2)), valhall_i32(l, 3));
    for (unsigned i = 0; i < count; i++)
        v[i] = w[i];
    for (unsigned k = 1; k < 4; k++) {
        ir_value from_here = ir_op2(b, IR_EQ, 0, word, valhall_i32(l, k));
        for (unsigned i = 0; i < count; i++)
            v[i] = ir_select(b, from_here, w[i + k], v[i]);
    }
}

static unsigned vector_size(const struct valhall_insn *insn)
{
    return valhall_mod(insn, VALHALL_MOD_VECSIZE) + 1;
}

/* ---- LD_VAR_BUF: a byte offset, and the format in memory ---- */

void valhall_lift_ld_var_buf(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned count = vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_SOURCE_FORMAT);
    bool flat = format == VALHALL_SRC_FLAT32 || format == VALHALL_SRC_FLAT16;
    ir_value offset = valhall_bits(l, &insn->src[0]), v[4];
    unsigned sample =
        sample_of(l, valhall_mod(insn, VALHALL_MOD_SAMPLE), valhall_mod(insn, VALHALL_MOD_UPDATE), &offset);
    uint32_t known = 0;
    if (insn->nimm)
        valhall_varying(l, (unsigned)insn->imm[0] / 4, count, flat, sample, offset, v);
    else if (valhall_constant(l, &insn->src[1], &known))
        valhall_varying(l, known / 4, count, flat, sample, offset, v);
    else
        valhall_varying_at(l, valhall_bits(l, &insn->src[1]), count, flat, sample, offset, v);
    unsigned to = insn->row->size == 32 ? VALHALL_FMT_F32 : flat ? VALHALL_FMT_U16 : VALHALL_FMT_F16;
    valhall_write_vector(l, insn->staging[0].base, to, v, count);
}

/* ---- LD_VAR: a number, converted to the register format ---- */

/* Integers are flat varyings: bits that nobody interpolates. */
static bool is_integer(unsigned format)
{
    return format >= VALHALL_FMT_S32;
}

static void ld_var(struct valhall_lifter *l, bool flat, unsigned sample, ir_value offset,
                   const struct valhall_source *index)
{
    const struct valhall_insn *insn = l->insn;
    unsigned count = vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4];
    uint32_t known;
    flat |= is_integer(format);
    if (!index)
        valhall_varying(l, (unsigned)insn->imm[1] * 4, count, flat, sample, offset, v);
    else if (valhall_constant(l, index, &known))
        valhall_varying(l, (known & INDEX_BITS) * 4, count, flat, sample, offset, v);
    else
        valhall_varying_number(l, valhall_bits(l, index), count, flat, sample, offset, v);
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}

void valhall_lift_ld_var(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value offset = valhall_bits(l, &insn->src[0]);
    unsigned sample =
        sample_of(l, valhall_mod(insn, VALHALL_MOD_SAMPLE), valhall_mod(insn, VALHALL_MOD_UPDATE), &offset);
    ld_var(l, false, sample, offset, insn->nsrc > 1 ? &insn->src[1] : NULL);
}

void valhall_lift_ld_var_flat(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ld_var(l, true, VALHALL_CENTER, 0, insn->nsrc ? &insn->src[0] : NULL);
}

/* Point coordinates, 1/w and depth. */
void valhall_lift_ld_var_special(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    enum { POINT_X, POINT_Y, FRAG_W, FRAG_Z };
    unsigned count = vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4];
    for (unsigned i = 0; i < count; i++)
        switch ((unsigned)insn->imm[0] + i) {
        case POINT_X:
        case POINT_Y:
            v[i] = valhall_sysval(l, IR_SYS_POINT_COORD, IR_F32, (unsigned)insn->imm[0] + i);
            break;
        case FRAG_W:
            v[i] = valhall_sysval(l, IR_SYS_FRAG_W, IR_F32, 0);
            break;
        case FRAG_Z:
            v[i] = valhall_sysval(l, IR_SYS_FRAG_Z, IR_F32, 0);
            break;
        default:
            valhall_refuse(l, "there is no special varying %u", (unsigned)insn->imm[0] + i);
            return;
        }
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}

/* ---- attributes ---- */

void valhall_lift_ld_attr(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned count = vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4], index = 0;
    uint32_t known = insn->nimm ? (uint32_t)insn->imm[0] : 0;
    if (!insn->nimm && !valhall_constant(l, &insn->src[2], &known))
        index = ir_op2(&l->b, IR_AND, 0, valhall_bits(l, &insn->src[2]), valhall_i32(l, INDEX_BITS));
    for (unsigned i = 0; i < count; i++) {
        v[i] = attribute(l, index ? 0 : known & INDEX_BITS, i);
        for (unsigned n = 1; index && n < VALHALL_ATTRIBUTES; n++)
            v[i] = ir_select(&l->b, ir_op2(&l->b, IR_EQ, 0, index, valhall_i32(l, n)), attribute(l, n, i), v[i]);
    }
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}
