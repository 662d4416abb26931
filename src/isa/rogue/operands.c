/* operands.c - what the instructions of a group read and write, from the marks in their templates (template.h). */
#include "isa/rogue/insn.h"

#include <string.h>

/* The list at work. */
struct list {
    const struct weft_insn *insn;
    const struct rogue_parts *parts;
    struct weft_operand *operands;
    size_t n;
    unsigned part;
    unsigned destinations; /* those that are listed: bit n is Wn */
    unsigned used;         /* those whose value something has */
    uint64_t not_lifted;   /* bit per operand: the lift does without it */
};

static struct weft_operand *last(struct list *l)
{
    return &l->operands[l->n - 1];
}

static void mark(struct list *l)
{
    last(l)->part = l->part;
}

/* ---- registers ---- */

static void put_file(struct list *l, const char *file, uint32_t number, uint32_t count, int access, unsigned width)
{
    if (l->n >= WEFT_INSN_OPERANDS)
        return;
    insn_register(l->operands, &l->n, file, number, count, access, width);
    last(l)->type = width == 1 ? WEFT_TYPE_FLAG : WEFT_TYPE_BITS;
    mark(l);
}

static void put_immediate(struct list *l, int64_t value, unsigned width)
{
    if (l->n >= WEFT_INSN_OPERANDS)
        return;
    insn_immediate(l->operands, &l->n, value, width);
    mark(l);
}

static void put_constant(struct list *l, uint32_t value)
{
    float number;
    memcpy(&number, &value, sizeof number);
    put_immediate(l, value, 32);
    last(l)->number = (double)number;
    last(l)->type = WEFT_TYPE_FLOAT;
}

/* Registers of the special bank do not step. */
static void put_register(struct list *l, struct rogue_reg r, uint32_t count, int access)
{
    struct rogue_reg_name name = rogue_name_reg(r);
    bool known = false;
    uint32_t value = rogue_reg_is_constant(r) ? rogue_constant(r.index, &known) : 0;
    if (known) {
        put_constant(l, value);
        return;
    }
    uint8_t file = rogue_spot_of(r, 0).file;
    uint32_t there = file == ROGUE_FILE_IDX ? 1 : file == ROGUE_FILES ? ROGUE_SHAREDS : rogue_files[file].most;
    if (name.number < there && count > there - name.number) /* registers end where their bank does */
        count = there - name.number;
    put_file(l, file == ROGUE_FILE_O ? "o" : name.name, name.number, r.bank == ROGUE_SPECIAL ? 1 : count, access, 32);
    if (r.bank < ROGUE_IDX0)
        return;
    weft_register index = {"idx", (uint32_t)(r.bank - ROGUE_IDX0)};
    if (!rogue_reg_is_indexed(r)) {
        last(l)->reg = index;
        return;
    }
    last(l)->indirect = 1;
    last(l)->index = index;
    last(l)->scale = 4u << r.dim;
}

static const struct rogue_insn *insn_at(const struct list *l)
{
    return rogue_insn_of(l->parts, l->part);
}

/* Type of what an arithmetic instruction has as its sources. */
static void set_type(struct list *l, size_t from)
{
    uint64_t traits = insn_at(l)->row->traits;
    for (size_t i = from; i < l->n; i++)
        if (l->operands[i].kind == WEFT_OPERAND_REGISTER && l->operands[i].width == 32 &&
            l->operands[i].type == WEFT_TYPE_BITS) {
            if (traits & ROGUE_FLOATS)
                l->operands[i].type = WEFT_TYPE_FLOAT;
            else if (traits & ROGUE_INTEGERS)
                l->operands[i].type = rogue_get(insn_at(l), ROGUE_F_S) ? WEFT_TYPE_SIGNED : WEFT_TYPE_UNSIGNED;
        }
}

/* ---- how many ---- */

