/* verify.c - the rules of ir.h, checked. */
#include "ir/ir.h"

#include "ir/typing.h"
#include "ir/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verifier {
    const struct ir_program *p;
    weft_diags *diags;
    uint32_t *home;   /* by value: 1 + the block that defined it; 0: not defined yet */
    uint32_t block, op;
    bool at_op;       /* the place is an op; else the program's tables, or a block */
    bool faulty;
};

enum { FILE_NAMES = 256 }; /* most register files or address spaces of a program */

static bool fault(struct verifier *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fault(struct verifier *v, const char *fmt, ...)
{
    char what[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    v->faulty = true;
    const char *name = v->p->isa ? v->p->isa : "ir";
    if (v->at_op) {
        const struct ir_op *op = &v->p->blocks[v->block].ops[v->op];
        const char *text = op->code < IR_OPCODES ? ir_op_info[op->code].text : "?";
        diag_add(v->diags, WEFT_ERROR, "ir", name, NULL, "block %u, op %u (%s): %s", v->block, v->op, text, what);
    } else {
        diag_add(v->diags, WEFT_ERROR, "ir", name, NULL, "%s", what);
    }
    return false;
}

/* ---- tables ---- */

static void check_names(struct verifier *v)
{
    const struct ir_program *p = v->p;
    if (!ir_is_word(p->isa))
        fault(v, "the name of the instruction set is not a word");
    if (p->nfiles > FILE_NAMES || p->nspaces > FILE_NAMES || p->nhelpers > FILE_NAMES) {
        fault(v, "more than %d register files, address spaces or helpers", FILE_NAMES);
        return;
    }
    for (uint32_t i = 0; i < p->nfiles; i++) {
        if (!ir_is_word(p->files[i].name))
            fault(v, "file %u: its name is not a word", i);
        else
            for (uint32_t k = 0; k < i; k++)
                if (ir_is_word(p->files[k].name) && !strcmp(p->files[i].name, p->files[k].name))
                    fault(v, "files %u and %u have the same name", k, i);
    }
    for (uint32_t i = 0; i < p->nspaces; i++) {
        if (!ir_is_word(p->spaces[i].name))
            fault(v, "space %u: its name is not a word", i);
        else
            for (uint32_t k = 0; k < i; k++)
                if (ir_is_word(p->spaces[k].name) && !strcmp(p->spaces[i].name, p->spaces[k].name))
                    fault(v, "spaces %u and %u have the same name", k, i);
    }
    for (uint32_t i = 0; i < p->nhelpers; i++) {
        if (!ir_is_word(p->helpers[i].name))
            fault(v, "helper %u: its name is not a word", i);
        else
            for (uint32_t k = 0; k < i; k++)
                if (ir_is_word(p->helpers[k].name) && !strcmp(p->helpers[i].name, p->helpers[k].name))
                    fault(v, "helpers %u and %u have the same name", k, i);
    }
}

static void check_slots(struct verifier *v, const struct ir_slot *slots, uint32_t count, const char *what)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_slot *s = &slots[i];
        if (s->semantic >= IR_SEMANTICS || s->interp > IR_INTERP_COLOR || s->location > IR_LOC_SAMPLE || s->mask > 15 ||
            s->corner > 3)
            fault(v, "%s %u: semantic, interpolation, location, mask or corner out of range", what, i);
    }
}

static void check_tables(struct verifier *v)
{
    const struct ir_program *p = v->p;
    if (p->stage >= IR_STAGES)
        fault(v, "stage %u does not exist", p->stage);
    if (p->lanes < 1 || p->lanes > IR_MAX_LANES)
        fault(v, "%u lanes: a warp has 1 to %d", p->lanes, IR_MAX_LANES);
    check_names(v);
    for (uint32_t i = 0; i < p->nfiles; i++) {
        const struct ir_file *f = &p->files[i];
        if (f->bits != 1 && f->bits != 8 && f->bits != 16 && f->bits != 32 && f->bits != 64)
            fault(v, "file %u: elements of %u bits", i, f->bits);
    }
    for (uint32_t i = 0; i < p->nspaces; i++) {
        const struct ir_space *s = &p->spaces[i];
        if (s->kind > IR_SPACE_BUS || s->bounds > IR_BOUNDS_WRAP)
            fault(v, "space %u: kind or bounds rule out of range", i);
        else if (s->bounds == IR_BOUNDS_WRAP && (s->size & (s->size - 1)))
            fault(v, "space %u: a space that wraps has a power of two of bytes", i);
    }
    check_slots(v, p->io.inputs, p->io.ninputs, "input");
    check_slots(v, p->io.outputs, p->io.noutputs, "output");
}

/* ---- descriptors, as ops use them ---- */

