/* ir.h - lane IR: the one meaning of a program of any instruction set.
 *
 * A program is a list of blocks; a block is a list of ops, the last of which is its
 * terminator. One instruction stream runs for all lanes of a warp under an active mask.
 *
 * Values are SSA inside a block. Values of block 0, the *prologue*, are visible everywhere: it
 * holds pure, uniform ops only (and loads from constant spaces at uniform addresses), has no
 * terminator, runs once per launch (not per warp) and never touches registers.
 * What lives longer than a block lives in register files.
 *
 * Each value is *uniform* (one for the warp) or *lane* (one per lane). An op without effects is
 * uniform when all its arguments are and its row in IR_OPS does not say otherwise (`lane_id`).
 * Effects apply to active lanes only, and may carry one more lane predicate; LOAD and TEXTURE may
 * carry one too. Pure ops compute in every lane, active or not, and what LOAD, ATOMIC, TEXTURE and
 * SERVICE do not run for is 0, so that a value taken from an inactive lane is the same everywhere.
 *
 * No lane need be active: a control policy may park them all and the warp goes on. ANY is then 0,
 * ALL 1, BALLOT and FIRST 0, REDUCE the neutral element of its op.
 *
 * LOAD and STORE with uniform address, data and predicate are one access; ATOMIC and SERVICE act
 * once for each active lane, in ascending order, whatever their arguments.
 *
 * Narrow integers and halves (i1, i8, i16, f16) are values of their own types; an engine keeps
 * them zero-extended in 32-bit containers, i1 as 0 or all ones.
 */
#ifndef WEFT_IR_IR_H
#define WEFT_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "ir/io.h"

enum ir_type { IR_VOID, IR_I1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_TYPES };

typedef uint32_t ir_value; /* 1, 2, ...; 0 is "no value" */

/* How float ops treat what IEEE leaves open or a chip does differently. */
enum ir_round { IR_RNE, IR_RTZ, IR_RUP, IR_RDN, IR_RNA /* ties away from zero */ };
enum ir_attr {
    IR_ROUND_MASK = 7,       /* an enum ir_round */
    IR_FLUSH_IN = 1 << 3,    /* denormal inputs count as zero of their sign */
    IR_FLUSH_OUT = 1 << 4,   /* results that are below the least normal number when rounded as if the exponent had
                              * no limit become zero of their sign */
    IR_NAN_CANON = 1 << 5,   /* every NaN result is the type's canonical NaN, 0x7fff... */
    IR_SAT = 1 << 6,         /* clamp: floats to 0..1 (NaN and -0 give +0), integers to the type's range */
    IR_SAT_KEEP_NAN = 1 << 7, /* with IR_SAT on floats: NaN stays NaN */
    /* fmin/fmax: */
    IR_MINMAX_MASK = 3 << 8,
    IR_MINMAX_NUMBER = 0 << 8,    /* a NaN loses against a number (IEEE 754-2008 minNum) */
    IR_MINMAX_SECOND = 1 << 8,    /* a < b ? a : b, and a > b ? a : b: unordered or equal gives b */
    IR_MINMAX_PROPAGATE = 2 << 8, /* a NaN wins */
    IR_MINMAX_ZEROS = 1 << 10,    /* -0 orders below +0 */
    /* conversions of floats to integers: */
    IR_CVT_WRAP = 1 << 11,  /* out of range: low bits of the exact integer (default: clamp; NaN gives 0) */
    IR_CVT_X86 = 1 << 12,   /* out of range and NaN: 0x80...0 */
    /* BALLOT, ANY, ALL, FIRST, REDUCE: */
    IR_ALL_LANES = 1 << 13, /* over all lanes that the warp was started with, not the active ones */
    IR_NAN_X86 = 1 << 14,   /* every NaN result, of COPY too, is the one that x86 makes: 0xfe00, 0xffc00000,
                             * 0xfff8_0000_0000_0000; not with IR_NAN_CANON */
    IR_DEFAULT = 0
};

