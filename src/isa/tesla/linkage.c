/* linkage.c - reading linkage lines, and the linkage of programs that come without any (docs/manual/tesla.md). */
#include "isa/tesla/linkage.h"

#include "isa/linkage.h"

#include <string.h>

enum {
    REGISTERS = 128,
    SHARED = 0x4000,
    LOCAL = 0x1000,
    MOST_SHARED = 0x4000,
    SHARED_STEP = 0x40,
    LEAST_LOCAL = 0x10,
    CONSTANT_BINDINGS = 32,
    MOST_ATTRIBUTES = 16,
    MOST_VARYINGS = 8,
    MOST_REGISTERS = 256,
    MOST_BYTES = 0x10000,
    PRIMITIVES = IR_PRIM_TRIANGLE_FAN + 1 /* those that a geometry program can name */
};

/* ---- words ---- */

enum {
    SEMANTICS = 1u << IR_SEM_POSITION | 1u << IR_SEM_COLOR | 1u << IR_SEM_BCOLOR | 1u << IR_SEM_FOG |
                1u << IR_SEM_PSIZE | 1u << IR_SEM_GENERIC | 1u << IR_SEM_NORMAL | 1u << IR_SEM_FACE |
                1u << IR_SEM_EDGEFLAG | 1u << IR_SEM_PRIMID | 1u << IR_SEM_STENCIL | 1u << IR_SEM_CLIPDIST |
                1u << IR_SEM_CULLDIST | 1u << IR_SEM_CLIPVERTEX | 1u << IR_SEM_TEXCOORD | 1u << IR_SEM_PCOORD |
                1u << IR_SEM_LAYER | 1u << IR_SEM_VIEWPORT_INDEX | 1u << IR_SEM_SAMPLEMASK
};

static const struct {
    const char *name;
    int16_t sysval;
} sysvals[] = {
    {"VERTEXID", IR_SYS_VERTEX_ID},
    {"INSTANCEID", IR_SYS_INSTANCE_ID},
    {"PRIMID", IR_SYS_PRIM_ID},
    {"SAMPLEID", IR_SYS_SAMPLE_ID},
    {"INVOCATIONID", IR_SYS_INVOCATION_ID},
    {"BASEVERTEX", IR_SYS_BASE_VERTEX},
    {"BASEINSTANCE", IR_SYS_BASE_INSTANCE},
    {"DRAWID", IR_SYS_DRAW_ID},
};

/* ---- reading ---- */

struct reader {
    struct scan s;
    struct tesla_linkage *out;
    enum ir_stage stage;
    size_t cap;
    weft_diags *diags;
    const char *number; /* where the last number of bytes is */
};

/* `local bytes N`: the word is for people. */
static bool bytes(struct reader *r, uint32_t most, uint32_t *out)
{
    const char *word;
    scan_blanks(&r->s);
    if (scan_is(*r->s.p, SCAN_LETTER)) {
        size_t n = scan_word(&r->s, &word);
        if (!scan_word_is(word, n, "bytes"))
            return scan_error(&r->s, scan_span(&r->s, word), "syntax", NULL, "expected 'bytes' or a number");
    }
    scan_blanks(&r->s);
    r->number = r->s.p;
    return scan_number_to(&r->s, most, out);
}

/* The chip's next size, and a warning where it is another one. */
static bool round_size(struct reader *r, uint32_t size, uint32_t *is, const char *sizes)
{
    if (size != *is)
        diag_at(r->diags, WEFT_WARNING, "rounded", r->s.src, scan_span(&r->s, r->number), NULL,
                "the chip has no such size, but %s: taken as 0x%x", sizes, size);
    *is = size;
    return true;
}

static bool read_shared(void *reader)
{
    struct reader *r = reader;
    uint32_t *is = &r->out->shared_bytes;
    return bytes(r, MOST_SHARED, is) &&
           round_size(r, (*is + SHARED_STEP - 1) / SHARED_STEP * SHARED_STEP, is, "multiples of 0x40 up to 0x4000");
}

static bool read_local(void *reader)
{
    struct reader *r = reader;
    uint32_t *is = &r->out->local_bytes, size = LEAST_LOCAL;
    if (!bytes(r, MOST_BYTES, is))
        return false;
    while (size < *is)
        size *= 2;
    return round_size(r, *is ? size : 0, is, "0 and powers of two from 0x10 to 0x10000");
}

/* NAME[index].component of a semantic. */
static bool semantic(struct reader *r, struct tesla_place *p)
{
    return linkage_semantic(&r->s, SEMANTICS, &p->semantic, &p->index) &&
           (!scan_take(&r->s, '.') || linkage_component(&r->s, &p->component));
}

