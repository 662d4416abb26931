/* random_module.h - random modules over every row of the opcode table, for round trips.
 *
 * They obey the grammar, not the rules of the checker: registers need not be declared, flow need not match. */
#ifndef WEFT_TESTS_TGSI_RANDOM_MODULE_H
#define WEFT_TESTS_TGSI_RANDOM_MODULE_H

#include "isa/tgsi/tgsi.h"

struct random_module {
    struct isa_module m;
    struct tgsi_decl decls[40];
    struct tgsi_imm imms[40];
    struct tgsi_property props[40];
    struct tgsi_insn insns[40];
    struct tgsi_operands operands[40];
    struct tgsi_item items[160];
};

static inline uint32_t random_below(struct test_rng *r, uint32_t n)
{
    return test_next(r) % n;
}

static inline bool random_chance(struct test_rng *r, uint32_t n)
{
    return random_below(r, n) == 0;
}

/* Mostly small, sometimes the largest. */
static inline int32_t random_register(struct test_rng *r)
{
    return random_chance(r, 20) ? 32767 : (int32_t)random_below(r, random_chance(r, 5) ? 4000 : 16);
}

static inline struct tgsi_index random_index(struct test_rng *r)
{
    struct tgsi_index i = {.value = random_register(r)};
    if (random_chance(r, 4)) {
        i.indirect = true;
        i.file = (uint8_t)random_below(r, TGSI_FILES);
        i.component = (uint8_t)random_below(r, 4);
        i.reg = random_register(r);
        i.value = random_chance(r, 2) ? -i.value : i.value;
        i.array = random_chance(r, 3) ? random_below(r, 1023) : 0;
    }
    return i;
}

static inline struct tgsi_operand random_operand(struct test_rng *r, bool source)
{
    struct tgsi_operand o = {.file = (uint8_t)random_below(r, TGSI_FILES), .index = random_index(r)};
    for (int i = 0; i < 4; i++)
        o.swizzle[i] = (uint8_t)(source && random_chance(r, 2) ? random_below(r, 4) : (uint32_t)i);
    if (source) {
        o.negate = random_chance(r, 4);
        o.absolute = random_chance(r, 6);
    } else {
        o.mask = (uint8_t)(random_chance(r, 2) ? 15 : random_below(r, 16));
    }
    if (random_chance(r, 5)) {
        o.dimensional = true;
        o.dim = random_index(r);
    }
    return o;
}

static inline void random_insn(struct test_rng *r, struct tgsi_insn *insn)
{
    insn->opcode = (uint16_t)random_below(r, tgsi_row_count);
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    insn->ndst = row->ndst;
    insn->nsrc = tgsi_may_stand_bare(row) && random_chance(r, 2) ? 0 : row->nsrc;
    insn->saturate = random_chance(r, 5);
    insn->precise = random_chance(r, 9);
    for (int i = 0; i < insn->ndst; i++)
        insn->dst[i] = random_operand(r, false);
    for (int i = 0; i < insn->nsrc; i++)
        insn->src[i] = random_operand(r, true);
    if (row->texture) {
        insn->has_target = true;
        insn->target = (uint8_t)random_below(r, TGSI_TEX_TARGETS);
        insn->noffsets = (uint8_t)(random_chance(r, 3) ? random_below(r, 5) : 0);
        for (int i = 0; i < insn->noffsets; i++) {
            insn->offset[i].file = (uint8_t)random_below(r, TGSI_FILES);
            insn->offset[i].reg = random_register(r);
            for (int c = 0; c < 3; c++)
                insn->offset[i].swizzle[c] = (uint8_t)random_below(r, 4);
        }
    }
    if (row->memory && random_chance(r, 2)) {
        insn->has_memory = true;
        insn->memory = (uint8_t)random_below(r, 16);
        insn->has_target = random_chance(r, 2);
        insn->target = insn->has_target ? (uint8_t)random_below(r, TGSI_TEX_TARGETS) : 0;
        insn->format = (uint16_t)random_below(r, 419);
        insn->has_memory = insn->memory != 0 || insn->has_target || insn->format != 0;
    }
    if (row->label && random_chance(r, 2)) {
        insn->has_label = true;
        insn->label = random_below(r, 100000);
    }
}

