/* frame.h - the memory of a warp and the operations that run on it: what the interpreter's compiler makes and
 * its handlers eat.
 *
 * A frame is one block of memory: struct frame, then rows in any order. An operation names rows by byte offsets from
 * the frame's start. There are lane rows (all chunks), uniform rows (one chunk: 16 equal elements) and scalars (one
 * element). A handler works chunk by chunk; an operand's stride is 16 elements for lane rows and 0 for uniform rows, so
 * that one handler serves every mix of uniform and lane operands, and a uniform result is one chunk. Where nothing but
 * other uniform ops takes a uniform result it is a scalar, made by the scalar form of the handler from the first
 * elements of whatever its operands are: scalar code of a guest costs scalar instructions of the host. */
#ifndef WEFT_EXEC_FRAME_H
#define WEFT_EXEC_FRAME_H

#include "exec/attribute_handlers.h"
#include "exec/exec.h"

struct frame;
struct lop;

/* Runs one operation and what follows it; returns the operation to go on with, or NULL when the warp stops. */
typedef const struct lop *lop_fn(struct frame *f, const struct lop *op);

struct lop {
    lop_fn *fn;
    uint32_t d, a, b, c;    /* rows: byte offsets from the frame */
    uint8_t sa, sb, sc, n;  /* operand strides in elements (0 or 16), chunks to do */
    uint32_t aux;           /* row of a fourth operand, or index of a side record */
    uint64_t imm;           /* small operand, or the address of the operation to jump to */
};

/* How LOAD, STORE and ATOMIC pack what they need into aux: space, element bytes, address bytes, alignment. */
#define MEM_SPACE(op) ((op)->aux & 0xff)
#define MEM_BYTES(op) ((op)->aux >> 8 & 0xf)
#define MEM_WIDE(op) ((op)->aux >> 12 & 1) /* 64-bit addresses */
#define MEM_ALIGN(op) ((uint64_t)1 << ((op)->aux >> 16 & 0xf))
#define MEM_SITE(op) ((op)->aux >> 24 & 3) /* which of frame.bus_loads or bus_stores it keeps its range in */

/* Side records, for operations with more operands than a lop holds. */
struct lop_call {
    const struct ir_op *op;
    const void *desc;       /* struct ir_control, ir_texture, ir_helper */
    uint32_t block;         /* the block that ends here (CONTROL) */
    uint8_t nargs, nres;
    uint32_t *arg;          /* rows */
    uint8_t *arg_lane;      /* row is a lane row (else uniform) */
    uint8_t *arg_mask;      /* i1 */
    uint32_t *res;
};

/* The two forms of a block's code: for a warp with all lanes active, and for any mask. */
enum exec_form { EXEC_FULL, EXEC_PARTIAL, EXEC_FORMS };

struct exec_block_code {
    const struct lop *full, *masked;
};

struct handler_table;

struct exec_program {
    const struct ir_program *ir;
    enum exec_level level;
    const struct handler_table *handlers; /* of the level */
    struct exec_block_code *blocks;
    struct lop_call *calls;
    uint32_t ncalls;
    size_t frame_size;
    uint32_t chunks;
    uint32_t nblocks;       /* compiled */
    uint64_t generation;    /* how often blocks were added or dropped */
    struct exec_jump_map {
        uint32_t *slot;     /* block + 1 by hash of its address; 0: free, UINT32_MAX: dropped */
        uint32_t size, used;
    } map;
    struct compiler *compiler; /* for exec_extend */
    const struct lop **prologues; /* the prologue, in pieces as it grew */
    uint32_t nprologues;
    size_t prologues_cap;
    uint32_t *file_row;     /* by file: first row, */
    uint32_t *file_pitch;   /* and bytes from one element to the next */
    struct exec_zero {
        uint32_t row, bytes;
    } *zero_rows;           /* rows that may be read before they are written: zeroed at the start of a run */
    uint32_t nzero;
    struct exec_const {
        uint32_t row;
        uint8_t bytes;      /* 4 or 8 */
        uint64_t bits;
    } *consts;              /* uniform rows */
    uint32_t nconsts;
    lane_mask full;         /* all lanes of a warp */
    bool no_full;
    bool grows;             /* blocks come at run time */
    struct exec_native *native; /* what the JIT makes of it; NULL: nothing */
    lop_fn **replaced[EXEC_FORMS]; /* by run of the JIT: the handler of its first operation */
    int awaited[EXEC_FORMS]; /* atomic: whoever is about to run this form has it compiled first */
    void (*load_chunk)(struct frame *f, const struct lop *op, unsigned n, unsigned lanes); /* of its handlers */
    void (*helper_chunk)(struct frame *f, const struct lop *op, unsigned n);
};

