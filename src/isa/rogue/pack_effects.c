/* pack_effects.c - what a line of a list reads and writes, and which lines may change places. */
#include "isa/rogue/pack.h"

/* Registers of a file: more than any has, for what goes by an index register. */
enum { ALL = 4096 };

static bool add(struct pack_effects *e, struct arena *arena, struct pack_span span)
{
    if (e->count >= e->cap) {
        struct pack_span *grown = arena_grow(arena, e->spans, sizeof *grown, e->count, &e->cap, e->count + 1);
        if (!grown)
            return false;
        e->spans = grown;
    }
    e->spans[e->count++] = span;
    return true;
}

/* ---- registers ---- */

static uint8_t indexed_space(unsigned pointee)
{
    static const uint8_t of[8] = {
        [ROGUE_INDEXED_TEMP] = PACK_R,        [ROGUE_INDEXED_VTXIN] = PACK_VI,  [ROGUE_INDEXED_COEFF] = PACK_CF,
        [ROGUE_INDEXED_SHARED] = PACK_SH,     [ROGUE_INDEXED_DC] = PACK_MEMORY, [ROGUE_INDEXED_IDX] = PACK_IDX,
        [ROGUE_INDEXED_COEFF_ALT] = PACK_CFA, [ROGUE_INDEXED_PIXOUT] = PACK_O};
    return of[pointee & 7];
}

/* Constants and the special registers that cannot be written have no span: count 0. */
static struct pack_span special_span(unsigned n, unsigned count)
{
    enum { BANK_4 = 4, GLOBALS = 8 };
    if (n >= ROGUE_SR_PIXOUT0 && n < ROGUE_SR_PIXOUT0 + BANK_4)
        return (struct pack_span){PACK_O, false, (uint16_t)(n - ROGUE_SR_PIXOUT0), (uint16_t)count};
    if (n >= ROGUE_SR_PIXOUT4 && n < ROGUE_SR_PIXOUT4 + BANK_4)
        return (struct pack_span){PACK_O, false, (uint16_t)(n - ROGUE_SR_PIXOUT4 + BANK_4), (uint16_t)count};
    if (n >= ROGUE_SR_INTERNAL0 && n <= ROGUE_SR_INTERNAL7)
        return (struct pack_span){PACK_I, false, (uint16_t)(n - ROGUE_SR_INTERNAL0), (uint16_t)count};
    if (n >= ROGUE_SR_GLOBAL0 && n < ROGUE_SR_GLOBAL0 + GLOBALS)
        return (struct pack_span){PACK_GLOBAL, false, (uint16_t)(n - ROGUE_SR_GLOBAL0), (uint16_t)count};
    return (struct pack_span){0};
}

static struct pack_span span_of(struct rogue_reg r, unsigned count)
{
    static const uint8_t banks[] = {[ROGUE_TEMP] = PACK_R,
                                    [ROGUE_VTXIN] = PACK_VI,
                                    [ROGUE_COEFF] = PACK_CF,
                                    [ROGUE_SHARED] = PACK_SH,
                                    [ROGUE_COEFF_ALT] = PACK_CFA};
    if (r.bank == ROGUE_SPECIAL)
        return special_span(r.index, count);
    if (r.bank < ROGUE_IDX0)
        return (struct pack_span){banks[r.bank], false, r.index, (uint16_t)count};
    if (!rogue_reg_is_indexed(r))
        return (struct pack_span){PACK_IDX, false, (uint16_t)(r.bank - ROGUE_IDX0), 1};
    return (struct pack_span){indexed_space(r.index & 7), false, 0, ALL};
}

bool pack_add_reg(struct pack_effects *e, struct arena *arena, struct rogue_reg r, unsigned count, bool writes)
{
    struct pack_span span = span_of(r, count);
    span.writes = writes;
    if (rogue_reg_is_indexed(r) &&
        !add(e, arena, (struct pack_span){PACK_IDX, false, (uint16_t)(r.bank - ROGUE_IDX0), 1}))
        return false;
    return span.count == 0 || add(e, arena, span);
}

