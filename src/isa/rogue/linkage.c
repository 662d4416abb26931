/* linkage.c - reading linkage lines, and the linkage of programs that come without any (docs/manual/rogue.md). */
#include "isa/rogue/linkage.h"

#include "isa/linkage.h"
#include "isa/rogue/rogue.h"

#include <string.h>

enum {
    MOST_REGISTERS = 4096,
    MOST_BYTES = 1 << 24,
    MOST_ATTRIBUTES = 16,
    MOST_VARYINGS = 8,
    SET = 4,
    MOST_EMITTED = 1024,
    MOST_INVOCATIONS = 127
};

/* ---- words ---- */

enum {
    SEMANTICS = 1u << IR_SEM_POSITION | 1u << IR_SEM_COLOR | 1u << IR_SEM_BCOLOR | 1u << IR_SEM_FOG |
                1u << IR_SEM_PSIZE | 1u << IR_SEM_GENERIC | 1u << IR_SEM_TEXCOORD | 1u << IR_SEM_PCOORD |
                1u << IR_SEM_LAYER | 1u << IR_SEM_VIEWPORT_INDEX | 1u << IR_SEM_CLIPDIST | 1u << IR_SEM_PATCH |
                1u << IR_SEM_TESSOUTER | 1u << IR_SEM_TESSINNER
};

static const struct {
    const char *name;
    int16_t sysval;
} sysvals[] = {
    {"VERTEXID", IR_SYS_VERTEX_ID},    {"INSTANCEID", IR_SYS_INSTANCE_ID},     {"BASEVERTEX", IR_SYS_BASE_VERTEX},
    {"DRAWID", IR_SYS_DRAW_ID},        {"THREAD_ID", IR_SYS_THREAD_ID},        {"BLOCK_ID", IR_SYS_BLOCK_ID},
    {"BLOCK_SIZE", IR_SYS_BLOCK_SIZE}, {"GRID_SIZE", IR_SYS_GRID_SIZE},        {"PRIMID", IR_SYS_PRIM_ID},
    {"SAMPLEID", IR_SYS_SAMPLE_ID},    {"INVOCATIONID", IR_SYS_INVOCATION_ID}, {"VERTICESIN", IR_SYS_VERTICES_IN},
    {"TESSCOORD", IR_SYS_TESS_COORD},  {"TESSOUTER", IR_SYS_TESS_OUTER},       {"TESSINNER", IR_SYS_TESS_INNER},
};

enum { SYSVAL_WORDS = sizeof sysvals / sizeof *sysvals };

static const char *const spacings[] = {"odd", "even", "equal"};

static const char *const kinds[] = {
    "sh", "in", "out", "sysval", "texture", "block", "geometry", "tess_control", "tess_evaluation", "dc", "breakpoint"};
enum kind { SH, IN, OUT, SYSVAL, TEXTURE, BLOCK, GEOMETRY, TESS_CONTROL, TESS_EVALUATION, DYNAMIC, BREAKPOINT, KINDS };

struct reader {
    struct scan s;
    struct rogue_linkage *out;
    enum ir_stage stage;
    size_t places_cap, shared_cap, breakpoints_cap;
    bool has_inputs, has_outputs; /* lines said some: the defaults of the kind are left out */
};

/* ---- parts of lines ---- */

/* NAME[index].component; *whole: without a component. W is the plane of 1/w. */
static bool semantic(struct reader *r, struct rogue_place *p, bool *whole)
{
    scan_blanks(&r->s);
    *whole = false;
    if (!p->output && scan_word_is(r->s.p, scan_word_length(r->s.p), "W")) {
        p->one_over_w = true;
        return scan_take(&r->s, *r->s.p);
    }
    if (!linkage_semantic(&r->s, SEMANTICS, &p->semantic, &p->index))
        return false;
    *whole = !scan_take(&r->s, '.');
    return *whole || linkage_component(&r->s, &p->component);
}

