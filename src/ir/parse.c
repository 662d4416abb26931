/* parse.c - reading the text form (its shape: print.c; its words and numbers: scan.c). The parser keeps to syntax: what
 * it makes is safe to print and to verify, and only ir_verify says whether it is a program. */
#include "ir/parse.h"

#include "ir/build.h"
#include "ir/program.h"

#include <string.h>

enum { NAMES = 256 /* most files, spaces or helpers, as in the verifier */, ARGS = 255, RESULTS = 255 };

/* ---- tables ---- */

static bool parse_slot(struct ir_parser *ps, bool output)
{
    struct ir_slot s = {0};
    unsigned semantic = 0, interp = 0, location = 0;
    bool ok = ir_take_word(ps, &ir_semantic_words, &semantic) && ir_expect(ps, '[') && ir_take_u16(ps, &s.index) &&
              ir_expect(ps, ']') && ir_take_word(ps, &ir_interp_words, &interp) &&
              ir_take_word(ps, &ir_location_words, &location) && ir_expect_word(ps, "mask") && ir_take_u8(ps, &s.mask);
    if (ok && ir_accept_word(ps, "stream"))
        for (unsigned i = 0; i < 4 && ok; i++)
            ok = ir_take_u8(ps, &s.stream[i]);
    if (!ok)
        return false;
    s.halves = ir_accept_word(ps, "halves_xy") ? 1 : ir_accept_word(ps, "halves_zw") ? 2 : 0;
    if (ir_accept_word(ps, "corner") && !ir_take_u8(ps, &s.corner))
        return false;
    if (ir_accept_word(ps, "convert") && !ir_take_u8(ps, &s.convert))
        return false;
    s.patch = ir_accept_word(ps, "patch");
    s.invariant = ir_accept_word(ps, "invariant");
    s.semantic = (uint8_t)semantic;
    s.interp = (uint8_t)interp;
    s.location = (uint8_t)location;
    if (output)
        ir_add_output(ps->p, s);
    else
        ir_add_input(ps->p, s);
    return true;
}

static bool parse_file(struct ir_parser *ps)
{
    struct ir_file f = {.name = ir_take_name(ps)};
    if (!f.name || !ir_expect_word(ps, "bits") || !ir_take_u32(ps, UINT32_MAX, &f.bits) ||
        !ir_expect_word(ps, "count") || !ir_take_u32(ps, UINT32_MAX, &f.count))
        return false;
    f.uniform = ir_accept_word(ps, "uniform");
    f.preserved = ir_accept_word(ps, "preserved");
    if (ps->p->nfiles >= NAMES)
        return ir_fail(ps, ps->at, 1, NULL, "too many register files");
    ir_add_file(ps->p, f);
    return true;
}

static bool parse_space(struct ir_parser *ps)
{
    struct ir_space s = {.name = ir_take_name(ps)};
    unsigned kind = 0, bounds = 0;
    if (!s.name || !ir_take_word(ps, &ir_space_words, &kind) || !ir_expect_word(ps, "bounds") ||
        !ir_take_word(ps, &ir_bounds_words, &bounds) || !ir_expect_word(ps, "slot") || !ir_take_u16(ps, &s.slot) ||
        !ir_expect_word(ps, "size") || !ir_take_u64(ps, UINT64_MAX, &s.size))
        return false;
    s.kind = (uint8_t)kind;
    s.bounds = (uint8_t)bounds;
    if (ps->p->nspaces >= NAMES)
        return ir_fail(ps, ps->at, 1, NULL, "too many address spaces");
    ir_add_space(ps->p, s);
    return true;
}

static bool parse_helper(struct ir_parser *ps)
{
    struct ir_helper h = {.name = ir_take_name(ps)}; /* its function is looked up by name by the caller */
    if (!h.name)
        return false;
    if (ps->p->nhelpers >= NAMES)
        return ir_fail(ps, ps->at, 1, NULL, "too many helpers");
    ir_add_helper(ps->p, h);
    return true;
}

