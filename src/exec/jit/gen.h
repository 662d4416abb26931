/* gen.h - making functions of runs: values, rows and the shape of the code.
 *
 * A run has three parts: `entry`, where uniform values are made; `loop`, which is gone through once for each
 * chunk of 16 lanes, or for two at a time; and `leave`, where uniform rows are stored. Each has a builder of its own,
 * so that an operation's code goes where it belongs in whatever order operations come. Runs that go on to each other
 * are one function; `top` is where it begins, before any of them. A value of the current operation is a scalar where
 * `lane` is false and a vector of `width` elements where it is true; helpers below make constants of the right
 * shape. */
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
    bool wide, uniform, dirty, loaded, stored;
    bool read_first, read_uniform; /* it was loaded before it was written; it was uniform then */
    bool late;      /* made in `leave`, of what all chunks have */
    bool condition; /* 0 or all ones, known to be so */
    uint8_t extent;
    V v[KINDS];     /* made when asked for */
    V first;        /* of lanes that are `step` apart: the first one's, a scalar; NULL: not known to be */
    uint32_t step;
    V words[2];     /* of wide rows of lanes: their low and high words; NULL: not known apart */
    V spread[KINDS]; /* of uniform values: as vectors */
};

/* A part of one word of each of 16 rows, of which the first begins at byte `at` of the frame. */
struct known_column {
    uint32_t at, bytes;
    V value; /* NULL: none is known */
};

enum { NO_ROW = UINT32_MAX /* of a row_value: it is forgotten */ };
enum { MOST_VOTES = 8, MOST_WIDTH = 2 * EXEC_CHUNK };

struct gen {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef top, entry, loop, leave, b; /* b: the current operation's */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, pointer;
    V frame, active, env; /* of the function; all else here is of the current run */
    V op, chunk, base, base_wide; /* op: the first operation; chunk: its number; base: the frame, that many chunks on */
    V opened; /* the last instruction of `loop` before its first operation */
    unsigned width; /* lanes of a vector: those of a chunk, or of two */
    V lanes, w, position[2];
    struct votes {
        V before, after; /* the lanes where a condition holds, of 64: of the chunks before, and with this one */
    } votes[MOST_VOTES];
    unsigned nvotes;
    V holds;       /* of a terminator that asks about lanes: where its condition holds */
    V taken;       /* of a branch: its condition */
    V leaves, asks; /* of a terminator, in `leave`: the block's time is paid for and it goes on; the policy decides */
    V goes[2];     /* it goes on to this target; NULL: none */
    const struct jit_request *request;
    const struct jit_run *run;
    uint64_t paid; /* budget of the blocks of a chain before the current run's: function.c */
    const struct jit_step *s; /* the current operation */
    bool lane;
    bool flushes; /* the host makes denormal results of f32 zero: see host_may_flush */
    bool zeroes;  /* it takes denormal operands for zeros, too */
    struct row_value *rows;
    uint32_t nrows, rows_cap;
    uint32_t *index, index_size; /* by hash of the row: number + 1 */
    bool failed, chains; /* chains: runs may be chained */
    bool plain;          /* there are no strips */
    bool crowded;        /* the loop reads numbers from memory where it uses them: there are more than registers */
    struct known_column column;
    bool straight; /* the request is: entry, loop and leave are one builder, and a run is one stretch of code */
    struct strip *strip;  /* while one is made: strip.h; else NULL */
    LLVMBuilderRef still; /* where what no pass of a strip changes is made */
};

/* Shapes and constants. */
LLVMTypeRef row_type(struct gen *g, LLVMTypeRef element);
LLVMTypeRef shaped(struct gen *g, LLVMTypeRef element);
V k32(struct gen *g, uint32_t v);
V k64(struct gen *g, uint64_t v);
V kf(struct gen *g, float v);
V kd(struct gen *g, double v);
V coefficient(struct gen *g, double v); /* as kd */
V spread(struct gen *g, LLVMBuilderRef b, V scalar);
V spread_over(struct gen *g, LLVMBuilderRef b, V scalar, unsigned width);
V intrinsic(struct gen *g, const char *name, LLVMTypeRef type, V *args, unsigned n);
V host_instruction(struct gen *g, LLVMBuilderRef b, const char *name, V *args, unsigned n); /* an intrinsic of x86 */

