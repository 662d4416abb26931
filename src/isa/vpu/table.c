/* table.c - the forms compiled: masks and fields, which forms a halfword may begin, which an operation may take. */
#include "isa/vpu/encode.h"
#include "isa/vpu/made.h"
#include "isa/vpu/operand.h"

#include <assert.h>
#include <string.h>

/* ---- what a letter of a pattern fills ---- */

enum vpu_role vpu_role_of(const struct vpu_form *f, const char *name)
{
    switch (name[0]) {
    case 'd':
        return f->has & VPU_ITEM(LEFT) ? VPU_ROLE_LEFT : VPU_ROLE_D;
    case 'a':
        return VPU_ROLE_A;
    case 's':
        return f->has & VPU_ITEM(B) ? VPU_ROLE_B : VPU_ROLE_A;
    case 'b':
        return f->has & VPU_ITEM(LIST) ? VPU_ROLE_BANK : VPU_ROLE_B;
    case 'm':
        return VPU_ROLE_COUNT;
    case 'c':
        return VPU_ROLE_COND;
    case 'i':
        if (f->has & VPU_ITEM(STEP))
            return VPU_ROLE_STEP;
        return vpu_ops[f->row->op].b_type == WEFT_TYPE_FLOAT ? VPU_ROLE_FLOAT : VPU_ROLE_SIGNED;
    case 'u':
        return f->item[0] == VPU_ITEM_TARGET ? VPU_ROLE_ABSOLUTE : VPU_ROLE_UNSIGNED;
    default:
        if (name[1] == 'p')
            return VPU_ROLE_OP;
        return f->has & VPU_ITEM(TARGET) ? VPU_ROLE_TARGET : VPU_ROLE_SIGNED;
    }
}

static bool is_immediate(const struct vpu_form *f, enum vpu_role role)
{
    if (f->has & (VPU_ITEM(ACCESS) | VPU_ITEM(NEAR)))
        return false;
    return role == VPU_ROLE_SIGNED || role == VPU_ROLE_UNSIGNED || role == VPU_ROLE_FLOAT;
}

static uint8_t written_of(const struct vpu_form *f)
{
    unsigned written = f->row->hex ? VPU_WRITTEN_HEX : 0;
    if (f->has & VPU_ITEM(LEFT))
        written |= VPU_WRITTEN_TWO;
    if (f->row->implied == 1 + VPU_PC)
        written |= VPU_WRITTEN_NEAR;
    if (f->has & VPU_ITEM(ACCESS))
        for (unsigned n = 0; n < f->nroles; n++)
            if (f->field[n].role == VPU_ROLE_SIGNED || f->field[n].role == VPU_ROLE_UNSIGNED)
                written |= VPU_WRITTEN_OFFSET;
    return (uint8_t)written;
}

static struct vpu_field compile_field(const struct pattern_field *field)
{
    struct vpu_field out = {.width = field->width};
    for (unsigned n = 0; n < field->npieces && n < 2; n++) {
        out.mask[n] = (uint32_t)(~UINT64_C(0) >> (64 - field->piece[n].width));
        out.low[n] = field->piece[n].low;
        out.shift = n ? field->piece[n].width : 0;
    }
    return out;
}

/* Of addcmpb the distance alone counts in halfwords. */
static uint8_t scale_of(const struct vpu_form *f, enum vpu_role role)
{
    return f->row->scale == 0 || (f->has & VPU_ITEM(TARGET) && role != VPU_ROLE_TARGET) ? 1 : f->row->scale;
}

/* A number has the place unless another one took it. */
static bool place_number(struct vpu_form *f, const struct vpu_field *field)
{
    bool is_signed = field->role == VPU_ROLE_SIGNED || field->role == VPU_ROLE_TARGET;
    if (f->number.scale)
        return false;
    f->number = (struct vpu_number){.mask = {field->mask[0], field->mask[1]},
                                    .low = {field->low[0], field->low[1]},
                                    .shift = field->shift,
                                    .scale = field->scale,
                                    .sign = is_signed ? UINT32_C(1) << (field->width - 1) : 0};
    f->to_target = field->role == VPU_ROLE_TARGET || field->role == VPU_ROLE_ABSOLUTE ? ~UINT32_C(0) : 0;
    f->relative = field->role == VPU_ROLE_TARGET ? ~UINT32_C(0) : 0;
    return true;
}

