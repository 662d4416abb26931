/* failure.c - what stopped a program, as a diagnostic at its line. */
#include "device/failure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void failure_set(struct failure *f, weft_status status, const struct ir_program *ir, uint32_t insn, const char *fault)
{
    if (atomic_exchange(&f->taken, true))
        return;
    f->ir = ir;
    f->insn = insn;
    f->fault = fault;
    atomic_store(&f->status, (int)status);
}

/* What a fault is in the program's own words, where it has some for its CHECKs and TRAPs. */
static const char *fault_of(const struct exec_warp *w, const struct ir_program *ir)
{
    const char *fault = exec_warp_fault(w), *own = NULL;
    if (ir->insn_fault && fault && strcmp(fault, "trap") == 0)
        own = ir->insn_fault[exec_warp_insn(w)];
    if (!own && ir->fault_text && fault && (strcmp(fault, "check") == 0 || strcmp(fault, "trap") == 0))
        own = ir->fault_text(exec_warp_fault_code(w));
    return own ? own : fault;
}

void failure_of_warp(struct failure *f, enum exec_stop stop, const struct exec_warp *w, const struct ir_program *ir)
{
    switch (stop) {
    case EXEC_DONE:
        return;
    case EXEC_OUT_OF_BUDGET:
        failure_set(f, WEFT_ERROR_BUDGET, ir, exec_warp_insn(w), NULL);
        return;
    case EXEC_AT_BARRIER:
        failure_set(f, WEFT_ERROR_INPUT, ir, exec_warp_insn(w),
                    ir->stage == IR_TESS_CTRL ? "a barrier that other invocations of the patch never reach"
                                              : "a barrier outside a compute program");
        return;
    case EXEC_FAULT:
    case EXEC_NO_BLOCK:
    case EXEC_INTERRUPTED:
        break;
    }
    const char *fault = exec_warp_fault(w);
    bool by_hook = fault && strcmp(fault, "check") == 0 && exec_warp_fault_code(w) == FAILURE_BY_HOOK;
    failure_set(f, by_hook ? WEFT_ERROR_STOPPED : WEFT_ERROR_INPUT, ir, exec_warp_insn(w), fault_of(w, ir));
}

double failure_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* As exec_run, and the clock is looked at now and then. */
static enum exec_stop run_until(struct exec_warp *w, lane_mask active, lane_mask live, uint64_t budget, double until)
{
    enum { SLICE = 1 << 16 };
    uint64_t left = budget, slice = budget && budget < SLICE ? budget : SLICE;
    enum exec_stop stop = exec_run(w, active, live, slice);
    while (stop == EXEC_OUT_OF_BUDGET && !failure_late(until)) {
        left -= budget ? slice : 0;
        if (budget && !left)
            break;
        slice = budget && left < SLICE ? left : SLICE;
        stop = exec_continue(w, slice);
    }
    return stop;
}

bool run_warp(struct exec_warp *w, const struct ir_program *ir, lane_mask active, lane_mask live, uint64_t budget,
              struct failure *f)
{
    enum exec_stop stop =
        f->until > 0 ? run_until(w, active, live, budget, f->until) : exec_run(w, active, live, budget);
    /* the vertices of a patch are one warp: when all of them are at a barrier, they go on */
    while (stop == EXEC_AT_BARRIER && ir->stage == IR_TESS_CTRL && exec_active(w) == active)
        stop = exec_resume(w);
    if (stop == EXEC_OUT_OF_BUDGET && failure_late(f->until))
        failure_set(f, WEFT_ERROR_TIME, ir, exec_warp_insn(w), NULL);
    failure_of_warp(f, stop, w, ir);
    return stop == EXEC_DONE;
}

enum { PLACE_ROOM = 160 };

/* Where an instruction is, when its line is not shown: one place, and one numbering. */
static void name_place(const struct ir_program *ir, const struct ir_insn *insn, char *out, size_t size)
{
    const char *of = insn->source < ir->nsources && insn->source ? ir->sources[insn->source] : NULL;
    if (insn->line)
        snprintf(out, size, " in line %u%s%.100s", insn->line, of ? " of " : "", of ? of : "");
    else
        snprintf(out, size, " at 0x%llx", (unsigned long long)insn->addr);
}