/* Rows. `stride` is an operand's: 0 for uniform rows. */
V row_get(struct gen *g, uint32_t at, unsigned stride, bool wide, enum kind kind);
struct row_value *row_load(struct gen *g, uint32_t at, unsigned stride, bool wide); /* the frame's, now */
bool row_is_bool(struct gen *g, uint32_t at); /* known as a condition */
bool row_is_late(struct gen *g, uint32_t at);
bool row_known(const struct gen *g, uint32_t at, uint64_t *bits); /* holds a constant */
void row_put(struct gen *g, uint32_t at, bool wide, V v);
void row_put_words(struct gen *g, uint32_t at, const V words[2]); /* of an unmasked operation of lanes */

V row_pointer(struct gen *g, uint32_t at, bool wide); /* of the chunk, in the loop */
struct row_value *row_find(struct gen *g, uint32_t at); /* NULL: nothing is known of it yet */
V row_as(struct gen *g, struct row_value *r, enum kind kind);
V row_shaped(struct gen *g, struct row_value *r, bool lane, enum kind kind);

V choose(struct gen *g, V c, V x, V y); /* c ? x : y, of rows */

/* A function of the module that leaves all registers as they were, where LLVM knows how: the loop around a rare call
 * would keep everything in memory otherwise. It is made at the first use: `body` builds it, in g->b, from four numbers
 * of 64 bits. */
enum { RARE_ARGS = 4 };
typedef void rare_body(struct gen *g, V args[RARE_ARGS]);
V rare_function(struct gen *g, const char *name, rare_body *body);
void rare_call(struct gen *g, V fn, V *args, unsigned n);
void function_attribute(struct gen *g, V fn, const char *name, const char *value);
/* A call of a C function. */
V call_address(struct gen *g, V address, LLVMTypeRef type, V *args, unsigned n);

/* The frame and what it leads to. */
V frame_load(struct gen *g, size_t offset, LLVMTypeRef type);                  /* in top */
V load_at(struct gen *g, LLVMBuilderRef b, V pointer, LLVMTypeRef type, unsigned align);
void store_at(struct gen *g, LLVMBuilderRef b, V v, V pointer, unsigned align);
V offset_by(struct gen *g, LLVMBuilderRef b, V pointer, V bytes);
V offset_const(struct gen *g, LLVMBuilderRef b, V pointer, uint64_t bytes);
V env_pointer(struct gen *g);  /* in top */
V active_mask(struct gen *g);  /* in top */
V active_lanes(struct gen *g); /* of the chunk: conditions */
LLVMTypeRef mask_type(struct gen *g);  /* an integer with a bit for each lane of a vector */
V mask_bits(struct gen *g, V lanes);   /* conditions as bits of an i64 */
V all_lanes(struct gen *g, V lanes);   /* do they all hold? */

/* Votes: vote.c. What is made of one is made late: after the loop, in `leave`. */
bool vote_known(const struct jit_step *s);
void vote_emit(struct gen *g);
void votes_close(struct gen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef last);
/* The lanes where row `at` holds, in `leave`: a mask of 64. */
V vote_lanes(struct gen *g, uint32_t at, unsigned stride);
/* How many of the steps can be one run: none of them makes for lanes what depends on a vote among them. */
uint32_t votes_fit(const struct jit_step *s, uint32_t count);
bool op_is_word(const struct jit_step *s); /* an expression of words that gives a word */
bool op_late_known(const struct jit_step *s); /* has code for uniform operands that are late */

/* Wide values of lanes as words: halves.c. False: there are no words, or none that the operation is made of. */
bool row_words(struct gen *g, uint32_t at, unsigned stride, V words[2]);
V joined(struct gen *g, LLVMBuilderRef b, const V words[2]);
bool words_emit(struct gen *g);

