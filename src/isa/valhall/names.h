/* names.h - words of Valhall text beyond those of modifiers and picks (valhall.h). */
#ifndef WEFT_ISA_VALHALL_NAMES_H
#define WEFT_ISA_VALHALL_NAMES_H

#include "isa/valhall/valhall.h"

/* By enum valhall_flow; NULL: reserved. "none" is not written. */
extern const char *const valhall_flow_names[16];
/* The table of immediates. */
extern const uint32_t valhall_constants[32];
/* What the selections of enum valhall_select are called: in a syntax, and their fields by source. */
extern const char *const valhall_select_names[VALHALL_SELECTS][1 + VALHALL_SOURCES];
/* By enum valhall_special; NULL: reserved. */
extern const char *const valhall_special_names[VALHALL_SPECIALS];

#endif