/* a[0x10], v[0x4], o[0x0], $r3. */
static bool place(struct reader *r, struct tesla_place *p)
{
    scan_blanks(&r->s);
    if (scan_take(&r->s, '$')) {
        if (!scan_need(&r->s, 'r'))
            return false;
        p->where = TESLA_IN_R;
        return scan_number_to(&r->s, REGISTERS - 1, &p->offset);
    }
    const char *space = *r->s.p ? strchr("avop", *r->s.p) : NULL;
    if (!space)
        return scan_expected(&r->s, "a place: a[], v[], o[], p[] or $r");
    p->where = (uint8_t)(space - "avop");
    scan_take(&r->s, *r->s.p);
    if (!scan_need(&r->s, '[') || !scan_number_to(&r->s, 0xffff, &p->offset) || !scan_need(&r->s, ']'))
        return false;
    if (r->stage == IR_GEOMETRY && p->where == TESLA_IN_A && p->sysval < 0)
        p->where = TESLA_IN_P; /* a place in a vertex of p[] */
    return true;
}

static bool add_place(struct reader *r, const struct tesla_place *p)
{
    struct tesla_place *grown =
        arena_grow(r->s.arena, r->out->places, sizeof *grown, r->out->nplaces, &r->cap, (size_t)r->out->nplaces + 1);
    if (!grown)
        return false;
    r->out->places = grown;
    grown[r->out->nplaces++] = *p;
    return true;
}

static bool read_place(struct reader *r, bool output)
{
    bool perspective;
    struct tesla_place p = {.output = output, .sysval = -1};
    const struct linkage_flag flags[] = {
        {"flat", &p.flat}, {"linear", &p.linear}, {"centroid", &p.centroid}, {"perspective", &perspective}};
    return semantic(r, &p) && place(r, &p) &&
           linkage_flags(&r->s, flags, 4, "flat, linear, centroid or the end of the line") && add_place(r, &p);
}

static bool read_in(void *reader)
{
    return read_place(reader, false);
}

static bool read_out(void *reader)
{
    return read_place(reader, true);
}

/* Values of the grid that programs find in s[] and $r0 have lines too; they say nothing that is not known. */
static bool read_sysval(void *reader)
{
    struct reader *r = reader;
    const char *word;
    size_t n = scan_word(&r->s, &word);
    struct tesla_place p = {.sysval = -1};
    if (!n)
        return scan_expected(&r->s, "the name of a system value");
    for (size_t i = 0; i < sizeof sysvals / sizeof *sysvals; i++)
        if (scan_word_is(word, n, sysvals[i].name))
            p.sysval = sysvals[i].sysval;
    return p.sysval >= 0 && place(r, &p) && add_place(r, &p); /* of others the rest of the line is not read */
}

static bool read_texture(void *reader)
{
    struct reader *r = reader;
    uint32_t n;
    if (!scan_number_to(&r->s, TESLA_TEXTURES - 1, &n))
        return false;
    struct tesla_view *v = &r->out->view[n];
    const struct linkage_flag flags[] = {{"array", &v->array},
                                         {"shadow", &v->shadow},
                                         {"multisample", &v->multisample},
                                         {"integer", &v->integer}};
    *v = (struct tesla_view){.known = true};
    return linkage_dim(&r->s, true, "kind of texture", &v->dim) &&
           linkage_flags(&r->s, flags, 4, "array, shadow, multisample, integer or the end of the line");
}

/* global N linear, global N 2d PITCH. */
static bool read_global(void *reader)
{
    struct reader *r = reader;
    static const char *const modes[] = {"linear", "2d"};
    uint32_t n;
    if (!scan_number_to(&r->s, 15, &n))
        return false;
    scan_blanks(&r->s);
    const char *word = r->s.p; /* 2d begins with a digit */
    size_t length = scan_word_length(word);
    int mode = scan_word_index(word, length, modes, 2);
    if (mode < 0)
        return scan_unknown(&r->s, "unknown-mode", "mode of a global space", word, length, modes, 2);
    r->s.last = r->s.p += length;
    r->out->pitch[n] = 0;
    return mode == 0 || scan_number_to(&r->s, MOST_BYTES, &r->out->pitch[n]);
}

/* bind c0 16, bind t0 5, bind s0 5. */
static bool read_bind(void *reader)
{
    struct reader *r = reader;
    struct tesla_linkage *out = r->out;
    const struct {
        char letter;
        uint8_t *binding;
        uint32_t count, bindings;
    } kinds_of[] = {{'c', out->constant, TESLA_CONSTANTS, CONSTANT_BINDINGS},
                    {'t', out->texture, TESLA_TEXTURES, TESLA_TEXTURES},
                    {'s', out->sampler, TESLA_SAMPLERS, TESLA_TEXTURES}};
    scan_blanks(&r->s);
    for (size_t i = 0; i < sizeof kinds_of / sizeof *kinds_of; i++) {
        uint32_t number, binding;
        if (!scan_take(&r->s, kinds_of[i].letter))
            continue;
        if (!scan_number_to(&r->s, kinds_of[i].count - 1, &number) ||
            !scan_number_to(&r->s, kinds_of[i].bindings - 1, &binding))
            return false;
        kinds_of[i].binding[number] = (uint8_t)binding;
        return true;
    }
    return scan_expected(&r->s, "c0 to c15, t0 to t129 or s0 to s31");
}

