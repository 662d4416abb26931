/* resources.c - resources bound to the spaces and services of a program. */
#include "device/resources.h"

/* RESOURCE_SIZE of an address space: its bytes. */
static void space_size(struct exec_warp *w, const struct ir_image *image, void *const *results)
{
    uint64_t bytes = exec_warp_env(w)->space[image->image].size;
    uint32_t *x = results[0];
    for (unsigned i = 0; i < exec_warp_ir(w)->lanes; i++)
        x[i] = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

weft_status resource_service(const struct resources *r, struct exec_warp *w, const struct ir_op *op,
                             const void *const *args, void *const *results)
{
    (void)r, (void)args;
    if (op->code != IR_SERVICE || op->imm != IR_SVC_RESOURCE_SIZE)
        return WEFT_ERROR_UNSUPPORTED;
    const struct ir_image *image = &exec_warp_ir(w)->images[op->desc];
    if (image->binding != IR_IMAGE_SPACE)
        return WEFT_ERROR_UNSUPPORTED;
    space_size(w, image, results);
    return WEFT_OK;
}

static void texture_call(void *device, const struct exec_texture_call *call)
{
    resource_texture(device, call);
}

static weft_status service_call(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                                void *const *results)
{
    return resource_service(device, w, op, args, results);
}

static struct exec_buffer buffer_of(const struct resources *r, const struct ir_space *space)
{
    if (space->kind == IR_SPACE_CONST && space->slot < RESOURCE_CONSTANTS)
        return r->constants[space->slot];
    if (space->kind == IR_SPACE_GLOBAL && space->slot < RESOURCE_STORAGE)
        return r->storage[space->slot];
    return (struct exec_buffer){0};
}

void bind_resources(const struct resources *r, const struct ir_program *ir, struct exec_env *env)
{
    for (uint32_t i = 0; i < ir->nspaces && i < EXEC_MAX_SPACES; i++)
        if (ir->spaces[i].kind == IR_SPACE_CONST || ir->spaces[i].kind == IR_SPACE_GLOBAL)
            env->space[i] = buffer_of(r, &ir->spaces[i]);
    env->device = (void *)(uintptr_t)r;
    env->texture = texture_call;
    env->service = service_call;
}
