/* lift_operand.c - registers as values and values into registers (chapter 4), at once or where a fence is waited for;
 * sources and internal selectors (chapter 3). Registers that instances share and some group writes: lift_common.c. */
#include "isa/rogue/lift.h"

enum { WHOLE_BANK = 4096 };

/* ---- files ---- */

static void note(struct rogue_lifter *l, struct rogue_reg r, unsigned span, bool writes)
{
    struct rogue_spot s = rogue_spot_of(r, 0);
    if (s.file == ROGUE_FILES)
        return;
    uint32_t end = s.index >= 0 ? rogue_files[s.file].most : s.number + span;
    end = end > rogue_files[s.file].most ? rogue_files[s.file].most : end;
    l->count[s.file] = l->count[s.file] > end ? l->count[s.file] : end;
    l->indexed[s.file] |= s.index >= 0;
    if (writes)
        rogue_note_common(l, &s, span, rogue_files[s.file].most);
}

/* Registers from source n on that the backend reads: addresses, states, texture data and what is stored are in
 * consecutive ones. */
static unsigned backend_sources(const struct rogue_insn *insn, unsigned n)
{
    enum { WIDEST_SOURCE = 18 };
    bool counted = rogue_has_field(insn, ROGUE_F_SRCSELBL);
    return counted && n == (unsigned)rogue_get(insn, ROGUE_F_SRCSELDATA) ? WHOLE_BANK : WIDEST_SOURCE;
}

static void note_main(struct rogue_lifter *l, const struct rogue_group *g)
{
    const struct rogue_insn *insn = rogue_at(g, ROGUE_BACKEND);
    bool wide = insn->row && insn->row->traits & ROGUE_ASKS;
    const struct rogue_insn *p0 = rogue_at(g, ROGUE_P0);
    for (unsigned n = 0; n < ROGUE_SOURCES; n++) {
        unsigned reads = wide ? backend_sources(insn, n) : g->repeat;
        unsigned span = p0->row ? rogue_span_of(p0, n) : 0;
        note(l, g->s[n], span ? reads + span - 1 : reads, false);
    }
}

static void note_control(struct rogue_lifter *l, const struct rogue_row *row)
{
    l->masks |= rogue_flow_of(row) == WEFT_FLOW_MASK;
    l->jumps |= rogue_flow_of(row) == WEFT_FLOW_MASK && row->traits & ROGUE_COMPUTES;
}

static void note_group(struct rogue_lifter *l, const struct rogue_group *g)
{
    struct rogue_reg first;
    unsigned drc, results = rogue_results_of(g, &first, &drc);
    if (g->alu == ROGUE_MAIN)
        note_main(l, g);
    else
        for (unsigned n = 0; n < ROGUE_SOURCES; n++)
            note(l, g->s[n], g->repeat, false);
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        if (g->destinations >> n & 1)
            note(l, g->w[n], g->repeat, true);
    if (results)
        note(l, first, results, true);
    if (g->alu == ROGUE_CONTROL && rogue_at(g, ROGUE_CTRL)->row)
        note_control(l, rogue_at(g, ROGUE_CTRL)->row);
}

/* Words that a program starts with: vertex inputs, system values, and shared registers where a program writes some of
 * them or indexes them. */
static void fill_files(struct rogue_lifter *l)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        unsigned file = p->where == ROGUE_AT_VI ? ROGUE_FILE_VI : ROGUE_FILE_R;
        if (p->output || (p->where != ROGUE_AT_VI && p->where != ROGUE_AT_R) || p->number >= l->count[file] ||
            (p->sysval < 0 && l->slot[i] == LIFT_NONE))
            continue;
        ir_value v = p->sysval >= 0 ? ir_sysval(&l->b, (enum ir_sysval)p->sysval, IR_I32, p->component)
                     : rogue_stage_of_vertices(l)
                         ? rogue_stage_input(l, i)
                         : ir_emit(&l->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, l->slot[i], p->component, 0);
        ir_set(&l->b, l->file[file], p->number, ir_as(&l->b, IR_I32, v), 0);
    }
    for (uint32_t n = 0; l->indexed[ROGUE_FILE_CF] && l->stage == IR_FRAGMENT && n < l->count[ROGUE_FILE_CF]; n++)
        if (rogue_has_coefficient(l, n))
            ir_set(&l->b, l->file[ROGUE_FILE_CF], n, rogue_coefficient(l, n), 0);
    if (l->indexed[ROGUE_FILE_SH])
        for (uint32_t n = 0; n < l->count[ROGUE_FILE_SH]; n++)
            ir_set(&l->b, l->file[ROGUE_FILE_SH], n, rogue_shared(l, n), 0);
}

