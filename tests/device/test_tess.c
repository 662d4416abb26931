/* The fixed-function tessellator: counts and positions of OpenGL 4.6, 11.2.2, and domains covered without gaps. */
#include "test.h"

#include "device/tess.h"

#include <math.h>

static struct tess_domain divide(unsigned mode, unsigned spacing, bool cw, bool points, const float *outer,
                                 const float *inner)
{
    struct ir_io io = {
        .tes_mode = (uint8_t)mode, .tes_spacing = (uint8_t)spacing, .tes_cw = cw, .tes_points = points};
    struct tess_domain d = {0};
    assert_true(tess_divide(&d, &io, outer, inner));
    for (size_t i = 0; i < d.nindices; i++)
        assert_true(d.indices[i] < d.npoints);
    return d;
}

static double area(const struct tess_domain *d, size_t i)
{
    const float *a = d->points[d->indices[i]].at, *b = d->points[d->indices[i + 1]].at,
                *c = d->points[d->indices[i + 2]].at;
    return (((double)b[0] - a[0]) * ((double)c[1] - a[1]) - ((double)b[1] - a[1]) * ((double)c[0] - a[0])) / 2;
}

static bool is_edge(const struct tess_domain *d, size_t triangle, unsigned side, uint32_t a, uint32_t b)
{
    uint32_t x = d->indices[triangle + side], y = d->indices[triangle + (side + 1) % 3];
    return x == a && y == b;
}

/* Triangles of one orientation whose areas are the domain's; inner edges are met once from either side, and the others
 * are the outer levels' segments. */
static void check_covered(const struct tess_domain *d, double whole, double sign, size_t boundary)
{
    double sum = 0;
    size_t open = 0;
    for (size_t i = 0; i < d->nindices; i += 3) {
        double a = area(d, i) * sign;
        assert_true(a > -1e-7);
        sum += a;
        for (unsigned side = 0; side < 3; side++) {
            uint32_t from = d->indices[i + side], to = d->indices[i + (side + 1) % 3];
            unsigned back = 0;
            for (size_t k = 0; k < d->nindices; k += 3)
                for (unsigned s = 0; s < 3; s++)
                    back += is_edge(d, k, s, to, from);
            assert_true(back <= 1);
            open += back == 0;
        }
    }
    assert_float_equal((float)sum, (float)whole, 1e-5f);
    assert_int_equal(open, boundary);
}

static void triangles_and_quads_are_covered(void **state)
{
    (void)state;
    static const float levels[] = {1, 2, 3, 4, 7, 8};
    enum { COUNT = sizeof levels / sizeof *levels };
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned j = 0; j < COUNT; j++) {
            const float outer[4] = {levels[j], levels[(j + 1) % COUNT], levels[(j + 3) % COUNT],
                                    levels[(j + 4) % COUNT]};
            const float inner[2] = {levels[i], levels[(i + j) % COUNT]};
            struct tess_domain d = divide(IR_PRIM_TRIANGLES, IR_SPACING_EQUAL, false, false, outer, inner);
            check_covered(&d, 0.5, 1, (size_t)(outer[0] + outer[1] + outer[2]));
            tess_domain_free(&d);
            d = divide(IR_PRIM_QUADS, IR_SPACING_EQUAL, true, false, outer, inner);
            check_covered(&d, 1, -1, (size_t)(outer[0] + outer[1] + outer[2] + outer[3]));
            tess_domain_free(&d);
        }
}

static void fractional_spacing_covers_too(void **state)
{
    (void)state;
    const float outer[4] = {2.5f, 1.25f, 4.75f, 6.5f}, inner[2] = {3.5f, 5.25f};
    /* Odd: 3, 3, 5, 7 segments; even: 4, 2, 6, 8. */
    struct tess_domain d = divide(IR_PRIM_QUADS, IR_SPACING_FRACTIONAL_ODD, false, false, outer, inner);
    check_covered(&d, 1, 1, 3 + 3 + 5 + 7);
    tess_domain_free(&d);
    d = divide(IR_PRIM_QUADS, IR_SPACING_FRACTIONAL_EVEN, false, false, outer, inner);
    check_covered(&d, 1, 1, 4 + 2 + 6 + 8);
    tess_domain_free(&d);
    d = divide(IR_PRIM_TRIANGLES, IR_SPACING_FRACTIONAL_ODD, false, false, outer, inner);
    check_covered(&d, 0.5, 1, 3 + 3 + 5);
    tess_domain_free(&d);
}

static void small_levels_give_the_patterns_of_the_specification(void **state)
{
    (void)state;
    const float one[4] = {1, 1, 1, 1}, two[4] = {2, 2, 2, 2}, four[4] = {4, 4, 4, 4};
    struct tess_domain d = divide(IR_PRIM_TRIANGLES, IR_SPACING_EQUAL, false, false, one, one);
    assert_int_equal(d.npoints, 3);
    assert_int_equal(d.nindices, 3);
    tess_domain_free(&d);
    d = divide(IR_PRIM_QUADS, IR_SPACING_EQUAL, false, false, one, one);
    assert_int_equal(d.npoints, 4);
    assert_int_equal(d.nindices, 6);
    tess_domain_free(&d);
    /* Inner level 2: one point in the middle. */
    d = divide(IR_PRIM_TRIANGLES, IR_SPACING_EQUAL, false, false, one, two);
    assert_int_equal(d.npoints, 4);
    assert_int_equal(d.nindices, 9);
    for (unsigned c = 0; c < 3; c++)
        assert_float_equal(d.points[3].at[c], 1.0f / 3, 1e-6f);
    tess_domain_free(&d);
    /* Inner level 4: rings of 12, 6 and 1 points; the second ring's corners are a sixth in (2/3 of 1/4). */
    d = divide(IR_PRIM_TRIANGLES, IR_SPACING_EQUAL, false, false, four, four);
    assert_int_equal(d.npoints, 12 + 6 + 1);
    assert_int_equal(d.nindices / 3, 18 + 6);
    assert_float_equal(d.points[12].at[0], 2.0f / 3, 1e-6f);
    assert_float_equal(d.points[12].at[1], 1.0f / 6, 1e-6f);
    assert_float_equal(d.points[12].at[2], 1.0f / 6, 1e-6f);
    tess_domain_free(&d);
}

