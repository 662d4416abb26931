/* check.c - the rules beyond syntax: what instructions do to no purpose, and where control leaves the code. */
#include "isa/vpu/flow.h"
#include "isa/vpu/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct checker {
    const struct isa_module *m;
    const struct source *src;
    weft_diags *diags;
    const struct vpu_insn *insn; /* that is looked at */
    struct arena arena;
    struct stray *strays;
    size_t nstrays, strays_cap;
    bool failed;
};

static void say(const struct checker *c, weft_severity severity, const char *code, const char *hint, const char *fmt,
                ...) __attribute__((format(printf, 5, 6)));

/* About c->insn: at its line, or with its address. */
static void say(const struct checker *c, weft_severity severity, const char *code, const char *hint, const char *fmt,
                ...)
{
    char message[240];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    const struct vpu_insn *i = c->insn;
    if (c->src && i && i->where.length)
        diag_at(c->diags, severity, code, c->src, i->where, hint, "%s", message);
    else
        diag_at_address(c->diags, severity, code, c->src ? c->src->name : c->m->name, i ? i->address : 0, hint, "%s",
                        message);
}

static void warn(const struct checker *c, const char *code, const char *message)
{
    say(c, WEFT_WARNING, code, NULL, "%s", message);
}

/* ---- scalar instructions ---- */

/* Misaligned accesses raise exception 1; the offset alone says nothing but for pc and known bases. */
static bool is_misaligned(const struct vpu_insn *i)
{
    unsigned bytes = vpu_ops[i->op].bytes;
    return bytes && !(vpu_ops[i->op].uses & VPU_TABLE) && i->mode == VPU_OFFSET && i->a == VPU_PC &&
           (i->address + (uint32_t)i->imm) % bytes != 0;
}

static void check_control(const struct checker *c, unsigned number)
{
    const struct vpu_control *p = &vpu_controls[number];
    if (p->kind == VPU_CONTROL_ZERO)
        say(c, WEFT_WARNING, "control-register", NULL, "p%u (%s) is always 0: accesses are finished at once", number,
            p->name);
    else if (p->kind == VPU_CONTROL_KEPT)
        say(c, WEFT_WARNING, "control-register", NULL, "p%u (%s) keeps what is written to it, and has no effect",
            number, p->name);
}

static void check_scalar(const struct checker *c)
{
    const struct vpu_insn *i = c->insn;
    unsigned uses = vpu_ops[i->op].uses;
    if (is_misaligned(i))
        warn(c, "misaligned", "this access is misaligned: exception 1");
    if (vpu_writes_pc(i))
        say(c, WEFT_WARNING, "writes-pc", "b and bl jump to the address in a register", "this writes pc: exception 3");
    if (uses & VPU_DIVIDES && (i->flags & VPU_IMMEDIATE) && i->imm == 0)
        warn(c, "division", "this divides by zero: exception 2");
    if (uses & (VPU_D_CONTROL | VPU_A_CONTROL))
        check_control(c, uses & VPU_D_CONTROL ? i->d : i->a);
}

/* ---- vector instructions ---- */

static void check_vector(const struct checker *c)
{
    const struct vpu_insn *i = c->insn;
    if (vpu_writes_zeros(i))
        warn(c, "writes-zeros", "this operation writes zeros, whatever its operands are");
    if (vpu_is_load(i->op) && i->vb.kind == VPU_VREG)
        warn(c, "no-address", "a vector register is not an address: this loads from 0");
    if (vpu_is_store(i->op) && i->vb.kind == VPU_VREG)
        warn(c, "no-address", "a vector register is not an address: this stores nothing");
    if (vpu_is_idle(i))
        warn(c, "no-effect", "readacc of width 2 does nothing");
}

/* ---- control flow ---- */

/* An address that is reached without an instruction. */
struct stray {
    uint32_t address;
    bool surely, end;
    uint8_t size;
    uint16_t word;
};

