/* lifted.h - a number of what lifts make of programs: the text of the lane IR before passes, what that text does not
 * say of how the device meets a program, and messages; and another of what checkers say. They are the same on each
 * machine, and do not depend on where in its table an instruction is. */
#ifndef WEFT_TESTS_ISA_LIFTED_H
#define WEFT_TESTS_ISA_LIFTED_H

#include "called.h"
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
    to->digest = test_mixed(to->digest, n);
}

static inline uint64_t lifted_bytes(uint64_t digest, const char *bytes, size_t size)
{
    size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word |= (uint64_t)(unsigned char)bytes[at + i] << 8 * i;
        digest = test_mixed(digest, word);
    }
    for (; at < size; at++)
        digest = test_mixed(digest, (unsigned char)bytes[at]);
    return test_mixed(digest, size);
}

static inline void lifted_text(struct lifted *to, const char *text)
{
    if (to->shown)
        fputs(text, stdout);
    to->digest = lifted_bytes(to->digest, text, strlen(text));
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
    uint64_t helpers = 0; /* in any order */
    for (uint32_t i = 0; i < p->nhelpers; i++) {
        const char *name = p->helpers[i].name ? p->helpers[i].name : "";
        uint64_t helper = lifted_bytes(p->helpers[i].form, name, strlen(name));
        helpers += test_mixed(helper, p->helpers[i].numbers);
    }
    lifted_number(to, helpers);
    if (p->nhelpers)
        lifted_number(to, called_by(p));
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

/* ---- lane IR ---- */

/* The order in which C evaluates arguments is the compiler's: what an op of lane IR takes may be made in one order or
 * another, and values have other numbers then. So a value is what makes it, and pure ops have no order; nor have reads
 * between two effects of a block. */
struct lifted_ir {
    uint64_t *value; /* by its number in the text */
    uint32_t nvalues;
    uint64_t ordered, calls, others; /* effects and what is not an op; atomics and services; other ops with results */
};

static inline uint64_t lifted_value(const struct lifted_ir *ir, const char **at)
{
    char *end;
    unsigned long number = strtoul(*at + 1, &end, 10);
    uint64_t value = number < ir->nvalues ? ir->value[number] : 0;
    value = test_mixed(value, (unsigned char)**at); /* whether it is uniform */
    *at = end;
    return value;
}

/* A line from `at` on, with what its values are. */
static inline uint64_t lifted_op(const struct lifted_ir *ir, const char *at, const char *end)
{
    uint64_t digest = 1;
    while (at < end) {
        const char *begin = at;
        while (at < end && *at != '%' && *at != '$')
            at++;
        digest = lifted_bytes(digest, begin, (size_t)(at - begin));
        if (at < end)
            digest = test_mixed(digest, lifted_value(ir, &at));
    }
    return digest;
}

/* "  %5..%8 = op": results of an op. */
static inline void lifted_results(struct lifted_ir *ir, const char *line, const char *end)
{
    char *after;
    unsigned long first = strtoul(line + 3, &after, 10), last = first;
    if (after[0] == '.')
        last = strtoul(after + 3, &after, 10);
    uint64_t op = lifted_op(ir, after, end);
    for (unsigned long n = first; n <= last && n < ir->nvalues; n++)
        ir->value[n] = test_mixed(op, n - first);
    op = test_mixed(op, last - first);
    const char *word = strchr(after + 3, ' '); /* " = i32 get TEMP[0]" */
    if (word && (strncmp(word, " atomic", 7) == 0 || strncmp(word, " service", 8) == 0))
        ir->calls = test_mixed(ir->calls, test_mixed(op, ir->ordered));
    else if (word && (memchr(word, '[', (size_t)(end - word)) || strncmp(word, " texture", 8) == 0))
        ir->others += test_mixed(op, ir->ordered);
    else
        ir->others += op;
}

static inline void lifted_ir(struct lifted *to, const char *text, uint32_t nvalues)
{
    struct lifted_ir ir = {.value = calloc(nvalues + 1, sizeof *ir.value), .nvalues = nvalues};
    assert_non_null(ir.value);
    for (const char *line = text, *end; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        if (line[0] == ' ' && (line[2] == '%' || line[2] == '$'))
            lifted_results(&ir, line, end);
        else if (strncmp(line, "helper ", 7) == 0 || strncmp(line, "space ", 6) == 0) /* in the order of their use */
            ir.others += lifted_bytes(1, line, (size_t)(end - line));
        else
            ir.ordered = test_mixed(ir.ordered, lifted_op(&ir, line, end));
    }
    lifted_number(to, ir.ordered);
    lifted_number(to, ir.calls);
    lifted_number(to, ir.others);
    free(ir.value);
}

static inline void lifted_program(struct lifted *to, struct ir_program *p, struct arena *a)
{
    weft_diags *faults = weft_diags_new();
    if (ir_verify(p, faults) != WEFT_OK)
        fail_msg("%s: the verifier refuses what the lift made: %s", p->isa, weft_diags_get(faults, 0)->message);
    weft_diags_free(faults);
    for (uint32_t i = 0; i < p->ninsns; i++)
        p->insns[i].row = 0;
    const char *text = ir_print(p, a, NULL);
    assert_non_null(text);
    if (to->shown)
        fputs(text, stdout);
    lifted_ir(to, text, p->nvalues);
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

/* What is made of a module. src is NULL where it was bytes. */
static inline void lifted_module(struct lifted *to, const struct isa *isa, const struct isa_module *m,
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
        lifted_module(to, isa, m, &src, &a, d);
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
