/* isa.c - Rogue as an instruction set of weft: what the generic parts see of it. */
#include "isa/rogue/insn.h"
#include "isa/rogue/template.h"
#include "isa/text.h"

#include <pthread.h>

/* ---- texts of the reference, made of the rows ---- */

enum { POOL = 1 << 17, ROW_ROOM = 1 << 11 };
static char pool[POOL];
static struct {
    const char *syntax, *pattern, *units, *words;
} texts[ROGUE_OPS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void put_mods(struct text *t, const struct rogue_mod *mods, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct rogue_field_info *info = &rogue_fields[mods[i].field];
        bool always = info->initial == 0xFF;
        put_text(t, always ? "." : "[.");
        if (mods[i].length)
            put_bytes(t, mods[i].word, mods[i].length);
        else {
            put_char(t, '<');
            put_text(t, info->name);
            put_char(t, '>');
        }
        put_text(t, always ? "" : "]");
    }
}

static void put_numbered(struct text *t, const char *name, unsigned n)
{
    put_text(t, name);
    put_unsigned(t, n);
}

static void put_operand(struct text *t, const struct rogue_operand *o, bool two_phases)
{
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        put_bytes(t, o->word, o->length);
        break;
    case ROGUE_ON_FIELD:
        put_bytes(t, o->word, o->length);
        put_char(t, '<');
        put_text(t, rogue_fields[o->field].name);
        put_char(t, '>');
        break;
    case ROGUE_ON_OPTION:
        put_bytes(t, o->word, o->length);
        put_text(t, "|_");
        break;
    case ROGUE_ON_FT:
        put_text(t, two_phases ? "ft0|ft1" : "ft0");
        break;
    case ROGUE_ON_PORT:
        put_numbered(t, "s", o->n);
        if (two_phases && o->n < 3)
            put_numbered(t, "|s", o->n + 3u);
        put_text(t, o->optional ? "|_" : "");
        break;
    case ROGUE_ON_IS:
        put_numbered(t, "is", o->n);
        break;
    case ROGUE_ON_W:
        put_numbered(t, "w", o->n);
        break;
    case ROGUE_ON_DRC:
        put_text(t, "drcN");
        break;
    }
    put_mods(t, o->mods, o->nmods);
}

/* ---- the words of a row's fields: "chan: 1, 2, 3, 4" ---- */

static void put_words(struct text *t, const char *begin, unsigned field)
{
    const struct rogue_field_info *info = &rogue_fields[field];
    const char *next = ": ";
    if (info->type != ROGUE_WORDS)
        return;
    put_text(t, t->p == begin ? "" : "\n");
    put_text(t, info->name);
    for (unsigned code = 0; info->words[code]; code++) {
        if (!info->words[code][0])
            continue;
        put_text(t, next);
        put_text(t, info->words[code]);
        put_text(t, code == info->initial ? " (left out)" : "");
        next = ", ";
    }
}

static void put_mod_words(struct text *t, const char *begin, const struct rogue_mod *mods, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!mods[i].length)
            put_words(t, begin, mods[i].field);
}

static void put_all_words(struct text *t, const char *begin, const struct rogue_template *form)
{
    put_mod_words(t, begin, form->mods, form->nmods);
    for (unsigned i = 0; i < form->noperands; i++) {
        if (form->operands[i].kind == ROGUE_ON_FIELD)
            put_words(t, begin, form->operands[i].field);
        put_mod_words(t, begin, form->operands[i].mods, form->operands[i].nmods);
    }
}

/* The text that has been put since `begin`. */
static const char *end_text(struct text *t, char **begin)
{
    const char *text = *begin;
    put_char(t, '\0');
    *begin = t->p;
    return text;
}

static void write_texts(void)
{
    const struct rogue_table *table = rogue_table();
    enum { BOTH = 1 << ROGUE_P0 | 1 << ROGUE_P1 };
    struct text t = {.p = pool};
    char *begin = pool;
    for (unsigned op = 0; op < ROGUE_OPS && t.p + ROW_ROOM < pool + POOL; op++) {
        const struct rogue_row *row = &rogue_rows()[op];
        const struct rogue_template *form = &table->templates[op];
        put_text(&t, row->name);
        put_mods(&t, form->mods, form->nmods);
        for (unsigned i = 0; i < form->noperands; i++) {
            put_text(&t, i ? ", " : " ");
            put_operand(&t, &form->operands[i], (row->units & BOTH) == BOTH);
        }
        texts[op].syntax = end_text(&t, &begin);
        put_text(&t, row->forms);
        put_text(&t, row->weft ? " (weft's own encoding)" : "");
        texts[op].pattern = end_text(&t, &begin);
        for (unsigned i = 0; i < ROGUE_UNITS; i++)
            if (row->units >> i & 1) {
                put_text(&t, t.p == begin ? "" : ", ");
                put_text(&t, rogue_units[i].title);
            }
        texts[op].units = end_text(&t, &begin);
        put_all_words(&t, begin, form);
        texts[op].words = end_text(&t, &begin);
    }
}

/* ---- the instruction set ---- */

static uint32_t stages_of(const struct rogue_row *row)
{
    enum { ALL = (1 << IR_STAGES) - 1 };
    uint32_t stages = (uint32_t)(row->traits >> ROGUE_STAGES_AT) & ALL;
    return stages ? stages : ALL;
}

const char *rogue_syntax(uint32_t op)
{
    pthread_once(&made, write_texts);
    return texts[op].syntax;
}

static void row_info(uint32_t number, struct isa_row_info *info)
{
    const struct rogue_row *row = &rogue_rows()[number];
    pthread_once(&made, write_texts);
    *info = (struct isa_row_info){
        .mnemonic = row->name,
        .syntax = texts[number].syntax,
        .pattern = texts[number].pattern,
        .group = row->group,
        .unit = texts[number].units,
        .modifiers = texts[number].words,
        .stages = stages_of(row),
        .provenance = (enum isa_provenance)row->provenance,
        .executes = row->lift != NULL,
        .doc = row->doc,
    };
}

static int stage_of(const struct isa_module *m)
{
    return m->stage;
}

static size_t unknown(const struct isa_module *m)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->ngroups; i++)
        n += m->groups[i].data != NULL;
    return n;
}

static const struct isa_meant meant[] = {
#define MEANT(theirs, write, why) ISA_MEANT(theirs, write)
#include "isa/rogue/hints.inc"
#undef MEANT
    {NULL, NULL}};

const struct isa isa_rogue = {
    .name = "rogue",
    .title = "PowerVR Rogue USC",
    .document = "PowerVR Instruction Set Reference, Series 6 (2014)",
    .stages = ISA_ALL_STAGES,
    .differences = rogue_differences,
    .takes_linkage = true,
    .takes_base = true,
    .packs = true,
    .labels = true,
    .has_places = true,
    .unit = 2,
    .nrows = ROGUE_OPS,
    .row_info = row_info,
    .meant = meant,
    .insn = &rogue_insn_ops,
    .parse = rogue_parse,
    .print = rogue_print,
    .decode = rogue_decode,
    .encode = rogue_encode,
    .check = rogue_check,
    .lift = rogue_lift,
    .stage = stage_of,
    .unknown = unknown,
};
