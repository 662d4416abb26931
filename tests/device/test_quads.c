/* Derivatives and levels of detail as fragments of real triangles have them: the pixels of a quad that a triangle does
 * not cover count as if it went on. Expected values come from the planes of the triangle, in doubles. */
#include "test.h"

#include "device/pipeline.h"
#include "ir/build.h"
#include "ir/program.h"

#include <math.h>

enum { W = 32, H = 24, TEXTURE = 64, LEVELS = 7 };

struct corner {
    float position[4], value[4];
};

/* ---- programs ---- */

static ir_value input(struct ir_builder *b, uint32_t slot, unsigned component)
{
    return ir_emit(b, IR_INTERP, IR_F32, IR_INTERP_PERSPECTIVE, 1, NULL, 0, slot, component, 0);
}

static void output(struct ir_builder *b, uint32_t slot, unsigned component, ir_value v)
{
    ir_emit(b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, slot, component, 0);
}

static struct stage finish(struct ir_builder *b, struct arena *arena)
{
    struct stage s = {0};
    weft_diags *diags = weft_diags_new();
    b->p->blocks[IR_ENTRY].insns = 1;
    ir_end(b);
    assert_int_equal(ir_verify(b->p, diags), WEFT_OK);
    assert_int_equal(stage_compile(b->p, NULL, &(struct exec_options){.level = exec_best_level()}, arena, &s, diags),
                     WEFT_OK);
    weft_diags_free(diags);
    return s;
}

static struct stage vertex_program(struct arena *arena)
{
    struct ir_builder b = {ir_program_new(arena, "test", IR_VERTEX, 64), IR_ENTRY, 0};
    const uint8_t semantics[2] = {IR_SEM_POSITION, IR_SEM_GENERIC};
    for (uint16_t i = 0; i < 2; i++) {
        uint32_t in = ir_add_input(b.p, (struct ir_slot){.index = i, .mask = 15});
        uint32_t to = ir_add_output(b.p, (struct ir_slot){.semantic = semantics[i], .mask = 15});
        for (unsigned c = 0; c < 4; c++)
            output(&b, to, c, ir_emit(&b, IR_ATTR, IR_F32, 0, 1, NULL, 0, in, c, 0));
    }
    return finish(&b, arena);
}

/* Colour: the differences of GENERIC[0].x and .y within the lane's row and column. */
static struct stage differences_program(struct arena *arena)
{
    struct ir_builder b = {ir_program_new(arena, "test", IR_FRAGMENT, 64), IR_ENTRY, 0};
    uint32_t in =
        ir_add_input(b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_PERSPECTIVE, .mask = 15});
    uint32_t color = ir_add_output(b.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    for (unsigned c = 0; c < 2; c++) {
        ir_value v = input(&b, in, c);
        for (unsigned axis = 1; axis <= 2; axis++) {
            ir_value other = ir_emit(&b, IR_QUAD_XOR, IR_F32, 0, 1, &v, 1, 0, axis, 0);
            output(&b, color, 2 * c + axis - 1, ir_op2(&b, IR_FSUB, 0, other, v));
        }
    }
    b.p->io.uses_derivatives = true;
    return finish(&b, arena);
}

/* Colour: the texture at GENERIC[0].xy. */
static struct stage texture_program(struct arena *arena)
{
    struct ir_builder b = {ir_program_new(arena, "test", IR_FRAGMENT, 64), IR_ENTRY, 0};
    uint32_t in =
        ir_add_input(b.p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .interp = IR_INTERP_PERSPECTIVE, .mask = 15});
    uint32_t color = ir_add_output(b.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    uint32_t texture = ir_add_texture(b.p, (struct ir_texture){.op = IR_TEX_SAMPLE, .dim = IR_TEX_2D});
    const ir_value at[2] = {input(&b, in, 0), input(&b, in, 1)};
    ir_value first = ir_emit(&b, IR_TEXTURE, IR_F32, 0, 4, at, 2, texture, 0, 0);
    for (unsigned c = 0; c < 4; c++)
        output(&b, color, c, first + c);
    b.p->io.uses_derivatives = true;
    return finish(&b, arena);
}