static bool check_reg(struct verifier *v, const struct ir_op *op)
{
    const struct ir_program *p = v->p;
    if (op->desc >= p->nregs)
        return fault(v, "register descriptor %u does not exist", op->desc);
    const struct ir_reg *r = &p->regs[op->desc];
    if (r->file >= p->nfiles)
        return fault(v, "register file %u does not exist", r->file);
    const struct ir_file *f = &p->files[r->file];
    unsigned bits = ir_type_bits((enum ir_type)r->part);
    if (!bits)
        return fault(v, "the part of the register has no type");
    if ((f->bits == 1) > (bits == 1))
        return fault(v, "elements of one bit hold an i1 each");
    if (bits > f->bits ? r->shift != 0 : r->shift % bits || r->shift + bits > f->bits)
        return fault(v, "%u bits at bit %u do not lie in elements of %u bits", bits, r->shift, f->bits);
    int64_t low = r->elem, high = r->elem;
    if (ir_reg_indexed(op->code)) {
        if (r->first > r->last)
            return true; /* an empty range: every index is outside */
        int64_t at_first = low + (int64_t)r->first * r->stride, at_last = low + (int64_t)r->last * r->stride;
        low = at_first < at_last ? at_first : at_last;
        high = at_first < at_last ? at_last : at_first;
    }
    high += bits > f->bits ? bits / f->bits - 1 : 0;
    if (low < 0 || high >= f->count)
        return fault(v, "elements %lld to %lld are not in file %s of %u", (long long)low, (long long)high, f->name,
                     f->count);
    return true;
}

static bool check_mem(struct verifier *v, uint32_t desc)
{
    const struct ir_program *p = v->p;
    if (desc >= p->nmems)
        return fault(v, "memory descriptor %u does not exist", desc);
    const struct ir_mem *m = &p->mems[desc];
    if (m->space >= p->nspaces)
        return fault(v, "address space %u does not exist", m->space);
    if (ir_type_bits((enum ir_type)m->elem) < 8 || m->count < 1 || m->count > 16)
        return fault(v, "an access has 1 to 16 elements of at least a byte");
    if (m->align & (m->align - 1))
        return fault(v, "alignment %u is not a power of two", m->align);
    return true;
}

static bool check_block(struct verifier *v, uint64_t target)
{
    if (target == IR_PROLOGUE || target >= v->p->nblocks)
        return fault(v, "block %llu is not a target", (unsigned long long)target);
    return true;
}

static bool check_control(struct verifier *v, const struct ir_op *op)
{
    if (op->desc >= v->p->ncontrols)
        return fault(v, "control descriptor %u does not exist", op->desc);
    const struct ir_control *c = &v->p->controls[op->desc];
    bool condition = op->nargs && v->p->value_type[ir_args(v->p, op)[0]] == IR_I1;
    if ((c->direct_none || c->direct_all) && (!condition || c->ntargets < 2))
        return fault(v, "a direct branch needs an i1 and two targets");
    if (c->way > IR_WAY_MEET || (c->way == IR_WAY_SPLIT && (!condition || c->ntargets < 2)) ||
        (c->way == IR_WAY_MEET && !c->ntargets))
        return fault(v, "a control that splits needs an i1 and two targets, one that meets a target");
    if (c->ntargets > IR_TARGETS)
        return fault(v, "%u targets: a control has at most %d", c->ntargets, IR_TARGETS);
    for (unsigned i = 0; i < c->ntargets; i++)
        if (!check_block(v, c->target[i]))
            return false;
    return true;
}

static bool check_texture(struct verifier *v, uint32_t desc)
{
    if (desc >= v->p->ntextures)
        return fault(v, "texture descriptor %u does not exist", desc);
    const struct ir_texture *t = &v->p->textures[desc];
    if (t->op > IR_TEX_QUERY_POS || t->dim > IR_TEX_BUFFER || t->gather_component > 3)
        return fault(v, "texture operation, dimension or component out of range");
    return true;
}

static bool check_image(struct verifier *v, uint32_t desc)
{
    if (desc >= v->p->nimages)
        return fault(v, "image descriptor %u does not exist", desc);
    const struct ir_image *i = &v->p->images[desc];
    if (i->dim > IR_TEX_BUFFER || i->atomic >= ir_atomic_words.count || i->binding > IR_IMAGE_SPACE)
        return fault(v, "dimension, atomic operation or binding of an image out of range");
    if (i->mask > 15 || (i->raw && i->is_float && i->atomic != IR_ATOMIC_FADD))
        return fault(v, "a raw image has words, of which at most four are written");
    if (i->binding == IR_IMAGE_SPACE && i->image >= v->p->nspaces)
        return fault(v, "address space %u does not exist", i->image);
    return true;
}