/* ---- ops -------------------------------------------------------------------------------------------------
 * X(name, text, arguments (-1: any number), result, flags, one line)
 * result: the type of argument 0 (SAME), a named type, or what the op itself says (TYPED).
 * flags: P pure, E effect, L lane result even from uniform arguments, T terminator, X reads warp state. */
#define IR_OPS(X)                                                                                                    \
    /* values */                                                                                                     \
    X(CONST, "const", 0, TYPED, P, "the 64 bits of imm as a uniform value")                                          \
    X(COPY, "copy", 1, SAME, P, "the argument")                                                                      \
    X(LANE_ID, "lane_id", 0, I32, P | L, "number of the lane in its warp")                                           \
    X(SELECT, "select", 3, TYPED, P, "a (i1) ? b : c")                                                               \
    X(BITCAST, "bitcast", 1, TYPED, P, "same bits, another type of the same width")                                  \
    X(PACK64, "pack64", 2, TYPED, P, "64 bits from low and high 32-bit words")                                       \
    X(LO32, "lo32", 1, TYPED, P, "low word of a 64-bit value")                                                       \
    X(HI32, "hi32", 1, TYPED, P, "high word of a 64-bit value")                                                      \
    /* integers, of any i type */                                                                                    \
    X(ADD, "add", 2, SAME, P, "a + b, wrapping; IR_SAT: signed clamp")                                               \
    X(SUB, "sub", 2, SAME, P, "a - b, wrapping; IR_SAT: signed clamp")                                               \
    X(ADD_SATU, "add_satu", 2, SAME, P, "a + b clamped unsigned")                                                    \
    X(SUB_SATU, "sub_satu", 2, SAME, P, "a - b clamped unsigned")                                                    \
    X(MUL, "mul", 2, SAME, P, "low half of a * b")                                                                   \
    X(MULHI_S, "mulhi_s", 2, SAME, P, "high half of the signed product")                                             \
    X(MULHI_U, "mulhi_u", 2, SAME, P, "high half of the unsigned product")                                           \
    X(DIV_S, "div_s", 2, SAME, P, "truncating; by zero all ones, most negative / -1 wraps")                          \
    X(DIV_U, "div_u", 2, SAME, P, "by zero all ones")                                                                \
    X(REM_S, "rem_s", 2, SAME, P, "sign of the dividend; by zero all ones, most negative % -1 is 0")                 \
    X(REM_U, "rem_u", 2, SAME, P, "by zero all ones")                                                                \
    X(NEG, "neg", 1, SAME, P, "two's complement")                                                                    \
    X(ABS, "abs", 1, SAME, P, "most negative stays")                                                                 \
    X(MIN_S, "min_s", 2, SAME, P, "signed minimum")                                                                  \
    X(MAX_S, "max_s", 2, SAME, P, "signed maximum")                                                                  \
    X(MIN_U, "min_u", 2, SAME, P, "unsigned minimum")                                                                \
    X(MAX_U, "max_u", 2, SAME, P, "unsigned maximum")                                                                \
    X(AND, "and", 2, SAME, P, "bitwise, also of i1")                                                                 \
    X(OR, "or", 2, SAME, P, "bitwise, also of i1")                                                                   \
    X(XOR, "xor", 2, SAME, P, "bitwise, also of i1")                                                                 \
    X(NOT, "not", 1, SAME, P, "bitwise, also of i1")                                                                 \
    X(SHL, "shl", 2, SAME, P, "count (i32) taken modulo the width")                                                  \
    X(SHR_S, "shr_s", 2, SAME, P, "arithmetic; count (i32) modulo the width")                                        \
    X(SHR_U, "shr_u", 2, SAME, P, "logical; count (i32) modulo the width")                                           \
    X(POPCOUNT, "popcount", 1, SAME, P, "number of ones")                                                            \
    X(CLZ, "clz", 1, SAME, P, "leading zeros; the width for 0")                                                      \
    X(CTZ, "ctz", 1, SAME, P, "trailing zeros; the width for 0")                                                     \
    X(BITREV, "bitrev", 1, SAME, P, "bits in reverse order")                                                         \
    X(EQ, "eq", 2, I1, P, "a == b")                                                                                  \
    X(NE, "ne", 2, I1, P, "a != b")                                                                                  \
    X(LT_S, "lt_s", 2, I1, P, "signed a < b")                                                                        \
    X(LE_S, "le_s", 2, I1, P, "signed a <= b")                                                                       \
    X(LT_U, "lt_u", 2, I1, P, "unsigned a < b")                                                                      \
    X(LE_U, "le_u", 2, I1, P, "unsigned a <= b")                                                                     \
    /* floats, of any f type; attributes of enum ir_attr apply, IR_FLUSH_IN to comparisons and conversions too */     \
    X(FADD, "fadd", 2, SAME, P, "a + b")                                                                             \
    X(FSUB, "fsub", 2, SAME, P, "a - b")                                                                             \
    X(FMUL, "fmul", 2, SAME, P, "a * b")                                                                             \
    X(FDIV, "fdiv", 2, SAME, P, "a / b")                                                                             \
    X(FFMA, "ffma", 3, SAME, P, "a * b + c rounded once")                                                            \
    X(FSQRT, "fsqrt", 1, SAME, P, "correctly rounded square root")                                                   \
    X(FNEG, "fneg", 1, SAME, P, "flips the sign bit, of NaN too")                                                    \
    X(FABS, "fabs", 1, SAME, P, "clears the sign bit, of NaN too")                                                   \
    X(FMIN, "fmin", 2, SAME, P, "minimum; see IR_MINMAX_*")                                                          \
    X(FMAX, "fmax", 2, SAME, P, "maximum; see IR_MINMAX_*")                                                          \
    X(FSAT, "fsat", 1, SAME, P, "clamp to 0..1: NaN gives 0 (IR_SAT_KEEP_NAN: NaN)")                                 \
    X(FRINT, "frint", 1, SAME, P, "to an integral value in the rounding mode; keeps the sign of zero")               \
    X(FEQ, "feq", 2, I1, P, "ordered and equal")                                                                     \
    X(FNE, "fne", 2, I1, P, "unordered or not equal")                                                                \
    X(FLT, "flt", 2, I1, P, "ordered and less")                                                                      \
    X(FLE, "fle", 2, I1, P, "ordered and less or equal")                                                             \
    X(FUNORD, "funord", 2, I1, P, "either is NaN")                                                                   \
    X(FLDEXP, "fldexp", 2, SAME, P, "a * 2^b (b i32), rounded once")                                                 \
    X(FREXP_MANT, "frexp_mant", 1, SAME, P, "significand in [0.5, 1); 0, inf and NaN unchanged")                     \
    X(FREXP_EXP, "frexp_exp", 1, I32, P, "its exponent; 0 for 0, inf and NaN")                                       \
    /* f32 functions, at most 1 ulp from exact, the same bits in every engine: src/base/fmath.h */                    \
    X(FEXP2, "fexp2", 1, SAME, P, "2^a")                                                                             \
    X(FLOG2, "flog2", 1, SAME, P, "log2 a; NaN below 0, -inf at 0")                                                  \
    X(FPOW, "fpow", 2, SAME, P, "a^b as C's powf")                                                                   \
    X(FSIN, "fsin", 1, SAME, P, "sine of radians, any magnitude")                                                    \
    X(FCOS, "fcos", 1, SAME, P, "cosine of radians, any magnitude")                                                  \
    /* conversions; result type from the op */                                                                       \
    X(ZEXT, "zext", 1, TYPED, P, "wider integer, zero-filled")                                                       \
    X(SEXT, "sext", 1, TYPED, P, "wider integer, sign-filled; i1 gives 0 or -1")                                     \
    X(TRUNC, "trunc", 1, TYPED, P, "narrower integer, low bits")                                                     \
    X(S2F, "s2f", 1, TYPED, P, "signed integer to float")                                                            \
    X(U2F, "u2f", 1, TYPED, P, "unsigned integer to float")                                                          \
    X(F2S, "f2s", 1, TYPED, P, "float to signed integer in the rounding mode; see IR_CVT_*")                         \
    X(F2U, "f2u", 1, TYPED, P, "float to unsigned integer in the rounding mode; see IR_CVT_*")                       \
    X(F2F, "f2f", 1, TYPED, P, "float to float of another width")                                                    \
    /* across lanes; quads are four consecutive lanes: (0,0) (1,0) (0,1) (1,1) */                                    \
    X(QUAD_LANE, "quad_lane", 1, SAME, P, "value of lane imm (0-3) of the lane's quad")                              \
    X(QUAD_XOR, "quad_xor", 1, SAME, P, "value of lane (own ^ imm) of the quad")                                     \
    X(SHUFFLE, "shuffle", 2, SAME, P | L, "value of lane b; 0 when b is not a lane")                                 \
    X(BALLOT, "ballot", 1, I64, X, "bit i set when lane i is active and a (i1) holds; uniform")                      \
    X(ANY, "any", 1, I1, X, "some active lane has a; uniform")                                                       \
    X(ALL, "all", 1, I1, X, "every active lane has a; uniform")                                                      \
    X(FIRST, "first", 1, SAME, X, "value of the lowest active lane; uniform")                                        \
    X(REDUCE, "reduce", 1, SAME, X, "imm: an ir_op (ADD, MIN_S, ...) over the active lanes; uniform")                \
    /* registers: desc names an ir_reg */                                                                            \
    X(GET, "get", 0, TYPED, X, "a register, or a typed part of it")                                                  \
    X(SET, "set", 1, VOID, E, "the same, written in active lanes")                                                   \
    X(GET_DYN, "get_dyn", 1, TYPED, X, "register chosen per lane by a (i32)")                                        \
    X(SET_DYN, "set_dyn", 2, VOID, E, "register chosen per lane by a (i32), value b")                                \
    X(GET_LANE, "get_lane", 2, TYPED, X, "register chosen by a (i32), of lane b (i32); 0 when b is not a lane")      \
    X(SET_LANE, "set_lane", 3, VOID, E, "the same, value c; lanes in ascending order, so the last one stays")        \
    /* memory: desc names an ir_mem; results and data are `count` consecutive elements */                            \
    X(LOAD, "load", 1, TYPED, X, "count elements at byte address a + offset")                                        \
    X(STORE, "store", -1, VOID, E, "data at byte address a + offset")                                                \
    X(ATOMIC, "atomic", -1, TYPED, E, "imm: an ir_atomic; address, operand [, compare]; the old value")              \
    /* services of the device */                                                                                     \
    X(SYSVAL, "sysval", 0, TYPED, X, "system value imm (enum ir_sysval), component in desc")                         \
    X(ATTR, "attr", 0, F32, X | L, "vertex input: slot desc, component imm")                                         \
    X(INTERP, "interp", 0, F32, X | L, "fragment input: slot desc, component imm, mode and location in attr")         \
    X(OUTPUT, "output", 1, VOID, E, "stage output: slot desc, component imm")                                        \
    X(TEXTURE, "texture", -1, TYPED, X | L, "desc names an ir_texture; four results")                                \
    X(SERVICE, "service", -1, TYPED, E, "any other device service: imm an enum ir_service, desc its operand")        \
    X(DISCARD, "discard", 1, VOID, E, "lanes with a (i1) become helpers: they run on, without effects outside")      \
    X(CHECK, "check", 1, VOID, E, "stop with fault imm when a (i1) holds in some active lane")                       \
    X(EMIT, "emit", 0, VOID, E, "geometry: emit a vertex to stream imm")                                             \
    X(CUT, "cut", 0, VOID, E, "geometry: end the primitive of stream imm")                                           \
    X(FENCE, "fence", 0, VOID, E, "memory fence of the spaces in imm")                                               \
    X(HELPER, "helper", -1, TYPED, P, "a C function over lane arrays: desc names an ir_helper")                      \
    X(PROBE, "probe", -1, VOID, E, "instrumentation inserted by a pass: imm tells which")                            \
    /* terminators */                                                                                                \
    X(GOTO, "goto", 0, VOID, T, "to target 0")                                                                       \
    X(BRANCH, "branch", 1, VOID, T, "uniform a (i1): target 0 when set, else target 1")                              \
    X(CONTROL, "control", -1, VOID, T, "masks handed to the control policy: desc names an ir_control")               \
    X(BARRIER, "barrier", 0, VOID, T, "stop until the device says go, then target 0; imm tells it which barrier")    \
    X(JUMP, "jump", 1, VOID, T, "to the block whose guest address is a (uniform, i32 or i64)")                       \
    X(TRAP, "trap", 0, VOID, T, "stop with fault imm")                                                               \
    X(END, "end", 0, VOID, T, "the warp is done")