/* ---- draws ---- */

struct scene {
    struct arena arena;
    struct pipeline p;
    float color[H][W][4];
};

static const float untouched = -1000;

static struct scene *scene_new(struct stage (*fragment)(struct arena *))
{
    struct scene *s = calloc(1, sizeof *s);
    struct pipeline *p = &s->p;
    p->resources.level = exec_best_level();
    p->vertex = vertex_program(&s->arena);
    p->fragment = fragment(&s->arena);
    p->viewport[0] = viewport_make(0, 0, W, H, 0, 1, true);
    p->half_z = true;
    p->scissor = (struct rect){0, 0, W, H};
    p->topology = TRIANGLE_LIST;
    p->color[0] = (struct surface){&formats[FORMAT_R32G32B32A32_SFLOAT], (uint8_t *)s->color, sizeof s->color[0], W, H};
    return s;
}

static void scene_free(struct scene *s)
{
    arena_free(&s->arena);
    free(s);
}

static void draw(struct scene *s, const struct corner corner[3])
{
    for (unsigned i = 0; i < H * W; i++)
        s->color[i / W][i % W][0] = untouched;
    for (unsigned i = 0; i < 2; i++)
        s->p.attribute[i] = (struct attribute){&formats[FORMAT_R32G32B32A32_SFLOAT], (const uint8_t *)corner,
                                               3 * sizeof *corner, i * 16, sizeof *corner};
    s->p.vertex_count = 3;
    struct pool *pool = pool_new(1);
    struct pipeline_stats stats = {0};
    assert_int_equal(pipeline_draw(&s->p, pool, &stats, NULL), WEFT_OK);
    pool_free(pool);
}

/* A triangle in view with w of 1 to 3; values of 0 to `range`. */
static void random_triangle(struct test_rng *rng, float size, float range, struct corner corner[3])
{
    float x = (float)(test_next(rng) % 1000) / 500 - 1, y = (float)(test_next(rng) % 1000) / 500 - 1;
    for (unsigned i = 0; i < 3; i++) {
        float w = 1 + (float)(test_next(rng) % 512) / 256;
        float at[2], value[2];
        for (unsigned c = 0; c < 2; c++) {
            at[c] = ((float)(test_next(rng) % 1024) / 512 - 1) * size;
            value[c] = (float)(test_next(rng) % 1024) / 1024 * range;
        }
        corner[i] = (struct corner){{(x + at[0]) * w, (y + at[1]) * w, 0.5f * w, w}, {value[0], value[1], 0, 1}};
    }
}

/* Value c at the centre of a pixel: the ray through it meets the plane of the corners (Cramer's rule). False where it
 * does so behind the eye or nowhere. */
static bool value_at(const struct corner corner[3], unsigned c, double px, double py, double *value)
{
    const double x = (px + 0.5) / W * 2 - 1, y = (py + 0.5) / H * 2 - 1;
    double area[3], sum = 0, up = 0, w = 0;
    for (unsigned i = 0; i < 3; i++) {
        const float *j = corner[(i + 1) % 3].position, *k = corner[(i + 2) % 3].position;
        /* the determinant of the point and the two other corners, each as (x, y, w) */
        area[i] = x * ((double)j[1] * k[3] - (double)k[1] * j[3]) - y * ((double)j[0] * k[3] - (double)k[0] * j[3]) +
                  ((double)j[0] * k[1] - (double)k[0] * j[1]);
        sum += area[i];
        up += area[i] * corner[i].value[c];
        w += area[i] * corner[i].position[3];
    }
    *value = up / sum;
    return sum * w > 0 && fabs(w / sum) > 0.2;
}

/* A pixel's value and its neighbours' in the quad; false where one of them is behind the eye, or too far for numbers.
 */