/* Words of data of a request to a texture: items of 32 bits, or with .f16input of 16, then whole words. */
static unsigned texel_data(const struct rogue_insn *insn)
{
    int64_t axes = rogue_get(insn, ROGUE_F_DMN);
    int64_t items =
        axes + rogue_get(insn, ROGUE_F_PROJ) + rogue_get(insn, ROGUE_F_ARRAY) + rogue_get(insn, ROGUE_F_COMPARISON);
    items += rogue_gives_level(insn) && rogue_get(insn, ROGUE_F_PPLOD);
    items += rogue_get(insn, ROGUE_F_LODM) == ROGUE_LOD_GRADIENTS ? 2 * axes : 0;
    bool halves = rogue_get(insn, ROGUE_F_F16INPUT), writes = rogue_effects_of(insn->row) & WEFT_EFFECT_WRITES_MEMORY;
    int64_t words = halves ? (items + 1) / 2 : items;
    words += 2 * rogue_get(insn, ROGUE_F_TAO);
    words += rogue_get(insn, ROGUE_F_SOO) || rogue_get(insn, ROGUE_F_SNO);
    int64_t data = writes ? rogue_get(insn, ROGUE_F_CHAN) : 0;
    return (unsigned)(words + (halves ? (data + 1) / 2 : data));
}

unsigned rogue_extent_of(const struct rogue_insn *insn, const struct rogue_access *access)
{
    enum { LONGEST = 1024 };
    bool halves = rogue_get(insn, ROGUE_F_F16) != 0;
    unsigned count = 1;
    switch ((enum rogue_extent)access->extent) {
    case ROGUE_TIMES_FIELD:
        count = access->field < ROGUE_FIELDS ? (unsigned)rogue_get(insn, access->field) : 1;
        return access->times * count;
    case ROGUE_TO_BANK_END:
        return LONGEST;
    case ROGUE_VALUES:
        count = (unsigned)rogue_get(insn, ROGUE_F_COUNT);
        return halves ? (count + 1) / 2 : count;
    case ROGUE_TEXELS:
        return (unsigned)rogue_get(insn, ROGUE_F_COUNT) * rogue_smp_registers(insn);
    case ROGUE_TEXEL_DATA:
        return texel_data(insn);
    case ROGUE_LEVEL:
        return rogue_gives_level(insn) && !rogue_get(insn, ROGUE_F_PPLOD);
    }
    return 1;
}

/* ---- ports and feedthroughs ---- */

/* Does the operand name the source port? */
static bool names_port(const struct rogue_insn *insn, const struct rogue_operand *o, unsigned port)
{
    bool field = o->kind == ROGUE_ON_FIELD && rogue_fields[o->field].type == ROGUE_SOURCE;
    return (o->kind == ROGUE_ON_PORT && o->n == port) || (field && rogue_get(insn, o->field) == port);
}

const struct rogue_access *rogue_access_of(const struct rogue_insn *insn, unsigned port)
{
    const struct rogue_template *t = &rogue_table()->templates[insn->row->op];
    for (unsigned i = 0; i < t->noperands; i++)
        if (names_port(insn, &t->operands[i], port))
            return &t->operands[i].access;
    return NULL;
}

unsigned rogue_span_of(const struct rogue_insn *insn, unsigned port)
{
    const struct rogue_access *access = rogue_access_of(insn, port);
    return access ? rogue_extent_of(insn, access) : 0;
}

static void put_source(struct list *l, unsigned n, const struct rogue_operand *o)
{
    const struct rogue_group *g = &l->parts->g;
    unsigned count = o ? rogue_extent_of(insn_at(l), &o->access) : 1;
    int how = o ? o->access.how & (ROGUE_READ | ROGUE_WRITE) : ROGUE_READ;
    bool steps = !(insn_at(l)->row->traits & ROGUE_FIXED_SOURCE);
    if (n >= ROGUE_SOURCES)
        return;
    count += how == ROGUE_READ && steps && count ? g->repeat - 1u : 0;
    put_register(l, g->s[n], count ? count : 1, count ? how : 0);
}

/* What FTE is: the source that IS0 selects, or the high word that a 64-bit operation gives. */
static void put_fte(struct list *l)
{
    const struct rogue_insn *p0 = rogue_at(&l->parts->g, ROGUE_P0);
    if (p0->row && p0->row->traits & ROGUE_GIVES_FTE && l->parts->g.alu == ROGUE_MAIN)
        put_file(l, "fte", 0, 1, ROGUE_READ, 32);
    else
        put_source(l, rogue_selected_port(l->parts->g.is0), NULL);
}

static bool drives(const struct list *l, unsigned n)
{
    return rogue_has(&l->parts->g, rogue_driver(true, n));
}

/* Feedthrough n where it is read. In a bitwise group, what no unit drives is what comes before it: FT5 is FT4, FT4 is
 * FT1, FT3 and FT2 are S2, FT1 is S1, FT0 is S0. */