static bool read_samplers(void *reader)
{
    struct reader *r = reader;
    static const char *const modes[] = {"linked", "separate"};
    const char *word;
    size_t n = scan_word(&r->s, &word);
    int mode = n ? scan_word_index(word, n, modes, 2) : -1;
    if (mode < 0) {
        r->s.p = n ? word : r->s.p;
        return scan_expected(&r->s, "linked or separate");
    }
    r->out->linked_samplers = mode == 0;
    return true;
}

/* In halves, as the compilers count them. */
static bool read_registers(void *reader)
{
    struct reader *r = reader;
    uint32_t halves = 0;
    bool fine = scan_number_to(&r->s, MOST_REGISTERS, &halves);
    if (fine)
        r->out->registers = (halves + 1) / 2;
    return fine;
}

static bool read_parameters(void *reader)
{
    struct reader *r = reader;
    return bytes(r, MOST_BYTES, &r->out->parameter_bytes);
}

static bool read_block(void *reader)
{
    static const uint32_t most_threads[] = {512, 512, 64};
    struct reader *r = reader;
    return linkage_block(&r->s, most_threads, r->out->block);
}

static bool read_control(void *reader)
{
    struct reader *r = reader;
    return scan_number_to(&r->s, UINT32_MAX, &r->out->control);
}

static bool read_call_limit(void *reader)
{
    struct reader *r = reader;
    return scan_number_to(&r->s, 255, &r->out->call_limit);
}

static bool read_geometry(void *reader)
{
    struct reader *r = reader;
    return linkage_primitive(&r->s, PRIMITIVES, &r->out->input_primitive) &&
           linkage_primitive(&r->s, PRIMITIVES, &r->out->output_primitive) &&
           scan_number_to(&r->s, 1024, &r->out->max_vertices);
}

static const struct linkage_word words[] = {
    {"registers", read_registers},   {"local", read_local},     {"shared", read_shared},
    {"parameters", read_parameters}, {"block", read_block},     {"control", read_control},
    {"call_limit", read_call_limit}, {"in", read_in},           {"out", read_out},
    {"sysval", read_sysval},         {"texture", read_texture}, {"geometry", read_geometry},
    {"global", read_global},         {"bind", read_bind},       {"samplers", read_samplers},
};

static bool read_line(void *reader)
{
    struct reader *r = reader;
    return linkage_word(&r->s, words, sizeof words / sizeof *words, r);
}

/* ---- without lines ---- */

static void default_vector(struct reader *r, bool output, uint8_t semantic, uint16_t index, enum tesla_where where,
                           uint32_t offset, uint32_t step)
{
    for (uint8_t c = 0; c < 4; c++)
        add_place(r, &(struct tesla_place){.output = output,
                                           .semantic = semantic,
                                           .index = index,
                                           .component = c,
                                           .where = (uint8_t)where,
                                           .offset = offset + c * step,
                                           .sysval = -1});
}

static void default_places(struct reader *r)
{
    bool geometry = r->stage == IR_GEOMETRY;
    if (r->stage == IR_FRAGMENT) {
        for (uint16_t n = 0; n < MOST_VARYINGS; n++)
            default_vector(r, false, IR_SEM_GENERIC, n, TESLA_IN_V, 4 + 16u * n, 4);
        default_vector(r, true, IR_SEM_COLOR, 0, TESLA_IN_R, 0, 1);
    } else if (r->stage == IR_VERTEX || geometry) {
        if (geometry)
            default_vector(r, false, IR_SEM_POSITION, 0, TESLA_IN_P, 0, 4);
        for (uint16_t n = 0; n < (geometry ? MOST_VARYINGS : MOST_ATTRIBUTES); n++)
            default_vector(r, false, IR_SEM_GENERIC, n, geometry ? TESLA_IN_P : TESLA_IN_A, 16u * (n + geometry), 4);
        default_vector(r, true, IR_SEM_POSITION, 0, TESLA_IN_O, 0, 4);
        for (uint16_t n = 0; n < MOST_VARYINGS; n++)
            default_vector(r, true, IR_SEM_GENERIC, n, TESLA_IN_O, 16u * (n + 1), 4);
    }
}

weft_status tesla_read_linkage(const struct isa_linkage *text, enum ir_stage stage, struct arena *arena,
                               struct tesla_linkage *out, weft_diags *diags)
{
    struct reader r = {.out = out, .stage = stage, .diags = diags};
    *out = (struct tesla_linkage){.registers = REGISTERS,
                                  .local_bytes = LOCAL,
                                  .shared_bytes = SHARED,
                                  .block = {1, 1, 1},
                                  .input_primitive = IR_PRIM_TRIANGLES,
                                  .output_primitive = IR_PRIM_TRIANGLE_STRIP,
                                  .max_vertices = 256};
    for (uint8_t i = 0; i < TESLA_TEXTURES; i++) {
        out->texture[i] = i;
        if (i < TESLA_CONSTANTS)
            out->constant[i] = i;
        if (i < TESLA_SAMPLERS)
            out->sampler[i] = i;
    }
    weft_status status = linkage_read(&r.s, text, arena, diags, read_line, &r);
    /* A list of inputs and outputs is all there are. */
    out->given = out->nplaces != 0;
    if (!out->given)
        default_places(&r);
    return arena_failed(arena) ? WEFT_ERROR_MEMORY : status;
}
