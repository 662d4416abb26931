/* test_linkages.c - the linkages of the instruction sets against their manuals' tables (docs/manual/NAME.md, Linkage):
 * where inputs and outputs are without a line, the greatest number that each part of a line takes, and the names. */
#include "isa/rogue/linkage.h"
#include "isa/spirv/linkage.h"
#include "isa/tesla/linkage.h"
#include "isa/valhall/linkage.h"
#include "isa/vpu/linkage.h"
#include "test.h"

union linkage {
    struct tesla_linkage tesla;
    struct rogue_linkage rogue;
    struct valhall_linkage valhall;
    struct vpu_linkage vpu;
    struct spirv_linkage spirv;
};

/* Lines as they are read: the arena holds what they made, and messages say what was wrong. */
struct read {
    struct arena arena;
    weft_diags *diags;
    union linkage to;
};

static weft_status read_lines(struct read *r, const char *isa, enum ir_stage stage, const char *text)
{
    struct isa_linkage lines = {{"t.linkage", text, text ? strlen(text) : 0}};
    const struct isa_linkage *given = text ? &lines : NULL;
    *r = (struct read){.diags = weft_diags_new()};
    if (strcmp(isa, "tesla") == 0)
        return tesla_read_linkage(given, stage, &r->arena, &r->to.tesla, r->diags);
    if (strcmp(isa, "rogue") == 0)
        return rogue_read_linkage(given, stage, &r->arena, &r->to.rogue, r->diags);
    if (strcmp(isa, "valhall") == 0)
        return valhall_read_linkage(given, &r->arena, &r->to.valhall, r->diags);
    if (strcmp(isa, "vpu") == 0)
        return vpu_read_linkage(given, &r->arena, &r->to.vpu, r->diags);
    return spirv_read_linkage(given, &r->arena, &r->to.spirv, r->diags);
}

static void forget(struct read *r)
{
    weft_diags_free(r->diags);
    arena_free(&r->arena);
}

/* ---- where things are without a line ---- */

/* `count` vectors of `components`: component c of vector n is at first + n * step + c * apart. The first vector may be
 * POSITION, of which the rest are GENERIC. */
struct vectors {
    enum ir_stage stage;
    bool output, position;
    int sysval; /* -1: it is a semantic */
    unsigned semantic, count, components, where, first, step, apart;
    unsigned vertices, of_vertex; /* registers from vertex to vertex */
    bool patch, one_over_w;
};

static const struct vectors of_tesla[] = {
    {IR_VERTEX, false, false, -1, IR_SEM_GENERIC, 16, 4, TESLA_IN_A, 0, 16, 4, 1, 0, 0, 0},
    {IR_VERTEX, true, true, -1, IR_SEM_GENERIC, 9, 4, TESLA_IN_O, 0, 16, 4, 1, 0, 0, 0},
    {IR_GEOMETRY, false, true, -1, IR_SEM_GENERIC, 9, 4, TESLA_IN_P, 0, 16, 4, 1, 0, 0, 0},
    {IR_GEOMETRY, true, true, -1, IR_SEM_GENERIC, 9, 4, TESLA_IN_O, 0, 16, 4, 1, 0, 0, 0},
    {IR_FRAGMENT, false, false, -1, IR_SEM_GENERIC, 8, 4, TESLA_IN_V, 4, 16, 4, 1, 0, 0, 0},
    {IR_FRAGMENT, true, false, -1, IR_SEM_COLOR, 1, 4, TESLA_IN_R, 0, 0, 1, 1, 0, 0, 0},
};