static void put_feedthrough(struct list *l, unsigned n)
{
    bool bitwise = l->parts->g.alu == ROGUE_BITWISE;
    while (bitwise && n > 3 && !drives(l, n))
        n = n == 5 ? 4 : 1;
    if (bitwise && !drives(l, n))
        put_source(l, n > 2 ? 2 : n, NULL);
    else
        put_file(l, "ft", n, 1, ROGUE_READ, 32);
}

/* IS1 IS2: FT0 FT1 or FTE; IS3 has S2 where IS4, IS5 and moves have FT2. */
static void put_selected(struct list *l, unsigned code, bool is3)
{
    if (code == ROGUE_FTE)
        put_fte(l);
    else if (code == ROGUE_FT2 && is3)
        put_source(l, 2, NULL);
    else
        put_feedthrough(l, code);
}

static void put_selector(struct list *l, unsigned n)
{
    const struct rogue_group *g = &l->parts->g;
    const unsigned codes[] = {ROGUE_FTE, g->is1 ? ROGUE_FTE : ROGUE_FT0, g->is2 ? ROGUE_FTE : ROGUE_FT1, g->is3};
    if (n == 0)
        put_source(l, rogue_selected_port(g->is0), NULL);
    else
        put_selected(l, codes[n & 3], n == 3);
}

/* A destination keeps what an instruction does not write of it: halves and bytes. */
static bool keeps(const struct rogue_insn *insn, unsigned n)
{
    enum { BOTH_HALVES = 3, FIRST_OF_W1 = 8, WHOLE = 2, WHOLE_W1 = 10, NONE = 3 };
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    if (n == 0 && v->form->slot[ROGUE_F_W0F16] >= 0) {
        int64_t halves = rogue_get(insn, ROGUE_F_W0F16);
        return halves != 0 && halves != BOTH_HALVES;
    }
    static const enum rogue_field dests[] = {ROGUE_F_JDEST, ROGUE_F_KDEST};
    for (unsigned i = 0; i < 2; i++) {
        int64_t to = v->form->slot[dests[i]] >= 0 ? rogue_get(insn, dests[i]) : NONE;
        if (to != NONE && to != WHOLE && to != WHOLE_W1 && (to >= FIRST_OF_W1) == (n == 1))
            return true;
    }
    return n == 0 && insn->row->traits & ROGUE_KEEPS_W;
}

static void put_destination(struct list *l, unsigned n)
{
    const struct rogue_group *g = &l->parts->g;
    if (!(g->destinations >> n & 1)) {
        put_file(l, "w", n, 1, 0, 32);
        return;
    }
    bool again = l->destinations >> n & 1, kept = keeps(insn_at(l), n);
    unsigned count =
        g->insn[ROGUE_PCK].row && g->alu == ROGUE_MAIN && g->insn[ROGUE_PCK].row->traits & ROGUE_PACKS ? 1 : g->repeat;
    if (!again)
        put_register(l, g->w[n], count, ROGUE_WRITE | (kept ? ROGUE_READ : 0));
    l->destinations |= 1u << n;
}

/* ---- operands ---- */

/* A word of the text: p0, ft2, fte, ftt, w0, s3, "w0.u8.e1". */
static void put_word(struct list *l, const char *word, size_t length, const struct rogue_operand *o)
{
    unsigned n = length >= 2 ? (unsigned)(word[1] - '0') : 0;
    bool writes = o->access.how & ROGUE_WRITE;
    if (length == 2 && memcmp(word, "p0", 2) == 0)
        put_file(l, "p0", 0, 1, o->access.how, 1);
    else if (length == 3 && memcmp(word, "ftt", 3) == 0)
        put_file(l, "ftt", 0, 1, o->access.how, 1);
    else if (length == 3 && memcmp(word, "fte", 3) == 0)
        put_fte(l);
    else if (length >= 3 && memcmp(word, "ft", 2) == 0 && (writes || !o->access.how))
        put_file(l, "ft", (uint32_t)(word[2] - '0'), 1, o->access.how & ROGUE_WRITE, 32);
    else if (length >= 3 && memcmp(word, "ft", 2) == 0)
        put_feedthrough(l, (unsigned)(word[2] - '0'));
    else if (*word == 's' && length == 2 && n < ROGUE_SOURCES)
        put_source(l, n, NULL);
    else if (*word == 'w' && n < ROGUE_DESTINATIONS && writes)
        put_destination(l, n);
    else if (*word == 'w' && n < ROGUE_DESTINATIONS)
        put_file(l, "w", n, 1, ROGUE_READ, 32);
}

