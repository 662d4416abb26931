/* pass_nan.c - one NaN for all arithmetic of a program, where it can be told from another.
 *
 * Of two NaNs the host gives the first, and compilers swap what may be swapped; a NaN made of numbers has one sign as a
 * result of the host and another as a constant. So every op that makes a float gets IR_NAN_X86, unless its chip has a
 * NaN of its own (IR_NAN_CANON), and loses either again where nothing looks at its bits. Registers are looked at
 * without regard to the order of things: bits of one are seen when they are anywhere. */
#include "ir/pass.h"

#include "ir/program.h"
#include "ir/rewrite.h"
#include "ir/typing.h"

#include <string.h>

enum { ROUNDS = 16 }; /* programs that are not through by then stay as they are */
enum { ONE_NAN = IR_NAN_CANON | IR_NAN_X86 };

/* ---- what ops do with NaNs ---- */

enum nans {
    NANS_BITS,    /* looks at bits */
    NANS_NUMBERS, /* all NaNs are the same to it; of its own, which one is open */
    NANS_MOVES    /* bits of its arguments, the sign apart: they are seen where those of the result are */
};

static enum nans of_conversion(const struct ir_program *p, const struct ir_op *op)
{
    /* halves are made of words, and words of halves, bit by bit */
    bool wide = op->type == IR_F64 || p->value_type[ir_args(p, op)[0]] == IR_F64;
    return wide ? NANS_NUMBERS : NANS_MOVES;
}

static bool is_cut_mad(const struct ir_program *p, const struct ir_op *op)
{
    return op->code == IR_HELPER && p->helpers[op->desc].form == IR_HELPER_CUT_MAD;
}

static enum nans nans_of(const struct ir_program *p, const struct ir_op *op)
{
    switch (op->code) {
    case IR_COPY: case IR_SELECT: case IR_BITCAST: case IR_QUAD_LANE: case IR_QUAD_XOR: case IR_SHUFFLE: case IR_FIRST:
    case IR_FNEG: case IR_FABS:
        return NANS_MOVES;
    case IR_PACK64: case IR_LO32: case IR_HI32: /* half of a NaN may be a number, or a NaN half of one */
        return NANS_BITS;
    case IR_FMIN: case IR_FMAX: case IR_FSAT: case IR_FREXP_MANT: /* halves become words and halves again */
        return op->type == IR_F16 ? NANS_NUMBERS : NANS_MOVES;
    case IR_F2F:
        return of_conversion(p, op);
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: case IR_FFMA: case IR_FSQRT: case IR_FRINT: case IR_FEQ:
    case IR_FNE: case IR_FLT: case IR_FLE: case IR_FUNORD: case IR_FLDEXP: case IR_FREXP_EXP: case IR_FEXP2:
    case IR_FLOG2: case IR_FPOW: case IR_FSIN: case IR_FCOS: case IR_F2S: case IR_F2U: case IR_TEXTURE:
        return NANS_NUMBERS;
    case IR_REDUCE:
        return ir_is_float(op->type) ? NANS_NUMBERS : NANS_BITS;
    case IR_HELPER:
        return p->helpers[op->desc].numbers || is_cut_mad(p, op) ? NANS_NUMBERS : NANS_BITS;
    default:
        return NANS_BITS;
    }
}

/* ---- every op gets it ---- */

/* Ops that cannot have the attribute themselves: a COPY of their results has it. */
static bool wants_copy(const struct ir_program *p, const struct ir_op *op)
{
    switch (op->code) {
    case IR_INTERP:
        return (op->attr & 15) != IR_INTERP_CONSTANT;
    case IR_SYSVAL:
        return op->type == IR_F32 && op->imm <= IR_SYS_FRAG_W;
    case IR_SERVICE:
        return op->imm == IR_SVC_INTERP_AT;
    case IR_REDUCE:
        return ir_is_float(op->type);
    case IR_HELPER:
        return ir_is_float(op->type) && p->helpers[op->desc].numbers;
    default:
        return false;
    }
}

static uint16_t copied_for_x86(const struct ir_program *p, const struct ir_op *op, const void *context)
{
    (void)context;
    return wants_copy(p, op) ? IR_NAN_X86 : 0;
}

static bool wants_attribute(const struct ir_program *p, const struct ir_op *op)
{
    bool zero = (op->attr & IR_SAT) && !(op->attr & IR_SAT_KEEP_NAN); /* instead of NaN */
    return ir_is_float(op->type) && (ir_op_info[op->code].flags & IR_OP_PURE) && op->code != IR_HELPER && !zero &&
           !(op->attr & IR_NAN_CANON) && nans_of(p, op) == NANS_NUMBERS;
}