/* Give a field its place in the form; false: it has none. */
static bool place(struct vpu_form *f, const struct vpu_field *field)
{
    struct vpu_place bits = {field->low[0], (uint8_t)field->mask[0]};
    struct vpu_place *const places[VPU_ROLE_COUNT + 1] = {[VPU_ROLE_OP] = &f->which, [VPU_ROLE_D] = &f->d,
                                                          [VPU_ROLE_LEFT] = &f->d,   [VPU_ROLE_A] = &f->a,
                                                          [VPU_ROLE_B] = &f->b,      [VPU_ROLE_COND] = &f->cond};
    if (places[field->role])
        *places[field->role] = bits;
    if (field->role == VPU_ROLE_LEFT) {
        f->left = 255;
        f->a = bits;
    }
    if (field->role == VPU_ROLE_COND)
        f->always = 0;
    bool number = field->role == VPU_ROLE_SIGNED || field->role == VPU_ROLE_UNSIGNED ||
                  field->role == VPU_ROLE_ABSOLUTE || field->role == VPU_ROLE_TARGET;
    return places[field->role] || (number && place_number(f, field));
}

static void compile_scalar(struct vpu_form *f)
{
    struct vpu_field other[VPU_MAX_ROLES];
    unsigned nothers = 0;
    f->always = VPU_ALWAYS;
    for (unsigned i = 0; i < f->pattern.nfields; i++) {
        struct vpu_field field = compile_field(&f->pattern.field[i]);
        enum vpu_role role = vpu_role_of(f, f->pattern.field[i].name);
        field.role = (uint8_t)role;
        field.scale = scale_of(f, role);
        f->conditional |= role == VPU_ROLE_COND;
        f->immediate |= is_immediate(f, role);
        if (!place(f, &field))
            other[nothers++] = field;
        else if (role == VPU_ROLE_OP)
            f->op = field;
        else
            f->field[f->nplaced++] = field;
    }
    f->nroles = (uint8_t)(f->nplaced + nothers);
    memcpy(f->field + f->nplaced, other, nothers * sizeof *other);
    f->writes = written_of(f);
    f->flags = (uint8_t)(f->row->flags | (f->immediate ? VPU_IMMEDIATE : 0));
    f->mode = f->row->mode;
    f->implied = f->row->implied ? (uint8_t)(f->row->implied - 1) : 0;
    f->kind = (uint8_t)(f->flags | f->mode << 5);
}

static void compile_vector(struct vpu_form *f)
{
    static const char *const names[VPU_SLOTS] = {
#define FIELD(name, manual, kind) #name,
#include "isa/vpu/fields.inc"
#undef FIELD
    };
    f->vector = true;
    f->addressed = f->row->only == VPU_ADDRESSED;
    for (unsigned slot = 0; slot < VPU_SLOTS; slot++) {
        int field = pattern_find_field(&f->pattern, names[slot]);
        if (field >= 0)
            f->slot[slot] = compile_field(&f->pattern.field[field]);
    }
    f->kind = vpu_has_slot(f, VPU_F_b) ? VPU_VREG : vpu_has_slot(f, VPU_F_rb) ? VPU_SCALAR : VPU_VIMM;
}

static bool has_pieces(const struct pattern *p, unsigned most)
{
    for (unsigned i = 0; i < p->nfields; i++)
        if (p->field[i].npieces > most)
            return true;
    return false;
}

/* NULL, or what is wrong with the row. */
static const char *compile_form(const struct vpu_form_row *row, struct vpu_form *f)
{
    const char *wrong;
    *f = (struct vpu_form){.row = row,
                           .ops = row->ops,
                           .hex = row->hex,
                           .first_op = row->op,
                           .spread = row->every > 1};
    if (!pattern_compile(row->pattern, &f->pattern, &wrong))
        return "its pattern is not one";
    if (has_pieces(&f->pattern, 2))
        return "a field of it has more than two pieces";
    if (f->pattern.bits % 16 != 0 || f->pattern.nfields > VPU_MAX_ROLES * 3)
        return "its pattern is not of whole halfwords, or has too many fields";
    f->size = (uint8_t)(f->pattern.bits / 8);
    f->value = f->pattern.value;
    f->mask = f->pattern.mask;
    if (!vpu_compile_text(f))
        return "its text has a word that is not an operand";
    if (vpu_ops[row->op].uses & VPU_VECTOR)
        compile_vector(f);
    else if (f->pattern.nfields > VPU_MAX_ROLES)
        return "its pattern has too many fields";
    else
        compile_scalar(f);
    return NULL;
}

/* ---- forms against each other ---- */

static bool word_covers(const struct pattern_word *few, const struct pattern_word *many)
{
    return (few->w[0] & ~many->w[0]) == 0 && (few->w[1] & ~many->w[1]) == 0;
}

