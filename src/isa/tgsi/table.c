/* table.c - the opcode table, and finding a row by its mnemonic. */
#include "isa/tgsi/op.h"
#include "isa/tgsi/tgsi.h"

#include <string.h>

/* Operand types by letter: the table in rows.inc is read next to the document, and short signatures keep it so. */
enum {
    N = TGSI_T_NONE,
    S = TGSI_T_NONE, /* a sampler, view, resource or memory */
    F = TGSI_T_F32,
    I = TGSI_T_I32,
    U = TGSI_T_U32,
    D = TGSI_T_F64,
    L = TGSI_T_I64,
    Q = TGSI_T_U64,
    X = TGSI_T_UNTYPED
};

/* Destinations, sources, type of the destinations, types of the sources. */
#define SIGNATURE(ndst, nsrc, dst, ...) ndst, nsrc, dst, { __VA_ARGS__ }
#define DD_D SIGNATURE(2, 1, D, D)
#define D_D SIGNATURE(1, 1, D, D)
#define D_DD SIGNATURE(1, 2, D, D, D)
#define D_DDD SIGNATURE(1, 3, D, D, D, D)
#define D_DI SIGNATURE(1, 2, D, D, I)
#define D_F SIGNATURE(1, 1, D, F)
#define D_I SIGNATURE(1, 1, D, I)
#define D_L SIGNATURE(1, 1, D, L)
#define D_Q SIGNATURE(1, 1, D, Q)
#define D_U SIGNATURE(1, 1, D, U)
#define F_D SIGNATURE(1, 1, F, D)
#define F_F SIGNATURE(1, 1, F, F)
#define F_FF SIGNATURE(1, 2, F, F, F)
#define F_FFF SIGNATURE(1, 3, F, F, F, F)
#define F_FI SIGNATURE(1, 2, F, F, I)
#define F_FS SIGNATURE(1, 2, F, F, S)
#define F_FSS SIGNATURE(1, 3, F, F, S, S)
#define F_I SIGNATURE(1, 1, F, I)
#define F_L SIGNATURE(1, 1, F, L)
#define F_Q SIGNATURE(1, 1, F, Q)
#define F_SU SIGNATURE(1, 2, F, S, U)
#define F_SUF SIGNATURE(1, 3, F, S, U, F)
#define F_U SIGNATURE(1, 1, F, U)
#define I_D SIGNATURE(1, 1, I, D)
#define I_F SIGNATURE(1, 1, I, F)
#define I_I SIGNATURE(1, 1, I, I)
#define I_II SIGNATURE(1, 2, I, I, I)
#define I_IS SIGNATURE(1, 2, I, I, S)
#define I_IU SIGNATURE(1, 2, I, I, U)
#define I_IUU SIGNATURE(1, 3, I, I, U, U)
#define I_N SIGNATURE(1, 0, I, N)
#define I_S SIGNATURE(1, 1, I, S)
#define I_SUI SIGNATURE(1, 3, I, S, U, I)
#define I_U SIGNATURE(1, 1, I, U)
#define L_D SIGNATURE(1, 1, L, D)
#define L_F SIGNATURE(1, 1, L, F)
#define L_I SIGNATURE(1, 1, L, I)
#define L_L SIGNATURE(1, 1, L, L)
#define L_LL SIGNATURE(1, 2, L, L, L)
#define L_LU SIGNATURE(1, 2, L, L, U)
#define N_F SIGNATURE(0, 1, N, F)
#define N_I SIGNATURE(0, 1, N, I)
#define N_N SIGNATURE(0, 0, N, N)
#define N_S SIGNATURE(0, 1, N, S)
#define N_U SIGNATURE(0, 1, N, U)
#define Q_D SIGNATURE(1, 1, Q, D)
#define Q_F SIGNATURE(1, 1, Q, F)
#define Q_QQ SIGNATURE(1, 2, Q, Q, Q)
#define Q_QU SIGNATURE(1, 2, Q, Q, U)
#define Q_S SIGNATURE(1, 1, Q, S)
#define Q_U SIGNATURE(1, 1, Q, U)
#define S_UX SIGNATURE(1, 2, S, U, X)
#define U_D SIGNATURE(1, 1, U, D)
#define U_DD SIGNATURE(1, 2, U, D, D)
#define U_F SIGNATURE(1, 1, U, F)
#define U_FF SIGNATURE(1, 2, U, F, F)
#define U_II SIGNATURE(1, 2, U, I, I)
#define U_LL SIGNATURE(1, 2, U, L, L)
#define U_N SIGNATURE(1, 0, U, N)
#define U_QQ SIGNATURE(1, 2, U, Q, Q)
#define U_S SIGNATURE(1, 1, U, S)
#define U_SU SIGNATURE(1, 2, U, S, U)
#define U_SUU SIGNATURE(1, 3, U, S, U, U)
#define U_SUUU SIGNATURE(1, 4, U, S, U, U, U)
#define U_U SIGNATURE(1, 1, U, U)
#define U_US SIGNATURE(1, 2, U, U, S)
#define U_UU SIGNATURE(1, 2, U, U, U)
#define U_UUU SIGNATURE(1, 3, U, U, U, U)
#define U_UUUU SIGNATURE(1, 4, U, U, U, U, U)
#define X_FFFS SIGNATURE(1, 4, X, F, F, F, S)
#define X_FFS SIGNATURE(1, 3, X, F, F, S)
#define X_FS SIGNATURE(1, 2, X, F, S)
#define X_FSS SIGNATURE(1, 3, X, F, S, S)
#define X_FSSF SIGNATURE(1, 4, X, F, S, S, F)
#define X_FSSFF SIGNATURE(1, 5, X, F, S, S, F, F)
#define X_FUS SIGNATURE(1, 3, X, F, U, S)
#define X_IS SIGNATURE(1, 2, X, I, S)
#define X_S SIGNATURE(1, 1, X, S)
#define X_SU SIGNATURE(1, 2, X, S, U)
#define X_US SIGNATURE(1, 2, X, U, S)
#define X_USU SIGNATURE(1, 3, X, U, S, U)
#define X_UXX SIGNATURE(1, 3, X, U, X, X)
#define X_X SIGNATURE(1, 1, X, X)
#define X_XU SIGNATURE(1, 2, X, X, U)

