/* lift_interpolate.c - GLSL.std.450: inputs of fragment programs at other places than their declaration says. */
#include "isa/spirv/ext.h"
#include "isa/spirv/lift_io.h"

#include <spirv/unified1/GLSL.std.450.h>

/* Where an input is wanted. */
struct place {
    bool centroid;
    ir_value at[2]; /* else: offset from the pixel's centre */
};

static bool place_of(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, struct place *p)
{
    *p = (struct place){.centroid = number == GLSLstd450InterpolateAtCentroid};
    if (p->centroid)
        return true;
    if (number == GLSLstd450InterpolateAtOffset) {
        const ir_value *offset = spirv_use_n(l, ids[1], 2, IR_F32);
        p->at[0] = offset ? offset[0] : 0;
        p->at[1] = offset ? offset[1] : 0;
        return offset != NULL;
    }
    ir_value sample = spirv_use_index(l, ids[1]);
    if (!sample)
        return false;
    ir_value in_pixel = ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, &sample, 1, 0, IR_SVC_SAMPLE_POS, 0);
    for (unsigned i = 0; i < 2; i++)
        p->at[i] = ir_op2(&l->b, IR_FSUB, 0, in_pixel + i, spirv_f32(l, 0.5f));
    return true;
}

/* The scalar that is a register of the variable. */
static ir_value interpolate(struct spirv_lifter *l, uint32_t var, uint32_t element, const struct place *p)
{
    struct spirv_input in;
    if (!spirv_input_at(l, var, element, &in)) {
        spirv_wrong(l, "what is interpolated is an input of a fragment program, of floats of 32 bits, with a location");
        return 0;
    }
    return p->centroid ? ir_emit(&l->b, IR_INTERP, IR_F32, in.interp | (unsigned)IR_LOC_CENTROID << 4, 1, NULL, 0,
                                 in.slot, in.component, 0)
                       : ir_emit(&l->b, IR_SERVICE, IR_F32, 0, 4, p->at, 2, in.slot, IR_SVC_INTERP_AT, 0) +
                             in.component;
}

void spirv_ext_interpolate(struct spirv_lifter *l, uint32_t number, const uint32_t *ids, unsigned n)
{
    struct spirv_pointer p;
    struct place place;
    ir_value index = 0;
    (void)n;
    if (!spirv_pointer_of(l, ids[0], &p, &index) || !place_of(l, number, ids, &place))
        return;
    if (p.place != SPIRV_REGISTERS || p.table) {
        spirv_wrong(l, "what is interpolated is an input of a fragment program");
        return;
    }
    uint32_t count = spirv_type(l, p.type)->scalars;
    ir_value *v = spirv_room(l, count);
    for (uint32_t c = 0; v && c < count && !l->failed; c++) {
        v[c] = interpolate(l, p.var, p.element + c, &place);
        /* of an array by an index: each element that it may be */
        for (uint32_t i = 1; p.dynamic && i <= p.last && !l->failed; i++) {
            ir_value is = spirv_2(l, IR_EQ, index, spirv_i32(l, i));
            v[c] = spirv_select(l, is, interpolate(l, p.var, p.element + i * p.stride + c, &place), v[c]);
        }
    }
    if (v && !l->failed)
        spirv_result(l, v, count);
}
