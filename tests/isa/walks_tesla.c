/* walks_tesla.c - see walks.h. */
#include "walks.h"

#include "isa/tesla/lift.h"

#define OP(name) {#name, TESLA_CTL_##name, 3, NULL, 0, 0, NULL, false, false}

static const struct walked_op ops[] = {OP(BRA),      OP(BRA_C),  OP(CALL), OP(CALL_LIMITED), OP(PRERET),
                                       OP(PRERET_LIMITED), OP(RET), OP(BREAKADDR), OP(BREAK), OP(JOINAT),
                                       OP(JOIN),     OP(QUADON), OP(QUADPOP), OP(EXIT),
                                       {"unknown", TESLA_CTL_EXIT + 1, 3, NULL, 0, 0, NULL, false, false}};

const struct walked walked_tesla = {&tesla_policy, ops, sizeof ops / sizeof *ops, false};