enum ir_opcode {
#define X(name, text, args, result, flags, doc) IR_##name,
    IR_OPS(X)
#undef X
        IR_OPCODES
};

enum ir_op_flag { IR_OP_PURE = 1, IR_OP_EFFECT = 2, IR_OP_LANE = 4, IR_OP_TERM = 8, IR_OP_STATE = 16 };
enum ir_result { IR_RES_SAME, IR_RES_TYPED, IR_RES_VOID, IR_RES_I1, IR_RES_I32, IR_RES_I64, IR_RES_F32 };

struct ir_op_info {
    const char *text;
    int8_t args;
    uint8_t result, flags;
    const char *doc;
};
extern const struct ir_op_info ir_op_info[IR_OPCODES];

/* One op. Plain data; arguments are in the program's value pool. */
struct ir_op {
    uint16_t code;    /* enum ir_opcode */
    uint16_t attr;    /* enum ir_attr; INTERP: enum ir_interp | enum ir_location << 4 */
    uint8_t type;     /* enum ir_type of the results */
    uint8_t nres;     /* consecutive values res, res + 1, ... */
    uint8_t nargs;
    uint8_t uniform;  /* the results are uniform */
    ir_value res;     /* first result; 0 without one */
    uint32_t args;    /* first argument, an index into ir_program.pool */
    ir_value pred;    /* effects, LOAD, TEXTURE: only lanes where this i1 holds; 0: all active ones */
    uint32_t desc;    /* index of the op's descriptor, or a small operand (see IR_OPS); target 0 of a terminator */
    uint64_t imm;     /* BRANCH: target 1 */
    uint32_t insn;    /* guest instruction it came from (index into ir_program.insns) */
};

