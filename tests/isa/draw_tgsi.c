#include "draw_tgsi.h"

#include "isa/tgsi/tgsi.h"

static uint32_t below(struct test_rng *r, uint32_t n)
{
    return test_next(r) % n;
}

static bool chance(struct test_rng *r, uint32_t n)
{
    return below(r, n) == 0;
}

uint32_t draw_tgsi_rows(void)
{
    return tgsi_row_count;
}

uint32_t draw_tgsi_count(const struct isa_module *m)
{
    return m->ninsns;
}

/* ---- operands: registers that settings.c declares, seldom others ---- */

static struct tgsi_index draw_index(struct test_rng *r, uint32_t n)
{
    struct tgsi_index i = {.value = (int32_t)below(r, chance(r, 40) ? 20 : n)};
    if (chance(r, 7)) {
        i.indirect = true;
        i.file = chance(r, 5) ? TGSI_TEMPORARY : TGSI_ADDRESS;
        i.component = (uint8_t)below(r, 4);
        i.reg = (int32_t)below(r, 4);
        i.value -= chance(r, 4) ? 2 : 0;
        i.array = chance(r, 4) ? 1 : 0;
    }
    return i;
}

static void draw_swizzle(struct test_rng *r, struct tgsi_operand *o)
{
    bool plain = chance(r, 3);
    for (uint8_t i = 0; i < 4; i++)
        o->swizzle[i] = plain ? i : (uint8_t)below(r, 4);
}

/* A file's registers may be in two brackets: a vertex, or the number of a buffer. */
static void draw_dimension(struct test_rng *r, uint8_t processor, struct tgsi_operand *o)
{
    bool vertices = (o->file == TGSI_INPUT && (processor == TGSI_GEOM || processor == TGSI_TESS_CTRL ||
                                               (processor == TGSI_TESS_EVAL && o->index.value < 3))) ||
                    (o->file == TGSI_OUTPUT && processor == TGSI_TESS_CTRL && o->index.value < 3);
    if (vertices || (o->file == TGSI_CONSTANT && !chance(r, 3))) {
        o->dimensional = true;
        o->dim = draw_index(r, vertices ? 3 : 2);
    }
}

static struct tgsi_operand draw_numbers(struct test_rng *r, uint8_t processor)
{
    static const uint8_t files[] = {TGSI_TEMPORARY, TGSI_TEMPORARY, TGSI_TEMPORARY, TGSI_TEMPORARY, TGSI_CONSTANT,
                                    TGSI_CONSTANT,  TGSI_INPUT,     TGSI_INPUT,     TGSI_IMMEDIATE, TGSI_IMMEDIATE,
                                    TGSI_SYSTEM_VALUE,    TGSI_ADDRESS};
    struct tgsi_operand o = {.file = files[below(r, sizeof files)]};
    if (processor == TGSI_TESS_CTRL && chance(r, 6))
        o.file = TGSI_OUTPUT;
    if (processor == TGSI_COMP && o.file == TGSI_INPUT)
        o.file = TGSI_TEMPORARY;
    bool few = o.file == TGSI_SYSTEM_VALUE || o.file == TGSI_INPUT || o.file == TGSI_OUTPUT;
    o.index = draw_index(r, o.file == TGSI_TEMPORARY ? 12 : few && processor != TGSI_FRAG ? 3 : 8);
    if (o.file == TGSI_ADDRESS || o.file == TGSI_SYSTEM_VALUE)
        o.index.indirect = false;
    draw_dimension(r, processor, &o);
    draw_swizzle(r, &o);
    o.negate = chance(r, 4);
    o.absolute = chance(r, 6);
    return o;
}

/* What an operand without numbers is: `second` is the one after the first such. */
static struct tgsi_operand draw_resource(struct test_rng *r, const struct tgsi_row *row, bool second)
{
    static const uint8_t storage[] = {TGSI_BUFFER, TGSI_BUFFER,   TGSI_IMAGE,      TGSI_IMAGE,
                                      TGSI_MEMORY, TGSI_RESOURCE, TGSI_HW_ATOMIC, TGSI_CONSTBUF};
    struct tgsi_operand o = {.file = TGSI_SAMPLER, .mask = 15, .index = draw_index(r, 4)};
    if (row->unit == TGSI_UNIT_STORAGE)
        o.file = storage[below(r, sizeof storage)];
    else if (row->unit == TGSI_UNIT_IMAGE)
        o.file = TGSI_IMAGE;
    else if (row->unit == TGSI_UNIT_COLOR)
        o.file = TGSI_OUTPUT;
    else if (row->unit == TGSI_UNIT_VIEW && !second)
        o.file = TGSI_SAMPLER_VIEW;
    else if (row->unit == TGSI_UNIT_SAMPLER && chance(r, 8))
        o.file = TGSI_TEMPORARY; /* a handle */
    if (o.file == TGSI_SAMPLER || o.file == TGSI_SAMPLER_VIEW)
        o.index.value = (int32_t)below(r, 8);
    draw_swizzle(r, &o);
    if (o.file != TGSI_BUFFER && o.file != TGSI_IMAGE)
        o.index.indirect = o.index.indirect && chance(r, 2);
    return o;
}