/* Of a geometry program for lines with adjacency: four vertices; of tessellation the first six. */
static const struct vectors of_rogue[] = {
    {IR_VERTEX, false, false, -1, IR_SEM_GENERIC, 16, 4, ROGUE_AT_VI, 0, 4, 1, 1, 0, 0, 0},
    {IR_VERTEX, true, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VO, 0, 4, 1, 1, 0, 0, 0},
    {IR_FRAGMENT, false, false, -1, 0, 1, 1, ROGUE_AT_CF, 0, 0, 0, 1, 0, 0, 1},
    {IR_FRAGMENT, false, false, -1, IR_SEM_GENERIC, 8, 4, ROGUE_AT_CF, 4, 16, 4, 1, 0, 0, 0},
    {IR_FRAGMENT, true, false, -1, IR_SEM_COLOR, 1, 4, ROGUE_AT_O, 0, 0, 1, 1, 0, 0, 0},
    {IR_GEOMETRY, false, false, IR_SYS_INVOCATION_ID, 0, 1, 1, ROGUE_AT_VI, 0, 0, 0, 1, 0, 0, 0},
    {IR_GEOMETRY, false, false, IR_SYS_PRIM_ID, 0, 1, 1, ROGUE_AT_VI, 1, 0, 0, 1, 0, 0, 0},
    {IR_GEOMETRY, false, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VI, 4, 4, 1, 4, 36, 0, 0},
    {IR_GEOMETRY, true, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VO, 0, 4, 1, 1, 0, 0, 0},
    {IR_TESS_CTRL, false, false, IR_SYS_INVOCATION_ID, 0, 1, 1, ROGUE_AT_VI, 0, 0, 0, 1, 0, 0, 0},
    {IR_TESS_CTRL, false, false, IR_SYS_PRIM_ID, 0, 1, 1, ROGUE_AT_VI, 1, 0, 0, 1, 0, 0, 0},
    {IR_TESS_CTRL, false, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VI, 4, 4, 1, 6, 36, 0, 0},
    {IR_TESS_CTRL, true, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VO, 0, 4, 1, 1, 0, 0, 0},
    {IR_TESS_CTRL, true, false, -1, IR_SEM_TESSOUTER, 1, 4, ROGUE_AT_T, 0, 0, 1, 1, 0, 1, 0},
    {IR_TESS_CTRL, true, false, -1, IR_SEM_TESSINNER, 1, 2, ROGUE_AT_T, 4, 0, 1, 1, 0, 1, 0},
    {IR_TESS_CTRL, true, false, -1, IR_SEM_PATCH, 7, 4, ROGUE_AT_T, 8, 4, 1, 1, 0, 1, 0},
    {IR_TESS_EVAL, false, false, IR_SYS_TESS_COORD, 0, 1, 3, ROGUE_AT_VI, 0, 0, 1, 1, 0, 0, 0},
    {IR_TESS_EVAL, false, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VI, 4, 4, 1, 6, 36, 0, 0},
    {IR_TESS_EVAL, false, false, -1, IR_SEM_PATCH, 7, 4, ROGUE_AT_VI, 220, 4, 1, 1, 0, 1, 0},
    {IR_TESS_EVAL, true, true, -1, IR_SEM_GENERIC, 9, 4, ROGUE_AT_VO, 0, 4, 1, 1, 0, 0, 0},
    {IR_COMPUTE, false, false, IR_SYS_THREAD_ID, 0, 1, 3, ROGUE_AT_VI, 0, 0, 1, 1, 0, 0, 0},
    {IR_COMPUTE, false, false, IR_SYS_BLOCK_ID, 0, 1, 3, ROGUE_AT_VI, 3, 0, 1, 1, 0, 0, 0},
};

static const enum ir_stage stages[] = {IR_VERTEX, IR_FRAGMENT, IR_COMPUTE, IR_GEOMETRY, IR_TESS_CTRL, IR_TESS_EVAL};
enum { STAGES = sizeof stages / sizeof *stages };

static unsigned semantic_of(const struct vectors *v, unsigned n)
{
    return v->sysval >= 0 ? 0 : v->position && !n ? IR_SEM_POSITION : v->semantic;
}

static unsigned index_of(const struct vectors *v, unsigned n)
{
    return v->position && n ? n - 1 : n;
}

/* How many places of the linkage are this component of this vector: one should be. */
static unsigned tesla_has(const struct tesla_linkage *l, const struct vectors *v, unsigned n, unsigned c)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < l->nplaces; i++) {
        const struct tesla_place *p = &l->places[i];
        found += p->output == v->output && p->semantic == semantic_of(v, n) && p->index == index_of(v, n) &&
                 p->component == c && p->where == v->where && p->offset == v->first + n * v->step + c * v->apart &&
                 p->sysval == -1 && !p->flat && !p->linear && !p->centroid;
    }
    return found;
}

static void defaults_of_tesla(void **state)
{
    (void)state;
    for (unsigned s = 0; s < STAGES; s++) {
        struct read r;
        unsigned places = 0;
        assert_int_equal(read_lines(&r, "tesla", stages[s], NULL), WEFT_OK);
        for (const struct vectors *v = of_tesla; v < of_tesla + sizeof of_tesla / sizeof *of_tesla; v++)
            for (unsigned n = 0; v->stage == stages[s] && n < v->count; n++)
                for (unsigned c = 0; c < v->components; c++, places++)
                    assert_int_equal(tesla_has(&r.to.tesla, v, n, c), 1);
        assert_int_equal(r.to.tesla.nplaces, places);
        assert_false(r.to.tesla.given);
        forget(&r);
    }
}

static unsigned rogue_has(const struct rogue_linkage *l, const struct vectors *v, unsigned vertex, unsigned n,
                          unsigned c)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < l->nplaces; i++) {
        const struct rogue_place *p = &l->places[i];
        found += p->output == v->output && p->semantic == semantic_of(v, n) && p->index == index_of(v, n) &&
                 p->component == c && p->where == v->where && p->vertex == vertex && p->patch == v->patch &&
                 p->one_over_w == v->one_over_w && p->sysval == v->sysval && p->format == -1 && !p->flat &&
                 !p->linear && p->number == v->first + n * v->step + c * v->apart + vertex * v->of_vertex;
    }
    return found;
}

