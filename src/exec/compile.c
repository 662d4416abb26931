/* From lane IR to operations of frame.h.
 *
 * Every block is compiled twice: for warps whose lanes are all active (results may be written without a mask)
 * and for the others. A value becomes a row of the frame; where it can, it *is* the row of a register: a GET whose
 * register is not written while the value lives reads the register's own row, and a value that a later SET
 * stores is made in the register's row at once. Temporaries are rows that are used again as soon as their
 * value is dead, which keeps a frame in the first-level cache. */
#include "exec/select.h"

#include "ir/words.h"

#include <string.h>

static uint32_t row_bytes(const struct compiler *c, bool lane, bool wide)
{
    return (lane ? c->p->chunks : 1) * EXEC_CHUNK * (wide ? 8u : 4u);
}

static uint32_t frame_take(struct compiler *c, uint32_t bytes)
{
    if (c->frame > UINT32_MAX - bytes - 64)
        c->failed = true;
    uint32_t at = c->frame;
    c->frame += bytes;
    return at;
}

/* ---- temporaries: free lists by kind ---- */

uint32_t temp_take(struct compiler *c, bool lane, bool wide)
{
    struct temp_list *l = &c->temps[lane][wide];
    if (l->count)
        return l->rows[--l->count];
    return frame_take(c, row_bytes(c, lane, wide));
}

void temp_give(struct compiler *c, uint32_t row, bool lane, bool wide)
{
    struct temp_list *l = &c->temps[lane][wide];
    uint32_t *rows = arena_grow(c->arena, l->rows, sizeof *rows, l->count, &l->cap, (size_t)l->count + 1);
    if (!rows)
        return;
    l->rows = rows;
    rows[l->count++] = row;
}

/* ---- constants ---- */

uint32_t const_row(struct compiler *c, uint64_t bits, bool wide)
{
    uint8_t bytes = wide ? 8 : 4;
    if (!wide)
        bits &= 0xffffffff;
    uint32_t h = (uint32_t)((bits * 0x9e3779b97f4a7c15u) >> 40) ^ bytes;
    for (uint32_t i = 0; i < c->const_hash_size; i++) {
        uint32_t *slot = &c->const_hash[(h + i) & (c->const_hash_size - 1)];
        if (!*slot) {
            struct exec_const *list = arena_grow(c->arena, c->p->consts, sizeof *list, c->p->nconsts, &c->consts_cap,
                                                 (size_t)c->p->nconsts + 1);
            if (!list)
                return FRAME_ROWS;
            c->p->consts = list;
            list[c->p->nconsts] = (struct exec_const){frame_take(c, row_bytes(c, false, wide)), bytes, bits};
            *slot = ++c->p->nconsts;
            return list[*slot - 1].row;
        }
        const struct exec_const *k = &c->p->consts[*slot - 1];
        if (k->bits == bits && k->bytes == bytes)
            return k->row;
    }
    c->failed = true;
    return FRAME_ROWS;
}

/* ---- code ---- */

struct lop *emit(struct compiler *c, enum handler_id h, bool masked)
{
    struct lop *code = arena_grow(c->arena, c->p->code, sizeof *code, c->p->ncode, &c->code_cap, c->p->ncode + 1);
    if (!code) {
        c->failed = true;
        return &c->scrap;
    }
    c->p->code = code;
    struct lop *op = &code[c->p->ncode++];
    memset(op, 0, sizeof *op);
    const struct handler *k = exec_handler(c->handlers, h);
    op->fn = masked ? k->masked : k->plain;
    op->n = 1;
    return op;
}

struct lop_call *call_new(struct compiler *c, const struct ir_op *op, unsigned nargs, unsigned nres)
{
    struct lop_call *calls = arena_grow(c->arena, c->p->calls, sizeof *calls, c->p->ncalls, &c->calls_cap,
                                        (size_t)c->p->ncalls + 1);
    if (!calls) {
        c->failed = true;
        return NULL;
    }
    c->p->calls = calls;
    struct lop_call *k = &calls[c->p->ncalls++];
    memset(k, 0, sizeof *k);
    k->op = op;
    k->block = c->block;
    k->nargs = (uint8_t)nargs;
    k->nres = (uint8_t)nres;
    k->arg = ARENA_ARRAY(c->arena, uint32_t, nargs ? nargs : 1);
    k->arg_lane = ARENA_ARRAY(c->arena, uint8_t, nargs ? nargs : 1);
    k->arg_mask = ARENA_ARRAY(c->arena, uint8_t, nargs ? nargs : 1);
    k->res = ARENA_ARRAY(c->arena, uint32_t, nres ? nres : 1);
    if (!k->arg || !k->arg_lane || !k->arg_mask || !k->res)
        c->failed = true;
    return c->failed ? NULL : k;
}

