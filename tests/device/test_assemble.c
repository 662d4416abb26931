/* Primitives of each topology, one by one (OpenGL 4.6, 10.1 and table 13.2; Vulkan, Drawing): their corners around the
 * polygon that they are of, the edges that are the polygon's, the provoking vertex, with restarts and instances. */
#include "test.h"

#include <stdbool.h>

#include "device/primitive.h"

enum { MOST = 14, CORNERS = 16, RESTART = 0xffff, STRIDE = 100 };

/* A polygon, a line or a point of a topology: its vertices around it, and the provoking one. */
struct shape {
    uint32_t corner[CORNERS], corners;
    uint32_t first, last; /* provoking */
};

/* Shape number i of n vertices in order; false: there are no more. */
static bool shape_of(enum topology t, uint32_t n, uint32_t i, struct shape *s)
{
    const uint32_t a = 2 * i, b = 3 * i, c = 4 * i, odd = i & 1;
    switch (t) {
    case POINT_LIST:
        *s = (struct shape){{i}, 1, i, i};
        return i + 1 <= n;
    case LINE_LIST:
        *s = (struct shape){{a, a + 1}, 2, a, a + 1};
        return a + 2 <= n;
    case LINE_STRIP:
        *s = (struct shape){{i, i + 1}, 2, i, i + 1};
        return i + 2 <= n;
    case LINE_LOOP:
        *s = (struct shape){{i, (i + 1) % n}, 2, i, (i + 1) % n};
        return n >= 2 && i < n;
    case LINE_LIST_ADJACENCY:
        *s = (struct shape){{c + 1, c + 2}, 2, c + 1, c + 2};
        return c + 4 <= n;
    case LINE_STRIP_ADJACENCY:
        *s = (struct shape){{i + 1, i + 2}, 2, i + 1, i + 2};
        return i + 4 <= n;
    case TRIANGLE_LIST:
        *s = (struct shape){{b, b + 1, b + 2}, 3, b, b + 2};
        return b + 3 <= n;
    case TRIANGLE_STRIP:
        *s = (struct shape){{i + odd, i + !odd, i + 2}, 3, i, i + 2};
        return i + 3 <= n;
    case TRIANGLE_FAN:
        *s = (struct shape){{0, i + 1, i + 2}, 3, i + 1, i + 2};
        return i + 3 <= n;
    case QUAD_LIST:
        *s = (struct shape){{c, c + 1, c + 2, c + 3}, 4, c, c + 3};
        return c + 4 <= n;
    case QUAD_STRIP:
        *s = (struct shape){{a, a + 1, a + 3, a + 2}, 4, a, a + 3};
        return a + 4 <= n;
    case POLYGON:
        s->first = s->last = 0;
        s->corners = n;
        for (uint32_t k = 0; k < n; k++)
            s->corner[k] = k;
        return n >= 3 && i == 0;
    case TRIANGLE_LIST_ADJACENCY:
        *s = (struct shape){{6 * i, 6 * i + 2, 6 * i + 4}, 3, 6 * i, 6 * i + 4};
        return 6 * i + 6 <= n;
    default:
        *s = (struct shape){{a + 2 * odd, a + 2 * !odd, a + 4}, 3, a, a + 4};
        return a + 6 <= n;
    }
}

static uint32_t place_in(const struct shape *s, uint32_t vertex)
{
    for (uint32_t k = 0; k < s->corners; k++)
        if (s->corner[k] == vertex)
            return k;
    fail_msg("vertex %u is not of the shape", vertex);
    return 0;
}

/* The primitives from *number on are those of a shape, whose vertices are `offset` further on. */
static void check_shape(const struct assembly *a, const struct shape *s, uint32_t offset, uint32_t id, uint64_t *number)
{
    uint32_t pieces = s->corners < 3 ? 1 : s->corners - 2, edges = 0;
    for (uint32_t k = 0; k < pieces; k++) {
        struct primitive p;
        uint32_t at[3] = {0};
        assert_true(assembly_primitive(a, (*number)++, &p));
        assert_int_equal(p.count, s->corners < 3 ? s->corners : 3);
        assert_int_equal(p.id, id);
        assert_int_equal(p.provoking - offset, a->provoking_first ? s->first : s->last);
        bool provokes = false;
        for (unsigned i = 0; i < p.count; i++) {
            at[i] = place_in(s, p.vertex[i] - offset);
            provokes = provokes || p.vertex[i] == p.provoking;
        }
        assert_true(provokes);
        if (p.count < 3) {
            assert_true(p.edges == 1 && at[0] == 0 && (p.count == 1 || at[1] == 1));
            continue;
        }
        /* around it the same way */
        assert_true((at[0] < at[1] && at[1] < at[2]) || (at[1] < at[2] && at[2] < at[0]) ||
                    (at[2] < at[0] && at[0] < at[1]));
        for (unsigned i = 0; i < 3; i++) {
            bool outer = (at[i] + 1) % s->corners == at[(i + 1) % 3];
            assert_int_equal(p.edges >> i & 1, outer);
            edges += outer;
        }
    }
    assert_int_equal(edges, s->corners < 3 ? 0 : s->corners);
}

static void primitives_of_vertices(void **state)
{
    (void)state;
    for (enum topology t = TRIANGLE_LIST; t < PATCH_LIST; t++)
        for (uint32_t n = 0; n <= MOST; n++)
            for (unsigned first = 0; first < 2; first++) {
                struct assembly a = {.topology = t, .provoking_first = first, .stride = STRIDE, .vertices = n};
                assert_true(assembly_init(&a, n, false, 0));
                uint64_t number = 0;
                struct shape s;
                uint32_t shapes = 0;
                while (n && shape_of(t, n, shapes, &s))
                    check_shape(&a, &s, 0, t == POLYGON ? 0 : shapes, &number), shapes++;
                assert_int_equal(a.primitives, number);
                for (uint32_t i = 0; i < shapes; i++) { /* of the next instance */
                    shape_of(t, n, i, &s);
                    check_shape(&a, &s, STRIDE, t == POLYGON ? 0 : i, &number);
                }
                assembly_free(&a);
            }
}

