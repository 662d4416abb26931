/* places.c - where vertices are on the screen, found once for each, as most are corners of several triangles. */
#include "device/primitive.h"

static bool makes_triangles(enum topology t)
{
    switch (t) {
    case TRIANGLE_LIST:
    case TRIANGLE_STRIP:
    case TRIANGLE_FAN:
    case QUAD_LIST:
    case QUAD_STRIP:
    case POLYGON:
        return true;
    default:
        return false;
    }
}

bool places_serve(const struct pipeline *p, const struct outlet *o)
{
    return p->vertex.program && !p->tess_eval.program && !p->geometry.program && makes_triangles(p->topology) &&
           o->viewport == LINK_NONE && o->viewport_mask == LINK_NONE && !o->window_space && !o->clips && !o->culls;
}

void places_make(const struct setup *s, uint32_t first, uint32_t count, struct vertex_place *places)
{
    const struct pipeline *p = s->p;
    for (uint32_t i = first; i < first + count; i++) {
        struct vertex_place *place = &places[i];
        place->inside = read_point(s, &p->viewport[0], i, &place->point) &&
                        clip_inside(&place->point, p->half_z, p->depth_clamp);
        if (place->inside)
            place->at = (struct point){snap(place->point.x / place->point.w), snap(place->point.y / place->point.w)};
    }
}
