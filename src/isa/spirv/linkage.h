/* linkage.h - which buffers, textures and images a module's sets and bindings are: the lines that docs/manual/spirv.md
 * describes. */
#ifndef WEFT_ISA_SPIRV_LINKAGE_H
#define WEFT_ISA_SPIRV_LINKAGE_H

#include "isa/isa.h"

enum spirv_resource { SPIRV_UNIFORM, SPIRV_STORAGE, SPIRV_TEXTURE, SPIRV_SAMPLER, SPIRV_IMAGE, SPIRV_RESOURCES };

struct spirv_bound {
    uint32_t kind; /* enum spirv_resource */
    uint32_t set, binding, number;
};
struct spirv_special {
    uint32_t id;
    uint64_t value;
};

struct spirv_linkage {
    struct spirv_bound *bound;
    size_t nbound, bound_cap;
    struct spirv_special *special; /* values of specialisation constants */
    size_t nspecial, special_cap;
    uint32_t push; /* the constant buffer of push constants */
};

weft_status spirv_read_linkage(const struct isa_linkage *text, struct arena *arena, struct spirv_linkage *out,
                               weft_diags *diags);
/* The number of a resource: that of its line, or 16 for each set and the binding; of uniform buffers 8 for each set. */
uint32_t spirv_bound_number(const struct spirv_linkage *link, uint32_t kind, uint32_t set, uint32_t binding);

#endif
