/* lift_ext_whole.c - instructions of GLSL.std.450 on whole vectors and matrices, with pointers, and packing. */
#include "isa/spirv/ext.h"

#include <spirv/unified1/GLSL.std.450.h>

static ir_value dot(struct spirv_lifter *l, const ir_value *a, const ir_value *b, uint32_t n)
{
    ir_value s = spirv_2(l, IR_FMUL, a[0], b[0]);
    for (uint32_t i = 1; i < n; i++)
        s = spirv_2(l, IR_FADD, s, spirv_2(l, IR_FMUL, a[i], b[i]));
    return s;
}

const ir_value *spirv_ext_floats(struct spirv_lifter *l, uint32_t id, uint32_t *n)
{
    const ir_value *a = spirv_use_alike(l, id, n);
    if (a && ir_type_of(&l->b, a[0]) >= IR_F16)
        return a;
    spirv_wrong(l, "its operands are not floats");
    return NULL;
}

/* Two vectors of floats of one type and size. */
static bool two(struct spirv_lifter *l, const uint32_t *ids, const ir_value *a[2], uint32_t *n)
{
    uint32_t other;
    a[0] = spirv_ext_floats(l, ids[0], n);
    a[1] = a[0] ? spirv_ext_floats(l, ids[1], &other) : NULL;
    if (!a[1])
        return false;
    if (other != *n || ir_type_of(&l->b, a[0][0]) != ir_type_of(&l->b, a[1][0]))
        spirv_wrong(l, "its operands are of types that do not go together");
    return !l->failed;
}

static ir_value length_of(struct spirv_lifter *l, const ir_value *a, uint32_t n)
{
    return n == 1 ? spirv_1(l, IR_FABS, a[0]) : spirv_1(l, IR_FSQRT, dot(l, a, a, n));
}

static void lengths(struct spirv_lifter *l, uint32_t number, const uint32_t *ids)
{
    uint32_t n;
    const ir_value *a[2];
    if (number == GLSLstd450Distance) {
        if (!two(l, ids, a, &n))
            return;
        ir_value *d = spirv_room(l, n);
        for (uint32_t i = 0; d && i < n; i++)
            d[i] = spirv_2(l, IR_FSUB, a[0][i], a[1][i]);
        ir_value v = d ? length_of(l, d, n) : 0;
        spirv_result(l, &v, 1);
        return;
    }
    a[0] = spirv_ext_floats(l, ids[0], &n);
    if (!a[0])
        return;
    ir_value length = length_of(l, a[0], n), *v = spirv_room(l, n);
    if (number == GLSLstd450Length)
        spirv_result(l, &length, 1);
    for (uint32_t i = 0; v && number == GLSLstd450Normalize && i < n; i++)
        v[i] = spirv_2(l, IR_FDIV, a[0][i], length);
    if (v && number == GLSLstd450Normalize)
        spirv_result(l, v, n);
}

static void cross(struct spirv_lifter *l, const uint32_t *ids)
{
    uint32_t n;
    const ir_value *a[2];
    ir_value v[3];
    if (!two(l, ids, a, &n) || n != 3) {
        spirv_wrong(l, "Cross takes vectors of three");
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        v[i] = spirv_2(l, IR_FSUB, spirv_2(l, IR_FMUL, a[0][j], a[1][k]), spirv_2(l, IR_FMUL, a[1][j], a[0][k]));
    }
    spirv_result(l, v, 3);
}

/* ---- reflection ---- */

static void face_forward(struct spirv_lifter *l, const uint32_t *ids)
{
    uint32_t n, count;
    const ir_value *a[2], *normal = spirv_ext_floats(l, ids[0], &count);
    if (!normal || !two(l, ids + 1, a, &n) || n != count) {
        spirv_wrong(l, "its operands are of types that do not go together");
        return;
    }
    ir_value zero = spirv_float(l, ir_type_of(&l->b, normal[0]), 0), *v = spirv_room(l, n);
    ir_value keep = spirv_2(l, IR_FLT, dot(l, a[1], a[0], n), zero);
    for (uint32_t i = 0; v && i < n; i++)
        v[i] = spirv_select(l, keep, normal[i], spirv_1(l, IR_FNEG, normal[i]));
    if (v)
        spirv_result(l, v, n);
}