static bool in_range(struct verifier *v, uint64_t value, uint64_t count, const char *what)
{
    if (value < count)
        return true;
    return fault(v, "%s %llu does not exist", what, (unsigned long long)value);
}

static bool check_operand(struct verifier *v, const struct ir_op *op, enum ir_operand kind, uint64_t value)
{
    const struct ir_program *p = v->p;
    unsigned bits = ir_type_bits((enum ir_type)op->type);
    switch (kind) {
    case IR_OPERAND_NONE:
        return value == 0 || fault(v, "desc and imm must be 0 where the op has no use for them");
    case IR_OPERAND_REG:
        return check_reg(v, op);
    case IR_OPERAND_MEM:
        return check_mem(v, op->desc);
    case IR_OPERAND_TEXTURE:
        return check_texture(v, op->desc);
    case IR_OPERAND_IMAGE:
        return check_image(v, op->desc);
    case IR_OPERAND_CONTROL:
        return check_control(v, op);
    case IR_OPERAND_HELPER:
        return in_range(v, value, p->nhelpers, "helper");
    case IR_OPERAND_INPUT:
        return in_range(v, value, p->io.ninputs, "input");
    case IR_OPERAND_OUTPUT:
        return in_range(v, value, p->io.noutputs, "output");
    case IR_OPERAND_BLOCK:
        return check_block(v, value);
    case IR_OPERAND_BITS:
        return bits >= 64 || value >> bits == 0 || fault(v, "the constant has more than %u bits", bits);
    case IR_OPERAND_COMPONENT:
        return in_range(v, value, 4, "component");
    case IR_OPERAND_QUAD:
        return in_range(v, value, 4, "lane of the quad");
    case IR_OPERAND_STREAM:
        return in_range(v, value, 4, "stream");
    case IR_OPERAND_OP:
        return in_range(v, value, IR_OPCODES, "op");
    case IR_OPERAND_ATOMIC:
        return in_range(v, value, ir_atomic_words.count, "atomic operation");
    case IR_OPERAND_SYSVAL:
        return in_range(v, value, IR_SYSVALS, "system value");
    case IR_OPERAND_SERVICE:
        return in_range(v, value, IR_SERVICES, "service");
    case IR_OPERAND_NUMBER:
        break;
    }
    return true;
}

/* ---- ops ---- */

static bool check_attr(struct verifier *v, const struct ir_op *op)
{
    unsigned attr = op->attr;
    if (op->code == IR_INTERP)
        return ((attr & 15) <= IR_INTERP_COLOR && attr >> 4 <= IR_LOC_SAMPLE) || fault(v, "interpolation out of range");
    if (attr >= IR_NAN_X86 << 1 || (attr & IR_ROUND_MASK) > IR_RNA || (attr & IR_MINMAX_MASK) == IR_MINMAX_MASK)
        return fault(v, "attribute bits 0x%x out of range", attr);
    if ((attr & IR_CVT_WRAP) && (attr & IR_CVT_X86))
        return fault(v, "two rules for conversions out of range");
    if ((attr & IR_NAN_CANON) && (attr & IR_NAN_X86))
        return fault(v, "two rules for NaNs");
    return true;
}

static bool check_use(struct verifier *v, ir_value value)
{
    if (value == 0 || value >= v->p->nvalues)
        return fault(v, "value %u does not exist", value);
    uint32_t home = v->home[value];
    if (!home)
        return fault(v, "value %u is used before it is defined", value);
    if (home != 1 + IR_PROLOGUE && home != 1 + v->block)
        return fault(v, "value %u is of block %u", value, home - 1);
    return true;
}

static bool check_args(struct verifier *v, const struct ir_op *op)
{
    if (op->args > v->p->npool || op->nargs > v->p->npool - op->args)
        return fault(v, "its arguments are outside the pool");
    const ir_value *args = ir_args(v->p, op);
    for (unsigned i = 0; i < op->nargs; i++)
        if (!check_use(v, args[i]))
            return false;
    if (!op->pred)
        return true;
    if (!(ir_op_info[op->code].flags & IR_OP_EFFECT) && op->code != IR_LOAD && op->code != IR_TEXTURE)
        return fault(v, "only ops with effects, loads and textures have a predicate");
    return check_use(v, op->pred) && (v->p->value_type[op->pred] == IR_I1 || fault(v, "the predicate must be an i1"));
}

/* The last argument, what a branch or a SET takes, and the predicate. */
static bool check_uniform_args(struct verifier *v, const struct ir_op *op, const char *what)
{
    if (!v->p->value_uniform[ir_args(v->p, op)[op->nargs - 1]])
        return fault(v, "%s must be uniform", what);
    return !op->pred || v->p->value_uniform[op->pred] || fault(v, "%s must be uniform", what);
}