static bool parse_property(struct ir_parser *ps)
{
    uint32_t value;
    for (unsigned i = 0; i < IR_PROPERTIES; i++) {
        const struct ir_property *property = &ir_properties[i];
        if (!ir_accept_word(ps, property->name))
            continue;
        if (!ir_take_u32(ps, property->flag ? 1 : property->size == 1 ? UINT8_MAX : UINT16_MAX, &value))
            return false;
        ir_property_set(&ps->p->io, property, value);
        return true;
    }
    return ir_expected(ps, "a property");
}

static bool parse_insn(struct ir_parser *ps, size_t *cap)
{
    struct ir_insn n = {0};
    uint32_t row;
    if (!ir_expect_word(ps, "addr") || !ir_take_u64(ps, UINT64_MAX, &n.addr) || !ir_expect_word(ps, "line") ||
        !ir_take_u32(ps, UINT32_MAX, &n.line) || !ir_expect_word(ps, "row") || !ir_take_u32(ps, UINT16_MAX, &row))
        return false;
    n.row = (uint16_t)row;
    struct ir_program *p = ps->p;
    struct ir_insn *list = arena_grow(ps->arena, p->insns, sizeof *list, p->ninsns, cap, (size_t)p->ninsns + 1);
    if (!list)
        return false;
    p->insns = list;
    p->insns[p->ninsns++] = n;
    return true;
}

/* ---- values ---- */

static bool take_sigil(struct ir_parser *ps, bool *uniform)
{
    *uniform = ir_accept(ps, '$');
    return *uniform || ir_accept(ps, '%');
}

/* A value's number. It may not be larger than the text is long (or 65535), so that memory stays proportional. */
static bool take_number(struct ir_parser *ps, uint32_t *number)
{
    uint64_t most = ps->src->size > UINT16_MAX ? ps->src->size : UINT16_MAX, value = 0;
    bool ok = ir_take_u64(ps, most < UINT32_MAX - RESULTS ? most : UINT32_MAX - RESULTS, &value);
    *number = (uint32_t)value;
    return ok;
}

static bool take_value(struct ir_parser *ps, ir_value *out)
{
    bool uniform;
    uint32_t number;
    ir_skip(ps);
    size_t start = ps->at;
    if (!take_sigil(ps, &uniform))
        return ir_expected(ps, "a value");
    if (!take_number(ps, &number))
        return false;
    *out = number < ps->nvalues ? ps->values[number] : 0;
    if (!*out)
        return ir_fail(ps, start, ps->at - start, NULL, "value used before it is defined");
    if (ps->p->value_uniform[*out] != uniform)
        return ir_fail(ps, start, ps->at - start, uniform ? "write % for lane values" : "write $ for uniform values",
                    uniform ? "the value is one for each lane" : "the value is uniform");
    return true;
}

static bool define_values(struct ir_parser *ps, uint32_t first, const struct ir_op *op)
{
    uint32_t need = first + op->nres;
    if (need > ps->nvalues) {
        ir_value *values = arena_grow(ps->arena, ps->values, sizeof *values, ps->nvalues, &ps->values_cap, need);
        if (!values)
            return false;
        memset(values + ps->nvalues, 0, (need - ps->nvalues) * sizeof *values);
        ps->values = values;
        ps->nvalues = need;
    }
    for (uint32_t i = 0; i < op->nres; i++) {
        if (ps->values[first + i])
            return ir_fail(ps, ps->at, 1, NULL, "value defined twice");
        ps->values[first + i] = op->res + i;
    }
    memset(ps->p->value_uniform + op->res, op->uniform, op->nres);
    return true;
}

/* ---- operands ---- */

struct op_args {
    ir_value list[ARGS];
    unsigned count;
};

static bool take_arg(struct ir_parser *ps, struct op_args *args)
{
    if (args->count >= ARGS)
        return ir_expected(ps, "fewer arguments");
    return take_value(ps, &args->list[args->count++]);
}

