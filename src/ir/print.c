/* print.c - the text form of a program.
 *
 *   ir tgsi fragment lanes 16
 *   property color0_all 1
 *   input generic[0] perspective center mask 0xf
 *   file TEMP bits 32 count 8
 *   space CONST0 const bounds zero slot 0 size 0
 *   insn addr 0x0 line 3 row 12
 *   block 0
 *     $1 = f32 const 0x3f800000  # 1
 *   block 1 addr 0x0 insn 0 insns 5
 *     %2 = f32 get TEMP[0]
 *     %3 = f32 fadd.rtz %2, $1
 *     @4
 *     set TEMP[1], %3
 *     end
 *
 * $n is a uniform value, %n a lane value. Values are numbered anew in the order of their definition, and
 * descriptors are printed where they are used, so that two programs that do the same in the same order print
 * the same. "@n" gives the guest instruction of the ops after it in the block (0 until the first). */
#include "ir/ir.h"

#include "base/decimal.h"

#include "ir/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct printer {
    const struct ir_program *p;
    struct arena *arena;
    char *text;
    size_t size, cap;
    ir_value *number; /* by value: as printed; 0: not defined yet */
    bool failed;
};

static void put_bytes(struct printer *out, const char *s, size_t length)
{
    if (out->cap - out->size <= length) {
        char *text = arena_grow(out->arena, out->text, 1, out->size, &out->cap, out->size + length + 1);
        if (!text) {
            out->failed = true;
            return;
        }
        out->text = text;
    }
    memcpy(out->text + out->size, s, length);
    out->size += length;
    out->text[out->size] = '\0';
}

