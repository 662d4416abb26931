/* Draws of runners (weft/run.h) with everything that a call may say, against a rasteriser of the test's own: points on
 * pixels, lines along rows and columns, triangles whose edges do not touch what counts. */
#include "programs.h"

enum { MOST = 24 /* pixels of a side */, VERTICES = 24, COLORS = 40 };

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";
static const char fragment_text[] =
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

struct scene {
    weft_draw_call call;
    int width, height;
    int x, y, across, down;        /* the viewport */
    float place[VERTICES][3];      /* pixels from the viewport's corner, and z */
    float position[VERTICES][4];   /* the same for the vertex program */
    uint32_t color[COLORS];
    uint32_t divisor, indices[VERTICES];
    bool has_depth;
};

struct picture {
    uint32_t pixel[MOST][MOST];
    float depth[MOST][MOST];
    bool open[MOST][MOST]; /* an edge touches what counts: not compared */
    uint64_t fragments;
};

/* ---- what is expected ---- */

static bool passes(weft_compare op, float new, float old)
{
    switch (op) {
    case WEFT_COMPARE_NEVER: return false;
    case WEFT_COMPARE_LESS: return new < old;
    case WEFT_COMPARE_EQUAL: return new == old;
    case WEFT_COMPARE_LESS_EQUAL: return new <= old;
    case WEFT_COMPARE_GREATER: return new > old;
    case WEFT_COMPARE_NOT_EQUAL: return new != old;
    case WEFT_COMPARE_GREATER_EQUAL: return new >= old;
    default: return true;
    }
}

static bool is_inside(const struct scene *s, int x, int y)
{
    const int32_t *c = s->call.scissor;
    bool cut = c[2] != 0 && (x < c[0] || y < c[1] || x - c[0] >= c[2] || y - c[1] >= c[3]);
    return x >= 0 && y >= 0 && x < s->width && y < s->height && !cut;
}

/* x and y count from the target's corner. */
static void put(struct picture *p, const struct scene *s, int x, int y, float z, uint32_t color)
{
    const weft_draw_call *c = &s->call;
    if (!is_inside(s, x, y))
        return;
    float depth = c->depth_range[0] + z * (c->depth_range[1] - c->depth_range[0]);
    p->fragments++;
    if (c->depth_test && s->has_depth && !passes(c->depth_compare, depth, p->depth[y][x]))
        return;
    if (c->depth_test && c->depth_write && s->has_depth)
        p->depth[y][x] = depth;
    p->pixel[y][x] = color;
}

/* All pixels from the first on, without the last. */
static void line(struct picture *p, const struct scene *s, unsigned from, unsigned to, uint32_t color)
{
    int x = (int)s->place[from][0], y = (int)s->place[from][1], dx = (int)s->place[to][0] - x,
        dy = (int)s->place[to][1] - y, steps = abs(dx) + abs(dy);
    for (int i = 0; i < steps; i++)
        put(p, s, s->x + x + i * (dx > 0) - i * (dx < 0), s->y + y + i * (dy > 0) - i * (dy < 0), s->place[from][2],
            color);
}

