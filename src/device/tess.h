/* tess.h - the fixed-function tessellator: levels to points of a domain and the primitives between them. */
#ifndef WEFT_DEVICE_TESS_H
#define WEFT_DEVICE_TESS_H

#include "ir/io.h"

#include <stddef.h>

enum { TESS_MAX_LEVEL = 64 };

struct tess_point {
    float at[3]; /* triangles: barycentric; else u, v, 0 */
};

/* Arrays grow and are kept. */
struct tess_domain {
    struct tess_point *points;
    uint32_t *indices; /* of a list of points, lines or triangles */
    size_t npoints, nindices, points_cap, indices_cap;
    unsigned corners;  /* of a primitive: 1, 2 or 3 */
};

/* Divide a domain by the rules of OpenGL 4.6, 11.2.2; where it leaves a choice: the two short segments of fractional
 * spacing are the outermost ones, and rings are joined along what is nearest on the outer edge. A patch with an outer
 * level that is not positive gives nothing. False without memory. */
bool tess_divide(struct tess_domain *d, const struct ir_io *io, const float outer[4], const float inner[2]);
void tess_domain_free(struct tess_domain *d);

#endif
