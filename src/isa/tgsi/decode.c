/* decode.c - TGSI from a stream of 32-bit tokens, little-endian: its items, in order, make the module. */
#include "isa/tgsi/items.h"

#include <string.h>

/* A module that grows. */
struct builder {
    struct arena *arena;
    struct isa_module *m;
    size_t cap_decls, cap_imms, cap_props, cap_insns, cap_items;
};

/* Room for one more element at the end of a list; NULL without memory. */
static void *grow(struct builder *b, void **list, size_t size, uint32_t count, size_t *cap)
{
    void *grown = arena_grow(b->arena, *list, size, count, cap, (size_t)count + 1);
    if (!grown)
        return NULL;
    *list = grown;
    return (char *)grown + size * count;
}

#define APPEND(b, list, count, cap, value)                                                                             \
    append((b), grow((b), (void **)&(b)->m->list, sizeof *(b)->m->list, (b)->m->count, &(b)->cap), &(value),           \
           sizeof(value), &(b)->m->count)

static bool append(struct builder *b, void *slot, const void *value, size_t size, uint32_t *count)
{
    (void)b;
    if (!slot)
        return false;
    memcpy(slot, value, size);
    ++*count;
    return true;
}

/* The instruction is kept, and the reader's room for operands is not. */
static bool keep_operands(struct builder *b, struct tgsi_insn *insn)
{
    struct tgsi_insn read = *insn;
    if (!tgsi_new_operands(b->arena, insn, insn->noffsets))
        return false;
    memcpy(insn->dst, read.dst, read.ndst * sizeof *read.dst);
    memcpy(insn->src, read.src, read.nsrc * sizeof *read.src);
    if (read.noffsets)
        memcpy(insn->offset, read.offset, read.noffsets * sizeof *read.offset);
    return true;
}

static bool add(struct builder *b, const struct tgsi_any *any)
{
    struct isa_module *m = b->m;
    struct tgsi_item item = {.kind = (uint8_t)any->kind};
    bool added = false;
    switch (any->kind) {
    case TGSI_ITEM_DECL:
        item.index = m->ndecls;
        added = APPEND(b, decls, ndecls, cap_decls, any->decl);
        break;
    case TGSI_ITEM_IMM:
        item.index = m->nimms;
        added = APPEND(b, imms, nimms, cap_imms, any->imm);
        break;
    case TGSI_ITEM_PROPERTY:
        item.index = m->nprops;
        added = APPEND(b, props, nprops, cap_props, any->property);
        break;
    case TGSI_ITEM_INSN:
        item.index = m->ninsns;
        added = APPEND(b, insns, ninsns, cap_insns, any->insn) && keep_operands(b, &m->insns[item.index]);
        break;
    }
    return added && APPEND(b, items, nitems, cap_items, item);
}

weft_status tgsi_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                        struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    (void)params; /* a stream says its own stage */
    *out = NULL;
    if (size % 4) {
        diag_add(diags, WEFT_ERROR, "truncated", name, NULL, "token %zu: the stream ends within a token", size / 4);
        return WEFT_ERROR_INPUT;
    }
    if (size / 4 > TGSI_BODY_MOST) {
        diag_add(diags, WEFT_ERROR, "too-large", name, NULL, "token %u: no stream is longer", TGSI_BODY_MOST);
        return WEFT_ERROR_INPUT;
    }
    struct tgsi_reader r = {.bytes = bytes, .end = (uint32_t)(size / 4), .whole = true, .name = name, .diags = diags};
    struct builder b = {.arena = arena, .m = ARENA_NEW(arena, struct isa_module)};
    bool good = b.m && tgsi_read_front(&r);
    if (good)
        b.m->processor = r.processor;
    struct tgsi_any any;
    while (good && r.at < r.end) {
        memset(&any, 0, sizeof any);
        good = tgsi_read_item(&r, &any) && add(&b, &any);
    }
    if (good) {
        *out = b.m;
        return WEFT_OK;
    }
    return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_INPUT;
}
