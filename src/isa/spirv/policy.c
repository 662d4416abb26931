/* policy.c - divergence: lanes wait in groups, each at a block, and the group at the lowest block runs.
 *
 * Blocks are numbered in the order of the layout (layout.c), in which a construct is before its merge block: lanes that
 * leave a construct wait at the merge block until the others have come there too, which is where SPIR-V promises that
 * they meet. Groups that wait at one block are one group. */
#include "isa/lowest.h"
#include "isa/spirv/lift.h"

#include <stddef.h>
#include <stdio.h>

static uint32_t control(void *opaque, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    struct lowest *s = opaque;
    uint32_t epilogue = c->target[2];
    (void)rows;
    (void)fault;
    switch ((enum spirv_control)c->op) {
    case SPIRV_CTL_BRANCH:
        return lowest_part(s, m, c, args[0]);
    case SPIRV_CTL_MEET:
        return lowest_go(s, m, c->target[0], epilogue);
    case SPIRV_CTL_END:
        break;
    }
    return lowest_next(s, m, epilogue);
}

/* The groups that wait: "block 4:000000000000000f", each a block and lanes. */
static int describe(const void *opaque, const struct ir_program *program, char *buffer, size_t size)
{
    const struct lowest *s = opaque;
    int n = 0;
    (void)program;
    for (uint32_t i = 0; i < s->waiting; i++)
        n += snprintf((size_t)n < size ? buffer + n : NULL, (size_t)n < size ? size - (size_t)n : 0,
                      "%sblock %u:%016llx", i ? " " : "", s->group[i].block, (unsigned long long)s->group[i].lanes);
    return n;
}

const struct exec_policy spirv_policy = {.name = "spirv",
                                         .state_size = sizeof(struct lowest),
                                         .start = lowest_start,
                                         .control = control,
                                         .low_at = offsetof(struct lowest, low),
                                         .describe = describe};
