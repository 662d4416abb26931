/* linkage.c - lines of linkages, and the parts of them that several instruction sets have. */
#include "isa/linkage.h"

#include <string.h>

/* Lines may begin with .link, as those of jobs do. */
static void skip_link(struct scan *s)
{
    if (*s->p != '.' || !scan_word_is(s->p + 1, scan_word_length(s->p + 1), "link"))
        return;
    s->p += strlen(".link");
    s->last = s->p;
    scan_blanks(s);
}

weft_status linkage_read(struct scan *s, const struct isa_linkage *text, struct arena *arena, weft_diags *diags,
                         linkage_line *line, void *reader)
{
    static const struct source none = {"", "", 0};
    if (!scan_start(s, text ? &text->source : &none, SCAN_HASH, arena, diags))
        return WEFT_ERROR_MEMORY;
    scan_at_line_end(s);
    if (*s->p == '\n')
        scan_next_line(s);
    while (s->p < s->end) {
        skip_link(s);
        if (line(reader))
            scan_expect_line_end(s);
        scan_next_line(s);
    }
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    return s->errors ? WEFT_ERROR_INPUT : WEFT_OK;
}

bool linkage_word(struct scan *s, const struct linkage_word *words, size_t count, void *reader)
{
    enum { MOST = 32 };
    const char *word, *names[MOST];
    size_t n = scan_word(s, &word), known = 0;
    if (!n)
        return scan_expected(s, "a word of the linkage");
    for (size_t i = 0; i < count; i++)
        if (scan_word_is(word, n, words[i].word))
            return words[i].read(reader);
    for (; known < count && known < MOST; known++)
        names[known] = words[known].word;
    return scan_unknown(s, "unknown-linkage", "word of the linkage", word, n, names, known);
}

bool linkage_flags(struct scan *s, const struct linkage_flag *flags, size_t count, const char *expected)
{
    while (!scan_at_line_end(s)) {
        const char *word;
        size_t n = scan_word(s, &word), i = 0;
        while (i < count && !(n && scan_word_is(word, n, flags[i].word)))
            i++;
        if (i == count) {
            s->p = n ? word : s->p;
            return scan_expected(s, expected);
        }
        *flags[i].flag = true;
    }
    return true;
}

/* ---- inputs and outputs ---- */

static const struct {
    const char *name;
    uint8_t semantic;
} semantics[] = {
    {"POSITION", IR_SEM_POSITION},     {"COLOR", IR_SEM_COLOR},
    {"BCOLOR", IR_SEM_BCOLOR},         {"FOG", IR_SEM_FOG},
    {"PSIZE", IR_SEM_PSIZE},           {"GENERIC", IR_SEM_GENERIC},
    {"NORMAL", IR_SEM_NORMAL},         {"FACE", IR_SEM_FACE},
    {"EDGEFLAG", IR_SEM_EDGEFLAG},     {"PRIMID", IR_SEM_PRIMID},
    {"STENCIL", IR_SEM_STENCIL},       {"CLIPDIST", IR_SEM_CLIPDIST},
    {"CULLDIST", IR_SEM_CULLDIST},     {"CLIPVERTEX", IR_SEM_CLIPVERTEX},
    {"TEXCOORD", IR_SEM_TEXCOORD},     {"PCOORD", IR_SEM_PCOORD},
    {"LAYER", IR_SEM_LAYER},           {"VIEWPORT_INDEX", IR_SEM_VIEWPORT_INDEX},
    {"SAMPLEMASK", IR_SEM_SAMPLEMASK}, {"PATCH", IR_SEM_PATCH},
    {"TESSOUTER", IR_SEM_TESSOUTER},   {"TESSINNER", IR_SEM_TESSINNER},
};

enum { SEMANTICS = sizeof semantics / sizeof *semantics };

_Static_assert(IR_SEMANTICS <= 32, "a bit for each semantic");