static void reflect(struct spirv_lifter *l, const uint32_t *ids)
{
    uint32_t n;
    const ir_value *a[2];
    if (!two(l, ids, a, &n))
        return;
    ir_value twice = spirv_2(l, IR_FMUL, spirv_float(l, ir_type_of(&l->b, a[0][0]), 2), dot(l, a[1], a[0], n));
    ir_value *v = spirv_room(l, n);
    for (uint32_t i = 0; v && i < n; i++)
        v[i] = spirv_2(l, IR_FSUB, a[0][i], spirv_2(l, IR_FMUL, twice, a[1][i]));
    if (v)
        spirv_result(l, v, n);
}

static void refract(struct spirv_lifter *l, const uint32_t *ids)
{
    uint32_t n;
    const ir_value *a[2];
    if (!two(l, ids, a, &n))
        return;
    enum ir_type type = ir_type_of(&l->b, a[0][0]);
    ir_value eta = spirv_use_one(l, ids[2], type), *v = spirv_room(l, n);
    if (!eta || !v)
        return;
    ir_value one = spirv_float(l, type, 1), zero = spirv_float(l, type, 0), d = dot(l, a[1], a[0], n);
    ir_value sine = spirv_2(l, IR_FSUB, one, spirv_2(l, IR_FMUL, d, d));
    ir_value k = spirv_2(l, IR_FSUB, one, spirv_2(l, IR_FMUL, spirv_2(l, IR_FMUL, eta, eta), sine));
    ir_value along = spirv_2(l, IR_FADD, spirv_2(l, IR_FMUL, eta, d), spirv_1(l, IR_FSQRT, k));
    ir_value none = spirv_2(l, IR_FLT, k, zero);
    for (uint32_t i = 0; i < n; i++) {
        ir_value in = spirv_2(l, IR_FMUL, eta, a[0][i]), out = spirv_2(l, IR_FMUL, along, a[1][i]);
        v[i] = spirv_select(l, none, zero, spirv_2(l, IR_FSUB, in, out));
    }
    spirv_result(l, v, n);
}

/* ---- two results ---- */

/* Exponents are as narrow as the struct's; `leaf` are the types there, which are others where nothing fits. */
static void narrow_exponents(struct spirv_lifter *l, const uint8_t *leaf, ir_value *v, uint32_t n)
{
    for (uint32_t i = 0; leaf && i < n && ir_type_of(&l->b, v[i]) == IR_I32; i++)
        if (leaf[i] == IR_I8 || leaf[i] == IR_I16)
            v[i] = spirv_cvt(l, IR_TRUNC, (enum ir_type)leaf[i], v[i]);
}

/* The second one is stored, frexp's in 32 bits (GLSL.std.450, Frexp), or is the second member of a struct. */
static void second_result(struct spirv_lifter *l, bool is_struct, uint32_t pointer, ir_value *v, uint32_t n)
{
    struct spirv_pointer p;
    ir_value dynamic;
    if (is_struct) {
        const uint8_t *both = spirv_leaves(l, l->w[1]);
        narrow_exponents(l, both && spirv_type(l, l->w[1])->scalars == 2 * n ? both + n : NULL, v + n, n);
        spirv_result(l, v, 2 * n);
        return;
    }
    if (!spirv_pointer_of(l, pointer, &p, &dynamic))
        return;
    const uint8_t *leaf = spirv_leaves(l, p.type);
    bool fits = p.place <= SPIRV_MEMORY && spirv_type(l, p.type)->scalars == n && leaf;
    for (uint32_t i = 0; fits && i < n; i++)
        fits = leaf[i] == ir_type_of(&l->b, v[n + i]);
    if (!fits) {
        spirv_wrong(l, "the pointer does not lead to what is stored");
        return;
    }
    spirv_store_to(l, &p, dynamic, v + n);
    spirv_result(l, v, n);
}

