/* parse.c - reading the text form (its shape: print.c). The parser keeps to syntax: what it makes is safe to
 * print and to verify, and only ir_verify says whether it is a program. */
#include "ir/ir.h"

#include "ir/build.h"
#include "ir/program.h"
#include "ir/words.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 256 /* most files, spaces or helpers, as in the verifier */, ARGS = 255, RESULTS = 255 };

struct parser {
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    struct ir_program *p;
    size_t at;
    ir_value *values; /* by number in the text */
    size_t values_cap;
    uint32_t nvalues;
    uint32_t insn;    /* of the ops that follow */
    bool failed;      /* the first fault has been reported */
};

/* ---- characters and words ---- */

static bool fail(struct parser *ps, size_t at, size_t length, const char *hint, const char *message)
{
    if (!ps->failed)
        diag_at(ps->diags, WEFT_ERROR, "ir-syntax", ps->src, (struct span){(uint32_t)at, (uint32_t)length}, hint, "%s", message);
    ps->failed = true;
    return false;
}

static bool expected(struct parser *ps, const char *what)
{
    if (ps->failed)
        return false;
    diag_at(ps->diags, WEFT_ERROR, "ir-syntax", ps->src, (struct span){(uint32_t)ps->at, 1}, NULL, "expected %s", what);
    ps->failed = true;
    return false;
}

static int peek(const struct parser *ps)
{
    return ps->at < ps->src->size ? (unsigned char)ps->src->text[ps->at] : -1;
}

/* Skip blanks and a comment; stops at the end of the line. */
static void skip(struct parser *ps)
{
    while (peek(ps) == ' ' || peek(ps) == '\t' || peek(ps) == '\r')
        ps->at++;
    if (peek(ps) == '#')
        while (peek(ps) != '\n' && peek(ps) >= 0)
            ps->at++;
}

static bool accept(struct parser *ps, char c)
{
    skip(ps);
    if (ps->failed || peek(ps) != c)
        return false;
    ps->at++;
    return true;
}

static bool expect(struct parser *ps, char c)
{
    char what[] = "'?'";
    what[1] = c;
    return accept(ps, c) || expected(ps, what);
}

static bool at_line_end(struct parser *ps)
{
    skip(ps);
    return peek(ps) == '\n' || peek(ps) < 0;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }

static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* The word at the current place, without taking it; its length, 0 when there is none. */
static size_t word_length(struct parser *ps)
{
    skip(ps);
    size_t end = ps->at;
    if (!is_letter(peek(ps)))
        return 0;
    while (end < ps->src->size && (is_letter((unsigned char)ps->src->text[end]) || is_digit((unsigned char)ps->src->text[end])))
        end++;
    return end - ps->at;
}

static bool next_is(struct parser *ps, const char *word)
{
    size_t n = word_length(ps);
    return !ps->failed && n && n == strlen(word) && !memcmp(ps->src->text + ps->at, word, n);
}

static bool accept_word(struct parser *ps, const char *word)
{
    if (!next_is(ps, word))
        return false;
    ps->at += strlen(word);
    return true;
}

static bool expect_word(struct parser *ps, const char *word)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return accept_word(ps, word) || expected(ps, quoted);
}

/* A word of a list; its index into *out. */
static bool take_word(struct parser *ps, const struct ir_words *words, unsigned *out)
{
    size_t n = word_length(ps);
    if (ps->failed || !n)
        return expected(ps, words->what);
    const char *at = ps->src->text + ps->at;
    for (unsigned i = 0; i < words->count; i++) {
        if (words->list[i][0] == at[0] && strlen(words->list[i]) == n && !memcmp(words->list[i], at, n)) {
            ps->at += n;
            *out = i;
            return true;
        }
    }
    char message[64];
    snprintf(message, sizeof message, "not %s", words->what);
    const char *near = nearest_word(at, n, words->list, words->count);
    const char *hint = near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL;
    return fail(ps, ps->at, n, hint, message);
}

/* A name that the text declares, copied. */
static const char *take_name(struct parser *ps)
{
    size_t n = word_length(ps);
    if (ps->failed || !n) {
        expected(ps, "a name");
        return NULL;
    }
    const char *name = arena_strndup(ps->arena, ps->src->text + ps->at, n);
    ps->at += n;
    return name;
}