void rogue_note_registers(struct rogue_lifter *l)
{
    for (uint32_t i = 0; i < l->m->ngroups; i++)
        note_group(l, &l->m->groups[i]);
}

void rogue_make_files(struct rogue_lifter *l)
{
    for (unsigned f = 0; f < ROGUE_FILES; f++)
        l->count[f] = f >= ROGUE_FILE_O ? rogue_files[f].most : l->count[f] ? l->count[f] : 1;
    for (uint32_t i = 0; i < l->link.nplaces; i++) /* results in r that nothing writes */
        if (l->link.places[i].output && l->link.places[i].where == ROGUE_AT_R &&
            l->count[ROGUE_FILE_R] <= l->link.places[i].number)
            l->count[ROGUE_FILE_R] = l->link.places[i].number + 1;
    for (unsigned f = 0; f < ROGUE_FILES; f++)
        l->file[f] = ir_add_file(l->b.p, (struct ir_file){.name = rogue_files[f].name,
                                                          .bits = rogue_files[f].bits,
                                                          .count = l->count[f],
                                                          .uniform = rogue_files[f].uniform});
    l->constant = ARENA_ARRAY(l->arena, ir_value, l->count[ROGUE_FILE_SH] + 1);
    if (l->constant) {
        fill_files(l);
        rogue_fill_common(l);
    }
}

unsigned rogue_registers_from(const struct rogue_lifter *l, struct rogue_reg r)
{
    struct rogue_spot s = rogue_spot_of(r, 0);
    return s.file == ROGUE_FILES || s.number >= l->count[s.file] ? 0 : l->count[s.file] - s.number;
}

/* ---- shared registers ---- */

static const struct rogue_shared_range *shared_range(const struct rogue_lifter *l, uint32_t n)
{
    for (uint32_t i = 0; i < l->link.nshared; i++)
        if (n >= l->link.shared[i].first && n - l->link.shared[i].first < l->link.shared[i].count)
            return &l->link.shared[i];
    return NULL;
}

const struct rogue_shared_range *rogue_shared_state(const struct rogue_lifter *l, struct rogue_reg r,
                                                    enum rogue_shared_kind kind)
{
    const struct rogue_shared_range *range = r.bank == ROGUE_SHARED ? shared_range(l, r.index) : NULL;
    return range && range->kind == kind && range->first == r.index ? range : NULL;
}

uint32_t rogue_constants(struct rogue_lifter *l, uint32_t buffer)
{
    return lift_buffer_space(l->b.p, "constants", IR_SPACE_CONST, buffer);
}

static ir_value buffer_word(struct rogue_lifter *l, uint32_t buffer, uint32_t offset)
{
    struct ir_mem mem = {(uint16_t)rogue_constants(l, buffer), IR_I32, 1, 4, offset};
    return ir_load(&l->b, mem, IR_I32, rogue_word(l, 0));
}

/* Where the device has a buffer (ir/io.h) or weft a texture; word 0 is the low one. */
static uint32_t address_word(const struct rogue_shared_range *range, uint32_t word)
{
    uint64_t address;
    if (range->kind == ROGUE_SH_TEXTURE_ADDRESS)
        address = ROGUE_TEXTURE_ADDRESS(range->number);
    else if (range->kind == ROGUE_SH_UNIFORM_ADDRESS)
        address = IR_CONSTANT_ADDRESS(range->number);
    else
        address = IR_STORAGE_ADDRESS(range->number);
    return (uint32_t)((address + range->offset) >> (word & 1) * 32);
}

/* The state of an array of texels: see rogue_lift_gta. */
static uint32_t texels_word(const struct rogue_shared_range *range, uint32_t word)
{
    switch (word) {
    case 0:
        return address_word(range, 0);
    case 1:
        return address_word(range, 1) | range->bytes << 16;
    case 2:
        return (range->size[0] - 1) | (range->size[1] - 1) << 16;
    default:
        return range->size[2] - 1;
    }
}

/* States of textures, samplers and images are the number of what they are of, in every word. */
static uint32_t known_word(const struct rogue_shared_range *range, uint32_t word)
{
    switch ((enum rogue_shared_kind)range->kind) {
    case ROGUE_SH_STORAGE_ADDRESS:
    case ROGUE_SH_UNIFORM_ADDRESS:
    case ROGUE_SH_TEXTURE_ADDRESS:
        return address_word(range, word);
    case ROGUE_SH_TEXELS:
        return texels_word(range, word);
    default:
        return range->number;
    }
}

