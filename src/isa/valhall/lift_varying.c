/* lift_varying.c - what vertex programs read and what fragment programs interpolate. Varyings are GENERIC[n]: 16 bytes
 * each in the buffer of a LD_VAR_BUF, and by number for the others. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

/* ---- slots of the device, made when first used ---- */

static uint32_t varying_slot(struct valhall_lifter *l, unsigned n, bool flat)
{
    uint32_t *slot = flat ? &l->flat[n] : &l->smooth[n];
    if (*slot == LIFT_NONE)
        *slot = ir_add_input(l->b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC,
                                                      .index = (uint16_t)n,
                                                      .mask = 15,
                                                      .interp = flat ? IR_INTERP_CONSTANT : IR_INTERP_PERSPECTIVE});
    return *slot;
}

/* The four halves of one half of a varying. */
static uint32_t halves_slot(struct valhall_lifter *l, unsigned n, unsigned which)
{
    uint32_t *slot = &l->halves[n][which];
    if (*slot == LIFT_NONE)
        *slot = ir_add_input(l->b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC,
                                                      .index = (uint16_t)n,
                                                      .mask = 15,
                                                      .halves = (uint8_t)(which + 1),
                                                      .interp = IR_INTERP_PERSPECTIVE});
    return *slot;
}

static enum ir_convert conversion_of(unsigned format)
{
    static const uint8_t conversions[8] = {
        [VALHALL_FMT_F32] = IR_CONVERT_FLOAT,    [VALHALL_FMT_F16] = IR_CONVERT_FLOAT,
        [VALHALL_FMT_S32] = IR_CONVERT_SIGNED,   [VALHALL_FMT_S16] = IR_CONVERT_SIGNED,
        [VALHALL_FMT_U32] = IR_CONVERT_UNSIGNED, [VALHALL_FMT_U16] = IR_CONVERT_UNSIGNED};
    return (enum ir_convert)conversions[format & 7];
}

/* Attribute n in the register format's kind of numbers; `reads`: the program surely does. */
static uint32_t attribute_slot(struct valhall_lifter *l, unsigned n, bool reads)
{
    enum ir_convert convert = conversion_of(valhall_mod(l->insn, VALHALL_MOD_REGFMT));
    uint32_t *slot = &l->attribute[convert][n];
    if (*slot == LIFT_NONE)
        *slot = ir_add_input(l->b.p, (struct ir_slot){.index = (uint16_t)n, .convert = (uint8_t)convert});
    if (reads && !arena_failed(l->b.p->arena))
        l->b.p->io.inputs[*slot].mask = 15;
    return *slot;
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

/* Component c of an input slot. */
static ir_value interpolate_slot(struct valhall_lifter *l, uint32_t slot, unsigned c, bool flat, unsigned sample,
                                 ir_value offset)
{
    if (sample == VALHALL_EXPLICIT && !flat && offset) {
        ir_value args[2] = {distance(l, offset, false), distance(l, offset, true)};
        return ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, args, 2, slot, IR_SVC_INTERP_AT, 0) + c;
    }
    unsigned mode = flat ? IR_INTERP_CONSTANT : IR_INTERP_PERSPECTIVE;
    return ir_emit(&l->b, IR_INTERP, IR_F32, mode | location_of(sample) << 4, 1, NULL, 0, slot, c, 0);
}

/* Words or halves of one varying. */
static unsigned elements_of(enum valhall_varying_kind kind)
{
    return kind >= VALHALL_SMOOTH_HALVES ? 8 : 4;
}

static ir_value interpolate(struct valhall_lifter *l, unsigned at, enum valhall_varying_kind kind, unsigned sample,
                            ir_value offset)
{
    unsigned n = at / elements_of(kind), element = at % elements_of(kind);
    if (l->stage != IR_FRAGMENT || n >= VALHALL_VARYINGS)
        return ir_const(&l->b, IR_F32, 0);
    if (kind == VALHALL_SMOOTH || kind == VALHALL_FLAT)
        return interpolate_slot(l, varying_slot(l, n, kind == VALHALL_FLAT), element, kind == VALHALL_FLAT, sample,
                                offset);
    if (kind == VALHALL_SMOOTH_HALVES)
        return interpolate_slot(l, halves_slot(l, n, element / 4), element % 4, false, sample, offset);
    ir_value word = ir_as(&l->b, IR_I32, interpolate_slot(l, varying_slot(l, n, true), element / 2, true, sample, 0));
    word = element % 2 ? ir_op2(&l->b, IR_SHR_U, 0, word, valhall_i32(l, 16))
                       : ir_op2(&l->b, IR_AND, 0, word, valhall_i32(l, 0xffff));
    return ir_as(&l->b, IR_F32, word);
}