/* ---- numbers ---- */

static int digit_of(int c, unsigned base)
{
    int d = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    return d >= 0 && (unsigned)d < base ? d : -1;
}

static bool take_u64(struct parser *ps, uint64_t most, uint64_t *out)
{
    skip(ps);
    size_t start = ps->at;
    uint64_t value = 0;
    unsigned base = 10;
    bool over = false;
    if (ps->failed || !is_digit(peek(ps)))
        return expected(ps, "a number");
    if (peek(ps) == '0' && ps->at + 1 < ps->src->size && (ps->src->text[ps->at + 1] | 32) == 'x') {
        ps->at += 2;
        base = 16;
        if (digit_of(peek(ps), 16) < 0)
            return expected(ps, "hexadecimal digits");
    }
    for (int d; (d = digit_of(peek(ps), base)) >= 0; ps->at++) {
        over |= value > (UINT64_MAX - (unsigned)d) / base;
        value = value * base + (unsigned)d;
    }
    if (over || value > most)
        return fail(ps, start, ps->at - start, NULL, "number out of range");
    *out = value;
    return true;
}

static bool take_u32(struct parser *ps, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    bool ok = take_u64(ps, most, &value);
    *out = (uint32_t)value;
    return ok;
}

static bool take_u16(struct parser *ps, uint16_t *out)
{
    uint64_t value = 0;
    bool ok = take_u64(ps, UINT16_MAX, &value);
    *out = (uint16_t)value;
    return ok;
}

static bool take_u8(struct parser *ps, uint8_t *out)
{
    uint64_t value = 0;
    bool ok = take_u64(ps, UINT8_MAX, &value);
    *out = (uint8_t)value;
    return ok;
}

static bool take_i32(struct parser *ps, int32_t *out)
{
    bool negative = accept(ps, '-');
    uint64_t value = 0;
    bool ok = take_u64(ps, (uint64_t)INT32_MAX + negative, &value);
    *out = (int32_t)(negative ? -(int64_t)value : (int64_t)value);
    return ok;
}

/* ---- tables ---- */

static bool parse_slot(struct parser *ps, bool output)
{
    struct ir_slot s = {0};
    unsigned semantic = 0, interp = 0, location = 0;
    bool ok = take_word(ps, &ir_semantic_words, &semantic) && expect(ps, '[') && take_u16(ps, &s.index) &&
              expect(ps, ']') && take_word(ps, &ir_interp_words, &interp) &&
              take_word(ps, &ir_location_words, &location) && expect_word(ps, "mask") && take_u8(ps, &s.mask);
    if (ok && accept_word(ps, "stream"))
        for (unsigned i = 0; i < 4 && ok; i++)
            ok = take_u8(ps, &s.stream[i]);
    if (!ok)
        return false;
    s.patch = accept_word(ps, "patch");
    s.invariant = accept_word(ps, "invariant");
    s.semantic = (uint8_t)semantic;
    s.interp = (uint8_t)interp;
    s.location = (uint8_t)location;
    if (output)
        ir_add_output(ps->p, s);
    else
        ir_add_input(ps->p, s);
    return true;
}

static bool parse_file(struct parser *ps)
{
    struct ir_file f = {.name = take_name(ps)};
    if (!f.name || !expect_word(ps, "bits") || !take_u32(ps, UINT32_MAX, &f.bits) || !expect_word(ps, "count") ||
        !take_u32(ps, UINT32_MAX, &f.count))
        return false;
    f.uniform = accept_word(ps, "uniform");
    f.preserved = accept_word(ps, "preserved");
    if (ps->p->nfiles >= NAMES)
        return fail(ps, ps->at, 1, NULL, "too many register files");
    ir_add_file(ps->p, f);
    return true;
}

static bool parse_space(struct parser *ps)
{
    struct ir_space s = {.name = take_name(ps)};
    unsigned kind = 0, bounds = 0;
    if (!s.name || !take_word(ps, &ir_space_words, &kind) || !expect_word(ps, "bounds") ||
        !take_word(ps, &ir_bounds_words, &bounds) || !expect_word(ps, "slot") || !take_u16(ps, &s.slot) ||
        !expect_word(ps, "size") || !take_u64(ps, UINT64_MAX, &s.size))
        return false;
    s.kind = (uint8_t)kind;
    s.bounds = (uint8_t)bounds;
    if (ps->p->nspaces >= NAMES)
        return fail(ps, ps->at, 1, NULL, "too many address spaces");
    ir_add_space(ps->p, s);
    return true;
}

