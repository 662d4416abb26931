/* columns.c - straight runs: a word of each of 16 rows as a row, and one number of all lanes.
 *
 * The words of a column are in the frame: rows that are known as values are stored before, and are forgotten when their
 * words are written. A column that was written last is known as a value too, until one of its rows changes. */
#include "exec/jit/gen.h"

#include <stddef.h>

enum { ROW_BYTES = EXEC_CHUNK * 4 };

static bool is_column(const struct jit_step *s)
{
    uint32_t ones = (uint32_t)s->imm, whole = ones == 0xff || ones == 0xffff || ones == UINT32_MAX;
    return whole && s->imm >> 32 == EXEC_CHUNK && s->aux % 8 == 0;
}

static bool is_reduction(const struct jit_step *s)
{
    switch (s->imm) {
    case IR_ADD:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_MIN_S:
    case IR_MAX_S:
    case IR_MIN_U:
    case IR_MAX_U:
        return s->sa;
    default:
        return false;
    }
}

bool columns_known(const struct jit_step *s)
{
    if (!s->straight)
        return false;
    return s->handler == H_REDUCE ? is_reduction(s)
                                  : (s->handler == H_GET_COLUMN32 || s->handler == H_SET_COLUMN32) && is_column(s);
}

/* ---- columns ---- */

static uint32_t first_row(const struct jit_step *s)
{
    return s->a / ROW_BYTES * ROW_BYTES;
}

/* The rows of the column are in the frame; `written`: and nowhere else, for they are about to change there. */
static void flush_rows(struct gen *g, bool written)
{
    for (uint32_t k = 0; k < EXEC_CHUNK; k++) {
        struct row_value *r = row_find(g, first_row(g->s) + k * ROW_BYTES);
        if (r && r->dirty) {
            row_store_now(g, g->b, r);
            r->dirty = false;
        }
        if (r && written)
            r->at = NO_ROW;
    }
}

static unsigned part_bytes(const struct jit_step *s)
{
    uint32_t ones = (uint32_t)s->imm;
    return ones == 0xff ? 1 : ones == 0xffff ? 2 : 4;
}

static LLVMTypeRef part_type(struct gen *g)
{
    unsigned bytes = part_bytes(g->s);
    return bytes == 1 ? g->i8 : bytes == 2 ? g->i16 : g->i32;
}

/* The part of row k's word that the operation is about. Hosts have the low byte first. */
static V word_part(struct gen *g, uint32_t k)
{
    return offset_const(g, g->b, g->frame, g->s->a + k * ROW_BYTES + g->s->aux / 8);
}

static bool is_same_column(const struct gen *g)
{
    return g->column.value && g->column.at == g->s->a + g->s->aux / 8 && g->column.bytes == part_bytes(g->s);
}

void column_changed(struct gen *g, uint32_t at)
{
    if (g->column.value && at - g->column.at / ROW_BYTES * ROW_BYTES < EXEC_CHUNK * ROW_BYTES)
        g->column.value = NULL;
}

static void emit_get(struct gen *g)
{
    if (is_same_column(g)) {
        row_put(g, g->s->d, false, g->column.value);
        return;
    }
    flush_rows(g, false);
    V v = LLVMGetUndef(LLVMVectorType(part_type(g), EXEC_CHUNK));
    for (uint32_t k = 0; k < EXEC_CHUNK; k++)
        v = LLVMBuildInsertElement(g->b, v, load_at(g, g->b, word_part(g, k), part_type(g), part_bytes(g->s)),
                                   LLVMConstInt(g->i32, k, false), "");
    row_put(g, g->s->d, false, part_bytes(g->s) < 4 ? LLVMBuildZExt(g->b, v, shaped(g, g->i32), "") : v);
}

static void emit_set(struct gen *g)
{
    V v = row_get(g, g->s->b, g->s->sb, false, KIND_INT);
    V lanes = g->s->c ? row_get(g, g->s->c, g->s->sc, false, KIND_BOOL) : NULL;
    if (g->failed)
        return;
    flush_rows(g, true);
    v = and2(g, v, k32(g, (uint32_t)g->s->imm));
    for (uint32_t k = 0; k < EXEC_CHUNK; k++) {
        V at = word_part(g, k), lane = LLVMConstInt(g->i32, k, false);
        V part = LLVMBuildExtractElement(g->b, v, lane, "");
        if (part_bytes(g->s) < 4)
            part = LLVMBuildTrunc(g->b, part, part_type(g), "");
        if (lanes)
            part = LLVMBuildSelect(g->b, LLVMBuildExtractElement(g->b, lanes, lane, ""), part,
                                   load_at(g, g->b, at, part_type(g), part_bytes(g->s)), "");
        store_at(g, g->b, part, at, part_bytes(g->s));
    }
    for (uint32_t k = 0; k < EXEC_CHUNK; k++)
        column_changed(g, first_row(g->s) + k * ROW_BYTES);
    if (!lanes)
        g->column = (struct known_column){g->s->a + g->s->aux / 8, part_bytes(g->s), v};
}

/* ---- one number of all lanes: all of them run ---- */

static void emit_reduction(struct gen *g)
{
    static const struct {
        uint8_t op;
        const char *name;
    } names[] = {{IR_ADD, "llvm.vector.reduce.add"},    {IR_AND, "llvm.vector.reduce.and"},
                 {IR_OR, "llvm.vector.reduce.or"},      {IR_XOR, "llvm.vector.reduce.xor"},
                 {IR_MIN_S, "llvm.vector.reduce.smin"}, {IR_MAX_S, "llvm.vector.reduce.smax"},
                 {IR_MIN_U, "llvm.vector.reduce.umin"}, {IR_MAX_U, "llvm.vector.reduce.umax"}};
    V v = row_get(g, g->s->a, g->s->sa, false, KIND_INT);
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].op == g->s->imm)
            v = intrinsic(g, names[k].name, LLVMTypeOf(v), &v, 1);
    g->lane = false;
    row_put(g, g->s->d, false, v);
}

void columns_emit(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
    if (g->s->handler == H_REDUCE)
        emit_reduction(g);
    else if (g->s->handler == H_GET_COLUMN32)
        emit_get(g);
    else
        emit_set(g);
}