void compile_unsupported(struct compiler *c, const struct ir_op *op, const char *what)
{
    if (c->unsupported)
        return;
    c->unsupported = true;
    uint32_t line = op->insn < c->p->ir->ninsns ? c->p->ir->insns[op->insn].line : 0;
    diag_add(c->diags, WEFT_ERROR, "not-executed", c->p->ir->isa, NULL,
             "the interpreter does not execute '%s.%s'%s%s yet (block %u, line %u)", ir_op_info[op->code].text,
             ir_type_name((enum ir_type)op->type), what[0] ? " " : "", what, c->block, line);
}

/* ---- what a block's values need to know ---- */

bool value_wide(const struct compiler *c, ir_value v)
{
    return ir_type_bits((enum ir_type)c->p->ir->value_type[v]) == 64;
}

bool plain_reg(const struct compiler *c, const struct ir_reg *r)
{
    return r->shift == 0 && c->p->ir->files[r->file].bits == ir_type_bits((enum ir_type)r->part);
}

static uint32_t file_pitch(const struct compiler *c, const struct ir_file *file)
{
    return row_bytes(c, !file->uniform, file->bits == 64);
}

uint32_t reg_row(const struct compiler *c, unsigned file, uint32_t elem)
{
    return c->p->file_row[file] + elem * file_pitch(c, &c->p->ir->files[file]);
}

/* Number of a plain register, over all files: index into the per-register tables. */
static uint32_t reg_number(const struct compiler *c, unsigned file, uint32_t elem)
{
    return c->file_base[file] + elem;
}

static const struct ir_reg *op_reg(const struct compiler *c, const struct ir_op *op)
{
    return &c->p->ir->regs[op->desc];
}

static unsigned reg_span(const struct compiler *c, const struct ir_reg *r)
{
    unsigned bits = c->p->ir->files[r->file].bits, part = ir_type_bits((enum ir_type)r->part);
    return part > bits ? (part + bits - 1) / bits : 1;
}

static ir_value root_of(const struct compiler *c, ir_value v)
{
    while (c->v[v].alias)
        v = c->v[v].alias;
    return v;
}

/* Ops that only give another name to their argument's row. */
static bool is_alias(const struct compiler *c, const struct ir_op *op)
{
    const struct ir_program *ir = c->p->ir;
    if (op->code == IR_COPY)
        return op->uniform == ir->value_uniform[ir_args(ir, op)[0]];
    if (op->code == IR_BITCAST)
        return true;
    return op->code == IR_SEXT && ir->value_type[ir_args(ir, op)[0]] == IR_I1 && ir_type_bits((enum ir_type)op->type) == 32;
}

/* Does the op read lanes other than its own, so that its result must not share a row with its argument? */
static bool crosses_lanes(const struct ir_op *op)
{
    switch (op->code) {
    case IR_QUAD_LANE:
    case IR_QUAD_XOR:
    case IR_SHUFFLE:
    case IR_TEXTURE:
    case IR_HELPER:
    case IR_ATOMIC:
    case IR_GET_DYN:
    case IR_GET_LANE:
    case IR_LOAD:
        return true;
    default:
        return false;
    }
}

/* Ops that only one other op uses, and that are done together with it. */
static void find_fused(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->nres != 1 || op->uniform || op->nargs == 0 || op->nargs > 2)
            continue;
        const struct fusion *f = NULL;
        for (unsigned k = 0; k < op->nargs && !f; k++) {
            ir_value a = ir_args(ir, op)[k];
            uint32_t at = c->v[a].def;
            if (at >= i || c->v[a].block != c->block || c->v[a].uses != 1 || c->v[a].alias || c->v[a].fuse || b->ops[at].uniform)
                continue;
            f = find_fusion(ir, op, k, &b->ops[at]);
            if (!f)
                continue;
            c->v[a].fused = true;
            c->v[op->res].fuse = a;
            c->v[op->res].fusion = f;
            c->v[op->res].fuse_side = (uint8_t)k;
            for (unsigned j = 0; j < b->ops[at].nargs; j++) {
                ir_value r = root_of(c, ir_args(ir, &b->ops[at])[j]);
                if (c->v[r].block == c->block && c->v[r].last < i)
                    c->v[r].last = i;
            }
        }
    }
}

