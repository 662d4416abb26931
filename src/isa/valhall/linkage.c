/* linkage.c - reading linkage lines (docs/manual/valhall.md). */
#include "isa/valhall/linkage.h"

#include "isa/linkage.h"

#include <stdio.h>

enum { TLS = 4096, WLS = 0x8000, MOST_BYTES = 0x100000, MOST_BUFFERS = 64 };

static const char *const kinds[] = {"stage", "work_regs", "tls",    "wls",   "preload", "sysvals", "ubo_count",
                                    "block", "position",  "origin", "blend", "image",   "sysval",  "facing"};
enum kind {
    STAGE,
    WORK_REGS,
    TLS_BYTES,
    WLS_BYTES,
    PRELOAD,
    SYSVALS,
    UBO_COUNT,
    BLOCK,
    POSITION,
    ORIGIN,
    BLEND,
    IMAGE,
    SYSVAL,
    FACING,
    KINDS
};

struct reader {
    struct scan s;
    struct valhall_linkage *out;
};

static bool expect(struct reader *r, const char *word)
{
    return scan_choice(&r->s, &word, 1, word) == 0;
}

/* ---- uN = ... ---- */

static bool set_uniform(struct reader *r, uint32_t at, uint8_t kind, uint32_t buffer, uint32_t byte)
{
    if (at >= VALHALL_UNIFORMS)
        return scan_error(&r->s, scan_span(&r->s, r->s.last), "out-of-range", NULL,
                          "an address takes two uniform words, and u%d is the last", VALHALL_UNIFORMS - 1);
    r->out->uniform[at] = (struct valhall_uniform){kind, (uint16_t)buffer, byte};
    return true;
}

/* `ubo B byte O`, `push byte O`, `storage B address`, `storage B size`, `uniform B address`. */
static bool read_uniform(struct reader *r, uint32_t at)
{
    static const char *const sources[] = {"ubo", "push", "storage", "uniform"};
    static const char *const parts[] = {"address", "size"};
    uint32_t buffer = 0, byte = 0;
    if (!scan_take(&r->s, '='))
        return scan_expected(&r->s, "'='");
    int source = scan_choice(&r->s, sources, 4, "ubo, push, storage or uniform");
    if (source < 0 || (source != 1 && !scan_number_to(&r->s, MOST_BUFFERS - 1, &buffer)))
        return false;
    if (source < 2)
        return expect(r, "byte") && scan_number_to(&r->s, MOST_BYTES, &byte) &&
               set_uniform(r, at, source ? VALHALL_U_PUSH : VALHALL_U_BUFFER, buffer, byte);
    int part = scan_choice(&r->s, parts, source == 2 ? 2 : 1, source == 2 ? "address or size" : "address");
    if (part < 0)
        return false;
    if (part == 1)
        return set_uniform(r, at, VALHALL_U_STORAGE_SIZE, buffer, 0);
    uint8_t low = source == 2 ? VALHALL_U_STORAGE_LOW : VALHALL_U_UNIFORM_LOW;
    return set_uniform(r, at, low, buffer, 0) && set_uniform(r, at + 1, (uint8_t)(low + 1), buffer, 0);
}

/* uN counts words; uN.w0 and uN.w1 are the words of pair N. */
static bool is_uniform(const char *word, size_t n)
{
    size_t digits = 1;
    while (digits < n && scan_is(word[digits], SCAN_DIGIT))
        digits++;
    return n > 1 && word[0] == 'u' && digits == n;
}

static bool uniform_name(struct reader *r, const char *word, size_t n, uint32_t *at)
{
    static const char *const halves[] = {"w0", "w1"};
    uint32_t v = 0;
    for (size_t i = 1; i < n && v < VALHALL_UNIFORMS; i++)
        v = v * 10 + (uint32_t)(word[i] - '0');
    *at = v;
    if (scan_take(&r->s, '.')) {
        int half = scan_choice(&r->s, halves, 2, "word of a pair");
        if (half < 0)
            return false;
        *at = v * 2 + (uint32_t)half;
    }
    if (*at < VALHALL_UNIFORMS)
        return true;
    return scan_error(&r->s, scan_span(&r->s, word), "out-of-range", NULL, "there are %d uniform words: u0 to u%d",
                      VALHALL_UNIFORMS, VALHALL_UNIFORMS - 1);
}

/* ---- the other lines ---- */

/* The first or the second of two words. */
static bool read_either(struct reader *r, const char *first, const char *second, bool *is_second)
{
    const char *const words[] = {first, second};
    char what[32];
    snprintf(what, sizeof what, "%s or %s", first, second);
    int which = scan_choice(&r->s, words, 2, what);
    *is_second = which == 1;
    return which >= 0;
}

