/* resources.c - resources bound to the spaces and services of a program. */
#include "device/resources.h"

#include "device/image_access.h"

weft_status resource_service(const struct resources *r, struct exec_warp *w, const struct ir_op *op,
                             const void *const *args, void *const *results)
{
    return image_service(r, w, op, args, results);
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

static void map_buffer(struct resources *r, uint64_t first, const struct exec_buffer *b, bool read_only)
{
    uint64_t size = b->size < UINT64_C(1) << 32 ? b->size : UINT64_C(1) << 32;
    if (b->data && size)
        r->range[r->bus.nranges++] = (struct exec_range){first, size, b->data, read_only};
}

void resources_map(struct resources *r)
{
    r->bus = (struct exec_bus){0};
    for (unsigned n = 0; n < RESOURCE_CONSTANTS; n++)
        map_buffer(r, IR_CONSTANT_ADDRESS(n), &r->constants[n], true);
    for (unsigned n = 0; n < RESOURCE_STORAGE; n++)
        map_buffer(r, IR_STORAGE_ADDRESS(n), &r->storage[n], false);
    for (unsigned n = 0; n < RESOURCE_IMAGES; n++)
        if (r->images[n] && r->images[n]->texture) {
            const struct weft_texture *t = r->images[n]->texture;
            map_buffer(r, IR_IMAGE_ADDRESS(n), &(struct exec_buffer){t->data, t->size}, false);
        }
    r->bus.ranges = r->range;
}

void bind_resources(const struct resources *r, const struct ir_program *ir, struct exec_env *env)
{
    for (uint32_t i = 0; i < ir->nspaces && i < EXEC_MAX_SPACES; i++)
        if (ir->spaces[i].kind == IR_SPACE_CONST || ir->spaces[i].kind == IR_SPACE_GLOBAL)
            env->space[i] = buffer_of(r, &ir->spaces[i]);
    env->concurrent = true; /* a stage that runs on one thread may say otherwise */
    env->bus = &r->bus;
    env->device = (void *)(uintptr_t)r;
    env->texture = texture_call;
    env->service = service_call;
    env->service_writes = true;
    env->probe = r->probe;
    env->probe_context = r->probe_context;
}
