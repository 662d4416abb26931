/* lift.c - from a module to a lane program: the driver, refusals, and basic blocks. */
#include "isa/lift.h"

#include "ir/pass.h"

#include <weft/isa.h>

#include <stdarg.h>
#include <string.h>

/* ---- messages ---- */

static void report(struct lift *l, weft_severity severity, const char *code, const char *fmt, va_list ap)
{
    struct lift_insn insn = l->ninsns ? l->set->insn(l, l->at) : (struct lift_insn){0};
    char *text = arena_vprintf(l->arena, fmt, ap);
    if (!text)
        text = "out of memory";
    if (l->src && insn.where && insn.where->length)
        diag_at(l->diags, severity, code, l->src, *insn.where, NULL, "%s", text);
    else if (l->src && insn.line && !insn.source)
        diag_at(l->diags, severity, code, l->src, source_line_span(l->src, insn.line), NULL, "%s", text);
    else if (l->set->noun)
        diag_at_address(l->diags, severity, code, l->name, insn.address, NULL, "%s %u: %s", l->set->noun, l->at, text);
    else
        diag_at_address(l->diags, severity, code, l->name, insn.address, NULL, "%s", text);
}

void lift_refuse(struct lift *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->failed = true;
    report(l, WEFT_ERROR, "not-executed", fmt, ap);
    va_end(ap);
}

static void report_at(struct lift *l, weft_severity severity, struct span where, const char *code, const char *fmt,
                      va_list ap)
{
    char *text = arena_vprintf(l->arena, fmt, ap);
    diag_at(l->diags, severity, code, l->src, where, NULL, "%s", text ? text : "out of memory");
}

void lift_refuse_at(struct lift *l, struct span where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->failed = true;
    l->wrong = false;
    report_at(l, WEFT_ERROR, where, "not-executed", fmt, ap);
    va_end(ap);
}

void lift_error_at(struct lift *l, struct span where, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->wrong |= !l->failed;
    l->failed = true;
    report_at(l, WEFT_ERROR, where, code, fmt, ap);
    va_end(ap);
}

void lift_warn_at(struct lift *l, struct span where, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report_at(l, WEFT_WARNING, where, code, fmt, ap);
    va_end(ap);
}

void lift_warn(struct lift *l, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(l, WEFT_WARNING, code, fmt, ap);
    va_end(ap);
}

/* ---- the driver ---- */

static const char *stage_hint(const struct lift *l)
{
    const char *names = isa_stage_names(l->set->stages, l->arena);
    return names ? arena_printf(l->arena, "give the stage (-s, weft_program_options.stage): %s", names) : NULL;
}

/* Where a line begins is counted on from the instruction before. */
static uint32_t line_at(const struct lift *l, const struct span *where, uint32_t *offset, uint32_t line)
{
    if (!l->src || !where)
        return 0;
    if (line == 0 || where->offset < *offset) {
        *offset = 0;
        line = 1;
    }
    for (; *offset < where->offset; ++*offset)
        line += l->src->text[*offset] == '\n';
    return line;
}

/* Their names, which live as long as the program. NULL: none, or no memory, and lines are without names. */
static const char *const *copy_sources(const struct lift *l)
{
    const char **list = l->nsources ? ARENA_ARRAY(l->b.p->arena, const char *, l->nsources) : NULL;
    for (uint16_t i = 1; list && i < l->nsources; i++)
        list[i] = arena_strndup(l->b.p->arena, l->sources[i], strlen(l->sources[i]));
    return list;
}

static bool make_insns(struct lift *l)
{
    struct ir_program *p = l->b.p;
    uint32_t offset = 0, line = 0;
    p->insns = ARENA_ARRAY(p->arena, struct ir_insn, (size_t)l->ninsns + 1);
    l->fault = ARENA_ARRAY(p->arena, const char *, (size_t)l->ninsns + 1);
    l->block = ARENA_ARRAY(l->arena, uint32_t, (size_t)l->ninsns + 1);
    if (!p->insns || !l->fault || !l->block)
        return false;
    p->ninsns = l->ninsns;
    p->insn_fault = l->fault;
    p->sources = copy_sources(l);
    p->nsources = p->sources ? l->nsources : 0;
    for (uint32_t i = 0; i < l->ninsns; i++) {
        struct lift_insn insn = l->set->insn(l, i);
        line = insn.line ? insn.line : line_at(l, insn.where, &offset, line);
        p->insns[i] = (struct ir_insn){insn.address, line, (uint16_t)insn.row, insn.source};
    }
    return true;
}