static void defaults_of_rogue(void **state)
{
    (void)state;
    for (unsigned s = 0; s < STAGES; s++) {
        struct read r;
        unsigned places = 0;
        const char *line = stages[s] == IR_GEOMETRY ? "geometry lines_adjacency points 4" : NULL;
        assert_int_equal(read_lines(&r, "rogue", stages[s], line), WEFT_OK);
        for (const struct vectors *v = of_rogue; v < of_rogue + sizeof of_rogue / sizeof *of_rogue; v++)
            for (unsigned k = 0; v->stage == stages[s] && k < v->vertices; k++)
                for (unsigned n = 0; n < v->count; n++)
                    for (unsigned c = 0; c < v->components; c++, places++)
                        assert_int_equal(rogue_has(&r.to.rogue, v, k, n, c), 1);
        assert_int_equal(r.to.rogue.nplaces, places);
        /* Shared registers: addresses of four storage buffers, or the words of uniform buffer 0. */
        assert_int_equal(r.to.rogue.nshared, stages[s] == IR_COMPUTE ? 4 : 1);
        for (uint32_t n = 0; n < r.to.rogue.nshared; n++) {
            const struct rogue_shared_range *range = &r.to.rogue.shared[n];
            assert_int_equal(range->kind, stages[s] == IR_COMPUTE ? ROGUE_SH_STORAGE_ADDRESS : ROGUE_SH_CONSTANTS);
            assert_int_equal(range->first, 2 * n);
            assert_int_equal(range->count, stages[s] == IR_COMPUTE ? 2 : 4096);
            assert_int_equal(range->number, n);
            assert_int_equal(range->offset, 0);
        }
        forget(&r);
    }
}