/* Definitions, uses, last uses and aliases of a block's values. */
static void scan_block(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        for (unsigned k = 0; k < op->nres; k++) {
            c->v[op->res + k] = (struct value_info){.def = i, .block = c->block, .last = i};
        }
        if (op->nres && is_alias(c, op))
            c->v[op->res].alias = ir_args(ir, op)[0];
        for (unsigned k = 0; k <= op->nargs; k++) {
            ir_value a = k < op->nargs ? ir_args(ir, op)[k] : op->pred;
            if (!a || c->v[a].block != c->block)
                continue;
            c->v[a].uses++;
            ir_value r = root_of(c, a);
            if (c->v[r].block == c->block) {
                c->v[r].last = i;
                if (crosses_lanes(op))
                    c->v[r].crossed = true;
            }
        }
    }
    /* and what such values are made of */
    for (uint32_t i = b->count; i-- > 0;) {
        const struct ir_op *op = &b->ops[i];
        if (!op->nres || !c->v[root_of(c, op->res)].crossed)
            continue;
        for (unsigned k = 0; k < op->nargs; k++) {
            ir_value r = root_of(c, ir_args(ir, op)[k]);
            if (c->v[r].block == c->block)
                c->v[r].crossed = true;
        }
    }
}

/* The next write to plain register `reg` at or after op i: tables made from the end of the block. */
static uint32_t next_write(const struct compiler *c, const struct ir_block *b, uint32_t from, uint32_t to, unsigned file, uint32_t elem)
{
    for (uint32_t i = from; i < to && i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code == IR_SET_DYN || op->code == IR_SET_LANE) {
            if (op_reg(c, op)->file == file)
                return i;
        } else if (op->code == IR_SET) {
            const struct ir_reg *r = op_reg(c, op);
            if (r->file == file && elem >= r->elem && elem < r->elem + reg_span(c, r))
                return i;
        }
    }
    return to;
}

/* Is the register read (or written otherwise) strictly between two ops? */
static bool touched_between(const struct compiler *c, const struct ir_block *b, uint32_t from, uint32_t to, unsigned file, uint32_t elem)
{
    for (uint32_t i = from; i < to; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code != IR_GET && op->code != IR_SET && !ir_reg_indexed(op->code))
            continue;
        const struct ir_reg *r = op_reg(c, op);
        if (r->file != file)
            continue;
        if (ir_reg_indexed(op->code))
            return true;
        if (elem >= r->elem && elem < r->elem + reg_span(c, r))
            return true;
    }
    return false;
}

enum { LOOK_AHEAD = 4096 }; /* bounds the searches above: beyond it a copy is made */

/* Which GETs may read the register's own row, and which values may be made in one. */
static void place_registers(struct compiler *c, const struct ir_block *b)
{
    const struct ir_program *ir = c->p->ir;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code != IR_GET)
            continue;
        const struct ir_reg *r = op_reg(c, op);
        struct value_info *v = &c->v[op->res];
        if (!plain_reg(c, r) || v->last - i > LOOK_AHEAD)
            continue;
        if (next_write(c, b, i + 1, v->last, r->file, r->elem) < v->last)
            continue;
        v->home = reg_row(c, r->file, r->elem);
        v->from_register = true;
    }
    /* last use so far of values that live in a register's row, walking forward */
    memset(c->reader_block, 0xff, c->nregisters * sizeof *c->reader_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (op->code == IR_GET && c->v[op->res].from_register) {
            const struct ir_reg *r = op_reg(c, op);
            uint32_t n = reg_number(c, r->file, r->elem);
            if (c->reader_block[n] != c->block || c->reader_last[n] < c->v[op->res].last)
                c->reader_last[n] = c->v[op->res].last;
            c->reader_block[n] = c->block;
        }
        if (op->code != IR_SET || op->pred)
            continue;
        const struct ir_reg *r = op_reg(c, op);
        ir_value a = root_of(c, ir_args(ir, op)[0]);
        struct value_info *v = &c->v[a];
        if (!plain_reg(c, r) || ir->files[r->file].uniform || v->block != c->block || v->home || v->fused)
            continue;
        if (i - v->def > LOOK_AHEAD || v->last - v->def > LOOK_AHEAD)
            continue;
        const struct ir_op *def = &b->ops[v->def];
        if (def->uniform || def->nres != 1 || !single_step(c, def, true))
            continue;
        if (v->crossed || crosses_lanes(def))
            continue;
        if (touched_between(c, b, v->def + 1, i, r->file, r->elem))
            continue;
        uint32_t n = reg_number(c, r->file, r->elem);
        if (c->reader_block[n] == c->block && c->reader_last[n] > v->def)
            continue;
        if (v->last > i && next_write(c, b, i + 1, v->last, r->file, r->elem) < v->last)
            continue;
        v->home = reg_row(c, r->file, r->elem);
        v->set_at = i;
        v->in_register = true;
        if (c->reader_block[n] != c->block || c->reader_last[n] < v->last)
            c->reader_last[n] = v->last;
        c->reader_block[n] = c->block;
    }
}

