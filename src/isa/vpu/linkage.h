/* linkage.h - what is in the registers when a workgroup begins: the lines that docs/manual/vpu.md describes, and where
 * a job's buffers and stack are. */
#ifndef WEFT_ISA_VPU_LINKAGE_H
#define WEFT_ISA_VPU_LINKAGE_H

#include "isa/isa.h"

enum {
    VPU_LINK_REGISTERS = 30,
    VPU_LINK_BUFFERS = 16,
    VPU_LINK_PUSH = 15 /* the uniform buffer of the push constants */
};

/* Addresses of a job. A buffer has a window of its own, so that an access past its end reaches nothing. */
enum { VPU_JOB_STACK = 16 << 10, VPU_JOB_MOST_STACK = 16 << 20, VPU_JOB_MOST_PROGRAM = 16 << 20 };
#define VPU_JOB_STACK_END  UINT32_C(0x40000000)
#define VPU_JOB_WINDOW     UINT32_C(0x04000000)
#define VPU_JOB_UNIFORM(n) (UINT32_C(0x40000000) + (n)*VPU_JOB_WINDOW)
#define VPU_JOB_STORAGE(n) (UINT32_C(0x80000000) + (n)*VPU_JOB_WINDOW)
#define VPU_JOB_RETURN     UINT32_C(0xfffffffe) /* lr at the start: a branch to it ends the workgroup */

enum vpu_link_kind {
    VPU_LINK_NUMBER,       /* value */
    VPU_LINK_STORAGE_SIZE, /* bytes of storage buffer `value` */
    VPU_LINK_PUSH_WORD,    /* the push constant at byte `value` */
    VPU_LINK_GROUP,        /* of the workgroup: x, y, z, or (3) its number among all */
    VPU_LINK_GROUPS        /* how many there are: x, y, z */
};

struct vpu_link {
    uint8_t kind; /* enum vpu_link_kind */
    uint32_t value;
};

struct vpu_linkage {
    struct vpu_link reg[VPU_LINK_REGISTERS];
    uint32_t stack; /* bytes */
};

/* Read the lines; text may be NULL: the defaults. */
weft_status vpu_read_linkage(const struct isa_linkage *text, struct arena *arena, struct vpu_linkage *out,
                             weft_diags *diags);

#endif