/* native.c. The first is for a program that is complete; the second before a run of a warp, every now and then: it is
 * told how many instructions warps have run since, by the form of the code; the third before code runs that is
 * awaited. */
void exec_native_start(struct exec_program *p, const struct exec_options *options, struct arena *arena);
void exec_native_tick(const struct exec_program *p, const uint64_t insns[EXEC_FORMS]);
void exec_native_await(const struct exec_program *p, enum exec_form form);
/* native_blocks.c, of programs whose blocks come at run time: after some came; when one is dropped; and where a warp is
 * going after so many instructions. */
bool exec_native_extend(struct exec_program *p);
void exec_native_drop(struct exec_program *p, uint32_t block);
void exec_native_sample(const struct exec_program *p, uint32_t block, uint64_t insns);

enum { BUS_SITES = 4 };

/* A range of the bus as compiled code looks at it: where words are whose addresses have this high word and a low one
 * from `low` to `low + last`. data NULL: none, or one too large, or one across a multiple of 4 GiB. */
struct bus_view {
    uint8_t *data;
    uint32_t low, high, last, unused;
};

struct frame {
    const struct exec_program *program;
    const struct exec_env *env;
    void *policy_state;
    lane_mask active, live, all;
    int64_t budget;         /* guest instructions left */
    int64_t floor;          /* at or below it a block is not gone on from: 0, or the largest number to interrupt */
    int64_t marked;         /* the budget when `counts` was made last */
    uint64_t generation;    /* of the program, that `jumps` is of */
    uint64_t fault_address; /* of the access that was outside */
    uint64_t address;       /* guest address of the JUMP that found no block */
    bool jumping;           /* go on at `address` */
    struct frame_jump {
        uint64_t address;
        const struct exec_block_code *code;
    } jumps[256];           /* blocks that JUMPs found, by address */
    struct exec_range bus_loads[BUS_SITES], bus_stores[BUS_SITES]; /* those with data that were hit last, by MEM_SITE */
    struct exec_range bus_load, bus_store; /* and what was found last, by any access that searched */
    struct bus_view bus_views[BUS_SITES]; /* of bus_loads */
    uint32_t nconsts, nprologues; /* of the program, that this warp has */
    void *memory;           /* what was allocated */
    enum exec_stop stop;
    uint32_t block;         /* where it stopped */
    uint32_t insn;
    const char *fault;
    uint64_t fault_code;    /* of a CHECK or TRAP; which BARRIER */
    lane_mask acting;       /* lanes that the service being called acts on */
    struct exec_counts counts;
    uint64_t prologue_bad_access;
    struct exec_outside prologue_outside;
    uint64_t runs;          /* of this warp */
    uint64_t partial;       /* instructions of it with some lanes inactive */
    uint64_t told[EXEC_FORMS]; /* instructions of it that exec_native_tick knows */
    uint64_t unsampled; /* instructions since exec_native_sample was called */
    bool w_valid;           /* w_row holds 1/w of the lanes of this run */
    _Alignas(64) int32_t mask[EXEC_MAX_LANES];   /* active lanes as a row: 0 or -1 */
    _Alignas(64) float lane_x[EXEC_MAX_LANES];   /* pixel of a lane inside the warp's rectangle */
    _Alignas(64) float lane_y[EXEC_MAX_LANES];
    _Alignas(64) float w_row[EXEC_MAX_LANES];
};

