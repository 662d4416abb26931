/* region.h - which runs of a request become one function. */
#ifndef WEFT_EXEC_JIT_REGION_H
#define WEFT_EXEC_JIT_REGION_H

#include "exec/jit/gen.h"

struct regions {
    uint32_t *order;
    struct region *region;
    uint32_t count;
};

/* Each run is in one region. False without memory. */
bool regions_find(const struct jit_request *r, struct regions *out);
void regions_free(struct regions *r);

#endif