/* A kind of which a line says something has no defaults left; the other kinds keep theirs. */
static void lines_replace_defaults(void **state)
{
    static const struct {
        const char *isa, *line;
        enum ir_stage stage;
        unsigned inputs, outputs;
    } cases[] = {
        {"tesla", "in GENERIC[0].x a[0]", IR_VERTEX, 1, 0}, {"tesla", "out POSITION.x o[0]", IR_VERTEX, 0, 1},
        {"tesla", "sysval VERTEXID a[0]", IR_VERTEX, 1, 0}, {"tesla", "registers 8", IR_VERTEX, 64, 36},
        {"rogue", "in GENERIC[0].x vi0", IR_VERTEX, 1, 36}, {"rogue", "out POSITION.x vo0", IR_VERTEX, 64, 1},
        {"rogue", "sysval VERTEXID vi0", IR_VERTEX, 1, 36}, {"rogue", "sh 0 storage 0", IR_VERTEX, 64, 36},
        {"rogue", "in W cf0", IR_FRAGMENT, 1, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct read r;
        bool tesla = strcmp(cases[i].isa, "tesla") == 0;
        unsigned count[2] = {0, 0};
        assert_int_equal(read_lines(&r, cases[i].isa, cases[i].stage, cases[i].line), WEFT_OK);
        for (uint32_t p = 0; p < (tesla ? r.to.tesla.nplaces : r.to.rogue.nplaces); p++)
            count[tesla ? r.to.tesla.places[p].output : r.to.rogue.places[p].output]++;
        assert_int_equal(count[0], cases[i].inputs);
        assert_int_equal(count[1], cases[i].outputs);
        forget(&r);
    }
}

static void other_defaults(void **state)
{
    struct read r;
    (void)state;
    assert_int_equal(read_lines(&r, "tesla", IR_COMPUTE, NULL), WEFT_OK);
    const struct tesla_linkage *t = &r.to.tesla;
    assert_int_equal(t->registers, 128);
    assert_int_equal(t->local_bytes, 4096);
    assert_int_equal(t->shared_bytes, 16384);
    assert_int_equal(t->parameter_bytes | t->control | t->call_limit | t->linked_samplers, 0);
    assert_int_equal(t->block[0] * t->block[1] * t->block[2], 1);
    assert_int_equal(t->input_primitive, IR_PRIM_TRIANGLES);
    assert_int_equal(t->output_primitive, IR_PRIM_TRIANGLE_STRIP);
    assert_int_equal(t->max_vertices, 256);
    for (unsigned n = 0; n < 130; n++) {
        assert_int_equal(t->texture[n], n);
        assert_int_equal(n < 32 ? t->sampler[n] : n, n);
        assert_int_equal(n < 16 ? t->constant[n] : n, n);
        assert_int_equal(n < 16 ? t->pitch[n] : 0, 0);
        assert_false(t->view[n].known);
    }
    forget(&r);
    assert_int_equal(read_lines(&r, "rogue", IR_GEOMETRY, NULL), WEFT_OK);
    const struct rogue_geometry *g = &r.to.rogue.geometry;
    assert_int_equal(g->input, IR_PRIM_TRIANGLES);
    assert_int_equal(g->output, IR_PRIM_TRIANGLE_STRIP);
    assert_int_equal(g->vertices, 256);
    assert_int_equal(g->invocations, 1);
    assert_int_equal(r.to.rogue.tessellation.vertices, 3);
    assert_int_equal(r.to.rogue.tessellation.mode, IR_PRIM_TRIANGLES);
    assert_int_equal(r.to.rogue.tessellation.spacing, IR_SPACING_EQUAL);
    assert_false(r.to.rogue.tessellation.cw || r.to.rogue.tessellation.points);
    forget(&r);
    assert_int_equal(read_lines(&r, "valhall", IR_COMPUTE, NULL), WEFT_OK);
    const struct valhall_linkage *v = &r.to.valhall;
    for (unsigned n = 0; n < 128; n++) {
        assert_int_equal(v->uniform[n].kind, VALHALL_U_BUFFER);
        assert_int_equal(v->uniform[n].buffer, 0);
        assert_int_equal(v->uniform[n].byte, 4 * n);
    }
    assert_int_equal(v->tls_bytes, 4096);
    assert_int_equal(v->wls_bytes, 32768);
    assert_int_equal(v->sysvals, 0);
    assert_int_equal(v->block[0] * v->block[1] * v->block[2], 1);
    assert_false(v->clip_position || v->origin_lower_left || v->zero_is_back);
    for (unsigned n = 0; n < 32; n++) {
        assert_int_equal(v->sysval[n].texture, n);
        assert_int_equal(v->sysval[n].dim, IR_TEX_2D);
        assert_false(v->sysval[n].given || v->sysval[n].array);
        assert_int_equal(n < 16 ? v->image[n].dim : IR_TEX_2D, IR_TEX_2D);
        assert_false(n < 8 && v->shaded[n]);
    }
    forget(&r);
    assert_int_equal(read_lines(&r, "vpu", IR_COMPUTE, NULL), WEFT_OK);
    const struct vpu_link *reg = r.to.vpu.reg;
    for (unsigned n = 0; n < VPU_LINK_REGISTERS; n++) {
        bool group = n >= 5 && n <= 8, groups = n >= 9 && n <= 11;
        /* sp is r25 and lr r26 (the manual's chapter on registers). */
        uint32_t value = n < 4               ? UINT32_C(0x80000000) + n * UINT32_C(0x04000000)
                         : n == 4            ? UINT32_C(0x40000000) + 15 * UINT32_C(0x04000000)
                         : n == 5            ? 3
                         : n >= 6 && n <= 11 ? (n - 6) % 3
                         : n == 25           ? UINT32_C(0x40000000)
                         : n == 26           ? UINT32_C(0xfffffffe)
                                             : 0;
        assert_int_equal(reg[n].kind, group ? VPU_LINK_GROUP : groups ? VPU_LINK_GROUPS : VPU_LINK_NUMBER);
        assert_int_equal(reg[n].value, value);
    }
    assert_int_equal(r.to.vpu.stack, 16384);
    forget(&r);
}

/* Each set adds 8 to the numbers of uniform buffers and 16 to those of everything else. */
static void numbers_of_bindings(void **state)
{
    static const char *const words[] = {[SPIRV_UNIFORM] = "uniform",
                                        [SPIRV_STORAGE] = "storage",
                                        [SPIRV_TEXTURE] = "texture",
                                        [SPIRV_SAMPLER] = "sampler",
                                        [SPIRV_IMAGE] = "image"};
    struct read r;
    (void)state;
    for (uint32_t kind = 0; kind < SPIRV_RESOURCES; kind++) {
        char line[64];
        snprintf(line, sizeof line, "%s 2 3 = 44\n%s 1048576 1048576 = 65535", words[kind], words[kind]);
        assert_int_equal(read_lines(&r, "spirv", IR_COMPUTE, line), WEFT_OK);
        for (uint32_t other = 0; other < SPIRV_RESOURCES; other++) {
            uint32_t set = other == SPIRV_UNIFORM ? 8 : 16;
            assert_int_equal(spirv_bound_number(&r.to.spirv, other, 2, 3), other == kind ? 44 : 2 * set + 3);
            assert_int_equal(spirv_bound_number(&r.to.spirv, other, 2, 4), 2 * set + 4);
            assert_int_equal(spirv_bound_number(&r.to.spirv, other, 3, 3), 3 * set + 3);
            assert_int_equal(spirv_bound_number(&r.to.spirv, other, 0, 5), 5);
        }
        assert_int_equal(spirv_bound_number(&r.to.spirv, kind, 1048576, 1048576), 65535);
        forget(&r);
    }
    assert_int_equal(read_lines(&r, "spirv", IR_COMPUTE, NULL), WEFT_OK);
    assert_int_equal(r.to.spirv.push, 15);
    forget(&r);
}

/* ---- the greatest numbers ---- */

/* Where a line has %llu, this number is taken and the next one is refused. */
static const struct most {
    const char *isa, *line;
    unsigned long long most;
    enum ir_stage stage;
} greatest[] = {
    {"tesla", "registers %llu", 256, IR_COMPUTE},
    {"tesla", "local bytes %llu", 0x10000, IR_COMPUTE},
    {"tesla", "local %llu", 0x10000, IR_COMPUTE},
    {"tesla", "shared bytes %llu", 0x4000, IR_COMPUTE},
    {"tesla", "parameters %llu", 0x10000, IR_COMPUTE},
    {"tesla", "block %llu", 512, IR_COMPUTE},
    {"tesla", "block 1 %llu", 512, IR_COMPUTE},
    {"tesla", "block 1 1 %llu", 64, IR_COMPUTE},
    {"tesla", "control %llu", UINT32_MAX, IR_COMPUTE},
    {"tesla", "call_limit %llu", 255, IR_COMPUTE},
    {"tesla", "in GENERIC[%llu].x a[0]", 255, IR_VERTEX},
    {"tesla", "in GENERIC[0].x a[%llu]", 0xffff, IR_VERTEX},
    {"tesla", "out COLOR[0].x $r%llu", 127, IR_FRAGMENT},
    {"tesla", "texture %llu 2D", 129, IR_FRAGMENT},
    {"tesla", "geometry points points %llu", 1024, IR_GEOMETRY},
    {"tesla", "global %llu linear", 15, IR_COMPUTE},
    {"tesla", "global 0 2d %llu", 0x10000, IR_COMPUTE},
    {"tesla", "bind c%llu 0", 15, IR_COMPUTE},
    {"tesla", "bind c0 %llu", 31, IR_COMPUTE},
    {"tesla", "bind t%llu 0", 129, IR_COMPUTE},
    {"tesla", "bind t0 %llu", 129, IR_COMPUTE},
    {"tesla", "bind s%llu 0", 31, IR_COMPUTE},
    {"tesla", "bind s0 %llu", 129, IR_COMPUTE},
    {"rogue", "sh %llu storage 0", 4095, IR_COMPUTE},
    {"rogue", "sh 0 %llu constants 0", 4096, IR_COMPUTE},
    {"rogue", "sh 0 4 constants %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 4 constants 0 %llu", 1 << 24, IR_COMPUTE},
    {"rogue", "sh 0 uniform %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 storage %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 texture %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 sampler %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 image %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 texture_address %llu", 31, IR_COMPUTE},
    {"rogue", "sh 0 texels %llu 1 1 1 4", 31, IR_COMPUTE},
    {"rogue", "sh 0 texels 0 %llu 1 1 4", 1 << 14, IR_COMPUTE},
    {"rogue", "sh 0 texels 0 1 %llu 1 4", 1 << 14, IR_COMPUTE},
    {"rogue", "sh 0 texels 0 1 1 %llu 4", 1 << 11, IR_COMPUTE},
    {"rogue", "sh 0 texels 0 1 1 1 %llu", 16, IR_COMPUTE},
    {"rogue", "sh 0 texels 0 1 1 1 4 %llu", 1 << 24, IR_COMPUTE},
    {"rogue", "in GENERIC[0].x vi%llu", 247, IR_VERTEX},
    {"rogue", "in GENERIC[0].x cf%llu", 255, IR_FRAGMENT},
    {"rogue", "out COLOR[0].x o%llu", 7, IR_FRAGMENT},
    {"rogue", "out COLOR[0].x r%llu", 251, IR_FRAGMENT},
    {"rogue", "out GENERIC[0].x vo%llu", 4095, IR_VERTEX},
    {"rogue", "out TESSOUTER.x t%llu", 4095, IR_TESS_CTRL},
    {"rogue", "in GENERIC[0].x vi0 vertex %llu", 31, IR_TESS_CTRL},
    {"rogue", "texture %llu 2D", 31, IR_FRAGMENT},
    {"rogue", "block %llu", 512, IR_COMPUTE},
    {"rogue", "block 1 %llu", 512, IR_COMPUTE},
    {"rogue", "block 1 1 %llu", 64, IR_COMPUTE},
    {"rogue", "geometry points points %llu", 1024, IR_GEOMETRY},
    {"rogue", "geometry points points 1 %llu", 127, IR_GEOMETRY},
    {"rogue", "tess_control %llu", 32, IR_TESS_CTRL},
    {"rogue", "dc constants %llu", 31, IR_COMPUTE},
    {"rogue", "dc constants 0 %llu", 1 << 24, IR_COMPUTE},
    {"rogue", "breakpoint %llu 0", 1 << 24, IR_COMPUTE},
    {"rogue", "breakpoint 0 %llu", 1 << 24, IR_COMPUTE},
    {"valhall", "u0 = ubo %llu byte 0", 63, IR_COMPUTE},
    {"valhall", "u0 = ubo 0 byte %llu", 0x100000, IR_COMPUTE},
    {"valhall", "u0 = push byte %llu", 0x100000, IR_COMPUTE},
    {"valhall", "u0 = storage %llu address", 63, IR_COMPUTE},
    {"valhall", "u0 = storage %llu size", 63, IR_COMPUTE},
    {"valhall", "u0 = uniform %llu address", 63, IR_COMPUTE},
    {"valhall", "u%llu = push byte 0", 127, IR_COMPUTE},
    {"valhall", "u%llu.w1 = push byte 0", 63, IR_COMPUTE},
    {"valhall", "u%llu = storage 0 address", 126, IR_COMPUTE},
    {"valhall", "u%llu = storage 0 size", 127, IR_COMPUTE},
    {"valhall", "ubo_count %llu", 255, IR_COMPUTE},
    {"valhall", "sysvals %llu", 255, IR_COMPUTE},
    {"valhall", "sysval %llu texture 0 2D", 31, IR_COMPUTE},
    {"valhall", "sysval 0 texture %llu 2D", 255, IR_COMPUTE},
    {"valhall", "tls %llu", 0x100000, IR_COMPUTE},
    {"valhall", "wls %llu", 0x100000, IR_COMPUTE},
    {"valhall", "block %llu", 1024, IR_COMPUTE},
    {"valhall", "block 1 %llu", 1024, IR_COMPUTE},
    {"valhall", "block 1 1 %llu", 1024, IR_COMPUTE},
    {"valhall", "blend %llu fixed", 7, IR_COMPUTE},
    {"valhall", "blend 0 shader %llu", UINT32_MAX, IR_COMPUTE},
    {"valhall", "image %llu 2D", 15, IR_COMPUTE},
    {"vpu", "r0 = storage %llu address", 15, IR_COMPUTE},
    {"vpu", "r0 = storage %llu size", 15, IR_COMPUTE},
    {"vpu", "r0 = uniform %llu address", 15, IR_COMPUTE},
    {"vpu", "r0 = push byte %llu", 0xfffc, IR_COMPUTE},
    {"vpu", "r0 = %llu", UINT32_MAX, IR_COMPUTE},
    {"vpu", "r%llu = 0", 29, IR_COMPUTE},
    {"vpu", "stack %llu", 16 << 20, IR_COMPUTE},
    {"spirv", "uniform %llu 0 = 0", 1 << 20, IR_COMPUTE},
    {"spirv", "uniform 0 %llu = 0", 1 << 20, IR_COMPUTE},
    {"spirv", "uniform 0 0 = %llu", 65535, IR_COMPUTE},
    {"spirv", "push %llu", 31, IR_COMPUTE},
    {"spirv", "constant %llu = 0", UINT32_MAX, IR_COMPUTE},
};

static void greatest_numbers(void **state)
{
    (void)state;
    for (const struct most *m = greatest; m < greatest + sizeof greatest / sizeof *greatest; m++)
        for (unsigned beyond = 0; beyond < 2; beyond++) {
            struct read r;
            char line[80];
            snprintf(line, sizeof line, m->line, m->most + beyond);
            weft_status status = read_lines(&r, m->isa, m->stage, line);
            if (status != (beyond ? WEFT_ERROR_INPUT : WEFT_OK))
                fail_msg("%s: '%s': %s", m->isa, line, beyond ? "should be refused" : "should be taken");
            assert_int_equal(weft_diags_count(r.diags), beyond);
            forget(&r);
        }
}

/* ---- wrong lines ---- */

/* A line for each word and form. What ends early is whole or has one error; one that has a character of no language has
 * one error, there or before. */
static const struct {
    const char *isa, *line;
    enum ir_stage stage;
} whole_lines[] = {
    {"tesla", "registers 8", IR_COMPUTE},
    {"tesla", "local bytes 16", IR_COMPUTE},
    {"tesla", "shared bytes 64", IR_COMPUTE},
    {"tesla", "parameters 4", IR_COMPUTE},
    {"tesla", "block 8 4 2", IR_COMPUTE},
    {"tesla", "control 1", IR_COMPUTE},
    {"tesla", "call_limit 4", IR_COMPUTE},
    {"tesla", "in GENERIC[1].x a[0x10] flat linear centroid", IR_VERTEX},
    {"tesla", "out COLOR[1].w $r3", IR_FRAGMENT},
    {"tesla", "sysval VERTEXID a[4]", IR_VERTEX},
    {"tesla", "texture 3 2D array shadow multisample integer", IR_FRAGMENT},
    {"tesla", "geometry triangles line_strip 6", IR_GEOMETRY},
    {"tesla", "global 3 2d 64", IR_COMPUTE},
    {"tesla", "global 3 linear", IR_COMPUTE},
    {"tesla", "bind c3 4", IR_COMPUTE},
    {"tesla", "bind t3 4", IR_COMPUTE},
    {"tesla", "bind s3 4", IR_COMPUTE},
    {"tesla", "samplers linked", IR_COMPUTE},
    {"rogue", "sh 4 8 constants 1 16", IR_VERTEX},
    {"rogue", "sh 4 storage 1 16", IR_VERTEX},
    {"rogue", "sh 4 texels 1 4 5 6 8 16", IR_VERTEX},
    {"rogue", "in GENERIC[1].x vi3 vertex 2", IR_TESS_CTRL},
    {"rogue", "in GENERIC[1].x cf4 flat linear", IR_FRAGMENT},
    {"rogue", "in W cf4", IR_FRAGMENT},
    {"rogue", "out POSITION.y vo1", IR_VERTEX},
    {"rogue", "out COLOR[1] o1 u8888", IR_FRAGMENT},
    {"rogue", "sysval THREAD_ID.y vi3", IR_COMPUTE},
    {"rogue", "texture 3 2D array shadow", IR_FRAGMENT},
    {"rogue", "block 8 4 2", IR_COMPUTE},
    {"rogue", "geometry triangles line_strip 6 2", IR_GEOMETRY},
    {"rogue", "tess_control 4", IR_TESS_CTRL},
    {"rogue", "tess_evaluation quads odd cw points", IR_TESS_EVAL},
    {"rogue", "dc constants 1 16", IR_COMPUTE},
    {"rogue", "breakpoint 8 16", IR_COMPUTE},
    {"valhall", "u3 = ubo 1 byte 16", IR_COMPUTE},
    {"valhall", "u3.w1 = push byte 16", IR_COMPUTE},
    {"valhall", "u3 = storage 2 address", IR_COMPUTE},
    {"valhall", "u3 = storage 2 size", IR_COMPUTE},
    {"valhall", "u3 = uniform 2 address", IR_COMPUTE},
    {"valhall", "stage 4 work_regs 32 preload 0x30 tls 16 wls 16 sysvals 2 ubo_count 1", IR_COMPUTE},
    {"valhall", "sysval 1 texture 2 CUBE array", IR_COMPUTE},
    {"valhall", "block 8 4 2", IR_COMPUTE},
    {"valhall", "position clip", IR_COMPUTE},
    {"valhall", "origin lower_left", IR_COMPUTE},
    {"valhall", "facing zero_back", IR_COMPUTE},
    {"valhall", "blend 2 shader 0x100", IR_COMPUTE},
    {"valhall", "blend 2 fixed", IR_COMPUTE},
    {"valhall", "image 2 3D array", IR_COMPUTE},
    {"vpu", "r3 = storage 2 address", IR_COMPUTE},
    {"vpu", "r3 = storage 2 size", IR_COMPUTE},
    {"vpu", "r3 = uniform 2 address", IR_COMPUTE},
    {"vpu", "r3 = push address", IR_COMPUTE},
    {"vpu", "r3 = push byte 8", IR_COMPUTE},
    {"vpu", "lr = group number", IR_COMPUTE},
    {"vpu", "sp = groups z", IR_COMPUTE},
    {"vpu", "gp = 77", IR_COMPUTE},
    {"vpu", "stack 4096", IR_COMPUTE},
    {"spirv", "uniform 1 2 = 3", IR_COMPUTE},
    {"spirv", "storage 1 2 = 3", IR_COMPUTE},
    {"spirv", "texture 1 2 = 3", IR_COMPUTE},
    {"spirv", "sampler 1 2 = 3", IR_COMPUTE},
    {"spirv", "image 1 2 = 3", IR_COMPUTE},
    {"spirv", "push 3", IR_COMPUTE},
    {"spirv", "constant 12 = 0x3f800000", IR_COMPUTE},
};

static unsigned errors_of(struct read *r, const char *isa, enum ir_stage stage, const char *line, uint32_t *column)
{
    weft_status status = read_lines(r, isa, stage, line);
    unsigned errors = 0;
    for (size_t i = 0; i < weft_diags_count(r->diags); i++) {
        const weft_diag *d = weft_diags_get(r->diags, i);
        errors += d->severity == WEFT_ERROR;
        *column = d->severity == WEFT_ERROR ? d->column : *column;
    }
    assert_int_equal(status, errors ? WEFT_ERROR_INPUT : WEFT_OK);
    forget(r);
    return errors;
}

static void wrong_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof whole_lines / sizeof *whole_lines; i++) {
        const char *line = whole_lines[i].line, *isa = whole_lines[i].isa;
        /* Values that Tesla does not know are passed over. */
        bool lenient = strncmp(line, "sysval VERTEXID a", 17) == 0;
        struct read r;
        uint32_t column = 0;
        assert_int_equal(errors_of(&r, isa, whole_lines[i].stage, line, &column), 0);
        char longer[96];
        snprintf(longer, sizeof longer, "%s ?", line);
        if (errors_of(&r, isa, whole_lines[i].stage, longer, &column) != 1 || column != strlen(line) + 2)
            fail_msg("%s: '%s' should have an error at the end, not in column %u", isa, longer, column);
        for (uint32_t at = 0; line[at]; at++) {
            char text[96];
            snprintf(text, sizeof text, "%.*s", (int)at, line);
            unsigned errors = errors_of(&r, isa, whole_lines[i].stage, text, &column);
            if (errors > 1 || (errors && column > at + 1))
                fail_msg("%s: '%s': %u errors, one in column %u", isa, text, errors, column);
            snprintf(text, sizeof text, "%.*s?%s", (int)at, line, line + at + 1);
            errors = errors_of(&r, isa, whole_lines[i].stage, text, &column);
            if (lenient && !errors)
                continue;
            if (errors != 1 || column > at + 1)
                fail_msg("%s: '%s': %u errors, one in column %u", isa, text, errors, column);
        }
    }
}

