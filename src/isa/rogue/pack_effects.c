/* pack_effects.c - what a line of a list reads and writes, and which lines may change places. */
#include "isa/rogue/insn.h"
#include "isa/rogue/pack.h"

/* Registers of a file: more than any has, for what goes by an index register. */
enum { ALL = 4096 };

static bool add(struct rogue_pack_effects *e, struct arena *arena, struct rogue_pack_span span)
{
    struct rogue_pack_span *grown = arena_grow(arena, e->spans, sizeof *grown, e->count, &e->cap, e->count + 1);
    if (!grown)
        return false;
    e->spans = grown;
    grown[e->count++] = span;
    return true;
}

/* ---- registers ---- */

/* Constants and the special registers that cannot be written have no span: count 0. */
static struct rogue_pack_span span_of(struct rogue_reg r, unsigned count)
{
    enum { GLOBALS = 8 };
    struct rogue_spot s = rogue_spot_of(r, 0);
    if (s.index >= 0) /* dynamic constants are in memory */
        return (struct rogue_pack_span){s.file == ROGUE_FILES ? ROGUE_PACK_MEMORY : s.file, false, 0, ALL};
    if (s.file < ROGUE_FILES)
        return (struct rogue_pack_span){s.file, false, (uint16_t)s.number,
                                        s.file == ROGUE_FILE_IDX ? 1 : (uint16_t)count};
    uint32_t global = s.number - ROGUE_SR_GLOBAL0;
    return global < GLOBALS ? (struct rogue_pack_span){ROGUE_PACK_GLOBAL, false, (uint16_t)global, (uint16_t)count}
                            : (struct rogue_pack_span){0};
}

bool rogue_pack_add_reg(struct rogue_pack_effects *e, struct arena *arena, struct rogue_reg r, unsigned count,
                        bool writes)
{
    struct rogue_pack_span span = span_of(r, count);
    span.writes = writes;
    if (rogue_reg_is_indexed(r) &&
        !add(e, arena, (struct rogue_pack_span){ROGUE_FILE_IDX, false, (uint16_t)(r.bank - ROGUE_IDX0), 1}))
        return false;
    return span.count == 0 || add(e, arena, span);
}

bool rogue_pack_add_condition(struct rogue_pack_effects *e, struct arena *arena, unsigned cc)
{
    bool reads = cc == ROGUE_CC_PE_P0 || cc == ROGUE_CC_PE_NOT_P0;
    return !reads || add(e, arena, (struct rogue_pack_span){ROGUE_FILE_P0, false, 0, 1});
}

bool rogue_pack_add_effects(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_pack_effects *more)
{
    e->barrier |= more->barrier;
    for (size_t i = 0; i < more->count; i++)
        if (!add(e, arena, more->spans[i]))
            return false;
    return true;
}

/* ---- instructions ---- */

/* What the row does with the register that a want of the backend is for, by the operand (template.h); NULL: it does not
 * say. */
static const struct rogue_access *access_of(const struct rogue_draft *d, const struct rogue_want *w)
{
    const struct rogue_template *t = &rogue_table()->templates[d->op];
    for (unsigned i = 0; i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        if (w->kind == ROGUE_WANT_PORT ? o->kind == ROGUE_ON_PORT && o->n == w->n
                                       : o->kind == ROGUE_ON_FIELD && o->field == w->n)
            return &o->access;
    }
    return NULL;
}

static bool add_backend(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_insn *insn)
{
    uint32_t effects = rogue_effects_of(insn->row);
    bool asks = insn->row->traits & ROGUE_ASKS, iterates = rogue_has_field(insn, ROGUE_F_ITER_MODE),
         reads = effects & (WEFT_EFFECT_READS_MEMORY | WEFT_EFFECT_TEXTURE) && !(effects & WEFT_EFFECT_WRITES_MEMORY);
    uint16_t fence = asks ? (uint16_t)rogue_get(insn, ROGUE_F_DRC) : 0;
    if (asks && !add(e, arena, (struct rogue_pack_span){ROGUE_PACK_FENCE, false, fence, 1}))
        return false;
    if (rogue_makes_vertices(insn->row))
        return add(e, arena, (struct rogue_pack_span){ROGUE_PACK_OUTPUT, true, 0, 1});
    e->barrier |= !asks; /* tests, masks, phases: they say which instances there are, or end what came before */
    return iterates || add(e, arena, (struct rogue_pack_span){ROGUE_PACK_MEMORY, !reads, 0, 1});
}