/* vi3, r3, cf8, vo0, o0, t4. */
static bool place(struct reader *r, struct rogue_place *p)
{
    static const struct {
        const char *name;
        bool output, input;
    } banks[] = {
        [ROGUE_AT_VI] = {"vi", false, true}, [ROGUE_AT_R] = {"r", true, true},  [ROGUE_AT_CF] = {"cf", false, true},
        [ROGUE_AT_VO] = {"vo", true, false}, [ROGUE_AT_O] = {"o", true, false}, [ROGUE_AT_T] = {"t", true, false}};
    scan_blanks(&r->s);
    const char *from = r->s.p;
    for (unsigned i = 0; i < sizeof banks / sizeof *banks; i++) {
        size_t length = strlen(banks[i].name);
        if (strncmp(from, banks[i].name, length) != 0 || !scan_is(from[length], SCAN_DIGIT) ||
            !(p->output ? banks[i].output : banks[i].input))
            continue;
        p->where = (uint8_t)i;
        r->s.p += length;
        return scan_number_to(&r->s, MOST_REGISTERS - 1, &p->number);
    }
    return scan_expected(&r->s, p->output ? "a register: vo, t, o or r and its number"
                                          : "a register: vi, cf or r and its number");
}

static bool add_place(struct reader *r, const struct rogue_place *p)
{
    if (p->output ? r->has_outputs : r->has_inputs)
        return true;
    struct rogue_place *grown = arena_grow(r->s.arena, r->out->places, sizeof *grown, r->out->nplaces, &r->places_cap,
                                           (size_t)r->out->nplaces + 1);
    if (!grown)
        return false;
    r->out->places = grown;
    grown[r->out->nplaces++] = *p;
    return true;
}

static bool add_shared(struct reader *r, const struct rogue_shared_range *range)
{
    struct rogue_shared_range *grown = arena_grow(r->s.arena, r->out->shared, sizeof *grown, r->out->nshared,
                                                  &r->shared_cap, (size_t)r->out->nshared + 1);
    if (!grown)
        return false;
    r->out->shared = grown;
    grown[r->out->nshared++] = *range;
    return true;
}

/* ---- lines ---- */

/* sh N texels B WIDTH HEIGHT DEPTH BYTES [OFFSET]: what comes after "texels". */
static bool read_texels(struct reader *r, struct rogue_shared_range *range)
{
    enum { MOST_SIZE = 1 << 14, MOST_DEPTH = 1 << 11 };
    uint32_t bytes;
    if (!scan_number_to(&r->s, MOST_SIZE, &range->size[0]) || !scan_number_to(&r->s, MOST_SIZE, &range->size[1]) ||
        !scan_number_to(&r->s, MOST_DEPTH, &range->size[2]))
        return false;
    scan_blanks(&r->s);
    const char *from = r->s.p;
    if (!scan_number_to(&r->s, 16, &bytes))
        return false;
    if (bytes == 0 || (bytes & (bytes - 1)) != 0 || !range->size[0] || !range->size[1] || !range->size[2])
        return scan_error(&r->s, scan_span(&r->s, from), "out-of-range", NULL,
                          "sizes are 1 and more, and a texel has 1, 2, 4, 8 or 16 bytes");
    range->bytes = (uint32_t)__builtin_ctz(bytes);
    return true;
}

/* sh N COUNT constants B [OFFSET]; sh N uniform|storage B [OFFSET]; sh N texture|texture_address T; sh N sampler S; sh
 * N image I */
static bool read_shared(struct reader *r)
{
    static const char *const words[] = {"constants", "uniform", "storage",         "texture",
                                        "sampler",   "image",   "texture_address", "texels"};
    static const uint8_t spans[] = {0, 2, 2, 4, 4, 4, 2, 4},
                         most[] = {ROGUE_BUFFERS,  ROGUE_BUFFERS, ROGUE_BUFFERS,  ROGUE_TEXTURES,
                                   ROGUE_TEXTURES, ROGUE_IMAGES,  ROGUE_TEXTURES, ROGUE_BUFFERS};
    enum { WORDS = sizeof spans };
    struct rogue_shared_range range = {0};
    if (!scan_number_to(&r->s, MOST_REGISTERS - 1, &range.first))
        return false;
    scan_blanks(&r->s);
    if (scan_is(*r->s.p, SCAN_DIGIT) && !scan_number_to(&r->s, MOST_REGISTERS, &range.count))
        return false;
    const char *word;
    size_t n = scan_word(&r->s, &word);
    int kind = n ? scan_word_index(word, n, words, WORDS) : -1;
    if (kind < 0)
        return n ? scan_unknown(&r->s, "unknown-linkage", "thing in shared registers", word, n, words, WORDS)
                 : scan_expected(&r->s,
                                 "constants, uniform, storage, texture, sampler, image, texture_address or texels");
    range.kind = (uint8_t)kind;
    range.count = range.count ? range.count : spans[kind] ? spans[kind] : 1;
    if (!scan_number_to(&r->s, most[kind] - 1u, &range.number) || (kind == ROGUE_SH_TEXELS && !read_texels(r, &range)))
        return false;
    if (!scan_at_line_end(&r->s) && !scan_number_to(&r->s, MOST_BYTES, &range.offset))
        return false;
    return add_shared(r, &range);
}

