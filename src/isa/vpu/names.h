/* names.h - the words of the language: registers, conditions, modifiers, mnemonics. */
#ifndef WEFT_ISA_VPU_NAMES_H
#define WEFT_ISA_VPU_NAMES_H

#include "isa/vpu/table.h"

struct vpu_word {
    char text[23];
    uint8_t length;
};

/* Short ones, which are copied whole. */
struct vpu_letters {
    char text[3];
    uint8_t length;
};
struct vpu_part {
    char text[15];
    uint8_t length;
};

extern const struct vpu_letters vpu_register_names[VPU_REGISTERS];
extern const struct vpu_letters vpu_cond_names[VPU_CONDS]; /* "" for always */
extern const char *const vpu_lane_names[];      /* enum vpu_lanes; NULL-terminated, as all these */
extern const char *const vpu_sru_names[];       /* enum vpu_sru */
extern const char *const vpu_repeat_names[];    /* r:3; "" for none */
extern const char *const vpu_accumulate_names[]; /* bit 0 of enum vpu_accumulate first */
extern const char *const vpu_accumulator_names[]; /* by HIGH, SIGN, WBA, SUB of an enabled accumulator, see names.c */

/* Index in vpu_accumulator_names of accumulation bits with ENA. */
static inline unsigned vpu_accumulator_index(unsigned acc)
{
    return (acc & (VPU_ACC_SUB | VPU_ACC_WBA)) | (acc & (VPU_ACC_SIGN | VPU_ACC_HIGH)) >> 1;
}

/* What a mnemonic says. */
struct vpu_mnemonic {
    uint8_t op;
    uint8_t cond;       /* enum vpu_cond: bne; VPU_ALWAYS */
    uint8_t x;          /* vector: width; VPU_X_OPEN: the mnemonic does not say */
    uint8_t alias;      /* enum vpu_alias */
};
enum { VPU_X_OPEN = 255 };
enum vpu_alias { VPU_ALIAS_NONE, VPU_ALIAS_RTS /* b lr */, VPU_ALIAS_VEC48, VPU_ALIAS_VEC80 /* words as they are */ };

struct vpu_names {
    struct vpu_word spelling[VPU_OPS][4]; /* by operation and x: what is printed */
    uint8_t stem[VPU_OPS];                /* length of the part before ".ss" and the like */
    struct vpu_part tail[VPU_OPS];        /* that part */
    struct vpu_part row[3][2][64][2];     /* "HX(12++,": vector register by width, direction, y, increment */
    struct vpu_part column[64][2];        /* "48++)": x; ++ of vertical registers */
    uint32_t nslots;                      /* a power of two */
    struct vpu_name_slot *slot;
    const char **all;                     /* every mnemonic that is read, NULL-terminated: for hints */
};

/* The tables, made at the first call; NULL without memory. */
const struct vpu_names *vpu_names(void);

/* Look a mnemonic up, any case. */
bool vpu_find_mnemonic(const char *word, size_t length, struct vpu_mnemonic *out);

/* Number of a scalar register, -1: none of that name. p0 to p31 likewise. */
int vpu_find_register(const char *word, size_t length);
int vpu_find_control(const char *word, size_t length);
int vpu_find_cond(const char *word, size_t length);

#endif
