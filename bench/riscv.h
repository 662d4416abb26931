/* riscv.h - the loop of bench/vpu/scalar.vpu as a RISC-V program, for an emulator to be compared with. */
#ifndef BENCH_RISCV_H
#define BENCH_RISCV_H

#include <stdbool.h>
#include <stdint.h>

/* What the program writes at its end. */
struct riscv_result {
    uint32_t checksum, below; /* r3 and r7 of the VPU's */
};

/* Write a static executable of so many passes, a multiple of 4096, to a file. False when it cannot be written. */
bool riscv_write(int file, uint32_t passes);

/* The instructions that such a program executes. */
uint64_t riscv_instructions(uint32_t passes, uint32_t below);

#endif
