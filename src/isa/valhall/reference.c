/* reference.c - what the reference (weft isa) shows of a row: texts made of its columns. */
#include "isa/text.h"
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <pthread.h>

enum { POOL = VALHALL_OPS * 2048 /* a row has some 600 bytes */ };

static char pool[POOL];
static struct {
    const char *syntax, *pattern, *operands, *modifiers;
} texts[VALHALL_OPS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* A modifier: a flag by its name, another as the <name> in whose place its words are. */
static char *write_modifier(char *p, const struct valhall_field *m)
{
    p = write_text(p, m->initial < 0 ? "." : "[.");
    p = write_text(p, m->words ? "<" : "");
    p = write_text(p, m->name);
    p = write_text(p, m->words ? ">" : "");
    return write_text(p, m->initial < 0 ? "" : "]");
}

/* a[.neg][.abs][.<widen>] */
static char *write_source(char *p, const struct valhall_source_rule *s, unsigned number)
{
    *p++ = (char)('a' + number);
    p = write_text(p, s->neg ? "[.neg][.abs]" : "");
    if (s->select) {
        p = write_text(p, "[.<");
        p = write_text(p, valhall_select_names[s->select][0]);
        p = write_text(p, ">]");
    }
    return write_text(p, s->invert ? "[.not]" : "");
}

/* FADD.f32[.<clamp>] dst, a[.neg][.abs][.<widen>], ... */
static char *write_syntax(char *p, const struct valhall_row *row)
{
    const char *before = " ";
    p = write_text(p, row->name);
    for (unsigned i = 0; i < row->nmods; i++)
        p = write_modifier(p, &valhall_fields[row->mods[i]]);
    p = write_text(p, "[.<flow>]");
    for (unsigned i = 0; i < row->nstaging; i++, before = ", ") {
        p = write_text(p, before);
        p = write_text(p, row->staging[i].write ? "@w..." : "@r...");
    }
    if (row->has_dst) {
        p = write_text(p, " dst");
        before = ", ";
    }
    for (unsigned i = 0; i < row->nsrc; i++, before = ", ")
        p = write_source(write_text(p, before), &row->src[i], i);
    for (unsigned i = 0; i < row->nimm; i++, before = ", ") {
        const struct valhall_field *immediate = &valhall_fields[row->imm[i]];
        bool constant = immediate->role == VALHALL_ROLE_CONSTANT;
        p = write_text(p, before);
        p = write_text(p, constant ? "#" : immediate->name);
        p = write_text(p, constant ? "constant" : ":n");
    }
    return p;
}

/* The fields from bit 63 down: digits are fixed, NAME:WIDTH is a field. */
static char *write_pattern(char *p, const struct valhall_layout *l)
{
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct valhall_bits *f = &l->fields[i];
        p = write_text(p, i ? " " : "");
        if (!f->fixed) {
            p = write_text(p, f->name);
            *p++ = ':';
            p = write_unsigned(p, f->size);
        }
        for (unsigned k = 0; f->fixed && k < f->size; k++)
            *p++ = (char)('0' + ((uint64_t)f->value >> (f->size - 1 - k) & 1));
    }
    return p;
}

/* "32 = 32, 32": bits of the operands; staging registers by their direction. */
static char *write_operands(char *p, const struct valhall_row *row)
{
    const char *before = "";
    for (unsigned i = 0; i < row->nstaging; i++)
        p = write_text(p, row->staging[i].write ? "registers = " : "");
    if (row->has_dst)
        p = write_text(write_unsigned(p, row->size), " = ");
    for (unsigned i = 0; i < row->nstaging; i++)
        if (row->staging[i].read) {
            p = write_text(p, "registers");
            before = ", ";
        }
    for (unsigned i = 0; i < row->nsrc; i++, before = ", ")
        p = write_unsigned(write_text(p, before), row->src[i].size);
    return p;
}

/* "clamp: none (left out), clamp_0_inf, ..." */
static char *begin_words(char *p, const char *begin, const char *name)
{
    p = write_text(p, p > begin ? "\n" : "");
    p = write_text(p, name);
    *p++ = ':';
    return p;
}

static char *write_word(char *p, const char *word, bool initial)
{
    if (!word)
        return p;
    p = write_text(p, p[-1] == ':' ? " " : ", ");
    p = write_text(p, word);
    return write_text(p, initial ? " (left out)" : "");
}

static bool select_before(const struct valhall_row *row, unsigned source)
{
    for (unsigned i = 0; i < source; i++)
        if (row->src[i].select == row->src[source].select)
            return true;
    return false;
}

static char *write_modifiers(char *p, const struct valhall_row *row)
{
    const char *begin = p;
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        if (!m->words)
            continue;
        p = begin_words(p, begin, m->name);
        for (int v = 0; v < 1 << m->size; v++)
            p = write_word(p, m->words[v], v == m->initial);
    }
    for (unsigned i = 0; i < row->nsrc; i++) {
        if (!row->src[i].select || select_before(row, i))
            continue;
        const struct valhall_picks *all = &valhall_picks[row->src[i].select];
        p = begin_words(p, begin, valhall_select_names[row->src[i].select][0]);
        for (int v = 0; v < 1 << all->bits; v++)
            p = write_word(p, all->picks[v].name, v == all->initial);
    }
    p = begin_words(p, begin, "flow");
    for (unsigned f = 0; f < 16; f++)
        p = write_word(p, valhall_flow_names[f], f == 0);
    return p;
}

static void write_texts(void)
{
    const struct valhall_table *t = valhall_table();
    char *p = pool;
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        texts[i].syntax = p;
        p = write_syntax(p, &t->rows[i]);
        *p++ = '\0';
        texts[i].pattern = p;
        p = write_pattern(p, &t->layouts[i]);
        *p++ = '\0';
        texts[i].operands = p;
        p = write_operands(p, &t->rows[i]);
        *p++ = '\0';
        texts[i].modifiers = p;
        p = write_modifiers(p, &t->rows[i]);
        *p++ = '\0';
    }
}

uint32_t valhall_stages(const struct valhall_row *row)
{
    return row->form->stages ? row->form->stages : 1u << IR_VERTEX | 1u << IR_FRAGMENT | 1u << IR_COMPUTE;
}

void valhall_row_info(uint32_t number, struct isa_row_info *info)
{
    const struct valhall_row *row = &valhall_rows()[number];
    pthread_once(&made, write_texts);
    *info = (struct isa_row_info){
        .mnemonic = row->name,
        .syntax = texts[number].syntax,
        .pattern = texts[number].pattern,
        .group = row->group,
        .operands = texts[number].operands,
        .modifiers = texts[number].modifiers,
        .stages = valhall_stages(row),
        .provenance = (enum isa_provenance)row->provenance,
        .executes = row->lift != NULL,
        .doc = row->doc,
        .unit = valhall_unit_names[row->unit],
    };
}