/* ---- rows of arguments and results ---- */

struct operand operand_of(struct compiler *c, ir_value v)
{
    const struct ir_program *ir = c->p->ir;
    ir_value r = root_of(c, v);
    bool uniform = ir->value_uniform[r];
    return (struct operand){c->v[r].row, uniform ? 0 : EXEC_CHUNK};
}

/* The row to write a result to. */
uint32_t result_row(struct compiler *c, ir_value v)
{
    struct value_info *i = &c->v[v];
    if (i->home) {
        i->row = i->home;
        return i->row;
    }
    bool lane = !c->p->ir->value_uniform[v];
    i->row = temp_take(c, lane, value_wide(c, v));
    i->temp = true;
    return i->row;
}

bool result_masked(const struct compiler *c, ir_value v)
{
    return c->masked && c->v[v].in_register;
}

static void release(struct compiler *c, ir_value v, uint32_t at)
{
    if (!v || c->block == IR_PROLOGUE)
        return;
    ir_value r = root_of(c, v);
    struct value_info *i = &c->v[r];
    if (i->block != c->block || !i->temp || i->last > at)
        return;
    temp_give(c, i->row, !c->p->ir->value_uniform[r], value_wide(c, r));
    i->temp = false;
}

static void release_args(struct compiler *c, const struct ir_op *op, uint32_t at)
{
    for (unsigned k = 0; k < op->nargs; k++)
        release(c, ir_args(c->p->ir, op)[k], at);
    release(c, op->pred, at);
    if (op->nres && c->v[op->res].fuse) {
        const struct ir_op *mul = c->fuse_op;
        for (unsigned k = 0; mul && k < mul->nargs; k++)
            release(c, ir_args(c->p->ir, mul)[k], at);
    }
}

static void compile_block_body(struct compiler *c, const struct ir_block *b)
{
    for (uint32_t i = 0; i < b->count && !c->failed && !c->unsupported; i++) {
        const struct ir_op *op = &b->ops[i];
        c->at = i;
        c->ops = b->ops;
        c->fuse_op = op->nres && c->v[op->res].fuse ? &b->ops[c->v[c->v[op->res].fuse].def] : NULL;
        if (op->nres && (c->v[op->res].fused || c->v[op->res].alias))
            continue;
        if (op->nres && c->block != IR_PROLOGUE && op->code != IR_CONST && !c->v[op->res].uses && (ir_op_info[op->code].flags & IR_OP_PURE))
            continue;
        bool early = !crosses_lanes(op) && op->nres <= 1 && single_step(c, op, false);
        /* component-wise results may take the row of an argument that dies here */
        if (early)
            release_args(c, op, i);
        select_op(c, op);
        if (!early)
            release_args(c, op, i);
        for (unsigned k = 0; k < op->nres; k++)
            if (c->v[op->res + k].last == i)
                release(c, op->res + k, i);
    }
}

static void compile_block(struct compiler *c, uint32_t index, bool masked)
{
    const struct ir_block *b = &c->p->ir->blocks[index];
    c->block = index;
    c->masked = masked;
    c->code_at[masked][index] = (uint32_t)c->p->ncode;
    scan_block(c, b);
    find_fused(c, b);
    memset(c->reader_block, 0xff, c->nregisters * sizeof *c->reader_block);
    place_registers(c, b);
    compile_block_body(c, b);
}

/* ---- registers that a warp may read before it writes them ---- */