static bool add_p0(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_insn *insn)
{
    uint32_t p0 = rogue_predicates(insn);
    return (!(p0 & WEFT_EFFECT_WRITES_FLAGS) || add(e, arena, (struct rogue_pack_span){ROGUE_FILE_P0, true, 0, 1})) &&
           (!(p0 & WEFT_EFFECT_READS_FLAGS) || add(e, arena, (struct rogue_pack_span){ROGUE_FILE_P0, false, 0, 1}));
}

/* The register that an instruction is to have: what the backend does with it is in the row. */
static bool add_want(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_draft *d,
                     const struct rogue_insn *insn, const struct rogue_want *w, unsigned repeat)
{
    bool backend = d->unit == ROGUE_BACKEND && w->kind != ROGUE_WANT_W;
    const struct rogue_access *access = backend ? access_of(d, w) : NULL;
    unsigned count = access ? rogue_extent_of(insn, access) : backend ? ALL : repeat;
    return rogue_pack_add_reg(e, arena, w->reg, count, access ? access->how & ROGUE_WRITE : w->kind == ROGUE_WANT_W);
}

bool rogue_pack_add_insn(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_draft *d,
                         unsigned repeat)
{
    struct rogue_insn insn;
    if (d->unit == ROGUE_CTRL) {
        e->barrier |= rogue_first_form(d->op)->misc != ROGUE_MISC_DRC;
        for (unsigned i = 0; i < d->nwants; i++) /* its fence: what has been asked for lands */
            if (d->wants[i].kind == ROGUE_WANT_DRC &&
                !add(e, arena, (struct rogue_pack_span){ROGUE_PACK_FENCE, true, d->wants[i].n, 1}))
                return false;
        return true;
    }
    if (!rogue_build(d, &insn)) { /* an error of its group */
        e->barrier = true;
        return true;
    }
    if (!add_p0(e, arena, &insn) || (d->unit == ROGUE_BACKEND && !add_backend(e, arena, &insn)))
        return false;
    for (unsigned i = 0; i < d->nwants; i++) {
        uint8_t kind = d->wants[i].kind;
        bool reg =
            kind == ROGUE_WANT_PORT || kind == ROGUE_WANT_ROUTED || kind == ROGUE_WANT_ANY || kind == ROGUE_WANT_W;
        if (reg && !add_want(e, arena, d, &insn, &d->wants[i], repeat))
            return false;
    }
    return true;
}

/* ---- order ---- */

static bool overlap(const struct rogue_pack_span *a, const struct rogue_pack_span *b)
{
    return a->space == b->space && a->first < b->first + b->count && b->first < a->first + a->count;
}

static enum rogue_pack_order order(const struct rogue_pack_effects *first, const struct rogue_pack_effects *second,
                                   const struct rogue_pack_span *value)
{
    enum rogue_pack_order worst = ROGUE_PACK_FREE;
    if (first->barrier || second->barrier)
        return ROGUE_PACK_LATER;
    for (size_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < second->count; k++) {
            const struct rogue_pack_span *a = &first->spans[i], *b = &second->spans[k];
            if (!overlap(a, b) || (!a->writes && !b->writes))
                continue;
            if (a->writes && !b->writes && value && b->space == value->space && b->first == value->first &&
                b->count == 1)
                continue;
            if (a->writes)
                return ROGUE_PACK_LATER;
            worst = ROGUE_PACK_BESIDE;
        }
    return worst;
}

enum rogue_pack_order rogue_pack_order(const struct rogue_pack_effects *first, const struct rogue_pack_effects *second)
{
    return order(first, second, NULL);
}

enum rogue_pack_order rogue_pack_order_forwarded(const struct rogue_pack_effects *first,
                                                 const struct rogue_pack_effects *second, struct rogue_reg value)
{
    struct rogue_pack_span span = span_of(value, 1);
    return order(first, second, &span);
}
