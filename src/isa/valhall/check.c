/* check.c - the rules of a program: what each instruction must keep beyond its own encoding, and where control may go.
 */
#include "isa/valhall/check.h"
#include "isa/valhall/lift_rows.h"
#include "isa/valhall/table.h"

#include <stdarg.h>
#include <stdio.h>

void valhall_report(struct valhall_checker *c, weft_severity severity, const char *code, uint32_t number,
                    const char *hint, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    bool bytes = !c->src || !c->m->where;
    if (bytes && !c->reach.anywhere && !c->reach.word[number]) {
        if (c->running)
            return;
        severity = WEFT_WARNING;
    }
    c->errors += severity == WEFT_ERROR;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!bytes)
        diag_at(c->diags, severity, code, c->src, c->m->where[number], hint, "%s", text);
    else
        diag_at_address(c->diags, severity, code, c->m->name, c->m->base + 8 * (uint64_t)number, hint, "%s", text);
}

/* ---- numbers of staging registers ---- */

/* Registers for `channels` of the format that a format modifier names. */
static unsigned formatted(unsigned format, unsigned channels)
{
    bool half = format == VALHALL_FMT_F16 || format == VALHALL_FMT_S16 || format == VALHALL_FMT_U16;
    return half ? (channels + 1) / 2 : channels;
}

static unsigned registers_of_bits(unsigned bits)
{
    return (bits + 31) / 32;
}

struct counts {
    unsigned least, most;
};

static struct counts exactly(unsigned n)
{
    return (struct counts){n, n};
}

/* A texture's results: a register for each 32-bit component that is written, or for two of 16 bits. */
static unsigned texels(const struct valhall_insn *insn, enum valhall_field_id width)
{
    unsigned components = (unsigned)__builtin_popcount(valhall_mod(insn, VALHALL_MOD_WRITE_MASK));
    return valhall_mod(insn, width) ? components : (components + 1) / 2;
}

/* How many staging registers group `i` has, as far as the instruction says. */
static struct counts expected_count(const struct valhall_insn *insn, unsigned i)
{
    const struct valhall_row *row = insn->row;
    unsigned vector = valhall_has_modifier(row, VALHALL_MOD_VECSIZE) ? valhall_mod(insn, VALHALL_MOD_VECSIZE) + 1 : 1;
    unsigned of_type = registers_of_bits(row->size);
    switch ((enum valhall_count)row->staging[i].count) {
    case VALHALL_COUNT_ONE:
    case VALHALL_COUNT_TWO:
    case VALHALL_COUNT_THREE:
        return exactly(row->staging[i].count - VALHALL_COUNT_ONE + 1u);
    case VALHALL_COUNT_OF_TYPE:
        return exactly(of_type);
    case VALHALL_COUNT_OF_TYPE_OR_NONE:
        return exactly(insn->staging[i].count ? of_type : 0);
    case VALHALL_COUNT_LOADED:
        return exactly(valhall_loaded_part(insn).width == 64 ? 2 : of_type);
    case VALHALL_COUNT_EXCHANGED:
        return exactly(valhall_mod(insn, VALHALL_MOD_COMPARE) ? 2 * of_type : of_type);
    case VALHALL_COUNT_OF_FORMAT:
        return exactly(formatted(valhall_mod(insn, VALHALL_MOD_REGFMT), vector));
    case VALHALL_COUNT_OF_VECTOR:
        return exactly(row->size == 16 ? (vector + 1) / 2 : vector);
    case VALHALL_COUNT_TEXELS:
        return exactly(texels(insn, VALHALL_MOD_REGISTER_WIDTH));
    case VALHALL_COUNT_TEXELS_2:
        return exactly(texels(insn, VALHALL_MOD_REGISTER_WIDTH) + texels(insn, VALHALL_MOD_SECOND_WIDTH));
    case VALHALL_COUNT_ANY:
        break;
    }
    return (struct counts){0, 8};
}

