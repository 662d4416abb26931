/* mesh_file.c - meshes as files (mesh_file.h). */
#include "cli/mesh_file.h"

#include "base/diag.h"
#include "base/mark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists that grow ---- */

struct floats {
    float *v;
    size_t count, room;
};

static bool add_floats(struct floats *f, const float *v, size_t count)
{
    if (f->room - f->count < count) {
        size_t room = f->room ? f->room * 2 : 256;
        float *larger = cli_kept(realloc(f->v, room * sizeof *larger));
        if (!larger)
            return false;
        f->v = larger;
        f->room = room;
    }
    memcpy(f->v + f->count, v, count * sizeof *v);
    f->count += count;
    return true;
}

/* A corner of a face: numbers of its position, texture coordinate and normal, from 0; NONE: it has none. */
enum { V, VT, VN, PARTS };
static const uint32_t NONE = UINT32_MAX;

struct corner {
    uint32_t part[PARTS];
};

enum { MOST_CORNERS = 256 /* of a face */, MOST_TRIANGLES = 1 << 24 };

struct reader {
    struct source source;
    struct floats part[PARTS];
    struct floats position, texcoord, normal; /* of the vertices, one for each corner */
    weft_diags *diags;
};

static const unsigned part_size[PARTS] = {3, 2, 3};
static const char *const part_lines[PARTS] = {"a position is \"v X Y Z\"", "a texture coordinate is \"vt U V\"",
                                              "a normal is \"vn X Y Z\""};
static const char *const part_missing[PARTS] = {"there is no such v before this line",
                                                "there is no such vt before this line",
                                                "there is no such vn before this line"};

/* ---- lines ---- */