/* `blend N shader ADDRESS` or `blend N fixed`. */
static bool read_blend(struct reader *r)
{
    uint32_t target;
    if (!scan_number_to(&r->s, VALHALL_TARGETS - 1, &target))
        return false;
    bool *shaded = &r->out->shaded[target];
    return read_either(r, "fixed", "shader", shaded) &&
           (!*shaded || scan_number_to(&r->s, UINT32_MAX, &r->out->blend_shader[target]));
}

/* `2D`, and then perhaps `array`. */
static bool read_kind(struct reader *r, struct valhall_image *out)
{
    if (!linkage_dim(&r->s, true, "kind of image", &out->dim))
        return false;
    out->array = !scan_at_line_end(&r->s);
    return !out->array || expect(r, "array");
}

/* `image N KIND`. */
static bool read_image(struct reader *r)
{
    uint32_t n;
    return scan_number_to(&r->s, VALHALL_LINK_IMAGES - 1, &n) && read_kind(r, &r->out->image[n]);
}

/* `sysval K texture N KIND`. */
static bool read_sysval(struct reader *r)
{
    uint32_t n, texture;
    if (!scan_number_to(&r->s, VALHALL_SYSVALS - 1, &n) || !expect(r, "texture") ||
        !scan_number_to(&r->s, UINT8_MAX, &texture))
        return false;
    r->out->sysval[n].texture = (uint16_t)texture;
    r->out->sysval[n].given = true;
    return read_kind(r, &r->out->sysval[n]);
}

static bool read_word(struct reader *r, enum kind kind)
{
    static const uint32_t most_threads[] = {1024, 1024, 1024};
    uint64_t ignored;
    uint32_t v;
    switch (kind) {
    case TLS_BYTES: /* compilers write 0 where nothing spills */
        if (!scan_number_to(&r->s, MOST_BYTES, &v))
            return false;
        r->out->tls_bytes = v ? v : TLS;
        return true;
    case WLS_BYTES:
        return scan_number_to(&r->s, MOST_BYTES, &r->out->wls_bytes);
    case SYSVALS:
        return scan_number_to(&r->s, 255, &r->out->sysvals);
    case UBO_COUNT:
        return scan_number_to(&r->s, 255, &r->out->ubo_count);
    case BLOCK:
        return linkage_block(&r->s, most_threads, r->out->block);
    case POSITION:
        return read_either(r, "ndc", "clip", &r->out->clip_position);
    case ORIGIN:
        return read_either(r, "upper_left", "lower_left", &r->out->origin_lower_left);
    case BLEND:
        return read_blend(r);
    case IMAGE:
        return read_image(r);
    case SYSVAL:
        return read_sysval(r);
    case FACING:
        return read_either(r, "zero_front", "zero_back", &r->out->zero_is_back);
    default: /* what a compiler notes for people: the stage's number, registers */
        return scan_need_number(&r->s, &ignored, "a number");
    }
}

/* Several words may share a line, as in `work_regs 32 tls 0 preload 0x30...`. */
static bool read_line(void *reader)
{
    struct reader *r = reader;
    while (!scan_at_line_end(&r->s)) {
        const char *word;
        uint32_t at;
        size_t n = scan_word(&r->s, &word);
        if (!n)
            return scan_expected(&r->s, "a word of the linkage");
        int kind = scan_word_index(word, n, kinds, KINDS);
        if (kind < 0 && is_uniform(word, n))
            return uniform_name(r, word, n, &at) && read_uniform(r, at);
        if (kind < 0)
            return scan_unknown(&r->s, "unknown-linkage", "word of the linkage", word, n, kinds, KINDS);
        if (!read_word(r, (enum kind)kind))
            return false;
    }
    return true;
}

weft_status valhall_read_linkage(const struct isa_linkage *text, struct arena *arena, struct valhall_linkage *out,
                                 weft_diags *diags)
{
    struct reader r = {.out = out};
    *out = (struct valhall_linkage){.tls_bytes = TLS, .wls_bytes = WLS, .block = {1, 1, 1}, .ubo_count = UINT8_MAX};
    for (uint32_t i = 0; i < VALHALL_UNIFORMS; i++)
        out->uniform[i] = (struct valhall_uniform){VALHALL_U_BUFFER, 0, i * 4};
    for (unsigned i = 0; i < VALHALL_LINK_IMAGES; i++)
        out->image[i].dim = IR_TEX_2D;
    for (uint16_t i = 0; i < VALHALL_SYSVALS; i++)
        out->sysval[i] = (struct valhall_image){.dim = IR_TEX_2D, .texture = i};
    return linkage_read(&r.s, text, arena, diags, read_line, &r);
}