/* Registers that a texture message looks at: coordinates, layer, reference, offsets, level. */
static struct counts texture_operands(const struct valhall_insn *insn)
{
    static const uint8_t coordinates[4] = {[VALHALL_1D] = 1, [VALHALL_2D] = 2, [VALHALL_3D] = 3, [VALHALL_CUBE] = 2};
    bool lod = valhall_has_modifier(insn->row, VALHALL_MOD_LOD_MODE),
         offsets = valhall_has_flag(insn, VALHALL_MOD_TEXEL_OFFSET), fetch = insn->row->form->level_last;
    unsigned dimension = valhall_mod(insn, VALHALL_MOD_DIMENSION);
    bool layer = valhall_has_flag(insn, VALHALL_MOD_ARRAY) || (fetch && dimension == VALHALL_CUBE); /* the face */
    unsigned mode = lod ? valhall_mod(insn, VALHALL_MOD_LOD_MODE) : VALHALL_LOD_ZERO;
    unsigned n = coordinates[dimension] + layer + valhall_has_flag(insn, VALHALL_MOD_SHADOW) + offsets;
    n += lod && mode >= VALHALL_LOD_EXPLICIT;
    if (lod && mode == VALHALL_LOD_GRDESC)
        return (struct counts){n, 8};
    return (struct counts){n, n + (fetch && !offsets)};
}

/* Registers that are missing count as 0, those that are too many as nothing. */
static void check_texture_operands(struct valhall_checker *c, const struct valhall_insn *insn)
{
    if (insn->row->unit != VALHALL_T)
        return;
    struct counts want = texture_operands(insn);
    unsigned count = insn->staging[1].count;
    if (count < want.least)
        valhall_report(c, WEFT_WARNING, "texture-operands", insn->number, NULL,
                       "%s takes %u staging registers here, not %u: those that are missing are 0", insn->row->name,
                       want.least, count);
    else if (count > want.most)
        valhall_report(c, WEFT_WARNING, "texture-operands", insn->number, NULL,
                       "%s takes %u staging registers here, not %u: the last has no effect", insn->row->name, want.most,
                       count);
}

static void check_staging(struct valhall_checker *c, const struct valhall_insn *insn)
{
    for (unsigned i = 0; i < insn->nstaging; i++) {
        struct counts want = expected_count(insn, i);
        unsigned count = insn->staging[i].count;
        if (count < want.least || count > want.most)
            valhall_report(c, WEFT_ERROR, "staging-count", insn->number, NULL,
                           "%s %s %u staging register%s here, not %u", insn->row->name,
                           insn->staging[i].write ? "writes" : "reads", want.least, want.least == 1 ? "" : "s", count);
    }
}

/* ---- single instructions ---- */

static bool is_data(const struct valhall_checker *c, uint32_t number)
{
    return c->m->words[number] && !valhall_row_of(c->m->words[number]);
}

const char *valhall_data_text(uint64_t word, struct arena *arena)
{
    const struct valhall_table *t = valhall_table();
    const struct valhall_row *row = valhall_row_by_opcode(t, word);
    if (!word)
        return "a word of zeros is not an instruction";
    if (row)
        return arena_printf(arena, "0x%016llX is not an instruction: %s: %s", (unsigned long long)word, row->name,
                            valhall_fault_names[valhall_fault_of(t, row, word)]);
    return arena_printf(arena, "0x%016llX is not an instruction: opcode 0x%03X", (unsigned long long)word,
                        (unsigned)valhall_get_field(word, VALHALL_FIELD_OPCODE));
}

/* Data words from `number` on: an error where control comes to them, before a run only where it surely does. How many
 * there are that nothing comes to, or the one. */
static uint32_t check_data(struct valhall_checker *c, uint32_t number)
{
    uint32_t count = 1;
    uint8_t how = c->reach.word[number];
    bool error = how == VALHALL_SURELY || (how == VALHALL_MAYBE && !c->running);
    while (!how && number + count < c->m->nwords && !c->reach.word[number + count] && is_data(c, number + count))
        count++;
    const char *text = valhall_data_text(c->m->words[number], &c->arena);
    const char *where = how == VALHALL_SURELY  ? ""
                        : how == VALHALL_MAYBE ? "; control may come there"
                        : c->reach.anywhere    ? "; only a branch to an address in a register may come there"
                                               : "; control does not come there";
    bool running = c->running;
    c->running = false; /* said in any case */
    if (count > 1)
        valhall_report(c, WEFT_WARNING, "not-an-instruction", number, NULL, "%u words of data, the first: %s%s", count,
                       text ? text : "", where);
    else
        valhall_report(c, error ? WEFT_ERROR : WEFT_WARNING, "not-an-instruction", number, NULL, "%s%s",
                       text ? text : "", where);
    c->running = running;
    return count;
}