/* dc constants B [OFFSET] */
static bool read_dynamic(struct reader *r)
{
    const char *word;
    size_t n = scan_word(&r->s, &word);
    if (!n || !scan_word_is(word, n, "constants"))
        return scan_expected(&r->s, "constants");
    return scan_number_to(&r->s, ROGUE_BUFFERS - 1, &r->out->dynamic.number) &&
           (scan_at_line_end(&r->s) || scan_number_to(&r->s, MOST_BYTES, &r->out->dynamic.offset));
}

/* breakpoint ADDRESS HANDLER */
static bool read_breakpoint(struct reader *r)
{
    struct rogue_breakpoint b;
    if (!scan_number_to(&r->s, MOST_BYTES, &b.at) || !scan_number_to(&r->s, MOST_BYTES, &b.handler))
        return false;
    struct rogue_breakpoint *grown = arena_grow(r->s.arena, r->out->breakpoints, sizeof *grown, r->out->nbreakpoints,
                                                &r->breakpoints_cap, (size_t)r->out->nbreakpoints + 1);
    if (!grown)
        return false;
    r->out->breakpoints = grown;
    grown[r->out->nbreakpoints++] = b;
    return true;
}

static bool format(struct reader *r, struct rogue_place *p)
{
    const struct rogue_field_info *f = &rogue_fields[ROGUE_F_PCK_FORMAT];
    scan_blanks(&r->s);
    const char *word = r->s.p; /* 2f10f10f10 begins with a digit */
    size_t n = scan_word_length(word);
    int code = n ? scan_word_index(word, n, f->words, 32) : -1;
    if (code < 0)
        return scan_expected(&r->s, "a pack format (u8888, f16f16, ...)");
    r->s.last = r->s.p += n;
    p->format = (int8_t)code;
    return true;
}

/* What may follow an input's register. */
static bool read_qualifiers(struct reader *r, struct rogue_place *p)
{
    static const char *const words[] = {"flat", "linear", "vertex"};
    bool of_vertices = r->stage == IR_GEOMETRY || r->stage == IR_TESS_CTRL || r->stage == IR_TESS_EVAL;
    uint32_t vertex = 0;
    while (!scan_at_line_end(&r->s)) {
        const char *word;
        size_t n = scan_word(&r->s, &word);
        int i = n ? scan_word_index(word, n, words, of_vertices ? 3 : 2) : -1;
        if (i < 0 || p->output)
            return scan_expected(&r->s, p->output     ? "the end of the line"
                                        : of_vertices ? "vertex or the end of the line"
                                                      : "flat, linear or the end of the line");
        p->flat |= i == 0;
        p->linear |= i == 1;
        if (i == 2 && !scan_number_to(&r->s, ROGUE_PATCH_VERTICES - 1, &vertex))
            return false;
    }
    p->vertex = (uint8_t)vertex;
    return true;
}

static bool is_of_patch(uint8_t semantic)
{
    return semantic == IR_SEM_PATCH || semantic == IR_SEM_TESSOUTER || semantic == IR_SEM_TESSINNER;
}

static bool read_place(struct reader *r, bool output)
{
    struct rogue_place p = {.output = output, .sysval = -1, .format = -1};
    bool whole;
    if (!semantic(r, &p, &whole))
        return false;
    p.patch = is_of_patch(p.semantic);
    if (!place(r, &p) || (output && whole && !format(r, &p)) || !read_qualifiers(r, &p))
        return false;
    return add_place(r, &p);
}

static bool read_sysval(struct reader *r)
{
    const char *word, *names[SYSVAL_WORDS];
    size_t n = scan_word(&r->s, &word);
    for (size_t i = 0; i < SYSVAL_WORDS; i++)
        names[i] = sysvals[i].name;
    struct rogue_place p = {.sysval = -1, .format = -1};
    int found = n ? scan_word_index(word, n, names, SYSVAL_WORDS) : -1;
    if (found < 0)
        return n ? scan_unknown(&r->s, "unknown-sysval", "system value", word, n, names, SYSVAL_WORDS)
                 : scan_expected(&r->s, "the name of a system value");
    p.sysval = sysvals[found].sysval;
    if (scan_take(&r->s, '.') && !linkage_component(&r->s, &p.component))
        return false;
    if (!place(r, &p))
        return false;
    if (p.where == ROGUE_AT_CF)
        return scan_expected(&r->s, "vi or r and its number");
    return add_place(r, &p);
}

