/* own.c - operations that are more than an expression of their operands: registers under a predicate or in part, quads,
 * sines with their far arguments, and what a stage of the device gives and takes. */
#include "exec/jit/gen.h"

#include "base/fmath.h"

#include <stddef.h>

static void in_lanes(struct gen *g, bool lane)
{
    g->lane = lane;
    g->b = lane ? g->loop : g->entry;
}

/* Strides of an operation on registers: scalar forms know no lanes. */
static unsigned stride_of(const struct gen *g, unsigned stride)
{
    return g->s->form == JIT_SCALAR ? 0 : stride;
}

/* ---- registers ---- */

/* Where the predicate row b and the mask row c hold. */
static V written(struct gen *g)
{
    V pred = row_get(g, g->s->b, stride_of(g, g->s->sb), false, KIND_BOOL);
    return and2(g, pred, row_get(g, g->s->c, stride_of(g, g->s->sc), false, KIND_BOOL));
}

/* What the row holds before: a lane row, unless the operation is a scalar's. */
static V before(struct gen *g, bool wide)
{
    return row_get(g, g->s->d, stride_of(g, EXEC_CHUNK), wide, KIND_INT);
}

static void emit_pred_set(struct gen *g, bool wide)
{
    in_lanes(g, g->s->form != JIT_SCALAR);
    V v = row_get(g, g->s->a, stride_of(g, g->s->sa), wide, KIND_INT), where = written(g);
    /* Lanes chosen by their numbers are a constant, too. */
    bool everywhere = where == LLVMConstAllOnes(LLVMTypeOf(where));
    row_put(g, g->s->d, wide, everywhere ? v : choose(g, where, v, before(g, wide)));
}

static void emit_part_get(struct gen *g, bool wide)
{
    in_lanes(g, stride_of(g, g->s->sa) != 0);
    V v = row_get(g, g->s->a, stride_of(g, g->s->sa), wide, KIND_INT);
    v = wide ? trunc32(g, lshr(g, v, k64(g, g->s->aux & 63))) : lshr(g, v, k32(g, g->s->aux & 31));
    row_put(g, g->s->d, false, and2(g, v, k32(g, (uint32_t)g->s->imm)));
}

static void emit_part_set(struct gen *g, bool wide)
{
    in_lanes(g, g->s->form != JIT_SCALAR);
    V v = row_get(g, g->s->a, stride_of(g, g->s->sa), false, KIND_INT), where = written(g), old = before(g, wide);
    unsigned shift = g->s->aux & (wide ? 63 : 31);
    uint64_t ones = (g->s->imm & 0xffffffff) << shift;
    if (wide) {
        v = shl(g, zext64(g, v), k64(g, shift));
        v = or2(g, and2(g, old, k64(g, ~ones)), and2(g, v, k64(g, ones)));
    } else {
        v = shl(g, v, k32(g, shift));
        v = or2(g, and2(g, old, k32(g, ~(uint32_t)ones)), and2(g, v, k32(g, (uint32_t)ones)));
    }
    row_put(g, g->s->d, wide, choose(g, where, v, old));
}

/* A scalar as a row of equal elements. */
static void emit_spread(struct gen *g, bool wide)
{
    in_lanes(g, false);
    V v = row_get(g, g->s->a, 0, wide, KIND_INT);
    row_put(g, g->s->d, wide, v);
}

/* ---- lanes ---- */

static void emit_lane_id(struct gen *g)
{
    V id[MOST_WIDTH];
    in_lanes(g, true);
    for (unsigned i = 0; i < g->width; i++)
        id[i] = LLVMConstInt(g->i32, i, false);
    V first = LLVMBuildShl(g->b, LLVMBuildTrunc(g->b, g->chunk, g->i32, ""), LLVMConstInt(g->i32, 4, false), "");
    row_put(g, g->s->d, false, add(g, spread(g, g->b, first), LLVMConstVector(id, g->width)));
}

static void emit_quad(struct gen *g, bool exclusive)
{
    V from[MOST_WIDTH];
    unsigned k = (unsigned)g->s->imm & 3;
    in_lanes(g, g->s->sa != 0);
    enum kind kind = row_is_bool(g, g->s->a) ? KIND_BOOL : KIND_INT;
    V v = row_get(g, g->s->a, g->s->sa, false, kind);
    for (unsigned i = 0; i < g->width; i++)
        from[i] = LLVMConstInt(g->i32, exclusive ? i ^ k : (i & ~3u) | k, false);
    if (g->lane)
        v = LLVMBuildShuffleVector(g->b, v, LLVMGetUndef(LLVMTypeOf(v)), LLVMConstVector(from, g->width), "");
    row_put(g, g->s->d, false, v);
}