static bool words_differ(const struct vpu_form *f, const struct vpu_form *g)
{
    return ((f->value.w[0] ^ g->value.w[0]) & f->mask.w[0] & g->mask.w[0]) != 0 ||
           ((f->value.w[1] ^ g->value.w[1]) & f->mask.w[1] & g->mask.w[1]) != 0;
}

/* Of two forms that some words are of both, the first must have more fixed bits, or be for other operations. What is
 * wrong, or NULL. */
static const char *compare_forms(const struct vpu_form *f, const struct vpu_form *g)
{
    if (f->size != g->size || words_differ(f, g))
        return NULL;
    if (f->row->only && g->row->only && !(f->row->only & g->row->only))
        return NULL;
    if (word_covers(&f->mask, &g->mask))
        return "it is never reached: an earlier form has its words";
    return word_covers(&g->mask, &f->mask) ? NULL : "it has words of an earlier form, and the other way round";
}

/* ---- which forms a first halfword may begin ---- */

/* The part of a pattern's fixed bits that is in the first halfword. */
static uint16_t first_halfword(const struct pattern_word *w, unsigned bits)
{
    unsigned low = bits - 16;
    return (uint16_t)(w->w[low >> 6] >> (low & 63));
}

static bool same_first_halfword(const struct vpu_form *f, const struct vpu_form *g)
{
    return f->size == g->size &&
           first_halfword(&f->pattern.mask, f->pattern.bits) == first_halfword(&g->pattern.mask, g->pattern.bits) &&
           first_halfword(&f->pattern.value, f->pattern.bits) == first_halfword(&g->pattern.value, g->pattern.bits);
}

/* All fixed bits are in the first halfword, and all numbers of operations are there. */
static bool is_sure(const struct vpu_form *f)
{
    unsigned after = f->pattern.bits - 16u;
    struct pattern_word rest = f->pattern.mask;
    if (f->vector || (f->op.width && f->row->ops != 1u << f->op.width) || after > 63)
        return false;
    return (rest.w[0] & ((UINT64_C(1) << after) - 1)) == 0;
}

static void index_first_halfwords(struct vpu_tables *t)
{
    memset(t->first, VPU_NO_FORM, sizeof t->first);
    for (unsigned i = t->nforms; i-- > 0;) {
        struct vpu_form *f = &t->form[i];
        uint16_t mask = first_halfword(&f->pattern.mask, f->pattern.bits);
        uint16_t value = first_halfword(&f->pattern.value, f->pattern.bits);
        f->sure = is_sure(f);
        f->run = i + 1 < t->nforms && same_first_halfword(f, f + 1) ? (uint8_t)((f + 1)->run + 1) : 1;
        /* All values of the open bits. */
        for (uint32_t open = 0;; open = ((open | mask) + 1) & ~(uint32_t)mask & 0xffff) {
            t->first[value | open] = (uint8_t)i;
            if (open == (uint16_t)~mask)
                break;
        }
    }
}

/* ---- which forms an operation may take ---- */

static bool encodes(const struct vpu_form *f, unsigned op)
{
    unsigned every = f->row->every ? f->row->every : 1;
    if (op < f->row->op || (op - f->row->op) % every != 0 || (op - f->row->op) / every >= f->row->ops)
        return false;
    if (f->row->only)
        return f->row->only >> (op - f->row->op) & 1;
    return op - f->row->op + 1 != f->row->except;
}

enum { MOST_SHIFT = 8 /* of addscale, subscale */ };

unsigned vpu_scaled(unsigned op, unsigned shift)
{
    for (unsigned i = 0; i < VPU_DATA; i++)
        if (vpu_ops[i].shift == shift && vpu_ops[i].sum == op)
            return i;
    return VPU_DATA;
}

static struct vpu_candidate candidate(const struct vpu_tables *t, unsigned form, unsigned op, unsigned encoded)
{
    struct vpu_candidate c = {.form = (uint8_t)form, .op = (uint8_t)encoded};
    vpu_compile_candidate(&t->form[form], op, &c);
    return c;
}

/* The candidates of an operation, into `out`. */
static unsigned list_candidates(const struct vpu_tables *t, unsigned op, struct vpu_candidate *out)
{
    unsigned n = 0;
    uint8_t scaled[MOST_SHIFT + 1];
    for (unsigned shift = 1; shift <= MOST_SHIFT && (shift == 1 || scaled[1] != VPU_DATA); shift++)
        scaled[shift] = (uint8_t)vpu_scaled(op, shift);
    for (unsigned i = 0; i < t->nforms; i++) {
        const struct vpu_form *f = &t->form[i];
        if (encodes(f, op))
            out[n++] = candidate(t, i, op, op);
        bool scales = scaled[1] != VPU_DATA && f->immediate && f->size < 6;
        for (unsigned shift = 1; scales && shift <= MOST_SHIFT; shift++)
            if (encodes(f, scaled[shift]))
                out[n++] = candidate(t, i, op, scaled[shift]);
    }
    return n;
}

