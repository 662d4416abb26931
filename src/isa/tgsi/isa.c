/* isa.c - TGSI as an instruction set of weft: what the generic parts see of it. */
#include "ir/io.h"
#include "isa/isa.h"
#include "isa/text.h"
#include "isa/tgsi/insn.h"
#include "isa/tgsi/tgsi.h"

#include <pthread.h>
#include <strings.h>

/* ---- texts of the reference, made of the rows once ---- */

enum { TEXT_POOL = 48 * 1024 };

static struct {
    const char *syntax[TGSI_OPS], *pattern[TGSI_OPS], *types[TGSI_OPS];
    char pool[TEXT_POOL];
} texts;
static pthread_once_t texts_once = PTHREAD_ONCE_INIT;

/* "dst, src0, src1[ :label]": without names of its own, a row has these. */
static void append_operands(struct text *t, const struct tgsi_row *row)
{
    const char *before = " ";
    for (unsigned i = 0; i < row->ndst; i++, before = ", ") {
        put_text(t, before);
        put_text(t, "dst");
        if (row->ndst > 1)
            put_unsigned(t, i);
    }
    for (unsigned i = 0; i < row->nsrc; i++, before = ", ") {
        put_text(t, before);
        put_text(t, "src");
        if (row->nsrc > 1)
            put_unsigned(t, i);
    }
    if (row->label)
        put_text(t, "[ :label]");
}

/* "f32 = f32, f32" */
static void append_types(struct text *t, const struct tgsi_row *row)
{
    static const char *const words[] = {"resource", "f32", "i32", "u32", "f64", "i64", "u64", "bits"};
    for (unsigned i = 0; i < row->ndst; i++) {
        put_text(t, i ? ", " : "");
        put_text(t, words[i ? TGSI_T_I32 : row->dst_type]); /* a second result is an exponent */
    }
    for (unsigned i = 0; i < row->nsrc; i++) {
        put_text(t, i ? ", " : row->ndst ? " = " : "");
        put_text(t, words[row->src_type[i]]);
    }
}

static void make_texts(void)
{
    struct text t = {.p = texts.pool, .begin = texts.pool, .size = TEXT_POOL};
    for (uint32_t i = 0; i < TGSI_OPS && text_length(&t) + TEXT_ROOM < TEXT_POOL; i++) {
        const struct tgsi_row *row = &tgsi_rows[i];
        texts.syntax[i] = t.p;
        put_text(&t, row->name);
        if (row->operands) {
            put_char(&t, ' ');
            put_text(&t, row->operands);
        } else {
            append_operands(&t, row);
        }
        put_char(&t, 0);
        texts.pattern[i] = t.p;
        put_text(&t, "opcode ");
        put_unsigned(&t, (uint64_t)row->number);
        put_char(&t, 0);
        texts.types[i] = t.p;
        append_types(&t, row);
        put_char(&t, 0);
    }
}

/* ---- the instruction set ---- */

static int stage_of(const struct isa_module *m)
{
    return m->processor < TGSI_PROCESSORS ? tgsi_processor_stages[m->processor] : -1;
}

enum {
    ALL_STAGES =
        1 << IR_VERTEX | 1 << IR_TESS_CTRL | 1 << IR_TESS_EVAL | 1 << IR_GEOMETRY | 1 << IR_FRAGMENT | 1 << IR_COMPUTE
};

static void row_info(uint32_t number, struct isa_row_info *info)
{
    if (number >= TGSI_OPS) {
        *info = tgsi_item_rows[number - TGSI_OPS];
        info->group = "declaration";
        info->operands = "";
        info->stages = ALL_STAGES;
        info->provenance = ISA_KNOWN;
        info->executes = true;
        return;
    }
    const struct tgsi_row *row = &tgsi_rows[number];
    *info = (struct isa_row_info){
        .mnemonic = row->name,
        .group = row->group,
        .provenance = (enum isa_provenance)row->provenance,
        .executes = row->lift != NULL,
        .doc = row->doc,
    };
    for (unsigned p = 0; p < TGSI_PROCESSORS; p++)
        if (row->stages == 0 || row->stages & 1u << p)
            info->stages |= 1u << tgsi_processor_stages[p];
}

static void row_texts(uint32_t number, struct isa_row_info *info)
{
    if (number >= TGSI_OPS)
        return;
    pthread_once(&texts_once, make_texts);
    info->syntax = texts.syntax[number];
    info->pattern = texts.pattern[number];
    info->operands = texts.types[number];
}

/* The row of processors has the name of one of them. */
static bool row_is(uint32_t number, const char *word)
{
    for (unsigned p = 0; number == TGSI_ROW_PROCESSOR && p < TGSI_PROCESSORS; p++)
        if (strcasecmp(tgsi_processor_names[p], word) == 0)
            return true;
    return false;
}

const struct isa isa_tgsi = {
    .name = "tgsi",
    .title = "Gallium TGSI",
    .document = "TGSI (Tungsten Graphics Shader Infrastructure), Gallium's documentation",
    .stages = ISA_ALL_STAGES,
    .differences = tgsi_differences,
    .knows_stage = true,
    .lifts_alone = true,
    .unit = 4,
    .nrows = TGSI_ROWS,
    .row_info = row_info,
    .row_texts = row_texts,
    .row_is = row_is,
    .insn = &tgsi_insn_ops,
    .programs = tgsi_programs,
    .parse = tgsi_parse,
    .print = tgsi_print,
    .decode = tgsi_decode,
    .encode = tgsi_encode,
    .check = tgsi_check,
    .lift = tgsi_lift,
    .stage = stage_of,
};
