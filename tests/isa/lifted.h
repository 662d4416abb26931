/* lifted.h - a number of what lifts make of programs: the text of the lane IR before passes, what that text does not
 * say of how the device meets a program, and messages; and another of what checkers say. They are the same on each
 * machine, and do not depend on where in its table an instruction is. */
#ifndef WEFT_TESTS_ISA_LIFTED_H
#define WEFT_TESTS_ISA_LIFTED_H

#include "test.h"

#include "isa/isa.h"

#include <inttypes.h>
#include <stdbool.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Each program has an arena: what one gives back the next takes. */
static inline void lifted_keeps_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
    mallopt(M_MMAP_THRESHOLD, 1 << 24);
#endif
}

struct lifted {
    unsigned programs, made;
    uint64_t digest;
    bool shown; /* it is printed what the number is made of */
};

static inline void lifted_number(struct lifted *to, uint64_t n)
{
    to->digest = (to->digest ^ n) * 0x9e3779b97f4a7c15u;
    to->digest ^= to->digest >> 29;
}

static inline void lifted_text(struct lifted *to, const char *text)
{
    size_t size = strlen(text), at = 0;
    if (to->shown)
        print_message("%s", text);
    for (; at + 8 <= size; at += 8) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word |= (uint64_t)(unsigned char)text[at + i] << 8 * i;
        lifted_number(to, word);
    }
    for (; at < size; at++)
        lifted_number(to, (unsigned char)text[at]);
    lifted_number(to, size);
}

__attribute__((format(printf, 2, 3))) static inline void lifted_line(struct lifted *to, const char *fmt, ...)
{
    char line[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    lifted_text(to, line);
}

/* What the text form leaves out. */
static inline void lifted_rest(struct lifted *to, const struct ir_program *p)
{
    for (uint32_t i = 0; i < p->io.ninputs; i++)
        if (p->io.inputs[i].cylindrical)
            lifted_line(to, "input %u cylindrical 0x%x\n", i, p->io.inputs[i].cylindrical);
    for (uint32_t i = 0; i < p->nwindows; i++) {
        const struct ir_window *w = &p->windows[i];
        lifted_line(to, "window 0x%" PRIx64 " size 0x%" PRIx64 " kind %u slot %u%s bytes %" PRIu64 "\n", w->first,
                    w->size, w->kind, w->slot, w->read_only ? " read_only" : "", w->nbytes);
        for (uint64_t k = 0; k < w->nbytes; k++)
            lifted_number(to, w->bytes[k]);
    }
    for (uint32_t i = 0; i < p->nvariables; i++) {
        const struct ir_variable *v = &p->variables[i];
        lifted_line(to, "variable %s %u..%u of %u%s\n", v->name, v->first, v->first + v->count - 1, v->file,
                    v->vector ? " vector" : "");
    }
    for (uint32_t i = 0; i < p->nfiles; i++)
        if (p->files[i].vectors)
            lifted_line(to, "file %u vectors\n", i);
    for (uint32_t i = 0; i < p->nhelpers; i++)
        if (p->helpers[i].form || p->helpers[i].numbers)
            lifted_line(to, "helper %u form %u numbers %d\n", i, p->helpers[i].form, p->helpers[i].numbers);
    for (uint32_t i = 0; p->insn_fault && i < p->ninsns; i++)
        if (p->insn_fault[i])
            lifted_line(to, "instruction %u stops: %s\n", i, p->insn_fault[i]);
    if (p->integer_targets || p->policy)
        lifted_line(to, "%s%s\n", p->integer_targets ? "integer targets" : "", p->policy ? " a policy" : "");
}

/* What a fault of the program is said to be. */
static inline void lifted_faults(struct lifted *to, const struct ir_program *p)
{
    for (uint32_t n = 0; p->fault_text && n < p->nblocks; n++)
        for (uint32_t i = 0; i < p->blocks[n].count; i++) {
            const struct ir_op *op = &p->blocks[n].ops[i];
            const char *text = op->code == IR_CHECK || op->code == IR_TRAP ? p->fault_text(op->imm) : NULL;
            if (text)
                lifted_line(to, "block %u op %u: %s\n", n, i, text);
        }
}

static inline void lifted_program(struct lifted *to, struct ir_program *p, struct arena *a)
{
    for (uint32_t i = 0; i < p->ninsns; i++)
        p->insns[i].row = 0;
    const char *text = ir_print(p, a, NULL);
    assert_non_null(text);
    lifted_text(to, text);
    lifted_rest(to, p);
    lifted_faults(to, p);
    to->made++;
}

static inline void lifted_messages(struct lifted *to, const weft_diags *d)
{
    for (size_t i = 0; i < weft_diags_count(d); i++) {
        const weft_diag *m = weft_diags_get(d, i);
        lifted_line(to, "%u:%u+%u: %d %s: %s\n", m->line, m->column, m->length, (int)m->severity, m->code,
                    m->message);
        if (m->has_address || m->hint)
            lifted_line(to, "%" PRIu64 ": %s\n", m->has_address ? m->address : 0, m->hint ? m->hint : "");
    }
}

/* What a checker says of a module that is not to be run, warnings and all, or of one that is (`quick`). Whether it
 * takes it for a run, where less is wrong. */
static inline bool lifted_check(struct lifted *to, const struct isa *isa, const struct isa_module *m,
                                const struct source *src, const struct isa_params *params, bool quick)
{
    struct isa_params all = *params;
    weft_diags *d = weft_diags_new();
    all.running = quick;
    bool taken = isa_check(isa, m, "t", src, &all, d) == WEFT_OK;
    to->programs++;
    to->made += taken;
    lifted_messages(to, d);
    weft_diags_free(d);
    return taken || (!quick && isa_check(isa, m, "t", src, params, NULL) == WEFT_OK);
}

/* A module that passed the checker is lifted. src is NULL where it was bytes. */
static inline void lifted_checked(struct lifted *to, const struct isa *isa, const struct isa_module *m,
                                  const struct source *src, struct arena *a, weft_diags *d)
{
    struct ir_program *p = NULL;
    if (isa_lift(isa, m, "t", src, a, &p, d) == WEFT_OK)
        lifted_program(to, p, a);
}

static inline void lifted_source(struct lifted *to, struct lifted *checked, const struct isa *isa, const char *text,
                                 const struct isa_params *params)
{
    struct source src = {"t", text, strlen(text)};
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    to->programs++;
    if (isa->parse(&src, params, &a, &m, d) == WEFT_OK && lifted_check(checked, isa, m, &src, params, false))
        lifted_checked(to, isa, m, &src, &a, d);
    lifted_messages(to, d);
    weft_diags_free(d);
    arena_free(&a);
}

/* ---- lists ---- */

struct lifted_list {
    struct arena arena;
    char *text;
    size_t size, cap;
};

static inline void lifted_put(struct lifted_list *l, const char *line)
{
    size_t length = strlen(line);
    l->text = arena_grow(&l->arena, l->text, 1, l->size, &l->cap, l->size + length + 1);
    assert_non_null(l->text);
    memcpy(l->text + l->size, line, length + 1);
    l->size += length;
}

/* A line of it; `made`: what those are called that were made. */
static inline void lifted_tell(struct lifted_list *to, const char *name, const struct lifted *l, const char *made)
{
    char line[400];
    snprintf(line, sizeof line, "%s: %u programs, %u %s, %016" PRIx64 "\n", name, l->programs, l->made, made,
             l->digest);
    lifted_put(to, line);
}

#endif
