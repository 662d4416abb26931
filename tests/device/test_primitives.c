/* Which pixels each kind of primitive covers, worked out by hand. fragment_block is this file's own: it records. */
#include "test.h"

#include "device/primitive.h"

#include <math.h>

enum { SIZE = 16, SLOTS = 4 };
enum { POSITION, VALUE, CLIP, POINT_SIZE };

static char seen[SIZE][SIZE + 1];
static float flat_value; /* of the last block: input 0 */
static struct shading last_shading;

void fragment_block(struct fragment_stage *s, const struct shading *shading, const struct exec_plane *planes, int32_t x,
                    int32_t y, lane_mask mask)
{
    (void)s;
    flat_value = planes[0].a0;
    last_shading = *shading;
    for (unsigned i = 0; i < BLOCK_LANES; i++)
        if (mask >> i & 1) {
            int32_t px = x + (int32_t)lane_x(i), py = y + (int32_t)lane_y(i);
            assert_true(px >= 0 && px < SIZE && py >= 0 && py < SIZE);
            char *at = &seen[py][px];
            *at = *at == '.' ? '1' : (char)(*at + 1);
        }
}

/* Clip space is window space here, as long as w is 1. */
struct scene {
    struct pipeline p;
    struct ir_program ir;
    struct ir_slot input, outputs[SLOTS];
    uint16_t link;
    struct vertices v;
    struct outlet outlet;
    float rows[SLOTS * 4 * 64];
    struct batch batch;
};

static struct scene *scene_new(void)
{
    struct scene *s = calloc(1, sizeof *s);
    s->input = (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_CONSTANT, .mask = 1};
    s->outputs[POSITION] = (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 15};
    s->outputs[VALUE] = (struct ir_slot){.semantic = IR_SEM_GENERIC, .mask = 15};
    s->ir.io = (struct ir_io){.inputs = &s->input, .ninputs = 1};
    s->link = VALUE;
    s->p.fragment.ir = &s->ir;
    s->p.viewport[0] = (struct viewport){
        .scale = {SIZE, SIZE, 1}, .area = {0, 0, SIZE, SIZE}, .depth_max = 1}; /* -1..1 is wider than the view */
    s->p.half_z = true;
    s->p.scissor = (struct rect){0, 0, SIZE, SIZE};
    s->p.front_positive = true;
    s->v = (struct vertices){.count = 64, .slots = SLOTS, .slot = s->outputs, .rows = s->rows};
    return s;
}

static void scene_free(struct scene *s)
{
    free(s->batch.triangles);
    free(s->batch.shadings);
    free(s->batch.planes);
    free(s);
}

static void vertex(struct scene *s, uint32_t i, float x, float y)
{
    const float at[4] = {x / SIZE, y / SIZE, 0.5f, 1};
    for (unsigned c = 0; c < 4; c++)
        vertex_row(&s->v, 0, POSITION, c)[i] = at[c];
    vertex_row(&s->v, 0, VALUE, 0)[i] = (float)i;
}

static void draw_indexed(struct scene *s, enum topology topology, const uint32_t *indices, uint32_t count)
{
    struct assembly a = {
        .topology = topology, .provoking_first = s->p.provoking_first, .indices = indices, .vertices = 64};
    s->outlet = outlet_find(s->outputs, SLOTS, NULL);
    const struct setup setup = {.p = &s->p, .v = &s->v, .outlet = &s->outlet, .link = &s->link, .out = &s->batch};
    const struct rect tile = {0, 0, PIPELINE_TILE, PIPELINE_TILE};
    for (unsigned y = 0; y < SIZE; y++)
        memset(seen[y], '.', SIZE);
    s->batch.ntriangles = s->batch.nshadings = s->batch.nplanes = 0;
    assert_true(assembly_init(&a, count, true, 99));
    for (uint32_t i = 0; i < a.primitives; i++) {
        struct primitive primitive;
        if (assembly_primitive(&a, i, &primitive))
            assert_true(setup_primitive(&setup, &primitive));
    }
    assembly_free(&a);
    for (size_t i = 0; i < s->batch.ntriangles; i++) {
        const struct triangle *t = &s->batch.triangles[i];
        const struct shading *shading = &s->batch.shadings[t->shading];
        raster_triangle(t, &tile, &shading->clip, device_kernels(EXEC_BASELINE), NULL, shading,
                        s->batch.planes + t->shading * 4);
    }
}