static struct tgsi_operand draw_destination(struct test_rng *r, uint8_t processor)
{
    struct tgsi_operand o = {.file = chance(r, 4) ? TGSI_OUTPUT : TGSI_TEMPORARY};
    if (chance(r, 16))
        o.file = TGSI_ADDRESS;
    o.index = draw_index(r, o.file == TGSI_TEMPORARY ? 12 : o.file == TGSI_ADDRESS ? 8 : 5);
    if (o.file != TGSI_TEMPORARY)
        o.index.indirect = o.index.indirect && chance(r, 2);
    o.mask = (uint8_t)(chance(r, 3) ? 15 : 1 + below(r, 15));
    draw_dimension(r, processor, &o);
    return o;
}

/* ---- what follows the operands ---- */

static void draw_rest(struct test_rng *r, const struct tgsi_row *row, struct tgsi_insn *insn)
{
    insn->saturate = chance(r, 4);
    insn->precise = chance(r, 8);
    if (row->texture) {
        insn->has_target = true;
        insn->target = (uint8_t)below(r, TGSI_TEX_TARGETS);
    }
    if (row->offsets && chance(r, 3)) {
        static const uint8_t files[] = {TGSI_IMMEDIATE, TGSI_IMMEDIATE, TGSI_TEMPORARY, TGSI_CONSTANT};
        insn->noffsets = (uint8_t)(chance(r, 4) ? 4 : 1);
        for (unsigned i = 0; i < insn->noffsets; i++) {
            insn->offset[i].file = files[below(r, sizeof files)];
            insn->offset[i].reg = (int32_t)below(r, 4);
            for (unsigned c = 0; c < 3; c++)
                insn->offset[i].swizzle[c] = (uint8_t)below(r, 4);
        }
    }
    if (row->memory && chance(r, 2)) {
        static const uint16_t formats[] = {0, 0, 4, 31, 50, 54};
        insn->has_memory = true;
        insn->memory = (uint8_t)below(r, 16);
        insn->has_target = chance(r, 2);
        insn->target = insn->has_target ? (uint8_t)below(r, TGSI_TEX_TARGETS) : 0;
        insn->format = formats[below(r, 6)];
    }
    if (row->label && chance(r, 2)) {
        insn->has_label = true;
        insn->label = below(r, 6);
    }
}

struct isa_module *draw_tgsi(const struct isa_module *m, uint32_t at, uint32_t opcode, struct test_rng *r,
                             struct arena *a)
{
    const struct tgsi_row *row = &tgsi_rows[opcode];
    struct isa_module *made = ARENA_NEW(a, struct isa_module);
    struct tgsi_insn *insns = ARENA_ARRAY(a, struct tgsi_insn, m->ninsns + 1), *insn = &insns[at];
    bool second = false;
    assert_non_null(insns);
    *made = *m;
    made->insns = insns;
    made->ninsns = m->ninsns + 1;
    for (uint32_t i = 0; i < m->ninsns; i++)
        insns[i + (i >= at)] = m->insns[i];
    *insn = (struct tgsi_insn){.opcode = (uint16_t)opcode};
    assert_true(tgsi_new_operands(a, insn, TGSI_OFFSETS));
    insn->noffsets = 0;
    insn->ndst = row->ndst;
    insn->nsrc = tgsi_may_stand_bare(row) && chance(r, 2) ? 0 : row->nsrc;
    for (unsigned i = 0; i < insn->ndst; i++) {
        bool resource = row->dst_type == TGSI_T_NONE && i == 0;
        insn->dst[i] = resource ? draw_resource(r, row, false) : draw_destination(r, m->processor);
        if (resource)
            insn->dst[i].mask = (uint8_t)(1 + below(r, 15));
    }
    for (unsigned i = 0; i < insn->nsrc; i++) {
        bool resource = row->src_type[i] == TGSI_T_NONE;
        insn->src[i] = resource ? draw_resource(r, row, second) : draw_numbers(r, m->processor);
        if (row->reads[i] == TGSI_READS_INPUT && !chance(r, 16)) {
            insn->src[i].file = TGSI_INPUT;
            insn->src[i].index.value &= 7;
            insn->src[i].dimensional = false;
        }
        second |= resource;
    }
    draw_rest(r, row, insn);
    return made;
}
