/* parse_listing.c - the groups of a text as they come, with its labels and the branches that go to them. */
#include "isa/rogue/parse.h"

/* Where a group is: known when all are laid out. */
struct item {
    uint32_t address, size;
};

/* Groups and their places grow to many megabytes. False without memory. */
static bool make_room(struct rogue_listing *l)
{
    enum { FIRST = 16 };
    size_t most = l->groups_cap ? 2 * l->groups_cap : FIRST;
    struct rogue_group *groups = arena_block(l->a.arena, l->groups, most * sizeof *groups);
    if (!groups)
        return false;
    l->groups = groups;
    struct span *spans = arena_block(l->a.arena, l->where, most * sizeof *spans);
    if (!spans)
        return false;
    l->where = spans;
    l->groups_cap = most;
    return true;
}

bool rogue_list_group(struct rogue_listing *l, const struct rogue_group *g, struct span where)
{
    if ((l->ngroups >= l->groups_cap && !make_room(l)) || !asm_append(&l->a)) {
        asm_drop_fixups(&l->a);
        return false;
    }
    l->groups[l->ngroups] = *g;
    l->where[l->ngroups++] = where;
    return true;
}

bool rogue_list_label(struct rogue_listing *l, struct rogue_word name)
{
    struct asm_symbol *label = asm_symbol(&l->a, name.p, name.length);
    l->a.scan.last = name.p + name.length;
    if (label)
        asm_define_label(&l->a, label, name.p); /* a label that is there twice does not end a line */
    return label != NULL;
}

/* A register or a port. */
static bool is_register(const char *word, size_t length)
{
    size_t letters = length;
    uint64_t number = 0;
    struct rogue_raw port;
    struct rogue_reg reg;
    while (letters && scan_is(word[letters - 1], SCAN_DIGIT))
        letters--;
    for (size_t i = letters; i < length; i++)
        number = number < UINT16_MAX ? number * 10 + (uint64_t)(word[i] - '0') : number;
    return scan_word_is(word, length, "fte") ||
           (letters && letters < length &&
            (rogue_find_reg(word, letters, number, &reg) || rogue_find_port_word(word, letters, number, true, &port)));
}

bool rogue_at_constant(const struct scan *s)
{
    static const char *const names[] = {"equ", "set", "equiv"};
    size_t length = *s->p == '.' ? scan_word_length(s->p + 1) : 0;
    return length && scan_word_index(s->p + 1, length, names, sizeof names / sizeof names[0]) >= 0;
}

bool rogue_read_constant(struct scan *s)
{
    rogue_take(s, 1 + scan_word_length(s->p + 1));
    rogue_skip(s, false, false);
    struct rogue_word w = rogue_peek(s);
    if (!w.length || !scan_is(*w.p, SCAN_LETTER))
        return scan_expected(s, "a name");
    if (is_register(w.p, w.length))
        return asm_error(rogue_assembler(s), w.p, "symbol", NULL, "'%.*s' is a register or a port", ROGUE_WORD(w));
    rogue_take(s, w.length);
    if (!rogue_take_char(s, ','))
        return scan_expected(s, "','");
    s->comments = SCAN_HASH | SCAN_SLASHES | SCAN_C;
    bool fine = asm_equ(rogue_assembler(s), w.p, w.length);
    s->comments = 0;
    return fine;
}

bool rogue_list_pending(struct rogue_listing *l, const struct rogue_pending *p, struct span where)
{
    if (p->label) {
        struct asm_symbol *label = asm_symbol(&l->a, p->label, p->label_length);
        struct span at = rogue_span(&l->a.scan, (struct rogue_word){p->label, p->label_length});
        const struct asm_expr *e = label ? asm_symbol_here(&l->a, label) : NULL;
        if (!e || !asm_add_fixup(&l->a, &(struct asm_fixup){.role = ASM_INSN, .expr = e, .where = at}))
            return false;
    }
    return rogue_list_group(l, &p->g, where);
}

/* ---- labels ---- */

/* Relative ones count from the start of the branch's own group. */
static bool settle(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t target)
{
    const struct isa_module *m = a->own;
    struct rogue_group *g = &m->groups[f->index];
    struct rogue_insn *insn = &g->insn[0];
    const struct item *branch = item;
    uint64_t to = (uint64_t)target;
    to = rogue_get(insn, ROGUE_F_ABS) ? m->base + to : to - branch->address;
    rogue_set(rogue_variant_of(rogue_table(), insn), &insn->bits, ROGUE_F_OFFSET, to >> 1 & 0x7FFFFFFF);
    return true;
}

static void open_section(struct asm_section *s)
{
    s->code = true;
}

static const struct asm_isa assembler = {
    .item = sizeof(struct item), .is_register = is_register, .open = open_section, .settle = settle};

bool rogue_list_start(struct rogue_listing *l, const struct source *src, struct arena *arena, weft_diags *diags)
{
    l->a = (struct asm_state){.isa = &assembler, .arena = arena, .diags = diags};
    return scan_start(&l->a.scan, src, 0, arena, diags) && asm_start(&l->a, ".text");
}

void rogue_resolve_labels(struct rogue_listing *l, struct isa_module *m)
{
    struct asm_section *section = &l->a.section[0];
    for (uint32_t i = 0; i < m->ngroups; i++) {
        *(struct item *)asm_item(&l->a, section, i) = (struct item){m->groups[i].offset, m->groups[i].size};
        section->size = m->groups[i].offset + m->groups[i].size;
    }
    l->a.own = m;
    l->a.pass = 1; /* from here on addresses are known */
    asm_layout(&l->a);
}