/* Values of the prologue, so that they are made once for all tasks. */
ir_value rogue_shared(struct rogue_lifter *l, uint32_t n)
{
    if (l->constant[n])
        return l->constant[n];
    const struct rogue_shared_range *range = shared_range(l, n);
    uint32_t block = l->b.block, word = range ? n - range->first : 0;
    l->b.block = IR_PROLOGUE;
    ir_value v = range && range->kind == ROGUE_SH_CONSTANTS ? buffer_word(l, range->number, range->offset + 4 * word)
                                                            : rogue_word(l, range ? known_word(range, word) : 0);
    l->b.block = block;
    l->constant[n] = v;
    return v;
}

/* ---- reading ---- */

ir_value rogue_index_of(struct rogue_lifter *l, const struct rogue_spot *s)
{
    return l->index ? l->index : ir_get(&l->b, l->file[ROGUE_FILE_IDX], (uint32_t)s->index, IR_I32);
}

struct ir_reg rogue_dynamic_reg(const struct rogue_lifter *l, const struct rogue_spot *s)
{
    return (struct ir_reg){.file = (uint16_t)l->file[s->file],
                           .part = IR_I32,
                           .elem = s->number,
                           .stride = (int32_t)s->scale,
                           .first = -(int32_t)(s->number / s->scale),
                           .last = (int32_t)((l->count[s->file] - 1 - s->number) / s->scale)};
}

static ir_value read_special(struct rogue_lifter *l, unsigned n)
{
    bool known;
    uint32_t constant = rogue_constant(n, &known);
    return known ? rogue_word(l, constant) : rogue_special_register(l, n);
}

ir_value rogue_read(struct rogue_lifter *l, struct rogue_reg r, unsigned further)
{
    struct rogue_spot s = rogue_spot_of(r, further);
    if (s.file == ROGUE_FILES && r.bank == ROGUE_SPECIAL)
        return read_special(l, s.number);
    if (s.file == ROGUE_FILES) {
        ir_value step = ir_op2(&l->b, IR_MUL, 0, rogue_index_of(l, &s), rogue_word(l, s.scale));
        return rogue_dynamic_constant(l, ir_op2(&l->b, IR_ADD, 0, step, rogue_word(l, s.number)));
    }
    if (s.number >= l->count[s.file]) /* registers that do not exist read as 0 */
        return rogue_word(l, 0);
    if (rogue_is_common(l, &s))
        return rogue_read_common(l, &s);
    if (s.index >= 0)
        return ir_get_dyn(&l->b, rogue_dynamic_reg(l, &s), rogue_index_of(l, &s), IR_I32);
    if (s.file == ROGUE_FILE_SH)
        return rogue_shared(l, s.number);
    if (s.file == ROGUE_FILE_CF && !(l->common[s.file] && !rogue_has_coefficient(l, s.number)))
        return rogue_coefficient(l, s.number);
    return ir_get(&l->b, l->file[s.file], s.number, IR_I32);
}

ir_value rogue_source(struct rogue_lifter *l, unsigned n)
{
    if (!l->source[n])
        l->source[n] = rogue_read(l, l->group->s[n], l->fixed_sources >> n & 1 ? 0 : l->step);
    return l->source[n];
}

ir_value rogue_unit_source(struct rogue_lifter *l, unsigned n)
{
    return rogue_source(l, l->unit == ROGUE_P1 ? n + 3 : n);
}

/* ---- feedthroughs ---- */

ir_value rogue_fte(struct rogue_lifter *l)
{
    return l->fte ? l->fte : rogue_source(l, rogue_selected_port(l->group->is0));
}

static ir_value feedthrough(struct rogue_lifter *l, unsigned n)
{
    return l->ft[n] ? l->ft[n] : rogue_word(l, 0);
}

ir_value rogue_is3(struct rogue_lifter *l)
{
    switch ((enum rogue_feed)l->group->is3) {
    case ROGUE_FT2:
        return rogue_source(l, 2);
    case ROGUE_FTE:
        return rogue_fte(l);
    default:
        return feedthrough(l, l->group->is3);
    }
}

ir_value rogue_feed(struct rogue_lifter *l, unsigned code)
{
    return code == ROGUE_FTE ? rogue_fte(l) : feedthrough(l, code);
}

/* ---- predicates ---- */