static bool read_texture(struct reader *r)
{
    uint32_t n;
    if (!scan_number_to(&r->s, ROGUE_TEXTURES - 1, &n))
        return false;
    struct rogue_view *v = &r->out->view[n];
    *v = (struct rogue_view){.known = true};
    if (!linkage_dim(&r->s, false, "kind of texture", &v->dim))
        return false;
    while (!scan_at_line_end(&r->s)) {
        static const char *const words[] = {"array", "shadow"};
        const char *word;
        size_t length = scan_word(&r->s, &word);
        int i = length ? scan_word_index(word, length, words, 2) : -1;
        if (i < 0)
            return scan_expected(&r->s, "array, shadow or the end of the line");
        v->array |= i == 0;
        v->shadow |= i == 1;
    }
    return true;
}

static bool word_of(struct reader *r, const char *const *words, size_t count, const char *what, uint8_t *out)
{
    const char *word;
    size_t n = scan_word(&r->s, &word);
    int i = n ? scan_word_index(word, n, words, count) : -1;
    if (i < 0)
        return n ? scan_unknown(&r->s, "unknown-linkage", what, word, n, words, count) : scan_expected(&r->s, what);
    *out = (uint8_t)i;
    return true;
}

static bool primitive(struct reader *r, uint8_t *out)
{
    return linkage_primitive(&r->s, LINKAGE_PRIMITIVES, out);
}

/* geometry IN OUT MOST [INVOCATIONS] */
static bool read_geometry(struct reader *r)
{
    struct rogue_geometry *g = &r->out->geometry;
    uint32_t vertices = 0, invocations = 1;
    if (!primitive(r, &g->input) || !primitive(r, &g->output) || !scan_number_to(&r->s, MOST_EMITTED, &vertices))
        return false;
    if (!scan_at_line_end(&r->s) && !scan_number_to(&r->s, MOST_INVOCATIONS, &invocations))
        return false;
    g->vertices = (uint16_t)vertices;
    g->invocations = (uint16_t)(invocations ? invocations : 1);
    return true;
}

/* tess_evaluation MODE SPACING [cw] [points] */
static bool read_evaluation(struct reader *r)
{
    static const char *const words[] = {"cw", "points"};
    struct rogue_tessellation *t = &r->out->tessellation;
    if (!primitive(r, &t->mode) || !word_of(r, spacings, 3, "spacing", &t->spacing))
        return false;
    while (!scan_at_line_end(&r->s)) {
        uint8_t which;
        if (!word_of(r, words, 2, "word of tess_evaluation", &which))
            return false;
        t->cw |= which == 0;
        t->points |= which == 1;
    }
    return true;
}

static bool read_control(struct reader *r)
{
    uint32_t vertices;
    if (!scan_number_to(&r->s, ROGUE_PATCH_VERTICES, &vertices))
        return false;
    r->out->tessellation.vertices = (uint8_t)vertices;
    return true;
}

static bool read_line(void *reader)
{
    static const uint32_t most_threads[] = {512, 512, 64};
    struct reader *r = reader;
    const char *word;
    size_t n = scan_word(&r->s, &word);
    if (!n)
        return scan_expected(&r->s, "a word of the linkage");
    switch (scan_word_index(word, n, kinds, KINDS)) {
    case SH:
        return read_shared(r);
    case IN:
        return read_place(r, false);
    case OUT:
        return read_place(r, true);
    case SYSVAL:
        return read_sysval(r);
    case TEXTURE:
        return read_texture(r);
    case DYNAMIC:
        return read_dynamic(r);
    case BREAKPOINT:
        return read_breakpoint(r);
    case BLOCK:
        return linkage_block(&r->s, most_threads, r->out->block);
    case GEOMETRY:
        return read_geometry(r);
    case TESS_CONTROL:
        return read_control(r);
    case TESS_EVALUATION:
        return read_evaluation(r);
    default:
        return scan_unknown(&r->s, "unknown-linkage", "word of the linkage", word, n, kinds, KINDS);
    }
}

/* ---- vertices of primitives and patches ---- */

