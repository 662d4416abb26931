/* assemble.c - the VPU for the common assembler: sizes and operands of instructions that wait for addresses, its own
 * directives, and the module that comes out. */
#include "base/bytes.h"
#include "isa/entry.h"
#include "isa/vpu/parse.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(offsetof(struct vpu_insn, address) == 0 && offsetof(struct vpu_insn, size) == 4,
              "an item begins with its address and its size");

/* ---- what waits for addresses ---- */

static void set_operand(struct vpu_insn *insn, const struct asm_fixup *f, int64_t value)
{
    if (f->operand == VPU_PENDING_TARGET)
        insn->target = (uint32_t)value;
    else if (f->operand == VPU_PENDING_NEAR)
        insn->imm = (int32_t)((uint32_t)value - insn->address);
    else
        insn->imm = (int32_t)value;
}

/* b and its conditions have the GNU port's size where no size is asked for and none may be chosen. */
static struct vpu_wish wish_of(const struct asm_state *a, const struct asm_fixup *f, const struct vpu_insn *insn)
{
    struct vpu_wish wish = *(const struct vpu_wish *)f->own;
    bool pinned = a->params && a->params->no_relax && f->operand == VPU_PENDING_TARGET &&
                  vpu_ops[insn->op].uses & VPU_BRANCHES_ON && !asm_is_number(f->expr);
    if (pinned && !wish.size)
        wish.size = 4;
    return wish;
}

static uint32_t fit(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value, uint32_t least,
                    bool in_haste)
{
    struct vpu_insn *insn = item;
    struct vpu_choice choice;
    struct vpu_wish wish = wish_of(a, f, insn);
    const struct vpu_wish *asked = f->own;
    if (in_haste && asked->size == 0 && !asked->name && least < 4)
        least = 4;
    set_operand(insn, f, value);
    if (!vpu_choose(insn, &wish, &choice))
        return 0;
    uint32_t size = vpu_tables()->form[choice.form].size;
    for (wish.size = least; size < least && wish.size <= 6; wish.size += 2)
        if (vpu_choose(insn, &wish, &choice))
            return wish.size;
    return size;
}

static bool settle_case(struct asm_state *a, const struct asm_fixup *f, struct vpu_insn *insn, int64_t value)
{
    int64_t limit = INT64_C(1) << (8 * f->width - 1), base = 0;
    uint8_t *bytes = (uint8_t *)insn->bytes; /* made by the directive, in the arena */
    asm_evaluate(a, f->expr->right, &base);
    insn->imm = (int32_t)base;
    if (value & 1)
        return asm_error_at(a, f, "out-of-range", NULL,
                            "the target is %lld bytes after the table begins, which is odd: instructions are at even "
                            "distances",
                            (long long)value);
    value /= 2;
    if (value < -limit || value >= limit)
        return asm_error_at(a, f, "out-of-range", f->width == 1 ? "tbh has entries of 16 bits" : NULL,
                            "the target is %lld bytes after the table begins: an entry holds %lld to %lld",
                            (long long)value * 2, (long long)(-limit * 2), (long long)(limit * 2 - 2));
    bytes_put(bytes, (uint64_t)value, f->width);
    return true;
}

/* The operand and operation of the form that was found. */
static bool settle(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value)
{
    struct vpu_insn *insn = item;
    struct vpu_choice choice;
    if (f->operand == VPU_PENDING_CASE)
        return settle_case(a, f, insn, value);
    struct vpu_wish wish = wish_of(a, f, insn);
    const unsigned asked = wish.size;
    wish.size = insn->size;
    set_operand(insn, f, value);
    if (!vpu_choose(insn, &wish, &choice)) {
        wish.size = asked;
        struct vpu_why why;
        bool known = vpu_why_not(insn, &wish, &why);
        return asm_error_at(a, f, "no-encoding", known ? NULL : "the distance or the number may be too large",
                            "no encoding of '%s' holds these operands%s%s", vpu_spelling(insn), known ? ": " : "",
                            known ? why.text : "");
    }
    insn->form = choice.form;
    insn->op = choice.op;
    insn->imm = choice.imm;
    return true;
}

/* ---- items and sections ---- */

static void make_data(void *item, const uint8_t *bytes, uint32_t size, struct span where)
{
    struct vpu_insn *insn = item;
    *insn = vpu_data(0, bytes, size);
    insn->where = where;
}

static void make_fill(void *item, uint8_t byte, struct span where)
{
    struct vpu_insn *insn = item;
    *insn = vpu_fill(0, byte, 0);
    insn->where = where;
}

static uint8_t *data(void *item)
{
    return (uint8_t *)((struct vpu_insn *)item)->bytes;
}