static bool may_hold_same(const struct vpu_form *own, const struct vpu_form *f)
{
    if (f->size > own->size || f->kind != own->kind)
        return false;
    return !f->row->implied || !own->row->implied || f->row->implied == own->row->implied;
}

/* Would the assembler rather take candidate c than `form`, if both held an instruction? */
static bool is_preferred(const struct vpu_tables *t, const struct vpu_candidate *c, unsigned form, unsigned op)
{
    const struct vpu_form *own = &t->form[form], *f = &t->form[c->form];
    unsigned text = vpu_form_text(own, op), unlike = text ^ vpu_form_writes(f, c->op);
    if (f->size < own->size || (text ^ vpu_form_writes(own, op)) == unlike)
        return f->size < own->size || c->form < form;
    return unlike == 0;
}

/* The rivals of a form and operation, into `out`. */
static struct vpu_rivals list_rivals(const struct vpu_tables *t, unsigned form, unsigned op, struct vpu_candidate *out)
{
    struct vpu_rivals r = {0};
    bool any = false, found = false;
    for (unsigned n = t->candidate_first[op]; n < t->candidate_first[op + 1]; n++) {
        const struct vpu_candidate *c = &t->candidate[n];
        if (c->form == form && c->op == op) {
            found = true;
        } else if (may_hold_same(&t->form[form], &t->form[c->form])) {
            any |= is_preferred(t, c, form, op);
            r.before += !found;
            out[r.count++] = *c;
        }
    }
    return any ? r : (struct vpu_rivals){0};
}

/* A reference row for each operation of each form. Numbers of vector data operations run over both values of X. */
static bool list_rows(struct vpu_tables *t, struct arena *arena)
{
    uint32_t total = 0;
    for (unsigned form = 0; form < t->nforms; form++) {
        t->form[form].first_rivals = (uint16_t)total;
        total += t->form[form].ops;
    }
    t->row = ARENA_ARRAY(arena, struct vpu_reference, total);
    t->row_of = ARENA_ARRAY(arena, uint16_t, total);
    for (unsigned form = 0; form < t->nforms && t->row && t->row_of; form++)
        for (unsigned n = 0; n < t->form[form].ops; n++) {
            const struct vpu_form *f = &t->form[form];
            unsigned op = f->first_op + (n << f->spread);
            t->row_of[f->first_rivals + n] = (uint16_t)t->nrows;
            if (encodes(f, op))
                t->row[t->nrows++] = (struct vpu_reference){(uint8_t)form, (uint8_t)op, (uint8_t)n};
        }
    return t->row && t->row_of;
}

static bool find_rivals(struct vpu_tables *t, struct arena *arena)
{
    unsigned count = 0, total = 0;
    size_t capacity = 0;
    for (unsigned form = 0; form < t->nforms; form++)
        count += t->form[form].ops;
    t->rivals = ARENA_ARRAY(arena, struct vpu_rivals, count);
    t->line = ARENA_ARRAY(arena, struct vpu_line, count);
    for (unsigned form = 0; form < t->nforms && t->rivals && t->line; form++)
        for (unsigned n = 0; n < t->form[form].ops; n++) {
            const struct vpu_form *f = &t->form[form];
            unsigned op = f->first_op + (n << f->spread);
            size_t most = total + t->candidate_first[op + 1] - t->candidate_first[op];
            struct vpu_candidate *grown = arena_grow(arena, t->rival, sizeof *grown, total, &capacity, most + 1);
            if (!grown)
                return false;
            t->rival = grown;
            struct vpu_rivals *r = &t->rivals[f->first_rivals + n];
            *r = list_rivals(t, form, op, grown + total);
            r->first = (uint16_t)total;
            t->line[f->first_rivals + n] = vpu_compile_line(f, op);
            total += r->count;
        }
    return t->rivals && t->line;
}

static bool index_candidates(struct vpu_tables *t, struct arena *arena)
{
    unsigned total = 0;
    size_t capacity = 0;
    for (unsigned op = 0; op < VPU_OPS; op++) {
        size_t most = total + (size_t)t->nforms * (1 + MOST_SHIFT);
        struct vpu_candidate *grown = arena_grow(arena, t->candidate, sizeof *grown, total, &capacity, most);
        if (!grown)
            return false;
        t->candidate = grown;
        t->candidate_first[op] = (uint16_t)total;
        total += list_candidates(t, op, grown + total);
    }
    t->candidate_first[VPU_OPS] = (uint16_t)total;
    return find_rivals(t, arena);
}