/* Twice the area on the left of the way from a to b, where y goes up. */
static float area(const float *a, const float *b, float x, float y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void triangle(struct picture *p, const struct scene *s, const unsigned v[3], bool turned, uint32_t color)
{
    const float *a = s->place[v[0]], *b = s->place[v[1]], *c = s->place[v[2]];
    float whole = area(a, b, c[0], c[1]);
    bool clockwise = (whole > 0) != turned; /* y goes down */
    bool front = clockwise == (s->call.front_clockwise != 0);
    if (whole == 0 || s->call.cull == WEFT_CULL_BOTH || s->call.cull == (front ? WEFT_CULL_FRONT : WEFT_CULL_BACK))
        return;
    for (int y = 0; y < s->down; y++)
        for (int x = 0; x < s->across; x++) {
            float at[2] = {(float)x + 0.5f, (float)y + 0.5f};
            const float parts[3] = {area(a, b, at[0], at[1]), area(b, c, at[0], at[1]), area(c, a, at[0], at[1])};
            bool in = true, touched = false;
            for (unsigned i = 0; i < 3; i++) {
                in = in && (whole > 0 ? parts[i] >= 0 : parts[i] <= 0);
                touched = touched || parts[i] == 0;
            }
            if (in && touched && is_inside(s, s->x + x, s->y + y))
                p->open[s->y + y][s->x + x] = true;
            else if (in)
                put(p, s, s->x + x, s->y + y, s->place[v[0]][2], color);
        }
}

/* One instance, whose vertices are v[0] and on; the colour is that of a primitive's first vertex. */
static void instance(struct picture *p, const struct scene *s, const unsigned *v, unsigned count, uint32_t number)
{
    uint32_t per_instance = s->divisor ? s->call.base_instance + number / s->divisor : 0;
    for (unsigned i = 0; i < count; i++) {
        bool odd = i % 2;
        uint32_t color = s->color[s->divisor ? per_instance : v[i]];
        switch (s->call.topology) {
        case WEFT_POINT_LIST:
            put(p, s, s->x + (int)s->place[v[i]][0], s->y + (int)s->place[v[i]][1], s->place[v[i]][2], color);
            break;
        case WEFT_LINE_LIST:
            if (!odd && i + 1 < count)
                line(p, s, v[i], v[i + 1], color);
            break;
        case WEFT_LINE_STRIP:
            if (i + 1 < count)
                line(p, s, v[i], v[i + 1], color);
            break;
        case WEFT_TRIANGLE_LIST:
            if (i % 3 == 0 && i + 2 < count)
                triangle(p, s, v + i, false, color);
            break;
        case WEFT_TRIANGLE_STRIP:
            if (i + 2 < count)
                triangle(p, s, v + i, odd, color);
            break;
        case WEFT_TRIANGLE_FAN:
            if (i > 0 && i + 1 < count)
                triangle(p, s, (const unsigned[]){v[i], v[i + 1], v[0]}, false, color);
            break;
        }
    }
}

static void expect(struct picture *p, const struct scene *s)
{
    const weft_draw_call *c = &s->call;
    unsigned v[VERTICES], count = c->indices ? c->index_count : c->vertex_count;
    for (unsigned i = 0; i < count; i++)
        v[i] = c->indices ? c->indices[i] + (uint32_t)c->base_vertex : c->first_vertex + i;
    for (int y = 0; c->clear && y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            p->pixel[y][x] = c->clear_color[0] > 0 ? 0xff : 0;
            p->pixel[y][x] |= c->clear_color[2] > 0 ? 0xff0000 : 0;
            p->depth[y][x] = c->clear_depth;
        }
    for (uint32_t i = 0; i < c->instances; i++)
        instance(p, s, v, count, i);
}

/* ---- what is drawn ---- */

static unsigned below(struct test_rng *r, unsigned n) { return test_next(r) % n; }

static void place_vertices(struct test_rng *r, struct scene *s)
{
    bool lines = s->call.topology == WEFT_LINE_LIST || s->call.topology == WEFT_LINE_STRIP;
    bool points = s->call.topology == WEFT_POINT_LIST;
    for (unsigned i = 0; i < VERTICES; i++) {
        float x = (float)below(r, (unsigned)s->across), y = (float)below(r, (unsigned)s->down);
        if (lines && i) { /* along a row, or a column */
            x = i % 2 ? x : s->place[i - 1][0];
            y = i % 2 ? s->place[i - 1][1] : y;
        }
        if (!lines && !points) {
            x = (float)below(r, 4 * (unsigned)s->across + 1) / 4;
            y = (float)below(r, 4 * (unsigned)s->down + 1) / 4;
        }
        s->place[i][0] = x;
        s->place[i][1] = y;
        s->place[i][2] = points ? (float)below(r, 9) / 8 : 0.5f;
        float middle = lines || points ? 0.5f : 0;
        s->position[i][0] = 2 * (x + middle) / (float)s->across - 1;
        s->position[i][1] = 2 * (y + middle) / (float)s->down - 1;
        s->position[i][2] = s->place[i][2];
        s->position[i][3] = 1;
    }
}

static void any_scene(struct test_rng *r, struct scene *s)
{
    static const float ranges[][2] = {{0, 1}, {0.25f, 0.75f}, {1, 0}, {0.5f, 0.5f}};
    memset(s, 0, sizeof *s);
    weft_draw_call *c = &s->call;
    weft_draw_call_init(c);
    s->width = 1 + (int)below(r, MOST);
    s->height = 1 + (int)below(r, MOST);
    s->across = s->width;
    s->down = s->height;
    if (below(r, 2)) {
        s->x = (int)below(r, 8) - 4;
        s->y = (int)below(r, 8) - 4;
        s->across = 1 + (int)below(r, MOST);
        s->down = 1 + (int)below(r, MOST);
        const float viewport[] = {(float)s->x, (float)s->y, (float)s->across, (float)s->down};
        memcpy(c->viewport, viewport, sizeof viewport);
    }
    if (below(r, 2)) {
        const int32_t scissor[] = {(int)below(r, MOST + 4), (int)below(r, MOST + 4), 1 + (int)below(r, MOST),
                                   (int)below(r, MOST)};
        memcpy(c->scissor, scissor, sizeof scissor);
        if (below(r, 8) == 0)
            c->scissor[2] = c->scissor[3] = INT32_MAX;
    }
    c->topology = (weft_topology)below(r, 6);
    c->cull = (weft_cull)(below(r, 2) ? 0 : below(r, 4));
    c->front_clockwise = (int)below(r, 2);
    c->instances = below(r, 5);
    c->base_instance = below(r, 5);
    s->divisor = below(r, 4);
    if (below(r, 2)) {
        uint32_t least = below(r, 8);
        c->indices = s->indices;
        c->index_count = below(r, VERTICES + 1);
        c->base_vertex = (int32_t)below(r, 9) - 4;
        bool lines = c->topology == WEFT_LINE_LIST || c->topology == WEFT_LINE_STRIP;
        for (unsigned i = 0; i < VERTICES; i++) /* lines lead from a vertex to the one after it */
            s->indices[i] = 4 + (lines ? (least + i) % (VERTICES - 8) : below(r, VERTICES - 8));
    } else {
        c->first_vertex = below(r, VERTICES);
        c->vertex_count = below(r, VERTICES - c->first_vertex + 1);
    }
    s->has_depth = below(r, 2);
    c->depth_test = (int)below(r, 2);
    c->depth_write = (int)below(r, 2);
    c->depth_compare = (weft_compare)below(r, 8);
    memcpy(c->depth_range, ranges[below(r, 4)], sizeof c->depth_range);
    c->clear = (int)below(r, 2);
    c->clear_color[0] = (float)below(r, 2);
    c->clear_color[2] = (float)below(r, 2);
    c->clear_depth = (float)below(r, 5) / 4;
    place_vertices(r, s);
    for (unsigned i = 0; i < COLORS; i++)
        s->color[i] = test_next(r);
}

/* A line from the last of the vertices that indices go round to the first is not along a row. */
static bool is_drawn(const struct scene *s)
{
    const weft_draw_call *c = &s->call;
    for (unsigned i = 0; c->indices && i + 1 < c->index_count; i++)
        if ((c->topology == WEFT_LINE_LIST || c->topology == WEFT_LINE_STRIP) && c->indices[i + 1] < c->indices[i])
            return false;
    return true;
}

static void compare(const struct picture *want, const uint32_t *pixels, const float *depths, const struct scene *s,
                    unsigned n)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            uint32_t pixel = pixels[y * MOST + x];
            float depth = depths[y * MOST + x];
            if (want->open[y][x] || (pixel == want->pixel[y][x] && (!s->has_depth || depth == want->depth[y][x])))
                continue;
            fail_msg("draw %u, topology %d, pixel %d, %d: %08x and %g, not %08x and %g", n, s->call.topology, x, y,
                     pixel, (double)depth, want->pixel[y][x], (double)want->depth[y][x]);
        }
}

