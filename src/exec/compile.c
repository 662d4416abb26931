/* compile.c - from lane IR to operations of frame.h.
 *
 * Every block is compiled twice: for warps whose lanes are all active (results may be written without a mask)
 * and for the others. A value becomes a row of the frame; where it can, it *is* the row of a register: a GET whose
 * register is not written while the value lives reads the register's own row, and a value that a later SET
 * stores is made in the register's row at once. Temporaries are rows that are used again as soon as their
 * value is dead, which keeps a frame in the first-level cache. */
#include "exec/select.h"

#include "ir/words.h"

#include <stddef.h>
#include <string.h>

static uint32_t row_bytes(const struct compiler *c, bool lane, bool wide)
{
    return (lane ? c->p->chunks : 1) * EXEC_CHUNK * (wide ? 8u : 4u);
}

/* Rows begin at multiples of 64 bytes; scalars come from blocks of eight. */
static uint32_t frame_take(struct compiler *c, uint32_t bytes)
{
    if (c->frame > c->frame_limit - bytes - 64)
        c->failed = true;
    if (bytes == 8) {
        if (c->scalars % 64 == 0) {
            c->scalars = c->frame;
            c->frame += 64;
        }
        c->scalars += 8;
        return c->scalars - 8;
    }
    uint32_t at = c->frame;
    c->frame += (bytes + 63) / 64 * 64;
    return at;
}

/* ---- temporaries: free lists by kind ---- */

/* Lane rows, uniform rows and scalars: the latter are what the op being selected makes where c->scalar says so. */
static struct temp_list *temp_list(struct compiler *c, bool lane, bool wide)
{
    return &c->temps[lane ? 2 : c->scalar ? 0 : 1][wide];
}

uint32_t temp_take(struct compiler *c, bool lane, bool wide)
{
    struct temp_list *l = temp_list(c, lane, wide);
    if (l->count)
        return l->rows[--l->count];
    return frame_take(c, !lane && c->scalar ? 8 : row_bytes(c, lane, wide));
}

void temp_give(struct compiler *c, uint32_t row, bool lane, bool wide)
{
    struct temp_list *l = temp_list(c, lane, wide);
    uint32_t *rows = arena_grow(c->arena, l->rows, sizeof *rows, l->count, &l->cap, (size_t)l->count + 1);
    if (!rows)
        return;
    l->rows = rows;
    rows[l->count++] = row;
}

/* ---- constants ---- */

static uint32_t const_hash(uint64_t bits, uint8_t bytes)
{
    return (uint32_t)((bits * 0x9e3779b97f4a7c15u) >> 40) ^ bytes;
}

static bool grow_const_hash(struct compiler *c)
{
    uint32_t size = c->const_hash_size ? 2 * c->const_hash_size : 64;
    uint32_t *table = ARENA_ARRAY(c->arena, uint32_t, size);
    if (!table) {
        c->failed = true;
        return false;
    }
    for (uint32_t k = 0; k < c->p->nconsts; k++) {
        uint32_t i = const_hash(c->p->consts[k].bits, c->p->consts[k].bytes);
        while (table[i & (size - 1)])
            i++;
        table[i & (size - 1)] = k + 1;
    }
    c->const_hash = table;
    c->const_hash_size = size;
    return true;
}