/* Terminators: terminator.c. */
bool terminator_known(const struct jit_step *s);
void terminator_emit(struct gen *g);
void terminator_leave(struct gen *g); /* takes the block off the budget and says in `goes` where it goes on */
/* Takes the blocks before the current run's off the budget, where that has no terminator. */
void terminator_pay(struct gen *g);
V terminator_affords(struct gen *g, uint64_t cost); /* in `entry`: can the budget pay that and go on? */
/* In `leave`: can the budget pay that and go on; it pays; does the policy not have to know when all go to target k? */
V terminator_pays(struct gen *g, V cost);
void terminator_spend(struct gen *g, V cost);
V terminator_is_free(struct gen *g, unsigned k); /* NULL: it never has to */
V terminator_next(struct gen *g);     /* the operation to go on with, when it has not gone to a target */
/* Of straight runs, in `entry`: is it one that only the budget can keep from going on? The budget after its block and
 * `more`; does that go on? It is stored; the operation of target k. */
bool terminator_is_plain(const struct jit_step *s);
V terminator_spent(struct gen *g, uint64_t more);
V terminator_goes_on(struct gen *g, V budget);
void terminator_store(struct gen *g, V budget);
V terminator_target(struct gen *g, unsigned k);

/* Straight runs: straight.c. Leaves the run before the current operation, which its handler does, unless the
 * condition holds. */
void leave_unless(struct gen *g, V fine);
void expect_first(struct gen *g, V branch); /* a branch goes to its first target */
/* What only straight runs have: bus.c. */
bool straight_known(const struct jit_step *s);
void straight_emit(struct gen *g);
/* bus_lanes.c. The last is op_emit that keeps what is known of addresses. */
bool bus_lanes_known(const struct jit_step *s);
void bus_lanes_emit(struct gen *g);
void op_emit_linear(struct gen *g);
/* columns.c. The last is told of rows that are written. */
bool columns_known(const struct jit_step *s);
void columns_emit(struct gen *g);
void column_changed(struct gen *g, uint32_t at);
/* Stores a row as it is now into the frame. */
void row_store_now(struct gen *g, LLVMBuilderRef b, const struct row_value *r);

/* Loads: memory.c. */
bool memory_known(const struct jit_step *s);
void memory_emit(struct gen *g);
V this_operation(struct gen *g, LLVMBuilderRef b); /* its address while it runs */

/* Helpers: helper.c. */
bool helper_known(const struct jit_step *s, enum exec_level level);
void helper_emit(struct gen *g);

/* Functions of runs: function.c. The runs of a region go on to each other; each is entered by a function of its own
 * name. False when something in them is not as expected: then there are no such functions. */
struct region {
    const uint32_t *run; /* numbers */
    uint32_t count;
};
bool function_emit(LLVMContextRef context, LLVMModuleRef module, const struct jit_request *r, const struct region *of,
                   uint64_t name);
void function_name(char name[32], uint64_t module, uint32_t run);
/* Whether most float operations of runs ask the host to flush, and no other can tell: flush.c. */
bool host_may_flush(const struct jit_request *r, const struct region *of);

/* ops.c: the code of an operation, and whether there is any. */
bool op_known(const struct jit_step *s, enum exec_level level);
void op_emit(struct gen *g);
/* Whether the host's flushing of denormal results is what the operation asks for (CHIP), or cannot be seen in it. */
enum flushing { FLUSHING_HARMS, FLUSHING_IS_NOTHING, FLUSHING_WANTED };
enum flushing op_flushing(const struct jit_step *s);
/* Whether it could tell that the host takes denormal operands for zeros. */
bool op_minds_zeroing(const struct jit_step *s);
bool own_rounds(const struct jit_step *s); /* of own.c's: does float arithmetic */
/* Operations that are not just an expression of their operands: own.c. False: not one of them. */
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
V chip_sub(struct gen *g, V x, V y);
V chip_mul(struct gen *g, V x, V y);
V chip_fma(struct gen *g, V x, V y, V z);
V zeroed(struct gen *g, V x);
V before_canon(struct gen *g, V x);
V one_nan_f32(struct gen *g, V x, uint32_t nan); /* the number, or these bits where it is a NaN */
bool rounded_known(const struct jit_step *s, enum exec_level level);
void rounded_emit(struct gen *g);

#endif
