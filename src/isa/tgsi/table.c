/* table.c - the opcode table, and finding a row by its mnemonic. */
#include "isa/tgsi/lift.h"
#include "isa/tgsi/op.h"
#include "isa/tgsi/signatures.h"
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

#define DIFFERENCES_FILE "isa/tgsi/differences.inc"
#define DIFFERENCES_LIST tgsi_differences
#include "isa/differences.h"

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