static void find_zeroed(struct compiler *c)
{
    const struct ir_program *ir = c->p->ir;
    uint8_t *written = arena_alloc(c->arena, c->nregisters + 1), *first = arena_alloc(c->arena, c->nregisters + 1),
            *zero = arena_alloc(c->arena, c->nregisters + 1);
    if (!written || !first || !zero)
        return;
    /* what the straight line from the entry writes with all lanes active */
    uint32_t seen = 0;
    for (uint32_t block = IR_ENTRY, n = 0; block < ir->nblocks && n < ir->nblocks; n++) {
        const struct ir_block *b = &ir->blocks[block];
        for (uint32_t i = 0; i < b->count; i++) {
            const struct ir_op *op = &b->ops[i];
            if (op->code == IR_GET) {
                const struct ir_reg *r = op_reg(c, op);
                for (unsigned k = 0; k < reg_span(c, r); k++)
                    zero[reg_number(c, r->file, r->elem + k)] |= !first[reg_number(c, r->file, r->elem + k)];
            } else if (op->code == IR_SET && !op->pred) {
                const struct ir_reg *r = op_reg(c, op);
                bool whole = r->shift == 0 && ir_type_bits((enum ir_type)r->part) >= ir->files[r->file].bits;
                for (unsigned k = 0; k < reg_span(c, r); k++) {
                    first[reg_number(c, r->file, r->elem + k)] |= whole;
                    zero[reg_number(c, r->file, r->elem + k)] |= !whole;
                }
            }
        }
        const struct ir_op *t = &b->ops[b->count - 1];
        if (t->code != IR_GOTO)
            break;
        block = t->desc;
    }
    for (uint32_t block = IR_ENTRY; block < ir->nblocks; block++) {
        const struct ir_block *b = &ir->blocks[block];
        memcpy(written, first, c->nregisters);
        for (uint32_t i = 0; i < b->count; i++) {
            const struct ir_op *op = &b->ops[i];
            if (op->code != IR_GET && op->code != IR_SET && !ir_reg_indexed(op->code))
                continue;
            const struct ir_reg *r = op_reg(c, op);
            if (ir_reg_indexed(op->code)) {
                for (int64_t k = r->first; k <= r->last; k++) {
                    int64_t e = (int64_t)r->elem + k * r->stride;
                    for (unsigned s = 0; s < reg_span(c, r); s++, e++)
                        if (e >= 0 && e < ir->files[r->file].count)
                            zero[reg_number(c, r->file, (uint32_t)e)] |= !written[reg_number(c, r->file, (uint32_t)e)];
                }
                continue;
            }
            bool whole = op->code == IR_SET && !op->pred && r->shift == 0 &&
                         ir_type_bits((enum ir_type)r->part) >= ir->files[r->file].bits;
            for (unsigned k = 0; k < reg_span(c, r); k++) {
                uint32_t n = reg_number(c, r->file, r->elem + k);
                if (whole)
                    written[n] = 1;
                else
                    zero[n] |= !written[n];
            }
        }
    }
    /* the contents of preserved files belong to the caller */
    for (uint32_t f = 0; f < ir->nfiles; f++) {
        for (uint32_t e = 0; e < ir->files[f].count; e++) {
            uint32_t n = reg_number(c, f, e);
            if (zero[n] && !ir->files[f].preserved)
                seen++;
            else
                zero[n] = 0;
        }
    }
    c->p->zero_rows = ARENA_ARRAY(c->arena, struct exec_zero, seen ? seen : 1);
    if (!c->p->zero_rows)
        return;
    for (uint32_t f = 0; f < ir->nfiles; f++)
        for (uint32_t e = 0; e < ir->files[f].count; e++)
            if (zero[reg_number(c, f, e)])
                c->p->zero_rows[c->p->nzero++] =
                    (struct exec_zero){reg_row(c, f, e), file_pitch(c, &ir->files[f])};
}

static void lay_out_files(struct compiler *c)
{
    const struct ir_program *ir = c->p->ir;
    c->p->file_row = ARENA_ARRAY(c->arena, uint32_t, ir->nfiles + 1);
    c->p->file_pitch = ARENA_ARRAY(c->arena, uint32_t, ir->nfiles + 1);
    c->file_base = ARENA_ARRAY(c->arena, uint32_t, ir->nfiles + 1);
    if (!c->p->file_row || !c->p->file_pitch || !c->file_base) {
        c->failed = true;
        return;
    }
    for (uint32_t f = 0; f < ir->nfiles; f++) {
        uint64_t bytes = (uint64_t)ir->files[f].count * file_pitch(c, &ir->files[f]);
        if (bytes > 1u << 30 || c->frame > (1u << 30)) {
            c->failed = true;
            return;
        }
        c->p->file_pitch[f] = file_pitch(c, &ir->files[f]);
        c->p->file_row[f] = frame_take(c, (uint32_t)bytes);
        c->file_base[f] = c->nregisters;
        c->nregisters += ir->files[f].count;
    }
}

