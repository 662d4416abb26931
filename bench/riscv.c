/* riscv.c - a hand-assembled RV64I program in an ELF file of one segment. */
#include "riscv.h"

#include <string.h>
#include <unistd.h>

/* ---- encodings, by format ---- */

#define REG(op, f3, f7, rd, a, b) ((uint32_t)(f7) << 25 | (b) << 20 | (a) << 15 | (f3) << 12 | (rd) << 7 | (op))
#define IMM(op, f3, rd, a, i)     ((uint32_t)((i) & 0xfff) << 20 | (a) << 15 | (f3) << 12 | (rd) << 7 | (op))
#define STORE(f3, b, a, i)                                                                                           \
    ((uint32_t)((i) >> 5 & 127) << 25 | (b) << 20 | (a) << 15 | (f3) << 12 | (uint32_t)((i) & 31) << 7 | 0x23)
#define BRANCH(f3, a, b, i)                                                                                          \
    ((uint32_t)((i) >> 12 & 1) << 31 | (uint32_t)((i) >> 5 & 63) << 25 | (b) << 20 | (a) << 15 | (f3) << 12 |         \
     (uint32_t)((i) >> 1 & 15) << 8 | (uint32_t)((i) >> 11 & 1) << 7 | 0x63)
#define UPPER(op, rd, i) ((uint32_t)(i) << 12 | (rd) << 7 | (op))
#define JAL(rd, i)                                                                                                   \
    ((uint32_t)((i) >> 20 & 1) << 31 | (uint32_t)((i) >> 1 & 1023) << 21 | (uint32_t)((i) >> 11 & 1) << 20 |          \
     (uint32_t)((i) >> 12 & 255) << 12 | (rd) << 7 | 0x6f)

#define LW(rd, i, a)    IMM(0x03, 2, rd, a, i)
#define SW(b, i, a)     STORE(2, b, a, i)
#define ADDI(rd, a, i)  IMM(0x13, 0, rd, a, i)
#define ADDW(rd, a, b)  REG(0x3b, 0, 0, rd, a, b)
#define XOR(rd, a, b)   REG(0x33, 4, 0, rd, a, b)
#define SRLIW(rd, a, i) IMM(0x1b, 5, rd, a, i)
#define BGEU(a, b, to)  BRANCH(7, a, b, to)
#define BNE(a, b, to)   BRANCH(1, a, b, to)
#define LUI(rd, i)      UPPER(0x37, rd, i)
#define RET             IMM(0x67, 0, 0, 1, 0)
#define ECALL           0x73u

enum { ZERO = 0, RA = 1, T0 = 5, T1 = 6, A0 = 10, A1, A2, A3, A4, A5, A6, A7 };

/* ---- the program ----
 *
 * Registers are those of scalar.vpu: r1 in A1, r3 in A3, r4 in T0, r5 in T1, r6 in A6, r7 in A7, r8 in A4, r9 in A5. */

enum { BASE = 0x10000, HEADERS = 64 + 56, TABLE = BASE + 0x1000, ELEMENTS = 256, AT_PASSES = 4 };
enum { START = 7, EACH_PASS = 6, EACH_ELEMENT = 10, END = 9 }; /* instructions */

static const uint32_t code[] = {
    LUI(A4, TABLE >> 12),
    ADDI(A5, A4, 1024),
    ADDI(A3, ZERO, 0),
    ADDI(A7, ZERO, 0),
    LUI(A6, 0), /* passes */
    ADDI(ZERO, ZERO, 0),
    ADDI(ZERO, ZERO, 0),
    /* pass: */
    ADDI(A1, A4, 0),
    /* element: */
    LW(T0, 0, A1),
    ADDW(A3, A3, T0),
    XOR(T0, T0, A3),
    SRLIW(T1, T0, 7),
    ADDW(T0, T0, T1),
    ADDW(T0, T0, A6),
    SW(T0, 0, A1),
    ADDI(A1, A1, 4),
    BGEU(T0, A3, 8),
    ADDI(A7, A7, 1),
    BNE(A1, A5, -40),
    JAL(RA, 4 * 12),
    ADDI(A6, A6, -1),
    BNE(A6, ZERO, -56),
    /* write(1, table, 8), exit(0) */
    SW(A3, 0, A4),
    SW(A7, 4, A4),
    ADDI(A0, ZERO, 1),
    ADDI(A1, A4, 0),
    ADDI(A2, ZERO, 8),
    ADDI(A7, ZERO, 64),
    ECALL,
    ADDI(A0, ZERO, 0),
    JAL(ZERO, 12),
    /* leaf: */
    XOR(A3, A3, A6),
    RET,
    ADDI(A7, ZERO, 93),
    ECALL,
};

uint64_t riscv_instructions(uint32_t passes, uint32_t below)
{
    return START + END + 2 + (uint64_t)passes * (EACH_PASS + ELEMENTS * EACH_ELEMENT) + below;
}

/* ---- the file ---- */

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

bool riscv_write(int file, uint32_t passes)
{
    uint8_t image[HEADERS + sizeof code] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    uint8_t *segment = image + 64;
    put(image + 16, 2, 2);    /* executable */
    put(image + 18, 243, 2);  /* RISC-V */
    put(image + 20, 1, 4);
    put(image + 24, BASE + HEADERS, 8);
    put(image + 32, 64, 8);   /* program headers */
    put(image + 52, 64, 2);
    put(image + 54, 56, 2);
    put(image + 56, 1, 2);
    put(segment, 1, 4);       /* load */
    put(segment + 4, 7, 4);   /* read, write, execute */
    put(segment + 16, BASE, 8);
    put(segment + 24, BASE, 8);
    put(segment + 32, sizeof image, 8);
    put(segment + 40, TABLE + 4 * ELEMENTS - BASE, 8);
    put(segment + 48, 0x1000, 8);
    for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
        put(image + HEADERS + 4 * i, i == AT_PASSES ? LUI(A6, passes >> 12) : code[i], 4);
    return write(file, image, sizeof image) == (ssize_t)sizeof image;
}
