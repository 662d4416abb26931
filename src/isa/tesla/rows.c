/* rows.c - the rows, and where they depart from the source document. */
#include "isa/tesla/tesla.h"

enum {
    ALL = 0,
#define FEATURE(name, bit, chips) name = bit,
#include "isa/tesla/chips.inc"
#undef FEATURE
};
enum { ONLY = 0 }; /* a meaning without variants */
enum { ANY = TESLA_ANY, VP = TESLA_VP, GP = TESLA_GP, FP = TESLA_FP, CP = TESLA_CP };
#define DIFFERENCES_FILE "isa/tesla/differences.inc"
#define DIFFERENCES_LIST tesla_differences
#include "isa/differences.h"

enum { DOCUMENTED = ISA_DOCUMENTED, KNOWN = ISA_KNOWN };

#define WORDS(w0, w1) ((uint64_t)(w1) << 32 | (w0))
#define ROW(form, prefix, mnemonic, rest, w0, m0, w1, m1, features, stages, meaning, variant, provenance, doc)         \
    {mnemonic, prefix mnemonic " " rest, WORDS(w0, w1), WORDS(m0, m1), form,  features,                                \
     stages,   TESLA_M_##meaning,        variant,       provenance,    GROUP, doc},

const struct tesla_row tesla_rows[TESLA_ROWS] = {
#include "isa/tesla/rows.inc"
};
