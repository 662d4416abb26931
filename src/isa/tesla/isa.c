/* isa.c - Tesla as an instruction set of weft: what the generic parts see of it. */
#include "ir/io.h"
#include "isa/tesla/table.h"

#include <pthread.h>
#include <string.h>

/* ---- texts of the reference ---- */

enum { PATTERN = 40 };

static char patterns[TESLA_ROWS][PATTERN]; /* made once */

/* "10000001/f0000003" */
static char *write_half(char *p, uint32_t value, uint32_t mask)
{
    for (int digit = 28; digit >= 0; digit -= 4)
        *p++ = "0123456789abcdef"[value >> digit & 15];
    *p++ = '/';
    for (int digit = 28; digit >= 0; digit -= 4)
        *p++ = "0123456789abcdef"[mask >> digit & 15];
    return p;
}

static void make_patterns(void)
{
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        const struct tesla_row *r = &tesla_rows[i];
        char *p = write_half(patterns[i], (uint32_t)r->value, (uint32_t)r->mask);
        if (r->form == TESLA_SHORT)
            continue;
        *p++ = ' ';
        write_half(p, (uint32_t)(r->value >> 32), (uint32_t)(r->mask >> 32));
    }
}

static const char *pattern_of(uint32_t row)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_patterns);
    return patterns[row];
}

static void row_info(uint32_t number, struct isa_row_info *info)
{
    const struct tesla_row *row = &tesla_rows[number];
    *info = (struct isa_row_info){
        .mnemonic = row->mnemonic,
        .syntax = row->syntax,
        .pattern = pattern_of(number),
        .group = row->group,
        .operands = "", /* the syntax and its legend say them */
        .modifiers = tesla_legend(number),
        .chips = tesla_chips_of(row->features),
        .provenance = (enum isa_provenance)row->provenance,
        .executes = tesla_meanings[row->meaning].lift != NULL,
        .doc = row->doc,
    };
    for (unsigned s = 0; s < 4; s++)
        if (row->stages >> s & 1)
            info->stages |= 1u << tesla_ir_stage((uint8_t)(1u << s));
}

/* ---- the instruction set ---- */

static int stage_of(const struct isa_module *m)
{
    return tesla_ir_stage(m->target.stage);
}

static size_t count_unknown(const struct isa_module *m)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->ninsns; i++)
        n += m->insns[i].row == NULL;
    return n;
}

const struct isa isa_tesla = {
    .name = "tesla",
    .title = "NVIDIA Tesla (G80 to GT21x)",
    .document = "Tesla CUDA ISA, envytools' documentation",
    .differences = tesla_differences,
    .chips = tesla_chips,
    .extension = "cubin",
    .takes_linkage = true,
    .takes_base = true,
    .takes_entry = true,
    .labels = true,
    .separator = "; ",
    .has_places = true,
    .unit = 4,
    .nrows = TESLA_ROWS,
    .row_info = row_info,
    .insn = &tesla_insn_ops,
    .parse = tesla_parse,
    .print = tesla_print,
    .decode = tesla_decode,
    .encode = tesla_encode,
    .check = tesla_check,
    .lift = tesla_lift,
    .stage = stage_of,
    .unknown = count_unknown,
};
