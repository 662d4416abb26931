/* layout.c - addresses: sections one behind the other, and every instruction as short as the distances allow.
 *
 * All instructions that wait for addresses start as short as possible and only grow, so that this ends; .org, .align
 * and .space may still swing, and are held to a number of passes. */
#include "isa/vpu/asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 100, MOST_PASSES = 200 };

/* ---- errors ---- */

static bool error_at(struct vpu_asm *a, const struct asm_fixup *f, const char *code, const char *hint,
                     const char *message, const char *word)
{
    if (a->errors++ < SCAN_MAX_ERRORS)
        diag_at(a->diags, WEFT_ERROR, code, f->src, f->where, hint, message, word);
    return false;
}

/* Name what an expression lacks. */
static const struct asm_symbol *undefined_in(const struct asm_expr *e)
{
    if (e->op == 's')
        return e->symbol->defined ? NULL : e->symbol;
    if (!e->left)
        return NULL;
    const struct asm_symbol *s = undefined_in(e->left);
    return s ? s : undefined_in(e->right);
}

static bool not_computable(struct vpu_asm *a, const struct asm_fixup *f)
{
    const struct asm_symbol *s = undefined_in(f->expr);
    if (s)
        return error_at(a, f, "undefined", NULL, "symbol '%s' is not defined", s->name);
    return error_at(a, f, "expression", NULL, "this %s: it divides by zero or depends on itself", "cannot be computed");
}

/* ---- one pass ---- */

static struct vpu_insn *insn_of(struct vpu_asm *a, const struct asm_fixup *f)
{
    return &a->section[f->section].insn[f->index];
}

static void set_operand(struct vpu_insn *insn, const struct asm_fixup *f, int64_t value)
{
    if (f->role == ASM_TARGET)
        insn->target = (uint32_t)value;
    else if (f->role == ASM_NEAR)
        insn->imm = (int32_t)((uint32_t)value - insn->address);
    else
        insn->imm = (int32_t)value;
}

static struct vpu_wish wish_of(const struct vpu_asm *a, const struct asm_fixup *f, const struct vpu_insn *insn)
{
    struct vpu_wish wish = f->wish;
    bool pinned =
        a->params && a->params->no_relax && f->role == ASM_TARGET && insn->op == VPU_B && !asm_is_number(f->expr);
    if (pinned && !wish.size)
        wish.size = 4;
    return wish;
}

/* The size of the shortest form that holds the operands with the addresses of this pass, at least `least`; 0: none
 * does. */
static uint32_t size_of_insn(struct vpu_asm *a, const struct asm_fixup *f, struct vpu_insn *insn, int64_t value,
                             uint32_t least)
{
    struct vpu_choice choice;
    struct vpu_wish wish = wish_of(a, f, insn);
    set_operand(insn, f, value);
    if (!vpu_choose(insn, &wish, &choice))
        return 0;
    uint32_t size = vpu_tables()->form[choice.form].size;
    for (wish.size = least; size < least && wish.size <= 6; wish.size += 2)
        if (vpu_choose(insn, &wish, &choice))
            return wish.size;
    return size;
}

/* The operand and operation of the form that was found. */
static bool settle(struct vpu_asm *a, const struct asm_fixup *f, struct vpu_insn *insn)
{
    struct vpu_choice choice;
    struct vpu_wish wish = wish_of(a, f, insn);
    int64_t value;
    if (!asm_evaluate(a, f->expr, &value))
        return not_computable(a, f);
    wish.size = insn->size;
    set_operand(insn, f, value);
    if (!vpu_choose(insn, &wish, &choice)) {
        char why[260], reason[200];
        bool known = vpu_why_not(insn, reason, sizeof reason);
        snprintf(why, sizeof why, "%s' holds these operands%s%s", asm_spelling(insn), known ? ": " : "",
                 known ? reason : "");
        return error_at(a, f, "no-encoding", known ? NULL : "the distance or the number may be too large",
                        "no encoding of '%s", why);
    }
    insn->form = choice.form;
    insn->op = choice.op;
    insn->imm = choice.imm;
    return true;
}