/* ---- names ---- */

/* Each name of an input or output of the manuals, and who knows it: t and r. */
static const struct {
    const char *name, *known;
    uint8_t semantic;
} names[] = {
    {"POSITION", "tr", IR_SEM_POSITION},    {"COLOR", "tr", IR_SEM_COLOR},
    {"BCOLOR", "tr", IR_SEM_BCOLOR},        {"FOG", "tr", IR_SEM_FOG},
    {"PSIZE", "tr", IR_SEM_PSIZE},          {"GENERIC", "tr", IR_SEM_GENERIC},
    {"NORMAL", "t", IR_SEM_NORMAL},         {"FACE", "t", IR_SEM_FACE},
    {"EDGEFLAG", "t", IR_SEM_EDGEFLAG},     {"PRIMID", "t", IR_SEM_PRIMID},
    {"STENCIL", "t", IR_SEM_STENCIL},       {"CLIPDIST", "tr", IR_SEM_CLIPDIST},
    {"CULLDIST", "t", IR_SEM_CULLDIST},     {"CLIPVERTEX", "t", IR_SEM_CLIPVERTEX},
    {"TEXCOORD", "tr", IR_SEM_TEXCOORD},    {"PCOORD", "tr", IR_SEM_PCOORD},
    {"LAYER", "tr", IR_SEM_LAYER},          {"VIEWPORT_INDEX", "tr", IR_SEM_VIEWPORT_INDEX},
    {"SAMPLEMASK", "t", IR_SEM_SAMPLEMASK}, {"PATCH", "r", IR_SEM_PATCH},
    {"TESSOUTER", "r", IR_SEM_TESSOUTER},   {"TESSINNER", "r", IR_SEM_TESSINNER},
};