static void check_tail(struct valhall_checker *c)
{
    if (c->m->ntail && !c->running)
        diag_add(c->diags, WEFT_WARNING, "partial-word", c->src ? c->src->name : c->m->name, NULL,
                 "at 0x%llx: the last %u byte%s not a whole instruction of 8",
                 (unsigned long long)(c->m->base + 8 * (uint64_t)c->m->nwords), c->m->ntail,
                 c->m->ntail == 1 ? " is" : "s are");
}

static void check_slot_number(struct valhall_checker *c, const struct valhall_insn *insn)
{
    int slot = valhall_slot(insn->row, insn->word);
    bool barrier = insn->row->form->way == VALHALL_WAY_MEET;
    if (barrier && slot != 7)
        valhall_report(c, WEFT_ERROR, "barrier-slot", insn->number, "write BARRIER.slot7.wait",
                       "a barrier must use slot 7, not slot %d", slot);
    if (barrier && insn->flow != VALHALL_WAIT)
        valhall_report(c, WEFT_ERROR, "barrier-wait", insn->number, "write BARRIER.slot7.wait",
                       "a barrier must carry the flow control .wait");
    if (!barrier && slot == 7)
        valhall_report(c, WEFT_ERROR, "slot-7", insn->number, NULL, "slot 7 is for BARRIER only");
}

/* 64-bit operands are pairs that begin with an even register or uniform. */
static void check_pairs(struct valhall_checker *c, const struct valhall_insn *insn)
{
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct valhall_source *s = &insn->src[i];
        if (valhall_source_part(s).width == 64 && s->kind <= VALHALL_UNIFORM && s->index & 1)
            valhall_report(c, WEFT_WARNING, "odd-pair", insn->number, NULL,
                           "source %u has 64 bits: a pair begins with an even %s, not %c%u", i,
                           s->kind == VALHALL_REGISTER ? "register" : "uniform",
                           s->kind == VALHALL_REGISTER ? 'r' : 'u', s->index);
    }
    if (insn->has_dst && insn->row->size == 64 && insn->dst & 1)
        valhall_report(c, WEFT_WARNING, "odd-pair", insn->number, NULL,
                       "the result has 64 bits: a pair begins with an even register, not r%u", insn->dst);
}

/* What the description's enumerations say of modifiers that do not go together. */
static void check_modifiers(struct valhall_checker *c, const struct valhall_insn *insn)
{
    const struct valhall_row *row = insn->row;
    bool exchange = valhall_has_modifier(row, VALHALL_MOD_ATOM) && valhall_mod(insn, VALHALL_MOD_ATOM) == VALHALL_AXCHG;
    if (exchange && !row->staging[0].write)
        valhall_report(c, WEFT_ERROR, "exchange", insn->number, "write ATOM_RETURN",
                       "an exchange must return the value: %s does not", row->name);
    if (valhall_has_flag(insn, VALHALL_MOD_COMPARE) && !exchange)
        valhall_report(c, WEFT_ERROR, "compare", insn->number, NULL, ".compare is only valid with .axchg");
    if (valhall_has_modifier(row, VALHALL_MOD_SOURCE_FORMAT)) {
        unsigned format = valhall_mod(insn, VALHALL_MOD_SOURCE_FORMAT);
        if (format == (row->size == 16 ? VALHALL_SRC_FLAT32 : VALHALL_SRC_FLAT16))
            valhall_report(c, WEFT_ERROR, "source-format", insn->number, NULL,
                           ".src_flat%u is only valid with %u-bit varying instructions, not with %s",
                           row->size == 16 ? 32 : 16, row->size == 16 ? 32 : 16, row->name);
    }
    bool compares = valhall_has_modifier(row, VALHALL_MOD_RESULT_TYPE);
    if (compares && row->arg == VALHALL_CHAIN_MULTI && row->size != 32)
        valhall_report(c, WEFT_WARNING, "compare-seq", insn->number, NULL,
                       "%s is a step of 64-bit comparisons, which are made of 32-bit ones", row->name);
    if (compares && row->size != 32 && valhall_mod(insn, VALHALL_MOD_RESULT_TYPE) == VALHALL_RESULT_U1)
        valhall_report(c, WEFT_WARNING, "result-u1", insn->number, NULL,
                       ".u1 is a step of 64-bit comparisons, which are made of 32-bit ones");
}

/* Atomics cannot take the pointer to workgroup memory itself as their address (the description's chapter SEG_ADD). */
static void check_atomic(struct valhall_checker *c, const struct valhall_insn *insn)
{
    if (insn->row->form->effects & WEFT_EFFECT_ATOMIC && insn->src[0].kind == VALHALL_SPECIAL &&
        insn->src[0].special == VALHALL_WORKGROUP_LOCAL_POINTER)
        valhall_report(c, WEFT_WARNING, "atomic-pointer", insn->number, "put it into registers by SEG_ADD.u64",
                       "an atomic cannot use workgroup_local_pointer as its address: weft runs it, the chip does not");
}