/* The results of op, which becomes one of other values, are copies with an attribute. */
static void copy_results(struct ir_program *p, struct ir_op *op, struct ir_op *copies, uint16_t attr)
{
    ir_value old = op->res, made = ir_add_values(p, (enum ir_type)op->type, op->nres);
    ir_value *pool = NULL;
    if (p->npool <= UINT32_MAX - op->nres)
        pool = arena_grow(p->arena, p->pool, sizeof *pool, p->npool, &p->pool_cap, (size_t)p->npool + op->nres);
    if (!pool || !made) {
        p->arena->failed = true;
        return;
    }
    p->pool = pool;
    memcpy(p->value_uniform + made, p->value_uniform + old, op->nres);
    op->res = made;
    for (unsigned i = 0; i < op->nres; i++) {
        copies[i] = (struct ir_op){.code = IR_COPY,
                                   .attr = attr,
                                   .type = op->type,
                                   .nres = 1,
                                   .nargs = 1,
                                   .uniform = op->uniform,
                                   .res = old + i,
                                   .args = p->npool,
                                   .insn = op->insn};
        p->pool[p->npool++] = made + i;
    }
}

/* Copies follow ops, with the attribute that `copied` says of each; none where it says 0. */
static void copy_in_block(struct ir_program *p, struct ir_block *b,
                          uint16_t (*copied)(const struct ir_program *p, const struct ir_op *op, const void *context),
                          const void *context)
{
    uint32_t copies = 0, n = 0;
    for (uint32_t i = 0; i < b->count; i++)
        copies += copied(p, &b->ops[i], context) ? b->ops[i].nres : 0;
    struct ir_op *ops = copies ? ARENA_ARRAY(p->arena, struct ir_op, (size_t)b->count + copies) : NULL;
    for (uint32_t i = 0; ops && i < b->count; i++) {
        struct ir_op *op = &ops[n++];
        *op = b->ops[i];
        uint16_t attr = copied(p, op, context);
        if (attr) {
            copy_results(p, op, op + 1, attr);
            n += op->nres;
        }
    }
    if (!ops)
        return;
    b->ops = ops;
    b->count = n;
    b->cap = n;
}

void ir_nans_of_x86(struct ir_program *p)
{
    for (uint32_t b = 0; b < p->nblocks && !arena_failed(p->arena); b++) {
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (wants_attribute(p, &p->blocks[b].ops[i]))
                p->blocks[b].ops[i].attr |= IR_NAN_X86;
        copy_in_block(p, &p->blocks[b], copied_for_x86, NULL);
    }
}

/* ---- whose bits are seen ---- */

enum only { ONLY_CANON = 1, ONLY_X86 = 2, ONLY_ALL = 3 };

struct seen {
    const struct ir_program *p;
    struct elements elements;
    uint32_t nvalues; /* that there were before copies */
    uint8_t *value;   /* by value */
    uint8_t *element; /* by register element */
    uint8_t *one;     /* by value: the NaN that it can only be, as enum only; ONLY_ALL: it is a number */
    uint8_t *made;    /* by register element: the same of all that is SET; NULL: nothing is known */
    bool changed;
};

/* ---- registers of arithmetic alone ----
 *
 * What is summed up in a loop and stored after it is better looked at when it is read: a copy there has the
 * attribute. */

/* A whole element of 32 bits. */
static bool is_whole(const struct ir_program *p, const struct ir_reg *r)
{
    return r->shift == 0 && ir_type_bits((enum ir_type)r->part) == 32 && p->files[r->file].bits == 32;
}

static uint8_t *made_of(const struct seen *s, const struct ir_reg *r)
{
    return s->made + s->elements.base[r->file] + r->elem;
}

static enum only of_attribute(const struct ir_op *op)
{
    return op->attr & IR_NAN_X86 ? ONLY_X86 : op->attr & IR_NAN_CANON ? ONLY_CANON : 0;
}

