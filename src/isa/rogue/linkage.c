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

struct reader {
    struct scan s;
    struct rogue_linkage *out;
    enum ir_stage stage;
    size_t places_cap, shared_cap, breakpoints_cap;
    bool has_inputs, has_outputs; /* lines said some: the defaults of the kind are left out */
};

/* ---- parts of lines ---- */

/* One of the words, which has to be next: its number; -1 after an error, which says what is expected, or of another
 * word what it is not. */
static int choice(struct reader *r, const char *const *words, size_t count, const char *code, const char *what,
                  const char *expected)
{
    const char *word;
    size_t n = scan_word(&r->s, &word);
    int i = n ? scan_word_index(word, n, words, count) : -1;
    if (i < 0 && n && code)
        scan_unknown(&r->s, code, what, word, n, words, count);
    else if (i < 0) {
        r->s.p = n ? word : r->s.p;
        scan_expected(&r->s, expected);
    }
    return i;
}

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
        uint16_t count;
    } banks[] = {
        [ROGUE_AT_VI] = {"vi", false, true, ROGUE_VERTEX_INPUTS}, [ROGUE_AT_R] = {"r", true, true, ROGUE_TEMPORARIES},
        [ROGUE_AT_CF] = {"cf", false, true, ROGUE_COEFFICIENTS},  [ROGUE_AT_VO] = {"vo", true, false, MOST_REGISTERS},
        [ROGUE_AT_O] = {"o", true, false, ROGUE_PIXEL_OUTPUTS},   [ROGUE_AT_T] = {"t", true, false, MOST_REGISTERS}};
    scan_blanks(&r->s);
    const char *from = r->s.p;
    for (unsigned i = 0; i < sizeof banks / sizeof *banks; i++) {
        size_t length = strlen(banks[i].name);
        if (strncmp(from, banks[i].name, length) != 0 || !scan_is(from[length], SCAN_DIGIT) ||
            !(p->output ? banks[i].output : banks[i].input))
            continue;
        p->where = (uint8_t)i;
        r->s.p += length;
        return scan_number_to(&r->s, banks[i].count - 1u, &p->number);
    }
    return scan_expected(&r->s, p->output ? "a register: vo, t, o or r and its number"
                                          : "a register: vi, cf or r and its number");
}

