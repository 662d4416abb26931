/* isa.c - Valhall as an instruction set of weft: what the generic parts see of it. */
#include "isa/valhall/table.h"

static int stage_of(const struct isa_module *m)
{
    return m->stage;
}

static const struct isa_meant meant[] = {
#define MEANT(theirs, write, why) ISA_MEANT(theirs, write)
#include "isa/valhall/hints.inc"
#undef MEANT
    {NULL, NULL}};

const struct isa isa_valhall = {
    .name = "valhall",
    .title = "ARM Mali Valhall",
    .document = "Mesa's description of Valhall (ISA.xml), early 2022",
    .stages = VALHALL_STAGES,
    .differences = valhall_differences,
    .takes_linkage = true,
    .takes_base = true,
    .has_places = true,
    .labels = true,
    .separator = "; ",
    .lifts_alone = true,
    .unit = 8,
    .nrows = VALHALL_OPS,
    .row_info = valhall_row_info,
    .meant = meant,
    .insn = &valhall_insn_ops,
    .parse = valhall_parse,
    .print = valhall_print,
    .decode = valhall_decode,
    .encode = valhall_encode,
    .check = valhall_check,
    .lift = valhall_lift,
    .stage = stage_of,
    .unknown = valhall_unknown,
};