bool linkage_semantic(struct scan *s, uint32_t known, uint8_t *semantic, uint16_t *index)
{
    const char *word, *names[SEMANTICS];
    uint8_t of_name[SEMANTICS];
    size_t count = 0, n = scan_word(s, &word);
    for (size_t i = 0; i < SEMANTICS; i++)
        if (known >> semantics[i].semantic & 1) {
            names[count] = semantics[i].name;
            of_name[count++] = semantics[i].semantic;
        }
    if (!n)
        return scan_expected(s, "the name of an input or output");
    int found = scan_word_index(word, n, names, count);
    if (found < 0)
        return scan_unknown(s, "unknown-semantic", "name of an input or output", word, n, names, count);
    uint32_t number = 0;
    if (scan_take(s, '[') && (!scan_number_to(s, UINT8_MAX, &number) || !scan_need(s, ']')))
        return false;
    *semantic = of_name[found];
    *index = (uint16_t)number;
    return true;
}

bool linkage_component(struct scan *s, uint8_t *component)
{
    const char *letter = *s->p ? strchr("xyzw", *s->p) : NULL;
    if (!letter)
        return scan_expected(s, "x, y, z or w");
    *component = (uint8_t)(letter - "xyzw");
    return scan_take(s, *letter);
}

/* ---- textures, primitives, workgroups ---- */

bool linkage_dim(struct scan *s, bool all, const char *what, uint8_t *dim)
{
    static const char *const dims[] = {[IR_TEX_1D] = "1D",     [IR_TEX_2D] = "2D",     [IR_TEX_3D] = "3D",
                                       [IR_TEX_CUBE] = "CUBE", [IR_TEX_RECT] = "RECT", [IR_TEX_BUFFER] = "BUFFER"};
    size_t count = all ? IR_TEX_BUFFER + 1 : IR_TEX_CUBE + 1;
    scan_blanks(s);
    const char *word = s->p; /* 2D begins with a digit */
    size_t n = scan_word_length(word);
    int found = n ? scan_word_index(word, n, dims, count) : -1;
    if (found < 0)
        return n ? scan_unknown(s, "unknown-texture", what, word, n, dims, count)
                 : scan_expected(s, all ? "1D, 2D, 3D, CUBE, RECT or BUFFER" : "1D, 2D, 3D or CUBE");
    s->last = s->p += n;
    *dim = (uint8_t)found;
    return true;
}

const char *const linkage_primitives[LINKAGE_PRIMITIVES] = {[IR_PRIM_POINTS] = "points",
                                                            [IR_PRIM_LINES] = "lines",
                                                            [IR_PRIM_LINE_LOOP] = "line_loop",
                                                            [IR_PRIM_LINE_STRIP] = "line_strip",
                                                            [IR_PRIM_TRIANGLES] = "triangles",
                                                            [IR_PRIM_TRIANGLE_STRIP] = "triangle_strip",
                                                            [IR_PRIM_TRIANGLE_FAN] = "triangle_fan",
                                                            [IR_PRIM_QUADS] = "quads",
                                                            [IR_PRIM_QUAD_STRIP] = "quad_strip",
                                                            [IR_PRIM_POLYGON] = "polygon",
                                                            [IR_PRIM_LINES_ADJACENCY] = "lines_adjacency",
                                                            [IR_PRIM_LINE_STRIP_ADJACENCY] = "line_strip_adjacency",
                                                            [IR_PRIM_TRIANGLES_ADJACENCY] = "triangles_adjacency",
                                                            [IR_PRIM_TRIANGLE_STRIP_ADJACENCY] =
                                                                "triangle_strip_adjacency"};

bool linkage_primitive(struct scan *s, size_t count, uint8_t *primitive)
{
    const char *word;
    size_t n = scan_word(s, &word);
    int found = n ? scan_word_index(word, n, linkage_primitives, count) : -1;
    if (found < 0)
        return n ? scan_unknown(s, "unknown-primitive", "primitive", word, n, linkage_primitives, count)
                 : scan_expected(s, "a primitive: points, lines, triangles, line_strip, triangle_strip, ...");
    *primitive = (uint8_t)found;
    return true;
}

bool linkage_block(struct scan *s, const uint32_t most[3], uint32_t block[3])
{
    unsigned i = 0;
    do {
        scan_blanks(s);
        const char *from = s->p;
        if (!scan_number_to(s, most[i], &block[i]))
            return false;
        if (!block[i])
            return scan_error(s, scan_span(s, from), "out-of-range", NULL,
                              "a workgroup has 1 invocation and more along each axis");
    } while (++i < 3 && !scan_at_line_end(s));
    return true;
}
