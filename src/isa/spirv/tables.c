/* tables.c - variables that are constant tables: compilers put an array that is indexed at run time into a variable, by
 * one store of a constant or as its initial value, and only load from it. Such a table is in registers that the whole
 * warp shares, and is written once. */
#include "isa/spirv/lift.h"

struct finder {
    struct spirv_lifter *l;
    const uint32_t *w;
};

/* The variable that an id is, or leads into; 0: none that may be a table. */
static uint32_t root_of(const struct spirv_lifter *l, uint32_t id)
{
    return l->table_of[id];
}

static void spoil(struct spirv_lifter *l, uint32_t id)
{
    if (root_of(l, id))
        l->tables[root_of(l, id)] = SPIRV_NONE;
}

static bool is_constant(const struct spirv_lifter *l, uint32_t id)
{
    uint32_t def = l->m->def[id];
    unsigned op = def == SPIRV_NONE ? 0 : l->m->insns[def].op;
    return spirv_is_of(op, "Constant-Creation");
}

/* Any use of an id that is not one of those below. */
static void other_use(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct finder *f = context;
    (void)kind;
    (void)count;
    if (letter == 'i')
        spoil(f->l, f->w[at]);
}

static void note_variable(struct spirv_lifter *l, const uint32_t *w, unsigned n)
{
    if (w[3] != SpvStorageClassFunction && w[3] != SpvStorageClassPrivate)
        return;
    l->table_of[w[2]] = w[2];
    if (n > 4)
        l->tables[w[2]] = is_constant(l, w[4]) ? w[4] : SPIRV_NONE;
}

/* The first store of a constant into all of it; another one spoils it. */
static void note_store(struct spirv_lifter *l, const uint32_t *w)
{
    uint32_t var = root_of(l, w[1]);
    if (var && var == w[1] && !l->tables[var] && is_constant(l, w[2]))
        l->tables[var] = w[2];
    else
        spoil(l, w[1]);
    spoil(l, w[2]);
}

void spirv_find_tables(struct spirv_lifter *l)
{
    l->table_of = ARENA_ARRAY(l->arena, uint32_t, l->m->bound);
    l->tables = ARENA_ARRAY(l->arena, uint32_t, l->m->bound);
    for (uint32_t i = 0; i < l->m->ninsns && l->table_of && l->tables; i++) {
        struct finder f = {l, spirv_words(l->m, i)};
        const struct spirv_row *row = &spirv_rows[l->m->insns[i].row];
        const struct spirv_meaning *m = spirv_meaning_of(row->opcode);
        if (m && m->lift == spirv_lift_variable)
            note_variable(l, f.w, l->m->insns[i].count);
        else if (m && m->lift == spirv_lift_chain)
            l->table_of[f.w[2]] = root_of(l, f.w[3]);
        else if (m && m->lift == spirv_lift_store)
            note_store(l, f.w);
        else if (m ? m->lift != spirv_lift_load && !spirv_has_cases(row) : !spirv_declaration_of(row))
            spirv_walk(row, f.w, l->m->insns[i].count, other_use, &f);
    }
}

bool spirv_is_table(const struct spirv_lifter *l, uint32_t id)
{
    return l->tables && l->tables[id] && l->tables[id] != SPIRV_NONE;
}

/* Scalars of what it holds; NULL: they are not constants of its type after all. */
const ir_value *spirv_table(struct spirv_lifter *l, uint32_t id)
{
    const struct spirv_value *e = &l->values[l->tables[id]];
    const struct spirv_type *t = spirv_type(l, l->variables[id]->type);
    return e->what == SPIRV_SCALARS && e->everywhere && e->n == t->scalars && e->type == l->variables[id]->type ? e->v
                                                                                                                : NULL;
}