static void modf_frexp(struct spirv_lifter *l, uint32_t number, const uint32_t *ids)
{
    bool is_struct = number == GLSLstd450ModfStruct || number == GLSLstd450FrexpStruct;
    bool modf = number == GLSLstd450ModfStruct || number == GLSLstd450Modf;
    uint32_t n;
    const ir_value *a = spirv_ext_floats(l, ids[0], &n);
    ir_value *v = a ? spirv_room(l, 2 * n) : NULL;
    if (!v)
        return;
    for (uint32_t i = 0; i < n; i++) {
        if (!modf) {
            v[i] = spirv_1(l, IR_FREXP_MANT, a[i]);
            v[n + i] = spirv_1(l, IR_FREXP_EXP, a[i]);
            continue;
        }
        v[n + i] = spirv_emit(l, IR_FRINT, IR_VOID, IR_RTZ, &a[i], 1, 0);
        ir_value rest = spirv_2(l, IR_FSUB, a[i], v[n + i]);
        ir_value far = spirv_2(l, IR_FEQ, a[i], v[n + i]); /* infinities too */
        v[i] = spirv_select(l, far, spirv_float(l, ir_type_of(&l->b, a[i]), 0), rest);
    }
    second_result(l, is_struct, is_struct ? 0 : ids[1], v, n);
}

/* An integer as one of 32 bits; what does not fit is far beyond every exponent. */
static ir_value exponent_of(struct spirv_lifter *l, ir_value v)
{
    const int64_t far = 1 << 20;
    if (ir_type_of(&l->b, v) == IR_I32)
        return v;
    if (ir_type_of(&l->b, v) != IR_I64)
        return spirv_cvt(l, IR_SEXT, IR_I32, v);
    v = spirv_2(l, IR_MIN_S, v, spirv_const(l, IR_I64, (uint64_t)far));
    return spirv_cvt(l, IR_TRUNC, IR_I32, spirv_2(l, IR_MAX_S, v, spirv_const(l, IR_I64, (uint64_t)-far)));
}

static void ldexp_of(struct spirv_lifter *l, const uint32_t *ids)
{
    uint32_t n, counts;
    const ir_value *a = spirv_ext_floats(l, ids[0], &n), *by = a ? spirv_use_alike(l, ids[1], &counts) : NULL;
    ir_value *v = by ? spirv_room(l, n) : NULL;
    if (!v)
        return;
    enum ir_type type = ir_type_of(&l->b, by[0]);
    if (counts != n || type < IR_I8 || type > IR_I64) {
        spirv_wrong(l, "its operands are of types that do not go together");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        v[i] = spirv_2(l, IR_FLDEXP, a[i], exponent_of(l, by[i]));
    }
    spirv_result(l, v, n);
}

/* ---- packing ---- */

struct packing {
    uint32_t number;
    unsigned parts, bits;
    bool is_signed;
    double scale; /* 0: halves */
};
static const struct packing packings[] = {
    {GLSLstd450PackSnorm4x8, 4, 8, true, 127},    {GLSLstd450UnpackSnorm4x8, 4, 8, true, 127},
    {GLSLstd450PackUnorm4x8, 4, 8, false, 255},   {GLSLstd450UnpackUnorm4x8, 4, 8, false, 255},
    {GLSLstd450PackSnorm2x16, 2, 16, true, 32767}, {GLSLstd450UnpackSnorm2x16, 2, 16, true, 32767},
    {GLSLstd450PackUnorm2x16, 2, 16, false, 65535}, {GLSLstd450UnpackUnorm2x16, 2, 16, false, 65535},
    {GLSLstd450PackHalf2x16, 2, 16, false, 0},    {GLSLstd450UnpackHalf2x16, 2, 16, false, 0},
};

static ir_value pack_part(struct spirv_lifter *l, const struct packing *p, ir_value x)
{
    if (p->scale == 0)
        return spirv_cvt(l, IR_ZEXT, IR_I32, spirv_as(l, IR_I16, spirv_cvt(l, IR_F2F, IR_F16, x)));
    x = spirv_2(l, IR_FMAX, x, spirv_f32(l, p->is_signed ? -1 : 0));
    x = spirv_2(l, IR_FMUL, spirv_2(l, IR_FMIN, x, spirv_f32(l, 1)), spirv_f32(l, (float)p->scale));
    return spirv_2(l, IR_AND, spirv_emit(l, IR_F2S, IR_I32, IR_RNE, &x, 1, 0), spirv_i32(l, (1u << p->bits) - 1));
}

