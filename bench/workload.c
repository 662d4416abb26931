/* workload.c - the table of workloads, and what both sides make them of. */
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A torus of 224 x 224 cells has 100352 triangles. */
enum { TORUS_CELLS = 224 };

/* Goals: half of llvmpipe where fixed functions are the work, 0.3 where shaders are. */
const struct workload workloads[] = {
    {.name = "mesh",
     .shaders = "mesh",
     .mesh = WORKLOAD_TORUS,
     .width = 1024,
     .height = 1024,
     .instances = 1,
     .depth = true,
     .unit = "triangles",
     .work = 2e-6 * TORUS_CELLS * TORUS_CELLS,
     .goal = 1.0,
     .tolerance = 0.01},
    {.name = "trilinear",
     .shaders = "floor",
     .mesh = WORKLOAD_QUAD,
     .width = 512,
     .height = 512,
     .instances = 1,
     .texture = true,
     .unit = "fragments",
     .work = 1e-6 * 512 * 512,
     .goal = 1.2,
     .tolerance = 0.03},
    {.name = "anisotropic",
     .shaders = "floor",
     .mesh = WORKLOAD_QUAD,
     .width = 512,
     .height = 512,
     .instances = 1,
     .texture = true,
     .anisotropy = 8,
     .unit = "fragments",
     .work = 1e-6 * 512 * 512,
     .goal = 2.5,
     .tolerance = 0.06},
    {.name = "overdraw",
     .shaders = "layers",
     .mesh = WORKLOAD_QUAD,
     .width = 512,
     .height = 512,
     .instances = 16,
     .blend = true,
     .unit = "fragments",
     .work = 16e-6 * 512 * 512,
     .goal = 1.3,
     .tolerance = 0.01},
    {.name = "reduction",
     .shaders = "reduction",
     .numbers = 1 << 21,
     .unit = "numbers",
     .work = 1e-6 * (1 << 21),
     .goal = 4.0,
     .tolerance = 0},
    {.name = "filter",
     .shaders = "filter",
     .width = 2048,
     .height = 2048,
     .unit = "pixels",
     .work = 1e-6 * 2048 * 2048,
     .goal = 1.2,
     .tolerance = 0.002},
    {.name = NULL},
};

const struct workload *workload_find(const char *name)
{
    const struct workload *w = workloads;
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    return w->name ? w : NULL;
}

/* From (1.46, 1.37, 3.25) at the origin, 45 degrees, near plane at 1, far plane at 10, for a square picture. */
const float workload_camera[16] = {2.20157337f,  -0.354346842f, -0.468377799f, -0.383218199f,
                                   0.0f,         2.25450826f,   -0.437152624f, -0.357670307f,
                                   -0.990707994f, -0.787437439f, -1.04083955f,  -0.851595998f,
                                   0.0f,         0.0f,          2.42222214f,   3.79999995f};

/* ---- meshes ---- */

static void torus_vertex(double u, double v, float to[WORKLOAD_COMPONENTS])
{
    const double around = 6.283185307179586, ring = 0.68, tube = 0.32, tilt = 0.6;
    double cu = cos(u * around), su = sin(u * around), cv = cos(v * around), sv = sin(v * around);
    double normal[3] = {cu * cv, sv, su * cv};
    double place[3] = {cu * (ring + tube * cv), tube * sv, su * (ring + tube * cv)};
    for (unsigned part = 0; part < 2; part++) {
        const double *p = part ? normal : place;
        to[4 * part] = (float)p[0];
        to[4 * part + 1] = (float)(p[1] * cos(tilt) - p[2] * sin(tilt));
        to[4 * part + 2] = (float)(p[1] * sin(tilt) + p[2] * cos(tilt));
        to[4 * part + 3] = part ? 0.0f : 1.0f;
    }
}

static void grid_vertex(enum workload_mesh mesh, double u, double v, float to[WORKLOAD_COMPONENTS])
{
    const float flat[WORKLOAD_COMPONENTS] = {(float)(2 * u - 1), (float)(2 * v - 1), 0, 1, 0, 0, 1, 0};
    if (mesh == WORKLOAD_TORUS)
        torus_vertex(u, v, to);
    else
        memcpy(to, flat, sizeof flat);
}

bool workload_make_mesh(enum workload_mesh mesh, float **vertices, size_t *nvertices, uint32_t **indices,
                        size_t *nindices)
{
    const uint32_t cells = mesh == WORKLOAD_TORUS ? TORUS_CELLS : 1, row = cells + 1;
    *nvertices = (size_t)row * row;
    *nindices = (size_t)cells * cells * 6;
    *vertices = malloc(*nvertices * WORKLOAD_COMPONENTS * sizeof(float));
    *indices = malloc(*nindices * sizeof(uint32_t));
    if (!*vertices || !*indices) {
        free(*vertices);
        free(*indices);
        return false;
    }
    float *to = *vertices;
    for (uint32_t y = 0; y <= cells; y++)
        for (uint32_t x = 0; x <= cells; x++, to += WORKLOAD_COMPONENTS)
            grid_vertex(mesh, (double)x / cells, (double)y / cells, to);
    uint32_t *index = *indices;
    for (uint32_t y = 0; y < cells; y++)
        for (uint32_t x = 0; x < cells; x++) {
            const uint32_t at = y * row + x, cell[6] = {at, at + 1, at + row, at + row, at + 1, at + row + 1};
            memcpy(index, cell, sizeof cell);
            index += 6;
        }
    return true;
}

/* ---- memory of dispatches ---- */

void workload_fill(uint32_t *words, size_t count)
{
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] = state ^ state >> 13;
    }
}

size_t workload_result_size(const struct workload *w)
{
    return w->numbers ? w->numbers / WORKLOAD_GROUP * sizeof(uint32_t) : (size_t)w->width * w->height * 4;
}