/* A register file. Elements are `bits` wide; wider accesses take consecutive elements, low word first. An element
 * of 1 bit holds an i1: flags and predicates. One copy per warp takes uniform values and predicates only; GET_DYN and
 * SET_DYN may still choose the element per lane (SET_DYN: in ascending order). */
struct ir_file {
    const char *name;
    uint32_t bits;  /* 1, 8, 16, 32 or 64 */
    uint32_t count; /* elements */
    bool uniform;   /* one copy per warp */
    bool preserved; /* keeps its contents between launches of one warp (a debugger's, a machine's registers) */
    bool vectors;   /* each four elements are one register with components x, y, z, w: for traces */
};

/* A variable of the source, and the registers of a file that it is in: for traces and debuggers. */
struct ir_variable {
    const char *name;
    uint32_t first, count;
    uint16_t file;
    bool vector; /* they are its components x, y, z, w */
};

/* What GET, SET and their forms with an index name. The element is then elem + index * stride; an index outside
 * first..last reads zero, writes nothing, and is counted. */
struct ir_reg {
    uint16_t file;
    uint8_t shift;  /* first bit inside the element: halves and bytes */
    uint8_t part;   /* enum ir_type of the part; its width may also exceed the element's: a pair, a quad */
    uint32_t elem;
    int32_t stride;
    int32_t first, last;
};

