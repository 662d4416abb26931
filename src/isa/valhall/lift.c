/* lift.c - a whole Valhall program becomes lane IR. */
#include "isa/valhall/lift.h"

static void forget(uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slots[i] = LIFT_NONE;
}

#define FORGET(array) forget((array), sizeof(array) / sizeof *(array))

static void declare(struct valhall_lifter *l)
{
    struct ir_program *p = l->b.p;
    FORGET(l->smooth);
    FORGET(l->flat);
    forget(l->attribute[0], 4 * VALHALL_ATTRIBUTES);
    forget(l->halves[0], 2 * VALHALL_VARYINGS);
    FORGET(l->color);
    FORGET(l->colormask);
    FORGET(l->varying);
    FORGET(l->space_ubo);
    FORGET(l->space_storage);
    l->space_bus = l->space_local = l->space_workgroup = l->space_output = l->space_samples = l->space_push = LIFT_NONE;
    l->depth = l->stencil = l->samplemask = LIFT_NONE;
    l->file_r = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = VALHALL_REGISTERS});
    if (l->m->strict)
        l->file_poison =
            ir_add_file(p, (struct ir_file){.name = "poison", .bits = 1, .count = VALHALL_SLOTS * VALHALL_REGISTERS});
    if (l->stage == IR_VERTEX) {
        l->position = ir_add_output(p, (struct ir_slot){.semantic = IR_SEM_POSITION, .mask = 15});
        for (uint16_t n = 0; n < VALHALL_VARYINGS; n++)
            l->varying[n] = ir_add_output(p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = n, .mask = 15});
    }
    for (unsigned c = 0; c < 3; c++)
        p->io.block[c] = (uint16_t)l->link.block[c];
    p->io.origin_lower_left = l->link.origin_lower_left;
    p->io.uses_derivatives = l->stage == IR_FRAGMENT;
}

static struct valhall_lifter *lifter_of(const struct lift *l)
{
    return (struct valhall_lifter *)l;
}

static struct lift_insn insn_at(const struct lift *l, uint32_t number)
{
    const struct valhall_row *row = valhall_row_of(l->m->words[number]);
    return (struct lift_insn){l->m->where ? &l->m->where[number] : NULL, l->m->base + 8 * (uint64_t)number,
                              row ? (uint32_t)(row - valhall_rows()) : 0};
}

static weft_status read_linkage(struct lift *l)
{
    return valhall_read_linkage(l->m->linkage, l->arena, &lifter_of(l)->link, l->diags);
}

static void lift_program(struct lift *base)
{
    struct valhall_lifter *l = lifter_of(base);
    l->b.p->integer_targets = l->stage == IR_FRAGMENT; /* registers have no types */
    declare(l);
    if (!arena_failed(l->arena) && valhall_flow_prepare(l))
        valhall_flow_run(l);
}

/* What a run may find wrong (enum valhall_run_fault). */
static const char *fault_text(uint64_t fault)
{
    static const char *const texts[] = {
        [VALHALL_FAULT_POISON] = "a register is read before the message that writes it was waited for",
        [VALHALL_FAULT_DATA] = "control came to a word that is not an instruction",
        [VALHALL_FAULT_TARGET] = "a branch to an address where no instruction is",
        [VALHALL_FAULT_MODE] = "bits 25 to 31 of the mode descriptor are neither all 0 nor all 1"};
    return fault < sizeof texts / sizeof *texts ? texts[fault] : NULL;
}

static const struct lift_set set = {.name = "valhall",
                                    .title = "Valhall",
                                    .stages = VALHALL_STAGES,
                                    .lanes = VALHALL_LANES,
                                    .insn = insn_at,
                                    .linkage = read_linkage,
                                    .program = lift_program,
                                    .fault_text = fault_text,
                                    .policy = &valhall_policy,
                                    .x86_nans = true};

weft_status valhall_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                         struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct valhall_lifter *l = ARENA_NEW(arena, struct valhall_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct valhall_lifter){
        .lift = {
            .set = &set, .m = m, .src = src, .name = m->name, .diags = diags, .arena = arena, .ninsns = m->nwords}};
    return lift_run(&l->lift, m->stage, out);
}
