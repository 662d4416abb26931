/* resources.h - what a module names by set and binding, by location, or by the number of a constant. */
#ifndef WEFT_ISA_SPIRV_RESOURCES_H
#define WEFT_ISA_SPIRV_RESOURCES_H

#include "isa/isa.h"
#include "isa/spirv/linkage.h"

/* What a number is. */
enum spirv_number { SPIRV_NO_NUMBER, SPIRV_FLOATS, SPIRV_UINTS, SPIRV_SINTS };

/* A variable with a set and a binding, or an input or output with a location. */
struct spirv_named {
    const char *name; /* of the variable, or of its block; "" if the module has none */
    unsigned kinds;   /* 1 << enum spirv_resource; a texture with its sampler has two; 0: an input or output */
    uint32_t set, binding;
    uint32_t count; /* elements of an array; 1: it is not an array, or one without a length */
    enum spirv_number number; /* of texels, or of the components of an input or output */
    uint32_t format;          /* of a storage image: SPIR-V's ImageFormat; 0: none is named */
    bool input, output;
    uint32_t location;
    uint32_t id;
};

/* What a module has, in the order of its instructions. */
struct spirv_inventory {
    struct spirv_named *named; /* used or not */
    size_t nnamed, cap;
    uint32_t *special; /* SpecId of the constants that can be specialised */
    size_t nspecial, special_cap;
    size_t entries; /* entry points; with several, inputs and outputs are those of all */
};

/* Words that are not a module have nothing. False: no memory. */
bool spirv_take_inventory(const uint32_t *words, size_t count, struct arena *arena, struct spirv_inventory *out);

/* The name of an ImageFormat as Vulkan spells it; NULL: there is no such format. */
const char *spirv_format_name(uint32_t format);

#endif
