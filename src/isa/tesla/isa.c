/* isa.c - Tesla as an instruction set of weft: what the generic parts see of it. */
#include "isa/tesla/table.h"

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

static const struct isa_meant meant[] = {
#define MEANT(theirs, write, why) ISA_MEANT(theirs, write)
#define MEANT_WORD(...)
#include "isa/tesla/hints.inc"
#undef MEANT
#undef MEANT_WORD
    {NULL, NULL}};

const struct isa isa_tesla = {
    .name = "tesla",
    .title = "NVIDIA Tesla (G80 to GT21x)",
    .document = "Tesla CUDA ISA, envytools' documentation",
    .stages = TESLA_STAGES,
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
    .row_info = tesla_row_info,
    .row_texts = tesla_row_texts,
    .meant = meant,
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
