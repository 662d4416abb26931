/* mesh.c - the quad, the sphere and the cube; surfaces as grids. */
#include "device/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const mesh_names[] = {
    [WEFT_MESH_QUAD] = "quad", [WEFT_MESH_SPHERE] = "sphere", [WEFT_MESH_CUBE] = "cube", [WEFT_MESH_TEAPOT] = "teapot"};
enum { MESHES = sizeof mesh_names / sizeof *mesh_names };

int weft_mesh_find(const char *name)
{
    for (int i = 0; i < MESHES; i++)
        if (strcasecmp(name, mesh_names[i]) == 0)
            return i;
    return -1;
}

/* Room for more vertices and indices; false without memory. */
static bool reserve(struct mesh *m, uint32_t vertices, uint32_t indices)
{
    struct mesh_vertex *v = realloc(m->vertices, ((size_t)m->nvertices + vertices) * sizeof *v);
    if (v)
        m->vertices = v;
    uint32_t *i = realloc(m->indices, ((size_t)m->nindices + indices) * sizeof *i);
    if (i)
        m->indices = i;
    return v && i;
}

static struct mesh_vertex make_vertex(const struct mesh_point *p, double u, double v)
{
    const double *n = p->normal;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double scale = length > 0 ? 1 / length : 0;
    return (struct mesh_vertex){
        .position = {(float)p->position[0], (float)p->position[1], (float)p->position[2], 1},
        .normal = {(float)(n[0] * scale), (float)(n[1] * scale), (float)(n[2] * scale), 0},
        .texcoord = {(float)u, (float)v, 0, 1},
    };
}

bool mesh_add_surface(struct mesh *m, uint32_t rows, uint32_t columns,
                      struct mesh_point (*at)(const void *shape, double u, double v), const void *shape)
{
    if (!reserve(m, (rows + 1) * (columns + 1), rows * columns * 6))
        return false;
    uint32_t first = m->nvertices, across = columns + 1;
    for (uint32_t row = 0; row <= rows; row++)
        for (uint32_t column = 0; column <= columns; column++) {
            double u = (double)column / columns, v = (double)row / rows;
            struct mesh_point p = at(shape, u, v);
            m->vertices[m->nvertices++] = make_vertex(&p, u, v);
        }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t corner = first + row * across + column;
            const uint32_t cell[6] = {corner, corner + 1,          corner + across + 1,
                                      corner, corner + across + 1, corner + across};
            memcpy(m->indices + m->nindices, cell, sizeof cell);
            m->nindices += 6;
        }
    return true;
}

/* ---- shapes ---- */

/* Texture coordinates begin at the back, so that the seam is out of sight. */
static struct mesh_point sphere_at(const void *shape, double u, double v)
{
    (void)shape;
    const double pi = 3.14159265358979323846;
    double across = (2 * u - 1) * pi, up = (v - 0.5) * pi;
    double x = cos(up) * sin(across), y = sin(up), z = cos(up) * cos(across);
    return (struct mesh_point){{x, y, z}, {x, y, z}};
}

/* A flat square: its centre, and where u and v lead. */
struct face {
    double centre[3], right[3], up[3];
};

static struct mesh_point face_at(const void *shape, double u, double v)
{
    const struct face *f = shape;
    struct mesh_point p;
    for (unsigned i = 0; i < 3; i++) {
        p.position[i] = f->centre[i] + f->right[i] * (2 * u - 1) + f->up[i] * (2 * v - 1);
        p.normal[i] = f->centre[i];
    }
    return p;
}

static bool add_cube(struct mesh *m)
{
    const double h = 0.8;
    const struct face faces[6] = {
        {{0, 0, h}, {h, 0, 0}, {0, h, 0}},  {{h, 0, 0}, {0, 0, -h}, {0, h, 0}}, {{0, 0, -h}, {-h, 0, 0}, {0, h, 0}},
        {{-h, 0, 0}, {0, 0, h}, {0, h, 0}}, {{0, h, 0}, {h, 0, 0}, {0, 0, -h}}, {{0, -h, 0}, {h, 0, 0}, {0, 0, h}},
    };
    bool ok = true;
    for (unsigned i = 0; ok && i < 6; i++)
        ok = mesh_add_surface(m, 1, 1, face_at, &faces[i]);
    return ok;
}

/* The strip (-1,-1) (1,-1) (-1,1) (1,1) as triangles; flat inputs come from the last vertex of each. */
static bool add_quad(struct mesh *m)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    if (!reserve(m, 4, 6))
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        float u = (float)(i & 1), v = (float)(i >> 1);
        m->vertices[i] = (struct mesh_vertex){{2 * u - 1, 2 * v - 1, 0, 1}, {0, 0, 1, 0}, {u, v, 0, 1}};
    }
    memcpy(m->indices, indices, sizeof indices);
    m->nvertices = 4;
    m->nindices = 6;
    return true;
}

weft_status mesh_make(weft_mesh which, struct mesh *out)
{
    struct mesh m = {0};
    bool ok;
    switch (which) {
    case WEFT_MESH_QUAD:
        ok = add_quad(&m);
        break;
    case WEFT_MESH_SPHERE:
        ok = mesh_add_surface(&m, 48, 96, sphere_at, NULL);
        break;
    case WEFT_MESH_CUBE:
        ok = add_cube(&m);
        break;
    case WEFT_MESH_TEAPOT:
        ok = mesh_add_teapot(&m);
        break;
    default:
        return WEFT_ERROR_USAGE;
    }
    if (!ok) {
        mesh_free(&m);
        return WEFT_ERROR_MEMORY;
    }
    *out = m;
    return WEFT_OK;
}

weft_status mesh_of(const weft_geometry *g, struct mesh *out)
{
    struct mesh m = {0};
    if (!g->positions || !g->indices || g->index_count % 3)
        return WEFT_ERROR_USAGE;
    for (uint32_t i = 0; i < g->index_count; i++)
        if (g->indices[i] >= g->vertices)
            return WEFT_ERROR_USAGE;
    if (!reserve(&m, g->vertices + 1, g->index_count + 1)) {
        mesh_free(&m);
        return WEFT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < g->vertices; i++) {
        struct mesh_vertex v = {.position[3] = 1, .normal = {0, 0, 1, 0}, .texcoord[3] = 1};
        memcpy(v.position, g->positions + 3 * (size_t)i, 3 * sizeof(float));
        if (g->normals)
            memcpy(v.normal, g->normals + 3 * (size_t)i, 3 * sizeof(float));
        if (g->texcoords)
            memcpy(v.texcoord, g->texcoords + 2 * (size_t)i, 2 * sizeof(float));
        m.vertices[i] = v;
    }
    memcpy(m.indices, g->indices, g->index_count * sizeof *m.indices);
    m.nvertices = g->vertices;
    m.nindices = g->index_count;
    *out = m;
    return WEFT_OK;
}

void mesh_free(struct mesh *m)
{
    free(m->vertices);
    free(m->indices);
    *m = (struct mesh){0};
}