/* Registers of a bank by their number: r8, cf4, sh12, drc0. */
static void put_numbered(struct list *l, const struct rogue_operand *o)
{
    const struct rogue_insn *insn = insn_at(l);
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    uint32_t number = (uint32_t)rogue_get(insn, o->field);
    char bank[4] = {0};
    struct rogue_reg r;
    memcpy(bank, o->word, o->length < 3 ? o->length : 3);
    if (o->field == ROGUE_F_DRC) {
        insn_register(l->operands, &l->n, "drc", number, 1, ROGUE_WRITE, 1);
        last(l)->kind = WEFT_OPERAND_RESOURCE;
        mark(l);
        return;
    }
    if (!rogue_find_reg(bank, o->length, number, &r))
        return;
    put_register(l, r, rogue_extent_of(insn, &o->access), o->access.how & (ROGUE_READ | ROGUE_WRITE));
    for (unsigned i = 0; i < o->nmods; i++) {
        bool by_index = o->mods[i].field == ROGUE_F_COFF_IDX_CTRL || o->mods[i].field == ROGUE_F_WOFF_IDX_CTRL;
        unsigned index = by_index ? (unsigned)rogue_code(v, &insn->bits, o->mods[i].field) : 0;
        if (index) {
            last(l)->indirect = 1;
            last(l)->index = (weft_register){"idx", index - 1};
            last(l)->scale = 4;
        }
    }
}

static void put_target(struct list *l)
{
    if (l->n >= WEFT_INSN_OPERANDS)
        return;
    l->operands[l->n++] = (struct weft_operand){.kind = WEFT_OPERAND_TARGET,
                                                .access = ROGUE_READ,
                                                .width = 32,
                                                .count = 1,
                                                .integer = (int64_t)l->insn->target};
    mark(l);
}

static void put_field(struct list *l, const struct rogue_operand *o)
{
    const struct rogue_insn *insn = insn_at(l);
    const struct rogue_field_info *info = &rogue_fields[o->field];
    int64_t value = rogue_get(insn, o->field);
    if (rogue_is_sop_argument(o->field)) {
        struct rogue_sop_source s = rogue_sop_get(insn, o->field);
        if (s.from < ROGUE_SOURCES) {
            put_source(l, s.from, NULL);
        } else if (s.from == ROGUE_SOP_Z) {
            put_source(l, 0, NULL);
            put_source(l, 1, NULL);
        } else {
            put_immediate(l, 0, 32);
        }
    } else if (info->type == ROGUE_SOURCE) {
        put_source(l, (unsigned)value, o);
    } else if (info->type == ROGUE_BYTES) {
        put_target(l);
    } else if (o->length) {
        put_numbered(l, o);
    } else if (info->type == ROGUE_WORDS) {
        bool feed = o->field == ROGUE_F_MOVW0 || o->field == ROGUE_F_MOVW1;
        if (feed && l->used >> (o->field == ROGUE_F_MOVW1) & 1)
            put_selected(l, (unsigned)value, false);
        else if (feed)
            put_file(l, "ft", (uint32_t)value, 1, 0, 32);
        else if (o->field == ROGUE_F_JDEST || o->field == ROGUE_F_KDEST)
            put_word(l, info->words[value], strlen(info->words[value]),
                     &(struct rogue_operand){.access.how = ROGUE_WRITE});
        else
            put_word(l, info->words[value], strlen(info->words[value]), o);
    } else {
        put_immediate(l, value, 32);
    }
}

static void put_mods(struct list *l, const struct rogue_operand *o, size_t from)
{
    const struct rogue_insn *insn = insn_at(l);
    const struct rogue_variant *v = rogue_variant_of(rogue_table(), insn);
    unsigned n = 0;
    for (unsigned i = 0; l->n > from && i < o->nmods && n < WEFT_OPERAND_MODIFIERS; i++) {
        const struct rogue_mod *m = &o->mods[i];
        const struct rogue_field_info *info = &rogue_fields[m->field];
        uint64_t code = v->form->slot[m->field] >= 0 ? rogue_code(v, &insn->bits, m->field) : info->initial;
        if (code == info->initial || info->type == ROGUE_MASK)
            continue;
        const char *name = info->type == ROGUE_WORDS ? info->words[code] : info->name;
        size_t port = info->type == ROGUE_WORDS ? 0 : strcspn(name, "0123456789"); /* s0neg, is0neg: neg */
        l->operands[from].modifiers[n++] = port && name[port] && name[port - 1] == 's' ? name + port + 1 : name;
    }
}