/* ---- sines ---- */

static float one_sine(float x, uint32_t turns)
{
    return fmath_is_far(x) ? fmath_sin_far(x, turns) : fmath_sin_near(x, turns);
}

static void far_sines(float *d, const float *x, uint32_t turns, uint32_t count)
{
    for (unsigned i = 0; i < count; i++)
        if (fmath_is_far(x[i]))
            d[i] = fmath_sin_far(x[i], turns);
}

static V constant_address(struct gen *g, uintptr_t address)
{
    return LLVMConstInt(g->i64, address, false);
}

static V as_pointer(struct gen *g, V address)
{
    return LLVMBuildIntToPtr(g->b, address, g->pointer, "");
}

static void far_body(struct gen *g, V args[RARE_ARGS])
{
    LLVMTypeRef types[4] = {g->pointer, g->pointer, g->i32, g->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 4, false);
    V to[4] = {as_pointer(g, args[0]), as_pointer(g, args[1]), LLVMBuildTrunc(g->b, args[2], g->i32, ""),
               LLVMBuildTrunc(g->b, args[3], g->i32, "")};
    call_address(g, constant_address(g, (uintptr_t)far_sines), type, to, 4);
}

static V scalar_sine(struct gen *g, V x, uint32_t turns)
{
    LLVMTypeRef types[2] = {g->f32, g->i32};
    V args[2] = {x, LLVMConstInt(g->i32, turns, false)};
    return call_address(g, constant_address(g, (uintptr_t)one_sine), LLVMFunctionType(g->f32, types, 2, false), args,
                        2);
}

/* Memory of the function. Not aligned to more than the stack is: a function that aligns its stack cannot end with a
 * jump, and a loop of the program would use up the stack. */
enum { STACK_ALIGN = 16 };
static V local(struct gen *g, LLVMTypeRef type)
{
    V v = LLVMBuildAlloca(g->top, type, "");
    LLVMSetAlignment(v, STACK_ALIGN);
    return v;
}

/* Lanes that are far: in a block of its own, which is seldom entered. */
static V with_far_lanes(struct gen *g, V x, V near, uint32_t turns)
{
    LLVMTypeRef row = LLVMTypeOf(x);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->loop);
    V fn = LLVMGetBasicBlockParent(here);
    LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(g->context, fn, "far");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, fn, "on");
    V inside = fcmp(g, LLVMRealOLT, magnitude_f32(g, x), kf(g, fmath_far));
    V d = local(g, row), a = local(g, row);
    LLVMBuildCondBr(g->b, all_lanes(g, inside), on, rare);
    LLVMPositionBuilderAtEnd(g->loop, rare);
    store_at(g, g->b, near, d, STACK_ALIGN);
    store_at(g, g->b, x, a, STACK_ALIGN);
    V args[4] = {LLVMBuildPtrToInt(g->b, d, g->i64, ""), LLVMBuildPtrToInt(g->b, a, g->i64, ""),
                 LLVMConstInt(g->i64, turns, false), LLVMConstInt(g->i64, g->width, false)};
    rare_call(g, rare_function(g, "far_sines", far_body), args, 4);
    V far = load_at(g, g->b, d, row, STACK_ALIGN);
    LLVMBuildBr(g->b, on);
    LLVMPositionBuilderAtEnd(g->loop, on);
    V result = LLVMBuildPhi(g->b, row, "");
    LLVMAddIncoming(result, &near, &here, 1);
    LLVMAddIncoming(result, &far, &rare, 1);
    return result;
}

static void emit_sine(struct gen *g, uint32_t turns)
{
    in_lanes(g, stride_of(g, g->s->sa) != 0);
    V x = row_get(g, g->s->a, stride_of(g, g->s->sa), false, KIND_FLOAT);
    row_put(g, g->s->d, false,
            g->lane ? with_far_lanes(g, x, math_sin_near(g, x, turns), turns) : scalar_sine(g, x, turns));
}

/* ---- fragment inputs ---- */

static V env_load(struct gen *g, size_t offset, LLVMTypeRef type)
{
    return load_at(g, g->entry, offset_const(g, g->entry, env_pointer(g), offset), type, 1);
}