/* Jumps know blocks while code is made; afterwards they know operations. */
static void resolve(struct compiler *c)
{
    struct exec_program *p = c->p;
    for (uint32_t b = 0; b < p->ir->nblocks; b++) {
        p->blocks[b].full = p->code + c->code_at[0][b];
        p->blocks[b].masked = p->code + c->code_at[1][b];
    }
    lop_fn *jump = c->handlers->h[H_GOTO].plain;
    for (size_t i = 0; i < p->ncode; i++) {
        struct lop *op = &p->code[i];
        if (op->fn == jump)
            op->imm = (uint64_t)(uintptr_t)(op->b ? p->blocks[op->imm].masked : p->blocks[op->imm].full);
    }
    p->prologue = p->blocks[IR_PROLOGUE].full;
}

weft_status exec_compile(const struct ir_program *ir, const struct exec_options *options, struct arena *arena,
                         struct exec_program **out, weft_diags *diags)
{
    struct exec_program *p = ARENA_NEW(arena, struct exec_program);
    struct compiler *c = ARENA_NEW(arena, struct compiler);
    if (!p || !c)
        return WEFT_ERROR_MEMORY;
    *out = NULL;
    p->ir = ir;
    p->level = options ? options->level : exec_best_level();
    p->no_full = options && options->no_full;
    if (!exec_level_usable(p->level))
        return WEFT_ERROR_USAGE;
    p->chunks = (ir->lanes + EXEC_CHUNK - 1u) / EXEC_CHUNK;
    p->full = ir->lanes == 64 ? ~(lane_mask)0 : ((lane_mask)1 << ir->lanes) - 1;
    c->p = p;
    c->arena = arena;
    c->diags = diags;
    c->handlers = exec_handlers(p->level);
    c->frame = FRAME_ROWS;
    c->v = ARENA_ARRAY(arena, struct value_info, ir->nvalues + 1u);
    p->blocks = ARENA_ARRAY(arena, struct exec_block_code, ir->nblocks + 1u);
    c->code_at[0] = ARENA_ARRAY(arena, uint32_t, ir->nblocks + 1u);
    c->code_at[1] = ARENA_ARRAY(arena, uint32_t, ir->nblocks + 1u);
    size_t total = 64;
    for (uint32_t b = 0; b < ir->nblocks; b++)
        total += 4 * (size_t)ir->blocks[b].count;
    c->const_hash_size = 64;
    while (c->const_hash_size < 2 * total)
        c->const_hash_size *= 2;
    c->const_hash = ARENA_ARRAY(arena, uint32_t, c->const_hash_size);
    lay_out_files(c);
    c->reader_block = ARENA_ARRAY(arena, uint32_t, c->nregisters + 1u);
    c->reader_last = ARENA_ARRAY(arena, uint32_t, c->nregisters + 1u);
    if (arena_failed(arena) || c->failed)
        return WEFT_ERROR_MEMORY;
    if (!c->unsupported) {
        for (ir_value v = 0; v < ir->nvalues; v++)
            c->v[v].block = UINT32_MAX;
        compile_block(c, IR_PROLOGUE, false);
        emit(c, H_STOP, false); /* the prologue has no terminator */
        c->code_at[1][IR_PROLOGUE] = c->code_at[0][IR_PROLOGUE];
        /* prologue rows are never given back: temporaries start afresh */
        memset(c->temps, 0, sizeof c->temps);
        for (int masked = 0; masked < 2; masked++)
            for (uint32_t b = IR_ENTRY; b < ir->nblocks && !c->unsupported && !c->failed; b++)
                compile_block(c, b, masked);
        find_zeroed(c);
    }
    if (c->unsupported)
        return WEFT_ERROR_UNSUPPORTED;
    if (c->failed || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    resolve(c);
    p->frame_size = (c->frame + 63u) / 64 * 64;
    *out = p;
    return WEFT_OK;
}