static void put_operand(struct list *l, const struct rogue_operand *o)
{
    const struct rogue_insn *insn = insn_at(l);
    unsigned unit = l->parts->unit[l->part];
    size_t from = l->n;
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        put_word(l, o->word, o->length, o);
        break;
    case ROGUE_ON_FIELD:
        put_field(l, o);
        break;
    case ROGUE_ON_OPTION:
        if (rogue_get(insn, o->field))
            put_word(l, o->word, o->length, o);
        break;
    case ROGUE_ON_FT:
        put_file(l, "ft", unit == ROGUE_P1, 1, ROGUE_WRITE, 32);
        break;
    case ROGUE_ON_PORT:
        put_source(l, o->n + (unit == ROGUE_P1 && o->n < 3 ? 3u : 0u), o);
        break;
    case ROGUE_ON_IS:
        put_selector(l, o->n);
        break;
    case ROGUE_ON_W:
        put_destination(l, o->n);
        break;
    case ROGUE_ON_DRC:
        insn_register(l->operands, &l->n, "drc", l->parts->g.drc, 1, ROGUE_READ, 1);
        last(l)->kind = WEFT_OPERAND_RESOURCE;
        mark(l);
        break;
    }
    set_type(l, from);
    put_mods(l, o, from);
    for (; o->access.how & ROGUE_NOT_LIFTED && from < l->n; from++)
        l->not_lifted |= UINT64_C(1) << from;
}

/* ---- what the text does not show ---- */

static void put_implied(struct list *l, const char *file, int access, unsigned width)
{
    put_file(l, file, 0, 1, access, width);
    last(l)->role = WEFT_ROLE_IMPLIED;
}

static void put_traits(struct list *l)
{
    static const struct {
        uint64_t trait;
        const char *file;
        uint8_t access, width;
    } traits[] = {{ROGUE_READS_LINK, "link", ROGUE_READ, 32},

                  {ROGUE_WRITES_COVER, "cover", ROGUE_WRITE, 32},
                  {ROGUE_STARTS_PHASE, "phase", ROGUE_WRITE, 32}};
    uint64_t has = insn_at(l)->row->traits;
    if (rogue_get(insn_at(l), ROGUE_F_PCND) & 1) { /* P0 or not P0 */
        put_implied(l, "p0", ROGUE_READ, 1);
        l->not_lifted |= has & ROGUE_COMPUTES ? UINT64_C(1) << (l->n - 1) : 0;
    }
    if (has & ROGUE_WRITES_LINK) { /* which stays as it is where nothing goes there */
        bool stays = l->insn->conditional || has & ROGUE_COMPUTES;
        put_implied(l, "link", ROGUE_WRITE | (stays ? ROGUE_READ : 0), 32);
        l->not_lifted |= UINT64_C(1) << (l->n - 1);
    }
    if (has & (ROGUE_READS_PE | ROGUE_WRITES_PE)) { /* only instances with Pe change theirs */
        bool reads = has & ROGUE_READS_PE || l->parts->g.cc != ROGUE_CC_IGNORE_PE;
        put_implied(l, "pe", (reads ? ROGUE_READ : 0) | (has & ROGUE_WRITES_PE ? ROGUE_WRITE : 0), 1);
    }
    static const uint64_t feeds[] = {ROGUE_READS_FT0, ROGUE_READS_FT1, 0, ROGUE_READS_FT3};
    for (unsigned n = 0; n < sizeof feeds / sizeof *feeds; n++)
        if (has & feeds[n]) {
            put_feedthrough(l, n);
            last(l)->role = WEFT_ROLE_IMPLIED;
        }
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (has & traits[i].trait)
            put_implied(l, traits[i].file, traits[i].access, traits[i].width);
}