/* Registers that may differ between lanes: what the device puts into them, what loads give, and what is made of those.
 * Not followed along the program: a register is taken to be so everywhere. */
static uint64_t divergent_registers(const struct isa_module *m, int stage)
{
    uint64_t found = stage == IR_COMPUTE ? 3ull << 55 | 7ull << 60 : 15ull << 58, before;
    do {
        before = found;
        for (uint32_t i = 0; i < m->nwords; i++) {
            struct valhall_insn insn;
            valhall_insn_at(m, i, &insn);
            if (!insn.row)
                continue;
            bool differs = (valhall_reads(&insn) & found) != 0;
            for (unsigned k = 0; k < insn.nsrc; k++)
                differs |= insn.src[k].kind == VALHALL_SPECIAL && insn.src[k].special == VALHALL_LANE_ID;
            if (differs)
                found |= valhall_writes(&insn);
        }
    } while (found != before);
    return found;
}

/* "The index must not diverge within a warp." */
static void check_same_lanes(struct valhall_checker *c, const struct valhall_insn *insn, int stage)
{
    for (unsigned i = 0; i < insn->nsrc; i++) {
        if (!(insn->row->form->same >> i & 1) || insn->src[i].kind != VALHALL_REGISTER)
            continue;
        if (!c->knows_divergent)
            c->divergent = divergent_registers(c->m, stage);
        c->knows_divergent = true;
        if (c->divergent >> insn->src[i].index & 1)
            valhall_report(c, WEFT_WARNING, "divergent-index", insn->number, NULL,
                           "r%u may differ between the lanes of a warp: the index of %s must not", insn->src[i].index,
                           insn->row->name);
    }
}

static void check_special_varying(struct valhall_checker *c, const struct valhall_insn *insn)
{
    unsigned count = insn->row->form->builtins;
    unsigned last = count ? (unsigned)insn->imm[0] + valhall_mod(insn, VALHALL_MOD_VECSIZE) : 0;
    if (count && last >= count)
        valhall_report(c, WEFT_ERROR, "special-varying", insn->number, NULL,
                       "special varying %u does not exist: 0 to 3 are point coordinates, 1/w and depth", last);
}

static void check_table(struct valhall_checker *c, const struct valhall_insn *insn, int stage)
{
    int table = (int)valhall_immediate(insn, VALHALL_ROLE_TABLE);
    const char *fault = table < 0 ? NULL : valhall_resource_fault(insn->row, stage, (uint32_t)table);
    if (fault)
        valhall_report(c, WEFT_ERROR, "table", insn->number, NULL, VALHALL_TABLE_MESSAGE, insn->row->name, fault,
                       (unsigned)table);
}

static void check_stage(struct valhall_checker *c, const struct valhall_insn *insn, int stage)
{
    if (stage >= 0 && stage != IR_FRAGMENT && insn->flow == VALHALL_DISCARD)
        valhall_report(c, WEFT_ERROR, "wrong-stage", insn->number, NULL,
                       "the flow control .discard is for fragment programs only");
    uint32_t stages = valhall_stages(insn->row);
    if (stage >= 0 && !(stages >> stage & 1))
        valhall_report(c, WEFT_ERROR, "wrong-stage", insn->number, NULL, "%s is for %s programs only", insn->row->name,
                       stages == 1u << IR_VERTEX ? "vertex" : "fragment");
}

/* ---- control flow ---- */

/* An instruction runs at `place`: there must be one. */
static void check_place(struct valhall_checker *c, const struct valhall_insn *insn, uint32_t place, const char *how)
{
    if (place == VALHALL_NOWHERE)
        return;
    if (place >= c->m->nwords)
        valhall_report(c, WEFT_ERROR, "outside", insn->number, NULL, "%s the program of %u instruction%s", how,
                       c->m->nwords, c->m->nwords == 1 ? "" : "s");
    else if (c->flow.block_of[place] == VALHALL_NOWHERE && !(c->running && c->m->words[place]))
        valhall_report(c, WEFT_ERROR, "outside", insn->number, NULL, "%s the program: instruction %u is data", how,
                       place);
}

