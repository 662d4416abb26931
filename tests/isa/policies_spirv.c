/* policies_spirv.c - see policies.h. */
#include "policies.h"

#include "isa/spirv/lift.h"

const struct policy_state spirv_states[] = {
    {&spirv_policy, {{0}}, 0, ""},
    {&spirv_policy, {{SPIRV_CTL_BRANCH, {3, 4, 9}, 0x0f}}, 1, "block 4:00000000000000f0"},
    {&spirv_policy, {{SPIRV_CTL_BRANCH, {5, 3, 9}, 0x0f}, {SPIRV_CTL_BRANCH, {4, 7, 9}, 0x30}}, 2,
     "block 5:000000000000000f block 7:00000000000000c0"},
    {NULL, {{0}}, 0, NULL},
};