/* ---- places ---- */

static bool is_stretch(const struct asm_fixup *f)
{
    return f->role >= ASM_ALIGN;
}

static bool is_insn(const struct asm_fixup *f)
{
    return f->role <= ASM_NEAR;
}

/* The size of a stretch that begins at *at, with what was known in the last pass. .org in front of everything else
 * moves the section, and *at. What cannot be is left to check_stretch. */
static uint32_t size_of_stretch(struct vpu_asm *a, const struct asm_fixup *f, struct asm_section *s, uint64_t *at)
{
    int64_t value;
    if (!asm_evaluate(a, f->expr, &value) || value < 0 || value > UINT32_MAX)
        return 0;
    switch (f->role) {
    case ASM_ALIGN:
        return (uint32_t)(0 - *at) & ((uint32_t)value - 1);
    case ASM_ORG:
        if (*at == s->out.address)
            *at = s->out.address = (uint32_t)value;
        return (uint64_t)value >= *at ? (uint32_t)((uint64_t)value - *at) : 0;
    default:
        return value <= ASM_MAX_BYTES ? (uint32_t)value : 0;
    }
}

/* Whether an instruction reaches an address that is a number depends on nothing behind it: its size is found at once.
 */
static void size_by_number(struct vpu_asm *a, const struct asm_fixup *f, struct vpu_insn *insn, uint32_t address)
{
    insn->address = address;
    uint32_t size = size_of_insn(a, f, insn, f->expr->value, 0);
    if (size)
        insn->size = size;
}

/* Addresses of a section's instructions with the sizes so far. *next is the first fixup of the section, and afterwards
 * that of the next one. True when something moved. */
static bool place_section(struct vpu_asm *a, uint32_t number, uint64_t *address, size_t *next)
{
    struct asm_section *s = &a->section[number];
    uint32_t was = s->out.address, size_was = s->out.size;
    uint64_t at = (*address + s->out.align - 1) & ~((uint64_t)s->out.align - 1);
    bool moved = false;
    s->out.address = (uint32_t)at;
    for (uint32_t i = 0; i < s->count; i++) {
        struct vpu_insn *insn = &s->insn[i];
        uint32_t size = insn->size;
        for (; *next < a->nfixups && a->fixup[*next].section == number && a->fixup[*next].index == i; ++*next) {
            const struct asm_fixup *f = &a->fixup[*next];
            if (is_stretch(f))
                insn->size = size_of_stretch(a, f, s, &at);
            else if (is_insn(f) && asm_is_number(f->expr))
                size_by_number(a, f, insn, (uint32_t)at);
        }
        moved |= insn->size != size;
        insn->address = (uint32_t)at;
        at += insn->size;
    }
    s->out.size = (uint32_t)(at - s->out.address);
    if (s->count)
        *address = at;
    return moved || was != s->out.address || size_was != s->out.size;
}

static bool place_all(struct vpu_asm *a)
{
    size_t next = 0;
    uint64_t address = a->params ? a->params->base : 0;
    bool moved = false;
    for (uint32_t s = 0; s < a->nsections; s++)
        moved |= place_section(a, s, &address, &next);
    a->pass++;
    return moved;
}

/* ---- passes ---- */

/* Let the instructions grow that do not reach; in haste all that may: one may push the next out of reach, pass for
 * pass. */
static bool grow(struct vpu_asm *a, bool in_haste, bool *grown)
{
    bool fine = true;
    for (size_t i = 0; i < a->nfixups; i++) {
        const struct asm_fixup *f = &a->fixup[i];
        struct vpu_insn *insn = insn_of(a, f);
        uint32_t was = insn->size;
        int64_t value;
        if (!is_insn(f) || asm_is_number(f->expr))
            continue;
        if (!asm_evaluate(a, f->expr, &value)) {
            fine = not_computable(a, f);
            continue;
        }
        bool open = f->wish.size == 0 && !f->wish.name;
        uint32_t size = size_of_insn(a, f, insn, value, in_haste && open && was < 4 ? 4 : was);
        insn->size = size ? size : was;
        *grown |= insn->size != was;
    }
    return fine;
}