/* The pixel of each lane: window coordinates as floats. */
static V position(struct gen *g, unsigned axis)
{
    static const size_t first[2] = {offsetof(struct exec_env, x), offsetof(struct exec_env, y)};
    static const size_t row[2] = {offsetof(struct frame, lane_x), offsetof(struct frame, lane_y)};
    if (!g->position[axis]) {
        V at = LLVMBuildSIToFP(g->entry, env_load(g, first[axis], g->i32), g->f32, "");
        V lanes =
            load_at(g, g->loop, offset_const(g, g->loop, g->base, row[axis]), row_type(g, g->f32), 64);
        g->position[axis] = LLVMBuildFAdd(g->loop, spread(g, g->entry, at), lanes, "");
    }
    return g->position[axis];
}

/* (a0 + dx * x) + dy * y; `plane` points at the three. */
static V plane_row(struct gen *g, V plane)
{
    LLVMBuilderRef b = g->crowded ? g->loop : g->entry;
    V k[3];
    for (unsigned i = 0; i < 3; i++)
        k[i] = spread(g, b, load_at(g, b, offset_const(g, b, plane, i * sizeof(float)), g->f32, 4));
    return fadd(g, fadd(g, k[0], fmul(g, k[1], position(g, 0))), fmul(g, k[2], position(g, 1)));
}

/* 1 / (1/w), or 1 where w is 1 everywhere. */
static V reciprocal_w(struct gen *g)
{
    if (!g->w) {
        V one = LLVMBuildICmp(g->entry, LLVMIntNE, env_load(g, offsetof(struct exec_env, w_one), g->i8),
                              LLVMConstInt(g->i8, 0, false), "");
        V w = plane_row(g, offset_const(g, g->entry, env_pointer(g), offsetof(struct exec_env, w_plane)));
        g->w = LLVMBuildSelect(g->b, one, kf(g, 1.0f), fdiv(g, kf(g, 1.0f), w), "");
    }
    return g->w;
}

static void emit_interp(struct gen *g)
{
    in_lanes(g, g->s->handler != H_INTERP_FLAT);
    V planes = env_load(g, offsetof(struct exec_env, plane), g->pointer);
    V plane = offset_const(g, g->entry, planes, g->s->imm * sizeof(struct exec_plane));
    V v;
    if (g->s->handler == H_INTERP_FLAT)
        v = load_at(g, g->entry, plane, g->f32, 4);
    else
        v = plane_row(g, plane);
    if (g->s->handler == H_INTERP_PERSPECTIVE)
        v = fmul(g, v, reciprocal_w(g));
    row_put(g, g->s->d, false, v);
}

/* ---- rows of the device ---- */

static void *const no_rows[1] = {NULL};
static const uint32_t zeros[EXEC_MAX_LANES];

static V address_of(struct gen *g, const void *p)
{
    return LLVMConstIntToPtr(LLVMConstInt(g->i64, (uintptr_t)p, false), g->pointer);
}

static V unless_null(struct gen *g, V p, V other)
{
    V null = LLVMBuildICmp(g->entry, LLVMIntEQ, p, LLVMConstNull(g->pointer), "");
    return LLVMBuildSelect(g->entry, null, other, p, "");
}

/* Element `index` of an array of rows that the environment may not have; NULL then. */
static V device_row(struct gen *g, size_t array, uint64_t index)
{
    V rows = env_load(g, array, g->pointer);
    V null = LLVMBuildICmp(g->entry, LLVMIntEQ, rows, LLVMConstNull(g->pointer), "");
    V slot = LLVMBuildSelect(g->entry, null, address_of(g, no_rows),
                             offset_const(g, g->entry, rows, index * sizeof(void *)), "");
    return load_at(g, g->entry, slot, g->pointer, 8);
}

static V chunk_of(struct gen *g, V row)
{
    V bytes = LLVMBuildShl(g->loop, g->chunk, LLVMConstInt(g->i64, 6, false), "");
    return offset_by(g, g->loop, row, bytes);
}

static void emit_attr(struct gen *g)
{
    in_lanes(g, true);
    V row = unless_null(g, device_row(g, offsetof(struct exec_env, attr), g->s->imm), address_of(g, zeros));
    row_put(g, g->s->d, false, load_at(g, g->b, chunk_of(g, row), row_type(g, g->i32), 4));
}

/* Lanes that an effect applies to. */
static V effect_lanes(struct gen *g)
{
    V lanes = active_lanes(g);
    return g->s->c ? and2(g, lanes, row_get(g, g->s->c, g->s->sc, false, KIND_BOOL)) : lanes;
}