static bool parse_helper(struct parser *ps)
{
    struct ir_helper h = {.name = take_name(ps)}; /* its function is looked up by name by the caller */
    if (!h.name)
        return false;
    if (ps->p->nhelpers >= NAMES)
        return fail(ps, ps->at, 1, NULL, "too many helpers");
    ir_add_helper(ps->p, h);
    return true;
}

static bool parse_property(struct parser *ps)
{
    uint32_t value;
    for (unsigned i = 0; i < IR_PROPERTIES; i++) {
        const struct ir_property *property = &ir_properties[i];
        if (!accept_word(ps, property->name))
            continue;
        if (!take_u32(ps, property->flag ? 1 : property->size == 1 ? UINT8_MAX : UINT16_MAX, &value))
            return false;
        ir_property_set(&ps->p->io, property, value);
        return true;
    }
    return expected(ps, "a property");
}

static bool parse_insn(struct parser *ps, size_t *cap)
{
    struct ir_insn n = {0};
    if (!expect_word(ps, "addr") || !take_u64(ps, UINT64_MAX, &n.addr) || !expect_word(ps, "line") ||
        !take_u32(ps, UINT32_MAX, &n.line) || !expect_word(ps, "row") || !take_u32(ps, UINT32_MAX, &n.row))
        return false;
    struct ir_program *p = ps->p;
    struct ir_insn *list = arena_grow(ps->arena, p->insns, sizeof *list, p->ninsns, cap, (size_t)p->ninsns + 1);
    if (!list)
        return false;
    p->insns = list;
    p->insns[p->ninsns++] = n;
    return true;
}

/* ---- values ---- */

static bool take_sigil(struct parser *ps, bool *uniform)
{
    *uniform = accept(ps, '$');
    return *uniform || accept(ps, '%');
}

/* A value's number. It may not be larger than the text is long (or 65535), so that memory stays proportional. */
static bool take_number(struct parser *ps, uint32_t *number)
{
    uint64_t most = ps->src->size > UINT16_MAX ? ps->src->size : UINT16_MAX, value = 0;
    bool ok = take_u64(ps, most < UINT32_MAX - RESULTS ? most : UINT32_MAX - RESULTS, &value);
    *number = (uint32_t)value;
    return ok;
}

static bool take_value(struct parser *ps, ir_value *out)
{
    bool uniform;
    uint32_t number;
    skip(ps);
    size_t start = ps->at;
    if (!take_sigil(ps, &uniform))
        return expected(ps, "a value");
    if (!take_number(ps, &number))
        return false;
    *out = number < ps->nvalues ? ps->values[number] : 0;
    if (!*out)
        return fail(ps, start, ps->at - start, NULL, "value used before it is defined");
    if (ps->p->value_uniform[*out] != uniform)
        return fail(ps, start, ps->at - start, uniform ? "write % for lane values" : "write $ for uniform values",
                    uniform ? "the value is one for each lane" : "the value is uniform");
    return true;
}

static bool define_values(struct parser *ps, uint32_t first, const struct ir_op *op)
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
            return fail(ps, ps->at, 1, NULL, "value defined twice");
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

static bool take_arg(struct parser *ps, struct op_args *args)
{
    if (args->count >= ARGS)
        return expected(ps, "fewer arguments");
    return take_value(ps, &args->list[args->count++]);
}

