/* resources.h - what a module names by set and binding. */
#ifndef WEFT_ISA_SPIRV_RESOURCES_H
#define WEFT_ISA_SPIRV_RESOURCES_H

#include "isa/isa.h"
#include "isa/spirv/linkage.h"

struct spirv_named {
    const char *name; /* of the variable, or of its block; "" if the module has none */
    unsigned kinds;   /* 1 << enum spirv_resource; a texture with its sampler has two */
    uint32_t set, binding;
    uint32_t count; /* elements of an array; 1: it is none, or one without a length */
};

/* Its variables, used or not, in their order; words that are not a module have none. False: no memory. */
bool spirv_resources(const uint32_t *words, size_t count, struct arena *arena, struct spirv_named **out, size_t *n);

#endif
