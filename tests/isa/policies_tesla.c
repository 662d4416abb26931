/* policies_tesla.c - see policies.h. */
#include "policies.h"

#include "isa/tesla/lift.h"

#define BRA(to, rest, lanes) {TESLA_CTL_BRA, {to, rest, 9}, lanes}
#define PUSH(how, to) {TESLA_CTL_##how, {to, 2, 9}, 0}
#define CALL(how, back) {TESLA_CTL_##how, {2, back, 9}, 0}
#define LEAVE(how, lanes) {TESLA_CTL_##how, {0, 2, 9}, lanes}

const struct policy_state tesla_states[] = {
    {&tesla_policy, {{0}}, 0, ""},
    {&tesla_policy, {BRA(3, 4, 0x0f)}, 1, "branch 0x40:000000f0"},
    {&tesla_policy, {PUSH(BREAKADDR, 5), LEAVE(BREAK, 0x03)}, 2, "break 0x50:000000ff, broke 00000003"},
    {&tesla_policy, {CALL(CALL, 6), LEAVE(RET, 0x81)}, 2, "call 0x60:000000ff, returned 00000081"},
    {&tesla_policy, {LEAVE(EXIT, 0x10)}, 1, "exited 00000010"},
    {&tesla_policy, {PUSH(JOINAT, 7), CALL(CALL_LIMITED, 8), PUSH(PRERET, 5)}, 3,
     "call 0x50:000000ff, call-limited 0x80:000000ff, joinat 0x70:000000ff"},
    {&tesla_policy, {BRA(3, 4, 0x3f), {TESLA_CTL_QUADON, {0, 2, 9}, 0}}, 2,
     "quadon 0x0:0000003f, branch 0x40:000000c0"},
    {&tesla_policy,
     {PUSH(BREAKADDR, 5), CALL(CALL, 6), LEAVE(BREAK, 0x01), LEAVE(RET, 0x02), LEAVE(EXIT, 0x04), BRA(3, 4, 0x10)}, 6,
     "branch 0x40:000000e8, call 0x60:000000ff, break 0x50:000000ff, broke 00000001, returned 00000002, exited "
     "00000004"},
    {NULL, {{0}}, 0, NULL},
};
