/* alu.h - functions of the special function unit and the tables of its sequences, as functions of one lane.
 *
 * The description names them and Mesa's compiler shows the sequences that they are steps of; what a step must give
 * follows from its sequence (docs/fidelity.md). Rows of lanes call them through valhall_lanes_*. */
#ifndef WEFT_ISA_VALHALL_ALU_H
#define WEFT_ISA_VALHALL_ALU_H

#include <stdint.h>

/* How FREXPM and FREXPE split a number: x = significand * 2^exponent. */
enum valhall_split {
    VALHALL_SPLIT_FREXP, /* 0.5 <= significand < 1 */
    VALHALL_SPLIT_SQRT,  /* 0.25 <= significand < 1, x = significand * 4^exponent */
    VALHALL_SPLIT_LOG    /* 0.75 <= significand < 1.5 */
};
float valhall_significand(float x, enum valhall_split how);
/* 0 of zeros, infinities and NaN. */
int32_t valhall_exponent(float x, enum valhall_split how);

/* log2(m) / (m - 1), m the significand of x for logarithms: the factor of FADD_LSCALE. */
float valhall_flogd(float x);
/* -log2 of valhall_rcp_approx of that significand. */
float valhall_log_table(float x);
/* 2^fixed, an 8:24 fixed-point number; `x` is the same number as a float, or 2^24 times it, and decides where fixed
 * saturated. */
float valhall_fexp(int32_t fixed, float x);
float valhall_exp_table(uint32_t index);
/* Sine and cosine of 64ths of a turn. */
float valhall_sin_table(uint32_t index);
float valhall_cos_table(uint32_t index);
/* The angle of table entry index, in (-pi, pi]. */
float valhall_sincos_offset(uint32_t index);
float valhall_rsq(float x);
/* Within 2^-12 of 1 / significand, and of 1 / sqrt(significand). */
float valhall_rcp_approx(float x);
float valhall_rsq_approx(float x);
/* One bit for a class: 0 -inf, 1 negative, 2 negative denormal, 3 -0, 4 +0, 5 denormal, 6 positive, 7 +inf,
 * 8 signalling NaN, 9 quiet NaN. */
uint32_t valhall_class32(uint32_t bits);
uint32_t valhall_class16(uint32_t bits);
/* Steps of atan(y / x): the low half the octant, the high half the ratio of the smaller to the larger magnitude,
 * rounded to 64ths, as a half float; second: the angle of exactly that octant and ratio. */
uint32_t valhall_atan_assist(float y, float x);
float valhall_atan_table(float y, float x);

/* The same over rows of lanes. */
#define VALHALL_LANES_FN(name)                                                                                         \
    void valhall_lanes_##name(unsigned count, const void *const *args, void *const *results, uint64_t imm)
VALHALL_LANES_FN(significand);
VALHALL_LANES_FN(exponent);
VALHALL_LANES_FN(flogd);
VALHALL_LANES_FN(log_table);
VALHALL_LANES_FN(fexp);
VALHALL_LANES_FN(exp_table);
VALHALL_LANES_FN(sin_table);
VALHALL_LANES_FN(cos_table);
VALHALL_LANES_FN(sincos_offset);
VALHALL_LANES_FN(rsq);
VALHALL_LANES_FN(rcp_approx);
VALHALL_LANES_FN(rsq_approx);
VALHALL_LANES_FN(class32);
VALHALL_LANES_FN(class16);
VALHALL_LANES_FN(atan_assist);
VALHALL_LANES_FN(atan_table);

#endif