static void bind_all(weft_runner *r, const struct scene *s, uint32_t *pixels, float *depths)
{
    weft_image i = {.kind = WEFT_IMAGE_2D,
                    .format = "R8G8B8A8_UNORM",
                    .width = (uint32_t)s->width,
                    .height = (uint32_t)s->height,
                    .memory = pixels,
                    .bytes = MOST * MOST * 4,
                    .pitch = MOST * 4};
    assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), WEFT_OK);
    i.format = "D32_SFLOAT";
    i.memory = depths;
    assert_int_equal(weft_runner_bind_depth(r, s->has_depth ? &i : NULL, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 0, "R32G32B32A32_SFLOAT", s->position, sizeof s->position, 16, 0,
                                                NULL),
                     WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 1, "R8G8B8A8_UNORM", s->color, sizeof s->color, 4, s->divisor, NULL),
                     WEFT_OK);
}

static void calls_do_what_they_say(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("draws");
    weft_program *v = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex_text),
                 *f = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, fragment_text);
    const weft_program *list[2] = {v, f};
    weft_runner *r;
    assert_int_equal(weft_runner_new(list, 2, NULL, NULL, &r), WEFT_OK);
    uint64_t runs = 0, fragments[6] = {0};
    for (unsigned n = 0; n < 2000; n++) {
        _Alignas(16) static uint32_t pixels[MOST * MOST];
        _Alignas(16) static float depths[MOST * MOST];
        static struct picture want;
        struct scene s;
        any_scene(&rng, &s);
        if (!is_drawn(&s))
            continue;
        memset(&want, 0, sizeof want);
        for (int i = 0; i < MOST * MOST; i++) {
            pixels[i] = want.pixel[i / MOST][i % MOST] = 0x33333333;
            depths[i] = want.depth[i / MOST][i % MOST] = 0.5f;
        }
        weft_run_stats before = {0}, after = {0};
        bind_all(r, &s, pixels, depths);
        assert_int_equal(weft_runner_get_stats(r, &before), WEFT_OK);
        assert_int_equal(weft_runner_draw(r, &s.call, NULL), WEFT_OK);
        assert_int_equal(weft_runner_get_stats(r, &after), WEFT_OK);
        expect(&want, &s);
        compare(&want, pixels, depths, &s, n);
        assert_int_equal(after.runs, before.runs + 1);
        if (s.call.topology == WEFT_POINT_LIST && !(s.call.depth_test && s.has_depth))
            assert_int_equal(after.fragments - before.fragments, want.fragments);
        if (!s.call.indices)
            assert_int_equal(after.vertices - before.vertices, (uint64_t)s.call.vertex_count * s.call.instances);
        fragments[s.call.topology] += want.fragments;
        runs++;
    }
    for (unsigned i = 0; i < 6; i++)
        assert_true(fragments[i] > 1000);
    assert_true(runs > 1000);
    weft_runner_free(r);
    weft_program_free(v);
    weft_program_free(f);
}

/* What a call has of which nothing else is said. */
static void calls_begin_plain(void **state)
{
    (void)state;
    weft_draw_call c;
    weft_draw_call_init(&c);
    assert_int_equal(c.topology, WEFT_TRIANGLE_LIST);
    assert_int_equal(c.instances, 1);
    assert_true(c.depth_range[0] == 0 && c.depth_range[1] == 1 && c.clear_depth == 1);
    assert_true(c.vertex_count == 0 && c.index_count == 0 && c.scissor[2] == 0 && c.viewport[2] == 0);
}

TEST_MAIN(TEST(calls_do_what_they_say), TEST(calls_begin_plain))
