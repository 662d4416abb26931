/* gen.h - making a run's function: values, rows and the shape of the code.
 *
 * A function has three parts: `entry`, where uniform values are made; `loop`, which is gone through once for each
 * chunk of 16 lanes; and `leave`, where uniform rows are stored. Each has a builder of its own, so that an
 * operation's code goes where it belongs in whatever order operations come. A value of the current operation is a
 * scalar where `lane` is false and a vector of 16 elements where it is true; helpers below make constants of the
 * right shape. */
#ifndef WEFT_EXEC_JIT_GEN_H
#define WEFT_EXEC_JIT_GEN_H

#include <llvm-c/Core.h>

#include "exec/jit/jit.h"

typedef LLVMValueRef V;

/* What a value is looked at as: integers, floats, or conditions (of which the row has 0 or all ones). */
enum kind { KIND_INT, KIND_FLOAT, KIND_BOOL, KINDS };

/* How much of a row in the frame a value fills. */
enum extent { EXTENT_SCALAR, EXTENT_CHUNK, EXTENT_LANES };

struct row_value {
    uint32_t at;
    bool wide, uniform, dirty, loaded;
    bool condition; /* 0 or all ones, known to be so */
    uint8_t extent;
    V v[KINDS];     /* made when asked for */
    V spread[KINDS]; /* of uniform values: as vectors */
};

struct gen {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef entry, loop, leave, b; /* b: the current operation's */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, pointer;
    V frame, op, chunk, base, base_wide; /* chunk: its number; base: the frame, that many chunks on */
    V lanes, active, env, w, position[2];
    V holds, held; /* of a terminator that asks about lanes: where its condition holds, after a chunk and before it */
    V taken;       /* of a branch: its condition */
    V next;        /* where the run goes on, if it ends with a terminator */
    const struct jit_request *request;
    const struct jit_run *run;
    const struct jit_step *s; /* the current operation */
    bool lane;
    bool flushes; /* the host makes denormal results of f32 zero: see gen_run */
    struct row_value *rows;
    uint32_t nrows, rows_cap;
    uint32_t *index, index_size; /* by hash of the row: number + 1 */
    bool failed;
};

/* Shapes and constants. */
LLVMTypeRef shaped(struct gen *g, LLVMTypeRef element);
V k32(struct gen *g, uint32_t v);
V k64(struct gen *g, uint64_t v);
V kf(struct gen *g, float v);
V kd(struct gen *g, double v);
V coefficient(struct gen *g, double v); /* as kd */
V spread(struct gen *g, LLVMBuilderRef b, V scalar);
V intrinsic(struct gen *g, const char *name, LLVMTypeRef type, V *args, unsigned n);

/* Rows. `stride` is an operand's: 0 for uniform rows. */
V row_get(struct gen *g, uint32_t at, unsigned stride, bool wide, enum kind kind);
bool row_is_bool(struct gen *g, uint32_t at); /* known as a condition */
bool row_known(const struct gen *g, uint32_t at, uint64_t *bits); /* holds a constant */
void row_put(struct gen *g, uint32_t at, bool wide, V v);

V row_pointer(struct gen *g, uint32_t at, bool wide); /* of the chunk, in the loop */

V choose(struct gen *g, V c, V x, V y); /* c ? x : y, of rows */

/* A function of the module that leaves all registers as they were, where LLVM knows how: the loop around a rare call
 * would keep everything in memory otherwise. It is made at the first use: `body` builds it, in g->b, from four numbers
 * of 64 bits. */
enum { RARE_ARGS = 4 };
typedef void rare_body(struct gen *g, V args[RARE_ARGS]);
V rare_function(struct gen *g, const char *name, rare_body *body);
void rare_call(struct gen *g, V fn, V *args, unsigned n);
/* A call of a C function. */
V call_address(struct gen *g, V address, LLVMTypeRef type, V *args, unsigned n);

/* The frame and what it leads to. */
V frame_load(struct gen *g, size_t offset, LLVMTypeRef type);                  /* in entry */
V load_at(struct gen *g, LLVMBuilderRef b, V pointer, LLVMTypeRef type, unsigned align);
void store_at(struct gen *g, LLVMBuilderRef b, V v, V pointer, unsigned align);
V offset_by(struct gen *g, LLVMBuilderRef b, V pointer, V bytes);
V offset_const(struct gen *g, LLVMBuilderRef b, V pointer, uint64_t bytes);
V env_pointer(struct gen *g);
V active_mask(struct gen *g);  /* in entry */
V active_lanes(struct gen *g); /* of the chunk: 16 conditions */

/* Terminators: terminator.c. Those that look at a row of lanes go through the loop, with a mask that grows. */
bool terminator_known(const struct jit_step *s);
bool terminator_in_loop(const struct jit_step *s);
void terminator_emit(struct gen *g);
void terminator_leave(struct gen *g);

/* Loads: memory.c. */
bool memory_known(const struct jit_step *s);
void memory_emit(struct gen *g);

/* One run as a function of that name; false when something in it is not as expected. */
bool gen_run(LLVMContextRef context, LLVMModuleRef module, const struct jit_request *r, const struct jit_run *run,
             const char *name);