static void put(struct printer *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct printer *out, const char *fmt, ...)
{
    char piece[400];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(piece, sizeof piece, fmt, ap);
    va_end(ap);
    put_bytes(out, piece, n < 0 ? 0 : (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

static void put_text(struct printer *out, const char *s)
{
    put_bytes(out, s, strlen(s));
}

/* Most of what is printed is such: printf takes four times as long. */
static void put_number(struct printer *out, const char *before, uint32_t n)
{
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    put_text(out, before);
    put_bytes(out, digits + at, sizeof digits - at);
}

static void put_word(struct printer *out, const struct ir_words *words, uint64_t index)
{
    put_text(out, index < words->count ? words->list[index] : "?");
}

static void put_value(struct printer *out, ir_value v)
{
    const struct ir_program *p = out->p;
    if (v == 0 || v >= p->nvalues || !out->number[v])
        put(out, "?%u", v); /* not a value: refused by the verifier, and by the parser */
    else
        put_number(out, p->value_uniform[v] ? "$" : "%", out->number[v]);
}

/* ---- tables ---- */

static void put_slot(struct printer *out, const char *what, const struct ir_slot *s)
{
    put(out, "%s ", what);
    put_word(out, &ir_semantic_words, s->semantic);
    put(out, "[%u] ", s->index);
    put_word(out, &ir_interp_words, s->interp);
    put_text(out, " ");
    put_word(out, &ir_location_words, s->location);
    put(out, " mask 0x%x", s->mask);
    if (s->stream[0] || s->stream[1] || s->stream[2] || s->stream[3])
        put(out, " stream %u %u %u %u", s->stream[0], s->stream[1], s->stream[2], s->stream[3]);
    put_text(out, s->halves == 1 ? " halves_xy" : s->halves ? " halves_zw" : "");
    if (s->corner)
        put(out, " corner %u", s->corner);
    if (s->convert)
        put(out, " convert %u", s->convert);
    put(out, "%s%s\n", s->patch ? " patch" : "", s->invariant ? " invariant" : "");
}

static void put_tables(struct printer *out)
{
    const struct ir_program *p = out->p;
    put_text(out, "ir ");
    put_text(out, p->isa ? p->isa : "?");
    put_text(out, " ");
    put_word(out, &ir_stage_words, p->stage);
    put(out, " lanes %u%s\n", p->lanes, p->precise ? " precise" : "");
    for (unsigned i = 0; i < IR_PROPERTIES; i++)
        if (ir_property_get(&p->io, &ir_properties[i]))
            put(out, "property %s %u\n", ir_properties[i].name, ir_property_get(&p->io, &ir_properties[i]));
    for (uint32_t i = 0; i < p->io.ninputs; i++)
        put_slot(out, "input", &p->io.inputs[i]);
    for (uint32_t i = 0; i < p->io.noutputs; i++)
        put_slot(out, "output", &p->io.outputs[i]);
    for (uint32_t i = 0; i < p->nfiles; i++) {
        const struct ir_file *f = &p->files[i];
        put_text(out, "file ");
        put_text(out, f->name ? f->name : "?");
        put(out, " bits %u count %u%s%s\n", f->bits, f->count, f->uniform ? " uniform" : "",
            f->preserved ? " preserved" : "");
    }
    for (uint32_t i = 0; i < p->nspaces; i++) {
        const struct ir_space *s = &p->spaces[i];
        put_text(out, "space ");
        put_text(out, s->name ? s->name : "?");
        put_text(out, " ");
        put_word(out, &ir_space_words, s->kind);
        put_text(out, " bounds ");
        put_word(out, &ir_bounds_words, s->bounds);
        put(out, " slot %u size %" PRIu64 "\n", s->slot, s->size);
    }
    for (uint32_t i = 0; i < p->nhelpers; i++) {
        put_text(out, "helper ");
        put_text(out, p->helpers[i].name ? p->helpers[i].name : "?");
        put_text(out, "\n");
    }
    for (uint32_t i = 0; i < p->ninsns; i++)
        put(out, "insn addr 0x%" PRIx64 " line %u row %u\n", p->insns[i].addr, p->insns[i].line, p->insns[i].row);
}

/* ---- operands of an op ---- */

static void put_component(struct printer *out, uint64_t component)
{
    put_text(out, ".");
    put_word(out, &ir_component_words, component);
}

/* NAME[elem]+shift:part, or NAME[elem + index * stride, first..last]+shift:part. The part's type is left out
 * when it is the value's own. */
static void put_reg(struct printer *out, const struct ir_op *op)
{
    const struct ir_program *p = out->p;
    const ir_value *args = ir_args(p, op);
    bool dyn = ir_reg_indexed(op->code);
    if (op->desc >= p->nregs || p->regs[op->desc].file >= p->nfiles || !p->files[p->regs[op->desc].file].name) {
        put_text(out, "?");
        return;
    }
    const struct ir_reg *r = &p->regs[op->desc];
    put_text(out, p->files[r->file].name);
    put_number(out, "[", r->elem);
    if (dyn) {
        put_text(out, " + ");
        put_value(out, op->nargs ? args[0] : 0);
        put(out, " * %d, %d..%d", r->stride, r->first, r->last);
    }
    put_text(out, "]");
    if (r->shift)
        put(out, "+%u", r->shift);
    ir_value data = op->nargs ? args[op->nargs - 1] : 0;
    unsigned type = op->nres ? op->type : data < p->nvalues ? p->value_type[data] : IR_VOID;
    if (r->part != type)
        put(out, ":%s", ir_type_name((enum ir_type)r->part));
}

/* SPACE[address + offset]:element align n */
static void put_mem(struct printer *out, const struct ir_op *op)
{
    const struct ir_program *p = out->p;
    if (op->desc >= p->nmems || p->mems[op->desc].space >= p->nspaces || !p->spaces[p->mems[op->desc].space].name) {
        put_text(out, "?");
        return;
    }
    const struct ir_mem *m = &p->mems[op->desc];
    put_text(out, p->spaces[m->space].name);
    put_text(out, "[");
    put_value(out, op->nargs ? ir_args(p, op)[0] : 0);
    uint64_t size = m->offset < 0 ? 0 - (uint64_t)m->offset : (uint64_t)m->offset;
    put(out, " %c %" PRIu64 "]:%s", m->offset < 0 ? '-' : '+', size, ir_type_name((enum ir_type)m->elem));
    if (m->align)
        put(out, " align %u", m->align);
}

static void put_texture(struct printer *out, uint32_t desc)
{
    if (desc >= out->p->ntextures) {
        put_text(out, "?");
        return;
    }
    const struct ir_texture *t = &out->p->textures[desc];
    put_word(out, &ir_tex_op_words, t->op);
    put_text(out, " ");
    put_word(out, &ir_tex_dim_words, t->dim);
    put(out, "%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s", t->array ? " array" : "", t->shadow ? " shadow" : "",
        t->multisample ? " multisample" : "", t->has_offset ? " offset" : "", t->zero_lod ? " zero_lod" : "",
        t->texel_coords ? " texel_coords" : "", t->gather_level ? " gather_level" : "", t->as_bound ? " as_bound" : "",
        t->no_bias ? " no_bias" : "", t->compares ? " compares" : "", t->fixed_words ? " fixed_words" : "",
        t->fixed_floats ? " fixed_floats" : "", t->half_floats ? " half_floats" : "", t->min_lod ? " min_lod" : "",
        t->view_arg ? " view_arg" : "", t->sampler_arg ? " sampler_arg" : "");
    if (t->registers)
        put(out, " registers %u", t->registers);
    put_component(out, t->gather_component);
    put(out, " view %u sampler %u", t->view, t->sampler);
}

static void put_image(struct printer *out, uint32_t desc)
{
    if (desc >= out->p->nimages) {
        put_text(out, "?");
        return;
    }
    const struct ir_image *i = &out->p->images[desc];
    put_word(out, &ir_binding_words, i->binding);
    put(out, " %u ", i->image);
    put_word(out, &ir_tex_dim_words, i->dim);
    put(out, "%s%s%s%s", i->array ? " array" : "", i->multisample ? " multisample" : "", i->is_float ? " float" : "",
        i->image_arg ? " image_arg" : "");
    if (i->raw)
        put(out, " raw %u", i->mask);
    put_text(out, " ");
    put_word(out, &ir_atomic_words, i->atomic);
    put(out, " format %u", i->format);
}

static void put_control(struct printer *out, uint32_t desc)
{
    if (desc >= out->p->ncontrols) {
        put_text(out, "?");
        return;
    }
    const struct ir_control *c = &out->p->controls[desc];
    static const char *const ways[] = {[IR_WAY_ASK] = "", [IR_WAY_SPLIT] = " split", [IR_WAY_MEET] = " meet"};
    put(out, "%u 0x%" PRIx64 "%s%s%s [", c->op, c->imm, c->direct_none ? " direct_none" : "",
        c->direct_all ? " direct_all" : "", c->way <= IR_WAY_MEET ? ways[c->way] : " ?");
    for (unsigned i = 0; i < c->ntargets && i < IR_TARGETS; i++)
        put(out, "%sb%u", i ? " " : "", c->target[i]);
    put_text(out, "]");
}

/* One of an op's desc and imm; false when there is nothing to print. */
static bool put_operand(struct printer *out, const struct ir_op *op, enum ir_operand kind, uint64_t value)
{
    switch (kind) {
    case IR_OPERAND_NONE:
        return false;
    case IR_OPERAND_REG:
        put_reg(out, op);
        break;
    case IR_OPERAND_MEM:
        put_mem(out, op);
        break;
    case IR_OPERAND_TEXTURE:
        put_texture(out, op->desc);
        break;
    case IR_OPERAND_IMAGE:
        put_image(out, op->desc);
        break;
    case IR_OPERAND_CONTROL:
        put_control(out, op->desc);
        break;
    case IR_OPERAND_HELPER:
        put_text(out, value < out->p->nhelpers && out->p->helpers[value].name ? out->p->helpers[value].name : "?");
        break;
    case IR_OPERAND_BLOCK:
        put(out, "b%" PRIu64, value);
        break;
    case IR_OPERAND_BITS:
        put(out, "0x%" PRIx64, value);
        break;
    case IR_OPERAND_COMPONENT:
        put_component(out, value);
        break;
    case IR_OPERAND_OP:
        put_word(out, &ir_op_words, value);
        break;
    case IR_OPERAND_ATOMIC:
        put_word(out, &ir_atomic_words, value);
        break;
    case IR_OPERAND_SYSVAL:
        put_word(out, &ir_sysval_words, value);
        break;
    case IR_OPERAND_SERVICE:
        put_word(out, &ir_service_words, value);
        break;
    case IR_OPERAND_INPUT:
    case IR_OPERAND_OUTPUT:
    case IR_OPERAND_NUMBER:
    case IR_OPERAND_QUAD:
    case IR_OPERAND_STREAM:
        put(out, "%" PRIu64, value);
        break;
    }
    return true;
}

/* ---- ops ---- */

static void put_attr(struct printer *out, const struct ir_op *op)
{
    if (op->code == IR_INTERP) {
        put_text(out, " ");
        put_word(out, &ir_interp_words, op->attr & 15u);
        put_text(out, " ");
        put_word(out, &ir_location_words, op->attr >> 4);
        return;
    }
    for (unsigned i = 0; i < IR_ATTR_WORDS; i++)
        if ((op->attr & ir_attr_words[i].mask) == ir_attr_words[i].value)
            put(out, ".%s", ir_attr_words[i].text);
}

/* The value of a float constant, for the reader. */
static void put_comment(struct printer *out, const struct ir_op *op)
{
    uint32_t low = (uint32_t)op->imm;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &op->imm, sizeof d);
    char text[DECIMAL_MAX];
    if (op->type == IR_F32)
        put(out, "  # %s", decimal_general((double)f, 9, text));
    else if (op->type == IR_F64)
        put(out, "  # %s", decimal_general(d, 17, text));
}

static void put_results(struct printer *out, const struct ir_op *op, ir_value *next)
{
    const struct ir_program *p = out->p;
    const char *sigil = op->uniform ? "$" : "%";
    if (!op->nres)
        return;
    for (unsigned i = 0; i < op->nres; i++) {
        uint64_t v = (uint64_t)op->res + i;
        if (v < p->nvalues && !out->number[v])
            out->number[v] = *next + i;
    }
    put_number(out, sigil, *next);
    if (op->nres > 1) {
        put_text(out, "..");
        put_number(out, sigil, *next + op->nres - 1);
    }
    put_text(out, " = ");
    put_text(out, ir_type_name((enum ir_type)op->type));
    put_text(out, " ");
    *next += op->nres;
}

/* Operands in the order that reads best; how many of the arguments they hold. */
static unsigned put_operands(struct printer *out, const struct ir_op *op, bool *any)
{
    struct ir_operands kinds = ir_operands[op->code];
    unsigned held = 0;
    if (kinds.desc == IR_OPERAND_NONE && kinds.imm == IR_OPERAND_NONE)
        return 0;
    *any = true;
    put_text(out, " ");
    switch (op->code) {
    case IR_BRANCH:
        put_value(out, op->nargs ? ir_args(out->p, op)[0] : 0);
        put(out, ", b%u, b%" PRIu64, op->desc, op->imm);
        return 1;
    case IR_ATOMIC: /* imm first */
    case IR_SYSVAL:
    case IR_SERVICE:
        put_operand(out, op, (enum ir_operand)kinds.imm, op->imm);
        if (op->code != IR_SYSVAL)
            put_text(out, " ");
        put_operand(out, op, ir_desc_operand(op->code, op->imm), op->desc);
        break;
    case IR_HELPER:
    case IR_PROBE:
    case IR_BARRIER:
        put_operand(out, op, (enum ir_operand)kinds.desc, op->desc);
        put(out, " 0x%" PRIx64, op->imm);
        break;
    default:
        put_operand(out, op, (enum ir_operand)kinds.desc, op->desc);
        put_operand(out, op, (enum ir_operand)kinds.imm, op->imm);
    }
    if (kinds.desc == IR_OPERAND_MEM || ir_reg_indexed(op->code))
        held = 1;
    return held;
}

static void put_op(struct printer *out, const struct ir_op *op, ir_value *next)
{
    const struct ir_program *p = out->p;
    bool any = false; /* something is printed after the op's name */
    put_text(out, "  ");
    put_results(out, op, next);
    if (op->code >= IR_OPCODES || op->args > p->npool || op->nargs > p->npool - op->args) {
        put_text(out, "?\n");
        return;
    }
    put_text(out, ir_op_info[op->code].text);
    if (op->code != IR_INTERP)
        put_attr(out, op);
    unsigned held = put_operands(out, op, &any);
    if (op->code == IR_INTERP)
        put_attr(out, op);
    for (unsigned i = held; i < op->nargs; i++) {
        put_text(out, any ? ", " : " ");
        put_value(out, ir_args(p, op)[i]);
        any = true;
    }
    if (op->pred) {
        put_text(out, " if ");
        put_value(out, op->pred);
    }
    if (op->code == IR_CONST)
        put_comment(out, op);
    put_text(out, "\n");
}

static void put_block(struct printer *out, uint32_t index, ir_value *next)
{
    const struct ir_block *b = &out->p->blocks[index];
    uint32_t insn = 0;
    put(out, "block %u", index);
    if (b->addr || b->insn || b->insns)
        put(out, " addr 0x%" PRIx64 " insn %u insns %u", b->addr, b->insn, b->insns);
    put_text(out, "\n");
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->ops[i].insn != insn)
            put(out, "  @%u\n", b->ops[i].insn);
        insn = b->ops[i].insn;
        put_op(out, &b->ops[i], next);
    }
}

char *ir_print(const struct ir_program *p, struct arena *arena, size_t *length)
{
    struct arena scratch = {0};
    struct printer out = {.p = p, .arena = arena};
    ir_value next = 1;
    out.number = ARENA_ARRAY(&scratch, ir_value, p->nvalues);
    if (out.number) {
        put_tables(&out);
        for (uint32_t i = 0; i < p->nblocks; i++)
            put_block(&out, i, &next);
    }
    bool ok = out.number && !out.failed;
    arena_free(&scratch);
    if (length)
        *length = ok ? out.size : 0;
    return ok ? out.text : NULL;
}