void valhall_varying(struct valhall_lifter *l, unsigned at, unsigned count, enum valhall_varying_kind kind,
                     unsigned sample, ir_value offset, ir_value *v)
{
    for (unsigned i = 0; i < count; i++)
        v[i] = interpolate(l, at + i, kind, sample, offset);
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

enum { MOST_ELEMENTS = VALHALL_MOST_COMPONENTS + 7 };

/* v[i] of the varying that `index` (of lanes) names: one of all that there are. */
void valhall_varying_number(struct valhall_lifter *l, ir_value index, unsigned count, enum valhall_varying_kind kind,
                            unsigned sample, ir_value offset, ir_value *v)
{
    for (unsigned i = 0; i < count; i++)
        v[i] = ir_const(&l->b, IR_F32, 0);
    for (unsigned n = 0; n < VALHALL_VARYINGS; n++) {
        ir_value w[MOST_ELEMENTS], this_one = ir_op2(&l->b, IR_EQ, 0, index, valhall_i32(l, n));
        valhall_varying(l, n * elements_of(kind), count, kind, sample, offset, w);
        for (unsigned i = 0; i < count; i++)
            v[i] = ir_select(&l->b, this_one, w[i], v[i]);
    }
}

/* The varying that has byte `at`, with what follows, and of that the elements from the byte's own on. */
void valhall_varying_at(struct valhall_lifter *l, ir_value at, unsigned count, enum valhall_varying_kind kind,
                        unsigned sample, ir_value offset, ir_value *v)
{
    struct ir_builder *b = &l->b;
    ir_value w[MOST_ELEMENTS];
    unsigned elements = elements_of(kind);
    valhall_varying_number(l, ir_op2(b, IR_SHR_U, 0, at, valhall_i32(l, 4)), count + elements - 1, kind, sample, offset,
                           w);
    ir_value first = ir_op2(b, IR_SHR_U, 0, at, valhall_i32(l, elements == 4 ? 2 : 1));
    first = ir_op2(b, IR_AND, 0, first, valhall_i32(l, elements - 1));
    for (unsigned i = 0; i < count; i++)
        v[i] = w[i];
    for (unsigned k = 1; k < elements; k++) {
        ir_value from_here = ir_op2(b, IR_EQ, 0, first, valhall_i32(l, k));
        for (unsigned i = 0; i < count; i++)
            v[i] = ir_select(b, from_here, w[i + k], v[i]);
    }
}

/* ---- LD_VAR_BUF: a byte offset, and the format in memory ---- */

void valhall_lift_ld_var_buf(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    static const uint8_t kinds[] = {[VALHALL_SRC_FLAT32] = VALHALL_FLAT,
                                    [VALHALL_SRC_FLAT16] = VALHALL_FLAT_HALVES,
                                    [VALHALL_SRC_F32] = VALHALL_SMOOTH,
                                    [VALHALL_SRC_F16] = VALHALL_SMOOTH_HALVES};
    unsigned count = valhall_vector_size(insn);
    enum valhall_varying_kind kind = kinds[valhall_mod(insn, VALHALL_MOD_SOURCE_FORMAT) & 3];
    bool flat = kind == VALHALL_FLAT || kind == VALHALL_FLAT_HALVES;
    unsigned bytes = 16 / elements_of(kind);
    ir_value offset = valhall_bits(l, &insn->src[0]), v[4];
    unsigned sample =
        sample_of(l, valhall_mod(insn, VALHALL_MOD_SAMPLE), valhall_mod(insn, VALHALL_MOD_UPDATE), &offset);
    uint32_t known = 0;
    if (insn->nimm)
        valhall_varying(l, (unsigned)insn->imm[0] / bytes, count, kind, sample, offset, v);
    else if (valhall_constant(l, &insn->src[1], &known))
        valhall_varying(l, known / bytes, count, kind, sample, offset, v);
    else
        valhall_varying_at(l, valhall_bits(l, &insn->src[1]), count, kind, sample, offset, v);
    unsigned to = insn->row->size == 32 ? VALHALL_FMT_F32 : flat ? VALHALL_FMT_U16 : VALHALL_FMT_F16;
    valhall_write_vector(l, insn->staging[0].base, to, v, count);
}

/* ---- LD_VAR: a number, converted to the register format ---- */

/* Integers are flat varyings: bits that nobody interpolates. */
static void ld_var(struct valhall_lifter *l, bool flat, unsigned sample, ir_value offset,
                   const struct valhall_source *index)
{
    const struct valhall_insn *insn = l->insn;
    unsigned count = valhall_vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4], lanes = 0;
    enum valhall_varying_kind kind = flat || valhall_is_integer_format(format) ? VALHALL_FLAT : VALHALL_SMOOTH;
    uint32_t known =
        index ? valhall_table_entry(l, index, &lanes) : (uint32_t)valhall_immediate(insn, VALHALL_ROLE_INDEX);
    if (lanes)
        valhall_varying_number(l, lanes, count, kind, sample, offset, v);
    else
        valhall_varying(l, (known < VALHALL_VARYINGS ? known : VALHALL_VARYINGS) * 4, count, kind, sample, offset, v);
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

/* Point coordinates, 1/w and depth: floats, which integer formats cut as LD_ATTR does. */
void valhall_lift_ld_var_special(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    enum { POINT_X, POINT_Y, FRAG_W, FRAG_Z };
    unsigned count = valhall_vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4];
    for (unsigned i = 0; i < count; i++)
        switch ((unsigned)insn->imm[0] + i) {
        case POINT_X:
        case POINT_Y:
            v[i] = ir_sysval(&l->b, IR_SYS_POINT_COORD, IR_F32, (unsigned)insn->imm[0] + i);
            break;
        case FRAG_W:
            v[i] = ir_sysval(&l->b, IR_SYS_FRAG_W, IR_F32, 0);
            break;
        case FRAG_Z:
            v[i] = ir_sysval(&l->b, IR_SYS_FRAG_Z, IR_F32, 0);
            break;
        default:
            lift_refuse(&l->lift, "special varying %u does not exist", (unsigned)insn->imm[0] + i);
            return;
        }
    for (unsigned i = 0; i < count && valhall_is_integer_format(format); i++)
        v[i] = ir_cvt(&l->b, conversion_of(format) == IR_CONVERT_SIGNED ? IR_F2S : IR_F2U, IR_I32, IR_RTZ, v[i]);
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}

