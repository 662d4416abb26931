/* reference.c - what the reference (weft isa) shows of a row: texts made of its columns. */
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SYNTAX = 400, PATTERN = 320, OPERANDS = 128, MODIFIERS = 1400 };

static struct {
    char syntax[SYNTAX], pattern[PATTERN], operands[OPERANDS], modifiers[MODIFIERS];
} texts[VALHALL_OPS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void append(char *text, size_t size, const char *what)
{
    size_t length = strlen(text), more = strlen(what);
    if (length + more < size)
        memcpy(text + length, what, more + 1);
}

/* A modifier: a flag by its name, another as the <name> in whose place its words are. */
static void write_modifier(char *text, const struct valhall_field *m)
{
    append(text, SYNTAX, m->initial < 0 ? "." : "[.");
    append(text, SYNTAX, m->words ? "<" : "");
    append(text, SYNTAX, m->name);
    append(text, SYNTAX, m->words ? ">" : "");
    append(text, SYNTAX, m->initial < 0 ? "" : "]");
}

/* FADD.f32[.<clamp>] dst, a[.neg][.abs][.<widen>], ... */
static void write_syntax(char *text, const struct valhall_row *row)
{
    const char *before = " ";
    append(text, SYNTAX, row->name);
    for (unsigned i = 0; i < row->nmods; i++) {
        write_modifier(text, &valhall_fields[row->mods[i]]);
    }
    append(text, SYNTAX, "[.<flow>]");
    for (unsigned i = 0; i < row->nstaging; i++, before = ", ") {
        append(text, SYNTAX, before);
        append(text, SYNTAX, row->staging[i].write ? "@w..." : "@r...");
    }
    if (row->has_dst) {
        append(text, SYNTAX, " dst");
        before = ", ";
    }
    for (unsigned i = 0; i < row->nsrc; i++, before = ", ") {
        const struct valhall_source_rule *s = &row->src[i];
        char letter[2] = {(char)('a' + i), '\0'};
        append(text, SYNTAX, before);
        append(text, SYNTAX, letter);
        append(text, SYNTAX, s->neg ? "[.neg][.abs]" : "");
        if (s->select) {
            append(text, SYNTAX, "[.<");
            append(text, SYNTAX, valhall_select_names[s->select]);
            append(text, SYNTAX, ">]");
        }
        append(text, SYNTAX, s->invert ? "[.not]" : "");
    }
    for (unsigned i = 0; i < row->nimm; i++, before = ", ") {
        const struct valhall_field *immediate = &valhall_fields[row->imm[i]];
        bool constant = immediate->role == VALHALL_ROLE_CONSTANT;
        append(text, SYNTAX, before);
        append(text, SYNTAX, constant ? "#" : immediate->name);
        append(text, SYNTAX, constant ? "constant" : ":n");
    }
}

/* The fields from bit 63 down: digits are fixed, NAME:WIDTH is a field. */
static void write_pattern(char *text, const struct valhall_layout *l)
{
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct valhall_bits *f = &l->fields[i];
        char piece[64] = "";
        if (!f->fixed)
            snprintf(piece, sizeof piece, "%s:%u", f->name, f->size);
        for (unsigned k = 0; f->fixed && k < f->size; k++)
            piece[k] = (char)('0' + ((uint64_t)f->value >> (f->size - 1 - k) & 1));
        append(text, PATTERN, i ? " " : "");
        append(text, PATTERN, piece);
    }
}

static void append_size(char *text, const char *before, unsigned size)
{
    char piece[24];
    snprintf(piece, sizeof piece, "%s%u", before, size);
    append(text, OPERANDS, piece);
}

/* "32 = 32, 32": bits of the operands; staging registers by their direction. */
static void write_operands(char *text, const struct valhall_row *row)
{
    const char *before = "";
    for (unsigned i = 0; i < row->nstaging; i++)
        if (row->staging[i].write)
            append(text, OPERANDS, "registers = ");
    if (row->has_dst) {
        append_size(text, "", row->size);
        append(text, OPERANDS, " = ");
    }
    for (unsigned i = 0; i < row->nstaging; i++)
        if (row->staging[i].read) {
            append(text, OPERANDS, "registers");
            before = ", ";
        }
    for (unsigned i = 0; i < row->nsrc; i++, before = ", ")
        append_size(text, before, row->src[i].size);
}

/* "clamp: none (left out), clamp_0_inf, ..." */
static void begin_words(char *text, const char *name)
{
    append(text, MODIFIERS, text[0] ? "\n" : "");
    append(text, MODIFIERS, name);
    append(text, MODIFIERS, ":");
}

static void write_word(char *text, const char *word, bool initial, bool *first)
{
    if (!word)
        return;
    append(text, MODIFIERS, *first ? " " : ", ");
    append(text, MODIFIERS, word);
    append(text, MODIFIERS, initial ? " (left out)" : "");
    *first = false;
}

static bool select_before(const struct valhall_row *row, unsigned source)
{
    for (unsigned i = 0; i < source; i++)
        if (row->src[i].select == row->src[source].select)
            return true;
    return false;
}

static void write_modifiers(char *text, const struct valhall_row *row)
{
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        bool first = true;
        if (!m->words)
            continue;
        begin_words(text, m->name);
        for (int v = 0; v < 1 << m->size; v++)
            write_word(text, m->words[v], v == m->initial, &first);
    }
    for (unsigned i = 0; i < row->nsrc; i++) {
        bool first = true;
        if (!row->src[i].select || select_before(row, i))
            continue;
        const struct valhall_picks *all = &valhall_picks[row->src[i].select];
        begin_words(text, valhall_select_names[row->src[i].select]);
        for (int v = 0; v < 1 << all->bits; v++)
            write_word(text, all->picks[v].name, v == all->initial, &first);
    }
    bool first = true;
    begin_words(text, "flow");
    for (unsigned f = 0; f < 16; f++)
        write_word(text, valhall_flow_names[f], f == 0, &first);
}

static void write_texts(void)
{
    const struct valhall_table *t = valhall_table();
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        write_syntax(texts[i].syntax, &t->rows[i]);
        write_pattern(texts[i].pattern, &t->layouts[i]);
        write_operands(texts[i].operands, &t->rows[i]);
        write_modifiers(texts[i].modifiers, &t->rows[i]);
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
    };
}
