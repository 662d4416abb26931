/* print_insn.c - one instruction of a group as text: its name, modifiers and operands, as its template says, and
 * registers. */
#include "isa/rogue/alu.h"
#include "isa/rogue/print.h"

#include <pthread.h>
#include <string.h>

/* ---- registers ---- */

static struct rogue_reg_texts texts;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_texts(void)
{
    for (unsigned bank = 0; bank < ROGUE_NAMED_BANKS; bank++)
        for (unsigned i = 0; i < ROGUE_NAMED; i++) {
            char text[32];
            struct text t = {.p = text};
            struct rogue_reg_text *out = &texts.name[bank][i];
            rogue_put_any_reg(&t, (struct rogue_reg){(uint8_t)bank, 0, (uint16_t)i}, 1);
            out->length = (uint8_t)(t.p - text);
            memcpy(out->text, text, sizeof out->text);
        }
}

const struct rogue_reg_texts *rogue_reg_texts(void)
{
    pthread_once(&made, make_texts);
    return &texts;
}

static void put_index(struct text *t, struct rogue_reg r)
{
    put_bytes(t, "[idx", 4);
    put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
    if (r.dim) {
        put_bytes(t, ", ", 2);
        put_unsigned(t, 1u << r.dim);
    }
    put_char(t, ']');
}

void rogue_put_any_reg(struct text *t, struct rogue_reg r, unsigned count)
{
    struct rogue_reg_name n = rogue_name_reg(r);
    if (r.bank >= ROGUE_IDX0 && r.index == ROGUE_INDEXED_IDX && !r.dim) {
        put_text(t, "idx");
        put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
        return;
    }
    put_text(t, n.name);
    put_unsigned(t, n.number);
    if (count > 1 && !rogue_reg_is_constant(r)) {
        put_bytes(t, "..", 2);
        put_unsigned(t, n.number + count - 1);
    }
    if (r.bank >= ROGUE_IDX0)
        put_index(t, r);
}

/* ---- fields ---- */

static void put_sop(struct text *t, const struct rogue_insn *insn, enum rogue_field field)
{
    struct rogue_sop_source s = rogue_sop_get(insn, field);
    if (s.from < ROGUE_SOURCES) {
        put_char(t, 's');
        put_unsigned(t, s.from);
    } else {
        put_char(t, s.from == ROGUE_SOP_ZERO ? '0' : 'z');
    }
    if (s.type == ROGUE_SOP_U8)
        put_text(t, ".u8");
    if (s.type != ROGUE_SOP_F32) {
        put_text(t, ".e");
        put_unsigned(t, s.element);
    }
    static const char *const words[] = {".oneminus", ".clamp", ".flr", ".abs", ".neg"};
    const bool set[] = {s.oneminus, s.clamp, s.flr, s.abs, s.neg};
    for (int i = 0; i < 5; i++)
        if (set[i])
            put_text(t, words[i]);
}

static void put_value(struct text *t, const struct rogue_insn *insn, enum rogue_field field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    int64_t value = rogue_get(insn, field);
    if (rogue_is_sop_argument(field)) {
        put_sop(t, insn, field);
    } else if (info->type == ROGUE_WORDS) {
        put_text(t, info->words[value]);
    } else {
        if (info->type == ROGUE_SOURCE)
            put_char(t, 's');
        put_signed(t, value);
    }
}

static void put_mask(struct text *t, uint64_t mask)
{
    enum { ALL = 15 };
    if (mask == ALL)
        return;
    if (mask == 0)
        put_text(t, ".none");
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) {
            put_text(t, ".e");
            put_unsigned(t, i);
        }
}

static void put_mods(struct text *t, const struct rogue_variant *v, const struct rogue_insn *insn,
                     const struct rogue_mod *mods, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct rogue_mod *m = &mods[i];
        const struct rogue_field_info *info = &rogue_fields[m->field];
        if (v->form->slot[m->field] < 0 && m->field != ROGUE_F_S2ELEM)
            continue;
        uint64_t code = rogue_code(v, &insn->bits, m->field);
        if (info->type == ROGUE_MASK) {
            put_mask(t, code);
            continue;
        }
        if (code == info->initial)
            continue;
        put_char(t, '.');
        if (info->type == ROGUE_WORDS) {
            put_text(t, info->words[code]);
            continue;
        }
        if (m->field == ROGUE_F_SCALE_RTZ && !rogue_pack_scales((unsigned)rogue_get(insn, ROGUE_F_PCK_FORMAT)))
            put_text(t, "roundzero");
        else
            put_bytes(t, m->word, m->length);
        if (info->type == ROGUE_NUMBER)
            put_unsigned(t, code);
    }
}

/* ---- instructions ---- */

static void put_operand(struct text *t, const struct rogue_group *g, const struct rogue_insn *insn,
                        enum rogue_unit unit, const struct rogue_operand *o)
{
    unsigned port = o->n + (unit == ROGUE_P1 && o->n < 3 ? 3u : 0u);
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        put_bytes(t, o->word, o->length);
        break;
    case ROGUE_ON_FIELD:
        put_bytes(t, o->word, o->length);
        put_value(t, insn, o->field);
        break;
    case ROGUE_ON_OPTION:
        if (rogue_get(insn, o->field))
            put_bytes(t, o->word, o->length);
        else
            put_char(t, '_');
        break;
    case ROGUE_ON_FT:
        put_text(t, unit == ROGUE_P1 ? "ft1" : "ft0");
        break;
    case ROGUE_ON_PORT:
        if (o->optional && rogue_port_is_absent(g, port)) {
            put_char(t, '_');
            break;
        }
        put_char(t, 's');
        put_unsigned(t, port);
        break;
    case ROGUE_ON_IS:
        put_text(t, "is");
        put_unsigned(t, o->n);
        break;
    case ROGUE_ON_W:
        put_char(t, 'w');
        put_unsigned(t, o->n);
        break;
    case ROGUE_ON_DRC:
        put_bytes(t, o->word, o->length);
        put_unsigned(t, g->drc);
        break;
    }
}

/* Is it an operand at the end that says nothing, its modifiers included? */
static bool is_left_out(const struct rogue_variant *v, const struct rogue_insn *insn, const struct rogue_operand *o)
{
    if (o->kind != ROGUE_ON_FIELD || !o->optional || rogue_code(v, &insn->bits, o->field))
        return false;
    for (unsigned i = 0; i < o->nmods; i++)
        if (v->form->slot[o->mods[i].field] >= 0 &&
            rogue_code(v, &insn->bits, o->mods[i].field) != rogue_fields[o->mods[i].field].initial)
            return false;
    return true;
}

void rogue_put_insn(struct text *t, const struct rogue_table *table, const struct rogue_group *g, enum rogue_unit unit)
{
    const struct rogue_insn *insn = rogue_at(g, unit);
    const struct rogue_variant *v = rogue_variant_of(table, insn);
    const struct rogue_template *form = &table->templates[insn->row->op];
    put_text(t, rogue_units[unit].label);
    put_bytes(t, ": ", 2);
    put_text(t, insn->row->name);
    put_mods(t, v, insn, form->mods, form->nmods);
    if (insn->form && rogue_shortest(insn) != insn->form) {
        put_text(t, ".form");
        put_unsigned(t, insn->form);
    }
    for (unsigned i = 0; i < form->noperands; i++) {
        const struct rogue_operand *o = &form->operands[i];
        if (is_left_out(v, insn, o))
            continue;
        put_text(t, i ? ", " : " ");
        put_operand(t, g, insn, unit, o);
        put_mods(t, v, insn, o->mods, o->nmods);
    }
    put_text(t, "; ");
}