static void names_of_outputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned rogue = 0; rogue < 2; rogue++) {
            struct read r;
            char line[64];
            bool known = strchr(names[i].known, rogue ? 'r' : 't');
            snprintf(line, sizeof line, "out %s[3].z %s", names[i].name, rogue ? "vo9" : "o[9]");
            weft_status status = read_lines(&r, rogue ? "rogue" : "tesla", IR_VERTEX, line);
            if (status != (known ? WEFT_OK : WEFT_ERROR_INPUT))
                fail_msg("%s: '%s'", rogue ? "rogue" : "tesla", line);
            /* Rogue's inputs keep their defaults, which come after. */
            const struct tesla_place *t = known && !rogue ? &r.to.tesla.places[0] : NULL;
            const struct rogue_place *p = known && rogue ? &r.to.rogue.places[0] : NULL;
            assert_true(!t || (t->output && t->semantic == names[i].semantic && t->index == 3 && t->component == 2 &&
                               t->where == TESLA_IN_O && t->offset == 9 && t->sysval == -1 && r.to.tesla.given));
            bool patch = strncmp(names[i].name, "TESS", 4) == 0 || strcmp(names[i].name, "PATCH") == 0;
            assert_true(!p || (p->output && p->semantic == names[i].semantic && p->index == 3 && p->component == 2 &&
                               p->where == ROGUE_AT_VO && p->number == 9 && p->sysval == -1 && p->patch == patch));
            forget(&r);
        }
}