/* ---- attributes ---- */

/* Whether a source is a register that still holds what the device put there. */
static bool is_preloaded(const struct valhall_lifter *l, const struct valhall_source *s, unsigned n)
{
    return s->kind == VALHALL_REGISTER && s->index == n && (l->preloaded >> n & 1);
}

/* Attribute n of the vertex and the instance that the instruction names. The device has fetched the program's own. */
static void read_attribute(struct valhall_lifter *l, unsigned n, bool reads, ir_value v[4])
{
    enum { LINEAR_ID = 59, VERTEX_ID, INSTANCE_ID };
    const struct valhall_source *vertex = &l->insn->src[0], *instance = &l->insn->src[1];
    for (unsigned i = 0; i < 4; i++)
        v[i] = valhall_i32(l, 0);
    if (l->stage != IR_VERTEX || n >= VALHALL_ATTRIBUTES)
        return;
    uint32_t slot = attribute_slot(l, n, reads);
    if ((is_preloaded(l, vertex, VERTEX_ID) || is_preloaded(l, vertex, LINEAR_ID)) &&
        is_preloaded(l, instance, INSTANCE_ID)) {
        for (unsigned i = 0; i < 4; i++)
            v[i] = ir_as(&l->b, IR_I32, ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, slot, i, 0));
        return;
    }
    ir_value args[2] = {valhall_bits(l, vertex), valhall_bits(l, instance)};
    ir_value first = ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, args, 2, slot, IR_SVC_ATTRIBUTE, 0);
    for (unsigned i = 0; i < 4; i++)
        v[i] = ir_as(&l->b, IR_I32, first + i);
}

void valhall_lift_ld_attr(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    unsigned count = valhall_vector_size(insn), format = valhall_mod(insn, VALHALL_MOD_REGFMT);
    ir_value v[4], w[4], lanes = 0;
    uint32_t known = insn->nimm ? (uint32_t)valhall_immediate(insn, VALHALL_ROLE_INDEX)
                                : valhall_table_entry(l, &insn->src[2], &lanes);
    read_attribute(l, lanes ? VALHALL_ATTRIBUTES : known, true, v);
    for (unsigned n = 0; lanes && n < VALHALL_ATTRIBUTES; n++) {
        ir_value this_one = ir_op2(&l->b, IR_EQ, 0, lanes, valhall_i32(l, n));
        read_attribute(l, n, false, w);
        for (unsigned i = 0; i < count; i++)
            v[i] = ir_select(&l->b, this_one, w[i], v[i]);
    }
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}