/* ops.c: the code of an operation, and whether there is any. */
bool op_known(const struct jit_step *s, enum exec_level level);
void op_emit(struct gen *g);
/* Whether the host's flushing of denormal results is what the operation asks for (CHIP), or cannot be seen in it. */
enum flushing { FLUSHING_HARMS, FLUSHING_IS_NOTHING, FLUSHING_WANTED };
enum flushing op_flushing(const struct jit_step *s);
bool own_rounds(const struct jit_step *s); /* of own.c's: does float arithmetic */
/* Operations that are no expression of their operands: own.c. False: not one of them. */
bool own_known(const struct jit_step *s, enum exec_level level);
bool own_emit(struct gen *g);

/* ---- expressions, in the shape of their operands ---- */

#define BINARY(name, build)                                                                                          \
    static inline V name(struct gen *g, V x, V y)                                                                    \
    {                                                                                                                \
        return build(g->b, x, y, "");                                                                                \
    }
BINARY(add, LLVMBuildAdd)
BINARY(sub, LLVMBuildSub)
BINARY(mul, LLVMBuildMul)
BINARY(and2, LLVMBuildAnd)
BINARY(or2, LLVMBuildOr)
BINARY(xor2, LLVMBuildXor)
BINARY(shl, LLVMBuildShl)
BINARY(lshr, LLVMBuildLShr)
BINARY(ashr, LLVMBuildAShr)
BINARY(fadd, LLVMBuildFAdd)
BINARY(fsub, LLVMBuildFSub)
BINARY(fmul, LLVMBuildFMul)
BINARY(fdiv, LLVMBuildFDiv)
#undef BINARY

static inline V icmp(struct gen *g, LLVMIntPredicate p, V x, V y)
{
    return LLVMBuildICmp(g->b, p, x, y, "");
}
static inline V fcmp(struct gen *g, LLVMRealPredicate p, V x, V y)
{
    return LLVMBuildFCmp(g->b, p, x, y, "");
}
static inline V sel(struct gen *g, V c, V x, V y)
{
    return LLVMBuildSelect(g->b, c, x, y, "");
}
static inline V not1(struct gen *g, V x)
{
    return LLVMBuildNot(g->b, x, "");
}

/* Conversions; the result has the operand's shape. */
static inline V as_i32(struct gen *g, V x) { return LLVMBuildBitCast(g->b, x, shaped(g, g->i32), ""); }
static inline V as_f32(struct gen *g, V x) { return LLVMBuildBitCast(g->b, x, shaped(g, g->f32), ""); }
static inline V as_i64(struct gen *g, V x) { return LLVMBuildBitCast(g->b, x, shaped(g, g->i64), ""); }
static inline V as_f64(struct gen *g, V x) { return LLVMBuildBitCast(g->b, x, shaped(g, g->f64), ""); }
static inline V to_f64(struct gen *g, V x) { return LLVMBuildFPExt(g->b, x, shaped(g, g->f64), ""); }
static inline V to_f32(struct gen *g, V x) { return LLVMBuildFPTrunc(g->b, x, shaped(g, g->f32), ""); }
static inline V zext64(struct gen *g, V x) { return LLVMBuildZExt(g->b, x, shaped(g, g->i64), ""); }
static inline V sext64(struct gen *g, V x) { return LLVMBuildSExt(g->b, x, shaped(g, g->i64), ""); }
static inline V trunc32(struct gen *g, V x) { return LLVMBuildTrunc(g->b, x, shaped(g, g->i32), ""); }
static inline V ones_or_zero(struct gen *g, V c) { return LLVMBuildSExt(g->b, c, shaped(g, g->i32), ""); }
static inline V one_or_zero(struct gen *g, V c) { return LLVMBuildZExt(g->b, c, shaped(g, g->i32), ""); }

static inline V neg_f32(struct gen *g, V x) { return as_f32(g, xor2(g, as_i32(g, x), k32(g, 0x80000000u))); }
static inline V magnitude_f32(struct gen *g, V x) { return as_f32(g, and2(g, as_i32(g, x), k32(g, 0x7fffffffu))); }
static inline V magnitude_f64(struct gen *g, V x)
{
    return as_f64(g, and2(g, as_i64(g, x), k64(g, ~((uint64_t)1 << 63))));
}

/* The functions of base/fmath.h: math.c. */
V math_exp2(struct gen *g, V x);
V math_log2(struct gen *g, V x);
V math_pow(struct gen *g, V x, V y);
V math_sin_near(struct gen *g, V x, uint32_t turns);
V math_half_from_f32(struct gen *g, V x); /* bits */
V math_half_to_f32(struct gen *g, V bits);

/* Rounded arithmetic of exec/rounding.h: round.c. */
V chip_add(struct gen *g, V x, V y);
V chip_mul(struct gen *g, V x, V y);
V chip_fma(struct gen *g, V x, V y, V z);
V zeroed(struct gen *g, V x);
bool rounded_known(const struct jit_step *s, enum exec_level level);
void rounded_emit(struct gen *g);

#endif