static void names_of_values(void **state)
{
    static const struct {
        const char *name, *known;
        int sysval;
    } values[] = {
        {"VERTEXID", "tr", IR_SYS_VERTEX_ID},
        {"INSTANCEID", "tr", IR_SYS_INSTANCE_ID},
        {"PRIMID", "tr", IR_SYS_PRIM_ID},
        {"SAMPLEID", "tr", IR_SYS_SAMPLE_ID},
        {"INVOCATIONID", "tr", IR_SYS_INVOCATION_ID},
        {"BASEVERTEX", "tr", IR_SYS_BASE_VERTEX},
        {"BASEINSTANCE", "t", IR_SYS_BASE_INSTANCE},
        {"DRAWID", "tr", IR_SYS_DRAW_ID},
        {"THREAD_ID", "r", IR_SYS_THREAD_ID},
        {"BLOCK_ID", "r", IR_SYS_BLOCK_ID},
        {"BLOCK_SIZE", "r", IR_SYS_BLOCK_SIZE},
        {"GRID_SIZE", "r", IR_SYS_GRID_SIZE},
        {"VERTICESIN", "r", IR_SYS_VERTICES_IN},
        {"TESSCOORD", "r", IR_SYS_TESS_COORD},
        {"TESSOUTER", "r", IR_SYS_TESS_OUTER},
        {"TESSINNER", "r", IR_SYS_TESS_INNER},
    };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct read r;
        char line[64];
        snprintf(line, sizeof line, "sysval %s a[0x14]", values[i].name);
        assert_int_equal(read_lines(&r, "tesla", IR_VERTEX, line), WEFT_OK);
        bool known = values[i].known[0] == 't';
        assert_int_equal(r.to.tesla.given, known); /* other names are passed over */
        assert_true(!known || (r.to.tesla.nplaces == 1 && r.to.tesla.places[0].sysval == values[i].sysval &&
                               r.to.tesla.places[0].where == TESLA_IN_A && r.to.tesla.places[0].offset == 0x14));
        forget(&r);
        snprintf(line, sizeof line, "sysval %s.y r7", values[i].name);
        known = strchr(values[i].known, 'r');
        assert_int_equal(read_lines(&r, "rogue", IR_VERTEX, line), known ? WEFT_OK : WEFT_ERROR_INPUT);
        assert_true(!known || (r.to.rogue.places[0].sysval == values[i].sysval &&
                               r.to.rogue.places[0].where == ROGUE_AT_R && r.to.rogue.places[0].number == 7 &&
                               r.to.rogue.places[0].component == 1 && !r.to.rogue.places[0].output));
        forget(&r);
    }
}

