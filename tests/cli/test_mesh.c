/* test_mesh.c - meshes as OBJ files, written by the test itself: triangles with all that their corners have, texts with
 * one thing wrong, and meshes that are moved into -1 to 1. */
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "base/diag.h"
#include "cli/mesh_file.h"

enum { MOST = 40 /* of v, vt and vn each */, CORNERS = 9, TRIANGLES = 400, TEXT = 60000 };

/* What a file is to give, and the numbers that it had so far. */
struct model {
    char text[TEXT];
    size_t length;
    float v[MOST][3], vt[MOST][2], vn[MOST][3];
    int nv, nvt, nvn;
    float position[3 * TRIANGLES][3], texcoord[3 * TRIANGLES][2], normal[3 * TRIANGLES][3];
    bool flat[3 * TRIANGLES]; /* the normal is the face's: nearly that */
    unsigned count;
    struct test_rng *r;
};

static unsigned below(struct model *m, unsigned n) { return test_next(m->r) % n; }

static void say(struct model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct model *m, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    m->length += (size_t)vsnprintf(m->text + m->length, sizeof m->text - m->length, format, ap);
    va_end(ap);
    assert_true(m->length < sizeof m->text);
}

static const char *blank(struct model *m)
{
    static const char *const blanks[] = {" ", "  ", "\t", " \t ", "\r "};
    return blanks[below(m, 5)];
}

static void end_line(struct model *m)
{
    static const char *const ends[] = {"\n", "\r\n", " # f 1 2 3\n", "\n\n", "#\n", "\n# v 1\n", "\ns off\n",
                                       "\nvp 1\n", "\nusemtl f\n", "\n o v\n", "\ng\n"};
    say(m, "%s", ends[below(m, 11)]);
}

/* Eighths are exact. */
static float number(struct model *m) { return (float)((int)below(m, 65) - 32) / 8; }

static void put_numbers(struct model *m, const char *what, const float *v, unsigned count)
{
    say(m, "%s", what);
    for (unsigned i = 0; i < count; i++)
        say(m, "%s%g", blank(m), (double)v[i]);
    end_line(m);
}

static void any_part(struct model *m)
{
    float v[4] = {number(m), number(m), number(m), number(m)};
    switch (below(m, 3)) {
    case 0:
        if (m->nv == MOST)
            return;
        memcpy(m->v[m->nv++], v, sizeof m->v[0]);
        put_numbers(m, below(m, 2) ? "v" : " v", v, 3 + below(m, 2));
        return;
    case 1: {
        if (m->nvt == MOST)
            return;
        unsigned given = 1 + below(m, 3);
        v[1] = given > 1 ? v[1] : 0;
        memcpy(m->vt[m->nvt++], v, sizeof m->vt[0]);
        put_numbers(m, "vt", v, given);
        return;
    }
    default:
        if (m->nvn == MOST)
            return;
        memcpy(m->vn[m->nvn++], v, sizeof m->vn[0]);
        put_numbers(m, "vn", v, 3);
    }
}

/* A number of one of `count`, as it is written: from the first on, or back from the last. */
static int any_index(struct model *m, int count, int *written)
{
    int i = (int)below(m, (unsigned)count);
    *written = below(m, 3) ? i + 1 : i - count;
    return i;
}

static void normal_of(float (*p)[3], float *to)
{
    double a[3], b[3], n[3], length = 0;
    for (unsigned i = 0; i < 3; i++) {
        a[i] = (double)p[1][i] - (double)p[0][i];
        b[i] = (double)p[2][i] - (double)p[0][i];
    }
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    for (unsigned i = 0; i < 3; i++)
        length += n[i] * n[i];
    for (unsigned i = 0; i < 3; i++)
        to[i] = length > 0 ? (float)(n[i] / sqrt(length)) : i == 2 ? 1 : 0;
}

