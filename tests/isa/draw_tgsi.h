/* draw_tgsi.h - instructions of TGSI with operands drawn at random. Other values of its fields would say too little:
 * which tokens an operand has differs. */
#ifndef WEFT_TESTS_ISA_DRAW_TGSI_H
#define WEFT_TESTS_ISA_DRAW_TGSI_H

#include "test.h"

#include "base/arena.h"

struct isa_module;

uint32_t draw_tgsi_rows(void); /* the others are declarations and the like */
uint32_t draw_tgsi_count(const struct isa_module *m);
/* The module with one instruction more, of that row, after the first `at`. */
struct isa_module *draw_tgsi(const struct isa_module *m, uint32_t at, uint32_t row, struct test_rng *r,
                             struct arena *a);

#endif
