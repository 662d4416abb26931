/* parse_decl.c - DCL: "Declaration" and the chapters after it in the document, and what Mesa has added since. */
#include "isa/tgsi/parse.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INDEX = INT32_MAX };

/* What has been written so far, where a declaration itself does not tell. */
struct seen {
    bool interp, location, target, rettype, memkind;
};

static struct span word_span(const struct tgsi_parser *ps, const char *word, size_t length)
{
    return scan_at(&ps->scan, word, length);
}

/* The inside of a bracket, the bracket included: empty, n or n..m. */
static bool parse_range(struct tgsi_parser *ps, uint32_t *first, uint32_t *last, bool *empty)
{
    *empty = false;
    if (!tgsi_parse_take(ps, '['))
        return tgsi_expected(ps, "'[' and a register number");
    if (tgsi_parse_take(ps, ']')) {
        *empty = true;
        return true;
    }
    if (!tgsi_parse_uint(ps, MOST_INDEX, "a register number", first))
        return false;
    const char *start = ps->scan.last;
    *last = *first;
    tgsi_parse_skip(ps);
    if (ps->scan.p[0] == '.' && ps->scan.p[1] == '.') {
        ps->scan.p += 2;
        if (!tgsi_parse_uint(ps, MOST_INDEX, "the last register number", last))
            return false;
        if (*last < *first)
            return scan_error(&ps->scan, scan_span(&ps->scan, start), "empty-range", NULL,
                              "the last register number %u is below the first, %u", *last, *first);
    }
    if (!tgsi_parse_take(ps, ']'))
        return tgsi_expected(ps, "']'");
    return true;
}

static bool parse_ranges(struct tgsi_parser *ps, struct tgsi_decl *d)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p;
    bool empty;
    if (!parse_range(ps, &d->first, &d->last, &empty))
        return false;
    struct span bracket = scan_span(&ps->scan, start);
    tgsi_parse_skip(ps);
    if (*ps->scan.p != '[') {
        if (empty)
            return scan_error(&ps->scan, bracket, "empty-range", NULL,
                              "an empty bracket needs a second one with a register number");
        return true;
    }
    if (empty && !tgsi_has_vertices(ps->m->processor))
        return scan_error(&ps->scan, bracket, "empty-range", NULL,
                          "an empty bracket is for vertices of a GEOM, TESS_CTRL or TESS_EVAL program");
    d->dimensional = true;
    d->dim_empty = empty;
    d->dim = d->first;
    d->dim_last = d->last;
    start = ps->scan.p;
    if (!parse_range(ps, &d->first, &d->last, &empty))
        return false;
    if (empty)
        return scan_error(&ps->scan, scan_span(&ps->scan, start), "empty-range", NULL,
                          "the second bracket must not be empty");
    return true;
}

/* "(n)" */
static bool parse_parenthesised(struct tgsi_parser *ps, uint32_t most, const char *what, uint32_t *value)
{
    if (!tgsi_parse_take(ps, '('))
        return tgsi_expected(ps, "'('");
    if (!tgsi_parse_uint(ps, most, what, value))
        return false;
    if (!tgsi_parse_take(ps, ')'))
        return tgsi_expected(ps, "')'");
    return true;
}

static bool parse_streams(struct tgsi_parser *ps, struct tgsi_decl *d)
{
    if (!tgsi_parse_take(ps, '('))
        return tgsi_expected(ps, "'('");
    for (int i = 0; i < 4; i++) {
        uint32_t stream;
        if (i > 0 && !tgsi_parse_take(ps, ','))
            return tgsi_expected(ps, "',' between the streams of x, y, z and w");
        if (!tgsi_parse_uint(ps, 3, "a vertex stream", &stream))
            return false;
        d->stream[i] = (uint8_t)stream;
    }
    if (!tgsi_parse_take(ps, ')'))
        return tgsi_expected(ps, "')'");
    d->has_stream = d->stream[0] || d->stream[1] || d->stream[2] || d->stream[3]; /* four zeros say nothing */
    return true;
}

