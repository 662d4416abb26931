/* cubin.c - the textual .cubin container.
 *
 *   architecture {sm_10}  abiversion {1}  modname {cubin}
 *   code {
 *       name = kernel  lmem = 0  smem = 32  reg = 5  bar = 0
 *       bincode { 0x10004205 0x0023c780 ... }
 *       const { segname = const  segnum = 1  offset = 0  bytes = 4  mem { 0x00000001 } }
 *   }
 *   consts { name = table  segname = const  segnum = 0  offset = 0  bytes = 8  mem { ... } }
 *
 * Blocks and entries of other names are passed over: they say nothing about code. */
#include "isa/tesla/cubin.h"

#include "isa/scan.h"
#include "isa/tesla/decode.h"
#include "isa/tesla/flow.h"

#include <string.h>

enum { SEGMENT_LIMIT = 1 << 16 };

struct words {
    uint8_t *bytes;
    size_t size, cap;
};

struct kernel {
    struct tesla_kernel k;
    size_t begin, end; /* of its code in `code` */
    size_t nsegments;
    struct tesla_segment *segments;
    size_t cap_segments;
};

struct reader {
    struct scan s;
    const char *chip;    /* of the architecture, or NULL */
    struct words code;   /* of all kernels */
    struct kernel *kernels;
    size_t nkernels, cap_kernels;
    struct kernel common; /* its segments are those of every kernel */
};

/* ---- words of the format ---- */

bool tesla_is_cubin(const char *text, size_t size)
{
    static const char *const start[] = {"architecture", "{", "sm_"};
    const char *p = text, *end = text + size;
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(start[i]);
        while (p < end && scan_is(*p, SCAN_BLANK))
            p++;
        if ((size_t)(end - p) < length || memcmp(p, start[i], length) != 0)
            return false;
        p += length;
    }
    return true;
}

/* Over blanks and line ends; the next byte, 0 at the end. */
static char next(struct reader *r)
{
    for (;;) {
        scan_blanks(&r->s);
        if (r->s.p >= r->s.end)
            return '\0';
        if (*r->s.p != '\n')
            return *r->s.p;
        r->s.p++;
    }
}

static bool take(struct reader *r, char c)
{
    if (next(r) != c)
        return false;
    r->s.last = ++r->s.p;
    return true;
}

static bool expect(struct reader *r, char c, const char *what)
{
    return take(r, c) || scan_expected(&r->s, what);
}

/* A name: everything up to a blank, a bracket or an equals sign. */
static size_t take_name(struct reader *r, const char **name)
{
    next(r);
    const char *p = *name = r->s.p;
    while (p < r->s.end && !scan_is(*p, SCAN_BLANK) && *p != '\n' && *p != '{' && *p != '}' && *p != '=')
        p++;
    r->s.p = r->s.last = p;
    return (size_t)(p - *name);
}

static bool take_number(struct reader *r, uint64_t limit, uint32_t *value)
{
    uint64_t n;
    next(r);
    const char *start = r->s.p;
    if (!scan_need_number(&r->s, &n, "a number"))
        return false;
    if (n > limit)
        return scan_error(&r->s, scan_span(&r->s, start), "bad-number", NULL, "a number above %llu",
                          (unsigned long long)limit);
    *value = (uint32_t)n;
    return true;
}

/* What a block holds, up to its closing bracket, whatever it is. */
static bool skip_block(struct reader *r)
{
    const char *start = r->s.p;
    for (unsigned depth = 1; depth > 0; r->s.p++) {
        char c = next(r);
        if (c == '\0')
            return scan_error(&r->s, scan_at(&r->s, start, 1), "open-block", NULL, "this block is not closed");
        depth = depth + (c == '{') - (c == '}');
    }
    r->s.last = r->s.p;
    return true;
}