static void open_section(struct asm_section *s)
{
    s->code = strncmp(s->name, ".text", 5) == 0 || strncmp(s->name, ".init", 5) == 0;
    s->nobits = strncmp(s->name, ".bss", 4) == 0;
    s->writable = s->nobits || strncmp(s->name, ".data", 5) == 0;
    s->align = s->code ? 2 : 1;
}

static bool is_register(const char *word, size_t length)
{
    return vpu_find_register(word, length) >= 0;
}

/* ---- switch tables ---- */

bool vpu_begin_table(struct asm_state *a, unsigned width)
{
    struct vpu_assembly *own = a->own;
    char *name = arena_printf(a->arena, "switch:%zu", a->nsymbols);
    own->table = name ? asm_symbol(a, name, strlen(name)) : NULL;
    own->case_width = width;
    return own->table ? asm_define_label(a, own->table, name) : name ? false : asm_no_memory(a);
}

/* .case label: the distance in halfwords from the instruction after the switch. */
static bool read_case(struct asm_state *a, const struct asm_call *call)
{
    const struct vpu_assembly *own = a->own;
    const struct asm_expr *to = asm_expression(a);
    uint8_t *bytes = arena_alloc(a->arena, 2);
    if (!to)
        return false;
    if (!own->table)
        return asm_error(a, call->from, "syntax", NULL, ".case belongs after tbb, tbh or switch");
    struct asm_fixup fixup = {.expr = asm_difference(a, to, own->table),
                              .role = ASM_OWN,
                              .operand = VPU_PENDING_CASE,
                              .width = (uint8_t)own->case_width,
                              .where = scan_span(&a->scan, call->from)};
    if (!bytes || !fixup.expr)
        return asm_no_memory(a);
    if (!asm_add_fixup(a, &fixup) || !asm_append_bytes(a, call->from, bytes, own->case_width))
        return false;
    const struct asm_section *s = &a->section[a->current];
    ((struct vpu_insn *)asm_item(a, s, s->count - 1))->flags = VPU_CASE;
    return true;
}

static bool end_switch(struct asm_state *a, const struct asm_call *call)
{
    ((struct vpu_assembly *)a->own)->table = NULL;
    return asm_append_stretch(a, call->from, asm_number(a, 2), ASM_ALIGN, 0);
}

static const struct asm_directive directives[] = {
    {".word", asm_read_numbers, 2},
    {".case", read_case, 0},
    {".endswitch", end_switch, 0},
    {NULL, NULL, 0},
};

/* @ separates statements, and # starts a comment at the beginning of a line only. */
const struct asm_isa vpu_assembler = {
    .item = sizeof(struct vpu_insn),
    .separator = '@',
    .comments = SCAN_SEMICOLON | SCAN_HASH_FIRST | SCAN_SLASHES | SCAN_C,
    .directives = directives,
    .is_register = is_register,
    .no_symbol = vpu_no_symbol,
    .open = open_section,
    .instruction = vpu_read_instruction,
    .make_data = make_data,
    .make_fill = make_fill,
    .data = data,
    .fit = fit,
    .settle = settle,
};

/* ---- the module ---- */

static int by_address(const void *x, const void *y)
{
    const struct vpu_section *s = x, *t = y;
    if (s->address != t->address)
        return s->address < t->address ? -1 : 1;
    return s->size < t->size ? -1 : s->size > t->size;
}

/* Sections that hold something, their instructions in one array, in the order of their addresses. */
static bool put_sections(struct asm_state *a, struct isa_module *m)
{
    size_t total = 0;
    for (uint32_t s = 0; s < a->nsections; s++)
        total += a->section[s].count;
    m->sections = ARENA_ARRAY(a->arena, struct vpu_section, a->nsections);
    m->insns = ARENA_ARRAY(a->arena, struct vpu_insn, total + 1);
    if (!m->sections || !m->insns)
        return asm_no_memory(a);
    for (uint32_t s = 0; s < a->nsections; s++) {
        const struct asm_section *from = &a->section[s];
        const struct vpu_insn *insns = asm_item(a, from, 0);
        if (from->count == 0)
            continue;
        struct vpu_section *to = &m->sections[m->nsections++];
        *to = (struct vpu_section){from->name,
                                   from->address,
                                   (uint32_t)from->size,
                                   from->align,
                                   .code = from->code,
                                   .writable = from->writable,
                                   .nobits = from->nobits};
        to->first = m->ninsns;
        for (size_t i = 0; i < from->count; i++)
            if (insns[i].size)
                m->insns[m->ninsns++] = insns[i];
        to->count = m->ninsns - to->first;
    }
    qsort(m->sections, m->nsections, sizeof *m->sections, by_address);
    return true;
}

/* Where the section that begins at `at` has its first item that reaches beyond the limit, for a message. */
static struct asm_fixup place_beyond(const struct asm_state *a, const struct vpu_insn *insn, size_t count, uint64_t at,
                                     uint64_t limit)
{
    const struct vpu_insn *end = insn + count; /* addresses of items may have wrapped */
    while (insn < end && (at += insn->size) <= limit)
        insn++;
    return (struct asm_fixup){.src = a->scan.src, .where = insn < end ? insn->where : (struct span){0, 0}};
}

