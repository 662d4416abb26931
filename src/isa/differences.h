/* differences.h - the differences from the source document that a set's rows name.
 *
 * The file that has the rows defines DIFFERENCES_FILE, the path of the set's differences.inc, and DIFFERENCES_LIST, the
 * name of the list for struct isa, and includes this. It gets DIFFERS(entry) for the rows' column of provenance. */
#include "isa/isa.h"

enum {
    ISA_DIFFERS_START = ISA_DIFFERS - 1,
#define DIFFERENCE(entry, reason) ISA_DIFFERS_##entry,
#include DIFFERENCES_FILE
#undef DIFFERENCE
    ISA_DIFFERS_END
};
_Static_assert(ISA_DIFFERS_END <= 256, "a row's provenance has 8 bits");
#define DIFFERS(entry) ISA_DIFFERS_##entry

const struct isa_difference DIFFERENCES_LIST[] = {
#define DIFFERENCE(entry, reason) {#entry, reason},
#include DIFFERENCES_FILE
#undef DIFFERENCE
    {0}};
