/* bus_lanes.c - loads and stores on the bus by all lanes of a straight run, where one element follows the other and all
 * are in the range that the operation hit last: the rows of a vector processor. All else leaves the run.
 *
 * Most addresses are a number of the warp plus the lane's, times something. Of such rows the first element and the step
 * are known here (linear_note), and addresses are scalars. */
#include "exec/jit/gen.h"

#include <stddef.h>

bool bus_lanes_known(const struct jit_step *s)
{
    bool access = s->handler == H_BUS_LOAD || s->handler == H_BUS_STORE;
    return s->straight && access && s->n == 1 && s->sa && !MEM_WIDE(s) && MEM_BYTES(s) <= 4;
}

/* ---- rows whose elements have one distance ---- */

struct linear {
    V first; /* NULL: it is not so */
    uint32_t step;
};

static struct linear linear_row(struct gen *g, uint32_t at)
{
    struct row_value *r = row_find(g, at);
    return r ? (struct linear){r->first, r->step} : (struct linear){NULL, 0};
}

/* Of a row of equal elements, or a scalar. */
static V warp_number(struct gen *g, uint32_t at, unsigned stride)
{
    bool outer = g->lane;
    g->lane = false;
    V v = stride ? NULL : row_get(g, at, 0, false, KIND_INT);
    g->lane = outer;
    return v;
}

static struct linear shifted(struct gen *g)
{
    struct linear a = linear_row(g, g->s->a);
    uint64_t n;
    if (!a.first || !row_known(g, g->s->b, &n))
        return (struct linear){NULL, 0};
    n &= 31;
    return (struct linear){LLVMBuildShl(g->b, a.first, LLVMConstInt(g->i32, n, false), ""), a.step << n};
}

static struct linear added(struct gen *g)
{
    for (unsigned k = 0; k < 2; k++) {
        struct linear a = linear_row(g, k ? g->s->b : g->s->a);
        V other = a.first ? warp_number(g, k ? g->s->a : g->s->b, k ? g->s->sa : g->s->sb) : NULL;
        if (other)
            return (struct linear){LLVMBuildAdd(g->b, a.first, other, ""), a.step};
    }
    return (struct linear){NULL, 0};
}

/* What the current operation, which is not done yet, gives. */
static struct linear linear_result(struct gen *g)
{
    g->b = g->loop;
    if (!g->straight || g->s->form != JIT_PLAIN)
        return (struct linear){NULL, 0};
    switch (g->s->handler) {
    case H_LANE_ID:
        return (struct linear){LLVMConstInt(g->i32, 0, false), 1};
    case H_SHL32:
        return shifted(g);
    case H_ADD_I32:
        return added(g);
    default:
        return (struct linear){NULL, 0};
    }
}

void op_emit_linear(struct gen *g)
{
    struct linear l = linear_result(g);
    op_emit(g);
    struct row_value *r = l.first && !g->failed ? row_find(g, g->s->d) : NULL;
    if (r) {
        r->first = l.first;
        r->step = l.step;
    }
}

/* ---- accesses ---- */

static LLVMTypeRef elements(struct gen *g, unsigned bytes)
{
    return LLVMVectorType(bytes == 1 ? g->i8 : bytes == 2 ? g->i16 : g->i32, EXEC_CHUNK);
}

static V distances(struct gen *g, uint32_t step)
{
    V k[EXEC_CHUNK];
    for (unsigned i = 0; i < EXEC_CHUNK; i++)
        k[i] = LLVMConstInt(g->i32, i * step, false);
    return LLVMConstVector(k, EXEC_CHUNK);
}

/* The address of the first lane's element; the run is left where the others' do not follow it. */
static V first_address(struct gen *g, unsigned bytes)
{
    struct linear l = linear_row(g, g->s->a);
    bool aligned = MEM_ALIGN(g->s) == 1;
    V offset = LLVMConstInt(g->i32, (uint32_t)g->s->imm, false);
    if (l.first && l.step == bytes && aligned)
        return LLVMBuildAdd(g->b, l.first, offset, "");
    V at = row_get(g, g->s->a, EXEC_CHUNK, false, KIND_INT);
    if (g->failed)
        return offset;
    if (!aligned)
        at = and2(g, at, k32(g, (uint32_t)~(MEM_ALIGN(g->s) - 1)));
    V first = LLVMBuildExtractElement(g->b, at, LLVMConstInt(g->i32, 0, false), "");
    leave_unless(g, all_lanes(g, icmp(g, LLVMIntEQ, at, add(g, spread(g, g->b, first), distances(g, bytes)))));
    return LLVMBuildAdd(g->b, first, offset, "");
}

static V number(struct gen *g, uint64_t v)
{
    return LLVMConstInt(g->i64, v, false);
}

/* Where the elements are, one after the other. A range is kept with 7 bytes less than it has: exec/handlers_bus.h. */
static V place(struct gen *g, size_t range, unsigned bytes)
{
    V first = first_address(g, bytes);
    V r = offset_const(g, g->b, g->frame, range + MEM_SITE(g->s) * sizeof(struct exec_range));
    V from = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, first)), g->i64, 8);
    V size = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, size)), g->i64, 8);
    V data = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, data)), g->pointer, 8);
    V k = LLVMBuildSub(g->b, LLVMBuildZExt(g->b, first, g->i64, ""), from, "");
    V last = LLVMBuildAdd(g->b, k, number(g, bytes * EXEC_CHUNK - 8), "");
    V in = LLVMBuildICmp(g->b, LLVMIntULT, k, size, "");
    leave_unless(g, LLVMBuildAnd(g->b, in, LLVMBuildICmp(g->b, LLVMIntULT, last, size, ""), ""));
    return offset_by(g, g->b, data, k);
}

/* Conditions of the lanes that take part; NULL: all do. */
static V taking_part(struct gen *g)
{
    return g->s->c ? row_get(g, g->s->c, g->s->sc, false, KIND_BOOL) : NULL;
}

static void emit_load(struct gen *g, unsigned bytes)
{
    V lanes = taking_part(g), from = place(g, offsetof(struct frame, bus_loads), bytes);
    V v = load_at(g, g->b, from, elements(g, bytes), 1);
    if (bytes < 4)
        v = LLVMBuildZExt(g->b, v, shaped(g, g->i32), "");
    row_put(g, g->s->d, false, lanes ? sel(g, lanes, v, k32(g, 0)) : v);
}

static void emit_store(struct gen *g, unsigned bytes)
{
    V v = row_get(g, g->s->b, g->s->sb, false, KIND_INT), lanes = taking_part(g), active = active_mask(g);
    V live = load_at(g, g->b, offset_const(g, g->b, g->frame, offsetof(struct frame, live)), g->i64, 8);
    if (g->failed)
        return;
    leave_unless(g, LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildAnd(g->b, live, active, ""), active, ""));
    V to = place(g, offsetof(struct frame, bus_stores), bytes);
    if (bytes < 4)
        v = LLVMBuildTrunc(g->b, v, elements(g, bytes), "");
    if (lanes) /* the others' bytes become what they are */
        v = sel(g, lanes, v, load_at(g, g->b, to, elements(g, bytes), 1));
    store_at(g, g->b, v, to, 1);
}

void bus_lanes_emit(struct gen *g)
{
    g->lane = true;
    g->b = g->loop;
    if (g->s->handler == H_BUS_LOAD)
        emit_load(g, MEM_BYTES(g->s));
    else
        emit_store(g, MEM_BYTES(g->s));
}
