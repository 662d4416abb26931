/* lift_operand.c - sources and destinations: registers, uniforms, constants and special values, and what the swizzles,
 * lanes and widenings of the description pick from them. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

ir_value valhall_i32(struct valhall_lifter *l, uint32_t v)
{
    return ir_const_i32(&l->b, v);
}

/* ---- types of a row ---- */

bool valhall_is_signed(const struct valhall_insn *insn)
{
    return insn->row->kind == WEFT_TYPE_SIGNED;
}

enum ir_type valhall_integer(const struct valhall_insn *insn)
{
    switch (insn->row->size) {
    case 8:
        return IR_I8;
    case 16:
        return IR_I16;
    case 64:
        return IR_I64;
    default:
        return IR_I32;
    }
}

/* ---- registers ---- */

ir_value valhall_get(struct valhall_lifter *l, unsigned n)
{
    if (n >= VALHALL_REGISTERS)
        return valhall_i32(l, 0);
    return ir_get(&l->b, l->file_r, n, IR_I32);
}

void valhall_set(struct valhall_lifter *l, unsigned n, ir_value v)
{
    if (n >= VALHALL_REGISTERS)
        return;
    ir_set(&l->b, l->file_r, n, ir_as(&l->b, IR_I32, v), 0);
}

void valhall_set_part(struct valhall_lifter *l, unsigned n, unsigned i, ir_value v)
{
    enum ir_type type = ir_type_of(&l->b, v);
    if (n < VALHALL_REGISTERS)
        ir_set_part(&l->b, l->file_r, n, i * ir_type_bits(type), type, v, 0);
}

/* ---- special values ---- */

static bool fragment_only(struct valhall_lifter *l, const char *name)
{
    if (l->stage != IR_FRAGMENT)
        lift_refuse(&l->lift, "the special value '%s' is for fragment programs only", name);
    return l->stage == IR_FRAGMENT;
}

/* The greatest x of the bounding box in the low half, the greatest y in the high half: the targets' last pixel. */
static ir_value last_pixel(struct valhall_lifter *l)
{
    struct ir_builder *b = &l->b;
    ir_value info = ir_emit(b, IR_SERVICE, IR_I32, 0, 4, NULL, 0, 0, IR_SVC_TARGET_INFO, 0);
    ir_value x = ir_op2(b, IR_SUB, 0, info + 1, valhall_i32(l, 1)),
             y = ir_op2(b, IR_SUB, 0, info + 2, valhall_i32(l, 1));
    return ir_op2(b, IR_OR, 0, x, ir_op2(b, IR_SHL, 0, y, valhall_i32(l, 16)));
}

/* The core has as many warps as a workgroup needs: the greatest of their numbers. */
static ir_value last_warp(struct valhall_lifter *l)
{
    const uint32_t *block = l->link.block;
    uint64_t threads = l->stage == IR_COMPUTE ? (uint64_t)block[0] * block[1] * block[2] : 1;
    return valhall_i32(l, (uint32_t)((threads + VALHALL_LANES - 1) / VALHALL_LANES - 1));
}

static ir_value special(struct valhall_lifter *l, unsigned which, unsigned word)
{
    static const struct {
        uint8_t special;
        uint32_t high;
    } pointers[] = {{VALHALL_THREAD_LOCAL_POINTER, VALHALL_WINDOW_LOCAL},
                    {VALHALL_WORKGROUP_LOCAL_POINTER, VALHALL_WINDOW_WORKGROUP}};
    for (unsigned i = 0; i < 2; i++)
        if (pointers[i].special == which)
            return valhall_i32(l, word ? pointers[i].high : 0);
    switch (which) {
    case VALHALL_LANE_ID:
        return word ? valhall_i32(l, 0) : ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
    case VALHALL_WARP_ID:
        return word ? last_warp(l) : ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0);
    case VALHALL_PROGRAM_COUNTER:
        return valhall_i32(l, (uint32_t)((l->m->base + (uint64_t)l->at * 8) >> (word ? 32 : 0)));
    case VALHALL_FRAMEBUFFER_SIZE:
        return fragment_only(l, "framebuffer_size") && !word ? last_pixel(l) : valhall_i32(l, 0);
    case VALHALL_SAMPLE_POSITIONS:
        return valhall_i32(l, fragment_only(l, "sample") && word ? VALHALL_WINDOW_SAMPLES : 0);
    default:
        break;
    }
    if (which >= VALHALL_BLEND_DESCRIPTOR_0 && which <= VALHALL_BLEND_DESCRIPTOR_7)
        return valhall_i32(l, word ? l->link.blend_shader[which - VALHALL_BLEND_DESCRIPTOR_0] : which);
    if (which == VALHALL_CORE_ID || which == VALHALL_ATEST_DATUM || which == VALHALL_RESOURCE_TABLE_POINTER)
        return valhall_i32(l, 0); /* one core; no alpha to coverage; tables are reached by index alone */
    lift_refuse(&l->lift, "weft does not know what this special value is");
    return valhall_i32(l, 0);
}