/* Words in brackets, appended as they are in memory. */
static bool take_words(struct reader *r, struct words *out, size_t limit)
{
    if (!expect(r, '{', "'{'"))
        return false;
    while (!take(r, '}')) {
        uint32_t word;
        if (!take_number(r, UINT32_MAX, &word))
            return false;
        if (out->size + 4 > limit)
            return scan_error(&r->s, scan_span(&r->s, r->s.p), "too-large", NULL, "more than %zu bytes", limit);
        uint8_t *grown = arena_grow(r->s.arena, out->bytes, 1, out->size, &out->cap, out->size + 4);
        if (!grown)
            return false;
        out->bytes = grown;
        for (unsigned i = 0; i < 4; i++)
            out->bytes[out->size++] = (uint8_t)(word >> i * 8);
    }
    return true;
}

/* ---- blocks ---- */

/* An entry of a block: a name, and = or {. False at the end of the block, or with an error. */
static bool next_entry(struct reader *r, const char **name, size_t *length, bool *block, bool *fine)
{
    *fine = true;
    if (take(r, '}'))
        return false;
    *length = take_name(r, name);
    *block = next(r) == '{';
    *fine = *length ? *block || expect(r, '=', "'=' or '{'") : scan_expected(&r->s, "an entry or '}'");
    return *fine;
}

static bool skip_entry(struct reader *r, bool block)
{
    const char *name;
    if (block)
        return take(r, '{') && skip_block(r);
    take_name(r, &name);
    return true;
}

static bool read_segment(struct reader *r, struct kernel *owner)
{
    struct tesla_segment segment = {0};
    struct words mem = {0};
    uint32_t number = 0, bytes = 0;
    const char *name;
    size_t length;
    bool block, fine;
    if (!expect(r, '{', "'{'"))
        return false;
    while (next_entry(r, &name, &length, &block, &fine)) {
        if (scan_same(name, length, "segnum"))
            fine = take_number(r, 15, &number);
        else if (scan_same(name, length, "offset"))
            fine = take_number(r, SEGMENT_LIMIT, &segment.offset);
        else if (scan_same(name, length, "bytes"))
            fine = take_number(r, SEGMENT_LIMIT, &bytes);
        else if (scan_same(name, length, "name") && (length = take_name(r, &name)) > 0)
            segment.name = arena_strndup(r->s.arena, name, length);
        else if (scan_same(name, length, "mem"))
            fine = take_words(r, &mem, SEGMENT_LIMIT);
        else if (!scan_same(name, length, "name"))
            fine = skip_entry(r, block);
        if (!fine)
            return false;
    }
    segment.space = (uint8_t)number;
    segment.bytes = mem.bytes;
    segment.size = bytes && bytes < mem.size ? bytes : (uint32_t)mem.size;
    struct tesla_segment *grown = arena_grow(r->s.arena, owner->segments, sizeof *grown, owner->nsegments,
                                             &owner->cap_segments, owner->nsegments + 1);
    if (!grown || !fine)
        return false;
    owner->segments = grown;
    grown[owner->nsegments++] = segment;
    return true;
}

