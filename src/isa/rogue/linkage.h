/* linkage.h - what registers hold when a program starts and where its results go: the lines that docs/linkage-rogue.md
 * describes. */
#ifndef WEFT_ISA_ROGUE_LINKAGE_H
#define WEFT_ISA_ROGUE_LINKAGE_H

#include "isa/isa.h"

enum { ROGUE_BUFFERS = 32, ROGUE_TEXTURES = 32 };

/* A range of shared registers. */
enum rogue_shared_kind { ROGUE_SH_CONSTANTS, ROGUE_SH_UNIFORM_ADDRESS, ROGUE_SH_STORAGE_ADDRESS, ROGUE_SH_TEXTURE, ROGUE_SH_SAMPLER };
struct rogue_shared_range {
    uint8_t kind;          /* enum rogue_shared_kind */
    uint32_t first, count; /* registers */
    uint32_t number;       /* of the buffer, texture or sampler */
    uint32_t offset;       /* byte offset in the buffer, of the first register */
};

/* Where a component of an input or output is. */
enum rogue_where { ROGUE_AT_VI, ROGUE_AT_R, ROGUE_AT_CF, ROGUE_AT_VO, ROGUE_AT_O };
struct rogue_place {
    bool output;
    uint8_t semantic;      /* enum ir_semantic */
    uint16_t index;
    uint8_t component;
    uint8_t where;         /* enum rogue_where */
    uint32_t number;       /* of the register, or of the first of a coefficient set */
    bool flat, linear, one_over_w; /* of coefficient sets: one_over_w is the plane of 1/w */
    int16_t sysval;        /* enum ir_sysval; -1 */
    int8_t format;         /* pack format of a whole vector in one register; -1: one component as a float */
};

struct rogue_view {
    bool known;
    uint8_t dim;           /* enum ir_tex_dim */
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
    struct rogue_view view[ROGUE_TEXTURES];
};

/* Read it, or make the default one where the parameters give none. WEFT_ERROR_INPUT after a diagnostic. */
weft_status rogue_read_linkage(const struct isa_linkage *text, enum ir_stage stage, struct arena *arena, struct rogue_linkage *out,
                               weft_diags *diags);

#endif