static void any_face(struct model *m)
{
    float p[CORNERS][3], t[CORNERS][2], n[CORNERS][3], flat[3];
    bool has_normal[CORNERS];
    unsigned count = 3 + below(m, CORNERS - 2);
    if (m->nv == 0 || m->count + 3 * count > 3 * TRIANGLES)
        return;
    say(m, below(m, 4) ? "f" : "\tf");
    for (unsigned i = 0; i < count; i++) {
        int v, vt, vn;
        unsigned how = below(m, 4);
        bool has_texcoord = m->nvt && (how & 1);
        has_normal[i] = m->nvn && (how & 2);
        memcpy(p[i], m->v[any_index(m, m->nv, &v)], sizeof p[0]);
        say(m, "%s%d", blank(m), v);
        memset(t[i], 0, sizeof t[0]);
        if (has_texcoord) {
            memcpy(t[i], m->vt[any_index(m, m->nvt, &vt)], sizeof t[0]);
            say(m, "/%d", vt);
        }
        if (has_normal[i]) {
            memcpy(n[i], m->vn[any_index(m, m->nvn, &vn)], sizeof n[0]);
            say(m, has_texcoord ? "/%d" : "//%d", vn);
        }
    }
    end_line(m);
    normal_of(p, flat);
    for (unsigned i = 2; i < count; i++) {
        const unsigned corners[3] = {0, i - 1, i};
        for (unsigned k = 0; k < 3; k++, m->count++) {
            unsigned c = corners[k];
            memcpy(m->position[m->count], p[c], sizeof p[0]);
            memcpy(m->texcoord[m->count], t[c], sizeof t[0]);
            memcpy(m->normal[m->count], has_normal[c] ? n[c] : flat, sizeof flat);
            m->flat[m->count] = !has_normal[c];
        }
    }
}

static weft_status parse(const char *text, size_t size, struct mesh_file *mesh, weft_diags *d)
{
    const struct cli_bytes in = {.name = "in.obj", .data = (char *)(uintptr_t)text, .size = size};
    return mesh_file_parse(&in, mesh, d);
}

static void meshes_are_read(void **state)
{
    (void)state;
    struct test_rng r = test_seed("meshes");
    for (unsigned i = 0; i < 800; i++) {
        static struct model m;
        struct mesh_file mesh;
        memset(&m, 0, sizeof m);
        m.r = &r;
        if (i % 5 == 0)
            say(&m, "\xef\xbb\xbf");
        for (unsigned k = 0, lines = 3 + below(&m, 60); k < lines; k++)
            below(&m, 4) ? any_part(&m) : any_face(&m);
        if (m.nv == 0) {
            m.nv = 1;
            put_numbers(&m, "v", m.v[0], 3);
        }
        any_face(&m);
        if (i % 3)
            m.length -= m.text[m.length - 1] == '\n'; /* the last line need not end */
        assert_int_equal(parse(m.text, m.length, &mesh, NULL), WEFT_OK);
        const weft_geometry *g = &mesh.geometry;
        assert_int_equal(g->vertices, m.count);
        assert_int_equal(g->index_count, m.count);
        assert_memory_equal(g->positions, m.position, m.count * sizeof m.position[0]);
        assert_memory_equal(g->texcoords, m.texcoord, m.count * sizeof m.texcoord[0]);
        for (unsigned k = 0; k < m.count; k++) {
            assert_int_equal(g->indices[k], k);
            for (unsigned c = 0; c < 3; c++) {
                float off = fabsf(g->normals[3 * k + c] - m.normal[k][c]);
                assert_true(m.flat[k] ? off < 1e-6f : off == 0);
            }
        }
        mesh_file_free(&mesh);
    }
}