/* Which of W0 and W1 the words of an instruction's operands name. */
static unsigned destinations_of(const struct rogue_insn *insn)
{
    const struct rogue_template *t = &rogue_table()->templates[insn->row->op];
    unsigned named = 0;
    for (unsigned i = 0; i < t->noperands; i++) {
        const struct rogue_operand *o = &t->operands[i];
        bool choice = o->kind == ROGUE_ON_FIELD && rogue_fields[o->field].type == ROGUE_WORDS && !o->length;
        bool word = o->kind == ROGUE_ON_WORD || (o->kind == ROGUE_ON_OPTION && rogue_get(insn, o->field));
        const char *text = choice ? rogue_fields[o->field].words[rogue_get(insn, o->field)] : word ? o->word : "";
        if (*text == 'w')
            named |= 1u << (text[1] - '0');
    }
    return named;
}

/* Which of W0 and W1 something has: registers or the backend. */
static unsigned used_by(const struct rogue_parts *p)
{
    const struct rogue_insn *b = rogue_backend_of(&p->g);
    unsigned used = p->g.destinations;
    return b ? used | destinations_of(b) | (b->row->traits & ROGUE_READS_W0 ? 1 : 0) : used;
}

/* What gives W0 or W1 by the selectors. A bitwise group has the last feedthrough of its phases in W0, FT3 in W1. */
static void put_routes(struct list *l, unsigned given)
{
    const struct rogue_group *g = &l->parts->g;
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++) {
        if (!(l->used >> n & 1) || given >> n & 1 || g->alu == ROGUE_CONTROL)
            continue;
        size_t from = l->n;
        if (g->alu == ROGUE_BITWISE)
            put_feedthrough(l, n ? 3 : 5);
        else
            put_selected(l, n ? g->is5 : g->is4, false);
        for (; from < l->n; from++)
            l->operands[from].role = WEFT_ROLE_IMPLIED;
    }
}

/* Destinations that an instruction drives itself, whatever the selectors say. */
static unsigned given_by(const struct rogue_parts *p)
{
    enum { WHOLE = 15 };
    unsigned given = 0;
    for (unsigned part = 0; part < p->count; part++) {
        const struct rogue_insn *insn = rogue_insn_of(p, part);
        if (insn->row->traits & ROGUE_GIVES_W)
            given |= 3;
        else if (p->unit[part] == ROGUE_MOV && rogue_get(insn, ROGUE_F_AW) && rogue_get(insn, ROGUE_F_MASKW0) == WHOLE)
            given |= 1;
        else if (insn->row->traits & ROGUE_SUMS)
            given |= destinations_of(insn);
        else if (p->unit[part] == ROGUE_P0 && rogue_takes_alu(insn->row))
            given |= rogue_table()->templates[insn->row->op].operands[1].kind == ROGUE_ON_W ? 3 : 1;
    }
    return given;
}

static struct list list_operands(const struct weft_insn *insn, struct weft_operand *operands)
{
    struct rogue_parts p;
    struct list l = {.insn = insn, .parts = &p, .operands = operands};
    rogue_read_parts(insn, &p);
    l.used = used_by(&p);
    if (rogue_is_predicated(&p.g)) {
        put_file(&l, "p0", 0, 1, ROGUE_READ, 1);
        last(&l)->role = WEFT_ROLE_PREDICATE;
        last(&l)->modifiers[0] = p.g.cc == ROGUE_CC_PE_NOT_P0 ? "not" : NULL;
    }
    for (l.part = 0; l.part < p.count; l.part++) {
        const struct rogue_template *t = &rogue_table()->templates[rogue_insn_of(&p, l.part)->row->op];
        for (unsigned i = 0; i < t->noperands; i++)
            put_operand(&l, &t->operands[i]);
        if (rogue_get(rogue_insn_of(&p, l.part), ROGUE_F_PROG))
            put_fte(&l);
    }
    l.part = 0;
    for (unsigned n = 0; n < ROGUE_DESTINATIONS; n++)
        if (p.g.destinations >> n & 1)
            put_destination(&l, n);
    put_routes(&l, given_by(&p));
    for (l.part = 0; l.part < p.count; l.part++)
        put_traits(&l);
    return l;
}

size_t rogue_insn_operands(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands)
{
    (void)d;
    return list_operands(insn, operands).n;
}

uint64_t rogue_not_lifted(const struct weft_insn *insn)
{
    struct weft_operand operands[WEFT_INSN_OPERANDS] = {0};
    return list_operands(insn, operands).not_lifted;
}