weft_status lift_run(struct lift *l, int stage, struct ir_program **out)
{
    *out = NULL;
    if (stage < 0) { /* isa_check has looked at the others */
        diag_add(l->diags, WEFT_ERROR, "no-stage", l->src ? l->src->name : l->name, stage_hint(l),
                 "a %s program does not say which stage it is for", l->set->title);
        return WEFT_ERROR_USAGE;
    }
    l->stage = (enum ir_stage)stage;
    weft_status status = l->set->linkage ? l->set->linkage(l) : WEFT_OK;
    if (status != WEFT_OK)
        return status;
    l->b.p = ir_program_new(l->arena, l->set->name, l->stage, l->set->lanes);
    if (!l->b.p || !make_insns(l))
        return WEFT_ERROR_MEMORY;
    l->b.p->fault_text = l->set->fault_text;
    l->b.block = IR_ENTRY;
    l->set->program(l);
    if (arena_failed(l->arena))
        return WEFT_ERROR_MEMORY;
    if (!l->failed && l->set->x86_nans)
        ir_nans_of_x86(l->b.p);
    if (l->failed)
        return l->wrong ? WEFT_ERROR_INPUT : WEFT_ERROR_UNSUPPORTED;
    *out = l->b.p;
    return WEFT_OK;
}

/* ---- address spaces of buffers ---- */

uint32_t lift_find_space(const struct ir_program *p, enum ir_space_kind kind, uint32_t slot)
{
    for (uint32_t i = 0; i < p->nspaces; i++)
        if (p->spaces[i].kind == kind && p->spaces[i].slot == slot)
            return i;
    return LIFT_NONE;
}

uint32_t lift_buffer_space(struct ir_program *p, const char *name, enum ir_space_kind kind, uint32_t slot)
{
    uint32_t space = lift_find_space(p, kind, slot);
    if (space != LIFT_NONE)
        return space;
    return ir_add_space(p, (struct ir_space){.name = arena_printf(p->arena, "%s%u", name, slot),
                                             .kind = (uint8_t)kind,
                                             .slot = (uint16_t)slot});
}

/* ---- blocks ---- */

void lift_lead(struct lift *l, uint32_t i)
{
    if (i < l->ninsns && !l->block[i])
        l->block[i] = LIFT_NONE;
}

void lift_make_blocks(struct lift *l)
{
    for (uint32_t i = 0; i < l->ninsns && !arena_failed(l->arena); i++)
        if (l->block[i]) {
            l->block[i] = ir_new_block(l->b.p);
            l->b.p->blocks[l->block[i]].addr = l->b.p->insns[i].addr;
            l->b.p->blocks[l->block[i]].insn = i;
        }
    l->epilogue = ir_new_block(l->b.p);
}

uint32_t lift_new_block(struct lift *l)
{
    uint32_t block = ir_new_block(l->b.p);
    if (block < l->b.p->nblocks)
        l->b.p->blocks[block].addr = UINT64_MAX;
    return block;
}

uint32_t lift_block_at(const struct lift *l, uint32_t i)
{
    return i < l->ninsns && l->block[i] ? l->block[i] : l->epilogue;
}

void lift_begin(struct lift *l)
{
    l->b.block = l->block[l->at];
}

void lift_begin_epilogue(struct lift *l)
{
    l->b.block = l->epilogue;
    l->b.insn = l->ninsns ? l->ninsns - 1 : 0;
    l->b.p->blocks[l->epilogue].insn = l->b.insn;
    l->b.p->blocks[l->epilogue].addr = UINT64_MAX; /* no guest address */
}

bool lift_is_open(const struct lift *l)
{
    const struct ir_block *b = &l->b.p->blocks[l->b.block];
    return !b->count || !(ir_op_info[b->ops[b->count - 1].code].flags & IR_OP_TERM);
}

void lift_end(struct lift *l)
{
    ir_end(&l->b);
    if (l->b.p->ncontrols)
        l->b.p->policy = l->set->policy;
}

void lift_stop(struct lift *l, const char *text, uint64_t code)
{
    l->fault[l->at] = text;
    ir_emit(&l->b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, code, 0);
}

/* ---- calls ---- */

ir_value lift_call(struct ir_builder *b, const char *name, lift_lanes_fn *fn, enum ir_type type, uint64_t imm,
                   const ir_value *args, unsigned nargs)
{
    return lift_call_helper(b, (struct ir_helper){.name = name, .fn = fn}, type, imm, args, nargs);
}

ir_value lift_call_helper(struct ir_builder *b, struct ir_helper helper, enum ir_type type, uint64_t imm,
                          const ir_value *args, unsigned nargs)
{
    struct ir_program *p = b->p;
    uint32_t number = 0;
    while (number < p->nhelpers && p->helpers[number].fn != helper.fn)
        number++;
    if (number == p->nhelpers)
        number = ir_add_helper(p, helper);
    return ir_emit(b, IR_HELPER, type, 0, 1, args, nargs, number, imm, 0);
}

/* ---- values ---- */

ir_value lift_group_number(struct ir_builder *b)
{
    ir_value v = ir_sysval(b, IR_SYS_BLOCK_ID, IR_I32, 2);
    for (unsigned c = 2; c-- > 0;) {
        v = ir_op2(b, IR_MUL, 0, v, ir_sysval(b, IR_SYS_GRID_SIZE, IR_I32, c));
        v = ir_op2(b, IR_ADD, 0, v, ir_sysval(b, IR_SYS_BLOCK_ID, IR_I32, c));
    }
    return v;
}
