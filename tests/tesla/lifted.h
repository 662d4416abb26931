/* lifted.h - a program of Tesla as lane IR, for tests that look at it or run it. */
#ifndef WEFT_TESTS_TESLA_LIFTED_H
#define WEFT_TESTS_TESLA_LIFTED_H

#include "test.h"

#include "ir/ir.h"
#include "isa/tesla/tesla.h"

/* Registers are there to be looked at when it has run. Fails when the text or the program is wrong. */
static inline struct ir_program *lifted(const char *text, const char *linkage, const char *chip, enum ir_stage stage,
                                        struct arena *arena, weft_diags *diags)
{
    struct isa_linkage lines = {{"linkage", linkage, strlen(linkage)}};
    struct isa_params params = {.stage = stage, .chip = chip, .linkage = &lines};
    struct source src = {"test", text, strlen(text)};
    struct isa_module *module = NULL;
    struct ir_program *ir = NULL;
    weft_status status = isa_tesla.parse(&src, &params, arena, &module, diags);
    if (status == WEFT_OK)
        status = isa_tesla.lift(module, &src, arena, &ir, diags);
    if (status == WEFT_OK)
        status = ir_verify(ir, diags);
    if (status != WEFT_OK)
        fail_msg("%s\n%s%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?", linkage, text);
    for (uint32_t i = 0; i < ir->nfiles; i++)
        ir->files[i].preserved = true;
    return ir;
}

#endif
