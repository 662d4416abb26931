/* isa.c - Rogue as an instruction set of weft: what the generic parts see of it. */
#include "isa/rogue/insn.h"
#include "isa/rogue/template.h"

#include <pthread.h>
#include <string.h>

/* ---- texts of the reference, made of the rows ---- */

enum { SYNTAX = 640, PATTERN = 256, OPERANDS = 96 };
static struct {
    char syntax[SYNTAX], pattern[PATTERN], operands[OPERANDS];
} texts[ROGUE_OPS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void append(char *text, size_t size, const char *what, size_t more)
{
    size_t length = strlen(text);
    if (length + more < size) {
        memcpy(text + length, what, more);
        text[length + more] = '\0';
    }
}

static void append_text(char *text, size_t size, const char *what)
{
    append(text, size, what, strlen(what));
}

static void write_mods(char *text, const struct rogue_mod *mods, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool always = rogue_fields[mods[i].field].initial == 0xFF;
        append_text(text, SYNTAX, always ? "." : "[.");
        if (mods[i].length)
            append(text, SYNTAX, mods[i].word, mods[i].length);
        else
            append_text(text, SYNTAX, rogue_fields[mods[i].field].name);
        append_text(text, SYNTAX, always ? "" : "]");
    }
}

static void write_operand(char *text, const struct rogue_operand *o, bool two_phases)
{
    static const char *const ports[] = {"s0", "s1", "s2", "s3", "s4", "s5"}, *const is[] = {"is0", "is1", "is2", "is3"},
                             *const both[] = {"s0|s3", "s1|s4", "s2|s5"};
    switch ((enum rogue_operand_kind)o->kind) {
    case ROGUE_ON_WORD:
        append(text, SYNTAX, o->word, o->length);
        break;
    case ROGUE_ON_FIELD:
        append(text, SYNTAX, o->word, o->length);
        append_text(text, SYNTAX, rogue_fields[o->field].name);
        break;
    case ROGUE_ON_OPTION:
        append(text, SYNTAX, o->word, o->length);
        append_text(text, SYNTAX, "|_");
        break;
    case ROGUE_ON_FT:
        append_text(text, SYNTAX, two_phases ? "ft0|ft1" : "ft0");
        break;
    case ROGUE_ON_PORT:
        append_text(text, SYNTAX, two_phases && o->n < 3 ? both[o->n] : ports[o->n]);
        append_text(text, SYNTAX, o->optional ? "|_" : "");
        break;
    case ROGUE_ON_IS:
        append_text(text, SYNTAX, is[o->n & 3]);
        break;
    case ROGUE_ON_W:
        append_text(text, SYNTAX, o->n ? "w1" : "w0");
        break;
    case ROGUE_ON_DRC:
        append_text(text, SYNTAX, "drcN");
        break;
    }
    write_mods(text, o->mods, o->nmods);
}

/* Where it runs, one word per unit. */
static void write_units(char *text, unsigned units)
{
    for (unsigned i = 0; i < ROGUE_UNITS; i++)
        if (units >> i & 1) {
            append_text(text, OPERANDS, *text ? ", " : "");
            append_text(text, OPERANDS, rogue_units[i].title);
        }
}

static void write_texts(void)
{
    const struct rogue_table *t = rogue_table();
    enum { BOTH = 1 << ROGUE_P0 | 1 << ROGUE_P1 };
    for (unsigned op = 0; op < ROGUE_OPS; op++) {
        const struct rogue_row *row = &rogue_rows()[op];
        const struct rogue_template *form = &t->templates[op];
        append_text(texts[op].syntax, SYNTAX, row->name);
        write_mods(texts[op].syntax, form->mods, form->nmods);
        for (unsigned i = 0; i < form->noperands; i++) {
            append_text(texts[op].syntax, SYNTAX, i ? ", " : " ");
            write_operand(texts[op].syntax, &form->operands[i], (row->units & BOTH) == BOTH);
        }
        append_text(texts[op].pattern, PATTERN, row->forms);
        append_text(texts[op].pattern, PATTERN, row->weft ? " (weft's own encoding)" : "");
        write_units(texts[op].operands, row->units);
    }
}

/* ---- the instruction set ---- */

static uint32_t stages_of(const struct rogue_row *row)
{
    enum { ALL = (1 << IR_STAGES) - 1 };
    uint32_t stages = (uint32_t)(row->traits >> ROGUE_STAGES_AT) & ALL;
    return stages ? stages : ALL;
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
        .operands = texts[number].operands,
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

const struct isa isa_rogue = {
    .name = "rogue",
    .title = "PowerVR Rogue USC",
    .document = "PowerVR Instruction Set Reference, Series 6 (2014)",
    .differences = rogue_differences,
    .takes_linkage = true,
    .takes_base = true,
    .packs = true,
    .labels = true,
    .has_places = true,
    .unit = 2,
    .nrows = ROGUE_OPS,
    .row_info = row_info,
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