static void draw(struct scene *s, enum topology topology, uint32_t count)
{
    draw_indexed(s, topology, NULL, count);
}

/* Rows from row 0 down; those that are not given are empty. */
static void expect(const char *const *rows, unsigned count)
{
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++) {
            char want = y < count && x < strlen(rows[y]) ? rows[y][x] : '.';
            if (seen[y][x] != want)
                fail_msg("pixel (%u, %u) is '%c', wanted '%c'", x, y, seen[y][x], want);
        }
}
#define EXPECT(...)                                                                                                    \
    expect((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- lines ---- */

static void line(struct scene *s, float ax, float ay, float bx, float by)
{
    vertex(s, 0, ax, ay);
    vertex(s, 1, bx, by);
    draw(s, LINE_LIST, 2);
}

static void lines_leave_diamonds(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    /* From centre to centre: the first pixel's diamond is left, the last one's not. */
    line(s, 1.5f, 1.5f, 5.5f, 1.5f);
    EXPECT("", ".1111");
    line(s, 5.5f, 1.5f, 1.5f, 1.5f);
    EXPECT("", "..1111");
    line(s, 1.5f, 1.5f, 1.5f, 4.5f);
    EXPECT("", ".1", ".1", ".1");
    line(s, 1.5f, 4.5f, 1.5f, 1.5f);
    EXPECT("", "", ".1", ".1", ".1");
    line(s, 0.5f, 0.5f, 4.5f, 4.5f);
    EXPECT("1", ".1", "..1", "...1");
    line(s, 4.5f, 0.5f, 0.5f, 4.5f);
    EXPECT("....1", "...1", "..1", ".1");
    /* Starts past the centre but inside the diamond, ends past the centre of pixel 3, outside its diamond. */
    line(s, 1.75f, 1.5f, 3.75f, 1.875f);
    EXPECT("", ".111");
    /* The same start inside no diamond. */
    line(s, 1.875f, 1.75f, 3.5f, 1.75f);
    EXPECT("", "..1");
    /* Within one diamond: nothing. */
    line(s, 2.25f, 2.5f, 2.75f, 2.5f);
    EXPECT("");
    /* No length. */
    line(s, 2.5f, 2.5f, 2.5f, 2.5f);
    EXPECT("");
    /* One in three: rows change between columns 1 and 2, and 4 and 5: y = 0.5 + (x - 0.5) / 3. */
    line(s, 0.5f, 0.5f, 6.5f, 2.5f);
    EXPECT("11", "..111", ".....1");
    scene_free(s);
}

/* The rule from its definition, in doubles that hold the products exactly; for random ends that are on no border. */
static bool leaves(double ax, double ay, double bx, double by, double cx, double cy)
{
    if (fabs(bx - cx) + fabs(by - cy) < 0.5)
        return false;
    /* The least of |x - cx| + |y - cy| along the line is at an end or where x or y passes the centre's. */
    const double t[4] = {0, 1, bx != ax ? (cx - ax) / (bx - ax) : 0, by != ay ? (cy - ay) / (by - ay) : 0};
    for (unsigned i = 0; i < 4; i++)
        if (t[i] >= 0 && t[i] <= 1 && fabs(ax + t[i] * (bx - ax) - cx) + fabs(ay + t[i] * (by - ay) - cy) < 0.5 - 1e-9)
            return true;
    return false;
}

static void random_lines_match_the_definition(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("random lines");
    struct scene *s = scene_new();
    unsigned pixels = 0;
    for (unsigned round = 0; round < 3000; round++) {
        float at[4];
        for (unsigned i = 0; i < 4; i++) /* odd 256ths that keep sums off halves */
            at[i] = (float)((test_next(&rng) % (SIZE * 64)) * 4 + (i % 2 ? 1 : 2)) / 256;
        if (round % 3 == 0) { /* short ones */
            at[2] = at[0] + (float)((int)(test_next(&rng) % 64) - 32) / 32;
            at[3] = at[1] + (float)((int)(test_next(&rng) % 64) - 32) / 32;
        }
        line(s, at[0], at[1], at[2], at[3]);
        for (unsigned y = 0; y < SIZE; y++)
            for (unsigned x = 0; x < SIZE; x++) {
                bool want = leaves(at[0], at[1], at[2], at[3], x + 0.5, y + 0.5);
                pixels += want;
                if (want != (seen[y][x] == '1'))
                    fail_msg("line (%g, %g) to (%g, %g), pixel (%u, %u) is '%c'", at[0], at[1], at[2], at[3], x, y,
                             seen[y][x]);
            }
    }
    assert_true(pixels > 10000);
    scene_free(s);
}

static void strips_and_loops_of_lines_cover_corners_once(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    const float at[4][2] = {{1.5f, 1.5f}, {5.5f, 1.5f}, {5.5f, 4.5f}, {1.5f, 4.5f}};
    for (uint32_t i = 0; i < 4; i++)
        vertex(s, i, at[i][0], at[i][1]);
    draw(s, LINE_STRIP, 4);
    EXPECT("", ".11111", ".....1", ".....1", "..1111");
    draw(s, LINE_LOOP, 4);
    EXPECT("", ".11111", ".1...1", ".1...1", ".11111");
    draw(s, LINE_LIST, 4);
    EXPECT("", ".1111", "", "", "..1111");
    const uint32_t restart[5] = {0, 1, 99, 2, 3};
    draw_indexed(s, LINE_STRIP, restart, 5);
    EXPECT("", ".1111", "", "", "..1111");
    draw(s, LINE_LIST_ADJACENCY, 4);
    EXPECT("", ".....1", ".....1", ".....1");
    draw(s, LINE_STRIP_ADJACENCY, 4);
    EXPECT("", ".....1", ".....1", ".....1");
    scene_free(s);
}

static void wide_lines_are_rectangles(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    s->p.line_width = 3;
    line(s, 1, 3.5f, 5, 3.5f);
    EXPECT("", "", ".1111", ".1111", ".1111");
    line(s, 3.5f, 5, 3.5f, 1);
    EXPECT("", "..111", "..111", "..111", "..111");
    scene_free(s);
}

static void window_coordinates_stay_in_range(void **state)
{
    (void)state;
    assert_int_equal(snap(1.5), 384);
    assert_int_equal(snap(-0.25), -64);
    assert_int_equal(snap(4e25), 65536 * 256);
    assert_int_equal(snap(-4e25), -65536 * 256);
}

/* ---- points ---- */

static void points_are_squares(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    vertex(s, 0, 2.25f, 1.75f);
    draw(s, POINT_LIST, 1);
    EXPECT("", "..1");
    s->p.point_size = 3;
    vertex(s, 0, 3.5f, 2.5f);
    draw(s, POINT_LIST, 1);
    EXPECT("", "..111", "..111", "..111");
    assert_true(last_shading.point);
    /* PCOORD: 0 to 1 from edge to edge, so 1/6, 1/2, 5/6 at the centres. */
    const struct exec_plane *u = &last_shading.point_coord[0], *v = &last_shading.point_coord[1];
    for (unsigned i = 0; i < 3; i++) {
        assert_float_equal(u->a0 + u->dx * (float)(2 + i), (1 + 2 * (float)i) / 6, 1e-6f);
        assert_float_equal(v->a0 + v->dy * (float)(1 + i), (1 + 2 * (float)i) / 6, 1e-6f);
    }
    s->p.point_origin_lower_left = true;
    draw(s, POINT_LIST, 1);
    assert_float_equal(last_shading.point_coord[1].a0 + last_shading.point_coord[1].dy, 5.0f / 6, 1e-6f);
    /* PSIZE comes before the state. An even size around a corner of pixels. */
    s->outputs[POINT_SIZE] = (struct ir_slot){.semantic = IR_SEM_PSIZE, .mask = 1};
    vertex_row(&s->v, 0, POINT_SIZE, 0)[0] = 2;
    vertex(s, 0, 4, 4);
    draw(s, POINT_LIST, 1);
    EXPECT("", "", "", "...11", "...11");
    scene_free(s);
}

/* By the definition: a point of the view volume has w > 0, and its others are between -w and w; x and y may be far
 * outside, and z is between 0 and w where depth is; clamped depths may be any. */
static bool in_volume(const double at[4], bool half_z, bool depth_clamp)
{
    double x = fabs(at[0]) / CLIP_GUARD, y = fabs(at[1]) / CLIP_GUARD, z = at[2], w = at[3];
    return w > 0 && x <= w && y <= w && (depth_clamp || (z <= w && z >= (half_z ? 0 : -w)));
}

static void points_are_inside_by_all_their_numbers(void **state)
{
    (void)state;
    const double far = 2 * CLIP_GUARD, zs[] = {-3, -2, -1.5, -1, -0.0, 0, 0.5, 1, 2, 3}, ws[] = {-2, -0.0, 0, 1, 2};
    const double xs[] = {-far - 1, -far, 1 - far, -2, -0.0, 0, 1, far - 1, far, far + 1};
    enum { XS = sizeof xs / sizeof *xs, ZS = sizeof zs / sizeof *zs, WS = sizeof ws / sizeof *ws };
    for (unsigned i = 0; i < XS * XS * ZS * WS; i++)
        for (unsigned how = 0; how < 4; how++) {
            const double at[4] = {xs[i % XS], xs[i / XS % XS], zs[i / XS / XS % ZS], ws[i / XS / XS / ZS]};
            const struct clip_point p = {.x = at[0], .y = at[1], .z = at[2], .w = at[3]};
            if (clip_inside(&p, how & 1, how & 2) != in_volume(at, how & 1, how & 2))
                fail_msg("(%g, %g, %g, %g), half_z %u, depth_clamp %u", at[0], at[1], at[2], at[3], how & 1, how / 2);
        }
    /* One that has no place draws nothing. */
    struct scene *s = scene_new();
    vertex(s, 0, 2, 2);
    for (unsigned c = 0; c < 4; c++)
        vertex_row(&s->v, 0, POSITION, c)[0] = 0;
    draw(s, POINT_LIST, 1);
    EXPECT("");
    scene_free(s);
}

/* ---- triangles ---- */

static void fans_and_strips_restart(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    const float at[6][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {8, 0}, {8, 4}};
    for (uint32_t i = 0; i < 6; i++)
        vertex(s, i, at[i][0], at[i][1]);
    draw(s, TRIANGLE_FAN, 4);
    EXPECT("1111", "1111", "1111", "1111");
    draw(s, QUAD_LIST, 4);
    EXPECT("1111", "1111", "1111", "1111");
    draw(s, POLYGON, 4);
    EXPECT("1111", "1111", "1111", "1111");
    const uint32_t strip[6] = {0, 1, 3, 2, 99, 4};
    draw_indexed(s, TRIANGLE_STRIP, strip, 6);
    EXPECT("1111", "1111", "1111", "1111");
    draw_indexed(s, QUAD_STRIP, strip, 6);
    EXPECT("1111", "1111", "1111", "1111");
    const uint32_t two[9] = {0, 1, 3, 2, 99, 1, 4, 2, 5};
    draw_indexed(s, TRIANGLE_STRIP, two, 9);
    EXPECT("11111111", "11111111", "11111111", "11111111");
    /* Adjacent vertices are not drawn: only 0, 1, 3. */
    const uint32_t adjacent[6] = {0, 5, 1, 5, 3, 5};
    draw_indexed(s, TRIANGLE_LIST_ADJACENCY, adjacent, 6);
    EXPECT("111", "11", "1");
    draw_indexed(s, TRIANGLE_STRIP_ADJACENCY, adjacent, 6);
    EXPECT("111", "11", "1");
    scene_free(s);
}

static void flat_inputs_follow_the_convention(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    for (uint32_t i = 0; i < 6; i++)
        vertex(s, i, (float)(i / 2 * 4 + 1), i % 2 ? 9.0f : 1.0f);
    /* Topology, vertices, value under the first and the last convention of the last primitive. */
    static const struct {
        enum topology topology;
        uint32_t count;
        float first, last;
    } cases[] = {
        {POINT_LIST, 2, 1, 1},     {LINE_LIST, 4, 2, 3},      {LINE_STRIP, 3, 1, 2},  {LINE_LOOP, 3, 2, 0},
        {TRIANGLE_LIST, 3, 0, 2},  {TRIANGLE_STRIP, 4, 1, 3}, {TRIANGLE_FAN, 3, 1, 2}, {QUAD_STRIP, 4, 0, 3},
        {LINE_LIST_ADJACENCY, 4, 1, 2}, {POLYGON, 3, 0, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        s->p.provoking_first = true;
        draw(s, cases[i].topology, cases[i].count);
        assert_true(flat_value == cases[i].first);
        s->p.provoking_first = false;
        draw(s, cases[i].topology, cases[i].count);
        assert_true(flat_value == cases[i].last);
    }
    scene_free(s);
}

static void square(struct scene *s)
{
    vertex(s, 0, 0.5f, 0.5f);
    vertex(s, 1, 5.5f, 0.5f);
    vertex(s, 2, 5.5f, 4.5f);
    vertex(s, 3, 0.5f, 4.5f);
}

static void polygon_mode_draws_edges_or_corners(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    square(s);
    s->p.polygon_mode = POLYGON_LINE;
    draw(s, QUAD_LIST, 4); /* without the diagonal; each corner once, as the start of an edge */
    EXPECT("111111", "1....1", "1....1", "1....1", "111111");
    /* An edge flag of 0: no edge from that vertex on. */
    s->outputs[CLIP] = (struct ir_slot){.semantic = IR_SEM_EDGEFLAG, .mask = 1};
    for (unsigned i = 0; i < 4; i++)
        vertex_row(&s->v, 0, CLIP, 0)[i] = i != 1;
    draw(s, QUAD_LIST, 4);
    EXPECT("11111.", "1.....", "1.....", "1.....", "111111");
    s->outputs[CLIP].semantic = IR_SEM_NONE;
    s->p.polygon_mode = POLYGON_POINT;
    draw(s, TRIANGLE_LIST, 3);
    EXPECT("1....1", "", "", "", ".....1");
    s->p.cull = CULL_FRONT;
    draw(s, TRIANGLE_LIST, 3);
    EXPECT("");
    scene_free(s);
}

static void culling_follows_the_face(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    square(s);
    s->p.cull = CULL_BACK;
    draw(s, TRIANGLE_LIST, 3);
    assert_int_equal(s->batch.nshadings, 1);
    s->p.front_positive = false;
    draw(s, TRIANGLE_LIST, 3);
    assert_int_equal(s->batch.nshadings, 0);
    s->p.cull = CULL_FRONT;
    draw(s, TRIANGLE_LIST, 3);
    assert_int_equal(s->batch.nshadings, 1);
    s->p.cull = CULL_BOTH;
    draw(s, TRIANGLE_LIST, 3);
    assert_int_equal(s->batch.nshadings, 0);
    draw(s, LINE_LIST, 2);
    assert_int_equal(s->batch.nshadings, 1); /* lines have no faces */
    scene_free(s);
}

/* ---- clipping ---- */

static void distances(struct scene *s, unsigned semantic, const float *d, unsigned count)
{
    s->outputs[CLIP] = (struct ir_slot){.semantic = (uint8_t)semantic, .mask = 1};
    for (unsigned i = 0; i < count; i++)
        vertex_row(&s->v, 0, CLIP, 0)[i] = d[i];
}

static void clip_distances_cut_and_cull_distances_drop(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    const float at[4][2] = {{0, 0}, {8, 0}, {8, 4}, {0, 4}};
    for (uint32_t i = 0; i < 4; i++)
        vertex(s, i, at[i][0], at[i][1]);
    distances(s, IR_SEM_CLIPDIST, (const float[]){-4, 4, 4, -4}, 4); /* x - 4 */
    draw(s, QUAD_LIST, 4);
    EXPECT("....1111", "....1111", "....1111", "....1111");
    /* 0 at the centres of a column: inside */
    distances(s, IR_SEM_CLIPDIST, (const float[]){-3.5f, 4.5f, 4.5f, -3.5f}, 4);
    draw(s, QUAD_LIST, 4);
    EXPECT("...11111", "...11111", "...11111", "...11111");
    distances(s, IR_SEM_CLIPDIST, (const float[]){3.5f, -4.5f, -4.5f, 3.5f}, 4);
    draw(s, QUAD_LIST, 4);
    EXPECT("1111....", "1111....", "1111....", "1111....");
    distances(s, IR_SEM_CLIPDIST, (const float[]){1.5f, 1.5f, -2.5f, -2.5f}, 4); /* of a row */
    draw(s, QUAD_LIST, 4);
    EXPECT("11111111", "11111111");
    distances(s, IR_SEM_CLIPDIST, (const float[]){-1.5f, -1.5f, 2.5f, 2.5f}, 4);
    draw(s, QUAD_LIST, 4);
    EXPECT("", "11111111", "11111111", "11111111");
    distances(s, IR_SEM_CLIPDIST, (const float[]){3, -5, -9, -1}, 4); /* 3 - x - y: centres of a diagonal, once each */
    draw(s, QUAD_LIST, 4);
    EXPECT("111", "11", "1");
    distances(s, IR_SEM_CULLDIST, (const float[]){-4, 4, 4, -4}, 4);
    draw(s, QUAD_LIST, 4);
    EXPECT("11111111", "11111111", "11111111", "11111111");
    distances(s, IR_SEM_CULLDIST, (const float[]){-4, -1, -2, -4}, 4);
    draw(s, QUAD_LIST, 4);
    EXPECT("");
    vertex(s, 0, 0.5f, 1.5f);
    vertex(s, 1, 8.5f, 1.5f);
    distances(s, IR_SEM_CLIPDIST, (const float[]){3, -5}, 2); /* 3.5 - x */
    draw(s, LINE_LIST, 2);
    EXPECT("", "111");
    draw(s, POINT_LIST, 2);
    EXPECT("", "1");
    scene_free(s);
}

static void viewports_and_layers_are_the_provoking_vertexes(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    const float at[4][2] = {{-16, -16}, {16, -16}, {16, 16}, {-16, 16}}; /* all of clip space */
    for (uint32_t i = 0; i < 4; i++)
        vertex(s, i, at[i][0], at[i][1]);
    s->outputs[CLIP] = (struct ir_slot){.semantic = IR_SEM_VIEWPORT_INDEX, .mask = 1};
    const uint32_t one = 1;
    memcpy(vertex_row(&s->v, 0, CLIP, 0) + 3, &one, sizeof one);
    s->p.viewport[1] = viewport_make(2, 1, 3, 2, 0, 1, true);
    draw(s, QUAD_LIST, 4);
    EXPECT("", "..111", "..111");
    assert_int_equal(last_shading.viewport, 1);
    /* A layer that no target has is drawn nowhere. */
    s->outputs[CLIP].semantic = IR_SEM_LAYER;
    draw(s, QUAD_LIST, 4);
    EXPECT("");
    s->p.depth.layers = 2;
    draw(s, QUAD_LIST, 4);
    assert_int_equal(last_shading.layer, 1);
    scene_free(s);
}

static void depth_bias_adds_constant_and_slope(void **state)
{
    (void)state;
    struct scene *s = scene_new();
    square(s);
    s->p.depth.format = &formats[FORMAT_D16_UNORM];
    s->p.depth_bias.enable = true;
    s->p.depth_bias.constant = 3;
    draw(s, TRIANGLE_LIST, 3);
    assert_float_equal(last_shading.z_plane.a0, 0.5f + 3.0f / 65536, 1e-8f);
    s->p.depth_bias.clamp = 1.0f / 65536;
    draw(s, TRIANGLE_LIST, 3);
    assert_float_equal(last_shading.z_plane.a0, 0.5f + 1.0f / 65536, 1e-8f);
    /* A slope of 1/16 a pixel along x, twice. */
    s->p.depth_bias.clamp = s->p.depth_bias.constant = 0;
    s->p.depth_bias.slope = 2;
    vertex_row(&s->v, 0, POSITION, 2)[0] = 0.25f;
    vertex_row(&s->v, 0, POSITION, 2)[1] = vertex_row(&s->v, 0, POSITION, 2)[2] = 0.25f + 5.0f / 16;
    draw(s, TRIANGLE_LIST, 3);
    assert_float_equal(last_shading.z_plane.dx, 1.0f / 16, 1e-6f);
    assert_float_equal(last_shading.z_plane.a0, 0.25f + 2.0f / 16, 1e-6f);
    scene_free(s);
}

TEST_MAIN(TEST(lines_leave_diamonds), TEST(random_lines_match_the_definition),
          TEST(strips_and_loops_of_lines_cover_corners_once), TEST(wide_lines_are_rectangles),
          TEST(window_coordinates_stay_in_range), TEST(points_are_squares),
          TEST(points_are_inside_by_all_their_numbers),
          TEST(fans_and_strips_restart), TEST(flat_inputs_follow_the_convention),
          TEST(polygon_mode_draws_edges_or_corners), TEST(culling_follows_the_face),
          TEST(clip_distances_cut_and_cull_distances_drop), TEST(viewports_and_layers_are_the_provoking_vertexes),
          TEST(depth_bias_adds_constant_and_slope))