static bool too_large(const struct vpu_asm *a)
{
    uint64_t total = 0;
    for (uint32_t s = 0; s < a->nsections; s++)
        total += a->section[s].out.size;
    return total > ASM_MAX_BYTES;
}

static bool find_sizes(struct vpu_asm *a)
{
    struct asm_fixup whole = {.src = NULL};
    for (unsigned pass = 0; pass < MOST_PASSES; pass++) {
        bool changed = place_all(a);
        if (too_large(a))
            return error_at(a, &whole, "too-large", NULL, "a program of more than %s", "256 MiB");
        if (!grow(a, pass >= PATIENCE, &changed))
            return false;
        if (!changed)
            return true;
    }
    return error_at(a, &whole, "layout", ".org, .align or .space may depend on what stands behind them",
                    "the sizes of instructions do not %s", "settle");
}

/* ---- what is known in the end ---- */

static bool check_stretch(struct vpu_asm *a, const struct asm_fixup *f)
{
    const struct vpu_insn *insn = insn_of(a, f);
    int64_t value;
    if (!asm_evaluate(a, f->expr, &value))
        return not_computable(a, f);
    if (f->role == ASM_ORG && value != (int64_t)insn->address + insn->size)
        return error_at(a, f, "range", NULL, "%s goes backwards, or past 32 bits", ".org");
    if (f->role == ASM_SPACE && value != insn->size)
        return error_at(a, f, "range", NULL, "%s takes a number of bytes", ".space");
    return true;
}

static bool put_data(struct vpu_asm *a, const struct asm_fixup *f)
{
    struct vpu_insn *insn = insn_of(a, f);
    uint8_t *bytes = (uint8_t *)insn->bytes + f->offset; /* made by the directive, in the arena */
    int64_t value;
    if (!asm_evaluate(a, f->expr, &value))
        return not_computable(a, f);
    if (f->role == ASM_CASE) {
        int64_t limit = INT64_C(1) << (8 * f->width - 1);
        int64_t base = 0;
        asm_evaluate(a, f->expr->right, &base);
        insn->imm = (int32_t)base;
        value /= 2;
        if (value < -limit || value >= limit)
            return error_at(a, f, "range", NULL, "the target is too far for an entry of this %s", "table");
    } else if (f->width < 8 && (value < -(INT64_C(1) << (8 * f->width - 1)) || value >= INT64_C(1) << 8 * f->width)) {
        return error_at(a, f, "range", NULL, "the value does not fit its %s", "size");
    }
    for (unsigned i = 0; i < f->width; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> 8 * i);
    return true;
}

static bool settle_all(struct vpu_asm *a)
{
    bool fine = true;
    for (size_t i = 0; i < a->nfixups; i++) {
        const struct asm_fixup *f = &a->fixup[i];
        if (is_stretch(f))
            fine &= check_stretch(a, f);
        else if (is_insn(f))
            fine &= settle(a, f, insn_of(a, f));
        else
            fine &= put_data(a, f);
    }
    return fine;
}

/* ---- the module ---- */

static int by_place(const void *x, const void *y)
{
    const struct asm_fixup *f = x, *g = y;
    if (f->section != g->section)
        return f->section < g->section ? -1 : 1;
    if (f->index != g->index)
        return f->index < g->index ? -1 : 1;
    return f->offset < g->offset ? -1 : f->offset > g->offset;
}

static int by_address(const void *x, const void *y)
{
    const struct vpu_section *s = x, *t = y;
    if (s->address != t->address)
        return s->address < t->address ? -1 : 1;
    return s->size < t->size ? -1 : s->size > t->size;
}