/* What is known of every instruction as a place that control comes to. */
struct arrivals {
    bool *divergent; /* a divergent branch may lead to it */
    uint8_t *ways;   /* how many lead to it: 0, 1, 2 for more */
    bool any;        /* there are divergent branches at all */
};

static void arrive(const struct valhall_checker *c, struct arrivals *a, uint32_t place)
{
    if (place < c->m->nwords && a->ways[place] < 2)
        a->ways[place]++;
}

static bool find_arrivals(struct valhall_checker *c, struct arrivals *a)
{
    *a = (struct arrivals){ARENA_ARRAY(&c->arena, bool, (size_t)c->m->nwords + 1),
                           ARENA_ARRAY(&c->arena, uint8_t, (size_t)c->m->nwords + 1), false};
    if (!a->divergent || !a->ways)
        return false;
    for (uint32_t i = 0; i < c->m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(c->m, i, &insn);
        struct valhall_way way = valhall_way_of(&insn);
        arrive(c, a, way.next);
        arrive(c, a, way.target);
        a->any |= way.diverges;
        if (way.diverges && way.target < c->m->nwords)
            a->divergent[way.target] = true;
    }
    return true;
}

/* The `reconverge` flow must precede every change of the mask: divergent branches, and the last instruction before the
 * target of one, where control falls into it (the description's enumeration Flow). Lanes that went apart may also meet
 * where undivided ways join; compilers mark all of those. */
static void check_reconverge(struct valhall_checker *c, const struct valhall_insn *insn, struct valhall_way way,
                             const struct arrivals *a)
{
    uint32_t only = way.next == VALHALL_NOWHERE ? way.target : way.next;
    if (insn->flow == VALHALL_RECONVERGE)
        return;
    if (way.diverges)
        valhall_report(c, WEFT_ERROR, "reconverge", insn->number, NULL,
                       "%s on a register may change the mask of active lanes: it needs the flow control .reconverge",
                       insn->row->name);
    else if (way.next < c->m->nwords && a->divergent[way.next])
        valhall_report(c, WEFT_ERROR, "reconverge", insn->number, NULL,
                       "lanes meet again at the next instruction, the target of a divergent branch: this one needs the "
                       "flow control .reconverge");
    else if (a->any && only < c->m->nwords && a->ways[only] > 1)
        valhall_report(c, WEFT_WARNING, "reconverge-join", insn->number, NULL,
                       "lanes that went apart may meet again at instruction %u: this one needs the flow control "
                       ".reconverge then",
                       only);
}

static weft_status check_control(struct valhall_checker *c)
{
    struct arrivals arrivals;
    if (!find_arrivals(c, &arrivals))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < c->m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(c->m, i, &insn);
        if (!insn.row)
            continue;
        struct valhall_way way = valhall_way_of(&insn);
        /* A BLEND that ends may be the last instruction: not every program calls blend shaders. */
        if (insn.flow != VALHALL_END)
            check_place(c, &insn, way.next, "control runs past the end of");
        check_place(c, &insn, way.target, "the target is outside");
        check_reconverge(c, &insn, way, &arrivals);
    }
    return WEFT_OK;
}

weft_status valhall_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                          weft_diags *diags)
{
    int stage = params && params->stage >= 0 ? params->stage : m->stage;
    struct valhall_checker c = {.m = m, .src = src, .diags = diags, .running = params && params->running};
    weft_status status = WEFT_ERROR_MEMORY;
    if (valhall_find_blocks(m, &c.arena, &c.flow) && valhall_find_reach(m, stage, NULL, &c.arena, &c.reach))
        status = WEFT_OK;
    for (uint32_t i = 0; status == WEFT_OK && i < m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(m, i, &insn);
        if (!insn.row) {
            i += is_data(&c, i) ? check_data(&c, i) - 1 : 0;
            continue;
        }
        check_staging(&c, &insn);
        check_texture_operands(&c, &insn);
        check_slot_number(&c, &insn);
        check_pairs(&c, &insn);
        check_modifiers(&c, &insn);
        check_atomic(&c, &insn);
        check_same_lanes(&c, &insn, stage);
        check_special_varying(&c, &insn);
        check_stage(&c, &insn, stage);
        check_table(&c, &insn, stage);
    }
    if (status == WEFT_OK)
        status = check_control(&c);
    if (status == WEFT_OK)
        status = valhall_check_slots(&c);
    if (status == WEFT_OK)
        check_tail(&c);
    arena_free(&c.arena);
    return status != WEFT_OK ? status : c.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
