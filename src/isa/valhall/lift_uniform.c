/* lift_uniform.c - uniform words and buffers: what the linkage says a word holds, and the values that a driver keeps
 * after a program's own buffers (sizes of textures; the viewport of vertex programs). */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

enum { PUSH_BUFFER = 15, BUFFERS = 64 };

/* The space of buffer `number`, made when first used: "ubo2". */
static uint32_t add_space(struct valhall_lifter *l, uint32_t *space, enum ir_space_kind kind, unsigned number,
                          const char *name)
{
    if (*space == LIFT_NONE)
        *space = ir_add_space(l->b.p, (struct ir_space){.name = arena_printf(l->b.p->arena, "%s%u", name, number),
                                                        .kind = (uint8_t)kind,
                                                        .bounds = IR_BOUNDS_ZERO,
                                                        .slot = (uint16_t)number});
    return *space;
}

uint32_t valhall_ubo(struct valhall_lifter *l, unsigned number)
{
    return add_space(l, &l->space_ubo[number < BUFFERS ? number : BUFFERS - 1], IR_SPACE_CONST, number, "ubo");
}

static ir_value load_word(struct valhall_lifter *l, uint32_t space, uint32_t byte)
{
    return ir_load(&l->b, (struct ir_mem){(uint16_t)space, IR_I32, 1, 4, byte}, IR_I32, valhall_i32(l, 0));
}

/* Word `byte` / 4 of the driver's values. Vertex programs: scale and offset of a viewport that leaves coordinates as
 * they are. Fragment and compute programs: width, height, depth or layers of textures. */
static ir_value driver_value(struct valhall_lifter *l, uint32_t byte)
{
    unsigned value = byte / 16, component = byte / 4 % 4;
    if (l->stage == IR_VERTEX)
        return valhall_i32(l, value == 0 && component < 3 ? 0x3f800000 : 0);
    const struct valhall_image *of = &l->link.sysval[value < VALHALL_SYSVALS ? value : VALHALL_SYSVALS - 1];
    struct ir_texture t = {.op = IR_TEX_QUERY_SIZE,
                           .dim = of->dim,
                           .array = of->array,
                           .view = of->texture,
                           .as_bound = true,
                           .multisample = of->dim == IR_TEX_2D};
    t.zero_lod = of->dim != IR_TEX_BUFFER && of->dim != IR_TEX_RECT;
    return ir_texture_op(&l->b, t, IR_I32, NULL, 0) + (component < 3 ? component : 2);
}

static ir_value storage_size(struct valhall_lifter *l, unsigned number)
{
    uint32_t space =
        add_space(l, &l->space_storage[number < BUFFERS ? number : BUFFERS - 1], IR_SPACE_GLOBAL, number, "storage");
    struct ir_image image = {.dim = IR_TEX_BUFFER, .binding = IR_IMAGE_SPACE, .image = (uint16_t)space};
    return ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, image, NULL, 0);
}

ir_value valhall_uniform_word(struct valhall_lifter *l, unsigned number)
{
    const struct valhall_uniform *u = &l->link.uniform[number < VALHALL_UNIFORMS ? number : VALHALL_UNIFORMS - 1];
    switch ((enum valhall_uniform_kind)u->kind) {
    case VALHALL_U_BUFFER:
        if (l->link.sysvals && u->buffer == l->link.ubo_count && u->byte < l->link.sysvals * 16)
            return driver_value(l, u->byte);
        return load_word(l, valhall_ubo(l, u->buffer), u->byte);
    case VALHALL_U_PUSH:
        return load_word(l, add_space(l, &l->space_push, IR_SPACE_CONST, PUSH_BUFFER, "push"), u->byte);
    case VALHALL_U_STORAGE_LOW:
        return valhall_i32(l, (uint32_t)IR_STORAGE_ADDRESS(u->buffer));
    case VALHALL_U_STORAGE_HIGH:
        return valhall_i32(l, (uint32_t)(IR_STORAGE_ADDRESS(u->buffer) >> 32));
    case VALHALL_U_STORAGE_SIZE:
        return storage_size(l, u->buffer);
    case VALHALL_U_UNIFORM_LOW:
        return valhall_i32(l, (uint32_t)IR_CONSTANT_ADDRESS(u->buffer));
    case VALHALL_U_UNIFORM_HIGH:
        return valhall_i32(l, (uint32_t)(IR_CONSTANT_ADDRESS(u->buffer) >> 32));
    }
    return valhall_i32(l, 0);
}