enum { FRAME_ROWS = (sizeof(struct frame) + 63) / 64 * 64 };

/* Handlers of 32-bit results come plain and masked; the others plain only. The forms of light ops for warps of
 * four chunks are unrolled. The scalar form makes one element. NULL where there is no such form. */
struct handler {
    lop_fn *plain, *masked, *plain4, *masked4, *scalar;
};

/* ---- the list of handlers -----------------------------------------------------------------------------
 * U(name, result, argument, expression of x), B(... x, y), T(... x, y, z): component-wise. Types: u i f for
 * 32 bits, U I F for 64. V: the same for ops that do much per lane: no form for exactly four chunks. W: with 64-bit
 * results: no masked form either. OWN: written out in handlers.c; OWN_S: with a scalar form. */
#define HANDLERS(U1, B2, T3, V1, V2, V3, W1, W2, W3, OWN, OWN_S)                                                     \
    U1(COPY32, u, u, x)                                                                                              \
    V1(COPY64, U, U, x)                                                                                              \
    T3(SEL32, u, u, u, u, x ? y : z)                                                                                 \
    W3(SEL64, U, u, U, U, x ? y : z)                                                                                 \
    W2(PACK64, U, u, u, (uint64_t)y << 32 | x)                                                                       \
    V1(LO32, u, U, (uint32_t)x)                                                                                      \
    V1(HI32, u, U, (uint32_t)(x >> 32))                                                                              \
    B2(ADD_I32, u, u, u, x + y)                                                                                      \
    B2(SUB_I32, u, u, u, x - y)                                                                                      \
    B2(MUL_I32, u, u, u, x * y)                                                                                      \
    T3(MULADD_I32, u, u, u, u, x * y + z)                                                                            \
    V2(MULHI_S32, i, i, i, (int32_t)(((int64_t)x * y) >> 32))                                                        \
    V2(MULHI_U32, u, u, u, (uint32_t)(((uint64_t)x * y) >> 32))                                                      \
    V2(DIV_S32, i, i, i, div_s32(x, y))                                                                              \
    V2(DIV_U32, u, u, u, div_u32(x, y))                                                                              \
    V2(REM_S32, i, i, i, rem_s32(x, y))                                                                              \
    V2(REM_U32, u, u, u, rem_u32(x, y))                                                                              \
    U1(NEG_I32, u, u, 0u - x)                                                                                        \
    U1(ABS_I32, u, u, (int32_t)x < 0 ? 0u - x : x)                                                                   \
    B2(MIN_S32, i, i, i, x < y ? x : y)                                                                              \
    B2(MAX_S32, i, i, i, x > y ? x : y)                                                                              \
    B2(MIN_U32, u, u, u, x < y ? x : y)                                                                              \
    B2(MAX_U32, u, u, u, x > y ? x : y)                                                                              \
    B2(AND32, u, u, u, x & y)                                                                                         \
    B2(OR32, u, u, u, x | y)                                                                                         \
    B2(XOR32, u, u, u, x ^ y)                                                                                        \
    U1(NOT32, u, u, ~x)                                                                                              \
    B2(SHL32, u, u, u, x << (y & 31))                                                                                \
    B2(SHR_S32, u, i, u, (uint32_t)(x >> (y & 31)))                                                                  \
    B2(SHR_U32, u, u, u, x >> (y & 31))                                                                              \
    V1(POPCOUNT32, u, u, popcount32(x))                                                                              \
    V1(CLZ32, u, u, clz32(x))                                                                                        \
    V1(CTZ32, u, u, ctz32(x))                                                                                        \
    V1(BITREV32, u, u, bitrev32(x))                                                                                  \
    B2(EQ32, u, u, u, x == y ? ~0u : 0u)                                                                             \
    B2(NE32, u, u, u, x != y ? ~0u : 0u)                                                                             \
    B2(LT_S32, u, i, i, x < y ? ~0u : 0u)                                                                            \
    B2(LE_S32, u, i, i, x <= y ? ~0u : 0u)                                                                           \
    B2(LT_U32, u, u, u, x < y ? ~0u : 0u)                                                                            \
    B2(LE_U32, u, u, u, x <= y ? ~0u : 0u)                                                                           \
    B2(FADD32, f, f, f, x + y)                                                                                       \
    B2(FSUB32, f, f, f, x - y)                                                                                       \
    B2(FMUL32, f, f, f, x * y)                                                                                        \
    V2(FDIV32, f, f, f, x / y)                                                                                       \
    T3(FMULADD32, f, f, f, f, x * y + z)                                                                             \
    T3(FMULSUB32, f, f, f, f, x * y - z)                                                                             \
    T3(FSUBMUL32, f, f, f, f, z - x * y)                                                                             \
    T3(FMULMUL32, f, f, f, f, (x * y) * z)                                                                           \
    T3(FADDADD32, f, f, f, f, (x + y) + z)                                                                           \
    T3(FADDMUL32, f, f, f, f, (x + y) * z)                                                                           \
    T3(FSUBMULT32, f, f, f, f, (x - y) * z)                                                                          \
    T3(XOR_SHR32, u, u, u, u, (x >> (y & 31)) ^ z)                                                                   \
    T3(XOR_XOR32, u, u, u, u, x ^ y ^ z)                                                                             \
    T3(XOR_MUL32, u, u, u, u, (x * y) ^ z)                                                                           \
    T3(MUL_XOR32, u, u, u, u, (x ^ y) * z)                                                                           \
    T3(SHR_MUL32, u, u, u, u, (x * y) >> (z & 31))                                                                   \
    T3(AND_SHR32, u, u, u, u, (x >> (y & 31)) & z)                                                                   \
    T3(SHL_SHRS32, u, u, u, u, (uint32_t)((int32_t)(x << (y & 31)) >> (z & 31)))                                     \
    T3(CLAMP_S32, i, i, i, i, (x < y ? x : y) > z ? (x < y ? x : y) : z)                                             \
    W3(CLAMP_S64, I, I, I, I, (x < y ? x : y) > z ? (x < y ? x : y) : z)                                             \
    B2(U2F_MUL32, f, u, f, (float)x * y)                                                                             \
    B2(S2F_MUL32, f, i, f, (float)x * y)                                                                             \
    T3(CLAMP_SEC32, f, f, f, f, clamp_sec32(x, y, z))                                                                \
    T3(FFMA32, f, f, f, f, fma32(x, y, z))                                                                           \
    V1(FSQRT32, f, f, __builtin_sqrtf(x))                                                                            \
    U1(FNEG32, u, u, x ^ 0x80000000u)                                                                                \
    U1(FABS32, u, u, x & 0x7fffffffu)                                                                                \
    B2(FMIN_NUM32, f, f, f, ((x < y) | (y != y)) ? x : y)                                                              \
    B2(FMAX_NUM32, f, f, f, ((x > y) | (y != y)) ? x : y)                                                              \
    B2(FMIN_SEC32, f, f, f, x < y ? x : y)                                                                           \
    B2(FMAX_SEC32, f, f, f, x > y ? x : y)                                                                           \
    B2(FMIN_NAN32, f, f, f, ((x < y) | (x != x)) ? x : y)                                                              \
    B2(FMAX_NAN32, f, f, f, ((x > y) | (x != x)) ? x : y)                                                              \
    U1(FSAT32, f, f, (x > 0.0f ? x : 0.0f) < 1.0f ? (x > 0.0f ? x : 0.0f) : 1.0f)                                    \
    U1(FSAT_NAN32, f, f, x != x ? x : (x > 0.0f ? x : 0.0f) < 1.0f ? (x > 0.0f ? x : 0.0f) : 1.0f)                   \
    U1(FRINT_RNE32, f, f, rint_rne32(x))                                                                             \
    U1(FRINT_RTZ32, f, f, rint_rtz32(x))                                                                             \
    U1(FRINT_RUP32, f, f, rint_rup32(x))                                                                             \
    U1(FRINT_RDN32, f, f, rint_rdn32(x))                                                                             \
    V1(FRINT_RNA32, f, f, rint_rna32(x))                                                                             \
    B2(FEQ32, u, f, f, x == y ? ~0u : 0u)                                                                            \
    B2(FNE32, u, f, f, x != y ? ~0u : 0u)                                                                            \
    B2(FLT32, u, f, f, x < y ? ~0u : 0u)                                                                             \
    B2(FLE32, u, f, f, x <= y ? ~0u : 0u)                                                                            \
    B2(FUNORD32, u, f, f, ((x != x) | (y != y)) ? ~0u : 0u)                                                            \
    V2(FLDEXP32, f, f, i, ldexp32(x, y))                                                                             \
    V1(FREXP_MANT32, f, f, frexp_mant32(x))                                                                          \
    V1(FREXP_EXP32, i, f, frexp_exp32(x))                                                                            \
    V1(FEXP2_32, f, f, fmath_exp2(x))                                                                                \
    V1(FLOG2_32, f, f, fmath_log2(x))                                                                                \
    V2(FPOW32, f, f, f, fmath_pow(x, y))                                                                             \
    U1(S2F32, f, i, (float)x)                                                                                        \
    U1(U2F32, f, u, (float)x)                                                                                        \
    V1(F2S32_CLAMP, i, f, f2s32_clamp(x))                                                                            \
    V1(F2U32_CLAMP, u, f, f2u32_clamp(x))                                                                            \
    U1(F2S32_X86, i, f, f2s32_x86(x))                                                                                \
    V1(F2U32_X86, u, f, f2u32_x86(x))                                                                                \
    V1(F2U32_WRAP, u, f, f2u32_wrap(x))                                                                              \
    V1(F2H, u, f, f16_from_f32(x))                                                                                   \
    V1(H2F, f, u, f16_to_f32(x))                                                                                     \
    W2(ADD_I64, U, U, U, x + y)                                                                                      \
    W2(SUB_I64, U, U, U, x - y)                                                                                      \
    W2(MUL_I64, U, U, U, x * y)                                                                                      \
    W2(MULHI_S64, U, U, U, (uint64_t)(((__int128)(int64_t)x * (int64_t)y) >> 64))                                    \
    W2(MULHI_U64, U, U, U, (uint64_t)(((unsigned __int128)x * y) >> 64))                                             \
    W2(DIV_S64, U, I, I, (uint64_t)(y == 0 ? -1 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y))                     \
    W2(DIV_U64, U, U, U, y == 0 ? ~(uint64_t)0 : x / y)                                                              \
    W2(REM_S64, U, I, I, (uint64_t)(y == 0 ? -1 : y == -1 ? 0 : x % y))                                              \
    W2(REM_U64, U, U, U, y == 0 ? ~(uint64_t)0 : x % y)                                                              \
    W1(NEG_I64, U, U, 0 - x)                                                                                         \
    W1(ABS_I64, U, U, (int64_t)x < 0 ? 0 - x : x)                                                                    \
    W2(MIN_S64, I, I, I, x < y ? x : y)                                                                              \
    W2(MAX_S64, I, I, I, x > y ? x : y)                                                                              \
    W2(MIN_U64, U, U, U, x < y ? x : y)                                                                              \
    W2(MAX_U64, U, U, U, x > y ? x : y)                                                                              \
    W2(AND64, U, U, U, x & y)                                                                                         \
    W2(OR64, U, U, U, x | y)                                                                                         \
    W2(XOR64, U, U, U, x ^ y)                                                                                        \
    W1(NOT64, U, U, ~x)                                                                                              \
    W2(SHL64, U, U, u, x << (y & 63))                                                                                \
    W2(SHR_S64, I, I, u, x >> (y & 63))                                                                              \
    W2(SHR_U64, U, U, u, x >> (y & 63))                                                                              \
    W1(POPCOUNT64, U, U, (uint64_t)__builtin_popcountll(x))                                                          \
    W1(CLZ64, U, U, x ? (uint64_t)__builtin_clzll(x) : 64)                                                           \
    W1(CTZ64, U, U, x ? (uint64_t)__builtin_ctzll(x) : 64)                                                           \
    W1(BITREV64, U, U, (uint64_t)bitrev32((uint32_t)x) << 32 | bitrev32((uint32_t)(x >> 32)))                        \
    V2(EQ64, u, U, U, x == y ? ~0u : 0u)                                                                             \
    V2(NE64, u, U, U, x != y ? ~0u : 0u)                                                                             \
    V2(LT_S64, u, I, I, x < y ? ~0u : 0u)                                                                            \
    V2(LE_S64, u, I, I, x <= y ? ~0u : 0u)                                                                           \
    V2(LT_U64, u, U, U, x < y ? ~0u : 0u)                                                                            \
    V2(LE_U64, u, U, U, x <= y ? ~0u : 0u)                                                                           \
    W2(FADD64, F, F, F, x + y)                                                                                       \
    W2(FSUB64, F, F, F, x - y)                                                                                       \
    W2(FMUL64, F, F, F, x * y)                                                                                        \
    W2(FDIV64, F, F, F, x / y)                                                                                       \
    W3(FFMA64, F, F, F, F, __builtin_fma(x, y, z))                                                                   \
    W1(FSQRT64, F, F, __builtin_sqrt(x))                                                                             \
    W1(FNEG64, U, U, x ^ (uint64_t)1 << 63)                                                                          \
    W1(FABS64, U, U, x & ~((uint64_t)1 << 63))                                                                       \
    W2(FMIN_NUM64, F, F, F, ((x < y) | (y != y)) ? x : y)                                                              \
    W2(FMAX_NUM64, F, F, F, ((x > y) | (y != y)) ? x : y)                                                              \
    W2(FMIN_SEC64, F, F, F, x < y ? x : y)                                                                           \
    W2(FMAX_SEC64, F, F, F, x > y ? x : y)                                                                           \
    W2(FMIN_NAN64, F, F, F, ((x < y) | (x != x)) ? x : y)                                                              \
    W2(FMAX_NAN64, F, F, F, ((x > y) | (x != x)) ? x : y)                                                              \
    W1(FSAT64, F, F, x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0)                                                            \
    W1(FSAT_NAN64, F, F, x != x ? x : x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0)                                           \
    W1(FRINT_RNE64, F, F, rint_rne64(x))                                                                             \
    W1(FRINT_RTZ64, F, F, rint_rtz64(x))                                                                             \
    W1(FRINT_RUP64, F, F, rint_rup64(x))                                                                             \
    W1(FRINT_RDN64, F, F, rint_rdn64(x))                                                                             \
    W1(FRINT_RNA64, F, F, rint_rna64(x))                                                                             \
    V2(FEQ64, u, F, F, x == y ? ~0u : 0u)                                                                            \
    V2(FNE64, u, F, F, x != y ? ~0u : 0u)                                                                            \
    V2(FLT64, u, F, F, x < y ? ~0u : 0u)                                                                             \
    V2(FLE64, u, F, F, x <= y ? ~0u : 0u)                                                                            \
    V2(FUNORD64, u, F, F, ((x != x) | (y != y)) ? ~0u : 0u)                                                            \
    W2(FLDEXP64, F, F, i, ldexp64(x, y))                                                                             \
    W1(FREXP_MANT64, F, F, frexp_mant64(x))                                                                          \
    V1(FREXP_EXP64, i, F, frexp_exp64(x))                                                                            \
    W1(ZEXT64, U, u, x)                                                                                              \
    W1(SEXT64, I, i, x)                                                                                              \
    W1(F2F64, F, f, (double)x)                                                                                       \
    V1(F2F32, f, F, (float)x)                                                                                        \
    W1(S2F64, F, i, (double)x)                                                                                       \
    W1(U2F64, F, u, (double)x)                                                                                       \
    W1(SL2F64, F, I, (double)x)                                                                                      \
    W1(UL2F64, F, U, (double)x)                                                                                      \
    V1(SL2F32, f, I, (float)x)                                                                                       \
    V1(UL2F32, f, U, (float)x)                                                                                       \
    V1(D2S32_CLAMP, i, F, d2s32_clamp(x))                                                                            \
    V1(D2U32_CLAMP, u, F, d2u32_clamp(x))                                                                            \
    V1(D2S32_X86, i, F, d2s32_x86(x))                                                                                \
    V1(D2U32_WRAP, u, F, d2u32_wrap(x))                                                                             \
    W1(D2SL_CLAMP, I, F, d2sl_clamp(x))                                                                              \
    W1(D2UL_CLAMP, U, F, d2ul_clamp(x))                                                                              \
    W1(D2SL_X86, I, F, d2sl_x86(x))                                                                                  \
    W1(F2SL_CLAMP, I, f, d2sl_clamp((double)x))                                                                      \
    W1(F2UL_CLAMP, U, f, d2ul_clamp((double)x))                                                                      \
    W1(F2SL_X86, I, f, d2sl_x86((double)x))                                                                          \
    /* FSIN32 and FCOS32 look for far arguments; quad and lane shuffles read other lanes; the rest have effects */   \
    OWN_S(FSIN32) OWN_S(FCOS32) OWN_S(PRED_SET32) OWN_S(PRED_SET64) OWN_S(PART_GET32) OWN_S(PART_GET64)              \
    OWN_S(PART_SET32) OWN_S(PART_SET64) OWN(SPREAD32) OWN(SPREAD64) OWN(LANE_ID) OWN(QUAD_LANE) OWN(QUAD_XOR)        \
    OWN(SHUFFLE) OWN(BALLOT) OWN(ANY) OWN(ALL)                                                                       \
    OWN(FIRST) OWN(REDUCE) OWN(GET_DYN32) OWN(GET_DYN) OWN(SET_DYN) OWN(GET_LANE32) OWN(GET_LANE) OWN(SET_LANE32)    \
    OWN(SET_LANE)                                                                                                    \
    OWN(GET_COLUMN32) OWN(SET_COLUMN32) OWN(LOAD32_UNIFORM)                                                          \
    OWN(LOAD) OWN(STORE) OWN(ATOMIC) OWN(LOAD_SCALAR) OWN(STORE_SCALAR) OWN(BUS_LOAD) OWN(BUS_STORE) OWN(BUS_ATOMIC) \
    OWN(BUS_LOAD8) OWN(BUS_LOAD16) OWN(BUS_LOAD32) OWN(BUS_LOAD64) OWN(BUS_STORE8) OWN(BUS_STORE16)                  \
    OWN(BUS_STORE32) OWN(BUS_STORE64) OWN(CHECK_BUS_LOAD16) OWN(CHECK_BUS_LOAD32) OWN(CHECK_BUS_STORE16)              \
    OWN(CHECK_BUS_STORE32) OWN(INTERP_FLAT) OWN(INTERP_LINEAR) OWN(INTERP_PERSPECTIVE)                                \
    OWN(INTERP_LINEAR_AT) OWN(INTERP_PERSPECTIVE_AT)                                                                 \
    OWN(ATTR) OWN(SYSVAL) OWN(OUTPUT) OWN(TEXTURE) OWN(DISCARD) OWN(HELPER) OWN(SERVICE) OWN(CHECK) \
    OWN(CHECK_SCALAR) OWN(CHECK_BITS) OWN(GOTO) OWN(BRANCH) OWN(BRANCH_EQ) OWN(BRANCH_NE) OWN(BRANCH_LT_S)           \
    OWN(BRANCH_LE_S) OWN(BRANCH_LT_U) OWN(BRANCH_LE_U) OWN(CONTROL_NONE) OWN(CONTROL_EITHER) OWN(CONTROL)            \
    OWN(JUMP) OWN(GONE) OWN(BARRIER) OWN(TRAP) OWN(END) OWN(STOP)