uint32_t const_row(struct compiler *c, uint64_t bits, bool wide)
{
    uint8_t bytes = wide ? 8 : 4;
    if (!wide)
        bits &= 0xffffffff;
    if (2 * (c->p->nconsts + 1) > c->const_hash_size && !grow_const_hash(c))
        return FRAME_ROWS;
    uint32_t h = const_hash(bits, bytes);
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

struct lop *emit(struct compiler *c, enum handler_id h, uint32_t mask)
{
    struct lop *code = arena_grow(c->arena, c->code, sizeof *code, c->ncode, &c->code_cap, c->ncode + 1);
    if (!code) {
        c->failed = true;
        return &c->scrap;
    }
    c->code = code;
    struct lop *op = &code[c->ncode++];
    memset(op, 0, sizeof *op);
    const struct handler *k = exec_handler(c->handlers, h);
    op->fn = mask ? k->masked : k->plain;
    op->aux = mask;
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

/* Uniform registers are scalars. */
static uint32_t file_pitch(const struct compiler *c, const struct ir_file *file)
{
    return file->uniform ? (file->bits == 64 ? 8u : 4u) : row_bytes(c, true, file->bits == 64);
}

uint32_t reg_row(const struct compiler *c, unsigned file, uint32_t elem)
{
    return c->p->file_row[file] + elem * file_pitch(c, &c->p->ir->files[file]);
}

/* Number of a plain register, over all files: index into the per-register tables. */
uint32_t reg_number(const struct compiler *c, unsigned file, uint32_t elem)
{
    return c->file_base[file] + elem;
}

const struct ir_reg *op_reg(const struct compiler *c, const struct ir_op *op)
{
    return &c->p->ir->regs[op->desc];
}

unsigned span_of_reg(const struct compiler *c, const struct ir_reg *r)
{
    unsigned bits = c->p->ir->files[r->file].bits, part = ir_type_bits((enum ir_type)r->part);
    return part > bits ? (part + bits - 1) / bits : 1;
}

ir_value root_of(const struct compiler *c, ir_value v)
{
    while (info_of(c, v)->alias)
        v = info_of(c, v)->alias;
    return v;
}

/* ---- rows of arguments and results ---- */

struct operand operand_of(struct compiler *c, ir_value v)
{
    const struct ir_program *ir = c->p->ir;
    ir_value r = root_of(c, v);
    bool uniform = ir->value_uniform[r];
    return (struct operand){info_of(c, r)->row, uniform ? 0 : EXEC_CHUNK};
}

/* The row to write a result to. */
uint32_t result_row(struct compiler *c, ir_value v)
{
    struct value_info *i = info_of(c, v);
    if (i->home) {
        i->row = i->home;
        return i->row;
    }
    bool lane = !c->p->ir->value_uniform[v], outer = c->scalar;
    c->scalar = i->scalar;
    i->row = temp_take(c, lane, value_wide(c, v));
    c->scalar = outer;
    i->temp = true;
    return i->row;
}

uint32_t result_mask(const struct compiler *c, ir_value v)
{
    const struct value_info *i = info_of(c, v);
    if (!i->in_register || i->scalar) /* scalars are written for the warp */
        return 0;
    if (i->condition)
        return c->masked ? info_of(c, i->condition)->with_mask : info_of(c, i->condition)->row;
    return c->masked ? (uint32_t)offsetof(struct frame, mask) : 0;
}

/* Before the arguments of an op give their rows back: the lanes that its result is written in. */
static void prepare_mask(struct compiler *c, const struct ir_op *op)
{
    ir_value condition = op->nres == 1 ? info_of(c, op->res)->condition : 0;
    if (!condition || !c->masked || info_of(c, condition)->with_mask)
        return;
    struct operand o[2] = {operand_of(c, condition), {(uint32_t)offsetof(struct frame, mask), EXEC_CHUNK}};
    uint32_t d = temp_take(c, true, false);
    emit_simple(c, H_AND32, 0, d, o, 2, false);
    info_of(c, condition)->with_mask = d;
}

static void release(struct compiler *c, ir_value v, uint32_t at)
{
    if (!v || c->block == IR_PROLOGUE)
        return;
    ir_value r = root_of(c, v);
    struct value_info *i = info_of(c, r);
    if (i->block != c->block || i->last > at)
        return;
    if (i->with_mask) {
        temp_give(c, i->with_mask, true, false);
        i->with_mask = 0;
    }
    if (!i->temp)
        return;
    bool outer = c->scalar;
    c->scalar = i->scalar;
    temp_give(c, i->row, !c->p->ir->value_uniform[r], value_wide(c, r));
    c->scalar = outer;
    i->temp = false;
}

/* The op that is done together with this one, of which its arguments are. */
static const struct ir_op *fused_maker(const struct compiler *c, const struct ir_op *op)
{
    if (op->nres)
        return info_of(c, op->res)->fuse ? c->fuse_op : NULL;
    if ((op->code != IR_BRANCH && op->code != IR_CHECK) || !info_of(c, ir_args(c->p->ir, op)[0])->fused)
        return NULL;
    const struct ir_op *test = &c->ops[info_of(c, ir_args(c->p->ir, op)[0])->def];
    ir_value side = ir_args(c->p->ir, test)[0];
    return op->code == IR_CHECK ? &c->ops[info_of(c, side)->def] : test;
}

static void release_args(struct compiler *c, const struct ir_op *op, uint32_t at)
{
    for (unsigned k = 0; k < op->nargs; k++)
        release(c, ir_args(c->p->ir, op)[k], at);
    release(c, op->pred, at);
    const struct ir_op *inner = fused_maker(c, op);
    for (unsigned k = 0; inner && k < inner->nargs; k++)
        release(c, ir_args(c->p->ir, inner)[k], at);
}

static void compile_block_body(struct compiler *c, const struct ir_block *b)
{
    for (uint32_t i = 0; i < b->count && !c->failed && !c->unsupported; i++) {
        const struct ir_op *op = &b->ops[i];
        c->at = i;
        c->ops = b->ops;
        c->fuse_op = op->nres && info_of(c, op->res)->fuse ? &b->ops[info_of(c, info_of(c, op->res)->fuse)->def] : NULL;
        if (op->nres && (info_of(c, op->res)->fused || info_of(c, op->res)->alias))
            continue;
        if (op->nres && c->block != IR_PROLOGUE && op->code != IR_CONST && !info_of(c, op->res)->uses &&
            (ir_op_info[op->code].flags & IR_OP_PURE))
            continue;
        c->scalar =
            op->nres ? info_of(c, op->res)->scalar : op->code == IR_SET && c->p->ir->files[op_reg(c, op)->file].uniform;
        prepare_mask(c, op);
        bool early = !crosses_lanes(op) && op->nres <= 1 && single_step(c, op, false);
        /* component-wise results may take the row of an argument that dies here */
        if (early)
            release_args(c, op, i);
        select_op(c, op);
        if (!early)
            release_args(c, op, i);
        for (unsigned k = 0; k < op->nres; k++)
            if (info_of(c, op->res + k)->last == i)
                release(c, op->res + k, i);
    }
    c->scalar = false;
}

struct value_range {
    ir_value first, end;
};

static struct value_range values_of(const struct ir_block *b)
{
    struct value_range r = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < b->count; i++) {
        const struct ir_op *op = &b->ops[i];
        if (!op->nres)
            continue;
        r.first = op->res < r.first ? op->res : r.first;
        r.end = op->res + op->nres > r.end ? op->res + op->nres : r.end;
    }
    return r.end ? r : (struct value_range){0, 0};
}

static void compile_block(struct compiler *c, uint32_t index, bool masked)
{
    const struct ir_block *b = &c->p->ir->blocks[index];
    c->block = index;
    c->masked = masked;
    c->own = values_of(b).first;
    c->code_at[masked][index] = (uint32_t)c->ncode;
    scan_block(c, b);
    compile_block_body(c, b);
}

/* ---- registers that a warp may read before it writes them ---- */

/* Has a pass put probes in, which may look at any register? */
static bool is_looked_at(const struct ir_program *ir)
{
    for (uint32_t k = IR_ENTRY; k < ir->nblocks; k++)
        for (uint32_t i = 0; i < ir->blocks[k].count; i++)
            if (ir->blocks[k].ops[i].code == IR_PROBE)
                return true;
    return false;
}

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
                for (unsigned k = 0; k < span_of_reg(c, r); k++)
                    zero[reg_number(c, r->file, r->elem + k)] |= !first[reg_number(c, r->file, r->elem + k)];
            } else if (op->code == IR_SET && !op->pred) {
                const struct ir_reg *r = op_reg(c, op);
                bool whole = r->shift == 0 && ir_type_bits((enum ir_type)r->part) >= ir->files[r->file].bits;
                for (unsigned k = 0; k < span_of_reg(c, r); k++) {
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
                    for (unsigned s = 0; s < span_of_reg(c, r); s++, e++)
                        if (e >= 0 && e < ir->files[r->file].count)
                            zero[reg_number(c, r->file, (uint32_t)e)] |= !written[reg_number(c, r->file, (uint32_t)e)];
                }
                continue;
            }
            bool whole = op->code == IR_SET && !op->pred && r->shift == 0 &&
                         ir_type_bits((enum ir_type)r->part) >= ir->files[r->file].bits;
            for (unsigned k = 0; k < span_of_reg(c, r); k++) {
                uint32_t n = reg_number(c, r->file, r->elem + k);
                if (whole)
                    written[n] = 1;
                else
                    zero[n] |= !written[n];
            }
        }
    }
    bool all = c->extensible || is_looked_at(ir);
    /* the contents of preserved files belong to the caller */
    for (uint32_t f = 0; f < ir->nfiles; f++) {
        for (uint32_t e = 0; e < ir->files[f].count; e++) {
            uint32_t n = reg_number(c, f, e);
            if ((zero[n] || all) && !ir->files[f].preserved)
                seen += zero[n] = 1;
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

/* ---- whole programs ---- */

void patch_target(struct compiler *c, struct lop *op, uint32_t block)
{
    struct patch *list =
        arena_grow(c->arena, c->patches, sizeof *list, c->npatches, &c->patches_cap, (size_t)c->npatches + 1);
    if (!list) {
        c->failed = true;
        return;
    }
    c->patches = list;
    list[c->npatches++] = (struct patch){(size_t)(op - c->code), block, c->masked};
    op->d = block;
}

/* Jumps know blocks while code is made; afterwards they know operations. */
static void resolve(struct compiler *c, uint32_t first)
{
    struct exec_program *p = c->p;
    for (uint32_t b = first; b < p->ir->nblocks; b++) {
        p->blocks[b].full = c->code + c->code_at[0][b];
        p->blocks[b].masked = c->code + c->code_at[1][b];
    }
    for (uint32_t i = 0; i < c->npatches; i++) {
        const struct exec_block_code *to = &p->blocks[c->patches[i].block];
        c->code[c->patches[i].at].imm = (uint64_t)(uintptr_t)(c->patches[i].masked ? to->masked : to->full);
    }
    c->npatches = 0;
}

/* Which values share the table by value; the others have their place in it while their block is compiled. Passes number
 * values in the order of blocks, so that a table for the prologue's and for those of the longest block will do. Where
 * they did not, or blocks come later, all values share it. Returns how many places the table needs. */
static uint32_t share_values(struct compiler *c)
{
    const struct ir_program *ir = c->p->ir;
    uint32_t longest = 0;
    c->shared = UINT32_MAX;
    if (c->extensible)
        return ir->nvalues;
    struct value_range common = values_of(&ir->blocks[IR_PROLOGUE]);
    for (uint32_t b = IR_ENTRY; b < ir->nblocks; b++) {
        struct value_range r = values_of(&ir->blocks[b]);
        if (r.end && r.first < common.end)
            return ir->nvalues;
        longest = r.end - r.first > longest ? r.end - r.first : longest;
    }
    c->shared = common.end ? common.end : 1;
    return c->shared + longest;
}

/* Tables by value and by block, for all that there are now. */
static bool grow_tables(struct compiler *c)
{
    const struct ir_program *ir = c->p->ir;
    uint32_t blocks = c->p->nblocks, values = c->nvalues, want = share_values(c);
    struct value_info *v = arena_grow(c->value_arena, c->v, sizeof *v, values, &c->v_cap, (size_t)want + 1);
    struct exec_block_code *code =
        arena_grow(c->arena, c->p->blocks, sizeof *code, blocks, &c->blocks_cap, (size_t)ir->nblocks + 1);
    uint32_t *full =
        arena_grow(c->arena, c->code_at[0], sizeof *full, blocks, &c->code_at_cap[0], (size_t)ir->nblocks + 1);
    uint32_t *masked =
        arena_grow(c->arena, c->code_at[1], sizeof *masked, blocks, &c->code_at_cap[1], (size_t)ir->nblocks + 1);
    if (!v || !code || !full || !masked)
        return false;
    c->v = v;
    c->p->blocks = code;
    c->code_at[0] = full;
    c->code_at[1] = masked;
    for (; values < want; values++)
        v[values] = (struct value_info){.block = UINT32_MAX};
    c->nvalues = values;
    return true;
}

/* Ops of the prologue from `from` on. */
static void compile_prologue(struct compiler *c, uint32_t from)
{
    struct ir_block rest = c->p->ir->blocks[IR_PROLOGUE];
    uint32_t all = rest.count;
    rest.ops = rest.ops ? rest.ops + from : NULL;
    rest.count -= from;
    c->block = IR_PROLOGUE;
    c->masked = false;
    c->code_at[0][IR_PROLOGUE] = c->code_at[1][IR_PROLOGUE] = (uint32_t)c->ncode;
    /* its rows are never given back: temporaries of blocks are others */
    struct temp_list kept[3][2];
    memcpy(kept, c->temps, sizeof kept);
    memset(c->temps, 0, sizeof c->temps);
    scan_block(c, &rest);
    compile_block_body(c, &rest);
    memcpy(c->temps, kept, sizeof kept);
    emit(c, H_STOP, 0); /* it has no terminator */
    c->prologue_ops = all;
}

/* Are blocks looked up by their address? */
static bool uses_addresses(const struct ir_program *ir)
{
    for (uint32_t b = IR_ENTRY; b < ir->nblocks; b++)
        if (ir->blocks[b].count && ir_computes_target(ir, &ir->blocks[b].ops[ir->blocks[b].count - 1]))
            return true;
    return false;
}

/* Code for the blocks from `first` on, and for what the prologue has got since. */
static weft_status compile_from(struct compiler *c, uint32_t first)
{
    struct exec_program *p = c->p;
    c->code = NULL;
    c->ncode = c->code_cap = 0;
    if (!grow_tables(c))
        return WEFT_ERROR_MEMORY;
    bool prologue = first <= IR_ENTRY || p->ir->blocks[IR_PROLOGUE].count > c->prologue_ops;
    if (prologue)
        compile_prologue(c, c->prologue_ops);
    for (int masked = 0; masked < 2; masked++)
        for (uint32_t b = first < IR_ENTRY ? IR_ENTRY : first; b < p->ir->nblocks && !c->unsupported && !c->failed; b++)
            compile_block(c, b, masked);
    if (c->unsupported)
        return WEFT_ERROR_UNSUPPORTED;
    if (c->failed || arena_failed(c->arena))
        return WEFT_ERROR_MEMORY;
    if (prologue) {
        const struct lop **list = arena_grow(c->arena, p->prologues, sizeof *list, p->nprologues, &p->prologues_cap,
                                             (size_t)p->nprologues + 1);
        if (!list)
            return WEFT_ERROR_MEMORY;
        p->prologues = list;
        list[p->nprologues++] = c->code + c->code_at[0][IR_PROLOGUE];
    }
    uint32_t from = first < IR_ENTRY ? IR_ENTRY : first;
    resolve(c, from);
    if ((p->map.size || c->extensible || uses_addresses(p->ir)) && !exec_map_blocks(p, c->arena, from))
        return WEFT_ERROR_MEMORY;
    p->nblocks = p->ir->nblocks;
    return WEFT_OK;
}

enum { EXTENSION = 64 << 20 }; /* bytes of a frame that blocks added later may take: constants and temporaries */

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
    p->compiler = c;
    c->p = p;
    c->arena = arena;
    c->diags = diags;
    c->extensible = p->grows = options && options->extensible;
    c->handlers = p->handlers = exec_handlers(p->level);
    p->load_chunk = c->handlers->load_chunk;
    p->helper_chunk = c->handlers->helper_chunk;
    c->frame = FRAME_ROWS;
    c->frame_limit = UINT32_MAX;
    lay_out_files(c);
    c->reader_block = ARENA_ARRAY(arena, uint32_t, c->nregisters + 1u);
    c->reader_last = ARENA_ARRAY(arena, uint32_t, c->nregisters + 1u);
    if (arena_failed(arena) || c->failed)
        return WEFT_ERROR_MEMORY;
    struct arena scratch = {0};
    c->value_arena = c->extensible ? arena : &scratch;
    weft_status s = compile_from(c, IR_PROLOGUE);
    if (s == WEFT_OK)
        find_zeroed(c);
    if (!c->extensible)
        c->v = NULL;
    arena_free(&scratch);
    c->value_arena = arena;
    if (s != WEFT_OK)
        return s;
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    p->frame_size = (c->frame + 63u) / 64 * 64;
    if (c->extensible) {
        p->frame_size += EXTENSION;
        c->frame_limit = (uint32_t)p->frame_size;
    }
    exec_native_start(p, options, arena);
    *out = p;
    return WEFT_OK;
}

weft_status exec_extend(struct exec_program *p, weft_diags *diags)
{
    struct compiler *c = p->compiler;
    if (!c->extensible)
        return WEFT_ERROR_USAGE;
    c->diags = diags;
    p->generation++;
    weft_status s = compile_from(c, p->nblocks);
    return s == WEFT_OK && p->native && !exec_native_extend(p) ? WEFT_ERROR_MEMORY : s;
}