static unsigned one_of(const struct seen *s, const struct ir_op *op)
{
    const ir_value *args = ir_args(s->p, op);
    switch (op->code) {
    case IR_CONST:
        return ir_type_bits((enum ir_type)op->type) == 32 && (op->imm & 0x7fffffff) <= 0x7f800000 ? ONLY_ALL : 0;
    case IR_S2F: case IR_U2F:
        return op->type == IR_F32 ? ONLY_ALL : 0;
    case IR_SELECT:
        return s->one[args[1]] & s->one[args[2]];
    case IR_FMIN: case IR_FMAX:
        return op->type == IR_F32 ? s->one[args[0]] & s->one[args[1]] : 0;
    case IR_GET:
        return is_whole(s->p, &s->p->regs[op->desc]) ? *made_of(s, &s->p->regs[op->desc]) : 0;
    default:
        return op->code != IR_INTERP && op->type == IR_F32 ? of_attribute(op) : 0;
    }
}

static void note_write(struct seen *s, const struct ir_op *op)
{
    const struct ir_reg *r = &s->p->regs[op->desc];
    bool range = reg_access(op) == REG_WRITE_RANGE;
    struct reg_span span = range ? reg_range(s->p, r) : reg_span(s->p, r);
    uint8_t one = !range && is_whole(s->p, r) ? s->one[ir_args(s->p, op)[0]] : 0;
    uint8_t *made = s->made + s->elements.base[span.file] + span.elem;
    for (uint32_t i = 0; i < span.count; i++) {
        s->changed |= (made[i] & ~one) != 0;
        made[i] &= one;
    }
}

/* False: no memory, or not through in time. */
static bool find_made(struct seen *s, struct arena *scratch)
{
    s->one = ARENA_ARRAY(scratch, uint8_t, s->p->nvalues);
    s->made = ARENA_ARRAY(scratch, uint8_t, s->elements.count + 1u);
    if (!s->one || !s->made)
        return false;
    for (uint32_t f = 0; f < s->p->nfiles; f++)
        memset(s->made + s->elements.base[f], s->p->files[f].preserved ? 0 : ONLY_ALL,
               s->elements.base[f + 1] - s->elements.base[f]);
    s->changed = true;
    for (unsigned round = 0; round < ROUNDS && s->changed; round++) {
        s->changed = false;
        for (uint32_t b = 0; b < s->p->nblocks; b++)
            for (uint32_t i = 0; i < s->p->blocks[b].count; i++) {
                const struct ir_op *op = &s->p->blocks[b].ops[i];
                enum reg_access access = reg_access(op);
                if (access == REG_WRITE || access == REG_WRITE_RANGE)
                    note_write(s, op);
                else if (op->nres == 1)
                    s->one[op->res] = (uint8_t)one_of(s, op);
            }
    }
    return !s->changed;
}

static bool reads_made(const struct seen *s, const struct ir_op *op)
{
    return s->made && op->code == IR_GET && op->type == IR_F32 && is_whole(s->p, &s->p->regs[op->desc]) &&
           *made_of(s, &s->p->regs[op->desc]);
}

/* ---- what is looked at ---- */

static void see(struct seen *s, ir_value v)
{
    s->changed |= !s->value[v];
    s->value[v] = 1;
}

static void see_all(struct seen *s, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->nargs; i++)
        see(s, ir_args(s->p, op)[i]);
}

static void see_integers(struct seen *s, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->nargs; i++)
        if (ir_is_int(s->p->value_type[ir_args(s->p, op)[i]]))
            see(s, ir_args(s->p, op)[i]);
}

static bool is_seen(const struct seen *s, const struct ir_op *op)
{
    bool any = false;
    for (unsigned i = 0; i < op->nres; i++)
        any |= s->value[op->res + i];
    return any;
}

static void look_at_registers(struct seen *s, const struct ir_op *op, enum reg_access access)
{
    const struct ir_reg *r = &s->p->regs[op->desc];
    bool range = access == REG_READ_RANGE || access == REG_WRITE_RANGE;
    bool reads = access == REG_READ || access == REG_READ_RANGE, any = false;
    struct reg_span span = range ? reg_range(s->p, r) : reg_span(s->p, r);
    uint8_t *element = s->element + s->elements.base[span.file] + span.elem;
    bool of_reader = reads && is_seen(s, op) && !reads_made(s, op);
    for (uint32_t i = 0; i < span.count; i++) {
        any |= element[i];
        s->changed |= of_reader && !element[i];
        element[i] |= of_reader;
    }
    unsigned places = reads ? op->nargs : op->nargs - 1u; /* which register, and of which lane */
    for (unsigned i = 0; i < places; i++)
        see(s, ir_args(s->p, op)[i]);
    if (!reads && any)
        see(s, ir_args(s->p, op)[places]);
}