/* ---- whole operands ---- */

static ir_value word_of(struct valhall_lifter *l, const struct valhall_source *s, unsigned word)
{
    switch (s->kind) {
    case VALHALL_REGISTER:
        return valhall_get(l, s->index + word);
    case VALHALL_UNIFORM:
        return valhall_uniform_word(l, s->index + word);
    case VALHALL_CONSTANT:
        return valhall_i32(l, word ? 0 : s->value);
    default:
        return special(l, s->special, s->word | word);
    }
}

ir_value valhall_bits(struct valhall_lifter *l, const struct valhall_source *s)
{
    return word_of(l, s, 0);
}

ir_value valhall_bits64(struct valhall_lifter *l, const struct valhall_source *s)
{
    struct valhall_source pair = *s;
    pair.index &= s->kind == VALHALL_CONSTANT ? 0xff : 0xfe;
    pair.word = 0;
    ir_value low = word_of(l, &pair, 0);
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, low, word_of(l, &pair, 1));
}

bool valhall_constant(const struct valhall_lifter *l, const struct valhall_source *s, uint32_t *value)
{
    if (s->kind == VALHALL_CONSTANT)
        *value = s->value;
    else if (s->kind == VALHALL_REGISTER && l->known >> s->index & 1)
        *value = l->value[s->index];
    else
        return false;
    return !s->pick || s->pick->part == 0;
}

/* ---- parts ---- */

/* Part i of `bits` bits of the operand as an integer of that width. */
static ir_value part_of(struct valhall_lifter *l, const struct valhall_source *s, unsigned bits, unsigned i)
{
    enum ir_type type = bits == 8 ? IR_I8 : IR_I16;
    unsigned shift = i * bits;
    if (s->kind == VALHALL_REGISTER) {
        unsigned n = s->index + shift / 32;
        if (n >= VALHALL_REGISTERS)
            return ir_const(&l->b, type, 0);
        return ir_get_part(&l->b, l->file_r, n, shift % 32, type);
    }
    ir_value v = word_of(l, s, shift / 32);
    if (shift % 32)
        v = ir_op2(&l->b, IR_SHR_U, 0, v, valhall_i32(l, shift % 32));
    return ir_cvt(&l->b, IR_TRUNC, type, 0, v);
}

static ir_value extend(struct valhall_lifter *l, ir_value v, enum ir_type to, bool is_signed)
{
    if (ir_type_of(&l->b, v) == to)
        return v;
    return ir_cvt(&l->b, is_signed ? IR_SEXT : IR_ZEXT, to, 0, v);
}

ir_value valhall_whole(struct valhall_lifter *l, const struct valhall_source *s, bool is_signed)
{
    enum ir_type type = s->size == 64 ? IR_I64 : IR_I32;
    const struct valhall_pick *pick = s->pick;
    ir_value v;
    if (!pick || pick->part == 0)
        v = type == IR_I64 ? valhall_bits64(l, s) : valhall_bits(l, s);
    else if (pick->part == 32)
        v = extend(l, word_of(l, s, pick->element[0]), type, is_signed);
    else
        v = extend(l, part_of(l, s, pick->part, pick->element[0]), type, is_signed);
    return s->invert ? ir_op1(&l->b, IR_NOT, 0, v) : v;
}

ir_value valhall_element(struct valhall_lifter *l, const struct valhall_source *s, enum ir_type type, unsigned lane,
                         bool is_signed)
{
    unsigned bits = ir_type_bits(type), element = lane;
    const struct valhall_pick *pick = s->pick;
    if (pick && pick->part) {
        bits = pick->part;
        element = pick->element[pick->count ? lane % pick->count : 0];
    }
    ir_value v = extend(l, part_of(l, s, bits, element), type, is_signed);
    return s->invert ? ir_op1(&l->b, IR_NOT, 0, v) : v;
}

/* ---- floats ---- */

static ir_value modified(struct valhall_lifter *l, const struct valhall_source *s, ir_value v)
{
    if (s->abs)
        v = ir_op1(&l->b, IR_FABS, 0, v);
    return s->neg ? ir_op1(&l->b, IR_FNEG, 0, v) : v;
}

ir_value valhall_f16(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane)
{
    unsigned element = s->pick && s->pick->part ? s->pick->element[s->pick->count > 1 ? lane : 0] : lane;
    return modified(l, s, ir_as(&l->b, IR_F16, part_of(l, s, 16, element)));
}

ir_value valhall_f32(struct valhall_lifter *l, const struct valhall_source *s)
{
    if (s->pick && s->pick->part == 16)
        return ir_cvt(&l->b, IR_F2F, IR_F32, 0, valhall_f16(l, s, 0));
    return modified(l, s, ir_as(&l->b, IR_F32, valhall_bits(l, s)));
}

ir_value valhall_number(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane, bool is_signed)
{
    if (l->insn->row->lanes == 1)
        return valhall_whole(l, s, is_signed);
    return valhall_element(l, s, valhall_integer(l->insn), lane, is_signed);
}