/* An address space. BUS: one space of 32 or 64-bit addresses for many buffers and devices (exec_env.bus): pointers,
 * memory-mapped registers. The others: one buffer each. SHARED: one for a workgroup. PRIVATE and INPUT: one for each
 * lane; `size` is a lane's, an address is held against it, and lane n's bytes follow those of lane n - 1. */
enum ir_space_kind { IR_SPACE_CONST, IR_SPACE_GLOBAL, IR_SPACE_SHARED, IR_SPACE_PRIVATE, IR_SPACE_INPUT, IR_SPACE_BUS };
enum ir_bounds {
    IR_BOUNDS_ZERO /* reads 0, drops writes; counted */,
    IR_BOUNDS_TRAP,
    IR_BOUNDS_WRAP /* size is 2^n */
};
struct ir_space {
    const char *name;
    uint8_t kind, bounds;
    uint16_t slot; /* which buffer of its kind the device binds here */
    uint64_t size; /* bytes where the program says so (shared, private, input); 0: the bound buffer's */
};

/* Where the addresses of a space of kind BUS lead, in programs that say so themselves; in others the device decides.
 * Bound buffers of kind CONST or GLOBAL by slot, as far as they and the window reach, or SHARED: memory that each
 * workgroup has for itself, with these bytes and then zeros when it begins. Windows are in order of `first` and apart
 * from each other. They are not part of the text form. */