static void emit_output(struct gen *g)
{
    in_lanes(g, true);
    LLVMTypeRef type = row_type(g, g->i32);
    V sink = LLVMBuildBitCast(g->entry, local(g, LLVMArrayType(g->i32, EXEC_MAX_LANES)), g->pointer, "");
    V to = chunk_of(g, unless_null(g, device_row(g, offsetof(struct exec_env, output), g->s->imm), sink));
    V v = row_get(g, g->s->a, g->s->sa, false, KIND_INT);
    if (g->s->c || !g->run->full)
        v = sel(g, effect_lanes(g), v, load_at(g, g->b, to, type, 4));
    store_at(g, g->b, v, to, 4);
}

static void emit_discard(struct gen *g)
{
    in_lanes(g, true);
    V where = and2(g, effect_lanes(g), row_get(g, g->s->a, g->s->sa, false, KIND_BOOL));
    V bits = mask_bits(g, where);
    V at = offset_const(g, g->b, g->frame, offsetof(struct frame, live)), live = load_at(g, g->b, at, g->i64, 8);
    bits = LLVMBuildShl(g->b, bits, LLVMBuildShl(g->b, g->chunk, LLVMConstInt(g->i64, 4, false), ""), "");
    bits = and2(g, bits, live);
    store_at(g, g->b, and2(g, live, not1(g, bits)), at, 8);
    V count = offset_const(g, g->b, g->frame, offsetof(struct frame, counts) + offsetof(struct exec_counts, discarded));
    V more = intrinsic(g, "llvm.ctpop", g->i64, &bits, 1);
    store_at(g, g->b, add(g, load_at(g, g->b, count, g->i64, 8), more), count, 8);
}

/* ---- the list ---- */

bool own_known(const struct jit_step *s, enum exec_level level)
{
    (void)level;
    switch (s->handler) {
    case H_PRED_SET32:
    case H_PRED_SET64:
    case H_PART_GET32:
    case H_PART_GET64:
    case H_PART_SET32:
    case H_PART_SET64:
    case H_SPREAD32:
    case H_SPREAD64:
    case H_LANE_ID:
    case H_QUAD_LANE:
    case H_QUAD_XOR:
    case H_FSIN32:
    case H_FCOS32:
    case H_INTERP_FLAT:
    case H_INTERP_LINEAR:
    case H_INTERP_PERSPECTIVE:
    case H_ATTR:
    case H_OUTPUT:
    case H_DISCARD:
        return true;
    default:
        return false;
    }
}

bool own_rounds(const struct jit_step *s)
{
    switch (s->handler) {
    case H_FSIN32:
    case H_FCOS32:
    case H_INTERP_FLAT:
    case H_INTERP_LINEAR:
    case H_INTERP_PERSPECTIVE:
        return true;
    default:
        return false;
    }
}

static bool emit_stage(struct gen *g)
{
    switch (g->s->handler) {
    case H_INTERP_FLAT:
    case H_INTERP_LINEAR:
    case H_INTERP_PERSPECTIVE:
        emit_interp(g);
        return true;
    case H_ATTR:
        emit_attr(g);
        return true;
    case H_OUTPUT:
        emit_output(g);
        return true;
    case H_DISCARD:
        emit_discard(g);
        return true;
    default:
        return false;
    }
}

static bool emit_registers(struct gen *g)
{
    switch (g->s->handler) {
    case H_PRED_SET32:
    case H_PRED_SET64:
        emit_pred_set(g, g->s->handler == H_PRED_SET64);
        return true;
    case H_PART_GET32:
    case H_PART_GET64:
        emit_part_get(g, g->s->handler == H_PART_GET64);
        return true;
    case H_PART_SET32:
    case H_PART_SET64:
        emit_part_set(g, g->s->handler == H_PART_SET64);
        return true;
    case H_SPREAD32:
    case H_SPREAD64:
        emit_spread(g, g->s->handler == H_SPREAD64);
        return true;
    default:
        return false;
    }
}

bool own_emit(struct gen *g)
{
    if (emit_registers(g) || emit_stage(g))
        return true;
    switch (g->s->handler) {
    case H_LANE_ID:
        emit_lane_id(g);
        return true;
    case H_QUAD_LANE:
    case H_QUAD_XOR:
        emit_quad(g, g->s->handler == H_QUAD_XOR);
        return true;
    case H_FSIN32:
    case H_FCOS32:
        emit_sine(g, g->s->handler == H_FCOS32);
        return true;
    default:
        return false;
    }
}
