/* lift.c - a whole Valhall program becomes lane IR. */
#include "isa/valhall/lift.h"

#include <stdarg.h>
#include <string.h>

static void report(struct valhall_lifter *l, weft_severity severity, const char *code, const char *fmt, va_list ap)
{
    char *text = arena_vprintf(l->arena, fmt, ap);
    if (!text)
        text = "out of memory";
    if (l->src && l->m->where && l->insn)
        diag_at(l->diags, severity, code, l->src, l->m->where[l->insn->number], NULL, "%s", text);
    else
        diag_at_address(l->diags, severity, code, l->m->name,
                        l->m->base + 8 * (uint64_t)(l->insn ? l->insn->number : 0), NULL, "%s", text);
}

void valhall_refuse(struct valhall_lifter *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->failed = true;
    report(l, WEFT_ERROR, "not-executed", fmt, ap);
    va_end(ap);
}

void valhall_warn(struct valhall_lifter *l, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(l, WEFT_WARNING, code, fmt, ap);
    va_end(ap);
}

static bool make_insns(struct valhall_lifter *l)
{
    struct ir_program *p = l->b.p;
    p->insns = ARENA_ARRAY(p->arena, struct ir_insn, l->m->nwords + 1);
    p->insn_fault = l->insn_fault = ARENA_ARRAY(p->arena, const char *, l->m->nwords + 1);
    if (!p->insns || !p->insn_fault)
        return false;
    p->ninsns = l->m->nwords;
    uint32_t line = 1;
    const char *at = l->src ? l->src->text : NULL;
    for (uint32_t i = 0; i < l->m->nwords; i++) {
        const struct valhall_row *row = valhall_row_of(l->m->words[i]);
        if (at && l->m->where)
            for (const char *to = l->src->text + l->m->where[i].offset; at < to; at++)
                line += *at == '\n';
        p->insns[i] = (struct ir_insn){l->m->base + (uint64_t)i * 8, at && l->m->where ? line : 0,
                                       row ? (uint32_t)(row - valhall_rows()) : 0};
    }
    return true;
}

static void forget(uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slots[i] = VALHALL_ABSENT;
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
    l->space_bus = l->space_local = l->space_workgroup = l->space_output = l->space_samples = l->space_push =
        VALHALL_ABSENT;
    l->depth = l->stencil = l->samplemask = VALHALL_ABSENT;
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

static void lift_program(struct valhall_lifter *l)
{
    if (!make_insns(l))
        return;
    declare(l);
    if (arena_failed(l->arena) || !valhall_flow_prepare(l))
        return;
    l->b.block = IR_ENTRY;
    valhall_flow_run(l);
}

/* What a run may find wrong (enum valhall_fault). */
static const char *fault_text(uint64_t fault)
{
    static const char *const texts[] = {
        [VALHALL_FAULT_POISON] = "a register is read before the message that writes it was waited for",
        [VALHALL_FAULT_DATA] = "control came to a word that is not an instruction",
        [VALHALL_FAULT_TARGET] = "a branch to an address where no instruction is",
        [VALHALL_FAULT_MODE] = "bits 25 to 31 of the mode descriptor are neither all 0 nor all 1"};
    return fault < sizeof texts / sizeof *texts ? texts[fault] : NULL;
}

static bool runs(enum ir_stage stage)
{
    return stage == IR_VERTEX || stage == IR_FRAGMENT || stage == IR_COMPUTE;
}

weft_status valhall_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                         struct ir_program **out, weft_diags *diags)
{
    *out = NULL;
    struct valhall_lifter *l = ARENA_NEW(arena, struct valhall_lifter);
    if (!l)
        return WEFT_ERROR_MEMORY;
    *l = (struct valhall_lifter){.m = m, .src = src, .diags = diags, .arena = arena};
    if (m->stage < 0 || !runs((enum ir_stage)m->stage)) {
        diag_add(diags, WEFT_ERROR, "no-stage", src ? src->name : NULL, "give -s vertex, fragment or compute",
                 "a Valhall program does not say which stage it is for");
        return WEFT_ERROR_USAGE;
    }
    l->stage = (enum ir_stage)m->stage;
    weft_status status = valhall_read_linkage(m->linkage, arena, &l->link, diags);
    if (status != WEFT_OK)
        return status;
    l->b.p = ir_program_new(arena, "valhall", l->stage, VALHALL_LANES);
    if (l->b.p) {
        l->b.p->fault_text = fault_text;
        lift_program(l);
    }
    if (!l->b.p || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    if (l->failed)
        return WEFT_ERROR_UNSUPPORTED;
    *out = l->b.p;
    return WEFT_OK;
}