ir_value rogue_p0(struct rogue_lifter *l)
{
    return ir_get(&l->b, l->file[ROGUE_FILE_P0], 0, IR_I1);
}

void rogue_set_p0(struct rogue_lifter *l, ir_value v)
{
    ir_set(&l->b, l->file[ROGUE_FILE_P0], 0, v, l->run);
}

ir_value rogue_pe(struct rogue_lifter *l)
{
    return l->masks ? ir_get(&l->b, l->file[ROGUE_FILE_PE], 0, IR_I1) : ir_const(&l->b, IR_I1, 1);
}

ir_value rogue_and(struct rogue_lifter *l, ir_value a, ir_value b)
{
    return a && b ? ir_op2(&l->b, IR_AND, 0, a, b) : a ? a : b;
}

/* ---- writing ---- */

void rogue_write(struct rogue_lifter *l, struct rogue_reg r, unsigned further, ir_value v, ir_value pred)
{
    struct rogue_spot s = rogue_spot_of(r, further);
    v = ir_as(&l->b, IR_I32, v);
    if (s.file == ROGUE_FILES && r.bank == ROGUE_SPECIAL && rogue_write_special(l, s.number, v, pred))
        return;
    if (s.file == ROGUE_FILES) {
        lift_refuse(&l->lift, "%s register %u cannot be written",
                    r.bank == ROGUE_SPECIAL ? "special" : "dynamic constant", s.number);
        return;
    }
    if (s.number >= l->count[s.file])
        return;
    if (rogue_is_common(l, &s))
        rogue_write_common(l, &s, v, pred);
    else if (s.index >= 0)
        ir_set_dyn(&l->b, rogue_dynamic_reg(l, &s), rogue_index_of(l, &s), v, pred);
    else
        ir_set(&l->b, l->file[s.file], s.number, v, pred);
}

/* ---- writing later: results of requests (lift_fence.c) ---- */

enum { POISON = 0x7fdeadbd /* a NaN, and an address of nothing */ };

/* Number of what is kept of the register `further` after `to`, which the group at work asks for; LIFT_NONE: it is
 * waited for in its run. */
static uint32_t kept_number(const struct rogue_lifter *l, struct rogue_reg to, unsigned further)
{
    struct rogue_reg first;
    unsigned drc, count = rogue_results_of(l->group, &first, &drc);
    unsigned there = count ? rogue_registers_from(l, first) : 0, n = (unsigned)(to.index - first.index) + further;
    return l->kept_at[l->at] != LIFT_NONE && n < count && n < there ? l->kept_at[l->at] + n : LIFT_NONE;
}

void rogue_send(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, unsigned further, ir_value v, ir_value pred)
{
    struct rogue_requests *r = &l->requests[drc];
    struct rogue_result *grown =
        arena_grow(l->arena, r->pending, sizeof *grown, r->count, &r->capacity, (size_t)r->count + 1);
    if (!grown)
        return;
    r->pending = grown;
    struct rogue_spot s = rogue_spot_of(to, further);
    ir_value index = s.index >= 0 ? rogue_index_of(l, &s) : 0;
    grown[r->count++] = (struct rogue_result){to, further, v, pred, index, kept_number(l, to, further)};
    if (l->m->strict)
        rogue_write(l, to, further, rogue_word(l, POISON), pred);
}

/* A float as a half, a number's low 16 bits: IR_I32. */
static ir_value half_of(struct rogue_lifter *l, ir_value v)
{
    if (ir_type_of(&l->b, v) == IR_F32)
        return ir_cvt(&l->b, IR_ZEXT, IR_I32, 0, ir_as(&l->b, IR_I16, ir_cvt(&l->b, IR_F2F, IR_F16, IR_NAN_CANON, v)));
    return ir_op2(&l->b, IR_AND, 0, v, rogue_word(l, 0xffff));
}

void rogue_send_values(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, const ir_value *v, unsigned count,
                       bool halves)
{
    enum { HALF = 16 };
    for (unsigned n = 0; n < rogue_registers_of(count, halves) && !l->failed; n++) {
        ir_value word = halves ? half_of(l, v[2 * n]) : ir_as(&l->b, IR_I32, v[n]);
        if (halves && 2 * n + 1 < count)
            word =
                ir_op2(&l->b, IR_OR, 0, word, ir_op2(&l->b, IR_SHL, 0, half_of(l, v[2 * n + 1]), rogue_word(l, HALF)));
        rogue_send(l, drc, to, n, word, l->run);
    }
}