static bool read_code_entry(struct reader *r, struct kernel *k, const char *name, size_t length, bool block)
{
    const struct {
        const char *name;
        uint32_t *value;
    } numbers[] = {
        {"lmem", &k->k.local_bytes}, {"smem", &k->k.shared_bytes}, {"reg", &k->k.registers}, {"bar", &k->k.barriers}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (scan_same(name, length, numbers[i].name))
            return take_number(r, UINT32_MAX, numbers[i].value);
    if (scan_same(name, length, "bincode") && block)
        return take_words(r, &r->code, TESLA_CODE_SPACE);
    if (scan_same(name, length, "const") && block)
        return read_segment(r, k);
    if (!scan_same(name, length, "name") || block)
        return skip_entry(r, block);
    length = take_name(r, &name);
    k->k.name = arena_strndup(r->s.arena, name, length);
    return true;
}

static bool read_code(struct reader *r)
{
    next(r);
    const char *start = r->s.p, *name;
    size_t length;
    bool block, fine;
    struct kernel *grown =
        arena_grow(r->s.arena, r->kernels, sizeof *grown, r->nkernels, &r->cap_kernels, r->nkernels + 1);
    if (!grown || !expect(r, '{', "'{'"))
        return false;
    r->kernels = grown;
    struct kernel *k = &grown[r->nkernels++];
    *k = (struct kernel){.begin = r->code.size};
    while (next_entry(r, &name, &length, &block, &fine))
        if (!read_code_entry(r, k, name, length, block))
            return false;
    k->end = r->code.size;
    if (fine && !k->k.name)
        return scan_error(&r->s, scan_at(&r->s, start, 1), "no-name", NULL, "this code has no name");
    return fine;
}

/* The chip that has what the architecture has. */
static bool read_architecture(struct reader *r)
{
    static const struct {
        const char *name, *chip;
    } architectures[] = {{"sm_10", "g80"}, {"sm_11", "g84"}, {"sm_12", "gt215"}, {"sm_13", "g200"}};
    const char *name;
    if (!expect(r, '{', "'{'"))
        return false;
    size_t length = take_name(r, &name);
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        if (scan_same(name, length, architectures[i].name))
            r->chip = architectures[i].chip;
    if (!r->chip)
        return scan_error(&r->s, scan_at(&r->s, name, length), "unknown-architecture", "sm_10 to sm_13 are Tesla",
                          "'%.*s' is not an architecture of Tesla", (int)(length < 40 ? length : 40), name);
    return expect(r, '}', "'}'");
}

static bool read_file(struct reader *r)
{
    while (next(r) != '\0') {
        const char *name;
        size_t length = take_name(r, &name);
        bool fine;
        if (length == 0)
            return scan_expected(&r->s, "a block");
        if (scan_same(name, length, "architecture"))
            fine = read_architecture(r);
        else if (scan_same(name, length, "code"))
            fine = read_code(r);
        else if (scan_same(name, length, "consts") || scan_same(name, length, "const"))
            fine = read_segment(r, &r->common);
        else
            fine = expect(r, '{', "'{'") && skip_block(r);
        if (!fine)
            return false;
    }
    return true;
}

/* ---- the module ---- */

/* A kernel's own segments and those of all. */
static bool join_segments(struct reader *r, struct kernel *k)
{
    size_t n = r->common.nsegments + k->nsegments;
    struct tesla_segment *all = ARENA_ARRAY(r->s.arena, struct tesla_segment, n);
    if (!all && n)
        return false;
    for (size_t i = 0; i < n; i++)
        all[i] = i < r->common.nsegments ? r->common.segments[i] : k->segments[i - r->common.nsegments];
    k->k.segments = all;
    k->k.nsegments = (uint32_t)n;
    return true;
}

static bool make_module(struct reader *r, struct isa_module *m)
{
    struct tesla_kernel *kernels = ARENA_ARRAY(r->s.arena, struct tesla_kernel, r->nkernels);
    if (!tesla_start_code(m, r->code.bytes, r->code.size, r->s.arena) || (!kernels && r->nkernels))
        return false;
    for (size_t i = 0; i < r->nkernels; i++) {
        struct kernel *k = &r->kernels[i];
        k->k.first = m->ninsns;
        tesla_decode_code(m, (uint32_t)k->begin, (uint32_t)(k->end - k->begin), 0);
        k->k.count = m->ninsns - k->k.first;
        if (!join_segments(r, k))
            return false;
        kernels[i] = k->k;
    }
    m->kernels = kernels;
    m->nkernels = (uint32_t)r->nkernels;
    return true;
}

weft_status tesla_read_cubin(const struct source *src, const struct isa_params *params, struct arena *arena,
                             struct isa_module **out, weft_diags *diags)
{
    struct reader r = {0};
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    struct isa_params own = *params;
    *out = NULL;
    if (!m || !scan_start(&r.s, src, 0, arena, diags))
        return WEFT_ERROR_MEMORY;
    if (!read_file(&r))
        return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_INPUT;
    own.chip = own.chip ? own.chip : r.chip;
    own.stage = own.stage < 0 ? IR_COMPUTE : own.stage;
    own.base = 0;
    tesla_set_up_module(m, &own, src->name);
    if (!make_module(&r, m))
        return WEFT_ERROR_MEMORY;
    if (!tesla_check_entry(m, arena, diags))
        return WEFT_ERROR_INPUT;
    *out = m;
    return WEFT_OK;
}
