/* tess.c - tessellation. */
#include "device/primitive.h"

#include <stdlib.h>

struct tess_stage {
    const struct pipeline *p;
};

struct tess_stage *tess_stage_new(const struct pipeline *p, struct failure *f)
{
    struct tess_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    failure_set(f, WEFT_ERROR_UNSUPPORTED, NULL, 0, "tessellation is not executed yet");
    return s;
}

void tess_stage_free(struct tess_stage *s, struct pipeline_stats *stats)
{
    (void)stats;
    free(s);
}

void tess_stage_run(struct tess_stage *s, const struct stage_input *in, uint64_t patch, struct expansion *out)
{
    (void)s, (void)in, (void)patch, (void)out;
}

enum topology tess_topology(const struct pipeline *p)
{
    (void)p;
    return TRIANGLE_LIST;
}