struct ir_window {
    uint64_t first, size;
    uint8_t kind;         /* enum ir_space_kind */
    uint16_t slot;
    bool read_only;       /* stores find nothing there */
    const uint8_t *bytes; /* SHARED: nbytes of them */
    uint64_t nbytes;
};

struct ir_mem {
    uint16_t space;
    uint8_t elem;  /* enum ir_type of an element in memory: loads of i8/i16 zero-extend */
    uint8_t count; /* elements, 1 to 16 */
    uint8_t align; /* of the whole access, in bytes; below it the address is rounded down when non-zero */
    int64_t offset;
};

/* imm of BARRIER. Without IR_BARRIER_COUNTED all invocations of a workgroup meet there, and the number tells barriers
 * apart. With it the barrier is one of sixteen counters of warps: INC adds the warp, and the counter goes back to 0
 * when it reaches the count above IR_BARRIER_COUNT, or with ALL the warps that have not ended; WAIT stops the warp
 * until it is 0. */
enum ir_barrier {
    IR_BARRIER_NUMBER = 15, IR_BARRIER_COUNTED = 16, IR_BARRIER_INC = 32, IR_BARRIER_WAIT = 64, IR_BARRIER_ALL = 128,
    IR_BARRIER_COUNT = 8 /* shift */
};

/* FADD, FMIN and FMAX are of floats of 16, 32 or 64 bits; in FMIN and FMAX a number wins over NaN, and -0 is below
 * +0. INC_WRAP_S and DEC_WRAP_S are INC_WRAP and DEC_WRAP where the operand is not negative; where it is, the next
 * number stays if it is between the operand and 0, else the operand, or 0, takes its place. */