/* Vertices of the primitives of geometry programs: a line may name a vertex below that and no other. */
static void vertices_of_primitives(void **state)
{
    static const struct {
        const char *primitive;
        unsigned vertices; /* 0: no program takes it */
    } cases[] = {{"points", 1},
                 {"lines", 2},
                 {"line_loop", 2},
                 {"line_strip", 2},
                 {"triangles", 3},
                 {"triangle_strip", 3},
                 {"triangle_fan", 3},
                 {"quads", 0},
                 {"quad_strip", 0},
                 {"polygon", 0},
                 {"lines_adjacency", 4},
                 {"line_strip_adjacency", 4},
                 {"triangles_adjacency", 6},
                 {"triangle_strip_adjacency", 6}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned vertex = 0; vertex < 8; vertex++) {
            struct read r;
            char line[80];
            snprintf(line, sizeof line, "geometry %s points 1\nin GENERIC[0].x vi0 vertex %u", cases[i].primitive,
                     vertex);
            weft_status status = read_lines(&r, "rogue", IR_GEOMETRY, line);
            if (status != (vertex < cases[i].vertices ? WEFT_OK : WEFT_ERROR_INPUT))
                fail_msg("'%s'", line);
            assert_true(status != WEFT_OK || r.to.rogue.places[0].vertex == vertex);
            forget(&r);
        }
}

TEST_MAIN(TEST(defaults_of_tesla), TEST(defaults_of_rogue), TEST(lines_replace_defaults), TEST(other_defaults),
          TEST(numbers_of_bindings), TEST(greatest_numbers), TEST(wrong_lines), TEST(names_of_outputs),
          TEST(names_of_values), TEST(vertices_of_primitives))