static bool parse_semantic(struct tgsi_parser *ps, struct tgsi_decl *d, int semantic)
{
    d->has_semantic = true;
    d->semantic = (uint16_t)semantic;
    if (!tgsi_parse_take(ps, '['))
        return true;
    d->has_semantic_index = true;
    if (!tgsi_parse_uint(ps, UINT16_MAX, "a semantic index", &d->semantic_index))
        return false;
    if (!tgsi_parse_take(ps, ']'))
        return tgsi_expected(ps, "']'");
    return true;
}

/* The one or four return types of a sampler view; the first one is at the cursor. Other attributes may follow. */
static bool parse_rettypes(struct tgsi_parser *ps, struct tgsi_decl *d)
{
    int count = 0;
    const char *start = ps->scan.p;
    for (;;) {
        const char *p = ps->scan.p, *last = ps->scan.last;
        uint32_t line = ps->line;
        if (count > 0 && !tgsi_parse_take(ps, ','))
            break;
        tgsi_parse_skip(ps);
        size_t length = scan_word_length(ps->scan.p);
        int type = scan_word_index(ps->scan.p, length, tgsi_rettype_names, SIZE_MAX);
        if (type < 0 && count > 0) {
            ps->scan.p = p;
            ps->scan.last = last;
            ps->line = line;
            break;
        }
        if (type < 0)
            return tgsi_unknown(ps, "unknown-attribute", "return type", ps->scan.p, length, tgsi_rettype_names, 5);
        if (count == 4)
            return scan_error(&ps->scan, word_span(ps, ps->scan.p, length), "return-types", NULL,
                              "a sampler view has four return types at most");
        d->rettype[count++] = (uint8_t)type;
        ps->scan.last = ps->scan.p += length;
    }
    if (count != 1 && count != 4)
        return scan_error(&ps->scan, scan_span(&ps->scan, start), "return-types", NULL,
                          "a sampler view has one return type or four, not %d", count);
    if (count == 1)
        memset(d->rettype, d->rettype[0], sizeof d->rettype);
    return true;
}

/* What only one kind of file may say. 1: taken, 0: not such a word, -1: reported. */
static int parse_file_attribute(struct tgsi_parser *ps, struct tgsi_decl *d, struct seen *seen, const char *word,
                                size_t length)
{
    bool textured = d->file == TGSI_SAMPLER_VIEW || d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE;
    bool image = d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE;
    int target = textured && !seen->target ? tgsi_target_of(word, length) : -1;
    if (target >= 0) {
        d->target = (uint8_t)target;
        seen->target = true;
    } else if (image && scan_word_is(word, length, "RAW")) {
        d->raw = true;
    } else if (image && scan_word_is(word, length, "WR")) {
        d->writable = true;
    } else if (d->file == TGSI_IMAGE && tgsi_format_of(word, length) >= 0) {
        d->format = (uint16_t)tgsi_format_of(word, length);
    } else if (d->file == TGSI_BUFFER && scan_word_is(word, length, "ATOMIC")) {
        d->atomic = true;
    } else if (d->file == TGSI_MEMORY && !seen->memkind &&
               scan_word_index(word, length, tgsi_memkind_names, SIZE_MAX) >= 0) {
        d->memkind = (uint8_t)scan_word_index(word, length, tgsi_memkind_names, SIZE_MAX);
        seen->memkind = true;
    } else if (d->file == TGSI_SAMPLER_VIEW && seen->target && !seen->rettype) {
        seen->rettype = true;
        ps->scan.p = word;
        return parse_rettypes(ps, d) ? 1 : -1;
    } else if (d->file == TGSI_RESOURCE && scan_word_index(word, length, tgsi_rettype_names, SIZE_MAX) >= 0) {
        scan_error(&ps->scan, word_span(ps, word, length), "resource-type",
                   "this is how sampler views were declared once: DCL SVIEW[0], 2D, FLOAT",
                   "a resource has no return type");
        return -1;
    } else {
        return 0;
    }
    return 1;
}