unsigned rogue_vertices_in(const struct rogue_linkage *l, enum ir_stage stage)
{
    static const uint8_t vertices[] = {[IR_PRIM_POINTS] = 1,
                                       [IR_PRIM_LINES] = 2,
                                       [IR_PRIM_LINE_LOOP] = 2,
                                       [IR_PRIM_LINE_STRIP] = 2,
                                       [IR_PRIM_TRIANGLES] = 3,
                                       [IR_PRIM_TRIANGLE_STRIP] = 3,
                                       [IR_PRIM_TRIANGLE_FAN] = 3,
                                       [IR_PRIM_LINES_ADJACENCY] = 4,
                                       [IR_PRIM_LINE_STRIP_ADJACENCY] = 4,
                                       [IR_PRIM_TRIANGLES_ADJACENCY] = 6,
                                       [IR_PRIM_TRIANGLE_STRIP_ADJACENCY] = 6};
    if (stage == IR_TESS_CTRL || stage == IR_TESS_EVAL)
        return ROGUE_PATCH_VERTICES;
    return stage == IR_GEOMETRY && l->geometry.input < sizeof vertices ? vertices[l->geometry.input] : 0;
}

static bool check_vertices(const struct reader *r, weft_diags *diags)
{
    unsigned vertices = rogue_vertices_in(r->out, r->stage);
    if (r->stage == IR_GEOMETRY && vertices == 0) {
        diag_add(diags, WEFT_ERROR, "unknown-linkage", NULL, "points, lines, triangles, or these with adjacency",
                 "a geometry program takes no %s", linkage_primitives[r->out->geometry.input]);
        return false;
    }
    for (uint32_t i = 0; i < r->out->nplaces; i++)
        if (r->out->places[i].vertex && r->out->places[i].vertex >= vertices) {
            diag_add(diags, WEFT_ERROR, "out-of-range", NULL, NULL,
                     "the linkage asks for vertex %u of primitives that have %u", r->out->places[i].vertex, vertices);
            return false;
        }
    return true;
}

/* ---- without lines ---- */

static void default_vector(struct reader *r, bool output, uint8_t semantic, uint16_t index, enum rogue_where where,
                           uint32_t first, uint32_t step)
{
    for (uint8_t c = 0; c < 4; c++)
        add_place(r, &(struct rogue_place){.output = output,
                                           .semantic = semantic,
                                           .index = index,
                                           .component = c,
                                           .where = (uint8_t)where,
                                           .number = first + c * step,
                                           .sysval = -1,
                                           .format = -1});
}

static void default_sysval(struct reader *r, enum ir_sysval which, uint8_t component, uint32_t number)
{
    add_place(
        r, &(struct rogue_place){
               .sysval = (int16_t)which, .component = component, .where = ROGUE_AT_VI, .number = number, .format = -1});
}

/* Position and varyings as a vertex program writes them. */
static void default_vertex_outputs(struct reader *r)
{
    default_vector(r, true, IR_SEM_POSITION, 0, ROGUE_AT_VO, 0, 1);
    for (uint16_t n = 0; n < MOST_VARYINGS; n++)
        default_vector(r, true, IR_SEM_GENERIC, n, ROGUE_AT_VO, 4u + 4u * n, 1);
}

/* Vertex v of a primitive or patch, position first: vi4 + 36 v and so on; vi0 to vi3 are the stage's. */
static void default_vertices(struct reader *r)
{
    enum { FIRST = 4, STRIDE = 4 * (1 + MOST_VARYINGS), VERTICES = 6 };
    unsigned vertices = rogue_vertices_in(r->out, r->stage);
    for (uint8_t v = 0; v < VERTICES && v < vertices; v++)
        for (uint16_t n = 0; n <= MOST_VARYINGS; n++)
            for (uint8_t c = 0; c < 4; c++)
                add_place(r, &(struct rogue_place){.semantic = n ? IR_SEM_GENERIC : IR_SEM_POSITION,
                                                   .index = n ? (uint16_t)(n - 1) : 0,
                                                   .component = c,
                                                   .where = ROGUE_AT_VI,
                                                   .vertex = v,
                                                   .number = FIRST + (uint32_t)STRIDE * v + 4u * n + c,
                                                   .sysval = -1,
                                                   .format = -1});
}