static void primitives_of_runs(void **state)
{
    (void)state;
    for (enum topology t = TRIANGLE_LIST; t < PATCH_LIST; t++)
        for (uint32_t cut = 0; cut <= MOST; cut++) {
            uint32_t index[MOST + 1];
            for (uint32_t i = 0; i <= MOST; i++) /* before the restart from 20 on, after it from 40 */
                index[i] = i < cut ? 20 + i : i == cut ? RESTART : 40 + i - cut - 1;
            struct assembly a = {.topology = t, .provoking_first = true, .indices = index, .vertices = 60};
            assert_true(assembly_init(&a, MOST + 1, true, RESTART));
            uint64_t number = 0;
            struct shape s;
            uint32_t shapes = 0, runs = 0;
            for (unsigned run = 0; run < 2; run++) {
                uint32_t n = run ? MOST - cut : cut, before = shapes;
                for (uint32_t i = 0; n && shape_of(t, n, i, &s); i++, shapes++)
                    check_shape(&a, &s, run ? 40 : 20, t == POLYGON ? runs : shapes, &number);
                runs += shapes > before;
            }
            assert_int_equal(a.primitives, number);
            assembly_free(&a);
        }
}

/* A primitive with a vertex that is not there is left out. */
static void vertices_that_are_not_there(void **state)
{
    (void)state;
    static const uint32_t index[] = {0, 1, 2, 2, 1, 3, 1, 2, 0};
    for (uint32_t vertices = 0; vertices <= 4; vertices++) {
        struct assembly a = {.topology = TRIANGLE_LIST, .indices = index, .vertices = vertices};
        struct primitive p;
        assert_true(assembly_init(&a, 9, false, 0));
        assert_int_equal(assembly_primitive(&a, 0, &p), vertices >= 3);
        assert_int_equal(assembly_primitive(&a, 1, &p), vertices >= 4);
        assert_int_equal(assembly_primitive(&a, 2, &p), vertices >= 3);
        assembly_free(&a);
    }
}

/* ---- adjacency ---- */

/* Table 10.1 of OpenGL 4.6, from 0: the corners of triangle i of a strip, and what is next to the edges between them.
 */
static void strip_row(uint32_t i, uint32_t triangles, uint32_t row[6])
{
    bool last = i + 1 == triangles;
    uint32_t after = last ? 2 * i + 5 : 2 * i + 6, before = i ? 2 * i - 2 : 1;
    const uint32_t even[6] = {2 * i, before, 2 * i + 2, after, 2 * i + 4, 2 * i + 3},
                   odd[6] = {2 * i + 2, before, 2 * i, 2 * i + 3, 2 * i + 4, after};
    memcpy(row, i % 2 ? odd : even, sizeof even);
}

static void all_vertices(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++)
        for (uint32_t triangles = 1; triangles <= 6; triangles++) {
            struct assembly a = {.topology = TRIANGLE_STRIP_ADJACENCY, .provoking_first = first, .vertices = 100};
            uint32_t got[PIPELINE_PATCH_VERTICES], row[6], id;
            assert_true(assembly_init(&a, 2 * triangles + 4, false, 0));
            assert_int_equal(a.primitives, triangles);
            for (uint32_t i = 0; i < triangles; i++) {
                strip_row(i, triangles, row);
                assert_int_equal(assembly_vertices(&a, i, got, &id), 6);
                assert_int_equal(id, i);
                assert_int_equal(got[first ? 0 : 4], first ? 2 * i : 2 * i + 4); /* the provoking vertex */
                unsigned turn = got[0] == row[0] ? 0 : got[0] == row[2] ? 2 : 4;
                for (unsigned k = 0; k < 6; k++)
                    assert_int_equal(got[k], row[(k + turn) % 6]);
            }
            assembly_free(&a);
        }
    static const struct {
        enum topology topology;
        uint32_t each, step;
    } others[] = {{LINE_LIST_ADJACENCY, 4, 4}, {LINE_STRIP_ADJACENCY, 4, 1}, {TRIANGLE_LIST_ADJACENCY, 6, 6},
                  {PATCH_LIST, 5, 5},          {POINT_LIST, 1, 1},           {LINE_STRIP, 2, 1}};
    for (unsigned t = 0; t < sizeof others / sizeof others[0]; t++) {
        struct assembly a = {.topology = others[t].topology, .patch_vertices = 5, .stride = STRIDE, .vertices = 20};
        uint32_t got[PIPELINE_PATCH_VERTICES], id;
        assert_true(assembly_init(&a, 20, false, 0));
        assert_int_equal(a.primitives, (20 - others[t].each) / others[t].step + 1);
        for (uint32_t i = 0; i < 2 * a.primitives; i++) {
            assert_int_equal(assembly_vertices(&a, i, got, &id), others[t].each);
            assert_int_equal(id, i % a.primitives);
            for (uint32_t k = 0; k < others[t].each; k++)
                assert_int_equal(got[k], i % a.primitives * others[t].step + k + i / a.primitives * STRIDE);
        }
        assembly_free(&a);
    }
}

TEST_MAIN(TEST(primitives_of_vertices), TEST(primitives_of_runs), TEST(vertices_that_are_not_there), TEST(all_vertices))