enum handler_id {
#define H1(name, ...) H_##name,
    HANDLERS(H1, H1, H1, H1, H1, H1, H1, H1, H1, H1, H1)
    ATTRIBUTE_HANDLERS(H1, H1, H1, H1, H1, H1, H1, H1, H1, H1, H1, H1)
#undef H1
        HANDLER_COUNT,
    HANDLER_ATTRIBUTES = H_ADD_R32 /* the first of the second list */
};

/* One table per level, made from handlers.c and handlers_attribute.c. */
struct handler_table {
    struct handler h[HANDLER_ATTRIBUTES];
    const struct handler *attribute; /* the second list */
    const struct lop *(*go)(struct frame *f, const struct lop *op); /* runs to a stop */
    lop_fn *gone; /* what a block that was dropped begins with */
    /* Chunk n of a LOAD or BUS_LOAD that cannot stop the warp, for these of its lanes: for compiled code. */
    void (*load_chunk)(struct frame *f, const struct lop *op, unsigned n, unsigned lanes);
    void (*helper_chunk)(struct frame *f, const struct lop *op, unsigned n);
};
extern const struct handler_table exec_handlers_baseline;
extern const struct handler_table exec_handlers_avx2;
extern const struct handler_table exec_handlers_avx512;
const struct handler_table *exec_handlers(enum exec_level level);