static int by_value(const void *x, const void *y)
{
    const struct vpu_symbol *s = x, *t = y;
    if (s->address != t->address)
        return s->address < t->address ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* Sections that hold something, their instructions in one array, in the order of their addresses. */
static bool put_sections(struct vpu_asm *a, struct isa_module *m)
{
    size_t total = 0;
    for (uint32_t s = 0; s < a->nsections; s++)
        total += a->section[s].count;
    m->sections = ARENA_ARRAY(a->arena, struct vpu_section, a->nsections);
    m->insns = ARENA_ARRAY(a->arena, struct vpu_insn, total + 1);
    if (!m->sections || !m->insns)
        return asm_no_memory(a);
    for (uint32_t s = 0; s < a->nsections; s++) {
        struct asm_section *from = &a->section[s];
        if (from->count == 0)
            continue;
        from->out.first = m->ninsns;
        for (size_t i = 0; i < from->count; i++)
            if (from->insn[i].size)
                m->insns[m->ninsns++] = from->insn[i];
        from->out.count = m->ninsns - from->out.first;
        m->sections[m->nsections++] = from->out;
    }
    qsort(m->sections, m->nsections, sizeof *m->sections, by_address);
    return true;
}

static bool check_overlap(struct vpu_asm *a, const struct isa_module *m)
{
    struct asm_fixup whole = {.src = NULL};
    for (uint32_t s = 0; s < m->nsections; s++) {
        uint64_t end = (uint64_t)m->sections[s].address + m->sections[s].size;
        uint64_t limit = s + 1 < m->nsections ? m->sections[s + 1].address : UINT64_C(1) << 32;
        if (end > limit)
            return error_at(a, &whole, "section", NULL, "section '%s' reaches into what stands behind it",
                            m->sections[s].name);
    }
    return true;
}

static uint32_t find_section(const struct isa_module *m, const char *name)
{
    for (uint32_t s = 0; s < m->nsections; s++)
        if (strcmp(m->sections[s].name, name) == 0)
            return s;
    return VPU_ABSOLUTE;
}

/* Labels and values that a program names; what the assembler numbers itself has a colon in its name. */
static bool put_symbols(struct vpu_asm *a, struct isa_module *m)
{
    m->symbols = ARENA_ARRAY(a->arena, struct vpu_symbol, a->nsymbols + 1);
    if (!m->symbols)
        return asm_no_memory(a);
    for (size_t i = 0; i < a->nsymbols; i++) {
        struct asm_symbol *s = a->symbol[i];
        const struct asm_expr e = {.op = 's', .symbol = s};
        int64_t value;
        if (strchr(s->name, ':') || !asm_evaluate(a, &e, &value))
            continue;
        m->symbols[m->nsymbols++] =
            (struct vpu_symbol){.name = s->name,
                                .address = (uint32_t)value,
                                .global = s->global,
                                .function = s->function,
                                .section = s->value ? VPU_ABSOLUTE : find_section(m, a->section[s->section].out.name)};
    }
    qsort(m->symbols, m->nsymbols, sizeof *m->symbols, by_value);
    return true;
}

/* The symbol that the parameters name, else _start, else the first code. */
static bool find_entry(struct vpu_asm *a, struct isa_module *m)
{
    struct asm_fixup whole = {.src = NULL};
    const char *name = a->params ? a->params->entry : NULL;
    if (vpu_symbol_value(m, name ? name : "_start", &m->entry))
        return true;
    if (name)
        return error_at(a, &whole, "undefined", NULL, "there is no symbol '%s' to begin at", name);
    for (uint32_t s = 0; s < m->nsections; s++)
        if (m->sections[s].code) {
            m->entry = m->sections[s].address;
            return true;
        }
    m->entry = m->nsections ? m->sections[0].address : 0;
    return true;
}

bool asm_layout(struct vpu_asm *a, struct isa_module **out)
{
    struct isa_module *m = ARENA_NEW(a->arena, struct isa_module);
    if (!m)
        return asm_no_memory(a);
    if (a->nfixups)
        qsort(a->fixup, a->nfixups, sizeof *a->fixup, by_place);
    if (!find_sizes(a) || !settle_all(a) || !put_sections(a, m) || !check_overlap(a, m) || !put_symbols(a, m) ||
        !find_entry(a, m))
        return false;
    *out = m;
    return true;
}