void failure_report(const struct failure *f, const struct source *source, uint64_t budget, const char *work,
                    weft_diags *diags)
{
    const struct ir_insn *insn = f->ir && f->insn < f->ir->ninsns ? &f->ir->insns[f->insn] : NULL;
    const struct source *src = insn && insn->line && !insn->source ? source : NULL;
    struct span where = src ? source_line_span(src, insn->line) : (struct span){0, 0};
    char at[PLACE_ROOM] = "";
    if (insn && !src)
        name_place(f->ir, insn, at, sizeof at);
    switch ((weft_status)atomic_load(&f->status)) {
    case WEFT_ERROR_BUDGET:
        diag_at(diags, WEFT_ERROR, "budget", src, where, 
                "a larger budget lets it run on (--budget, or that of the parameters; 0: no limit)",
                "instruction budget of %llu used up%s: does the loop there end?", (unsigned long long)budget, at);
        break;
    case WEFT_ERROR_TIME:
        diag_at(diags, WEFT_ERROR, "time-limit", src, where, 
                "more time lets it run on (--timeout, or the seconds of the parameters)",
                "the time limit is used up%s%s", at, insn ? ": does the loop there end?" : "");
        break;
    case WEFT_ERROR_MEMORY:
        diag_at(diags, WEFT_ERROR, "memory", NULL, where, NULL, "no memory for the %s", work);
        break;
    case WEFT_ERROR_STOPPED:
        diag_at(diags, WEFT_ERROR, "stopped", src, where, NULL, "a hook stopped the program%s", at);
        break;
    default:
        diag_at(diags, WEFT_ERROR, "fault", src, where, NULL, "the program stopped%s: %s", at,
                f->fault ? f->fault : "it could not be bound");
        break;
    }
}

/* ---- accesses outside their range ---- */

void outside_add(struct outside *o, const struct ir_program *ir, const struct source *source,
                 const struct exec_counts *counts, unsigned first_lane)
{
    struct exec_outside one = counts->outside;
    if (!one.any || (o->ir && o->ir->stage < ir->stage))
        return;
    if (!o->ir || o->ir->stage > ir->stage)
        o->first = (struct exec_outside){0};
    o->ir = ir;
    o->source = source;
    one.lane = (uint16_t)(one.lane + first_lane);
    exec_outside_merge(&o->first, &one);
}

/* "constant buffer 2". */
static void describe_space(const struct ir_space *s, const char *buffer, char *out, size_t size)
{
    static const char *const kinds[] = {
        [IR_SPACE_CONST] = "constant buffer", [IR_SPACE_GLOBAL] = "buffer", [IR_SPACE_SHARED] = "shared memory",
        [IR_SPACE_PRIVATE] = "private memory", [IR_SPACE_INPUT] = "the inputs", [IR_SPACE_BUS] = "memory",
    };
    if (buffer)
        snprintf(out, size, "'%.80s'", buffer);
    else if (s->kind <= IR_SPACE_GLOBAL)
        snprintf(out, size, "%s %u", kinds[s->kind], s->slot);
    else
        snprintf(out, size, "%s", kinds[s->kind]);
}

/* "address 0x40 of buffer 2, which has 64 bytes"; "register 12 of TEMP, where 0 to 3 are". */
static void describe_outside(const struct outside *o, const char *buffer, char *out, size_t size)
{
    const struct exec_outside *one = &o->first;
    if (one->is_register) {
        const struct ir_reg *r = &o->ir->regs[one->place];
        snprintf(out, size, "index %lld into %s, which goes from %d to %d", (long long)one->address,
                 o->ir->files[r->file].name, r->first, r->last);
        return;
    }
    const struct ir_space *s = &o->ir->spaces[one->place];
    char space[100], bytes[50] = "";
    describe_space(s, buffer, space, sizeof space);
    if (s->kind != IR_SPACE_BUS)
        snprintf(bytes, sizeof bytes, ", which has %llu bytes", (unsigned long long)one->size);
    snprintf(out, size, "address 0x%llx of %s%s", (unsigned long long)one->address, space, bytes);
}

void outside_report(const struct outside *o, uint64_t count, const char *buffer, weft_diags *diags)
{
    if (!o->ir)
        return;
    const struct ir_insn *insn = o->first.insn < o->ir->ninsns ? &o->ir->insns[o->first.insn] : NULL;
    const struct source *src = insn && insn->line && !insn->source ? o->source : NULL;
    bool stops = !o->first.is_register && o->ir->spaces[o->first.place].bounds == IR_BOUNDS_TRAP; /* the program */
    char what[240], at[PLACE_ROOM] = "";
    describe_outside(o, buffer, what, sizeof what);
    if (insn && !src)
        name_place(o->ir, insn, at, sizeof at);
    diag_at(diags, WEFT_WARNING, "bad-access", src, src ? source_line_span(src, insn->line) : (struct span){0, 0}, NULL,
            "%llu access%s out of range%s; the first%s is %s, by %s %u%s", (unsigned long long)count,
            count == 1 ? " was" : "es were", stops ? "" : ": reads gave 0, writes did nothing", at, what,
            o->ir->stage == IR_COMPUTE ? "invocation" : "lane", o->first.lane,
            o->ir->stage == IR_COMPUTE ? " of a workgroup" : "");
}
