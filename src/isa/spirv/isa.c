/* isa.c - SPIR-V as an instruction set of weft: what the generic parts see of it. */
#include "isa/spirv/lift.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- texts of the reference, made of the rows once ---- */

enum { TEXTS = 160 * 1024, MOST_ROWS = 1024 };

static struct {
    char pool[TEXTS];
    const char *syntax[MOST_ROWS], *pattern[MOST_ROWS], *doc[MOST_ROWS];
} texts;
static pthread_once_t texts_once = PTHREAD_ONCE_INIT;

static const char *keep(size_t *at, const char *text)
{
    size_t n = strlen(text) + 1;
    if (*at + n > TEXTS)
        return "";
    memcpy(texts.pool + *at, text, n);
    *at += n;
    return texts.pool + *at - n;
}

static void make_texts(void)
{
    size_t at = 0;
    char line[640];
    for (uint32_t i = 0; i < spirv_row_count && i < MOST_ROWS; i++) {
        const struct spirv_row *row = &spirv_rows[i];
        bool typed = row->form[0] == 't', result = row->form[typed] == 'r';
        snprintf(line, sizeof line, "%s%s%s%s%s", result ? "%result = " : "", row->name, typed ? " %type" : "",
                 *row->operands ? " " : "", row->operands);
        texts.syntax[i] = keep(&at, line);
        snprintf(line, sizeof line, "opcode %u", row->opcode);
        texts.pattern[i] = keep(&at, line);
        snprintf(line, sizeof line, "%s instruction of SPIR-V %s%s%s", row->group,
                 strcmp(row->version, "None") == 0 ? "with an extension" : row->version,
                 *row->capabilities ? ", needs one of: " : "", row->capabilities);
        texts.doc[i] = keep(&at, line);
    }
}

static void row_info(uint32_t number, struct isa_row_info *info)
{
    if (number == spirv_row_count) {
        *info = (struct isa_row_info){.mnemonic = "SPIR-V",
                                      .syntax = "SPIR-V version generator bound schema",
                                      .pattern = "the first five words",
                                      .group = "Header",
                                      .operands = "",
                                      .stages = (1u << IR_STAGES) - 1,
                                      .executes = true,
                                      .doc = "what a module begins with"};
        return;
    }
    const struct spirv_row *row = &spirv_rows[number];
    pthread_once(&texts_once, make_texts);
    *info = (struct isa_row_info){.mnemonic = row->name,
                                  .syntax = texts.syntax[number],
                                  .pattern = texts.pattern[number],
                                  .group = row->group,
                                  .operands = row->operands,
                                  .stages = (1u << IR_STAGES) - 1,
                                  .provenance = ISA_DOCUMENTED,
                                  .executes = spirv_meaning_of(row->opcode) || spirv_declaration_of(row),
                                  .doc = texts.doc[number]};
}

/* OpFMul is FMul too. */
static bool row_is(uint32_t number, const char *word)
{
    return number < spirv_row_count && strncmp(spirv_rows[number].name, "Op", 2) == 0 &&
           strcasecmp(spirv_rows[number].name + 2, word) == 0;
}

#define ROW(...)
#define KIND(...)
#define ENUMERANT(...)
#define EXT(number, name, operands)                                                                                    \
    {name, "instruction " #number " of GLSL.std.450: %result = OpExtInst %type %set " name " " operands},
static const struct {
    const char *name, *what;
} functions[] = {
#include "isa/spirv/spirv_rows.inc"
};
#undef ROW
#undef KIND
#undef ENUMERANT
#undef EXT

/* Names without Op, then the functions of GLSL.std.450. */
static const char *other_name(size_t index, uint32_t *row, const char **what)
{
    if (index < spirv_row_count) {
        *row = (uint32_t)index;
        return spirv_rows[index].name + (strncmp(spirv_rows[index].name, "Op", 2) == 0 ? 2 : 0);
    }
    index -= spirv_row_count;
    if (index >= sizeof functions / sizeof *functions)
        return NULL;
    *row = spirv_row_number(spirv_row_of(SpvOpExtInst));
    *what = functions[index].what;
    return functions[index].name;
}

static int stage_of(const struct isa_module *m)
{
    return m->stage;
}

static const struct isa_difference differences[] = {{NULL, NULL}};

#define ROW(...) +1
#define KIND(...)
#define ENUMERANT(...)
#define EXT(...)
enum {
    ROWS = 0
#include "isa/spirv/spirv_rows.inc"
};

const struct isa isa_spirv = {
    .name = "spirv",
    .title = "SPIR-V",
    .document = "SPIR-V Specification 1.6, Khronos; the grammar of SPIRV-Headers",
    .stages = ISA_ALL_STAGES,
    .extension = "spv",
    .text_extension = "spvasm",
    .languages = spirv_languages,
    .knows_stage = true,
    .takes_linkage = true,
    .takes_entry = true,
    .has_places = true,
    .lifts_alone = true,
    .unit = 4,
    .differences = differences,
    .nrows = ROWS + 1,
    .row_info = row_info,
    .row_is = row_is,
    .other_name = other_name,
    .insn = &spirv_insn_ops,
    .parse = spirv_parse,
    .print = spirv_print,
    .decode = spirv_decode,
    .encode = spirv_encode,
    .check = spirv_check,
    .lift = spirv_lift,
    .stage = stage_of,
};
