/* walks_spirv.c - see walks.h. */
#include "walks.h"

#include "isa/spirv/lift.h"

#define OP(name) {#name, SPIRV_CTL_##name, 3, NULL, 0, 0, NULL, false, false}

static const struct walked_op ops[] = {OP(BRANCH), OP(MEET), OP(END)};

const struct walked walked_spirv = {&spirv_policy, ops, sizeof ops / sizeof *ops, false};