static bool quad_at(const struct corner corner[3], unsigned c, unsigned x, unsigned y, double *dx, double *dy)
{
    double here, beside, below;
    if (!value_at(corner, c, x, y, &here) || !value_at(corner, c, x ^ 1, y, &beside) ||
        !value_at(corner, c, x, y ^ 1, &below))
        return false;
    *dx = beside - here;
    *dy = below - here;
    return fabs(here) < 100 && fabs(beside) < 100 && fabs(below) < 100;
}

static double edge_length(const struct corner corner[3])
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        const float *a = corner[i].position, *b = corner[(i + 1) % 3].position;
        most =
            fmax(most, hypot((double)(a[0] / a[3] - b[0] / b[3]) * W / 2, (double)(a[1] / a[3] - b[1] / b[3]) * H / 2));
    }
    return most;
}

/* Whether a triangle is wide enough that rounding its vertices to 256ths of a pixel shows little. */
static bool well_shaped(const struct corner corner[3])
{
    double p[3][2];
    for (unsigned i = 0; i < 3; i++) {
        p[i][0] = (double)(corner[i].position[0] / corner[i].position[3]) * W / 2;
        p[i][1] = (double)(corner[i].position[1] / corner[i].position[3]) * H / 2;
    }
    double area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    return fabs(area) > 0.3 * edge_length(corner) * edge_length(corner);
}

/* ---- tests ---- */

static void differences_go_on_beyond_edges(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("differences");
    struct scene *s = scene_new(differences_program);
    unsigned looked_at = 0;
    for (unsigned n = 0; n < 600; n++) {
        struct corner corner[3];
        do /* from parts of a pixel to the whole target */
            random_triangle(&rng, n % 3 ? 0.15f : 0.9f, 1, corner);
        while (!well_shaped(corner));
        draw(s, corner);
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < W; x++)
                for (unsigned c = 0; c < 2 && s->color[y][x][0] != untouched; c++) {
                    double dx, dy;
                    if (!quad_at(corner, c, x, y, &dx, &dy))
                        continue;
                    looked_at++;
                    const float *got = s->color[y][x] + 2 * c;
                    double near = 1e-3 + 1e-3 * (fabs(dx) + fabs(dy));
                    if (!(fabs(got[0] - dx) < near && fabs(got[1] - dy) < near))
                        fail_msg("triangle %u, pixel (%u, %u), value %u: %g %g, not %g %g", n, x, y, c, (double)got[0],
                                 (double)got[1], dx, dy);
                }
    }
    assert_true(looked_at > 10000);
    scene_free(s);
}

/* Level l of the texture holds l everywhere, so that what is read is the level, between two of them too. */
static void levels_follow_the_differences(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("levels of triangles");
    struct scene *s = scene_new(texture_program);
    struct weft_texture *t;
    assert_int_equal(texture_new(&formats[FORMAT_R32_SFLOAT], TEXTURE, TEXTURE, LEVELS, &t), WEFT_OK);
    for (unsigned l = 0; l < LEVELS; l++)
        for (unsigned i = 0; i < (unsigned)(TEXTURE >> l) * (unsigned)(TEXTURE >> l); i++)
            memcpy(texture_texel(t, l, 0, 0) + i * sizeof(float), &(float){(float)l}, sizeof(float));
    weft_sampler samplers[RESOURCE_TEXTURES];
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&samplers[i]);
    samplers[0].mip_filter = WEFT_MIP_LINEAR;
    s->p.resources.samplers = samplers;
    s->p.resources.textures[0] = t;
    unsigned between = 0;
    for (unsigned n = 0; n < 600; n++) {
        struct corner corner[3];
        do
            random_triangle(&rng, n % 3 ? 0.15f : 0.9f, n % 2 ? 1 : 20, corner);
        while (!well_shaped(corner));
        draw(s, corner);
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < W; x++) {
                if (s->color[y][x][0] == untouched)
                    continue;
                /* Which row and column of the quad is taken for all of it is the implementation's: any of them may. */
                double least = INFINITY, most = -INFINITY;
                bool known = true;
                for (unsigned i = 0; i < 4; i++) {
                    double dx[2], dy[2];
                    known = known && quad_at(corner, 0, x ^ (i & 1), y ^ (i >> 1), &dx[0], &dy[0]) &&
                            quad_at(corner, 1, x ^ (i & 1), y ^ (i >> 1), &dx[1], &dy[1]);
                    if (!known)
                        break;
                    double rho = TEXTURE * fmax(fmax(fabs(dx[0]), fabs(dy[0])), fmax(fabs(dx[1]), fabs(dy[1])));
                    least = fmin(least, log2(rho));
                    most = fmax(most, log2(rho));
                }
                if (!known || most - least > 0.5)
                    continue;
                double got = s->color[y][x][0], low = fmin(fmax(least, 0), LEVELS - 1),
                       high = fmin(fmax(most, 0), LEVELS - 1);
                between += got > 0 && got < LEVELS - 1;
                if (!(got >= low - 0.02 && got <= high + 0.02))
                    fail_msg("triangle %u, pixel (%u, %u): level %g, not %g to %g", n, x, y, got, low, high);
            }
    }
    assert_true(between > 2000);
    weft_texture_free(t);
    scene_free(s);
}