/* ---- made once ---- */

static struct vpu_made made = VPU_MADE;

static void list_operands(struct vpu_tables *t)
{
    for (uint32_t place = 0; place < 1024; place++) {
        bool vertical = (place & VPU_VERTICAL_PLACE) != 0;
        t->coarse[place] = vpu_operand_at(place, vertical, false);
        t->fine[place] = vpu_operand_at(place, vertical, true);
    }
}

static bool at_fault(const struct vpu_form_row *row, const char *wrong, struct arena *arena, const char **fault)
{
    *fault = arena_printf(arena, "the VPU's form '%s' (%s): %s", row->name, row->pattern, wrong);
    return false;
}

static bool compile_forms(struct vpu_tables *t, const struct vpu_form_row *rows, unsigned count, struct arena *arena,
                          const char **fault)
{
    for (unsigned i = 0; i < count; i++) {
        const char *wrong = compile_form(&rows[i], &t->form[i]);
        for (unsigned k = 0; k < i && !wrong; k++)
            wrong = compare_forms(&t->form[k], &t->form[i]);
        for (unsigned n = 0; n < rows[i].ops && !wrong; n++)
            if (!vpu_ops[rows[i].op + (n << t->form[i].spread)].name)
                wrong = "it encodes an operation that has no row";
        if (wrong)
            return at_fault(&rows[i], wrong, arena, fault);
    }
    t->nforms = count;
    return true;
}

bool vpu_compile_tables(struct vpu_tables *t, const struct vpu_form_row *rows, unsigned count, struct arena *arena,
                        const char **fault)
{
    *fault = NULL;
    if (!compile_forms(t, rows, count, arena, fault))
        return false;
    index_first_halfwords(t);
    list_operands(t);
    if (!list_rows(t, arena) || !index_candidates(t, arena))
        return false;
    vpu_list_syntaxes(t);
    return true;
}

/* Tables, or what is wrong with them. */
struct tables {
    struct vpu_tables t;
    const char *fault;
};

static void *make_tables(struct arena *arena)
{
    struct tables *all = ARENA_NEW(arena, struct tables);
    bool fine = all && vpu_compile_tables(&all->t, vpu_form_rows, VPU_FORMS, arena, &all->fault);
    return fine || (all && all->fault) ? all : NULL;
}

const struct vpu_tables *vpu_tables(void)
{
    const struct tables *all = vpu_make_once(&made, make_tables);
    return all && !all->fault ? &all->t : NULL;
}

const char *vpu_table_fault(void)
{
    const struct tables *all = vpu_make_once(&made, make_tables);
    return all ? all->fault : NULL;
}

weft_status vpu_no_tables(weft_diags *diags)
{
    const char *fault = vpu_table_fault();
    if (!fault)
        return WEFT_ERROR_MEMORY;
    diag_add(diags, WEFT_ERROR, "internal", NULL, NULL, "%s", fault);
    return WEFT_ERROR_INTERNAL;
}

/* ---- bytes ---- */

static void put_halfword(uint8_t *bytes, unsigned number, uint64_t value)
{
    bytes[2 * number] = (uint8_t)value;
    bytes[2 * number + 1] = (uint8_t)(value >> 8);
}

void vpu_put_number(const struct vpu_form *f, struct pattern_word *word, unsigned number)
{
    if (!f->vector) {
        vpu_put(&f->op, word, number);
        return;
    }
    bool wide = vpu_has_slot(f, VPU_F_X) && number >= VPU_X_SHARED + VPU_X_APART;
    vpu_put(&f->slot[VPU_F_op], word, wide ? number - VPU_X_APART : number);
    if (vpu_has_slot(f, VPU_F_X))
        vpu_put(&f->slot[VPU_F_X], word, wide);
}

void vpu_put_word(struct pattern_word w, const struct vpu_form *form, uint8_t *bytes)
{
    unsigned halfwords = form->size / 2u;
    if (form->size == 6 && vpu_is_scalar48((unsigned)(w.w[0] >> 32))) {
        put_halfword(bytes, 0, w.w[0] >> 32);
        put_halfword(bytes, 1, w.w[0]);
        put_halfword(bytes, 2, w.w[0] >> 16);
        return;
    }
    for (unsigned i = halfwords; i-- > 0;) {
        put_halfword(bytes, i, w.w[0]);
        w.w[0] = w.w[0] >> 16 | w.w[1] << 48;
        w.w[1] >>= 16;
    }
}