static inline void random_decl(struct test_rng *r, uint8_t processor, struct tgsi_decl *d)
{
    d->file = (uint8_t)random_below(r, TGSI_FILES);
    d->mask = (uint8_t)(random_chance(r, 2) ? 15 : random_below(r, 16));
    d->has_mask = d->mask != 15;
    d->first = (uint32_t)random_register(r);
    d->last = d->first + (random_chance(r, 2) ? random_below(r, 20) : 0);
    if (random_chance(r, 4)) {
        d->dimensional = true;
        d->dim_empty = processor == TGSI_GEOM && random_chance(r, 2);
        d->dim = d->dim_empty ? 0 : random_below(r, 16);
        d->dim_last = d->dim;
    }
    d->array = random_chance(r, 4) ? 1 + random_below(r, 1000) : 0;
    d->invariant = random_chance(r, 9);
    bool view = d->file == TGSI_SAMPLER_VIEW || d->file == TGSI_IMAGE || d->file == TGSI_RESOURCE;
    if (view)
        d->target = (uint8_t)random_below(r, TGSI_TEX_TARGETS);
    if (d->file == TGSI_SAMPLER_VIEW) {
        for (int i = 0; i < 4; i++)
            d->rettype[i] = (uint8_t)(i > 0 && random_chance(r, 2) ? d->rettype[0] : random_below(r, 5));
    } else if (view) {
        d->raw = random_chance(r, 2);
        d->writable = random_chance(r, 2);
        d->format = d->file == TGSI_IMAGE ? (uint16_t)random_below(r, 419) : 0;
    } else if (d->file == TGSI_BUFFER) {
        d->atomic = random_chance(r, 2);
    } else if (d->file == TGSI_MEMORY) {
        d->memkind = (uint8_t)random_below(r, 4);
    } else {
        d->local = random_chance(r, 5);
        if (random_chance(r, 2)) {
            d->has_semantic = true;
            d->semantic = (uint16_t)random_below(r, 50);
            d->semantic_index = random_chance(r, 2) ? random_below(r, 300) : 0;
        }
        if (random_chance(r, 2)) {
            d->has_interp = true;
            d->interp = (uint8_t)random_below(r, 4);
            d->location = (uint8_t)random_below(r, 3);
            d->cylindrical = (uint8_t)(random_chance(r, 8) ? random_below(r, 16) : 0);
        }
        if (random_chance(r, 8)) {
            d->has_stream = true; /* streams of 0 alone read as none */
            for (int i = 0; i < 4; i++)
                d->stream[i] = (uint8_t)random_below(r, 4);
            d->stream[random_below(r, 4)] = (uint8_t)(1 + random_below(r, 3));
        }
    }
}

static inline void random_imm(struct test_rng *r, struct tgsi_imm *imm)
{
    imm->type = (uint8_t)random_below(r, 6);
    for (int i = 0; i < 4; i++) {
        imm->bits[i] = test_next(r) >> random_below(r, 32);
        if (random_chance(r, 8)) {
            static const uint32_t corners[] = {0, 0x80000000, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                               0x7f800001, 1, 0x807fffff, 0x00800000, 0x7f7fffff, 0xffffffff};
            imm->bits[i] = corners[random_below(r, 12)];
        }
    }
}

static inline void random_property(struct test_rng *r, struct tgsi_property *prop)
{
    prop->name = (uint16_t)random_below(r, 29);
    prop->count = 1;
    prop->value[0] = random_chance(r, 3) ? test_next(r) : random_below(r, 6);
}

/* Fill *x; x->m points into it. */
static inline void random_module(struct test_rng *r, struct random_module *x)
{
    memset(x, 0, sizeof *x);
    x->m = (struct isa_module){.processor = (uint8_t)random_below(r, TGSI_PROCESSORS), .decls = x->decls,
                               .imms = x->imms, .props = x->props, .insns = x->insns, .items = x->items};
    for (uint32_t i = random_below(r, 40); i > 0; i--) {
        struct tgsi_item *item = &x->items[x->m.nitems++];
        item->kind = (uint8_t)random_below(r, 4);
        switch ((enum tgsi_item_kind)item->kind) {
        case TGSI_ITEM_DECL:
            random_decl(r, x->m.processor, &x->decls[item->index = x->m.ndecls++]);
            break;
        case TGSI_ITEM_IMM:
            random_imm(r, &x->imms[item->index = x->m.nimms++]);
            break;
        case TGSI_ITEM_PROPERTY:
            random_property(r, &x->props[item->index = x->m.nprops++]);
            break;
        case TGSI_ITEM_INSN:
            item->index = x->m.ninsns++;
            tgsi_use_operands(&x->insns[item->index], &x->operands[item->index]);
            random_insn(r, &x->insns[item->index]);
            break;
        }
    }
}

#endif
