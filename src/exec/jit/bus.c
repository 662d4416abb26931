/* bus.c - what straight runs have: a scalar processor's accesses on the bus, and checks.
 *
 * Made here is an access in a range that an access hit before, as handlers_bus.h has it, and a check that does not stop
 * the warp. With all else the run is left before the operation. So nothing of a device is ever called from a run, and
 * what a range is does not change inside one. */
#include "exec/jit/gen.h"

#include <stddef.h>

/* Bytes of a scalar's access; 0: it is not one. */
static unsigned load_bytes(uint16_t handler)
{
    switch (handler) {
    case H_BUS_LOAD8:
        return 1;
    case H_BUS_LOAD16:
        return 2;
    case H_BUS_LOAD32:
        return 4;
    default:
        return 0;
    }
}

static unsigned store_bytes(uint16_t handler)
{
    switch (handler) {
    case H_BUS_STORE8:
        return 1;
    case H_BUS_STORE16:
        return 2;
    case H_BUS_STORE32:
        return 4;
    default:
        return 0;
    }
}

/* The alignment that the operation looks at before the access after it; 0: it does not. */
static unsigned aligned_bytes(uint16_t handler)
{
    switch (handler) {
    case H_CHECK_BUS_LOAD16:
    case H_CHECK_BUS_STORE16:
        return 2;
    case H_CHECK_BUS_LOAD32:
    case H_CHECK_BUS_STORE32:
        return 4;
    default:
        return 0;
    }
}

bool straight_known(const struct jit_step *s)
{
    if (!s->straight)
        return false;
    switch (s->handler) {
    case H_CHECK:
    case H_CHECK_SCALAR:
    case H_CHECK_BITS:
        return true;
    default:
        return load_bytes(s->handler) || store_bytes(s->handler) || aligned_bytes(s->handler);
    }
}

static LLVMTypeRef element(struct gen *g, unsigned bytes)
{
    return bytes == 1 ? g->i8 : bytes == 2 ? g->i16 : g->i32;
}

/* An address in a range of the frame: where its byte is, if it is inside. */
struct found {
    V inside, byte;
};

static struct found look_in(struct gen *g, V at, size_t range)
{
    V r = offset_const(g, g->b, g->frame, range);
    V first = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, first)), g->i64, 8);
    V size = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, size)), g->i64, 8);
    V data = load_at(g, g->b, offset_const(g, g->b, r, offsetof(struct exec_range, data)), g->pointer, 8);
    V k = sub(g, at, first);
    return (struct found){icmp(g, LLVMIntULT, k, size), offset_by(g, g->b, data, k)};
}

/* Where the access is, in the range at `last` of the frame or else in that of its site, of those at `sites`; the run is
 * left where it is in neither. */
static V place(struct gen *g, size_t last, size_t sites)
{
    V at = row_get(g, g->s->a, 0, false, KIND_INT), fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(g->b));
    if (g->failed)
        return g->frame;
    at = zext64(g, add(g, at, k32(g, (uint32_t)g->s->imm)));
    LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(g->context, fn, "");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, fn, "");
    struct found found[2] = {look_in(g, at, last), {NULL, NULL}};
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(g->b), NULL};
    expect_first(g, LLVMBuildCondBr(g->b, found[0].inside, on, other));
    LLVMPositionBuilderAtEnd(g->b, other);
    found[1] = look_in(g, at, sites + MEM_SITE(g->s) * sizeof(struct exec_range));
    leave_unless(g, found[1].inside);
    from[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, on);
    LLVMPositionBuilderAtEnd(g->b, on);
    V byte = LLVMBuildPhi(g->b, g->pointer, ""), ways[2] = {found[0].byte, found[1].byte};
    LLVMAddIncoming(byte, ways, from, 2);
    return byte;
}

static void emit_load(struct gen *g, unsigned bytes)
{
    V from = place(g, offsetof(struct frame, bus_load), offsetof(struct frame, bus_loads));
    V v = load_at(g, g->b, from, element(g, bytes), 1);
    row_put(g, g->s->d, false, bytes < 4 ? LLVMBuildZExt(g->b, v, g->i32, "") : v);
}

/* By lanes that have effects: all are active, so that any live one will do. */
static void emit_store(struct gen *g, unsigned bytes)
{
    V v = row_get(g, g->s->b, 0, false, KIND_INT);
    V live = load_at(g, g->b, offset_const(g, g->b, g->frame, offsetof(struct frame, live)), g->i64, 8);
    leave_unless(g, icmp(g, LLVMIntNE, and2(g, live, active_mask(g)), LLVMConstNull(g->i64)));
    V to = place(g, offsetof(struct frame, bus_store), offsetof(struct frame, bus_stores));
    store_at(g, g->b, bytes < 4 ? LLVMBuildTrunc(g->b, v, element(g, bytes), "") : v, to, 1);
}

static V no_bits(struct gen *g, V x, V y)
{
    return icmp(g, LLVMIntEQ, and2(g, x, y), LLVMConstNull(LLVMTypeOf(x)));
}

static void emit_aligned(struct gen *g, unsigned bytes)
{
    V at = row_get(g, g->s->a, 0, false, KIND_INT);
    leave_unless(g, no_bits(g, at, k32(g, bytes - 1)));
}

static void emit_check_bits(struct gen *g)
{
    V x = row_get(g, g->s->a, 0, false, KIND_INT), y = row_get(g, g->s->b, 0, false, KIND_INT);
    leave_unless(g, no_bits(g, x, y));
}

/* Of a condition of the warp, or of lanes: does it hold anywhere? c: its predicate. */
static void emit_check(struct gen *g)
{
    bool scalar = g->s->handler == H_CHECK_SCALAR;
    g->lane = !scalar && (g->s->sa || (g->s->c && g->s->sc));
    V holds = row_get(g, g->s->a, scalar ? 0 : g->s->sa, false, KIND_BOOL);
    if (g->s->c)
        holds = and2(g, holds, row_get(g, g->s->c, scalar ? 0 : g->s->sc, false, KIND_BOOL));
    leave_unless(g, g->lane ? icmp(g, LLVMIntEQ, mask_bits(g, holds), LLVMConstNull(g->i64)) : not1(g, holds));
}

void straight_emit(struct gen *g)
{
    unsigned load = load_bytes(g->s->handler), store = store_bytes(g->s->handler);
    g->lane = false;
    g->b = g->entry;
    if (load)
        emit_load(g, load);
    else if (store)
        emit_store(g, store);
    else if (aligned_bytes(g->s->handler))
        emit_aligned(g, aligned_bytes(g->s->handler));
    else if (g->s->handler == H_CHECK_BITS)
        emit_check_bits(g);
    else
        emit_check(g);
}