static void note_stray(void *context, uint32_t address, const struct vpu_insn *insn, bool surely)
{
    struct checker *c = context;
    struct stray *grown = arena_grow(&c->arena, c->strays, sizeof *grown, c->nstrays, &c->strays_cap, c->nstrays + 1);
    if (!grown) {
        c->failed = true;
        return;
    }
    c->strays = grown;
    grown[c->nstrays] = (struct stray){.address = address, .surely = surely, .end = !insn};
    if (insn)
        grown[c->nstrays].size = (uint8_t)insn->size;
    if (insn && insn->size >= 2)
        grown[c->nstrays].word = (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
    c->nstrays++;
}

/* The sure one of two that are the same comes first. */
static int by_address(const void *x, const void *y)
{
    const struct stray *a = x, *b = y;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return b->surely - a->surely;
}

/* The instruction or data that an address is in. */
static const struct vpu_insn *insn_around(const struct isa_module *m, uint32_t address)
{
    for (uint32_t n = 0; n < m->ninsns; n++)
        if (address - m->insns[n].address < m->insns[n].size)
            return &m->insns[n];
    return NULL;
}

/* Bytes that control reaches must be instructions; in a text they are what somebody wrote. */
static void check_flow(struct checker *c)
{
    c->failed = !vpu_walk(c->m, note_stray, c) || c->failed;
    if (c->nstrays)
        qsort(c->strays, c->nstrays, sizeof *c->strays, by_address);
    for (size_t n = 0; n < c->nstrays; n++) {
        const struct stray *s = &c->strays[n];
        if ((n && s->address == s[-1].address) || (s->end && !s->surely))
            continue;
        struct vpu_insn there = {.address = s->address};
        c->insn = c->src ? insn_around(c->m, s->end ? s->address - 1 : s->address) : &there;
        if (s->end)
            say(c, WEFT_WARNING, "runs-off", NULL, "control goes on past the last instruction, to 0x%x", s->address);
        else if (s->surely)
            say(c, c->src ? WEFT_WARNING : WEFT_ERROR, "unknown-instruction", NULL,
                "%04x is not an instruction, and control reaches it: exception 3", s->word);
        else
            say(c, WEFT_WARNING, "unknown-instruction", NULL,
                "%04x is not an instruction, and control reaches it if a call or swi comes back", s->word);
    }
}

static bool is_reached(const struct checker *c, uint32_t address)
{
    const struct stray key = {.address = address, .surely = true};
    size_t low = 0, high = c->nstrays;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_address(&c->strays[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->nstrays && c->strays[low].address == address;
}

/* Words of an image that were taken for data, since nothing reaches them, and are not instructions. */
static void check_data(struct checker *c)
{
    const struct isa_module *m = c->m;
    uint32_t count = 0, first = 0;
    for (uint32_t s = 0; s < m->nsections; s++)
        for (uint32_t n = 0; m->sections[s].code && n < m->sections[s].count; n++) {
            const struct vpu_insn *i = &m->insns[m->sections[s].first + n];
            for (uint32_t at = 0; vpu_is_data(i) && at < i->size;) {
                struct vpu_insn there;
                vpu_decode_insn(i->bytes + at, i->size - at, i->address + at, &there);
                bool unknown = vpu_is_data(&there) && !is_reached(c, there.address);
                if (unknown && count++ == 0)
                    first = there.address;
                at += there.size ? there.size : 1;
            }
        }
    if (count)
        diag_add(
            c->diags, WEFT_WARNING, "unknown-data", m->name, NULL,
            "words that are not instructions and that control is not seen to reach count as data: there are %u, the "
            "first at 0x%x",
            (unsigned)count, first);
}

/* ---- all ---- */

static bool is_inside(const struct isa_module *m, uint32_t address)
{
    for (uint32_t s = 0; s < m->nsections; s++)
        if (address - m->sections[s].address < m->sections[s].size)
            return true;
    return false;
}

static void check_insn(const struct checker *c)
{
    const struct vpu_insn *i = c->insn;
    if (c->src && vpu_has_target(i) && is_inside(c->m, i->target) && !vpu_insn_at(c->m, i->target))
        warn(c, "branch-target", "no instruction begins at the target of this branch");
    if (vpu_is_insn(i) && !vpu_is_vector(i))
        check_scalar(c);
    else if (vpu_is_vector(i))
        check_vector(c);
}

weft_status vpu_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                      weft_diags *diags)
{
    struct checker c = {.m = m, .src = src, .diags = diags};
    for (uint32_t n = 0; n < m->ninsns; n++) {
        c.insn = &m->insns[n];
        check_insn(&c);
    }
    size_t errors = weft_diags_errors(diags);
    if (!params || !params->running) {
        check_flow(&c);
        if (!src)
            check_data(&c);
    }
    arena_free(&c.arena);
    if (c.failed)
        return WEFT_ERROR_MEMORY;
    return weft_diags_errors(diags) > errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