static void check_prologue_op(struct verifier *v, const struct ir_op *op)
{
    const struct ir_program *p = v->p;
    bool constant = op->code == IR_LOAD && !op->pred && p->spaces[p->mems[op->desc].space].kind == IR_SPACE_CONST;
    if (!constant && !(ir_op_info[op->code].flags & IR_OP_PURE))
        fault(v, "the prologue holds pure ops only");
    else if (!op->uniform)
        fault(v, "the prologue holds uniform ops only");
}

static void define_results(struct verifier *v, const struct ir_op *op)
{
    const struct ir_program *p = v->p;
    if (op->nres == 0 && op->res != 0)
        fault(v, "it has no result but names one");
    if (op->uniform > 1 || op->uniform != ir_derive_uniform(p, op))
        fault(v, "it is marked %s and is %s", op->uniform ? "uniform" : "lane", op->uniform ? "lane" : "uniform");
    for (unsigned i = 0; i < op->nres; i++) {
        uint64_t value = (uint64_t)op->res + i;
        if (op->res == 0 || value >= p->nvalues) {
            fault(v, "its result, value %llu, does not exist", (unsigned long long)value);
            return;
        }
        if (v->home[value])
            fault(v, "value %llu is defined twice", (unsigned long long)value);
        if (p->value_type[value] != op->type || p->value_uniform[value] != op->uniform)
            fault(v, "value %llu is recorded with another type or uniformity", (unsigned long long)value);
        v->home[value] = 1 + v->block;
    }
}

static void check_op(struct verifier *v, const struct ir_op *op, bool last)
{
    const struct ir_program *p = v->p;
    if (op->code >= IR_OPCODES) {
        fault(v, "opcode %u does not exist", op->code);
        return;
    }
    bool ok = check_attr(v, op) && check_args(v, op) &&
              check_operand(v, op, ir_desc_operand(op->code, op->imm), op->desc) &&
              check_operand(v, op, (enum ir_operand)ir_operands[op->code].imm, op->imm);
    if (ok) {
        const char *type_fault = ir_type_fault(p, op);
        if (type_fault)
            ok = fault(v, "%s", type_fault);
    }
    if (op->insn >= p->ninsns && op->insn != 0)
        fault(v, "guest instruction %u does not exist", op->insn);
    bool terminator = ir_op_info[op->code].flags & IR_OP_TERM;
    if (v->block == IR_PROLOGUE) {
        if (ok)
            check_prologue_op(v, op);
    } else if (terminator != last) {
        fault(v,
              last ? "the last op of a block must be a terminator" : "a terminator must be the last op of its block");
    }
    if (!ok) /* later uses of the results would only repeat the fault */ {
        for (unsigned i = 0; i < op->nres && op->res && (uint64_t)op->res + i < p->nvalues; i++)
            v->home[op->res + i] = 1 + v->block;
        return;
    }
    if (op->code == IR_BRANCH)
        check_uniform_args(v, op, "the condition of a branch");
    if (op->code == IR_JUMP)
        check_uniform_args(v, op, "the address of a jump");
    if ((op->code == IR_SET || op->code == IR_SET_DYN || op->code == IR_SET_LANE) &&
        p->files[p->regs[op->desc].file].uniform)
        check_uniform_args(v, op, "what a register of the warp is set to");
    define_results(v, op);
}

static void check_ops(struct verifier *v, uint32_t block)
{
    const struct ir_block *b = &v->p->blocks[block];
    v->block = block;
    if (b->count == 0 && block != IR_PROLOGUE)
        fault(v, "block %u is empty", block);
    v->at_op = true;
    for (v->op = 0; v->op < b->count; v->op++)
        check_op(v, &b->ops[v->op], v->op + 1 == b->count);
    v->at_op = false;
}

weft_status ir_verify_from(const struct ir_program *p, uint32_t first, weft_diags *diags)
{
    struct arena scratch = {0};
    struct verifier v = {.p = p, .diags = diags};
    v.home = ARENA_ARRAY(&scratch, uint32_t, p->nvalues);
    if (!v.home)
        return WEFT_ERROR_MEMORY;
    check_tables(&v);
    if (p->nblocks <= IR_ENTRY)
        fault(&v, "a program has a prologue and an entry");
    if (p->nblocks > IR_PROLOGUE && !v.faulty)
        check_ops(&v, IR_PROLOGUE);
    for (uint32_t block = first > IR_PROLOGUE ? first : IR_PROLOGUE + 1; block < p->nblocks && !v.faulty; block++)
        check_ops(&v, block);
    arena_free(&scratch);
    return v.faulty ? WEFT_ERROR_INTERNAL : WEFT_OK;
}

weft_status ir_verify(const struct ir_program *p, weft_diags *diags)
{
    return ir_verify_from(p, IR_PROLOGUE, diags);
}