enum ir_atomic {
    IR_ATOMIC_ADD, IR_ATOMIC_MIN_S, IR_ATOMIC_MAX_S, IR_ATOMIC_MIN_U, IR_ATOMIC_MAX_U, IR_ATOMIC_AND, IR_ATOMIC_OR,
    IR_ATOMIC_XOR, IR_ATOMIC_XCHG, IR_ATOMIC_CAS, IR_ATOMIC_INC_WRAP, IR_ATOMIC_DEC_WRAP,
    IR_ATOMIC_INC_WRAP_S, IR_ATOMIC_DEC_WRAP_S, IR_ATOMIC_FADD, IR_ATOMIC_FMIN, IR_ATOMIC_FMAX
};

/* What an engine may compute by itself where it is plain, instead of calling the function.
 * CUT_MAD, of three f32 and with imm 0: the magnitude of x * y cut to 24 bits with its sign, or rounded to nearest
 * where z is zero or denormal; and z added, rounded to nearest. So it is where no factor is a denormal number, product
 * and sum are zero or at least 2^-100, the product is finite and the sum is not a NaN. All else the function alone
 * says; but all NaNs are the same to it, and what it gives is never a denormal number. */
enum ir_helper_form { IR_HELPER_OTHER, IR_HELPER_CUT_MAD };

struct ir_helper {
    const char *name;
    /* count lanes; args and results are rows of the op's types in engine containers. */
    void (*fn)(unsigned count, const void *const *args, void *const *results, uint64_t imm);
    enum ir_helper_form form;
    bool numbers; /* its floats are numbers: all NaNs are the same to it, and of its own, which one is open */
};

struct ir_block {
    struct ir_op *ops;
    uint32_t count;
    size_t cap;
    uint64_t addr;      /* guest address of its first instruction */
    uint32_t insn;      /* first guest instruction */
    uint32_t insns;     /* guest instructions in it: what it costs of a budget */
};

/* The guest instruction an op came from: for diagnostics, traces, debuggers. */
struct ir_insn {
    uint64_t addr;  /* guest address; TGSI: the instruction's number */
    uint32_t line;  /* 1-based source line; 0: none */
    uint16_t row;   /* row of the instruction set's table */
    uint16_t source; /* that the line is of, in ir_program.sources; 0: the program's own. Text of IR does not have it */
};

/* CONTROL: what the policy of the instruction set is asked to do. op and imm are the policy's own words.
 * Arguments are i1 or i32 lane values that the policy names. */
enum { IR_TARGETS = 4 };
/* What passes may know of a control. SPLIT: the lanes in which argument 0 (i1) holds go to target 0, the other active
 * ones to target 1, and lanes that go to one block later run it together. MEET: all active lanes go to target 0, where
 * others may wait, or come. In both only what is waiting decides when. */
enum ir_way { IR_WAY_ASK /* the policy alone knows */, IR_WAY_SPLIT, IR_WAY_MEET };
struct ir_control {
    uint16_t op;
    uint8_t ntargets;
    bool direct_none; /* argument 0 (i1) holds in no active lane: target 1, the policy is not asked */
    bool direct_all;  /* it holds in all active lanes: target 0, the policy is not asked */
    uint8_t way;      /* enum ir_way */
    uint32_t target[IR_TARGETS]; /* blocks */
    uint64_t imm;
};

struct exec_policy;

enum { IR_REGS_SEEN = 256 };

struct ir_program {
    struct arena *arena;
    const char *isa;
    uint8_t stage;              /* enum ir_stage */
    uint16_t lanes;             /* lanes per warp: 1 to 64 */
    bool precise;               /* registers are exact at every op that may stop the warp (CHECK, LOAD, STORE, ATOMIC,
                                 * SERVICE, PROBE): no pass drops a SET that comes before one */
    bool integer_targets;       /* fragment programs: colours may go to targets of integers, which keep their bits. For
                                 * lifts, where types do not say, and for those who know the targets */
    const struct exec_policy *policy; /* NULL: no CONTROL terminators */
    const char *const *insn_fault; /* by guest instruction: what its TRAP means; NULL: as below */
    const char *(*fault_text)(uint64_t fault); /* what imm of CHECK and TRAP means; NULL: nothing is known */