static weft_status fault(struct reader *r, const char *at, size_t length, const char *what)
{
    struct span where = {(uint32_t)(at - r->source.text), (uint32_t)(length ? length : 1)};
    diag_at(r->diags, WEFT_ERROR, "mesh", &r->source, where, NULL, "%s", what);
    return WEFT_ERROR_INPUT;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line that ends at `end`; 0 characters: there is none. */
static size_t next_word(const char **at, const char *end)
{
    while (*at < end && blank(**at))
        ++*at;
    const char *stop = *at;
    while (stop < end && !blank(*stop))
        stop++;
    return (size_t)(stop - *at);
}

/* `v x y z [w]`, `vt u [v [w]]`, `vn x y z`. */
static weft_status read_numbers(struct reader *r, const char *at, const char *end, unsigned part)
{
    float values[3] = {0, 0, 0};
    unsigned count = 0;
    for (size_t length; (length = next_word(&at, end)) != 0; at += length) {
        char word[64], *stop = word;
        memcpy(word, at, length < sizeof word ? length : 0);
        word[length < sizeof word ? length : 0] = 0;
        float value = strtof(word, &stop);
        if (stop == word || *stop || !isfinite(value))
            return fault(r, at, length, part_lines[part]);
        if (count < part_size[part])
            values[count] = value;
        count++;
    }
    if (count < part_size[part] - (part == VT))
        return fault(r, at - 1, 1, part_lines[part]);
    return add_floats(&r->part[part], values, part_size[part]) ? WEFT_OK : WEFT_ERROR_MEMORY;
}

/* One number of a corner: from 1, or backwards from -1. */
static bool read_index(const struct reader *r, const char **at, const char *end, unsigned part, uint32_t *out)
{
    bool back = *at < end && **at == '-';
    uint64_t n = 0, there = r->part[part].count / part_size[part];
    *at += back;
    const char *first = *at;
    for (; *at < end && **at >= '0' && **at <= '9' && n <= UINT32_MAX; ++*at)
        n = n * 10 + (uint64_t)(**at - '0');
    *out = (uint32_t)(back ? there - n : n - 1);
    return *at > first && n >= 1 && n <= there;
}

static weft_status read_corner(struct reader *r, const char *at, const char *end, struct corner *c)
{
    const char *begin = at;
    *c = (struct corner){{NONE, NONE, NONE}};
    for (unsigned part = 0; part < PARTS; part++) {
        if (part && at < end && *at == '/')
            at++;
        else if (part)
            break;
        if (part == VT && at < end && *at == '/') /* V//N */
            continue;
        const char *number = at;
        if (!read_index(r, &at, end, part, &c->part[part]))
            return fault(r, number, (size_t)(end - number), part_missing[part]);
    }
    return at == end ? WEFT_OK
                     : fault(r, begin, (size_t)(end - begin), "a corner of a face is V, V/T, V//N or V/T/N");
}

static const float *at_part(const struct reader *r, const struct corner *c, unsigned part)
{
    return r->part[part].v + (size_t)c->part[part] * part_size[part];
}

static void face_normal(const struct reader *r, const struct corner *c, float to[3])
{
    const float *p[3] = {at_part(r, &c[0], V), at_part(r, &c[1], V), at_part(r, &c[2], V)};
    double a[3], b[3], n[3];
    for (unsigned i = 0; i < 3; i++) {
        a[i] = (double)p[1][i] - (double)p[0][i];
        b[i] = (double)p[2][i] - (double)p[0][i];
    }
    for (unsigned i = 0; i < 3; i++)
        n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (unsigned i = 0; i < 3; i++)
        to[i] = length > 0 ? (float)(n[i] / length) : i == 2;
}

static bool add_vertex(struct reader *r, const struct corner *c, const float normal[3])
{
    static const float nowhere[2] = {0, 0};
    return add_floats(&r->position, at_part(r, c, V), 3) &&
           add_floats(&r->texcoord, c->part[VT] == NONE ? nowhere : at_part(r, c, VT), 2) &&
           add_floats(&r->normal, c->part[VN] == NONE ? normal : at_part(r, c, VN), 3);
}

static weft_status read_face(struct reader *r, const char *at, const char *end)
{
    struct corner corner[MOST_CORNERS];
    unsigned count = 0;
    const char *begin = at;
    for (size_t length; (length = next_word(&at, end)) != 0; at += length) {
        if (count == MOST_CORNERS)
            return fault(r, at, length, "a face has at most 256 corners");
        weft_status status = read_corner(r, at, at + length, &corner[count++]);
        if (status != WEFT_OK)
            return status;
    }
    if (count < 3)
        return fault(r, begin, (size_t)(end - begin), "a face has three corners or more");
    if (r->position.count / 9 + count > MOST_TRIANGLES)
        return fault(r, begin, 1, "a mesh has at most 16777216 triangles");
    float normal[3];
    face_normal(r, corner, normal);
    for (unsigned i = 2; i < count; i++)
        if (!add_vertex(r, &corner[0], normal) || !add_vertex(r, &corner[i - 1], normal) ||
            !add_vertex(r, &corner[i], normal))
            return WEFT_ERROR_MEMORY;
    return WEFT_OK;
}

static weft_status read_line(struct reader *r, const char *at, const char *end)
{
    const char *comment = memchr(at, '#', (size_t)(end - at));
    end = comment ? comment : end;
    size_t length = next_word(&at, end);
    if (length == 1 && *at == 'f')
        return read_face(r, at + 1, end);
    if (length == 1 && *at == 'v')
        return read_numbers(r, at + 1, end, V);
    if (length == 2 && memcmp(at, "vt", 2) == 0)
        return read_numbers(r, at + 2, end, VT);
    if (length == 2 && memcmp(at, "vn", 2) == 0)
        return read_numbers(r, at + 2, end, VN);
    return WEFT_OK;
}

/* ---- the mesh ---- */

/* What was read is the mesh's. */
static weft_status take(struct reader *r, struct mesh_file *m)
{
    uint32_t count = (uint32_t)(r->position.count / 3);
    m->positions = r->position.v;
    m->texcoords = r->texcoord.v;
    m->normals = r->normal.v;
    m->indices = cli_kept(malloc(((size_t)count + 1) * sizeof *m->indices));
    for (uint32_t i = 0; m->indices && i < count; i++)
        m->indices[i] = i;
    m->geometry = (weft_geometry){m->positions, m->normals, m->texcoords, count, m->indices, count};
    return m->indices ? WEFT_OK : WEFT_ERROR_MEMORY;
}

weft_status mesh_file_parse(const struct cli_bytes *in, struct mesh_file *mesh, weft_diags *diags)
{
    struct reader r = {.source = {in->name, in->data, in->size}, .diags = diags};
    const char *at = in->data + mark_size(in->data, in->size), *end = in->data + in->size;
    weft_status status = WEFT_OK;
    *mesh = (struct mesh_file){0};
    while (at < end && status == WEFT_OK) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        status = read_line(&r, at, stop);
        at = stop + 1;
    }
    for (unsigned part = 0; part < PARTS; part++)
        free(r.part[part].v);
    weft_status taken = take(&r, mesh);
    if (status != WEFT_OK || taken != WEFT_OK)
        return status != WEFT_OK ? status : taken;
    if (mesh->geometry.vertices)
        return WEFT_OK;
    diag_add(diags, WEFT_ERROR, "mesh", in->name, NULL, "the file has no faces: \"f 1 2 3\" is one of three corners");
    return WEFT_ERROR_INPUT;
}

void mesh_file_empty(uint32_t vertices, struct mesh_file *m)
{
    *m = (struct mesh_file){0};
    m->positions = cli_kept(calloc(vertices, 3 * sizeof *m->positions));
    m->indices = cli_kept(malloc(vertices * sizeof *m->indices));
    for (uint32_t i = 0; i < vertices; i++)
        m->indices[i] = i;
    m->geometry = (weft_geometry){m->positions, NULL, NULL, vertices, m->indices, vertices};
}

void mesh_file_fit(struct mesh_file *m)
{
    size_t count = (size_t)m->geometry.vertices * 3;
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, most = 0;
    for (size_t i = 0; i < count; i++) {
        float v = m->positions[i];
        low[i % 3] = i < 3 || v < low[i % 3] ? v : low[i % 3];
        high[i % 3] = i < 3 || v > high[i % 3] ? v : high[i % 3];
    }
    for (unsigned c = 0; c < 3; c++)
        most = high[c] - low[c] > most ? high[c] - low[c] : most;
    for (size_t i = 0; i < count && most > 0; i++)
        m->positions[i] = (m->positions[i] - (low[i % 3] + high[i % 3]) / 2) / (most / 2);
}

void mesh_file_free(struct mesh_file *m)
{
    free(m->positions);
    free(m->texcoords);
    free(m->normals);
    free(m->indices);
    *m = (struct mesh_file){0};
}