#define FIND(ps, table, out, what)                                                                                     \
    do {                                                                                                               \
        for (uint32_t i_ = 0; i_ < (ps)->p->n##table; i_++)                                                            \
            if (accept_word((ps), (ps)->p->table[i_].name)) {                                                          \
                *(out) = i_;                                                                                           \
                return true;                                                                                           \
            }                                                                                                          \
        return expected((ps), what);                                                                                   \
    } while (0)

static bool find_file(struct parser *ps, uint32_t *out) { FIND(ps, files, out, "the name of a register file"); }

static bool find_space(struct parser *ps, uint32_t *out) { FIND(ps, spaces, out, "the name of an address space"); }

static bool find_helper(struct parser *ps, uint32_t *out) { FIND(ps, helpers, out, "the name of a helper"); }

static bool take_block(struct parser *ps, uint32_t *out)
{
    skip(ps);
    if (ps->failed || peek(ps) != 'b')
        return expected(ps, "a block");
    ps->at++;
    return take_u32(ps, UINT32_MAX, out);
}

/* The part stays void when the text leaves it to the type of the value: see settle_part. */
static bool parse_reg(struct parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_reg r = {0};
    uint32_t file = 0;
    unsigned part = IR_VOID;
    bool dyn = ir_reg_indexed(op->code);
    if (!find_file(ps, &file) || !expect(ps, '[') || !take_u32(ps, UINT32_MAX, &r.elem))
        return false;
    if (dyn && (!expect(ps, '+') || !take_arg(ps, args) || !expect(ps, '*') || !take_i32(ps, &r.stride) || !expect(ps, ',') ||
                !take_i32(ps, &r.first) || !expect(ps, '.') || !expect(ps, '.') || !take_i32(ps, &r.last)))
        return false;
    if (!expect(ps, ']') || (accept(ps, '+') && !take_u8(ps, &r.shift)))
        return false;
    if (accept(ps, ':') && !take_word(ps, &ir_type_words, &part))
        return false;
    r.file = (uint16_t)file;
    r.part = (uint8_t)part;
    op->desc = ir_add_reg(ps->p, r);
    return !arena_failed(ps->arena);
}

static void settle_part(struct parser *ps, const struct ir_op *op, const struct op_args *args)
{
    struct ir_reg *r = &ps->p->regs[op->desc];
    if (r->part != IR_VOID)
        return;
    if (op->nres)
        r->part = op->type;
    else if (args->count)
        r->part = ps->p->value_type[args->list[args->count - 1]];
}

static bool parse_mem(struct parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_mem m = {0};
    uint32_t space = 0;
    unsigned elem = 0;
    uint64_t offset = 0;
    if (!find_space(ps, &space) || !expect(ps, '[') || !take_arg(ps, args))
        return false;
    bool negative = accept(ps, '-');
    if ((!negative && !expect(ps, '+')) || !take_u64(ps, (uint64_t)INT64_MAX + negative, &offset) || !expect(ps, ']') ||
        !expect(ps, ':') || !take_word(ps, &ir_type_words, &elem) || (accept_word(ps, "align") && !take_u8(ps, &m.align)))
        return false;
    m.space = (uint16_t)space;
    m.elem = (uint8_t)elem;
    m.offset = negative ? (int64_t)(0 - offset) : (int64_t)offset;
    op->desc = ir_add_mem(ps->p, m);
    return !arena_failed(ps->arena);
}

/* An access has as many elements as the op has results or data. */
static void settle_count(struct parser *ps, const struct ir_op *op, const struct op_args *args)
{
    unsigned count = op->code == IR_LOAD ? op->nres : op->code == IR_STORE && args->count ? args->count - 1 : 1;
    ps->p->mems[op->desc].count = (uint8_t)count;
}

static bool parse_texture(struct parser *ps, struct ir_op *op)
{
    struct ir_texture t = {0};
    unsigned tex_op = 0, dim = 0, component = 0;
    if (!take_word(ps, &ir_tex_op_words, &tex_op) || !take_word(ps, &ir_tex_dim_words, &dim))
        return false;
    t.array = accept_word(ps, "array");
    t.shadow = accept_word(ps, "shadow");
    t.multisample = accept_word(ps, "multisample");
    t.has_offset = accept_word(ps, "offset");
    t.zero_lod = accept_word(ps, "zero_lod");
    t.view_arg = accept_word(ps, "view_arg");
    t.sampler_arg = accept_word(ps, "sampler_arg");
    if (!expect(ps, '.') || !take_word(ps, &ir_component_words, &component) || !expect_word(ps, "view") ||
        !take_u16(ps, &t.view) || !expect_word(ps, "sampler") || !take_u16(ps, &t.sampler))
        return false;
    t.op = (uint8_t)tex_op;
    t.dim = (uint8_t)dim;
    t.gather_component = (uint8_t)component;
    op->desc = ir_add_texture(ps->p, t);
    return !arena_failed(ps->arena);
}

static bool parse_image(struct parser *ps, struct ir_op *op)
{
    struct ir_image i = {0};
    unsigned binding = 0, dim = 0, atomic = 0;
    if (!take_word(ps, &ir_binding_words, &binding) || !take_u16(ps, &i.image) ||
        !take_word(ps, &ir_tex_dim_words, &dim))
        return false;
    i.array = accept_word(ps, "array");
    i.multisample = accept_word(ps, "multisample");
    i.is_float = accept_word(ps, "float");
    i.image_arg = accept_word(ps, "image_arg");
    if (!take_word(ps, &ir_atomic_words, &atomic) || !expect_word(ps, "format") || !take_u16(ps, &i.format))
        return false;
    i.binding = (uint8_t)binding;
    i.dim = (uint8_t)dim;
    i.atomic = (uint8_t)atomic;
    op->desc = ir_add_image(ps->p, i);
    return !arena_failed(ps->arena);
}

static bool parse_control(struct parser *ps, struct ir_op *op)
{
    struct ir_control c = {0};
    if (!take_u16(ps, &c.op) || !take_u64(ps, UINT64_MAX, &c.imm))
        return false;
    c.direct_none = accept_word(ps, "direct_none");
    c.direct_all = accept_word(ps, "direct_all");
    if (!expect(ps, '['))
        return false;
    while (!accept(ps, ']')) {
        if (c.ntargets >= IR_TARGETS)
            return expected(ps, "']'");
        if (!take_block(ps, &c.target[c.ntargets++]))
            return false;
    }
    op->desc = ir_add_control(ps->p, c);
    return !arena_failed(ps->arena);
}

static bool take_enum(struct parser *ps, const struct ir_words *words, uint64_t *out)
{
    unsigned index = 0;
    bool ok = take_word(ps, words, &index);
    *out = index;
    return ok;
}

static bool parse_operand(struct parser *ps, enum ir_operand kind, struct ir_op *op, struct op_args *args, uint64_t most, uint64_t *out)
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
        return expect(ps, '.') && take_enum(ps, &ir_component_words, out);
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
    return take_u64(ps, most, out);
}