    struct ir_block *blocks;    /* 0 is the prologue, 1 the entry */
    uint32_t nblocks;
    uint32_t frozen;            /* blocks below it, and the prologue, run already: no pass changes them. 0: none */
    size_t blocks_cap;

    ir_value *pool;             /* arguments of ops */
    uint32_t npool;
    size_t pool_cap;
    uint8_t *value_type;        /* by value: enum ir_type */
    uint8_t *value_uniform;
    uint32_t nvalues;           /* values are 1 .. nvalues - 1 */
    size_t values_cap;

    struct ir_file *files;
    uint32_t nfiles;
    struct ir_variable *variables; /* no two of the same registers; none: the source is not known */
    uint32_t nvariables;
    size_t variables_cap;
    struct ir_space *spaces;
    uint32_t nspaces;
    struct ir_window *windows;
    uint32_t nwindows;
    struct ir_reg *regs;        /* ops may share them: no pass changes one */
    uint32_t nregs;
    size_t regs_cap;
    uint32_t regs_seen[IR_REGS_SEEN]; /* by hash: the last that was added */
    struct ir_mem *mems;
    uint32_t nmems;
    size_t mems_cap;
    struct ir_control *controls;
    uint32_t ncontrols;
    size_t controls_cap;
    struct ir_texture *textures;
    uint32_t ntextures;
    size_t textures_cap;
    struct ir_image *images;    /* SERVICE ops on images */
    uint32_t nimages;
    size_t images_cap;
    struct ir_helper *helpers;
    uint32_t nhelpers;
    size_t helpers_cap;
    struct ir_insn *insns;
    uint32_t ninsns;
    const char *const *sources; /* names of the files that a program was made from, from 1 on */
    uint16_t nsources;

    struct ir_io io;            /* inputs, outputs and properties: what the device links by */
};

enum { IR_PROLOGUE = 0, IR_ENTRY = 1, IR_MAX_LANES = 64 };

static inline const ir_value *ir_args(const struct ir_program *p, const struct ir_op *op)
{
    return op->nargs ? p->pool + op->args : NULL;
}

/* Bits of a type: 0 for void, 1 for i1. */
unsigned ir_type_bits(enum ir_type type);
const char *ir_type_name(enum ir_type type);

/* The blocks that a terminator names (CONTROL: those of its descriptor); returns how many. */
unsigned ir_targets(const struct ir_program *p, const struct ir_op *op, uint32_t target[IR_TARGETS]);

/* May a terminator go to a block that it does not name, by the block's address? A JUMP does, and a CONTROL with an i32
 * argument, whose policy looks the address up. Passes keep every block of a program that has one. */
bool ir_computes_target(const struct ir_program *p, const struct ir_op *op);

/* Whether the results of an op are uniform, derived from the op, its descriptor and its arguments. */
bool ir_derive_uniform(const struct ir_program *p, const struct ir_op *op);

/* Verify a program: SSA, types, uniformity, targets, descriptors, the prologue's rules. Faults are added to
 * diags with the block and op they are in. Returns WEFT_OK or WEFT_ERROR_INTERNAL. */
weft_status ir_verify(const struct ir_program *p, weft_diags *diags);

/* As ir_verify, of the prologue and of the blocks from `first` on: those before it were verified as they are. */
weft_status ir_verify_from(const struct ir_program *p, uint32_t first, weft_diags *diags);

/* Print the text form into a fresh string of `arena`; NULL without memory. ir_parse reads it back:
 * printing what was parsed gives the same text. Policies are looked up by the name of the ISA by the caller. */
char *ir_print(const struct ir_program *p, struct arena *arena, size_t *length);
weft_status ir_parse(const struct source *src, struct arena *arena, struct ir_program **out, weft_diags *diags);

#endif