bool pack_add_condition(struct pack_effects *e, struct arena *arena, unsigned cc)
{
    bool reads = cc == ROGUE_CC_PE_P0 || cc == ROGUE_CC_PE_NOT_P0;
    return !reads || add(e, arena, (struct pack_span){PACK_P0, false, 0, 1});
}

bool pack_add_effects(struct pack_effects *e, struct arena *arena, const struct pack_effects *more)
{
    e->barrier |= more->barrier;
    for (size_t i = 0; i < more->count; i++)
        if (!add(e, arena, more->spans[i]))
            return false;
    return true;
}

/* ---- instructions ---- */

static unsigned value_of(const struct rogue_draft *d, enum rogue_field field, unsigned otherwise)
{
    for (unsigned i = 0; i < d->nvalues; i++)
        if (d->values[i].field == field)
            return (unsigned)d->values[i].code;
    return otherwise;
}

/* Numbers of 1 to 16 are coded modulo 16. */
static unsigned count_of(const struct rogue_draft *d, enum rogue_field field)
{
    unsigned code = value_of(d, field, 1);
    return code ? code : 16;
}

/* What the backend does with a register that an instruction names (chapter 11; docs/linkage-rogue.md). A number of
 * words that is itself in a register goes to the end of the bank. */
struct access {
    uint16_t count;
    bool writes;
};
enum { ADDRESS = 2, STATE = 4, SET = 4 /* registers of a coefficient set */, TEXTURE_DATA = 32, ATOMIC = 4 };

/* Channels, or with .DATA, .INFO and .BOTH texels and weights. */
static uint16_t sampled(const struct rogue_draft *d)
{
    enum { CHANNELS = 4, TEXELS = 64 };
    return value_of(d, ROGUE_F_SBMODE, 0) ? TEXELS : CHANNELS;
}

static struct access backend_access(const struct rogue_draft *d, const struct rogue_want *w)
{
    enum { DATA = 1, DESTINATION = 3, SAMPLE_TO = 4 };
    bool address = w->kind == ROGUE_WANT_ANY && w->n == ROGUE_F_SRCSELADD;
    if (address)
        return (struct access){ADDRESS, false};
    switch ((enum rogue_op)d->op) {
    case ROGUE_OP_FITR:
    case ROGUE_OP_FITRP:
        if (w->n == DESTINATION)
            return (struct access){(uint16_t)count_of(d, ROGUE_F_COUNT), true};
        return (struct access){(uint16_t)(w->n == 0 ? count_of(d, ROGUE_F_COUNT) * SET : SET), false};
    case ROGUE_OP_LD:
        return (struct access){(uint16_t)count_of(d, ROGUE_F_BURSTLEN), true};
    case ROGUE_OP_LD_REG:
        return (struct access){w->kind == ROGUE_WANT_PORT ? ALL : 1, w->kind == ROGUE_WANT_PORT};
    case ROGUE_OP_ST:
    case ROGUE_OP_ST_TILED:
        return (struct access){(uint16_t)count_of(d, ROGUE_F_BURSTLEN), false};
    case ROGUE_OP_ATOM:
        return (struct access){w->n == ROGUE_F_DSTSEL ? 1 : ATOMIC, w->n == ROGUE_F_DSTSEL};
    case ROGUE_OP_SMP1D:
    case ROGUE_OP_SMP2D:
    case ROGUE_OP_SMP3D:
        if (w->n == SAMPLE_TO)
            return (struct access){sampled(d), true};
        return (struct access){w->n == DATA ? TEXTURE_DATA : w->n == DESTINATION ? 1 : STATE, false};
    case ROGUE_OP_UVSW_WRITE_REG:
    case ROGUE_OP_UVSW_WRITE_EMIT_ENDTASK_REG:
        return (struct access){1, false};
    default:
        return (struct access){ALL, false};
    }
}

static bool requests(unsigned op)
{
    return op == ROGUE_OP_FITR || op == ROGUE_OP_FITRP || (op >= ROGUE_OP_IDF && op <= ROGUE_OP_ATOM);
}