ir_value valhall_float(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane)
{
    return l->insn->row->size == 16 ? valhall_f16(l, s, lane) : valhall_f32(l, s);
}

ir_value valhall_wide_float(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane)
{
    ir_value v = valhall_float(l, s, lane);
    return ir_type_of(&l->b, v) == IR_F16 ? ir_cvt(&l->b, IR_F2F, IR_F32, 0, v) : v;
}

/* ---- results ---- */

/* 16 bits of `v` to the half that is written, where only one is. */
static void write_half(struct valhall_lifter *l, ir_value v, unsigned half)
{
    valhall_set_part(l, l->insn->dst, half, ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v));
}

void valhall_write(struct valhall_lifter *l, ir_value v)
{
    const struct valhall_insn *insn = l->insn;
    unsigned bits = ir_type_bits(ir_type_of(&l->b, v));
    if (bits == 64) {
        v = ir_as(&l->b, IR_I64, v);
        valhall_set(l, insn->dst & ~1u, ir_cvt(&l->b, IR_LO32, IR_I32, 0, v));
        valhall_set(l, insn->dst | 1u, ir_cvt(&l->b, IR_HI32, IR_I32, 0, v));
        return;
    }
    v = ir_as(&l->b, IR_I32, v);
    if (insn->dst_mask == 3)
        valhall_set(l, insn->dst, v);
    else if (insn->dst_mask == 1)
        write_half(l, v, 0);
    else if (insn->dst_mask == 2)
        write_half(l, ir_op2(&l->b, IR_SHR_U, 0, v, valhall_i32(l, 16)), 1);
}

void valhall_write_lanes(struct valhall_lifter *l, const ir_value *v, unsigned count)
{
    if (count == 1)
        valhall_write(l, v[0]);
    for (unsigned i = 0; count > 1 && i < count; i++)
        if (l->insn->dst_mask >> (i * 2 / count) & 1)
            valhall_set_part(l, l->insn->dst, i, v[i]);
}

/* ---- the same for every element ---- */

/* Element `lane` of the immediate. */
static ir_value immediate_element(struct valhall_lifter *l, unsigned lane)
{
    const struct valhall_row *row = l->insn->row;
    bool real = row->kind == WEFT_TYPE_FLOAT;
    enum ir_type type = !real ? valhall_integer(l->insn) : row->size == 16 ? IR_F16 : IR_F32;
    return ir_const(&l->b, type, (uint32_t)l->insn->imm[0] >> (lane * row->size)); /* which cuts it */
}

void valhall_lift_each(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    const struct valhall_row *row = insn->row;
    bool real = row->kind == WEFT_TYPE_FLOAT;
    ir_value result[4] = {0}, v[VALHALL_SOURCES + 1] = {0};
    for (unsigned lane = 0; lane < row->lanes; lane++) {
        for (unsigned i = 0; i < row->nsrc; i++)
            v[i] = real ? valhall_float(l, &insn->src[i], lane)
                        : valhall_number(l, &insn->src[i], lane, valhall_is_signed(insn));
        if (row->nimm)
            v[row->nsrc] = immediate_element(l, lane);
        result[lane] = row->element(l, v);
        if (valhall_has_modifier(row, VALHALL_MOD_CLAMP))
            result[lane] = valhall_clamped(l, result[lane]);
    }
    valhall_write_lanes(l, result, row->lanes);
}

/* ---- vectors of messages ---- */

static bool is_half(unsigned format)
{
    return format == VALHALL_FMT_F16 || format == VALHALL_FMT_S16 || format == VALHALL_FMT_U16;
}

static ir_value narrowed(struct valhall_lifter *l, unsigned format, ir_value v)
{
    if (format == VALHALL_FMT_F16)
        return ir_cvt(&l->b, IR_F2F, IR_F16, 0, ir_as(&l->b, IR_F32, v));
    return ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, ir_as(&l->b, IR_I32, v));
}

void valhall_write_vector(struct valhall_lifter *l, unsigned base, unsigned format, const ir_value *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (is_half(format))
            valhall_set_part(l, base + i / 2, i % 2, narrowed(l, format, v[i]));
        else
            valhall_set(l, base + i, v[i]);
}

void valhall_read_vector(struct valhall_lifter *l, unsigned base, unsigned format, ir_value *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct valhall_source s = {.kind = VALHALL_REGISTER, .index = (uint8_t)(base + (is_half(format) ? i / 2 : i))};
        if (!is_half(format)) {
            v[i] = valhall_bits(l, &s);
            if (format == VALHALL_FMT_AUTO || format == VALHALL_FMT_F32)
                v[i] = ir_as(&l->b, IR_F32, v[i]);
            continue;
        }
        ir_value half = part_of(l, &s, 16, i % 2);
        v[i] = format == VALHALL_FMT_F16 ? ir_cvt(&l->b, IR_F2F, IR_F32, 0, ir_as(&l->b, IR_F16, half))
                                         : extend(l, half, IR_I32, format == VALHALL_FMT_S16);
    }
}
