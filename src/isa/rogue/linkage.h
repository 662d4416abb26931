/* linkage.h - what registers hold when a program starts and where its results go: the lines that docs/manual/rogue.md
 * describes. */
#ifndef WEFT_ISA_ROGUE_LINKAGE_H
#define WEFT_ISA_ROGUE_LINKAGE_H

#include "isa/isa.h"

enum { ROGUE_BUFFERS = 32, ROGUE_TEXTURES = 32, ROGUE_IMAGES = 32, ROGUE_PATCH_VERTICES = 32 };

/* A range of shared registers. */
enum rogue_shared_kind {
    ROGUE_SH_CONSTANTS,
    ROGUE_SH_UNIFORM_ADDRESS,
    ROGUE_SH_STORAGE_ADDRESS,
    ROGUE_SH_TEXTURE,
    ROGUE_SH_SAMPLER,
    ROGUE_SH_IMAGE,
    ROGUE_SH_TEXTURE_ADDRESS,
    ROGUE_SH_TEXELS
};
struct rogue_shared_range {
    uint8_t kind;          /* enum rogue_shared_kind */
    uint32_t first, count; /* registers */
    uint32_t number;       /* of the buffer, texture, sampler or image */
    uint32_t offset;       /* byte offset in the buffer, of the first register; of the first texel */
    uint32_t size[3];      /* of texels: width, height, and depth or layers */
    uint32_t bytes;        /* of a texel: log2 */
};

/* Where TAO finds texture n: weft's own addresses (docs/manual/rogue.md). */
#define ROGUE_TEXTURE_ADDRESS(n) ((UINT64_C(0x300) + (n)) << 32)

/* Where a component of an input or output is: T are the words of the tessellator. */
enum rogue_where { ROGUE_AT_VI, ROGUE_AT_R, ROGUE_AT_CF, ROGUE_AT_VO, ROGUE_AT_O, ROGUE_AT_T };
struct rogue_place {
    bool output;
    uint8_t semantic; /* enum ir_semantic */
    uint16_t index;
    uint8_t component;
    uint8_t where;   /* enum rogue_where */
    uint8_t vertex;  /* geometry and tessellation: of which vertex of the primitive or patch an input is */
    bool patch;      /* of the patch, not of a vertex */
    uint32_t number; /* of the register, or of the first of a coefficient set */
    bool flat, linear, one_over_w; /* of coefficient sets: one_over_w is the plane of 1/w */
    int16_t sysval;                /* enum ir_sysval; -1 */
    int8_t format;                 /* pack format of a whole vector in one register; -1: one component as a float */
};

struct rogue_view {
    bool known;
    uint8_t dim; /* enum ir_tex_dim */
    bool array, shadow;
};

/* Byte offsets of groups in the program: before the one at `at` runs, the handler does, until BPRET. */
struct rogue_breakpoint {
    uint32_t at, handler;
};

struct rogue_linkage {
    struct rogue_shared_range *shared;
    uint32_t nshared;
    struct rogue_place *places;
    uint32_t nplaces;
    struct rogue_breakpoint *breakpoints;
    uint32_t nbreakpoints;
    uint32_t block[3];
    struct {
        uint32_t number, offset; /* uniform buffer, and byte offset in it */
    } dynamic;                   /* constants */
    struct rogue_geometry {
        uint8_t input, output;          /* enum ir_primitive */
        uint16_t vertices, invocations; /* the most vertices that an invocation emits */
    } geometry;
    struct rogue_tessellation {
        uint8_t vertices; /* that a control program makes */
        uint8_t mode;     /* of an evaluation program: enum ir_primitive */
        uint8_t spacing;  /* enum ir_spacing */
        bool cw, points;
    } tessellation;
    struct rogue_view view[ROGUE_TEXTURES];
};

/* Read it, or make the default one where the parameters give none. WEFT_ERROR_INPUT after a diagnostic. */
weft_status rogue_read_linkage(const struct isa_linkage *text, enum ir_stage stage, struct arena *arena,
                               struct rogue_linkage *out, weft_diags *diags);

/* Vertices of the primitives or, at most, of the patches that a program of that stage works on; 0: it has none. */
unsigned rogue_vertices_in(const struct rogue_linkage *l, enum ir_stage stage);

#endif