/* CYLWRAP_X, CYLWRAP_XW ... of older dumps. */
static bool cylindrical_of(const char *word, size_t length, uint8_t *mask)
{
    if (length < 9 || length > 12 || !scan_word_is(word, 8, "CYLWRAP_"))
        return false;
    *mask = 0;
    for (size_t i = 8; i < length; i++) {
        const char *letter = memchr("xyzw", word[i] | 0x20, 4);
        if (!letter)
            return false;
        *mask |= (uint8_t)(1u << (uint8_t)((word[i] | 0x20) == 'w' ? 3 : (word[i] | 0x20) - 'x'));
    }
    return true;
}

/* INTERPOLATE(COLOR): weft's own, for the mode COLOR of a register without semantic, which would read as one. */
static bool parse_interpolate(struct tgsi_parser *ps, struct tgsi_decl *d)
{
    if (!tgsi_parse_take(ps, '('))
        return tgsi_expected(ps, "'('");
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    int interp = scan_word_index(ps->scan.p, length, tgsi_interp_names, SIZE_MAX);
    if (interp < 0)
        return tgsi_unknown(ps, "unknown-attribute", "interpolation", ps->scan.p, length, tgsi_interp_names, 4);
    d->has_interp = true;
    d->interp = (uint8_t)interp;
    ps->scan.last = ps->scan.p += length;
    return tgsi_parse_take(ps, ')') || tgsi_expected(ps, "')'");
}

static bool unknown_attribute(struct tgsi_parser *ps, const struct tgsi_decl *d, const struct seen *seen,
                              const char *word, size_t length)
{
    static const char *const others[] = {"ARRAY",       "LOCAL",  "STREAM", "INVARIANT", "CONSTANT", "LINEAR",
                                         "PERSPECTIVE", "COLOR",  "CENTER", "CENTROID",  "SAMPLE",   "RAW",
                                         "WR",          "ATOMIC", "SHARED", "PRIVATE",   "GLOBAL",   "INPUT"};
    if (scan_word_index(word, length, tgsi_semantic_names, SIZE_MAX) >= 0 ||
        scan_word_index(word, length, tgsi_interp_names, SIZE_MAX) >= 0 ||
        scan_word_index(word, length, tgsi_location_names, SIZE_MAX) >= 0)
        return scan_error(&ps->scan, word_span(ps, word, length), "second-attribute", NULL,
                          "'%.*s' is one attribute of its kind too many, or comes too late", (int)length, word);
    if (scan_word_index(word, length, others, sizeof others / sizeof *others) >= 0)
        return scan_error(&ps->scan, word_span(ps, word, length), "unknown-attribute", NULL,
                          "%s has no attribute '%.*s'", tgsi_file_names[d->file], (int)length, word);
    const char *names[96];
    size_t n = 0;
    for (size_t i = 0; tgsi_semantic_names[i] != NULL && n < 60; i++)
        names[n++] = tgsi_semantic_names[i];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        names[n++] = others[i];
    char what[48];
    snprintf(what, sizeof what, "attribute of %s", tgsi_file_names[d->file]);
    if (d->file == TGSI_SAMPLER_VIEW && seen->target)
        return tgsi_unknown(ps, "unknown-attribute", what, word, length, tgsi_rettype_names, 5);
    if (d->file == TGSI_SAMPLER_VIEW || d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE)
        return tgsi_unknown(ps, "unknown-attribute", what, word, length, tgsi_target_names, TGSI_TEX_TARGETS);
    return tgsi_unknown(ps, "unknown-attribute", what, word, length, names, n);
}

