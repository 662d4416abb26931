/* geometry_output.c - what geometry and tessellation stages made, and its way back into rows of vertices. */
#include "device/primitive.h"

#include <stdlib.h>
#include <string.h>

uint32_t link_slot(const struct ir_slot *in, const struct ir_slot *out, uint32_t outs)
{
    for (uint32_t i = 0; i < outs; i++)
        if (out[i].semantic == in->semantic && out[i].index == in->index)
            return i;
    return LINK_NONE;
}

size_t expansion_vertex(struct expansion *e, uint32_t components, void *const *rows, unsigned lane)
{
    size_t at = e->nvertices * components;
    if (!GROW(e->values, e->values_cap, at, components))
        return SIZE_MAX;
    for (uint32_t c = 0; c < components; c++)
        memcpy(&e->values[at + c], (const float *)rows[c] + lane, sizeof(float));
    return e->nvertices++;
}

bool expansion_primitive(struct expansion *e, const uint32_t *vertex, unsigned count, unsigned provoking,
                         bool provoking_first, uint32_t id)
{
    if (!GROW(e->indices, e->indices_cap, e->nindices, count) || !GROW(e->ids, e->ids_cap, e->nids, 1))
        return false;
    /* A triangle is turned, a line is not: its provoking vertex is at the right end already. */
    unsigned first = count == 3 ? provoking_first ? provoking : (provoking + 1) % 3 : 0;
    for (unsigned i = 0; i < count; i++)
        e->indices[e->nindices++] = vertex[(first + i) % count];
    e->ids[e->nids++] = id;
    return true;
}

void expansions_clear(struct expansion *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        e[i].nvertices = e[i].nindices = e[i].nids = 0;
}

void expansion_free(struct expansion *e)
{
    free(e->values);
    free(e->indices);
    free(e->ids);
    *e = (struct expansion){0};
}

static bool allocate(struct expanded *to, size_t vertices, size_t indices, size_t ids, uint32_t slots)
{
    size_t floats = (vertices + 63) / 64 * 64 * slots * 4;
    to->vertices.rows = aligned_alloc(64, (floats + 16) * sizeof(float));
    to->indices = malloc((indices + 1) * sizeof *to->indices);
    to->ids = malloc((ids + 1) * sizeof *to->ids);
    return to->vertices.rows && to->indices && to->ids;
}

static void copy_vertices(struct vertices *v, uint32_t first, const struct expansion *e)
{
    const float *from = e->values;
    for (uint32_t i = 0; i < e->nvertices; i++)
        for (uint32_t slot = 0; slot < v->slots; slot++)
            for (unsigned c = 0; c < 4; c++)
                memcpy(vertex_row(v, (first + i) / 64, slot, c) + (first + i) % 64, from++, sizeof(float));
}

bool expanded_join(struct expanded *to, const struct expansion *e, size_t count, const struct ir_io *io,
                   enum topology topology, bool provoking_first)
{
    size_t vertices = 0, indices = 0, ids = 0, n = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        vertices += e[i].nvertices;
        indices += e[i].nindices;
        ids += e[i].nids;
    }
    *to = (struct expanded){.vertices = {.count = (uint32_t)vertices, .slots = io->noutputs, .slot = io->outputs}};
    if (vertices > UINT32_MAX || indices > UINT32_MAX || !allocate(to, vertices, indices, ids, io->noutputs))
        return false;
    uint32_t first = 0;
    for (size_t i = 0; i < count; i++) {
        copy_vertices(&to->vertices, first, &e[i]);
        for (size_t j = 0; j < e[i].nindices; j++)
            to->indices[n++] = e[i].indices[j] + first;
        for (size_t j = 0; j < e[i].nids; j++)
            to->ids[k++] = e[i].ids[j];
        first += (uint32_t)e[i].nvertices;
    }
    to->assembly = (struct assembly){.topology = topology,
                                     .provoking_first = provoking_first,
                                     .indices = to->indices,
                                     .ids = to->ids,
                                     .vertices = (uint32_t)vertices};
    return assembly_init(&to->assembly, (uint32_t)indices, false, 0);
}

void expanded_free(struct expanded *e)
{
    free(e->vertices.rows);
    free(e->indices);
    free(e->ids);
    assembly_free(&e->assembly);
    *e = (struct expanded){0};
}
