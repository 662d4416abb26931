/* attribute_handlers.h - the list of handlers for ops with attributes, and for halves: made by handlers_attribute.c,
 * chosen by select_float.c and select_narrow.c.
 *
 * R1, R2, R3(name, result, arguments..., expression of x, y, z, M, FO): aux holds the attributes. M is the rounding
 * direction and FO whether denormal results are flushed, both constants inside a loop over lanes; flushing of arguments
 * and canonical NaNs come by themselves. Types as in frame.h, and h for halves: f32 as arguments, bits as results.
 * S1, S2, S3: the same for f64 in integers, where M and FO may as well be variables.
 * V, W: as in frame.h, without attributes; so are B and T, which do what is asked for most: to nearest even, denormal
 * results zero and NaNs canonical. Z: denormal arguments count as zeros too; N: they count as they are. In imm is
 * CHIP_ANY_NAN where any NaN will do. */
#ifndef WEFT_EXEC_ATTRIBUTE_HANDLERS_H
#define WEFT_EXEC_ATTRIBUTE_HANDLERS_H

enum { CHIP_ANY_NAN = 1 };

#define ATTRIBUTE_HANDLERS(R1, R2, R3, S1, S2, S3, V1, V2, W1, W2, B2, T3)                                           \
    R2(ADD_R32, f, f, f, add32(x, y, M, FO))                                                                         \
    R2(SUB_R32, f, f, f, add32(x, f32_from(f32_bits(y) ^ 0x80000000u), M, FO))                                       \
    R2(MUL_R32, f, f, f, mul32(x, y, M, FO))                                                                         \
    R2(DIV_R32, f, f, f, div32(x, y, M, FO))                                                                         \
    R3(FMA_R32, f, f, f, f, rfma32(x, y, z, M, FO))                                                                  \
    R1(SQRT_R32, f, f, sqrt32(x, M, FO))                                                                             \
    R2(LDEXP_R32, f, f, i, narrow32(scaled64((double)x, y), M, FO))                                                  \
    R1(D2F_R, f, F, narrow32(x, M, FO))                                                                              \
    R1(S2F_R, f, i, narrow32((double)x, M, FO))                                                                      \
    R1(U2F_R, f, u, narrow32((double)x, M, FO))                                                                      \
    R1(SL2F_R, f, I, narrow32(odd_s64(x), M, FO))                                                                    \
    R1(UL2F_R, f, U, narrow32(odd_u64(x), M, FO))                                                                    \
    R2(ADD_R16, h, h, h, add16(x, y, M, FO))                                                                         \
    R2(SUB_R16, h, h, h, add16(x, f32_from(f32_bits(y) ^ 0x80000000u), M, FO))                                       \
    R2(MUL_R16, h, h, h, narrow16(x * y, M, FO))                                                                     \
    R2(DIV_R16, h, h, h, narrow16(x / y, M, FO))                                                                     \
    R3(FMA_R16, h, h, h, h, fma16(x, y, z, M, FO))                                                                   \
    R1(SQRT_R16, h, h, narrow16(__builtin_sqrtf(x), M, FO))                                                          \
    R2(LDEXP_R16, h, h, i, narrow16(odd_float(scaled64((double)x, y)), M, FO))                                       \
    R1(F2H_R, h, f, narrow16(x, M, FO))                                                                              \
    R1(D2H_R, h, F, narrow16(odd_float(x), M, FO))                                                                   \
    R1(S2H_R, h, i, narrow16(odd_float((double)x), M, FO))                                                           \
    R1(U2H_R, h, u, narrow16(odd_float((double)x), M, FO))                                                           \
    R1(SL2H_R, h, I, narrow16(odd_float(odd_s64(x)), M, FO))                                                         \
    R1(UL2H_R, h, U, narrow16(odd_float(odd_u64(x)), M, FO))                                                         \
    S2(ADD_R64, F, F, F, soft_add(x, y, M, FO))                                                                      \
    S2(SUB_R64, F, F, F, soft_add(x, f64_from(f64_bits(y) ^ (uint64_t)1 << 63), M, FO))                              \
    S2(MUL_R64, F, F, F, soft_mul(x, y, M, FO))                                                                      \
    S2(DIV_R64, F, F, F, soft_div(x, y, M, FO))                                                                      \
    S3(FMA_R64, F, F, F, F, soft_fma(x, y, z, M, FO))                                                                \
    S1(SQRT_R64, F, F, soft_sqrt(x, M, FO))                                                                          \
    S2(LDEXP_R64, F, F, i, soft_ldexp(x, y, M, FO))                                                                  \
    S1(SL2D_R, F, I, soft_integer(x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, M))                                  \
    S1(UL2D_R, F, U, soft_integer(false, x, M))                                                                      \
    V1(FLUSH16, u, u, x & 0x7c00 ? x : x & 0x8000)                                                                   \
    V1(FLUSH32, u, u, x & 0x7f800000 ? x : x & 0x80000000u)                                                          \
    W1(FLUSH64, U, U, x & (uint64_t)0x7ff << 52 ? x : x & (uint64_t)1 << 63)                                         \
    V1(CANON16, u, u, (x & 0x7fff) > 0x7c00 ? 0x7fff : x)                                                            \
    V1(CANON32, u, u, (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : x)                                                \
    W1(CANON64, U, U, (x & ~((uint64_t)1 << 63)) > (uint64_t)0x7ff << 52 ? ~(uint64_t)0 >> 1 : x)                    \
    V1(X86_NAN16, u, u, (x & 0x7fff) > 0x7c00 ? 0xfe00 : x)                                                          \
    V1(X86_NAN32, u, u, (x & 0x7fffffff) > 0x7f800000 ? 0xffc00000u : x)                                             \
    W1(X86_NAN64, U, U, (x & ~((uint64_t)1 << 63)) > (uint64_t)0x7ff << 52 ? (uint64_t)0xfff8 << 48 : x)             \
    V1(SAT16, u, u, x - 1 < 0x7c00 ? (x < 0x3c00 ? x : 0x3c00) : 0)                                                  \
    V1(SAT_NAN16, u, u, (x & 0x7fff) > 0x7c00 ? x : x - 1 < 0x7c00 ? (x < 0x3c00 ? x : 0x3c00) : 0)                  \
    V2(FMIN_NUMZ32, f, f, f, (less_zeros32(x, y) | (y != y)) ? x : y)                                                \
    V2(FMAX_NUMZ32, f, f, f, (less_zeros32(y, x) | (y != y)) ? x : y)                                                \
    V2(FMIN_SECZ32, f, f, f, less_zeros32(x, y) ? x : y)                                                             \
    V2(FMAX_SECZ32, f, f, f, less_zeros32(y, x) ? x : y)                                                             \
    V2(FMIN_NANZ32, f, f, f, (less_zeros32(x, y) | (x != x)) ? x : y)                                                \
    V2(FMAX_NANZ32, f, f, f, (less_zeros32(y, x) | (x != x)) ? x : y)                                                \
    W2(FMIN_NUMZ64, F, F, F, (less_zeros64(x, y) | (y != y)) ? x : y)                                                \
    W2(FMAX_NUMZ64, F, F, F, (less_zeros64(y, x) | (y != y)) ? x : y)                                                \
    W2(FMIN_SECZ64, F, F, F, less_zeros64(x, y) ? x : y)                                                             \
    W2(FMAX_SECZ64, F, F, F, less_zeros64(y, x) ? x : y)                                                             \
    W2(FMIN_NANZ64, F, F, F, (less_zeros64(x, y) | (x != x)) ? x : y)                                                \
    W2(FMAX_NANZ64, F, F, F, (less_zeros64(y, x) | (x != x)) ? x : y)                                                \
    V1(D2U32_X86, u, F, x > -1.0 && x < 0x1p32 ? d2u32_clamp(x) : 0x80000000u)                                       \
    W1(D2UL_X86, U, F, x > -1.0 && x < 0x1p64 ? d2ul_clamp(x) : (uint64_t)1 << 63)                                   \
    W1(D2UL_WRAP, U, F, d2ul_wrap(x))                                                                                \
    V2(ADD_SATS32, i, i, i, add_sats32(x, y))                                                                        \
    V2(SUB_SATS32, i, i, i, sub_sats32(x, y))                                                                        \
    V2(ADD_SATU32, u, u, u, x + y < x ? ~0u : x + y)                                                                 \
    V2(SUB_SATU32, u, u, u, x < y ? 0 : x - y)                                                                       \
    W2(ADD_SATS64, I, I, I, add_sats64(x, y))                                                                        \
    W2(SUB_SATS64, I, I, I, sub_sats64(x, y))                                                                        \
    W2(ADD_SATU64, U, U, U, x + y < x ? ~(uint64_t)0 : x + y)                                                        \
    W2(SUB_SATU64, U, U, U, x < y ? 0 : x - y)                                                                       \
    B2(FADD_Z32, f, f, f, chip_add32(zeroed32(x), zeroed32(y)))                                                      \
    B2(FSUB_Z32, f, f, f, chip_add32(zeroed32(x), -zeroed32(y)))                                                     \
    B2(FMUL_Z32, f, f, f, chip_mul32(zeroed32(x), zeroed32(y)))                                                      \
    T3(FFMA_Z32, f, f, f, f, chip_fma32(zeroed32(x), zeroed32(y), zeroed32(z)))                                      \
    B2(FADD_N32, f, f, f, chip_add32(x, y))                                                                          \
    B2(FSUB_N32, f, f, f, chip_add32(x, -y))                                                                         \
    B2(FMUL_N32, f, f, f, chip_mul32(x, y))                                                                          \
    T3(FFMA_N32, f, f, f, f, chip_fma32(x, y, z))

#endif