static bool add_place(struct reader *r, struct rogue_place p)
{
    if (p.output ? r->has_outputs : r->has_inputs)
        return true;
    struct rogue_linkage *out = r->out;
    struct rogue_place *grown =
        arena_grow(r->s.arena, out->places, sizeof *grown, out->nplaces, &r->places_cap, (size_t)out->nplaces + 1);
    if (!grown)
        return false;
    out->places = grown;
    grown[out->nplaces++] = p;
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
static bool read_shared(void *reader)
{
    struct reader *r = reader;
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
    int kind = choice(r, words, WORDS, "unknown-linkage", "thing in shared registers",
                      "constants, uniform, storage, texture, sampler, image, texture_address or texels");
    if (kind < 0)
        return false;
    range.kind = (uint8_t)kind;
    range.count = range.count ? range.count : spans[kind] ? spans[kind] : 1;
    if (!scan_number_to(&r->s, most[kind] - 1u, &range.number) || (kind == ROGUE_SH_TEXELS && !read_texels(r, &range)))
        return false;
    if (!scan_at_line_end(&r->s) && !scan_number_to(&r->s, MOST_BYTES, &range.offset))
        return false;
    return add_shared(r, &range);
}

/* dc constants B [OFFSET] */
static bool read_dynamic(void *reader)
{
    struct reader *r = reader;
    static const char *const words[] = {"constants"};
    return choice(r, words, 1, NULL, NULL, "constants") == 0 &&
           scan_number_to(&r->s, ROGUE_BUFFERS - 1, &r->out->dynamic.number) &&
           (scan_at_line_end(&r->s) || scan_number_to(&r->s, MOST_BYTES, &r->out->dynamic.offset));
}

/* breakpoint ADDRESS HANDLER */
static bool read_breakpoint(void *reader)
{
    struct reader *r = reader;
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
    int code = n ? scan_word_index(word, n, f->words, SIZE_MAX) : -1;
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
        static const char *const expected[] = {"flat, linear or the end of the line", "vertex or the end of the line"};
        int i = p->output ? choice(r, words, 0, NULL, NULL, "the end of the line")
                          : choice(r, words, of_vertices ? 3 : 2, NULL, NULL, expected[of_vertices]);
        if (i < 0)
            return false;
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

static bool read_connection(struct reader *r, bool output)
{
    struct rogue_place p = {.output = output, .sysval = -1, .format = -1};
    bool whole;
    if (!semantic(r, &p, &whole))
        return false;
    p.patch = is_of_patch(p.semantic);
    if (!place(r, &p) || (output && whole && !format(r, &p)) || !read_qualifiers(r, &p))
        return false;
    return add_place(r, p);
}

static bool read_sysval(void *reader)
{
    struct reader *r = reader;
    const char *names[SYSVAL_WORDS];
    for (size_t i = 0; i < SYSVAL_WORDS; i++)
        names[i] = sysvals[i].name;
    struct rogue_place p = {.sysval = -1, .format = -1};
    int found = choice(r, names, SYSVAL_WORDS, "unknown-sysval", "system value", "the name of a system value");
    if (found < 0)
        return false;
    p.sysval = sysvals[found].sysval;
    if (scan_take(&r->s, '.') && !linkage_component(&r->s, &p.component))
        return false;
    scan_blanks(&r->s);
    const char *from = r->s.p;
    if (!place(r, &p))
        return false;
    if (p.where != ROGUE_AT_CF)
        return add_place(r, p);
    r->s.p = from;
    return scan_expected(&r->s, "vi or r and its number");
}

static bool read_texture(void *reader)
{
    struct reader *r = reader;
    uint32_t n;
    if (!scan_number_to(&r->s, ROGUE_TEXTURES - 1, &n))
        return false;
    struct rogue_view *v = &r->out->view[n];
    *v = (struct rogue_view){.known = true};
    if (!linkage_dim(&r->s, false, "kind of texture", &v->dim))
        return false;
    const struct linkage_flag flags[] = {{"array", &v->array}, {"shadow", &v->shadow}};
    return linkage_flags(&r->s, flags, 2, "array, shadow or the end of the line");
}

static bool primitive(struct reader *r, uint8_t *out)
{
    return linkage_primitive(&r->s, LINKAGE_PRIMITIVES, out);
}

/* geometry IN OUT MOST [INVOCATIONS] */
static bool read_geometry(void *reader)
{
    struct reader *r = reader;
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
static bool read_evaluation(void *reader)
{
    struct reader *r = reader;
    struct rogue_tessellation *t = &r->out->tessellation;
    if (!primitive(r, &t->mode))
        return false;
    int spacing = choice(r, spacings, 3, "unknown-linkage", "spacing", "equal, odd or even");
    t->spacing = (uint8_t)spacing;
    const struct linkage_flag flags[] = {{"cw", &t->cw}, {"points", &t->points}};
    return spacing >= 0 && linkage_flags(&r->s, flags, 2, "cw, points or the end of the line");
}

static bool read_control(void *reader)
{
    struct reader *r = reader;
    uint32_t vertices;
    if (!scan_number_to(&r->s, ROGUE_PATCH_VERTICES, &vertices))
        return false;
    r->out->tessellation.vertices = (uint8_t)vertices;
    return true;
}

static bool read_input(void *reader)
{
    return read_connection(reader, false);
}

static bool read_output(void *reader)
{
    return read_connection(reader, true);
}

static bool read_block(void *reader)
{
    static const uint32_t most_threads[] = {512, 512, 64};
    struct reader *r = reader;
    return linkage_block(&r->s, most_threads, r->out->block);
}

static const struct linkage_word line_words[] = {
    {"sh", read_shared},            {"in", read_input},        {"out", read_output},
    {"sysval", read_sysval},        {"texture", read_texture}, {"block", read_block},
    {"geometry", read_geometry},    {"dc", read_dynamic},      {"breakpoint", read_breakpoint},
    {"tess_control", read_control}, {"tess_evaluation", read_evaluation},
};

static bool read_line(void *reader)
{
    struct reader *r = reader;
    return linkage_word(&r->s, line_words, sizeof line_words / sizeof *line_words, r);
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

/* Inputs and outputs of programs whose linkage has none, in the order of their slots: `count` vectors of so many
 * components, one after the other in registers from `first` on, `step` apart. */
enum { VECTOR = 4, OF_VERTEX = VECTOR * (1 + MOST_VARYINGS), MOST_PATCH = 7 };
enum {
    VERTEX = 1 << IR_VERTEX,
    FRAGMENT = 1 << IR_FRAGMENT,
    COMPUTE = 1 << IR_COMPUTE,
    CONTROL = 1 << IR_TESS_CTRL,
    EVALUATION = 1 << IR_TESS_EVAL,
    PRIMITIVES = 1 << IR_GEOMETRY | CONTROL
};
/* What else is said of them: SYSTEM values; the first is the POSITION; of each of the vertices, at most 6 (VERTICES).
 */
enum { OUTPUT = 1, SYSTEM = 2, POSITION = 4, VERTICES = 8, PATCH = 16, ONE_OVER_W = 32 };
static const struct rule {
    uint8_t stages, flags;
    uint8_t what; /* enum ir_semantic, of SYSTEM enum ir_sysval */
    uint8_t count, components;
    uint8_t where, first, step;
} rules[] = {
    {FRAGMENT, ONE_OVER_W, 0, 1, 1, ROGUE_AT_CF, 0, SET},
    {FRAGMENT, 0, IR_SEM_GENERIC, MOST_VARYINGS, VECTOR, ROGUE_AT_CF, SET, SET},
    {FRAGMENT, OUTPUT, IR_SEM_COLOR, 1, VECTOR, ROGUE_AT_O, 0, 1},
    {VERTEX, 0, IR_SEM_GENERIC, MOST_ATTRIBUTES, VECTOR, ROGUE_AT_VI, 0, 1},
    {PRIMITIVES, SYSTEM, IR_SYS_INVOCATION_ID, 1, 1, ROGUE_AT_VI, 0, 1},
    {PRIMITIVES, SYSTEM, IR_SYS_PRIM_ID, 1, 1, ROGUE_AT_VI, 1, 1},
    {EVALUATION, SYSTEM, IR_SYS_TESS_COORD, 1, 3, ROGUE_AT_VI, 0, 1},
    {PRIMITIVES | EVALUATION, POSITION | VERTICES, IR_SEM_GENERIC, 1 + MOST_VARYINGS, VECTOR, ROGUE_AT_VI, 4, 1},
    {EVALUATION, PATCH, IR_SEM_PATCH, MOST_PATCH, VECTOR, ROGUE_AT_VI, 220, 1},
    {VERTEX | PRIMITIVES | EVALUATION, OUTPUT | POSITION, IR_SEM_GENERIC, 1 + MOST_VARYINGS, VECTOR, ROGUE_AT_VO, 0, 1},
    {CONTROL, OUTPUT | PATCH, IR_SEM_TESSOUTER, 1, 4, ROGUE_AT_T, 0, 1},
    {CONTROL, OUTPUT | PATCH, IR_SEM_TESSINNER, 1, 2, ROGUE_AT_T, 4, 1},
    {CONTROL, OUTPUT | PATCH, IR_SEM_PATCH, MOST_PATCH, VECTOR, ROGUE_AT_T, 8, 1},
    {COMPUTE, SYSTEM, IR_SYS_THREAD_ID, 1, 3, ROGUE_AT_VI, 0, 1},
    {COMPUTE, SYSTEM, IR_SYS_BLOCK_ID, 1, 3, ROGUE_AT_VI, 3, 1},
};

/* Component c of vector n, of vertex v. */
static struct rogue_place place_by(const struct rule *rule, uint8_t v, uint16_t n, uint8_t c)
{
    bool system = rule->flags & SYSTEM, position = rule->flags & POSITION;
    return (struct rogue_place){.output = rule->flags & OUTPUT,
                                .semantic = system           ? 0
                                            : position && !n ? IR_SEM_POSITION
                                                             : rule->what,
                                .index = position && n ? (uint16_t)(n - 1) : n,
                                .component = c,
                                .where = rule->where,
                                .vertex = v,
                                .patch = rule->flags & PATCH,
                                .one_over_w = rule->flags & ONE_OVER_W,
                                .number =
                                    rule->first + (uint32_t)OF_VERTEX * v + (VECTOR * n + c) * (uint32_t)rule->step,
                                .sysval = system ? rule->what : -1,
                                .format = -1};
}

static void default_places(struct reader *r)
{
    enum { MOST_VERTICES = 6 };
    unsigned vertices = rogue_vertices_in(r->out, r->stage);
    for (const struct rule *rule = rules; rule < rules + sizeof rules / sizeof *rules; rule++) {
        unsigned times = !(rule->flags & VERTICES) ? 1 : vertices < MOST_VERTICES ? vertices : MOST_VERTICES;
        for (uint8_t v = 0; rule->stages >> r->stage & 1 && v < times; v++)
            for (uint16_t n = 0; n < rule->count; n++)
                for (uint8_t c = 0; c < rule->components; c++)
                    add_place(r, place_by(rule, v, n, c));
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
