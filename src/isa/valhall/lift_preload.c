/* lift_preload.c - what a program finds in its registers. */
#include "isa/valhall/lift.h"

static ir_value both_halves(struct valhall_lifter *l, ir_value low, ir_value high)
{
    return ir_op2(&l->b, IR_OR, 0, low, ir_op2(&l->b, IR_SHL, 0, high, valhall_i32(l, 16)));
}

static ir_value pixel(struct valhall_lifter *l, enum ir_sysval which)
{
    return ir_cvt(&l->b, IR_F2U, IR_I32, IR_RTZ, ir_sysval(&l->b, which, IR_F32, 0));
}

static void preload_fragment(struct valhall_lifter *l)
{
    ir_value front = ir_sysval(&l->b, IR_SYS_FACE, IR_I1, 0);
    uint32_t back = !l->link.zero_is_back;
    valhall_set(l, 58, ir_select(&l->b, front, valhall_i32(l, !back), valhall_i32(l, back)));
    valhall_set(l, 59, both_halves(l, pixel(l, IR_SYS_FRAG_X), pixel(l, IR_SYS_FRAG_Y)));
    valhall_set(l, VALHALL_COVERAGE_REGISTER, ir_sysval(&l->b, IR_SYS_SAMPLE_MASK, IR_I32, 0));
    valhall_set(l, 61, ir_sysval(&l->b, IR_SYS_SAMPLE_ID, IR_I32, 0));
    if (l->uses_samples)
        valhall_store_sample_positions(l);
    valhall_begin_outputs(l);
}

static void preload_vertex(struct valhall_lifter *l)
{
    ir_value vertex = ir_sysval(&l->b, IR_SYS_VERTEX_ID, IR_I32, 0);
    valhall_set(l, 59, vertex);
    valhall_set(l, 60, vertex);
    valhall_set(l, 61, ir_sysval(&l->b, IR_SYS_INSTANCE_ID, IR_I32, 0));
}

static void preload_compute(struct valhall_lifter *l)
{
    ir_value local[3];
    for (unsigned c = 0; c < 3; c++) {
        local[c] = ir_sysval(&l->b, IR_SYS_THREAD_ID, IR_I32, c);
        ir_value group = ir_sysval(&l->b, IR_SYS_BLOCK_ID, IR_I32, c);
        ir_value size = ir_sysval(&l->b, IR_SYS_BLOCK_SIZE, IR_I32, c);
        valhall_set(l, 57 + c, group);
        valhall_set(l, VALHALL_COVERAGE_REGISTER + c,
                    ir_op2(&l->b, IR_ADD, 0, ir_op2(&l->b, IR_MUL, 0, group, size), local[c]));
    }
    valhall_set(l, 55, both_halves(l, local[0], local[1]));
    valhall_set(l, 56, local[2]);
}

void valhall_preload(struct valhall_lifter *l)
{
    if (l->stage == IR_FRAGMENT)
        preload_fragment(l);
    else if (l->stage == IR_VERTEX)
        preload_vertex(l);
    else
        preload_compute(l);
}
