/* table.c - the opcode map as rows.
 *
 * A row's columns: mnemonic; syntax behind it (template.h); word 0 and the mask of its fixed bits, the same of word 1;
 * what of the chip it needs, program types; meaning and variant (meanings.inc); provenance; one line of documentation.
 * Bits and syntax are those of the encoding reference, so that one can be read beside the other. Rows that text
 * prefers come first: short forms, long control, long normal, long immediate; that order is made in template.c. */
#include "isa/tesla/tesla.h"

enum { ALL = 0, SM11 = TESLA_SM11, SM12 = TESLA_SM12, FP64 = TESLA_FP64, D3D10_1 = TESLA_D3D10_1 };
enum { ANY = TESLA_ANY, VP = TESLA_VP, GP = TESLA_GP, FP = TESLA_FP, CP = TESLA_CP };
#define DIFFERENCES_FILE "isa/tesla/differences.inc"
#define DIFFERENCES_LIST tesla_differences
#include "isa/differences.h"

enum { DOC = ISA_DOCUMENTED, KNOWN = ISA_KNOWN };

#define WORDS(w0, w1) ((uint64_t)(w1) << 32 | (w0))
#define ROW(form, prefix, mnemonic, rest, w0, m0, w1, m1, features, stages, meaning, variant, provenance, doc)         \
    {mnemonic, prefix mnemonic " " rest, WORDS(w0, w1), WORDS(m0, m1), form,  features,                                \
     stages,   TESLA_M_##meaning,        variant,       provenance,    GROUP, doc},

#define SHORT(mnemonic, rest, w0, m0, ...) ROW(TESLA_SHORT, "", mnemonic, rest, w0, m0, 0, 0, __VA_ARGS__)
#define IMMEDIATE(mnemonic, rest, w0, m0, ...) ROW(TESLA_IMMEDIATE, "", mnemonic, rest, w0, m0, 3, 3, __VA_ARGS__)
#define LONG(mnemonic, rest, ...) ROW(TESLA_LONG, "[PRED] ", mnemonic, rest, __VA_ARGS__)
#define LANES(mnemonic, rest, ...) ROW(TESLA_LONG, "[PRED] [LANE] ", mnemonic, rest, __VA_ARGS__)
#define CONTROL(mnemonic, rest, ...) ROW(TESLA_CONTROL, "", mnemonic, rest, __VA_ARGS__)
#define GUARDED(mnemonic, rest, ...) ROW(TESLA_CONTROL, "[PRED] ", mnemonic, rest, __VA_ARGS__)

/* The four additions of x and y; addc reads a carry. Which of them it is, ADDOP says in word 0, or ADDOP3 in word 1 of
 * long multiply-adds. */
#define ADDOP(n) (((n) & 2 ? 0x10000000u : 0) | ((n) & 1 ? 0x00400000u : 0))
#define ADDOP3(n) ((uint32_t)(n) << 26)
#define SHORT_ADD(n, mnemonic, rest, w0, m0, ...)                                                                      \
    SHORT(mnemonic, rest, w0 | ADDOP(n), m0 | ADDOP(3), ALL, ANY, __VA_ARGS__)
#define IMMEDIATE_ADD(n, mnemonic, rest, w0, m0, ...)                                                                  \
    IMMEDIATE(mnemonic, rest, w0 | ADDOP(n), m0 | ADDOP(3), ALL, ANY, __VA_ARGS__)
#define LONG_ADD(n, mnemonic, rest, w0, m0, w1, m1, ...)                                                               \
    LONG(mnemonic, rest, w0 | ADDOP(n), m0 | ADDOP(3), w1, m1, ALL, ANY, __VA_ARGS__)
#define LONG_MUL_ADD(n, mnemonic, rest, w0, m0, w1, m1, ...)                                                           \
    LONG(mnemonic, rest, w0, m0, w1 | ADDOP3(n), m1 | ADDOP3(3), ALL, ANY, __VA_ARGS__)

#define SHORT_ADDS(rest, w0, m0, ...) FOUR_ADDS(SHORT_ADD, rest, " C0", __VA_ARGS__, w0, m0)
#define IMMEDIATE_ADDS(rest, w0, m0, ...) FOUR_ADDS(IMMEDIATE_ADD, rest, " C0", __VA_ARGS__, w0, m0)
#define LONG_ADDS(rest, w0, m0, w1, m1, meaning, ...)                                                                  \
    FOUR_ADDS(LONG_##meaning, rest, " CSRC", meaning, __VA_ARGS__, w0, m0, w1, m1)
#define FOUR_ADDS(FORM, rest, carry, meaning, provenance, x, y, ...)                                                   \
    FORM(TESLA_ADD, "add", rest, __VA_ARGS__, meaning, TESLA_ADD, provenance, "d = " x " + " y)                        \
    FORM(TESLA_SUB, "sub", rest, __VA_ARGS__, meaning, TESLA_SUB, provenance, "d = " x " - " y)                        \
    FORM(TESLA_SUBR, "subr", rest, __VA_ARGS__, meaning, TESLA_SUBR, provenance, "d = " y " - " x)                     \
    FORM(TESLA_ADDC, "addc", rest carry, __VA_ARGS__, meaning, TESLA_ADDC, provenance, "d = " x " + " y " + carry")

const struct tesla_row tesla_rows[TESLA_ROWS] = {
#include "isa/tesla/rows_move.inc"
#include "isa/tesla/rows_integer.inc"
#include "isa/tesla/rows_float.inc"
#include "isa/tesla/rows_double.inc"
#include "isa/tesla/rows_convert.inc"
#include "isa/tesla/rows_memory.inc"
#include "isa/tesla/rows_texture.inc"
#include "isa/tesla/rows_control.inc"
};