/* ---- which programs run in warps of few lanes ---- */

/* Whether a fragment program whose op of that number is LANE_ID (sysval < 0) or a system value is also made for quads
 * of several places. */
static bool quads_may_move(unsigned place, int sysval)
{
    struct arena arena = {0};
    struct ir_builder b = {ir_program_new(&arena, "test", IR_FRAGMENT, 64), IR_ENTRY, 0};
    uint32_t color = ir_add_output(b.p, (struct ir_slot){.semantic = IR_SEM_COLOR, .mask = 15});
    ir_value v = 0;
    for (unsigned i = 0; i < 3; i++) {
        bool flag = sysval == IR_SYS_FACE || sysval == IR_SYS_HELPER;
        bool real = (sysval >= IR_SYS_FRAG_X && sysval <= IR_SYS_FRAG_W) || sysval == IR_SYS_POINT_COORD ||
                    sysval == IR_SYS_SAMPLE_POS;
        if (i != place)
            v = ir_const_f32(&b, (float)i);
        else if (sysval < 0)
            ir_emit(&b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
        else
            ir_sysval(&b, (enum ir_sysval)sysval, flag ? IR_I1 : real ? IR_F32 : IR_I32, 0);
    }
    output(&b, color, 0, v);
    struct stage s = finish(&b, &arena);
    bool may = s.few || s.shared;
    arena_free(&arena);
    return may;
}

/* A program that knows its lane stays in it, wherever it asks. */
static void quads_move_where_no_lane_is_known(void **state)
{
    (void)state;
    static const int moves[] = {IR_SYS_FRAG_X, IR_SYS_FRAG_Y, IR_SYS_FRAG_Z, IR_SYS_FRAG_W,
                                IR_SYS_FACE,   IR_SYS_PRIM_ID, IR_SYS_LAYER, IR_SYS_VIEWPORT},
                     stays[] = {-1, IR_SYS_SAMPLE_ID, IR_SYS_SAMPLE_MASK, IR_SYS_SAMPLE_POS, IR_SYS_HELPER,
                                IR_SYS_POINT_COORD};
    for (unsigned place = 0; place < 3; place++) {
        for (unsigned i = 0; i < sizeof moves / sizeof moves[0]; i++)
            assert_true(quads_may_move(place, moves[i]));
        for (unsigned i = 0; i < sizeof stays / sizeof stays[0]; i++)
            assert_false(quads_may_move(place, stays[i]));
    }
}

TEST_MAIN(TEST(differences_go_on_beyond_edges), TEST(levels_follow_the_differences),
          TEST(quads_move_where_no_lane_is_known))
