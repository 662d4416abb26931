/* resources.h - what programs of every stage read and write: buffers, textures, samplers, images. Graphics and compute
 * share them. */
#ifndef WEFT_DEVICE_RESOURCES_H
#define WEFT_DEVICE_RESOURCES_H

#include "device/kernels.h"
#include "exec/exec.h"

enum {
    RESOURCE_CONSTANTS = 32,
    RESOURCE_STORAGE = 64,
    RESOURCE_TEXTURES = WEFT_MAX_TEXTURES,
    RESOURCE_IMAGES = 32
};

struct image_view; /* image_access.h */

struct resources {
    struct exec_buffer constants[RESOURCE_CONSTANTS]; /* spaces of kind CONST, by slot */
    struct exec_buffer storage[RESOURCE_STORAGE];     /* spaces of kind GLOBAL, by slot */
    const struct weft_texture *textures[RESOURCE_TEXTURES]; /* by number of the sampler view; NULL: unbound */
    const weft_sampler *samplers;                           /* RESOURCE_TEXTURES of them */
    const struct image_view *images[RESOURCE_IMAGES];       /* NULL: unbound */
    const struct image_view *storage_images[RESOURCE_STORAGE]; /* storage that is read and written as images */
    struct exec_range
        range[RESOURCE_CONSTANTS + RESOURCE_STORAGE + RESOURCE_IMAGES]; /* of bus: resources_map makes them */
    struct exec_bus bus;
    enum exec_level level;
    /* What PROBE ops of draws call, from any thread; NULL: nobody looks. Dispatches have their own. */
    void (*probe)(void *context, struct exec_warp *w, const struct ir_op *op, const void *const *args);
    void *probe_context;
};

/* After buffers and images are set: give each its flat addresses. Without it nothing is at any address. The resources
 * must not move while they are bound. */
void resources_map(struct resources *r);

/* Bind them to a program: the spaces of kinds CONST and GLOBAL by slot, BUS by flat address, and the texture and
 * service functions below, with the resources (kept by reference) as env->device. The other spaces, and everything
 * else, are the stage's. */
void bind_resources(const struct resources *r, const struct ir_program *ir, struct exec_env *env);

/* The functions that bind_resources sets, for a stage that puts a device of its own in their place. The service answers
 * what resources alone can: images and sizes; WEFT_ERROR_UNSUPPORTED for the others. */
void resource_texture(const struct resources *r, const struct exec_texture_call *call);
weft_status resource_service(const struct resources *r, struct exec_warp *w, const struct ir_op *op,
                             const void *const *args, void *const *results);

#endif
