/* linkage.c - reading linkage lines (docs/manual/spirv.md). */
#include "isa/spirv/linkage.h"

#include "isa/linkage.h"

enum { MOST = 1 << 20, PUSH = 15, UNIFORMS_OF_A_SET = 8, OTHERS_OF_A_SET = 16 };

struct reader {
    struct scan s;
    struct spirv_linkage *out;
    struct arena *arena;
};

static bool equals(struct reader *r)
{
    return scan_take(&r->s, '=') || scan_expected(&r->s, "'='");
}

/* `KIND set binding = number`. */
static bool read_bound(void *reader, uint32_t kind)
{
    struct reader *r = reader;
    struct spirv_bound b = {.kind = kind};
    if (!scan_number_to(&r->s, MOST, &b.set) || !scan_number_to(&r->s, MOST, &b.binding) || !equals(r) ||
        !scan_number_to(&r->s, UINT16_MAX, &b.number))
        return false;
    struct spirv_linkage *out = r->out;
    out->bound = arena_grow(r->arena, out->bound, sizeof b, out->nbound, &out->bound_cap, out->nbound + 1);
    if (out->bound)
        out->bound[out->nbound++] = b;
    return out->bound != NULL;
}

static bool read_uniform(void *reader)
{
    return read_bound(reader, SPIRV_UNIFORM);
}

static bool read_storage(void *reader)
{
    return read_bound(reader, SPIRV_STORAGE);
}

static bool read_texture(void *reader)
{
    return read_bound(reader, SPIRV_TEXTURE);
}

static bool read_sampler(void *reader)
{
    return read_bound(reader, SPIRV_SAMPLER);
}

static bool read_image(void *reader)
{
    return read_bound(reader, SPIRV_IMAGE);
}

static bool read_push(void *reader)
{
    struct reader *r = reader;
    return scan_number_to(&r->s, 31, &r->out->push);
}

/* `constant id = bits`. */
static bool read_special(void *reader)
{
    struct reader *r = reader;
    struct spirv_linkage *out = r->out;
    struct spirv_special s = {0};
    if (!scan_number_to(&r->s, UINT32_MAX, &s.id) || !equals(r))
        return false;
    if (!scan_need_number(&r->s, &s.value, "the bits of the value as a number"))
        return false;
    out->special = arena_grow(r->arena, out->special, sizeof s, out->nspecial, &out->special_cap, out->nspecial + 1);
    if (out->special)
        out->special[out->nspecial++] = s;
    return out->special != NULL;
}

static bool read_line(void *reader)
{
    static const struct linkage_word words[] = {
        {"uniform", read_uniform}, {"storage", read_storage}, {"texture", read_texture}, {"sampler", read_sampler},
        {"image", read_image},     {"push", read_push},       {"constant", read_special},
    };
    struct reader *r = reader;
    return linkage_word(&r->s, words, sizeof words / sizeof *words, reader);
}

weft_status spirv_read_linkage(const struct isa_linkage *text, struct arena *arena, struct spirv_linkage *out,
                               weft_diags *diags)
{
    struct reader r = {.out = out, .arena = arena};
    *out = (struct spirv_linkage){.push = PUSH};
    return linkage_read(&r.s, text, arena, diags, read_line, &r);
}

uint32_t spirv_bound_number(const struct spirv_linkage *link, uint32_t kind, uint32_t set, uint32_t binding)
{
    for (size_t i = 0; i < link->nbound; i++) {
        const struct spirv_bound *b = &link->bound[i];
        if (b->kind == kind && b->set == set && b->binding == binding)
            return b->number;
    }
    return set * (kind == SPIRV_UNIFORM ? UNIFORMS_OF_A_SET : OTHERS_OF_A_SET) + binding;
}