static ir_value unpack_part(struct spirv_lifter *l, const struct packing *p, ir_value word, unsigned i)
{
    ir_value up = spirv_2(l, IR_SHL, word, spirv_i32(l, 32 - p->bits * (i + 1)));
    ir_value part = spirv_2(l, p->is_signed ? IR_SHR_S : IR_SHR_U, up, spirv_i32(l, 32 - p->bits));
    if (p->scale == 0)
        return spirv_cvt(l, IR_F2F, IR_F32, spirv_as(l, IR_F16, spirv_cvt(l, IR_TRUNC, IR_I16, part)));
    ir_value v = spirv_cvt(l, p->is_signed ? IR_S2F : IR_U2F, IR_F32, part);
    v = spirv_2(l, IR_FDIV, v, spirv_f32(l, (float)p->scale));
    return p->is_signed ? spirv_2(l, IR_FMAX, v, spirv_f32(l, -1)) : v;
}

static void packed(struct spirv_lifter *l, const struct packing *p, const uint32_t *ids)
{
    bool packs = p->number <= GLSLstd450PackDouble2x32;
    ir_value v[4], word = 0;
    const ir_value *a = spirv_use_n(l, ids[0], packs ? p->parts : 1, packs ? IR_F32 : IR_I32);
    if (!a)
        return;
    for (unsigned i = 0; i < p->parts; i++) {
        if (!packs) {
            v[i] = unpack_part(l, p, a[0], i);
            continue;
        }
        ir_value part = spirv_2(l, IR_SHL, pack_part(l, p, a[i]), spirv_i32(l, i * p->bits));
        word = word ? spirv_2(l, IR_OR, word, part) : part;
    }
    spirv_result(l, packs ? &word : v, packs ? 1 : p->parts);
}

static void pack_double(struct spirv_lifter *l, bool packs, const uint32_t *ids)
{
    const ir_value *a = spirv_use_n(l, ids[0], packs ? 2 : 1, packs ? IR_I32 : IR_F64);
    ir_value v[2];
    if (!a)
        return;
    if (packs) {
        v[0] = spirv_as(l, IR_F64, spirv_emit(l, IR_PACK64, IR_I64, 0, a, 2, 0));
    } else {
        ir_value bits = spirv_as(l, IR_I64, a[0]);
        v[0] = spirv_cvt(l, IR_LO32, IR_I32, bits);
        v[1] = spirv_cvt(l, IR_HI32, IR_I32, bits);
    }
    spirv_result(l, v, packs ? 1 : 2);
}

/* ---- dispatch ---- */

static unsigned operands_of(uint32_t number)
{
    switch (number) {
    case GLSLstd450FaceForward:
    case GLSLstd450Refract:
    case GLSLstd450IMix:
        return 3;
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Reflect:
    case GLSLstd450Ldexp:
    case GLSLstd450Modf:
    case GLSLstd450Frexp:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset:
        return 2;
    default:
        return 1;
    }
}

void spirv_ext_whole(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, unsigned n)
{
    if (n != operands_of(number)) {
        spirv_wrong(l, "%s has %u operands", spirv_ext_name(number), operands_of(number));
        return;
    }
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (packings[i].number == number) {
            packed(l, &packings[i], ids);
            return;
        }
    switch (number) {
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Normalize:
        lengths(l, number, ids);
        break;
    case GLSLstd450Cross:
        cross(l, ids);
        break;
    case GLSLstd450FaceForward:
        face_forward(l, ids);
        break;
    case GLSLstd450Reflect:
        reflect(l, ids);
        break;
    case GLSLstd450Refract:
        refract(l, ids);
        break;
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
        spirv_ext_matrix(l, number, ids);
        break;
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
        modf_frexp(l, number, ids);
        break;
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset:
        spirv_ext_interpolate(l, number, ids, n);
        break;
    case GLSLstd450Ldexp:
        ldexp_of(l, ids);
        break;
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
        pack_double(l, number == GLSLstd450PackDouble2x32, ids);
        break;
    default:
        spirv_wrong(l, "%s is not executed", spirv_ext_name(number));
        break;
    }
}
