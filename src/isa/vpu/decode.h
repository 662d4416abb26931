/* decode.h - from bytes to sections of instructions and data. */
#ifndef WEFT_ISA_VPU_DECODE_H
#define WEFT_ISA_VPU_DECODE_H

#include "isa/vpu/names.h"

#include <string.h>

/* What is found in a file: sections with their bytes, before anything is decoded. */
struct vpu_image_section {
    struct vpu_section out;
    const uint8_t *bytes; /* out.size of them; NULL: nobits */
};

struct vpu_image {
    const char *name;                  /* for messages */
    struct vpu_image_section *section; /* in the order of their addresses, none of them over another */
    uint32_t nsections;
    struct vpu_symbol *symbol;
    size_t nsymbols, symbol_capacity;
    uint32_t entry;
    bool has_entry;
};

/* ---- elf.c ---- */

/* Does it begin as ELF files do? */
bool vpu_is_elf(const uint8_t *bytes, size_t size);
/* The sections and symbols of an ELF file. */
weft_status vpu_read_elf(const uint8_t *bytes, size_t size, struct arena *arena, struct vpu_image *out,
                         weft_diags *diags);

/* ---- trace.c ---- */

enum vpu_mark {
    VPU_MARK_DATA,
    VPU_MARK_INSIDE, /* an instruction */
    VPU_MARK_CASE8,
    VPU_MARK_CASE16,     /* tables of switches */
    VPU_MARK_CODE = 0x80 /* or-ed with the number of its form: an instruction begins */
};

/* What each byte of the code sections is: follow the program from its entry, its functions and the addresses that it
 * forms. marks[s] is for section s, NULL for one without code; labels are added for targets of branches. False without
 * memory. */
bool vpu_trace(struct vpu_image *image, struct arena *arena, uint8_t **marks);
/* Labels for the targets of branches of a module all of which is instructions. False without memory. */
bool vpu_label_swept(struct vpu_image *image, const struct isa_module *m, struct arena *arena);

#endif
