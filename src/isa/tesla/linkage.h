/* linkage.h - where a program's inputs, outputs and memory are: the lines that docs/manual/tesla.md describes. */
#ifndef WEFT_ISA_TESLA_LINKAGE_H
#define WEFT_ISA_TESLA_LINKAGE_H

#include "isa/isa.h"

enum { TESLA_TEXTURES = 130, TESLA_SAMPLERS = 32, TESLA_CONSTANTS = 16 };

/* Where a component of an input or output is. */
enum tesla_where { TESLA_IN_A, TESLA_IN_V, TESLA_IN_O, TESLA_IN_P, TESLA_IN_R };

struct tesla_place {
    bool output;
    uint8_t semantic;     /* enum ir_semantic */
    uint16_t index;
    uint8_t component;
    uint8_t where;        /* enum tesla_where */
    uint32_t offset;      /* byte offset, or the number of the register */
    bool flat, linear, centroid;
    int16_t sysval;       /* enum ir_sysval of a line `sysval NAME a[0x...]`; -1 */
};

/* How a texture is looked at. */
struct tesla_view {
    bool known;
    uint8_t dim; /* enum ir_tex_dim */
    bool array, shadow, multisample, integer;
};

struct tesla_linkage {
    bool given;             /* a linkage was given: its list of inputs and outputs is all there is */
    uint32_t registers;     /* 32-bit $r that there are; the others read as 0 */
    uint32_t local_bytes;   /* of l[] for each thread */
    uint32_t shared_bytes;  /* of s[] for each block */
    uint32_t parameter_bytes; /* copied to s[0x10] from the push constants */
    uint32_t block[3];      /* threads of a block */
    uint32_t control;       /* the chip's control bits: 1, 2, 0x80000 */
    uint32_t call_limit;    /* of limited calls; 0: none */
    uint32_t pitch[16];        /* g[] in 2d mode: bytes of a row; 0: linear */
    uint8_t input_primitive, output_primitive; /* enum ir_primitive, of geometry programs */
    uint32_t max_vertices;
    /* Bindings of c[], $t and $s, which each type of program has of its own; without lines their own numbers. */
    uint8_t constant[TESLA_CONSTANTS], texture[TESLA_TEXTURES], sampler[TESLA_SAMPLERS];
    bool linked_samplers;   /* a texture's sampler is that of its number */
    struct tesla_place *places;
    uint32_t nplaces;
    struct tesla_view view[TESLA_TEXTURES];
};

/* Read it, or make the default one where the parameters give none. WEFT_ERROR_INPUT after a diagnostic. */
weft_status tesla_read_linkage(const struct isa_linkage *text, enum ir_stage stage, struct arena *arena,
                               struct tesla_linkage *out, weft_diags *diags);

#endif
