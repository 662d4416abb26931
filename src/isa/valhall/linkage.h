/* linkage.h - where a program's uniforms, inputs, outputs and memory are: the lines that docs/manual/valhall.md
 * describes, which are those of a compiled shader's .info file and a few of weft's own. */
#ifndef WEFT_ISA_VALHALL_LINKAGE_H
#define WEFT_ISA_VALHALL_LINKAGE_H

#include "isa/isa.h"

enum { VALHALL_UNIFORMS = 128, VALHALL_TARGETS = 8, VALHALL_LINK_IMAGES = 16, VALHALL_SYSVALS = 32 };

/* What a uniform word holds. */
enum valhall_uniform_kind {
    VALHALL_U_BUFFER,          /* a word of a uniform buffer */
    VALHALL_U_PUSH,            /* a word of the push constants */
    VALHALL_U_STORAGE_LOW, VALHALL_U_STORAGE_HIGH, VALHALL_U_STORAGE_SIZE, /* of the address of a storage buffer */
    VALHALL_U_UNIFORM_LOW, VALHALL_U_UNIFORM_HIGH                          /* of the address of a uniform buffer */
};

struct valhall_uniform {
    uint8_t kind;    /* enum valhall_uniform_kind */
    uint16_t buffer;
    uint32_t byte;
};

/* How an image is looked at, or a texture whose size is asked for. */
struct valhall_image {
    uint8_t dim;     /* enum ir_tex_dim */
    bool array;
    uint16_t texture; /* sysvals: its number */
    bool given;       /* a line says so: otherwise the program's own lookups tell the kind */
};

struct valhall_linkage {
    struct valhall_uniform uniform[VALHALL_UNIFORMS];
    uint32_t ubo_count, sysvals;  /* the driver's values are in the buffer after the program's own, 16 bytes each */
    uint32_t tls_bytes, wls_bytes; /* of thread-local memory, of a workgroup's */
    uint32_t block[3];            /* threads of a workgroup */
    bool clip_position;           /* vertex programs store x, y, z, w in place of x/w, y/w, z/w, 1/w */
    bool origin_lower_left;
    bool shaded[VALHALL_TARGETS]; /* BLEND of this target goes on with the next instruction: to a blend shader */
    uint32_t blend_shader[VALHALL_TARGETS]; /* its address: word 1 of the blend descriptor */
    bool zero_is_back;            /* r58 is 0 where the primitive faces back */
    struct valhall_image image[VALHALL_LINK_IMAGES];
    struct valhall_image
        sysval[VALHALL_SYSVALS]; /* the driver's values of fragment programs: sizes of these textures */
};

/* Read the lines; text may be NULL: the defaults. */
weft_status valhall_read_linkage(const struct isa_linkage *text, struct arena *arena, struct valhall_linkage *out,
                                 weft_diags *diags);

#endif