/* The code of the block at a guest address; NULL: none. jump.c */
const struct exec_block_code *exec_find_address(const struct exec_program *p, uint64_t address);
/* Enter blocks from `first` on into the program's map; false without memory. */
bool exec_map_blocks(struct exec_program *p, struct arena *arena, uint32_t first);

/* Which code of a block is to run now. */
static inline enum exec_form frame_form(const struct frame *f)
{
    return f->active == f->program->full && !f->program->no_full ? EXEC_FULL : EXEC_PARTIAL;
}

static inline void frame_await(const struct frame *f, enum exec_form form)
{
    if (__builtin_expect(__atomic_load_n(&f->program->awaited[form], __ATOMIC_RELAXED), 0))
        exec_native_await(f->program, form);
}

/* Count the instructions that the budget has paid for: before the mask or the budget changes, and for who asks. */
static inline void frame_count(struct frame *f)
{
    uint64_t insns = (uint64_t)(f->marked - f->budget);
    if (!insns)
        return;
    f->counts.insns += insns;
    bool all = f->active == f->program->full;
    f->partial += frame_form(f) == EXEC_FULL ? 0 : insns;
    f->counts.lane_insns += insns * (all ? f->program->ir->lanes : (unsigned)__builtin_popcountll(f->active));
    f->marked = f->budget;
}

static inline const struct handler *exec_handler(const struct handler_table *t, enum handler_id h)
{
    return h < HANDLER_ATTRIBUTES ? &t->h[h] : &t->attribute[h - HANDLER_ATTRIBUTES];
}

#endif