#define FIND(ps, table, out, what)                                                                                     \
    do {                                                                                                               \
        for (uint32_t i_ = 0; i_ < (ps)->p->n##table; i_++)                                                            \
            if (ir_accept_word((ps), (ps)->p->table[i_].name)) {                                                       \
                *(out) = i_;                                                                                           \
                return true;                                                                                           \
            }                                                                                                          \
        return ir_expected((ps), what);                                                                                \
    } while (0)

static bool find_file(struct ir_parser *ps, uint32_t *out) { FIND(ps, files, out, "the name of a register file"); }

static bool find_space(struct ir_parser *ps, uint32_t *out) { FIND(ps, spaces, out, "the name of an address space"); }

static bool find_helper(struct ir_parser *ps, uint32_t *out) { FIND(ps, helpers, out, "the name of a helper"); }

static bool take_block(struct ir_parser *ps, uint32_t *out)
{
    ir_skip(ps);
    if (ps->failed || ir_peek(ps) != 'b')
        return ir_expected(ps, "a block");
    ps->at++;
    return ir_take_u32(ps, UINT32_MAX, out);
}

/* The part stays void when the text leaves it to the type of the value: see settle_part. */
static bool parse_reg(struct ir_parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_reg r = {0};
    uint32_t file = 0;
    unsigned part = IR_VOID;
    bool dyn = ir_reg_indexed(op->code);
    if (!find_file(ps, &file) || !ir_expect(ps, '[') || !ir_take_u32(ps, UINT32_MAX, &r.elem))
        return false;
    if (dyn && (!ir_expect(ps, '+') || !take_arg(ps, args) || !ir_expect(ps, '*') || !ir_take_i32(ps, &r.stride) ||
                !ir_expect(ps, ',') || !ir_take_i32(ps, &r.first) || !ir_expect(ps, '.') || !ir_expect(ps, '.') ||
                !ir_take_i32(ps, &r.last)))
        return false;
    if (!ir_expect(ps, ']') || (ir_accept(ps, '+') && !ir_take_u8(ps, &r.shift)))
        return false;
    if (ir_accept(ps, ':') && !ir_take_word(ps, &ir_type_words, &part))
        return false;
    r.file = (uint16_t)file;
    r.part = (uint8_t)part;
    op->desc = ir_add_reg(ps->p, r);
    return !arena_failed(ps->arena);
}

static void settle_part(struct ir_parser *ps, const struct ir_op *op, const struct op_args *args)
{
    struct ir_reg *r = &ps->p->regs[op->desc];
    if (r->part != IR_VOID)
        return;
    if (op->nres)
        r->part = op->type;
    else if (args->count)
        r->part = ps->p->value_type[args->list[args->count - 1]];
}

static bool parse_mem(struct ir_parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_mem m = {0};
    uint32_t space = 0;
    unsigned elem = 0;
    uint64_t offset = 0;
    if (!find_space(ps, &space) || !ir_expect(ps, '[') || !take_arg(ps, args))
        return false;
    bool negative = ir_accept(ps, '-');
    if ((!negative && !ir_expect(ps, '+')) || !ir_take_u64(ps, (uint64_t)INT64_MAX + negative, &offset) ||
        !ir_expect(ps, ']') || !ir_expect(ps, ':') || !ir_take_word(ps, &ir_type_words, &elem) ||
        (ir_accept_word(ps, "align") && !ir_take_u8(ps, &m.align)))
        return false;
    m.space = (uint16_t)space;
    m.elem = (uint8_t)elem;
    m.offset = negative ? (int64_t)(0 - offset) : (int64_t)offset;
    op->desc = ir_add_mem(ps->p, m);
    return !arena_failed(ps->arena);
}

/* An access has as many elements as the op has results or data. */
static void settle_count(struct ir_parser *ps, const struct ir_op *op, const struct op_args *args)
{
    unsigned count = op->code == IR_LOAD ? op->nres : op->code == IR_STORE && args->count ? args->count - 1 : 1;
    ps->p->mems[op->desc].count = (uint8_t)count;
}

static bool parse_texture(struct ir_parser *ps, struct ir_op *op)
{
    struct ir_texture t = {0};
    unsigned tex_op = 0, dim = 0, component = 0;
    if (!ir_take_word(ps, &ir_tex_op_words, &tex_op) || !ir_take_word(ps, &ir_tex_dim_words, &dim))
        return false;
    t.array = ir_accept_word(ps, "array");
    t.shadow = ir_accept_word(ps, "shadow");
    t.multisample = ir_accept_word(ps, "multisample");
    t.has_offset = ir_accept_word(ps, "offset");
    t.zero_lod = ir_accept_word(ps, "zero_lod");
    t.texel_coords = ir_accept_word(ps, "texel_coords");
    t.gather_level = ir_accept_word(ps, "gather_level");
    t.as_bound = ir_accept_word(ps, "as_bound");
    t.no_bias = ir_accept_word(ps, "no_bias");
    t.compares = ir_accept_word(ps, "compares");
    t.fixed_words = ir_accept_word(ps, "fixed_words");
    t.fixed_floats = ir_accept_word(ps, "fixed_floats");
    t.half_floats = ir_accept_word(ps, "half_floats");
    t.min_lod = ir_accept_word(ps, "min_lod");
    t.view_arg = ir_accept_word(ps, "view_arg");
    t.sampler_arg = ir_accept_word(ps, "sampler_arg");
    uint16_t registers = 0;
    if (ir_accept_word(ps, "registers") && !ir_take_u16(ps, &registers))
        return false;
    t.registers = (uint8_t)registers;
    if (!ir_expect(ps, '.') || !ir_take_word(ps, &ir_component_words, &component) || !ir_expect_word(ps, "view") ||
        !ir_take_u16(ps, &t.view) || !ir_expect_word(ps, "sampler") || !ir_take_u16(ps, &t.sampler))
        return false;
    t.op = (uint8_t)tex_op;
    t.dim = (uint8_t)dim;
    t.gather_component = (uint8_t)component;
    op->desc = ir_add_texture(ps->p, t);
    return !arena_failed(ps->arena);
}

static bool parse_image(struct ir_parser *ps, struct ir_op *op)
{
    struct ir_image i = {0};
    unsigned binding = 0, dim = 0, atomic = 0;
    if (!ir_take_word(ps, &ir_binding_words, &binding) || !ir_take_u16(ps, &i.image) ||
        !ir_take_word(ps, &ir_tex_dim_words, &dim))
        return false;
    i.array = ir_accept_word(ps, "array");
    i.multisample = ir_accept_word(ps, "multisample");
    i.is_float = ir_accept_word(ps, "float");
    i.image_arg = ir_accept_word(ps, "image_arg");
    i.raw = ir_accept_word(ps, "raw");
    uint16_t mask = 0;
    if (i.raw && !ir_take_u16(ps, &mask))
        return false;
    i.mask = (uint8_t)mask;
    if (!ir_take_word(ps, &ir_atomic_words, &atomic) || !ir_expect_word(ps, "format") || !ir_take_u16(ps, &i.format))
        return false;
    i.binding = (uint8_t)binding;
    i.dim = (uint8_t)dim;
    i.atomic = (uint8_t)atomic;
    op->desc = ir_add_image(ps->p, i);
    return !arena_failed(ps->arena);
}

static bool parse_control(struct ir_parser *ps, struct ir_op *op)
{
    struct ir_control c = {0};
    if (!ir_take_u16(ps, &c.op) || !ir_take_u64(ps, UINT64_MAX, &c.imm))
        return false;
    c.direct_none = ir_accept_word(ps, "direct_none");
    c.direct_all = ir_accept_word(ps, "direct_all");
    c.way = ir_accept_word(ps, "split") ? IR_WAY_SPLIT : ir_accept_word(ps, "meet") ? IR_WAY_MEET : IR_WAY_ASK;
    if (!ir_expect(ps, '['))
        return false;
    while (!ir_accept(ps, ']')) {
        if (c.ntargets >= IR_TARGETS)
            return ir_expected(ps, "']'");
        if (!take_block(ps, &c.target[c.ntargets++]))
            return false;
    }
    op->desc = ir_add_control(ps->p, c);
    return !arena_failed(ps->arena);
}

static bool take_enum(struct ir_parser *ps, const struct ir_words *words, uint64_t *out)
{
    unsigned index = 0;
    bool ok = ir_take_word(ps, words, &index);
    *out = index;
    return ok;
}

static bool parse_operand(struct ir_parser *ps, enum ir_operand kind, struct ir_op *op, struct op_args *args,
                          uint64_t most, uint64_t *out)
{
    uint32_t small = 0;
    bool ok;
    *out = 0;
    switch (kind) {
    case IR_OPERAND_NONE:
        return true;
    case IR_OPERAND_REG:
        ok = parse_reg(ps, op, args);
        *out = op->desc;
        return ok;
    case IR_OPERAND_MEM:
        ok = parse_mem(ps, op, args);
        *out = op->desc;
        return ok;
    case IR_OPERAND_TEXTURE:
        ok = parse_texture(ps, op);
        *out = op->desc;
        return ok;
    case IR_OPERAND_IMAGE:
        ok = parse_image(ps, op);
        *out = op->desc;
        return ok;
    case IR_OPERAND_CONTROL:
        ok = parse_control(ps, op);
        *out = op->desc;
        return ok;
    case IR_OPERAND_HELPER:
        ok = find_helper(ps, &small);
        *out = small;
        return ok;
    case IR_OPERAND_BLOCK:
        ok = take_block(ps, &small);
        *out = small;
        return ok;
    case IR_OPERAND_COMPONENT:
        return ir_expect(ps, '.') && take_enum(ps, &ir_component_words, out);
    case IR_OPERAND_OP:
        return take_enum(ps, &ir_op_words, out);
    case IR_OPERAND_ATOMIC:
        return take_enum(ps, &ir_atomic_words, out);
    case IR_OPERAND_SYSVAL:
        return take_enum(ps, &ir_sysval_words, out);
    case IR_OPERAND_SERVICE:
        return take_enum(ps, &ir_service_words, out);
    case IR_OPERAND_BITS:
    case IR_OPERAND_NUMBER:
    case IR_OPERAND_INPUT:
    case IR_OPERAND_OUTPUT:
    case IR_OPERAND_QUAD:
    case IR_OPERAND_STREAM:
        break;
    }
    return ir_take_u64(ps, most, out);
}

/* The desc and imm of an op in the order that the printer writes them. */
static bool parse_operands(struct ir_parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_operands kinds = ir_operands[op->code];
    uint64_t desc = 0, imm = 0;
    bool ok;
    if (op->code == IR_BRANCH)
        ok = take_arg(ps, args) && ir_expect(ps, ',') &&
             parse_operand(ps, IR_OPERAND_BLOCK, op, args, UINT32_MAX, &desc) && ir_expect(ps, ',') &&
             parse_operand(ps, IR_OPERAND_BLOCK, op, args, UINT32_MAX, &imm);
    else if (op->code == IR_ATOMIC || op->code == IR_SYSVAL || op->code == IR_SERVICE)
        ok = parse_operand(ps, (enum ir_operand)kinds.imm, op, args, UINT64_MAX, &imm) &&
             parse_operand(ps, ir_desc_operand(op->code, imm), op, args, UINT32_MAX, &desc);
    else
        ok = parse_operand(ps, (enum ir_operand)kinds.desc, op, args, UINT32_MAX, &desc) &&
             parse_operand(ps, (enum ir_operand)kinds.imm, op, args, UINT64_MAX, &imm);
    op->desc = (uint32_t)desc;
    op->imm = imm;
    return ok;
}

/* ---- ops ---- */

static bool parse_attr(struct ir_parser *ps, struct ir_op *op)
{
    while (ir_accept(ps, '.')) {
        unsigned i = 0;
        while (i < IR_ATTR_WORDS && !ir_accept_word(ps, ir_attr_words[i].text))
            i++;
        if (i == IR_ATTR_WORDS)
            return ir_expected(ps, "an attribute");
        op->attr = (uint16_t)(op->attr | ir_attr_words[i].value);
    }
    return !ps->failed;
}

static bool parse_interpolation(struct ir_parser *ps, struct ir_op *op)
{
    unsigned interp = 0, location = 0;
    if (!ir_take_word(ps, &ir_interp_words, &interp) || !ir_take_word(ps, &ir_location_words, &location))
        return false;
    op->attr = (uint16_t)(interp | location << 4);
    return true;
}

static bool parse_args(struct ir_parser *ps, struct op_args *args, bool any)
{
    if (!any && (ir_at_line_end(ps) || ir_next_is(ps, "if")))
        return true;
    if (!any && !take_arg(ps, args))
        return false;
    while (ir_accept(ps, ','))
        if (!take_arg(ps, args))
            return false;
    return !ps->failed;
}

/* "%4 = f32" or "%4..%7 = f32": the number of the first result and how many. */
static bool parse_results(struct ir_parser *ps, struct ir_op *op, uint32_t *first)
{
    bool uniform, same;
    uint32_t last;
    unsigned type = 0;
    size_t start = ps->at;
    if (!take_sigil(ps, &uniform))
        return true;
    if (!take_number(ps, first))
        return false;
    last = *first;
    if (ir_accept(ps, '.') && (!ir_expect(ps, '.') || !take_sigil(ps, &same) || !take_number(ps, &last)))
        return ir_expected(ps, "the last of the results");
    if (last < *first || last - *first >= RESULTS)
        return ir_fail(ps, start, ps->at - start, NULL, "wrong number of results");
    if (!ir_expect(ps, '=') || !ir_take_word(ps, &ir_type_words, &type))
        return false;
    op->type = (uint8_t)type;
    op->nres = (uint8_t)(last - *first + 1);
    op->uniform = uniform;
    return true;
}

static bool parse_op(struct ir_parser *ps)
{
    struct ir_op op = {.insn = ps->insn};
    struct op_args args;
    args.count = 0;
    uint32_t first = 0;
    unsigned code = 0;
    if (!parse_results(ps, &op, &first) || !ir_take_word(ps, &ir_op_words, &code))
        return false;
    op.code = (uint16_t)code;
    struct ir_operands kinds = ir_operands[code];
    bool any = kinds.desc != IR_OPERAND_NONE || kinds.imm != IR_OPERAND_NONE;
    if ((code != IR_INTERP && !parse_attr(ps, &op)) || !parse_operands(ps, &op, &args) ||
        (code == IR_INTERP && !parse_interpolation(ps, &op)) || !parse_args(ps, &args, any))
        return false;
    if (ir_accept_word(ps, "if") && !take_value(ps, &op.pred))
        return false;
    if (!ir_at_line_end(ps))
        return ir_expected(ps, "the end of the line");
    if (kinds.desc == IR_OPERAND_REG)
        settle_part(ps, &op, &args);
    if (kinds.desc == IR_OPERAND_MEM)
        settle_count(ps, &op, &args);
    if (op.nres) {
        op.res = ir_add_values(ps->p, (enum ir_type)op.type, op.nres);
        if (!op.res || !define_values(ps, first, &op))
            return false;
    }
    return ir_append(ps->p, ps->p->nblocks - 1, &op, args.list, args.count);
}

/* ---- lines ---- */

static bool parse_block(struct ir_parser *ps)
{
    uint32_t number;
    size_t start = ps->at;
    if (!ir_take_u32(ps, UINT32_MAX, &number))
        return false;
    if (number != ps->p->nblocks)
        return ir_fail(ps, start, ps->at - start, NULL, "blocks are numbered 0, 1, 2, ... in order");
    uint32_t index = ir_new_block(ps->p);
    if (arena_failed(ps->arena))
        return false;
    struct ir_block *b = &ps->p->blocks[index];
    ps->insn = 0;
    return !ir_accept_word(ps, "addr") ||
           (ir_take_u64(ps, UINT64_MAX, &b->addr) && ir_expect_word(ps, "insn") &&
            ir_take_u32(ps, UINT32_MAX, &b->insn) && ir_expect_word(ps, "insns") &&
            ir_take_u32(ps, UINT32_MAX, &b->insns));
}

static bool parse_declaration(struct ir_parser *ps, size_t *insns_cap)
{
    if (ir_accept_word(ps, "property"))
        return parse_property(ps);
    if (ir_next_is(ps, "input") || ir_next_is(ps, "output")) {
        bool output = ir_next_is(ps, "output");
        ps->at += output ? strlen("output") : strlen("input");
        return parse_slot(ps, output);
    }
    if (ir_accept_word(ps, "file"))
        return parse_file(ps);
    if (ir_accept_word(ps, "space"))
        return parse_space(ps);
    if (ir_accept_word(ps, "helper"))
        return parse_helper(ps);
    if (ir_accept_word(ps, "insn"))
        return parse_insn(ps, insns_cap);
    return ir_expected(ps, "property, input, output, file, space, helper, insn or block");
}

static bool parse_header(struct ir_parser *ps)
{
    unsigned stage = 0, lanes = 0;
    while (ir_at_line_end(ps) && ir_peek(ps) == '\n')
        ps->at++;
    if (!ir_expect_word(ps, "ir"))
        return false;
    const char *isa = ir_take_name(ps);
    if (!isa || !ir_take_word(ps, &ir_stage_words, &stage) || !ir_expect_word(ps, "lanes") ||
        !ir_take_u32(ps, UINT16_MAX, &lanes))
        return false;
    ps->p = ir_program_new(ps->arena, isa, (enum ir_stage)stage, lanes);
    if (!ps->p)
        return false;
    ps->p->precise = ir_accept_word(ps, "precise");
    ps->p->nblocks = 0; /* the text declares them all */
    return true;
}

static bool parse_lines(struct ir_parser *ps)
{
    size_t insns_cap = 0;
    bool ok = parse_header(ps);
    while (ok && ir_peek(ps) >= 0) {
        if (!ir_at_line_end(ps)) {
            ok = ir_expected(ps, "the end of the line");
            break;
        }
        if (ir_peek(ps) < 0)
            break;
        ps->at++; /* the newline */
        if (ir_at_line_end(ps))
            continue;
        if (ir_accept_word(ps, "block"))
            ok = parse_block(ps);
        else if (ps->p->nblocks == 0)
            ok = parse_declaration(ps, &insns_cap);
        else if (ir_accept(ps, '@'))
            ok = ir_take_u32(ps, UINT32_MAX, &ps->insn);
        else
            ok = parse_op(ps);
    }
    return ok && !ps->failed;
}

weft_status ir_parse(const struct source *src, struct arena *arena, struct ir_program **out, weft_diags *diags)
{
    struct ir_parser ps = {.src = src, .arena = arena, .diags = diags};
    *out = NULL;
    if (src->size > INT32_MAX) {
        diag_add(diags, WEFT_ERROR, "too-large", src->name, NULL, "larger than 2 GB");
        return WEFT_ERROR_INPUT;
    }
    bool ok = parse_lines(&ps);
    if (arena_failed(arena)) {
        if (!ps.failed)
            diag_add(diags, WEFT_ERROR, "memory", src->name, NULL, "out of memory");
        return WEFT_ERROR_MEMORY;
    }
    if (!ok)
        return WEFT_ERROR_INPUT;
    *out = ps.p;
    return WEFT_OK;
}