static void faults_have_places(void **state)
{
    (void)state;
    static const char before[] = "v 1 2 3\nv 4 5 6\nv 7 8 9\nvt 1 2\nvn 1 2 3\n";
    static const struct {
        const char *line, *message;
        unsigned column, length;
    } cases[] = {
        {"v 1 2", "a position is \"v X Y Z\"", 5, 1},
        {"v", "a position is \"v X Y Z\"", 1, 1},
        {"v 1 x 3", "a position is \"v X Y Z\"", 5, 1},
        {"v 1 2.5.5 3", "a position is \"v X Y Z\"", 5, 5},
        {"v 1 inf 3", "a position is \"v X Y Z\"", 5, 3},
        {"v 1 nan 3", "a position is \"v X Y Z\"", 5, 3},
        {"v 1 2 3 x", "a position is \"v X Y Z\"", 9, 1},
        {"v 1 2 0000000000000000000000000000000000000000000000000000000000000001", "a position is \"v X Y Z\"", 7, 64},
        {"vt", "a texture coordinate is \"vt U V\"", 2, 1},
        {"vt 1 2e", "a texture coordinate is \"vt U V\"", 6, 2},
        {"vn 1 2", "a normal is \"vn X Y Z\"", 6, 1},
        {"vn 1 2 -", "a normal is \"vn X Y Z\"", 8, 1},
        {"f 1 2", "a face has three corners or more", 2, 4},
        {"f", "a face has three corners or more", 2, 1},
        {"f 0 1 2", "there is no such v before this line", 3, 1},
        {"f 1 2 4", "there is no such v before this line", 7, 1},
        {"f 1 2 -4", "there is no such v before this line", 7, 2},
        {"f 1 2 -0", "there is no such v before this line", 7, 2},
        {"f 1 2 x", "there is no such v before this line", 7, 1},
        {"f 1 2 4294967297", "there is no such v before this line", 7, 10},
        {"f 1 2 18446744073709551617", "there is no such v before this line", 7, 20},
        {"f 1/1 2/2 3", "there is no such vt before this line", 9, 1},
        {"f 1/ 2 3", "there is no such vt before this line", 5, 1},
        {"f 1/1/1 2//2 3", "there is no such vn before this line", 12, 1},
        {"f 1 2// 3", "there is no such vn before this line", 8, 1},
        {"f 1 2/1/1/1 3", "a corner of a face is V, V/T, V//N or V/T/N", 5, 7},
        {"f 1 2x 3", "a corner of a face is V, V/T, V//N or V/T/N", 5, 2},
        {"f 1 -2- 3", "a corner of a face is V, V/T, V//N or V/T/N", 5, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        struct mesh_file mesh;
        int n = snprintf(text, sizeof text, "%s%s\nf 1 2 3\n", before, cases[i].line);
        weft_diags *d = weft_diags_new();
        assert_int_equal(parse(text, (size_t)n, &mesh, d), WEFT_ERROR_INPUT);
        const weft_diag *g = weft_diags_get(d, 0);
        if (strcmp(g->message, cases[i].message) != 0 || g->line != 6 || g->column != cases[i].column ||
            g->length != cases[i].length || weft_diags_count(d) != 1)
            fail_msg("%s: %s at %u:%u, %u", cases[i].line, g->message, g->line, g->column, g->length);
        weft_diags_free(d);
        mesh_file_free(&mesh);
    }
}

static void corners_end_at_256(void **state)
{
    (void)state;
    for (unsigned count = 255; count < 259; count++) {
        char text[2000] = "v 1 2 3\nf";
        struct mesh_file mesh;
        weft_diags *d = weft_diags_new();
        for (unsigned i = 0; i < count; i++)
            strcat(text, " 1");
        weft_status status = parse(text, strlen(text), &mesh, d);
        assert_int_equal(status, count > 256 ? WEFT_ERROR_INPUT : WEFT_OK);
        if (status == WEFT_OK) {
            assert_int_equal(mesh.geometry.vertices, 3 * (count - 2));
            assert_true(mesh.normals[0] == 0 && mesh.normals[1] == 0 && mesh.normals[2] == 1); /* it has no area */
        } else {
            assert_string_equal(weft_diags_get(d, 0)->message, "a face has at most 256 corners");
            assert_int_equal(weft_diags_get(d, 0)->column, 2 + 2 * 256 + 1);
        }
        weft_diags_free(d);
        mesh_file_free(&mesh);
    }
}

/* The longest side is 2, and the middle of each is 0. */
static void meshes_fit(void **state)
{
    (void)state;
    struct test_rng r = test_seed("fit");
    for (unsigned i = 0; i < 2000; i++) {
        enum { VERTICES = 9 };
        struct mesh_file m;
        float was[3 * VERTICES], low[3], high[3], most = 0;
        mesh_file_empty(VERTICES, &m);
        assert_int_equal(m.geometry.vertices, VERTICES);
        assert_int_equal(m.geometry.index_count, VERTICES);
        assert_null(m.geometry.normals);
        for (unsigned k = 0; k < 3 * VERTICES; k++) {
            assert_true(m.positions[k] == 0 && m.indices[k % VERTICES] == k % VERTICES);
            was[k] = (float)((int)(test_next(&r) % 2001) - 1000) / (k % 3 ? 8.0f : 100.0f) + (i % 2 ? 500.0f : -3.0f);
        }
        if (i % 7 == 0)
            for (unsigned k = 0; k < 3 * VERTICES; k++)
                was[k] = was[k % 3];
        memcpy(m.positions, was, sizeof was);
        for (unsigned c = 0; c < 3; c++) {
            low[c] = high[c] = was[c];
            for (unsigned k = 0; k < VERTICES; k++) {
                low[c] = fminf(low[c], was[3 * k + c]);
                high[c] = fmaxf(high[c], was[3 * k + c]);
            }
            most = fmaxf(most, high[c] - low[c]);
        }
        mesh_file_fit(&m);
        for (unsigned k = 0; k < 3 * VERTICES; k++) {
            float want = most > 0 ? (was[k] - (low[k % 3] + high[k % 3]) / 2) / (most / 2) : was[k];
            assert_true(fabsf(m.positions[k] - want) < 1e-4f && (most == 0 || fabsf(m.positions[k]) < 1.0001f));
        }
        mesh_file_free(&m);
    }
}

TEST_MAIN(TEST(meshes_are_read), TEST(faults_have_places), TEST(corners_end_at_256), TEST(meshes_fit))