static bool add_backend(struct pack_effects *e, struct arena *arena, const struct rogue_draft *d)
{
    enum rogue_op op = (enum rogue_op)d->op;
    bool iterates = op == ROGUE_OP_FITR || op == ROGUE_OP_FITRP;
    bool reads = op == ROGUE_OP_LD || op == ROGUE_OP_LD_REG || op == ROGUE_OP_SMP1D || op == ROGUE_OP_SMP2D ||
                 op == ROGUE_OP_SMP3D;
    bool outputs = op >= ROGUE_OP_UVSW_WRITE && op <= ROGUE_OP_UVSW_WRITE_EMIT_ENDTASK_REG;
    bool ordinary = iterates || outputs || requests(op);
    if (requests(op) && !add(e, arena, (struct pack_span){PACK_FENCE, false, (uint16_t)value_of(d, ROGUE_F_DRC, 0), 1}))
        return false;
    if (outputs)
        return add(e, arena, (struct pack_span){PACK_OUTPUT, true, 0, 1});
    e->barrier |= !ordinary; /* tests, masks, phases: they say which instances there are, or end what came before */
    return iterates || add(e, arena, (struct pack_span){PACK_MEMORY, !reads, 0, 1});
}

static bool add_p0(struct pack_effects *e, struct arena *arena, const struct rogue_draft *d)
{
    bool writes = value_of(d, ROGUE_F_PWEN, 0) || d->op == ROGUE_OP_FSINC;
    bool reads = value_of(d, ROGUE_F_CIN, 0) || d->op == ROGUE_OP_CPS;
    return (!writes || add(e, arena, (struct pack_span){PACK_P0, true, 0, 1})) &&
           (!reads || add(e, arena, (struct pack_span){PACK_P0, false, 0, 1}));
}

bool pack_add_insn(struct pack_effects *e, struct arena *arena, const struct rogue_draft *d, unsigned repeat)
{
    bool backend = d->unit == ROGUE_BACKEND;
    if (d->unit == ROGUE_CTRL) {
        e->barrier |= d->op != ROGUE_OP_WDF;
        for (unsigned i = 0; i < d->nwants; i++) /* its fence: what has been asked for lands */
            if (d->wants[i].kind == ROGUE_WANT_DRC &&
                !add(e, arena, (struct pack_span){PACK_FENCE, true, d->wants[i].n, 1}))
                return false;
        return true;
    }
    if (!add_p0(e, arena, d) || (backend && !add_backend(e, arena, d)))
        return false;
    for (unsigned i = 0; i < d->nwants; i++) {
        const struct rogue_want *w = &d->wants[i];
        bool reads = w->kind == ROGUE_WANT_PORT || w->kind == ROGUE_WANT_ROUTED || w->kind == ROGUE_WANT_ANY;
        struct access a =
            backend && reads ? backend_access(d, w) : (struct access){(uint16_t)repeat, w->kind == ROGUE_WANT_W};
        if ((reads || w->kind == ROGUE_WANT_W) && !pack_add_reg(e, arena, w->reg, a.count, a.writes))
            return false;
    }
    return true;
}

/* ---- order ---- */

static bool overlap(const struct pack_span *a, const struct pack_span *b)
{
    return a->space == b->space && a->first < b->first + b->count && b->first < a->first + a->count;
}

static enum pack_order order(const struct pack_effects *first, const struct pack_effects *second,
                             const struct pack_span *value)
{
    enum pack_order worst = PACK_FREE;
    if (first->barrier || second->barrier)
        return PACK_BEHIND;
    for (size_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < second->count; k++) {
            const struct pack_span *a = &first->spans[i], *b = &second->spans[k];
            if (!overlap(a, b) || (!a->writes && !b->writes))
                continue;
            if (a->writes && !b->writes && value && b->space == value->space && b->first == value->first &&
                b->count == 1)
                continue;
            if (a->writes)
                return PACK_BEHIND;
            worst = PACK_BESIDE;
        }
    return worst;
}

enum pack_order pack_order(const struct pack_effects *first, const struct pack_effects *second)
{
    return order(first, second, NULL);
}

enum pack_order pack_order_forwarded(const struct pack_effects *first, const struct pack_effects *second,
                                     struct rogue_reg value)
{
    struct pack_span span = span_of(value, 1);
    return order(first, second, &span);
}