/* Colours become numbers of the targets' formats, in which NaNs are alike. */
static bool shows(const struct ir_program *p, const struct ir_op *op)
{
    return p->stage != IR_FRAGMENT || p->integer_targets || p->io.outputs[op->desc].semantic != IR_SEM_COLOR;
}

/* Are bits of its arguments in its result, which may be a NaN of theirs? */
static bool passes_on(const struct ir_program *p, const struct ir_op *op)
{
    if (nans_of(p, op) == NANS_MOVES && !(op->attr & ONE_NAN))
        return true;
    bool zero = (op->attr & IR_SAT) && !(op->attr & IR_SAT_KEEP_NAN);
    return ir_is_float(op->type) && !(op->attr & ONE_NAN) && !is_cut_mad(p, op) && !zero;
}

static void look_at(struct seen *s, const struct ir_op *op)
{
    enum reg_access access = reg_access(op);
    if (op->pred)
        see(s, op->pred);
    if (op->code == IR_SHUFFLE)
        see(s, ir_args(s->p, op)[1]); /* which lane */
    if (access != REG_NONE) {
        look_at_registers(s, op, access);
    } else if (op->code == IR_OUTPUT) {
        if (shows(s->p, op))
            see_all(s, op);
    } else if (nans_of(s->p, op) == NANS_BITS) {
        see_all(s, op);
    } else if (passes_on(s->p, op)) {
        if (is_seen(s, op))
            see_all(s, op);
        else if (nans_of(s->p, op) == NANS_NUMBERS)
            see_integers(s, op);
    } else {
        see_integers(s, op);
    }
}

static void see_preserved(struct seen *s)
{
    for (uint32_t f = 0; f < s->p->nfiles; f++)
        if (s->p->files[f].preserved)
            memset(s->element + s->elements.base[f], 1, s->elements.base[f + 1] - s->elements.base[f]);
}

/* False: no memory, or the program is not through in time: all may be seen. */
static bool find(struct seen *s, const struct ir_program *p, bool at_reads, struct arena *scratch)
{
    *s = (struct seen){.p = p, .nvalues = p->nvalues};
    bool ok = elements_number(&s->elements, p, scratch);
    s->value = ARENA_ARRAY(scratch, uint8_t, p->nvalues);
    s->element = ARENA_ARRAY(scratch, uint8_t, s->elements.count + 1u);
    if (!ok || !s->value || !s->element)
        return false;
    see_preserved(s);
    if (at_reads && !find_made(s, scratch))
        return false;
    s->changed = true;
    for (unsigned round = 0; round < ROUNDS && s->changed; round++) {
        s->changed = false;
        for (uint32_t b = p->nblocks; b-- > 0;)
            for (uint32_t i = p->blocks[b].count; i-- > 0;)
                look_at(s, &p->blocks[b].ops[i]);
    }
    return !s->changed;
}

static bool has_attribute(const struct ir_op *op, unsigned which)
{
    return op->code != IR_INTERP && (op->attr & which);
}

static bool has_work(const struct ir_program *p, unsigned which)
{
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (has_attribute(&p->blocks[b].ops[i], which))
                return true;
    return false;
}

static uint16_t copied_when_read(const struct ir_program *p, const struct ir_op *op, const void *context)
{
    const struct seen *s = context;
    if (op->nres != 1 || op->res >= s->nvalues || !is_seen(s, op) || !reads_made(s, op))
        return 0;
    unsigned only = *made_of(s, &p->regs[op->desc]);
    return only == ONLY_CANON ? IR_NAN_CANON : only == ONLY_X86 ? IR_NAN_X86 : 0;
}

static void run(struct ir_program *p, bool at_reads)
{
    const unsigned which = at_reads ? ONE_NAN : IR_NAN_X86;
    if (arena_failed(p->arena) || p->precise || p->frozen || !has_work(p, which))
        return;
    struct arena scratch = {.limit = PASS_MEMORY};
    struct seen s;
    if (find(&s, p, at_reads, &scratch))
        for (uint32_t b = 0; b < p->nblocks; b++) {
            for (uint32_t i = 0; i < p->blocks[b].count; i++) {
                struct ir_op *op = &p->blocks[b].ops[i];
                if (has_attribute(op, which) && !is_seen(&s, op))
                    op->attr &= (uint16_t)~which;
            }
            if (at_reads)
                copy_in_block(p, &p->blocks[b], copied_when_read, &s);
        }
    pass_end(p, &scratch);
}

void ir_pass_nan(struct ir_program *p)
{
    run(p, false);
}

void ir_pass_nan_reads(struct ir_program *p)
{
    run(p, true);
}
