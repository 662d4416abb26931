/* walks_valhall.c - see walks.h. */
#include "walks.h"

#include "isa/valhall/lift.h"

#define OP(name) {#name, VALHALL_CTL_##name, 3, NULL, 0, 0, NULL, false, false}

static const struct walked_op ops[] = {OP(BRANCH), OP(INDIRECT), OP(RECONVERGE), OP(END), OP(DROP)};

const struct walked walked_valhall = {&valhall_policy, ops, sizeof ops / sizeof *ops, false};