static void outer_levels_belong_to_their_edges(void **state)
{
    (void)state;
    /* The edge where u is 0 has outer level 0, v 0 has 1, then w 0, or for quads u 1 and v 1. */
    const float outer[4] = {2, 3, 4, 5}, inner[2] = {3, 3};
    struct tess_domain d = divide(IR_PRIM_TRIANGLES, IR_SPACING_EQUAL, false, false, outer, inner);
    for (unsigned edge = 0; edge < 3; edge++) {
        unsigned count = 0;
        for (size_t i = 0; i < d.npoints; i++)
            count += d.points[i].at[edge] == 0;
        assert_int_equal(count, (unsigned)outer[edge] + 1);
    }
    tess_domain_free(&d);
    d = divide(IR_PRIM_QUADS, IR_SPACING_EQUAL, false, false, outer, inner);
    for (unsigned edge = 0; edge < 4; edge++) {
        unsigned count = 0;
        for (size_t i = 0; i < d.npoints; i++)
            count += d.points[i].at[edge % 2] == (edge < 2 ? 0.0f : 1.0f);
        assert_int_equal(count, (unsigned)outer[edge] + 1);
    }
    tess_domain_free(&d);
}

static void fractional_points_lie_where_they_must(void **state)
{
    (void)state;
    /* 2.5, odd: three segments, the middle one 1 / 2.5 long, the others alike. */
    const float outer[4] = {1, 2.5f, 0, 0}, inner[2] = {0, 0};
    struct tess_domain d = divide(IR_PRIM_LINES, IR_SPACING_FRACTIONAL_ODD, false, false, outer, inner);
    assert_int_equal(d.npoints, 4);
    assert_true(d.points[0].at[0] == 0 && d.points[3].at[0] == 1);
    assert_float_equal(d.points[1].at[0], 0.3f, 1e-6f);
    assert_float_equal(d.points[2].at[0], 0.7f, 1e-6f);
    tess_domain_free(&d);
}

/* Levels beyond the limits of a spacing are the limits: equal 1 to 64, odd 1 to 63, even 2 to 64 (OpenGL 4.6,
 * 11.2.2), of which each gives segments of one length. */
static void levels_have_limits(void **state)
{
    (void)state;
    static const struct {
        unsigned spacing, least, most;
    } limits[] = {{IR_SPACING_EQUAL, 1, 64}, {IR_SPACING_FRACTIONAL_ODD, 1, 63}, {IR_SPACING_FRACTIONAL_EVEN, 2, 64}};
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (unsigned high = 0; high < 2; high++) {
            unsigned segments = high ? limits[i].most : limits[i].least;
            const float outer[4] = {1, high ? (float)segments + 1.5f : 0.25f, 0, 0}, inner[2] = {0, 0};
            struct tess_domain d = divide(IR_PRIM_LINES, limits[i].spacing, false, false, outer, inner);
            assert_int_equal(d.npoints, segments + 1);
            for (unsigned k = 0; k <= segments; k++)
                assert_float_equal(d.points[k].at[0], (float)k / (float)segments, 1e-6f);
            tess_domain_free(&d);
        }
}

static void isolines_and_points(void **state)
{
    (void)state;
    const float outer[4] = {3, 4, 0, 0}, inner[2] = {0, 0}, quad[4] = {2, 2, 2, 2}, negative[4] = {1, 0, 1, 1};
    struct tess_domain d = divide(IR_PRIM_LINES, IR_SPACING_EQUAL, false, false, outer, inner);
    assert_int_equal(d.corners, 2);
    assert_int_equal(d.npoints, 3 * 5);
    assert_int_equal(d.nindices / 2, 3 * 4);
    assert_float_equal(d.points[5].at[1], 1.0f / 3, 1e-6f); /* lines at 0, 1/3 and 2/3: never at 1 */
    tess_domain_free(&d);
    d = divide(IR_PRIM_QUADS, IR_SPACING_EQUAL, false, true, quad, quad);
    assert_int_equal(d.corners, 1);
    assert_int_equal(d.nindices, 9);
    tess_domain_free(&d);
    d = divide(IR_PRIM_QUADS, IR_SPACING_EQUAL, false, false, negative, quad);
    assert_int_equal(d.nindices, 0);
    tess_domain_free(&d);
    const float absurd[4] = {1e30f, NAN, 1, 1};
    d = divide(IR_PRIM_LINES, IR_SPACING_EQUAL, false, false, absurd, inner);
    assert_int_equal(d.nindices, 0);
    tess_domain_free(&d);
    d = divide(IR_PRIM_LINES, IR_SPACING_EQUAL, false, false, (const float[]){1e30f, 1e30f, 0, 0}, inner);
    assert_int_equal(d.nindices / 2, 64 * 64);
    tess_domain_free(&d);
}

TEST_MAIN(TEST(triangles_and_quads_are_covered), TEST(fractional_spacing_covers_too),
          TEST(small_levels_give_the_patterns_of_the_specification), TEST(outer_levels_belong_to_their_edges),
          TEST(fractional_points_lie_where_they_must), TEST(levels_have_limits), TEST(isolines_and_points))
