/* policies_valhall.c - see policies.h. */
#include "policies.h"

#include "isa/valhall/lift.h"

const struct policy_state valhall_states[] = {
    {&valhall_policy, {{0}}, 0, ""},
    {&valhall_policy, {{VALHALL_CTL_BRANCH, {3, 4, 9}, 0x0f}}, 1, "0x40:00000000000000f0"},
    {&valhall_policy, {{VALHALL_CTL_BRANCH, {5, 3, 9}, 0x0f}, {VALHALL_CTL_BRANCH, {4, 7, 9}, 0x30}}, 2,
     "0x50:000000000000000f 0x70:00000000000000c0"},
    {NULL, {{0}}, 0, NULL},
};