static bool parse_attribute(struct tgsi_parser *ps, struct tgsi_decl *d, struct seen *seen)
{
    tgsi_parse_skip(ps);
    const char *word = ps->scan.p;
    size_t length = scan_word_length(word);
    if (length == 0)
        return tgsi_expected(ps, "an attribute of the declaration");
    ps->scan.last = ps->scan.p = word + length;
    if (scan_word_is(word, length, "ARRAY"))
        return parse_parenthesised(ps, INT32_MAX, "an array id", &d->array);
    int own = parse_file_attribute(ps, d, seen, word, length);
    if (own != 0)
        return own > 0;
    if (scan_word_is(word, length, "LOCAL")) {
        d->local = true;
        return true;
    }
    if (scan_word_is(word, length, "INVARIANT")) {
        d->invariant = true;
        return true;
    }
    if (scan_word_is(word, length, "STREAM"))
        return parse_streams(ps, d);
    if (scan_word_is(word, length, "INTERPOLATE") && !seen->interp) {
        seen->interp = true;
        return parse_interpolate(ps, d);
    }
    /* COLOR is a semantic first and an interpolation after it. */
    int semantic = d->has_semantic || seen->interp ? -1 : scan_word_index(word, length, tgsi_semantic_names, SIZE_MAX);
    if (semantic < 0 && !d->has_semantic && scan_word_is(word, length, "PRIMID"))
        semantic = TGSI_SEMANTIC_PRIM_ID; /* before Mesa 10 */
    if (semantic >= 0)
        return parse_semantic(ps, d, semantic);
    int interp = seen->interp ? -1 : scan_word_index(word, length, tgsi_interp_names, SIZE_MAX);
    if (interp >= 0) {
        seen->interp = d->has_interp = true;
        d->interp = (uint8_t)interp;
        return true;
    }
    int location = seen->location ? -1 : scan_word_index(word, length, tgsi_location_names, SIZE_MAX);
    if (location >= 0) {
        seen->location = true;
        d->location = (uint8_t)location;
        return true;
    }
    if (cylindrical_of(word, length, &d->cylindrical))
        return true;
    return unknown_attribute(ps, d, seen, word, length);
}

static bool refuse_old_file(struct tgsi_parser *ps, const char *word, size_t length)
{
    if (scan_word_is(word, length, "TEMPX"))
        return scan_error(&ps->scan, word_span(ps, word, length), "old-file", "declare TEMP[first..last], ARRAY(1)",
                          "the file TEMPX is of some older releases of Mesa and is not read");
    if (scan_word_is(word, length, "IMMX"))
        return scan_error(&ps->scan, word_span(ps, word, length), "old-file", "write IMM FLT32 { x, y, z, w } for each",
                          "the file IMMX is of some older releases of Mesa and is not read");
    return tgsi_unknown_file(ps);
}

bool tgsi_parse_declaration(struct tgsi_parser *ps, const char *start, struct tgsi_decl *d)
{
    struct seen seen = {0};
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "a register file");
    int file = tgsi_file_of(ps->scan.p, length);
    if (file < 0)
        return refuse_old_file(ps, ps->scan.p, length);
    d->file = (uint8_t)file;
    d->mask = 15;
    ps->scan.last = ps->scan.p += length;
    if (!parse_ranges(ps, d))
        return false;
    if (tgsi_parse_take(ps, '.')) {
        if (!tgsi_parse_mask(ps, &d->mask))
            return false;
        d->has_mask = true;
    }
    while (tgsi_parse_take(ps, ','))
        if (!parse_attribute(ps, d, &seen))
            return false;
    d->where = scan_span(&ps->scan, start);
    bool textured = file == TGSI_SAMPLER_VIEW || file == TGSI_IMAGE || file == TGSI_RESOURCE;
    if (textured && !seen.target)
        return tgsi_expected(ps, "a comma and a texture target");
    if (file == TGSI_SAMPLER_VIEW && !seen.rettype)
        return tgsi_expected(ps, "a comma and a return type (UNORM, SNORM, SINT, UINT or FLOAT)");
    return true;
}