/* The desc and imm of an op in the order that the printer writes them. */
static bool parse_operands(struct parser *ps, struct ir_op *op, struct op_args *args)
{
    struct ir_operands kinds = ir_operands[op->code];
    uint64_t desc = 0, imm = 0;
    bool ok;
    if (op->code == IR_BRANCH)
        ok = take_arg(ps, args) && expect(ps, ',') &&
             parse_operand(ps, IR_OPERAND_BLOCK, op, args, UINT32_MAX, &desc) && expect(ps, ',') &&
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

static bool parse_attr(struct parser *ps, struct ir_op *op)
{
    while (accept(ps, '.')) {
        unsigned i = 0;
        while (i < IR_ATTR_WORDS && !accept_word(ps, ir_attr_words[i].text))
            i++;
        if (i == IR_ATTR_WORDS)
            return expected(ps, "an attribute");
        op->attr = (uint16_t)(op->attr | ir_attr_words[i].value);
    }
    return !ps->failed;
}

static bool parse_interpolation(struct parser *ps, struct ir_op *op)
{
    unsigned interp = 0, location = 0;
    if (!take_word(ps, &ir_interp_words, &interp) || !take_word(ps, &ir_location_words, &location))
        return false;
    op->attr = (uint16_t)(interp | location << 4);
    return true;
}

static bool parse_args(struct parser *ps, struct op_args *args, bool any)
{
    if (!any && (at_line_end(ps) || next_is(ps, "if")))
        return true;
    if (!any && !take_arg(ps, args))
        return false;
    while (accept(ps, ','))
        if (!take_arg(ps, args))
            return false;
    return !ps->failed;
}

/* "%4 = f32" or "%4..%7 = f32": the number of the first result and how many. */
static bool parse_results(struct parser *ps, struct ir_op *op, uint32_t *first)
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
    if (accept(ps, '.') && (!expect(ps, '.') || !take_sigil(ps, &same) || !take_number(ps, &last)))
        return expected(ps, "the last of the results");
    if (last < *first || last - *first >= RESULTS)
        return fail(ps, start, ps->at - start, NULL, "wrong number of results");
    if (!expect(ps, '=') || !take_word(ps, &ir_type_words, &type))
        return false;
    op->type = (uint8_t)type;
    op->nres = (uint8_t)(last - *first + 1);
    op->uniform = uniform;
    return true;
}

