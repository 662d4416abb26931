/* lift.c - a whole TGSI program becomes lane IR. */
#include "isa/tgsi/lift_flow.h"

const struct tgsi_row *tgsi_lift_row(const struct tgsi_insn *insn)
{
    return &tgsi_rows[insn->opcode];
}

/* ---- register files ---- */

static void reach(struct tgsi_lifter *l, unsigned file, int64_t last)
{
    if (file < TGSI_FILES && last >= 0 && (uint64_t)last >= l->file[file].count)
        l->file[file].count = last >= TGSI_LIFT_REGISTERS ? TGSI_LIFT_REGISTERS + 1 : (uint32_t)last + 1;
}

static void reach_index(struct tgsi_lifter *l, const struct tgsi_index *index)
{
    if (index->indirect)
        reach(l, index->file, index->reg);
}

static void reach_operand(struct tgsi_lifter *l, const struct tgsi_operand *o, bool *indirect)
{
    reach_index(l, &o->index);
    if (o->dimensional)
        reach_index(l, &o->dim);
    if (o->index.indirect)
        indirect[o->file] = true;
    else if (!o->dimensional)
        reach(l, o->file, o->index.value);
}

/* How many registers of each file there are: those declared and those named. */
static void measure_files(struct tgsi_lifter *l, bool *indirect)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++)
        if (l->m->decls[i].file < TGSI_FILES)
            reach(l, l->m->decls[i].file, l->m->decls[i].last);
    for (uint32_t i = 0; i < l->m->ninsns; i++) {
        const struct tgsi_insn *insn = &l->m->insns[i];
        for (unsigned k = 0; k < insn->ndst; k++)
            reach_operand(l, &insn->dst[k], indirect);
        for (unsigned k = 0; k < insn->nsrc; k++)
            reach_operand(l, &insn->src[k], indirect);
    }
}

static const struct {
    uint8_t file;
    const char *name;
} register_files[] = {
    {TGSI_TEMPORARY, "TEMP"}, {TGSI_INPUT, "IN"},       {TGSI_OUTPUT, "OUT"},
    {TGSI_ADDRESS, "ADDR"},   {TGSI_PREDICATE, "PRED"},
};

/* The declaration that goes beyond what a file may have. */
static struct span place_of_too_many(const struct tgsi_lifter *l, unsigned file)
{
    for (uint32_t i = 0; i < l->m->ndecls; i++)
        if (l->m->decls[i].file == file && l->m->decls[i].last >= TGSI_LIFT_REGISTERS)
            return l->m->decls[i].where;
    return (struct span){0, 0};
}

static void make_files(struct tgsi_lifter *l)
{
    bool indirect[TGSI_FILES] = {false};
    measure_files(l, indirect);
    for (size_t i = 0; i < sizeof register_files / sizeof *register_files; i++) {
        struct tgsi_lift_file *f = &l->file[register_files[i].file];
        if (f->count > TGSI_LIFT_REGISTERS)
            lift_error_at(&l->lift, place_of_too_many(l, register_files[i].file), "too-many-registers",
                          "more than %d %s registers", TGSI_LIFT_REGISTERS, register_files[i].name);
        else if (f->count)
            f->file = ir_add_file(
                l->b.p,
                (struct ir_file){.name = register_files[i].name, .bits = 32, .count = f->count * 4, .vectors = true});
    }
    /* Immediates are constants; they need registers only where one is chosen at run time. */
    struct tgsi_lift_file *imm = &l->file[TGSI_IMMEDIATE];
    imm->count = l->m->nimms;
    if (indirect[TGSI_IMMEDIATE] && imm->count > TGSI_LIFT_REGISTERS)
        lift_error_at(&l->lift, (struct span){0, 0}, "too-many-registers",
                      "more than %d immediates that are addressed indirectly", TGSI_LIFT_REGISTERS);
    else if (indirect[TGSI_IMMEDIATE] && imm->count)
        imm->file =
            ir_add_file(l->b.p, (struct ir_file){.name = "IMM", .bits = 32, .count = imm->count * 4, .vectors = true});
}

static void set_immediates(struct tgsi_lifter *l)
{
    const struct tgsi_lift_file *imm = &l->file[TGSI_IMMEDIATE];
    if (imm->file == LIFT_NONE)
        return;
    for (uint32_t i = 0; i < imm->count; i++)
        for (unsigned c = 0; c < 4; c++)
            ir_set(&l->b, imm->file, i * 4 + c, ir_const_i32(&l->b, l->m->imms[i].bits[c]), 0);
}

/* ---- the program ---- */

static struct tgsi_lifter *lifter_of(const struct lift *l)
{
    return (struct tgsi_lifter *)l;
}

static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct tgsi_insn *insn = &l->m->insns[number];
    return (struct lift_insn){.where = &insn->where, .address = number, .row = insn->opcode, .line = insn->line};
}

static void forget(struct tgsi_lifter *l)
{
    for (unsigned i = 0; i < TGSI_FILES; i++)
        l->file[i].file = LIFT_NONE;
    for (unsigned i = 0; i < TGSI_LIFT_CONST_BUFFERS; i++)
        l->const_space[i] = LIFT_NONE;
    for (unsigned i = 0; i < TGSI_LIFT_STAGE_SPACES; i++)
        l->stage_space[i] = LIFT_NONE;
    l->address_stack = l->address_top = LIFT_NONE;
}

static void lift_program(struct lift *base)
{
    struct tgsi_lifter *l = lifter_of(base);
    l->b.p->integer_targets = l->m->processor == TGSI_FRAG; /* outputs have no types */
    forget(l);
    make_files(l);
    if (!l->failed)
        tgsi_lift_declarations(l);
    if (l->failed || arena_failed(l->arena) || !tgsi_lift_flow_prepare(l))
        return;
    set_immediates(l);
    tgsi_lift_inputs(l);
    tgsi_lift_flow_run(l);
    tgsi_lift_outputs(l);
    lift_end(&l->lift); /* straight programs need no state of masks */
    if (l->b.p->policy && l->flow->jumps)
        l->b.p->policy = &tgsi_jump_policy;
}

static const struct lift_set set = {.name = "tgsi",
                                    .title = "TGSI",
                                    .stages = ISA_ALL_STAGES,
                                    .lanes = TGSI_LIFT_LANES,
                                    .insn = insn_at,
                                    .program = lift_program,
                                    .policy = &tgsi_policy,
                                    .x86_nans = true};

weft_status tgsi_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                      struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct tgsi_lifter *l = ARENA_NEW(arena, struct tgsi_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct tgsi_lifter){
        .lift = {.set = &set, .m = m, .src = src, .diags = diags, .arena = arena, .ninsns = m->ninsns}};
    weft_status status = lift_run(&l->lift, tgsi_processor_stages[m->processor], out);
    if (status == WEFT_ERROR_MEMORY)
        diag_at(diags, WEFT_ERROR, "memory", src, (struct span){0, 0}, NULL, "no memory for the program");
    return status;
}