/* What may follow the operands: flow, texture target, memory attributes, label. */
#define PLAIN TGSI_FLOW_NONE, false, false, false
#define TEXTURE TGSI_FLOW_NONE, true, false, false
#define MEMORY TGSI_FLOW_NONE, false, true, false
#define FLOWING(kind, label) TGSI_FLOW_##kind, false, false, label

enum {
    ALL = 0,
    FRAG = 1 << TGSI_FRAG,
    GEOM = 1 << TGSI_GEOM,
    TESS_CTRL = 1 << TGSI_TESS_CTRL,
    COMP = 1 << TGSI_COMP
};

enum { DOC = ISA_DOCUMENTED, KNOWN = ISA_KNOWN, CHOSEN = ISA_INFERRED };

/* Three layers, so that a signature and a shape expand to the several columns they stand for. */
#define ROW(name, ...) ROW_COLUMNS(#name, __VA_ARGS__)
#define ROW_COLUMNS(...) { __VA_ARGS__ },

const struct tgsi_row tgsi_rows[] = {
#include "isa/tgsi/rows.inc"
};
#undef ROW

const uint32_t tgsi_row_count = TGSI_OPS;

/* ---- finding a row ----------------------------------------------------------------------------------------------
 * A hash table made by hand: slot h(mnemonic) or one of those after it, up to the first empty one. A test works out
 * the table anew from the rows and prints the slots that are missing. */

enum { LONGEST = 15 };

static const uint16_t slots[TGSI_ROW_SLOTS] = {
#define AT(slot, name) [slot] = TGSI_OP_##name + 1,
#include "isa/tgsi/slots.inc"
#undef AT
};

uint32_t tgsi_hash_mnemonic(const char *name, size_t length)
{
    uint32_t h = 0;
    for (size_t i = 0; i < length; i++)
        h = h * 37 + ((unsigned char)name[i] & 0xdf); /* a letter's case is one bit; digits only need to stay apart */
    return h % TGSI_ROW_SLOTS;
}

static bool same_word(const char *upper, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (upper[i] != c)
            return false;
    }
    return upper[length] == '\0';
}

int tgsi_find_row(const char *name, size_t length)
{
    if (length > LONGEST)
        return -1;
    for (uint32_t slot = tgsi_hash_mnemonic(name, length); slots[slot] != 0; slot = (slot + 1) % TGSI_ROW_SLOTS) {
        int row = slots[slot] - 1;
        if (same_word(tgsi_rows[row].name, name, length))
            return row;
    }
    return -1;
}