static bool parse_op(struct parser *ps)
{
    struct ir_op op = {.insn = ps->insn};
    struct op_args args;
    args.count = 0;
    uint32_t first = 0;
    unsigned code = 0;
    if (!parse_results(ps, &op, &first) || !take_word(ps, &ir_op_words, &code))
        return false;
    op.code = (uint16_t)code;
    struct ir_operands kinds = ir_operands[code];
    bool any = kinds.desc != IR_OPERAND_NONE || kinds.imm != IR_OPERAND_NONE;
    if ((code != IR_INTERP && !parse_attr(ps, &op)) || !parse_operands(ps, &op, &args) ||
        (code == IR_INTERP && !parse_interpolation(ps, &op)) || !parse_args(ps, &args, any))
        return false;
    if (accept_word(ps, "if") && !take_value(ps, &op.pred))
        return false;
    if (!at_line_end(ps))
        return expected(ps, "the end of the line");
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

static bool parse_block(struct parser *ps)
{
    uint32_t number;
    size_t start = ps->at;
    if (!take_u32(ps, UINT32_MAX, &number))
        return false;
    if (number != ps->p->nblocks)
        return fail(ps, start, ps->at - start, NULL, "blocks are numbered 0, 1, 2, ... in order");
    uint32_t index = ir_new_block(ps->p);
    if (arena_failed(ps->arena))
        return false;
    struct ir_block *b = &ps->p->blocks[index];
    ps->insn = 0;
    return !accept_word(ps, "addr") ||
           (take_u64(ps, UINT64_MAX, &b->addr) && expect_word(ps, "insn") && take_u32(ps, UINT32_MAX, &b->insn) &&
            expect_word(ps, "insns") && take_u32(ps, UINT32_MAX, &b->insns));
}

static bool parse_declaration(struct parser *ps, size_t *insns_cap)
{
    if (accept_word(ps, "property"))
        return parse_property(ps);
    if (next_is(ps, "input") || next_is(ps, "output")) {
        bool output = next_is(ps, "output");
        ps->at += output ? strlen("output") : strlen("input");
        return parse_slot(ps, output);
    }
    if (accept_word(ps, "file"))
        return parse_file(ps);
    if (accept_word(ps, "space"))
        return parse_space(ps);
    if (accept_word(ps, "helper"))
        return parse_helper(ps);
    if (accept_word(ps, "insn"))
        return parse_insn(ps, insns_cap);
    return expected(ps, "property, input, output, file, space, helper, insn or block");
}

static bool parse_header(struct parser *ps)
{
    unsigned stage = 0, lanes = 0;
    while (at_line_end(ps) && peek(ps) == '\n')
        ps->at++;
    if (!expect_word(ps, "ir"))
        return false;
    const char *isa = take_name(ps);
    if (!isa || !take_word(ps, &ir_stage_words, &stage) || !expect_word(ps, "lanes") || !take_u32(ps, UINT16_MAX, &lanes))
        return false;
    ps->p = ir_program_new(ps->arena, isa, (enum ir_stage)stage, lanes);
    if (!ps->p)
        return false;
    ps->p->precise = accept_word(ps, "precise");
    ps->p->nblocks = 0; /* the text declares them all */
    return true;
}

static bool parse_lines(struct parser *ps)
{
    size_t insns_cap = 0;
    bool ok = parse_header(ps);
    while (ok && peek(ps) >= 0) {
        if (!at_line_end(ps)) {
            ok = expected(ps, "the end of the line");
            break;
        }
        if (peek(ps) < 0)
            break;
        ps->at++; /* the newline */
        if (at_line_end(ps))
            continue;
        if (accept_word(ps, "block"))
            ok = parse_block(ps);
        else if (ps->p->nblocks == 0)
            ok = parse_declaration(ps, &insns_cap);
        else if (accept(ps, '@'))
            ok = take_u32(ps, UINT32_MAX, &ps->insn);
        else
            ok = parse_op(ps);
    }
    return ok && !ps->failed;
}

weft_status ir_parse(const struct source *src, struct arena *arena, struct ir_program **out, weft_diags *diags)
{
    struct parser ps = {.src = src, .arena = arena, .diags = diags};
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