/* Levels at t0 to t5, of patches what follows at t8 and vi220. */
static void default_patch(struct reader *r, bool output)
{
    enum { MOST_PATCH = 7, WORDS = 8, REGISTERS = 220 };
    static const struct {
        uint8_t semantic, count, word;
    } levels[] = {{IR_SEM_TESSOUTER, 4, 0}, {IR_SEM_TESSINNER, 2, 4}};
    for (unsigned i = 0; output && i < 2; i++)
        for (uint8_t c = 0; c < levels[i].count; c++)
            add_place(r, &(struct rogue_place){.output = true,
                                               .semantic = levels[i].semantic,
                                               .component = c,
                                               .where = ROGUE_AT_T,
                                               .patch = true,
                                               .number = levels[i].word + (uint32_t)c,
                                               .sysval = -1,
                                               .format = -1});
    for (uint16_t n = 0; n < MOST_PATCH; n++)
        for (uint8_t c = 0; c < 4; c++)
            add_place(r, &(struct rogue_place){.output = output,
                                               .semantic = IR_SEM_PATCH,
                                               .index = n,
                                               .component = c,
                                               .patch = true,
                                               .where = output ? ROGUE_AT_T : ROGUE_AT_VI,
                                               .number = (output ? (uint32_t)WORDS : (uint32_t)REGISTERS) + 4u * n + c,
                                               .sysval = -1,
                                               .format = -1});
}

static void default_places(struct reader *r)
{
    switch (r->stage) {
    case IR_FRAGMENT:
        add_place(r, &(struct rogue_place){.where = ROGUE_AT_CF, .one_over_w = true, .sysval = -1, .format = -1});
        for (uint16_t n = 0; n < MOST_VARYINGS; n++)
            default_vector(r, false, IR_SEM_GENERIC, n, ROGUE_AT_CF, SET + 4u * SET * n, SET);
        default_vector(r, true, IR_SEM_COLOR, 0, ROGUE_AT_O, 0, 1);
        break;
    case IR_VERTEX:
        for (uint16_t n = 0; n < MOST_ATTRIBUTES; n++)
            default_vector(r, false, IR_SEM_GENERIC, n, ROGUE_AT_VI, 4u * n, 1);
        default_vertex_outputs(r);
        break;
    case IR_GEOMETRY:
    case IR_TESS_CTRL:
        default_sysval(r, IR_SYS_INVOCATION_ID, 0, 0);
        default_sysval(r, IR_SYS_PRIM_ID, 0, 1);
        default_vertices(r);
        default_vertex_outputs(r);
        if (r->stage == IR_TESS_CTRL)
            default_patch(r, true);
        break;
    case IR_TESS_EVAL:
        for (uint8_t c = 0; c < 3; c++)
            default_sysval(r, IR_SYS_TESS_COORD, c, c);
        default_vertices(r);
        default_patch(r, false);
        default_vertex_outputs(r);
        break;
    default:
        for (uint8_t c = 0; c < 3; c++) {
            default_sysval(r, IR_SYS_THREAD_ID, c, c);
            default_sysval(r, IR_SYS_BLOCK_ID, c, 3u + c);
        }
        break;
    }
}

static void default_shared(struct reader *r)
{
    if (r->stage == IR_COMPUTE)
        for (uint32_t n = 0; n < 4; n++)
            add_shared(r, &(struct rogue_shared_range){
                              .kind = ROGUE_SH_STORAGE_ADDRESS, .first = 2 * n, .count = 2, .number = n});
    else
        add_shared(r, &(struct rogue_shared_range){.kind = ROGUE_SH_CONSTANTS, .count = MOST_REGISTERS});
}

weft_status rogue_read_linkage(const struct isa_linkage *text, enum ir_stage stage, struct arena *arena,
                               struct rogue_linkage *out, weft_diags *diags)
{
    struct reader r = {.out = out, .stage = stage};
    *out =
        (struct rogue_linkage){.block = {1, 1, 1},
                               .geometry = {IR_PRIM_TRIANGLES, IR_PRIM_TRIANGLE_STRIP, 256, 1},
                               .tessellation = {.vertices = 3, .mode = IR_PRIM_TRIANGLES, .spacing = IR_SPACING_EQUAL}};
    weft_status status = linkage_read(&r.s, text, arena, diags, read_line, &r);
    /* What lines say of a kind is all there is of it. */
    for (uint32_t i = 0; i < out->nplaces; i++) {
        r.has_outputs |= out->places[i].output;
        r.has_inputs |= !out->places[i].output;
    }
    default_places(&r);
    if (!out->nshared)
        default_shared(&r);
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    return status == WEFT_OK && !check_vertices(&r, diags) ? WEFT_ERROR_INPUT : status;
}
