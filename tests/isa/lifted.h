/* lifted.h - a number of what lifts make of programs: the text of the lane IR before passes, what that text does not
 * say of how the device meets a program, and all messages. It is the same on each machine, and does not depend on where
 * in its table an instruction is. */
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
        lifted_line(to, "%u:%u: %d %s: %s\n", m->line, m->column, (int)m->severity, m->code, m->message);
    }
}

/* A module that passed the checker is lifted. src is NULL where it was bytes. */
static inline void lifted_checked(struct lifted *to, const struct isa *isa, const struct isa_module *m,
                                  const struct source *src, struct arena *a, weft_diags *d)
{
    struct ir_program *p = NULL;
    if (isa_lift(isa, m, "t", src, a, &p, d) == WEFT_OK)
        lifted_program(to, p, a);
}

static inline void lifted_source(struct lifted *to, const struct isa *isa, const char *text,
                                 const struct isa_params *params)
{
    struct source src = {"t", text, strlen(text)};
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    to->programs++;
    if (isa->parse(&src, params, &a, &m, d) == WEFT_OK && isa_check(isa, m, "t", &src, params, d) == WEFT_OK)
        lifted_checked(to, isa, m, &src, &a, d);
    lifted_messages(to, d);
    weft_diags_free(d);
    arena_free(&a);
}

/* A line of a list, of room for 400 bytes. */
static inline void lifted_tell(char *line, const char *name, const struct lifted *l)
{
    snprintf(line, 400, "%s: %u programs, %u lifted, %016" PRIx64 "\n", name, l->programs, l->made, l->digest);
}

#endif