/* No section begins or reaches beyond 32 bits. */
static bool check_reach(struct asm_state *a)
{
    const uint64_t limit = UINT64_C(1) << 32;
    for (uint32_t n = 0; n < a->nsections; n++) {
        const struct asm_section *s = &a->section[n];
        uint64_t begin = s->address + (s->beyond ? limit : 0);
        if (!s->size || begin + s->size <= limit)
            continue;
        struct asm_fixup place = place_beyond(a, asm_item(a, s, 0), s->count, begin, limit);
        return asm_error_at(a, place.where.length ? &place : NULL, "section",
                            "addresses have 32 bits: a lower .org or base", "section '%s' %s beyond the last address",
                            s->name, s->beyond ? "begins" : "reaches");
    }
    return true;
}

/* No section reaches into another one. */
static bool check_overlap(struct asm_state *a, const struct isa_module *m)
{
    for (uint32_t s = 0; s + 1 < m->nsections; s++) {
        const struct vpu_section *section = &m->sections[s], *next = section + 1;
        if ((uint64_t)section->address + section->size <= next->address)
            continue;
        struct asm_fixup place =
            place_beyond(a, &m->insns[section->first], section->count, section->address, next->address);
        return asm_error_at(a, place.where.length ? &place : NULL, "section", "put the other one further up",
                            "section '%s' reaches into section %s", section->name, next->name);
    }
    return true;
}

/* Bit 0 of the address of an instruction means nothing: no branch gets to an odd one. The first of those that follow
 * each other is named. */
static void warn_of_odd(struct asm_state *a, const struct isa_module *m)
{
    bool before = false;
    for (size_t i = 0; i < m->ninsns; i++) {
        const struct vpu_insn *insn = &m->insns[i];
        bool odd = vpu_is_insn(insn) && insn->address & 1;
        if (odd && !before && insn->where.length)
            diag_at(a->diags, WEFT_WARNING, "unaligned", a->scan.src, insn->where, "write .align 1 before it",
                    "this instruction is at 0x%x: the processor has instructions at even addresses alone",
                    insn->address);
        before = odd;
    }
}

static uint32_t find_section(const struct isa_module *m, const char *name)
{
    for (uint32_t s = 0; s < m->nsections; s++)
        if (strcmp(m->sections[s].name, name) == 0)
            return s;
    return VPU_ABSOLUTE;
}

/* Labels and values that a program names; what the assembler numbers itself has a colon in its name. */
static bool put_symbols(struct asm_state *a, struct isa_module *m)
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
                                .section = s->value ? VPU_ABSOLUTE : find_section(m, a->section[s->section].name)};
    }
    qsort(m->symbols, m->nsymbols, sizeof *m->symbols, vpu_by_address);
    return true;
}

/* Whether an instruction may begin at the address: it is even, and a section has it. */
static bool is_entry(const struct isa_module *m, uint64_t address)
{
    for (uint32_t s = 0; s < m->nsections && address % 2 == 0; s++)
        if (address >= m->sections[s].address && address - m->sections[s].address < m->sections[s].size)
            return true;
    return false;
}

/* The symbol or the address that the parameters name, else _start, else the first code. */
static bool find_entry(struct asm_state *a, struct isa_module *m)
{
    const char *name = a->params ? a->params->entry : NULL;
    uint64_t address;
    if (vpu_symbol_value(m, name ? name : "_start", &m->entry))
        return true;
    if (name && entry_address(name, &address)) {
        m->entry = (uint32_t)address;
        return is_entry(m, address) ||
               asm_error_at(a, NULL, "entry", NULL, "the entry 0x%llx %s", (unsigned long long)address,
                            address % 2 ? "is odd: instructions begin at even addresses" : "is outside the program");
    }
    if (name)
        return asm_error_at(a, NULL, "unknown-label", asm_near_symbol(a, name, strlen(name), 0),
                            "there is no symbol '%s' to begin at", name);
    for (uint32_t s = 0; s < m->nsections; s++)
        if (m->sections[s].code) {
            m->entry = m->sections[s].address;
            return true;
        }
    m->entry = m->nsections ? m->sections[0].address : 0;
    return true;
}

bool vpu_make_module(struct asm_state *a, struct isa_module **out)
{
    struct isa_module *m = ARENA_NEW(a->arena, struct isa_module);
    if (!m)
        return asm_no_memory(a);
    m->name = a->scan.src ? a->scan.src->name : NULL;
    if (!check_reach(a) || !put_sections(a, m) || !check_overlap(a, m) || !put_symbols(a, m) || !find_entry(a, m))
        return false;
    warn_of_odd(a, m);
    *out = m;
    return true;
}
